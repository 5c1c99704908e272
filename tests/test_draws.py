"""Reproducible uniform choices for simulated play."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.draws import Draws
from tests.strategies import hashes, many, some


class Scripted(Draws):
    """Draws that take their bytes from a script and end with it."""

    def __init__(self, script: bytes) -> None:
        """Keep the script."""
        super().__init__(b"")
        self._script = script

    def take(self, length: int) -> bytes:
        if len(self._script) < length:
            raise EOFError
        taken, self._script = self._script[:length], self._script[length:]
        return taken


def stream_of(seed: bytes, length: int) -> bytes:
    """Return the first bytes of a seed's stream, by SHA-256 and its layout alone."""
    tag = b"fairdeal/v1/simulate"
    head = len(tag).to_bytes(2, "big") + tag + b"\0\2" + len(seed).to_bytes(4, "big") + seed + b"\0\0\0\x08"
    blocks = (hashlib.sha256(head + count.to_bytes(8, "big")).digest() for count in range(length // 32 + 1))
    return b"".join(blocks)[:length]


@given(hashes, st.lists(st.integers(0, 80), max_size=8))
@many
def test_the_stream_is_counted_sha256(seed: bytes, lengths: list[int]) -> None:
    """The bytes are SHA-256 over seed and counter, the same however many are taken at a time."""
    draws = Draws(seed)
    taken = b"".join(draws.take(length) for length in lengths)
    assert taken == stream_of(seed, sum(lengths))


@pytest.mark.parametrize("limit", [*range(1, 34), 52, 54, 64, 100, 128, 129, 200, 255])
def test_below_is_uniform_over_all_bytes(limit: int) -> None:
    """Over all values of its byte each result comes equally often, and the other bytes are drawn again."""
    found: Counter[int] = Counter()
    for byte in range(256):
        try:
            found[Scripted(bytes([byte])).below(limit)] += 1
        except EOFError:
            found[-1] += 1
    again = found.pop(-1, 0)
    assert sorted(found) == list(range(limit))
    assert len(set(found.values())) == 1
    assert again == 256 - limit * found[0]


@pytest.mark.parametrize("limit", [256, 257, 1_000])
def test_below_is_uniform_over_two_bytes(limit: int) -> None:
    """Beyond one byte's reach two are drawn at once, and again each result comes equally often."""
    found: Counter[int] = Counter()
    for value in range(65_536):
        try:
            found[Scripted(value.to_bytes(2, "big")).below(limit)] += 1
        except EOFError:
            continue
    assert sorted(found) == list(range(limit))
    assert len(set(found.values())) == 1


@given(hashes, st.lists(st.integers(1, 10**9), max_size=20))
@some
def test_below_stays_below_and_is_reproducible(seed: bytes, limits: list[int]) -> None:
    """Every result is in range, and the same seed gives the same results."""
    first, second = Draws(seed), Draws(seed)
    found = [first.below(limit) for limit in limits]
    assert all(0 <= value < limit for value, limit in zip(found, limits, strict=True))
    assert found == [second.below(limit) for limit in limits]


def test_different_seeds_choose_differently() -> None:
    """The stream hangs on the seed, in its last byte too."""
    assert len({Draws(bytes(31) + bytes([last])).take(32) for last in range(100)}) == 100


def test_choose_takes_every_option_equally_often() -> None:
    """One option per value of `below`, none left out."""
    options = ["a", "b", "c"]
    assert [Scripted(bytes([byte])).choose(options) for byte in range(3)] == options
