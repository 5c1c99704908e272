"""A log under the hands of a careful liar: what the mutators change, and how all else is made good again.

A `Draft` is a sound match as a list of records, each action an element of its own. A mutator changes one thing in it;
`settle` then writes the bytes with a right digest in the close and right signatures by every key the liar has, so that
nothing but the lie itself is left to find.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from fairdeal.codec import encode_record
from fairdeal.commit import round_blind, round_seed, seal, seed_tree, terms_hash, transcript
from fairdeal.deal import hands_of_round
from fairdeal.draws import Draws
from fairdeal.errors import Misuse
from fairdeal.hands import count_hand
from fairdeal.hashing import file_digest, tagged_hash
from fairdeal.limits import HASH_BYTES, SIGNATURE_BYTES
from fairdeal.match import Match
from fairdeal.records import (
    OPERATOR,
    UNTIMED,
    Actions,
    Clocked,
    Close,
    CloseReason,
    Commitment,
    Deal,
    Exchange,
    Opened,
    Record,
    RoundEnd,
    Sealed,
    Signature,
    Terms,
    Timing,
    timed,
)
from fairdeal.settings import Rules
from fairdeal.sign import sign, signed_message
from fairdeal.simulate import Simulated

T = TypeVar("T")
Kind = type[Commitment | Sealed | Opened | Signature | Deal | Exchange | Actions | RoundEnd | Close]


@dataclass(slots=True)
class Draft:
    """A match being falsified. `rules` are those the play follows, whatever the terms say.

    `contributions` are what is mixed into T, `seeds` false seeds by round number, `kept` the signatures and closes that
    are themselves the lie and must not be made good.
    """

    terms: Terms
    rules: Rules
    secret: bytes
    commitment: bytes
    contributions: tuple[bytes, ...]
    keys: dict[int, bytes]
    records: list[Record]
    draws: Draws
    seeds: dict[int, bytes] = field(default_factory=dict)
    kept: list[Record] = field(default_factory=list)

    @property
    def hash(self) -> bytes:
        """The hash of the terms as they stand."""
        return terms_hash(encode_record(self.terms))

    @property
    def mixed(self) -> bytes:
        """The transcript T that the play follows."""
        return transcript(self.hash, self.commitment, self.contributions)

    def seed(self, number: int) -> bytes:
        """Return the seed that round `number` is dealt from; a false one where `seeds` holds one."""
        return self.seeds.get(number) or round_seed(self.secret, self.hash, number)

    def choose(self, options: Sequence[T]) -> T:
        """Return one of several places for the lie; raises `Misuse` where the log offers none."""
        if not options:
            raise Misuse("this log offers no place for the lie", hint="take another sample")
        return self.draws.choose(options)

    def indexes(self, kind: Kind) -> list[int]:
        """Return the indexes of all records of a kind."""
        return [index for index, record in enumerate(self.records) if isinstance(record, kind)]

    def spans(self) -> list[range]:
        """Return the indexes of each round's records, from its deal to its end."""
        return [range(deal, end + 1) for deal, end in zip(self.indexes(Deal), self.indexes(RoundEnd), strict=False)]

    def lock_signatures(self) -> list[int]:
        """Return the indexes of the signatures over the lock."""
        return [index for index in self.indexes(Signature) if index < self.indexes(Deal)[0]]

    def add(self, *records: Record) -> None:
        """Append records."""
        self.records += records

    def keep(self, index: int, record: Record) -> None:
        """Put a false signature or close in place of record `index` and leave it false."""
        self.records[index] = record
        self.kept.append(record)


def split(records: Sequence[Record]) -> list[Record]:
    """Return the records with every action as a record of its own; the bytes they encode to are the same."""
    apart: list[Record] = []
    for record in records:
        if isinstance(record, Actions):
            timing = record.timing or (UNTIMED,) * len(record.actions)
            apart += [timed(when, Actions((one,))) for when, one in zip(timing, record.actions, strict=True)]
        else:
            apart.append(record)
    return apart


def parted(record: Record) -> tuple[Record, Timing]:
    """Return an action, a gift or a seat event without what the clock says of it, and that."""
    if isinstance(record, Clocked):
        return record.record, record.timing
    if isinstance(record, Actions):
        return Actions(record.actions), record.timing[0] if record.timing else UNTIMED
    return record, UNTIMED


def draft_of(sample: Simulated, name: str) -> Draft:
    """Return a draft of a sound match; `name` and the match decide all choices made in it."""
    terms = sample.terms
    draws = Draws(tagged_hash("mutate", name.encode(), bytes(sample.data)))
    commitment = sample.tree.commitment()
    records = split(sample.records)
    return Draft(terms, terms.rules, sample.secret, commitment, sample.contributions, dict(sample.keys), records, draws)


