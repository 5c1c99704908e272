"""How a hard bot weighs what it could do: what is left of its hand after a play, and who could beat that play.

Everything is counted in whole numbers from what the seat may see, as SPEC, "Bots", lists it step by step. The figures
below are from matches of hard against medium bots; another set of them would be another policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from fairdeal.cards import ACE, FIRST_JOKER, JOKER_RANK, TWO
from fairdeal.law import NATURAL, STRAIGHT_RANK, TURNED, Law, Order
from fairdeal.play import Round
from fairdeal.records import PASS, STRAIGHT, Action
from fairdeal.view import Seen

OUT: Final = -100_000  # to go out is better than anything
PUNISHED: Final = 50_000  # to go out on a 2 or joker that costs the place is worse than any pass
ONLY_PUNISHED: Final = 10_000  # so is to keep nothing but such cards
LAST_PLAIN: Final = 120  # every such card is a burden once there is only one rank beside them
RUN_OUT: Final = 4_000  # sure of the lead, with at most one set left that is not
SET_LEFT: Final = 40  # a set that may be beaten still needs a lead,
THREAT_LEFT: Final = 2  # the more of one the more there is that beats it
CONTROL: Final = 24  # a set that nobody can beat is worth as much
LEAD: Final = 36  # the lead, to a hand that is nearly through:
NEARLY_THROUGH: Final = 1  # it has at most so many more sets to lead than sets that win the lead
SPARE_LEAD: Final = 16  # the lead, to any other
URGENT: Final = 48  # the lead, more than that, where the seat of the last play is nearly out
NEARLY_OUT: Final = 2
HELPED: Final = 3  # for each threat, up to
MOST_HELPED: Final = 20  # threats, where they let a seat go out
CARD: Final = 4  # to be rid of a card


class Worth(NamedTuple):
    """What sets cost that are left: `cost` in all, how many may be `beaten`, and how many are `sure` of a trick."""

    cost: int
    beaten: int
    sure: int


_NOTHING: Final = Worth(0, 0, 0)


class Outlook:
    """The hands under one order of the ranks: what threatens a set, and what the sets of the own hand are worth."""

    __slots__ = ("biggest", "held", "law", "order", "state", "total", "unseen", "worths")

    def __init__(self, state: Round, order: Order, held: Sequence[int], unseen: Sequence[int], biggest: int) -> None:
        """Look at `held` and `unseen`, cards by rank, where no other hand is larger than `biggest`."""
        self.state = state
        self.law: Law = state.law
        self.order = order
        self.held = held
        self.unseen = unseen
        self.biggest = biggest
        self.worths: dict[tuple[int, int], Worth] = {}
        self.total = self.left({})

    def threat(self, rank: int, count: int) -> int:
        """Return four for every rank that may beat a set (SPEC, "Bots", threat), less where few could hold enough."""
        law, unseen, strength = self.law, self.unseen, self.order[rank]
        if rank == TWO and law.twos_clear:
            return 0
        jokers = unseen[JOKER_RANK]
        if rank == JOKER_RANK:
            if count == 1 and law.joker_as_two:
                return self.threat(TWO, 1)
            if count == 1 and law.joker_sweeps:
                return 0
        threat = 0
        if count <= self.biggest:
            lent = jokers if law.wild else 0
            for other in range(TWO + 1):
                if unseen[other] and self.order[other] > strength:
                    threat += _chance(unseen[other] + lent, count)
            if self.state.matchable(rank, count):
                threat += _chance(unseen[rank], count)
            if rank != JOKER_RANK and not (count == 1 and law.joker_as_two):
                threat += _chance(jokers, count)
        return threat + 4 * self._powers(rank, count)

    def _powers(self, rank: int, count: int) -> int:
        """Return how many kinds of cards beat a set by what the rules say of 2s and lone jokers."""
        law, twos, jokers = self.law, self.unseen[TWO], self.unseen[JOKER_RANK]
        powers = 0
        if twos and rank < TWO and count > 1 and (law.one_two_beats or law.wild_twos):
            powers += 1
        if law.wild_twos and rank == TWO and twos > count:
            powers += 1
        if jokers and count > 1 and (law.joker_trumps or law.joker_sweeps):
            powers += 1
        if jokers and count == 1 and law.joker_as_two and self.order[TWO] > self.order[rank]:
            powers += 1
        return powers

    def worth(self, rank: int, count: int) -> Worth:
        """Return what `count` cards of a rank in the hand are worth."""
        if not count:
            return _NOTHING
        known = self.worths.get((rank, count))
        if known is None:
            if not self.threat(rank, 1):
                known = Worth(-CONTROL * count, 0, count)
            else:
                threat = self.threat(rank, count)
                known = Worth(SET_LEFT + THREAT_LEFT * threat, 1, 0) if threat else Worth(-CONTROL, 0, 1)
            self.worths[rank, count] = known
        return known

    def left(self, played: dict[int, int]) -> Worth:
        """Return what the hand is worth without the cards of `played`, a count by rank."""
        if not played:
            worths = [self.worth(rank, count) for rank, count in enumerate(self.held)]
            return Worth(*map(sum, zip(*worths, strict=True)))
        cost, beaten, sure = self.total
        for rank, count in played.items():
            before, after = self.worth(rank, self.held[rank]), self.worth(rank, self.held[rank] - count)
            cost += after.cost - before.cost
            beaten += after.beaten - before.beaten
            sure += after.sure - before.sure
        return Worth(cost, beaten, sure)


class Tactics:
    """One decision of a hard bot; `penalty` is lowest for what it does."""

    __slots__ = ("biggest", "held", "law", "outlooks", "seen", "smallest", "state", "unseen")

    def __init__(self, seen: Seen) -> None:
        """Count what `seen` shows."""
        self.seen = seen
        self.state = state = seen.state
        self.law: Law = state.law
        self.held = _by_rank(state.hands[seen.seat])
        self.unseen = _by_rank(seen.unseen)
        others = [size for seat, size in enumerate(state.sizes) if seat != seen.seat and size]
        self.smallest, self.biggest = min(others), max(others)
        self.outlooks: dict[Order, Outlook] = {}

    def outlook(self, order: Order) -> Outlook:
        """Return the outlook under an order, made when it is first asked for."""
        if order not in self.outlooks:
            self.outlooks[order] = Outlook(self.state, order, self.held, self.unseen, self.biggest)
        return self.outlooks[order]

    def penalty(self, action: Action) -> int:
        """Return how bad an action is (SPEC, "Bots", penalty); nothing but the comparison of two means anything."""
        state, law, cards = self.state, self.law, action.cards
        if action.kind == PASS:
            return self.outlook(self._later(state.order)).total.cost
        count, rank = len(cards), law.rank_of(action)
        if count == state.sizes[self.seen.seat]:
            return PUNISHED if law.drops and max(cards) >= 4 * TWO else OUT
        order = state.order
        if count >= 4 and law.revolts and rank < JOKER_RANK:
            order = TURNED if order is NATURAL else NATURAL
        played: dict[int, int] = {}
        for face in cards:
            played[face >> 2] = played.get(face >> 2, 0) + 1
        left = self.outlook(self._later(order)).left(played)
        threat = 0 if self._closes(action, rank, count) else self._threat(action, order, rank)
        nearly = left.beaten - left.sure <= NEARLY_THROUGH
        lead = LEAD if nearly else SPARE_LEAD
        if state.count and state.sizes[state.last] <= NEARLY_OUT and self.smallest <= NEARLY_OUT:
            lead += URGENT
        penalty = left.cost - 4 * lead // (4 + threat) - CARD * count
        if not threat and left.beaten <= 1:
            penalty -= RUN_OUT
        if count == self.smallest <= NEARLY_OUT:
            penalty += HELPED * min(threat, MOST_HELPED)
        return penalty + (self._burden(played) if law.drops else 0)

    def _later(self, order: Order) -> Order:
        """Return the order for what is left: that of now, unless it is gone with the trick."""
        return NATURAL if self.law.revolts_for_a_trick else order

    def _threat(self, action: Action, order: Order, rank: int) -> int:
        """Return what threatens a play on the pile; of straights the ranks above are counted."""
        if action.kind != STRAIGHT:
            return self.outlook(order).threat(rank, len(action.cards))
        top, count = rank - STRAIGHT_RANK, len(action.cards)
        if count > self.biggest:
            return 0
        return 4 * (ACE - top if order is NATURAL else top - count + 1)

    def _closes(self, action: Action, rank: int, count: int) -> bool:
        """Return whether a play is the last of its trick, whatever the others hold."""
        state, law = self.state, self.law
        if state.active == 1:
            return True
        if law.burns and rank == state.rank and count == state.count:
            return True
        if not law.completes or action.kind == STRAIGHT:
            return False
        natural = count if rank == JOKER_RANK else sum(face < FIRST_JOKER for face in action.cards)
        before = state.laid[rank]
        return before + natural >= law.full[rank] and (before > 0 or not law.several)

    def _burden(self, played: dict[int, int]) -> int:
        """Return what it costs to keep 2s and jokers where nobody may go out on one."""
        left = [count - played.get(rank, 0) for rank, count in enumerate(self.held)]
        plain = sum(count > 0 for count in left[:TWO])
        if not plain:
            return ONLY_PUNISHED
        return LAST_PLAIN * sum(left[TWO:]) if plain == 1 else 0


def _by_rank(hand: bytes | bytearray) -> list[int]:
    return [sum(hand[4 * rank : 4 * rank + 4]) for rank in range(JOKER_RANK + 1)]


def _chance(cards: int, count: int) -> int:
    """Return in quarters how likely `count` of so many unseen cards of a rank are in one hand; 0 if there are fewer."""
    return max(1, min(4, 4 * (cards - count + 1) // count)) if cards >= count else 0
