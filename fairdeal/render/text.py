"""A report as text: the verdict first, then what was found, what is proven, and what was checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Final

from fairdeal.render.lines import width
from fairdeal.report import STEP_NUMBERS, Finding, Guarantee, Report, Step, Summary, Tally
from fairdeal.texts import printable, quoted

WIDTH: Final = 118


def report_text(report: Report, name: str, *, verbose: bool = False, brief: bool = False) -> str:
    """Return a report as lines of text; `brief` keeps the verdict line, `verbose` adds every numbered check."""
    lines = [f"{report.verdict}  {printable(name)}"]
    if not brief:
        lines += _summary_lines(report.summary)
        lines += _section("findings", (finding_lines(one) for one in report.findings))
        lines += _section("guarantees", (_guarantee(one) for one in report.guarantees))
        lines += _section("checks", _checks(report.steps, verbose=verbose))
        title = "no log can show" if report.guarantees else "not checked here"
        lines += _section(title, ([f"  {printable(one)}"] for one in report.statements))
    return "\n".join(lines) + "\n"


def _summary_lines(summary: Summary) -> list[str]:
    if not summary.terms_hash:
        return []
    facts = [("terms", summary.terms_hash), ("commitment", summary.commitment or "none")]
    if summary.match_id:
        what = f"{summary.ruleset}, {len(summary.seats)} seats, {summary.rounds} rounds, {summary.actions} actions"
        facts.insert(0, ("match", f"{summary.match_id}, number {summary.sequence} of its operator"))
        facts.insert(1, ("played", what))
    lines = ["", *(f"  {label:<10}  {printable(value)}" for label, value in facts)]
    return [*lines, "  points", *_standings(summary)] if summary.match_id else lines


def _standings(summary: Summary) -> list[str]:
    """Return a line per seat, best first: figures in front, the name last and quoted, since it may say anything."""
    places = summary.final_places or tuple(-total for total in summary.totals)
    seats = sorted(range(len(summary.totals)), key=places.__getitem__)
    marks = [f"{summary.final_places[seat]}." if summary.final_places else "" for seat in seats]
    return [
        f"    {mark:>3} seat {seat} {summary.totals[seat]:>5}  {quoted(printable(summary.seats[seat]))}"
        for mark, seat in zip(marks, seats, strict=True)
    ]


def _section(title: str, entries: Iterable[list[str]]) -> list[str]:
    lines = [line for entry in entries for line in entry]
    return ["", title, *lines] if lines else []


def finding_lines(finding: Finding) -> list[str]:
    """Return a finding as text: place and code, what was expected and found, and the reasons."""
    head = f"  {finding.place}  {finding.code}" if finding.place else f"  {finding.code}"
    lines = [printable(head)]
    for label, value in (("expected", finding.expected), ("found", finding.found)):
        if value:
            lines += _wrapped(f"    {label:<8}  ", printable(value))
    for reason in finding.reasons:
        label, _, value = reason.partition(": ")
        lines += _wrapped(f"    {label:<8}  ", printable(value))
    return lines


def _guarantee(guarantee: Guarantee) -> list[str]:
    word = "proven" if guarantee.proven else "not proven"
    star = "*" if guarantee.required else " "
    return _wrapped(f"  {word:<10} {star}{guarantee.name:<9}  ", printable(guarantee.reason))


def _checks(steps: Iterable[tuple[Step, Tally]], *, verbose: bool) -> Iterator[list[str]]:
    for step, tally in steps:
        if verbose or tally.faults or tally.not_checked:
            yield check_lines(step, tally)


def check_lines(step: Step, tally: Tally) -> list[str]:
    """Return a numbered check as text: how often it passed and found a fault, and what it could not look at."""
    faults = f", {tally.faults} fault{'s' if tally.faults > 1 else ''}" if tally.faults else ""
    counts = f"{tally.passed} passed{faults}"
    notes = [f"not checked: {printable(reason)}" for reason in tally.not_checked]
    if not tally.passed and not tally.faults:
        counts = notes.pop(0) if notes else "nothing to check"
    lines = _wrapped(f"  {STEP_NUMBERS[step]:>2} {step:<17}  ", counts)
    for note in notes:
        lines += _wrapped(" " * 24, note)
    return lines


def _wrapped(lead: str, text: str) -> list[str]:
    """Return `text` after `lead`, later lines indented as far as the first."""
    hang = " " * len(lead)
    # digits of hashes stay together, to be copied
    lines = wrap(
        text, width(WIDTH), initial_indent=lead, subsequent_indent=hang, break_on_hyphens=False, break_long_words=False
    )
    return lines or [lead]
