"""Re-executing a whole match from its log and comparing every claim in it with the recomputed value.

The steps are those of SPEC, "What an auditor checks". Nothing here reads a file, a clock or a message format: a decoded
log comes in, and a `Replayed` goes out, to which evidence from outside is then added (`evidence.weigh`).
"""

from __future__ import annotations

from dataclasses import dataclass

from fairdeal.codes import Code
from fairdeal.control import Control
from fairdeal.errors import FairdealError
from fairdeal.match import Match
from fairdeal.opening import Opening, check_signatures, judge_opening, refuse_unsupported
from fairdeal.records import OPERATOR, Close, CloseReason, Source
from fairdeal.report import Judgement, Step
from fairdeal.rounds import Observer, Played, Referee, judge_round
from fairdeal.structure import RoundPart, Structure, structure_of


@dataclass(frozen=True, slots=True)
class Replayed:
    """A match re-executed: findings and tallies in `judge`, and the facts that guarantees and evidence rest on.

    `signed` lists the good signatures as (signer, offset signed), `stopped` says why the log was not read to its end.
    """

    log: Source
    parts: Structure
    judge: Judgement
    opening: Opening
    match: Match
    control: Control
    rounds: tuple[Played, ...]
    signed: tuple[tuple[int, int], ...]
    stopped: FairdealError | None


def replay(log: Source, observer: Observer | None = None, secret: bytes | None = None) -> Replayed:
    """Re-execute `log`; raises `Unsupported` when its terms ask for what this version does not judge.

    `observer` is called before every action with the round's place, the state and the action. `secret` is the match
    secret where the caller knows it before the log reveals it: the operator's own check of a running match.
    """
    refuse_unsupported(log.terms)
    judge = Judgement()
    # 1 every record stands where the grammar allows it
    parts = structure_of(log)
    for stray in parts.strays:
        judge.fault(Step.ORDER, Code.ORDER, stray.place, "no such record here", stray.what)
    judge.passed(Step.ORDER, not parts.strays)
    # 2 terms, 3 commitment, 4 contributions, 5 signatures over the lock
    opening = judge_opening(log, parts, judge, secret)
    # 6 seeds, 7 deals, 8 exchanges, 9 plays, 10 clock, seats and bots, 11 places, 12 titles, 13 points
    match = Match(log.terms.rules, len(log.terms.seats), log.terms.rounds)
    referee = Referee(match, Control(log.terms), judge, observer)
    rounds = tuple(
        _judge_round_part(part, ordinal, opening, referee, parts) for ordinal, part in enumerate(parts.rounds, 1)
    )
    _tell_unmarked(parts, match, judge)
    # 14 the close
    signed = [(signer, parts.lock_signed) for signer in opening.lock_signers]
    signed += _judge_close(log, parts, match, judge)
    return Replayed(log, parts, judge, opening, match, referee.control, rounds, tuple(signed), parts.stopped)


def _judge_round_part(part: RoundPart, ordinal: int, opening: Opening, referee: Referee, parts: Structure) -> Played:
    match, judge = referee.match, referee.judge
    place = f"round[{ordinal}]"
    if match.over():
        what = f"round {part.deal.round}"
        judge.fault(Step.CLOSE, Code.MATCH_OVER, place, f"the match to close after {match.ended} rounds", what)
    if not judge.compare(Step.DEALS, Code.ROUND_NUMBER, f"{place}.deal", match.ended + 1, part.deal.round):
        match.ended = part.deal.round - 1  # go on from the number the log claims
    seed = _seed_of(part, opening, place, judge)
    played = judge_round(part, place, seed, opening.transcript, referee)
    by_rule = parts.close is not None and parts.close.reason is CloseReason.BY_RULE
    should_end = by_rule or ordinal < len(parts.rounds)
    if part.end is not None or should_end:
        _go_on(part, played, match)
    if part.end is None and should_end:
        judge.fault(Step.ORDER, Code.ROUND_END_MISSING, f"{place}.end", "the end of the round", "none")
    return played


def _tell_unmarked(parts: Structure, match: Match, judge: Judgement) -> None:
    """Say in how many rounds a clock ran of which the log has no times: nobody can tell who was late there."""
    unmarked = sum(not part.marked() for part in parts.rounds)
    if match.rules.turn_seconds and unmarked:
        of = f"{unmarked} of {len(parts.rounds)} rounds"
        judge.skipped(Step.CONTROL, f"{of} have no clock marks, so whether anybody ran out of time is not known")


