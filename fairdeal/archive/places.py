"""Where logs are to be found: files, folders, zip and tar files, streams; as a stream of small places to read from."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final

from fairdeal.archive import tars, urls, zips
from fairdeal.archive.listing import count_files, sorted_names
from fairdeal.archive.place import Found, Place, Readable, Trouble, opened, reason
from fairdeal.archive.streams import split

STANDARD: Final = "-"
LOG_SUFFIX: Final = ".fdl"
ZIP_SUFFIX: Final = ".zip"
LARGE: Final = 256 * 1024  # what has more bytes is looked through for several logs before it is handed on
MAX_DEPTH: Final = 64  # folders in folders


MAX_WAYS: Final = 16  # through links to one folder
Identity = tuple[int, int]
"""Device and number of a folder."""
Parents = tuple[Identity, ...]


def places(names: Iterable[str], streams: Mapping[str, IO[bytes]]) -> Iterator[Found]:
    """Yield every log that `names` lead to, in the same order each time; some of them stand for open `streams`.

    Folders are gone through by name, with all that ends in `.fdl`, `.zip` or `.tar` and its kinds in them; what else is
    in there is none of our business. What is named itself is taken for a log, or for several in a stream. A folder that
    links lead to is gone through some times only: a few links make more ways than anybody can go.
    """
    linked: Counter[Identity] = Counter()
    for name in names:
        if name in streams:
            yield from _stream(Place(name, label="" if name == STANDARD else _label(name)), streams[name])
        elif name == STANDARD:
            yield Trouble(name, "standard input is closed")
        elif "://" in name:
            yield from _below_url(name)
        else:
            yield from _named(name, base_of(name), (), linked, top=True)


def base_of(name: str) -> str:
    """Return the absolute path that a name stands for, which workers and later runs can use wherever they are."""
    path = Path(name)
    try:
        return str(path.resolve() if path.is_file() or path.is_dir() else path.absolute())
    except (OSError, ValueError, RuntimeError):  # too long, a byte zero, links in a circle
        return name


def _named(name: str, path: str, parents: Parents, linked: Counter[Identity], *, top: bool = False) -> Iterator[Found]:
    """Yield what is at a path; `parents` are the folders it was reached through, which it must not be one of again.

    `linked` counts how often links have led to a folder.
    """
    ours = top or name.lower().endswith((LOG_SUFFIX, ZIP_SUFFIX, *tars.SUFFIXES))
    try:
        status = Path(path).stat()
    except (OSError, ValueError) as error:
        if ours:
            yield Trouble(name, reason(error), path)
        return
    try:
        if stat.S_ISDIR(status.st_mode):
            own = (status.st_dev, status.st_ino)
            linked[own] += Path(path).is_symlink()
            if own not in parents and linked[own] > MAX_WAYS:
                yield Trouble(name, f"more than {MAX_WAYS} links lead to this folder", path)
                return
            yield from _folder(name, path, parents, own, linked)
        elif not stat.S_ISREG(status.st_mode):
            if ours:
                yield from _special(name) if top else [Trouble(name, "no plain file", path)]
        elif ours:
            yield from _file(name, path, status.st_size)
    except (OSError, ValueError) as error:
        yield Trouble(name, reason(error), path)


def _file(name: str, path: str, size: int) -> Iterator[Found]:
    """Yield the logs in a plain file."""
    lower, place = name.lower(), Place(name, path, label=_label(name))
    if lower.endswith(ZIP_SUFFIX):
        yield from _zip(name, path)
    elif lower.endswith(tars.SUFFIXES):
        yield from _tar(name, path)
    elif size > LARGE:
        with opened(place) as file:
            yield from _stream(place, file)
    else:
        yield place


def _special(name: str) -> Iterator[Found]:
    """Yield the logs of a pipe or the like, which is read once and to its end."""
    with Path(name).open("rb") as file:
        yield from _stream(Place(name, label=_label(name)), file)


def _folder(name: str, path: str, parents: Parents, own: Identity, linked: Counter[Identity]) -> Iterator[Found]:
    if own in parents:
        yield Trouble(name, "a folder inside itself", path)
        return
    if len(parents) >= MAX_DEPTH:
        yield Trouble(name, f"folders more than {MAX_DEPTH} deep", path)
        return
    within, below = (one if one.endswith("/") else f"{one}/" for one in (name, path))
    if name == ".":
        within = ""
    for entry in sorted_names(Path(path)):
        yield from _named(within + entry, below + entry, (*parents, own), linked)


def _zip(name: str, path: str) -> Iterator[Found]:
    try:
        with Path(path).open("rb") as file:
            for entry in zips.entries(file):
                if not entry.name.lower().endswith(LOG_SUFFIX):
                    continue
                place = Place(f"{name}:{entry.name}", path, entry.member, label=_label(entry.name))
                if entry.fault:
                    yield Trouble(place.name, entry.fault, path)
                elif entry.member.size > LARGE:
                    yield from _large_member(place)
                else:
                    yield place
    except (OSError, ValueError) as error:
        yield Trouble(name, f"no zip file that can be read: {reason(error)}", path)


def _large_member(place: Place) -> Iterator[Found]:
    try:
        with opened(place) as file:
            yield from _stream(place, file, again=False)
    except (OSError, ValueError) as error:
        yield Trouble(place.name, reason(error), place.path)


def _tar(name: str, path: str) -> Iterator[Found]:
    again = not tars.packed(name)
    try:
        for member, content in tars.members(Path(path), name):
            if not member.name.lower().endswith(LOG_SUFFIX):
                continue
            if content is None:
                yield Trouble(f"{name}:{member.name}", "no plain file", path)
                continue
            plain = again and not member.issparse()
            place = Place(f"{name}:{member.name}", path, start=member.offset_data, label=_label(member.name))
            if plain and member.size <= LARGE:
                yield place._replace(size=member.size)
            elif member.size <= LARGE:
                yield place._replace(data=content.read(LARGE))
            else:
                yield from _stream(place, content, again=plain)
    except Exception as error:  # four libraries have errors of their own, and no list of them
        yield Trouble(name, f"no tar file that can be read from here on: {reason(error)}", path)


def _label(name: str) -> str:
    """Return a file's name without folders and ending, empty where that is no name."""
    own = name.rpartition("/")[2]
    stem = own.rpartition(".")[0] or own
    return "" if stem in (".", "..") or "\0" in stem else stem


