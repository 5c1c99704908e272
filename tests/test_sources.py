"""Every sentence of the rulebooks has its entry, and every entry and reading speaks of what there is.

Where the rulebooks lie beside the checkout, the entries are held against them, sentence by sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib.resources import files
from itertools import chain, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.limits import MAX_SEATS, MIN_SEATS
from fairdeal.ruleset import KEYS, NO_POINTS, PLACES_BEATEN, load_preset, preset_names
from fairdeal.settings import ENUM_SETTINGS, FLAG_SETTINGS, NUMBER_SETTINGS, TITLE_CLASSES, file_key
from fairdeal.sources import (
    COMMON,
    PRESET_BOOKS,
    Reading,
    Sentence,
    fits,
    readings,
    readings_for,
    rulebooks,
    sentences_for,
    written,
)
from tests.conftest import ROOT
from tests.sentences import sentences

# The texts themselves, by name and line; none where they do not lie beside the checkout.
TEXTS = {
    path.stem: path.read_text("utf-8").split("\n") for path in (ROOT.parent / "shared" / "rulebooks").glob("*.txt")
}
ALL = list(chain.from_iterable(rulebooks().values()))
PLACES = {one.place: one for one in ALL}
ENUMS = {file_key(name): [str(value) for value in kind] for name, kind in ENUM_SETTINGS.items()}
NUMBERS = {**NUMBER_SETTINGS, "vices_from": (4, MAX_SEATS)}
SHARED_WORDS = 8  # as many in a row would be a quotation

# What the rulebooks leave to choose where they are silent or contradict themselves, by preset.
CHOSEN = {
    "president": {"jokers_per_pack", "lone_joker", "first_card", "points"},
    "party": {"jokers_per_pack", "lone_joker", "first_card", "points"},
    "prezydent": {"top_rank_matchable", "pass", "revolution", "first_leader", "first_card", "ties"},
    "le-president": {
        "lone_joker",
        "equal_rank",
        "completed_rank",
        "revolution",
        "first_leader",
        "first_card",
        "ties",
    },
    "wild-twos": {"lone_joker", "later_leader", "match_end", "ties"},
    "wild-joker": {"later_leader", "match_end", "ties"},
    "always-match": {"later_leader", "match_end", "ties"},
}

# What a rulebook that does not mention it is played without, and values that follow from those of other settings.
UNMENTIONED = {
    "lone_joker=ordinary",  # there are no jokers
    "top_rank_matchable=true",  # where nothing can be matched
    "completed_rank=ignore",
    "revolution=none",
    "going_out=free",
    "first_play_3c=false",
    "reseat=false",
    "start_points=0",
    "end_at=0",  # the end needs no number
}

HOUSE_RULES: Mapping[str, Any] = {
    "jokers_per_pack": 2,
    "joker": "high",
    "twos": "clear-and-one-beats-any",
    "equal_rank": "skip",
    "pass": "locks",
    "completed_rank": "clear",
    "revolution": "round",
    "straights": True,
    "going_out": "drops",
    "first_play_3c": True,
    "reseat": True,
}
# Each preset, and as many mixes as it takes to have every reading apply somewhere.
TABLES = [
    *((name, load_preset(name).table()) for name in preset_names()),
    ("president", load_preset("president", HOUSE_RULES).table()),
    ("party", load_preset("party", {**HOUSE_RULES, "joker": "wild", "equal_rank": "burn"}).table()),
    (
        "president",
        load_preset("president", {"match_end": "target", "end_at": 20, "exchange_top": 0, "exchange_vice": 0}).table(),
    ),
    ("president", load_preset("president", {"later_leader": "3c", "first_card": "first-place"}).table()),
    ("le-president", load_preset("le-president", {"equal_rank": "skip-if-unable", "revolution": "trick"}).table()),
]


def lawful(tag: str) -> bool:
    """Return whether a tag names a setting that there is, and if a value then one that it can have."""
    key, equals, value = tag.partition("=")
    if not equals or key in FLAG_SETTINGS:
        return key in KEYS and value in ("", "true", "false")
    if key in ENUMS:
        return value in ENUMS[key]
    if key in NUMBERS:
        low, high = NUMBERS[key]
        return key in KEYS and value.removeprefix("-").isdecimal() and low <= int(value) <= high
    seats = [str(number) for number in range(MIN_SEATS, MAX_SEATS + 1)]
    match key:
        case "seats":
            return value in [f"{low}-{high}" for low in seats for high in seats if low <= high]
        case "second_pack_from":
            return value in [*seats, "never"]
        case "points":
            figures = re.fullmatch(r"-?\d+(,-?\d+)*", value) and value.count(",") == len(TITLE_CLASSES) - 1
            return value in (PLACES_BEATEN, NO_POINTS) or bool(figures)
    return False


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def runs(text: str) -> set[tuple[str, ...]]:
    """Return every run of `SHARED_WORDS` words of a text."""
    found = words(text)
    return {tuple(found[start : start + SHARED_WORDS]) for start in range(len(found) - SHARED_WORDS + 1)}


def tags_of(listed: Iterable[Sentence | Reading]) -> set[str]:
    return {tag for one in listed for tag in one.settings}


# --- how a line falls into sentences


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("", []),
        ("  \t ", []),
        ("One heading", ["One heading"]),
        ("One. Two! Three? 4 more.", ["One.", "Two!", "Three?", "4 more."]),
        ("He said “no.” Then he left.", ["He said “no.”", "Then he left."]),
        ("(It rained.) Łódź was wet.", ["(It rained.)", "Łódź was wet."]),
        ("a pair (ex. 2 rois). Next", ["a pair (ex. 2 rois).", "Next"]),
        ("a pair (np. 2 króle). Next", ["a pair (np. 2 króle).", "Next"]),
        ("the vex. Next", ["the vex.", "Next"]),
        ("in full. and on", ["in full. and on"]),
        ("version 1.5 of Pagat.com is out", ["version 1.5 of Pagat.com is out"]),
        ("He passes. (see below)", ["He passes. (see below)"]),
        ("12. Twelfth rule. A 2 wins.", ["Twelfth rule.", "A 2 wins."]),
        ("3 to 8 seats", ["3 to 8 seats"]),
        ("• first • Second. Third •", ["first", "Second.", "Third"]),
        ("HEADING • One. OTHER • Two.", ["HEADING", "One.", "OTHER", "Two."]),
    ],
)
def test_sentences_of_a_line(line: str, pieces: list[str]) -> None:
    assert sentences(line) == pieces


@given(st.text("aZ1É.!?•()”’ \t\u00a0") | st.text())
def test_nothing_of_a_line_is_lost_or_split_twice(line: str) -> None:
    """Only bullets, blanks and a list number go; a piece is one sentence by itself."""
    pieces = sentences(line)
    unnumbered = re.sub(r"^\s*[0-9]+\.\s+", "", line)
    assert "".join("".join(pieces).split()) == "".join(unnumbered.replace("•", "").split())
    for piece in pieces:
        assert piece == piece.strip()
        assert sentences("• " + piece) == [piece]


# --- the rulebooks


def test_every_sentence_of_the_rulebooks_has_its_entry() -> None:
    """Line by line and hash by hash, nothing missing and nothing left over."""
    assert set(TEXTS) in (set(), set(rulebooks()))
    for book, lines in TEXTS.items():
        expected = [
            (line, number, sha256(piece.encode("utf-8")).hexdigest())
            for line, text in enumerate(lines, 1)
            for number, piece in enumerate(sentences(text), 1)
        ]
        assert [(one.line, one.number, one.sha256) for one in rulebooks()[book]] == expected


def test_paraphrases_are_no_quotations() -> None:
    """No entry shares eight words in a row with its sentence, and no reading with any sentence."""
    told = set().union(*(runs(one.says) | runs(one.why) for one in readings().values()))
    for book, lines in TEXTS.items():
        pieces = [piece for text in lines for piece in sentences(text)]
        for one, piece in zip(rulebooks()[book], pieces, strict=True):
            assert not runs(one.says) & runs(piece), one.place
            assert not told & runs(piece), one.place


@pytest.mark.parametrize("book", rulebooks())
def test_entries_stand_in_order_and_count_from_one(book: str) -> None:
    entries = rulebooks()[book]
    assert entries
    for before, after in pairwise(entries):
        assert (before.line, before.number) < (after.line, after.number)
        assert after.number == (before.number + 1 if after.line == before.line else 1)
    assert entries[0].number == 1


def test_no_two_sentences_have_one_place() -> None:
    assert len(PLACES) == len(ALL)
    assert PLACES["prezydent-pl 28.2"].settings == ("pass=locks",)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.place)
def test_an_entry_says_what_its_sentence_constrains_or_why_it_does_not(one: Sentence) -> None:
    assert re.fullmatch("[0-9a-f]{64}", one.sha256)
    assert one.says == " ".join(one.says.split())
    assert one.says.endswith(".")
    assert bool(one.no_rule) != bool(one.common or one.settings or one.readings)
    assert one.no_rule is None or not one.option
    assert set(one.common) <= set(COMMON)
    assert set(one.readings) <= set(readings())
    assert [tag for tag in one.settings if not lawful(tag)] == []
    assert one.settings or not one.option
    for listed in (one.common, one.settings, one.readings):
        assert len(set(listed)) == len(listed)


def test_every_common_rule_is_stated_by_a_sentence() -> None:
    assert set(chain.from_iterable(one.common for one in ALL)) == set(COMMON)
    assert len(set(COMMON.values())) == len(COMMON)


# --- the readings


@pytest.mark.parametrize("reading", readings().values(), ids=lambda reading: reading.name)
def test_a_reading_is_one_decision_with_its_reason(reading: Reading) -> None:
    assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", reading.name)
    for text in (reading.says, reading.why):
        assert text == " ".join(text.split())
        assert re.search(r"\.”?$", text)
    assert [tag for tag in reading.settings if not lawful(tag)] == []
    assert set(reading.presets) <= set(PRESET_BOOKS)
    assert reading.settings or not reading.presets
    for listed in (reading.settings, reading.presets, reading.origins):
        assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("reading", readings().values(), ids=lambda reading: reading.name)
def test_readings_and_sentences_name_each_other(reading: Reading) -> None:
    """A reading comes from exactly the sentences that cite it; where none does, its reason says that all are silent."""
    assert list(reading.origins) == [one.place for one in ALL if reading.name in one.readings]
    assert reading.origins or "silent" in reading.why


def test_readings_are_told_apart_by_what_they_say() -> None:
    assert len({reading.says for reading in readings().values()}) == len(readings())


def test_readings_choose_exactly_what_is_left_open_for_a_preset() -> None:
    chosen: dict[str, set[str]] = {name: set() for name in PRESET_BOOKS}
    for reading in readings().values():
        for preset in reading.presets:
            chosen[preset] |= {tag.partition("=")[0] for tag in reading.settings if "=" in tag}
    assert chosen == CHOSEN


@pytest.mark.parametrize("name", [name for name in preset_names() if name in PRESET_BOOKS])
def test_what_a_reading_chose_is_what_the_preset_plays(name: str) -> None:
    """With no jokers in the pack, the readings on them are about the option to add some."""
    plain, jokers = load_preset(name).table(), {"jokers_per_pack": 2, "joker": "high"}
    for reading in readings().values():
        if name in reading.presets:
            about = {tag.partition("=")[0] for tag in reading.settings}
            table = plain | jokers if about & {"joker", "jokers_per_pack"} else plain
            assert reading.applies(table, name), reading.name


@pytest.mark.parametrize("reading", readings().values(), ids=lambda reading: reading.name)
def test_every_reading_applies_somewhere(reading: Reading) -> None:
    assert any(reading in readings_for(table, name) for name, table in TABLES)


# --- settings and their sources


def test_every_value_on_offer_is_traced() -> None:
    """Whatever a setting can be beyond `none`, and every flag that can be on, comes from a sentence or a reading."""
    offered = {f"{key}={value}" for key, values in ENUMS.items() for value in values if value != "none"}
    offered |= {f"{key}=true" for key in FLAG_SETTINGS}
    assert offered - tags_of(ALL) - tags_of(readings().values()) == set()


@pytest.mark.parametrize("name", [name for name in preset_names() if name in PRESET_BOOKS])
def test_every_setting_of_a_preset_is_traced(name: str) -> None:
    """A sentence of its rulebook or a reading stands behind each value, unless it only says that something is off."""
    table = load_preset(name).table()
    read = tags_of(readings_for(table, name))
    for key, value in table.items():
        tag = f"{key}={written(key, value)}"
        traced = sentences_for(PRESET_BOOKS[name], key, value) or tag in read
        assert key == "name" or traced or tag in UNMENTIONED, tag


def test_presets_and_rulebooks_cover_each_other() -> None:
    assert set(PRESET_BOOKS.values()) == set(rulebooks())
    assert set(preset_names()) <= set(PRESET_BOOKS)


def test_sentences_behind_a_value() -> None:
    def places(book: str, setting: str, value: object) -> list[str]:
        return [one.place.removeprefix(book + " ") for one in sentences_for(book, setting, value)]

    assert places("president-en", "turn_seconds", 30) == ["83.1", "83.2"]
    assert places("president-en", "first_play_3c", True) == ["76.1", "76.2"]
    assert places("president-en", "pass", "open") == ["13.2", "33.1"]
    assert places("president-en", "exchange_top", 0) == ["79.2"]
    assert places("prezydent-pl", "seats", [4, 8]) == ["7.1"]
    assert places("prezydent-pl", "points", [5, 0, -5, -10, -15]) == ["62.1", "63.1", "64.1", "65.1", "66.1"]
    assert places("rules-card-en", "titles", ["a", "b", "c", "d", "e"]) == ["13.34"]
    assert places("le-president-fr", "twos", "wild") == []


def test_readings_of_a_table() -> None:
    """A reading stays while its settings do; one that chose for a preset is nothing to a table of another name."""

    def names(preset: str, called: str | None = None, **changes: Any) -> set[str]:
        return {one.name for one in readings_for(load_preset(preset, changes).table(), called or preset)}

    locks = {"forced-pass-locks", "locked-need-not-pass-again"}
    assert locks <= names("prezydent")
    assert not locks & names("prezydent", **{"pass": "open"})
    assert locks & names("prezydent", "ours") == {"locked-need-not-pass-again"}
    assert "skip-once-a-play" not in names("prezydent")
    assert "skip-once-a-play" in names("prezydent", equal_rank="skip")
    assert "able-seat-is-free" in names("le-president", equal_rank="skip-if-unable")
    assert "no-clock-no-time-outs" in names("president", turn_seconds=0)
    assert "clock-not-early" not in names("president", turn_seconds=0)
    assert "no-pass-on-the-lead" in names("always-match", "ours")


@pytest.mark.parametrize(
    ("setting", "value", "text"),
    [
        ("seats", [3, 8], "3-8"),
        ("second_pack_from", "never", "never"),
        ("straights", True, "true"),
        ("straights", False, "false"),
        ("turn_seconds", 30, "30"),
        ("points", [5, 0, -5, -10, -15], "5,0,-5,-10,-15"),
        ("points", {"3": [2, 1, 0]}, "by-place"),
        ("points", "places-beaten", "places-beaten"),
    ],
)
def test_how_values_are_written(setting: str, value: object, text: str) -> None:
    assert written(setting, value) == text
    assert fits(f"{setting}={text}", setting, value)
    assert not fits(f"{setting}={text}", "titles", value)
    assert not fits(f"{setting}=other", setting, value)


@pytest.mark.parametrize("value", [0, False, "none", "never"])
def test_a_key_alone_is_not_for_a_setting_that_is_off(value: object) -> None:
    assert not fits("joker", "joker", value)


@pytest.mark.parametrize("value", [1, -5, True, "high", [3, 8], {"3": [2, 1, 0]}])
def test_a_key_alone_is_for_any_value_that_is_on(value: object) -> None:
    assert fits("joker", "joker", value)
    assert not fits("twos", "joker", value)


# --- the files


@pytest.mark.parametrize("path", ["readings.toml", *(f"rulebooks/{book}.toml" for book in rulebooks())])
def test_lines_are_short_and_keys_stand_in_one_order(path: str) -> None:
    lines = files("fairdeal").joinpath(path).read_text("utf-8").splitlines()
    assert max(map(len, lines)) <= 120
    order = ["says", "why", "settings", "presets", "from"]
    if path != "readings.toml":
        order = ["line", "number", "sha256", "says", "common", "settings", "readings", "option", "no_rule"]
    keys = [match[1] for line in lines if (match := re.match(r"([a-z_0-9]+) = |\[", line))]
    for before, after in pairwise(keys):
        assert before is None or after is None or order.index(before) < order.index(after)


def test_every_file_of_the_folder_is_a_rulebook() -> None:
    folder = files("fairdeal").joinpath("rulebooks")
    assert {entry.name for entry in folder.iterdir()} == {f"{book}.toml" for book in rulebooks()}
