"""The match log as bytes: one encoding for each log, and for anything else the byte where it stops being one."""

from __future__ import annotations

import hashlib
import tracemalloc
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairdeal.codec
from fairdeal.cards import JOKER_RANK, NO_RANK, common_rank
from fairdeal.codec import Log, encode_action, encode_log, encode_record
from fairdeal.commit import terms_hash
from fairdeal.errors import Cut, Malformed, Unsupported
from fairdeal.limits import MAX_INT, MAX_LISTS, MAX_LOG_BYTES, MAX_ROUND_ACTIONS, MAX_SEAT_EVENTS
from fairdeal.records import (
    BIG_SET,
    SET,
    STRAIGHT,
    Action,
    Actions,
    Commitment,
    Deal,
    Exchange,
    Presence,
    Record,
    SeatEvent,
    Terms,
    Timing,
    pass_action,
    set_action,
    timed,
)
from fairdeal.settings import SeatKind
from fairdeal.values import canonical, value_at
from fairdeal.wire import record_value
from tests.strategies import (
    logs,
    many,
    runs,
    short_marks,
    simulated,
    single,
    small_actions,
    some,
    timings,
    with_clock,
)
from tests.test_wire import RECORDS, VALUES, at_path, paths, with_value

TERMS: Terms = simulated().terms
FIRST = encode_record(TERMS)
AFTER = len(FIRST)
DEAL = Deal(1, 0, bytes(16))
KINDS = {
    "c0": "nil",
    "c2": "false",
    "c3": "true",
    "c1": "never used",
    "80": "map",
    "de0000": "map16",
    "df00000000": "map32",
}
KINDS |= {"ca00000000": "float32", "cb0000000000000000": "float64", "cb3ff0000000000000": "one as a float"}
KINDS |= {"d40100": "ext", "c70001": "empty ext", "d6ff00000000": "timestamp", "d7ff0000000000000000": "timestamp64"}
KINDS |= {"c70cff000000000000000000000000": "timestamp96", "810101": "map of one"}


def tree(depth: int) -> bytes:
    """Return lists of 32 lists each, `depth` of them deep, the lowest empty."""
    return b"\xdc\x00\x20" + tree(depth - 1) * 32 if depth else b"\x90"


# type -> first short head, how many lengths it has, and the heads with lengths of one (no list), two and four bytes
HEADS: dict[str, tuple[int, int, bytes]] = {
    "str": (0xA0, 32, b"\xd9\xda\xdb"),
    "bytes": (0, 0, b"\xc4\xc5\xc6"),
    "list": (0x90, 16, b"\xdc\xdd"),
}
NORMAL_FORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
BOMBS = {
    "lists in lists": b"\x91" * 4_000,
    "more lists in lists": b"\x91" * 500_000,
    "lists of lists": b"\xdc\x00\x20" * 5_000,
    "a tree of empty lists": tree(4),
    "array32 of 2**32": b"\xdd\xff\xff\xff\xff",
    "array32 of 2**24": b"\xdd\x01\x00\x00\x00",
    "bin32 of 2**24": b"\xc6\x01\x00\x00\x00",
    "array16 of 2**16": b"\xdc\xff\xff",
    "array32 of 2**32, begun": b"\xdd\xff\xff\xff\xff" + b"\x01" * 100_000,
    "array32 in array32": b"\xdd\xff\xff\xff\xff" * 1_000,
    "str32 of 2**32": b"\xdb\xff\xff\xff\xff",
    "str32 of 2**32, begun": b"\xdb\xff\xff\xff\xff" + b"a" * 100_000,
    "bin32 of 2**32": b"\xc6\xff\xff\xff\xff",
    "bin16 of 2**16": b"\xc5\xff\xff" + bytes(65_535),
    "map32 of 2**32": b"\xdf\xff\xff\xff\xff",
    "ext32 of 2**32": b"\xc9\xff\xff\xff\xff\x01",
    "a list of bombs": b"\x92\x01\xdd\xff\xff\xff\xff",
    "maps in maps": b"\x81\x01" * 50_000,
    "clock marks": b"\xcc\x80" * 100_000,
    "clock markers": b"\xf0" * 100_000,
    "cards": bytes(100_000),
    "heads": b"\x47" * 100_000,
}


def after(body: bytes) -> Log:
    """Return the log of sound terms and any bytes."""
    return Log(FIRST + body)


def breaks(body: bytes, offset: int) -> Log:
    """Return the log of sound terms and `body`, after checking that it breaks at that byte of the body."""
    log = after(body)
    assert isinstance(log.broken, Malformed)
    assert log.broken.offset == AFTER + offset
    return log


def ends_of(records: Sequence[Record]) -> list[int]:
    """Return where each record ends, single actions counted."""
    ends, offset = [], 0
    for record in single(records):
        offset += len(encode_record(record))
        ends.append(offset)
    return ends


