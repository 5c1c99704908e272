"""A ruleset as the TOML file that it can be read back from, for somebody to change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fairdeal.ruleset import Ruleset
from fairdeal.settings import ENUM_SETTINGS, file_key

HEAD: Final = """\
# All settings of a ruleset: `fairdeal rules FILE.toml` says what they mean at the table, `--ruleset FILE.toml` plays by
# them. Whoever changes some should change the name, too: it stands in the terms of every match.
"""
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\"}


def ruleset_toml(ruleset: Ruleset) -> str:
    """Return a ruleset file with every setting, and after it the other values that a word could have."""
    lines = [HEAD]
    for key, value in ruleset.table().items():
        line = f"{key} = {_toml(value)}"
        others = [one for one in _WORDS.get(key, ()) if one != value]
        lines.append(f"{line:<34}  # or {', '.join(others)}\n" if others else f"{line}\n")
    return "".join(lines)


_WORDS: Final = {file_key(name): tuple(map(str, kind)) for name, kind in ENUM_SETTINGS.items()}


def _toml(value: object) -> str:
    """Return a value as TOML, with an escape for every character that a terminal could take for more than itself."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{"".join(map(_escaped, value))}"' if isinstance(value, str) else str(value)


def _escaped(char: str) -> str:
    plain = char.isprintable()
    return _ESCAPES.get(char, char) if plain else f"\\u{ord(char):04x}" if char <= "\uffff" else f"\\U{ord(char):08x}"
