"""A report as one HTML document: the verdict first, what it rests on, and a replay of the match to step through.

The same report, log and words on how it was made give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from fairdeal.codes import Code
from fairdeal.errors import Malformed, Unsupported
from fairdeal.evidence import Evidence
from fairdeal.html.assemble import document
from fairdeal.html.chart import sample, score_chart, score_table
from fairdeal.html.frames import Spot
from fairdeal.html.markup import Html, element, joined, name_of, rows, table
from fairdeal.html.passages import MOST_FINDINGS, SIGNS, findings_html, guarantees_html, spoken
from fairdeal.html.replay_data import Told, told
from fairdeal.records import Terms
from fairdeal.report import STEP_NUMBERS, AcrossFinding, Report, Step, Tally, Verdict
from fairdeal.settings import SeatKind
from fairdeal.texts import printable

STYLES: Final = ("base.css", "report.css")
SCRIPTS: Final = ("replay-state.js", "replay-story.js", "replay-table.js", "replay.js")
LANGUAGES: Final = {"prezydent": "pl", "le-president": "fr"}
MOST_NOTES: Final = 12  # reasons for one check that was not made; the others are counted
_SAYS: Final = {
    Verdict.VERIFIED: "Everything in this log was worked out again and agrees, and all that was required is proven.",
    Verdict.REFUTED: "This log is at fault, or it is not the one that the evidence speaks of.",
    Verdict.INCOMPLETE: "Nothing was found at fault, but not all that was required is shown.",
    Verdict.NO_VERDICT: "The log or the evidence could not be read to its end, so there is no verdict.",
}
_KINDS: Final = {SeatKind.HUMAN: "a person", SeatKind.BOT: "a bot of no stated level"}


class Made(NamedTuple):
    """How a report was made: the command, the version, and the evidence that was given, all in words."""

    command: str
    version: str
    evidence: str


class Entry(NamedTuple):
    """A report among several: the log's name, the file that holds the report, and the report itself."""

    name: str
    file: str
    report: Report


def evidence_words(evidence: Evidence) -> str:
    """Return what evidence was held against a log, in words."""
    counts = {
        "ticket": len(evidence.tickets),
        "receipt": len(evidence.receipts),
        "commitment": len(evidence.commitments),
        "published list": len(evidence.published),
        "public key": len(evidence.keys),
        "contribution": len(evidence.contributions),
    }
    named = [f"{count} {what}{'' if count == 1 else 's'}" for what, count in counts.items() if count]
    return ", ".join(named) or "none"


def language_of(ruleset: str) -> str:
    """Return the language in which a ruleset's own words are written."""
    return LANGUAGES.get(ruleset, "en")


def report_html(report: Report, name: str, data: bytes | None, made: Made) -> str:
    """Return the report on the log `name`, whose bytes are `data` (None where it could not be read), as a document."""
    match = _told(data)
    body = element("main", *_sections(report, name, data, made, match))
    replayed = match is not None and bool(match.data["rounds"])
    return document(
        f"{report.verdict}: {printable(name)} – fairdeal",
        "en",
        STYLES,
        SCRIPTS if replayed else (),
        body,
        _replay_data(report, match) if match is not None and replayed else None,
    )


def index_html(entries: Sequence[Entry], across: Sequence[AcrossFinding] = ()) -> str:
    """Return the list of several reports, a line for each log, with links to them, and what lies across the matches."""
    verdicts = [entry.report.verdict for entry in entries]
    counts = [f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict if verdict in verdicts]
    void = sum(Code.VOID in entry.report.codes() for entry in entries)
    words = f"{len(entries)} logs: {', '.join(counts)}" + (f"; {void} void" if void else "")
    lines = (_index_line(entry) for entry in entries)
    body = element(
        "main",
        element("p", "fairdeal · audit", class_="eyebrow"),
        element("h1", "Audited matches"),
        element("p", words),
        *_across(across),
        table(("verdict", "log", "match", "findings"), lines),
    )
    return document(f"{words} – fairdeal", "en", STYLES, (), body)


def _index_line(entry: Entry) -> Iterator[object]:
    summary, codes = entry.report.summary, entry.report.codes()
    yield _verdict_words(entry.report.verdict)
    yield element("a", printable(entry.name), href=entry.file)
    if summary.match_id:
        played = f"{len(summary.seats)} seats, {summary.rounds} rounds"
        seq = f"number {summary.sequence} of its operator"
        yield joined((name_of(summary.ruleset), f", {played}", element("br"), element("span", seq, class_="quiet")))
    else:
        yield "terms not read"
    yield ", ".join(code for code in Code if code in codes) or "none"


