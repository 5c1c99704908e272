"""The rules of a table as the log stores them, as a list of indexes and figures, and as names for JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, Final

from fairdeal import limits
from fairdeal.fields import Fields, ShapeError, Value, members_of
from fairdeal.settings import ENUM_SETTINGS, FLAG_SETTINGS, NUMBER_SETTINGS, TITLE_CLASSES, Rules


def _points(value: object) -> tuple[int, ...]:
    row = Fields(value)
    if row.left() > limits.MAX_SEATS:
        raise ShapeError(f"points for {row.left()} places")
    return row.integers(row.left(), -limits.MAX_POINTS, limits.MAX_POINTS)


def _titles(value: object) -> tuple[str, ...]:
    row = Fields(value)
    titles = tuple(row.text() for _ in TITLE_CLASSES)
    row.done()
    return titles


def _enum_reader(kind: type[StrEnum]) -> Callable[[Fields], Any]:
    return lambda row: row.choice(kind)


def _number_reader(low: int, high: int) -> Callable[[Fields], Any]:
    return lambda row: row.integer(low, high)


_BY_NAME: Final[Mapping[str, Callable[[Fields], Any]]] = {
    "name": Fields.text,
    "points": lambda row: _points(row.take()),
    "titles": lambda row: _titles(row.take()),
    **{name: _enum_reader(kind) for name, kind in ENUM_SETTINGS.items()},
    **dict.fromkeys(FLAG_SETTINGS, Fields.flag),
    **{name: _number_reader(low, high) for name, (low, high) in NUMBER_SETTINGS.items()},
}
# in the order of the fields of `Rules`, which is the order in the log
_READERS: Final = tuple((field.name, _BY_NAME[field.name]) for field in fields(Rules))


def read_rules(value: object) -> Rules:
    """Return the rules a list holds; raises `ShapeError`."""
    row = Fields(value)
    rules = Rules(*[read(row) for _, read in _READERS])
    row.done()
    return rules


def rules_value(rules: Rules) -> Value:
    """Return the list the log stores: enum values and flags by index, points and titles as lists."""
    return [stored(getattr(rules, name)) for name, _ in _READERS]


def stored(value: StrEnum | str | int | tuple[int, ...] | tuple[str, ...]) -> Value:
    """Return what the log stores for one value of the rules or terms."""
    if isinstance(value, StrEnum):
        return members_of(type(value)).index(value)
    if isinstance(value, tuple):
        return list(value)
    return int(value) if isinstance(value, bool) else value


def rules_named(rules: Rules) -> dict[str, Any]:
    """Return the rules as setting -> value, each enum value by its name, in the order the log stores them."""
    plain = {name: getattr(rules, name) for name, _ in _READERS}
    return {
        name: list(value) if isinstance(value, tuple) else str(value) if isinstance(value, StrEnum) else value
        for name, value in plain.items()
    }


def rules_from_named(table: object) -> Rules:
    """Return the rules of a table of exactly the settings a log stores; raises `ValueError`."""
    names = [name for name, _ in _READERS]
    if not isinstance(table, dict) or set(table) != set(names):
        raise ShapeError(f"its settings are not {', '.join(names)}")
    values = dict(table)
    for name, kind in ENUM_SETTINGS.items():
        values[name] = stored(kind(table[name]))
    for name in FLAG_SETTINGS:
        if type(table[name]) is not bool:
            raise ShapeError(f"`{name}` is neither true nor false")
        values[name] = int(table[name])
    return read_rules([values[name] for name in names])
