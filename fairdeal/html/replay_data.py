"""A log told for the replay of a report: who sits where, the hands and steps of every round, and where findings are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from fairdeal.codec import Log
from fairdeal.codes import Code
from fairdeal.control import Control
from fairdeal.deal import hands_of_round
from fairdeal.errors import Unsupported
from fairdeal.html.frames import KINDS, Spot, Steps, Watcher, letters
from fairdeal.html.markup import unsteered
from fairdeal.records import CloseReason, Terms
from fairdeal.replay import Replayed, replay
from fairdeal.report import Finding
from fairdeal.rounds import Played
from fairdeal.settings import Passing
from fairdeal.structure import RoundPart, structure_of

# After these the hands are known all the same, and the auditor goes on judging the round.
_GOES_ON: Final = frozenset(
    {
        Code.TRIBUTE,
        Code.CLOCK_MARK,
        Code.CLOCK_NOT_DUE,
        Code.CLOCK_EARLY,
        Code.CLOCK_OVERRUN,
        Code.CLOCK_CHOICE,
        Code.SEAT_EVENT,
        Code.BOT_CHOICE,
    }
)
_PLACE: Final = re.compile(r"round\[(\d+)\](?:\.(deal|end|exchange|event|trick)(?:\[(\d+)\])?(?:\.play\[(\d+)\])?)?")


class Told(NamedTuple):
    """A log told for the replay: `data` for the page, and the spot of every place in it that a finding may name.

    `totals` has a row by seat for the start and for every round that ended; `ended` has the numbers of those rounds.
    """

    terms: Terms
    data: dict[str, Any]
    spots: dict[str, Spot]
    totals: tuple[tuple[int, ...], ...]
    ended: tuple[int, ...]

    def spot(self, place: str) -> Spot | None:
        """Return where the replay shows a place of the report, or None where it does not."""
        found = _PLACE.fullmatch(place)
        ordinal = int(found[1]) if found else 0
        if found is None or not 0 < ordinal <= len(self.data["rounds"]):
            return None
        return self.spots.get(place) or Spot(ordinal - 1, 0)


def told(data: bytes) -> Told:
    """Return a log as the replay tells it; raises `Malformed` or `Unsupported` where not even its terms can be read."""
    log = Log(data)
    watcher = Watcher()
    done: Replayed | None = None
    try:
        done = replay(log, watcher)
    except Unsupported:  # then nothing is known of the hands, and the log is told all the same
        parts = structure_of(log)
    else:
        watcher.settle()
        parts = done.parts
    teller = _Teller(log.terms, watcher, done)
    rounds = [teller.round(index, part) for index, part in enumerate(parts.rounds)]
    terms = log.terms
    match = {
        "seats": [unsteered(seat.name) for seat in terms.seats],
        "titles": list(map(unsteered, terms.rules.titles)),
        "locks": terms.rules.passing is Passing.LOCKS,
        "limit": terms.rules.turn_seconds,
        "points": bool(terms.rules.points),
        "rounds": rounds,
    }
    return Told(terms, match, teller.spots, tuple(teller.totals), tuple(teller.ended))


class _Teller:
    """Tells one round after the other, and follows who plays for whom and the totals as the log claims them."""

    def __init__(self, terms: Terms, watcher: Watcher, done: Replayed | None) -> None:
        self.terms = terms
        self.watcher = watcher
        self.done = done
        self.control = Control(terms)
        self.spots: dict[str, Spot] = {}
        self.ended: list[int] = []
        self.totals = [(terms.rules.start_points,) * len(terms.seats)]
        self.broken = _first_breaks(done.judge.findings if done else ())

    def round(self, index: int, part: RoundPart) -> dict[str, Any]:
        """Return one round as the page takes it."""
        place = f"round[{index + 1}]"
        played = self.done.rounds[index] if self.done else None
        hands = self._hands(played)
        seats = len(self.terms.seats)
        seating = played.dealing_order if played else range(seats)
        start = list(seating).index(0)
        steps = Steps(part, place, index, self.watcher)
        made: dict[str, Any] = {
            "number": part.deal.round,
            "first": part.deal.first,
            "ring": [*seating[start:], *seating[:start]],
            "players": self._players(),
            "steps": steps.words(),
        }
        if hands is not None:
            made |= {"hands": [letters(sorted(hand)) for hand in hands], "known": self._known(part, place, steps)}
        if place in self.watcher.leaders:
            made["leader"] = self.watcher.leaders[place]
        self.spots |= steps.spots
        self._events(part)
        self._end(part, played, made)
        return made

    def _hands(self, played: Played | None) -> tuple[bytes, ...] | None:
        """Return the hands as dealt, None where they cannot be recomputed."""
        mixed = self.done.opening.transcript if self.done else None
        if played is None or played.seed is None or mixed is None:
            return None
        rules = self.terms.rules
        return hands_of_round(
            played.seed, mixed, played.number, played.dealing_order, rules.packs, rules.jokers_per_pack
        )

    def _known(self, part: RoundPart, place: str, steps: Steps) -> int:
        """Return after how many steps of the round the hands are known no longer."""
        broken = self.broken.get(place)
        if broken is None:
            moves = len(part.gifts) + len(self.watcher.done.get(place, ()))
            return steps.before_move(moves)
        return steps.spots[broken].frame - 1

    def _players(self) -> str:
        """Return who plays each seat now: a letter, in capitals where a bot stands in for somebody who has left."""
        kinds = (
            KINDS[kind].upper() if gone else KINDS[kind]
            for kind, gone in zip(self.control.players, self.control.left, strict=True)
        )
        return "".join(kinds)

    def _events(self, part: RoundPart) -> None:
        for happening in part.events:
            if self.control.event_fault(happening.event) is None:
                self.control.apply_event(happening.event)

    def _end(self, part: RoundPart, played: Played | None, made: dict[str, Any]) -> None:
        """Add what the log says at the round's end, or the points of a round without one if the match went on."""
        end, before = part.end, self.totals[-1]
        points: Sequence[int] | None = None if end is None else end.points
        if points is None and self.done and played and played.finishing is not None and _went_on(self.done, part):
            points = self.done.match.points(self.done.match.places(played.finishing))
        if points is not None:
            self.ended.append(part.deal.round)
            self.totals.append(tuple(total + gained for total, gained in zip(before, points, strict=True)))
        if end is not None:
            made["end"] = {
                "places": list(end.places),
                "titles": list(end.titles),
                "points": list(end.points),
                "totals": list(self.totals[-1]),
            }


def _went_on(done: Replayed, part: RoundPart) -> bool:
    """Return whether the log goes on behind a round as if it had ended."""
    close = done.parts.close
    return (close is not None and close.reason is CloseReason.BY_RULE) or part is not done.parts.rounds[-1]


def _first_breaks(findings: Iterable[Finding]) -> dict[str, str]:
    """Return by round the place of its first gift after which its hands are not known."""
    breaks: dict[str, str] = {}
    for finding in findings:
        found = _PLACE.fullmatch(finding.place)
        if found and found[2] == "exchange" and finding.code not in _GOES_ON:
            breaks.setdefault(f"round[{found[1]}]", finding.place)
    return breaks
