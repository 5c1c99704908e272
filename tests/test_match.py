"""A match between its rounds: seating, dealing order, leader, titles, points, the end and the final places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.cards import FACES, fresh_cards, parse_cards
from fairdeal.deal import deal_hands
from fairdeal.draws import Draws
from fairdeal.exchange import Exchanging
from fairdeal.hands import count_hand, hand_cards
from fairdeal.match import Match
from fairdeal.players import random_legal, return_random, tribute_cards
from fairdeal.records import Exchange
from fairdeal.ruleset import load_preset
from fairdeal.settings import FirstCard, FirstLeader, LaterLeader, MatchEnd, Rules, Ties

PRESIDENT = load_preset("president")
FINISHING = (2, 0, 3, 1)


def match_of(seats: int = 4, rounds: int = 100, **changes: Any) -> Match:
    """Return a match of `president` with some rules changed."""
    return Match(replace(PRESIDENT.resolve(seats), **changes), seats, rounds)


def end_round(match: Match, *finishing: int) -> Match:
    """Return `match` after a round that finished in this order."""
    places = match.places(finishing)
    match.end_round(places, match.points(places))
    return match


def counted(*hands: str) -> list[bytearray]:
    """Return counted hands of the cards written."""
    return [count_hand(parse_cards(hand)) for hand in hands]


def rounds_of(seats: int, most: int = 6) -> st.SearchStrategy[list[tuple[int, ...]]]:
    """Finishing orders of several rounds."""
    return st.lists(st.permutations(range(seats)).map(tuple), min_size=1, max_size=most)


# --- before the first round


@pytest.mark.parametrize("seats", range(3, 9))
def test_a_new_match(seats: int) -> None:
    """Before the first round: seats in their order, starting points, no swaps, not over and not to be closed."""
    match = match_of(seats, start_points=7)
    assert match.seating() == match.dealing_order() == tuple(range(seats))
    assert match.totals == [7] * seats
    assert match.swaps() == []
    assert not match.over()
    assert not match.may_close()
    assert match.final_places() == (1,) * seats


# --- seating and dealing


@pytest.mark.parametrize("reseat", [False, True])
def test_seating(reseat: bool) -> None:
    """The seating is that of the seat numbers, or after a round its finishing order where the table reseats."""
    match = match_of(reseat=reseat)
    assert match.seating() == (0, 1, 2, 3)
    assert end_round(match, *FINISHING).seating() == (FINISHING if reseat else (0, 1, 2, 3))
    assert end_round(match, 3, 2, 1, 0).seating() == ((3, 2, 1, 0) if reseat else (0, 1, 2, 3))


DEALING = {
    (FirstCard.FIRST_PLACE, False): [(0, 1, 2, 3)] * 3,
    (FirstCard.FIRST_PLACE, True): [(0, 1, 2, 3), (2, 0, 3, 1), (1, 3, 2, 0)],
    (FirstCard.ROTATES, False): [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1)],
    (FirstCard.ROTATES, True): [(0, 1, 2, 3), (0, 3, 1, 2), (2, 0, 1, 3)],
    (FirstCard.LEFT_OF_LAST, False): [(0, 1, 2, 3), (2, 3, 0, 1), (1, 2, 3, 0)],
    (FirstCard.LEFT_OF_LAST, True): [(0, 1, 2, 3), (2, 0, 3, 1), (1, 3, 2, 0)],
}


@pytest.mark.parametrize(("setting", "orders"), DEALING.items(), ids=lambda part: str(part[0]))
def test_dealing_order(setting: tuple[FirstCard, bool], orders: list[tuple[int, ...]]) -> None:
    """Who gets the first card in rounds 1, 2 and 3, with and without reseating."""
    match = match_of(first_card=setting[0], reseat=setting[1])
    assert match.dealing_order() == orders[0]
    assert end_round(match, *FINISHING).dealing_order() == orders[1]
    assert end_round(match, 1, 3, 2, 0).dealing_order() == orders[2]


@settings(deadline=None, max_examples=80)
@given(st.integers(3, 8), st.sampled_from(FirstCard), st.booleans(), st.data())
def test_dealing_order_goes_round_the_seating(
    seats: int,
    first_card: FirstCard,
    reseat: bool,
    data: st.DataObject,
) -> None:
    """The dealing order is the seating begun somewhere else, in every round."""
    match = match_of(seats, first_card=first_card, reseat=reseat)
    for number, finishing in enumerate(data.draw(rounds_of(seats, 10)), 2):
        seating = end_round(match, *finishing).seating()
        order = match.dealing_order()
        at = seating.index(order[0])
        assert order == seating[at:] + seating[:at]
        place = {
            FirstCard.FIRST_PLACE: 0,
            FirstCard.ROTATES: (number - 1) % seats,
            FirstCard.LEFT_OF_LAST: (seating.index(finishing[-1]) + 1) % seats,
        }
        assert at == place[first_card]


def test_rotation_comes_round() -> None:
    """With a rotating first card the table's last seat is followed by its first."""
    match = match_of(3, first_card=FirstCard.ROTATES)
    assert [end_round(match, 0, 1, 2).dealing_order()[0] for _ in range(5)] == [1, 2, 0, 1, 2]


