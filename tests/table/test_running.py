"""The state of a match: built by its records alone, and named as a report names it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fairdeal.codec import Log, encode_record
from fairdeal.commit import terms_hash
from fairdeal.errors import Misuse
from fairdeal.exchange import Swap
from fairdeal.records import (
    Action,
    Actions,
    Close,
    CloseReason,
    Exchange,
    Record,
    Seat,
    Timing,
    pass_action,
    set_action,
    singles,
    timed,
)
from fairdeal.replay import replay
from fairdeal.ruleset import load_preset
from fairdeal.secretfile import MatchSecret
from fairdeal.settings import Contributions
from fairdeal.table import Phase, Refused, Table, View
from fairdeal.table.folder import new_terms
from fairdeal.table.lawful import fault_of
from fairdeal.table.running import Running, apart
from fairdeal.table.vault import Vault
from tests.table.playing import BOT, EASY, HARD, HUMAN, Live, Players, Setting


def fresh() -> Running:
    """Return a match of which there are the terms only."""
    terms = Players(Setting()).terms
    return Running(terms, Vault(MatchSecret(terms_hash(encode_record(terms)), terms.rounds, bytes(32))))


def places(live: Live, record: Record) -> set[str]:
    """Return where an auditor places what is wrong with a record behind the log."""
    truth = live.truth()
    done = replay(Log(truth.log_bytes() + encode_record(record)), secret=truth.secret)
    return {one.place for one in done.judge.findings}


def wrongly(live: Live, view: View) -> tuple[Record, Callable[[], None]]:
    """Return something unlawful that a person could try now, as a record and as a call."""
    table = live.table
    if view.phase is Phase.EXCHANGE:
        giver = next(seat for seat in (*view.waiting, 0) if view.players[seat] is HUMAN)
        return Exchange(giver, (giver + 1) % 4, bytes(12)), lambda: table.give(giver, bytes(12))
    seat = 2 if view.waiting == (0,) else 0
    if view.sizes[seat] % 2:
        return Actions((pass_action(seat),)), lambda: table.pass_turn(seat)
    return Actions((set_action(seat, bytes(9)),)), lambda: table.play(seat, bytes(9))


def test_a_refusal_names_the_place_that_a_report_names(tmp_path: Path) -> None:
    """A wrong play is placed by round, trick and play, a wrong gift by its number in the exchange."""
    live = Live(tmp_path / "m", Setting(kinds=(HUMAN, EASY, HUMAN, HARD)))
    seen = set()
    while live.step():
        view = live.table.spectator()
        if view.phase not in (Phase.PLAYING, Phase.EXCHANGE):
            continue
        wrong, call = wrongly(live, view)
        with pytest.raises(Refused) as error:
            call()
        assert error.value.where in places(live, wrong)
        seen.add(error.value.where)
    assert {"round[1].trick[1].play[2]", "round[2].exchange[3]"} <= seen


def test_a_record_out_of_place_is_no_state() -> None:
    """What a log cannot have there is a mistake of the program, and told as one."""
    running = fresh()
    wrong: list[Record] = [running.terms, Exchange(0, 1, b"\0"), Actions((pass_action(0),))]
    for record in wrong:
        with pytest.raises((TypeError, ValueError)):
            running.apply(record)
    with pytest.raises(TypeError, match="by itself"):
        fault_of(Close(CloseReason.STOPPED, None, bytes(32), (), (), bytes(32)), running)
    with pytest.raises(ValueError, match="no exchange"):
        running.gift_of(Swap(0, 1, 1, tribute=False))
    assert running.due() is None
    assert running.waiting_for() == ()
    assert running.place() == "the opening"


def test_runs_are_taken_apart() -> None:
    """Each action of a run comes with its own timing, and everything else as it is."""
    actions = tuple(pass_action(seat) for seat in range(3))
    timing = tuple(Timing(tenths, None) for tenths in range(3))
    assert [apart(one) for one in singles(Actions(actions, timing))] == list(zip(timing, actions, strict=True))
    assert [apart(one) for one in singles(Actions(actions))] == [(Timing(None, None), one) for one in actions]
    gift = Exchange(0, 1, b"\0")
    assert apart(timed(timing[2], gift)) == (timing[2], gift)
    assert isinstance(apart(Actions(actions[:1]))[1], Action)


def test_terms_for_a_new_match(tmp_path: Path) -> None:
    """What makes terms gives each match an id, and claims the bots' choices unless one has no level."""
    ruleset = load_preset("president", {"end_at": 1})
    seats = [Seat(name, kind, b"") for name, kind in (("Anna", HUMAN), ("Bruno", HARD), ("Chloe", EASY))]
    terms = new_terms(ruleset, seats, 7)
    assert (terms.sequence, terms.bot_policy, terms.rounds, terms.contributions) == (7, 1, 1, Contributions.SEALED)
    assert terms.match_id != new_terms(ruleset, seats, 7).match_id
    assert new_terms(ruleset, [*seats, Seat("Dario", BOT, b"")], 7, rounds=2).bot_policy == 0
    with pytest.raises(Misuse, match="seats"):
        new_terms(ruleset, seats[:2], 7)
    Table.create(tmp_path / "m", terms).suspend()
