"""No error of a table shows what is hidden: not in its text, its traceback, its locals, nor what it came from."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import fairdeal
from fairdeal.cards import format_cards
from fairdeal.codec import encode_record
from fairdeal.codes import Code
from fairdeal.errors import Malformed, Misuse
from fairdeal.records import Exchange
from fairdeal.table import Phase, Refused, Table, new_match
from fairdeal.table.quiet import quiet
from tests.table.playing import EASY, HARD, HUMAN, Live, Players, Setting, Truth

HOUSE = str(Path(fairdeal.__file__).parent)
BOTS = Setting(kinds=(HUMAN, HARD, EASY, HUMAN), clock=True, operator=True, changes={"turn_seconds": 5})


def needles(truth: Truth, *more: bytes) -> set[str]:
    """Return every way in which what is hidden could be printed."""
    gifts = [gift.cards for gift in truth.gifts] if truth.hands else []
    texts = set()
    for value in (*truth.hidden.values(), *truth.hands, *truth.dealt, *gifts, *more):
        texts |= {repr(value), repr(bytearray(value))} | ({repr(value)[2:-1], value.hex()} if len(value) > 3 else set())
        if len(value) < 32:
            texts |= {repr(list(value)), repr(tuple(value)), format_cards(value) if max(value, default=0) < 54 else ""}
    return {text for text in texts if len(text) > 2}


def chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and all that it came from or came about with."""
    todo, seen = [error], set[int]()
    while todo:
        one = todo.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            todo += [other for other in (one.__cause__, one.__context__) if other is not None]


def silent(error: BaseException, truth: Truth, *more: bytes) -> None:
    """Check that an error shows nothing hidden, wherever one looks, apart from the frames of the test itself."""
    secrets = needles(truth, *more)
    for one in chain(error):
        shown = [f"{one!s} {one!r} {one.args!r}", repr(getattr(one, "__dict__", {}))]
        told = traceback.TracebackException(type(one), one, one.__traceback__, capture_locals=True, compact=True)
        frames = [frame for frame in told.stack if "/tests/" not in frame.filename]
        if one is error:
            assert {frame.name for frame in frames if frame.filename.startswith(HOUSE)} <= {"quietly", "_forget"}
        shown += [local for frame in frames for local in (frame.locals or {}).values()]
        for text in shown:
            found = [secret for secret in secrets if secret in text]
            assert not found, (type(one), found, text)


@contextmanager
def no_room(monkeypatch: pytest.MonkeyPatch, after: int = 0) -> Iterator[None]:
    """Let the disk be full once `after` more bytes are written."""
    room, write = [after], os.write

    def full(handle: int, data: bytes) -> int:
        if room[0] <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = write(handle, bytes(data)[: room[0]])
        room[0] -= written
        return written

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        yield


def at_last_card(live: Live) -> Callable[[], object]:
    """Play, with people only, until one lawful play ends the round; return the call that makes it."""
    while True:
        view = live.table.spectator()
        if view.phase is Phase.PLAYING and sum(size > 0 for size in view.sizes) == 2:
            (seat,) = view.waiting
            held = view.sizes[seat]
            ending = [action for action in live.table.view(seat).legal if len(action.cards) == held]
            if ending and view.players[seat] is HUMAN:
                action = ending[0]
                return lambda: live.act(action)
        if not live.step():
            raise AssertionError("no such round")


# --- the decorator


def test_the_frames_and_arguments_are_gone() -> None:
    """What is raised inside comes out with the caller's frames alone, and what it hid with it."""

    @quiet
    def call(cards: bytes, *, other: bytes = b"other") -> None:
        local = cards + other
        try:
            dict[bytes, int]()[local]
        except KeyError:
            raise ValueError("no") from None

    with pytest.raises(ValueError, match="no") as error:
        call(b"cards")
    assert [frame.name for frame in traceback.extract_tb(error.value.__traceback__)] == [sys._getframe().f_code.co_name]
    assert error.value.__context__ is None


def test_what_the_caller_was_handling_stays() -> None:
    """An error inside an `except` of the caller is still told to have come about there."""

    @quiet
    def call(text: str) -> int:
        try:
            return int(text)
        except ValueError:
            raise OSError("no number") from None

    def handling() -> None:
        try:
            raise outer
        except ZeroDivisionError:
            call("cards")

    outer = ZeroDivisionError("before")
    with pytest.raises(OSError, match="no number") as error:
        handling()
    assert error.value.__context__ is outer
    assert outer.__traceback__ is not None


def test_an_error_while_handling_another_shows_neither() -> None:
    """Both keep their texts and lose their frames."""

    @quiet
    def call(cards: bytes) -> int:
        try:
            return int(cards)
        except ValueError:
            return cards[99]

    with pytest.raises(IndexError) as error:
        call(b"cards")
    first = error.value.__context__
    assert isinstance(first, ValueError)
    assert first.__traceback__ is None


def test_it_stays_the_function_it_was() -> None:
    """Name, text and signature are those of the method."""
    assert Table.play.__name__ == "play"
    assert Table.play.__doc__ == "Play cards as a set, or as a straight."


