"""A log as a readable transcript: who was dealt what, who gave, played and passed, and when. It never judges."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from fairdeal.cards import format_cards
from fairdeal.errors import Unsupported
from fairdeal.hands import hand_cards
from fairdeal.play import Round
from fairdeal.records import PASS, UNTIMED, Action, Source, Terms, Timing
from fairdeal.replay import replay
from fairdeal.structure import RoundPart, Structure, structure_of
from fairdeal.texts import printable
from fairdeal.wording import describe_event

NOTICE = "a transcript of what the log says; nothing was judged: use `fairdeal audit`"


class _Hands:
    """Collects the hands at the first action of each round, as far as they can be recomputed."""

    def __init__(self) -> None:
        self.by_place: dict[str, list[bytes]] = {}
        self.tricks: dict[str, list[int]] = {}

    def __call__(self, place: str, state: Round, action: Action) -> None:
        del action
        if place not in self.by_place:
            self.by_place[place] = [hand_cards(hand) for hand in state.hands]
        self.tricks.setdefault(place, []).append(state.trick)


class _Course:
    """What else happens in the course of a round: seat events between the moves, and the time since the deal."""

    def __init__(self, part: RoundPart) -> None:
        self._timing = part.timing
        self._events = list(reversed(part.events))
        self._now = 0

    def before(self, number: int | None) -> Iterator[str]:
        """Yield a line for each event that stands before the move of this number, or that is left."""
        while self._events and (number is None or self._events[-1].after <= number):
            one = self._events.pop()
            yield f"  {describe_event(one.event)}{self._at(one.timing)}"

    def move(self, number: int, seat: int) -> str:
        """Return whether the clock made a move of `seat`, and when it was made, as words to go behind it."""
        timing = self._timing.get(number, UNTIMED)
        acted = ", by the clock" if timing.acted_for is not None else ""
        other = "" if timing.acted_for in (None, seat) else f" for seat {timing.acted_for}"
        return acted + other + self._at(timing)

    def _at(self, timing: Timing) -> str:
        if timing.tenths is None:
            return ""
        self._now += timing.tenths
        return f" [{self._now // 10}.{self._now % 10} s]"


def transcript_text(log: Source, only: int | None = None) -> str:
    """Return the transcript of `log`, or of its round number `only` alone (its ordinal, from 1)."""
    parts = structure_of(log)
    seen = _Hands()
    with suppress(Unsupported):  # then the hands stay unknown, and the rest is told all the same
        replay(log, seen)
    lines = [NOTICE, ""]
    if only is None:
        lines += _terms_lines(log.terms)
    for ordinal, part in enumerate(parts.rounds, 1):
        if only in (None, ordinal):
            place = f"round[{ordinal}]"
            lines += _round_lines(log.terms, part, place, seen)
    if only is None:
        lines += _end_lines(log.terms, parts)
    return "\n".join(lines) + "\n"


def _who(terms: Terms, seat: int) -> str:
    return f"seat {seat} {printable(terms.seats[seat].name)}"


def _terms_lines(terms: Terms) -> list[str]:
    lines = [f"match {terms.match_id.hex()}, number {terms.sequence} of its operator"]
    lines.append(f"ruleset {printable(terms.rules.name)}, at most {terms.rounds} rounds")
    lines.append(f"contributions {terms.contributions}")
    return lines + [f"  {_who(terms, seat)}, {one.kind}" for seat, one in enumerate(terms.seats)] + [""]


def _round_lines(terms: Terms, part: RoundPart, place: str, seen: _Hands) -> Iterator[str]:
    yield f"{place}: round {part.deal.round}, first card to {_who(terms, part.deal.first)}"
    course = _Course(part)
    for number, gift in enumerate(part.gifts):
        yield from course.before(number)
        gives = f"{_who(terms, gift.giver)} gives {_who(terms, gift.receiver)} {format_cards(gift.cards)}"
        yield f"  {gives}{course.move(number, gift.giver)}"
    hands = seen.by_place.get(place)
    if hands is None:
        yield "  the hands cannot be recomputed from this log"
    for seat, hand in enumerate(hands or []):
        when = "holds, after the exchange," if part.gifts else "holds"
        yield f"  {_who(terms, seat)} {when} {format_cards(hand)}"
    yield from _action_lines(terms, part, seen.tricks.get(place, []), course)
    yield from course.before(None)
    if part.end is None:
        yield "  the log has no end of this round"
        yield ""
        return
    for seat in sorted(range(len(terms.seats)), key=part.end.places.__getitem__):
        title = printable(terms.rules.titles[part.end.titles[seat]])
        yield f"  {part.end.places[seat]}. {_who(terms, seat)}, {title}, {part.end.points[seat]:+d}"
    yield f"  seed {part.end.seed.hex()}"
    yield ""


def _action_lines(terms: Terms, part: RoundPart, tricks: list[int], course: _Course) -> Iterator[str]:
    last = 0
    for index, action in enumerate(part.actions):
        number = len(part.gifts) + index
        yield from course.before(number)
        if index < len(tricks) and tricks[index] != last:
            last = tricks[index]
            yield f"  trick {last}"
        elif index == len(tricks) and tricks:
            yield "  (from here on the log does not follow the rules of its ruleset)"
        what = "passes" if action.kind == PASS else format_cards(action.cards)
        yield f"    {_who(terms, action.seat)}: {what}{course.move(number, action.seat)}"


def _end_lines(terms: Terms, parts: Structure) -> Iterator[str]:
    if parts.stopped is not None:
        yield f"the log could not be read further: {parts.stopped}"
    if parts.close is None:
        yield "the log does not close the match"
        return
    seat = "" if parts.close.seat is None else f", {_who(terms, parts.close.seat)}"
    yield f"closed: {parts.close.reason}{seat}"
    for number, total in enumerate(parts.close.totals):
        place = f"{parts.close.places[number]}. " if parts.close.places else ""
        yield f"  {place}{_who(terms, number)}: {total}"
