"""The exchange: who owes what, which cards a tribute may be, and that no card is lost on the way."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import replace
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.cards import FACES, parse_cards
from fairdeal.codes import Code
from fairdeal.deal import deal_hands
from fairdeal.exchange import Exchanging, Swap, best_cards, ranks, swaps_due
from fairdeal.hands import count_hand, hand_cards
from fairdeal.play import Round
from fairdeal.records import Action, Exchange, set_action
from fairdeal.ruleset import load_preset
from fairdeal.settings import Rules
from tests.strategies import LAW

PRESIDENT = load_preset("president")

# seat 2 is president and seat 1 peasant, seat 0 vice president and seat 3 vice peasant
FINISHING = (2, 0, 3, 1)
HANDS = ("3c 4c 5c 6c", "2s 2h Ac 9d 7c", "3d 3h 8c Kd", "Qs Jd Jh Th")
TOP_TRIBUTE = (1, 2, "2h 2s")
VICE_TRIBUTE = (3, 0, "Qs")
TOP_RETURN = (2, 1, "3d 3h")
VICE_RETURN = (0, 3, "3c")


def gift(giver: int, receiver: int, cards: str) -> Exchange:
    """Return a gift of the cards written, in the order written."""
    return Exchange(giver, receiver, parse_cards(cards))


def exchanging(*done: tuple[int, int, str], hands: tuple[str, ...] = HANDS, rules: Rules | None = None) -> Exchanging:
    """Return an exchange of the four seats above after these gifts, none of which has a fault."""
    due = swaps_due(rules or PRESIDENT.resolve(4), FINISHING)
    state = Exchanging([count_hand(parse_cards(hand)) for hand in hands], due)
    for one in done:
        assert state.fault(gift(*one)) is None
        state.apply(gift(*one))
    return state


def rules_of(seats: int, top: int, vice: int) -> Rules:
    """Return the rules of a table with this many cards exchanged."""
    return replace(PRESIDENT.resolve(seats), exchange_top=top, exchange_vice=vice)


# --- what is due


@pytest.mark.parametrize("seats", range(4, 9))
def test_four_gifts_are_due_in_order(seats: int) -> None:
    """From four seats on: top tribute, vice tribute, then both returns; the seats between exchange nothing."""
    finishing = tuple(range(seats))[::-1]
    top, second, *_, before_last, last = finishing
    assert swaps_due(PRESIDENT.resolve(seats), finishing) == [
        Swap(last, top, 2, tribute=True),
        Swap(before_last, second, 1, tribute=True),
        Swap(top, last, 2, tribute=False),
        Swap(second, before_last, 1, tribute=False),
    ]


@pytest.mark.parametrize("vice", [0, 1])
def test_three_seats_have_no_vices(vice: int) -> None:
    """With three seats only first and last exchange."""
    assert swaps_due(rules_of(3, 2, vice), (1, 2, 0)) == [
        Swap(0, 1, 2, tribute=True),
        Swap(1, 0, 2, tribute=False),
    ]


@pytest.mark.parametrize("seats", range(3, 9))
def test_exchange_off(seats: int) -> None:
    """With no cards to exchange nothing is due, and any gift is unexpected."""
    assert swaps_due(rules_of(seats, 0, 0), tuple(range(seats))) == []
    state = Exchanging([count_hand(b"\0\1\2") for _ in range(seats)], [])
    assert state.fault(Exchange(seats - 1, 0, b"\1\2")) is Code.EXCHANGE_UNEXPECTED


@pytest.mark.parametrize("seats", [4, 8])
def test_no_vices_from_few_seats(seats: int) -> None:
    """Where the vices exchange nothing, only the top gifts are due."""
    assert [swap.size for swap in swaps_due(rules_of(seats, 3, 0), tuple(range(seats)))] == [3, 3]


@settings(deadline=None)
@given(st.integers(3, 8), st.integers(0, 6), st.integers(0, 6), st.data())
def test_due_gifts_balance(seats: int, top: int, vice: int, data: st.DataObject) -> None:
    """Every tribute has its return: the same two seats and as many cards the other way; nobody gives twice."""
    finishing = data.draw(st.permutations(range(seats)))
    due = swaps_due(rules_of(seats, top, vice), finishing)
    tributes, returns = due[: len(due) // 2], due[len(due) // 2 :]
    assert all(swap.tribute and swap.size > 0 for swap in tributes)
    assert returns == [Swap(swap.receiver, swap.giver, swap.size, tribute=False) for swap in tributes]
    assert len({swap.giver for swap in due}) == len(due)
    assert all(finishing.index(swap.receiver) < finishing.index(swap.giver) for swap in tributes)


# --- the order of gifts


def test_a_whole_exchange() -> None:
    """Both tributes and both returns move the cards between hands, and nothing is due afterwards."""
    state = exchanging(TOP_TRIBUTE, VICE_TRIBUTE, TOP_RETURN, VICE_RETURN)
    expected = ("4c 5c 6c Qs", "3d 3h 7c 9d Ac", "8c Kd 2h 2s", "3c Th Jd Jh")
    assert [hand_cards(hand) for hand in state.hands] == [bytes(sorted(parse_cards(cards))) for cards in expected]
    assert state.due == []
    assert state.fault(gift(2, 1, "8c Kd")) is Code.EXCHANGE_UNEXPECTED


def test_returns_in_either_order() -> None:
    """The two returns may be made in either order and come to the same hands."""
    one = exchanging(TOP_TRIBUTE, VICE_TRIBUTE, TOP_RETURN, VICE_RETURN)
    other = exchanging(TOP_TRIBUTE, VICE_TRIBUTE, VICE_RETURN, TOP_RETURN)
    assert one.hands == other.hands


@pytest.mark.parametrize("order", list(permutations([TOP_TRIBUTE, VICE_TRIBUTE, TOP_RETURN, VICE_RETURN])))
def test_only_two_orders_are_lawful(order: tuple[tuple[int, int, str], ...]) -> None:
    """Of all orders of the four gifts only those with both tributes first, the top one in front, have no fault."""
    state = exchanging()
    codes = []
    for one in order:
        codes.append(state.fault(gift(*one)))
        if codes[-1] is None:
            state.apply(gift(*one))
    lawful = order[:2] == (TOP_TRIBUTE, VICE_TRIBUTE)
    assert (codes == [None] * 4) == lawful
    if not lawful:
        assert next(code for code in codes if code is not None) is Code.EXCHANGE_PARTIES


@pytest.mark.parametrize("giver", range(4))
@pytest.mark.parametrize("receiver", range(4))
def test_wrong_parties(giver: int, receiver: int) -> None:
    """The first gift is the last seat's to the president; any other two seats, or the way back, are refused."""
    expected = None if (giver, receiver) == (1, 2) else Code.EXCHANGE_PARTIES
    assert exchanging().fault(gift(giver, receiver, "2h 2s")) is expected


