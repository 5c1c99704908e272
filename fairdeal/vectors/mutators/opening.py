"""Lies in the opening of a match: commitment, secret and contributions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fairdeal.codes import Code
from fairdeal.commit import seal, seed_tree
from fairdeal.limits import HASH_BYTES
from fairdeal.records import Deal, Opened, Sealed
from fairdeal.settings import SeatKind
from fairdeal.vectors.mutators.draft import Draft, close, cut_rounds, reopen, write_opening
from fairdeal.vectors.mutators.going import play_on
from fairdeal.vectors.mutators.lie import lie

# ---- commitment and secret


@lie("no commitment follows the terms", Code.COMMITMENT_MISSING)
def _commitment_missing(draft: Draft) -> str:
    del draft.records[1]
    return "commitment"


@lie("the match is dealt under a commitment that its secret does not open", Code.COMMITMENT)
def _commitment_of_another_secret(draft: Draft) -> str:
    draft.commitment = seed_tree(draft.draws.take(HASH_BYTES), draft.hash, draft.terms.rounds).commitment()
    write_opening(draft)
    play_on(draft)
    return "close.secret"


@lie("the close reveals the secret of another match", Code.COMMITMENT)
def _secret_of_another_match(draft: Draft) -> str:
    draft.secret = draft.draws.take(HASH_BYTES)
    close(draft)
    return "close.secret"


# ---- contributions; in simulated matches every seat owes one or none does


def _mix(draft: Draft, seat: int, value: bytes) -> None:
    """Mix `value` into T as what `seat` gave."""
    draft.contributions = (*draft.contributions[:seat], value, *draft.contributions[seat + 1 :])


def _some_seat(draft: Draft, *, but_first: bool = False) -> int:
    return draft.choose(range(int(but_first), len(draft.terms.seats)))


@lie("a value is mixed in, though the terms know no contributions", Code.CONTRIBUTION_UNEXPECTED, sealed=False)
def _contribution_without_policy(draft: Draft) -> str:
    _mix(draft, 0, draft.draws.take(HASH_BYTES))
    write_opening(draft)
    play_on(draft)
    return "sealed[0]"


@lie("a value is opened, though the terms know no contributions", Code.CONTRIBUTION_UNEXPECTED, sealed=False)
def _opening_without_policy(draft: Draft) -> str:
    draft.records.insert(draft.indexes(Deal)[0], Opened(0, draft.draws.take(HASH_BYTES)))
    return "opened[0]"


@lie("a bot, which is the operator, mixes in a value", Code.CONTRIBUTION_UNEXPECTED, sealed=True)
def _contribution_by_bot(draft: Draft) -> str:
    seats, bot = list(draft.terms.seats), _some_seat(draft)
    seats[bot] = replace(seats[bot], kind=SeatKind.BOT)
    reopen(draft, replace(draft.terms, seats=tuple(seats)))
    play_on(draft)
    return f"sealed[{bot}]"


@lie("two seats give the same value", Code.CONTRIBUTION_REPEATED, sealed=True)
def _contributions_equal(draft: Draft) -> str:
    seat = _some_seat(draft, but_first=True)
    _mix(draft, seat, draft.contributions[0])
    write_opening(draft)
    play_on(draft)
    return f"opened[{seat}]"


@lie("a seat repeats the seal of another, to cancel its value", Code.CONTRIBUTION_REPEATED, sealed=True)
def _seal_copied(draft: Draft) -> str:
    seat = _some_seat(draft, but_first=True)
    _mix(draft, seat, draft.contributions[0])
    write_opening(draft)
    copied = seal(draft.hash, draft.commitment, 0, draft.contributions[0])
    draft.records[draft.indexes(Sealed)[seat]] = Sealed(seat, copied)
    play_on(draft)
    return f"sealed[{seat}]"


@lie("a seat opens a second value", Code.CONTRIBUTION_REPEATED, sealed=True)
def _contribution_opened_twice(draft: Draft) -> str:
    seat = _some_seat(draft)
    draft.records.insert(draft.indexes(Deal)[0], Opened(seat, draft.draws.take(HASH_BYTES)))
    return f"opened[{seat}]"


# with signatures this would be a signature after an opening, a fault of order
@lie(
    "a value is open before the last one is sealed", Code.CONTRIBUTION_EARLY, sealed=True, signed=False, seat_keys=False
)
def _contribution_opened_early(draft: Draft) -> str:
    first, last = draft.indexes(Opened)[0], draft.indexes(Sealed)[-1]
    draft.records.insert(last, draft.records.pop(first))
    return "opened[0]"


@lie("a sealed value stays shut and the cards are dealt without it", Code.CONTRIBUTION_MISSING, sealed=True)
def _contribution_not_opened(draft: Draft) -> str:
    seat = _some_seat(draft)
    cut_rounds(draft)
    del draft.records[draft.indexes(Opened)[seat]]
    _mix(draft, seat, b"")
    play_on(draft)
    return f"opened[{seat}]"


@lie("a seat that owes a value has neither sealed nor opened one", Code.CONTRIBUTION_MISSING, sealed=True)
def _contribution_left_out(draft: Draft) -> str:
    seat = _some_seat(draft)
    _mix(draft, seat, b"")
    write_opening(draft)
    play_on(draft)
    return f"opened[{seat}]"


@lie("a value is opened that was never sealed", Code.CONTRIBUTION_MISSING, sealed=True)
def _contribution_not_sealed(draft: Draft) -> str:
    seat = _some_seat(draft)
    del draft.records[draft.indexes(Sealed)[seat]]
    return f"opened[{seat}]"


@lie("a seat opens another value than it sealed", Code.CONTRIBUTION_OPENING, sealed=True)
def _opening_of_another_value(draft: Draft) -> str:
    seat = _some_seat(draft)
    cut_rounds(draft)
    _mix(draft, seat, draft.draws.take(HASH_BYTES))
    draft.records[draft.indexes(Opened)[seat]] = Opened(seat, draft.contributions[seat])
    play_on(draft)
    return f"opened[{seat}]"


@lie("a seal was made under other terms", Code.CONTRIBUTION_OPENING, sealed=True)
def _seal_of_another_match(draft: Draft) -> str:
    seat = _some_seat(draft)
    foreign = seal(draft.draws.take(HASH_BYTES), draft.commitment, seat, draft.contributions[seat])
    draft.records[draft.indexes(Sealed)[seat]] = Sealed(seat, foreign)
    return f"opened[{seat}]"


@lie("all values are opened, and the cards dealt as if none were", Code.BLIND, sealed=True)
def _contributions_ignored(draft: Draft) -> str:
    cut_rounds(draft)
    draft.contributions = (b"",) * len(draft.contributions)
    play_on(draft)
    return "round[1].deal"


OPENING: Final = (
    _commitment_missing,
    _commitment_of_another_secret,
    _secret_of_another_match,
    _contribution_without_policy,
    _opening_without_policy,
    _contribution_by_bot,
    _contributions_equal,
    _seal_copied,
    _contribution_opened_twice,
    _contribution_opened_early,
    _contribution_not_opened,
    _contribution_left_out,
    _contribution_not_sealed,
    _opening_of_another_value,
    _seal_of_another_match,
    _contributions_ignored,
)
