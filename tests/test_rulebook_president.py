"""The English rulebook, sentence by sentence: what each asks of `president`, by the number of its line.

Sentences that constrain nothing a log could show (what a game is like, what a screen shows) have no test; timers, bots
and the shuffle are only named here where a setting or a record carries them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.cards import RANKS, SUITS, fresh_cards, parse_cards
from fairdeal.codes import Code
from fairdeal.deal import deal_hands
from fairdeal.draws import Draws
from fairdeal.errors import Misuse, RulesetError
from fairdeal.exchange import Exchanging
from fairdeal.hands import count_hand, hand_cards
from fairdeal.legal import legal_actions
from fairdeal.match import Match
from fairdeal.play import Round
from fairdeal.players import random_legal
from fairdeal.records import Action, Exchange, pass_action, set_action
from fairdeal.ruleset import load_preset
from fairdeal.settings import TITLE_CLASSES, SeatKind
from tests.strategies import LAW

PRESIDENT = load_preset("president")
SEATS = range(3, 9)


def table(*hands: str, leader: int = 0) -> Round:
    """Return a round whose seats hold the cards written."""
    return Round(LAW, range(len(hands)), [count_hand(parse_cards(hand)) for hand in hands], leader)


def play(seat: int, cards: str) -> Action:
    """Return the set that `seat` plays, or its pass for `-`."""
    return pass_action(seat) if cards == "-" else set_action(seat, bytes(sorted(parse_cards(cards))))


def may(state: Round, seat: int, cards: str) -> bool:
    """Return whether `seat` may play these cards now."""
    return state.fault(play(seat, cards)) is None


def after(state: Round, *history: tuple[int, str]) -> Round:
    """Return `state` after these actions, all of them allowed."""
    for seat, cards in history:
        assert state.step(play(seat, cards)) is None
    return state


def match_of(seats: int = 4, overrides: Mapping[str, Any] | None = None) -> Match:
    """Return a new match of `president`, with house rules if given."""
    ruleset = load_preset("president", overrides)
    return Match(ruleset.resolve(seats), seats, ruleset.default_rounds())


def end_hand(match: Match, *finishing: int) -> Match:
    """Return `match` after a hand that finished in this order."""
    places = match.places(finishing)
    match.end_round(places, match.points(places))
    return match


def gift(giver: int, receiver: int, cards: str) -> Exchange:
    """Return a gift of the cards written."""
    return Exchange(giver, receiver, bytes(sorted(parse_cards(cards))))


def exchange_after(match: Match, *hands: str) -> Exchanging:
    """Return the exchange that comes after the last hand of `match`."""
    return Exchanging([count_hand(parse_cards(hand)) for hand in hands], match.swaps())


def refused(overrides: Mapping[str, Any]) -> list[str]:
    """Return why `president` with these house rules is refused."""
    with pytest.raises(RulesetError) as caught:
        load_preset("president", overrides)
    return [what for what, _ in caught.value.conflicts]


# --- players and cards


def test_line_17_three_to_eight_players() -> None:
    """president-en.txt line 17: a table has three to eight players, each for themselves."""
    assert [PRESIDENT.resolve(seats).name for seats in SEATS] == ["president"] * 6
    for seats in (0, 1, 2, 9, 10):
        with pytest.raises(Misuse):
            PRESIDENT.resolve(seats)


def test_line_17_and_86_bots_may_sit() -> None:
    """president-en.txt lines 17 and 86: bots of three levels may take seats."""
    assert {SeatKind.EASY, SeatKind.MEDIUM, SeatKind.HARD} <= set(SeatKind)


@pytest.mark.parametrize(("seats", "packs"), [(3, 1), (4, 1), (5, 1), (6, 2), (7, 2), (8, 2)])
def test_line_18_one_deck_or_two(seats: int, packs: int) -> None:
    """president-en.txt line 18: a standard deck up to five players, two of them from six on, without jokers."""
    rules = PRESIDENT.resolve(seats)
    cards = Counter(fresh_cards(rules.packs, rules.jokers_per_pack))
    assert len(cards) == 52
    assert set(cards.values()) == {packs}


def test_line_19_suits_do_not_matter() -> None:
    """president-en.txt line 19: only ranks count: any suit of a higher rank beats, no suit of the same rank does."""
    for led in SUITS:
        for suit in SUITS:
            state = after(table(f"9{led} Kc", "Tc Td Th Ts 9c 9d 9h 9s 3c", "4c"), (0, f"9{led}"))
            assert may(state, 1, f"T{suit}")
            assert not may(state, 1, f"9{suit}")


@pytest.mark.parametrize("low", range(13))
def test_line_20_ranks(low: int) -> None:
    """president-en.txt line 20: ranks go up from the three over the ace to the two."""
    assert RANKS == "3456789TJQKA2"
    for other, rank in enumerate(RANKS):
        state = after(table(f"{RANKS[low]}c 3h", f"{rank}d 4h", "5h"), (0, f"{RANKS[low]}c"))
        assert may(state, 1, f"{rank}d") == (other > low)


# --- the deal


@pytest.mark.parametrize("seats", SEATS)
def test_line_24_cards_are_dealt_round(seats: int) -> None:
    """president-en.txt line 24: card by card around the table to the last one; some may hold one more than others."""
    rules = PRESIDENT.resolve(seats)
    deck = fresh_cards(rules.packs, rules.jokers_per_pack)
    hands = deal_hands(deck, seats)
    assert b"".join(bytes([hands[at % seats][at // seats]]) for at in range(len(deck))) == deck
    sizes = [len(hand) for hand in hands]
    assert sorted(sizes, reverse=True) == sizes
    assert sizes[0] - sizes[-1] == (1 if len(deck) % seats else 0)


@pytest.mark.parametrize("holder", range(4))
def test_line_25_the_three_of_clubs_leads(holder: int) -> None:
    """president-en.txt line 25: who holds the three of clubs leads the first hand."""
    hands = [count_hand(parse_cards("3c 9d" if seat == holder else "3d 9c")) for seat in range(4)]
    match = match_of()
    assert match.leader(hands, match.dealing_order()) == holder


def test_line_25_two_decks_have_two_threes_of_clubs() -> None:
    """president-en.txt line 25, read for two decks: of two holders the first in dealing order leads."""
    hands = [count_hand(parse_cards("3c 9d" if seat in {2, 5} else "3d 9c")) for seat in range(6)]
    match = match_of(6)
    assert match.leader(hands, (4, 5, 0, 1, 2, 3)) == 5
    assert match.leader(hands, (0, 1, 2, 3, 4, 5)) == 2


def test_line_25_the_three_of_clubs_need_not_be_played() -> None:
    """president-en.txt line 25: the first leader may lead something else."""
    state = table("3c 3d 9h", "4c", "5c")
    assert all(may(state, 0, cards) for cards in ("3c", "3d", "9h", "3c 3d"))


@pytest.mark.parametrize("seats", SEATS)
def test_line_26_the_peasant_leads_later(seats: int) -> None:
    """president-en.txt line 26: the peasant leads every later hand, or the president where the host says so."""
    hands = [count_hand(b"\0\5")] * seats
    finishing = [*range(1, seats), 0]
    match = end_hand(match_of(seats), *finishing)
    assert match.leader(hands, match.dealing_order()) == 0
    match = end_hand(match_of(seats, {"later_leader": "president"}), *finishing)
    assert match.leader(hands, match.dealing_order()) == 1


# --- playing a hand


def test_line_30_any_set_is_led() -> None:
    """president-en.txt line 30: the leader plays one or more cards of one rank, whichever it likes."""
    state = table("7c Jc Jd 4c 4d 4h 2c 2d 2h 2s", "3c", "5c")
    assert all(may(state, 0, cards) for cards in ("7c", "Jc Jd", "4c 4d 4h", "2c 2d 2h 2s", "4d 4h", "2s"))
    assert state.fault(play(0, "7c Jc")) is Code.NOT_A_SET
    assert state.fault(play(0, "-")) is Code.PASS_ON_LEAD


def test_line_30_two_decks_make_sets_of_eight() -> None:
    """president-en.txt line 30, with two decks: a set may hold both copies, up to all eight cards of a rank."""
    eight = "7c 7c 7d 7d 7h 7h 7s 7s"
    state = table(eight + " 3c", "4c", "5c")
    assert may(state, 0, "7c 7c")
    assert may(state, 0, eight)


def test_line_31_each_beats_or_passes() -> None:
    """president-en.txt line 31: around the table each player in turn beats the set or passes, and nothing else."""
    state = after(table("5c 9c", "3d 6d 7d", "8c Tc", "Jc Qc"), (0, "5c"))
    assert legal_actions(state) == [play(1, "-"), play(1, "6d"), play(1, "7d")]
    assert state.fault(play(2, "8c")) is Code.TURN
    after(state, (1, "6d"), (2, "-"), (3, "Jc"))
    assert state.turn == 0


def test_line_32_same_number_and_higher() -> None:
    """president-en.txt line 32: a set is beaten by as many cards of a higher rank: 99 on 66, but no king on a pair."""
    state = after(table("6c 6d 3c", "9c 9d Kc 6h 6s 4c 4d Th Td Tc", "5c"), (0, "6c 6d"))
    assert may(state, 1, "9c 9d")
    assert may(state, 1, "Tc Td")
    assert state.fault(play(1, "Kc")) is Code.COUNT
    assert state.fault(play(1, "Tc Td Th")) is Code.COUNT
    assert state.fault(play(1, "6h 6s")) is Code.TOO_LOW
    assert state.fault(play(1, "4c 4d")) is Code.TOO_LOW


def test_line_33_passing_is_always_allowed() -> None:
    """president-en.txt line 33: a player may pass although it could beat."""
    state = after(table("3c 4c", "2c 2d", "5c"), (0, "3c"))
    assert may(state, 1, "2c")
    assert may(state, 1, "-")


def test_line_33_a_pass_does_not_lock() -> None:
    """president-en.txt line 33: who passed may play when its turn comes back in the same trick."""
    state = after(table("3c Kc", "Ac 4c", "9c 5c"), (0, "3c"), (1, "-"), (2, "9c"), (0, "Kc"))
    assert state.trick == 1
    assert may(state, 1, "Ac")
    after(state, (1, "Ac"), (2, "-"))
    assert state.turn == 1
    assert state.trick == 2


def test_line_34_a_trick_ends_by_passes_in_a_row() -> None:
    """president-en.txt line 34: a trick ends when all others passed in a row; the last to play leads anything."""
    state = after(table("3c 4c 4d", "5c 6c", "8c 8d 3d", "9c Tc"), (0, "3c"), (1, "-"), (2, "8c"), (3, "-"), (0, "-"))
    assert state.count == 1
    after(state, (1, "-"))
    assert [state.turn, state.count] == [2, 0]
    assert may(state, 2, "3d")
    assert may(state, 2, "8d")


def test_line_34_no_trick_ends_by_passes_apart() -> None:
    """president-en.txt line 34: passes that a play stands between do not end the trick."""
    state = after(table("3c 4c", "5c 6c", "8c 9c", "9d Tc"), (0, "3c"), (1, "-"), (2, "-"), (3, "9d"), (0, "-"))
    assert [state.turn, state.count, state.trick] == [1, 1, 1]


def test_line_35_who_is_out_takes_the_next_place() -> None:
    """president-en.txt line 35: the last card brings the next finishing place, in the order of going out."""
    state = after(table("3c", "4c", "Kc 5c", "9c"), (0, "3c"), (1, "4c"))
    assert state.finishing == [0, 1]
    after(state, (2, "-"), (3, "9c"))
    assert state.finishing == [0, 1, 3, 2]


def test_line_35_the_lead_passes_on() -> None:
    """president-en.txt line 35: where the one to lead is out, the next player with cards leads."""
    state = after(table("3c", "Ac 4c", "5c 6c", "7c 8c"), (0, "3c"), (1, "-"), (2, "-"), (3, "-"))
    assert [state.turn, state.count] == [1, 0]
    state = after(table("3c 2c", "5c", "6c 7c", "8c 9c"), (0, "3c"), (1, "5c"), (2, "-"), (3, "-"), (0, "2c"))
    after(state, (2, "-"), (3, "-"))
    assert [state.turn, state.count] == [2, 0]


def test_line_36_the_hand_ends_with_one_holder() -> None:
    """president-en.txt line 36: when one player alone has cards the hand is over, and that player is last."""
    state = after(table("3c", "4c 6c", "5c"), (0, "3c"), (1, "4c"))
    assert not state.over
    after(state, (2, "5c"))
    assert state.over
    assert state.finishing == [0, 2, 1]
    assert state.fault(play(1, "6c")) is Code.ROUND_OVER


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(SEATS), st.integers(0, 2**64 - 1))
def test_lines_30_to_36_hold_in_any_hand(seats: int, number: int) -> None:
    """president-en.txt lines 30 to 36: a whole hand played at random, retold from its plays alone."""
    draws = Draws(number.to_bytes(32, "big"))
    deck = list(fresh_cards(PRESIDENT.resolve(seats).packs, 0))
    dealt = deal_hands(bytes(deck.pop(draws.below(len(deck))) for _ in range(len(deck))), seats)
    state = Round(LAW, range(seats), [count_hand(hand) for hand in dealt], draws.below(seats))
    turn, out, left = state.turn, [], [Counter(hand) for hand in dealt]
    pile, owner, passes = b"", turn, 0
    while not state.over:
        action = random_legal(state, draws)
        state.apply(action)
        assert action.seat == turn
        others = [(turn + step) % seats for step in range(1, seats)]
        if action.cards:
            assert len({face // 4 for face in action.cards}) == 1
            assert not pile or (len(pile) == len(action.cards) and pile[0] // 4 < action.cards[0] // 4)
            assert not Counter(action.cards) - left[turn]
            left[turn] -= Counter(action.cards)
            pile, owner, passes = action.cards, turn, 0
            out += [] if left[turn] else [turn]
        else:
            assert pile
            passes += 1
        if passes == sum(bool(left[seat]) for seat in range(seats) if seat != owner):
            pile, passes = b"", 0
            others = [(owner + step) % seats for step in range(seats)]
        turn = next(seat for seat in others if left[seat])
    assert len(out) == seats - 1
    assert state.finishing == [*out, turn]


# --- roles and exchange


@pytest.mark.parametrize(
    ("seats", "roles"),
    [
        (3, ("President", "Citizen", "Peasant")),
        (4, ("President", "Vice President", "Vice Peasant", "Peasant")),
        (5, ("President", "Vice President", "Citizen", "Vice Peasant", "Peasant")),
        (8, ("President", "Vice President", *["Citizen"] * 4, "Vice Peasant", "Peasant")),
    ],
)
def test_line_40_the_place_decides_the_role(seats: int, roles: tuple[str, ...]) -> None:
    """president-en.txt line 40: roles follow the finishing places."""
    match = match_of(seats)
    finishing = tuple(range(seats))[::-1]
    titles = match.titles(match.places(finishing))
    assert tuple(match.rules.titles[titles[seat]] for seat in finishing) == roles


def test_line_42_roles_may_be_renamed() -> None:
    """president-en.txt line 42: a table may have its own names for the roles."""
    names = ["Boss", "Deputy", "Worker", "Helper", "Scum"]
    assert load_preset("president", {"titles": names}).resolve(4).titles == tuple(names)
    assert len(names) == len(TITLE_CLASSES)


def test_line_46_no_exchange_before_the_first_hand() -> None:
    """president-en.txt line 46: the top and the bottom swap before every hand but the first."""
    match = match_of()
    assert match.swaps() == []
    assert Exchanging([], match.swaps()).fault(gift(0, 1, "3c")) is Code.EXCHANGE_UNEXPECTED
    for _ in range(3):
        assert len(end_hand(match, 0, 1, 2, 3).swaps()) == 4


def test_line_48_the_two_best_cards_go_up() -> None:
    """president-en.txt line 48: the peasant gives the president its two best cards, with no choice but of suits."""
    exchange = exchange_after(end_hand(match_of(), 0, 1, 2, 3), "3c 4c", "5c", "6c", "2c Ac Ad 9c")
    assert exchange.fault(gift(3, 0, "2c Ac")) is None
    assert exchange.fault(gift(3, 0, "2c Ad")) is None
    assert exchange.fault(gift(3, 0, "Ac Ad")) is Code.TRIBUTE
    assert exchange.fault(gift(3, 0, "2c 9c")) is Code.TRIBUTE
    assert exchange.fault(gift(3, 0, "2c")) is Code.EXCHANGE_COUNT


def test_line_49_any_two_cards_come_back() -> None:
    """president-en.txt line 49: the president gives back two cards of its choice."""
    exchange = exchange_after(end_hand(match_of(), 0, 1, 2, 3), "3c 4c Kc", "5c 7c", "6c 8c", "2c Ac 9c")
    for one in (gift(3, 0, "2c Ac"), gift(2, 1, "8c")):
        assert exchange.fault(one) is None
        exchange.apply(one)
    for cards in ("3c 4c", "3c Kc", "2c Ac", "4c 2c"):
        assert exchange.fault(gift(0, 3, cards)) is None
    assert exchange.fault(gift(0, 3, "3c")) is Code.EXCHANGE_COUNT
    assert exchange.fault(gift(0, 3, "3c 4c Kc")) is Code.EXCHANGE_COUNT


@pytest.mark.parametrize("seats", SEATS)
def test_line_50_vices_swap_one_from_four_players_on(seats: int) -> None:
    """president-en.txt line 50: from four players on the vices swap one card: the best up, any one down."""
    match = end_hand(match_of(seats), *range(seats))
    vice = [swap for swap in match.swaps() if swap.size == 1]
    pairs = [(swap.giver, swap.receiver, swap.tribute) for swap in vice]
    assert pairs == ([] if seats == 3 else [(seats - 2, 1, True), (1, seats - 2, False)])


@pytest.mark.parametrize("seats", SEATS)
def test_line_51_citizens_do_not_exchange(seats: int) -> None:
    """president-en.txt line 51: who is neither at the top nor at the bottom neither gives nor gets a card."""
    match = end_hand(match_of(seats), *range(seats))
    titles = match.titles(match.places(range(seats)))
    citizens = {seat for seat in range(seats) if TITLE_CLASSES[titles[seat]] == "middle"}
    assert not citizens & {seat for swap in match.swaps() for seat in swap[:2]}


def test_line_53_returns_are_chosen_after_receiving() -> None:
    """president-en.txt line 53: both tributes come before any return, so what was received may be given back."""
    exchange = exchange_after(end_hand(match_of(), 0, 1, 2, 3), "3c 4c", "5c 7c", "6c 8c", "2c Ac")
    assert exchange.fault(gift(0, 3, "3c 4c")) is Code.EXCHANGE_PARTIES
    exchange.apply(gift(3, 0, "2c Ac"))
    assert exchange.fault(gift(0, 3, "2c Ac")) is Code.EXCHANGE_PARTIES
    exchange.apply(gift(2, 1, "8c"))
    assert exchange.fault(gift(1, 2, "8c")) is None
    assert exchange.fault(gift(0, 3, "2c Ac")) is None


# --- scoring and winning


def test_line_57_each_hand_scores_by_place() -> None:
    """president-en.txt line 57: the points of a hand depend on nothing but the finishing place, better for better."""
    for seats in SEATS:
        match = match_of(seats)
        points = match.points(range(1, seats + 1))
        assert all(one > other for one, other in pairwise(points))


def test_line_59_points_of_three_players() -> None:
    """president-en.txt line 59: three players score 2, 1 and 0."""
    match = match_of(3)
    assert match.points(match.places((1, 2, 0))) == (0, 2, 1)


@pytest.mark.parametrize("seats", SEATS)
def test_line_59_points_are_places_beaten(seats: int) -> None:
    """president-en.txt line 59, read for more players: a point for every place that one finished above."""
    match = match_of(seats)
    assert match.points(range(1, seats + 1)) == tuple(seats - place for place in range(1, seats + 1))
    assert match.totals == [0] * seats


def test_line_61_five_hands() -> None:
    """president-en.txt line 61: a match has five hands unless the host says otherwise."""
    match = match_of(3)
    overs = [end_hand(match, 0, 1, 2).over() for _ in range(5)]
    assert overs == [False, False, False, False, True]


@pytest.mark.parametrize("hands", [1, 2, 7, 12])
def test_line_61_another_number_of_hands(hands: int) -> None:
    """president-en.txt line 61: the host may set the number of hands."""
    match = match_of(3, {"end_at": hands})
    assert [end_hand(match, 0, 1, 2).over() for _ in range(hands)] == [False] * (hands - 1) + [True]


def test_line_61_a_target() -> None:
    """president-en.txt line 61: the host may have the match end once somebody has so many points."""
    match = match_of(3, {"match_end": "target", "end_at": 5})
    end_hand(end_hand(match, 0, 1, 2), 0, 1, 2)
    assert match.totals == [4, 2, 0]
    assert not match.over()
    assert end_hand(match, 1, 0, 2).over()
    assert match.totals == [5, 4, 0]


def test_line_61_the_most_points_win() -> None:
    """president-en.txt line 61: final places follow the points of all hands."""
    match = end_hand(end_hand(match_of(3), 2, 0, 1), 2, 1, 0)
    assert match.totals == [1, 1, 4]
    assert match.final_places()[2] == 1


TIES: Mapping[str, tuple[Sequence[tuple[int, ...]], list[int], tuple[int, ...]]] = {
    # seats 0 and 1 have four points each: who was president more often is ahead, not who ended the last hand better
    "presidencies": (
        [(0, 2, 1), (0, 2, 1), (2, 1, 0), (1, 2, 0), (2, 1, 0)],
        [4, 4, 7],
        (2, 3, 1),
    ),
    # two points and one presidency each: the last hand decides
    "the last hand": ([(0, 2, 1), (1, 2, 0)], [2, 2, 2], (2, 1, 3)),
}


@pytest.mark.parametrize(("hands", "totals", "places"), TIES.values(), ids=list(TIES))
def test_line_61_ties(hands: Sequence[tuple[int, ...]], totals: list[int], places: tuple[int, ...]) -> None:
    """president-en.txt line 61: equal points are parted by presidencies, then by the last hand."""
    match = match_of(3)
    for finishing in hands:
        end_hand(match, *finishing)
    assert match.totals == totals
    assert match.final_places() == places


# --- house rules


def test_line_65_house_rules_are_off() -> None:
    """president-en.txt line 65: without the host's word no house rule is in play."""
    assert PRESIDENT.template == replace(
        PRESIDENT.template,
        jokers_per_pack=0,
        straights=False,
        first_play_3c=False,
        reseat=False,
        exchange_top=2,
        exchange_vice=1,
    )
    off = {"twos": "ordinary", "equal_rank": "forbid", "passing": "open", "completed_rank": "ignore"}
    off |= {"revolution": "none", "going_out": "free", "joker": "none", "lone_joker": "ordinary"}
    assert {key: str(getattr(PRESIDENT.template, key)) for key in off} == off


