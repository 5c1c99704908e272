"""Re-executing one round: deal, exchange, every action, and what the log claims at its end.

After the first fault inside a round its later actions are not judged, since the hands are no longer known; the next
round is judged again, from the standings the log claims, so that a fault hides nothing and causes no false ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fairdeal.codes import Code
from fairdeal.commit import round_blind
from fairdeal.deal import hands_of_round
from fairdeal.exchange import Exchanging
from fairdeal.hands import count_hand
from fairdeal.match import Match
from fairdeal.play import Round
from fairdeal.records import Action, Exchange, RoundEnd
from fairdeal.report import Judgement, Step
from fairdeal.structure import RoundPart
from fairdeal.wording import (
    action_reasons,
    describe_action,
    describe_gift,
    describe_swap,
    expected_action,
    expected_gift,
    gift_reasons,
)

# Called before each action is judged, with the round's place, the state and the action; without one nothing is paid.
Observer = Callable[[str, Round, Action], None]


class Played(NamedTuple):
    """What is known of a round afterwards, for the guarantees and the weighing of evidence.

    `number` is the one the log gives it and `start` the byte offset of its deal. `seed` is the one that was used or
    None, `dealing_order` the seats by dealing position, `dealt` whether the hands could be recomputed, and `finishing`
    the recomputed order or None.
    """

    number: int
    start: int
    seed: bytes | None
    dealing_order: tuple[int, ...]
    dealt: bool
    finishing: tuple[int, ...] | None

    def __repr__(self) -> str:
        """Name the round only: its seed may not be revealed yet."""
        return f"<Played round {self.number}>"


def judge_round(
    part: RoundPart,
    place: str,
    seed: bytes | None,
    transcript: bytes | None,
    match: Match,
    judge: Judgement,
    observer: Observer | None = None,
) -> Played:
    """Re-execute a round and compare it with the log; the standings in `match` are not changed.

    `place` is the round's name in the report, `seed` None where it is not revealed, `transcript` None where a
    contribution is missing.
    """
    order = match.dealing_order()
    judge.compare(Step.DEALS, Code.FIRST_CARD, f"{place}.deal", f"seat {order[0]}", f"seat {part.deal.first}")
    order = order[order.index(part.deal.first) :] + order[: order.index(part.deal.first)]
    reason = "its seed is not revealed" if seed is None else "the commitment or a contribution is missing"
    if seed is None or transcript is None:
        for step in (Step.DEALS, Step.EXCHANGES, Step.PLAYS, Step.PLACES):
            judge.skipped(step, f"{place}: {reason}")
        judge_end(part.end, place, None, match, judge)
        return Played(part.deal.round, part.start, seed, order, dealt=False, finishing=None)
    blind = round_blind(seed, transcript, part.deal.round)
    judge.compare(Step.DEALS, Code.BLIND, f"{place}.deal", blind, part.deal.blind)
    rules = match.rules
    dealt = hands_of_round(seed, transcript, part.deal.round, order, rules.packs, rules.jokers_per_pack)
    hands = [count_hand(cards) for cards in dealt]
    finishing = None
    exchange = Exchanging(hands, match.swaps())
    if judge_exchange(part.gifts, place, exchange, rules.name, judge, complete=part.went_on()):
        state = match.start_round(hands, order)
        sound = judge_actions(part.actions, place, state, judge, observer)
        if sound and state.over:
            finishing = tuple(state.finishing)
        elif sound and part.end is not None:
            holding = ", ".join(f"seat {seat}" for seat, size in enumerate(state.sizes) if size)
            judge.fault(Step.PLAYS, Code.ROUND_UNFINISHED, f"{place}.end", "one seat left with cards", holding)
    judge_end(part.end, place, finishing, match, judge)
    return Played(part.deal.round, part.start, seed, order, dealt=True, finishing=finishing)


def judge_exchange(
    gifts: Sequence[Exchange], place: str, state: Exchanging, ruleset: str, judge: Judgement, *, complete: bool
) -> bool:
    """Carry out the exchange; return False where the hands are not known after it.

    A tribute of other cards than the best is a fault, but the cards did change hands. `ruleset` is the name of the
    rules, whose rulebook a finding cites first; `complete` says that the round
    went on, so that a gift still due is missing and not just to come.
    """
    for number, gift in enumerate(gifts, 1):
        where = f"{place}.exchange[{number}]"
        code = state.fault(gift)
        if code is None:
            judge.passed(Step.EXCHANGES)
        else:
            expected, rule = expected_gift(code, gift, state), gift_reasons(code, gift, state, ruleset)
            judge.fault(Step.EXCHANGES, code, where, expected, describe_gift(gift), rule)
            if code is not Code.TRIBUTE:
                judge.skipped(Step.PLAYS, f"{place}: its hands are unknown after a fault in the exchange")
                return False
        state.apply(gift)
    if state.due and complete:
        where = f"{place}.exchange[{len(gifts) + 1}]"
        judge.fault(Step.EXCHANGES, Code.EXCHANGE_MISSING, where, describe_swap(state.due[0]), "none")
        judge.skipped(Step.PLAYS, f"{place}: its hands are unknown after a fault in the exchange")
        return False
    return True


def judge_actions(
    actions: Sequence[Action], place: str, state: Round, judge: Judgement, observer: Observer | None
) -> bool:
    """Carry out the actions up to the first fault; return whether there was none. The hot loop of an audit."""
    fault, apply = state.fault, state.apply
    for index, action in enumerate(actions):
        if observer is not None:
            observer(place, state, action)
        code = fault(action)
        if code is None:
            apply(action)
        else:
            where = f"{place}.trick[{state.trick}].play[{state.play}]"
            judge.passed(Step.PLAYS, index)
            expected, rule = expected_action(code, action, state), action_reasons(code, action, state)
            judge.fault(Step.PLAYS, code, where, expected, describe_action(action), rule)
            judge.skipped(Step.PLAYS, f"{place}: {len(actions) - index - 1} actions after the first fault")
            return False
    judge.passed(Step.PLAYS, len(actions))
    return True


def judge_end(
    end: RoundEnd | None, place: str, finishing: tuple[int, ...] | None, match: Match, judge: Judgement
) -> None:
    """Compare places, titles and points claimed at the end of a round with the recomputed ones.

    Where the finishing order could not be recomputed, titles and points are held against the claimed places.
    """
    if end is None:
        return
    where = f"{place}.end"
    if finishing is not None:
        judge.compare(Step.PLACES, Code.PLACES, where, match.places(finishing), end.places)
    elif sorted(end.places) != list(range(1, match.seats + 1)):
        judge.fault(Step.PLACES, Code.PLACES, where, "every place once", ", ".join(map(str, end.places)))
    else:
        judge.skipped(Step.PLACES, f"{place}: the finishing order could not be recomputed")
    places = match.places(finishing) if finishing is not None else end.places
    titles = match.titles(places)
    if titles == end.titles:
        judge.passed(Step.TITLES)
    else:
        expected, found = (", ".join(match.rules.titles[one] for one in row) for row in (titles, end.titles))
        judge.fault(Step.TITLES, Code.TITLES, where, expected, found)
    judge.compare(Step.POINTS, Code.POINTS, where, match.points(places), end.points)
