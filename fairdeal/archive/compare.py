"""Where two logs part: the first byte that differs, and the record it belongs to in each."""

from __future__ import annotations

from bisect import bisect_right
from contextlib import suppress
from itertools import accumulate
from typing import Final, NamedTuple

from fairdeal.codec import Log, encode_record
from fairdeal.errors import FairdealError
from fairdeal.play import Round
from fairdeal.records import (
    UNTIMED,
    Action,
    Actions,
    Clocked,
    Close,
    Commitment,
    Deal,
    Exchange,
    Opened,
    Record,
    RoundEnd,
    Sealed,
    SeatEvent,
    Signature,
    Timing,
    signer_name,
    timed,
)
from fairdeal.replay import replay
from fairdeal.wording import describe_action, describe_event, describe_gift

_SHOWN_BYTES: Final = 16


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
    """Return where two logs part, None where they are equal; what cannot be decoded is told by its bytes."""
    offset = first_difference(first, second)
    if offset is None:
        return None
    spots = [_spot(data, offset) for data in (first, second)]
    place = next((spot.place for spot in spots if spot is not None), f"byte {offset}")
    words = [
        None if offset >= len(data) else _bytes_at(data, offset) if spot is None else spot.words
        for data, spot in zip((first, second), spots, strict=True)
    ]
    if words[0] == words[1]:  # the same in words, as bytes it is not
        words = [f"{word} ({_bytes_at(data, offset)})" for word, data in zip(words, (first, second), strict=True)]
    return Parting(offset, place, words[0], words[1])


class _Spot(NamedTuple):
    place: str
    words: str


def _bytes_at(data: bytes, offset: int) -> str:
    shown = data[offset : offset + _SHOWN_BYTES]
    more = "…" if offset + _SHOWN_BYTES < len(data) else ""
    return f"bytes {shown.hex()}{more} from {offset} on"


def _spot(data: bytes, offset: int) -> _Spot | None:
    """Return the record that the byte at `offset` belongs to, None where there is none that can be read."""
    try:
        log = Log(data)
    except FairdealError:
        return None
    if offset < log.terms_end:
        return _Spot("terms", f"terms {log.terms_hash.hex()}")
    rounds = gifts = acted = 0
    for item in log.items:
        if isinstance(item.record, Deal):
            rounds, gifts, acted = rounds + 1, 0, 0
        gifts += isinstance(_inner(item.record), Exchange)
        if offset < item.end:
            if isinstance(item.record, Actions):
                return _action_spot(log, item.start, item.record, (f"round[{rounds}]", acted), offset)
            return _Spot(_place(item.record, rounds, gifts), _timed(item.record))
        if isinstance(item.record, Actions):
            acted += len(item.record.actions)
    return None


def _action_spot(log: Log, start: int, run: Actions, before: tuple[str, int], offset: int) -> _Spot:
    """Return the action that the byte at `offset` belongs to, of a run that begins at `start`.

    `before` are the place of the round and how many of its actions stand before the run.
    """
    place, number = before
    timings = run.timing or (UNTIMED,) * len(run.actions)
    sizes = [len(encode_record(timed(*one))) for one in zip(timings, map(_alone, run.actions), strict=True)]
    at = bisect_right(list(accumulate(sizes, initial=start)), offset) - 1
    where = _judged_places(log).get((place, number + at), f"{place}.action[{number + at + 1}]")
    return _Spot(where, _when(timings[at]) + describe_action(run.actions[at]))


def _alone(action: Action) -> Actions:
    return Actions((action,))


def _judged_places(log: Log) -> dict[tuple[str, int], str]:
    """Return the place of every action that can be judged, by its round's place and its number there from 0."""
    found: dict[tuple[str, int], str] = {}
    counts: dict[str, int] = {}

    def note(place: str, state: Round, action: Action) -> None:
        del action
        number = counts.get(place, 0)
        found[place, number] = f"{place}.trick[{state.trick}].play[{state.play}]"
        counts[place] = number + 1

    with suppress(FairdealError):
        replay(log, note)
    return found


def _inner(record: Record) -> Record:
    return record.record if isinstance(record, Clocked) else record


def _place(record: Record, rounds: int, gifts: int) -> str:
    """Return the place of a record that is no action, after so many rounds and gifts of the last one."""
    match _inner(record):
        case Deal():
            return f"round[{rounds}].deal"
        case Exchange():
            return f"round[{rounds}].exchange[{gifts}]"
        case SeatEvent():
            return f"round[{rounds}].event"
        case RoundEnd():
            return f"round[{rounds}].end"
        case Close():
            return "close"
        case Commitment():
            return "commitment"
        case Sealed() as sealed:
            return f"sealed[{sealed.seat}]"
        case Opened() as opened:
            return f"opened[{opened.seat}]"
        case Signature() as signature:
            return f"signature[{signer_name(signature.signer)}]"
        case _:
            return f"round[{rounds}]" if rounds else "opening"


def _timed(record: Record) -> str:
    return (_when(record.timing) if isinstance(record, Clocked) else "") + _words(_inner(record))


def _when(timing: Timing) -> str:
    tenths = "" if timing.tenths is None else f"after {timing.tenths / 10:g} s "
    return tenths + ("" if timing.acted_for is None else f"the clock for seat {timing.acted_for}: ")


def _words(record: Record) -> str:
    """Return a record that is no action in words, with every value that may differ."""
    match record:
        case Exchange():
            return describe_gift(record)
        case SeatEvent():
            return describe_event(record)
        case Deal():
            return f"deal of round {record.round}, first card to seat {record.first}, blind {record.blind.hex()}"
        case RoundEnd():
            places, points = (" ".join(map(str, one)) for one in (record.places, record.points))
            return f"end of the round, places {places}, points {points}, seed {record.seed.hex()}"
        case Close():
            named = "" if record.seat is None else f", seat {record.seat}"
            totals = " ".join(map(str, record.totals))
            return f"close {record.reason}{named}, totals {totals}, secret {record.secret.hex()}"
        case Commitment():
            return f"commitment {record.commitment.hex()}"
        case Sealed():
            return f"seat {record.seat} seals {record.seal.hex()}"
        case Opened():
            return f"seat {record.seat} opens {record.contribution.hex()}"
        case Signature():
            return f"signature of {signer_name(record.signer)} {record.signature.hex()[:16]}…"
        case _:
            return type(record).__name__.lower()
