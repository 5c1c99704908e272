"""Cases written by hand for what is no single play: the exchange, the start of a round, the score, bots.

`scenarios/exchange-*.toml`, `table-*.toml`, `score-*.toml` and `bots-*.toml` say what must come out, as the scenes of
play do; making the vectors fails where engine and author differ. A case says what is given under the names of its
stage's inputs, or its table does for all of its cases; then `code` if the last of it is at fault, and what its author
says comes out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from typing import Any, Final, NamedTuple

from fairdeal.match import Match
from fairdeal.ruleset import load_preset
from fairdeal.rulewire import rules_named
from fairdeal.settings import Rules
from fairdeal.vectors.envelope import INVALID, VALID, Group, Test, invalid, valid

Recompute = Callable[[Mapping[str, Any]], dict[str, Any]]

FOLDER: Final = "scenarios"


class Case(NamedTuple):
    """One case: what it shows in words and by tags, what is given, its fault or None, and what its author states.

    Cases of bots have no tags: no sentence of a rulebook says how a bot plays.
    """

    rules: Rules
    says: str
    shows: tuple[str, ...]
    given: Mapping[str, Any]
    code: str | None
    then: Mapping[str, Any]


def groups_of(stage: str, inputs: Mapping[str, Any], recompute: Recompute) -> list[Group]:
    """Return the tests of all cases of a stage, cases of the same rules together, file by file in order of name.

    `inputs` names what is given, each with the value it has where a case says nothing. Raises `ValueError` where
    `recompute` and a case's author differ.
    """
    return [
        Group({"rules": rules_named(rules)}, [_test(case, recompute) for case in group])
        for rules, group in groupby(cases(stage, inputs), key=lambda case: case.rules)
    ]


def cases(stage: str, inputs: Mapping[str, Any]) -> Iterator[Case]:
    """Yield the cases of a stage; a default that is `Ellipsis` has to be given."""
    folder = files("fairdeal.vectors").joinpath(FOLDER)
    for name in sorted(entry.name for entry in folder.iterdir() if entry.name.startswith(f"{stage}-")):
        for table in tomllib.loads(folder.joinpath(name).read_text("utf-8"))["table"]:
            ruleset = load_preset(table["preset"], table.get("set", {}))
            rules = ruleset.resolve(table["seats"])
            defaults = {"maximum": ruleset.default_rounds(), **table}
            for entry in table["case"]:
                rest = dict(entry)
                says, shows, code = rest.pop("says"), tuple(rest.pop("shows", ())), rest.pop("code", None)
                given = {key: rest.pop(key, defaults.get(key, value)) for key, value in inputs.items()}
                if ... in given.values():
                    raise ValueError(f"case `{says}` does not say all that it has to")
                yield Case(rules, says, shows, given, code, rest)


def _test(case: Case, recompute: Recompute) -> Test:
    try:
        found = {"result": VALID, **recompute({**case.given, "rules": rules_named(case.rules)})}
    except ValueError as fault:
        raise ValueError(f"case `{case.says}`: {fault}") from fault
    if found.get("code") != case.code:
        raise ValueError(f"case `{case.says}`: {found.get('code', 'lawful')} instead of {case.code or 'lawful'}")
    for key, value in case.then.items():
        if found[key] != value:
            raise ValueError(f"case `{case.says}`: {key} is {found[key]} instead of {value}")
    given = {"shows": list(case.shows), **case.given} if case.shows else case.given
    if found.pop("result") == INVALID:
        return invalid(case.says, **found, **given)
    return valid(case.says, **given, **found)


def match_after(rules: Rules, seats: int, rounds: Sequence[Sequence[int]], maximum: int) -> Match:
    """Return the match after rounds that finished in these orders; raises `ValueError` where it was over before."""
    match = Match(rules, seats, maximum)
    for order in rounds:
        if sorted(order) != list(range(seats)):
            raise ValueError(f"{order} does not have every seat once")
        if match.over():
            raise ValueError(f"the match was over after {match.ended} rounds")
        places = match.places(order)
        match.end_round(places, match.points(places))
    return match


def refused(code: str, place: str) -> dict[str, Any]:
    """Return what a test states whose last input is at fault."""
    return {"result": INVALID, "code": code, "place": place}
