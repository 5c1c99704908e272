"""Records to and from plain values: what is not exactly of the grammar's type, range and length is refused."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal import limits
from fairdeal.errors import Unsupported
from fairdeal.fields import Fields, ShapeError, refuse_other_kinds
from fairdeal.records import (
    BIG_SET,
    STRAIGHT,
    Action,
    Actions,
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
    Terms,
    play_action,
    set_action,
)
from fairdeal.settings import SeatKind
from fairdeal.wire import play_value, read_record, read_terms, record_value, terms_value
from tests.strategies import lists, logs, simulated, some, terms

H, S = bytes(32), bytes(64)
TERMS: Terms = simulated().terms
RECORDS: list[Record] = [
    Commitment(H),
    Sealed(3, H),
    Opened(3, H),
    Signature(4, S),
    Deal(1, 3, bytes(16)),
    Exchange(0, 3, bytes([1, 2])),
    SeatEvent(3, Presence.LEFT, SeatKind.BOT),
    RoundEnd((1, 2, 3, 4), (0, 1, 3, 4), (3, 2, 1, 0), H),
    Close(CloseReason.BY_RULE, None, H, (3, 2, 1, 0), (1, 2, 3, 4), H),
    Close(CloseReason.STOPPED, 2, H, (3, 2, 1, 0), (), H),
]
VALUES: list[Any] = [record_value(record) for record in RECORDS]
VALUES += [play_value(Action(BIG_SET, 3, bytes(range(9)), 0)), play_value(Action(STRAIGHT, 3, bytes([0, 4, 8]), 0))]
FOREIGN = [None, True, False, 1.0, -0.0, {}, {1: 1}, (), msgpack.ExtType(1, b""), msgpack.Timestamp(0)]
BOUNDS = [
    (VALUES[1], 1, 0, 3),
    (VALUES[2], 1, 0, 3),
    (VALUES[3], 1, 0, 4),
    (VALUES[4], 1, 1, 1_000),
    (VALUES[4], 2, 0, 3),
    (VALUES[5], 1, 0, 3),
    (VALUES[5], 2, 0, 3),
    (VALUES[5], 3, 0, 53),
    (VALUES[6], 1, 0, 3),
    (VALUES[6], 2, 0, 2),
    (VALUES[6], 3, 0, 4),
    (VALUES[7], 1, 1, 4),
    (VALUES[7], 5, 0, 4),
    (VALUES[7], 9, -limits.MAX_POINTS, limits.MAX_POINTS),
    (VALUES[8], 1, 0, 4),
    (VALUES[8], 2, -1, 3),
    (VALUES[10], 1, 0, 3),
    (VALUES[10], 2, 0, 53),
    (VALUES[11], 1, 0, 3),
    (VALUES[11], 4, 0, 53),
]

POINTS = limits.MAX_POINTS
TERMS_BOUNDS = [
    ((3,), 0, limits.MAX_INT),
    ((7,), 1, 1_000),
    ((8,), 0, 1),
    ((10,), 0, limits.MAX_INT),
    ((6, 0, 1), 0, 4),
    ((5, 1), 1, 2),
    ((5, 2), 0, 2),
    ((5, 3), 0, 2),
    ((5, 11), 0, 1),
    ((5, 17), 0, 18),
    ((5, 20, 0), -POINTS, POINTS),
    ((5, 21), -POINTS, POINTS),
    ((5, 25), 0, 86_400),
]


def with_value(value: Any, path: tuple[int, ...], new: Any) -> Any:
    """Return nested lists with the value at `path` replaced."""
    if not path:
        return new
    return [with_value(one, path[1:], new) if at == path[0] else one for at, one in enumerate(value)]


def paths(value: Any, before: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the path of every value in nested lists, lists before what they hold."""
    yield before
    if isinstance(value, list):
        for at, one in enumerate(value):
            yield from paths(one, (*before, at))


