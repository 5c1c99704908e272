"""Which guarantees a replayed log and the evidence prove, and why not (SPEC, "Guarantees")."""

from __future__ import annotations

from collections.abc import Collection

from fairdeal.codes import Code
from fairdeal.evidence import Weighed
from fairdeal.records import OPERATOR, CloseReason, signer_name, signer_of
from fairdeal.replay import Replayed
from fairdeal.report import Guarantee, GuaranteeName, Step
from fairdeal.settings import Contributions, MatchEnd, SeatKind

Claim = tuple[bool, str]  # proven, and the reason in words

# What no log can show, said with every report.
STATEMENTS = (
    "the dealer sees all cards of all rounds from the lock on",
    "players may have talked to each other about their hands",
    "no player has confirmed an action, unless that seat signed or kept a receipt",
    "whether a time-out or a lost connection was real",
    "who sits behind a key or a name",
)


def guarantees_of(done: Replayed, weighed: Weighed, required: Collection[GuaranteeName]) -> tuple[Guarantee, ...]:
    """Return all guarantees in their order; a required one that is not proven also becomes a finding."""
    claims: dict[GuaranteeName, Claim] = {
        GuaranteeName.UNCHANGED: _unchanged(done, weighed),
        GuaranteeName.ANCHORED: _anchored(done, weighed),
        GuaranteeName.RECORDED: _recorded(done, weighed),
        GuaranteeName.UNCHOSEN: _unchosen(done, weighed),
        GuaranteeName.RULES: _rules(done),
    }
    for name, (proven, reason) in claims.items():
        if name in required and not proven:
            done.judge.fault(Step.EVIDENCE, Code.NOT_PROVEN, f"guarantee.{name}", "proven", reason)
    return tuple(Guarantee(name, proven, name in required, reason) for name, (proven, reason) in claims.items())


def _unchanged(done: Replayed, weighed: Weighed) -> Claim:
    """Judge that every deal follows its seed, that all seeds open C, and that T follows the contributions."""
    judge = done.judge
    if judge.refuted_in(Step.COMMITMENT, Step.CONTRIBUTIONS, Step.SEEDS, Step.DEALS):
        return False, "a seed, a deal or a contribution is not what was committed to"
    if done.opening.tree is None:
        revealed = {played.number for played in done.rounds if played.seed is not None}
        opened = sorted({one.round for one in weighed.tickets} & revealed)
        also = f"; tickets open the seeds of rounds {', '.join(map(str, opened))}" if opened else ""
        return False, "the match secret is not revealed" + also
    if not done.rounds:
        return False, "no round was dealt"
    if not all(played.dealt for played in done.rounds):
        return False, "not every deal could be recomputed"
    return True, f"{len(done.rounds)} deals follow the seeds that open the commitment"


def _anchored(done: Replayed, weighed: Weighed) -> Claim:
    """Judge whether something held from before the deals fixes them: C, a lock signature, a ticket, a receipt.

    Under sealed contributions C alone fixes the seeds but not the deals: whoever plays all the seats could still choose
    the contributions afterwards. Then only what also pins the contributions counts.
    """
    if not done.rounds:
        return False, "no round was dealt"
    sealed = done.log.terms.contributions is Contributions.SEALED
    numbers = [played.number for played in done.rounds]
    reached = {number: f"a ticket of round {number}" for number in sorted({t.round for t in weighed.tickets})}
    fixed = done.parts.lock if sealed else done.parts.commitment_end
    for receipt in weighed.receipts:
        later = [one.number for one in done.rounds if one.start >= receipt.offset >= fixed > 0]
        if later:
            reached.setdefault(min(later), f"a receipt at byte {receipt.offset}")
    by = [] if sealed else list(weighed.pinned_by)
    if not by:
        by = [
            f"the lock signed by the pinned key of {signer_name(signer)}, unless it worked with the operator"
            for signer in lock_signers(done)
            if signer in weighed.keys and signer != OPERATOR and _human(done, signer)
        ]
    if by:
        return True, f"all rounds, by {', '.join(by)}"
    first = min((number for number in reached if number <= max(numbers)), default=None)
    if first is None:
        if weighed.pinned_by:
            return False, "a commitment alone does not fix the sealed contributions, and nothing else fits"
        return False, "nothing from before the deals that fits was given"
    if first > min(numbers):
        return False, f"only from round {first} on, by {reached[first]}"
    return True, f"all rounds, by {reached[first]}"


def _human(done: Replayed, signer: int) -> bool:
    """Return whether the terms call the seat that signs human: a bot's key is the operator's own."""
    return done.log.terms.seats[signer - 1].kind is SeatKind.HUMAN


def lock_signers(done: Replayed) -> list[int]:
    """Return whose good signature covers the commitment and every seal, ascending."""
    parts = done.parts
    covers = parts.commitment is not None and parts.lock_signed >= parts.lock > 0
    return sorted(done.opening.lock_signers) if covers else []


