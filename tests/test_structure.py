"""The order of records: what belongs where, what is set aside, and the offsets that signatures and receipts rest on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.codec import Log, encode_log, encode_record
from fairdeal.codes import Code
from fairdeal.errors import Malformed
from fairdeal.limits import MAX_STRAYS
from fairdeal.records import (
    OPERATOR,
    UNTIMED,
    Actions,
    Clocked,
    Close,
    Commitment,
    Deal,
    Exchange,
    Opened,
    Presence,
    Record,
    RoundEnd,
    Sealed,
    SeatEvent,
    Signature,
    Terms,
    Timing,
    pass_action,
    timed,
)
from fairdeal.replay import replay
from fairdeal.settings import SeatKind
from fairdeal.structure import Happening, Structure, structure_of
from tests.conftest import SAMPLES, UNSIGNED, all_signed, apart, played, where
from tests.strategies import logs, many, single, with_clock

LETTERS = {
    Terms: "T",
    Commitment: "C",
    Sealed: "S",
    Opened: "O",
    Deal: "D",
    Exchange: "E",
    Actions: "A",
    RoundEnd: "R",
    Close: "L",
}
# a signature is a digit, the number of its signer
GROUP = "".join(f"{signer}?" for signer in range(9))
SEATS_GROUP = GROUP[2:]
GRAMMAR = re.compile(f"TCS*{GROUP}O*(DE*A*R)*((?<=R){SEATS_GROUP})?L0?")


def letters(records: Sequence[Record]) -> str:
    """Return a log as one letter a record."""
    return "".join(str(one.signer) if isinstance(one, Signature) else LETTERS[type(one)] for one in records)


def parts_of(records: Sequence[Record]) -> Structure:
    """Return the structure of a log with these records."""
    return structure_of(Log(encode_log(records)))


def offsets(records: Sequence[Record]) -> list[int]:
    """Return where each record starts, and where the last one ends."""
    found = [0]
    for record in records:
        found.append(found[-1] + len(encode_record(record)))
    return found


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sound_log_follows_the_grammar(name: str) -> None:
    """Everything finds its part, nothing is set aside, and each part holds all its records in order."""
    done = SAMPLES[name]()
    records = apart(done.records)
    assert GRAMMAR.fullmatch(letters(records))
    parts = parts_of(records)
    at = offsets(records)
    kinds = letters(records)
    assert (parts.strays, parts.stopped, sorted(parts.early)) == ([], None, [])
    assert parts.commitment == done.tree.commitment()
    assert parts.commitment_end == at[2]
    assert [one.seat for one in parts.sealed] == list(done.terms.contributors())
    assert parts.lock == at[2 + kinds.count("S")] == done.lock
    assert [one.signer for one in parts.lock_signatures] == list(done.keys)
    assert parts.lock_signed == (parts.lock if done.keys else 0)
    assert [one.seat for one in parts.opened] == list(done.terms.contributors())
    assert parts.opened_start == (at[kinds.index("O")] if "O" in kinds else 0)
    assert [part.start for part in parts.rounds] == [at[found.start()] for found in re.finditer("D", kinds)]
    assert [part.end_offset for part in parts.rounds] == [at[found.end()] for found in re.finditer("R", kinds)]
    assert sum(len(part.gifts) for part in parts.rounds) == kinds.count("E")
    assert sum(len(part.actions) for part in parts.rounds) == kinds.count("A")
    assert all(part.end is not None and part.went_on() for part in parts.rounds)
    assert (parts.close_start, parts.close_end) == (at[kinds.index("L")], at[kinds.index("L") + 1])
    assert (parts.final_signature is not None) == (OPERATOR in done.keys)


def spoiled(record: Record) -> Record:
    """Return a record as a stray one would be, with the number of a deal kept: another would be another fault."""
    return replace(record, signature=UNSIGNED) if isinstance(record, Signature) else record


@pytest.mark.parametrize("kind", ["C", "S", "O", "0", "1", "3", "D", "E", "A", "R", "L"])
def test_a_stray_record_in_any_position_is_found(kind: str) -> None:
    """A record put anywhere else than the grammar has it is an `order` finding, and where it fits there is none.

    Only a deal may start a round of its own, whose end is then missing.
    """
    records = apart(all_signed(3, 2).records)
    kinds = letters(records)
    for at in range(1, len(records) + 1):
        # the last of its kind so far, so that a second deal inside a round repeats its number
        same = [index for index, letter in enumerate(kinds) if letter == kind]
        before = [index for index in same if index < at]
        one = spoiled(records[before[-1] if before else same[0]])
        changed = [*records[:at], one, *records[at:]]
        found = parts_of(changed).strays != []
        fits = GRAMMAR.fullmatch(letters(changed)) is not None
        if kind == "D" or at % 8 == 0:
            codes = {finding.code for finding in replay(Log(encode_log(changed))).judge.findings}
            assert (Code.ORDER in codes) is found
            found |= kind == "D" and Code.ROUND_END_MISSING in codes
        assert found is not fits, (kind, at)


@given(st.data())
@many
def test_any_order_is_judged_as_the_grammar_says(data: st.DataObject) -> None:
    """Records moved about, lost or doubled: strays are found exactly where the grammar is broken.

    Only a missing end of a round, a missing commitment or close have codes of their own.
    """
    # without actions: several in a row are one stray
    records = [one for one in all_signed(3, 1).records[1:] if not isinstance(one, Actions)]
    count = data.draw(st.integers(0, len(records)))
    order = data.draw(st.lists(st.integers(0, len(records) - 1), min_size=count, max_size=count))
    changed = [all_signed(3, 1).terms, *(records[index] for index in order)]
    parts = parts_of(changed)
    if GRAMMAR.fullmatch(letters(changed)):
        assert parts.strays == []
    kept = len(parts.sealed) + len(parts.lock_signatures) + len(parts.opened) + len(parts.close_signatures)
    kept += (parts.commitment is not None) + (parts.close is not None) + (parts.final_signature is not None)
    for part in parts.rounds:
        kept += 1 + len(part.gifts) + len(part.actions) + (part.end is not None)
    assert kept + len(parts.strays) == len(order)


@given(logs())
@settings(max_examples=20, deadline=None)
def test_no_record_is_lost(log: tuple[Terms, list[Record]]) -> None:
    """Of any records at all, each is in its part, among the strays, or behind the record that ended the walk."""
    terms, records = log
    parts = parts_of([terms, *records])
    assert parts.stopped is None
    kept = [(gift, part.timing.get(n, UNTIMED)) for part in parts.rounds for n, gift in enumerate(part.gifts)]
    for part in parts.rounds:
        timing = [part.timing.get(number, UNTIMED) for number in range(len(part.gifts), part.moves())]
        assert len(timing) == len(part.actions)
        assert set(part.timing) <= set(range(part.moves()))
        assert all(0 <= one.after <= part.moves() for one in part.events)
        assert [one.after for one in part.events] == sorted(one.after for one in part.events)
    in_rounds = list(single(records))
    timed_gifts = [
        (one.record, one.timing) for one in in_rounds if isinstance(one, Clocked) and isinstance(one.record, Exchange)
    ]
    assert all(one in timed_gifts for one in kept if one[1] != UNTIMED)
    events = [
        one
        for one in in_rounds
        if isinstance(one, SeatEvent) or (isinstance(one, Clocked) and isinstance(one.record, SeatEvent))
    ]
    strays = sum(stray.what.startswith("seat event") for stray in parts.strays)
    assert sum(len(part.events) for part in parts.rounds) + strays == len(events)


@pytest.mark.parametrize(
    ("where", "place"), [("C", "opening"), ("S", "opening"), ("A", "round[1]"), ("R", "round[1]"), ("L", "close")]
)
def test_a_stray_is_named_with_its_byte_and_part(where: str, place: str) -> None:
    """Before the deals, after the n-th, after the close."""
    records = apart(all_signed(4, 1).records)
    at = letters(records).rindex(where) + 1
    changed = [*records[:at], records[1], *records[at:]]
    (stray,) = parts_of(changed).strays
    assert (stray.place, stray.what) == (place, f"commitment at byte {offsets(changed)[at]}")


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("C", "commitment"),
        ("S", "sealed"),
        ("O", "opened"),
        ("1", "signature"),
        ("D", "deal"),
        ("E", "exchange"),
        ("A", "action"),
        ("R", "end of round"),
        ("L", "close"),
    ],
)
def test_every_kind_has_a_name_for_people(kind: str, name: str) -> None:
    """A stray says in words what it is."""
    records = apart(all_signed(4, 2).records)
    one = records[letters(records).index(kind)]
    (stray,) = parts_of([*records, one]).strays
    assert stray.what.startswith(f"{name} at byte ")


def test_signatures_of_a_group_stand_in_ascending_order_once_each() -> None:
    """Operator first, then seats; one out of turn is set aside and the others stay."""
    records = apart(all_signed(4, 1).records)
    kinds = letters(records)
    at = kinds.index("0")
    lock = records[at : at + 5]
    for order, kept in (([1, 0, 2], [1, 2]), ([0, 0, 1], [0, 1]), ([4, 3, 2, 1, 0], [4]), ([0, 2, 1, 3], [0, 2, 3])):
        parts = parts_of([*records[:at], *(lock[index] for index in order), *records[at + 5 :]])
        assert [one.signer for one in parts.lock_signatures] == kept
        assert len(parts.strays) == len(order) - len(kept)


def test_signatures_before_the_close_are_the_seats_own_group() -> None:
    """They sign the byte where the group starts; the operator's place is after the close."""
    records = apart(played(4, 1).records)
    close = letters(records).index("L")
    group = [Signature(signer, UNSIGNED) for signer in (1, 2, 4)]
    parts = parts_of([*records[:close], *group, *records[close:]])
    assert (parts.strays, parts.close_signatures) == ([], group)
    assert parts.close_signed == offsets(records)[close]
    running = parts_of([*records[:close], *group])
    assert (running.close_signatures, running.close_signed) == (group, parts.close_signed)
    operator = parts_of([*records[:close], Signature(OPERATOR, UNSIGNED), *records[close:]])
    assert (len(operator.strays), operator.close_signatures) == (1, [])


