"""Streams of logs: every log comes out as it went in, however the bytes come, and behind a malformed one nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.archive import streams
from fairdeal.archive.streams import Piece, may_be_several, split
from tests.archive.making import OPERATORS, Wanted, archive, fresh, written
from tests.conftest import played

LOGS = [
    *archive(3),
    *archive(2, OPERATORS[0], start=4),
    written(Wanted(6, contributions=fresh(6))),
    written(Wanted(7))[:-1],  # cut inside its close
    bytes(played(4, 2).data),
]
SOUND = [data for number, data in enumerate(LOGS) if number != 6]
OTHER_PROTOCOL = LOGS[0].replace(b"fairdeal/v1", b"fairdeal/v2")


def reader(data: bytes, sizes: Iterator[int] | None = None) -> Callable[[int], bytes]:
    """Return what reads from `data`, at most as many bytes at once as `sizes` say."""
    at = 0

    def read(size: int) -> bytes:
        nonlocal at
        most = size if sizes is None else min(size, next(sizes, size))
        part = data[at : at + most]
        at += len(part)
        return part

    return read


def pieces(data: bytes) -> list[Piece]:
    return list(split(reader(data)))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(SOUND), max_size=8), st.lists(st.integers(1, 700), max_size=40), st.integers(1, 3_000))
def test_every_log_comes_out_as_it_went_in(logs: list[bytes], sizes: list[int], look: int) -> None:
    """Whatever the sizes in which the bytes come, and however little is looked at first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "FIRST_LOOK", look)
        found = list(split(reader(b"".join(logs), iter(sizes))))
    assert [piece.data for piece in found] == logs
    assert [piece.start for piece in found] == list(accumulate(map(len, logs), initial=0))[: len(logs)]
    assert [piece.alone for piece in found] == [len(logs) == 1] * len(logs)
    assert all(piece.rest is None for piece in found)


@pytest.mark.parametrize("garbage", [b"\xc1", b"\x3f", b"\x9c", b"\0", b"\x92\x00\x00"])
def test_behind_a_malformed_log_nothing_more_is_read(garbage: bytes) -> None:
    """The malformed one is handed out with all that comes, and `rest` is where its last whole record ends."""
    found = pieces(SOUND[0] + SOUND[1] + garbage + SOUND[2])
    assert [piece.data for piece in found] == [SOUND[0], SOUND[1] + garbage + SOUND[2]]
    assert [piece.rest for piece in found] == [None, len(SOUND[0] + SOUND[1])]


def test_a_log_cut_between_records_hides_nothing_behind_it() -> None:
    """Where a log ends between two records, the next begins all the same."""
    cut = SOUND[0][: -len(SOUND[0]) // 2]
    whole = next(cut[:end] for end in range(len(cut), 0, -1) if len(pieces(cut[:end] + SOUND[1])) == 2)
    assert [piece.data for piece in pieces(whole + SOUND[1])] == [whole, SOUND[1]]


def test_what_begins_with_no_log_is_one() -> None:
    """It is handed out as it is; nothing says that there are several."""
    for data in (b"no log", b"\xc1", SOUND[0][:-1], SOUND[0] + b"\xc1", OTHER_PROTOCOL, OTHER_PROTOCOL * 2):
        assert pieces(data) == [Piece(0, data, alone=True)]


def test_a_malformed_first_log_before_another_says_that_the_rest_is_not_read() -> None:
    """Where another log visibly begins later, nobody is left to think that it was audited."""
    for data, rest in ((SOUND[0] + b"\xc1" + SOUND[1], len(SOUND[0])), (b"\xc1" + SOUND[1], 0)):
        (found,) = pieces(data)
        assert (found.rest, found.alone) == (rest, False)
        assert found.data == (data if rest else b"")


def test_what_follows_and_is_no_log_has_no_bytes() -> None:
    """Where the next log cannot even be begun there is nothing to judge, only an offset."""
    found = pieces(SOUND[0] + OTHER_PROTOCOL)
    assert found == [Piece(0, SOUND[0], alone=False), Piece(len(SOUND[0]), b"", alone=False, rest=len(SOUND[0]))]


def test_nothing_is_no_log() -> None:
    assert pieces(b"") == []


def test_an_endless_stream_of_anything_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more is read than a log may have, one byte more to see that it has too many."""
    monkeypatch.setattr(streams, "MAX_LOG_BYTES", 100_000)
    read = 0

    def endless(size: int) -> bytes:
        nonlocal read
        read += size
        return bytes(size)

    (found,) = split(endless)
    assert len(found.data) == read == 100_001


def test_an_endless_stream_of_logs_is_handed_on_as_it_comes() -> None:
    """Log after log comes out, and never much more is read than has come out."""
    read = 0

    def endless(size: int) -> bytes:
        nonlocal read
        data = (LOGS[0] * (size // len(LOGS[0]) + 2))[read % len(LOGS[0]) :][:size]
        read += size
        return data

    for piece, _ in zip(split(endless), range(1_000), strict=False):
        assert piece.data == LOGS[0]
        assert read - piece.start <= 2 * streams.FIRST_LOOK


@given(st.lists(st.sampled_from(LOGS), min_size=1, max_size=3))
def test_several_logs_may_be_several(logs: list[bytes]) -> None:
    """The quick look never says that there is one where there are more."""
    assert may_be_several(b"".join(logs)) or len(pieces(b"".join(logs))) == 1
