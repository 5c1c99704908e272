"""What an operator signed twice: a file that proves it to anybody, and nothing else does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.archive.equivocation import check_equivocation, contradiction, signed_prefixes
from fairdeal.codec import Log
from fairdeal.errors import Malformed
from fairdeal.hashing import file_digest
from fairdeal.records import OPERATOR, CloseReason
from fairdeal.sign import public_key, sign, signed_message
from tests.archive.making import OPERATORS, Wanted, written

KEY, OTHER = OPERATORS[:2]
LOG = written(Wanted(1, key=KEY))
SAME_NUMBER = written(Wanted(2, sequence=1, key=KEY))
SAME_MATCH = written(Wanted(1, key=KEY, leads=1))
VOID = written(Wanted(1, key=KEY, close=CloseReason.STOPPED))
PAIRS = {"two matches": (LOG, SAME_NUMBER), "two histories": (LOG, SAME_MATCH), "a result and none": (LOG, VOID)}


def evidence(first: bytes = LOG, second: bytes = SAME_MATCH) -> dict[str, Any]:
    text = contradiction(first, second)
    assert text is not None
    document: dict[str, Any] = json.loads(text)
    return document


def refused(document: object) -> str:
    with pytest.raises(Malformed) as caught:
        check_equivocation(document if isinstance(document, str) else json.dumps(document))
    return str(caught.value)


@pytest.mark.parametrize("pair", PAIRS)
def test_a_contradiction_is_proven_to_anybody(pair: str) -> None:
    for first, second in (PAIRS[pair], PAIRS[pair][::-1]):
        text = contradiction(first, second)
        assert text is not None
        assert len(text) < 5_000
        what = "two matches under number 1" if pair == "two matches" else "two histories of match"
        assert f"the operator {public_key(KEY).hex()} signed {what}" in check_equivocation(text)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (LOG, LOG),
        (LOG, LOG[:-100]),
        (LOG, written(Wanted(2, key=KEY))),
        (LOG, written(Wanted(2, sequence=1, key=OTHER))),
        (LOG, SAME_MATCH[:-67]),
        (written(Wanted(1)), written(Wanted(1, leads=1))),
        (LOG, SAME_MATCH[:-1] + b"\0"),
        (LOG, b"no log"),
    ],
    ids=["the same", "a beginning", "another number", "another operator", "not signed", "no key", "bad", "no log"],
)
def test_nothing_else_is_one(first: bytes, second: bytes) -> None:
    assert contradiction(first, second) is None
    assert contradiction(second, first) is None


def test_what_is_signed_are_beginnings() -> None:
    """Of the lock and of the close, each where its signature stands behind it."""
    found = signed_prefixes(LOG)
    assert len(found) == 2
    for one in found:
        assert LOG.startswith(one.prefix)
        assert LOG[len(one.prefix) :].find(one.signature) == 5
    assert signed_prefixes(written(Wanted(1))) == []
    assert [one.prefix for one in signed_prefixes(LOG[:-1])] == [found[0].prefix]


def test_files_that_are_no_evidence() -> None:
    good = evidence()
    one, other = good["signed"]
    for wrong in (
        "",
        "{",
        "[]",
        "[" * 100_000,
        "null",
        {},
        good | {"format": "fairdeal-equivocation/2"},
        good | {"more": 1},
        good | {"signed": []},
        good | {"signed": [one]},
        good | {"signed": [one, other, one]},
        good | {"signed": {"prefix": 1, "signature": 2}},
        good | {"signed": [one, other | {"more": 1}]},
        good | {"signed": [one, None]},
        good | {"operator_key": 1},
        good | {"operator_key": good["operator_key"].upper()},
        good | {"signed": [one, other | {"prefix": "0"}]},
    ):
        assert "no evidence of equivocation" in refused(wrong)


def test_evidence_that_proves_nothing() -> None:
    good = evidence()
    one, other = good["signed"]
    assert "nothing in them contradicts" in refused(good | {"signed": [one, one]})
    lock = signed_prefixes(LOG)[0]
    begun = {"prefix": lock.prefix.hex(), "signature": lock.signature.hex()}
    assert "nothing in them contradicts" in refused(good | {"signed": [one, begun]})
    swapped = [one | {"signature": other["signature"]}, other]
    assert "the signature is not the operator's" in refused(good | {"signed": swapped})
    assert "the terms name another operator" in refused(good | {"operator_key": public_key(OTHER).hex()})
    assert "no beginning of a log" in refused(good | {"signed": [one, other | {"prefix": "00"}]})
    assert "no beginning of a log" in refused(good | {"signed": [one, other | {"prefix": ""}]})


def test_a_stranger_cannot_accuse_an_operator() -> None:
    """Who signs another one's log with a key of its own proves nothing, whichever key the file names."""
    data = written(Wanted(1, key=KEY, leads=1))[:-100]
    message = signed_message(Log(data).terms_hash, OPERATOR, len(data), file_digest(data))
    signature = sign(OTHER, message)
    forged = {"prefix": data.hex(), "signature": signature.hex()}
    good = evidence()
    for key in (KEY, OTHER):
        refused(good | {"operator_key": public_key(key).hex(), "signed": [good["signed"][0], forged]})


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_evidence_with_any_digit_changed_proves_nothing(data: st.DataObject) -> None:
    text = json.dumps(evidence())
    at = data.draw(st.sampled_from([at for at, char in enumerate(text) if char in "0123456789abcdef"]))
    other = data.draw(st.sampled_from([char for char in "0123456789abcdef" if char != text[at]]))
    refused(text[:at] + other + text[at + 1 :])
