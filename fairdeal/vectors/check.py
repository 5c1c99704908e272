"""Checking vectors against this implementation: each stage recomputes what its tests state and compares."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final, NamedTuple

from fairdeal.anchor import evidence_of, read_folder
from fairdeal.audit import audit
from fairdeal.cards import CARD_NAMES, fresh_cards
from fairdeal.codec import Log
from fairdeal.codes import Code
from fairdeal.commit import round_blind, seal, seed_tree, transcript
from fairdeal.deal import deal_hands
from fairdeal.errors import FairdealError, Malformed, Misuse, StreamExhausted
from fairdeal.evidence import Evidence
from fairdeal.hashing import enc
from fairdeal.jsonform import log_from_json, log_to_json
from fairdeal.limits import STREAM_FIRST
from fairdeal.merkle import leaf_hash, merkle_root
from fairdeal.report import Report
from fairdeal.shuffle import deck_order, deck_stream, shuffle, shuffle_steps
from fairdeal.ticket import decode_ticket
from fairdeal.vectors import exchange_stage, perft_stage, play_stage, score_stage, table_stage
from fairdeal.vectors.cases import Recompute
from fairdeal.vectors.envelope import INVALID, VALID, Test, tests_of
from fairdeal.verify import dealing_of, hand_of


class Result(NamedTuple):
    """The outcome for one vector file: how many tests passed, and a line for each that did not."""

    file: str
    passed: int
    failures: list[str]


def hexed(value: str) -> bytes:
    """Return the bytes of a test's hexadecimal field."""
    return bytes.fromhex(value)


@contextmanager
def shipped() -> Iterator[Path]:
    """Give the folder of the vectors that ship with this package, from a wheel or from a checkout."""
    packaged = files("fairdeal.vectors").joinpath("data", "v1")
    if packaged.is_dir():
        with as_file(packaged) as folder:
            yield folder
    else:
        yield Path(__file__).parents[2] / "vectors" / "v1"


def check(folder: Path) -> Iterator[Result]:
    """Yield the outcome of every vector file in `folder`; raises `Misuse` where there is none."""
    names = [name for name in STAGES if (folder / f"{name}.json").is_file()]
    if not names:
        raise Misuse("no vector files", str(folder), f"vector files are named {', '.join(STAGES)}, each .json")
    for name in names:
        yield check_file(folder / f"{name}.json")


def check_file(path: Path) -> Result:
    """Return the outcome of one vector file; a test that cannot even be read has failed."""
    run = STAGES[path.stem]
    passed, failures = 0, []
    try:
        tests = tests_of(json.loads(path.read_text("ascii")))
    except (ValueError, KeyError, TypeError) as error:
        return Result(path.name, 0, [f"the file cannot be read: {error}"])
    for test in tests:
        try:
            computed = {"result": VALID, **run(test, path.parent)}
            wrong = [key for key, value in computed.items() if test.get(key) != value]
        except (LookupError, TypeError, ValueError, OSError, FairdealError) as error:
            wrong = [f"{type(error).__name__}: {error}"]
        if wrong:
            failures.append(f"test {test.get('tcId')} ({test.get('comment')}): {', '.join(wrong)}")
        else:
            passed += 1
    return Result(path.name, passed, failures)


def outcome(code: str, place: str = "") -> dict[str, object]:
    """Return what a test states of an input that is refused."""
    return {"result": INVALID, "code": code, "place": place}


def _seeds(test: Test, folder: Path) -> dict[str, object]:
    del folder
    terms, rounds = hexed(test["termsHash"]), test["rounds"]
    tree = seed_tree(hexed(test["secret"]), terms, rounds)
    if test["result"] == INVALID:
        opens = tree.commitment() == hexed(test["commitment"])
        return {} if opens else outcome(Code.COMMITMENT, "close.secret")
    listed = test["listed"]
    return {
        "seedInfo": [enc("round-seed", number).hex() for number in listed],
        "seeds": [tree.seeds[number - 1].hex() for number in listed],
        "fingerprints": [tree.fingerprints[number - 1].hex() for number in listed],
        "leaves": [leaf_hash(tree.fingerprints[number - 1]).hex() for number in listed],
        "paths": [[one.hex() for one in tree.path(number)] for number in listed],
        "root": merkle_root(tree.fingerprints).hex(),
        "commitment": tree.commitment().hex(),
    }


