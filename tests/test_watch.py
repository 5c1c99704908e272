"""Who acted and when, in whole logs: clock marks, what the clock did, seat events, and the choices of bots."""

from __future__ import annotations

import tracemalloc
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.audit import audit
from fairdeal.bots import choose_action, choose_return
from fairdeal.codec import Log, encode_log, encode_record
from fairdeal.codes import Code
from fairdeal.commit import SeedTree, bot_stream, round_blind, seed_tree, terms_hash, transcript
from fairdeal.control import Control, Streams
from fairdeal.deal import hands_of_round
from fairdeal.draws import Draws
from fairdeal.evidence import Evidence
from fairdeal.exchange import Exchanging, Swap
from fairdeal.hands import count_hand, hand_cards
from fairdeal.hashing import tagged_hash
from fairdeal.legal import legal_actions
from fairdeal.limits import MAX_INT, MAX_ROUND_ACTIONS
from fairdeal.match import Match
from fairdeal.play import Round
from fairdeal.players import lowest, return_lowest, tribute_cards
from fairdeal.records import (
    UNTIMED,
    Action,
    Actions,
    Close,
    CloseReason,
    Commitment,
    Deal,
    Exchange,
    Presence,
    Record,
    RoundEnd,
    Seat,
    SeatEvent,
    Terms,
    Timing,
    set_action,
    timed,
)
from fairdeal.replay import replay
from fairdeal.report import Report, Step, Verdict
from fairdeal.ruleset import load_preset
from fairdeal.settings import Contributions, SeatKind
from fairdeal.view import Seen
from tests.conftest import rebuilt
from tests.test_control import clock_may

LIMIT: Final = 300  # tenths of a second: the rulebook's thirty seconds
HUMAN, EASY, MEDIUM, HARD, BOT = SeatKind
GONE, BACK, LEFT = Presence
Place = tuple[Code, str]
Event = tuple[int, SeatEvent, Timing]  # where in the frame of a match it stands, and what the clock says of it


# --- recorded matches of people and bots


class Table(NamedTuple):
    """Who sits at a table, the bot policy, how many rounds, changes of the ruleset president, and events by move."""

    kinds: tuple[SeatKind, ...] = (HUMAN,) * 4
    policy: int = 0
    rounds: int = 2
    changes: tuple[tuple[str, Any], ...] = ()
    events: tuple[tuple[int, SeatEvent], ...] = ()


class Move(NamedTuple):
    """A gift or action: its record, its place in a report, and what a plain reading of the rules says of it.

    `at` is where it stands in the frame of its match. `by_clock` says that the clock may do this, `by_policy` that the
    bot of the seat chose it, None where a person plays; `others` are the other lawful ones.
    """

    at: int
    record: Actions | Exchange
    place: str
    seat: int
    tribute: bool
    by_clock: bool
    by_policy: bool | None
    others: tuple[Actions | Exchange, ...]


class Recorded(NamedTuple):
    """A match as it was played; the frame holds all records but seat events."""

    terms: Terms
    secret: bytes
    tree: SeedTree
    frame: tuple[Record, ...]
    moves: tuple[Move, ...]
    events: tuple[Event, ...]

    def log(self, stamps: Mapping[int, Timing], events: Sequence[Event] | None = None) -> list[Record]:
        """Return the records with what the clock says of some moves, by number, and with events in their places."""
        stamped = {self.moves[number].at: timing for number, timing in stamps.items()}
        records: list[Record] = []
        for at, record in enumerate(self.frame):
            records += [timed(when, event) for place, event, when in events or self.events if place == at]
            if at in stamped and isinstance(record, Actions | Exchange):
                records.append(timed(stamped[at], record))
            else:
                records.append(record)
        return records

    def report(self, records: Sequence[Record]) -> Report:
        """Return the report on a log of this match, made good again, to somebody who holds the commitment."""
        return audit(rebuilt(records), Evidence(commitments=(self.tree.commitment(),)))

    def faults(self, records: Sequence[Record]) -> list[Place]:
        """Return code and place of every finding in a log of this match."""
        return places(self.report(records))


def places(report: Report) -> list[Place]:
    """Return code and place of every finding but what follows from the others: that the rules are not proven."""
    return [(one.code, one.place) for one in report.findings if one.code is not Code.NOT_PROVEN]


