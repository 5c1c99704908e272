"""What somebody holds from outside the log, and holding it against the log.

Evidence is what gives an audit its worth: without any, a log proves only that it agrees with itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fairdeal.codes import Code
from fairdeal.commit import SeedTree, commitment_of_path, fingerprint
from fairdeal.errors import Misuse
from fairdeal.records import OPERATOR, Source, Terms, signer_name, signer_of
from fairdeal.replay import Replayed
from fairdeal.report import Judgement, Step, show
from fairdeal.rounds import Played
from fairdeal.sign import signed_message, verify


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a player holds before a round (SPEC, "Ticket"). C and T are computed from it, never carried in it."""

    terms_hash: bytes
    rounds: int
    round: int
    fingerprint: bytes
    path: tuple[bytes, ...]
    contributions: tuple[bytes, ...]
    packs: int
    jokers: int
    position: int
    seat: int

    def commitment(self) -> bytes:
        """Return the C that this ticket leads to; raises `Misuse` where its audit path has a wrong length."""
        return commitment_of_path(self.terms_hash, self.rounds, self.round, self.fingerprint, self.path)


def ticket_of(
    terms: Terms, tree: SeedTree, number: int, contributions: tuple[bytes, ...], order: Sequence[int], seat: int
) -> Ticket:
    """Return the ticket of `seat` for a round whose seats by dealing position are `order`."""
    return Ticket(
        terms_hash=tree.terms,
        rounds=terms.rounds,
        round=number,
        fingerprint=tree.fingerprints[number - 1],
        path=tree.path(number),
        contributions=contributions,
        packs=terms.rules.packs,
        jokers=terms.rules.jokers_per_pack,
        position=order.index(seat),
        seat=seat,
    )


