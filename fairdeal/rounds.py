"""Re-executing one round: deal, exchange, every action, and what the log claims at its end.

After the first fault inside a round its later actions are not judged, since the hands are no longer known; the next
round is judged again, from the standings the log claims, so that a fault hides nothing and causes no false ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fairdeal.codes import Code
from fairdeal.commit import round_blind
from fairdeal.control import Control, Streams
from fairdeal.deal import hands_of_round
from fairdeal.exchange import Exchanging
from fairdeal.hands import count_hand
from fairdeal.match import Match
from fairdeal.play import Round
from fairdeal.records import Action, Exchange, RoundEnd
from fairdeal.report import Judgement, Step
from fairdeal.structure import RoundPart
from fairdeal.watch import Watch
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


class Referee(NamedTuple):
    """What the judging of one round hands on to the next: standings, who plays for whom, findings, and who looks on."""

    match: Match
    control: Control
    judge: Judgement
    observer: Observer | None = None


def judge_round(part: RoundPart, place: str, seed: bytes | None, transcript: bytes | None, referee: Referee) -> Played:
    """Re-execute a round and compare it with the log; the standings of the match are not changed, but who plays is.

    `place` is the round's name in the report, `seed` None where it is not revealed, `transcript` None where a
    contribution is missing.
    """
    match, control, judge, _ = referee
    order = match.dealing_order()
    judge.compare(Step.DEALS, Code.FIRST_CARD, f"{place}.deal", f"seat {order[0]}", f"seat {part.deal.first}")
    order = order[order.index(part.deal.first) :] + order[: order.index(part.deal.first)]
    if seed is None or transcript is None:
        reason = "its seed is not revealed" if seed is None else "the commitment or a contribution is missing"
        for step in (Step.DEALS, Step.EXCHANGES, Step.PLAYS, Step.PLACES):
            judge.skipped(step, f"{place}: {reason}")
        control.start_round(None)
        finishing = None
        Watch(part, place, control, judge).finish()
    else:
        blind = round_blind(seed, transcript, part.deal.round)
        judge.compare(Step.DEALS, Code.BLIND, f"{place}.deal", blind, part.deal.blind)
        control.start_round(Streams(seed, transcript, part.deal.round))
        rules = match.rules
        dealt = hands_of_round(seed, transcript, part.deal.round, order, rules.packs, rules.jokers_per_pack)
        finishing = _judge_moves(part, place, [count_hand(cards) for cards in dealt], order, referee)
    judge_end(part.end, place, finishing, match, judge)
    dealt_again = seed is not None and transcript is not None
    return Played(part.deal.round, part.start, seed, order, dealt=dealt_again, finishing=finishing)


def _judge_moves(
    part: RoundPart, place: str, hands: list[bytearray], order: Sequence[int], referee: Referee
) -> tuple[int, ...] | None:
    """Re-execute exchange and play with the dealt hands; return the finishing order where all went by the rules."""
    match, control, judge, observer = referee
    watched = part.timing or part.events or any(map(control.plays_by_policy, range(match.seats)))
    watch = Watch(part, place, control, judge) if watched else None
    exchange = Exchanging(hands, match.swaps())
    finishing = None
    if judge_exchange(part.gifts, place, exchange, match.rules.name, judge, watch, complete=part.went_on()):
        state = match.start_round(hands, order)
        sound = judge_actions(part.actions, place, state, judge, watch, observer)
        if sound and state.over:
            finishing = tuple(state.finishing)
        elif sound and part.end is not None:
            holding = ", ".join(f"seat {seat}" for seat, size in enumerate(state.sizes) if size)
            judge.fault(Step.PLAYS, Code.ROUND_UNFINISHED, f"{place}.end", "one seat left with cards", holding)
    if watch is not None:
        watch.finish()
    return finishing


def judge_exchange(
    gifts: Sequence[Exchange],
    place: str,
    state: Exchanging,
    ruleset: str,
    judge: Judgement,
    watch: Watch | None,
    *,
    complete: bool,
) -> bool:
    """Carry out the exchange; return False where the hands are not known after it.

    A tribute of other cards than the best is a fault, but the cards did change hands. `ruleset` is the name of the
    rules, whose rulebook a finding cites first; `watch` looks at
    who made the gifts, and `complete` says that the round went on, so that a gift still due is missing and not just to
    come.
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
        if watch is not None:
            watch.gift(number - 1, gift, state, lawful=code is None)
        state.apply(gift)
    if state.due and complete:
        where = f"{place}.exchange[{len(gifts) + 1}]"
        judge.fault(Step.EXCHANGES, Code.EXCHANGE_MISSING, where, describe_swap(state.due[0]), "none")
        judge.skipped(Step.PLAYS, f"{place}: its hands are unknown after a fault in the exchange")
        return False
    return True


def judge_actions(
    actions: Sequence[Action],
    place: str,
    state: Round,
    judge: Judgement,
    watch: Watch | None,
    observer: Observer | None,
) -> bool:
    """Carry out the actions up to the first fault; return whether there was none. The hot loop of an audit."""
    fault, apply = state.fault, state.apply
    for index, action in enumerate(actions):
        if observer is not None:
            observer(place, state, action)
        code = fault(action)
        if code is None:
            if watch is not None:
                watch.action(index, action, state)
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
