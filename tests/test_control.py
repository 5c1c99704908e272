"""Who plays a seat, when time is up, and what the clock does then: one step at a time, without a log."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.bots import LEVELS, POLICY, choose_action, choose_return
from fairdeal.cards import FIRST_JOKER, parse_cards
from fairdeal.codes import Code
from fairdeal.commit import bot_stream
from fairdeal.control import TENTHS, Control, Streams, clock_action, clock_return, is_clock_action
from fairdeal.draws import Draws
from fairdeal.errors import Misuse
from fairdeal.exchange import Exchanging, Swap, best_cards
from fairdeal.hands import count_hand, hand_cards
from fairdeal.law import Law
from fairdeal.legal import legal_actions
from fairdeal.limits import BOT_BLOCK_BYTES, MAX_TURN_SECONDS
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
from fairdeal.ruleset import load_preset
from fairdeal.settings import SeatKind
from fairdeal.view import seen_by
from tests.random_rules import played_at_random, random_round, random_rules
from tests.strategies import octets, simulated, some

HUMAN, EASY, MEDIUM, HARD, BOT = SeatKind
GONE, BACK, LEFT = Presence
LIMIT: Final = 300
PRESIDENT: Final = simulated(4).terms


def terms_of(*kinds: SeatKind, policy: int = 0, seconds: int = 30) -> Terms:
    """Return terms of a table of four: people where nothing else is said, and 30 seconds a turn."""
    seats = tuple(replace(seat, kind=kind) for seat, kind in zip(PRESIDENT.seats, (*kinds, *[HUMAN] * 4), strict=False))
    return replace(PRESIDENT, seats=seats, bot_policy=policy, rules=replace(PRESIDENT.rules, turn_seconds=seconds))


def start(*hands: str, changes: dict[str, object] | None = None, leader: int = 0, first: bool = False) -> Round:
    """Return a round under the ruleset president, with changes, whose seats hold the cards written."""
    law = Law(load_preset("president", changes or {}).resolve(4))
    return Round(law, range(4), [count_hand(parse_cards(hand)) for hand in hands], leader, first=first)


# --- seats


def who_plays(control: Control, seat: int) -> tuple[SeatKind, bool]:
    """Return who plays a seat and whether its player has left for good."""
    return control.players[seat], control.left[seat]


def test_a_match_begins_as_the_terms_have_it() -> None:
    """Players, people, nobody gone, no time passed, nothing decided."""
    kinds = (HUMAN, EASY, BOT, HARD)
    for policy, seconds in product((0, POLICY), (0, 1, 30, MAX_TURN_SECONDS)):
        control = Control(terms_of(*kinds, policy=policy, seconds=seconds))
        assert control.players == list(kinds)
        assert control.people == [True, False, False, False]
        assert control.left == [False] * 4
        assert (control.now, control.since, control.decisions) == (0, 0, [0] * 4)
        assert (control.limit, control.claimed) == (seconds * TENTHS, policy == POLICY)


def before(control: Control, state: str) -> None:
    """Bring seat 0 to a state: present, away, or left after being present or away."""
    if state in {"away", "left while away"}:
        control.apply_event(SeatEvent(0, GONE, MEDIUM))
    if state.startswith("left"):
        control.apply_event(SeatEvent(0, LEFT, HARD))


STATES: Final = ("present", "away", "left", "left while away")


@pytest.mark.parametrize("policy", [0, POLICY])
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("presence", list(Presence))
@pytest.mark.parametrize("level", list(SeatKind))
def test_every_event_from_every_state(policy: int, state: str, presence: Presence, level: SeatKind) -> None:
    """Of a person's seat: cut off while present, back while away, gone for good once; the same bot plays on."""
    control = Control(terms_of(policy=policy))
    before(control, state)
    kept = who_plays(control, 0)
    levels = {EASY, MEDIUM, HARD} | ({BOT} if policy == 0 else set())
    lawful = {
        GONE: state == "present" and level in levels,
        BACK: state == "away" and level is HUMAN,
        LEFT: (state == "present" and level in levels) or (state == "away" and level is MEDIUM),
    }[presence]
    event = SeatEvent(0, presence, level)
    assert control.event_fault(event) == (None if lawful else Code.SEAT_EVENT)
    assert who_plays(control, 0) == kept
    if lawful:
        control.apply_event(event)
        assert who_plays(control, 0) == (level, presence is LEFT)
        assert control.plays_by_policy(0) is (policy == POLICY and presence is not BACK)
    assert [who_plays(control, seat) for seat in (1, 2, 3)] == [(HUMAN, False)] * 3


