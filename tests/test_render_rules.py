"""The rules of a table as people read them: every rule in force, its source, its readings, and what two tables share.

A change of any one setting shows in the sentences, and a difference names that setting and no other.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.draws import Draws
from fairdeal.errors import RulesetError
from fairdeal.limits import MAX_SEATS, MIN_SEATS
from fairdeal.render.rules import (
    LEGEND,
    OPTION,
    READING,
    WIDTH,
    difference_json,
    difference_text,
    presets_json,
    presets_text,
    ruleset_json,
    ruleset_text,
)
from fairdeal.render.rules_file import HEAD, ruleset_toml
from fairdeal.render.rules_origin import OWN_RULE, origins_of, setting_origin, table_of
from fairdeal.render.rules_sheet import WITHOUT_EFFECT, Rule, sheet
from fairdeal.render.rules_words import meaning, title, told
from fairdeal.ruleset import KEYS, Ruleset, load_preset, load_ruleset, preset_names, ruleset_from
from fairdeal.settings import ENUM_SETTINGS, FLAG_SETTINGS, file_key
from fairdeal.sources import COMMON, PRESET_BOOKS, readings, rulebooks
from fairdeal.texts import printable
from tests.random_rules import random_rules
from tests.strategies import many, octets, some, texts

HOSTILE: Final = "\u202eevil\u2066\u200b\ufeff"
RULES: Final[list[dict[str, Any]]] = [rule for section in told()["section"] for rule in section["rule"]]
# tables that together let every value of a setting change alone
BASES: Final = [
    *map(load_preset, preset_names()),
    load_preset("party", {"twos": "ordinary", "jokers_per_pack": 2, "joker": "wild", "second_pack_from": "never"}),
    load_preset("president", {"exchange_top": 0, "exchange_vice": 0, "seats": [3, 5], "straights": True}),
    load_preset("president", {"match_end": "target", "end_at": 20, "start_points": 2, "first_play_3c": True}),
]
# what else a setting can be: for every kind of value one or two
OTHERS: Final[Mapping[str, list[Any]]] = {
    "seats": [[4, 8], [3, 5], [5, 5]],
    "second_pack_from": ["never", 5, 8],
    "exchange_top": [0, 1, 2, 3],
    "exchange_vice": [0, 1, 2],
    "vices_from": [4, 5, 8],
    "points": [
        "places-beaten",
        [5, 0, -5, -10, -15],
        [4, 3, 2, 1, 0],
        {str(seats): list(range(seats)) for seats in range(MIN_SEATS, MAX_SEATS + 1)},
    ],
    "start_points": [0, 1, -7, 50],
    "end_at": [1, 5, 20],
    "turn_seconds": [0, 1, 30],
    "titles": [list("abcde"), ["a", "b", "c", "d", HOSTILE]],
    **{file_key(name): list(map(str, kind)) for name, kind in ENUM_SETTINGS.items()},
    **{key: [True, False] for key in FLAG_SETTINGS},
}


def of_rules(seed: bytes, seats: int, name: str, titles: tuple[str, ...]) -> Ruleset:
    """Return a ruleset for one number of seats in which every setting is drawn."""
    rules = random_rules(Draws(seed), seats)
    points: Any = {seats: rules.points} if rules.points else "none"
    second = seats if rules.packs == 2 else None
    template = replace(rules, name=name, titles=titles, packs=1, points=())
    return ruleset_from(Ruleset(seats, seats, second, 4, points, template).table())


names = st.one_of(st.sampled_from(preset_names()), st.just(HOSTILE), texts)
rulesets = st.builds(
    of_rules, octets(8), st.integers(MIN_SEATS, MAX_SEATS), names, st.tuples(*[st.one_of(st.just(HOSTILE), texts)] * 5)
)


def is_safe(text: str) -> bool:
    """Return whether a text holds no control, format or direction character beside its line ends."""
    return not [char for char in text.replace("\n", "") if unicodedata.category(char)[0] == "C"]


def body(text: str) -> str:
    """Return the text of a ruleset without its heading, which names what was changed."""
    return text.partition("\n\n")[2]


def flat(text: str) -> str:
    """Return a text with every run of blanks and line ends as one blank."""
    return " ".join(text.split())


def rule_on(ruleset: Ruleset, key: str) -> Rule:
    """Return the one rule in force that states a setting."""
    found = [rule for rule in sheet(ruleset).rules if key in rule.settings[:1]]
    assert len(found) == 1
    return found[0]


def cited(ruleset: Ruleset, key: str) -> list[str]:
    """Return the places of the sentences behind the rule on a setting."""
    return [one.place for one in rule_on(ruleset, key).sentences]


def changes(key: str) -> Iterator[tuple[int, Ruleset]]:
    """Yield which of `BASES`, and what becomes of it by a lawful change of one setting."""
    for number, base in enumerate(BASES):
        table = base.table()
        for value in OTHERS[key]:
            if value != table[key]:
                with suppress(RulesetError):
                    yield number, ruleset_from(table | {key: value})


@cache
def told_of(base: int) -> tuple[str, list[str], tuple[str, ...]]:
    """Return the text of one of `BASES` without its heading, what its rules say, and what is not played."""
    rules = sheet(BASES[base])
    return body(ruleset_text(BASES[base])), [rule.says for rule in rules.rules], rules.unplayed


# --- the packaged texts


def test_every_setting_and_value_has_its_words() -> None:
    """A title for each setting, and a whole sentence for each value."""
    settings = told()["setting"]
    assert list(settings) == [key for key in load_preset("president").table() if key != "name"]
    assert len({title(key) for key in settings}) == len(settings)
    for key, words in settings.items():
        values = OTHERS.get(key) if key in (*map(file_key, ENUM_SETTINGS), *FLAG_SETTINGS) else None
        assert values is None or {str(value).lower() for value in values} <= set(words)
        sentences = [text for name, text in words.items() if name not in ("title", "off", "unplayed")]
        assert all(text[0].isupper() or text[0] in "2{" for text in sentences)
        assert all(text.endswith(".") and text == flat(text) for text in sentences)
        assert ("off" in words) == ("unplayed" in words)


def test_everything_has_one_place_among_the_rules() -> None:
    """Every setting, rule that is common to all tables and reading; a rule told in two ways holds in one at a time."""
    placed = [name for rule in RULES for name in rule.get("readings", ())]
    assert sorted(placed) == sorted(readings())
    assert {key for rule in RULES for key in rule.get("settings", ())} == set(KEYS) - {"name"}
    assert {key for rule in RULES for key in rule.get("common", ())} == set(COMMON)
    assert [rule for rule in RULES if set(rule) & {"settings", "common", "readings"} == set()] == []
    assert set(told()["preset"]) == set(PRESET_BOOKS) == set(preset_names())
    assert set(told()["book"]) == set(rulebooks())


@pytest.mark.parametrize("key", COMMON)
def test_a_common_rule_is_stated_outright(key: str) -> None:
    """Some sentence has it that is no mere option, so that every table can cite one."""
    stated = [one for book in rulebooks().values() for one in book if key in one.common]
    assert not all(one.option for one in stated)


# --- the presets


def test_presets_are_listed_with_seats_and_rulebook() -> None:
    """One line each."""
    lines = presets_text().splitlines()
    assert [line.split()[0] for line in lines] == list(PRESET_BOOKS)
    assert lines[2] == "prezydent       4 to 8 seats  the Polish rulebook"
    document = json.loads(presets_json())
    assert document["format"] == "fairdeal-presets/1"
    for entry, line in zip(document["presets"], lines, strict=True):
        assert line.split("  ")[0] == entry["name"]
        assert entry["about"] in line
        assert entry["seats"] == load_preset(entry["name"]).table()["seats"]
        assert entry["book"] == PRESET_BOOKS[entry["name"]]


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_has_a_source_for_every_rule(name: str) -> None:
    """A setting comes from its own rulebook or a reading of it, unless that is silent; nothing is the table's own."""
    ruleset = load_preset(name)
    book = PRESET_BOOKS[name]
    for rule in sheet(ruleset).rules:
        assert rule.sentences or rule.chosen or rule.note == f"{book} is silent" or rule.readings
        assert rule.note != OWN_RULE
        if rule.settings and rule.section != WITHOUT_EFFECT:
            assert {one.book for one in rule.sentences} <= {book}
    assert OWN_RULE not in ruleset_text(ruleset)


