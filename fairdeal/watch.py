"""An auditor's look at who acted in a round and when: clock marks, seat events, and bots whose choices are claimed."""

from __future__ import annotations

from typing import Final

from fairdeal.codes import Code
from fairdeal.control import Control
from fairdeal.exchange import Exchanging, Swap
from fairdeal.play import Round
from fairdeal.records import UNTIMED, Action, Exchange, Timing
from fairdeal.report import Judgement, Step
from fairdeal.structure import Happening, RoundPart
from fairdeal.wording import describe_action, describe_event, describe_gift, expected_control, expected_event

_STEP: Final = Step.CONTROL


class Watch:
    """Follows one round with the control of its match; moves are its gifts and then its actions, counted from 0."""

    __slots__ = ("_control", "_events", "_judge", "_marked", "_next", "_part", "_place", "_seen", "_told")

    def __init__(self, part: RoundPart, place: str, control: Control, judge: Judgement) -> None:
        """Start before the first move; `control` has started the round."""
        self._part = part
        self._place = place
        self._control = control
        self._judge = judge
        self._events: list[Happening] = part.events
        self._next = 0  # of the events
        self._seen = 0  # moves that were judged
        self._marked = part.marked()
        self._told = False  # that a mark is missing or too many

    def gift(self, number: int, gift: Exchange, state: Exchanging, *, lawful: bool) -> None:
        """Judge a gift before it changes hands; of a tribute of wrong cards, which does so too, only its mark."""
        self._events_before(number)
        self._seen += 1
        timing = self._part.timing.get(number, UNTIMED)
        swap = state.wanted(gift)
        if swap is None:
            raise ValueError("a gift that is not due")
        where = f"{self._place}.exchange[{number + 1}]"
        self._mark(timing, where, wanted=self._marked and not swap.tribute)
        if lawful:
            self._given(gift, timing, swap, state.hands[gift.giver], where)
        self._control.decided(gift.giver, timing)

    def _given(self, gift: Exchange, timing: Timing, swap: Swap, hand: bytes | bytearray, where: str) -> None:
        code = self._control.gift_fault(gift, timing, swap, hand)
        if code is None:
            self._judge.passed(_STEP)
            return
        expected = expected_control(code, gift.giver, self._control)
        if code is Code.BOT_CHOICE:
            expected = describe_gift(Exchange(gift.giver, gift.receiver, self._control.bot_gift(swap, hand)))
        self._judge.fault(_STEP, code, where, expected, self._found(code, timing, describe_gift(gift)))

    def action(self, index: int, action: Action, state: Round) -> None:
        """Judge a lawful action, the round's `index`-th from 0, before it is carried out."""
        number = len(self._part.gifts) + index
        self._events_before(number)
        self._seen += 1
        timing = self._part.timing.get(number, UNTIMED)
        where = f"{self._place}.trick[{state.trick}].play[{state.play}]"
        self._mark(timing, where, wanted=self._marked)
        code = self._control.action_fault(action, timing, state)
        if code is None:
            self._judge.passed(_STEP)
        else:
            expected = expected_control(code, action.seat, self._control)
            if code is Code.BOT_CHOICE:
                expected = describe_action(self._control.bot_action(state))
            self._judge.fault(_STEP, code, where, expected, self._found(code, timing, describe_action(action)))
        self._control.decided(action.seat, timing)

    def finish(self) -> None:
        """Judge the seat events that are left, after the last move or after a fault that ended the judging of moves."""
        left = self._part.moves() - self._seen
        claimed = any(map(self._control.plays_by_policy, range(len(self._control.players))))
        self._events_before(None)
        if left and (claimed or self._part.timing):
            self._judge.skipped(_STEP, f"{self._place}: its last {left} moves, since the hands are unknown")

    def _events_before(self, number: int | None) -> None:
        """Judge the events that stand before move `number`, or all that are left."""
        while self._next < len(self._events) and (number is None or self._events[self._next].after <= number):
            event, timing = self._events[self._next].event, self._events[self._next].timing
            self._next += 1
            where = f"{self._place}.event[{self._next}]"
            self._mark(timing, where, wanted=self._marked)
            code = self._control.event_fault(event)
            if code is None:
                self._judge.passed(_STEP)
                self._control.apply_event(event)
            else:
                self._judge.fault(_STEP, code, where, expected_event(event, self._control), describe_event(event))
            self._control.pass_time(timing)

    def _mark(self, timing: Timing, where: str, *, wanted: bool) -> None:
        """Note the first record of the round that lacks a mark, or has one that it should not have."""
        if (timing.tenths is not None) == wanted or self._told:
            return
        self._told = True
        expected, found = ("a clock mark", "none") if wanted else ("no clock mark before a tribute", "one")
        self._judge.fault(_STEP, Code.CLOCK_MARK, where, expected, found)

    def _found(self, code: Code, timing: Timing, what: str) -> str:
        """Return what was done, by the clock or not, and for the codes on time after how long."""
        done = what if timing.acted_for is None else f"{what}, by the clock for seat {timing.acted_for}"
        if code in (Code.CLOCK_EARLY, Code.CLOCK_OVERRUN):
            return f"{done}, {self._control.now + (timing.tenths or 0)} tenths of a second after the deal"
        return done