class Receipt(NamedTuple):
    """Somebody's note of what the log was up to an offset, perhaps signed by the operator."""

    terms_hash: bytes
    offset: int
    digest: bytes
    signature: bytes = b""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that the auditor's client holds. `published` are lists of sequence number -> C; keys are by signer number."""

    tickets: tuple[Ticket, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    commitments: tuple[bytes, ...] = ()
    published: tuple[Mapping[int, bytes], ...] = ()
    keys: Mapping[int, bytes] = field(default_factory=dict)
    contributions: Mapping[int, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class Weighed:
    """What the evidence is good for: how C was pinned, the tickets and receipts that fit, the own contributions."""

    pinned_by: list[str] = field(default_factory=list)
    tickets: list[Ticket] = field(default_factory=list)
    receipts: list[Receipt] = field(default_factory=list)
    contributions: list[int] = field(default_factory=list)
    keys: list[int] = field(default_factory=list)


def weigh(done: Replayed, evidence: Evidence) -> Weighed:
    """Hold every piece of evidence against a replayed log; findings go to its judgement.

    In every finding `expected` is what was held from outside and `found` what the log says.
    """
    weighed = Weighed()
    if evidence.commitments or evidence.published:
        _weigh_commitments(done, evidence, weighed)
    for signer, key in evidence.keys.items():
        place = f"terms.key[{signer_name(signer)}]"
        if done.judge.compare(Step.EVIDENCE, Code.KEY_OTHER, place, key, done.log.terms.signing_keys().get(signer)):
            weighed.keys.append(signer)
    for number, ticket in enumerate(evidence.tickets, 1):
        if weigh_ticket(ticket, f"ticket[{number}]", done):
            weighed.tickets.append(ticket)
    for number, receipt in enumerate(evidence.receipts, 1):
        if weigh_receipt(receipt, f"receipt[{number}]", done.log, evidence.keys.get(OPERATOR), done.judge):
            weighed.receipts.append(receipt)
    opened = done.opening.opened
    for seat, value in evidence.contributions.items():
        if seat not in opened and not done.parts.rounds:
            done.judge.skipped(Step.EVIDENCE, f"opened[{seat}]: the log ends before seat {seat} opens its contribution")
        elif done.judge.compare(Step.EVIDENCE, Code.CONTRIBUTION_OTHER, f"opened[{seat}]", value, opened.get(seat)):
            weighed.contributions.append(seat)
    return weighed


def _weigh_commitments(done: Replayed, evidence: Evidence, weighed: Weighed) -> None:
    """Compare the log's commitment with those given and those in published lists."""
    judge, log, commitment = done.judge, done.log, done.parts.commitment
    if not log.items:
        judge.skipped(Step.EVIDENCE, "the log ends before its commitment")
        return
    for one in evidence.commitments:
        if judge.compare(Step.EVIDENCE, Code.COMMITMENT_OTHER, "commitment", one, commitment):
            weighed.pinned_by.append("the commitment given")
    sequence = log.terms.sequence
    for listed in evidence.published:
        place = f"published[{sequence}]"
        if sequence not in listed:
            found = f"numbers {min(listed)} to {max(listed)}" if listed else "an empty list"
            expected = f"match number {sequence} in the published list"
            judge.fault(Step.EVIDENCE, Code.PUBLISHED_ABSENT, place, expected, found)
        elif judge.compare(Step.EVIDENCE, Code.COMMITMENT_OTHER, place, listed[sequence], commitment):
            weighed.pinned_by.append("the published list")


def weigh_ticket(ticket: Ticket, place: str, done: Replayed) -> bool:
    """Return whether a ticket fits the log in all that the log lets one check."""
    judge, log, terms = done.judge, done.log, done.log.terms
    step = Step.EVIDENCE
    if not judge.compare(step, Code.TICKET_TERMS, place, ticket.terms_hash, log.terms_hash):
        return False
    fits = judge.compare(step, Code.TICKET_TERMS, f"{place}.rounds", ticket.rounds, terms.rounds)
    try:
        leads_to: bytes | None = ticket.commitment()
    except Misuse:
        leads_to = None
    if log.items:
        fits &= judge.compare(step, Code.TICKET_COMMITMENT, place, leads_to, done.parts.commitment)
    if done.opening.transcript is None and not done.parts.rounds:
        judge.skipped(step, f"{place}: the log ends before all contributions are opened")
    else:
        opened = done.opening.opened
        logged = tuple(opened.get(seat, b"") for seat in range(len(terms.seats)))
        fits &= judge.compare(step, Code.TICKET_CONTRIBUTIONS, place, ticket.contributions, logged)
    logged_deck = _deck_words(terms.rules.packs, terms.rules.jokers_per_pack)
    fits &= judge.compare(step, Code.TICKET_DECK, place, _deck_words(ticket.packs, ticket.jokers), logged_deck)
    played = next((one for one in done.rounds if one.number == ticket.round), None)
    return _weigh_ticket_round(ticket, place, played, judge) and fits


def _weigh_ticket_round(ticket: Ticket, place: str, played: Played | None, judge: Judgement) -> bool:
    """Compare the ticket with the round it is for, where the log holds that round and its seed."""
    if played is None or played.seed is None:
        judge.skipped(Step.EVIDENCE, f"{place}: the log reveals no seed of round {ticket.round}")
        return True
    mark = fingerprint(ticket.terms_hash, ticket.round, played.seed)
    fits = judge.compare(Step.EVIDENCE, Code.TICKET_FINGERPRINT, place, ticket.fingerprint, mark)
    position = played.dealing_order.index(ticket.seat) if ticket.seat in played.dealing_order else None
    return judge.compare(Step.EVIDENCE, Code.TICKET_POSITION, place, ticket.position, position) and fits


def _deck_words(packs: int, jokers: int) -> str:
    return f"{packs} pack{'s' if packs > 1 else ''}, {jokers} jokers in each"


def weigh_receipt(receipt: Receipt, place: str, log: Source, operator_key: bytes | None, judge: Judgement) -> bool:
    """Return whether a receipt fits the log.

    A signature that is not the operator's says nothing against the log, but takes the receipt its weight; where no key
    is known the receipt counts as an unsigned one.
    """
    step = Step.EVIDENCE
    if not judge.compare(step, Code.RECEIPT_TERMS, place, receipt.terms_hash, log.terms_hash):
        return False
    key = operator_key or log.terms.operator_key
    message = signed_message(log.terms_hash, OPERATOR, receipt.offset, receipt.digest)
    if receipt.offset < log.terms_end:
        judge.skipped(step, f"{place}: it ends inside the terms, which its terms hash pins already")
        return False
    if receipt.signature and not key:
        judge.skipped(step, f"{place}: its signature cannot be checked without the operator's key")
    elif receipt.signature and not verify(key, receipt.signature, message):
        judge.fault(step, Code.RECEIPT_SIGNATURE, place, "a signature by the operator's key", show(receipt.signature))
        return False
    if receipt.offset > log.size:
        found = f"{log.size} bytes of whole records"
        judge.fault(step, Code.RECEIPT_BEYOND, place, f"a log of at least {receipt.offset} bytes", found)
        return False
    return judge.compare(step, Code.RECEIPT_DIGEST, place, receipt.digest, log.digest(receipt.offset))


def operator_and_seats(operator: bytes | None, seats: Mapping[int, bytes]) -> dict[int, bytes]:
    """Return pinned keys by signer number, from the operator's key and the seats' keys by seat."""
    keys = {OPERATOR: operator} if operator is not None else {}
    return keys | {signer_of(seat): key for seat, key in seats.items()}