def test_a_preset_reads_like_this() -> None:
    """Heading, legend, sections in the order of a game, a rule with its source, its readings below."""
    text = ruleset_text(load_preset("prezydent"))
    assert text.startswith("prezydent: 4 to 8 seats, the Polish rulebook\n\nIn brackets ")
    sections = re.findall(r"(?m)^\n(\w.*)$", text)[1:]
    assert sections == [
        *(section["title"] for section in told()["section"]),
        WITHOUT_EFFECT,
        "not played",
    ]
    rule = text.index("  A joker alone is a trump: it beats a set of any size, and nothing beats or equals it.\n")
    reading = text.index(f"    {READING} One joker beats sets of every size, and a pair of jokers.\n")
    assert rule < text.index("    [prezydent-pl 26.1]\n") < reading
    assert "      [trump-beats-any-size: prezydent-pl 26.1]\n" in text
    assert f"  {READING} In round 1 the seat that was dealt the first card leads. [first-dealt-leads: " in text
    assert "  There is no clock. [prezydent-pl is silent]\n" in text
    assert "[first-fault-is-named: all rulebooks are silent]" in text
    assert "straights" in text.rpartition("\nnot played\n")[2]


def test_a_table_without_special_plays_has_no_word_on_them() -> None:
    """What is not played is named in the last line and nowhere else."""
    text = ruleset_text(load_preset("president"))
    assert "special cards and plays" not in text
    before, _, after = text.rpartition("\nnot played\n")
    for word in ("revolution", "straights", "penalty"):
        assert word not in before
        assert word in after


