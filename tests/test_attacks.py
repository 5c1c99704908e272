"""What an operator might try with contributions, locks and whole matches, and what anchors a log and what does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from fairdeal.audit import audit
from fairdeal.codec import Log, encode_log
from fairdeal.codes import INCOMPLETE, Code
from fairdeal.evidence import Evidence, Receipt
from fairdeal.hashing import file_digest, tagged_hash
from fairdeal.limits import HASH_BYTES
from fairdeal.records import (
    OPERATOR,
    Close,
    CloseReason,
    Deal,
    Sealed,
    Signature,
    signer_of,
)
from fairdeal.report import GuaranteeName, Report, Verdict
from fairdeal.ruleset import load_preset
from fairdeal.sign import public_key, sign, signed_message
from fairdeal.simulate import Simulated, Simulation, simulate
from fairdeal.vectors.mutators.draft import close, draft_of, settle, unsigned, write_opening
from fairdeal.vectors.mutators.going import play_on
from fairdeal.verify import hand_of
from tests.test_attacks_changes import committed, match, small, whole, with_keys


def proven(report: Report, name: GuaranteeName) -> bool:
    """Return whether the report says that a guarantee is proven."""
    return next(one.proven for one in report.guarantees if one.name is name)


def places_of(report: Report) -> set[tuple[Code, str]]:
    """Return code and place of every finding."""
    return {(finding.code, finding.place) for finding in report.findings}


def codes_at(report: Report, place: str) -> set[Code]:
    """Return the codes of all findings at a place."""
    return {finding.code for finding in report.findings if finding.place == place}


# ---- contributions: the operator learns a value and seals again


def resealed(sample: Simulated) -> tuple[bytes, Receipt, Evidence]:
    """Return a log whose seat 1, the operator's mate, chose its value after seat 0 opened, and what seat 0 holds.

    That is its receipt of the lock, and all else: its own value, the commitment, and a ticket given after the attack.

    Seat 0 saw, and with a key signed, a lock with a dummy of seat 1. What is sealed there now deals seat 1 two twos.
    """
    draft = draft_of(sample, "resealed")
    shown = draft.records[: draft.indexes(Sealed)[-1] + 1]
    shown[draft.indexes(Sealed)[1]] = Sealed(1, draft.draws.take(HASH_BYTES))
    lock = encode_log(shown)
    ticket = next(one for one in sample.tickets if one.seat == 1)
    twos = 0
    while twos < 2:
        draft.contributions = (draft.contributions[0], draft.draws.take(HASH_BYTES), *draft.contributions[2:])
        hand = hand_of(replace(ticket, contributions=draft.contributions), sample.tree.seeds[0])
        twos = sum(face >= 48 for face in hand)
    write_opening(draft)
    key = draft.keys.pop(signer_of(0), None)
    if key is not None:
        index = draft.records.index(unsigned(signer_of(0)))
        message = signed_message(sample.tree.terms, signer_of(0), len(lock), file_digest(lock))
        draft.records[index] = Signature(signer_of(0), sign(key, message))
    play_on(draft)
    held = replace(
        committed(sample),
        tickets=(replace(sample.tickets[0], contributions=draft.contributions),),
        contributions={0: draft.contributions[0]},
    )
    return settle(draft), Receipt(sample.tree.terms, len(lock), file_digest(lock)), held


def test_resealing_is_refuted_by_the_lock_receipt() -> None:
    """The seat that kept what it saw before it opened catches the operator that sealed again."""
    data, receipt, held = resealed(whole())
    report = audit(data, replace(held, receipts=(receipt,)))
    assert report.verdict is Verdict.REFUTED
    assert codes_at(report, "receipt[1]") == {Code.RECEIPT_DIGEST}
    assert not proven(report, GuaranteeName.UNCHOSEN)


def test_resealing_is_not_called_unchosen_without_the_lock_receipt() -> None:
    """The log of the attack is sound in itself; the report then proves no more than that the deals are unchanged."""
    data, _, held = resealed(whole())
    ends = [item.end for item in Log(data).items]
    late = [Receipt(Log(data).terms_hash, end, file_digest(data[:end])) for end in (ends[8], ends[-1])]
    for receipts in ((), tuple(late)):
        report = audit(data, replace(held, receipts=receipts))
        assert report.verdict is Verdict.VERIFIED
        assert not proven(report, GuaranteeName.UNCHOSEN)
        required = audit(data, replace(held, receipts=receipts), [GuaranteeName.UNCHOSEN])
        assert required.verdict is Verdict.INCOMPLETE


def test_resealing_cannot_use_the_signature_of_the_first_lock() -> None:
    """With a key the seat's own signature in the log stands against the new lock, without any evidence."""
    data, *_ = resealed(with_keys())
    assert codes_at(audit(data), "lock.signature[seat 0]") == {Code.SIGNATURE_BAD}


