"""From a folder back to the match: behind the last whole record, whatever happened to the process or the disk."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.codec import Log, encode_record
from fairdeal.errors import FairdealError, Malformed, Misuse, Unsupported
from fairdeal.records import Deal, Timing
from fairdeal.table import Phase, Refused, Sync, Table
from tests.table.playing import EASY, HARD, HUMAN, Live, Setting, check_views, moves

BOTS = Setting(kinds=(HARD, EASY, EASY), rounds=1)
ALL = Setting(kinds=(HUMAN, EASY, HUMAN, HUMAN), sealed=True, operator=True, seat_keys=True, clock=True, rounds=2)


def whole_records(data: bytes) -> list[int]:
    """Return where each record of a log ends, single actions counted."""
    log = Log(data)
    return sorted({log.boundary(offset) for offset in range(log.terms_end, len(data) + 1)})


def same(live: Live, other: Live) -> bool:
    """Return whether two tables of the same match show the same to everybody."""
    seats = range(len(live.setting.kinds))
    one, two = live.table, other.table
    return one.spectator() == two.spectator() and all(one.view(seat) == two.view(seat) for seat in seats)


# --- at every moment


def test_a_resumed_match_is_the_same_match(tmp_path: Path) -> None:
    """After every call of a match with everything in it: the resumed table shows the same as the one that was left."""
    live = Live(tmp_path / "m", ALL)
    steps = 0
    while True:
        steps += 1
        if steps < 25 or not steps % 9 or live.table.phase is Phase.EXCHANGE:
            live.table.suspend()
            other = Live(tmp_path / "m", ALL, resume=True)
            assert other.table.cut == 0
            assert same(live, other)
            other.table.suspend()
            live.now += 700
            live.resume()
        if not live.step():
            break
        live.now += live.draws.below(300)
    assert live.audit().verdict == "verified"


def test_cut_at_every_byte(tmp_path: Path) -> None:
    """A log cut anywhere behind its first two records is resumed at the last whole one, and ends verified."""
    live = Live(tmp_path / "m", replace(ALL, seat_keys=False, clock=False)).until(Phase.PLAYING)
    for _ in range(6):
        live.step()
    whole, start = live.data, Log(live.data).items[0].end
    live.table.suspend()
    ends = whole_records(whole)
    for size in range(start, len(whole) + 1):
        live.log.write_bytes(whole[:size])
        live.resume()
        kept = max(end for end in ends if end <= size)
        # the operator's signature of the lock, tributes and the like come by themselves again
        assert live.data.startswith(whole[:kept])
        assert live.table.cut == size - kept
        if size % 37 == 0 or size == len(whole):
            live.table.tickets() if live.table.phase in (Phase.PLAYING, Phase.EXCHANGE) else None
            live.play_out()
            assert not live.truth().findings()
        live.table.suspend()


@pytest.mark.full
@pytest.mark.parametrize("setting", [BOTS, ALL, Setting(kinds=(HUMAN, HARD, HUMAN), operator=True)])
def test_cut_at_every_byte_of_whole_matches(tmp_path: Path, setting: Setting) -> None:
    """The same for whole matches, of which every fifth is then played to its end."""
    live = Live(tmp_path / "m", setting).play_out()
    whole, start = live.data, Log(live.data).items[0].end
    live.table.suspend()
    ends = whole_records(whole)
    for size in range(start, len(whole) + 1):
        live.log.write_bytes(whole[:size])
        live.resume()
        assert live.table.cut == size - max(end for end in ends if end <= size)
        if size % 5 == 0 or size == len(whole):
            live.play_out()
            assert not live.truth().findings()
        live.table.suspend()


def test_bots_play_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    """Where bots play alone every cut leads to the same last byte: what they choose does not depend on the process."""
    live = Live(tmp_path / "m", BOTS).play_out()
    whole, start = live.data, Log(live.data).items[0].end
    live.table.suspend()
    for size in range(start, len(whole), 7):
        live.log.write_bytes(whole[:size])
        live.resume()
        live.play_out()
        assert live.data == whole
        live.table.suspend()


@settings(max_examples=20, deadline=None)
@given(st.booleans(), st.integers(0, 1_000), st.integers(1, 5_000))
def test_zeros_behind_a_cut(tmp_path_factory: pytest.TempPathFactory, clock: bool, permille: int, zeros: int) -> None:
    """A disk without power may leave zeros where a write did not get to, in the middle of a record too.

    Only a seal is not told apart from what it was to be: it can be any value until it is opened.
    """
    live = Live(tmp_path_factory.mktemp("match") / "m", replace(ALL, rounds=1, clock=clock))
    start = len(live.until(Phase.SIGNING).data)
    live.play_out()
    whole = live.data
    live.table.suspend()
    size = start + (len(whole) - start) * permille // 1_000
    torn = whole[:size] + bytes(zeros)
    live.log.write_bytes(torn)
    live.resume()
    kept = len(torn) - live.table.cut
    assert live.data[:kept] == torn[:kept]
    assert kept >= max(end for end in whole_records(whole) if end <= size)
    live.play_out()
    assert not live.truth().findings()


def test_damage_before_the_end_is_refused(tmp_path: Path) -> None:
    """One changed byte anywhere before the last record is no torn tail: nothing is cut, and the file is left alone."""
    live = Live(tmp_path / "m", replace(ALL, rounds=1)).until(Phase.PLAYING)
    for _ in range(10):
        live.step()
    whole = live.data
    live.table.suspend()
    last = whole_records(whole)[-2]
    for at in range(0, last, 3):
        spoiled = bytearray(whole)
        spoiled[at] ^= 1 + at % 255
        live.log.write_bytes(spoiled)
        try:
            live.resume()
        except (FairdealError, OSError) as error:
            refusal = error
        else:
            # another lawful card or time is another history that the file alone cannot tell apart
            assert at > Log(whole).items[-1].start
            live.table.suspend()
            continue
        assert isinstance(refusal, Misuse | Malformed | Unsupported), refusal
        assert live.data == bytes(spoiled)
        live.log.write_bytes(whole)
    live.resume()


def test_what_is_torn_stays_while_the_resume_is_refused(tmp_path: Path) -> None:
    """A tail is cut by the resume that reports it, not by one that fails before."""
    live = Live(tmp_path / "m", replace(ALL, seat_keys=False)).until(Phase.PLAYING)
    live.step()
    live.table.suspend()
    torn = live.data + b"\x48"
    live.log.write_bytes(torn)
    with pytest.raises(Misuse, match="the time is needed"):
        Table.resume(live.folder, sign=live.players.sign)
    assert live.data == torn
    live.resume()
    assert live.table.cut == 1
    assert live.data == torn[:-1]


# --- time


def test_the_clock_goes_on_from_the_last_mark(tmp_path: Path) -> None:
    """The break does not count against who is on turn, by whatever clock the new process has."""
    setting = Setting(clock=True, changes={"turn_seconds": 10})
    live = Live(tmp_path / "m", setting).until(Phase.PLAYING)
    live.now += 9_000
    assert live.table.advance(live.now) is None
    live.table.suspend()
    live.now = -5_000_000
    live.resume()
    assert live.table.advance(live.now + 9_900) is None
    seat = live.table.spectator().waiting[0]
    live.now += 10_150
    with pytest.raises(Refused, match="clock-overrun"):
        live.act(live.table.view(seat).legal[0])
    assert live.table.advance(live.now) is not None
    timing, _ = list(moves(Log(live.data)))[-1]
    assert timing == Timing(101, seat)
    assert not live.truth().findings() - {"unfinished"}


def test_a_round_keeps_its_marks_or_has_none(tmp_path: Path) -> None:
    """Whether a round has clock marks is in its log; only a round in which nothing happened yet may still choose."""
    live = Live(tmp_path / "m", Setting(clock=True)).until(Phase.PLAYING)
    live.table.suspend()
    Table.resume(live.folder).suspend()
    live.resume()
    live.step()
    live.table.suspend()
    with pytest.raises(Misuse, match="the time is needed"):
        Table.resume(live.folder)
    with pytest.raises(Misuse, match="no whole number"):
        Table.resume(live.folder, now=True)
    live.resume()
    live.play_out()
    live.table.suspend()
    with Table.resume(live.folder) as closed:
        assert closed.phase is Phase.CLOSED
    other = Live(tmp_path / "n", Setting()).until(Phase.PLAYING)
    other.step()
    other.table.suspend()
    with pytest.raises(Misuse, match="no whole number"):
        Table.resume(other.folder, now=True)
    table = Table.resume(other.folder, now=5)
    with pytest.raises(Misuse, match="takes no time"):
        table.advance(5)
    table.suspend()


# --- the two files


def test_the_files_of_two_matches_do_not_mix(tmp_path: Path) -> None:
    """A log goes with the secret of its own terms only."""
    one, two = Live(tmp_path / "1", Setting()), Live(tmp_path / "2", Setting(number=1))
    for live in (one, two):
        live.table.suspend()
    before = one.data
    (two.folder / "secret.json").replace(one.folder / "secret.json")
    with pytest.raises(Misuse, match="belongs to another match"):
        one.resume()
    assert one.data == before


def test_a_secret_of_the_same_terms_that_is_another(tmp_path: Path) -> None:
    """Nor with one that does not open its commitment."""
    live = Live(tmp_path / "m", Setting())
    live.table.suspend()
    path = live.folder / "secret.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"secret": "00" * 32}))
    with pytest.raises(Misuse, match="does not hold up: commitment"):
        live.resume()


def test_a_secret_that_others_may_read(tmp_path: Path) -> None:
    """It is no secret any more, or soon not."""
    live = Live(tmp_path / "m", Setting())
    live.table.suspend()
    (live.folder / "secret.json").chmod(0o640)
    with pytest.raises(Misuse, match="others may read"):
        live.resume()
    (live.folder / "secret.json").chmod(0o600)
    live.resume()


@pytest.mark.parametrize("name", ["secret.json", "match.fdl"])
def test_a_missing_file(tmp_path: Path, name: str) -> None:
    """What is missing is told by the system's own error, and nothing is made in its place."""
    live = Live(tmp_path / "m", Setting())
    live.table.suspend()
    (live.folder / name).unlink()
    with pytest.raises(FileNotFoundError):
        live.resume()
    assert not (live.folder / name).exists()
    with pytest.raises(FileNotFoundError):
        Table.resume(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["secret.json", "match.fdl"])
