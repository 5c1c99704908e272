"""What one seat, or somebody who only watches, may see of a running match: nothing hidden, in no field."""

from __future__ import annotations

from dataclasses import dataclass

from fairdeal.evidence import Receipt
from fairdeal.hands import hand_cards
from fairdeal.law import NATURAL
from fairdeal.legal import legal_shapes
from fairdeal.records import Action, Exchange, Terms
from fairdeal.settings import SeatKind
from fairdeal.table.running import Phase, Running


@dataclass(frozen=True, slots=True)
class Gift:
    """A gift of the exchange: how many cards went where, and which ones for its two seats."""

    giver: int
    receiver: int
    size: int
    cards: bytes | None


@dataclass(frozen=True, slots=True)
class RoundResult:
    """An ended round, each tuple by seat: finishing places from 1, title classes, points; and its revealed seed."""

    places: tuple[int, ...]
    titles: tuple[int, ...]
    points: tuple[int, ...]
    seed: bytes


@dataclass(frozen=True, slots=True)
class View:
    """A match as `seat` sees it now; a spectator (`seat` None) sees the same without hand, cards received and choices.

    `waiting` are the seats that may act; `owed` is how many cards this seat has still to give in the exchange, `legal`
    one lawful action of each kind, rank and size where it is on turn. `dealt` is its hand before the exchange (which is
    what a ticket and the seed lead to), `hand` what it holds now, both ascending. `sizes` says how many cards each seat
    holds, `acted` lists all actions of the round and `trick_start` where its running trick begins; `turned` says that
    the order of the ranks is turned over. `finishing` are the seats that are out, without those that went out on a card
    that costs the place. `players` are who plays each seat now. `receipt` is of the log up to here.
    """

    seat: int | None
    terms: Terms
    commitment: bytes
    phase: Phase
    waiting: tuple[int, ...]
    round: int
    dealing_order: tuple[int, ...]
    players: tuple[SeatKind, ...]
    dealt: bytes | None
    hand: bytes | None
    owed: int
    legal: tuple[Action, ...]
    gifts: tuple[Gift, ...]
    sizes: tuple[int, ...]
    acted: tuple[Action, ...]
    trick_start: int
    turned: bool
    finishing: tuple[int, ...]
    results: tuple[RoundResult, ...]
    totals: tuple[int, ...]
    final_places: tuple[int, ...]
    receipt: Receipt


def view_of(running: Running, seat: int | None, receipt: Receipt) -> View:
    """Return what `seat` may see, or with None what everybody may."""
    state, exchange = running.round, running.exchange
    hands = state.hands if state is not None else exchange.hands if exchange is not None else None
    waiting = running.waiting_for()
    own = hands is not None and seat is not None
    owed = 0
    if exchange is not None:
        owed = sum(swap.size for swap in exchange.due if swap.giver == seat)
    return View(
        seat=seat,
        terms=running.terms,
        commitment=running.commitment,
        phase=running.phase(),
        waiting=waiting,
        round=running.number,
        dealing_order=running.order,
        players=tuple(running.control.players),
        dealt=running.dealt[seat] if own and seat is not None else None,
        hand=hand_cards(hands[seat]) if hands is not None and seat is not None else None,
        owed=owed,
        legal=tuple(legal_shapes(state)) if state is not None and seat == state.turn else (),
        gifts=tuple(_gift(gift, seat) for gift in running.gifts),
        sizes=_sizes(running),
        acted=tuple(running.acted),
        trick_start=running.trick_start,
        turned=state is not None and state.order is not NATURAL,
        finishing=tuple(state.finishing) if state is not None else (),
        results=tuple(RoundResult(end.places, end.titles, end.points, end.seed) for end in running.ended),
        totals=tuple(running.match.totals),
        final_places=running.close.places if running.close is not None else (),
        receipt=receipt,
    )


def _sizes(running: Running) -> tuple[int, ...]:
    """Return how many cards each seat holds, nothing between rounds."""
    if running.round is not None:
        return tuple(running.round.sizes)
    return tuple(map(sum, running.exchange.hands)) if running.exchange is not None else ()


def _gift(gift: Exchange, seat: int | None) -> Gift:
    """Return a gift as `seat` sees it: with the cards only where it gave or received them."""
    concerned = seat in (gift.giver, gift.receiver)
    return Gift(gift.giver, gift.receiver, len(gift.cards), gift.cards if concerned else None)
