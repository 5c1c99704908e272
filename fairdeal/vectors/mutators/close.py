"""Lies about what a round or the match came to: places, titles, points, the close and what stands around it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fairdeal.codes import Code
from fairdeal.hashing import file_digest
from fairdeal.limits import HASH_BYTES
from fairdeal.records import (
    OPERATOR,
    Close,
    Deal,
    RoundEnd,
    Signature,
    signer_name,
    signer_of,
)
from fairdeal.sign import sign
from fairdeal.vectors.mutators.draft import Draft, add_deal, change_close, close, some_end, standings, unsigned
from fairdeal.vectors.mutators.going import finish_round, play_on
from fairdeal.vectors.mutators.lie import lie

# ---- the end of a round


def claim(draft: Draft, ordinal: int, index: int, end: RoundEnd) -> str:
    """Let a round end in `end`, and the match go on from there."""
    draft.records[index:] = [end]
    play_on(draft)
    return f"round[{ordinal}].end"


@lie("two seats change places, with titles, points and all later rounds to match", Code.PLACES)
def _places_swapped(draft: Draft) -> str:
    ordinal, index, end = some_end(draft)
    places = (end.places[1], end.places[0], *end.places[2:])
    match = standings(draft)
    return claim(draft, ordinal, index, RoundEnd(places, match.titles(places), match.points(places), end.seed))


@lie("two seats have the same finishing place", Code.PLACES)
def _place_twice(draft: Draft) -> str:
    ordinal, index, end = some_end(draft)
    draft.records[index] = replace(end, places=(end.places[1], *end.places[1:]))
    return f"round[{ordinal}].end"


@lie("a seat has the title of another place", Code.TITLES)
def _title_wrong(draft: Draft) -> str:
    ordinal, index, end = some_end(draft)
    draft.records[index] = replace(end, titles=((end.titles[0] + 1) % 5, *end.titles[1:]))
    return f"round[{ordinal}].end"


@lie("a seat has a point too many, in the totals too", Code.POINTS)
def _points_wrong(draft: Draft) -> str:
    ordinal, index, end = some_end(draft)
    return claim(draft, ordinal, index, replace(end, points=(end.points[0] + 1, *end.points[1:])))


@lie("a round ends while two seats hold cards", Code.ROUND_UNFINISHED)
def _round_cut_short(draft: Draft) -> str:
    ordinal, index, _ = some_end(draft)
    del draft.records[index - 1]
    return f"round[{ordinal}].end"


@lie("a round has no end", Code.ROUND_END_MISSING)
def _round_end_missing(draft: Draft) -> str:
    ordinal, index, _ = some_end(draft)
    del draft.records[index]
    return f"round[{ordinal}].end"


# ---- a close by rule


@lie("a seat's total is a point too high", Code.TOTALS)
def _totals_wrong(draft: Draft) -> str:
    return change_close(draft, lambda last: replace(last, totals=(last.totals[0] + 1, *last.totals[1:])))


@lie("a seat's final place is another than its total gives", Code.FINAL_PLACES)
def _final_places_wrong(draft: Draft) -> str:
    other = len(draft.terms.seats)
    return change_close(draft, lambda last: replace(last, places=(last.places[0] % other + 1, *last.places[1:])))


@lie("a match with points has no final places", Code.FINAL_PLACES)
def _final_places_missing(draft: Draft) -> str:
    return change_close(draft, lambda last: replace(last, places=()))


@lie("a close by rule names a seat", Code.CLOSE_REASON)
def _close_names_a_seat(draft: Draft) -> str:
    seat = draft.choose(range(len(draft.terms.seats)))
    return change_close(draft, lambda last: replace(last, seat=seat))


@lie("the match closes by rule before its last round", Code.CLOSE_EARLY, rounds=2)
def _close_too_early(draft: Draft) -> str:
    del draft.records[draft.indexes(Deal)[-1] :]
    close(draft)
    return "close"


@lie("the match closes by rule before its first round", Code.CLOSE_EARLY)
def _close_before_the_first_round(draft: Draft) -> str:
    del draft.records[draft.indexes(Deal)[0] :]
    close(draft)
    return "close"


@lie("a round is played after the match is over", Code.MATCH_OVER)
def _round_after_the_last(draft: Draft) -> str:
    del draft.records[draft.indexes(Close)[0] :]
    match = standings(draft)
    add_deal(draft, match)
    finish_round(draft, match)
    close(draft)
    return f"round[{len(draft.spans())}]"


@lie("the close names another digest of what stands before it", Code.DIGEST)
def _digest_wrong(draft: Draft) -> str:
    index = draft.indexes(Close)[0]
    record = draft.records[index]
    if isinstance(record, Close):
        draft.keep(index, replace(record, digest=file_digest(record.digest)))
    return "close"


# ---- signatures around the close


@lie("the operator has not signed the close", Code.SIGNATURE_MISSING, signed=True)
def _final_signature_missing(draft: Draft) -> str:
    del draft.records[-1]
    return "final.signature[operator]"


@lie("the operator signed other bytes than the closed log", Code.SIGNATURE_BAD, signed=True)
def _final_signature_bad(draft: Draft) -> str:
    draft.keep(len(draft.records) - 1, Signature(OPERATOR, sign(draft.keys[OPERATOR], b"anything else")))
    return "final.signature[operator]"


@lie("the close is signed, though the terms name no key", Code.SIGNATURE_UNEXPECTED, signed=False)
def _final_signature_by_stranger(draft: Draft) -> str:
    draft.keys[OPERATOR] = draft.draws.take(HASH_BYTES)
    draft.add(unsigned(OPERATOR))
    return "final.signature[operator]"


def _sign_before_close(draft: Draft, signer: int, *, private: bytes, message: bytes) -> str:
    draft.records.insert(draft.indexes(Close)[0], unsigned(signer))
    draft.keep(draft.indexes(Close)[0] - 1, Signature(signer, sign(private, message)))
    return f"close.signature[{signer_name(signer)}]"


@lie("a seat signed other bytes before the close", Code.SIGNATURE_BAD, seat_keys=True)
def _close_signature_bad(draft: Draft) -> str:
    signer = signer_of(draft.choose(range(len(draft.terms.seats))))
    return _sign_before_close(draft, signer, private=draft.keys[signer], message=b"anything else")


@lie("a seat without a key signs before the close", Code.SIGNATURE_UNEXPECTED, seat_keys=False)
def _close_signature_by_stranger(draft: Draft) -> str:
    return _sign_before_close(draft, signer_of(0), private=draft.draws.take(HASH_BYTES), message=b"")


CLOSES: Final = (
    _places_swapped,
    _place_twice,
    _title_wrong,
    _points_wrong,
    _round_cut_short,
    _round_end_missing,
    _totals_wrong,
    _final_places_wrong,
    _final_places_missing,
    _close_names_a_seat,
    _close_too_early,
    _close_before_the_first_round,
    _round_after_the_last,
    _digest_wrong,
    _final_signature_missing,
    _final_signature_bad,
    _final_signature_by_stranger,
    _close_signature_bad,
    _close_signature_by_stranger,
)
