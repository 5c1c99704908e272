"""Logs that stand one after the other in a stream: where one ends and the next begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from fairdeal.codec import Log
from fairdeal.errors import FairdealError
from fairdeal.limits import MAX_LOG_BYTES
from fairdeal.wire import TERMS

FIRST_LOOK: Final = 64 * 1024  # a typical log is two kilobytes
GROWTH: Final = 4
_TERMS_HEAD: Final = bytes([0x9B, TERMS])  # a list of eleven values, of which the first is the kind of terms


class Piece(NamedTuple):
    """A log of a stream: its number from 0, its first byte in the stream, its bytes.

    `rest` is the offset behind which nothing is read any more because this log is malformed, None where it is not.
    """

    number: int
    start: int
    data: bytes
    rest: int | None


def split(read: Callable[[int], bytes]) -> Iterator[Piece]:
    """Yield the logs of a stream; `read(n)` returns at most n bytes, and nothing at its end.

    A new log begins where a record would and terms stand. No more than one log is held at a time; behind a malformed
    one the stream is given up, since nobody can say where the next begins. What cannot be read from the first byte on
    is one log, however long.
    """
    buffer, start, number, look, ended = b"", 0, 0, FIRST_LOOK, False
    while True:
        while len(buffer) < look and not ended:
            more = read(look - len(buffer))
            ended = not more
            buffer += more
        if not buffer:
            return
        log = _decoded(buffer)
        size = 0 if log is None else log.size
        followed = buffer.startswith(_TERMS_HEAD, size) and size > 0
        if not followed and not ended and look <= MAX_LOG_BYTES:
            look = min(look * GROWTH, MAX_LOG_BYTES + 1)
            continue
        if not followed:
            sound = log is not None and log.broken is None
            yield Piece(number, start, buffer, None if sound or number == 0 else start + size)
            return
        yield Piece(number, start, buffer[:size], None)
        start, number, look, buffer = start + size, number + 1, FIRST_LOOK, buffer[size:]


def _decoded(buffer: bytes) -> Log | None:
    try:
        return Log(buffer)
    except FairdealError:
        return None
