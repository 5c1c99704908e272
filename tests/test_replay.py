"""Re-executing a match: what each fault is found as, what goes on after it, and that nothing ever crashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.audit import audit
from fairdeal.codec import Log, encode_log, encode_record
from fairdeal.codes import INCOMPLETE, NO_VERDICT, Code
from fairdeal.commit import seed_tree, terms_hash
from fairdeal.errors import Unsupported
from fairdeal.evidence import Evidence
from fairdeal.limits import MAX_INT
from fairdeal.play import Round
from fairdeal.records import (
    OPERATOR,
    Action,
    Actions,
    Close,
    CloseReason,
    Commitment,
    Deal,
    Exchange,
    Opened,
    Presence,
    Record,
    RoundEnd,
    Sealed,
    SeatEvent,
    Signature,
    Timing,
    pass_action,
    timed,
)
from fairdeal.replay import Replayed, replay
from fairdeal.report import GuaranteeName, Report, Step, Verdict
from fairdeal.settings import (
    Contributions,
    SeatKind,
)
from fairdeal.simulate import Simulated
from tests.conftest import (
    SAMPLES,
    UNSIGNED,
    all_signed,
    apart,
    held_by_all,
    played,
    rebuilt,
    voided,
    where,
)
from tests.strategies import timings

REFUTING = frozenset(Code) - INCOMPLETE - NO_VERDICT
GIVEN_UP = (GuaranteeName.RULES,)


def judged(data: bytes) -> Replayed:
    """Replay the bytes of a log."""
    return replay(Log(data))


def found(data: bytes) -> list[tuple[Code, str]]:
    """Return code and place of everything an audit finds in a log itself."""
    return [(one.code, one.place) for one in judged(data).judge.findings]


def from_before(done: Simulated) -> Evidence:
    """Return what the parties of a match hold but for receipts, which no log that goes on otherwise can fit."""
    return replace(held_by_all(done), receipts=())


def spoil(done: Simulated, kind: type[Record], number: int = 0, **changes: Any) -> bytes:
    """Return a match with one record changed, and digest and signatures made good again."""
    records = apart(done.records)
    at = where(done, kind, number)
    records[at] = replace(records[at], **changes)
    return rebuilt(records, done.keys)


def consistent(report: Report) -> None:
    """Check that a report's verdict is the one that follows from what it holds."""
    codes = report.codes()
    assert (report.verdict is Verdict.REFUTED) == bool(codes & REFUTING)
    if report.verdict is Verdict.VERIFIED:
        assert not report.findings
        assert report.stopped is None
        assert any(tally.passed for _, tally in report.steps)
        assert all(one.proven for one in report.guarantees if one.required)
    if report.verdict is Verdict.NO_VERDICT:
        assert report.stopped is not None
    if report.verdict is Verdict.INCOMPLETE:
        assert report.stopped is None
        assert codes
        assert codes <= INCOMPLETE
    assert (report.stopped is not None) == bool(codes & NO_VERDICT)
    if report.stopped is not None:
        assert report.findings[-1].code in NO_VERDICT
        assert report.findings[-1].place == report.stopped.where
    faults = Counter(step for step, tally in report.steps for _ in range(tally.faults))
    assert sum(faults.values()) == sum(one.code in REFUTING for one in report.findings)
    for one in report.findings:
        assert one.code in NO_VERDICT or one.place


# sound matches


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sound_match_has_no_finding(name: str) -> None:
    """Every check of a whole match passes; with everything held it is verified whatever is required of it."""
    done = SAMPLES[name]()
    result = judged(bytes(done.data))
    assert result.judge.findings == []
    tallies = result.judge.tallies
    rounds = len(done.tree.seeds)
    assert tallies[Step.PLAYS].passed == sum(isinstance(one, Actions) for one in apart(done.records))
    assert tallies[Step.EXCHANGES].passed == sum(isinstance(one, Exchange) for one in done.records)
    assert tallies[Step.SEEDS].passed == tallies[Step.PLACES].passed == tallies[Step.TITLES].passed == rounds
    assert tallies[Step.DEALS].passed == 3 * rounds
    assert tallies.pop(Step.CONTROL).not_checked == [
        f"{rounds} of {rounds} rounds have no clock marks, so whether anybody ran out of time is not known"
    ]
    assert not any(tally.not_checked for tally in tallies.values())
    assert result.match.totals == [
        sum(column) for column in zip(*(one.points for one in done.records if isinstance(one, RoundEnd)), strict=True)
    ]
    report = audit(bytes(done.data), held_by_all(done))
    consistent(report)
    assert report.verdict is Verdict.VERIFIED


