"""The vectors of play: one action after a lawful history, what is wrong with it or what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from fairdeal.cards import parse_cards
from fairdeal.hands import count_hand
from fairdeal.law import Law
from fairdeal.legal import legal_actions
from fairdeal.play import Round
from fairdeal.records import Action
from fairdeal.rulewire import rules_from_named, rules_named
from fairdeal.vectors.envelope import INVALID, Group, Stage, Test, invalid, valid
from fairdeal.vectors.stages.scenes import Scene, action_of, action_text, after, scenes


def play_stage() -> Stage:
    """Return the tests of single actions under every rule; raises `ValueError` where scene and engine differ."""
    header = [
        "A round with these hands by seat after the exchange, `history` played without a fault, then `action`.",
        "Valid: the state afterwards, and in `legal` every action that is lawful then, a pass first. Invalid: its",
        "code, and its place in the round. An action is a seat and `-` for a pass, or a seat and the cards of a set in",
        "the form that its size asks for; `set`, `big` or `straight` before the cards says a form that is another.",
        "`shows` names settings with their values, common rules and readings, which `rulebooks.json` traces to the",
        "sentences of the rulebooks. `first` says that this is a match's first round. `turn` is -1 once the round is",
        "over, `skipped` the seat that the action made miss its turn or -1, and `closing` why it cleared the pile,",
        "empty where it did not.",
    ]
    groups = [
        Group({"rules": rules_named(rules)}, [_test(scene) for scene in group])
        for rules, group in groupby(scenes(), key=lambda scene: scene.rules)
    ]
    return Stage("play", header, groups=groups)


def _test(scene: Scene) -> Test:
    scene.check()
    given = {
        "shows": list(scene.shows),
        "seating": list(scene.seating),
        "hands": list(scene.hands),
        "leader": scene.leader,
        "first": scene.first,
        "history": [action_text(action) for action in scene.history],
        "action": action_text(scene.action),
    }
    state = scene.before()
    if scene.code is not None:
        return invalid(scene.says, scene.code, place_of(state), **given)
    return valid(scene.says, **given, **outcome_of(state, scene.action))


def place_of(state: Round) -> str:
    """Return the place of the next action within its round."""
    return f"trick[{state.trick}].play[{state.play}]"


def outcome_of(before: Round, action: Action) -> dict[str, Any]:
    """Return what a valid test states of the round after its action."""
    state, seen = after(before, action)
    return {**seen, "legal": [action_text(one) for one in legal_actions(state)]}


def recompute(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a test of this stage must state, computed from its inputs."""
    hands = [count_hand(parse_cards(hand)) for hand in test["hands"]]
    rules = rules_from_named(test["rules"])
    state = Round(Law(rules), test["seating"], hands, test["leader"], first=test["first"])
    for text in test["history"]:
        code = state.step(action_of(text))
        if code is not None:
            raise ValueError(f"the history has fault {code}")
    action = action_of(test["action"])
    code = state.fault(action)
    if code is not None:
        return {"result": INVALID, "code": code, "place": place_of(state)}
    return outcome_of(state, action)
