"""What the checks across matches need of one log: who played which match when, and every value used once only."""

from __future__ import annotations

from typing import Final, NamedTuple

from fairdeal.archive.equivocation import signed_prefixes
from fairdeal.codec import Log
from fairdeal.codes import Code
from fairdeal.errors import FairdealError
from fairdeal.records import OPERATOR, CloseReason, Source
from fairdeal.replay import Replayed

SECRET: Final = "secret"
COMMITMENT: Final = "commitment"
MATCH_ID: Final = "match-id"
CONTRIBUTION: Final = "contribution"


class Facts(NamedTuple):
    """Facts of a log whose terms could be read; byte strings as hexadecimal digits.

    `operator` is its key or empty; `signed` is the last offset up to which its good signatures reach, 0 without any;
    `close_signed` says that this is the end of the close. `reason` is why the match closed, empty where it did not;
    `blamed` the key of the seat that a void close names, or its name in quotation marks where it has none, unless the
    log itself shows that this seat owed nothing. `used` are values that no other match may use, as (kind, value).
    """

    terms_hash: str
    match_id: str
    operator: str
    sequence: int
    signed: int = 0
    close_signed: bool = False
    reason: str = ""
    blamed: str = ""
    used: tuple[tuple[str, str], ...] = ()


def facts_of(data: bytes, done: Replayed | None) -> Facts | None:
    """Return the facts of a log, `done` being the match re-executed; without it those of its terms, None without any.

    A match that this version does not judge has its number, its id and its signatures all the same.
    """
    if done is None:
        try:
            facts = _of_terms(Log(data))
        except FairdealError:
            return None
        return facts._replace(signed=max((len(one.prefix) for one in signed_prefixes(data)), default=0))
    parts, facts = done.parts, _of_terms(done.log)
    used = list(facts.used)
    if parts.commitment is not None:
        used.append((COMMITMENT, parts.commitment.hex()))
    if parts.close is not None:
        used.append((SECRET, parts.close.secret.hex()))
    used += [(CONTRIBUTION, value.hex()) for value in done.opening.opened.values()]
    signed = max((offset for signer, offset in done.signed if signer == OPERATOR), default=0)
    return facts._replace(
        signed=signed,
        close_signed=parts.close is not None and signed == parts.close_end,
        reason="" if parts.close is None else str(parts.close.reason),
        blamed=_blamed(done),
        used=tuple(used),
    )


def _of_terms(log: Source) -> Facts:
    terms = log.terms
    match_id = terms.match_id.hex()
    used = ((MATCH_ID, match_id),)
    return Facts(log.terms_hash.hex(), match_id, terms.operator_key.hex(), terms.sequence, used=used)


def _blamed(done: Replayed) -> str:
    close = done.parts.close
    if close is None or close.seat is None or close.reason is CloseReason.BY_RULE:
        return ""
    if any(finding.code is Code.CLOSE_REASON for finding in done.judge.findings):
        return ""
    seat = done.log.terms.seats[close.seat]
    return seat.key.hex() or f'"{seat.name}"'
