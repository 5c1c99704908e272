"""Tickets and logs that no implementation may read: each one way of being not quite the format, named."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import replace

from fairdeal.codec import encode_record
from fairdeal.codes import Code
from fairdeal.evidence import Ticket
from fairdeal.fields import Value
from fairdeal.hashing import tagged_hash
from fairdeal.records import Commitment
from fairdeal.simulate import Simulated
from fairdeal.ticket import CHECKSUM_BYTES, PREFIX, encode_ticket
from fairdeal.values import canonical
from fairdeal.wire import terms_value

BrokenLog = tuple[str, bytes, str, str]  # comment, bytes, place, code


def broken_tickets(sound: Ticket) -> Iterator[tuple[str, str]]:
    """Yield comment and text of tickets that must be refused; `sound` has at least one hash in its path."""
    text = encode_ticket(sound)
    body = _bytes_of(text)[:-CHECKSUM_BYTES]
    yield "one character changed", text[:40] + ("A" if text[40] != "A" else "B") + text[41:]
    yield "the last character missing", text[:-1]
    yield "padding added", text + "="
    yield "a blank at the end", text + " "
    yield "a newline inside", text[:50] + "\n" + text[50:]
    yield "another prefix", "fd2." + text[len(PREFIX) :]
    yield "no prefix", text[len(PREFIX) :]
    yield "the prefix alone", PREFIX
    yield "the alphabet of plain base64", _with_plain_alphabet(sound)
    yield "bits behind the last byte", _with_loose_bits(text)
    yield "a checksum of zeros", _text_of(body + bytes(CHECKSUM_BYTES))
    yield "a byte behind the list", _checked(body + b"\x00")
    yield "an integer not in its shortest form", _checked(body[:1] + b"\xcc\x01" + body[2:])
    yield "a path one hash too long", encode_ticket(replace(sound, path=(*sound.path, bytes(32))))
    yield "a path one hash too short", encode_ticket(replace(sound, path=sound.path[1:]))
    yield "round zero", encode_ticket(replace(sound, round=0))
    yield "a round after the last", encode_ticket(replace(sound, round=sound.rounds + 1))
    yield "a position beyond the table", encode_ticket(replace(sound, position=len(sound.contributions)))
    yield "a seat beyond the table", encode_ticket(replace(sound, seat=len(sound.contributions)))
    yield "one joker a pack", encode_ticket(replace(sound, jokers=1))
    yield (
        "a contribution of 31 bytes",
        encode_ticket(replace(sound, contributions=(bytes(31), *sound.contributions[1:]))),
    )
    yield "contributions of two seats", encode_ticket(replace(sound, contributions=(b"", b""), position=0, seat=0))


def _bytes_of(text: str) -> bytes:
    encoded = text[len(PREFIX) :]
    return urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))


def _text_of(data: bytes) -> str:
    return PREFIX + urlsafe_b64encode(data).decode("ascii").rstrip("=")


def _checked(body: bytes) -> str:
    return _text_of(body + tagged_hash("ticket", body)[:CHECKSUM_BYTES])


def _with_plain_alphabet(sound: Ticket) -> str:
    """Return a ticket in the alphabet with + and /; its round is chosen so that the two alphabets differ."""
    for position in range(256):
        text = encode_ticket(replace(sound, fingerprint=bytes([position]) * 32))
        if "-" in text or "_" in text:
            return text.replace("-", "+").replace("_", "/")
    raise AssertionError("no ticket needs the two last characters of the alphabet")


def _with_loose_bits(text: str) -> str:
    """Return a ticket whose last character carries bits that belong to no byte."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    if len(text[len(PREFIX) :]) % 4 == 0:
        raise AssertionError("the ticket fills its last character")
    return text[:-1] + alphabet[alphabet.index(text[-1]) | 1]


def broken_logs(sample: Simulated) -> Iterator[BrokenLog]:
    """Yield comment, bytes, place and code of logs that cannot be read to their end."""
    head = encode_record(sample.terms)
    end = len(head)
    yield from _broken_terms(sample)
    for comment, tail in _broken_tails():
        yield comment, head + tail, f"byte {end}", Code.MALFORMED
    commitment = encode_record(Commitment(bytes(32)))
    yield "the log is cut inside its second record", (head + commitment)[:-1], f"byte {end}", Code.MALFORMED
    for what, tail in (
        ("a clock mark", b"\xcc\x80\xff"),
        ("a clock marker", b"\xf7\xff"),
        ("a seat event", bytes([0x94, 9, 0, 0, 1])),
    ):
        place = f"byte {end + len(commitment)}"
        yield f"{what}, not judged by this version", head + commitment + tail, place, Code.UNSUPPORTED


