"""The envelope all vector files share, after the one of Project Wycheproof."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from fairdeal.draws import Draws
from fairdeal.hashing import tagged_hash

VALID: Final = "valid"
INVALID: Final = "invalid"
LICENCE: Final = "CC0-1.0"
Test = dict[str, Any]


class Stage(NamedTuple):
    """One vector file: its name, what it is about in sentences, and its tests in order."""

    name: str
    header: Sequence[str]
    tests: Sequence[Test]


def stage_json(stage: Stage) -> str:
    """Return a vector file: tests numbered from 1, keys in the order written, ASCII only."""
    tests = [{"tcId": number, **test} for number, test in enumerate(stage.tests, 1)]
    document = {
        "algorithm": f"fairdeal/v1 {stage.name}",
        "licence": LICENCE,
        "header": list(stage.header),
        "numberOfTests": len(tests),
        "testGroups": [{"type": stage.name, "tests": tests}],
    }
    return json.dumps(document, ensure_ascii=True, indent=1) + "\n"


def valid(comment: str, **fields: object) -> Test:
    """Return a test that every implementation must accept, with the values it must compute."""
    return {"comment": comment, "result": VALID, **fields}


def invalid(comment: str, code: str, place: str = "", **fields: object) -> Test:
    """Return a test that every implementation must refuse, with the code and the place it must name."""
    return {"comment": comment, "result": INVALID, "code": code, "place": place, **fields}


def tests_of(document: Mapping[str, Any]) -> list[Test]:
    """Return the tests of a vector file; raises `ValueError` where their number is not the one it states."""
    tests: list[Test] = [test for group in document["testGroups"] for test in group["tests"]]
    if len(tests) != document["numberOfTests"] or not tests:
        raise ValueError(f"{len(tests)} tests where the file states {document['numberOfTests']}")
    return tests


def draws_for(label: str) -> Draws:
    """Return the stream that the inputs of one vector are drawn from, so that they are the same at every making."""
    return Draws(tagged_hash("vectors", label.encode("ascii")))
