"""`audit -f html`: a page for a log, a folder of pages for several, and refusals before anything is written."""

from __future__ import annotations

import os
import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.cli.reports import INDEX, page_names
from tests.conftest import evidence_folder, played, process, refused, run, unread, voided
from tests.strategies import some
from tests.test_html_assemble import Elements
from tests.test_html_report import words_of


@pytest.fixture
def logs(tmp_path: Path) -> dict[int, Path]:
    """Return logs by the exit code of their audit, with the evidence beside them; 2 does not exist."""
    files = {0: bytes(played(3).data), 11: voided(played(4), 40), 3: b"\xc1", 2: None}
    (tmp_path / "held").mkdir()
    evidence_folder(tmp_path / "held" / "log0", played(3))
    for code, data in files.items():
        if data is not None:
            (tmp_path / f"log{code}.fdl").write_bytes(data)
    return {code: tmp_path / f"log{code}.fdl" for code in files}


def test_one_log_goes_to_standard_output_or_to_a_file(logs: dict[int, Path], tmp_path: Path) -> None:
    """The same document but for the command it names, and the same exit code and hints as in text."""
    held = tmp_path / "held"
    shown = run("audit", logs[0], "--evidence", held, "-f", "html")
    written = run("audit", logs[0], "--evidence", held, "-f", "html", "-o", tmp_path / "report.html")
    assert (shown.code, written.code, written.out) == (0, 0, b"")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert shown.text.startswith("<!doctype html>")
    command = re.compile(r"<code>fairdeal audit .*?</code>")
    assert command.sub("", shown.text) == command.sub("", page)
    assert f"fairdeal audit {logs[0]} --evidence {held} --format html --output {tmp_path / 'report.html'}" in page


@pytest.mark.parametrize("code", [0, 11, 3])
def test_the_exit_codes_are_those_of_text(code: int, logs: dict[int, Path], tmp_path: Path) -> None:
    """Errors and hints on standard error too."""
    options = (logs[code], "--evidence", tmp_path / "held") if code == 0 else (logs[code],)
    text, page = run("audit", *options), run("audit", *options, "-f", "html")
    assert (page.code, page.err) == (text.code, text.err)
    assert page.code == code
    assert text.text.split("  ")[0] in Elements(page.text).texts("title")[0]


def test_a_log_that_cannot_be_read_has_a_page_and_an_error(logs: dict[int, Path]) -> None:
    """As in text, where the report says so too."""
    text, page = run("audit", logs[2]), run("audit", logs[2], "-f", "html")
    unread(text, 2)
    assert (page.code, page.err) == (text.code, text.err)
    assert "could not be read" in words_of(page.text)


def test_standard_input_is_a_log_like_any_other() -> None:
    """Its page names it as it was given."""
    ran = run("audit", "-", "-f", "html", stdin=bytes(played().data))
    assert ran.code == 11
    assert "incomplete -" in words_of(ran.text)


def test_several_logs_fill_a_folder_with_pages_and_an_index(logs: dict[int, Path], tmp_path: Path) -> None:
    """The worst verdict counts; the index links to every page."""
    folder = tmp_path / "new" / "pages"
    ran = run("audit", *logs.values(), "--evidence", tmp_path / "held", "-f", "html", "-o", folder)
    assert (ran.code, ran.out) == (2, b"")
    index = (folder / INDEX).read_text("utf-8")
    links = [unquote(attrs["href"] or "") for tag, attrs, _ in Elements(index).found if tag == "a"]
    assert links == [path.with_suffix(".html").name for path in logs.values()]
    assert sorted([*links, INDEX]) == sorted(path.name for path in folder.iterdir())
    assert "4 logs: 1 verified, 1 incomplete, 2 no verdict; 1 void" in words_of(index)
    for code, path in logs.items():
        page = (folder / f"{path.stem}.html").read_text("utf-8")
        assert path.name in Elements(page).texts("title")[0], code
    again = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert run("audit", *logs.values(), "--evidence", tmp_path / "held", "-f", "html", "-o", folder).code == 2
    assert again == {path.name: path.read_bytes() for path in folder.iterdir()}


def test_logs_of_one_name_have_pages_of_their_own(tmp_path: Path) -> None:
    """Numbered in the order given; none is named like the index."""
    paths = []
    for place in ("one/match.fdl", "two/match.fdl", "three/MATCH.fdl", "index.fdl", "match-2.fdl"):
        path = tmp_path / place
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(played().data))
        paths.append(path)
    folder = tmp_path / "pages"
    folder.mkdir()
    assert run("audit", *paths, "-f", "html", "-o", folder).code == 11
    names = ["match.html", "match-2.html", "MATCH-3.html", "index-2.html", "match-2-2.html", INDEX]
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    for path, name in zip(paths, names, strict=False):
        assert str(path) in (folder / name).read_text("utf-8")


