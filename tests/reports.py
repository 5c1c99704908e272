"""What the tests of the auditor's report share: reports on logs of every kind, hostile names among them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from fairdeal.anchor import read_folder
from fairdeal.audit import audit
from fairdeal.evidence import Evidence
from fairdeal.html.report import Made, evidence_words, report_html
from fairdeal.report import DEFAULT_REQUIRED, GuaranteeName, Report
from fairdeal.ruleset import load_preset
from fairdeal.simulate import Simulated, Simulation, simulate
from tests.conftest import ROOT, held_by_all

MATCHES: Final = ROOT / "vectors" / "v1" / "match"
LOGS: Final = sorted(MATCHES.glob("*.fdl"))
FAULTY: Final = sorted((MATCHES / "faulty").glob("*.fdl"))
# of up to 64 bytes, each as hostile as a name or title may be
HOSTILE: Final = (
    "</script><script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 2'>",
    "\u202eesrever\u202c \u2066left open",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466" * 2 + "\U0001f469\u200d\U0001f469",
    '"><svg onload=window.ran=3>',
    "\u05d0\u05d1\u05d2 12 \u0627\u0644",
    "`seat 3` Ah {{constructor}} ${window.ran = 4}",
    "javascript:window.ran=5//\u2028&lt;b&gt;",
)

# between them every house rule that a play can meet: a match's number, its seats, its settings
HOUSES: Final[Mapping[str, tuple[int, int, dict[str, Any]]]] = {
    "wild straights, burns, locks": (
        34,
        5,
        {
            "joker": "wild",
            "jokers_per_pack": 2,
            "straights": True,
            "revolution": "round",
            "pass": "locks",
            "equal_rank": "burn",
            "second_pack_from": "never",
            "completed_rank": "clear",
            "end_at": 4,
        },
    ),
    "skips, drops, new seats": (
        19,
        6,
        {
            "revolution": "trick",
            "straights": True,
            "twos": "clear",
            "equal_rank": "skip-if-unable",
            "going_out": "drops",
            "reseat": True,
            "end_at": 4,
        },
    ),
}


def house(name: str) -> bytes:
    """Return the log of a match by some of the house rules."""
    number, seats, changes = HOUSES[name]
    return bytes(simulate(Simulation(load_preset("president", changes), seats, bytes([number] * 32))).data)


def logged(name: str) -> Path:
    """Return the file of a sample log by its name, sound or faulty."""
    path = MATCHES / f"{name}.fdl"
    return path if path.exists() else MATCHES / "faulty" / f"{name}.fdl"


def report_on(
    data: bytes, evidence: Evidence | None = None, required: Collection[GuaranteeName] = DEFAULT_REQUIRED
) -> Report:
    """Return the report on a log, with the evidence given."""
    return audit(data, evidence, required)


def page_of(data: bytes, evidence: Evidence | None = None, name: str = "match.fdl") -> str:
    """Return the report on a log as a document."""
    made = Made(f"fairdeal audit {name} -f html", "fairdeal", evidence_words(evidence or Evidence()))
    return report_html(report_on(data, evidence), name, data, made)


def page_of_sample(name: str) -> str:
    """Return the report on a sample log with the evidence that its parties hold."""
    path = logged(name)
    folder = path.with_suffix("")
    return page_of(path.read_bytes(), read_folder(folder) if folder.is_dir() else None, path.name)


def hostile_match(monkeypatch: pytest.MonkeyPatch, seats: int = 8, **changes: Any) -> Simulated:
    """Return a match whose names, titles and ruleset name are as hostile as the format lets them be."""
    monkeypatch.setattr("fairdeal.simulate.NAMES", HOSTILE)
    table: dict[str, Any] = {"name": HOSTILE[0], "titles": list(HOSTILE[:5]), "end_at": 2}
    return simulate(Simulation(load_preset("president", table | changes), seats, bytes(range(32)), sealed=True))


def hostile_page(monkeypatch: pytest.MonkeyPatch, name: str = "match.fdl") -> str:
    """Return the report on a hostile match, with everything its parties hold."""
    done = hostile_match(monkeypatch)
    return page_of(bytes(done.data), held_by_all(done), name)
