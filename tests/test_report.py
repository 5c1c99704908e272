"""What an audit collects, and the one verdict that follows from it."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.codes import INCOMPLETE, NO_VERDICT, Code
from fairdeal.errors import FairdealError, Malformed, Misuse, Unsupported
from fairdeal.report import (
    DEFAULT_REQUIRED,
    STEP_NUMBERS,
    Finding,
    GuaranteeName,
    Judgement,
    Report,
    Step,
    Summary,
    Tally,
    Verdict,
    not_audited,
    show,
    stop_finding,
    worst,
)
from tests.strategies import many

REFUTING = frozenset(Code) - INCOMPLETE - NO_VERDICT
STOPS: list[FairdealError | None] = [None, Malformed("x", 1), Unsupported("x")]


def report(codes: list[Code], passed: int = 1, stopped: FairdealError | None = None) -> Report:
    """Return a report with these findings and checks."""
    findings = tuple(Finding(code, "", "", "") for code in codes)
    return Report(findings, ((Step.ORDER, Tally(passed)),), (), (), Summary(), stopped)


@given(st.lists(st.sampled_from(Code)), st.integers(0, 2), st.sampled_from(STOPS))
@many
def test_the_verdict_is_the_first_rule_that_applies(
    codes: list[Code], passed: int, stopped: FairdealError | None
) -> None:
    """Refuted by any fault, also before a stop; no verdict after a stop; incomplete for any finding or no check."""
    one = report(codes, passed, stopped)
    if REFUTING & set(codes):
        expected = Verdict.REFUTED
    elif stopped is not None:
        expected = Verdict.NO_VERDICT
    elif codes or not passed:
        expected = Verdict.INCOMPLETE
    else:
        expected = Verdict.VERIFIED
    assert one.verdict is expected
    assert one.codes() == frozenset(codes)


@pytest.mark.parametrize("code", Code)
def test_one_finding_never_leaves_a_log_verified(code: Code) -> None:
    """Every code counts, beside however many checks that passed."""
    assert report([code], 1_000).verdict is not Verdict.VERIFIED


def test_no_check_is_no_pass() -> None:
    """An empty report, or one whose checks were all skipped, verifies nothing."""
    assert Report((), (), (), (), Summary()).verdict is Verdict.INCOMPLETE
    assert report([], 0).verdict is Verdict.INCOMPLETE


def test_a_report_is_no_truth_value() -> None:
    """`if report:` would be true for a refuted log, so it fails."""
    for one in (report([]), report([Code.SEED])):
        with pytest.raises(TypeError, match=r"report\.verdict"):
            bool(one)
        with pytest.raises(TypeError):
            assert one


def test_codes_fall_into_three_kinds() -> None:
    """What leaves an audit incomplete, what gives no verdict, and all the others refute."""
    assert not INCOMPLETE & NO_VERDICT
    assert (INCOMPLETE | NO_VERDICT).issubset(Code)
    assert {Code.SEED, Code.ORDER, Code.DIGEST, Code.SIGNATURE_BAD, Code.RECEIPT_DIGEST} <= REFUTING


@given(st.lists(st.sampled_from(Verdict)))
@many
def test_the_worst_of_several_verdicts(verdicts: list[Verdict]) -> None:
    """Refuted, no verdict, incomplete, verified; of none nothing was verified."""
    order = ["refuted", "no verdict", "incomplete", "verified"]
    expected = min(map(str, verdicts), key=order.index) if verdicts else "incomplete"
    assert worst(verdicts) == expected
    assert worst(reversed(verdicts)) == expected


def test_verdicts_worse_than_another_stay_worse() -> None:
    """A pair's verdict is one of the two, and adding a verified log changes nothing."""
    for one, other in product(Verdict, repeat=2):
        assert worst([one, other]) in (one, other)
        assert worst([one, Verdict.VERIFIED]) is one


