"""How a match goes on from a lie in it: what is left of the round, and all later ones, played to the end and closed."""

from __future__ import annotations

from fairdeal.control import Control, Streams
from fairdeal.exchange import Exchanging, Swap
from fairdeal.match import Match
from fairdeal.play import Round
from fairdeal.players import lowest, return_lowest, tribute_cards
from fairdeal.records import (
    UNTIMED,
    Action,
    Actions,
    Deal,
    Exchange,
    Record,
    RoundEnd,
    SeatEvent,
    Timing,
    timed,
)
from fairdeal.vectors.mutators.draft import Draft, add_deal, close, dealt, parted, standings


def play_on(draft: Draft) -> None:
    """Go on from what the draft holds, lies included, to the end of the match, and close it by rule."""
    match = standings(draft)
    if len(draft.indexes(Deal)) > len(draft.indexes(RoundEnd)):
        finish_round(draft, match)
    while not match.over():
        add_deal(draft, match)
        finish_round(draft, match)
    close(draft)


class _Going:
    """A round of a draft on its way from what it holds, lies included, to its end: hands, play, and who acts."""

    def __init__(self, draft: Draft, match: Match) -> None:
        """Carry out all that the last round of the draft holds."""
        start = draft.indexes(Deal)[-1]
        deal, *rest = draft.records[start:]
        if not isinstance(deal, Deal):
            raise TypeError("a round begins with its deal")
        self.deal, self.draft, self.marked = deal, draft, False
        self.order, hands = dealt(draft, deal, match)
        self.exchange, self._match = Exchanging(hands, match.swaps()), match
        self.state: Round | None = None
        self.control = control_at(draft, start)
        self.control.start_round(Streams(draft.seed(deal.round), draft.mixed, deal.round))
        for record in rest:
            self.take(record)

    def take(self, record: Record) -> None:
        """Carry out one record, whether it is lawful or not."""
        inner, timing = parted(record)
        self.marked = self.marked or timing.tenths is not None
        match inner:
            case Exchange():
                self.exchange.apply(inner)
                self.control.decided(inner.giver, timing)
            case Actions():
                self.playing().apply(inner.actions[0])
                self.control.decided(inner.actions[0].seat, timing)
            case SeatEvent():
                self.control.pass_time(timing)
                apply_event(self.control, inner)

    def playing(self) -> Round:
        """Return the round once its gifts are made."""
        self.state = self.state or self._match.start_round(self.exchange.hands, self.order)
        return self.state

    def go_on(self, record: Exchange | Actions, *, tribute: bool = False) -> None:
        """Write a gift or an action down, with a mark of no time where the round has marks, and carry it out."""
        written = timed(Timing(0, None) if self.marked and not tribute else UNTIMED, record)
        self.draft.add(written)
        self.take(written)

    def gift(self, swap: Swap) -> Exchange:
        """Return the gift that a seat makes: its lowest cards, or what its bot chooses."""
        hand = self.exchange.hands[swap.giver]
        if self.control.plays_by_policy(swap.giver):
            cards = self.control.bot_gift(swap, hand)
        else:
            cards = tribute_cards(hand, swap) if swap.tribute else return_lowest(hand, swap, self.draft.draws)
        return Exchange(swap.giver, swap.receiver, cards)

    def action(self, state: Round) -> Action:
        """Return what the seat on turn plays: as low as it can, or what its bot chooses."""
        if self.control.plays_by_policy(state.turn):
            return self.control.bot_action(state)
        return lowest(state, self.draft.draws)


def control_at(draft: Draft, index: int) -> Control:
    """Return who plays for whom before record `index` of a draft."""
    control = Control(draft.terms)
    for record in draft.records[:index]:
        inner, _ = parted(record)
        if isinstance(inner, SeatEvent):
            apply_event(control, inner)
    return control


def apply_event(control: Control, event: SeatEvent) -> None:
    """Carry out a seat event, unless it is one that cannot happen."""
    if control.event_fault(event) is None:
        control.apply_event(event)


def finish_round(draft: Draft, match: Match) -> None:
    """Play the round that the draft ends in to its end, from what is already in it, false or not."""
    going = _Going(draft, match)
    while going.exchange.due:
        swap = going.exchange.due[0]
        going.go_on(going.gift(swap), tribute=swap.tribute)
    state = going.playing()
    while not state.over:
        going.go_on(Actions((going.action(state),)))
    places = match.places(state.finishing)
    match.end_round(places, match.points(places))
    match.ended = going.deal.round
    draft.add(RoundEnd(places, match.titles(places), match.points(places), draft.seed(going.deal.round)))
