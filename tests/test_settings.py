"""Settings: the values of every setting, the index each has in a log, and titles by place."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from enum import StrEnum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.limits import MAX_EXCHANGE, MAX_POINTS, MAX_TURN_SECONDS
from fairdeal.ruleset import load_preset
from fairdeal.settings import (
    ENUM_SETTINGS,
    FLAG_SETTINGS,
    NUMBER_SETTINGS,
    TITLE_CLASSES,
    CompletedRank,
    Contributions,
    EqualRank,
    FirstCard,
    FirstLeader,
    GoingOut,
    Joker,
    LaterLeader,
    LoneJoker,
    MatchEnd,
    Passing,
    Revolution,
    Rules,
    SeatKind,
    Ties,
    Twos,
    title_class,
)

# the order is what a log stores: a value may be added at the end of its list, none may move
VALUES: dict[type[StrEnum], str] = {
    Joker: "none high wild",
    LoneJoker: "ordinary trump sweep as-two",
    Twos: "ordinary clear clear-and-one-beats-any wild",
    EqualRank: "forbid skip skip-if-unable burn",
    Passing: "open locks",
    CompletedRank: "ignore clear clear-if-several-plays",
    Revolution: "none round trick",
    GoingOut: "free drops",
    FirstLeader: "3c first-dealt",
    LaterLeader: "last president 3c",
    FirstCard: "first-place rotates left-of-last",
    MatchEnd: "rounds target zero open",
    Ties: "presidencies shared none",
    SeatKind: "human easy medium hard bot",
    Contributions: "none sealed",
}
FIELDS = (
    "name packs jokers_per_pack joker lone_joker twos equal_rank top_rank_matchable passing completed_rank revolution "
    "straights going_out first_leader first_play_3c later_leader first_card exchange_top exchange_vice reseat points "
    "start_points match_end end_at ties turn_seconds titles"
)
TITLES_BY_SEATS = {
    3: (0, 2, 4),
    4: (0, 1, 3, 4),
    5: (0, 1, 2, 3, 4),
    6: (0, 1, 2, 2, 3, 4),
    7: (0, 1, 2, 2, 2, 3, 4),
    8: (0, 1, 2, 2, 2, 2, 3, 4),
}


@pytest.mark.parametrize(("setting", "values"), VALUES.items(), ids=lambda part: getattr(part, "__name__", ""))
def test_values_and_their_indexes(setting: type[StrEnum], values: str) -> None:
    """A setting has exactly these values, in the order in which a log numbers them."""
    assert [str(value) for value in setting] == values.split()


def test_rules_keep_the_order_of_the_log() -> None:
    """The fields of the rules stand in the order in which terms store them."""
    assert [field.name for field in fields(Rules)] == FIELDS.split()


def test_every_rule_is_read_in_one_way() -> None:
    """Every field of the rules is a choice, a flag, a number within bounds, or the name, the points or the titles."""
    kinds = [*ENUM_SETTINGS, *FLAG_SETTINGS, *NUMBER_SETTINGS, "name", "points", "titles"]
    assert sorted(kinds) == sorted(FIELDS.split())
    assert set(ENUM_SETTINGS.values()) <= set(VALUES)
    assert NUMBER_SETTINGS == {
        "packs": (1, 2),
        "jokers_per_pack": (0, 2),
        "exchange_top": (0, MAX_EXCHANGE),
        "exchange_vice": (0, MAX_EXCHANGE),
        "start_points": (-MAX_POINTS, MAX_POINTS),
        "end_at": (0, MAX_POINTS),
        "turn_seconds": (0, MAX_TURN_SECONDS),
    }


@pytest.mark.parametrize("name", FIELDS.split())
def test_rules_cannot_change(name: str) -> None:
    """No rule can be changed once a table has its rules."""
    rules = load_preset("president").resolve(4)
    with pytest.raises(FrozenInstanceError):
        setattr(rules, name, getattr(rules, name))


@pytest.mark.parametrize(("seats", "classes"), TITLES_BY_SEATS.items())
def test_title_classes_by_seats(seats: int, classes: tuple[int, ...]) -> None:
    """Every finishing place has its title; three seats have no vices and the middle seat the middle title."""
    assert tuple(title_class(place, seats) for place in range(seats)) == classes


@settings(deadline=None)
@given(st.integers(3, 8))
def test_title_classes_mirror(seats: int) -> None:
    """Titles are symmetric: who stands as far from the end as another from the front has the mirrored title."""
    classes = [title_class(place, seats) for place in range(seats)]
    assert classes == sorted(classes)
    assert [len(TITLE_CLASSES) - 1 - one for one in reversed(classes)] == classes
