"""The auditor's commands: one verdict a log, evidence from options and folders, and transcripts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from fairdeal.anchor import EVIDENCE_FILES, OPERATOR_KEY, PUBLISHED, RECEIPTS, TICKETS, format_receipt, read_folder
from fairdeal.audit import audit
from fairdeal.codec import encode_log
from fairdeal.codes import ACROSS, Code
from fairdeal.evidence import Evidence
from fairdeal.records import OPERATOR, RoundEnd
from fairdeal.report import GuaranteeName, Step
from fairdeal.sign import public_key
from fairdeal.simulate import Simulated
from fairdeal.ticket import encode_ticket
from tests.archive.making import OPERATORS, Wanted, written
from tests.conftest import (
    SAMPLES,
    Ran,
    all_signed,
    apart,
    evidence_folder,
    played,
    rebuilt,
    refused,
    run,
    unread,
    where,
)
from tests.strategies import with_clock

WORST_FIRST = [10, 1, 2, 3, 11, 0]
VERDICTS = {0: "verified", 10: "refuted", 11: "incomplete", 3: "no verdict", 2: "no verdict"}
TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 0}
HEX = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}


def closed(**properties: Any) -> dict[str, Any]:
    """Return the schema of an object with exactly these fields."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def listed(item: dict[str, Any], least: int = 0) -> dict[str, Any]:
    """Return the schema of a list."""
    return {"type": "array", "items": item, "minItems": least}


REPORT = closed(
    format={"const": "fairdeal-report/2"},
    name=TEXT,
    verdict={"enum": ["verified", "refuted", "incomplete", "no verdict"]},
    summary=closed(
        match_id=HEX,
        terms_hash=HEX,
        sequence=COUNT,
        ruleset=TEXT,
        seats=listed(TEXT),
        rounds=COUNT,
        actions=COUNT,
        commitment=HEX,
        totals=listed({"type": "integer"}),
        final_places=listed({"type": "integer", "minimum": 1}),
    ),
    findings=listed(
        closed(code={"enum": [str(code) for code in Code]}, place=TEXT, expected=TEXT, found=TEXT, reasons=listed(TEXT))
    ),
    guarantees=listed(
        closed(
            name={"enum": [str(name) for name in GuaranteeName]},
            proven={"type": "boolean"},
            required={"type": "boolean"},
            reason={"type": "string", "minLength": 1},
        )
    ),
    checks=listed(
        closed(
            number=COUNT,
            name={"enum": [str(step) for step in Step]},
            passed=COUNT,
            faults=COUNT,
            not_checked=listed(TEXT),
        )
    ),
    not_shown=listed(TEXT),
)
ACROSS_FINDING = closed(
    format={"const": "fairdeal-across/1"},
    code={"enum": sorted(str(code) for code in ACROSS | {Code.UNREADABLE})},
    what=TEXT,
    logs=listed(TEXT),
)
AUDIT = closed(
    format={"const": "fairdeal-audit/3"}, verdict=TEXT, reports=listed(REPORT, 1), across=listed(ACROSS_FINDING)
)


def lied(done: Simulated) -> bytes:
    """Return a match whose first round reveals another seed, all else made good."""
    records = apart(done.records)
    at = where(done, RoundEnd)
    end = records[at]
    assert isinstance(end, RoundEnd)
    records[at] = replace(end, seed=bytes(32))
    return rebuilt(records, done.keys)


@pytest.fixture
def logs(tmp_path: Path) -> dict[int, Path]:
    """Return the folder's logs by the exit code of their audit with the folder as evidence; 2 does not exist."""
    files = {
        0: bytes(played(3).data),
        10: lied(played(4)),
        11: bytes(played(5).data),
        3: bytes(played(3, 1).data)[:-1],
    }
    paths = {code: tmp_path / f"log{code}.fdl" for code in (*files, 2)}
    for code, data in files.items():
        paths[code].write_bytes(data)
    evidence_folder(tmp_path / "log0", played(3))
    return paths


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sound_match_with_what_its_parties_hold_is_verified(tmp_path: Path, name: str) -> None:
    """Every kind of match, with evidence as the simulator writes it."""
    done = SAMPLES[name]()
    path = tmp_path / "x.fdl"
    path.write_bytes(bytes(done.data))
    ran = run("audit", path, "--evidence", evidence_folder(tmp_path / "held", done))
    assert (ran.code, ran.err) == (0, "")
    assert ran.text.startswith(f"verified  {path}\n")


