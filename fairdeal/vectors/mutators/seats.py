"""Lies about who plays: seats that come and go as they cannot, and bots that do not choose as their level does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from fairdeal.bots import LEVELS, POLICY, choose_action
from fairdeal.codes import Code
from fairdeal.control import Control, Streams
from fairdeal.exchange import best_cards
from fairdeal.hands import hand_cards
from fairdeal.legal import legal_actions
from fairdeal.limits import BOT_BLOCK_BYTES
from fairdeal.records import Action, Actions, Presence, Record, SeatEvent
from fairdeal.settings import SeatKind
from fairdeal.vectors.mutators.draft import Draft, reopen
from fairdeal.vectors.mutators.going import play_on
from fairdeal.vectors.mutators.lie import Change, GiftSpot, Mutator, Needs, PlaySpot, lie, spots
from fairdeal.view import seen_by

# ---- what happens to seats

_PERSON, _BOT, _EASY = SeatKind.HUMAN, SeatKind.BOT, SeatKind.EASY
_CUT_OFF, _BACK, _GONE = Presence.DISCONNECTED, Presence.RETURNED, Presence.LEFT
_SEATS: Final = "common seats"
_FINAL: Final = "reading leaving-is-final"
_POLICY: Final = "reading bots-play-by-policy"


def _happens(seat: int, *events: tuple[Presence, SeatKind]) -> Change:
    """Return the change: in some round these things happen to a seat, of which the last cannot."""

    def apply(draft: Draft) -> str:
        spot = draft.choose([one for one in spots(draft) if isinstance(one, PlaySpot)])
        draft.records[spot.at : spot.at] = [SeatEvent(seat, presence, level) for presence, level in events]
        return f"round[{spot.ordinal}].event[{len(events)}]"

    return apply


def _event(name: str, description: str, *events: tuple[Presence, SeatKind], shows: tuple[str, ...] = ()) -> Mutator:
    """Return the mutator of events of which the last cannot happen, at a table without bots."""
    return Mutator(name, description, Code.SEAT_EVENT, _happens(0, *events), {"shows": (_SEATS, *shows)})


def _claimed_event(name: str, description: str, seat: int, *events: tuple[Presence, SeatKind]) -> Mutator:
    """Return the same for a table whose even seats are bots of a policy."""
    needs: Needs = {"players": ("easy", "random"), "shows": (_SEATS, _POLICY)}
    return Mutator(name, description, Code.SEAT_EVENT, _happens(seat, *events), needs)


_TWO_STAND_INS: Final = ((_CUT_OFF, _EASY), (_BACK, _PERSON), (_CUT_OFF, SeatKind.HARD))
_EVENTS: Final = (
    _event("returned-though-present", "a seat returns that was not away", (_BACK, _PERSON)),
    _event("cut-off-twice", "a seat loses its connection a second time", (_CUT_OFF, _BOT), (_CUT_OFF, _EASY)),
    _event("cut-off-played-by-a-person", "a person plays on for a seat that is cut off", (_CUT_OFF, _PERSON)),
    _event("returned-as-a-bot", "a seat returns, and a bot plays it", (_CUT_OFF, _BOT), (_BACK, _EASY)),
    _event("left-played-by-a-person", "a person plays on for a seat that has left", (_GONE, _PERSON)),
    _event("returned-after-leaving", "a seat returns that has left", (_GONE, _BOT), (_BACK, _PERSON), shows=(_FINAL,)),
    _event("left-twice", "a seat leaves a second time", (_GONE, _BOT), (_GONE, _EASY), shows=(_FINAL,)),
    _event("cut-off-after-leaving", "a seat that left is cut off", (_GONE, _BOT), (_CUT_OFF, _BOT), shows=(_FINAL,)),
    _claimed_event("event-of-a-bot", "a bot loses its connection", 0, (_CUT_OFF, SeatKind.MEDIUM)),
    _claimed_event("bot-leaves", "a bot leaves", 2, (_GONE, _EASY)),
    _claimed_event("cut-off-to-a-bot-of-no-level", "a bot of no stated level stands in", 1, (_CUT_OFF, _BOT)),
    _claimed_event("another-bot-stands-in", "the second bot for a seat is of another level", 1, *_TWO_STAND_INS),
    _claimed_event("left-to-a-bot-of-no-level", "a bot of no stated level keeps a seat", 1, (_GONE, _BOT)),
)


# ---- what bots choose


class _Choice(NamedTuple):
    """A choice of a bot in a sound draft: where it stands, and what its level makes of the block behind the right one.

    `other` is that gift or action, or None where it is what the log has.
    """

    spot: GiftSpot | PlaySpot
    level: SeatKind
    tribute: bool
    other: Record | None


def _choices(draft: Draft) -> Iterator[_Choice]:
    """Yield every gift and action of the bots of a draft without a clock; each state moves on with the next one."""
    control, ordinal = Control(draft.terms), 0
    for spot in spots(draft):
        if spot.ordinal != ordinal:
            ordinal = spot.ordinal
            control.start_round(Streams(draft.seed(ordinal), draft.mixed, ordinal))
        seat = spot.gift.giver if isinstance(spot, GiftSpot) else spot.action.seat
        level = control.players[seat]
        control.decided(seat)
        if level in LEVELS:
            if isinstance(spot, PlaySpot):
                action = control.bot_action(spot.state)
                yield _Choice(spot, level, False, None if action == spot.action else Actions((action,)))
            else:
                swap = spot.state.wanted(spot.gift)
                if swap is not None:
                    gift = replace(spot.gift, cards=control.bot_gift(swap, spot.state.hands[seat]))
                    yield _Choice(spot, level, swap.tribute, None if gift == spot.gift else gift)


def _plays_another(level: SeatKind) -> Change:
    """Return the change: a bot of a level takes another lawful action, and all play on from there."""

    def apply(draft: Draft) -> str:
        found: list[tuple[int, str, list[Action]]] = []
        for choice in _choices(draft):
            spot = choice.spot
            if choice.level is level and isinstance(spot, PlaySpot):
                others = [one for one in legal_actions(spot.state) if one != spot.action]
                found += [(spot.at, spot.place, others)] * bool(others)
        index, place, others = draft.choose(found)
        draft.records[index:] = [Actions((draft.draws.choose(others),))]
        play_on(draft)
        return place

    return apply


def _table_of(level: SeatKind, *shows: str) -> Needs:
    """Return what a sample needs: bots of this level on all seats but one."""
    return {"players": (str(level), str(level), "random"), "rounds": 2, "shows": (_POLICY, _SEATS, *shows)}


def _differs(draft: Draft, fits: Callable[[_Choice], Record | None]) -> str:
    """Let a bot do what `fits` says in place of its choice, where it says something, and all play on from there."""
    found = [(choice.spot.at, choice.spot.place, fits(choice)) for choice in _choices(draft)]
    index, place, false = draft.choose([one for one in found if one[2] is not None])
    draft.records[index:] = [false] if false is not None else []
    play_on(draft)
    return place


@lie("a bot gives a tribute of the right ranks and another suit", Code.BOT_CHOICE, **_table_of(SeatKind.MEDIUM))
def _bot_tribute_of_another_suit(draft: Draft) -> str:
    def fits(choice: _Choice) -> Record | None:
        spot = choice.spot
        if not isinstance(spot, GiftSpot) or not choice.tribute:
            return None
        low = spot.gift.cards[0]
        held = hand_cards(spot.state.hands[spot.gift.giver])
        same = [face for face in held if face >> 2 == low >> 2 and face not in spot.gift.cards]
        return replace(spot.gift, cards=bytes(sorted([*spot.gift.cards[1:], same[0]]))) if same else None

    return _differs(draft, fits)


def _returns_the_highest(draft: Draft) -> str:
    def fits(choice: _Choice) -> Record | None:
        spot = choice.spot
        if not isinstance(spot, GiftSpot) or choice.tribute:
            return None
        best = best_cards(spot.state.hands[spot.gift.giver], len(spot.gift.cards))
        return replace(spot.gift, cards=best) if best != spot.gift.cards else None

    return _differs(draft, fits)


@lie("a bot draws from the block of its next decision", Code.BOT_CHOICE, **_table_of(SeatKind.EASY))
def _bot_draws_from_the_next_block(draft: Draft) -> str:
    return _differs(draft, lambda choice: choice.other if isinstance(choice.spot, PlaySpot) else None)


@lie("a bot that stands in for a player does not choose as its level does", Code.BOT_CHOICE, **_table_of(SeatKind.HARD))
def _stand_in_plays_another(draft: Draft) -> str:
    found = []
    control = Control(draft.terms)
    for spot in spots(draft):
        if isinstance(spot, PlaySpot) and control.people[spot.action.seat] and len(legal_actions(spot.state)) > 1:
            stands_in = choose_action(SeatKind.MEDIUM, seen_by(spot.state, spot.action.seat), bytes(BOT_BLOCK_BYTES))
            if stands_in != spot.action:
                found.append((spot.at, spot.place, spot.action.seat))
    index, place, seat = draft.choose(found)
    draft.records.insert(index + 1, SeatEvent(seat, _BACK, _PERSON))
    draft.records.insert(index, SeatEvent(seat, _CUT_OFF, SeatKind.MEDIUM))
    return place


_MOVES: Final = tuple(
    Mutator(
        f"bot-of-level-{level}-plays-another",
        f"a bot of level {level} does not choose as that level does",
        Code.BOT_CHOICE,
        _plays_another(level),
        _table_of(level),
    )
    for level in LEVELS
)
_RETURNS: Final = tuple(
    Mutator(
        f"bot-of-level-{level}-returns-others",
        f"a bot of level {level} gives back other cards than that level does",
        Code.BOT_CHOICE,
        _returns_the_highest,
        _table_of(level),
    )
    for level in LEVELS
)


@lie("bots are to follow a policy, and one has no level to do so", Code.TERMS)
def _terms_bot_of_no_level(draft: Draft) -> str:
    draft.contributions = tuple(b"" if seat == 0 else value for seat, value in enumerate(draft.contributions))
    seats = tuple(replace(one, kind=_BOT) if seat == 0 else one for seat, one in enumerate(draft.terms.seats))
    reopen(draft, replace(draft.terms, seats=seats, bot_policy=POLICY))
    play_on(draft)
    return "terms"


SEATS: Final = (
    *_EVENTS,
    *_MOVES,
    *_RETURNS,
    _bot_tribute_of_another_suit,
    _bot_draws_from_the_next_block,
    _stand_in_plays_another,
    _terms_bot_of_no_level,
)
