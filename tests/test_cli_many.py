"""`audit` with many logs: what is taken for an archive, what it is given then, and that a store spares work."""

from __future__ import annotations

import os
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from fairdeal.archive import work
from fairdeal.cli.many import is_archive, standard_input
from tests.conftest import refused, run
from tests.strategies import simulated

LOGS = [bytes(simulated(seats).data) for seats in (3, 4)]
RULES = ("--require", "unchanged,rules")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of two logs."""
    season = tmp_path / "season"
    season.mkdir()
    for number, data in enumerate(LOGS):
        (season / f"{number}.fdl").write_bytes(data)
    return season


def test_what_is_an_archive(folder: Path, tmp_path: Path) -> None:
    """Folders, zip and tar files by name, URLs, and files of several logs; what cannot be read is told later."""
    stream = tmp_path / "all.fdls"
    stream.write_bytes(b"".join(LOGS))
    for name in (str(folder), "a.zip", "a.tar.gz", "memory://logs/", str(stream)):
        assert is_archive(name, {}), name
    for name in (str(folder / "0.fdl"), str(tmp_path / "none.fdl"), str(tmp_path / "none" / "below")):
        assert not is_archive(name, {}), name


@pytest.mark.parametrize("options", [(), ("-j", "1"), ("-j", "2"), ("--one-operator",)])
def test_a_stream_on_standard_input(options: tuple[str, ...]) -> None:
    """Both logs of a stream are audited, also those that were read to find out that they are several."""
    ran = run("audit", "-", *RULES, *options, stdin=b"".join(LOGS))
    assert ran.text.startswith("verified  -\nverified  -@")
    assert "2 logs: 2 verified" in ran.text


def test_one_log_on_standard_input_is_one_log() -> None:
    """It gets the whole report."""
    assert "\nguarantees\n" in run("audit", "-", *RULES, stdin=LOGS[0]).text


def test_a_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to read."""
    monkeypatch.setattr("sys.stdin", None)
    assert standard_input() == {}


@pytest.fixture
def piped(tmp_path: Path) -> Iterator[Callable[[bytes], Path]]:
    """Return what makes a named pipe, into which a thread writes some bytes once."""
    threads: list[Thread] = []

    def made(data: bytes) -> Path:
        path = tmp_path / f"pipe{len(threads)}"
        os.mkfifo(path)
        threads.append(Thread(target=path.write_bytes, args=(data,)))
        threads[-1].start()
        return path

    yield made
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("options", [(), ("-j", "1")])
def test_a_pipe_is_read_once_like_standard_input(piped: Callable[[bytes], Path], options: tuple[str, ...]) -> None:
    """As a shell's `<(…)` has it: several logs in it are several, and one alone gets its whole report."""
    several = piped(b"".join(LOGS))
    ran = run("audit", several, *RULES, *options)
    assert ran.text.startswith(f"verified  {several}\nverified  {several}@")
    assert "2 logs: 2 verified" in ran.text
    one = run("audit", piped(LOGS[1]), *RULES, *options)
    assert one.code == 0
    assert ("\nguarantees\n" in one.text) == (options == ())


def test_pipes_beside_files(piped: Callable[[bytes], Path], folder: Path) -> None:
    """In every form each is read once."""
    names = [folder / "0.fdl", piped(LOGS[1])]
    ran = run("audit", *names, *RULES, "-f", "json", "--operator-key", "00" * 32)
    assert [one["name"] for one in ran.json["reports"]] == [str(name) for name in names]
    assert "2 logs: 2 verified" in run("audit", folder / "0.fdl", piped(LOGS[1]), *RULES).text


def test_what_is_no_log_comes_through_a_pipe(piped: Callable[[bytes], Path]) -> None:
    """It is judged as one, and so is nothing at all."""
    for data in (b"", b"no log", LOGS[0] + b"\xc1"):
        assert run("audit", piped(data), *RULES).code == 3, data


@pytest.mark.parametrize("jobs", [(), ("-j", "1")])
def test_a_store_spares_the_work(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: tuple[str, ...]
) -> None:
    """The second run says the same without judging a log; with other things required it judges them again."""
    command = ("audit", folder, "--store", tmp_path / "kept.sqlite", *jobs)
    first = run(*command, *RULES)
    assert (first.code, first.text.count("verified  ")) == (0, 2)

    def fail(*_: object) -> None:
        raise AssertionError("judged again")

    monkeypatch.setattr(work, "judged", fail)
    if jobs:
        assert run(*command, *RULES) == first
        assert run(*command, "--require", "unchanged").code == 1
    else:
        monkeypatch.undo()
        assert run(*command, *RULES) == first


