"""What the reference client rests on: hashes, seeds and shuffle, and the values of MessagePack with their shapes.

Written from the text of vectors/SPEC.md alone. Headings in quotation marks are those of SPEC.md.
"""

import hashlib
import hmac
from collections.abc import Container
from dataclasses import dataclass
from typing import Any, TypeAlias

Value: TypeAlias = "int | str | bytes | list[Value]"
Json: TypeAlias = dict[str, Any]


class Malformed(Exception):
    """Something is not in the format; the reader of records knows the byte."""


class Invalid(Exception):
    """A code and a place ("Codes") are the answer."""


# --- "Primitives", "Seeds", "Shuffle", "Deal"


def enc(purpose: str, *fields: bytes | int) -> bytes:
    """Encode the fields of a hash or of HKDF's info ("Primitives")."""
    tag = b"fairdeal/v1/" + purpose.encode()
    out = len(tag).to_bytes(2, "big") + tag + len(fields).to_bytes(2, "big")
    for field in fields:
        data = field.to_bytes(8, "big") if isinstance(field, int) else field
        out += len(data).to_bytes(4, "big") + data
    return out


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def tagged(purpose: str, *fields: bytes | int) -> bytes:
    return sha256(enc(purpose, *fields))  # Hash(purpose, …)


def hkdf(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Extract and expand as in RFC 5869 ("Primitives")."""
    secret = hmac.digest(salt, key, "sha256")
    out = block = b""
    while len(out) < length:
        block = hmac.digest(secret, block + info + bytes([len(out) // 32 + 1]), "sha256")
        out += block
    return out[:length]


def left_half(leaves: int) -> int:
    return 1 << (leaves - 1).bit_length() - 1  # the largest power of two smaller than that


def root_and_path(leaves: list[bytes], index: int) -> tuple[bytes, list[bytes]]:
    """Build the tree over leaf hashes; the path is that of one leaf, from the leaf upwards."""
    if len(leaves) == 1:
        return leaves[0], []
    half = left_half(len(leaves))
    left, left_path = root_and_path(leaves[:half], min(index, half - 1))
    right, right_path = root_and_path(leaves[half:], max(index - half, 0))
    return sha256(b"\1" + left + right), [*left_path, right] if index < half else [*right_path, left]


def sides(index: int, leaves: int) -> list[str]:
    """Say for each hash of a leaf's path, from the leaf upwards, on which side it goes."""
    if leaves == 1:
        return []
    half = left_half(leaves)
    return [*sides(index, half), "right"] if index < half else [*sides(index - half, leaves - half), "left"]


def make_transcript(terms_hash: bytes, commitment: bytes, contributions: list[bytes]) -> bytes:
    """Compute T ("Seeds")."""
    return tagged("transcript", terms_hash, commitment, enc("contributions", *contributions), b"")


def shuffle(cards: list[int], stream: bytes) -> Json:
    """List all draws, [i, byte, j, whether accepted], and the order of the deck ("Shuffle")."""
    deck, draws = list(cards), []
    unread = iter(stream)
    for i in range(len(deck) - 1, 0, -1):
        mask, j = 2 ** i.bit_length() - 1, i + 1
        while j > i:
            byte = next(unread, None)
            if byte is None:
                raise Invalid("stream-exhausted", "")
            j = byte & mask
            draws.append([i, byte, j, j <= i])
        deck[i], deck[j] = deck[j], deck[i]
    return {"draws": draws, "order": deck}


def deal(seed: bytes, transcript: bytes, number: int, packs: int, jokers: int) -> list[int]:
    fresh = list(range(52 + jokers)) * packs
    order: list[int] = shuffle(fresh, hkdf(seed, transcript, enc("deck", number), 1024))["order"]
    return order


CARDS = [rank + suit for rank in "3456789TJQKA2" for suit in "cdhs"] + ["X1", "X2"]


def names(cards: list[int]) -> list[str]:
    return [CARDS[card] for card in cards]


def faces(text: str) -> list[int]:
    return [CARDS.index(name) for name in text.split()]


# --- "Match log": canonical form

FORMS = {  # first byte: type, size of the number behind it, and the smallest and largest that has no shorter form
    0xC4: (bytes, 1, 0, 2**8 - 1),
    0xCC: (int, 1, 2**7, 2**8 - 1),
    0xCD: (int, 2, 2**8, 2**16 - 1),
    0xCE: (int, 4, 2**16, 2**32 - 1),
    0xCF: (int, 8, 2**32, 2**64 - 1),
    0xD0: (int, 1, -(2**7), -(2**5) - 1),
    0xD1: (int, 2, -(2**15), -(2**7) - 1),
    0xD2: (int, 4, -(2**31), -(2**15) - 1),
    0xD3: (int, 8, -(2**63), -(2**31) - 1),
    0xD9: (str, 1, 2**5, 2**8 - 1),
    0xDC: (list, 2, 2**4, 2**16 - 1),
}

MOST: dict[type, int] = {list: 32, str: 64, bytes: 64}  # values or bytes; these three are "Limits"
DEEPEST, LONGEST = 1024, 4096


def take(data: bytes, pos: int, length: int) -> bytes:
    if pos + length > len(data):
        raise Malformed
    return data[pos : pos + length]


def read_head(data: bytes, pos: int) -> tuple[type, int, int]:
    """Read a type, the integer itself or else the length, and the position behind."""
    byte = take(data, pos, 1)[0]
    if byte <= 0x7F or byte >= 0xE0:
        return int, byte if byte <= 0x7F else byte - 256, pos + 1
    if 0x90 <= byte <= 0xBF:
        return (list, byte - 0x90, pos + 1) if byte <= 0x9F else (str, byte - 0xA0, pos + 1)
    if byte not in FORMS:
        raise Malformed
    kind, size, least, most = FORMS[byte]
    number = int.from_bytes(take(data, pos + 1, size), "big", signed=0xD0 <= byte <= 0xD3)
    if not least <= number <= most:
        raise Malformed
    return kind, number, pos + 1 + size


def read_text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Malformed from None


def read_value(data: bytes, start: int) -> tuple[Value, int]:
    """Read one value and the position behind it, within "Limits" for lists, texts and byte strings."""
    root: list[Value] = []
    pos, unfinished = start, [(root, 1)]
    while unfinished:
        values, length = unfinished[-1]
        if len(values) == length:
            unfinished.pop()
            continue
        kind, number, pos = read_head(data, pos)
        if kind is not int and number > MOST[kind]:
            raise Malformed
        if kind is list:
            inner: list[Value] = []
            values.append(inner)
            unfinished.append((inner, number))
        elif kind is int:
            values.append(number)
        else:
            raw, pos = take(data, pos, number), pos + number
            values.append(raw if kind is bytes else read_text(raw))
        if len(unfinished) - 1 > DEEPEST or pos - start > LONGEST:
            raise Malformed
    return root[0], pos


# --- shapes of values


@dataclass(frozen=True)
class Sized:
    """A text or byte string by its bytes, or a list by its values, all of one shape."""

    kind: type
    lengths: Container[int]
    each: Any = None


TEXT, HASH, KEY = Sized(str, range(1, 65)), Sized(bytes, (32,)), Sized(bytes, (0, 32))
POINTS, NATURAL = range(-1_000_000, 1_000_001), range(2**53)


def check(value: Value, shape: Any) -> Any:
    """Give the value as its shape has it: a range, a tuple of names by index, something sized or fields by name."""
    match value, shape:
        case int(), range() if value in shape:
            return value
        case int(), tuple() if 0 <= value < len(shape):
            return shape[value]
        case list(), dict() if len(value) == len(shape):
            return {name: check(entry, shape[name]) for name, entry in zip(shape, value, strict=True)}
        case list(), Sized(kind=kind) if kind is list and len(value) in shape.lengths:
            return [check(entry, shape.each) for entry in value]
        case str(), Sized(kind=kind) if kind is str and len(value.encode()) in shape.lengths:
            if not any(char < " " or "\x7f" <= char <= "\x9f" for char in value):
                return value
        case bytes(), Sized(kind=kind) if kind is bytes and len(value) in shape.lengths:
            return value
    raise Malformed
