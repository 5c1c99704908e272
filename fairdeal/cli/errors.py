"""What an error looks like: what at where, a blank line, one hint."""

from __future__ import annotations

import errno

from fairdeal.cli.files import hint
from fairdeal.errors import FairdealError, RulesetError
from fairdeal.texts import printable


def complain(error: FairdealError) -> None:
    """Write an error to standard error; a ruleset's with every conflict it has."""
    conflicts = error.conflicts if isinstance(error, RulesetError) else [(error.what, error.hint)]
    for number, (what, advice) in enumerate(conflicts):
        before = "\n" if number else ""
        where = f" at {printable(error.where)}" if error.where else ""
        hint(f"{before}error: {printable(what)}{where}" + (f"\n\nhint: {printable(advice)}" if advice else ""))


def unreadable(error: OSError, name: str = "") -> FairdealError:
    """Return a file system's error in this project's form; `name` is the file where the system names none."""
    what = (error.strerror or "the file cannot be used").lower()
    hint = "name a file in it" if error.errno == errno.EISDIR else "check the name and the permissions"
    return FairdealError(what, str(error.filename or name), hint)