@pytest.mark.parametrize("policy", [0, POLICY])
@pytest.mark.parametrize("kind", [EASY, MEDIUM, HARD, BOT])
def test_nothing_happens_to_a_seat_that_a_bot_plays_by_the_terms(policy: int, kind: SeatKind) -> None:
    """It has no connection to lose, and nobody to return."""
    control = Control(terms_of(kind, policy=policy))
    for presence, level in product(Presence, SeatKind):
        assert control.event_fault(SeatEvent(0, presence, level)) is Code.SEAT_EVENT
    assert control.plays_by_policy(0) is (policy == POLICY and kind is not BOT)


@given(st.lists(st.builds(SeatEvent, st.integers(0, 3), st.sampled_from(Presence), st.sampled_from(SeatKind))))
@some
def test_whoever_has_left_stays_away(events: list[SeatEvent]) -> None:
    """Whatever is tried: a person plays a seat only before it left, and a bot seat never gets one."""
    control, gone = Control(terms_of(HUMAN, HUMAN, EASY)), set[int]()
    for event in events:
        if control.event_fault(event) is None:
            assert event.seat not in gone | {2}
            control.apply_event(event)
            gone |= {event.seat} if event.presence is LEFT else set()
        assert all(control.players[seat] is not HUMAN for seat in gone | {2})
        assert {seat for seat in range(4) if control.left[seat]} == gone


def test_a_new_round_keeps_the_seats_and_starts_time_and_counts() -> None:
    """Who is away stays away."""
    control = Control(terms_of())
    control.apply_event(SeatEvent(1, GONE, EASY))
    control.pass_time(Timing(7, None))
    control.decided(1, Timing(5, None))
    assert (control.now, control.since, control.decisions) == (12, 12, [0, 1, 0, 0])
    control.start_round(None)
    assert (control.now, control.since, control.decisions) == (0, 0, [0] * 4)
    assert control.players == [HUMAN, EASY, HUMAN, HUMAN]


# --- time


PILE: Final = ("4c 9c", "5c 5d 6c Ks", "6d", "7d")  # seat 0 leads its 4; a pass by seat 1 is what the clock may do
SPENT: Final = (LIMIT - 1, LIMIT, LIMIT + 1)


def on_a_pile() -> Round:
    """Return a round in which seat 1 may pass."""
    state = start(*PILE)
    assert state.step(set_action(0, parse_cards("4c"))) is None
    return state


@given(st.integers(0, 5 * LIMIT), st.integers(0, 2 * LIMIT), st.integers(0, 2 * LIMIT))
@some
def test_a_turn_is_measured_from_what_gave_it(since: int, between: int, tenths: int) -> None:
    """What passed before it does not count, a seat event within it does; a look changes nothing."""
    control, state = Control(terms_of()), on_a_pile()
    control.decided(0, Timing(since, None))
    control.pass_time(Timing(between, None))
    spent = between + tenths
    for action in (pass_action(1), set_action(1, parse_cards("5c"))):
        late = Code.CLOCK_OVERRUN if spent > LIMIT else None
        assert control.action_fault(action, Timing(tenths, None), state) is late
        early = Code.CLOCK_EARLY if spent < LIMIT else None if action.kind == PASS else Code.CLOCK_CHOICE
        assert control.action_fault(action, Timing(tenths, 1), state) is early
        assert control.action_fault(action, UNTIMED, state) is None
        choice = None if action.kind == PASS else Code.CLOCK_CHOICE
        assert control.action_fault(action, Timing(None, 1), state) is choice
    assert (control.now, control.since, control.decisions) == (since + between, since, [1, 0, 0, 0])