OFF: Mapping[str, Callable[[], bool]] = {
    "line 67: twos do not clear": lambda: after(table("2c 3c", "4c 5c", "6c"), (0, "2c")).turn == 1,
    "line 68: no two on a pair": lambda: may(after(table("3c 3d 5c", "2c 4c", "6c"), (0, "3c 3d")), 1, "2c") is False,
    "line 69: no equal rank": lambda: may(after(table("7c 3c", "7d 4c", "6c"), (0, "7c")), 1, "7d") is False,
    "line 71: no straights": lambda: may(table("5c 6c 7c", "3c", "4c"), 0, "5c 6c 7c") is False,
    "line 72: four of a kind stay": lambda: (
        after(table("7c 7d 7h 7s 3c", "4c 5c", "6c"), (0, "7c 7d 7h 7s")).count == 4
    ),
    "line 73: no revolution": lambda: (
        after(table("7c 7d 7h 7s 3d", "4c 5c", "6c 8c"), (0, "7c 7d 7h 7s"), (1, "-"), (2, "-"), (0, "3d")).fault(
            play(1, "4c")
        )
        is None
    ),
    "line 74: out on a two": lambda: after(table("2c", "4c 5c", "6c"), (0, "2c")).finishing == [0],
    "line 76: any opening": lambda: may(table("3c 9c", "4c", "5c"), 0, "9c"),
}


