"""Random tables: valid rulesets of any kind, deals, and rounds played at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fairdeal.cards import fresh_cards
from fairdeal.draws import Draws
from fairdeal.hands import count_hand
from fairdeal.law import Law
from fairdeal.play import Round
from fairdeal.playable import conflicts
from fairdeal.players import random_legal
from fairdeal.records import Action
from fairdeal.ruleset import Ruleset, load_preset
from fairdeal.settings import ENUM_SETTINGS, FLAG_SETTINGS, Joker, LoneJoker, MatchEnd, Rules, Ties

_BASE = load_preset("president")
ROUNDS = 3
POWERS = ("twos", "equal_rank", "completed_rank", "revolution", "straights", "lone_joker", "going_out")


def random_rules(draws: Draws, seats: int) -> Rules:
    """Return rules for a table of `seats` in which every setting is drawn, and that do not contradict themselves."""
    plain = _BASE.resolve(seats)
    while True:
        values: dict[str, Any] = {name: draws.choose(list(kind)) for name, kind in ENUM_SETTINGS.items()}
        values |= {name: draws.choose([False, True]) for name in FLAG_SETTINGS}
        # many powers exclude each other: with most of them off the rarer ones come up too
        most = draws.below(4)
        values |= {name: getattr(plain, name) for name in POWERS if draws.below(4) < most}
        if values["lone_joker"] is LoneJoker.AS_TWO:  # goes with so few other values that it would hardly ever be drawn
            off = ("twos", "equal_rank", "revolution", "straights")
            values |= {name: getattr(plain, name) for name in off} | {"joker": Joker.WILD}
        values["packs"] = 1 + draws.below(2) if seats > 4 else 1
        values["jokers_per_pack"] = 0 if values["joker"] is Joker.NONE else 2
        values["exchange_top"] = draws.below(4)
        values["exchange_vice"] = draws.below(values["exchange_top"] + 1) if seats > 3 else 0
        rules = replace(plain, **values)
        ends = {MatchEnd.ROUNDS: (0, ROUNDS), MatchEnd.TARGET: (0, 5), MatchEnd.ZERO: (20, 0), MatchEnd.OPEN: (0, 0)}
        start, end_at = ends[rules.match_end]
        points = (5, 0, *[-5] * (seats - 2)) if rules.match_end is MatchEnd.ZERO else rules.points
        rules = replace(rules, points=points, start_points=start, end_at=end_at)
        if rules.ties is Ties.NONE:
            rules = replace(rules, points=(), start_points=0)
        if not conflicts(rules, seats, ROUNDS):
            return rules


def random_ruleset(draws: Draws, seats: int) -> Ruleset:
    """Return a ruleset for exactly `seats` whose settings are all drawn."""
    rules = random_rules(draws, seats)
    points = {seats: rules.points} if rules.points else "none"
    vices_from = max(4, seats) if rules.exchange_vice else 4
    return Ruleset(seats, seats, seats if rules.packs > 1 else None, vices_from, points, rules)


def dealt(draws: Draws, rules: Rules, seats: int, size: int | None = None) -> list[bytes]:
    """Return a hand per seat: the whole deck mixed and dealt, or only up to `size` cards each, often of few ranks."""
    deck = list(fresh_cards(rules.packs, rules.jokers_per_pack))
    if size is not None and draws.below(2):
        ranks = {draws.below(13) for _ in range(4)} | {12, 13}
        deck = [face for face in deck if face >> 2 in ranks]
    mixed = bytes(deck.pop(draws.below(len(deck))) for _ in range(len(deck)))
    kept = mixed if size is None else mixed[: seats * size]
    return [kept[seat::seats] for seat in range(seats)]


def random_round(draws: Draws, rules: Rules, seats: int, size: int | None = None) -> tuple[Round, list[bytes]]:
    """Return a round before its first action and the hands in it; some seat leads, the match's first one by rule."""
    hands = dealt(draws, rules, seats, size)
    first = bool(draws.below(2))
    leader = draws.below(seats)
    holders = [seat for seat, hand in enumerate(hands) if 0 in hand]
    if first and rules.first_play_3c:
        first, leader = bool(holders), (holders or [leader])[0]
    return Round(Law(rules), range(seats), [count_hand(hand) for hand in hands], leader, first=first), hands


def played_at_random(state: Round, draws: Draws) -> Iterator[tuple[Round, Action]]:
    """Yield `state` before every action of a round played at random, with the action about to be played."""
    while not state.over:
        action = random_legal(state, draws)
        yield state, action
        state.apply(action)
