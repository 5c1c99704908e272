"""What an auditor would find in a record, were it the next of a running match; nothing here changes anything."""

from __future__ import annotations

from collections.abc import Mapping

from fairdeal.codes import Code
from fairdeal.commit import seal
from fairdeal.records import Action, Exchange, Opened, Record, Sealed, SeatEvent, Timing
from fairdeal.table.running import Phase, Running, apart


def fault_of(record: Record, running: Running) -> Code | None:
    """Return what is wrong with a record that a caller brings, or None."""
    timing, inner = apart(record)
    match inner:
        case Sealed():
            return _seal_fault(inner, running)
        case Opened():
            return _opening_fault(inner, running)
        case Exchange():
            return _gift_fault(inner, timing, running)
        case Action():
            return _action_fault(inner, timing, running)
        case SeatEvent():
            begun = running.number and running.close is None
            return running.control.event_fault(inner) if begun else Code.ORDER
        case _:
            raise TypeError("a record that a table writes by itself")


def _seal_fault(record: Sealed, running: Running) -> Code | None:
    if running.number or running.close is not None or running.signed or running.opened:
        return Code.ORDER
    return _value_fault(record.seat, record.seal, running.seals, running)


def _opening_fault(record: Opened, running: Running) -> Code | None:
    if running.number or running.close is not None:
        return Code.ORDER
    if running.phase() is Phase.SEALING:
        return Code.CONTRIBUTION_EARLY
    if running.phase() is Phase.SIGNING:
        return Code.SIGNATURE_MISSING
    code = _value_fault(record.seat, record.contribution, running.opened, running)
    if code is not None:
        return code
    again = seal(running.terms_hash, running.commitment, record.seat, record.contribution)
    return None if again == running.seals[record.seat] else Code.CONTRIBUTION_OPENING


def _value_fault(seat: int, value: bytes, known: Mapping[int, bytes], running: Running) -> Code | None:
    if seat not in running.terms.contributors():
        return Code.CONTRIBUTION_UNEXPECTED
    return Code.CONTRIBUTION_REPEATED if seat in known or value in known.values() else None


def _gift_fault(gift: Exchange, timing: Timing, running: Running) -> Code | None:
    if running.exchange is None:
        beginning = running.round is not None and not running.acted
        return Code.EXCHANGE_UNEXPECTED if beginning else Code.ORDER
    code = running.exchange.fault(gift)
    swap = running.exchange.wanted(gift)
    if code is not None or swap is None:
        return code
    return running.control.gift_fault(gift, timing, swap, running.exchange.hands[gift.giver])


def _action_fault(action: Action, timing: Timing, running: Running) -> Code | None:
    if running.round is None:
        return Code.ORDER if running.exchange is None else Code.EXCHANGE_MISSING
    return running.round.fault(action) or running.control.action_fault(action, timing, running.round)
