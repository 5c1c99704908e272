"""Zip files: read as Python's own library reads them, and without its trust in what they say."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from struct import pack_into

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.archive.zips import Entry, MemberReader, entries

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)
CONTENTS = st.one_of(st.binary(max_size=200), st.integers(0, 300_000).map(bytes))
DIRECTORY, HEAD = b"PK\x01\x02", b"PK\x03\x04"


def zipped(members: list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, content in members:
            file.writestr(zipfile.ZipInfo(name), content, method)
    return buffer.getvalue()


def listed(data: bytes) -> list[Entry]:
    return list(entries(io.BytesIO(data)))


def content(data: bytes, entry: Entry, at_once: int = 65_536) -> bytes:
    reader = MemberReader(io.BytesIO(data), entry.member)
    return b"".join(iter(lambda: reader.read(at_once), b""))


def changed(data: bytes, mark: bytes, offset: int, form: str, number: int) -> bytes:
    """Return a zip file with a number in the first structure that `mark` begins written over."""
    written = bytearray(data)
    pack_into(form, written, data.index(mark) + offset, number)
    return bytes(written)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(NAMES, CONTENTS), max_size=5),
    st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]),
    st.binary(max_size=50),
    st.integers(1, 100_000),
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_members_are_those_that_were_packed(
    members: list[tuple[str, bytes]], method: int, before: bytes, at_once: int
) -> None:
    """In the order of the directory, also twice under one name, and with something before the zip file."""
    data = before + zipped(members, method)
    found = listed(data)
    assert [entry.fault for entry in found] == [""] * len(members)
    assert [content(data, entry, at_once) for entry in found] == [packed for _, packed in members]
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert [entry.name.partition("\0")[0] for entry in found] == [one.filename for one in file.infolist()]
        assert [entry.member.size for entry in found] == [one.file_size for one in file.infolist()]


def test_a_stream_that_was_zipped_as_it_came() -> None:
    """Sizes stand behind the content then, and in the directory."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise io.UnsupportedOperation

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("one.fdl", b"one" * 100)
        file.writestr("two.fdl", b"two" * 100)
    data = pipe.getvalue()
    assert [content(data, entry) for entry in listed(data)] == [b"one" * 100, b"two" * 100]


def test_numbers_for_large_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """More members, and members further behind and larger, than the old numbers hold."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 100)
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 2)
    members = [(f"{number}.fdl", b"%d" % number * 300) for number in range(4)]
    data = zipped(members)
    assert b"PK\x06\x06" in data
    assert [content(data, entry) for entry in listed(data)] == [packed for _, packed in members]


def test_a_comment_behind_all() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("one.fdl", b"one")
        file.comment = b"c" * 65_535
    assert [content(buffer.getvalue(), entry) for entry in listed(buffer.getvalue())] == [b"one"]


def test_what_cannot_be_read_says_so() -> None:
    """An encrypted member, or one packed by another method, has a fault; the others are read."""
    data = zipped([("one.fdl", b"one" * 50), ("two.fdl", b"two" * 50)])
    encrypted = listed(changed(data, DIRECTORY, 8, "<H", 1))
    assert encrypted[0].fault == "it is encrypted"
    other = listed(changed(data, DIRECTORY, 10, "<H", 12))
    assert other[0].fault == "it is packed by method 12, which is not read here"
    for found in (encrypted, other):
        assert found[1].fault == ""
        assert content(data, found[1]) == b"two" * 50


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "no head where the directory says": lambda data: changed(data, DIRECTORY, 42, "<L", 1),
    "beyond the end": lambda data: changed(data, DIRECTORY, 42, "<L", 2**31),
    "another checksum": lambda data: changed(data, DIRECTORY, 16, "<L", 1),
    "more than there is": lambda data: changed(data, DIRECTORY, 24, "<L", 1_000),
    "less than there is": lambda data: changed(data, DIRECTORY, 24, "<L", 10),
    "packed bytes cut": lambda data: changed(data, DIRECTORY, 20, "<L", 3),
    "other packed bytes": lambda data: changed(data, HEAD, 30 + len("one.fdl"), "<L", 0xFFFFFFFF),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_member_is_not_taken_for_a_sound_one(damage: str) -> None:
    data = DAMAGES[damage](zipped([("one.fdl", b"one" * 50), ("two.fdl", b"two" * 50)]))
    first, second = listed(data)
    with pytest.raises(ValueError, match="zip file"):
        content(data, first)
    assert content(data, second) == b"two" * 50


@pytest.mark.parametrize("data", [b"", b"no zip file", b"PK\x05\x06", b"PK\x05\x06" + b"\xff" * 18, bytes(100_000)])
def test_no_zip_file(data: bytes) -> None:
    with pytest.raises(ValueError, match="directory"):
        listed(data)


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_any_damage_ends_in_an_error_that_is_expected(data: st.DataObject) -> None:
    """Whatever bytes are changed, reading ends, with `ValueError` if not with content of the size claimed."""
    packed = bytearray(zipped([("one.fdl", bytes(2_000)), ("two.fdl", b"two")]))
    for _ in range(data.draw(st.integers(1, 4))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    whole = bytes(packed[: data.draw(st.integers(len(packed) // 2, len(packed)))])
    found: list[Entry] = []
    try:
        found += entries(io.BytesIO(whole))
        for entry in found:
            if not entry.fault:
                assert len(content(whole, entry)) == entry.member.size
    except ValueError:
        pass


def test_a_directory_that_is_written_over() -> None:
    """What is listed before is listed, then there is an error."""
    data = bytearray(zipped([("one.fdl", b"one"), ("two.fdl", b"two")]))
    data[data.rindex(DIRECTORY)] = 0
    found = entries(io.BytesIO(bytes(data)))
    assert next(found).name == "one.fdl"
    with pytest.raises(ValueError, match="its directory is broken"):
        next(found)


def test_a_bomb_unpacks_as_far_as_it_is_read() -> None:
    """Ten gigabytes of zeros in ten kilobytes or so: what is asked for comes out, and no more is held."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    bomb = packer.compress(bytes(50_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    data = changed(zipped([("bomb.fdl", bytes(9_000))]), DIRECTORY, 24, "<L", 2**32 - 2)
    start = 30 + len("bomb.fdl")
    end = data.index(DIRECTORY)
    member = listed(data)[0].member
    whole = data[:start] + bomb
    reader = MemberReader(io.BytesIO(whole), member._replace(packed=len(bomb)))
    assert end > start
    for _ in range(20):
        assert reader.read(1_000_000) == bytes(1_000_000)


def test_members_in_the_place_of_others_are_not_read() -> None:
    """A small file could be any number of large ones; those that fit in the file are read."""
    once = zipped([("one.fdl", bytes(1000))], zipfile.ZIP_STORED)
    at = once.index(DIRECTORY)
    end = once.index(b"PK\5\6")
    entry = once[at:end]
    data = bytearray(once[:at] + entry * 50 + once[end:])
    pack_into("<HHL", data, len(data) - 14, 50, 50, 50 * len(entry))
    faults = [one.fault for one in listed(bytes(data))]
    assert faults == [""] + ["those before it take all the room there is"] * 49


def test_a_member_that_goes_on_behind_all_of_them() -> None:
    data = changed(zipped([("one.fdl", b"one"), ("two.fdl", b"two")]), DIRECTORY, 20, "<L", 100_000)
    assert [one.fault for one in listed(data)] == ["it goes on behind all members", ""]
