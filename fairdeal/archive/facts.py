"""What the checks across matches need of one log: who played which match when, and every value used once only."""

from __future__ import annotations

from typing import Final, NamedTuple

from fairdeal.records import OPERATOR, CloseReason
from fairdeal.replay import Replayed

SECRET: Final = "secret"
COMMITMENT: Final = "commitment"
MATCH_ID: Final = "match-id"
CONTRIBUTION: Final = "contribution"


class Facts(NamedTuple):
    """Facts of a log whose terms could be read; byte strings as hexadecimal digits.

    `operator` is its key or empty; `signed` are the offsets up to which the operator's good signatures reach. `reason`
    is why the match closed, empty where it did not; `blamed` the key of the seat that a void close names, or its name
    in quotation marks where it has none. `used` are values that no other match may use, as (kind, value).
    """

    terms_hash: str
    match_id: str
    operator: str
    sequence: int
    signed: tuple[int, ...]
    reason: str
    blamed: str
    used: tuple[tuple[str, str], ...]


def facts_of(done: Replayed) -> Facts:
    """Return the facts of a replayed log."""
    terms, parts = done.log.terms, done.parts
    close = parts.close
    used = [(MATCH_ID, terms.match_id.hex())]
    if parts.commitment is not None:
        used.append((COMMITMENT, parts.commitment.hex()))
    if close is not None:
        used.append((SECRET, close.secret.hex()))
    used += [(CONTRIBUTION, value.hex()) for value in done.opening.opened.values()]
    blamed = ""
    if close is not None and close.seat is not None:
        seat = terms.seats[close.seat]
        blamed = seat.key.hex() or f'"{seat.name}"'
    signed = sorted(offset for signer, offset in done.signed if signer == OPERATOR)
    return Facts(
        terms_hash=done.log.terms_hash.hex(),
        match_id=terms.match_id.hex(),
        operator=terms.operator_key.hex(),
        sequence=terms.sequence,
        signed=tuple(signed),
        reason="" if close is None else str(close.reason),
        blamed=blamed if close is not None and close.reason is not CloseReason.BY_RULE else "",
        used=tuple(used),
    )
