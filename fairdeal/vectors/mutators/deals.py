"""Lies about the lock, the deals and the seeds they follow from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from fairdeal.codec import encode_log
from fairdeal.codes import Code
from fairdeal.hashing import file_digest
from fairdeal.limits import BLIND_BYTES, HASH_BYTES, MATCH_ID_BYTES
from fairdeal.match import Match
from fairdeal.records import OPERATOR, Deal, Record, RoundEnd, Sealed, Signature, signer_name, signer_of
from fairdeal.sign import sign, signed_message
from fairdeal.vectors.mutators.draft import Draft, add_deal, close, cut_rounds, reopen, unsigned
from fairdeal.vectors.mutators.going import finish_round, play_on
from fairdeal.vectors.mutators.lie import lie

# ---- signatures over the lock


def _signer(record: Record) -> int:
    return record.signer if isinstance(record, Signature) else OPERATOR


def _of_lock(signer: int) -> str:
    return f"lock.signature[{signer_name(signer)}]"


@lie("somebody signed other bytes than the lock", Code.SIGNATURE_BAD, signed=True)
def _lock_signature_bad(draft: Draft) -> str:
    index = draft.choose(draft.lock_signatures())
    signer = _signer(draft.records[index])
    draft.keep(index, Signature(signer, sign(draft.keys[signer], b"anything else")))
    return _of_lock(signer)


@lie("a signature over the right bytes names another match", Code.SIGNATURE_BAD, signed=True)
def _lock_signature_of_another_match(draft: Draft) -> str:
    index = draft.choose(draft.lock_signatures())
    signer = _signer(draft.records[index])
    lock = encode_log(draft.records[: draft.lock_signatures()[0]])
    message = signed_message(draft.draws.take(HASH_BYTES), signer, len(lock), file_digest(lock))
    draft.keep(index, Signature(signer, sign(draft.keys[signer], message)))
    return _of_lock(signer)


@lie("the operator's signature stands as a seat's", Code.SIGNATURE_BAD, signed=True, seat_keys=True)
def _lock_signature_of_another_signer(draft: Draft) -> str:
    operators, index = draft.lock_signatures()[:2]
    record = draft.records[operators]
    if isinstance(record, Signature):
        draft.keep(index, Signature(signer_of(0), record.signature))
    return _of_lock(signer_of(0))


@lie("a seat without a key signs the lock", Code.SIGNATURE_UNEXPECTED, seat_keys=False)
def _lock_signature_by_stranger(draft: Draft) -> str:
    after = max([1, *draft.indexes(Sealed), *draft.lock_signatures()])
    draft.keys[signer_of(0)] = draft.draws.take(HASH_BYTES)
    draft.records.insert(after + 1, unsigned(signer_of(0)))
    return _of_lock(signer_of(0))


@lie("somebody with a key has not signed the lock", Code.SIGNATURE_MISSING, signed=True)
def _lock_signature_missing(draft: Draft) -> str:
    return _of_lock(_signer(draft.records.pop(draft.choose(draft.lock_signatures()))))


# ---- seeds


def _claim_seed(draft: Draft, ordinal: int, seed: bytes) -> str:
    """Let a round's end reveal `seed`."""
    index = draft.indexes(RoundEnd)[ordinal - 1]
    end = draft.records[index]
    if isinstance(end, RoundEnd):
        draft.records[index] = replace(end, seed=seed)
    return f"round[{ordinal}].end"


def _some_round(draft: Draft) -> int:
    return draft.choose(range(1, len(draft.spans()) + 1))


def _two_rounds(draft: Draft) -> tuple[int, int]:
    """Return the numbers of two different rounds."""
    one = _some_round(draft)
    return one, draft.choose([number for number in range(1, len(draft.spans()) + 1) if number != one])


@lie("a round reveals another seed than it was dealt from", Code.SEED)
def _seed_wrong(draft: Draft) -> str:
    return _claim_seed(draft, _some_round(draft), draft.draws.take(HASH_BYTES))


@lie("two rounds reveal the same seed", Code.SEED, rounds=2)
def _seed_of_another_round(draft: Draft) -> str:
    ordinal, other = _two_rounds(draft)
    return _claim_seed(draft, ordinal, draft.seed(other))


