"""Rulesets as people write them: loading, overriding, resolving for a number of seats, and what this version plays.

A ruleset holds for a range of seats; `resolve` turns it into the `Rules` of one table, which is what terms carry.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from fairdeal.cards import fresh_cards
from fairdeal.errors import Misuse, RulesetError
from fairdeal.limits import MAX_POINTS, MAX_ROUNDS, MAX_SEATS, MAX_TEXT_BYTES, MIN_SEATS
from fairdeal.settings import (
    ENUM_SETTINGS,
    FLAG_SETTINGS,
    NUMBER_SETTINGS,
    TITLE_CLASSES,
    CompletedRank,
    EqualRank,
    GoingOut,
    Joker,
    LoneJoker,
    MatchEnd,
    Passing,
    Revolution,
    Rules,
    Ties,
    Twos,
    title_class,
)
from fairdeal.texts import quoted, text_fault

Conflict = tuple[str, str]  # what is wrong, what to do
PLACES_BEATEN: Final = "places-beaten"
NO_POINTS: Final = "none"

# what a ruleset says only for all numbers of seats together, beside the settings of `Rules` that need no resolving
_NUMBERS: Final = {name: bounds for name, bounds in NUMBER_SETTINGS.items() if name != "packs"}
_NUMBERS["vices_from"] = (4, MAX_SEATS)


def file_key(name: str) -> str:
    """Return how a file names the setting `name` of `Rules`: `pass` for `passing`, which no Python name can be."""
    return "pass" if name == "passing" else name


_TABLE_KEYS: Final = ("name", "seats", "second_pack_from", "points", "titles")
KEYS: Final = (*_TABLE_KEYS, *map(file_key, ENUM_SETTINGS), *FLAG_SETTINGS, *_NUMBERS)

# what the engine plays so far; every setting not listed here is played with all its values
_BUILT: Final[Mapping[str, tuple[object, ...]]] = {
    "jokers_per_pack": (0,),
    "joker": (Joker.NONE,),
    "lone_joker": (LoneJoker.ORDINARY,),
    "twos": (Twos.ORDINARY,),
    "equal_rank": (EqualRank.FORBID,),
    "passing": (Passing.OPEN,),
    "completed_rank": (CompletedRank.IGNORE,),
    "revolution": (Revolution.NONE,),
    "straights": (False,),
    "going_out": (GoingOut.FREE,),
    "first_play_3c": (False,),
}


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A ruleset for `min_seats` … `max_seats` seats; `template` holds what does not depend on their number.

    `points` is `places-beaten`, `none`, five figures by title class, or a table from seats to one figure per place.
    """

    min_seats: int
    max_seats: int
    second_pack_from: int | None
    vices_from: int
    points: str | tuple[int, ...] | Mapping[int, tuple[int, ...]]
    template: Rules

    def resolve(self, seats: int) -> Rules:
        """Return the rules of a table of `seats`; raises `Misuse` when the ruleset is not for that many."""
        if not self.min_seats <= seats <= self.max_seats:
            raise Misuse(
                f"ruleset `{self.template.name}` is for {self.min_seats} to {self.max_seats} seats, not {seats}",
                hint="choose another number of seats or another ruleset",
            )
        return replace(
            self.template,
            packs=2 if self.second_pack_from is not None and seats >= self.second_pack_from else 1,
            exchange_vice=self.template.exchange_vice if seats >= self.vices_from else 0,
            points=self._scale(seats),
        )

    def _scale(self, seats: int) -> tuple[int, ...]:
        if self.points == PLACES_BEATEN:
            return tuple(range(seats - 1, -1, -1))
        if isinstance(self.points, str):
            return ()
        if isinstance(self.points, tuple):
            return tuple(self.points[title_class(place, seats)] for place in range(seats))
        return self.points.get(seats, ())

    def table(self) -> dict[str, Any]:
        """Return every setting as a ruleset file writes it, in the order of `president.toml`."""
        written: dict[str, Any] = {"name": self.template.name, "seats": [self.min_seats, self.max_seats]}
        written["second_pack_from"] = "never" if self.second_pack_from is None else self.second_pack_from
        for field in fields(Rules):
            if field.name in ("name", "packs"):
                continue
            value = self.points if field.name == "points" else getattr(self.template, field.name)
            written[file_key(field.name)] = _plain(value)
            if field.name == "exchange_vice":
                written["vices_from"] = self.vices_from
        return written

    def default_rounds(self) -> int:
        """Return the maximum number of rounds N that terms have unless they say otherwise."""
        match self.template.match_end:
            case MatchEnd.ROUNDS:
                return self.template.end_at
            case MatchEnd.ZERO:
                return 10
            case _:
                return 100


def _plain(value: object) -> object:
    """Return a value as TOML and JSON write it."""
    if isinstance(value, Mapping):
        return {str(seats): list(row) for seats, row in value.items()}
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, str) else value


