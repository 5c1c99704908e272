"""The scenes and cases behind the vectors: what their authors say, said again by other means.

Scenes of play are played by the second engine as well; of the exchange, the start of a round and the score it is told
once more what the rulebooks say, in as few words as can be. Scenes of bots tell other ways of weighing apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairdeal
from fairdeal import bots
from fairdeal.cards import format_cards, fresh_cards, parse_cards
from fairdeal.records import BIG_SET, PASS, STRAIGHT, Action, pass_action, set_action, straight_action
from fairdeal.ruleset import load_preset
from fairdeal.rulewire import rules_named
from fairdeal.settings import FirstCard, LaterLeader, MatchEnd, Rules, Ties, file_key
from fairdeal.sources import COMMON, fits, readings, written
from fairdeal.vectors.envelope import INVALID
from fairdeal.vectors.stages import bots as bots_stage
from fairdeal.vectors.stages import cases as cases_module
from fairdeal.vectors.stages import exchange as exchange_stage
from fairdeal.vectors.stages import perft as perft_stage
from fairdeal.vectors.stages import score as score_stage
from fairdeal.vectors.stages import table as table_stage
from fairdeal.vectors.stages.cases import Case, cases, groups_of, match_after
from fairdeal.vectors.stages.play import outcome_of, play_stage, recompute
from fairdeal.vectors.stages.scenes import Scene, action_of, action_text, scenes
from tests import second_engine_shapes as shapes
from tests.clients.planted import Planted, faults
from tests.second_engine import SecondRound

SCENES = scenes()
EXCHANGES = list(cases("exchange", exchange_stage.INPUTS))
TABLES = list(cases("table", table_stage.INPUTS))
SCORES = list(cases("score", score_stage.INPUTS))
BOTS = list(cases("bots", bots_stage.CASES))
CASES = [*EXCHANGES, *TABLES, *SCORES, *BOTS, *cases("perft", perft_stage.INPUTS)]
EVERYTHING: list[Scene | Case] = [*SCENES, *CASES]
# the faults that are in nothing but how level hard weighs what it could do
WEIGHINGS = [name for name, fault in faults().items() if {edit.module for edit in fault.edits} == {"tactics"}]
CLOSINGS = {None: "", "completed": "completed rank"}
KINDS = {PASS: shapes.PASS, STRAIGHT: shapes.STRAIGHT, BIG_SET: shapes.BIG_SET}

scene_of = pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.says)


# --- what scenes and cases say of themselves


def test_every_scene_is_one_of_its_own() -> None:
    """No two give the same under the same rules."""
    given = [str(scene._replace(says="", shows=(), then={}, code=None)) for scene in SCENES]
    given += [str(case._replace(says="", shows=(), then={}, code=None)) for case in CASES]
    assert [what for what, times in Counter(given).items() if times > 1] == []


@pytest.mark.parametrize("one", EVERYTHING, ids=lambda one: one.says)
def test_a_scene_shows_what_is_in_force(one: Scene | Case) -> None:
    """A tag of a setting has the value its rules have; a reading is about settings that have such a value."""
    table = {file_key(name): value for name, value in rules_named(one.rules).items() if name != "points"}
    for tag in one.shows:
        key, _, name = tag.partition(" ")
        if key == "common":
            assert name in COMMON
        elif key == "reading":
            about = {of.partition("=")[0] for of in readings()[name].settings} & table.keys()
            assert all(any(fits(of, key, table[key]) for of in readings()[name].settings) for key in about), tag
        else:
            key, equals, value = tag.partition("=")
            assert not equals or key not in table or value == written(key, table[key]), tag


def test_an_author_says_what_comes_out() -> None:
    """A lawful outcome is stated, apart from mere counts; an unlawful one by its code."""
    for one in EVERYTHING:
        counts = isinstance(one, Case) and "depth" in one.given
        assert one.then or one.code is not None or counts, one.says


# --- scenes of play


def second(scene: Scene) -> SecondRound:
    """Return the second engine's round before the action of a scene."""
    hands = [parse_cards(hand) for hand in scene.hands]
    state = SecondRound(scene.rules, scene.seating, hands, scene.leader, first_round=scene.first)
    for action in scene.history:
        state.apply(*event_of(action))
    return state


def event_of(action: Action) -> tuple[str, int, tuple[int, ...]]:
    """Return an action as the second engine takes it."""
    return KINDS.get(action.kind, shapes.SET), action.seat, tuple(action.cards)