def _deal_from(draft: Draft, ordinal: int, seed: bytes) -> None:
    """Deal a round from `seed` and play on."""
    cut_rounds(draft, ordinal)
    draft.seeds[ordinal] = seed
    play_on(draft)


@lie("a round is dealt from a seed of the operator's choice", Code.SEED)
def _round_redealt(draft: Draft) -> str:
    ordinal = _some_round(draft)
    _deal_from(draft, ordinal, draft.draws.take(HASH_BYTES))
    return f"round[{ordinal}].end"


@lie("a round comes from a match of the same rules", Code.SEED)
def _round_of_another_match(draft: Draft) -> str:
    other = replace(draft, records=list(draft.records), secret=draft.draws.take(HASH_BYTES))
    reopen(other, replace(draft.terms, match_id=draft.draws.take(MATCH_ID_BYTES)))
    play_on(other)
    ordinal = draft.choose(range(1, min(len(draft.spans()), len(other.spans())) + 1))
    return _put_round(draft, ordinal, [other.records[index] for index in other.spans()[ordinal - 1]])


@lie("another round of the match stands in place of one", Code.SEED, rounds=2)
def _round_repeated(draft: Draft) -> str:
    ordinal, other = _two_rounds(draft)
    records = [draft.records[index] for index in draft.spans()[other - 1]]
    if isinstance(records[0], Deal):
        records[0] = replace(records[0], round=ordinal)
    return _put_round(draft, ordinal, records)


def _put_round(draft: Draft, ordinal: int, records: list[Record]) -> str:
    """Put the records of another round in place of one, and close with the totals that gives."""
    span = draft.spans()[ordinal - 1]
    draft.records[span.start : span.stop] = records
    close(draft)
    return f"round[{ordinal}].end"


# ---- deals


def _change_deal(draft: Draft, change: Callable[[Deal], Deal]) -> str:
    """Change the deal of some round and nothing else."""
    index = draft.choose(draft.indexes(Deal))
    deal = draft.records[index]
    if isinstance(deal, Deal):
        draft.records[index] = change(deal)
    return f"round[{draft.indexes(Deal).index(index) + 1}].deal"


@lie("a round reveals its seed, but was dealt from another", Code.BLIND)
def _dealt_from_another_seed(draft: Draft) -> str:
    ordinal = _some_round(draft)
    _deal_from(draft, ordinal, draft.draws.take(HASH_BYTES))
    del draft.seeds[ordinal]
    _claim_seed(draft, ordinal, draft.seed(ordinal))
    return f"round[{ordinal}].deal"


@lie("the blind of a deal does not follow from its seed", Code.BLIND)
def _blind_wrong(draft: Draft) -> str:
    return _change_deal(draft, lambda deal: replace(deal, blind=draft.draws.take(BLIND_BYTES)))


@lie("another seat gets the first card than the rules say", Code.FIRST_CARD)
def _first_card_wrong(draft: Draft) -> str:
    ordinal = _some_round(draft)
    match = cut_rounds(draft, ordinal)
    add_deal(draft, match, first=draft.choose(match.dealing_order()[1:]))
    play_on(draft)
    return f"round[{ordinal}].deal"


@lie("a round calls itself the next one", Code.ROUND_NUMBER)
def _round_number_wrong(draft: Draft) -> str:
    return _change_deal(draft, lambda deal: replace(deal, round=deal.round + 1))


@lie("a round before the last is left out", Code.ROUND_NUMBER, rounds=2)
def _round_left_out(draft: Draft) -> str:
    ordinal = draft.choose(range(1, len(draft.spans())))
    match: Match = cut_rounds(draft, ordinal)
    match.ended += 1
    add_deal(draft, match)
    finish_round(draft, match)
    play_on(draft)
    return f"round[{ordinal}].deal"


DEALS: Final = (
    _lock_signature_bad,
    _lock_signature_of_another_match,
    _lock_signature_of_another_signer,
    _lock_signature_by_stranger,
    _lock_signature_missing,
    _seed_wrong,
    _seed_of_another_round,
    _round_redealt,
    _round_of_another_match,
    _round_repeated,
    _dealt_from_another_seed,
    _blind_wrong,
    _first_card_wrong,
    _round_number_wrong,
    _round_left_out,
)
