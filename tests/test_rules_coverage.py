"""What random matches reach: every value of every setting, and everything that can happen in a round.

`python -m pytest tests/test_rules_coverage.py -m full -s` plays 10,000 matches and prints how often each came up.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from fairdeal.audit import audit
from fairdeal.cards import FIRST_JOKER, TWO
from fairdeal.draws import Draws
from fairdeal.evidence import Evidence
from fairdeal.hashing import tagged_hash
from fairdeal.law import NATURAL, TURNED
from fairdeal.play import NOBODY, Closing, Round
from fairdeal.players import PLAYERS
from fairdeal.records import PASS, STRAIGHT, Action, Actions, RoundEnd
from fairdeal.report import Verdict
from fairdeal.settings import ENUM_SETTINGS, FLAG_SETTINGS, Rules
from fairdeal.simulate import Simulated, Simulation, simulate
from tests.random_rules import random_ruleset

EVENTS = (
    *(f"closed by {closing}" for closing in Closing),
    "seat skipped",
    "revolution",
    "counter-revolution",
    "order back with the trick",
    "last cards punished",
    "seats change",
    "straight",
    "wild joker in a set",
    "wild joker in a straight",
    "lone joker",
    "locked",
    "match of equal rank",
    "twos on fewer or more cards",
    "out by a play that closes",
    "round over by a play that closes",
)


class Seen:
    """An observer of audits that counts what happens; each action is looked at once its effect is there."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.events: Counter[str] = Counter()
        self.before: tuple[Round, Round, Action] | None = None

    def __call__(self, place: str, state: Round, action: Action) -> None:
        """Count what came of the action before, and remember this one."""
        del place
        self.flush()
        self.before = state.copy(), state, action

    def flush(self) -> None:
        """Count what came of the last action."""
        if self.before is not None:
            self.events.update(happened(*self.before))
        self.before = None


def happened(before: Round, after: Round, action: Action) -> Iterator[str]:
    """Yield what an action did, read off the states around it."""
    closed = after.trick > before.trick or (after.over and after.closing is not None)
    if closed:
        yield f"closed by {after.closing}"
    if before.order is not TURNED and after.order is TURNED:
        yield "revolution"
    if before.order is not NATURAL and after.order is NATURAL:
        yield "counter-revolution" if len(action.cards) > 3 else "order back with the trick"
    if action.kind == PASS:
        yield "locked" if before.law.locks and not closed else "passed"
        return
    yield from played(before, action)
    if after.skipped != NOBODY:
        yield "seat skipped"
    if len(after.dropped) > len(before.dropped):
        yield "last cards punished"
    if not after.sizes[action.seat] and closed:
        yield "round over by a play that closes" if after.over else "out by a play that closes"


def played(before: Round, action: Action) -> Iterator[str]:
    """Yield what kind of play it was."""
    cards, rank = action.cards, before.law.rank_of(action)
    jokers = sum(face >= FIRST_JOKER for face in cards)
    if action.kind == STRAIGHT:
        yield "straight"
    if before.law.wild and 0 < jokers < len(cards):
        yield "wild joker in a straight" if action.kind == STRAIGHT else "wild joker in a set"
    if jokers == len(cards) == 1:
        yield "lone joker"
    if before.count and rank == before.rank and len(cards) == before.count:
        yield "match of equal rank"
    if before.count and len(cards) != before.count and rank == TWO:
        yield "twos on fewer or more cards"


def settings_of(rules: Rules) -> Iterator[str]:
    """Yield every enum setting and flag with its value."""
    for name in (*ENUM_SETTINGS, *FLAG_SETTINGS):
        yield f"{name}={getattr(rules, name)}"


def random_match(number: int) -> Simulated:
    """Return a simulated match by random rules of 3 to 8 seats."""
    seats = 3 + number % 6
    draws = Draws(tagged_hash("coverage", number))
    players = draws.choose(sorted(PLAYERS))
    plan = Simulation(random_ruleset(draws, seats), seats, draws.take(32), players=players, rounds=3)
    return simulate(plan)


def invariants(done: Simulated) -> None:
    """Assert what holds of every match, whatever its rules."""
    seats = range(len(done.terms.seats))
    for record in done.records:
        if isinstance(record, RoundEnd):
            assert sorted(record.places) == [seat + 1 for seat in seats]
        if isinstance(record, Actions):
            assert record.actions
    report = audit(bytes(done.data), Evidence(tickets=tuple(done.tickets[:1])))
    assert report.verdict is Verdict.VERIFIED, (report.findings[0], done.terms.rules)


def cover(numbers: range) -> tuple[Counter[str], Counter[str], int]:
    """Play and audit matches; return the events, the values of settings, and the number of rounds."""
    seen, values, rounds = Seen(), Counter[str](), 0
    for number in numbers:
        done = random_match(number)
        invariants(done)
        audit(bytes(done.data), observer=seen)
        seen.flush()
        values.update(settings_of(done.terms.rules))
        ended = sum(isinstance(record, RoundEnd) for record in done.records)
        rounds += ended
        if done.terms.rules.reseat:
            seen.events["seats change"] += ended - 1
    return seen.events, values, rounds


def all_values() -> set[str]:
    """Return every value of every enum setting and flag."""
    enums = {f"{name}={value}" for name, kind in ENUM_SETTINGS.items() for value in kind}
    return enums | {f"{name}={value}" for name in FLAG_SETTINGS for value in (False, True)}


def test_random_matches_reach_every_value() -> None:
    """A few matches of any rules end, audit as verified, and between them use every value there is."""
    events, values, rounds = cover(range(72))
    assert set(values) == all_values()
    assert rounds > 90
    assert len(events) > len(EVENTS) // 2


@pytest.mark.full
@pytest.mark.parametrize("part", range(2))
def test_ten_thousand_matches(part: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing gets stuck, every log is verified, and everything that can happen does so hundreds of times in all."""
    events, values, rounds = cover(range(part, 10_000, 2))
    with capsys.disabled():
        lines = [f"  {name:<40} {events[name] or values[name]:>8}" for name in (*EVENTS, *sorted(all_values()))]
        sys.stdout.write("\n".join(["", f"{rounds} rounds", *lines, ""]))
    assert set(values) == all_values()
    assert not [name for name in EVENTS if events[name] < 75]
