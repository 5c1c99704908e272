"""Many logs at once: `audit` with folders, archives and streams, several workers, a store, and what lies across."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from fairdeal.cli.errors import complain, unreadable
from fairdeal.cli.exits import OF_VERDICT, Exit, worst_exit
from fairdeal.cli.files import opened_output, write_new
from fairdeal.cli.progress import Progress
from fairdeal.codes import INCOMPLETE, NO_VERDICT, Code
from fairdeal.report import Verdict
from fairdeal.texts import printable

if TYPE_CHECKING:
    from fairdeal.archive.across import VoidCount
    from fairdeal.archive.runners import Runner
    from fairdeal.archive.store import Store
    from fairdeal.archive.work import Orders, Outcome
    from fairdeal.cli.options import Loudness
    from fairdeal.report import AcrossFinding

SUMMARY_FORMAT: Final = "fairdeal-summary/2"
VOID_SHOWN: Final = 100  # the most frequent of the reasons and of those they name
_STORE: Final = "audits.sqlite"
_WITHOUT_VERDICT: Final = {"unreadable": Exit.USAGE, "failed": Exit.FAILED}
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


@dataclass(slots=True)
class Tally:
    """What a run has seen so far: outcomes by verdict, findings across by code, and how it ended."""

    verdicts: Counter[str] = field(default_factory=Counter)
    across: Counter[Code] = field(default_factory=Counter)
    interrupted: bool = False
    unwritten: bool = False

    def exit(self) -> Exit:
        """Return the exit code of the run: the worst of all, unless it was interrupted."""
        if self.interrupted:
            return Exit.INTERRUPTED
        codes = [_WITHOUT_VERDICT.get(one) or OF_VERDICT[Verdict(one)] for one in self.verdicts]
        for code in self.across:
            without = Exit.USAGE if code in NO_VERDICT else Exit.REFUTED
            codes.append(Exit.INCOMPLETE if code in INCOMPLETE else without)
        return worst_exit([*codes, *([Exit.USAGE] if self.unwritten else [])] or [Exit.INCOMPLETE])


def audit_archive(plan: Plan, orders: Orders, loudness: Loudness, streams: Mapping[str, IO[bytes]]) -> Exit:
    """Audit everything that the names lead to; return the exit code. One bad log never stops the rest."""
    from fairdeal.archive.interrupts import interrupted_once

    tally = Tally()
    with interrupted_once():
        try:
            _audit_archive(plan, orders, loudness, streams, tally)
        except KeyboardInterrupt:  # before there was anything to audit with
            tally.interrupted = True
    for code in tally.across:
        loudness.advise(f"`fairdeal explain {code}` says what a finding means and what to do")
        break
    return tally.exit()


def _audit_archive(
    plan: Plan, orders: Orders, loudness: Loudness, streams: Mapping[str, IO[bytes]], tally: Tally
) -> None:
    from fairdeal.archive.interrupts import end_well
    from fairdeal.archive.store import Store

    with ExitStack() as stack:
        file = plan.store or str(Path(stack.enter_context(TemporaryDirectory(prefix="fairdeal-"))) / _STORE)
        store = Store(Path(file), reports=plan.store is not None)
        stack.callback(store.close)
        write = stack.enter_context(opened_output(plan.output))
        runner = _runner(plan, loudness)
        stack.callback(runner.close)
        try:
            _audit(plan, orders, store, runner, write, streams, tally, loudness)
            end_well()
        except KeyboardInterrupt:
            tally.interrupted = True
        if not loudness.quiet or plan.form == "jsonl":
            write(_closing(tally, store, plan.form))


def _runner(plan: Plan, loudness: Loudness) -> Runner:
    from fairdeal.archive.cluster import Cluster
    from fairdeal.archive.runners import local

    if plan.cluster is None:
        return local(plan.jobs)
    cluster = Cluster(plan.cluster)
    if not cluster.workers:
        loudness.advise(f"the scheduler has no workers yet; start them with `dask worker {plan.cluster}`")
    return cluster


def _audit(
    plan: Plan,
    orders: Orders,
    store: Store,
    runner: Runner,
    write: Write,
    streams: Mapping[str, IO[bytes]],
    tally: Tally,
    loudness: Loudness,
) -> None:
    """Audit all logs, then what lies across them."""
    from fairdeal.archive.across import across
    from fairdeal.archive.interrupts import uninterrupted
    from fairdeal.archive.run import outcomes

    with Progress(plan.names, write) as progress:
        for outcome in outcomes(plan.names, orders, runner, store, streams):
            text = _rendered(outcome, plan.form, loudness)
            with uninterrupted():  # what is written is counted, and nothing else
                progress.step(text)
                tally.verdicts[outcome.verdict] += 1
    for finding in across(store, one_operator=plan.one_operator):
        with uninterrupted():
            write(_across_line(_filed(finding, plan.equivocations, tally), plan.form))
            tally.across[finding.code] += 1


def _rendered(outcome: Outcome, form: str, loudness: Loudness) -> str:
    from fairdeal.render.outcome import outcome_line, outcome_text

    if form == "jsonl":
        return outcome_line(outcome.name, outcome.report)
    if outcome.verdict == Verdict.VERIFIED and not loudness.verbose:
        name = outcome.name if outcome.name.isprintable() else printable(outcome.name)  # most are
        return f"{Verdict.VERIFIED}  {name}\n"
    return outcome_text(outcome.name, outcome.report, verbose=loudness.verbose, brief=loudness.quiet)


def _filed(finding: AcrossFinding, folder: str | None, tally: Tally) -> AcrossFinding:
    """Write the evidence of an equivocation to a file of its own in `folder`, and name it in the finding."""
    if finding.evidence is None:
        return finding
    if folder is None:
        return finding._replace(what=f"{finding.what}; --equivocations DIR writes the evidence")
    from hashlib import sha256

    name = Path(folder) / f"equivocation-{sha256(finding.evidence.encode()).hexdigest()[:16]}.json"
    try:
        name.parent.mkdir(parents=True, exist_ok=True)
        write_new(name, finding.evidence.encode("ascii"))
    except OSError as error:
        complain(unreadable(error, str(name)))
        tally.unwritten = True
        return finding._replace(what=f"{finding.what}; the evidence could not be written")
    return finding._replace(what=f"{finding.what}; the evidence is in {name}")


def _across_line(finding: AcrossFinding, form: str) -> str:
    from fairdeal.render.data import across_line

    if form == "jsonl":
        return across_line(finding)
    logs = "".join(f"    log       {printable(name)}\n" for name in finding.logs)
    return f"across the matches  {finding.code}\n    found     {printable(finding.what)}\n{logs}"


def _closing(tally: Tally, store: Store, form: str) -> str:
    """Return what stands at the end: how many logs of each verdict, and the void matches by whom they name."""
    from fairdeal.archive.across import void_matches

    void, matches, rows = [], 0, 0
    for one in void_matches(store):
        matches, rows = matches + one.matches, rows + 1
        void += [one] if rows <= VOID_SHOWN else []
    without = {reason: tally.verdicts[reason] for reason in _WITHOUT_VERDICT}
    every = Counter({str(verdict): tally.verdicts[verdict] for verdict in Verdict})
    every[Verdict.NO_VERDICT] += sum(without.values())
    counts = {verdict: count for verdict, count in every.items() if count}
    if form == "jsonl":
        entry = {
            "format": SUMMARY_FORMAT,
            "logs": sum(counts.values()),
            "verdicts": counts,
            **without,
            "across": {str(code): count for code, count in sorted(tally.across.items())},
            "void_matches": matches,
            "void": [one._asdict() for one in void],
            "interrupted": tally.interrupted,
        }
        return json.dumps(entry, separators=(",", ":")) + "\n"
    lines = [_void_line(one) for one in void]
    if rows > VOID_SHOWN:
        lines.append(f"void: {matches - sum(one.matches for one in void)} more, for other reasons or naming others")
    listed = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items()) or "nothing to audit"
    why = ", ".join(f"{count:,} {reason}" for reason, count in without.items() if count)
    listed += f" ({why})" if why else ""
    total = tally.across.total()
    beside = f"; {total} finding{'' if total == 1 else 's'} across them" if total else ""
    beside += "; interrupted" if tally.interrupted else ""
    logs = sum(counts.values())
    lines.append(f"{logs:,} log{'' if logs == 1 else 's'}: {listed}{beside}")
    return "".join(f"{line}\n" for line in lines)


def _void_line(one: VoidCount) -> str:
    whose = f" of operator {printable(one.operator)}" if one.operator else ""
    blamed = f", naming {printable(one.blamed)}" if one.blamed else ""
    return f"void: {one.matches} {printable(one.reason)}{blamed}{whose}"
