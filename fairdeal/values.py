"""Canonical MessagePack: values with exactly one encoding, read strictly (SPEC, "Match log").

Only integers, texts, byte strings and lists are in the format. What they must be in their places is for `fields`.
"""

from __future__ import annotations

from typing import Final

import msgpack

from fairdeal.errors import Cut, Malformed

# The longest lawful value, terms full of 64-byte texts, takes less than 1,500 bytes, so no more than this is looked at:
# a short value cannot claim, nor a long one contain, more than a few thousand items.
WINDOW: Final = 4_096
# No list of a sound log is longer than the rules' 27 values, no text or byte string longer than 64 bytes.
_LIMITS: Final = {
    "raw": False,
    "use_list": True,
    "strict_map_key": True,
    "max_buffer_size": WINDOW,
    "max_array_len": 32,
    "max_bin_len": 64,
    "max_str_len": 64,
    "max_map_len": 0,
    "max_ext_len": 0,
}
# One for all, since each has a quarter of a megabyte to itself. It runs no Python on what a log is made of, so that no
# other thread comes between, and begins anew after a value it refuses.
_PACKER: Final = msgpack.Packer(use_bin_type=True)


def canonical(value: object) -> bytes:
    """Return the one encoding of a value made of integers, texts, byte strings and lists."""
    return bytes(_PACKER.pack(value))


def value_at(data: bytes, start: int) -> tuple[object, int]:
    """Return the value that begins at `start` and where it ends.

    Raises `Malformed` at `start` where encoding the value again does not give the same bytes.
    """
    if start == len(data):
        raise Cut("nothing at all where a record belongs", start)
    unpacker = msgpack.Unpacker(**_LIMITS)
    unpacker.feed(data[start : start + WINDOW])
    try:
        value = unpacker.unpack()
    except msgpack.OutOfData:
        if start + WINDOW < len(data):
            raise Malformed(f"a record of more than {WINDOW} bytes", start) from None
        raise Cut("the log is cut inside a record", start, "get the whole file") from None
    except (ValueError, msgpack.UnpackException):
        raise Malformed("bytes that are no value of the log", start) from None
    end = start + int(unpacker.tell())
    if canonical(value) != data[start:end]:
        raise Malformed("a value that is not in its shortest encoding", start)
    return value, end


# How other files begin that are given for logs; a log begins with the mark of a list, as none of these do.
_OTHERS: Final = (
    (b"PK\3\4", "a zip file", "name it to `audit`, which looks inside"),
    (b"\x1f\x8b", "a gzip file", "name it to `audit` if it is a tar, else unpack it"),
    (b"{", "a JSON document", "`fairdeal pack` makes a log of what `unpack` wrote"),
    (tuple(bytes([byte]) for byte in (*b"\t\n\r", *range(0x20, 0x7F))), "text", ""),
)


def other_format(data: bytes) -> tuple[str, str] | None:
    """Return what a file is that is no log, by its first bytes, and a hint, which may be empty; None if unknown."""
    for start, other, hint in _OTHERS:
        if data.startswith(start):
            return f"{other} where a match log belongs", hint
    return None
