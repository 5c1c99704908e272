"""What a seat sees of a round: its own cards, what is public, and nothing that leads back to the others' hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.cards import FACES, fresh_cards
from fairdeal.draws import Draws
from fairdeal.hands import count_hand, hand_cards
from fairdeal.legal import legal_actions
from fairdeal.play import Round
from fairdeal.view import Seen, seen_by
from tests.random_rules import played_at_random, random_round, random_rules
from tests.strategies import octets

DRAWS = octets(32).map(Draws)
SEATS = st.integers(3, 8)
few = settings(max_examples=25, deadline=None)


def rounds(draws: Draws, seats: int, size: int | None = None) -> Iterator[Round]:
    """Yield some states of a round under random rules, of one pack or two, played at random."""
    state, _ = random_round(draws, random_rules(draws, seats), seats, size)
    for number, (before, _) in enumerate(played_at_random(state, draws)):
        if number % 4 == 0:
            yield before


def public(state: Round) -> dict[str, Any]:
    """Return a deep copy of everything in a round but hands and rules."""
    return {slot: deepcopy(getattr(state, slot)) for slot in Round.__slots__ if slot not in {"law", "hands"}}


@given(DRAWS, SEATS)
@few
def test_a_seat_sees_its_own_hand_and_no_other(draws: Draws, seats: int) -> None:
    """All other hands are empty; what is public is as it was, and so are the seat's own cards."""
    for state in rounds(draws, seats, draws.choose([None, 5])):
        for seat in range(seats):
            seen = seen_by(state, seat)
            assert seen.seat == seat
            assert seen.state.hands[seat] == state.hands[seat]
            assert all(not any(hand) for one, hand in enumerate(seen.state.hands) if one != seat)
            assert all(len(hand) == FACES for hand in seen.state.hands)
            assert public(seen.state) == public(state)
            assert seen.state.law is state.law


@given(DRAWS, SEATS)
@few
def test_what_is_unseen_can_be_counted_by_anybody(draws: Draws, seats: int) -> None:
    """It is the deck without the own hand and all that was played, copies of two packs counted."""
    rules = random_rules(draws, seats)
    state, _ = random_round(draws, rules, seats)
    played = Counter[int]()
    deck = Counter(fresh_cards(rules.packs, rules.jokers_per_pack))
    for before, action in played_at_random(state, draws):
        for seat in {before.turn, draws.below(seats)}:
            left = deck - played - Counter(hand_cards(before.hands[seat]))
            seen = seen_by(before, seat)
            assert Counter(hand_cards(seen.unseen)) == left
            assert sum(seen.unseen) == sum(before.sizes) - before.sizes[seat]
            assert len(seen.unseen) == FACES
        played.update(action.cards)


@given(DRAWS, SEATS)
@few
def test_hands_that_others_exchange_unseen_change_nothing(draws: Draws, seats: int) -> None:
    """Two rounds that differ only in who of the others holds what look the same to a seat."""
    for state in rounds(draws, seats, draws.choose([None, 5])):
        seat = draws.below(seats)
        others = [one for one in range(seats) if one != seat]
        mixed = [face for one in others for face in hand_cards(state.hands[one])]
        other = state.copy()
        for one in others:
            other.hands[one] = count_hand(bytes(mixed.pop(draws.below(len(mixed))) for _ in range(state.sizes[one])))
        assert everything(seen_by(other, seat)) == everything(seen_by(state, seat))


def everything(seen: Seen) -> tuple[Any, ...]:
    """Return all that a seat is handed, as values that can be compared."""
    return seen.seat, seen.unseen, seen.state.hands, public(seen.state)


@given(DRAWS, SEATS)
@few
def test_nothing_is_shared_with_the_round(draws: Draws, seats: int) -> None:
    """Whatever a bot does to what it was handed, the round does not notice."""
    for state in rounds(draws, seats, 5):
        seen = seen_by(state, draws.below(seats))
        assert not {id(one) for one in mutable(seen.state)} & {id(one) for one in mutable(state)}
        kept = deepcopy((public(state), state.hands))
        spoil(seen.state)
        assert (public(state), state.hands) == kept


def mutable(state: Round) -> list[list[Any] | bytearray]:
    """Return everything in a round that can be changed in place."""
    held = [*state.hands, *(getattr(state, slot) for slot in Round.__slots__)]
    return [one for one in held if isinstance(one, list | bytearray)]


def spoil(state: Round) -> None:
    """Change everything in a round that can be changed in place."""
    for one in mutable(state):
        if isinstance(one, bytearray):
            one[:] = bytes(9 for _ in one)
        else:
            one.clear()


@given(DRAWS, SEATS)
@few
def test_what_the_seat_on_turn_may_do_is_seen(draws: Draws, seats: int) -> None:
    """Its lawful actions follow from its own hand and what is public."""
    for state in rounds(draws, seats, draws.choose([None, 5])):
        assert legal_actions(seen_by(state, state.turn).state) == legal_actions(state)
