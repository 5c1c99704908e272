"""Points of the curve of Ed25519 (RFC 8032, section 5.1), to make keys and signatures that no signer would make."""

from __future__ import annotations

import hashlib
from typing import Final

Point = tuple[int, int]

FIELD: Final = 2**255 - 19
ORDER: Final = 2**252 + 27742317777372353535851937790883648493
SIGN: Final = 1 << 255
NEUTRAL: Final[Point] = (0, 1)
_D: Final = -121665 * pow(121666, -1, FIELD) % FIELD


def add(first: Point, second: Point) -> Point:
    """Return the sum of two points."""
    (x1, y1), (x2, y2) = first, second
    twist = _D * x1 * x2 * y1 * y2 % FIELD
    x = (x1 * y2 + x2 * y1) * pow(1 + twist, -1, FIELD) % FIELD
    return x, (y1 * y2 + x1 * x2) * pow(1 - twist, -1, FIELD) % FIELD


def times(scalar: int, point: Point) -> Point:
    """Return a point added to itself `scalar` times."""
    total = NEUTRAL
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point, scalar = add(point, point), scalar >> 1
    return total


def point_with(y: int) -> Point | None:
    """Return the point with this y and an even x, or None where the curve has none."""
    square = (y * y - 1) * pow(_D * y * y + 1, -1, FIELD) % FIELD
    x = pow(square, (FIELD + 3) // 8, FIELD)
    if x * x % FIELD != square:
        x = x * pow(2, (FIELD - 1) // 4, FIELD) % FIELD
    if x * x % FIELD != square:
        return None
    return (x, y) if x % 2 == 0 else (FIELD - x, y)


def _base() -> Point:
    """Return the base point, the one with y = 4/5 and an even x."""
    point = point_with(4 * pow(5, -1, FIELD) % FIELD)
    if point is None:
        raise ArithmeticError("the base point is on the curve")
    return point


BASE: Final = _base()


def spelled(y: int, sign: int) -> bytes:
    """Return the 32 bytes of any y below 2**255, reduced or not, and a sign of x."""
    return (y | SIGN * sign).to_bytes(32, "little")


def encoded(point: Point) -> bytes:
    """Return the one encoding of a point."""
    return spelled(point[1], point[0] & 1)


def small_order() -> list[Point]:
    """Return the eight points of small order: the multiples of one of order eight."""
    for y in range(2, 100):
        point = point_with(y)
        eighth = NEUTRAL if point is None else times(ORDER, point)
        found = [times(count, eighth) for count in range(8)]
        if len(set(found)) == 8:
            return found
    raise ArithmeticError("no point of order eight")


def challenge(nonce: bytes, key: bytes, message: bytes) -> int:
    """Return k, the hash that a signature depends on, as the whole number of 512 bits."""
    return int.from_bytes(hashlib.sha512(nonce + key + message).digest(), "little")
