"""Records to and from the values MessagePack holds: integers, texts, byte strings and lists, checked to the last one.

A `Fields` walks one list and raises `ShapeError` at the first value that is not exactly of the type, range and length
the grammar asks for (SPEC, "Match log"); the codec adds the byte offset.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from operator import length_hint
from typing import Any, Final, TypeVar, cast

from fairdeal import limits
from fairdeal.cards import FACES
from fairdeal.errors import Unsupported
from fairdeal.records import (
    BIG_SET,
    STRAIGHT,
    Action,
    Actions,
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
    set_rank,
)
from fairdeal.settings import (
    CompletedRank,
    Contributions,
    EqualRank,
    FirstCard,
    FirstLeader,
    GoingOut,
    Joker,
    LaterLeader,
    LoneJoker,
    MatchEnd,
    Passing,
    Revolution,
    Rules,
    SeatKind,
    Ties,
    Twos,
)

PROTOCOL: Final = "fairdeal/v1"
NO_SEAT: Final = -1

TERMS, COMMITMENT, SEALED, OPENED, SIGNATURE, DEAL, EXCHANGE, BIG, RUN_UP, SEAT_EVENT, ROUND_END, CLOSE = range(12)

_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f]")

Value = int | str | bytes | list["Value"]
E = TypeVar("E", bound=StrEnum)


class ShapeError(ValueError):
    """A value is not what the grammar asks for at its place."""


class Fields:
    """The values of one list, read from the front."""

    __slots__ = ("_rest",)

    def __init__(self, values: object) -> None:
        """Start at the first value of a list."""
        if type(values) is not list:
            raise ShapeError(f"{_kind(values)} where a list belongs")
        self._rest = iter(values)

    def left(self) -> int:
        """Return how many values are still unread."""
        return length_hint(self._rest)

    def take(self) -> object:
        """Return the next value, whatever it is; None, which no log holds, at the end."""
        return next(self._rest, None)

    def integer(self, low: int, high: int) -> int:
        """Return the next value as an integer in low … high."""
        value = next(self._rest, None)
        if type(value) is not int or not low <= value <= high:
            raise ShapeError(f"{_kind(value)} where an integer {low} to {high} belongs")
        return value

    def integers(self, count: int, low: int, high: int) -> tuple[int, ...]:
        """Return the next `count` values as integers in low … high."""
        return tuple([self.integer(low, high) for _ in range(count)])

    def octets(self, *lengths: int) -> bytes:
        """Return the next value as a byte string of one of `lengths`."""
        value = next(self._rest, None)
        if type(value) is not bytes or len(value) not in lengths:
            raise ShapeError(f"{_kind(value)} where {' or '.join(map(str, lengths))} bytes belong")
        return value

    def text(self, least: int = 1) -> str:
        """Return the next value as a text of `least` to 64 bytes without control characters."""
        value = next(self._rest, None)
        if type(value) is not str or not least <= len(value.encode("utf-8")) <= limits.MAX_TEXT_BYTES:
            raise ShapeError(f"{_kind(value)} where a text of {least} to {limits.MAX_TEXT_BYTES} bytes belongs")
        if _CONTROL.search(value):
            raise ShapeError("a control character in a text")
        return value

    def choice(self, options: type[E]) -> E:
        """Return the next value, an index, as a member of `options`."""
        members = _members(options)
        return cast("E", members[self.integer(0, len(members) - 1)])

    def flag(self) -> bool:
        """Return the next value, 0 or 1, as a bool."""
        return self.integer(0, 1) == 1

    def cards(self) -> bytes:
        """Return all values left as the faces of at least one card."""
        count = self.left()
        if not 1 <= count <= limits.MAX_EXCHANGE:
            raise ShapeError(f"{count} cards where 1 to {limits.MAX_EXCHANGE} belong")
        return bytes(self.integers(count, 0, FACES - 1))

    def done(self) -> None:
        """Raise unless every value was read."""
        if self.left():
            raise ShapeError(f"{self.left()} values too many in a list")


@cache
def _members(options: type[StrEnum]) -> tuple[StrEnum, ...]:
    """Return the members of an enum in the order of their indexes."""
    return tuple(options)


def _kind(value: object) -> str:
    """Return a short word for a value in a message, never the value of a byte string or text."""
    if type(value) is int:
        return f"the integer {value}"
    if isinstance(value, bytes | str | list):
        return f"a {type(value).__name__} of {len(value)}"
    return "nothing" if value is None else f"a {type(value).__name__}"


_RULE_READERS: Final[Mapping[str, Callable[[Fields], Any]]] = {
    "name": Fields.text,
    "packs": lambda f: f.integer(1, 2),
    "jokers_per_pack": lambda f: f.integer(0, 2),
    "joker": lambda f: f.choice(Joker),
    "lone_joker": lambda f: f.choice(LoneJoker),
    "twos": lambda f: f.choice(Twos),
    "equal_rank": lambda f: f.choice(EqualRank),
    "top_rank_matchable": Fields.flag,
    "passing": lambda f: f.choice(Passing),
    "completed_rank": lambda f: f.choice(CompletedRank),
    "revolution": lambda f: f.choice(Revolution),
    "straights": Fields.flag,
    "going_out": lambda f: f.choice(GoingOut),
    "first_leader": lambda f: f.choice(FirstLeader),
    "first_play_3c": Fields.flag,
    "later_leader": lambda f: f.choice(LaterLeader),
    "first_card": lambda f: f.choice(FirstCard),
    "exchange_top": lambda f: f.integer(0, limits.MAX_EXCHANGE),
    "exchange_vice": lambda f: f.integer(0, limits.MAX_EXCHANGE),
    "reseat": Fields.flag,
    "points": lambda f: _points(f.take()),
    "start_points": lambda f: f.integer(-limits.MAX_POINTS, limits.MAX_POINTS),
    "match_end": lambda f: f.choice(MatchEnd),
    "end_at": lambda f: f.integer(0, limits.MAX_POINTS),
    "ties": lambda f: f.choice(Ties),
    "turn_seconds": lambda f: f.integer(0, limits.MAX_TURN_SECONDS),
    "titles": lambda f: _titles(f.take()),
}


def _points(value: object) -> tuple[int, ...]:
    row = Fields(value)
    if row.left() > limits.MAX_SEATS:
        raise ShapeError(f"points for {row.left()} places")
    return row.integers(row.left(), -limits.MAX_POINTS, limits.MAX_POINTS)


def _titles(value: object) -> tuple[str, ...]:
    row = Fields(value)
    titles = tuple(row.text() for _ in range(5))
    row.done()
    return titles


def _read_rules(value: object) -> Rules:
    row = Fields(value)
    rules = Rules(**{name: read(row) for name, read in _RULE_READERS.items()})
    row.done()
    return rules


def _index(value: StrEnum | str | int | tuple[int, ...] | tuple[str, ...]) -> Value:
    """Return what the log stores for one value of the rules."""
    if isinstance(value, StrEnum):
        return _members(type(value)).index(value)
    if isinstance(value, tuple):
        return list(value)
    return int(value) if isinstance(value, bool) else value


def _read_seat(value: object) -> Seat:
    row = Fields(value)
    seat = Seat(row.text(), row.choice(SeatKind), row.octets(0, limits.HASH_BYTES))
    row.done()
    return seat


def terms_value(terms: Terms) -> Value:
    """Return the list that the first record of a log holds."""
    rules = [_index(getattr(terms.rules, name)) for name in _RULE_READERS]
    seats: list[Value] = [[seat.name, _index(seat.kind), seat.key] for seat in terms.seats]
    head: list[Value] = [TERMS, PROTOCOL, terms.match_id, terms.sequence, terms.operator_key, rules, seats]
    return [*head, terms.rounds, _index(terms.contributions), terms.beacon, terms.bot_policy]


def read_terms(value: object) -> Terms:
    """Return the terms a list holds; raises `ShapeError`, or `Unsupported` for another protocol or a beacon policy."""
    row = Fields(value)
    row.integer(TERMS, TERMS)
    protocol = row.text()
    if protocol != PROTOCOL:
        raise Unsupported(f"protocol `{protocol}`", "terms", f"this version judges {PROTOCOL}")
    match_id = row.octets(limits.MATCH_ID_BYTES)
    sequence = row.integer(0, limits.MAX_INT)
    operator_key = row.octets(0, limits.HASH_BYTES)
    rules = _read_rules(row.take())
    places = Fields(row.take())
    if not limits.MIN_SEATS <= places.left() <= limits.MAX_SEATS:
        raise ShapeError(f"{places.left()} seats where {limits.MIN_SEATS} to {limits.MAX_SEATS} belong")
    seats = tuple(_read_seat(places.take()) for _ in range(places.left()))
    rounds = row.integer(1, limits.MAX_ROUNDS)
    contributions = row.choice(Contributions)
    terms = Terms(
        match_id,
        sequence,
        operator_key,
        rules,
        seats,
        rounds,
        contributions,
        row.text(0),
        row.integer(0, limits.MAX_INT),
    )
    row.done()
    return terms


def _read_signature(row: Fields, seats: int) -> Signature:
    return Signature(row.integer(0, seats), row.octets(limits.SIGNATURE_BYTES))


def _read_deal(row: Fields, seats: int) -> Deal:
    return Deal(row.integer(1, limits.MAX_ROUNDS), row.integer(0, seats - 1), row.octets(limits.BLIND_BYTES))


def _read_exchange(row: Fields, seats: int) -> Exchange:
    return Exchange(row.integer(0, seats - 1), row.integer(0, seats - 1), row.cards())


def _read_play(kind: int) -> Callable[[Fields, int], Actions]:
    def read(row: Fields, seats: int) -> Actions:
        seat = row.integer(0, seats - 1)
        if not 1 <= row.left() <= limits.MAX_SET:
            raise ShapeError(f"{row.left()} cards in one play")
        cards = row.cards()
        return Actions((Action(kind, seat, cards, set_rank(cards)),))

    return read


def _read_event(row: Fields, seats: int) -> SeatEvent:
    return SeatEvent(row.integer(0, seats - 1), Presence(row.integer(0, 2)), row.choice(SeatKind))


def _read_round_end(row: Fields, seats: int) -> RoundEnd:
    return RoundEnd(
        row.integers(seats, 1, seats),
        row.integers(seats, 0, 4),
        row.integers(seats, -limits.MAX_POINTS, limits.MAX_POINTS),
        row.octets(limits.HASH_BYTES),
    )


def _read_close(row: Fields, seats: int) -> Close:
    reason = row.choice(CloseReason)
    seat = row.integer(NO_SEAT, seats - 1)
    digest = row.octets(limits.HASH_BYTES)
    totals = Fields(row.take())
    places = Fields(row.take())
    close = Close(
        reason,
        None if seat == NO_SEAT else seat,
        digest,
        totals.integers(seats, limits.MIN_INT, limits.MAX_INT),
        places.integers(seats if places.left() else 0, 1, seats),
        row.octets(limits.HASH_BYTES),
    )
    totals.done()
    places.done()
    return close


_READERS: Final[Mapping[int, Callable[[Fields, int], Record]]] = {
    COMMITMENT: lambda row, _: Commitment(row.octets(limits.HASH_BYTES)),
    SEALED: lambda row, seats: Sealed(row.integer(0, seats - 1), row.octets(limits.HASH_BYTES)),
    OPENED: lambda row, seats: Opened(row.integer(0, seats - 1), row.octets(limits.HASH_BYTES)),
    SIGNATURE: _read_signature,
    DEAL: _read_deal,
    EXCHANGE: _read_exchange,
    BIG: _read_play(BIG_SET),
    RUN_UP: _read_play(STRAIGHT),
    SEAT_EVENT: _read_event,
    ROUND_END: _read_round_end,
    CLOSE: _read_close,
}


def read_record(value: object, seats: int) -> Record:
    """Return the record that a list after the terms holds; raises `ShapeError`, also for an unknown kind."""
    row = Fields(value)
    kind = row.integer(0, max(_READERS))
    if kind not in _READERS:
        raise ShapeError(f"a record of kind {kind} in the middle of a log")
    record = _READERS[kind](row, seats)
    row.done()
    return record


def record_value(record: Record) -> Value:
    """Return the list that a record other than a run of small actions is stored as."""
    match record:
        case Terms():
            return terms_value(record)
        case Commitment():
            return [COMMITMENT, record.commitment]
        case Sealed():
            return [SEALED, record.seat, record.seal]
        case Opened():
            return [OPENED, record.seat, record.contribution]
        case Signature():
            return [SIGNATURE, record.signer, record.signature]
        case Deal():
            return [DEAL, record.round, record.first, record.blind]
        case Exchange():
            return [EXCHANGE, record.giver, record.receiver, *record.cards]
        case SeatEvent():
            return [SEAT_EVENT, record.seat, int(record.presence), _index(record.level)]
        case RoundEnd():
            return [ROUND_END, *record.places, *record.titles, *record.points, record.seed]
        case Close():
            seat = NO_SEAT if record.seat is None else record.seat
            ends: Sequence[Value] = [record.digest, list(record.totals), list(record.places), record.secret]
            return [CLOSE, _index(record.reason), seat, *ends]
        case _:
            raise TypeError(f"{type(record).__name__} is no list in a log")


def play_value(action: Action) -> Value:
    """Return the list that a big set or a straight is stored as."""
    return [BIG if action.kind == BIG_SET else RUN_UP, action.seat, *action.cards]
