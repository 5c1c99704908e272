"""Sound logs in which clock and bots do what seldom happens: a strict auditor must not find fault with any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from fairdeal.anchor import PUBLISHED
from fairdeal.cards import FIRST_JOKER, THREE_OF_CLUBS
from fairdeal.control import clock_return
from fairdeal.errors import Misuse
from fairdeal.exchange import ranks
from fairdeal.hands import hand_cards
from fairdeal.hashing import tagged_hash
from fairdeal.law import NATURAL
from fairdeal.legal import legal_actions
from fairdeal.records import PASS, UNTIMED, Actions, Exchange, Record, SeatEvent, Timing, set_action, timed
from fairdeal.ruleset import Ruleset, load_preset
from fairdeal.simulate import Simulation, simulate
from fairdeal.vectors.held import HeldCase
from fairdeal.vectors.mutators.draft import Draft, draft_of, parted, settle
from fairdeal.vectors.mutators.lie import Change, GiftSpot, PlaySpot
from fairdeal.vectors.mutators.marks import Turn, change_turn

ATTEMPTS: Final = 60
_SHORT: Final = load_preset("president", {"end_at": 2})
_THREE: Final = load_preset("president", {"end_at": 1, "first_play_3c": True})
_JOKERS: Final = load_preset("prezydent", {"turn_seconds": 30})
_NO_CLOCK: Final = load_preset("president", {"end_at": 1, "turn_seconds": 0})
_PARTY: Final = load_preset("party", {"end_at": 2})


class Truth(NamedTuple):
    """A kind of sound log: what it is about in words and tags, the matches it is made from, and how."""

    says: str
    shows: tuple[str, ...]
    change: Change
    ruleset: Ruleset = _SHORT
    players: str | tuple[str, ...] = "random"
    clock: bool = False

    def case(self) -> HeldCase:
        """Return the log of the first match that can be changed like this, with its published commitment."""
        for number in range(ATTEMPTS):
            plan = Simulation(
                self.ruleset,
                4,
                tagged_hash("truths", self.says.encode(), number),
                players=self.players,
                rounds=2,
                clock=self.clock,
            )
            draft = draft_of(simulate(plan), self.says)
            try:
                self.change(draft)
            except Misuse:
                continue
            held = {PUBLISHED: f"{draft.terms.sequence} {draft.commitment.hex()}\n"}
            return HeldCase(self.says, "", settle(draft), held, tuple(f"reading {name}" for name in self.shows))
        raise ValueError(f"no match offers a place for `{self.says}`")


def true_cases() -> Iterator[HeldCase]:
    """Yield every case."""
    return (truth.case() for truth in _TRUTHS)


def _by_clock(turn: Turn, cards: bytes) -> Record:
    """Return the lead of these cards by the clock; without a mark, so that it is not known whether time was up."""
    return timed(Timing(None, turn.seat), Actions((set_action(turn.seat, cards),)))


def _lead(choose: Callable[[bytes], bytes], *, turned: bool = False, first: bool = False) -> Change:
    """Return the change: in place of a lead the clock leads what `choose` makes of a hand, where that is any card."""

    def change(turn: Turn) -> Record | None:
        spot = turn.spot
        if not isinstance(spot, PlaySpot) or not turn.leads or spot.state.wants_three() != first:
            return None
        if turned != (spot.state.order is not NATURAL):
            return None
        cards = choose(hand_cards(spot.state.hands[turn.seat]))
        return _by_clock(turn, cards) if cards else None

    return change_turn(change, goes_on=True)


def _another_suit(hand: bytes) -> bytes:
    """Return the highest suit of the lowest rank, where it has several."""
    same = [face for face in hand if face >> 2 == hand[0] >> 2]
    return bytes(same[-1:]) if len(same) > 1 else b""


def _three(hand: bytes) -> bytes:
    return bytes([THREE_OF_CLUBS]) if THREE_OF_CLUBS in hand else b""


def _only_jokers(hand: bytes) -> bytes:
    return hand[:1] if hand[0] >= FIRST_JOKER else b""


def _highest_natural(hand: bytes) -> bytes:
    """Return a card of the rank that is lowest while the order is turned over, where others are held."""
    natural = [face for face in hand if face < FIRST_JOKER]
    return bytes(natural[-1:]) if natural and natural[0] >> 2 != natural[-1] >> 2 else b""


def _returns_what_came(turn: Turn) -> Record | None:
    """Return the return by the clock of the lowest cards in other suits, where there are any."""
    spot = turn.spot
    if not isinstance(spot, GiftSpot) or turn.tribute:
        return None
    held = hand_cards(spot.state.hands[turn.seat])
    low = clock_return(spot.state.hands[turn.seat], len(spot.gift.cards))
    others = [face for face in held if face >> 2 == low[-1] >> 2 and face not in low]
    cards = bytes(sorted([*low[:-1], others[-1]])) if others else b""
    fits = cards and ranks(cards) == ranks(low)
    return timed(Timing(None, turn.seat), Exchange(turn.seat, spot.gift.receiver, cards)) if fits else None


def _just_in_time(turn: Turn) -> Record | None:
    """Return a turn of a person that takes all the time there is, after a seat event in it."""
    acts = turn.person and not turn.by_clock and isinstance(turn.spot, PlaySpot) and turn.spent
    return turn.at(Timing(turn.limit - turn.spent, None)) if acts else None


def _at_once(turn: Turn) -> Record | None:
    """Return a time-out at the first moment that it can be, after a seat event in the turn."""
    acts = turn.by_clock and isinstance(turn.spot, PlaySpot) and turn.spent
    return turn.at(Timing(turn.limit - turn.spent, turn.seat)) if acts else None


def _bot_takes_an_hour(turn: Turn) -> Record | None:
    acts = not turn.person and isinstance(turn.spot, PlaySpot)
    return turn.at(Timing(36_000, None)) if acts else None


def _passes_by_clock(turn: Turn) -> Record | None:
    """Return the pass of an unstated bot, made by the clock."""
    passes = not turn.person and isinstance(turn.spot, PlaySpot) and turn.spot.action.kind == PASS
    return turn.at(Timing(None, turn.seat)) if passes else None


def _plays_otherwise(turn: Turn) -> Record | None:
    """Return another lawful action of a bot of a stated level."""
    spot = turn.spot
    if turn.person or not isinstance(spot, PlaySpot) or turn.seat == 0:
        return None
    others = [action for action in legal_actions(spot.state) if action != spot.action]
    return Actions((others[-1],)) if others else None


def _no_hurry(draft: Draft) -> str:
    """Give every action of a match without a clock an hour."""
    for index in draft.indexes(Actions):
        inner, _ = parted(draft.records[index])
        if isinstance(inner, Actions):
            draft.records[index] = timed(Timing(36_000, None), inner)
    return ""


def _marks_in_one_round(draft: Draft) -> str:
    """Leave the marks out of the first round: each round has them or not."""
    span = draft.spans()[0]
    for index in span:
        inner, timing = parted(draft.records[index])
        if timing != UNTIMED and isinstance(inner, Actions | Exchange | SeatEvent):
            draft.records[index] = timed(timing._replace(tenths=None), inner)
    return ""


_LEADS, _BEGINS = ("clock-leads-the-lowest",), ("clock-leads-the-three-of-clubs",)
_TRUTHS: Final = (
    Truth("the clock leads a card of its lowest rank in any suit", _LEADS, _lead(_another_suit)),
    Truth("the clock leads a joker, holding nothing else", _LEADS, _lead(_only_jokers), _JOKERS, "lowest"),
    Truth(
        "the clock leads what is lowest while the order is turned over",
        _LEADS,
        _lead(_highest_natural, turned=True),
        _PARTY,
        "largest",
    ),
    Truth("the clock begins the match with the three of clubs", _BEGINS, _lead(_three, first=True), _THREE),
    Truth(
        "the clock gives back its lowest ranks in any suits",
        ("clock-returns-the-lowest",),
        change_turn(_returns_what_came, goes_on=True),
    ),
    Truth(
        "a player acts when the time is just used up",
        ("no-action-after-time", "clock-starts-with-the-turn"),
        change_turn(_just_in_time, goes_on=False),
        clock=True,
    ),
    Truth(
        "the clock acts when the time is just used up",
        ("clock-not-early", "clock-starts-with-the-turn"),
        change_turn(_at_once, goes_on=False),
        clock=True,
    ),
    Truth(
        "a bot takes an hour for its turn",
        ("bot-may-take-its-time", "clock-not-for-bots"),
        change_turn(_bot_takes_an_hour, goes_on=False),
        players=("easy", "random", "hard", "random"),
        clock=True,
    ),
    Truth(
        "the clock passes for a bot whose choices are not claimed",
        ("clock-not-for-bots",),
        change_turn(_passes_by_clock, goes_on=False),
        players=("bot", "random", "random", "random"),
    ),
    Truth(
        "a bot of level hard plays something else, and its terms claim nothing of bots",
        ("bots-play-by-policy",),
        change_turn(_plays_otherwise, goes_on=True),
        players=("bot", "hard", "random", "random"),
    ),
    Truth("clock marks of an hour where the rules have no clock", ("no-clock-no-time-outs",), _no_hurry, _NO_CLOCK),
    Truth("clock marks in the second round and none in the first", (), _marks_in_one_round, clock=True),
)
