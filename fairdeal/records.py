"""The records of a match log as frozen values: what they say, not how their bytes are laid out.

The codec turns bytes into these and back; everything below it works on them. SPEC, "Match log", gives each its grammar.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple, Protocol

from fairdeal.cards import FIRST_JOKER, NO_RANK, common_rank
from fairdeal.errors import FairdealError
from fairdeal.limits import MAX_HEAD_CARDS
from fairdeal.settings import Contributions, Rules, SeatKind

PASS: Final = 0
SET: Final = 1  # one to eight cards, written as a head and its cards
BIG_SET: Final = 2  # nine to twelve cards, written as an array
STRAIGHT: Final = 3

OPERATOR: Final = 0  # who signs: the operator is 0, seat s is s + 1


def signer_of(seat: int) -> int:
    """Return the signer number of `seat`; the operator's own is `OPERATOR`."""
    return seat + 1


def signer_name(signer: int) -> str:
    """Return the signer in words: `operator` or `seat 2`."""
    return "operator" if signer == OPERATOR else f"seat {signer - 1}"


@dataclass(frozen=True, slots=True)
class Action:
    """One pass or play. `kind` is `PASS`, `SET`, `BIG_SET` or `STRAIGHT`.

    `rank` is that of a set of up to eight natural cards of one rank in ascending order, in which nothing depends on the
    rules; of everything else it is `NO_RANK`, and `law.Law.rank_of` says what it counts as.
    """

    kind: int
    seat: int
    cards: bytes
    rank: int


@dataclass(frozen=True, slots=True)
class Seat:
    """One player as the terms name them; `key` is an Ed25519 public key or empty."""

    name: str
    kind: SeatKind
    key: bytes


@dataclass(frozen=True, slots=True)
class Terms:
    """All that is fixed before the match (SPEC, "Terms"). `rounds` is N, the largest number of rounds."""

    match_id: bytes
    sequence: int
    operator_key: bytes
    rules: Rules
    seats: tuple[Seat, ...]
    rounds: int
    contributions: Contributions
    beacon: str
    bot_policy: int

    def contributors(self) -> tuple[int, ...]:
        """Return the seats that seal and open a contribution, ascending; none under policy `none`."""
        if self.contributions is Contributions.NONE:
            return ()
        return tuple(seat for seat, who in enumerate(self.seats) if who.kind is SeatKind.HUMAN)

    def signing_keys(self) -> dict[int, bytes]:
        """Return the public key of every signer that the terms give one, in signing order."""
        keys = {OPERATOR: self.operator_key} if self.operator_key else {}
        return keys | {signer_of(seat): who.key for seat, who in enumerate(self.seats) if who.key}


@dataclass(frozen=True, slots=True)
class Commitment:
    """C, published once before the match."""

    commitment: bytes


@dataclass(frozen=True, slots=True)
class Sealed:
    """A seat's sealed contribution K."""

    seat: int
    seal: bytes


@dataclass(frozen=True, slots=True)
class Opened:
    """A seat's contribution c, opened after the lock."""

    seat: int
    contribution: bytes


@dataclass(frozen=True, slots=True)
class Signature:
    """An Ed25519 signature of a prefix of the log by `signer` (0 the operator, s + 1 seat s)."""

    signer: int
    signature: bytes


@dataclass(frozen=True, slots=True)
class Deal:
    """The start of a round: its number from 1, the seat that gets the first card, and the round's blind."""

    round: int
    first: int
    blind: bytes


@dataclass(frozen=True, slots=True)
class Exchange:
    """Cards that go from one seat to another before the first play of a later round."""

    giver: int
    receiver: int
    cards: bytes


class Timing(NamedTuple):
    """What the clock says of a record: `tenths` of a second since the last mark or the deal, the seat it acted for."""

    tenths: int | None
    acted_for: int | None


UNTIMED: Final = Timing(None, None)


@dataclass(frozen=True, slots=True)
class Actions:
    """A run of consecutive actions, one record of the log each; `timing` has an entry for each of them or none at all.

    Either all actions of a run have a clock mark or marker, or none has.
    """

    actions: tuple[Action, ...]
    timing: tuple[Timing, ...] = ()


class Presence(IntEnum):
    """What happened to a seat's connection."""

    DISCONNECTED = 0
    RETURNED = 1
    LEFT = 2


