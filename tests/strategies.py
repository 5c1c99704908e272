"""What several test modules draw from: random values of every record, sound logs, and the known answers of others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

from hypothesis import settings
from hypothesis import strategies as st

from fairdeal import limits
from fairdeal.cards import FACES
from fairdeal.evidence import Receipt, Ticket
from fairdeal.law import Law
from fairdeal.merkle import path_length
from fairdeal.records import (
    BIG_SET,
    PASS,
    SET,
    STRAIGHT,
    Action,
    Actions,
    Clocked,
    Close,
    CloseReason,
    Commitment,
    Deal,
    Exchange,
    Opened,
    Presence,
    Record,
    RoundEnd,
    Sealed,
    Seat,
    SeatEvent,
    Signature,
    Terms,
    Timing,
    pass_action,
    play_action,
    singles,
    timed,
)
from fairdeal.ruleset import load_preset
from fairdeal.settings import ENUM_SETTINGS, FLAG_SETTINGS, NUMBER_SETTINGS, Contributions, Rules, SeatKind
from fairdeal.simulate import Simulated, Simulation, simulate

some = settings(max_examples=40, deadline=None)
many = settings(max_examples=120, deadline=None)


@cache
def known_answers(name: str) -> Any:
    """Return a file of known answers; its `source` says who computed them."""
    return json.loads((Path(__file__).parent / "known_answers" / f"{name}.json").read_text(encoding="utf-8"))


LAW: Final = Law(load_preset("president").resolve(4))  # the plain rules of play, the same at every table


def octets(length: int) -> st.SearchStrategy[bytes]:
    """Return byte strings of exactly `length` bytes."""
    return st.binary(min_size=length, max_size=length)


hashes = octets(limits.HASH_BYTES)
keys = st.one_of(st.just(b""), hashes)
big_integers = st.integers(0, limits.MAX_INT)
_CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]


def _that_fits(text: str) -> str:
    return text.encode()[: limits.MAX_TEXT_BYTES].decode(errors="ignore")


texts = st.text(
    st.characters(codec="utf-8", exclude_characters=_CONTROLS), min_size=1, max_size=limits.MAX_TEXT_BYTES
).map(_that_fits)
faces = st.integers(0, FACES - 1)
points = st.integers(-limits.MAX_POINTS, limits.MAX_POINTS)


def cards(least: int, most: int) -> st.SearchStrategy[bytes]:
    """Return `least` to `most` faces in any order: lawful bytes, whatever the rules say of them."""
    return st.lists(faces, min_size=least, max_size=most).map(bytes)


def rules(seats: int) -> st.SearchStrategy[Rules]:
    """Return rules of any settings for a table of `seats`, playable or not."""
    values: dict[str, st.SearchStrategy[Any]] = {
        "name": texts,
        "points": st.one_of(st.just(()), st.tuples(*[points] * seats)),
        "titles": st.tuples(*[texts] * 5),
    }
    values |= {name: st.sampled_from(list[StrEnum](kind)) for name, kind in ENUM_SETTINGS.items()}
    values |= dict.fromkeys(FLAG_SETTINGS, st.booleans())
    values |= {name: st.integers(low, high) for name, (low, high) in NUMBER_SETTINGS.items()}
    return st.builds(Rules, *[values[field.name] for field in fields(Rules)])


def terms_for(seats: int) -> st.SearchStrategy[Terms]:
    """Return terms of any content for a table of `seats`."""
    seat = st.builds(Seat, name=texts, kind=st.sampled_from(SeatKind), key=keys)
    return st.builds(
        Terms,
        match_id=octets(limits.MATCH_ID_BYTES),
        sequence=big_integers,
        operator_key=keys,
        rules=rules(seats),
        seats=st.tuples(*[seat] * seats),
        rounds=st.integers(1, limits.MAX_ROUNDS),
        contributions=st.sampled_from(Contributions),
        beacon=st.one_of(st.just(""), texts),
        bot_policy=big_integers,
    )


terms = st.integers(limits.MIN_SEATS, limits.MAX_SEATS).flatmap(terms_for)


def _action(kind: int, seat: int, played: bytes) -> Action:
    return play_action(kind, seat, played)


def small_actions(seats: int) -> st.SearchStrategy[Action]:
    """Return passes and sets that take one number each in a log."""
    seat = st.integers(0, seats - 1)
    return st.one_of(
        st.builds(pass_action, seat), st.builds(_action, st.just(SET), seat, cards(1, limits.MAX_HEAD_CARDS))
    )


def actions(seats: int) -> st.SearchStrategy[Action]:
    """Return passes, sets and straights that the grammar allows at a table of `seats`, legal play or not."""
    seat = st.integers(0, seats - 1)
    return st.one_of(
        small_actions(seats),
        st.builds(_action, st.just(BIG_SET), seat, cards(limits.MAX_HEAD_CARDS + 1, limits.MAX_SET)),
        st.builds(_action, st.just(STRAIGHT), seat, cards(1, limits.MAX_SET)),
    )


def lists(seats: int) -> st.SearchStrategy[Record]:
    """Return every kind of record after the terms that is a list of its own and no action."""
    seat = st.integers(0, seats - 1)

    def by_seat(values: st.SearchStrategy[int]) -> st.SearchStrategy[tuple[int, ...]]:
        return st.tuples(*[values] * seats)

    places = by_seat(st.integers(1, seats))
    return st.one_of(
        st.builds(Commitment, hashes),
        st.builds(Sealed, seat, hashes),
        st.builds(Opened, seat, hashes),
        st.builds(Signature, st.integers(0, seats), octets(limits.SIGNATURE_BYTES)),
        st.builds(Deal, st.integers(1, limits.MAX_ROUNDS), seat, octets(limits.BLIND_BYTES)),
        exchanges(seats),
        seat_events(seats),
        st.builds(RoundEnd, places, by_seat(st.integers(0, 4)), by_seat(points), hashes),
        st.builds(
            Close,
            st.sampled_from(CloseReason),
            st.one_of(st.none(), seat),
            hashes,
            by_seat(st.integers(limits.MIN_INT, limits.MAX_INT)),
            st.one_of(st.just(()), places),
            hashes,
        ),
    )


def exchanges(seats: int) -> st.SearchStrategy[Exchange]:
    """Return exchanges between any two seats of a table, or of one with itself."""
    seat = st.integers(0, seats - 1)
    return st.builds(Exchange, seat, seat, cards(1, limits.MAX_EXCHANGE))


def seat_events(seats: int) -> st.SearchStrategy[SeatEvent]:
    """Return everything that can happen to the connection of a seat."""
    return st.builds(SeatEvent, st.integers(0, seats - 1), st.sampled_from(Presence), st.sampled_from(SeatKind))


SHORT_MARK: Final = 0xFFFF - 128  # the largest mark of three bytes: runs hold these, bigger ones stand alone
short_marks = st.one_of(st.integers(0, 127), st.integers(128, SHORT_MARK))
marks = st.one_of(short_marks, st.integers(SHORT_MARK + 1, limits.MAX_INT - 128))


def timings(seats: int, marks: st.SearchStrategy[int] = marks) -> st.SearchStrategy[Timing]:
    """Return clock marks, markers, and both, of every size and for every seat."""
    marker = st.integers(0, seats - 1)
    return st.one_of(st.builds(Timing, marks, st.none()), st.builds(Timing, st.one_of(st.none(), marks), marker))


def clocked(seats: int) -> st.SearchStrategy[Record]:
    """Return records with a clock mark, a clock marker, or both."""
    acting = st.one_of(actions(seats).map(lambda action: Actions((action,))), exchanges(seats))
    return st.one_of(
        st.builds(timed, timings(seats), acting),
        st.builds(timed, st.builds(Timing, marks, st.none()), seat_events(seats)),
    )


def single(records: Iterable[Record]) -> Iterator[Record]:
    """Yield records with each action as one of its own, as a log counts them."""
    for record in records:
        yield from singles(record)


def runs(records: Iterable[Record]) -> list[Record]:
    """Return `records` as decoding groups them: each stretch of small actions is one record, a bigger one its own.

    A stretch has a mark of up to three bytes or a marker before each of its actions, or before none.
    """
    grouped: list[Record] = []
    for record in single(records):
        last = grouped[-1] if grouped else None
        if isinstance(record, Actions) and isinstance(last, Actions) and _alike(record, last):
            grouped[-1] = Actions((*last.actions, *record.actions), (*last.timing, *record.timing))
        else:
            grouped.append(record)
    return grouped


def _alike(record: Actions, last: Actions) -> bool:
    """Return whether two runs are small actions that decoding takes as one."""
    small = all(one.actions[-1].kind in (PASS, SET) for one in (record, last))
    short = all((one.tenths or 0) <= SHORT_MARK for one in (*record.timing, *last.timing[-1:]))
    return small and short and bool(record.timing) == bool(last.timing)


@cache
def simulated(seats: int = 4, rounds: int = 2, *, sealed: bool = False, signed: bool = False) -> Simulated:
    """Return a simulated match, the same one for the same arguments; `signed` gives every signer a key."""
    table = load_preset("president", {"end_at": rounds})
    rng = bytes([seats, rounds, sealed, signed]).ljust(32, b"\0")
    return simulate(Simulation(table, seats, rng, sealed=sealed, signed=signed, seat_keys=signed))


@cache
def with_clock(seats: int = 4) -> tuple[Record, ...]:
    """Return the records of a simulated match with marks of every size before all that takes one, and some markers.

    The form is lawful, what the clock did is not.
    """
    told: list[Record] = []
    for number, record in enumerate(simulated(seats).records):
        if isinstance(record, Exchange):
            told.append(Clocked(Timing(number * 300, record.giver if number % 2 else None), record))
        elif isinstance(record, Actions):
            told.append(Clocked(Timing(7, None), SeatEvent(1, Presence.DISCONNECTED, SeatKind.EASY)))
            for count, action in enumerate(record.actions):
                timing = Timing(count**4, action.seat if count % 3 == 0 else None)
                told.append(Actions((action,), (timing,)))
        else:
            told.append(record)
    return tuple(runs(told))


@st.composite
def logs(draw: st.DrawFn, longest: int = 12) -> tuple[Terms, list[Record]]:
    """Return terms, mostly of simulated matches, and records of lawful shape after them, in any order."""
    played = st.integers(limits.MIN_SEATS, limits.MAX_SEATS).map(lambda seats: simulated(seats, 1).terms)
    first = draw(played) if draw(st.integers(0, 3)) else draw(terms)
    seats = len(first.seats)
    one = st.one_of(lists(seats), clocked(seats), actions(seats).map(lambda action: Actions((action,))))
    return first, runs(draw(st.lists(one, max_size=longest)))


@st.composite
def tickets(draw: st.DrawFn) -> Ticket:
    """Return tickets of every lawful size."""
    total = draw(st.one_of(st.integers(1, 40), st.integers(1, limits.MAX_ROUNDS)))
    number = draw(st.integers(1, total))
    length = path_length(number - 1, total)
    seats = draw(st.integers(limits.MIN_SEATS, limits.MAX_SEATS))
    return Ticket(
        terms_hash=draw(hashes),
        rounds=total,
        round=number,
        fingerprint=draw(hashes),
        path=draw(st.tuples(*[hashes] * length)),
        contributions=draw(st.tuples(*[keys] * seats)),
        packs=draw(st.integers(1, 2)),
        jokers=draw(st.sampled_from((0, 2))),
        position=draw(st.integers(0, seats - 1)),
        seat=draw(st.integers(0, seats - 1)),
    )


receipts = st.builds(Receipt, hashes, big_integers, hashes, st.one_of(st.just(b""), octets(limits.SIGNATURE_BYTES)))
