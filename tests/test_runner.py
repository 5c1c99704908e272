"""`vectors run` against clients that do everything but what they should: it ends, says so, and leaves none behind."""

from __future__ import annotations

import json
import os
import select
import sys
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairdeal.errors import Misuse
from fairdeal.vectors import envelope, runner
from fairdeal.vectors.answers import STAGES, expected_of, inputs_of
from fairdeal.vectors.check import Result
from fairdeal.vectors.client import PROTOCOL, answers
from fairdeal.vectors.envelope import INVALID, Test
from tests.conftest import ROOT

VECTORS = ROOT / "vectors" / "v1"
LONG = 30.0  # seconds for an answer, where it matters only that it comes
SHORT = 0.5  # where it never comes; a shell has long begun by then
HELLO = {"id": 0, "name": "hostile", "stages": list(STAGES)}

# Answers each request with the next line of a file, whatever is asked, and ends with the last.
PLAYER = """
import sys
for line in open(sys.argv[1], "rb"):
    sys.stdin.readline()
    sys.stdout.buffer.write(line)
    sys.stdout.flush()
"""
# What the clients below begin with: they answer `hello` and have `seeds`.
GREETS = """
import json, os, signal, sys
sys.stdin.readline()
def greet():
    print(json.dumps({"id": 0, "stages": ["seeds"]}), flush=True)
"""
HANGS = "exec tail -f /dev/null"


class Small(NamedTuple):
    """A folder with a few short tests of every stage, and the answer that each expects, `hello` in front."""

    folder: Path
    answers: list[dict[str, Any]]
    stages: list[str]  # of each answer


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Small:
    """Return such a folder: of each stage the shortest valid test and the shortest invalid one."""
    folder = tmp_path_factory.mktemp("small")
    given, stages = [HELLO], [""]
    for stage in STAGES:
        tests = shortest(stage)
        write_tests(folder, stage, tests)
        for test in tests:
            values = expected_of(stage, test)
            kind = "invalid" if values.pop("result") == INVALID else "output"
            given.append({"id": len(given), kind: values})
            stages.append(stage)
    return Small(folder, given, stages)


def shortest(stage: str) -> list[Test]:
    """Return the shortest valid test of a stage and the shortest invalid one, if there is one, with all inputs."""
    tests = envelope.tests_of(json.loads((VECTORS / f"{stage}.json").read_text("ascii")))
    found = []
    for result in ("valid", "invalid"):
        complete = [
            {**{key: value for key, value in one.items() if key not in ("evidence", "logParts", "logHex")}, **asked}
            for one in sorted((one for one in tests if one["result"] == result), key=lambda one: len(str(one)))[:9]
            for asked in [inputs_of(stage, one, VECTORS)]
        ]
        found += sorted(complete, key=lambda one: len(str(one)))[:1]
    return found


def write_tests(folder: Path, stage: str, tests: Iterable[Any]) -> None:
    """Write a vector file with these tests."""
    listed = list(tests)
    document = {"numberOfTests": len(listed), "testGroups": [{"type": stage, "tests": listed}]}
    (folder / f"{stage}.json").write_text(json.dumps(document))


def script(text: str, *arguments: object) -> list[str]:
    """Return the command of a client that is a few lines of Python."""
    return [sys.executable, "-I", "-S", "-c", text, *map(str, arguments)]


def shell(text: str) -> list[str]:
    """Return the command of a client that is a line of shell."""
    return ["/bin/sh", "-c", text]


def player(path: Path, lines: Iterable[object]) -> list[str]:
    """Return the command of a client that answers with these lines, objects as JSON and bytes as they are."""
    encoded = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    path.write_bytes(b"".join(line + b"\n" for line in encoded))
    return script(PLAYER, path)


def outcome(small: Small, command: list[str], timeout: float = LONG) -> dict[str, Result]:
    """Return the outcome of a client by stage; there is one for every stage."""
    results = {result.file.removesuffix(".json"): result for result in runner.run(small.folder, command, timeout)}
    assert list(results) == list(STAGES)
    return results


