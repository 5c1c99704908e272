"""Lies at tables with house rules, or of other rulebooks: each plays as if a rule of the table did not exist."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fairdeal.cards import FACES, FIRST_JOKER, JOKER_RANK, THREE_OF_CLUBS, TWO
from fairdeal.codes import Code
from fairdeal.exchange import best_cards, ranks
from fairdeal.hands import hand_cards
from fairdeal.law import NATURAL, STRAIGHT_RANK, TURNED
from fairdeal.play import NOBODY
from fairdeal.records import PASS, STRAIGHT, Actions, Exchange, Record, pass_action, play_action, set_action
from fairdeal.vectors.mutators.close import claim
from fairdeal.vectors.mutators.draft import Draft, ends, standings
from fairdeal.vectors.mutators.going import play_on
from fairdeal.vectors.mutators.lie import GiftSpot, PlaySpot, Settings, false_record, lie, spots

STRAIGHTS: Final[Settings] = {"straights": True}
SKIPS: Final[Settings] = {"equal_rank": "skip"}
LOCKS: Final[Settings] = {"pass": "locks"}
REVOLUTION: Final[Settings] = {"revolution": "round", "joker": "wild", "jokers_per_pack": 2}
ONE_TWO: Final[Settings] = {"twos": "clear-and-one-beats-any"}
OPENS_WITH_3C: Final[Settings] = {"first_play_3c": True}
DROPS: Final[Settings] = {"going_out": "drops"}


def _of_rank(spot: PlaySpot, rank: int, size: int) -> bytes:
    """Return `size` cards of a rank in the hand on turn, or none where it has fewer."""
    held = hand_cards(spot.state.hands[spot.state.turn], 4 * rank, 4 * rank + 4)
    return held[:size] if len(held) >= size else b""


def _one_of_each(spot: PlaySpot, ranks_wanted: range) -> bytes:
    """Return a card of each of these ranks in the hand on turn, or none where one is missing."""
    cards = b"".join(_of_rank(spot, rank, 1) for rank in ranks_wanted)
    return cards if len(cards) == len(ranks_wanted) else b""


def _plays(spot: PlaySpot, cards: bytes, *, straight: bool = False) -> Record | None:
    """Return the record by which the seat on turn lays down `cards`, None where there are none."""
    seat = spot.state.turn
    if not cards:
        return None
    return Actions((play_action(STRAIGHT, seat, cards) if straight else set_action(seat, cards),))


# ---- straights and the first play


@false_record(PlaySpot, "a set laid on a straight", Code.KIND, settings=STRAIGHTS)
def _set_on_straight(spot: PlaySpot) -> Record | None:
    on_straight = spot.state.rank >= STRAIGHT_RANK
    return _plays(spot, next((_of_rank(spot, rank, 1) for rank in range(TWO, -1, -1)), b"")) if on_straight else None


@false_record(PlaySpot, "a straight laid on a set", Code.KIND, settings=STRAIGHTS)
def _straight_on_set(spot: PlaySpot) -> Record | None:
    runs = (_one_of_each(spot, range(low, low + 3)) for low in range(10))
    run = next((one for one in runs if one), b"")
    return _plays(spot, run, straight=True) if 0 <= spot.state.rank < STRAIGHT_RANK else None


@false_record(PlaySpot, "a straight with a rank left out", Code.NOT_A_STRAIGHT, settings=STRAIGHTS)
def _straight_with_a_gap(spot: PlaySpot) -> Record | None:
    gaps = (_one_of_each(spot, range(low, low + 2)) + _of_rank(spot, low + 3, 1) for low in range(9))
    return _plays(spot, next((one for one in gaps if len(one) == 3), b""), straight=True)


@false_record(PlaySpot, "a straight that goes on past the ace", Code.NOT_A_STRAIGHT, settings=STRAIGHTS)
def _straight_past_the_ace(spot: PlaySpot) -> Record | None:
    return _plays(spot, _one_of_each(spot, range(TWO - 2, TWO + 1)), straight=True)


@false_record(PlaySpot, "the match is opened without the three of clubs", Code.FIRST_PLAY, settings=OPENS_WITH_3C)
def _opened_without_clubs(spot: PlaySpot) -> Record | None:
    others = bytes(set(hand_cards(spot.state.hands[spot.state.turn])) - {THREE_OF_CLUBS})
    opens = spot.ordinal == spot.state.trick == spot.state.play == 1
    return _plays(spot, bytes([max(others)])) if opens else None


# ---- passes, matches, revolutions


@false_record(PlaySpot, "a seat that passed for good is let back into the trick", Code.TURN, settings=LOCKS)
def _locked_seat_plays(spot: PlaySpot) -> Record | None:
    state = spot.state
    out = [one.seat for one in spot.past[len(spot.past) - state.play + 1 :] if one.kind == PASS]
    cards = b"" if not out else hand_cards(state.hands[out[0]])
    return Actions((set_action(out[0], cards[-1:]),)) if cards else None


@false_record(PlaySpot, "a seat acts although a match makes it miss its turn", Code.TURN, settings=SKIPS)
def _skipped_seat_acts(spot: PlaySpot) -> Record | None:
    state = spot.state
    fresh = state.skipped != NOBODY and state.count and spot.past[-1].kind != PASS
    return Actions((pass_action(state.skipped),)) if fresh else None


@false_record(PlaySpot, "a set higher by the natural order while it is turned over", Code.TOO_LOW, settings=REVOLUTION)
def _revolution_forgotten(spot: PlaySpot) -> Record | None:
    state = spot.state
    if state.order is not TURNED or not state.count:
        return None
    higher = (_of_rank(spot, rank, state.count) for rank in range(state.rank + 1, TWO + 1))
    return _plays(spot, next(filter(None, higher), b""))


@false_record(PlaySpot, "a set higher by an order that was never turned over", Code.TOO_LOW, settings=REVOLUTION)
def _revolution_invented(spot: PlaySpot) -> Record | None:
    state = spot.state
    if state.order is not NATURAL or not state.count:
        return None
    lower = (_of_rank(spot, rank, state.count) for rank in range(state.rank))
    return _plays(spot, next(filter(None, lower), b""))


# ---- jokers and twos


@false_record(PlaySpot, "a joker laid on a trump joker", Code.TOO_LOW, preset="prezydent")
def _trump_answered(spot: PlaySpot) -> Record | None:
    on_trump = (spot.state.rank, spot.state.count) == (JOKER_RANK, 1)
    return _plays(spot, _of_rank(spot, JOKER_RANK, 1)) if on_trump else None


@false_record(PlaySpot, "a joker stands in where jokers are not wild", Code.NOT_A_SET, preset="prezydent")
def _joker_not_wild(spot: PlaySpot) -> Record | None:
    joker = _of_rank(spot, JOKER_RANK, 1)
    low = hand_cards(spot.state.hands[spot.state.turn])[:1]
    leads = not spot.state.count and joker and low[0] < FIRST_JOKER
    return _plays(spot, low + joker) if leads else None


@false_record(PlaySpot, "two 2s on a set of three, where only a single one beats any", Code.COUNT, settings=ONE_TWO)
def _two_twos_on_three(spot: PlaySpot) -> Record | None:
    return _plays(spot, _of_rank(spot, TWO, 2)) if spot.state.count > 2 else None


@false_record(PlaySpot, "as many 2s on 2s, where more are needed", Code.TOO_LOW, preset="wild-twos")
def _twos_not_outnumbered(spot: PlaySpot) -> Record | None:
    state = spot.state
    return _plays(spot, _of_rank(spot, TWO, state.count)) if state.rank == TWO else None


@lie("a joker held back from a tribute", Code.TRIBUTE, rounds=2, preset="prezydent")
def _joker_held_back(draft: Draft) -> str:
    found = []
    for spot in spots(draft):
        if isinstance(spot, GiftSpot) and spot.state.due[0].tribute and JOKER_RANK in ranks(spot.gift.cards):
            natural = spot.state.hands[spot.gift.giver][:FIRST_JOKER] + bytes(FACES - FIRST_JOKER)
            cards = best_cards(natural, len(spot.gift.cards))
            found.append((spot.at, spot.place, Exchange(spot.gift.giver, spot.gift.receiver, cards)))
    index, place, gift = draft.choose(found)
    draft.records[index:] = [gift]
    play_on(draft)
    return place


# ---- places and titles


@lie("a seat that went out on a 2 keeps the place it would have had", Code.PLACES, settings=DROPS, players="lowest")
def _drop_forgotten(draft: Draft) -> str:
    out: dict[int, list[int]] = {}
    for spot in spots(draft):
        if isinstance(spot, PlaySpot) and spot.state.sizes[spot.action.seat] == len(spot.action.cards):
            out.setdefault(spot.ordinal, []).append(spot.action.seat)
    seats = range(len(draft.terms.seats))
    found = []
    for ordinal, index, end in ends(draft):
        finishing = [*out[ordinal], *(seat for seat in seats if seat not in out[ordinal])]
        places = tuple(finishing.index(seat) + 1 for seat in seats)
        if places != end.places:
            found.append((ordinal, index, replace(end, places=places)))
    ordinal, index, end = draft.choose(found)
    match = standings(draft)
    false = replace(end, titles=match.titles(end.places), points=match.points(end.places))
    return claim(draft, ordinal, index, false)


HOUSE_RULES: Final = (
    _set_on_straight,
    _straight_on_set,
    _straight_with_a_gap,
    _straight_past_the_ace,
    _opened_without_clubs,
    _locked_seat_plays,
    _skipped_seat_acts,
    _revolution_forgotten,
    _revolution_invented,
    _trump_answered,
    _joker_not_wild,
    _two_twos_on_three,
    _twos_not_outnumbered,
    _joker_held_back,
    _drop_forgotten,
)
