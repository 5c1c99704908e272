"""Workers on other machines, by Dask distributed: the same function, the same chunks, the same order."""

from __future__ import annotations

import zlib
from asyncio import run, wait_for
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib import import_module
from logging import CRITICAL, getLogger
from typing import Any, Final, Protocol, TypeVar

from fairdeal.archive.runners import AHEAD, Waiting
from fairdeal.errors import FairdealError, Misuse
from fairdeal.version import program

Task = TypeVar("Task")
Result = TypeVar("Result")
Value_co = TypeVar("Value_co", covariant=True)
_PATIENCE: Final = 15.0  # seconds for a scheduler to answer
_PICKLE: Final = "distributed.protocol.pickle"  # what Dask would send it with
_REMEMBERED: Final = {"distributed.admin.low-level-log-length": 10}  # messages sent; Dask would keep a thousand of them


class Remote(Protocol[Value_co]):
    """What stands for the result of a task that a worker has."""

    def done(self) -> bool:
        """Return whether it has come."""

    def result(self) -> Value_co:
        """Wait for it and return it."""


def _pressed(task: object) -> bytes:
    """Return a task in little room: names of logs that stand beside each other are much alike.

    A scheduler keeps the last thousand messages for those who develop it, and these are what most of them are made of.
    """
    return zlib.compress(import_module(_PICKLE).dumps(task), level=1)


def _by_the_same(version: str, work: Callable[[Task], Result], pressed: bytes) -> Result:
    """Return the result of a task, on a worker; raises `Misuse` where it has another version of this program."""
    if program() != version:
        raise Misuse(f"a worker has {program()}, and this is {version}")
    task: Task = import_module(_PICKLE).loads(zlib.decompress(pressed))
    return work(task)


async def _told_at(address: str) -> Mapping[str, Any]:
    """Return what a scheduler says of itself; a client that meets something else at its port would not let go of it."""
    dask = import_module("distributed")
    arguments = dask.Security().get_connection_args("client")
    async with dask.rpc(address, connection_args=arguments) as scheduler:
        told: Mapping[str, Any] = await scheduler.identity()
        return told


@contextmanager
def _connected() -> Iterator[None]:
    """Raise `FairdealError` where the scheduler is gone."""
    try:
        yield
    except (CancelledError, OSError):
        raise _lost_scheduler() from None


def _lost_scheduler() -> FairdealError:
    hint = "with --store, what is done need not be done again"
    return FairdealError("the connection to the scheduler was lost", "--cluster", hint)


class Cluster:
    """The workers of a Dask scheduler. A chunk whose worker is lost is done again by another one."""

    chunk_size = 500

    def __init__(self, address: str) -> None:
        """Connect to a scheduler such as `tcp://host:8786`; raises `Misuse` where there is none, or no Dask here."""
        try:
            self._dask = import_module("distributed")
        except ImportError:
            hint = "install it with `pip install distributed fsspec`"
            raise Misuse("Dask distributed is not installed", "--cluster", hint) from None
        for name in ("distributed", "distributed.client"):
            getLogger(name).setLevel(CRITICAL)  # what it has to tell is raised, and told by whoever catches it
        try:
            told = run(wait_for(_told_at(address), _PATIENCE))
            if told["type"] != "Scheduler":
                raise Misuse(f"a {told['type'].lower()} answers, and no scheduler", address)
            with import_module("dask.config").set(_REMEMBERED):
                self._client = self._dask.Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError, TimeoutError) as error:
            what = f"no scheduler answers: {str(error).lower() or f'nothing said in {_PATIENCE:g} seconds'}"
            raise Misuse(what, address, "start one with `dask scheduler`, and name it like tcp://HOST:8786") from None
        self.workers = len(told["workers"])  # that were there at first

    def run(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], lost: Callable[[Task], Result]
    ) -> Iterator[tuple[Task, Result]]:
        """Yield the results in order, with a bounded number of tasks on their way."""

        def result(task: Task, future: Remote[Result]) -> Result:
            try:
                return future.result()
            except self._dask.KilledWorker:
                return lost(task)
            except CancelledError:
                raise _lost_scheduler() from None
            except Exception as error:
                hint = "every worker needs the same version of fairdeal, and to see the same files"
                raise FairdealError(
                    f"the cluster gave up: {error or type(error).__name__}", "--cluster", hint
                ) from None

        def submit(task: Task) -> Remote[Result]:
            with _connected():
                remote: Remote[Result] = self._client.submit(_by_the_same, program(), work, _pressed(task), pure=False)
            return remote

        def ahead() -> int:
            with _connected():
                return max(1, len(self._client.nthreads())) * AHEAD  # workers come and go

        waiting: Waiting[Task, Remote[Result]] = Waiting(submit, ahead)
        yield from waiting.results(tasks, result)

    def close(self) -> None:
        """Disconnect; the scheduler and its workers stay."""
        self._client.close()
