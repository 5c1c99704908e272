"""The log file of a running match: appended to in whole calls, by one writer, and kept safe against power loss."""

from __future__ import annotations

import fcntl
import hashlib
import os
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from fairdeal.errors import Misuse
from fairdeal.limits import MAX_LOG_BYTES


class Sync(StrEnum):
    """When the log is forced to the disk. Against a killed process every mode loses nothing; this is for power loss.

    Whatever opens the match, ends a round or closes it is always forced: seeds are shown after it.
    """

    ACTION = "action"
    TRICK = "trick"
    CALLER = "caller"


class Journal:
    """An open log: `stage` what belongs to one call, then `commit` it in one write.

    `size` and `digest` count what is staged. Where a write fails the file is cut back to what was committed before, and
    the journal takes nothing more.
    """

    __slots__ = ("_committed", "_file", "_hash", "_path", "_pid", "_staged", "_synced", "_torn")

    def __init__(self, path: Path) -> None:
        """Open a log for appending; raises `Misuse` while another writer has it open."""
        self._path = path
        self._pid = os.getpid()
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise Misuse("another writer has the log open", str(path), "one match is played by one process") from None
        self._staged = bytearray()
        self._hash = hashlib.sha256()
        self._committed = 0
        self._synced = True
        self._torn = False

    @property
    def size(self) -> int:
        """Return how many bytes the log has, staged ones included."""
        return self._committed + len(self._staged)

    def digest(self) -> bytes:
        """Return SHA-256 of the log, staged bytes included."""
        return self._hash.copy().digest()

    def read(self) -> bytes:
        """Return the whole file, at most one byte more than a log may have."""
        with os.fdopen(os.dup(self._file), "rb") as file:
            file.seek(0)
            return file.read(MAX_LOG_BYTES + 1)

    @property
    def dirty(self) -> bool:
        """Return whether bytes are staged that were not committed; between calls that means that one has failed."""
        return bool(self._staged)

    def start(self, whole: bytes, size: int) -> None:
        """Begin behind the first `size` bytes of what was read; the first `commit` cuts off what is behind them."""
        self._hash.update(whole[:size])
        self._committed = size
        self._synced = False
        self._torn = len(whole) > size

    def stage(self, data: bytes) -> None:
        """Take bytes that belong to the running call; nothing is written yet."""
        self._staged += data
        self._hash.update(data)

    def commit(self, *, sync: bool) -> None:
        """Hand what is staged to the kernel, and to the disk with `sync`; raises `OSError` with nothing written."""
        self.usable()
        if self._committed + len(self._staged) > MAX_LOG_BYTES:
            self.close()
            raise Misuse(f"a log of more than {MAX_LOG_BYTES} bytes", str(self._path))
        rest = memoryview(self._staged)
        try:
            if self._torn:
                os.ftruncate(self._file, self._committed)
                self._torn = False
            while rest:
                rest = rest[os.write(self._file, rest) :]
            self._synced &= not self._staged
            if sync:
                self._force()
        except BaseException:
            self._take_back()
            raise
        finally:
            rest.release()
        self._committed += len(self._staged)
        self._staged.clear()

    def sync(self) -> None:
        """Force what was written to the disk; raises `OSError` where that fails, and the journal takes nothing more."""
        self.usable()
        try:
            self._force()
        except BaseException:
            self.close()  # after a failure the kernel may forget what it could not write, and call the next try good
            raise

    def _force(self) -> None:
        if not self._synced:
            os.fdatasync(self._file)
            self._synced = True

    def usable(self) -> None:
        """Raise `Misuse` for a journal that was closed, has failed, or belongs to another process."""
        if self._file < 0:
            raise Misuse("the log is not open for writing", str(self._path), "resume the match from its folder")
        if os.getpid() != self._pid:
            raise Misuse("the log was opened by another process", str(self._path), "open a table after forking")

    def close(self) -> None:
        """Let go of the file; what is staged is not written."""
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)

    def _take_back(self) -> None:
        """Cut the file back to what was committed before, and stop; what fails here a resume makes good."""
        with suppress(OSError):
            os.ftruncate(self._file, self._committed)
        with suppress(OSError):
            self.close()
