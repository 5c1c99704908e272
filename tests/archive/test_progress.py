"""The progress bar: nothing without a terminal or for short work, and every line whole and in order."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from fairdeal.cli import progress
from fairdeal.cli.progress import Progress
from tests.archive.making import archive, written_to


class Terminal(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, *, terminal: bool = True) -> None:
        """Hold nothing yet."""
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


class Clock:
    """A clock that stands still until it is told the time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Take the place of the clock."""
        self.now = 0.0
        monkeypatch.setattr(progress, "monotonic", lambda: self.now)


def steps(
    monkeypatch: pytest.MonkeyPatch, names: list[str], times: list[float], *, terminal: bool = True
) -> tuple[str, list[str]]:
    """Make a step at each time; return what came on standard error, and what was written so far after each step."""
    clock, stream, written = Clock(monkeypatch), Terminal(terminal=terminal), [""]
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    seen: list[str] = []
    with Progress(names, lambda text: written.append(written[-1] + text)) as bar:
        for number, at in enumerate(times):
            clock.now = at
            bar.step(f"{number}\n")
            seen.append(written[-1])
    assert written[-1] == "".join(f"{number}\n" for number in range(len(times)))
    return stream.getvalue(), seen


def test_nothing_is_shown_before_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    shown, seen = steps(monkeypatch, ["-"], [0.1, 0.5, 0.99])
    assert shown == ""
    assert seen == ["0\n", "0\n1\n", "0\n1\n2\n"]


def test_nothing_is_shown_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert steps(monkeypatch, ["-"], [0.5, 5, 50], terminal=False)[0] == ""


def test_nothing_is_shown_where_there_is_no_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    written: list[str] = []
    with Progress(["-"], written.append) as bar:
        bar.step("a")
    assert written == ["a"]


def test_rate_and_number_are_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of how many, where that can be told."""
    folder = written_to(tmp_path / "logs", archive(5))
    shown, _ = steps(monkeypatch, [str(folder)], [0.5, 2.0, 4.0, 4.01])
    assert "2/5" in shown
    assert "3/5" in shown
    assert "1 logs/s" in shown
    assert "4/5" not in shown  # so soon after the last look


def test_lines_wait_for_the_bar_to_be_away(monkeypatch: pytest.MonkeyPatch) -> None:
    _, seen = steps(monkeypatch, ["-"], [0.5, 1.0, 1.01, 1.02, 1.2, 1.21])
    assert seen == ["0\n", "0\n1\n", "0\n1\n", "0\n1\n", "0\n1\n2\n3\n4\n", "0\n1\n2\n3\n4\n"]
