"""Rulesets: every setting is stated, everything wrong is listed, and the presets are what their rulebooks say."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from enum import StrEnum
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.cards import fresh_cards
from fairdeal.errors import Misuse, RulesetError
from fairdeal.limits import MAX_EXCHANGE, MAX_POINTS, MAX_ROUNDS, MAX_TEXT_BYTES, MAX_TURN_SECONDS
from fairdeal.playable import conflicts
from fairdeal.ruleset import (
    KEYS,
    load_preset,
    load_ruleset,
    preset_names,
    preset_rules,
    ruleset_from,
    ruleset_title,
)
from fairdeal.settings import (
    CompletedRank,
    EqualRank,
    FirstCard,
    FirstLeader,
    GoingOut,
    Joker,
    LaterLeader,
    LoneJoker,
    MatchEnd,
    Passing,
    Revolution,
    Rules,
    Ties,
    Twos,
)

TEXT = files("fairdeal").joinpath("rulesets", "president.toml").read_text("utf-8")
TABLE: Mapping[str, Any] = tomllib.loads(TEXT)
NO_POINTS: Mapping[str, Any] = {"points": "none", "ties": "none"}
BY_TITLE = [5, 0, -5, -10, -15]
CHOICES: Mapping[str, type[StrEnum]] = {
    "joker": Joker,
    "lone_joker": LoneJoker,
    "twos": Twos,
    "equal_rank": EqualRank,
    "pass": Passing,
    "completed_rank": CompletedRank,
    "revolution": Revolution,
    "going_out": GoingOut,
    "first_leader": FirstLeader,
    "later_leader": LaterLeader,
    "first_card": FirstCard,
    "match_end": MatchEnd,
    "ties": Ties,
}
FLAGS = ("top_rank_matchable", "straights", "first_play_3c", "reseat")

PRESETS = ("president", "party", "prezydent", "le-president", "wild-twos", "wild-joker", "always-match")
TITLES_EN = ["President", "Vice President", "Citizen", "Vice Peasant", "Peasant"]
TITLES_PL = ["Prezydent", "Premier", "Obywatel", "Chłop", "Żebrak"]
TITLES_FR = ["Président", "Premier-Ministre", "Citoyen", "Paysan", "Mendiant"]
TITLES_CARD = ["President", "Vice-President", "Middle", "Vice-Loser", "Loser"]
# every setting in every preset, in the order above, from the rulebooks by hand, with the lines that speak of it:
# president-en (en), prezydent-pl (pl), le-president-fr (fr), and of the rules card the one line that holds its rules
SETTINGS: Mapping[str, tuple[Any, ...]] = {
    # en 17, pl 7, fr 7, card 13
    "seats": ([3, 8], [3, 8], [4, 8], [4, 8], [3, 5], [3, 5], [3, 5]),
    # en 18, pl 9, fr 9, card 13
    "second_pack_from": (6, 6, "never", "never", "never", "never", "never"),
    "jokers_per_pack": (0, 0, 2, 2, 2, 2, 2),
    # en 20 and 78, pl 9, fr 9, card 13
    "joker": ("none", "none", "high", "high", "wild", "wild", "wild"),
    # pl 26, card 13
    "lone_joker": ("ordinary", "ordinary", "trump", "ordinary", "sweep", "sweep", "as-two"),
    # en 65 and 67, card 13
    "twos": ("ordinary", "clear", "ordinary", "ordinary", "wild", "ordinary", "ordinary"),
    # en 32, 65 and 69, pl 24 and 56, fr 27 and 29, card 13
    "equal_rank": ("forbid", "skip", "forbid", "skip", "forbid", "forbid", "forbid"),
    # pl 56
    "top_rank_matchable": (True, True, False, True, True, True, True),
    # en 33, pl 28, fr 31, card 13
    "pass": ("open", "open", "locks", "locks", "locks", "locks", "locks"),
    # en 72, fr 33
    "completed_rank": ("ignore", "ignore", "ignore", "clear-if-several-plays", "ignore", "ignore", "ignore"),
    # en 65 and 73, pl 52, fr 18 and 53
    "revolution": ("none", "round", "round", "round", "none", "none", "none"),
    # en 71
    "straights": (False, False, False, False, False, False, False),
    # en 74
    "going_out": ("free", "free", "free", "free", "free", "free", "free"),
    # en 25, card 13
    "first_leader": ("3c", "3c", "first-dealt", "first-dealt", "3c", "3c", "3c"),
    # en 25 and 76
    "first_play_3c": (False, False, False, False, False, False, False),
    # en 26, pl 48, fr 49, card 13
    "later_leader": ("last", "last", "last", "last", "last", "last", "last"),
    # card 13
    "first_card": ("rotates", "rotates", "rotates", "rotates", "left-of-last", "left-of-last", "left-of-last"),
    # en 48 to 50, pl 46, fr 45 and 46, card 13
    "exchange_top": (2, 2, 2, 2, 2, 2, 2),
    "exchange_vice": (1, 1, 1, 1, 1, 1, 1),
    "vices_from": (4, 4, 4, 4, 4, 4, 4),
    # en 77
    "reseat": (False, False, False, False, False, False, False),
    # en 57 to 59, pl 62 to 66, fr 63 to 67, card 13
    "points": (*["places-beaten"] * 2, *[[5, 0, -5, -10, -15]] * 2, *["none"] * 3),
    # pl 60, fr 61
    "start_points": (0, 0, 50, 50, 0, 0, 0),
    # en 61, pl 68, fr 69, card 13
    "match_end": ("rounds", "rounds", "zero", "zero", "open", "open", "open"),
    "end_at": (5, 5, 0, 0, 0, 0, 0),
    # en 61
    "ties": ("presidencies", "presidencies", "shared", "shared", "none", "none", "none"),
    # en 83
    "turn_seconds": (30, 30, 0, 0, 0, 0, 0),
    # en 26 to 50, pl 36 to 44, fr 39, card 13
    "titles": (TITLES_EN, TITLES_EN, TITLES_PL, TITLES_FR, TITLES_CARD, TITLES_CARD, TITLES_CARD),
}
PLACES_BEATEN: Mapping[int, tuple[int, ...]] = {
    3: (2, 1, 0),
    4: (3, 2, 1, 0),
    5: (4, 3, 2, 1, 0),
    6: (5, 4, 3, 2, 1, 0),
    7: (6, 5, 4, 3, 2, 1, 0),
    8: (7, 6, 5, 4, 3, 2, 1, 0),
}
CREDIT: Mapping[int, tuple[int, ...]] = {
    4: (5, 0, -10, -15),
    5: (5, 0, -5, -10, -15),
    6: (5, 0, -5, -5, -10, -15),
    7: (5, 0, -5, -5, -5, -10, -15),
    8: (5, 0, -5, -5, -5, -5, -10, -15),
}
UNSCORED: Mapping[int, tuple[int, ...]] = {3: (), 4: (), 5: ()}
# points by place at every table of every preset
SCALES = dict(zip(PRESETS, (PLACES_BEATEN, PLACES_BEATEN, CREDIT, CREDIT, *[UNSCORED] * 3), strict=True))
TABLES = [(name, seats) for name, scales in SCALES.items() for seats in scales]
# what a value needs around it before nothing but its own merit decides
COMPANY: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("match_end", "target"): {"end_at": 11},
    ("match_end", "zero"): {"end_at": 0, "start_points": 50, "points": BY_TITLE},
    ("match_end", "open"): {"end_at": 0},
    ("ties", "none"): {"points": "none"},
    ("joker", "high"): {"jokers_per_pack": 2},
    ("joker", "wild"): {"jokers_per_pack": 2},
    ("jokers_per_pack", "2"): {"joker": "high"},
    ("lone_joker", "trump"): {"joker": "high", "jokers_per_pack": 2},
    ("lone_joker", "sweep"): {"joker": "high", "jokers_per_pack": 2},
    ("lone_joker", "as-two"): {"joker": "wild", "jokers_per_pack": 2},
    ("completed_rank", "clear-if-several-plays"): {"second_pack_from": "never"},
}


def refusal(overrides: Mapping[str, Any]) -> RulesetError:
    """Return the error that `president` with these overrides is refused with."""
    with pytest.raises(RulesetError) as caught:
        load_preset("president", overrides)
    return caught.value


def reasons(overrides: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with `president` with these overrides; each has a hint."""
    error = refusal(overrides)
    assert all(hint for _, hint in error.conflicts)
    assert error.hint == error.conflicts[0][1]
    return [what for what, _ in error.conflicts]


