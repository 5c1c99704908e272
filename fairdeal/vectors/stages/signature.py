"""The vectors of signatures: the message, what fits it, and keys that must not be taken for any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha512
from typing import Any, Final

from fairdeal.codec import Log
from fairdeal.codes import Code
from fairdeal.errors import Misuse
from fairdeal.limits import MAX_INT
from fairdeal.records import OPERATOR, Item, Signature
from fairdeal.sign import public_key, sign, signed_message, verify, weak_key
from fairdeal.simulate import Simulated
from fairdeal.texts import unhex
from fairdeal.vectors.envelope import Stage, Test, draws_for
from fairdeal.vectors.stages.cases import refused
from fairdeal.vectors.stages.claims import claimed
from fairdeal.vectors.stages.curve import (
    BASE,
    FIELD,
    NEUTRAL,
    ORDER,
    SIGN,
    Point,
    add,
    challenge,
    encoded,
    point_with,
    small_order,
    spelled,
    times,
)

INPUTS: Final = ("key", "termsHash", "signer", "offset", "digest", "signature")


def recompute(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return the message of a signature that fits, or what is wrong with the key or the signature."""
    key = unhex(test["key"])
    message = signed_message(unhex(test["termsHash"]), test["signer"], test["offset"], unhex(test["digest"]))
    if weak_key(key):
        return refused(Code.WEAK_KEY, "key")
    if not verify(key, unhex(test["signature"]), message):
        return refused(Code.SIGNATURE_BAD, "signature")
    return {"message": message.hex()}


def signature_stage(sample: Simulated) -> Stage:
    """Return the tests of signatures; `sample` is a match in which every signer signed."""
    header = [
        "A signature of the first `offset` bytes of a log, whose file digest is `digest`, by `signer` under `key`; the",
        "`message` that is signed comes out. Invalid are a key that is weak, whatever the signature, and a signature",
        "that does not fit: it is taken only if R, recomputed, is the first half byte by byte, and S is below L.",
        "Signatures under weak keys are made so that a verifier which takes such keys takes them.",
    ]
    tests = [*_from_a_log(sample), *_edges(), *_moved(), *_flipped(), *_other_scalars(), *_other_points()]
    return Stage("signature", header, [*tests, *_weak_keys()])


@dataclass(frozen=True, slots=True)
class Signing:
    """All inputs of a test."""

    key: bytes
    terms_hash: bytes
    signer: int
    offset: int
    digest: bytes
    signature: bytes = b""

    def message(self) -> bytes:
        """Return what is signed."""
        return signed_message(self.terms_hash, self.signer, self.offset, self.digest)

    def signed(self, private: bytes) -> Signing:
        """Return the same signed by a private key, whose public one becomes the key."""
        return replace(self, key=public_key(private), signature=sign(private, self.message()))

    def test(self, comment: str, code: str = "", place: str = "") -> Test:
        """Return the test, valid where no code is given."""
        values = (self.key, self.terms_hash, self.signer, self.offset, self.digest, self.signature)
        shown = (value.hex() if isinstance(value, bytes) else value for value in values)
        given = dict(zip(INPUTS, shown, strict=True))
        return claimed(recompute, comment, given, code, place)

    def bad(self, comment: str) -> Test:
        """Return the test of a signature that does not fit."""
        return self.test(comment, Code.SIGNATURE_BAD, "signature")


def _drawn(label: str, signer: int = 1, offset: int = 339) -> tuple[Signing, bytes]:
    """Return a sound signature with values drawn from a label, and its private key."""
    draws = draws_for(f"signature {label}")
    private = draws.take(32)
    return Signing(b"", draws.take(32), signer, offset, draws.take(32)).signed(private), private


def _from_a_log(sample: Simulated) -> Iterator[Test]:
    """Yield every signature that stands in a log."""
    log = Log(bytes(sample.data))
    keys = log.terms.signing_keys()
    start = 0
    before: Item | None = None
    for item in log.items:
        if isinstance(item.record, Signature):
            start = start if before is not None and isinstance(before.record, Signature) else item.start
            one = item.record
            comment = f"signer {one.signer} of a match of {len(log.terms.seats)} seats, at byte {start}"
            digest = log.digest(start)
            yield Signing(keys[one.signer], log.terms_hash, one.signer, start, digest, one.signature).test(comment)
        before = item