@pytest.mark.parametrize("spent", SPENT)
@pytest.mark.parametrize("seconds", [1, 30, MAX_TURN_SECONDS])
def test_the_limit_belongs_to_both(seconds: int, spent: int) -> None:
    """With exactly the time of a turn gone a person may still act, and the clock already."""
    control, state = Control(terms_of(seconds=seconds)), on_a_pile()
    tenths = seconds * TENTHS + spent - LIMIT
    person = control.action_fault(pass_action(1), Timing(tenths, None), state)
    clock = control.action_fault(pass_action(1), Timing(tenths, 1), state)
    assert person is (Code.CLOCK_OVERRUN if spent > LIMIT else None)
    assert clock is (Code.CLOCK_EARLY if spent < LIMIT else None)


@pytest.mark.parametrize("spent", SPENT)
@pytest.mark.parametrize("policy", [0, POLICY])
def test_a_bot_has_no_limit_and_by_policy_no_clock(policy: int, spent: int) -> None:
    """Be it a bot by the terms or after an event; one whose choices nobody claims may run out of time."""
    state = on_a_pile()
    for control in (Control(terms_of(HUMAN, MEDIUM, policy=policy)), Control(terms_of(policy=policy))):
        if control.people[1]:
            control.apply_event(SeatEvent(1, GONE, MEDIUM))
        control.start_round(Streams(bytes(32), bytes(32), 1))
        choice = control.bot_action(state)
        assert control.action_fault(choice, Timing(spent, None), state) is None
        due = Code.CLOCK_NOT_DUE if policy else Code.CLOCK_EARLY if spent < LIMIT else None
        assert control.action_fault(pass_action(1), Timing(spent, 1), state) is due


@pytest.mark.parametrize("acted_for", range(4))
@pytest.mark.parametrize("tenths", [None, 0, LIMIT, 10**9])
def test_the_clock_acts_for_the_seat_on_turn_alone(tenths: int | None, acted_for: int) -> None:
    """For any other it is not due, and without a clock in the rules for nobody; then nothing is late either."""
    state, timing = on_a_pile(), Timing(tenths, acted_for)
    code = Control(terms_of()).action_fault(pass_action(1), timing, state)
    if acted_for != 1:
        assert code is Code.CLOCK_NOT_DUE
    else:
        assert code is (Code.CLOCK_EARLY if tenths == 0 else None)
    assert Control(terms_of(seconds=0)).action_fault(pass_action(1), timing, state) is Code.CLOCK_NOT_DUE
    assert Control(terms_of(seconds=0)).action_fault(pass_action(1), Timing(tenths, None), state) is None


TRIBUTE: Final = Swap(3, 0, 2, tribute=True)
RETURN: Final = Swap(0, 3, 2, tribute=False)
HAND: Final = count_hand(parse_cards("4d 4h 4s 9c Kd 2s"))


def gift(swap: Swap, cards: str) -> Exchange:
    """Return the gift of the cards written."""
    return Exchange(swap.giver, swap.receiver, parse_cards(cards))


@pytest.mark.parametrize("spent", SPENT)
@pytest.mark.parametrize("since", [0, 250])
def test_a_return_is_measured_from_the_deal(since: int, spent: int) -> None:
    """Gifts before it do not restart its time."""
    control = Control(terms_of())
    control.decided(1, Timing(since, None))
    for cards, wrong in (("4d 4h", None), ("4h 4s", None), ("4d 9c", Code.CLOCK_CHOICE), ("Kd 2s", Code.CLOCK_CHOICE)):
        late = control.gift_fault(gift(RETURN, cards), Timing(spent - since, None), RETURN, HAND)
        assert late is (Code.CLOCK_OVERRUN if spent > LIMIT else None)
        early = control.gift_fault(gift(RETURN, cards), Timing(spent - since, 0), RETURN, HAND)
        assert early is (Code.CLOCK_EARLY if spent < LIMIT else wrong)
        assert control.gift_fault(gift(RETURN, cards), Timing(None, 0), RETURN, HAND) is wrong
        assert control.gift_fault(gift(RETURN, cards), Timing(spent, 3), RETURN, HAND) is Code.CLOCK_NOT_DUE


