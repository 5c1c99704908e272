"""A log as JSON and back, without loss: every record by its name, bytes in hexadecimal, cards in their notation."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from textwrap import indent
from typing import Any, Final, NamedTuple

from fairdeal.cards import format_cards, parse_cards
from fairdeal.codec import Log, encode_record
from fairdeal.errors import Malformed, Misuse
from fairdeal.records import (
    BIG_SET,
    PASS,
    SET,
    STRAIGHT,
    UNTIMED,
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
from fairdeal.rulewire import rules_from_named, rules_named
from fairdeal.settings import Contributions, SeatKind
from fairdeal.texts import unhex
from fairdeal.wire import PROTOCOL

FORMAT: Final = "fairdeal-log/1"
_AT_ONCE: Final = 1_000  # records written as text
_KINDS: Final = {SET: "set", BIG_SET: "big-set", STRAIGHT: "straight"}


class Form(NamedTuple):
    """How one field is written as JSON and read back; reading raises `ValueError` for what it cannot take."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _integer(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{json.dumps(value)[:40]} is no integer")
    return value


def _text(value: object) -> str:
    if type(value) is not str:
        raise ValueError(f"{json.dumps(value)[:40]} is no text")
    return value


def _list(value: object) -> list[Any]:
    if type(value) is not list:
        raise ValueError(f"{json.dumps(value)[:40]} is no list")
    return value


INTEGER: Final = Form(int, _integer)
TEXT: Final = Form(str, _text)
HEX: Final = Form(bytes.hex, lambda value: unhex(_text(value)))
CARDS: Final = Form(format_cards, lambda value: parse_cards(_text(value)))
INTEGERS: Final = Form(list, lambda value: tuple(_integer(one) for one in _list(value)))
SEAT_OR_NONE: Final = Form(lambda value: value, lambda value: None if value is None else _integer(value))
KIND: Final = Form(str, SeatKind)
PRESENCE: Final = Form(lambda value: value.name.lower(), lambda value: Presence[_text(value).upper()])
REASON: Final = Form(str, CloseReason)
POLICY: Final = Form(str, Contributions)
RULES: Final = Form(rules_named, rules_from_named)
_SEAT_FIELDS: Final = {"name": TEXT, "kind": KIND, "key": HEX}
SEATS: Final = Form(
    lambda seats: [_write(seat, _SEAT_FIELDS) for seat in seats],
    lambda seats: tuple(Seat(**_read(seat, _SEAT_FIELDS)) for seat in _list(seats)),
)

_RECORDS: Final[Mapping[str, tuple[type[Any], Mapping[str, Form]]]] = {
    "terms": (
        Terms,
        {
            "match_id": HEX,
            "sequence": INTEGER,
            "operator_key": HEX,
            "rules": RULES,
            "seats": SEATS,
            "rounds": INTEGER,
            "contributions": POLICY,
            "beacon": TEXT,
            "bot_policy": INTEGER,
        },
    ),
    "commitment": (Commitment, {"commitment": HEX}),
    "sealed": (Sealed, {"seat": INTEGER, "seal": HEX}),
    "opened": (Opened, {"seat": INTEGER, "contribution": HEX}),
    "signature": (Signature, {"signer": INTEGER, "signature": HEX}),
    "deal": (Deal, {"round": INTEGER, "first": INTEGER, "blind": HEX}),
    "exchange": (Exchange, {"giver": INTEGER, "receiver": INTEGER, "cards": CARDS}),
    "seat-event": (SeatEvent, {"seat": INTEGER, "presence": PRESENCE, "level": KIND}),
    "round-end": (RoundEnd, {"places": INTEGERS, "titles": INTEGERS, "points": INTEGERS, "seed": HEX}),
    "close": (
        Close,
        {
            "reason": REASON,
            "seat": SEAT_OR_NONE,
            "digest": HEX,
            "totals": INTEGERS,
            "places": INTEGERS,
            "secret": HEX,
        },
    ),
}
_NAMES: Final = {kind: name for name, (kind, _) in _RECORDS.items()}


def log_to_json(log: Log) -> dict[str, Any]:
    """Return a decoded log as an object with its format, protocol and one entry per record."""
    return {"format": FORMAT, "protocol": PROTOCOL, "records": list(_all_entries(log))}


def log_to_json_text(log: Log) -> Iterator[str]:
    """Yield the same object as text, some records at a time: that of the largest log would take gigabytes at once."""
    yield f'{{\n  "format": {json.dumps(FORMAT)},\n  "protocol": {json.dumps(PROTOCOL)},\n  "records": ['
    entries, separator = _all_entries(log), "\n"
    while some := ",\n".join(json.dumps(entry, indent=2) for entry in islice(entries, _AT_ONCE)):
        yield separator + indent(some, "    ")
        separator = ",\n"
    yield "\n  ]\n}\n"


