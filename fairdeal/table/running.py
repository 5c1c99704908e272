"""A running match as far as its records go: what may come next, and what a record changes.

It is built by the records alone, one after the other, live or from a log that is resumed, and drives the same
`match.Match`, `control.Control`, `exchange.Exchanging` and `play.Round` as the auditor. `lawful` says what an auditor
would find in a record before it is applied.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from fairdeal.codec import encode_record
from fairdeal.codes import Code
from fairdeal.commit import terms_hash, transcript
from fairdeal.control import Control
from fairdeal.errors import Misuse
from fairdeal.exchange import Exchanging, Swap
from fairdeal.hands import hand_cards
from fairdeal.match import Match
from fairdeal.play import Round
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
    Opened,
    Record,
    RoundEnd,
    Sealed,
    SeatEvent,
    Signature,
    Terms,
    Timing,
)
from fairdeal.table.vault import Hidden, Vault


class Phase(StrEnum):
    """What a match waits for."""

    SEALING = "sealing"
    SIGNING = "signing"
    OPENING = "opening"
    BETWEEN = "between rounds"
    EXCHANGE = "exchange"
    PLAYING = "playing"
    OVER = "over"
    CLOSED = "closed"


class Refused(Misuse):
    """What a table refuses because an auditor would find it: `code` is the auditor's."""

    def __init__(self, code: Code, what: str, where: str) -> None:
        """Keep the code beside the text."""
        super().__init__(f"{code}: {what}", where, f"`fairdeal explain {code}` says what it means")
        self.code = code
        self._given = (code, what, where)

    def __reduce__(self) -> tuple[type[Refused], tuple[Code, str, str]]:
        """Make it again elsewhere: a server may send it from one process to another."""
        return type(self), self._given