def samples() -> dict[str, Sequence[Record]]:
    """Return sound logs: plain, large, sealed and signed, and with clock marks and markers."""
    return {
        "plain": simulated().records,
        "three seats": simulated(3).records,
        "eight seats": simulated(8, 1).records,
        "sealed": simulated(4, 1, sealed=True, signed=True).records,
        "clock": with_clock(),
    }


SAMPLES = samples()
by_sample = pytest.mark.parametrize("records", SAMPLES.values(), ids=SAMPLES.keys())


@given(logs())
@some
def test_records_survive_encoding(log: tuple[Terms, list[Record]]) -> None:
    """Any records of lawful shape, in any order, come back as they were, offsets without gaps, and bytes equal."""
    first, records = log
    data = encode_log([first, *records])
    decoded = Log(data)
    assert decoded.broken is None
    assert decoded.terms == first
    assert [item.record for item in decoded.items] == records
    assert [item.start for item in decoded.items] == [decoded.terms_end, *(item.end for item in decoded.items)][:-1]
    assert decoded.size == len(data)
    assert encode_log([decoded.terms, *(item.record for item in decoded.items)]) == data


@by_sample
def test_sound_logs_come_back(records: Sequence[Record]) -> None:
    """Whole simulated matches decode to their records, and their hashes are of the bytes received."""
    data = encode_log(records)
    log = Log(data)
    assert log.broken is None
    assert [log.terms, *(item.record for item in log.items)] == runs(records)
    assert log.terms_hash == terms_hash(data[: log.terms_end])


@pytest.mark.parametrize("seats", range(3, 9))
def test_simulated_logs_are_what_was_simulated(seats: int) -> None:
    """The bytes a simulation writes record by record are those of its whole log, at every size of table."""
    done = simulated(seats, 1)
    assert bytes(done.data) == encode_log(done.records)
    assert Log(bytes(done.data)).terms == done.terms


@pytest.mark.parametrize("seat", range(4))
def test_actions_take_the_bytes_they_should(seat: int) -> None:
    """A pass is one byte, a set its head and one byte a card; bigger sets and straights are lists."""
    assert encode_action(pass_action(seat)) == bytes([0xFF - seat])
    for count in range(1, 9):
        assert encode_action(set_action(seat, bytes([4] * count))) == bytes([56 + 8 * count + seat] + [4] * count)
    for count in range(9, 13):
        played = bytes([4] * count)
        assert encode_action(set_action(seat, played)) == canonical([7, seat, *played])
    assert encode_action(Action(STRAIGHT, seat, b"\0\4\10", -1)) == canonical([8, seat, 0, 4, 8])


@by_sample
def test_a_log_cut_anywhere(records: Sequence[Record]) -> None:
    """Cut at a record's end a log only has fewer records; cut inside one it is cut at that record's first byte.

    There `size` stands too, which is where a writer goes on, and what stood before is still handed out.
    """
    data = encode_log(records)
    ends = ends_of(records)
    for cut in range(len(data)):
        if cut < ends[0]:
            with pytest.raises(Cut) as caught:
                Log(data[:cut])
            assert caught.value.offset == 0
            continue
        log = Log(data[:cut])
        whole = max(end for end in ends if end <= cut)
        assert log.size == whole
        assert encode_log([log.terms, *(item.record for item in log.items)]) == data[:whole]
        if whole == cut:
            assert log.broken is None
        else:
            assert isinstance(log.broken, Cut)
            assert log.broken.offset == whole


@given(logs(6), st.data())
@some
def test_any_log_cut_inside_a_record_may_go_on(log: tuple[Terms, list[Record]], data: st.DataObject) -> None:
    """Whatever the records, cut inside the last one they end in `Cut`, and with it whole they do not."""
    first, records = log
    whole = encode_log([first, *records])
    start = max([0, *(end for end in ends_of([first, *records]) if end < len(whole))])
    cut = data.draw(st.integers(start, len(whole) - 1))
    if not start:
        with pytest.raises(Cut):
            Log(whole[:cut])
    else:
        decoded = Log(whole[:cut])
        assert decoded.size == start
        assert isinstance(decoded.broken, Cut) is (cut > start)


NO_BEGINNINGS = {
    "a card without a head": "05",
    "a head with a head for a card": "484040",
    "a head with a face beyond the jokers": "4036",
    "a head with a face beyond the jokers, and more to come": "5036",
    "a head of a seat that is not there": "44",
    "a pass of a seat that is not there": "fb",
    "a marker of a seat that is not there": "f3",
    "a mark and a marker of a seat that is not there": "cc80f3",
    "an integer between actions and markers": "e0",
    "a mark and a card without a head": "cc8005",
    "a mark and a head with a face beyond the jokers": "cc805036",
    "a mark and a head of a seat that is not there": "cc804c",
    "a mark too small": "cc7f",
    "two marks": "cc80cc80",
    "two marks, cut": "cc80f7cd",
    "a text, cut": "a5414243",
    "bytes, cut": "c42000",
    "a map, cut": "81",
    "a float, cut": "cb00",
    "an extension, cut": "d6ff00",
    "a negative integer, cut": "d1ff",
    "a list of a kind that is not there, cut": "920c",
    "a long list of a kind that is not there, cut": "dc00140c",
    "a list of lists, cut": "9291",
    "a list longer than any": "ddffffffff",
}


