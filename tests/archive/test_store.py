"""The store: what was audited is not audited again, nothing is lost, and nothing old is held against anybody."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from fairdeal.archive import store as module
from fairdeal.archive.across import across
from fairdeal.archive.run import outcomes
from fairdeal.archive.runners import Alone
from fairdeal.archive.store import Store
from fairdeal.audit import judged
from fairdeal.codes import Code
from fairdeal.errors import Misuse
from fairdeal.evidence import Evidence
from fairdeal.report import GuaranteeName, Report
from tests.archive.making import OPERATORS, Wanted, archive, name_of, written, written_to
from tests.archive.running import ORDERS, audited, lines, opened_store, tables

LOGS = list(archive(6))
VERIFIED = "verified"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "audits.sqlite"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written_to(tmp_path / "logs", LOGS)


class Counter:
    """Counts the audits that are really made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Count from now on."""
        self.count = 0

        def counted(data: bytes, held: Evidence, required: Iterable[GuaranteeName]) -> tuple[Report, object]:
            self.count += 1
            return judged(data, held, tuple(required))

        monkeypatch.setattr("fairdeal.archive.work.judged", counted)

    def new(self) -> int:
        """Return how many there were since this was asked last."""
        count, self.count = self.count, 0
        return count


@pytest.fixture
def audits(monkeypatch: pytest.MonkeyPatch) -> Counter:
    return Counter(monkeypatch)


def findings(store: Path) -> list[Code]:
    with opened_store(store) as kept:
        return [finding.code for finding in across(kept, one_operator=True)]


# --- what is audited again, and what is not


def test_nothing_is_audited_twice(store: Path, folder: Path, audits: Counter) -> None:
    first = audited([folder], store)
    assert audits.new() == len(LOGS)
    kept = tables(store)
    again = audited([folder], store)
    assert audits.new() == 0
    assert [(one.name, one.verdict, one.report) for one in again] == [
        (one.name, one.verdict, one.report) for one in first
    ]
    assert tables(store) == kept


def test_only_new_logs_are_audited(store: Path, folder: Path, audits: Counter) -> None:
    audited([folder / name_of(2)], store)
    assert audits.new() == 1
    audited([folder], store)
    assert audits.new() == len(LOGS) - 1
    (folder / "copy.fdl").write_bytes(LOGS[0])
    audited([folder], store)
    assert audits.new() == 0


def test_other_inputs_audit_again(store: Path, folder: Path, tmp_path: Path, audits: Counter) -> None:
    """Another version of the tool, other requirements, other evidence for all or for one log; and none of it twice."""
    published = tmp_path / "published.txt"
    published.write_text(f"1 {'00' * 32}\n", encoding="ascii")
    evidence = tmp_path / "evidence"
    evidence.mkdir()
    variants = [
        ORDERS,
        ORDERS._replace(version="2"),
        ORDERS._replace(required=(GuaranteeName.RULES,)),
        ORDERS._replace(required=(GuaranteeName.RULES, GuaranteeName.ANCHORED)),
        ORDERS._replace(operator_key=bytes(32)),
        ORDERS._replace(published=(str(published),)),
    ]
    for made in (len(LOGS), 0):
        for orders in variants:
            audited([folder], store, orders=orders)
            assert audits.new() == made
    with_folder = ORDERS._replace(folder=str(evidence))
    audited([folder], store, orders=with_folder)
    assert audits.new() == 0  # an empty folder is no other evidence
    own = evidence / Path(name_of(3)).stem
    own.mkdir()
    (own / "published.txt").write_text(f"3 {'00' * 32}\n", encoding="ascii")
    audited([folder], store, orders=with_folder)
    assert audits.new() == 1
    (own / "published.txt").write_text(f"3 {'01' * 32}\n", encoding="ascii")
    audited([folder], store, orders=with_folder)
    assert audits.new() == 1
    (evidence / "published.txt").write_text(f"1 {'02' * 32}\n", encoding="ascii")
    audited([folder], store, orders=with_folder)
    assert audits.new() == len(LOGS)
    audited([folder], store, orders=with_folder)
    assert audits.new() == 0


def test_the_order_of_requirements_is_none(store: Path, folder: Path, audits: Counter) -> None:
    audited([folder], store)
    audits.new()
    audited([folder], store, orders=ORDERS._replace(required=ORDERS.required[::-1]))
    assert audits.new() == 0


def test_what_could_not_be_read_is_tried_again(store: Path, folder: Path) -> None:
    late = folder / "late.fdl"
    assert lines(audited([late], store))[0].verdict == "unreadable"
    late.write_bytes(LOGS[0])
    assert lines(audited([late], store))[0].verdict == VERIFIED


# --- what is kept


def test_logs_can_be_read_again_or_are_kept(store: Path, folder: Path) -> None:
    """Those of files are read where they are, those of streams are kept."""
    audited([folder / name_of(1)], store)
    audited(["-"], store, standard=LOGS[1] + LOGS[2])
    with opened_store(store) as kept:
        digests = [str(digest) for (digest,) in kept.rows("SELECT digest FROM logs ORDER BY bytes, digest")]
        assert sorted(kept.data(digest) or b"" for digest in digests) == sorted(LOGS[:3])
        assert list(kept.rows("SELECT count(*) FROM kept")) == [(2,)]
        (folder / name_of(1)).write_bytes(b"changed")
        assert [kept.data(digest) is None for digest in digests].count(True) == 1
        assert kept.data("00" * 32) is None


def test_streams_add_up(store: Path, audits: Counter) -> None:
    """Two runs over standard input with one store: the logs of both count, and what comes again is known."""
    audited(["-"], store, standard=LOGS[0] + LOGS[1])
    audited(["-"], store, standard=LOGS[2] + LOGS[0])
    assert audits.new() == 3
    with opened_store(store) as kept:
        assert list(kept.rows("SELECT count(*) FROM counted")) == [(3,)]


# --- old facts


def test_a_log_that_has_changed_leaves_nothing_behind(store: Path, folder: Path) -> None:
    """What a file once held is held against no other match: neither its number nor any value."""
    path = folder / name_of(1)
    path.write_bytes(written(Wanted(1, sequence=2, secret=bytes(32), match_id=b"m" * 16)))
    (folder / name_of(7)).write_bytes(written(Wanted(7, secret=bytes(32), match_id=b"m" * 16)))
    audited([folder], store)
    assert sorted(findings(store)) == [Code.MATCH_ID_REPEATED, Code.SECRET_REPEATED, Code.SEQUENCE_REPEATED]
    path.write_bytes(LOGS[0])
    audited([path], store)
    assert findings(store) == []


def test_a_log_that_is_gone_leaves_nothing_behind(store: Path, folder: Path) -> None:
    """When the folder it was in is looked through again, and not before."""
    copy = folder / "copy.fdl"
    copy.write_bytes(written(Wanted(2, leads=2)))
    audited([folder], store)
    assert findings(store) == [Code.LOGS_DIFFER]
    copy.unlink()
    audited([folder / name_of(1)], store)
    assert findings(store) == [Code.UNREADABLE]
    audited([folder], store)
    assert findings(store) == []


def test_what_cannot_be_looked_into_is_not_gone(store: Path, folder: Path, tmp_path: Path) -> None:
    """A disk that is not there, or a broken archive: what was found there before still counts."""
    other = written_to(tmp_path / "other", archive(3, start=7))
    audited([folder, other], store)
    other.rename(tmp_path / "away")
    audited([folder, other], store)
    with opened_store(store) as kept:
        assert list(kept.rows("SELECT count(*) FROM counted")) == [(9,)]


def test_a_run_that_was_interrupted_forgets_nothing(store: Path, folder: Path) -> None:
    audited([folder], store)
    with opened_store(store) as kept:
        kept.begin([str(folder)])
    assert len(tables(store)["logs"]) == len(LOGS)


def test_other_folders_are_left_alone(store: Path, folder: Path, tmp_path: Path) -> None:
    """Also those whose names begin alike."""
    for name in ("logs2", "logs-", "logs.", "log"):
        written_to(tmp_path / name, LOGS[:1])
        audited([tmp_path / name], store)
    audited([folder], store)
    assert len(tables(store)["logs"]) == len(LOGS) + 4
    for path in folder.iterdir():
        path.unlink()
    audited([folder], store)
    assert len(tables(store)["logs"]) == 4


def test_a_new_version_replaces_facts(store: Path, folder: Path) -> None:
    audited([folder], store)
    facts = tables(store)["facts"]
    with closing(sqlite3.connect(store)) as base, base:
        base.execute("UPDATE facts SET sequence = 99")
    audited([folder], store, orders=ORDERS._replace(version="2"))
    assert tables(store)["facts"] == facts


# --- files that are no store


def test_a_database_of_another_kind_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("CREATE TABLE audits (digest TEXT)")
        base.execute("PRAGMA user_version = 1")
    before = path.read_bytes()
    with pytest.raises(Misuse, match="a database of another kind or version"):
        Store(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["other.sqlite"]


def test_another_version_is_refused(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened_store(store):
        pass
    monkeypatch.setattr(module, "FORMAT", module.FORMAT + 1)
    with pytest.raises(Misuse, match="a database of another kind or version"):
        Store(store)


@pytest.mark.parametrize("content", [b"no database", LOGS[0], bytes(4_096)])
def test_a_file_that_is_no_database_is_refused(store: Path, content: bytes) -> None:
    store.write_bytes(content)
    with pytest.raises(Misuse, match="no store that can be used"):
        Store(store)
    assert store.read_bytes() == content


def test_a_folder_or_no_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "audits.sqlite"):
        with pytest.raises(Misuse, match="no store that can be used"):
            Store(path)


def test_an_empty_file_becomes_a_store(store: Path) -> None:
    store.touch()
    with opened_store(store) as kept:
        assert list(kept.rows("SELECT * FROM logs")) == []


def test_a_store_that_is_broken_says_so(store: Path, folder: Path) -> None:
    audited([folder], store)
    data = bytearray(store.read_bytes())
    data[4_096:] = b"\xff" * (len(data) - 4_096)
    store.write_bytes(data)
    with pytest.raises(Misuse, match="no store that can be used"):
        audited([folder], store)


# --- several at once


def test_two_make_one_store_at_once(store: Path) -> None:
    """Whoever comes second finds what the first made."""
    failed: list[BaseException] = []

    def make() -> None:
        try:
            with opened_store(store) as kept:
                list(kept.rows("SELECT * FROM counted"))
        except BaseException as error:
            failed.append(error)

    threads = [Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_two_runs_share_one_store(store: Path, tmp_path: Path) -> None:
    """Chunk by chunk each keeps its own, and in the end the store holds all of both."""
    one, two = (written_to(tmp_path / name, archive(40, start=start), start) for name, start in (("a", 1), ("b", 41)))
    with opened_store(store) as first, opened_store(store) as second:
        runs = [
            outcomes([str(path)], ORDERS._replace(store=str(store)), Alone(), kept, {})
            for path, kept in ((one, first), (two, second))
        ]
        for pair in zip(*runs, strict=True):
            assert {outcome.verdict for outcome in pair} == {VERIFIED}
    assert [len(rows) for name, rows in tables(store).items() if name != "kept"] == [80, 80, 80, 240]
    assert findings(store) == []


def test_two_runs_over_one_folder_forget_nothing_of_each_other(store: Path, folder: Path) -> None:
    """What one run finds only after the other has listed the folder stays."""
    with opened_store(store) as first:
        first.begin([str(folder)])
        audited([folder], store)
        first.finish()
    assert len(tables(store)["logs"]) == len(LOGS)


def test_keeping_is_all_or_nothing(store: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is stopped while it keeps a chunk has kept none of it."""
    plain = module._text
    calls = 0

    def stopped(text: str) -> str:
        nonlocal calls
        calls += 1
        if calls == 12:
            raise KeyboardInterrupt
        return plain(text)

    monkeypatch.setattr(module, "_text", stopped)
    with pytest.raises(KeyboardInterrupt):
        audited([folder], store)
    monkeypatch.undo()
    kept = tables(store)
    assert len(kept["logs"]) == len(kept["audits"]) == len(kept["facts"]) in (1, 3)
    audited([folder], store)
    assert len(tables(store)["logs"]) == len(LOGS)


def test_a_store_without_reports_keeps_facts_only(store: Path, folder: Path) -> None:
    with closing(Store(store, reports=False)) as kept:
        list(outcomes([str(folder)], ORDERS, Alone(), kept, {}))
    assert [len(rows) for rows in tables(store).values()] == [0, 6, 0, 6, 18]


def test_operators_and_signatures_are_kept(store: Path, tmp_path: Path) -> None:
    data = written(Wanted(1, key=OPERATORS[0]))
    (tmp_path / "a.fdl").write_bytes(data)
    audited([tmp_path / "a.fdl"], store)
    with opened_store(store) as kept:
        ((signed, size),) = kept.rows("SELECT signed, bytes FROM counted WHERE operator != ''")
    assert 0 < signed < size == len(data)