def test_every_state_is_shown_to_an_observer_before_its_action() -> None:
    """Places, tricks and plays are those of a report, and each action is by the seat on turn."""
    done = played()
    seen: list[tuple[str, int, int, Action]] = []

    def observe(place: str, state: Round, action: Action) -> None:
        assert state.turn == action.seat
        assert state.fault(action) is None
        seen.append((place, state.trick, state.play, action))

    replay(Log(bytes(done.data)), observe)
    actions = [one.actions[0] for one in apart(done.records) if isinstance(one, Actions)]
    assert [one[3] for one in seen] == actions
    assert {one[0] for one in seen} == {"round[1]", "round[2]"}
    assert seen[0][:3] == ("round[1]", 1, 1)
    for before, after in pairwise(seen):
        if before[0] == after[0]:
            assert after[1:3] in ((before[1], before[2] + 1), (before[1] + 1, 1))


def test_an_observer_sees_the_first_fault_and_nothing_behind_it() -> None:
    """After a fault the hands are no longer known."""
    done = played(4, 1)
    seen: list[Action] = []
    data = spoil(done, Actions, 10, actions=(pass_action(0), pass_action(0)))
    result = replay(Log(data), lambda _place, _state, action: seen.append(action))
    assert len(seen) <= 12
    assert any("actions after the first fault" in reason for reason in result.judge.tallies[Step.PLAYS].not_checked)


def test_the_facts_of_each_round_are_kept() -> None:
    """Number, byte, seed, order and outcome of every round."""
    done = played(4, 3)
    result = judged(bytes(done.data))
    assert [one.number for one in result.rounds] == [1, 2, 3]
    assert [one.start for one in result.rounds] == [part.start for part in result.parts.rounds]
    assert [one.seed for one in result.rounds] == list(done.tree.seeds)
    assert [one.dealing_order[0] for one in result.rounds] == [0, 1, 2]
    assert all(one.dealt for one in result.rounds)
    ends = [one for one in done.records if isinstance(one, RoundEnd)]
    for one, end in zip(result.rounds, ends, strict=True):
        assert one.finishing is not None
        assert [end.places[seat] for seat in one.finishing] == [1, 2, 3, 4]


def test_the_summary_says_what_the_log_says_of_itself() -> None:
    """And calls a ruleset by a preset's name only with what it plays differently."""
    done = all_signed(4, 2)
    report = audit(bytes(done.data))
    shown = report.summary
    assert (shown.match_id, shown.terms_hash) == (done.terms.match_id.hex(), done.tree.terms.hex())
    assert (shown.sequence, shown.commitment) == (7, done.tree.commitment().hex())
    assert (shown.seats, shown.rounds) == (("North", "East", "South", "West"), 2)
    assert shown.actions == sum(isinstance(one, Actions) for one in apart(done.records))
    assert shown.ruleset == "president with other end_at"
    assert audit(bytes(played(4, 5).data)).summary.ruleset == "president"
    named = played(4, 5, changes=(("name", "mine"),))
    assert audit(bytes(named.data)).summary.ruleset == "mine (no preset)"
    running = audit(rebuilt(apart(done.records)[: where(done, Deal, 1)])).summary
    assert (running.rounds, running.final_places, sum(running.totals)) == (1, (), 6)


# faults, and what goes on behind them