@scene_of
def test_the_second_engine_plays_a_scene_alike(scene: Scene) -> None:
    """It finds the same fault, or the same state and, by brute force, all plays that a vector lists as lawful then."""
    state, event = second(scene), event_of(scene.action)
    assert state.fault(*event) == scene.code
    if scene.code is not None:
        return
    state.apply(*event)
    found = outcome_of(scene.before(), scene.action)
    legal = {event_of(action_of(text)) for text in found.pop("legal")}
    assert legal == {(kind, state.turn, tuple(cards)) for kind, cards in state.legal()}
    # until the round is over, the second engine has those that dropped among the finishers
    dropped = found.pop("dropped")
    found["finishing"] += [] if state.over else reversed(dropped)
    pile = state.pile()
    assert found == {
        "turn": state.turn,
        "trick": state.trick,
        "play": state.play,
        "count": 0 if pile is None else len(pile.cards),
        "order": "turned" if state.reversed else "natural",
        "skipped": -1 if state.skipped is None else state.skipped,
        "closing": CLOSINGS.get(state.closing, state.closing),
        "finishing": state.finishing,
        "over": state.over,
    }


@given(st.integers(0, 7), st.lists(st.integers(0, 53), min_size=1, max_size=12).map(bytes), st.booleans())
def test_actions_are_read_as_they_are_written(seat: int, cards: bytes, run: bool) -> None:
    action = straight_action(seat, cards) if run else set_action(seat, cards)
    assert action_of(action_text(action)) == action
    assert action_of(action_text(pass_action(seat))) == pass_action(seat)


def test_a_scene_that_does_not_come_out_so_is_refused() -> None:
    scene = next(one for one in SCENES if one.code is None and "turn" in one.then)
    for wrong in (
        scene._replace(code="turn"),
        scene._replace(then={"turn": 7}),
        scene._replace(history=(pass_action(scene.leader), *scene.history)),
    ):
        with pytest.raises(ValueError, match="scene `"):
            wrong.check()


def test_a_vector_of_play_with_an_unlawful_history_is_refused() -> None:
    stage = play_stage()
    test = {**stage.groups[0].shared, **stage.groups[0].tests[0], "history": ["0 -"]}
    with pytest.raises(ValueError, match="history has fault pass-on-lead"):
        recompute(test)


# --- the exchange


@pytest.mark.parametrize("case", EXCHANGES, ids=lambda case: case.says)
def test_an_exchange_moves_cards_and_loses_none(case: Case) -> None:
    """After lawful gifts the seats hold together what they held before, and each gift is with its receiver."""
    if case.code is not None:
        return
    found = exchange_stage.recompute({**case.given, "rules": rules_named(case.rules)})
    hands = [Counter(hand.split()) for hand in case.given["hands"]]
    for text in [*case.given["gifts"], *filter(None, [case.given["gift"]])]:
        gift = exchange_stage.gift_of(text)
        names = Counter(format_cards(gift.cards).split())
        hands[gift.giver] = hands[gift.giver] - names
        hands[gift.receiver] += names
    assert [Counter(hand.split()) for hand in found["after"]] == hands
    assert all(sorted(parse_cards(hand)) == list(parse_cards(hand)) for hand in found["after"])


