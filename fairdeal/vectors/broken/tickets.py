"""Texts that no implementation may take for a ticket: each one way of being not quite one, named."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, cast

from fairdeal.evidence import Ticket
from fairdeal.hashing import file_digest, tagged_hash
from fairdeal.limits import MAX_ROUNDS, MAX_TICKET_CHARS
from fairdeal.ticket import CHECKSUM_BYTES, PREFIX, encode_ticket, ticket_value
from fairdeal.vectors.broken.spellings import FOREIGN, Loose, Raw, longer_forms, pack, with_length

Broken = tuple[str, str]  # comment and text

ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
# the places of a ticket's values in its list
VERSION_AT, TERMS_HASH, ROUNDS, ROUND, FINGERPRINT, PATH, CONTRIBUTIONS, PACKS, JOKERS, POSITION, SEAT = range(11)
_NUMBERS: Final = {
    "the version": VERSION_AT,
    "N": ROUNDS,
    "the round": ROUND,
    "packs": PACKS,
    "jokers": JOKERS,
    "the position": POSITION,
    "the seat": SEAT,
}


def broken_tickets(sound: Ticket) -> Iterator[Broken]:
    """Yield comment and text of tickets that must be refused; `sound` has two hashes or more in its path."""
    yield from _texts(sound)
    yield from _other_base64(sound)
    yield from _values_out_of_range(sound)
    yield from _paths(sound)
    yield from _other_types(sound)
    yield from _longer_forms(sound)


def _values(ticket: Ticket) -> list[Loose]:
    """Return the list that a ticket's body holds, to be changed into what no ticket holds."""
    return cast("list[Loose]", ticket_value(ticket))


def _text_of(data: bytes) -> str:
    return PREFIX + urlsafe_b64encode(data).decode("ascii").rstrip("=")


def _checked(body: bytes) -> str:
    """Return the text of any body with a right checksum."""
    return _text_of(body + tagged_hash("ticket", body)[:CHECKSUM_BYTES])


def _with(ticket: Ticket, *changes: tuple[int, Loose]) -> str:
    """Return the text of a ticket with other values at some places, and a right checksum."""
    values = _values(ticket)
    for index, value in changes:
        values[index] = value
    return _checked(pack(values))


def _body(text: str) -> bytes:
    encoded = text[len(PREFIX) :]
    return urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))[:-CHECKSUM_BYTES]


def _texts(sound: Ticket) -> Iterator[Broken]:
    """Yield texts with something in front, behind, missing or mistyped."""
    text = encode_ticket(sound)
    rest, body = text[len(PREFIX) :], _body(text)
    yield "nothing", ""
    yield "the prefix alone", PREFIX
    yield "no prefix", rest
    for prefix in ("fd2.", "fd0.", "FD1.", "Fd1.", "fd1:", "fd1-", "fd1,", "fd1\u3002", "df1.", " fd1"):
        yield f"another prefix, {prefix!r}", prefix + rest
    yield "the prefix twice", PREFIX + text
    yield "the prefix without its full stop", PREFIX[:-1] + rest
    yield "one character changed", text[:40] + ("A" if text[40] != "A" else "B") + text[41:]
    yield "the last character missing", text[:-1]
    yield "the last four characters missing", text[:-4]
    yield "one character more", text + "A"
    yield "four characters more", text + "AAAA"
    yield "two tickets in a row", text + rest
    yield "a checksum of zeros", _text_of(body + bytes(CHECKSUM_BYTES))
    yield "no checksum", _text_of(body)
    yield "a checksum alone", _checked(b"")
    yield "the checksum without its tag", _text_of(body + file_digest(body)[:CHECKSUM_BYTES])
    yield "the last four bytes of the hash for a checksum", _text_of(body + tagged_hash("ticket", body)[-4:])
    yield "a byte behind the list", _checked(body + b"\x00")
    yield "a list cut short", _checked(body[:-1])
    yield "a byte of another value in front of the list", _checked(b"\x01" + body)
    long = _with(sound, (CONTRIBUTIONS, [bytes(32)] * 8), (PATH, [bytes(32)] * 13))
    if len(long) <= MAX_TICKET_CHARS:
        raise ValueError("a text of more than the most characters is expected")
    yield f"a text of {len(long)} characters, with a path too long", long
    yield f"{MAX_TICKET_CHARS + 1} characters, the last of them padding", text.ljust(MAX_TICKET_CHARS + 1, "=")


