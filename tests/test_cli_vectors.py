"""The four commands on vectors: what they print, their exit codes, and that nothing is ever half said."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from fairdeal.vectors.answers import STAGES
from fairdeal.vectors.client import PROTOCOL
from tests.conftest import ROOT, process, refused, run, shell

VECTORS = ROOT / "vectors" / "v1"
HELLO = json.dumps({"id": 0, "hello": PROTOCOL}) + "\n"
SHUFFLE = json.dumps({"id": 1, "stage": "shuffle", "input": {"cards": [0, 1, 2], "stream": "030102"}}) + "\n"
# Clients as the runner starts them; each says that it has the stages named behind it.
ANSWERS = """
import json, sys
for line in sys.stdin:
    number = json.loads(line)["id"]
    print(json.dumps({"id": number, "stages": sys.argv[1:], %s}), flush=True)
"""
DECLINES = ANSWERS % '"declined": "too \\x1b[2Jbig"'
GUESSES = ANSWERS % '"output": {}'


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """Return a folder with every vector file cut down to its first test, the last one where counts rise."""
    folder = tmp_path / "few"
    folder.mkdir()
    (folder / "match").symlink_to(VECTORS / "match")
    for stage in STAGES:
        document = json.loads((VECTORS / f"{stage}.json").read_text("ascii"))
        first = document["testGroups"][0]
        tests = [first["tests"][-1 if stage == "accumulated" else 0]]
        (folder / f"{stage}.json").write_text(
            json.dumps({**document, "numberOfTests": 1, "testGroups": [{**first, "tests": tests}]})
        )
    return folder


@pytest.fixture
def some(tmp_path: Path) -> Path:
    """Return a folder with two short files of vectors; all others are absent."""
    folder = tmp_path / "some"
    folder.mkdir()
    for stage in ("shuffle", "contributions"):
        shutil.copy(VECTORS / f"{stage}.json", folder)
    return folder


def client(text: str, *stages: str) -> list[str]:
    """Return the command of a client in Python that has these stages."""
    return [sys.executable, "-I", "-S", "-c", text, *stages]


def count_of(stage: str) -> int:
    """Return how many tests a vector file states."""
    document: dict[str, Any] = json.loads((VECTORS / f"{stage}.json").read_text("ascii"))
    return int(document["numberOfTests"])


# --- make


FILES = MappingProxyType({"seeds.json": b"{}\n", "match/sound.fdl": b"\x9b", "match/sound/receipts.txt": b"x\n"})


def test_every_file_that_was_made_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each, which is there with its bytes; a second time they replace themselves."""
    monkeypatch.setattr("fairdeal.vectors.make.vector_files", lambda: FILES)
    folder = tmp_path / "deep" / "v1"
    for _ in range(2):
        ran = run("vectors", "make", folder)
        assert (ran.code, ran.err) == (0, "")
        paths = [Path(line) for line in ran.text.splitlines()]
        assert paths == sorted(path for path in folder.rglob("*") if path.is_file())
        assert {str(path.relative_to(folder)): path.read_bytes() for path in paths} == FILES
    monkeypatch.chdir(tmp_path)
    assert sorted(run("vectors", "make").text.splitlines()) == sorted(f"vectors/v1/{name}" for name in FILES)


def test_making_vectors_never_deletes_what_is_no_vector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistyped folder, say a home, keeps every file: the command is refused or leaves it alone."""
    monkeypatch.setattr("fairdeal.vectors.make.vector_files", lambda: FILES)
    foreign = [tmp_path / "notes.txt", tmp_path / "match" / "letter.odt", tmp_path / "deep" / "er" / "x.json"]
    for path in foreign:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("kept")
    run("vectors", "make", tmp_path)
    assert [path for path in foreign if path.read_text() != "kept"] == []


def test_vectors_are_not_made_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the place of the folder is named and kept."""
    monkeypatch.setattr("fairdeal.vectors.make.vector_files", lambda: FILES)
    path = tmp_path / "v1"
    path.write_text("kept")
    refused(run("vectors", "make", path), 2, str(path))
    assert path.read_text() == "kept"


