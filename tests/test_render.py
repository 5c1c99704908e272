"""Reports, transcripts and rules as text and JSON: complete, readable, and unable to steer a terminal."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.audit import audit
from fairdeal.cards import format_cards, parse_cards
from fairdeal.codec import Log, encode_log, encode_record
from fairdeal.codes import Code
from fairdeal.errors import Malformed
from fairdeal.explain import pages
from fairdeal.records import (
    PASS,
    UNTIMED,
    Action,
    Actions,
    Clocked,
    Close,
    CloseReason,
    Deal,
    Exchange,
    Presence,
    Record,
    RoundEnd,
    SeatEvent,
    Terms,
    Timing,
    pass_action,
    set_action,
    timed,
)
from fairdeal.render.data import dumps, report_data, report_line, reports_json
from fairdeal.render.explained import page_text
from fairdeal.render.text import WIDTH, report_text
from fairdeal.render.transcript import NOTICE, transcript_text
from fairdeal.report import (
    Finding,
    Guarantee,
    GuaranteeName,
    Report,
    Step,
    Summary,
    Tally,
    not_audited,
)
from fairdeal.settings import SeatKind
from fairdeal.simulate import Simulated
from fairdeal.texts import printable, quoted
from tests.conftest import SAMPLES, all_signed, apart, held_by_all, played, rebuilt, voided, where
from tests.strategies import logs, single, some, with_clock

HOSTILE = "\u202eevil\u2066\u200b\ufeff"


def is_safe(text: str) -> bool:
    """Return whether a text holds no control, format or direction character beside its line ends."""
    return not [char for char in text.replace("\n", "") if unicodedata.category(char)[0] == "C"]


@given(st.text())
@some
def test_printable_leaves_nothing_that_steers(text: str) -> None:
    """Whatever the text, what comes out is on one line, safe, and the same where it was safe before."""
    shown = printable(text)
    assert is_safe(shown)
    assert "\n" not in shown
    if text.isprintable():
        assert shown == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", "a\\nb"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\u202e", "\\u202e"),
        ("\udcff", "\\udcff"),
        ("\U000e0001", "\\U000e0001"),
        ("ä 😀 日", "ä 😀 日"),
        ("", ""),
    ],
)
def test_what_an_escape_looks_like(text: str, shown: str) -> None:
    """Escapes are Python's own; letters and emoji of any script stay."""
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(5, "`5`"), ("a b", "`a b`"), (True, None), ([1], "`[1]`"), ("x" * 300, None), (10**5_000, None)],
    ids=["number", "text", "flag", "list", "long", "huge"],
)
def test_a_message_quotes_any_value_shortly(value: object, shown: str | None) -> None:
    """Whatever somebody wrote into a file, in backticks and on one line of a bearable length."""
    text = quoted(value)
    assert text.startswith("`")
    assert text.endswith("`")
    assert len(text) <= 210
    assert shown in (None, text)


# reports as text


def full_report(name: str = "x") -> Report:
    """Return a report that has everything, `name` wherever a log can put a text."""
    tallies = tuple(
        (step, Tally(number, number % 2, [f"reason {name}"] if number % 3 == 0 else []))
        for number, step in enumerate(Step)
    )
    return Report(
        (Finding(Code.SEED, f"round[1].{name}", f"expected {name}", f"found {name}"), Finding(Code.VOID, "", "", "")),
        tallies,
        tuple(
            Guarantee(one, number % 2 == 0, number < 2, f"reason {name}") for number, one in enumerate(GuaranteeName)
        ),
        (f"statement {name}",),
        Summary("ab" * 16, "cd" * 32, 5, name, (name, "B", "C"), 2, 99, "ef" * 32, (5, -1, 7), (2, 3, 1)),
    )


def test_a_report_begins_with_its_verdict() -> None:
    """The verdict and the name are the first line, and the only one of a brief report."""
    one = full_report()
    assert report_text(one, "match.fdl", brief=True) == "refuted  match.fdl\n"
    assert report_text(one, "match.fdl").startswith("refuted  match.fdl\n\n")
    assert report_text(one, "a\x1b\n", brief=True) == "refuted  a\\x1b\\n\n"


