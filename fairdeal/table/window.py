"""What may be known of a running match, by anybody or by one seat and nothing else; and letting go of it."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from fairdeal.errors import Misuse
from fairdeal.evidence import Receipt
from fairdeal.records import Terms
from fairdeal.table.desk import Desk
from fairdeal.table.quiet import quiet
from fairdeal.table.running import Phase
from fairdeal.table.vault import Hidden
from fairdeal.table.views import View, view_of


class Window(Hidden):
    """The part of a table that changes nothing in its match."""

    __slots__ = ("_cut", "_desk")

    def __init__(self, desk: Desk, cut: int) -> None:
        """Look at a desk; `Table.create` and `Table.resume` are the ways to one."""
        self._desk = desk
        self._cut = cut

    @property
    def terms(self) -> Terms:
        """Return the terms of the match."""
        return self._desk.running.terms

    @property
    def terms_hash(self) -> bytes:
        """Return the hash of the terms, which seals, tickets and signatures are made with."""
        return self._desk.running.terms_hash

    @property
    def commitment(self) -> bytes:
        """Return C, to be published before the match."""
        return self._desk.running.commitment

    @property
    @quiet
    def phase(self) -> Phase:
        """Return what the match waits for."""
        with self._desk.looking() as running:
            return running.phase()

    @property
    def cut(self) -> int:
        """Return how many bytes of a torn tail were cut off when the match was resumed."""
        return self._cut

    @quiet
    def view(self, seat: int) -> View:
        """Return what `seat` may see now."""
        self._check_seat(seat)
        with self._desk.looking() as running:
            return view_of(running, seat, self._desk.receipt())

    @quiet
    def spectator(self) -> View:
        """Return what everybody may see now."""
        with self._desk.looking() as running:
            return view_of(running, None, self._desk.receipt())

    @quiet
    def receipt(self) -> Receipt:
        """Return a receipt of the log as it is now, signed where the operator has a key."""
        with self._desk.looking():
            return self._desk.signed(self._desk.receipt())

    @quiet
    def lock_receipt(self) -> Receipt:
        """Return the receipt of the lock, which a seat keeps, and signs if it has a key, before it opens."""
        with self._desk.looking():
            return self._desk.signed(self._desk.lock)

    @quiet
    def seed(self, number: int) -> bytes:
        """Return the revealed seed of an ended round; raises `Misuse` before its end."""
        with self._desk.looking() as running:
            ended = running.ended.copy()
        if type(number) is not int or not 1 <= number <= len(ended):
            raise Misuse(f"round {number} has not ended", "seed", "a seed is revealed when its round is over")
        return ended[number - 1].seed

    @quiet
    def sync(self) -> None:
        """Force the log to the disk."""
        with self._desk.looking():
            self._desk.journal.sync()

    @quiet
    def suspend(self) -> None:
        """Let go of the log without closing the match; it can be resumed."""
        self._desk.let_go()

    def __enter__(self) -> Self:
        """Return the table, which is suspended at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Suspend the match."""
        self.suspend()

    def _check_seat(self, seat: object) -> None:
        seats = len(self.terms.seats)
        if type(seat) is not int or not 0 <= seat < seats:
            raise Misuse("there is no such seat", "seat", f"seats are 0 to {seats - 1}")