def _across(findings: Sequence[AcrossFinding]) -> Iterator[Html]:
    if findings:
        yield element("h2", "Across the matches")
        lines = ((one.code, printable(one.what), ", ".join(map(printable, one.logs))) for one in findings)
        yield table(("finding", "what", "logs"), lines)
        yield element("h2", "Logs")


def _verdict_words(verdict: Verdict) -> Html:
    sign, tone = SIGNS[verdict]
    return joined((element("span", sign, class_=f"sign {tone}", aria_hidden="true"), " ", verdict))


def _told(data: bytes | None) -> Told | None:
    """Return the log as the replay tells it, None where not even its terms can be read."""
    if data is None:
        return None
    try:
        return told(data)
    except (Malformed, Unsupported):
        return None


def _spot(match: Told | None, place: str) -> Spot | None:
    return None if match is None else match.spot(place)


def _replay_data(report: Report, match: Told) -> dict[str, Any]:
    """Return what the replay's script is given: the match, and the findings that it can show."""
    marks = []
    for number, finding in enumerate(report.findings[:MOST_FINDINGS], 1):
        spot = match.spot(finding.place)
        if spot is not None:
            marks.append({"id": number, "code": finding.code, "round": spot.round, "frame": spot.frame})
    return match.data | {"findings": marks, "language": language_of(match.terms.rules.name)}


def _sections(report: Report, name: str, data: bytes | None, made: Made, match: Told | None) -> Iterator[Html]:
    names = report.summary.seats
    yield element("p", "fairdeal · audit report", class_="eyebrow")
    yield _verdict(report, name)
    parts: list[tuple[str, str, object]] = []
    if match is not None:
        parts.append(("match", "The match", _match(report, match)))
    if report.guarantees:
        parts.append(("guarantees", "Guarantees", guarantees_html(report.guarantees, names)))
    if report.findings:
        told = findings_html(report.findings, names, lambda place: _spot(match, place))
        parts.append(("findings", "Findings", told))
    if report.steps:
        parts.append(("checks", "Checks", _checks(report.steps, names)))
    if match is not None:
        parts.append(("standings", "Standings", _standings(report, match)))
    if report.statements:
        listed = element("ul", *(element("li", one) for one in report.statements))
        parts.append(("limits", "What no log can show", listed))
    parts.append(("made", "How this report was made", _made(report, data, made)))
    if match is not None and match.data["rounds"]:
        parts.append(("replay", "Replay", _replay()))
    links = (element("li", element("a", title, href=f"#{anchor}")) for anchor, title, _ in parts)
    yield element("nav", element("ul", *links), class_="noprint", aria_label="Parts of the report")
    for anchor, title, inner in parts:
        shown = "noprint" if anchor == "replay" else None
        heading = element("h2", title, id=f"{anchor}-title")
        yield element("section", heading, inner, id=anchor, class_=shown, aria_labelledby=f"{anchor}-title")


def _verdict(report: Report, name: str) -> Html:
    sign, tone = SIGNS[report.verdict]
    words = [element("p", _SAYS[report.verdict])]
    if Code.VOID in report.codes():
        words.append(element("p", "The match is void: it was closed without a result."))
    if report.findings:
        shown = [code for code in Code if code in report.codes()]
        number = len(report.findings)
        count = element("a", f"{number} finding{'' if number == 1 else 's'}", href="#findings")
        words.append(element("p", count, ": ", joined((element("code", code) for code in shown), ", ")))
    head = element("h1", element("strong", report.verdict), " ", element("span", printable(name), class_="file"))
    mark = element("span", sign, class_=f"seal {tone}", aria_hidden="true")
    return element("header", mark, element("div", head, *words), class_=f"panel verdict {tone}")


def _match(report: Report, match: Told) -> Html:
    terms, summary = match.terms, report.summary
    length = f"{len(match.data['rounds'])} of at most {terms.rounds} rounds"
    actions = f", {summary.actions} actions judged" if summary.match_id else ""
    clock = f"{terms.rules.turn_seconds} seconds a turn" if terms.rules.turn_seconds else "none"
    facts: list[tuple[object, object]] = [
        ("match", joined((element("code", terms.match_id.hex()), f", number {terms.sequence} of its operator"))),
        ("rules", element("span", name_of(summary.ruleset or terms.rules.name), lang=language_of(terms.rules.name))),
        ("played", length + actions),
        ("clock", clock),
        ("contributions", terms.contributions),
        ("bots", f"by policy {terms.bot_policy}" if terms.bot_policy else "their choices are not claimed"),
    ]
    if all(seat.kind is SeatKind.HUMAN for seat in terms.seats):
        facts.pop()
    if summary.terms_hash:
        facts.append(("terms", element("code", summary.terms_hash)))
        facts.append(("commitment", element("code", summary.commitment) if summary.commitment else "none"))
    if terms.operator_key:
        facts.append(("operator's key", element("code", terms.operator_key.hex())))
    return joined((rows(facts), table(("seat", "name", "played by"), _seats(terms))))