def answered(small: Small, path: Path, changed: dict[int, object]) -> dict[str, Result]:
    """Return the outcome of a client whose answers are right but for those `changed` by number."""
    return outcome(small, player(path, [changed.get(number, one) for number, one in enumerate(small.answers)]))


def assert_only_this_failed(small: Small, results: dict[str, Result], number: int, words: str) -> None:
    """Check that the test with this number of an answer has failed, that a line says why, and all others passed."""
    for stage, result in results.items():
        here = stage == small.stages[number]
        assert result.passed == small.stages.count(stage) - here, result
        assert bool(result.failures) == here, result
        assert not result.declined
    assert any(words in line for line in results[small.stages[number]].failures), results[small.stages[number]]


def number_of(small: Small, stage: str) -> int:
    """Return the number of the first answer of a stage, that to a valid test."""
    return small.stages.index(stage)


def gone(pid: int) -> bool:
    """Return whether there is no such process any more, not even one that nobody waited for."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


# --- sound clients


def test_right_answers_pass(small: Small, tmp_path: Path) -> None:
    """Nothing fails and nothing is declined."""
    results = answered(small, tmp_path / "answers", {})
    for stage, result in results.items():
        assert result == (f"{stage}.json", small.stages.count(stage), [], [])


def test_our_own_answers_are_those(small: Small) -> None:
    """The client that ships gives the same answers to the same requests, whether they come as texts or as bytes."""
    requests: list[dict[str, Any]] = [{"id": 0, "hello": PROTOCOL}]
    for stage in STAGES:
        document = json.loads((small.folder / f"{stage}.json").read_text())
        for test in envelope.tests_of(document):
            requests.append({"id": len(requests), "stage": stage, "input": inputs_of(stage, test, small.folder)})
    lines = [json.dumps(one) for one in requests]
    said = [json.loads(line) for line in answers(lines)]
    assert said[0]["stages"] == list(STAGES)
    assert said[1:] == small.answers[1:]
    assert [json.loads(line) for line in answers([line.encode() for line in lines])] == said


def test_a_client_may_end_in_its_own_way(small: Small, tmp_path: Path) -> None:
    """The end of its input ends it, and it has time for what it does last."""
    mark = tmp_path / "mark"
    text = GREETS + "greet()\nfor line in sys.stdin: print(json.dumps({'id': json.loads(line)['id']}), flush=True)\n"
    outcome(small, script(text + "open(sys.argv[1], 'w').write('done')", mark))
    assert mark.read_text() == "done"


def test_standard_error_is_free(small: Small, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What a client writes there is no answer; people see it."""
    path = tmp_path / "answers"
    player(path, small.answers)
    noise = "import os\nos.write(2, b'look: {\"id\": 0}\\n' * 1000)\n"
    results = outcome(small, script(noise + PLAYER, path))
    assert not any(result.failures for result in results.values())
    assert capfd.readouterr().err == 'look: {"id": 0}\n' * 1000


# --- hello


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "does not speak"),
        ("raise SystemExit(3)", "does not speak"),
        ("print('hello')", "the answer is no JSON"),
        ("print()", "the answer is no JSON"),
        ("print('[]')", "the id 0"),
        ("print('{}')", "the id 0"),
        ('print(\'{"id": 1, "stages": []}\')', "the id 0"),
        ('print(\'{"id": false, "stages": []}\')', "the id 0"),
        ("print('{\"id\": 0}')", "which stages it has, only `['id']`"),
        ('print(\'{"id": 0, "stages": "seeds"}\')', "which stages it has, only `['id', 'stages']`"),
        ("import json\nif json.loads(input())['hello'] != 'fairdeal-vectors/2': raise SystemExit(3)", "does not speak"),
    ],
)
def test_without_a_sound_hello_there_is_no_run(small: Small, text: str, words: str) -> None:
    """A client that dies, speaks another protocol or something else is refused at once."""
    reads = "import sys\nsys.stdin.readline()\n" if "print" in text else ""  # else it may be gone before it is asked
    with pytest.raises(Misuse) as caught:
        list(runner.run(small.folder, script(reads + text), LONG))
    assert words in caught.value.what
    assert caught.value.hint


