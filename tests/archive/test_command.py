"""The archive's side of `audit`: its lines, its exit codes, and how it ends when it is stopped."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fairdeal.archive.equivocation import check_equivocation
from fairdeal.archive.work import Orders
from fairdeal.cli import archive as module
from fairdeal.cli.options import Loudness
from fairdeal.errors import Malformed, Misuse
from fairdeal.records import CloseReason
from fairdeal.report import STEP_NUMBERS, GuaranteeName
from tests.archive.making import OPERATORS, Wanted, fresh, name_of, written, written_to
from tests.archive.making import archive as sound_logs
from tests.archive.planting import planted, written_archive
from tests.archive.running import ORDERS, archive, command, objects, process, tables
from tests.conftest import environment
from tests.test_cli_auditor import ACROSS_FINDING, COUNT, HEX, REPORT, TEXT, closed, listed

KEY = OPERATORS[0]
LOGS = list(sound_logs(8))
SUMMARY_SCHEMA = closed(
    format={"const": "fairdeal-summary/2"},
    logs=COUNT,
    verdicts={"type": "object", "additionalProperties": COUNT},
    unreadable=COUNT,
    failed=COUNT,
    across={"type": "object", "additionalProperties": COUNT},
    void_matches=COUNT,
    void=listed(closed(operator=HEX, reason=TEXT, blamed=TEXT, matches=COUNT)),
    interrupted={"type": "boolean"},
)
SCHEMAS = {"fairdeal-report/2": REPORT, "fairdeal-across/1": ACROSS_FINDING, "fairdeal-summary/2": SUMMARY_SCHEMA}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written_to(tmp_path / "logs", LOGS)


# --- what it says


def test_sound_logs_are_a_line_each(folder: Path) -> None:
    ran = archive(folder)
    assert ran.code == 0
    assert ran.text.splitlines() == [
        *(f"verified  {folder}/{name_of(number)}" for number in range(1, 9)),
        "8 logs: 8 verified",
    ]
    assert ran.err == ""


def test_one_bad_log_never_stops_the_rest(folder: Path) -> None:
    """Whatever is wrong with it: malformed, cut, refuted, void, no log, no file."""
    (folder / name_of(2)).write_bytes(LOGS[1][:-1])
    (folder / name_of(4)).write_bytes(b"")
    (folder / name_of(5)).write_bytes(LOGS[4].replace(b"North", b"Nor\x00h"))
    (folder / name_of(6)).write_bytes(written(Wanted(6, close=CloseReason.STOPPED)))
    (folder / name_of(7)).write_bytes(written(Wanted(7, commitment=bytes(32))))
    ran = archive(folder, folder / "none.fdl")
    assert ran.code == 10
    verdicts = [line.partition("  /")[0] for line in ran.text.splitlines() if not line.startswith(" ")]
    assert verdicts[:9] == [
        "verified",
        "no verdict",
        "verified",
        "no verdict",
        "no verdict",
        "incomplete",
        "refuted",
        "verified",
        "no verdict",
    ]
    assert ran.text.splitlines()[-1] == "9 logs: 3 verified, 1 refuted, 1 incomplete, 4 no verdict (1 unreadable)"


def test_json_lines_fit_their_schemas_and_come_in_order(tmp_path: Path) -> None:
    """One object for each log, then what lies across, then a summary, whatever was planted."""
    changes, expected = planted(60)
    folder = written_archive(tmp_path / "logs", 60, changes)
    (folder / "zz.fdl").write_bytes(b"no log")
    ran = archive(folder, tmp_path / "none", form="jsonl", one_operator=False)
    found = objects(ran)
    for one in found:
        Draft202012Validator(SCHEMAS[one["format"]]).validate(one)
    formats = [one["format"] for one in found]
    reports = formats.count("fairdeal-report/2")
    assert formats == [
        *["fairdeal-report/2"] * reports,
        *["fairdeal-across/1"] * len(expected),
        "fairdeal-summary/2",
    ]
    names = [one["name"] for one in found[:reports]]
    assert names == [*sorted(str(path) for path in folder.rglob("*.fdl")), str(tmp_path / "none")]
    summary = found[-1]
    assert summary["logs"] == reports == sum(summary["verdicts"].values())
    assert summary["verdicts"] == Counter(one["verdict"] for one in found[:reports])
    assert (summary["unreadable"], summary["failed"]) == (1, 0)
    assert sum(summary["across"].values()) == len(expected)
    assert summary["void_matches"] == sum(one["matches"] for one in summary["void"]) == 6
    assert not summary["interrupted"]
    assert ran.code == 10


def test_names_come_back_as_they_are(tmp_path: Path) -> None:
    """In JSON also those that are no text; as text no name can steer a terminal."""
    names = [b'quote"and\\slash.fdl', b"\xff.fdl", b"new\nline.fdl", "\u202eright.fdl".encode()]
    for name in names:
        (tmp_path / os.fsdecode(name)).write_bytes(LOGS[0])
    found = objects(archive(tmp_path, form="jsonl"))[:-1]
    assert {os.fsencode(Path(one["name"]).name) for one in found} == set(names)
    text = archive(tmp_path).text
    assert len(text.splitlines()) == len(names) + 1
    assert "\u202e" not in text


def test_verbose_prints_every_check_of_every_log(folder: Path) -> None:
    (folder / name_of(2)).write_bytes(LOGS[1][:-1])
    ran = archive(folder, loudness=Loudness(verbose=True))
    checks = [line[2:23].rstrip() for line in ran.text.splitlines() if line[:4].strip().isdigit()]
    heads = [f"{number:>2} {step}" for step, number in STEP_NUMBERS.items()] * 8
    assert len(checks) == len(heads)
    assert all(head.startswith(check) for check, head in zip(checks, heads, strict=True))


def test_quiet_prints_verdicts_only(folder: Path) -> None:
    (folder / name_of(1)).write_bytes(written(Wanted(2, leads=1)))
    ran = archive(folder, loudness=Loudness(quiet=True))
    assert [line.split("  ")[0] for line in ran.text.splitlines()][:8] == ["verified"] * 8
    assert ran.err == ""
    assert " logs: " not in ran.text
    loud = archive(folder)
    assert loud.err == "hint: `fairdeal explain logs-differ` says what a finding means and what to do\n"
    assert loud.text.splitlines()[-1] == "8 logs: 8 verified; 1 finding across them"


def test_void_matches_are_counted_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "VOID_SHOWN", 2)
    made = [Wanted(number, key=KEY, close=CloseReason.STOPPED) for number in (1, 2, 3)]
    made += [
        Wanted(number, key=KEY, contributions=fresh(number), opened=seat, blamed=seat, close=CloseReason.NOT_OPENED)
        for number, seat in ((4, 0), (5, 0), (6, 1), (7, 2))
    ]
    ran = archive(written_to(tmp_path / "logs", map(written, made)))
    lines = ran.text.splitlines()[-4:]
    assert re.sub("[0-9a-f]{64}", "KEY", "\n".join(lines)).splitlines() == [
        "void: 3 stopped of operator KEY",
        'void: 2 not-opened, naming "North" of operator KEY',
        "void: 2 more, for other reasons or naming others",
        "7 logs: 7 incomplete",
    ]
    assert ran.code == 11


def test_exit_codes(tmp_path: Path, folder: Path) -> None:
    """The worst of all logs and of all that lies across them."""
    empty = tmp_path / "empty"
    empty.mkdir()
    assert archive(empty).code == 11
    assert archive(empty).text == "0 logs: nothing to audit\n"
    assert archive(empty, tmp_path / "none").code == 2
    (folder / name_of(3)).unlink()
    assert archive(folder).code == 0
    assert archive(folder, one_operator=True).code == 11
    (folder / "x.fdl").write_bytes(written(Wanted(9, sequence=1)))
    assert archive(folder, one_operator=True).code == 10
    (tmp_path / "bad.fdl").write_bytes(b"no log")
    assert archive(tmp_path / "bad.fdl").code == 3


def test_a_log_that_is_gone_before_it_is_compared(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdicts stand, and that two logs could not be compared is a line and an exit code."""
    (folder / "x.fdl").write_bytes(written(Wanted(1, leads=1)))
    monkeypatch.setattr("fairdeal.archive.store.Store.data", lambda *_: None)
    ran = archive(folder)
    assert "has changed since it was audited and cannot be compared" in ran.text
    assert ran.text.splitlines()[-1] == "9 logs: 9 verified; 2 findings across them"
    assert ran.code == 2


