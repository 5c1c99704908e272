"""The second engine itself, on small examples: each shows one reading of the rules or one fault that engines had."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.cards import parse_cards
from fairdeal.ruleset import load_preset
from fairdeal.settings import CompletedRank, EqualRank, GoingOut, Joker, LoneJoker, Passing, Revolution, Rules, Twos
from tests.second_engine import SecondRound
from tests.second_engine_shapes import BIG_SET, PASS, SET, STRAIGHT

PLAIN = load_preset("president").resolve(4)
WILD: dict[str, Any] = {"joker": Joker.WILD, "jokers_per_pack": 2}
HIGH: dict[str, Any] = {"joker": Joker.HIGH, "jokers_per_pack": 2}
PREZYDENT: dict[str, Any] = {
    **HIGH,
    "lone_joker": LoneJoker.TRUMP,
    "top_rank_matchable": False,
    "passing": Passing.LOCKS,
    "revolution": Revolution.ROUND,
}
LE_PRESIDENT: dict[str, Any] = {
    **HIGH,
    "equal_rank": EqualRank.SKIP,
    "passing": Passing.LOCKS,
    "completed_rank": CompletedRank.CLEAR_IF_SEVERAL_PLAYS,
    "revolution": Revolution.ROUND,
}
WILD_TWOS: dict[str, Any] = {
    **WILD,
    "lone_joker": LoneJoker.SWEEP,
    "twos": Twos.WILD,
    "passing": Passing.LOCKS,
}


def act(text: str) -> tuple[str, int, bytes]:
    """Return the action written as a seat and its cards, `-` for a pass; `~` in front of the cards of a straight."""
    seat, cards = text.split(" ", 1)
    if cards == "-":
        return PASS, int(seat), b""
    faces = parse_cards(cards.removeprefix("~"))
    if cards.startswith("~"):
        return STRAIGHT, int(seat), faces
    return BIG_SET if len(faces) > 8 else SET, int(seat), faces


def play(game: SecondRound, *actions: str) -> SecondRound:
    """Carry out the actions, each of which must be lawful, and return the round."""
    for text in actions:
        assert game.fault(*act(text)) is None, text
        game.apply(*act(text))
    return game


def table(
    hands: tuple[str, ...], *actions: str, leader: int = 0, first_round: bool = False, **changed: Any
) -> SecondRound:
    """Return a round with these hands by seat, seated by number, after the actions."""
    rules = replace(PLAIN, **changed)
    faces = [parse_cards(hand) for hand in hands]
    return play(SecondRound(rules, range(len(hands)), faces, leader, first_round=first_round), *actions)


def says(game: SecondRound, text: str) -> str | None:
    """Return the fault of the action written."""
    return game.fault(*act(text))


# --- cards and shapes


def test_a_card_is_laid_once() -> None:
    """One card listed twice is no pair, and a played card is gone; the second copy of two packs stays."""
    assert says(table(("9s 4c", "5c 5d", "6c 7c")), "0 9s 9s") == "not-held"
    game = table(("8s 8s 4c", "9c 5d", "Tc 7c"), "0 8s", "1 9c", "2 Tc", packs=2)
    assert game.hands[0] == list(parse_cards("8s 4c"))
    assert says(game, "0 8s 8s") == "not-held"


def test_one_encoding() -> None:
    """A set is written upwards and as the kind of its size, a straight with its jokers upwards."""
    game = table(("5c 5d 6c X1 X2", "3c", "4c"), **WILD, straights=True)
    assert says(game, "0 5d 5c") == "encoding"
    assert game.fault(BIG_SET, 0, parse_cards("5c 5d")) == "encoding"
    assert says(game, "0 ~5c X2 X1") == "encoding"
    assert says(game, "0 ~5c X1 X2") is None
    assert says(game, "0 5c X1 X2") is None  # as a set, three fives
    assert says(game, "0 5c 6c") == says(game, "0 ") == "not-a-set"
    game = table(("7c 7c 7d 7d 7h 7h 7s 7s X1", "3c", "4c"), **WILD, packs=2)
    nine = parse_cards("7c 7c 7d 7d 7h 7h 7s 7s X1")
    assert [game.fault(kind, 0, nine) for kind in (SET, BIG_SET)] == ["encoding", None]
    assert [game.fault(kind, 0, nine[:8]) for kind in (SET, BIG_SET)] == [None, "encoding"]
    assert {(SET, tuple(nine[:8])), (BIG_SET, tuple(nine))} < game.legal()


def test_a_high_joker_stands_in_for_nothing() -> None:
    """7-7-joker is no triple and 6-7-joker no straight where jokers are not wild."""
    assert says(table(("7c 7d X1", "3c", "4c"), **PREZYDENT), "0 7c 7d X1") == "not-a-set"
    assert says(table(("6c 7d X1", "3c", "4c"), **HIGH, straights=True), "0 ~6c 7d X1") == "not-a-straight"


@pytest.mark.parametrize(
    ("cards", "fault"),
    [
        ("~Qc Kd X1", None),
        ("~X1 Qc Kd", None),
        ("~Kd X1 X2", "not-a-straight"),
        ("~Ac 2d X1", "not-a-straight"),
        ("~X1 3c 4c", "not-a-straight"),
        ("~5c X1 8c", "not-a-straight"),
        ("~5c X1 X2 8c", None),
        ("~3c 4c X1", None),
        ("~X1 X1 X2", "not-a-straight"),
        ("~5c X1", "not-a-straight"),
        ("~4c 3c X1", "not-a-straight"),
    ],
)
def test_wild_straights(cards: str, fault: str | None) -> None:
    """A joker is the rank of its place, from 3 to A and no further, and fills no gap of two."""
    hand = "Qc Kd Ac 2d 3c 4c 5c 8c X1 X1 X2"
    assert says(table((hand, "6c", "7c"), **WILD, straights=True, packs=2), f"0 {cards}") == fault


def test_straights_beat_straights_of_their_length() -> None:
    """A straight is beaten by the higher top of the same length, is never matched, and meets no set, not even one 2."""
    changed: dict[str, Any] = {"straights": True, "equal_rank": EqualRank.SKIP, "twos": Twos.CLEAR_AND_ONE_BEATS_ANY}
    game = table(("5c 6c 7c 3c", "5d 6d 7d 8d 2c 9s 9h 9d", "4c"), "0 ~5c 6c 7c", **changed)
    assert says(game, "1 ~5d 6d 7d") == "too-low"
    assert says(game, "1 ~5d 6d 7d 8d") == "count"
    assert says(game, "1 ~6d 7d 8d") is None
    assert says(game, "1 2c") == "kind"
    assert says(game, "1 9d 9h 9s") == "kind"
    game = table(("X1 6c 7c 3c", "6d 7d 8d 2c", "4c"), "0 ~X1 6c 7c", "1 ~6d 7d 8d", **WILD, **changed)
    assert (game.skipped, game.turn) == (None, 2)
    assert says(table(("5c 6c 7c", "4c", "4d")), "0 ~5c 6c 7c") == "straight"


# --- turn, trick, leader


def test_order_of_the_faults() -> None:
    """What fails first is told first: the turn, a pass on the lead, the cards, the shape, the pile."""
    game = table(("3c 4c", "5c 6c", "7c 8c"))
    assert says(game, "1 -") == "turn"
    assert says(game, "0 -") == "pass-on-lead"
    assert says(game, "0 9c 3c") == "not-held"
    assert says(game, "0 4c 3c") == "not-a-set"
    with pytest.raises(ValueError, match="turn"):
        game.apply(PASS, 1, b"")
    with pytest.raises(ValueError, match="starts with a card"):
        table(("3c", ""))


def test_first_play_of_the_match() -> None:
    """The very first play may have to hold the 3♣; the second one and later rounds need not."""
    hands = ("3c 3d 4c", "5c 6c", "7c 8c")
    game = table(hands, first_play_3c=True, first_round=True)
    assert says(game, "0 3d") == says(game, "0 4c") == "first-play"
    assert says(game, "0 3c 3d") is None
    assert says(play(game, "0 3c"), "1 5c") is None
    assert says(play(game, "1 -", "2 -"), "0 4c") is None
    assert says(table(hands, first_play_3c=True), "0 4c") is None
    assert says(table(hands, first_round=True), "0 4c") is None


def test_open_pass_and_locking_pass() -> None:
    """With open passing the turn comes back to who passed; where a pass locks he is not asked again in the trick."""
    hands = ("3c 9c", "5c 6c", "4c 7d")
    opened = table(hands, "0 3c", "1 -", "2 4c", "0 -")
    assert (opened.turn, opened.play) == (1, 5)
    locking = table(hands, "0 3c", "1 -", "2 4c", "0 -", passing=Passing.LOCKS)
    assert (locking.turn, locking.trick, locking.closing) == (2, 2, "passes")


def test_an_out_players_last_card_waits_for_all() -> None:
    """After a last card everyone unlocked gets a turn, then the next holder leads although he had passed."""
    hands = ("3c 9c", "5c 6c", "4c", "8c 8d")
    game = table(hands, "0 3c", "1 -", "2 4c", passing=Passing.LOCKS)
    assert (game.turn, game.finishing) == (3, [2])
    play(game, "3 -", "0 -")
    assert (game.turn, game.trick, game.play, game.closing) == (3, 2, 1, "passes")


def test_the_last_one_unlocked_beats_an_out_player() -> None:
    """A play that leaves nobody able to answer ends the trick at once."""
    game = table(("3c 9c 5d", "5c 6c", "4c"), "0 3c", "1 -", "2 4c", "0 9c", passing=Passing.LOCKS)
    assert (game.turn, game.closing) == (0, "passes")


def test_clockwise_is_along_the_seating() -> None:
    """The turn follows the seating and not the numbers."""
    faces = [parse_cards(hand) for hand in ("3c 9c", "5c 6c", "4c 7d")]
    game = SecondRound(PLAIN, [2, 1, 0], faces, 0, first_round=False)
    assert play(game, "0 3c").turn == 2
    assert play(game, "2 4c").turn == 1


# --- equal rank


def test_skips() -> None:
    """A match skips the next seat once and does not lock it; a chain of sevens skips once each."""
    hands = ("7c 8c 3c", "7d 3d", "9c 3h 4h", "7h 4c")
    game = table(hands, "0 7c", "1 7d", equal_rank=EqualRank.SKIP, passing=Passing.LOCKS)
    assert (game.skipped, game.turn) == (2, 3)
    play(game, "3 7h")
    assert (game.skipped, game.turn) == (0, 1)
    play(game, "1 -")
    assert (game.skipped, game.turn) == (None, 2)
    assert play(game, "2 9c", "3 -").turn == 0  # both had been skipped


def test_a_skip_hits_who_would_have_played() -> None:
    """Locked seats and those that are out are passed over, a seat with a match is hit too, or nobody is left to hit."""
    changed: dict[str, Any] = {"equal_rank": EqualRank.SKIP, "passing": Passing.LOCKS}
    game = table(("6c", "7c 4c", "7d 3c", "9c 4d", "Tc 7h 5c"), "0 6c", "1 7c", "2 -", "3 -", "4 7h", **changed)
    assert (game.skipped, game.closing, game.turn) == (1, "passes", 4)
    game = table(("7c", "8c 4c", "7d 3c"), "0 7c", "1 -", "2 7d", **changed)
    assert (game.skipped, game.closing, game.turn) == (None, "passes", 2)
    assert table(("7c 3c", "7d 3d", "7h 3h"), "0 7c", "1 7d", **changed).skipped == 2
    assert says(table(("7c 3c", "6d 3d", "7h 3h"), "0 7c", **changed), "1 6d") == "too-low"


def test_a_last_card_still_skips() -> None:
    """Who goes out by a match skips the next seat all the same, and with two left nobody answers."""
    game = table(("7c 3c", "7d", "9c 3d"), "0 7c", "1 7d", equal_rank=EqualRank.SKIP)
    assert (game.skipped, game.turn, game.finishing) == (2, 0, [1])
    play(game, "0 -")
    assert (game.turn, game.closing) == (2, "passes")
    game = table(("7c 3c", "7d 4d"), "0 7c", "1 7d", equal_rank=EqualRank.SKIP)
    assert (game.skipped, game.closing, game.turn) == (0, "passes", 1)


def test_skip_if_unable() -> None:
    """Only a seat without the whole count of the rank is skipped, stand-ins counted."""
    for third, skipped in (("7s X1 4c", None), ("7s 8d 4c", 2), ("X1 X2 4c", 2)):
        game = table(("7c 7d 3c", "7h X2 3d", third), "0 7c 7d", equal_rank=EqualRank.SKIP_IF_UNABLE, **WILD)
        assert play(game, "1 7h X2").skipped == skipped
    game = table(("7c 7d 3c", "7h 7s 3d", "7s X1 4c"), "0 7c 7d", equal_rank=EqualRank.SKIP_IF_UNABLE, packs=2, **HIGH)
    assert play(game, "1 7h 7s").skipped == 2
    game = table(("7c 3c", "8d 3d", "7d 4c"), "0 7c", "1 -", "2 7d", equal_rank=EqualRank.SKIP_IF_UNABLE)
    assert (game.skipped, game.turn) == (0, 1)
    for third, skipped in (("X1 4c", None), ("2c 4c", 2)):
        game = table(("X1 3c", "X2 3d", third), equal_rank=EqualRank.SKIP_IF_UNABLE, packs=2, **HIGH)
        assert play(game, "0 X1", "1 X2").skipped == skipped


def test_a_match_that_can_no_longer_be_matched() -> None:
    """Whether the next seat could match is read under the order after the play: the threes have just become the top."""
    hands = ("9c 9d 9h 9s 3c 3d 3h X1 5c", "3c 3d 3h X1 5d", "3s 3s X2 X2 5h")
    game = table(
        hands,
        *("0 9c 9d 9h 9s", "1 -", "2 -", "0 3c 3d 3h X1", "1 3c 3d 3h X1"),
        **WILD,
        equal_rank=EqualRank.SKIP_IF_UNABLE,
        top_rank_matchable=False,
        revolution=Revolution.ROUND,
        packs=2,
    )
    assert (game.reversed, game.skipped) == (True, 2)


def test_burn_and_the_top_rank() -> None:
    """A match may burn the pile; where the top rank is unmatchable this is the 2, turned over the 3, and the joker."""
    game = table(("7c 3c", "7d 4d", "9c 5d"), "0 7c", "1 7d", equal_rank=EqualRank.BURN)
    assert (game.closing, game.turn) == ("burn", 1)
    changed = {"equal_rank": EqualRank.SKIP, "top_rank_matchable": False, "revolution": Revolution.ROUND, **HIGH}
    hands = ("4c 4d 4h 4s 2c 3c X1", "2d 3d X2 6c", "9c")
    assert says(table(hands, "0 2c", **changed), "1 2d") == "too-low"
    assert says(table(hands, "0 X1", **changed), "1 X2") == "too-low"
    turned = ("0 4c 4d 4h 4s", "1 -", "2 -")
    assert says(table(hands, *turned, "0 2c", **changed), "1 2d") is None
    assert says(table(hands, *turned, "0 3c", **changed), "1 3d") == "too-low"


# --- completed ranks


def test_four_of_a_rank_clear() -> None:
    """The natural cards of a rank count over several plays and in one; a stand-in does not."""
    changed = {"completed_rank": CompletedRank.CLEAR, "equal_rank": EqualRank.SKIP, **WILD}
    game = table(("7c 7d 3c", "7h 7s 4c", "9c"), "0 7c 7d", "1 7h 7s", **changed)
    assert (game.closing, game.turn, game.skipped) == ("completed", 1, None)
    assert table(("7c 7d 7h 7s 3c", "4c", "9c"), "0 7c 7d 7h 7s", **changed).closing == "completed"
    assert table(("7c 7d 7h X1 3c", "4c", "9c"), "0 7c 7d 7h X1", **changed).closing is None


def test_all_of_a_rank_over_several_plays() -> None:
    """Pair on pair and joker on joker close the pile, a quad in one play does not."""
    hands = ("7c 7d X1 3c 5c 5d 5h 5s", "7h 7s X2 4c", "9c")
    assert table(hands, "0 7c 7d", "1 7h 7s", **LE_PRESIDENT).closing == "completed"
    assert table(hands, "0 X1", "1 X2", **LE_PRESIDENT).closing == "completed"
    assert table(hands, "0 5c 5d 5h 5s", **LE_PRESIDENT).closing is None
    assert table(hands, "0 7c", "1 7h", **LE_PRESIDENT).closing is None
    assert table(("3c X1 4c", "X2 4d", "9c"), "0 3c", "1 X2", "2 -", "0 X1", **LE_PRESIDENT).closing == "completed"


# --- revolution


def test_a_revolution_is_compared_before_it_flips() -> None:
    """After four aces four fours are higher, and four of the old order's higher rank are not."""
    hands = ("Ac Ad Ah As 3c", "4c 4d 4h 4s 5c", "2c 2d 2h 2s 6c")
    game = table(hands, "0 Ac Ad Ah As", revolution=Revolution.ROUND)
    assert game.reversed
    play(game, "1 -")
    assert says(game, "2 2c 2d 2h 2s") == "too-low"
    game = table(hands, "0 Ac Ad Ah As", "1 4c 4d 4h 4s", "2 2c 2d 2h 2s", revolution=Revolution.ROUND)
    assert game.reversed


