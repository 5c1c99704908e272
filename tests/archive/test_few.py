"""A few logs at hand are held against each other as those of an archive are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from fairdeal.archive.across import across
from fairdeal.archive.few import Few
from fairdeal.audit import judged
from fairdeal.codes import Code
from tests.archive.making import OPERATORS, Wanted, value, written, written_to
from tests.archive.running import audited, opened_store
from tests.strategies import some

KEY = OPERATORS[0]
LOGS = [
    written(one)
    for one in (
        Wanted(1, key=KEY),
        Wanted(1, key=KEY, leads=1),
        Wanted(2, 1, key=KEY),
        Wanted(3, secret=value("secret", 1)),
        Wanted(5, key=KEY),
    )
] + [b"no log"]


def found(logs: Sequence[bytes]) -> list[tuple[Code, str]]:
    """Return what lies across logs that are at hand."""
    with Few() as few:
        for number, data in enumerate(logs):
            few.add(f"{number}", data, judged(data)[1])
        return [(one.code, one.what) for one in few.findings()]


@given(st.lists(st.sampled_from(LOGS), max_size=6))
@some
def test_what_lies_across_a_few_logs_is_what_lies_across_an_archive_of_them(logs: list[bytes]) -> None:
    """Whatever their order, and however often one is there."""
    with TemporaryDirectory() as folder:
        store = Path(folder) / "store"
        audited([written_to(Path(folder) / "logs", logs)], store)
        with opened_store(store) as kept:
            expected = [(one.code, one.what) for one in across(kept)]
    assert found(logs) == expected


def test_evidence_of_what_was_signed_twice_comes_with_it() -> None:
    with Few() as few:
        for number, data in enumerate(LOGS[:2]):
            few.add(f"{number}", data, judged(data)[1])
        first, second = few.findings()
    assert (first.code, first.logs, first.evidence) == (Code.LOGS_DIFFER, ("0", "1"), None)
    assert second.code == Code.EQUIVOCATION
    assert second.evidence is not None
