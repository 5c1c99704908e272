"""The table as a game server meets it: creating, playing, time, seats, closing, and calls that make no sense."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from fairdeal.codec import Log
from fairdeal.codes import Code
from fairdeal.control import clock_return
from fairdeal.errors import Misuse, Unsupported
from fairdeal.evidence import Receipt
from fairdeal.hands import count_hand
from fairdeal.limits import MAX_SEAT_EVENTS
from fairdeal.records import PASS, Action, CloseReason, Exchange, Presence, Seat, SeatEvent, Terms
from fairdeal.settings import Contributions
from fairdeal.sign import verify
from fairdeal.table import Phase, Refused, Sync, Table, new_match
from tests.table.playing import BOT, EASY, HARD, HUMAN, MEDIUM, Live, Players, Setting, moves

FULL = Setting(kinds=(HUMAN, EASY, HUMAN, HUMAN), sealed=True, operator=True, seat_keys=True, clock=True)
TIMED = Setting(clock=True, changes={"turn_seconds": 10})


def person(live: Live) -> int:
    """Play until a person is on turn and return the seat."""
    while True:
        view = live.table.spectator()
        if view.phase is Phase.PLAYING and view.players[view.waiting[0]] is HUMAN:
            return view.waiting[0]
        live.step()


def unchanged(live: Live, call: Callable[[], object], what: str, kind: type[Exception] = Misuse) -> None:
    """Check that a call is refused in these words and changes neither the log nor a view."""
    seats = range(len(live.setting.kinds))
    before = live.data, live.table.spectator(), [live.table.view(seat) for seat in seats]
    with pytest.raises(kind, match=what):
        call()
    assert (live.data, live.table.spectator(), [live.table.view(seat) for seat in seats]) == before


# --- a whole match


@pytest.mark.parametrize("sync", Sync)
def test_a_match_with_everything_in_it(tmp_path: Path, sync: Sync) -> None:
    """Sealed, signed, timed, with bots: it ends verified, with all tickets and the receipts of the lock."""
    live = Live(tmp_path / "m", FULL, sync=sync)
    seen = [live.table.phase]
    while live.step():
        live.now += 300
        if live.table.phase is not seen[-1]:
            seen.append(live.table.phase)
    report = live.audit()
    assert report.verdict == "verified"
    assert all(one.proven for one in report.guarantees if one.required)
    assert seen == [
        Phase.SEALING,
        Phase.SIGNING,
        Phase.OPENING,
        Phase.BETWEEN,
        Phase.PLAYING,
        Phase.BETWEEN,
        Phase.EXCHANGE,
        Phase.PLAYING,
        Phase.OVER,
        Phase.CLOSED,
    ]


def test_receipts_are_signed_by_the_operator(tmp_path: Path) -> None:
    """Each is of the log at that moment, and has a signature where the terms name a key."""
    live = Live(tmp_path / "m", FULL).until(Phase.PLAYING)
    receipt = live.table.receipt()
    assert receipt.offset == len(live.data)
    assert receipt.signature
    live.receipts.append(receipt)
    other = Live(tmp_path / "n", Setting())
    assert other.table.receipt() == Receipt(
        other.players.terms_hash, len(other.data), Log(other.data).digest(len(other.data))
    )
    assert live.play_out().audit().verdict == "verified"


def test_two_matches_have_two_secrets(tmp_path: Path) -> None:
    """Of the same terms too: the secret is drawn for each."""
    terms = Players(Setting()).terms
    assert new_match(tmp_path / "1", terms) != new_match(tmp_path / "2", terms)


def test_a_table_is_let_go_at_the_end_of_a_block(tmp_path: Path) -> None:
    """Also where the block fails; what it showed last can still be seen."""
    live = Live(tmp_path / "m", Setting())
    with pytest.raises(ZeroDivisionError), live.table as table:
        raise ZeroDivisionError
    assert table.phase is Phase.BETWEEN
    with pytest.raises(Misuse, match="not open for writing"):
        table.void()
    live.resume()
    live.table.suspend()
    live.table.suspend()


# --- creating


def test_one_match_a_folder(tmp_path: Path) -> None:
    """A folder with a secret, a log or a link in the place of one takes no other match, and keeps what it has."""
    live = Live(tmp_path / "m", Setting())
    live.table.suspend()
    terms = live.players.terms
    before = {path: path.read_bytes() for path in live.folder.iterdir()}
    for names in (("secret.json", "match.fdl"), ("secret.json",), ("match.fdl",)):
        folder = tmp_path / "-".join(names)
        folder.mkdir()
        for name in names:
            (folder / name).write_bytes((live.folder / name).read_bytes())
        with pytest.raises(Misuse, match="exists already"):
            Table.create(folder, terms)
        assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert {path: path.read_bytes() for path in live.folder.iterdir()} == before
    for name in ("secret.json", "match.fdl"):
        folder = tmp_path / f"link to {name}"
        folder.mkdir()
        (folder / name).symlink_to(tmp_path / "nowhere")
        with pytest.raises(Misuse, match="exists already"):
            Table.create(folder, terms)
        assert [path.name for path in folder.iterdir()] == [name]
    assert not (tmp_path / "nowhere").exists()


def test_what_a_killed_process_left_is_no_hindrance(tmp_path: Path) -> None:
    """Half a log under another name, or a link there, is replaced and never written through."""
    folder = tmp_path / "m"
    folder.mkdir()
    (tmp_path / "other").write_bytes(b"kept")
    (folder / ".match.fdl.new").symlink_to(tmp_path / "other")
    Table.create(folder, Players(Setting()).terms).suspend()
    assert (tmp_path / "other").read_bytes() == b"kept"
    assert sorted(path.name for path in folder.iterdir()) == ["match.fdl", "secret.json"]


def test_terms_that_an_auditor_would_refute(tmp_path: Path) -> None:
    """Conflicts, weak keys and bots without a level are told before there is a file."""
    terms = Players(Setting(kinds=(HUMAN, HUMAN, EASY))).terms
    bot = (*terms.seats[:2], Seat("x", BOT, b""))
    weak = (*terms.seats[:2], Seat("x", HUMAN, bytes(32)))
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"rounds": 1}, "^terms: "),
        ({"seats": bot}, "^terms: .*no stated level"),
        ({"seats": weak}, "^weak-key: "),
        ({"contributions": Contributions.SEALED, "seats": (Seat("x", EASY, b""),) * 3}, "^terms: "),
        ({"seats": terms.seats * 2}, "^terms: |cannot be written"),
    ]
    for changes, what in wrong:
        with pytest.raises(Misuse, match=what):
            Table.create(tmp_path / "m", replace(terms, **changes))
    for changes in ({"beacon": "drand"}, {"bot_policy": 9}):
        with pytest.raises(Unsupported):
            Table.create(tmp_path / "m", replace(terms, **changes))
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"match_id": b"short"},
        {"sequence": True},
        {"sequence": -1},
        {"sequence": 2**70},
        {"rounds": 2.0},
        {"rounds": "2"},
        {"rules": None},
        {"seats": ()},
        {"seats": [Seat("x", HUMAN, b"")] * 4},
        {"seats": None},
        {"seats": (Seat("x\n", HUMAN, b""),) * 4},
        {"seats": (Seat("x" * 65, HUMAN, b""),) * 4},
        {"contributions": "sometimes"},
        {"beacon": 7},
        {"operator_key": b"short"},
    ],
    ids=str,
)
def test_terms_that_no_log_can_hold(tmp_path: Path, changes: dict[str, Any]) -> None:
    """Values of other types and sizes are refused before there is a file, in one sentence."""
    terms = replace(Players(Setting()).terms, **changes)
    with pytest.raises(Misuse, match="cannot be written to a log"):
        Table.create(tmp_path / "m", terms, sign=lambda _: bytes(64))
    assert not (tmp_path / "m").exists()


def test_arguments_of_create_and_resume(tmp_path: Path) -> None:
    """A mode that is only a text, a folder that is, no terms, or no signer: refused before there is a file."""
    terms: Any = Players(Setting()).terms
    texts: Any = "trick", str(tmp_path / "m"), "sign"
    with pytest.raises(Misuse, match="this is no mode"):
        Table.create(tmp_path / "m", terms, sync=texts[0])
    with pytest.raises(Misuse, match="no path"):
        Table.create(texts[1], terms)
    with pytest.raises(Misuse, match="signs nothing"):
        Table.create(tmp_path / "m", terms, sign=texts[2])
    with pytest.raises(Misuse, match="cannot be written"):
        Table.create(tmp_path / "m", texts)
    assert not (tmp_path / "m").exists()
    Table.create(tmp_path / "m", terms).suspend()
    with pytest.raises(Misuse, match="this is no mode"):
        Table.resume(tmp_path / "m", sync=texts[0])
    with pytest.raises(Misuse, match="no path"):
        Table.resume(texts[1])


def test_a_signer_is_tried_before_there_is_a_match(tmp_path: Path) -> None:
    """One that fails, has another key, or gives no bytes leaves no file behind."""
    players, other = Players(FULL), Players(replace(FULL, number=1))
    signers: list[tuple[Any, str]] = [
        (None, "nothing signs"),
        (other.sign, "another key"),
        (lambda _: None, "another key"),
        (lambda message: bytearray(players.sign(message)), "another key"),
        (lambda: b"", "has failed"),
        (lambda _: bytes(64), "another key"),
    ]
    for sign, what in signers:
        with pytest.raises(Misuse, match=what):
            Table.create(tmp_path / "m", players.terms, sign=sign)
    assert not (tmp_path / "m").exists()
    Table.create(tmp_path / "m", players.terms, sign=players.sign)


def test_a_signer_that_asks_the_table(tmp_path: Path) -> None:
    """It is told that the table is in the middle of a call; to wait for it would be for ever."""
    live = Live(tmp_path / "m", Setting(operator=True)).until(Phase.OVER)
    live.table.suspend()
    tables: list[Table] = []

    def asks(message: bytes) -> bytes:
        for table in tables:
            table.spectator()
        return live.players.sign(message)

    tables.append(Table.resume(live.folder, sign=asks))
    before = live.data
    with pytest.raises(Misuse, match="has failed") as error:
        tables[0].finish()
    assert "in the middle of another call" in str(error.value.__cause__)
    assert live.data == before
    live.resume()
    live.table.finish()


# --- what callers hand over


NO_SEATS: list[Any] = [True, 1.0, "1", None, b"1", -1, 4, 2**80]
NO_HASHES: list[Any] = ["00" * 32, bytes(31), bytes(33), bytearray(32), None, 0]
NO_CARDS: list[Any] = [b"", bytes(19), [54], [-1], [True], ["3c"], [2**80], "3c", 3, None, {1}, [1.0], bytes([255])]
NO_TIMES: list[Any] = [True, 1.5, "1", None, b""]
NO_PLAYERS: list[Any] = ["easy", None, 1, Presence.LEFT]
NO_REASONS: list[Any] = ["stopped", None, CloseReason.BY_RULE, EASY, []]
NO_ROUNDS: list[Any] = [0, -1, True, "1", 1.0, None, 3]


def test_absurd_arguments_before_the_deal(tmp_path: Path) -> None:
    """Whatever is no seat and no value of its length is refused in words and changes nothing."""
    live = Live(tmp_path / "m", FULL).until(Phase.SIGNING)
    table, now = live.table, live.now
    for seat in NO_SEATS:
        calls: list[Callable[[], object]] = [
            partial(table.seal, seat, bytes(32)),
            partial(table.sign_lock, seat, bytes(64)),
            partial(table.play, seat, b"\0", now),
            partial(table.give, seat, b"\0", now),
            partial(table.pass_turn, seat, now),
            partial(table.leave, seat, EASY, now),
            partial(table.sign_end, seat, bytes(64)),
        ]
        for call in calls:
            unchanged(live, call, "there is no such seat")
    for value in NO_HASHES:
        unchanged(live, partial(table.seal, 0, value), "this is not 32 bytes")
        unchanged(live, partial(table.open, 0, value), "this is not 32 bytes")
        unchanged(live, partial(table.sign_lock, 0, value), "this is not 64 bytes")


def test_absurd_arguments_in_a_round(tmp_path: Path) -> None:
    """Nor are cards, times, levels, reasons and rounds that are none taken for some."""
    live = Live(tmp_path / "m", FULL).until(Phase.PLAYING)
    seat, table, now = person(live), live.table, live.now
    for held in NO_CARDS:
        unchanged(live, partial(table.play, seat, held, now), "these are not 1 to 12 cards")
        unchanged(live, partial(table.give, seat, held, now), "these are not 1 to 18 cards")
    unchanged(live, partial(table.play, seat, bytes(13), now), "these are not 1 to 12 cards")
    for time in NO_TIMES:
        unchanged(live, partial(table.pass_turn, seat, time), "the time")
        unchanged(live, partial(table.advance, time), "the time")
        unchanged(live, partial(table.disconnect, seat, EASY, time), "the time")
    for level in NO_PLAYERS:
        unchanged(live, partial(table.disconnect, seat, level, now), "no kind of player")
    for reason in NO_REASONS:
        unchanged(live, partial(table.void, reason), "no reason for a void match")
    live.play_out()
    for number in NO_ROUNDS:
        unchanged(live, partial(table.seed, number), "has not ended")


def test_cards_in_any_form_and_order(tmp_path: Path) -> None:
    """Faces as bytes, bytearray, list or tuple, in any order for a set; what is kept is the caller's no more."""
    live = Live(tmp_path / "m", Setting())
    while True:
        live.until(Phase.PLAYING, Phase.BETWEEN, Phase.OVER)
        if live.table.phase is not Phase.PLAYING:
            continue
        seat = person(live)
        pairs = [action for action in live.table.view(seat).legal if len(action.cards) == 2]
        if pairs:
            break
    cards = list(reversed(pairs[0].cards))
    given: Any = cards
    live.table.play(seat, given)
    cards[0] = 53
    assert live.table.spectator().acted[-1] == pairs[0]


