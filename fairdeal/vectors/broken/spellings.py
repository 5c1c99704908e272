"""Values of MessagePack in spellings of choice: what a canonical encoder never writes, and a strict reader must refuse.

`pack` writes any value as the protocol asks, except where a `Raw` stands for it, whose bytes are taken as they are.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from fairdeal.values import canonical

Loose: TypeAlias = "int | float | str | bytes | list[Loose] | dict[str, int] | Raw | None"


class Raw(NamedTuple):
    """Bytes that stand in an encoding as they are."""

    data: bytes


def pack(value: Loose) -> bytes:
    """Return the shortest encoding of a value, in which each `Raw` stands as it is."""
    if isinstance(value, Raw):
        return value.data
    if isinstance(value, list):
        return list_head(len(value)) + b"".join(map(pack, value))
    return canonical(value)


def list_head(length: int) -> bytes:
    """Return the first bytes of a list in its shortest form."""
    return bytes([0x90 + length]) if length < 16 else b"\xdc" + length.to_bytes(2, "big")


# every form of an integer that has bytes of its own: its first byte and how the rest is laid out
INTEGERS: Final[Mapping[str, tuple[int, str]]] = {
    "uint 8": (0xCC, ">B"),
    "uint 16": (0xCD, ">H"),
    "uint 32": (0xCE, ">I"),
    "uint 64": (0xCF, ">Q"),
    "int 8": (0xD0, ">b"),
    "int 16": (0xD1, ">h"),
    "int 32": (0xD2, ">i"),
    "int 64": (0xD3, ">q"),
}
# the forms of texts, byte strings and lists with a length in front
LENGTHS: Final[Mapping[str, tuple[int, str]]] = {
    "str 8": (0xD9, ">B"),
    "str 16": (0xDA, ">H"),
    "str 32": (0xDB, ">I"),
    "bin 8": (0xC4, ">B"),
    "bin 16": (0xC5, ">H"),
    "bin 32": (0xC6, ">I"),
    "array 16": (0xDC, ">H"),
    "array 32": (0xDD, ">I"),
}
# what MessagePack knows and the protocol does not, in words with its bytes
FOREIGN: Final[Mapping[str, bytes]] = {
    "nil": b"\xc0",
    "false": b"\xc2",
    "true": b"\xc3",
    "a float of 32 bits": b"\xca\x3f\x80\x00\x00",
    "a float of 64 bits": b"\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00",
    "an empty map": b"\x80",
    "an extension": b"\xd4\x01\x00",
    "a time stamp": b"\xd6\xff\x00\x00\x00\x01",
    "the byte that is never used": b"\xc1",
}


def integer_as(form: str, value: int) -> Raw:
    """Return an integer in the form of this name."""
    first, layout = INTEGERS[form]
    return Raw(bytes([first]) + struct.pack(layout, value))


def with_length(form: str, data: bytes, length: int | None = None) -> Raw:
    """Return a text or byte string in the form of this name, or a list of `length` encoded values."""
    first, layout = LENGTHS[form]
    return Raw(bytes([first]) + struct.pack(layout, len(data) if length is None else length) + data)


def longer_forms(value: int) -> Iterator[tuple[str, Raw]]:
    """Yield every form of an integer that can hold it and is not its shortest, by name."""
    shortest = pack(value)
    for form in INTEGERS:
        try:
            raw = integer_as(form, value)
        except struct.error:
            continue
        if raw.data != shortest:
            yield form, raw