def test_a_file_of_something_else(tmp_path: Path, name: str) -> None:
    """A folder, a pipe or another file in the place of one is refused without waiting for it."""
    live = Live(tmp_path / "m", Setting())
    live.table.suspend()
    path = live.folder / name
    kept = path.read_bytes()
    path.write_bytes(b"something else")
    with pytest.raises(Malformed):
        live.resume()
    path.unlink()
    path.mkdir(mode=0o700)
    with pytest.raises(OSError, match="directory"):
        live.resume()
    path.rmdir()
    path.symlink_to(tmp_path / "kept")
    (tmp_path / "kept").write_bytes(kept)
    (tmp_path / "kept").chmod(0o600)
    live.resume()
    live.step()


def test_a_pipe_for_a_log(tmp_path: Path) -> None:
    """It cannot be cut back, so it is no log."""
    live = Live(tmp_path / "m", Setting())
    live.table.suspend()
    live.log.unlink()
    os.mkfifo(live.log, 0o600)
    with pytest.raises(OSError, match="seek"):
        live.resume()


def test_a_closed_match_is_resumed_to_be_looked_at(tmp_path: Path) -> None:
    """Its views and receipts can be had again; it takes nothing."""
    live = Live(tmp_path / "m", ALL).play_out()
    before = live.data
    live.table.suspend()
    live.resume()
    assert live.table.phase is Phase.CLOSED
    check_views(live)
    with pytest.raises(Refused, match="order"):
        live.table.finish()
    assert live.data == before


