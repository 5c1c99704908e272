"""The vector file of the log's encoding: logs with all their records, and bytes that are none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from fairdeal.simulate import Simulated
from fairdeal.vectors.answers import own_answer
from fairdeal.vectors.broken.clocked import clocked_logs, timed_logs
from fairdeal.vectors.broken.edges import edge_logs
from fairdeal.vectors.broken.limits import limit_logs
from fairdeal.vectors.broken.records import broken_records
from fairdeal.vectors.broken.small import Broken
from fairdeal.vectors.broken.terms import broken_terms
from fairdeal.vectors.envelope import Stage, Test
from fairdeal.vectors.stages.claims import claimed


def recompute(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a test of this stage must state, computed from its inputs."""
    return own_answer("codec", test)


def codec_stage(samples: Sequence[Simulated]) -> Stage:
    """Return the tests of the log's encoding: whole matches, small logs at every edge, and what is beyond."""
    header = [
        "A log in hexadecimal and its records as `fairdeal unpack` writes them, or the byte offset at which it is",
        "malformed or unsupported. What stands before that offset is still judged. Where parts of a log repeat it is",
        "given as `logParts`, a list of [hexadecimal, times]: each part stands so many times, one after the other,",
        "and all parts joined are the log. All records are listed, also those in the wrong place. A test of a limit",
        "where just as much stands as may ends in a record of an unknown kind, which is where reading stops.",
    ]
    whole = [(f"a whole match of {len(sample.terms.seats)} seats", bytes(sample.data)) for sample in samples]
    sound = [
        claimed(recompute, comment, {"log": data.hex()}) for comment, data in chain(whole, edge_logs(), timed_logs())
    ]
    return Stage("codec", header, [*sound, *map(_broken, _all_broken())])


def _all_broken() -> Iterator[Broken]:
    return chain(broken_terms(), broken_records(), clocked_logs(), limit_logs())


def _broken(one: Broken) -> Test:
    """Return the test of a broken log; its bytes as parts only where one of them repeats."""
    log = b"".join(data * times for data, times in one.parts).hex()
    test = claimed(recompute, one.comment, {"log": log}, one.code, one.place)
    if any(times > 1 for _, times in one.parts):
        del test["log"]
        test["logParts"] = [[data.hex(), times] for data, times in one.parts]
    return test
