"""The injective encoding and the hash and key derivation built on it (SPEC, "Primitives").

Every hash and every derived secret has its own tag, so that no value can be taken for another of another purpose.
"""

from __future__ import annotations

import hashlib
from typing import Final

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from fairdeal.errors import Misuse
from fairdeal.limits import HASH_BYTES, MAX_INT

TAG_PREFIX: Final = b"fairdeal/v1/"
_SHA256: Final = hashes.SHA256()


def enc(purpose: str, *fields: int | bytes) -> bytes:
    """Return the injective encoding of `fields` under the tag `fairdeal/v1/<purpose>`.

    Layout: u16 length of the tag, tag, u16 number of fields, then per field its u32 length and its bytes, all
    big-endian; an integer 0 … 2**53 - 1 is a field of eight bytes. Raises `ValueError` for any other integer.
    """
    tag = TAG_PREFIX + purpose.encode("ascii")
    parts = [len(tag).to_bytes(2, "big"), tag, len(fields).to_bytes(2, "big")]
    for field in fields:
        if isinstance(field, int):
            if not 0 <= field <= MAX_INT:
                raise ValueError(f"{field} is outside 0..2^53-1")
            parts.append(b"\0\0\0\x08" + field.to_bytes(8, "big"))
        else:
            parts.append(len(field).to_bytes(4, "big") + field)
    return b"".join(parts)


def tagged_hash(purpose: str, *fields: int | bytes) -> bytes:
    """Return the 32 bytes of SHA-256 over `enc(purpose, *fields)`."""
    return hashlib.sha256(enc(purpose, *fields)).digest()


def file_digest(data: bytes | memoryview) -> bytes:
    """Return plain SHA-256 of `data`, so that `head -c N LOG | sha256sum` computes the same."""
    return hashlib.sha256(data).digest()


def whole(value: bytes, what: str) -> bytes:
    """Return `value`, a secret of 32 bytes; raises `Misuse`, which does not show it, for any other length.

    What is too short is guessed, and what is padded deals other cards elsewhere.
    """
    if len(value) != HASH_BYTES:
        raise Misuse(f"{what} of {len(value)} bytes", hint=f"it has {HASH_BYTES} bytes")
    return value


def derive(key: bytes, salt: bytes, info: bytes, length: int = HASH_BYTES) -> bytes:
    """Return `length` bytes of HKDF-SHA256 (RFC 5869) with `key` as input keying material."""
    return HKDF(algorithm=_SHA256, length=length, salt=salt, info=info).derive(key)
