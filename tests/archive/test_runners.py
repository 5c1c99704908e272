"""Who does the work: results in the order of the tasks, few on their way, and nothing lost with a process."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from multiprocessing import active_children
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.archive import runners
from fairdeal.archive.place import Found, Place
from fairdeal.archive.run import chunks
from fairdeal.archive.runners import AHEAD, TRIES, Alone, Processes, Waiting, local
from tests.conftest import python


def double(task: int) -> int:
    return 2 * task


def deadly(folder: str, lives: int, task: int, by: signal.Signals = signal.SIGKILL) -> int:
    """Double a task, but end the process over a task of 7 as long as it has not ended so often."""
    deaths = Path(folder)
    if task == 7 and len(list(deaths.iterdir())) < lives:
        (deaths / str(os.getpid())).touch()
        os.kill(os.getpid(), by)
    return 2 * task


def given_up(task: int) -> int:
    return -task


@pytest.mark.parametrize("count", [1, 2, 3])
def test_results_come_in_order(count: int) -> None:
    with closing(local(count)) as runner:
        assert list(runner.run(double, range(50), given_up)) == [(task, 2 * task) for task in range(50)]


def test_no_tasks() -> None:
    for runner in (Alone(), Processes(2)):
        with closing(runner):
            assert list(runner.run(double, [], given_up)) == []


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("lives", range(TRIES))
def test_what_a_lost_process_had_is_done_again(tmp_path: Path, lives: int, by: signal.Signals) -> None:
    """Whoever ended it, and in whatever way."""
    with closing(Processes(2)) as runner:
        found = list(runner.run(partial(deadly, str(tmp_path), lives, by=by), range(30), given_up))
    assert found == [(task, 2 * task) for task in range(30)]
    assert len(list(tmp_path.iterdir())) == lives


def test_a_task_that_ends_every_process_is_given_up_and_no_other(tmp_path: Path) -> None:
    with closing(Processes(2)) as runner:
        found = list(runner.run(partial(deadly, str(tmp_path), 99), range(30), given_up))
    assert found == [(task, -7 if task == 7 else 2 * task) for task in range(30)]


def test_closing_ends_the_processes_at_once() -> None:
    """Also those that would work for ever."""
    before = set(active_children())
    runner = Processes(2)
    results = runner.run(endless, range(4), given_up)
    assert next(results) == (0, 0)
    runner.close()
    assert set(active_children()) <= before


def test_a_process_that_heeds_no_signal_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is stopped, or busy below Python."""
    monkeypatch.setattr(runners, "PATIENCE", 0.2)
    before = set(active_children())
    runner = Processes(2)
    results = runner.run(double, range(9), given_up)
    assert next(results) == (0, 0)
    for child in set(active_children()) - before:
        os.kill(child.pid or 0, signal.SIGSTOP)
    runner.close()
    assert set(active_children()) <= before


def endless(task: int) -> int:
    while task:
        pass
    return task


def test_processes_end_with_the_one_that_started_them() -> None:
    """Killed, it can tell nobody; the others find out and leave no orphans that wait for ever."""
    script = (
        "import os, signal\n"
        "from multiprocessing import active_children\n"
        "from fairdeal.archive.runners import Processes\n"
        "from tests.archive.test_runners import double, given_up\n"
        "runner = Processes(2)\n"
        "list(runner.run(double, range(9), given_up))\n"
        "print(*(child.pid for child in active_children()), flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    # the processes hold the pipe's other end: it is read to its end only when the last of them has ended
    ended = python(script)
    assert ended.returncode == -signal.SIGKILL
    assert len(ended.stdout.split()) == 2


class Handle:
    """A result that has come, or is waited for."""

    def __init__(self, value: int, *, ready: bool) -> None:
        """Hold a value."""
        self.value = value
        self.ready = ready

    def done(self) -> bool:
        return self.ready


@given(st.lists(st.booleans(), max_size=30), st.integers(1, 6))
def test_no_more_tasks_are_taken_than_may_be_on_their_way(ready: list[bool], ahead: int) -> None:
    """And what is there is handed on before another is taken."""
    taken = handed = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        for number in range(len(ready)):
            taken += 1
            assert taken - handed <= ahead
            yield number

    waiting: Waiting[int, Handle] = Waiting(lambda task: Handle(task, ready=ready[task]), lambda: ahead)
    for task, result in waiting.results(tasks(), lambda _, handle: handle.value):
        assert task == result == handed
        handed += 1
    assert handed == len(ready)


def test_a_number_of_processes_may_be_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    assert isinstance(local(), Alone)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    with closing(local()) as runner:
        assert isinstance(runner, Processes)
    assert AHEAD > 1


@given(st.lists(st.one_of(st.none(), st.integers(0, 3_000_000)), max_size=40), st.integers(1, 9))
def test_chunks_hold_all_places_in_order_and_grow(sizes: list[int | None], most: int) -> None:
    """One, two, four … places, no more than allowed, and fewer where they bring many bytes."""
    found: list[Found] = [
        Place(str(number), data=None if size is None else bytes(size)) for number, size in enumerate(sizes)
    ]
    made = list(chunks(iter(found), most))
    assert [one for chunk in made for one in chunk] == found
    for number, chunk in enumerate(made):
        assert 1 <= len(chunk) <= min(2**number, most)
        assert sum(len(one.data or b"") for one in chunk[:-1] if isinstance(one, Place)) < 4 * 1024 * 1024
