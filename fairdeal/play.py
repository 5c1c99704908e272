"""One round being played: its state, what is wrong with an action, and what an action does.

`Round.fault` is the only judge of an action; `apply` and `legal.legal_actions` follow it. The numbers in the comments
are those of SPEC, "One play", which lists the steps in the order in which the first that fails is the one reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from enum import StrEnum

from fairdeal.cards import FIRST_JOKER, JOKER_RANK, THREE_OF_CLUBS, TWO
from fairdeal.codes import Code
from fairdeal.law import HIGHEST, NATURAL, STRAIGHT_RANK, TURNED, Law
from fairdeal.records import PASS, STRAIGHT, Action

NOBODY = -1


class Closing(StrEnum):
    """Why a pile was cleared."""

    PASSES = "passes"  # everybody else passed or was skipped
    TWOS = "twos"
    BURN = "burn"
    COMPLETED = "completed rank"
    SWEEP = "sweep"


class Round:
    """The state of one round. `hands` are counted hands by seat, after the exchange; they change as cards are played.

    `turn` is the seat to act; `count` and `rank` (`Law.rank_of`) are those of the pile's last play (count 0: a lead),
    `last` who played it, `waiting` how many seats may still answer it, `skipped` who missed its turn because of it.
    `trick` and `play` count from 1 and name the action to come. `order` is the strength of the ranks now, `closing` why
    the last trick closed, or what a seat's last cards did to the pile. `finishing` lists the seats that are out, first
    to last; it is complete once `over`, and only then holds those that `dropped`.
    """

    __slots__ = (
        "active",
        "after",
        "closing",
        "count",
        "dropped",
        "eventful",
        "finishing",
        "first",
        "hands",
        "holders",
        "laid",
        "last",
        "law",
        "order",
        "over",
        "play",
        "rank",
        "ring",
        "sizes",
        "skipped",
        "strength",
        "trick",
        "turn",
        "waiting",
    )

    def __init__(
        self, law: Law, seating: Sequence[int], hands: list[bytearray], leader: int, *, first: bool = False
    ) -> None:
        """Start with `leader` on turn; `seating` lists the seats clockwise, `first` says it is the match's first."""
        self.law = law
        self.eventful = law.eventful
        self.hands = hands
        self.sizes = list(map(sum, hands))
        self.ring = [NOBODY] * len(seating)  # the next seat clockwise that holds cards
        for place, seat in enumerate(seating):
            self.ring[seat] = seating[(place + 1) % len(seating)]
        self.after = self.ring.copy() if law.locks else self.ring  # the next one that may act in this trick
        self.holders = self.active = len(seating)  # how many are in the one ring and in the other
        self.first = first
        self.finishing: list[int] = []
        self.dropped: list[int] = []
        self.over = False
        self.trick = self.play = 1
        self.turn = leader
        self.order = NATURAL
        self.closing: Closing | None = None
        self.last = self.skipped = self.rank = self.strength = NOBODY
        self.count = self.waiting = 0
        self.laid = bytearray(JOKER_RANK + 1)  # natural cards of each rank in the pile's sets, where that matters

    def fault(self, action: Action) -> Code | None:
        """Return what is wrong with `action` now, or None; changes nothing."""
        kind, seat, count = action.kind, action.seat, self.count
        # 0 the round is not over (nobody is on turn then); 1 the actor is on turn; a pass only off the lead
        if seat != self.turn:
            return Code.ROUND_OVER if self.over else Code.TURN
        if kind == PASS:
            return None if count else Code.PASS_ON_LEAD
        cards, rank = action.cards, action.rank
        # 2 the cards are held, every copy of them
        hand = self.hands[seat]
        for face in cards:
            if hand[face] < cards.count(face):
                return Code.NOT_HELD
        # 3 one set or straight, in its one encoding
        if rank < 0:
            wrong = self.law.shape_fault(action)
            if wrong is not None:
                return wrong
            rank = self.law.rank_of(action)
        # 4 against the pile; on the first play of a match perhaps the three of clubs
        if not count:
            return Code.FIRST_PLAY if self.wants_three() and THREE_OF_CLUBS not in cards else None
        if self.order[rank] > self.strength and len(cards) == count and kind != STRAIGHT:
            return None
        return self._pile_fault(rank, len(cards))

    def wants_three(self) -> bool:
        """Return whether the action to come is the first of the match, which has to hold the 3♣."""
        return self.trick == 1 and not self.count and self.first and self.law.first_play_3c

    def _pile_fault(self, rank: int, count: int) -> Code | None:
        """Return what is wrong with a play on this pile that is not simply higher."""
        if (rank >= STRAIGHT_RANK) != (self.rank >= STRAIGHT_RANK):
            return Code.KIND
        if self._ignores_count(rank, count):
            return None
        if self.law.wild_twos and rank == self.rank == TWO:
            return None if count > self.count else Code.TOO_LOW
        if count != self.count:
            return Code.COUNT
        higher = self.order[rank] > self.strength
        return None if higher or (rank == self.rank and self.matchable(rank, count)) else Code.TOO_LOW

    def _ignores_count(self, rank: int, count: int) -> bool:
        """Return whether these cards beat the set on the pile whatever its count."""
        law = self.law
        if rank == JOKER_RANK and count == 1:
            standing = self.rank == JOKER_RANK and self.count == 1
            return law.joker_sweeps or (law.joker_trumps and not standing)
        if rank != TWO or self.rank == JOKER_RANK:
            return False
        return (law.one_two_beats and count == 1) or (law.wild_twos and self.rank != TWO and count <= self.count)

    def matchable(self, rank: int, count: int) -> bool:
        """Return whether `count` cards of this rank may be met with as many of the same."""
        law = self.law
        if rank >= STRAIGHT_RANK or not law.matches:
            return False
        if rank == JOKER_RANK and count == 1 and law.joker_trumps:
            return False
        return law.top_matchable or self.order[rank] < HIGHEST

    def apply(self, action: Action) -> None:
        """Carry out an action in which `fault` finds nothing."""
        seat = action.seat
        self.play += 1
        if action.kind == PASS:
            # 11 the next actor, or the end of the trick
            if self.after is not self.ring:
                self._lock(seat)
            self.waiting = waiting = self.waiting - 1
            if waiting:
                self.turn = self.after[seat]
            else:
                self._end_trick()
            return
        cards, rank = action.cards, action.rank
        if rank < 0:
            rank = self.law.rank_of(action)
        # 5 the cards leave the hand
        hand = self.hands[seat]
        for face in cards:
            hand[face] -= 1
        count = len(cards)
        self.sizes[seat] = left = self.sizes[seat] - count
        self.waiting = self.active - 1
        # 11 the next actor
        self.turn = self.after[seat]
        # 6 the finishing place
        if not left:
            self._go_out(seat, cards)
        # 7 a revolution, 8 what closes the trick, 10 a skip: only where the rules know of any
        if self.eventful:
            self._effects(seat, cards, rank)
        self.count = count
        self.rank = rank
        self.strength = self.order[rank]
        self.last = seat
        # 9 one holder left: the round is over; 11 nobody left to answer: the trick is
        if not left and self.holders == 1:
            self._end_round()
        elif not self.waiting:
            self._end_trick()

    def copy(self) -> Round:
        """Return a round in the same state that goes on by itself."""
        other = copy(self)
        other.hands = [hand.copy() for hand in self.hands]
        other.sizes, other.ring, other.laid = self.sizes.copy(), self.ring.copy(), self.laid.copy()
        other.after = other.ring if self.after is self.ring else self.after.copy()
        other.finishing, other.dropped = self.finishing.copy(), self.dropped.copy()
        return other

    def step(self, action: Action) -> Code | None:
        """Return what is wrong with `action`; when nothing is, carry it out first."""
        code = self.fault(action)
        if code is None:
            self.apply(action)
        return code

    def _lock(self, seat: int) -> None:
        """Let `seat` sit out the rest of the trick."""
        _unlink(self.after, seat)
        self.active -= 1

    def _go_out(self, seat: int, cards: bytes) -> None:
        """Give `seat` its finishing place, a bad one where the rules punish a last 2 or joker; it acts no more."""
        (self.dropped if self.law.drops and max(cards) >= 4 * TWO else self.finishing).append(seat)
        self.holders -= 1
        self.active -= 1  # all of these may still answer, which is what `waiting` says already
        self.closing = None
        _unlink(self.ring, seat)
        if self.after is not self.ring:
            _unlink(self.after, seat)

    def _effects(self, seat: int, cards: bytes, rank: int) -> None:
        """Turn the order over, close the trick or skip a seat, as this play on the pile does under these rules."""
        law, count = self.law, len(cards)
        matched = law.matches and rank == self.rank and count == self.count
        # 7 four of a rank, wild jokers among them; the pile is read under the new order from here on
        if count >= 4 and law.revolts and rank < JOKER_RANK:
            self.order = TURNED if self.order is NATURAL else NATURAL
        # 8 the first of these, noted also where the round ends
        completed = law.completes and rank <= JOKER_RANK and self._completes(cards, rank)
        closing = None
        if rank == TWO and law.twos_clear:
            closing = Closing.TWOS
        elif matched and law.burns:
            closing = Closing.BURN
        elif completed:
            closing = Closing.COMPLETED
        elif rank == JOKER_RANK and count == 1 and law.joker_sweeps and self.sizes[seat]:
            closing = Closing.SWEEP
        self.closing = closing
        self.skipped = NOBODY
        if closing is not None:
            self.waiting = 0
        # 10 the next seat misses its turn, under some rules only if it cannot match either
        elif matched and self.waiting and self.holders > 1 and self._misses_turn(rank, count):
            self.skipped = self.turn
            self.turn = self.after[self.turn]
            self.waiting -= 1

    def _completes(self, cards: bytes, rank: int) -> bool:
        """Take the natural cards of a set into account; return whether they complete their rank on this pile."""
        natural = len(cards)
        if rank != JOKER_RANK and cards[-1] >= FIRST_JOKER:
            natural -= sum(face >= FIRST_JOKER for face in cards)
        before = self.laid[rank]
        self.laid[rank] = laid = before + natural
        return laid >= self.law.full[rank] and (before > 0 or not self.law.several)

    def _misses_turn(self, rank: int, count: int) -> bool:
        """Return whether a match of `count` cards makes the seat on turn miss it: always, or if it has none itself."""
        law, hand = self.law, self.hands[self.turn]
        if law.skips_always:
            return True
        natural = sum(hand[4 * rank : 4 * rank + 4])
        jokers = sum(hand[FIRST_JOKER:]) if law.wild and rank != JOKER_RANK else 0
        return not (self.matchable(rank, count) and natural > 0 and natural + jokers >= count)

    def _end_round(self) -> None:
        """Give the last holder the place that is left: below the clean finishers, above those that dropped."""
        holder = next(seat for seat, size in enumerate(self.sizes) if size)
        self.finishing += [holder, *reversed(self.dropped)]
        self.turn = NOBODY
        self.over = True

    def _end_trick(self) -> None:
        """Clear the pile. 12 its winner leads, or the next holder clockwise if the winner is out."""
        self.closing = self.closing or Closing.PASSES
        self.trick += 1
        self.play = 1
        self.turn = self.last if self.sizes[self.last] else self.ring[self.last]
        self.count = 0
        self.rank = self.last = self.strength = NOBODY
        if self.after is not self.ring:
            self.after = self.ring.copy()
            self.active = self.holders
        if self.eventful:
            self.laid = bytearray(JOKER_RANK + 1)
            if self.law.revolts_for_a_trick:
                self.order = NATURAL


def _unlink(ring: list[int], seat: int) -> None:
    """Take `seat` out of a ring of seats; its own entry still says who came after it."""
    before = seat
    while ring[before] != seat:
        before = ring[before]
    ring[before] = ring[seat]
