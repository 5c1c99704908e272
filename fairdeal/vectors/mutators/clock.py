"""Lies about the clock: that it acts when, for whom or as it may not, and that people act when they may not."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fairdeal.cards import FIRST_JOKER, THREE_OF_CLUBS
from fairdeal.codes import Code
from fairdeal.exchange import ranks
from fairdeal.hands import hand_cards
from fairdeal.law import NATURAL
from fairdeal.records import PASS, Actions, Record, Timing, pass_action, set_action, timed
from fairdeal.vectors.mutators.lie import GiftSpot, PlaySpot
from fairdeal.vectors.mutators.marks import Turn, false_turn, last_return

_TIMED: Final = "turn_seconds=30"
_EARLY, _LATE, _STARTS, _LEADS, _BOTS, _SLOW = (
    f"reading {name}"
    for name in (
        "clock-not-early",
        "no-action-after-time",
        "clock-starts-with-the-turn",
        "clock-leads-the-lowest",
        "clock-not-for-bots",
        "bot-may-take-its-time",
    )
)


# ---- too early, too late


@false_turn(
    "the clock acts a tenth of a second too early", Code.CLOCK_EARLY, clock=True, shows=(_TIMED, _EARLY, _STARTS)
)
def _clock_too_early(turn: Turn) -> Record | None:
    return _ends_at(turn, turn.limit - 1) if turn.by_clock and isinstance(turn.spot, PlaySpot) else None


@false_turn(
    "the clock makes a return too early", Code.CLOCK_EARLY, clock=True, rounds=2, shows=(_TIMED, _EARLY, _STARTS)
)
def _clock_returns_too_early(turn: Turn) -> Record | None:
    return _ends_at(turn, turn.limit - 1) if turn.by_clock and last_return(turn) else None


@false_turn(
    "a player acts a tenth of a second after the time", Code.CLOCK_OVERRUN, clock=True, shows=(_TIMED, _LATE, _STARTS)
)
def _action_after_time(turn: Turn) -> Record | None:
    acts = turn.person and not turn.by_clock and isinstance(turn.spot, PlaySpot)
    return _ends_at(turn, turn.limit + 1) if acts else None


@false_turn(
    "a player's time is exceeded only with what went by before a seat event",
    Code.CLOCK_OVERRUN,
    clock=True,
    shows=(_STARTS,),
)
def _action_after_time_with_an_event(turn: Turn) -> Record | None:
    acts = turn.person and not turn.by_clock and isinstance(turn.spot, PlaySpot)
    return _ends_at(turn, turn.limit + 1) if acts and turn.spent else None


@false_turn(
    "a player makes a return after the time", Code.CLOCK_OVERRUN, clock=True, rounds=2, shows=(_TIMED, _LATE, _STARTS)
)
def _return_after_time(turn: Turn) -> Record | None:
    return _ends_at(turn, turn.limit + 1) if turn.person and not turn.by_clock and last_return(turn) else None


def _ends_at(turn: Turn, spent: int) -> Record | None:
    """Return the record of a turn that takes so many tenths in all, where it can."""
    tenths = spent - turn.spent
    return turn.at(turn.spot.timing._replace(tenths=tenths)) if tenths >= 0 else None


# ---- for whom the clock acts


@false_turn("the marker names another seat than the one that acts", Code.CLOCK_NOT_DUE, clock=True)
def _marker_for_another_seat(turn: Turn) -> Record | None:
    other = int(turn.seat == 0)
    return turn.at(turn.spot.timing._replace(acted_for=other)) if turn.by_clock else None


@false_turn(
    "the clock makes a tribute", Code.CLOCK_NOT_DUE, clock=True, rounds=2, shows=("reading clock-not-on-tributes",)
)
def _marker_on_a_tribute(turn: Turn) -> Record | None:
    return turn.at(Timing(None, turn.seat)) if turn.tribute else None


@false_turn(
    "the clock passes for a seat where the rules have no clock",
    Code.CLOCK_NOT_DUE,
    settings={"turn_seconds": 0},
    shows=("reading no-clock-no-time-outs",),
)
def _marker_without_a_clock(turn: Turn) -> Record | None:
    passes = isinstance(turn.spot, PlaySpot) and turn.spot.action.kind == PASS
    return turn.at(Timing(None, turn.seat)) if passes else None


@false_turn(
    "the clock acts for a bot that takes its time",
    Code.CLOCK_NOT_DUE,
    clock=True,
    players=("easy", "random"),
    shows=(_BOTS, _SLOW),
)
def _marker_for_a_bot(turn: Turn) -> Record | None:
    acts = isinstance(turn.spot, PlaySpot) and not turn.person and turn.spot.action.kind == PASS
    return turn.at(Timing(turn.limit, turn.seat)) if acts else None


@false_turn(
    "the clock acts for a bot that stands in for a player", Code.CLOCK_NOT_DUE, clock=True, shows=(_BOTS, _SLOW)
)
def _marker_for_a_stand_in(turn: Turn) -> Record | None:
    acts = isinstance(turn.spot, PlaySpot) and not turn.person and turn.spot.action.kind == PASS
    return turn.at(Timing(turn.limit, turn.seat)) if acts else None


# ---- what the clock does: with a marker alone, in rounds without marks, where whether time was up is not known


def _by_clock(turn: Turn, cards: bytes) -> Record:
    return timed(Timing(None, turn.seat), Actions((set_action(turn.seat, cards) if cards else pass_action(turn.seat),)))


def _held(turn: Turn) -> bytes:
    """Return the cards of the seat whose turn it is, in a turn that is no gift; none in one that is."""
    return hand_cards(turn.spot.state.hands[turn.seat]) if isinstance(turn.spot, PlaySpot) else b""


@false_turn("off the lead the clock plays in place of passing", Code.CLOCK_CHOICE, clock=True)
def _clock_plays_off_the_lead(turn: Turn) -> Record | None:
    spot = turn.spot
    plays = isinstance(spot, PlaySpot) and not turn.leads and spot.action.kind != PASS and turn.person
    return _ends_at_by_clock(turn) if plays else None


def _ends_at_by_clock(turn: Turn) -> Record | None:
    """Return the same action, done by the clock when the time is up."""
    return turn.at(Timing(turn.limit - turn.spent, turn.seat)) if turn.limit >= turn.spent else None


@false_turn("the clock leads a higher single card", Code.CLOCK_CHOICE, goes_on=True, shows=(_LEADS,))
def _clock_leads_a_higher_card(turn: Turn) -> Record | None:
    held = _held(turn)
    return _by_clock(turn, held[-1:]) if turn.leads and held[0] >> 2 != held[-1] >> 2 else None


@false_turn("the clock leads a pair of its lowest cards", Code.CLOCK_CHOICE, goes_on=True, shows=(_LEADS,))
def _clock_leads_a_pair(turn: Turn) -> Record | None:
    held = _held(turn)
    return _by_clock(turn, held[:2]) if turn.leads and len({face >> 2 for face in held[:2]}) == 1 < len(held) else None


@false_turn(
    "the clock leads a joker while another card is held",
    Code.CLOCK_CHOICE,
    goes_on=True,
    preset="wild-joker",
    settings={"turn_seconds": 30},
    shows=(_LEADS,),
)
def _clock_leads_a_joker(turn: Turn) -> Record | None:
    held = _held(turn)
    return _by_clock(turn, held[-1:]) if turn.leads and held[0] < FIRST_JOKER <= held[-1] else None


@false_turn(
    "the clock leads the lowest card by the natural order, while the order is turned over",
    Code.CLOCK_CHOICE,
    goes_on=True,
    preset="party",
    players="largest",
    shows=(_LEADS,),
)
def _clock_leads_by_the_natural_order(turn: Turn) -> Record | None:
    held = _held(turn)
    turned = isinstance(turn.spot, PlaySpot) and turn.spot.state.order is not NATURAL
    return _by_clock(turn, held[:1]) if turned and turn.leads and held[0] >> 2 != held[-1] >> 2 else None


@false_turn("the clock passes where a trick must be led", Code.PASS_ON_LEAD, shows=(_LEADS,))
def _clock_passes_on_the_lead(turn: Turn) -> Record | None:
    return _by_clock(turn, b"") if turn.leads else None


@false_turn(
    "the clock begins the match with another card than the three of clubs",
    Code.FIRST_PLAY,
    settings={"first_play_3c": True},
    shows=("reading clock-leads-the-three-of-clubs",),
)
def _clock_begins_with_another_card(turn: Turn) -> Record | None:
    others = bytes(face for face in _held(turn) if face != THREE_OF_CLUBS)
    begins = isinstance(turn.spot, PlaySpot) and turn.spot.state.wants_three()
    return _by_clock(turn, others[:1]) if begins else None


@false_turn(
    "the clock begins the match with a pair that holds the three of clubs",
    Code.CLOCK_CHOICE,
    goes_on=True,
    settings={"first_play_3c": True},
    shows=("reading clock-leads-the-three-of-clubs",),
)
def _clock_begins_with_a_pair(turn: Turn) -> Record | None:
    held = _held(turn)
    begins = isinstance(turn.spot, PlaySpot) and turn.spot.state.wants_three()
    return _by_clock(turn, held[:2]) if begins and held[1] >> 2 == 0 else None


@false_turn(
    "the clock gives back other cards than the lowest",
    Code.CLOCK_CHOICE,
    goes_on=True,
    rounds=2,
    shows=("reading clock-returns-the-lowest",),
)
def _clock_returns_higher_cards(turn: Turn) -> Record | None:
    spot = turn.spot
    if turn.tribute or not isinstance(spot, GiftSpot):
        return None
    held, size = hand_cards(spot.state.hands[turn.seat]), len(spot.gift.cards)
    high = replace(spot.gift, cards=held[-size:])
    return timed(Timing(None, turn.seat), high) if ranks(high.cards) != ranks(held[:size]) else None


CLOCK: Final = (
    _clock_too_early,
    _clock_returns_too_early,
    _action_after_time,
    _action_after_time_with_an_event,
    _return_after_time,
    _marker_for_another_seat,
    _marker_on_a_tribute,
    _marker_without_a_clock,
    _marker_for_a_bot,
    _marker_for_a_stand_in,
    _clock_plays_off_the_lead,
    _clock_leads_a_higher_card,
    _clock_leads_a_pair,
    _clock_leads_a_joker,
    _clock_leads_by_the_natural_order,
    _clock_passes_on_the_lead,
    _clock_begins_with_another_card,
    _clock_begins_with_a_pair,
    _clock_returns_higher_cards,
)
