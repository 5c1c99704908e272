"""Bytes and evidence in, one report out: the library's front door for auditors."""

from __future__ import annotations

from collections.abc import Collection

from fairdeal.codec import Log
from fairdeal.errors import Malformed, Unsupported
from fairdeal.evidence import Evidence, weigh
from fairdeal.guarantees import STATEMENTS, guarantees_of
from fairdeal.replay import Replayed, replay
from fairdeal.report import DEFAULT_REQUIRED, GuaranteeName, Report, Step, Summary, not_audited, stop_finding
from fairdeal.rounds import Observer
from fairdeal.ruleset import ruleset_title


def audit(
    data: bytes,
    evidence: Evidence | None = None,
    required: Collection[GuaranteeName] = DEFAULT_REQUIRED,
    observer: Observer | None = None,
) -> Report:
    """Re-execute the match log `data`, hold it against `evidence`, and return the report.

    Nothing is raised for a log that is wrong, malformed or unsupported: that is what the report says. `required` are
    the guarantees without which a faultless log is only incomplete. `observer` sees every state (`rounds.Observer`).
    """
    return judged(data, evidence, required, observer)[0]


def judged(
    data: bytes,
    evidence: Evidence | None = None,
    required: Collection[GuaranteeName] = DEFAULT_REQUIRED,
    observer: Observer | None = None,
) -> tuple[Report, Replayed | None]:
    """Return the report of `audit`, and the match re-executed or None where not even its terms could be judged."""
    try:
        done = replay(Log(data), observer)
    except (Malformed, Unsupported) as error:
        return not_audited(error), None
    weighed = weigh(done, evidence or Evidence())
    guarantees = guarantees_of(done, weighed, required)
    findings = tuple(done.judge.findings)
    if done.stopped is not None:
        findings += (stop_finding(done.stopped),)
    steps = tuple(done.judge.tallies.items())
    return Report(findings, steps, guarantees, STATEMENTS, _summary(done), done.stopped), done


def _summary(done: Replayed) -> Summary:
    log = done.log
    terms, parts = log.terms, done.parts
    return Summary(
        match_id=terms.match_id.hex(),
        terms_hash=log.terms_hash.hex(),
        sequence=terms.sequence,
        ruleset=ruleset_title(terms.rules, len(terms.seats)),
        seats=tuple(seat.name for seat in terms.seats),
        rounds=len(parts.rounds),
        actions=done.judge.tallies[Step.PLAYS].passed,
        commitment=(parts.commitment or b"").hex(),
        totals=tuple(done.match.totals),
        final_places=parts.close.places if parts.close is not None else (),
    )
