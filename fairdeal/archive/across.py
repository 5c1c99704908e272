"""What only shows when several matches lie side by side: numbers, values used twice, and two stories of one match.

All of it is asked of the store, so that memory does not grow with the archive; no more than two logs are read at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from fairdeal.archive.compare import parting
from fairdeal.archive.equivocation import contradiction
from fairdeal.archive.facts import COMMITMENT, CONTRIBUTION, MATCH_ID, SECRET
from fairdeal.archive.store import Store
from fairdeal.codes import Code
from fairdeal.report import AcrossFinding

SHOWN: Final = 3  # logs named in one finding
_REPEATED: Final = {
    SECRET: Code.SECRET_REPEATED,
    COMMITMENT: Code.COMMITMENT_REPEATED,
    MATCH_ID: Code.MATCH_ID_REPEATED,
    CONTRIBUTION: Code.CONTRIBUTION_REUSED,
}
# What an operator has not signed anybody could have written: of its numbers it fills a gap, and no more.
_NUMBERS: Final = """WITH reached AS (SELECT operator, min(sequence) AS low, max(sequence) AS high FROM counted
        WHERE operator != '' AND signed > 0 GROUP BY operator)
    SELECT operator, sequence, count(DISTINCT CASE WHEN signed > 0 THEN terms_hash END)
    FROM counted JOIN reached USING (operator) WHERE sequence BETWEEN low AND high
    GROUP BY operator, sequence ORDER BY operator, sequence"""
_ALL_NUMBERS: Final = """SELECT '', sequence, count(DISTINCT terms_hash) FROM counted
    GROUP BY sequence ORDER BY sequence"""
_WITH_NUMBER: Final = """SELECT operator, terms_hash, digest, signed FROM counted
    WHERE sequence = ? AND (operator = ? AND signed > 0 OR ?) ORDER BY operator, terms_hash, signed DESC, digest"""
_USED_TWICE: Final = "SELECT kind, value FROM used GROUP BY kind, value HAVING count(*) > 1 ORDER BY kind, value"
_USERS: Final = """SELECT terms_hash, min(counted.digest) FROM used JOIN counted USING (digest)
    WHERE kind = ? AND value = ? GROUP BY terms_hash ORDER BY terms_hash"""
_SEVERAL_LOGS: Final = "SELECT terms_hash FROM counted GROUP BY terms_hash HAVING count(*) > 1 ORDER BY terms_hash"
_LONGEST_FIRST: Final = "SELECT digest FROM counted WHERE terms_hash = ? ORDER BY bytes DESC, digest"
_SIGNED_FIRST: Final = "SELECT digest FROM counted WHERE terms_hash = ? AND signed > 0 ORDER BY signed DESC, digest"
_VOID: Final = """SELECT CASE WHEN close_signed THEN operator ELSE '' END AS whose, reason, blamed,
        count(DISTINCT terms_hash) AS matches FROM counted
    WHERE reason NOT IN ('', 'by-rule') GROUP BY whose, reason, blamed ORDER BY matches DESC, whose, reason, blamed"""


class VoidCount(NamedTuple):
    """How many matches of an operator are void for one reason, and whom they name: a seat's key or its quoted name.

    `operator` is its key, empty where it has not signed that they closed so.
    """

    operator: str
    reason: str
    blamed: str
    matches: int


def across(store: Store, *, one_operator: bool = False) -> Iterator[AcrossFinding]:
    """Yield what lies across the matches of a store; with `one_operator` all logs count as one operator's.

    Without it, numbers are compared only among the matches in which the same operator has signed.
    """
    store.spare()
    yield from _numbers(store, one_operator=one_operator)
    yield from _values(store)
    for (match,) in store.rows(_SEVERAL_LOGS):
        yield from _stories(store, str(match))


def void_matches(store: Store) -> Iterator[VoidCount]:
    """Yield the void matches by operator, reason and whom they name, the most frequent first."""
    for row in store.rows(_VOID):
        yield VoidCount(*row)


def _numbers(store: Store, *, one_operator: bool) -> Iterator[AcrossFinding]:
    before: tuple[str, int] | None = None
    for operator, sequence, matches in store.rows(_ALL_NUMBERS if one_operator else _NUMBERS):
        whose = f"of operator {operator}" if operator else "of the operator"
        if before is not None and before[0] == operator and sequence > before[1] + 1:
            low, high = before[1] + 1, sequence - 1
            missing = f"number {low} is" if low == high else f"numbers {low} to {high} are"
            yield AcrossFinding(Code.SEQUENCE_GAP, f"{missing} missing among the matches {whose}", ())
        before = (operator, sequence)
        if matches > 1:
            yield from _one_number(store, operator, sequence, f"{matches} matches {whose} have number {sequence}")


def _one_number(store: Store, operator: str, sequence: int, what: str) -> Iterator[AcrossFinding]:
    """Yield what several matches under one number are, and the first two that one operator signed."""
    shown: dict[str, str] = {}
    signed: tuple[str, str, str] | None = None
    contradictory: tuple[str, str] | None = None
    for whose, match, digest, reaches in store.rows(_WITH_NUMBER, (sequence, operator, not operator)):
        if len(shown) < SHOWN:
            shown.setdefault(match, digest)
        if not reaches or contradictory is not None:
            continue
        if signed is not None and signed[0] == whose and signed[1] != match:
            contradictory = (signed[2], digest)
        signed = (whose, match, digest)
    yield AcrossFinding(Code.SEQUENCE_REPEATED, what, _named(store, *shown.values()))
    if contradictory is not None:
        yield from _equivocation(store, what, *contradictory)


def _values(store: Store) -> Iterator[AcrossFinding]:
    for kind, value in store.rows(_USED_TWICE):
        users = 0
        shown: list[str] = []
        for _, digest in store.rows(_USERS, (kind, value)):
            users += 1
            shown += [digest] if users <= SHOWN else []
        if users > 1:
            yield AcrossFinding(_REPEATED[kind], f"{users} matches use {kind} {value}", _named(store, *shown))


def _stories(store: Store, match: str) -> Iterator[AcrossFinding]:
    """Yield the logs of a match that part from its longest one; one that ends where that goes on tells the same.

    All that do not part from the longest are beginnings of it, so that none of them parts from another.
    """
    parted_at = ""
    main: tuple[str, bytes] | None = None
    for (digest,) in store.rows(_LONGEST_FIRST, (match,)):
        data = store.data(digest)
        if data is None:
            what = f"a log of match terms {match} has changed since it was audited and cannot be compared"
            yield AcrossFinding(Code.UNREADABLE, what, _named(store, digest))
        elif main is None:
            main = (digest, data)
        elif not main[1].startswith(data):
            parted = parting(main[1], data)
            if parted is not None:
                parted_at = f"two logs of match terms {match} part at {parted.place}, byte {parted.offset}"
                what = f"{parted_at}: {parted.first}, or {parted.second}"
                yield AcrossFinding(Code.LOGS_DIFFER, what, _named(store, main[0], digest))
    if parted_at:
        yield from _signed_stories(store, match, parted_at)


def _signed_stories(store: Store, match: str, what: str) -> Iterator[AcrossFinding]:
    """Yield the first two logs of a match in which the operator signed what contradicts."""
    main: str | None = None
    for (digest,) in store.rows(_SIGNED_FIRST, (match,)):
        if main is None:
            main = digest
            continue
        found = list(_equivocation(store, what, main, digest))
        if found:
            yield from found
            return


def _equivocation(store: Store, what: str, first: str, second: str) -> Iterator[AcrossFinding]:
    one, other = store.data(first), store.data(second)
    evidence = None if one is None or other is None else contradiction(one, other)
    if evidence is not None:
        named = _named(store, first, second)
        yield AcrossFinding(Code.EQUIVOCATION, f"signed by the operator: {what}", named, evidence)


def _named(store: Store, *digests: str) -> tuple[str, ...]:
    """Return the first name of each log."""
    query = "SELECT min(name) FROM logs WHERE digest = ?"
    return tuple(str(name) for digest in digests for (name,) in store.rows(query, (digest,)))
