"""What callers hand over, checked: anything but the right kind of value is `Misuse`, before it can reach a record."""

from __future__ import annotations

from fairdeal.cards import FACES
from fairdeal.errors import Misuse


def faces_of(cards: object, most: int) -> bytes:
    """Return cards as bytes; raises `Misuse` for anything but 1 to `most` faces."""
    try:
        faces = bytes(cards) if isinstance(cards, bytes | bytearray | list | tuple) else b""
    except (TypeError, ValueError):
        faces = b""
    if not 1 <= len(faces) <= most or max(faces) >= FACES:
        raise Misuse(f"these are not 1 to {most} cards", "cards", "give faces from 0 to 53, as `parse_cards` does")
    return faces


def octets_of(value: object, length: int) -> bytes:
    """Return `value`; raises `Misuse` for anything but `length` bytes."""
    if not isinstance(value, bytes) or len(value) != length:
        raise Misuse(f"this is not {length} bytes", "value", "give bytes, not their hexadecimal digits")
    return value
