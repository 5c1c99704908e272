"""Which rules can be played: every clash of settings, found at once, in the order of the specification."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.limits import MAX_ROUNDS
from fairdeal.playable import conflicts
from fairdeal.ruleset import load_preset, preset_names
from fairdeal.settings import (
    ENUM_SETTINGS,
    FLAG_SETTINGS,
    CompletedRank,
    EqualRank,
    FirstLeader,
    Joker,
    LoneJoker,
    MatchEnd,
    Revolution,
    Rules,
    Ties,
    Twos,
)

PRESIDENT = load_preset("president").resolve(4)
HIGH: Mapping[str, Any] = {"joker": Joker.HIGH, "jokers_per_pack": 2}
WILD: Mapping[str, Any] = {"joker": Joker.WILD, "jokers_per_pack": 2}
UNSCORED: Mapping[str, Any] = {"points": (), "ties": Ties.NONE}
TARGET: Mapping[str, Any] = {"match_end": MatchEnd.TARGET, "end_at": 9}
ZERO: Mapping[str, Any] = {"match_end": MatchEnd.ZERO, "end_at": 0, "start_points": 9, "points": (1, 0, 0, -1)}
AS_TWO: Mapping[str, Any] = {**WILD, "lone_joker": LoneJoker.AS_TWO}
SIX: Mapping[str, Any] = {"points": (5, 4, 3, 2, 1, 0), "packs": 2}


def smallest_hand(t: Any) -> int:
    """Return how many cards the seat with the fewest is dealt, one card at a time around the table."""
    return min(len(range(seat, t.packs * (52 + t.jokers_per_pack), t.seats)) for seat in range(t.seats))


# --- every clash in plain sentences, in the order of SPEC, "Terms", and where that has none, beside its like
SENTENCES: Mapping[str, Callable[[Any], bool]] = {
    "vices exchange more cards than the top": lambda t: t.exchange_vice > t.exchange_top,
    "vices exchange among fewer than four seats": lambda t: t.seats == 3 and t.exchange_vice != 0,
    "more cards are exchanged than the smallest hand has": lambda t: t.exchange_top > smallest_hand(t),
    "`points` has not one figure per place": lambda t: len(t.points) not in (0, t.seats),
    "the match ends by points, but none are kept": lambda t: t.points == () and t.match_end in ("target", "zero"),
    "there are starting points, but none are kept": lambda t: t.points == () and t.start_points != 0,
    "`ties` is none exactly where `points` is": lambda t: (t.points == ()) != (t.ties == "none"),
    "`end_at` has no meaning for this match end": lambda t: t.match_end in ("zero", "open") and t.end_at > 0,
    "the match is over before it starts": lambda t: (
        (t.match_end == "rounds" and t.end_at < 1)
        or (t.match_end == "target" and t.end_at <= t.start_points)
        or (t.match_end == "zero" and t.start_points <= 0)
    ),
    "no seat can ever reach the end of the match": lambda t: (
        t.points != ()
        and (
            (t.match_end == "target" and not any(figure > 0 for figure in t.points))
            or (t.match_end == "zero" and not any(figure < 0 for figure in t.points))
        )
    ),
    "the match lasts longer than its maximum of rounds": lambda t: t.match_end == "rounds" and t.n < t.end_at,
    f"more than {MAX_ROUNDS} rounds": lambda t: t.n > 1000,
    "`joker` is none exactly where the pack has no jokers": lambda t: (
        (t.joker == "none" and t.jokers_per_pack > 0) or (t.joker != "none" and t.jokers_per_pack == 0)
    ),
    "a second pack for fewer than five seats deals hands no rulebook knows": lambda t: (
        t.packs > 1 and t.seats in (3, 4)
    ),
    "a pack has two jokers or none": lambda t: t.jokers_per_pack not in (0, 2),
    "a lone joker has a rule of its own, but the pack has no jokers": lambda t: (
        t.lone_joker in ("trump", "sweep", "as-two") and not t.jokers_per_pack
    ),
    "a lone joker counts as a 2, but jokers are above the 2s": lambda t: t.lone_joker == "as-two" and t.joker == "high",
    "a lone joker counts as a 2, but 2s have powers of their own": lambda t: (
        t.lone_joker == "as-two" and t.twos in ("clear", "clear-and-one-beats-any", "wild")
    ),
    "a lone joker counts as a 2, but a revolution moves the 2s": lambda t: (
        t.lone_joker == "as-two" and t.revolution in ("round", "trick")
    ),
    "straights are played, but a lone joker is not ordinary": lambda t: (
        t.straights and t.lone_joker in ("trump", "sweep", "as-two")
    ),
    "straights are played, but 2s are wild": lambda t: t.straights and t.twos == "wild",
    "equal ranks are played, but a lone joker sweeps or counts as a 2": lambda t: (
        t.equal_rank in ("skip", "skip-if-unable", "burn") and t.lone_joker in ("sweep", "as-two")
    ),
    "equal ranks are played, but 2s are wild": lambda t: (
        t.equal_rank in ("skip", "skip-if-unable", "burn") and t.twos == "wild"
    ),
    "a revolution is played, but 2s are wild": lambda t: t.revolution in ("round", "trick") and t.twos == "wild",
    "a rank completed by several plays clears, but two packs are played": lambda t: (
        t.completed_rank == "clear-if-several-plays" and t.packs == 2
    ),
    "the first play must hold the three of clubs, but its holder does not lead": lambda t: (
        t.first_play_3c and t.first_leader == "first-dealt"
    ),
}


# --- each alone


class Example(NamedTuple):
    """A change to `president` that has one clash and no other, and the hint that comes with it."""

    what: str
    hint: str
    changes: Mapping[str, Any]
    seats: int = 4
    rounds: int = 100


SPEC_ORDER = list(SENTENCES)
EXAMPLES = [
    Example(SPEC_ORDER[0], "lower `exchange_vice`", {"exchange_vice": 3}),
    Example(SPEC_ORDER[1], "raise `vices_from`", {"points": (2, 1, 0)}, seats=3),
    Example(SPEC_ORDER[2], "lower `exchange_top`", {"exchange_top": 14}),
    Example(SPEC_ORDER[2], "lower `exchange_top`", {"exchange_top": 18, **SIX}, seats=6),
    Example(SPEC_ORDER[3], "mend the row", {"points": (2, 1, 0)}),
    Example(SPEC_ORDER[4], "set `points`", {**UNSCORED, **TARGET}),
    Example(SPEC_ORDER[5], "set `points`", {**UNSCORED, "start_points": -1}),
    Example(SPEC_ORDER[6], "set `ties`", {"ties": Ties.NONE}),
    Example(SPEC_ORDER[6], "set `ties`", {"points": ()}),
    Example(SPEC_ORDER[7], "set `end_at` to 0", {"match_end": MatchEnd.OPEN}),
    Example(SPEC_ORDER[7], "set `end_at` to 0", {**ZERO, "end_at": 1}),
    Example(SPEC_ORDER[8], "raise `end_at`", {"end_at": 0}),
    Example(SPEC_ORDER[8], "raise `end_at`", {**TARGET, "start_points": 9}),
    Example(SPEC_ORDER[8], "raise `start_points`", {**ZERO, "start_points": 0}),
    Example(SPEC_ORDER[9], "give a place points to win", {**TARGET, "points": (0, -1, -2, -3)}),
    Example(SPEC_ORDER[9], "give a place points to lose", {**ZERO, "points": (3, 2, 1, 0)}),
    Example(SPEC_ORDER[10], "raise the maximum or lower `end_at`", {"end_at": 6}, rounds=5),
    Example(SPEC_ORDER[11], "lower the maximum of rounds", {}, rounds=MAX_ROUNDS + 1),
    Example(SPEC_ORDER[12], "set `joker`", {"jokers_per_pack": 2}),
    Example(SPEC_ORDER[12], "set `joker`", {"joker": Joker.HIGH}),
    Example(SPEC_ORDER[12], "set `joker`", {"joker": Joker.WILD}),
    Example(SPEC_ORDER[13], "raise `second_pack_from`", {"packs": 2}),
    Example(SPEC_ORDER[14], "set `jokers_per_pack`", {**HIGH, "jokers_per_pack": 1}),
    *(
        Example(SPEC_ORDER[15], "set `lone_joker` to ordinary", {"lone_joker": alone})
        for alone in LoneJoker
        if alone is not LoneJoker.ORDINARY
    ),
    Example(SPEC_ORDER[16], "set `joker` to wild", {**AS_TWO, "joker": Joker.HIGH}),
    *(
        Example(SPEC_ORDER[17], "set `twos` to ordinary", {**AS_TWO, "twos": twos})
        for twos in Twos
        if twos is not Twos.ORDINARY
    ),
    Example(SPEC_ORDER[18], "set `revolution` to none", {**AS_TWO, "revolution": Revolution.ROUND}),
    Example(SPEC_ORDER[18], "set `revolution` to none", {**AS_TWO, "revolution": Revolution.TRICK}),
    Example(SPEC_ORDER[19], "set `lone_joker` to ordinary", {**HIGH, "straights": True, "lone_joker": LoneJoker.TRUMP}),
    Example(SPEC_ORDER[19], "set `lone_joker` to ordinary", {**WILD, "straights": True, "lone_joker": LoneJoker.SWEEP}),
    Example(SPEC_ORDER[19], "set `lone_joker` to ordinary", {**AS_TWO, "straights": True}),
    Example(SPEC_ORDER[20], "set `straights` to false", {"straights": True, "twos": Twos.WILD}),
    *(
        Example(SPEC_ORDER[21], "set `equal_rank` to forbid", {**WILD, "lone_joker": alone, "equal_rank": equal})
        for alone in (LoneJoker.SWEEP, LoneJoker.AS_TWO)
        for equal in EqualRank
        if equal is not EqualRank.FORBID
    ),
    *(
        Example(SPEC_ORDER[22], "set `equal_rank` to forbid", {"twos": Twos.WILD, "equal_rank": equal})
        for equal in EqualRank
        if equal is not EqualRank.FORBID
    ),
    Example(SPEC_ORDER[23], "set `revolution` to none", {"twos": Twos.WILD, "revolution": Revolution.ROUND}),
    Example(SPEC_ORDER[23], "set `revolution` to none", {"twos": Twos.WILD, "revolution": Revolution.TRICK}),
    Example(
        SPEC_ORDER[24],
        "set `second_pack_from` to never",
        {**SIX, "completed_rank": CompletedRank.CLEAR_IF_SEVERAL_PLAYS},
        seats=6,
    ),
    Example(
        SPEC_ORDER[25], "set `first_leader` to 3c", {"first_play_3c": True, "first_leader": FirstLeader.FIRST_DEALT}
    ),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.what)
def test_every_clash_stands_alone(example: Example) -> None:
    """Each clash has rules that have it and no other, and a hint that fits the way it came about."""
    rules = replace(PRESIDENT, **example.changes)
    assert conflicts(rules, example.seats, example.rounds) == [(example.what, example.hint)]


def test_every_clash_has_an_example() -> None:
    """No clash is listed that no rules have."""
    assert list(dict.fromkeys(example.what for example in EXAMPLES)) == SPEC_ORDER


class Sound(NamedTuple):
    """A change to `president` that comes close to a clash and has none."""

    changes: Mapping[str, Any]
    seats: int = 4
    rounds: int = 100


SOUND: Mapping[str, Sound] = {
    "as many vice cards as top cards": Sound({"exchange_vice": 2}),
    "no exchange": Sound({"exchange_top": 0, "exchange_vice": 0}),
    "whole hands are exchanged": Sound({"exchange_top": 13}),
    "whole hands of two packs": Sound({**SIX, "exchange_top": 17}, seats=6),
    "no points": Sound(UNSCORED),
    "no points, open": Sound({**UNSCORED, "match_end": MatchEnd.OPEN, "end_at": 0}),
    "points, open": Sound({"match_end": MatchEnd.OPEN, "end_at": 0}),
    "a target": Sound({"match_end": MatchEnd.TARGET, "end_at": 1}),
    "a target for the first place alone": Sound({**TARGET, "points": (1, 0, 0, 0)}),
    "zero": Sound({**ZERO, "start_points": 1}),
    "as many rounds as allowed": Sound({"end_at": MAX_ROUNDS}, rounds=MAX_ROUNDS),
    "two packs for five seats": Sound({"packs": 2, "points": (4, 3, 2, 1, 0)}, seats=5),
    "high jokers": Sound(HIGH),
    "wild jokers": Sound(WILD),
    "a trump among wild jokers": Sound({**WILD, "lone_joker": LoneJoker.TRUMP}),
    "a sweep of high jokers": Sound({**HIGH, "lone_joker": LoneJoker.SWEEP}),
    "a joker as a 2": Sound(AS_TWO),
    "a trump and equal ranks": Sound({**HIGH, "lone_joker": LoneJoker.TRUMP, "equal_rank": EqualRank.BURN}),
    "a trump and a revolution": Sound({**HIGH, "lone_joker": LoneJoker.TRUMP, "revolution": Revolution.TRICK}),
    "a sweep and a revolution": Sound({**WILD, "lone_joker": LoneJoker.SWEEP, "revolution": Revolution.ROUND}),
    "a sweep and wild 2s": Sound({**WILD, "lone_joker": LoneJoker.SWEEP, "twos": Twos.WILD}),
    "straights and wild jokers": Sound({**WILD, "straights": True, "twos": Twos.CLEAR_AND_ONE_BEATS_ANY}),
    "a completed rank of two packs": Sound({**SIX, "completed_rank": CompletedRank.CLEAR}, seats=6),
    "several plays of one pack": Sound({"completed_rank": CompletedRank.CLEAR_IF_SEVERAL_PLAYS}),
    "an opening with 3c": Sound({"first_play_3c": True}),
    "any opening": Sound({"first_leader": FirstLeader.FIRST_DEALT}),
}


@pytest.mark.parametrize("example", SOUND.values(), ids=list(SOUND))
def test_neighbours_of_clashes_are_sound(example: Sound) -> None:
    """Rules one step short of a clash have none."""
    assert not conflicts(replace(PRESIDENT, **example.changes), example.seats, example.rounds)


# --- all together

# every value of what is a choice, and of the rest values around every border
NEAR: Mapping[str, Sequence[Any]] = {
    **{name: [*kind] for name, kind in ENUM_SETTINGS.items()},
    **dict.fromkeys(FLAG_SETTINGS, (False, True)),
    "packs": (1, 2),
    "jokers_per_pack": (0, 1, 2),
    "exchange_top": range(19),
    "exchange_vice": range(4),
    "points": [(), *((figure,) * places for figure in (-1, 0, 1) for places in range(3, 9)), (1, 0, 0, -1)],
    "start_points": range(-1, 10),
    "end_at": range(10),
    "turn_seconds": (0, 30),
}
N = st.sampled_from([1, 5, 6, 1000, 1001])


@st.composite
def tables(draw: st.DrawFn) -> tuple[Rules, int]:
    """Return a preset's rules at one of its tables, with anything from none to all of its settings changed."""
    preset = load_preset(draw(st.sampled_from(preset_names())))
    seats = draw(st.integers(preset.min_seats, preset.max_seats))
    few = st.lists(st.sampled_from(sorted(NEAR)), max_size=3, unique=True)
    changed = draw(st.one_of(few, few, st.just(sorted(NEAR))))
    return replace(preset.resolve(seats), **{name: draw(st.sampled_from(NEAR[name])) for name in changed}), seats


