"""Lies about the exchange before a round."""

from __future__ import annotations

from typing import Final

from fairdeal.cards import FIRST_JOKER
from fairdeal.codes import Code
from fairdeal.exchange import best_cards, ranks
from fairdeal.hands import hand_cards
from fairdeal.records import Exchange, Record
from fairdeal.vectors.mutators.draft import Draft
from fairdeal.vectors.mutators.going import play_on
from fairdeal.vectors.mutators.lie import GiftSpot, false_record, lie, spots

# ---- single gifts


def _is_tribute(spot: GiftSpot) -> bool:
    swap = spot.state.wanted(spot.gift)
    return swap is not None and swap.tribute


def _holds(spot: GiftSpot, seat: int) -> bytes:
    return hand_cards(spot.state.hands[seat])


def _gives(spot: GiftSpot, cards: bytes) -> Exchange:
    return Exchange(spot.gift.giver, spot.gift.receiver, cards)


def _third(spot: GiftSpot) -> int:
    """Return a seat that has no part in the gift."""
    return min({0, 1, 2} - {spot.gift.giver, spot.gift.receiver})


@lie("a tribute of the lowest cards in place of the best", Code.TRIBUTE, rounds=2)
def _tribute_not_best(draft: Draft) -> str:
    found = []
    for spot in spots(draft):
        if isinstance(spot, GiftSpot) and _is_tribute(spot):
            low = _holds(spot, spot.gift.giver)[: len(spot.gift.cards)]
            if ranks(low) != ranks(spot.gift.cards):
                found.append((spot.at, spot.place, _gives(spot, low)))
    index, place, gift = draft.choose(found)
    draft.records[index:] = [gift]
    play_on(draft)
    return place


@false_record(GiftSpot, "a tribute goes to a seat that it is not due to", Code.EXCHANGE_PARTIES, rounds=2)
def _tribute_to_another(spot: GiftSpot) -> Record | None:
    return Exchange(spot.gift.giver, _third(spot), spot.gift.cards) if _is_tribute(spot) else None


@false_record(GiftSpot, "a seat that owes no tribute gives it", Code.EXCHANGE_PARTIES, rounds=2)
def _tribute_from_another(spot: GiftSpot) -> Record | None:
    best = best_cards(spot.state.hands[_third(spot)], len(spot.gift.cards))
    return Exchange(_third(spot), spot.gift.receiver, best) if _is_tribute(spot) else None


@false_record(GiftSpot, "a tribute of one card too few", Code.EXCHANGE_COUNT, rounds=2)
def _tribute_too_small(spot: GiftSpot) -> Record | None:
    return _gives(spot, spot.gift.cards[1:]) if _is_tribute(spot) and len(spot.gift.cards) > 1 else None


@false_record(GiftSpot, "a tribute of one card too many", Code.EXCHANGE_COUNT, rounds=2)
def _tribute_too_big(spot: GiftSpot) -> Record | None:
    best = best_cards(spot.state.hands[spot.gift.giver], len(spot.gift.cards) + 1)
    return _gives(spot, best) if _is_tribute(spot) else None


@false_record(GiftSpot, "a return of one card too many", Code.EXCHANGE_COUNT, rounds=2)
def _return_too_big(spot: GiftSpot) -> Record | None:
    low = _holds(spot, spot.gift.giver)[: len(spot.gift.cards) + 1]
    return None if _is_tribute(spot) else _gives(spot, low)


@false_record(GiftSpot, "a card is returned that its giver does not hold", Code.NOT_HELD, rounds=2)
def _return_not_held(spot: GiftSpot) -> Record | None:
    foreign = min(set(range(FIRST_JOKER)) - set(_holds(spot, spot.gift.giver)))
    return None if _is_tribute(spot) else _gives(spot, bytes(sorted([foreign, *spot.gift.cards[1:]])))


@false_record(GiftSpot, "one card is given twice as a tribute of two", Code.NOT_HELD, rounds=2)
def _tribute_card_twice(spot: GiftSpot) -> Record | None:
    best = spot.gift.cards[-1]
    once = spot.state.hands[spot.gift.giver][best] == 1 and len(spot.gift.cards) == 2
    return _gives(spot, bytes([best, best])) if once and _is_tribute(spot) else None


