"""Whether what `audit` was given is many logs, and what it needs then."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import IO, TYPE_CHECKING

from fairdeal.cli.files import STANDARD, read_bytes

if TYPE_CHECKING:
    from typing_extensions import Buffer as WriteableBuffer

    from fairdeal.archive.work import Orders
    from fairdeal.report import GuaranteeName


def is_archive(name: str, read: dict[str, bytes]) -> bool:
    """Return whether a name leads to a folder, an archive, a URL or a stream of several logs.

    Standard input cannot be read again: what was read of it to find out is kept in `read`.
    """
    from fairdeal.archive import tars
    from fairdeal.archive.places import ZIP_SUFFIX
    from fairdeal.archive.streams import may_be_several, split

    if "://" in name or name.lower().endswith((ZIP_SUFFIX, *tars.SUFFIXES)) or Path(name).is_dir():
        return True
    if name != STANDARD and not Path(name).is_file():
        return False
    try:
        data = read_bytes(name)
    except OSError:
        return False  # which is told when the log's turn comes
    if name == STANDARD:
        read[name] = data
    return may_be_several(data) and not next(split(BytesIO(data).read)).alone


def orders_of(
    required: Sequence[GuaranteeName],
    operator_key: bytes | None,
    published: Iterable[str],
    folder: str | None,
    store: str | None,
) -> Orders:
    """Return how each of many logs is audited by this version of the program; files by whole paths, for any worker."""
    from fairdeal.archive.work import Orders
    from fairdeal.cli.reports import program

    here, kept = (None if name is None else str(Path(name).absolute()) for name in (folder, store))
    lists = tuple(str(Path(name).absolute()) for name in published)
    return Orders(program(), tuple(required), operator_key, lists, here, kept)


def standard_input(read: dict[str, bytes]) -> IO[bytes] | None:
    """Return standard input from its beginning, also where some of it was read already; None where it is closed."""
    if sys.stdin is None:
        return None
    begun = read.get(STANDARD)
    return sys.stdin.buffer if begun is None else BufferedReader(_Again(BytesIO(begun), sys.stdin.buffer))


class _Again(RawIOBase):
    """Two streams, one behind the other."""

    def __init__(self, first: IO[bytes], second: IO[bytes]) -> None:
        """Read `first` to its end, and then `second`."""
        self._streams = [first, second]

    def readable(self) -> bool:
        """Return that this can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read some bytes into `buffer`; return how many, 0 at the end of both."""
        room = memoryview(buffer)
        while self._streams:
            some = self._streams[0].read(len(room))
            if some:
                room[: len(some)] = some
                return len(some)
            del self._streams[0]
        return 0
