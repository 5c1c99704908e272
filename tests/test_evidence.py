"""Evidence held against a log: what fits, what speaks against it, and what a log that ends early cannot answer yet."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from fairdeal.audit import audit
from fairdeal.codec import Log, encode_record
from fairdeal.codes import Code
from fairdeal.errors import Misuse
from fairdeal.evidence import Evidence, Receipt, Ticket, operator_and_seats, ticket_of, weigh
from fairdeal.records import OPERATOR, Actions, Close, Deal, Opened, RoundEnd, Sealed, signer_of
from fairdeal.replay import replay
from fairdeal.report import Finding, Report, Step, Verdict
from fairdeal.sign import public_key, sign, signed_message
from fairdeal.simulate import Simulated
from tests.conftest import SAMPLES, all_signed, apart, held_by_all, played, rebuilt, where
from tests.strategies import many, receipts, tickets


def held(data: bytes, evidence: Evidence) -> Report:
    """Return the report on a log with this evidence, nothing required."""
    return audit(data, evidence, ())


def spoken(data: bytes, evidence: Evidence) -> list[tuple[Code, str]]:
    """Return code and place of what evidence finds against a sound log."""
    early = (Code.UNFINISHED, Code.SIGNATURE_MISSING)
    return [(one.code, one.place) for one in held(data, evidence).findings if one.code not in early]


def checked(data: bytes, evidence: Evidence) -> tuple[int, list[str]]:
    """Return how many checks of evidence passed, and what was not checked."""
    tally = dict(held(data, evidence).steps)[Step.EVIDENCE]
    return tally.passed, tally.not_checked


def prefixes(done: Simulated) -> list[bytes]:
    """Return a match cut at every record that is no action, and some that are."""
    records = apart(done.records)
    wanted = [n for n, one in enumerate(records, 1) if not isinstance(one, Actions) or n % 16 == 0]
    return [b"".join(map(encode_record, records[:size])) for size in wanted]


@pytest.mark.parametrize("name", SAMPLES)
def test_everything_that_the_parties_hold_fits(name: str) -> None:
    """Every piece is looked at, nothing is found, and each is counted as good for something."""
    done = SAMPLES[name]()
    evidence = held_by_all(done)
    result = replay(Log(bytes(done.data)))
    weighed = weigh(result, evidence)
    assert result.judge.findings == []
    assert result.judge.tallies[Step.EVIDENCE].not_checked == []
    assert weighed.pinned_by == ["the commitment given", "the published list"]
    assert weighed.tickets == list(evidence.tickets)
    assert weighed.receipts == list(evidence.receipts)
    assert weighed.contributions == list(evidence.contributions)
    assert weighed.keys == list(evidence.keys)


@pytest.mark.parametrize("name", ["three seats", "sealed", "sealed, all keys"])
def test_true_evidence_never_speaks_against_a_log_that_is_not_finished(name: str) -> None:
    """Whatever a log has not reached cannot differ: at every cut true evidence leaves it incomplete at most."""
    done = SAMPLES[name]()
    for data in prefixes(done)[:-1]:
        report = held(data, held_by_all(done))
        assert report.verdict is Verdict.INCOMPLETE, report.findings
        assert {one.code for one in report.findings} <= {Code.UNFINISHED, Code.RECEIPT_BEYOND, Code.SIGNATURE_MISSING}


def test_no_evidence_is_no_check() -> None:
    """What was not given is neither passed nor skipped."""
    assert checked(bytes(played().data), Evidence()) == (0, [])


# commitments and published lists


def test_a_commitment_is_that_of_the_log_or_another() -> None:
    """Expected is what was held, found what the log says."""
    done = all_signed()
    c = done.tree.commitment()
    assert checked(bytes(done.data), Evidence(commitments=(c, c))) == (2, [])
    report = held(bytes(done.data), Evidence(commitments=(c, bytes(32))))
    assert report.findings == (Finding(Code.COMMITMENT_OTHER, "commitment", "00" * 32, c.hex()),)
    assert report.verdict is Verdict.REFUTED


def test_a_published_list_has_the_match_under_its_number() -> None:
    """Present and equal, present and other, absent, or empty."""
    done = played()
    data, c, number = bytes(done.data), done.tree.commitment(), done.terms.sequence
    place = f"published[{number}]"
    assert checked(data, Evidence(published=({number: c}, {number - 1: bytes(32), number: c}))) == (2, [])
    assert spoken(data, Evidence(published=({number: bytes(32)},))) == [(Code.COMMITMENT_OTHER, place)]
    report = held(data, Evidence(published=({1: c, 2: c},)))
    wanted = f"match number {number} in the published list"
    assert report.findings == (Finding(Code.PUBLISHED_ABSENT, place, wanted, "numbers 1 to 2"),)
    assert report.verdict is Verdict.INCOMPLETE
    assert held(data, Evidence(published=({},))).findings[0].found == "an empty list"


def test_a_log_of_terms_alone_has_no_commitment_to_compare() -> None:
    """It may still come; a log that went on without one is at fault by itself."""
    done = played()
    terms = encode_record(done.terms)
    evidence = Evidence(commitments=(bytes(32),), published=({7: bytes(32)},))
    assert spoken(terms, evidence) == []
    assert checked(terms, evidence) == (0, ["the log ends before its commitment"])
    without = rebuilt([done.terms, *done.records[2:]])
    assert (Code.COMMITMENT_OTHER, "commitment") in spoken(without, evidence)
    assert (Code.COMMITMENT_MISSING, "commitment") in spoken(without, evidence)


# keys


def test_a_pinned_key_is_that_of_the_terms_or_another() -> None:
    """Another key, or none, refutes: the terms are there from the first byte."""
    done = all_signed(4, 1)
    public = {signer: public_key(key) for signer, key in done.keys.items()}
    assert checked(bytes(done.data), Evidence(keys=public)) == (5, [])
    for signer, name in ((OPERATOR, "operator"), (signer_of(2), "seat 2")):
        report = held(bytes(done.data), Evidence(keys={signer: bytes(32)}))
        assert report.findings == (Finding(Code.KEY_OTHER, f"terms.key[{name}]", "00" * 32, public[signer].hex()),)
    report = held(bytes(played().data), Evidence(keys={OPERATOR: bytes(32), 8: bytes(32)}))
    assert [(one.place, one.found) for one in report.findings] == [
        ("terms.key[operator]", "nothing"),
        ("terms.key[seat 7]", "nothing"),
    ]


def test_keys_are_by_signer() -> None:
    """The operator is signer 0 and seat s is s + 1."""
    assert operator_and_seats(None, {}) == {}
    assert operator_and_seats(b"o", {0: b"a", 3: b"d"}) == {OPERATOR: b"o", 1: b"a", 4: b"d"}
    assert operator_and_seats(None, {7: b"h"}) == {8: b"h"}


# contributions


def test_a_contribution_is_the_one_opened_or_another() -> None:
    """Another value refutes; not opened yet is not checked, unless cards were dealt without it."""
    done = all_signed()
    own = done.contributions[2]
    records = apart(done.records)
    data = bytes(done.data)
    assert checked(data, Evidence(contributions={2: own})) == (1, [])
    assert spoken(data, Evidence(contributions={2: bytes(32)})) == [(Code.CONTRIBUTION_OTHER, "opened[2]")]
    before = rebuilt(records[: where(done, Opened, 2)], done.keys)
    assert spoken(before, Evidence(contributions={2: bytes(32)})) == []
    assert checked(before, Evidence(contributions={2: own})) == (
        0,
        ["opened[2]: the log ends before seat 2 opens its contribution"],
    )
    assert spoken(before, Evidence(contributions={1: bytes(32)})) == [(Code.CONTRIBUTION_OTHER, "opened[1]")]
    assert spoken(bytes(played().data), Evidence(contributions={2: own})) == [(Code.CONTRIBUTION_OTHER, "opened[2]")]


# tickets


def against(done: Simulated, ticket: Ticket, data: bytes | None = None) -> list[tuple[Code, str]]:
    """Return what a ticket finds against a match."""
    return spoken(bytes(done.data) if data is None else data, Evidence(tickets=(ticket,)))


WRONG: dict[str, tuple[dict[str, Any], list[tuple[Code, str]]]] = {
    "terms": ({"terms_hash": bytes(32)}, [(Code.TICKET_TERMS, "ticket[1]")]),
    "fingerprint": (
        {"fingerprint": bytes(32)},
        [(Code.TICKET_COMMITMENT, "ticket[1]"), (Code.TICKET_FINGERPRINT, "ticket[1]")],
    ),
    "contributions": ({"contributions": (bytes(32),) * 4}, [(Code.TICKET_CONTRIBUTIONS, "ticket[1]")]),
    "packs": ({"packs": 2}, [(Code.TICKET_DECK, "ticket[1]")]),
    "jokers": ({"jokers": 2}, [(Code.TICKET_DECK, "ticket[1]")]),
    "position": ({"position": 3}, [(Code.TICKET_POSITION, "ticket[1]")]),
    "seat": ({"seat": 3}, [(Code.TICKET_POSITION, "ticket[1]")]),
}


@pytest.mark.parametrize(("changes", "expected"), WRONG.values(), ids=WRONG)
def test_one_wrong_value_in_a_ticket_is_found(changes: dict[str, Any], expected: list[tuple[Code, str]]) -> None:
    """Each field has its code, and a ticket of other terms says nothing more."""
    done = all_signed(4, 2)
    assert against(done, replace(done.tickets[1], **changes)) == expected


def test_a_ticket_of_another_number_of_rounds_is_found() -> None:
    """N is in the terms, and in C."""
    done = played(4, 2)
    ticket = done.tickets[0]
    found = against(done, replace(ticket, rounds=3, path=(*ticket.path, bytes(32))))
    assert found == [(Code.TICKET_TERMS, "ticket[1].rounds"), (Code.TICKET_COMMITMENT, "ticket[1]")]


@pytest.mark.parametrize("path", [(), (bytes(32),), (bytes(32), bytes(32), bytes(32))])
def test_a_path_that_does_not_lead_to_the_commitment_is_found(path: tuple[bytes, ...]) -> None:
    """Too short, too long or other hashes: no crash, and the same finding."""
    done = played(4, 2)
    ticket = replace(done.tickets[0], path=path)
    assert against(done, ticket) == [(Code.TICKET_COMMITMENT, "ticket[1]")]
    if len(path) != 1:
        with pytest.raises(Misuse, match="audit path"):
            ticket.commitment()


def test_a_ticket_moved_to_another_round_is_found() -> None:
    """A fingerprint belongs to its round."""
    done = played(4, 4)
    ticket = done.tickets[0]
    codes = [code for code, _ in against(done, replace(ticket, round=2))]
    assert codes[:2] == [Code.TICKET_COMMITMENT, Code.TICKET_FINGERPRINT]


def test_a_ticket_of_another_match_is_found_by_its_terms_alone() -> None:
    """One finding, not one for each value that differs; like a receipt's it says nothing against this match."""
    done, other = played(), all_signed()
    assert against(done, other.tickets[0]) == [(Code.TICKET_TERMS, "ticket[1]")]
    for evidence in (Evidence(tickets=(other.tickets[0],)), Evidence(receipts=(other.receipt(other.lock),))):
        assert held(bytes(done.data), evidence).verdict is Verdict.INCOMPLETE


