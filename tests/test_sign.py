"""Ed25519 as wired, against RFC 8032, and the keys and signatures that must be refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.hashing import enc
from fairdeal.limits import MAX_INT
from fairdeal.sign import public_key, sign, signed_message, verify, weak_key
from fairdeal.vectors.stages.curve import FIELD, NEUTRAL, ORDER, Point, point_with, times
from tests.strategies import hashes, known_answers, many, some

CASES: list[dict[str, str]] = known_answers("kat_rfc")["rfc8032_ed25519"]
SIGN_BIT = 1 << 255
PRIVATE = bytes(range(32))
PUBLIC = public_key(PRIVATE)
signers = st.integers(0, 8)
offsets = st.integers(0, MAX_INT)


def encoded(y: int, sign_bit: int) -> bytes:
    """Return 32 bytes with a y, reduced or not, and the sign of x."""
    return (y | SIGN_BIT * sign_bit).to_bytes(32, "little")


def small_order_points() -> set[Point]:
    """Return the eight points that eight times are neutral: the multiples of one of order eight, found by search."""
    for y in range(2, 100):
        point = point_with(y)
        if point is None:
            continue
        eighth = times(ORDER, point)
        found = {times(count, eighth) for count in range(8)}
        if len(found) == 8:
            return found
    raise AssertionError("no point of order eight")


SMALL = small_order_points()
CANONICAL_SMALL = sorted({encoded(y, x & 1) for x, y in SMALL})
OTHER_SMALL = sorted(
    {
        encoded(spelled, bit)
        for x, y in SMALL
        for spelled in (y, y + FIELD)
        for bit in (0, 1)
        if spelled < SIGN_BIT and (x == 0 or bit == x & 1)
    }
    - set(CANONICAL_SMALL)
)


@pytest.mark.parametrize("case", CASES)
def test_ed25519_of_rfc_8032(case: dict[str, str]) -> None:
    """Keys and signatures are those of the RFC, made and checked."""
    private, public, message, signature = (bytes.fromhex(case[name]) for name in ("seed", "public", "msg", "sig"))
    assert public_key(private) == public
    assert sign(private, message) == signature
    assert verify(public, signature, message)
    assert not weak_key(public)


def test_there_are_eight_points_of_small_order() -> None:
    """The arithmetic that finds them is right: eight points, fourteen spellings, all neutral after eight additions."""
    assert len(SMALL) == len(CANONICAL_SMALL) == 8
    assert len(OTHER_SMALL) == 6
    assert all(times(8, point) == NEUTRAL for point in SMALL)


@pytest.mark.parametrize("key", [*CANONICAL_SMALL, *OTHER_SMALL], ids=bytes.hex)
def test_keys_of_small_order_are_refused(key: bytes) -> None:
    """A key of small order would take one signature for any message; in no spelling is it a key."""
    assert weak_key(key)
    for nonce in (*CANONICAL_SMALL, *OTHER_SMALL):
        assert not verify(key, nonce + bytes(32), b"any message")


def test_keys_not_reduced_are_refused() -> None:
    """Every y from the field's prime up to 2**255 - 1 is a second spelling of a smaller one and no key."""
    for y in range(FIELD, SIGN_BIT):
        assert weak_key(encoded(y, 0))
        assert weak_key(encoded(y, 1))
    good = next(y for y in range(2, 19) if point_with(y) is not None)
    assert not weak_key(encoded(good, 0))
    assert weak_key(encoded(good + FIELD, 0))


@pytest.mark.parametrize("length", [0, 1, 31, 33, 64])
def test_keys_of_other_lengths_are_refused(length: int) -> None:
    """A key has 32 bytes; nothing is padded or cut."""
    key = (PUBLIC * 2)[:length]
    assert weak_key(key)
    assert not verify(key, sign(PRIVATE, b"m"), b"m")


@given(hashes, st.binary(max_size=80))
@some
def test_what_is_signed_verifies(private: bytes, message: bytes) -> None:
    """Any private key's signature is 64 bytes, verifies under its public key, and that key is not weak."""
    public = public_key(private)
    signature = sign(private, message)
    assert len(signature) == 64
    assert not weak_key(public)
    assert verify(public, signature, message)


@given(st.binary(max_size=60))
@some
def test_a_larger_s_is_refused(message: bytes) -> None:
    """S plus any multiple of the group's order is a second signature of the same message, and refused."""
    signature = sign(PRIVATE, message)
    scalar = int.from_bytes(signature[32:], "little")
    assert scalar < ORDER
    for count in range(1, (2**256 - scalar) // ORDER + 1):
        assert not verify(PUBLIC, signature[:32] + (scalar + count * ORDER).to_bytes(32, "little"), message)


def test_every_flipped_bit_is_refused() -> None:
    """A signature, key or message with any one bit flipped does not verify."""
    message = b"thirty bytes of the log so far"
    signature = sign(PRIVATE, message)

    def flips(data: bytes) -> list[bytes]:
        number = int.from_bytes(data, "big")
        return [(number ^ 1 << bit).to_bytes(len(data), "big") for bit in range(8 * len(data))]

    assert not any(verify(PUBLIC, flipped, message) for flipped in flips(signature))
    assert not any(verify(flipped, signature, message) for flipped in flips(PUBLIC))
    assert not any(verify(PUBLIC, signature, flipped) for flipped in flips(message))


@given(st.binary(max_size=80), st.binary(max_size=80), st.binary(max_size=20))
@many
def test_nonsense_is_refused_without_an_error(key: bytes, signature: bytes, message: bytes) -> None:
    """Keys and signatures of any length and content are judged, never raised about."""
    assert not verify(key, signature, message)


@given(hashes, st.binary(min_size=64, max_size=64))
@many
def test_random_keys_and_signatures_are_refused(key: bytes, signature: bytes) -> None:
    """Values of the right length that nobody signed do not verify, on the curve or off it."""
    assert not verify(key, signature, b"message")


@given(st.tuples(hashes, signers, offsets, hashes), st.tuples(hashes, signers, offsets, hashes))
@many
def test_the_message_binds_all_it_names(
    first: tuple[bytes, int, int, bytes], second: tuple[bytes, int, int, bytes]
) -> None:
    """Two messages are one only for the same terms, signer, offset and digest."""
    assert (signed_message(*first) == signed_message(*second)) == (first == second)
    assert signed_message(*first) == enc("signature", *first)


@given(hashes, signers, offsets, hashes, st.data())
@some
def test_a_signature_moves_nowhere(terms: bytes, signer: int, offset: int, digest: bytes, data: st.DataObject) -> None:
    """A signature holds for its own match, signer, offset and bytes, and for none of another."""
    signature = sign(PRIVATE, signed_message(terms, signer, offset, digest))
    assert verify(PUBLIC, signature, signed_message(terms, signer, offset, digest))
    moved: list[tuple[Any, ...]] = [
        (data.draw(hashes.filter(lambda other: other != terms)), signer, offset, digest),
        (terms, data.draw(signers.filter(lambda other: other != signer)), offset, digest),
        (terms, signer, data.draw(offsets.filter(lambda other: other != offset)), digest),
        (terms, signer, offset, data.draw(hashes.filter(lambda other: other != digest))),
    ]
    for values in moved:
        assert not verify(PUBLIC, signature, signed_message(*values))