def test_signatures_inside_the_rounds_are_set_aside() -> None:
    """What looks like a group before the close is none when play goes on behind it."""
    records = apart(played(4, 2).records)
    at = letters(records).index("R") + 1
    parts = parts_of([*records[:at], Signature(1, UNSIGNED), Signature(2, UNSIGNED), *records[at:]])
    assert len(parts.strays) == 2
    assert parts.close_signatures == []


def test_a_seal_behind_an_opening_is_early_and_no_stray() -> None:
    """Who had opened by then is known; one seal more than there are seats is misplaced."""
    records = apart(all_signed(4, 1).records)
    kinds = letters(records)
    seals = [records[index] for index, letter in enumerate(kinds) if letter == "S"]
    opened = [records[index] for index, letter in enumerate(kinds) if letter == "O"]
    rest = records[kinds.index("D") :]
    parts = parts_of([*records[:2], *seals[:2], *opened[:2], *seals[2:], *opened[2:], *rest])
    assert (parts.strays, sorted(parts.early)) == ([], [0, 1])
    assert len(parts.sealed) == 4
    late = parts_of([*records[:2], *seals, *opened[:1], seals[0], *opened[1:], *rest])
    assert (len(late.strays), sorted(late.early)) == (1, [])


def test_a_deal_of_another_number_starts_a_round_of_its_own() -> None:
    """The round before has no end then, which is a fault by its own name; the same number again is misplaced."""
    records = apart(played(4, 2).records)
    kinds = letters(records)
    first, second = (found.start() for found in re.finditer("D", kinds))
    without_end = [*records[: second - 1], *records[second:]]
    assert len(parts_of(without_end).rounds) == 2
    codes = {one.code for one in replay(Log(encode_log(without_end))).judge.findings}
    assert Code.ROUND_END_MISSING in codes
    assert Code.ORDER not in codes
    doubled = parts_of([*records[: first + 1], *records[first:]])
    assert (len(doubled.rounds), len(doubled.strays)) == (2, 1)