def test_tickets_are_numbered_as_given() -> None:
    """The place is that of the ticket in the evidence."""
    done = played()
    bad = replace(done.tickets[1], position=3)
    evidence = Evidence(tickets=(done.tickets[0], bad, done.tickets[2], bad))
    assert spoken(bytes(done.data), evidence) == [
        (Code.TICKET_POSITION, "ticket[2]"),
        (Code.TICKET_POSITION, "ticket[4]"),
    ]


def test_what_a_running_log_does_not_say_yet_a_ticket_is_not_held_against() -> None:
    """No commitment, contributions not opened, seed not revealed, round not dealt: each is named as not checked."""
    done = all_signed(4, 2)
    ticket = done.tickets[4]
    records = apart(done.records)
    no_seed = f"ticket[1]: the log reveals no seed of round {ticket.round}"
    unopened = "ticket[1]: the log ends before all contributions are opened"
    cases = {1: (3, [unopened, no_seed]), 2: (4, [unopened, no_seed]), where(done, Opened, 3): (4, [unopened, no_seed])}
    cases |= {where(done, Deal): (5, [no_seed]), where(done, RoundEnd, 1): (5, [no_seed])}
    for size, expected in cases.items():
        assert checked(rebuilt(records[:size], done.keys), Evidence(tickets=(ticket,))) == expected, size
    assert checked(bytes(done.data), Evidence(tickets=(ticket,))) == (7, [])


