"""The core of the page against the auditor: what it finds in whole logs, sound, faulty and spoilt."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from fairdeal.audit import audit
from fairdeal.codes import Code
from fairdeal.report import Verdict
from tests.conftest import ROOT

VECTORS: Final = ROOT / "vectors" / "v1"
PARTS: Final = sorted((ROOT / "fairdeal" / "html" / "parts").glob("core-*.js"))
# what needs the rules of the game, which the page does not know
PLAY: Final = {
    *(Code.EXCHANGE_UNEXPECTED, Code.EXCHANGE_MISSING, Code.EXCHANGE_PARTIES, Code.EXCHANGE_COUNT, Code.TRIBUTE),
    *(Code.ROUND_OVER, Code.TURN, Code.PASS_ON_LEAD, Code.NOT_HELD, Code.NOT_A_SET, Code.ENCODING, Code.STRAIGHT),
    *(Code.NOT_A_STRAIGHT, Code.FIRST_PLAY, Code.KIND, Code.COUNT, Code.TOO_LOW, Code.ROUND_UNFINISHED),
    *(Code.CLOCK_MARK, Code.CLOCK_NOT_DUE, Code.CLOCK_EARLY, Code.CLOCK_OVERRUN, Code.CLOCK_CHOICE),
    *(Code.SEAT_EVENT, Code.BOT_CHOICE, Code.PLACES, Code.TITLES, Code.POINTS, Code.MATCH_OVER, Code.CLOSE_EARLY),
}
# what it is not given: guarantees, published lists, keys of seats
NOT_HELD: Final = {Code.NOT_PROVEN, Code.PUBLISHED_ABSENT}
RULES: Final = ("exchanges", "plays", "clock", "places", "titles", "points")


def core(requests: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what the core of the page says of logs."""
    node = shutil.which("node")
    assert node is not None, "Node.js is not installed: the core of the page cannot be tested"
    lines = "".join(f"{json.dumps(one)}\n" for one in requests)
    client = ROOT / "tests" / "clients" / "logs.mjs"
    ran = subprocess.run([node, client], input=lines, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    return [json.loads(line) for line in ran.stdout.splitlines()]


def matches() -> list[dict[str, Any]]:
    """Return all tests of whole logs."""
    document = json.loads((VECTORS / "match.json").read_text("ascii"))
    return [test for group in document["testGroups"] for test in group["tests"]]


def log_of(test: Mapping[str, Any]) -> bytes:
    """Return the log of a test."""
    return bytes.fromhex(test["logHex"]) if "logHex" in test else (VECTORS / test["log"]).read_bytes()


def held(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is held against the log, as the page takes it."""
    files: dict[str, str] = dict(test.get("held", {}))
    if "evidence" in test:
        files |= {path.name: path.read_text("utf-8") for path in (VECTORS / test["evidence"]).iterdir()}
    lines = {name: [line for line in text.splitlines() if line] for name, text in files.items()}
    return {
        "tickets": lines.get("tickets.txt", []),
        "receipts": lines.get("receipts.txt", []),
        "commitment": test.get("commitment", ""),
        "operatorKey": "".join(lines.get("operator-key.txt", [])),
        "contributions": dict(line.split("=") for line in lines.get("contributions.txt", [])),
    }


def within_reach(findings: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return those findings that the core makes as well."""
    listed = list(findings)
    void = any(code == Code.VOID for code, _ in listed)
    out = PLAY | NOT_HELD | (set() if void else {Code.FINAL_PLACES})

    def reached(code: str, place: str) -> bool:
        seat_key = code == Code.KEY_OTHER and "seat" in place
        return code not in out and not seat_key and not place.startswith("published")

    return [[code, place] for code, place in listed if reached(code, place)]


@pytest.fixture(scope="module")
def told() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return each test of whole logs with what the core says of it."""
    tests = matches()
    return list(zip(tests, core({"log": log_of(one).hex(), "given": held(one)} for one in tests), strict=True))


def test_the_core_finds_what_it_can(told: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    """All findings that take no rules of play are made, in the same order, and no others."""
    for test, found in told:
        expected = within_reach((one["code"], one["place"]) for one in test["findings"])
        assert found["findings"] == expected, test["comment"]


def test_the_core_never_calls_a_match_verified(told: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    """What needs the rules is not checked, so a sound match is incomplete; where it refutes, so does the auditor."""
    for test, found in told:
        assert found["verdict"] in {Verdict.REFUTED, Verdict.INCOMPLETE, Verdict.NO_VERDICT}
        assert found["verdict"] != Verdict.REFUTED or test["verdict"] == Verdict.REFUTED, test["comment"]
        assert {found["states"][check] for check in RULES} == {"not checked"}
        if test["verdict"] == Verdict.VERIFIED:
            passed = [check for check in found["states"] if check not in {*RULES, "close", "evidence"}]
            assert {found["states"][check] for check in passed} == {"passed"}, test["comment"]


def test_hands_are_dealt_to_all_seats(told: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    """In a sound match every round has the hand of every seat, and all cards of the deck are in them."""
    for test, found in told:
        if test["verdict"] == Verdict.VERIFIED:
            for hands in found["hands"]:
                assert len([card for hand in hands for card in hand]) in {52, 54, 104, 108}, test["comment"]
                assert all(hand == sorted(hand) for hand in hands)


@pytest.mark.parametrize("name", ["four-seats-signed", "six-seats-two-packs"])
def test_a_spoilt_log_is_read_alike(name: str) -> None:
    """With a byte changed or the end missing, core and auditor find the same, wherever it is."""
    log = (VECTORS / "match" / f"{name}.fdl").read_bytes()
    spoilt = [log[:at] for at in range(0, len(log), 29)]
    for at in range(0, len(log), 11):
        other = (0xFF, 0x40, 0xCC, 0xF7, 0x94, 0xC4)[at % 6]
        spoilt.append(log[:at] + bytes([other if log[at] != other else 0]) + log[at + 1 :])
    for one, found in zip(spoilt, core({"log": one.hex(), "given": {}} for one in spoilt), strict=True):
        findings = audit(one).findings
        assert found["findings"] == within_reach((finding.code, finding.place) for finding in findings), one.hex()


@pytest.mark.parametrize("path", PARTS, ids=lambda path: path.name)
def test_the_core_stands_alone(path: Path) -> None:
    """It uses neither Node.js, nor a document, nor the network, and runs nothing that it reads."""
    text = path.read_text("utf-8")
    for word in ("require(", "import(", "process.", "Buffer.", "document.", "window.", "fetch(", "eval(", "Function("):
        assert word not in text
    assert max(map(len, text.splitlines())) <= 120
    assert len(text.splitlines()) <= 300
