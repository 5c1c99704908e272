"""The vector file of tickets: what they hold and lead to, and every text that is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from fairdeal.codes import Code
from fairdeal.commit import seed_tree
from fairdeal.evidence import Ticket
from fairdeal.limits import MAX_ROUNDS
from fairdeal.simulate import Simulated
from fairdeal.ticket import decode_ticket, encode_ticket
from fairdeal.vectors.answers import own_answer
from fairdeal.vectors.broken.tickets import broken_tickets
from fairdeal.vectors.envelope import Stage, Test, draws_for
from fairdeal.vectors.stages.claims import claimed

LONGEST: Final = 935


def recompute(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a test of this stage must state, computed from its inputs."""
    return own_answer("ticket", test)


def ticket_stage(samples: Sequence[Simulated]) -> Stage:
    """Return the tests of tickets, of the first and the last round of each sample and at the edge of every value."""
    header = [
        "A ticket as text, its fields, the commitment C and transcript T it leads to, and with the round's seed",
        "the hand. Invalid tickets are malformed, whatever they would lead to, and have no place; a seed that is not",
        "the ticket's is `ticket-fingerprint` at `seed`.",
    ]
    tests = [_of_sample(sample, index) for sample in samples for index in (0, len(sample.tickets) - 1)]
    tests += _edges()
    tests += _other_seeds(samples[0])
    sound, _ = _ticket_at(Edge(3, 1, 1, 3), "broken")
    tests += [claimed(recompute, words, {"ticket": text}, Code.MALFORMED) for words, text in broken_tickets(sound)]
    return Stage("ticket", header, tests)


def _of_sample(sample: Simulated, index: int) -> Test:
    ticket = sample.tickets[index]
    words = f"round {ticket.round} of {ticket.rounds}, seat {ticket.seat} of {len(ticket.contributions)}"
    return _with_seed(words, ticket, sample.tree.seeds[ticket.round - 1])


def _with_seed(comment: str, ticket: Ticket, seed: bytes) -> Test:
    return claimed(recompute, comment, {"ticket": encode_ticket(ticket), "seed": seed.hex()})


class Edge(NamedTuple):
    """A ticket at the edge of some values: N, r, the contributing seats of how many, packs, jokers, position, seat."""

    rounds: int
    number: int
    owners: int
    seats: int
    packs: int = 1
    jokers: int = 0
    position: int = 0
    seat: int = 0


_EDGES: Final[tuple[tuple[str, Edge], ...]] = (
    ("the shortest ticket: one round, three seats, no contributions", Edge(1, 1, 0, 3)),
    ("two jokers, the last round that one byte holds", Edge(127, 127, 0, 4, jokers=2, position=3, seat=2)),
    ("two packs of two jokers each, N and r in uint 8", Edge(128, 128, 5, 5, 2, 2, position=4)),
    ("r is one byte, N in uint 8", Edge(255, 127, 0, 3, position=1, seat=1)),
    ("the largest N and r in uint 8", Edge(255, 255, 1, 3, seat=2)),
    ("N and r in uint 16", Edge(256, 256, 0, 6, packs=2, position=5)),
    ("r in uint 8, N in uint 16", Edge(MAX_ROUNDS, 200, 7, 7, packs=2, seat=6)),
    ("one of the last leaves, whose path is shorter", Edge(MAX_ROUNDS, 993, 0, 4)),
    ("the last round of the largest match", Edge(MAX_ROUNDS, MAX_ROUNDS, 0, 4)),
    ("the last position of eight, seat 0", Edge(5, 3, 8, 8, packs=2, position=7)),
    ("the first position of eight, seat 7", Edge(5, 3, 8, 8, packs=2, seat=7)),
    ("the last position of eight, seat 7, no contributions", Edge(5, 3, 0, 8, packs=2, position=7, seat=7)),
    (
        f"the longest ticket, of {LONGEST} characters: ten hashes, eight contributions",
        Edge(MAX_ROUNDS, 257, 8, 8, 2, 2, 7, 7),
    ),
)


def _edges() -> Iterator[Test]:
    """Yield tickets at the edges of their values, each with its seed."""
    for comment, edge in _EDGES:
        ticket, seed = _ticket_at(edge, comment)
        test = _with_seed(comment, ticket, seed)
        if ("longest" in comment) != (len(test["ticket"]) == LONGEST):
            raise ValueError(f"`{comment}` has {len(test['ticket'])} characters")
        yield test
    ticket, seed = _ticket_at(Edge(5, 3, 4, 4), "equal")
    same = Ticket(**{**_values(ticket), "contributions": ticket.contributions[:1] * 4})
    yield _with_seed("equal contributions do not make a ticket malformed", same, seed)
    words = "without a seed commitment and transcript come out, but no hand"
    yield claimed(recompute, words, {"ticket": encode_ticket(ticket)})


def _values(ticket: Ticket) -> dict[str, Any]:
    """Return a ticket's values by name."""
    return {name: getattr(ticket, name) for name in Ticket.__slots__}


def _ticket_at(edge: Edge, label: str) -> tuple[Ticket, bytes]:
    """Return a ticket with these values and its seed; all else is drawn from the label."""
    draws = draws_for(f"ticket {label}")
    tree = seed_tree(draws.take(32), draws.take(32), edge.rounds)
    return Ticket(
        tree.terms,
        edge.rounds,
        edge.number,
        tree.fingerprints[edge.number - 1],
        tree.path(edge.number),
        tuple(draws.take(32) if seat < edge.owners else b"" for seat in range(edge.seats)),
        edge.packs,
        edge.jokers,
        edge.position,
        edge.seat,
    ), tree.seeds[edge.number - 1]


def _other_seeds(sample: Simulated) -> Iterator[Test]:
    """Yield sound tickets with seeds that are not theirs."""
    ticket, seeds = encode_ticket(sample.tickets[0]), sample.tree.seeds
    number = decode_ticket(ticket).round
    flipped = bytes([seeds[number - 1][0] ^ 1]) + seeds[number - 1][1:]
    others = (("of another round", seeds[number]), ("of zeros", bytes(32)), ("with one bit flipped", flipped))
    for words, seed in others:
        given = {"ticket": ticket, "seed": seed.hex()}
        yield claimed(recompute, f"a sound ticket and a seed {words}", given, Code.TICKET_FINGERPRINT, "seed")