def test_a_wrong_ticket_is_found_as_soon_as_the_log_can_tell() -> None:
    """Each wrong value is found at its record and at every later cut."""
    done = all_signed(4, 2)
    records = apart(done.records)
    moment = {"packs": 1, "contributions": where(done, Opened, 3) + 1, "position": where(done, RoundEnd) + 1}
    for name, first in moment.items():
        ticket = replace(done.tickets[1], **WRONG[name][0])
        for size in (1, 2, where(done, Sealed, 3), where(done, Opened, 3) + 1, where(done, RoundEnd) + 1, len(records)):
            found = against(done, ticket, rebuilt(records[:size], done.keys))
            assert found == (WRONG[name][1] if size >= first else []), (name, size)


def test_a_ticket_for_a_round_that_was_never_dealt_is_not_checked_further() -> None:
    """A match may end before all its rounds."""
    done = played(4, 1, changes=(("match_end", "target"), ("end_at", 3)))
    spare = ticket_of(done.terms, done.tree, 50, done.contributions, (0, 1, 2, 3), 0)
    assert checked(bytes(done.data), Evidence(tickets=(spare,)))[1] == [
        "ticket[1]: the log reveals no seed of round 50"
    ]
    assert spoken(bytes(done.data), Evidence(tickets=(spare,))) == []


