"""Rulesets as people write them: loading, overriding, and resolving for a number of seats.

A ruleset holds for a range of seats; `resolve` turns it into the `Rules` of one table, which is what terms carry.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from fairdeal.errors import Misuse, RulesetError
from fairdeal.limits import MAX_POINTS, MAX_SEATS, MAX_TEXT_BYTES, MIN_SEATS
from fairdeal.playable import Conflict, conflicts, unbuilt
from fairdeal.settings import (
    ENUM_SETTINGS,
    FLAG_SETTINGS,
    NUMBER_SETTINGS,
    TITLE_CLASSES,
    MatchEnd,
    Rules,
    file_key,
    title_class,
)
from fairdeal.texts import quoted, text_fault

PLACES_BEATEN: Final = "places-beaten"
NO_POINTS: Final = "none"

# what a ruleset says only for all numbers of seats together, beside the settings of `Rules` that need no resolving
_NUMBERS: Final = {name: bounds for name, bounds in NUMBER_SETTINGS.items() if name != "packs"}
_NUMBERS["vices_from"] = (4, MAX_SEATS)
_TABLE_KEYS: Final = ("name", "seats", "second_pack_from", "points", "titles")
KEYS: Final = (*_TABLE_KEYS, *map(file_key, ENUM_SETTINGS), *FLAG_SETTINGS, *_NUMBERS)


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
    wrong = _value_conflicts(table)
    if wrong:
        given = str(table["name"]) if _is_text(table.get("name")) else "(no lawful name)"
        raise RulesetError(given, wrong)
    name: str = table["name"]
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