def test_marks_markers_and_events_stand_with_the_move_they_belong_to() -> None:
    """Numbers of moves count gifts first and then actions; events keep how many moves came before them."""
    done = played()
    records = apart(done.records)
    second = where(done, Deal, 1)
    gift, first = where(done, Exchange), where(done, Actions, 0)
    lead = next(at for at in range(second, len(records)) if isinstance(records[at], Actions))
    gone = SeatEvent(1, Presence.DISCONNECTED, SeatKind.EASY)
    stamped = {at: Timing(5 + at, at % 4) for at in (first, gift + 1, lead, lead + 2)}
    changed: list[Record] = []
    for at, record in enumerate(records):
        if at in (first, second, gift + 2, lead + 1, len(records) - 1):
            changed.append(timed(Timing(at, None), gone))
        moved = isinstance(record, Exchange | Actions) and at in stamped
        changed.append(timed(stamped[at], record) if moved and isinstance(record, Exchange | Actions) else record)
    one, two = parts_of(changed).rounds
    assert one.timing == {0: stamped[first]}
    gifts = lead - second - 1
    assert two.timing == {1: stamped[gift + 1], gifts: stamped[lead], gifts + 2: stamped[lead + 2]}
    assert one.events == [Happening(0, gone, Timing(first, None)), Happening(one.moves(), gone, Timing(second, None))]
    assert [event.after for event in two.events] == [2, gifts + 1, two.moves()]
    plain = parts_of(records)
    assert [part.gifts for part in plain.rounds] == [one.gifts, two.gifts]
    assert [part.actions for part in plain.rounds] == [one.actions, two.actions]
    assert [part.timing for part in plain.rounds] == [{}, {}]


