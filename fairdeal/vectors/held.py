"""Evidence that fits, does not fit, or proves less than one might hope, held against sound logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from fairdeal.anchor import CONTRIBUTIONS, OPERATOR_KEY, PUBLISHED, RECEIPTS, SEAT_KEYS, TICKETS, format_receipt
from fairdeal.codec import encode_log
from fairdeal.evidence import Receipt, Ticket
from fairdeal.records import (
    OPERATOR,
    Actions,
    Close,
    Exchange,
    Record,
    RoundEnd,
    SeatEvent,
    Signature,
    signer_of,
    timed,
)
from fairdeal.sign import public_key
from fairdeal.simulate import Simulated
from fairdeal.ticket import encode_ticket
from fairdeal.vectors.envelope import draws_for
from fairdeal.vectors.mutators.draft import draft_of, parted, reopen, settle
from fairdeal.vectors.mutators.going import play_on

NOTHING = bytes(32)
# composed and decomposed, and letters that younger versions of Unicode fold, or compose, otherwise than older ones
NAMES = ("\u00e9", "e\u0301", "\u1e9e", "\uab70", "\U0001e900\u0344")
TITLES = ("\u0958", "\u0f73", "\u1e9b\u0323", "\ufb01", "\uac01")


class HeldCase(NamedTuple):
    """A log and evidence held against it; `path` is the log's file among the samples, empty where it has none.

    `shows` are tags of what it is about.
    """

    comment: str
    path: str
    log: bytes
    held: Mapping[str, str]
    shows: tuple[str, ...] = ()


def held_cases(samples: Mapping[str, Simulated]) -> Iterator[HeldCase]:
    """Yield every case, on the samples of these names."""
    yield from _cases("four-seats-signed", samples["four-seats-signed"], samples["three-seats"])
    yield from _sealed_cases("eight-seats-all-keys", samples["eight-seats-all-keys"])
    yield from _unsealed_cases("three-seats", samples["three-seats"])
    yield _other_seed(samples["three-seats"])
    yield from _stopped_cases(samples["three-seats"])
    yield _named_otherwise(samples["five-seats-lowest"])
    yield from _bot_cases("bots-mixed", samples["bots-mixed"])
    yield from _clock_cases(samples["clock-four-seats"])


def _cases(name: str, done: Simulated, other: Simulated) -> Iterator[HeldCase]:
    """Yield what each kind of evidence says when it fits and when it does not."""
    first = done.tickets[0]
    lock = done.receipt(done.lock)
    end = done.receipt(len(done.data))
    key = public_key(done.keys[OPERATOR]).hex()
    strange = public_key(draws_for("held key").take(32)).hex()
    own = done.contributions[0].hex()
    listed = _published(done)
    texts: list[tuple[str, Mapping[str, str]]] = [
        ("a ticket of round 1", {TICKETS: _ticket(first)}),
        ("a ticket of round 3 alone", {TICKETS: _ticket(next(t for t in done.tickets if t.round == 3))}),
        ("a ticket of another match", {TICKETS: _ticket(other.tickets[0])}),
        ("a ticket with another number of rounds", {TICKETS: _ticket(_shortened(first))}),
        ("a ticket whose fingerprint is in no committed tree", {TICKETS: _ticket(replace(first, fingerprint=NOTHING))}),
        ("a ticket with another contribution", {TICKETS: _ticket(_stirred(first))}),
        ("a ticket for two packs", {TICKETS: _ticket(replace(first, packs=2))}),
        ("a ticket for another dealing position", {TICKETS: _ticket(replace(first, position=1))}),
        ("a receipt of the lock", {RECEIPTS: _receipt(lock)}),
        ("a receipt of the lock and the own contribution", {RECEIPTS: _receipt(lock), CONTRIBUTIONS: f"0={own}\n"}),
        ("a receipt of the end alone", {RECEIPTS: _receipt(end)}),
        ("a receipt of another match", {RECEIPTS: _receipt(other.receipt(other.lock))}),
        ("a receipt with another digest", {RECEIPTS: _receipt(lock._replace(digest=NOTHING, signature=b""))}),
        ("a receipt with a signature of nobody", {RECEIPTS: _receipt(lock._replace(signature=bytes(64)))}),
        ("a receipt beyond the end", {RECEIPTS: _receipt(end._replace(offset=end.offset + 1, signature=b""))}),
        ("a receipt inside the terms", {RECEIPTS: _receipt(done.receipt(10))}),
        ("a published list, but the contributions are sealed", {PUBLISHED: listed}),
        ("a published list and a receipt of the lock", {PUBLISHED: listed, RECEIPTS: _receipt(lock)}),
        ("a published list without this match", {PUBLISHED: f"77 {NOTHING.hex()}\n"}),
        ("a published list with another commitment", {PUBLISHED: f"{done.terms.sequence} {NOTHING.hex()}\n"}),
        ("the operator's key alone", {OPERATOR_KEY: f"{key}\n"}),
        ("another operator's key", {OPERATOR_KEY: f"{strange}\n", RECEIPTS: _receipt(lock)}),
        ("a key for a seat without one", {SEAT_KEYS: f"1={strange}\n", RECEIPTS: _receipt(lock)}),
        ("another contribution than the opened one", {CONTRIBUTIONS: f"0={NOTHING.hex()}\n", RECEIPTS: _receipt(lock)}),
    ]
    for comment, held in texts:
        yield HeldCase(comment, f"match/{name}.fdl", bytes(done.data), held)


def _sealed_cases(name: str, done: Simulated) -> Iterator[HeldCase]:
    """Yield what a seat's own key is worth."""
    key = f"2={public_key(done.keys[3]).hex()}\n"
    yield HeldCase("the key of a seat that signed the lock", f"match/{name}.fdl", bytes(done.data), {SEAT_KEYS: key})


