"""The audit of a chunk of places: what one process does, here or on another machine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

from fairdeal.anchor import EVIDENCE_FILES, merge, parse_published, read_folder, read_text
from fairdeal.archive.facts import facts_of
from fairdeal.archive.places import Found, Place, Trouble, pieces, read_place, reason
from fairdeal.archive.store import Key, Row, Store
from fairdeal.audit import judged
from fairdeal.errors import FairdealError
from fairdeal.evidence import Evidence, operator_and_seats
from fairdeal.records import OPERATOR
from fairdeal.render.data import report_data
from fairdeal.report import GuaranteeName, Report, not_audited

UNREADABLE: Final = "unreadable"


class Orders(NamedTuple):
    """How every log is audited: by which version of this tool, what is required, what is held, and where results are.

    `operator_key` and the files `published` speak of all logs; `folder` holds evidence for all, and in folders named
    after them for single logs. `store` is a file that this process can read. What is not there is None or empty.
    """

    version: str
    required: tuple[GuaranteeName, ...]
    operator_key: bytes | None
    published: tuple[str, ...]
    folder: str | None
    store: str | None


class Outcome(NamedTuple):
    """What became of a place: its verdict, the report as JSON without a name, and the row to keep, if it is new."""

    name: str
    verdict: str
    report: str
    row: Row | None


def audit_chunk(orders: Orders, chunk: Sequence[Found]) -> list[Outcome]:
    """Return the outcome of every log in a chunk, in its order; a place may hold several."""
    return [outcome for found in chunk for outcome in _outcomes(orders, found)]


def _outcomes(orders: Orders, found: Found) -> Iterator[Outcome]:
    if isinstance(found, Trouble):
        yield _unread(found.name, found.what)
        return
    try:
        data = read_place(found)
    except (OSError, ValueError) as error:
        yield _unread(found.name, reason(error))
        return
    if found.single:
        yield _outcome(orders, found, data)
        return
    for one in pieces(found, BytesIO(data)):
        yield _unread(one.name, one.what) if isinstance(one, Trouble) else _outcome(orders, *one)


def _unread(name: str, what: str) -> Outcome:
    return Outcome(name, UNREADABLE, _json(not_audited(FairdealError(what, name))), None)


def _outcome(orders: Orders, place: Place, data: bytes) -> Outcome:
    try:
        held, trust = _held(place.name, orders)
    except (FairdealError, OSError) as error:
        return _unread(place.name, str(error))
    key = Key(sha256(data).hexdigest(), orders.version, trust)
    kept = None if place.path else data  # what cannot be read again is kept with the results
    known = None if orders.store is None else _reader(orders.store).report(key)
    if known is not None:
        verdict = str(json.loads(known)["verdict"])
        row = Row(place, len(data), key, verdict, "", known, None, kept)
        return Outcome(place.name, verdict, known, row)
    report, done = judged(data, held, orders.required)
    facts = None if done is None else facts_of(done)
    text, verdict = _json(report), str(report.verdict)
    row = Row(place, len(data), key, verdict, json.dumps(sorted(report.codes())), text, facts, kept)
    return Outcome(place.name, verdict, text, row)


def _json(report: Report) -> str:
    return json.dumps(report_data(report, ""), ensure_ascii=True, separators=(",", ":"))


@lru_cache(maxsize=1)
def _reader(path: str) -> Store:
    return Store(Path(path), readonly=True)


def _held(name: str, orders: Orders) -> tuple[Evidence, str]:
    """Return the evidence for one of many logs, and a digest of all that its verdict depends on beside the log.

    That is what was given for all, and what the folder holds for all and in a folder named after this log.
    """
    common, trust = _common(orders)
    if orders.folder is None:
        return common, trust
    stem = Path(name.rpartition(":")[2].partition("@")[0]).stem
    own = Path(orders.folder) / stem
    if not stem or not own.is_dir():
        return common, trust
    mine = read_folder(own)
    return merge(mine, common), sha256(f"{trust} {_fingerprint(mine)}".encode()).hexdigest()


@lru_cache(maxsize=1)
def _common(orders: Orders) -> tuple[Evidence, str]:
    """Return the evidence for all logs and its digest; of the folder that is published lists and the operator's key."""
    published = tuple(parse_published(read_text(Path(name))) for name in orders.published)
    held = Evidence(published=published, keys=operator_and_seats(orders.operator_key, {}))
    if orders.folder is not None and any((Path(orders.folder) / name).is_file() for name in EVIDENCE_FILES):
        folder = read_folder(Path(orders.folder))
        keys = {signer: key for signer, key in folder.keys.items() if signer == OPERATOR}
        held = merge(Evidence(published=folder.published, keys=keys), held)
    return held, sha256(f"{sorted(orders.required)} {_fingerprint(held)}".encode()).hexdigest()


def _fingerprint(held: Evidence) -> str:
    """Return evidence as a text that is the same for the same evidence only."""
    published = [sorted(listed.items()) for listed in held.published]
    by_number = (sorted(held.keys.items()), sorted(held.contributions.items()))
    return repr((held.tickets, held.receipts, held.commitments, published, *by_number))