# --- what is stated


def test_every_setting_is_a_key() -> None:
    """The settings are those of the rules page and the ruleset's name, each once; the preset states all of them."""
    assert sorted(KEYS) == sorted([*SETTINGS, "name"])
    assert sorted(TABLE) == sorted(KEYS)


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_what_the_rulebooks_say(name: str) -> None:
    """Every packaged preset has the value of its rulebook, or of the reading of it, for every setting."""
    column = PRESETS.index(name)
    expected = {"name": name, **{key: values[column] for key, values in SETTINGS.items()}}
    assert load_preset(name).table() == expected


def test_preset_names() -> None:
    """Presets are known by name, and each has the name of its file."""
    assert list(preset_names()) == sorted(PRESETS)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_presets_at_every_table(name: str, seats: int) -> None:
    """At each number of seats a preset has its points by place, its packs and its swaps, and nothing clashes."""
    preset = load_preset(name)
    rules = preset.resolve(seats)
    assert rules.points == SCALES[name][seats]
    assert rules.packs == (2 if name in ("president", "party") and seats >= 6 else 1)
    assert (rules.exchange_top, rules.exchange_vice) == (2, 0 if seats == 3 else 1)
    assert rules.exchange_top < len(fresh_cards(rules.packs, rules.jokers_per_pack)) // seats
    assert not conflicts(rules, seats, preset.default_rounds())


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_for_no_other_table(name: str) -> None:
    """Outside the number of seats its rulebook names, a preset is refused."""
    for seats in set(range(10)) - set(SCALES[name]):
        with pytest.raises(Misuse, match="seats, not"):
            load_preset(name).resolve(seats)


