"""The schemas of the vector files: every file fits its own, little else does, and none drifts from the code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import fields
from functools import cache
from itertools import chain, product
from string import printable
from typing import Any, Final

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from fairdeal import limits
from fairdeal.anchor import EVIDENCE_FILES
from fairdeal.cards import CARD_NAMES, FACES
from fairdeal.codec import Log, encode_log
from fairdeal.codes import ACROSS, Code
from fairdeal.jsonform import log_to_json
from fairdeal.play import Closing
from fairdeal.records import CloseReason, Presence, Record, Terms
from fairdeal.report import GuaranteeName, Verdict
from fairdeal.ruleset import KEYS, NO_POINTS, PLACES_BEATEN
from fairdeal.settings import (
    ENUM_SETTINGS,
    FLAG_SETTINGS,
    NUMBER_SETTINGS,
    TITLE_CLASSES,
    Contributions,
    Rules,
    SeatKind,
    file_key,
)
from fairdeal.sources import COMMON, PRESET_BOOKS, readings
from fairdeal.vectors.envelope import INVALID, VALID
from tests.conftest import ROOT
from tests.strategies import logs, with_clock

FOLDER: Final = ROOT / "vectors" / "schemas"
VECTORS: Final = ROOT / "vectors" / "v1"
SHARED: Final = "common.schema.json"
TABLE: Final = "rulebooks"  # it is no test
NAMES: Final = sorted(path.stem for path in VECTORS.glob("*.json"))
ELSEWHERE: Final = {"stream-exhausted"}  # what ends a shuffle is no finding
NO_PLACE: Final = {Code.UNREADABLE}  # the place is a file of whoever asks
STRANGERS: Final = (None, True, 7.5, "?!", {"?": 0})
# objects whose keys are values: what is said of one key holds for all
MAPS: Final = frozenset({"common", "shown", "ended", "held", "claim", VALID, INVALID})
# What can be changed and leaves something that might stand there as well; nothing else is let through anywhere.
LET_THROUGH: Final[Mapping[str, frozenset[str]]] = {
    # a log may be judged with less held against it, or nothing, and a receipt without a key
    "match": frozenset(
        {
            "valid /evidence removed",
            # what a test shows is for people, and most tests of whole matches show nothing by name
            *(f"{result} /shows removed" for result in (VALID, INVALID)),
            *(f"{result} /held{one} removed" for result in (VALID, INVALID) for one in ("", "/*")),
        }
        | {"invalid /commitment removed"}
    ),
    "receipt": frozenset(
        {f"{result} /operatorKey removed" for result in (VALID, INVALID)}
        # what is malformed may be any text
        | {f"invalid /receipt {how}" for how in ("in upper case", "a digit short", "and a line feed")}
    ),
    # a true claim may be left out
    "score": frozenset({"valid /claim/* removed"}),
    # no schema can know which histories end the round, which rules there are and which tests show them
    "perft": frozenset({"valid /ended/* removed"}),
    "rulebooks": frozenset(
        {"/common/* removed", "/shown/* removed", "/shown/*/valid/* removed", "/shown/*/invalid/* removed"}
    ),
}


def unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; a key that comes twice would hide what the first one says."""
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