def _recorded(done: Replayed, weighed: Weighed) -> Claim:
    """Judge how many bytes are pinned by a receipt or by a signature under a pinned key."""
    pins = [(receipt.offset, "a receipt") for receipt in weighed.receipts]
    for signer, offset in done.signed:
        if signer in weighed.keys:
            caveat = ", which says who wrote them and not when" if signer == OPERATOR else ""
            pins.append((offset, f"a signature under the pinned key of {signer_name(signer)}{caveat}"))
    offset, by = max(pins, default=(0, ""))
    if not offset:
        return False, "no receipt and no signature under a pinned key"
    ends = [part.end_offset for part in done.parts.rounds if part.end is not None]
    place = place_of(done, offset)
    words = f"bytes 0 to {offset}, up to {place}, by {by}"
    whole = done.parts.close is not None and offset >= max(ends, default=done.parts.lock)
    return whole, words if whole else words + "; beyond it the actions rest on the operator's word"


def place_of(done: Replayed, offset: int) -> str:
    """Return the place of the last record that ends at or before `offset`."""
    parts = done.parts
    reached = done.log.boundary(offset)
    if parts.close is not None and reached >= parts.close_end:
        return "the close" if reached == parts.close_end else "the signature after the close"
    for ordinal in range(len(parts.rounds), 0, -1):
        part = parts.rounds[ordinal - 1]
        if part.end is not None and reached >= part.end_offset:
            return f"the end of round[{ordinal}]"
        if reached > part.start:
            return f"the middle of round[{ordinal}]"
    if parts.commitment_end and reached >= parts.lock:
        return "the lock"
    return "the commitment" if parts.commitment_end and reached >= parts.commitment_end else "the terms"


def _unchosen(done: Replayed, weighed: Weighed) -> Claim:
    """Judge whether a seat whose contribution is mixed into every deal is vouched for from outside."""
    terms = done.log.terms
    if terms.contributions is not Contributions.SEALED:
        return False, "no contributions: the operator alone chose the seeds"
    if done.opening.transcript is None or done.judge.refuted_in(Step.CONTRIBUTIONS):
        return False, "not every contribution was sealed and opened as it should be"
    signers = lock_signers(done)
    owners = [s for s in terms.contributors() if signer_of(s) in weighed.keys and signer_of(s) in signers]
    before_opening = [r for r in weighed.receipts if done.parts.lock <= r.offset <= done.parts.opened_start]
    if before_opening:
        owners += [seat for seat in weighed.contributions if seat not in owners]
    if not owners:
        return False, "no contributing seat is vouched for: a pinned seat key, or a lock receipt and its contribution"
    seats = ", ".join(map(str, sorted(owners)))
    return True, f"unless seat {seats} worked with the operator" if len(owners) == 1 else (
        f"unless seats {seats} all worked with the operator"
    )


def _rules(done: Replayed) -> Claim:
    """Judge that every action, exchange, title and score was recomputed and that the match ended by rule."""
    if done.judge.refuted_in(*(step for step in Step if step is not Step.EVIDENCE)):
        return False, "the log itself is at fault"
    close = done.parts.close
    if close is None or close.reason is not CloseReason.BY_RULE:
        return False, "the match did not end by rule"
    open_end = done.match.rules.match_end is MatchEnd.OPEN
    short = "" if open_end or done.match.reached() else f", ended at its maximum of {done.log.terms.rounds} rounds"
    played = f"{done.judge.tallies[Step.PLAYS].passed} actions in {len(done.rounds)} rounds"
    return True, played + short + _bots(done) + _for_others(done) + _times(done)


def _times(done: Replayed) -> str:
    """Return in how many rounds of a table with a clock there are no times on record."""
    unmarked = sum(not part.marked() for part in done.parts.rounds)
    return f"; no times on record in {unmarked} rounds" if unmarked and done.match.rules.turn_seconds else ""


def _bots(done: Replayed) -> str:
    """Return what is known of the bots' choices, nothing where no bot played."""
    stood_in = any(one.event.level is not SeatKind.HUMAN for part in done.parts.rounds for one in part.events)
    if not stood_in and all(seat.kind is SeatKind.HUMAN for seat in done.log.terms.seats):
        return ""
    policy = done.log.terms.bot_policy
    return f", the bots' by policy {policy}" if policy else "; how the bots chose is not claimed"


def _for_others(done: Replayed) -> str:
    """Return how often the clock or a bot moved for people: each of it is the operator's word."""
    counts = [("the clock", done.control.by_clock), ("a bot", done.control.by_stand_in)]
    told = [
        f"{who} moved {count} times for seat {seat}" for who, of in counts for seat, count in enumerate(of) if count
    ]
    return "".join(f"; {one}" for one in told)
