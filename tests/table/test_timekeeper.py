"""The caller's clock: tenths since the deal, whatever clock it is, and never backwards."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.errors import Misuse
from fairdeal.limits import MAX_INT
from fairdeal.table.timekeeper import MAX_TENTHS, Timekeeper, check_time
from tests.strategies import many

starts = st.integers(-(2**70), 2**70)


def started(now: int | None, tenths: int = 0) -> Timekeeper:
    """Return a timekeeper that was started."""
    keeper = Timekeeper()
    keeper.start(now, tenths)
    return keeper


@given(starts, st.lists(st.integers(0, 10_000_000), max_size=20))
@many
def test_tenths_count_from_the_deal(start: int, gaps: list[int]) -> None:
    """Fractions are dropped once, from the whole time, so that they do not add up."""
    keeper, now, marks = started(start), start, [0]
    for gap in gaps:
        now += gap
        passed = keeper.tenths(now)
        assert passed is not None
        keeper.seen(now)
        assert passed == (now - start) // 100
        marks.append(passed)
    assert all(before <= after for before, after in pairwise(marks))


@given(starts, st.integers(0, 10**9), starts)
@many
def test_a_resumed_round_goes_on_counting(start: int, tenths: int, gap: int) -> None:
    """After a break the count goes on from the last mark, by another clock if need be."""
    keeper = started(start, tenths)
    now = start + abs(gap) % 10**9
    assert keeper.tenths(now) == tenths + (now - start) // 100


def test_the_time_does_not_run_backwards() -> None:
    """Nothing before the last accepted time is taken; what was only asked for does not count."""
    keeper = started(1_000)
    assert keeper.tenths(5_000) == 40
    assert keeper.tenths(1_500) == 5
    keeper.seen(1_500)
    for early in (1_499, 0, -1):
        with pytest.raises(Misuse, match="runs backwards"):
            keeper.tenths(early)
    assert keeper.tenths(1_500) == 5
    with pytest.raises(Misuse, match="runs backwards"):
        started(1_000).tenths(999)


def test_a_round_has_marks_or_none() -> None:
    """Where the deal had a time all needs one, and where it had none nothing takes one."""
    with pytest.raises(Misuse, match="the time is needed"):
        started(0).tenths(None)
    with pytest.raises(Misuse, match="takes no time"):
        started(None).tenths(0)
    assert started(None).tenths(None) is None
    assert Timekeeper().tenths(None) is None
    assert [started(now).marked for now in (None, 0, -5)] == [False, True, True]


@pytest.mark.parametrize("wrong", [True, 1.0, "1000", b"1", float("nan")])
def test_a_time_is_a_whole_number(wrong: object) -> None:
    """Truth values, fractions and texts are none."""
    with pytest.raises(Misuse, match="no whole number"):
        check_time(wrong)
    check_time(None)
    check_time(-5)


def test_marks_that_no_log_can_hold_are_refused() -> None:
    """The largest mark is the largest one that can be written."""
    keeper = started(0)
    assert keeper.tenths(MAX_TENTHS * 100) == MAX_TENTHS == MAX_INT - 128
    with pytest.raises(Misuse, match="too far"):
        keeper.tenths((MAX_TENTHS + 1) * 100)
