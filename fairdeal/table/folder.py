"""The two files of a match: its secret and its log, side by side in a folder of their own."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from fairdeal.bots import POLICY
from fairdeal.codec import Log, encode_record
from fairdeal.commit import terms_hash
from fairdeal.errors import Malformed, Misuse
from fairdeal.limits import HASH_BYTES, MATCH_ID_BYTES
from fairdeal.opening import judge_terms, refuse_unsupported
from fairdeal.records import Commitment, Seat, Terms
from fairdeal.report import Judgement
from fairdeal.ruleset import Ruleset
from fairdeal.secretfile import OWNER_ONLY, MatchSecret, write_secret
from fairdeal.settings import Contributions, SeatKind
from fairdeal.table.quiet import quiet

SECRET_FILE: Final = "secret.json"
LOG_FILE: Final = "match.fdl"


def new_terms(
    ruleset: Ruleset,
    seats: Sequence[Seat],
    sequence: int,
    *,
    rounds: int | None = None,
    contributions: Contributions = Contributions.SEALED,
    operator_key: bytes = b"",
) -> Terms:
    """Return the terms of a match, with a match id drawn for it.

    Bots of a stated level follow the bot policy, which an auditor proves; with bots of no stated level nothing is
    claimed. Raises `RulesetError` where so many seats cannot play these rules.
    """
    return Terms(
        match_id=secrets.token_bytes(MATCH_ID_BYTES),
        sequence=sequence,
        operator_key=operator_key,
        rules=ruleset.resolve(len(seats)),
        seats=tuple(seats),
        rounds=rounds or ruleset.default_rounds(),
        contributions=contributions,
        beacon="",
        bot_policy=0 if any(seat.kind is SeatKind.BOT for seat in seats) else POLICY,
    )


@quiet
def new_match(folder: Path, terms: Terms) -> bytes:
    """Draw the secret of a new match, write it and the first records of its log to `folder`; return C, to be published.

    Raises `Misuse` where the folder has a match already, since a secret is for one match only, and for terms that an
    auditor would find fault with, `Unsupported` for those that this version does not judge. Both files are the
    operator's own and on the disk when this returns; an `OSError` leaves neither.
    """
    head = checked_terms(terms)
    check_folder(folder)
    secret = MatchSecret(terms_hash(head), terms.rounds, secrets.token_bytes(HASH_BYTES))
    commitment = secret.tree().commitment()
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in (folder / SECRET_FILE, folder / LOG_FILE):
        if os.path.lexists(path):
            raise Misuse("the file exists already", str(path), "choose another folder or move it away")
    write_secret(folder / SECRET_FILE, secret)
    try:
        _write_log(folder / LOG_FILE, head + encode_record(Commitment(commitment)))
        for path in (folder, *(path.parent for path in made)):
            _sync_folder(path)
    except BaseException:
        # nothing was published yet: the next try starts anew
        for path in (folder / LOG_FILE, folder / SECRET_FILE):
            path.unlink(missing_ok=True)
        raise
    return commitment


def checked_terms(terms: Terms) -> bytes:
    """Return the terms as bytes; raises `Misuse` or `Unsupported` for what an auditor would find fault with."""
    written = None
    with suppress(ArithmeticError, AttributeError, LookupError, TypeError, ValueError, Malformed):
        head = encode_record(terms)
        written = Log(head).terms
    if written is None or written != terms:
        hint = "give values of the types and sizes in `Terms`"
        raise Misuse("these terms cannot be written to a log", "terms", hint)
    refuse_unsupported(written)
    judge = Judgement()
    judge_terms(written, judge)
    if judge.findings:
        wrong = judge.findings[0]
        raise Misuse(f"{wrong.code}: {wrong.found} where {wrong.expected} belongs", wrong.place)
    return head


def check_folder(folder: object) -> None:
    """Raise `Misuse` for anything but a path."""
    if not isinstance(folder, Path):
        raise Misuse("the folder is no path", "folder", "give a `pathlib.Path`")


def _write_log(path: Path, data: bytes) -> None:
    """Write a new log under another name first, so that it is there as a whole or not at all."""
    temporary = path.with_name(f".{path.name}.new")
    temporary.unlink(missing_ok=True)  # what a process left that was killed here
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, OWNER_ONLY)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, path)  # unlike a rename it never replaces a log
    finally:
        with suppress(OSError):
            temporary.unlink()


def _sync_folder(folder: Path) -> None:
    """Force the names of the files to the disk as well."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