FAULTS: list[tuple[str, Callable[[], bytes], list[tuple[Code, str]]]] = [
    ("seed", lambda: spoil(played(), RoundEnd, 0, seed=bytes(32)), [(Code.SEED, "round[1].end")]),
    ("blind", lambda: spoil(played(), Deal, 1, blind=bytes(16)), [(Code.BLIND, "round[2].deal")]),
    (
        "points",
        lambda: spoil(played(), RoundEnd, 1, points=(9, 9, 9, 9)),
        [(Code.POINTS, "round[2].end"), (Code.TOTALS, "close"), (Code.FINAL_PLACES, "close")],
    ),
    ("titles", lambda: spoil(played(), RoundEnd, 0, titles=(2, 2, 2, 2)), [(Code.TITLES, "round[1].end")]),
    ("totals", lambda: spoil(played(), Close, 0, totals=(0, 0, 0, -5)), [(Code.TOTALS, "close")]),
    ("final places", lambda: spoil(played(), Close, 0, places=(1, 1, 1, 1)), [(Code.FINAL_PLACES, "close")]),
    ("a seat named", lambda: spoil(played(), Close, 0, seat=2), [(Code.CLOSE_REASON, "close")]),
    ("secret", lambda: spoil(played(), Close, 0, secret=bytes(32)), [(Code.COMMITMENT, "close.secret")]),
    (
        "commitment",
        lambda: spoil(played(), Commitment, 0, commitment=bytes(32)),
        [(Code.COMMITMENT, "close.secret"), (Code.BLIND, "round[1].deal")],
    ),
    (
        "opened",
        lambda: spoil(all_signed(), Opened, 1, contribution=bytes(32)),
        [(Code.CONTRIBUTION_OPENING, "opened[1]"), (Code.BLIND, "round[1].deal")],
    ),
    ("sealed", lambda: spoil(all_signed(), Sealed, 1, seal=bytes(32)), [(Code.CONTRIBUTION_OPENING, "opened[1]")]),
    ("round number", lambda: spoil(played(4, 3), Deal, 2, round=1_000), [(Code.ROUND_NUMBER, "round[3].deal")]),
]


@pytest.mark.parametrize(("data", "expected"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS])
def test_one_change_is_found_where_it_was_made(data: Callable[[], bytes], expected: list[tuple[Code, str]]) -> None:
    """A careful liar changes one value and makes the digest good: the first findings are the change itself."""
    changed = data()
    assert found(changed)[: len(expected)] == expected
    report = audit(changed)
    consistent(report)
    assert report.verdict is Verdict.REFUTED


def test_a_wrong_digest_is_found() -> None:
    """The close holds the digest of every byte before it."""
    done = played()
    close = done.records[-1]
    assert isinstance(close, Close)
    data = encode_log([*done.records[:-1], replace(close, digest=bytes(32))])
    assert found(data) == [(Code.DIGEST, "close")]


def test_a_fault_in_one_round_causes_none_in_the_next() -> None:
    """The next round starts from what the log claims, and is judged in full."""
    done = played(4, 3)
    for at in range(0, 60, 7):
        data = spoil(done, Actions, at, actions=(pass_action(3), pass_action(3)))
        result = judged(data)
        places = {one.place.split(".")[0] for one in result.judge.findings}
        assert places == {"round[1]"}, result.judge.findings
        assert [one.finishing is not None for one in result.rounds] == [False, True, True]


def test_false_places_are_taken_over_into_the_next_round() -> None:
    """A log that claims other places is judged on by its claim; a claim that is none is passed over."""
    done = played(4, 2)
    end = next(one for one in done.records if isinstance(one, RoundEnd))
    swapped = tuple({1: 2, 2: 1}.get(place, place) for place in end.places)
    codes = [code for code, place in found(spoil(done, RoundEnd, 0, places=swapped)) if place.startswith("round[1]")]
    assert codes == [Code.PLACES]
    twice = tuple(min(place, 3) for place in end.places)
    result = judged(spoil(done, RoundEnd, 0, places=twice))
    assert [one.place for one in result.judge.findings] == ["round[1].end"]
    assert all(one.finishing is not None for one in result.rounds)


def test_places_behind_a_fault_need_only_be_every_place_once() -> None:
    """Where the finishing order is unknown, titles and points are held against what the log claims."""
    done = played(4, 1)
    records = apart(done.records)
    records[where(done, Actions, 4)] = Actions((pass_action(3),))
    at = where(done, RoundEnd)
    end = records[at]
    assert isinstance(end, RoundEnd)
    play = found(rebuilt(records))[0]
    assert found(rebuilt(records)) == [play]
    records[at] = replace(end, places=(1, 2, 3, 4), titles=(0, 1, 3, 4), points=(3, 2, 1, 0))
    close = records[-1]
    assert isinstance(close, Close)
    records[-1] = replace(close, totals=(3, 2, 1, 0), places=(1, 2, 3, 4))
    assert found(rebuilt(records)) == [play]
    records[at] = replace(end, places=(1, 2, 2, 4))
    assert (Code.PLACES, "round[1].end") in found(rebuilt(records))


