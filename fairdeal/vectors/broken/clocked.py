"""Clock marks, markers and seat events as bytes: logs with all that can be read of them, and ones that cannot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairdeal.limits import MAX_INT
from fairdeal.vectors.broken.records import CLOSE, ROUND_END, SIGNATURE
from fairdeal.vectors.broken.small import COMMITMENT, DEAL, HASH, HEAD, PASS, UNKNOWN, Broken, behind, terms
from fairdeal.vectors.broken.spellings import Loose, integer_as, longer_forms, pack

MARK: Final = b"\xcc\x80"  # 128: no time since the last one
MARKER: Final = b"\xf7"  # the clock acted for seat 0
_BOTH: Final = MARK + MARKER
_FRONTS: Final = (MARK, MARKER, _BOTH)
_VALUES: Final = (128, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, MAX_INT)
EVENT: Final[list[Loose]] = [9, 0, 0, 1]
GIFT: Final[list[Loose]] = [6, 0, 1, 0, 1]
BIG_SET: Final[list[Loose]] = [7, 0, *[0] * 9]
STRAIGHT: Final[list[Loose]] = [8, 0, 0, 4, 8]
PLAY: Final = bytes([72, 0, 1])


def timed_logs() -> Iterator[tuple[str, bytes]]:
    """Yield comment and bytes of logs that can be read to their end, whatever an auditor would say of them."""
    records = (PASS, PLAY, pack(GIFT), pack(BIG_SET), pack(STRAIGHT))
    rows = b"".join(front + record for record in records for front in _FRONTS)
    yield "a clock mark, a marker, and both before every record that takes them", HEAD + pack(DEAL) + rows
    events = b"".join(pack([9, 2, presence, level]) for presence in range(3) for level in range(5))
    marked = MARK + pack(EVENT) + pack(EVENT)
    yield "seat events: each presence with each level, and one with a clock mark", HEAD + pack(DEAL) + events + marked
    early = MARK + PASS + MARKER + PASS + pack(EVENT) + MARK + pack(EVENT)
    yield "clock marks, a marker and seat events behind the commitment", HEAD + pack(COMMITMENT) + early
    markers = b"".join(bytes([0xF7 - seat, 0xFF - seat]) for seat in range(8))
    eight = pack(terms(8)) + pack(DEAL) + markers + MARKER + b"\xfe" + pack([9, 7, 2, 4])
    yield "markers for every seat of eight and for another seat, and a seat event of the last", eight
    mixed = (PASS, MARK + PASS, PASS, MARKER + PASS, MARKER + PLAY, PLAY, _BOTH + PASS, MARK + PLAY)
    yield "clock marks and markers before some of the actions", HEAD + pack(DEAL) + b"".join(mixed)
    forms = b"".join(pack(value) + record for value in _VALUES for record in (PASS, PLAY, pack(EVENT)))
    yield "clock marks of every form behind each other", HEAD + pack(DEAL) + forms


def clocked_logs() -> Iterator[Broken]:
    """Yield every case of what is malformed, at the first byte of its record."""
    yield from _values_of_marks()
    yield from _out_of_place()
    yield from _reading_ends()


def _values_of_marks() -> Iterator[Broken]:
    """Yield marks beyond their range, and in longer forms than they need."""
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
    """Yield sound marks and seat events with something malformed in front or behind."""
    for words, record in (
        ("a clock mark and its pass", MARK + PASS),
        ("a clock marker and its pass", MARKER + PASS),
        ("a clock mark and its seat event", MARK + pack(EVENT)),
        ("a clock mark and its gift", MARK + pack(GIFT)),
    ):
        yield behind(f"{words}, then an unknown kind", UNKNOWN, record)
        yield behind(f"{words}, then the same cut short", record[:-1], record)
        yield behind(f"an unknown kind, then {words}", UNKNOWN + record)
    yield behind("a seat event, then the log is cut inside a deal", pack(DEAL)[:-1], pack(EVENT))
