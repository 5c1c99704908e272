"""Every kind of lie in a match log is found: by its own code, at its own place, whatever evidence is at hand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from fairdeal.audit import audit
from fairdeal.codec import Log, encode_log
from fairdeal.codes import ACROSS, INCOMPLETE, NO_VERDICT, Code
from fairdeal.errors import Misuse
from fairdeal.evidence import Evidence
from fairdeal.records import Deal
from fairdeal.report import Finding, GuaranteeName, Report, Verdict
from fairdeal.simulate import Simulated
from fairdeal.vectors.mutators import MUTATORS, Mutated, Mutator, falsified, mutate, sample_for
from fairdeal.vectors.mutators.draft import draft_of, settle, split

# seats, and which sample of that many: the numbers differ in sealing and signing where the mutator leaves it open
SAMPLES = ((3, 0), (4, 3), (5, 6), (6, 5))
IN_EVERY_RUN = 2  # tables of each mutator; full runs have them all

# what only evidence from outside the log, a hand to compare, or several logs can show
OUTSIDE = (
    {code for code in Code if code.startswith(("ticket-", "receipt-"))}
    | ACROSS
    | {
        Code.COMMITMENT_OTHER,
        Code.PUBLISHED_ABSENT,
        Code.KEY_OTHER,
        Code.CONTRIBUTION_OTHER,
        Code.CARDS_OTHER,
        Code.NOT_COMPARED,
        Code.NOT_PROVEN,
    }
)

# One lie gives one finding. In these the lie itself is several, or shows at several places.
SHOWS_TWICE = {
    "terms-points-doubled": "in every round",
    "key-of-small-order": "no signature under such a key counts",
    "key-not-canonical": "no signature under such a key counts",
    "key-of-two-seats": "at both seats",
    "contribution-without-policy": "sealed, opened and mixed into every deal",
    "contribution-by-bot": "sealed, opened and mixed into every deal",
    "contributions-ignored": "in every deal",
    "seal-copied": "a copied seal opens to nothing of this seat's",
    "round-redealt": "other cards are dealt and played",
    "round-of-another-match": "other cards are dealt and played",
    "round-repeated": "other cards are dealt and played",
    "dealt-from-another-seed": "other cards are dealt and played",
    "round-number-wrong": "another number has another seed and another first card",
    "exchange-after-a-play": "it is missing where it belongs",
    "places-swapped": "titles and points are those of the false places",
    "drop-forgotten": "titles and points are those of the false places",
    "lock-signed-before-last-seal": "the late seal does not count, and the lock is another",
    "lock-signed-before-commitment": "it is missing where it belongs",
    "commitment-after-seal": "it is missing where it belongs",
    "action-after-round-end": "it is missing where it belongs",
}


class Case(NamedTuple):
    """A sound match, what a mutator makes of it, and what an audit finds in that, without and with anchors."""

    sample: Simulated
    mutated: Mutated
    alone: Report
    anchored: Report


@cache
def case(mutator: Mutator, seats: int, number: int) -> Case:
    """Return one case, audited once for all tests."""
    sample, mutated = falsified(mutator, seats, number)
    return Case(sample, mutated, audit(mutated.data), audit(mutated.data, anchors(sample)))


class Lies(NamedTuple):
    """A mutator, and the tables it is tried at."""

    mutator: Mutator
    tables: tuple[tuple[int, int], ...]

    def cases(self) -> Iterator[Case]:
        """Yield its cases: several tables, signed and sealed in different ways."""
        for seats, number in self.tables:
            yield case(self.mutator, seats, number)


def anchors(sample: Simulated) -> Evidence:
    """Return what a player of the sound match holds before the first card: C, a receipt of the lock, a ticket."""
    return Evidence(
        tickets=(sample.tickets[0],),
        receipts=(sample.receipt(sample.lock),),
        commitments=(sample.tree.commitment(),),
    )


def against_the_log(report: Report) -> list[Finding]:
    """Return the findings that the log alone gives rise to."""
    return [finding for finding in report.findings if finding.code not in OUTSIDE]


def first_of_its_kind(report: Report, code: Code) -> Finding | None:
    """Return the first finding that refutes, or for an incomplete log the first finding."""
    own = against_the_log(report)
    return next((one for one in own if (one.code in INCOMPLETE) == (code in INCOMPLETE)), None)


def tried() -> Iterator[Any]:
    """Yield every mutator with two tables, not the same two for all; then, for full runs, with the others."""
    for index, mutator in enumerate(MUTATORS):
        now = {(index + step) % len(SAMPLES) for step in range(IN_EVERY_RUN)}
        some, others = (tuple(one for at, one in enumerate(SAMPLES) if (at in now) is mine) for mine in (True, False))
        yield pytest.param(Lies(mutator, some), id=mutator.name)
        yield pytest.param(Lies(mutator, others), id=f"{mutator.name}, more tables", marks=pytest.mark.full)


# of the scope of the module: then all tests of one mutator follow each other, and share its cases
each = pytest.mark.parametrize("lies", [*tried()], scope="module")


@each
def test_lie_is_found_by_its_code_at_its_place(lies: Lies) -> None:
    """An auditor without any evidence sees each lie as what it is and where it is; nothing else comes before it."""
    for _, mutated, alone, _ in lies.cases():
        found = first_of_its_kind(alone, mutated.code)
        assert found is not None
        assert (found.code, found.place) == (mutated.code, mutated.place)
        assert alone.verdict is (Verdict.INCOMPLETE if mutated.code in INCOMPLETE else Verdict.REFUTED)


@each
def test_evidence_hides_no_lie(lies: Lies) -> None:
    """Anchors from before the deals only ever add findings: the log is judged the same, and no lie becomes verified."""
    for _, mutated, alone, anchored in lies.cases():
        assert against_the_log(anchored) == against_the_log(alone)
        assert anchored.verdict is Verdict.REFUTED or mutated.code in INCOMPLETE
        assert anchored.verdict is not Verdict.VERIFIED


@each
def test_lie_after_the_first_deal_leaves_the_anchors_sound(lies: Lies) -> None:
    """What was held from before the deals does not speak against a log that is false only afterwards."""
    for sample, mutated, _, anchored in lies.cases():
        first_deal = next(item.end for item in Log(bytes(sample.data)).items if isinstance(item.record, Deal))
        if mutated.data.startswith(bytes(sample.data[:first_deal])):
            assert not anchored.codes() & (OUTSIDE - {Code.NOT_PROVEN})
            assert next(one.proven for one in anchored.guarantees if one.name is GuaranteeName.ANCHORED)


@each
def test_lie_is_one_finding(lies: Lies) -> None:
    """A fault hides nothing and causes no false ones: a reader who mends what is found has mended the log."""
    for _, _, alone, _ in lies.cases():
        refuting = [one for one in alone.findings if one.code not in INCOMPLETE]
        assert len(refuting) <= 1 or lies.mutator.name in SHOWS_TWICE


@each
def test_lie_is_read_to_its_end(lies: Lies) -> None:
    """Mutators lie within the format, so that what is tested is the judgement and not the decoder."""
    for sample, mutated, alone, _ in lies.cases():
        assert mutated.data != sample.data
        assert Log(mutated.data).broken is None
        assert alone.stopped is None


@each
def test_sound_original_holds(lies: Lies) -> None:
    """The finding is the lie's: the match it was made from is verified with anchors and faultless without."""
    for sample, *_ in lies.cases():
        assert audit(bytes(sample.data), anchors(sample)).verdict is Verdict.VERIFIED
        assert audit(bytes(sample.data)).codes() == {Code.NOT_PROVEN}