@pytest.mark.parametrize("case", EXCHANGES, ids=lambda case: case.says)
def test_a_tribute_is_of_the_best_ranks(case: Case) -> None:
    """Where the first gift is lawful its ranks are the highest held, counted out rank by rank."""
    if case.code not in (None, "tribute") or not case.given["gift"] or case.given["gifts"]:
        return
    gift = exchange_stage.gift_of(case.given["gift"])
    held = sorted((face // 4 for face in parse_cards(case.given["hands"][gift.giver])), reverse=True)
    assert (sorted((face // 4 for face in gift.cards), reverse=True) == held[: len(gift.cards)]) == (case.code is None)


def test_gifts_are_written_as_headers_say() -> None:
    gift = exchange_stage.gift_of("2>0 Kc As")
    assert (gift.giver, gift.receiver, gift.cards) == (2, 0, parse_cards("Kc As"))


def test_gifts_at_fault_cannot_stand_before_another() -> None:
    case = EXCHANGES[0]
    test = {**case.given, "rules": rules_named(case.rules), "gifts": ["0>1 3c"]}
    with pytest.raises(ValueError, match="have a fault"):
        exchange_stage.recompute(test)


# --- the start of a round


@pytest.mark.parametrize("case", TABLES, ids=lambda case: case.says)
def test_a_round_starts_as_the_settings_say(case: Case) -> None:
    """Seating, first card, hands and leader, told from the settings alone."""
    rules, seats, rounds = case.rules, case.given["seats"], case.given["rounds"]
    last = rounds[-1] if rounds else None
    seating = last if rules.reseat and last else list(range(seats))
    place = {
        FirstCard.FIRST_PLACE: 0,
        FirstCard.ROTATES: len(rounds) % seats,
        FirstCard.LEFT_OF_LAST: (seating.index(last[-1]) + 1) % seats if last else 0,
    }[rules.first_card]
    assert (case.given["first"] == seating[place]) == (case.code != "first-card")
    if case.code is not None:
        return
    found = table_stage.recompute({**case.given, "rules": rules_named(rules)})
    dealing = [seating[(place + step) % seats] for step in range(seats)]
    assert (found["seating"], found["dealing"]) == (seating, dealing)
    deck = fresh_cards(rules.packs, rules.jokers_per_pack) if case.given["deck"] == "fresh" else None
    cards = format_cards(deck).split() if deck else case.given["deck"].split()
    assert [found["dealt"][seat].split() for seat in dealing] == [cards[place::seats] for place in range(seats)]
    holder = next((seat for seat in dealing if "3c" in found["hands"][seat].split()), None)
    if last is None:
        leader = holder if rules.first_leader == "3c" else dealing[0]
    else:
        leader = {LaterLeader.LAST: last[-1], LaterLeader.PRESIDENT: last[0]}.get(rules.later_leader, holder)
    assert found["leader"] == leader


def test_a_deck_has_no_cards_that_are_not_in_the_packs() -> None:
    case = TABLES[0]
    for deck in ("3c 3c 4c 5c", "3c 4c 5c X1"):
        with pytest.raises(ValueError, match="not in the packs"):
            table_stage.recompute({**case.given, "rules": rules_named(case.rules), "deck": deck})


def test_a_round_does_not_start_with_gifts_missing() -> None:
    case = next(one for one in TABLES if len(one.given["gifts"]) == 4)
    test = {**case.given, "rules": rules_named(case.rules), "gifts": case.given["gifts"][:3]}
    assert table_stage.recompute(test) == {"result": INVALID, "code": "exchange-missing", "place": "exchange[4]"}


# --- the score


def standings(rules: Rules, seats: int, rounds: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return what ranks each seat at the end, greater is better."""
    totals = [rules.start_points] * seats
    for order in rounds:
        for place, seat in enumerate(order):
            totals[seat] += rules.points[place] if rules.points else 0
    if rules.ties is not Ties.PRESIDENCIES or not rounds:
        return [(total,) for total in totals]
    first = Counter(order[0] for order in rounds)
    return [(totals[seat], first[seat], -list(rounds[-1]).index(seat)) for seat in range(seats)]


@pytest.mark.parametrize("case", SCORES, ids=lambda case: case.says)
def test_rounds_are_scored_as_the_settings_say(case: Case) -> None:
    """Totals, the end and final places, told from the settings alone."""
    rules, seats, rounds = case.rules, case.given["seats"], case.given["rounds"]
    found = score_stage.recompute({**case.given, "rules": rules_named(rules), "claim": {}})
    ranked = standings(rules, seats, rounds)
    totals = [one[0] for one in ranked]
    assert found["totals"] == totals
    better = [1 + sum(other > one for other in ranked) for one in ranked]
    assert found["finalPlaces"] == (better if rules.points else [])
    meets_end = {
        MatchEnd.ROUNDS: len(rounds) >= rules.end_at,
        MatchEnd.TARGET: any(total >= rules.end_at for total in totals),
        MatchEnd.ZERO: any(total <= 0 for total in totals),
        MatchEnd.OPEN: False,
    }
    reached = bool(rounds) and meets_end[rules.match_end]
    over = reached or len(rounds) >= case.given["maximum"]
    assert (found["reached"], found["over"]) == (reached, over)
    assert found["mayClose"] == (over or (rules.match_end is MatchEnd.OPEN and bool(rounds)))
    named = ["first", "second", *["middle"] * (seats - 4), "last but one", "last"] if seats > 3 else None
    names = dict(zip(("first", "second", "middle", "last but one", "last"), rules.titles, strict=True))
    if rounds:
        order = [names[one] for one in named or ("first", "middle", "last")]
        assert found["titles"] == [order[place - 1] for place in found["places"]]


def test_a_true_claim_is_no_fault() -> None:
    case = next(one for one in SCORES if one.given["rounds"] and one.rules.points)
    test: Mapping[str, Any] = {**case.given, "rules": rules_named(case.rules), "claim": {}}
    found = score_stage.recompute(test)
    for key in (*score_stage.AT_ROUND_END, *score_stage.AT_CLOSE):
        assert score_stage.recompute({**test, "claim": {key: found[key]}}) == found
        assert score_stage.recompute({**test, "claim": {key: []}})["result"] == INVALID


def test_rounds_after_the_end_or_of_other_seats_are_refused() -> None:
    rules = load_preset("president").resolve(4)
    assert match_after(rules, 4, [(0, 1, 2, 3)], 1).ended == 1
    with pytest.raises(ValueError, match="was over after 1 rounds"):
        match_after(rules, 4, [(0, 1, 2, 3)] * 2, 1)
    with pytest.raises(ValueError, match="every seat once"):
        match_after(rules, 4, [(0, 1, 2, 2)], 5)


# --- bots


def test_a_scene_of_bots_says_what_level_hard_plays() -> None:
    """It says that and nothing else, and there is a choice."""
    for case in BOTS:
        assert list(case.then) == ["hard"], case.says
        test = {**case.given, "rules": rules_named(case.rules)}
        assert len({bots_stage.recompute({**test, "block": f"{number:032x}"})["easy"] for number in range(2)}) == 2


@pytest.mark.parametrize("name", WEIGHINGS)
def test_another_weighing_plays_something_else_in_a_scene(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever misreads what level hard weighs fails in a scene, not only in some random state."""
    spec = Planted(faults()[name]).find_spec("fairdeal.tactics", fairdeal.__path__)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(bots, "Tactics", module.Tactics)
    with pytest.raises(ValueError, match="instead of"):
        groups_of("bots", bots_stage.CASES, bots_stage.recompute)


# --- cases that say too little or something else


@pytest.mark.parametrize(
    ("case", "wrong"),
    [
        ({"gift": "0>1 3c"}, "does not say all"),
        ({"hands": ["3c", "4c", "5c"]}, "does not say all"),
        ({"hands": ["3c", "4c", "5c"], "gift": "2>0 5c"}, "exchange-unexpected instead of lawful"),
        ({"hands": ["3c", "4c", "5c"], "gift": "", "code": "tribute"}, "lawful instead of tribute"),
        ({"hands": ["3c", "4c", "5c"], "gift": "", "due": ["2>0 1 best"]}, "due is .* instead of"),
    ],
)
def test_a_case_that_does_not_come_out_so_is_refused(
    case: Mapping[str, Any], wrong: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = 'table = [{ preset = "president", seats = 3, case = [{ says = "a", shows = [], %s }] }]'
    entries = ", ".join(f"{key} = {value!r}" for key, value in case.items())
    (tmp_path / cases_module.FOLDER).mkdir()
    (tmp_path / cases_module.FOLDER / "exchange-a.toml").write_text(table % entries, "utf-8")
    monkeypatch.setattr(cases_module, "files", lambda _: tmp_path)
    with pytest.raises(ValueError, match=wrong):
        groups_of("exchange", exchange_stage.INPUTS, exchange_stage.recompute)


@pytest.mark.parametrize(
    ("case", "wrong"),
    [
        ({"hard": "0 3c"}, "case `a`: hard is 0 Ac instead of 0 3c"),
        ({"history": ["1 4c"], "hard": "0 3c"}, "case `a`: the history has fault turn"),
        ({"seating": [0, 1, 1], "hard": "0 Ac"}, "case `a`: the seating does not have every seat once"),
    ],
)
def test_a_scene_of_bots_that_does_not_come_out_so_is_refused(
    case: Mapping[str, Any], wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = {"says": "a", "hands": ["3c Ac", "3d", "4c"], "seating": [0, 1, 2], **case}
    entries = ", ".join(f"{key} = {value!r}" for key, value in scene.items())
    (tmp_path / cases_module.FOLDER).mkdir()
    table = f'table = [{{ preset = "president", seats = 3, case = [{{ {entries} }}] }}]'
    (tmp_path / cases_module.FOLDER / "bots-a.toml").write_text(table, "utf-8")
    monkeypatch.setattr(cases_module, "files", lambda _: tmp_path)
    with pytest.raises(ValueError, match=wrong):
        groups_of("bots", bots_stage.CASES, bots_stage.recompute)
