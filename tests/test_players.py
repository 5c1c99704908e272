"""Simulated players: whatever they choose is lawful, and the same draws give the same choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.cards import FACES, fresh_cards, parse_cards
from fairdeal.deal import deal_hands
from fairdeal.draws import Draws
from fairdeal.exchange import Exchanging, Swap
from fairdeal.hands import count_hand, hand_cards
from fairdeal.legal import legal_actions
from fairdeal.play import Round
from fairdeal.players import PLAYERS, lowest, random_legal, return_lowest, return_random, tribute_cards
from fairdeal.records import PASS, Action, Exchange, pass_action, set_action
from tests.strategies import LAW

SEEDS = st.integers(0, 2**64 - 1).map(lambda number: Draws(number.to_bytes(32, "big")))
HANDS = st.lists(st.integers(0, FACES - 1), min_size=1, max_size=12).map(lambda cards: bytes(sorted(cards)))


def deal(seats: int, packs: int, draws: Draws) -> Round:
    """Return a round with a whole deck dealt, led by the first seat."""
    deck = list(fresh_cards(packs, 0))
    mixed = bytes(deck.pop(draws.below(len(deck))) for _ in range(len(deck)))
    return Round(LAW, range(seats), [count_hand(cards) for cards in deal_hands(mixed, seats)], 0)


def rounds(player: str, seats: int, packs: int) -> Iterator[tuple[Round, Action]]:
    """Yield a round before each action that players of this kind choose, with the action."""
    draws = Draws(bytes([seats, packs]) * 16)
    choose, _ = PLAYERS[player]
    state = deal(seats, packs, draws)
    while not state.over:
        action = choose(state, draws)
        yield state, action
        state.apply(action)


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(("seats", "packs"), list(product(range(3, 9), (1, 2))))
def test_choices_are_lawful(player: str, seats: int, packs: int) -> None:
    """Every kind of player chooses only what is legal, and its rounds come to an end."""
    actions = 0
    for state, action in rounds(player, seats, packs):
        assert action in legal_actions(state)
        assert state.fault(action) is None
        actions += 1
    assert actions >= 52 // 8


@pytest.mark.parametrize("player", PLAYERS)
def test_choices_repeat(player: str) -> None:
    """The same draws give the same round."""
    first, second = ([action for _, action in rounds(player, 5, 1)] for _ in range(2))
    assert first == second


@pytest.mark.parametrize(("seats", "packs"), [(3, 1), (5, 1), (8, 2)])
def test_lowest_plays_the_lowest(seats: int, packs: int) -> None:
    """The lowest player leads all of its lowest rank, follows with the lowest that beats, and passes only if none."""
    for state, action in rounds("lowest", seats, packs):
        hand = hand_cards(state.hands[state.turn])
        if not state.count:
            assert action == set_action(state.turn, bytes(face for face in hand if face // 4 == hand[0] // 4))
            continue
        many = Counter(face // 4 for face in hand)
        beating = [rank for rank in sorted(many) if many[rank] >= state.count and rank > state.rank]
        if beating:
            cards = bytes(face for face in hand if face // 4 == beating[0])[: state.count]
            assert action == set_action(state.turn, cards)
        else:
            assert action == pass_action(state.turn)


def test_lowest_draws_nothing() -> None:
    """The lowest player leaves the draws as they were: its choice is no chance."""
    draws, untouched = Draws(bytes(32)), Draws(bytes(32))
    lowest(deal(4, 1, Draws(b"\1" * 32)), draws)
    return_lowest(count_hand(bytes(range(9))), Swap(0, 1, 2, tribute=False), draws)
    assert draws.take(8) == untouched.take(8)


def test_random_reaches_every_action() -> None:
    """The random player can choose anything legal, a pass as often as a size and rank however many suits it has."""
    hands = ("3c", "4c 4d 4h 4s 5c", "6c 6d")
    state = Round(LAW, range(3), [count_hand(parse_cards(hand)) for hand in hands], 1)
    draws = Draws(bytes(32))
    assert {random_legal(state, draws) for _ in range(600)} == set(legal_actions(state))
    state = Round(LAW, range(3), [count_hand(parse_cards(hand)) for hand in ("3c 3d", *hands[1:])], 0)
    state.apply(set_action(0, parse_cards("3c")))
    kinds = Counter(random_legal(state, draws).kind == PASS for _ in range(600))
    assert kinds[True] > 120  # one shape in three: a pass, a four, the five
    assert kinds[False] > 300


@settings(deadline=None)
@given(HANDS, st.data(), SEEDS)
def test_gifts_are_lawful(hand: bytes, data: st.DataObject, draws: Draws) -> None:
    """Tributes and returns of every kind of player are held, sorted and of the size that is due."""
    size = data.draw(st.integers(1, len(hand)))
    tribute, free = Swap(1, 0, size, tribute=True), Swap(1, 0, size, tribute=False)
    before = count_hand(hand)
    state = Exchanging([count_hand(b""), count_hand(hand)], [tribute])
    assert state.fault(Exchange(1, 0, tribute_cards(state.hands[1], tribute))) is None
    for _, choose_return in PLAYERS.values():
        state = Exchanging([count_hand(b""), count_hand(hand)], [free])
        assert state.fault(Exchange(1, 0, choose_return(state.hands[1], free, draws))) is None
        assert state.hands[1] == before


@settings(deadline=None)
@given(HANDS, st.data(), SEEDS)
def test_return_lowest(hand: bytes, data: st.DataObject, draws: Draws) -> None:
    """The lowest return is of the lowest cards in the hand."""
    size = data.draw(st.integers(1, len(hand)))
    assert return_lowest(count_hand(hand), Swap(0, 1, size, tribute=False), draws) == hand[:size]


def test_return_random_reaches_every_card() -> None:
    """A random return may be of any cards held, both copies of one among them."""
    hand, draws = count_hand(parse_cards("3c 3c 9d 2s")), Draws(bytes(32))
    found = {return_random(hand, Swap(0, 1, 2, tribute=False), draws) for _ in range(200)}
    assert found == {parse_cards(cards) for cards in ("3c 3c", "3c 9d", "3c 2s", "9d 2s")}