def test_a_revolution_of_a_trick() -> None:
    """The order turns back when the trick closes, or stays for the round; a quad that goes out leaves it turned."""
    hands = ("Ac Ad Ah As", "4c 5c", "2c 6c")
    for changed, stays in ((Revolution.ROUND, True), (Revolution.TRICK, False)):
        game = table(hands, "0 Ac Ad Ah As", revolution=changed)
        assert game.reversed
        assert play(game, "1 -", "2 -").reversed is stays


def test_what_makes_no_revolution() -> None:
    """Four jokers and a long straight turn nothing over, three of a rank with a joker do; jokers stay on top."""
    changed = {**WILD, "straights": True, "revolution": Revolution.ROUND, "packs": 2}
    hands = ("X1 X1 X2 X2 5c 6c 7c 8c 9c 9d 9h", "3c 4c X1", "Tc")
    assert not table(hands, "0 X1 X1 X2 X2", **changed).reversed
    assert not table(hands, "0 ~5c 6c 7c 8c", **changed).reversed
    assert not table(hands, "0 9c 9d 9h X1", **WILD).reversed
    game = table(hands, "0 9c 9d 9h X1", "1 -", "2 -", "0 8c", **changed)
    assert game.reversed
    assert says(game, "1 3c") is None
    assert says(play(game, "1 3c", "2 -", "0 X1"), "1 X1") == "too-low"


