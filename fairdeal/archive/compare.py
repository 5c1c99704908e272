"""Where two logs part: the first byte that differs, and the record it belongs to in each."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from fairdeal.codec import Log, encode_record
from fairdeal.errors import FairdealError
from fairdeal.play import Round
from fairdeal.records import Action, Actions, Clocked, Deal, Exchange, Record, RoundEnd, SeatEvent, singles
from fairdeal.replay import replay
from fairdeal.wording import describe_action, describe_event, describe_gift


class Parting(NamedTuple):
    """Where two logs part: the first byte, the place of its record, and what stands there in the one and the other.

    Where one log is the beginning of the other, what stands in it there is None.
    """

    offset: int
    place: str
    first: str | None
    second: str | None


def first_difference(first: bytes, second: bytes) -> int | None:
    """Return the first offset at which two byte strings differ or one of them ends; None where they are equal."""
    if first == second:
        return None
    low, high = 0, min(len(first), len(second))
    while low < high:  # the longest common prefix is somewhere in low … high
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def parting(first: bytes, second: bytes) -> Parting | None:
    """Return where two logs part, None where they are equal; what cannot be decoded is told by its byte."""
    offset = first_difference(first, second)
    if offset is None:
        return None
    places = [_at(data, offset) for data in (first, second)]
    place = next((one.place for one in places if one is not None), f"byte {offset}")
    words = [
        None if offset >= len(data) else f"byte {data[offset]:02x}" if one is None else one.words
        for data, one in zip((first, second), places, strict=True)
    ]
    return Parting(offset, place, words[0], words[1])


class _Spot(NamedTuple):
    place: str
    words: str


def _at(data: bytes, offset: int) -> _Spot | None:
    """Return the record that the byte at `offset` belongs to, None where there is none that can be read."""
    try:
        log = Log(data)
    except FairdealError:
        return None
    if offset < log.terms_end:
        return _Spot("terms", f"terms {log.terms_hash.hex()}")
    start = log.boundary(offset)
    rounds = acted = 0
    for item in log.items:
        inside = item.start <= start < item.end
        if isinstance(item.record, Actions):
            if inside:
                number = _actions_before(item.record, item.start, start)
                place = _places(log).get(acted + number, f"round[{rounds}]")
                return _Spot(place, describe_action(item.record.actions[number]))
            acted += len(item.record.actions)
        rounds += isinstance(item.record, Deal)
        if inside:
            return _Spot(f"round[{rounds}]" if rounds else "opening", _words(item.record))
    return None


def _actions_before(run: Actions, start: int, offset: int) -> int:
    """Return the number, from 0, of the action of a run that holds the byte at `offset`; the run begins at `start`."""
    for number, single in enumerate(singles(run)):
        start += len(encode_record(single))
        if offset < start:
            return number
    return len(run.actions) - 1


def _places(log: Log) -> dict[int, str]:
    """Return the place of every action that can be judged, by its number in the log."""
    found: dict[int, str] = {}

    def note(place: str, state: Round, action: Action) -> None:
        del action
        found[len(found)] = f"{place}.trick[{state.trick}].play[{state.play}]"

    with suppress(FairdealError):
        replay(log, note)
    return found


def _words(record: Record) -> str:
    inner = record.record if isinstance(record, Clocked) else record
    match inner:
        case Exchange():
            return describe_gift(inner)
        case SeatEvent():
            return describe_event(inner)
        case RoundEnd():
            return f"end of the round, places {', '.join(map(str, inner.places))}"
        case _:
            return type(inner).__name__.lower()
