"""The envelope all vector files share, after the one of Project Wycheproof."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Final, NamedTuple

from fairdeal.draws import Draws
from fairdeal.hashing import tagged_hash

VALID: Final = "valid"
INVALID: Final = "invalid"
LICENCE: Final = "CC0-1.0"
Test = dict[str, Any]


class Declined(Exception):
    """An implementation does not answer a test; the message says why."""


class Group(NamedTuple):
    """Tests that share some inputs, which stand once in front of them."""

    shared: Mapping[str, Any]
    tests: Sequence[Test]


class Stage(NamedTuple):
    """One vector file: its name, what it is about in sentences, and its tests in order, all together or in groups."""

    name: str
    header: Sequence[str]
    tests: Sequence[Test] = ()
    groups: Sequence[Group] = ()


def stage_json(stage: Stage) -> str:
    """Return a vector file: tests numbered from 1, keys in the order written, ASCII only."""
    numbers = count(1)
    groups = [
        {"type": stage.name, **group.shared, "tests": [{"tcId": next(numbers), **test} for test in group.tests]}
        for group in stage.groups or [Group({}, stage.tests)]
    ]
    document = {
        "algorithm": f"fairdeal/v1 {stage.name}",
        "licence": LICENCE,
        "header": list(stage.header),
        "numberOfTests": sum(len(group["tests"]) for group in groups),
        "testGroups": groups,
    }
    return json.dumps(document, ensure_ascii=True, indent=1) + "\n"


def valid(comment: str, **fields: object) -> Test:
    """Return a test that every implementation must accept, with the values it must compute."""
    return {"comment": comment, "result": VALID, **fields}


def invalid(comment: str, code: str, place: str = "", **fields: object) -> Test:
    """Return a test that every implementation must refuse, with the code and the place it must name."""
    return {"comment": comment, "result": INVALID, "code": code, "place": place, **fields}


def tests_of(document: Mapping[str, Any]) -> list[Test]:
    """Return the tests of a vector file, each with what its group shares.

    Raises `ValueError` where their number is not the one the file states.
    """
    tests: list[Test] = [
        {**{key: value for key, value in group.items() if key not in ("type", "tests")}, **test}
        for group in document["testGroups"]
        for test in group["tests"]
    ]
    if len(tests) != document["numberOfTests"] or not tests:
        raise ValueError(f"{len(tests)} tests where the file states {document['numberOfTests']}")
    return tests


def draws_for(label: str) -> Draws:
    """Return the stream that the inputs of one vector are drawn from, so that they are the same at every making."""
    return Draws(tagged_hash("vectors", label.encode("ascii")))
