"""That the shuffle is uniform, shown by checks that tell it apart from the shuffles that are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairdeal.shuffle
from fairdeal.errors import StreamExhausted
from fairdeal.hashing import enc
from fairdeal.limits import STREAM_BYTES, STREAM_FIRST
from fairdeal.shuffle import MAX_DECK, deck_order, deck_stream, shuffle, shuffle_steps
from tests.strategies import hashes, many, some
from tests.test_hashing import hkdf

Shuffle = Callable[[bytes, bytes], bytearray]
DECKS = (2, 3, 4, MAX_DECK)
decks = st.binary(min_size=1, max_size=MAX_DECK)
streams = st.binary(min_size=STREAM_BYTES, max_size=STREAM_BYTES)


def swapped(size: int, i: int, j: int) -> bytes:
    """Return the cards 0 … `size` - 1 with those at `i` and `j` in each other's place."""
    deck = bytearray(range(size))
    deck[i], deck[j] = deck[j], deck[i]
    return bytes(deck)


def draw_faults(shuffled: Shuffle, size: int, i: int) -> list[str]:
    """Return what is wrong with the draw for index `i`: each of 0 … i equally often among all bytes, the rest refused.

    All other draws are fed their own index, which swaps nothing. A byte refused leaves the stream one byte short.
    """
    found: Counter[bytes] = Counter()
    refused = 0
    before, after = bytes(range(size - 1, i, -1)), bytes(range(i - 1, 0, -1))
    for byte in range(256):
        try:
            found[bytes(shuffled(bytes(range(size)), before + bytes([byte]) + after))] += 1
        except StreamExhausted:
            refused += 1
    share = 256 >> i.bit_length()
    faults = []
    if found != dict.fromkeys((swapped(size, i, j) for j in range(i + 1)), share):
        faults.append(f"{size} cards, draw {i}: {len(found)} results, {sorted(set(found.values()))} times each")
    if refused != 256 - share * (i + 1):
        faults.append(f"{size} cards, draw {i}: {refused} bytes refused")
    return faults


def order_faults(shuffled: Shuffle, size: int = 4, longest: int = 6) -> list[str]:
    """Return what is wrong with the orders of `size` cards: all of them, equally often, over all short streams."""
    faults = []
    for length in range(size - 1, longest + 1):
        orders: Counter[bytes] = Counter()
        for stream in product(range(4), repeat=length):
            try:
                orders[bytes(shuffled(bytes(range(size)), bytes(stream)))] += 1
            except StreamExhausted:
                orders[b"exhausted"] += 1
        ended = orders.pop(b"exhausted", 0)
        if len(orders) != 24 or len(set(orders.values())) != 1:
            faults.append(f"{length} bytes: {len(orders)} orders, {sorted(set(orders.values()))} times each")
        if not ended:
            faults.append(f"{length} bytes: no stream is ever too short")
    return faults


def faults_of(shuffled: Shuffle) -> list[str]:
    """Return all that both checks find wrong with a shuffle, deck by deck until one has a fault."""
    for size in DECKS:
        faults = [fault for i in range(size - 1, 0, -1) for fault in draw_faults(shuffled, size, i)]
        if faults:
            return faults + order_faults(shuffled)
    return order_faults(shuffled)


def drawn(stream: bytes, mask: int, most: int, at: list[int]) -> int:
    """Return the next draw that is at most `most`, as the true shuffle takes it."""
    while at[0] < len(stream):
        at[0] += 1
        if stream[at[0] - 1] & mask <= most:
            return stream[at[0] - 1] & mask
    raise StreamExhausted("too short")


def mask_of(number: int) -> int:
    """Return the smallest 2**k - 1 that is at least `number`."""
    return (1 << number.bit_length()) - 1


def by_rule(pick: Callable[[bytes, int, int, list[int]], int], *, upward: bool = False) -> Shuffle:
    """Return the shuffle that swaps each card with the one that `pick` names for it."""

    def run(cards: bytes, stream: bytes) -> bytearray:
        deck, at = bytearray(cards), [0]
        for i in range(1, len(deck)) if upward else range(len(deck) - 1, 0, -1):
            j = pick(stream, i, len(deck), at)
            deck[i], deck[j] = deck[j], deck[i]
        return deck

    return run


def modulo(stream: bytes, i: int, _: int, at: list[int]) -> int:
    """Return the next byte modulo i + 1: never refused, and so biased."""
    return drawn(stream, 255, 255, at) % (i + 1)


def wrapping(cards: bytes, stream: bytes) -> bytearray:
    """Shuffle as it should be done, but begin the stream again where it ends."""
    return shuffle(cards, stream * 40)


TRUE = by_rule(lambda stream, i, _, at: drawn(stream, mask_of(i), i, at))
MUTANTS: dict[str, Shuffle] = {
    "Sattolo": by_rule(lambda stream, i, _, at: drawn(stream, mask_of(i), i - 1, at)),
    "Sattolo with its own mask": by_rule(lambda stream, i, _, at: drawn(stream, mask_of(i - 1), i - 1, at)),
    "naive": by_rule(lambda stream, _, size, at: drawn(stream, mask_of(size - 1), size - 1, at)),
    "modulo": by_rule(modulo),
    "upward": by_rule(lambda stream, i, _, at: drawn(stream, mask_of(i), i, at), upward=True),
    "one mask for all": by_rule(lambda stream, i, _, at: drawn(stream, 127, i, at)),
    "high bits": by_rule(lambda stream, i, _, at: drawn(bytes(b >> 1 for b in stream), mask_of(i), i, at)),
    "clamped": by_rule(lambda stream, i, _, at: min(drawn(stream, mask_of(i), 255, at), i)),
    "wrapping": wrapping,
    "the last draw left out": lambda cards, stream: bytearray(cards[:1]) + shuffle(cards[1:], stream),
    "none": lambda cards, _: bytearray(cards),
}