class Recorder:
    """Plays and records a match; `swapped` says by number for which moves another lawful one stands, and which."""

    def __init__(self, table: Table, swapped: Mapping[int, int]) -> None:
        """Take the seats; the same table gives the same match."""
        seats = len(table.kinds)
        rules = load_preset("president", {"end_at": table.rounds} | dict(table.changes)).resolve(seats)
        named = tuple(Seat(f"seat {number}", kind, b"") for number, kind in enumerate(table.kinds))
        self.terms = Terms(bytes(16), 1, b"", rules, named, table.rounds, Contributions.NONE, "", table.policy)
        self.secret = tagged_hash("seats", *[str(kind).encode() for kind in table.kinds])
        self.tree = seed_tree(self.secret, terms_hash(encode_record(self.terms)), table.rounds)
        self.mixed = transcript(self.tree.terms, self.tree.commitment(), [b""] * seats)
        self.match = Match(rules, seats, table.rounds)
        self.control = Control(self.terms)
        self.coming = dict(table.events)
        self.swapped = swapped
        self.draws = Draws(bytes(32))
        self.frame: list[Record] = [self.terms, Commitment(self.tree.commitment())]
        self.moves: list[Move] = []
        self.events: list[Event] = []

    def play(self) -> Recorded:
        """Play to the end of the match."""
        match = self.match
        while not match.over():
            self._round()
        close = Close(CloseReason.BY_RULE, None, b"", tuple(match.totals), match.final_places(), self.secret)
        return Recorded(self.terms, self.secret, self.tree, (*self.frame, close), tuple(self.moves), tuple(self.events))

    def _round(self) -> None:
        match, rules, number = self.match, self.terms.rules, self.match.ended + 1
        order, seed = match.dealing_order(), self.tree.seeds[number - 1]
        self.frame.append(Deal(number, order[0], round_blind(seed, self.mixed, number)))
        self.control.start_round(Streams(seed, self.mixed, number))
        dealt = hands_of_round(seed, self.mixed, number, order, rules.packs, rules.jokers_per_pack)
        exchange = Exchanging([count_hand(cards) for cards in dealt], match.swaps())
        gifts = 0
        while exchange.due:
            gifts += 1
            self._give(exchange, exchange.due[0], f"round[{number}].exchange[{gifts}]")
        state = match.start_round(exchange.hands, order)
        while not state.over:
            self._act(state, f"round[{number}].trick[{state.trick}].play[{state.play}]")
        ends = match.places(state.finishing)
        points = match.points(ends)
        self.frame.append(RoundEnd(ends, match.titles(ends), points, seed))
        match.end_round(ends, points)

    def _happen(self) -> None:
        event = self.coming.get(len(self.moves))
        if event is not None:
            self.events.append((len(self.frame), event, UNTIMED))
            self.control.apply_event(event)

    def _give(self, exchange: Exchanging, swap: Swap, place: str) -> None:
        self._happen()
        giver, receiver = swap.giver, swap.receiver
        hand, by_bot = exchange.hands[giver], self._by_bot(giver)
        own = tribute_cards(hand, swap) if swap.tribute else return_lowest(hand, swap, self.draws)
        due = Exchange(giver, receiver, self.control.bot_gift(swap, hand) if by_bot else own)
        can_be = sorted({bytes(some) for some in combinations(hand_cards(hand), swap.size)})
        others = [
            one for some in can_be if exchange.fault(one := Exchange(giver, receiver, some)) is None and one != due
        ]
        gift = others[self.swapped[self._number]] if self._number in self.swapped else due
        lowest_ranks = [face >> 2 for face in sorted(hand_cards(hand))[: swap.size]]
        by_clock = [face >> 2 for face in gift.cards] == lowest_ranks
        chosen = gift == due if by_bot else None
        exchange.apply(gift)
        self._moved(Move(len(self.frame), gift, place, giver, swap.tribute, by_clock, chosen, tuple(others)))

    def _act(self, state: Round, place: str) -> None:
        self._happen()
        seat, by_bot = state.turn, self._by_bot(state.turn)
        due = self.control.bot_action(state) if by_bot else lowest(state, self.draws)
        others = [one for one in legal_actions(state) if one != due]
        action = others[self.swapped[self._number]] if self._number in self.swapped else due
        chosen = action == due if by_bot else None
        rest = tuple(Actions((one,)) for one in others)
        by_clock = clock_may(action, state)
        state.apply(action)
        self._moved(Move(len(self.frame), Actions((action,)), place, seat, False, by_clock, chosen, rest))

    @property
    def _number(self) -> int:
        """The number of the move to come."""
        return len(self.moves)

    def _by_bot(self, seat: int) -> bool:
        return self.control.players[seat] in (EASY, MEDIUM, HARD)

    def _moved(self, move: Move) -> None:
        self.moves.append(move)
        self.frame.append(move.record)
        self.control.decided(move.seat)


@cache
def recorded(table: Table, swapped: tuple[tuple[int, int], ...] = ()) -> Recorded:
    """Return the match of a table, the same one for the same arguments."""
    return Recorder(table, dict(swapped)).play()


# --- a plain reading of the rules


class Clock:
    """Time and seats as an onlooker with pen and paper would keep them."""

    def __init__(self, match: Recorded) -> None:
        """Start before the first deal."""
        self.policy = match.terms.bot_policy
        self.limit = match.terms.rules.turn_seconds * 10
        self.human = [seat.kind is HUMAN for seat in match.terms.seats]
        self.bot = [seat.kind is not HUMAN for seat in match.terms.seats]
        self.gone = [False] * len(self.bot)
        self.stand_in: dict[int, SeatKind] = {}
        self.now = self.began = 0

    def deal(self) -> None:
        """Start a round."""
        self.now = self.began = 0

    def spent(self, record: Record) -> int:
        """Return how much of its turn the next move has taken so far."""
        return self.now - (0 if isinstance(record, Exchange) else self.began)

    def moved(self) -> None:
        """End a turn."""
        self.began = self.now

    def fault(self, move: Move, timing: Timing) -> Code | None:
        """Return what is wrong with a move; the time has been moved on to it."""
        spent = None if timing.tenths is None else self.spent(move.record)
        claimed = self.policy == 1 and self.bot[move.seat]
        if timing.acted_for is not None:
            if not self.limit or move.tribute or timing.acted_for != move.seat or claimed:
                return Code.CLOCK_NOT_DUE
            if spent is not None and spent < self.limit:
                return Code.CLOCK_EARLY
            return None if move.by_clock else Code.CLOCK_CHOICE
        late = spent is not None and spent > self.limit > 0
        if late and not move.tribute and not self.bot[move.seat]:
            return Code.CLOCK_OVERRUN
        return Code.BOT_CHOICE if claimed and move.by_policy is False else None

    def happens(self, event: SeatEvent) -> bool:
        """Return whether something may happen to a seat now; if so, it has."""
        seat, level = event.seat, event.level
        stands_in = level in {EASY, MEDIUM, HARD} or (level is BOT and self.policy == 0)
        may = {
            GONE: stands_in and not self.bot[seat],
            BACK: level is HUMAN and self.bot[seat],
            LEFT: stands_in,
        }
        if not self.human[seat] or self.gone[seat] or not may[event.presence]:
            return False
        if event.presence is not BACK and self.stand_in.setdefault(seat, level) is not level:
            return False
        self.bot[seat] = event.presence is not BACK
        self.gone[seat] = event.presence is LEFT
        return True


