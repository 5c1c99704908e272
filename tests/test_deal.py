"""That each position gets the cards it must, and each seat the hand of its position."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.cards import fresh_cards
from fairdeal.deal import deal_hands, hands_of_round
from fairdeal.limits import MAX_SEATS, MIN_SEATS
from fairdeal.shuffle import deck_order
from tests.strategies import hashes, many

SEATS = range(MIN_SEATS, MAX_SEATS + 1)


def dealt_one_by_one(order: bytes, positions: int) -> list[bytes]:
    """Return the hands that a dealer makes who lays one card after the other, round and round."""
    hands = [b""] * positions
    for turn, face in enumerate(order):
        hands[turn % positions] += bytes([face])
    return hands


@given(st.binary(max_size=108), st.sampled_from(SEATS))
@many
def test_cards_go_round_one_at_a_time(order: bytes, positions: int) -> None:
    """Position p gets cards p, p + P, … in that order, from bytes and bytearrays alike."""
    hands = deal_hands(order, positions)
    assert list(hands) == dealt_one_by_one(order, positions)
    assert hands == deal_hands(bytearray(order), positions)
    assert all(type(hand) is bytes for hand in hands)


@given(st.binary(max_size=108), st.sampled_from(SEATS))
@many
def test_no_card_is_lost_or_made(order: bytes, positions: int) -> None:
    """All hands together are the deck, and they differ by one card at most, the earlier positions having more."""
    hands = deal_hands(order, positions)
    assert Counter(b"".join(hands)) == Counter(order)
    sizes = [len(hand) for hand in hands]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] - sizes[-1] <= 1


@pytest.mark.parametrize(
    ("cards", "positions", "sizes"),
    [
        (52, 3, (18, 17, 17)),
        (52, 5, (11, 11, 10, 10, 10)),
        (54, 4, (14, 14, 13, 13)),
        (104, 6, (18, 18, 17, 17, 17, 17)),
        (108, 7, (16, 16, 16, 15, 15, 15, 15)),
        (108, 8, (14, 14, 14, 14, 13, 13, 13, 13)),
    ],
)
def test_uneven_hands(cards: int, positions: int, sizes: tuple[int, ...]) -> None:
    """Where the deck does not come out even the first positions have one card more, by figures anybody can check."""
    assert tuple(len(hand) for hand in deal_hands(bytes(cards), positions)) == sizes


@given(
    hashes,
    hashes,
    st.integers(1, 1_000),
    st.sampled_from(SEATS).flatmap(lambda seats: st.permutations(range(seats))),
    st.integers(1, 2),
    st.sampled_from((0, 2)),
)
@many
def test_every_seat_gets_the_hand_of_its_position(
    seed: bytes, mixed: bytes, number: int, dealing: list[int], packs: int, jokers: int
) -> None:
    """Hands come back by seat: the seat at position p of any dealing order holds what position p was dealt."""
    deck = fresh_cards(packs, jokers)
    dealt = deal_hands(deck_order(seed, mixed, number, deck), len(dealing))
    hands = hands_of_round(seed, mixed, number, dealing, packs, jokers)
    assert [hands[seat] for seat in dealing] == list(dealt)
    assert Counter(b"".join(hands)) == Counter(deck)


def test_two_packs_with_jokers_deal_108_cards() -> None:
    """The largest deck: every face twice, jokers included, over eight seats."""
    hands = hands_of_round(bytes(32), bytes(32), 1, range(8), 2, 2)
    assert Counter(b"".join(hands)) == dict.fromkeys(range(54), 2)
    assert [len(hand) for hand in hands] == [14] * 4 + [13] * 4
