"""From names to outcomes: places in chunks, chunks to the workers, results kept and handed on in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import IO

from fairdeal.archive.places import Found, places
from fairdeal.archive.runners import Runner
from fairdeal.archive.store import Store
from fairdeal.archive.work import Orders, Outcome, audit_chunk


def outcomes(
    names: Iterable[str], orders: Orders, runner: Runner, store: Store, standard: IO[bytes] | None = None
) -> Iterator[Outcome]:
    """Yield the outcome of every log that `names` lead to, in order, each kept in the store before it is handed on.

    `standard` is what `-` stands for. One chunk is kept in one transaction; memory does not grow with the archive.
    """
    tasks = _chunks(places(names, standard), runner.chunk_size)
    for chunk in runner.run(partial(audit_chunk, orders), tasks):
        store.keep(outcome.row for outcome in chunk if outcome.row is not None)
        yield from chunk


def _chunks(found: Iterator[Found], size: int) -> Iterator[tuple[Found, ...]]:
    while chunk := tuple(islice(found, size)):
        yield chunk