# --- who leads

HANDS = ("4c 5c", "6c 7c", "8c 9c", "3c Tc")


@pytest.mark.parametrize(("rule", "leader"), [(FirstLeader.THREE_OF_CLUBS, 3), (FirstLeader.FIRST_DEALT, 2)], ids=str)
@pytest.mark.parametrize("later", LaterLeader)
def test_first_leader(rule: FirstLeader, leader: int, later: LaterLeader) -> None:
    """The first round is led as `first_leader` says, whatever holds later."""
    match = match_of(first_leader=rule, later_leader=later)
    assert match.leader(counted(*HANDS), (2, 3, 0, 1)) == leader


@pytest.mark.parametrize(
    ("rule", "leader"),
    [(LaterLeader.LAST, 1), (LaterLeader.PRESIDENT, 2), (LaterLeader.THREE_OF_CLUBS, 3)],
    ids=str,
)
@pytest.mark.parametrize("first", FirstLeader)
def test_later_leader(rule: LaterLeader, leader: int, first: FirstLeader) -> None:
    """Every later round is led as `later_leader` says, whatever held at first."""
    match = end_round(match_of(first_leader=first, later_leader=rule), *FINISHING)
    assert match.leader(counted(*HANDS), match.dealing_order()) == leader


@pytest.mark.parametrize("first", range(4))
def test_two_threes_of_clubs(first: int) -> None:
    """Two packs: of two holders the first in dealing order leads, and one holder of both leads alone."""
    hands = counted("4c 5c", "3c 7c", "8c 9c", "3c Tc")
    order = tuple((first + step) % 4 for step in range(4))
    for match in (match_of(), end_round(match_of(later_leader=LaterLeader.THREE_OF_CLUBS), *FINISHING)):
        assert match.leader(hands, order) == next(seat for seat in order if seat in {1, 3})
        assert match.leader(counted("4c 5c", "6c 7c", "3c 3c", "8c"), order) == 2


def test_the_three_of_clubs_moves_in_the_exchange() -> None:
    """The holder after the exchange leads, not the one it was dealt to."""
    match = end_round(match_of(later_leader=LaterLeader.THREE_OF_CLUBS), *FINISHING)
    hands = counted("4c 5c", "2s Ac", "3c Kc 6c", "7c 8c")
    assert match.leader(hands, match.dealing_order()) == 2
    exchange = Exchanging(hands, match.swaps())
    for giver, receiver, cards in ((1, 2, "Ac 2s"), (3, 0, "8c"), (2, 1, "3c 6c"), (0, 3, "4c")):
        assert exchange.fault(Exchange(giver, receiver, parse_cards(cards))) is None
        exchange.apply(Exchange(giver, receiver, parse_cards(cards)))
    assert match.leader(hands, match.dealing_order()) == 1


@pytest.mark.parametrize("seats", range(3, 9))
def test_fault_16_the_last_leads_without_an_exchange(seats: int) -> None:
    """Fault 16: with the exchange switched off nothing is due, and the last still leads."""
    match = match_of(seats, exchange_top=0, exchange_vice=0)
    finishing = [*range(1, seats), 0]
    assert end_round(match, *finishing).swaps() == []
    assert match.leader(counted(*["3c"] * seats), match.dealing_order()) == 0


def test_swaps_follow_the_last_round() -> None:
    """The exchange is between the seats of the round just ended, not of an earlier one."""
    match = end_round(end_round(match_of(), *FINISHING), 0, 1, 2, 3)
    assert [swap[:3] for swap in match.swaps()] == [(3, 0, 2), (2, 1, 1), (0, 3, 2), (1, 2, 1)]


