"""What is a torn tail and what is damage: only the beginning of a record that a table writes is cut off."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.codec import Log, encode_record
from fairdeal.errors import Cut
from fairdeal.records import Exchange, Terms, Timing, timed
from fairdeal.table.torn import begun
from tests.strategies import clocked, lists, simulated, some


def terms(seats: int) -> Terms:
    """Return the terms of some match."""
    return simulated(seats, 1).terms


@given(st.data(), st.integers(3, 8))
@some
def test_every_beginning_of_a_record(data: st.DataObject, seats: int) -> None:
    """Cut anywhere, every record that may stand behind the terms is a torn tail."""
    encoded = encode_record(data.draw(st.one_of(lists(seats), clocked(seats))))
    for size in range(1, len(encoded)):
        log = Log(encode_record(terms(seats)) + encoded[:size])
        if isinstance(log.broken, Cut):  # of a run the whole actions are none
            assert begun(encoded[log.size - log.terms_end : size], seats)


@given(st.data(), st.integers(3, 8))
@some
def test_a_changed_length_is_no_beginning(data: st.DataObject, seats: int) -> None:
    """One changed byte cannot make the records behind it look like the inside of one that is cut."""
    first = encode_record(data.draw(lists(seats)))
    rest = encode_record(data.draw(lists(seats))) * 5
    at = data.draw(st.integers(0, len(first) - 1))
    spoiled = first[:at] + bytes([first[at] ^ data.draw(st.integers(1, 255))]) + first[at + 1 :]
    log = Log(encode_record(terms(seats)) + spoiled + rest)
    if isinstance(log.broken, Cut) and log.size == log.terms_end:
        assert not begun(spoiled + rest, seats)


@pytest.mark.parametrize(
    "tail",
    [
        "93 02 c5",  # a long byte string in the place of a seat
        "93 02 00 c4 21",  # a seal of 33 bytes
        "92 02",  # a seal without its value
        "93 02 09",  # of a seat that is not at the table
        "cf ff",  # a mark that no log can hold
        "cf 00 20 00 00 00 00 00",
    ],
)
def test_what_no_record_begins_with(tail: str) -> None:
    """Lengths, seats and marks that are out of their limits are damage."""
    assert not begun(bytes.fromhex(tail), 4)


def test_a_mark_and_a_marker_before_a_gift() -> None:
    """Both may stand before a list that is cut."""
    encoded = encode_record(timed(Timing(5, 2), Exchange(2, 0, bytes([1, 2, 3]))))
    assert all(begun(encoded[:size], 4) for size in range(1, len(encoded)))
    assert not begun(encoded[:4] + b"\xc5", 4)