def at_path(value: Any, path: tuple[int, ...]) -> Any:
    """Return the value at `path` of nested lists."""
    return at_path(value[path[0]], path[1:]) if path else value


def read(value: Any) -> Record:
    """Return the record of a value at a table of four, terms or later record by its kind."""
    return read_terms(value) if isinstance(value, list) and value and value[0] == 0 else read_record(value, 4)


@given(logs())
@some
def test_values_give_their_record_back(log: tuple[Terms, list[Record]]) -> None:
    """Every record of any lawful content is read back from the list it is stored as."""
    first, records = log
    assert read_terms(terms_value(first)) == first
    assert record_value(first) == terms_value(first)
    for record in records:
        if type(record) in {type(one) for one in RECORDS}:
            assert read_record(record_value(record), len(first.seats)) == record


@given(st.integers(3, 8), st.data())
@some
def test_plays_stored_as_lists_come_back(seats: int, data: st.DataObject) -> None:
    """Big sets and straights keep seat, cards and their order."""
    seat, kind = data.draw(st.integers(0, seats - 1)), data.draw(st.sampled_from((BIG_SET, STRAIGHT)))
    played = bytes(data.draw(st.lists(st.integers(0, 53), min_size=9, max_size=12)))
    action = play_action(kind, seat, played)
    assert read_record(play_value(action), seats) == Actions((action,))


@pytest.mark.parametrize("value", [terms_value(TERMS), *VALUES], ids=lambda value: f"kind-{value[0]}")
def test_every_value_is_of_its_exact_type(value: Any) -> None:
    """At each place, however deep, only the type of the grammar is taken: no nil, bool, float, map or ext."""
    assert read(value)
    for path in list(paths(value)):
        old = at_path(value, path)
        others: list[Any] = [0, b"", "", []]
        for kind in others:
            if type(kind) is type(old):
                continue
            with pytest.raises(ShapeError):
                read(with_value(value, path, kind))
        for new in FOREIGN:
            with pytest.raises(ShapeError):
                read(with_value(value, path, new))


@pytest.mark.parametrize("value", [terms_value(TERMS), *VALUES], ids=lambda value: f"kind-{value[0]}")
def test_every_list_is_of_its_exact_length(value: Any) -> None:
    """No list may have a value too few or too many, save the cards of a play or an exchange."""
    for path in list(paths(value)):
        old = at_path(value, path)
        if not isinstance(old, list) or (not path and value[0] in (6, 7, 8)) or (value[0] == 0 and path == (6,)):
            continue
        for new in (old[:-1], [*old, 0], [*old, b""], [*old, None]):
            if not (new == [] and value[0] == 11) and new != old and not (value[0] == 0 and path == (5, 20)):
                with pytest.raises(ShapeError):
                    read(with_value(value, path, new))


@pytest.mark.parametrize("value", [[], [1], [0], *[value[:2] for value in VALUES[3:]]])
def test_lists_cut_short_are_refused(value: list[Any]) -> None:
    """A list that ends before its last value is no record."""
    with pytest.raises(ShapeError):
        read_record(value, 4)


@pytest.mark.parametrize(("value", "at", "low", "high"), BOUNDS)
def test_integers_stay_in_their_range(value: list[Any], at: int, low: int, high: int) -> None:
    """The ends of each range are taken, one beyond them is not."""
    for lawful in (low, high):
        assert read_record(with_value(value, (at,), lawful), 4)
    for wrong in (low - 1, high + 1, limits.MIN_INT - 1, limits.MAX_INT + 1):
        with pytest.raises(ShapeError):
            read_record(with_value(value, (at,), wrong), 4)


@pytest.mark.parametrize(("path", "low", "high"), TERMS_BOUNDS)
def test_integers_of_the_terms_stay_in_their_range(path: tuple[int, ...], low: int, high: int) -> None:
    """Sequence, rounds, policies and each kind of setting have their own range, taken to its ends."""
    value = terms_value(TERMS)
    for lawful in (low, high):
        assert read_terms(with_value(value, path, lawful))
    for wrong in (low - 1, high + 1):
        with pytest.raises(ShapeError):
            read_terms(with_value(value, path, wrong))


