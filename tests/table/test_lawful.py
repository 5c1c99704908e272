"""What a table refuses is what an auditor would find, by the same code, and a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings

from fairdeal.codec import encode_record
from fairdeal.codes import Code
from fairdeal.commit import round_blind, seal, transcript
from fairdeal.errors import Misuse
from fairdeal.hashing import file_digest
from fairdeal.records import (
    Actions,
    Close,
    CloseReason,
    Deal,
    Exchange,
    Opened,
    Presence,
    Record,
    Sealed,
    SeatEvent,
    Signature,
    pass_action,
    set_action,
    signer_of,
)
from fairdeal.table import Phase, Refused
from tests.table.attempts import attempt, settings_of_matches, tried
from tests.table.playing import EASY, HARD, HUMAN, Live, Setting, check_views

FULL = Setting(sealed=True, operator=True, seat_keys=True)
LONGEST = 1_500  # calls of a match of two rounds


def play_at_random(folder: Path, setting: Setting) -> None:
    """Play a match with lawful and unlawful calls in any order, looking at every view on the way, and audit it."""
    live = Live(folder, setting)
    draws = setting.rng("attempts")
    for _ in range(LONGEST):
        live.now += draws.below(900) if draws.below(10) else 4_000
        if not draws.below(3):
            tried(live, attempt(live, draws))
        elif not live.step():
            break
        if not draws.below(5):
            check_views(live)
    assert live.table.phase is Phase.CLOSED
    check_views(live)
    assert live.audit().verdict == "verified"
    live.table.suspend()


@settings(max_examples=10, deadline=None)
@given(settings_of_matches())
def test_any_calls_in_any_order(tmp_path_factory: pytest.TempPathFactory, setting: Setting) -> None:
    """Whatever is called: refusals have the auditor's code and change nothing, views hide, and the end is verified."""
    play_at_random(tmp_path_factory.mktemp("match") / "m", setting)


@pytest.mark.full
@settings(max_examples=200, deadline=None)
@given(settings_of_matches())
def test_any_calls_in_any_order_in_many_matches(tmp_path_factory: pytest.TempPathFactory, setting: Setting) -> None:
    """The same, for enough matches to meet every preset with every kind of player."""
    play_at_random(tmp_path_factory.mktemp("match") / "m", setting)


def refused(live: Live, error: pytest.ExceptionInfo[Refused], code: Code, *records: bytes) -> None:
    """Check a refusal's code against an audit of the log with what was refused behind it."""
    assert error.value.code is code
    assert str(code) in live.truth().findings(*records)


# --- before the first deal


def test_a_second_seal_and_a_copied_one(tmp_path: Path) -> None:
    """A seat seals once, and a value of its own."""
    live = Live(tmp_path / "m", Setting(sealed=True))
    values = [live.players.seal(seat, live.table.commitment) for seat in range(4)]
    live.table.seal(2, values[2])
    for seat, value in ((2, values[0]), (1, values[2])):
        with pytest.raises(Refused) as error:
            live.table.seal(seat, value)
        refused(live, error, Code.CONTRIBUTION_REPEATED, encode_record(Sealed(seat, value)))
    assert live.table.spectator().waiting == (0, 1, 3)


def test_only_people_contribute(tmp_path: Path) -> None:
    """A bot's seat seals nothing and opens nothing, and nobody does where the policy is none."""
    live = Live(tmp_path / "m", Setting(sealed=True, kinds=(HUMAN, EASY, HUMAN)))
    with pytest.raises(Refused) as error:
        live.table.seal(1, bytes(32))
    refused(live, error, Code.CONTRIBUTION_UNEXPECTED, encode_record(Sealed(1, bytes(32))))
    other = Live(tmp_path / "n", Setting())
    with pytest.raises(Refused) as error:
        other.table.open(1, bytes(32))
    refused(other, error, Code.CONTRIBUTION_UNEXPECTED, encode_record(Opened(1, bytes(32))))


