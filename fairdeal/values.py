"""Canonical MessagePack: values with exactly one encoding, read strictly (SPEC, "Match log").

Only integers, texts, byte strings and lists are in the format. What they must be in their places is for `fields`.
"""

from __future__ import annotations

from typing import Final

import msgpack

from fairdeal.errors import Malformed
from fairdeal.limits import MAX_LOG_BYTES

# No list of a sound log is longer than the rules' 27 values, no text or byte string longer than 64 bytes. The sizes
# are refused before anything of that size is made.
_LIMITS: Final = {
    "raw": False,
    "use_list": True,
    "strict_map_key": True,
    "max_buffer_size": MAX_LOG_BYTES + 1,
    "max_array_len": 32,
    "max_bin_len": 64,
    "max_str_len": 64,
    "max_map_len": 0,
    "max_ext_len": 0,
}


def canonical(value: object) -> bytes:
    """Return the one encoding of a value made of integers, texts, byte strings and lists."""
    return bytes(msgpack.packb(value, use_bin_type=True))


class Values:
    """The values of `data`, to be read from front to back."""

    __slots__ = ("_data", "_unpacker")

    def __init__(self, data: bytes) -> None:
        """Start at the first byte; `data` is at most a log long."""
        self._data = data
        self._unpacker = msgpack.Unpacker(**_LIMITS)
        self._unpacker.feed(data)

    def at(self, start: int) -> tuple[object, int]:
        """Return the value that begins at `start`, not before the end of the last one, and where it ends.

        Raises `Malformed` at `start` where encoding the value again does not give the same bytes.
        """
        unpacker = self._unpacker
        unpacker.read_bytes(start - unpacker.tell())
        try:
            value = unpacker.unpack()
        except msgpack.OutOfData:
            raise Malformed("the log is cut inside a record", start, "get the whole file") from None
        except (ValueError, msgpack.UnpackException):
            raise Malformed("bytes that are no value of the log", start) from None
        end: int = unpacker.tell()
        try:
            again = canonical(value)
        except (TypeError, ValueError, OverflowError):
            raise Malformed("a value that a log cannot hold", start) from None
        if again != self._data[start:end]:
            raise Malformed("a value that is not in its shortest encoding", start)
        return value, end
