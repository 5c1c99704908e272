"""Faults in words: what an action or gift was, what would have been lawful, and which rule says so.

Nothing here decides anything: `Round.fault` and `Exchanging.fault` have done so already.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from fairdeal.cards import FIRST_JOKER, JOKER_RANK, RANK_NAMES, TWO, format_cards
from fairdeal.codes import Code
from fairdeal.control import Control
from fairdeal.exchange import Exchanging, Swap, best_cards
from fairdeal.hands import hand_cards
from fairdeal.law import NATURAL, STRAIGHT_RANK
from fairdeal.legal import legal_shapes
from fairdeal.limits import MAX_HEAD_CARDS
from fairdeal.play import Round
from fairdeal.records import BIG_SET, PASS, STRAIGHT, Action, Exchange, Presence, SeatEvent
from fairdeal.settings import EqualRank, LoneJoker, SeatKind, Twos
from fairdeal.sources import COMMON, origin_of

_BROKEN: Final = {
    Code.ROUND_OVER: ("round-end",),
    Code.PASS_ON_LEAD: ("lead",),
    Code.NOT_A_SET: ("set",),
    Code.FIRST_PLAY: ("first_play_3c=true",),
    Code.COUNT: ("same-count",),
    Code.TOO_LOW: ("higher-rank",),
    Code.TRIBUTE: ("tribute",),
    Code.EXCHANGE_PARTIES: ("exchange-partners",),
    Code.EXCHANGE_COUNT: ("exchange-partners",),
    Code.EXCHANGE_UNEXPECTED: ("exchange-partners",),
}
SHOWN: Final = 12  # lawful plays listed before the rest is only counted


def describe_gift(gift: Exchange) -> str:
    """Return a gift in words."""
    return f"seat {gift.giver} gives seat {gift.receiver} {format_cards(gift.cards)}"


def describe_swap(swap: Swap) -> str:
    """Return a gift that is due in words."""
    kind = "best cards" if swap.tribute else "cards of its choice"
    return f"seat {swap.giver} gives seat {swap.receiver} {swap.size} {kind}"


def describe_action(action: Action) -> str:
    """Return an action in words."""
    if action.kind == PASS:
        return f"seat {action.seat} passes"
    form = {BIG_SET: " in the form of a big set", STRAIGHT: " as a straight"}.get(action.kind, "")
    return f"seat {action.seat} plays {format_cards(action.cards)}{form}"


def describe_event(event: SeatEvent) -> str:
    """Return a seat event in words."""
    match event.presence:
        case Presence.DISCONNECTED:
            return f"seat {event.seat} loses its connection, {_player(event.level)} plays on"
        case Presence.RETURNED:
            return f"seat {event.seat} returns, {_player(event.level)} plays on"
        case Presence.LEFT:
            return f"seat {event.seat} leaves for good, {_player(event.level)} plays on"
        case _:
            assert_never(event.presence)


def _player(kind: SeatKind) -> str:
    """Return who plays a seat in words."""
    if kind is SeatKind.HUMAN:
        return "the player"
    return "a bot of no stated level" if kind is SeatKind.BOT else f"a bot of level {kind}"


def expected_event(event: SeatEvent, control: Control) -> str:
    """Return what could have happened to the seat of an unlawful event."""
    seat = event.seat
    if control.left[seat]:
        return f"nothing more of seat {seat}, which has left for good"
    if not control.people[seat]:
        return f"no event of seat {seat}, which a bot plays from the beginning"
    if event.presence is Presence.RETURNED:
        away = control.players[seat] is not SeatKind.HUMAN
        return f"seat {seat} to be played by a person again" if away else f"seat {seat} to be away before it returns"
    if event.presence is Presence.DISCONNECTED and control.players[seat] is not SeatKind.HUMAN:
        return f"seat {seat} to be present before it loses its connection"
    before = control.stand_ins[seat]
    if before is not None and before is not event.level:
        return f"{_player(before)} to play on, as it did before"
    return "a bot of a stated level to play on" if control.claimed else "a bot to play on"


def expected_control(code: Code, seat: int, control: Control) -> str:
    """Return what was due where the clock, or the lack of it, is at fault for `seat`."""
    match code:
        case Code.CLOCK_NOT_DUE if not control.limit:
            return "no act of a clock, which these rules do not have"
        case Code.CLOCK_NOT_DUE:
            return f"no act of the clock: for the seat on turn only, on no tribute, for no bot; here seat {seat}"
        case Code.CLOCK_EARLY:
            return f"the clock to act {control.limit} tenths of a second after {control.since} or later"
        case Code.CLOCK_OVERRUN:
            return f"seat {seat} to act within {control.limit} tenths of a second after {control.since}"
        case _:
            return "a pass; on the lead the lowest single card; in an exchange the lowest cards"


def expected_gift(code: Code, gift: Exchange, state: Exchanging) -> str:
    """Return what the exchange allowed where `gift` is at fault with `code`."""
    swap = state.wanted(gift)
    match code:
        case Code.TRIBUTE if swap is not None:
            return f"the ranks of {format_cards(best_cards(state.hands[gift.giver], swap.size))}"
        case Code.NOT_HELD:
            return f"cards that seat {gift.giver} holds"
        case Code.ENCODING:
            return "cards in ascending order"
        case _:
            return " or ".join(map(describe_swap, [swap] if swap else state.open_now())) or "no exchange"


def gift_reasons(code: Code, gift: Exchange, state: Exchanging, ruleset: str) -> tuple[str, ...]:
    """Return the rule that a gift breaks, and what its giver held."""
    held = f"hand: seat {gift.giver} holds {format_cards(hand_cards(state.hands[gift.giver])) or 'no card'}"
    return (*(_rule(tag, ruleset) for tag in _BROKEN.get(code, ())), held)


def expected_action(code: Code, action: Action, state: Round) -> str:
    """Return what the round allowed where `action` is at fault with `code`."""
    match code:
        case Code.ROUND_OVER:
            return "no action after the last place is decided"
        case Code.TURN:
            return f"seat {state.turn} to act"
        case Code.PASS_ON_LEAD:
            return f"seat {state.turn} to lead"
        case Code.NOT_HELD:
            return f"cards that seat {action.seat} holds"
        case Code.COUNT:
            cards = "1 card" if state.count == 1 else f"{state.count} cards"
            return f"{cards}, or what beats any number" if _some_beat_any_number(state) else cards
        case Code.TOO_LOW:
            return _higher(state)
        case Code.ENCODING:
            return f"cards in ascending order, up to {MAX_HEAD_CARDS} of a set behind a head"
        case Code.KIND:
            return "a straight on a straight" if state.rank >= STRAIGHT_RANK else "a set on a set"
        case Code.FIRST_PLAY:
            return "the three of clubs in the first play of the match"
        case Code.STRAIGHT:
            return "a set; straights are not played"
        case Code.NOT_A_STRAIGHT:
            return "three or more ranks in a row up to the ace, the lowest first"
        case _:
            return "cards of one rank"


def _some_beat_any_number(state: Round) -> bool:
    """Return whether some play may leave the count of the pile aside."""
    law = state.law
    return law.joker_trumps or law.joker_sweeps or law.one_two_beats or law.wild_twos


def _higher(state: Round) -> str:
    """Return what could be laid on the pile, whoever holds it."""
    match = " or matches" if state.matchable(state.rank, state.count) else ""
    return f"a play that beats{match} {_pile(state)}"


def action_reasons(code: Code, action: Action, state: Round) -> tuple[str, ...]:
    """Return the rules that an action breaks, the pile, what its seat held, and what would have been lawful."""
    reasons = [_rule(tag, state.law.rules.name) for tag in _tags(code, action, state)]
    if not state.over:
        reasons += [f"pile: {_pile(state)}", f"hand: seat {state.turn} holds {_hand(state, state.turn)}"]
        if action.seat != state.turn:
            reasons.append(f"hand: seat {action.seat} holds {_hand(state, action.seat)}")
        reasons.append(f"lawful: {_lawful(state)}")
    return tuple(reasons)


def _tags(code: Code, action: Action, state: Round) -> Iterator[str]:
    """Yield the rules that matter for a fault, as `sources.origin_of` names them."""
    rules = state.law.rules
    yield from _BROKEN.get(code, ())
    if code is Code.TURN:
        yield from _turn_tags(action.seat, state)
    elif code is Code.NOT_A_SET and max(action.cards, default=0) >= FIRST_JOKER:
        yield f"joker={rules.joker}"
    elif code in (Code.STRAIGHT, Code.NOT_A_STRAIGHT, Code.KIND):
        yield f"straights={str(rules.straights).lower()}"
    elif code in (Code.COUNT, Code.TOO_LOW):
        yield from _power_tags(action, state)
    if code is Code.TOO_LOW and state.law.rank_of(action) == state.rank:
        yield f"equal_rank={rules.equal_rank}"
        if rules.equal_rank is not EqualRank.FORBID and not rules.top_rank_matchable:
            yield "top_rank_matchable=false"
    if code is Code.TOO_LOW and state.order is not NATURAL:
        yield f"revolution={rules.revolution}"


def _turn_tags(seat: int, state: Round) -> Iterator[str]:
    """Yield why it is not this seat's turn, as far as a rule takes it away."""
    in_trick, at = {state.turn}, state.after[state.turn]
    while at not in in_trick:
        in_trick.add(at)
        at = state.after[at]
    if not state.sizes[seat]:
        yield "goes-out"
    elif state.count and seat == state.skipped:
        yield f"equal_rank={state.law.rules.equal_rank}"
    elif seat not in in_trick:
        yield "pass=locks"
    else:
        yield "turns"


