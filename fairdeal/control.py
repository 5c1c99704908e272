"""Who acts for a seat and when: lost connections, the clock, and the bots whose choices are claimed.

The table that plays and the auditor that judges drive this same class beside `match.Match` and `play.Round`. It knows
no time of its own: tenths of a second since the deal come in (SPEC, "Clock, seats and bots").
"""

from __future__ import annotations

from typing import Final

from fairdeal.bots import LEVELS, POLICY, choose_action, choose_return
from fairdeal.cards import THREE_OF_CLUBS
from fairdeal.codes import Code
from fairdeal.commit import bot_stream
from fairdeal.exchange import Swap, best_cards, ranks
from fairdeal.hands import hand_cards
from fairdeal.limits import BOT_BLOCK_BYTES
from fairdeal.play import Round
from fairdeal.records import (
    PASS,
    UNTIMED,
    Action,
    Exchange,
    Presence,
    SeatEvent,
    Terms,
    Timing,
    pass_action,
    set_action,
)
from fairdeal.settings import SeatKind
from fairdeal.view import seen_by

TENTHS: Final = 10  # of a second, the unit of clock marks


class Streams:
    """What the bots of one round draw from: derived from its seed for a seat at its first decision, and hidden."""

    __slots__ = ("_made", "_number", "_seed", "_transcript")

    def __init__(self, seed: bytes, transcript: bytes, number: int) -> None:
        """Keep what the streams of round `number` follow from."""
        self._seed = seed
        self._transcript = transcript
        self._number = number
        self._made: dict[int, bytes] = {}

    def block(self, seat: int, decision: int) -> bytes:
        """Return the block for a seat's decision, counted from 0."""
        if seat not in self._made:
            self._made[seat] = bot_stream(self._seed, self._transcript, self._number, seat)
        return self._made[seat][decision * BOT_BLOCK_BYTES : (decision + 1) * BOT_BLOCK_BYTES]


