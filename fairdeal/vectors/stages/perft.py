"""The vectors that count: how many histories of so many events a small deal allows under each ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from fairdeal.cards import parse_cards
from fairdeal.hands import count_hand
from fairdeal.law import Law
from fairdeal.legal import legal_actions
from fairdeal.play import Round
from fairdeal.rulewire import rules_from_named
from fairdeal.settings import Rules
from fairdeal.vectors.envelope import Stage
from fairdeal.vectors.stages.cases import groups_of

INPUTS: Final = {"hands": ..., "leader": 0, "first": False, "depth": ...}


def perft_stage() -> Stage:
    """Return the tests that count histories."""
    header = [
        "A round with these hands by seat after the exchange, seats in order of number. `counts` lists how many",
        "different histories there are of exactly 1, 2, 3 … events, an event being a pass or a play, up to `depth`.",
        "Suits and the two jokers are different cards, copies from two packs are not; a set of the same cards in",
        "another order is the same play. A history of fewer events that ends the round is not counted further on;",
        "`ended` has how many there are with each finishing order. `first` says that this is a match's first round.",
        "`shows` names the settings that the deal was made for: with another value of one the counts are others.",
    ]
    return Stage("perft", header, groups=groups_of("perft", INPUTS, recompute))


def recompute(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a test of this stage must state, computed from its inputs."""
    return counted(rules_from_named(test["rules"]), test, test["depth"])


def counted(rules: Rules, test: Mapping[str, Any], depth: int) -> dict[str, Any]:
    """Return the counts of a test's deal up to `depth` events, under `rules`."""
    hands = [count_hand(parse_cards(hand)) for hand in test["hands"]]
    state = Round(Law(rules), range(len(hands)), hands, test["leader"], first=test["first"])
    counts, ended = [0] * depth, Counter[str]()
    _count(state, 0, counts, ended)
    return {"counts": counts, "ended": dict(sorted(ended.items()))}


def _count(state: Round, done: int, counts: list[int], ended: Counter[str]) -> None:
    actions = legal_actions(state)
    counts[done] += len(actions)
    for action in actions:
        after = state.copy()
        after.apply(action)
        if after.over:
            ended[" ".join(map(str, after.finishing))] += 1
        elif done + 1 < len(counts):
            _count(after, done + 1, counts, ended)
