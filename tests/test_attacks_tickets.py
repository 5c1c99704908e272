"""Forged tickets: what a player's own check shows, what it says it did not check, and what the audit makes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from fairdeal.audit import audit
from fairdeal.codes import Code
from fairdeal.commit import fingerprint
from fairdeal.errors import Malformed, Misuse
from fairdeal.evidence import Evidence, Ticket
from fairdeal.hashing import tagged_hash
from fairdeal.report import Verdict
from fairdeal.simulate import Simulated
from fairdeal.ticket import PREFIX, decode_ticket, encode_ticket
from fairdeal.verify import hand_of, verify_hand
from tests.test_attacks_changes import whole


def ticket_codes(sample: Simulated, ticket: Ticket) -> set[Code]:
    """Return the codes an audit of the sound log finds at a ticket."""
    report = audit(bytes(sample.data), Evidence((ticket,)))
    return {finding.code for finding in report.findings if finding.place == "ticket[1]"}


def ticket_and_hand() -> tuple[Simulated, Ticket, bytes, bytes]:
    """Return a match, a ticket of its first round, that round's seed, and the cards dealt for the ticket."""
    sample = whole()
    ticket, seed = sample.tickets[0], sample.tree.seeds[0]
    return sample, ticket, seed, hand_of(ticket, seed)


def test_ticket_with_ground_contributions_shows_in_hand_and_audit() -> None:
    """T is computed from the ticket: other values than the seats gave deal other cards and do not fit the log."""
    sample, ticket, seed, cards = ticket_and_hand()
    for seat, value in enumerate(ticket.contributions):
        ground = tagged_hash("attacks", value)
        mixed = (*ticket.contributions[:seat], ground, *ticket.contributions[seat + 1 :])
        forged = replace(ticket, contributions=mixed)
        own = ticket.contributions[ticket.seat]
        report = verify_hand(forged, seed, cards, own, [sample.tree.commitment()])
        assert report.verdict is Verdict.REFUTED
        assert Code.CARDS_OTHER in report.codes()
        assert (Code.CONTRIBUTION_OTHER in report.codes()) == (seat == ticket.seat)
        assert ticket_codes(sample, forged) == {Code.TICKET_CONTRIBUTIONS}


def test_ticket_with_a_fingerprint_outside_the_commitment_leads_elsewhere() -> None:
    """F is bound to C by its audit path: a seed of the operator's choice shows a C that nobody published."""
    sample, ticket, _, _ = ticket_and_hand()
    chosen = tagged_hash("attacks")
    forged = replace(ticket, fingerprint=fingerprint(ticket.terms_hash, 1, chosen))
    report = verify_hand(forged, chosen, hand_of(forged, chosen), commitments=[sample.tree.commitment()])
    assert report.codes() == {Code.COMMITMENT_OTHER}
    assert verify_hand(forged, chosen).summary.commitment != sample.tree.commitment().hex()
    found = ticket_codes(sample, forged)
    assert found == {Code.TICKET_COMMITMENT, Code.TICKET_FINGERPRINT}


@pytest.mark.parametrize("change", [lambda path: path[:-1], lambda path: (*path, path[-1]), lambda _: ()])
def test_ticket_with_a_path_of_the_wrong_length_leads_nowhere(
    change: Callable[[tuple[bytes, ...]], tuple[bytes, ...]],
) -> None:
    """A path has exactly the length that round and N ask for; no shorter tree can stand in for the committed one."""
    sample, ticket, seed, _ = ticket_and_hand()
    forged = replace(ticket, path=change(ticket.path))
    with pytest.raises(Misuse):
        verify_hand(forged, seed)
    with pytest.raises(Malformed):
        decode_ticket(encode_ticket(forged))
    assert ticket_codes(sample, forged) == {Code.TICKET_COMMITMENT}


def test_ticket_with_a_foreign_path_leads_elsewhere() -> None:
    """A path of the right length with other hashes does not lead to C either."""
    sample, ticket, seed, cards = ticket_and_hand()
    forged = replace(ticket, path=tuple(tagged_hash("attacks", one) for one in ticket.path))
    assert verify_hand(forged, seed, cards, commitments=[sample.tree.commitment()]).verdict is Verdict.REFUTED
    assert ticket_codes(sample, forged) == {Code.TICKET_COMMITMENT}


def test_ticket_has_one_spelling() -> None:
    """Other alphabets, padding, blanks and unused bits are refused: two texts are never the same ticket."""
    text = encode_ticket(ticket_and_hand()[1])
    assert decode_ticket(text) == ticket_and_hand()[1]
    body = text[len(PREFIX) :]
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    last = alphabet[alphabet.index(body[-1]) ^ 1]
    spellings = {
        body.replace("-", "+").replace("_", "/"),
        *(body + pad for pad in ("=", "==", "\n", " ", "A", "!", ".")),
        body[:8] + "\n" + body[8:],
        body[:8] + "*" + body[8:],
        body[:-1],
        body[:-1] + last,
        body.swapcase(),
        body[:9] + "é" + body[10:],
    } - {body}
    for spelling in spellings:
        with pytest.raises(Malformed):
            decode_ticket(PREFIX + spelling)
    for other in (body, PREFIX.upper() + body, " " + text, "fd2." + body):
        with pytest.raises(Malformed):
            decode_ticket(other)


def test_false_dealing_position_is_said_not_to_be_checked_and_caught_by_the_audit() -> None:
    """A ticket alone cannot show whose position it is, and says so; the log can."""
    sample, ticket, seed, cards = ticket_and_hand()
    forged = replace(ticket, position=(ticket.position + 1) % 4)
    report = verify_hand(forged, seed, hand_of(forged, seed), commitments=[sample.tree.commitment()])
    assert report.verdict is Verdict.VERIFIED
    assert any(f"position {forged.position} of seat {forged.seat}" in words for words in report.statements)
    assert verify_hand(forged, seed, cards).codes() == {Code.CARDS_OTHER}
    assert ticket_codes(sample, forged) == {Code.TICKET_POSITION}
