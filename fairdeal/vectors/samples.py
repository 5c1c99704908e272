"""The sample matches: sound ones of every kind with what their parties hold, and faulty ones made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from fairdeal.anchor import evidence_of
from fairdeal.audit import audit
from fairdeal.bots import PLAYERS
from fairdeal.evidence import Evidence
from fairdeal.hashing import tagged_hash
from fairdeal.report import Report
from fairdeal.ruleset import Ruleset, load_preset, preset_names
from fairdeal.settings import MatchEnd
from fairdeal.simulate import Simulated, Simulation, evidence_files, simulate
from fairdeal.vectors.answers import stated
from fairdeal.vectors.envelope import VALID, Stage, Test, valid
from fairdeal.vectors.held import HeldCase, held_cases
from fairdeal.vectors.mutators import MUTATORS, falsified

FOLDER: Final = "match"
FAULTY: Final = "match/faulty"


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


def faulty_logs() -> Iterator[tuple[str, str, bytes, bytes]]:
    """Yield name, description, bytes and published commitment of one faulty log per mutator."""
    for mutator in MUTATORS:
        sample, mutated = falsified(mutator)
        yield mutator.name, mutator.description, mutated.data, sample.tree.commitment()


def match_stage(samples: Mapping[str, Simulated]) -> tuple[Stage, dict[str, bytes]]:
    """Return the tests of whole matches, and the faulty logs they speak of by path."""
    header = [
        "Whole logs, each with the verdict an auditor reaches and the findings in their order. A log is a file,",
        "`log`, or given as `logHex`. `evidence` is a folder of what the parties hold, `held` the texts of such",
        "files by name, and `commitment` the one that was published; with none of them nothing anchors the deals.",
        "Sound logs are made by simulated play. Faulty ones are each a sound one changed in one respect, after",
        "which the digest and the operator's signatures were made good again, as a careful cheat would.",
    ]
    tests: list[Test] = []
    for name, sample in samples.items():
        log = f"{FOLDER}/{name}.fdl"
        what = f"{len(sample.terms.seats)} seats, {sample.terms.contributions} contributions"
        tests.append(_verified(f"{what}, with evidence", log, f"{FOLDER}/{name}"))
        report = audit(bytes(sample.data))
        tests.append(_not_verified(f"{what}, nothing held from before", log, report, {}))
    tests += [_held(case) for case in held_cases(samples)]
    files = {}
    for name, description, data, commitment in faulty_logs():
        path = f"{FAULTY}/{name}.fdl"
        files[path] = data
        report = audit(data, Evidence(commitments=(commitment,)))
        tests.append(_not_verified(description, path, report, {"commitment": commitment.hex()}))
    return Stage("match", header, tests), files


def _held(case: HeldCase) -> Test:
    """Return the test of a log that ships beside evidence which is given inline."""
    report = audit(case.log, evidence_of(case.held))
    given: dict[str, object] = {"log": case.path} if case.path else {"logHex": case.log.hex()}
    return {"comment": case.comment, **given, "held": dict(case.held), "result": VALID, **stated(report)}


def _verified(comment: str, log: str, folder: str) -> Test:
    return valid(comment, log=log, evidence=folder, verdict="verified", findings=[])


def _not_verified(comment: str, log: str, report: Report, held: Mapping[str, str]) -> Test:
    return {"comment": comment, "log": log, **held, "result": VALID, **stated(report)}
