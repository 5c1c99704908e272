"""How many histories a deal allows, counted again by the second engine, which tries every part of a hand.

The counts of the vectors are held against brute force to a small depth, and by `pytest -m full` as far as they go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from fairdeal.cards import fresh_cards, parse_cards
from fairdeal.hands import count_hand
from fairdeal.law import Law
from fairdeal.legal import legal_actions
from fairdeal.play import Round
from fairdeal.rulewire import rules_named
from fairdeal.settings import ENUM_SETTINGS, FLAG_SETTINGS, Rules, file_key
from fairdeal.vectors.stages.cases import Case, cases
from fairdeal.vectors.stages.perft import INPUTS, counted, recompute
from tests.second_engine import SecondRound

CASES = list(cases("perft", INPUTS))
FEW = 200  # histories that brute force counts at once
Event = tuple[str, int, tuple[int, ...]]

cases_of = pytest.mark.parametrize("case", CASES, ids=lambda case: case.says)


def again(case: Case, history: Sequence[Event]) -> SecondRound:
    """Return the second engine's round after these events."""
    hands = [list(parse_cards(hand)) for hand in case.given["hands"]]
    first = case.given["first"]
    state = SecondRound(case.rules, range(len(hands)), hands, case.given["leader"], first_round=first)
    for event in history:
        state.apply(*event)
    return state


def brute_force(case: Case, most: int, depth: int) -> tuple[list[int], Counter[str]]:
    """Return the counts and endings as a vector states them, level by level while a level has `most` at most."""
    level: list[list[Event]] = [[]]
    counts: list[int] = []
    ended: Counter[str] = Counter()
    while len(counts) < depth and len(level) <= most:
        longer: list[list[Event]] = []
        for history in level:
            state = again(case, history)
            longer += [[*history, (kind, state.turn, cards)] for kind, cards in sorted(state.legal())]
        counts.append(len(longer))
        level = []
        for history in longer:
            state = again(case, history)
            if state.over:
                ended[" ".join(map(str, state.finishing))] += 1
            else:
                level.append(history)
    return counts, ended


def agrees(case: Case, most: int) -> int:
    """Hold a case against brute force; return how deep that went."""
    counts, ended = brute_force(case, most, case.given["depth"])
    assert counted(case.rules, case.given, len(counts)) == {"counts": counts, "ended": dict(sorted(ended.items()))}
    return len(counts)


@cases_of
def test_brute_force_counts_the_same(case: Case) -> None:
    assert agrees(case, FEW) >= 2


@pytest.mark.full
@cases_of
def test_brute_force_counts_the_same_to_the_full_depth(case: Case) -> None:
    assert agrees(case, 100_000) == case.given["depth"]


def differs(case: Case, rules: Rules) -> bool:
    """Return whether the counts are others under these rules, looking no deeper than it takes."""
    depths = range(1, case.given["depth"] + 1)
    return any(counted(case.rules, case.given, depth) != counted(rules, case.given, depth) for depth in depths)


@cases_of
def test_the_deal_is_made_for_what_it_shows(case: Case) -> None:
    """With any other value of a setting it names, the counts are others; jokers that are in the deal cannot go."""
    assert case.shows
    for name in (*ENUM_SETTINGS, *FLAG_SETTINGS):
        value = getattr(case.rules, name)
        if f"{file_key(name)}={str(value).lower()}" in case.shows:
            values: list[Any] = list(ENUM_SETTINGS[name]) if name in ENUM_SETTINGS else [True, False]
            for other in values:
                if other not in (value, "none" if name == "joker" else value):
                    assert differs(case, replace(case.rules, **{name: other})), other


@cases_of
def test_the_deal_is_one_of_these_packs(case: Case) -> None:
    """No card is in it more often than there are copies of it."""
    dealt = Counter(face for hand in case.given["hands"] for face in parse_cards(hand))
    assert dealt <= Counter(fresh_cards(case.rules.packs, case.rules.jokers_per_pack))


@cases_of
def test_counts_are_of_whole_histories(case: Case) -> None:
    """To look deeper changes nothing further up, and every legal play is the start of a history."""
    counts = recompute({**case.given, "rules": rules_named(case.rules)})["counts"]
    assert len(counts) == case.given["depth"]
    assert counts[:-1] == counted(case.rules, case.given, case.given["depth"] - 1)["counts"]
    hands = [count_hand(parse_cards(hand)) for hand in case.given["hands"]]
    start = Round(Law(case.rules), range(len(hands)), hands, case.given["leader"], first=case.given["first"])
    assert counts[0] == len(legal_actions(start))