def test_unchosen_needs_the_own_value_and_the_lock_as_it_was_before_opening() -> None:
    """Neither a value without a receipt nor a receipt without a value vouches for a seat; both together do."""
    sample = whole()
    lock = sample.receipt(sample.lock)
    value = {2: sample.contributions[2]}
    cases = [((), value, False), ((lock,), {}, False), ((lock,), value, True)]
    for receipts, contributions, expected in cases:
        held = replace(committed(sample), receipts=receipts, contributions=contributions)
        assert proven(audit(bytes(sample.data), held), GuaranteeName.UNCHOSEN) == expected


# ---- anchoring


def test_what_is_held_from_afterwards_does_not_anchor() -> None:
    """A key, a receipt of the end or a later ticket says nothing of the time before round 1.

    Nor does the commitment alone of a match with contributions: whoever plays all seats can choose those later.
    """
    sample = with_keys()
    later = next(one for one in sample.tickets if one.round == 2)
    first_deal = next(item.start for item in Log(bytes(sample.data)).items if isinstance(item.record, Deal))
    alone = [
        Evidence(keys={OPERATOR: public_key(sample.keys[OPERATOR])}),
        Evidence(receipts=(sample.receipt(len(sample.data)),)),
        Evidence(receipts=(sample.receipt(first_deal + 1),)),
        Evidence(receipts=(sample.receipt(Log(bytes(sample.data)).terms_end),)),
        Evidence(tickets=(later,)),
        Evidence(contributions=dict(enumerate(sample.contributions))),
        Evidence(commitments=(sample.tree.commitment(),)),
        Evidence(published=({1: sample.tree.commitment()},)),
    ]
    for evidence in alone:
        report = audit(bytes(sample.data), evidence)
        assert not proven(report, GuaranteeName.ANCHORED)
        assert places_of(report) == {(Code.NOT_PROVEN, "guarantee.anchored")}
        assert report.verdict is Verdict.INCOMPLETE


def test_what_is_held_from_before_anchors_on_its_own() -> None:
    """Any seat's first ticket, a receipt from the lock on, or a signed lock is enough; without seals also C alone."""
    sample, plain = with_keys(), match(4, 2)
    first_deal = next(item.start for item in Log(bytes(sample.data)).items if isinstance(item.record, Deal))
    sufficient = [
        *((sample, Evidence(tickets=(one,))) for one in sample.tickets if one.round == 1),
        (sample, Evidence(receipts=(sample.receipt(sample.lock),))),
        (sample, Evidence(receipts=(sample.receipt(first_deal),))),
        *((sample, Evidence(keys={signer: public_key(key)})) for signer, key in sample.keys.items() if signer),
        (plain, Evidence(tickets=(plain.tickets[0],))),
        (plain, Evidence(receipts=(plain.receipt(plain.lock),))),
        (plain, Evidence(commitments=(plain.tree.commitment(),))),
        (plain, Evidence(published=({1: plain.tree.commitment()},))),
    ]
    for log, evidence in sufficient:
        report = audit(bytes(log.data), evidence)
        assert proven(report, GuaranteeName.ANCHORED)
        assert report.verdict is Verdict.VERIFIED