# --- check


def test_good_vectors_pass(few: Path) -> None:
    """A line for each file; quietly the same, and in detail with what was declined."""
    plain = run("vectors", "check", few)
    lines = [f"{stage}.json: 1 passed, 0 failed" for stage in STAGES if stage != "accumulated"]
    lines.insert(list(STAGES).index("accumulated"), "accumulated.json: declined, test ")
    assert (plain.code, plain.err) == (0, "")
    assert len(plain.text.splitlines()) == len(lines)
    assert all(found.startswith(line) for found, line in zip(plain.text.splitlines(), lines, strict=True))
    assert run("-q", "vectors", "check", few) == plain
    long = run("-v", "vectors", "check", few)
    assert long.code == 0
    extra = [line for line in long.text.splitlines() if line not in plain.text.splitlines()]
    assert len(extra) == 1
    assert extra[0].startswith("  declined: test ")


def test_the_vectors_that_ship_are_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder it is those of the package."""
    monkeypatch.chdir(tmp_path)
    ran = run("-q", "vectors", "check")
    assert ran.code == 0
    assert ran.text.startswith(f"seeds.json: {count_of('seeds')} passed, 0 failed\n")


def test_one_changed_value_is_found(few: Path) -> None:
    """The test is named with the value; quietly it is only counted."""
    path = few / "deal.json"
    path.write_text(re.sub(r'"blind": "..', '"blind": "zz', path.read_text()))
    ran = run("vectors", "check", few)
    assert ran.code == 10
    assert "\ndeal.json: 0 passed, 1 failed\n" in ran.text
    assert re.search(r'(?m)^  test 1 \(.*\): blind is "[0-9a-f]{32}" instead of "zz[0-9a-f]{30}"$', ran.text)
    assert ran.text.count("\n  ") == 1
    quiet = run("-q", "vectors", "check", few)
    assert quiet.code == 10
    assert quiet.text == "".join(line for line in ran.text.splitlines(keepends=True) if not line.startswith("  "))


def test_a_file_that_is_absent_or_broken_has_failed(some: Path) -> None:
    """Nobody has checked what it would say."""
    (some / "seeds.json").write_text("{")
    ran = run("vectors", "check", some)
    assert ran.code == 10
    assert f"shuffle.json: {count_of('shuffle')} passed, 0 failed\n" in ran.text
    assert ran.text.count(": 0 passed, 1 failed\n  the file cannot be read: ") == len(STAGES) - 2
    for stage in STAGES:
        assert f"{stage}.json: " in ran.text


@pytest.mark.parametrize("command", [("check",), ("run", "--", "/no/such/command")])
def test_a_folder_without_vectors_is_wrong_usage(tmp_path: Path, command: tuple[str, ...]) -> None:
    """Nothing to check is never a pass, and no client is started for it."""
    refused(run("vectors", command[0], tmp_path, *command[1:]), 2, f"no vector files at {tmp_path}")


def test_a_folder_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    """It is named."""
    refused(run("vectors", "check", tmp_path / "nowhere"), 2, f"no vector files at {tmp_path / 'nowhere'}")


# --- run


def test_a_wrong_client_fails(some: Path) -> None:
    """Exit code 10, with a line for every value that is not as it should be; quietly without, in detail no more."""
    command = ("vectors", "run", some, "--", *client(GUESSES, "shuffle"))
    ran = run(*command)
    tests = json.loads((VECTORS / "shuffle.json").read_text("ascii"))["testGroups"][0]["tests"]
    refusals = sum(test["result"] == "invalid" for test in tests)
    # of a valid test the order alone is asked for: draws may be left out; of an invalid one result, code and place
    # differ, but a place that is empty is as good as none
    assert ran.code == 10
    found = re.search(r"(?m)^shuffle\.json: 0 passed, (\d+) failed$", ran.text)
    assert found
    assert int(found[1]) >= len(tests) + refusals
    for test in tests:
        assert f"\n  test {test['tcId']} ({test['comment']}): " in ran.text
    quiet = run("-q", *command)
    assert quiet.code == 10
    assert quiet.text == "".join(line for line in ran.text.splitlines(keepends=True) if not line.startswith("  "))
    long = run("-v", *command)
    assert long.code == 10
    assert f"  declined: the stage with its {count_of('contributions')} tests\n" in long.text


def test_a_client_that_declines_everything_has_passed_nothing() -> None:
    """Exit code 11, whether it declines stages or every test of them; why is said in detail."""
    whole = run("vectors", "run", "--", *client(DECLINES))
    lines = [f"{stage}.json: declined, the stage with its {count_of(stage)} tests" for stage in STAGES]
    assert (whole.code, whole.text.splitlines()) == (11, lines)
    command = ("vectors", "run", "--", *client(DECLINES, "shuffle"))
    single = run(*command)
    lines[list(STAGES).index("shuffle")] = f"shuffle.json: {count_of('shuffle')} declined"
    assert (single.code, single.text.splitlines()) == (11, lines)
    long = run("-v", *command)
    assert long.code == 11
    assert long.text.count("): too \\x1b[2Jbig\n") == count_of("shuffle")


def test_a_client_that_declines_one_stage_passes_the_others() -> None:
    """Exit code 0: part of an implementation can be tested from the first day on."""
    ran = run("vectors", "run", "--", sys.executable, "-I", "-S", ROOT / "tests" / "clients" / "reference.py")
    assert (ran.code, ran.err) == (0, "")
    assert f"shuffle.json: {count_of('shuffle')} passed, 0 failed\n" in ran.text
    assert f"match.json: declined, the stage with its {count_of('match')} tests\n" in ran.text


def test_files_that_are_absent_fail_a_run(some: Path) -> None:
    """Also of stages that the client does not have."""
    ran = run("vectors", "run", some, "--", *client(DECLINES, "seeds"))
    assert ran.code == 10
    assert ran.text.count("\n  the file cannot be read: ") == len(STAGES) - 2


@pytest.mark.parametrize("words", [(), ("--",), (VECTORS,), (VECTORS, "--")])
def test_without_a_client_there_is_no_run(words: tuple[object, ...]) -> None:
    """The usage says how to name one."""
    ran = run("vectors", "run", *words)
    assert (ran.code, ran.out) == (2, b"")
    assert "--" in ran.err


def test_a_client_that_cannot_be_run_is_named() -> None:
    """With what to do about it."""
    refused(run("vectors", "run", "--", "/no/such/command"), 2, "`/no/such/command` cannot be run", "`--`")


def test_a_client_that_ends_at_once_is_wrong_usage() -> None:
    """Nothing was asked, so nothing has failed."""
    refused(run("vectors", "run", "--", *client("raise SystemExit(3)")), 2, f"does not speak `{PROTOCOL}`")


def test_time_is_limited() -> None:
    """`--timeout` says to how much; less than a tenth of a second is none."""
    waits = ("/bin/sh", "-c", "exec tail -f /dev/null")
    refused(run("vectors", "run", "--timeout", "0.2", "--", *waits), 2, "no answer within 0.2 seconds")
    for value in ("0", "-1", "nan", "soon"):
        ran = run("vectors", "run", "--timeout", value, "--", *waits)
        assert (ran.code, ran.out) == (2, b"")
        assert "--timeout" in ran.err


@pytest.mark.parametrize("value", ["1e300", "inf"])
def test_time_may_be_as_long_as_one_likes(value: str) -> None:
    """No number is too large for the system's clock."""
    assert run("vectors", "run", "--timeout", value, "--", *client(DECLINES)).code == 11


