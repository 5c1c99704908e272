"""Reproducible choices from a 32-byte seed, for simulated play; no part of the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from fairdeal.hashing import tagged_hash

T = TypeVar("T")


class Draws:
    """An endless stream of uniform choices that is the same for the same seed, on every machine and version."""

    __slots__ = ("_counter", "_pool", "_seed")

    def __init__(self, seed: bytes) -> None:
        """Start the stream of `seed`."""
        self._seed = seed
        self._counter = 0
        self._pool = b""

    def take(self, length: int) -> bytes:
        """Return the next `length` bytes."""
        while len(self._pool) < length:
            self._pool += tagged_hash("simulate", self._seed, self._counter)
            self._counter += 1
        taken, self._pool = self._pool[:length], self._pool[length:]
        return taken

    def below(self, limit: int) -> int:
        """Return a uniform integer in 0 … `limit` - 1; raises `ValueError` for a limit below 1."""
        if limit < 1:
            raise ValueError(f"nothing to draw below {limit}")
        size = (limit.bit_length() + 7) // 8
        mask = (1 << limit.bit_length()) - 1
        while True:
            value = int.from_bytes(self.take(size), "big") & mask
            if value < limit:
                return value

    def choose(self, options: Sequence[T]) -> T:
        """Return one of `options`, each equally likely; raises `ValueError` where there is none."""
        return options[self.below(len(options))]
