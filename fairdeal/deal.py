"""From the order of the cards to hands (SPEC, "Deal")."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.cards import fresh_cards
from fairdeal.shuffle import deck_order


def deal_hands(order: bytes | bytearray, positions: int) -> tuple[bytes, ...]:
    """Return one hand per dealing position, cards in the order they were dealt: one at a time, all the way round."""
    return tuple(bytes(order[position::positions]) for position in range(positions))


def hands_of_round(
    seed: bytes, transcript: bytes, round_number: int, dealing_order: Sequence[int], packs: int, jokers: int
) -> tuple[bytes, ...]:
    """Return the hands of a round by *seat*; `dealing_order` lists the seats by position, first card first."""
    dealt = deal_hands(deck_order(seed, transcript, round_number, fresh_cards(packs, jokers)), len(dealing_order))
    hands = [b""] * len(dealing_order)
    for seat, hand in zip(dealing_order, dealt, strict=True):
        hands[seat] = hand
    return tuple(hands)
