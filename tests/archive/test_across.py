"""Across matches: every planted fault is found and named, and sound matches give no alarm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.archive.across import VoidCount, across, void_matches
from fairdeal.archive.equivocation import check_equivocation
from fairdeal.archive.runners import local
from fairdeal.codec import Log
from fairdeal.codes import ACROSS, INCOMPLETE, Code
from fairdeal.records import OPERATOR, Close, CloseReason, Signature
from fairdeal.report import AcrossFinding
from fairdeal.sign import public_key
from tests.archive.making import OPERATORS, SEAT_KEYS, Wanted, archive, fresh, value, written, written_to
from tests.archive.planting import MINE, planted, written_archive
from tests.archive.running import audited, opened_store
from tests.conftest import apart, played, rebuilt

KEY = public_key(MINE).hex()


def found(folder: Path, *, one_operator: bool = False, jobs: int = 1) -> list[AcrossFinding]:
    """Return what lies across the logs of a folder."""
    store = folder.parent / f"{folder.name}.sqlite"
    runner = local(jobs)
    try:
        audited([folder], store, runner)
    finally:
        runner.close()
    with opened_store(store) as kept:
        return list(across(kept, one_operator=one_operator))


def voids(folder: Path) -> list[VoidCount]:
    store = folder.parent / f"{folder.name}.sqlite"
    audited([folder], store)
    with opened_store(store) as kept:
        return list(void_matches(kept))


def codes(findings: Iterable[AcrossFinding]) -> list[Code]:
    return sorted(finding.code for finding in findings)


def of(tmp_path: Path, *wanted: Wanted) -> Path:
    """Write matches into a folder and return it."""
    return written_to(tmp_path / "logs", map(written, wanted))


def check_planted(folder: Path, count: int, jobs: int) -> None:
    """Plant every fault among so many sound matches and look for it, and for nothing else."""
    changes, expected = planted(count)
    written_archive(folder, count, changes)
    findings = found(folder, jobs=jobs)
    named = [{Path(name).relative_to(folder).as_posix() for name in finding.logs} for finding in findings]
    for one in expected:
        fitting = [
            finding
            for finding, names in zip(findings, named, strict=True)
            if finding.code is one.code and one.words in finding.what and names == set(one.names)
        ]
        assert len(fitting) == 1, one
    assert len(findings) == len(expected), codes(findings)
    assert set(codes(findings)) == ACROSS
    for finding in findings:
        assert (finding.evidence is not None) == (finding.code is Code.EQUIVOCATION)
        if finding.evidence is not None:
            assert f"the operator {KEY} signed two" in check_equivocation(finding.evidence)


def test_every_planted_fault_is_found_and_nothing_else(tmp_path: Path) -> None:
    check_planted(tmp_path / "logs", 150, 1)


@pytest.mark.full
def test_every_planted_fault_among_ten_thousand_is_found_and_nothing_else(tmp_path: Path) -> None:
    check_planted(tmp_path / "logs", 10_000, 2)


def test_sound_matches_give_no_alarm(tmp_path: Path) -> None:
    """Nor with all the copies, beginnings and other operators' matches that lie beside them."""
    assert found(written_archive(tmp_path / "logs", 150)) == []


@pytest.mark.full
def test_ten_thousand_sound_matches_give_no_alarm(tmp_path: Path) -> None:
    assert found(written_archive(tmp_path / "logs", 10_000), jobs=2) == []


# --- numbers


@settings(deadline=None, max_examples=25)
@given(st.sets(st.integers(0, 40), min_size=1, max_size=12))
def test_gaps_are_what_is_missing_between_first_and_last(
    tmp_path_factory: pytest.TempPathFactory, numbers: set[int]
) -> None:
    """Told from the numbers there are, one finding for each run of missing ones."""
    folder = of(tmp_path_factory.mktemp("gaps"), *(Wanted(number, key=MINE) for number in numbers))
    missing: set[int] = set()
    for finding in found(folder):
        assert finding.code is Code.SEQUENCE_GAP
        assert f"among the matches of operator {KEY}" in finding.what
        low, *high = (int(word) for word in finding.what.split() if word.isdigit())
        gap = set(range(low, (high or [low])[0] + 1))
        assert not missing & gap
        missing |= gap
    assert missing == set(range(min(numbers), max(numbers) + 1)) - numbers