def test_a_table_that_plays_everything_leaves_nothing_out() -> None:
    """Then there is no last line."""
    everything = {"joker": "wild", "jokers_per_pack": 2, "twos": "clear", "completed_rank": "clear"}
    everything |= {"revolution": "round", "straights": True, "going_out": "drops", "first_play_3c": True}
    ruleset = load_preset("party", everything | {"reseat": True, "start_points": 1})
    assert sheet(ruleset).unplayed == ()
    assert "not played" not in ruleset_text(ruleset)


# --- any table


@some
@given(rulesets)
def test_the_text_has_every_reading_once_and_no_other(ruleset: Ruleset) -> None:
    """Each by its name, after what it says; and no line is too wide or unsafe."""
    text = ruleset_text(ruleset)
    table = table_of(ruleset)
    assert is_safe(text)
    assert all(len(line) <= WIDTH and line == line.rstrip() for line in text.splitlines()[1:])
    assert sorted(re.findall(r"\[([a-z0-9-]+):", text)) == sorted(reading.name for reading in table.readings)
    for reading in table.readings:
        assert flat(f"{READING} {reading.says} [{reading.name}: ") in flat(text)
    assert text.count(READING) == len(table.readings) + LEGEND.count(READING)


@some
@given(rulesets)
def test_every_setting_is_stated_or_off(ruleset: Ruleset) -> None:
    """Nothing of a table is passed over, and what is off does not show among the rules."""
    rules = sheet(ruleset)
    table = rules.table.settings
    stated = [rule.settings[0] for rule in rules.rules if rule.settings]
    assert len(stated) == len(set(stated))
    assert set(stated).isdisjoint(rules.unplayed)
    silent = set(KEYS) - {"name"} - set(stated) - set(rules.unplayed)
    allowed = {"end_at"}
    allowed |= {"jokers_per_pack", "lone_joker"} if table["joker"] == "none" else set()
    allowed |= {"exchange_vice"} if table["exchange_top"] == 0 else set()
    allowed |= {"ties", "start_points"} if table["points"] == "none" else set()
    assert silent <= allowed
    for rule in rules.rules:
        assert rule.chosen is None or rule.readings[0] is rule.chosen
        assert rule.says or rule.readings