def test_opened_before_all_are_sealed(tmp_path: Path) -> None:
    """An opening that somebody could still answer with a seal is refused; the next seal would show it."""
    live = Live(tmp_path / "m", Setting(sealed=True))
    live.table.seal(0, live.players.seal(0, live.table.commitment))
    value = live.players.contributions[0]
    with pytest.raises(Refused) as error:
        live.table.open(0, value)
    rest = [encode_record(Sealed(seat, live.players.seal(seat, live.table.commitment))) for seat in (1, 2, 3)]
    refused(live, error, Code.CONTRIBUTION_EARLY, encode_record(Opened(0, value)), *rest)


def test_opened_before_all_have_signed(tmp_path: Path) -> None:
    """An opening before the lock is signed is refused."""
    live = Live(tmp_path / "m", FULL).until(Phase.SIGNING)
    value = live.players.contributions[0]
    with pytest.raises(Refused) as error:
        live.table.open(0, value)
    refused(live, error, Code.SIGNATURE_MISSING, encode_record(Opened(0, value)))


def test_another_contribution_than_sealed(tmp_path: Path) -> None:
    """What does not open the seal is refused."""
    live = Live(tmp_path / "m", Setting(sealed=True)).until(Phase.OPENING)
    with pytest.raises(Refused) as error:
        live.table.open(3, bytes(32))
    refused(live, error, Code.CONTRIBUTION_OPENING, encode_record(Opened(3, bytes(32))))


def test_the_same_contribution_twice(tmp_path: Path) -> None:
    """Two seats cannot open the same value, even where both sealed it."""
    live = Live(tmp_path / "m", Setting(sealed=True))
    value = bytes(32)
    for seat in range(4):
        live.table.seal(seat, seal(live.players.terms_hash, live.table.commitment, seat, value))
    live.table.open(0, value)
    with pytest.raises(Refused) as error:
        live.table.open(1, value)
    refused(live, error, Code.CONTRIBUTION_REPEATED, encode_record(Opened(1, value)))


def test_nothing_is_sealed_after_the_lock(tmp_path: Path) -> None:
    """Once it is signed, opened or dealt on, the lock takes no more seals."""
    live = Live(tmp_path / "m", FULL)
    seen = set()
    while live.step() and live.table.phase is not Phase.EXCHANGE:
        phase = live.table.phase
        if phase not in (Phase.SEALING, Phase.OVER, Phase.CLOSED) and phase not in seen:
            seen.add(phase)
            with pytest.raises(Refused) as error:
                live.table.seal(0, bytes(32))
            refused(live, error, Code.ORDER, encode_record(Sealed(0, bytes(32))))
    assert seen == {Phase.SIGNING, Phase.OPENING, Phase.BETWEEN, Phase.PLAYING}


# --- signatures


def test_signatures_of_the_lock(tmp_path: Path) -> None:
    """Seats sign ascending, each once, with their own key, and the lock only."""
    live = Live(tmp_path / "m", FULL).until(Phase.SIGNING)
    table, players, receipt = live.table, live.players, live.table.lock_receipt()
    good = [players.signature(seat, receipt) for seat in range(4)]
    with pytest.raises(Refused) as error:
        table.sign_lock(0, good[1])
    refused(live, error, Code.SIGNATURE_BAD, encode_record(Signature(signer_of(0), good[1])))
    with pytest.raises(Refused) as error:
        table.sign_lock(1, good[1])
    first = encode_record(Signature(signer_of(0), good[0]))
    refused(live, error, Code.ORDER, encode_record(Signature(signer_of(1), good[1])), first)
    table.sign_lock(0, good[0])
    with pytest.raises(Refused) as error:
        table.sign_lock(0, good[0])
    refused(live, error, Code.ORDER, first)
    later = players.signature(1, table.receipt())
    with pytest.raises(Refused) as error:
        table.sign_lock(1, later)
    refused(live, error, Code.SIGNATURE_BAD, encode_record(Signature(signer_of(1), later)))


