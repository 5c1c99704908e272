"""Reading inputs and writing outputs: `-` for the standard streams, limits on size, and no half-written files."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from fairdeal.errors import Misuse
from fairdeal.limits import MAX_LOG_BYTES

STANDARD: Final = "-"
MAX_TEXT_FILE: Final = 64 * 1024 * 1024  # the JSON of the largest log


def read_bytes(name: str, limit: int = MAX_LOG_BYTES) -> bytes:
    """Return at most `limit` + 1 bytes of a file or of standard input: one more than allowed shows that it is too long.

    Raises `OSError` for what cannot be read.
    """
    if name == STANDARD and sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed", STANDARD)
    if name == STANDARD:
        return sys.stdin.buffer.read(limit + 1)
    with Path(name).open("rb") as file:
        return file.read(limit + 1)


def read_json(name: str) -> object:
    """Return the JSON that a file holds; raises `Malformed` for anything else."""
    import json

    from fairdeal.errors import Malformed

    data = read_bytes(name, MAX_TEXT_FILE)
    if len(data) > MAX_TEXT_FILE:
        raise Malformed(
            f"more than {MAX_TEXT_FILE} bytes of JSON", MAX_TEXT_FILE, where=f"{name}, byte {MAX_TEXT_FILE}"
        )
    try:
        return json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Malformed("no UTF-8 text", error.start, where=f"{name}, byte {error.start}") from None
    except (ValueError, RecursionError) as error:
        at = getattr(error, "pos", 0)
        raise Malformed(f"no JSON: {str(error).lower()}", at, where=f"{name}, byte {at}") from None


def write_new(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a file under a temporary name in the same folder and rename it, so that it is never half there.

    What exists and is no plain file, such as a pipe or a terminal, is written to as it is. Without a `mode` a file that
    exists keeps its own, and a new one has what the umask allows. An `OSError` names `path`.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(_mode_for(path) if mode is None else mode)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _mode_for(path: Path) -> int:
    """Return the mode of the file that is there, or the one the umask gives a new file."""
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def write_output(name: str, data: bytes) -> None:
    """Write `data` to a file, or to standard output for `-`; a reader that has gone away is no error."""
    if name != STANDARD:
        write_new(Path(name), data)
    elif sys.stdout is not None:
        try:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            close_quietly()


@contextmanager
def opened_output(name: str) -> Iterator[Callable[[str], None]]:
    """Return what writes text to a file or, for `-`, to standard output as it comes.

    The file appears as a whole when the block ends well, and not at all when it does not. A reader of standard output
    that has gone away is no error: the work goes on for its verdict.
    """
    if name == STANDARD:
        yield say
        return
    path = Path(name)
    if path.exists() and not path.is_file():
        yield from _to_whoever_reads(path)
        return
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            yield lambda text: _only_write(file, text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(_mode_for(path))
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _to_whoever_reads(path: Path) -> Iterator[Callable[[str], None]]:
    """Yield what writes to a pipe or the like, and is silent once its reader has gone away."""
    special = path.open("w", encoding="utf-8")

    def write(text: str) -> None:
        if not special.closed:
            try:
                special.write(text)
                special.flush()
            except BrokenPipeError:
                close()

    def close() -> None:
        with suppress(BrokenPipeError):  # it has still got what was not taken
            special.close()

    try:
        yield write
    finally:
        close()


def _only_write(file: IO[str], text: str) -> None:
    file.write(text)


def say(text: str) -> None:
    """Write text to standard output; a reader that has gone away is no error."""
    write_output(STANDARD, text.encode("utf-8"))


def hint(text: str) -> None:
    """Write a line to standard error, if there is one."""
    if sys.stderr is not None:
        with suppress(BrokenPipeError):
            sys.stderr.write(text + "\n")
            sys.stderr.flush()


def close_quietly() -> None:
    """Point standard output at nothing, so that the interpreter does not complain about a closed pipe at exit."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)


def refuse_same(output: str, *inputs: str) -> None:
    """Raise `Misuse` where `output` is one of the inputs: it would be replaced by what is said about it."""
    if output == STANDARD:
        return
    for name in inputs:
        if name != STANDARD and _are_the_same(name, output):
            raise Misuse("the output is one of the inputs", output, "choose another file")


def refuse_within(output: str, folders: Iterable[str], is_read: Callable[[str], bool]) -> None:
    """Raise `Misuse` where `output` is in one of the folders, by a name that `is_read` says is read there."""
    path = Path(output)
    if output == STANDARD or not is_read(path.name):
        return
    with suppress(OSError, ValueError, RuntimeError):  # then it cannot be there either
        path = path.resolve(strict=True)
        if any(_are_the_same(folder, above) for folder in folders for above in path.parents):
            raise Misuse("the output is one of the files that are read", output, "choose another file")


def is_folder(name: str) -> bool:
    """Return whether this is the name of a folder that can be looked at."""
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):  # too long, or below a folder that is closed to us
        return False


def _are_the_same(one: str | Path, other: str | Path) -> bool:
    """Return whether two names are those of one file or folder, be it there or not."""
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        with suppress(OSError, ValueError, RuntimeError):
            return Path(one).resolve() == Path(other).resolve()
        return False


def refuse_standard(name: str, option: str) -> None:
    """Raise `Misuse` for `-` where a file or folder of its own is needed."""
    if name == STANDARD:
        raise Misuse("`-` is no file or folder", option, "give a name")


def refuse_existing(*paths: Path) -> None:
    """Raise `Misuse` where one of `paths` exists already."""
    for path in paths:
        if path.exists():
            raise Misuse("the file exists already", str(path), "choose another folder or move it away")