@some
@given(rulesets)
def test_places_are_cited_own_rulebook_first(ruleset: Ruleset) -> None:
    """In order, none twice, and starred where a rulebook only offers it."""
    rules = sheet(ruleset)
    for rule in rules.rules:
        keys = [(rules.table.books.index(one.book), one.line, one.number) for one in rule.sentences]
        assert all(before < after for before, after in pairwise(keys))
    text = flat(ruleset_text(ruleset))
    places = {one.place: one for book in rulebooks().values() for one in book}
    for book, numbers in re.findall(r"(\w+-\w+(?:-\w+)?) ((?:\d+\.\d+\*?, )*\d+\.\d+\*?)[;\]]", text):
        for number in numbers.split(", "):
            assert places[f"{book} {number.rstrip(OPTION)}"].option == number.endswith(OPTION)


@some
@given(rulesets)
def test_why_adds_reasons_and_paraphrases(ruleset: Ruleset) -> None:
    """Every line of the plain text stands in the longer one, too."""
    plain, long = ruleset_text(ruleset), ruleset_text(ruleset, why=True)
    assert is_safe(long)
    assert all(len(line) <= WIDTH for line in long.splitlines()[1:])
    following = iter(long.splitlines())
    assert all(line in following for line in plain.splitlines())
    table = table_of(ruleset)
    words = flat(long)
    for reading in table.readings:
        assert f"why: {reading.why}" in words
        assert f"why: {reading.why}" not in flat(plain)
        for one in origins_of(reading, table):
            assert f"{one.place}: {one.says}" in words


@pytest.mark.parametrize("name", preset_names())
def test_a_paraphrase_stands_once_under_a_rule(name: str) -> None:
    """A reading does not repeat what its rule has cited."""
    block: list[str] = []
    for line in ruleset_text(load_preset(name), why=True).splitlines():
        if re.match(r" {0,2}\S", line):
            block = []
        place = re.match(r" {4,6}([a-z-]+ \d+\.\d+): ", line)
        if place:
            assert place[1] not in block
            block.append(place[1])


# --- each setting by itself


@pytest.mark.parametrize("key", OTHERS)
def test_a_change_of_one_setting_shows_and_is_named(key: str) -> None:
    """The sentences differ whichever setting changes, and the difference names exactly that one."""
    for base, other in changes(key):
        shown, says, unplayed = told_of(base)
        one, rules = BASES[base], sheet(other)
        assert shown != body(ruleset_text(other))
        assert (says, unplayed) != ([rule.says for rule in rules.rules], rules.unplayed)
        text = difference_text(one, other)
        headings = re.findall(r"(?m)^\n(\w.*)$", text)
        assert [line for line in headings if not line.startswith("readings that only ")] == [title(key)]
        document = json.loads(difference_json(one, other))
        assert list(document["settings"]) == [key]
        assert document["settings"][key]["values"] == [one.table()[key], other.table()[key]]


def test_the_changes_above_meet_every_value() -> None:
    """Of every word and flag, apart from those that only go together with another setting."""
    seen = {
        f"{key}={ruleset.table()[key]}"
        for key in OTHERS
        for base, other in changes(key)
        for ruleset in (BASES[base], other)
    }
    wanted = {f"{file_key(name)}={value}" for name, kind in ENUM_SETTINGS.items() for value in kind}
    wanted |= {f"{key}={value}" for key in FLAG_SETTINGS for value in (True, False)}
    assert wanted - seen == {"joker=none", "ties=none"}
    assert {one.partition("=")[0] for one in seen} == set(KEYS) - {"name", "jokers_per_pack"}


