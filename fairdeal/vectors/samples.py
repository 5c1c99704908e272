"""The sample matches: sound ones of every kind with what their parties hold, and faulty ones made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from fairdeal.anchor import evidence_of
from fairdeal.audit import audit
from fairdeal.evidence import Evidence
from fairdeal.hashing import tagged_hash
from fairdeal.players import PLAYERS
from fairdeal.records import UNTIMED, Presence, SeatEvent
from fairdeal.report import Report
from fairdeal.ruleset import Ruleset, load_preset, preset_names
from fairdeal.settings import MatchEnd, SeatKind
from fairdeal.simulate import Simulated, Simulation, evidence_files, simulate
from fairdeal.vectors.answers import stated
from fairdeal.vectors.envelope import VALID, Stage, Test, valid
from fairdeal.vectors.held import HeldCase, held_cases
from fairdeal.vectors.mutators import MUTATORS, Mutator, falsified
from fairdeal.vectors.mutators.draft import parted, split
from fairdeal.vectors.truths import true_cases

FOLDER: Final = "match"
FAULTY: Final = "match/faulty"
CLOCKED: Final = ("reading clock-starts-with-the-turn", "reading clock-not-on-tributes")
"""What every sample with a clock shows."""


def sample_plans() -> dict[str, Simulation]:
    """Return the plan of every sound sample by its name."""
    preset = load_preset("president")
    target = load_preset("president", {"match_end": "target", "end_at": 7})
    short = load_preset("president", {"end_at": 2})

    def rng(name: str) -> bytes:
        return tagged_hash("vectors", name.encode("ascii"))

    return {
        "three-seats": Simulation(preset, 3, rng("three-seats")),
        "four-seats-signed": Simulation(preset, 4, rng("four-seats-signed"), sealed=True, signed=True, sequence=2),
        "four-seats-target": Simulation(target, 4, rng("four-seats-target"), sealed=True, sequence=3),
        "five-seats-lowest": Simulation(preset, 5, rng("five-seats-lowest"), players="lowest", sequence=4),
        "six-seats-two-packs": Simulation(preset, 6, rng("six-seats-two-packs"), signed=True, sequence=5),
        "seven-seats": Simulation(short, 7, rng("seven-seats"), sealed=True, sequence=6),
        "eight-seats-all-keys": Simulation(
            short, 8, rng("eight-seats-all-keys"), sealed=True, signed=True, seat_keys=True, sequence=7
        ),
        "five-seats-to-zero": Simulation(_to_zero(), 5, rng("five-seats-to-zero"), sequence=8),
        "three-seats-open": Simulation(_open(), 3, rng("three-seats-open"), sequence=9, rounds=4),
        "four-seats-own-points": Simulation(_own_points(), 4, rng("four-seats-own-points"), sequence=10),
        **_preset_plans(rng),
        **_clock_plans(rng),
        **_bot_plans(rng),
    }


def _preset_plans(rng: Callable[[str], bytes]) -> dict[str, Simulation]:
    """Return a plan for every preset at every number of seats; sealing, signing and players change from one to another.

    Matches that last as long as the table likes end after six rounds.
    """
    plans: dict[str, Simulation] = {}
    for preset in preset_names():
        ruleset = load_preset(preset)
        for seats in range(ruleset.min_seats, ruleset.max_seats + 1):
            name, number = f"{preset}-{seats}", 11 + len(plans)
            plans[name] = Simulation(
                ruleset,
                seats,
                rng(name),
                sealed=number % 2 == 0,
                signed=number % 3 == 0,
                players=sorted(PLAYERS)[number % len(PLAYERS)],
                sequence=number,
                rounds=6 if ruleset.template.match_end is MatchEnd.OPEN else None,
            )
    return plans


def _clock_plans(rng: Callable[[str], bytes]) -> dict[str, Simulation]:
    """Return plans of matches with time-outs and lost connections, under several rules, with and without bots."""
    timed: dict[str, str | bool | int] = {"turn_seconds": 30}
    three = load_preset("president", {"first_play_3c": True})
    jokers = load_preset("wild-joker", timed)
    tables: dict[str, tuple[Ruleset, int, str | tuple[str, ...]]] = {
        "clock-three-seats": (three, 3, "lowest"),
        "clock-four-seats": (load_preset("president"), 4, "random"),
        "clock-five-seats-to-zero": (load_preset("le-president", timed), 5, "random"),
        "clock-six-seats": (load_preset("president", {"end_at": 3}), 6, "lowest"),
        "clock-and-bots": (load_preset("party"), 4, ("hard", "largest", "easy", "largest")),
        "clock-and-jokers": (jokers, 4, "random"),
        "clock-and-bots-of-no-level": (load_preset("president", {"end_at": 2}), 4, ("bot", "random", "easy", "random")),
    }
    return {
        name: Simulation(
            rules,
            seats,
            rng(name),
            sealed=number % 2 == 0,
            signed=number % 3 == 0,
            seat_keys=number % 4 == 0,
            players=players,
            sequence=number,
            rounds=4 if rules.template.match_end is MatchEnd.OPEN else None,
            clock=True,
        )
        for number, (name, (rules, seats, players)) in enumerate(tables.items(), 100)
    }


def _bot_plans(rng: Callable[[str], bytes]) -> dict[str, Simulation]:
    """Return plans of matches in which bots of every level play, among each other and with people."""
    mixed = ("hard", "easy", "random", "medium")
    houses = load_preset("president", {"name": "house rules", "straights": True, "going_out": "drops", "end_at": 3})
    tables: dict[str, tuple[Ruleset, int, str | tuple[str, ...]]] = {
        "bots-mixed": (load_preset("president"), 4, mixed),
        "bots-easy": (load_preset("party"), 3, "easy"),
        "bots-medium": (load_preset("le-president"), 5, "medium"),
        "bots-hard": (load_preset("prezydent"), 4, "hard"),
        "bots-two-packs": (load_preset("president", {"end_at": 2}), 8, mixed * 2),
        "bots-wild-twos": (load_preset("wild-twos"), 4, ("hard", "medium", "easy", "largest")),
        "bots-wild-joker": (load_preset("wild-joker"), 5, ("easy", "hard", "medium", "hard", "lowest")),
        "bots-always-match": (load_preset("always-match"), 3, ("hard", "medium", "easy")),
        "bots-house-rules": (houses, 5, ("hard", "easy", "medium", "largest", "hard")),
        "bots-of-no-level": (load_preset("president", {"end_at": 2}), 4, ("bot", "hard", "random", "bot")),
    }
    return {
        name: Simulation(
            rules,
            seats,
            rng(name),
            sealed=name in ("bots-mixed", "bots-wild-joker"),
            signed=number % 2 == 0,
            seat_keys=name == "bots-mixed",
            players=players,
            sequence=number,
            rounds=4 if rules.template.match_end is MatchEnd.OPEN else None,
        )
        for number, (name, (rules, seats, players)) in enumerate(tables.items(), 200)
    }


def _to_zero() -> Ruleset:
    """Return a ruleset with points by title down to zero, reseating, the president leading and shared places."""
    changes = {"name": "to zero", "points": [5, 0, -5, -10, -15], "start_points": 50, "match_end": "zero", "end_at": 0}
    changes |= {"ties": "shared", "reseat": True, "later_leader": "president", "first_card": "first-place"}
    return load_preset("president", changes)


def _open() -> Ruleset:
    """Return a ruleset without points that ends when the table stops, in which the three of clubs always leads."""
    changes = {"name": "open end", "points": "none", "match_end": "open", "end_at": 0, "ties": "none"}
    changes |= {"later_leader": "3c", "first_card": "left-of-last", "exchange_top": 1, "exchange_vice": 1}
    return load_preset("president", changes | {"top_rank_matchable": False, "turn_seconds": 0})


def _own_points() -> Ruleset:
    """Return a ruleset with a row of points, no exchange, and the first card deciding the first leader."""
    rows = {str(seats): [7, *[1] * (seats - 2), -3] for seats in range(3, 9)}
    changes = {"name": "own points", "points": rows, "start_points": 10, "end_at": 3, "first_leader": "first-dealt"}
    return load_preset("president", changes | {"exchange_top": 0, "exchange_vice": 0, "first_card": "left-of-last"})


def sound_samples() -> dict[str, Simulated]:
    """Return every sound sample by its name."""
    return {name: simulate(plan) for name, plan in sample_plans().items()}


def sample_files(samples: Mapping[str, Simulated]) -> dict[str, bytes]:
    """Return the files of the sound samples, logs and evidence, by their path below the vectors."""
    files = {f"{FOLDER}/{name}.fdl": bytes(sample.data) for name, sample in samples.items()}
    for name, sample in samples.items():
        for file, text in evidence_files(sample).items():
            files[f"{FOLDER}/{name}/{file}"] = text.encode("ascii")
    return files


def faulty_logs() -> Iterator[tuple[Mutator, bytes, bytes]]:
    """Yield each mutator with the bytes of a faulty log by it, and the commitment that was published."""
    for mutator in MUTATORS:
        sample, mutated = falsified(mutator)
        yield mutator, mutated.data, sample.tree.commitment()


def _shows(sample: Simulated) -> dict[str, object]:
    """Return what tags a sound match with a clock or with bots shows, under the name that tests have for them."""
    pairs = [parted(record) for record in split(sample.records)]
    timed = any(timing != UNTIMED for _, timing in pairs)
    left = any(isinstance(inner, SeatEvent) and inner.presence is Presence.LEFT for inner, _ in pairs)
    shown = [f"turn_seconds={sample.terms.rules.turn_seconds}", *CLOCKED] * timed
    shown += ["reading leaving-is-final"] * left
    shown += ["common seats"] * (timed or any(seat.kind is not SeatKind.HUMAN for seat in sample.terms.seats))
    shown += ["reading bots-play-by-policy"] * bool(sample.terms.bot_policy)
    return {"shows": shown} if shown else {}


def match_stage(samples: Mapping[str, Simulated]) -> tuple[Stage, dict[str, bytes]]:
    """Return the tests of whole matches, and the faulty logs they speak of by path."""
    header = [
        "Whole logs, each with the verdict an auditor reaches and the findings in their order. A log is a file,",
        "`log`, or given as `logHex`. `evidence` is a folder of what the parties hold, `held` the texts of such",
        "files by name, and `commitment` the one that was published; with none of them nothing anchors the deals.",
        "Sound logs are made by simulated play. Faulty ones are each a sound one changed in one respect, after",
        "which the digest and the operator's signatures were made good again, as a careful cheat would. `shows` names",
        "settings, common rules and readings, as in `play.json`, where a log is about clock, seats or bots.",
    ]
    tests: list[Test] = []
    for name, sample in samples.items():
        log = f"{FOLDER}/{name}.fdl"
        what = f"{len(sample.terms.seats)} seats, {sample.terms.contributions} contributions"
        shown = _shows(sample)
        tests.append({**_verified(f"{what}, with evidence", log, f"{FOLDER}/{name}"), **shown})
        report = audit(bytes(sample.data))
        tests.append(_not_verified(f"{what}, nothing held from before", log, report, {}))
    tests += [_held(case) for case in held_cases(samples)]
    tests += [_true(case) for case in true_cases()]
    files = {}
    for mutator, data, commitment in faulty_logs():
        path = f"{FAULTY}/{mutator.name}.fdl"
        files[path] = data
        report = audit(data, Evidence(commitments=(commitment,)))
        test = _not_verified(mutator.description, path, report, {"commitment": commitment.hex()})
        shows = mutator.needs.get("shows", ())
        tests.append({**test, "shows": list(shows)} if shows else test)
    return Stage("match", header, tests), files


def _held(case: HeldCase) -> Test:
    """Return the test of a log that ships beside evidence which is given inline."""
    report = audit(case.log, evidence_of(case.held))
    given: dict[str, object] = {"log": case.path} if case.path else {"logHex": case.log.hex()}
    return {"comment": case.comment, **given, "held": dict(case.held), "result": VALID, **stated(report)}


def _true(case: HeldCase) -> Test:
    """Return the test of a sound log; raises `ValueError` where there is a finding."""
    test = _held(case)
    if test["findings"]:
        raise ValueError(f"`{case.comment}` has findings: {test['findings']}")
    return {**test, "shows": list(case.shows)} if case.shows else test


def _verified(comment: str, log: str, folder: str) -> Test:
    return valid(comment, log=log, evidence=folder, verdict="verified", findings=[])


def _not_verified(comment: str, log: str, report: Report, held: Mapping[str, str]) -> Test:
    return {"comment": comment, "log": log, **held, "result": VALID, **stated(report)}
