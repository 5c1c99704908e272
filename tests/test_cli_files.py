"""The edge: standard streams, no half-written files, errors in one form, exit codes that stay."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.cli import files, main
from fairdeal.cli.errors import complain, unreadable
from fairdeal.cli.exits import OF_VERDICT, Exit, worst_exit
from fairdeal.cli.files import hint, read_bytes, read_json, refuse_existing, say, write_new, write_output
from fairdeal.cli.options import Loudness
from fairdeal.errors import FairdealError, Malformed, Misuse, RulesetError
from fairdeal.limits import MAX_LOG_BYTES
from fairdeal.report import Verdict
from tests.conftest import played, process, refused, run, shell, unread

WORST_FIRST = [10, 1, 2, 3, 11, 0]
DUE = [Exit.REFUTED, Exit.FAILED, Exit.USAGE, Exit.NO_VERDICT, Exit.INCOMPLETE, Exit.OK]


@given(st.lists(st.sampled_from(DUE), min_size=1))
def test_of_several_exit_codes_the_worst_counts(codes: list[Exit]) -> None:
    """The order is 10, 1, 2, 3, 11, 0, wherever each stands and however often."""
    assert worst_exit(codes) == min(codes, key=WORST_FIRST.index)


def test_every_verdict_has_its_exit_code() -> None:
    """Codes are documented numbers; interrupted is 130 as in every shell."""
    assert {verdict: OF_VERDICT[verdict] for verdict in Verdict} == {
        Verdict.VERIFIED: 0,
        Verdict.REFUTED: 10,
        Verdict.INCOMPLETE: 11,
        Verdict.NO_VERDICT: 3,
    }
    assert int(Exit.INTERRUPTED) == 130


def test_reading_stops_one_byte_beyond_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file or stream without end is never read whole; one byte more shows that there is more."""
    path = tmp_path / "long"
    path.write_bytes(bytes(100))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(bytes(100))))
    for name in (str(path), "-"):
        assert read_bytes(name, 50) == bytes(51)
    assert read_bytes(str(path), 100) == bytes(100)


def test_a_log_that_is_too_long_is_malformed(tmp_path: Path) -> None:
    """The limit on logs is met at its byte, before anything is decoded."""
    path = tmp_path / "long.fdl"
    with path.open("wb") as file:
        file.truncate(MAX_LOG_BYTES + 10)
    done = run("audit", path, "-f", "json")
    assert done.code == 3
    assert done.json["reports"][0]["findings"][0]["place"] == f"byte {MAX_LOG_BYTES}"


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"", 0),
        (b"{", 1),
        (b'{"a": 1', 7),
        (b"\xff", 0),
        (b'{"a": "\xc3"}', 7),
        (b"[" * 100_000, 0),
        (b"1" * 5_000, 0),
        (b"{'a': 1}", 1),
        (b"[1]x", 3),
    ],
)
def test_what_is_no_json_is_malformed(tmp_path: Path, data: bytes, offset: int) -> None:
    """Broken, endless or deeply nested JSON is malformed input and no crash."""
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(Malformed) as caught:
        read_json(str(path))
    assert caught.value.offset == offset
    refused(run("pack", path), 3, f"at {path}, byte {offset}")
    refused(run("pack", "-", stdin=data), 3, f"at -, byte {offset}")


