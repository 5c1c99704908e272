"""Logs that stand one after the other in a stream: where one ends and the next begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from fairdeal.codec import Log
from fairdeal.errors import FairdealError
from fairdeal.limits import MAX_LOG_BYTES
from fairdeal.values import canonical
from fairdeal.wire import PROTOCOL, TERMS

FIRST_LOOK: Final = 64 * 1024  # a typical log is two kilobytes
GROWTH: Final = 4
_TERMS_HEAD: Final = bytes([0x9B, TERMS])  # a list of eleven values, of which the first is the kind of terms
_BEGINNING: Final = _TERMS_HEAD + canonical(PROTOCOL)


class Piece(NamedTuple):
    """A log of a stream: its first byte in the stream, its bytes, and whether the stream holds it alone.

    `rest` is the offset from which nothing is read because this log is malformed, None where all of it is read. A log
    that is malformed from its first byte on has no bytes of its own where it is not the first.
    """

    start: int
    data: bytes
    alone: bool
    rest: int | None = None


def may_be_several(data: bytes) -> bool:
    """Return False where no second log can begin in `data`, which spares the work of splitting."""
    return data.find(_TERMS_HEAD, 1) >= 0


def split(read: Callable[[int], bytes]) -> Iterator[Piece]:
    """Yield the logs of a stream; `read(n)` returns at most n bytes, and nothing at its end.

    A new log begins where a record would and terms stand. No more than one log is held at a time; behind a malformed
    one the stream is given up, since nobody can say where the next begins. A stream that begins with no log is one
    log, however long, and not read to its end.
    """
    buffer, start, look, ended = b"", 0, FIRST_LOOK, False
    while True:
        while len(buffer) < look and not ended:
            more = read(look - len(buffer))
            ended = not more
            buffer += more
        if not buffer:
            return
        log = _decoded(buffer)
        size = 0 if log is None else log.size
        if size and buffer.startswith(_TERMS_HEAD, size):
            yield Piece(start, buffer[:size], alone=False)
            start, look, buffer = start + size, FIRST_LOOK, buffer[size:]
        elif not ended and look <= MAX_LOG_BYTES:
            look = min(look * GROWTH, MAX_LOG_BYTES + 1)
        else:
            yield _last(start, buffer, size, sound=log is not None and log.broken is None)
            return


def _last(start: int, buffer: bytes, size: int, *, sound: bool) -> Piece:
    """Return the last log of a stream that can be read, with all that stands behind it."""
    if sound:
        return Piece(start, buffer, alone=start == 0)
    if start == 0 and buffer.find(_BEGINNING, max(1, size)) < 0:  # nothing says that this is more than one log
        return Piece(start, buffer, alone=True)
    return Piece(start, buffer if size else b"", alone=False, rest=start + size)


def _decoded(buffer: bytes) -> Log | None:
    try:
        return Log(buffer)
    except FairdealError:
        return None
