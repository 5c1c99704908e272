"""The match log as bytes: strict canonical MessagePack to records and back (SPEC, "Match log").

Decoding never guesses. What is not the one encoding of a lawful record is `Malformed` at that record's first byte; what
stood before it is still handed out. Hashes are always of the bytes received.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, NamedTuple, NoReturn

from fairdeal.cards import FACES
from fairdeal.commit import terms_hash
from fairdeal.errors import Cut, FairdealError, Malformed
from fairdeal.fields import ShapeError
from fairdeal.hashing import file_digest
from fairdeal.limits import (
    MAX_HEAD_CARDS,
    MAX_INT,
    MAX_LISTS,
    MAX_LOG_BYTES,
    MAX_ROUND_ACTIONS,
    MAX_ROUNDS,
    MAX_SEAT_EVENTS,
    MAX_SEATS,
)
from fairdeal.records import (
    PASS,
    SET,
    Action,
    Actions,
    Clocked,
    Deal,
    Exchange,
    Item,
    Record,
    SeatEvent,
    Terms,
    Timing,
    pass_action,
    play_action,
    timed,
)
from fairdeal.values import canonical, other_format, value_at
from fairdeal.wire import CLOSE, play_value, read_record, read_terms, record_value

_MARKERS: Final = range(0xF0, 0xF8)  # -(seat + 9) as a byte
_MARKS: Final = range(0xCC, 0xD0)  # how an integer of 128 or more begins
_FIRST_MARK: Final = 128
_LONG_LIST: Final = 0xDC  # how a list of sixteen values or more begins
_LISTS: Final = (*range(0x90, 0xA0), _LONG_LIST)


class _Patterns(NamedTuple):
    """What matches one action of a table, a run of as many as a round may have, and both with clock marks."""

    action: re.Pattern[bytes]
    run: re.Pattern[bytes]
    timed: re.Pattern[bytes]
    timed_run: re.Pattern[bytes]


@cache
def _patterns(seats: int) -> _Patterns:
    """Return the patterns for a table of `seats`.

    An action is one to nine bytes: a pass -(seat + 1), or a head 64 + 8 * (count - 1) + seat and `count` faces. Before
    it may stand a mark, an integer of 128 or more (those of up to three bytes here), a marker -(seat + 9), or both.
    """
    sets = [
        b"[\\x%02x-\\x%02x][\\x00-\\x35]{%d}" % (56 + 8 * count, 55 + 8 * count + seats, count)
        for count in range(1, MAX_HEAD_CARDS + 1)
    ]
    action = b"[\\x%02x-\\xff]|" % (0x100 - seats) + b"|".join(sets)
    mark, marker = b"(?:\\xcc[\\x80-\\xff]|\\xcd[\\x01-\\xff].)", b"[\\x%02x-\\xf7]" % (0xF8 - seats)
    timed = b"(%b%b?|%b)(%b)" % (mark, marker, marker, action)
    runs = [b"(?:%b){1,%d}" % (one, MAX_ROUND_ACTIONS) for one in (action, timed)]
    return _Patterns(*(re.compile(one, re.DOTALL) for one in (action, runs[0], timed, runs[1])))


@lru_cache(maxsize=16_384)
def _action(encoded: bytes) -> Action:
    """Return the action of its bytes; the cache holds every lawful set of one pack."""
    head = encoded[0]
    if head > 0x7F:
        return pass_action(0xFF - head)
    cards = encoded[1:]
    return play_action(SET, head & 7, cards)


@lru_cache(maxsize=4_096)
def _timing(encoded: bytes) -> Timing:
    """Return what a mark of up to three bytes, a marker, or both say."""
    at = {0xCC: 2, 0xCD: 3}.get(encoded[0], 0)
    tenths = int.from_bytes(encoded[1:at], "big") - _FIRST_MARK if at else None
    return Timing(tenths, 0xF7 - encoded[at] if at < len(encoded) else None)


class Log:
    """A decoded log: its terms, its records with offsets, and digests of its prefixes.

    `items` ends before the first record that does not parse, and `broken` is then the error that says where. `size` is
    where the last whole record ends.
    """

    __slots__ = ("_data", "broken", "items", "size", "terms", "terms_end", "terms_hash")

    def __init__(self, data: bytes) -> None:
        """Decode `data`; raises `Malformed` or `Unsupported` when not even the terms can be read."""
        self._data = data
        if len(data) > MAX_LOG_BYTES:
            raise Malformed(f"a log of more than {MAX_LOG_BYTES} bytes", MAX_LOG_BYTES)
        self.terms, self.terms_end = _read_terms(data)
        self.terms_hash = terms_hash(data[: self.terms_end])
        items: list[Item] = []
        self.broken: FairdealError | None = None
        try:
            _read_items(data, self.terms_end, len(self.terms.seats), items)
        except Malformed as error:
            self.broken = error
        self.items = tuple(items)
        self.size = items[-1].end if items else self.terms_end

    def digest(self, offset: int) -> bytes:
        """Return SHA-256 of the first `offset` bytes as received."""
        return file_digest(memoryview(self._data)[:offset])

    def boundary(self, offset: int) -> int:
        """Return where the last whole record ends at or before `offset`, which is not inside the terms.

        Single actions count as records.
        """
        last = self.terms_end
        for item in self.items:
            if item.end <= offset:
                last = item.end
                continue
            if isinstance(item.record, Actions):
                last = self._action_boundary(item, last, offset)
            break
        return last

    def _action_boundary(self, run: Item, last: int, offset: int) -> int:
        """Return where the last action of `run` ends at or before `offset`; `last` where none does."""
        patterns = _patterns(len(self.terms.seats))
        one = patterns.timed if isinstance(run.record, Actions) and run.record.timing else patterns.action
        found = one.match(self._data, run.start, run.end)
        while found is not None and found.end() <= offset:
            last = found.end()
            found = one.match(self._data, last, run.end)
        return last


def _read_terms(data: bytes) -> tuple[Terms, int]:
    value, end = _inside(data, 0, 0)
    try:
        return read_terms(value), end
    except ShapeError as error:
        what, hint = other_format(data) or (f"no terms of a match: {error}", "")
        raise Malformed(what, 0, hint) from None


def _read_items(data: bytes, start: int, seats: int, items: list[Item]) -> None:
    """Append the records from `start` on to `items`; raises `Malformed` at the first that is none."""
    patterns = _patterns(seats)
    room, lists, events, rounds = MAX_ROUND_ACTIONS, 0, 0, 0
    while start < len(data):
        record, end = _read_run(data, start, patterns, room) or _read_other(data, start, seats)
        match record:
            case Actions():
                room -= max(1, len(record.actions))
            case SeatEvent() | Clocked(record=SeatEvent()):
                events += 1
            case Deal():
                room, lists, events, rounds = MAX_ROUND_ACTIONS, 1, 0, rounds + 1
            case _:
                lists += 1
        for over, what in (
            (room < 0, f"{MAX_ROUND_ACTIONS} actions in one round"),
            (lists > MAX_LISTS, f"{MAX_LISTS} lists before a deal"),
            (events > MAX_SEAT_EVENTS, f"{MAX_SEAT_EVENTS} seat events before a deal"),
            (rounds > MAX_ROUNDS, f"{MAX_ROUNDS} rounds"),
        ):
            if over:
                raise Malformed(f"more than {what}", start)
        items.append(Item(start, end, record))
        start = end


def _read_run(data: bytes, start: int, patterns: _Patterns, room: int) -> tuple[Record, int] | None:
    """Return the run of at most `room` small actions at `start` and where it ends; None where none begins."""
    found = patterns.run.match(data, start)
    if found is not None:
        encoded = patterns.action.findall(data, start, found.end())[:room]
        return Actions(tuple(map(_action, encoded))), start + sum(map(len, encoded))
    found = patterns.timed_run.match(data, start)
    if found is None:
        return None
    pairs = patterns.timed.findall(data, start, found.end())[:room]
    actions = tuple([_action(action) for _, action in pairs])
    timing = tuple([_timing(before) for before, _ in pairs])
    return Actions(actions, timing), start + sum(len(before) + len(action) for before, action in pairs)


def _read_other(data: bytes, start: int, seats: int) -> tuple[Record, int]:
    """Return the record at `start` that is no small action: a list, or a record with clock marks."""
    head = data[start]
    if head < 0x80 or (head >= 0xE0 and head not in _MARKERS):
        _refuse_small(data, start, seats, start)
    try:
        if head in _MARKS or head in _MARKERS:
            return _read_clocked(data, start, seats)
        value, end = _inside(data, start, start)
        return read_record(value, seats), end
    except ShapeError as error:
        raise Malformed(str(error), start) from None


def _refuse_small(data: bytes, at: int, seats: int, start: int) -> NoReturn:
    """Raise `Malformed` for the small integer at `at` that begins no action, inside the record at `start`."""
    cards = data[at + 1 : at + 2 + (data[at] - 0x40 >> 3)]
    begun = 0x40 <= data[at] < 0x80 and data[at] & 7 < seats and at + 1 + len(cards) == len(data)
    if begun and all(face < FACES for face in cards):
        raise Cut("the log is cut inside an action", start)
    raise Malformed(_no_action(data, at, seats), start)


def _no_action(data: bytes, at: int, seats: int) -> str:
    """Return why the small integer at `at` begins no action."""
    head = data[at]
    if head < 0x40:
        return "a card without a head"
    seat = 0xFF - head if head >= 0xF8 else head & 7
    if (head < 0x80 or head >= 0xF8) and seat >= seats:
        return f"seat {seat} at a table of {seats}"
    return "a head without its cards" if head < 0x80 else "an integer that is no action"


def _read_clocked(data: bytes, start: int, seats: int) -> tuple[Record, int]:
    tenths, seat, at = None, None, start
    if data[at] in _MARKS:
        mark, at = _inside(data, at, start)
        if type(mark) is not int or not _FIRST_MARK <= mark <= MAX_INT:
            raise ShapeError("a clock mark out of range")
        tenths = mark - _FIRST_MARK
    if at < len(data) and data[at] in _MARKERS:
        seat = 0xF7 - data[at]
        at += 1
        if seat >= seats:
            raise ShapeError(f"seat {seat} at a table of {seats}")
    if at == len(data):
        raise Cut("the log is cut after a clock mark", start)
    timing = Timing(tenths, seat)
    action = _patterns(seats).action.match(data, at)
    if action is not None:
        return timed(timing, Actions((_action(action.group()),))), action.end()
    if data[at] < 0x80:
        _refuse_small(data, at, seats, start)
    value, end = _inside(data, at, start)
    record = read_record(value, seats)
    if not isinstance(record, Actions | Exchange | SeatEvent) or (seat is not None and isinstance(record, SeatEvent)):
        raise ShapeError("a clock mark before a record that takes none")
    return timed(timing, record), end


def _inside(data: bytes, at: int, start: int) -> tuple[object, int]:
    """Return the value at `at`, inside the record at `start`; what is wrong with it is wrong with the whole record."""
    try:
        return value_at(data, at)
    except Malformed as error:
        cut = isinstance(error, Cut) and _may_go_on(data[at : at + 4], first=at == start)
        raise (Cut if cut else Malformed)(error.what, start, error.hint) from None


def _may_go_on(begun: bytes, *, first: bool) -> bool:
    """Return whether a value that is cut may be one of a log: a list that begins with a known kind, or a first mark.

    `begun` is as much as there is of its first four bytes.
    """
    if not begun:
        return True
    kind = begun[3:] if begun[0] == _LONG_LIST else begun[1:2]
    return (first and begun[0] in _MARKS) or (begun[0] in _LISTS and all(one <= CLOSE for one in kind))


def encode_action(action: Action) -> bytes:
    """Return the bytes of one action; raises `ValueError` for one that has none."""
    if not 0 <= action.seat < MAX_SEATS or any(face >= FACES for face in action.cards):
        raise ValueError(f"seat {action.seat} and cards {list(action.cards)} have no encoding")
    if action.kind == PASS:
        return bytes([0xFF - action.seat])
    if action.kind == SET:
        if not 1 <= len(action.cards) <= MAX_HEAD_CARDS:
            raise ValueError(f"{len(action.cards)} cards behind one head")
        return bytes([56 + 8 * len(action.cards) + action.seat]) + action.cards
    return canonical(play_value(action))


def encode_record(record: Record) -> bytes:
    """Return the bytes of one record."""
    if isinstance(record, Actions):
        encoded = [encode_action(action) for action in record.actions]
        if record.timing:
            encoded = [_encode_timing(one) + action for one, action in zip(record.timing, encoded, strict=True)]
        return b"".join(encoded)
    if isinstance(record, Clocked):
        return _encode_timing(record.timing) + encode_record(record.record)
    return canonical(record_value(record))


def _encode_timing(timing: Timing) -> bytes:
    mark = b"" if timing.tenths is None else canonical(timing.tenths + _FIRST_MARK)
    return mark if timing.acted_for is None else mark + bytes([0xF7 - timing.acted_for])


def encode_log(records: Iterable[Record]) -> bytes:
    """Return the bytes of a log, terms first."""
    return b"".join(encode_record(record) for record in records)
