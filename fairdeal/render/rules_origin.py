"""Where the rules of a table come from: its own rulebook first, then a reading of it, then any other rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

from fairdeal.ruleset import Ruleset, load_preset
from fairdeal.sources import PRESET_BOOKS, Reading, Sentence, readings_for, rulebooks, sentences_for, written

OWN_RULE: Final = "this table's own rule"


@dataclass(frozen=True)
class Table:
    """A ruleset as its sources see it: its settings, and the preset of its name or else the nearest.

    `changed` lists the settings in which it differs from that preset.
    """

    settings: Mapping[str, Any]
    preset: str
    changed: tuple[str, ...]

    @property
    def name(self) -> str:
        """The ruleset's own name."""
        return str(self.settings["name"])

    @property
    def book(self) -> str:
        """The rulebook of the preset."""
        return PRESET_BOOKS[self.preset]

    @cached_property
    def books(self) -> tuple[str, ...]:
        """All rulebooks, that of the preset in front."""
        return (self.book, *(book for book in rulebooks() if book != self.book))

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        """The readings that apply."""
        return tuple(readings_for(self.settings, self.name))

    def in_order(self, sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
        """Return sentences each once, those of its own rulebook in front."""
        found = {one.place: one for one in sentences}.values()
        return tuple(sorted(found, key=lambda one: (self.books.index(one.book), one.line, one.number)))


@dataclass(frozen=True, slots=True)
class Origin:
    """Where one rule comes from: sentences, else the reading that chose it, else a note that nothing says so."""

    sentences: tuple[Sentence, ...] = ()
    chosen: Reading | None = None
    note: str = ""


def table_of(ruleset: Ruleset) -> Table:
    """Return a ruleset with the preset of its name, or with the one that it shares most settings with."""
    settings = ruleset.table()
    named = [settings["name"]] if settings["name"] in PRESET_BOOKS else PRESET_BOOKS
    changed = {preset: _changed(settings, preset) for preset in named}
    nearest = min(changed, key=lambda preset: len(changed[preset]))
    return Table(settings, nearest, changed[nearest])


def _changed(settings: Mapping[str, object], preset: str) -> tuple[str, ...]:
    plain = _plain(preset)
    return tuple(key for key in settings if key != "name" and settings[key] != plain[key])


@cache
def _plain(preset: str) -> Mapping[str, object]:
    return load_preset(preset).table()


def common_origin(rule: str, table: Table) -> Origin:
    """Return the sentences that state a common rule: those of the first rulebook that has any."""
    found: list[Sentence] = []
    for book in table.books:
        found = found or [one for one in rulebooks()[book] if rule in one.common and not one.option]
    return Origin(tuple(found))


def setting_origin(key: str, table: Table) -> Origin:
    """Return what gives a setting its value here: of other rulebooks one that plays so before one that offers it.

    Where a preset has a value that nothing gives it, its rulebook is silent.
    """
    own = _given(table.book, key, table.settings[key])
    if own:
        return Origin(own)
    tag = f"{key}={written(key, table.settings[key])}"
    for reading in table.readings:
        if reading.presets and tag in reading.settings:
            return Origin(chosen=reading)
    others = [found for book in table.books[1:] if (found := _given(book, key, table.settings[key]))]
    if others:
        return Origin(min(others, key=lambda found: found[0].option))
    silent = table.name == table.preset and key not in table.changed
    return Origin(note=f"{table.book} is silent" if silent else OWN_RULE)


def _given(book: str, key: str, value: object) -> tuple[Sentence, ...]:
    """Return a rulebook's sentences that give a setting this value, those on options only if there are no others.

    A sentence that names the setting alone gives the value if it offers any, and titles if they are the book's own.
    """
    tag = f"{key}={written(key, value)}"
    free = key == "titles" and any(_plain(preset)[key] == value for preset, its in PRESET_BOOKS.items() if its == book)
    found = [one for one in sentences_for(book, key, value) if tag in one.settings or one.option or free]
    return tuple([one for one in found if not one.option] or found)


def origins_of(reading: Reading, table: Table) -> tuple[Sentence, ...]:
    """Return the sentences that a reading comes from: those of the table's own rulebook if there are any, else all."""
    found = sentences_at(reading.origins)
    return tuple([one for one in found if one.book == table.book] or found)


def sentences_at(places: Iterable[str]) -> list[Sentence]:
    """Return the sentences that have these places, such as `prezydent-pl 28.2`."""
    return [_by_place()[place] for place in places]


@cache
def _by_place() -> Mapping[str, Sentence]:
    return {one.place: one for book in rulebooks().values() for one in book}