def test_an_interruption_at_any_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before there is anything to sum up, and once more while it is summed up."""

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for name in ("_runner", "_audit", "_closing", "opened_output"):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, interrupt)
            ran = archive(folder)
            assert ran.code == 130
            assert ran.err == ""
            if name == "_audit":
                assert ran.text == "0 logs: nothing to audit; interrupted\n"


def test_evidence_of_two_stories_is_written(tmp_path: Path) -> None:
    """Into a folder, once however often it is found; a folder that cannot be written to is told."""
    folder = written_to(tmp_path / "logs", [written(Wanted(1, key=KEY, leads=leads)) for leads in (0, 1)])
    assert "--equivocations DIR writes the evidence" in archive(folder).text
    for _ in range(2):
        ran = archive(folder, equivocations=tmp_path / "evidence" / "deep")
        (file,) = (tmp_path / "evidence" / "deep").iterdir()
        assert f"the evidence is in {file}" in ran.text
        assert "two histories" in check_equivocation(file.read_text("ascii"))
    blocked = archive(folder, equivocations=folder / name_of(1))
    assert "the evidence could not be written" in blocked.text
    assert blocked.err.startswith("error: ")
    assert blocked.code == 10


def test_output_goes_to_a_file_as_a_whole(folder: Path, tmp_path: Path) -> None:
    ran = archive(folder, output=tmp_path / "out.txt")
    assert ran.out == b""
    assert (tmp_path / "out.txt").read_text() == archive(folder).text


def test_a_reader_that_has_gone_away_is_no_error(folder: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run(command(folder), stdout=write, stderr=subprocess.PIPE, env=environment(), check=False)
    os.close(write)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_log_that_this_tool_fails_over_is_a_line(folder: Path, jobs: int) -> None:
    """A fault of the tool, not of the log: the others have their verdicts, and the exit code says so."""
    preamble = (
        "from fairdeal.archive import work\n"
        "plain = work.judged\n"
        "def fails(data, *rest):\n"
        f"    return plain(data, *rest) if {LOGS[4][20:30]!r} not in data else 1 / 0\n"
        "work.judged = fails\n"
    )
    ended = process(folder, preamble=preamble, jobs=jobs)
    text = ended.stdout.decode()
    assert "the tool failed: ZeroDivisionError: division by zero" in text
    assert text.splitlines()[-1] == "8 logs: 7 verified, 1 no verdict (1 failed)"
    assert ended.returncode == 1


def test_evidence_that_cannot_be_read_is_told_before_anything_is_audited(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "published.txt").write_text("nonsense\n", encoding="ascii")
    orders = ORDERS._replace(published=(str(tmp_path / "published.txt"),))
    with pytest.raises(Malformed):
        archive(folder, orders=orders)


def test_a_store_of_another_kind_is_refused(folder: Path) -> None:
    with pytest.raises(Misuse, match="no store that can be used"):
        archive(folder, store=folder / name_of(1))


def test_evidence_by_the_name_of_a_log(folder: Path, tmp_path: Path) -> None:
    """Each log takes what lies in the folder named after it, and a name that leads elsewhere takes nothing."""
    evidence = tmp_path / "evidence"
    for number in (1, 2):
        own = evidence / Path(name_of(number)).stem
        own.mkdir(parents=True)
        (own / "published.txt").write_text(f"{number} {'00' * 32}\n", encoding="ascii")
    (tmp_path / "published.txt").write_text(f"3 {'00' * 32}\n", encoding="ascii")
    (folder / "...fdl").write_bytes(LOGS[2])
    orders = Orders("1", (GuaranteeName.RULES,), None, (), str(evidence), None)
    found = objects(archive(folder, orders=orders, form="jsonl"))[:-1]
    codes = {Path(one["name"]).name: [finding["code"] for finding in one["findings"]] for one in found}
    assert {name for name, listed in codes.items() if "commitment-other" in listed} == {name_of(1), name_of(2)}
    assert [listed for name, listed in codes.items() if name not in (name_of(1), name_of(2))] == [[]] * 7


# --- streams without end, and being stopped


def read_until(stream: Any, enough: Callable[[bytes], bool]) -> bytes:
    """Return what comes out of a stream until it is enough."""
    seen = b""
    while not enough(seen):
        part = os.read(stream.fileno(), 65_536)
        assert part, seen
        seen += part
    return seen


def interrupted(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Send Ctrl-C to all of a process group, as a terminal does, and return what is written until its end."""
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    return out, err


