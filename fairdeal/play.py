"""One round being played: its state, what is wrong with an action, and what an action does.

`Round.fault` is the only judge of an action; `apply` and `legal_actions` follow it. The numbers in the comments are
those of SPEC, "One play", which lists the steps in the order in which the first that fails is the one reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from fairdeal.cards import FACES, common_rank
from fairdeal.codes import Code
from fairdeal.limits import MAX_HEAD_CARDS
from fairdeal.records import BIG_SET, PASS, SET, STRAIGHT, Action, pass_action, set_action

NOBODY = -1


def count_hand(cards: bytes) -> bytearray:
    """Return how many copies of each face `cards` holds: the form in which a round keeps a hand."""
    counts = bytearray(FACES)
    for face in cards:
        counts[face] += 1
    return counts


def hand_cards(counts: bytes | bytearray, low: int = 0, high: int = FACES) -> bytes:
    """Return the cards of a counted hand with faces low … high - 1, ascending, copies side by side."""
    return bytes([face for face in range(low, min(high, FACES)) for _ in range(counts[face])])


class Round:
    """The state of one round. `hands` are counted hands by seat, after the exchange; they change as cards are played.

    `turn` is the seat to act, `count` and `rank` the pile's last play (count 0: a lead), `last` who played it,
    `waiting` how many seats may still answer it. `trick` and `play` count from 1 and name the action to come.
    `finishing` lists the seats that are out, first to last; it is complete once `over`.
    """

    __slots__ = (
        "after",
        "count",
        "finishing",
        "hands",
        "holders",
        "last",
        "over",
        "play",
        "rank",
        "sizes",
        "trick",
        "turn",
        "waiting",
    )

    def __init__(self, seating: Sequence[int], hands: list[bytearray], leader: int) -> None:
        """Start with `leader` on turn; `seating` lists the seats clockwise."""
        self.hands = hands
        self.sizes = list(map(sum, hands))
        self.after = [NOBODY] * len(seating)
        for place, seat in enumerate(seating):
            self.after[seat] = seating[(place + 1) % len(seating)]
        self.holders = len(seating)
        self.finishing: list[int] = []
        self.over = False
        self.trick = self.play = 1
        self.turn = leader
        self.last = NOBODY
        self.count = self.waiting = 0
        self.rank = NOBODY

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
        # 3 one set, in its one encoding
        if rank < 0 or kind != SET or len(cards) > MAX_HEAD_CARDS:
            wrong = _shape_fault(action)
            if wrong is not None:
                return wrong
        # 4 against the pile: the same count, a higher rank
        if count:
            if len(cards) != count:
                return Code.COUNT
            if rank <= self.rank:
                return Code.TOO_LOW
        return None

    def apply(self, action: Action) -> None:
        """Carry out an action in which `fault` finds nothing."""
        seat = action.seat
        self.play += 1
        if action.kind == PASS:
            self.waiting = waiting = self.waiting - 1
            if waiting:
                self.turn = self.after[seat]
            else:
                self._end_trick()
            return
        cards = action.cards
        # 5 the cards leave the hand
        hand = self.hands[seat]
        for face in cards:
            hand[face] -= 1
        self.count = count = len(cards)
        self.rank = action.rank
        self.last = seat
        self.sizes[seat] = left = self.sizes[seat] - count
        self.waiting = self.holders - 1
        # 11 the next actor
        self.turn = self.after[seat]
        # 6 the finishing place; 9 one holder left: the round is over
        if not left:
            self._go_out(seat)

    def step(self, action: Action) -> Code | None:
        """Return what is wrong with `action`; when nothing is, carry it out first."""
        code = self.fault(action)
        if code is None:
            self.apply(action)
        return code

    def _go_out(self, seat: int) -> None:
        """Give `seat` the next finishing place and take it out of the turn order; the last holder ends the round."""
        self.finishing.append(seat)
        self.holders -= 1  # all of them may still answer, which is what `waiting` says already
        before = seat
        while self.after[before] != seat:
            before = self.after[before]
        self.after[before] = self.after[seat]
        if self.holders == 1:
            self.finishing.append(before)
            self.turn = NOBODY
            self.over = True

    def _end_trick(self) -> None:
        """Clear the pile. 12 its winner leads, or the next holder clockwise if the winner is out."""
        self.trick += 1
        self.play = 1
        self.turn = self.last if self.sizes[self.last] else self.after[self.last]
        self.count = 0
        self.rank = self.last = NOBODY

    def legal_actions(self) -> list[Action]:
        """Return every action in which `fault` finds nothing: the pass first, then sets by rank, size and cards."""
        if self.over:
            return []
        passing = [pass_action(self.turn)] if self.count else []
        return passing + [set_action(self.turn, cards) for cards in self._sets() if self._beats(cards)]

    def _sets(self) -> Iterator[bytes]:
        """Yield every set the seat on turn could lay down by its hand alone."""
        hand = self.hands[self.turn]
        for low in range(0, FACES, 4):
            held = hand_cards(hand, low, low + 4)
            for size in range(1, len(held) + 1):
                yield from sorted({bytes(cards) for cards in combinations(held, size)})

    def _beats(self, cards: bytes) -> bool:
        return not self.count or (len(cards) == self.count and cards[0] >> 2 > self.rank)


def _shape_fault(action: Action) -> Code | None:
    """Return what is wrong with the shape of a play, whatever the pile."""
    if action.kind == STRAIGHT:
        return Code.STRAIGHT
    if common_rank(action.cards) < 0:
        return Code.NOT_A_SET
    small = len(action.cards) <= MAX_HEAD_CARDS
    return Code.ENCODING if action.rank < 0 or (action.kind == BIG_SET) == small else None