def test_a_return_is_made_once() -> None:
    """A return that was made is not due again, while the other still is."""
    state = exchanging(TOP_TRIBUTE, VICE_TRIBUTE, TOP_RETURN)
    assert state.fault(gift(2, 1, "8c Kd")) is Code.EXCHANGE_PARTIES
    assert state.fault(gift(*VICE_RETURN)) is None


# --- every fault, and which of two comes first

BEFORE_RETURNS = (TOP_TRIBUTE, VICE_TRIBUTE)
FAULTS: dict[str, tuple[tuple[tuple[int, int, str], ...], tuple[int, int, str], Code]] = {
    "too few": ((), (1, 2, "2s"), Code.EXCHANGE_COUNT),
    "too many": ((), (1, 2, "Ac 2h 2s"), Code.EXCHANGE_COUNT),
    "vice gives two": ((TOP_TRIBUTE,), (3, 0, "Jd Qs"), Code.EXCHANGE_COUNT),
    "return of one for two": (BEFORE_RETURNS, (2, 1, "3d"), Code.EXCHANGE_COUNT),
    "not held": ((), (1, 2, "2d 2s"), Code.NOT_HELD),
    "one card twice": ((), (1, 2, "2s 2s"), Code.NOT_HELD),
    "given away": (BEFORE_RETURNS, (0, 3, "4d"), Code.NOT_HELD),
    "unsorted tribute": ((), (1, 2, "2s 2h"), Code.ENCODING),
    "unsorted return": (BEFORE_RETURNS, (2, 1, "3h 3d"), Code.ENCODING),
    "not the best": ((), (1, 2, "Ac 2s"), Code.TRIBUTE),
    "the lowest": ((), (1, 2, "7c 9d"), Code.TRIBUTE),
    "vice not the best": ((TOP_TRIBUTE,), (3, 0, "Jh"), Code.TRIBUTE),
    # two faults
    "parties, size": ((), (2, 1, "3d"), Code.EXCHANGE_PARTIES),
    "parties, not held": ((), (3, 0, "2c"), Code.EXCHANGE_PARTIES),
    "parties, unsorted": (BEFORE_RETURNS, (2, 0, "3h 3d"), Code.EXCHANGE_PARTIES),
    "size, not held": ((), (1, 2, "2c"), Code.EXCHANGE_COUNT),
    "size, unsorted": ((), (1, 2, "2s 2h Ac"), Code.EXCHANGE_COUNT),
    "size, not the best": ((), (1, 2, "7c"), Code.EXCHANGE_COUNT),
    "not held, unsorted": ((), (1, 2, "2s 2c"), Code.NOT_HELD),
    "not held, not the best": ((), (1, 2, "4c Ac"), Code.NOT_HELD),
    "unsorted, not the best": ((), (1, 2, "2s Ac"), Code.ENCODING),
}


