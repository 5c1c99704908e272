"""The rules of a table in reading order, each with the sentences of the rulebooks and the readings behind it.

What is said and in which order stands in `meanings.toml`; where it comes from, in `fairdeal.sources`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from fairdeal.render.rules_origin import Table, common_origin, setting_origin, table_of
from fairdeal.render.rules_words import is_off, meaning, told
from fairdeal.ruleset import Ruleset
from fairdeal.sources import COMMON, Reading, Sentence, fits, readings

WITHOUT_EFFECT: Final = "without effect here"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a table: what it says, on account of which settings and common rules, and where that comes from.

    `chosen` is the reading that decided it where no rulebook did, the first of `readings` then; `note` says so where
    neither did. A rule that says nothing itself has readings only.
    """

    section: str
    says: str
    settings: tuple[str, ...]
    common: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    chosen: Reading | None
    note: str
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """All rules of a table in reading order; `unplayed` lists the settings that are off where they could be on."""

    table: Table
    rules: tuple[Rule, ...]
    unplayed: tuple[str, ...]


def sheet(ruleset: Ruleset) -> Sheet:
    """Return the rules of a ruleset, those without effect last."""
    table = table_of(ruleset)
    rules, idle, unplayed = [], [], []
    for section in told()["section"]:
        for texts in section["rule"]:
            key = texts.get("settings", [None])[0]
            holds = _hold(texts.get("needs", ()), table.settings)
            if key and is_off(key, table.settings):
                unplayed += [key] if holds else []
            elif holds:
                rules.append(_rule(section["title"], _says(texts, table.settings), texts, table))
            elif "idle" in texts:
                says = f"{_says(texts, table.settings).rstrip('.')}; {texts['idle']}."
                idle.append(_rule(WITHOUT_EFFECT, says, texts, table))
    return Sheet(table, (*rules, *idle), tuple(unplayed))


def _hold(tags: Sequence[str], table: Mapping[str, object]) -> bool:
    """Return whether for every setting that is tagged a tag fits."""
    keys = {tag.partition("=")[0] for tag in tags}
    return all(any(fits(tag, key, table[key]) for tag in tags) for key in keys)


def _says(texts: Mapping[str, Any], table: Mapping[str, Any]) -> str:
    if "text" in texts:
        return str(texts["text"])
    if "settings" in texts:
        return meaning(texts["settings"][0], table)
    return " ".join(f"{COMMON[rule][0].upper()}{COMMON[rule][1:]}." for rule in texts.get("common", ()))


def _rule(section: str, says: str, texts: Mapping[str, Any], table: Table) -> Rule:
    """Return one rule of the packaged texts with what applies of its readings, and with its sources."""
    common, settings = tuple(texts.get("common", ())), tuple(texts.get("settings", ()))
    # a second setting adds a figure to the first, where it has one
    origins = [setting_origin(key, table) for key in settings if key == settings[0] or table.settings[key]]
    chosen = next((one.chosen for one in origins if one.chosen), None)
    applying = [one for one in map(readings().get, texts.get("readings", ())) if one in table.readings]
    stated = [one.sentences for one in (*origins, *(common_origin(rule, table) for rule in common))]
    return Rule(
        section=section,
        says=says,
        settings=settings,
        common=common,
        sentences=table.in_order(chain.from_iterable(stated)),
        chosen=chosen,
        note="; ".join(dict.fromkeys(one.note for one in origins if one.note)),
        readings=tuple(sorted((one for one in applying if one), key=lambda one: one is not chosen)),
    )
