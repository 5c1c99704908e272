"""What the tests of the command line and of the judgement share: a runner, sound matches, and a liar's typewriter.

`run` calls the command line in this process with streams of its own. `rebuilt` writes records as bytes and makes every
digest and signature good again, so that a test which changes one thing meets only what follows from that.
"""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer.main

from fairdeal.cli import main
from fairdeal.codec import encode_record
from fairdeal.commit import terms_hash
from fairdeal.evidence import Evidence
from fairdeal.hashing import file_digest
from fairdeal.match import Match
from fairdeal.records import (
    OPERATOR,
    Actions,
    Close,
    CloseReason,
    Record,
    RoundEnd,
    Signature,
    Terms,
)
from fairdeal.ruleset import load_preset
from fairdeal.sign import public_key, sign, signed_message
from fairdeal.simulate import Simulated, Simulation, evidence_files, simulate

# The command line is the same in every run: to build it once instead of each time makes these tests five times faster.
pytest.MonkeyPatch().setattr(typer.main, "get_command", cache(typer.main.get_command))

# A shell that starts the tests in the background lets them and all they start ignore Ctrl-C, which some of them try.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parents[1]
RNG = "5a" * 32
UNSIGNED = bytes(64)


class Ran(NamedTuple):
    """The outcome of one run of the command line."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        """Standard output as text."""
        return self.out.decode("utf-8")

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


def run(*arguments: object, stdin: bytes = b"") -> Ran:
    """Run the command line in this process and return its exit code and what it wrote.

    An exception that is no exit goes on to the caller: in a process of its own Python would end with 1.
    """
    kept = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(buffer, encoding="utf-8") for buffer in (io.BytesIO(stdin), out, err)]
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        main([os.fspath(one) if isinstance(one, Path) else str(one) for one in arguments])
        code: object = 0
    except SystemExit as ended:
        code = ended.code or 0
    finally:
        for stream in streams[1:]:
            stream.flush()
        sys.stdin, sys.stdout, sys.stderr = kept
    assert isinstance(code, int)
    return Ran(code, out.getvalue(), err.getvalue().decode("utf-8"))


def refused(ran: Ran, code: int, *words: str) -> str:
    """Return the error of a run that failed as documented: nothing printed, `error: what at where`, blank, one hint."""
    assert ran.code == code, ran
    assert ran.out == b""
    head, *rest = ran.err.split("\n")
    assert head.startswith("error: ")
    what = head.removeprefix("error: ")
    assert not what.endswith(".")
    assert what[:1] == what[:1].lower()
    assert rest[-1] == ""
    if rest[:-1]:
        assert rest[0] == ""
        assert rest[1].startswith("hint: ")
        assert len(rest) == 3
    for word in words:
        assert word in ran.err
    return ran.err


def unread(ran: Ran, code: int, *words: str) -> str:
    """Return the error of an audit that could not read a log or its evidence: a report without verdict says so too."""
    assert ran.code == code, ran
    assert ran.text.startswith("no verdict  ")
    assert ran.err.startswith("error: ")
    for word in words:
        assert word in ran.err
    return ran.err


def environment() -> dict[str, str]:
    """Return the environment of a process that runs this checkout."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}


