"""The steps of a round as a report's replay takes them, with what each did to the table: the page knows no rules.

A step is a gift, an action or a seat event, in the order of the log, written as a few words with blanks between
(`Steps`). What an action did is worked out from the states that the auditor's replay came to; where the hands are not
known, the steps are told as the log has them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from fairdeal.cards import RANK_NAMES
from fairdeal.law import NATURAL, STRAIGHT_RANK
from fairdeal.play import NOBODY, Closing, Round
from fairdeal.records import PASS, STRAIGHT, UNTIMED, Action, Exchange, Presence, SeatEvent, Timing
from fairdeal.settings import SeatKind
from fairdeal.structure import RoundPart

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz01"  # one for each face
_CLOSINGS: Final = {
    Closing.PASSES: "p",
    Closing.TWOS: "t",
    Closing.BURN: "b",
    Closing.COMPLETED: "c",
    Closing.SWEEP: "w",
}
_PRESENCES: Final = {Presence.DISCONNECTED: "d", Presence.RETURNED: "r", Presence.LEFT: "l"}
KINDS: Final = {
    SeatKind.HUMAN: "p",
    SeatKind.EASY: "e",
    SeatKind.MEDIUM: "m",
    SeatKind.HARD: "h",
    SeatKind.BOT: "b",
}


class Spot(NamedTuple):
    """Where in the replay something is: the round's index, and its frame: 0 the deal, then one for each step."""

    round: int
    frame: int


class _Before(NamedTuple):
    """What is remembered of a state until the action that was seen in it has been carried out."""

    state: Round
    action: Action
    trick: int
    play: int
    turned: bool
    out: int


class Watcher:
    """An observer (`rounds.Observer`) that notes what each action did, by the round's place.

    `plays` has the numbers of trick and play of every action that was judged, `done` the words for what the lawful ones
    did, `leaders` who was to lead the round.
    """

    __slots__ = ("_before", "_place", "done", "leaders", "plays")

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._place = ""
        self._before: _Before | None = None
        self.plays: dict[str, list[tuple[int, int]]] = {}
        self.done: dict[str, list[str]] = {}
        self.leaders: dict[str, int] = {}

    def __call__(self, place: str, state: Round, action: Action) -> None:
        """Look at a state before `action` is judged in it."""
        self.settle()
        if place != self._place:
            self._place = place
            self.plays[place], self.done[place] = [], []
            self.leaders[place] = state.turn
        self.plays[place].append((state.trick, state.play))
        turned = state.order is not NATURAL
        out = len(state.finishing)
        self._before = _Before(state, action, state.trick, state.play, turned, out)

    def settle(self) -> None:
        """Note what the last action did, if it was carried out: a faulty one leaves the state as it was."""
        before, self._before = self._before, None
        if before is not None and (before.state.trick, before.state.play) != (before.trick, before.play):
            self.done[self._place].append(_outcome(before))


def _outcome(before: _Before) -> str:
    """Return what an action did, in words that follow its cards: who is on turn, then a word for each effect."""
    state, action = before.state, before.action
    words = [f"n{state.turn}" if state.turn != NOBODY else "n-"]
    if action.kind == STRAIGHT:
        words.append(f"x{RANK_NAMES[state.law.rank_of(action) - STRAIGHT_RANK]}")
    if action.kind != PASS and not state.sizes[action.seat]:
        dropped = action.seat in state.dropped
        words.append("d" if dropped else f"o{state.finishing.index(action.seat) + 1}")
    if (state.order is not NATURAL) != before.turned:
        words.append("r" if state.order is not NATURAL else "u")
    if action.kind != PASS and state.skipped != NOBODY:
        words.append(f"s{state.skipped}")
    if state.trick != before.trick:
        words.append(_CLOSINGS[state.closing or Closing.PASSES])
    return " ".join(words)


class Steps:
    """The steps of one round as words, and the frames of its places.

    An action is `a`, its seat and its cards; a gift `g`, giver, receiver and cards; a seat event `e`, its seat, what
    happened and who plays on. Behind it follow words for what it did (`_outcome`), `m` with the tenths of a second that
    its clock mark says, `k` with the seat for which the clock acted.
    """

    def __init__(self, part: RoundPart, place: str, index: int, watcher: Watcher) -> None:
        """Take the round at `place`, the `index`-th of the log from 0, with what `watcher` saw of it."""
        self._part = part
        self._order = _order(part)
        self._done = watcher.done.get(place, [])
        self.spots: dict[str, Spot] = {f"{place}.end": Spot(index, len(self._order) + (part.end is not None))}
        plays = watcher.plays.get(place, [])
        for frame, (kind, number) in enumerate(self._order, 1):
            if kind == "event":
                self.spots[f"{place}.event[{number + 1}]"] = Spot(index, frame)
            elif number < len(part.gifts):
                self.spots[f"{place}.exchange[{number + 1}]"] = Spot(index, frame)
            elif number - len(part.gifts) < len(plays):
                trick, play = plays[number - len(part.gifts)]
                self.spots[f"{place}.trick[{trick}].play[{play}]"] = Spot(index, frame)
        # a gift that is missing shows at what was done without it
        missing = min(self.before_move(len(part.gifts)) + 1, self.spots[f"{place}.end"].frame)
        self.spots[f"{place}.exchange[{len(part.gifts) + 1}]"] = Spot(index, missing)

    def before_move(self, move: int) -> int:
        """Return how many steps stand before the move of this number, counted from 0."""
        at = [step for step, (kind, number) in enumerate(self._order) if kind == "move" and number == move]
        return at[0] if at else len(self._order)

    def words(self) -> list[str]:
        """Return the steps."""
        part = self._part
        written = []
        for kind, number in self._order:
            if kind == "event":
                happening = part.events[number]
                written.append(_timed(_event(happening.event), happening.timing))
                continue
            index = number - len(part.gifts)
            told = _gift(part.gifts[number]) if index < 0 else _action(part.actions[index])
            if 0 <= index < len(self._done):
                told = f"{told} {self._done[index]}"
            written.append(_timed(told, part.timing.get(number, UNTIMED)))
        return written


def _order(part: RoundPart) -> list[tuple[str, int]]:
    """Return moves and seat events of a round in the order of the log, each with its number from 0."""
    order: list[tuple[str, int]] = []
    waiting = list(enumerate(part.events))
    for move in range(part.moves()):
        while waiting and waiting[0][1].after <= move:
            order.append(("event", waiting.pop(0)[0]))
        order.append(("move", move))
    return order + [("event", number) for number, _ in waiting]


def letters(cards: Iterable[int]) -> str:
    """Return cards as the page takes them, a letter each."""
    return "".join(LETTERS[face] for face in cards)


def _action(action: Action) -> str:
    return f"a{action.seat}{letters(action.cards)}"


def _gift(gift: Exchange) -> str:
    return f"g{gift.giver}{gift.receiver}{letters(gift.cards)}"


def _event(event: SeatEvent) -> str:
    return f"e{event.seat}{_PRESENCES[event.presence]}{KINDS[event.level]}"


def _timed(told: str, timing: Timing) -> str:
    """Return a step with what the clock says of it."""
    marked = "" if timing.tenths is None else f" m{timing.tenths}"
    return told + marked + ("" if timing.acted_for is None else f" k{timing.acted_for}")