def _seats(terms: Terms) -> Iterator[tuple[object, ...]]:
    for number, seat in enumerate(terms.seats):
        kind = _KINDS.get(seat.kind, f"a bot, {seat.kind}")
        key = joined((kind, ", key ", element("code", seat.key.hex()))) if seat.key else kind
        yield number, name_of(seat.name), key


def _checks(steps: Sequence[tuple[Step, Tally]], names: Sequence[str]) -> Html:
    lines = [_check(step, tally, names) for step, tally in steps]
    return table(("", "check", "passed", "faults"), lines, (2, 3))


def _check(step: Step, tally: Tally, names: Sequence[str]) -> tuple[object, ...]:
    """Return a line of the checks; what was not looked at stands below the check's name, with the reason."""
    sign, tone = ("✓", "good") if tally.passed else ("–", "quiet")
    if tally.not_checked:
        sign, tone = "○", "open"
    if tally.faults:
        sign, tone = "✗", "bad"
    notes = [
        element("li", "not checked: ", spoken(reason, names, cards=False)) for reason in tally.not_checked[:MOST_NOTES]
    ]
    if len(tally.not_checked) > MOST_NOTES:
        notes.append(element("li", f"and {len(tally.not_checked) - MOST_NOTES} more not checked"))
    told = element("ul", *notes, class_="quiet") if notes else Html("")
    if not (tally.passed or tally.faults or notes):
        told = element("span", ", nothing to check", class_="quiet")
    mark = element("span", sign, class_=f"sign {tone}", aria_hidden="true")
    return mark, joined((f"{STEP_NUMBERS[step]} {step}", told)), tally.passed, tally.faults


def _standings(report: Report, match: Told) -> Html:
    """Return final places, last titles and totals, and the totals round by round as a drawing and as a table."""
    rounds = match.data["rounds"]
    names = [seat.name for seat in match.terms.seats]
    ends = [one["end"] for one in rounds if "end" in one]
    totals = match.totals[-1]
    places = report.summary.final_places
    language = language_of(match.terms.rules.name)
    titles = [match.terms.rules.titles[title] for title in ends[-1]["titles"]] if ends else []
    kept = bool(match.terms.rules.points)
    order = sorted(range(len(names)), key=lambda seat: (places[seat] if places else -totals[seat], seat))
    heads = ["place", "seat", "name", "title in the last round", "total"]
    lines = [
        [
            f"{places[seat]}." if places else "–",
            joined((sample(seat), f" {seat}")) if kept else seat,
            name_of(names[seat]),
            element("span", name_of(titles[seat]), lang=language) if titles else "–",
            totals[seat] if kept else "no points kept",
        ]
        for seat in order
    ]
    shown: list[object] = [table(heads, lines, (4,))]
    if not places:
        shown.append(element("p", "The log states no final places.", class_="quiet"))
    if kept and len(match.totals) > 1:
        by_round = score_table(names, match.totals, match.ended)
        shown.append(element("div", score_chart(names, match.totals), class_="drawing"))
        shown.append(element("details", element("summary", "Totals after each round as a table"), by_round))
    return joined(shown)


def _made(report: Report, data: bytes | None, made: Made) -> Html:
    required = ", ".join(one.name for one in report.guarantees if one.required)
    facts: list[tuple[object, object]] = [
        ("command", element("code", printable(made.command))),
        ("program", made.version),
        ("evidence", made.evidence),
    ]
    if required:
        facts.append(("required", required))
    if data is None:
        facts.append(("log", "could not be read"))
    else:
        facts += [("log", f"{len(data):,} bytes"), ("its SHA-256", element("code", sha256(data).hexdigest()))]
    again = "The same program makes the same report again from the same files; nothing in it comes from anywhere else."
    return joined((rows(facts), element("p", again, class_="quiet")))


def _replay() -> Html:
    """Return the place where the script puts the replay, with a line for whoever runs none."""
    waiting = element("p", "The replay is drawn by a script, which this reader does not run.", class_="quiet")
    return element("div", waiting, id="stage")