@pytest.mark.parametrize("form", ["text", "jsonl"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_endless_stream_and_an_interruption(jobs: int, form: str) -> None:
    """Verdicts come while logs go in; Ctrl-C ends all processes with a summary, and without any other word."""
    feeder = "import sys\nwhile True: sys.stdout.buffer.write(sys.argv[1].encode('latin-1'))"
    data = b"".join(LOGS).decode("latin-1")
    source = subprocess.Popen(
        [sys.executable, "-c", feeder.replace("sys.argv[1]", repr(data))],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    started = subprocess.Popen(
        command("-", jobs=jobs, form=form),
        stdin=source.stdout,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    before = read_until(started.stdout, lambda seen: seen.count(b"\n") > 200)
    out, err = interrupted(started)
    source.kill()
    source.communicate()
    assert started.returncode == 130
    assert err == b""
    last = (before + out).decode().splitlines()[-1]
    if form == "text":
        assert re.fullmatch(r"[0-9,]+ logs: [0-9,]+ verified; interrupted", last)
    else:
        summary = json.loads(last)
        assert summary["interrupted"]
        assert summary["logs"] == (before + out).count(b"\n") - 1


def test_an_interruption_before_the_first_log(tmp_path: Path) -> None:
    """While the process waits for its input."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    started = subprocess.Popen(
        command("-", jobs=2, preamble="import sys; print('ready', flush=True)"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment() | {"PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )
    assert started.stdin is not None
    started.stdin.write(LOGS[0] + LOGS[1][:100])
    started.stdin.flush()
    read_until(started.stdout, lambda seen: b"ready" in seen)
    while not waiting_for_input(started.pid):
        assert started.poll() is None
    out, err = interrupted(started)
    assert started.returncode == 130
    assert out.decode().splitlines()[-1] == "0 logs: nothing to audit; interrupted"
    assert err == b""


def waiting_for_input(process: int) -> bool:
    """Return whether a process sits in a read of its standard input."""
    return Path(f"/proc/{process}/syscall").read_text("ascii").startswith("0 0x0 ")


# --- killed and resumed


def kill_at(names: list[object], store: Path, lines: int, **options: Any) -> bool:
    """Start an audit, kill it when so many lines have come, and return whether it was killed before its end."""
    started = subprocess.Popen(
        command(*names, store=store, **options),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    assert started.stdout is not None
    for _ in range(lines):
        if not started.stdout.readline():
            break
    os.killpg(started.pid, signal.SIGKILL)
    started.communicate()
    return started.returncode == -signal.SIGKILL


def check_resumed(tmp_path: Path, count: int, kills: list[int], jobs: int) -> None:
    """Kill a run again and again; in the end it has exactly what one run without any interruption has."""
    changes, _ = planted(count)
    folder = written_archive(tmp_path / "logs", count, changes)
    whole = process(folder, store=tmp_path / "whole", jobs=jobs, form="jsonl")
    assert whole.stderr.decode().count("hint: ") == 1
    killed = [kill_at([folder], tmp_path / "resumed", lines, jobs=jobs, form="jsonl") for lines in kills]
    assert any(killed)
    resumed = process(folder, store=tmp_path / "resumed", jobs=jobs, form="jsonl")
    assert resumed.stdout == whole.stdout
    assert resumed.returncode == whole.returncode == 10
    assert tables(tmp_path / "resumed") == tables(tmp_path / "whole")


def test_a_run_killed_and_resumed_has_what_one_run_has(tmp_path: Path) -> None:
    check_resumed(tmp_path, 120, [0, 20], 2)


@pytest.mark.full
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_killed_ten_times_has_what_one_run_has(tmp_path: Path, jobs: int) -> None:
    check_resumed(tmp_path, 2_000, [0, 1, 7, 60, 200, 333, 500, 900, 1_300, 2_000], jobs)


# --- the progress bar


def on_terminal(*names: object, patience: float, both: bool) -> tuple[bytes, bytes]:
    """Audit with standard error, or both streams, on a terminal; return what came on the terminal and elsewhere."""
    preamble = f"from fairdeal.cli import progress\nprogress.PATIENCE = {patience}\nprogress.OFTEN = 0"
    ours, theirs = pty.openpty()
    started = subprocess.Popen(
        command(*names, preamble=preamble),
        stdin=subprocess.DEVNULL,
        stdout=theirs if both else subprocess.PIPE,
        stderr=theirs,
        env=environment() | {"TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    seen = {ours: b""}
    if started.stdout is not None:
        seen[started.stdout.fileno()] = b""
    waiting = set(seen)
    while waiting:
        for file in select.select(list(waiting), [], [])[0]:
            try:
                part = os.read(file, 65_536)
            except OSError:  # the other end of a terminal has been closed
                part = b""
            seen[file] += part
            if not part:
                waiting.discard(file)
    os.close(ours)
    started.communicate()
    assert started.returncode == 0
    terminal = seen.pop(ours)
    return terminal, next(iter(seen.values()), b"")


def test_a_bar_on_a_terminal_after_a_while(folder: Path) -> None:
    """With the number of logs, and gone at the end; what is written meanwhile is whole."""
    terminal, out = on_terminal(folder, patience=0, both=False)
    assert b"audited" in terminal
    assert b"8/8" in terminal
    assert b"logs/s" in terminal
    assert out.decode().splitlines()[-1] == "8 logs: 8 verified"
    assert len(out.splitlines()) == 9
    assert terminal.endswith(b"\x1b[2K") or terminal.rstrip().endswith((b"\x1b[2K", b"\x1b[?25h"))


def test_a_bar_beside_lines_on_one_terminal(folder: Path) -> None:
    """Every line stands alone, whatever came between."""
    terminal, _ = on_terminal(folder, patience=0, both=True)
    assert b"audited" in terminal
    plain = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", terminal).replace(b"\r", b"\n").decode()
    found = [line for line in plain.split("\n") if line.startswith("verified  ")]
    assert found == [f"verified  {folder}/{name_of(number)}" for number in range(1, 9)]


def test_no_bar_for_short_work_or_where_there_is_no_terminal(folder: Path) -> None:
    terminal, out = on_terminal(folder, patience=1_000, both=False)
    assert terminal == b""
    assert len(out.splitlines()) == 9
    preamble = "from fairdeal.cli import progress\nprogress.PATIENCE = progress.OFTEN = 0"
    assert process(folder, preamble=preamble).stderr == b""


def test_no_file_is_left_behind(folder: Path, tmp_path: Path) -> None:
    """A run without a store keeps its facts in a file that is gone with it."""
    place = tmp_path / "tmp"
    place.mkdir()
    ended = subprocess.run(
        command(folder, jobs=2), env=environment() | {"TMPDIR": str(place)}, capture_output=True, check=False
    )
    assert ended.returncode == 0
    assert list(place.iterdir()) == []
