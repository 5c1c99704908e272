"""Where logs are to be found: files, folders, zip and tar files, streams; as a stream of small places to read from."""

from __future__ import annotations

import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import IO, Final, NamedTuple

from fairdeal.archive.streams import split
from fairdeal.limits import MAX_LOG_BYTES

STANDARD: Final = "-"
LOG_SUFFIX: Final = ".fdl"
ZIP_SUFFIX: Final = ".zip"
TAR_SUFFIXES: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
LARGE: Final = 256 * 1024  # a file of more bytes is looked through for several logs before it is handed on
MAX_DEPTH: Final = 64  # folders in folders


class Place(NamedTuple):
    """Where the bytes of a log are: in a file or at a URL, in a member of a zip file, or `data` itself.

    `name` is how it is called in a report; `member` is the number of a zip member or -1; `start` and `size` bound it in
    the file or member, size -1 for all of it. `single` says that it is known to hold no second log.
    """

    name: str
    path: str = ""
    member: int = -1
    start: int = 0
    size: int = -1
    data: bytes | None = None
    single: bool = False


class Trouble(NamedTuple):
    """Something that could not be looked into, or not to its end: what it is called, and why."""

    name: str
    what: str


Found = Place | Trouble


def places(names: Iterable[str], standard: IO[bytes] | None = None) -> Iterator[Found]:
    """Yield every log that `names` lead to, in the same order each time; `-` is the stream `standard`.

    Folders are gone through by name, with all that ends in `.fdl`, `.zip` or `.tar` and its kinds in them; what else is
    in there is none of our business. What is named itself is taken for a log, or for several in a stream.
    """
    for name in names:
        if name == STANDARD:
            if standard is None:
                yield Trouble(name, "standard input is closed")
            else:
                yield from _stream(Place(name), standard)
        elif "://" in name:
            yield from _urls(name)
        else:
            yield from _named(Path(name), (), top=True)


def expected(names: Iterable[str]) -> int | None:
    """Return how many logs there will be, None where only reading would tell: in streams, tar files, behind URLs."""
    count = 0
    for name in names:
        if name == STANDARD or "://" in name or name.lower().endswith(TAR_SUFFIXES) or not Path(name).is_dir():
            return None
        for _, _, files in os.walk(name):
            if any(file.lower().endswith((ZIP_SUFFIX, *TAR_SUFFIXES)) for file in files):
                return None
            count += sum(file.lower().endswith(LOG_SUFFIX) for file in files)
    return count


def _named(path: Path, parents: tuple[tuple[int, int], ...], *, top: bool = False) -> Iterator[Found]:
    """Yield what is at a path; `parents` are the folders it was reached through, which it must not be one of again."""
    name, lower = str(path), path.name.lower()
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            yield from _folder(path, parents, (status.st_dev, status.st_ino))
        elif not top and not lower.endswith((LOG_SUFFIX, ZIP_SUFFIX, *TAR_SUFFIXES)):
            return
        elif not stat.S_ISREG(status.st_mode):
            if top:
                yield from _special(path)
            else:
                yield Trouble(name, "no plain file")
        elif lower.endswith(ZIP_SUFFIX):
            yield from _zip(name)
        elif lower.endswith(TAR_SUFFIXES):
            yield from _tar(name)
        elif status.st_size > LARGE:
            with path.open("rb") as file:
                yield from _stream(Place(name, name), file)
        else:
            yield Place(name, name)
    except OSError as error:
        yield Trouble(name, reason(error))


def _special(path: Path) -> Iterator[Found]:
    """Yield the logs of a pipe or the like, which is read once and to its end."""
    with path.open("rb") as file:
        yield from _stream(Place(str(path)), file)


def _folder(path: Path, parents: tuple[tuple[int, int], ...], own: tuple[int, int]) -> Iterator[Found]:
    if own in parents:
        yield Trouble(str(path), "a folder inside itself")
        return
    if len(parents) >= MAX_DEPTH:
        yield Trouble(str(path), f"folders more than {MAX_DEPTH} deep")
        return
    for entry in sorted(path.iterdir()):
        yield from _named(entry, (*parents, own))


