"""Dask workers: the same outcomes in the same order, also when a worker is lost on the way."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster

from fairdeal.archive import cluster as module
from fairdeal.archive.cluster import Cluster
from fairdeal.errors import FairdealError, Misuse
from tests.archive.making import OPERATORS, archive, written_to
from tests.archive.running import audited, lines, tables
from tests.archive.test_runners import deadly, given_up


@pytest.fixture(scope="module")
def scheduler() -> Iterator[Any]:
    """Return two workers, processes of their own, and who gives them work."""
    make: Any = LocalCluster
    with make(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as local:
        yield local


def test_outcomes_are_those_of_one_process(tmp_path: Path, scheduler: Any) -> None:
    """Also what the store holds, and what comes from standard input."""
    folder = written_to(tmp_path / "logs", archive(60, OPERATORS[0]))
    (folder / "bad.fdl").write_bytes(b"no log")
    stream = b"".join(archive(20))
    alone = audited([folder, "-"], tmp_path / "alone", standard=stream)
    with closing(Cluster(scheduler.scheduler_address)) as runner:
        shared = audited([folder, "-"], tmp_path / "shared", runner, standard=stream)
    assert [(one.name, one.verdict, one.report) for one in shared] == [
        (one.name, one.verdict, one.report) for one in alone
    ]
    assert tables(tmp_path / "shared") == tables(tmp_path / "alone")


def test_a_worker_that_is_lost_is_done_without(tmp_path: Path, scheduler: Any) -> None:
    """Its tasks are done again by another."""
    (tmp_path / "deaths").mkdir()

    def once(task: int) -> int:
        return deadly(str(tmp_path / "deaths"), 1, task)

    with closing(Cluster(scheduler.scheduler_address)) as runner:
        assert list(runner.run(once, range(30), given_up)) == [(task, 2 * task) for task in range(30)]
    assert len(list((tmp_path / "deaths").iterdir())) == 1


@pytest.mark.full
def test_a_task_that_ends_every_worker_is_given_up(tmp_path: Path, scheduler: Any) -> None:
    def always(task: int) -> int:
        return deadly(str(tmp_path), 99, task)

    with closing(Cluster(scheduler.scheduler_address)) as runner:
        found = list(runner.run(always, range(12), given_up))
    assert found[7] == (7, -7)
    assert {result for task, result in found if task != 7} <= {2 * task for task in range(12)} | {
        -task for task in range(12)
    }


@pytest.mark.full
def test_a_worker_killed_halfway_changes_nothing(tmp_path: Path, scheduler: Any) -> None:
    """Killed from outside after a third and after two thirds of ten thousand logs."""
    folder = written_to(tmp_path / "logs", archive(10_000, OPERATORS[0]))
    alone = lines(audited([folder], tmp_path / "alone"))
    names = iter(range(len(alone)))

    class Killing(Cluster):
        """Kills a worker when a third, and two thirds, of the results have come."""

        def run(self, *arguments: Any) -> Iterator[Any]:
            for task, result in super().run(*arguments):
                yield task, result
                for _ in task:
                    if next(names) in (len(alone) // 3, 2 * len(alone) // 3):
                        victim = next(iter(scheduler.workers.values()))
                        os.kill(victim.pid, signal.SIGKILL)

    with closing(Killing(scheduler.scheduler_address)) as runner:
        assert lines(audited([folder], tmp_path / "shared", runner)) == alone
    assert tables(tmp_path / "shared") == tables(tmp_path / "alone")


def test_errors_of_workers_are_told(scheduler: Any) -> None:
    def fails(task: int) -> int:
        raise ModuleNotFoundError(f"no module named {task}")

    with (
        closing(Cluster(scheduler.scheduler_address)) as runner,
        pytest.raises(FairdealError, match="the cluster gave up"),
    ):
        list(runner.run(fails, range(3), given_up))


def test_a_worker_of_another_version_is_told(scheduler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it finds must not be kept under this version's name."""
    monkeypatch.setattr(module, "program", lambda: "fairdeal 99")
    with (
        closing(Cluster(scheduler.scheduler_address)) as runner,
        pytest.raises(FairdealError, match=r"a worker has fairdeal .*, and this is fairdeal 99"),
    ):
        list(runner.run(abs, range(3), given_up))


@contextmanager
def silent() -> Iterator[str]:
    """Return the address of a port that takes connections and says nothing, as that of another service may."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"tcp://127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("tcp://127.0.0.1:9", "nothing said in 0.1 seconds"),
        ("nonsense://", "unknown address scheme 'nonsense'"),
        ("localhost", "missing port number in address 'localhost'"),
        ("http://127.0.0.1:8786", "unknown address scheme 'http'"),
        ("tls://127.0.0.1:8786", "tls expects"),
    ],
)
def test_no_scheduler(address: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.1)
    with pytest.raises(Misuse, match=f"no scheduler answers: {why}") as refused:
        Cluster(address)
    assert "tcp://HOST:8786" in str(refused.value.hint)


def test_another_service_in_place_of_a_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given up, and nothing of it is left to be waited for."""
    monkeypatch.setattr(module, "_PATIENCE", 0.1)
    with silent() as address, pytest.raises(Misuse, match="no scheduler answers: nothing said"):
        Cluster(address)


def test_a_worker_in_place_of_a_scheduler(scheduler: Any) -> None:
    address = next(iter(scheduler.scheduler_info["workers"]))
    with pytest.raises(Misuse, match="a worker answers, and no scheduler"):
        Cluster(address)


def test_no_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(module, "import_module", missing)
    with pytest.raises(Misuse, match="Dask distributed is not installed"):
        Cluster("tcp://127.0.0.1:9")
