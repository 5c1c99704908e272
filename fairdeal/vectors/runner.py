"""Testing any implementation: the vectors' inputs go to its client, line by line, and its answers are compared.

The protocol is described in `vectors/README.md`, "Testing an implementation". Whatever a client does, and be it to
hang, to die or to send nonsense, the run goes on to its end and says so.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, cast

from fairdeal.errors import Misuse
from fairdeal.texts import printable, quoted
from fairdeal.vectors.answers import STAGES, Answer, inputs_of
from fairdeal.vectors.check import SHOWN, Result, differences, name_of, read_tests, require_some
from fairdeal.vectors.client import PROTOCOL
from fairdeal.vectors.envelope import INVALID, VALID, Test

MAX_ANSWER: Final = 1 << 24  # bytes; no answer to a vector comes near
GRACE: Final = 2.0  # seconds that a client may take to end once it is asked no more
ANSWERS: Final = ("output", "invalid", "declined")  # an answer has one of these


class ClientError(Exception):
    """The client did not answer as the protocol asks; the message says what it did instead."""


class Client:
    """A running client. Use it as a context: it is ended with it, by force if need be.

    `gone` says that it hung or ended, after which nothing more is asked.
    """

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        """Start `command`; raises `Misuse` where that cannot be done. An answer may take `timeout` seconds."""
        try:
            # a group of its own, so that what a client that is only a wrapper has started is ended with it
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise Misuse(
                f"`{command[0]}` cannot be run: {error}", hint="give the client's command after `--`"
            ) from None
        self._timeout = min(timeout, threading.TIMEOUT_MAX)
        self._requests: queue.Queue[bytes | None] = queue.Queue()
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._next = 0
        self.gone = False
        self._thread = threading.Thread(target=self._converse, daemon=True)
        self._thread.start()

    def _converse(self) -> None:
        """Send each request and take one line for it, until there is no request or no client.

        That is done beside the caller, since a client that does not read can block the one as well as the other.
        """
        requests, answers = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        with suppress(OSError), answers, requests:
            for request in iter(self._requests.get, None):
                if not self._takes(request, requests):
                    break
                self._lines.put(answers.readline(MAX_ANSWER))
            else:
                requests.close()
                while answers.read(MAX_ANSWER):
                    pass  # what nobody asked for
        self._lines.put(None)

    def _takes(self, request: bytes, requests: IO[bytes]) -> bool:
        """Send a request; return whether there may be an answer: a client that ended may have given it before."""
        try:
            requests.write(request)
            requests.flush()
        except BrokenPipeError:
            try:
                self._process.wait(GRACE)
            except subprocess.TimeoutExpired:
                return False
        return True

    def ask(self, **request: object) -> dict[str, Any]:
        """Return the client's answer to one request; raises `ClientError` where there is no sound one."""
        if self.gone:
            raise ClientError("the client is gone")
        number, self._next = self._next, self._next + 1
        self._requests.put((json.dumps({"id": number, **request}) + "\n").encode("ascii"))
        line = self._line()
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise ClientError("the answer is no JSON") from None
        if not isinstance(answer, dict) or type(answer.get("id")) is not int or answer["id"] != number:
            raise ClientError(f"the answer is no object with the id {number}")
        return answer

    def _line(self) -> bytes:
        """Return the next line of the client, which is gone where there is none."""
        try:
            line = self._lines.get(timeout=self._timeout)
        except queue.Empty:
            why = f"no answer within {self._timeout:g} seconds"
        else:
            if line and len(line) < MAX_ANSWER:
                return line
            if line is None:
                why = "the client reads no more requests"
            else:
                why = f"more than {MAX_ANSWER} bytes without an end" if line else "the client ended without an answer"
        self.gone = True
        raise ClientError(why)

    def __enter__(self) -> Client:
        """Return the client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the client: it may do so itself, unless it hangs, and is killed with all it has started."""
        self._requests.put(None)
        if kind is None and not self.gone:
            self._thread.join(min(self._timeout, GRACE))
        with suppress(OSError, subprocess.TimeoutExpired):  # one that took another user's rights cannot be killed
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(GRACE)
        self._thread.join(GRACE)


def run(folder: Path, command: Sequence[str], timeout: float) -> Iterator[Result]:
    """Yield the outcome of every stage for the client that `command` starts; raises `Misuse` where it does not start.

    After a client that hung or died every test that is left has failed.
    """
    require_some(folder)
    with Client(command, timeout) as client:
        try:
            hello = client.ask(hello=PROTOCOL)
        except ClientError as error:
            raise Misuse(f"the client does not speak `{PROTOCOL}`: {error}", hint=_HINT) from None
        stages = hello.get("stages")
        if not isinstance(stages, list):
            raise Misuse(f"the client does not say which stages it has, only {quoted(sorted(hello))}", hint=_HINT)
        for stage in STAGES:
            yield _run_stage(client, stage, folder, asked=stage in stages)


_HINT: Final = "the protocol is described in the README of the vectors"


def _run_stage(client: Client, stage: str, folder: Path, *, asked: bool) -> Result:
    path = folder / f"{stage}.json"
    tests, failures = read_tests(path)
    result = Result(path.name, 0, failures, [])
    if not asked:
        result.declined.append(f"the stage with its {len(tests)} tests")
        return result
    for number, test in enumerate(tests):
        try:
            given = inputs_of(stage, test, folder)
        except (LookupError, TypeError, ValueError, OSError) as error:
            failures.append(f"{name_of(test)}: {type(error).__name__}: {error}")
            continue
        try:
            answer = client.ask(stage=stage, input=given)
        except ClientError as error:
            failures.append(f"{name_of(test)}: {error}")
            if client.gone:
                failures.append(f"{len(tests) - number} of {len(tests)} tests have no answer")
                break
        else:
            result = _judged(result, stage, test, answer)
    return result


def _judged(result: Result, stage: str, test: Test, response: dict[str, Any]) -> Result:
    """Return the result with this test's added; a test that was declined has neither passed nor failed."""
    found = [name for name in ANSWERS if name in response]
    try:
        if found == ["declined"]:
            result.declined.append(f"{name_of(test)}: {_words(response['declined'])}")
            return result
        answer = _answer_of(response, found)
        wrong = differences(stage, test, answer)
    except ClientError as error:
        wrong = [str(error)]
    except RecursionError:
        wrong = ["the answer is nested too deep"]
    if wrong:
        result.failures.extend(f"{name_of(test)}: {_words(line)}" for line in wrong)
        return result
    left_out = sorted(STAGES[stage].intermediate & set(test) - set(answer)) if test["result"] == VALID else []
    result.declined.extend(f"{name_of(test)}: the value {name}" for name in left_out)
    return result._replace(passed=result.passed + 1)


def _answer_of(response: dict[str, Any], found: Sequence[str]) -> Answer:
    """Return the answer as stages give theirs; raises `ClientError` where the response does not hold just one."""
    if len(found) != 1:
        why = f": {response['error']}" if "error" in response else ""
        raise ClientError(f"the answer has not exactly one of `{'`, `'.join(ANSWERS)}`{why}")
    values = response[found[0]]
    if not isinstance(values, dict) or "result" in values:
        raise ClientError(f"`{found[0]}` is no object with the values of its stage")
    return {**values, "result": INVALID if found[0] == "invalid" else VALID}


def _words(value: object) -> str:
    """Return what a client wrote as a line shows it: short, and without what a terminal would obey."""
    text = printable(str(value))
    return text if len(text) <= 3 * SHOWN else f"{text[: 3 * SHOWN]}…"