def _bot_cases(name: str, done: Simulated) -> Iterator[HeldCase]:
    """Yield what lock signatures are worth where a bot's seat has a key, and where a person's has."""
    for seat, who in enumerate(done.terms.seats[:3]):
        key = f"{seat}={public_key(done.keys[signer_of(seat)]).hex()}\n"
        words = f"the key of a seat of kind {who.kind} that signed the lock"
        yield HeldCase(words, f"match/{name}.fdl", bytes(done.data), {SEAT_KEYS: key})


def _clock_cases(done: Simulated) -> Iterator[HeldCase]:
    """Yield a log with a clock that stops short, and one whose marks were never written."""
    held = {PUBLISHED: _published(done)}
    draft = draft_of(done, "held clock")
    whole = list(draft.records)
    draft.records = [_without_mark(record) for record in whole]
    yield HeldCase("time-outs and seat events in rounds without clock marks", "", settle(draft), held)
    ends = [index for index, record in enumerate(whole) if isinstance(record, RoundEnd)]
    in_round = next(at for at in range(ends[1], len(whole)) if isinstance(parted(whole[at])[0], SeatEvent))
    words = "a running log that ends with a seat event in a round with a clock"
    yield HeldCase(words, "", encode_log(whole[: in_round + 1]), held)


def _without_mark(record: Record) -> Record:
    """Return a record without its clock mark; a marker stays."""
    inner, timing = parted(record)
    if not isinstance(inner, Actions | Exchange | SeatEvent):
        return record
    return timed(timing._replace(tenths=None), inner)


def _unsealed_cases(name: str, done: Simulated) -> Iterator[HeldCase]:
    """Yield what a published commitment is worth where nobody contributes."""
    listed = _published(done)
    yield HeldCase("a published list", f"match/{name}.fdl", bytes(done.data), {PUBLISHED: listed})
    held = {RECEIPTS: _receipt(done.receipt(done.lock))}
    yield HeldCase("a receipt of terms and commitment", f"match/{name}.fdl", bytes(done.data), held)


