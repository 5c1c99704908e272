"""The codes of everything a report can find (SPEC, "Codes"); `explain.toml` has a page for each.

A code names one kind of finding, never one place where it was met, and stays the same in report, vectors and
command line.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Code(StrEnum):
    """One kind of finding. All refute the log, apart from those in `INCOMPLETE`."""

    # the log as a whole
    ORDER = "order"
    UNFINISHED = "unfinished"
    VOID = "void"
    # terms, commitment, contributions
    TERMS = "terms"
    WEAK_KEY = "weak-key"
    REPEATED_KEY = "repeated-key"
    COMMITMENT_MISSING = "commitment-missing"
    COMMITMENT = "commitment"
    CONTRIBUTION_UNEXPECTED = "contribution-unexpected"
    CONTRIBUTION_REPEATED = "contribution-repeated"
    CONTRIBUTION_MISSING = "contribution-missing"
    CONTRIBUTION_EARLY = "contribution-early"
    CONTRIBUTION_OPENING = "contribution-opening"
    # signatures
    SIGNATURE_BAD = "signature-bad"
    SIGNATURE_MISSING = "signature-missing"
    SIGNATURE_UNEXPECTED = "signature-unexpected"
    # deal
    ROUND_NUMBER = "round-number"
    MATCH_OVER = "match-over"
    FIRST_CARD = "first-card"
    BLIND = "blind"
    SEED = "seed"
    # exchange
    EXCHANGE_UNEXPECTED = "exchange-unexpected"
    EXCHANGE_MISSING = "exchange-missing"
    EXCHANGE_PARTIES = "exchange-parties"
    EXCHANGE_COUNT = "exchange-count"
    TRIBUTE = "tribute"
    # play
    ROUND_OVER = "round-over"
    TURN = "turn"
    PASS_ON_LEAD = "pass-on-lead"
    NOT_HELD = "not-held"
    NOT_A_SET = "not-a-set"
    ENCODING = "encoding"
    STRAIGHT = "straight"
    NOT_A_STRAIGHT = "not-a-straight"
    FIRST_PLAY = "first-play"
    KIND = "kind"
    COUNT = "count"
    TOO_LOW = "too-low"
    # who acts and when
    CLOCK_MARK = "clock-mark"
    CLOCK_NOT_DUE = "clock-not-due"
    CLOCK_EARLY = "clock-early"
    CLOCK_OVERRUN = "clock-overrun"
    CLOCK_CHOICE = "clock-choice"
    SEAT_EVENT = "seat-event"
    BOT_CHOICE = "bot-choice"
    # end of round
    ROUND_UNFINISHED = "round-unfinished"
    ROUND_END_MISSING = "round-end-missing"
    PLACES = "places"
    TITLES = "titles"
    POINTS = "points"
    # close
    CLOSE_EARLY = "close-early"
    CLOSE_REASON = "close-reason"
    DIGEST = "digest"
    TOTALS = "totals"
    FINAL_PLACES = "final-places"
    # evidence from outside the log
    TICKET_TERMS = "ticket-terms"
    TICKET_COMMITMENT = "ticket-commitment"
    TICKET_FINGERPRINT = "ticket-fingerprint"
    TICKET_CONTRIBUTIONS = "ticket-contributions"
    TICKET_DECK = "ticket-deck"
    TICKET_POSITION = "ticket-position"
    RECEIPT_TERMS = "receipt-terms"
    RECEIPT_DIGEST = "receipt-digest"
    RECEIPT_BEYOND = "receipt-beyond"
    RECEIPT_SIGNATURE = "receipt-signature"
    COMMITMENT_OTHER = "commitment-other"
    PUBLISHED_ABSENT = "published-absent"
    KEY_OTHER = "key-other"
    CONTRIBUTION_OTHER = "contribution-other"
    CARDS_OTHER = "cards-other"
    # what was asked for and not shown
    NOT_COMPARED = "not-compared"
    NOT_PROVEN = "not-proven"
    # what only several logs show
    SEQUENCE_GAP = "sequence-gap"
    SEQUENCE_REPEATED = "sequence-repeated"
    SECRET_REPEATED = "secret-repeated"
    COMMITMENT_REPEATED = "commitment-repeated"
    MATCH_ID_REPEATED = "match-id-repeated"
    CONTRIBUTION_REUSED = "contribution-reused"
    LOGS_DIFFER = "logs-differ"
    EQUIVOCATION = "equivocation"
    # no verdict
    MALFORMED = "malformed"
    UNSUPPORTED = "unsupported"
    UNREADABLE = "unreadable"


INCOMPLETE: Final = frozenset(
    {
        Code.UNFINISHED,
        Code.VOID,
        Code.SIGNATURE_MISSING,
        Code.TICKET_TERMS,
        Code.RECEIPT_TERMS,
        Code.RECEIPT_BEYOND,
        Code.RECEIPT_SIGNATURE,
        Code.PUBLISHED_ABSENT,
        Code.NOT_COMPARED,
        Code.NOT_PROVEN,
        Code.SEQUENCE_GAP,
    }
)
ACROSS: Final = frozenset(
    {
        Code.SEQUENCE_GAP,
        Code.SEQUENCE_REPEATED,
        Code.SECRET_REPEATED,
        Code.COMMITMENT_REPEATED,
        Code.MATCH_ID_REPEATED,
        Code.CONTRIBUTION_REUSED,
        Code.LOGS_DIFFER,
        Code.EQUIVOCATION,
    }
)
NO_VERDICT: Final = frozenset({Code.MALFORMED, Code.UNSUPPORTED, Code.UNREADABLE})
