"""A player's check of one dealt hand by ticket and revealed seed, without the log (SPEC, "Verifying a ticket")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from fairdeal.cards import format_cards, fresh_cards
from fairdeal.codes import Code
from fairdeal.commit import fingerprint, transcript
from fairdeal.deal import deal_hands
from fairdeal.evidence import Ticket
from fairdeal.report import Judgement, Report, Step, Summary
from fairdeal.shuffle import Draw, deck_order, deck_stream, shuffle_steps

UNCHECKED = (
    "the rules: only an audit of the log checks exchange, plays and scores",
    "the dealing position {position} of seat {seat}: it is the ticket's word",
    "who else contributed, and when: only an audit compares the values with what was sealed before yours was open",
)


class Dealing(NamedTuple):
    """What a ticket and a seed lead to: C, T, and the hands by dealing position in the order dealt."""

    commitment: bytes
    transcript: bytes
    hands: tuple[bytes, ...]


def dealing_of(ticket: Ticket, seed: bytes) -> Dealing:
    """Return what `ticket` and `seed` lead to, whether or not the seed is the one the ticket fixed."""
    commitment = ticket.commitment()
    mixed = transcript(ticket.terms_hash, commitment, ticket.contributions)
    order = deck_order(seed, mixed, ticket.round, fresh_cards(ticket.packs, ticket.jokers))
    return Dealing(commitment, mixed, deal_hands(order, len(ticket.contributions)))


def steps_of(ticket: Ticket, seed: bytes) -> list[Draw]:
    """Return every draw of the shuffle that `ticket` and `seed` lead to, rejected ones included."""
    stream = deck_stream(seed, dealing_of(ticket, seed).transcript, ticket.round)
    return list(shuffle_steps(fresh_cards(ticket.packs, ticket.jokers), stream))


def verify_hand(
    ticket: Ticket,
    seed: bytes,
    cards: bytes | None = None,
    contribution: bytes | None = None,
    commitments: Collection[bytes] = (),
) -> Report:
    """Return the report on one hand; its summary's commitment is the C to compare with the published one.

    `cards` are what the player was dealt, in any order; without them the hand is stated and the verdict incomplete.
    `contribution` is what the player's own seat gave, `commitments` are published values that C must equal.
    """
    judge = Judgement()
    dealing = dealing_of(ticket, seed)
    mark = fingerprint(ticket.terms_hash, ticket.round, seed)
    fits = judge.compare(Step.SEEDS, Code.TICKET_FINGERPRINT, "seed", ticket.fingerprint, mark)
    for value in commitments:
        judge.compare(Step.COMMITMENT, Code.COMMITMENT_OTHER, "commitment", value, dealing.commitment)
    if not commitments:
        judge.skipped(Step.COMMITMENT, "compare it yourself with the one published before the match")
    if contribution is None and ticket.contributions[ticket.seat]:
        judge.skipped(Step.CONTRIBUTIONS, "your own contribution was not given: compare it with the ticket's")
    if contribution is not None:
        mixed = ticket.contributions[ticket.seat]
        judge.compare(Step.CONTRIBUTIONS, Code.CONTRIBUTION_OTHER, "contribution", contribution, mixed)
    hand = dealing.hands[ticket.position]
    if not fits:
        judge.skipped(Step.DEALS, "the hand that a seed leads to means nothing where it is not the ticket's seed")
    elif cards is None:
        judge.fault(Step.DEALS, Code.NOT_COMPARED, "cards", "the cards you were dealt", "none given to compare")
    else:
        _compare_cards(bytes(sorted(hand)), bytes(sorted(cards)), judge)
    unchecked = tuple(text.format(position=ticket.position, seat=ticket.seat) for text in UNCHECKED)
    return Report(tuple(judge.findings), tuple(judge.tallies.items()), (), unchecked, _summary(ticket, dealing))


def _compare_cards(dealt: bytes, given: bytes, judge: Judgement) -> None:
    """Compare the cards that were dealt with those a player says it had, and name the ones that differ."""
    if dealt == given:
        judge.passed(Step.DEALS)
        return
    missing, extra = Counter(dealt) - Counter(given), Counter(given) - Counter(dealt)
    reasons = [f"count: {len(given)} cards given, {len(dealt)} dealt"] if len(given) != len(dealt) else []
    reasons += [f"missing: {format_cards(missing.elements())}"] if missing else []
    reasons += [f"not dealt: {format_cards(extra.elements())}"] if extra else []
    expected, found = format_cards(dealt), format_cards(given)
    judge.fault(Step.DEALS, Code.CARDS_OTHER, "cards", expected, found, tuple(reasons))


def _summary(ticket: Ticket, dealing: Dealing) -> Summary:
    return Summary(
        terms_hash=ticket.terms_hash.hex(),
        seats=tuple(f"seat {seat}" for seat in range(len(ticket.contributions))),
        rounds=ticket.rounds,
        commitment=dealing.commitment.hex(),
    )


def fits_ticket(ticket: Ticket, seed: bytes) -> bool:
    """Return whether `seed` is the one that the ticket fixed."""
    return fingerprint(ticket.terms_hash, ticket.round, seed) == ticket.fingerprint


def hand_of(ticket: Ticket, seed: bytes) -> bytes:
    """Return the cards of the ticket's own hand, ascending."""
    return bytes(sorted(dealing_of(ticket, seed).hands[ticket.position]))