# --- time


def test_the_clock_passes_and_leads_the_lowest_single(tmp_path: Path) -> None:
    """When time is up it passes; on the lead it plays the lowest card; before that it does nothing."""
    live = Live(tmp_path / "m", TIMED).until(Phase.PLAYING)
    leads = passes = 0
    while live.table.phase is Phase.PLAYING:
        seat = live.table.spectator().waiting[0]
        view = live.table.view(seat)
        before = live.data
        assert live.table.advance(live.now + 9_999 - (live.now - live.base) % 100) is None
        assert live.data == before
        live.now += 10_000
        done = live.table.advance(live.now)
        assert isinstance(done, Action)
        assert done.seat == seat
        if done.kind == PASS:
            assert view.acted[view.trick_start :]
            passes += 1
        else:
            assert done.cards == (view.hand or b"")[:1]
            assert not view.acted[view.trick_start :]
            leads += 1
        timing, _ = [one for one in moves(Log(live.data)) if isinstance(one[1], Action)][-1]
        assert timing.acted_for == seat
    assert leads
    assert passes
    assert not live.truth().findings() - {"unfinished"}


def test_the_clock_gives_the_lowest_cards_back(tmp_path: Path) -> None:
    """In an exchange the time of both returns begins with the deal; the clock gives the lowest cards of each."""
    live = Live(tmp_path / "m", TIMED).until(Phase.EXCHANGE)
    seats = live.table.spectator().waiting
    assert len(seats) == 2
    hands = {seat: count_hand(live.table.view(seat).hand or b"") for seat in seats}
    assert live.table.advance(live.now + 9_900) is None
    live.now += 10_000
    for seat in seats:
        owed = live.table.view(seat).owed
        done = live.table.advance(live.now)
        assert isinstance(done, Exchange)
        assert (done.giver, done.cards) == (seat, clock_return(hands[seat], owed))
    assert live.table.phase is Phase.PLAYING
    assert live.table.advance(live.now) is None
    assert live.play_out().audit().verdict == "verified"


