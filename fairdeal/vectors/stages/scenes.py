"""Scenes of play written by hand: what is on the table, what somebody does, and what the rulebooks make of it.

`scenarios/*.toml` say what must come out, so that a scene is more than a record of what this engine does; making the
vectors fails where the two differ.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from fairdeal.cards import format_cards, parse_cards
from fairdeal.hands import count_hand
from fairdeal.law import NATURAL, Law
from fairdeal.play import NOBODY, Round
from fairdeal.records import BIG_SET, PASS, SET, STRAIGHT, Action, pass_action, play_action, set_action
from fairdeal.ruleset import load_preset
from fairdeal.settings import Rules

KINDS: Final = {"set": SET, "big": BIG_SET, "straight": STRAIGHT}


class Scene(NamedTuple):
    """One scene. `says` is what it shows in words, `shows` the tags of settings, common rules and readings.

    `history` was played without a fault; `action` comes next, with fault `code` or None for a lawful one. `then` is
    what its author says of the state afterwards.
    """

    rules: Rules
    says: str
    shows: tuple[str, ...]
    seating: tuple[int, ...]
    hands: tuple[str, ...]
    leader: int
    first: bool
    history: tuple[Action, ...]
    action: Action
    code: str | None
    then: Mapping[str, Any]

    def start(self) -> Round:
        """Return the round before its first action."""
        hands = [count_hand(parse_cards(hand)) for hand in self.hands]
        return Round(Law(self.rules), self.seating, hands, self.leader, first=self.first)

    def before(self) -> Round:
        """Return the round before the action; raises `ValueError` where the history is not lawful."""
        state = self.start()
        for number, action in enumerate(self.history, 1):
            code = state.step(action)
            if code is not None:
                raise ValueError(f"scene `{self.says}`: action {number} of its history has fault {code}")
        return state

    def check(self) -> None:
        """Raise `ValueError` where the engine and the scene's author differ."""
        before = self.before()
        code = before.fault(self.action)
        if code != self.code:
            raise ValueError(f"scene `{self.says}`: {code or 'lawful'} instead of {self.code or 'lawful'}")
        if code is None:
            _, found = after(before, self.action)
            for key, value in self.then.items():
                if found[key] != value:
                    raise ValueError(f"scene `{self.says}`: {key} is {found[key]} instead of {value}")


def after(before: Round, action: Action) -> tuple[Round, dict[str, Any]]:
    """Return the round after a lawful action, and what can be seen of it.

    That is who acts, the pile, the order and who is out. `turn` is -1 once the round is over, `skipped` the seat that
    this action made miss its turn, or -1, and `closing` why it cleared the pile, empty where it did not. `dropped` are
    the seats punished for their last cards, in the order in which they went out.
    """
    state = before.copy()
    state.apply(action)
    cleared = state.trick > before.trick or state.over
    return state, {
        "turn": state.turn,
        "trick": state.trick,
        "play": state.play,
        "count": state.count,
        "order": "natural" if state.order is NATURAL else "turned",
        "skipped": NOBODY if action.kind == PASS else state.skipped,
        "closing": str(state.closing) if cleared and state.closing else "",
        "finishing": list(state.finishing),
        "dropped": list(state.dropped),
        "over": state.over,
    }


def action_of(text: str) -> Action:
    """Return the action a scene writes: `2 -`, `2 7c 7d`, `2 straight 5c X1 7d`, `2 set 7d 7c`, `2 big 7c 7d`.

    Without a word for the kind the cards are a set in the form that its size asks for.
    """
    seat, _, what = text.partition(" ")
    if what == "-":
        return pass_action(int(seat))
    word, _, cards = what.partition(" ")
    if word in KINDS:
        return play_action(KINDS[word], int(seat), parse_cards(cards))
    return set_action(int(seat), parse_cards(what))


def action_text(action: Action) -> str:
    """Return how scenes and vectors write an action; `action_of` reads it again."""
    if action.kind == PASS:
        return f"{action.seat} -"
    cards = format_cards(action.cards)
    if action == set_action(action.seat, action.cards):
        return f"{action.seat} {cards}"
    word = next(word for word, kind in KINDS.items() if kind == action.kind)
    return f"{action.seat} {word} {cards}"


@cache
def scenes() -> tuple[Scene, ...]:
    """Return all scenes of play, file by file in the order of their names."""
    folder = files("fairdeal.vectors").joinpath("scenarios")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.startswith("play-"))
    return tuple(one for name in names for one in _scenes(tomllib.loads(folder.joinpath(name).read_text("utf-8"))))


def _scenes(document: Mapping[str, Any]) -> Iterator[Scene]:
    for table in document["table"]:
        ruleset = load_preset(table["preset"], table.get("set", {}))
        for case in table["case"]:
            rest = dict(case)
            hands = tuple(rest.pop("hands"))
            seats = rest.pop("seats", max(len(hands), ruleset.min_seats))
            if len(hands) != seats:
                raise ValueError(f"scene `{case['says']}`: {len(hands)} hands, but its ruleset is for more seats")
            yield Scene(
                rules=ruleset.resolve(seats),
                says=rest.pop("says"),
                shows=tuple(rest.pop("shows")),
                seating=tuple(rest.pop("seating", range(seats))),
                hands=hands,
                leader=rest.pop("leader", 0),
                first=rest.pop("first", False),
                history=tuple(map(action_of, rest.pop("history", ()))),
                action=action_of(rest.pop("action")),
                code=rest.pop("code", None),
                then=rest,
            )