def test_stages_that_nobody_knows_are_passed_over(small: Small, tmp_path: Path) -> None:
    """Those that are known are asked, all others are declined as a whole."""
    hello = HELLO | {"stages": ["nonsense", "shuffle", 5, None, ["seeds"], {"seeds": 1}, "SEEDS", "shuffle.json"]}
    asked = [one for one, stage in zip(small.answers, small.stages, strict=True) if stage == "shuffle"]
    lines = [hello, *({**one, "id": number} for number, one in enumerate(asked, 1))]
    for stage, result in outcome(small, player(tmp_path / "answers", lines)).items():
        count = small.stages.count(stage)
        whole = Result(f"{stage}.json", 0, [], [f"the stage with its {count} tests"])
        assert result == (whole if stage != "shuffle" else Result("shuffle.json", count, [], []))


@pytest.mark.parametrize("command", ["/no/such/command", "/", "", "a\0b"])
def test_a_command_that_cannot_be_run(small: Small, command: str) -> None:
    """It is named, with what to do about it."""
    with pytest.raises(Misuse, match="cannot be run") as caught:
        list(runner.run(small.folder, [command], LONG))
    assert "`--`" in caught.value.hint


# --- answers that are none


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", "the answer is no JSON"),
        (b"passed", "the answer is no JSON"),
        (b'{"id": 3', "the answer is no JSON"),
        (b"\xff\xfe", "the answer is no JSON"),
        (b"[" * 100_000, "the answer is no JSON"),
        (b"9" * 5000, "the answer is no JSON"),
        (b"3", "no object with the id 3"),
        (b"null", "no object with the id 3"),
        (b"{}", "no object with the id 3"),
        (b'{"id": null}', "no object with the id 3"),
        (b'{"id": "3"}', "no object with the id 3"),
        (b'{"id": 3.0}', "no object with the id 3"),
        (b'{"id": 2}', "no object with the id 3"),
        (b'{"id": 3}', "not exactly one of `output`, `invalid`, `declined`"),
        (b'{"id": 3, "error": "out of memory"}', "`declined`: out of memory"),
        (b'{"id": 3, "output": {}, "invalid": {}}', "not exactly one of"),
        (b'{"id": 3, "output": {}, "declined": ""}', "not exactly one of"),
        (b'{"id": 3, "output": null}', "`output` is no object"),
        (b'{"id": 3, "output": "passed"}', "`output` is no object"),
        (b'{"id": 3, "invalid": ["malformed", ""]}', "`invalid` is no object"),
        (b'{"id": 3, "output": {"result": "valid"}}', "`output` is no object"),
        (b'{"id": 3, "output": {}}', " instead of "),
        (b'{"id": 3, "invalid": {}}', "result is "),
        (b'{"id": 3, "invalid": {"code": "malformed", "place": ""}}', "result is "),
    ],
)
def test_one_answer_that_is_none_fails_one_test(small: Small, tmp_path: Path, line: bytes, words: str) -> None:
    """The run goes on with the next test."""
    results = answered(small, tmp_path / "answers", {3: line})
    assert_only_this_failed(small, results, 3, words)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
