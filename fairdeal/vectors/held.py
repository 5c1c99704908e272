"""Evidence that fits, does not fit, or proves less than one might hope, held against sound logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from fairdeal.anchor import CONTRIBUTIONS, OPERATOR_KEY, PUBLISHED, RECEIPTS, SEAT_KEYS, TICKETS, format_receipt
from fairdeal.codec import encode_log
from fairdeal.evidence import Receipt, Ticket
from fairdeal.records import OPERATOR, Close, Record, RoundEnd, Signature
from fairdeal.sign import public_key
from fairdeal.simulate import Simulated
from fairdeal.ticket import encode_ticket
from fairdeal.vectors.envelope import draws_for

NOTHING = bytes(32)


class HeldCase(NamedTuple):
    """A log and evidence held against it; `path` is the log's file among the samples, empty where it has none."""

    comment: str
    path: str
    log: bytes
    held: Mapping[str, str]


def held_cases(samples: Mapping[str, Simulated]) -> Iterator[HeldCase]:
    """Yield every case, on the samples of these names."""
    yield from _cases("four-seats-signed", samples["four-seats-signed"], samples["three-seats"])
    yield from _sealed_cases("eight-seats-all-keys", samples["eight-seats-all-keys"])
    yield from _unsealed_cases("three-seats", samples["three-seats"])
    yield _other_seed(samples["three-seats"])


def _cases(name: str, done: Simulated, other: Simulated) -> Iterator[HeldCase]:
    """Yield what each kind of evidence says when it fits and when it does not."""
    first = done.tickets[0]
    lock = done.receipt(done.lock)
    end = done.receipt(len(done.data))
    key = public_key(done.keys[OPERATOR]).hex()
    strange = public_key(draws_for("held key").take(32)).hex()
    own = done.contributions[0].hex()
    listed = f"{done.terms.sequence} {done.tree.commitment().hex()}\n"
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


def _unsealed_cases(name: str, done: Simulated) -> Iterator[HeldCase]:
    """Yield what a published commitment is worth where nobody contributes."""
    listed = f"{done.terms.sequence} {done.tree.commitment().hex()}\n"
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