@pytest.mark.parametrize("code", [0, 2, 3, 10, 11])
def test_each_verdict_has_its_exit_code(logs: dict[int, Path], tmp_path: Path, code: int) -> None:
    """The code on leaving is that of the verdict, and the verdict is the first word."""
    ran = run("audit", logs[code], "--evidence", tmp_path / "log0") if code == 0 else run("audit", logs[code])
    assert ran.code == code
    assert ran.text.startswith(f"{VERDICTS[code]}  {logs[code]}\n")
    if code == 2:
        unread(ran, 2, f"no such file or directory at {logs[2]}")


@pytest.mark.parametrize("some", [pair for size in (2, 3) for pair in combinations((0, 2, 3, 10, 11), size)])
def test_of_several_logs_the_worst_counts(logs: dict[int, Path], tmp_path: Path, some: tuple[int, ...]) -> None:
    """The order is 10, 1, 2, 3, 11, 0; one that cannot be read has its error and the others are audited."""
    ran = run("audit", *(logs[code] for code in some), "--evidence", tmp_path, "-f", "json")
    assert ran.code == min(some, key=WORST_FIRST.index)
    assert [(one["name"], one["verdict"]) for one in ran.json["reports"]] == [
        (str(logs[code]), VERDICTS[code]) for code in some
    ]
    assert ran.json["verdict"] == VERDICTS[min(some, key=WORST_FIRST.index)]
    errors = [line for line in ran.err.splitlines() if line.startswith("error: ")]
    assert errors == ([f"error: no such file or directory at {logs[2]}"] if 2 in some else [])


def test_logs_that_cannot_be_read_are_in_the_report(tmp_path: Path) -> None:
    """Two files that are not there are two errors and two reports without a verdict, so that none is overlooked."""
    names = [str(tmp_path / name) for name in "ab"]
    ran = run("audit", *names, "-f", "json")
    assert ran.code == 2
    assert ran.err.count("error: ") == 2
    Draft202012Validator(AUDIT).validate(ran.json)
    assert [(one["name"], one["findings"][0]["code"]) for one in ran.json["reports"]] == [
        (name, "unreadable") for name in names
    ]


def test_standard_input_is_a_log(logs: dict[int, Path]) -> None:
    """`-` reads the log from standard input, alone or beside others."""
    data = logs[11].read_bytes()
    ran = run("-q", "audit", "-", stdin=data)
    assert (ran.code, ran.text) == (11, "incomplete  -\n")
    ran = run("-q", "audit", logs[10], "-", stdin=data)
    assert (ran.code, ran.text) == (10, f"refuted  {logs[10]}\nincomplete  -\n")
    assert run("audit", "-").code == 3


def test_the_text_of_a_report(logs: dict[int, Path], tmp_path: Path) -> None:
    """Verdict first, then the match, findings, guarantees, what could not be checked and what no log can show."""
    done = played(3)
    text = run("audit", logs[0], "--evidence", tmp_path / "log0").text
    assert f"  match       {done.terms.match_id.hex()}, number 7 of its operator\n" in text
    assert f"  commitment  {done.tree.commitment().hex()}\n" in text
    assert "\nfindings\n" not in text
    assert len(re.findall(r"(?m)^  (?:not )?proven +[* ](?:unchanged|anchored|recorded|unchosen|rules)  ", text)) == 5
    assert re.findall(r"(?m)^  proven +\*(\w+)", text) == ["unchanged", "anchored", "rules"]
    assert "\nno log can show\n" in text
    bad = run("audit", logs[10]).text
    assert "\nfindings\n  round[1].end  seed\n    expected  " in bad
    assert "\n    found     " + "00" * 32 in bad


def test_quiet_is_one_line_a_log(logs: dict[int, Path]) -> None:
    """`-q` keeps the verdict lines and drops every hint, but not why there is no verdict."""
    ran = run("-q", "audit", logs[10], logs[2], logs[11])
    first, second, *why, last = ran.text.splitlines()
    assert (first, second) == (f"refuted  {logs[10]}", f"no verdict  {logs[2]}")
    assert (why[-1].split("  ")[-1], last) == (" no such file or directory", f"incomplete  {logs[11]}")
    assert ran.err == ""
    ran = run("-q", "audit", logs[2])
    assert ran.text == f"no verdict  {logs[2]}\n"
    assert ran.err == f"error: no such file or directory at {logs[2]}\n\nhint: check the name and the permissions\n"


def test_verbose_lists_every_numbered_check(logs: dict[int, Path]) -> None:
    """`-v` shows all fifteen, else only those with something to say."""
    numbered = r"(?m)^  ([ 1]\d) [a-z]"
    assert re.findall(numbered, run("-v", "audit", logs[11]).text) == [f"{number:>2}" for number in range(1, 16)]
    assert re.findall(numbered, run("audit", logs[11]).text) == ["10"]
    assert re.findall(numbered, run("audit", logs[10]).text) == [" 6", "10"]


