"""From names to outcomes: places in chunks, chunks to the workers, results kept and handed on in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import IO, Final

from fairdeal.archive.place import Found, Place, Trouble
from fairdeal.archive.places import STANDARD, base_of, places
from fairdeal.archive.runners import Runner
from fairdeal.archive.store import Row, Store
from fairdeal.archive.work import Orders, Outcome, audit_chunk, lost_chunk, release, with_trust

CHUNK_BYTES: Final = 4 * 1024 * 1024  # of logs that travel to the workers with their chunk


def outcomes(
    names: Iterable[str], orders: Orders, runner: Runner, store: Store, streams: Mapping[str, IO[bytes]]
) -> Iterator[Outcome]:
    """Yield the outcome of every log that `names` lead to, in order, each kept in the store before it is handed on.

    `streams` are names that stand for what can be read once only. One chunk is kept in one transaction; memory does
    not grow with the archive. Raises what is wrong with the evidence for all logs.
    """
    listed = list(names)
    ready = with_trust(orders)
    store.begin(name.rstrip("/") if "://" in name else base_of(name) for name in listed if name != STANDARD)
    tasks = chunks(places(listed, streams), runner.chunk_size)
    try:
        for chunk, done in runner.run(partial(audit_chunk, ready), tasks, lost_chunk):
            pairs = [(found, outcome) for found, several in zip(chunk, done, strict=True) for outcome in several]
            unread = {outcome.path for _, outcome in pairs if outcome.row is None and outcome.path}
            rows = [(outcome.row, _carried(found, outcome.row)) for found, outcome in pairs if outcome.row is not None]
            store.keep(rows, sorted(unread))
            yield from (outcome for _, outcome in pairs)
        store.finish()
    finally:
        release()


def chunks(found: Iterator[Found], size: int) -> Iterator[tuple[Found, ...]]:
    """Yield places in chunks: of one, two, four …, so that results come soon, then of `size`; fewer of large ones."""
    chunk: list[Found] = []
    limit, carried = 1, 0
    for one in found:
        chunk.append(one)
        carried += 0 if isinstance(one, Trouble) or one.data is None else len(one.data)
        if len(chunk) >= limit or carried >= CHUNK_BYTES:
            yield tuple(chunk)
            chunk, limit, carried = [], min(2 * limit, size), 0
    if chunk:
        yield tuple(chunk)


def _carried(found: Found, row: Row) -> bytes | None:
    """Return the bytes of a log that came with its place and cannot be read again."""
    if not isinstance(found, Place) or found.data is None:
        return None
    start = row.place.start - found.start
    return found.data[start : start + row.size]
