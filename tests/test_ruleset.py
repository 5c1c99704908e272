"""Rulesets: every setting is stated, everything wrong is listed, and only what is played can be loaded."""

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
from fairdeal.playable import BUILT, conflicts, unbuilt
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

# every setting of the rules page, and the value it has in `president` at a table of four where it depends on seats
SETTINGS: Mapping[str, object] = {
    "seats": (3, 8),
    "second_pack_from": 6,
    "jokers_per_pack": 0,
    "joker": Joker.NONE,
    "lone_joker": LoneJoker.ORDINARY,
    "twos": Twos.ORDINARY,
    "equal_rank": EqualRank.FORBID,
    "top_rank_matchable": True,
    "pass": Passing.OPEN,
    "completed_rank": CompletedRank.IGNORE,
    "revolution": Revolution.NONE,
    "straights": False,
    "going_out": GoingOut.FREE,
    "first_leader": FirstLeader.THREE_OF_CLUBS,
    "first_play_3c": False,
    "later_leader": LaterLeader.LAST,
    "first_card": FirstCard.ROTATES,
    "exchange_top": 2,
    "exchange_vice": 1,
    "vices_from": 4,
    "reseat": False,
    "points": (3, 2, 1, 0),
    "start_points": 0,
    "match_end": MatchEnd.ROUNDS,
    "end_at": 5,
    "ties": Ties.PRESIDENCIES,
    "turn_seconds": 30,
    "titles": ("President", "Vice President", "Citizen", "Vice Peasant", "Peasant"),
}
# what a value needs around it before nothing but its own merit decides
COMPANY: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("match_end", "target"): {"end_at": 11},
    ("match_end", "zero"): {"end_at": 0, "start_points": 50, "points": BY_TITLE},
    ("match_end", "open"): {"end_at": 0},
    ("ties", "none"): {"points": "none"},
    ("joker", "high"): {"jokers_per_pack": 2},
    ("joker", "wild"): {"jokers_per_pack": 2},
    ("jokers_per_pack", "2"): {"joker": "high"},
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


@pytest.mark.parametrize(("key", "value"), SETTINGS.items(), ids=list(SETTINGS))
def test_president_as_the_rules_page_has_it(key: str, value: object) -> None:
    """The packaged `president` has the value of the rules page for every setting."""
    ruleset = load_preset("president")
    rules = ruleset.resolve(4)
    special = {
        "seats": (ruleset.min_seats, ruleset.max_seats),
        "second_pack_from": ruleset.second_pack_from,
        "vices_from": ruleset.vices_from,
        "pass": rules.passing,
    }
    assert (special[key] if key in special else getattr(rules, key)) == value


def test_preset_names() -> None:
    """Presets are known by name, and each has the name of its file."""
    assert "president" in preset_names()
    assert list(preset_names()) == sorted(preset_names())
    assert all(load_preset(name).template.name == name for name in preset_names())


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
        ("jokers_per_pack", 0, 2),
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
        assert refusal({key: value}).conflicts[0] == (
            f"`{key}` cannot be `{value}`",
            f"a whole number {low} to {high}",
        )


@pytest.mark.parametrize("seats", [[2, 8], [3, 9], [5, 4], [4], [3, 4, 5], 4, "3..8", [3, 8.0], [True, 4], []])
def test_wrong_seats(seats: object) -> None:
    """The seats are two whole numbers from 3 to 8, least first."""
    assert reasons({"seats": seats}) == [f"`seats` cannot be `{seats}`"]


@pytest.mark.parametrize("second", [2, 9, "no", 6.0, True, None])
def test_wrong_second_pack(second: object) -> None:
    """The second pack comes from a number of seats on, or never."""
    assert reasons({"second_pack_from": second}) == [f"`second_pack_from` cannot be `{second}`"]


def test_one_joker() -> None:
    """A pack has two jokers or none."""
    assert reasons({"jokers_per_pack": 1}) == ["`jokers_per_pack` cannot be `1`"]


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
    """Every conflict between settings, and every value not built, is listed in one error, each once."""
    found = reasons({**NO_POINTS, "match_end": "target", "exchange_top": 0, "twos": "clear", "pass": "locks"})
    assert sorted(found) == [
        "`pass` = `locks` is not built yet",
        "`twos` = `clear` is not built yet",
        "the match ends by points, but none are kept",
        "vices exchange more cards than the top",
    ]


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
        rules = ruleset.resolve(seats)
        assert not conflicts(rules, seats, ruleset.default_rounds())
        assert not unbuilt(rules)


# --- what is built


def every_value() -> list[tuple[str, Any, bool]]:
    """Return every value of every listed setting, and whether this version plays it."""
    listed: list[tuple[str, Any]] = [(key, value) for key, kind in CHOICES.items() for value in kind]
    listed += [(key, value) for key in FLAGS for value in (False, True)]
    listed += [("jokers_per_pack", value) for value in (0, 2)]
    built = {"pass" if key == "passing" else key: values for key, values in BUILT.items()}
    return [(key, value, key not in built or value in built[key]) for key, value in listed]


@pytest.mark.parametrize(("key", "value", "built"), every_value(), ids=str)
def test_exactly_what_is_built_loads(key: str, value: Any, built: bool) -> None:
    """A value that this version plays loads; any other is refused by name, with what is played as the hint."""
    written = str(value) if isinstance(value, StrEnum) else value
    overrides = {key: written, **COMPANY.get((key, str(value)), {})}
    if built:
        ruleset = load_preset("president", overrides)
        assert getattr(ruleset.resolve(4), "passing" if key == "pass" else key) == value
        return
    found = dict(refusal(overrides).conflicts)
    assert found[f"`{key}` = `{value}` is not built yet"].startswith("this version plays: ")
    assert all(what.endswith("is not built yet") for what in found)


