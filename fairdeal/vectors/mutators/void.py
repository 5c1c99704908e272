"""Void closes that claim too much, and logs that end too soon."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fairdeal.codes import Code
from fairdeal.limits import HASH_BYTES
from fairdeal.records import OPERATOR, Actions, Close, CloseReason, Deal, Opened, Sealed, Signature, signer_of
from fairdeal.vectors.mutators.draft import Draft, change_close, close, standings, unsigned
from fairdeal.vectors.mutators.lie import lie


def _void(draft: Draft, index: int, reason: CloseReason, seat: int | None = None) -> str:
    """Cut the log at record `index` and close it void."""
    del draft.records[index:]
    close(draft, reason, seat)
    return "close"


def _in_a_round(draft: Draft) -> int:
    """Return the index of an action that is not the first of its match."""
    return draft.choose(draft.indexes(Actions)[1:])


@lie("the operator stops the match", Code.VOID)
def _void_stopped(draft: Draft) -> str:
    return _void(draft, _in_a_round(draft), CloseReason.STOPPED)


@lie("void for a seat that did seal its value", Code.CLOSE_REASON, sealed=True)
def _void_not_sealed_though_it_did(draft: Draft) -> str:
    return _void(draft, draft.indexes(Sealed)[-1] + 1, CloseReason.NOT_SEALED, 0)


@lie("void for a seat that did open its value", Code.CLOSE_REASON, sealed=True)
def _void_not_opened_though_it_did(draft: Draft) -> str:
    return _void(draft, draft.indexes(Deal)[0], CloseReason.NOT_OPENED, 0)


@lie("void for a seat that did sign the lock", Code.CLOSE_REASON, seat_keys=True)
def _void_not_signed_though_it_did(draft: Draft) -> str:
    seats = [index for index in draft.indexes(Signature) if draft.records[index] != unsigned(OPERATOR)]
    return _void(draft, seats[-1], CloseReason.NOT_SIGNED, 0)


@lie("void for a seat that has no key to sign with", Code.CLOSE_REASON, seat_keys=False)
def _void_not_signed_without_key(draft: Draft) -> str:
    return _void(draft, draft.indexes(Deal)[0], CloseReason.NOT_SIGNED, 0)


@lie("void for a value not opened, with no seat named", Code.CLOSE_REASON, sealed=True)
def _void_without_seat(draft: Draft) -> str:
    return _void(draft, draft.indexes(Opened)[-1], CloseReason.NOT_OPENED)


@lie("void for a value not sealed, long after the deal", Code.CLOSE_REASON)
def _void_for_the_opening_in_a_round(draft: Draft) -> str:
    return _void(draft, _in_a_round(draft), CloseReason.NOT_SEALED, 0)


@lie("a seat signs between two openings of a void match", Code.ORDER, sealed=True, seat_keys=True)
def _void_signed_between_openings(draft: Draft) -> str:
    last = len(draft.terms.seats) - 1
    _void(draft, draft.indexes(Opened)[-1], CloseReason.NOT_OPENED, last)
    draft.records.insert(draft.indexes(Opened)[-1], unsigned(signer_of(0)))
    return "opening"


@lie("a void match has final places", Code.FINAL_PLACES)
def _void_with_final_places(draft: Draft) -> str:
    places = standings(draft).final_places()
    _void(draft, _in_a_round(draft), CloseReason.STOPPED)
    return change_close(draft, lambda last: replace(last, places=places))


@lie("a void match has other totals than its rounds give", Code.TOTALS)
def _void_with_other_totals(draft: Draft) -> str:
    _void(draft, _in_a_round(draft), CloseReason.STOPPED)
    return change_close(draft, lambda last: replace(last, totals=(last.totals[0] + 1, *last.totals[1:])))


@lie("a void match reveals another secret", Code.COMMITMENT)
def _void_with_another_secret(draft: Draft) -> str:
    draft.secret = draft.draws.take(HASH_BYTES)
    _void(draft, _in_a_round(draft), CloseReason.STOPPED)
    return "close.secret"


@lie("the log ends inside a round", Code.UNFINISHED)
def _log_cut_in_a_round(draft: Draft) -> str:
    del draft.records[_in_a_round(draft) :]
    return "close"


@lie("the log ends before its close", Code.UNFINISHED)
def _log_without_close(draft: Draft) -> str:
    del draft.records[draft.indexes(Close)[0] :]
    return "close"


VOIDS: Final = (
    _void_stopped,
    _void_not_sealed_though_it_did,
    _void_not_opened_though_it_did,
    _void_not_signed_though_it_did,
    _void_not_signed_without_key,
    _void_without_seat,
    _void_for_the_opening_in_a_round,
    _void_signed_between_openings,
    _void_with_final_places,
    _void_with_other_totals,
    _void_with_another_secret,
    _log_cut_in_a_round,
    _log_without_close,
)
