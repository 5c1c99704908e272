"""Results and facts in SQLite: what was audited is not audited again, and matches can be held against each other.

A result belongs to the bytes of a log (their SHA-256), the version of this tool, and the trust inputs (what was
required and what evidence was held). Every chunk is one transaction, so that a killed run has kept whole chunks.

`logs` says what was last found where. Facts count as long as a log with these bytes is still found somewhere: a file
that has changed since, or is gone from a folder that is looked through again, leaves nothing behind that could be held
against another match.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from fairdeal.archive.facts import Facts
from fairdeal.archive.place import Place, read_place
from fairdeal.archive.zips import Member
from fairdeal.errors import Misuse

FORMAT: Final = 2
APPLICATION: Final = int.from_bytes(b"FDaz", "big")  # how a database says whose it is
_SCHEMA: Final = (
    """CREATE TABLE audits (
        digest TEXT NOT NULL, version TEXT NOT NULL, trust TEXT NOT NULL,
        verdict TEXT NOT NULL, codes TEXT NOT NULL, report TEXT NOT NULL,
        PRIMARY KEY (digest, version, trust)
    ) WITHOUT ROWID""",
    """CREATE TABLE logs (
        path BLOB NOT NULL, member INTEGER NOT NULL, start INTEGER NOT NULL, name TEXT NOT NULL,
        digest TEXT NOT NULL, version TEXT NOT NULL, trust TEXT NOT NULL,
        bytes INTEGER NOT NULL, size INTEGER NOT NULL, packing TEXT NOT NULL,
        PRIMARY KEY (path, member, start)
    ) WITHOUT ROWID""",
    "CREATE TABLE kept (digest TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID",
    """CREATE TABLE facts (
        digest TEXT PRIMARY KEY, terms_hash TEXT NOT NULL, match_id TEXT NOT NULL, operator TEXT NOT NULL,
        sequence INTEGER NOT NULL, signed INTEGER NOT NULL, close_signed INTEGER NOT NULL, reason TEXT NOT NULL,
        blamed TEXT NOT NULL, bytes INTEGER NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE used (
        kind TEXT NOT NULL, value TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (kind, value, digest)
    ) WITHOUT ROWID""",
    "CREATE INDEX logs_by_digest ON logs (digest, name)",
    "CREATE INDEX facts_by_match ON facts (terms_hash)",
    "CREATE INDEX facts_by_number ON facts (operator, sequence)",
    """CREATE VIEW counted AS
        SELECT * FROM facts WHERE EXISTS (SELECT 1 FROM logs WHERE logs.digest = facts.digest)""",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {FORMAT}",
)
_GONE: Final = """CREATE TEMP TABLE gone (
    path BLOB, member INTEGER, start INTEGER, digest TEXT, PRIMARY KEY (path, member, start)
) WITHOUT ROWID"""

_CACHE: Final = 8_000  # kibibytes: constant, however large the store
_CACHE_FOR_SORTING: Final = 2_000  # SQLite takes as much again for what it sorts

_FOUND_BEFORE: Final = """INSERT OR IGNORE INTO gone
    SELECT path, member, start, digest FROM logs WHERE path = ? OR (path >= ? AND path < ?)"""
_FORGET: Final = """DELETE FROM logs WHERE EXISTS (SELECT 1 FROM gone WHERE gone.path = logs.path
    AND gone.member = logs.member AND gone.start = logs.start AND gone.digest = logs.digest)"""


class Key(NamedTuple):
    """What a result belongs to."""

    digest: str
    version: str
    trust: str


class Row(NamedTuple):
    """What is kept of a log: where it is, its size and key; and unless it is known already, its result and facts.

    `report` is JSON, `codes` a JSON list; `facts` are None where not even the terms could be read.
    """

    place: Place
    size: int
    key: Key
    known: bool
    verdict: str
    codes: str
    report: str
    facts: Facts | None


class Store:
    """An open store. Several processes may use one; each of their chunks is one transaction."""

    def __init__(self, path: Path, *, readonly: bool = False, reports: bool = True) -> None:
        """Open a store, or make a new one; raises `Misuse` for a file that is none of this version's.

        A store without `reports` keeps only what the checks across matches need.
        """
        self._path = path
        self._reports = reports
        with self._plainly():
            uri = f"{path.absolute().as_uri()}?mode={'ro' if readonly else 'rwc'}"
            self._base = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=60, check_same_thread=False)
            try:
                self._base.execute(f"PRAGMA cache_size = -{_CACHE}")
                if not readonly:
                    self._prepare()
            except BaseException:
                self._base.close()
                raise

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        """Raise what SQLite complains of in this project's form."""
        try:
            yield
        except sqlite3.Error as error:
            hint = "name a new file, or one that `audit --store` wrote and that can be written to"
            raise Misuse(f"no store that can be used: {str(error).lower()}", str(self._path), hint) from None

    def _prepare(self) -> None:
        base = self._base
        if self._kind() == (0, 0, 0):
            base.execute("BEGIN IMMEDIATE")
            if self._kind() == (0, 0, 0):  # another run may have been first
                for statement in _SCHEMA:
                    base.execute(statement)
            base.execute("COMMIT")
        if self._kind()[:2] != (APPLICATION, FORMAT):
            raise Misuse("a database of another kind or version", str(self._path), "name a new file")
        with suppress(sqlite3.OperationalError):  # another run is at it; then readers and writers wait for each other
            base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = NORMAL")
        base.execute(_GONE)

    def _kind(self) -> tuple[int, ...]:
        """Return whose database this is, its version, and how many tables and the like it has."""
        queries = ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
        return tuple(int(self._base.execute(query).fetchone()[0]) for query in queries)

    def report(self, key: Key) -> tuple[str, str] | None:
        """Return the kept verdict and report as JSON, None where this has not been audited."""
        query = "SELECT verdict, report FROM audits WHERE digest = ? AND version = ? AND trust = ?"
        with self._plainly():
            found: tuple[str, str] | None = self._base.execute(query, key).fetchone()
        return found

    def begin(self, bases: Iterable[str]) -> None:
        """Take note of what was found below absolute paths or URLs before: what is not found again is gone."""
        with self._plainly():
            self._base.execute("DELETE FROM gone")
            for base in bases:
                self._base.execute(_FOUND_BEFORE, _below(base))

    def keep(self, rows: Iterable[tuple[Row, bytes | None]], unread: Iterable[str] = ()) -> None:
        """Keep a chunk, all or nothing: what was found, with its bytes where they cannot be read again.

        `unread` are paths that could not be looked into; what was found there before counts as still there.
        """
        listed = list(rows)
        fresh = [row for row, _ in listed if not row.known]
        with self._plainly(), self._transaction() as base:
            if self._reports:
                base.executemany(
                    "INSERT OR REPLACE INTO audits VALUES (?, ?, ?, ?, ?, ?)",
                    [(*row.key, row.verdict, row.codes, row.report) for row in fresh],
                )
            found = [(*_spot(row), _text(row.place.name), *row.key, row.size, *_extent(row.place)) for row, _ in listed]
            base.executemany("INSERT OR REPLACE INTO logs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", found)
            base.executemany("DELETE FROM gone WHERE path = ? AND member = ? AND start = ?", [one[:3] for one in found])
            base.executemany("DELETE FROM gone WHERE path = ? OR (path >= ? AND path < ?)", map(_below, unread))
            kept = [(row.key.digest, data) for row, data in listed if data is not None]
            base.executemany("INSERT OR IGNORE INTO kept VALUES (?, ?)", kept)
            facts = [(row.key.digest, row.facts, row.size) for row in fresh if row.facts is not None]
            base.executemany(
                "INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(digest, *one[:7], _text(one.blamed), size) for digest, one, size in facts],
            )
            used = [(*pair, digest) for digest, one, _ in facts for pair in one.used]
            base.executemany("INSERT OR IGNORE INTO used VALUES (?, ?, ?)", used)

    def finish(self) -> None:
        """Forget where logs were that a run which looked everywhere has not found again."""
        with self._plainly(), self._transaction() as base:
            base.execute(_FORGET)
            base.execute("DELETE FROM gone")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield self._base
            self._base.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            raise

    def data(self, digest: str) -> bytes | None:
        """Return the bytes of a log, None where they are not what they were any more."""
        for (kept,) in self.rows("SELECT data FROM kept WHERE digest = ?", (digest,)):
            return bytes(kept)
        query = "SELECT path, packing, start, size FROM logs WHERE digest = ? ORDER BY path, member, start"
        for path, packing, start, size in self.rows(query, (digest,)):
            member = Member(*map(int, packing.split())) if packing else None
            with suppress(OSError, ValueError):
                data = read_place(Place("", os.fsdecode(path), member, start, size))
                if sha256(data).hexdigest() == digest:
                    return data
        return None

    def spare(self) -> None:
        """Keep less at hand from now on: queries that sort take as much memory again, and more the larger the store."""
        with self._plainly():
            self._base.execute(f"PRAGMA cache_size = -{_CACHE_FOR_SORTING}")

    def rows(self, query: str, values: Iterable[object] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, one after the other."""
        with self._plainly():
            yield from self._base.execute(query, tuple(values))

    def close(self) -> None:
        """Close the store."""
        self._base.close()


def _below(base: str) -> tuple[bytes, bytes, bytes]:
    """Return the values that in a query name a path and all that is below it."""
    path = os.fsencode(base)
    within = path if path.endswith(b"/") else path + b"/"
    return path.rstrip(b"/") or path, within, within[:-1] + b"0"  # the byte after a slash


def _spot(row: Row) -> tuple[bytes, int, int]:
    """Return what tells a log from all others: where it is, or the digest of one from a stream."""
    place = row.place
    if not place.path:
        return f"-:{row.key.digest}".encode("ascii"), -1, 0
    return os.fsencode(place.path), -1 if place.member is None else place.member.offset, place.start


def _extent(place: Place) -> tuple[int, str]:
    return place.size, "" if place.member is None else " ".join(map(str, place.member))


def _text(text: str) -> str:
    """Return a name as SQLite takes it; the name of a file may be no text at all."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
