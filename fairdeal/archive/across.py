"""What only shows when several matches lie side by side: numbers, values used twice, and two stories of one match.

All of it is asked of the store, so that memory does not grow with the archive.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from fairdeal.archive.compare import parting
from fairdeal.archive.equivocation import contradiction
from fairdeal.archive.facts import COMMITMENT, CONTRIBUTION, MATCH_ID, SECRET
from fairdeal.archive.store import Store
from fairdeal.codes import Code

SHOWN: Final = 3  # logs named in one finding
_REPEATED: Final = {
    SECRET: Code.SECRET_REPEATED,
    COMMITMENT: Code.COMMITMENT_REPEATED,
    MATCH_ID: Code.MATCH_ID_REPEATED,
    CONTRIBUTION: Code.CONTRIBUTION_REUSED,
}


_NUMBERS: Final = """SELECT operator, sequence, count(DISTINCT terms_hash), min(terms_hash), max(terms_hash)
    FROM facts WHERE operator != '' GROUP BY operator, sequence ORDER BY operator, sequence"""
_ALL_NUMBERS: Final = """SELECT '', sequence, count(DISTINCT terms_hash), min(terms_hash), max(terms_hash)
    FROM facts GROUP BY sequence ORDER BY sequence"""


class AcrossFinding(NamedTuple):
    """One thing found between matches; `evidence` is the text of an evidence file, where the operator signed both."""

    code: Code
    what: str
    logs: tuple[str, ...]
    evidence: str | None = None


class VoidCount(NamedTuple):
    """How many matches of an operator are void for one reason, and whom they name: a seat's key or its quoted name."""

    operator: str
    reason: str
    blamed: str
    matches: int


def across(store: Store, *, one_operator: bool = False) -> Iterator[AcrossFinding]:
    """Yield what lies across the matches of a store; with `one_operator` all logs count as one operator's.

    Without it, numbers are compared among the matches that name the same operator's key only.
    """
    yield from _numbers(store, one_operator=one_operator)
    yield from _values(store)
    yield from _stories(store)


def void_matches(store: Store) -> Iterator[VoidCount]:
    """Yield the void matches by operator, reason and whom they name."""
    query = """SELECT operator, reason, blamed, count(DISTINCT terms_hash) FROM facts
        WHERE reason NOT IN ('', 'by-rule') GROUP BY operator, reason, blamed ORDER BY operator, reason, blamed"""
    for row in store.rows(query):
        yield VoidCount(*row)


def _numbers(store: Store, *, one_operator: bool) -> Iterator[AcrossFinding]:
    before: tuple[str, int] | None = None
    for operator, sequence, matches, first, last in store.rows(_ALL_NUMBERS if one_operator else _NUMBERS):
        whose = f"of operator {operator}" if operator else "of the operator"
        if before is not None and before[0] == operator and sequence > before[1] + 1:
            low, high = before[1] + 1, sequence - 1
            missing = f"number {low} is" if low == high else f"numbers {low} to {high} are"
            yield AcrossFinding(Code.SEQUENCE_GAP, f"{missing} missing among the matches {whose}", ())
        before = (operator, sequence)
        if matches > 1:
            what = f"{matches} matches {whose} have number {sequence}"
            two = [_digest(store, terms_hash) for terms_hash in (first, last)]
            yield AcrossFinding(Code.SEQUENCE_REPEATED, what, _named(store, *two))
            yield from _equivocation(store, what, *two)


def _values(store: Store) -> Iterator[AcrossFinding]:
    query = """SELECT kind, value, min(terms_hash), max(terms_hash), count(*) FROM used
        GROUP BY kind, value HAVING count(*) > 1 ORDER BY kind, value"""
    for kind, value, first, last, count in store.rows(query):
        logs = _named(store, *(_digest(store, one) for one in (first, last)))
        yield AcrossFinding(_REPEATED[kind], f"{count} matches use {value}", logs)


def _stories(store: Store) -> Iterator[AcrossFinding]:
    """Yield where two logs of one match part; one that ends where the other goes on tells no other story."""
    query = "SELECT terms_hash FROM facts GROUP BY terms_hash HAVING count(*) > 1 ORDER BY 1"
    for (match,) in store.rows(query):
        told: list[tuple[str, bytes]] = []
        for (digest,) in store.rows("SELECT digest FROM facts WHERE terms_hash = ? ORDER BY digest", (match,)):
            data = store.data(digest)
            if data is None:
                continue
            for other, known in told:
                parted = parting(known, data)
                if parted is None or parted.first is None or parted.second is None:
                    continue
                what = f"two logs of match terms {match} part at {parted.place}: {parted.first}, or {parted.second}"
                yield AcrossFinding(Code.LOGS_DIFFER, what, _named(store, other, digest))
                yield from _equivocation(store, what, other, digest)
                break
            else:
                told.append((digest, data))


def _equivocation(store: Store, what: str, first: str, second: str) -> Iterator[AcrossFinding]:
    data = [store.data(digest) for digest in (first, second)]
    if data[0] is not None and data[1] is not None:
        evidence = contradiction(data[0], data[1])
        if evidence is not None:
            yield AcrossFinding(
                Code.EQUIVOCATION, f"signed by the operator: {what}", _named(store, first, second), evidence
            )


def _digest(store: Store, terms_hash: str) -> str:
    ((digest,),) = store.rows("SELECT min(digest) FROM facts WHERE terms_hash = ?", (terms_hash,))
    return str(digest)


def _named(store: Store, *digests: str) -> tuple[str, ...]:
    """Return the names of logs."""
    names = [
        str(name)
        for digest in dict.fromkeys(digests)
        for (name,) in store.rows("SELECT min(name) FROM logs WHERE digest = ?", (digest,))
    ]
    return tuple(names[:SHOWN])