def process(
    *arguments: object, stdout: int = subprocess.PIPE, stderr: int = subprocess.PIPE, preamble: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process of its own, after the Python statements of `preamble`."""
    script = f"import sys\n{preamble}\nfrom fairdeal.cli import main\nmain(sys.argv[1:])"
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, stdout=stdout, stderr=stderr, env=environment(), check=False)


def python(script: str) -> subprocess.CompletedProcess[bytes]:
    """Run Python statements in a process of its own, and wait for all that hold its output, two minutes at most."""
    command = [sys.executable, "-c", script]
    return subprocess.run(command, capture_output=True, env=environment(), check=False, timeout=120)


def shell(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a bash script with `$PYTHON` for the interpreter and the arguments as `$1`, `$2` …."""
    env = {**environment(), "PYTHON": sys.executable}
    command = ["/bin/bash", "-c", script, "bash", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


@cache
def played(
    seats: int = 4,
    rounds: int = 2,
    *,
    sealed: bool = False,
    signed: bool = False,
    seat_keys: bool = False,
    players: str = "lowest",
    number: int = 0,
    changes: tuple[tuple[str, Any], ...] = (),
) -> Simulated:
    """Return a sound match, the same one for the same arguments; nobody may change it."""
    table = load_preset("president", {"end_at": rounds} | dict(changes))
    rng = bytes([seats, rounds, sealed, signed, seat_keys, number]).ljust(32, b"\7")
    return simulate(Simulation(table, seats, rng, sealed, signed, seat_keys, players, sequence=7))


def all_signed(seats: int = 4, rounds: int = 2) -> Simulated:
    """Return a match with everything in it: sealed contributions, keys of operator and seats."""
    return played(seats, rounds, sealed=True, signed=True, seat_keys=True)


SAMPLES: dict[str, Callable[[], Simulated]] = {
    "three seats": lambda: played(3, 2),
    "four seats": lambda: played(4, 3),
    "random play": lambda: played(4, 2, players="random"),
    "operator's key": lambda: played(4, 2, signed=True),
    "sealed": lambda: played(5, 2, sealed=True),
    "sealed, all keys": lambda: all_signed(4, 2),
    "eight seats": lambda: all_signed(8, 2),
}
"""Sound matches of every kind, made when they are first asked for."""


def held_by_all(done: Simulated) -> Evidence:
    """Return everything that the parties of a simulated match hold afterwards."""
    return Evidence(
        tickets=tuple(done.tickets),
        receipts=(done.receipt(done.lock), done.receipt(len(done.data))),
        commitments=(done.tree.commitment(),),
        published=({done.terms.sequence: done.tree.commitment()},),
        keys={signer: public_key(key) for signer, key in done.keys.items()},
        contributions={seat: value for seat, value in enumerate(done.contributions) if value},
    )


def apart(records: Iterable[Record]) -> list[Record]:
    """Return records with every action one of its own, as a log counts them."""
    single: list[Record] = []
    for record in records:
        single += [Actions((one,)) for one in record.actions] if isinstance(record, Actions) else [record]
    return single


def rebuilt(records: Sequence[Record], keys: Mapping[int, bytes] | None = None) -> bytes:
    """Return the bytes of a log with a right digest in its close, and right signatures by the private `keys`.

    A group of signatures signs the byte at which it begins, so does the one after the close.
    """
    data, offset = b"", 0
    first = records[0]
    assert isinstance(first, Terms)
    terms = terms_hash(encode_record(first))
    before: Record | None = None
    for record in records:
        made = record
        if isinstance(record, Signature):
            offset = offset if isinstance(before, Signature) else len(data)
            if record.signer in (keys or {}):
                message = signed_message(terms, record.signer, offset, file_digest(data[:offset]))
                made = Signature(record.signer, sign((keys or {})[record.signer], message))
        elif isinstance(record, Close):
            made = replace(record, digest=file_digest(data))
        data += encode_record(made)
        before = record
    return data


def voided(
    done: Simulated, upto: int, reason: CloseReason = CloseReason.STOPPED, seat: int | None = None, **changes: Any
) -> bytes:
    """Return a match cut before record `upto` (actions counted singly) and closed void, all else as it should be."""
    records = apart(done.records)[:upto]
    match = Match(done.terms.rules, len(done.terms.seats), done.terms.rounds)
    for record in records:
        if isinstance(record, RoundEnd):
            match.end_round(record.places, record.points)
    close = Close(reason, seat, b"", tuple(match.totals), (), done.secret)
    records.append(replace(close, **changes))
    if OPERATOR in done.keys:
        records.append(Signature(OPERATOR, UNSIGNED))
    return rebuilt(records, done.keys)


def where(done: Simulated, kind: type[Record], number: int = 0) -> int:
    """Return the index of a record of a kind among all (actions counted singly), the first by default."""
    return [index for index, one in enumerate(apart(done.records)) if isinstance(one, kind)][number]


def evidence_folder(folder: Path, done: Simulated, *, but: Iterable[str] = ()) -> Path:
    """Write the evidence files of a match below `folder`, some left out, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in evidence_files(done).items():
        if name not in but:
            (folder / name).write_text(text, encoding="ascii")
    return folder


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return the file of a sound match without evidence."""
    path = tmp_path / "match.fdl"
    path.write_bytes(bytes(played().data))
    return path