def _edges() -> Iterator[Test]:
    """Yield signatures with the least and the greatest numbers."""
    for signer, offset in ((OPERATOR, 0), (8, 255), (1, 256), (1, 2**32), (OPERATOR, MAX_INT)):
        yield _drawn(f"edge {signer} {offset}", signer, offset)[0].test(f"signer {signer}, offset {offset}")


def _moved() -> Iterator[Test]:
    """Yield a sound signature held against all that it was not made for."""
    one, private = _drawn("moved")
    other, _ = _drawn("another")
    yield one.test("the signature that the next ones are made from")
    yield replace(one, signer=OPERATOR).bad("the signature of another signer, the operator")
    yield replace(one, signer=2).bad("the signature of another signer, the next seat")
    yield replace(one, offset=one.offset + 1).bad("the signature of one byte less")
    yield replace(one, offset=one.offset - 1).bad("the signature of one byte more")
    yield replace(one, terms_hash=other.terms_hash).bad("the signature of another match")
    yield replace(one, digest=other.digest).bad("the signature of other bytes")
    yield replace(one, terms_hash=one.digest, digest=one.terms_hash).bad("terms hash and digest exchanged")
    yield replace(one, key=other.key).bad("the signature under another key")
    yield replace(one, signature=sign(private, one.digest)).bad("a signature of the digest alone")
    hashed = sign(private, sha512(one.message()).digest())
    yield replace(one, signature=hashed).bad("a signature of the message's SHA-512")
    yield replace(one, signature=one.signature[32:] + one.signature[:32]).bad("S in front of R")
    yield replace(one, signature=bytes(64)).bad("a signature of zeros")
    yield replace(one, signature=b"\xff" * 64).bad("a signature of ones")


def _flipped() -> Iterator[Test]:
    """Yield a sound signature with single bits changed, in every part of what is given."""
    one, _ = _drawn("moved")
    for bit in (0, 7, 8, 127, 254, 255, 256, 263, 384, 507, 508, 509, 510, 511):
        yield replace(one, signature=_flip(one.signature, bit)).bad(f"bit {bit} of the signature changed")
    for bit in (0, 100, 255):
        yield replace(one, key=_flip(one.key, bit)).bad(f"bit {bit} of the key changed")
    for bit in (0, 100, 255):
        yield replace(one, terms_hash=_flip(one.terms_hash, bit)).bad(f"bit {bit} of the terms hash changed")
    for bit in (0, 100, 255):
        yield replace(one, digest=_flip(one.digest, bit)).bad(f"bit {bit} of the digest changed")


def _flip(data: bytes, bit: int) -> bytes:
    """Return the bytes with one bit changed, counted from the lowest of the first byte."""
    return (int.from_bytes(data, "little") ^ 1 << bit).to_bytes(len(data), "little")