@pytest.mark.parametrize(("name", "rounds"), list(zip(PRESETS, (5, 5, 10, 10, 100, 100, 100), strict=True)))
def test_presets_have_a_maximum_of_rounds(name: str, rounds: int) -> None:
    """Five hands are played as the rulebook says; ten are enough to lose fifty points; an open match may go on long."""
    assert load_preset(name).default_rounds() == rounds


@pytest.mark.parametrize("name", ["prezydent", "le-president"])
@pytest.mark.parametrize("seats", range(4, 9))
def test_ten_rounds_are_enough_for_the_credit(name: str, seats: int) -> None:
    """A round costs the table five points a seat, so somebody has lost the fifty of the start by the tenth."""
    preset = load_preset(name)
    assert sum(preset.resolve(seats).points) == -5 * seats
    assert preset.template.start_points <= 5 * preset.default_rounds()


HOUSE_RULES: Mapping[str, Mapping[str, Any]] = {
    "line 67": {"twos": "clear"},
    "line 68": {"twos": "clear-and-one-beats-any"},
    "line 69": {"equal_rank": "skip"},
    "line 70": {"equal_rank": "burn"},
    "line 71": {"straights": True},
    "line 72": {"completed_rank": "clear"},
    "line 73": {"revolution": "round"},
    "line 74": {"going_out": "drops"},
    "line 75": {"pass": "locks"},
    "line 76": {"first_play_3c": True},
    "line 77": {"reseat": True},
    "line 78, high": {"joker": "high", "jokers_per_pack": 2},
    "line 78, wild": {"joker": "wild", "jokers_per_pack": 2},
    "line 79, one": {"exchange_top": 1},
    "line 79, three": {"exchange_top": 3},
    "line 79, off": {"exchange_top": 0, "exchange_vice": 0},
    "lines 26 and 61": {"later_leader": "president", "match_end": "target", "end_at": 21},
}
OPTIONS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    **{f"president-en, {line}": ("president", rule) for line, rule in HOUSE_RULES.items()},
    "president-en, all at once": (
        "president",
        {key: value for rule in HOUSE_RULES.values() for key, value in rule.items()},
    ),
    "prezydent-pl, line 56": ("prezydent", {"equal_rank": "skip"}),
    "le-president-fr, line 57": ("le-president", {"equal_rank": "skip-if-unable"}),
    "rules-card-en, line 13": ("wild-twos", {"later_leader": "3c"}),
}


@pytest.mark.parametrize(("name", "option"), OPTIONS.values(), ids=list(OPTIONS))
def test_options_of_the_rulebooks(name: str, option: Mapping[str, Any]) -> None:
    """Whatever a rulebook offers beside its standard rules can be switched on, and changes nothing else."""
    assert load_preset(name, option).table() == {**load_preset(name).table(), **option}


def test_party_is_president_with_three_house_rules() -> None:
    """president-en.txt line 65: the party preset switches on three house rules."""
    house_rules = {**HOUSE_RULES["line 67"], **HOUSE_RULES["line 69"], **HOUSE_RULES["line 73"]}
    assert load_preset("president", {"name": "party", **house_rules}) == load_preset("party")


@pytest.mark.parametrize("name", ["", "President", "../president", "president.toml"])
def test_unknown_preset(name: str) -> None:
    """A name that is no preset is refused with the list of presets."""
    with pytest.raises(Misuse) as caught:
        load_preset(name)
    assert "president" in caught.value.hint


# --- what is wrong


@pytest.mark.parametrize("key", KEYS)
def test_missing_setting(key: str) -> None:
    """A ruleset that leaves a setting out is refused by its name."""
    with pytest.raises(RulesetError) as caught:
        ruleset_from({name: value for name, value in TABLE.items() if name != key})
    assert [what for what, _ in caught.value.conflicts] == [f"`{key}` is missing"]


@pytest.mark.parametrize("key", ["passing", "jokers", "", "Seats", "exchange"])
def test_unknown_setting(key: str) -> None:
    """A setting that does not exist is refused by its name, not ignored."""
    assert reasons({key: 1}) == [f"`{key}` is no setting"]


@pytest.mark.parametrize("key", CHOICES)
@pytest.mark.parametrize("value", ["", "NONE", 0, True, None, ["none"], 1.5])
def test_wrong_choice(key: str, value: object) -> None:
    """A value outside a setting's list is refused with the list as the hint."""
    error = refusal({key: value})
    assert error.conflicts == [(f"`{key}` cannot be `{value}`", "values: " + ", ".join(CHOICES[key]))]


@pytest.mark.parametrize("key", FLAGS)
@pytest.mark.parametrize("value", [0, 1, "yes", "true", None])
def test_wrong_flag(key: str, value: object) -> None:
    """A yes or no is a TOML boolean and nothing that resembles one."""
    assert reasons({key: value}) == [f"`{key}` cannot be `{value}`"]


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [
        ("exchange_top", 0, MAX_EXCHANGE),
        ("exchange_vice", 0, MAX_EXCHANGE),
        ("vices_from", 4, 8),
        ("start_points", -MAX_POINTS, MAX_POINTS),
        ("end_at", 0, MAX_POINTS),
        ("turn_seconds", 0, MAX_TURN_SECONDS),
    ],
)
def test_wrong_number(key: str, low: int, high: int) -> None:
    """A number outside its range, or no whole number, is refused with the range as the hint."""
    for value in (low - 1, high + 1, "2", 2.0, None, [2]):
        expected = (f"`{key}` cannot be `{value}`", f"a whole number {low} to {high}")
        assert refusal({key: value}).conflicts == [expected]