def test_json_that_is_too_long_is_malformed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a limit on JSON too."""
    monkeypatch.setattr(files, "MAX_TEXT_FILE", 10)
    path = tmp_path / "x.json"
    path.write_bytes(b"[1, 2, 3]  ")
    with pytest.raises(Malformed, match=r"more than 10 bytes of JSON at .*x.json, byte 10"):
        read_json(str(path))
    path.write_bytes(b"[1, 2, 3] ")
    assert read_json(str(path)) == [1, 2, 3]


def test_a_new_file_has_its_bytes_and_mode_and_replaces_an_old_one(tmp_path: Path) -> None:
    """The whole file is there at once, and nothing else is left in the folder."""
    path = tmp_path / "out"
    path.write_bytes(b"old")
    write_new(path, b"new", 0o640)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_file_has_the_mode_that_the_umask_gives_and_keeps_its_own(tmp_path: Path, umask: int, mode: int) -> None:
    """As if it had been written in place: a report kept from others stays so when it is written again."""
    path = tmp_path / "out"
    before = os.umask(umask)
    try:
        write_new(path, b"first")
        assert stat.S_IMODE(path.stat().st_mode) == mode
        path.chmod(0o640)
        write_new(path, b"second")
    finally:
        os.umask(before)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"second", 0o640)


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    """Whatever goes wrong while a file is written, the old one stays whole and no temporary one stays behind."""

    def fail(*_: object, **__: object) -> None:
        raise error

    path = tmp_path / "out"
    path.write_bytes(b"old")
    monkeypatch.setattr(os if step == "fsync" else Path, step, fail)
    with pytest.raises(type(error)):
        write_new(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def outputs(folder: Path) -> dict[str, tuple[object, ...]]:
    """Return a command for each that writes a file, without the file's name."""
    log = folder / "match.fdl"
    log.write_bytes(bytes(played().data))
    document = folder / "match.json"
    document.write_bytes(run("unpack", log).out)
    return {
        "audit": ("audit", log, "-o"),
        "pack": ("pack", document, "-o"),
        "unpack": ("unpack", log, "-o"),
        "simulate": ("simulate", "--rng", "00" * 32, "-o"),
    }


@pytest.mark.parametrize("name", ["audit", "pack", "unpack", "simulate"])
def test_output_goes_to_the_file_and_says_the_same(tmp_path: Path, name: str) -> None:
    """`-o FILE` writes what standard output would hold, and prints nothing there."""
    command = outputs(tmp_path)[name]
    path = tmp_path / "out"
    printed = run(*command, "-")
    written = run(*command, path)
    assert written.code == printed.code
    assert written.out == b""
    assert path.read_bytes() == printed.out
    assert printed.out


@pytest.mark.parametrize("name", ["audit", "pack", "unpack", "simulate"])
def test_an_output_that_cannot_be_written_is_an_error(tmp_path: Path, name: str) -> None:
    """No such folder, a file for a folder, a folder for a file: exit code 2, and nothing new anywhere."""
    command = outputs(tmp_path)[name]
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    for target in (tmp_path / "none" / "out", tmp_path / "match.fdl" / "out", tmp_path / "folder"):
        ran = run(*command, target)
        assert ran.code == 2
        assert ran.out == b""
        assert ran.err.startswith("error: ")
        assert "\n\nhint: " in ran.err
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("code", [10, 11, 3])
def test_a_verdict_survives_an_output_that_cannot_be_written(tmp_path: Path, code: int) -> None:
    """A refuted log stays refuted; any other verdict is less than a failed write."""
    path = tmp_path / "match.fdl"
    path.write_bytes(CASES[code](bytes(played().data)))
    refused(run("-q", "audit", path, "-o", tmp_path / "none" / "out"), 10 if code == 10 else 2, "no such file")


def test_an_output_that_cannot_be_written_is_named_as_it_was_given(log: Path, tmp_path: Path) -> None:
    """The error names the file that was asked for and not the temporary one."""
    target = tmp_path / "none" / "out"
    assert run("audit", log, "-o", target).err.startswith(f"error: no such file or directory at {target}\n")


