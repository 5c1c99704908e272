"""Who plays in a simulation: the lowest card that beats, any legal action at random, or as many cards as there are."""

from __future__ import annotations

from collections.abc import Callable

from fairdeal.draws import Draws
from fairdeal.exchange import Swap, best_cards
from fairdeal.hands import hand_cards
from fairdeal.legal import legal_actions
from fairdeal.play import Round
from fairdeal.records import PASS, Action

Player = Callable[[Round, Draws], Action]


def lowest(state: Round, draws: Draws) -> Action:
    """Return the lowest play: all cards of the lowest rank on the lead, else the lowest that beats, else a pass."""
    del draws
    plays = [action for action in legal_actions(state) if action.kind != PASS]
    if not plays:
        return legal_actions(state)[0]
    if state.count:
        return plays[0]
    return max((play for play in plays if play.rank == plays[0].rank), key=lambda play: len(play.cards))


def random_legal(state: Round, draws: Draws) -> Action:
    """Return any legal action: kind, rank and size first, so that the many suits of a set do not crowd out a pass."""
    by_shape: dict[tuple[int, int, int], list[Action]] = {}
    for action in legal_actions(state):
        shape = (action.kind, state.law.rank_of(action), len(action.cards))
        by_shape.setdefault(shape, []).append(action)
    return draws.choose(by_shape[draws.choose(sorted(by_shape))])


def largest(state: Round, draws: Draws) -> Action:
    """Return a play of as many cards as any has, at random among those: quads and straights come up often."""
    legal = legal_actions(state)
    most = max(len(action.cards) for action in legal)
    return draws.choose([action for action in legal if len(action.cards) == most])


def tribute_cards(hand: bytearray, swap: Swap) -> bytes:
    """Return the cards of a tribute: the best ones, of equals the lower suits."""
    return best_cards(hand, swap.size)


def return_lowest(hand: bytearray, swap: Swap, draws: Draws) -> bytes:
    """Return the lowest cards of the hand as the free return."""
    del draws
    return hand_cards(hand)[: swap.size]


def return_random(hand: bytearray, swap: Swap, draws: Draws) -> bytes:
    """Return any cards of the hand as the free return, the ones just received among them."""
    held = list(hand_cards(hand))
    return bytes(sorted(held.pop(draws.below(len(held))) for _ in range(swap.size)))


PLAYERS: dict[str, tuple[Player, Callable[[bytearray, Swap, Draws], bytes]]] = {
    "random": (random_legal, return_random),
    "lowest": (lowest, return_lowest),
    "largest": (largest, return_random),
}
