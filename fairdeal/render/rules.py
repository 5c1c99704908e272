"""A ruleset as people read it at a table: its rules in order, each with its source, and the readings it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Any, Final

from fairdeal.render.data import dumps
from fairdeal.render.lines import width
from fairdeal.render.rules_origin import Table, origins_of, sentences_at, table_of
from fairdeal.render.rules_sheet import Rule, sheet
from fairdeal.render.rules_words import listed, meaning, seats_words, title, told, value_words
from fairdeal.ruleset import Ruleset, load_preset
from fairdeal.sources import PRESET_BOOKS, Reading, Sentence
from fairdeal.texts import printable

WIDTH: Final = 100
MAX_LABEL: Final = 24
READING: Final = "†"
OPTION: Final = "*"
LEGEND: Final = (
    "In brackets is where a rule comes from: the rulebook, and the line and sentence in it, with an "
    f"{OPTION} where the rulebook only offers it. A {READING} marks a reading: it decides what the rulebooks leave "
    "open, and its brackets hold its name and the sentences in question."
)
_JOINED: Final = "\N{NO-BREAK SPACE}"  # stands for a blank at which no line may end


# --- the presets


def presets_text() -> str:
    """Return the presets, one to a line, with the seats they are for and where they come from."""
    return "".join(
        f"{name:<14}  {seats_words(load_preset(name).table())} seats  {told()['preset'][name]}\n"
        for name in PRESET_BOOKS
    )


def presets_json() -> str:
    """Return the same as JSON."""
    presets = [
        {"name": name, "seats": load_preset(name).table()["seats"], "book": book, "about": told()["preset"][name]}
        for name, book in PRESET_BOOKS.items()
    ]
    return dumps({"format": "fairdeal-presets/1", "presets": presets})


# --- one ruleset


def ruleset_text(ruleset: Ruleset, *, why: bool = False) -> str:
    """Return the rules of a ruleset; with `why` also what the sentences cited say, and the reasons for readings."""
    rules = sheet(ruleset)
    lines = [*_wrapped("", _heading(rules.table)), "", *_wrapped("", LEGEND)]
    for section, members in groupby(rules.rules, lambda rule: rule.section):
        told_rules = [line for rule in members for line in _rule_lines(rule, rules.table, why=why)]
        lines += ["", section, *told_rules] if told_rules else []
    if rules.unplayed:
        absent = ", ".join(told()["setting"][key]["unplayed"] for key in rules.unplayed)
        lines += ["", "not played", *_wrapped("  ", f"{absent[0].upper()}{absent[1:]}.", 2)]
    return "\n".join(lines) + "\n"


def _heading(table: Table) -> str:
    """Return what a ruleset is called, for how many seats it is, and what it has to do with a preset."""
    base = told()["book"][table.book]
    if table.name != table.preset:
        base = f"{'nearest to' if table.changed else 'the same as'} {table.preset}, {base}"
    changed = f"; changed: {', '.join(table.changed)}" if table.changed else ""
    return f"{printable(table.name)}: {seats_words(table.settings)} seats, {base}{changed}"


def _rule_lines(rule: Rule, table: Table, *, why: bool) -> Iterator[str]:
    """Yield a rule and its readings; the reading that chose it stands in its place."""
    shown: tuple[Sentence, ...] = ()
    depth = "  "
    if rule.says and not rule.chosen:
        yield from _with_source(depth, rule.says, _cited(rule.sentences, rule.note))
        if why:
            yield from _paraphrases(depth, rule.sentences)
        shown = rule.sentences
        depth = "    "
    for reading in rule.readings:
        sentences = origins_of(reading, table)
        cited = _cited(sentences, "" if sentences else "all rulebooks are silent")
        yield from _with_source(f"{depth}{READING} ", reading.says, f"{reading.name}: {cited}")
        if why:
            yield from _wrapped(f"{depth}  why: ", reading.why)
            yield from _paraphrases(depth, [one for one in sentences if one not in shown])
        shown += sentences
        depth = "    "


def _cited(sentences: Iterable[Sentence], note: str) -> str:
    """Return the places of sentences, each rulebook named once, and the note."""
    parts = []
    for book, members in groupby(sentences, lambda one: one.book):
        numbers = [f"{one.line}.{one.number}{OPTION if one.option else ''}" for one in members]
        parts.append(f"{book}{_JOINED}" + ", ".join(numbers))
    return "; ".join([*parts, note] if note else parts)


def _paraphrases(depth: str, sentences: Iterable[Sentence]) -> Iterator[str]:
    for one in sentences:
        yield from _wrapped(f"{depth}  {one.place}: ", one.says)


def _with_source(lead: str, text: str, source: str) -> list[str]:
    """Return `text` after `lead` and its source in brackets, behind it where there is room."""
    lines = _wrapped(lead, text)
    if len(lines[-1]) + len(source) + 3 <= width(WIDTH):
        return [*lines[:-1], f"{lines[-1]} [{source}]".replace(_JOINED, " ")]
    return lines + _wrapped(" " * (_depth(lead) + 2), f"[{source}]")


def _wrapped(lead: str, text: str, hang: int | None = None) -> list[str]:
    """Return `text` after `lead` in lines, of which the later ones stand two further in than a lead, or `hang`."""
    blank = " " * ((_depth(lead) + 2 if lead else 0) if hang is None else hang)
    lines = wrap(text, width(WIDTH), initial_indent=lead, subsequent_indent=blank, break_on_hyphens=False)
    return [line.replace(_JOINED, " ") for line in lines]


def _depth(lead: str) -> int:
    return len(lead) - len(lead.lstrip())


def ruleset_json(ruleset: Ruleset) -> str:
    """Return a ruleset as JSON: its settings as in a file, its rules, and all sentences and readings behind them."""
    rules = sheet(ruleset)
    applying = rules.table.readings
    places = {one.place for rule in rules.rules for one in rule.sentences}
    places |= {place for reading in applying for place in reading.origins}
    return dumps(
        {
            "format": "fairdeal-ruleset/2",
            "settings": rules.table.settings,
            "preset": {"name": rules.table.preset, "book": rules.table.book, "changed": rules.table.changed},
            "rules": [_rule_data(rule) for rule in rules.rules],
            "not_played": rules.unplayed,
            "sentences": [_sentence_data(one) for one in rules.table.in_order(sentences_at(places))],
            "readings": [
                {"name": one.name, "says": one.says, "why": one.why, "settings": one.settings, "from": one.origins}
                for one in applying
            ],
        }
    )


def _rule_data(rule: Rule) -> dict[str, Any]:
    return {
        "section": rule.section,
        "says": rule.says,
        "settings": rule.settings,
        "common": rule.common,
        "sentences": [one.place for one in rule.sentences],
        "note": rule.note,
        "readings": [one.name for one in rule.readings],
    }


def _sentence_data(one: Sentence) -> dict[str, Any]:
    return {"place": one.place} | {
        field: getattr(one, field) for field in ("book", "line", "number", "sha256", "says", "option")
    }


# --- two rulesets


def differences(one: Mapping[str, object], other: Mapping[str, object]) -> list[str]:
    """Return the settings in which two tables of settings differ, apart from the name."""
    return [key for key in one if key != "name" and one[key] != other[key]]


def difference_text(one: Ruleset, other: Ruleset, *, why: bool = False) -> str:
    """Return what two rulesets play differently, and by name the readings that only one of them needs.

    With `why` it is said what these readings decide, and why they have to.
    """
    tables = (table_of(one), table_of(other))
    labels = _labels(tables)
    differing = differences(tables[0].settings, tables[1].settings)
    if not differing:
        return "\n".join(_wrapped("", f"{listed(labels)}: no difference")) + "\n"
    lines = _wrapped("", f"{listed(labels)} play differently")
    for key in differing:
        lines += ["", title(key)]
        for label, table in zip(labels, tables, strict=True):
            lead = f"  {label:<{max(map(len, labels))}}  "
            lines += _wrapped(lead, _value_and_meaning(key, table.settings), len(lead))
    for label, apart in zip(labels, _readings_apart(tables), strict=True):
        if apart:
            lines += ["", *_wrapped("", f"readings that only {label} needs"), *_reading_lines(apart, why=why)]
    return "\n".join(lines) + "\n"


def _value_and_meaning(key: str, table: Mapping[str, object]) -> str:
    """Return a value and its sentence, or the sentence alone where the value is a list that it repeats."""
    means, value = meaning(key, table), table[key]
    return means if isinstance(value, list | Mapping) else f"{value_words(value)}: {means}"


def _reading_lines(apart: Iterable[Reading], *, why: bool) -> list[str]:
    if not why:
        return _wrapped("  ", ", ".join(reading.name for reading in apart), 2)
    told_why = ((_wrapped("  ", f"{one.name}: {one.says}"), _wrapped("    why: ", one.why)) for one in apart)
    return [line for says_and_why in told_why for lines in says_and_why for line in lines]


def _labels(tables: Sequence[Table]) -> list[str]:
    """Return what to call two rulesets so that they are told apart, cut where a name is very long."""
    names = [printable(table.name) for table in tables]
    names = [name if len(name) <= MAX_LABEL else f"{name[: MAX_LABEL - 1]}…" for name in names]
    return names if len(set(names)) == len(names) else [f"{names[0]} (first)", f"{names[1]} (second)"]


def _readings_apart(tables: Sequence[Table]) -> tuple[list[Reading], list[Reading]]:
    """Return the readings that apply to one of two rulesets only, none where they play the same."""
    one, other = tables
    if not differences(one.settings, other.settings):
        return [], []
    first = [reading for reading in one.readings if reading not in other.readings]
    return first, [reading for reading in other.readings if reading not in one.readings]


def difference_json(one: Ruleset, other: Ruleset) -> str:
    """Return the same as JSON: for each differing setting and for the readings, the one's and the other's."""
    tables = (table_of(one), table_of(other))
    return dumps(
        {
            "format": "fairdeal-difference/2",
            "rulesets": [table.name for table in tables],
            "settings": {
                key: {
                    "title": title(key),
                    "values": [table.settings[key] for table in tables],
                    "means": [meaning(key, table.settings) for table in tables],
                }
                for key in differences(tables[0].settings, tables[1].settings)
            },
            "readings": [[reading.name for reading in apart] for apart in _readings_apart(tables)],
        }
    )