@pytest.mark.parametrize("seats", [[2, 8], [3, 9], [5, 4], [4], [3, 4, 5], 4, "3..8", [3, 8.0], [True, 4], []])
def test_wrong_seats(seats: object) -> None:
    """The seats are two whole numbers from 3 to 8, least first."""
    assert reasons({"seats": seats}) == [f"`seats` cannot be `{seats}`"]


@pytest.mark.parametrize("second", [2, 9, "no", 6.0, True, None])
def test_wrong_second_pack(second: object) -> None:
    """The second pack comes from a number of seats on, or never."""
    assert reasons({"second_pack_from": second}) == [f"`second_pack_from` cannot be `{second}`"]


@pytest.mark.parametrize("jokers", [1, -1, 3, "2", 2.0, True, None, [2]])
def test_wrong_jokers(jokers: object) -> None:
    """A pack has two jokers or none."""
    assert refusal({"jokers_per_pack": jokers}).conflicts == [(f"`jokers_per_pack` cannot be `{jokers}`", "0 or 2")]


@pytest.mark.parametrize("titles", [[], ["a"] * 4, ["a"] * 6, "abcde", ["a", "b", "c", "d", 5]])
def test_wrong_titles(titles: object) -> None:
    """Titles are five texts."""
    assert reasons({"titles": titles}) == [f"`titles` cannot be `{titles}`"]


@pytest.mark.parametrize("name", ["", 5, None, ["president"]])
def test_wrong_name(name: object) -> None:
    """A ruleset has a name."""
    assert reasons({"name": name}) == [f"`name` cannot be `{name}`"]


UNWRITABLE = {
    "empty": "",
    "65 letters": "x" * (MAX_TEXT_BYTES + 1),
    "66 bytes": "é" * (MAX_TEXT_BYTES // 2 + 1),
    "line break": "two\nlines",
    "delete": "\x7f",
    "control": "\x85",
}


@pytest.mark.parametrize("text", UNWRITABLE.values(), ids=list(UNWRITABLE))
def test_titles_fit_the_log(text: str) -> None:
    """A title that no terms can hold (empty, over 64 bytes, control characters) is refused when loaded."""
    titles = ["A", "B", text, "D", "E"]
    assert reasons({"titles": titles}) == [f"`titles` cannot be `{titles}`"]


@pytest.mark.parametrize("text", UNWRITABLE.values(), ids=list(UNWRITABLE))
def test_name_fits_the_log(text: str) -> None:
    """A name that no terms can hold (empty, over 64 bytes, control characters) is refused when loaded."""
    assert reasons({"name": text}) == [f"`name` cannot be `{text}`"]


@pytest.mark.parametrize(
    "points",
    [
        "titles",
        5,
        None,
        [1, 2, 3, 4],
        [1, 2, 3, 4, 5, 6],
        [1, 2, 3, 4, "5"],
        [1, 2, 3, 4, MAX_POINTS + 1],
        {"3": [2, 1]},
        {"three": [2, 1, 0]},
        {"3": 2},
        {"3": [2, 1, 0.5]},
        {"-3": [2, 1, 0]},
        {"2": [1, 0]},
        {"9": [8, 7, 6, 5, 4, 3, 2, 1, 0]},
    ],
)
def test_wrong_points(points: object) -> None:
    """Points are one of the named kinds, five figures by title, or rows of one figure per place."""
    assert reasons({"points": points}) == [f"`points` cannot be `{points}`"]


@pytest.mark.parametrize("seats", ["²", "³"])
def test_points_row_of_no_number(seats: str) -> None:
    """A row's number of seats that only looks like a number is refused, not crashed over."""
    assert reasons({"points": {seats: [2, 1, 0]}})


def test_points_row_twice() -> None:
    """Two rows for one number of seats, `4` and `04`, are refused: neither may silently win."""
    rows = {str(seats): list(range(seats)) for seats in range(3, 9)}
    assert reasons({"points": rows | {"04": [9, 9, 9, 9]}})


def test_wrong_values_are_listed_at_once() -> None:
    """Every wrong value of a table is listed in one error, each with a hint."""
    wrong = {
        "joker": "purple",
        "straights": "no",
        "end_at": -1,
        "seats": [8, 3],
        "second_pack_from": 1,
        "titles": [],
        "points": "lots",
        "name": "",
    }
    found = reasons(wrong)
    assert len(found) == len(wrong)
    assert all(any(f"`{key}`" in what for what in found) for key in wrong)


def test_unknown_missing_and_wrong_are_listed_at_once() -> None:
    """Unknown, missing and wrong settings are listed in one error: nobody mends a file three times."""
    table = {key: value for key, value in TABLE.items() if key != "twos"} | {"jokerz": 2, "straights": "no"}
    with pytest.raises(RulesetError) as caught:
        ruleset_from(table)
    assert sorted(what for what, _ in caught.value.conflicts) == [
        "`jokerz` is no setting",
        "`straights` cannot be `no`",
        "`twos` is missing",
    ]
    assert all(hint for _, hint in caught.value.conflicts)


def test_conflicts_are_listed_at_once() -> None:
    """Every conflict between settings is listed in one error, each once, however many tables have it."""
    found = reasons({**NO_POINTS, "match_end": "target", "exchange_top": 0, "twos": "wild", "revolution": "round"})
    assert sorted(found) == [
        "a revolution is played, but 2s are wild",
        "the match ends by points, but none are kept",
        "vices exchange more cards than the top",
    ]


def test_wrong_values_do_not_hide_conflicts() -> None:
    """Beside wrong, unknown and missing settings the clashes of all the others are listed, and nothing is guessed."""
    table = {key: value for key, value in TABLE.items() if key != "joker"}
    table |= {"points": "lots", "match_end": "target", "twos": "wild", "equal_rank": "burn", "first_play_3c": True}
    table |= {"first_leader": "first-dealt", "start_points": 30, "jokerz": 2, "ties": "none"}
    with pytest.raises(RulesetError) as caught:
        ruleset_from(table)
    assert [what for what, _ in caught.value.conflicts] == [
        "`jokerz` is no setting",
        "`joker` is missing",
        "`points` cannot be `lots`",
        "the match is over before it starts",
        "equal ranks are played, but 2s are wild",
        "the first play must hold the three of clubs, but its holder does not lead",
    ]


# a wrong value, a clash that rests on the right one, and one that does not
HIDDEN: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "seats": ({"exchange_top": 18, "end_at": 0}, "the match is over before it starts"),
    "second_pack_from": (
        {"completed_rank": "clear-if-several-plays", "lone_joker": "trump"},
        "a lone joker has a rule of its own, but the pack has no jokers",
    ),
    "vices_from": ({"exchange_top": 0, "ties": "none"}, "`ties` is none exactly where `points` is"),
    "exchange_vice": ({"exchange_top": 0, "ties": "none"}, "`ties` is none exactly where `points` is"),
    "points": (
        {"ties": "none", "exchange_top": 0},
        "vices exchange more cards than the top",
    ),
    "match_end": ({"end_at": 0, "ties": "none"}, "`ties` is none exactly where `points` is"),
    "twos": (
        {"straights": True, "first_play_3c": True, "first_leader": "first-dealt"},
        "the first play must hold the three of clubs, but its holder does not lead",
    ),
}


