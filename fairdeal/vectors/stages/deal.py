"""The vector files from a stream of bytes to hands: the shuffle by itself, and the deal of a round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairdeal.cards import CARD_NAMES, fresh_cards
from fairdeal.commit import round_blind
from fairdeal.deal import deal_hands
from fairdeal.draws import Draws
from fairdeal.hashing import enc
from fairdeal.limits import MAX_ROUNDS, STREAM_FIRST
from fairdeal.shuffle import deck_stream, shuffle, shuffle_steps
from fairdeal.vectors.envelope import Stage, Test, draws_for, invalid, valid

DECKS: Final = ((1, 0), (1, 2), (2, 0), (2, 2))  # packs, jokers a pack: 52, 54, 104 and 108 cards
# of all labels the first whose 108 cards take more than 192 bytes of the stream, as one deck in some twenty thousand
LONG_DECK: Final = "deal long 5552"


def shuffle_stage() -> Stage:
    """Return the tests of stream -> draws -> order, from two cards to two packs with jokers."""
    header = [
        "Fisher-Yates driven by a given byte stream. Each draw is [index, byte, value, accepted].",
        "Cards are faces 0..53; a face that stands twice is a card of two packs.",
    ]
    return Stage("shuffle", header, list(_shuffle_tests()))


def _shuffle_tests() -> Iterator[Test]:
    by_hand = "three cards by hand: 3 is rejected, 1 swaps places 2 and 1, then 2 & 1 = 0 swaps 1 and 0"
    yield _shuffle_test(by_hand, bytes([3, 1, 2]), bytes([0, 1, 2]))
    yield _shuffle_test("one card needs no byte", b"", bytes([0]))
    for packs, jokers in DECKS:
        cards = fresh_cards(packs, jokers)
        stream = draws_for(f"shuffle {packs} {jokers}").take(STREAM_FIRST)
        yield _shuffle_test(f"{len(cards)} cards", stream, cards)
    cards = fresh_cards(1, 0)
    yield _shuffle_test("a stream of zeros: every card moves on by one", bytes(51), cards)
    stream = draws_for("shuffle 1 0").take(STREAM_FIRST)  # the one of 52 cards above
    needed = sum(1 for _ in shuffle_steps(cards, stream))
    yield _shuffle_test("a stream of just as many bytes as it takes", stream[:needed], cards)
    missing = stream[: needed - 1]
    yield invalid("the stream ends one byte too early", "stream-exhausted", cards=list(cards), stream=missing.hex())
    yield invalid("the stream ends early", "stream-exhausted", cards=list(cards), stream=stream[:51].hex())
    yield invalid("a stream of rejections never wraps", "stream-exhausted", cards=[0, 1, 2], stream="ff" * 1024)


def _shuffle_test(comment: str, stream: bytes, cards: bytes) -> Test:
    draws = [[draw.i, draw.byte, draw.j, draw.accepted] for draw in shuffle_steps(cards, stream)]
    order = list(shuffle(cards, stream))
    return valid(comment, cards=list(cards), stream=stream.hex(), draws=draws, order=order)


def deal_stage() -> Stage:
    """Return the tests of seed and transcript -> deck stream, order, hands and blind."""
    header = [
        "From a round's seed s_r and the transcript T to the deck stream (its first 192 bytes), the order, the",
        "hands by dealing position in the order dealt, and the round's blind.",
    ]
    return Stage("deal", header, list(_deal_tests()))


def _deal_tests() -> Iterator[Test]:
    for seats in range(3, 9):
        for packs, jokers in DECKS:
            draws = draws_for(f"deal {seats} {packs} {jokers}")
            yield _deal_test(draws, seats, packs, jokers)
    for number in (1, 255, 256, 257, MAX_ROUNDS):
        yield _deal_test(draws_for(f"deal round {number}"), 4, 1, 0, number)
    long = _deal_test(draws_for(LONG_DECK), 8, 2, 2, 1)
    if _bytes_used(long) <= STREAM_FIRST:
        raise ValueError(f"`{LONG_DECK}` is no longer a deck that takes more than {STREAM_FIRST} bytes")
    yield {**long, "comment": f"{long['comment']}: the order takes {_bytes_used(long)} bytes of the stream"}


def _bytes_used(test: Test) -> int:
    """Return how many bytes of the stream the order of a test takes."""
    stream = deck_stream(bytes.fromhex(test["seed"]), bytes.fromhex(test["transcript"]), test["round"])
    return sum(1 for _ in shuffle_steps(fresh_cards(test["packs"], test["jokers"]), stream))


def _deal_test(draws: Draws, seats: int, packs: int, jokers: int, number: int = 0) -> Test:
    """Return the test of a round's deal; its number is drawn where none is given."""
    seed, mixed, number = draws.take(32), draws.take(32), number or 1 + draws.below(MAX_ROUNDS)
    stream = deck_stream(seed, mixed, number)
    order = shuffle(fresh_cards(packs, jokers), stream)
    hands = deal_hands(order, seats)
    sizes = " and ".join(map(str, sorted({len(hand) for hand in hands})))
    return valid(
        f"round {number}, {seats} seats, {packs} pack(s), {jokers} jokers a pack, hands of {sizes} cards",
        seed=seed.hex(),
        transcript=mixed.hex(),
        round=number,
        seats=seats,
        packs=packs,
        jokers=jokers,
        streamInfo=enc("deck", number).hex(),
        stream=stream[:STREAM_FIRST].hex(),
        order=list(order),
        hands=[[CARD_NAMES[face] for face in hand] for hand in hands],
        blind=round_blind(seed, mixed, number).hex(),
    )