def _contributions(test: Test, folder: Path) -> dict[str, object]:
    del folder
    terms, commitment = hexed(test["termsHash"]), hexed(test["commitment"])
    if test["result"] == INVALID:
        fits = seal(terms, commitment, test["seat"], hexed(test["contribution"])) == hexed(test["seal"])
        return {} if fits else outcome(Code.CONTRIBUTION_OPENING, f"opened[{test['seat']}]")
    values = [hexed(value) for value in test["contributions"]]
    seals = [seal(terms, commitment, seat, value).hex() if value else "" for seat, value in enumerate(values)]
    return {
        "seals": seals,
        "encodedContributions": enc("contributions", *values).hex(),
        "transcript": transcript(terms, commitment, values).hex(),
    }


def _shuffle(test: Test, folder: Path) -> dict[str, object]:
    del folder
    cards, stream = bytes(test["cards"]), hexed(test["stream"])
    try:
        order = list(shuffle(cards, stream))
        draws = [[draw.i, draw.byte, draw.j, draw.accepted] for draw in shuffle_steps(cards, stream)]
    except StreamExhausted:
        return outcome("stream-exhausted")
    return {"draws": draws, "order": order}


def _deal(test: Test, folder: Path) -> dict[str, object]:
    del folder
    seed, mixed, number = hexed(test["seed"]), hexed(test["transcript"]), test["round"]
    order = deck_order(seed, mixed, number, fresh_cards(test["packs"], test["jokers"]))
    hands = [[CARD_NAMES[face] for face in hand] for hand in deal_hands(order, test["seats"])]
    return {
        "streamInfo": enc("deck", number).hex(),
        "stream": deck_stream(seed, mixed, number, STREAM_FIRST).hex(),
        "order": list(order),
        "hands": hands,
        "blind": round_blind(seed, mixed, number).hex(),
    }


def _ticket(test: Test, folder: Path) -> dict[str, object]:
    del folder
    try:
        ticket = decode_ticket(test["ticket"])
    except Malformed:
        return outcome(Code.MALFORMED)
    if test["result"] == INVALID:
        return {}
    seed = hexed(test["seed"])
    dealing = dealing_of(ticket, seed)
    return {
        "termsHash": ticket.terms_hash.hex(),
        "rounds": ticket.rounds,
        "round": ticket.round,
        "fingerprint": ticket.fingerprint.hex(),
        "path": [one.hex() for one in ticket.path],
        "contributions": [one.hex() for one in ticket.contributions],
        "packs": ticket.packs,
        "jokers": ticket.jokers,
        "position": ticket.position,
        "seat": ticket.seat,
        "commitment": dealing.commitment.hex(),
        "transcript": dealing.transcript.hex(),
        "hand": [CARD_NAMES[face] for face in hand_of(ticket, seed)],
    }


def _codec(test: Test, folder: Path) -> dict[str, object]:
    del folder
    data = hexed(test["log"])
    stopped = audit(data).stopped
    if stopped is not None:
        return outcome(Code.MALFORMED if isinstance(stopped, Malformed) else Code.UNSUPPORTED, stopped.where)
    log = Log(data)
    document = log_to_json(log)
    again = log_from_json({**document, "records": test["records"]})
    return {"termsHash": log.terms_hash.hex(), "records": document["records"], "log": again.hex()}


def _match(test: Test, folder: Path) -> dict[str, object]:
    data = hexed(test["logHex"]) if "logHex" in test else (folder / test["log"]).read_bytes()
    evidence = Evidence()
    if "held" in test:
        evidence = evidence_of(test["held"])
    elif "evidence" in test:
        evidence = read_folder(folder / test["evidence"])
    elif "commitment" in test:
        evidence = Evidence(commitments=(hexed(test["commitment"]),))
    return stated(audit(data, evidence))


def stated(report: Report) -> dict[str, object]:
    """Return what a match test states of a report: verdict and findings, and the first of them as the reason."""
    findings = [{"code": str(one.code), "place": one.place} for one in report.findings]
    reason = outcome(findings[0]["code"], findings[0]["place"]) if findings else {"result": VALID}
    return {**reason, "verdict": str(report.verdict), "findings": findings}


def _by_rules(recompute: Recompute) -> Callable[[Test, Path], dict[str, object]]:
    """Return the check of a stage of the rules, whose tests need no other file."""
    return lambda test, _: recompute(test)


STAGES: Final[dict[str, Callable[[Test, Path], dict[str, object]]]] = {
    "seeds": _seeds,
    "contributions": _contributions,
    "shuffle": _shuffle,
    "deal": _deal,
    "ticket": _ticket,
    "play": _by_rules(play_stage.recompute),
    "exchange": _by_rules(exchange_stage.recompute),
    "table": _by_rules(table_stage.recompute),
    "score": _by_rules(score_stage.recompute),
    "perft": _by_rules(perft_stage.recompute),
    "codec": _codec,
    "match": _match,
}