def test_a_folder_that_may_not_be_written_to_is_an_error(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the permission there is exit code 2, the old file stays, and nothing else is there."""
    folder = tmp_path / "closed"
    folder.mkdir()
    (folder / "out").write_text("kept")

    def deny(**_: object) -> None:  # as the system does, but to the superuser too
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("tempfile.mkstemp", deny)
    refused(run("audit", log, "-o", folder / "out"), 2, "permission denied", str(folder / "out"))
    assert [path.read_text() for path in folder.iterdir()] == ["kept"]


def test_an_output_that_is_no_plain_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """A pipe or device, such as `/dev/null`, keeps being one."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_output(str(path), b"report")
        assert stat.S_ISFIFO(path.stat().st_mode)
        assert os.read(reader, 100) == b"report"
    finally:
        os.close(reader)


def test_existing_files_are_refused(tmp_path: Path) -> None:
    """What must not be replaced is asked for before anything is written, a link to nowhere included."""
    path = tmp_path / "file"
    refuse_existing(path)
    path.touch()
    with pytest.raises(Misuse, match="exists already") as caught:
        refuse_existing(tmp_path / "none", path)
    assert caught.value.where == str(path)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        *product(["audit", "show", "unpack", "pack"], ["missing", "below a file"]),
        *product(["show", "unpack", "pack"], ["folder"]),  # which is an archive to an audit
    ],
)
def test_an_unreadable_file_is_exit_code_2(tmp_path: Path, command: str, kind: str) -> None:
    """What cannot be read gets an error naming it, on standard error alone."""
    file = tmp_path / "file"
    file.touch()
    path = {"missing": tmp_path / "none.fdl", "folder": tmp_path, "below a file": file / "none"}[kind]
    ran = run(command, path)
    err = unread(ran, 2, str(path)) if command == "audit" else refused(ran, 2, str(path))
    hint = "name a file in it" if kind == "folder" else "check the name and the permissions"
    assert f"\n\nhint: {hint}\n" in err


def test_what_the_system_says_becomes_an_error_of_this_project() -> None:
    """An error without a file or a text of its own gets both."""
    known = unreadable(FileNotFoundError(2, "No such file or directory", "a/b"))
    assert (known.what, known.where) == ("no such file or directory", "a/b")
    bare = unreadable(OSError(), "given")
    assert (bare.what, bare.where) == ("the file cannot be used", "given")
    assert unreadable(OSError(5, "Input/output error")).where == ""


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (FairdealError("a thing is wrong"), "error: a thing is wrong\n"),
        (Misuse("a thing is wrong", "here"), "error: a thing is wrong at here\n"),
        (Misuse("a thing", "here", "mend it"), "error: a thing at here\n\nhint: mend it\n"),
        (Malformed("a thing", 7), "error: a thing at byte 7\n"),
        (
            RulesetError("mine", [("one", "do this"), ("two", "do that")]),
            "error: one at ruleset `mine`\n\nhint: do this\n\nerror: two at ruleset `mine`\n\nhint: do that\n",
        ),
    ],
)
def test_an_error_is_what_at_where_and_a_hint(
    capsys: pytest.CaptureFixture[str], error: FairdealError, text: str
) -> None:
    """The documented form; a ruleset's error shows each of its conflicts in it."""
    complain(error)
    assert capsys.readouterr() == ("", text)


def test_an_error_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Names out of a log or a file are shown in errors with every control and direction character escaped."""
    complain(Misuse("name \u202eevil\x1b[31m", "file\x07", "try \u2066this"))
    err = capsys.readouterr().err
    assert not [char for char in err if char != "\n" and not char.isprintable()]


def test_hints_can_be_silenced(capsys: pytest.CaptureFixture[str]) -> None:
    """Advice goes to standard error and not at all when quiet."""
    Loudness().advise("do this")
    Loudness(quiet=True).advise("do that")
    assert capsys.readouterr() == ("", "hint: do this\n")


def closed_pipe() -> int:
    """Return the writing end of a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


CASES: dict[int, Callable[[bytes], bytes]] = {
    11: lambda data: data,
    10: lambda data: data[:-40] + bytes([data[-40] ^ 1]) + data[-39:],
    3: lambda data: data[:-1],
}


@pytest.mark.parametrize("code", CASES)
@pytest.mark.parametrize("streams", ["stdout", "stderr", "both"])
def test_a_closed_pipe_keeps_the_exit_code(tmp_path: Path, code: int, streams: str) -> None:
    """The verdict is decided before anything is printed, and survives a reader that has gone away."""
    path = tmp_path / "match.fdl"
    path.write_bytes(CASES[code](bytes(played().data)))
    pipe = closed_pipe()
    try:
        with Path(os.devnull).open("wb") as kept:
            out = kept.fileno() if streams == "stderr" else pipe
            err = kept.fileno() if streams == "stdout" else pipe
            assert process("audit", path, stdout=out, stderr=err).returncode == code
    finally:
        os.close(pipe)


