"""The vectors of bot policy 1: what bots of each level play and give, and the stream that they draw from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from fairdeal.bots import LEVELS, choose_action, choose_return
from fairdeal.cards import format_cards, fresh_cards, parse_cards
from fairdeal.commit import bot_stream
from fairdeal.draws import Draws
from fairdeal.exchange import best_cards
from fairdeal.hands import count_hand
from fairdeal.hashing import enc
from fairdeal.law import Law
from fairdeal.legal import legal_shapes
from fairdeal.limits import BOT_BLOCK_BYTES, BOT_STREAM_BYTES, HASH_BYTES, MAX_ROUNDS
from fairdeal.play import Round
from fairdeal.players import PLAYERS
from fairdeal.records import Action
from fairdeal.ruleset import Ruleset, load_preset, preset_names
from fairdeal.rulewire import rules_from_named, rules_named
from fairdeal.settings import Rules
from fairdeal.shuffle import shuffle
from fairdeal.texts import unhex
from fairdeal.vectors.envelope import Group, Stage, Test, draws_for, valid
from fairdeal.vectors.stages.cases import groups_of
from fairdeal.vectors.stages.scenes import action_of, action_text
from fairdeal.view import seen_by

INPUTS: Final = (
    *("rules", "seating", "hands", "leader", "first", "history"),
    *("hand", "size", "block"),
    *("seed", "transcript", "round", "seat", "listed"),
)
# what a case of `scenarios/bots-*.toml` gives; by this block level easy plays the second candidate
CASES: Final = {
    "seating": ...,
    "hands": ...,
    "leader": 0,
    "first": False,
    "history": [],
    "block": (1).to_bytes(BOT_BLOCK_BYTES, "big").hex(),
}
SMALL: Final = 12  # states of a table with few cards in the hands
WHOLE: Final = 4  # states with all cards dealt
BLOCKS: Final = BOT_STREAM_BYTES // BOT_BLOCK_BYTES
_HOUSES: Final[Mapping[str, Mapping[str, str | bool | int]]] = {
    "straights": {"straights": True},
    "straights-and-wild-jokers": {"straights": True, "jokers_per_pack": 2, "joker": "wild"},
    "straights-and-revolutions": {"straights": True, "revolution": "round"},
    "dropping": {"going_out": "drops", "jokers_per_pack": 2, "joker": "high"},
    "burning": {"equal_rank": "burn"},
    "one-two-beats-any": {"twos": "clear-and-one-beats-any", "jokers_per_pack": 2, "joker": "wild"},
    "wild-revolutions": {"revolution": "trick", "jokers_per_pack": 2, "joker": "wild", "equal_rank": "skip-if-unable"},
    "completing": {"completed_rank": "clear", "equal_rank": "skip", "pass": "locks"},
}


class _State(NamedTuple):
    """A state of play as tests give it: seating, leader, hands at the beginning, and what was played since."""

    seating: list[int]
    leader: int
    hands: list[str]
    history: list[Action]


def bots_stage() -> Stage:
    """Return the tests of bots: states of play with the choice of every level, gifts, and streams.

    Raises `ValueError` where the author of a case has level hard play something else.
    """
    header = [
        "Bot policy 1, in tests of three kinds. A state of play as in `play.json`, after `history` and before the next",
        "action, with the `block` that the seat on turn has for it: what a bot of each level plays, `easy`, `medium`",
        "and `hard`, written as actions are; most of these states are random, and those whose comment is a sentence",
        "are small and show what level hard weighs. A `hand`, the `size` of a gift and a block: the cards that each",
        "level gives back, and the `tribute`. A round's seed, its transcript, its number and a seat: HKDF's",
        "`streamInfo`, SHA-256 of the 2,048 bytes as `streamHash`, and of its `blocks` those `listed`, counted from 0.",
    ]
    tables = [(name, load_preset(name)) for name in preset_names()]
    tables += [(name, load_preset("president", {"name": name, **changes})) for name, changes in _HOUSES.items()]
    groups = [
        Group({"rules": rules_named(rules)}, list(_states(f"{name} {seats}", rules, seats)))
        for name, ruleset in tables
        for seats, rules in _sizes(ruleset)
    ]
    groups += groups_of("bots", CASES, recompute)
    return Stage("bots", header, groups=[*groups, Group({}, list(_gifts())), Group({}, list(_streams()))])


def _sizes(ruleset: Ruleset) -> Iterator[tuple[int, Rules]]:
    """Yield two numbers of seats and the rules for them: few, and for a preset also the most."""
    few = ruleset.min_seats + (ruleset.min_seats == 3)
    for seats in (few, ruleset.max_seats) if ruleset.template.name in preset_names() else (few,):
        yield seats, ruleset.resolve(seats)


def _states(label: str, rules: Rules, seats: int) -> Iterator[Test]:
    draws = draws_for(f"bots {label}")
    for number in range(SMALL + WHOLE):
        seating, leader, hands, history = _some_state(draws, rules, seats, small=number < SMALL)
        words = f"{label}: {'a few cards' if number < SMALL else 'all cards'}, {number + 1}"
        given: dict[str, Any] = {
            "seating": seating,
            "hands": hands,
            "leader": leader,
            "first": False,
            "history": [action_text(action) for action in history],
            "block": draws.take(BOT_BLOCK_BYTES).hex(),
        }
        yield valid(words, **given, **recompute({**given, "rules": rules_named(rules)}))


def _some_state(draws: Draws, rules: Rules, seats: int, *, small: bool) -> _State:
    """Return a state in which there is a choice; with hands of two to six cards where it is to be small."""
    seating = [*shuffle(bytes(range(seats)), draws.take(64))]
    while True:
        deck = shuffle(fresh_cards(rules.packs, rules.jokers_per_pack), draws.take(1_024))
        dealt = [bytes(sorted(deck[seat::seats])) for seat in range(seats)]
        if small:
            dealt = [bytes(sorted(deck[seat::seats][: 2 + draws.below(5)])) for seat in range(seats)]
        leader, history = draws.below(seats), list[Action]()
        state = Round(Law(rules), seating, [count_hand(hand) for hand in dealt], leader, first=False)
        choose = PLAYERS[draws.choose(sorted(PLAYERS))][0]
        for _ in range(draws.below(7 if small else 24)):
            if not state.over:
                history.append(choose(state, draws))
                state.apply(history[-1])
        if not state.over and len(legal_shapes(state)) > 1:
            return _State(seating, leader, [format_cards(hand) for hand in dealt], history)


def _gifts() -> Iterator[Test]:
    draws = draws_for("bots gifts")
    for number in range(24):
        deck = shuffle(fresh_cards(1 + number % 2, 2 * (number // 2 % 2)), draws.take(1_024))
        size = 1 + number % 3
        given: dict[str, Any] = {
            "hand": format_cards(sorted(deck[: size + draws.below(14)])),
            "size": size,
            "block": draws.take(BOT_BLOCK_BYTES).hex(),
        }
        yield valid(f"gift {number + 1}: {size} of {len(given['hand'].split())} cards", **given, **recompute(given))


def _streams() -> Iterator[Test]:
    draws = draws_for("bots streams")
    for number, seat in ((1, 0), (2, 7), (256, 3), (MAX_ROUNDS, 1)):
        given = {
            "seed": draws.take(HASH_BYTES).hex(),
            "transcript": draws.take(HASH_BYTES).hex(),
            "round": number,
            "seat": seat,
            "listed": [0, 1, BLOCKS // 2, BLOCKS - 1],
        }
        yield valid(f"the stream of seat {seat} in round {number}", **given, **recompute(given))


def recompute(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a test of this stage must state, computed from its inputs."""
    if "seed" in test:
        return _stream_of(test)
    block = unhex(test["block"])
    if "hand" in test:
        hand, size = count_hand(parse_cards(test["hand"])), test["size"]
        if not 1 <= size <= sum(hand):
            raise ValueError(f"{size} cards of a hand of {sum(hand)}")
        tribute = {"tribute": format_cards(best_cards(hand, size))}
        return tribute | {str(level): format_cards(choose_return(level, hand, size, block)) for level in LEVELS}
    hands = [count_hand(parse_cards(hand)) for hand in test["hands"]]
    if sorted(test["seating"]) != [*range(len(hands))]:
        raise ValueError("the seating does not have every seat once")
    state = Round(Law(rules_from_named(test["rules"])), test["seating"], hands, test["leader"], first=test["first"])
    for text in test["history"]:
        code = state.step(action_of(text))
        if code is not None:
            raise ValueError(f"the history has fault {code}")
    seen = seen_by(state, state.turn)
    return {str(level): action_text(choose_action(level, seen, block)) for level in LEVELS}


def _stream_of(test: Mapping[str, Any]) -> dict[str, Any]:
    number, seat = test["round"], test["seat"]
    stream = bot_stream(unhex(test["seed"]), unhex(test["transcript"]), number, seat)
    blocks = [stream[start : start + BOT_BLOCK_BYTES].hex() for start in range(0, len(stream), BOT_BLOCK_BYTES)]
    return {
        "streamInfo": enc("bot", number, seat).hex(),
        "streamHash": hashlib.sha256(stream).hexdigest(),
        "blocks": [blocks[index] for index in test["listed"]],
    }