def test_the_parts_of_a_report_come_in_order() -> None:
    """Summary, findings, guarantees, checks, what no log can show; each only if there is something in it."""
    text = report_text(full_report(), "x")
    parts = ["  match  ", "  played  ", "  terms  ", "  commitment  ", "  points\n"]
    parts += ["\nfindings\n", "\nguarantees\n", "\nchecks\n", "\nno log can show\n"]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    empty = report_text(not_audited(Malformed("a bad byte", 3)), "x")
    assert empty == (
        "no verdict  x\n\nfindings\n  byte 3  malformed\n    expected  a log that can be read to its end\n"
        "    found     a bad byte\n"
    )


def test_the_summary_lists_seats_best_first() -> None:
    """By final place where there is one, else by points."""
    one = full_report("N")
    rows = r"(?m)^ +([1-3]\.)? ?seat (\d) +(-?\d+)  `(.+)`$"
    assert re.findall(rows, report_text(one, "x")) == [
        ("1.", "2", "7", "C"),
        ("2.", "0", "5", "N"),
        ("3.", "1", "-1", "B"),
    ]
    running = replace(one, summary=replace(one.summary, final_places=(), totals=(1, 4, 4)))
    assert [row[1] for row in re.findall(rows, report_text(running, "x"))] == ["1", "2", "0"]
    without = replace(one, summary=replace(one.summary, commitment=""))
    assert "  commitment  none\n" in report_text(without, "x")


def test_a_finding_shows_both_values_where_there_are_any() -> None:
    """Place and code on one line, expected and found below it."""
    text = report_text(full_report(), "x")
    assert "  round[1].x  seed\n    expected  expected x\n    found     found x\n  void\n" in text


def test_guarantees_say_proven_or_not_and_mark_the_required() -> None:
    """A star stands before each guarantee that was asked for."""
    lines = report_text(full_report("r"), "x").splitlines()
    at = lines.index("guarantees")
    assert lines[at + 1 : at + 6] == [
        "  proven     *unchanged  reason r",
        "  not proven *anchored   reason r",
        "  proven      recorded   reason r",
        "  not proven  unchosen   reason r",
        "  proven      rules      reason r",
    ]


def test_checks_are_shown_when_they_found_or_skipped_something() -> None:
    """`verbose` shows all; a check without passes and faults is never shown as passed."""
    one = full_report()
    shown = re.findall(r"(?m)^  ([ \d]\d) ", report_text(one, "x"))
    assert [int(number) - 1 for number in shown] == [n for n in range(15) if n % 2 or n % 3 == 0]
    assert len(re.findall(r"(?m)^  [ \d]\d ", report_text(one, "x", verbose=True))) == 15
    empty = replace(
        one, steps=((Step.SEEDS, Tally()), (Step.DEALS, Tally(0, 0, ["no seed"])), (Step.PLAYS, Tally(3, 1)))
    )
    text = report_text(empty, "x", verbose=True)
    assert re.search(r"(?m)^   6 seeds +nothing to check$", text)
    assert re.search(r"(?m)^   7 deals +not checked: no seed$", text)
    assert re.search(r"(?m)^   9 plays +3 passed, 1 fault$", text)


def test_a_report_without_guarantees_says_what_it_left_open() -> None:
    """A check of one hand has statements of another kind."""
    text = report_text(replace(full_report(), guarantees=()), "x")
    assert "\nnot checked here\n  statement x\n" in text


def test_long_values_are_wrapped_and_not_cut() -> None:
    """Every word of a long reason is there, on lines that fit."""
    words = " ".join(f"word{number}-with-hyphen" for number in range(60))
    one = full_report(words)
    text = report_text(replace(one, summary=Summary()), "x", verbose=True)
    for line in text.splitlines():
        assert len(line) <= WIDTH or line.startswith(("  round[1].", "  statement"))
    joined = " ".join(text.split())
    assert joined.count(f"reason {words}") == 5 + 5
    assert f"expected {words}" in joined


@pytest.mark.parametrize("name", [HOSTILE, "\x1b]0;x\x07", "a\nrefuted  b", "\u2028", "\x00"])
def test_nothing_in_a_report_steers_a_terminal(name: str) -> None:
    """Names, reasons and values come out with escapes, wherever they stand."""
    text = report_text(full_report(name), name, verbose=True)
    assert is_safe(text)
    assert text.count("\n") == report_text(full_report("x" * 8), "x", verbose=True).count("\n")


# reports as JSON