def test_void_matches_keep_their_numbers(tmp_path: Path) -> None:
    folder = of(tmp_path, Wanted(1, key=MINE), Wanted(2, key=MINE, close=CloseReason.STOPPED), Wanted(3, key=MINE))
    assert found(folder) == []


def test_logs_without_a_key_are_compared_only_as_one_operators(tmp_path: Path) -> None:
    """Nobody says whose they are: their numbers mean something only where the auditor says it."""
    folder = of(tmp_path, Wanted(1), Wanted(2, sequence=1), Wanted(4), Wanted(6, key=MINE))
    assert found(folder) == []
    together = found(folder, one_operator=True)
    assert [(one.code, one.what) for one in together] == [
        (Code.SEQUENCE_REPEATED, "2 matches of the operator have number 1"),
        (Code.SEQUENCE_GAP, "numbers 2 to 3 are missing among the matches of the operator"),
        (Code.SEQUENCE_GAP, "number 5 is missing among the matches of the operator"),
    ]


def test_a_match_that_is_not_judged_has_its_number(tmp_path: Path) -> None:
    """A log of terms that this version does not support, or malformed behind them, leaves no gap."""
    unsupported = written(Wanted(2)).replace(b"\x01\x00\xa0\x00\x92", b"\x01\x00\xa0\x05\x92")
    folder = written_to(
        tmp_path / "logs", [written(Wanted(1)), unsupported, written(Wanted(3))[:226], written(Wanted(4))]
    )
    assert [one.verdict for one in audited([folder], tmp_path / "s")] == [
        "verified",
        "no verdict",
        "no verdict",
        "verified",
    ]
    assert found(folder, one_operator=True) == []


def test_a_number_used_often_is_one_finding(tmp_path: Path) -> None:
    """Which names no more than three logs, and evidence is made of the first two."""
    signed = [written(Wanted(number, sequence=1, key=MINE)) for number in range(6)]
    findings = found(written_to(tmp_path / "logs", signed))
    assert codes(findings) == [Code.EQUIVOCATION, Code.SEQUENCE_REPEATED]
    repeated = next(one for one in findings if one.code is Code.SEQUENCE_REPEATED)
    assert repeated.what == f"6 matches of operator {KEY} have number 1"
    assert len(repeated.logs) == 3


def forged(wanted: Wanted) -> bytes:
    """Return a log that names an operator's key and has no good signature by it, as anybody can write one."""
    records = [item.record for item in Log(written(wanted)).items]
    terms = Log(written(wanted)).terms
    return rebuilt(
        [replace(one, signature=bytes(64)) if isinstance(one, Signature) else one for one in (terms, *records)]
    )


def closed_by_others(data: bytes) -> bytes:
    """Return a log with its operator's signature of the lock and none of the close."""
    log = Log(data)
    assert isinstance(log.items[-1].record, Signature)
    return rebuilt([log.terms, *(item.record for item in log.items[:-1]), Signature(OPERATOR, bytes(64))])


def test_a_log_that_its_operator_has_not_signed_speaks_against_nobody(tmp_path: Path) -> None:
    """Anybody could have written it: it repeats no number and moves no end of the gapless ones; its report tells."""
    sound = [written(Wanted(number, key=MINE)) for number in (1, 2, 3)]
    others = [forged(Wanted(10 + number, sequence=number, key=MINE)) for number in (0, 1, 9)]
    folder = written_to(tmp_path / "logs", sound + others)
    assert [one.verdict for one in audited([folder], tmp_path / "s")] == ["verified"] * 3 + ["refuted"] * 3
    assert found(folder) == []
    assert codes(found(folder, one_operator=True)) == [Code.SEQUENCE_GAP, Code.SEQUENCE_REPEATED]


def test_a_void_match_that_its_operator_has_not_signed_is_nobodys(tmp_path: Path) -> None:
    """It is counted, but not as that operator's; that it signed the lock is not enough."""
    void = Wanted(1, key=MINE, contributions=fresh(1), opened=1, close=CloseReason.NOT_OPENED, blamed=1)
    logs = {"signed": written(void), "forged": forged(void), "lock": closed_by_others(written(void))}
    for (name, data), whose in zip(logs.items(), (KEY, "", ""), strict=True):
        (count,) = voids(written_to(tmp_path / name, [data]))
        assert (count.operator, count.reason, count.matches) == (whose, "not-opened", 1)


