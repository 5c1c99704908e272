"""Errors that carry their place: what is wrong, where, and one thing to do about it."""

from __future__ import annotations


class FairdealError(Exception):
    """Base of everything this package raises on purpose.

    `what` is a lower-case sentence without a full stop, `where` the place it speaks of (empty when there is none)
    and `hint` one action the reader can take.
    """

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        """Keep the three parts apart, so that each front end can lay them out its own way."""
        super().__init__(f"{what} at {where}" if where else what)
        self.what = what
        self.where = where
        self.hint = hint


class Malformed(FairdealError):
    """The input is not in the format: no verdict can be given on it from `offset` on.

    `offset` counts bytes from the start of the input, to the first byte of the record that does not parse.
    """

    def __init__(self, what: str, offset: int, hint: str = "", where: str = "") -> None:
        """Name the byte offset as the place, unless `where` says it better."""
        super().__init__(what, where or f"byte {offset}", hint)
        self.offset = offset


class Cut(Malformed):
    """The input ends inside a record: what there is of it may be the beginning of a lawful one."""


class Unsupported(FairdealError):
    """The input is well formed, but asks for something this version does not judge."""


class Misuse(FairdealError):
    """The caller asked for something that cannot be done: a bad value, a wrong file, a refused operation."""


class RulesetError(Misuse):
    """A ruleset that cannot be played; `conflicts` lists every reason at once, as (what, hint) pairs."""

    def __init__(self, name: str, conflicts: list[tuple[str, str]]) -> None:
        """Join the conflicts into one message and keep them apart in `conflicts`."""
        super().__init__("; ".join(what for what, _ in conflicts), f"ruleset `{name}`", conflicts[0][1])
        self.conflicts = conflicts


class StreamExhausted(FairdealError):
    """A derived byte stream ended before the shuffle was done (SPEC, "Shuffle"); never silently wrapped."""