def _other_scalars() -> Iterator[Test]:
    """Yield signatures whose S is another number for the same multiple, or for none."""
    one, _ = _drawn("moved")
    scalar = int.from_bytes(one.signature[32:], "little")
    for count in range(1, (2**256 - scalar - 1) // ORDER + 1):
        other = replace(one, signature=one.signature[:32] + (scalar + count * ORDER).to_bytes(32, "little"))
        yield other.bad(f"S with {count} times L added, a second spelling of the same")
    for comment, value in (("L itself", ORDER), ("L - 1", ORDER - 1), ("2^252", 2**252), ("2^256 - 1", 2**256 - 1)):
        other = replace(one, signature=one.signature[:32] + value.to_bytes(32, "little"))
        yield other.bad(f"S is {comment}")


def _other_points() -> Iterator[Test]:
    """Yield signatures on which verifiers differ: points of small order in R or key, and keys that are no point."""
    one, _ = _drawn("points")
    secret = draws_for("signature scalar").below(ORDER)
    nonce = draws_for("signature nonce").below(ORDER)
    key = encoded(times(secret, BASE))
    half = small_order()[4]  # the point of order two
    sound = _made(replace(one, key=key), secret, nonce, encoded(times(nonce, BASE)))
    yield sound.test("a signature put together from its equation")
    zero = _made(replace(one, key=key), secret, 0, encoded(NEUTRAL))
    yield zero.test("R is the neutral point in its one encoding, and the equation holds")
    sign_set = _made(replace(one, key=key), secret, 0, spelled(1, 1))
    yield sign_set.bad("R is the neutral point with the sign bit set")
    unreduced = _made(replace(one, key=key), secret, 0, spelled(FIELD + 1, 0))
    yield unreduced.bad("R is the neutral point with y not reduced")
    shifted = _made(replace(one, key=key), secret, nonce, encoded(add(times(nonce, BASE), half)))
    yield shifted.bad("R has a part of small order: it fits only if all is multiplied by eight")
    yield _mixed_key(replace(one, key=encoded(add(times(secret, BASE), small_order()[1]))), secret, nonce)
    for y in (2, FIELD - 2):
        if point_with(y) is None:
            yield replace(one, key=spelled(y, 0)).bad(f"the key is no point of the curve, y is {_near(y)}")
    on_curve = next(y for y in range(3, 30) if point_with(y) is not None)
    yield replace(one, key=spelled(on_curve, 0)).bad(f"a key that is a point and not weak, y is {on_curve}")
    yield replace(one, key=spelled(FIELD - 3, 1)).bad("the key's y is 2^255-22, below the field's prime")


def _near(y: int) -> str:
    return f"{y}" if y < 100 else f"2^255-{19 + FIELD - y}"


def _made(one: Signing, secret: int, nonce: int, spelled_nonce: bytes) -> Signing:
    """Return the signature whose S fits the equation for a nonce and R in any spelling."""
    scalar = (nonce + challenge(spelled_nonce, one.key, one.message()) * secret) % ORDER
    return replace(one, signature=spelled_nonce + scalar.to_bytes(32, "little"))


def _mixed_key(one: Signing, secret: int, nonce: int) -> Test:
    """Return the test of a key with a part of order eight, under which the equation holds only times eight.

    The first nonce is taken for which it fails whether or not the hash is reduced before it is multiplied.
    """
    while True:
        point = encoded(times(nonce, BASE))
        whole = challenge(point, one.key, one.message())
        if whole % 8 and whole % ORDER % 8:
            made = _made(one, secret, nonce, point)
            return made.bad("the key has a part of small order: it fits only if all is multiplied by eight")
        nonce += 1


def _weak_keys() -> Iterator[Test]:
    """Yield every spelling of a point of small order, each with a signature that fits it, and every y not reduced."""
    for x, y in small_order():
        for number in (y, y + FIELD):
            for bit in (0, 1) if number < SIGN else ():
                if x == 0 or bit == x & 1:
                    forged = _forged(spelled(number, bit), (x, y))
                    yield forged.test(_weak_words(number, bit), Code.WEAK_KEY, "key")
    one, _ = _drawn("weak")
    for y in (FIELD + 2, FIELD + 3, FIELD + 9, SIGN - 1):
        for bit in (0, 1):
            weak = replace(one, key=spelled(y, bit))
            yield weak.test(f"a weak key: y is 2^255-{SIGN - y}, not reduced, sign {bit}", Code.WEAK_KEY, "key")


def _weak_words(number: int, bit: int) -> str:
    eighth = f"the {'lower' if number < FIELD // 2 else 'higher'} one of order eight"
    shown = f"{number}" if number < 2 else f"2^255-{SIGN - number}" if SIGN - number < 30 else eighth
    return f"a weak key: y is {shown}, sign {bit}"


def _forged(key: bytes, point: Point) -> Signing:
    """Return a signature with S = 0 that fits a key of small order; raises `Misuse` where none is found.

    It fits where R, of small order too, is the inverse of the key as often as the hash says.
    """
    inverse = (FIELD - point[0]) % FIELD, point[1]
    one, _ = _drawn("weak")
    for offset in range(300, 600):
        tried = replace(one, key=key, offset=offset)
        for nonce in small_order_encodings():
            reduced = challenge(nonce, key, tried.message()) % ORDER
            if encoded(times(reduced % 8, inverse)) == nonce:
                return replace(tried, signature=nonce + bytes(32))
    raise Misuse("no signature that fits a key of small order")


def small_order_encodings() -> list[bytes]:
    """Return the encodings of the eight points of small order."""
    return [encoded(point) for point in small_order()]
