"""From a seed and a transcript to the order of the cards: the deck stream and Fisher-Yates (SPEC, "Shuffle").

`shuffle` is what everything uses; `shuffle_steps` tells the same story draw by draw for people and for vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from fairdeal.errors import StreamExhausted
from fairdeal.hashing import derive, enc, whole
from fairdeal.limits import STREAM_BYTES, STREAM_FIRST

MAX_DECK: Final = 108
# _MASKS[i] is the smallest 2**k - 1 that is at least i
_MASKS: Final = tuple((1 << i.bit_length()) - 1 for i in range(MAX_DECK))


def deck_stream(seed: bytes, transcript: bytes, round_number: int, length: int = STREAM_BYTES) -> bytes:
    """Return the first `length` bytes of the round's deck stream.

    A shorter stream is a prefix of a longer one (a property of HKDF), so asking for less first changes nothing. Raises
    `Misuse` for no seed of 32 bytes.
    """
    return derive(whole(seed, "a round seed"), transcript, enc("deck", round_number), length)


def shuffle(cards: bytes, stream: bytes) -> bytearray:
    """Return `cards` in the order that `stream` draws; raises `StreamExhausted` when the stream is too short.

    Fisher-Yates from the last card down: for each i the next byte, cut to the bits that i needs, is drawn again until
    it is at most i. Every order is equally likely for a uniform stream; there is no modulo and so no bias.
    """
    deck = bytearray(cards)
    draw = iter(stream).__next__
    try:
        for i in range(len(deck) - 1, 0, -1):
            mask = _MASKS[i]
            j = draw() & mask
            while j > i:
                j = draw() & mask
            deck[i], deck[j] = deck[j], deck[i]
    except StopIteration:
        raise StreamExhausted(
            f"the stream of {len(stream)} bytes ends before {len(cards)} cards are shuffled"
        ) from None
    return deck


def deck_order(seed: bytes, transcript: bytes, round_number: int, cards: bytes) -> bytearray:
    """Return the dealt order of `cards` for a round: 192 bytes of the stream first, all 1,024 only when needed."""
    try:
        return shuffle(cards, deck_stream(seed, transcript, round_number, STREAM_FIRST))
    except StreamExhausted:
        return shuffle(cards, deck_stream(seed, transcript, round_number))


class Draw(NamedTuple):
    """One byte of the stream: it is drawn for index `i`, cut to `j`; rejected when `j` is above `i`."""

    i: int
    byte: int
    j: int
    accepted: bool


def shuffle_steps(cards: bytes, stream: bytes) -> Iterator[Draw]:
    """Yield every draw that `shuffle` makes, rejected ones included; raises `StreamExhausted` as it does."""
    at = 0
    for i in range(len(cards) - 1, 0, -1):
        accepted = False
        while not accepted:
            if at == len(stream):
                raise StreamExhausted(f"the stream of {at} bytes ends before {len(cards)} cards are shuffled")
            byte = stream[at]
            j = byte & _MASKS[i]
            accepted = j <= i
            yield Draw(i, byte, j, accepted)
            at += 1
