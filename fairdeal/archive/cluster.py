"""Workers on other machines, by Dask distributed: the same function, the same chunks, the same order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, TypeVar

from fairdeal.archive.runners import AHEAD, in_order
from fairdeal.errors import Misuse

Task = TypeVar("Task")
Result = TypeVar("Result")


class Cluster:
    """The workers of a Dask scheduler. A chunk whose worker is lost is done again by another one."""

    chunk_size = 500

    def __init__(self, address: str) -> None:
        """Connect to a scheduler such as `tcp://host:8786`; raises `Misuse` where there is none, or no Dask here."""
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            hint = "install the extra: pip install 'fairdeal[cluster]'"
            raise Misuse("Dask distributed is not installed", "--cluster", hint) from None
        try:
            self._client = distributed.Client(address, timeout="15s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise Misuse(
                f"no scheduler answers: {str(error).lower()}", address, "start one with `dask scheduler`"
            ) from None

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the results in order, with a bounded number of tasks on their way."""
        workers = max(1, len(self._client.scheduler_info()["workers"]))
        yield from in_order(
            lambda task: self._client.submit(work, task, pure=False, retries=3),
            lambda future: future.result(),
            tasks,
            workers * AHEAD,
        )

    def close(self) -> None:
        """Disconnect; the scheduler and its workers stay."""
        self._client.close()
