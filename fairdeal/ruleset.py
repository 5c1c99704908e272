"""Rulesets as people write them: loading, overriding, and resolving for a number of seats.

A ruleset holds for a range of seats; `resolve` turns it into the `Rules` of one table, which is what terms carry.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final

from fairdeal.errors import Misuse, RulesetError
from fairdeal.limits import MAX_POINTS, MAX_SEATS, MAX_TEXT_BYTES, MIN_SEATS
from fairdeal.playable import Conflict, conflicts
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
SHOWN_KEYS: Final = 10  # keys that are no settings which are named, each with all that are

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
    """Return the ruleset of a table of settings; raises `RulesetError` with every conflict it has.

    A setting that is missing or unlawful does not hide how the others clash: only what looks at it is passed over.
    """
    wrong = _value_conflicts(table)
    ruleset = _built({key: _STAND_INS[key] if key in wrong else table[key] for key in KEYS})
    found = [*wrong.values(), *_table_conflicts(ruleset, wrong.keys())]
    if found:
        raise RulesetError(ruleset.template.name, found)
    return ruleset


def _built(table: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset of a table in which every setting has a lawful value."""
    low, high = table["seats"]
    second = table["second_pack_from"]
    points = table["points"]
    if isinstance(points, list):
        points = tuple(points)
    elif isinstance(points, dict):
        points = {int(seats): tuple(row) for seats, row in points.items()}
    values: dict[str, Any] = {name: kind(table[file_key(name)]) for name, kind in ENUM_SETTINGS.items()}
    values |= {key: table[key] for key in (*FLAG_SETTINGS, *_NUMBERS) if key != "vices_from"}
    template = Rules(name=table["name"], packs=1, points=(), titles=tuple(table["titles"]), **values)
    return Ruleset(low, high, None if second == "never" else second, table["vices_from"], points, template)


def _value_conflicts(table: Mapping[str, Any]) -> dict[str, Conflict]:
    """Return what is wrong with single settings, by setting."""
    unknown = [key for key in table if key not in KEYS]
    found = {key: (f"{quoted(key)} is no setting", "settings: " + ", ".join(KEYS)) for key in unknown[:SHOWN_KEYS]}
    if len(unknown) > SHOWN_KEYS:
        found[unknown[SHOWN_KEYS]] = (f"{len(unknown) - SHOWN_KEYS} more keys are no settings", "take them out")
    found |= {key: (f"`{key}` is missing", "a ruleset states every setting") for key in KEYS if key not in table}
    for key, (lawful, values) in _LAWFUL.items():
        if key in table and not lawful(table[key]):
            found[key] = (f"`{key}` cannot be {quoted(table[key])}", values)
    return found


def _is_number(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


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


def _is_value(kind: type[StrEnum]) -> Callable[[object], bool]:
    return lambda value: value in list[object](kind)


def _is_within(low: int, high: int) -> Callable[[object], bool]:
    return lambda value: _is_number(value, low, high)


_TEXT: Final = f"a text of 1 to {MAX_TEXT_BYTES} bytes without control characters"
# what a single value may be, and how to say so
_LAWFUL: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    **{file_key(name): (_is_value(kind), "values: " + ", ".join(kind)) for name, kind in ENUM_SETTINGS.items()},
    **dict.fromkeys(FLAG_SETTINGS, (lambda value: type(value) is bool, "values: true, false")),
    **{key: (_is_within(low, high), f"a whole number {low} to {high}") for key, (low, high) in _NUMBERS.items()},
    "name": (_is_text, _TEXT),
    "seats": (_is_range, f"two whole numbers {MIN_SEATS} to {MAX_SEATS}, least first"),
    "second_pack_from": (
        lambda value: value == "never" or _is_number(value, MIN_SEATS, MAX_SEATS),
        "a number of seats, or never",
    ),
    "jokers_per_pack": (lambda value: type(value) is int and value in (0, 2), "0 or 2"),
    "points": (
        _is_points,
        "places-beaten, none, five figures by title, or a table from seats to one figure per place",
    ),
    "titles": (_is_titles, f"first, second, middle, last but one, last: each {_TEXT}"),
}
# lawful values for settings that have none of their own, so that the clashes of the others can be looked at
_STAND_INS: Final[Mapping[str, Any]] = {
    **{file_key(name): str(next(iter(kind))) for name, kind in ENUM_SETTINGS.items()},
    **dict.fromkeys(FLAG_SETTINGS, False),
    **{key: low for key, (low, _) in _NUMBERS.items()},
    "name": "(no lawful name)",
    "seats": [MIN_SEATS, MAX_SEATS],
    "second_pack_from": "never",
    "points": NO_POINTS,
    "titles": list(TITLE_CLASSES),
}
# what the resolved settings depend on that are not simply those of the same name
_RESOLVED_FROM: Final[Mapping[str, frozenset[str]]] = {
    "packs": frozenset({"second_pack_from", "seats"}),
    "exchange_vice": frozenset({"exchange_vice", "vices_from", "seats"}),
    "points": frozenset({"points", "seats"}),
}


def _table_conflicts(ruleset: Ruleset, unlawful: Collection[str]) -> list[Conflict]:
    """Return how the settings clash at any number of seats, each clash once; those `unlawful` clash with nothing."""
    unknown = {*unlawful, *(name for name, sources in _RESOLVED_FROM.items() if not sources.isdisjoint(unlawful))}
    rounds = max(ruleset.default_rounds(), 1)
    found: dict[Conflict, None] = {}
    for seats in range(ruleset.min_seats, ruleset.max_seats + 1):
        here = unknown
        if isinstance(ruleset.points, Mapping) and seats not in ruleset.points and "points" not in unknown:
            missing = (f"`points` has no row for {seats} seats", "give one figure per place for every number of seats")
            found[missing] = None
            here = unknown | {"points"}
        found |= dict.fromkeys(conflicts(ruleset.resolve(seats), seats, rounds, here))
    return list(found)