def test_a_deal_without_all_contributions_speaks_against_a_ticket_that_has_them() -> None:
    """Once cards are dealt nothing is to come: what was never opened differs."""
    done = all_signed(4, 1)
    records = [one for one in apart(done.records) if not (isinstance(one, Opened) and one.seat == 2)]
    found = against(done, done.tickets[0], rebuilt(records, done.keys))
    assert (Code.TICKET_CONTRIBUTIONS, "ticket[1]") in found


@given(tickets())
@many
def test_no_ticket_crashes_an_audit(ticket: Ticket) -> None:
    """Any lawful ticket beside any log: at most findings."""
    done = all_signed(4, 2)
    same = replace(ticket, terms_hash=done.tree.terms)
    for one in (ticket, same):
        for data in (bytes(done.data), bytes(done.data[: done.lock])):
            assert held(data, Evidence(tickets=(one,))).verdict is not Verdict.VERIFIED


def test_a_ticket_is_made_for_its_seat() -> None:
    """Position in the dealing order, path and fingerprint of its round; what it leads to is C."""
    done = all_signed(5, 3)
    order = (3, 4, 0, 1, 2)
    for position, seat in enumerate(order):
        ticket = ticket_of(done.terms, done.tree, 2, done.contributions, order, seat)
        assert (ticket.position, ticket.seat, ticket.round, ticket.rounds) == (position, seat, 2, 3)
        assert ticket.commitment() == done.tree.commitment()
        assert ticket.fingerprint == done.tree.fingerprints[1]
        assert (ticket.packs, ticket.jokers, ticket.contributions) == (1, 0, done.contributions)


# receipts


def note(done: Simulated, **changes: Any) -> Evidence:
    """Return the receipt of a match's lock with some values changed."""
    return Evidence(receipts=(done.receipt(done.lock)._replace(**changes),))


def test_a_receipt_of_any_offset_fits() -> None:
    """It need not be the end of a record, and counts whatever it reaches."""
    done = played(4, 1, signed=True)
    start = len(encode_record(done.terms))
    for offset in range(start, len(done.data) + 1, 23):
        assert checked(bytes(done.data), Evidence(receipts=(done.receipt(offset),))) == (2, [])


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"terms_hash": bytes(32)}, Code.RECEIPT_TERMS),
        ({"digest": bytes(32), "signature": b""}, Code.RECEIPT_DIGEST),
        ({"signature": bytes(64)}, Code.RECEIPT_SIGNATURE),
        ({"digest": bytes(32)}, Code.RECEIPT_SIGNATURE),
        ({"offset": 10**9, "signature": b""}, Code.RECEIPT_BEYOND),
        ({"offset": 10**9}, Code.RECEIPT_SIGNATURE),
    ],
)
def test_one_wrong_value_in_a_receipt_is_found(changes: dict[str, Any], code: Code) -> None:
    """Each has one finding: the first in the documented order, and nothing behind it."""
    done = all_signed()
    assert spoken(bytes(done.data), note(done, **changes)) == [(code, "receipt[1]")]


