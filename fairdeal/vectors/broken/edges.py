"""Small logs at the edges of what may be read: every value at its least and its greatest, every form of a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from fairdeal.limits import MAX_INT, MAX_POINTS, MAX_ROUNDS, MAX_TURN_SECONDS, MIN_INT
from fairdeal.settings import ENUM_SETTINGS, FLAG_SETTINGS
from fairdeal.vectors.broken.small import BLIND, COMMITMENT, DEAL, HASH, rules, seats, terms
from fairdeal.vectors.broken.spellings import Loose, pack

KEY: Final = b"\xff" * 32
SIGNATURE: Final = b"\xff" * 64
# names that look alike, or that versions of Unicode fold and compose differently: each is another text
NAMES: Final = (
    "\u00e9",
    "e\u0301",
    "\u1e9e",
    "\uab70",
    "\u212b",
    "\ufb01",
    "\u0130\u200d",
    "\u202eA",
)
INTEGERS: Final = (
    (0, 1, 127, 128, 255, 256, 65_535, 65_536),
    (2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53 - 2, MAX_INT, 10, 100),
    (-1, -32, -33, -127, -128, -129, -32_768, -32_769),
    (MIN_INT, MIN_INT + 1, -(2**24), -(2**16), -(2**15), -200, -100, -10),
)


def edge_logs() -> Iterator[tuple[str, bytes]]:
    """Yield comment and bytes of every log; all can be read to their end, whatever an auditor would say of them."""
    yield "the shortest terms and nothing else", pack(terms())
    yield "every value of the terms at its least", pack(terms(3, _least()))
    yield "every value of the terms at its greatest", pack(terms(8, _greatest()))
    yield "one joker a pack, no points, the middle of other ranges", pack(terms(5, {"rules": rules(_middle())}))
    yield "texts of 1, 31, 32 and 64 bytes and characters at the edges", pack(terms(8, {"seats": _texts()}))
    named: dict[int, Loose] = {seat: [name, 0, b""] for seat, name in enumerate(NAMES)}
    yield "names that must not be normalised", pack(terms(8, {"seats": seats(8, named)}))
    yield "every form of an integer", pack(terms(8)) + _integers()
    for count in (3, 8):
        yield f"every record at its least, {count} seats", pack(terms(count)) + _least_records(count)
        yield f"every record at its greatest, {count} seats", pack(terms(count)) + _greatest_records(count)
    yield "heads of every count by seat 0 and by every seat, and every pass", pack(terms(8)) + _actions()
    yield "lists of 15 and of 16 values", pack(terms()) + pack([6, 0, 1, *range(12)]) + pack([6, 0, 1, *range(13)])


def _least() -> Mapping[str, Loose]:
    """Return the terms' values at their least; those that are 0 or empty in small terms are so already."""
    least: dict[str, Loose] = {"points": [-MAX_POINTS] * 3, "start_points": -MAX_POINTS, "match_end": 0, "ties": 0}
    return {"rules": rules(least), "rounds": 1}


def _greatest() -> Mapping[str, Loose]:
    text = "\U0010ffff" * 16
    greatest: dict[str, Loose] = {
        "name": text,
        "packs": 2,
        "jokers_per_pack": 2,
        **{name: len(kind) - 1 for name, kind in ENUM_SETTINGS.items()},
        **dict.fromkeys(FLAG_SETTINGS, 1),
        "exchange_top": 18,
        "exchange_vice": 18,
        "points": [MAX_POINTS] * 8,
        "start_points": MAX_POINTS,
        "end_at": MAX_POINTS,
        "turn_seconds": MAX_TURN_SECONDS,
        "titles": [text] * 5,
    }
    return {
        "match_id": b"\xff" * 16,
        "sequence": MAX_INT,
        "operator_key": KEY,
        "rules": rules(greatest),
        "seats": [["n" * 64, 4, KEY] for _ in range(8)],
        "rounds": MAX_ROUNDS,
        "contributions": 1,
        "bot_policy": 1,
    }


def _middle() -> Mapping[str, Loose]:
    return {"jokers_per_pack": 1, "joker": 1, "exchange_top": 1, "exchange_vice": 1, "turn_seconds": 30}


def _texts() -> list[Loose]:
    names = (" ", "~\u00a0", "n" * 31, "n" * 32, "n" * 64, "\u1e9e" * 21 + "a", "\ud7ff\ue000\uffff", "\U00010000")
    return [[name, seat % 5, b""] for seat, name in enumerate(names)]


def _integers() -> bytes:
    """Return closes whose totals take every form of an integer, from both ends of each form."""
    return b"".join(pack([11, 4, -1, HASH, [*row], [], HASH]) for row in INTEGERS)


def _least_records(count: int) -> bytes:
    """Return one record of every kind with values as low as they may be, whether or not it stands in its place."""
    nothing: list[Loose] = [0] * count
    records: list[list[Loose]] = [
        COMMITMENT,
        [2, 0, HASH],
        [3, 0, HASH],
        [4, 0, bytes(64)],
        DEAL,
        [6, 0, 0, 0],
        [7, 0, 0],
        [8, 0, 0],
        [10, *[1] * count, *nothing, *[-MAX_POINTS] * count, HASH],
        [11, 0, -1, HASH, [MIN_INT] * count, [], HASH],
        [11, 0, 0, HASH, nothing, [1] * count, HASH],
    ]
    return b"".join(map(pack, records))


def _greatest_records(count: int) -> bytes:
    """Return one record of every kind with values as high as they may be, whether or not it stands in its place."""
    last = count - 1
    records: list[list[Loose]] = [
        [1, KEY],
        [2, last, KEY],
        [3, last, KEY],
        [4, count, SIGNATURE],
        [5, MAX_ROUNDS, last, b"\xff" * len(BLIND)],
        [6, last, last, *[53] * 18],
        [7, last, *[53] * 12],
        [8, last, *[53] * 12],
        [10, *[count] * count, *[4] * count, *[MAX_POINTS] * count, KEY],
        [11, 4, last, KEY, [MAX_INT] * count, [count] * count, KEY],
    ]
    return b"".join(map(pack, records))


def _actions() -> bytes:
    """Return plays of one to eight cards, by every seat, with the lowest and the highest faces, and eight passes."""
    lowest = b"".join(bytes([56 + 8 * count, *range(count)]) for count in range(1, 9))
    highest = b"".join(bytes([56 + 9 * count - 1, *[53] * count]) for count in range(1, 9))
    falling = bytes([64 + 8, 1, 0])
    return lowest + highest + falling + bytes(range(0xF8, 0x100))