def test_a_log_that_its_operator_has_not_signed_yet_leaves_no_gap(tmp_path: Path) -> None:
    """The table may have crashed before there was anything to sign."""
    sound = [written(Wanted(number, key=MINE)) for number in (1, 3)]
    assert codes(found(written_to(tmp_path / "gap", sound))) == [Code.SEQUENCE_GAP]
    assert found(written_to(tmp_path / "none", [*sound, written(Wanted(2, key=MINE))[:200]])) == []


def test_what_an_operator_signed_counts_where_nothing_is_judged(tmp_path: Path) -> None:
    """Terms that this version does not support are no way around an equivocation."""
    terms = Log(written(Wanted(1, key=MINE))).terms
    folder = tmp_path / "logs"
    stories = [
        rebuilt([replace(terms, beacon="drand"), *(item.record for item in Log(data).items)], {OPERATOR: MINE})
        for data in (written(Wanted(1, key=MINE, leads=leads)) for leads in (0, 1))
    ]
    written_to(folder, stories)
    assert {one.verdict for one in audited([folder], tmp_path / "s")} == {"no verdict"}
    assert codes(found(folder)) == [Code.EQUIVOCATION, Code.LOGS_DIFFER]


def test_two_operators_that_count_as_one_contradict_nobody(tmp_path: Path) -> None:
    """One number by two keys is one operator's fault only by the auditor's word, and no evidence for anybody else."""
    folder = of(tmp_path, Wanted(1, key=OPERATORS[0]), Wanted(2, sequence=1, key=OPERATORS[1]))
    assert codes(found(folder, one_operator=True)) == [Code.SEQUENCE_REPEATED]
    assert found(folder) == []


# --- values


@pytest.mark.parametrize("one_operator", [False, True])
def test_a_value_used_often_is_one_finding(tmp_path: Path, *, one_operator: bool) -> None:
    folder = of(tmp_path, *(Wanted(number, secret=bytes(32)) for number in range(1, 6)))
    (finding,) = found(folder, one_operator=one_operator)
    assert finding.code is Code.SECRET_REPEATED
    assert finding.what == f"5 matches use secret {bytes(32).hex()}"
    assert len(finding.logs) == 3


def test_a_value_of_one_match_in_several_logs_is_used_once(tmp_path: Path) -> None:
    data = written(Wanted(1, contributions=fresh(1)))
    folder = written_to(tmp_path / "logs", [data, data, data[:-1], data[:-200], data[:-300]])
    assert found(folder) == []


def test_two_seats_with_one_value_are_a_fault_of_their_match(tmp_path: Path) -> None:
    """Its own audit finds it; between matches there is nothing."""
    same = (value("same", 0),) * 2 + (value("other", 0),)
    folder = of(tmp_path, Wanted(1, contributions=same))
    assert [one.verdict for one in audited([folder], tmp_path / "s")] == ["refuted"]
    assert found(folder) == []


def test_a_contribution_counts_whoever_made_it(tmp_path: Path) -> None:
    """Another seat, and a match that was void before the deal: a value that was open once is known."""
    first, second = fresh(1), fresh(2)
    void = Wanted(1, contributions=first, opened=1, close=CloseReason.NOT_OPENED, blamed=1)
    folder = of(tmp_path, void, Wanted(2, contributions=(second[0], first[0], second[2])))
    assert codes(found(folder)) == [Code.CONTRIBUTION_REUSED]
    unopened = of(tmp_path / "b", void, Wanted(2, contributions=(second[0], first[1], second[2])))
    assert found(unopened) == []


# --- stories


def test_beginnings_tell_the_same_story(tmp_path: Path) -> None:
    """However many, and cut wherever."""
    data = written(Wanted(1, key=MINE))
    assert found(written_to(tmp_path / "logs", [data[:cut] for cut in range(150, len(data) + 1, 7)])) == []


def test_every_log_that_parts_is_named_once(tmp_path: Path) -> None:
    """From the longest; beginnings of it, and of each other, part from none."""
    data = written(Wanted(1))
    others = [written(Wanted(1, leads=leads)) for leads in (1, 2, 3)]
    findings = found(written_to(tmp_path / "logs", [data, data[:-100], *others, data[:250]]))
    assert 3 <= len(findings) <= 5
    assert {one.code for one in findings} == {Code.LOGS_DIFFER}
    named = Counter(name for one in findings for name in one.logs)
    assert max(named.values()) == len(findings)
    assert sorted(named.values())[:-1] == [1] * len(findings)


