"""A place where the bytes of a log are, and how they are read: never more than a log may have."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import IO, Final, NamedTuple, Protocol

from fairdeal.archive.urls import opened_url, told_apart
from fairdeal.archive.zips import Member, MemberReader
from fairdeal.limits import MAX_LOG_BYTES

_AT_ONCE: Final = 32 * 1024  # most logs are far smaller, and what is asked for is taken before it is read


class Place(NamedTuple):
    """Where the bytes of a log are: in a file or at a URL, in a member of a zip file, or `data` itself.

    `name` is how it is called in a report, `path` what can be read, absolute; empty for a stream, which can be read
    once only. `start` and `size` bound the log in the file or member, size -1 for all of it. `label` is the log's own
    file name without its ending, empty for one of several logs. `single` says that no second log is in there.
    """

    name: str
    path: str = ""
    member: Member | None = None
    start: int = 0
    size: int = -1
    label: str = ""
    data: bytes | None = None
    single: bool = False


class Trouble(NamedTuple):
    """What could not be looked into, or not to its end: how it is called, why, and its path if it has one."""

    name: str
    what: str
    path: str = ""


Found = Place | Trouble


class Readable(Protocol):
    """What bytes can be read from, front to back."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes, nothing at the end."""


@contextmanager
def opened(place: Place) -> Iterator[Readable]:
    """Return the bytes of a place as a stream, from its start on; raises `OSError` or `ValueError`."""
    if place.data is not None:
        yield BytesIO(place.data)
        return
    with told_apart(), opened_url(place.path) if "://" in place.path else _plain(place.path) as file:
        stream: Readable = file
        if place.member is not None:
            stream = MemberReader(file, place.member)
            _skip(stream, place.start)
        elif place.start:
            file.seek(place.start)
        yield stream


def read_place(place: Place) -> bytes:
    """Return the bytes of a place, at most one more than a log may have; raises `OSError` or `ValueError`."""
    left = MAX_LOG_BYTES + 1 if place.size < 0 else min(place.size, MAX_LOG_BYTES + 1)
    parts: list[bytes] = []
    with opened(place) as file:
        while left and (part := file.read(min(left, _AT_ONCE))):
            parts.append(part)
            left -= len(part)
    if left and place.size >= 0:
        raise ValueError("it ends too early")
    return parts[0] if len(parts) == 1 else b"".join(parts)


def reason(error: Exception) -> str:
    """Return in words why something could not be read."""
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()


def _plain(path: str) -> IO[bytes]:
    """Return a plain file opened; a pipe that has taken the place of one would be waited for without end."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    raise ValueError("no plain file")


def _skip(stream: Readable, size: int) -> None:
    while size and (part := stream.read(min(size, _AT_ONCE))):
        size -= len(part)
