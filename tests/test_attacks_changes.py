"""Any change to a sound log: with a receipt none is verified, and without one exactly the other legal histories are.

The referee (`tests.referee`) says which those are, by rules of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, islice

import pytest

from fairdeal.audit import audit
from fairdeal.codec import encode_log, encode_record
from fairdeal.draws import Draws
from fairdeal.evidence import Evidence
from fairdeal.hashing import tagged_hash
from fairdeal.records import Actions, Deal, Exchange, Record, set_action
from fairdeal.report import Verdict
from fairdeal.ruleset import load_preset
from fairdeal.simulate import Simulated, Simulation, simulate
from fairdeal.vectors.mutators.draft import split
from tests.referee import classes, is_legal_history, made_good

full = pytest.mark.full


@cache
def match(seats: int, rounds: int, *, sealed: bool = False, signed: bool = False, keys: bool = False) -> Simulated:
    """Return a simulated match; the same every time."""
    rng = tagged_hash("attacks", seats, rounds)
    plan = Simulation(load_preset("president", {"end_at": rounds}), seats, rng, sealed, signed, keys)
    return simulate(plan)


def small() -> Simulated:
    """Return the smallest match there is: three seats, one round, the operator's word alone."""
    return match(3, 1)


def whole() -> Simulated:
    """Return a match with everything in it: an exchange with vices, sealed contributions, the operator's signatures."""
    return match(4, 2, sealed=True, signed=True)


def with_keys() -> Simulated:
    """Return the same with a key for every seat."""
    return match(4, 2, sealed=True, signed=True, keys=True)


def two_packs() -> Simulated:
    """Return a match of six seats, where every card is there twice."""
    return match(6, 2)


def committed(sample: Simulated) -> Evidence:
    """Return what fixes the deals and nothing after them: the published commitment, and a ticket of round 1 if sealed.

    Under sealed contributions the commitment fixes the seeds, but not yet what is mixed into them.
    """
    sealed = bool(sample.terms.contributors())
    return Evidence(tickets=tuple(sample.tickets[:1] if sealed else ()), commitments=(sample.tree.commitment(),))


def recorded(sample: Simulated) -> Evidence:
    """Return the same and a receipt of the log's end."""
    return replace(committed(sample), receipts=(sample.receipt(len(sample.data)),))


def flips(sample: Simulated, step: int = 1) -> Iterator[bytes]:
    """Yield the log with one bit flipped: every `step`-th of its bits."""
    for bit in range(0, 8 * len(sample.data), step):
        data = bytearray(sample.data)
        data[bit >> 3] ^= 1 << (bit & 7)
        yield bytes(data)


def edits(sample: Simulated) -> Iterator[bytes]:
    """Yield the log with one record, single actions too, left out, doubled, or swapped with its neighbour."""
    parts = [encode_record(record) for record in split(sample.records)]
    for at, part in enumerate(parts):
        yield b"".join([*parts[:at], *parts[at + 1 :]])
        yield b"".join([*parts[:at], part, *parts[at:]])
        yield b"".join([*parts[:at], *parts[at + 1 : at + 2], part, *parts[at + 2 :]])


def choices(sample: Simulated, step: int = 1) -> Iterator[bytes]:
    """Yield the log with other cards in one free choice: any card in place of one played, any cards of a gift."""
    records = split(sample.records)
    others: list[tuple[int, Record]] = []
    for at, record in enumerate(records):
        if isinstance(record, Actions) and len(record.actions[0].cards) == 1:
            seat = record.actions[0].seat
            others += [(at, Actions((set_action(seat, bytes([face])),))) for face in range(52)]
        elif isinstance(record, Exchange):
            gifts = combinations(range(52), len(record.cards))
            others += [(at, replace(record, cards=bytes(cards))) for cards in gifts]
    for at, other in others[::step]:
        yield encode_log([*records[:at], other, *records[at + 1 :]])


def regroupings(sample: Simulated) -> Iterator[bytes]:
    """Yield the log with two plays of one seat and size in one round the other way round: a consistent change."""
    records = split(sample.records)
    rows: dict[tuple[int, int, int], list[int]] = {}
    number = 0
    for at, record in enumerate(records):
        number += isinstance(record, Deal)
        if isinstance(record, Actions) and record.actions[0].cards:
            action = record.actions[0]
            rows.setdefault((number, action.seat, len(action.cards)), []).append(at)
    for row in rows.values():
        for one, other in combinations(row, 2):
            swapped = list(records)
            swapped[one], swapped[other] = records[other], records[one]
            yield encode_log(swapped)


def double_changes(sample: Simulated, count: int) -> Iterator[bytes]:
    """Yield the log with two changes at once: records that change places, or bits."""
    draws = Draws(tagged_hash("double-changes", bytes(sample.data)))
    for _ in range(count):
        parts = [encode_record(record) for record in split(sample.records)]
        for _ in range(2):
            one, other = draws.below(len(parts)), draws.below(len(parts))
            parts[one], parts[other] = parts[other], parts[one]
        yield b"".join(parts)
        data = bytearray(sample.data)
        for _ in range(2):
            data[draws.below(len(data))] ^= 1 << draws.below(8)
        yield bytes(data)


def never_verified(sample: Simulated, changed: Iterator[bytes], evidence: Evidence) -> int:
    """Assert that no changed log is verified, and return how many there were."""
    count = 0
    for data in changed:
        if data != sample.data:
            assert audit(data, evidence).verdict is not Verdict.VERIFIED, data.hex()
            count += 1
    return count