@pytest.mark.parametrize("body", NO_BEGINNINGS.values(), ids=NO_BEGINNINGS)
def test_garbage_is_not_taken_for_a_cut_log(body: str) -> None:
    """What no further byte could make good is malformed, also as the last bytes of a log and behind a whole action."""
    for before in (b"", b"\xff", b"\xcc\x80\xff"):
        log = breaks(before + bytes.fromhex(body), len(before))
        assert not isinstance(log.broken, Cut)


@by_sample
def test_boundaries_are_the_ends_of_records(records: Sequence[Record]) -> None:
    """For every offset past the terms the last record that ends there or before, single actions counted."""
    data = encode_log(records)
    ends = ends_of(records)
    log = Log(data)
    for offset in range(ends[0], len(data) + 3):
        assert log.boundary(offset) == max(end for end in ends if end <= offset)


@given(logs(), st.data())
@some
def test_boundaries_of_any_log(log: tuple[Terms, list[Record]], data: st.DataObject) -> None:
    """The same for records of any kind and order."""
    first, records = log
    ends = ends_of([first, *records])
    offset = data.draw(st.integers(ends[0], ends[-1]))
    assert Log(encode_log([first, *records])).boundary(offset) == max(end for end in ends if end <= offset)


@by_sample
def test_digests_are_of_the_bytes_received(records: Sequence[Record]) -> None:
    """The digest of a prefix is plain SHA-256 of it, cut inside records too."""
    data = encode_log(records)
    log = Log(data)
    for offset in range(0, len(data) + 1, 7):
        assert log.digest(offset) == hashlib.sha256(data[:offset]).digest()
    assert log.digest(len(data)) == hashlib.sha256(data).digest()


def heads(value: Any) -> list[bytes]:
    """Return every head that MessagePack has for a value, of integers the whole of it, whether or not the shortest."""
    if isinstance(value, int):
        numbers = [("cc", 1, False), ("cd", 2, False), ("ce", 4, False), ("cf", 8, False)]
        numbers += [("d0", 1, True), ("d1", 2, True), ("d2", 4, True), ("d3", 8, True)]
        found = [canonical(value)] if -32 <= value < 128 else []
        for prefix, size, signed in numbers:
            low, high = (-(1 << 8 * size - 1), 1 << 8 * size - 1) if signed else (0, 1 << 8 * size)
            if low <= value < high:
                found.append(bytes.fromhex(prefix) + value.to_bytes(size, "big", signed=signed))
        return found
    length = len(value.encode()) if isinstance(value, str) else len(value)
    fixed, limit, codes = HEADS[type(value).__name__]
    found = [bytes([fixed + length])] if length < limit else []
    for code, width in zip(codes, (1, 2, 4)[-len(codes) :], strict=True):
        if length < 1 << 8 * width:
            found.append(bytes([code]) + length.to_bytes(width, "big"))
    return found


def packed(value: Any, place: tuple[int, ...] | None = None, head: bytes = b"") -> bytes:
    """Return MessagePack of a value with the one head at `place` given, all others the shortest."""
    first = head if place == () else min(heads(value), key=len)
    if isinstance(value, int):
        return first
    if isinstance(value, list):
        inner = [packed(one, place[1:] if place and place[0] == at else None, head) for at, one in enumerate(value)]
        return first + b"".join(inner)
    return first + (value.encode() if isinstance(value, str) else value)


@given(logs(3))
@some
def test_packing_by_hand_is_canonical(log: tuple[Terms, list[Record]]) -> None:
    """The encoding is MessagePack with the shortest head at every place, as written out here."""
    for record in log[1]:
        if type(record) in {type(one) for one in RECORDS}:
            assert packed(record_value(record)) == encode_record(record)
    assert packed(record_value(log[0])) == encode_record(log[0])


@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"kind-{value[0]}")
def test_longer_spellings_of_a_record_are_malformed(value: Any) -> None:
    """Each value of each record in every longer spelling breaks the log at that record's first byte."""
    before, behind = encode_record(Commitment(bytes(32))), encode_record(DEAL)
    assert after(before + packed(value) + behind).broken is None
    for place in paths(value):
        for head in heads(at_path(value, place)):
            spelled = packed(value, place, head)
            if spelled != packed(value):
                log = breaks(before + spelled + behind, len(before))
                assert [item.record for item in log.items] == [Commitment(bytes(32))]


def test_longer_spellings_of_the_terms_are_malformed() -> None:
    """The same of the terms, where the log has not begun."""
    value = record_value(replace(TERMS, sequence=300, operator_key=bytes(32)))
    for place in paths(value):
        for head in heads(at_path(value, place)):
            spelled = packed(value, place, head)
            if spelled != packed(value):
                with pytest.raises(Malformed) as caught:
                    Log(spelled)
                assert caught.value.offset == 0


