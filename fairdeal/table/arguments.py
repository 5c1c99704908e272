"""What callers hand over, checked: anything but the right kind of value is `Misuse`, before it can reach a record."""

from __future__ import annotations

from fairdeal.cards import FACES
from fairdeal.errors import Misuse
from fairdeal.table.journal import Sync


def faces_of(cards: object, most: int) -> bytes:
    """Return cards as bytes; raises `Misuse` for anything but 1 to `most` faces."""
    listed = list(cards) if isinstance(cards, bytes | bytearray | list | tuple) else []
    if not 1 <= len(listed) <= most or any(type(face) is not int or not 0 <= face < FACES for face in listed):
        raise Misuse(f"these are not 1 to {most} cards", "cards", "give faces from 0 to 53, as `parse_cards` does")
    return bytes(listed)


def octets_of(value: object, length: int) -> bytes:
    """Return `value`; raises `Misuse` for anything but `length` bytes."""
    if type(value) is not bytes or len(value) != length:
        raise Misuse(f"this is not {length} bytes", "value", "give bytes, not their hexadecimal digits")
    return value


def check_ways(sync: object, sign: object) -> None:
    """Raise `Misuse` for a mode or a signer that is none: a text that looks like a mode would force nothing to disk."""
    if not isinstance(sync, Sync):
        raise Misuse("this is no mode", "sync", f"modes: {', '.join(map(str, Sync))} of `Sync`")
    if sign is not None and not callable(sign):
        raise Misuse("this signs nothing", "sign", "give what makes a signature of a message")