Row = tuple[Move | SeatEvent, Timing]


def rounds_of(match: Recorded, stamps: Mapping[int, Timing], events: Sequence[Event]) -> list[list[Row]]:
    """Return moves and events of each round in their order, those behind its end too."""
    moves = {move.at: (move, stamps.get(number, UNTIMED)) for number, move in enumerate(match.moves)}
    rounds: list[list[Row]] = []
    for at, record in enumerate(match.frame):
        if rounds:
            rounds[-1] += [(event, when) for place, event, when in events if place == at]
        if isinstance(record, Deal):
            rounds.append([])
        elif at in moves:
            rounds[-1].append(moves[at])
    return rounds


def expected(match: Recorded, stamps: Mapping[int, Timing], events: Sequence[Event]) -> list[Place]:
    """Return the findings that a plain reading of the rules comes to, in the order of the log."""
    clock, found = Clock(match), list[Place]()
    for number, rows in enumerate(rounds_of(match, stamps, events), 1):
        clock.deal()
        marked = any(timing.tenths is not None for _, timing in rows)
        told, count = False, 0
        for what, timing in rows:
            clock.now += timing.tenths or 0
            count += isinstance(what, SeatEvent)
            place = f"round[{number}].event[{count}]" if isinstance(what, SeatEvent) else what.place
            wanted = marked and (isinstance(what, SeatEvent) or not what.tribute)
            if (timing.tenths is not None) != wanted and not told:
                told = True
                found.append((Code.CLOCK_MARK, place))
            if isinstance(what, SeatEvent):
                code = None if clock.happens(what) else Code.SEAT_EVENT
            else:
                code = clock.fault(what, timing)
                clock.moved()
            found += [(code, place)] if code else []
    return found


def sound(match: Recorded, draws: Draws, *, often: int = 20) -> tuple[dict[int, Timing], list[Event]]:
    """Return marks and markers as a table with a clock makes them, and events, one before one record in `often`.

    People take all their time at times, bots more than that.
    """
    clock, stamps, events = Clock(match), dict[int, Timing](), list[Event]()
    numbers = {move.at: number for number, move in enumerate(match.moves)}
    for at, record in enumerate(match.frame):
        if at > 2 and not draws.below(often):
            event = some_event(clock, draws)
            left = max(0, LIMIT - clock.spent(record))
            timing = Timing(min(left, draws.below(30)), None)
            if clock.happens(event):
                clock.now += timing.tenths or 0
                events.append((at, event, timing))
        if isinstance(record, Deal):
            clock.deal()
        if at in numbers:
            move = match.moves[numbers[at]]
            left = max(0, LIMIT - clock.spent(record))
            timing = Timing(draws.choose((0, left, draws.below(left + 1))), None)
            if clock.bot[move.seat]:
                timing = Timing(draws.below(3 * LIMIT) if isinstance(record, Actions) else 0, None)
            elif move.by_clock and not move.tribute and draws.below(2):
                more = draws.choose((0, 1, 5 * LIMIT)) if isinstance(record, Actions) else 0
                timing = Timing(left + more, move.seat)
            if not move.tribute:
                stamps[numbers[at]] = timing
                clock.now += timing.tenths or 0
            clock.moved()
    return stamps, events


def some_event(clock: Clock, draws: Draws) -> SeatEvent:
    """Return an event of some seat, often one that may happen."""
    seat, presence = draws.below(len(clock.bot)), draws.choose(tuple(Presence))
    return SeatEvent(seat, presence, HUMAN if presence is BACK else draws.choose((EASY, MEDIUM, HARD)))


TABLES: Final = {
    "four people": Table(),
    "three people": Table((HUMAN,) * 3, rounds=3),
    "two packs": Table((HUMAN,) * 6),
    "party": Table((HUMAN,) * 5, changes=(("revolution", "round"), ("twos", "clear"), ("equal_rank", "skip"))),
    "wild jokers": Table(changes=(("jokers_per_pack", 2), ("joker", "wild"), ("lone_joker", "sweep"))),
    "three of clubs": Table(changes=(("first_play_3c", True), ("pass", "locks"))),
    "bots that claim nothing": Table((HUMAN, BOT, EASY, HUMAN)),
    "bots by policy": Table((HUMAN, EASY, MEDIUM, HARD), policy=1),
}


