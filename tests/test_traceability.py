"""From every sentence of the rulebooks to vectors that show it, and to one that shows what breaks it.

The table read here is the one that ships, `rulebooks.json`; that it is what the tests say is checked first.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from fairdeal.settings import ENUM_SETTINGS, FLAG_SETTINGS, file_key
from fairdeal.sources import COMMON, PRESET_BOOKS, Reading, Sentence, readings, rulebooks
from fairdeal.vectors.answers import STAGES
from fairdeal.vectors.stages.rulebooks import WHOLE_STAGES, rulebooks_json, shown_by
from tests.conftest import ROOT
from tests.sentences import sentences
from tests.test_sources import TEXTS, lawful

VECTORS = ROOT / "vectors" / "v1"
STAGES_OF_RULES = ("play", "exchange", "table", "score", "perft")
TABLE: dict[str, Any] = json.loads((VECTORS / "rulebooks.json").read_text("ascii"))
SHOWN: dict[str, dict[str, dict[str, list[int]]]] = TABLE["shown"]
RULES = [one for book in rulebooks().values() for one in book if one.no_rule is None]

# What no log can break, and why.
UNBREAKABLE = dict.fromkeys(
    ("seats=3-8", "seats=4-8", "seats=3-5"),
    "a log has the rules of one table and does not say for which other tables they were made",
)


def tags_of(one: Sentence | Reading) -> list[str]:
    """Return what a sentence or a reading is traced by, as tests have it in `shows`."""
    if isinstance(one, Reading):
        return [f"reading {one.name}"]
    return [*one.settings, *(f"common {name}" for name in one.common), *(f"reading {name}" for name in one.readings)]


def covers(shown: str, tag: str) -> bool:
    """Return whether a test that shows `shown` shows `tag`: the same, or a value of it that is not off."""
    key, equals, value = shown.partition("=")
    return shown == tag or (bool(equals) and key == tag and value not in ("0", "false", "none", "never"))


def documents() -> dict[str, dict[str, Any]]:
    """Return the vector files of all stages."""
    return {stage: json.loads((VECTORS / f"{stage}.json").read_text("ascii")) for stage in STAGES}


def is_shown(tag: str, result: str) -> bool:
    """Return whether some test with this result shows a tag of a sentence or reading."""
    return any(covers(shown, tag) and tests[result] for shown, tests in SHOWN.items())


def every_tag() -> set[str]:
    """Return all that there is to show: what sentences and readings name, and every value of every choice."""
    traced: list[Sentence | Reading] = [*RULES, *readings().values()]
    tags = {tag for one in traced for tag in tags_of(one)}
    tags |= {f"common {name}" for name in COMMON}
    tags |= {f"{file_key(name)}={value}" for name, kind in ENUM_SETTINGS.items() for value in kind}
    return tags | {f"{name}={value}" for name in FLAG_SETTINGS for value in ("true", "false")}


# --- the table itself


def test_the_table_says_what_the_tests_and_the_sources_say() -> None:
    assert json.loads(rulebooks_json(documents())) == TABLE
    assert shown_by(documents()) == SHOWN


def test_every_sentence_and_reading_is_in_the_table() -> None:
    places = [(one["book"], one["line"], one["number"]) for one in TABLE["sentences"]]
    assert places == [(one.book, one.line, one.number) for book in rulebooks().values() for one in book]
    assert [one["name"] for one in TABLE["readings"]] == list(readings())
    assert list(TABLE["common"]) == list(COMMON)
    assert {one["book"] for one in TABLE["sentences"]} == set(PRESET_BOOKS.values())


def test_a_sentence_is_a_rule_or_says_why_not() -> None:
    for one in TABLE["sentences"]:
        rule = [*one.get("settings", ()), *one.get("common", ()), *one.get("readings", ())]
        assert bool(rule) != bool(one.get("noRule")), one
        assert one["says"]


def test_the_hashes_are_those_of_the_texts() -> None:
    """Where the rulebooks lie beside the checkout, the table finds every sentence in them."""
    for one in TABLE["sentences"]:
        if TEXTS:
            piece = sentences(TEXTS[one["book"]][one["line"] - 1])[one["number"] - 1]
            assert sha256(piece.encode("utf-8")).hexdigest() == one["sha256"]


def test_the_numbers_lead_to_tests_with_that_tag_and_result() -> None:
    for stage, document in documents().items():
        tests = {test["tcId"]: test for group in document["testGroups"] for test in group["tests"]}
        for tag, results in SHOWN.items():
            for result, stages in results.items():
                for number in stages.get(stage, ()):
                    assert tests[number]["result"] == result
                    assert tag in tests[number].get("shows", ()) or stage in WHOLE_STAGES[tag]


# --- what there is to show is shown


def test_no_test_shows_what_there_is_not() -> None:
    names = {f"common {name}" for name in COMMON} | {f"reading {name}" for name in readings()} | {"points=by-place"}
    assert [tag for tag in SHOWN if tag not in names and not lawful(tag)] == []


def test_every_test_of_the_rules_shows_something() -> None:
    for stage in STAGES_OF_RULES:
        for group in documents()[stage]["testGroups"]:
            assert all(test["shows"] and len(set(test["shows"])) == len(test["shows"]) for test in group["tests"])


@pytest.mark.parametrize("tag", sorted(every_tag()))
def test_every_rule_has_a_vector(tag: str) -> None:
    assert is_shown(tag, "valid")


@pytest.mark.parametrize("tag", sorted(every_tag() - UNBREAKABLE.keys()))
def test_every_rule_has_a_vector_that_breaks_it(tag: str) -> None:
    assert is_shown(tag, "invalid")


@pytest.mark.parametrize("one", RULES, ids=lambda one: one.place)
def test_every_sentence_has_vectors(one: Sentence) -> None:
    """Each sentence that is a rule has a vector that keeps it and one that breaks it, unless no log could."""
    for result, without in (("valid", set[str]()), ("invalid", set(UNBREAKABLE))):
        can_be = [tag for tag in tags_of(one) if tag not in without]
        assert not can_be or any(is_shown(tag, result) for tag in can_be)


def test_what_cannot_be_broken_is_listed_and_nothing_else_is() -> None:
    """The list of what cannot be broken names only what there is, and what indeed is not shown."""
    assert every_tag() >= UNBREAKABLE.keys()
    assert all(is_shown(tag, "valid") and not is_shown(tag, "invalid") for tag in UNBREAKABLE)


@pytest.mark.parametrize(
    ("shown", "tag", "does"),
    [
        ("joker=wild", "joker=wild", True),
        ("joker=wild", "joker", True),
        ("joker=none", "joker", False),
        ("exchange_top=0", "exchange_top", False),
        ("exchange_top=0", "exchange_top=0", True),
        ("titles", "titles", True),
        ("joker", "joker=wild", False),
        ("joker=wild", "joker=high", False),
        ("jokers_per_pack=2", "joker", False),
        ("common set", "common set", True),
    ],
)
def test_what_a_tag_covers(shown: str, tag: str, does: bool) -> None:
    assert covers(shown, tag) is does