def _other_base64(sound: Ticket) -> Iterator[Broken]:
    """Yield what lenient decoders of base64 let through."""
    text = encode_ticket(sound)
    encoded = text[len(PREFIX) :]
    yield "padding added", text + "=" * (-len(encoded) % 4)
    yield "more padding than is due", text + "===="
    yield "padding in the middle", text[:44] + "=" + text[44:]
    yield "padding escaped as in an address", text + "%3D"
    for words, blank in (
        ("a blank", " "),
        ("a tab", "\t"),
        ("a line feed", "\n"),
        ("a carriage return", "\r"),
        ("a form feed", "\f"),
        ("a no-break space", "\u00a0"),
        ("a zero-width space", "\u200b"),
        ("a byte order mark", "\ufeff"),
        ("a character 0", "\0"),
    ):
        yield f"{words} at the end", text + blank
        yield f"{words} in front", blank + text
        yield f"{words} inside", text[:50] + blank + text[50:]
    yield "lines of 64 characters", "\n".join(text[at : at + 64] for at in range(0, len(text), 64))
    for mark in ".,*!~:%\u00e9":
        yield f"{mark!r}, which is in no alphabet, inside", text[:50] + mark + text[50:]
    yield "the alphabet of plain base64", _respelled(sound, {"-": "+", "_": "/"})
    yield "plus signs for hyphens only", _respelled(sound, {"-": "+"})
    yield "slashes for underscores only", _respelled(sound, {"_": "/"})
    yield "the alphabet of IMAP, with a comma", _respelled(sound, {"-": "+", "_": ","})
    yield "hyphens escaped as in an address", _respelled(sound, {"-": "%2D"})
    yield "a wide letter for an ASCII one", _wide_letter(text)
    yield "letters in lower case", PREFIX + encoded.lower()
    yield from _loose_bits(sound)


def _respelled(sound: Ticket, spelling: Mapping[str, str]) -> str:
    """Return a ticket in another alphabet; its fingerprint is chosen so that all the characters are met."""
    for byte in range(256):
        text = encode_ticket(replace(sound, fingerprint=bytes([byte, 0xFB, 0xEF, 0xFF, *[byte] * 28])))
        encoded = text[len(PREFIX) :]
        if all(character in encoded for character in spelling):
            return PREFIX + "".join(spelling.get(character, character) for character in encoded)
    raise ValueError(f"no ticket has all of {', '.join(spelling)}")


def _wide_letter(text: str) -> str:
    at = next(index for index in range(len(PREFIX), len(text)) if text[index].isupper())
    return text[:at] + chr(ord(text[at]) - ord("A") + 0xFF21) + text[at + 1 :]


def _loose_bits(sound: Ticket) -> Iterator[Broken]:
    """Yield tickets of both lengths whose last character carries bits that belong to no byte."""
    for owners in range(3):
        contributions = [bytes(32) if seat < owners else b"" for seat in range(len(sound.contributions))]
        text = encode_ticket(replace(sound, contributions=tuple(contributions)))
        spare = {2: 4, 3: 2}.get(len(text[len(PREFIX) :]) % 4, 0)
        for bit in range(spare):
            last = ALPHABET[ALPHABET.index(text[-1]) ^ 1 << bit]
            yield f"bit {bit} of {spare} behind the last byte is set", text[:-1] + last


def _values_out_of_range(sound: Ticket) -> Iterator[Broken]:
    """Yield tickets with one value beyond its range."""
    seats = len(sound.contributions)
    for version in (0, 2, 255):
        yield f"version {version}", _with(sound, (VERSION_AT, version))
    for words, index in (("a terms hash", TERMS_HASH), ("a fingerprint", FINGERPRINT)):
        for length in (0, 31, 33, 64):
            yield f"{words} of {length} bytes", _with(sound, (index, bytes(length)))
    yield "N is 0", _with(sound, (ROUNDS, 0), (ROUND, 0), (PATH, []))
    yield f"N is {MAX_ROUNDS + 1}", _with(sound, (ROUNDS, MAX_ROUNDS + 1), (PATH, [bytes(32)] * 10))
    yield "round 0", _with(sound, (ROUND, 0))
    yield "round -1", _with(sound, (ROUND, -1))
    yield "packs 0", _with(sound, (PACKS, 0))
    yield "packs 3", _with(sound, (PACKS, 3))
    for jokers in (1, 3, -1):
        yield f"jokers {jokers}", _with(sound, (JOKERS, jokers))
    yield "a position beyond the table", _with(sound, (POSITION, seats))
    yield "position -1", _with(sound, (POSITION, -1))
    yield "a seat beyond the table", _with(sound, (SEAT, seats))
    yield "seat -1", _with(sound, (SEAT, -1))
    for count in (0, 2, 9):
        given: list[Loose] = [b""] * count
        yield f"{count} contributions", _with(sound, (CONTRIBUTIONS, given), (POSITION, 0), (SEAT, 0))
    others: list[Loose] = list(sound.contributions[1:])
    for length in (31, 33):
        yield f"a contribution of {length} bytes", _with(sound, (CONTRIBUTIONS, [bytes(length), *others]))
    values = _values(sound)
    yield "10 values", _checked(pack(values[:-1]))
    yield "12 values", _checked(pack([*values, 0]))
    yield "no values", _checked(pack([]))


