"""What the settings of a table mean, in sentences with the table's own titles and figures in them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from fairdeal.sources import written
from fairdeal.texts import printable


@cache
def told() -> Mapping[str, Any]:
    """Return the packaged texts: `book`, `preset`, `setting` and `section`."""
    return tomllib.loads(files("fairdeal").joinpath("meanings.toml").read_text("utf-8"))


def title(key: str) -> str:
    """Return what a setting is called in a text."""
    return str(told()["setting"][key]["title"])


def is_off(key: str, table: Mapping[str, object]) -> bool:
    """Return whether a setting has the value with which it adds nothing to the game."""
    texts = told()["setting"][key]
    return "off" in texts and table[key] == texts["off"]


def meaning(key: str, table: Mapping[str, Any]) -> str:
    """Return the sentence that says what the value of a setting means at this table."""
    texts = told()["setting"][key]
    sentence: str = texts.get(written(key, table[key])) or texts["any"]
    names = ("first", "second", "middle", "fourth", "last")
    return sentence.format(
        **dict(zip(names, map(printable, table["titles"]), strict=True)),
        value=table[key],
        seats=seats_words(table),
        figures=_figures(table["points"], table["titles"]),
        start=_counted(table["start_points"], "point"),
        target=_counted(table["end_at"], "point"),
        rounds=_counted(table["end_at"], "round"),
        seconds=_counted(table["turn_seconds"], "second"),
    )


def value_words(value: object) -> str:
    """Return a word, number or flag as a ruleset file writes it, without quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def seats_words(table: Mapping[str, Any]) -> str:
    """Return for how many seats a table is, such as `4` or `4 to 8`."""
    return " to ".join(map(str, dict.fromkeys(table["seats"])))


def listed(words: Iterable[str]) -> str:
    """Return words with commas between them, and an “and” before the last."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _figures(points: object, titles: Sequence[str]) -> str:
    """Return the points of a round by title, or by place for each number of seats; nothing where a word says them."""
    if isinstance(points, list):
        return listed(f"the {printable(name)} {_signed(figure)}" for name, figure in zip(titles, points, strict=True))
    if isinstance(points, Mapping):
        rows = (f"{', '.join(map(_signed, row))} with {seats} seats" for seats, row in _rows(points))
        return f"from the first place down {'; '.join(rows)}"
    return ""


def _rows(points: Mapping[str, Sequence[int]]) -> list[tuple[str, Sequence[int]]]:
    return sorted(points.items(), key=lambda row: int(row[0]))


def _signed(figure: int) -> str:
    return f"{figure:+}" if figure else "0"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
