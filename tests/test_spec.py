"""The tables of SPEC.md hold: presets and readings are those of the package, worked plays come out as written."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from fairdeal.cards import parse_cards
from fairdeal.codes import Code
from fairdeal.hands import count_hand
from fairdeal.law import NATURAL, Law
from fairdeal.play import Round
from fairdeal.ruleset import load_preset, preset_names
from fairdeal.sources import PRESET_BOOKS, readings
from fairdeal.vectors.stages.scenes import action_of, after

SPEC = (Path(__file__).parents[1] / "vectors" / "SPEC.md").read_text("utf-8")
CLOSINGS = {"2s": "twos"}


def rows(name: str) -> list[list[str]]:
    """Return the rows of a marked table below its head, each as its cells."""
    (text,) = re.findall(rf"<!-- {name} -->\n(.*?)\n<!-- /{name} -->", SPEC, re.DOTALL)
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in (lines[0], *lines[2:])]


def shown(value: Any) -> str:
    """Return a setting's value as the table of presets writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " … ".join(map(str, value)) if isinstance(value, list) else str(value)


def test_presets_are_those_of_the_package() -> None:
    """Every setting of every preset apart from names and titles, which stand in the text."""
    head, *settings = rows("presets")
    assert head[1:] == list(PRESET_BOOKS)
    assert set(head[1:]) == set(preset_names())
    loaded = {name: load_preset(name).table() for name in head[1:]}
    listed = {row[0].strip("`") for row in settings}
    assert listed | {"name", "titles"} == set(loaded["president"])
    for key, *values in settings:
        setting = key.strip("`")
        for name, value in zip(head[1:], values, strict=True):
            own = loaded[name][setting]
            written = " ".join(map(str, own)) if setting == "points" and isinstance(own, list) else shown(own)
            assert value.replace("−", "-").replace(",", "") == written.replace(",", ""), (name, setting)
    for name in head[1:]:
        for title in loaded[name]["titles"]:
            assert title in SPEC


def test_readings_are_those_of_the_package() -> None:
    """Name, text and sentences of every reading, in the order of the package."""
    _, *found = rows("readings")
    wanted = []
    for one in readings().values():
        places = [place.split(" ") for place in one.origins]
        books = groupby(places, key=lambda place: place[0])
        cited = ", ".join(" ".join([book, *(number for _, number in group)]) for book, group in books)
        wanted.append([f"`{one.name}`", one.says, cited or "–"])
    assert found == wanted


PLAYS = rows("plays")[1:]


def law_of(text: str) -> Law:
    """Return the rules a row names: a preset, then settings with their values."""
    preset, *changes = (part.strip() for part in text.split(","))
    settings: dict[str, Any] = dict(part.replace("`", "").split(" ") for part in changes)
    settings = {key: {"yes": True}.get(value, value) for key, value in settings.items()}
    if "joker" in settings:
        settings["jokers_per_pack"] = 2
    return Law(load_preset(preset.strip("`"), settings).resolve(4))


def deal_to(state: Round, play: str) -> str:
    """Give the seat on turn what it is about to play and a ten besides, unless these are its last cards."""
    words = play.rstrip("!")
    if words == "–":
        return f"{state.turn} -"
    cards = parse_cards(words.removeprefix("straight "))
    held = cards if play.endswith("!") else cards + parse_cards("Tc")
    state.hands[state.turn], state.sizes[state.turn] = count_hand(held), len(held)
    return f"{state.turn} {words}"


@pytest.mark.parametrize("row", PLAYS, ids=[" | ".join(row[:3]) for row in PLAYS])
def test_worked_plays_come_out_as_written(row: list[str]) -> None:
    """Each row is played as it stands, and every word of its result is looked at."""
    rules, before, play, result = row
    state = Round(law_of(rules), range(4), [count_hand(parse_cards("Tc")) for _ in range(4)], 0)
    for seat, cards in re.findall(r"\(seat (\d) holds (\w+)\)", before):
        state.hands[int(seat)] = count_hand(parse_cards(f"{cards} Tc"))
        state.sizes[int(seat)] = 2
    for one in [] if before == "lead" else re.sub(r" \(.*?\)", "", before).split(", "):
        action = action_of(deal_to(state, one))
        assert state.step(action) is None
    action = action_of(deal_to(state, play))
    code = state.fault(action)
    if result.startswith("`"):
        assert code == Code(result.strip("`"))
        return
    assert code is None
    turned = state.order
    state, seen = after(state, action)
    good, *parts = result.split("; ")
    assert good == "good"
    for part in parts:
        holds(part, state, seen, turned_before=turned is not NATURAL)
    assert bool(re.search("cleared|nobody left", result)) == bool(seen["closing"])
    assert ("skipped" in result) == (seen["skipped"] >= 0)


def holds(part: str, state: Round, seen: dict[str, Any], *, turned_before: bool) -> None:
    """Assert one part of a result."""
    if found := re.fullmatch(r"seat (\d) (to act|leads)", part):
        assert (seen["turn"], seen["count"] == 0) == (int(found[1]), found[2] == "leads")
    elif found := re.fullmatch(r"seat (\d) skipped", part):
        assert seen["skipped"] == int(found[1])
    elif found := re.fullmatch(r"pile cleared \((.*)\)", part):
        assert seen["closing"] == CLOSINGS.get(found[1], found[1])
    elif part == "nobody left to answer":
        assert seen["closing"] == "passes"
    elif part == "the order natural again":
        assert turned_before
        assert state.order is NATURAL
    else:
        assert part.startswith("round over, places ")
        assert [state.finishing.index(seat) + 1 for seat in range(4)] == [int(one) for one in re.findall(r"\d", part)]


def test_every_code_is_in_the_table_of_codes() -> None:
    """One row a code, with its place."""
    for code in Code:
        assert re.search(rf"^\| `{code}` \| [RI–] \|", SPEC, re.MULTILINE), code
