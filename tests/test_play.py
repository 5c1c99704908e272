"""One round: `fault` is the only judge, `legal_actions` and `apply` follow it, and an engine of its own agrees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import combinations, pairwise, product
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.cards import CARD_NAMES, FACES, fresh_cards, parse_cards
from fairdeal.codes import Code
from fairdeal.deal import deal_hands
from fairdeal.draws import Draws
from fairdeal.hands import count_hand, hand_cards
from fairdeal.legal import legal_actions
from fairdeal.play import NOBODY, Round
from fairdeal.players import random_legal
from fairdeal.records import BIG_SET, PASS, SET, STRAIGHT, Action, pass_action, play_action, set_action
from tests.strategies import LAW

FULL_TABLES = list(product(range(3, 9), (1, 2)))
BRUTE_FORCE_HAND = 12  # cards up to which every sub-multiset of a hand is tried


# --- making rounds


def start(*hands: str, leader: int = 0, seating: Sequence[int] | None = None) -> Round:
    """Return a round whose seats hold the cards written, such as `3c 3d 9s`."""
    counted = [count_hand(parse_cards(hand)) for hand in hands]
    return Round(LAW, seating or range(len(hands)), counted, leader)


def play(seat: int, cards: str) -> Action:
    """Return the action by which `seat` plays the cards written, in the order written; `-` is a pass."""
    if cards == "-":
        return pass_action(seat)
    faces = parse_cards(cards)
    return play_action(SET, seat, faces)


def straight(seat: int, cards: str) -> Action:
    """Return a straight of the cards written."""
    faces = parse_cards(cards)
    return play_action(STRAIGHT, seat, faces)


def big(seat: int, cards: str) -> Action:
    """Return a play of the cards written in the encoding of nine cards and more."""
    faces = parse_cards(cards)
    return play_action(BIG_SET, seat, faces)


def played(state: Round, *history: tuple[int, str]) -> Round:
    """Return `state` after these actions, none of which has a fault."""
    for seat, cards in history:
        assert state.step(play(seat, cards)) is None
    return state


def snapshot(state: Round) -> dict[str, Any]:
    """Return a deep copy of everything a round consists of, apart from its rules."""
    return {slot: deepcopy(getattr(state, slot)) for slot in Round.__slots__ if slot != "law"}


def full_round(seats: int, packs: int, seed: str) -> tuple[Round, Draws]:
    """Return a round with the whole deck dealt and any seat leading, and the draws to go on with."""
    draws = Draws(seed.encode().ljust(32, b"."))
    deck = list(fresh_cards(packs, 0))
    for last in range(len(deck) - 1, 0, -1):
        other = draws.below(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    hands = [count_hand(cards) for cards in deal_hands(bytes(deck), seats)]
    return Round(LAW, range(seats), hands, draws.below(seats)), draws


def random_states(state: Round, draws: Draws) -> Iterator[tuple[Round, Action]]:
    """Yield `state` before every action of a round played at random, with the action about to be played."""
    while not state.over:
        action = random_legal(state, draws)
        yield state, action
        state.apply(action)


class Setup(NamedTuple):
    """A small deal: hands by seat, the seating and the leader; `choices` pick legal actions one after the other."""

    hands: list[bytes]
    seating: tuple[int, ...]
    leader: int
    choices: list[int]

    def round(self) -> Round:
        """Return the round before its first action."""
        return Round(LAW, self.seating, [count_hand(hand) for hand in self.hands], self.leader)

    def choose(self, state: Round, number: int) -> Action:
        """Return the action that this deal's players choose as their `number`-th; in the end they pass or lead low."""
        legal = legal_actions(state)
        return legal[self.choices[number] % len(legal) if number < len(self.choices) else 0]

    def states(self) -> Iterator[tuple[Round, Action]]:
        """Yield the round before each of its actions, with the action about to be played."""
        state, number = self.round(), 0
        while not state.over:
            action = self.choose(state, number)
            yield state, action
            state.apply(action)
            number += 1

    def end(self) -> Round:
        """Return the round after its last action."""
        state, number = self.round(), 0
        while not state.over:
            state.apply(self.choose(state, number))
            number += 1
        return state

    def history(self) -> list[Action]:
        """Return every action of the round."""
        return [action for _, action in self.states()]