@pytest.mark.parametrize("encoded", KINDS)
def test_foreign_types_are_malformed(encoded: str) -> None:
    """Nil, bools, floats, maps, extensions and timestamps are refused, as a record and at each place of one."""
    foreign = bytes.fromhex(encoded)
    pause = encode_record(Commitment(bytes(32)))
    breaks(pause + foreign, len(pause))
    breaks(pause + foreign + pause, len(pause))
    breaks(pause + b"\xcc\x80" + foreign, len(pause))
    breaks(pause + b"\xf7" + foreign, len(pause))
    for value in VALUES:
        parts = [packed(one) for one in value]
        for at in range(len(parts)):
            body = packed(value)[:1] + b"".join([*parts[:at], foreign, *parts[at + 1 :]])
            breaks(pause + body + pause, len(pause))
        longer = bytes([packed(value)[0] + 1]) + b"".join([*parts, foreign])
        if len(value) < 15:
            breaks(pause + longer + pause, len(pause))
    for place in paths(record_value(TERMS)):
        if place and len(place) < 3:
            with pytest.raises(Malformed):
                Log(packed(with_value(record_value(TERMS), place, 0), place, foreign))


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_go_off_harmlessly(name: str) -> None:
    """Claims of huge lists and deep nesting break the log at the record they stand in and take little memory."""
    bomb = BOMBS[name]
    pause = encode_record(Commitment(bytes(32)))
    tracemalloc.start()
    try:
        breaks(pause + bomb, len(pause))
        with pytest.raises(Malformed) as caught:
            Log(bomb)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert caught.value.offset == 0
    assert peak < 8 * 2**20