def test_lock_signatures_anchor_nothing_before_the_commitment() -> None:
    """Seats that signed the terms alone have not seen a commitment, so an operator can still choose one."""
    sample = match(4, 2, signed=True, keys=True)
    draft = draft_of(sample, "signed-before-commitment")
    draft.records.insert(draft.lock_signatures()[-1], draft.records.pop(1))
    pinned = {signer_of(seat): public_key(sample.keys[signer_of(seat)]) for seat in range(4)}
    report = audit(settle(draft), Evidence(keys=pinned))
    assert report.verdict is Verdict.REFUTED
    assert not proven(report, GuaranteeName.ANCHORED)


def test_lock_signatures_anchor_nothing_without_a_commitment() -> None:
    """Where no commitment is in the log, no signature over it can have fixed one."""
    sample = match(4, 2, signed=True, keys=True)
    draft = draft_of(sample, "signed-without-commitment")
    del draft.records[1]
    pinned = {signer_of(seat): public_key(sample.keys[signer_of(seat)]) for seat in range(4)}
    assert not proven(audit(settle(draft), Evidence(keys=pinned)), GuaranteeName.ANCHORED)


def test_evidence_of_another_match_or_key_speaks_against_the_log() -> None:
    """Whoever holds something that contradicts the log is told so, at that piece of evidence.

    Of other terms an audit cannot tell which are the true ones: whatever is held under them leaves the log unverified.
    """
    sample, other = with_keys(), match(4, 2)
    terms, offset, digest, _ = sample.receipt(sample.lock)
    cases: list[tuple[Evidence, Code, str]] = [
        (Evidence(receipts=(Receipt(other.tree.terms, offset, digest),)), Code.RECEIPT_TERMS, "receipt[1]"),
        (Evidence(receipts=(Receipt(terms, offset, bytes(32)),)), Code.RECEIPT_DIGEST, "receipt[1]"),
        (Evidence(tickets=(other.tickets[0],)), Code.TICKET_TERMS, "ticket[1]"),
        (committed(other), Code.COMMITMENT_OTHER, "commitment"),
        (Evidence(published=({1: other.tree.commitment()},)), Code.COMMITMENT_OTHER, "published[1]"),
        (Evidence(keys={OPERATOR: public_key(bytes(32))}), Code.KEY_OTHER, "terms.key[operator]"),
        (Evidence(keys={signer_of(3): public_key(bytes(32))}), Code.KEY_OTHER, "terms.key[seat 3]"),
        (Evidence(contributions={1: bytes(32)}), Code.CONTRIBUTION_OTHER, "opened[1]"),
    ]
    for evidence, code, place in cases:
        report = audit(bytes(sample.data), evidence)
        assert report.verdict is (Verdict.INCOMPLETE if code in INCOMPLETE else Verdict.REFUTED)
        assert code in codes_at(report, place)
        assert audit(bytes(sample.data), replace(evidence, tickets=(*evidence.tickets, sample.tickets[0]))).findings


def test_evidence_that_the_log_cannot_meet_leaves_it_incomplete() -> None:
    """A receipt from beyond the log's end, or a list without this match, is a question and no answer."""
    sample = whole()
    beyond = Receipt(sample.tree.terms, len(sample.data) + 1, bytes(32))
    for evidence, code in (
        (replace(committed(sample), receipts=(beyond,)), Code.RECEIPT_BEYOND),
        (replace(committed(sample), published=({2: bytes(32), 3: bytes(32)},)), Code.PUBLISHED_ABSENT),
        (replace(committed(sample), published=({},)), Code.PUBLISHED_ABSENT),
    ):
        report = audit(bytes(sample.data), evidence)
        assert report.verdict is Verdict.INCOMPLETE
        assert report.codes() == {code}