@pytest.mark.parametrize(("key", "example"), HIDDEN.items(), ids=list(HIDDEN))
def test_a_wrong_value_is_given_no_other(key: str, example: tuple[Mapping[str, Any], str]) -> None:
    """Only clashes of lawful settings are listed beside a wrong value, whatever stands in for it meanwhile."""
    overrides, what = example
    assert reasons({key: "?", **overrides}) == [f"`{key}` cannot be `?`", what]


def test_error_names_the_ruleset() -> None:
    """The error says which ruleset it speaks of and joins all reasons in its message."""
    error = refusal({"end_at": -1, "reseat": 0})
    assert error.where == "ruleset `president`"
    assert all(what in str(error) for what, _ in error.conflicts)


@pytest.mark.parametrize("text", ["name = ", "= 1", "name = 'a'\nname = 'b'", "[", "end_at = 1_", "\x00"])
def test_no_toml(text: str) -> None:
    """A file that is no TOML is refused with the parser's place."""
    with pytest.raises(RulesetError) as caught:
        load_ruleset(text)
    assert caught.value.hint == "mend the file's syntax"


MONSTERS = {
    "digits": TEXT.replace("end_at = 5", "end_at = " + "9" * 5000),
    "lists": TEXT.replace("end_at = 5", "end_at = " + "[" * 5000),
}


@pytest.mark.parametrize("text", MONSTERS.values(), ids=list(MONSTERS))
def test_monstrous_file(text: str) -> None:
    """A number of thousands of digits or as many lists in lists are refused like any other file, not crashed over."""
    with pytest.raises(RulesetError):
        load_ruleset(text)


@pytest.mark.parametrize("value", [10**5000, "x" * 100_000, [0] * 100_000], ids=["digits", "text", "list"])
@pytest.mark.parametrize("key", KEYS)
def test_monstrous_value(key: str, value: object) -> None:
    """A monstrous value of any setting is refused in a short message, not crashed over."""
    error = refusal({key: value})
    assert all(len(what) < 300 for what, _ in error.conflicts)
    assert len(error.where) < 300