@pytest.mark.parametrize("value", [terms_value(TERMS), *VALUES], ids=lambda value: f"kind-{value[0]}")
def test_byte_strings_are_of_their_exact_length(value: Any) -> None:
    """A byte more or fewer is refused; only a key may be empty."""
    for path in list(paths(value)):
        old = at_path(value, path)
        if isinstance(old, bytes):
            is_key = value[0] == 0 and path != (2,)
            for new in (old + b"\0", old[:-1] if old else b"\0", b"\0" * 31, b"\0" * 33):
                with pytest.raises(ShapeError):
                    read(with_value(value, path, new))
            assert not is_key or read(with_value(value, path, H))


@pytest.mark.parametrize("kind", [0, 12, 13, 127, -1, limits.MAX_INT, b"\1", "1", None, [1]])
def test_other_kinds_are_refused(kind: object) -> None:
    """Version 1 is closed: a list of another kind, or terms in the middle, is no record."""
    with pytest.raises(ShapeError):
        read_record([kind, H], 4)
    with pytest.raises(ShapeError):
        read_record([kind, *VALUES[1][1:]], 4)


def test_kinds_keep_their_numbers() -> None:
    """The number of each kind is part of the format."""
    assert [value[0] for value in VALUES] == [1, 2, 3, 4, 5, 6, 9, 10, 11, 11, 7, 8]
    assert terms_value(TERMS)[:2] == [0, "fairdeal/v1"]


@given(st.integers(3, 7), st.data())
@some
def test_a_seat_must_sit_at_the_table(seats: int, data: st.DataObject) -> None:
    """What names the last of eight seats is refused at every smaller table."""
    record = data.draw(lists(8))
    named = {Sealed: "seat", Opened: "seat", Deal: "first", Exchange: "giver", SeatEvent: "seat", Close: "seat"}
    name = named.get(type(record))
    if name is not None:
        value: Any = record_value(record)
        at = {Deal: 2, Close: 2}.get(type(record), 1)
        with pytest.raises(ShapeError):
            read_record(with_value(value, (at,), seats), seats)


@pytest.mark.parametrize("count", [0, 1, 18, 19])
def test_an_exchange_has_one_to_eighteen_cards(count: int) -> None:
    """An exchange of nothing and one of more than a hand can hold are refused."""
    value = [6, 0, 1, *range(count)]
    if 1 <= count <= 18:
        assert read_record(value, 4) == Exchange(0, 1, bytes(range(count)))
    else:
        with pytest.raises(ShapeError):
            read_record(value, 4)


@pytest.mark.parametrize("kind", [7, 8])
@pytest.mark.parametrize("count", [0, 13, 18])
def test_a_play_has_one_to_twelve_cards(kind: int, count: int) -> None:
    """A play stored as a list has at least a card and no more than the largest set."""
    with pytest.raises(ShapeError):
        read_record([kind, 0, *range(count)], 4)


@pytest.mark.parametrize("count", [0, 1, 2, 9, 32])
def test_a_table_has_three_to_eight_seats(count: int) -> None:
    """Terms for fewer or more seats are refused."""
    value: Any = terms_value(TERMS)
    with pytest.raises(ShapeError):
        read_terms(with_value(value, (6,), [value[6][0]] * count))


def test_points_are_for_every_place_or_none() -> None:
    """Points are kept for all places of the table or not at all."""
    value: Any = terms_value(TERMS)
    for count in range(32):
        changed = with_value(value, (5, 20), [1] * count)
        if count in (0, 4):
            assert read_terms(changed).rules.points == (1,) * count
        else:
            with pytest.raises(ShapeError):
                read_terms(changed)


