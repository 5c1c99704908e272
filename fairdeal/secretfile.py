"""The file that holds a match secret: which terms it belongs to, for how many rounds, and the secret itself."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import Final, NamedTuple

from fairdeal.anchor import parse_hex, read_text
from fairdeal.commit import SeedTree, seed_tree
from fairdeal.errors import Malformed, Misuse
from fairdeal.limits import MAX_ROUNDS

FORMAT: Final = "fairdeal-secret/1"
OWNER_ONLY: Final = 0o600


class MatchSecret(NamedTuple):
    """A match secret and the terms it is for; its repr tells neither the secret nor a seed."""

    terms_hash: bytes
    rounds: int
    secret: bytes

    def __repr__(self) -> str:
        """Name the terms only."""
        return f"<MatchSecret for terms {self.terms_hash.hex()}>"

    def tree(self) -> SeedTree:
        """Return all seeds and fingerprints of the match."""
        return seed_tree(self.secret, self.terms_hash, self.rounds)


def write_secret(path: Path, secret: MatchSecret) -> None:
    """Write a new secret file that only its owner can read; raises `FileExistsError` rather than replace one."""
    document = {
        "format": FORMAT,
        "terms_hash": secret.terms_hash.hex(),
        "rounds": secret.rounds,
        "secret": secret.secret.hex(),
    }
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(json.dumps(document, indent=2) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def read_secret(path: Path) -> MatchSecret:
    """Return the secret of a file.

    Raises `OSError` for what is none, `Misuse` where others may read it, and `Malformed` for any other content.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise Misuse("others may read the match secret", str(path), f"run `chmod 600 {path}`")
    try:
        return _parsed(json.loads(read_text(path)))
    except (ValueError, TypeError, RecursionError, Misuse):
        raise Malformed("no match secret file", 0, "use the file that `fairdeal commit` wrote", str(path)) from None


def _parsed(document: object) -> MatchSecret:
    """Return the secret of a file's JSON; raises `ValueError`, `TypeError` or `Misuse` for any other content."""
    if not isinstance(document, dict) or set(document) != {"format", "terms_hash", "rounds", "secret"}:
        raise ValueError("other fields")
    rounds = document["rounds"]
    if document["format"] != FORMAT or type(rounds) is not int or not 1 <= rounds <= MAX_ROUNDS:
        raise ValueError("another format or no number of rounds")
    return MatchSecret(parse_hex(document["terms_hash"]), rounds, parse_hex(document["secret"]))