ANSWERS = st.dictionaries(st.sampled_from(["output", "invalid", "error", "id"]) | st.text(), JSON, max_size=3)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ANSWERS, st.sampled_from(["output", "invalid"]), st.dictionaries(st.text(), JSON, min_size=1, max_size=3))
def test_whatever_an_answer_holds_the_run_goes_on(
    small: Small, tmp_path: Path, stray: dict[str, Any], kind: str, values: dict[str, Any]
) -> None:
    """Any object in place of one answer, and any values in place of those of another, fail just these two tests."""
    numbers = number_of(small, "deal"), number_of(small, "score")
    changed: dict[int, object] = {numbers[0]: {"id": numbers[0], **stray}, numbers[1]: {"id": numbers[1], kind: values}}
    results = answered(small, tmp_path / "answers", changed)
    for stage, result in results.items():
        wrong = stage in ("deal", "score")
        assert result.passed == small.stages.count(stage) - wrong
        assert bool(result.failures) == wrong
        for line in result.failures:
            assert line.isprintable()
            assert len(line) < 1000


def test_answers_nested_as_deep_as_python_goes(small: Small, tmp_path: Path) -> None:
    """Where one can still be read, but perhaps no more be shown, it is wrong like any other and nothing breaks."""
    depths = list(range(sys.getrecursionlimit() - 150, sys.getrecursionlimit()))
    while depths:
        changed: dict[int, object] = {}
        for number, one in enumerate(small.answers[1:], 1):
            for kind in one.keys() & {"output", "invalid"}:
                depth, key = depths.pop() if depths else 1, next(iter(one[kind])).encode()
                nested = b"[" * depth + b"]" * depth
                changed[number] = b'{"id": %d, "%s": {"%s": %s}}' % (number, kind.encode(), key, nested)
        for stage, result in answered(small, tmp_path / "answers", changed).items():
            assert (result.passed, result.declined) == (0, [])
            assert len(result.failures) >= small.stages.count(stage)