@pytest.mark.parametrize(
    "form",
    [b"\xff", b"\x40\x00", b"\x78" + bytes(8), b"\xcc\x80\xff", b"\xf7\xff", b"\xff\xf7\xff"],
    ids=["passes", "singles", "eights", "marks", "markers", "mixed"],
)
def test_too_many_actions_take_little_memory(form: bytes) -> None:
    """A mebibyte of actions in one round is refused without holding a record of each."""
    data = FIRST + encode_record(DEAL) + form * (2**20 // len(form))
    tracemalloc.start()
    try:
        log = Log(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(log.broken, Malformed)
    assert peak < 16 * 2**20


@pytest.mark.parametrize("value", range(256))
def test_every_first_byte_of_a_record(value: int) -> None:
    """A byte alone is a pass of a seat that is there, or breaks the log where it stands, never another error."""
    pause = encode_record(Commitment(bytes(32)))
    if value >= 0xFC:
        assert after(pause + bytes([value])).broken is None
    else:
        breaks(pause + bytes([value]), len(pause))


@pytest.mark.parametrize("face", range(64))
def test_a_card_without_a_head_is_malformed(face: int) -> None:
    """Small integers that no head announced are no record: at the start, after a full set and after a pass."""
    breaks(bytes([face]), 0)
    breaks(b"\x40\x00" + bytes([face]), 2)
    breaks(b"\x48\x00\x01" + bytes([face]) + b"\xff", 3)
    breaks(b"\xff" + bytes([face]), 1)


@given(st.integers(1, 8), st.integers(0, 3), st.data())
@some
def test_a_head_without_its_cards_is_malformed(count: int, seat: int, data: st.DataObject) -> None:
    """A head whose cards end early, by the end of the file or by something else, breaks the log at the head."""
    head = bytes([56 + 8 * count + seat])
    played = bytes(data.draw(st.lists(st.integers(0, 53), min_size=count, max_size=count)))
    before = b"\xff\x40\x00\xfe"
    assert after(before + head + played).broken is None
    given_cards = played[: data.draw(st.integers(0, count - 1))]
    wrong = data.draw(st.one_of(st.just(b""), st.integers(54, 255).map(lambda byte: bytes([byte]))))
    log = breaks(before + head + given_cards + wrong, len(before))
    assert log.size == AFTER + len(before)
    assert isinstance(log.items[0].record, Actions)
    assert len(log.items[0].record.actions) == 3


@pytest.mark.parametrize("seat", range(4, 8))
def test_a_seat_that_does_not_exist_ends_a_run(seat: int) -> None:
    """An action of a fifth seat at a table of four breaks the log there, and all actions before it are handed out."""
    before = b"\xff\x40\x00\xfe\xfd"
    for action in (bytes([0x40 + seat, 0]), bytes([0x48 + seat, 0, 1]), bytes([0xFF - seat])):
        for behind in (b"", b"\xff\xff", encode_record(DEAL)):
            log = breaks(before + action + behind, len(before))
            assert log.size == AFTER + len(before)
            assert sum(len(item.record.actions) for item in log.items if isinstance(item.record, Actions)) == 4


@given(logs(4), st.binary(min_size=1, max_size=12))
@some
def test_size_is_where_a_broken_log_breaks(log: tuple[Terms, list[Record]], tail: bytes) -> None:
    """Whatever follows sound records, those records stand, and `size` is the byte that the error names."""
    first, records = log
    data = encode_log([first, *records])
    decoded = Log(data + tail)
    assert decoded.size >= len(data)
    assert encode_log([decoded.terms, *(item.record for item in decoded.items)]) == (data + tail)[: decoded.size]
    if decoded.broken is None:
        assert decoded.size == len(data + tail)
    else:
        assert isinstance(decoded.broken, Malformed)
        assert decoded.broken.offset == decoded.size


ONE_PASS = Actions((pass_action(1),))
GIFT, LEFT = Exchange(0, 1, b"\1"), SeatEvent(1, Presence.LEFT, SeatKind.EASY)
BIG = Actions((set_action(1, bytes([4] * 9)),))


@pytest.mark.parametrize(
    ("record", "encoded"),
    [
        (timed(Timing(0, None), ONE_PASS), "cc80fe"),
        (timed(Timing(127, None), ONE_PASS), "ccfffe"),
        (timed(Timing(128, None), ONE_PASS), "cd0100fe"),
        (timed(Timing(65_407, None), ONE_PASS), "cdfffffe"),
        (timed(Timing(65_408, None), ONE_PASS), "ce00010000fe"),
        (timed(Timing(2**32 - 128, None), ONE_PASS), "cf0000000100000000fe"),
        (timed(Timing(MAX_INT - 128, None), ONE_PASS), "cf001ffffffffffffffe"),
        (timed(Timing(None, 0), ONE_PASS), "f7fe"),
        (timed(Timing(None, 3), ONE_PASS), "f4fe"),
        (timed(Timing(5, 1), ONE_PASS), "cc85f6fe"),
        (timed(Timing(5, 1), Actions((set_action(1, b"\1\2"),))), "cc85f6490102"),
        (timed(Timing(5, 1), BIG), "cc85f69b0701" + "04" * 9),
        (timed(Timing(5, None), Actions((Action(STRAIGHT, 1, b"\0\4\10", -1),))), "cc859508010004" + "08"),
        (timed(Timing(5, 1), GIFT), "cc85f69406000101"),
        (timed(Timing(None, 1), GIFT), "f69406000101"),
        (timed(Timing(5, None), LEFT), "cc859409010201"),
    ],
)
def test_clock_marks_and_markers(record: Record, encoded: str) -> None:
    """A mark, a marker, or both stand before an action, an exchange or a seat event and make one record with it."""
    data = bytes.fromhex(encoded)
    assert encode_record(record) == data
    log = after(data)
    assert log.broken is None
    assert [item.record for item in log.items] == [record]
    for cut in range(1, len(data)):
        breaks(data[:cut], 0)


@pytest.mark.parametrize(
    "encoded",
    [
        "cc80",
        "f7",
        "cc80f7",
        "cc80cc80fe",
        "f7f7fe",
        "f7cc80fe",
        "cc7ffe",
        "cc00fe",
        "cd0080fe",
        "cd00fffe",
        "ce00000080fe",
        "ce0000fffffe",
        "cf00000000000000fffe",
        "cf00000000fffffffffe",
        "cf0020000000000000fe",
        "cfffffffffffffffffff",
        "d10080fe",
        "f3fe",
        "f0fe",
        "cc80f0fe",
        "cc80fb",
        "cc80f7fb",
        "cc804400",
        "cc80f7" + "4700",
        "cc8000",
        "cc8035",
        "cc8040",
        "cc804036",
        "cc80e0",
        "cc8091",
        "cc80c0",
        "f79409010201",
        "cc80f79409010201",
        "cc80" + canonical([1, bytes(32)]).hex(),
        "f7" + canonical([1, bytes(32)]).hex(),
        "cc80" + encode_record(DEAL).hex(),
        "f7" + encode_record(DEAL).hex(),
        "cc80" + canonical(VALUES[7]).hex(),
        "cc80" + canonical(VALUES[8]).hex(),
        "cc80" + canonical(VALUES[3]).hex(),
    ],
)
def test_what_no_clock_writes(encoded: str) -> None:
    """Marks and markers twice, in the other order, too large, too long, for nobody, before nothing or before others."""
    log = breaks(b"\xff" + bytes.fromhex(encoded), 1)
    assert log.size == AFTER + 1


def short_timed() -> st.SearchStrategy[Actions]:
    """Return one small action of a table of four with a mark of up to three bytes, a marker, or both."""
    return st.builds(Actions, st.tuples(small_actions(4)), st.tuples(timings(4, short_marks)))


@given(st.lists(short_timed(), min_size=1, max_size=12), st.sampled_from(["", "ff", "cc80f7", "cd", "00", "c0"]))
@some
def test_a_timed_run_is_one_record(run: list[Actions], tail: str) -> None:
    """Marks of two and three bytes and markers, mixed, before sets and passes: one record, a boundary after each."""
    data = encode_log(run)
    log = after(data + bytes.fromhex(tail))
    expected = runs(run)
    assert len(expected) == 1
    assert [item.record for item in log.items[:1]] == expected
    assert log.items[0].end == AFTER + len(data)
    ends = [AFTER, *(AFTER + len(encode_log(run[:count])) for count in range(1, len(run) + 1))]
    for offset in range(AFTER, AFTER + len(data) + 1):
        assert log.boundary(offset) == max(end for end in ends if end <= offset)


@pytest.mark.parametrize(
    ("encoded", "sizes"),
    [
        ("ff cc80ff", [1, 1]),
        ("ff fe cc80ff cd0100f6fe f5fd fc", [2, 3, 1]),
        ("cc80ff ce00010000fe cc80ff cc80ff", [1, 1, 2]),
        ("ce00010000ff ce00010000fe", [1, 1]),
        ("f7ff f6 9b0701 040404040404040404 f6fe", [1, 1, 1]),
        ("cc80ff cc80 9508010004 08 cc80fd", [1, 1, 1]),
        ("cc80ff cc80 9409010201 cc80fd fd", [1, 1, 1, 1]),
    ],
)
def test_where_one_run_ends_and_the_next_begins(encoded: str, sizes: list[int]) -> None:
    """A run is timed or not; a mark of five bytes or more, a bigger play and anything else stand alone."""
    log = after(bytes.fromhex(encoded))
    assert log.broken is None
    found = [len(item.record.actions) if isinstance(item.record, Actions) else 1 for item in log.items]
    assert found == sizes
    assert runs(item.record for item in log.items) == [item.record for item in log.items]


MIXED = [b"\xff", b"\x40\x00", b"\xcc\x80\xff", b"\xcd\xff\xff\xf7\x40\x00", b"\xf7\xff", b"\xce\0\1\0\0\xff"]
MIXED += [encode_record(BIG), b"\xf7" + encode_record(BIG), encode_action(Action(STRAIGHT, 0, b"\0", 0))]


@pytest.mark.parametrize("one", MIXED, ids=[one.hex() for one in MIXED])
@pytest.mark.parametrize("full", [b"\xff", b"\xcc\x80\xff", b"\xf7\xff", b"\xcd\x01\0\xff\xf6\xff"])
def test_a_round_has_at_most_4096_actions(full: bytes, one: bytes) -> None:
    """The 4,097th action of a round breaks the log where it stands, timed or not; the next deal counts anew."""
    deal = encode_record(DEAL)
    assert MAX_ROUND_ACTIONS == 4_096
    each = 2 if full.startswith(b"\xcd") else 1
    most = full * (MAX_ROUND_ACTIONS // each)
    assert after(deal + most + deal + most).broken is None
    log = breaks(deal + most + one, len(deal + most))
    assert log.size == AFTER + len(deal + most)
    assert not isinstance(log.broken, Cut)
    fewer = full * (MAX_ROUND_ACTIONS // each - 1)
    begun = deal + fewer + one * each
    log = breaks(begun + one + one, len(begun))
    assert log.size == AFTER + len(begun)


@given(st.lists(st.sampled_from(MIXED), min_size=1, max_size=8))
@settings(max_examples=15, deadline=None)
def test_the_room_of_a_round_is_for_actions_of_every_form(forms: list[bytes]) -> None:
    """However stretches of timed and plain actions follow each other, the first 4,096 are handed out and no more."""
    body = encode_record(DEAL) + b"".join(forms * (MAX_ROUND_ACTIONS // len(forms)))
    rest = MAX_ROUND_ACTIONS - len(forms) * (MAX_ROUND_ACTIONS // len(forms))
    body += b"".join(forms[:rest])
    assert after(body).broken is None
    log = breaks(body + b"".join(forms), len(body))
    assert sum(len(item.record.actions) for item in log.items if isinstance(item.record, Actions)) == MAX_ROUND_ACTIONS


@pytest.mark.parametrize("event", [encode_record(LEFT), b"\xcc\x80" + encode_record(LEFT)], ids=["plain", "marked"])
def test_there_are_at_most_64_seat_events_before_a_deal(event: bytes) -> None:
    """The 65th breaks the log where it stands, wherever the others stood; each deal counts anew."""
    deal, gift, action = encode_record(DEAL), encode_record(GIFT), b"\xcc\x80\xff"
    assert MAX_SEAT_EVENTS == 64
    half = event * (MAX_SEAT_EVENTS // 2)
    assert after(half + half + deal + half + gift + half + deal + half).broken is None
    for body in (half + half, deal + half + action + gift + half, deal + half + half + deal + half + action + half):
        log = breaks(body + event + action, len(body))
        assert log.size == AFTER + len(body)
        assert not isinstance(log.broken, Cut)


def test_seat_events_take_no_room_of_lists_or_actions() -> None:
    """Each limit has a count of its own."""
    gifts = encode_record(GIFT) * (MAX_LISTS - 1)
    body = encode_record(DEAL) + gifts + encode_record(LEFT) * MAX_SEAT_EVENTS + b"\xff" * MAX_ROUND_ACTIONS
    assert after(body).broken is None
    breaks(body + encode_record(GIFT), len(body))
    breaks(body + b"\xcc\x80" + encode_record(GIFT), len(body))


def test_a_log_has_at_most_1000_rounds() -> None:
    """No match has more rounds than a ticket can name: the 1,001st deal breaks the log where it stands."""
    deal = encode_record(DEAL)
    assert after(deal * 1_000).broken is None
    log = breaks(deal * 1_001, len(deal) * 1_000)
    assert len(log.items) == 1_000


def test_a_log_has_at_most_16_mebibytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """One byte more than the limit and nothing is read; the limit itself is allowed."""
    assert MAX_LOG_BYTES == 16 * 2**20
    with pytest.raises(Malformed, match="more than 16777216 bytes"):
        Log(FIRST + bytes(MAX_LOG_BYTES + 1 - AFTER))
    data = bytes(simulated().data)
    monkeypatch.setattr(fairdeal.codec, "MAX_LOG_BYTES", len(data))
    assert Log(data).broken is None
    with pytest.raises(Malformed, match="more than"):
        Log(data + b"\xff")


@pytest.mark.parametrize("protocol", ["fairdeal/v2", "fairdeal/v10", "FAIRDEAL/V1", "x"])
@pytest.mark.parametrize("tail", [b"", b"\xc1\xc1", bytes(50)])
def test_another_protocol_is_unsupported(protocol: str, tail: bytes) -> None:
    """A log of another protocol is not malformed, whatever stands after its terms."""
    value = with_value(record_value(TERMS), (1,), protocol)
    with pytest.raises(Unsupported, match="protocol"):
        Log(canonical(value) + tail)


@pytest.mark.parametrize(
    "data", [b"", b"\0", b"\xff", b"\x90", b"\x91\x00", b"\x91\x01", b"\xa0", b"PK\3\4", b"{}", b"\xef\xbb\xbf"]
)
def test_what_is_no_log_at_all(data: bytes) -> None:
    """Without terms there is no log: malformed at its first byte."""
    with pytest.raises(Malformed) as caught:
        Log(data)
    assert caught.value.offset == 0


@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"kind-{value[0]}")
def test_no_log_begins_with_another_record(value: Any) -> None:
    """Only terms begin a log."""
    with pytest.raises(Malformed):
        Log(canonical(value) + FIRST)


@pytest.mark.parametrize("kind", [0, 12, 13, 31, 127, 128, -1, -33])
def test_unknown_kinds_are_malformed(kind: int) -> None:
    """Version 1 is closed: a list of a kind it does not know breaks the log, and so do terms in the middle."""
    pause = encode_record(Commitment(bytes(32)))
    breaks(pause + canonical([kind, bytes(32)]) + pause, len(pause))
    breaks(pause + FIRST, len(pause))


@pytest.mark.parametrize(
    "octets",
    [
        "ff414243",
        "c0804142",
        "e0808041",
        "eda08041",
        "edb08041",
        "f5808080",
        "f4908080",
        "c3414243",
        "414243c3",
        "80414243",
    ],
)
def test_texts_that_are_no_utf8_are_malformed(octets: str) -> None:
    """Stray, overlong, cut and out-of-range sequences and surrogates are refused and never replaced."""
    named = encode_record(replace(TERMS, seats=(replace(TERMS.seats[0], name="ABCD"), *TERMS.seats[1:])))
    assert Log(named).terms.seats[0].name == "ABCD"
    with pytest.raises(Malformed) as caught:
        Log(named.replace(b"\xa4ABCD", b"\xa4" + bytes.fromhex(octets)))
    assert caught.value.offset == 0


@pytest.mark.parametrize("octets", ["00414243", "4142431b", "41420a43", "7f414243", "c2804142", "4142c29f", "41c28542"])
def test_control_characters_are_malformed(octets: str) -> None:
    """A name that could steer a terminal makes the terms malformed."""
    named = encode_record(replace(TERMS, seats=(replace(TERMS.seats[0], name="ABCD"), *TERMS.seats[1:])))
    with pytest.raises(Malformed) as caught:
        Log(named.replace(b"\xa4ABCD", b"\xa4" + bytes.fromhex(octets)))
    assert caught.value.offset == 0


def test_composed_and_decomposed_names_are_two_matches() -> None:
    """Names that look the same keep their bytes and so give two terms hashes."""
    found = []
    for form in NORMAL_FORMS:
        name = unicodedata.normalize(form, "Zoë Ångström")
        log = Log(encode_record(replace(TERMS, seats=(replace(TERMS.seats[0], name=name), *TERMS.seats[1:]))))
        assert log.terms.seats[0].name.encode() == name.encode()
        found.append(log.terms_hash)
    assert found[0] != found[1]


@given(st.integers(9, 12), st.lists(st.integers(0, 53), min_size=12, max_size=12), st.integers(0, 3))
@some
def test_ranks_are_given_to_sets_in_their_one_order(count: int, faces: list[int], seat: int) -> None:
    """Decoding gives an action the rank of its cards only where they are one ascending set."""
    for action in (set_action(seat, bytes(faces[:count])), set_action(seat, bytes(faces[: count - 8]))):
        (item,) = after(encode_action(action)).items
        assert item.record == Actions((action,))
        rank = common_rank(action.cards) if bytes(sorted(action.cards)) == action.cards else NO_RANK
        assert action.rank == (rank if action.kind == SET and rank < JOKER_RANK else NO_RANK)
    assert set_action(seat, bytes(faces[:count])).kind == BIG_SET


@given(st.binary(max_size=60), st.integers(0, 20))
@many
def test_a_value_is_canonical_or_malformed(data: bytes, start: int) -> None:
    """Any value that is taken from any bytes encodes to those bytes again."""
    refused: Malformed | None = None
    try:
        value, end = value_at(data, start)
    except Malformed as error:
        refused = error
    else:
        assert canonical(value) == data[start:end]
    assert refused is None or refused.offset == start


@cache
def fuzz_seeds() -> tuple[tuple[bytes, int], ...]:
    """Return short sound logs of every kind, each with the end of its terms."""
    short = [simulated(4, 1).data, simulated(3, 1, sealed=True, signed=True).data, simulated(8, 1).data]
    found = [bytes(data) for data in short]
    first, records = TERMS, RECORDS
    found += [encode_log([first, *records]), encode_log(with_clock(4))[:900]]
    return tuple((data, Log(data).terms_end) for data in found)


# heads, lengths and edges that decoders trip over
TRIPS = bytes.fromhex(
    "0035363f40474878797f80818f90919f dcdddedf c0c1c2c3c4c5c6c7 cacbcccdcecfd0d3d4d8d9dadb e0eff0f7f8fbfcff"
)


def fuzzed(number: int) -> bytes:
    """Return the input of this number: random bytes, random bytes after sound terms, or a sound log changed."""
    noise = hashlib.shake_128(number.to_bytes(8, "big")).digest(320)
    kind, size = noise[0], noise[1]
    if kind < 16:
        return noise[64 : 64 + size]
    sound, begin = fuzz_seeds()[noise[2] % len(fuzz_seeds())]
    if kind < 48:
        return sound[:begin] + noise[64 : 64 + size]
    data = bytearray(sound)
    for step in range(1 + noise[3] % 4):
        change, low, high, value, length, high_to, low_to = noise[4 + 7 * step : 11 + 7 * step]
        at = (low + 256 * high) % (len(data) + 1)
        if change & 128:
            at = max(at, min(begin, len(data)))
        to = (low_to + 256 * high_to) % (len(data) + 1)
        change_at(data, change % 8, at, to, value, length % 40)
    return bytes(data)


def change_at(data: bytearray, change: int, at: int, to: int, value: int, length: int) -> None:
    """Make one change to a log: flip, set, trip, cut out, put in, repeat elsewhere, or cut off."""
    match change:
        case 0:
            data[at : at + 1] = bytes(byte ^ 1 << value % 8 for byte in data[at : at + 1])
        case 1:
            data[at : at + 1] = bytes([value])
        case 2:
            data[at : at + 1] = TRIPS[value % len(TRIPS) :][:1]
        case 3:
            del data[at : at + length]
        case 4:
            data[at:at] = bytes([value])
        case 5:
            data[at:at] = TRIPS[value % len(TRIPS) :][: length % 5]
        case 6:
            data[to:to] = data[at : at + length]
        case _:
            del data[at + length * 4 :]


def withstand(numbers: range) -> int:
    """Decode the inputs of these numbers; return how many were logs to their last byte.

    Only `Malformed` and `Unsupported` may be raised, and every record handed out encodes to the bytes it came from.
    """
    sound = 0
    for number in numbers:
        data = fuzzed(number)
        try:
            log = Log(data)
        except (Malformed, Unsupported):
            continue
        assert encode_log([log.terms, *(item.record for item in log.items)]) == data[: log.size]
        if log.broken is None:
            sound += 1
            assert log.size == len(data)
        else:
            assert isinstance(log.broken, Malformed)
            assert log.size == log.broken.offset < len(data)
    return sound


def test_10_000_broken_logs() -> None:
    """Random bytes and changed logs raise nothing but what they may; some are sound, so the changes reach deep."""
    assert 250 < withstand(range(10_000)) < 9_500


@pytest.mark.full
def test_1_000_000_broken_logs() -> None:
    """The same a million times over, with inputs that the short run does not see."""
    assert 25_000 < withstand(range(20_000, 1_020_000)) < 950_000


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"PK\3\4 and so on", "a zip file"),
        (b"\x1f\x8b and so on", "a gzip file"),
        (b'{"format": "x"}', "a JSON document"),
        (b"<!doctype html>", "text"),
        (b"\n", "text"),
        (b"\x00", "no terms of a match: the integer `0`"),
    ],
)
def test_a_file_that_is_no_log_is_told_for_what_it_is(data: bytes, what: str) -> None:
    """By its first bytes, none of which begins a log."""
    with pytest.raises(Malformed, match=f"^{what} where a (match log|list) belongs at byte 0$") as refused:
        Log(data)
    assert refused.value.offset == 0