# --- answer


def test_answers_are_given_line_by_line() -> None:
    """Each request gets its own, in order."""
    ran = run("vectors", "answer", stdin=(HELLO + SHUFFLE + SHUFFLE.replace("030102", "03")).encode())
    assert (ran.code, ran.err) == (0, "")
    assert ran.text.endswith("\n")
    assert [json.loads(line) for line in ran.text.splitlines()] == [
        {"id": 0, "name": "fairdeal", "stages": list(STAGES)},
        {"id": 1, "output": {"draws": [[2, 3, 3, False], [2, 1, 1, True], [1, 2, 0, True]], "order": [2, 0, 1]}},
        {"id": 1, "invalid": {"code": "stream-exhausted", "place": ""}},
    ]


def test_nothing_asked_is_nothing_answered() -> None:
    """The end of the input ends it."""
    assert run("vectors", "answer") == (0, b"", "")


@pytest.mark.parametrize(
    "line", ["x\n", "\n", '{"id"', "[]\n", '{"stage": "seeds"}\n', '{"id": 2, "hello": "fairdeal-vectors/2"}\n']
)
def test_a_line_that_is_no_request_ends_it(line: str) -> None:
    """Exit code 2 and the line's number; the answers before it stand whole, and none comes for it or behind it."""
    ran = run("vectors", "answer", stdin=(HELLO + SHUFFLE + line + SHUFFLE).encode())
    assert ran.code == 2
    assert [json.loads(said)["id"] for said in ran.text.splitlines()] == [0, 1]
    assert ran.text.endswith("\n")
    head, blank, hint, end = ran.err.split("\n")
    assert head.startswith("error: ")
    assert head.endswith(" at line 3")
    assert (blank, end) == ("", "")
    assert hint == f"hint: a request is a line of JSON in the protocol `{PROTOCOL}`"


