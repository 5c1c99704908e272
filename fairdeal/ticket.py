"""Tickets as one line of text (SPEC, "Ticket"): `fd1.` and URL-safe base64 of a canonical list with a checksum.

A ticket has exactly one spelling. Anything else, were it off by a padding character, is malformed.
"""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from fairdeal import limits
from fairdeal.errors import Malformed
from fairdeal.evidence import Ticket
from fairdeal.fields import Fields, ShapeError, Value
from fairdeal.hashing import tagged_hash
from fairdeal.merkle import path_length
from fairdeal.values import canonical, value_at

PREFIX: Final = "fd1."
VERSION: Final = 1
CHECKSUM_BYTES: Final = 4


def ticket_value(ticket: Ticket) -> list[Value]:
    """Return the list that a ticket's body holds (SPEC, "Ticket")."""
    return [
        VERSION,
        ticket.terms_hash,
        ticket.rounds,
        ticket.round,
        ticket.fingerprint,
        list(ticket.path),
        list(ticket.contributions),
        ticket.packs,
        ticket.jokers,
        ticket.position,
        ticket.seat,
    ]


def encode_ticket(ticket: Ticket) -> str:
    """Return the one line of text that `ticket` is written as."""
    body = canonical(ticket_value(ticket))
    return PREFIX + urlsafe_b64encode(body + _checksum(body)).decode("ascii").rstrip("=")


def decode_ticket(text: str) -> Ticket:
    """Return the ticket that a line of text holds; raises `Malformed` for any other spelling than `encode_ticket`'s."""
    hint = "copy the whole ticket, from `fd1.` to its last character"
    if not text.startswith(PREFIX) or len(text) > limits.MAX_TICKET_CHARS:
        raise Malformed(
            f"a ticket begins with `{PREFIX}` and has at most {limits.MAX_TICKET_CHARS} characters", 0, hint
        )
    try:
        encoded = text[len(PREFIX) :].encode("ascii")
        raw = urlsafe_b64decode(encoded + b"=" * (-len(encoded) % 4))
    except (UnicodeEncodeError, binascii.Error):
        raise Malformed("a ticket that is not URL-safe base64", len(PREFIX), hint) from None
    body, check = raw[:-CHECKSUM_BYTES], raw[-CHECKSUM_BYTES:]
    if check != _checksum(body):
        raise Malformed("a ticket whose checksum is wrong: a character is missing or mistyped", len(PREFIX), hint)
    try:
        value, end = value_at(body, 0)
        ticket = _read(value)
    except (Malformed, ShapeError) as error:
        raise Malformed(f"a ticket that holds no lawful values: {error}", len(PREFIX), hint) from None
    if end != len(body) or encode_ticket(ticket) != text:
        raise Malformed("a ticket in another spelling than its own", len(PREFIX), hint)
    return ticket


def _checksum(body: bytes) -> bytes:
    return tagged_hash("ticket", body)[:CHECKSUM_BYTES]


def _read(value: object) -> Ticket:
    """Return the ticket a list holds; raises `ShapeError` at the first value out of place."""
    row = Fields(value)
    row.integer(VERSION, VERSION)
    terms = row.octets(limits.HASH_BYTES)
    rounds = row.integer(1, limits.MAX_ROUNDS)
    number = row.integer(1, rounds)
    fingerprint = row.octets(limits.HASH_BYTES)
    length = path_length(number - 1, rounds)
    path = Fields(row.take())
    hashes = tuple(path.octets(limits.HASH_BYTES) for _ in range(length))
    path.done()
    mixed = Fields(row.take())
    seats = mixed.left()
    if not limits.MIN_SEATS <= seats <= limits.MAX_SEATS:
        raise ShapeError(f"contributions of {seats} seats")
    contributions = tuple(mixed.octets(0, limits.HASH_BYTES) for _ in range(seats))
    packs = row.integer(1, 2)
    jokers = row.integer(0, 2)
    if jokers == 1:
        raise ShapeError("a pack with one joker")
    position, seat = row.integer(0, seats - 1), row.integer(0, seats - 1)
    row.done()
    return Ticket(terms, rounds, number, fingerprint, hashes, contributions, packs, jokers, position, seat)
