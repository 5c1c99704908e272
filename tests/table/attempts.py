"""Calls in any order, lawful or not, and what must hold of every one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st

from fairdeal.cards import FACES
from fairdeal.codec import encode_record
from fairdeal.commit import round_blind, transcript
from fairdeal.draws import Draws
from fairdeal.errors import Misuse
from fairdeal.hashing import file_digest
from fairdeal.limits import BLIND_BYTES
from fairdeal.records import (
    Actions,
    Close,
    CloseReason,
    Deal,
    Exchange,
    Opened,
    Presence,
    Sealed,
    SeatEvent,
    pass_action,
    set_action,
    straight_action,
    timed,
)
from fairdeal.ruleset import load_preset, preset_names
from fairdeal.settings import SeatKind
from fairdeal.table import Phase, Refused
from tests.table.playing import ANY_RULES, HUMAN, Live, Setting, drawn

EVENTS = (Presence.DISCONNECTED, Presence.RETURNED, Presence.LEFT)


class Attempt(NamedTuple):
    """A call, and the bytes that a table which looked at nothing would have written for it."""

    what: str
    call: Callable[[], object]
    record: bytes


@st.composite
def settings_of_matches(draw: st.DrawFn) -> Setting:
    """Return matches of every preset and table size, with bots, contributions, keys and a clock or without."""
    preset = draw(st.sampled_from([ANY_RULES, ANY_RULES, *preset_names()]))
    fewest = 3 if preset == ANY_RULES else load_preset(preset).min_seats
    kinds = draw(st.lists(st.sampled_from([HUMAN, HUMAN, HUMAN, *SeatKind]), min_size=fewest, max_size=5))
    policy = 0 if SeatKind.BOT in kinds else draw(st.integers(0, 1))
    changes = {"turn_seconds": draw(st.sampled_from([0, 3]))}
    return Setting(
        preset=preset,
        kinds=tuple(kinds),
        sealed=HUMAN in kinds and draw(st.booleans()),
        operator=draw(st.booleans()),
        seat_keys=draw(st.booleans()),
        clock=draw(st.booleans()),
        changes=changes,
        policy=policy,
        number=draw(st.integers(0, 2**32)),
    )


def attempt(live: Live, draws: Draws) -> Attempt:
    """Return a call that may or may not be lawful now."""
    makers = [_play, _play, _play, _pass, _pass, _give, _give, _event, _event, _seal, _open, _deal, _finish, _blame]
    return draws.choose(makers)(live, draws)


def tried(live: Live, one: Attempt) -> bool:
    """Make a call; return whether it was accepted, and check that it is an auditor's refusal if not.

    A refusal changes neither the file nor a view, and its code is what an auditor finds where the record is written all
    the same.
    """
    before, views, refusal = live.data, _views(live), None
    try:
        one.call()
    except Misuse as error:
        refusal = error
    if refusal is None:
        assert live.data.startswith(before)
        assert len(live.data) > len(before), one.what
        return True
    if isinstance(refusal, Refused):
        found = live.truth().findings(one.record)
        assert str(refusal.code) in found, (one.what, refusal.code, found)
        assert refusal.hint == f"`fairdeal explain {refusal.code}` says what it means"
    assert refusal.what, one.what
    assert live.data == before, one.what
    assert _views(live) == views, one.what
    return False


def _views(live: Live) -> list[object]:
    seats = range(len(live.setting.kinds))
    return [live.table.spectator(), live.table.receipt(), *(live.table.view(seat) for seat in seats)]


def _seat(live: Live, draws: Draws) -> int:
    """Return the seat on turn, or another one."""
    waiting = live.table.spectator().waiting
    return draws.choose(waiting) if waiting and draws.below(3) else draws.below(len(live.setting.kinds))


def _cards(live: Live, seat: int, draws: Draws, size: int) -> bytes:
    """Return cards that a seat holds, of one rank if possible, or any."""
    hand = live.table.view(seat).hand
    if not hand or not draws.below(4):
        return bytes(draws.below(FACES) for _ in range(size))
    rank = draws.choose(hand) >> 2
    same = bytes(face for face in hand if face >> 2 == rank)
    return (same if draws.below(3) else drawn(draws, hand, len(hand)))[:size]


def _play(live: Live, draws: Draws) -> Attempt:
    seat = _seat(live, draws)
    cards = _cards(live, seat, draws, 1 + draws.below(4))
    straight = not draws.below(4)
    action = straight_action(seat, cards) if straight else set_action(seat, bytes(sorted(cards)))
    record = encode_record(timed(live.timing(), Actions((action,))))
    return Attempt("play", lambda: live.table.play(seat, cards, live.time, straight=straight), record)


def _pass(live: Live, draws: Draws) -> Attempt:
    seat = _seat(live, draws)
    record = encode_record(timed(live.timing(), Actions((pass_action(seat),))))
    return Attempt("pass", lambda: live.table.pass_turn(seat, live.time), record)


def _give(live: Live, draws: Draws) -> Attempt:
    seat = _seat(live, draws)
    cards = _cards(live, seat, draws, 1 + draws.below(3))
    view = live.table.spectator()
    back = [gift.giver for gift in view.gifts if gift.receiver == seat] if view.phase is Phase.EXCHANGE else []
    given = Exchange(seat, back[0] if back else (seat + 1) % len(live.setting.kinds), bytes(sorted(cards)))
    record = encode_record(timed(live.timing(), given))
    return Attempt("give", lambda: live.table.give(seat, cards, live.time), record)


def _event(live: Live, draws: Draws) -> Attempt:
    table, seat, presence = live.table, _seat(live, draws), draws.choose(EVENTS)
    level = HUMAN if presence is Presence.RETURNED else draws.choose(list(SeatKind))
    record = encode_record(timed(live.timing(), SeatEvent(seat, presence, level)))
    calls: dict[Presence, Callable[[], object]] = {
        Presence.DISCONNECTED: lambda: table.disconnect(seat, level, live.time),
        Presence.RETURNED: lambda: table.come_back(seat, live.time),
        Presence.LEFT: lambda: table.leave(seat, level, live.time),
    }
    return Attempt("event", calls[presence], record)


def _seal(live: Live, draws: Draws) -> Attempt:
    seat = _seat(live, draws)
    known = [item.record.seal for item in live.truth().log.items if isinstance(item.record, Sealed)]
    due = seat in live.players.contributions
    right = live.players.seal(seat, live.table.commitment) if due else draws.take(32)
    value = draws.choose([*known, right])
    return Attempt("seal", lambda: live.table.seal(seat, value), encode_record(Sealed(seat, value)))


def _open(live: Live, draws: Draws) -> Attempt:
    table, players, seat = live.table, live.players, _seat(live, draws)
    value = draws.choose([draws.take(32), *players.contributions.values()])
    if table.phase is not Phase.OPENING and players.contributions.get(seat) == value:
        value = bytes(32)
    record = encode_record(Opened(seat, value))
    if table.phase is Phase.SEALING:
        # opened too early shows once a seal stands behind it
        late = table.spectator().waiting[0]
        record += encode_record(Sealed(late, players.seal(late, table.commitment)))
    return Attempt("open", lambda: table.open(seat, value), record)


def _deal(live: Live, draws: Draws) -> Attempt:
    view, truth = live.table.spectator(), live.truth()
    number = view.round + 1
    first = draws.below(len(live.setting.kinds)) if not view.dealing_order else view.dealing_order[0]
    blind = bytes(BLIND_BYTES)
    if number <= live.players.terms.rounds:
        values = [live.players.contributions.get(seat, b"") for seat in range(len(live.setting.kinds))]
        mixed = transcript(live.players.terms_hash, live.table.commitment, values)
        blind = round_blind(truth.tree.seeds[number - 1], mixed, number)
    return Attempt("deal", lambda: live.table.deal(live.time), encode_record(Deal(number, first, blind)))


def _close(live: Live, reason: CloseReason, seat: int | None) -> bytes:
    totals = live.table.spectator().totals
    return encode_record(Close(reason, seat, file_digest(live.data), totals, (), live.truth().secret))


def _finish(live: Live, draws: Draws) -> Attempt:
    if live.table.spectator().results and not draws.below(4):
        return Attempt("void by rule", lambda: live.table.void(CloseReason.BY_RULE), b"")
    if live.table.spectator().results and live.table.phase in (Phase.BETWEEN, Phase.OVER):
        return _pass(live, draws)
    return Attempt("finish", live.table.finish, _close(live, CloseReason.BY_RULE, None))


def _blame(live: Live, draws: Draws) -> Attempt:
    """Return a close that blames a seat which owes nothing."""
    table, seat = live.table, _seat(live, draws)
    reason = draws.choose([CloseReason.NOT_SEALED, CloseReason.NOT_SIGNED, CloseReason.NOT_OPENED])
    if table.phase in (Phase.SEALING, Phase.SIGNING, Phase.OPENING):  # there it may be right
        return _pass(live, draws)
    return Attempt("blame", lambda: table.void(reason, seat), _close(live, reason, seat))