def _paths(sound: Ticket) -> Iterator[Broken]:
    """Yield audit paths of wrong lengths, and rounds after the last with every path that one might ask for."""
    path: list[Loose] = list(sound.path)
    yield "a path one hash too long", _with(sound, (PATH, [*path, bytes(32)]))
    yield "a path one hash too short", _with(sound, (PATH, path[1:]))
    yield "no path", _with(sound, (PATH, []))
    yield "a path with a hash of 31 bytes", _with(sound, (PATH, [bytes(31), *path[1:]]))
    yield "a path with a hash of 33 bytes", _with(sound, (PATH, [bytes(33), *path[1:]]))
    yield "a path in one byte string", _with(sound, (PATH, b"".join(sound.path)))
    for rounds in (1, 4, 5):
        for length in range(4):
            hashes: list[Loose] = [bytes([level]) * 32 for level in range(length)]
            text = _with(sound, (ROUNDS, rounds), (ROUND, rounds + 1), (PATH, hashes))
            yield f"round {rounds + 1} of {rounds} with a path of {length} hashes", text


def _other_types(sound: Ticket) -> Iterator[Broken]:
    """Yield values of other types than those that belong at their places."""
    for words, index in _NUMBERS.items():
        for kind, raw in FOREIGN.items():
            if kind in {"true", "nil"} or index == ROUND:
                yield f"{kind} where {words} belongs", _with(sound, (index, Raw(raw)))
    yield "a text where N belongs", _with(sound, (ROUNDS, str(sound.rounds)))
    yield "a byte string where N belongs", _with(sound, (ROUNDS, bytes([sound.rounds])))
    yield "a list where N belongs", _with(sound, (ROUNDS, [sound.rounds]))
    yield "nil for an empty contribution", _with(sound, (CONTRIBUTIONS, [Raw(b"\xc0")] * len(sound.contributions)))
    yield "an empty text for an empty contribution", _with(sound, (CONTRIBUTIONS, [""] * len(sound.contributions)))
    yield "a text for the terms hash", _with(sound, (TERMS_HASH, "a" * 32))
    yield "a terms hash in hexadecimal", _with(sound, (TERMS_HASH, sound.terms_hash.hex()))
    yield "nil for the path", _with(sound, (PATH, None))
    yield "a map where the list belongs", _checked(b"\x8b" + pack(_values(sound))[1:])
    yield "a list within a list", _checked(b"\x91" + pack(_values(sound)))


def _longer_forms(sound: Ticket) -> Iterator[Broken]:
    """Yield values in other forms than their shortest."""
    for words, index in _NUMBERS.items():
        value = _values(sound)[index]
        for form, raw in longer_forms(value) if isinstance(value, int) else ():
            if index == ROUNDS or form in {"uint 8", "int 8"}:
                yield f"{words} in {form}", _with(sound, (index, raw))
    for form, raw in longer_forms(300):
        yield f"N = 300 in {form}", _with(sound, (ROUNDS, raw), (PATH, [bytes(32)] * 9))
    for words, index, value in (
        ("the terms hash", TERMS_HASH, sound.terms_hash),
        ("the fingerprint", FINGERPRINT, sound.fingerprint),
    ):
        for form in ("bin 16", "bin 32", "str 8", "str 16"):
            yield f"{words} in {form}", _with(sound, (index, with_length(form, value)))
    empty: Loose = with_length("bin 16", b"")
    yield "empty contributions in bin 16", _with(sound, (CONTRIBUTIONS, [empty] * len(sound.contributions)))
    for form in ("array 16", "array 32"):
        path = b"".join(map(pack, sound.path))
        yield f"the path in {form}", _with(sound, (PATH, with_length(form, path, len(sound.path))))
        whole = b"".join(map(pack, _values(sound)))
        yield f"the whole list in {form}", _checked(with_length(form, whole, 11).data)
