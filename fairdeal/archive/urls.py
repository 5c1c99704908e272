"""Logs behind URLs, by fsspec, which comes with the extra `cluster`: buckets, web servers, other machines' files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import IO, Any, Final, Protocol

MAX_DEPTH: Final = 64


class FileSystem(Protocol):
    """What is used of a file system of fsspec."""

    def ls(self, path: str, /, *, detail: bool) -> list[dict[str, Any]]:
        """Return the entries of a folder."""

    def info(self, path: str, /) -> dict[str, Any]:
        """Return the entry of one file."""

    def unstrip_protocol(self, name: str, /) -> str:
        """Return the URL of a path."""


def logs_at(name: str, suffix: str) -> Iterator[tuple[str, int | None]]:
    """Yield a URL and its size, or those of all logs below one that ends in a slash, by name.

    The size is None where only reading would tell. Raises `OSError` or `ValueError` for what cannot be looked into.
    """
    with told_apart():
        system: FileSystem
        system, root = _fsspec().core.url_to_fs(name)
        if name.endswith("/"):
            for path, size in _below(system, root.rstrip("/"), suffix, 0):
                yield system.unstrip_protocol(path), size
        else:
            yield name, _size(system.info(root))


def opened_url(url: str) -> IO[bytes]:
    """Return a URL opened for reading; raises `OSError` or `ValueError`."""
    with told_apart():
        file: IO[bytes] = _fsspec().open(url, "rb").open()
        return file


def _below(system: FileSystem, folder: str, suffix: str, depth: int) -> Iterator[tuple[str, int | None]]:
    for entry in sorted(system.ls(folder, detail=True), key=lambda one: str(one["name"])):
        path = str(entry["name"]).rstrip("/")
        if entry["type"] == "directory" and path != folder and depth < MAX_DEPTH:
            yield from _below(system, path, suffix, depth + 1)
        elif entry["type"] == "file" and path.lower().endswith(suffix):
            yield path, _size(entry)


def _size(entry: dict[str, Any]) -> int | None:
    size = entry.get("size")
    return size if isinstance(size, int) else None


def _fsspec() -> ModuleType:
    try:
        return import_module("fsspec")
    except ImportError:
        raise ValueError("reading a URL needs fsspec: pip install fsspec") from None


@contextmanager
def told_apart() -> Iterator[None]:
    """Raise what a file system's own library raises as `OSError`; each has errors of its own."""
    try:
        yield
    except (OSError, ValueError):
        raise
    except Exception as error:
        raise OSError(f"{type(error).__name__}: {error}") from error
