"""What a mutator is, and where in a sound match it may find its lie: at each gift and each action."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from fairdeal.codes import Code
from fairdeal.exchange import Exchanging
from fairdeal.match import Match
from fairdeal.play import Round
from fairdeal.records import OPERATOR, Action, Actions, Deal, Exchange, Record, RoundEnd
from fairdeal.simulate import Simulated
from fairdeal.vectors.mutators_draft import Draft, dealt

Change = Callable[[Draft], str]


@dataclass(frozen=True, slots=True)
class Mutator:
    """One kind of lie: its name, what it is in description, the code it is found by, and the change itself.

    `apply` changes a draft and returns the place where the lie must be found. The rest says which samples it needs:
    sealed contributions or none, an operator's key or none, keys of all seats or none (None: either), and at least so
    many seats and rounds.
    """

    name: str
    description: str
    code: Code
    apply: Change
    sealed: bool | None = None
    signed: bool | None = None
    seat_keys: bool | None = None
    seats: int = 3
    rounds: int = 1

    def fits(self, sample: Simulated) -> bool:
        """Return whether `sample` is of the kind this mutator needs."""
        terms = sample.terms
        has = (bool(terms.contributors()), OPERATOR in sample.keys, any(seat.key for seat in terms.seats))
        wanted = (self.sealed, self.signed, self.seat_keys)
        rounds = sum(isinstance(record, RoundEnd) for record in sample.records)
        same = all(want is None or want == found for want, found in zip(wanted, has, strict=True))
        return same and len(terms.seats) >= self.seats and rounds >= self.rounds


def lie(
    description: str,
    code: Code,
    *,
    sealed: bool | None = None,
    signed: bool | None = None,
    seat_keys: bool | None = None,
    seats: int = 3,
    rounds: int = 1,
) -> Callable[[Change], Mutator]:
    """Return a decorator that makes a `Mutator` of a change, named like the function."""

    def made(apply: Change) -> Mutator:
        name = apply.__name__.strip("_").replace("_", "-")
        return Mutator(name, description, code, apply, sealed, signed, seat_keys, seats, rounds)

    return made


class GiftSpot(NamedTuple):
    """A gift of a sound draft: index of its record, number of its round, place, the exchange before it, the gift."""

    at: int
    ordinal: int
    place: str
    state: Exchanging
    gift: Exchange


class PlaySpot(NamedTuple):
    """An action of a sound draft: index of its record, number of its round, place, the state before it, the action.

    `gifts` and `past` are what came before it in the round.
    """

    at: int
    ordinal: int
    place: str
    state: Round
    action: Action
    gifts: list[Exchange]
    past: list[Action]


def spots(draft: Draft) -> Iterator[GiftSpot | PlaySpot]:
    """Yield every gift and action of a sound draft; each state is alive and moves on with the next one."""
    match = Match(draft.rules, len(draft.terms.seats), draft.terms.rounds)
    for ordinal, span in enumerate(draft.spans(), 1):
        gifts: list[Exchange] = []
        past: list[Action] = []
        for index in span:
            record = draft.records[index]
            if isinstance(record, Deal):
                order, hands = dealt(draft, record, match)
                exchange, state = Exchanging(hands, match.swaps()), None
            elif isinstance(record, Exchange):
                gifts.append(record)
                yield GiftSpot(index, ordinal, f"round[{ordinal}].exchange[{len(gifts)}]", exchange, record)
                exchange.apply(record)
            elif isinstance(record, Actions):
                state = state or match.start_round(hands, order)
                place, action = f"round[{ordinal}].{place_in(state)}", record.actions[0]
                yield PlaySpot(index, ordinal, place, state, action, gifts, past)
                state.apply(action)
                past.append(action)
            elif isinstance(record, RoundEnd):
                match.end_round(record.places, record.points)


def place_in(state: Round) -> str:
    """Return the place of the next action in its round."""
    return f"trick[{state.trick}].play[{state.play}]"


S = TypeVar("S", GiftSpot, PlaySpot)


def false_record(
    kind: type[S],
    description: str,
    code: Code,
    rounds: int = 1,
) -> Callable[[Callable[[S], Record | None]], Mutator]:
    """Return a decorator that makes a `Mutator` of what turns a gift or an action into a false one, where it can."""

    def made(falsify: Callable[[S], Record | None]) -> Mutator:
        def apply(draft: Draft) -> str:
            false = [(spot.at, spot.place, falsify(spot)) for spot in spots(draft) if isinstance(spot, kind)]
            index, place, record = draft.choose([one for one in false if one[2] is not None])
            draft.records[index] = record or draft.records[index]
            return place

        apply.__name__ = falsify.__name__
        return lie(description, code, rounds=rounds)(apply)

    return made