def test_quiet_and_verbose_exclude_each_other(logs: dict[int, Path]) -> None:
    """Both together are wrong usage."""
    ran = run("-q", "-v", "audit", logs[0])
    assert (ran.code, ran.out) == (2, b"")
    assert "-q and -v exclude each other" in ran.err


def test_several_logs_end_in_a_count(logs: dict[int, Path]) -> None:
    """The last line counts the verdicts in words."""
    text = run("audit", logs[10], logs[11], logs[3], logs[0]).text
    assert text.endswith("\n4 logs: 1 refuted, 2 incomplete, 1 no verdict\n")
    assert " logs: " not in run("audit", logs[10]).text


@pytest.mark.parametrize("code", [0, 3, 10, 11])
def test_the_json_of_a_report_is_its_schema_and_says_what_the_report_says(
    logs: dict[int, Path], tmp_path: Path, code: int
) -> None:
    """Every field, none more: the names and types are versioned and others build on them."""
    ran = (
        run("audit", logs[code], "--evidence", tmp_path / "log0", "-f", "json")
        if code == 0
        else run("audit", logs[code], "-f", "json")
    )
    assert ran.code == code
    document = ran.json
    Draft202012Validator(AUDIT).validate(document)
    (shown,) = document["reports"]
    report = audit(logs[code].read_bytes(), read_folder(tmp_path / "log0") if code == 0 else None)
    assert shown["name"] == str(logs[code])
    assert shown["verdict"] == document["verdict"] == str(report.verdict) == VERDICTS[code]
    findings = [(*one[:4], list(one.reasons)) for one in report.findings]
    assert [tuple(one.values()) for one in shown["findings"]] == findings
    assert [tuple(one.values()) for one in shown["guarantees"]] == [tuple(one) for one in report.guarantees]
    assert [(one["name"], one["passed"], one["faults"], one["not_checked"]) for one in shown["checks"]] == [
        (step, tally.passed, tally.faults, tally.not_checked) for step, tally in report.steps
    ]
    assert [one["number"] for one in shown["checks"]] == list(range(1, len(report.steps) + 1))
    assert shown["not_shown"] == list(report.statements)
    for name, value in shown["summary"].items():
        stated = getattr(report.summary, name)
        assert value == (list(stated) if isinstance(stated, tuple) else stated)


def test_jsonl_is_one_report_a_line(logs: dict[int, Path]) -> None:
    """Each line is what the JSON document has for that log, in the order given."""
    some = [logs[code] for code in (10, 3, 11)]
    ran = run("audit", *some, "-f", "jsonl")
    *lines, summary = ran.text.splitlines()
    assert ran.code == 10
    assert [json.loads(line) for line in lines] == run("audit", *some, "-f", "json").json["reports"]
    assert json.loads(summary)["format"] == "fairdeal-summary/2"
    (alone,) = run("audit", logs[10], "-f", "jsonl").text.splitlines()
    assert alone == lines[0]
    for line in lines:
        assert line.isascii()
        Draft202012Validator(REPORT).validate(json.loads(line))


def two_stories(folder: Path) -> list[Path]:
    """Return two sound logs of one match that part, signed by the operator, and a third under the same number."""
    wanted = [Wanted(1, key=OPERATORS[0]), Wanted(1, key=OPERATORS[0], leads=1), Wanted(2, 1, key=OPERATORS[0])]
    paths = [folder / f"{number}.fdl" for number in range(3)]
    for path, one in zip(paths, wanted, strict=True):
        path.write_bytes(written(one))
    return paths


ACROSS_CODES = [Code.SEQUENCE_REPEATED, Code.EQUIVOCATION, Code.LOGS_DIFFER, Code.EQUIVOCATION]


def test_several_logs_are_held_against_each_other(tmp_path: Path) -> None:
    """In every form: each log is sound, and together they are not."""
    logs, rules = two_stories(tmp_path), ("--require", "unchanged,rules")
    for log in logs:
        assert run("audit", log, *rules).code == 0
    text = run("audit", *logs, *rules)
    assert text.code == 10
    assert re.findall("(?m)^across the matches  (.*)$", text.text) == ACROSS_CODES
    shown = run("audit", *logs, *rules, "-f", "json")
    assert shown.code == 10
    Draft202012Validator(AUDIT).validate(shown.json)
    assert shown.json["verdict"] == "refuted"
    assert [one["verdict"] for one in shown.json["reports"]] == ["verified"] * 3
    assert [one["code"] for one in shown.json["across"]] == ACROSS_CODES
    assert shown.json["across"][2]["logs"] == [str(log) for log in logs[:2]]
    lines = [json.loads(line) for line in run("audit", *logs, *rules, "-f", "jsonl").text.splitlines()]
    across = [(one["code"], one["logs"]) for one in lines if one["format"] == "fairdeal-across/1"]
    assert across == [(one["code"], one["logs"]) for one in shown.json["across"]]
    assert f"explain {ACROSS_CODES[0]}" in shown.err