@settings(deadline=None, max_examples=600)
@given(tables(), N)
def test_exactly_the_clashes_that_hold(table: tuple[Rules, int], rounds: int) -> None:
    """Over any combination of settings, what is found is what the sentences say, in their order, each once."""
    rules, seats = table
    looked_at = SimpleNamespace(**asdict(rules), seats=seats, n=rounds)
    found = [what for what, _ in conflicts(rules, seats, rounds)]
    assert found == [what for what, holds in SENTENCES.items() if holds(looked_at)]


@settings(deadline=None, max_examples=300)
@given(tables(), N, st.data())
def test_unknown_settings_change_nothing(table: tuple[Rules, int], rounds: int, data: st.DataObject) -> None:
    """What is left when settings are unknown does not depend on them, and is part of all there is."""
    rules, seats = table
    unknown = data.draw(st.sets(st.sampled_from(sorted(NEAR)), min_size=1, max_size=4))
    other = replace(rules, **{name: data.draw(st.sampled_from(NEAR[name])) for name in sorted(unknown)})
    left = conflicts(rules, seats, rounds, unknown)
    assert left == conflicts(other, seats, rounds, unknown)
    everything = conflicts(rules, seats, rounds)
    assert [one for one in everything if one in left] == left


@settings(deadline=None, max_examples=200)
@given(tables(), st.integers(3, 8))
def test_an_unknown_number_of_seats_changes_nothing(table: tuple[Rules, int], other: int) -> None:
    """Without the number of seats, nothing is said that another number would change."""
    rules, seats = table
    assert conflicts(rules, seats, 5, ("seats",)) == conflicts(rules, other, 5, ("seats",))


