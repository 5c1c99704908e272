"""The log file: whole calls or nothing, one writer, and on the disk when it has to be."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fairdeal.errors import Misuse
from fairdeal.limits import MAX_LOG_BYTES
from fairdeal.table import Phase, Sync, Table
from fairdeal.table.journal import Journal
from tests.conftest import environment
from tests.table.playing import EASY, HUMAN, Live, Setting
from tests.table.test_quiet import at_last_card, no_room


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file of some bytes."""
    file = tmp_path / "log"
    file.write_bytes(b"terms")
    return file


def opened(path: Path, size: int = 5) -> Journal:
    """Return a journal that goes on behind the first `size` bytes."""
    journal = Journal(path)
    journal.start(journal.read(), size)
    return journal


@contextmanager
def synced(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Count how often the log is forced to the disk, by its size at that moment."""
    sizes: list[int] = []
    force = os.fdatasync

    def counted(handle: int) -> None:
        sizes.append(os.fstat(handle).st_size)
        force(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fdatasync", counted)
        yield sizes


# --- one file


def test_what_is_staged_counts_and_is_not_written(path: Path) -> None:
    """Size and digest are of what the file will be; the file changes with the commit, in one write."""
    journal = opened(path)
    journal.stage(b"one")
    journal.stage(b"two")
    assert (journal.size, journal.digest(), journal.dirty) == (11, hashlib.sha256(b"termsonetwo").digest(), True)
    assert path.read_bytes() == b"terms"
    journal.commit(sync=False)
    assert path.read_bytes() == b"termsonetwo"
    assert not journal.dirty
    journal.close()


def test_a_call_is_one_write(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is staged goes to the kernel at once, and a short write is gone on with."""
    journal, writes, write = opened(path), [], os.write

    def short(handle: int, data: bytes) -> int:
        writes.append(len(data))
        return write(handle, bytes(data)[:4])

    monkeypatch.setattr(os, "write", short)
    journal.stage(b"0123456789")
    journal.commit(sync=False)
    assert writes == [10, 6, 2]
    assert path.read_bytes() == b"terms0123456789"
    journal.close()


@pytest.mark.parametrize("after", range(8))
def test_a_full_disk_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """What was written in part is taken back, and the journal takes nothing more."""
    journal = opened(path)
    journal.stage(b"12345678")
    with no_room(monkeypatch, after), pytest.raises(OSError, match="No space"):
        journal.commit(sync=False)
    assert path.read_bytes() == b"terms"
    with pytest.raises(Misuse, match="not open"):
        journal.commit(sync=True)
    assert opened(path).size == 5


def test_a_write_that_cannot_be_taken_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where even that fails the first error is told, and what is left is a torn tail."""

    def fails(*_: object) -> int:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    journal = opened(path)
    journal.stage(b"12345678")
    with monkeypatch.context() as patch:
        patch.setattr(os, "ftruncate", fails)
        with no_room(patch, 3), pytest.raises(OSError, match="No space"):
            journal.commit(sync=False)
    assert path.read_bytes() == b"terms123"
    opened(path).commit(sync=False)
    assert path.read_bytes() == b"terms"


@pytest.mark.parametrize("alone", [False, True])
def test_a_disk_that_fails_when_forced(path: Path, monkeypatch: pytest.MonkeyPatch, alone: bool) -> None:
    """After that nobody knows what is on it: the journal takes nothing more, so that no later success hides it."""

    def fails(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    journal = opened(path)
    journal.stage(b"more")
    if alone:
        journal.commit(sync=False)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fdatasync", fails)
        with pytest.raises(OSError, match="Input/output"):
            journal.sync() if alone else journal.commit(sync=True)
    assert path.read_bytes() == (b"termsmore" if alone else b"terms")
    with pytest.raises(Misuse, match="not open"):
        journal.sync()


def test_only_what_changed_is_forced(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second call with nothing in between does nothing."""
    with synced(monkeypatch) as sizes:
        journal = opened(path)
        journal.commit(sync=True)
        journal.commit(sync=True)
        journal.sync()
        journal.stage(b"!")
        journal.commit(sync=False)
        journal.sync()
        journal.sync()
    assert sizes == [5, 6]


def test_a_tail_stays_until_something_is_committed(path: Path) -> None:
    """To look at a log changes nothing of it."""
    journal = opened(path, 3)
    assert path.read_bytes() == b"terms"
    journal.stage(b"m")
    journal.commit(sync=False)
    assert path.read_bytes() == b"term"


def test_a_log_has_an_end(path: Path) -> None:
    """More bytes than a log may have are refused and not written."""
    path.write_bytes(bytes(MAX_LOG_BYTES))
    journal = opened(path, MAX_LOG_BYTES)
    journal.stage(b"!")
    with pytest.raises(Misuse, match="more than 16777216 bytes"):
        journal.commit(sync=False)
    assert path.stat().st_size == MAX_LOG_BYTES


# --- one writer


def test_two_writers_in_one_process(tmp_path: Path) -> None:
    """A match that is being played cannot be taken up beside it, also not after a refused try."""
    live = Live(tmp_path / "m", Setting()).until(Phase.PLAYING)
    for _ in range(2):
        with pytest.raises(Misuse, match="another writer has the log open") as error:
            Table.resume(live.folder)
        assert error.value.hint == "one match is played by one process"
    live.step()
    live.table.suspend()
    live.resume()
    assert live.play_out().audit().verdict == "verified"


def test_two_writers_in_two_processes(tmp_path: Path) -> None:
    """Nor by another process, until the first has let go or has ended."""
    live = Live(tmp_path / "m", Setting()).until(Phase.PLAYING)
    script = "import sys; from pathlib import Path; from fairdeal.table import Table; Table.resume(Path(sys.argv[1]))"
    command = [sys.executable, "-c", script, str(live.folder)]
    other = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    assert other.returncode == 1
    assert "another writer has the log open" in other.stderr
    live.table.suspend()
    assert subprocess.run(command, capture_output=True, env=environment(), check=False).returncode == 0
    live.resume()


def _use(live: Live, answers: Callable[[str], None]) -> None:
    """Do in a forked process what only the process that opened the table may do."""
    for call in (live.step, live.table.sync, lambda: Table.resume(live.folder), live.table.suspend):
        try:
            call()
        except Misuse as error:
            answers(error.what)
        else:
            answers("done")


def test_a_forked_process_does_not_write(tmp_path: Path) -> None:
    """It shares the open file and the lock, so it is told apart by its number; letting go there harms nobody."""
    live = Live(tmp_path / "m", Setting()).until(Phase.PLAYING)
    before = live.data
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_use, args=(live, there.send))
    process.start()
    process.join()
    other = "the log was opened by another process"
    assert [here.recv() for _ in range(4)] == [other, other, "another writer has the log open", "done"]
    assert live.data == before
    with pytest.raises(Misuse, match="another writer"):
        Table.resume(live.folder)
    live.step()
    assert live.data != before


