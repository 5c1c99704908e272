"""This implementation as a client of the runner: requests as lines of JSON come in, answers go out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from fairdeal.errors import Misuse
from fairdeal.texts import quoted
from fairdeal.vectors.answers import STAGES, own_answer
from fairdeal.vectors.envelope import INVALID, Declined

PROTOCOL: Final = "fairdeal-vectors/1"
NAME: Final = "fairdeal"


def answers(lines: Iterable[str | bytes]) -> Iterator[str]:
    """Yield the answer to each request; raises `Misuse` at a line that is none."""
    for number, line in enumerate(lines, 1):
        try:
            request = json.loads(line)
            identity = request["id"]
        except (ValueError, TypeError, LookupError, RecursionError):
            raise Misuse("no request", f"line {number}", _HINT) from None
        yield json.dumps({"id": identity, **_answer(request, number)}) + "\n"


_HINT: Final = f"a request is a line of JSON in the protocol `{PROTOCOL}`"


def _answer(request: dict[str, Any], number: int) -> dict[str, Any]:
    if "hello" in request:
        if request["hello"] != PROTOCOL:
            raise Misuse(f"protocol {quoted(request['hello'])}", f"line {number}", _HINT)
        return {"name": NAME, "stages": list(STAGES)}
    stage = request.get("stage")
    if not isinstance(stage, str) or stage not in STAGES:
        return {"declined": f"no stage {quoted(stage)}"}
    try:
        answer = own_answer(stage, request["input"])
    except (Declined, Misuse) as error:  # too much, or an input that the protocol does not have
        return {"declined": str(error)}
    except Exception as error:  # whatever a request asks, the client lives on
        return {"error": f"{type(error).__name__}: {error}"}  # to decline would hide it
    outputs = {key: value for key, value in answer.items() if key != "result"}
    return {"invalid" if answer["result"] == INVALID else "output": outputs}