# --- jokers and twos that ignore the count


def test_a_trump_joker() -> None:
    """One joker beats four twos; nothing beats or matches it, and the others still pass one by one."""
    assert says(table(("9c 9d 3c", "6c 6d"), "0 9c 9d", **PREZYDENT), "1 6c 6d") == "too-low"
    game = table(("2c 2d 2h 2s 3c", "X1 3d", "X2 4c 4d"), "0 2c 2d 2h 2s", "1 X1", **PREZYDENT)
    assert (game.closing, game.turn) == (None, 2)
    assert says(game, "2 X2") == "too-low"
    assert says(game, "2 4c 4d") == "count"
    assert play(game, "2 -", "0 -").turn == 1
    pair = table(("X1 X2 3c", "X1 4d", "5c"), "0 X1 X2", packs=2, **PREZYDENT)
    assert says(pair, "1 X1") is None
    skips: dict[str, Any] = {**HIGH, "lone_joker": LoneJoker.TRUMP, "equal_rank": EqualRank.SKIP, "packs": 2}
    assert table(("7c 3c", "7d 4d", "6c"), "0 7c", "1 7d", **skips).skipped == 2
    hands = ("X1 X2 3c", "X1 4d", "X2 6c")
    game = table(hands, "0 X1 X2", "1 X1", **skips)
    assert (game.skipped, game.turn) == (None, 2)  # it beat the pair and is no match
    assert says(game, "2 X2") == "too-low"