@pytest.mark.parametrize(("done", "wrong", "code"), FAULTS.values(), ids=list(FAULTS))
def test_the_first_fault_is_reported(
    done: tuple[tuple[int, int, str], ...], wrong: tuple[int, int, str], code: Code
) -> None:
    """A gift gets the code of the first check that it fails; judging it moves no card."""
    state = exchanging(*done)
    before = deepcopy((state.hands, state.due))
    assert state.fault(gift(*wrong)) is code
    assert (state.hands, state.due) == before


def test_every_exchange_code_is_reachable() -> None:
    """The examples of this file meet every code that a gift can have."""
    met = {code for _, _, code in FAULTS.values()} | {
        exchanging(*BEFORE_RETURNS, TOP_RETURN, VICE_RETURN).fault(gift(*TOP_RETURN))
    }
    assert met == {
        Code.EXCHANGE_UNEXPECTED,
        Code.EXCHANGE_PARTIES,
        Code.EXCHANGE_COUNT,
        Code.NOT_HELD,
        Code.ENCODING,
        Code.TRIBUTE,
    }


def test_a_wrong_tribute_changes_hands() -> None:
    """A tribute of other cards than the best is a fault, but carried out it moves its cards and is no longer due."""
    state = exchanging()
    wrong = gift(1, 2, "7c 9d")
    assert state.fault(wrong) is Code.TRIBUTE
    state.apply(wrong)
    assert hand_cards(state.hands[1]) == parse_cards("Ac 2h 2s")
    assert hand_cards(state.hands[2]) == parse_cards("3d 3h 7c 8c 9d Kd")
    assert state.fault(gift(*VICE_TRIBUTE)) is None


# --- the best cards

MANY_HANDS = st.lists(st.integers(0, FACES - 1), min_size=1, max_size=9).map(lambda cards: bytes(sorted(cards)))


@settings(deadline=None)
@given(MANY_HANDS, st.data())
def test_best_cards(hand: bytes, data: st.DataObject) -> None:
    """The best cards are held, ascending, of the highest ranks with jokers on top; of equals the lower suits."""
    count = data.draw(st.integers(1, len(hand)))
    best = best_cards(count_hand(hand), count)
    assert len(best) == count
    assert not Counter(best) - Counter(hand)
    assert list(best) == sorted(best)
    assert (
        sorted(best, key=lambda face: (-(face // 4), face))
        == sorted(hand, key=lambda face: (-(face // 4), face))[:count]
    )


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 51), min_size=2, max_size=9), st.integers(1, 3))
def test_tributes_are_all_best_choices(cards: list[int], size: int) -> None:
    """A tribute is right exactly where no card kept is higher than one given: any suit among equals, and no other."""
    hand = bytes(sorted(cards))
    size = min(size, len(hand))
    for given_cards in set(combinations(hand, size)):
        kept = list((Counter(hand) - Counter(given_cards)).elements())
        right = not kept or max(kept) // 4 <= min(given_cards) // 4
        state = Exchanging([count_hand(b"\0"), count_hand(hand)], [Swap(1, 0, size, tribute=True)])
        code = state.fault(Exchange(1, 0, bytes(given_cards)))
        assert code is (None if right else Code.TRIBUTE)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 51), min_size=2, max_size=9), st.integers(1, 3))
def test_returns_are_free(cards: list[int], size: int) -> None:
    """Any cards held are a right return, the best and the lowest alike."""
    hand = bytes(sorted(cards))
    size = min(size, len(hand))
    state = Exchanging([count_hand(hand), count_hand(b"\0")], [Swap(0, 1, size, tribute=False)])
    for given_cards in set(combinations(hand, size)):
        assert state.fault(Exchange(0, 1, bytes(given_cards))) is None