def _stream(base: Place, file: Readable, *, again: bool = True) -> Iterator[Found]:
    """Yield the logs of a stream that this process reads; workers read those that can be read `again` themselves."""
    for found in pieces(base, file):
        if isinstance(found, Trouble):
            yield found
        else:
            place, data = found
            yield place if place.path and again else place._replace(data=data)


def pieces(base: Place, file: Readable) -> Iterator[tuple[Place, bytes] | Trouble]:
    """Yield the logs of the stream at `base` with their bytes, and where the rest cannot be read, that it cannot."""
    for piece in split(file.read):
        if piece.data:
            name = f"{base.name}@{piece.start}" if piece.start else base.name
            label = base.label if piece.alone else ""
            start, size = base.start + piece.start, len(piece.data)
            yield base._replace(name=name, start=start, size=size, label=label, single=True), piece.data
        if piece.rest is not None:
            what = "behind a malformed log" if piece.data else "no log begins here, and"
            yield Trouble(f"{base.name}@{piece.rest}", f"{what} nothing more of the stream can be read", base.path)


def _below_url(name: str) -> Iterator[Found]:
    """Yield a URL, or all logs below one that ends in a slash."""
    try:
        for url, size in urls.logs_at(name, LOG_SUFFIX):
            place = Place(url, url, label=_label(url))
            if size is not None and size <= LARGE:
                yield place
                continue
            with opened(place) as file:
                yield from _stream(place, file)
    except (OSError, ValueError) as error:
        yield Trouble(name, reason(error), name)


def expected(names: Iterable[str]) -> int | None:
    """Return how many logs there will be, None where only reading would tell: in streams, zip and tar files, URLs."""
    count = 0
    for name in names:
        try:
            below = _expected(name)
        except (OSError, ValueError):
            below = 1  # the line that says so
        if below is None:
            return None
        count += below
    return count


def _expected(name: str) -> int | None:
    packed, path = (ZIP_SUFFIX, *tars.SUFFIXES), Path(name)
    if name == STANDARD or "://" in name or name.lower().endswith(packed):
        return None
    if path.is_dir():
        return count_files(name, LOG_SUFFIX, packed)
    return None if path.is_file() and path.stat().st_size > LARGE else 1