def test_one_two_beats_anything() -> None:
    """A single 2 lies on a pair and clears, also turned over; two of them have no privilege, nor one against jokers."""
    changed = {**WILD, "twos": Twos.CLEAR_AND_ONE_BEATS_ANY, "revolution": Revolution.ROUND}
    hands = ("Kc Kd Kh Ks 6c 6d X1 X2", "2c 2d 4d", "5c")
    game = table(hands, "0 6c 6d", "1 2c", **changed)
    assert (game.closing, game.turn) == ("twos", 1)
    assert says(table(hands, "0 Kc Kd Kh Ks", **changed), "1 2c 2d") == "count"
    assert says(game, "1 4d") is None
    hands = ("Kc Kd Kh Ks 6c 6d X1 X2 X1", "2c 2d 4d Ac X2", "5c")
    assert says(table(hands, "0 6c 6d", **changed), "1 Ac") == "count"
    assert says(table(hands, "0 Kc Kd Kh", **changed), "1 2c X2") == "count"
    assert says(table(hands, "0 X1", **changed), "1 2c") == "too-low"
    assert says(table(hands, "0 X1 X2", **changed), "1 2c") == "count"
    turned = table(hands, "0 Kc Kd Kh Ks", "1 -", "2 -", "0 6c 6d", **changed)
    assert says(turned, "1 2c 2d") == "too-low"
    assert says(turned, "1 2c") is None