def test_jokers_and_points_show_as_well() -> None:
    """What changes only together with another setting."""
    plain, jokers = load_preset("president"), load_preset("president", {"jokers_per_pack": 2, "joker": "high"})
    assert "no jokers" not in body(ruleset_text(plain))
    assert "jokers" in ruleset_text(plain).rpartition("\nnot played\n")[2]
    assert "jokers_per_pack" in [rule.settings[0] for rule in sheet(jokers).rules if rule.settings]
    without = load_preset("president", {"points": "none", "ties": "none"})
    assert "No points are kept." in ruleset_text(without)
    assert "Equal totals" not in ruleset_text(without)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"seats": [5, 5]}, "5 seats play"),
        ({"end_at": 1}, "after 1 round."),
        ({"end_at": 7}, "after 7 rounds."),
        ({"match_end": "target", "end_at": 9}, "a seat has 9 points or more"),
        ({"start_points": 1}, "starts with 1 point."),
        ({"start_points": -3}, "starts with -3 points."),
        ({"turn_seconds": 1}, "A turn has 1 second;"),
        ({"exchange_top": 1}, "The Peasant gives the President its best card, and gets back any one."),
        ({"exchange_top": 3}, "its 3 best cards, and gets back any 3."),
        ({"exchange_vice": 0}, "The Vice President and the Vice Peasant exchange nothing."),
        ({"points": [2, 1, 0, -1, -2]}, "the President +2, the Vice President +1, the Citizen 0, the Vice Peasant -1 "),
        (
            {"seats": [3, 4], "second_pack_from": "never", "points": {"4": [3, 1, 0, 0], "3": [2, 1, 0]}},
            "from the first place down +2, +1, 0 with 3 seats; +3, +1, 0, 0 with 4 seats.",
        ),
        ({"titles": [*"abcd", HOSTILE]}, f"The {printable(HOSTILE)} gives the a its 2 best cards"),
        ({"titles": ["{first}", "{0}", "%s", "}", "{"]}, "the first is {first}, the second {0}, the last but one },"),
    ],
)
def test_figures_and_titles_of_the_table_are_in_its_sentences(changed: dict[str, Any], words: str) -> None:
    """With the right number, and whatever the titles are."""
    assert words in flat(ruleset_text(load_preset("president", changed)))


# --- where a setting comes from


@pytest.mark.parametrize(
    ("name", "changed", "key", "places"),
    [
        ("prezydent", {}, "lone_joker", ["prezydent-pl 26.1"]),
        ("prezydent", {"equal_rank": "skip"}, "equal_rank", ["prezydent-pl 56.1", "prezydent-pl 56.2"]),
        ("prezydent", {"pass": "open"}, "pass", ["president-en 13.2", "president-en 33.1"]),
        ("prezydent", {"turn_seconds": 30}, "turn_seconds", ["president-en 83.1", "president-en 83.2"]),
        ("prezydent", {"revolution": "trick"}, "revolution", ["le-president-fr 53.4"]),
        ("president", {"end_at": 7}, "match_end", ["president-en 61.1", "president-en 61.2"]),
        ("president", {"exchange_top": 3}, "exchange_top", ["president-en 79.2"]),
        ("president", {"twos": "clear"}, "twos", ["president-en 65.3", "president-en 67.1", "president-en 67.2"]),
        ("president", {"later_leader": "3c"}, "later_leader", ["rules-card-en 13.41", "rules-card-en 13.42"]),
        ("wild-joker", {"lone_joker": "ordinary"}, "lone_joker", []),
        ("president", {"exchange_vice": 2}, "exchange_vice", []),
        ("president", {"first_leader": "first-dealt"}, "first_leader", []),
    ],
)
def test_a_setting_comes_from_its_own_rulebook_else_from_another(
    name: str, changed: dict[str, Any], key: str, places: list[str]
) -> None:
    """Options of its own come before rules of others; what no rulebook has is the table's own."""
    ruleset = load_preset(name, changed)
    assert cited(ruleset, key) == places
    assert rule_on(ruleset, key).note == ("" if places else OWN_RULE)
    assert (f"[{OWN_RULE}]" in ruleset_text(ruleset)) == (not places)


