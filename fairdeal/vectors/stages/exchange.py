"""The vectors of the exchange: one gift after others that were made, what is wrong with it or what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fairdeal.cards import format_cards, parse_cards
from fairdeal.codes import Code
from fairdeal.exchange import Exchanging, Swap
from fairdeal.hands import count_hand, hand_cards
from fairdeal.records import Exchange
from fairdeal.rulewire import rules_from_named
from fairdeal.vectors.envelope import Stage
from fairdeal.vectors.stages.cases import groups_of, match_after, refused

INPUTS: Final = {"before": [], "hands": ..., "gifts": [], "gift": ...}


def exchange_stage() -> Stage:
    """Return the tests of single gifts; raises `ValueError` where engine and author differ."""
    header = [
        "The seats in the order in which they finished the round before, none in front of the first round; hands by",
        "seat as dealt; `gifts` made without a fault, then `gift`. A gift is written giver>receiver and its cards.",
        "An empty `gift` says that play begins instead. Valid: all hands `after` it, ascending, and what is still",
        "`due`: giver>receiver, the number of cards, and whether the `best` or `any`; the first `open` of these may",
        "come next. Invalid: its code, and its place in the round.",
        "`shows` names settings with their values, common rules and readings, as in `play.json`.",
    ]
    return Stage("exchange", header, groups=groups_of("exchange", INPUTS, recompute))


def gift_of(text: str) -> Exchange:
    """Return the gift that a test writes: `2>0 Kc As`."""
    seats, _, cards = text.partition(" ")
    giver, receiver = map(int, seats.split(">"))
    return Exchange(giver, receiver, parse_cards(cards))


def due_text(swap: Swap) -> str:
    """Return how tests write a gift that is due: `2>0 2 best`."""
    return f"{swap.giver}>{swap.receiver} {swap.size} {'best' if swap.tribute else 'any'}"


def make_gifts(state: Exchanging, gifts: list[str]) -> tuple[Code, str] | None:
    """Make gifts up to the first at fault; return its code and its place within the round, or None."""
    for number, entry in enumerate(gifts, 1):
        code = state.fault(gift_of(entry))
        if code is not None:
            return code, f"exchange[{number}]"
        state.apply(gift_of(entry))
    return None


def recompute(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a test of this stage must state, computed from its inputs."""
    before = [test["before"]] if test["before"] else []
    match = match_after(rules_from_named(test["rules"]), len(test["hands"]), before, maximum=2)
    state = Exchanging([count_hand(parse_cards(hand)) for hand in test["hands"]], match.swaps())
    done = test["gifts"]
    if make_gifts(state, done) is not None:
        raise ValueError("the gifts before have a fault")
    if not test["gift"] and state.due:
        return refused(Code.EXCHANGE_MISSING, f"exchange[{len(done) + 1}]")
    if test["gift"]:
        code = state.fault(gift_of(test["gift"]))
        if code is not None:
            return refused(code, f"exchange[{len(done) + 1}]")
        state.apply(gift_of(test["gift"]))
    return {
        "after": [format_cards(hand_cards(hand)) for hand in state.hands],
        "due": [due_text(swap) for swap in state.due],
        "open": len(state.open_now()),
    }
