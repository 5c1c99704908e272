"""What an archive costs: peak memory of each process and logs a second, with one process, two, and two Dask workers.

`python -m tests.archive_benchmark 10000` makes an archive of so many whole matches and audits it; `--quick` has matches
of one round, `--keep DIR` keeps the archive for another time, `--only 1,2,cluster,store,stream` leaves out the rest.
Nothing here fails for being slow. Speeds are told per second of the clock, and per second of work where a machine has
other things to do.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fairdeal.archive.work import Orders
from fairdeal.cli.archive import Plan, audit_archive
from fairdeal.cli.many import standard_input
from fairdeal.cli.options import Loudness
from fairdeal.report import GuaranteeName
from fairdeal.ruleset import load_preset
from fairdeal.simulate import Simulation, simulate
from tests.archive.making import Wanted, name_of, written

ORDERS = Orders("benchmark", (GuaranteeName.UNCHANGED, GuaranteeName.RULES), None, (), None, None)
IN_FOLDER = 1_000
# What the README advises for long runs, without which each worker keeps a profile of every second and the scheduler
# every message, up to a thousand.
ADVISED = {"distributed.worker.profile.enabled": False, "distributed.admin.low-level-log-length": 10}
WAYS = ("1", "2", "store", "stream", "cluster")


def say(*words: object) -> None:
    """Write a line to standard output."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def made(number: int, *, quick: bool) -> bytes:
    """Return a log: a match of four seats and five rounds by lowest-card play, or one round of three seats."""
    if quick:
        return written(Wanted(number))
    rng = sha256(f"benchmark {number}".encode()).digest()
    return bytes(simulate(Simulation(load_preset("president"), 4, rng, players="lowest", sequence=number)).data)


def make_folder(task: tuple[Path, int, int, bool]) -> None:
    """Write the logs from one number to another into a folder."""
    folder, start, end, quick = task
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(start, end):
        (folder / name_of(number)).write_bytes(made(number, quick=quick))


def make(folder: Path, count: int, *, quick: bool) -> Path:
    """Return a folder with that many logs, written unless they are there."""
    tasks = [
        (folder / f"{start // IN_FOLDER:05d}", start, min(start + IN_FOLDER, count + 1), quick)
        for start in range(1, count + 1, IN_FOLDER)
    ]
    with ProcessPoolExecutor() as pool:
        list(pool.map(make_folder, [task for task in tasks if not task[0].exists()]))
    return folder


def measured(names: list[str], options: dict[str, Any]) -> None:
    """Audit in this process and print what it took; the processes it starts are told apart."""
    begun = time.perf_counter()
    plain: dict[str, Any] = Plan([], "text", os.devnull, 1, None, None, one_operator=True, equivocations=None)._asdict()
    plan = Plan(**(plain | options | {"names": names}))
    audit_archive(plan, ORDERS._replace(store=plan.store), Loudness(quiet=True), standard_input())
    seconds = time.perf_counter() - begun
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    work = [one.ru_utime + one.ru_stime for one in (own, others)]
    say(seconds, *work, own.ru_maxrss // 1024, others.ru_maxrss // 1024)


def run(title: str, count: int, names: list[Path | str], stdin: Path | None = None, **options: Any) -> None:
    """Audit in a process of its own, so that no memory is counted twice, and print a line."""
    script = f"from tests.archive_benchmark import measured\nmeasured({list(map(str, names))!r}, {options!r})"
    with (stdin or Path(os.devnull)).open("rb") as file:
        ended = subprocess.run([sys.executable, "-c", script], stdin=file, capture_output=True, text=True, check=False)
    if ended.returncode:
        say(f"{title:<28} failed: {ended.stderr.strip().splitlines()[-1]}")
        return
    seconds, own, others, memory, most = map(float, ended.stdout.split())
    work, peak = f"{own * 1e6 / count:8.0f} us", f"{memory:5.0f} MB"
    if "jobs" in options:  # whose workers are this process's own
        work, peak = f"{work} + {others * 1e6 / count:6.0f} us", f"{peak}, workers {most:5.0f} MB"
    say(f"{title:<28} {count / seconds:8.0f} logs/s   {work} a log   {peak}")


@contextmanager
def scheduler() -> Iterator[Any]:
    """Return a local cluster of two workers, set up as the README advises."""
    cluster: Any = import_module("distributed").LocalCluster
    with (
        import_module("dask.config").set(ADVISED),
        cluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as local,
    ):
        yield local


def workers_memory(cluster: Any) -> str:
    """Return the peak memory of each worker of a local cluster."""

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

    connect: Any = import_module("distributed").Client
    with connect(cluster, set_as_default=False) as client:
        return ", ".join(f"{megabytes} MB" for megabytes in client.run(peak).values())


def main() -> None:
    """Make the archive and audit it in each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=2_000)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", default=",".join(WAYS))
    given = parser.parse_args()
    only, count = given.only.split(","), given.count
    with TemporaryDirectory(prefix="fairdeal-") as temporary:
        folder = make((given.keep or Path(temporary)) / f"logs-{count}", count, quick=given.quick)
        if "1" in only:
            run("one process", count, [folder], jobs=1)
        if "2" in only:
            run("two processes", count, [folder], jobs=2)
        if "store" in only:
            store = str(Path(temporary) / "store")
            run("two, into a store", count, [folder], jobs=2, store=store)
            run("two, all known", count, [folder], jobs=2, store=store)
        if "stream" in only:
            stream = Path(temporary) / "stream"
            with stream.open("wb") as file:
                for path in sorted(folder.rglob("*.fdl")):
                    file.write(path.read_bytes())
            run("two, one stream", count, ["-"], stdin=stream, jobs=2)
        if "cluster" in only:
            with scheduler() as cluster:
                run("two Dask workers", count, [folder], cluster=cluster.scheduler_address)
                say(f"{'':<28} workers {workers_memory(cluster)}")


if __name__ == "__main__":
    main()
