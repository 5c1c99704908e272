"""A process that plays is killed at any instant, again and again: nothing it answered is lost, nothing is twice."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from fairdeal.audit import audit
from fairdeal.codec import Log
from fairdeal.draws import Draws
from fairdeal.evidence import Evidence
from fairdeal.hashing import tagged_hash
from fairdeal.records import Commitment, Deal, RoundEnd
from fairdeal.table import Phase
from fairdeal.ticket import decode_ticket
from tests.conftest import ROOT, environment
from tests.table.player import SETTINGS
from tests.table.playing import Live

BOTS = len(SETTINGS) - 1


class Victims:
    """The process that starts others to be killed, and what those have answered."""

    def __init__(self, process: subprocess.Popen[str], draws: Draws) -> None:
        """Take a process that waits for its orders."""
        self._process = process
        self._draws = draws
        self.kills = 0
        self.answered: list[tuple[int, str]] = []
        self.tickets: set[str] = set()

    def play(self, folder: Path, setting: int, way: str = "-", amount: int = 0, lines: int = 0) -> bool:
        """Let a match be played until its process is killed, here after it answered `lines` calls; return if it was."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(folder, setting, self._draws.below(2**30), way, amount, file=self._process.stdin, flush=True)
        pid = 0
        for line in self._process.stdout:
            word, *rest = line.split()
            match word:
                case "pid":
                    pid = int(rest[0])
                case "ticket":
                    self.tickets.add(rest[0])
                case "done":
                    self.answered.append((int(rest[0]), rest[1]))
                    lines -= 1
                case "end":
                    killed = rest != ["0"]
                    self.kills += killed
                    return killed
            if way == "-" and lines == 0:
                with suppress(ProcessLookupError):  # it may just have ended
                    os.kill(pid, signal.SIGKILL)
        raise AssertionError("the process that starts the others has ended")

    def check(self, folder: Path, published: bytes) -> None:
        """Check that a finished log is sound and holds whatever was answered, each thing at its one place."""
        data = (folder / "match.fdl").read_bytes()
        tickets = tuple(decode_ticket(ticket) for ticket in sorted(self.tickets))
        assert audit(data, Evidence(tickets=tickets, commitments=(published,))).verdict == "verified"
        for size, digest in self.answered:
            assert hashlib.sha256(data[:size]).hexdigest() == digest
        rounds = [item.record.round for item in Log(data).items if isinstance(item.record, Deal)]
        assert rounds == list(range(1, len(rounds) + 1))
        assert len({(one.round, one.fingerprint) for one in tickets}) == len({one.round for one in tickets})
        self.answered.clear()
        self.tickets.clear()


@contextmanager
def victims(number: int) -> Iterator[Victims]:
    """Give processes to kill, by choices that the number decides."""
    command = [sys.executable, "-m", "tests.table.player"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment(), cwd=ROOT) as process:
        yield Victims(process, Draws(tagged_hash("kills", number)))
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait() == 0


def published(folder: Path) -> bytes:
    """Return the commitment of a match that has begun."""
    first = Log((folder / "match.fdl").read_bytes()).items[0].record
    assert isinstance(first, Commitment)
    return first.commitment


def kill_until(folder: Path, number: int, kills: int) -> int:
    """Play matches in processes that are killed, until there were so many kills and the last match has ended."""
    draws = Draws(tagged_hash("instants", number))
    with victims(number) as those:
        match = 0
        while those.kills < kills:
            match += 1
            here = folder / str(match)
            here.mkdir()
            setting = draws.below(len(SETTINGS))
            commitment, killed = b"", True
            while killed:
                if draws.below(2):
                    killed = those.play(here / "m", setting, lines=1 + draws.below(50))
                else:
                    killed = those.play(here / "m", setting, "timer", 1 + draws.below(60_000), lines=-1)
                if (here / "m" / "match.fdl").exists():
                    commitment = commitment or published(here / "m")
                else:  # killed before there was a match
                    shutil.rmtree(here / "m", ignore_errors=True)
            those.check(here / "m", commitment)
        return those.kills


def test_killed_at_any_instant(tmp_path: Path) -> None:
    """A dozen kills: by a signal from outside, or by a timer that runs out wherever the process is."""
    assert kill_until(tmp_path, 1, 12) >= 12


@pytest.mark.full
def test_killed_at_three_hundred_instants(tmp_path: Path) -> None:
    """The same with three hundred kills, over many matches of every kind."""
    assert kill_until(tmp_path, 2, 300) >= 300


def test_killed_at_every_byte_of_a_write_that_ends_a_round(tmp_path: Path) -> None:
    """The last play and the end of the round are one write; wherever it breaks off, the same match comes of it."""
    live = Live(tmp_path / "m", SETTINGS[BOTS])
    while True:
        before = live.data
        live.step()
        if live.table.spectator().results:
            break
    after = live.data
    assert isinstance(Log(after).items[-1].record, RoundEnd)
    live.table.suspend()
    with victims(3) as those:
        for written in range(len(after) - len(before) + 1):
            here = tmp_path / str(written)
            shutil.copytree(live.folder, here)
            (here / "match.fdl").write_bytes(before)
            assert those.play(here, BOTS, "write", written)
            assert (here / "match.fdl").read_bytes() == after[: len(before) + written]
            again = Live(here, SETTINGS[BOTS], resume=True)
            # what comes without anybody's doing is made good at once, and a bot's play by the next call
            if again.data != after:
                assert again.data == before
                assert not again.table.spectator().results
                again.step()
            assert again.data == after
            if written % 16 == 0:
                assert again.until(Phase.CLOSED).table.phase is Phase.CLOSED
                assert not again.truth().findings()
            again.table.suspend()
        assert those.kills == len(after) - len(before) + 1
