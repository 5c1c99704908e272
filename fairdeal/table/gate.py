"""One call of a table at a time: other threads wait, and a call from within a call is told so instead of waiting."""

from __future__ import annotations

from threading import RLock

from fairdeal.errors import Misuse


class Gate:
    """Entered by one call at a time. A lock alone would wait for ever where a signer asks the table it signs for.

    `lock` alone keeps other threads out and lets the one that is inside through.
    """

    __slots__ = ("_inside", "lock")

    def __init__(self) -> None:
        """Start with nobody inside."""
        self.lock = RLock()
        self._inside = False

    def __enter__(self) -> None:
        """Wait for other threads; raises `Misuse` where the same one is inside already."""
        self.lock.acquire()
        if self._inside:
            self.lock.release()
            raise Misuse("the table is in the middle of another call", "the table", "call it when that has returned")
        self._inside = True

    def __exit__(self, *_: object) -> None:
        """Let the next one in."""
        self._inside = False
        self.lock.release()