# ---- whole matches


@pytest.mark.parametrize("count", [24, pytest.param(1_000, marks=pytest.mark.full)])
def test_simulated_matches_are_verified_with_anchors_and_incomplete_without(count: int) -> None:
    """Sound matches of every size and kind hold up: the auditor refutes no honest operator."""

    def everything(sample: Simulated) -> Evidence:
        receipts = (sample.receipt(sample.lock), sample.receipt(len(sample.data)))
        return replace(committed(sample), tickets=tuple(sample.tickets), receipts=receipts)

    anchors: list[Callable[[Simulated], Evidence]] = [
        committed,
        everything,
        lambda sample: Evidence(tickets=(sample.tickets[0],)),
        lambda sample: Evidence(receipts=(sample.receipt(sample.lock),)),
        lambda sample: replace(
            committed(sample), tickets=tuple(sample.tickets), receipts=(sample.receipt(len(sample.data)),)
        ),
    ]
    for number in range(count):
        seats, kind = 3 + number % 6, 3 * number + number // 6  # every kind comes at every number of seats
        preset = load_preset("president", {"end_at": 1 + number % 3})
        players = ("random", "lowest")[number % 5 == 0]
        sealed, signed, keys = (bool(kind >> bit & 1) for bit in range(3))
        rng = tagged_hash("attacks", number)
        sample = simulate(Simulation(preset, seats, rng, sealed, signed, keys, players))
        report = audit(bytes(sample.data), anchors[number // 7 % 4](sample))
        assert report.verdict is Verdict.VERIFIED, (number, report.findings)
        assert not report.findings
        bare = audit(bytes(sample.data))
        assert bare.verdict is Verdict.INCOMPLETE
        assert places_of(bare) == {(Code.NOT_PROVEN, "guarantee.anchored")}


def test_report_is_no_truth_value() -> None:
    """`if report:` would be true for a refuted log, so it is an error."""
    with pytest.raises(TypeError):
        bool(audit(bytes(small().data)))


def test_terms_alone_are_not_verified() -> None:
    """A log that holds nothing but its terms has nothing to check, whatever is required of it."""
    data = encode_log(small().records[:1])
    for required in ([], list(GuaranteeName)):
        assert audit(data, committed(small()), required).verdict is Verdict.INCOMPLETE


@pytest.mark.parametrize("rules", [{"end_at": 1}, {"match_end": "open", "end_at": 0}])
def test_match_of_no_rounds_is_not_verified(rules: dict[str, str | int]) -> None:
    """A close by rule before the first deal is refuted, also where a match may end after any round."""
    plan = Simulation(load_preset("president", rules), 3, bytes(32), rounds=1)
    sample = simulate(plan)
    draft = draft_of(sample, "no-rounds")
    del draft.records[draft.indexes(Deal)[0] :]
    close(draft)
    for required in ([], list(GuaranteeName)):
        report = audit(settle(draft), committed(sample), required)
        assert report.verdict is Verdict.REFUTED
        assert Code.CLOSE_EARLY in report.codes()


@pytest.mark.parametrize("sample", [small, whole, with_keys])
def test_void_match_is_never_verified_nor_refuted_for_stopping(sample: Callable[[], Simulated]) -> None:
    """An operator may stop a match at any record; it stays incomplete, with the totals of the last ended round."""
    log = sample()
    for end in range(2, len(draft_of(log, "void").records)):
        draft = draft_of(log, "void")
        if end > draft.indexes(Close)[0]:
            break
        del draft.records[end:]
        close(draft, CloseReason.STOPPED)
        report = audit(settle(draft), committed(log))
        assert report.verdict is Verdict.INCOMPLETE, (end, report.findings)
        assert Code.VOID in report.codes()
        assert audit(settle(draft), committed(log), []).verdict is Verdict.INCOMPLETE
