"""What this implementation answers to the inputs of a test, stage by stage, never having seen what is expected.

`check` compares these answers with the vectors, `runner` does so with those of any other program, and `client` gives
them to whoever asks by the same protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from fairdeal.anchor import EVIDENCE_FILES, evidence_of
from fairdeal.audit import audit
from fairdeal.cards import CARD_NAMES, fresh_cards
from fairdeal.codec import Log
from fairdeal.codes import Code
from fairdeal.commit import fingerprint, round_blind, seal, seed_tree, transcript
from fairdeal.deal import deal_hands
from fairdeal.errors import Malformed, Misuse, StreamExhausted
from fairdeal.evidence import Evidence
from fairdeal.hashing import enc
from fairdeal.jsonform import log_from_json, log_to_json
from fairdeal.limits import MAX_ROUNDS, STREAM_FIRST
from fairdeal.merkle import leaf_hash, merkle_root
from fairdeal.report import Report
from fairdeal.shuffle import deck_order, deck_stream, shuffle, shuffle_steps
from fairdeal.texts import unhex
from fairdeal.ticket import decode_ticket
from fairdeal.vectors.envelope import INVALID, VALID, Test
from fairdeal.vectors.stages import accumulated, bots, exchange, perft, play, receipt, score, signature, table
from fairdeal.verify import dealing_of, hand_of

Inputs = Mapping[str, Any]
Answer = dict[str, Any]  # outputs by name, or `result` invalid with `code` and `place`


def outcome(code: str, place: str = "") -> Answer:
    """Return what a test states of an input that is refused."""
    return {"result": INVALID, "code": code, "place": place}


def _seeds(given: Inputs) -> Answer:
    terms, rounds = unhex(given["termsHash"]), given["rounds"]
    if not 1 <= rounds <= MAX_ROUNDS:
        raise Misuse(f"{rounds} rounds", hint=f"a match has 1 to {MAX_ROUNDS}")
    tree = seed_tree(unhex(given["secret"]), terms, rounds)
    if "commitment" in given:
        opens = tree.commitment() == unhex(given["commitment"])
        return {} if opens else outcome(Code.COMMITMENT, "close.secret")
    listed = given["listed"]
    return {
        "seedInfo": [enc("round-seed", number).hex() for number in listed],
        "seeds": [tree.seeds[number - 1].hex() for number in listed],
        "fingerprints": [tree.fingerprints[number - 1].hex() for number in listed],
        "leaves": [leaf_hash(tree.fingerprints[number - 1]).hex() for number in listed],
        "paths": [[one.hex() for one in tree.path(number)] for number in listed],
        "root": merkle_root(tree.fingerprints).hex(),
        "commitment": tree.commitment().hex(),
    }


def _contributions(given: Inputs) -> Answer:
    terms, commitment = unhex(given["termsHash"]), unhex(given["commitment"])
    if "seal" in given:
        fits = seal(terms, commitment, given["seat"], unhex(given["contribution"])) == unhex(given["seal"])
        return {} if fits else outcome(Code.CONTRIBUTION_OPENING, f"opened[{given['seat']}]")
    values = [unhex(value) for value in given["contributions"]]
    seals = [seal(terms, commitment, seat, value).hex() if value else "" for seat, value in enumerate(values)]
    return {
        "seals": seals,
        "encodedContributions": enc("contributions", *values).hex(),
        "transcript": transcript(terms, commitment, values).hex(),
    }


def _shuffle(given: Inputs) -> Answer:
    cards, stream = bytes(list(given["cards"])), unhex(given["stream"])
    try:
        order = list(shuffle(cards, stream))
        draws = [[draw.i, draw.byte, draw.j, draw.accepted] for draw in shuffle_steps(cards, stream)]
    except StreamExhausted:
        return outcome("stream-exhausted")
    return {"draws": draws, "order": order}


def _deal(given: Inputs) -> Answer:
    seed, mixed, number = unhex(given["seed"]), unhex(given["transcript"]), given["round"]
    if given["packs"] not in (1, 2) or given["jokers"] not in (0, 1, 2):
        raise Misuse("no deck of any table", hint="one or two packs with up to two jokers each")
    order = deck_order(seed, mixed, number, fresh_cards(given["packs"], given["jokers"]))
    hands = [[CARD_NAMES[face] for face in hand] for hand in deal_hands(order, given["seats"])]
    return {
        "streamInfo": enc("deck", number).hex(),
        "stream": deck_stream(seed, mixed, number, STREAM_FIRST).hex(),
        "order": list(order),
        "hands": hands,
        "blind": round_blind(seed, mixed, number).hex(),
    }


def _ticket(given: Inputs) -> Answer:
    try:
        ticket = decode_ticket(given["ticket"])
    except Malformed:
        return outcome(Code.MALFORMED)
    seed = unhex(given["seed"]) if "seed" in given else None
    if seed is not None and fingerprint(ticket.terms_hash, ticket.round, seed) != ticket.fingerprint:
        return outcome(Code.TICKET_FINGERPRINT, "seed")
    dealing = dealing_of(ticket, seed or bytes(32))  # commitment and transcript need no seed
    held = {} if seed is None else {"hand": [CARD_NAMES[face] for face in hand_of(ticket, seed)]}
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
        **held,
    }


def _codec(given: Inputs) -> Answer:
    data = unhex(given["log"])
    stopped = audit(data).stopped
    if stopped is not None:
        return outcome(Code.MALFORMED if isinstance(stopped, Malformed) else Code.UNSUPPORTED, stopped.where)
    log = Log(data)
    document = log_to_json(log)
    if log_from_json(document) != data:
        raise ValueError("the records do not give the same bytes again")
    return {"termsHash": log.terms_hash.hex(), "records": document["records"]}


def _match(given: Inputs) -> Answer:
    evidence = evidence_of(given["held"]) if "held" in given else Evidence()
    if "commitment" in given:
        evidence = Evidence(commitments=(unhex(given["commitment"]),))
    return stated(audit(unhex(given["log"]), evidence))


def stated(report: Report) -> Answer:
    """Return what a match test states of a report: verdict and findings, and the first of them as the reason."""
    findings = [{"code": str(one.code), "place": one.place} for one in report.findings]
    reason = outcome(findings[0]["code"], findings[0]["place"]) if findings else {}
    return {**reason, "verdict": str(report.verdict), "findings": findings}


class StageForm(NamedTuple):
    """How a stage is asked: what answers it, its inputs, those of its other form if it has one, what may be left out.

    The other form is what its invalid tests ask. Left out may be values on the way to others.
    """

    answer: Callable[[Inputs], Answer]
    inputs: tuple[str, ...]
    other: tuple[str, ...] = ()
    intermediate: frozenset[str] = frozenset()


STAGES: Final[dict[str, StageForm]] = {
    "seeds": StageForm(
        _seeds,
        ("secret", "termsHash", "rounds", "listed"),
        ("secret", "termsHash", "rounds", "commitment"),
        frozenset({"seedInfo", "leaves", "paths"}),
    ),
    "contributions": StageForm(
        _contributions,
        ("termsHash", "commitment", "contributions"),
        ("termsHash", "commitment", "seat", "seal", "contribution"),
        frozenset({"encodedContributions"}),
    ),
    "shuffle": StageForm(_shuffle, ("cards", "stream"), intermediate=frozenset({"draws"})),
    "deal": StageForm(
        _deal,
        ("seed", "transcript", "round", "seats", "packs", "jokers"),
        intermediate=frozenset({"streamInfo", "stream"}),
    ),
    "ticket": StageForm(_ticket, ("ticket", "seed")),
    "signature": StageForm(signature.recompute, signature.INPUTS),
    "receipt": StageForm(receipt.recompute, receipt.INPUTS),
    "play": StageForm(play.recompute, ("rules", "seating", "hands", "leader", "first", "history", "action")),
    "exchange": StageForm(exchange.recompute, ("rules", *exchange.INPUTS)),
    "table": StageForm(table.recompute, ("rules", *table.INPUTS)),
    "score": StageForm(score.recompute, ("rules", *score.INPUTS), intermediate=frozenset({"reached"})),
    "perft": StageForm(perft.recompute, ("rules", *perft.INPUTS), intermediate=frozenset({"ended"})),
    "bots": StageForm(bots.recompute, bots.INPUTS, intermediate=frozenset({"streamInfo"})),
    "accumulated": StageForm(accumulated.recompute, accumulated.INPUTS),
    "codec": StageForm(_codec, ("log",)),
    "match": StageForm(_match, ("log", "held", "commitment")),
}
_WORDS: Final = ("tcId", "comment", "shows")  # what no client is told and none has to say
_LOGS: Final = ("log", "logHex", "logParts", "evidence")  # how a test gives a log and what is held; inputs, too


def inputs_of(stage: str, test: Test, folder: Path) -> Inputs:
    """Return what an implementation is given of a test: its inputs, with logs in hexadecimal and evidence as texts."""
    form = STAGES[stage]
    names = form.other if form.other and test["result"] == INVALID else form.inputs
    given = {name: test[name] for name in names if name in test}
    if "log" in names:
        given["log"] = _log_hex(test, folder)
    if "evidence" in test:
        files = (folder / test["evidence"] / name for name in EVIDENCE_FILES)
        given["held"] = {file.name: file.read_text("utf-8") for file in files if file.is_file()}
    return given


def _log_hex(test: Test, folder: Path) -> str:
    if "logParts" in test:
        return "".join(part * times for part, times in test["logParts"])
    if "logHex" in test:
        return str(test["logHex"])
    log = str(test["log"])
    return (folder / log).read_bytes().hex() if log.endswith(".fdl") else log


def expected_of(stage: str, test: Test) -> Answer:
    """Return what an implementation must answer to a test, `result` included."""
    form = STAGES[stage]
    names = form.other if form.other and test["result"] == INVALID else form.inputs
    given = {*names, *_WORDS, *(_LOGS if "log" in names else ())}
    return {key: value for key, value in test.items() if key not in given}


def own_answer(stage: str, given: Inputs) -> Answer:
    """Return this implementation's answer, `result` included."""
    return {"result": VALID, **STAGES[stage].answer(given)}
