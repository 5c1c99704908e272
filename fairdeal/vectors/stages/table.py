"""The vectors of how a round starts: who sits where, who is dealt which cards, and who leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from fairdeal.cards import format_cards, fresh_cards, parse_cards
from fairdeal.codes import Code
from fairdeal.deal import deal_hands
from fairdeal.exchange import Exchanging
from fairdeal.hands import count_hand, hand_cards
from fairdeal.rulewire import rules_from_named
from fairdeal.vectors.envelope import Stage
from fairdeal.vectors.stages.cases import groups_of, match_after, refused
from fairdeal.vectors.stages.exchange import make_gifts
from fairdeal.vectors.stages.play import place_of
from fairdeal.vectors.stages.scenes import action_of

INPUTS: Final = {"seats": ..., "maximum": ..., "rounds": [], "deck": "fresh", "first": ..., "gifts": [], "actions": []}


def table_stage() -> Stage:
    """Return the tests of the start of a round; raises `ValueError` where engine and author differ."""
    header = [
        "The finishing orders of all `rounds` before, none in front of the first; `maximum` is N. Then the round: the",
        "`deck` in the order of its cards, mostly just as many as it takes and `fresh` for the whole list before the",
        "shuffle; `first`, the seat that is dealt the first card; `gifts` as in `exchange.json` and `actions` as in",
        "`play.json`. Valid: the `seating` clockwise, the seats by `dealing` position, the hands by seat as `dealt`,",
        "in that order, and ascending with the gifts made (`hands`), who leads, and whose `turn` it is after the",
        "actions. Invalid: the code of the first thing at fault and its place in the round; it is the last one given.",
    ]
    return Stage("table", header, groups=groups_of("table", INPUTS, recompute))


def recompute(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a test of this stage must state, computed from its inputs."""
    rules, seats = rules_from_named(test["rules"]), test["seats"]
    match = match_after(rules, seats, test["rounds"], test["maximum"])
    whole = fresh_cards(rules.packs, rules.jokers_per_pack)
    deck = whole if test["deck"] == "fresh" else parse_cards(test["deck"])
    if Counter(deck) - Counter(whole):
        raise ValueError("the deck has cards that are not in the packs")
    order = match.dealing_order()
    if test["first"] != order[0]:
        return refused(Code.FIRST_CARD, "deal")
    dealt = dict(zip(order, deal_hands(deck, seats), strict=True))
    hands = [count_hand(dealt[seat]) for seat in range(seats)]
    exchange = Exchanging(hands, match.swaps())
    wrong = make_gifts(exchange, test["gifts"])
    if wrong is not None:
        return refused(*wrong)
    if exchange.due:
        return refused(Code.EXCHANGE_MISSING, f"exchange[{len(test['gifts']) + 1}]")
    held = [format_cards(hand_cards(hand)) for hand in hands]
    state = match.start_round(hands, order)
    leader = state.turn
    for entry in test["actions"]:
        place = place_of(state)
        code = state.step(action_of(entry))
        if code is not None:
            return refused(code, place)
    return {
        "seating": list(match.seating()),
        "dealing": list(order),
        "dealt": [format_cards(dealt[seat]) for seat in range(seats)],
        "hands": held,
        "leader": leader,
        "turn": state.turn,
    }
