"""What an audit finds: findings with a code and a place, numbered checks, guarantees, one verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple, NoReturn

from fairdeal.codes import INCOMPLETE, NO_VERDICT, Code
from fairdeal.errors import FairdealError, Malformed, Unsupported


class Verdict(StrEnum):
    """The one word an audit ends in; `NO_VERDICT` says that the input could not be judged."""

    VERIFIED = "verified"
    REFUTED = "refuted"
    INCOMPLETE = "incomplete"
    NO_VERDICT = "no verdict"


class Step(StrEnum):
    """The numbered checks, in the order in which SPEC, "What an auditor checks", makes them."""

    ORDER = "order of records"
    TERMS = "terms"
    COMMITMENT = "commitment"
    CONTRIBUTIONS = "contributions"
    SIGNATURES = "signatures"
    SEEDS = "seeds"
    DEALS = "deals"
    EXCHANGES = "exchanges"
    PLAYS = "plays"
    CONTROL = "clock, seats and bots"
    PLACES = "finishing places"
    TITLES = "titles"
    POINTS = "points"
    CLOSE = "close"
    EVIDENCE = "evidence"


STEP_NUMBERS: Final = {step: number for number, step in enumerate(Step, 1)}


class GuaranteeName(StrEnum):
    """What an audit can prove (SPEC, "Guarantees")."""

    UNCHANGED = "unchanged"
    ANCHORED = "anchored"
    RECORDED = "recorded"
    UNCHOSEN = "unchosen"
    RULES = "rules"


DEFAULT_REQUIRED: Final = (GuaranteeName.UNCHANGED, GuaranteeName.ANCHORED, GuaranteeName.RULES)


class Finding(NamedTuple):
    """One thing that is not as it should be, with what was recomputed and what was there.

    `reasons` are lines for people: the rules that were broken with the sentences they come from, what lay on the pile,
    what was held, and what would have been lawful.
    """

    code: Code
    place: str
    expected: str
    found: str
    reasons: tuple[str, ...] = ()


class AcrossFinding(NamedTuple):
    """One thing found between matches; `evidence` is the text of an evidence file, where the operator signed both.

    The code is one of `codes.ACROSS`, or `unreadable` where a log is gone that was to be compared with another.
    """

    code: Code
    what: str
    logs: tuple[str, ...]
    evidence: str | None = None

    @property
    def verdict(self) -> Verdict:
        """What this finding makes of all the logs together."""
        if self.code in NO_VERDICT:
            return Verdict.NO_VERDICT
        return Verdict.INCOMPLETE if self.code in INCOMPLETE else Verdict.REFUTED


@dataclass(slots=True)
class Tally:
    """How often one numbered check passed, how often it found a fault, and what it could not look at and why."""

    passed: int = 0
    faults: int = 0
    not_checked: list[str] = field(default_factory=list)


class Judgement:
    """Collects findings and tallies while a log is replayed."""

    __slots__ = ("findings", "tallies")

    def __init__(self) -> None:
        """Start with nothing checked."""
        self.findings: list[Finding] = []
        self.tallies: dict[Step, Tally] = {step: Tally() for step in Step}

    def passed(self, step: Step, times: int = 1) -> None:
        """Count checks that found nothing."""
        self.tallies[step].passed += times

    def fault(
        self, step: Step, code: Code, place: str, expected: str, found: str, reasons: tuple[str, ...] = ()
    ) -> None:
        """Keep a finding; one that only leaves the audit incomplete is no fault of its check."""
        self.findings.append(Finding(code, place, expected, found, reasons))
        self.tallies[step].faults += code not in INCOMPLETE

    def skipped(self, step: Step, reason: str) -> None:
        """Say what could not be checked, and why."""
        if reason not in self.tallies[step].not_checked:
            self.tallies[step].not_checked.append(reason)

    def compare(self, step: Step, code: Code, place: str, expected: object, found: object) -> bool:
        """Count a pass where the two are equal, else keep a finding; return whether they are equal."""
        if expected == found:
            self.tallies[step].passed += 1
            return True
        self.fault(step, code, place, show(expected), show(found))
        return False

    def refuted_in(self, *steps: Step) -> bool:
        """Return whether any of these checks found a fault."""
        return any(self.tallies[step].faults for step in steps)


def show(value: object) -> str:
    """Return a value as a finding shows it: bytes in hex, tuples with commas, None as `nothing`."""
    match value:
        case bytes():
            return value.hex() or "nothing"
        case tuple() | list():
            return ", ".join(show(part) for part in value) or "nothing"
        case None:
            return "nothing"
        case _:
            return str(value)


class Guarantee(NamedTuple):
    """A guarantee, whether it is proven, whether it was required, and on what evidence or why not."""

    name: GuaranteeName
    proven: bool
    required: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What the log says of itself, for the head of a report; empty where the terms could not be read."""

    match_id: str = ""
    terms_hash: str = ""
    sequence: int = 0
    ruleset: str = ""
    seats: tuple[str, ...] = ()
    rounds: int = 0
    actions: int = 0
    commitment: str = ""
    totals: tuple[int, ...] = ()
    final_places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one audit or verification. Not a truth value: ask for `verdict`."""

    findings: tuple[Finding, ...]
    steps: tuple[tuple[Step, Tally], ...]
    guarantees: tuple[Guarantee, ...]
    statements: tuple[str, ...]
    summary: Summary
    stopped: FairdealError | None = None

    @property
    def verdict(self) -> Verdict:
        """Return the verdict: a fault refutes, also before a byte that does not parse; no check at all is no pass."""
        codes = {finding.code for finding in self.findings}
        if codes - INCOMPLETE - NO_VERDICT:
            return Verdict.REFUTED
        if self.stopped is not None:
            return Verdict.NO_VERDICT
        if codes or not any(tally.passed for _, tally in self.steps):
            return Verdict.INCOMPLETE
        return Verdict.VERIFIED

    def codes(self) -> frozenset[Code]:
        """Return the codes of all findings."""
        return frozenset(finding.code for finding in self.findings)

    def __bool__(self) -> NoReturn:
        """Refuse: `if report:` would be true for a refuted one."""
        raise TypeError("a report is no truth value; compare report.verdict")


def stop_finding(error: FairdealError) -> Finding:
    """Return the finding that stands for an input that could not be read to its end."""
    code = Code.UNREADABLE
    if isinstance(error, Malformed):
        code = Code.MALFORMED
    elif isinstance(error, Unsupported):
        code = Code.UNSUPPORTED
    return Finding(code, error.where, "a log that can be read to its end", error.what)


def not_audited(error: FairdealError) -> Report:
    """Return the report on an input of which not even the terms could be read, or the evidence for it."""
    return Report((stop_finding(error),), (), (), (), Summary(), error)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict that stands for several: refuted, no verdict, incomplete, verified; incomplete for none."""
    order = (Verdict.REFUTED, Verdict.NO_VERDICT, Verdict.INCOMPLETE, Verdict.VERIFIED)
    return min(verdicts, key=order.index, default=Verdict.INCOMPLETE)
