"""Comparing answers with what the vectors state, and checking this implementation against them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final, NamedTuple

from fairdeal.errors import Misuse
from fairdeal.texts import quoted
from fairdeal.vectors.answers import STAGES, expected_of, inputs_of, own_answer
from fairdeal.vectors.envelope import INVALID, Declined, Test, tests_of

SHOWN: Final = 120  # characters of a value in a line on what differs
FEW: Final = 5  # values that are too many which are named


class Result(NamedTuple):
    """The outcome for one vector file: how many tests passed, and a line for each that failed or was declined."""

    file: str
    passed: int
    failures: list[str]
    declined: list[str]


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
    """Yield the outcome of every vector file for this implementation; raises `Misuse` where `folder` has none.

    A file that is not there has failed: nobody has checked what it would say.
    """
    require_some(folder)
    for stage in STAGES:
        yield check_file(folder / f"{stage}.json")


def holds_vectors(folder: Path) -> bool:
    """Return whether there is any vector file in `folder`."""
    return any((folder / f"{stage}.json").is_file() for stage in STAGES)


def require_some(folder: Path) -> None:
    """Raise `Misuse` for a folder without any vector file."""
    if not holds_vectors(folder):
        raise Misuse("no vector files", str(folder), f"vector files are named {', '.join(STAGES)}, each .json")


def check_file(path: Path) -> Result:
    """Return the outcome of one vector file; a test that cannot even be read has failed."""
    stage, passed = path.stem, 0
    declined: list[str] = []
    tests, failures = read_tests(path)
    for test in tests:
        try:
            wrong = differences(stage, test, own_answer(stage, inputs_of(stage, test, path.parent)))
        except Declined as reason:
            declined.append(f"{name_of(test)}: {reason}")
            continue
        except Exception as error:  # a test may say anything, and every kind of failure is one
            wrong = [f"{type(error).__name__}: {error}"]
        failures += [f"{name_of(test)}: {'; '.join(wrong)}"] if wrong else []
        passed += not wrong
    return Result(path.name, passed, failures, declined)


def read_tests(path: Path) -> tuple[list[Test], list[str]]:
    """Return the tests of a vector file, or none and a line that says why it cannot be read."""
    try:
        return tests_of(json.loads(path.read_text("ascii"))), []
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        return [], [f"the file cannot be read: {error}"]


def name_of(test: Test) -> str:
    """Return what a line on a test begins with."""
    return f"test {test.get('tcId')} ({test.get('comment')})"


def differences(stage: str, test: Test, answer: Mapping[str, Any]) -> list[str]:
    """Return a line for each value that is not as stated; a value on the way to others may be left out."""
    expected = expected_of(stage, test)
    if expected.get("result") != answer.get("result") or expected.get("result") == INVALID:
        missing = frozenset[str]()
    else:
        missing = STAGES[stage].intermediate - set(answer)
    keys = [key for key in expected if key not in missing and not _same(expected[key], answer.get(key))]
    lines = [_line(key, expected[key], answer.get(key)) for key in keys]
    extra = [key for key in answer if key not in expected]
    lines += [f"{quoted(key)} is no value to give here" for key in extra[:FEW]]
    return lines + ([f"and {len(extra) - FEW} more"] if len(extra) > FEW else [])


def _same(expected: object, found: object) -> bool:
    """Return whether two values are the same as JSON: 1 is not true, and 2.0 is not 2."""
    return json.dumps(expected, sort_keys=True) == json.dumps(found, sort_keys=True)


def _line(key: str, expected: object, found: object) -> str:
    return f"{key} is {_shown(found)} instead of {_shown(expected)}"


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