def test_stories_that_are_signed_are_evidence_and_others_are_not(tmp_path: Path) -> None:
    """The final signature makes the difference: without it both share the signed beginning."""
    one, other = (written(Wanted(1, key=MINE, leads=leads)) for leads in (0, 1))
    findings = found(written_to(tmp_path / "a", [one, other]))
    assert codes(findings) == [Code.EQUIVOCATION, Code.LOGS_DIFFER]
    evidence = next(one.evidence for one in findings if one.evidence)
    assert "signed two histories of match" in check_equivocation(evidence)
    assert codes(found(written_to(tmp_path / "b", [one[:-67], other]))) == [Code.LOGS_DIFFER]


def test_signed_stories_are_found_beside_longer_unsigned_ones(tmp_path: Path) -> None:
    """Evidence is looked for in all logs of the match, not only in those that are named as parting."""
    one, other = (written(Wanted(1, key=MINE, leads=leads)) for leads in (0, 1))
    longer = one + b"\xc1" * 500
    findings = found(written_to(tmp_path / "logs", [one, other, longer]))
    assert codes(findings) == [Code.EQUIVOCATION, Code.LOGS_DIFFER]


def test_a_log_that_is_gone_is_told(tmp_path: Path) -> None:
    """It was to be compared with another and cannot be any more."""
    folder = written_to(tmp_path / "logs", [written(Wanted(1, leads=leads)) for leads in (0, 1)])
    audited([folder], tmp_path / "s")
    (folder / "0000001.fdl").unlink()
    with opened_store(tmp_path / "s") as kept:
        (finding,) = across(kept)
    assert finding.code is Code.UNREADABLE
    assert finding.logs == (str(folder / "0000001.fdl"),)


# --- void matches


def test_void_matches_are_counted_by_whom_they_name(tmp_path: Path) -> None:
    """By reason and by seat key, by the name of a seat without one; several logs of a match are one."""
    seat = public_key(SEAT_KEYS[2]).hex()
    held_back = [
        Wanted(
            number,
            key=MINE,
            contributions=fresh(number),
            seat_keys=SEAT_KEYS,
            opened=2,
            blamed=2,
            close=CloseReason.NOT_OPENED,
        )
        for number in (1, 2, 3)
    ]
    stopped = Wanted(4, key=MINE, close=CloseReason.STOPPED)
    nameless = Wanted(5, contributions=fresh(5), opened=0, blamed=0, close=CloseReason.NOT_OPENED)
    folder = of(tmp_path, *held_back, held_back[0], stopped, nameless, Wanted(6))
    assert voids(folder) == [
        VoidCount(KEY, "not-opened", seat, 3),
        VoidCount("", "not-opened", '"North"', 1),
        VoidCount(KEY, "stopped", "", 1),
    ]


def test_a_seat_that_owed_nothing_is_not_counted(tmp_path: Path) -> None:
    """A close that blames a seat against what the log shows is refuted, and counts against nobody."""
    false = Wanted(1, contributions=fresh(1), opened=2, blamed=1, close=CloseReason.NOT_OPENED)
    folder = of(tmp_path, false)
    assert [one.verdict for one in audited([folder], tmp_path / "s")] == ["refuted"]
    assert voids(folder) == [VoidCount("", "not-opened", "", 1)]


def test_a_match_stopped_in_the_middle_is_counted(tmp_path: Path) -> None:
    done = played(4, 2)
    records = apart(done.records)[:30]
    close = Close(CloseReason.STOPPED, 3, b"", (0,) * 4, (), done.secret)
    folder = written_to(tmp_path / "logs", [rebuilt([*records, replace(close)])])
    assert voids(folder) == [VoidCount("", "stopped", '"West"', 1)]


def test_findings_are_the_same_in_any_order(tmp_path: Path) -> None:
    """Whatever came into the store first."""
    changes, _ = planted(60)
    folder = written_archive(tmp_path / "logs", 60, changes)
    parts = sorted(folder.iterdir())
    kept = []
    for number, order in enumerate((parts, parts[::-1])):
        store = tmp_path / f"{number}.sqlite"
        for part in order:
            audited([part], store)
        with opened_store(store) as opened:
            kept.append((list(across(opened)), list(void_matches(opened))))
    assert kept[0] == kept[1]


def test_gaps_only_leave_the_verdict_open() -> None:
    """A missing number may be in another archive; all else contradicts."""
    assert {Code.SEQUENCE_GAP} == ACROSS & INCOMPLETE


def test_no_archive_no_finding(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    assert found(tmp_path / "logs") == []
    assert list(archive(0)) == []