def test_a_seat_without_a_key_signs_nothing(tmp_path: Path) -> None:
    """The terms name who signs."""
    live = Live(tmp_path / "m", Setting(operator=True)).until(Phase.BETWEEN)
    record = encode_record(Signature(signer_of(2), bytes(64)))
    for sign in (live.table.sign_lock, live.table.sign_end):
        with pytest.raises(Refused) as error:
            sign(2, bytes(64))
        refused(live, error, Code.SIGNATURE_UNEXPECTED, record)
        if live.table.spectator().round == 0:
            live.until(Phase.BETWEEN)


def test_signatures_of_the_end(tmp_path: Path) -> None:
    """After the rounds seats sign ascending, some or all, and then only the close follows."""
    live = Live(tmp_path / "m", Setting(seat_keys=True)).until(Phase.BETWEEN)
    table, players = live.table, live.players
    early = players.signature(1, table.receipt())
    with pytest.raises(Refused) as error:
        table.sign_end(1, early)
    refused(live, error, Code.ORDER, encode_record(Signature(signer_of(1), early)))
    live.until(Phase.PLAYING)
    with pytest.raises(Refused) as error:
        table.sign_end(1, players.signature(1, table.receipt()))
    play = encode_record(Actions((table.view(table.spectator().waiting[0]).legal[0],)))
    refused(live, error, Code.ORDER, encode_record(Signature(signer_of(1), early)), play)
    live.until(Phase.OVER)
    receipt = table.receipt()
    table.sign_end(1, players.signature(1, receipt))
    for seat in (0, 1):
        with pytest.raises(Refused) as error:
            table.sign_end(seat, players.signature(seat, receipt))
        refused(live, error, Code.ORDER, encode_record(Signature(signer_of(seat), players.signature(seat, receipt))))
    bad = players.signature(3, table.receipt())
    with pytest.raises(Refused) as error:
        table.sign_end(3, bad)
    refused(live, error, Code.SIGNATURE_BAD, encode_record(Signature(signer_of(3), bad)))
    with pytest.raises(Refused) as error:
        table.disconnect(0, HARD)
    refused(live, error, Code.ORDER, encode_record(SeatEvent(0, Presence.DISCONNECTED, HARD)))
    table.suspend()
    live.resume()
    live.table.sign_end(3, players.signature(3, receipt))
    live.table.finish()
    assert live.audit().verdict == "verified"
    assert not live.truth().findings()


# --- the end


def test_a_close_by_rule_before_its_time(tmp_path: Path) -> None:
    """In every phase a close by rule is refused as an auditor would refute it."""
    live = Live(tmp_path / "m", FULL)
    seen = {}
    while live.table.phase is not Phase.OVER:
        phase = live.table.phase
        if phase not in seen:
            with pytest.raises(Refused) as error:
                live.table.finish()
            totals = live.table.spectator().totals
            close = Close(CloseReason.BY_RULE, None, file_digest(live.data), totals, (), live.truth().secret)
            refused(live, error, error.value.code, encode_record(close))
            seen[phase] = error.value.code
        live.step()
    early = {Phase.SEALING, Phase.SIGNING, Phase.OPENING, Phase.BETWEEN}
    expected = dict.fromkeys(early, Code.CLOSE_EARLY)
    assert seen == expected | dict.fromkeys((Phase.PLAYING, Phase.EXCHANGE), Code.ROUND_END_MISSING)


REASONS = {
    Phase.SEALING: CloseReason.NOT_SEALED,
    Phase.SIGNING: CloseReason.NOT_SIGNED,
    Phase.OPENING: CloseReason.NOT_OPENED,
}


@pytest.mark.parametrize("phase", REASONS)
def test_a_seat_is_blamed_only_for_what_it_owes(tmp_path: Path, phase: Phase) -> None:
    """Every seat that owes what is waited for may be named, no other one, and not for what is not due yet."""
    live = Live(tmp_path / "m", FULL)
    while live.table.phase is not phase:
        live.step()
    live.step()
    owing = [seat for seat in range(4) if not _has_done(live, phase, seat)]
    assert len(owing) == 3
    (settled,) = set(range(4)) - set(owing)
    for seat in (settled, None):
        with pytest.raises(Refused) as error:
            live.table.void(REASONS[phase], seat)
        close = Close(REASONS[phase], seat, file_digest(live.data), (0,) * 4, (), live.truth().secret)
        refused(live, error, Code.CLOSE_REASON, encode_record(close))
    for later in list(REASONS.values())[list(REASONS).index(phase) + 1 :]:
        with pytest.raises(Misuse, match="while the match is"):
            live.table.void(later, owing[-1])
    live.table.void(REASONS[phase], owing[-1])
    assert live.truth().findings() == {"void"}