@pytest.mark.parametrize("tenths", [None, 0, LIMIT, 10**9])
def test_a_tribute_has_no_clock(tenths: int | None) -> None:
    """It is never late, and never the clock's."""
    control = Control(terms_of())
    one = gift(TRIBUTE, "Kd 2s")
    assert control.gift_fault(one, Timing(tenths, None), TRIBUTE, HAND) is None
    assert control.gift_fault(one, Timing(tenths, 3), TRIBUTE, HAND) is Code.CLOCK_NOT_DUE


# --- what the clock does


def clock_may(action: Action, state: Round) -> bool:
    """Return whether the clock may do this for the seat on turn, as the rulebook's line 83 reads."""
    if state.count:
        return action.kind == PASS
    if state.trick == 1 and state.first and state.law.rules.first_play_3c:
        return action.cards == parse_cards("3c")
    held = hand_cards(state.hands[action.seat])
    natural = [state.order[face >> 2] for face in held if face < FIRST_JOKER]
    if len(action.cards) != 1 or not natural:
        return len(action.cards) == 1
    return action.cards[0] < FIRST_JOKER and state.order[action.cards[0] >> 2] == min(natural)


@given(octets(32).map(Draws), st.integers(3, 8))
@some
def test_what_the_clock_does_is_lawful_under_any_rules(draws: Draws, seats: int) -> None:
    """In every state: a lawful action, among those the clock may do, and these are as a plain reading has them."""
    state, _ = random_round(draws, random_rules(draws, seats), seats, draws.choose([None, 4, 9]))
    for now, _ in played_at_random(state, draws):
        due = clock_action(now)
        assert now.fault(due) is None
        assert is_clock_action(due, now)
        lawful = legal_actions(now)
        may = [action for action in lawful if is_clock_action(action, now)]
        assert may == [action for action in lawful if clock_may(action, now)]
        if due.kind != PASS and not now.wants_three():
            assert due.cards[0] == min(action.cards[0] for action in may)


TURN: Final = {"revolution": "round"}
JOKERS: Final = {"jokers_per_pack": 2, "joker": "high"}
WILD: Final = {"jokers_per_pack": 2, "joker": "wild"}


@pytest.mark.parametrize(
    ("hand", "changes", "due", "may"),
    [
        ("3d 3h 2s", {}, "3d", "3d 3h"),
        ("5s 9c Ad 2h", {}, "5s", "5s"),
        ("2h", {}, "2h", "2h"),
        ("X1 X2 2c", JOKERS, "2c", "2c"),
        ("X1 X2", JOKERS, "X1", "X1 X2"),
        ("X2 2c 3h", WILD, "3h", "3h"),
        ("X1 2c", WILD | {"lone_joker": "as-two"}, "2c", "2c"),
        ("X1 X2", WILD | {"lone_joker": "as-two"}, "X1", "X1 X2"),
        ("X1 Kd", WILD | {"lone_joker": "sweep"}, "Kd", "Kd"),
    ],
)
def test_the_lead_of_the_clock(hand: str, changes: dict[str, object], due: str, may: str) -> None:
    """The lowest single, of any suit among equals, and a joker only where nothing else is held."""
    state = start(hand, "4c", "5c", "6c", changes=changes)
    assert clock_action(state) == set_action(0, parse_cards(due))
    singles = [face for face in parse_cards(hand) if is_clock_action(set_action(0, bytes([face])), state)]
    assert bytes(singles) == parse_cards(may)
    pairs = [one for one in legal_actions(state) if len(one.cards) > 1]
    assert not any(is_clock_action(one, state) for one in pairs)


def test_the_lead_of_the_clock_in_a_revolution() -> None:
    """The lowest is then the 2, a joker still the highest."""
    state = start("9c 9d 9h 9s 3c 4d 2h 2s X1", "5c 5d", "6c 6d", "7c 7d", changes=JOKERS | TURN)
    assert state.step(set_action(0, parse_cards("9c 9d 9h 9s"))) is None
    for seat in (1, 2, 3):
        assert is_clock_action(pass_action(seat), state)
        assert clock_action(state) == pass_action(seat)
        assert state.step(pass_action(seat)) is None
    assert clock_action(state) == set_action(0, parse_cards("2h"))
    may = [one.cards for one in legal_actions(state) if is_clock_action(one, state)]
    assert may == [parse_cards("2h"), parse_cards("2s")]