@st.composite
def setups(draw: st.DrawFn, most: int = 5) -> Setup:
    """Deals of one or two packs to three to eight seats, up to `most` cards each, with any seating and leader."""
    seats = draw(st.integers(3, 8))
    packs = draw(st.integers(1, 2))
    ranks = draw(st.sampled_from([1, 2, 4, 13]))  # few ranks make many sets
    deck = ranks * 4 * packs
    cards = draw(st.lists(st.integers(0, deck - 1), min_size=min(seats, deck), max_size=seats * most, unique=True))
    while len(cards) < seats:
        cards.append(4 * ranks + len(cards))
    dealt = deal_hands(bytes(card // packs for card in cards), seats)
    seating = tuple(draw(st.permutations(range(seats))))
    choices = draw(st.lists(st.integers(0, 200), max_size=40))
    return Setup(list(dealt), seating, draw(st.integers(0, seats - 1)), choices)


# --- counted hands


@settings(deadline=None)
@given(st.lists(st.integers(0, FACES - 1), max_size=30), st.integers(0, FACES), st.integers(0, FACES + 4))
def test_counted_hands(cards: list[int], low: int, high: int) -> None:
    """A counted hand gives back its cards in ascending order, whole or any range of faces."""
    counts = count_hand(bytes(cards))
    assert hand_cards(counts) == bytes(sorted(cards))
    assert hand_cards(counts, low, high) == bytes(sorted(card for card in cards if low <= card < high))


# --- legal actions are what `fault` finds nothing in


def brute_force(state: Round) -> set[Action]:
    """Return the pass and every sub-multiset of the hand on turn, as a set, in which `fault` finds nothing."""
    hand = state.hands[state.turn]
    held = [face for face in range(FACES) if hand[face]]
    candidates = [pass_action(state.turn)]
    for counts in product(*(range(hand[face] + 1) for face in held)):
        if any(counts):
            cards = b"".join(bytes([face]) * count for face, count in zip(held, counts, strict=True))
            candidates.append(set_action(state.turn, cards))
    return {action for action in candidates if state.fault(action) is None}


def assert_all_legal(state: Round) -> None:
    """Compare the legal actions of a state with brute force, and their order with what is promised."""
    legal = legal_actions(state)
    assert set(legal) == brute_force(state)
    assert len(set(legal)) == len(legal) > 0
    assert legal == sorted(legal, key=lambda a: (a.kind != PASS, a.rank, len(a.cards), a.cards))


@pytest.mark.parametrize(("seats", "packs"), FULL_TABLES)
def test_legal_actions_are_brute_force_in_full_rounds(seats: int, packs: int) -> None:
    """Rounds with the whole deck: from hands of twelve cards down, `legal_actions` misses and invents nothing."""
    compared = 0
    for number in range(2):
        for state, _ in random_states(*full_round(seats, packs, f"legal {seats} {packs} {number}")):
            if state.sizes[state.turn] <= BRUTE_FORCE_HAND:
                assert_all_legal(state)
                compared += 1
    assert compared > 50


@settings(deadline=None, max_examples=80)
@given(setups(most=6))
def test_legal_actions_are_brute_force(setup: Setup) -> None:
    """Small deals with many equal ranks: `legal_actions` misses and invents nothing."""
    for state, _ in setup.states():
        assert_all_legal(state)


@settings(deadline=None, max_examples=60)
@given(setups())
def test_legal_actions_change_nothing(setup: Setup) -> None:
    """Asking what is legal, or what is wrong, changes no state."""
    for state, action in setup.states():
        before = snapshot(state)
        legal_actions(state)
        state.fault(action)
        assert snapshot(state) == before


@settings(deadline=None, max_examples=60)
@given(setups())
def test_nothing_is_legal_once_over(setup: Setup) -> None:
    """A round that is over has no legal action, nobody on turn, and one fault for whatever is tried."""
    for state, _ in setup.states():
        assert not state.over
        assert state.turn != NOBODY
    state = setup.end()
    assert state.over
    assert state.turn == NOBODY
    assert legal_actions(state) == []
    last = state.finishing[-1]
    tries = [pass_action(seat) for seat in range(len(setup.hands))]
    tries += [set_action(last, hand_cards(state.hands[last])[:1]), straight(0, "3c 4c 5c")]
    assert {state.fault(action) for action in tries} == {Code.ROUND_OVER}


NINE = "7c 7c 7c 7d 7d 7d 7h 7h 7h"  # more of a rank than two packs hold, for the encoding alone


EIGHT = "7c 7c 7d 7d 7h 7h 7s 7s"


def test_sets_of_eight_have_one_encoding() -> None:
    """All eight of a rank in two packs still have the encoding of small sets, and no other."""
    state = start(EIGHT + " 3c", "8c 8d", "9c 9d")
    assert state.fault(play(0, EIGHT)) is None
    assert state.fault(big(0, EIGHT)) is Code.ENCODING


def test_sets_of_nine_are_big_sets() -> None:
    """From nine cards on a set has the encoding of big sets; it is legal, and beaten only by as many."""
    state = start(NINE + " 3c", "8c 8d", "9c 9d")
    assert state.fault(big(0, NINE)) is None
    assert big(0, NINE) in legal_actions(state)
    assert state.step(big(0, NINE)) is None
    assert state.fault(play(1, "8c 8d")) is Code.COUNT


def test_sets_of_nine_have_one_encoding() -> None:
    """A set of nine cards in the encoding of up to eight has a wrong encoding, like one of two in that of nine."""
    assert start(NINE + " 3c", "8c 8d", "9c 9d").fault(play(0, NINE)) is Code.ENCODING


# --- invariants


def check_invariants(seats: int, states: Iterator[tuple[Round, Action]]) -> None:
    """Follow a round and check that cards, sizes and places add up after every action."""
    deck: Counter[int] = Counter()
    table: Counter[int] = Counter()
    state = None
    for state, action in states:
        held = Counter(face for hand in state.hands for face in hand_cards(hand))
        deck = deck or held
        assert held + table == deck
        assert state.sizes == [sum(hand) for hand in state.hands]
        assert state.holders == sum(size > 0 for size in state.sizes) >= 2
        assert sorted(state.finishing) == [seat for seat in range(seats) if not state.sizes[seat]]
        assert state.sizes[state.turn] > 0
        assert state.turn == action.seat
        assert (state.count == 0) == (state.last == NOBODY) == (state.rank == NOBODY)
        table += Counter(action.cards)
    assert state is not None
    assert state.over
    assert sorted(state.finishing) == list(range(seats))
    assert [seat for seat in range(seats) if state.sizes[seat]] == state.finishing[-1:]


@settings(deadline=None, max_examples=80)
@given(setups(most=8))
def test_cards_and_places_add_up(setup: Setup) -> None:
    """Hands and played cards are the deck at any time; finishing is a permutation and the last holder is last."""
    check_invariants(len(setup.hands), setup.states())


@pytest.mark.parametrize(("seats", "packs"), FULL_TABLES)
def test_cards_and_places_add_up_in_full_rounds(seats: int, packs: int) -> None:
    """The same with the whole deck dealt."""
    check_invariants(seats, random_states(*full_round(seats, packs, f"sums {seats} {packs}")))


def wrong_actions(state: Round) -> list[Action]:
    """Return actions of every kind and seat, most of them refused: sets, unsorted sets, mixtures, straights."""
    faces = [0, 1, 17, 35, 50, 51]
    hand = hand_cards(state.hands[state.turn])
    cards = [bytes(two) for two in combinations(faces, 2)] + [hand[:size] for size in range(1, 5)] + [hand[::-1]]
    found = [pass_action(seat) for seat in range(len(state.hands))]
    for seat in {state.turn, (state.turn + 1) % len(state.hands)}:
        found += [play_action(kind, seat, one) for one in cards if one for kind in (SET, BIG_SET, STRAIGHT)]
    return found


@settings(deadline=None, max_examples=40)
@given(setups(most=4))
def test_a_refused_action_changes_nothing(setup: Setup) -> None:
    """An action with a fault leaves every part of the state as it was; `step` returns what `fault` says."""
    for state, _ in setup.states():
        before = snapshot(state)
        for action in wrong_actions(state):
            code = state.fault(action)
            if code is not None:
                assert state.step(action) is code
        assert snapshot(state) == before


@settings(deadline=None, max_examples=60)
@given(setups())
def test_step_is_fault_and_apply(setup: Setup) -> None:
    """A sound action does the same through `step` as through `apply`."""
    other = setup.round()
    for state, action in setup.states():
        assert snapshot(other) == snapshot(state)
        assert other.step(action) is None
    assert other.over


@settings(deadline=None, max_examples=60)
@given(setups())
def test_places_of_actions(setup: Setup) -> None:
    """Tricks and plays count from 1, a pass is a play, and a play with an empty pile begins a trick."""
    trick, number = 0, 0
    for state, _ in setup.states():
        trick, number = (trick + 1, 1) if not state.count else (trick, number + 1)
        assert (state.trick, state.play) == (trick, number)


@settings(deadline=None, max_examples=60)
@given(setups(), st.permutations(range(4)))
def test_suits_decide_nothing(setup: Setup, suits: list[int]) -> None:
    """With the suits of all cards exchanged, the same round is played to the same finishing order."""

    def swapped(cards: bytes) -> bytes:
        return bytes(sorted(face - face % 4 + suits[face % 4] for face in cards))

    other = setup._replace(hands=[swapped(hand) for hand in setup.hands]).round()
    for state, action in setup.states():
        assert len(legal_actions(other)) == len(legal_actions(state))
        again = pass_action(action.seat) if action.kind == PASS else set_action(action.seat, swapped(action.cards))
        assert other.step(again) is None
    assert other.finishing == setup.end().finishing


@settings(deadline=None, max_examples=60)
@given(setups())
def test_seat_numbers_decide_nothing(setup: Setup) -> None:
    """Only the seating counts: seats renumbered along it play the same round."""
    place = {seat: number for number, seat in enumerate(setup.seating)}
    hands = [setup.hands[seat] for seat in setup.seating]
    other = Round(LAW, range(len(hands)), [count_hand(hand) for hand in hands], place[setup.leader])
    for action in setup.history():
        assert other.step(replace(action, seat=place[action.seat])) is None
    assert other.finishing == [place[seat] for seat in setup.end().finishing]


# --- every fault, and which of two comes first

HANDS = ("9c 9d 5h 6h 2s", "6c 6d Jc Jd Qh Qs 3c 4c 5c", "7c 8c", "2h")  # seat 1 answers a pair of nines


def follow() -> Round:
    """Return a round with a pair of nines on the pile and seat 1 on turn."""
    return played(start(*HANDS), (0, "9c 9d"))


def follow_one() -> Round:
    """Return a round with a nine on the pile, seat 1 on turn and seat 0 still holding its fellow."""
    return played(start(*HANDS), (0, "9c"))


def lead() -> Round:
    """Return the same round with seat 1 leading."""
    return start(*HANDS, leader=1)


def equal() -> Round:
    """Return a round with a nine on the pile and seat 1 holding another."""
    return played(start("9c Kc", "9d 9h", "2c"), (0, "9c"))


def over() -> Round:
    """Return a round of three that is over, with seat 2 holding a king and a seven."""
    return played(start("3c", "4c", "7c Kc"), (0, "3c"), (1, "4c"))


FAULTS: Mapping[str, tuple[Callable[[], Round], Action, Code]] = {
    "round over": (over, play(2, "7c"), Code.ROUND_OVER),
    "round over, pass": (over, play(2, "-"), Code.ROUND_OVER),
    "out of turn": (follow, play(0, "2s"), Code.TURN),
    "out of turn, pass": (follow, play(2, "-"), Code.TURN),
    "pass on the lead": (lead, play(1, "-"), Code.PASS_ON_LEAD),
    "not held": (follow, play(1, "Kc Kd"), Code.NOT_HELD),
    "one of them not held": (follow, play(1, "Jc Js"), Code.NOT_HELD),
    "one card twice": (follow, play(1, "Jc Jc"), Code.NOT_HELD),
    "not one rank": (follow, play(1, "Jd Qh"), Code.NOT_A_SET),
    "not one rank, led": (lead, play(1, "6c 6d Jc"), Code.NOT_A_SET),
    "falling": (follow, play(1, "Jd Jc"), Code.ENCODING),
    "falling, led": (lead, play(1, "6d 6c"), Code.ENCODING),
    "two cards as a big set": (follow, big(1, "Jc Jd"), Code.ENCODING),
    "one card as a big set": (lead, big(1, "Jc"), Code.ENCODING),
    "straight": (lead, straight(1, "3c 4c 5c"), Code.STRAIGHT),
    "straight of one rank": (lead, straight(1, "6c 6d"), Code.STRAIGHT),
    "one card on two": (follow, play(1, "Jc"), Code.COUNT),
    "lower": (follow, play(1, "6c 6d"), Code.TOO_LOW),
    "equal": (equal, play(1, "9d"), Code.TOO_LOW),
    # two faults: the first step that fails is the one reported
    "over, not of turn": (over, play(0, "3c"), Code.ROUND_OVER),
    "over, not held": (over, play(2, "2c"), Code.ROUND_OVER),
    "over, straight": (over, straight(2, "3c 4c 5c"), Code.ROUND_OVER),
    "turn, pass on the lead": (lead, play(0, "-"), Code.TURN),
    "turn, not held": (follow, play(2, "2c"), Code.TURN),
    "turn, not a set": (follow, play(2, "7c 8c"), Code.TURN),
    "turn, encoding": (follow, big(2, "7c"), Code.TURN),
    "turn, straight": (follow, straight(2, "7c 8c 9c"), Code.TURN),
    "turn, count": (follow, play(2, "7c"), Code.TURN),
    "turn, too low": (follow, play(0, "5h 6h"), Code.TURN),
    "not held, not a set": (follow, play(1, "Jc Kc"), Code.NOT_HELD),
    "not held, falling": (follow, play(1, "Kd Kc"), Code.NOT_HELD),
    "not held, big set": (follow, big(1, "Kc Kd"), Code.NOT_HELD),
    "not held, straight": (follow, straight(1, "3c 4c 5d"), Code.NOT_HELD),
    "not held, count": (follow, play(1, "Kc"), Code.NOT_HELD),
    "not held, too low": (follow, play(1, "4d 4h"), Code.NOT_HELD),
    "not a set, falling": (follow, play(1, "Qh Jc"), Code.NOT_A_SET),
    "not a set, big set": (follow, big(1, "Jc Qh"), Code.NOT_A_SET),
    "not a set, count": (follow, play(1, "Jc Jd Qh"), Code.NOT_A_SET),
    "not a set, too low": (follow, play(1, "3c 4c"), Code.NOT_A_SET),
    "straight, falling": (follow, straight(1, "5c 4c 3c"), Code.STRAIGHT),
    "straight, not in a row": (follow, straight(1, "3c 6c Jc"), Code.STRAIGHT),
    "straight, count": (follow, straight(1, "3c 4c 5c"), Code.STRAIGHT),
    "falling, count": (follow_one, play(1, "Jd Jc"), Code.ENCODING),
    "falling, too low": (follow, play(1, "6d 6c"), Code.ENCODING),
    "big set, count": (follow, big(1, "Qh"), Code.ENCODING),
    "big set, too low": (follow, big(1, "6c 6d"), Code.ENCODING),
    "count, too low": (follow, play(1, "3c"), Code.COUNT),
}
PLAY_CODES = {
    Code.ROUND_OVER,
    Code.TURN,
    Code.PASS_ON_LEAD,
    Code.NOT_HELD,
    Code.NOT_A_SET,
    Code.ENCODING,
    Code.STRAIGHT,
    Code.COUNT,
    Code.TOO_LOW,
}


@pytest.mark.parametrize(("make", "action", "code"), FAULTS.values(), ids=list(FAULTS))
def test_the_first_fault_is_reported(make: Callable[[], Round], action: Action, code: Code) -> None:
    """An action gets the code of the first step that it fails, and is not carried out."""
    state = make()
    before = snapshot(state)
    assert state.fault(action) is code
    assert state.step(action) is code
    assert snapshot(state) == before


def test_every_play_code_is_reachable() -> None:
    """The examples above meet every code that a play can have, and no other."""
    assert {code for _, _, code in FAULTS.values()} == PLAY_CODES


@settings(deadline=None, max_examples=60)
@given(setups(most=4))
def test_faults_stand_in_order(setup: Setup) -> None:
    """Whatever is tried, the code is that of the first step that fails, recomputed from the state alone."""
    for state, _ in setup.states():
        held = Counter(hand_cards(state.hands[state.turn]))
        for action in wrong_actions(state):
            cards = action.cards
            steps = {
                Code.TURN: action.seat != state.turn,
                Code.PASS_ON_LEAD: action.kind == PASS and not state.count,
                Code.NOT_HELD: bool(Counter(cards) - held),
                Code.STRAIGHT: action.kind == STRAIGHT,
                Code.NOT_A_SET: len({face // 4 for face in cards}) > 1,
                Code.ENCODING: list(cards) != sorted(cards) or action.kind == BIG_SET,
                Code.COUNT: action.kind != PASS and bool(state.count) and len(cards) != state.count,
                Code.TOO_LOW: action.kind != PASS and bool(state.count) and max(cards) // 4 <= state.rank,
            }
            assert state.fault(action) is next((code for code, failed in steps.items() if failed), None)


def test_a_fault_before_is_no_fault_after() -> None:
    """What was refused is judged anew: the same card is too low on a king, and good in the next trick."""
    state = played(start("Kc 3c", "5c 6c", "4c 4d"), (0, "Kc"))
    assert state.step(play(1, "5c")) is Code.TOO_LOW
    played(state, (1, "-"), (2, "-"), (0, "3c"), (1, "5c"))


# --- faults that other implementations had


def test_fault_1_one_card_listed_twice_is_no_pair() -> None:
    """Fault 1: who holds one nine of spades does not hold a pair of it; with two packs two copies are one."""
    assert start("9s 3c", "4c", "5c").fault(play(0, "9s 9s")) is Code.NOT_HELD
    assert start("9s 9s", "4c", "5c").fault(play(0, "9s 9s")) is None
    assert start("9s 9s", "4c", "5c").fault(play(0, "9s 9s 9s")) is Code.NOT_HELD


def test_fault_2_a_played_card_is_gone() -> None:
    """Fault 2: a card played is not played again two tricks later."""
    state = played(start("Ac 3c 4c 5c", "6c 7c", "8c 9c"), (0, "Ac"), (1, "-"), (2, "-"))
    played(state, (0, "3c"), (1, "7c"), (2, "-"), (0, "-"), (1, "6c"), (2, "-"))
    assert state.fault(play(0, "Ac")) is Code.NOT_HELD


def test_fault_3_a_card_of_another_seat() -> None:
    """Fault 3: a card that another seat holds is not played."""
    assert start("3c", "4c", "5c").fault(play(0, "4c")) is Code.NOT_HELD


def test_fault_4_the_other_copy_stays() -> None:
    """Fault 4: with two packs, playing one eight of spades leaves its copy in the hand."""
    state = played(start("8s 8s 3c", "4c 4d", "5c 5d"), (0, "8s"))
    assert hand_cards(state.hands[0]) == parse_cards("3c 8s")
    assert state.sizes == [2, 2, 2]
    played(state, (1, "-"), (2, "-"))
    assert state.fault(play(0, "8s 8s")) is Code.NOT_HELD
    assert state.fault(play(0, "8s")) is None


def test_fault_5_a_play_is_compared_with_the_pile() -> None:
    """Fault 5: a pair of sixes does not go on a pair of nines, whoever holds it and however often it was passed."""
    state = played(start("9c 9d 3c", "6c 6d Kc", "6h 6s Kd"), (0, "9c 9d"))
    assert state.fault(play(1, "6c 6d")) is Code.TOO_LOW
    played(state, (1, "-"))
    assert state.fault(play(2, "6h 6s")) is Code.TOO_LOW


@pytest.mark.parametrize("seating", [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0)])
@pytest.mark.parametrize("place", range(4))
def test_fault_11_the_turn_stays_clockwise(seating: tuple[int, ...], place: int) -> None:
    """Fault 11: after a seat has gone out the next one clockwise is on turn, not the first in some list."""
    ring = seating[place:] + seating[:place]
    hands = ["5c 6c"] * 4
    hands[ring[0]] = "3c"
    state = played(start(*hands, leader=ring[0], seating=seating), (ring[0], "3c"))
    assert state.turn == ring[1]
    played(state, (ring[1], "-"), (ring[2], "-"))
    assert state.turn == ring[3]


def test_fault_12_a_seat_that_passed_is_asked_again() -> None:
    """Fault 12: a pass locks nobody out; when play comes round in the same trick, the seat may play."""
    state = played(start("3c 4c", "7c 8c", "5c 6c"), (0, "3c"), (1, "-"), (2, "5c"), (0, "-"))
    assert (state.turn, state.trick) == (1, 1)
    assert state.fault(play(1, "7c")) is None
    assert state.fault(play(1, "-")) is None


def test_fault_13_a_seat_that_is_out_has_no_turn() -> None:
    """Fault 13: who went out is never on turn again, and cannot pass."""
    state = played(start("5c", "3c 6c", "4c 7c", "3d 8c"), (0, "5c"))
    for action in ((1, "-"), (2, "7c"), (3, "-"), (1, "-"), (2, "4c")):
        assert state.fault(play(0, "-")) is Code.TURN
        if not state.over:
            played(state, action)


@settings(deadline=None, max_examples=60)
@given(setups(), st.data())
def test_fault_14_a_missing_pass_is_found_where_it_is_missing(setup: Setup, data: st.DataObject) -> None:
    """Fault 14: with one pass taken out of a sound round, the fault is at its index and not later."""
    history = setup.history()
    passes = [index for index, action in enumerate(history) if action.kind == PASS]
    if not passes:
        return
    missing = data.draw(st.sampled_from(passes))
    state = setup.round()
    codes = [state.step(action) for action in history[:missing] + history[missing + 1 : missing + 2]]
    assert codes == [None] * missing + [Code.TURN]


def test_fault_17_the_closest_holder_leads_after_an_out_player() -> None:
    """Fault 17: when the winner is out, the lead goes to the next holder clockwise, not to one further round."""
    state = played(start("3c 5d", "4c 4d", "5c 9c", "6c 6d"), (0, "3c"), (1, "-"), (2, "5c"), (3, "6c"))
    played(state, (0, "-"), (1, "-"), (2, "9c"), (3, "-"), (0, "-"), (1, "-"))
    assert state.turn == 3
    assert state.count == 0
    # the next clockwise is out as well: the one after leads, although it passed
    other = played(start("3c Ac", "Kc", "4c 5c", "4d 5d"), (0, "3c"), (1, "Kc"), (2, "-"), (3, "-"), (0, "Ac"))
    played(other, (2, "-"), (3, "-"))
    assert other.turn == 2
    assert other.fault(play(2, "-")) is Code.PASS_ON_LEAD


def test_fault_19_a_two_as_the_only_card() -> None:
    """Fault 19: a two may be the last card; on the lead there is always something to play."""
    state = start("2s", "3c 4c", "5c 6c")
    assert legal_actions(state) == [play(0, "2s")]
    played(state, (0, "2s"))
    assert state.finishing == [0]


def test_fault_21_the_last_holder_is_last() -> None:
    """Fault 21: the one who still holds cards has the last place, without playing them."""
    state = played(start("3c", "Ac 4c", "2c Kc"), (0, "3c"), (1, "4c"), (2, "Kc"), (1, "Ac"))
    assert state.over
    assert state.finishing == [0, 1, 2]
    assert state.sizes == [0, 0, 1]


# --- the trick


@settings(deadline=None, max_examples=80)
@given(setups())
def test_a_trick_ends_by_passes_in_a_row(setup: Setup) -> None:
    """A trick ends exactly when every holder but the last player has passed since the last play."""
    passes: list[int] = []
    last = None
    for state, action in setup.states():
        holders = {seat for seat, size in enumerate(state.sizes) if size}
        ended = last is not None and set(passes) == holders - {last}
        assert (state.count == 0) == (ended or last is None)
        assert len(passes) == len(set(passes))
        if ended:
            assert last is not None
            ring = [*setup.seating, *setup.seating]
            at = ring.index(last)
            assert action.seat == next(seat for seat in ring[at:] if seat in holders)
        if action.kind == PASS:
            passes.append(action.seat)
        else:
            passes, last = [], action.seat


@settings(deadline=None, max_examples=60)
@given(setups())
def test_turns_go_clockwise(setup: Setup) -> None:
    """Within a trick the turn goes to the next holder along the seating."""
    history = [(action, state.trick, list(state.sizes)) for state, action in setup.states()]
    for (action, trick, _), (following, next_trick, sizes) in pairwise(history):
        if trick == next_trick:
            at = setup.seating.index(action.seat) + 1
            ring = setup.seating[at:] + setup.seating[:at]
            assert following.seat == next(seat for seat in ring if sizes[seat])


def test_everyone_answers_an_out_player() -> None:
    """After a last card all who hold cards still have a turn, the one before the out-player too."""
    state = played(start("3c 7c", "9c", "4c 5c", "8c Tc"), (0, "3c"), (1, "9c"))
    assert [state.turn, state.waiting, state.trick] == [2, 3, 1]
    played(state, (2, "-"), (3, "-"))
    assert [state.turn, state.waiting, state.trick] == [0, 1, 1]
    played(state, (0, "-"))
    assert [state.turn, state.count, state.trick, state.play] == [2, 0, 2, 1]


def test_a_play_opens_all_passes_again() -> None:
    """Passes before the last play do not count towards the end of a trick."""
    state = played(start("3c 4c", "5c 6c", "7c 8c", "9c Tc"), (0, "3c"), (1, "-"), (2, "-"), (3, "9c"))
    played(state, (0, "-"), (1, "-"))
    assert state.count == 1
    played(state, (2, "-"))
    assert [state.turn, state.count] == [3, 0]


# --- an engine of its own, written from the rules page: cards are texts, a table is a dict, nothing is shared

LOW_TO_HIGH = "3456789TJQKA2"
Table = dict[str, Any]
Move = tuple[str, ...]  # the cards of a play, sorted as texts; empty for a pass


def new_table(hands: Sequence[Sequence[str]], seating: Sequence[int], leader: int) -> Table:
    """Return a table before the first play."""
    return {
        "hands": {seat: sorted(hand) for seat, hand in enumerate(hands)},
        "seating": list(seating),
        "turn": leader,
        "pile": (),
        "owner": None,
        "passed": [],
        "places": [],
    }


def moves(table: Table) -> set[Move]:
    """Return all lawful moves: off the lead a pass, and sets of the pile's count in a higher rank."""
    if table["turn"] is None:
        return set()
    hand, pile = table["hands"][table["turn"]], table["pile"]
    found: set[Move] = {()} if pile else set()
    for height, rank in enumerate(LOW_TO_HIGH):
        of_rank = [card for card in hand if card[0] == rank]
        if pile and height <= LOW_TO_HIGH.index(pile[0][0]):
            continue
        for size in [len(pile)] if pile else range(1, len(of_rank) + 1):
            found.update(combinations(of_rank, size))
    return found


def after(table: Table, cards: Move) -> Table:
    """Return the table after a lawful move."""
    seat, seating = table["turn"], table["seating"]
    hands = {one: list(hand) for one, hand in table["hands"].items()}
    now: Table = {**table, "hands": hands, "passed": [*table["passed"]], "places": [*table["places"]]}
    for card in cards:
        hands[seat].remove(card)
    if cards:
        now |= {"pile": cards, "owner": seat, "passed": []}
    else:
        now["passed"].append(seat)
    if not hands[seat]:
        now["places"].append(seat)
    holders = [one for one in seating if hands[one]]
    if len(holders) == 1:
        return now | {"places": [*now["places"], holders[0]], "turn": None}
    if all(one in now["passed"] for one in holders if one != now["owner"]):
        at = seating.index(now["owner"])  # the winner leads, or the first holder clockwise from there
        now |= {"pile": (), "owner": None, "passed": []}
    else:
        at = seating.index(seat) + 1
    now["turn"] = next(one for one in [*seating[at:], *seating] if one in holders)
    return now


def move_of(action: Action) -> Move:
    """Return an action as the other engine writes it."""
    return tuple(sorted(CARD_NAMES[face] for face in action.cards))


def action_of(seat: int, move: Move) -> Action:
    """Return a move of the other engine as an action."""
    return set_action(seat, bytes(sorted(parse_cards(" ".join(move))))) if move else pass_action(seat)


def table_of(state: Round, seating: Sequence[int]) -> Table:
    """Return a round that has just begun as the other engine holds it."""
    return new_table([[CARD_NAMES[face] for face in hand_cards(hand)] for hand in state.hands], seating, state.turn)


def follow_along(state: Round, table: Table, action: Action) -> Table:
    """Check that both engines agree before an action, and return the other's table after it."""
    assert table["turn"] == state.turn == action.seat
    assert moves(table) == {move_of(one) for one in legal_actions(state)}
    assert len(moves(table)) == len(legal_actions(state))
    assert len(table["pile"]) == state.count
    assert table["places"] == state.finishing
    return after(table, move_of(action))


@settings(deadline=None, max_examples=120)
@given(setups(most=6))
def test_two_engines_agree(setup: Setup) -> None:
    """An engine that shares no code with this one has the same legal moves, turns and places all round long."""
    table = table_of(setup.round(), setup.seating)
    for state, action in setup.states():
        table = follow_along(state, table, action)
    assert table["turn"] is None
    assert table["places"] == setup.end().finishing


@pytest.mark.parametrize(("seats", "packs"), FULL_TABLES)
def test_two_engines_agree_in_full_rounds(seats: int, packs: int) -> None:
    """The same with the whole deck dealt."""
    for number in range(2):
        state, draws = full_round(seats, packs, f"engines {seats} {packs} {number}")
        table = table_of(state, range(seats))
        for _, action in random_states(state, draws):
            table = follow_along(state, table, action)
        assert table["places"] == state.finishing


def perft(state: Round, depth: int) -> int:
    """Return how many histories of exactly `depth` actions go on from `state`."""
    legal = legal_actions(state)
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        other = state.copy()
        other.apply(action)
        total += perft(other, depth - 1)
    return total


def other_perft(table: Table, depth: int) -> int:
    """Return the same count by the other engine."""
    if depth == 1:
        return len(moves(table))
    return sum(other_perft(after(table, move), depth - 1) for move in moves(table))


class Counts(NamedTuple):
    """A deal with its number of histories of 1, 2, 3 … actions; `seating` is by number of seat unless given."""

    hands: tuple[str, ...]
    counts: tuple[int, ...]
    leader: int = 0
    seating: tuple[int, ...] = ()


PERFT: Mapping[str, Counts] = {
    "three seats, nine ranks": Counts(("3c 5c 7c", "4c 6c 8c", "9c Jc Kc"), (3, 9, 36, 43, 66, 210, 225)),
    "three seats, pairs": Counts(("3c 3d 9c 9d", "5c 5d Jc Jd", "7c 7d 2c 2d"), (6, 21, 72, 123, 315, 1059)),
    "three seats, all of a rank": Counts(("3c 3d 3h 3s", "4c 4d 4h 4s", "5c 5d 5h 5s"), (15, 84, 496, 545, 1016, 4544)),
    "three seats, copies of two packs": Counts(
        ("3c 3c 8s 8s", "8s 8d 8d 2h", "4c 4c 4d 2h"), (6, 10, 23, 40, 57, 146, 224), leader=2
    ),
    "three seats, to the end": Counts(("3c 6c", "4c 4d", "5c 2c"), (2, 4, 11, 16, 18, 34, 44, 40, 27, 12, 0)),
    "four seats, equal hands": Counts(
        ("3c 3d 7c", "3h 3s 7d", "5c 5d 7h", "5h 5s 7s"), (4, 11, 22, 32, 44, 69, 114), leader=1
    ),
    "five seats, seated by rank": Counts(
        ("3c 8c", "4c 9c", "5c 5d", "6c Jc", "3d 3h"), (3, 7, 16, 42, 66, 67, 118), leader=4, seating=(3, 0, 4, 1, 2)
    ),
    "six seats, two packs": Counts(
        ("3c 3c", "4c 4d", "5c 5c", "6c 7c", "3d Ac", "2c 2c"), (2, 2, 2, 2, 2, 2, 3, 6, 11, 23), leader=5
    ),
    "eight seats, a card each": Counts(
        ("Ac", "4c", "5c", "6c", "7c", "8c", "9c", "3c"), (1, 2, 3, 5, 9, 17, 33, 65, 126), leader=7
    ),
    "four seats, thirteen cards": Counts(
        (
            "3c 7c Jc 2c 6d Td Ad 5h 9h Kh 4s 8s Qs",
            "4c 8c Qc 3d 7d Jd 2d 6h Th Ah 5s 9s Ks",
            "5c 9c Kc 4d 8d Qd 3h 7h Jh 2h 6s Ts As",
            "6c Tc Ac 5d 9d Kd 4h 8h Qh 3s 7s Js 2s",
        ),
        (13, 91, 455, 1820, 6253),
    ),
}


@pytest.mark.parametrize("deal", PERFT.values(), ids=list(PERFT))
def test_perft(deal: Counts) -> None:
    """The numbers of lawful histories of a fixed deal are these, counted by both engines."""
    seating = deal.seating or tuple(range(len(deal.hands)))
    state = start(*deal.hands, leader=deal.leader, seating=seating)
    table = table_of(state, seating)
    depths = range(1, len(deal.counts) + 1)
    assert tuple(perft(state, depth) for depth in depths) == deal.counts
    assert tuple(other_perft(table, depth) for depth in depths) == deal.counts


@settings(deadline=None, max_examples=25)
@given(setups(most=3), st.integers(1, 4))
def test_perft_of_any_deal(setup: Setup, depth: int) -> None:
    """Both engines count the same histories of any small deal."""
    state = setup.round()
    assert perft(state, depth) == other_perft(table_of(state, setup.seating), depth)


@settings(deadline=None, max_examples=40)
@given(setups(most=4))
def test_the_same_history_both_ways(setup: Setup) -> None:
    """A whole history that one engine allows is allowed by the other, move for move, in either direction."""
    state = setup.round()
    table = table_of(state, setup.seating)
    number = 0
    while table["turn"] is not None:
        lawful = sorted(moves(table))
        move = lawful[setup.choices[number] % len(lawful) if number < len(setup.choices) else 0]
        assert state.step(action_of(table["turn"], move)) is None
        table = after(table, move)
        number += 1
    assert state.over
    assert state.finishing == table["places"]