@pytest.mark.parametrize(
    ("name", "titles", "places"),
    [
        ("prezydent", None, ["prezydent-pl 36.1", "prezydent-pl 38.1", "prezydent-pl 40.1"]),
        ("prezydent", list("abcde"), ["president-en 42.1"]),
        ("president", list("abcde"), ["president-en 42.1"]),
        ("prezydent", load_preset("le-president").table()["titles"], ["le-president-fr 39.1", "le-president-fr 39.2"]),
    ],
)
def test_titles_come_from_the_rulebook_that_has_them(name: str, titles: list[str] | None, places: list[str]) -> None:
    """Others than those of any rulebook are an option in one of them."""
    ruleset = load_preset(name, {"titles": titles} if titles else {})
    assert [one.place for one in setting_origin("titles", table_of(ruleset)).sentences][: len(places)] == places


def test_a_reading_of_the_preset_stands_in_for_its_rulebook() -> None:
    """Only under the preset's name: another table that plays so does it of its own accord."""
    own = load_preset("le-president")
    chosen = rule_on(own, "lone_joker").chosen
    assert chosen is not None
    assert chosen.name == "joker-keeps-count"
    assert rule_on(own, "lone_joker").says not in ruleset_text(own)
    renamed = rule_on(load_preset("le-president", {"name": "mine"}), "lone_joker")
    assert (renamed.chosen, renamed.note) == (None, OWN_RULE)


def test_a_table_of_another_name_goes_by_the_nearest_preset() -> None:
    """The heading says which one that is and what was changed."""
    same = load_preset("wild-joker", {"name": "mine"})
    assert ruleset_text(same).startswith("mine: 3 to 5 seats, the same as wild-joker, the rules card\n\n")
    near = load_preset("wild-joker", {"name": HOSTILE, "pass": "open", "seats": [4, 4]})
    heading = f"{printable(HOSTILE)}: 4 seats, nearest to wild-joker, the rules card; changed: seats, pass\n\n"
    assert ruleset_text(near).startswith(heading)
    assert table_of(near).book == "rules-card-en"
    changed = ruleset_text(load_preset("president", {"ties": "shared"}))
    assert changed.startswith("president: 3 to 8 seats, the English rulebook; changed: ties\n\n")


# --- JSON and TOML


@some
@given(rulesets)
def test_json_has_settings_rules_sentences_and_readings(ruleset: Ruleset) -> None:
    """Everything that is named in it stands in it; its settings are the ruleset."""
    document = json.loads(ruleset_json(ruleset))
    assert document["format"] == "fairdeal-ruleset/2"
    assert ruleset_from(document["settings"]) == ruleset
    assert list(document["settings"]) == list(ruleset.table())
    table = table_of(ruleset)
    assert document["preset"] == {"name": table.preset, "book": table.book, "changed": list(table.changed)}
    sentences = {one["place"]: one for one in document["sentences"]}
    told_readings = {one["name"]: one for one in document["readings"]}
    assert list(told_readings) == [reading.name for reading in table.readings]
    named = {place for rule in document["rules"] for place in rule["sentences"]}
    named |= {place for reading in told_readings.values() for place in reading["from"]}
    assert named == set(sentences)
    assert {name for rule in document["rules"] for name in rule["readings"]} == set(told_readings)
    for place, one in sentences.items():
        assert place == f"{one['book']} {one['line']}.{one['number']}"
        entry = next(known for known in rulebooks()[one["book"]] if known.place == place)
        assert (one["says"], one["sha256"], one["option"]) == (entry.says, entry.sha256, entry.option)
    for reading in told_readings.values():
        assert (reading["says"], reading["why"]) == (readings()[reading["name"]].says, readings()[reading["name"]].why)


@many
@given(rulesets)
def test_a_ruleset_file_is_read_back_as_the_same_ruleset(ruleset: Ruleset) -> None:
    """With every name, title and figure, and without a character that a terminal could obey."""
    text = ruleset_toml(ruleset)
    assert load_ruleset(text) == ruleset
    assert list(tomllib.loads(text)) == list(ruleset.table())
    assert is_safe(text)
    assert text.startswith(HEAD)


@pytest.mark.parametrize("name", preset_names())
def test_the_file_of_a_preset_says_what_else_a_word_could_be(name: str) -> None:
    """One line a setting; every other value of an enum stands behind it."""
    lines = ruleset_toml(load_preset(name)).removeprefix(HEAD).splitlines()
    assert [line.split()[0] for line in lines] == list(load_preset(name).table())
    for key, kind in ENUM_SETTINGS.items():
        line = next(line for line in lines if line.startswith(f"{file_key(key)} = "))
        value, _, others = line.partition("# or ")
        assert {json.loads(value.partition(" = ")[2]), *others.split(", ")} == set(map(str, kind))
    assert max(map(len, lines)) <= 120


