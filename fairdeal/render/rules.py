"""A ruleset as people read it: every setting, its value, and what that means at the table."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from fairdeal.render.data import dumps
from fairdeal.ruleset import Ruleset
from fairdeal.texts import printable


def meaning(key: str, value: object) -> str:
    """Return the one line that says what `value` of setting `key` means, empty where the value says it itself."""
    text = value if isinstance(value, str) else str(value).lower()
    return str(_meanings()[key].get(text, ""))


def _meanings() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("fairdeal").joinpath("meanings.toml").read_text("utf-8"))


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_shown(row)}" for key, row in value.items())
    return printable(str(value).lower() if isinstance(value, bool) else str(value))


def ruleset_text(ruleset: Ruleset) -> str:
    """Return all settings of a ruleset, one to a line."""
    table = ruleset.table()
    titles = _meanings()
    lines = [f"ruleset {_shown(table.pop('name'))}", ""]
    for key, value in table.items():
        lines.append(f"  {titles[key]['title']:<19} {_shown(value):<14} {meaning(key, value)}".rstrip())
    return "\n".join(lines) + "\n"


def differences(one: Ruleset, other: Ruleset) -> dict[str, tuple[object, object]]:
    """Return the settings in which two rulesets differ, apart from the name, with both values."""
    first, second = one.table(), other.table()
    return {key: (first[key], second[key]) for key in first if key != "name" and first[key] != second[key]}


def difference_text(one: Ruleset, other: Ruleset) -> str:
    """Return the settings in which two rulesets differ, both values to a line."""
    titles = _meanings()
    lines = [f"{_shown(one.template.name)} and {_shown(other.template.name)}", ""]
    for key, (first, second) in differences(one, other).items():
        lines.append(f"  {titles[key]['title']:<19} {_shown(first)}  |  {_shown(second)}")
    return "\n".join(lines if len(lines) > 2 else [*lines, "  no difference"]) + "\n"


def difference_json(one: Ruleset, other: Ruleset) -> str:
    """Return the settings in which two rulesets differ as JSON, each with both values."""
    names = [one.template.name, other.template.name]
    return dumps({"format": "fairdeal-difference/1", "rulesets": names, "settings": differences(one, other)})


def ruleset_json(ruleset: Ruleset) -> str:
    """Return a ruleset as JSON: the settings of its file, in order."""
    return dumps({"format": "fairdeal-ruleset/1", "settings": ruleset.table()})
