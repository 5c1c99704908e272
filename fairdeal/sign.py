"""Ed25519 signatures over a prefix of the log (SPEC, "Signatures")."""

from __future__ import annotations

from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from fairdeal.hashing import enc
from fairdeal.limits import HASH_BYTES

_FIELD: Final = 2**255 - 19
# The y coordinates of the eight points of small order (RFC 8032 curve): a signature by such a key fits any message.
_ORDER_EIGHT_Y: Final = 2707385501144840649318225287225658788936804267575313519463743609750303402022
_SMALL_ORDER_Y: Final = frozenset({0, 1, _FIELD - 1, _ORDER_EIGHT_Y, _FIELD - _ORDER_EIGHT_Y})


def weak_key(key: bytes) -> bool:
    """Return whether `key` must be refused: not 32 bytes, not the one encoding of its point, or of small order."""
    if len(key) != HASH_BYTES:
        return True
    y = int.from_bytes(key, "little") & (2**255 - 1)
    return y >= _FIELD or y in _SMALL_ORDER_Y


def signed_message(terms_hash: bytes, signer: int, offset: int, digest: bytes) -> bytes:
    """Return the message that `signer` signs for the first `offset` bytes of a log with SHA-256 `digest`."""
    return enc("signature", terms_hash, signer, offset, digest)


def sign(private_key: bytes, message: bytes) -> bytes:
    """Return the 64-byte signature of `message` by the 32-byte private key."""
    return Ed25519PrivateKey.from_private_bytes(private_key).sign(message)


def public_key(private_key: bytes) -> bytes:
    """Return the 32-byte public key of a 32-byte private key."""
    return Ed25519PrivateKey.from_private_bytes(private_key).public_key().public_bytes_raw()


def verify(key: bytes, signature: bytes, message: bytes) -> bool:
    """Return whether `signature` by `key` fits `message`; a weak key never does."""
    if weak_key(key):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True
