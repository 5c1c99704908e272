"""The command `compare`: where two logs part, and what a file of evidence proves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fairdeal.archive.equivocation import contradiction
from tests.archive.making import OPERATORS, Wanted, written
from tests.conftest import played, refused, run

KEY = OPERATORS[0]
LOG = written(Wanted(1, key=KEY))
OTHER = written(Wanted(1, key=KEY, leads=1))


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Return a log, an equal one, a beginning, another story, another match, and the evidence of two stories."""
    contents = {
        "log": LOG,
        "equal": LOG,
        "begun": LOG[:300],
        "other": OTHER,
        "match": bytes(played().data),
        "evidence": (contradiction(LOG, OTHER) or "").encode("ascii"),
        "text": b"no log",
        "binary": b"\xff\xfe",
    }
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    return {name: tmp_path / name for name in contents}


def test_equal_logs(files: dict[str, Path]) -> None:
    ran = run("compare", files["log"], files["equal"])
    assert (ran.code, ran.text) == (0, f"equal: {len(LOG)} bytes\n")


def test_one_log_is_the_beginning_of_the_other(files: dict[str, Path]) -> None:
    for first, second in (("begun", "log"), ("log", "begun")):
        ran = run("compare", files[first], files[second])
        assert ran.code == 0
        head, tail = ran.text.splitlines()
        assert head == f"prefix: {files['begun']} is the beginning of {files['log']}"
        assert tail.startswith("  it ends at byte 300; then comes ")


def test_two_stories(files: dict[str, Path]) -> None:
    ran = run("compare", files["log"], files["other"])
    assert ran.code == 10
    head, *rest = ran.text.splitlines()
    assert head.startswith("they part at round[1].trick[1].play[1], byte ")
    assert rest[0] == f"  {files['log']}"
    assert rest[1].startswith("    seat 1 plays ")
    assert rest[2] == f"  {files['other']}"
    assert rest[3].startswith("    seat 1 plays ")
    assert rest[1] != rest[3]


def test_two_matches_are_not_compared(files: dict[str, Path]) -> None:
    refused(run("compare", files["log"], files["match"]), 2, "these are logs of two different matches")


def test_standard_input(files: dict[str, Path]) -> None:
    assert run("compare", "-", files["log"], stdin=LOG).code == 0
    ran = run("compare", files["log"], "-", stdin=OTHER)
    assert ran.code == 10
    assert "  -\n" in ran.text
    refused(run("compare", "-", "-", stdin=LOG), 2, "standard input can be read once only")


@pytest.mark.parametrize("name", ["text", "binary", "evidence"])
def test_what_is_no_log(files: dict[str, Path], name: str) -> None:
    for names in ((name, "log"), ("log", name)):
        refused(run("compare", *(files[one] for one in names)), 3, str(files[name]))


def test_another_protocol_is_not_supported(files: dict[str, Path]) -> None:
    files["text"].write_bytes(LOG.replace(b"fairdeal/v1", b"fairdeal/v9"))
    refused(run("compare", files["log"], files["text"]), 3, "fairdeal/v9", str(files["text"]))


def test_files_that_are_not_there(files: dict[str, Path]) -> None:
    refused(run("compare", files["log"], files["log"].with_name("none")), 2, "no such file")
    refused(run("compare", files["log"].with_name("none")), 2, "no such file")


def test_evidence_is_checked_by_itself(files: dict[str, Path]) -> None:
    ran = run("compare", files["evidence"])
    assert ran.code == 0
    assert ran.text.startswith("proven: the operator ")
    assert "signed two histories of match" in ran.text
    assert run("compare", "-", stdin=files["evidence"].read_bytes()).text == ran.text


@pytest.mark.parametrize("name", ["text", "binary", "log"])
def test_what_is_no_evidence(files: dict[str, Path], name: str) -> None:
    refused(run("compare", files[name]), 3, "no", str(files[name]))


def test_evidence_that_proves_nothing(files: dict[str, Path]) -> None:
    text = files["evidence"].read_text("ascii")
    at = text.index('"signature": "') + len('"signature": "')
    files["evidence"].write_text(text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :], "ascii")
    refused(run("compare", files["evidence"]), 3, "the signature is not the operator's at ", "signed[1]")


def test_names_cannot_steer_a_terminal(files: dict[str, Path]) -> None:
    for name in (b"a\nb", b"\x1b[31m", b"\xff"):
        path = files["log"].with_name(os.fsdecode(name))
        path.write_bytes(OTHER)
        ran = run("compare", files["log"], path)
        assert ran.code == 10
        assert len(ran.text.splitlines()) == 5
        assert "\x1b" not in ran.text
