"""Reports in the form that was asked for."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.cli.options import Loudness
from fairdeal.codes import INCOMPLETE, NO_VERDICT
from fairdeal.errors import Misuse
from fairdeal.render.data import report_line, reports_json
from fairdeal.render.text import closing_line, report_text
from fairdeal.report import Report


def check_form(form: str, *known: str) -> None:
    """Raise `Misuse` for a form of output that does not exist."""
    if form not in known:
        raise Misuse(f"there is no format `{form}`", "--format", f"formats: {', '.join(known)}")


def rendered(named: Sequence[tuple[str, Report]], form: str, loudness: Loudness) -> str:
    """Return the reports as text, as one JSON document, or as one JSON line each."""
    if form == "json":
        return reports_json(named)
    if form == "jsonl":
        return "".join(report_line(report, name) for name, report in named)
    texts = [report_text(report, name, verbose=loudness.verbose, brief=loudness.quiet) for name, report in named]
    text = ("" if loudness.quiet else "\n").join(texts)
    if len(named) > 1 and not loudness.quiet:
        text += "\n" + closing_line([report for _, report in named])
    return text


def advise(loudness: Loudness, reports: Sequence[Report]) -> None:
    """Point to the page of the gravest finding: one that refutes, else what ended the reading, else the first."""
    codes = [finding.code for report in reports for finding in report.findings]
    if codes:
        gravest = min(codes, key=lambda code: (code in INCOMPLETE, code in NO_VERDICT))
        loudness.advise(f"`fairdeal explain {gravest}` says what a finding means and what to do")