@each
def test_mutating_is_reproducible(lies: Lies) -> None:
    """Vectors come out the same on every run, and a sample serves for more than one mutator."""
    sample, mutated, *_ = next(lies.cases())
    before = bytes(sample.data), list(sample.records), dict(sample.keys)
    assert mutate(sample, lies.mutator) == mutated
    assert (bytes(sample.data), sample.records, sample.keys) == before


def test_table_names_each_lie_once() -> None:
    """Documentation and vector files are named after the mutators."""
    names = [mutator.name for mutator in MUTATORS]
    assert len(names) == len(set(names)) >= 45
    assert all(name.replace("-", "").isalpha() and name == name.lower() for name in names)
    descriptions = [mutator.description for mutator in MUTATORS]
    assert len(descriptions) == len(set(descriptions))
    assert not [words for words in descriptions if "\n" in words or words.endswith(".") or len(words) > 100]
    assert SHOWS_TWICE.keys() <= set(names)


def test_every_code_a_log_can_raise_is_reached() -> None:
    """No finding of the report is without an example; a new code asks for a new mutator."""
    reached = {mutator.code for mutator in MUTATORS}
    assert reached == set(Code) - OUTSIDE - NO_VERDICT
    assert reached & INCOMPLETE == {Code.UNFINISHED, Code.VOID, Code.SIGNATURE_MISSING}


def test_misfit_sample_is_refused() -> None:
    """A mutator for sealed contributions does nothing to a match without them."""
    mutator = next(one for one in MUTATORS if one.needs.get("sealed"))
    other = next(one for one in MUTATORS if one.needs.get("sealed") is False)
    sample = sample_for(other)
    assert other.fits(sample)
    assert not mutator.fits(sample)
    with pytest.raises(Misuse):
        mutate(sample, mutator)


@pytest.mark.parametrize(("seats", "number"), SAMPLES)
def test_untouched_draft_is_the_original(seats: int, number: int) -> None:
    """What a mutator does not change stays byte for byte: making good again adds no change of its own."""
    sample = sample_for(MUTATORS[-1], seats, number)
    assert encode_log(split(sample.records)) == sample.data
    assert settle(draft_of(sample, "untouched")) == sample.data
