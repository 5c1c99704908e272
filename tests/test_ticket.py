"""That a ticket has one spelling, and that everything else is refused."""

from __future__ import annotations

import string
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.commit import commitment_of_root
from fairdeal.errors import Malformed
from fairdeal.evidence import Ticket
from fairdeal.hashing import tagged_hash
from fairdeal.limits import MAX_ROUNDS, MAX_TICKET_CHARS
from fairdeal.merkle import path_length
from fairdeal.ticket import PREFIX, decode_ticket, encode_ticket
from tests.strategies import many, simulated, tickets

LEAST = Ticket(bytes(32), 1, 1, bytes(32), (), (b"",) * 3, 1, 0, 0, 0)
MOST = Ticket(b"\xff" * 32, MAX_ROUNDS, 500, b"\xfb" * 32, (b"\xfe" * 32,) * 10, (b"\xef" * 32,) * 8, 2, 2, 7, 7)
REAL = simulated(4, 3, sealed=True).tickets[5]
SAMPLES = [LEAST, MOST, REAL]
URL_SAFE = string.ascii_letters + string.digits + "-_"


def body_of(ticket: Ticket) -> list[Any]:
    """Return the list that a ticket holds."""
    return [
        1,
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


def spelled(body: bytes) -> str:
    """Return a ticket of any bytes, with the right checksum."""
    checked = body + tagged_hash("ticket", body)[:4]
    return PREFIX + urlsafe_b64encode(checked).decode().rstrip("=")


def with_list(value: object) -> str:
    """Return a ticket of any value, with the right checksum."""
    return spelled(msgpack.packb(value, use_bin_type=True))


def refused(text: str) -> Malformed:
    """Return why a text is no ticket."""
    with pytest.raises(Malformed) as caught:
        decode_ticket(text)
    return caught.value


@given(tickets())
@many
def test_a_ticket_comes_back(ticket: Ticket) -> None:
    """Any lawful ticket is read back from its line, which is one line of URL-safe text below the limit."""
    text = encode_ticket(ticket)
    assert decode_ticket(text) == ticket
    assert set(text[len(PREFIX) :]) <= set(URL_SAFE)
    assert 122 <= len(text) <= 935 <= MAX_TICKET_CHARS
    assert text == with_list(body_of(ticket))


def test_lengths_of_the_shortest_and_longest_ticket() -> None:
    """From 118 to 931 characters after the prefix: the longest still fits a QR code."""
    assert [len(encode_ticket(ticket)) - len(PREFIX) for ticket in (LEAST, MOST)] == [118, 931]
    assert path_length(499, MAX_ROUNDS) == 10


def test_a_ticket_holds_no_secret_and_leads_to_the_commitment() -> None:
    """Every ticket of a match leads to the same C, and holds no seed of any round."""
    done = simulated(4, 3, sealed=True)
    assert len(done.tickets) == 12
    for ticket in done.tickets:
        raw = urlsafe_b64decode(encode_ticket(ticket)[len(PREFIX) :] + "===")
        assert ticket.commitment() == done.tree.commitment()
        assert not any(seed in raw for seed in (*done.tree.seeds, done.secret))
        assert decode_ticket(encode_ticket(ticket)) == ticket
    assert done.tree.commitment() != commitment_of_root(done.tree.terms, 3, bytes(32))


@pytest.mark.parametrize("ticket", SAMPLES)
def test_every_changed_character_is_refused(ticket: Ticket) -> None:
    """Any one character replaced by any other makes it no ticket."""
    text = encode_ticket(ticket)
    for at, old in enumerate(text):
        for new in URL_SAFE + "+/=. \n\té":
            if new != old:
                refused(text[:at] + new + text[at + 1 :])


@pytest.mark.parametrize("ticket", SAMPLES)
def test_every_character_lost_added_or_swapped_is_refused(ticket: Ticket) -> None:
    """A character left out, written twice, put in or exchanged with its neighbour is noticed, as is a cut line."""
    text = encode_ticket(ticket)
    for at in range(len(text)):
        refused(text[:at] + text[at + 1 :])
        refused(text[:at] + text[at] + text[at:])
        refused(text[:at] + "A" + text[at:])
        refused(text[:at])
        if text[at : at + 2] != text[at : at + 2][::-1]:
            refused(text[:at] + text[at : at + 2][::-1] + text[at + 2 :])


@pytest.mark.parametrize("ticket", SAMPLES)
def test_other_spellings_of_the_same_bytes_are_refused(ticket: Ticket) -> None:
    """The ordinary base64 alphabet, padding, blanks, line ends and a prefix in capitals are refused, not tolerated."""
    text = encode_ticket(ticket)
    encoded = text[len(PREFIX) :]
    raw = urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    for other in (b64encode(raw).decode(), b64encode(raw).decode().rstrip("="), urlsafe_b64encode(raw).decode()):
        if other != encoded:
            refused(PREFIX + other)
    for blank in (" ", "\n", "\r\n", "\t", "\0", "\ufeff", "\u200b", "="):
        for other in (text + blank, blank + text, PREFIX + blank + encoded, text[:50] + blank + text[50:]):
            refused(other)
    refused(text.upper())
    refused("FD1." + encoded)
    refused(encoded)


def test_the_ordinary_alphabet_is_another_spelling() -> None:
    """A ticket whose text needs both of the last two characters is refused with `+` and `/` in their place."""
    text = encode_ticket(MOST)
    assert "-" in text
    assert "_" in text
    for other in (text.replace("-", "+"), text.replace("_", "/"), text.replace("-", "+").replace("_", "/")):
        refused(other)


def test_bits_after_the_last_byte_must_be_zero() -> None:
    """The last character of a ticket has spare bits; any other value of them is another spelling of the same bytes."""
    seen = 0
    for contributions in range(3):
        ticket = replace(LEAST, contributions=(bytes(32),) * contributions + (b"",) * (3 - contributions))
        text = encode_ticket(ticket)
        whole = urlsafe_b64decode(text[len(PREFIX) :] + "==")
        for last in URL_SAFE:
            same = urlsafe_b64decode(text[len(PREFIX) : -1] + last + "==") == whole
            if last != text[-1] and same:
                seen += 1
                refused(text[:-1] + last)
    assert seen


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (0, 0),
        (0, 2),
        (0, "1"),
        (1, bytes(31)),
        (1, bytes(33)),
        (2, 0),
        (2, MAX_ROUNDS + 1),
        (3, 0),
        (3, 4),
        (4, bytes(31)),
        (5, []),
        (5, [bytes(32)]),
        (5, [bytes(32)] * 3),
        (5, [bytes(32), bytes(31)]),
        (5, [bytes(32), "x" * 32]),
        (5, bytes(64)),
        (6, [b"", b""]),
        (6, [b""] * 9),
        (6, [b"", b"", b"", bytes(31)]),
        (6, [b"", b"", b"", bytes(33)]),
        (6, [b"", b"", b"", None]),
        (7, 0),
        (7, 3),
        (8, 1),
        (8, 3),
        (8, -1),
        (9, 4),
        (9, -1),
        (9, False),
        (10, 4),
        (10, 0.0),
        (10, None),
        (10, {}),
    ],
)
def test_unlawful_values_are_refused(at: int, value: object) -> None:
    """With a right checksum too: another version, a path too long or short, a number, length or type out of place."""
    body = body_of(replace(REAL, round=1, rounds=3, path=(bytes(32),) * 2))
    assert decode_ticket(with_list(body))
    body[at] = value
    assert "no lawful values" in refused(with_list(body)).what


