"""A log as JSON and back: without loss for every log there can be, and every broken document is malformed."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.cards import format_cards
from fairdeal.codec import Log, encode_log, encode_record
from fairdeal.errors import Malformed
from fairdeal.jsonform import FORMAT, log_from_json, log_to_json, log_to_json_text
from fairdeal.records import (
    BIG_SET,
    SET,
    STRAIGHT,
    Action,
    Actions,
    Exchange,
    Presence,
    Record,
    SeatEvent,
    Terms,
    Timing,
    pass_action,
    play_action,
    timed,
)
from fairdeal.settings import SeatKind
from tests.conftest import SAMPLES, all_signed, apart, played
from tests.strategies import logs, with_clock

BIG = 10**30


def told(data: bytes) -> dict[str, Any]:
    """Return the JSON of a log, through text as a file holds it."""
    text = "".join(log_to_json_text(Log(data)))
    document: dict[str, Any] = json.loads(text)
    assert text == json.dumps(log_to_json(Log(data)), indent=2) + "\n"
    return document


def malformed(document: object) -> Malformed:
    """Return the error that a document is refused with."""
    with pytest.raises(Malformed) as caught:
        log_from_json(document)
    return caught.value


def packed(document: object) -> bytes | Malformed:
    """Return the log of a document, or the error that it is refused with."""
    try:
        return log_from_json(document)
    except Malformed as error:
        return error


def same(one: Any, other: Any) -> bool:
    """Return whether two JSON values are equal but for the spelling of their texts."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, str) and isinstance(other, str):
        return True
    return type(one) is type(other) and bool(one == other)


# without loss


@pytest.mark.parametrize("name", SAMPLES)
def test_every_simulated_log_comes_back(name: str) -> None:
    """Byte for byte, with one entry a record, actions counted singly."""
    done = SAMPLES[name]()
    document = told(bytes(done.data))
    assert (document["format"], document["protocol"]) == ("fairdeal-log/1", "fairdeal/v1")
    assert len(document["records"]) == len(apart(done.records))
    assert log_from_json(document) == done.data


@given(logs())
@settings(max_examples=60, deadline=None)
def test_any_log_comes_back(log: tuple[Terms, list[Record]]) -> None:
    """Whatever values the records have and in whatever order they stand."""
    terms, records = log
    data = encode_log([terms, *records])
    assert log_from_json(told(data)) == data


def sets(*actions: Action) -> bytes:
    """Return a log of terms and some actions."""
    return encode_log([played(8, 1).terms, *(Actions((one,)) for one in actions)])


def action(kind: int, seat: int, *cards: int) -> Action:
    """Return an action of any cards in any order."""
    return play_action(kind, seat, bytes(cards))


@pytest.mark.parametrize(
    ("one", "entry"),
    [
        (pass_action(7), {"pass": 7}),
        (action(SET, 0, 0), {"set": {"seat": 0, "cards": "3c"}}),
        (action(SET, 7, 53, 0, 17), {"set": {"seat": 7, "cards": "X2 3c 7d"}}),
        (action(SET, 1, 5, 5), {"set": {"seat": 1, "cards": "4d 4d"}}),
        (action(SET, 2, *range(8)), {"set": {"seat": 2, "cards": "3c 3d 3h 3s 4c 4d 4h 4s"}}),
        (action(BIG_SET, 3, 0), {"big-set": {"seat": 3, "cards": "3c"}}),
        (action(BIG_SET, 3, *range(12)), {"big-set": {"seat": 3, "cards": "3c 3d 3h 3s 4c 4d 4h 4s 5c 5d 5h 5s"}}),
        (action(STRAIGHT, 4, 52, 4, 8), {"straight": {"seat": 4, "cards": "X1 4c 5c"}}),
        (action(STRAIGHT, 4, 48), {"straight": {"seat": 4, "cards": "2c"}}),
    ],
)
def test_every_kind_of_play_has_its_entry(one: Action, entry: dict[str, Any]) -> None:
    """Also unsorted cards, forms that are too big, and straights: what is judged must be expressible."""
    document = told(sets(one))
    assert document["records"][1:] == [entry]
    assert log_from_json(document) == sets(one)