class Running(Hidden):
    """The state of a match, hidden since it holds the hands and the secret. What it shows is in `views`.

    `ended` are the ends of all rounds, `gifts` those of the running round, `acted` its actions; `dealt` its hands by
    seat before the exchange, `round` its play once the exchange is done, None between rounds.
    """

    __slots__ = (
        "acted",
        "close",
        "commitment",
        "control",
        "dealt",
        "ended",
        "events",
        "exchange",
        "final",
        "gifts",
        "marked",
        "match",
        "number",
        "opened",
        "order",
        "round",
        "seals",
        "signed",
        "signing",
        "terms",
        "terms_hash",
        "trick_start",
        "vault",
    )

    def __init__(self, terms: Terms, vault: Vault) -> None:
        """Start behind the terms and before the commitment."""
        self.terms: Final = terms
        self.terms_hash = terms_hash(encode_record(terms))
        self.vault = vault
        self.match = Match(terms.rules, len(terms.seats), terms.rounds)
        self.control = Control(terms)
        self.commitment = b""
        self.seals: dict[int, bytes] = {}
        self.opened: dict[int, bytes] = {}
        self.signed: list[int] = []  # who signed the lock
        self.signing: list[int] = []  # who signed before the close
        self.number = 0
        self.order: tuple[int, ...] = ()
        self.dealt: tuple[bytes, ...] = ()
        self.exchange: Exchanging | None = None
        self.round: Round | None = None
        self.gifts: list[Exchange] = []
        self.acted: list[Action] = []
        self.trick_start = 0  # of the running trick among the actions
        self.events = 0  # seat events since the deal
        self.marked: bool | None = None  # whether the round has clock marks; None as long as it may still turn out so
        self.ended: list[RoundEnd] = []
        self.close: Close | None = None
        self.final = False

    def phase(self) -> Phase:
        """Return what the match waits for."""
        if self.close is not None:
            return Phase.CLOSED
        if self.round is not None:
            return Phase.PLAYING
        if self.exchange is not None:
            return Phase.EXCHANGE
        if len(self.seals) < len(self.terms.contributors()):
            return Phase.SEALING
        if len(self.signed) < len(self.terms.signing_keys()):
            return Phase.SIGNING
        if len(self.opened) < len(self.terms.contributors()):
            return Phase.OPENING
        return Phase.OVER if self.match.over() else Phase.BETWEEN

    def place(self) -> str:
        """Return the place of what comes next, as a report names it."""
        if self.round is not None:
            return f"round[{self.number}].trick[{self.round.trick}].play[{self.round.play}]"
        if self.exchange is not None:
            return f"round[{self.number}].exchange[{len(self.gifts) + 1}]"
        return f"round[{self.number}]" if self.number else "the opening"

    # --- what a record changes

    def apply(self, record: Record) -> None:
        """Carry out a record in which nothing is wrong."""
        timing, inner = apart(record)
        match inner:
            case Commitment():
                self.commitment = inner.commitment
                self._mix_in()
            case Sealed():
                self.seals[inner.seat] = inner.seal
            case Signature():
                self._apply_signature(inner)
            case Opened():
                self.opened[inner.seat] = inner.contribution
                self._mix_in()
            case Deal():
                self._apply_deal(inner)
            case Exchange():
                self._apply_gift(inner, timing)
            case Action():
                self._apply_action(inner, timing)
            case SeatEvent():
                self.events += 1
                self.control.apply_event(inner)
                self._timed(timing)
                self.control.pass_time(timing)
            case RoundEnd():
                self._apply_end(inner)
            case Close():
                self.close = inner
                self.exchange = self.round = None
            case _:
                raise TypeError("terms stand at the beginning only")

    def _mix_in(self) -> None:
        if len(self.opened) == len(self.terms.contributors()):
            values = [self.opened.get(seat, b"") for seat in range(len(self.terms.seats))]
            self.vault.mix_in(transcript(self.terms_hash, self.commitment, values))

    def _apply_signature(self, record: Signature) -> None:
        if self.close is not None:
            self.final = True
        elif self.number or self.phase() is not Phase.SIGNING:
            self.signing.append(record.signer)
        else:
            self.signed.append(record.signer)

    def _apply_deal(self, record: Deal) -> None:
        self.number = record.round
        self.order = self.match.dealing_order()
        hands = self.vault.hands(self.terms, self.number, self.order)
        self.dealt = tuple(hand_cards(hand) for hand in hands)
        self.control.start_round(self.vault.streams(self.number))
        self.gifts, self.acted, self.events, self.trick_start, self.marked = [], [], 0, 0, None
        self.exchange = Exchanging(hands, self.match.swaps())
        self._begin_play()

    def _begin_play(self) -> None:
        if self.exchange is not None and not self.exchange.due:
            self.round = self.match.start_round(self.exchange.hands, self.order)
            self.exchange = None

    def _apply_gift(self, gift: Exchange, timing: Timing) -> None:
        if self.exchange is None:
            raise ValueError("no exchange")
        swap = self.exchange.wanted(gift)
        if swap is not None and not swap.tribute:
            self._timed(timing)
        self.exchange.apply(gift)
        self.control.decided(gift.giver, timing)
        self.gifts.append(gift)
        self._begin_play()

    def _apply_action(self, action: Action, timing: Timing) -> None:
        if self.round is None:
            raise ValueError("no play")
        self._timed(timing)
        trick = self.round.trick
        self.round.apply(action)
        self.control.decided(action.seat, timing)
        self.acted.append(action)
        if self.round.trick != trick:
            self.trick_start = len(self.acted)

    def _timed(self, timing: Timing) -> None:
        """Take note whether the round has clock marks, as its first record that may have one says."""
        if self.marked is None:
            self.marked = timing.tenths is not None

    def _apply_end(self, end: RoundEnd) -> None:
        self.ended.append(end)
        self.match.end_round(end.places, end.points)
        self.round = None

    # --- what the table adds by itself

    def due(self) -> Record | None:
        """Return the record that has to follow without anybody's doing: a tribute, or the end of the round."""
        if self.exchange is not None:
            swap = self.exchange.open_now()[0]
            return self.gift_of(swap) if swap.tribute else None
        if self.round is not None and self.round.over:
            places = self.match.places(self.round.finishing)
            points = self.match.points(places)
            return RoundEnd(places, self.match.titles(places), points, self.vault.seed(self.number))
        return None

    def gift_of(self, swap: Swap) -> Exchange:
        """Return a tribute, or the free return that a bot chooses by the policy."""
        if self.exchange is None:
            raise ValueError("no exchange")
        return Exchange(swap.giver, swap.receiver, self.control.bot_gift(swap, self.exchange.hands[swap.giver]))

    def owing(self, phase: Phase) -> tuple[int, ...]:
        """Return the seats that still owe what is waited for in a phase of the opening: seals, signatures, openings."""
        terms = self.terms
        match phase:
            case Phase.SEALING:
                return tuple(seat for seat in terms.contributors() if seat not in self.seals)
            case Phase.SIGNING:
                return tuple(s - 1 for s in terms.signing_keys() if s not in self.signed and s != OPERATOR)
            case Phase.OPENING:
                return tuple(seat for seat in terms.contributors() if seat not in self.opened)
            case _:
                return ()

    def waiting_for(self) -> tuple[int, ...]:
        """Return the seats that may act now: the one on turn, or those that owe a return, a seal or the like."""
        phase = self.phase()
        match phase:
            case Phase.SIGNING:
                return self.owing(phase)[:1]
            case Phase.EXCHANGE if self.exchange is not None:
                return tuple(swap.giver for swap in self.exchange.open_now())
            case Phase.PLAYING if self.round is not None:
                return (self.round.turn,)
            case _:
                return self.owing(phase)


def apart(record: Record) -> tuple[Timing, Record | Action]:
    """Return what the clock says of a record, and the record or single action itself."""
    if isinstance(record, Actions):
        (action,) = record.actions
        return (record.timing[0] if record.timing else UNTIMED), action
    return (record.timing, record.record) if isinstance(record, Clocked) else (UNTIMED, record)
