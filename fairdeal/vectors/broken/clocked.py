"""Clock marks, markers and seat events: where they are well formed this version does not judge them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairdeal.codes import Code
from fairdeal.limits import MAX_INT
from fairdeal.vectors.broken.records import CLOSE, ROUND_END, SIGNATURE
from fairdeal.vectors.broken.small import COMMITMENT, DEAL, HASH, HEAD, PASS, UNKNOWN, Broken, behind, terms
from fairdeal.vectors.broken.spellings import Loose, integer_as, longer_forms, pack

MARK: Final = b"\xcc\x80"  # 128: no time since the last one
MARKER: Final = b"\xf7"  # the clock acted for seat 0
_BOTH: Final = MARK + MARKER
EVENT: Final[list[Loose]] = [9, 0, 0, 1]
GIFT: Final[list[Loose]] = [6, 0, 1, 0, 1]
BIG_SET: Final[list[Loose]] = [7, 0, *[0] * 9]
STRAIGHT: Final[list[Loose]] = [8, 0, 0, 4, 8]


def clocked_logs() -> Iterator[Broken]:
    """Yield every case; what is well formed is unsupported, all else malformed, both at the record's first byte."""
    yield from _well_formed()
    yield from _values_of_marks()
    yield from _out_of_place()
    yield from _reading_ends()


def _unsupported(comment: str, tail: bytes, *before: bytes) -> Broken:
    return behind(comment, tail, *before, code=Code.UNSUPPORTED)


def _well_formed() -> Iterator[Broken]:
    """Yield every record that takes a mark, a marker or both, and seat events."""
    first = (("a clock mark", MARK + PASS), ("a clock marker", MARKER + PASS), ("a seat event", pack(EVENT)))
    for words, tail in first:
        yield _unsupported(f"{words}, not judged by this version", tail, pack(COMMITMENT))
    records = (
        ("a pass", PASS),
        ("a play", bytes([72, 0, 1])),
        ("a gift", pack(GIFT)),
        ("a big set", pack(BIG_SET)),
        ("a straight", pack(STRAIGHT)),
    )
    for words, record in records:
        for what, front in (("a clock mark", MARK), ("a clock marker", MARKER), ("a clock mark and marker", _BOTH)):
            yield _unsupported(f"{what} before {words}", front + record, pack(COMMITMENT), pack(DEAL))
    for presence in range(3):
        for level in (0, 4):
            event = pack([9, 2, presence, level])
            yield _unsupported(f"a seat event: presence {presence}, level {level}", event, pack(COMMITMENT))
    yield _unsupported("a clock mark before a seat event", MARK + pack(EVENT))
    yield _unsupported("a clock marker for the last seat of three", b"\xf5" + PASS)
    yield _unsupported("a clock marker and a pass of another seat", MARKER + b"\xfe")
    eight = pack(terms(8))
    for words, tail in (("a clock marker for", b"\xf0\xff"), ("a seat event of", pack([9, 7, 2, 4]))):
        yield Broken(f"{words} the last seat of eight", ((eight + tail, 1),), f"byte {len(eight)}", Code.UNSUPPORTED)


def _values_of_marks() -> Iterator[Broken]:
    """Yield marks at the edges of their range and of every form, in that form and in longer ones."""
    for value in (128, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, MAX_INT):
        yield _unsupported(f"clock mark {value}", pack(value) + PASS)
    for value in (MAX_INT + 1, 2**64 - 1):
        yield behind(f"clock mark {value}", pack(value) + PASS)
    for value in (0, 127):
        yield behind(f"clock mark {value} in uint 8", integer_as("uint 8", value).data + PASS)
    for value in (128, 256, 65_536):
        for form, raw in longer_forms(value):
            yield behind(f"clock mark {value} in {form}", raw.data + PASS)


def _out_of_place() -> Iterator[Broken]:
    """Yield marks and markers before what takes none, before nothing, and before what is malformed itself."""
    records: tuple[tuple[str, list[Loose]], ...] = (
        ("a commitment", COMMITMENT),
        ("a seal", [2, 0, HASH]),
        ("an opening", [3, 0, HASH]),
        ("a signature", [4, 0, SIGNATURE]),
        ("a deal", DEAL),
        ("an end of round", ROUND_END),
        ("a close", CLOSE),
        ("an unknown kind", [12]),
        ("a big set of seat 3", [7, 3, *[0] * 9]),
        ("a straight of thirteen cards", [8, 0, *[0] * 13]),
        ("a gift of no cards", [6, 0, 1]),
        ("a seat event of level 5", [9, 0, 0, 5]),
    )
    for words, record in records:
        yield behind(f"a clock mark before {words}", MARK + pack(record))
        yield behind(f"a clock marker before {words}", MARKER + pack(record))
    others = (
        ("a clock marker before a seat event", MARKER + pack(EVENT)),
        ("a clock mark and marker before a seat event", MARK + MARKER + pack(EVENT)),
        ("a clock marker before a clock mark", MARKER + MARK + PASS),
        ("two clock marks", MARK + MARK + PASS),
        ("two clock markers", MARKER + MARKER + PASS),
        ("a clock mark, a clock marker and a clock mark", MARK + MARKER + MARK + PASS),
        ("a clock mark before nothing", MARK),
        ("a clock marker before nothing", MARKER),
        ("a clock mark and marker before nothing", MARK + MARKER),
        ("a clock mark cut short", b"\xcd\x01"),
        ("a clock marker for seat 3 at a table of three", b"\xf4" + PASS),
        ("a clock marker for seat 7 at a table of three", b"\xf0" + PASS),
        ("a clock mark and marker for seat 3 at a table of three", MARK + b"\xf4" + PASS),
        ("a clock mark before a pass of seat 3 at a table of three", MARK + b"\xfc"),
        ("a clock mark before a card without a head", MARK + b"\x05"),
        ("a clock mark before a head without its card", MARK + b"\x40"),
        ("a clock mark before a text", MARK + b"\xa1a"),
        ("a clock mark before a list cut short", MARK + pack(GIFT)[:-1]),
        ("a clock mark before a list in a longer form", MARK + b"\xdc\x00\x04\x06\x00\x01\x00"),
    )
    for comment, tail in others:
        yield behind(comment, tail, pack(COMMITMENT), pack(DEAL))


def _reading_ends() -> Iterator[Broken]:
    """Yield well-formed marks with something malformed in front or behind: the first of the two is what counts."""
    yield _unsupported("a clock mark and its pass, then an unknown kind", MARK + PASS + UNKNOWN)
    yield _unsupported("a seat event, then the log is cut inside a deal", pack(EVENT) + pack(DEAL)[:-1])
    yield behind("an unknown kind, then a clock mark and its pass", UNKNOWN + MARK + PASS)
    sound = HEAD + bytes([64, 0])
    parts = ((sound + MARK + PASS + PASS, 1),)
    yield Broken("a clock mark between two actions", parts, f"byte {len(sound)}", Code.UNSUPPORTED)