def test_wild_twos() -> None:
    """Fewer twos beat more of anything but jokers, twos against twos need more, and the count is the last play's."""
    hands = ("Kc Kd Kh Ks X1 3c", "2c 2d 2h X2 Ac", "2s Qc Ah As", "4c 4d")
    game = table(hands, "0 Kc Kd", **WILD_TWOS)
    assert says(game, "1 2c 2d 2h") == "count"
    assert says(play(game, "1 2c"), "2 2s") == "too-low"
    assert says(game, "2 Ah As") == "count"
    game = table(hands, "0 Kc Kd Kh Ks", "1 2c 2d", "2 -", "3 -", "0 X1", **WILD_TWOS)
    assert (game.closing, game.turn) == ("sweep", 0)
    assert says(table(hands, "0 Kc", "1 Ac", "2 2s", "3 -", "0 -", **WILD_TWOS), "1 2c X2") is None


def test_two_jokers_and_a_standing_joker() -> None:
    """No twos beat a pair of jokers; a lone joker sweeps also on the lead, and as a last card stands to be beaten."""
    game = table(("X1 X2 3c", "2c 2d 2h", "4c"), "0 X1 X2", **WILD_TWOS)
    assert says(game, "1 2c 2d") == "too-low"
    assert says(game, "1 2c 2d 2h") == "count"
    assert table(("X1 3c", "5c", "4c"), "0 X1", **WILD_TWOS).closing == "sweep"
    game = table(("X1", "X2 2c 5c", "4c 4d"), "0 X1", **WILD_TWOS)
    assert (game.closing, game.turn) == (None, 1)
    assert says(game, "1 2c") == "too-low"
    assert play(game, "1 X2").closing == "sweep"
    game = table(("X1", "X2", "4c 4d", "5c"), "0 X1", "1 X2", **WILD_TWOS)
    assert (game.closing, game.skipped, game.turn) == (None, None, 2)