@false_record(GiftSpot, "the cards of a gift stand in descending order", Code.ENCODING, rounds=2)
def _gift_unsorted(spot: GiftSpot) -> Record | None:
    backwards = spot.gift.cards[::-1]
    return _gives(spot, backwards) if backwards != spot.gift.cards else None


# ---- the exchange as a whole


def _some_exchange(draft: Draft) -> list[GiftSpot]:
    """Return the gifts of some round, tributes first."""
    gifts = [spot for spot in spots(draft) if isinstance(spot, GiftSpot)]
    ordinal = draft.choose(sorted({spot.ordinal for spot in gifts}))
    return [spot for spot in gifts if spot.ordinal == ordinal]


@lie("a tribute is left out and the next gift made", Code.EXCHANGE_PARTIES, rounds=2)
def _tribute_missing(draft: Draft) -> str:
    gifts = _some_exchange(draft)
    spot = draft.choose(gifts[: len(gifts) // 2])
    del draft.records[spot.at]
    return spot.place


@lie("a round is played without its exchange", Code.EXCHANGE_MISSING, rounds=2)
def _exchange_missing(draft: Draft) -> str:
    gifts = _some_exchange(draft)
    del draft.records[gifts[0].at : gifts[-1].at + 1]
    return gifts[0].place


@lie("a return is left out", Code.EXCHANGE_MISSING, rounds=2)
def _return_missing(draft: Draft) -> str:
    gifts = _some_exchange(draft)
    del draft.records[draft.choose(gifts[len(gifts) // 2 :]).at]
    return gifts[-1].place


def _swap_gifts(draft: Draft, number: int) -> str:
    """Let a gift and the next one change places."""
    spot, after = _some_exchange(draft)[number - 1 : number + 1]
    draft.records[spot.at], draft.records[after.at] = after.gift, spot.gift
    return spot.place


@lie("the vice tribute comes before the top tribute", Code.EXCHANGE_PARTIES, seats=4, rounds=2)
def _tributes_swapped(draft: Draft) -> str:
    return _swap_gifts(draft, 1)


@lie("a return comes before the last tribute", Code.EXCHANGE_PARTIES, seats=4, rounds=2)
def _return_before_tribute(draft: Draft) -> str:
    return _swap_gifts(draft, 2)


@lie("a card changes hands before the first round is played", Code.EXCHANGE_UNEXPECTED)
def _exchange_in_first_round(draft: Draft) -> str:
    start = next(spots(draft))
    draft.records.insert(start.at, Exchange(0, 1, hand_cards(start.state.hands[0])[:1]))
    return "round[1].exchange[1]"


@lie("one more gift after all are made", Code.EXCHANGE_UNEXPECTED, rounds=2)
def _exchange_goes_on(draft: Draft) -> str:
    gifts = _some_exchange(draft)
    index, ordinal, last = gifts[-1].at, gifts[-1].ordinal, gifts[-1].gift
    draft.records.insert(index + 1, Exchange(last.receiver, last.giver, last.cards))
    return f"round[{ordinal}].exchange[{len(gifts) + 1}]"


@lie("a gift is made after the first play", Code.ORDER, rounds=2)
def _exchange_after_a_play(draft: Draft) -> str:
    last = _some_exchange(draft)[-1]
    draft.records.insert(last.at + 1, draft.records.pop(last.at))
    return f"round[{last.ordinal}]"


EXCHANGES: Final = (
    _tribute_not_best,
    _tribute_to_another,
    _tribute_from_another,
    _tribute_too_small,
    _tribute_too_big,
    _return_too_big,
    _return_not_held,
    _tribute_card_twice,
    _gift_unsorted,
    _tribute_missing,
    _exchange_missing,
    _return_missing,
    _tributes_swapped,
    _return_before_tribute,
    _exchange_in_first_round,
    _exchange_goes_on,
    _exchange_after_a_play,
)