def test_a_number_that_is_missing_leaves_several_logs_incomplete(tmp_path: Path) -> None:
    """As it does in an archive."""
    logs = [tmp_path / "1.fdl", tmp_path / "3.fdl"]
    for log in logs:
        log.write_bytes(written(Wanted(int(log.stem), key=OPERATORS[0])))
    ran = run("audit", *logs, "--require", "rules", "-f", "json")
    assert (ran.code, ran.json["verdict"]) == (11, "incomplete")
    assert [one["code"] for one in ran.json["across"]] == ["sequence-gap"]


def test_loudness_changes_no_json(logs: dict[int, Path]) -> None:
    """Programs get the whole report whatever people want to read."""
    plain = run("audit", logs[10], "-f", "json").out
    assert run("-q", "audit", logs[10], "-f", "json").out == plain
    assert run("-v", "audit", logs[10], "-f", "json").out == plain


@pytest.mark.parametrize("form", ["", "xml", "JSON", "text,json"])
def test_an_unknown_format_is_wrong_usage(logs: dict[int, Path], form: str) -> None:
    """Nothing is audited, and the formats there are are named."""
    refused(run("audit", logs[0], "-f", form), 2, f"there is no format `{form}` at --format", "text, json, jsonl")


def test_the_first_finding_is_explained_on_request(logs: dict[int, Path]) -> None:
    """A hint names the page of the first finding; a sound match and `-q` have none."""
    assert run("audit", logs[10]).err == "hint: `fairdeal explain seed` says what a finding means and what to do\n"
    assert run("-q", "audit", logs[10]).err == ""


def require(logs: dict[int, Path], names: str) -> Ran:
    """Audit a sound match without evidence, requiring these guarantees."""
    return run("audit", logs[11], "--require", names, "-f", "json")


@pytest.mark.parametrize(
    ("names", "missing"),
    [
        ("unchanged", []),
        ("rules,unchanged", []),
        (" rules , unchanged ,", []),
        ("anchored", ["anchored"]),
        ("unchosen,recorded", ["recorded", "unchosen"]),
        ("unchanged,anchored,recorded,unchosen,rules", ["anchored", "recorded", "unchosen"]),
    ],
)
def test_what_is_required_and_not_proven_leaves_the_audit_incomplete(
    logs: dict[int, Path], names: str, missing: list[str]
) -> None:
    """Only the guarantees asked for count towards the verdict, and each missing one is a finding at its name."""
    ran = require(logs, names)
    (shown,) = ran.json["reports"]
    assert ran.code == (11 if missing else 0)
    assert [(one["code"], one["place"]) for one in shown["findings"]] == [
        ("not-proven", f"guarantee.{name}") for name in missing
    ]
    asked = {name.strip() for name in names.split(",")}
    assert {one["name"] for one in shown["guarantees"] if one["required"]} == asked - {""}


@pytest.mark.parametrize("names", ["fair", "unchanged;anchored", "Unchanged", "unchanged,all", "", " , "])
def test_an_unknown_guarantee_or_none_is_wrong_usage(logs: dict[int, Path], names: str) -> None:
    """The ones there are are named."""
    refused(run("audit", logs[11], "--require", names), 2, "at --require", "hint: guarantees: ", "unchosen")


def options(done: Simulated) -> dict[str, tuple[str, str]]:
    """Return each evidence option with a value that fits a match and one that does not."""
    keys = {signer: public_key(key).hex() for signer, key in done.keys.items()}
    lock = done.receipt(done.lock)
    ticket, c = done.tickets[0], done.tree.commitment().hex()
    return {
        "--ticket": (encode_ticket(ticket), encode_ticket(replace(ticket, position=3))),
        "--receipt": (format_receipt(lock), format_receipt(lock._replace(digest=bytes(32), signature=b""))),
        "--commitment": (c, "00" * 32),
        "--operator-key": (keys[OPERATOR], keys[2]),
        "--seat-key": (f"1={keys[2]}", f"1={keys[3]}"),
        "--contribution": (f"1={done.contributions[1].hex()}", f"1={done.contributions[2].hex()}"),
    }


OPTIONS = ("--ticket", "--receipt", "--commitment", "--operator-key", "--seat-key", "--contribution")


@pytest.mark.parametrize("option", OPTIONS)
def test_each_option_is_held_against_the_log(tmp_path: Path, option: str) -> None:
    """A value that fits is one more check that passed, one that does not refutes."""
    done = all_signed()
    path = tmp_path / "x.fdl"
    path.write_bytes(bytes(done.data))
    fits, differs = options(done)[option]
    good = run("audit", path, option, fits, "--require", "rules", "-f", "json")
    assert good.code == 0
    assert good.json["reports"][0]["checks"][-1]["passed"] > 0
    bad = run("audit", path, option, differs, "--require", "rules", "-f", "json")
    assert bad.code == 10
    assert bad.json["reports"][0]["findings"]


