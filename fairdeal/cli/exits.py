"""Exit codes (README, "Exit codes"), and which of several stands for all."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final

from fairdeal.report import Verdict


class Exit(IntEnum):
    """What the process says to its caller. 1 is also Python's own for an unexpected error."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NO_VERDICT = 3
    REFUTED = 10
    INCOMPLETE = 11
    INTERRUPTED = 130


OF_VERDICT: Final = {
    Verdict.VERIFIED: Exit.OK,
    Verdict.REFUTED: Exit.REFUTED,
    Verdict.INCOMPLETE: Exit.INCOMPLETE,
    Verdict.NO_VERDICT: Exit.NO_VERDICT,
}
_WORST_FIRST: Final = (Exit.REFUTED, Exit.FAILED, Exit.USAGE, Exit.NO_VERDICT, Exit.INCOMPLETE, Exit.OK)


def worst_exit(codes: Iterable[Exit]) -> Exit:
    """Return the code that stands for several: 10, 1, 2, 3, 11, 0 in this order."""
    return min(codes, key=_WORST_FIRST.index)
