"""From the two files of a match to the running match: what is torn is cut off, what does not hold up is refused."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from fairdeal.codec import Log
from fairdeal.errors import Cut, FairdealError, Malformed
from fairdeal.evidence import Receipt
from fairdeal.issue import checked
from fairdeal.records import singles
from fairdeal.replay import Replayed
from fairdeal.secretfile import MatchSecret, read_secret
from fairdeal.table.folder import LOG_FILE, SECRET_FILE, check_folder
from fairdeal.table.journal import Journal
from fairdeal.table.running import Running
from fairdeal.table.torn import begun
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
    check_folder(folder)
    journal = Journal(folder / LOG_FILE)
    try:
        return _resumed(journal, folder)
    except BaseException:
        journal.close()
        raise


def _resumed(journal: Journal, folder: Path) -> Resumed:
    secret, data = read_secret(folder / SECRET_FILE), journal.read()
    log, done = _sound(data, secret)
    running = Running(log.terms, Vault(secret))
    for item in log.items:
        for record in singles(item.record):
            running.apply(record)
    parts = done.parts
    closing = _receipt(log, parts.close_signed) if parts.close_signatures else None
    journal.start(data, log.size)
    return Resumed(running, journal, len(data) - log.size, _receipt(log, parts.lock), closing)


def _sound(data: bytes, secret: MatchSecret) -> tuple[Log, Replayed]:
    """Return the log as far as it goes; raises where it is more than torn.

    A file system that lost power may leave zeros where a write did not get to, also inside a record. They can look
    like the rest of it, and are then taken away.
    """
    try:
        return _read(data, secret)
    except FairdealError:
        written = data.rstrip(b"\0")
        if len(written) < len(data):
            with suppress(FairdealError):
                return _read(written, secret)
        raise


def _read(data: bytes, secret: MatchSecret) -> tuple[Log, Replayed]:
    """Return a log that ends in whole records, in a part of one, or in zeros behind them, and its replay."""
    log = Log(data)
    tail = data[log.size :]
    if log.broken is not None and any(tail):
        if not isinstance(log.broken, Cut):
            raise log.broken
        if not begun(tail, len(log.terms.seats)):
            raise Malformed("what follows is no beginning of a record", log.size)
    return log, checked(log, secret)


def _receipt(log: Log, offset: int) -> Receipt:
    return Receipt(log.terms_hash, offset, log.digest(offset))
