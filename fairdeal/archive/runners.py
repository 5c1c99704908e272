"""Who does the work: this process, or several of it. `cluster` has the third way, with the same interface."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, Protocol, TypeVar

from fairdeal.errors import FairdealError

Task = TypeVar("Task")
Result = TypeVar("Result")
AHEAD: Final = 3  # chunks on their way for each worker: enough to keep it busy, few enough to keep memory constant


class Runner(Protocol):
    """Applies one function to a stream of tasks and yields the results in the order of the tasks."""

    @property
    def chunk_size(self) -> int:
        """How many logs make a chunk that is worth its journey."""

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the result of every task in order; no more tasks are taken than are on their way."""

    def close(self) -> None:
        """Let go of the workers; what is on its way is given up."""


class Alone:
    """All in this process."""

    chunk_size = 100

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield each result when it is asked for."""
        return map(work, tasks)

    def close(self) -> None:
        """There is nothing to let go of."""


class Processes:
    """`count` processes on this machine."""

    chunk_size = 200

    def __init__(self, count: int) -> None:
        """Start a pool; its processes start with the first task."""
        self._count = count
        self._pool = ProcessPoolExecutor(count, initializer=_leave_interrupts)

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the results in order, with a bounded number of tasks on their way."""
        yield from in_order(lambda task: self._pool.submit(work, task), _result, tasks, self._count * AHEAD)

    def close(self) -> None:
        """End the processes without waiting for what they have not begun."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the one that has started the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _result(future: Future[Result]) -> Result:
    try:
        return future.result()
    except BrokenProcessPool:
        raise FairdealError("a worker process ended before its work was done", "audit", "audit again") from None


def in_order(
    submit: Callable[[Task], Any], result: Callable[[Any], Result], tasks: Iterable[Task], ahead: int
) -> Iterator[Result]:
    """Yield results in the order of the tasks, with at most `ahead` of them submitted and not yet yielded."""
    waiting: deque[Any] = deque()
    for task in tasks:
        waiting.append(submit(task))
        if len(waiting) >= ahead:
            yield result(waiting.popleft())
    while waiting:
        yield result(waiting.popleft())


def local(count: int | None = None) -> Runner:
    """Return a runner of `count` processes on this machine, by default one for each core it may use."""
    if count is None:
        cores = getattr(os, "sched_getaffinity", None)
        count = len(cores(0)) if cores is not None else os.cpu_count() or 1
    return Alone() if count == 1 else Processes(count)