def test_every_draw_and_every_order_is_uniform() -> None:
    """For decks of 2, 3, 4 and 108 cards every draw is uniform, and all 24 orders of 4 cards come equally often."""
    assert faults_of(shuffle) == []


def test_the_reference_passes_the_same_checks() -> None:
    """The shuffle as the rule writes it passes too: the checks ask for the rule and not for one way to code it."""
    assert faults_of(TRUE) == []


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_shuffle_is_told_apart(name: str) -> None:
    """Each known wrong shuffle fails the checks that the true one passes."""
    assert faults_of(MUTANTS[name])


@pytest.mark.parametrize("name", ["Sattolo", "naive", "modulo", "clamped"])
def test_a_biased_shuffle_has_unequal_orders(name: str) -> None:
    """The biased ones already fail on the orders of four cards alone."""
    assert order_faults(MUTANTS[name])


@given(decks, streams)
@many
def test_shuffle_follows_the_rule(cards: bytes, stream: bytes) -> None:
    """Cards of any kind and number come out in the order of the rule written out, and none is lost."""
    before = bytes(cards)
    order = shuffle(cards, stream)
    assert order == TRUE(cards, stream)
    assert sorted(order) == sorted(cards)
    assert cards == before


@given(decks, streams)
@many
def test_steps_tell_what_shuffle_does(cards: bytes, stream: bytes) -> None:
    """The steps are the bytes of the stream one by one; the accepted ones, carried out, give the shuffled order."""
    steps = list(shuffle_steps(cards, stream))
    assert bytes(step.byte for step in steps) == stream[: len(steps)]
    deck = bytearray(cards)
    for step in steps:
        assert step.j == step.byte & mask_of(step.i)
        assert step.accepted == (step.j <= step.i)
        if step.accepted:
            deck[step.i], deck[step.j] = deck[step.j], deck[step.i]
    assert deck == shuffle(cards, stream)
    assert [step.i for step in steps if step.accepted] == list(range(len(cards) - 1, 0, -1))


@given(decks, streams, st.data())
@many
def test_a_stream_too_short_is_an_error(cards: bytes, stream: bytes, data: st.DataObject) -> None:
    """One byte too few raises in both tellings and never wraps; bytes beyond the last draw change nothing."""
    needed = len(list(shuffle_steps(cards, stream)))
    assert shuffle(cards, stream[:needed]) == shuffle(cards, stream)
    if needed:
        short = stream[: data.draw(st.integers(0, needed - 1))]
        with pytest.raises(StreamExhausted, match=f"stream of {len(short)} bytes"):
            shuffle(cards, short)
        with pytest.raises(StreamExhausted, match=f"stream of {len(short)} bytes"):
            list(shuffle_steps(cards, short))


@given(hashes, hashes, st.integers(1, 1_000))
@some
def test_the_first_192_bytes_are_a_prefix(seed: bytes, mixed: bytes, number: int) -> None:
    """The deck stream is HKDF with the round in its info, and the first 192 bytes are those of the whole."""
    whole = deck_stream(seed, mixed, number)
    assert whole == hkdf(seed, mixed, enc("deck", number), 1_024)
    assert deck_stream(seed, mixed, number, STREAM_FIRST) == whole[:192]


@given(hashes, hashes, st.integers(1, 1_000), decks, st.integers(1, STREAM_BYTES))
@some
def test_how_much_is_derived_first_changes_nothing(
    seed: bytes, mixed: bytes, number: int, cards: bytes, first: int
) -> None:
    """The dealt order is that of the whole stream, whether or not the first part of it was enough."""
    expected = shuffle(cards, deck_stream(seed, mixed, number))
    assert deck_order(seed, mixed, number, cards) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fairdeal.shuffle, "STREAM_FIRST", first)
        assert deck_order(seed, mixed, number, cards) == expected


def test_a_whole_stream_too_short_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """When 1,024 bytes do not do, there is an error and no deal."""

    def refused(_seed: bytes, _mixed: bytes, _number: int, length: int = STREAM_BYTES) -> bytes:
        return b"\xff" * length

    monkeypatch.setattr(fairdeal.shuffle, "deck_stream", refused)
    with pytest.raises(StreamExhausted, match="1024 bytes ends before 52 cards"):
        deck_order(bytes(32), bytes(32), 1, bytes(range(52)))


@given(hashes, hashes)
@some
def test_seed_transcript_and_round_all_matter(seed: bytes, mixed: bytes) -> None:
    """Another round, another seed or another transcript is another stream."""
    other = bytes(reversed(seed)) if seed != seed[::-1] else bytes([seed[0] ^ 1]) + seed[1:]
    found = [deck_stream(seed, mixed, 1), deck_stream(seed, mixed, 2), deck_stream(other, mixed, 1)]
    found.append(deck_stream(seed, bytes([mixed[0] ^ 1]) + mixed[1:], 1))
    assert len({stream[:32] for stream in found}) == 4


def test_one_card_or_none_takes_no_byte() -> None:
    """There is nothing to draw for fewer than two cards."""
    assert shuffle(b"", b"") == b""
    assert shuffle(b"\x05", b"") == b"\x05"
    assert list(shuffle_steps(b"\x05", b"")) == []