def test_json_holds_everything_and_is_ascii() -> None:
    """All a report has, under the documented names, also of hostile texts."""
    one = full_report(HOSTILE)
    data = report_data(one, HOSTILE)
    assert list(data) == ["format", "name", "verdict", "summary", "findings", "guarantees", "checks", "not_shown"]
    assert list(data["summary"]) == list(Summary.__slots__)
    line = report_line(one, HOSTILE)
    assert line.isascii()
    assert line.count("\n") == 1
    assert json.loads(line)["name"] == HOSTILE
    assert json.loads(line) == json.loads(dumps(data))


def test_json_of_several_reports_has_the_worst_verdict() -> None:
    """One document for all, with the verdict that stands for them."""
    sound = audit(bytes(played().data), held_by_all(played()))
    named = [("a", sound), ("b", not_audited(Malformed("x", 0)))]
    document = json.loads(reports_json(named))
    assert document["verdict"] == "no verdict"
    assert [one["name"] for one in document["reports"]] == ["a", "b"]
    assert json.loads(reports_json(named[:1]))["verdict"] == "verified"
    assert document["reports"][0] == report_data(sound, "a") | {
        "summary": json.loads(json.dumps(report_data(sound, "a")["summary"]))
    }


# transcripts


def told(records: list[Record]) -> list[str]:
    """Return what a transcript must say of each action, in order."""
    lines = []
    for record in records:
        if isinstance(record, Actions):
            for action in record.actions:
                what = "passes" if action.kind == PASS else format_cards(action.cards)
                lines.append(f": {what}")
    return lines


@pytest.mark.parametrize("name", SAMPLES)
def test_a_transcript_tells_the_whole_match(name: str) -> None:
    """Every action in its order, every gift, hand, seed, place and total."""
    done = SAMPLES[name]()
    text = transcript_text(Log(bytes(done.data)))
    assert text.startswith(NOTICE + "\n\n")
    actions = re.findall(r"(?m)^    seat \d [^:]+(: .*)$", text)
    assert actions == told(done.records)
    gifts = [one for one in done.records if isinstance(one, Exchange)]
    assert re.findall(r"(?m) gives seat \d \w+ (.*)$", text) == [format_cards(one.cards) for one in gifts]
    ends = [one for one in done.records if isinstance(one, RoundEnd)]
    assert re.findall(r"(?m)^  seed ([0-9a-f]{64})$", text) == [one.seed.hex() for one in ends]
    hands = re.findall(r"(?m)^  seat \d \w+ holds(?:, after the exchange,)? (.*)$", text)
    size = 52 * done.terms.rules.packs
    assert sum(len(parse_cards(hand)) for hand in hands) == size * len(ends)
    assert text.count("\n  trick 1\n") == len(ends)
    close = done.records[-1] if isinstance(done.records[-1], Close) else done.records[-2]
    assert isinstance(close, Close)
    for seat, (place, total) in enumerate(zip(close.places, close.totals, strict=True)):
        assert f"\n  {place}. seat {seat} {done.terms.seats[seat].name}: {total}\n" in text


