"""For the auditor: whole matches judged, or read aloud."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairdeal.cli.exits import OF_VERDICT, Exit, worst_exit
from fairdeal.cli.files import STANDARD, hint, read_bytes, say, write_output
from fairdeal.cli.options import Loudness
from fairdeal.errors import Malformed, Misuse

if TYPE_CHECKING:
    from fairdeal.evidence import Evidence
    from fairdeal.report import GuaranteeName, Report

Many = list[str] | None


def audit(
    context: typer.Context,
    logs: Annotated[list[str], typer.Argument(metavar="LOG…", help="Match logs, `-` for standard input.")],
    require: Annotated[
        str, typer.Option(metavar="LIST", help="Guarantees without which a faultless log is only incomplete.")
    ] = "unchanged,anchored,rules",
    ticket: Annotated[Many, typer.Option(metavar="TICKET", help="A ticket held from before a round.")] = None,
    receipt: Annotated[Many, typer.Option(metavar="T:O:D", help="A receipt TERMS_HASH:OFFSET:SHA256.")] = None,
    commitment: Annotated[Many, typer.Option(metavar="HEX", help="The commitment as published.")] = None,
    published: Annotated[Many, typer.Option(metavar="FILE", help="A published list of commitments.")] = None,
    operator_key: Annotated[str | None, typer.Option(metavar="HEX", help="The operator's public key.")] = None,
    seat_key: Annotated[Many, typer.Option(metavar="SEAT=HEX", help="A seat's public key.")] = None,
    contribution: Annotated[Many, typer.Option(metavar="SEAT=HEX", help="A seat's own contribution.")] = None,
    evidence: Annotated[
        str | None, typer.Option(metavar="DIR", help="Evidence files; DIR/NAME/ for NAME.fdl where there is one.")
    ] = None,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="text|json|jsonl", help="Form of the report.")
    ] = "text",
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Where to write it.")] = STANDARD,
) -> None:
    """Re-execute whole matches and compare every claim: one verdict a log."""
    from fairdeal.anchor import by_seat, parse_hex, parse_published, parse_receipt, read_text
    from fairdeal.cli.reports import check_form, rendered
    from fairdeal.evidence import Evidence, operator_and_seats
    from fairdeal.ticket import decode_ticket

    check_form(form, "text", "json", "jsonl")
    required = _required(require)
    given = Evidence(
        tickets=tuple(map(decode_ticket, ticket or ())),
        receipts=tuple(map(parse_receipt, receipt or ())),
        commitments=tuple(map(parse_hex, commitment or ())),
        published=tuple(parse_published(read_text(Path(name))) for name in published or ()),
        keys=operator_and_seats(None if operator_key is None else parse_hex(operator_key), by_seat(seat_key or ())),
        contributions=by_seat(contribution or ()),
    )
    reports: list[tuple[str, Report]] = []
    codes: list[Exit] = []
    for name in logs:
        report = _audit_one(name, given, evidence, required)
        codes.append(Exit.USAGE if report is None else OF_VERDICT[report.verdict])
        if report is not None:
            reports.append((name, report))
    if reports:
        write_output(output, rendered(reports, form, context.obj).encode("utf-8"))
    _advise(context.obj, reports)
    raise typer.Exit(worst_exit(codes))


def _audit_one(name: str, given: Evidence, folder: str | None, required: Sequence[GuaranteeName]) -> Report | None:
    """Return the report on one log, None where it cannot be read; then a line says so and the rest goes on."""
    from fairdeal.anchor import merge, read_folder
    from fairdeal.audit import audit as audit_bytes

    if folder is not None:
        own = Path(folder) / Path(name).stem
        given = merge(read_folder(own if name != STANDARD and own.is_dir() else Path(folder)), given)
    try:
        data = read_bytes(name)
    except OSError as error:
        hint(f"error: {(error.strerror or 'it cannot be read').lower()} at {name}")
        return None
    return audit_bytes(data, given, required)


def _required(text: str) -> list[GuaranteeName]:
    from fairdeal.report import GuaranteeName

    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in list(GuaranteeName):
            raise Misuse(f"there is no guarantee `{name}`", "--require", f"guarantees: {', '.join(GuaranteeName)}")
    return [GuaranteeName(name) for name in names]


def _advise(loudness: Loudness, reports: Sequence[tuple[str, Report]]) -> None:
    codes = sorted({code for _, report in reports for code in report.codes()})
    if codes:
        loudness.advise(f"`fairdeal explain {codes[0]}` says what a finding means and what to do")


def show(
    log: Annotated[str, typer.Argument(help="A match log, `-` for standard input.")],
    only: Annotated[int | None, typer.Option("--round", metavar="N", min=1, help="Show one round only.")] = None,
) -> None:
    """Print a readable transcript of a log; nothing is judged."""
    from fairdeal.codec import Log
    from fairdeal.render.transcript import transcript_text

    decoded = Log(read_bytes(log))
    say(transcript_text(decoded, only))
    if isinstance(decoded.broken, Malformed):
        raise decoded.broken