def _all_entries(log: Log) -> Iterator[dict[str, Any]]:
    yield from _entries(log.terms)
    for item in log.items:
        yield from _entries(item.record)


def log_from_json(document: object) -> bytes:
    """Return the bytes of the log that a JSON object holds; raises `Malformed` with the number of the record at fault.

    Only what would decode again is written: the bytes are read back before they are returned.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT or document.get("protocol") != PROTOCOL:
        raise Malformed(f"no object with format `{FORMAT}` and protocol `{PROTOCOL}`", 0)
    entries = document.get("records")
    if set(document) != {"format", "protocol", "records"} or not isinstance(entries, list) or not entries:
        raise Malformed("a log has exactly `format`, `protocol` and `records`", 0)
    records: list[Record] = []
    encoded: list[bytes] = []
    for number, entry in enumerate(entries):
        try:
            records.append(_record_at(number, entry))
            encoded.append(encode_record(records[-1]))
        except (ValueError, KeyError, TypeError, OverflowError, Misuse) as error:
            raise Malformed(f"a record that cannot be read: {error}", 0, where=f"records[{number}]") from None
    data = b"".join(encoded)
    _refuse_others(data, records, list(accumulate(map(len, encoded))))
    return data


def _refuse_others(data: bytes, records: Sequence[Record], ends: Sequence[int]) -> None:
    """Raise `Malformed` at the first of `records` that does not come back from `data`; `ends` says where each ends."""
    try:
        log = Log(data)
    except Malformed as error:
        raise Malformed(error.what, 0, where="records[0]") from None
    again = [log.terms, *(one for item in log.items for one in singles(item.record))]
    for number, record in enumerate(records):
        if number == len(again) or again[number] != record:
            what = "a record that no log can hold"
            if isinstance(log.broken, Malformed) and bisect_right(ends, log.broken.offset) == number:
                what = log.broken.what
            raise Malformed(what, 0, where=f"records[{number}]")


def _entries(record: Record) -> Iterator[dict[str, Any]]:
    """Yield the JSON of a record: one entry, or one per action of a run."""
    if isinstance(record, Actions):
        entries = map(_action_entry, record.actions)
        yield from map(_clocked_entry, record.timing, entries) if record.timing else entries
    elif isinstance(record, Clocked):
        yield from (_clocked_entry(record.timing, inner) for inner in _entries(record.record))
    else:
        name = _NAMES[type(record)]
        yield {name: _write(record, _RECORDS[name][1])}


def _action_entry(action: Action) -> dict[str, Any]:
    if action.kind == PASS:
        return {"pass": action.seat}
    return {_KINDS[action.kind]: {"seat": action.seat, "cards": format_cards(action.cards)}}


def _clocked_entry(timing: Timing, inner: dict[str, Any]) -> dict[str, Any]:
    return {"clocked": {"tenths": timing.tenths, "acted_for": timing.acted_for, "record": inner}}


def _write(record: object, fields: Mapping[str, Form]) -> dict[str, Any]:
    return {name: form.write(getattr(record, name)) for name, form in fields.items()}


def _read(entry: object, fields: Mapping[str, Form]) -> dict[str, Any]:
    if not isinstance(entry, dict) or set(entry) != set(fields):
        raise ValueError(f"its fields are not {', '.join(fields)}")
    return {name: form.read(entry[name]) for name, form in fields.items()}


def _record_at(number: int, entry: object) -> Record:
    record = _record(entry)
    if isinstance(record, Terms) != (number == 0):
        raise ValueError("terms stand in front and nowhere else")
    return record


def _unclocked(entry: object) -> Record:
    if isinstance(entry, dict) and "clocked" in entry:
        raise ValueError("a clock mark inside another")
    return _record(entry)


def _record(entry: object) -> Record:
    """Return the record of one JSON entry; raises `ValueError`, `KeyError`, `TypeError` or `Misuse`."""
    if not isinstance(entry, dict) or len(entry) != 1:
        raise ValueError("a record is an object with one name")
    ((name, body),) = entry.items()
    if name == "pass":
        return Actions((pass_action(_integer(body)),))
    if name == "clocked":
        values = _read(body, {"tenths": SEAT_OR_NONE, "acted_for": SEAT_OR_NONE, "record": Form(_entries, _unclocked)})
        inner = values["record"]
        timing = Timing(values["tenths"], values["acted_for"])
        if timing == UNTIMED or not isinstance(inner, Actions | Exchange | SeatEvent):
            raise ValueError("no clock mark, or one before a record that takes none")
        return timed(timing, inner)
    for kind, play in _KINDS.items():
        if name == play:
            values = _read(body, {"seat": INTEGER, "cards": CARDS})
            return Actions((play_action(kind, values["seat"], values["cards"]),))
    if name not in _RECORDS:
        raise ValueError(f"`{name}` is no record")
    record_type, fields = _RECORDS[name]
    record: Record = record_type(**_read(body, fields))
    return record
