"""The audit of a chunk of places: what one process does, here or on another machine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from threading import get_ident
from typing import Final, NamedTuple

from fairdeal.anchor import merge, parse_published, read_folder, read_shared, read_text
from fairdeal.archive.facts import facts_of
from fairdeal.archive.place import Found, Place, Trouble, read_place, reason
from fairdeal.archive.places import pieces
from fairdeal.archive.store import Key, Row, Store
from fairdeal.archive.streams import may_be_several
from fairdeal.audit import judged
from fairdeal.errors import FairdealError, Malformed, Misuse
from fairdeal.evidence import Evidence, operator_and_seats
from fairdeal.render.data import REPORT_FORMAT, report_data
from fairdeal.render.outcome import outcome_lines
from fairdeal.report import GuaranteeName, Report, Verdict, not_audited

UNREADABLE: Final = "unreadable"
FAILED: Final = "failed"


class Orders(NamedTuple):
    """How every log is audited: by which version of this tool, what is required, what is held, and where results are.

    `operator_key` and the files `published` speak of all logs; `folder` holds evidence for all, and in folders named
    after them for single logs. `store` is a file whose results are used. What is not there is None or empty. `trust`
    is a digest of all that verdicts depend on beside the log and its own evidence, once it is known.
    """

    version: str
    required: tuple[GuaranteeName, ...]
    operator_key: bytes | None
    published: tuple[str, ...]
    folder: str | None
    store: str | None
    trust: str = ""


class Outcome(NamedTuple):
    """What became of a place: its verdict, the report as JSON without a name, and the row to keep, if there is one.

    Beside a report's verdicts there are `UNREADABLE` and, where the tool is at fault, `FAILED`. `path` is what could
    not be read.
    """

    name: str
    verdict: str
    report: str
    row: Row | None = None
    path: str = ""


Chunk = Sequence[Found]


def with_trust(orders: Orders) -> Orders:
    """Return orders whose `trust` says what they rest on; raises what is wrong with the evidence for all logs."""
    return orders._replace(trust=_common(orders._replace(store=None, trust=""))[1])


def audit_chunk(orders: Orders, chunk: Chunk) -> list[list[Outcome]]:
    """Return the outcomes of every place in a chunk, in its order; a place may hold several logs."""
    return [list(_outcomes(orders, found)) for found in chunk]


def lost_chunk(chunk: Chunk) -> list[list[Outcome]]:
    """Return the outcomes of a chunk over which one process after the other has ended."""
    what = "the process that audited this log or one beside it ended, more than once"
    return [[_without_verdict(found, what, FAILED)] for found in chunk]


def release() -> None:
    """Close what this process keeps open from one chunk to the next."""
    while _READERS:
        _READERS.popitem()[1].close()
    _common.cache_clear()


def _outcomes(orders: Orders, found: Found) -> Iterator[Outcome]:
    if isinstance(found, Trouble):
        yield _without_verdict(found, found.what)
        return
    try:
        data = read_place(found)
    except (OSError, ValueError) as error:
        yield _without_verdict(found, reason(error))
        return
    if found.single or not may_be_several(data):
        yield _safely(orders, found, data)
        return
    for one in pieces(found, BytesIO(data)):
        yield _without_verdict(one, one.what) if isinstance(one, Trouble) else _safely(orders, *one)


def _without_verdict(found: Found, what: str, verdict: str = UNREADABLE) -> Outcome:
    return Outcome(found.name, verdict, _json(not_audited(FairdealError(what, found.name))), path=found.path)


def _safely(orders: Orders, place: Place, data: bytes) -> Outcome:
    """Return the outcome of a log; whatever this tool fails over there, the others have theirs."""
    try:
        return _outcome(orders, place, data)
    except Exception as error:
        return _without_verdict(place, f"the tool failed: {type(error).__name__}: {error}", FAILED)


def _outcome(orders: Orders, place: Place, data: bytes) -> Outcome:
    try:
        held, trust = _held(place.label, orders)
    except (FairdealError, OSError) as error:
        malformed = isinstance(error, Malformed)
        return _without_verdict(place, str(error), Verdict.NO_VERDICT if malformed else UNREADABLE)
    key = Key(sha256(data).hexdigest(), orders.version, trust)
    found = place._replace(data=None)  # which has come from whom the row goes to
    known = _known(orders.store, key)
    if known is not None:
        verdict, text = known
        return Outcome(place.name, verdict, text, Row(found, len(data), key, True, verdict, "", "", None))
    report, done = judged(data, held, orders.required)
    text, verdict, facts = _json(report), str(report.verdict), facts_of(data, done)
    codes = json.dumps(sorted(report.codes()))
    return Outcome(place.name, verdict, text, Row(found, len(data), key, False, verdict, codes, text, facts))


def _json(report: Report) -> str:
    return json.dumps(report_data(report, ""), ensure_ascii=True, separators=(",", ":"))


_READERS: Final[dict[tuple[str, int], Store]] = {}


def _known(path: str | None, key: Key) -> tuple[str, str] | None:
    """Return the verdict and report that a store has, None where it has none or cannot be read from here."""
    if path is None:
        return None
    mine = (path, get_ident())  # the threads of a worker do not share one
    try:
        if mine not in _READERS:
            _READERS[mine] = Store(Path(path), readonly=True)
        found = _READERS[mine].report(key)
    except Misuse:
        return None
    return found if found is not None and _is_report(*found) else None


def _is_report(verdict: str, text: str) -> bool:
    """Return whether this is a report as it is kept, with this verdict: a store may be damaged or edited."""
    try:
        document = json.loads(text)
        outcome_lines("", document, verbose=True)
        return (verdict, REPORT_FORMAT) == (Verdict(document["verdict"]), document["format"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return False


def _held(label: str, orders: Orders) -> tuple[Evidence, str]:
    """Return the evidence for one of many logs, and a digest of all that its verdict depends on beside the log.

    That is what was given for all, and what the folder holds for all and in a folder named after this log.
    """
    common, trust = _common(orders)
    if orders.folder is None or not label:
        return common, trust
    own = Path(orders.folder) / label
    if not own.is_dir():
        return common, trust
    mine = read_folder(own)
    return merge(mine, common), sha256(f"{trust} {_fingerprint(mine)}".encode()).hexdigest()


@lru_cache(maxsize=1)
def _common(orders: Orders) -> tuple[Evidence, str]:
    """Return the evidence for all logs and its digest; of the folder that is published lists and the operator's key.

    Raises `Misuse` where it is not what it was when the run began.
    """
    published = tuple(parse_published(read_text(Path(name))) for name in orders.published)
    held = Evidence(published=published, keys=operator_and_seats(orders.operator_key, {}))
    if orders.folder is not None:
        held = merge(read_shared(Path(orders.folder)), held)
    trust = sha256(f"{sorted(orders.required)} {_fingerprint(held)}".encode()).hexdigest()
    if orders.trust not in ("", trust):
        raise Misuse("the evidence has changed since the run began", "--evidence", "start again")
    return held, trust


def _fingerprint(held: Evidence) -> str:
    """Return evidence as a text that is the same for the same evidence only."""
    published = [sorted(listed.items()) for listed in held.published]
    by_number = (sorted(held.keys.items()), sorted(held.contributions.items()))
    return repr((held.tickets, held.receipts, held.commitments, published, *by_number))