@given(tickets(), st.integers(0, 10))
@many
def test_a_path_of_another_length_is_refused(ticket: Ticket, length: int) -> None:
    """A path has the one length that round and number of rounds ask for."""
    body = body_of(ticket)
    body[5] = [bytes(32)] * length
    if length != len(ticket.path):
        refused(with_list(body))
    else:
        assert decode_ticket(with_list(body))


@pytest.mark.parametrize("change", [lambda v: v[:-1], lambda v: [*v, 0], lambda v: [v], lambda v: v[0], lambda _: []])
def test_another_list_is_refused(change: Any) -> None:
    """A value too few or too many, or something else than the list, is no ticket."""
    refused(with_list(change(body_of(REAL))))


def test_other_encodings_of_the_list_are_refused() -> None:
    """A longer integer, a longer list head, bytes after the list: the checksum fits, the spelling does not."""
    body = msgpack.packb(body_of(REAL), use_bin_type=True)
    assert decode_ticket(spelled(body)) == REAL
    for other in (
        body + b"\0",
        b"\xdc\x00\x0b" + body[1:],
        body[:1] + b"\xcc\x01" + body[2:],
        body[:-1] + b"\xcc" + body[-1:],
        body[:-1] + b"\xd0" + body[-1:],
        body[:2] + b"\xc5\x00" + body[3:],
        body[:2] + b"\xd9" + body[3:],
        body[:-1],
        b"",
        b"\x91" * 600,
        b"\xdd\xff\xff\xff\xff",
    ):
        refused(spelled(other))


@pytest.mark.parametrize("text", ["", "f", "fd1", "fd1.", "fd2.AAAA", "fd1.A", "fd1.AAAA", "fd1.====", "fd1.\ud800"])
def test_what_is_no_ticket(text: str) -> None:
    """Texts that are nothing like a ticket are malformed, with a hint, and never another error."""
    assert refused(text).hint


def test_a_text_too_long_is_refused_unread() -> None:
    """Beyond 1,000 characters nothing is decoded."""
    assert refused(PREFIX + "A" * 996).what.startswith("a ticket whose checksum")
    assert refused(PREFIX + "A" * 997).what.startswith("a ticket begins with")
    assert refused(PREFIX + "A" * 10**6).offset == 0


VALUES = st.recursive(
    st.one_of(
        st.integers(-5, 1_001), st.binary(min_size=32, max_size=32), st.sampled_from([b"", "", 2**40, None, 1.5])
    ),
    lambda inner: st.lists(inner, max_size=11),
    max_leaves=20,
)


@given(st.one_of(VALUES, st.tuples(st.integers(0, 10), VALUES)))
@many
def test_any_value_with_a_checksum_is_a_ticket_or_malformed(value: Any) -> None:
    """Whatever a list holds, decoding ends in a ticket that is spelled the same or in `Malformed`."""
    if isinstance(value, tuple):
        body = body_of(REAL)
        body[value[0]] = value[1]
        value = body
    text = with_list(value)
    refused: Malformed | None = None
    try:
        ticket = decode_ticket(text)
    except Malformed as error:
        refused = error
    else:
        assert encode_ticket(ticket) == text
    assert refused is None or refused.hint


@given(st.one_of(st.text(max_size=80), st.text(URL_SAFE, max_size=300), st.binary(max_size=100).map(spelled)))
@many
def test_any_text_is_a_ticket_or_malformed(text: str) -> None:
    """No text raises anything but `Malformed`."""
    refused(text)
    refused(PREFIX + text)