def test_another_process_number_is_another_process(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is all a forked process is told by; nothing of it reaches the file."""
    journal = opened(path)
    journal.stage(b"more")
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: -1)
        with pytest.raises(Misuse, match="another process"):
            journal.commit(sync=True)
    assert path.read_bytes() == b"terms"
    journal.close()


def test_the_file_is_not_handed_to_other_programs(tmp_path: Path) -> None:
    """A program that the server starts does not keep the log open."""
    live = Live(tmp_path / "m", Setting())
    journal = live.table._desk.journal
    assert fcntl.fcntl(journal._file, fcntl.F_GETFD) & fcntl.FD_CLOEXEC


# --- when it is forced to the disk


def test_every_action(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By mode `action` each accepted call is on the disk before it is answered."""
    live = Live(tmp_path / "m", Setting(sealed=True, kinds=(HUMAN, EASY, HUMAN)), sync=Sync.ACTION)
    with synced(monkeypatch) as sizes:
        while live.step():
            assert sizes.pop() == len(live.data)
            assert not sizes


def test_every_trick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By mode `trick` the last action of a trick forces it, and whatever ends a round, opens or closes."""
    live = Live(tmp_path / "m", Setting(sealed=True, seat_keys=True), sync=Sync.TRICK)
    forced = 0
    with synced(monkeypatch) as sizes:
        while True:
            before = live.table.spectator()
            if not live.step():
                break
            after = live.table.spectator()
            in_play = before.phase in (Phase.PLAYING, Phase.EXCHANGE)
            due = not in_play or before.round != len(after.results) + 1 or after.trick_start != before.trick_start
            assert sizes == ([len(live.data)] if due else [])
            forced += len(sizes)
            sizes.clear()
    assert forced > 20


def test_only_where_seeds_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By mode `caller` it is forced where something is revealed after it, and when the caller says so."""
    live = Live(tmp_path / "m", Setting(), sync=Sync.CALLER)
    with synced(monkeypatch) as sizes:
        live.until(Phase.PLAYING)
        assert len(sizes) == 1
        for _ in range(5):
            live.step()
        assert len(sizes) == 1
        live.table.sync()
        live.table.sync()
        assert sizes[1:] == [len(live.data)]
        at_last_card(live)()
        assert sizes[2:] == [len(live.data)]
        live.play_out()
    assert len(sizes) == 3 + 3  # the second deal and its round's end, the close


def test_a_resumed_log_is_forced_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another process left to the kernel is on the disk before the match goes on."""
    live = Live(tmp_path / "m", Setting()).until(Phase.PLAYING)
    live.step()
    live.table.suspend()
    with synced(monkeypatch) as sizes:
        live.resume()
    assert sizes == [len(live.data)]


def test_every_call_is_in_the_file_before_it_is_answered(tmp_path: Path) -> None:
    """Whatever the mode: another reader sees each accepted action at once."""
    live = Live(tmp_path / "m", Setting(kinds=(HUMAN, EASY, HUMAN)))
    size = len(live.data)
    while live.step():
        assert len(live.data) > size
        size = len(live.data)
        assert live.table.receipt().digest == hashlib.sha256(live.data).digest()
