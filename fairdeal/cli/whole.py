"""Whole reports: of one log in every form, of a few as JSON or HTML."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from fairdeal.anchor import merge, read_folder, read_shared
from fairdeal.audit import judged
from fairdeal.cli.errors import complain, unreadable
from fairdeal.cli.exits import OF_VERDICT, Exit, worst_exit
from fairdeal.cli.files import STANDARD, read_bytes, write_output
from fairdeal.cli.reports import Audited, Pages, advise, rendered
from fairdeal.errors import FairdealError, Malformed
from fairdeal.limits import MAX_LOG_BYTES
from fairdeal.report import GuaranteeName, Report, not_audited

if TYPE_CHECKING:
    from fairdeal.archive.few import Few
    from fairdeal.cli.many import Streams
    from fairdeal.cli.options import Loudness
    from fairdeal.evidence import Evidence


class Held(NamedTuple):
    """What is held against the logs: `given` by options against each, and what is in a folder, if there is one."""

    given: Evidence
    folder: Path | None


def audit_whole(
    logs: Sequence[str],
    streams: Streams,
    held: Held,
    required: Sequence[GuaranteeName],
    form: str,
    output: str,
    command: str,
    loudness: Loudness,
) -> Exit:
    """Audit every log, write the reports, and return the exit code; `command` is how this was asked for.

    Several logs are held against each other, too.
    """
    alone = len(logs) == 1
    pages = Pages(output, logs, command) if form == "html" else None
    reports: list[tuple[str, Report]] = []
    codes: list[Exit] = []
    try:
        with ExitStack() as stack:
            few = None if alone else stack.enter_context(_few())
            for name in logs:
                one, code = _audited(name, streams.get(name), held, required, few, alone=alone)
                codes.append(code)
                reports.append((name, one.report))
                if pages is not None:
                    pages.add(one)
            across = () if few is None else few.findings()
        codes += [OF_VERDICT[finding.verdict] for finding in across]
        if pages is not None:
            pages.finish(across)
        else:
            write_output(output, rendered(reports, form, loudness, across).encode("utf-8"))
    except OSError as error:
        complain(unreadable(error, output))
        codes.append(Exit.USAGE)
    else:
        advise(loudness, [report for _, report in reports], across)
    return worst_exit(codes)


def _few() -> Few:
    from fairdeal.archive.few import Few  # and with it a database, which one log has no need of

    return Few()


def _audited(
    name: str,
    stream: IO[bytes] | None,
    held: Held,
    required: Sequence[GuaranteeName],
    few: Few | None,
    *,
    alone: bool,
) -> tuple[Audited, Exit]:
    """Return what came of one log and its exit code; where log or evidence cannot be read, a line says so too."""
    evidence, data = held.given, None
    try:
        if held.folder is not None:
            evidence = merge(_evidence_for(name, held.folder, alone=alone), held.given)
        data = read_bytes(name) if stream is None else stream.read(MAX_LOG_BYTES + 1)
        report, done = judged(data, evidence, required)
    except OSError as error:
        complain(unreadable(error, name))
        return Audited(name, not_audited(unreadable(error, name)), data, evidence), Exit.USAGE
    except FairdealError as error:
        complain(error)
        code = Exit.NO_VERDICT if isinstance(error, Malformed) else Exit.USAGE
        return Audited(name, not_audited(error), data, evidence), code
    if few is not None:
        few.add(name, data, done)
    return Audited(name, report, data, evidence), OF_VERDICT[report.verdict]


def _evidence_for(name: str, folder: Path, *, alone: bool) -> Evidence:
    """Return the evidence for one log: of its own folder below `folder` if there is one.

    From `folder` itself comes what speaks of all matches; all of it only where there is one log without a folder of its
    own.
    """
    own = folder / Path(name).stem
    mine = read_folder(own) if name != STANDARD and own.is_dir() else None
    if mine is None and alone:
        return read_folder(folder)
    shared = read_shared(folder)
    return shared if mine is None else merge(shared, mine)
