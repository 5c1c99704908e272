"""Every rule in any combination: random rulesets, deals and play, against an engine written from the text alone.

`tests.second_engine` shares no code with the product's and was written without looking at it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from fairdeal.cards import FIRST_JOKER, JOKER_RANK
from fairdeal.draws import Draws
from fairdeal.hands import hand_cards
from fairdeal.hashing import tagged_hash
from fairdeal.law import TURNED
from fairdeal.legal import legal_actions, legal_shapes
from fairdeal.play import NOBODY, Closing, Round
from fairdeal.records import BIG_SET, PASS, SET, STRAIGHT, Action, play_action
from fairdeal.settings import Rules
from tests.random_rules import played_at_random, random_round, random_rules
from tests.second_engine import SecondRound

KINDS = {PASS: "pass", SET: "set", BIG_SET: "big-set", STRAIGHT: "straight"}
CLOSINGS = {
    Closing.PASSES: "passes",
    Closing.TWOS: "twos",
    Closing.BURN: "burn",
    Closing.COMPLETED: "completed",
    Closing.SWEEP: "sweep",
}


def second_of(state: Round, hands: Iterable[bytes]) -> SecondRound:
    """Return the second engine's view of a round before its first action."""
    seats = range(len(state.hands))
    return SecondRound(state.law.rules, seats, [list(hand) for hand in hands], state.turn, first_round=state.first)


def odd_actions(draws: Draws, state: Round) -> list[Action]:
    """Return actions of every kind that are mostly unlawful: cards of the hand or of any, in any order and form."""
    seat = state.turn if draws.below(8) else draws.below(len(state.hands))
    held = list(hand_cards(state.hands[seat]))
    found = [play_action(PASS, seat, b"")]
    for _ in range(4):
        size = 1 + draws.below(min(len(held), 5)) if held else 1
        cards = [draws.choose(held) if held else draws.below(54) for _ in range(size)]
        if draws.below(3):
            rank = draws.choose(held or [0]) >> 2
            cards = [face for face in held if face >> 2 in (rank, 13)][:size] or cards
        if draws.below(3):
            cards.sort()
        kind = draws.choose([SET, SET, SET, BIG_SET, STRAIGHT])
        if kind == STRAIGHT and draws.below(2):
            ranks = range(draws.below(10), 13)
            run = [next((face for face in held if face >> 2 == rank), 52) for rank in ranks]
            cards = run[: 3 + draws.below(3)]
        found.append(play_action(kind, seat, bytes(cards)))
    return found


def agree(before: Round, state: Round, action: Action, other: SecondRound) -> None:
    """Hold both engines side by side after an action, with what it did."""
    assert (state.over, state.turn) == (other.over, other.turn)
    assert (state.trick, state.play) == (other.trick, other.play)
    assert (state.order is TURNED) == other.reversed
    assert not state.over or state.finishing == other.finishing
    cleared = state.trick > before.trick or state.over
    assert (CLOSINGS[state.closing] if cleared and state.closing else None) == other.closing, (action, state.law.rules)
    if action.kind != PASS:
        assert (None if state.skipped == NOBODY else state.skipped) == other.skipped, (action, state.law.rules)


def compare(name: str, rules: Rules, seats: int, size: int | None) -> Counter[str]:
    """Play one round at random in both engines, trying odd actions before every move; return what happened."""
    draws = Draws(tagged_hash("compare", name.encode()))
    state, hands = random_round(draws, rules, seats, size)
    other = second_of(state, hands)
    seen: Counter[str] = Counter()
    for _, action in played_at_random(state, draws):
        for odd in odd_actions(draws, state):
            code = state.fault(odd)
            assert code == other.fault(KINDS[odd.kind], odd.seat, tuple(odd.cards)), (odd, rules)
            seen[str(code)] += 1
        other.apply(KINDS[action.kind], action.seat, tuple(action.cards))
        after = state.copy()
        after.apply(action)
        agree(state, after, action, other)
        seen[str(other.closing)] += 1
    assert sorted(state.finishing) == list(range(seats))
    return seen


def rounds_agree(numbers: Iterable[int]) -> Counter[str]:
    """Play these rounds in both engines, whole deals and small ones, at tables of 3 to 8 seats by random rules."""
    seen: Counter[str] = Counter()
    for number in numbers:
        seats = 3 + number % 6
        rules = random_rules(Draws(tagged_hash("rules", str(number).encode())), seats)
        seen += compare(f"round {number}", rules, seats, None if number % 3 == 0 else 4 + number % 5)
    return seen


def lists_agree(numbers: Iterable[int]) -> int:
    """Hold both lists of lawful actions against the second engine's brute force; return how many states that were."""
    states = 0
    for number in numbers:
        seats = 3 + number % 6
        draws = Draws(tagged_hash("brute", str(number).encode()))
        state, hands = random_round(draws, random_rules(draws, seats), seats, 4 + number % 5)
        other = second_of(state, hands)
        for _, action in played_at_random(state, draws):
            legal = legal_actions(state)
            found = [(KINDS[one.kind], tuple(one.cards)) for one in legal]
            assert len(found) == len(set(found)) > 0
            assert set(found) == other.legal(), state.law.rules
            shapes = [shape(state, one) for one in legal_shapes(state)]
            assert shapes == sorted(set(shapes)) == sorted({shape(state, one) for one in legal})
            assert set(legal_shapes(state)) <= set(legal)
            other.apply(KINDS[action.kind], action.seat, tuple(action.cards))
            states += 1
    return states


def shape(state: Round, action: Action) -> tuple[bool, int, int, int]:
    """Return what is left of an action without its suits, such that shapes sort as lawful actions do."""
    rank = state.law.rank_of(action)
    straight = action.kind == STRAIGHT
    jokers = min(action.cards, default=0) >= FIRST_JOKER  # also one that counts as a 2
    lowest = rank - len(action.cards) if straight else JOKER_RANK if jokers else rank
    return (straight, lowest, len(action.cards), rank) if action.kind != PASS else (False, -1, 0, -1)


@pytest.mark.parametrize("chunk", range(8))
def test_both_engines_agree(chunk: int) -> None:
    """Faults, turns, closings, skips, orders and finishing places are the same in random rounds under any rules."""
    assert len(rounds_agree(range(chunk, 160, 8))) > 10


@pytest.mark.parametrize("chunk", range(4))
def test_lawful_actions_are_brute_force(chunk: int) -> None:
    """Every subset of the hand as a set and, with its jokers in every order, as a straight, filtered by the text."""
    assert lists_agree(range(chunk, 60, 4)) > 100


@pytest.mark.full
@pytest.mark.parametrize("part", range(2))
def test_twenty_thousand_rounds(part: int) -> None:
    """Both engines agree on 20,000 rounds, and every fault of play comes up in them."""
    seen = rounds_agree(range(part, 20_000, 2))
    assert {"kind", "first-play", "not-a-straight", "too-low", "count", "turn", "not-held"} <= set(seen)


@pytest.mark.full
@pytest.mark.parametrize("part", range(2))
def test_thousands_of_states_by_brute_force(part: int) -> None:
    """The lists of lawful actions hold at thousands of states."""
    assert lists_agree(range(part, 1_000, 2)) > 5_000