# --- places, titles, points


@settings(deadline=None)
@given(st.integers(3, 8), st.data())
def test_places_and_finishing_are_inverse(seats: int, data: st.DataObject) -> None:
    """Places by seat and seats by place say the same, and a round taken in gives its finishing order back."""
    finishing = tuple(data.draw(st.permutations(range(seats))))
    match = match_of(seats)
    places = match.places(finishing)
    assert sorted(places) == list(range(1, seats + 1))
    assert [finishing[place - 1] for place in places] == list(range(seats))
    assert end_round(match, *finishing).finishing == finishing


@pytest.mark.parametrize(
    ("finishing", "titles"),
    [
        ((2, 0, 1), (2, 4, 0)),
        ((2, 0, 3, 1), (1, 4, 0, 3)),
        ((4, 3, 2, 1, 0), (4, 3, 2, 1, 0)),
        ((5, 0, 4, 1, 3, 2), (1, 2, 4, 3, 2, 0)),
        ((0, 1, 2, 3, 4, 5, 6), (0, 1, 2, 2, 2, 3, 4)),
        ((7, 6, 5, 4, 3, 2, 1, 0), (4, 3, 2, 2, 2, 2, 1, 0)),
    ],
)
def test_titles_by_seat(finishing: tuple[int, ...], titles: tuple[int, ...]) -> None:
    """Titles are by seat: first, second, the middle ones, last but one and last of the finishing order."""
    match = match_of(len(finishing))
    assert match.titles(match.places(finishing)) == titles


BY_TITLE = [5, 0, -5, -10, -15]
POINTS: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "places-beaten": ({}, (3, 1, 4, 0, 2)),
    "by-title": ({"points": BY_TITLE}, (0, -10, 5, -15, -5)),
    "by-place": ({"points": {"5": [20, 12, 6, 2, -1]}, "seats": [5, 5]}, (12, 2, 20, -1, 6)),
    "none": ({"points": "none", "ties": "none"}, (0, 0, 0, 0, 0)),
}


@pytest.mark.parametrize(("overrides", "points"), POINTS.values(), ids=list(POINTS))
def test_points_of_each_kind(overrides: dict[str, Any], points: tuple[int, ...]) -> None:
    """Each kind of points gives every seat the figure of its place or title; without points all are zero."""
    match = Match(load_preset("president", overrides).resolve(5), 5, 100)
    assert match.points(match.places((2, 0, 4, 1, 3))) == points


@settings(deadline=None, max_examples=60)
@given(st.integers(3, 8), st.sampled_from(sorted(POINTS)[1:]), st.data())
def test_totals_are_sums(seats: int, kind: str, data: st.DataObject) -> None:
    """Totals are the starting points and all points since; a round changes the table's total by the whole scale."""
    rules = load_preset("president", {**POINTS[kind][0], "seats": [3, 8]}).resolve(seats)
    match = Match(replace(rules, start_points=10 if rules.points else 0), seats, 100)
    expected = list(match.totals)
    orders = data.draw(rounds_of(seats))
    for finishing in orders:
        points = match.points(match.places(finishing))
        expected = [total + gained for total, gained in zip(expected, points, strict=True)]
        end_round(match, *finishing)
        assert match.totals == expected
    assert sum(match.totals) == seats * match.rules.start_points + len(orders) * sum(match.rules.points)
    assert match.presidencies == [sum(order[0] == seat for order in orders) for seat in range(seats)]
    assert match.ended == len(orders)


# --- the end of the match


def test_end_by_rounds() -> None:
    """A match of rounds is over after the last of them, and may close only then."""
    match = match_of(3, match_end=MatchEnd.ROUNDS, end_at=2)
    assert [match.over(), match.may_close()] == [False, False]
    end_round(match, 0, 1, 2)
    assert [match.over(), match.may_close()] == [False, False]
    end_round(match, 0, 1, 2)
    assert [match.over(), match.may_close()] == [True, True]