@pytest.mark.parametrize(
    ("option", "value", "code", "words"),
    [
        ("--ticket", "fd1.", 3, "ticket"),
        ("--ticket", "nothing", 3, "a ticket begins with `fd1.`"),
        ("--receipt", "1:2:3", 3, "`1:2:3` is no receipt"),
        ("--commitment", "00", 2, "is not 32 bytes in hexadecimal"),
        ("--operator-key", "zz" * 32, 2, "is not 32 bytes in hexadecimal"),
        ("--seat-key", "00" * 32, 2, "is not SEAT=HEX"),
        ("--seat-key", f"9={'00' * 32}", 2, "is not SEAT=HEX"),
        ("--contribution", "1=00", 2, "is not SEAT=HEX"),
        ("--published", "/dev/null/none", 2, "/dev/null/none"),
        ("--evidence", "/dev/null/none", 2, "/dev/null/none"),
    ],
)
def test_evidence_that_cannot_be_read_is_an_error(log: Path, option: str, value: str, code: int, words: str) -> None:
    """Malformed evidence is no verdict, a value that cannot be meant is wrong usage; nothing is reported either way."""
    refused(run("audit", log, option, value), code, words)


def test_an_option_for_one_seat_is_given_once_a_seat(log: Path) -> None:
    """Two keys for one seat cannot both be pinned."""
    refused(run("audit", log, *["--seat-key", f"1={'00' * 32}"] * 2), 2, "seat 1 is given twice")


def test_published_lists_are_read_from_files(tmp_path: Path) -> None:
    """A list with the match anchors it, one without leaves the audit incomplete, a broken one is malformed."""
    done = played()
    path, listing = tmp_path / "x.fdl", tmp_path / "published.txt"
    path.write_bytes(bytes(done.data))
    c = done.tree.commitment().hex()
    outcomes = {
        f"6 {'00' * 32}\n7 {c}\n8 {'11' * 32}\n": 0,
        f"8 {'11' * 32}\n": 11,
        "": 11,
        f"7 {'00' * 32}\n": 10,
        f"6 {'00' * 32}\n8 {'11' * 32}\n": 3,
        "7\n": 3,
    }
    for text, code in outcomes.items():
        listing.write_text(text)
        assert run("audit", path, "--published", listing).code == code, text
    listing.write_bytes(b"\xff")
    refused(run("audit", path, "--published", listing), 3, "no UTF-8 text")


@pytest.mark.parametrize("option", ["--ticket", "--receipt", "--commitment", "--seat-key", "--contribution"])
def test_evidence_of_one_match_is_refused_for_several_logs(logs: dict[int, Path], option: str) -> None:
    """It would speak against every other log; the hint says where it belongs."""
    value = options(all_signed())[option][0]
    refused(run("audit", logs[0], logs[11], option, value), 2, "evidence of one match", option, "--evidence DIR")


def test_what_speaks_of_all_matches_may_be_given_for_several_logs(tmp_path: Path) -> None:
    """A published list and the operator's key belong to no single match."""
    first, second = played(4, 2, signed=True), played(4, 2, signed=True, number=1)
    for name, done in (("a", first), ("b", second)):
        (tmp_path / f"{name}.fdl").write_bytes(bytes(done.data))
    key = public_key(first.keys[OPERATOR]).hex()
    ran = run("audit", tmp_path / "a.fdl", tmp_path / "b.fdl", "--operator-key", key, "-f", "json")
    assert ran.code == 10
    assert [Code.KEY_OTHER in {one["code"] for one in report["findings"]} for report in ran.json["reports"]] == [
        False,
        True,
    ]


def test_a_log_takes_its_evidence_from_the_folder_of_its_name(tmp_path: Path) -> None:
    """Each log is held against what its own parties have, whatever the others' hold."""
    samples = {"one": played(3), "two": all_signed(4)}
    for name, done in samples.items():
        (tmp_path / f"{name}.fdl").write_bytes(bytes(done.data))
        evidence_folder(tmp_path / "held" / name, done)
    paths = [tmp_path / f"{name}.fdl" for name in samples]
    ran = run("-q", "audit", *paths, "--evidence", tmp_path / "held")
    assert (ran.code, ran.text) == (0, f"verified  {paths[0]}\nverified  {paths[1]}\n")
    (tmp_path / "held" / "one").rename(tmp_path / "held" / "three")
    assert run("-q", "audit", *paths, "--evidence", tmp_path / "held").code == 11