def test_a_round_number_is_counted_on_from_what_the_log_claims() -> None:
    """One wrong number is one finding and not one for every round behind it."""
    done = played(4, 4)
    result = judged(spoil(done, Deal, 1, round=3))
    numbers = [one.place for one in result.judge.findings if one.code is Code.ROUND_NUMBER]
    assert numbers == ["round[2].deal", "round[3].deal"]
    beyond = judged(spoil(done, Deal, 3, round=1_000))
    assert any("no seed for round 1000" in reason for reason in beyond.judge.tallies[Step.SEEDS].not_checked)


def test_a_log_that_goes_on_after_its_end_is_found() -> None:
    """A round too many, and a close too early."""
    done = played(4, 2)
    rules = replace(done.terms.rules, end_at=1)
    over = found(rebuilt([replace(done.terms, rules=rules), *apart(done.records)[1:]]))
    assert (Code.MATCH_OVER, "round[2]") in over
    records = apart(done.records)
    early = [*records[: where(done, Deal, 1)], records[-1]]
    assert (Code.CLOSE_EARLY, "close") in found(rebuilt(early))
    nothing = [*records[:2], records[-1]]
    assert (Code.CLOSE_EARLY, "close") in found(rebuilt(nothing))


def test_a_round_without_its_end_is_found() -> None:
    """Before another deal or a close by rule; not where a log only stops."""
    done = played(4, 2)
    records = apart(done.records)
    first, second = where(done, RoundEnd), where(done, RoundEnd, 1)
    assert (Code.ROUND_END_MISSING, "round[1].end") in found(rebuilt([*records[:first], *records[first + 1 :]]))
    assert (Code.ROUND_END_MISSING, "round[2].end") in found(rebuilt([*records[:second], *records[second + 1 :]]))
    assert found(rebuilt(records[:first])) == [(Code.UNFINISHED, "close")]


def test_a_round_that_ends_too_soon_is_found() -> None:
    """Several seats hold cards: the plays are unfinished, and places can only be a permutation."""
    done = played(4, 1)
    records = apart(done.records)
    end = where(done, RoundEnd)
    assert found(rebuilt([*records[: end - 3], *records[end:]])) == [(Code.ROUND_UNFINISHED, "round[1].end")]


# M, seeds and what may stand in for them


def test_without_a_close_the_revealed_seeds_are_used_and_nothing_is_called_checked() -> None:
    """C is not checked until M is revealed, and the running round is not judged."""
    done = played(4, 2)
    cut = rebuilt(apart(done.records)[: where(done, RoundEnd, 1)])
    result = judged(cut)
    assert [one.dealt for one in result.rounds] == [True, False]
    assert result.judge.tallies[Step.COMMITMENT].not_checked
    assert result.judge.tallies[Step.COMMITMENT].passed == 0
    assert result.judge.tallies[Step.SEEDS].passed == 0
    known = replay(Log(cut), secret=done.secret)
    assert [one.dealt for one in known.rounds] == [True, True]
    assert known.rounds[1].finishing is not None
    assert known.judge.tallies[Step.SEEDS].passed == 1


def test_a_secret_that_does_not_open_the_commitment_is_never_used() -> None:
    """The seeds that the log reveals are used instead, so that one lie is one finding."""
    result = judged(spoil(played(), Close, 0, secret=bytes(32)))
    assert [one.code for one in result.judge.findings] == [Code.COMMITMENT]
    assert [one.seed for one in result.rounds] == list(played().tree.seeds)
    other = replay(Log(rebuilt(apart(played().records)[:-1])), secret=bytes(32))
    assert other.judge.findings[0].code is Code.COMMITMENT


def test_a_false_seed_in_the_log_never_wins_over_the_secret() -> None:
    """The round is dealt from M's seed; the logged one is a finding and nothing else."""
    result = judged(spoil(played(), RoundEnd, 1, seed=bytes(32)))
    assert [one.code for one in result.judge.findings] == [Code.SEED]
    assert result.rounds[1].seed == played().tree.seeds[1]


