"""The smallest logs, as lists of loose values: what the tests of the codec put one thing out of place in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Final, NamedTuple

from fairdeal.codes import Code
from fairdeal.settings import Rules
from fairdeal.vectors.broken.spellings import Loose, pack
from fairdeal.wire import PROTOCOL

Part = tuple[bytes, int]  # bytes, and how often they stand

RULE_NAMES: Final = tuple(field.name for field in fields(Rules))
# open-ended, without points: sound for every number of seats, and short
SMALL_RULES: Final[Mapping[str, Loose]] = {
    **dict.fromkeys(RULE_NAMES, 0),
    "name": "r",
    "packs": 1,
    "points": [],
    "match_end": 3,
    "ties": 2,
    "titles": ["a", "b", "c", "d", "e"],
}
SMALL_TERMS: Final[Mapping[str, Loose]] = {
    "kind": 0,
    "protocol": PROTOCOL,
    "match_id": bytes(16),
    "sequence": 0,
    "operator_key": b"",
    "rules": [],
    "seats": [],
    "rounds": 1,
    "contributions": 0,
    "beacon": "",
    "bot_policy": 0,
}


class Broken(NamedTuple):
    """A log that cannot be read to its end: where it stops, and with which code; its bytes in parts that repeat."""

    comment: str
    parts: tuple[Part, ...]
    place: str
    code: str = Code.MALFORMED


def rules(changes: Mapping[str, Loose] | None = None) -> list[Loose]:
    """Return the list of small rules, with other values under some names."""
    values = {**SMALL_RULES, **(changes or {})}
    if len(values) != len(RULE_NAMES):
        raise KeyError(f"{', '.join(changes or ())} are not all settings")
    return list(values.values())


def seats(count: int, changes: Mapping[int, Loose] | None = None) -> list[Loose]:
    """Return the list of so many seats, A, B, C …, with other values for some."""
    plain: dict[int, Loose] = {seat: [chr(ord("A") + seat), 0, b""] for seat in range(count)}
    return [*{**plain, **(changes or {})}.values()]


def terms(count: int = 3, changes: Mapping[str, Loose] | None = None) -> list[Loose]:
    """Return the list of small terms for so many seats, with other values under some names."""
    values = {**SMALL_TERMS, "rules": rules(), "seats": seats(count), **(changes or {})}
    if len(values) != len(SMALL_TERMS):
        raise KeyError(f"{', '.join(changes or ())} are not all fields of the terms")
    return list(values.values())


HEAD: Final = pack(terms())  # the terms in front of most logs that are broken further on
HASH: Final = bytes(32)
BLIND: Final = bytes(16)
COMMITMENT: Final[list[Loose]] = [1, HASH]
DEAL: Final[list[Loose]] = [5, 1, 0, BLIND]
PASS: Final = b"\xff"
UNKNOWN: Final = b"\x91\x0c"  # a list with one kind too high


def at_start(comment: str, data: bytes) -> Broken:
    """Return the test of bytes in whose terms something is malformed."""
    return Broken(comment, ((data, 1),), "byte 0")


def behind(comment: str, tail: bytes, *before: bytes, code: str = Code.MALFORMED) -> Broken:
    """Return the test of small terms, sound records before, and a tail at whose first byte reading stops."""
    sound = HEAD + b"".join(before)
    return Broken(comment, ((sound + tail, 1),), f"byte {len(sound)}", code)


def repeated(comment: str, parts: Sequence[Part], at: int, code: str = Code.MALFORMED) -> Broken:
    """Return the test of small terms and parts that repeat; reading stops `at` so many bytes behind the terms."""
    return Broken(comment, ((HEAD, 1), *parts), f"byte {len(HEAD) + at}", code)
