"""Tar files, packed or not: what is in them, and no more memory than a log whatever they claim."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.archive import tars

ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
Mode = Literal["w:", "w:gz", "w:bz2", "w:xz"]
MODES: dict[str, Mode] = {
    ".tar": "w:",
    ".gz": "w:gz",
    ".tgz": "w:gz",
    ".bz2": "w:bz2",
    ".tbz2": "w:bz2",
    ".xz": "w:xz",
    ".txz": "w:xz",
}
ERRORS = (tarfile.TarError, EOFError, ValueError, OSError, lzma.LZMAError, zlib.error, RecursionError, OverflowError)
MEMBERS = {"one.fdl": b"one" * 500, "sub/two.fdl": b"", "three.txt": b"3" * 511, "four.fdl": b"4" * 512}
LONG = "n" * 300 + ".fdl"


def tarred(path: Path, members: dict[str, bytes], kind: int = tarfile.PAX_FORMAT) -> Path:
    with tarfile.TarFile.open(str(path), MODES[path.suffix], format=kind) as file:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            file.addfile(entry, io.BytesIO(content))
    return path


def contents(path: Path) -> dict[str, bytes]:
    return {member.name: content.read() for member, content in tars.members(path, path.name) if content is not None}


@pytest.mark.parametrize("kind", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT])
@pytest.mark.parametrize("ending", ENDINGS)
def test_members_are_those_that_were_packed(tmp_path: Path, ending: str, kind: int) -> None:
    members = MEMBERS | ({} if kind == tarfile.USTAR_FORMAT else {LONG: b"long"})
    path = tarred(tmp_path / f"logs{ending}", members, kind)
    assert contents(path) == members
    assert tars.packed(path.name) == (ending != ".tar")


@pytest.mark.parametrize("ending", [".tar", ".tgz"])
def test_members_need_not_be_read(tmp_path: Path, ending: str) -> None:
    path = tarred(tmp_path / f"logs{ending}", MEMBERS)
    assert [member.name for member, _ in tars.members(path, path.name)] == list(MEMBERS)
    halves = [content.read(300) for _, content in tars.members(path, path.name) if content is not None]
    assert halves == [content[:300] for content in MEMBERS.values()]


def test_only_plain_files(tmp_path: Path) -> None:
    """Links, devices and pipes have no content here, and folders are none of our business."""
    path = tmp_path / "logs.tar"
    with tarfile.open(path, "w") as file:
        for number, kind in enumerate(
            (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE)
        ):
            entry = tarfile.TarInfo(f"{number}.fdl")
            entry.type, entry.linkname = kind, "/etc/passwd"
            file.addfile(entry)
    assert [(member.name, content) for member, content in tars.members(path, path.name)] == [
        (f"{number}.fdl", None) for number in (0, 1, 3, 4)
    ]


@pytest.mark.parametrize(
    ("ending", "behind"),
    [
        *((ending, "the same again") for ending in ENDINGS),
        *((ending, "anything else") for ending in ENDINGS if "bz2" not in ending),  # whose library passes over it
    ],
)
def test_what_follows_the_end_is_not_passed_over(tmp_path: Path, ending: str, behind: str) -> None:
    """Two tar files one behind the other are read by some programs: nobody shall think that both were audited."""
    path = tarred(tmp_path / f"logs{ending}", MEMBERS)
    data = path.read_bytes()
    path.write_bytes(data + (data if behind == "the same again" else b"anything else"))
    found = []
    with pytest.raises(ERRORS):
        found += [member.name for member, _ in tars.members(path, path.name)]
    members = tars.members(path, path.name)
    with suppress(*ERRORS):
        found = [next(members)[0].name for _ in range(len(MEMBERS))]
    assert found == list(MEMBERS)


def test_zeros_behind_the_end_are_nothing(tmp_path: Path) -> None:
    """Tapes are filled up with them, and so may be an xz file."""
    for ending in (".tar", ".tar.gz", ".tar.xz"):
        path = tarred(tmp_path / f"logs{ending}", MEMBERS)
        path.write_bytes(path.read_bytes() + bytes(200_000))
        assert contents(path) == MEMBERS


def test_several_xz_streams_are_one(tmp_path: Path) -> None:
    path = tarred(tmp_path / "logs.tar", MEMBERS)
    data = path.read_bytes()
    halves = [lzma.compress(half) for half in (data[:700], data[700:])]
    (tmp_path / "logs.tar.xz").write_bytes(halves[0] + bytes(8) + halves[1])
    assert contents(tmp_path / "logs.tar.xz") == MEMBERS


def test_an_xz_file_that_asks_for_much_memory(tmp_path: Path) -> None:
    """Its head says how much: it is refused before it is taken."""
    path = tarred(tmp_path / "logs.tar", MEMBERS)
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 128 * 1024**2}]
    (tmp_path / "logs.tar.xz").write_bytes(lzma.compress(path.read_bytes(), filters=filters))
    with pytest.raises(lzma.LZMAError, match="Memory usage limit"):
        contents(tmp_path / "logs.tar.xz")
    (tmp_path / "most.tar.xz").write_bytes(lzma.compress(path.read_bytes(), preset=9))
    assert contents(tmp_path / "most.tar.xz") == MEMBERS


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut in a member": lambda data: data[: len(data) // 2],
    "cut early": lambda data: data[: len(data) // 5],
    "cut near its end": lambda data: data[: len(data) * 9 // 10],
    "no tar file": lambda data: b"no tar file" * len(data),
    "a header of zeros and ones": lambda data: b"\1" * 512 + data,
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_damaged_file_ends_in_an_error_that_is_expected(tmp_path: Path, ending: str, damage: str) -> None:
    path = tarred(tmp_path / f"logs{ending}", {"one.fdl": bytes(range(256)) * 30, "two.fdl": b"two"})
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    with pytest.raises(ERRORS):
        contents(path)


@pytest.mark.parametrize("at", [8_192, 8_192 + 100])
@pytest.mark.parametrize("damage", [b"", b"\xff" * 2_048])
def test_a_broken_header_is_not_taken_for_the_end(tmp_path: Path, at: int, damage: bytes) -> None:
    """Where the second member's header is cut or written over, those behind it are missed."""
    path = tarred(tmp_path / "logs.tar", {"one.fdl": bytes(7_680), "two.fdl": b"two", "three.fdl": b"three"})
    data = path.read_bytes()
    assert data[8_192:].startswith(b"two.fdl")
    path.write_bytes(data[:at] + damage + (data[at + len(damage) :] if damage else b""))
    with pytest.raises(ERRORS):
        contents(path)