def test_all_that_is_not_built_is_named() -> None:
    """Every value not built is named at once, by the key it has in a file."""
    house_rules = {"twos": "clear", "equal_rank": "skip", "revolution": "round", "pass": "locks", "straights": True}
    assert sorted(reasons(house_rules)) == sorted(
        f"`{key}` = `{value}` is not built yet" for key, value in house_rules.items()
    )


@pytest.mark.parametrize("key", BUILT)
def test_built_values_are_values(key: str) -> None:
    """What is said to be built is a setting, and among its values."""
    assert hasattr(load_preset("president").template, key)
    assert load_preset("president").template.name
    assert getattr(load_preset("president").template, key) in BUILT[key]


# --- conflicts between settings

PRESIDENT = load_preset("president").resolve(4)
CONFLICTS: Mapping[str, tuple[Mapping[str, Any], int, int]] = {
    "`points` has not one figure per place": ({"points": (2, 1, 0)}, 4, 5),
    "vices exchange more cards than the top": ({"exchange_vice": 3}, 4, 5),
    "vices exchange among fewer than four seats": ({"points": (2, 1, 0)}, 3, 5),
    "more cards are exchanged than the smallest hand has": ({"exchange_top": 14}, 4, 5),
    "the match ends by points, but none are kept": (
        {"points": (), "ties": Ties.NONE, "match_end": MatchEnd.TARGET, "end_at": 9},
        4,
        100,
    ),
    "there are starting points, but none are kept": ({"points": (), "ties": Ties.NONE, "start_points": 5}, 4, 5),
    "`ties` is none exactly where `points` is": ({"ties": Ties.NONE}, 4, 5),
    "`end_at` has no meaning for this match end": ({"match_end": MatchEnd.OPEN}, 4, 100),
    "the match is over before it starts": ({"end_at": 0}, 4, 5),
    "no seat can ever reach the end of the match": (
        {"points": (0, -1, -2, -3), "match_end": MatchEnd.TARGET, "end_at": 5},
        4,
        100,
    ),
    "the match lasts longer than its maximum of rounds": ({"end_at": 6}, 4, 5),
    "`joker` is none exactly where the pack has no jokers": ({"jokers_per_pack": 2}, 4, 5),
    "a second pack for fewer than five seats deals hands no rulebook knows": ({"packs": 2}, 4, 5),
    "a pack has two jokers or none": ({"jokers_per_pack": 1, "joker": Joker.HIGH}, 4, 5),
    f"more than {MAX_ROUNDS} rounds": ({}, 4, MAX_ROUNDS + 1),
}


@pytest.mark.parametrize(("what", "example"), CONFLICTS.items(), ids=list(CONFLICTS))
def test_every_conflict_is_reachable(what: str, example: tuple[Mapping[str, Any], int, int]) -> None:
    """Each conflict has rules that have it and no other, and a hint."""
    changes, seats, rounds = example
    found = conflicts(replace(PRESIDENT, **changes), seats, rounds)
    assert [one for one, _ in found] == [what]
    assert found[0][1]


SOUND: Mapping[str, tuple[Mapping[str, Any], int, int]] = {
    "as many vice cards as top cards": ({"exchange_vice": 2}, 4, 5),
    "no exchange": ({"exchange_top": 0, "exchange_vice": 0}, 4, 5),
    "whole hands are exchanged": ({"exchange_top": 13}, 4, 5),
    "no points": ({"points": (), "ties": Ties.NONE}, 4, 5),
    "no points, open": ({"points": (), "ties": Ties.NONE, "match_end": MatchEnd.OPEN, "end_at": 0}, 4, 100),
    "a target": ({"match_end": MatchEnd.TARGET, "end_at": 1}, 4, 100),
    "a target for the first place alone": (
        {"match_end": MatchEnd.TARGET, "end_at": 3, "points": (1, 0, 0, 0)},
        4,
        100,
    ),
    "zero": ({"match_end": MatchEnd.ZERO, "end_at": 0, "start_points": 1, "points": (1, 0, 0, -1)}, 4, 10),
    "as many rounds as allowed": ({"end_at": MAX_ROUNDS}, 4, MAX_ROUNDS),
    "two packs for five seats": ({"packs": 2, "points": (4, 3, 2, 1, 0)}, 5, 5),
    "jokers with a use": ({"jokers_per_pack": 2, "joker": Joker.HIGH}, 4, 5),
}


@pytest.mark.parametrize("example", SOUND.values(), ids=list(SOUND))
def test_neighbours_of_conflicts_are_sound(example: tuple[Mapping[str, Any], int, int]) -> None:
    """Rules one step short of a conflict have none."""
    changes, seats, rounds = example
    assert not conflicts(replace(PRESIDENT, **changes), seats, rounds)


def test_joker_without_jokers() -> None:
    """A rule for jokers without jokers in the pack is a conflict, as jokers without a rule are."""
    assert conflicts(replace(PRESIDENT, joker=Joker.HIGH), 4, 5)


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


@pytest.mark.parametrize("seats", range(3, 9))
def test_the_smallest_hand_can_pay(seats: int) -> None:
    """At every table of the preset the exchange asks for fewer cards than the smallest hand has."""
    rules: Rules = load_preset("president").resolve(seats)
    assert rules.exchange_top < len(fresh_cards(rules.packs, rules.jokers_per_pack)) // seats


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