class Control:
    """Who plays each seat of a match, and the clock of the round.

    `players` says by seat who plays it now, `people` whose seats they are by the terms, `left` who is gone for good;
    `now` is the time in tenths of a second since the deal and `since` when the turn was given, 0 during the exchange;
    `decisions` counts by seat the gifts and actions of the round so far. `limit` is the time for one turn, 0 without a
    clock; `claimed` says that the bots follow the policy of the terms. `stand_ins` are the bots that have played for
    people: the first one is the only one a seat may have, or the operator could choose the bot for every move anew.
    `by_clock` and `by_stand_in` count over the match what was done for each seat.
    """

    __slots__ = (
        "_streams",
        "by_clock",
        "by_stand_in",
        "claimed",
        "decisions",
        "left",
        "limit",
        "now",
        "people",
        "players",
        "since",
        "stand_ins",
    )

    def __init__(self, terms: Terms) -> None:
        """Start with everybody as the terms name them."""
        self.limit = terms.rules.turn_seconds * TENTHS
        self.claimed = terms.bot_policy == POLICY
        self.players = [seat.kind for seat in terms.seats]
        self.left = [False] * len(terms.seats)
        self.stand_ins: list[SeatKind | None] = [None] * len(terms.seats)
        self.by_clock = [0] * len(terms.seats)
        self.by_stand_in = [0] * len(terms.seats)
        self.people = [seat.kind is SeatKind.HUMAN for seat in terms.seats]
        self._streams: Streams | None = None
        self.start_round(None)

    def start_round(self, streams: Streams | None) -> None:
        """Start a round's clock and counts; `streams` may be missing where no bot has to choose."""
        self._streams = streams
        self.now = self.since = 0
        self.decisions = [0] * len(self.players)

    def plays_by_policy(self, seat: int) -> bool:
        """Return whether a bot of a stated level plays `seat` now, and its choices are claimed."""
        return self.claimed and self.players[seat] in LEVELS

    # --- seats

    def event_fault(self, event: SeatEvent) -> Code | None:
        """Return `seat-event` for what cannot happen to that seat now, or None; changes nothing."""
        human = SeatKind.HUMAN
        present = self.players[event.seat] is human
        if not self.people[event.seat] or self.left[event.seat]:
            return Code.SEAT_EVENT
        if event.presence is Presence.RETURNED:
            return Code.SEAT_EVENT if present or event.level is not human else None
        if event.presence is Presence.DISCONNECTED and not present:
            return Code.SEAT_EVENT
        if self.stand_ins[event.seat] not in (None, event.level):
            return Code.SEAT_EVENT
        stands_in = event.level in LEVELS if self.claimed else event.level is not human
        return None if stands_in else Code.SEAT_EVENT

    def apply_event(self, event: SeatEvent) -> None:
        """Let the player that a lawful event names take over; whoever has left does not come back."""
        self.players[event.seat] = event.level
        if event.level is not SeatKind.HUMAN:
            self.stand_ins[event.seat] = event.level
        self.left[event.seat] = event.presence is Presence.LEFT

    # --- the clock

    def _clock_fault(self, seat: int, timing: Timing, since: int, *, tribute: bool = False) -> Code | None:
        """Return why the clock should not have acted, or should have; `since` is when its time began."""
        spent = None if timing.tenths is None else self.now + timing.tenths - since
        if timing.acted_for is None:
            waits = self.limit and not tribute and self.players[seat] is SeatKind.HUMAN
            return Code.CLOCK_OVERRUN if waits and spent is not None and spent > self.limit else None
        if not self.limit or tribute or timing.acted_for != seat or self.plays_by_policy(seat):
            return Code.CLOCK_NOT_DUE
        return Code.CLOCK_EARLY if spent is not None and spent < self.limit else None

    def action_fault(self, action: Action, timing: Timing, state: Round) -> Code | None:
        """Return what is wrong with who made a lawful action and when; changes nothing."""
        code = self._clock_fault(action.seat, timing, self.since)
        if code is not None:
            return code
        if timing.acted_for is not None:
            return None if is_clock_action(action, state) else Code.CLOCK_CHOICE
        if self.plays_by_policy(action.seat) and action != self.bot_action(state):
            return Code.BOT_CHOICE
        return None

    def gift_fault(self, gift: Exchange, timing: Timing, swap: Swap, hand: bytes | bytearray) -> Code | None:
        """Return what is wrong with who made a lawful gift and when; `hand` is its giver's, counted, before it."""
        code = self._clock_fault(gift.giver, timing, 0, tribute=swap.tribute)
        if code is not None:
            return code
        if timing.acted_for is not None:
            lowest = ranks(gift.cards) == ranks(clock_return(hand, swap.size))
            return None if lowest else Code.CLOCK_CHOICE
        if self.plays_by_policy(gift.giver) and gift.cards != self.bot_gift(swap, hand):
            return Code.BOT_CHOICE
        return None

    def pass_time(self, timing: Timing) -> None:
        """Move the time on to an event."""
        self.now += timing.tenths or 0

    def decided(self, seat: int, timing: Timing = UNTIMED) -> None:
        """Take a gift or action of `seat` into account: the next turn begins with it."""
        self.pass_time(timing)
        self.decisions[seat] += 1
        if timing.acted_for is not None:
            self.by_clock[seat] += 1
        elif self.people[seat] and self.players[seat] is not SeatKind.HUMAN:
            self.by_stand_in[seat] += 1
        self.since = self.now

    # --- bots

    def bot_action(self, state: Round) -> Action:
        """Return what the bot on turn chooses by the policy; raises `Misuse` where a person plays."""
        seat = state.turn
        return choose_action(self.players[seat], seen_by(state, seat), self._block(seat))

    def bot_gift(self, swap: Swap, hand: bytes | bytearray) -> bytes:
        """Return the cards a bot gives by the policy: its best ones as a tribute, lower suits first, or its choice."""
        if swap.tribute:
            return best_cards(hand, swap.size)
        return choose_return(self.players[swap.giver], hand, swap.size, self._block(swap.giver))

    def _block(self, seat: int) -> bytes:
        if self._streams is None:
            raise ValueError("a round without a seed has no streams")
        return self._streams.block(seat, self.decisions[seat])


def clock_action(state: Round) -> Action:
    """Return what the clock does for the seat on turn: a pass, or on the lead its lowest single card.

    That is the lowest under the order of the moment, of equals the lowest suit, a joker only where nothing else is
    held, and the 3♣ where the first play has to hold it (president-en 83.2).
    """
    if state.count:
        return pass_action(state.turn)
    held = hand_cards(state.hands[state.turn])
    if state.wants_three():
        return set_action(state.turn, bytes([THREE_OF_CLUBS]))
    return set_action(state.turn, bytes([min(held, key=lambda face: (state.order[face >> 2], face))]))


def is_clock_action(action: Action, state: Round) -> bool:
    """Return whether a lawful action is what the clock may do: any suit is right among equals."""
    due = clock_action(state)
    if due.kind == PASS:
        return action == due
    return len(action.cards) == 1 and action.cards[0] >> 2 == due.cards[0] >> 2


def clock_return(hand: bytes | bytearray, size: int) -> bytes:
    """Return what the clock gives back in an exchange: the lowest cards of a counted hand, received ones included."""
    return hand_cards(hand)[:size]