def test_a_lone_joker_as_two() -> None:
    """Under always-match a lone joker equals a single 2, a pair of jokers is above a pair of twos."""
    hands = ("2c 2d Ac 3c", "X1 X2 2h", "4c")
    changed = {**WILD, "lone_joker": LoneJoker.AS_TWO}
    assert says(table(hands, "0 2c", **changed), "1 X1") == "too-low"
    assert says(table(hands, "0 2c 2d", **changed), "1 X1 X2") is None
    assert says(play(table(hands, "0 Ac", **changed), "1 X1", "2 -"), "0 2c") == "too-low"


# --- going out


def test_going_out_on_a_two_drops() -> None:
    """The first offender is last, the next one above; the last holder takes what is left, a literal 2 always counts."""
    changed = {"going_out": GoingOut.DROPS, "revolution": Revolution.ROUND, **WILD}
    game = table(("2c 2d 2h 2s", "Kc 9c", "7c", "8c X1"), "0 2c 2d 2h 2s", **changed)
    assert (game.finishing, game.reversed) == ([0], True)
    play(game, "1 -", "2 -", "3 -", "1 9c", "2 7c", "3 -", "1 -")
    assert (game.turn, game.finishing) == (3, [2, 0])
    play(game, "3 8c", "1 -", "3 X1")
    assert (game.over, game.turn, game.finishing) == (True, -1, [2, 1, 3, 0])
    assert table(("2c", "3c", "4c"), "0 2c", "1 -", "2 -", "1 3c").finishing == [0, 1, 2]
    assert says(game, "1 -") == "round-over"