@some
@given(st.lists(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=40)))
def test_no_two_pages_share_a_name(names: list[str]) -> None:
    """Nor with the index, on file systems that do not tell capitals from small letters either; all fit a folder."""
    made = page_names([f"{name}.fdl" for name in names])
    folded = [name.casefold() for name in made]
    assert len({*folded, INDEX}) == len(made) + 1
    assert all(len(os.fsencode(name)) <= 255 and "/" not in name for name in made)


def test_a_log_with_the_longest_name_has_a_page(tmp_path: Path) -> None:
    """Its name is cut where the page's would be too long for a file system."""
    paths = [tmp_path / ("ż" * 125 + f"{number}.fdl") for number in (1, 2)]
    for path in paths:
        path.write_bytes(bytes(played().data))
    assert run("audit", *paths, "-f", "html", "-o", tmp_path / "pages").code == 11
    assert len(list((tmp_path / "pages").iterdir())) == 3


def test_names_that_are_no_unicode_have_pages_and_links(tmp_path: Path) -> None:
    """A file may be named by any bytes; the page shows them escaped, the link leads to the file."""
    paths = [tmp_path / os.fsdecode(name) for name in (b"\xff.fdl", b"<b>&.fdl", b"a%20b#c?.fdl")]
    for path in paths:
        path.write_bytes(bytes(played().data))
    folder = tmp_path / "pages"
    assert process("audit", *paths, "-f", "html", "-o", folder).returncode == 11
    index = (folder / INDEX).read_text("utf-8")
    links = [attrs["href"] or "" for tag, attrs, _ in Elements(index).found if tag == "a"]
    assert links == ["%FF.html", "%3Cb%3E%26.html", "a%2520b%23c%3F.html"]
    assert all((folder / os.fsdecode(os.fsencode(unquote(link, errors="surrogateescape")))).exists() for link in links)
    assert "<b>" not in index


def test_several_logs_without_a_folder_are_refused(logs: dict[int, Path], tmp_path: Path) -> None:
    """Neither standard output nor a file can hold a page for each; no log is read before."""
    several = (logs[0], logs[11], "-f", "html")
    refused(run("audit", *several), 2, "several logs in HTML need a folder", "-o DIR")
    refused(run("audit", *several, "-o", "-"), 2, "several logs in HTML need a folder")
    refused(run("audit", *several, "-o", logs[3]), 2, "several logs in HTML need a folder")
    assert logs[3].read_bytes() == b"\xc1"
    assert not (tmp_path / "pages").exists()


def test_a_page_never_replaces_a_log(tmp_path: Path) -> None:
    """A log that is named like a page of the folder is refused before anything is written."""
    for name in ("match.html", INDEX, "other.fdl"):
        (tmp_path / name).write_bytes(bytes(played().data))
    for name in ("match.html", INDEX):
        ran = run("audit", tmp_path / name, tmp_path / "other.fdl", "-f", "html", "-o", tmp_path)
        refused(ran, 2, "the output is one of the inputs", name)
    refused(run("audit", tmp_path / "match.html", "-f", "html", "-o", tmp_path / "match.html"), 2, "one of the inputs")
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {bytes(played().data)}


def test_a_folder_that_cannot_be_made_is_an_error(logs: dict[int, Path]) -> None:
    """Named, with exit code 2."""
    ran = run("audit", logs[0], logs[11], "-f", "html", "-o", logs[0] / "pages")
    assert ran.code == 2
    assert "error: " in ran.err
    assert str(logs[0]) in ran.err


def test_a_command_with_many_logs_names_their_number(tmp_path: Path) -> None:
    """Nine paths in each of nine pages would be of no use to anybody."""
    paths = [tmp_path / f"log{number}.fdl" for number in range(9)]
    for path in paths:
        path.write_bytes(b"\xc1")
    run("audit", *paths, "-f", "html", "-o", tmp_path / "pages", "--require", "rules")
    page = unescape((tmp_path / "pages" / "log1.html").read_text("utf-8"))
    assert f"fairdeal audit '(9 logs)' --require rules --format html --output {tmp_path / 'pages'}" in page


def test_options_are_named_with_their_values(log: Path) -> None:
    """As they would be typed, quoted where a shell needs it."""
    ran = run("audit", log, "-f", "html", "--commitment", "aa" * 32, "--seat-key", f"1={'bb' * 32}")
    assert f"audit {log} --commitment {'aa' * 32} --seat-key 1={'bb' * 32} --format html" in ran.text
    assert "1 commitment, 1 public key" in ran.text
