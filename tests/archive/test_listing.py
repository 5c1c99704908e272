"""Names in folders: all of them, in the order of their bytes, however many fit in memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fairdeal.archive import listing
from fairdeal.archive.listing import count_files, sorted_names

NAMES = [b"a", b"B", b"b", b"a\nb", b"\xff\xfe", "ä".encode(), "😀".encode(), b"x" * 255, b" ", b"-", b"%d" % 10, b"9"]


@pytest.mark.parametrize("at_once", [1, 2, 3, 11, 12, 13, 100])
def test_all_names_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(listing, "AT_ONCE", at_once)
    for name in NAMES:
        (tmp_path / os.fsdecode(name)).touch()
    assert [os.fsencode(name) for name in sorted_names(tmp_path)] == sorted(NAMES)


def test_no_names(tmp_path: Path) -> None:
    assert list(sorted_names(tmp_path)) == []


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(sorted_names(tmp_path / "none"))


def test_files_are_counted_by_their_ending(tmp_path: Path) -> None:
    for name in ("a.fdl", "b.FDL", "c.txt", "sub/d.fdl", "sub/sub/e.fdl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert count_files(str(tmp_path), ".fdl", (".zip",)) == 4
    assert count_files(str(tmp_path / "none"), ".fdl", (".zip",)) == 0
    (tmp_path / "sub" / "f.zip").touch()
    assert count_files(str(tmp_path), ".fdl", (".zip",)) is None


def test_no_count_where_a_link_may_lead_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path)
    assert count_files(str(tmp_path), ".fdl", ()) is None
