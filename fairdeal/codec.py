"""The match log as bytes: strict canonical MessagePack to records and back (SPEC, "Match log").

Decoding never guesses. What is not the one encoding of a lawful record is `Malformed` at that record's first byte; what
stood before it is still handed out. Hashes are always of the bytes received.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import msgpack

from fairdeal.commit import terms_hash
from fairdeal.errors import FairdealError, Malformed
from fairdeal.fields import ShapeError
from fairdeal.hashing import file_digest
from fairdeal.limits import MAX_HEAD_CARDS, MAX_INT, MAX_LOG_BYTES, MAX_ROUND_ACTIONS
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
    set_rank,
)
from fairdeal.wire import play_value, read_record, read_terms, record_value

# An action of one to nine bytes: a pass (negative fixint), or a head 64 + 8 * (count - 1) + seat and `count` faces.
_SETS: Final = b"|".join(
    b"[\\x%02x-\\x%02x][\\x00-\\x35]{%d}" % (56 + 8 * count, 63 + 8 * count, count)
    for count in range(1, MAX_HEAD_CARDS + 1)
)
_ACTION: Final = re.compile(b"[\\xf8-\\xff]|" + _SETS, re.DOTALL)
_RUN: Final = re.compile(b"(?:[\\xf8-\\xff]|" + _SETS + b")+", re.DOTALL)
_MARKERS: Final = range(0xF0, 0xF8)  # -(seat + 9) as a byte
_MARKS: Final = range(0xCC, 0xD0)  # how an integer of 128 or more begins
_FIRST_MARK: Final = 128
# no list of a sound log is longer than the rules' 27 values or a round end's 26, no text or byte string than 64
_UNPACK: Final = {
    "raw": False,
    "use_list": True,
    "strict_map_key": True,
    "max_buffer_size": MAX_LOG_BYTES,
    "max_array_len": 32,
    "max_bin_len": 64,
    "max_str_len": 64,
    "max_map_len": 0,
    "max_ext_len": 0,
}
_MAX_LIST_BYTES: Final = 4_096  # the longest record, terms full of 64-byte texts, is below 1,200


def canonical(value: object) -> bytes:
    """Return the one MessagePack encoding of a value made of integers, texts, byte strings and lists."""
    return bytes(msgpack.packb(value, use_bin_type=True))


def unpack_value(data: bytes, start: int) -> tuple[object, int]:
    """Return the canonical value that begins at `start` and where it ends; raises `Malformed` at `start`.

    Canonical means that encoding the value again gives the same bytes.
    """
    unpacker = msgpack.Unpacker(**_UNPACK)
    unpacker.feed(data[start : start + _MAX_LIST_BYTES])
    try:
        value = unpacker.unpack()
    except msgpack.OutOfData:
        cut = start + _MAX_LIST_BYTES >= len(data)
        what = "the log is cut inside a record" if cut else f"a record of more than {_MAX_LIST_BYTES} bytes"
        raise Malformed(what, start, "get the whole file" if cut else "") from None
    except (ValueError, msgpack.UnpackException):
        raise Malformed("bytes that are no value of the log", start) from None
    end = start + unpacker.tell()
    try:
        again = canonical(value)
    except (TypeError, ValueError, OverflowError):
        raise Malformed("a value that a log cannot hold", start) from None
    if again != data[start:end]:
        raise Malformed("a value that is not in its shortest encoding", start)
    return value, end


@lru_cache(maxsize=16_384)
def _action(encoded: bytes, seats: int) -> Action:
    """Return the action of its bytes; the cache holds every lawful set of one pack at one table."""
    head = encoded[0]
    seat = 0xFF - head if head > 0x7F else head & 7
    if seat >= seats:
        raise ShapeError(f"seat {seat} at a table of {seats}")
    if head > 0x7F:
        return pass_action(seat)
    cards = encoded[1:]
    return Action(SET, seat, cards, set_rank(cards))


class Log:
    """A decoded log: its terms, its records with offsets, and digests of its prefixes.

    `items` ends before the first record that does not parse, and `broken` is then the error that says where. `size` is
    where the last whole record ends.
    """

    __slots__ = ("_data", "broken", "items", "size", "terms", "terms_end", "terms_hash")

    def __init__(self, data: bytes) -> None:
        """Decode `data`; raises `Malformed` or `Unsupported` when not even the terms can be read."""
        self._data = data
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
        """Return where the last whole record ends at or before `offset`; single actions count as records."""
        last = self.terms_end
        for item in self.items:
            if item.end <= offset:
                last = item.end
                continue
            if isinstance(item.record, Actions):
                for found in _ACTION.finditer(self._data, item.start, item.end):
                    last = found.end() if found.end() <= offset else last
            break
        return last


def _read_terms(data: bytes) -> tuple[Terms, int]:
    if len(data) > MAX_LOG_BYTES:
        raise Malformed(f"a log of more than {MAX_LOG_BYTES} bytes", MAX_LOG_BYTES)
    value, end = unpack_value(data, 0)
    try:
        return read_terms(value), end
    except ShapeError as error:
        raise Malformed(f"no terms of a match: {error}", 0) from None


def _read_items(data: bytes, start: int, seats: int, items: list[Item]) -> None:
    """Append the records from `start` on to `items`; raises `Malformed` at the first that is none."""
    in_round = 0
    while start < len(data):
        run = _RUN.match(data, start)
        try:
            if run is not None:
                end = run.end()
                record: Record = Actions(tuple([_action(one, seats) for one in _ACTION.findall(data, start, end)]))
            else:
                record, end = _read_other(data, start, seats)
        except ShapeError as error:
            raise Malformed(str(error), _seat_fault(data, start, seats) if run is not None else start) from None
        match record:
            case Actions():
                in_round += len(record.actions)
            case Deal():
                in_round = 0
            case Clocked():
                in_round += 1
            case _:
                pass
        if in_round > MAX_ROUND_ACTIONS:
            raise Malformed(f"more than {MAX_ROUND_ACTIONS} actions in one round", start)
        items.append(Item(start, end, record))
        start = end


def _seat_fault(data: bytes, start: int, seats: int) -> int:
    """Return where in a run the first action of a seat that does not exist begins."""
    for found in _ACTION.finditer(data, start):
        try:
            _action(found.group(), seats)
        except ShapeError:
            return found.start()
    return start


def _read_other(data: bytes, start: int, seats: int) -> tuple[Record, int]:
    """Return the record at `start` that is no run of small actions: a list, or a record with clock marks."""
    head = data[start]
    if head in _MARKS or head in _MARKERS:
        return _read_clocked(data, start, seats)
    if head < 0x80 or head >= 0xE0:
        what = "a card without a head" if head < 0x40 else "a head without its cards"
        raise Malformed("an integer that is no action" if head >= 0x80 else what, start)
    value, end = unpack_value(data, start)
    return read_record(value, seats), end


def _read_clocked(data: bytes, start: int, seats: int) -> tuple[Clocked, int]:
    tenths, seat, at = None, None, start
    if data[at] in _MARKS:
        mark, at = _value_from(data, at)
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
    action = _ACTION.match(data, at)
    if action is not None:
        return Clocked(tenths, seat, Actions((_action(action.group(), seats),))), action.end()
    value, end = _value_from(data, at)
    record = read_record(value, seats)
    if not isinstance(record, Actions | Exchange | SeatEvent) or (seat is not None and isinstance(record, SeatEvent)):
        raise ShapeError("a clock mark before a record that takes none")
    return Clocked(tenths, seat, record), end


def _value_from(data: bytes, at: int) -> tuple[object, int]:
    """Return the value at `at`, inside a record; what is wrong with it is wrong with the whole record."""
    try:
        return unpack_value(data, at)
    except Malformed as error:
        raise ShapeError(error.what) from None


def encode_action(action: Action) -> bytes:
    """Return the bytes of one action."""
    if action.kind == PASS:
        return bytes([0xFF - action.seat])
    if action.kind == SET:
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