def _power_tags(action: Action, state: Round) -> Iterator[str]:
    """Yield the settings on jokers and twos that bear on a play of them, or on a pile of them."""
    rules, ranks = state.law.rules, {state.law.rank_of(action), state.rank}
    if JOKER_RANK in ranks and rules.lone_joker is not LoneJoker.ORDINARY:
        yield f"lone_joker={rules.lone_joker}"
    if TWO in ranks and rules.twos is not Twos.ORDINARY:
        yield f"twos={rules.twos}"


def _rule(tag: str, preset: str) -> str:
    """Return a rule in words, with the sentence it comes from if a rulebook has one."""
    origin = origin_of(tag, preset)
    what = COMMON.get(tag, tag)
    if origin is None:
        return f"rule: {what}"
    return f"rule: {what} ({origin.place}{'' if tag in COMMON else ': ' + origin.says})"


def _pile(state: Round) -> str:
    if not state.count:
        return "none, it is a lead"
    order = "" if state.order is NATURAL else "; the order is turned over"
    if state.rank >= STRAIGHT_RANK:
        return f"a straight of {state.count} up to {RANK_NAMES[state.rank - STRAIGHT_RANK]} by seat {state.last}{order}"
    return f"{state.count} × {RANK_NAMES[state.rank]} by seat {state.last}{order}"


def _hand(state: Round, seat: int) -> str:
    return format_cards(hand_cards(state.hands[seat])) or "no card"


def _lawful(state: Round) -> str:
    """Return what the seat on turn may do, one of each rank and size."""
    shown = ["pass" if one.kind == PASS else format_cards(one.cards) for one in legal_shapes(state)]
    more = len(shown) - SHOWN
    return ", ".join(shown[:SHOWN]) + (f" and {more} more" if more > 0 else "")
