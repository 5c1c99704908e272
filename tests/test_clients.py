"""Clients of the runner: our own, two that are made from the texts alone, and ours with every fault one can think of.

That an implementation passes says something only if a wrong one does not: each fault in `clients/faults-*.toml` must be
noticed by the vectors of the stages it names.
"""

from __future__ import annotations

import ast
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairdeal.html.page import page_html
from fairdeal.vectors.answers import STAGES
from fairdeal.vectors.stages.accumulated import KNOWN, PREFIX
from tests.clients.planted import faults
from tests.conftest import ROOT, Ran, run

CLIENTS = ROOT / "tests" / "clients"
REFERENCE = sorted(CLIENTS.glob("reference*.py"))
# stage, tests passed, failed and declined, or tests of a stage that was declined
LINE = re.compile(
    r"(?m)^(\w+)\.json: (?:(\d+) passed, (\d+) failed(?:, (\d+) declined)?|declined, the stage with its (\d+) tests)$"
)
LARGE = sum(count > PREFIX[what] for what, counts in KNOWN.items() for count in counts)  # they take too long


@pytest.fixture(autouse=True)
def _this_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clients import what stands here, not what is installed."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def ask(*command: object) -> Ran:
    """Run all vectors against the client that a command starts."""
    return run("-q", "vectors", "run", "--", *command)


def planted(name: str, *stages: str) -> Ran:
    """Run the vectors of some stages, or of all, against this implementation with a fault."""
    return ask(sys.executable, "-m", "tests.clients.planted", name, *stages)


def assert_passes(ran: Ran, stages: set[str], **partly: str) -> None:
    """Check that these stages passed, but for so many tests that are declined, and all others are declined as a whole.

    What is declined is not shown as passed.
    """
    assert (ran.code, ran.err) == (0, ""), ran
    found = LINE.findall(ran.text)
    assert len(found) == len(ran.text.splitlines()), ran.text
    assert [stage for stage, *_ in found] == list(STAGES)
    for stage, passed, failed, declined, whole in found:
        if stage in stages:
            assert int(passed) > 0
            assert (failed, declined) == ("0", str(LARGE) if stage == "accumulated" else partly.get(stage, ""))
        else:
            assert int(whole) > 0


def test_our_own_client_passes_everything() -> None:
    """No test fails, and none is declined but those that count too far."""
    assert_passes(ask(sys.executable, "-m", "fairdeal", "vectors", "answer"), set(STAGES))


def test_the_second_implementation_passes() -> None:
    """All its stages do, with nothing but Python's own library to be found; of `bots` it answers every test."""
    stages = {"seeds", "contributions", "shuffle", "deal", "ticket", "codec", "play", "exchange", "bots"}
    assert_passes(ask(sys.executable, "-I", "-S", CLIENTS / "reference.py"), stages)


@pytest.mark.parametrize("path", REFERENCE, ids=lambda path: path.name)
def test_the_second_implementation_stands_alone(path: Path) -> None:
    """Its modules import each other and the standard library."""
    siblings = {f"tests.clients.{one.stem}" for one in REFERENCE}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            assert name in siblings or name.partition(".")[0] in sys.stdlib_module_names


def test_the_page_passes(tmp_path: Path) -> None:
    """The third implementation is in the player's page: the script of the page as it is written does."""
    node = shutil.which("node")
    assert node is not None, "Node.js is not installed: the page cannot be tested"
    page = tmp_path / "page.html"
    page.write_text(page_html(), "utf-8")
    stages = {"seeds", "contributions", "shuffle", "deal", "ticket", "codec", "signature", "receipt"}
    assert_passes(ask(node, CLIENTS / "page.mjs", page), stages)


# --- faults


def test_without_a_fault_everything_passes() -> None:
    """The client that faults are planted in is a sound one."""
    assert_passes(planted(""), set(STAGES))


IN_EVERY_RUN = 2  # faults of each stage; the others are planted in full runs


def left_out() -> Iterator[str]:
    """Yield the names of the faults that are planted in full runs only."""
    seen: Counter[str] = Counter()
    for name, fault in faults().items():
        if all(seen[stage] >= IN_EVERY_RUN for stage in fault.stages):
            yield name
        seen.update(fault.stages)


FULL = set(left_out())


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.full] * (name in FULL)) for name in faults()])
def test_a_planted_fault_is_noticed(name: str) -> None:
    """The run fails, and so does each stage where the fault shows; the others are not asked."""
    stages = faults()[name].stages
    ran = planted(name, *stages)
    assert (ran.code, ran.err) == (10, "")
    assert [stage for stage, _, failed, *_ in LINE.findall(ran.text) if int(failed or 0)] == list(stages), ran.text


@pytest.mark.parametrize("name", faults())
def test_a_fault_can_still_be_planted(name: str) -> None:
    """What it changes stands once in the source, and what becomes of it is Python."""
    fault = faults()[name]
    assert set(fault.stages) <= set(STAGES)
    sources: dict[Path, str] = {}
    for edit in fault.edits:
        path = ROOT / "fairdeal" / f"{edit.module.replace('.', '/')}.py"
        sources[path] = edit.made_in(sources.get(path, path.read_text("utf-8")))
    for path, source in sources.items():
        compile(source, path, "exec")


def test_faults_are_many_and_in_every_stage() -> None:
    """No stage is without one, and no two are the same."""
    assert {stage for fault in faults().values() for stage in fault.stages} == set(STAGES)
    assert len({fault.edits for fault in faults().values()}) == len(faults())
    assert len(faults()) > 200