def test_what_does_not_go_with_many_logs(folder: Path, tmp_path: Path) -> None:
    """Evidence of one match, one document for all, and pages: refused before anything is read or written."""
    packed = tmp_path / "logs.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("0.fdl", LOGS[0])
    for name in (folder, packed):
        assert "evidence of one match for several logs" in run("audit", name, "--seat-key", "0=" + "11" * 32).err
        for form in ("json", "html"):
            ran = run("audit", name, "-f", form, "-o", tmp_path / "out")
            assert (ran.code, ran.out) == (2, b"")
            assert f"there is no `{form}` of folders, archives and many workers" in ran.err
            assert not (tmp_path / "out").exists()


def test_a_folder_without_evidence_for_many_logs(folder: Path, tmp_path: Path) -> None:
    """A wrong folder is told before anything is audited; one with a folder for some log is none."""
    for logs in ((folder,), (folder / "0.fdl", folder / "1.fdl")):
        for form in ("text", "json"):
            if form == "text" or len(logs) > 1:
                refused(
                    run("audit", *logs, "-f", form, "--evidence", folder), 2, "no evidence", "in a folder of its name"
                )
    (tmp_path / "held" / "0").mkdir(parents=True)
    (tmp_path / "held" / "0" / "published.txt").write_text("")
    assert "2 logs" in run("audit", folder, *RULES, "--evidence", tmp_path / "held").text


def test_a_file_in_place_of_the_folder_for_equivocations(folder: Path) -> None:
    """It is told before anything is audited, not when there is something to write."""
    refused(run("audit", folder, "--equivocations", folder / "0.fdl"), 2, "needs a folder", "0.fdl")


def test_no_output_replaces_what_is_read_or_kept(folder: Path, tmp_path: Path) -> None:
    """Logs below a folder, the store, published lists and the files of evidence."""
    store, lists, held = tmp_path / "store.sqlite", tmp_path / "published.txt", tmp_path / "held"
    held.mkdir()
    for path in (lists, held / "published.txt"):
        path.write_text("")
    refused(run("audit", folder, "--store", store, "-o", store), 2, "the output is one of")  # which is not there yet
    run("audit", folder, "--store", store)
    options = ("--store", store, "--published", lists, "--evidence", held)
    for output in (folder / "0.fdl", store, lists, held / "published.txt"):
        before = output.read_bytes()
        refused(run("audit", folder, *options, "-o", output), 2, "the output is one of", output.name)
        assert output.read_bytes() == before
    assert run("audit", folder, *RULES, *options, "-o", folder / "report.txt").err == ""
    assert run("audit", folder, *RULES, *options, "-o", folder / "report.txt").err == ""
    assert "2 logs" in (folder / "report.txt").read_text()
    for _ in range(2):
        assert run("audit", folder, *RULES, *options, "-o", held / "report.txt").err == ""


@pytest.mark.parametrize("form", ["text", "json", "jsonl"])
def test_a_name_that_no_system_takes_is_one_line(form: str, folder: Path, tmp_path: Path) -> None:
    """The others are audited, and the report is written."""
    names = ("n" * 300 + ".fdl", folder / "0.fdl" / "below.fdl")
    ran = run("audit", folder / "0.fdl", *names, folder / "1.fdl", *RULES, "-f", form, "-o", tmp_path / "report")
    assert ran.code == 2
    assert (tmp_path / "report").read_text().count("verified")


def test_a_published_list_from_a_pipe_is_refused_for_many_logs(folder: Path, tmp_path: Path) -> None:
    """Every worker would have to read it."""
    pipe = tmp_path / "list"
    os.mkfifo(pipe)
    refused(run("audit", folder, "--published", pipe), 2, "read once only", "list")


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE audits SET report = 'garbage'",
        "UPDATE audits SET report = x'00ff'",
        "UPDATE audits SET report = '{}'",
        "UPDATE audits SET verdict = 'nonsense'",
        "UPDATE audits SET verdict = 'refuted'",
        """UPDATE audits SET report = replace(report, '"findings":[', '"findings":[{"code":"nonsense"}')""",
        """UPDATE audits SET report = replace(report, '"checks":', '"others":')""",
        """UPDATE audits SET report = printf('%.*c', 100000, '[')""",
    ],
)
@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_a_result_that_was_damaged_is_made_again(damage: str, form: str, folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    sound = run("audit", folder, *RULES, "-f", form, "--store", store)
    with closing(sqlite3.connect(store)) as base, base:
        base.execute(damage)
    assert run("audit", folder, *RULES, "-f", form, "--store", store) == sound
    with closing(sqlite3.connect(store)) as base:
        assert {verdict for (verdict,) in base.execute("SELECT verdict FROM audits")} == {"verified"}


def test_a_reader_of_a_pipe_that_leaves_keeps_the_exit_code(folder: Path, tmp_path: Path) -> None:
    """As one of standard output does."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = Thread(target=lambda: pipe.open("rb").close())
    reader.start()
    ran = run("-v", "audit", *[folder] * 40, *RULES, "-j", "1", "-o", pipe)
    reader.join()
    assert (ran.code, ran.err) == (0, "")
