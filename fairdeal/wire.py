"""Records to and from the values MessagePack holds: integers, texts, byte strings and lists, checked to the last one.

Every kind of record has its number and its list here (SPEC, "Match log"); `fields` checks each single value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fairdeal import limits
from fairdeal.errors import Unsupported
from fairdeal.fields import Fields, ShapeError, Value, refuse_other_kinds
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
    play_action,
)
from fairdeal.rulewire import read_rules, rules_value, stored
from fairdeal.settings import Contributions, SeatKind

PROTOCOL: Final = "fairdeal/v1"
NO_SEAT: Final = -1

TERMS, COMMITMENT, SEALED, OPENED, SIGNATURE, DEAL, EXCHANGE, BIG, RUN_UP, SEAT_EVENT, ROUND_END, CLOSE = range(12)


def _read_seat(value: object) -> Seat:
    row = Fields(value)
    seat = Seat(row.text(), row.choice(SeatKind), row.octets(0, limits.HASH_BYTES))
    row.done()
    return seat


def terms_value(terms: Terms) -> list[Value]:
    """Return the list that the first record of a log holds."""
    seats: list[Value] = [[seat.name, stored(seat.kind), seat.key] for seat in terms.seats]
    head: list[Value] = [TERMS, PROTOCOL, terms.match_id, terms.sequence, terms.operator_key]
    head += [rules_value(terms.rules), seats]
    return [*head, terms.rounds, stored(terms.contributions), terms.beacon, terms.bot_policy]


def read_terms(value: object) -> Terms:
    """Return the terms a list holds; raises `ShapeError`, or `Unsupported` for another protocol."""
    row = Fields(value)
    row.integer(TERMS, TERMS)
    protocol = row.text()
    if protocol != PROTOCOL:
        refuse_other_kinds(value)
        raise Unsupported(f"protocol `{protocol}`", "terms", f"this version judges {PROTOCOL}")
    match_id = row.octets(limits.MATCH_ID_BYTES)
    sequence = row.integer(0, limits.MAX_INT)
    operator_key = row.octets(0, limits.HASH_BYTES)
    rules = read_rules(row.take())
    places = Fields(row.take())
    if not limits.MIN_SEATS <= places.left() <= limits.MAX_SEATS:
        raise ShapeError(f"{places.left()} seats where {limits.MIN_SEATS} to {limits.MAX_SEATS} belong")
    seats = tuple([_read_seat(places.take()) for _ in range(places.left())])
    if rules.points and len(rules.points) != len(seats):
        raise ShapeError(f"{len(rules.points)} points for {len(seats)} places")
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
        return Actions((play_action(kind, seat, cards),))

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
            return [SEAT_EVENT, record.seat, int(record.presence), stored(record.level)]
        case RoundEnd():
            return [ROUND_END, *record.places, *record.titles, *record.points, record.seed]
        case Close():
            seat = NO_SEAT if record.seat is None else record.seat
            ends: Sequence[Value] = [record.digest, list(record.totals), list(record.places), record.secret]
            return [CLOSE, stored(record.reason), seat, *ends]
        case _:
            raise TypeError(f"{type(record).__name__} is no list in a log")


def play_value(action: Action) -> Value:
    """Return the list that a big set or a straight is stored as."""
    return [BIG if action.kind == BIG_SET else RUN_UP, action.seat, *action.cards]
