"""The names in a folder by their bytes, however many there are, in constant memory."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from heapq import merge
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

AT_ONCE: Final = 50_000  # names that are sorted in memory


def sorted_names(folder: Path) -> Iterator[str]:
    """Yield the names in a folder in the order of their bytes; raises `OSError` where it cannot be read."""
    with ExitStack() as stack:
        runs: list[Iterator[bytes]] = []
        with os.scandir(folder) as found:
            names = (os.fsencode(entry.name) for entry in found)
            while run := sorted(islice(names, AT_ONCE)):
                if len(run) < AT_ONCE and not runs:
                    runs.append(iter(run))
                else:
                    runs.append(_laid_aside(run, stack.enter_context(TemporaryFile(prefix="fairdeal-"))))
        yield from map(os.fsdecode, merge(*runs))


def _laid_aside(run: list[bytes], file: IO[bytes]) -> Iterator[bytes]:
    """Return sorted names that wait in a file; a name may hold a line's end, but no byte zero."""
    for name in run:
        file.write(len(name).to_bytes(2, "big") + name)
    file.seek(0)
    return iter(lambda: file.read(int.from_bytes(file.read(2), "big")), b"")


def count_files(folder: str, counted: str, beyond: Collection[str]) -> int | None:
    """Return how many files below a folder have the ending `counted`; None where one has an ending of `beyond`.

    Also None where a link leads to another folder, since it may lead in a circle.
    """
    count, waiting = 0, [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as found:
                for entry in found:
                    name = entry.name.lower()
                    if name.endswith(tuple(beyond)) or (entry.is_symlink() and entry.is_dir()):
                        return None
                    if entry.is_dir():
                        waiting.append(entry.path)
                    else:
                        count += name.endswith(counted)
        except OSError:
            continue  # the audit says so
    return count
