"""Faults in words: the rule with its sentence, the pile, the hand, and what would have been lawful."""

from __future__ import annotations

import re

import pytest

from fairdeal.cards import parse_cards
from fairdeal.codes import Code
from fairdeal.exchange import Exchanging, Swap
from fairdeal.hands import count_hand
from fairdeal.legal import legal_shapes
from fairdeal.records import PASS, Exchange
from fairdeal.sources import COMMON, rulebooks
from fairdeal.texts import quoted
from fairdeal.vectors.stages.scenes import Scene, action_of, scenes
from fairdeal.wording import SHOWN, action_reasons, describe_action, expected_action, expected_gift, gift_reasons

FAULTY = [scene for scene in scenes() if scene.code is not None]
PLACES = {one.place: one for book in rulebooks().values() for one in book}
LABELS = ["rule", "pile", "hand", "lawful"]


def labels(reasons: tuple[str, ...]) -> list[str]:
    """Return what each reason is, repeated ones once."""
    return list(dict.fromkeys(reason.partition(": ")[0] for reason in reasons))


def test_every_faulty_scene_is_explained() -> None:
    """Whatever the rules and the fault: what was expected, and the reasons in their order."""
    for scene in FAULTY:
        state, code = scene.before(), Code(str(scene.code))
        reasons = action_reasons(code, scene.action, state)
        assert expected_action(code, scene.action, state)
        assert describe_action(scene.action).startswith(f"seat {scene.action.seat} ")
        wanted = [label for label in LABELS if label in labels(reasons)]
        assert labels(reasons) == wanted
        assert ("lawful" in wanted) != state.over


def test_lawful_is_lawful() -> None:
    """What is listed as lawful has no fault, and what is left out is counted."""
    for scene in FAULTY:
        state = scene.before()
        if state.over:
            continue
        reasons = action_reasons(Code(str(scene.code)), scene.action, state)
        (text,) = (one.removeprefix("lawful: ") for one in reasons if one.startswith("lawful: "))
        listed, _, more = text.partition(" and ")
        shapes = legal_shapes(state)
        plays = listed.split(", ")
        assert len(plays) == min(len(shapes), SHOWN)
        assert more == (f"{len(shapes) - SHOWN} more" if len(shapes) > SHOWN else "")
        for words, action in zip(plays, shapes, strict=False):
            assert words == "pass" or parse_cards(words) == action.cards
            assert (words == "pass") == (action.kind == PASS)


def test_a_rule_is_cited_by_a_sentence_that_states_it() -> None:
    """Every place in brackets is a sentence of a rulebook that carries just this common rule or this value."""
    seen = set()
    for scene in FAULTY:
        for reason in action_reasons(Code(str(scene.code)), scene.action, scene.before()):
            if found := re.fullmatch(r"rule: (.*?) \(([\w-]+ \d+\.\d+)(?:: (.*))?\)", reason):
                what, place, says = found.groups()
                sentence = PLACES[place]
                names = [name for name, meaning in COMMON.items() if meaning == what]
                assert (names or [what])[0] in (*sentence.common, *sentence.settings)
                assert says in (None, sentence.says)
                seen.add(what)
    assert len(seen) > 12


def scene(says: str) -> Scene:
    """Return the scene of these words."""
    (found,) = (one for one in scenes() if one.says == says)
    return found


def test_where_something_may_be_played_nobody_is_told_to_pass() -> None:
    """What is expected never contradicts the list of what is lawful."""
    for one in FAULTY:
        state = one.before()
        if one.code == Code.TOO_LOW:
            text = expected_action(Code.TOO_LOW, one.action, state)
            assert text.startswith("a play that beats")
            assert ("matches" in text) == state.matchable(state.rank, state.count)
        if one.code == Code.COUNT:
            law = state.law
            any_number = law.joker_trumps or law.joker_sweeps or law.one_two_beats or law.wild_twos
            assert ("any number" in expected_action(Code.COUNT, one.action, state)) == any_number


@pytest.mark.parametrize(
    ("says", "reason"),
    [
        ("after a joker on four 2s the second joker is no answer", "rule: lone_joker=trump (prezydent-pl 26.1"),
        ("who could have played and passed does not come back to the same pile", "rule: pass=locks (prezydent-pl 28.2"),
        ("two 7s and a joker are no triple where jokers are high", "rule: joker=high"),
    ],
)
def test_the_rule_is_the_one_that_was_broken(says: str, reason: str) -> None:
    """Some findings by hand."""
    one = scene(says)
    assert any(line.startswith(reason) for line in action_reasons(Code(str(one.code)), one.action, one.before()))


def test_a_gift_is_explained_by_the_hand_it_came_from() -> None:
    """A tribute of other cards than the best names them, the rule and the hand."""
    hands = [count_hand(parse_cards("3c 4c")), count_hand(parse_cards("Ac Kd 5h"))]
    state = Exchanging(hands, [Swap(1, 0, 1, tribute=True)])
    gift = Exchange(1, 0, parse_cards("5h"))
    assert state.fault(gift) is Code.TRIBUTE
    assert expected_gift(Code.TRIBUTE, gift, state) == "the ranks of Ac"
    reasons = gift_reasons(Code.TRIBUTE, gift, state, "prezydent")
    assert reasons[0].startswith("rule: ")
    assert "prezydent-pl" in reasons[0]
    assert reasons[-1] == "hand: seat 1 holds 5h Kd Ac"


def test_an_action_after_the_end_has_no_hand_to_show() -> None:
    """Nobody is on turn then, and nothing is lawful."""
    one = next(one for one in FAULTY if one.code == Code.ROUND_OVER)
    reasons = action_reasons(Code.ROUND_OVER, action_of("0 -"), one.before())
    assert labels(reasons) == ["rule"]


def test_any_value_can_be_quoted() -> None:
    """A table a thousand levels deep, or a number of thousands of digits, is still only a short word in a message."""
    deep: dict[str, object] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    assert quoted(deep) == quoted(10**5_000) == "`a value too large to show`"
