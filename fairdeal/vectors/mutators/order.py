"""Records that stand where they must not."""

from __future__ import annotations

from typing import Final

from fairdeal.codes import Code
from fairdeal.limits import HASH_BYTES
from fairdeal.records import OPERATOR, Actions, Close, Deal, Opened, Sealed, pass_action, signer_of
from fairdeal.vectors.mutators.draft import Draft, some_end, unsigned
from fairdeal.vectors.mutators.lie import lie

# ---- the order of the opening


def _swap(draft: Draft, one: int, other: int) -> str:
    """Let two records of the opening change places."""
    draft.records[one], draft.records[other] = draft.records[other], draft.records[one]
    return "opening"


@lie("a seat signs the lock before the operator", Code.ORDER, signed=True, seat_keys=True)
def _lock_signatures_reversed(draft: Draft) -> str:
    return _swap(draft, *draft.lock_signatures()[:2])


@lie("the operator signs before the last value is sealed", Code.ORDER, sealed=True, signed=True)
def _lock_signed_before_last_seal(draft: Draft) -> str:
    return _swap(draft, draft.indexes(Sealed)[-1], draft.lock_signatures()[0])


@lie("somebody signs the lock after a value is open", Code.ORDER, sealed=True, signed=True)
def _lock_signed_after_opening(draft: Draft) -> str:
    return _swap(draft, draft.lock_signatures()[-1], draft.indexes(Opened)[0])


@lie("all sign the terms, and only then comes the commitment", Code.ORDER, sealed=False, signed=True)
def _lock_signed_before_commitment(draft: Draft) -> str:
    draft.records.insert(draft.lock_signatures()[-1], draft.records.pop(1))
    return "opening"


@lie("a value is sealed before the commitment", Code.ORDER, sealed=True)
def _commitment_after_seal(draft: Draft) -> str:
    return _swap(draft, 1, draft.indexes(Sealed)[0])


# ---- from the first deal on


@lie("a round ends twice", Code.ORDER)
def _round_end_twice(draft: Draft) -> str:
    ordinal, index, end = some_end(draft)
    draft.records.insert(index, end)
    return f"round[{ordinal}]"


@lie("an action after the end of its round", Code.ORDER)
def _action_after_round_end(draft: Draft) -> str:
    ordinal, index, _ = some_end(draft)
    draft.records[index - 1], draft.records[index] = draft.records[index], draft.records[index - 1]
    return f"round[{ordinal}]"


@lie("a round is dealt twice", Code.ORDER)
def _deal_twice(draft: Draft) -> str:
    ordinal, _, _ = some_end(draft)
    index = draft.indexes(Deal)[ordinal - 1]
    draft.records.insert(index, draft.records[index])
    return f"round[{ordinal}]"


@lie("a signature inside a round", Code.ORDER)
def _signature_inside_a_round(draft: Draft) -> str:
    ordinal, index, _ = some_end(draft)
    draft.records.insert(index - 1, unsigned(signer_of(0)))
    return f"round[{ordinal}]"


@lie("a value is opened inside a round", Code.ORDER)
def _opening_inside_a_round(draft: Draft) -> str:
    ordinal, index, _ = some_end(draft)
    draft.records.insert(index - 1, Opened(0, draft.draws.take(HASH_BYTES)))
    return f"round[{ordinal}]"


@lie("an action before the first deal", Code.ORDER)
def _action_before_the_deal(draft: Draft) -> str:
    draft.records.insert(draft.indexes(Deal)[0], Actions((pass_action(0),)))
    return "opening"


@lie("an action after the close", Code.ORDER)
def _action_after_the_close(draft: Draft) -> str:
    draft.add(Actions((pass_action(0),)))
    return "close"


@lie("the match closes twice", Code.ORDER)
def _close_twice(draft: Draft) -> str:
    draft.add(draft.records[draft.indexes(Close)[0]])
    return "close"


@lie("the operator signs before the close", Code.ORDER, signed=True)
def _operator_signs_before_the_close(draft: Draft) -> str:
    draft.records.insert(draft.indexes(Close)[0], unsigned(OPERATOR))
    return f"round[{len(draft.spans())}]"


ORDER: Final = (
    _lock_signatures_reversed,
    _lock_signed_before_last_seal,
    _lock_signed_after_opening,
    _lock_signed_before_commitment,
    _commitment_after_seal,
    _round_end_twice,
    _action_after_round_end,
    _deal_twice,
    _signature_inside_a_round,
    _opening_inside_a_round,
    _action_before_the_deal,
    _action_after_the_close,
    _close_twice,
    _operator_signs_before_the_close,
)
