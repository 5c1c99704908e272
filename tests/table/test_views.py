"""What each seat and a spectator see: their own cards, what is public, and nothing that follows from hidden cards."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.cards import FACES
from fairdeal.codec import Log, encode_record
from fairdeal.errors import Misuse
from fairdeal.limits import MAX_EXCHANGE
from fairdeal.records import Deal, Exchange, Timing, timed
from fairdeal.table import Gift, Phase, RoundResult, View
from tests.strategies import some
from tests.table.playing import EASY, HUMAN, MEDIUM, Live, Setting, check_views

ALL = Setting(kinds=(HUMAN, EASY, HUMAN, HUMAN, MEDIUM), sealed=True, operator=True, seat_keys=True, clock=True)
CARDS = {"dealt", "hand", "legal", "gifts", "acted"}
PUBLIC = {
    "seat",
    "terms",
    "commitment",
    "phase",
    "waiting",
    "round",
    "dealing_order",
    "players",
    "owed",
    "sizes",
    "trick_start",
    "turned",
    "finishing",
    "results",
    "totals",
    "final_places",
    "receipt",
}


@pytest.mark.parametrize("preset", ["party", "any rules"])
def test_every_view_of_a_match(tmp_path: Path, preset: str) -> None:
    """To each seat its own dealt hand, what it gave and got, and all plays; no seed, blind or stream to anybody."""
    live = Live(tmp_path / "m", replace(ALL, preset=preset))
    check_views(live)
    steps = 0
    while live.step():
        steps += 1
        if live.table.phase is not Phase.PLAYING or not steps % 3:
            check_views(live)
        live.now += 50


def test_every_field_is_known_here() -> None:
    """A new field of a view has to be looked at in `check_view` before it goes out."""
    assert {field.name for field in fields(View)} == CARDS | PUBLIC
    assert {field.name for field in fields(Gift)} == {"giver", "receiver", "size", "cards"}
    assert {field.name for field in fields(RoundResult)} == {"places", "titles", "points", "seed"}


def test_a_spectator_sees_what_all_seats_see_alike(tmp_path: Path) -> None:
    """Apart from the cards of its own, a view is the same for everybody."""
    live = Live(tmp_path / "m", ALL)
    while live.step():
        public = replace(live.table.spectator(), gifts=())
        for seat in range(5):
            view = live.table.view(seat)
            assert replace(view, seat=None, dealt=None, hand=None, owed=0, legal=(), gifts=()) == public


def test_only_the_two_of_a_gift_see_its_cards(tmp_path: Path) -> None:
    """The others learn how many cards went where."""
    live = Live(tmp_path / "m", Setting()).until(Phase.EXCHANGE)
    gifts = live.table.spectator().gifts
    assert [gift.cards for gift in gifts] == [None, None]
    for gift in gifts:
        for seat in range(4):
            shown = [one.cards for one in live.table.view(seat).gifts if one.giver == gift.giver]
            assert (shown != [None]) == (seat in (gift.giver, gift.receiver))
    for seat in live.table.spectator().waiting:
        view = live.table.view(seat)
        assert view.owed == next(gift.size for gift in gifts if gift.receiver == seat)
        assert len(view.hand or b"") == view.sizes[seat]


def test_what_is_on_turn_is_shown_to_that_seat_alone(tmp_path: Path) -> None:
    """A list of lawful plays would tell the others what it holds."""
    live = Live(tmp_path / "m", Setting()).until(Phase.PLAYING)
    (seat,) = live.table.spectator().waiting
    for other in range(4):
        assert bool(live.table.view(other).legal) == (other == seat)
    assert live.table.spectator().legal == ()


@given(
    st.integers(1, MAX_EXCHANGE).flatmap(
        lambda size: st.lists(st.integers(0, FACES - 1), min_size=size, max_size=size)
    ),
    st.one_of(st.none(), st.integers(0, 10**6)),
)
@some
def test_the_size_of_a_log_tells_no_card(cards: list[int], tenths: int | None) -> None:
    """A gift takes as many bytes whichever cards it is of, so that the offset of a receipt tells how many alone."""
    sizes = set()
    for held in (bytes(sorted(cards)), bytes(len(cards)), bytes([FACES - 1] * len(cards))):
        sizes.add(len(encode_record(timed(Timing(tenths, None), Exchange(0, 1, held)))))
    assert len(sizes) == 1


def test_a_digest_covers_a_blind_that_nobody_knows(tmp_path: Path) -> None:
    """Every digest that covers a gift of a running round also covers sixteen bytes which no view shows."""
    live = Live(tmp_path / "m", Setting()).until(Phase.EXCHANGE)
    log = Log(live.data)
    (deal,) = [item for item in log.items if isinstance(item.record, Deal) and item.record.round == 2]
    assert isinstance(deal.record, Deal)
    gifts = [item for item in log.items if isinstance(item.record, Exchange)]
    assert gifts
    assert all(item.start >= deal.end for item in gifts)
    views = [live.table.spectator(), *(live.table.view(seat) for seat in range(4))]
    assert all(view.receipt.offset > deal.end for view in views)
    assert not any(deal.record.blind.hex() in repr(view) or repr(deal.record.blind) in repr(view) for view in views)


@pytest.mark.parametrize("seat", [-1, 4, True, False, 1.0, "1", None, 2**70])
def test_there_is_no_such_seat(tmp_path: Path, seat: int) -> None:
    """A view is asked for by a seat's number and nothing that only looks like it."""
    live = Live(tmp_path / "m", Setting())
    with pytest.raises(Misuse, match="there is no such seat"):
        live.table.view(seat)


def test_a_view_is_of_its_moment(tmp_path: Path) -> None:
    """What was handed out does not change while the match goes on, nor does the match with it."""
    live = Live(tmp_path / "m", Setting()).until(Phase.PLAYING)
    view = live.table.view(0)
    again, hand = live.table.view(0), view.hand
    live.until(Phase.OVER)
    assert view == again
    assert view.hand == hand