def _broken_terms(sample: Simulated) -> Iterator[BrokenLog]:
    value = terms_value(sample.terms)
    yield "no byte at all", b"", "byte 0", Code.MALFORMED
    yield "no terms in front", encode_record(Commitment(bytes(32))), "byte 0", Code.MALFORMED
    yield "terms with a value too many", canonical([*value, 0]), "byte 0", Code.MALFORMED
    yield "terms with a value missing", canonical(value[:-1]), "byte 0", Code.MALFORMED
    yield "another protocol", canonical([value[0], "fairdeal/v2", *value[2:]]), "terms", Code.UNSUPPORTED
    yield "a beacon policy", canonical([*value[:9], "drand", value[10]]), "terms", Code.UNSUPPORTED
    yield "a bot policy", canonical([*value[:10], 1]), "terms", Code.UNSUPPORTED
    yield "two seats", _with_seats(value, [_seat(value, 0), _seat(value, 1)]), "byte 0", Code.MALFORMED
    yield "nine seats", _with_seats(value, [_seat(value, 0)] * 9), "byte 0", Code.MALFORMED
    names = (("an empty name", ""), ("a name of 65 bytes", "n" * 65), ("a control character in a name", "a\x07"))
    for comment, text in names:
        seats: list[Value] = [[text, 0, b""], _seat(value, 1), _seat(value, 2)]
        yield comment, _with_seats(value, seats), "byte 0", Code.MALFORMED
    encoded = canonical(value)
    name = canonical(sample.terms.seats[0].name)
    broken = name[:1] + b"\xff" * (len(name) - 1)
    yield "a name that is no UTF-8", encoded.replace(name, broken, 1), "byte 0", Code.MALFORMED
    yield "a surrogate in a name", encoded.replace(name, b"\xa5\xed\xa0\x80ab", 1), "byte 0", Code.MALFORMED


def _seat(value: list[Value], seat: int) -> Value:
    """Return what the terms' list says of one seat."""
    seats = value[6]
    return seats[seat] if isinstance(seats, list) else seats


def _with_seats(value: list[Value], seats: list[Value]) -> bytes:
    """Return the terms with other seats."""
    return canonical([*value[:6], seats, *value[7:]])


def _broken_tails() -> Iterator[tuple[str, bytes]]:
    """Yield what may not stand after the terms; each is malformed at its first byte."""
    hash_field = b"\xc4\x20" + bytes(32)
    yield "an unknown kind", bytes([0x91, 12])
    yield "terms a second time as a record", bytes([0x91, 0])
    yield "a card without a head", bytes([5])
    yield "a head without its card", bytes([64])
    yield "a head with a card that does not exist", bytes([64, 54])
    yield "a head of two with one card", bytes([72, 5])
    yield "a pass of a seat that is not there", bytes([0xF8])
    yield "an integer that is no action", bytes([0xE0])
    yield "a length not in its shortest form", bytes([0x92, 1, 0xC5, 0, 32]) + bytes(32)
    yield "an integer not in its shortest form", bytes([0x92, 0xCC, 1]) + hash_field
    yield "a list not in its shortest form", bytes([0xDC, 0, 2, 1]) + hash_field
    yield "a text where bytes belong", bytes([0x92, 1, 0xD9, 32]) + b"a" * 32
    yield "a commitment of 31 bytes", bytes([0x92, 1, 0xC4, 31]) + bytes(31)
    yield "nothing", b"\xc0"
    yield "false", b"\xc2"
    yield "a float", b"\xca" + bytes(4)
    yield "a map", b"\x80"
    yield "an extension type", b"\xd4\x01\x00"
    yield "a time stamp", b"\xd6\xff" + bytes(4)
    yield "a byte that MessagePack never uses", b"\xc1"
    yield "a list that claims four thousand million values", b"\xdd\xff\xff\xff\xff"
    yield "a byte string that claims four thousand million bytes", b"\x92\x01\xc6\xff\xff\xff\xff"
    yield "lists within lists", b"\x91" * 600
    yield "a clock mark before nothing", b"\xcc\x80"
    yield "a clock mark below its range", b"\xcc\x7f\xff"
    yield "a clock marker before a commitment", b"\xf7\x92\x01" + hash_field
