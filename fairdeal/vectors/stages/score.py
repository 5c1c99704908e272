"""The vectors of what a round leaves behind: places, titles, points, totals, the end of the match, final places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fairdeal.codes import Code
from fairdeal.match import Match
from fairdeal.rulewire import rules_from_named
from fairdeal.vectors.envelope import Stage
from fairdeal.vectors.stages.cases import groups_of, match_after, refused

INPUTS: Final = {"seats": ..., "maximum": ..., "rounds": [], "claim": {}}
# what a log may claim at the end of a round, and what at the close, with the code where it is wrong
AT_ROUND_END: Final = {
    "places": Code.PLACES,
    "classes": Code.TITLES,
    "titles": Code.TITLES,
    "points": Code.POINTS,
}
AT_CLOSE: Final = {"totals": Code.TOTALS, "finalPlaces": Code.FINAL_PLACES}


def score_stage() -> Stage:
    """Return the tests of what rounds leave behind; raises `ValueError` where engine and author differ."""
    header = [
        "The finishing orders of all `rounds` so far; `maximum` is N. Valid: by seat the `places` of the last of them,",
        "the title `classes` with their `titles` and the `points` for it, and `totals`; whether the match has",
        "`reached` its end, is `over`, and `mayClose` by rule; the `finalPlaces` if it closed now. What belongs to a",
        "round is empty before the first. Invalid: `claim` is what a log says next and is at fault, a value by the",
        "same names, or that the match closes by rule (`close`) or another round is dealt (`deal`); its place is the",
        "last round's end, the close, or that other round. In a valid test the claim, if there is one, is true.",
    ]
    return Stage("score", header, groups=groups_of("score", INPUTS, recompute))


def recompute(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a test of this stage must state, computed from its inputs."""
    rounds = test["rounds"]
    match = match_after(rules_from_named(test["rules"]), test["seats"], rounds, test["maximum"])
    found = standings(match)
    for what, value in test["claim"].items():
        match what:
            case "close" if not match.may_close():
                return refused(Code.CLOSE_EARLY, "close")
            case "deal" if match.over():
                return refused(Code.MATCH_OVER, f"round[{len(rounds) + 1}]")
            case "close" | "deal":
                pass
            case _ if found[what] == value:
                pass
            case _ if what in AT_ROUND_END:
                return refused(AT_ROUND_END[what], f"round[{len(rounds)}].end")
            case _:
                return refused(AT_CLOSE[what], "close")
    return found


def standings(match: Match) -> dict[str, Any]:
    """Return what a valid test states of a match between two rounds."""
    places = match.places(match.finishing) if match.finishing else ()
    classes = match.titles(places)
    return {
        "places": list(places),
        "classes": list(classes),
        "titles": [match.rules.titles[one] for one in classes],
        "points": list(match.points(places)) if places else [],
        "totals": list(match.totals),
        "reached": match.ended > 0 and match.reached(),
        "over": match.over(),
        "mayClose": match.may_close(),
        "finalPlaces": list(match.final_places()),
    }
