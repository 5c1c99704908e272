"""Many logs at once: `audit` with folders, archives and streams, several workers, a store, and what lies across."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from fairdeal.cli.exits import OF_VERDICT, Exit, worst_exit
from fairdeal.cli.files import opened_output, write_new
from fairdeal.cli.progress import Progress
from fairdeal.codes import INCOMPLETE
from fairdeal.report import Verdict
from fairdeal.texts import printable

if TYPE_CHECKING:
    from fairdeal.archive.across import AcrossFinding
    from fairdeal.archive.runners import Runner
    from fairdeal.archive.store import Store
    from fairdeal.archive.work import Orders, Outcome
    from fairdeal.cli.options import Loudness

ACROSS_FORMAT: Final = "fairdeal-across/1"
SUMMARY_FORMAT: Final = "fairdeal-summary/1"
_STORE: Final = "audits.sqlite"
Write = Callable[[str], None]


class Plan(NamedTuple):
    """What is audited and where it goes; `store` is a file and `equivocations` a folder, or None."""

    names: Sequence[str]
    form: str
    output: str
    jobs: int | None
    cluster: str | None
    store: str | None
    one_operator: bool
    equivocations: str | None


class Tally(NamedTuple):
    """What a run has seen so far: outcomes by verdict, findings across, and whether it was interrupted."""

    verdicts: Counter[str]
    across: list[AcrossFinding]
    interrupted: bool


def audit_archive(plan: Plan, orders: Orders, loudness: Loudness, standard: IO[bytes] | None) -> Exit:
    """Audit everything that the names lead to; return the exit code. One bad log never stops the rest."""
    from fairdeal.archive.store import Store

    with ExitStack() as stack:
        file = plan.store or str(Path(stack.enter_context(TemporaryDirectory(prefix="fairdeal-"))) / _STORE)
        store = Store(Path(file))
        stack.callback(store.close)
        runner = _runner(plan)
        stack.callback(runner.close)
        write = stack.enter_context(opened_output(plan.output))
        tally = _audit(plan, orders, store, runner, write, standard, brief=loudness.quiet)
        for finding in tally.across:
            write(_across_line(finding, plan.form))
        if not loudness.quiet or plan.form == "jsonl":
            write("".join(_closing(tally, store, plan.form)))
    for finding in tally.across:
        loudness.advise(f"`fairdeal explain {finding.code}` says what a finding means and what to do")
        break
    return _exit_of(tally)


def _runner(plan: Plan) -> Runner:
    from fairdeal.archive.cluster import Cluster
    from fairdeal.archive.runners import local

    return local(plan.jobs) if plan.cluster is None else Cluster(plan.cluster)


def _audit(
    plan: Plan, orders: Orders, store: Store, runner: Runner, write: Write, standard: IO[bytes] | None, *, brief: bool
) -> Tally:
    """Audit all logs, then what lies across them; Ctrl-C ends with what was done."""
    from fairdeal.archive.across import across
    from fairdeal.archive.run import outcomes

    verdicts: Counter[str] = Counter()
    found: list[AcrossFinding] = []
    try:
        with Progress(plan.names) as progress:
            for outcome in outcomes(plan.names, orders, runner, store, standard):
                write(_rendered(outcome, plan.form, brief=brief))
                verdicts[outcome.verdict] += 1
                progress.step()
        found += (_filed(one, plan.equivocations) for one in across(store, one_operator=plan.one_operator))
    except KeyboardInterrupt:
        return Tally(verdicts, found, interrupted=True)
    return Tally(verdicts, found, interrupted=False)


def _rendered(outcome: Outcome, form: str, *, brief: bool) -> str:
    from fairdeal.render.outcome import outcome_line, outcome_text

    if form == "jsonl":
        return outcome_line(outcome.name, outcome.report)
    if outcome.verdict == Verdict.VERIFIED:
        return f"{Verdict.VERIFIED}  {printable(outcome.name)}\n"
    return outcome_text(outcome.name, outcome.report, brief=brief)


def _filed(finding: AcrossFinding, folder: str | None) -> AcrossFinding:
    """Write the evidence of an equivocation to a file of its own in `folder`, and name it in the finding."""
    if finding.evidence is None:
        return finding
    if folder is None:
        return finding._replace(what=f"{finding.what}; --equivocations DIR writes the evidence")
    from hashlib import sha256

    name = Path(folder) / f"equivocation-{sha256(finding.evidence.encode()).hexdigest()[:16]}.json"
    name.parent.mkdir(parents=True, exist_ok=True)
    write_new(name, finding.evidence.encode("ascii"))
    return finding._replace(what=f"{finding.what}; the evidence is in {name}")


def _across_line(finding: AcrossFinding, form: str) -> str:
    if form == "jsonl":
        entry = {"format": ACROSS_FORMAT, "code": str(finding.code), "what": finding.what, "logs": list(finding.logs)}
        return json.dumps(entry, separators=(",", ":")) + "\n"
    logs = "".join(f"    log       {printable(name)}\n" for name in finding.logs)
    return f"across the matches  {finding.code}\n    found     {printable(finding.what)}\n{logs}"


def _closing(tally: Tally, store: Store, form: str) -> Iterator[str]:
    """Yield what stands at the end: how many logs of each verdict, and the void matches by whom they name."""
    from fairdeal.archive.across import void_matches

    void = list(void_matches(store))
    order = [*(str(verdict) for verdict in Verdict), "unreadable"]
    counts = {verdict: tally.verdicts[verdict] for verdict in order if tally.verdicts[verdict]}
    if form == "jsonl":
        entry = {
            "format": SUMMARY_FORMAT,
            "logs": sum(counts.values()),
            "verdicts": counts,
            "across": len(tally.across),
            "void": [one._asdict() for one in void],
            "interrupted": tally.interrupted,
        }
        yield json.dumps(entry, separators=(",", ":")) + "\n"
        return
    for one in void:
        whose = f" of operator {one.operator}" if one.operator else ""
        blamed = f", naming {printable(one.blamed)}" if one.blamed else ""
        yield f"void: {one.matches} {one.reason}{blamed}{whose}\n"
    listed = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items()) or "nothing to audit"
    beside = f"; {len(tally.across)} findings across them" if tally.across else ""
    yield f"{sum(counts.values()):,} logs: {listed}{beside}{'; interrupted' if tally.interrupted else ''}\n"


def _exit_of(tally: Tally) -> Exit:
    if tally.interrupted:
        return Exit.INTERRUPTED
    codes = [OF_VERDICT[Verdict(one)] if one in list(Verdict) else Exit.USAGE for one in tally.verdicts]
    codes += [Exit.INCOMPLETE if one.code in INCOMPLETE else Exit.REFUTED for one in tally.across]
    return worst_exit(codes or [Exit.INCOMPLETE])
