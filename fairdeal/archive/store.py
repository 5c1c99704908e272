"""Results and facts in SQLite: what was audited is not audited again, and matches can be held against each other.

A result belongs to the bytes of a log (their SHA-256), the version of this tool, and the trust inputs (what was
required and what evidence was held). Every chunk is one transaction, so that a killed run has kept whole chunks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from fairdeal.archive.facts import Facts
from fairdeal.archive.places import Place, read_place
from fairdeal.errors import Misuse

FORMAT: Final = 1
_SCHEMA: Final = """
CREATE TABLE audits (
    digest TEXT NOT NULL, version TEXT NOT NULL, trust TEXT NOT NULL,
    verdict TEXT NOT NULL, codes TEXT NOT NULL, report TEXT NOT NULL,
    PRIMARY KEY (digest, version, trust)
) WITHOUT ROWID;
CREATE TABLE logs (
    name TEXT PRIMARY KEY, digest TEXT NOT NULL, version TEXT NOT NULL, trust TEXT NOT NULL, bytes INTEGER NOT NULL,
    path TEXT NOT NULL, member INTEGER NOT NULL, start INTEGER NOT NULL, size INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE kept (digest TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE facts (
    digest TEXT PRIMARY KEY, terms_hash TEXT NOT NULL, match_id TEXT NOT NULL, operator TEXT NOT NULL,
    sequence INTEGER NOT NULL, signed INTEGER NOT NULL, reason TEXT NOT NULL, blamed TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE used (
    kind TEXT NOT NULL, value TEXT NOT NULL, terms_hash TEXT NOT NULL,
    PRIMARY KEY (kind, value, terms_hash)
) WITHOUT ROWID;
CREATE INDEX logs_by_digest ON logs (digest);
CREATE INDEX facts_by_match ON facts (terms_hash);
CREATE INDEX facts_by_number ON facts (operator, sequence);
"""


class Key(NamedTuple):
    """What a result belongs to."""

    digest: str
    version: str
    trust: str


class Row(NamedTuple):
    """A result to keep: where the log is, its size, its key, its verdict, codes and report as JSON, and facts or None.

    `data` are the log's bytes where they cannot be read again.
    """

    place: Place
    size: int
    key: Key
    verdict: str
    codes: str
    report: str
    facts: Facts | None
    data: bytes | None


class Store:
    """An open store. One process writes, any number may read."""

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        """Open a store, or make a new one; raises `Misuse` for a file that is none of this version's."""
        self._path = path
        uri = f"{path.absolute().as_uri()}?mode={'ro' if readonly else 'rwc'}"
        try:
            self._base = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=60)
            if not readonly:
                self._base.execute("PRAGMA journal_mode = WAL")
                self._base.execute("PRAGMA synchronous = NORMAL")
                self._prepare()
            self._base.execute("PRAGMA cache_size = -8000")  # kibibytes: constant, however large the store
        except sqlite3.Error as error:
            raise Misuse(
                f"no store: {str(error).lower()}", str(path), "name a file that `audit --store` wrote"
            ) from None

    def _prepare(self) -> None:
        (version,) = self._base.execute("PRAGMA user_version").fetchone()
        (tables,) = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if version == 0 and tables == 0:
            self._base.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;")
        elif version != FORMAT:
            raise Misuse("a database of another kind or version", str(self._path), "name a new file")

    def report(self, key: Key) -> str | None:
        """Return the kept report as JSON, None where this has not been audited."""
        query = "SELECT report FROM audits WHERE digest = ? AND version = ? AND trust = ?"
        found = self._base.execute(query, key).fetchone()
        return None if found is None else str(found[0])

    def keep(self, rows: Iterable[Row]) -> None:
        """Keep the results of a chunk, all or none."""
        listed = list(rows)
        facts = [(row.key.digest, row.facts) for row in listed if row.facts is not None]
        base = self._base
        base.execute("BEGIN IMMEDIATE")
        try:
            base.executemany(
                "INSERT OR IGNORE INTO audits VALUES (?, ?, ?, ?, ?, ?)",
                [(*row.key, row.verdict, row.codes, row.report) for row in listed],
            )
            base.executemany(
                "INSERT OR REPLACE INTO logs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(row.place.name, *row.key, row.size, *row.place[1:5]) for row in listed],
            )
            base.executemany(
                "INSERT OR IGNORE INTO kept VALUES (?, ?)",
                [(row.key.digest, row.data) for row in listed if row.data is not None],
            )
            base.executemany(
                "INSERT OR IGNORE INTO facts VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(digest, *one[:4], max(one.signed, default=0), one.reason, one.blamed) for digest, one in facts],
            )
            base.executemany(
                "INSERT OR IGNORE INTO used VALUES (?, ?, ?)",
                [(kind, value, one.terms_hash) for _, one in facts for kind, value in one.used],
            )
            base.execute("COMMIT")
        except BaseException:
            base.execute("ROLLBACK")
            raise

    def data(self, digest: str) -> bytes | None:
        """Return the bytes of a log, None where they are not what they were any more."""
        kept = self._base.execute("SELECT data FROM kept WHERE digest = ?", (digest,)).fetchone()
        if kept is not None:
            return bytes(kept[0])
        query = "SELECT name, path, member, start, size FROM logs WHERE digest = ? ORDER BY name"
        for row in self.rows(query, (digest,)):
            with suppress(OSError, ValueError):
                data = read_place(Place(*row))
                if sha256(data).hexdigest() == digest:
                    return data
        return None

    def rows(self, query: str, values: Iterable[object] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, one after the other."""
        yield from self._base.execute(query, tuple(values))

    def close(self) -> None:
        """Close the store."""
        self._base.close()
