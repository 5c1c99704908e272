"""The encoding nothing collides in, and HMAC and HKDF as wired, against RFC 4231 and RFC 5869."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.hashing import derive, enc, file_digest, tagged_hash
from fairdeal.limits import MAX_INT
from tests.strategies import known_answers, many, some

RFC: Any = known_answers("kat_rfc")
purposes = st.text("abcdefghijklmnopqrstuvwxyz-", max_size=20)
fields = st.lists(st.one_of(st.integers(0, MAX_INT), st.binary(max_size=40)), max_size=6)


def hkdf(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Return HKDF-SHA256 as RFC 5869 writes it, by hmac alone."""
    extracted = hmac.digest(salt or bytes(32), key, "sha256")
    block, stream, count = b"", b"", 0
    while len(stream) < length:
        count += 1
        block = hmac.digest(extracted, block + info + bytes([count]), "sha256")
        stream += block
    return stream[:length]


def read_enc(data: bytes) -> tuple[bytes, list[bytes]]:
    """Return the tag and fields of an encoding: that they can be read back is what makes it injective."""
    size = int.from_bytes(data[:2], "big")
    tag, rest = data[2 : 2 + size], data[2 + size :]
    count, rest = int.from_bytes(rest[:2], "big"), rest[2:]
    found = []
    for _ in range(count):
        size = int.from_bytes(rest[:4], "big")
        found.append(rest[4 : 4 + size])
        rest = rest[4 + size :]
    assert not rest
    return tag, found


def as_octets(values: list[int | bytes]) -> list[bytes]:
    """Return the fields as the encoding stores them: integers as eight bytes."""
    return [value.to_bytes(8, "big") if isinstance(value, int) else value for value in values]


@pytest.mark.parametrize("case", RFC["rfc4231_hmac_sha256"])
def test_extract_is_hmac_of_rfc_4231(case: dict[str, str]) -> None:
    """HKDF-Extract under `derive` is HMAC-SHA256: the RFC's MAC, expanded once, is what comes out."""
    mac = bytes.fromhex(case["mac"])
    assert hmac.digest(bytes.fromhex(case["key"]), bytes.fromhex(case["msg"]), "sha256") == mac
    derived = derive(bytes.fromhex(case["msg"]), bytes.fromhex(case["key"]), b"fairdeal")
    assert derived == hmac.digest(mac, b"fairdeal\x01", "sha256")


@pytest.mark.parametrize("case", RFC["rfc5869_hkdf_sha256"])
def test_derive_is_hkdf_of_rfc_5869(case: dict[str, str]) -> None:
    """`derive` passes key, salt, info and length where the RFC wants them, empty ones too."""
    key, salt, info = (bytes.fromhex(case[name]) for name in ("IKM", "salt", "info"))
    assert hmac.digest(salt or bytes(32), key, "sha256").hex() == case["PRK"]
    assert derive(key, salt, info, int(case["L"])).hex() == case["OKM"]


@given(st.binary(max_size=80), st.binary(max_size=80), st.binary(max_size=80), st.integers(1, 1_024))
@many
def test_derive_equals_hkdf_by_hmac(key: bytes, salt: bytes, info: bytes, length: int) -> None:
    """Any key, salt and info lead to the bytes of the RFC's two steps written out."""
    assert derive(key, salt, info, length) == hkdf(key, salt, info, length)


@given(st.binary(max_size=40), st.integers(1, 1_024), st.integers(1, 1_024))
@some
def test_a_shorter_derivation_is_a_prefix(key: bytes, short: int, long: int) -> None:
    """Asking for fewer bytes first changes none of them, which the shuffle relies on."""
    short, long = sorted((short, long))
    assert derive(key, b"salt", b"info", long)[:short] == derive(key, b"salt", b"info", short)


@given(purposes, fields)
@many
def test_enc_can_be_read_back(purpose: str, values: list[int | bytes]) -> None:
    """The encoding is injective: tag, number and every byte of every field can be read from it."""
    tag, found = read_enc(enc(purpose, *values))
    assert tag == b"fairdeal/v1/" + purpose.encode()
    assert found == as_octets(values)


@given(purposes, fields, purposes, fields)
@many
def test_enc_of_different_values_differs(
    purpose: str, values: list[int | bytes], other_purpose: str, others: list[int | bytes]
) -> None:
    """Two encodings are equal only where tag and fields are."""
    same = purpose == other_purpose and as_octets(values) == as_octets(others)
    assert (enc(purpose, *values) == enc(other_purpose, *others)) == same


@given(st.lists(st.binary(max_size=8), min_size=1, max_size=5), st.data())
@many
def test_bytes_moved_between_fields_change_enc(values: list[bytes], data: st.DataObject) -> None:
    """The same bytes cut into other fields are another encoding, where joined strings would be equal."""
    joined = b"".join(values)
    marks = data.draw(st.lists(st.integers(0, len(joined)), max_size=4).map(sorted))
    cuts = [joined[start:end] for start, end in zip([0, *marks], [*marks, len(joined)], strict=True)]
    assert (enc("x", *values) == enc("x", *cuts)) == (values == cuts)


def test_enc_of_joined_strings_differs() -> None:
    """("ab1", "2") and ("ab", "12") are one text and two encodings."""
    assert enc("deck", b"ab1", b"2") != enc("deck", b"ab", b"12")
    assert tagged_hash("deck", b"ab1", b"2") != tagged_hash("deck", b"ab", b"12")


def test_enc_is_laid_out_as_written() -> None:
    """The layout byte for byte: two-byte lengths of tag and list, four-byte lengths of fields, big-endian."""
    expected = "000e" + b"fairdeal/v1/ab".hex() + "0003" + "00000008"
    expected += "001fffffffffffff" + "00000002" + "6869" + "00000000"
    assert enc("ab", MAX_INT, b"hi", b"").hex() == expected


@pytest.mark.parametrize("value", [-1, MAX_INT + 1, 2**63, 2**64, -(2**31)])
def test_enc_refuses_integers_out_of_range(value: int) -> None:
    """An integer that other languages could not hold exactly never enters a hash."""
    with pytest.raises(ValueError, match="outside"):
        enc("x", value)


def test_enc_takes_integers_to_the_edge() -> None:
    """Zero and 2**53 - 1 are the first and last integers taken."""
    assert read_enc(enc("x", 0, MAX_INT))[1] == [bytes(8), bytes([0, 0x1F, 255, 255, 255, 255, 255, 255])]


@given(purposes, fields)
@some
def test_tagged_hash_is_sha256_of_enc(purpose: str, values: list[int | bytes]) -> None:
    """A tagged hash is plain SHA-256 of the encoding, so that any language can compute it."""
    assert tagged_hash(purpose, *values) == hashlib.sha256(enc(purpose, *values)).digest()


@given(st.binary(max_size=200))
@some
def test_file_digest_is_plain_sha256(data: bytes) -> None:
    """The digest of a file has no tag: `sha256sum` computes the same."""
    assert file_digest(data) == file_digest(memoryview(data)) == hashlib.sha256(data).digest()