def preset_names() -> tuple[str, ...]:
    """Return the names of the packaged presets, sorted."""
    folder = files("fairdeal").joinpath("rulesets")
    return tuple(sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".toml")))


@cache
def preset_rules(name: str, seats: int) -> Rules | None:
    """Return the rules of a packaged preset at a table of `seats`, None where there are none of that name or size."""
    if name not in preset_names():
        return None
    preset = load_preset(name)
    return preset.resolve(seats) if preset.min_seats <= seats <= preset.max_seats else None


def ruleset_title(rules: Rules, seats: int) -> str:
    """Return what to call `rules`: their name, and in what they differ from a preset that has the same name."""
    preset = preset_rules(rules.name, seats)
    if preset is None:
        return f"{rules.name} (no preset)"
    differing = [file_key(f.name) for f in fields(Rules) if getattr(rules, f.name) != getattr(preset, f.name)]
    return f"{rules.name} with other {', '.join(differing)}" if differing else rules.name


def load_preset(name: str, overrides: Mapping[str, Any] | None = None) -> Ruleset:
    """Return a packaged preset with some settings overridden; raises `Misuse` for an unknown name."""
    if name not in preset_names():
        raise Misuse(f"there is no ruleset `{name}`", hint="presets: " + ", ".join(preset_names()))
    return load_ruleset(files("fairdeal").joinpath("rulesets", f"{name}.toml").read_text("utf-8"), overrides)


def load_ruleset(text: str, overrides: Mapping[str, Any] | None = None) -> Ruleset:
    """Return the ruleset that a TOML text holds; raises `RulesetError` with every conflict it has."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RulesetError("(no TOML)", [(str(error).lower(), "mend the file's syntax")]) from None
    return ruleset_from(table | dict(overrides or {}))


def ruleset_from(table: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset of a table of settings; raises `RulesetError` with every conflict it has."""
    name = str(table.get("name", ""))
    wrong = _value_conflicts(table)
    if wrong:
        raise RulesetError(name, wrong)
    low, high = table["seats"]
    second = table["second_pack_from"]
    points = table["points"]
    if isinstance(points, list):
        points = tuple(points)
    elif isinstance(points, dict):
        points = {int(seats): tuple(row) for seats, row in points.items()}
    values: dict[str, Any] = {name: kind(table[file_key(name)]) for name, kind in ENUM_SETTINGS.items()}
    values |= {key: table[key] for key in (*FLAG_SETTINGS, *_NUMBERS) if key != "vices_from"}
    template = Rules(name=name, packs=1, points=(), titles=tuple(table["titles"]), **values)
    ruleset = Ruleset(low, high, None if second == "never" else second, table["vices_from"], points, template)
    clashes = _table_conflicts(ruleset)
    if clashes:
        raise RulesetError(name, clashes)
    return ruleset


def _value_conflicts(table: Mapping[str, Any]) -> list[Conflict]:
    """Return what is wrong with single values, before any of them is used."""
    found = [(f"`{key}` is no setting", "settings: " + ", ".join(KEYS)) for key in table if key not in KEYS]
    found += [(f"`{key}` is missing", "a ruleset states every setting") for key in KEYS if key not in table]
    for name, kind in ENUM_SETTINGS.items():
        key, values = file_key(name), [str(value) for value in kind]
        if key in table and table[key] not in values:
            found.append((f"`{key}` cannot be {quoted(table[key])}", "values: " + ", ".join(values)))
    found += [
        (f"`{key}` cannot be {quoted(table[key])}", "values: true, false")
        for key in FLAG_SETTINGS
        if type(table.get(key, False)) is not bool
    ]
    found += [
        (f"`{key}` cannot be {quoted(table[key])}", f"a whole number {low} to {high}")
        for key, (low, high) in _NUMBERS.items()
        if not _is_number(table.get(key, low), low, high)
    ]
    return found + _shape_conflicts(table)