@dataclass(frozen=True, slots=True)
class SeatEvent:
    """A seat disconnects, returns or leaves; `level` is who plays from now on, a person after a return."""

    seat: int
    presence: Presence
    level: SeatKind


@dataclass(frozen=True, slots=True)
class Clocked:
    """A gift or seat event with a clock mark, a marker, or both; actions carry theirs themselves."""

    timing: Timing
    record: Exchange | SeatEvent


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """The end of a round, each tuple by seat: finishing places from 1, title classes, points; and the revealed seed."""

    places: tuple[int, ...]
    titles: tuple[int, ...]
    points: tuple[int, ...]
    seed: bytes


class CloseReason(StrEnum):
    """Why a match closes; all but `BY_RULE` are void."""

    BY_RULE = "by-rule"
    NOT_SEALED = "not-sealed"
    NOT_SIGNED = "not-signed"
    NOT_OPENED = "not-opened"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Close:
    """The close: reason, the seat it names or None, SHA-256 of all bytes before, totals, final places, match secret."""

    reason: CloseReason
    seat: int | None
    digest: bytes
    totals: tuple[int, ...]
    places: tuple[int, ...]
    secret: bytes


Record = (
    Terms
    | Commitment
    | Sealed
    | Opened
    | Signature
    | Deal
    | Exchange
    | Actions
    | SeatEvent
    | Clocked
    | RoundEnd
    | Close
)


class Item(NamedTuple):
    """A record with the bytes it came from: `start` inclusive, `end` exclusive."""

    start: int
    end: int
    record: Record


class Source(Protocol):
    """What the judgement needs of a decoded log, without knowing bytes or files."""

    @property
    def terms(self) -> Terms:
        """The first record."""

    @property
    def terms_hash(self) -> bytes:
        """Hash of the first record's bytes as received."""

    @property
    def terms_end(self) -> int:
        """Where the terms end."""

    @property
    def items(self) -> tuple[Item, ...]:
        """All records after the terms, up to the first that does not parse."""

    @property
    def broken(self) -> FairdealError | None:
        """Why decoding ended before the last byte, if it did."""

    @property
    def size(self) -> int:
        """How many bytes of whole records there are."""

    def digest(self, offset: int) -> bytes:
        """Return SHA-256 of the first `offset` bytes as received."""

    def boundary(self, offset: int) -> int:
        """Return where the last whole record ends at or before `offset`; single actions count as records."""


def timed(timing: Timing, record: Actions | Exchange | SeatEvent) -> Record:
    """Return a gift, a seat event or a run of one action with what the clock says of it."""
    if timing == UNTIMED:
        return record
    return Actions(record.actions, (timing,)) if isinstance(record, Actions) else Clocked(timing, record)


def singles(record: Record) -> list[Record]:
    """Return a run of actions as one record for each, with its timing; any other record as it is."""
    if not isinstance(record, Actions):
        return [record]
    timing = record.timing or (UNTIMED,) * len(record.actions)
    return [timed(when, Actions((action,))) for when, action in zip(timing, record.actions, strict=True)]


def set_action(seat: int, cards: bytes) -> Action:
    """Return the action by which `seat` plays `cards` as a set, in the one encoding a set of that size has."""
    return play_action(SET if len(cards) <= MAX_HEAD_CARDS else BIG_SET, seat, cards)


def straight_action(seat: int, cards: bytes) -> Action:
    """Return the action by which `seat` plays `cards`, from the lowest rank up, as a straight."""
    return play_action(STRAIGHT, seat, cards)


def pass_action(seat: int) -> Action:
    """Return the action by which `seat` passes."""
    return Action(PASS, seat, b"", NO_RANK)


def play_action(kind: int, seat: int, cards: bytes) -> Action:
    """Return the play of `cards` as `kind` says they were written down, lawful or not."""
    plain = kind == SET and 0 < len(cards) <= MAX_HEAD_CARDS and cards[-1] < FIRST_JOKER and ascending(cards)
    return Action(kind, seat, cards, common_rank(cards) if plain else NO_RANK)


def ascending(cards: bytes) -> bool:
    """Return whether the faces never fall; copies of one face may stand side by side."""
    return len(cards) == 1 or bytes(sorted(cards)) == cards
