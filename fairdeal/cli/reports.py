"""Reports in the form that was asked for."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from fairdeal.cli.files import STANDARD, refuse_same, write_new, write_output
from fairdeal.cli.options import Loudness
from fairdeal.codes import INCOMPLETE, NO_VERDICT, Code
from fairdeal.errors import Misuse
from fairdeal.evidence import Evidence
from fairdeal.render.data import report_line, reports_json
from fairdeal.render.text import report_text
from fairdeal.report import AcrossFinding, Report
from fairdeal.version import program

if TYPE_CHECKING:
    import typer

    from fairdeal.html.report import Entry

INDEX: Final = "index.html"
_LONGEST_NAME: Final = 200  # bytes of a log's name in that of its page
_OF_ANOTHER_MATCH: Final = {Code.TICKET_TERMS, Code.RECEIPT_TERMS}
_MOST_LOGS: Final = 8  # that a command line is shown with


class Audited(NamedTuple):
    """What came of one log: its name as given, the report, its bytes or None, and the evidence held against it."""

    name: str
    report: Report
    data: bytes | None
    evidence: Evidence


def check_form(form: str, *known: str) -> None:
    """Raise `Misuse` for a form of output that does not exist."""
    if form not in known:
        raise Misuse(f"there is no format `{form}`", "--format", f"formats: {', '.join(known)}")


def rendered(
    named: Sequence[tuple[str, Report]], form: str, loudness: Loudness, across: Sequence[AcrossFinding] = ()
) -> str:
    """Return the reports and what lies across them as one JSON document, or a report as text or one JSON line."""
    if form == "json":
        return reports_json(named, across)
    ((name, report),) = named
    if form == "jsonl":
        return report_line(report, name)
    return report_text(report, name, verbose=loudness.verbose, brief=loudness.quiet)


def advise(loudness: Loudness, reports: Sequence[Report], across: Sequence[AcrossFinding] = ()) -> None:
    """Point to the page of the gravest finding: one that refutes, else what ended the reading, else the first."""
    codes = [finding.code for report in reports for finding in report.findings] + [one.code for one in across]
    if not _OF_ANOTHER_MATCH.isdisjoint(codes) and not across:
        loudness.advise("some of the evidence is of another match; it may all be, if it comes from one folder")
    elif codes:
        gravest = min(codes, key=lambda code: (code in INCOMPLETE, code in NO_VERDICT))
        loudness.advise(f"`fairdeal explain {gravest}` says what a finding means and what to do")


def command_line(context: typer.Context) -> str:
    """Return the command as it would be typed, without what has its default; of many logs only how many."""
    words = ["fairdeal", str(context.info_name)]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if not value or value == parameter.default:
            continue
        listed = [str(one) for one in value] if isinstance(value, (list, tuple)) else [str(value)]
        if parameter.param_type_name == "argument":
            words += listed if len(listed) <= _MOST_LOGS else [f"({len(listed)} logs)"]
        else:
            words += [word for one in listed for word in (parameter.opts[0], one)]
    return shlex.join(words)


def page_names(logs: Sequence[str]) -> list[str]:
    """Return a file name for the page of each log: the log's own with another ending, numbered where two clash."""
    taken, names = {INDEX}, []
    for log in logs:
        stem = "standard-input" if log == STANDARD else Path(log).stem or "log"
        if len(os.fsencode(stem)) > _LONGEST_NAME:
            stem = os.fsencode(stem)[:_LONGEST_NAME].decode("utf-8", "ignore")
        name, number = f"{stem}.html", 2
        while name.casefold() in taken:  # some file systems do not tell capitals from small letters
            name, number = f"{stem}-{number}.html", number + 1
        taken.add(name.casefold())
        names.append(name)
    return names


class Pages:
    """Writes reports as HTML documents: one to a file or to standard output, or one a log and an index into a folder.

    Each is written as it comes, so that no more than one log is held at a time.
    """

    def __init__(self, output: str, logs: Sequence[str], command: str) -> None:
        """Raise `Misuse` where the pages of several logs have no folder, or where one would replace a log."""
        self._output = output
        self._command = command
        self._names = page_names(logs) if len(logs) > 1 else []
        self._entries: list[Entry] = []
        if not self._names:
            return
        if output == STANDARD or (Path(output).exists() and not Path(output).is_dir()):
            raise Misuse("several logs in HTML need a folder", "--output", "give one, which may be new: -o DIR")
        for name in (INDEX, *self._names):
            refuse_same(str(Path(output) / name), *logs)

    def add(self, one: Audited) -> None:
        """Write the page of the next log."""
        from fairdeal.html.report import Entry, Made, evidence_words, report_html

        made = Made(self._command, program(), evidence_words(one.evidence))
        page = report_html(one.report, one.name, one.data, made).encode("utf-8")
        if not self._names:
            write_output(self._output, page)
            return
        name = self._names[len(self._entries)]
        Path(self._output).mkdir(parents=True, exist_ok=True)
        write_new(Path(self._output) / name, page)
        self._entries.append(Entry(one.name, quote(os.fsencode(name)), one.report))

    def finish(self, across: Sequence[AcrossFinding]) -> None:
        """Write the index, where there are several pages, with what lies across the matches."""
        from fairdeal.html.report import index_html

        if self._names:
            write_new(Path(self._output) / INDEX, index_html(self._entries, across).encode("utf-8"))