@given(terms)
@some
def test_another_protocol_is_unsupported(value: Terms) -> None:
    """Terms of another protocol are not malformed: this version does not judge them."""
    for name in ("fairdeal/v2", "fairdeal/v", "Fairdeal/v1", "x"):
        other: Any = terms_value(value)
        with pytest.raises(Unsupported, match="protocol"):
            read_terms(with_value(other, (1,), name))


def codes(*spans: tuple[int, int]) -> list[int]:
    """Return all numbers of closed spans."""
    return [code for low, high in spans for code in range(low, high + 1)]


@pytest.mark.parametrize("code", codes((0, 0x1F), (0x7F, 0x9F)))
def test_control_characters_are_refused(code: int) -> None:
    """No text of a log can move a terminal's cursor, ring it, or end a line."""
    for text in (chr(code), f"a{chr(code)}", f"{chr(code)}a"):
        with pytest.raises(ShapeError):
            Fields([text]).text()


@pytest.mark.parametrize(
    "text", [" ", "~", "\xa0", "é", "\u2028", "\ufeff", "\U0001f0a1", "\u202e", "x" * 64, "é" * 32]
)
def test_other_characters_are_taken_as_they_are(text: str) -> None:
    """Texts are compared as bytes and never changed or judged by what they look like."""
    assert Fields([text]).text() == text


@pytest.mark.parametrize("text", ["", "x" * 65, "é" * 33, "x" * 63 + "é", "\U0001f0a1" * 17])
def test_a_text_has_one_to_64_bytes(text: str) -> None:
    """The length of a text is counted in bytes of UTF-8, not in characters."""
    with pytest.raises(ShapeError):
        Fields([text]).text()


@pytest.mark.parametrize("text", ["\ud800", "a\udfff", "\udc80b"])
def test_a_lone_surrogate_is_refused(text: str) -> None:
    """A text that has no UTF-8 form is refused like any other that is no text of a log."""
    with pytest.raises(ShapeError):
        Fields([text]).text()


def test_composed_and_decomposed_names_stay_apart() -> None:
    """Two spellings of one name are two names: no Unicode version has a say in a hash."""
    composed, decomposed = unicodedata.normalize("NFC", "Zoë"), unicodedata.normalize("NFD", "Zoë")
    value: Any = terms_value(TERMS)
    found = [read_terms(with_value(value, (6, 0, 0), name)) for name in (composed, decomposed)]
    assert [one.seats[0].name for one in found] == [composed, decomposed]
    assert found[0] != found[1]


def test_errors_never_quote_bytes_or_texts() -> None:
    """What is refused is described and not shown: it may be a secret or hold control characters."""
    secret = b"\x07secret bytes"
    for fields in (Fields([secret]), Fields([secret.decode()])):
        with pytest.raises(ShapeError) as caught:
            fields.integer(0, 3)
        assert "secret" not in str(caught.value)


def test_runs_and_clocked_records_are_no_lists() -> None:
    """Only the codec writes runs of actions; asking for their list is a mistake in the program."""
    with pytest.raises(TypeError, match="no list"):
        record_value(Actions((set_action(0, b"\0"),)))


def nested(depth: int) -> Any:
    """Return lists in each other, so many of them."""
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    return value


@pytest.mark.parametrize("wrong", [None, True, 1.5, {}, [1, [None]], nested(limits.MAX_NESTING + 1)], ids=lambda _: "")
def test_a_list_of_unknown_shape_holds_lawful_kinds_only(wrong: Any) -> None:
    """Terms of another protocol are unsupported only where they are values of a log at all, and not too deep."""
    with pytest.raises(ShapeError):
        refuse_other_kinds([0, "other/v1", wrong])
    with pytest.raises(ShapeError):
        read_terms([0, "other/v1", wrong])
    refuse_other_kinds(nested(limits.MAX_NESTING))
    with pytest.raises(Unsupported):
        read_terms([0, "other/v1", [1, ["a", b"b"]]])
