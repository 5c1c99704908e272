"""For the auditor: whole matches judged, or read aloud."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairdeal.cli.files import STANDARD, is_folder, read_bytes, refuse_same, refuse_within, say
from fairdeal.cli.options import each, given_by
from fairdeal.errors import Malformed, Misuse

if TYPE_CHECKING:
    from fairdeal.report import GuaranteeName

Many = list[str] | None


def audit(
    context: typer.Context,
    logs: Annotated[
        list[str],
        typer.Argument(metavar="LOG…", help="Match logs; folders, zip and tar files of them; `-` for standard input."),
    ],
    require: Annotated[
        str, typer.Option(metavar="LIST", help="Guarantees without which a faultless log is only incomplete.")
    ] = "unchanged,anchored,rules",
    ticket: Annotated[Many, typer.Option(metavar="TICKET", help="A ticket held from before a round.")] = None,
    receipt: Annotated[
        Many, typer.Option(metavar="RECEIPT", help="A receipt TERMS_HASH:OFFSET:SHA256[:SIGNATURE].")
    ] = None,
    commitment: Annotated[Many, typer.Option(metavar="HEX", help="The commitment as published.")] = None,
    published: Annotated[Many, typer.Option(metavar="FILE", help="A published list of commitments.")] = None,
    operator_key: Annotated[str | None, typer.Option(metavar="HEX", help="The operator's public key.")] = None,
    seat_key: Annotated[Many, typer.Option(metavar="SEAT=HEX", help="A seat's public key.")] = None,
    contribution: Annotated[Many, typer.Option(metavar="SEAT=HEX", help="A seat's own contribution.")] = None,
    evidence: Annotated[
        str | None, typer.Option(metavar="DIR", help="Evidence files; DIR/NAME/ for NAME.fdl where there is one.")
    ] = None,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="text|json|jsonl|html", help="Form of the report.")
    ] = "text",
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write it; a folder for HTML of several logs."),
    ] = STANDARD,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, max=1024, metavar="N", help="Worker processes; by default the cores."),
    ] = None,
    store: Annotated[
        str | None, typer.Option(metavar="FILE", help="A database of results: nothing in it is audited again.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The Dask scheduler whose workers audit, tcp://HOST:PORT.")
    ] = None,
    one_operator: Annotated[
        bool, typer.Option("--one-operator", help="All logs are of one operator, also those without its key.")
    ] = False,
    equivocations: Annotated[
        str | None, typer.Option(metavar="DIR", help="Where to write evidence of what an operator signed twice.")
    ] = None,
) -> None:
    """Re-execute whole matches and compare every claim: one verdict a log."""
    from fairdeal.anchor import (
        EVIDENCE_FILES,
        by_seat,
        parse_hex,
        parse_of_seat,
        parse_published,
        parse_receipt,
        read_text,
        refuse_without_evidence,
    )
    from fairdeal.archive.places import LOG_SUFFIX, ZIP_SUFFIX
    from fairdeal.archive.tars import SUFFIXES
    from fairdeal.cli.archive import Plan, audit_archive
    from fairdeal.cli.many import close, is_archive, orders_of, standard_input
    from fairdeal.cli.reports import check_form, command_line
    from fairdeal.cli.whole import Held, audit_whole
    from fairdeal.evidence import Evidence, operator_and_seats
    from fairdeal.render.lines import COLUMNS
    from fairdeal.ticket import decode_ticket

    check_form(form, "text", "json", "jsonl", "html")
    refuse_same(output, *logs, *(published or ()), *([store] if store else ()))
    refuse_within(output, logs, lambda name: name.lower().endswith((LOG_SUFFIX, ZIP_SUFFIX, *SUFFIXES)))
    refuse_within(output, [evidence] if evidence else [], EVIDENCE_FILES.__contains__)
    if output != STANDARD:
        COLUMNS.set(None)
    if logs.count(STANDARD) > 1:
        raise Misuse("standard input can be read once only", "LOG", "give `-` once")
    required = _required(require)
    of_one_match = {
        "--ticket": ticket,
        "--receipt": receipt,
        "--commitment": commitment,
        "--seat-key": seat_key,
        "--contribution": contribution,
    }
    streams = standard_input()
    context.call_on_close(partial(close, streams))
    together = jobs is not None or any((store, cluster, one_operator, equivocations))
    together |= len(logs) > 1 and form not in ("json", "html")
    many = together or any(is_archive(name, streams) for name in logs)
    _refuse_for_several(of_one_match, several=many or len(logs) > 1)
    if evidence is not None and not is_folder(evidence):
        raise Misuse("there is no such folder", evidence, "give the folder that holds the evidence files")
    if evidence is not None and (many or len(logs) > 1):
        refuse_without_evidence(Path(evidence))
    if equivocations is not None and Path(equivocations).exists() and not Path(equivocations).is_dir():
        raise Misuse("evidence of equivocations needs a folder", equivocations, "give one, which may be new")
    with given_by("--operator-key"):
        key = None if operator_key is None else parse_hex(operator_key)
    if many:
        if form in ("json", "html"):
            hint = "name the logs themselves, or use text or jsonl"
            raise Misuse(f"there is no `{form}` of folders, archives and many workers", "--format", hint)
        plan = Plan(logs, form, output, jobs, cluster, store, one_operator, equivocations)
        orders = orders_of(required, key, published or (), evidence, store)
        raise typer.Exit(audit_archive(plan, orders, context.obj, streams))
    with given_by("--seat-key"):
        keys = operator_and_seats(key, by_seat(map(parse_of_seat, seat_key or ())))
    with given_by("--contribution"):
        contributions = by_seat(map(parse_of_seat, contribution or ()))
    given = Evidence(
        tickets=each("--ticket", decode_ticket, ticket),
        receipts=each("--receipt", parse_receipt, receipt),
        commitments=each("--commitment", parse_hex, commitment),
        published=tuple(parse_published(read_text(Path(name))) for name in published or ()),
        keys=keys,
        contributions=contributions,
    )
    held = Held(given, None if evidence is None else Path(evidence))
    command = command_line(context)
    raise typer.Exit(audit_whole(logs, streams, held, required, form, output, command, context.obj))


def _refuse_for_several(of_one_match: Mapping[str, Many], *, several: bool) -> None:
    """Raise `Misuse` for evidence of one match beside several logs: it would speak against all the others."""
    for option, values in of_one_match.items():
        if values and several:
            raise Misuse(
                "evidence of one match for several logs", option, "give each log a folder of its own: --evidence DIR"
            )


def _required(text: str) -> list[GuaranteeName]:
    from fairdeal.report import GuaranteeName

    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in list(GuaranteeName):
            raise Misuse(f"there is no guarantee `{name}`", "--require", f"guarantees: {', '.join(GuaranteeName)}")
    if not names:
        raise Misuse("nothing is required", "--require", f"guarantees: {', '.join(GuaranteeName)}")
    return [GuaranteeName(name) for name in names]


def show(
    log: Annotated[str, typer.Argument(help="A match log, `-` for standard input.")],
    only: Annotated[int | None, typer.Option("--round", metavar="N", min=1, help="Show one round only.")] = None,
) -> None:
    """Print a readable transcript of a log; nothing is judged."""
    from fairdeal.codec import Log
    from fairdeal.records import Deal
    from fairdeal.render.transcript import transcript_text

    decoded = Log(read_bytes(log))
    dealt = sum(isinstance(item.record, Deal) for item in decoded.items)
    if only is not None and only > dealt:
        raise Misuse(f"the log has {dealt} rounds, not {only}", "--round")
    say(transcript_text(decoded, only))
    if isinstance(decoded.broken, Malformed):
        raise decoded.broken