@pytest.mark.parametrize(("target", "rounds"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_end_by_target(target: int, rounds: int) -> None:
    """A match to a target is over once a seat has it, reached exactly or passed."""
    match = match_of(3, match_end=MatchEnd.TARGET, end_at=target)
    for ended in range(rounds):
        assert not match.over()
        assert not match.may_close()
        assert match.ended == ended
        end_round(match, 0, 1, 2)
    assert match.over()
    assert match.may_close()


def test_no_end_before_a_round() -> None:
    """A match is never over before its first round, not even where its rules say so from the start."""
    for end, start in ((MatchEnd.TARGET, 5), (MatchEnd.ZERO, -5), (MatchEnd.ROUNDS, 0)):
        match = match_of(3, match_end=end, end_at=0, start_points=start)
        assert not match.over()
        assert not match.may_close()
        assert end_round(match, 0, 1, 2).over()


def test_end_by_target_of_any_seat() -> None:
    """Any seat may reach the target, several at once too."""
    match = match_of(3, match_end=MatchEnd.TARGET, end_at=3)
    end_round(end_round(match, 2, 1, 0), 1, 2, 0)
    assert match.totals == [0, 3, 3]
    assert match.over()


@pytest.mark.parametrize(("points", "over"), [((5, 0, -9), False), ((5, 0, -10), True), ((5, 0, -11), True)])
def test_end_by_zero(points: tuple[int, ...], over: bool) -> None:
    """A match to zero is over once a seat stands at zero or below, and negative points stay."""
    match = match_of(3, match_end=MatchEnd.ZERO, end_at=0, start_points=10, points=points)
    assert not match.over()
    end_round(match, 0, 1, 2)
    assert match.totals == [10 + gained for gained in points]
    assert match.over() is over
    assert match.may_close() is over


def test_open_end() -> None:
    """An open match is never over by itself; it may close after any round, but not before one."""
    match = match_of(3, match_end=MatchEnd.OPEN, end_at=0)
    assert [match.over(), match.may_close()] == [False, False]
    for _ in range(5):
        end_round(match, 0, 1, 2)
        assert [match.over(), match.may_close()] == [False, True]


@pytest.mark.parametrize(
    "changes",
    [
        {"match_end": MatchEnd.ROUNDS, "end_at": 9},
        {"match_end": MatchEnd.TARGET, "end_at": 99},
        {"match_end": MatchEnd.ZERO, "end_at": 0, "start_points": 99, "points": (1, 0, -1)},
        {"match_end": MatchEnd.OPEN, "end_at": 0},
    ],
    ids=lambda changes: str(changes["match_end"]),
)
def test_no_round_after_the_maximum(changes: dict[str, Any]) -> None:
    """However a match ends, it is over at its maximum of rounds, where nothing else has ended it."""
    match = match_of(3, rounds=2, **changes)
    assert not end_round(match, 0, 1, 2).over()
    assert end_round(match, 0, 1, 2).over()
    assert match.may_close()
    assert not match.reached()


@pytest.mark.parametrize(("end", "at"), [(MatchEnd.ROUNDS, 1), (MatchEnd.TARGET, 2), (MatchEnd.ZERO, 0)])
def test_the_end_is_reached(end: MatchEnd, at: int) -> None:
    """A match that its own rule ends has reached its end, and one round before it had not."""
    match = match_of(3, match_end=end, end_at=at, start_points=0 if end is MatchEnd.TARGET else 1, points=(2, 0, -1))
    assert not match.reached()
    assert end_round(match, 0, 1, 2).reached()
    assert match.over()


# --- final places


@pytest.mark.parametrize(
    ("ties", "totals", "presidencies", "finishing", "places"),
    [
        (Ties.PRESIDENCIES, [5, 9, 7], [0, 0, 0], (0, 1, 2), (3, 1, 2)),
        (Ties.PRESIDENCIES, [7, 7, 7], [1, 0, 2], (0, 1, 2), (2, 3, 1)),
        (Ties.PRESIDENCIES, [7, 7, 7], [1, 1, 1], (2, 0, 1), (2, 3, 1)),
        (Ties.PRESIDENCIES, [7, 7, 8], [9, 0, 0], (1, 2, 0), (2, 3, 1)),
        (Ties.PRESIDENCIES, [7, 7, 7, 7], [0, 2, 2, 0], (3, 2, 1, 0), (4, 2, 1, 3)),
        (Ties.SHARED, [7, 7, 5], [0, 9, 0], (1, 0, 2), (1, 1, 3)),
        (Ties.SHARED, [5, 7, 7, 4], [0, 0, 0, 0], (0, 1, 2, 3), (3, 1, 1, 4)),
        (Ties.SHARED, [7, 5, 5, 5], [0, 0, 0, 0], (0, 1, 2, 3), (1, 2, 2, 2)),
        (Ties.SHARED, [-7, -5, -5, -9], [0, 0, 0, 0], (0, 1, 2, 3), (3, 1, 1, 4)),
    ],
)
def test_final_places(
    ties: Ties, totals: list[int], presidencies: list[int], finishing: tuple[int, ...], places: tuple[int, ...]
) -> None:
    """Most points win; ties go by presidencies, then the last round, or share the best place and skip the next."""
    match = match_of(len(totals), ties=ties)
    match.totals, match.presidencies, match.finishing, match.ended = totals, presidencies, finishing, 3
    assert match.final_places() == places


def test_no_final_places_without_points() -> None:
    """Without points nobody has a final place."""
    match = match_of(4, points=(), ties=Ties.NONE)
    assert end_round(match, *FINISHING).final_places() == ()


@settings(deadline=None, max_examples=80)
@given(st.integers(3, 8), st.sampled_from([Ties.PRESIDENCIES, Ties.SHARED]), st.data())
def test_final_places_follow_the_totals(seats: int, ties: Ties, data: st.DataObject) -> None:
    """More points are a better place; presidencies part every tie after a round, shared leaves exactly the equals."""
    match = match_of(seats, ties=ties)
    for finishing in data.draw(rounds_of(seats)):
        end_round(match, *finishing)
    places, totals = match.final_places(), match.totals
    for one in range(seats):
        beaten_by = sum(total > totals[one] for total in totals)
        equals = totals.count(totals[one])
        assert beaten_by < places[one] <= beaten_by + equals
    if ties is Ties.PRESIDENCIES:
        assert sorted(places) == list(range(1, seats + 1))
    else:
        assert [places[one] for one in range(seats)] == [
            1 + sum(t > totals[one] for t in totals) for one in range(seats)
        ]


# --- a whole match, driven as a table drives it


def deal(rules: Rules, order: Sequence[int], draws: Draws) -> list[bytearray]:
    """Return counted hands by seat of a whole deck dealt in this order."""
    deck = list(fresh_cards(rules.packs, rules.jokers_per_pack))
    mixed = bytes(deck.pop(draws.below(len(deck))) for _ in range(len(deck)))
    hands = [bytearray(FACES)] * len(order)
    for seat, cards in zip(order, deal_hands(mixed, len(order)), strict=True):
        hands[seat] = count_hand(cards)
    return hands


@pytest.mark.parametrize("seats", range(3, 9))
@pytest.mark.parametrize(
    "overrides",
    [
        {},
        {"reseat": True, "first_card": "left-of-last", "later_leader": "3c"},
        {"exchange_top": 3, "exchange_vice": 2, "later_leader": "president", "first_leader": "first-dealt"},
        {"points": BY_TITLE, "start_points": 20, "match_end": "zero", "end_at": 0, "ties": "shared"},
    ],
    ids=["president", "reseat", "three cards", "zero"],
)
def test_a_whole_match(seats: int, overrides: dict[str, Any]) -> None:
    """Rounds follow each other to the end without a fault, and cards and points add up in each."""
    ruleset = load_preset("president", overrides)
    rules = ruleset.resolve(seats)
    match = Match(rules, seats, 4)
    draws = Draws(bytes([seats]) * 32)
    while not match.over():
        order = match.dealing_order()
        hands = deal(rules, order, draws)
        exchange = Exchanging(hands, match.swaps())
        while exchange.due:
            swap = exchange.due[0]
            choose = tribute_cards(hands[swap.giver], swap) if swap.tribute else None
            cards = choose or return_random(hands[swap.giver], swap, draws)
            assert exchange.fault(Exchange(swap.giver, swap.receiver, cards)) is None
            exchange.apply(Exchange(swap.giver, swap.receiver, cards))
        deck = b"".join(hand_cards(hand) for hand in hands)
        assert sorted(deck) == sorted(fresh_cards(rules.packs, 0))
        assert max(map(sum, hands)) - min(map(sum, hands)) <= 1
        state = match.start_round(hands, order)
        while not state.over:
            assert state.step(random_legal(state, draws)) is None
        places = match.places(state.finishing)
        match.end_round(places, match.points(places))
        assert match.finishing == tuple(state.finishing)
    assert match.may_close()
    assert len(match.final_places()) == seats
