"""The match log as bytes: strict canonical MessagePack to records and back (SPEC, "Match log").

Decoding never guesses. What is not the one encoding of a lawful record is `Malformed` at that record's first byte; what
stood before it is still handed out. Hashes are always of the bytes received.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

from fairdeal.cards import FACES
from fairdeal.commit import terms_hash
from fairdeal.errors import FairdealError, Malformed
from fairdeal.fields import ShapeError
from fairdeal.hashing import file_digest
from fairdeal.limits import MAX_HEAD_CARDS, MAX_INT, MAX_LISTS, MAX_LOG_BYTES, MAX_ROUND_ACTIONS, MAX_ROUNDS, MAX_SEATS
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
    pass_action,
    play_action,
)
from fairdeal.values import canonical, value_at
from fairdeal.wire import play_value, read_record, read_terms, record_value

_MARKERS: Final = range(0xF0, 0xF8)  # -(seat + 9) as a byte
_MARKS: Final = range(0xCC, 0xD0)  # how an integer of 128 or more begins
_FIRST_MARK: Final = 128


@cache
def _patterns(seats: int) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """Return what matches one action of a table of `seats`, and a run of as many as a round may have.

    An action is one to nine bytes: a pass -(seat + 1), or a head 64 + 8 * (count - 1) + seat and `count` faces.
    """
    sets = [
        b"[\\x%02x-\\x%02x][\\x00-\\x35]{%d}" % (56 + 8 * count, 55 + 8 * count + seats, count)
        for count in range(1, MAX_HEAD_CARDS + 1)
    ]
    action = b"[\\x%02x-\\xff]|" % (0x100 - seats) + b"|".join(sets)
    return re.compile(action, re.DOTALL), re.compile(b"(?:" + action + b"){1,%d}" % MAX_ROUND_ACTIONS, re.DOTALL)


@lru_cache(maxsize=16_384)
def _action(encoded: bytes) -> Action:
    """Return the action of its bytes; the cache holds every lawful set of one pack."""
    head = encoded[0]
    if head > 0x7F:
        return pass_action(0xFF - head)
    cards = encoded[1:]
    return play_action(SET, head & 7, cards)


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
                for found in _patterns(len(self.terms.seats))[0].finditer(self._data, item.start, item.end):
                    last = found.end() if found.end() <= offset else last
            break
        return last


def _read_terms(data: bytes) -> tuple[Terms, int]:
    value, end = value_at(data, 0)
    try:
        return read_terms(value), end
    except ShapeError as error:
        raise Malformed(f"no terms of a match: {error}", 0) from None


def _read_items(data: bytes, start: int, seats: int, items: list[Item]) -> None:
    """Append the records from `start` on to `items`; raises `Malformed` at the first that is none."""
    action, run = _patterns(seats)
    in_round = lists = rounds = 0
    while start < len(data):
        found = run.match(data, start)
        if found is not None:
            encoded = action.findall(data, start, found.end())[: MAX_ROUND_ACTIONS - in_round]
            record: Record = Actions(tuple(map(_action, encoded)))
            end = start + sum(map(len, encoded))
            added = len(encoded)
        else:
            record, end = _read_other(data, start, seats)
            added = int(isinstance(record, Clocked | Actions) and in_round < MAX_ROUND_ACTIONS)
            lists += not added
        if isinstance(record, Deal):
            in_round, lists, rounds = 0, 1, rounds + 1
        elif isinstance(record, Clocked | Actions) and not added:
            raise Malformed(f"more than {MAX_ROUND_ACTIONS} actions in one round", start)
        if lists > MAX_LISTS:
            raise Malformed(f"more than {MAX_LISTS} lists before a deal", start)
        if rounds > MAX_ROUNDS:
            raise Malformed(f"more than {MAX_ROUNDS} rounds", start)
        in_round += added
        items.append(Item(start, end, record))
        start = end


def _read_other(data: bytes, start: int, seats: int) -> tuple[Record, int]:
    """Return the record at `start` that is no small action: a list, or a record with clock marks."""
    head = data[start]
    if head < 0x80 or (head >= 0xE0 and head not in _MARKERS):
        raise Malformed(_no_action(data, start, seats), start)
    try:
        if head in _MARKS or head in _MARKERS:
            return _read_clocked(data, start, seats)
        value, end = value_at(data, start)
        return read_record(value, seats), end
    except ShapeError as error:
        raise Malformed(str(error), start) from None


def _no_action(data: bytes, start: int, seats: int) -> str:
    """Return why the small integer at `start` begins no action."""
    head = data[start]
    if head < 0x40:
        return "a card without a head"
    seat = 0xFF - head if head >= 0xF8 else head & 7
    if (head < 0x80 or head >= 0xF8) and seat >= seats:
        return f"seat {seat} at a table of {seats}"
    return "a head without its cards" if head < 0x80 else "an integer that is no action"


def _read_clocked(data: bytes, start: int, seats: int) -> tuple[Clocked, int]:
    tenths, seat, at = None, None, start
    if data[at] in _MARKS:
        mark, at = _inside(data, at)
        if type(mark) is not int or not _FIRST_MARK <= mark <= MAX_INT:
            raise ShapeError("a clock mark out of range")
        tenths = mark - _FIRST_MARK
    if at < len(data) and data[at] in _MARKERS:
        seat = 0xF7 - data[at]
        at += 1
        if seat >= seats:
            raise ShapeError(f"seat {seat} at a table of {seats}")
    if at == len(data):
        raise ShapeError("the log is cut after a clock mark")
    action = _patterns(seats)[0].match(data, at)
    if action is not None:
        return Clocked(tenths, seat, Actions((_action(action.group()),))), action.end()
    value, end = _inside(data, at)
    record = read_record(value, seats)
    if not isinstance(record, Actions | Exchange | SeatEvent) or (seat is not None and isinstance(record, SeatEvent)):
        raise ShapeError("a clock mark before a record that takes none")
    return Clocked(tenths, seat, record), end


def _inside(data: bytes, at: int) -> tuple[object, int]:
    """Return the value at `at`, inside a record; what is wrong with it is wrong with the whole record."""
    try:
        return value_at(data, at)
    except Malformed as error:
        raise ShapeError(error.what) from None


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
        return b"".join(encode_action(action) for action in record.actions)
    if isinstance(record, Clocked):
        mark = b"" if record.tenths is None else canonical(record.tenths + _FIRST_MARK)
        marker = b"" if record.acted_for is None else bytes([0xF7 - record.acted_for])
        return mark + marker + encode_record(record.record)
    return canonical(record_value(record))


def encode_log(records: Iterable[Record]) -> bytes:
    """Return the bytes of a log, terms first."""
    return b"".join(encode_record(record) for record in records)