def test_a_round_that_ends_keeps_what_closed_it() -> None:
    """The last play's own reason stands, and no trick ends after it; with all others dropped the holder is first."""
    game = table(("3c 5c", "2c"), "0 3c", "1 2c", going_out=GoingOut.DROPS, twos=Twos.CLEAR)
    assert (game.finishing, game.closing, game.trick, game.play) == ([0, 1], "twos", 1, 3)
    assert not game.legal()


def test_legal_plays_of_a_hand() -> None:
    """Every lawful action is found once: sets, straights with jokers at every place, and the pass off the lead."""
    game = table(("5c 5d X1", "6c 7d X2", "4c"), **WILD, straights=True)
    written = {"5c", "5d", "X1", "5c 5d", "5c X1", "5d X1", "5c 5d X1"}
    assert game.legal() == {(SET, tuple(parse_cards(cards))) for cards in written}
    game = table(("5c 5d X1", "6c 7d X2", "4c"), "0 5c", **WILD, straights=True)
    assert game.legal() == {(PASS, ()), *((SET, tuple(parse_cards(cards))) for cards in ("6c", "7d", "X2"))}
    game = table(("6c 7d X2", "5c", "4c"), **WILD, straights=True)
    game = table(("3s 4c 6d X1 X2", "9c", "Tc"), **WILD, straights=True)
    straights = {cards for kind, cards in game.legal() if kind == STRAIGHT}
    texts = "3s 4c X1, 3s 4c X2, 3s 4c X1 X2, 3s 4c X1 6d, 3s 4c X2 6d, 3s 4c X1 6d X2, 3s X1 X2, 3s X1 X2 6d"
    texts += ", 4c X1 X2, X1 4c X2, 4c X1 6d, 4c X2 6d, 4c X1 6d X2, X1 4c X2 6d, 6d X1 X2, X1 6d X2, X1 X2 6d"
    assert straights == {tuple(parse_cards(text)) for text in texts.split(", ")}


# --- any round


@st.composite
def rulesets(draw: st.DrawFn) -> Rules:
    """Return one of some rulesets that differ in all that the play of a round looks at."""
    named = draw(st.sampled_from([{}, WILD, PREZYDENT, LE_PRESIDENT, WILD_TWOS]))
    free: dict[str, Any] = {
        "equal_rank": st.sampled_from([EqualRank.SKIP, EqualRank.SKIP_IF_UNABLE, EqualRank.BURN]),
        "completed_rank": st.sampled_from([CompletedRank.IGNORE, CompletedRank.CLEAR]),
        "revolution": st.sampled_from(Revolution),
        "going_out": st.sampled_from(GoingOut),
        "passing": st.sampled_from(Passing),
    }
    extra = draw(st.fixed_dictionaries({}, optional=free)) if named in ({}, WILD) else {}
    straights = draw(st.booleans()) and named in ({}, WILD)
    return replace(PLAIN, **{**named, **extra, "straights": straights})


@settings(deadline=None, max_examples=60)
@given(rulesets(), st.integers(2, 5), st.data())
def test_every_round_comes_to_an_end(rules: Rules, seats: int, data: st.DataObject) -> None:
    """Someone always has a lawful action, no card is lost, and every seat gets one place."""
    high = data.draw(st.permutations(range(34, 52 + rules.jokers_per_pack)))
    hands = [list(high[seat::seats])[:6] for seat in range(seats)]
    seating = data.draw(st.permutations(range(seats)))
    game = SecondRound(rules, seating, hands, data.draw(st.sampled_from(seating)), first_round=False)
    dealt = sorted(face for hand in hands for face in hand)
    laid: list[int] = []
    while not game.over:
        kind, cards = data.draw(st.sampled_from(sorted(game.legal())))
        game.apply(kind, game.turn, cards)
        laid += cards
        assert sorted(laid + [face for hand in game.hands for face in hand]) == dealt
    assert sorted(game.finishing) == list(range(seats))