def test_a_receipt_that_ends_before_the_terms_is_not_checked() -> None:
    """The terms hash says as much."""
    done = played()
    short = done.receipt(len(encode_record(done.terms)) - 1)
    for receipt in (short, short._replace(digest=bytes(32)), short._replace(offset=0)):
        evidence = Evidence(receipts=(receipt,))
        assert spoken(bytes(done.data), evidence) == []
        passed, reasons = checked(bytes(done.data), evidence)
        assert (passed, len(reasons)) == (1, 1)
        assert reasons[0].startswith("receipt[1]: it ends inside the terms")


def test_a_receipt_beyond_the_log_leaves_it_incomplete() -> None:
    """The tail is missing: that is seen, but not who lost it."""
    done = played(4, 1)
    evidence = Evidence(receipts=(done.receipt(len(done.data)),))
    cut = rebuilt(apart(done.records)[: where(done, Close)])
    report = held(cut, evidence)
    assert report.verdict is Verdict.INCOMPLETE
    (found,) = [one for one in report.findings if one.code is Code.RECEIPT_BEYOND]
    assert (found.expected, found.found) == (
        f"a log of at least {len(done.data)} bytes",
        f"{len(cut)} bytes of whole records",
    )
    inside = held(bytes(done.data[:-1]), evidence)
    assert inside.verdict is Verdict.NO_VERDICT
    assert Code.RECEIPT_BEYOND in inside.codes()


def test_a_signed_receipt_counts_by_the_pinned_key_first() -> None:
    """The key that the user trusts decides; else that of the terms; with neither it is as an unsigned one."""
    done, other = played(4, 1, signed=True), all_signed(4, 1)
    receipt = done.receipt(done.lock)
    key = public_key(done.keys[OPERATOR])
    data = bytes(done.data)
    assert spoken(data, Evidence(receipts=(receipt,), keys={OPERATOR: key})) == []
    wrong = public_key(other.keys[1])
    assert spoken(data, Evidence(receipts=(receipt,), keys={OPERATOR: wrong})) == [
        (Code.KEY_OTHER, "terms.key[operator]"),
        (Code.RECEIPT_SIGNATURE, "receipt[1]"),
    ]
    without = played(4, 1)
    bare = without.receipt(without.lock)._replace(signature=bytes(64))
    passed, reasons = checked(bytes(without.data), Evidence(receipts=(bare,)))
    assert (passed, reasons) == (2, ["receipt[1]: its signature cannot be checked without the operator's key"])


def test_a_receipt_signed_for_another_offset_match_or_signer_has_no_weight() -> None:
    """The signature is over terms, signer, offset and digest together."""
    done = all_signed(4, 1)
    good = done.receipt(done.lock)
    key = done.keys[OPERATOR]
    messages = [
        signed_message(bytes(32), OPERATOR, good.offset, good.digest),
        signed_message(good.terms_hash, 1, good.offset, good.digest),
        signed_message(good.terms_hash, OPERATOR, good.offset + 1, good.digest),
        signed_message(good.terms_hash, OPERATOR, good.offset, bytes(32)),
        good.digest,
    ]
    for message in messages:
        evidence = Evidence(receipts=(good._replace(signature=sign(key, message)),))
        assert spoken(bytes(done.data), evidence) == [(Code.RECEIPT_SIGNATURE, "receipt[1]")]


@given(receipts)
@many
def test_no_receipt_crashes_an_audit(receipt: Receipt) -> None:
    """Any lawful receipt beside any log: at most findings."""
    done = all_signed(4, 2)
    data = bytes(done.data)
    assert spoken(data, Evidence(receipts=(receipt,))) == [(Code.RECEIPT_TERMS, "receipt[1]")]
    same = receipt._replace(terms_hash=done.tree.terms)
    codes = {code for code, _ in spoken(data, Evidence(receipts=(same,)))}
    assert codes <= {Code.RECEIPT_BEYOND, Code.RECEIPT_DIGEST, Code.RECEIPT_SIGNATURE}
