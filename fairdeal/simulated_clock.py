"""Time and absences in a simulated match: how long people think, when they are too late, and who loses the connection.

Everything is drawn from a stream of its own, so that hands and plays are those of the same plan without a clock up to
the first turn that the clock or a bot takes over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairdeal.bots import LEVELS
from fairdeal.control import Control
from fairdeal.draws import Draws
from fairdeal.errors import Misuse
from fairdeal.exchange import Swap
from fairdeal.records import UNTIMED, Presence, Record, SeatEvent, Timing, timed
from fairdeal.settings import SeatKind

LATE: Final = 9  # one turn of a person in so many runs out of time
LATE_TO_GIVE: Final = 4  # one return in so many does
JUST: Final = 40  # one takes all the time there is, and not more
EVENTS: Final = 30  # before one turn in so many something happens to a seat
LEAVES: Final = 8  # one absence in so many is for good
QUICK: Final = 12  # tenths of a second in which a bot has moved
THOUGHT: Final = 90  # tenths of a second that a person mostly takes at most


class SimulatedClock:
    """The marks of a simulated match; `control` knows who plays which seat and how much of a turn is gone."""

    __slots__ = ("_control", "_draws")

    def __init__(self, control: Control, draws: Draws) -> None:
        """Start with the clock of `control`; raises `Misuse` where its rules have none."""
        if not control.limit:
            raise Misuse("the rules have no clock", hint="give a turn its time: --set turn_seconds=30")
        self._control = control
        self._draws = draws

    def happenings(self) -> Iterator[Record]:
        """Yield what happens to a seat now, carried out: at times somebody is cut off, returns or leaves.

        It happens within the time that is left for the turn, so that the turn can still be made in it.
        """
        control, draws = self._control, self._draws
        if draws.below(EVENTS):
            return
        open_to = [seat for seat, person in enumerate(control.people) if person and not control.left[seat]]
        if not open_to:
            return
        seat = draws.choose(open_to)
        drawn = draws.choose(LEVELS)
        level = control.stand_ins[seat] or drawn
        if not draws.below(LEAVES):
            event = SeatEvent(seat, Presence.LEFT, level)
        elif control.players[seat] is SeatKind.HUMAN:
            event = SeatEvent(seat, Presence.DISCONNECTED, level)
        else:
            event = SeatEvent(seat, Presence.RETURNED, SeatKind.HUMAN)
        timing = Timing(draws.below(max(1, min(self._left_of(control.since), THOUGHT))), None)
        control.apply_event(event)
        control.pass_time(timing)
        yield timed(timing, event)

    def for_action(self, seat: int) -> Timing:
        """Return how long `seat` takes for its action, and whether the clock acts for it."""
        return self._timing(seat, self._control.since, LATE)

    def for_gift(self, swap: Swap) -> Timing:
        """Return the same for a return, whose time runs from the deal; a tribute takes none."""
        return UNTIMED if swap.tribute else self._timing(swap.giver, 0, LATE_TO_GIVE)

    def _left_of(self, since: int) -> int:
        return self._control.limit + since - self._control.now

    def _timing(self, seat: int, since: int, late: int) -> Timing:
        draws, left = self._draws, self._left_of(since)
        if self._control.players[seat] is not SeatKind.HUMAN:
            return Timing(1 + draws.below(QUICK), None)
        if left < 0 or not draws.below(late):
            return Timing(max(left, 0) + draws.below(2), seat)
        if not draws.below(JUST):
            return Timing(left, None)
        return Timing(draws.below(min(left, THOUGHT) + 1), None)
