"""Members of tar files one after the other, packed or not, without trust in what they say of their sizes."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Final, cast

SUFFIXES: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
HEADS: Final = 1024 * 1024  # bytes of headers before a member: long names and lists of holes take less
UNPACKED: Final = 1024**3  # bytes that a packed file may unpack to in any case, …
RATIO: Final = 100  # … and how many times its size: logs pack to a half, texts to a tenth
MEMORY: Final = 80 * 1024**2  # that unpacking xz may take: its highest level takes 65 MiB
_AT_ONCE: Final = 64 * 1024


class Unxz:
    """An xz file that is unpacked while it is read, in bounded memory: the file may ask for gigabytes."""

    def __init__(self, path: Path) -> None:
        """Open a file."""
        self._file = path.open("rb")
        self._unpacker = self._new()
        self._at = 0

    def read(self, size: int) -> bytes:
        """Return `size` bytes, fewer at the end only; raises `lzma.LZMAError` and `EOFError`."""
        parts: list[bytes] = []
        while size and (part := self._some(size)):
            parts.append(part)
            size -= len(part)
            self._at += len(part)
        return b"".join(parts)

    def tell(self) -> int:
        """Return how many bytes were read."""
        return self._at

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _some(self, most: int) -> bytes:
        """Return at least one byte, none at the end."""
        data = b""
        while not data:
            if self._unpacker.eof:
                rest = self._behind()
                if not rest:
                    return b""
                self._unpacker = self._new()
            elif self._unpacker.needs_input:
                rest = self._file.read(_AT_ONCE)
                if not rest:
                    raise EOFError("it is cut")
            else:
                rest = b""
            data = self._unpacker.decompress(rest, most)
        return data

    def _behind(self) -> bytes:
        """Return what follows the end of what was unpacked, without the zeros that may fill it up."""
        rest = self._unpacker.unused_data.lstrip(b"\0")
        while not rest and (part := self._file.read(_AT_ONCE)):
            rest = part.lstrip(b"\0")
        return rest

    @staticmethod
    def _new() -> lzma.LZMADecompressor:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ, MEMORY)


class Metered:
    """A file that reads no more than it is allowed to, and only forwards."""

    def __init__(self, file: IO[bytes], most: int | None) -> None:
        """Read from `file`; `most` is how many bytes it may unpack to, None for one that is not packed.

        `allowance` is how many bytes may be read until it is set again, `last` what was read last.
        """
        self._file = file
        self._most = most
        self.allowance = HEADS
        self.last = b""

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes."""
        if not 0 <= size <= self.allowance:
            raise ValueError("a header larger than any")
        self.last = self._file.read(size)
        self.allowance -= len(self.last)
        self._check()
        return self.last

    def seek(self, offset: int) -> int:
        """Go forward to an offset; there is no way back, where a file would be read in circles."""
        if offset < self._file.tell():
            raise ValueError("it does not go from front to back")
        if self._most is None:
            return self._file.seek(offset)
        while (left := offset - self._file.tell()) > 0 and self._file.read(min(left, _AT_ONCE)):
            self._check()
        return self._file.tell()

    def tell(self) -> int:
        """Return the offset that is read next."""
        return self._file.tell()

    def refuse_more(self) -> None:
        """Read what is left, which is filled up with zeros; raises `ValueError` for anything else."""
        while part := self._file.read(_AT_ONCE):
            self._check()
            if part.strip(b"\0"):
                raise ValueError("something follows its end")

    def _check(self) -> None:
        if self._most is not None and self._file.tell() > self._most:
            raise ValueError(f"it unpacks to more than {self._most} bytes")


def packed(name: str) -> bool:
    """Return whether a tar file of this name is packed, so that it can be read from front to back only."""
    return not name.lower().endswith(".tar")


def members(path: Path, name: str) -> Iterator[tuple[tarfile.TarInfo, IO[bytes] | None]]:
    """Yield what is in a tar file but folders, each with its content as a stream that must be read before the next.

    Links and what else is no plain file have none. Raises whatever the libraries raise from where the file cannot be
    read, and `ValueError` where something follows its end, such as a second tar file.
    """
    with closing(_opened(path, name)) as file:
        metered = Metered(file, max(UNPACKED, RATIO * path.stat().st_size) if packed(name) else None)
        with tarfile.open(fileobj=cast(IO[bytes], metered), mode="r:") as archive:
            for member in archive:
                vars(archive)["members"].clear()  # else it would remember all of them
                if member.size < 0:
                    raise ValueError("a size below nothing")
                content = archive.extractfile(member) if member.isreg() else None
                if content is None and not member.isdir():
                    yield member, None
                elif content is not None:
                    metered.allowance = member.size + HEADS
                    with closing(content):
                        yield member, content
                metered.allowance = HEADS
        if metered.last != bytes(tarfile.BLOCKSIZE):  # the library takes a broken header for the end
            raise ValueError("it is cut or broken")
        metered.refuse_more()


def _opened(path: Path, name: str) -> IO[bytes]:
    lower = name.lower()
    if lower.endswith("gz"):
        return cast(IO[bytes], gzip.open(path))
    if lower.endswith("bz2"):
        return cast(IO[bytes], bz2.open(path))
    if lower.endswith("xz"):
        return cast(IO[bytes], Unxz(path))
    return path.open("rb")