@pytest.mark.parametrize("holds", OFF.values(), ids=list(OFF))
def test_lines_67_to_76_without_the_house_rule(holds: Callable[[], bool]) -> None:
    """president-en.txt lines 67 to 76: with the house rule off, the standard rule of the same case holds."""
    assert holds()


def test_line_77_reseat_by_rank() -> None:
    """president-en.txt line 77: where the host wants it, the table sits by rank, president first."""
    assert end_hand(match_of(), 2, 0, 3, 1).seating() == (0, 1, 2, 3)
    match = end_hand(match_of(4, {"reseat": True}), 2, 0, 3, 1)
    assert match.seating() == (2, 0, 3, 1)
    hands = [count_hand(parse_cards(hand)) for hand in ("5c 6c", "3c 4c", "7c 8c", "9c Tc")]
    state = match.start_round(hands, match.dealing_order())
    after(state, (1, "3c"))
    assert state.turn == 2


@pytest.mark.parametrize(("top", "vice"), [(1, 0), (1, 1), (3, 1), (4, 2)])
def test_line_79_another_number_of_cards(top: int, vice: int) -> None:
    """president-en.txt line 79: the host may change how many cards are swapped."""
    match = end_hand(match_of(5, {"exchange_top": top, "exchange_vice": vice}), 0, 1, 2, 3, 4)
    assert [(swap.giver, swap.size) for swap in match.swaps()] == [
        pair for pair in ((4, top), (3, vice), (0, top), (1, vice)) if pair[1]
    ]


def test_line_79_no_exchange() -> None:
    """president-en.txt line 79: the exchange may be off; the peasant still leads, as line 26 has it."""
    match = end_hand(match_of(4, {"exchange_top": 0, "exchange_vice": 0}), 2, 0, 3, 1)
    assert match.swaps() == []
    assert match.leader([count_hand(b"\0")] * 4, match.dealing_order()) == 1


def test_line_83_thirty_seconds() -> None:
    """president-en.txt line 83: a turn has thirty seconds unless the table sets another time."""
    assert PRESIDENT.resolve(4).turn_seconds == 30
    assert load_preset("president", {"turn_seconds": 0}).resolve(4).turn_seconds == 0


def test_line_83_the_lead_has_a_lowest_single() -> None:
    """president-en.txt line 83: what the clock would play on the lead, the lowest single, is always allowed there."""
    state = table("9c 9d 4h", "3c", "5c")
    lowest = hand_cards(state.hands[0])[:1]
    assert state.fault(set_action(0, lowest)) is None
    assert state.fault(pass_action(0)) is Code.PASS_ON_LEAD