def _other_seed(done: Simulated) -> HeldCase:
    """Return a running log that reveals another seed than the ticket fixed."""
    records: list[Record] = [one for one in done.records if not isinstance(one, Close | Signature)]
    ends = [index for index, record in enumerate(records) if isinstance(record, RoundEnd)]
    end = records[ends[0]]
    if not isinstance(end, RoundEnd):
        raise TypeError("an end of round is expected")
    records = [*records[: ends[0]], replace(end, seed=NOTHING)]
    held = {TICKETS: _ticket(done.tickets[0])}
    return HeldCase("a running log with another seed than the ticket's", "", encode_log(records), held)


def _stopped_cases(done: Simulated) -> Iterator[HeldCase]:
    """Yield logs that cannot be read to their end, with and without a fault in front of where reading stops."""
    records = list(done.records)
    at = next(index for index, record in enumerate(records) if isinstance(record, RoundEnd))
    end = records[at]
    if not isinstance(end, RoundEnd):
        raise TypeError("an end of round is expected")
    false = replace(end, points=tuple(reversed(end.points)))
    sound, faulty = encode_log(records[: at + 1]), encode_log([*records[:at], false])
    rest = encode_log(records[at + 1 :])
    held = {PUBLISHED: _published(done)}
    unknown, mark, cut, event = b"\x91\x0c", b"\xcc\x80\xff", b"\x95\x05", bytes([0x94, 9, 0, 0, 1])
    for comment, data in (
        ("false points, then a record of an unknown kind", faulty + unknown),
        ("false points, then a record of an unknown kind and the rest of the match", faulty + unknown + rest),
        ("false points, then the log is cut inside a deal", faulty + cut),
        ("false points, then a pass with a clock mark", faulty + mark),
        ("false points, then a seat event and an unknown kind", faulty + event + unknown),
        ("a sound round, then a record of an unknown kind", sound + unknown),
        ("a sound round, then a pass with a clock mark and an unknown kind", sound + mark + unknown),
        ("a sound round, then a seat event and an unknown kind", sound + event + unknown),
        ("a sound round, then a seat event that cannot be and an unknown kind", sound + event + event + unknown),
        ("a record of an unknown kind before false points", _before_last(records[:at], false, unknown)),
        ("a seat event before false points", _before_last(records[:at], false, event)),
    ):
        yield HeldCase(comment, "", data, held)


def _before_last(records: list[Record], last: Record, between: bytes) -> bytes:
    """Return a log with bytes of something else in front of its last record."""
    return encode_log(records) + between + encode_log([last])


def _named_otherwise(done: Simulated) -> HeldCase:
    """Return a sound match in which names, titles and rules are texts that some software would write otherwise."""
    draft = draft_of(done, "names")
    seats = tuple(replace(seat, name=name) for seat, name in zip(draft.terms.seats, NAMES, strict=True))
    rules = replace(draft.rules, name="Re\u0301gles \u212b", titles=TITLES)
    draft.rules = rules
    reopen(draft, replace(draft.terms, seats=seats, rules=rules))
    play_on(draft)
    held = {PUBLISHED: f"{done.terms.sequence} {draft.commitment.hex()}\n"}
    return HeldCase("names that must be kept byte for byte, two of them alike", "", settle(draft), held)


def _published(done: Simulated) -> str:
    """Return the published list with this match alone."""
    return f"{done.terms.sequence} {done.tree.commitment().hex()}\n"


def _ticket(ticket: Ticket) -> str:
    return encode_ticket(ticket) + "\n"


def _receipt(receipt: Receipt) -> str:
    return format_receipt(receipt) + "\n"


def _shortened(ticket: Ticket) -> Ticket:
    """Return the ticket for one round, with the path that fits."""
    return replace(ticket, rounds=1, round=1, path=())


def _stirred(ticket: Ticket) -> Ticket:
    """Return the ticket with another contribution of the last seat."""
    return replace(ticket, contributions=(*ticket.contributions[:-1], NOTHING))