def settle(draft: Draft) -> bytes:
    """Return the log's bytes with every digest and signature made good, apart from those kept false."""
    data = bytearray()
    offset: int | None = None
    for record in draft.records:
        good = record
        offset = (len(data) if offset is None else offset) if isinstance(record, Signature) else None
        if any(record is one for one in draft.kept):
            pass
        elif isinstance(record, Signature) and offset is not None and record.signer in draft.keys:
            message = signed_message(draft.hash, record.signer, offset, file_digest(bytes(data[:offset])))
            good = Signature(record.signer, sign(draft.keys[record.signer], message))
        elif isinstance(record, Close):
            good = replace(record, digest=file_digest(bytes(data)))
        data += encode_record(good)
    return bytes(data)


def unsigned(signer: int) -> Signature:
    """Return a signature yet to be made."""
    return Signature(signer, bytes(SIGNATURE_BYTES))


def reopen(draft: Draft, terms: Terms) -> None:
    """Write the opening anew under other terms, committed to and signed, with nothing dealt yet."""
    draft.terms = terms
    draft.commitment = seed_tree(draft.secret, draft.hash, terms.rounds).commitment()
    write_opening(draft)


def write_opening(draft: Draft) -> None:
    """Write terms, commitment, seals, lock signatures and openings; values that are not empty only."""
    owners = {seat: value for seat, value in enumerate(draft.contributions) if value}
    draft.records = [draft.terms, Commitment(draft.commitment)]
    draft.add(*(Sealed(seat, seal(draft.hash, draft.commitment, seat, value)) for seat, value in owners.items()))
    draft.add(*map(unsigned, draft.terms.signing_keys()))
    draft.add(*(Opened(seat, value) for seat, value in owners.items()))


def cut_rounds(draft: Draft, ordinal: int = 1) -> Match:
    """Drop everything from the deal of round `ordinal` on; return the standings before it."""
    del draft.records[draft.indexes(Deal)[ordinal - 1] :]
    return standings(draft)


def standings(draft: Draft) -> Match:
    """Return the standings that the rounds' ends claim."""
    match = Match(draft.rules, len(draft.terms.seats), draft.terms.rounds)
    for span in draft.spans():
        deal, end = draft.records[span.start], draft.records[span.stop - 1]
        if isinstance(deal, Deal) and isinstance(end, RoundEnd):
            match.end_round(end.places, end.points)
            match.ended = deal.round
    return match


def add_deal(draft: Draft, match: Match, first: int | None = None) -> None:
    """Append the deal of the next round; `first` is a seat that gets the first card against the rules."""
    number = match.ended + 1
    blind = round_blind(draft.seed(number), draft.mixed, number)
    draft.add(Deal(number, match.dealing_order()[0] if first is None else first, blind))


def dealt(draft: Draft, deal: Deal, match: Match) -> tuple[tuple[int, ...], list[bytearray]]:
    """Return the dealing order of a round and its counted hands by seat, before the exchange."""
    order = match.dealing_order()
    order = order[order.index(deal.first) :] + order[: order.index(deal.first)]
    packs, jokers = draft.rules.packs, draft.rules.jokers_per_pack
    hands = hands_of_round(draft.seed(deal.round), draft.mixed, deal.round, order, packs, jokers)
    return order, [count_hand(cards) for cards in hands]


def close(draft: Draft, reason: CloseReason = CloseReason.BY_RULE, seat: int | None = None) -> None:
    """Close the match with the totals that its rounds claim, instead of any close it had."""
    if draft.indexes(Close):
        del draft.records[draft.indexes(Close)[0] :]
    match = standings(draft)
    places = match.final_places() if reason is CloseReason.BY_RULE else ()
    draft.add(Close(reason, seat, bytes(HASH_BYTES), tuple(match.totals), places, draft.secret))
    if draft.terms.operator_key:
        draft.add(unsigned(OPERATOR))


def change_close(draft: Draft, change: Callable[[Close], Close]) -> str:
    """Change the close and return its place."""
    index = draft.indexes(Close)[0]
    record = draft.records[index]
    if isinstance(record, Close):
        draft.records[index] = change(record)
    return "close"


def ends(draft: Draft) -> list[tuple[int, int, RoundEnd]]:
    """Return number, index and record of every round's end."""
    records = ((index, draft.records[index]) for index in draft.indexes(RoundEnd))
    found = [(index, record) for index, record in records if isinstance(record, RoundEnd)]
    return [(ordinal, index, record) for ordinal, (index, record) in enumerate(found, 1)]


def some_end(draft: Draft) -> tuple[int, int, RoundEnd]:
    """Return number, index and record of some round's end."""
    return draft.choose(ends(draft))
