"""The turns of a match with their time, and lies about clock marks: missing ones, and ones too many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, Unpack

from fairdeal.codes import Code
from fairdeal.control import Control
from fairdeal.records import UNTIMED, Actions, Deal, Presence, Record, SeatEvent, Timing, timed
from fairdeal.settings import SeatKind
from fairdeal.vectors.mutators.draft import Draft, parted
from fairdeal.vectors.mutators.going import play_on
from fairdeal.vectors.mutators.lie import Change, GiftSpot, Mutator, Needs, PlaySpot, lie, spots

AT_ONCE: Final = Timing(0, None)
_TIMED: Final = "turn_seconds=30"


class Turn(NamedTuple):
    """A gift or an action of a sound draft, with what is known of its time.

    `person` says whether a person plays its seat now, `spent` is how much of the turn was gone after the record before
    it and `limit` how much there is, both in tenths of a second.
    """

    spot: GiftSpot | PlaySpot
    seat: int
    person: bool
    spent: int
    limit: int

    @property
    def tribute(self) -> bool:
        """Whether it is a tribute, which nobody waits for."""
        spot = self.spot
        swap = spot.state.wanted(spot.gift) if isinstance(spot, GiftSpot) else None
        return swap is not None and swap.tribute

    @property
    def by_clock(self) -> bool:
        """Whether the clock acted."""
        return self.spot.timing.acted_for is not None

    @property
    def leads(self) -> bool:
        """Whether it is the lead of a trick."""
        return isinstance(self.spot, PlaySpot) and not self.spot.state.count

    def at(self, timing: Timing) -> Record:
        """Return the same gift or action with another time or marker."""
        spot = self.spot
        return timed(timing, spot.gift if isinstance(spot, GiftSpot) else Actions((spot.action,)))


def turns(draft: Draft) -> Iterator[Turn]:
    """Yield every gift and action of a sound draft; each state is alive and moves on with the next one."""
    control, done = Control(draft.terms), 0
    for spot in spots(draft):
        for record in draft.records[done : spot.at]:
            inner, timing = parted(record)
            if isinstance(inner, Deal):
                control.start_round(None)
            elif isinstance(inner, SeatEvent):
                control.pass_time(timing)
                control.apply_event(inner)
        gift = isinstance(spot, GiftSpot)
        seat = spot.gift.giver if isinstance(spot, GiftSpot) else spot.action.seat
        spent = control.now - (0 if gift else control.since)
        yield Turn(spot, seat, control.players[seat] is SeatKind.HUMAN, spent, control.limit)
        control.decided(seat, spot.timing)
        done = spot.at + 1


def change_turn(change: Callable[[Turn], Record | None], *, goes_on: bool) -> Change:
    """Return the change of a draft in one turn that `change` makes another of, where it can.

    With `goes_on` the match is played on from there, since what is done then changes what follows.
    """

    def apply(draft: Draft) -> str:
        changed = [(turn.spot.at, turn.spot.place, change(turn)) for turn in turns(draft)]
        index, place, record = draft.choose([one for one in changed if one[2] is not None])
        draft.records[index] = record or draft.records[index]
        if goes_on:
            del draft.records[index + 1 :]
            play_on(draft)
        return place

    return apply


def false_turn(
    description: str, code: Code, *, goes_on: bool = False, **needs: Unpack[Needs]
) -> Callable[[Callable[[Turn], Record | None]], Mutator]:
    """Return a decorator that makes a `Mutator` of what turns a turn into a false one, where it can."""

    def made(falsify: Callable[[Turn], Record | None]) -> Mutator:
        apply = change_turn(falsify, goes_on=goes_on)
        apply.__name__ = falsify.__name__
        return lie(description, code, **needs)(apply)

    return made


def last_return(turn: Turn) -> bool:
    """Return whether it is a return with none behind it: times before the other one's would count for both."""
    return isinstance(turn.spot, GiftSpot) and not turn.tribute and len(turn.spot.state.due) == 1


# ---- marks


@false_turn("an action without its clock mark, in a round with marks", Code.CLOCK_MARK, clock=True, shows=(_TIMED,))
def _mark_missing(turn: Turn) -> Record | None:
    return turn.at(UNTIMED) if isinstance(turn.spot, PlaySpot) and not turn.by_clock else None


@false_turn("a time-out with its marker alone, in a round with marks", Code.CLOCK_MARK, clock=True)
def _mark_missing_before_a_marker(turn: Turn) -> Record | None:
    return (
        turn.at(turn.spot.timing._replace(tenths=None)) if turn.by_clock and isinstance(turn.spot, PlaySpot) else None
    )


@false_turn("a return without its clock mark, in a round with marks", Code.CLOCK_MARK, clock=True, rounds=2)
def _mark_missing_on_a_return(turn: Turn) -> Record | None:
    return turn.at(UNTIMED) if last_return(turn) and not turn.by_clock else None


@false_turn("a tribute with a clock mark", Code.CLOCK_MARK, clock=True, rounds=2)
def _mark_on_a_tribute(turn: Turn) -> Record | None:
    return turn.at(AT_ONCE) if turn.tribute else None


@lie("a seat event without its clock mark, in a round with marks", Code.CLOCK_MARK, clock=True)
def _mark_missing_on_an_event(draft: Draft) -> str:
    index, place = draft.choose(_events(draft))
    draft.records[index], _ = parted(draft.records[index])
    return place


def _events(draft: Draft) -> list[tuple[int, str]]:
    """Return index and place of the seat events of a draft, apart from those in a turn that the clock ends."""
    found, ordinal, number = [], 0, 0
    for index, record in enumerate(draft.records):
        inner, _ = parted(record)
        if isinstance(inner, Deal):
            ordinal, number = ordinal + 1, 0
        elif isinstance(inner, SeatEvent):
            number += 1
            if parted(draft.records[index + 1])[1].acted_for is None:  # the time that is lost might be the clock's
                found.append((index, f"round[{ordinal}].event[{number}]"))
    return found


@lie("the last action alone has a clock mark", Code.CLOCK_MARK)
def _mark_on_one_action_alone(draft: Draft) -> str:
    actions = [spot for spot in spots(draft) if isinstance(spot, PlaySpot) and spot.ordinal == 1]
    draft.records[actions[-1].at] = timed(AT_ONCE, Actions((actions[-1].action,)))
    return actions[0].place


@lie("a lost connection alone has a clock mark", Code.CLOCK_MARK)
def _mark_on_one_event_alone(draft: Draft) -> str:
    actions = [spot for spot in spots(draft) if isinstance(spot, PlaySpot) and spot.ordinal == 1]
    from_now_on = SeatEvent(actions[-1].action.seat, Presence.DISCONNECTED, SeatKind.BOT)
    draft.records.insert(actions[-1].at, timed(AT_ONCE, from_now_on))
    return actions[0].place


MARKS: Final = (
    _mark_missing,
    _mark_missing_before_a_marker,
    _mark_missing_on_a_return,
    _mark_on_a_tribute,
    _mark_missing_on_an_event,
    _mark_on_one_action_alone,
    _mark_on_one_event_alone,
)