def test_no_text_of_a_replay_shows_a_seed_that_is_not_revealed() -> None:
    """Whoever logs or raises with the state of a running match in hand gives nothing away."""
    done = played(4, 2)
    running = replay(Log(rebuilt(apart(done.records)[: where(done, Actions, 5)])), secret=done.secret)
    assert running.rounds[0].seed == done.tree.seeds[0]
    text = f"{running.rounds!r} {running.opening!r} {running.match!r} {running.judge!r} {done!r} {done.tree!r}"
    for hidden in (done.secret, *done.tree.seeds):
        assert hidden.hex() not in text
        assert repr(hidden)[2:-1] not in text


# unsupported


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"beacon": "drand"}, "beacon policy `drand`"),
        ({"bot_policy": 2}, "bot policy 2"),
        ({"bot_policy": MAX_INT}, "bot policy"),
    ],
)
def test_policies_that_are_not_known_end_an_audit_at_the_terms(changes: dict[str, Any], words: str) -> None:
    """A beacon or a bot policy is never taken for absent."""
    done = played()
    data = encode_log([replace(done.terms, **changes), *done.records[1:]])
    with pytest.raises(Unsupported, match=words):
        judged(data)
    report = audit(data, held_by_all(done))
    consistent(report)
    assert (report.verdict, report.findings[0].place) == (Verdict.NO_VERDICT, "terms")
    assert len(report.findings) == 1


def test_bot_policy_1_claims_nothing_of_people() -> None:
    """It is known, and where no bot plays there is nothing to hold against it."""
    done = played()
    terms = replace(done.terms, bot_policy=1)
    tree = seed_tree(done.secret, terms_hash(encode_record(terms)), terms.rounds)
    result = judged(encode_log([terms, Commitment(tree.commitment()), *done.records[2:]]))
    assert Code.BOT_CHOICE not in {one.code for one in result.judge.findings}
    assert result.judge.tallies[Step.CONTROL].faults == 0


ACTED: list[tuple[Record, Code]] = [
    (timed(Timing(301, None), Actions((pass_action(0),))), Code.CLOCK_OVERRUN),
    (timed(Timing(None, 0), Actions((pass_action(0),))), Code.CLOCK_CHOICE),
    (SeatEvent(1, Presence.RETURNED, SeatKind.HUMAN), Code.SEAT_EVENT),
]


@pytest.mark.parametrize(("record", "code"), ACTED, ids=["mark", "marker", "event"])
def test_a_clock_or_seat_event_is_judged_where_it_stands(record: Record, code: Code) -> None:
    """Before the first deal and after the close it is out of order; in a round it is judged, and all behind it too."""
    done = played()
    records = apart(done.records)
    first, last = where(done, Deal), len(records)
    for at in range(2, len(records) + 1, 9):
        report = audit(rebuilt([*records[:at], record, *records[at:]]), from_before(done))
        consistent(report)
        assert report.verdict is Verdict.REFUTED
        assert report.stopped is None
        own = report.codes() - {Code.NOT_PROVEN}
        if not first < at < last:
            assert own == {Code.ORDER}
        elif isinstance(record, SeatEvent):
            assert own == {code}
    for at in range(first + 1, len(records)):
        one = records[at]
        if isinstance(one, Actions) and code is not Code.SEAT_EVENT:
            (action,) = one.actions
            acted = timed(Timing(301, None) if code is Code.CLOCK_OVERRUN else Timing(None, action.seat), one)
            report = audit(rebuilt([*records[:at], acted, *records[at + 1 :]]), from_before(done))
            consistent(report)
            assert report.codes() - {Code.NOT_PROVEN} <= {code, Code.CLOCK_MARK}


def test_a_fault_before_a_malformed_byte_still_refutes() -> None:
    """Refuted wins over no verdict; without the fault the same bytes give no verdict."""
    for data, verdict in (
        (bytes(played().data), Verdict.NO_VERDICT),
        (spoil(played(), Deal, 0, first=2), Verdict.REFUTED),
    ):
        report = audit(data + b"\xc0")
        consistent(report)
        assert report.verdict is verdict
        assert report.findings[-1][:2] == (Code.MALFORMED, f"byte {len(data)}")


# running logs


