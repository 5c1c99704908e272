"""The audit of a chunk: each place has its outcomes, whatever happens to the others."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from fairdeal.archive.facts import COMMITMENT, CONTRIBUTION, MATCH_ID, SECRET, Facts, facts_of
from fairdeal.archive.place import Found, Place, Trouble
from fairdeal.archive.work import FAILED, UNREADABLE, Orders, audit_chunk, lost_chunk, release, with_trust
from fairdeal.audit import judged
from fairdeal.codec import Log
from fairdeal.errors import Malformed
from fairdeal.evidence import Evidence
from fairdeal.records import CloseReason, Commitment
from fairdeal.render.data import report_data
from fairdeal.replay import Replayed
from fairdeal.report import GuaranteeName, Report
from fairdeal.sign import public_key
from tests.archive.making import NAMES, OPERATORS, SEAT_KEYS, Wanted, archive, fresh, written, written_to
from tests.archive.running import ORDERS

LOGS = list(archive(4))


@pytest.fixture(autouse=True)
def released() -> Iterator[None]:
    """Leave nothing open for the next test."""
    yield
    release()


def place_of(data: bytes, name: str = "a.fdl", label: str = "a") -> Place:
    return Place(name, label=label, data=data)


def verdicts(chunk: list[Found], orders: Orders = ORDERS) -> list[list[str]]:
    return [[one.verdict for one in outcomes] for outcomes in audit_chunk(orders, chunk)]


def test_each_place_has_its_outcomes_in_order(tmp_path: Path) -> None:
    chunk: list[Found] = [
        place_of(LOGS[0]),
        Trouble("b", "not there"),
        place_of(LOGS[1] + LOGS[2]),
        Place("c", str(tmp_path / "none")),
        place_of(b"no log"),
        place_of(b""),
    ]
    assert verdicts(chunk) == [
        ["verified"],
        [UNREADABLE],
        ["verified"] * 2,
        [UNREADABLE],
        ["no verdict"],
        ["no verdict"],
    ]


def test_what_comes_back_is_what_an_audit_says() -> None:
    """The report without a name, the facts, and no copy of the bytes that came."""
    ((one,),) = audit_chunk(ORDERS, [place_of(LOGS[0])])
    report, done = judged(LOGS[0], None, ORDERS.required)
    assert json.loads(one.report) == json.loads(json.dumps(report_data(report, "")))
    assert one.row is not None
    assert one.row.facts == facts_of(LOGS[0], done)
    assert one.row.place.data is None


def test_a_failure_over_one_log_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of those that came with it in one place."""

    def fails(data: bytes, held: Evidence, required: Collection[GuaranteeName]) -> tuple[Report, Replayed | None]:
        if data == LOGS[1]:
            raise RecursionError("too deep")
        return judged(data, held, required)

    monkeypatch.setattr("fairdeal.archive.work.judged", fails)
    chunk: list[Found] = [place_of(b"".join(LOGS)), place_of(LOGS[1]), place_of(LOGS[2])]
    found = audit_chunk(ORDERS, chunk)
    assert [[one.verdict for one in several] for several in found] == [
        ["verified", FAILED, "verified", "verified"],
        [FAILED],
        ["verified"],
    ]
    assert "the tool failed: RecursionError: too deep" in found[1][0].report
    assert found[1][0].row is None


def test_a_lost_chunk_has_an_outcome_for_each_place() -> None:
    found = lost_chunk([place_of(LOGS[0]), Trouble("b", "not there")])
    assert [[one.verdict for one in several] for several in found] == [[FAILED], [FAILED]]
    assert [one.row for several in found for one in several] == [None, None]


def test_a_store_that_cannot_be_read_from_here_is_done_without(tmp_path: Path) -> None:
    """A worker on another machine has no such file, and audits all the same."""
    orders = ORDERS._replace(store=str(tmp_path / "none" / "audits.sqlite"))
    assert verdicts([place_of(LOGS[0])], orders) == [["verified"]]


