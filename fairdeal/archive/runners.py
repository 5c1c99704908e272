"""Who does the work: this process, or several of it. `cluster` has the third way, with the same interface."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from threading import Timer
from typing import Final, Generic, Protocol, TypeVar

from fairdeal.archive.interrupts import Ended, endable, follow_the_parent, starting_workers

Task = TypeVar("Task")
Result = TypeVar("Result")
Handle = TypeVar("Handle", bound="Pending")
AHEAD: Final = 3  # chunks on their way for each worker: enough to keep it busy, few enough to keep memory constant
PATIENCE: Final = 5.0  # seconds for processes to end, before they are killed
_LOST: Final = (BrokenProcessPool, Ended)  # a worker that was killed, or sent a signal by somebody else
TRIES: Final = 3  # how often a chunk is begun whose worker ends over it


class Pending(Protocol):
    """What stands for a result that is on its way."""

    def done(self) -> bool:
        """Return whether it has come."""


class Runner(Protocol):
    """Applies one function to a stream of tasks and yields the results in the order of the tasks."""

    @property
    def chunk_size(self) -> int:
        """How many logs make a chunk that is worth its journey."""

    def run(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], lost: Callable[[Task], Result]
    ) -> Iterator[tuple[Task, Result]]:
        """Yield every task in order with its result; no more tasks are taken than are on their way.

        A task over which worker after worker ends has the result of `lost`.
        """

    def close(self) -> None:
        """Let go of the workers; what is on its way is given up."""


class Alone:
    """All in this process."""

    chunk_size = 50

    def run(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], lost: Callable[[Task], Result]
    ) -> Iterator[tuple[Task, Result]]:
        """Yield each result when it is asked for."""
        del lost
        return ((task, work(task)) for task in tasks)

    def close(self) -> None:
        """There is nothing to let go of."""


class Waiting(Generic[Task, Handle]):
    """Tasks on their way, first come first, each with what stands for its result."""

    def __init__(self, submit: Callable[[Task], Handle], ahead: Callable[[], int]) -> None:
        """Have at most as many tasks on their way as `ahead` says, which is asked again for each."""
        self._submit = submit
        self._ahead = ahead
        self.queue: deque[tuple[Task, Handle]] = deque()

    def results(self, tasks: Iterable[Task], result: Callable[[Task, Handle], Result]) -> Iterator[tuple[Task, Result]]:
        """Yield tasks in order with what `result` makes of the first in the queue, each as soon as it is there."""
        for task in tasks:
            self.queue.append((task, self._submit(task)))
            while self.queue and (len(self.queue) >= self._ahead() or self.queue[0][1].done()):
                yield self._first(result)
        while self.queue:
            yield self._first(result)

    def submit_again(self) -> None:
        """Submit again all that was on its way."""
        self.queue = deque((task, self._submit(task)) for task, _ in self.queue)

    def _first(self, result: Callable[[Task, Handle], Result]) -> tuple[Task, Result]:
        task, handle = self.queue.popleft()
        return task, result(task, handle)


class Processes:
    """`count` processes on this machine, which end with this one whatever ends it."""

    chunk_size = 200

    def __init__(self, count: int) -> None:
        """Start nothing yet; the processes start with the first task."""
        self._count = count
        self._others = set(active_children())
        self._pool = self._new_pool()

    def run(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], lost: Callable[[Task], Result]
    ) -> Iterator[tuple[Task, Result]]:
        """Yield the results in order; where a process is lost, what was on its way is done again."""
        waiting: Waiting[Task, Future[Result]] = Waiting(
            lambda task: self._submit(work, task), lambda: self._count * AHEAD
        )

        def result(task: Task, handle: Future[Result]) -> Result:
            try:
                return handle.result()
            except _LOST:
                found = self._alone(work, task, lost)
                waiting.submit_again()
                return found

        yield from waiting.results(tasks, result)

    def close(self) -> None:
        """End the processes, whatever they work on."""
        mine = [child for child in active_children() if child not in self._others]
        for child in mine:
            child.terminate()
        killing = Timer(PATIENCE, _kill, (mine,))
        killing.start()
        self._pool.shutdown(wait=True, cancel_futures=True)
        killing.cancel()

    def _alone(self, work: Callable[[Task], Result], task: Task, lost: Callable[[Task], Result]) -> Result:
        """Do a task again after a process was lost, with nothing beside it: then it is known whose fault it is."""
        for _ in range(TRIES - 1):
            self._restart()
            try:
                return self._submit(work, task).result()
            except _LOST:
                pass
        self._restart()
        return lost(task)

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._count, initializer=follow_the_parent)

    def _restart(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = self._new_pool()

    def _submit(self, work: Callable[[Task], Result], task: Task) -> Future[Result]:
        """Submit a task; Ctrl-C, which reaches every process of a terminal, must not meet one that is just starting."""
        with starting_workers():
            try:
                return self._pool.submit(endable, work, task)
            except BrokenProcessPool as error:
                broken: Future[Result] = Future()
                broken.set_exception(error)
                return broken


def _kill(processes: Iterable[BaseProcess]) -> None:
    for one in processes:
        one.kill()


def local(count: int | None = None) -> Runner:
    """Return a runner of `count` processes on this machine, by default one for each core it may use."""
    if count is None:
        cores = getattr(os, "sched_getaffinity", None)
        count = len(cores(0)) if cores is not None else os.cpu_count() or 1
    return Alone() if count == 1 else Processes(count)