def test_checks_are_numbered_from_1_in_their_order() -> None:
    """The numbers are those of the specification."""
    assert dict(STEP_NUMBERS) == {step: number for number, step in enumerate(Step, 1)}
    assert (STEP_NUMBERS[Step.ORDER], STEP_NUMBERS[Step.CONTROL], STEP_NUMBERS[Step.EVIDENCE]) == (1, 10, 15)


def test_the_default_requires_what_the_specification_says() -> None:
    """Unchanged, anchored, and played by the rules."""
    assert set(DEFAULT_REQUIRED) == {GuaranteeName.UNCHANGED, GuaranteeName.ANCHORED, GuaranteeName.RULES}


def test_a_judgement_counts_what_it_is_told() -> None:
    """Passes and faults are counted apart; a finding that refutes nothing is no fault of its check."""
    judge = Judgement()
    assert set(judge.tallies) == set(Step)
    judge.passed(Step.PLAYS, 5)
    judge.passed(Step.PLAYS)
    judge.fault(Step.PLAYS, Code.TURN, "here", "a", "b")
    judge.fault(Step.CLOSE, Code.UNFINISHED, "close", "a", "b")
    assert judge.tallies[Step.PLAYS] == Tally(6, 1)
    assert judge.tallies[Step.CLOSE] == Tally(0, 0)
    assert judge.findings == [Finding(Code.TURN, "here", "a", "b"), Finding(Code.UNFINISHED, "close", "a", "b")]
    assert judge.refuted_in(Step.PLAYS)
    assert judge.refuted_in(Step.CLOSE, Step.PLAYS)
    assert not judge.refuted_in(Step.CLOSE, Step.ORDER)
    assert not judge.refuted_in()


def test_a_reason_for_not_checking_is_said_once() -> None:
    """The same reason twice is one line; nothing is passed by it."""
    judge = Judgement()
    for reason in ("a", "b", "a"):
        judge.skipped(Step.SEEDS, reason)
    assert judge.tallies[Step.SEEDS] == Tally(0, 0, ["a", "b"])


def test_comparing_passes_or_finds() -> None:
    """Equal values are one more check passed, others a finding that shows both."""
    judge = Judgement()
    assert judge.compare(Step.SEEDS, Code.SEED, "here", b"\1", b"\1")
    assert not judge.compare(Step.SEEDS, Code.SEED, "here", b"\1", b"\2")
    assert not judge.compare(Step.SEEDS, Code.SEED, "here", (1, 2), None)
    assert judge.tallies[Step.SEEDS] == Tally(1, 2)
    assert judge.findings == [Finding(Code.SEED, "here", "01", "02"), Finding(Code.SEED, "here", "1, 2", "nothing")]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (b"\x00\xff", "00ff"),
        (b"", "nothing"),
        ((), "nothing"),
        (None, "nothing"),
        ((1, -2), "1, -2"),
        ([b"\1", b""], "01, nothing"),
        (((1,), (2, 3)), "1, 2, 3"),
        ("text", "text"),
        (0, "0"),
        (Code.SEED, "seed"),
    ],
)
def test_how_a_value_is_shown(value: object, text: str) -> None:
    """Bytes in hexadecimal, lists with commas, nothing as such."""
    assert show(value) == text


def test_an_input_that_was_not_read_to_its_end_has_a_finding() -> None:
    """Malformed or unsupported, with the place and the reason."""
    assert stop_finding(Malformed("a bad byte", 7)) == (
        Code.MALFORMED,
        "byte 7",
        "a log that can be read to its end",
        "a bad byte",
        (),
    )
    assert stop_finding(Unsupported("a clock", "byte 3")).code is Code.UNSUPPORTED
    assert stop_finding(Misuse("no such file", "x.fdl"))[:2] == (Code.UNREADABLE, "x.fdl")


def test_the_report_on_what_cannot_be_read_has_nothing_else() -> None:
    """No check, no guarantee, no summary, and no verdict."""
    one = not_audited(Malformed("a bad byte", 0))
    assert one.verdict is Verdict.NO_VERDICT
    assert (one.steps, one.guarantees, one.statements, one.summary) == ((), (), (), Summary())
    assert isinstance(one.stopped, Malformed)