def _has_done(live: Live, phase: Phase, seat: int) -> bool:
    """Return whether a seat has sealed, signed or opened."""
    for item in live.truth().log.items:
        match item.record:
            case Sealed() if phase is Phase.SEALING and item.record.seat == seat:
                return True
            case Signature() if phase is Phase.SIGNING and item.record.signer == signer_of(seat):
                return True
            case Opened() if phase is Phase.OPENING and item.record.seat == seat:
                return True
    return False


def test_nobody_is_blamed_after_the_deal(tmp_path: Path) -> None:
    """Once cards are dealt nothing of the opening is owed."""
    live = Live(tmp_path / "m", FULL).until(Phase.PLAYING)
    with pytest.raises(Refused) as error:
        live.table.void(CloseReason.NOT_OPENED, 0)
    close = Close(CloseReason.NOT_OPENED, 0, file_digest(live.data), (0,) * 4, (), live.truth().secret)
    refused(live, error, Code.CLOSE_REASON, encode_record(close))


def test_a_closed_match_takes_nothing(tmp_path: Path) -> None:
    """After the close every call is out of order."""
    live = Live(tmp_path / "m", Setting(sealed=True)).play_out()
    table, before = live.table, live.data
    records: dict[Callable[[], None], Record] = {
        lambda: table.seal(0, bytes(32)): Sealed(0, bytes(32)),
        lambda: table.open(0, bytes(32)): Opened(0, bytes(32)),
        lambda: table.give(0, b"\1"): Exchange(0, 1, b"\1"),
        lambda: table.play(0, b"\1"): Actions((set_action(0, b"\1"),)),
        lambda: table.pass_turn(0): Actions((pass_action(0),)),
        lambda: table.sign_end(0, bytes(64)): Signature(1, bytes(64)),
        table.finish: Close(CloseReason.BY_RULE, None, bytes(32), (0,) * 4, (), bytes(32)),
        table.void: Close(CloseReason.STOPPED, None, bytes(32), (0,) * 4, (), bytes(32)),
    }
    for call, record in records.items():
        with pytest.raises(Refused) as error:
            call()
        refused(live, error, Code.ORDER, encode_record(record))
    events: tuple[Callable[[], None], ...] = (lambda: table.leave(0, EASY), lambda: table.come_back(0), table.deal)
    for event in events:
        with pytest.raises(Refused) as error:
            event()
        assert error.value.code is Code.ORDER
    assert live.data == before
    assert table.advance() is None
    with pytest.raises(Misuse, match="closed"):
        table.tickets()


def test_nothing_but_the_close_follows_a_signature_of_the_end(tmp_path: Path) -> None:
    """In a match that may go on, the first signature of its end decides that it does not."""
    live = Live(tmp_path / "m", Setting(preset="wild-joker", seat_keys=True, rounds=5)).until(Phase.PLAYING)
    live.until(Phase.BETWEEN)
    table, players = live.table, live.players
    with pytest.raises(Misuse, match="not every seat has sealed"):
        Live(tmp_path / "n", FULL).table.sign_lock(0, bytes(64))
    table.sign_end(2, players.signature(2, table.receipt()))
    table.tickets()
    with pytest.raises(Refused) as error:
        table.deal()
    truth = live.truth()
    blind = round_blind(truth.tree.seeds[1], transcript(players.terms_hash, table.commitment, [b""] * 4), 2)
    refused(live, error, Code.ORDER, encode_record(Deal(2, 0, blind)))
    table.finish()
    assert live.audit().verdict == "verified"