def test_the_first_lead_of_a_match_that_needs_the_three_of_clubs() -> None:
    """It alone is right then, not another three; in a later trick, or without the rule, any lowest card is."""
    hands = ("3c 3d 4h", "5c 5d", "6c 6d", "7c 7d")
    state = start(*hands, changes={"first_play_3c": True}, first=True)
    assert clock_action(state) == set_action(0, parse_cards("3c"))
    assert [one.cards for one in legal_actions(state) if is_clock_action(one, state)] == [parse_cards("3c")]
    other = start(*hands, changes={"first_play_3c": True})
    may = [one.cards for one in legal_actions(other) if is_clock_action(one, other)]
    assert may == [parse_cards("3c"), parse_cards("3d")]


def test_two_packs_have_a_lowest_card_twice() -> None:
    """Copies of a face are one play."""
    state = start("4c 4c 4d 9h", "5c", "6c", "7c")
    assert clock_action(state) == set_action(0, parse_cards("4c"))
    may = [one.cards for one in legal_actions(state) if is_clock_action(one, state)]
    assert may == [parse_cards("4c"), parse_cards("4d")]


@given(st.lists(st.integers(0, 53), min_size=1, max_size=36), st.data())
@some
def test_the_clock_returns_the_lowest(cards: list[int], data: st.DataObject) -> None:
    """Any suits of the lowest ranks, jokers last; just received ones count as held."""
    hand, size = count_hand(bytes(cards)), data.draw(st.integers(1, len(cards)))
    swap = Swap(0, 3, size, tribute=False)
    assert clock_return(hand, size) == bytes(sorted(cards)[:size])
    given_cards = bytes(sorted(data.draw(st.permutations(cards))[:size]))
    lowest = [face >> 2 for face in given_cards] == [face >> 2 for face in sorted(cards)[:size]]
    fault = Control(terms_of()).gift_fault(Exchange(0, 3, given_cards), Timing(LIMIT, 0), swap, hand)
    assert fault is (None if lowest else Code.CLOCK_CHOICE)


# --- bots


def streams() -> Streams:
    """Return the streams of a round."""
    return Streams(b"\xa5" * 32, b"\x5a" * 32, 3)


def test_blocks_are_those_of_the_stream() -> None:
    """Sixteen bytes a decision, of the seat's own stream, in any order of asking."""
    made = streams()
    for seat, decision in ((2, 5), (0, 0), (2, 0), (0, 127), (7, 64)):
        stream = bot_stream(b"\xa5" * 32, b"\x5a" * 32, 3, seat)
        assert made.block(seat, decision) == stream[16 * decision : 16 * decision + 16]
        assert len(made.block(seat, decision)) == BOT_BLOCK_BYTES


def test_streams_show_nothing_of_what_they_follow_from() -> None:
    """Neither seed nor transcript nor a block can be read from a text of them or of the control that holds them."""
    made, control = streams(), Control(terms_of(EASY, policy=POLICY))
    block = made.block(0, 0)
    control.start_round(made)
    for text in (repr(made), str(made), repr(control), f"{made}"):
        for hidden in (b"\xa5" * 32, b"\x5a" * 32, block):
            assert hidden.hex() not in text
            assert repr(hidden)[2:-1] not in text
    assert not hasattr(made, "__dict__")


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_chooses_with_the_block_of_its_decision(level: SeatKind) -> None:
    """The next one after each gift and action of the seat, whoever made it; other seats do not count."""
    control, made = Control(terms_of(HUMAN, level, policy=POLICY)), streams()
    control.start_round(made)
    state = on_a_pile()
    for decision in range(20):
        due = choose_action(level, seen_by(state, 1), made.block(1, decision))
        assert control.decisions[1] == decision
        assert control.bot_action(state) == due
        for action in legal_actions(state):
            wrong = None if action == due else Code.BOT_CHOICE
            assert control.action_fault(action, UNTIMED, state) is wrong
        swap = Swap(1, 2, 2, tribute=False)
        back = choose_return(level, HAND, 2, made.block(1, decision))
        assert control.bot_gift(swap, HAND) == back
        assert control.gift_fault(Exchange(1, 2, back), UNTIMED, swap, HAND) is None
        other = bytes([back[0], back[0]])
        assert control.gift_fault(Exchange(1, 2, other), UNTIMED, swap, HAND) is Code.BOT_CHOICE
        control.decided(0)
        control.decided(1)
    assert control.decisions == [20, 20, 0, 0]