def test_tricks_are_numbered_as_in_a_report() -> None:
    """Each trick is headed by its number, counting from 1 in every round."""
    text = transcript_text(Log(bytes(played().data)), 2)
    numbers = [int(number) for number in re.findall(r"(?m)^  trick (\d+)$", text)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_one_round_is_told_alone() -> None:
    """`only` gives one round by its place in the log and leaves out terms and close."""
    log = Log(bytes(played().data))
    whole = transcript_text(log)
    for number in (1, 2):
        text = transcript_text(log, number)
        body = text.removeprefix(NOTICE + "\n\n").rstrip("\n")
        assert body in whole
        assert body.startswith(f"round[{number}]: ")
        assert "closed" not in text


def test_a_faulty_play_is_told_and_marked() -> None:
    """From the first action that breaks the rules on, the transcript says that it does."""
    done = played()
    records = apart(done.records)
    at = where(done, Actions, 5)
    records.insert(at, Actions((set_action(3, b"\x33"),)))
    text = transcript_text(Log(rebuilt(records)))
    assert text.count("(from here on the log does not follow the rules of its ruleset)") == 1
    assert len(re.findall(r"(?m)^    seat ", text)) == len(told(done.records)) + 1


def test_hands_that_cannot_be_recomputed_are_said_to_be_unknown() -> None:
    """Without a seed, or after a false one, the plays are told all the same."""
    done = played()
    cut = bytes(done.data)[: Log(bytes(done.data)).items[3].start]
    text = transcript_text(Log(cut))
    assert "  the hands cannot be recomputed from this log\n" in text
    assert "  the log has no end of this round\n" in text
    assert text.endswith("the log does not close the match\n")
    assert len(re.findall(r"(?m)^    seat ", text)) > 20


def test_a_log_with_a_beacon_is_told_without_hands() -> None:
    """What this version does not judge is no reason to tell nothing."""
    done = played()
    terms = replace(done.terms, beacon="drand")
    text = transcript_text(Log(encode_log([terms, *done.records[1:]])))
    assert text.count("the hands cannot be recomputed") == 2
    assert len(re.findall(r"(?m)^    seat ", text)) == len(told(done.records))
    assert "closed: by-rule" in text


def with_times(done: Simulated) -> list[Record]:
    """Return a match of two rounds with marks in the second, acts of the clock in both, and some events."""
    second, records = where(done, Deal, 1), list[Record]()
    for at, record in enumerate(apart(done.records)):
        if at in (9, second, second + 4):
            event = SeatEvent(2, Presence.DISCONNECTED if at == 9 else Presence.RETURNED, SeatKind.HARD)
            records.append(timed(Timing(4 if at > second else None, None), event))
        if isinstance(record, Actions) and at % 6 == 0:
            seat = record.actions[0].seat
            records.append(timed(Timing(300 if at > second else None, seat), record))
        elif isinstance(record, Actions) and at > second:
            records.append(timed(Timing(at, None), record))
        else:
            records.append(record)
    return records


def test_marks_acts_of_the_clock_and_events_are_told() -> None:
    """Each move with the seconds since its deal, each event where it happened, and what the clock did as its act."""
    done = played()
    records = with_times(done)
    lines = transcript_text(Log(rebuilt(records))).splitlines()
    assert lines.count("  seat 2 loses its connection, a bot of level hard plays on") == 1
    assert lines.count("  seat 2 returns, a bot of level hard plays on") == 1
    now, due, plain = 0, [], []
    for record in single(records):
        if isinstance(record, Deal):
            now = 0
        if isinstance(record, Clocked):
            now += record.timing.tenths or 0
            assert f"  seat 2 returns, a bot of level hard plays on [{now / 10:.1f} s]" in lines
        if isinstance(record, Actions):
            (action,), timing = record.actions, record.timing[0] if record.timing else UNTIMED
            now += timing.tenths or 0
            words = "passes" if action.kind == PASS else format_cards(action.cards)
            clock = "" if timing.acted_for is None else ", by the clock"
            due.append(words + clock + ("" if timing.tenths is None else f" [{now / 10:.1f} s]"))
            plain.append(words)
    found = [line.split(": ", 1)[1] for line in lines if line.startswith("    seat ")]
    assert found == due
    assert any(", by the clock [" in one for one in due)
    assert any(one.endswith(", by the clock") for one in due)
    without = transcript_text(Log(bytes(done.data))).splitlines()
    assert [line.split(": ", 1)[1] for line in without if line.startswith("    seat ")] == plain


def test_an_event_is_told_between_the_moves_it_stands_between() -> None:
    """Before the first gift, between gifts, before a trick, and behind the last move of its round."""
    done = played()
    records = apart(done.records)
    gift, end, lead = where(done, Exchange), where(done, RoundEnd), where(done, Deal, 1)
    lead = next(at for at in range(lead, len(records)) if isinstance(records[at], Actions))
    for at, before, behind in (
        (gift, "round[2]: ", " gives "),
        (gift + 1, " gives ", " gives "),
        (lead, " holds, ", "  trick 1"),
        (lead + 1, "    seat ", "    seat "),
        (end, "    seat ", "  1. seat "),
    ):
        event = SeatEvent(3, Presence.LEFT, SeatKind.EASY)
        lines = transcript_text(Log(rebuilt([*records[:at], event, *records[at:]]))).splitlines()
        told_at = lines.index("  seat 3 leaves for good, a bot of level easy plays on")
        assert before in lines[told_at - 1]
        assert behind in lines[told_at + 1]


def test_a_gift_of_the_clock_and_a_marker_for_another_seat_are_told() -> None:
    """As they stand: a transcript judges nothing."""
    done = played()
    records = apart(done.records)
    at = where(done, Exchange, 2)
    one, first = records[at], records[where(done, Actions)]
    assert isinstance(one, Exchange)
    assert isinstance(first, Actions)
    records[at] = timed(Timing(123, one.giver), one)
    records[where(done, Actions)] = timed(Timing(None, 3), first)
    text = transcript_text(Log(rebuilt(records)))
    assert f"{format_cards(one.cards)}, by the clock [12.3 s]\n" in text
    assert ", by the clock for seat 3\n" in text


def test_a_log_of_every_mark_is_told_to_its_end() -> None:
    """Whatever the marks say, and whether or not it was lawful."""
    records = with_clock()
    text = transcript_text(Log(encode_log(records)))
    assert "closed: by-rule" in text
    assert len(re.findall(r"(?m)^    seat ", text)) == sum(isinstance(one, Actions) for one in single(records))
    assert text.count(" s]\n") > 50


@pytest.mark.parametrize("reason", [one for one in CloseReason if one is not CloseReason.BY_RULE])
def test_a_void_close_is_told_with_its_seat(reason: CloseReason) -> None:
    """Why the match ended and who is named for it."""
    done = all_signed()
    text = transcript_text(Log(voided(done, where(done, Deal), reason, 2)))
    assert f"closed: {reason}, seat 2 South\n  seat 0 North: 0\n" in text
    assert "closed: stopped\n" in transcript_text(Log(voided(done, where(done, Deal))))


def test_hostile_names_are_escaped_in_a_transcript() -> None:
    """Seats, titles and the ruleset are texts of the log's author."""
    done = played()
    seats = tuple(replace(seat, name=f"{HOSTILE}{number}😀") for number, seat in enumerate(done.terms.seats))
    rules = replace(done.terms.rules, name=HOSTILE, titles=(HOSTILE,) * 5)
    text = transcript_text(Log(encode_log([replace(done.terms, seats=seats, rules=rules), *done.records[1:]])))
    assert is_safe(text)
    assert "\\u202eevil\\u2066\\u200b\\ufeff3😀" in text
    assert f"ruleset {printable(HOSTILE)}, at most 2 rounds\n" in text


@given(logs())
@settings(max_examples=20, deadline=None)
def test_any_log_that_can_be_read_can_be_told(log: tuple[Terms, list[Record]]) -> None:
    """Records in any order and of any values give a transcript, however senseless the match."""
    terms, records = log
    data = encode_log([terms, *records])
    text = transcript_text(Log(data))
    assert text.startswith(NOTICE)
    assert is_safe(text)


@given(st.data())
@some
def test_any_cut_can_be_told(data: st.DataObject) -> None:
    """Each record boundary of a log gives a transcript that is the beginning of the whole one."""
    done = all_signed(4, 2)
    records = apart(done.records)
    count = data.draw(st.integers(1, len(records)))
    text = transcript_text(Log(encode_log(records[:count])))
    assert text.count(": round ") == sum(isinstance(one, Deal) for one in records[:count])
    assert len(re.findall(r"(?m)^    seat ", text)) == sum(isinstance(one, Actions) for one in records[:count])


def test_places_of_a_false_end_are_told_as_they_stand() -> None:
    """A round end that gives two seats one place is shown so."""
    done = played()
    records = apart(done.records)
    at = where(done, RoundEnd)
    end = records[at]
    assert isinstance(end, RoundEnd)
    records[at] = replace(end, places=(2, 2, 2, 2), points=(-7, 0, 1, 1_000_000))
    text = transcript_text(Log(rebuilt(records)))
    assert text.count("\n  2. seat") >= 4
    assert ", -7\n" in text
    assert ", +1000000\n" in text


# pages


def test_a_page_keeps_its_literals_whole() -> None:
    """What is to be typed is never broken over two lines inside a word."""
    for code, text in pages().items():
        shown = page_text(text)
        for paragraph in (text.means, text.often, text.do):
            for word in paragraph.split():
                assert word in shown.split(), (code, word)


def test_records_of_every_kind_are_encodable_for_these_tests() -> None:
    """The hand-made actions above are lawful bytes, so that a failure is the transcript's."""
    assert Log(encode_log([played().terms])).items == ()
    for action in (pass_action(0), set_action(3, b"\x33"), Action(PASS, 1, b"", -1)):
        assert encode_record(Actions((action,)))
    assert sys.maxunicode == 0x10FFFF