def test_several_logs_share_published_lists_and_the_operators_key_only(tmp_path: Path) -> None:
    """Of files beside the logs' own folders those of one match are left alone: they would speak against all others."""
    done, other = played(4, 2, signed=True), played(4)
    for name, one in (("a", done), ("b", other)):
        (tmp_path / f"{name}.fdl").write_bytes(bytes(one.data))
    shared = evidence_folder(tmp_path / "shared", done, but=[PUBLISHED, OPERATOR_KEY])
    ran = run("audit", tmp_path / "a.fdl", tmp_path / "b.fdl", "--evidence", shared, "-f", "json")
    assert ran.code == 11
    assert all(one["checks"][-1]["passed"] == 0 for one in ran.json["reports"])
    c = done.tree.commitment().hex()
    (shared / PUBLISHED).write_text(f"7 {c}\n")
    ran = run("audit", tmp_path / "a.fdl", tmp_path / "b.fdl", "--evidence", shared, "-f", "json")
    assert [one["verdict"] for one in ran.json["reports"]] == ["verified", "refuted"]
    (shared / PUBLISHED).unlink()
    (shared / OPERATOR_KEY).write_text(public_key(done.keys[OPERATOR]).hex() + "\n")
    ran = run("audit", tmp_path / "a.fdl", tmp_path / "b.fdl", "--evidence", shared, "-f", "json")
    assert [one["checks"][-1]["passed"] for one in ran.json["reports"]] == [1, 0]


def test_a_log_with_a_folder_of_its_own_also_takes_what_speaks_of_all(tmp_path: Path) -> None:
    """A published list beside the folders of single logs is held against each of them."""
    done = all_signed()
    evidence_folder(tmp_path / "a", done)
    (tmp_path / "a.fdl").write_bytes(bytes(done.data))
    assert run("audit", tmp_path / "a.fdl", "--evidence", tmp_path).code == 0
    (tmp_path / PUBLISHED).write_text(f"{done.terms.sequence} {'00' * 32}\n")
    assert run("audit", tmp_path / "a.fdl", "--evidence", tmp_path).code == 10


def test_one_log_takes_all_the_folder_has(tmp_path: Path) -> None:
    """Alone, a log is held against the folder itself, also when it comes from standard input."""
    done = all_signed()
    folder = evidence_folder(tmp_path / "held", done)
    assert run("audit", "-", "--evidence", folder, stdin=bytes(done.data)).code == 0


def test_options_are_added_to_a_folder(tmp_path: Path) -> None:
    """What is given by hand counts beside the folder, and a key by hand instead of the folder's."""
    done = all_signed()
    path = tmp_path / "x.fdl"
    path.write_bytes(bytes(done.data))
    folder = evidence_folder(tmp_path / "held", done)
    assert run("audit", path, "--evidence", folder, "--commitment", "00" * 32).code == 10
    assert run("audit", path, "--evidence", folder, "--operator-key", public_key(done.keys[1]).hex()).code == 10


@pytest.mark.parametrize("name", EVIDENCE_FILES)
def test_broken_evidence_is_no_verdict_on_its_log_and_the_others_are_audited(tmp_path: Path, name: str) -> None:
    """A line that does not parse is an error naming the file; alone or among several logs.

    Tickets, receipts and lists are formats of their own and so malformed; a bad key may also pass for wrong usage.
    """
    done = all_signed()
    for log in ("a", "b"):
        (tmp_path / f"{log}.fdl").write_bytes(bytes(done.data))
        evidence_folder(tmp_path / log, done)
    path = tmp_path / "a" / name
    path.write_text(path.read_text() + "garbage\n")
    both = run("-q", "audit", tmp_path / "a.fdl", tmp_path / "b.fdl", "--evidence", tmp_path)
    first, *why, last = both.text.splitlines()
    assert (first, last) == (f"no verdict  {tmp_path / 'a.fdl'}", f"verified  {tmp_path / 'b.fdl'}")
    assert both.code in ((3,) if name in (TICKETS, RECEIPTS, PUBLISHED) else (2, 3))
    assert name in " ".join(why)
    unread(run("audit", tmp_path / "a.fdl", "--evidence", tmp_path / "a"), both.code, name)


@pytest.mark.parametrize("name", EVIDENCE_FILES)
def test_evidence_that_is_no_text_is_no_verdict(tmp_path: Path, log: Path, name: str) -> None:
    """Bytes that are no UTF-8 are malformed."""
    (tmp_path / name).write_bytes(b"\xff\xfe")
    unread(run("audit", log, "--evidence", tmp_path), 3, "no UTF-8 text", name)