@pytest.mark.parametrize("level", LEVELS)
def test_the_tribute_of_a_bot_is_its_best_cards_in_the_lower_suits(level: SeatKind) -> None:
    """Among equals it has no choice."""
    control = Control(terms_of(HUMAN, HUMAN, HUMAN, level, policy=POLICY))
    control.start_round(streams())
    hand = count_hand(parse_cards("4d 9c Kc Kd Ks 2h"))
    assert control.bot_gift(TRIBUTE, hand) == best_cards(hand, 2) == parse_cards("Kc 2h")
    due = Exchanging([hand] * 4, [TRIBUTE])
    for cards, code in (("Kc 2h", None), ("Kd 2h", Code.BOT_CHOICE), ("Ks 2h", Code.BOT_CHOICE)):
        one = gift(TRIBUTE, cards)
        assert due.fault(one) is None
        assert control.gift_fault(one, UNTIMED, TRIBUTE, hand) is code


def test_the_clock_comes_before_the_choice() -> None:
    """Of several faults in one action the clock's is named, and a marker for a bot by policy alone."""
    control, state = Control(terms_of(HUMAN, MEDIUM, policy=POLICY)), on_a_pile()
    control.start_round(streams())
    wrong = next(one for one in legal_actions(state) if one != control.bot_action(state))
    assert control.action_fault(wrong, Timing(LIMIT, 1), state) is Code.CLOCK_NOT_DUE
    assert control.action_fault(wrong, Timing(LIMIT, None), state) is Code.BOT_CHOICE


def test_choices_nobody_claims_are_free() -> None:
    """Under policy 0, for a person, and for a bot of no stated level, whatever the policy."""
    state = on_a_pile()
    for terms in (terms_of(HUMAN, HARD), terms_of(policy=POLICY), terms_of(HUMAN, BOT, policy=POLICY)):
        control = Control(terms)
        control.start_round(streams())
        for action in legal_actions(state):
            assert control.action_fault(action, UNTIMED, state) is None


def test_who_has_no_policy_chooses_nothing() -> None:
    """A person, a bot of no stated level, and any bot in a round without a seed."""
    state = on_a_pile()
    for kind in (HUMAN, BOT):
        control = Control(terms_of(HUMAN, kind))
        control.start_round(streams())
        with pytest.raises(Misuse, match="has no policy"):
            control.bot_action(state)
    control = Control(terms_of(HUMAN, EASY, policy=POLICY))
    with pytest.raises(ValueError, match="without a seed"):
        control.bot_action(state)


@pytest.mark.parametrize("policy", [0, 1])
def test_a_seat_has_one_stand_in_for_the_whole_match(policy: int) -> None:
    """The operator could choose the level anew for every move otherwise; what was done for people is counted."""
    terms = replace(simulated(4).terms, bot_policy=policy)
    control = Control(terms)
    first = SeatEvent(1, Presence.DISCONNECTED, SeatKind.EASY)
    control.apply_event(first)
    control.decided(1)
    control.decided(2, Timing(None, 2))
    control.apply_event(SeatEvent(1, Presence.RETURNED, SeatKind.HUMAN))
    control.decided(1)
    assert (control.by_stand_in, control.by_clock) == ([0, 1, 0, 0], [0, 0, 1, 0])
    control.start_round(None)
    for presence in (Presence.DISCONNECTED, Presence.LEFT):
        for level in (SeatKind.MEDIUM, SeatKind.HARD):
            assert control.event_fault(SeatEvent(1, presence, level)) is Code.SEAT_EVENT
        assert control.event_fault(SeatEvent(1, presence, SeatKind.EASY)) is None
    assert control.event_fault(SeatEvent(2, Presence.DISCONNECTED, SeatKind.HARD)) is None
