"""What every call of a table goes through: check, carry out, stage, commit; and what the table adds by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fairdeal.codec import encode_record
from fairdeal.codes import Code
from fairdeal.control import clock_action, clock_return
from fairdeal.errors import Misuse
from fairdeal.evidence import Receipt
from fairdeal.records import (
    OPERATOR,
    PASS,
    Actions,
    Close,
    CloseReason,
    Exchange,
    Opened,
    Record,
    Sealed,
    SeatEvent,
    Signature,
    Timing,
    signer_of,
    timed,
)
from fairdeal.sign import signed_message, verify
from fairdeal.table.gate import Gate
from fairdeal.table.journal import Sync
from fairdeal.table.lawful import fault_of
from fairdeal.table.resume import Resumed
from fairdeal.table.running import Phase, Refused, Running
from fairdeal.table.timekeeper import MILLISECONDS, Timekeeper, check_time
from fairdeal.table.vault import Hidden
from fairdeal.wording import describe_event

Signer = Callable[[bytes], bytes]  # signs a message with the operator's Ed25519 key
Brought = Sealed | Opened | Actions | Exchange | SeatEvent  # what a caller brings


class Desk(Hidden):
    """A running match with its log, clock and signer, hidden as a whole.

    `lock` and `closing` are what the signers of the lock and of the end sign, `ticketed` the round whose tickets were
    handed out last.
    """

    __slots__ = ("_gate", "_mode", "_sign", "closing", "journal", "lock", "running", "ticketed", "time")

    def __init__(self, found: Resumed, mode: Sync, sign: Signer | None, now: int | None) -> None:
        """Take up a match as its log leaves it, and write what was due when the last process ended."""
        self.running = found.running
        self.journal = found.journal
        self.lock = found.lock
        self.closing = found.closing
        self._mode = mode
        self._sign = sign
        self._gate = Gate()
        self.ticketed = 0
        self.time = Timekeeper()
        check_time(now)
        if found.running.marked and now is None and found.running.close is None:
            raise Misuse("this round has clock marks: the time is needed", "now", "resume with `now`")
        if found.running.marked is not False:
            self.time.start(now, found.running.control.now)
        with self.writing(always=True):
            pass

    @contextmanager
    def writing(self, *, always: bool = False) -> Iterator[None]:
        """Write what the block puts and what follows from it in one go; nothing where the block refuses.

        `always` forces it to the disk whatever the mode. Where anything fails after a record was put, the log is let
        go, since the state is ahead of it.
        """
        with self._gate:
            self.journal.usable()
            ended, trick = len(self.running.ended), self.running.trick_start
            try:
                yield
                self._settle()
                turned = self._mode is Sync.TRICK and trick != self.running.trick_start
                rounds = ended != len(self.running.ended)
                self.journal.commit(sync=always or turned or rounds or self._mode is Sync.ACTION)
            except BaseException:
                if self.journal.dirty:
                    self.journal.close()
                raise

    @contextmanager
    def looking(self) -> Iterator[Running]:
        """Give the match to look at; raises `Misuse` where it is ahead of its log, since that will never have been."""
        with self._gate:
            if self.journal.dirty:
                raise Misuse("the log could not be written", "the match", "resume it from its folder")
            yield self.running

    def let_go(self) -> None:
        """Close the log, whatever state it is in, also after an interrupt in the middle of a call."""
        with self._gate.lock:
            self.journal.close()

    def take(self, record: Brought, now: int | None = None) -> None:
        """Put what a caller brings; raises `Refused` with the auditor's code where an auditor would find something."""
        running = self.running
        timing = Timing(None, None)
        if running.number and running.phase() is not Phase.CLOSED:
            timing = self.timing(now)
        stamped = record if isinstance(record, Sealed | Opened) else timed(timing, record)
        code = fault_of(stamped, running)
        if code is not None:
            raise Refused(code, _words(record), running.place())
        self.put(stamped)
        self.time.seen(now)

    def put(self, record: Record) -> None:
        """Stage a record and carry it out: whatever goes wrong in between, the state is never ahead unnoticed."""
        self.journal.stage(encode_record(record))
        self.running.apply(record)
        if isinstance(record, Sealed):
            self.lock = self.receipt()

    def timing(self, now: int | None, acted_for: int | None = None) -> Timing:
        """Return the mark for something that happens `now`, with the seat the clock acts for, if it does."""
        passed = self.time.tenths(now)
        return Timing(None if passed is None else passed - self.running.control.now, acted_for)

    def _settle(self) -> None:
        """Put what has to follow: the operator's signature of the lock, tributes, the end of the round."""
        running = self.running
        signs = bool(running.terms.operator_key)
        if signs and running.phase() is Phase.SIGNING and OPERATOR not in running.signed:
            self.put(self._operator_signature())
        while (record := running.due()) is not None:
            self.put(record)
        if signs and running.phase() is Phase.CLOSED and not running.final:
            self.put(self._operator_signature())

    # --- what is due without a person

    def due(self, now: int | None) -> Record | None:
        """Return what a bot or the clock does now, timed, or None where a person has time left."""
        running, control = self.running, self.running.control
        if running.exchange is not None:
            for swap in running.exchange.open_now():
                if control.plays_by_policy(swap.giver):
                    return timed(self.timing(now), running.gift_of(swap))
                if self._time_is_up(now, 0):
                    cards = clock_return(running.exchange.hands[swap.giver], swap.size)
                    return timed(self.timing(now, swap.giver), Exchange(swap.giver, swap.receiver, cards))
        state = running.round
        if state is not None:
            if control.plays_by_policy(state.turn):
                return timed(self.timing(now), Actions((control.bot_action(state),)))
            if self._time_is_up(now, control.since):
                return timed(self.timing(now, state.turn), Actions((clock_action(state),)))
        return None

    def remaining(self, now: int | None) -> int | None:
        """Return in how many milliseconds something is due without a person: 0 now, None never."""
        running, control = self.running, self.running.control
        waiting = running.waiting_for() if running.exchange is not None or running.round is not None else ()
        if any(map(control.plays_by_policy, waiting)):
            return 0
        passed = self.time.tenths(now) if waiting else None
        if passed is None or not control.limit:
            return None
        since = 0 if running.exchange is not None else control.since
        return max(0, since + control.limit - passed) * MILLISECONDS

    def _time_is_up(self, now: int | None, since: int) -> bool:
        limit, passed = self.running.control.limit, self.time.tenths(now)
        return limit > 0 and passed is not None and passed - since >= limit

    # --- signatures and the close

    def receipt(self) -> Receipt:
        """Return what the log is now, without a signature."""
        return Receipt(self.running.terms_hash, self.journal.size, self.journal.digest())

    def signed(self, receipt: Receipt) -> Receipt:
        """Return a receipt with the operator's signature, where it has a key."""
        if not self.running.terms.operator_key:
            return receipt
        return receipt._replace(signature=self._operator_sign(receipt))

    def take_signature(self, seat: int, receipt: Receipt, signature: bytes, *, in_turn: bool) -> None:
        """Put a seat's signature of `receipt`; raises `Refused` where it is not its turn or does not verify."""
        signer, keys = signer_of(seat), self.running.terms.signing_keys()
        message = signed_message(self.running.terms_hash, signer, receipt.offset, receipt.digest)
        code = None
        if signer not in keys:
            code = Code.SIGNATURE_UNEXPECTED
        elif not in_turn:
            code = Code.ORDER
        elif not verify(keys[signer], signature, message):
            code = Code.SIGNATURE_BAD
        if code is not None:
            raise Refused(code, f"a signature of seat {seat}", self.running.place())
        self.put(Signature(signer, signature))

    def put_close(self, reason: CloseReason, seat: int | None, places: tuple[int, ...]) -> None:
        """Close the match and reveal its secret."""
        running = self.running
        digest, totals = self.journal.digest(), tuple(running.match.totals)
        self.put(Close(reason, seat, digest, totals, places, running.vault.secret()))

    def _operator_signature(self) -> Signature:
        return Signature(OPERATOR, self._operator_sign(self.receipt()))

    def _operator_sign(self, receipt: Receipt) -> bytes:
        """Return the operator's signature of a receipt; raises `Misuse` where the signer has another key."""
        terms, terms_hash = self.running.terms, self.running.terms_hash
        message = signed_message(terms_hash, OPERATOR, receipt.offset, receipt.digest)
        return signed_by(self._sign, terms.operator_key, message)


def signed_by(sign: Signer | None, key: bytes, message: bytes) -> bytes:
    """Return the signature that a signer makes; raises `Misuse` where it fails, or signs with another key."""
    if sign is None:
        raise Misuse("nothing signs with the operator's key", "sign", "give what signs with the key in the terms")
    try:
        signature = sign(message)
    except Exception as error:
        raise Misuse("the operator's signer has failed", "sign", "what it raised is the cause of this error") from error
    if type(signature) is not bytes or not verify(key, signature, message):
        raise Misuse("the signer has another key than the terms", "sign", "give what signs with the key in the terms")
    return signature


def _words(record: Brought) -> str:
    """Return what a caller brought in words, without its cards: refused ones are not shown to anybody."""
    match record:
        case Actions():
            (action,) = record.actions
            return f"a {'pass' if action.kind == PASS else 'play'} of seat {action.seat}"
        case Exchange():
            return f"a gift of seat {record.giver}"
        case SeatEvent():
            return describe_event(record)
        case Sealed():
            return f"a sealed contribution of seat {record.seat}"
        case _:
            return f"a contribution of seat {record.seat}"