def test_a_folder_without_evidence_is_wrong_usage(tmp_path: Path, log: Path) -> None:
    """A mistyped folder must not pass for evidence; the names looked for are listed."""
    unread(run("audit", log, "--evidence", tmp_path), 2, "no evidence at", *EVIDENCE_FILES)
    (tmp_path / OPERATOR_KEY).write_text("00" * 32 + "\n" + "11" * 32 + "\n")
    unread(run("audit", log, "--evidence", tmp_path), 3, "more than one operator key", OPERATOR_KEY)


def test_a_folder_that_does_not_exist_is_wrong_usage_for_several_logs_too(tmp_path: Path, log: Path) -> None:
    """Nothing is more easily taken for an audit with evidence than one whose folder was mistyped."""
    ran = run("audit", log, log, "--evidence", tmp_path / "none")
    assert ran.code == 2
    assert f" at {tmp_path / 'none'}\n" in ran.err


@pytest.mark.parametrize(
    "data",
    [b"", b"\0", b"\xc0", b"not a log", bytes(100), b"\x91\x00", b"\xdd\xff\xff\xff\xff", b"\x91" * 5_000],
)
def test_what_is_no_log_is_no_verdict(tmp_path: Path, data: bytes) -> None:
    """Any file at all gets a report: malformed at its first byte."""
    path = tmp_path / "x"
    path.write_bytes(data)
    ran = run("audit", path, "-f", "json")
    assert ran.code == 3
    (shown,) = ran.json["reports"]
    assert [(one["code"], one["place"]) for one in shown["findings"]] == [("malformed", "byte 0")]
    assert (shown["guarantees"], shown["checks"], shown["not_shown"]) == ([], [], [])
    assert run("audit", path).text.startswith(f"no verdict  {path}\n\nfindings\n  byte 0  malformed\n")


def test_an_unsupported_log_is_no_verdict(tmp_path: Path) -> None:
    """Terms that ask for a beacon, or for a bot policy that is not known, end the audit where they stand."""
    done = played()
    path = tmp_path / "x.fdl"
    for changes in ({"beacon": "drand"}, {"bot_policy": 2}):
        path.write_bytes(encode_log([replace(done.terms, **changes), *done.records[1:]]))
        ran = run("audit", path, "-f", "json")
        assert ran.code == 3
        (finding,) = ran.json["reports"][0]["findings"]
        assert (finding["code"], finding["place"]) == ("unsupported", "terms")


def test_a_log_with_a_clock_is_judged(tmp_path: Path) -> None:
    """What the clock did against the rules is told like any other fault, and whoever is late too."""
    path = tmp_path / "x.fdl"
    path.write_bytes(encode_log(with_clock()))
    ran = run("audit", path, "-f", "json")
    assert ran.code == 10
    codes = {one["code"] for one in ran.json["reports"][0]["findings"]}
    assert {"clock-mark", "clock-early", "clock-choice", "clock-overrun"} <= codes
    assert codes.isdisjoint({"unsupported", "malformed"})
    text = run("audit", path).text
    assert re.search(r"(?m)^  10 clock, seats and bots +\d+ passed, \d+ faults$", text)
    assert "by the clock for seat" in text
    assert "tenths of a second" in text


def test_a_report_shows_hostile_names_escaped(tmp_path: Path) -> None:
    """A seat's name cannot reorder, recolour or move what the terminal shows."""
    done = played()
    name = "\u202eW\u2066\u200b😀"
    seats = (replace(done.terms.seats[0], name=name), *done.terms.seats[1:])
    path = tmp_path / "x\x1b.fdl"
    path.write_bytes(encode_log([replace(done.terms, seats=seats), *done.records[1:]]))
    ran = run("-v", "audit", path)
    assert "\\u202eW\\u2066\\u200b😀" in ran.text
    assert ran.text.splitlines()[0].endswith("x\\x1b.fdl")
    assert not [char for char in ran.text if char != "\n" and not char.isprintable()]
    assert run("audit", path, "-f", "json").json["reports"][0]["summary"]["seats"][0] == name


def test_no_private_value_of_a_running_match_is_printed(tmp_path: Path) -> None:
    """Of a log without its close neither the secret nor the seed of a running round can appear."""
    done = all_signed()
    path = tmp_path / "x.fdl"
    path.write_bytes(rebuilt(apart(done.records)[: where(done, RoundEnd)]))
    hidden = [done.secret, *done.tree.seeds, *done.keys.values()]
    for arguments in (("-v", "audit", path), ("audit", path, "-f", "json"), ("show", path), ("unpack", path)):
        ran = run(*arguments)
        assert not [value for value in hidden if value.hex() in ran.text + ran.err]


# show


