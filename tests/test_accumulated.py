"""The accumulated vectors: their hashes are recomputed, and by the recipe in words and a second engine as well."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

import pytest

from fairdeal.hashing import enc
from fairdeal.ruleset import load_preset
from fairdeal.settings import Rules
from fairdeal.vectors.envelope import Declined
from fairdeal.vectors.stages.accumulated import (
    KNOWN,
    MATCHES,
    PREFIX,
    SHUFFLES,
    accumulated_stage,
    hashes,
    played,
    recompute,
    shuffled,
)
from tests.second_engine import SecondRound
from tests.second_engine_shapes import PASS, SET


def digest(text: str) -> bytes:
    """Return H of a text as the recipe has it."""
    return hashlib.sha256(text.encode()).digest()


def expanded(seed: bytes, mixed: bytes, number: int) -> Iterator[int]:
    """Yield the bytes of a deck stream, by RFC 5869 to the letter."""
    key, block = hmac.digest(mixed, seed, "sha256"), b""
    for counter in range(1, 33):
        block = hmac.digest(key, block + enc("deck", number) + bytes([counter]), "sha256")
        yield from block


def order_of(cards: list[int], stream: Iterator[int]) -> list[int]:
    """Return the order of the cards: draws again until the masked byte is not above the index."""
    for index in range(len(cards) - 1, 0, -1):
        mask = 1
        while mask < index:
            mask = 2 * mask + 1
        other = next(value for byte in stream if (value := byte & mask) <= index)
        cards[index], cards[other] = cards[other], cards[index]
    return cards


def lowest(state: SecondRound) -> tuple[str, list[int]]:
    """Return the lowest play of the seat on turn, or its pass."""
    hand, pile = sorted(state.hands[state.turn]), state.pile()
    if pile is None:
        return SET, [face for face in hand if face // 4 == hand[0] // 4]
    count = len(pile.cards)
    for rank in range(pile.cards[0] // 4 + 1, 13):
        held = [face for face in hand if face // 4 == rank]
        if len(held) >= count:
            return SET, held[:count]
    return PASS, []


def give(hands: list[list[int]], finishing: list[int], rules: Rules) -> None:
    """Exchange: both tributes of the best cards, the lower suits of equal ranks, then the lowest cards back."""
    pairs = [(finishing[0], finishing[-1], rules.exchange_top), (finishing[1], finishing[-2], rules.exchange_vice)]
    for high, low, count in pairs:
        best = sorted(hands[low], key=lambda face: (-(face // 4), face))[:count]
        move(hands, low, high, best)
    for high, low, count in pairs:
        move(hands, high, low, sorted(hands[high])[:count])


def move(hands: list[list[int]], giver: int, receiver: int, cards: list[int]) -> None:
    """Move cards from one hand to another."""
    for face in cards:
        hands[giver].remove(face)
        hands[receiver].append(face)


def match_by_words(index: int) -> bytes:
    """Return what match `index` gives, by the recipe in the header of the vectors."""
    seats = 3 + index % 6
    rules = load_preset("president").resolve(seats)
    given, finishing = bytearray(), list[int]()
    for number in range(1, 6):
        stream = expanded(digest(f"match {index} seed {number}"), digest(f"match {index} transcript"), number)
        deck = order_of([*range(52)] * rules.packs, stream)
        first = (number - 1) % seats
        hands = [deck[(seat - first) % seats :: seats] for seat in range(seats)]
        if finishing:
            give(hands, finishing, rules)
            leader = finishing[-1]
        else:  # of two seats with a three of clubs the one that is dealt to earlier leads
            leader = next(seat for seat in range(seats) if 0 in hands[seat])
        state = SecondRound(rules, range(seats), hands, leader, first_round=not finishing)
        while not state.over:
            seat = state.turn
            kind, cards = lowest(state)
            state.apply(kind, seat, cards)
            given += bytes([0xFF - seat]) if kind == PASS else bytes([56 + 8 * len(cards) + seat, *cards])
        finishing = state.finishing
        given += bytes(finishing.index(seat) + 1 for seat in range(seats))
    return bytes(given)


@pytest.mark.parametrize("index", range(12))
def test_a_match_by_words_and_second_engine_is_the_same(index: int) -> None:
    """Two matches at every table, played anew from the recipe: the same actions and places, byte for byte."""
    assert played(index) == match_by_words(index)


@pytest.mark.parametrize("index", [*range(8), 998, 999, 1000])
def test_a_shuffle_by_words_is_the_same(index: int) -> None:
    """Shuffles of every deck, and where the round number starts again, from HMAC and the rule alone."""
    packs, top = (1, 1, 2, 2)[index % 4], (52, 54)[index % 2]
    stream = expanded(digest(f"shuffle {index} seed"), digest(f"shuffle {index} transcript"), 1 + index % 1000)
    assert shuffled(index) == bytes(order_of([*range(top)] * packs, stream))


def test_known_hashes_up_to_the_prefix_are_recomputed() -> None:
    """Making the vectors recomputes the hashes of the smaller counts; they are the known ones."""
    tests = accumulated_stage().tests
    assert [(one["what"], one["count"]) for one in tests] == [(what, count) for what in KNOWN for count in KNOWN[what]]
    assert all(one["hash"] == KNOWN[one["what"]][one["count"]] for one in tests)
    assert all(count in KNOWN[what] for what, count in PREFIX.items())


def test_each_hash_goes_on_from_the_one_before() -> None:
    """The hash of two shuffles is over both, and of the first alone over one."""
    both = shuffled(0) + shuffled(1)
    assert recompute({"what": SHUFFLES, "count": 2}) == {"hash": hashlib.sha256(both).hexdigest()}
    assert recompute({"what": MATCHES, "count": 1}) == {"hash": hashlib.sha256(played(0)).hexdigest()}


@pytest.mark.parametrize(("what", "count"), [(SHUFFLES, 0), (SHUFFLES, 1_001), (MATCHES, -1), (MATCHES, 10_000)])
def test_other_counts_are_declined(what: str, count: int) -> None:
    """A count that would take long, or that is none, is not begun, and no answer is taken from the constants."""
    with pytest.raises(Declined):
        recompute({"what": what, "count": count})


@pytest.mark.full
@pytest.mark.parametrize("what", [SHUFFLES, MATCHES])
def test_every_known_hash_is_recomputed(what: str) -> None:
    """The hash of 100,000 shuffles and of 10,000 matches, from the first to the last."""
    assert dict(hashes(what, max(KNOWN[what]))) == KNOWN[what]


@pytest.mark.full
def test_200_matches_by_words_and_second_engine_are_the_same() -> None:
    """More than one in fifty of all matches, at every table."""
    for index in range(0, 10_000, 49):
        assert played(index) == match_by_words(index)
