"""Every action that is lawful now: all sets and straights a hand can lay down in which `Round.fault` finds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from fairdeal.cards import ACE, FACES, FIRST_JOKER, JOKER_RANK, TWO
from fairdeal.hands import hand_cards
from fairdeal.law import SHORTEST_STRAIGHT, STRAIGHT_RANK
from fairdeal.play import Round
from fairdeal.records import Action, pass_action, set_action, straight_action


def legal_actions(state: Round) -> list[Action]:
    """Return every action in which `fault` finds nothing: the pass first, then sets by rank, size and cards.

    Straights come last, by lowest rank, length and cards. Copies of a face in two packs count once.
    """
    if state.over:
        return []
    seat = state.turn
    plays = [set_action(seat, cards) for cards in _sets(state)]
    plays += [straight_action(seat, cards) for cards in _straights(state)]
    passing = [pass_action(seat)] if state.count else []
    return passing + [action for action in plays if state.fault(action) is None]


def legal_shapes(state: Round) -> list[Action]:
    """Return one lawful action of each kind, rank and size, jokers apart, in the order of `legal_actions`.

    Suits decide nothing but who holds the three of clubs, so that lower faces stand for the others, and jokers stand in
    only where they must. However many suits a hand has, there are at most a few hundred of these.
    """
    if state.over:
        return []
    seat, hand = state.turn, state.hands[state.turn]
    jokers = hand_cards(hand, FIRST_JOKER, FACES)
    passing = [pass_action(seat)] if state.count else []
    plays = [set_action(seat, cards) for cards in _lowest_sets(hand, jokers if state.law.wild else b"", jokers)]
    plays += [straight_action(seat, cards) for cards in _lowest_runs(state, hand, jokers)]
    return passing + [action for action in plays if state.fault(action) is None]


def _lowest_sets(hand: bytearray, stand_ins: bytes, jokers: bytes) -> Iterator[bytes]:
    for rank in range(JOKER_RANK):
        natural = hand_cards(hand, 4 * rank, 4 * rank + 4)
        for size in range(1, len(natural) + len(stand_ins) + 1) if natural else ():
            yield natural[:size] + stand_ins[: max(0, size - len(natural))]
    for size in range(1, len(jokers) + 1):
        yield jokers[:size]


def _lowest_runs(state: Round, hand: bytearray, jokers: bytes) -> Iterator[bytes]:
    for low, size in _windows(state):
        stand_ins = list(jokers) if state.law.wild else []
        run = bytearray()
        for rank in range(low, low + size):
            natural = hand_cards(hand, 4 * rank, 4 * rank + 4)
            if natural:
                run.append(natural[0])
            elif stand_ins:
                run.append(stand_ins.pop(0))
        if len(run) == size and min(run) < FIRST_JOKER:
            yield bytes(run)


def _windows(state: Round) -> Iterator[tuple[int, int]]:
    """Yield lowest rank and size of every straight that may be played now, whoever holds it."""
    if not state.law.straights or (state.count and state.rank < STRAIGHT_RANK):
        return
    for low in range(ACE - SHORTEST_STRAIGHT + 2):
        for size in range(SHORTEST_STRAIGHT, ACE - low + 2):
            if not state.count or size == state.count:
                yield low, size


def _sets(state: Round) -> Iterator[bytes]:
    """Yield the sets that the seat on turn holds, apart from those whose count can never be right."""
    hand = state.hands[state.turn]
    jokers = hand_cards(hand, FIRST_JOKER, FACES)
    for rank in range(JOKER_RANK + 1):
        natural = hand_cards(hand, 4 * rank, 4 * rank + 4)
        stand_ins = jokers if state.law.wild and rank != JOKER_RANK else b""
        for size in range(1, len(natural) + len(stand_ins) + 1):
            # only twos and jokers may ever leave the count of the pile aside
            if natural and (not state.count or size == state.count or rank >= TWO):
                yield from sorted(_of_size(natural, stand_ins, size))


def _of_size(natural: bytes, stand_ins: bytes, size: int) -> set[bytes]:
    """Return the sets of `size` cards with at least one natural one, each in ascending order."""
    return {
        bytes(own + lent)
        for few in range(max(0, size - len(natural)), min(len(stand_ins), size - 1) + 1)
        for own in combinations(natural, size - few)
        for lent in combinations(stand_ins, few)
    }


def _straights(state: Round) -> Iterator[bytes]:
    """Yield the straights that the seat on turn holds, of the pile's length if there is one."""
    hand = state.hands[state.turn]
    jokers = hand_cards(hand, FIRST_JOKER, FACES) if state.law.wild else b""
    for low, size in _windows(state):
        yield from (run for run in sorted(_runs(hand, jokers, low, size)) if min(run) < FIRST_JOKER)


def _runs(hand: bytearray, jokers: bytes, rank: int, size: int) -> Iterator[bytes]:
    """Yield `size` cards of rising ranks from `rank` on; jokers take places in their own ascending order."""
    if size == 0:
        yield b""
        return
    for face in range(4 * rank, 4 * rank + 4):
        if hand[face]:
            for rest in _runs(hand, jokers, rank + 1, size - 1):
                yield bytes([face]) + rest
    for joker in sorted(set(jokers)):
        for rest in _runs(hand, jokers[jokers.index(joker) + 1 :], rank + 1, size - 1):
            yield bytes([joker]) + rest
