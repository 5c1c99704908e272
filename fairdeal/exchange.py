"""The card exchange before every round but the first: who owes what, what is wrong with a gift, what it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fairdeal.cards import FACES
from fairdeal.codes import Code
from fairdeal.hands import hand_cards
from fairdeal.records import Exchange, ascending
from fairdeal.settings import Rules


class Swap(NamedTuple):
    """A gift that is due: `size` cards from `giver` to `receiver`, the best ones where it is a `tribute`."""

    giver: int
    receiver: int
    size: int
    tribute: bool


def swaps_due(rules: Rules, finishing: Sequence[int]) -> list[Swap]:
    """Return the gifts due after a round that finished in this order: top tribute, vice tribute, then the returns."""
    top, bottom = finishing[0], finishing[-1]
    pairs = [(top, bottom, rules.exchange_top)]
    if len(finishing) > 3:
        pairs.append((finishing[1], finishing[-2], rules.exchange_vice))
    pairs = [pair for pair in pairs if pair[2]]
    tributes = [Swap(low, high, count, tribute=True) for high, low, count in pairs]
    return tributes + [Swap(high, low, count, tribute=False) for high, low, count in pairs]


class Exchanging:
    """The exchange of one round: `hands` (counted, by seat) change as gifts are made; `due` lists those to come.

    Tributes are made in their order, the returns in either.
    """

    __slots__ = ("due", "hands")

    def __init__(self, hands: list[bytearray], due: list[Swap]) -> None:
        """Start with every gift of `due` still to come."""
        self.hands = hands
        self.due = due

    def open_now(self) -> list[Swap]:
        """Return the gifts that may be made now: the next tribute, or after the tributes any return."""
        return self.due[:1] if self.due and self.due[0].tribute else self.due

    def wanted(self, gift: Exchange) -> Swap | None:
        """Return the gift due now that `gift` answers by its two seats, or None."""
        for swap in self.open_now():
            if swap.giver == gift.giver and swap.receiver == gift.receiver:
                return swap
        return None

    def fault(self, gift: Exchange) -> Code | None:
        """Return what is wrong with `gift` now, or None; changes nothing."""
        if not self.due:
            return Code.EXCHANGE_UNEXPECTED
        swap = self.wanted(gift)
        if swap is None:
            return Code.EXCHANGE_PARTIES
        if len(gift.cards) != swap.size:
            return Code.EXCHANGE_COUNT
        hand = self.hands[gift.giver]
        for face in gift.cards:
            if hand[face] < gift.cards.count(face):
                return Code.NOT_HELD
        if not ascending(gift.cards):
            return Code.ENCODING
        # ranks are compared and not faces: among equals the giver chooses the suit
        if swap.tribute and ranks(gift.cards) != ranks(best_cards(hand, swap.size)):
            return Code.TRIBUTE
        return None

    def apply(self, gift: Exchange) -> None:
        """Carry out a gift whose cards are held and whose two seats are due."""
        for face in gift.cards:
            self.hands[gift.giver][face] -= 1
            self.hands[gift.receiver][face] += 1
        answered = self.wanted(gift)
        self.due = [swap for swap in self.due if swap is not answered]


def best_cards(hand: bytes | bytearray, count: int) -> bytes:
    """Return the `count` highest cards of a counted hand, ascending: jokers, then 2, A, K …, lower suits first.

    Where the hand has fewer, all of it.
    """
    best = b""
    low = FACES - FACES % 4
    while len(best) < count and low >= 0:
        if any(hand[low : low + 4]):
            best = hand_cards(hand, low, low + 4)[: count - len(best)] + best
        low -= 4
    return best


def ranks(cards: bytes) -> list[int]:
    """Return the rank of each card."""
    return [face >> 2 for face in cards]
