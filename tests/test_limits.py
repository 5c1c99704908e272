"""The limits of the protocol hold where a hostile input would go past them, and nothing is kept of what lies beyond."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fairdeal.anchor import read_text
from fairdeal.audit import audit
from fairdeal.codec import Log, encode_log, encode_record
from fairdeal.codes import Code
from fairdeal.draws import Draws
from fairdeal.errors import Cut, Malformed
from fairdeal.limits import MAX_LISTS, MAX_LOG_BYTES, MAX_ROUNDS, MAX_SEAT_EVENTS, MAX_STRAYS
from fairdeal.records import Deal, Opened, Presence, Record, SeatEvent, Timing, timed
from fairdeal.report import GuaranteeName, Verdict
from fairdeal.settings import SeatKind
from fairdeal.simulate import Simulated
from fairdeal.vectors.samples import sound_samples


@pytest.fixture(scope="module")
def sample() -> Simulated:
    """Return a sound match without contributions."""
    return sound_samples()["three-seats"]


def test_lists_before_a_deal_are_bounded(sample: Simulated) -> None:
    """A log of nothing but openings ends at the first list over the limit, after the lawful ones."""
    lists: list[Record] = [sample.records[1], *[Opened(0, bytes(32))] * (2 * MAX_LISTS)]
    log = Log(encode_log([sample.terms, *lists]))
    assert isinstance(log.broken, Malformed)
    assert len(log.items) == MAX_LISTS
    assert log.broken.offset == log.size


def test_every_deal_starts_the_count_of_lists_anew(sample: Simulated) -> None:
    """A long match is no attack: the count is per round."""
    deal = Deal(1, 0, bytes(16))
    log = Log(encode_log([sample.terms, sample.records[1], *[deal] * (3 * MAX_LISTS)]))
    assert log.broken is None


def test_seat_events_are_bounded(sample: Simulated) -> None:
    """Sixty-four from one deal to the next, wherever they stand; what came before stays handed out."""
    event = SeatEvent(0, Presence.LEFT, SeatKind.EASY)
    events: list[Record] = [event, timed(Timing(3, None), event)] * MAX_SEAT_EVENTS
    deal = Deal(1, 0, bytes(16))
    log = Log(encode_log([sample.terms, deal, *events[:MAX_SEAT_EVENTS], deal, *events]))
    assert isinstance(log.broken, Malformed)
    assert not isinstance(log.broken, Cut)
    assert len(log.items) == 2 + 2 * MAX_SEAT_EVENTS
    assert log.broken.offset == log.size


def test_rounds_are_bounded(sample: Simulated) -> None:
    """The thousand-and-first deal is not read."""
    deal = Deal(1, 0, bytes(16))
    log = Log(encode_log([sample.terms, *[deal] * (MAX_ROUNDS + 5)]))
    assert isinstance(log.broken, Malformed)
    assert len(log.items) == MAX_ROUNDS


def test_misplaced_records_are_bounded(sample: Simulated) -> None:
    """A log that is wrong a thousand times is not read on, and is refuted."""
    deal = Deal(1, 0, bytes(16))
    report = audit(encode_log([sample.terms, *[deal, *[sample.records[1]] * 50] * 40]))
    assert sum(finding.code is Code.ORDER for finding in report.findings) == MAX_STRAYS
    assert report.verdict is Verdict.REFUTED
    assert isinstance(report.stopped, Malformed)


def test_a_round_beyond_the_committed_seeds_is_not_unchanged(sample: Simulated) -> None:
    """A deal for which the commitment holds no seed cannot be proven to follow one."""
    end = next(index for index, record in enumerate(sample.records) if record == sample.records[-1])
    last = next(r for r in reversed(sample.records) if isinstance(r, Deal))
    extra = [replace(last, round=last.round + 1)]
    report = audit(encode_log([*sample.records[:end], *extra, *sample.records[end:]]))
    (unchanged,) = [one for one in report.guarantees if one.name is GuaranteeName.UNCHANGED]
    assert not unchanged.proven


def test_texts_are_read_within_bounds(tmp_path: Path) -> None:
    """A file without end is not read to its end."""
    path = tmp_path / "long.txt"
    with path.open("wb") as file:
        file.truncate(MAX_LOG_BYTES + 1)
    with pytest.raises(Malformed, match="more than"):
        read_text(path)


def test_nothing_is_drawn_from_nothing() -> None:
    """A choice among no options is an error and no endless loop."""
    with pytest.raises(ValueError, match="nothing to draw"):
        Draws(bytes(32)).choose([])


def test_a_log_over_the_limit_is_refused_at_it(sample: Simulated) -> None:
    """One byte too many is malformed at that byte."""
    data = encode_record(sample.terms) + b"\xff" * MAX_LOG_BYTES
    with pytest.raises(Malformed) as caught:
        Log(data)
    assert caught.value.offset == MAX_LOG_BYTES