@settings(deadline=None)
@given(st.binary(max_size=6).map(lambda data: bytes(byte % FACES for byte in data)))
def test_ranks(cards: bytes) -> None:
    """The ranks of cards stand in the order of the cards."""
    assert ranks(cards) == [face // 4 for face in cards]


# --- nothing vanishes


@settings(deadline=None, max_examples=80)
@given(st.integers(3, 8), st.integers(1, 2), st.integers(0, 3), st.integers(0, 2), st.data())
def test_nothing_vanishes(seats: int, packs: int, top: int, vice: int, data: st.DataObject) -> None:
    """Whatever is lawfully given, all cards stay in the hands, no hand changes its size, and others' hands stay."""
    deck = data.draw(st.lists(st.integers(0, 52 * packs - 1), min_size=4 * seats, max_size=6 * seats, unique=True))
    finishing = data.draw(st.permutations(range(seats)))
    hands = [count_hand(cards) for cards in deal_hands(bytes(card // packs for card in deck), seats)]
    before = deepcopy(hands)
    state = Exchanging(hands, swaps_due(rules_of(seats, top, vice), finishing))
    parties = {seat for swap in state.due for seat in swap[:2]}
    while state.due:
        tribute = state.due[0].tribute
        swap = state.due[0] if tribute else data.draw(st.sampled_from(state.due))
        held = hand_cards(hands[swap.giver])
        picks = data.draw(st.permutations(range(len(held))))[: swap.size]
        cards = best_cards(hands[swap.giver], swap.size) if tribute else bytes(held[pick] for pick in sorted(picks))
        assert state.fault(Exchange(swap.giver, swap.receiver, cards)) is None
        state.apply(Exchange(swap.giver, swap.receiver, cards))
    assert [sum(hand) for hand in hands] == [sum(hand) for hand in before]
    assert [sum(face) for face in zip(*hands, strict=True)] == [sum(face) for face in zip(*before, strict=True)]
    assert all(hands[seat] == before[seat] for seat in range(seats) if seat not in parties)


# --- faults that other implementations had


def test_fault_3_a_card_that_was_given_away() -> None:
    """Fault 3: a card given away in the exchange is neither given again nor played by its former holder."""
    state = exchanging(TOP_TRIBUTE, VICE_TRIBUTE)
    assert state.fault(gift(2, 1, "Qs 2s")) is Code.NOT_HELD
    state = exchanging(TOP_TRIBUTE, VICE_TRIBUTE, TOP_RETURN, VICE_RETURN)
    former: Action = set_action(1, parse_cards("2s"))
    assert Round(LAW, range(4), state.hands, 1).fault(former) is Code.NOT_HELD
    assert Round(LAW, range(4), state.hands, 2).fault(replace(former, seat=2)) is None


def test_fault_22_the_president_returns_what_came() -> None:
    """Fault 22: the cards just received may be returned, and every hand is as it was."""
    before = exchanging()
    state = exchanging(TOP_TRIBUTE, VICE_TRIBUTE, (0, 3, "Qs"), (2, 1, "2h 2s"))
    assert state.hands == before.hands
    assert state.due == []


def test_fault_22_with_the_same_face_twice() -> None:
    """Fault 22, two packs: the copy received and the copy held are alike, and none is lost on the way back."""
    hands = ("3c 4c", "2s 2h", "2s Kd", "Qs Jd")
    state = exchanging(TOP_TRIBUTE, VICE_TRIBUTE, hands=hands)
    assert state.hands[2][parse_cards("2s")[0]] == 2
    assert state.fault(gift(2, 1, "2s 2s")) is None
    state.apply(gift(2, 1, "2s 2s"))
    assert hand_cards(state.hands[1]) == parse_cards("2s 2s")
    assert hand_cards(state.hands[2]) == parse_cards("Kd 2h")


def test_fault_23_a_missing_return_stays_due() -> None:
    """Fault 23: without the vice president's return the hands disagree, and the exchange says what is missing."""
    state = exchanging(TOP_TRIBUTE, VICE_TRIBUTE, TOP_RETURN)
    assert state.due == [Swap(0, 3, 1, tribute=False)]
    assert [sum(hand) for hand in state.hands] == [5, 5, 4, 3]


@pytest.mark.parametrize("two", ["2c", "2d", "2s"])
def test_fault_24_any_suit_among_equals(two: str) -> None:
    """Fault 24: of three twos the giver chooses which goes; only the rank is judged."""
    hands = ("3c 4c", "Ac 9d", "Kd 8c", "7c 2c 2d 2s")
    state = Exchanging([count_hand(parse_cards(hand)) for hand in hands], [Swap(3, 0, 1, tribute=True)])
    assert state.fault(gift(3, 0, two)) is None
    assert state.fault(gift(3, 0, "7c")) is Code.TRIBUTE
