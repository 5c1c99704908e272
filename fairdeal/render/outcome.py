"""The outcome of one of many audits as text: its verdict line, and what was found where it is not verified."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fairdeal.codes import Code
from fairdeal.render.text import check_lines, finding_lines
from fairdeal.report import Finding, Step, Tally
from fairdeal.texts import printable


def outcome_text(name: str, report: str, *, verbose: bool = False, brief: bool = False) -> str:
    """Return an outcome as text; `report` is the report as JSON, of which only findings are shown.

    When `verbose`, also every numbered check; when `brief`, of findings only why a log could not be read.
    """
    return "".join(f"{line}\n" for line in outcome_lines(name, json.loads(report), verbose=verbose, brief=brief))


def outcome_lines(name: str, document: Mapping[str, Any], *, verbose: bool = False, brief: bool = False) -> list[str]:
    """Return the lines of an outcome whose report is this JSON object; what is none raises what it makes of it."""
    lines = [f"{document['verdict']}  {printable(name)}"]
    for one in document["findings"]:
        if not brief or one["code"] == Code.UNREADABLE:
            found = Finding(Code(one["code"]), one["place"], one["expected"], one["found"], tuple(one["reasons"]))
            lines += finding_lines(found)
    if verbose:
        for one in document["checks"]:
            lines += check_lines(Step(one["name"]), Tally(one["passed"], one["faults"], one["not_checked"]))
    return lines


def outcome_line(name: str, report: str) -> str:
    """Return an outcome as one line of JSON: the report with its log's name."""
    return report.replace('"name":""', f'"name":{json.dumps(name)}', 1) + "\n"
