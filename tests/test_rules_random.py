"""Every rule in any combination: random rulesets, deals and play, against an engine written from the text alone.

`tests.second_engine` shares no code with the product's and was written without looking at it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from fairdeal.draws import Draws
from fairdeal.hands import hand_cards
from fairdeal.hashing import tagged_hash
from fairdeal.law import TURNED
from fairdeal.legal import legal_actions
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


def agree(state: Round, other: SecondRound) -> None:
    """Hold the visible state of both engines side by side."""
    assert (state.over, state.turn) == (other.over, other.turn)
    assert (state.trick, state.play) == (other.trick, other.play)
    assert (state.order is TURNED) == other.reversed
    if state.over:
        assert state.finishing == other.finishing


def compare(name: str, rules: Rules, seats: int, size: int | None, tries: int) -> Counter[str]:
    """Play one round at random in both engines, trying odd actions before every move; return what happened."""
    draws = Draws(tagged_hash("compare", name.encode()))
    state, hands = random_round(draws, rules, seats, size)
    other = second_of(state, hands)
    seen: Counter[str] = Counter()
    for _, action in played_at_random(state, draws):
        for odd in odd_actions(draws, state) if draws.below(100) < tries else ():
            code = state.fault(odd)
            assert code == other.fault(KINDS[odd.kind], odd.seat, tuple(odd.cards)), (odd, rules)
            seen[str(code)] += 1
        assert other.fault(KINDS[action.kind], action.seat, tuple(action.cards)) is None, (action, rules)
        other.apply(KINDS[action.kind], action.seat, tuple(action.cards))
        before = state.trick
        yield_after = state.copy()
        yield_after.apply(action)
        agree(yield_after, other)
        closed = yield_after.trick > before or (yield_after.over and yield_after.closing is not None)
        assert (CLOSINGS[yield_after.closing] if closed and yield_after.closing else None) == other.closing, rules
        if action.kind != PASS:
            assert (None if yield_after.skipped == NOBODY else yield_after.skipped) == other.skipped, rules
        seen[str(other.closing)] += 1
    assert state.over
    assert sorted(state.finishing) == list(range(seats))
    assert sum(state.sizes) == sum(map(sum, state.hands)) == state.sizes[other.finishing[-1]] or state.dropped
    return seen


@pytest.mark.parametrize("chunk", range(8))
def test_both_engines_agree(chunk: int) -> None:
    """Faults, turns, closings, skips, orders and finishing places are the same in random rounds under any rules."""
    seen: Counter[str] = Counter()
    for number in range(chunk, 160, 8):
        seats = 3 + number % 6
        rules = random_rules(Draws(tagged_hash("rules", str(number).encode())), seats)
        seen += compare(f"round {number}", rules, seats, None if number % 3 == 0 else 4 + number % 5, 100)
    assert len(seen) > 10


def brute(state: Round, hands: Iterable[bytes]) -> None:
    """Hold `legal_actions` against the second engine's brute force all along a round."""
    draws = Draws(tagged_hash("brute", bytes(hands[0])))  # type: ignore[index]
    other = second_of(state, hands)
    for _, action in played_at_random(state, draws):
        found = [(KINDS[one.kind], tuple(one.cards)) for one in legal_actions(state)]
        assert len(found) == len(set(found)) > 0
        assert set(found) == other.legal(), state.law.rules
        other.apply(KINDS[action.kind], action.seat, tuple(action.cards))


@pytest.mark.parametrize("chunk", range(4))
def test_legal_actions_are_brute_force_under_any_rules(chunk: int) -> None:
    """Every subset of the hand as a set and, with its jokers in every order, as a straight, filtered by the text."""
    for number in range(chunk, 60, 4):
        seats = 3 + number % 6
        draws = Draws(tagged_hash("brute", str(number).encode()))
        state, hands = random_round(draws, random_rules(draws, seats), seats, 4 + number % 5)
        brute(state, hands)
