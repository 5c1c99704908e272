"""Reports as JSON, versioned: a field is added or changed only together with the number in `REPORT_FORMAT`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from fairdeal.report import STEP_NUMBERS, AcrossFinding, Report, worst

REPORT_FORMAT: Final = "fairdeal-report/2"
AUDIT_FORMAT: Final = "fairdeal-audit/3"
ACROSS_FORMAT: Final = "fairdeal-across/1"


def report_data(report: Report, name: str) -> dict[str, Any]:
    """Return a report as an object of JSON values; `name` is the log's or ticket's as the caller gave it."""
    return {
        "format": REPORT_FORMAT,
        "name": name,
        "verdict": str(report.verdict),
        "summary": {field: getattr(report.summary, field) for field in report.summary.__slots__},
        "findings": [
            {
                "code": str(one.code),
                "place": one.place,
                "expected": one.expected,
                "found": one.found,
                "reasons": list(one.reasons),
            }
            for one in report.findings
        ],
        "guarantees": [
            {"name": str(one.name), "proven": one.proven, "required": one.required, "reason": one.reason}
            for one in report.guarantees
        ],
        "checks": [
            {
                "number": STEP_NUMBERS[step],
                "name": str(step),
                "passed": tally.passed,
                "faults": tally.faults,
                "not_checked": tally.not_checked,
            }
            for step, tally in report.steps
        ],
        "not_shown": list(report.statements),
    }


def reports_json(named: Sequence[tuple[str, Report]], across: Sequence[AcrossFinding] = ()) -> str:
    """Return one JSON document for all reports and what lies across them, with the verdict for all together."""
    together = worst([*(report.verdict for _, report in named), *(finding.verdict for finding in across)])
    reports = [report_data(report, name) for name, report in named]
    beside = [across_data(finding) for finding in across]
    return dumps({"format": AUDIT_FORMAT, "verdict": str(together), "reports": reports, "across": beside})


def across_data(finding: AcrossFinding) -> dict[str, Any]:
    """Return a finding between matches as an object of JSON values."""
    return {
        "format": ACROSS_FORMAT,
        "code": str(finding.code),
        "what": finding.what,
        "logs": list(finding.logs),
    }


def across_line(finding: AcrossFinding) -> str:
    """Return a finding between matches as one line of JSON."""
    return json.dumps(across_data(finding), ensure_ascii=True, separators=(",", ":")) + "\n"


def report_line(report: Report, name: str) -> str:
    """Return a report as one line of JSON."""
    return json.dumps(report_data(report, name), ensure_ascii=True, separators=(",", ":")) + "\n"


def dumps(value: object) -> str:
    """Return JSON with two blanks of indentation and a newline at its end, in ASCII."""
    return json.dumps(value, ensure_ascii=True, indent=2) + "\n"
