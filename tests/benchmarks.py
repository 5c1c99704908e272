"""Speeds and sizes of the hot paths, with their ratios: `python -m pytest tests/benchmarks.py -s`.

Ratios are taken within one process, so that they hold on other machines too; nothing here fails for being slow.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from fairdeal.audit import audit
from fairdeal.cards import fresh_cards
from fairdeal.codec import Log
from fairdeal.deal import hands_of_round
from fairdeal.hashing import tagged_hash
from fairdeal.records import PASS, Actions, Seat, Terms
from fairdeal.replay import replay
from fairdeal.ruleset import load_preset, preset_names
from fairdeal.settings import Contributions, SeatKind
from fairdeal.shuffle import deck_order, deck_stream, shuffle
from fairdeal.sign import public_key, sign, verify
from fairdeal.simulate import Simulated, Simulation, simulate
from fairdeal.table import Phase, Table

KEY = tagged_hash("bench", b"key")
MESSAGE = b"message"


# every house rule that goes with the others, each in its costliest form
RICHEST = {
    "jokers_per_pack": 2,
    "joker": "wild",
    "twos": "clear-and-one-beats-any",
    "equal_rank": "skip-if-unable",
    "top_rank_matchable": False,
    "pass": "locks",
    "completed_rank": "clear",
    "revolution": "trick",
    "straights": True,
    "going_out": "drops",
    "first_play_3c": True,
    "reseat": True,
}


@cache
def sample(seats: int = 5, players: str = "lowest", *, full: bool = False, rich: bool = False) -> Simulated:
    """Return a match of five rounds; `full` with contributions and an operator's key, `rich` with all house rules."""
    ruleset = load_preset("president", RICHEST if rich else {})
    return simulate(Simulation(ruleset, seats, tagged_hash("bench", b"match"), full, full, players=players))


def best_of(work: Callable[[], object], least: float = 0.3) -> float:
    """Return the least number of seconds one call takes, over repeats that last at least `least` seconds together."""
    fastest, begun = float("inf"), time.perf_counter()
    while time.perf_counter() - begun < least:
        start = time.perf_counter()
        work()
        fastest = min(fastest, time.perf_counter() - start)
    return fastest


def verification() -> float:
    """Return the seconds of one Ed25519 verification."""
    signature, key = sign(KEY, MESSAGE), public_key(KEY)
    return best_of(lambda: verify(key, signature, MESSAGE))


def actions(done: Simulated) -> int:
    """Return how many actions a match has."""
    return sum(len(record.actions) for record in done.records if isinstance(record, Actions))


def test_shuffle(benchmark: BenchmarkFixture) -> None:
    """Fisher-Yates of 52 cards from a given stream."""
    stream = deck_stream(KEY, KEY, 1)
    benchmark(shuffle, fresh_cards(1, 0), stream)


def test_deal(benchmark: BenchmarkFixture) -> None:
    """Seed to hands for five seats."""
    benchmark(hands_of_round, KEY, KEY, 1, (0, 1, 2, 3, 4), 1, 0)


def test_decode(benchmark: BenchmarkFixture) -> None:
    """Bytes to records."""
    benchmark(Log, bytes(sample().data))


def test_replay(benchmark: BenchmarkFixture) -> None:
    """Records to judgement."""
    log = Log(bytes(sample().data))
    benchmark(replay, log)


def test_audit(benchmark: BenchmarkFixture) -> None:
    """Bytes to report."""
    benchmark(audit, bytes(sample().data))


def test_ratios(capsys: pytest.CaptureFixture[str]) -> None:
    """The ratios that are watched, printed."""
    data = bytes(sample().data)
    log = Log(data)
    one = verification()
    rows = {
        "decoding": best_of(lambda: Log(data)) / one,
        "replay and judgement": best_of(lambda: replay(log)) / one,
        "whole audit": best_of(lambda: audit(data)) / one,
    }
    seconds = best_of(lambda: audit(data))
    with capsys.disabled():
        print(f"\none Ed25519 verification: {one * 1e6:.0f} us")
        print(f"match of five seats, five rounds, {actions(sample())} actions, in verifications:")
        for name, ratio in rows.items():
            print(f"  {name:<22} {ratio:6.2f}")
        print(f"audit: {1 / seconds:.0f} matches/s, {actions(sample()) / seconds / 1e3:.0f} k actions/s")
        print(f"deck order of 52 cards: {best_of(lambda: deck_order(KEY, KEY, 1, fresh_cards(1, 0))) * 1e6:.1f} us")


