"""Lies in the middle of a round: cards, sets and turns."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from fairdeal.cards import rank_of
from fairdeal.codes import Code
from fairdeal.hands import hand_cards
from fairdeal.records import BIG_SET, PASS, STRAIGHT, Actions, Record, pass_action, set_action
from fairdeal.vectors.mutators.draft import Draft
from fairdeal.vectors.mutators.lie import PlaySpot, false_record, lie, place_in, spots

# ---- cards and sets


def _hand(spot: PlaySpot) -> bytes:
    return hand_cards(spot.state.hands[spot.state.turn])


def _lays(spot: PlaySpot, cards: bytes | None, kind: int | None = None) -> Record | None:
    """Return the record by which the seat on turn lays down `cards`, None where there are none."""
    if not cards:
        return None
    action = set_action(spot.state.turn, cards)
    return Actions((action if kind is None else replace(action, kind=kind),))


def _could_follow(spot: PlaySpot, cards: bytes) -> bool:
    """Return whether cards of one rank would be lawful, were they held."""
    state = spot.state
    return not state.count or (len(cards) == state.count and rank_of(cards[0]) > state.rank)


def _single(spot: PlaySpot, faces: set[int]) -> Record | None:
    """Return the record of a lawful single of one of `faces` that the seat on turn does not hold."""
    foreign = sorted(face for face in faces - set(_hand(spot)) if _could_follow(spot, bytes([face])))
    return _lays(spot, bytes(foreign[:1]))


@false_record(PlaySpot, "a seat plays a card of another's hand", Code.NOT_HELD)
def _card_of_another(spot: PlaySpot) -> Record | None:
    return _single(spot, {face for hand in spot.state.hands for face in hand_cards(hand)})


@false_record(PlaySpot, "a seat plays a card a second time", Code.NOT_HELD)
def _card_again(spot: PlaySpot) -> Record | None:
    return _single(spot, {face for action in spot.past if action.seat == spot.state.turn for face in action.cards})


@false_record(PlaySpot, "a seat plays a card that it gave away in the exchange", Code.NOT_HELD, rounds=2)
def _card_given_away(spot: PlaySpot) -> Record | None:
    return _single(spot, {face for gift in spot.gifts if gift.giver == spot.state.turn for face in gift.cards})


@false_record(PlaySpot, "a card held once is laid down as a pair", Code.NOT_HELD)
def _card_twice(spot: PlaySpot) -> Record | None:
    hand = spot.state.hands[spot.state.turn]
    pairs = [bytes([face, face]) for face in _hand(spot) if hand[face] == 1]
    return _lays(spot, next((pair for pair in pairs if _could_follow(spot, pair)), None))


def _set_of(spot: PlaySpot, fits: Callable[[bytes], bool]) -> bytes | None:
    """Return the first set in the hand on turn, all sizes of each rank, that `fits`."""
    hand = _hand(spot)
    whole = [bytes(face for face in hand if rank_of(face) == rank) for rank in sorted({*map(rank_of, hand)})]
    sets = (cards[:size] for cards in whole for size in range(1, len(cards) + 1))
    return next((cards for cards in sets if fits(cards)), None)


@false_record(PlaySpot, "a set of a lower rank than the pile's", Code.TOO_LOW)
def _play_too_low(spot: PlaySpot) -> Record | None:
    state = spot.state
    return _lays(spot, _set_of(spot, lambda cards: len(cards) == state.count and rank_of(cards[0]) < state.rank))


@false_record(PlaySpot, "a set of the pile's own rank", Code.TOO_LOW)
def _play_equal(spot: PlaySpot) -> Record | None:
    state = spot.state
    return _lays(spot, _set_of(spot, lambda cards: len(cards) == state.count and rank_of(cards[0]) == state.rank))


@false_record(PlaySpot, "a higher set of another number of cards", Code.COUNT)
def _play_of_wrong_count(spot: PlaySpot) -> Record | None:
    state = spot.state
    return _lays(spot, _set_of(spot, lambda cards: 0 < state.count != len(cards) and rank_of(cards[0]) > state.rank))


@false_record(PlaySpot, "a lead of two cards of different ranks", Code.NOT_A_SET)
def _set_of_mixed_ranks(spot: PlaySpot) -> Record | None:
    low, *rest = _hand(spot)
    higher = [face for face in rest if rank_of(face) != rank_of(low)]
    return _lays(spot, bytes([low, higher[0]])) if higher and not spot.state.count else None


@false_record(PlaySpot, "the cards of a set stand in descending order", Code.ENCODING)
def _set_unsorted(spot: PlaySpot) -> Record | None:
    backwards = spot.action.cards[::-1]
    return _lays(spot, backwards if backwards != spot.action.cards else None)


@false_record(PlaySpot, "a set of up to eight cards in the encoding of the big ones", Code.ENCODING)
def _small_set_as_big(spot: PlaySpot) -> Record | None:
    return _lays(spot, spot.action.cards, BIG_SET)


@false_record(PlaySpot, "a straight of three, where none are played", Code.STRAIGHT)
def _straight_led(spot: PlaySpot) -> Record | None:
    by_rank = {rank_of(face): face for face in _hand(spot)}
    low = next((rank for rank in by_rank if {rank + 1, rank + 2} <= by_rank.keys()), None)
    leads = low is not None and not spot.state.count
    return _lays(spot, bytes(by_rank[(low or 0) + step] for step in range(3)), STRAIGHT) if leads else None


# ---- turns


@false_record(PlaySpot, "a seat acts that is not on turn", Code.TURN)
def _play_out_of_turn(spot: PlaySpot) -> Record | None:
    state = spot.state
    seat = state.after[state.turn]
    lead = set_action(seat, hand_cards(state.hands[seat])[:1])
    return Actions((pass_action(seat) if state.count else lead,))


@false_record(PlaySpot, "a seat that is out passes once more", Code.TURN)
def _pass_of_seat_that_is_out(spot: PlaySpot) -> Record | None:
    return Actions((pass_action(spot.state.finishing[0]),)) if spot.state.finishing else None


@false_record(PlaySpot, "a pass where a trick must be led", Code.PASS_ON_LEAD)
def _pass_on_lead(spot: PlaySpot) -> Record | None:
    return None if spot.state.count else Actions((pass_action(spot.state.turn),))


def _passes(draft: Draft) -> list[tuple[int, str, str]]:
    """Return index and place of every pass, and the place of the action after it."""
    acts = [spot for spot in spots(draft) if isinstance(spot, PlaySpot)]
    pairs = itertools.pairwise(acts)
    return [(one.at, one.place, after.place) for one, after in pairs if one.action.kind == PASS]


@lie("a pass is left out", Code.TURN)
def _pass_missing(draft: Draft) -> str:
    index, place, _ = draft.choose(_passes(draft))
    del draft.records[index]
    return place


@lie("a pass stands twice", Code.TURN)
def _pass_twice(draft: Draft) -> str:
    index, _, after = draft.choose(_passes(draft))
    draft.records.insert(index, draft.records[index])
    return after


@lie("two neighbouring actions change places", Code.TURN)
def _actions_swapped(draft: Draft) -> str:
    index, place, _ = draft.choose(_passes(draft))
    draft.records[index], draft.records[index + 1] = draft.records[index + 1], draft.records[index]
    return place


@lie("a play after the last place is decided", Code.ROUND_OVER)
def _play_after_the_last_place(draft: Draft) -> str:
    ends = {spot.ordinal: spot for spot in spots(draft) if isinstance(spot, PlaySpot)}
    spot = draft.choose(list(ends.values()))
    last = spot.state.finishing[-1]
    card = hand_cards(spot.state.hands[last])[:1]
    draft.records.insert(spot.at + 1, Actions((set_action(last, card),)))
    return f"round[{spot.ordinal}].{place_in(spot.state)}"


PLAYS: Final = (
    _card_of_another,
    _card_again,
    _card_given_away,
    _card_twice,
    _play_too_low,
    _play_equal,
    _play_of_wrong_count,
    _set_of_mixed_ranks,
    _set_unsorted,
    _small_set_as_big,
    _straight_led,
    _play_out_of_turn,
    _pass_of_seat_that_is_out,
    _pass_on_lead,
    _pass_missing,
    _pass_twice,
    _actions_swapped,
    _play_after_the_last_place,
)
