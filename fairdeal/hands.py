"""Hands as counts of faces: the form in which exchange and play change them without copying."""

from __future__ import annotations

from fairdeal.cards import FACES


def count_hand(cards: bytes) -> bytearray:
    """Return how many copies of each face `cards` holds: the form in which a round keeps a hand."""
    counts = bytearray(FACES)
    for face in cards:
        counts[face] += 1
    return counts


def hand_cards(counts: bytes | bytearray, low: int = 0, high: int = FACES) -> bytes:
    """Return the cards of a counted hand with faces low … high - 1, ascending, copies side by side."""
    return bytes([face for face in range(low, min(high, FACES)) for _ in range(counts[face])])
