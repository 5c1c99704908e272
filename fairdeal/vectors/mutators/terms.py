"""Lies in the terms: they contradict themselves, the play, or one another's keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from fairdeal.codes import Code
from fairdeal.limits import HASH_BYTES
from fairdeal.records import OPERATOR, Signature, signer_of
from fairdeal.settings import Contributions, FirstCard, LaterLeader, MatchEnd, Rules, SeatKind
from fairdeal.sign import public_key
from fairdeal.vectors.mutators.draft import Draft, reopen
from fairdeal.vectors.mutators.going import play_on
from fairdeal.vectors.mutators.lie import Change, Mutator, lie

_IDENTITY: Final = bytes([1]) + bytes(31)  # the neutral point: as a key it accepts `_FITS_ANYTHING` for any message
_FITS_ANYTHING: Final = _IDENTITY + bytes(32)
_ABOVE_FIELD: Final = (2**255 - 19 + 3).to_bytes(32, "little")  # a point's y = 3 in a second spelling


# ---- the terms contradict themselves


@lie("contributions are to be sealed, but only bots sit at the table", Code.TERMS)
def _terms_seal_without_human(draft: Draft) -> str:
    draft.contributions = (b"",) * len(draft.contributions)
    seats = tuple(replace(seat, kind=SeatKind.BOT) for seat in draft.terms.seats)
    reopen(draft, replace(draft.terms, seats=seats, contributions=Contributions.SEALED))
    play_on(draft)
    return "terms"


@lie("more rounds are to be played than there may be", Code.TERMS)
def _terms_end_past_maximum(draft: Draft) -> str:
    draft.rules = replace(draft.rules, match_end=MatchEnd.ROUNDS, end_at=draft.terms.rounds + 1)
    reopen(draft, replace(draft.terms, rules=draft.rules))
    play_on(draft)
    return "terms"


@lie("the vices exchange more cards than president and last", Code.TERMS, seats=4)
def _terms_vices_exchange_more(draft: Draft) -> str:
    draft.rules = replace(draft.rules, exchange_top=1, exchange_vice=2)
    reopen(draft, replace(draft.terms, rules=draft.rules))
    play_on(draft)
    return "terms"


@lie("ties are parted by presidencies, but no points are kept", Code.TERMS)
def _terms_ties_without_points(draft: Draft) -> str:
    draft.rules = replace(draft.rules, points=())
    reopen(draft, replace(draft.terms, rules=draft.rules))
    play_on(draft)
    return "terms"


# ---- the terms say one thing and the play follows another


def _other_rules(place: str, change: Callable[[Rules], Rules]) -> Change:
    """Return the change: terms with other rules than those the play follows."""

    def apply(draft: Draft) -> str:
        reopen(draft, replace(draft.terms, rules=change(draft.rules)))
        play_on(draft)
        return place

    return apply


def _rounds(by: int) -> Change:
    """Return the change: by the terms the match ends so many rounds later than it does."""

    def apply(draft: Draft) -> str:
        played = len(draft.spans())
        draft.rules = replace(draft.rules, match_end=MatchEnd.ROUNDS, end_at=played)
        rules = replace(draft.rules, end_at=played + by)
        reopen(draft, replace(draft.terms, rules=rules, rounds=max(draft.terms.rounds, played + by)))
        play_on(draft)
        return "close" if by > 0 else f"round[{played + by + 1}]"

    return apply


@lie("the terms give twice the points that the play does", Code.POINTS)
def _terms_points_doubled(draft: Draft) -> str:
    reopen(draft, replace(draft.terms, rules=replace(draft.rules, points=tuple(2 * f for f in draft.rules.points))))
    play_on(draft)
    return "round[1].end"


_OTHER_RULES: Final = (
    Mutator(
        "terms-exchange-of-one",
        "by the terms one card is exchanged at the top, in the play two",
        Code.EXCHANGE_COUNT,
        _other_rules("round[2].exchange[1]", lambda rules: replace(rules, exchange_top=1)),
        {"rounds": 2},
    ),
    Mutator(
        "terms-without-exchange",
        "the terms know no exchange, the play does",
        Code.EXCHANGE_UNEXPECTED,
        _other_rules("round[2].exchange[1]", lambda rules: replace(rules, exchange_top=0, exchange_vice=0)),
        {"rounds": 2},
    ),
    Mutator(
        "terms-first-card-fixed",
        "the first card rotates, though by the terms it is always the first place's",
        Code.FIRST_CARD,
        _other_rules("round[2].deal", lambda rules: replace(rules, first_card=FirstCard.FIRST_PLACE)),
        {"rounds": 2},
    ),
    Mutator(
        "terms-president-leads",
        "the last leads, though by the terms the president does",
        Code.TURN,
        _other_rules("round[2].trick[1].play[1]", lambda rules: replace(rules, later_leader=LaterLeader.PRESIDENT)),
        {"rounds": 2},
    ),
    Mutator("terms-more-rounds", "by the terms one more round was to be played", Code.CLOSE_EARLY, _rounds(by=1), {}),
    Mutator("terms-fewer-rounds", "by the terms it ended a round ago", Code.MATCH_OVER, _rounds(-1), {"rounds": 2}),
)


# ---- keys


def _weak_key(draft: Draft, key: bytes) -> str:
    draft.keys.pop(OPERATOR, None)
    reopen(draft, replace(draft.terms, operator_key=key))
    forged = Signature(OPERATOR, _FITS_ANYTHING)
    draft.keep(draft.indexes(Signature)[0], forged)
    play_on(draft)
    draft.keep(len(draft.records) - 1, forged)
    return "terms.key[operator]"


@lie("the operator's key accepts any message", Code.WEAK_KEY)
def _key_of_small_order(draft: Draft) -> str:
    return _weak_key(draft, _IDENTITY)


@lie("the operator's key is a second spelling of its point", Code.WEAK_KEY)
def _key_not_canonical(draft: Draft) -> str:
    return _weak_key(draft, _ABOVE_FIELD)


@lie("two seats have the same key", Code.REPEATED_KEY)
def _key_of_two_seats(draft: Draft) -> str:
    private = draft.draws.take(HASH_BYTES)
    draft.keys |= {signer_of(0): private, signer_of(2): private}
    seats = list(draft.terms.seats)
    for number in (0, 2):
        seats[number] = replace(seats[number], key=public_key(private))
    reopen(draft, replace(draft.terms, seats=tuple(seats)))
    play_on(draft)
    return "terms.key[seat 0]"


TERMS: Final = (
    _terms_seal_without_human,
    _terms_end_past_maximum,
    _terms_vices_exchange_more,
    _terms_ties_without_points,
    _terms_points_doubled,
    *_OTHER_RULES,
    _key_of_small_order,
    _key_not_canonical,
    _key_of_two_seats,
)
