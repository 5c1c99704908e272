"""The table itself: what a game server calls, and nothing that could be called wrongly without a clear refusal."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Self

from fairdeal.codes import Code
from fairdeal.commit import terms_hash
from fairdeal.errors import Misuse
from fairdeal.evidence import Ticket
from fairdeal.hashing import file_digest
from fairdeal.limits import HASH_BYTES, MAX_EXCHANGE, MAX_SEAT_EVENTS, MAX_SET, SIGNATURE_BYTES
from fairdeal.records import (
    OPERATOR,
    Action,
    Actions,
    Clocked,
    CloseReason,
    Deal,
    Exchange,
    Opened,
    Presence,
    Sealed,
    SeatEvent,
    Terms,
    pass_action,
    set_action,
    signer_of,
    straight_action,
)
from fairdeal.settings import SeatKind
from fairdeal.sign import signed_message
from fairdeal.table.arguments import check_ways, faces_of, octets_of
from fairdeal.table.desk import Desk, Signer, signed_by
from fairdeal.table.folder import checked_terms, new_match
from fairdeal.table.journal import Sync
from fairdeal.table.quiet import quiet
from fairdeal.table.resume import resumed
from fairdeal.table.running import Phase, Refused
from fairdeal.table.timekeeper import check_time
from fairdeal.table.window import Window

# what an auditor would find in a deal or a close by rule, by what the match waits for
_TOO_SOON: Final = {
    Phase.SEALING: Code.CONTRIBUTION_MISSING,
    Phase.SIGNING: Code.SIGNATURE_MISSING,
    Phase.OPENING: Code.CONTRIBUTION_MISSING,
    Phase.EXCHANGE: Code.ROUND_END_MISSING,
    Phase.PLAYING: Code.ROUND_END_MISSING,
    Phase.CLOSED: Code.ORDER,
}
_OWED: Final = {
    CloseReason.NOT_SEALED: Phase.SEALING,
    CloseReason.NOT_SIGNED: Phase.SIGNING,
    CloseReason.NOT_OPENED: Phase.OPENING,
}


class Table(Window):
    """One running match and its log. Use `Table.create` or `Table.resume`; one process, any number of threads.

    What an auditor would find is refused with `Refused` and the auditor's code, what makes no sense with `Misuse`;
    either way nothing has changed. Where the log cannot be written an `OSError` comes, or `Misuse` where it cannot be
    signed: nothing of that call is in the log, and the table takes and shows nothing more. The match is then resumed
    from its folder. No error carries frames or cards of the call it came from.

    Cards are faces (`cards.parse_cards` reads them from text), in any order for sets and gifts and from the lowest rank
    up for straights. `now` is the time in milliseconds of any steady clock: where the deal was given it, the round has
    clock marks and all that follows needs it; else nothing takes it.
    """

    __slots__ = ()

    @classmethod
    @quiet
    def create(cls, folder: Path, terms: Terms, *, sync: Sync = Sync.TRICK, sign: Signer | None = None) -> Self:
        """Start a new match in `folder`, with a secret drawn for it alone; raises as `new_match` does.

        `sign` signs with the operator's key and is needed where the terms name one.
        """
        check_ways(sync, sign)
        head = checked_terms(terms)
        if terms.operator_key:
            # an empty prefix signed tells whether this is the key's signer, before there is anything to undo
            signed_by(sign, terms.operator_key, signed_message(terms_hash(head), OPERATOR, 0, file_digest(b"")))
        new_match(folder, terms)
        return cls.resume(folder, sync=sync, sign=sign)

    @classmethod
    @quiet
    def resume(
        cls, folder: Path, *, sync: Sync = Sync.TRICK, sign: Signer | None = None, now: int | None = None
    ) -> Self:
        """Take up the match in `folder` behind its last whole record; the time in between does not count.

        A torn tail is cut off and counted in `cut`. Raises `Misuse` where another process plays it, where secret and
        log do not belong together or the log does not hold up, `Malformed` where it is damaged before its end, and
        `OSError` where a file is missing or cannot be read.
        """
        check_ways(sync, sign)
        found = resumed(folder)
        try:
            return cls(Desk(found, sync, sign, now), found.cut)
        except BaseException:
            found.journal.close()
            raise

    # --- before the first deal

    @quiet
    def seal(self, seat: int, sealed: bytes) -> None:
        """Take a seat's sealed contribution K."""
        self._check_seat(seat)
        value = octets_of(sealed, HASH_BYTES)
        with self._desk.writing(always=True):
            self._desk.take(Sealed(seat, value))

    @quiet
    def sign_lock(self, seat: int, signature: bytes) -> None:
        """Take a seat's signature of `lock_receipt`, seats ascending; the operator's is made by the table itself."""
        self._check_seat(seat)
        value = octets_of(signature, SIGNATURE_BYTES)
        with self._desk.writing(always=True):
            running = self._desk.running
            if running.phase() is Phase.SEALING:
                raise Misuse("not every seat has sealed its contribution", "the lock", "sign after that")
            in_turn = running.phase() is Phase.SIGNING and seat in running.waiting_for()
            self._desk.take_signature(seat, self._desk.lock, value, in_turn=in_turn)

    @quiet
    def open(self, seat: int, contribution: bytes) -> None:
        """Take a seat's opened contribution c, after the lock and its signatures."""
        self._check_seat(seat)
        value = octets_of(contribution, HASH_BYTES)
        with self._desk.writing(always=True):
            self._desk.take(Opened(seat, value))

    # --- rounds

    @quiet
    def tickets(self) -> tuple[Ticket, ...]:
        """Return the tickets by seat of the round that is dealt next, or of the one that is played."""
        with self._desk.looking() as running:
            phase = running.phase()
            if phase not in (Phase.BETWEEN, Phase.EXCHANGE, Phase.PLAYING):
                raise Misuse(f"the match is {phase}", "tickets", "tickets follow the lock and come before a deal")
            number = running.match.ended + 1
            seats = range(len(running.terms.seats))
            opened = tuple(running.opened.get(seat, b"") for seat in seats)
            order = running.match.dealing_order()
            self._desk.ticketed = number
            return tuple(running.vault.ticket(running.terms, number, opened, order, seat) for seat in seats)

    @quiet
    def deal(self, now: int | None = None) -> None:
        """Deal the next round and make the tributes of its exchange; the round's tickets have to be out by then."""
        with self._desk.writing(always=True):
            running = self._desk.running
            number = running.match.ended + 1
            phase = running.phase()
            code = Code.MATCH_OVER if phase is Phase.OVER else _TOO_SOON.get(phase)
            if code is None and running.signing:
                code = Code.ORDER
            if code is not None:
                raise Refused(code, f"a deal while the match is {phase}", running.place())
            if self._desk.ticketed != number:
                raise Misuse(f"the tickets of round {number} were not handed out", "deal", "call `tickets` first")
            check_time(now)
            self._desk.put(Deal(number, running.match.dealing_order()[0], running.vault.blind(number)))
            self._desk.time.start(now)
            running.marked = now is not None

    @quiet
    def give(self, seat: int, cards: bytes, now: int | None = None) -> None:
        """Make the free return of a seat in the exchange; of the two either may come first."""
        self._check_seat(seat)
        held = faces_of(cards, MAX_EXCHANGE)
        with self._desk.writing():
            self._refuse_for_bot(seat)
            exchange = self._desk.running.exchange
            due = [] if exchange is None else [swap.receiver for swap in exchange.due if swap.giver == seat]
            receiver = due[0] if due else (seat + 1) % len(self.terms.seats)
            self._desk.take(Exchange(seat, receiver, bytes(sorted(held))), now)

    @quiet
    def play(self, seat: int, cards: bytes, now: int | None = None, *, straight: bool = False) -> None:
        """Play cards as a set, or as a straight."""
        self._check_seat(seat)
        faces = faces_of(cards, MAX_SET)
        action = straight_action(seat, faces) if straight else set_action(seat, bytes(sorted(faces)))
        self._act(action, now)

    @quiet
    def pass_turn(self, seat: int, now: int | None = None) -> None:
        """Pass."""
        self._check_seat(seat)
        self._act(pass_action(seat), now)

    @quiet
    def advance(self, now: int | None = None) -> Action | Exchange | None:
        """Do one thing that is due without a person: a bot's choice by the policy, or what the clock does.

        Returns what was done, for the server alone: of a gift only its two seats may see the cards (`View.gifts`). None
        comes where a person has to act and has time left. A game server calls this after every accepted call until it
        returns None, and again when `remaining` has passed.
        """
        with self._desk.writing():
            record = self._desk.due(now)
            if record is None:
                return None
            self._desk.put(record)
            self._desk.time.seen(now)
            if isinstance(record, Actions):
                return record.actions[0]
            inner = record.record if isinstance(record, Clocked) else record
            return inner if isinstance(inner, Exchange) else None

    def remaining(self, now: int | None = None) -> int | None:
        """Return in how many milliseconds `advance` has something to do: 0 now, None as long as no person acts.

        To a tenth of a second, so that a timer set to it may have to be set once more.
        """
        with self._desk.looking():
            return self._desk.remaining(now)

    # --- seats

    @quiet
    def disconnect(self, seat: int, level: SeatKind, now: int | None = None) -> None:
        """Let a bot of `level` play on for a person whose connection is lost."""
        self._seat_event(seat, Presence.DISCONNECTED, level, now)

    @quiet
    def come_back(self, seat: int, now: int | None = None) -> None:
        """Let a person whose connection was lost play again."""
        self._seat_event(seat, Presence.RETURNED, SeatKind.HUMAN, now)

    @quiet
    def leave(self, seat: int, level: SeatKind, now: int | None = None) -> None:
        """Let a bot of `level` keep the seat and its points for a person who does not come back."""
        self._seat_event(seat, Presence.LEFT, level, now)

    # --- the end

    @quiet
    def sign_end(self, seat: int, signature: bytes) -> None:
        """Take a seat's signature of the ended rounds, seats ascending; only the close may follow.

        What is signed is the `receipt` of the moment before the first of these signatures.
        """
        self._check_seat(seat)
        value = octets_of(signature, SIGNATURE_BYTES)
        with self._desk.writing(always=True):
            running = self._desk.running
            if running.phase() not in (Phase.BETWEEN, Phase.OVER) or not running.number:
                raise Refused(Code.ORDER, f"a signature while the match is {running.phase()}", running.place())
            signed = self._desk.closing or self._desk.receipt()
            in_turn = not running.signing or running.signing[-1] < signer_of(seat)
            self._desk.take_signature(seat, signed, value, in_turn=in_turn)
            self._desk.closing = signed

    @quiet
    def finish(self) -> None:
        """Close the match by its rule and reveal the secret; with an operator's key all of it is signed."""
        with self._desk.writing(always=True):
            running = self._desk.running
            phase = running.phase()
            if phase in _TOO_SOON and (running.number or phase is Phase.CLOSED):
                raise Refused(_TOO_SOON[phase], f"a close by rule while the match is {phase}", "close")
            if not running.match.may_close():
                raise Refused(Code.CLOSE_EARLY, f"a close by rule after {running.match.ended} rounds", "close")
            self._desk.put_close(CloseReason.BY_RULE, None, running.match.final_places())

    @quiet
    def void(self, reason: CloseReason = CloseReason.STOPPED, seat: int | None = None) -> None:
        """Close the match without a result: stopped, or because `seat` did not seal, sign or open."""
        if seat is not None:
            self._check_seat(seat)
        if not isinstance(reason, CloseReason) or reason is CloseReason.BY_RULE:
            raise Misuse("this is no reason for a void match", "void", "stopped, not-sealed, not-signed or not-opened")
        with self._desk.writing(always=True):
            running = self._desk.running
            phase = running.phase()
            if phase is Phase.CLOSED:
                raise Refused(Code.ORDER, "a second close", "close")
            owed = _OWED.get(reason)
            if owed is not None and (running.number or seat not in running.owing(owed)):
                raise Refused(Code.CLOSE_REASON, f"{reason} of seat {seat} while the match is {phase}", "close")
            if owed is not None and phase is not owed:
                raise Misuse(f"{reason} while the match is {phase}", "close", "nobody is late with what is not due yet")
            self._desk.put_close(reason, seat, ())

    # --- shared

    def _act(self, action: Action, now: int | None) -> None:
        with self._desk.writing():
            self._refuse_for_bot(action.seat)
            self._desk.take(Actions((action,)), now)

    def _seat_event(self, seat: int, presence: Presence, level: SeatKind, now: int | None) -> None:
        self._check_seat(seat)
        if not isinstance(level, SeatKind):
            raise Misuse("this is no kind of player", "level", f"kinds: {', '.join(SeatKind)}")
        with self._desk.writing():
            running = self._desk.running
            if running.events >= MAX_SEAT_EVENTS:
                raise Misuse(f"more than {MAX_SEAT_EVENTS} seat events in a round", "seat", "wait for the next deal")
            if running.signing:
                raise Refused(Code.ORDER, "a seat event after a signature of the end", running.place())
            self._desk.take(SeatEvent(seat, presence, level), now)

    def _refuse_for_bot(self, seat: int) -> None:
        """Raise `Misuse` where a bot plays `seat` by the policy: nobody chooses for it."""
        if self._desk.running.control.plays_by_policy(seat):
            raise Misuse(f"a bot plays seat {seat}", "seat", "`advance` makes its choices")