SCALARS = st.none() | st.booleans() | st.integers(-3, 20) | st.floats(allow_nan=False) | st.text(max_size=3)
VALUES = st.recursive(
    SCALARS | st.sampled_from([str(value) for kind in CHOICES.values() for value in kind]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(["3", "4", "8", "x", ""]), inner),
    max_leaves=6,
)


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4))
def test_any_table_is_loaded_or_refused(overrides: dict[str, Any]) -> None:
    """Whatever a table holds, it is refused with hints, or every table it allows can be played without a conflict."""
    table = {**TABLE, **overrides}
    try:
        ruleset = ruleset_from(table)
    except RulesetError:
        with pytest.raises(RulesetError) as caught:
            ruleset_from(table)
        assert caught.value.conflicts
        assert all(what and hint for what, hint in caught.value.conflicts)
        return
    for seats in range(ruleset.min_seats, ruleset.max_seats + 1):
        assert not conflicts(ruleset.resolve(seats), seats, ruleset.default_rounds())


def lawful_tables() -> st.SearchStrategy[dict[str, Any]]:
    """Return tables in which every single value is lawful; most of them clash."""
    figures = st.integers(-1, 1)
    rows = {str(seats): st.lists(figures, min_size=seats, max_size=seats) for seats in range(3, 9)}
    values: dict[str, st.SearchStrategy[Any]] = {
        **{key: st.sampled_from([str(value) for value in kind]) for key, kind in CHOICES.items()},
        **dict.fromkeys(FLAGS, st.booleans()),
        "name": st.just("any"),
        "seats": st.sampled_from([[low, high] for low in range(3, 9) for high in range(low, 9)]),
        "second_pack_from": st.one_of(st.just("never"), st.integers(3, 8)),
        "jokers_per_pack": st.sampled_from([0, 2]),
        "exchange_top": st.integers(0, 9),
        "exchange_vice": st.integers(0, 2),
        "vices_from": st.integers(4, 8),
        "points": st.one_of(
            st.sampled_from(["places-beaten", "none"]),
            st.lists(figures, min_size=5, max_size=5),
            st.fixed_dictionaries({}, optional=rows),
        ),
        "start_points": st.integers(-1, 5),
        "end_at": st.sampled_from([0, 1, 5, MAX_ROUNDS + 1]),
        "turn_seconds": st.just(30),
        "titles": st.just(list("abcde")),
    }
    return st.fixed_dictionaries(values)


def all_conflicts(table: Mapping[str, Any]) -> list[str]:
    """Return everything wrong with a table, nothing where it is sound."""
    try:
        ruleset_from(table)
    except RulesetError as error:
        return [what for what, _ in error.conflicts]
    return []


@settings(deadline=None, max_examples=300)
@given(lawful_tables(), lawful_tables(), st.sets(st.sampled_from(KEYS), max_size=4))
def test_what_is_said_beside_wrong_values_stays_true(
    table: dict[str, Any], other: dict[str, Any], wrong: set[str]
) -> None:
    """A clash listed beside wrong values does not go away with them, whatever they are mended to."""
    beside = all_conflicts({**table, **dict.fromkeys(wrong)})
    values, clashes = beside[: len(wrong)], beside[len(wrong) :]
    assert sorted(values) == sorted(f"`{key}` cannot be `None`" for key in wrong)
    assert set(clashes) <= set(all_conflicts(table))
    assert set(clashes) <= set(all_conflicts(table | {key: other[key] for key in wrong}))


# --- every value


def every_value() -> list[tuple[str, Any]]:
    """Return every value of every setting that has a list of values."""
    listed: list[tuple[str, Any]] = [(key, value) for key, kind in CHOICES.items() for value in kind]
    listed += [(key, value) for key in FLAGS for value in (False, True)]
    return [*listed, ("jokers_per_pack", 0), ("jokers_per_pack", 2)]


@pytest.mark.parametrize(("key", "value"), every_value(), ids=str)
def test_every_value_loads(key: str, value: Any) -> None:
    """Every value of every setting can be played, with what it needs around it."""
    written = str(value) if isinstance(value, StrEnum) else value
    ruleset = load_preset("president", {key: written, **COMPANY.get((key, str(value)), {})})
    assert getattr(ruleset.resolve(4), "passing" if key == "pass" else key) == value


# --- conflicts between settings

PRESIDENT = load_preset("president").resolve(4)


@pytest.mark.parametrize(
    ("overrides", "what"),
    [
        ({"exchange_vice": 3}, "vices exchange more cards than the top"),
        ({"exchange_top": 7, "second_pack_from": "never"}, "more cards are exchanged than the smallest hand has"),
        ({"points": "none", "ties": "none", "start_points": 1}, "there are starting points, but none are kept"),
        ({"points": "none"}, "`ties` is none exactly where `points` is"),
        ({"ties": "none"}, "`ties` is none exactly where `points` is"),
        ({"match_end": "open"}, "`end_at` has no meaning for this match end"),
        ({"match_end": "target", "start_points": 5}, "the match is over before it starts"),
        ({"match_end": "zero", "end_at": 0, "points": BY_TITLE}, "the match is over before it starts"),
        ({"match_end": "zero", "end_at": 0, "start_points": 1}, "no seat can ever reach the end of the match"),
        ({"match_end": "target", "points": [0, -1, -2, -3, -4]}, "no seat can ever reach the end of the match"),
        ({"end_at": 0}, "the match is over before it starts"),
        ({"end_at": MAX_ROUNDS + 1}, f"more than {MAX_ROUNDS} rounds"),
        ({"joker": "wild"}, "`joker` is none exactly where the pack has no jokers"),
        ({"jokers_per_pack": 2}, "`joker` is none exactly where the pack has no jokers"),
        ({"lone_joker": "as-two"}, "a lone joker has a rule of its own, but the pack has no jokers"),
        ({"straights": True, "twos": "wild"}, "straights are played, but 2s are wild"),
        ({"equal_rank": "skip", "twos": "wild"}, "equal ranks are played, but 2s are wild"),
        ({"revolution": "trick", "twos": "wild"}, "a revolution is played, but 2s are wild"),
        (
            {"completed_rank": "clear-if-several-plays"},
            "a rank completed by several plays clears, but two packs are played",
        ),
        (
            {"first_play_3c": True, "first_leader": "first-dealt"},
            "the first play must hold the three of clubs, but its holder does not lead",
        ),
    ],
)
def test_conflicts_of_a_file(overrides: Mapping[str, Any], what: str) -> None:
    """A ruleset with a conflict at any number of seats it allows is refused with it, once."""
    assert reasons(overrides) == [what]