# --- every kind of error of a table


def test_a_refusal_shows_no_card(tmp_path: Path) -> None:
    """Neither a play nor a gift that is refused tells which cards it was made with."""
    live = Live(tmp_path / "m", Setting(rounds=2)).until(Phase.EXCHANGE)
    seat = live.table.spectator().waiting[0]
    hand = live.table.view(seat).hand or b""
    with pytest.raises(Refused) as error:
        live.table.give(seat, hand[:5])
    assert error.value.code is Code.EXCHANGE_COUNT
    silent(error.value, live.truth(), hand[:5])
    live.until(Phase.PLAYING)
    other = (live.table.spectator().waiting[0] + 1) % 4
    cards = (live.table.view(other).hand or b"")[:1]
    with pytest.raises(Refused) as error:
        live.table.play(other, cards)
    assert error.value.code is Code.TURN
    silent(error.value, live.truth(), cards)


def test_misuse_shows_no_card(tmp_path: Path) -> None:
    """Nor does a call that makes no sense."""
    live = Live(tmp_path / "m", BOTS).until(Phase.PLAYING)
    hand = live.table.view(0).hand or b""
    calls: list[Callable[[], object]] = [
        lambda: live.table.play(0, hand + bytes([99]), live.time),
        lambda: live.table.play(1, hand, live.time),
        lambda: live.table.play(0, hand[:2], None),
        lambda: live.table.pass_turn(7, live.time),
        lambda: live.table.seed(1),
        lambda: live.table.seal(0, hand),
    ]
    for call in calls:
        with pytest.raises(Misuse) as error:
            call()
        silent(error.value, live.truth(), hand)


def test_a_full_disk_shows_no_card_and_no_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gift of a person, one of a bot, and the play that would have ended a round: none is seen in the error."""
    setting = Setting(kinds=(HUMAN, HARD, HUMAN, HUMAN), rounds=3)
    live = Live(tmp_path / "m", setting)
    by = set()
    for _ in range(2):
        live.until(Phase.EXCHANGE)
        while live.table.phase is Phase.EXCHANGE:
            truth, before = live.truth(), live.data
            with no_room(monkeypatch), pytest.raises(OSError, match="No space") as error:
                live.step()
            assert live.data == before
            live.table.suspend()
            live.resume()
            live.step()
            given = live.truth().gifts[-1]
            by.add(setting.kinds[given.giver])
            silent(error.value, truth, given.cards)
    assert HUMAN in by


def test_a_round_that_could_not_be_ended_keeps_its_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk at the last play of a round: its end never was, and neither an error nor a view has its seed."""
    live = Live(tmp_path / "m", Setting(rounds=1))
    ending, truth = at_last_card(live), live.truth()
    with no_room(monkeypatch, after=10), pytest.raises(OSError, match="No space") as error:
        ending()
    silent(error.value, truth)
    for look in (live.table.spectator, live.table.receipt, lambda: live.table.phase, lambda: live.table.seed(1)):
        with pytest.raises(Misuse, match="could not be written"):
            look()
    live.table.suspend()
    live.resume()
    with pytest.raises(Misuse, match="has not ended"):
        live.table.seed(1)
    assert live.play_out().audit().verdict == "verified"


def test_a_signer_that_fails_shows_itself_alone(tmp_path: Path) -> None:
    """What a signer raises is the cause of the error; nothing of the table comes with it."""
    live = Live(tmp_path / "m", BOTS).until(Phase.OVER)
    live.table.suspend()

    def broken(message: bytes) -> bytes:
        raise ConnectionError(f"no answer to {len(message)} bytes")

    def lying(message: bytes) -> bytes:
        return bytes(len(message[:64]))

    for sign, what in ((broken, "has failed"), (lying, "another key")):
        table = Table.resume(live.folder, sign=sign, now=0)
        truth, before = live.truth(), live.data
        with pytest.raises(Misuse, match=what) as error:
            table.finish()
        silent(error.value, truth)
        assert live.data == before
        with pytest.raises(Misuse):
            table.spectator()
        assert (sign is broken) == isinstance(error.value.__cause__, ConnectionError)
    live.resume()
    live.table.finish()
    assert live.audit().verdict == "verified"


def test_a_log_that_does_not_hold_up_shows_no_card(tmp_path: Path) -> None:
    """The running round of a log that is refused stays hidden: its gifts, its blind, and the secret beside it."""
    live = Live(tmp_path / "m", Setting()).until(Phase.EXCHANGE)
    while len(live.truth().gifts) < 3:
        live.step()
    live.table.suspend()
    truth, whole = live.truth(), live.data
    giver = truth.gifts[-1].receiver
    wrong = encode_record(Exchange(giver, (giver + 1) % 4, truth.gifts[-1].cards))
    for spoiled, kind in ((whole + wrong, Misuse), (whole[:-3] + b"\xc1\xc1\xc1", Malformed)):
        live.log.write_bytes(spoiled)
        with pytest.raises(kind) as error:
            Table.resume(live.folder)
        silent(error.value, truth)
    live.log.write_bytes(whole)
    (live.folder / "secret.json").write_text((live.folder / "secret.json").read_text() + "}")
    with pytest.raises(Malformed) as error:
        Table.resume(live.folder)
    silent(error.value, truth)
    assert not any(hasattr(one, "doc") for one in chain(error.value))