@pytest.mark.parametrize("name", TABLES)
@given(st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_what_a_table_with_a_clock_writes_is_verified(name: str, number: int) -> None:
    """Marks before all that takes one, markers where time was up, events anywhere: nothing is found, all is judged."""
    match, draws = recorded(TABLES[name]), Draws(tagged_hash("test", number))
    stamps, events = sound(match, draws, often=10**9 if match.terms.bot_policy else 15)
    assert expected(match, stamps, events) == []
    report = match.report(match.log(stamps, events))
    assert report.findings == ()
    assert report.verdict is Verdict.VERIFIED
    tally = dict(report.steps)[Step.CONTROL]
    assert (tally.passed, tally.faults, tally.not_checked) == (len(match.moves) + len(events), 0, [])


def spoilt(
    match: Recorded, stamps: dict[int, Timing], events: list[Event], draws: Draws, times: int
) -> tuple[dict[int, Timing], list[Event]]:
    """Return marks, markers and events with some of them changed, lost and made up."""
    stamps, events = dict(stamps), list(events)
    for _ in range(times):
        number, seat = draws.below(len(match.moves)), draws.below(len(match.terms.seats))
        tenths = draws.choose((None, 0, 1, LIMIT - 1, LIMIT, LIMIT + 1, 5 * LIMIT, MAX_INT - 128))
        acted_for = draws.choose((None, None, match.moves[number].seat, seat))
        stamps[number] = Timing(tenths, acted_for)
        if not draws.below(3):
            event = SeatEvent(seat, draws.choose(tuple(Presence)), draws.choose(tuple(SeatKind)))
            at = 3 + draws.below(len(match.frame) - 3)
            events.append((at, event, Timing(draws.choose((None, 0, 7, LIMIT)), None)))
    return stamps, events


@pytest.mark.parametrize("name", TABLES)
@given(st.integers(0, 2**32), st.integers(1, 9), st.booleans())
@settings(max_examples=25, deadline=None)
def test_findings_are_those_of_a_plain_reading(name: str, number: int, times: int, marked: bool) -> None:
    """Whatever marks, markers and events say: exactly the faults of a second, plain judge, in the order of the log."""
    match, draws = recorded(TABLES[name]), Draws(tagged_hash("test", number))
    stamps, events = sound(match, draws, often=30) if marked else ({}, [])
    if match.terms.bot_policy:
        events = []
    stamps, events = spoilt(match, stamps, events, draws, times)
    if match.terms.bot_policy:
        events = [one for one in events if not Clock(match).happens(one[1])]  # who plays on would choose otherwise
    wrong = expected(match, stamps, events)
    report = match.report(match.log(stamps, events))
    assert places(report) == wrong
    assert report.verdict is (Verdict.REFUTED if wrong else Verdict.VERIFIED)


# --- one fault at a time


PEOPLE: Final = Table()
QUICK: Final = Timing(1, None)
MARK, NOT_DUE, EARLY = Code.CLOCK_MARK, Code.CLOCK_NOT_DUE, Code.CLOCK_EARLY
OVERRUN, CHOICE = Code.CLOCK_OVERRUN, Code.CLOCK_CHOICE
SEAT, BOT_CHOICE = Code.SEAT_EVENT, Code.BOT_CHOICE


def quick(match: Recorded, place: str = "") -> dict[int, Timing]:
    """Return a short mark for every move that takes one, in the whole match or below one place."""
    moves = enumerate(match.moves)
    return {number: QUICK for number, move in moves if not move.tribute and move.place.startswith(place)}


def numbers_of(match: Recorded, *, step: int = 5) -> list[int]:
    """Return the numbers of all returns, and of one action in `step`."""
    gifts = [number for number, one in enumerate(match.moves) if isinstance(one.record, Exchange) and not one.tribute]
    return gifts + [number for number, one in enumerate(match.moves) if isinstance(one.record, Actions)][::step]


UNMARKED = "2 of 2 rounds have no clock marks, so whether anybody ran out of time is not known"


def left_open(report: Report) -> list[str]:
    """Return what the check of clock, seats and bots could not look at."""
    return dict(report.steps)[Step.CONTROL].not_checked


def test_a_missing_mark_is_told_where_it_is_missing() -> None:
    """Before a return or action of a round with marks."""
    match = recorded(PEOPLE)
    for number in numbers_of(match):
        stamps = quick(match)
        del stamps[number]
        assert match.faults(match.log(stamps)) == [(MARK, match.moves[number].place)]


def test_a_mark_in_a_round_without_is_told_at_the_first_record_that_lacks_one() -> None:
    """One mark makes a round one with marks, once and not once a record; other rounds are none for that."""
    match = recorded(PEOPLE)
    for number in numbers_of(match):
        others = [other for other in quick(match, match.moves[number].place[:8]) if other != number]
        assert match.faults(match.log({number: QUICK})) == [(MARK, match.moves[others[0]].place)]


@pytest.mark.parametrize("place", ["round[1]", "round[2]", "round[3]"])
def test_marks_in_one_round_ask_for_none_in_another(place: str) -> None:
    """Each round alone may have them."""
    match = recorded(Table(rounds=3))
    assert match.report(match.log(quick(match, place))).verdict is Verdict.VERIFIED


def test_a_tribute_has_no_mark() -> None:
    """Nobody waits for it: a mark before one is at fault, and the time that it says has passed all the same."""
    match = recorded(PEOPLE)
    tributes = [(number, move.place) for number, move in enumerate(match.moves) if move.tribute]
    assert [place for _, place in tributes] == ["round[2].exchange[1]", "round[2].exchange[2]"]
    for number, place in tributes:
        assert match.faults(match.log({**quick(match), number: QUICK})) == [(MARK, place)]
        assert match.faults(match.log({number: QUICK})) == [(MARK, place)]
        late = match.faults(match.log({**quick(match), number: Timing(LIMIT, None)}))
        assert late == [(MARK, place), *((OVERRUN, f"round[2].exchange[{one}]") for one in (3, 4))]


def test_an_event_in_a_round_with_marks_has_one() -> None:
    """Wherever it stands, also behind the end of its round; in a round without it has none."""
    match, event = recorded(PEOPLE), SeatEvent(0, LEFT, EASY)
    first, second = (at for at, one in enumerate(match.frame) if isinstance(one, Deal))
    stamps = quick(match, "round[1]")
    for at in range(first + 1, second + 1, 4):
        assert match.faults(match.log(stamps, [(at, event, UNTIMED)])) == [(MARK, "round[1].event[1]")]
        assert match.faults(match.log(stamps, [(at, event, QUICK)])) == []
        assert match.faults(match.log({}, [(at, event, UNTIMED)])) == []
    for at in range(second + 1, len(match.frame), 4):
        ((code, place),) = match.faults(match.log(stamps, [(at, event, QUICK)]))
        assert code is MARK
        assert place.startswith("round[2].exchange[3]" if at > second + 3 else "round[2].")


@pytest.mark.parametrize("tenths", [LIMIT - 1, LIMIT, LIMIT + 1])
@pytest.mark.parametrize("before", [0, 1, LIMIT - 1])
def test_the_limit_of_a_turn_to_the_tenth(tenths: int, before: int) -> None:
    """Up to it a person may act, from it on the clock; what passed until an event within the turn counts as well."""
    match = recorded(PEOPLE)
    for number in numbers_of(match, step=7):
        move = match.moves[number]
        if isinstance(move.record, Exchange):
            continue
        events = [(move.at, SeatEvent((move.seat + 1) % 4, LEFT, HARD), Timing(before, None))]
        person = match.log(quick(match) | {number: Timing(tenths - before, None)}, events)
        assert match.faults(person) == ([(OVERRUN, move.place)] if tenths > LIMIT else [])
        clock = match.log(quick(match) | {number: Timing(tenths - before, move.seat)}, events)
        wrong = EARLY if tenths < LIMIT else None if move.by_clock else CHOICE
        assert match.faults(clock) == ([(wrong, move.place)] if wrong else [])


@pytest.mark.parametrize("tenths", [LIMIT - 1, LIMIT, LIMIT + 1])
@pytest.mark.parametrize("before", [0, 1, LIMIT - 1])
def test_the_limit_of_a_return_runs_from_the_deal(tenths: int, before: int) -> None:
    """For both, whoever gives first; the first lead's runs from the last gift."""
    match = recorded(PEOPLE)
    one, other = numbers_of(match, step=1_000)[:2]
    assert [match.moves[number].by_clock for number in (one, other)] == [True, True]
    stamps = quick(match) | {one: Timing(before, None), other: Timing(tenths - before, None)}
    stamps[other + 1] = Timing(LIMIT, None)
    assert match.faults(match.log(stamps)) == ([(OVERRUN, match.moves[other].place)] if tenths > LIMIT else [])
    stamps[other] = Timing(tenths - before, match.moves[other].seat)
    assert match.faults(match.log(stamps)) == ([(EARLY, match.moves[other].place)] if tenths < LIMIT else [])
    stamps[other + 1] = Timing(LIMIT + 1, None)
    assert match.faults(match.log(stamps))[-1:] == [(OVERRUN, match.moves[other + 1].place)]


def test_the_first_lead_without_an_exchange_runs_from_the_deal() -> None:
    """The event that gave the turn is the deal."""
    match = recorded(PEOPLE)
    place = match.moves[0].place
    assert place == "round[1].trick[1].play[1]"
    for tenths, wrong in ((LIMIT, []), (LIMIT + 1, [(OVERRUN, place)])):
        assert match.faults(match.log(quick(match) | {0: Timing(tenths, None)})) == wrong


def test_a_bot_may_take_its_time() -> None:
    """By the terms, and after its seat was cut off; whoever has come back has to be in time again."""
    match = recorded(PEOPLE)
    for number in numbers_of(match, step=9)[2:]:
        move, late = match.moves[number], quick(match) | {number: Timing(LIMIT + 1, None)}
        gone = (move.at, SeatEvent(move.seat, GONE, EASY), Timing(0, None))
        back = (move.at, SeatEvent(move.seat, BACK, HUMAN), Timing(0, None))
        assert match.faults(match.log(late, [gone])) == []
        assert match.faults(match.log(late, [gone, back])) == [(OVERRUN, move.place)]
    bots = recorded(Table((HUMAN, BOT, EASY, HUMAN)))
    stamps = {
        number: Timing(5 * LIMIT, None) if bots.moves[number].seat in (1, 2) else one
        for number, one in quick(bots, "round[1]").items()
    }
    assert bots.faults(bots.log(stamps)) == []


def test_a_clock_that_the_rules_do_not_have() -> None:
    """Without a limit nothing is too late and no marker is due; marks may be kept all the same."""
    match = recorded(Table(changes=(("turn_seconds", 0),)))
    slow = dict.fromkeys(quick(match), Timing(10**9, None))
    assert match.faults(match.log(slow)) == []
    for number in numbers_of(match):
        move = match.moves[number]
        for stamps in (slow | {number: Timing(10**9, move.seat)}, {number: Timing(None, move.seat)}):
            assert match.faults(match.log(stamps)) == [(NOT_DUE, move.place)]


def test_where_the_clock_is_not_due() -> None:
    """For another seat than the one that acts, on a tribute, for a bot by policy, whatever the time."""
    match = recorded(PEOPLE)
    tributes = [number for number, move in enumerate(match.moves) if move.tribute]
    for number in [*numbers_of(match), *tributes]:
        move = match.moves[number]
        seats = range(4) if move.tribute else [seat for seat in range(4) if seat != move.seat]
        for seat in seats:
            assert match.faults(match.log({number: Timing(None, seat)})) == [(NOT_DUE, move.place)]
        if not move.tribute:
            late = quick(match) | {number: Timing(LIMIT, (move.seat + 1) % 4)}
            assert match.faults(match.log(late))[0] == (NOT_DUE, move.place)
    bots = recorded(Table((HUMAN, EASY, MEDIUM, HARD), policy=1))
    for number in numbers_of(bots):
        move = bots.moves[number]
        if move.seat:
            assert bots.faults(bots.log({number: Timing(None, move.seat)})) == [(NOT_DUE, move.place)]


def test_the_clock_may_act_for_a_bot_whose_choices_are_not_claimed() -> None:
    """It may be slow, and then its time is up like anybody's."""
    match = recorded(Table((HUMAN, BOT, EASY, HUMAN)))
    for number in numbers_of(match, step=3):
        move = match.moves[number]
        if move.seat in (1, 2) and isinstance(move.record, Actions):
            for tenths, code in ((LIMIT, None if move.by_clock else CHOICE), (LIMIT - 1, EARLY)):
                wrong = [(code, move.place)] if code else []
                assert match.faults(match.log(quick(match) | {number: Timing(tenths, move.seat)})) == wrong


def test_markers_without_marks_leave_the_time_open() -> None:
    """Whether time was up is not known, which is said once; what the clock did is judged."""
    match = recorded(PEOPLE)
    for number in numbers_of(match, step=1):
        move = match.moves[number]
        report = match.report(match.log({number: Timing(None, move.seat)}))
        assert places(report) == ([] if move.by_clock else [(CHOICE, move.place)])
        assert left_open(report) == [UNMARKED]
        assert report.verdict is (Verdict.VERIFIED if move.by_clock else Verdict.REFUTED)
    assert left_open(match.report(match.log(quick(match)))) == []
    assert left_open(match.report(match.log({}))) == [UNMARKED]


# --- seats


def with_events(match: Recorded, *events: tuple[int, SeatEvent]) -> list[Place]:
    """Return the faults of a match without a clock in which these events stand before the moves of these numbers."""
    found = [
        (match.moves[number].at if number < len(match.moves) else number, event, UNTIMED) for number, event in events
    ]
    return match.faults(match.log({}, found))


@pytest.mark.parametrize("step", [1, 25])
def test_seats_come_and_go_across_rounds(step: int) -> None:
    """What a seat is stays with it from round to round: twice gone, twice back and a return after leaving are told."""
    match = recorded(Table(rounds=3))
    line = [(GONE, EASY), (GONE, HARD), (BACK, HUMAN), (BACK, HUMAN), (GONE, EASY), (LEFT, EASY), (BACK, HUMAN)]
    line += [(LEFT, EASY), (GONE, EASY)]
    numbers = [5 + step * count for count in range(len(line))]
    events = [(number, SeatEvent(2, *one)) for number, one in zip(numbers, line, strict=True)]
    wrong: list[Place] = []
    counts: dict[str, int] = {}
    for count, number in enumerate(numbers):
        place = match.moves[number].place[:8]
        counts[place] = counts.get(place, 0) + 1
        if count not in (0, 2, 4, 5):
            wrong.append((SEAT, f"{place}.event[{counts[place]}]"))
    assert with_events(match, *events) == wrong
    assert len(counts) == (1 if step == 1 else 3)


def test_an_event_that_cannot_be_changes_nothing() -> None:
    """Behind it the same seat may still do what it might before."""
    match = recorded(PEOPLE)
    gone, back = SeatEvent(1, GONE, EASY), SeatEvent(1, BACK, HUMAN)
    assert with_events(match, (1, back), (2, gone), (3, back)) == [(SEAT, "round[1].event[1]")]
    assert with_events(match, (1, SeatEvent(1, GONE, HUMAN)), (2, gone)) == [(SEAT, "round[1].event[1]")]
    assert with_events(match, (1, SeatEvent(1, LEFT, HUMAN)), (2, gone)) == [(SEAT, "round[1].event[1]")]


def test_events_behind_the_end_of_a_round_are_its_own_and_count_for_the_next() -> None:
    """Between two rounds a seat may go; the next round knows it."""
    match = recorded(PEOPLE)
    second = [at for at, one in enumerate(match.frame) if isinstance(one, Deal)][1]
    gone, back = SeatEvent(3, GONE, EASY), SeatEvent(3, BACK, HUMAN)
    close = len(match.frame) - 1
    for inside in (second + 1, second + 9, close):
        assert match.faults(match.log({}, [(second, gone, UNTIMED), (inside, back, UNTIMED)])) == []
        again = [(second, gone, UNTIMED), (second, gone, UNTIMED), (inside, gone, UNTIMED)]
        assert match.faults(match.log({}, again)) == [(SEAT, "round[1].event[2]"), (SEAT, "round[2].event[1]")]


def test_events_outside_the_rounds_are_out_of_order() -> None:
    """Before the first deal and after the close nothing happens to a seat; what stands there changes nobody's seat."""
    match, gone = recorded(PEOPLE), SeatEvent(3, GONE, EASY)
    records = match.log({}, [(3, gone, UNTIMED)])
    for at, place in ((1, "opening"), (2, "opening"), (len(records), "close")):
        for one in (gone, timed(QUICK, gone)):
            assert match.faults([*records[:at], one, *records[at:]]) == [(Code.ORDER, place)]


def test_events_of_a_round_without_its_seed_are_judged() -> None:
    """Of a running match the moves of the last round are not known, and that is said; who came and went is."""
    match = recorded(PEOPLE)
    second = [at for at, one in enumerate(match.frame) if isinstance(one, Deal)][1]
    gone, back = SeatEvent(3, GONE, EASY), SeatEvent(3, BACK, HUMAN)
    events = [
        (second, gone, UNTIMED),
        (second + 3, gone, UNTIMED),
        (second + 4, back, UNTIMED),
        (second + 9, back, UNTIMED),
    ]
    running = match.log({}, events)[:-3]
    report = match.report(running)
    assert places(report) == [(SEAT, "round[2].event[1]"), (SEAT, "round[2].event[3]"), (Code.UNFINISHED, "close")]
    assert left_open(report) == [UNMARKED]
    marked = match.log(quick(match), [(at, event, QUICK) for at, event, _ in events])[:-3]
    report = match.report(marked)
    assert places(report)[:2] == [(SEAT, "round[2].event[1]"), (SEAT, "round[2].event[3]")]
    moves = sum(move.place.startswith("round[2]") for move in match.moves) - 1
    assert left_open(report) == [f"round[2]: its last {moves} moves, since the hands are unknown"]
    known = replay(Log(rebuilt(marked)), secret=match.secret)
    assert known.judge.tallies[Step.CONTROL].not_checked == []


# --- faults beside faults


@given(st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_events_and_rounds_behind_a_fault_in_play_are_judged(number: int) -> None:
    """A play of cards that are not held ends the judging of moves in its round; all before and after stays judged."""
    match, draws = recorded(PEOPLE), Draws(tagged_hash("test", number))
    stamps, events = spoilt(match, *sound(match, draws, often=10), draws, 3)
    first, second = (at for at, one in enumerate(match.frame) if isinstance(one, Deal))
    broken = draws.choose([move for move in match.moves if first < move.at < second])
    index = match.moves.index(broken)
    wrong = expected(match, stamps, events)
    behind = {move.place for move in match.moves[index:] if move.at < second}
    frame = list(match.frame)
    frame[broken.at] = set_of_one_card(broken.seat)
    changed = match._replace(frame=tuple(frame))
    found = changed.faults(changed.log(stamps, events))
    assert (Code.NOT_HELD, broken.place) in found
    found.remove((Code.NOT_HELD, broken.place))
    assert [one for one in found if one[0] is not MARK] == [
        one for one in wrong if one[1] not in behind and one[0] is not MARK
    ]


def set_of_one_card(seat: int) -> Actions:
    """Return a play that nobody can make: three copies of one card."""
    return Actions((set_action(seat, bytes([1] * 3)),))


def test_the_moves_behind_a_fault_are_not_looked_at_and_that_is_said() -> None:
    """With marks, or where a bot's choice is claimed; else there is nothing to look at."""
    match = recorded(PEOPLE)
    frame = list(match.frame)
    frame[match.moves[9].at] = set_of_one_card(match.moves[9].seat)
    changed, moves = match._replace(frame=tuple(frame)), sum(one.place.startswith("round[1]") for one in match.moves)
    report = changed.report(changed.log(quick(match)))
    assert places(report) == [(Code.NOT_HELD, match.moves[9].place)]
    assert left_open(report) == [f"round[1]: its last {moves - 9} moves, since the hands are unknown"]
    assert left_open(changed.report(changed.log({}))) == [UNMARKED]


def test_a_tribute_of_other_cards_is_one_fault() -> None:
    """What comes first is named: neither the clock's act nor a bot's choice is told beside it, but a mark is."""
    for table in (PEOPLE, Table((EASY,) * 4, policy=1)):
        match = recorded(table)
        number, move = next((number, one) for number, one in enumerate(match.moves) if one.tribute)
        assert isinstance(move.record, Exchange)
        dealt = hands_behind(match, move)
        worst = hand_cards(dealt)[: len(move.record.cards)]
        frame = list(match.frame)
        frame[move.at] = Exchange(move.record.giver, move.record.receiver, worst)
        changed = match._replace(frame=tuple(frame))
        assert (Code.TRIBUTE, move.place) == changed.faults(changed.log({}))[0]
        for timing, more in ((UNTIMED, []), (Timing(None, 0), []), (QUICK, [(MARK, move.place)])):
            found = changed.faults(changed.log({number: timing}))
            assert [one for one in found if one[1] == move.place] == [(Code.TRIBUTE, move.place), *more]


def hands_behind(match: Recorded, move: Move) -> bytearray:
    """Return the hand that was dealt to the giver of the first tribute in the second round."""
    deal = [one for one in match.frame if isinstance(one, Deal)][1]
    mixed = transcript(match.tree.terms, match.tree.commitment(), [b""] * 4)
    order = [(deal.first + seat) % 4 for seat in range(4)]
    return count_hand(hands_of_round(match.tree.seeds[1], mixed, 2, order, 1, 0)[move.seat])


# --- bots


BOTS: Final = {
    "all levels": Table((HUMAN, EASY, MEDIUM, HARD), policy=1),
    "bots alone": Table((HARD, EASY, HARD, MEDIUM), policy=1),
    "who loses the connection": Table(
        policy=1,
        events=(
            (7, SeatEvent(0, GONE, HARD)),
            (20, SeatEvent(2, GONE, EASY)),
            (31, SeatEvent(0, BACK, HUMAN)),
            (40, SeatEvent(1, LEFT, MEDIUM)),
            (44, SeatEvent(2, LEFT, EASY)),
        ),
    ),
    "two packs": Table((EASY, MEDIUM, HARD, HUMAN, EASY, HARD), policy=1, rounds=1),
    "jokers": Table(
        (EASY, HARD, MEDIUM, HUMAN),
        policy=1,
        changes=(("jokers_per_pack", 2), ("joker", "wild"), ("revolution", "round")),
    ),
}


@pytest.mark.parametrize("name", BOTS)
def test_bots_that_follow_their_policy_are_verified(name: str) -> None:
    """By the terms and after events, in exchange and play; the same match is verified where nothing is claimed."""
    match = recorded(BOTS[name])
    assert sum(move.by_policy is True for move in match.moves) > 12
    assert match.report(match.log({})).verdict is Verdict.VERIFIED
    assert match.report(match.log(quick(match), [(at, one, QUICK) for at, one, _ in match.events])).findings == ()


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("half", [0, 1])
def test_every_other_choice_of_a_bot_is_found(name: str, half: int) -> None:
    """Each move of a bot in turn is another lawful one, from which the bots play on: exactly that one is found."""
    table, match, tried = BOTS[name], recorded(BOTS[name]), 0
    for number, move in list(enumerate(match.moves))[half::2]:
        if move.by_policy and move.others:
            swapped = recorded_once(table, number, (7 * number) % len(move.others))
            assert swapped.moves[number].place == move.place
            assert [one.by_policy for one in swapped.moves].count(False) == 1
            assert swapped.faults(swapped.log({})) == [(BOT_CHOICE, move.place)]
            tried += 1
    assert tried > 5


def recorded_once(table: Table, number: int, other: int) -> Recorded:
    """Return the match of a table in which one move is another lawful one."""
    return Recorder(table, {number: other}).play()


@pytest.mark.parametrize("name", BOTS)
def test_choices_that_are_not_claimed_are_not_judged(name: str) -> None:
    """Under bot policy 0 the bots may do whatever is lawful."""
    table = BOTS[name]._replace(policy=0)
    match = recorded(table)
    for number, move in list(enumerate(match.moves))[::7]:
        if move.by_policy and move.others:
            swapped = recorded_once(table, number, number % len(move.others))
            assert swapped.report(swapped.log({})).verdict is Verdict.VERIFIED


@pytest.mark.parametrize("name", ["all levels", "who loses the connection"])
def test_each_decision_draws_from_its_own_block(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The block of a seat's k-th decision of the round, gifts among them, and what a person decided there before."""
    match = recorded(BOTS[name])
    mixed = transcript(match.tree.terms, match.tree.commitment(), [b""] * 4)
    due = []
    for number, seed in enumerate(match.tree.seeds, 1):
        made = [0] * 4
        for move in match.moves:
            if move.place.startswith(f"round[{number}]"):
                start = 16 * made[move.seat]
                block = bot_stream(seed, mixed, number, move.seat)[start : start + 16]
                due += [block] if move.by_policy and not move.tribute else []
                made[move.seat] += 1
    drawn: list[bytes] = []

    def action(level: SeatKind, seen: Seen, block: bytes) -> Action:
        drawn.append(block)
        return choose_action(level, seen, block)

    def gift(level: SeatKind, hand: bytes | bytearray, size: int, block: bytes) -> bytes:
        drawn.append(block)
        return choose_return(level, hand, size, block)

    monkeypatch.setattr("fairdeal.control.choose_action", action)
    monkeypatch.setattr("fairdeal.control.choose_return", gift)
    assert match.faults(match.log({})) == []
    assert drawn == due


def test_an_event_decides_whose_choice_a_move_is() -> None:
    """Without it a bot's move is a person's, which is free; with it a person's move has to be the bot's."""
    match = recorded(BOTS["who loses the connection"])
    people = recorded(Table(policy=1))
    found = people.faults(people.log({}, [(people.moves[0].at, SeatEvent(0, GONE, EASY), UNTIMED)]))
    assert found
    assert all(code is BOT_CHOICE for code, _ in found)
    own = {move.place for move in people.moves if move.seat == 0}
    assert {place for _, place in found} <= own
    lost = match._replace(events=match.events[2:])
    wrong = lost.faults(lost.log({}))
    assert (SEAT, "round[1].event[1]") in wrong


def test_a_bot_of_no_stated_level_is_found_in_the_terms_and_its_moves_stay_free() -> None:
    """The terms contradict themselves; what that seat does cannot be held against a policy, and nothing crashes."""
    for kinds in ((HUMAN, BOT, EASY, HUMAN), (BOT,) * 4):
        match = recorded(Table(kinds, policy=1))
        found = match.faults(match.log(quick(match)))
        assert [one for one in found if one[0] is not Code.TERMS] == []
        assert len(found) == kinds.count(BOT)
        acted = {
            number: Timing(LIMIT, move.seat)
            for number, move in enumerate(match.moves)
            if move.seat == 1 and move.by_clock
        }
        acted = {number: one for number, one in acted.items() if isinstance(match.moves[number].record, Actions)}
        assert match.faults(match.log(quick(match) | acted)) == found


# --- hostile logs


@pytest.mark.parametrize("form", ["cc80ff", "cd0100ff", "f7ff", "cc80f7ff", "ffcc80ff", "ce00010000ff"])
def test_marks_without_end_are_a_fault_and_no_burden(form: str) -> None:
    """As many timed actions as rounds may have, all in vain: refuted at the first of each round, in little memory."""
    match = recorded(Table())
    deals = [one for one in match.frame if isinstance(one, Deal)]
    passes = bytes.fromhex(form) * (MAX_ROUND_ACTIONS // (2 if form.startswith("ff") else 1))
    data = encode_log(match.frame[:2]) + b"".join(encode_record(one) + passes for one in deals)
    tracemalloc.start()
    try:
        done = replay(Log(data), secret=match.secret)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    codes = {one.code for one in done.judge.findings}
    assert codes <= {
        Code.PASS_ON_LEAD,
        Code.TURN,
        Code.EXCHANGE_MISSING,
        Code.ROUND_END_MISSING,
        Code.UNFINISHED,
        Code.FIRST_CARD,
    }
    assert codes & {Code.PASS_ON_LEAD, Code.TURN}
    assert len(done.judge.findings) < 12
    assert peak < 12 * 2**20