def test_second_pack_for_few_seats() -> None:
    """A second pack for fewer than five seats is refused, under one name and not two; five seats may play two packs."""
    found = reasons({"second_pack_from": 4})
    assert all("fewer than five seats" in what for what in found)
    assert len(found) == 1
    assert load_preset("president", {"second_pack_from": 5}).resolve(5).packs == 2


def test_points_row_missing() -> None:
    """A table without a row of points is refused for that alone: the points of that table are missing, not none."""
    rows = {str(seats): [0] * seats for seats in range(3, 8)}
    assert "`points` has no row for 8 seats" in reasons({"points": rows})
    assert reasons({"points": rows}) == ["`points` has no row for 8 seats"]


def test_a_missing_row_hides_nothing_else() -> None:
    """A table without a row of points is asked for everything that does not need the row."""
    rows = {str(seats): [0] * seats for seats in range(3, 8)}
    found = reasons({"points": rows, "exchange_top": 13})
    assert found == [
        "more cards are exchanged than the smallest hand has",
        "`points` has no row for 8 seats",
    ]
    assert reasons({"points": rows, "seats": [8, 8], "end_at": 0}) == [
        "`points` has no row for 8 seats",
        "the match is over before it starts",
    ]


@pytest.mark.parametrize(
    ("overrides", "what"),
    [
        ({"lone_joker": "as-two", "joker": "high"}, "a lone joker counts as a 2, but jokers are above the 2s"),
        ({"lone_joker": "as-two", "twos": "clear"}, "a lone joker counts as a 2, but 2s have powers of their own"),
        ({"lone_joker": "as-two", "revolution": "round"}, "a lone joker counts as a 2, but a revolution moves the 2s"),
        ({"straights": True}, "straights are played, but a lone joker is not ordinary"),
        ({"equal_rank": "burn"}, "equal ranks are played, but a lone joker sweeps or counts as a 2"),
    ],
)
def test_conflicts_of_the_rules_card(overrides: Mapping[str, Any], what: str) -> None:
    """House rules that the lone joker of the rules card does not go with are refused, once for all tables."""
    with pytest.raises(RulesetError) as caught:
        load_preset("wild-joker", overrides)
    assert [one for one, _ in caught.value.conflicts] == [what]


def test_conflict_at_one_number_of_seats_only() -> None:
    """A conflict that only the largest table has is found, and gone with that table."""
    overrides = {"exchange_top": 7, "second_pack_from": "never"}
    assert reasons(overrides)
    assert load_preset("president", overrides | {"seats": [3, 7]})


# --- one table


@pytest.mark.parametrize(("low", "high"), [(3, 8), (4, 8), (3, 5), (6, 6)])
def test_resolve_within_its_seats(low: int, high: int) -> None:
    """A ruleset resolves for the seats it names, and for no others."""
    ruleset = load_preset("president", {"seats": [low, high]})
    for seats in range(10):
        if low <= seats <= high:
            assert ruleset.resolve(seats).name == "president"
        else:
            with pytest.raises(Misuse, match=f"is for {low} to {high} seats, not {seats}") as caught:
                ruleset.resolve(seats)
            assert caught.value.hint


@settings(deadline=None, max_examples=60)
@given(st.integers(3, 8), st.sampled_from(["never", 5, 6, 7, 8]), st.integers(4, 8))
def test_resolve_what_depends_on_seats(seats: int, second: str | int, vices: int) -> None:
    """Packs, vices and points follow the number of seats; all else is the ruleset's own."""
    ruleset = load_preset("president", {"second_pack_from": second, "vices_from": vices})
    rules = ruleset.resolve(seats)
    assert rules.packs == (2 if isinstance(second, int) and seats >= second else 1)
    assert rules.exchange_vice == (1 if seats >= vices else 0)
    assert len(rules.points) == seats
    assert replace(rules, packs=1, points=(), exchange_vice=1) == ruleset.template


