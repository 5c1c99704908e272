"""The mutators: every kind of lie that a match log can hold, each by name, with the code and the place it is found at.

One table serves the vectors, the property tests and the documentation. A mutator takes a sound simulated match, changes
one thing, and makes good again whatever a careful liar would cover up: digests, signatures, totals, all later rounds.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from fairdeal.codes import Code
from fairdeal.errors import Misuse
from fairdeal.hashing import tagged_hash
from fairdeal.simulate import Simulated, Simulation, simulate
from fairdeal.vectors.mutators.clock import CLOCK
from fairdeal.vectors.mutators.close import CLOSES
from fairdeal.vectors.mutators.deals import DEALS
from fairdeal.vectors.mutators.draft import draft_of, settle
from fairdeal.vectors.mutators.exchange import EXCHANGES
from fairdeal.vectors.mutators.house import HOUSE_RULES
from fairdeal.vectors.mutators.lie import Mutator
from fairdeal.vectors.mutators.marks import MARKS
from fairdeal.vectors.mutators.opening import OPENING
from fairdeal.vectors.mutators.order import ORDER
from fairdeal.vectors.mutators.plays import PLAYS
from fairdeal.vectors.mutators.seats import SEATS
from fairdeal.vectors.mutators.terms import TERMS
from fairdeal.vectors.mutators.void import VOIDS

__all__ = ["MUTATORS", "Mutated", "Mutator", "falsified", "mutate", "sample_for"]

ATTEMPTS: Final = 40

MUTATORS: Final[tuple[Mutator, ...]] = (
    *TERMS,
    *OPENING,
    *DEALS,
    *EXCHANGES,
    *PLAYS,
    *HOUSE_RULES,
    *MARKS,
    *CLOCK,
    *SEATS,
    *CLOSES,
    *ORDER,
    *VOIDS,
)


class Mutated(NamedTuple):
    """A falsified log: its bytes, and the code and place by which an audit must find the lie."""

    data: bytes
    code: Code
    place: str


def mutate(sample: Simulated, mutator: Mutator) -> Mutated:
    """Return what `mutator` makes of a sound match; the same match gives the same bytes on every machine.

    Raises `Misuse` for a sample that the mutator does not fit, or that happens to offer no place for the lie.
    """
    if not mutator.fits(sample):
        raise Misuse(f"this match is no sample for `{mutator.name}`", hint="ask `fits` first")
    draft = draft_of(sample, mutator.name)
    place = mutator.apply(draft)
    return Mutated(settle(draft), mutator.code, place)


def sample_for(mutator: Mutator, seats: int = 4, number: int = 0) -> Simulated:
    """Return a sound match that fits `mutator`, of `seats` seats or as many as it needs; another for each `number`.

    What the mutator leaves open, sealing and signing, is decided by `number` too.
    """

    def has(want: bool | None, bit: int) -> bool:
        return bool(number >> bit & 1) if want is None else want

    ruleset = mutator.ruleset()
    size = min(max(seats, mutator.needs.get("seats", 3), ruleset.min_seats), ruleset.max_seats)
    named = mutator.needs.get("players", "random")
    plan = Simulation(
        ruleset,
        size,
        tagged_hash("mutators", mutator.name.encode(), number),
        sealed=has(mutator.needs.get("sealed"), 0),
        signed=has(mutator.needs.get("signed"), 1),
        players=named if isinstance(named, str) else tuple(named[seat % len(named)] for seat in range(size)),
        seat_keys=has(mutator.needs.get("seat_keys"), 2),
        clock=mutator.needs.get("clock", False),
    )
    return simulate(plan)


def falsified(mutator: Mutator, seats: int = 4, number: int = 0) -> tuple[Simulated, Mutated]:
    """Return a sound match and what `mutator` makes of it; of the first sample that offers a place for the lie.

    The samples tried are sealed and signed in the same way. Raises `Misuse` where forty offer none.
    """
    for attempt in range(number, number + 8 * ATTEMPTS, 8):
        sample = sample_for(mutator, seats, attempt)
        try:
            return sample, mutate(sample, mutator)
        except Misuse:
            continue
    raise Misuse(f"no sample offers a place for `{mutator.name}`", hint="try other seats or another number")
