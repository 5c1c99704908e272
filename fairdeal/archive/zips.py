"""Members of zip files one after the other: neither their number nor what they unpack to takes memory."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from struct import unpack, unpack_from
from typing import IO, Final, NamedTuple

# APPNOTE 4.3: the end of the directory, its two companions for large files, an entry, and the head of a member
_END: Final = b"PK\x05\x06"
_END_SIZE: Final = 22
_LARGE_LOCATOR: Final = b"PK\x06\x07"
_LARGE_LOCATOR_SIZE: Final = 20
_LARGE_END: Final = b"PK\x06\x06"
_LARGE_END_SIZE: Final = 56
_ENTRY: Final = b"PK\x01\x02"
_ENTRY_SIZE: Final = 46
_HEAD: Final = b"PK\x03\x04"
_HEAD_SIZE: Final = 30
_LONGEST_COMMENT: Final = 0xFFFF
_UNSAID: Final = 0xFFFFFFFF  # the number stands in the extra field for large files
_LARGE_FIELD: Final = 1
_ENCRYPTED: Final = 1
_UTF8: Final = 1 << 11
_STORED: Final = 0
_DEFLATED: Final = 8
_AT_ONCE: Final = 64 * 1024


class Member(NamedTuple):
    """Where a member of a zip file is and how it is packed; `size` and `checksum` are those of its content."""

    offset: int
    packed: int
    size: int
    method: int
    checksum: int


class Entry(NamedTuple):
    """A line of a zip file's directory; `fault` says why the member cannot be read, empty where it can."""

    name: str
    member: Member
    fault: str


def entries(file: IO[bytes]) -> Iterator[Entry]:
    """Yield the directory of a zip file, line by line; raises `ValueError` where it is none, or from there on."""
    start, size, shift = _directory(file)
    file.seek(0)
    if shift and file.read(len(_HEAD)) == _HEAD:
        raise ValueError("another zip file stands before it")
    room, end = start, start + size
    left = room - shift
    while start < end:
        file.seek(start)
        head = file.read(_ENTRY_SIZE)
        if len(head) < _ENTRY_SIZE or head[:4] != _ENTRY:
            raise ValueError("its directory is broken")
        flags, method = unpack_from("<HH", head, 8)
        checksum, packed, whole, name_size, extra_size, comment_size = unpack_from("<LLLHHH", head, 16)
        (offset,) = unpack_from("<L", head, 42)
        name, extra = file.read(name_size), file.read(extra_size)
        whole, packed, offset = _large(extra, whole, packed, offset)
        fault = "it is encrypted" if flags & _ENCRYPTED else ""
        if not fault and method not in (_STORED, _DEFLATED):
            fault = f"it is packed by method {method}, which is not read here"
        if not fault and offset + shift + packed > room:
            fault = "it goes on behind all members"
        if not fault:
            left -= _HEAD_SIZE + packed
            fault = "" if left >= 0 else "those before it take all the room there is"
        text = name.decode("utf-8" if flags & _UTF8 else "cp437", "backslashreplace")
        yield Entry(text, Member(offset + shift, packed, whole, method, checksum), fault)
        start += _ENTRY_SIZE + name_size + extra_size + comment_size


def _directory(file: IO[bytes]) -> tuple[int, int, int]:
    """Return where the directory begins, its size, and by how much what it says of places is to be shifted."""
    length = file.seek(0, os.SEEK_END)
    tail_start = max(0, length - _LONGEST_COMMENT - _END_SIZE - _LARGE_LOCATOR_SIZE - _LARGE_END_SIZE)
    file.seek(tail_start)
    tail = file.read(length - tail_start)
    at = tail.rfind(_END)
    if at < 0 or at + _END_SIZE > len(tail):
        raise ValueError("it has no directory")
    size, start = unpack_from("<LL", tail, at + 12)
    large = at - _LARGE_LOCATOR_SIZE - _LARGE_END_SIZE
    if large >= 0 and tail[at - _LARGE_LOCATOR_SIZE :][:4] == _LARGE_LOCATOR and tail[large:][:4] == _LARGE_END:
        size, start = unpack_from("<QQ", tail, large + 40)
        at = large
    shift = tail_start + at - size - start  # something may stand before the zip file, such as a program
    if shift < 0:
        raise ValueError("its directory is cut")
    return start + shift, size, shift


def _large(extra: bytes, *numbers: int) -> list[int]:
    """Return numbers, those that an entry leaves to its extra field for large files taken from there."""
    found = list(numbers)
    while len(extra) >= 4:
        kind, size = unpack_from("<HH", extra)
        field, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind != _LARGE_FIELD:
            continue
        for place, number in enumerate(found):
            if number == _UNSAID and len(field) >= 8:
                (found[place],) = unpack("<Q", field[:8])
                field = field[8:]
    return found


class MemberReader:
    """The content of a member as a stream: never more than the directory says, and its checksum at its end."""

    def __init__(self, file: IO[bytes], member: Member) -> None:
        """Begin to read; raises `ValueError` where no member begins. `file` is this reader's alone."""
        file.seek(member.offset)
        head = file.read(_HEAD_SIZE)
        if len(head) < _HEAD_SIZE or head[:4] != _HEAD:
            raise ValueError("no member of the zip file begins where its directory says")
        file.seek(sum(unpack_from("<HH", head, 26)), os.SEEK_CUR)
        self._file = file
        self._member = member
        self._packed = member.packed
        self._left = member.size
        self._checksum = 0
        self._inflater = zlib.decompressobj(-zlib.MAX_WBITS)

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes, nothing at the end; raises `ValueError` for content that is not what it says."""
        if not self._left or size <= 0:
            return b""
        wanted = min(size, self._left)
        try:
            data = self._packed_bytes(wanted) if self._member.method == _STORED else self._inflated(wanted)
        except zlib.error:
            raise ValueError("a member of the zip file that is broken") from None
        self._left -= len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        if not data or (not self._left and self._checksum != self._member.checksum):
            raise ValueError("a member of the zip file that is cut or changed")
        return data

    def _packed_bytes(self, size: int) -> bytes:
        data = self._file.read(min(size, self._packed))
        self._packed -= len(data)
        return data

    def _inflated(self, size: int) -> bytes:
        while not self._inflater.eof:
            more = self._inflater.unconsumed_tail or self._packed_bytes(_AT_ONCE)
            data = self._inflater.decompress(more, size)
            if data or not more:
                return data
        return b""