def waits_for(example: Example) -> set[str]:
    """Return without which settings nothing is said of the clash of an example."""
    rules = replace(PRESIDENT, **example.changes)
    return {name for name in (*NEAR, "seats") if not conflicts(rules, example.seats, example.rounds, (name,))}


def needs(example: Example) -> set[str]:
    """Return for which settings another value, or another number of seats, ends the clash of an example."""
    rules = replace(PRESIDENT, **example.changes)
    tries = {
        name: [conflicts(replace(rules, **{name: value}), example.seats, example.rounds) for value in values]
        for name, values in NEAR.items()
    }
    tries["seats"] = [conflicts(rules, seats, example.rounds) for seats in range(3, 9)]
    return {name for name, ones in tries.items() if any(example.what not in dict(found) for found in ones)}


@pytest.mark.parametrize("what", [what for what in SENTENCES if "1000 rounds" not in what])
def test_a_clash_waits_for_what_it_needs(what: str) -> None:
    """A clash waits for exactly those settings of which, in one of its examples, another value would end it."""
    examples = [example for example in EXAMPLES if example.what == what]
    assert all(waits_for(example) >= needs(example) for example in examples)
    assert set().union(*map(waits_for, examples)) == set().union(*map(needs, examples))


def test_the_number_of_rounds_comes_from_the_end() -> None:
    """A file has no maximum of rounds but what `match_end` and `end_at` make it: without them nothing is said of it."""
    example = next(example for example in EXAMPLES if "1000 rounds" in example.what)
    assert waits_for(example) == {"match_end", "end_at"}


def test_all_clashes_of_one_table() -> None:
    """A table of many clashes is told all of them, in order."""
    rules = replace(
        PRESIDENT,
        **UNSCORED,
        **TARGET,
        packs=2,
        exchange_vice=3,
        start_points=10,
        lone_joker=LoneJoker.AS_TWO,
        twos=Twos.WILD,
        equal_rank=EqualRank.SKIP,
        revolution=Revolution.ROUND,
        completed_rank=CompletedRank.CLEAR_IF_SEVERAL_PLAYS,
        straights=True,
        first_play_3c=True,
        first_leader=FirstLeader.FIRST_DEALT,
    )
    found = [what for what, _ in conflicts(rules, 4, 100)]
    expected = (0, 4, 5, 8, 13, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25)
    assert found == [SPEC_ORDER[place] for place in expected]