def test_late_calls_are_refused(tmp_path: Path) -> None:
    """Exactly at the limit a person may still act and the clock too; a tenth later only the clock."""
    live = Live(tmp_path / "m", TIMED).until(Phase.EXCHANGE)
    seat = live.table.spectator().waiting[0]
    view = live.table.view(seat)
    live.now = live.base + 10_100
    unchanged(live, lambda: live.table.give(seat, (view.hand or b"")[: view.owed], live.now), "^clock-overrun", Refused)
    live.now -= 100
    live.table.give(seat, (view.hand or b"")[: view.owed], live.now)
    live.now += 100
    assert live.table.advance(live.now) is not None
    seat = person(live)
    legal = live.table.view(seat).legal[0]
    live.now += 10_100
    unchanged(live, lambda: live.act(legal), "^clock-overrun", Refused)
    live.now -= 100
    live.act(legal)
    assert live.play_out().audit().verdict == "verified"


def test_a_time_before_the_last_one(tmp_path: Path) -> None:
    """The clock does not run backwards, and a refused call does not move it."""
    live = Live(tmp_path / "m", TIMED).until(Phase.PLAYING)
    seat = person(live)
    legal = live.table.view(seat).legal[0]
    live.now += 5_000
    unchanged(live, lambda: live.table.play(seat, bytes([53] * 12), live.now + 3_000), "^not-held", Refused)
    live.act(legal)
    unchanged(live, lambda: live.table.advance(live.now - 1), "runs backwards")
    other = live.table.spectator().waiting[0]
    unchanged(live, lambda: live.table.leave(other, EASY, live.now - 1), "runs backwards")
    unchanged(live, lambda: live.table.advance(10**30), "too far")
    live.table.disconnect(other, EASY, live.now)


