"""A match from round to round: seating, first card, leader, exchange, titles, points, and when it is over.

The table that plays and the auditor that judges drive this same class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from fairdeal.cards import THREE_OF_CLUBS
from fairdeal.exchange import Swap, swaps_due
from fairdeal.law import Law
from fairdeal.play import Round
from fairdeal.settings import FirstCard, FirstLeader, LaterLeader, MatchEnd, Rules, Ties, title_class


class Match:
    """The standings between rounds. `ended` counts ended rounds; `finishing` is the last one's order, empty before.

    `totals` and `presidencies` are by seat. Only what `end_round` is told changes them.
    """

    __slots__ = ("ended", "finishing", "law", "presidencies", "rounds", "rules", "seats", "totals")

    def __init__(self, rules: Rules, seats: int, rounds: int) -> None:
        """Start with no round ended; `rounds` is N, after which no further round is possible."""
        self.rules = rules
        self.law = Law(rules)
        self.seats = seats
        self.rounds = rounds
        self.ended = 0
        self.finishing: tuple[int, ...] = ()
        self.totals = [rules.start_points] * seats
        self.presidencies = [0] * seats

    def seating(self) -> tuple[int, ...]:
        """Return the seats clockwise for the next round."""
        if self.rules.reseat and self.finishing:
            return self.finishing
        return tuple(range(self.seats))

    def dealing_order(self) -> tuple[int, ...]:
        """Return the seats by dealing position for the next round, the seat that gets the first card in front."""
        seating = self.seating()
        match self.rules.first_card:
            case FirstCard.FIRST_PLACE:
                first = 0
            case FirstCard.ROTATES:
                first = self.ended % self.seats
            case FirstCard.LEFT_OF_LAST:
                first = (seating.index(self.finishing[-1]) + 1) % self.seats if self.finishing else 0
            case _:
                assert_never(self.rules.first_card)
        return seating[first:] + seating[:first]

    def swaps(self) -> list[Swap]:
        """Return the gifts due before the first play of the next round."""
        return swaps_due(self.rules, self.finishing) if self.finishing else []

    def leader(self, hands: Sequence[bytes | bytearray], dealing_order: Sequence[int]) -> int:
        """Return who leads the next round; `hands` are counted hands by seat, after the exchange."""
        rule = self.rules.later_leader if self.finishing else self.rules.first_leader
        match rule:
            case FirstLeader.THREE_OF_CLUBS | LaterLeader.THREE_OF_CLUBS:
                return next(seat for seat in dealing_order if hands[seat][THREE_OF_CLUBS])
            case FirstLeader.FIRST_DEALT:
                return dealing_order[0]
            case LaterLeader.LAST:
                return self.finishing[-1]
            case LaterLeader.PRESIDENT:
                return self.finishing[0]
            case _:
                assert_never(rule)

    def start_round(self, hands: list[bytearray], dealing_order: Sequence[int]) -> Round:
        """Return the next round, to be played with these counted hands by seat, after the exchange."""
        leader = self.leader(hands, dealing_order)
        return Round(self.law, self.seating(), hands, leader, first=not self.finishing)

    def places(self, finishing: Sequence[int]) -> tuple[int, ...]:
        """Return each seat's finishing place, from 1."""
        return tuple(finishing.index(seat) + 1 for seat in range(self.seats))

    def titles(self, places: Sequence[int]) -> tuple[int, ...]:
        """Return each seat's title class for its finishing place."""
        return tuple(title_class(place - 1, self.seats) for place in places)

    def points(self, places: Sequence[int]) -> tuple[int, ...]:
        """Return each seat's points for its finishing place; zeros where no points are kept."""
        scale = self.rules.points
        return tuple(scale[place - 1] for place in places) if scale else (0,) * self.seats

    def end_round(self, places: Sequence[int] | None, points: Sequence[int]) -> None:
        """Take a finished round into the standings; `places` is a permutation of 1 … seats or None if unknown."""
        self.ended += 1
        if places is not None:
            self.finishing = tuple(sorted(range(self.seats), key=places.__getitem__))
            self.presidencies[self.finishing[0]] += 1
        self.totals = [total + gained for total, gained in zip(self.totals, points, strict=True)]

    def over(self) -> bool:
        """Return whether no further round may be dealt."""
        return self.ended >= self.rounds or (self.ended > 0 and self.reached())

    def may_close(self) -> bool:
        """Return whether the match may close by rule now."""
        return self.over() or (self.rules.match_end is MatchEnd.OPEN and self.ended > 0)

    def reached(self) -> bool:
        """Return whether the rule for the end is met; a target or zero may not be by the last possible round."""
        match self.rules.match_end:
            case MatchEnd.ROUNDS:
                return self.ended >= self.rules.end_at
            case MatchEnd.TARGET:
                return max(self.totals) >= self.rules.end_at
            case MatchEnd.ZERO:
                return min(self.totals) <= 0
            case MatchEnd.OPEN:
                return False  # it only may close, after any round
            case _:
                assert_never(self.rules.match_end)

    def final_places(self) -> tuple[int, ...]:
        """Return each seat's final place from 1, nothing where no points are kept; a shared place is the best one."""
        if not self.rules.points:
            return ()
        keys = [self._standing(seat) for seat in range(self.seats)]
        return tuple(1 + sum(other > key for other in keys) for key in keys)

    def _standing(self, seat: int) -> tuple[int, ...]:
        """Return what ranks a seat at the end, greater is better."""
        match self.rules.ties:
            case Ties.PRESIDENCIES:
                last_round = -self.finishing.index(seat) if self.finishing else 0
                return (self.totals[seat], self.presidencies[seat], last_round)
            case Ties.SHARED | Ties.NONE:
                return (self.totals[seat],)
            case _:
                assert_never(self.rules.ties)