@pytest.mark.parametrize("event", [SeatEvent(1, Presence.LEFT, SeatKind.EASY)])
@pytest.mark.parametrize("timing", [UNTIMED, Timing(5, None)])
def test_events_belong_to_the_time_between_first_deal_and_close(event: SeatEvent, timing: Timing) -> None:
    """Before and after they are set aside with their byte; within they never are, nor anything around them."""
    done = all_signed(4, 2)
    records = apart(done.records)
    first, last = where(done, Deal), where(done, Close)
    for at in range(1, len(records) + 1):
        parts = parts_of([*records[:at], timed(timing, event), *records[at:]])
        if first < at <= last:
            assert parts.strays == []
            assert sum(len(part.events) for part in parts.rounds) == 1
        else:
            (stray,) = parts.strays
            assert (stray.place, stray.what) == (
                "opening" if at <= first else "close",
                f"seat event at byte {offsets(records)[at]}",
            )
        assert (parts.stopped, parts.close_start > 0) == (None, True)


def test_an_event_behind_signatures_of_the_close_sets_them_aside() -> None:
    """They stand right before the close, so something that happened after them is no longer covered."""
    records = apart(played(4, 1).records)
    close = letters(records).index("L")
    group = [Signature(signer, UNSIGNED) for signer in (1, 2)]
    event = SeatEvent(1, Presence.LEFT, SeatKind.EASY)
    parts = parts_of([*records[:close], *group, event, *records[close:]])
    assert [stray.what.split()[0] for stray in parts.strays] == ["signature", "signature"]
    assert [one.event for one in parts.rounds[0].events] == [event]


@pytest.mark.parametrize("timing", [Timing(5, None), Timing(None, 1), Timing(0, 3)])
def test_gifts_and_actions_with_marks_are_misplaced_like_those_without(timing: Timing) -> None:
    """A gift behind an action, anything of play outside a round: set aside, and its mark with it."""
    records = apart(played().records)
    kinds = letters(records)
    gift, action = Exchange(0, 1, b"\1"), Actions((pass_action(0),))
    for kind, one, name in (("A", gift, "exchange"), ("R", action, "action"), ("C", action, "action")):
        at = kinds.index(kind) + 1
        parts = parts_of([*records[:at], timed(timing, one), *records[at:]])
        assert [stray.what for stray in parts.strays] == [f"{name} at byte {offsets(records)[at]}"]
        assert [part.timing for part in parts.rounds] == [{}, {}]


def test_strays_without_end_are_malformed() -> None:
    """After a thousand records in the wrong place nothing more is read."""
    done = played()
    deal = next(one for one in done.records if isinstance(one, Deal))
    pair = [deal, done.records[1]]
    records = [*done.records[:2], *pair * 600]
    parts = parts_of(records)
    assert isinstance(parts.stopped, Malformed)
    assert len(parts.strays) == MAX_STRAYS
    assert parts.stopped.where == f"byte {offsets(records)[2 + MAX_STRAYS]}"
    assert parts_of(records[: 2 + MAX_STRAYS]).stopped is None


def test_a_broken_log_is_walked_to_its_break() -> None:
    """The decoder's error is kept as the reason for ending."""
    records = apart(played().records)
    log = Log(encode_log(records[:9]) + b"\xc0")
    parts = structure_of(log)
    assert isinstance(parts.stopped, Malformed)
    assert parts.stopped is log.broken
    assert len(parts.rounds[0].actions) == 6


def test_a_log_of_terms_alone_has_no_parts() -> None:
    """Nothing is there yet, and nothing is wrong."""
    assert parts_of([played().terms]) == Structure()
    assert parts_of(with_clock()[:2]).commitment is not None
