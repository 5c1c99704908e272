"""What stands before the first deal: terms, commitment, contributions, and the signatures over the lock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fairdeal.bots import POLICY
from fairdeal.codes import Code
from fairdeal.commit import SeedTree, seal, seed_tree, transcript
from fairdeal.errors import Unsupported
from fairdeal.playable import conflicts
from fairdeal.records import CloseReason, Signature, Source, Terms, signer_name
from fairdeal.report import Judgement, Step
from fairdeal.settings import Contributions, SeatKind
from fairdeal.sign import signed_message, verify, weak_key
from fairdeal.structure import Structure


class Opening(NamedTuple):
    """What the rounds rest on: the transcript T or None, the seed tree if the secret opens C, who signed the lock.

    `opened` has the contribution of every seat that owed one and opened it, as it went into T.
    """

    transcript: bytes | None
    opened: Mapping[int, bytes]
    tree: SeedTree | None
    lock_signers: frozenset[int]


def refuse_unsupported(terms: Terms) -> None:
    """Raise `Unsupported` for terms that ask for what this version does not judge, naming all of it."""
    if terms.beacon:
        raise Unsupported(f"beacon policy `{terms.beacon}`", "terms", "this version judges matches without a beacon")
    if terms.bot_policy not in (0, POLICY):
        raise Unsupported(f"bot policy {terms.bot_policy}", "terms", f"this version knows bot policy {POLICY}")


def judge_opening(log: Source, parts: Structure, judge: Judgement, secret: bytes | None) -> Opening:
    """Check all that stands before the first deal, return what rounds need; `secret` stands in for a close to come."""
    judge_terms(log.terms, judge)
    tree = _judge_commitment(log, parts, judge, secret)
    opened = _judge_contributions(log, parts, judge)
    mixed = None
    if parts.commitment is not None and all(seat in opened for seat in log.terms.contributors()):
        values = [opened.get(seat, b"") for seat in range(len(log.terms.seats))]
        mixed = transcript(log.terms_hash, parts.commitment, values)
    return Opening(mixed, opened, tree, _judge_lock(log, parts, judge))


def judge_terms(terms: Terms, judge: Judgement) -> None:
    """Check that the terms do not contradict themselves and that no key is weak or used twice."""
    before = len(judge.findings)
    for what, _ in conflicts(terms.rules, len(terms.seats), terms.rounds):
        judge.fault(Step.TERMS, Code.TERMS, "terms", "rules that can be played", what)
    if terms.contributions is Contributions.SEALED and not terms.contributors():
        judge.fault(Step.TERMS, Code.TERMS, "terms", "a human seat to seal a contribution", "none")
    for seat, who in enumerate(terms.seats):
        if terms.bot_policy == POLICY and who.kind is SeatKind.BOT:
            expected = "a level for every bot, since the bot policy is named"
            judge.fault(Step.TERMS, Code.TERMS, "terms", expected, f"seat {seat} is a bot of no stated level")
    keys = terms.signing_keys()
    for signer, key in keys.items():
        place = f"terms.key[{signer_name(signer)}]"
        if weak_key(key):
            judge.fault(Step.TERMS, Code.WEAK_KEY, place, "a canonical key not of small order", key.hex())
        elif list(keys.values()).count(key) > 1:
            judge.fault(Step.TERMS, Code.REPEATED_KEY, place, "a key of its own", key.hex())
    judge.passed(Step.TERMS, len(judge.findings) == before)


def _judge_commitment(log: Source, parts: Structure, judge: Judgement, secret: bytes | None) -> SeedTree | None:
    """Return the seeds that the revealed secret gives, if they open the commitment."""
    if parts.commitment is None:
        if log.items:
            judge.fault(Step.COMMITMENT, Code.COMMITMENT_MISSING, "commitment", "a commitment after the terms", "none")
        return None
    revealed = secret if parts.close is None else parts.close.secret
    if revealed is None:
        judge.skipped(Step.COMMITMENT, "the match secret is revealed only when the match closes")
        return None
    tree = seed_tree(revealed, log.terms_hash, log.terms.rounds)
    opens = judge.compare(Step.COMMITMENT, Code.COMMITMENT, "close.secret", parts.commitment, tree.commitment())
    return tree if opens else None


def _judge_contributions(log: Source, parts: Structure, judge: Judgement) -> dict[int, bytes]:
    """Return the opened contribution of every seat that owes one and has opened it."""
    step = Step.CONTRIBUTIONS
    due = log.terms.contributors()
    seals: dict[int, bytes] = {}
    for one in parts.sealed:
        if _acceptable(judge, f"sealed[{one.seat}]", one.seat, one.seal, due, seals):
            seals[one.seat] = one.seal
    values: dict[int, bytes] = {}
    for opened in parts.opened:
        place = f"opened[{opened.seat}]"
        if opened.seat in parts.early:
            judge.fault(step, Code.CONTRIBUTION_EARLY, place, "opened after all are sealed", "opened before")
        if not _acceptable(judge, place, opened.seat, opened.contribution, due, values):
            continue
        values[opened.seat] = opened.contribution
        if opened.seat in seals and parts.commitment is not None:
            again = seal(log.terms_hash, parts.commitment, opened.seat, opened.contribution)
            judge.compare(step, Code.CONTRIBUTION_OPENING, place, seals[opened.seat], again)
    missing = [seat for seat in due if seat not in values or seat not in seals]
    if missing and parts.rounds:
        for seat in missing:
            what = "nothing opened" if seat in seals else "nothing sealed"
            judge.fault(step, Code.CONTRIBUTION_MISSING, f"opened[{seat}]", "a contribution before the deal", what)
    elif missing:
        judge.skipped(step, "not every seat has sealed and opened its contribution")
    return values


def _acceptable(
    judge: Judgement, place: str, seat: int, value: bytes, due: Sequence[int], known: dict[int, bytes]
) -> bool:
    """Return whether a sealed or opened value counts: its seat owes one, and this is its first.

    A value that another seat gave already is a fault, but counts: the deal was made with it.
    """
    if seat not in due:
        found = f"a contribution of seat {seat}"
        judge.fault(Step.CONTRIBUTIONS, Code.CONTRIBUTION_UNEXPECTED, place, "only the seats that owe one", found)
        return False
    if seat in known:
        judge.fault(Step.CONTRIBUTIONS, Code.CONTRIBUTION_REPEATED, place, "one contribution a seat", "a second")
        return False
    if value in known.values():
        judge.fault(Step.CONTRIBUTIONS, Code.CONTRIBUTION_REPEATED, place, "a value of its own", value.hex())
    return True


def _judge_lock(log: Source, parts: Structure, judge: Judgement) -> frozenset[int]:
    """Return who signed the lock; a missing signature is excused only while the match has not gone on."""
    signed = check_signatures(log, parts.lock_signatures, parts.lock_signed, "lock", judge)
    missing = [signer for signer in log.terms.signing_keys() if signer not in signed]
    void = parts.close is not None and parts.close.reason is not CloseReason.BY_RULE
    if missing and not parts.rounds and not parts.opened and void:
        judge.skipped(Step.SIGNATURES, "the match was closed before the lock was signed")
        return signed
    given = {one.signer for one in parts.lock_signatures}
    for signer in missing:
        if signer not in given:
            place = f"lock.signature[{signer_name(signer)}]"
            judge.fault(Step.SIGNATURES, Code.SIGNATURE_MISSING, place, "a signature of the lock", "none")
    return signed


def check_signatures(
    log: Source, signatures: Sequence[Signature], offset: int, group: str, judge: Judgement
) -> frozenset[int]:
    """Check the signatures of one group, all over the first `offset` bytes; return whose are good."""
    keys = log.terms.signing_keys()
    digest = log.digest(offset) if signatures else b""
    good: set[int] = set()
    for one in signatures:
        name = signer_name(one.signer)
        place = f"{group}.signature[{name}]"
        if one.signer not in keys:
            judge.fault(Step.SIGNATURES, Code.SIGNATURE_UNEXPECTED, place, "a signer whose key the terms name", name)
        elif verify(keys[one.signer], one.signature, signed_message(log.terms_hash, one.signer, offset, digest)):
            judge.passed(Step.SIGNATURES)
            good.add(one.signer)
        else:
            found = f"a signature that does not fit the first {offset} bytes"
            judge.fault(Step.SIGNATURES, Code.SIGNATURE_BAD, place, "a signature by the key in the terms", found)
    return frozenset(good)