def test_a_bomb_is_not_unpacked_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What unpacks to far more than any log is given up, whether it is read or passed over."""
    monkeypatch.setattr(tars, "UNPACKED", 1_000_000)
    path = tarred(tmp_path / "bomb.tgz", {"a.txt": bytes(5_000_000), "b.fdl": b"b"})
    with pytest.raises(ValueError, match="it unpacks to more than 1000000 bytes"):
        contents(path)
    with pytest.raises(ValueError, match="it unpacks to more than 1000000 bytes"):
        list(tars.members(path, path.name))
    lean = tarred(tmp_path / "lean.tgz", {"a.txt": bytes(900_000), "b.fdl": b"b"})
    assert contents(lean)["b.fdl"] == b"b"


def test_a_header_may_not_take_what_memory_there_is(tmp_path: Path) -> None:
    """A long name of a hundred megabytes, in a file of a hundred kilobytes, is refused before it is read."""
    entry = tarfile.TarInfo("././@LongLink")
    entry.type, entry.size = tarfile.GNUTYPE_LONGNAME, 100_000_000
    path = tmp_path / "bomb.tgz"
    with gzip.open(path, "wb") as file:
        file.write(entry.tobuf(tarfile.GNU_FORMAT) + bytes(2_000_000))
    with pytest.raises(ValueError, match="a header larger than any"):
        contents(path)


def test_header_after_header_comes_to_an_end(tmp_path: Path) -> None:
    """Long names of long names without end."""
    entry = tarfile.TarInfo("././@LongLink")
    entry.type, entry.size = tarfile.GNUTYPE_LONGNAME, 4
    path = tmp_path / "deep.tar"
    path.write_bytes((entry.tobuf(tarfile.GNU_FORMAT) + b"name" + bytes(508)) * 20_000)
    with pytest.raises(ERRORS):
        contents(path)


@pytest.mark.parametrize("size", [-512, -1_024, -1, 2**63, 2**70])
@pytest.mark.parametrize("ending", [".tar", ".tgz"])
def test_sizes_that_lead_in_circles_or_nowhere(tmp_path: Path, ending: str, size: int) -> None:
    """A member of less than nothing would be met again and again."""
    path = tarred(tmp_path / f"logs{ending}", {"one.fdl": b"one", "two.fdl": b"two"})
    whole = gzip.decompress(path.read_bytes()) if ending == ".tgz" else path.read_bytes()
    entry = tarfile.TarInfo("two.fdl")
    entry.size = size
    data = whole[:1_024] + entry.tobuf(tarfile.GNU_FORMAT) + whole[1_536:]
    path.write_bytes(gzip.compress(data) if ending == ".tgz" else data)
    with pytest.raises(ERRORS):
        contents(path)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_any_damage_comes_to_an_end(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever bytes of headers are changed, all is read or an error says that it cannot be."""
    path = tarred(tmp_path_factory.mktemp("damaged") / "logs.tar", {"one.fdl": b"one", LONG: b"two", "three.fdl": b""})
    whole = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, 4_000))] = data.draw(st.integers(0, 255))
    path.write_bytes(whole)
    with suppress(*ERRORS):
        contents(path)