def ending(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object whose patterns end where ECMA-262 has it: `$` is also before a last line feed in Python."""
    return {key: f"{value[:-1]}\\Z" if key == "pattern" and isinstance(value, str) else value for key, value in pairs}


SOURCES: Final[dict[str, Any]] = {
    path.name: json.loads(path.read_text("utf-8"), object_pairs_hook=unrepeated) for path in FOLDER.iterdir()
}
REGISTRY: Final[Registry[Any]] = Registry[Any]().with_resources(
    (name, Resource.from_contents(json.loads(json.dumps(one), object_pairs_hook=ending)))
    for name, one in SOURCES.items()
)


@cache
def schema(reference: str) -> Draft202012Validator:
    """Return what judges by the schema that a reference leads to, such as `play.schema.json#/$defs/test`."""
    return Draft202012Validator({"$ref": reference}, registry=REGISTRY)


def fits(reference: str, value: object) -> bool:
    """Return whether a value fits the schema that a reference leads to."""
    return schema(reference).is_valid(value)


def shared(name: str) -> str:
    """Return the reference of a definition that all schemas share."""
    return f"{SHARED}#/$defs/{name}"


def text_of(reference: str) -> Any:
    """Return what stands in a schema at a reference, with what it refers to itself."""
    file, _, pointer = reference.partition("#/")
    found = SOURCES[file]
    for part in pointer.split("/"):
        found = found[int(part)] if isinstance(found, list) else found[part]
    if isinstance(found, dict) and "$ref" in found:
        return {**text_of(absolute(found["$ref"], file)), **found}
    return found


def absolute(reference: str, file: str) -> str:
    """Return a reference with the file that it leads to."""
    return f"{file}{reference}" if reference.startswith("#") else reference


def inside(value: object) -> Iterator[tuple[str, Any]]:
    """Yield every key of the objects in a JSON value with what it has."""
    if isinstance(value, dict):
        yield from value.items()
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from inside(one)


@cache
def document(name: str) -> Any:
    """Return a vector file; whoever changes it changes a copy."""
    return json.loads((VECTORS / f"{name}.json").read_text("ascii"))


def all_tests(name: str) -> list[dict[str, Any]]:
    """Return all tests of a vector file."""
    return [test for group in document(name).get("testGroups", ()) for test in group["tests"]]


# --- the schemas themselves


@pytest.mark.parametrize("file", sorted(SOURCES))
def test_a_schema_is_a_schema(file: str) -> None:
    one = SOURCES[file]
    Draft202012Validator.check_schema(one)
    assert one["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert one["$id"] == file
    assert one["title"]
    assert one["description"]
    assert file == SHARED or "unevaluatedProperties" in one or "additionalProperties" in one


def test_every_vector_file_has_a_schema() -> None:
    assert sorted(SOURCES) == sorted([SHARED, *(f"{name}.schema.json" for name in NAMES)])


def test_references_lead_to_all_definitions_and_nowhere_else() -> None:
    """A definition that no schema refers to would be one that nobody checks."""
    used = {absolute(value, file) for file, one in SOURCES.items() for key, value in inside(one) if key == "$ref"}
    assert {f"{file}#/$defs/{name}" for file, one in SOURCES.items() for name in one.get("$defs", ())} == used


def test_patterns_are_anchored_and_mean_the_same_everywhere() -> None:
    """They use what every engine knows, and no alternative escapes the anchors."""
    patterns = {value for one in SOURCES.values() for key, value in inside(one) if key == "pattern"}
    for pattern in patterns:
        assert re.fullmatch(r"\^[^$^]*(\[\^[^$^]+\][^$^]*)?\$", pattern), pattern
        assert not re.search(r"\(\?|\\[^.\[\]\n]", pattern), pattern
        outer = re.sub(r"\\.|\[[^\]]*\]", "", pattern)
        while "(" in outer:
            outer = re.sub(r"\([^()]*\)", "", outer)
        assert "|" not in outer, pattern


# --- the files fit


@pytest.mark.parametrize("name", NAMES)
def test_a_vector_file_fits_its_schema(name: str) -> None:
    assert list(schema(f"{name}.schema.json").iter_errors(document(name))) == []


@settings(max_examples=30, deadline=None)
@given(logs())
def test_every_log_as_json_fits(drawn: tuple[Terms, list[Record]]) -> None:
    """The records of any log that can be written fit, be it sound, supported or neither."""
    terms, records = drawn
    assert fits(shared("records"), log_to_json(Log(encode_log([terms, *records])))["records"])


# --- and hardly anything else does


def cut(name: str) -> list[tuple[str, Any]]:
    """Return the parts of a vector file that are changed, each with the schema that must refuse it then.

    That is the envelope around one group with one test, the first and the last test, and the longest of every form.
    """
    whole, file = deepcopy(document(name)), f"{name}.schema.json"
    if "testGroups" not in whole:
        forms = {tuple(one): one for one in whole["sentences"]}
        few = {key: dict(list(whole[key].items())[:2]) for key in ("common", "shown")}
        return [(file, {**whole, **few, "sentences": list(forms.values()), "readings": whole["readings"][:2]})]
    tests = all_tests(name)
    forms = {form_of(test): test for test in sorted(tests, key=lambda test: len(str(test)))}
    tests = [shortened(test) for test in (tests[0], tests[-1], *forms.values())]
    group = {**whole["testGroups"][0], "tests": tests[:1]}
    envelope = {**whole, "testGroups": [group], "numberOfTests": 1}
    return [(file, envelope), *((f"{file}#/$defs/test", test) for test in tests)]


def form_of(test: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what sets the forms of tests apart: the result, whether it has no place, and the keys."""
    keys = sorted(chain(test, test.get("held", ()), test.get("claim", ())))
    return (test["result"], str(test.get("place") == ""), *keys)


def shortened(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a test, of whose records one of each name is left."""
    copy = deepcopy(dict(test))
    if "records" in copy:
        copy["records"] = list({next(iter(one)): one for one in reversed(copy["records"])}.values())[::-1]
    return copy


def changed(value: Any, path: str = "") -> Iterator[str]:
    """Change one thing in a JSON value after the other, and yield what was done while it is so.

    Of a list the first and the last item are changed; a test inside an envelope is left as it is.
    """
    if isinstance(value, dict):
        value["extra"] = 0
        yield f"{path}/extra added"
        del value["extra"]
    for key in list(value) if isinstance(value, dict) else range(0, len(value), max(len(value) - 1, 1)):
        here = f"{path}/{'*' if isinstance(value, list) or path.rpartition('/')[2] in MAPS else key}"
        old = value[key]
        for what, other in others(old):
            value[key] = other
            yield f"{here} {what}"
        value[key] = old
        if isinstance(value, dict):
            items = dict(value)
            del value[key]
            yield f"{here} removed"
            value.update(items)
        if isinstance(old, dict | list) and here != "/testGroups/*/tests":
            yield from changed(old, here)


def others(value: object) -> Iterator[tuple[str, object]]:
    """Yield what cannot stand where `value` does: other types, numbers out of range, bytes written otherwise."""
    yield from ((f"as {one}", one) for one in STRANGERS if type(one) is not type(value))
    if type(value) is int:
        yield "too high", 10**16
        yield "too low", -(10**16)
    if isinstance(value, str) and re.search("[0-9a-f]{32}", value):
        if value.upper() != value:
            yield "in upper case", value.upper()
        yield "a digit short", re.sub("([0-9a-f]{31})[0-9a-f]", r"\1", value, count=1)
        yield "and a line feed", f"{value}\n"


@pytest.mark.parametrize("name", NAMES)
def test_whatever_is_changed_is_refused(name: str) -> None:
    """Any key removed or added, any value of another type or range, any hexadecimal digit too few or in upper case."""
    accepted: set[str] = set()
    refused: set[tuple[str, ...]] = set()
    for reference, value in cut(name):
        before = deepcopy(value)
        assert fits(reference, value)
        for change in changed(value):
            # what one test shows of all others like it, unless it may depend on what else stands there
            like = (before.get("result", ""), str(before.get("place") == ""), change)
            if change.endswith("removed") or like not in refused:
                if fits(reference, value):
                    accepted.add(f"{like[0]} {change}".strip())
                else:
                    refused.add(like)
        assert value == before
    assert accepted == LET_THROUGH.get(name, set())


@pytest.mark.parametrize("name", [name for name in NAMES if name != TABLE])
def test_another_result_is_refused(name: str) -> None:
    """A test is in a form for its result; an invalid one has a code and place of its stage, and no outputs."""
    reference = f"{name}.schema.json#/$defs/test"
    forms = [test for _, test in cut(name)[1:]]
    for test in forms:
        for result in (VALID, INVALID, "acceptable"):
            assert fits(reference, {**test, "result": result}) == (result == test["result"])
    refused = [test for test in forms if test["result"] == INVALID]
    others = {key: value for test in forms if test["result"] == VALID for key, value in test.items()}
    for test in refused:
        for key in others.keys() - test.keys():
            optional = f"{VALID} /{key} removed" in LET_THROUGH.get(name, ())
            assert optional or not fits(reference, {**test, key: others[key]}), key
        for key in ("code", "place"):
            assert not fits(reference, {**test, key: f"no-such-{key}"})


@pytest.mark.parametrize(
    ("reference", "bad"),
    [
        ("gift", ""),
        ("gift", "1>8 3c"),
        ("gift", "1>2 " + " ".join(["3c"] * 19)),
        ("action", "1"),
        ("action", "1 - 3c"),
        ("action", "1 pair 3c 3d"),
        ("action", "1 straight"),
        ("action", "1  3c"),
        ("action", "1 10c"),
        ("action", "1 3c\n"),
        ("action", "1 " + " ".join(["3c"] * 13)),
        ("allSeats", [0, 1]),
        ("allSeats", [0, 1, 1]),
        ("allSeats", [*range(8), 0]),
        ("name", ""),
        ("name", "bell\a"),
        ("name", "x" * 65),
        ("hex", "abc"),
        ("tag", "reading "),
        ("tag", "common"),
        ("tag", "joker"),
        ("tag", "joker=tame"),
        ("tag", "end_at=05"),
        ("tag", "points=1,2,3"),
        ("tag", "seats=2-8"),
        ("records", []),
        ("record", {}),
        ("record", {"pass": 0, "set": {"seat": 0, "cards": "3c"}}),
        ("record", {"set": {"seat": 0, "cards": " ".join(["3c"] * 9)}}),
        ("record", {"straight": {"seat": 0, "cards": " ".join(["3c"] * 13)}}),
        ("record", {"exchange": {"giver": 0, "receiver": 1, "cards": " ".join(["3c"] * 19)}}),
        ("record", {"clocked": {"tenths": None, "acted_for": None, "record": {"pass": 0}}}),
        ("record", {"clocked": {"tenths": 1, "acted_for": 1, "record": {"clocked": {}}}}),
        (
            "record",
            {
                "clocked": {
                    "tenths": 1,
                    "acted_for": 1,
                    "record": {"seat-event": {"seat": 1, "presence": "left", "level": "bot"}},
                }
            },
        ),
    ],
)
def test_what_no_file_can_hold_is_refused(reference: str, bad: object) -> None:
    assert not fits(shared(reference), bad)


def test_logs_that_are_unsupported_have_no_records_in_the_vectors() -> None:
    """A log whose terms ask for more than there is is an invalid test; one with a clock is as good as any."""
    sound = next(test for test in all_tests("codec") if test["result"] == VALID)
    reference = "codec.schema.json#/$defs/test"
    records = log_to_json(Log(encode_log(with_clock())))["records"]
    assert fits(reference, {**sound, "records": records})
    for key, value, supported in (("beacon", "moon", False), ("bot_policy", 1, True), ("bot_policy", 2, False)):
        terms = {"terms": {**sound["records"][0]["terms"], key: value}}
        assert fits(shared("records"), [terms])
        assert fits(reference, {**sound, "records": [terms]}) is supported


# --- nothing drifts from the code


def test_the_codes_are_those_of_the_audit_and_of_the_vectors() -> None:
    codes = text_of(shared("code"))["enum"]
    assert codes == [*(code for code in Code if code not in ACROSS), *ELSEWHERE]
    for name in NAMES:
        assert {test["code"] for test in all_tests(name) if "code" in test} <= set(codes)


def test_the_rules_are_those_of_the_settings() -> None:
    rules = text_of(shared("rules"))
    names = [field.name for field in fields(Rules)]
    assert list(rules["properties"]) == rules["required"] == names
    found = {name: text_of(shared(f"rules/properties/{name}")) for name in names}
    assert {name: one["enum"] for name, one in found.items() if "enum" in one} == {
        name: list(kind) for name, kind in ENUM_SETTINGS.items()
    }
    assert [name for name, one in found.items() if one.get("type") == "boolean"] == sorted(
        FLAG_SETTINGS, key=names.index
    )
    assert {
        name: (one["minimum"], one["maximum"]) for name, one in found.items() if one.get("type") == "integer"
    } == NUMBER_SETTINGS
    assert found["titles"]["minItems"] == found["titles"]["maxItems"] == len(TITLE_CLASSES)
    assert found["points"]["maxItems"] == limits.MAX_SEATS


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("seats", limits.MIN_SEATS, limits.MAX_SEATS),
        ("seat", 0, limits.MAX_SEATS - 1),
        ("seatOrNobody", -1, limits.MAX_SEATS - 1),
        ("signer", 0, limits.MAX_SEATS),
        ("place", 1, limits.MAX_SEATS),
        ("titleClass", 0, len(TITLE_CLASSES) - 1),
        ("round", 1, limits.MAX_ROUNDS),
        ("points", -limits.MAX_POINTS, limits.MAX_POINTS),
        ("total", limits.MIN_INT, limits.MAX_INT),
        ("natural", 0, limits.MAX_INT),
        ("count", 1, limits.MAX_INT),
        ("face", 0, FACES - 1),
    ],
)
def test_the_ranges_are_the_limits(name: str, low: int, high: int) -> None:
    one = text_of(shared(name))
    assert (one["minimum"], one["maximum"]) == (low, high)


TAGS: Final = [
    *(f"{file_key(name)}={value}" for name, kind in ENUM_SETTINGS.items() for value in kind),
    *(f"{name}={value}" for name in FLAG_SETTINGS for value in ("false", "true")),
    *(f"points={value}" for value in (NO_POINTS, PLACES_BEATEN, "by-place")),
    "titles",
]
RECORD: Final = shared("record/properties")


@pytest.mark.parametrize(
    ("reference", "values"),
    [
        (shared("setting/anyOf/0/enum"), TAGS),
        (
            "rulebooks.schema.json#/$defs/settings/items/anyOf/1/enum",
            [key for key in KEYS if key not in ("name", "titles")],
        ),
        ("rulebooks.schema.json#/$defs/book/enum", list(dict.fromkeys(PRESET_BOOKS.values()))),
        ("rulebooks.schema.json#/$defs/preset/enum", list(PRESET_BOOKS)),
        ("rulebooks.schema.json#/$defs/numbers/propertyNames/enum", [name for name in NAMES if name != TABLE]),
        ("play.schema.json#/$defs/test/then/properties/closing/enum", ["", *Closing]),
        ("match.schema.json#/$defs/test/properties/verdict/enum", list(Verdict)),
        ("match.schema.json#/$defs/held/properties", list(EVIDENCE_FILES)),
        (f"{RECORD}/close/properties/reason/enum", list(CloseReason)),
        (shared("seatEventRecord/properties/presence/enum"), [one.name.lower() for one in Presence]),
        (shared("seatKind/enum"), list(SeatKind)),
        (shared("terms/properties/contributions/enum"), list(Contributions)),
        (shared("test/properties/result/enum"), [VALID, INVALID]),
    ],
)
def test_what_there_is_to_choose_from_is_what_the_code_has(reference: str, values: list[str]) -> None:
    assert sorted(text_of(reference)) == sorted(values)


def test_the_cards_are_the_cards() -> None:
    texts = ["".join(pair) for pair in product(printable, repeat=2)]
    for name in ("card", "cards"):
        pattern = re.compile(text_of(shared(name))["pattern"][1:-1])
        assert [text for text in texts if pattern.fullmatch(text)] == sorted(CARD_NAMES, key=texts.index)
    assert fits(shared("cards"), " ".join(CARD_NAMES))


def test_every_tag_that_there_can_be_is_one() -> None:
    numbers = {**NUMBER_SETTINGS, "vices_from": (4, limits.MAX_SEATS), "second_pack_from": (3, limits.MAX_SEATS)}
    del numbers["packs"]
    for name, bounds in numbers.items():
        assert all(fits(shared("tag"), f"{name}={value}") for value in bounds)
    assert all(fits(shared("tag"), f"common {name}") and fits(shared("commonRule"), name) for name in COMMON)
    assert all(fits(shared("tag"), f"reading {name}") and fits(shared("readingName"), name) for name in readings())


# --- nor from the specification


def places_of_codes() -> dict[str, set[str]]:
    """Return example places of each code, from the table of the specification."""
    text = (ROOT / "vectors" / "SPEC.md").read_text("utf-8").split("\n## Codes\n")[1].split("\n## ")[0]
    names = {
        name: re.findall("`([^`]+)`", places)
        for name, places in re.findall(r"\*([A-Z]+)\*\s+is\s+((?:`[^`]+`(?:\s+or\s+)?)+)", text)
    }
    found = {}
    for code, cell in re.findall(r"^\| `([a-z-]+)` \|[^|]*\|[^|]*\| ([^|]+) \|", text, re.MULTILINE):
        places = [
            *re.findall("`([^`]+)`", cell),
            *chain.from_iterable(names[one] for one in re.findall(r"\*(\w+)\*", cell)),
        ]
        found[code] = {example for place in places for example in examples(place)}
    return found


def examples(place: str) -> list[str]:
    """Return places in the form that the specification writes, with its letters replaced."""
    if place.endswith("NAME"):
        return [place.replace("NAME", name) for name in GuaranteeName]
    numbered = re.sub(r"\[[ntpkq]\]", "[12]", re.sub(r"byte N", "byte 0", place))
    return [re.sub(r"(\[|seat )s\]", r"\g<1>7]", numbered)]


def test_a_code_stands_at_the_places_that_the_specification_gives_it() -> None:
    table = places_of_codes()
    assert set(table) == set(Code)
    everywhere = set().union(*table.values())
    for code, places in table.items():
        accepted = {place for place in everywhere if fits(shared("placed"), {"code": code, "place": place})}
        assert accepted == (set() if code in NO_PLACE else places), code
