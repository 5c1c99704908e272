"""What a mutator is, and where in a sound match it may find its lie: at each gift and each action."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypedDict, TypeVar, Unpack

from fairdeal.codes import Code
from fairdeal.exchange import Exchanging
from fairdeal.match import Match
from fairdeal.play import Round
from fairdeal.players import PLAYERS
from fairdeal.records import OPERATOR, UNTIMED, Action, Actions, Deal, Exchange, Record, RoundEnd, Timing
from fairdeal.ruleset import Ruleset, load_preset
from fairdeal.settings import ENUM_SETTINGS, FLAG_SETTINGS, MatchEnd, Rules, SeatKind
from fairdeal.simulate import Simulated
from fairdeal.vectors.mutators.draft import Draft, dealt, parted

Change = Callable[[Draft], str]
Settings = Mapping[str, str | bool | int]


class Needs(TypedDict, total=False):
    """Which samples a mutator needs.

    Sealed contributions or none, an operator's key or none, keys of all seats or none (absent: either); at least so
    many seats and rounds; a table of this preset, else `president`, with these settings; players of this
    kind for all seats or one after the other round the table, else `random`; rounds with a clock. `shows` are tags of
    what it is about.
    """

    sealed: bool
    signed: bool
    seat_keys: bool
    seats: int
    rounds: int
    preset: str
    settings: Settings
    players: str | tuple[str, ...]
    clock: bool
    shows: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Mutator:
    """One kind of lie: its name, what it is in description, the code it is found by, and the change itself.

    `apply` changes a draft and returns the place where the lie must be found; `needs` says which samples it can change.
    """

    name: str
    description: str
    code: Code
    apply: Change
    needs: Needs

    def ruleset(self) -> Ruleset:
        """Return the rules of its samples, of as many rounds as it needs where the preset counts rounds."""
        preset, settings = self.needs.get("preset", "president"), self.needs.get("settings", {})
        ruleset = load_preset(preset, settings)
        if ruleset.template.match_end is not MatchEnd.ROUNDS:
            return ruleset
        return load_preset(preset, {**settings, "end_at": max(2, self.needs.get("rounds", 1))})

    def fits(self, sample: Simulated) -> bool:
        """Return whether `sample` is of the kind this mutator needs."""
        terms, needs = sample.terms, self.needs
        has = {
            "sealed": bool(terms.contributors()),
            "signed": OPERATOR in sample.keys,
            "seat_keys": any(seat.key for seat in terms.seats),
        }
        named = needs.get("players", "random")
        has_bots = any(who not in PLAYERS for who in ((named,) if isinstance(named, str) else named))
        bots = any(seat.kind is not SeatKind.HUMAN for seat in terms.seats)
        clock = any(parted(record)[1] != UNTIMED for record in sample.records)
        rounds = sum(isinstance(record, RoundEnd) for record in sample.records)
        same = all(needs.get(name, found) == found for name, found in has.items())
        wide = len(terms.seats) >= needs.get("seats", 3) and rounds >= needs.get("rounds", 1)
        as_played = (bots, clock) == (has_bots, needs.get("clock", False))
        return same and wide and as_played and self._plays(terms.rules)

    def _plays(self, rules: Rules) -> bool:
        """Return whether these are the rules it needs; the numbers of rounds and seats do not matter."""
        wanted = self.ruleset().template
        names = {*ENUM_SETTINGS, *FLAG_SETTINGS}
        return rules.name == wanted.name and all(getattr(rules, name) == getattr(wanted, name) for name in names)


def lie(description: str, code: Code, **needs: Unpack[Needs]) -> Callable[[Change], Mutator]:
    """Return a decorator that makes a `Mutator` of a change, named like the function."""

    def made(apply: Change) -> Mutator:
        name = apply.__name__.strip("_").replace("_", "-")
        return Mutator(name, description, code, apply, needs)

    return made


class GiftSpot(NamedTuple):
    """A gift of a sound draft: index of its record, number of its round, place, the exchange before it, the gift.

    `timing` is what the clock says of it.
    """

    at: int
    ordinal: int
    place: str
    state: Exchanging
    gift: Exchange
    timing: Timing


class PlaySpot(NamedTuple):
    """An action of a sound draft: index of its record, number of its round, place, the state before it, the action.

    `gifts` and `past` are what came before it in the round, `timing` is what the clock says of it.
    """

    at: int
    ordinal: int
    place: str
    state: Round
    action: Action
    gifts: list[Exchange]
    past: list[Action]
    timing: Timing


def spots(draft: Draft) -> Iterator[GiftSpot | PlaySpot]:
    """Yield every gift and action of a sound draft; each state is alive and moves on with the next one."""
    match = Match(draft.rules, len(draft.terms.seats), draft.terms.rounds)
    for ordinal, span in enumerate(draft.spans(), 1):
        gifts: list[Exchange] = []
        past: list[Action] = []
        for index in span:
            record, timing = parted(draft.records[index])
            if isinstance(record, Deal):
                order, hands = dealt(draft, record, match)
                exchange, state = Exchanging(hands, match.swaps()), None
            elif isinstance(record, Exchange):
                gifts.append(record)
                yield GiftSpot(index, ordinal, f"round[{ordinal}].exchange[{len(gifts)}]", exchange, record, timing)
                exchange.apply(record)
            elif isinstance(record, Actions):
                state = state or match.start_round(hands, order)
                place, action = f"round[{ordinal}].{place_in(state)}", record.actions[0]
                yield PlaySpot(index, ordinal, place, state, action, gifts, past, timing)
                state.apply(action)
                past.append(action)
            elif isinstance(record, RoundEnd):
                match.end_round(record.places, record.points)


def place_in(state: Round) -> str:
    """Return the place of the next action in its round."""
    return f"trick[{state.trick}].play[{state.play}]"


S = TypeVar("S", GiftSpot, PlaySpot)


def false_record(
    kind: type[S], description: str, code: Code, **needs: Unpack[Needs]
) -> Callable[[Callable[[S], Record | None]], Mutator]:
    """Return a decorator that makes a `Mutator` of what turns a gift or an action into a false one, where it can."""

    def made(falsify: Callable[[S], Record | None]) -> Mutator:
        def apply(draft: Draft) -> str:
            false = [(spot.at, spot.place, falsify(spot)) for spot in spots(draft) if isinstance(spot, kind)]
            index, place, record = draft.choose([one for one in false if one[2] is not None])
            draft.records[index] = record or draft.records[index]
            return place

        apply.__name__ = falsify.__name__
        return lie(description, code, **needs)(apply)

    return made
