"""How long a line may be: as long as its kind reads well, and no longer than the terminal that shows it."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

LEAST: Final = 40  # narrower than that, a terminal breaks the lines itself
COLUMNS: Final[ContextVar[int | None]] = ContextVar("COLUMNS", default=None)
"""The columns of the terminal that text goes to, None where it goes elsewhere; whoever prints it sets them."""


def width(most: int) -> int:
    """Return how many characters a line may have, `most` where nothing narrower shows it."""
    columns = COLUMNS.get()
    return most if columns is None else max(LEAST, min(most, columns))
