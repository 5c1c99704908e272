"""From the caller's clock to clock marks: milliseconds of any steady clock to tenths of a second since the deal."""

from __future__ import annotations

from typing import Final

from fairdeal.errors import Misuse
from fairdeal.limits import MAX_INT

MILLISECONDS: Final = 100  # in a tenth of a second
MAX_TENTHS: Final = MAX_INT - 128  # the largest clock mark


class Timekeeper:
    """The time of one round. It is told what time it is, and never looks."""

    __slots__ = ("_base", "_last", "_tenths")

    def __init__(self) -> None:
        """Start without a time: a round without clock marks."""
        self._base: int | None = None
        self._last = self._tenths = 0

    @property
    def marked(self) -> bool:
        """Return whether the round has clock marks."""
        return self._base is not None

    def start(self, now: int | None, tenths: int = 0) -> None:
        """Let it be `tenths` after the deal `now`; None for a round without clock marks."""
        check_time(now)
        self._base, self._last, self._tenths = now, now or 0, tenths

    def tenths(self, now: int | None) -> int | None:
        """Return the tenths of a second from the deal to `now`; None in a round without clock marks.

        Raises `Misuse` for a time before one given earlier, for none where the round has marks, and for one where it
        has none.
        """
        if self._base is None or now is None:
            if self._base is not None or now is not None:
                needs = "clock marks: the time is needed" if now is None else "no clock marks: it takes no time"
                raise Misuse(f"this round has {needs}", "now", "give `now` to the deal and all that follows, or never")
            return None
        check_time(now)
        passed = self._tenths + (now - self._base) // MILLISECONDS
        if now < self._last or passed > MAX_TENTHS:
            raise Misuse("the time runs backwards or too far", "now", "give milliseconds of a steady clock")
        return passed

    def seen(self, now: int | None) -> None:
        """Take note of a time at which something was accepted: none before it is taken any more."""
        if now is not None:
            self._last = now


def check_time(now: object) -> None:
    """Raise `Misuse` for a time that is neither missing nor a whole number."""
    if now is not None and type(now) is not int:
        raise Misuse("the time is no whole number of milliseconds", "now", "give milliseconds of a steady clock")