ROWS = {str(seats): [10 * place for place in range(seats, 0, -1)] for seats in range(3, 9)}
POINTS: Mapping[str, tuple[Mapping[str, Any], Callable[[int], tuple[int, ...]]]] = {
    "places-beaten": ({}, lambda seats: tuple(range(seats - 1, -1, -1))),
    "by-title": (
        {"points": BY_TITLE},
        lambda seats: (5, -5, -15) if seats == 3 else (5, 0, *[-5] * (seats - 4), -10, -15),
    ),
    "by-place": ({"points": ROWS}, lambda seats: tuple(ROWS[str(seats)])),
    "none": (NO_POINTS, lambda _: ()),
}


@pytest.mark.parametrize("seats", range(3, 9))
@pytest.mark.parametrize("kind", POINTS)
def test_points_of_each_kind(kind: str, seats: int) -> None:
    """Every kind of points gives one figure per place, best place first, or none at all."""
    overrides, expected = POINTS[kind]
    assert load_preset("president", overrides).resolve(seats).points == expected(seats)


@pytest.mark.parametrize(
    ("overrides", "rounds"),
    [
        ({}, 5),
        ({"end_at": 12}, 12),
        ({"match_end": "target", "end_at": 21}, 100),
        ({"match_end": "zero", "end_at": 0, "start_points": 50, "points": BY_TITLE}, 10),
        ({"match_end": "open", "end_at": 0}, 100),
    ],
)
def test_default_rounds(overrides: Mapping[str, Any], rounds: int) -> None:
    """The default maximum is the number of rounds itself, ten where zero ends the match, else a hundred."""
    assert load_preset("president", overrides).default_rounds() == rounds


# --- overrides


def test_overrides_change_what_they_name() -> None:
    """An override changes its setting and no other, and not the preset itself."""
    plain, changed = load_preset("president"), load_preset("president", {"turn_seconds": 0, "reseat": True})
    assert changed.template == replace(plain.template, turn_seconds=0, reseat=True)
    assert replace(changed, template=plain.template) == plain
    assert load_preset("president") == plain


@settings(deadline=None, max_examples=40)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "reseat": st.booleans(),
            "top_rank_matchable": st.booleans(),
            "first_card": st.sampled_from([*FirstCard]).map(str),
            "first_leader": st.sampled_from([*FirstLeader]).map(str),
            "later_leader": st.sampled_from([*LaterLeader]).map(str),
            "end_at": st.integers(1, MAX_ROUNDS),
            "turn_seconds": st.integers(0, MAX_TURN_SECONDS),
        },
    )
)
def test_a_file_and_overrides_are_the_same(overrides: dict[str, Any]) -> None:
    """A setting written in the file and one given as an override come to the same ruleset."""
    written = {key: str(value).lower() if isinstance(value, bool) else repr(value) for key, value in overrides.items()}
    lines = [line for line in TEXT.splitlines() if line.split(" = ")[0] not in written]
    text = "\n".join([*lines, *(f"{key} = {value}" for key, value in written.items())])
    assert load_ruleset(text) == load_preset("president", overrides) == load_ruleset(TEXT, overrides)


@pytest.mark.parametrize(
    "overrides",
    [
        {},
        NO_POINTS,
        {"points": BY_TITLE},
        {"points": ROWS},
        {"seats": [4, 5], "second_pack_from": "never", "vices_from": 5, "reseat": True, "first_card": "left-of-last"},
    ],
    ids=["president", "no points", "by title", "by place", "others"],
)
def test_a_ruleset_written_out(overrides: Mapping[str, Any]) -> None:
    """A ruleset written out states every setting in the order of a file, and loads as the same ruleset again."""
    ruleset = load_preset("president", overrides)
    assert list(ruleset.table()) == list(TABLE)
    assert ruleset.table() == {**TABLE, **overrides}
    assert ruleset_from(ruleset.table()) == ruleset


# --- what rules are called


@pytest.mark.parametrize("seats", range(3, 9))
def test_rules_of_a_preset_have_its_name(seats: int) -> None:
    """Rules are called by their preset's name only where they are that preset's for this table, to the last setting."""
    rules = load_preset("president").resolve(seats)
    assert preset_rules("president", seats) == rules
    assert ruleset_title(rules, seats) == "president"
    changed = replace(rules, passing=Passing.LOCKS, end_at=7)
    assert ruleset_title(changed, seats) == "president with other pass, end_at"


@pytest.mark.parametrize(("name", "seats"), [("presidents", 4), ("", 4), ("president", 2), ("president", 9)])
def test_rules_of_no_preset_say_so(name: str, seats: int) -> None:
    """A name that is no preset's, or not at a table of this size, is not passed off as one."""
    assert preset_rules(name, seats) is None
    assert ruleset_title(replace(PRESIDENT, name=name), seats) == f"{name} (no preset)"


@pytest.mark.parametrize("field", [field.name for field in fields(Rules) if field.name != "name"])
def test_any_other_setting_is_named(field: str) -> None:
    """Whichever setting differs from the preset of the same name, the title says which."""
    other: dict[str, Any] = {field: "other"}
    title = ruleset_title(replace(PRESIDENT, **other), 4)
    assert title == f"president with other {'pass' if field == 'passing' else field}"