def _go_on(part: RoundPart, played: Played, match: Match) -> None:
    """Take the round into the standings as the log claims it, or as recomputed where it claims nothing usable."""
    end, places = part.end, None
    if end is not None and sorted(end.places) == list(range(1, match.seats + 1)):
        places = end.places
    elif played.finishing is not None:
        places = match.places(played.finishing)
    if end is not None:
        match.end_round(places, end.points)
    else:
        match.end_round(places, (0,) * match.seats if places is None else match.points(places))


def _seed_of(part: RoundPart, opening: Opening, place: str, judge: Judgement) -> bytes | None:
    """Return the seed to judge a round with: the one that opens C, else the one the log reveals, else None."""
    logged = None if part.end is None else part.end.seed
    if opening.tree is None:
        judge.skipped(Step.SEEDS, f"{place}: no revealed secret opens the commitment")
        return logged
    if part.deal.round > len(opening.tree.seeds):
        judge.skipped(Step.SEEDS, f"{place}: the commitment holds no seed for round {part.deal.round}")
        return None
    seed = opening.tree.seeds[part.deal.round - 1]
    if logged is not None:
        judge.compare(Step.SEEDS, Code.SEED, f"{place}.end", seed, logged)
    return seed


def _judge_close(log: Source, parts: Structure, match: Match, judge: Judgement) -> list[tuple[int, int]]:
    """Check the close and the signatures around it; return the good ones."""
    before = check_signatures(log, parts.close_signatures, parts.close_signed, "close", judge)
    signed = [(signer, parts.close_signed) for signer in before]
    close = parts.close
    if close is None:
        if parts.stopped is None:
            judge.fault(Step.CLOSE, Code.UNFINISHED, "close", "the match to close", "the log ends before")
        return signed
    judge.compare(Step.CLOSE, Code.DIGEST, "close", log.digest(parts.close_start), close.digest)
    judge.compare(Step.CLOSE, Code.TOTALS, "close", tuple(match.totals), close.totals)
    if close.reason is CloseReason.BY_RULE:
        if not match.may_close():
            found = f"closed by rule after {match.ended} rounds"
            judge.fault(Step.CLOSE, Code.CLOSE_EARLY, "close", "rounds until the match is over", found)
        judge.compare(Step.CLOSE, Code.FINAL_PLACES, "close", match.final_places(), close.places)
        if close.seat is not None:
            judge.fault(
                Step.CLOSE, Code.CLOSE_REASON, "close", "no seat named by a regular close", f"seat {close.seat}"
            )
    else:
        _judge_void(log, parts, close, judge)
    return signed + _judge_final_signature(log, parts, judge)


def _judge_void(log: Source, parts: Structure, close: Close, judge: Judgement) -> None:
    """Check what a void close claims, and say that the match is void."""
    judge.compare(Step.CLOSE, Code.FINAL_PLACES, "close", (), close.places)
    sealed = {one.seat for one in parts.sealed}
    opened = {one.seat for one in parts.opened}
    signed = {one.signer for one in parts.lock_signatures}
    unsigned = {signer for signer in log.terms.signing_keys() if signer not in signed}
    owing: dict[CloseReason, set[int | None]] = {
        CloseReason.NOT_SEALED: {seat for seat in log.terms.contributors() if seat not in sealed},
        CloseReason.NOT_OPENED: {seat for seat in log.terms.contributors() if seat not in opened},
        CloseReason.NOT_SIGNED: {None if signer == OPERATOR else signer - 1 for signer in unsigned},
    }
    if close.reason in owing and (close.seat not in owing[close.reason] or parts.rounds):
        named = "no seat" if close.seat is None else f"seat {close.seat}"
        expected = "a seat that still owed this before the deal"
        judge.fault(Step.CLOSE, Code.CLOSE_REASON, "close", expected, f"{close.reason}, {named}")
    named = "" if close.seat is None else f", seat {close.seat}"
    judge.fault(Step.CLOSE, Code.VOID, "close", "a match closed by rule", f"void: {close.reason}{named}")


def _judge_final_signature(log: Source, parts: Structure, judge: Judgement) -> list[tuple[int, int]]:
    """Check the operator's signature after the close: required if the terms name its key."""
    place = "final.signature[operator]"
    if parts.final_signature is None:
        if log.terms.operator_key:
            judge.fault(Step.SIGNATURES, Code.SIGNATURE_MISSING, place, "a signature after the close", "none")
        return []
    good = check_signatures(log, [parts.final_signature], parts.close_end, "final", judge)
    return [(signer, parts.close_end) for signer in good]
