"""A player's check of one hand: what ticket and seed lead to, and what is compared with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.cards import format_cards, fresh_cards
from fairdeal.codes import Code
from fairdeal.commit import transcript
from fairdeal.deal import hands_of_round
from fairdeal.errors import Misuse
from fairdeal.evidence import Ticket
from fairdeal.report import Report, Step, Summary, Verdict
from fairdeal.verify import UNCHECKED, dealing_of, hand_of, steps_of, verify_hand
from tests.conftest import SAMPLES, all_signed, played
from tests.strategies import hashes, many, tickets


def seen(report: Report) -> list[tuple[Code, str]]:
    """Return code and place of all findings."""
    return [(one.code, one.place) for one in report.findings]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_ticket_and_its_seed_lead_to_the_hand_that_was_dealt(name: str) -> None:
    """For every ticket: the commitment, the transcript, and the hand the table dealt."""
    done = SAMPLES[name]()
    mixed = transcript(done.tree.terms, done.tree.commitment(), done.contributions)
    rules = done.terms.rules
    for ticket in done.tickets:
        seed = done.tree.seeds[ticket.round - 1]
        order = [one.seat for one in done.tickets if one.round == ticket.round]
        dealt = hands_of_round(seed, mixed, ticket.round, order, rules.packs, rules.jokers_per_pack)
        dealing = dealing_of(ticket, seed)
        assert (dealing.commitment, dealing.transcript) == (done.tree.commitment(), mixed)
        assert dealing.hands[ticket.position] == dealt[ticket.seat]
        hand = hand_of(ticket, seed)
        assert hand == bytes(sorted(dealt[ticket.seat]))
        own = done.contributions[ticket.seat] or None
        report = verify_hand(ticket, seed, dealt[ticket.seat], own, [done.tree.commitment()])
        assert (report.verdict, report.findings) == (Verdict.VERIFIED, ())


def test_without_cards_nothing_is_verified() -> None:
    """However much else fits."""
    done = all_signed()
    ticket = done.tickets[0]
    report = verify_hand(ticket, done.tree.seeds[0], None, done.contributions[ticket.seat], [done.tree.commitment()])
    assert report.verdict is Verdict.INCOMPLETE
    assert seen(report) == [(Code.NOT_COMPARED, "cards")]


def test_every_fault_is_found_at_once() -> None:
    """Seed, commitment and contribution are compared each on its own; a wrong seed leaves no hand to compare."""
    done = all_signed()
    report = verify_hand(done.tickets[0], bytes(32), b"\0", bytes(32), [bytes(32), done.tree.commitment(), b""])
    assert seen(report) == [
        (Code.TICKET_FINGERPRINT, "seed"),
        (Code.COMMITMENT_OTHER, "commitment"),
        (Code.COMMITMENT_OTHER, "commitment"),
        (Code.CONTRIBUTION_OTHER, "contribution"),
    ]
    assert report.verdict is Verdict.REFUTED
    tallies = dict(report.steps)
    assert tallies[Step.COMMITMENT].passed == 1


def test_a_commitment_that_is_not_given_is_not_checked() -> None:
    """The report shows C and says that comparing it is up to the reader."""
    done = played()
    ticket, seed = done.tickets[0], done.tree.seeds[0]
    report = verify_hand(ticket, seed, hand_of(ticket, seed))
    assert report.verdict is Verdict.VERIFIED
    assert dict(report.steps)[Step.COMMITMENT].not_checked == [
        "compare it yourself with the one published before the match"
    ]
    assert report.summary == Summary(
        terms_hash=ticket.terms_hash.hex(),
        seats=("seat 0", "seat 1", "seat 2", "seat 3"),
        rounds=2,
        commitment=done.tree.commitment().hex(),
    )


def test_a_contribution_that_is_not_given_is_not_checked() -> None:
    """Where the seat gave one, the report says that it was not compared; where it owed none there is nothing to say."""
    for done, reasons in ((all_signed(), 1), (played(), 0)):
        ticket, seed = done.tickets[0], done.tree.seeds[0]
        tallies = dict(verify_hand(ticket, seed, hand_of(ticket, seed)).steps)
        assert len(tallies[Step.CONTRIBUTIONS].not_checked) == reasons
        own = done.contributions[ticket.seat] or None
        tallies = dict(verify_hand(ticket, seed, hand_of(ticket, seed), own).steps)
        assert tallies[Step.CONTRIBUTIONS].not_checked == []


def test_what_a_ticket_cannot_show_is_said() -> None:
    """The rules, the position and the other contributors."""
    done = played()
    ticket, seed = done.tickets[3], done.tree.seeds[0]
    report = verify_hand(ticket, seed)
    assert len(report.statements) == len(UNCHECKED) == 3
    assert any(f"position {ticket.position} of seat {ticket.seat}" in one for one in report.statements)
    assert report.guarantees == ()


@pytest.mark.parametrize(
    "field", ["position", "contributions", "fingerprint", "terms_hash", "jokers", "packs", "round"]
)
def test_a_changed_ticket_leads_to_other_cards_or_to_another_commitment(field: str) -> None:
    """Whatever is falsified in a ticket, cards or commitment show it."""
    done = all_signed(4, 2)
    ticket, seed = done.tickets[0], done.tree.seeds[0]
    wrong: Any = {"position": 1, "contributions": (bytes(32),) * 4, "jokers": 2, "packs": 2, "round": 2}.get(
        field, bytes(32)
    )
    changed = replace(ticket, **{field: wrong})
    report = verify_hand(changed, seed, hand_of(ticket, seed), None, [done.tree.commitment()])
    assert report.verdict is Verdict.REFUTED


@given(tickets(), hashes)
@many
def test_any_ticket_and_seed_deal_the_whole_deck(ticket: Ticket, seed: bytes) -> None:
    """Hands are as equal as they can be and add up to the deck; the steps lead to the same order."""
    hands = dealing_of(ticket, seed).hands
    seats = len(ticket.contributions)
    deck = fresh_cards(ticket.packs, ticket.jokers)
    assert len(hands) == seats
    assert sorted(b"".join(hands)) == sorted(deck)
    assert max(map(len, hands)) - min(map(len, hands)) <= 1
    order = bytearray(deck)
    for draw in steps_of(ticket, seed):
        assert draw.accepted == (draw.j <= draw.i)
        if draw.accepted:
            order[draw.i], order[draw.j] = order[draw.j], order[draw.i]
    assert tuple(bytes(order[position::seats]) for position in range(seats)) == hands


def test_a_path_of_the_wrong_length_leads_nowhere() -> None:
    """A ticket made by hand, which no text could hold, is refused."""
    done = played()
    with pytest.raises(Misuse, match="audit path"):
        verify_hand(replace(done.tickets[0], path=()), done.tree.seeds[0])


@given(st.integers(0, 51), st.integers(0, 51))
@many
def test_one_card_exchanged_is_found(mine: int, other: int) -> None:
    """Any card of the hand for any other card; the order does not matter."""
    done = played()
    ticket, seed = done.tickets[0], done.tree.seeds[0]
    hand = list(hand_of(ticket, seed))
    changed = [other if card == mine else card for card in hand]
    report = verify_hand(ticket, seed, bytes(reversed(changed)))
    same = sorted(changed) == hand
    assert (report.verdict is Verdict.VERIFIED) is same
    if not same:
        assert report.findings[0].expected == format_cards(hand)
        assert report.findings[0].found == format_cards(sorted(changed))