def test_clocked_records_and_seat_events_come_back() -> None:
    """Marks, markers and both, before actions, gifts and events."""
    data = encode_log(with_clock())
    document = told(data)
    names = {next(iter(entry)) for entry in document["records"]}
    assert {"clocked", "terms", "deal", "round-end", "close"} <= names
    assert log_from_json(document) == data
    inner: list[Actions | Exchange | SeatEvent] = [
        Actions((pass_action(1),)),
        Actions((action(SET, 2, 9, 8),)),
        Actions((action(BIG_SET, 2, 9, 8),)),
        Exchange(0, 1, b"\5\4"),
    ]
    timings = (Timing(0, None), Timing(None, 3), Timing(9**9, 0))
    clocked: list[Record] = [timed(timing, one) for one in inner for timing in timings]
    clocked += [timed(timings[0], SeatEvent(1, one, SeatKind.BOT)) for one in Presence]
    clocked += [SeatEvent(2, one, SeatKind.EASY) for one in Presence]
    data = encode_log([played().terms, *clocked])
    assert log_from_json(told(data)) == data


def test_entries_say_in_words_what_the_log_holds_in_numbers() -> None:
    """Names of values, hexadecimal bytes, cards in their notation, seats as numbers."""
    document = told(bytes(all_signed(4, 2).data))
    by_name = {next(iter(entry)): next(iter(entry.values())) for entry in reversed(document["records"])}
    terms = all_signed(4, 2).terms
    assert by_name["terms"]["match_id"] == terms.match_id.hex()
    assert by_name["terms"]["rules"]["ties"] == "presidencies"
    assert by_name["terms"]["rules"]["straights"] is False
    assert by_name["terms"]["contributions"] == "sealed"
    assert by_name["terms"]["seats"][0] == {"name": "North", "kind": "human", "key": terms.seats[0].key.hex()}
    assert (by_name["close"]["reason"], by_name["close"]["seat"]) == ("by-rule", None)
    assert by_name["signature"]["signer"] == 0
    gift = next(one for one in all_signed(4, 2).records if isinstance(one, Exchange))
    assert by_name["exchange"] == {"giver": gift.giver, "receiver": gift.receiver, "cards": format_cards(gift.cards)}


def test_a_record_that_does_not_decode_has_no_json() -> None:
    """What stands behind the break is not told, so `unpack` refuses such a log as a whole."""
    done = played()
    document = told(bytes(done.data[:-1]))
    assert len(document["records"]) == len(apart(done.records)) - 1


# broken documents


WHOLE = told(bytes(all_signed(3, 2).data))
CLOCKED = told(encode_log(with_clock()))
WRONG: list[Any] = [None, True, -1, 5.0, 0.5, BIG, -BIG, "", "x", "00", [], [1], {}, {"a": 1}, "\ud800", float("nan")]


def first_of_each(document: dict[str, Any]) -> list[tuple[str, int]]:
    """Return name and index of the first record of each kind."""
    found: dict[str, int] = {}
    for index, entry in enumerate(document["records"]):
        name = next(iter(entry))
        if name == "clocked":
            name += " " + next(iter(entry["clocked"]["record"]))
        found.setdefault(name, index)
    return list(found.items())


def fields_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path to every value in a JSON value."""
    paths = [path]
    if isinstance(value, dict):
        paths += [one for key, inner in value.items() for one in fields_of(inner, (*path, key))]
    elif isinstance(value, list):
        paths += [one for key, inner in enumerate(value) for one in fields_of(inner, (*path, key))]
    return paths


def put(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Return a document with the value at a path replaced."""
    changed = deepcopy(document)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return changed


KINDS = [(WHOLE, name, index) for name, index in first_of_each(WHOLE)]
KINDS += [(CLOCKED, name, index) for name, index in first_of_each(CLOCKED) if "clocked" in name or name == "seat-event"]


