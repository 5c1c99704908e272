"""Who plays in a simulation: the lowest card that beats, or any legal action at random."""

from __future__ import annotations

from collections.abc import Callable

from fairdeal.draws import Draws
from fairdeal.exchange import Swap, best_cards
from fairdeal.play import Round, hand_cards
from fairdeal.records import PASS, Action

Player = Callable[[Round, Draws], Action]


def lowest(state: Round, draws: Draws) -> Action:
    """Return the lowest play: all cards of the lowest rank on the lead, else the lowest that beats, else a pass."""
    del draws
    plays = [action for action in state.legal_actions() if action.kind != PASS]
    if not plays:
        return state.legal_actions()[0]
    if state.count:
        return plays[0]
    return max((play for play in plays if play.rank == plays[0].rank), key=lambda play: len(play.cards))


def random_legal(state: Round, draws: Draws) -> Action:
    """Return any legal action: a size and rank first, so that the many suits of a set do not crowd out a pass."""
    legal = state.legal_actions()
    shapes = sorted({(action.kind != PASS, action.rank, len(action.cards)) for action in legal})
    shape = draws.choose(shapes)
    return draws.choose([a for a in legal if (a.kind != PASS, a.rank, len(a.cards)) == shape])


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
}
