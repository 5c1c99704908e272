"""A progress bar on standard error: only on a terminal, only when the work lasts, and gone when it is done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from time import monotonic
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

PATIENCE: Final = 1.0  # seconds before anything is shown
OFTEN: Final = 0.1  # seconds between two looks at the bar


class Progress:
    """Counts steps and hands on what they write; on a terminal it shows their number, rate and remaining time.

    What is written while the bar stands waits for its next look, since both may go to the same terminal.
    """

    __slots__ = ("_bar", "_begun", "_done", "_kept", "_names", "_next", "_seen", "_task", "_write")

    def __init__(self, names: Sequence[str], write: Callable[[str], None]) -> None:
        """Start with nothing done; `names` are what is looked through for the number of logs to come."""
        self._names = names
        self._write = write
        self._kept: list[str] = []
        self._seen = sys.stderr is not None and sys.stderr.isatty()
        self._bar: Bar | None = None
        self._done = 0
        self._begun = monotonic()
        self._next = self._begun + PATIENCE

    def step(self, text: str) -> None:
        """Count one more, and write its text."""
        self._done += 1
        if self._bar is None:
            self._write(text)
        else:
            self._kept.append(text)
        if self._seen and monotonic() >= self._next:
            self._show()

    def stop(self) -> None:
        """Take the bar away, and write what has waited for that."""
        self._hide()
        self._seen = False

    def _hide(self) -> None:
        if self._bar is not None:
            self._bar.stop()
        kept, self._kept = self._kept, []
        if kept:
            self._write("".join(kept))

    def _show(self) -> None:
        if self._bar is None:
            self._bar = self._new_bar()
        self._hide()
        now = monotonic()
        self._bar.start()
        self._bar.update(self._task, completed=self._done, rate=self._done / (now - self._begun))
        self._bar.refresh()
        self._next = now + OFTEN

    def _new_bar(self) -> Bar:
        from fairdeal.archive.places import expected

        columns = (TextColumn("audited"), BarColumn(), MofNCompleteColumn(), TaskProgressColumn())
        rate = TextColumn("{task.fields[rate]:,.0f} logs/s")
        console = Console(file=sys.stderr)
        bar = Bar(*columns, rate, TimeRemainingColumn(), console=console, transient=True, auto_refresh=False)
        self._task = bar.add_task("", total=expected(self._names), rate=0.0)
        return bar

    def __enter__(self) -> Self:
        """Return the counter, whose bar is taken away at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        self.stop()