def test_evidence_that_is_wrong_for_one_log_leaves_it_without_a_verdict(tmp_path: Path) -> None:
    """What does not parse is malformed, and what is not there could not be read."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "published.txt").write_text("nonsense\n", encoding="ascii")
    (tmp_path / "c").mkdir()
    orders = ORDERS._replace(folder=str(tmp_path))
    chunk: list[Found] = [place_of(LOGS[0]), place_of(LOGS[1], "b.fdl", "b"), place_of(LOGS[2], "c.fdl", "c")]
    found = audit_chunk(orders, chunk)
    assert [several[0].verdict for several in found] == ["no verdict", "verified", UNREADABLE]
    assert "published.txt" in found[0][0].report
    assert "no evidence" in found[2][0].report


def test_evidence_for_all_is_read_before_anything_is_audited(tmp_path: Path) -> None:
    (tmp_path / "published.txt").write_text("nonsense\n", encoding="ascii")
    with pytest.raises(Malformed):
        with_trust(ORDERS._replace(published=(str(tmp_path / "published.txt"),)))
    with pytest.raises(FileNotFoundError):
        with_trust(ORDERS._replace(published=(str(tmp_path / "none"),)))


def test_evidence_that_changes_during_a_run_is_refused(tmp_path: Path) -> None:
    """A worker that sees other evidence than the run began with gives no verdict under its name."""
    path = tmp_path / "published.txt"
    path.write_text(f"1 {'00' * 32}\n", encoding="ascii")
    orders = with_trust(ORDERS._replace(published=(str(path),)))
    path.write_text(f"1 {'01' * 32}\n", encoding="ascii")
    ((one,),) = audit_chunk(orders, [place_of(LOGS[0])])
    assert one.verdict == UNREADABLE
    assert "the evidence has changed since the run began" in one.report


def test_a_long_lived_worker_sees_new_evidence(tmp_path: Path) -> None:
    """What was read for one run is not used for another, though the names are the same."""
    path = tmp_path / "published.txt"
    right = Log(LOGS[0]).items[0].record
    assert isinstance(right, Commitment)
    for commitment, verdict in ((bytes(32), "refuted"), (right.commitment, "verified")):
        path.write_text(f"1 {commitment.hex()}\n", encoding="ascii")
        assert verdicts([place_of(LOGS[0])], with_trust(ORDERS._replace(published=(str(path),)))) == [[verdict]]


# --- facts


def facts(wanted: Wanted) -> Facts:
    data = written(wanted)
    found = facts_of(data, judged(data)[1])
    assert found is not None
    return found


def test_facts_of_a_whole_match() -> None:
    given = fresh(5)
    found = facts(Wanted(5, sequence=77, key=OPERATORS[0], contributions=given, secret=b"s" * 32, match_id=b"m" * 16))
    assert (found.operator, found.sequence, found.match_id) == (public_key(OPERATORS[0]).hex(), 77, (b"m" * 16).hex())
    assert (found.reason, found.blamed) == ("by-rule", "")
    kinds = dict.fromkeys((MATCH_ID, SECRET, COMMITMENT), 1) | {CONTRIBUTION: 3}
    assert {kind: [one for one, _ in found.used].count(kind) for kind in kinds} == kinds
    assert {value for kind, value in found.used if kind == CONTRIBUTION} == {value.hex() for value in given}
    assert (SECRET, (b"s" * 32).hex()) in found.used
    assert (MATCH_ID, found.match_id) in found.used


def test_facts_of_void_matches() -> None:
    """Whom the close names, by key or by name, where it owed what it is said to have held back."""
    held_back = Wanted(1, contributions=fresh(1), opened=1, blamed=1, close=CloseReason.NOT_OPENED)
    assert facts(held_back)[6:8] == ("not-opened", f'"{NAMES[1]}"')
    assert facts(held_back._replace(seat_keys=SEAT_KEYS))[6:8] == ("not-opened", public_key(SEAT_KEYS[1]).hex())
    assert facts(held_back._replace(blamed=0))[6:8] == ("not-opened", "")
    assert facts(Wanted(1, close=CloseReason.STOPPED))[6:8] == ("stopped", "")


def test_facts_of_what_is_not_judged() -> None:
    """Of a log whose terms can be read there is a number at least; of anything else there is nothing."""
    assert facts_of(b"no log", None) is None
    data = written(Wanted(3, sequence=9))
    found = facts_of(data, None)
    assert found is not None
    assert (found.sequence, [kind for kind, _ in found.used]) == (9, [MATCH_ID])


def test_a_folder_of_logs_is_found_by_their_numbers(tmp_path: Path) -> None:
    """The generator of these tests names files as it says."""
    written_to(tmp_path, LOGS, start=3)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{number:07d}.fdl" for number in range(3, 7)]