def test_a_deal_with_a_wrong_time_changes_nothing(tmp_path: Path) -> None:
    """It can be made again with a right one."""
    live = Live(tmp_path / "m", TIMED)
    live.tickets += live.table.tickets()
    wrong: list[Any] = [True, 1.0, "now"]
    for now in wrong:
        unchanged(live, partial(live.table.deal, now), "no whole number")
    live.table.deal(-5)
    live.now = live.base = -5
    assert live.play_out().audit().verdict == "verified"


def test_without_times_there_is_no_clock(tmp_path: Path) -> None:
    """A round dealt without a time has no marks; nothing is ever due for a person then."""
    live = Live(tmp_path / "m", replace(TIMED, clock=False)).until(Phase.PLAYING)
    assert live.table.advance() is None
    assert not live.truth().findings() - {"unfinished"}
    live.play_out()
    assert all(timing == (None, None) for timing, _ in moves(Log(live.data)))


# --- seats and bots


def test_a_bot_plays_on_and_the_person_comes_back(tmp_path: Path) -> None:
    """Between the two the seat is the bot's alone; after it has left there is no way back."""
    live = Live(tmp_path / "m", replace(TIMED, kinds=(HUMAN, HUMAN, EASY))).until(Phase.PLAYING)
    table, seat = live.table, person(live)
    legal = table.view(seat).legal[0]
    unchanged(live, lambda: table.come_back(seat, live.now), "^seat-event", Refused)
    unchanged(live, lambda: table.disconnect(seat, BOT, live.now), "^seat-event", Refused)
    unchanged(live, lambda: table.disconnect(seat, HUMAN, live.now), "^seat-event", Refused)
    table.disconnect(seat, HARD, live.now)
    assert table.spectator().players[seat] is HARD
    unchanged(live, lambda: live.act(legal), f"a bot plays seat {seat}")
    unchanged(live, lambda: table.disconnect(seat, EASY, live.now), "^seat-event", Refused)
    done = table.advance(live.now)
    assert isinstance(done, Action)
    assert done.seat == seat
    table.come_back(seat, live.now)
    assert table.spectator().players[seat] is HUMAN
    while person(live) != seat:
        live.step()
    live.step()
    unchanged(live, lambda: table.leave(seat, MEDIUM, live.now), "^seat-event", Refused)
    table.leave(seat, HARD, live.now)
    unchanged(live, lambda: table.come_back(seat, live.now), "^seat-event", Refused)
    unchanged(live, lambda: table.leave(seat, EASY, live.now), "^seat-event", Refused)
    unchanged(live, lambda: table.pass_turn(seat, live.now), f"a bot plays seat {seat}")
    for bot in (lambda: table.disconnect(2, EASY, live.now), lambda: table.come_back(2, live.now)):
        unchanged(live, bot, "^seat-event", Refused)
    assert live.play_out().audit().verdict == "verified"
    events = [what for _, what in moves(Log(live.data)) if isinstance(what, SeatEvent)]
    assert [event.presence for event in events] == list(Presence)