@pytest.mark.parametrize("name", SAMPLES)
def test_a_transcript_tells_every_record(tmp_path: Path, name: str) -> None:
    """Hands, gifts, plays and places of every round, with the notice that nothing is judged."""
    done = SAMPLES[name]()
    path = tmp_path / "x.fdl"
    path.write_bytes(bytes(done.data))
    ran = run("show", path)
    assert (ran.code, ran.err) == (0, "")
    assert run("show", "-", stdin=bytes(done.data)) == ran
    assert ran.text.startswith("a transcript of what the log says; nothing was judged: use `fairdeal audit`\n")
    assert ran.text.count(": round ") == len(done.tree.seeds)
    assert "closed: by-rule\n" in ran.text


def test_a_transcript_of_one_round(log: Path) -> None:
    """`--round N` shows that round alone, counted as it stands in the log."""
    whole = run("show", log).text
    for number in (1, 2):
        text = run("show", log, "--round", number).text
        body = text.split("\n", 2)[2]
        assert body.startswith(f"round[{number}]: round {number}, ")
        assert body.strip() in whole
    assert run("show", log, "--round", "0").code == 2
    assert run("show", log, "--round", "x").code == 2


def test_a_round_that_the_log_does_not_have_is_wrong_usage(log: Path) -> None:
    """An empty transcript would look like a round in which nothing happened."""
    refused(run("show", log, "--round", "3"), 2, "--round")


def test_a_transcript_of_a_malformed_log_tells_what_comes_before(log: Path) -> None:
    """What could be read is shown; the end is exit code 3 with the byte."""
    whole = run("show", log).text
    data = log.read_bytes()
    log.write_bytes(data[:-1])
    ran = run("show", log)
    assert ran.code == 3
    assert ran.text.startswith(whole[: whole.index("closed:") - 20])
    assert "the log could not be read further: " in ran.text
    assert ran.err.startswith("error: the log is cut inside a record at byte ")
    log.write_bytes(b"\xc0")
    refused(run("show", log), 3, "at byte 0")


@pytest.mark.parametrize("spoil", [lambda data: data[:200], lambda data: data[:-150], lambda data: data + b"\0"])
def test_a_transcript_never_has_a_verdict(log: Path, spoil: Callable[[bytes], bytes]) -> None:
    """Whatever the log is, a transcript calls nothing verified or refuted."""
    log.write_bytes(spoil(log.read_bytes()))
    text = run("show", log).text
    assert not re.search("verified|refuted|incomplete", text)


def test_evidence_files_are_those_the_simulator_writes(tmp_path: Path) -> None:
    """What `simulate --evidence` writes is all that `audit --evidence` reads."""
    folder = evidence_folder(tmp_path / "held", all_signed())
    assert sorted(path.name for path in folder.iterdir()) == sorted(EVIDENCE_FILES)


def test_findings_of_evidence_are_numbered_in_the_order_given(tmp_path: Path) -> None:
    """The second ticket on the command line is `ticket[2]` in the report."""
    done = all_signed()
    path = tmp_path / "x.fdl"
    path.write_bytes(bytes(done.data))
    good, bad = options(done)["--ticket"]
    tickets: Sequence[str] = [part for one in (good, bad, good) for part in ("--ticket", one)]
    (shown,) = run("audit", path, *tickets, "--require", "rules", "-f", "json").json["reports"]
    assert [one["place"] for one in shown["findings"]] == ["ticket[2]"]
    assert audit(bytes(done.data), Evidence(), ()).findings == ()


def test_an_output_is_never_one_of_the_inputs(tmp_path: Path) -> None:
    """What is said about a log must not replace it."""
    done = played()
    path = tmp_path / "a.fdl"
    path.write_bytes(bytes(done.data))
    refused(run("audit", path, "-o", path), 2, "the output is one of the inputs")
    refused(run("unpack", path, "-o", path), 2, "the output is one of the inputs")
    assert path.read_bytes() == bytes(done.data)
    refused(run("audit", "-", "-"), 2, "standard input can be read once only")


def test_dashes_are_no_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret is never written to, or read from, something called `-`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "terms.toml").write_text("")
    refused(run("commit", "--terms", "terms.toml", "-o", "-"), 2, "no file or folder")
    refused(run("commit", "--terms", "-", "-o", "out"), 2, "no file or folder")
    refused(run("reveal", "--secret", "-", "--round", "1"), 2, "no file or folder")
    assert [path.name for path in tmp_path.iterdir()] == ["terms.toml"]


@pytest.mark.parametrize("option", ["-q", "-v", "--quiet", "--verbose"])
def test_a_global_option_behind_the_command_is_pointed_at(option: str, log: Path) -> None:
    """It is the first thing that one types."""
    ran = run("audit", log, option)
    assert ran.code == 2
    assert ran.err.endswith("hint: -q and -v stand before the command: fairdeal -q audit …\n")
    assert "stand before" not in run("audit", log, "--nonsense").err
