"""How tests run an archive's audit: as a library, as the command does it, and in a process of its own."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from fairdeal.archive.run import outcomes
from fairdeal.archive.runners import Alone, Runner
from fairdeal.archive.store import Store
from fairdeal.archive.work import Orders, Outcome
from fairdeal.cli.archive import Plan, audit_archive
from fairdeal.cli.many import standard_input
from fairdeal.cli.options import Loudness
from fairdeal.report import GuaranteeName
from tests.conftest import Ran, environment

ORDERS = Orders("1", (GuaranteeName.UNCHANGED, GuaranteeName.RULES), None, (), None, None)
TABLES = {
    "audits": "SELECT * FROM audits",
    "logs": "SELECT * FROM logs",
    "kept": "SELECT * FROM kept",
    "facts": "SELECT * FROM facts",
    "used": "SELECT * FROM used",
}
DRIVER = "import sys, json\nfrom tests.archive.running import main\nmain(json.loads(sys.argv[1]))"


class Line(NamedTuple):
    """What one line of an archive's audit says: what is audited, and its verdict."""

    name: str
    verdict: str


def audited(
    names: Iterable[object],
    store: Path,
    runner: Runner | None = None,
    orders: Orders = ORDERS,
    standard: bytes | IO[bytes] | None = None,
) -> list[Outcome]:
    """Return the outcomes of all logs that names lead to, with the results kept in a store."""
    stream = io.BytesIO(standard) if isinstance(standard, bytes) else standard
    with opened_store(store) as kept:
        given = orders._replace(store=str(store))
        return list(outcomes(map(str, names), given, runner or Alone(), kept, {} if stream is None else {"-": stream}))


@contextmanager
def opened_store(path: Path) -> Iterator[Store]:
    """Return an open store, and close it in the end."""
    with closing(Store(path)) as store:
        yield store


def lines(found: Iterable[Outcome]) -> list[Line]:
    """Return names and verdicts."""
    return [Line(one.name, one.verdict) for one in found]


def tables(store: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return all that a store holds."""
    with opened_store(store) as kept:
        return {name: sorted(kept.rows(query)) for name, query in TABLES.items()}


def plan_for(names: Sequence[object], **options: Any) -> Plan:
    """Return a plan for one process, text on standard output and no store, but for the options given."""
    plain: dict[str, Any] = Plan([], "text", "-", 1, None, None, one_operator=False, equivocations=None)._asdict()
    given = {name: str(one) if isinstance(one, Path) else one for name, one in options.items()}
    return Plan(**(plain | given | {"names": [str(name) for name in names]}))


def archive(
    *names: object, standard: bytes = b"", orders: Orders = ORDERS, loudness: Loudness | None = None, **options: Any
) -> Ran:
    """Audit an archive as the command does, in this process, and return its exit code and what it wrote."""
    plan = plan_for(names, **options)
    kept = sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(one, encoding="utf-8") for one in (out, err)]
    sys.stdout, sys.stderr = streams
    try:
        given = orders._replace(store=plan.store)
        code = audit_archive(plan, given, loudness or Loudness(), {"-": io.BytesIO(standard)})
    finally:
        sys.stdout, sys.stderr = kept
    for stream in streams:
        stream.flush()
    return Ran(int(code), out.getvalue(), err.getvalue().decode("utf-8"))


def objects(ran: Ran) -> list[dict[str, Any]]:
    """Return the objects of JSON lines."""
    return [json.loads(line) for line in ran.text.splitlines()]


def command(*names: object, preamble: str = "", **options: Any) -> list[str]:
    """Return the command line of a process that audits an archive, after the Python statements of `preamble`."""
    return [sys.executable, "-c", f"{preamble}\n{DRIVER}", json.dumps(plan_for(names, **options))]


def process(
    *names: object, preamble: str = "", standard: bytes = b"", **options: Any
) -> subprocess.CompletedProcess[bytes]:
    """Audit an archive in a process of its own."""
    made = command(*names, preamble=preamble, **options)
    return subprocess.run(made, input=standard, capture_output=True, env=environment(), check=False)


def main(plan: list[Any]) -> None:
    """Audit an archive as the command does, and end with its exit code."""
    given = Plan(*plan)
    sys.exit(audit_archive(given, ORDERS._replace(store=given.store), Loudness(), standard_input()))
