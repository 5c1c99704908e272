"""Where two logs part: the byte, the place an audit would give it, and what stands there in each."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.archive.compare import first_difference, parting
from fairdeal.audit import audit
from fairdeal.codec import Log, encode_record
from fairdeal.play import Round
from fairdeal.records import (
    Action,
    Actions,
    Clocked,
    Close,
    Commitment,
    Deal,
    Exchange,
    Opened,
    Record,
    RoundEnd,
    Sealed,
    SeatEvent,
    Signature,
    pass_action,
    set_action,
    singles,
)
from fairdeal.ruleset import load_preset
from fairdeal.simulate import Simulation, simulate
from tests.conftest import all_signed, apart, played, where

DONE = all_signed()
DATA = bytes(DONE.data)


def encoded(records: list[Record]) -> bytes:
    return b"".join(map(encode_record, records))


def changed(kind: type[Record], number: int = 0, **values: Any) -> bytes:
    """Return the match above with one record changed."""
    records = apart(DONE.records)
    at = where(DONE, kind, number)
    record: Any = records[at]
    records[at] = replace(record, **values)
    return encoded(records)


@cache
def offsets() -> list[tuple[int, str]]:
    """Return where each action of the match begins, and its place as the audit gives it."""
    places: list[str] = []

    def note(place: str, state: Round, action: Action) -> None:
        del action
        places.append(f"{place}.trick[{state.trick}].play[{state.play}]")

    audit(DATA, observer=note)
    starts, at = [], 0
    for record in apart(DONE.records):
        starts += [at] if isinstance(record, Actions) else []
        at += len(encode_record(record))
    return list(zip(starts, places, strict=True))


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_the_first_difference(first: bytes, second: bytes) -> None:
    """Compared with what a loop over all bytes finds."""
    expected = next((at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    if expected is None and first != second:
        expected = min(len(first), len(second))
    assert first_difference(first, second) == expected


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_every_action_is_named_by_its_place(data: st.DataObject) -> None:
    """An action written over by another one that is as long."""
    start, place = data.draw(st.sampled_from(offsets()))
    head = DATA[start]
    other = bytes([0xFF - (0xFF - head + 1) % 4 if head >= 0xF8 else (head & ~7) | ((head + 1) & 3)])
    parted = parting(DATA, DATA[:start] + other + DATA[start + 1 :])
    assert parted is not None
    assert (parted.offset, parted.place) == (start, place)
    assert parted.first is not None
    assert parted.second is not None
    assert parted.first.startswith("seat ")
    assert parted.first != parted.second


SIGNED_ZEROS = f"signature of operator {'0' * 16}…"
PARTS: dict[str, tuple[bytes, str, str]] = {
    "commitment": (changed(Commitment, commitment=bytes(32)), "commitment", f"commitment {'00' * 32}"),
    "sealed": (changed(Sealed, 1, seal=bytes(32)), "sealed[1]", f"seat 1 seals {'00' * 32}"),
    "opened": (changed(Opened, 2, contribution=bytes(32)), "opened[2]", f"seat 2 opens {'00' * 32}"),
    "signature": (
        changed(Signature, 0, signature=bytes(64)),
        "signature[operator]",
        f"signature of operator {'0' * 16}…",
    ),
    "deal": (changed(Deal, 1, blind=bytes(16)), "round[2].deal", "blind " + "00" * 16),
    "gift": (changed(Exchange, 1, cards=b"\0"), "round[2].exchange[2]", " 3c"),
    "end": (changed(RoundEnd, 0, points=(9, 9, 9, 9)), "round[1].end", "points 9 9 9 9"),
    "close": (changed(Close, totals=(9, 9, 9, 9)), "close", "totals 9 9 9 9"),
}


@pytest.mark.parametrize("part", PARTS)
def test_every_record_is_named_with_what_differs(part: str) -> None:
    data, place, words = PARTS[part]
    parted = parting(DATA, data)
    assert parted is not None
    assert parted.place == place
    assert parted.second is not None
    assert words in parted.second
    assert parted.first is not None
    assert words not in parted.first
    assert parting(data, DATA) == parted._replace(first=parted.second, second=parted.first)


def test_terms_of_two_matches() -> None:
    parted = parting(DATA, bytes(played().data))
    assert parted is not None
    assert parted.place == "terms"
    assert parted.first == f"terms {Log(DATA).terms_hash.hex()}"


@settings(deadline=None, max_examples=60)
@given(st.integers(0, len(DATA) - 1))
def test_a_beginning_ends_where_the_other_goes_on(cut: int) -> None:
    for first, second in ((DATA, DATA[:cut]), (DATA[:cut], DATA)):
        parted = parting(first, second)
        assert parted is not None
        assert parted.offset == cut
        assert (parted.first is None) == (first is not DATA)
        assert (parted.second is None) == (second is not DATA)


def test_equal_logs_part_nowhere() -> None:
    assert parting(DATA, DATA) is None


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_any_bytes_can_be_compared(data: st.DataObject) -> None:
    """Whatever is changed, the offset is that of the first change and both sides say something else."""
    at = data.draw(st.integers(0, len(DATA) - 1))
    other = DATA[:at] + data.draw(st.binary(min_size=1, max_size=30))
    parted = parting(DATA, other)
    if parted is not None:
        assert parted.offset == first_difference(DATA, other)
        assert parted.first != parted.second


def test_what_cannot_be_decoded_is_told_by_its_bytes() -> None:
    parted = parting(b"one", b"only")
    assert parted is not None
    assert parted == (2, "byte 2", "bytes 65 from 2 on", "bytes 6c79 from 2 on")


def test_a_round_that_cannot_be_judged_counts_its_actions() -> None:
    """Without a seed nobody knows the hands: the action is named by its number in the round."""
    done = played()
    records = apart(done.records)
    first = where(done, Actions)
    running = records[: first + 9]
    last = running[-1]
    assert isinstance(last, Actions)
    other = pass_action(3) if last.actions[0].cards else set_action(3, b"\0")
    parted = parting(encoded(running), encoded([*running[:-1], Actions((other,))]))
    assert parted is not None
    assert parted.place == "round[1].action[9]"


def test_marks_markers_and_events_are_told() -> None:
    """Where two logs differ in the clock only, or in who plays for a seat."""
    plan = Simulation(load_preset("president", {"end_at": 3}), 4, b"\3" * 32, players="lowest", clock=True)
    done = simulate(plan)
    records = [single for one in done.records for single in singles(one)]
    actions = [(at, one) for at, one in enumerate(records) if isinstance(one, Actions) and one.timing]
    at, timed = actions[5]
    tenths = timed.timing[0].tenths
    assert tenths is not None
    later = replace(timed, timing=(timed.timing[0]._replace(tenths=tenths + 1),))
    parted = parting(encoded(records), encoded([*records[:at], later, *records[at + 1 :]]))
    assert parted is not None
    assert parted.second is not None
    assert parted.second.startswith(f"after {(tenths + 1) / 10:g} s ")
    at, clocked = next((at, one) for at, one in enumerate(records) if isinstance(one, Clocked))
    marked = replace(clocked, timing=clocked.timing._replace(tenths=9_999))
    parted = parting(encoded(records), encoded([*records[:at], marked, *records[at + 1 :]]))
    assert parted is not None
    assert parted.second is not None
    assert parted.second.startswith("after 999.9 s ")


def test_seat_events_are_told() -> None:
    plan = Simulation(load_preset("president", {"end_at": 3}), 4, b"\1" * 32, players="lowest", clock=True)
    records = [single for one in simulate(plan).records for single in singles(one)]
    events = [at for at, one in enumerate(records) if isinstance(one, Clocked) and isinstance(one.record, SeatEvent)]
    assert events
    for at in events:
        parted = parting(encoded(records), encoded(records[:at]))
        assert parted is not None
        assert re.fullmatch(r"round\[[123]\]\.event", parted.place)
        assert parted.first is not None
        assert re.match(r"after [0-9.]+ s seat [0-3] (loses its connection|returns|leaves for good), ", parted.first)
