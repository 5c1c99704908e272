"""Whether the last bytes of a log are the beginning of a record, as a killed writer leaves one, or damage.

Damage must not pass for a torn tail, which is cut off: one changed length makes all that follows look like the inside
of a record.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from fairdeal.errors import Cut, Malformed
from fairdeal.fields import ShapeError, Value
from fairdeal.limits import BLIND_BYTES, HASH_BYTES, MAX_INT, SIGNATURE_BYTES
from fairdeal.records import (
    BIG_SET,
    STRAIGHT,
    Close,
    CloseReason,
    Commitment,
    Deal,
    Exchange,
    Opened,
    Presence,
    Record,
    RoundEnd,
    Sealed,
    SeatEvent,
    Signature,
    play_action,
)
from fairdeal.settings import SeatKind
from fairdeal.values import canonical, value_at
from fairdeal.wire import play_value, read_record, record_value

_MARKERS: Final = range(0xF0, 0xF8)
_MARKS: Final = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}  # how many bytes follow
_WIDE: Final = (*_MARKS, *range(0xD0, 0xD4))  # how an integer of more than one byte begins
_SMALLEST_LIST: Final = 0x90


def begun(tail: bytes, seats: int) -> bool:
    """Return whether `tail`, which the codec says is cut, can be the beginning of one record at a table of `seats`."""
    if tail[0] in _MARKS:
        left = _MARKS[tail[0]]
        if int.from_bytes(tail[1 : left + 1].ljust(left, b"\0"), "big") > MAX_INT:
            return False
        tail = tail[left + 1 :]
    if tail and tail[0] in _MARKERS:
        tail = tail[1:]
    if not tail or tail[0] < _SMALLEST_LIST:
        return True  # the codec looks at every byte of a mark, a marker and an action
    return any(_completes(tail, row, seats) for row in _samples(seats))


def _completes(tail: bytes, row: list[Value], seats: int) -> bool:
    """Return whether `tail`, with what is missing taken from a lawful `row`, is lawful."""
    try:
        value, _ = _completed(tail, 0, row)
        read_record(value, seats)
    except (Malformed, ShapeError):
        return False
    return True


def _completed(tail: bytes, at: int, like: Value) -> tuple[Value, int]:
    """Return the value at `at`, which goes on like another one where the bytes end, and where it ends."""
    if at >= len(tail):
        return like, at
    head = canonical(like)
    if isinstance(like, list):
        size = len(head) - sum(len(canonical(one)) for one in like)
        _begin_alike(tail[at:], head[:size])
        at, values = at + size, list[Value]()
        for one in like:
            value, at = _completed(tail, at, one)
            values.append(value)
        return values, at
    try:
        found, end = value_at(tail, at)
    except Cut:
        if isinstance(like, bytes):
            _begin_alike(tail[at:], head[:2])
        elif tail[at] not in _WIDE:
            raise ShapeError("no integer") from None
        return like, len(tail)
    return (found if isinstance(found, int | bytes) else ""), end


def _begin_alike(tail: bytes, head: bytes) -> None:
    if tail[: len(head)] != head[: len(tail)]:
        raise ShapeError("another length")


@cache
def _samples(seats: int) -> list[list[Value]]:
    """Return a row for every kind of list that a table writes."""
    whole, totals = bytes(HASH_BYTES), (0,) * seats
    cards = [bytes(count) for count in range(1, 19)]
    records: list[Record] = [
        Commitment(whole),
        Sealed(0, whole),
        Opened(0, whole),
        Signature(0, bytes(SIGNATURE_BYTES)),
        Deal(1, 0, bytes(BLIND_BYTES)),
        SeatEvent(0, Presence.DISCONNECTED, SeatKind.EASY),
        RoundEnd((1,) * seats, totals, totals, whole),
        Close(CloseReason.BY_RULE, None, whole, totals, (1,) * seats, whole),
        Close(CloseReason.BY_RULE, None, whole, totals, (), whole),
        *(Exchange(0, 1, held) for held in cards),
    ]
    rows = [record_value(record) for record in records]
    rows += [play_value(play_action(kind, 0, held)) for kind in (BIG_SET, STRAIGHT) for held in cards[:12]]
    return [row for row in rows if isinstance(row, list)]