@pytest.mark.parametrize("name", ["three seats", "operator's key", "sealed, all keys"])
def test_a_running_log_is_incomplete_at_every_record(name: str) -> None:
    """Cut at any boundary a sound match is unfinished, never refuted, never verified, and held evidence still fits."""
    done = SAMPLES[name]()
    records = apart(done.records)
    at = 0
    for count, record in enumerate(records[:-1], 1):
        at += len(encode_record(record))
        report = audit(bytes(done.data[:at]), held_by_all(done))
        consistent(report)
        assert report.verdict is Verdict.INCOMPLETE, (count, report.findings)
        last = record if count == len(records) - 1 else None
        if isinstance(last, Close):
            assert Code.SIGNATURE_MISSING in report.codes()
        else:
            assert Code.UNFINISHED in report.codes()
        assert audit(bytes(done.data[:at]), Evidence(), ()).verdict is Verdict.INCOMPLETE


def test_a_log_cut_inside_a_record_is_malformed_at_its_first_byte() -> None:
    """Where a writer that was interrupted would resume."""
    done = all_signed(4, 1)
    at = 0
    for record in apart(done.records):
        size = len(encode_record(record))
        for cut in {at + 1, at + size // 2, at + size - 1} - {at, at + size}:
            report = audit(bytes(done.data[:cut]))
            consistent(report)
            assert report.verdict is Verdict.NO_VERDICT
            assert report.findings[-1].place == f"byte {at}"
        at += size


# void matches


def boundaries(done: Simulated) -> Iterable[int]:
    """Return every number of records after which a match may be stopped, some of those inside rounds."""
    records = apart(done.records)
    last = where(done, Close)
    return [at for at in range(2, last) if not isinstance(records[at], Actions) or at % 9 == 0]


@pytest.mark.parametrize("name", ["four seats", "operator's key", "sealed, all keys"])
def test_a_match_may_be_stopped_at_any_time(name: str) -> None:
    """In the opening, between rounds or inside one: incomplete with `void`, never refuted and never verified."""
    done = SAMPLES[name]()
    for at in boundaries(done):
        for seat in (None, 1):
            report = audit(voided(done, at, seat=seat), from_before(done))
            consistent(report)
            assert report.verdict is Verdict.INCOMPLETE, (at, report.findings)
            assert Code.VOID in report.codes()
            assert Code.UNFINISHED not in report.codes()
            void = next(one for one in report.findings if one.code is Code.VOID)
            assert void.found == "void: stopped" + ("" if seat is None else ", seat 1")


def test_a_void_match_is_judged_to_where_it_was_stopped() -> None:
    """M is revealed, so the plays of the unfinished round are checked too, and its lies are found."""
    done = played(4, 2)
    at = where(done, RoundEnd, 1)
    result = judged(voided(done, at))
    assert [one.dealt for one in result.rounds] == [True, True]
    assert result.judge.tallies[Step.PLAYS].passed == at - where(done, Actions) - 2 - 4
    records = [*apart(done.records)[: at - 20], Actions((pass_action(0), pass_action(0), pass_action(0)))]
    close = Close(CloseReason.STOPPED, None, b"", tuple(judged(rebuilt(records)).match.totals), (), done.secret)
    codes = [code for code, _ in found(rebuilt([*records, close]))]
    assert Code.TURN in codes or Code.PASS_ON_LEAD in codes


REASONS = {CloseReason.NOT_SEALED: Sealed, CloseReason.NOT_OPENED: Opened, CloseReason.NOT_SIGNED: Signature}


@cache
def claims() -> list[tuple[CloseReason, int | None, int, bool]]:
    """Return reason, seat, cut and rightness of every claim that a void close could make in an opening."""
    done = all_signed(4, 1)
    records = apart(done.records)
    made: list[tuple[CloseReason, int | None, int, bool]] = []
    for cut in range(2, where(done, Deal) + 2):
        head = records[:cut]
        for reason, kind in REASONS.items():
            gave: set[int | None] = set()
            for one in head:
                if isinstance(one, Signature) and kind is Signature:
                    gave.add(None if one.signer == OPERATOR else one.signer - 1)
                elif isinstance(one, Sealed | Opened) and isinstance(one, kind):
                    gave.add(one.seat)
            dealt = any(isinstance(one, Deal) for one in head)
            for seat in (None, 0, 1, 2, 3):
                owes = seat not in gave and (seat is not None or kind is Signature)
                made.append((reason, seat, cut, owes and not dealt))
    return made


def test_a_void_close_names_a_seat_that_still_owed_just_that() -> None:
    """Every reason with every seat at every point of an opening: right claims are void, wrong ones `close-reason`."""
    done = all_signed(4, 1)
    for reason, seat, cut, right in claims():
        report = audit(voided(done, cut, reason, seat), from_before(done))
        consistent(report)
        codes = report.codes()
        assert Code.VOID in codes
        assert (Code.CLOSE_REASON in codes) is not right, (reason, seat, cut)
        assert report.verdict is (Verdict.INCOMPLETE if right else Verdict.REFUTED), (
            reason,
            seat,
            cut,
            report.findings,
        )


@pytest.mark.parametrize("reason", REASONS)
def test_nobody_owes_anything_where_nothing_is_asked(reason: CloseReason) -> None:
    """Without contributions and keys no seat can be blamed, and after a deal none can be."""
    done = played(4, 2)
    for at in (2, 3, where(done, Actions, 20), where(done, Deal, 1)):
        for seat in (None, 0, 3):
            assert (Code.CLOSE_REASON, "close") in found(voided(done, at, reason, seat))


def test_a_bot_owes_no_contribution() -> None:
    """Only human seats seal; blaming another is a wrong reason."""
    done = all_signed(4, 1)
    seats = tuple(
        replace(seat, kind=SeatKind.BOT if number == 2 else seat.kind) for number, seat in enumerate(done.terms.seats)
    )
    terms = replace(done.terms, seats=seats)
    records = apart(done.records)
    close = Close(CloseReason.NOT_SEALED, 2, b"", (0,) * 4, (), done.secret)
    codes = [code for code, _ in found(rebuilt([terms, records[1], close, Signature(OPERATOR, UNSIGNED)], done.keys))]
    assert Code.CLOSE_REASON in codes


def test_a_void_close_has_the_totals_of_the_last_ended_round_and_no_places() -> None:
    """Points of an unfinished round do not count, and nobody has won."""
    done = played(4, 2)
    for at in (2, where(done, Actions, 5), where(done, Deal, 1), where(done, RoundEnd, 1)):
        assert [code for code, _ in found(voided(done, at))] == [Code.VOID]
        assert Code.TOTALS in {code for code, _ in found(voided(done, at, totals=(1, 2, 3, 4)))}
        assert Code.FINAL_PLACES in {code for code, _ in found(voided(done, at, places=(1, 2, 3, 4)))}
        assert Code.COMMITMENT in {code for code, _ in found(voided(done, at, secret=bytes(32)))}


def test_a_missing_lock_signature_is_excused_only_while_nothing_was_opened_or_dealt() -> None:
    """A match may be void because somebody did not sign, and for nothing that came after."""
    done = all_signed(4, 1)
    records = apart(done.records)
    signatures = [index for index, one in enumerate(records) if isinstance(one, Signature)][:5]
    before = voided(done, signatures[2], CloseReason.NOT_SIGNED, 1)
    assert [code for code, _ in found(before)] == [Code.VOID]
    unsigned = [one for index, one in enumerate(records) if index not in signatures[2:5]]
    cut = next(index for index, one in enumerate(unsigned) if isinstance(one, Opened)) + 1
    close = Close(CloseReason.STOPPED, None, b"", (0,) * 4, (), done.secret)
    codes = [code for code, _ in found(rebuilt([*unsigned[:cut], close, Signature(OPERATOR, UNSIGNED)], done.keys))]
    assert codes.count(Code.SIGNATURE_MISSING) == 3


def test_a_void_close_without_its_signature_is_incomplete_as_any_other() -> None:
    """The operator signs after every close."""
    done = played(4, 1, signed=True)
    data = voided(done, where(done, Deal))
    size = len(encode_record(Signature(OPERATOR, UNSIGNED)))
    assert [one for one in found(data[:-size]) if one[0] is Code.SIGNATURE_MISSING] == [
        (Code.SIGNATURE_MISSING, "final.signature[operator]")
    ]


# anything at all


@given(st.binary(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_bytes_give_a_report(data: bytes) -> None:
    """Nothing is raised for what is no log."""
    consistent(audit(data))


@given(st.data())
@settings(max_examples=250, deadline=None)
def test_any_change_of_bytes_gives_a_consistent_report(data: st.DataObject) -> None:
    """Bytes changed, lost, added, doubled or exchanged in a sound match: always a report, never verified."""
    done = SAMPLES[data.draw(st.sampled_from(("three seats", "sealed, all keys")))]()
    whole = bytes(done.data)
    start = data.draw(st.integers(0, len(whole) - 1))
    end = min(len(whole), start + data.draw(st.integers(0, 12)))
    middle = data.draw(
        st.one_of(st.binary(max_size=12), st.just(whole[start:end] * 2), st.just(whole[start:end][::-1]))
    )
    changed = whole[:start] + middle + whole[end:]
    report = audit(changed, held_by_all(done))
    consistent(report)
    if changed != whole:
        assert report.verdict is not Verdict.VERIFIED


WILD: dict[type, st.SearchStrategy[Any]] = {
    int: st.one_of(st.integers(-1, 9), st.sampled_from([12, 255, 1_000, 10**6, -(2**31), MAX_INT])),
    bytes: st.one_of(st.sampled_from([b"", bytes(16), bytes(32), bytes(64), b"\1" * 32]), st.binary(max_size=40)),
    str: st.text(max_size=20),
    bool: st.booleans(),
}


def wild(value: Any) -> st.SearchStrategy[Any]:
    """Return values to put in place of `value`: of its type, lawful or not."""
    if isinstance(value, tuple):
        return st.lists(WILD[int] if all(isinstance(one, int) for one in value) else st.sampled_from(value)).map(tuple)
    for kind in (Contributions, SeatKind, CloseReason, Presence):
        if isinstance(value, kind):
            return st.sampled_from(kind)
    if value is None:
        return st.integers(-1, 8)
    return WILD.get(type(value), st.just(value))


def edited(data: st.DataObject, record: Any) -> Any:
    """Return a record, or a value in it, with one field wild."""
    name = data.draw(st.sampled_from([field.name for field in fields(record)]))
    value = getattr(record, name)
    if name == "timing":
        return replace(record, timing=(data.draw(timings(8)),))
    if is_dataclass(value):
        return replace(record, **{name: edited(data, value)})
    if isinstance(value, tuple) and value and is_dataclass(value[0]):
        at = data.draw(st.integers(0, len(value) - 1))
        return replace(record, **{name: (*value[:at], edited(data, value[at]), *value[at + 1 :])})
    return replace(record, **{name: data.draw(wild(value))})


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_any_change_of_records_gives_a_consistent_report(data: st.DataObject) -> None:
    """One to three values of a sound match replaced by wild ones, digest and signatures made good: always a report."""
    done = SAMPLES[data.draw(st.sampled_from(("three seats", "operator's key", "sealed, all keys")))]()
    records = apart(done.records)
    heads = [index for index, one in enumerate(records) if not isinstance(one, Actions)]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.one_of(st.sampled_from(heads), st.integers(0, len(records) - 1)))
        records[at] = edited(data, records[at])
    try:
        changed = rebuilt(records, done.keys)
    except (ValueError, OverflowError, TypeError):
        return  # no bytes stand for these values
    report = audit(changed, held_by_all(done))
    consistent(report)
    if changed != bytes(done.data):
        assert report.verdict is not Verdict.VERIFIED


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_any_order_of_records_gives_a_consistent_report(data: st.DataObject) -> None:
    """Stretches of a sound match lost, doubled, moved or mixed with those of another."""
    done = SAMPLES[data.draw(st.sampled_from(("three seats", "sealed, all keys")))]()
    other = apart(SAMPLES["four seats"]().records)
    records = apart(done.records)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(1, len(records)))
        end = data.draw(st.integers(start, min(len(records), start + 60)))
        to = data.draw(st.integers(1, len(records)))
        piece = data.draw(st.sampled_from((records[start:end], [], other[start:end])))
        if data.draw(st.booleans()):
            del records[start:end]
        records[to:to] = piece
    report = audit(rebuilt(records, done.keys), held_by_all(done))
    consistent(report)
    assert report.verdict is not Verdict.VERIFIED or records == apart(done.records)