def test_a_close_without_the_last_signature(tmp_path: Path) -> None:
    """Cut between the close and the operator's signature of it, the signature is made when the match is resumed."""
    live = Live(tmp_path / "m", ALL).play_out()
    whole = live.data
    live.table.suspend()
    live.log.write_bytes(whole[: whole_records(whole)[-2]])
    with pytest.raises(Misuse, match="nothing signs"):
        Table.resume(live.folder)
    live.resume()
    assert live.data == whole


def test_tickets_go_out_again_before_the_next_deal(tmp_path: Path) -> None:
    """A process that has just begun does not know who has them."""
    live = Live(tmp_path / "m", Setting())
    handed = live.table.tickets()
    live.table.suspend()
    live.resume()
    with pytest.raises(Misuse, match="were not handed out"):
        live.table.deal()
    assert live.table.tickets() == handed
    live.table.deal()


def test_no_second_deal_of_a_round(tmp_path: Path) -> None:
    """Neither now nor after a break can a round be dealt again; the log has each number once."""
    live = Live(tmp_path / "m", Setting(rounds=2), sync=Sync.ACTION).until(Phase.PLAYING)
    for _ in range(2):
        live.table.tickets()
        with pytest.raises(Refused, match="round-end-missing"):
            live.table.deal()
        live.table.suspend()
        live.resume()
    live.until(Phase.OVER)
    with pytest.raises(Refused, match="match-over"):
        live.table.deal()
    deals = [item.record.round for item in Log(live.data).items if isinstance(item.record, Deal)]
    assert deals == [1, 2]


def test_terms_cannot_change_behind_the_table(tmp_path: Path) -> None:
    """What the table plays by is what the log's first record says, and its hash is in every later one that binds."""
    live = Live(tmp_path / "m", replace(ALL, clock=False)).until(Phase.BETWEEN)
    live.table.suspend()
    log = Log(live.data)
    changed = replace(log.terms, rounds=log.terms.rounds + 1)
    live.log.write_bytes(encode_record(changed) + live.data[log.terms_end :])
    with pytest.raises(Misuse, match="belongs to another match"):
        live.resume()