def _is_number(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _shape_conflicts(table: Mapping[str, Any]) -> list[Conflict]:
    """Return what is wrong with values that are lists, tables or one of several types; absent ones are passed over."""
    text = f"a text of 1 to {MAX_TEXT_BYTES} bytes without control characters"
    rules: Mapping[str, tuple[Callable[[Any], bool], str]] = {
        "name": (_is_text, text),
        "seats": (_is_range, f"two whole numbers {MIN_SEATS} to {MAX_SEATS}, least first"),
        "second_pack_from": (
            lambda value: value == "never" or _is_number(value, MIN_SEATS, MAX_SEATS),
            "a number of seats, or never",
        ),
        "jokers_per_pack": (lambda value: value != 1, "a pack has two jokers or none"),
        "points": (
            _is_points,
            "places-beaten, none, five figures by title, or a table from seats to one figure per place",
        ),
        "titles": (_is_titles, f"first, second, middle, last but one, last: each {text}"),
    }
    return [
        (f"`{key}` cannot be {quoted(table[key])}", hint)
        for key, (lawful, hint) in rules.items()
        if key in table and not lawful(table[key])
    ]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and text_fault(value) is None


def _is_titles(value: object) -> bool:
    return isinstance(value, list) and len(value) == len(TITLE_CLASSES) and all(map(_is_text, value))


def _is_range(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(_is_number(n, MIN_SEATS, MAX_SEATS) for n in value) and value[0] <= value[1]


def _is_points(points: object) -> bool:
    if isinstance(points, str):
        return points in (PLACES_BEATEN, NO_POINTS)
    if isinstance(points, list):
        return len(points) == len(TITLE_CLASSES) and _is_row(points)
    rows = {str(seats): seats for seats in range(MIN_SEATS, MAX_SEATS + 1)}
    return isinstance(points, dict) and all(
        seats in rows and _is_row(row) and len(row) == rows[seats] for seats, row in points.items()
    )


def _is_row(row: object) -> bool:
    return isinstance(row, list) and all(_is_number(n, -MAX_POINTS, MAX_POINTS) for n in row)


def _table_conflicts(ruleset: Ruleset) -> list[Conflict]:
    """Return the conflicts of a ruleset whose single values are sound, each once."""
    found: dict[Conflict, None] = {}
    for seats in range(ruleset.min_seats, ruleset.max_seats + 1):
        if isinstance(ruleset.points, Mapping) and seats not in ruleset.points:
            found[f"`points` has no row for {seats} seats", "give one figure per place for every number of seats"] = (
                None
            )
            continue
        rules = ruleset.resolve(seats)
        found |= dict.fromkeys(conflicts(rules, seats, max(ruleset.default_rounds(), 1)) + unbuilt(rules))
    return list(found)


def conflicts(rules: Rules, seats: int, rounds: int) -> list[Conflict]:
    """Return every reason why `rules` cannot be played by `seats` in at most `rounds` rounds, with a hint each."""
    smallest = len(fresh_cards(rules.packs, rules.jokers_per_pack)) // seats
    highest, lowest = (max(rules.points), min(rules.points)) if rules.points else (0, 0)
    ends = {
        MatchEnd.ROUNDS: (not rules.end_at >= 1, False, rules.end_at > rounds),
        MatchEnd.TARGET: (rules.start_points >= rules.end_at, highest <= 0, False),
        MatchEnd.ZERO: (rules.start_points <= 0, lowest >= 0, False),
        MatchEnd.OPEN: (False, False, False),
    }
    ended, endless, too_many = ends[rules.match_end]
    numbered = rules.match_end in (MatchEnd.ROUNDS, MatchEnd.TARGET)
    pointless = rules.match_end in (MatchEnd.TARGET, MatchEnd.ZERO)
    checks = (
        (bool(rules.points) and len(rules.points) != seats, "`points` has not one figure per place", "mend the row"),
        (rules.exchange_vice > rules.exchange_top, "vices exchange more cards than the top", "lower `exchange_vice`"),
        (rules.exchange_vice > 0 and seats < 4, "vices exchange among fewer than four seats", "raise `vices_from`"),
        (rules.exchange_top > smallest, "more cards are exchanged than the smallest hand has", "lower `exchange_top`"),
        (not rules.points and pointless, "the match ends by points, but none are kept", "set `points`"),
        (not rules.points and rules.start_points != 0, "there are starting points, but none are kept", "set `points`"),
        (bool(rules.points) == (rules.ties is Ties.NONE), "`ties` is none exactly where `points` is", "set `ties`"),
        (not numbered and rules.end_at != 0, "`end_at` has no meaning for this match end", "set `end_at` to 0"),
        (ended, "the match is over before it starts", "set `end_at` and `start_points`"),
        (bool(rules.points) and endless, "no seat can ever reach the end of the match", "set `points` or `match_end`"),
        (too_many, "the match lasts longer than its maximum of rounds", "raise the maximum or lower `end_at`"),
        ((rules.joker is Joker.NONE) != (rules.jokers_per_pack == 0), "jokers without a use", "set `joker`"),
        (
            rules.packs == 2 and seats < 5,
            "a second pack for fewer than five seats deals hands no rulebook knows",
            "raise `second_pack_from`",
        ),
        (rules.jokers_per_pack == 1, "a pack has two jokers or none", "set `jokers_per_pack`"),
        (rounds > MAX_ROUNDS, f"more than {MAX_ROUNDS} rounds", "lower the maximum of rounds"),
    )
    return [(what, hint) for wrong, what, hint in checks if wrong]


def unbuilt(rules: Rules) -> list[Conflict]:
    """Return every setting whose value this version cannot play or judge, with the values it can."""
    return [
        (
            f"`{file_key(key)}` = `{getattr(rules, key)}` is not built yet",
            "this version plays: " + ", ".join(str(value) for value in built),
        )
        for key, built in _BUILT.items()
        if getattr(rules, key) not in built
    ]