def test_a_bot_gives_back_for_who_is_away(tmp_path: Path) -> None:
    """In the exchange too; whoever comes back in time chooses again."""
    live = Live(tmp_path / "m", TIMED).until(Phase.EXCHANGE)
    first, second = live.table.spectator().waiting
    for seat in (first, second):
        live.table.disconnect(seat, MEDIUM, live.now)
        unchanged(live, partial(live.table.give, seat, b"\0", live.now), "a bot plays")
    live.table.come_back(second, live.now)
    done = live.table.advance(live.now)
    assert isinstance(done, Exchange)
    assert done.giver == first
    assert live.table.advance(live.now) is None
    view = live.table.view(second)
    live.table.give(second, (view.hand or b"")[-view.owed :], live.now)
    assert live.play_out().audit().verdict == "verified"


def test_seats_change_between_rounds_too(tmp_path: Path) -> None:
    """From the first deal to the close, but not before and not after it."""
    live = Live(tmp_path / "m", Setting())
    unchanged(live, lambda: live.table.disconnect(0, EASY), "^order", Refused)
    live.until(Phase.PLAYING)
    live.until(Phase.BETWEEN)
    live.table.leave(0, EASY)
    live.until(Phase.OVER)
    live.table.disconnect(1, EASY)
    live.play_out()
    unchanged(live, lambda: live.table.come_back(1), "^order", Refused)
    assert live.audit().verdict == "verified"