@pytest.mark.parametrize(("document", "name", "index"), KINDS, ids=[name for _, name, _ in KINDS])
def test_a_wrong_value_in_any_field_is_malformed_and_names_its_record(
    document: dict[str, Any], name: str, index: int
) -> None:
    """Values of another type, size or range: refused with the record's number, or a log that says just that."""
    entry = document["records"][index]
    for path in fields_of(entry):
        for value in WRONG:
            if not path:
                changed = {**document, "records": [*document["records"]]}
                changed["records"][index] = value
            else:
                changed = put(
                    {**document, "records": document["records"][: index + 2]}, ("records", index, *path), value
                )
            outcome = packed(changed)
            if isinstance(outcome, Malformed):
                assert outcome.where == f"records[{index}]", (name, path, value, outcome)
                assert outcome.what
            else:
                assert same(told(outcome)["records"], changed["records"]), (name, path, value)


@pytest.mark.parametrize(("document", "name", "index"), KINDS, ids=[name for _, name, _ in KINDS])
def test_a_field_too_many_or_too_few_is_malformed(document: dict[str, Any], name: str, index: int) -> None:
    """Nothing is read over, and nothing is made up."""
    entry = document["records"][index]
    for path in fields_of(entry):
        inner = entry
        for key in path:
            inner = inner[key]
        if not isinstance(inner, dict):
            continue
        broken = [{**inner, "more": 1}, {}, *({k: v for k, v in inner.items() if k != key} for key in inner)]
        for value in broken:
            changed = {**document, "records": [*document["records"]]}
            changed["records"][index] = value if not path else put(entry, path, value)
            assert malformed(changed).where == f"records[{index}]", (name, path, value)


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        "text",
        5,
        {},
        {"format": FORMAT, "protocol": "fairdeal/v1"},
        {"format": FORMAT, "protocol": "fairdeal/v1", "records": []},
        {"format": FORMAT, "protocol": "fairdeal/v1", "records": {}},
        {"format": FORMAT, "protocol": "fairdeal/v1", "records": "text"},
        {**WHOLE, "format": "fairdeal-log/2"},
        {**WHOLE, "format": 1},
        {**WHOLE, "protocol": "fairdeal/v2"},
        {**WHOLE, "more": 1},
        {"records": WHOLE["records"]},
    ],
)
def test_a_document_of_another_form_is_malformed(document: object) -> None:
    """Format, protocol and records, exactly."""
    assert malformed(document).what


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"terms": WHOLE["records"][0]["terms"]}, "terms stand in front and nowhere else"),
        ({"note": {}}, "`note` is no record"),
        ({"pass": 0, "set": {}}, "a record is an object with one name"),
        ({}, "a record is an object with one name"),
        ([], "a record is an object with one name"),
        ({"set": {"seat": 0, "cards": "3c 1d"}}, "`1d` is not a card"),
        ({"set": {"seat": 0, "cards": ["3c"]}}, "is no text"),
        ({"pass": "0"}, "is no integer"),
        ({"pass": True}, "is no integer"),
        ({"deal": {"round": 1, "first": 0}}, "its fields are not round, first, blind"),
        ({"deal": {"round": 1, "first": 0, "blind": "0"}}, "a record that cannot be read"),
        ({"close": 5}, "its fields are not"),
    ],
)
def test_what_is_wrong_is_said_with_the_record(entry: object, words: str) -> None:
    """The reason in words, and the number of the entry as its place."""
    document = {**WHOLE, "records": [*WHOLE["records"][:3], entry, *WHOLE["records"][3:]]}
    error = malformed(document)
    assert words in error.what
    assert error.where == "records[3]"


def test_terms_come_first() -> None:
    """A log of anything else is none."""
    assert malformed({**WHOLE, "records": WHOLE["records"][1:]}).where == "records[0]"