def test_a_secret_that_cannot_be_written_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full while a match is made leaves no file, and no secret in the error."""
    players, drawn = Players(Setting()), bytes(range(32))
    monkeypatch.setattr("secrets.token_bytes", lambda size: drawn[:size])
    for failing in range(4):
        calls = iter(range(9))

        def fails(_: int, calls: Iterator[int] = calls, failing: int = failing) -> None:
            if next(calls) == failing:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fails)
            with pytest.raises(OSError, match="No space") as error:
                new_match(tmp_path / "new" / str(failing), players.terms)
        assert not list((tmp_path / "new" / str(failing)).iterdir())
        for one in chain(error.value):
            told = traceback.TracebackException(type(one), one, one.__traceback__, capture_locals=True)
            assert not any(frame.filename.startswith(HOUSE) for frame in told.stack)


def test_too_deep_a_stack_shows_nothing(tmp_path: Path) -> None:
    """A call that runs out of stack anywhere inside shows nothing of where it was, and the match goes on."""

    def deeper(left: int, call: Callable[[], object]) -> object:
        return call() if left <= 0 else deeper(left - 1, call)

    def deep(left: int, call: Callable[[], object]) -> None:
        before = sys.gettrace()
        sys.settrace(None)  # what measures coverage needs some of the stack itself
        try:
            deeper(left - 1, call)
        finally:
            sys.settrace(before)

    live = Live(tmp_path / "m", Setting(kinds=(HUMAN, HARD, EASY))).until(Phase.BETWEEN)
    room = sys.getrecursionlimit() - len(traceback.extract_stack())
    failed = 0
    cards = bytes(range(12))
    for free in range(1, 40):
        truth = live.truth()
        with pytest.raises((RecursionError, Misuse)) as caught:
            deep(room - free, partial(live.table.play, 0, cards))
        silent(caught.value, truth, cards)
        try:
            deep(room - free, live.step)
        except RecursionError as error:
            failed += 1
            silent(error, truth)
            live.table.suspend()
            live.resume()
    assert failed > 5
    assert live.play_out().audit().verdict == "verified"


def next_call(live: Live) -> Callable[[], object]:
    """Return a lawful call."""
    view = live.table.spectator()
    if view.phase not in (Phase.EXCHANGE, Phase.PLAYING):
        return live.table.finish if view.phase is Phase.OVER else live.deal
    seat = view.waiting[0]
    if view.players[seat] is not HUMAN:
        return lambda: live.table.advance(live.time)
    own = live.table.view(seat)
    if view.phase is Phase.EXCHANGE:
        return lambda: live.table.give(seat, (own.hand or b"")[: own.owed], live.time)
    return lambda: live.act(own.legal[-1])


def interrupted(call: Callable[[], object], after: int) -> BaseException | None:
    """Make a call that is interrupted before the line `after` of those it runs here; return the error, if it came."""
    left = [after]

    def trace(frame: FrameType, event: str, _: object) -> Any:
        name = frame.f_code.co_filename
        if not name.startswith(HOUSE) or name.endswith(("gate.py", "quiet.py")):
            return None
        if event == "line":
            left[0] -= 1
            if not left[0]:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt as error:
        return error
    finally:
        sys.settrace(before)
    return None


@pytest.mark.parametrize("phase", [Phase.BETWEEN, Phase.EXCHANGE, Phase.PLAYING, Phase.OVER])
def test_an_interrupt_anywhere_shows_nothing_and_loses_nothing(tmp_path: Path, phase: Phase) -> None:
    """Whatever a call was doing: nothing is seen of it in the error, and the match is resumed and goes on."""
    setting = Setting(kinds=(HUMAN, HARD, HUMAN), rounds=1 if phase is Phase.OVER else 2, operator=True)
    live = Live(tmp_path / "m", setting).until(phase)
    after, interrupts = 1, 0
    while True:
        truth, before = live.truth(), live.data
        error = interrupted(next_call(live), after)
        if error is None:
            break
        silent(error, truth)
        interrupts += 1
        after += max(1, after // 12)
        live.table.suspend()
        live.resume()
        assert live.data.startswith(before)
        if live.data != before and live.table.phase is not phase:
            break
    assert interrupts > 10
    assert live.play_out().table.phase is Phase.CLOSED
    assert not live.truth().findings()


def test_a_refusal_goes_from_one_process_to_another(tmp_path: Path) -> None:
    """A server may send it on: code, text, place and hint arrive."""
    live = Live(tmp_path / "m", Setting()).until(Phase.PLAYING)
    with pytest.raises(Refused) as error:
        live.table.play((live.table.spectator().waiting[0] + 1) % 4, b"\0")
    sent = deepcopy(error.value)  # by the same way as a pickle
    assert isinstance(sent, Refused)
    assert (sent.code, sent.what, sent.where, sent.hint) == (
        error.value.code,
        error.value.what,
        error.value.where,
        error.value.hint,
    )