def only_histories_verified(sample: Simulated, changed: Iterator[bytes]) -> Counter[str]:
    """Assert that of logs made good again exactly the legal histories are verified, and return their classes."""
    found: Counter[str] = Counter()
    for log in changed:
        data = made_good(sample, log)
        if data == sample.data:
            continue  # only the digest or an operator's signature was changed, and that was made good
        report = audit(data, committed(sample))
        legal = is_legal_history(sample, data)
        assert (report.verdict is Verdict.VERIFIED) == legal, (legal, report.findings, data.hex())
        found += classes(sample, data) if legal else Counter[str]()
        found["in all"] += 1
    return found


def test_receipt_pins_every_bit_of_a_small_match() -> None:
    """Whoever kept a receipt of the end has every bit, byte and record of the log fixed."""
    sample = small()
    assert audit(bytes(sample.data), recorded(sample)).verdict is Verdict.VERIFIED
    assert never_verified(sample, flips(sample), recorded(sample)) == 8 * len(sample.data)
    assert never_verified(sample, edits(sample), recorded(sample)) >= 3 * len(split(sample.records)) - 1


@pytest.mark.parametrize("step", [61, pytest.param(1, marks=full)])
def test_receipt_pins_every_bit_of_a_whole_match(step: int) -> None:
    """The same where contributions, signatures and an exchange give a forger more to try."""
    sample = with_keys()
    assert never_verified(sample, flips(sample, step), recorded(sample)) == -(-8 * len(sample.data) // step)
    assert never_verified(sample, islice(edits(sample), 0, None, step // 20 + 1), recorded(sample)) > 100


@pytest.mark.parametrize("sample", [small, whole, with_keys])
def test_cut_log_is_never_verified_nor_refuted(sample: Callable[[], Simulated]) -> None:
    """A missing tail is noticed at every byte: incomplete at a record's end, malformed inside one, and never a lie."""
    log = sample()
    ends, end = {0}, 0
    for record in split(log.records):
        end += len(encode_record(record))
        ends.add(end)
    for cut in range(1, len(log.data)):
        verdict = audit(bytes(log.data[:cut]), recorded(log)).verdict
        assert verdict is (Verdict.INCOMPLETE if cut in ends else Verdict.NO_VERDICT), cut


def test_only_legal_histories_of_a_small_match_are_verified() -> None:
    """Without a receipt `verified` means a legal history of the committed deals: no less, and no more."""
    sample = small()
    plays = {"in all", "suits of plays", "ranks of plays"}
    assert set(only_histories_verified(sample, flips(sample))) <= plays
    assert set(only_histories_verified(sample, edits(sample))) == {"in all"}
    assert set(only_histories_verified(sample, choices(sample))) <= plays
    assert set(only_histories_verified(sample, regroupings(sample))) == plays


@pytest.mark.parametrize("step", [97, pytest.param(1, marks=full)])
def test_only_legal_histories_of_a_whole_match_are_verified(step: int) -> None:
    """Where seats contribute and exchange, the orders of sealing, opening and returning are free as well."""
    sample = whole()
    plays = {"in all", "suits of plays", "ranks of plays"}
    orders = {"order of sealing", "order of opening", "order of the returns"}
    assert set(only_histories_verified(sample, flips(sample, step))) <= plays
    swaps = only_histories_verified(sample, islice(edits(sample), 2, None, 3))
    assert set(swaps) == {"in all"} | orders
    assert set(only_histories_verified(sample, islice(edits(sample), 0, None, step // 20 + 1))) <= {"in all"} | orders
    assert set(only_histories_verified(sample, choices(sample, step))) <= plays | {"cards of a gift"}
    assert set(only_histories_verified(sample, islice(regroupings(sample), 0, None, step // 30 + 1))) == plays


@pytest.mark.parametrize("step", [97, pytest.param(1, marks=full)])
def test_seat_signatures_pin_the_order_of_sealing(step: int) -> None:
    """A lock that seats signed cannot be rearranged by the operator: even the order of seals is fixed."""
    sample = with_keys()
    found = only_histories_verified(sample, islice(edits(sample), 0, None, step // 30 + 1))
    found += only_histories_verified(sample, flips(sample, step))
    assert "order of sealing" not in found


@pytest.mark.parametrize("step", [23, pytest.param(1, marks=full)])
def test_only_legal_histories_of_two_packs_are_verified(step: int) -> None:
    """Two copies of a card are the same card twice: holding one of them does not let a seat play both."""
    sample = two_packs()
    found = only_histories_verified(sample, islice(regroupings(sample), 0, None, step // 5 + 1))
    assert set(found) == {"in all", "suits of plays", "ranks of plays"}
    assert only_histories_verified(sample, flips(sample, 8 * step + 1))["in all"] >= 40
    assert only_histories_verified(sample, choices(sample, 8 * step))["in all"] >= 30


@pytest.mark.parametrize("count", [60, pytest.param(5_000, marks=full)])
@pytest.mark.parametrize("sample", [small, whole, with_keys])
def test_two_changes_at_once_make_no_more_verified(sample: Callable[[], Simulated], count: int) -> None:
    """One change does not cover up another: the auditor and the referee agree on pairs of changes too."""
    assert only_histories_verified(sample(), double_changes(sample(), count))["in all"] > count


def test_another_legal_history_is_stated_as_the_operators_word() -> None:
    """The suits of two plays change places: only a receipt shows it, and without one the report claims no record."""
    sample = small()
    data = next(
        data
        for data in (made_good(sample, log) for log in regroupings(sample))
        if classes(sample, data)["suits of plays"] and is_legal_history(sample, data)
    )
    report = audit(data, committed(sample))
    assert report.verdict is Verdict.VERIFIED
    assert not next(one.proven for one in report.guarantees if one.name == "recorded")
    assert audit(data, recorded(sample)).verdict is Verdict.REFUTED