def test_there_is_an_end_to_coming_and_going(tmp_path: Path) -> None:
    """More seat events from one deal to the next than a log may hold are refused; the next deal makes room."""
    live = Live(tmp_path / "m", Setting()).until(Phase.PLAYING)
    for _ in range(MAX_SEAT_EVENTS // 2):
        live.table.disconnect(0, EASY)
        live.table.come_back(0)
    unchanged(live, lambda: live.table.disconnect(0, EASY), "more than 64 seat events")
    live.table.suspend()
    live.resume()
    unchanged(live, lambda: live.table.disconnect(0, EASY), "more than 64 seat events")
    live.until(Phase.BETWEEN)
    live.step()
    live.table.disconnect(0, EASY)
    assert live.play_out().audit().verdict == "verified"


def test_bots_whose_choices_nobody_claims(tmp_path: Path) -> None:
    """Under policy 0 the caller plays for a bot, and the clock for one that takes too long."""
    live = Live(tmp_path / "m", replace(TIMED, kinds=(BOT, HARD, BOT), policy=0)).until(Phase.PLAYING)
    seat = live.table.spectator().waiting[0]
    assert live.table.advance(live.now) is None
    live.act(live.table.view(seat).legal[0])
    live.now += 10_000
    assert live.table.advance(live.now) is not None
    assert live.play_out().audit().verdict == "verified"


# --- order of calls


def test_tickets_come_before_the_deal(tmp_path: Path) -> None:
    """Without them nobody could say later what the deal had to be; they cannot be had before the lock."""
    live = Live(tmp_path / "m", FULL)
    unchanged(live, live.table.tickets, "the match is sealing")
    live.until(Phase.BETWEEN)
    unchanged(live, lambda: live.table.deal(live.now), "tickets of round 1 were not handed out")
    live.deal()
    assert live.table.tickets() == tuple(live.tickets)
    live.until(Phase.BETWEEN)
    unchanged(live, lambda: live.table.deal(live.now), "tickets of round 2 were not handed out")
    live.until(Phase.OVER)
    unchanged(live, live.table.tickets, "the match is over")


def test_an_open_match_closes_after_any_round(tmp_path: Path) -> None:
    """Where the rules leave the end open it may close between rounds, or go on."""
    live = Live(tmp_path / "m", Setting(preset="wild-joker", rounds=5))
    unchanged(live, live.table.finish, "^close-early", Refused)
    live.until(Phase.BETWEEN)
    live.table.finish()
    assert live.audit().verdict == "verified"


def test_void_at_any_moment(tmp_path: Path) -> None:
    """Stopped in any phase: the secret comes out, the log is sound, and the only finding is that it is void."""
    for number, phase in enumerate(list(Phase)[:-1]):
        live = Live(tmp_path / str(number), FULL)
        while live.table.phase is not phase:
            live.step()
        live.table.void(seat=number % 4 if number % 2 else None)
        assert live.table.phase is Phase.CLOSED
        assert live.truth().findings() == {"void"}
        unchanged(live, live.table.void, "^order", Refused)


# --- failures


@contextmanager
def no_more_than(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("room", [0, 1, 2, 30])
def test_a_limit_on_the_size_of_files(tmp_path: Path, room: int) -> None:
    """The real thing, from the kernel: the file is as before, the table stops, and a resume goes on."""
    live = Live(tmp_path / "m", Setting(kinds=(EASY, EASY, EASY), changes={"turn_seconds": 0})).until(Phase.PLAYING)
    while True:
        before, failed = live.data, None
        with no_more_than(len(before) + room):
            try:
                live.step()
            except OSError as error:
                failed = error
        if failed is not None:
            break
    assert live.data == before
    for call in (live.table.advance, live.table.void, live.table.spectator, live.table.receipt, live.table.tickets):
        with pytest.raises(Misuse):
            call()
    live.table.suspend()
    live.resume()
    assert live.data == before
    assert live.play_out().audit().verdict == "verified"


def test_a_create_without_room(tmp_path: Path) -> None:
    """It leaves nothing behind, and can be tried again in the same folder."""
    terms = Players(Setting()).terms
    for size in (0, 100, 200):
        with no_more_than(size), pytest.raises(OSError, match="large"):
            Table.create(tmp_path / "m", terms)
        assert not list((tmp_path / "m").iterdir())
    Table.create(tmp_path / "m", terms)


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    """The system's own error says so."""
    (tmp_path / "m").write_bytes(b"")
    with pytest.raises(OSError, match="exists"):
        Table.create(tmp_path / "m", Players(Setting()).terms)


def test_folders_are_on_the_disk_with_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder and every one that had to be made above it: else the whole match may be gone after a power loss."""
    forced, force = [], os.fsync

    def noted(handle: int) -> None:
        forced.append(Path(f"/proc/self/fd/{handle}").resolve() if Path("/proc/self").exists() else None)
        force(handle)

    monkeypatch.setattr(os, "fsync", noted)
    new_match(tmp_path / "a" / "b", Players(Setting()).terms)
    if None not in forced:
        assert {tmp_path / "a" / "b", tmp_path / "a", tmp_path} <= set(forced)
    assert len(forced) == 5


# --- threads


def test_threads_that_call_at_once(tmp_path: Path) -> None:
    """Of calls that meet one is made after the other: the same play from many threads is played once."""
    live = Live(tmp_path / "m", Setting(kinds=(HUMAN, HUMAN, EASY)))
    table, ended = live.table, list[bool]()

    def server() -> None:
        while table.phase is not Phase.CLOSED:
            view = table.spectator()
            with suppress(Misuse):  # another thread was faster
                if view.phase is Phase.BETWEEN:
                    table.tickets()
                    table.deal()
                elif view.phase is Phase.OVER:
                    table.finish()
                elif table.advance() is None and view.waiting:
                    _act(table, view.waiting[0])
        ended.append(True)

    threads = [Thread(target=server) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ended) == 4
    assert not live.truth().findings()


def _act(table: Table, seat: int) -> None:
    """Do the first lawful thing a seat can do, if it still is its turn."""
    view = table.view(seat)
    if view.owed:
        table.give(seat, (view.hand or b"")[: view.owed])
    elif view.legal and view.legal[-1].kind == PASS:
        table.pass_turn(seat)
    elif view.legal:
        table.play(seat, view.legal[-1].cards)


def test_a_void_match_may_have_signed_receipts(tmp_path: Path) -> None:
    """The operator signs what it closes, also without a result."""
    live = Live(tmp_path / "m", FULL).until(Phase.PLAYING)
    live.table.void()
    receipt = live.table.receipt()
    assert receipt.offset == len(live.data)
    assert verify(live.players.terms.operator_key, receipt.signature, b"") is False
    assert live.truth().findings() == {Code.VOID}


def test_the_terms_are_those_of_the_log(tmp_path: Path) -> None:
    """Terms and commitment are what was put into the first records."""
    live = Live(tmp_path / "m", Setting())
    assert isinstance(live.table.terms, Terms)
    assert live.table.terms == live.players.terms
    assert live.table.commitment == live.truth().tree.commitment()