SILENT: dict[str, list[Any]] = {
    "a pass of a seat beyond any table": [{"pass": 8}, {"pass": 0}],
    "a pass that would be a clock mark": [{"pass": 51}, {"pass": 0}, {"pass": 1}],
    "a mark below zero": [{"clocked": {"tenths": -129, "acted_for": None, "record": {"pass": 1}}}],
    "a mark just below zero": [{"clocked": {"tenths": -1, "acted_for": None, "record": {"pass": 1}}}],
    "a marker below zero": [{"clocked": {"tenths": None, "acted_for": -1, "record": {"pass": 1}}}],
    "a marker far below zero": [{"clocked": {"tenths": None, "acted_for": -6, "record": {"pass": 1}}}],
    "neither mark nor marker": [{"clocked": {"tenths": None, "acted_for": None, "record": {"pass": 1}}}],
    "a mark in a mark": [
        {
            "clocked": {
                "tenths": 5,
                "acted_for": None,
                "record": {"clocked": {"tenths": None, "acted_for": 1, "record": {"pass": 1}}},
            }
        }
    ],
    "a mark before a deal": [
        {"clocked": {"tenths": 5, "acted_for": None, "record": {"deal": {"round": 1, "first": 0, "blind": "00" * 16}}}}
    ],
    "a close of seat -1": [
        {
            "close": {
                "reason": "stopped",
                "seat": -1,
                "digest": "00" * 32,
                "totals": [0] * 3,
                "places": [],
                "secret": "00" * 32,
            }
        }
    ],
    "no cards": [{"set": {"seat": 0, "cards": ""}}],
    "no cards in a big set": [{"big-set": {"seat": 0, "cards": ""}}],
    "no cards in a straight": [{"straight": {"seat": 0, "cards": " "}}],
    "no cards in a gift": [{"exchange": {"giver": 0, "receiver": 1, "cards": ""}}],
    "nine cards behind a head": [{"set": {"seat": 0, "cards": "3c " * 9}}],
    "as many cards as make a pass": [{"set": {"seat": 0, "cards": "3c " * 24}}],
    "a head of seat 8": [{"set": {"seat": 8, "cards": "3c"}}],
    "a head of seat -8": [{"set": {"seat": -8, "cards": "3c 3d"}}],
    "a seat that is not at the table": [{"set": {"seat": 3, "cards": "3c"}}],
}


@pytest.mark.parametrize("entries", SILENT.values(), ids=SILENT)
def test_no_entry_becomes_another_record(entries: list[Any]) -> None:
    """What no log can hold is refused where it stands, and never written as something else."""
    document = {**WHOLE, "records": [*WHOLE["records"][:3], *entries, *WHOLE["records"][3:]]}
    assert malformed(document).where.startswith("records[3")


def test_marks_in_marks_without_end_are_malformed() -> None:
    """However deep: no crash."""
    entry: dict[str, Any] = {"pass": 0}
    for _ in range(450):
        entry = {"clocked": {"tenths": 5, "acted_for": None, "record": entry}}
    document = {**WHOLE, "records": [*WHOLE["records"][:3], entry]}
    assert malformed(document).where == "records[3]"


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_whatever_is_accepted_says_the_same_again(data: st.DataObject) -> None:
    """Any value anywhere: malformed, or a log whose JSON is the document."""
    json_values = st.recursive(
        st.one_of(
            st.none(), st.booleans(), st.integers(-200, 200), st.text(max_size=5), st.sampled_from(["3c", "00" * 32])
        ),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=2)),
        max_leaves=5,
    )
    document, _, index = data.draw(st.sampled_from(KINDS))
    entry = document["records"][index]
    path = data.draw(st.sampled_from(fields_of(entry)[1:]))
    short = {**document, "records": document["records"][: index + 1]}
    changed = put(short, ("records", index, *path), data.draw(json_values))
    outcome = packed(changed)
    if isinstance(outcome, bytes):
        assert same(told(outcome), changed)


def test_packing_reads_back_what_it_wrote() -> None:
    """The bytes that come out are a log that decodes to its end."""
    for document in (WHOLE, CLOCKED):
        log = Log(log_from_json(document))
        assert log.broken is None
        assert encode_record(log.terms) == log_from_json({**document, "records": document["records"][:1]})