# --- differences


def test_a_difference_has_both_values_and_what_they_mean() -> None:
    """A heading that says which is which, then setting by setting, then the readings by name."""
    text = difference_text(load_preset("prezydent"), load_preset("le-president"))
    parts = text.rstrip("\n").split("\n\n")
    assert parts[0] == "prezydent and le-president play differently"
    assert parts[2] == (
        "equal rank\n"
        "  prezydent     forbid: To equal the pile is not enough.\n"
        "  le-president  skip: A play may also equal the pile; the next seat then misses its turn."
    )
    assert parts[5].startswith("titles\n  prezydent     In the next round the first is Prezydent, the second Premier,")
    assert parts[6].startswith("readings that only prezydent needs\n  top-rank-unmatchable, ")
    assert parts[7].startswith("readings that only le-president needs\n  joker-keeps-count, ")
    assert len(parts) == 8


@some
@given(rulesets, rulesets)
def test_a_difference_is_read_both_ways(one: Ruleset, other: Ruleset) -> None:
    """What the one has first the other has second, in text and JSON."""
    there, back = json.loads(difference_json(one, other)), json.loads(difference_json(other, one))
    assert there["format"] == "fairdeal-difference/2"
    assert there["rulesets"] == back["rulesets"][::-1] == [one.template.name, other.template.name]
    assert there["readings"] == back["readings"][::-1]
    first, second = one.table(), other.table()
    differing = [key for key in first if key != "name" and first[key] != second[key]]
    assert list(there["settings"]) == list(back["settings"]) == differing
    for key, entry in there["settings"].items():
        assert entry == {
            "title": title(key),
            "values": [first[key], second[key]],
            "means": [meaning(key, first), meaning(key, second)],
        }
        assert back["settings"][key]["values"] == entry["values"][::-1]
    text = difference_text(one, other)
    assert is_safe(text)
    assert all(len(line) <= WIDTH for line in text.splitlines())
    headings = re.findall(r"(?m)^\n(\w.*)$", text)
    assert headings[: len(differing)] == list(map(title, differing))
    assert text.count("no difference") == (not differing)


@some
@given(rulesets, st.booleans())
def test_one_ruleset_has_no_difference(ruleset: Ruleset, why: bool) -> None:
    """Whatever it is called."""
    text = difference_text(ruleset, ruleset, why=why)
    assert flat(text).endswith("(second): no difference")
    renamed = ruleset_from(ruleset.table() | {"name": "another"})
    assert json.loads(difference_json(ruleset, renamed))["settings"] == {}
    assert json.loads(difference_json(ruleset, renamed))["readings"] == [[], []]
    assert flat(difference_text(ruleset, renamed)).endswith("and another: no difference")


def test_two_changes_of_one_preset_are_told_apart() -> None:
    """By which was named first; a long name is cut."""
    one, other = load_preset("president", {"end_at": 7}), load_preset("president")
    text = difference_text(one, other)
    assert text.startswith("president (first) and president (second) play differently\n\nend at\n")
    assert "  president (first)   7: " in text
    assert "  president (second)  5: " in text
    long = load_preset("president", {"name": "long " * 12, "end_at": 7})
    assert difference_text(long, other).startswith("long long long long lon… and president play differently\n")


def test_why_adds_what_the_readings_decide_and_why() -> None:
    """Of both tables, under the reading's name."""
    plain = difference_text(load_preset("president"), load_preset("party"))
    long = difference_text(load_preset("president"), load_preset("party"), why=True)
    reading = readings()["skip-once-a-play"]
    assert reading.name in plain
    assert reading.says not in flat(plain)
    assert f"{reading.name}: {reading.says} why: {reading.why}" in flat(long)
    assert max(map(len, long.splitlines())) <= WIDTH
