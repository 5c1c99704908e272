"""The command that writes the player's page: whole or not at all, the same page wherever it goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairdeal.html.page import page_html
from tests.conftest import process, refused, run


def test_the_page_is_written_to_a_file_and_nothing_is_said(tmp_path: Path) -> None:
    """The file holds the page as UTF-8, and replaces one that was there."""
    path = tmp_path / "verify.html"
    path.write_text("old")
    assert run("page", "-o", path) == (0, b"", "")
    assert path.read_bytes() == page_html().encode("utf-8")
    assert [one.name for one in tmp_path.iterdir()] == ["verify.html"]


def test_a_dash_is_standard_output() -> None:
    """What goes to standard output is the same page, also in a process of its own."""
    assert run("page", "--output", "-").out == page_html().encode("utf-8")
    assert process("page", "-o", "-").stdout == page_html().encode("utf-8")


@pytest.mark.parametrize("name", ["nowhere/verify.html", "."])
def test_a_page_that_cannot_be_written_is_an_error(tmp_path: Path, name: str) -> None:
    """A folder that is not there, or a name that is a folder: exit code 2, and nothing appears."""
    refused(run("page", "-o", tmp_path / name), 2, str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_where_to_write_it_has_to_be_said() -> None:
    """Without a name there is no page, and no guess."""
    ran = run("page")
    assert ran.code == 2
    assert ran.out == b""
    assert "--output" in ran.err