def cost(preset: str, players: str, *, rich: bool = False) -> tuple[float, float]:
    """Return the microseconds that replay and judgement take for a match of five seats and rounds, and its actions."""
    ruleset = load_preset(preset, RICHEST if rich else {})
    plans = [Simulation(ruleset, 5, tagged_hash("bench", n), players=players, rounds=5) for n in range(4)]
    done = [simulate(plan) for plan in plans]
    logs = [Log(bytes(one.data)) for one in done]
    return best_of(lambda: [replay(log) for log in logs], 1.0) / len(logs) * 1e6, sum(map(actions, done)) / len(logs)


def test_rulesets(capsys: pytest.CaptureFixture[str]) -> None:
    """What a match costs under other rules than the plain ones, printed."""
    with capsys.disabled():
        for players in ("lowest", "random"):
            plain, count = cost("president", players)
            print(f"\nreplay and judgement, {players} play: president {plain:.0f} us, {count:.0f} actions")
            tables = {name: cost(name, players) for name in preset_names()}
            tables["all house rules"] = cost("president", players, rich=True)
            for name, (match, played) in tables.items():
                print(f"  {name:<16} {match / plain:5.2f} times as much a match, {played:4.0f} actions")


def test_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    """The sizes of logs of lowest-card play, four seats and five rounds, printed."""
    with capsys.disabled():
        print()
        for full in (False, True):
            done = sample(4, full=full)
            items = Log(bytes(done.data)).items
            moves = sum(item.end - item.start for item in items if isinstance(item.record, Actions))
            kind = "sealed and signed" if full else "unsigned"
            rest = len(done.data) - moves
            print(
                f"{kind}: {len(done.data)} bytes, {rest} without actions, {moves / actions(done):.2f} bytes an action"
            )


def turn(table: Table, now: int) -> int:
    """Let a table go on by one call, as a game server does; return how many actions that was, -1 after the end."""
    if table.advance(now) is not None:
        return 1
    public = table.spectator()
    match public.phase:
        case Phase.EXCHANGE:
            view = table.view(public.waiting[0])
            table.give(public.waiting[0], (view.hand or b"")[: view.owed], now)
            return 1
        case Phase.PLAYING:
            action = table.view(public.waiting[0]).legal[-1]
            if action.kind == PASS:
                table.pass_turn(action.seat, now)
            else:
                table.play(action.seat, action.cards, now)
            return 1
        case Phase.BETWEEN:
            table.tickets()
            table.deal(now)
            return 0
        case Phase.OVER:
            table.finish()
            return 0
        case _:
            return -1


def live_terms(number: int, kind: SeatKind) -> Terms:
    """Return the terms of a match of five seats and rounds."""
    seats = tuple(Seat(f"seat {seat}", kind, b"") for seat in range(5))
    rules = load_preset("president").resolve(5)
    return Terms(number.to_bytes(16, "big"), number, b"", rules, seats, 5, Contributions.NONE, "", 1)


def test_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Fifty live tables in one process that take turns, forced to the disk after each trick, printed."""
    forced, force = [0], os.fdatasync

    def counted(handle: int) -> None:
        forced[0] += 1
        force(handle)

    monkeypatch.setattr(os, "fdatasync", counted)
    with capsys.disabled():
        print()
        for kind in (SeatKind.HUMAN, SeatKind.EASY, SeatKind.MEDIUM, SeatKind.HARD):
            tables = [Table.create(tmp_path / f"{kind}-{n}", live_terms(n, kind)) for n in range(50)]
            forced[0], made, now = 0, 0, 0
            wall, busy = time.perf_counter(), time.process_time()
            while tables:
                now += 100
                for table in tables.copy():
                    done = turn(table, now)
                    made += max(done, 0)
                    if done < 0:
                        tables.remove(table)
            wall, busy = time.perf_counter() - wall, time.process_time() - busy
            print(
                f"50 tables of {kind} players: {made} actions, {made / wall:.0f} a second,"
                f" {made / busy:.0f} a second of processor time, {made / forced[0]:.1f} to each forced write"
            )


def test_start_up(capsys: pytest.CaptureFixture[str]) -> None:
    """How long `fairdeal --help` takes, beside importing typer alone."""

    def run(*arguments: str) -> float:
        command = [sys.executable, *arguments]
        return best_of(lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True), least=2.0)

    typer, own = run("-c", "import typer"), run("-m", "fairdeal", "--help")
    with capsys.disabled():
        print(f"\nimport typer {typer * 1e3:.0f} ms, fairdeal --help {own * 1e3:.0f} ms, ratio {own / typer:.2f}")
