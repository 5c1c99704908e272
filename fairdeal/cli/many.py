"""Whether what `audit` was given is many logs, and what it needs then."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import IO, TYPE_CHECKING

from fairdeal.cli.files import STANDARD, is_folder, read_bytes
from fairdeal.errors import Misuse

if TYPE_CHECKING:
    from typing_extensions import Buffer as WriteableBuffer

    from fairdeal.archive.work import Orders
    from fairdeal.report import GuaranteeName

Streams = dict[str, IO[bytes]]
"""What can be read once only, standard input and pipes, by name and each from its beginning."""


def is_archive(name: str, streams: Streams) -> bool:
    """Return whether a name leads to a folder, an archive, a URL or a stream of several logs.

    What can be read once only is read as far as it takes to find out, and then stands in `streams`.
    """
    from fairdeal.archive import tars
    from fairdeal.archive.places import ZIP_SUFFIX
    from fairdeal.archive.streams import may_be_several, split

    if "://" in name or name.lower().endswith((ZIP_SUFFIX, *tars.SUFFIXES)) or is_folder(name):
        return True
    try:
        stream = _read_once(name)
        if stream is not None:
            seen = _Seen(stream)
            first = next(split(seen.read), None)
            streams[name] = BufferedReader(_Again(BytesIO(b"".join(seen.parts)), stream))
            return first is not None and not first.alone
        data = read_bytes(name)
    except OSError:
        return False  # which is told when the log's turn comes
    return may_be_several(data) and not next(split(BytesIO(data).read)).alone


def standard_input() -> Streams:
    """Return standard input by its name, nothing where it is closed."""
    return {} if sys.stdin is None else {STANDARD: sys.stdin.buffer}


def close(streams: Streams) -> None:
    """Close all but standard input."""
    for name, stream in streams.items():
        if name != STANDARD:
            stream.close()


def orders_of(
    required: Sequence[GuaranteeName],
    operator_key: bytes | None,
    published: Iterable[str],
    folder: str | None,
    store: str | None,
) -> Orders:
    """Return how each of many logs is audited by this version of the program; files by whole paths, for any worker.

    Raises `Misuse` for a published list that not every worker could read.
    """
    from fairdeal.archive.work import Orders
    from fairdeal.version import program

    here, kept = (None if name is None else str(Path(name).absolute()) for name in (folder, store))
    lists = tuple(str(Path(name).absolute()) for name in published)
    for name in lists:
        if Path(name).exists() and not Path(name).is_file() and not Path(name).is_dir():
            raise Misuse("a list that can be read once only, for several logs", name, "write it to a file first")
    return Orders(program(), tuple(required), operator_key, lists, here, kept)


def _read_once(name: str) -> IO[bytes] | None:
    """Return standard input or a pipe, opened; None for what can be read again or is not there."""
    if name == STANDARD:
        return standard_input().get(STANDARD)
    path = Path(name)
    return None if path.is_file() or not path.exists() else path.open("rb")


class _Seen:
    """Reads a stream and keeps what was read."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Begin with nothing read."""
        self._stream = stream
        self.parts: list[bytes] = []

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes, nothing at the end."""
        self.parts.append(self._stream.read(size))
        return self.parts[-1]


class _Again(RawIOBase):
    """Two streams, one behind the other."""

    def __init__(self, first: IO[bytes], second: IO[bytes]) -> None:
        """Read `first` to its end, and then `second`."""
        self._streams = [first, second]
        self._last = second

    def close(self) -> None:
        """Close the second of the streams, too."""
        self._last.close()
        super().close()

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