def test_every_answer_comes_before_the_next_request(tmp_path: Path) -> None:
    """Whoever asks may wait for it: nothing is kept back until more has come."""
    script = """
    mkfifo "$1/in" "$1/out"
    "$PYTHON" -m fairdeal vectors answer <"$1/in" >"$1/out" &
    exec 3>"$1/in" 4<"$1/out"
    for request in "$2" "$3" "$3"; do echo "$request" >&3; read -r answer <&4; echo "$answer"; done
    exec 3>&-
    wait $!
    """
    ran = shell(script, tmp_path, HELLO.strip(), SHUFFLE.strip())
    assert (ran.returncode, ran.stderr) == (0, "")
    assert [json.loads(line)["id"] for line in ran.stdout.splitlines()] == [0, 1, 1]


# --- pipes


@pytest.mark.parametrize("command", ["check few", "run few -- $PYTHON -m fairdeal vectors answer", "answer <requests"])
def test_a_reader_that_has_seen_enough_is_no_error(few: Path, command: str) -> None:
    """After `head` has ended the command does, without a word, with the exit code that it would have had."""
    (few.parent / "requests").write_text(HELLO * 2000)
    script = f'cd "$1"; "$PYTHON" -m fairdeal vectors {command} | head -n 1; echo "${{PIPESTATUS[0]}}"'
    ran = shell(script, few.parent)
    assert ran.stderr == ""
    first, code = ran.stdout.splitlines()
    assert code == "0"
    assert first.startswith(('{"id": 0', "seeds.json: 1 passed"))


@pytest.mark.parametrize("command", ["make", "check", "run", "answer"])
def test_every_command_has_help(command: str) -> None:
    """It costs nothing to ask, and says what the command is for."""
    ran = run("vectors", command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert f"Usage: fairdeal vectors {command}" in ran.text
    assert f"  {command} " in run("vectors", "--help").text


def test_the_module_is_the_command() -> None:
    """In a process of its own, as other programs start it."""
    ran = process("vectors", "answer", preamble="import io\nsys.stdin = io.TextIOWrapper(io.BytesIO(b'x'))")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.startswith(b"error: no request at line 1\n")
