"""Reading the values of a log's lists one by one, each checked for its exact type, range and length.

What is read here came out of MessagePack; a `Fields` raises `ShapeError` at the first value that the grammar does not
allow (SPEC, "Match log"), and the codec adds the byte offset.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from itertools import islice
from operator import length_hint
from typing import Final, TypeVar, cast

from fairdeal import limits
from fairdeal.cards import FACES
from fairdeal.texts import quoted, text_fault

Value = int | str | bytes | list["Value"]
_KINDS: Final = frozenset({int, str, bytes, list})  # exact types: a truth value is no integer here
E = TypeVar("E", bound=StrEnum)


class ShapeError(ValueError):
    """A value is not what the grammar asks for at its place."""


class Fields:
    """The values of one list, read from the front."""

    __slots__ = ("_rest",)

    def __init__(self, values: object) -> None:
        """Start at the first value of a list."""
        if type(values) is not list:
            raise ShapeError(f"{_kind(values)} where a list belongs")
        self._rest = iter(values)

    def left(self) -> int:
        """Return how many values are still unread."""
        return length_hint(self._rest)

    def take(self) -> object:
        """Return the next value, whatever it is; None, which no log holds, at the end."""
        return next(self._rest, None)

    def integer(self, low: int, high: int) -> int:
        """Return the next value as an integer in low … high."""
        value = next(self._rest, None)
        if type(value) is not int or not low <= value <= high:
            raise ShapeError(f"{_kind(value)} where an integer {low} to {high} belongs")
        return value

    def integers(self, count: int, low: int, high: int) -> tuple[int, ...]:
        """Return the next `count` values as integers in low … high."""
        values = tuple(islice(self._rest, count))
        if len(values) != count or (
            values and not (set(map(type, values)) == {int} and low <= min(values) <= max(values) <= high)
        ):
            raise ShapeError(f"not {count} integers {low} to {high}")
        return values

    def octets(self, *lengths: int) -> bytes:
        """Return the next value as a byte string of one of `lengths`."""
        value = next(self._rest, None)
        if type(value) is not bytes or len(value) not in lengths:
            raise ShapeError(f"{_kind(value)} where {' or '.join(map(str, lengths))} bytes belong")
        return value

    def text(self, least: int = 1) -> str:
        """Return the next value as a text of `least` to 64 bytes without control characters."""
        value = next(self._rest, None)
        if type(value) is not str:
            raise ShapeError(f"{_kind(value)} where a text belongs")
        wrong = text_fault(value, least)
        if wrong is not None:
            raise ShapeError(wrong)
        return value

    def choice(self, options: type[E]) -> E:
        """Return the next value, an index, as a member of `options`."""
        members = members_of(options)
        return cast("E", members[self.integer(0, len(members) - 1)])

    def flag(self) -> bool:
        """Return the next value, 0 or 1, as a bool."""
        return self.integer(0, 1) == 1

    def cards(self) -> bytes:
        """Return all values left as the faces of at least one card."""
        count = self.left()
        if not 1 <= count <= limits.MAX_EXCHANGE:
            raise ShapeError(f"{count} cards where 1 to {limits.MAX_EXCHANGE} belong")
        return bytes(self.integers(count, 0, FACES - 1))

    def done(self) -> None:
        """Raise unless every value was read."""
        if self.left():
            raise ShapeError(f"{self.left()} values too many in a list")


@cache
def members_of(options: type[StrEnum]) -> tuple[StrEnum, ...]:
    """Return the members of an enum in the order of their indexes."""
    return tuple(options)


def _kind(value: object) -> str:
    """Return a short word for a value in a message, never the value of a byte string or text."""
    if type(value) is int:
        return f"the integer {quoted(value)}"
    if isinstance(value, bytes | str | list):
        return f"a {type(value).__name__} of {len(value)}"
    return "nothing" if value is None else f"a {type(value).__name__}"


def refuse_other_kinds(value: object) -> None:
    """Raise `ShapeError` for a value with anything but integers, texts, byte strings and lists in it.

    For a list whose shape is not known; the others are taken apart by `Fields`, which looks at every type. It goes down
    layer by layer and never deeper than the limit, so that no stack has to be as deep as the value.
    """
    layer, depth = [value], 0
    while layer:
        if any(type(one) not in _KINDS for one in layer):
            raise ShapeError("a value that is no integer, text, byte string or list")
        lists = [one for one in layer if isinstance(one, list)]
        depth += bool(lists)
        if depth > limits.MAX_NESTING:
            raise ShapeError(f"lists more than {limits.MAX_NESTING:,} deep")
        layer = [inner for one in lists for inner in one]
