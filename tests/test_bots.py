"""Bots: whatever they choose is lawful and follows from what they may see, and each level beats the one below it.

`python -m pytest tests/test_bots.py -m full -s` plays 2,000 matches of each two levels and prints by how much.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import sqrt
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.bots import LEVELS, POLICY, choose_action, choose_return
from fairdeal.cards import format_cards, parse_cards
from fairdeal.commit import bot_stream
from fairdeal.deal import hands_of_round
from fairdeal.draws import Draws
from fairdeal.errors import Misuse
from fairdeal.exchange import Exchanging, best_cards
from fairdeal.hands import count_hand, hand_cards
from fairdeal.hashing import tagged_hash
from fairdeal.law import Law
from fairdeal.legal import legal_shapes
from fairdeal.limits import BOT_BLOCK_BYTES
from fairdeal.match import Match
from fairdeal.play import Round
from fairdeal.records import Exchange, set_action
from fairdeal.ruleset import load_preset
from fairdeal.settings import GoingOut, Rules, SeatKind
from fairdeal.tactics import Tactics
from fairdeal.view import Seen, seen_by
from tests.random_rules import played_at_random, random_round, random_rules
from tests.strategies import octets, some

EASY, MEDIUM, HARD = LEVELS
PRESETS = ("president", "party", "prezydent", "le-president", "wild-twos", "wild-joker", "always-match")
PRESIDENT = load_preset("president").resolve(4)
BLOCK = bytes(BOT_BLOCK_BYTES)
DRAWS = octets(32).map(Draws)
BLOCKS = octets(BOT_BLOCK_BYTES)
CERTAIN = 2.576  # half the width of a 99 % interval, in standard errors


# --- rounds and matches of bots


def stops(draws: Draws, seats: int) -> Iterator[Round]:
    """Yield the states of a round by random rules, with small hands or whole ones, played at random."""
    rules = random_rules(draws, seats)
    state, _ = random_round(draws, rules, seats, draws.choose([None, 4, 9]))
    for before, _ in played_at_random(state, draws):
        yield before


def a_stop(draws: Draws, seats: int) -> Round:
    """Return one of those states."""
    return draws.choose([state.copy() for state in stops(draws, seats)])


class Table(NamedTuple):
    """A table of bots: the rules, and the level of each seat."""

    rules: Rules
    levels: tuple[SeatKind, ...]

    def rounds(self, number: int, rounds: int) -> Iterator[tuple[int, ...]]:
        """Yield the finishing places of each round of match `number`, every decision drawn from its own block."""
        seats = len(self.levels)
        match = Match(self.rules, seats, rounds)
        mixed = tagged_hash("bots", number)
        for one in range(1, rounds + 1):
            seed = tagged_hash("bots", number, one)
            streams = [bot_stream(seed, mixed, one, seat) for seat in range(seats)]
            blocks = [iter([s[at : at + BOT_BLOCK_BYTES] for at in range(0, len(s), BOT_BLOCK_BYTES)]) for s in streams]
            order = match.dealing_order()
            dealt = hands_of_round(seed, mixed, one, order, self.rules.packs, self.rules.jokers_per_pack)
            hands = [count_hand(cards) for cards in dealt]
            self.exchange(Exchanging(hands, match.swaps()), blocks)
            state = match.start_round(hands, order)
            while not state.over:
                seat = state.turn
                action = choose_action(self.levels[seat], seen_by(state, seat), next(blocks[seat]))
                assert state.step(action) is None
            places = match.places(state.finishing)
            match.end_round(places, match.points(places))
            yield places

    def exchange(self, gifts: Exchanging, blocks: list[Iterator[bytes]]) -> None:
        """Make every gift that is due."""
        while gifts.due:
            swap = gifts.due[0]
            hand, block = gifts.hands[swap.giver], next(blocks[swap.giver])
            level = self.levels[swap.giver]
            cards = best_cards(hand, swap.size) if swap.tribute else choose_return(level, hand, swap.size, block)
            gift = Exchange(swap.giver, swap.receiver, cards)
            assert gifts.fault(gift) is None
            gifts.apply(gift)


def lead(rules: Rules, better: SeatKind, worse: SeatKind, matches: int) -> tuple[float, float]:
    """Return how many points a round `better` has more than `worse`, and half the width of the 99 % interval.

    Two of the four seats are of either level, in every arrangement in turn; a point is a place beaten. Matches have
    five rounds.
    """
    arrangements = list(combinations(range(4), 2))
    gained = []
    for number in range(matches):
        mine = arrangements[number % len(arrangements)]
        table = Table(rules, tuple(better if seat in mine else worse for seat in range(4)))
        rounds = [sum(-p if seat in mine else p for seat, p in enumerate(one)) / 2 for one in table.rounds(number, 5)]
        gained.append(sum(rounds) / len(rounds))
    mean = sum(gained) / matches
    spread = sqrt(sum((one - mean) ** 2 for one in gained) / (matches - 1))
    return mean, CERTAIN * spread / sqrt(matches)


# --- what holds of every choice


@settings(some, max_examples=30)
@given(DRAWS, st.integers(3, 8), st.sampled_from(LEVELS), BLOCKS)
def test_choices_are_lawful(draws: Draws, seats: int, level: SeatKind, block: bytes) -> None:
    """By any rules, at any table, every level chooses one of the lawful shapes, and the same one again."""
    for state in stops(draws, seats):
        seen = seen_by(state, state.turn)
        action = choose_action(level, seen, block)
        assert state.fault(action) is None
        assert action in legal_shapes(state)
        assert action == choose_action(level, seen, block)


@some
@given(DRAWS, st.integers(3, 8), st.sampled_from(LEVELS), BLOCKS)
def test_choices_change_nothing(draws: Draws, seats: int, level: SeatKind, block: bytes) -> None:
    """To choose leaves the round, what is seen of it and a hand as they were."""
    state = a_stop(draws, seats)
    seen = seen_by(state, state.turn)
    choose_action(level, seen, block)
    fresh = seen_by(state, state.turn)
    assert seen.unseen == fresh.unseen
    assert seen.seat == fresh.seat
    assert all(getattr(seen.state, name) == getattr(fresh.state, name) for name in Round.__slots__)
    hand = bytes(state.hands[state.turn])
    counted = bytearray(hand)
    choose_return(level, counted, 1, block)
    assert counted == hand


@some
@given(DRAWS, st.integers(3, 8), st.sampled_from(LEVELS), BLOCKS)
def test_no_peeking(draws: Draws, seats: int, level: SeatKind, block: bytes) -> None:
    """The choice is the same however the hidden cards lie in the other hands."""
    state = a_stop(draws, seats)
    seat = state.turn
    hidden = [face for one, hand in enumerate(state.hands) if one != seat for face in hand_cards(hand)]
    other = state.copy()
    for one, size in enumerate(state.sizes):
        if one != seat:
            other.hands[one] = count_hand(bytes(hidden.pop(draws.below(len(hidden))) for _ in range(size)))
    assert not hidden
    assert choose_action(level, seen_by(state, seat), block) == choose_action(level, seen_by(other, seat), block)


@some
@given(DRAWS, st.integers(3, 8), BLOCKS, BLOCKS)
def test_only_easy_draws(draws: Draws, seats: int, block: bytes, other: bytes) -> None:
    """At the levels medium and hard the block decides nothing."""
    state = a_stop(draws, seats)
    seen, hand = seen_by(state, state.turn), state.hands[state.turn]
    size = 1 + draws.below(state.sizes[state.turn])
    for level in (MEDIUM, HARD):
        assert choose_action(level, seen, block) == choose_action(level, seen, other)
        assert choose_return(level, hand, size, block) == choose_return(level, hand, size, other)


@some
@given(DRAWS, st.integers(3, 8), st.sampled_from(LEVELS), BLOCKS)
def test_returns_are_lawful(draws: Draws, seats: int, level: SeatKind, block: bytes) -> None:
    """A return is of cards held, as many as are due, in ascending order; the same again for the same hand."""
    hand = a_stop(draws, seats).hands[0]
    for size in range(1, sum(hand) + 1):
        cards = choose_return(level, hand, size, block)
        assert len(cards) == size
        assert bytes(sorted(cards)) == cards
        assert all(count <= held for count, held in zip(count_hand(cards), hand, strict=True))
        assert cards == choose_return(level, bytes(hand), size, block)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seats", range(3, 9))
def test_every_preset_is_played(preset: str, seats: int) -> None:
    """Tables of all levels play every preset at every number of seats it has, to the end of every round."""
    ruleset = load_preset(preset)
    if not ruleset.min_seats <= seats <= ruleset.max_seats:
        with pytest.raises(Misuse):
            ruleset.resolve(seats)
        return
    table = Table(ruleset.resolve(seats), tuple(LEVELS[seat % 3] for seat in range(seats)))
    for places in table.rounds(seats, 2):
        assert sorted(places) == list(range(1, seats + 1))


# --- each level in scenes


def scene(cards: str, *others: str, played: str = "", rules: Rules | None = None) -> Seen:
    """Return what seat 0 sees with these cards in the hands, where `played` is what the last seat led, if anything."""
    hands = [count_hand(parse_cards(hand)) for hand in (cards, *others)]
    for face in parse_cards(played):
        hands[-1][face] += 1
    state = Round(Law(rules or PRESIDENT), range(len(hands)), hands, len(others) if played else 0)
    if played:
        state.apply(set_action(len(others), parse_cards(played)))
    return seen_by(state, 0)


def chosen(level: SeatKind, seen: Seen, number: int = 0) -> str:
    """Return the cards that a bot plays, nothing for a pass."""
    return format_cards(choose_action(level, seen, number.to_bytes(BOT_BLOCK_BYTES, "big")).cards)


def test_easy_draws_by_the_number_of_its_block() -> None:
    """Level easy takes the candidate whose number the block leaves as remainder."""
    seen = scene("4c 4d 9h Ks", "3c 3d", "5c 5d", played="3h")
    assert [chosen(EASY, seen, number) for number in range(6)] == ["", "4c", "9h", "Ks", "", "4c"]
    assert chosen(EASY, seen, 2**128 - 1) == "Ks"


def test_easy_returns_by_the_digits_of_its_block() -> None:
    """Level easy draws one card after the other from those left."""
    hand = count_hand(parse_cards("3c 4d 9h Ks"))
    for number, cards in ((0, "3c 4d"), (1, "3c 4d"), (3, "3c Ks"), (3 + 4 * 2, "9h Ks"), (12, "3c 4d")):
        assert choose_return(EASY, hand, 2, number.to_bytes(BOT_BLOCK_BYTES, "big")) == parse_cards(cards)


@pytest.mark.parametrize(
    ("cards", "played", "expected"),
    [
        ("4c 4d 5c Ks", "", "4c 4d"),
        ("4c 4d 5c Ks", "3h", "4c"),
        ("4c 4d 5c Ks", "4h", "5c"),
        ("4c 4d 5c Ks", "Kh Kd", ""),
        ("4c 6c 6d 6h", "5h 5s", "6c 6d"),
    ],
)
def test_medium_plays_the_lowest(cards: str, played: str, expected: str) -> None:
    """Level medium leads all of its lowest rank, follows with the lowest that beats, and passes only if none does."""
    assert chosen(MEDIUM, scene(cards, "3c 3d 3s", "5d Qh Qd", played=played)) == expected


def test_medium_keeps_jokers() -> None:
    """A wild joker stands in only where nothing else beats."""
    rules = load_preset("wild-joker").resolve(3)
    assert chosen(MEDIUM, scene("6c Kc Kd X1", "3c 3d 3s", "7d", played="5h 5s", rules=rules)) == "Kc Kd"
    assert chosen(MEDIUM, scene("6c Kc X1", "3c 3d 3s", "7d", played="5h 5s", rules=rules)) == "6c X1"
    assert chosen(MEDIUM, scene("X1 X2 8c", "3c 3d 3s", "7d", rules=rules)) == "8c"


def test_hard_goes_out_if_it_can() -> None:
    """Level hard plays its last cards, whatever they are."""
    assert chosen(HARD, scene("6c 6d", "3c 3d 3s", "7d 7h")) == "6c 6d"
    assert chosen(HARD, scene("2c", "3c 3d 3s", "7d 7h", played="Kh")) == "2c"


def test_hard_runs_out_on_what_nobody_beats() -> None:
    """With one weak set left beside winners, level hard plays the winners first and the weak set last."""
    others = ("3d Kc Kh", "5d 6h")
    assert chosen(HARD, scene("3c Ac", *others)) == "Ac"
    assert chosen(HARD, scene("3c 2c 2d", *others)) != "3c"
    assert chosen(HARD, scene("3c 2d", *others, played="Kd")) == "2d"
    assert chosen(MEDIUM, scene("3c Ac", *others)) == "3c"


def test_hard_keeps_sets_and_winners() -> None:
    """With a long way to go level hard neither breaks a set nor spends a winner on a low card."""
    others = ("3s 5d 7d 8h 9c Tc Td Qc Kh Kd", "4s 5h 6h 8c 9d Th Jh Jd Qd Ah")
    assert chosen(HARD, scene("3c 4c 6c 7c 9h 2c 2s", *others, played="Kc")) == ""
    assert chosen(HARD, scene("3c 4c 6c 7c 9h Js Qs 2c 2s", *others, played="5s")) == "6c"


def test_hard_leads_what_the_nearly_finished_cannot_follow() -> None:
    """With an opponent about to go out on a single, level hard leads its pair, though it has a lower card."""
    assert chosen(HARD, scene("3c 5c 5d 8c 9c", "Ks", "4c 4d 6c 7h 7c Jc Ah")) == "5c 5d"


@pytest.mark.parametrize("others", [("5d 6h", "7d 9h"), ("5d 6h 7d 9h Kc", "6c 7c 9d Qh Kd")])
def test_hard_leads_straights(others: tuple[str, ...]) -> None:
    """A straight is rid of three sets at once; where no hand has as many cards it is as good as unbeatable."""
    rules = replace(PRESIDENT, straights=True)
    assert chosen(HARD, scene("3c 4d 5h 8c", *others, rules=rules)) == "3c 4d 5h"


def test_hard_goes_out_on_no_card_that_costs_the_place() -> None:
    """Where a last 2 costs the place, level hard is rid of its 2s while other cards are left, and passes before it."""
    drops = replace(PRESIDENT, going_out=GoingOut.DROPS)
    others = ("3d 5c 5h", "6h Kc 9h")
    assert chosen(HARD, scene("3c 2c", *others, rules=drops)) == "2c"
    assert chosen(HARD, scene("3c 2c", *others, played="3h", rules=drops)) == "2c"
    assert chosen(HARD, scene("2c", *others, played="Kh", rules=drops)) == ""
    assert chosen(HARD, scene("4c 2c", *others, played="3h", rules=drops)) == "2c"


def test_hard_returns_what_it_needs_least() -> None:
    """Level hard gives lone low cards, then whole low sets, and breaks a set only if nothing else fits."""
    hand = count_hand(parse_cards("3c 3d 5h Tc Jd Qh Qs 2c"))
    gifts = ("5h", "5h Tc", "3c 5h Tc", "3c 3d 5h Tc", "3c 3d 5h Tc Jd")
    for size, cards in enumerate(gifts, 1):
        assert choose_return(HARD, hand, size, BLOCK) == parse_cards(cards)
        assert choose_return(MEDIUM, hand, size, BLOCK) == hand_cards(hand)[:size]


def test_example_of_the_specification() -> None:
    """The candidates, penalties and choices of the example are those that SPEC, "Bots", works out."""
    seen = scene("4c 4d 9h Ks", "3c 3d Kd 2h", "5c Qh Ac", played="8h")
    penalties = {format_cards(one.cards): Tactics(seen).penalty(one) for one in legal_shapes(seen.state)}
    assert penalties == {"": 104, "9h": 21, "Ks": 32}
    block = 0x5372CC71B9A8F67A6865DE594D45B251
    assert [chosen(level, seen, block) for level in LEVELS] == ["Ks", "9h", "9h"]


# --- refusals


@pytest.mark.parametrize("level", [SeatKind.HUMAN, SeatKind.BOT])
def test_no_policy(level: SeatKind) -> None:
    """A human, or a bot of no stated level, has no policy."""
    with pytest.raises(Misuse, match=f"level `{level}` has no policy"):
        choose_action(level, scene("3c", "4c", "5c"), BLOCK)
    with pytest.raises(Misuse, match=f"level `{level}` has no policy"):
        choose_return(level, count_hand(b"\0"), 1, BLOCK)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("length", [0, BOT_BLOCK_BYTES - 1, BOT_BLOCK_BYTES + 1])
def test_no_block(level: SeatKind, length: int) -> None:
    """A block of another length is refused at every level, also where nothing is drawn from it."""
    with pytest.raises(Misuse, match=f"16 bytes, not {length}"):
        choose_action(level, scene("3c", "4c", "5c"), bytes(length))
    with pytest.raises(Misuse, match=f"16 bytes, not {length}"):
        choose_return(level, count_hand(b"\0"), 1, bytes(length))


# --- the policy stays what it is, and how well it plays


def test_policy_is_pinned() -> None:
    """What policy 1 chose in 24 rounds by random rules, and why, stays so for ever: anything else is another policy."""
    choices = bytearray()
    for number in range(24):
        draws = Draws(tagged_hash("pinned", number))
        for state in stops(draws, 3 + number % 6):
            block = draws.take(BOT_BLOCK_BYTES)
            seen, hand = seen_by(state, state.turn), state.hands[state.turn]
            size = 1 + draws.below(sum(hand))
            for level in LEVELS:
                action = choose_action(level, seen, block)
                choices += bytes([action.kind, *action.cards, *choose_return(level, hand, size, block)])
            tactics = Tactics(seen)
            for shape in legal_shapes(state):
                choices += tactics.penalty(shape).to_bytes(4, "big", signed=True)
    assert POLICY == 1
    assert tagged_hash("choices", bytes(choices)).hex()[:16] == "8f62b8c9e448a561"


@pytest.mark.parametrize(("better", "worse"), [(HARD, MEDIUM), (MEDIUM, EASY)])
def test_levels_differ(better: SeatKind, worse: SeatKind) -> None:
    """At a table of two and two the higher level is ahead, beyond what chance explains."""
    mean, half = lead(PRESIDENT, better, worse, 30)
    assert mean > half


@pytest.mark.full
@pytest.mark.parametrize(("better", "worse"), [(HARD, MEDIUM), (MEDIUM, EASY)])
@pytest.mark.parametrize("preset", PRESETS)
def test_levels_differ_in_two_thousand_matches(
    preset: str, better: SeatKind, worse: SeatKind, capsys: pytest.CaptureFixture[str]
) -> None:
    """By every preset the higher level is ahead; prints by how many places beaten a round, with the 99 % interval."""
    mean, half = lead(load_preset(preset).resolve(4), better, worse, 2_000)
    with capsys.disabled():
        sys.stdout.write(f"\n  {preset:<14} {better:<6} - {worse:<6} {mean:+.3f} ± {half:.3f}\n")
    assert mean > half