def test_writing_to_a_closed_pipe_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is writing again: what nobody reads goes nowhere."""
    with open(closed_pipe(), "w", encoding="utf-8") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        monkeypatch.setattr(sys, "stderr", pipe)
        for _ in range(3):
            write_output("-", b"report")
            say("more")
            hint("and more")


def test_standard_streams_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing to none is nothing, reading from none an error of the system."""
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    write_output("-", b"report")
    hint("a hint")
    with pytest.raises(OSError, match="closed"):
        read_bytes("-")
    with pytest.raises(SystemExit) as left:
        main(["explain", "seed"])
    assert not left.value.code


def test_a_reader_that_leaves_early_keeps_the_exit_code(tmp_path: Path) -> None:
    """`… | head -1` on a long report ends with the report's own exit code and without a complaint."""
    for number in range(40):
        (tmp_path / f"{number}.fdl").write_bytes(bytes(played().data))
    ran = shell('"$PYTHON" -m fairdeal -v audit "$1"/*.fdl | head -1; echo "${PIPESTATUS[0]}"', tmp_path)
    first, code = ran.stdout.splitlines()
    assert first.startswith("incomplete  ")
    assert code == "11"
    assert "Traceback" not in ran.stderr
    assert "Exception ignored" not in ran.stderr


def test_pipefail_sees_the_verdict_through_a_pipe(tmp_path: Path) -> None:
    """A script with `pipefail` gets the audit's exit code."""
    path = tmp_path / "match.fdl"
    path.write_bytes(CASES[10](bytes(played().data)))
    ran = shell('set -o pipefail; "$PYTHON" -m fairdeal -q audit "$1" | cat', path)
    assert ran.returncode == 10
    assert ran.stdout == f"refuted  {path}\n"


def test_what_cannot_be_written_is_a_failure_with_a_documented_exit_code(log: Path, tmp_path: Path) -> None:
    """A disk without room is reported once, in the form of every error, and not again at exit."""
    ran = shell(f'ulimit -f 0; "$PYTHON" -m fairdeal audit "$1" > "{tmp_path}/report"', log)
    assert ran.returncode == 2
    assert ran.stderr.startswith("error: file too large")
    assert "Exception ignored" not in ran.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_standard_streams_keep_the_exit_code(log: Path, closed: str) -> None:
    """A verdict is one also where a caller has closed the streams, as some job runners do."""
    ran = shell(f'"$PYTHON" -m fairdeal audit "$1" {closed}', log)
    assert ran.returncode == 11
    assert "Traceback" not in ran.stderr


def test_a_closed_standard_input_is_an_unreadable_file() -> None:
    """`-` without anything to read from is exit code 2 and no traceback."""
    ran = shell('"$PYTHON" -m fairdeal unpack - <&-')
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: ")
    assert "Traceback" not in ran.stderr


def test_streams_write_utf_8_and_never_fail_on_a_character(tmp_path: Path) -> None:
    """File names that are no text at all are shown with escapes, whatever the locale says."""
    path = os.fsencode(tmp_path) + b"/\xff.fdl"
    Path(os.fsdecode(path)).write_bytes(bytes(played().data))
    ran = shell('LC_ALL=C PYTHONUTF8=0 "$PYTHON" -m fairdeal -q audit "$1"/*.fdl "$1"/none-$(printf "\\xff")', tmp_path)
    assert ran.returncode == 2
    first, second, *_ = ran.stdout.splitlines()
    assert (first[:12], first[-11:]) == ("incomplete  ", "/\\udcff.fdl")
    assert (second[:12], second[-12:]) == ("no verdict  ", "/none-\\udcff")
    assert "Traceback" not in ran.stderr
