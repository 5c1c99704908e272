"""The order of a log's records: which part of the match each belongs to, and which stand in the wrong place.

The grammar is: terms, commitment, sealed*, signature*, opened*, round*, signature*, close, signature?. A record that
does not fit is set aside as a stray and the walk goes on, so that one fault hides nothing behind it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from fairdeal.errors import FairdealError, Malformed
from fairdeal.limits import MAX_STRAYS
from fairdeal.records import (
    OPERATOR,
    UNTIMED,
    Action,
    Actions,
    Clocked,
    Close,
    Commitment,
    Deal,
    Exchange,
    Item,
    Opened,
    RoundEnd,
    Sealed,
    SeatEvent,
    Signature,
    Source,
    Timing,
)


class Happening(NamedTuple):
    """A seat event with what the clock says of it; `after` is how many gifts and actions of its round came before."""

    after: int
    event: SeatEvent
    timing: Timing


@dataclass(slots=True)
class RoundPart:
    """The records of one round in their order; `start` is the deal's byte offset, `end` None when it has none.

    `timing` holds the marks and markers by the number of their move: gifts first, then actions, from 0. `events` are
    the seat events up to the next deal.
    """

    start: int
    deal: Deal
    gifts: list[Exchange] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    timing: dict[int, Timing] = field(default_factory=dict)
    events: list[Happening] = field(default_factory=list)
    end: RoundEnd | None = None
    end_offset: int = 0

    def went_on(self) -> bool:
        """Return whether the round got past its exchange."""
        return bool(self.actions) or self.end is not None

    def marked(self) -> bool:
        """Return whether any record of the round has a clock mark."""
        marks = [*self.timing.values(), *(one.timing for one in self.events)]
        return any(one.tenths is not None for one in marks)

    def moves(self) -> int:
        """Return how many gifts and actions there are so far."""
        return len(self.gifts) + len(self.actions)


@dataclass(slots=True)
class Stray:
    """A record in the wrong place: where it was met and what it is."""

    place: str
    what: str


@dataclass(slots=True)
class Structure:
    """A log sorted into its parts.

    Offsets: `lock` is where the lock ends, `lock_signed` and `close_signed` are what the two groups sign. `early` holds
    the seats whose contribution was opened before all were sealed, `stopped` is why the walk ended before the log did.
    """

    commitment: bytes | None = None
    commitment_end: int = 0
    sealed: list[Sealed] = field(default_factory=list)
    lock: int = 0
    lock_signatures: list[Signature] = field(default_factory=list)
    lock_signed: int = 0
    opened: list[Opened] = field(default_factory=list)
    opened_start: int = 0
    early: list[int] = field(default_factory=list)
    rounds: list[RoundPart] = field(default_factory=list)
    close_signatures: list[Signature] = field(default_factory=list)
    close_signed: int = 0
    close: Close | None = None
    close_start: int = 0
    close_end: int = 0
    final_signature: Signature | None = None
    strays: list[Stray] = field(default_factory=list)
    stopped: FairdealError | None = None


def structure_of(log: Source) -> Structure:
    """Return the parts of `log`."""
    parts = Structure(stopped=log.broken)
    walk = _Walk(parts, len(log.terms.contributors()))
    for item in log.items:
        if not walk.place(item):
            walk.stray(item)
        if len(parts.strays) >= MAX_STRAYS:
            parts.stopped = Malformed(f"{MAX_STRAYS} records in the wrong place", item.start)
            break
    walk.finish()
    return parts


def _name(item: Item) -> str:
    record = item.record.record if isinstance(item.record, Clocked) else item.record
    words = {RoundEnd: "end of round", Actions: "action", SeatEvent: "seat event"}
    return words.get(type(record), type(record).__name__.lower())


class _Walk:
    """Takes one record after the other into the parts of a structure."""

    __slots__ = ("contributors", "parts", "signing")

    def __init__(self, parts: Structure, contributors: int) -> None:
        self.parts = parts
        self.contributors = contributors
        self.signing: list[tuple[Item, Signature]] = []  # signatures since the last round, lock or close

    def place(self, item: Item) -> bool:
        """Take `item` into its part; return False where it has none here."""
        parts = self.parts
        if parts.close is not None:
            return self._after_close(item)
        match item.record:
            case Signature():
                return self._signature(item, item.record)
            case Close():
                self._keep_signatures()
                parts.close, parts.close_start, parts.close_end = item.record, item.start, item.end
                return True
            case Deal():
                return self._deal(item, item.record)
            case Exchange() | Actions() | RoundEnd() | SeatEvent() | Clocked():
                return self._in_round(item)
            case _ if parts.rounds:
                return False
            case _:
                self._stray_signatures()
                return self._opening(item)

    def finish(self) -> None:
        """Settle signatures that no close came after."""
        if self.parts.close is None:
            self._keep_signatures()

    def _opening(self, item: Item) -> bool:
        parts = self.parts
        match item.record:
            case Commitment() if parts.commitment is None and not (
                parts.sealed or parts.lock_signatures or parts.opened
            ):
                parts.commitment = item.record.commitment
                parts.commitment_end = parts.lock = item.end
                return True
            case Sealed() if not parts.lock_signatures and (not parts.opened or len(parts.sealed) < self.contributors):
                parts.early = [one.seat for one in parts.opened]
                parts.sealed.append(item.record)
                parts.lock = item.end
                return True
            case Opened():
                if not parts.opened:
                    parts.opened_start = item.start
                parts.opened.append(item.record)
                return True
            case _:
                return False

    def _signature(self, item: Item, record: Signature) -> bool:
        parts = self.parts
        if not parts.rounds and not parts.opened and _follows(parts.lock_signatures, record):
            if not parts.lock_signatures:
                parts.lock_signed = item.start
            parts.lock_signatures.append(record)
            return True
        if (
            (parts.rounds or parts.opened)
            and record.signer != OPERATOR
            and _follows([one for _, one in self.signing], record)
        ):
            self.signing.append((item, record))
            return True
        return False

    def _keep_signatures(self) -> None:
        """Take the signatures after the last round as those before the close."""
        if self.signing:
            self.parts.close_signed = self.signing[0][0].start
            self.parts.close_signatures = [record for _, record in self.signing]
            self.signing = []

    def _deal(self, item: Item, deal: Deal) -> bool:
        rounds = self.parts.rounds
        if rounds and rounds[-1].end is None and rounds[-1].deal.round == deal.round:
            return False
        self._stray_signatures()
        rounds.append(RoundPart(item.start, deal))
        return True

    def _stray_signatures(self) -> None:
        """Set aside signatures that turn out not to stand right before the close."""
        for item, _ in self.signing:
            self.stray(item)
        self.signing = []

    def stray(self, item: Item) -> None:
        """Set `item` aside, with the part of the match in which it was met."""
        parts = self.parts
        where = "close" if parts.close is not None else f"round[{len(parts.rounds)}]" if parts.rounds else "opening"
        parts.strays.append(Stray(where, f"{_name(item)} at byte {item.start}"))

    def _in_round(self, item: Item) -> bool:
        rounds = self.parts.rounds
        if not rounds:
            return False
        self._stray_signatures()
        part = rounds[-1]
        timing = item.record.timing if isinstance(item.record, Clocked) else UNTIMED
        record = item.record.record if isinstance(item.record, Clocked) else item.record
        match record:
            case Actions():
                if part.end is not None:
                    return False
                if record.timing:
                    part.timing.update(enumerate(record.timing, part.moves()))
                part.actions.extend(record.actions)
            case Exchange() if not part.actions and part.end is None:
                if timing != UNTIMED:
                    part.timing[part.moves()] = timing
                part.gifts.append(record)
            case RoundEnd() if part.end is None:
                part.end, part.end_offset = record, item.end
            case SeatEvent():
                part.events.append(Happening(part.moves(), record, timing))
            case _:
                return False
        return True

    def _after_close(self, item: Item) -> bool:
        parts = self.parts
        if isinstance(item.record, Signature) and item.record.signer == OPERATOR and parts.final_signature is None:
            parts.final_signature = item.record
            return True
        return False


def _follows(group: list[Signature], record: Signature) -> bool:
    """Return whether `record` may come next in a group: operator first, then seats ascending, each once."""
    return not group or group[-1].signer < record.signer