def test_an_answer_too_deep_to_be_compared(small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has failed, and the next test is asked; how deep that is differs from Python to Python."""

    def exhausted(stage: str, *_: object) -> list[str]:
        if stage == "deal":
            raise RecursionError
        return []

    monkeypatch.setattr(runner, "differences", exhausted)
    for stage, result in answered(small, tmp_path / "answers", {}).items():
        wrong = [line.endswith(": the answer is nested too deep") for line in result.failures]
        assert wrong == [True] * small.stages.count(stage) * (stage == "deal")


def test_answers_out_of_order_fail(small: Small, tmp_path: Path) -> None:
    """Right answers do not count for another test, and those after them do."""
    first = number_of(small, "play")
    changed: dict[int, object] = {first: small.answers[first + 1], first + 1: small.answers[first]}
    results = answered(small, tmp_path / "answers", changed)
    assert results["play"].passed == 0
    assert len(results["play"].failures) == 2
    assert not any(result.failures for stage, result in results.items() if stage != "play")


def test_an_answer_too_many_shifts_all_others(small: Small, tmp_path: Path) -> None:
    """Nothing passes from there on: no answer stands where it is asked for."""
    lines = [*small.answers[:2], {"id": 1, "output": {}}, *small.answers[2:]]
    results = outcome(small, player(tmp_path / "answers", lines))
    assert sum(result.passed for result in results.values()) == 1
    assert sum(len(result.failures) for result in results.values()) == len(small.answers) - 2


# --- values


@pytest.mark.parametrize("stage", STAGES)
def test_every_value_must_be_there_and_no_other(small: Small, tmp_path: Path, stage: str) -> None:
    """A value more or one less fails; one on the way to others may be left out, which is said and counted."""
    number = number_of(small, stage)
    values = small.answers[number]["output"]
    more = {"id": number, "output": {**values, "more": 0}}
    results = answered(small, tmp_path / "answers", {number: more})
    assert_only_this_failed(small, results, number, "`more` is no value to give here")
    for name in values:
        less = {"id": number, "output": {key: value for key, value in values.items() if key != name}}
        results = answered(small, tmp_path / "answers", {number: less})
        if name in STAGES[stage].intermediate:
            assert not any(result.failures for result in results.values())
            assert results[stage].passed == small.stages.count(stage)
            assert len(results[stage].declined) == 1
            assert results[stage].declined[0].endswith(f": the value {name}")
        else:
            assert_only_this_failed(small, results, number, f"{name} is null instead of ")


def test_all_intermediate_values_may_be_left_out(small: Small, tmp_path: Path) -> None:
    """Each is counted by itself."""
    changed: dict[int, object] = {}
    left_out: dict[str, int] = {}
    for number, stage in enumerate(small.stages[1:], 1):
        if "output" in small.answers[number]:
            values = small.answers[number]["output"]
            kept = {key: value for key, value in values.items() if key not in STAGES[stage].intermediate}
            changed[number] = {"id": number, "output": kept}
            left_out[stage] = len(values) - len(kept)
    results = answered(small, tmp_path / "answers", changed)
    for stage, result in results.items():
        assert (result.passed, result.failures) == (small.stages.count(stage), [])
        assert len(result.declined) == left_out[stage]
    assert sum(left_out.values()) > 5


def test_a_test_that_is_declined_has_not_passed(small: Small, tmp_path: Path) -> None:
    """It has not failed either; why it was declined is shown as one line that no terminal obeys."""
    why = ["too big", "", 5, None, ["a"], "\x1b[2J\r\n", "\ud800", "x" * 10_000]
    changed: dict[int, object] = {
        number: {"id": number, "declined": why[number % len(why)]} for number in range(1, len(small.answers))
    }
    results = answered(small, tmp_path / "answers", changed)
    for stage, result in results.items():
        assert (result.passed, result.failures) == (0, [])
        assert len(result.declined) == small.stages.count(stage)
        for line in result.declined:
            assert line.isprintable()
            assert len(line) < 1000
    assert any("\\x1b[2J" in line for result in results.values() for line in result.declined)


# --- clients that hang, die, flood


def test_a_client_that_never_answers(small: Small, tmp_path: Path) -> None:
    """Its time is limited, and it is ended although it waits for ever."""
    mark = tmp_path / "pid"
    with pytest.raises(Misuse, match=r"no answer within 0\.5 seconds"):
        list(runner.run(small.folder, shell(f"echo $$ > '{mark}'; {HANGS}"), SHORT))
    assert gone(int(mark.read_text()))


def test_what_a_wrapper_has_started_is_ended_too(small: Small, tmp_path: Path) -> None:
    """A client is often behind a shell or a package manager, and would go on without it."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    text = "import os, signal, sys\nos.open(sys.argv[2], os.O_WRONLY)\n" + PLAYER + "signal.pause()"
    player(tmp_path / "answers", small.answers)
    command = ["/bin/sh", "-c", '"$@"; true', "sh", *script(text, tmp_path / "answers", path)]
    results = runner.run(small.folder, command, LONG)
    assert next(results).failures == []
    cast("Generator[Result]", results).close()
    poll = select.poll()
    poll.register(reader, select.POLLIN)
    assert poll.poll(60_000)  # that nobody holds the other end any more
    assert os.read(reader, 1) == b""
    os.close(reader)


def test_a_client_that_dies_in_the_middle(small: Small, tmp_path: Path) -> None:
    """What it has answered counts; every test that is left has failed, of stages to come as well."""
    results = outcome(small, player(tmp_path / "answers", small.answers[:4]))
    assert sum(result.passed for result in results.values()) == 3
    for stage, result in results.items():
        count = small.stages.count(stage)
        assert not result.declined
        if result.passed < count:
            assert f"{count - result.passed} of {count} tests have no answer" in result.failures


def test_an_answer_that_is_cut_by_the_end(small: Small, tmp_path: Path) -> None:
    """Half an answer is none; a whole one without the end of its line counts."""
    path = tmp_path / "answers"
    for cut, passed in ((1, 2), (2, 1)):
        command = player(path, small.answers[:3])
        path.write_bytes(path.read_bytes()[:-cut])
        results = outcome(small, command)
        assert sum(result.passed for result in results.values()) == passed


def test_a_client_that_reads_no_more(tmp_path: Path) -> None:
    """The time for an answer is also that for taking a request, which may be larger than a pipe."""
    write_tests(tmp_path, "seeds", [{**shortest("seeds")[0], "listed": [1] * 100_000}] * 3)
    command = shell(f"""read line; echo '{{"id": 0, "stages": ["seeds"]}}'; {HANGS}""")
    results = {result.file: result for result in runner.run(tmp_path, command, SHORT)}
    assert results["seeds.json"].passed == 0
    assert "no answer within 0.5 seconds" in results["seeds.json"].failures[0]
    assert results["seeds.json"].failures[1] == "3 of 3 tests have no answer"


def test_a_client_that_closes_its_input(small: Small, tmp_path: Path) -> None:
    """That is seen at once, and it is not left waiting."""
    mark = tmp_path / "pid"
    text = GREETS + "open(sys.argv[1], 'w').write(str(os.getpid()))\nos.close(0)\ngreet()\nsignal.pause()"
    results = outcome(small, script(text, mark))
    assert results["seeds"].passed == 0
    assert "reads no more requests" in results["seeds"].failures[0]
    assert gone(int(mark.read_text()))


def test_a_line_without_an_end(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read up to a limit; what comes behind is no answer to anything."""
    monkeypatch.setattr(runner, "MAX_ANSWER", 10_000)
    endless = "while True: sys.stdout.write('[' * 4096)"
    with pytest.raises(Misuse, match="more than 10000 bytes without an end"):
        list(runner.run(small.folder, script("import sys\n" + endless), LONG))
    results = outcome(small, script(GREETS + "greet()\n" + endless))
    assert results["seeds"].passed == 0
    assert "more than 10000 bytes" in results["seeds"].failures[0]


def test_output_without_an_end(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line counts for one request, however many there are; the flood ends with the run."""
    monkeypatch.setattr(runner, "GRACE", 0.1)
    results = outcome(small, script(GREETS + "while True: greet()"))
    count = small.stages.count("seeds")
    assert (results["seeds"].passed, len(results["seeds"].failures)) == (0, count)


def test_a_run_that_is_broken_off_ends_the_client(small: Small, tmp_path: Path) -> None:
    """Whoever stops asking leaves no process behind."""
    mark = tmp_path / "pid"
    text = "import os, sys\nopen(sys.argv[2], 'w').write(str(os.getpid()))\n" + PLAYER
    player(tmp_path / "answers", small.answers)
    results = runner.run(small.folder, script(text, tmp_path / "answers", mark), LONG)
    assert next(results).failures == []
    assert not gone(int(mark.read_text()))
    cast("Generator[Result]", results).close()
    assert gone(int(mark.read_text()))


# --- broken vectors


def test_a_folder_without_vectors_is_refused(tmp_path: Path) -> None:
    """No client is started for it."""
    with pytest.raises(Misuse, match="no vector files"):
        list(runner.run(tmp_path, ["/no/such/command"], LONG))


def spoilt(change: Callable[[Test], object]) -> Callable[[str], str]:
    """Return what changes the tests of a vector file by `change`."""

    def spoil(text: str) -> str:
        document = json.loads(text)
        for test in document["testGroups"][0]["tests"]:
            change(test)
        return json.dumps(document)

    return spoil


def replaced_by(text: str) -> Callable[[str], str]:
    """Return what puts `text` in the place of a vector file."""
    return lambda _: text


@pytest.mark.parametrize(
    ("stage", "change", "readable"),
    [
        ("seeds", replaced_by(""), False),
        ("seeds", replaced_by("[]"), False),
        ("seeds", replaced_by('{"numberOfTests": 1, "testGroups": [{"tests": [5]}]}'), False),
        ("seeds", replaced_by('{"numberOfTests": 1, "testGroups": [{"tests": [{}]}]}'), True),
        ("seeds", lambda text: text[:-9], False),
        ("seeds", lambda text: text.replace('"numberOfTests": ', '"numberOfTests": 9'), False),
        ("seeds", spoilt(lambda test: test.pop("result")), True),
        ("codec", spoilt(lambda test: test.pop("log")), True),
        ("codec", spoilt(lambda test: test.update(logParts=5)), True),
        ("match", spoilt(lambda test: test.update(log="match/absent.fdl")), True),
        ("match", spoilt(lambda test: test.update(evidence=5)), True),
    ],
)
def test_a_vector_that_cannot_be_read_has_failed(
    small: Small, tmp_path: Path, stage: str, change: Callable[[str], str], *, readable: bool
) -> None:
    """The run goes on; a file that cannot be read at all has failed even where the client does not have its stage."""
    for name in STAGES:
        text = (small.folder / f"{name}.json").read_text()
        (tmp_path / f"{name}.json").write_text(change(text) if name == stage else text)
    declining = script(
        "import json, sys\nfor line in sys.stdin:\n"
        "    said = {'id': json.loads(line)['id'], 'stages': sys.argv[1:], 'declined': ''}\n"
        "    print(json.dumps(said), flush=True)",
        *STAGES,
    )
    for command in (declining, [one for one in declining if one != stage]):
        results = {result.file.removesuffix(".json"): result for result in runner.run(tmp_path, command, LONG)}
        assert list(results) == list(STAGES)
        assert bool(results[stage].failures) == (command is declining or not readable)
        assert not any(result.failures for name, result in results.items() if name != stage)


def test_a_file_that_is_absent_has_failed(small: Small, tmp_path: Path) -> None:
    """Nobody has asked what it would ask."""
    write_tests(tmp_path, "seeds", shortest("seeds"))
    command = player(tmp_path / "answers", [HELLO, *small.answers[1:]])
    results = {result.file: result for result in runner.run(tmp_path, command, LONG)}
    assert results.pop("seeds.json").failures == []
    assert all(result.passed == 0 and len(result.failures) == 1 for result in results.values())


# --- our own client


def test_our_client_answers_only_what_it_is_asked() -> None:
    """A stage that is none and values outside the protocol are declined, what is no input is an error; none ends it."""
    strange: list[object] = [None, 5, "x", []]
    no_stages: list[object] = ["nonsense", None, 5, [], {}, ["seeds"], "seeds"]
    asked: list[dict[str, Any]] = [{"stage": stage, "input": {}} for stage in STAGES]
    asked += [{"stage": stage, "input": given} for stage in STAGES for given in strange]
    asked += [{"stage": stage} for stage in no_stages]
    asked += [{"stage": "score", "input": {"rules": {}}}, {"stage": "shuffle", "input": {"cards": 1 << 70}}, {}]
    short = {"secret": "00", "termsHash": "00" * 32, "rounds": 1, "listed": []}
    outside = [{"stage": "seeds", "input": short}, {"stage": "accumulated", "input": {"what": "shuffles", "count": 0}}]
    asked += outside
    lines = [json.dumps({"id": number, **one}) for number, one in enumerate(asked)]
    for number, line in enumerate(answers(lines)):
        said = json.loads(line)
        assert said.pop("id") == number
        assert said.keys() in ({"declined"}, {"error"}), said
        assert ("declined" in said) == (asked[number] in outside or asked[number].get("stage") not in list(STAGES))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "\n",
        "x",
        "5",
        "null",
        "[]",
        "{}",
        '{"stage": "seeds"}',
        "[" * 100_000,
        '{"id": 1, "hello": "other/1"}',
        "\ud800",
    ],
)
def test_our_client_ends_at_what_is_no_request(line: str) -> None:
    """It names the line; the answers before have been given."""
    said = answers([json.dumps({"id": 0, "hello": PROTOCOL}), line])
    assert json.loads(next(said))["id"] == 0
    with pytest.raises(Misuse) as caught:
        next(said)
    assert caught.value.where == "line 2"
