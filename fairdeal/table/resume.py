"""From the two files of a match to the running match: what is torn is cut off, what does not hold up is refused."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from fairdeal.codec import Log
from fairdeal.errors import Cut
from fairdeal.evidence import Receipt
from fairdeal.issue import checked
from fairdeal.secretfile import read_secret
from fairdeal.table.folder import LOG_FILE, SECRET_FILE
from fairdeal.table.journal import Journal
from fairdeal.table.running import Running, each
from fairdeal.table.vault import Vault


class Resumed(NamedTuple):
    """A match as its log leaves it: `cut` bytes of a torn tail are gone; what the lock's and the end's signers sign."""

    running: Running
    journal: Journal
    cut: int
    lock: Receipt
    closing: Receipt | None


def resumed(folder: Path) -> Resumed:
    """Return the match of a folder, its log open for writing; see `Table.resume` for what is raised."""
    journal = Journal(folder / LOG_FILE)
    try:
        return _resumed(journal, folder)
    except BaseException:
        journal.close()
        raise


def _resumed(journal: Journal, folder: Path) -> Resumed:
    secret = read_secret(folder / SECRET_FILE)
    log = Log(journal.read())
    tail = journal.read()[log.size :]
    # a file system that lost power may leave zeros where a write did not get to
    if log.broken is not None and not isinstance(log.broken, Cut) and any(tail):
        raise log.broken
    done = checked(log, secret)
    running = Running(log.terms, Vault(secret))
    for item in log.items:
        for record in each(item.record):
            running.apply(record)
    parts = done.parts
    closing = _receipt(log, parts.close_signed) if parts.close_signatures else None
    journal.start(log.size)
    return Resumed(running, journal, len(tail), _receipt(log, parts.lock), closing)


def _receipt(log: Log, offset: int) -> Receipt:
    return Receipt(log.terms_hash, offset, log.digest(offset))