def _zip(name: str) -> Iterator[Found]:
    try:
        with zipfile.ZipFile(name) as archive:
            members = archive.infolist()
        for number, member in enumerate(members):
            if member.is_dir() or not member.filename.lower().endswith(LOG_SUFFIX):
                continue
            within = f"{name}:{member.filename}"
            if member.flag_bits & 1:
                yield Trouble(within, "it is encrypted")
            else:
                yield Place(within, name, member=number)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        yield Trouble(name, f"no readable zip file: {str(error).lower()}")


def _tar(name: str) -> Iterator[Found]:
    plain = name.lower().endswith(".tar")
    try:
        with tarfile.open(name, "r:" if plain else "r|*") as archive:
            for member in archive:
                vars(archive)["members"].clear()  # else it would remember all of them
                within = f"{name}:{member.name}"
                if not plain and member.size > MAX_LOG_BYTES:
                    yield Trouble(within, "larger than any log; the rest of the archive is not read")
                    return
                if not member.isreg() or not member.name.lower().endswith(LOG_SUFFIX):
                    continue
                if plain and not member.issparse():
                    yield Place(within, name, start=member.offset_data, size=member.size)
                    continue
                content = archive.extractfile(member)
                if content is not None:
                    with closing(content):
                        yield Place(within, data=content.read(MAX_LOG_BYTES + 1))
    except (tarfile.TarError, EOFError, ValueError, OSError) as error:
        yield Trouble(name, f"no readable tar file from here on: {str(error).lower()}")


def _stream(base: Place, file: IO[bytes]) -> Iterator[Found]:
    """Yield the logs of a stream that this process reads; workers read those of a plain file again themselves."""
    for found in pieces(base, file):
        if isinstance(found, Trouble):
            yield found
        else:
            place, data = found
            yield place if place.path else place._replace(data=data)


def pieces(base: Place, file: IO[bytes]) -> Iterator[tuple[Place, bytes] | Trouble]:
    """Yield the logs of the stream at `base` with their bytes, and where the rest cannot be read, that it cannot."""
    for piece in split(file.read):
        name = base.name if piece.number == 0 else f"{base.name}@{piece.start}"
        place = base._replace(name=name, start=base.start + piece.start, size=len(piece.data), data=None, single=True)
        yield place, piece.data
        if piece.rest is not None:
            yield Trouble(f"{base.name}@{piece.rest}", "behind a malformed log nothing more of the stream can be read")


def reason(error: Exception) -> str:
    """Return in words why something could not be read."""
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()


def _urls(name: str) -> Iterator[Found]:
    """Yield a URL, or all logs below one that ends in a slash."""
    if not name.endswith("/"):
        yield Place(name, name)
        return
    try:
        system, root = import_module("fsspec").core.url_to_fs(name)
        found = sorted(system.find(root))
    except ImportError:
        yield Trouble(name, "reading a URL needs the extra `cluster`")
    except (OSError, ValueError) as error:
        yield Trouble(name, reason(error))
    else:
        for one in found:
            if one.lower().endswith(LOG_SUFFIX):
                url = system.unstrip_protocol(one)
                yield Place(url, url)


def read_place(place: Place) -> bytes:
    """Return the bytes of a place, at most one more than a log may have; raises `OSError` or `ValueError`."""
    limit = MAX_LOG_BYTES + 1
    if place.data is not None:
        return place.data
    size = limit if place.size < 0 else min(place.size, limit)
    if place.member >= 0:
        try:
            archive = _opened_zip(place.path)
            with archive.open(archive.infolist()[place.member]) as member:
                return member.read(place.start + size)[place.start :]
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, IndexError, EOFError) as error:
            raise ValueError(f"no readable zip member: {reason(error)}") from None
    with _read_url(place.path) if "://" in place.path else Path(place.path).open("rb") as file:
        file.seek(place.start)
        return file.read(size)


@lru_cache(maxsize=1)
def _opened_zip(path: str) -> zipfile.ZipFile:
    """Return an open zip file; the members of one come one after the other, so that the last one is worth keeping."""
    return zipfile.ZipFile(path)


def _read_url(url: str) -> IO[bytes]:
    try:
        opened: IO[bytes] = import_module("fsspec").open(url, "rb").open()
    except ImportError:
        raise ValueError("reading a URL needs the extra `cluster`") from None
    return opened
