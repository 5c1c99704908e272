"""Where each rule comes from: the sentences of the four rulebooks, and the readings that decide what they leave open.

`rulebooks/*.toml` has an entry for every sentence of a rulebook: its place, its hash, a paraphrase of our own and what
it constrains. `readings.toml` has one for every decision. The rulebooks themselves are not part of this package; who
has one finds its sentences like this. Lines count from 1 and end at a line feed. A list number at the start of a line
(digits, a full stop, blanks) is dropped. Every bullet `•` starts a new piece. A piece ends after `.`, `!` or `?`, along
with the quotes and brackets that close there, where blanks and then a capital letter or a digit follow, unless the word
before the full stop is `ex` or `np`. Pieces are stripped of blanks, and empty ones are dropped; the rest count from 1
within their line, and the SHA-256 of a piece's UTF-8 identifies it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

PRESET_BOOKS: Final[Mapping[str, str]] = {
    "president": "president-en",
    "party": "president-en",
    "prezydent": "prezydent-pl",
    "le-president": "le-president-fr",
    "wild-twos": "rules-card-en",
    "wild-joker": "rules-card-en",
    "always-match": "rules-card-en",
}
"""The rulebook of each preset."""

COMMON: Final[Mapping[str, str]] = {
    "set": "cards played together are of one rank",
    "same-count": "a play has as many cards as the one it answers",
    "higher-rank": "a play is of a higher rank than the one it answers",
    "ranks": "the order is 3 4 5 6 7 8 9 10 J Q K A 2, jokers above",
    "suits": "suits decide nothing",
    "turns": "seats act in turn, clockwise",
    "lead": "on an empty pile any set may be played",
    "may-pass": "who does not lead may pass, able to play or not",
    "trick-end": "when all others have passed the pile goes, and the last to play leads",
    "goes-out": "who plays the last card is out and takes the next finishing place",
    "lead-passes-on": "if the one to lead is out, the next holder clockwise leads",
    "round-end": "when one holder is left, that seat is last and the round is over",
    "deal": "every card is dealt, singly and clockwise",
    "uneven-hands": "some hands may have a card more than others",
    "titles-by-place": "each finishing place has its title in the next round",
    "exchange-partners": "first and last place swap cards, and so do second and last but one",
    "first-round-no-exchange": "the exchange comes before every round but the first",
    "tribute": "the lower of two partners gives its best cards and has no choice",
    "return": "the higher of two partners gives back any cards it likes",
    "citizens-keep": "the places in the middle exchange nothing",
    "most-points": "the most points win the match",
    "seats": "bots may take seats, stand in for a lost connection, and keep the seat of one who left",
    "fair-deal": "the deal follows a seed that is fixed before it and revealed after the round",
}
"""The rules that hold at every table and are no setting, each in one line."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a rulebook. It has `no_rule`, why it constrains nothing, or else some of the three lists.

    `common` has keys of `COMMON`, `settings` tags as `fits` reads them and `readings` keys of `readings()`; `option`
    marks what a table may choose but does not play by itself.
    """

    book: str
    line: int
    number: int
    sha256: str
    says: str
    common: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    option: bool = False
    no_rule: str | None = None

    @property
    def place(self) -> str:
        """The rulebook, line and number, such as `prezydent-pl 28.2`."""
        return f"{self.book} {self.line}.{self.number}"


@dataclass(frozen=True, slots=True)
class Reading:
    """One decision: what is played, why it had to be decided, the tags it is about, and the sentences it comes from.

    `presets` are those for which it chose the value of a setting; without any it holds under every name. `origins` are
    places of sentences, none where all rulebooks are silent.
    """

    name: str
    says: str
    why: str
    settings: tuple[str, ...]
    presets: tuple[str, ...]
    origins: tuple[str, ...]

    def applies(self, table: Mapping[str, object], preset: str) -> bool:
        """Return whether it decides something for a ruleset of this name: for every key tagged, a tag of it fits."""
        if self.presets and preset not in self.presets:
            return False
        keys = {_split(tag)[0] for tag in self.settings}
        return all(any(fits(tag, key, table[key]) for tag in self.settings) for key in keys)


@cache
def rulebooks() -> Mapping[str, tuple[Sentence, ...]]:
    """Return all sentences of each rulebook, in their order, by the rulebook's name."""
    return {book: _sentences(book) for book in dict.fromkeys(PRESET_BOOKS.values())}


@cache
def readings() -> Mapping[str, Reading]:
    """Return every reading by its name, in the order of the packaged file."""
    return {
        name: Reading(name, one["says"], one["why"], tuple(one["settings"]), tuple(one["presets"]), tuple(one["from"]))
        for name, one in _toml("readings.toml").items()
    }


def readings_for(table: Mapping[str, object], preset: str) -> list[Reading]:
    """Return the readings that apply to a ruleset called `preset`; `table` is what `Ruleset.table` returns for it."""
    return [reading for reading in readings().values() if reading.applies(table, preset)]


def sentences_for(book: str, setting: str, value: object) -> list[Sentence]:
    """Return the sentences of a rulebook that give `setting` this value, in their order."""
    return [one for one in rulebooks()[book] if any(fits(tag, setting, value) for tag in one.settings)]


def origin_of(tag: str, preset: str) -> Sentence | None:
    """Return the sentence that best states a rule: in the preset's own rulebook if there, else in any; or None.

    `tag` is a key of `COMMON`, or a setting with its value such as `pass=locks`. Of several the best is the one with
    the fewest other rules, and of those the one we have most to say of: headings are short.
    """
    books = [PRESET_BOOKS[preset]] if preset in PRESET_BOOKS else []
    for book in (*books, *rulebooks()):
        found = [one for one in rulebooks()[book] if tag in (*one.common, *one.settings)]
        if found:
            return min(found, key=lambda one: (len(one.common) + len(one.settings), -len(one.says)))
    return None


def fits(tag: str, setting: str, value: object) -> bool:
    """Return whether a tag names this setting with this value.

    A tag is `key=value` or a key alone, which means any value that is not off: not 0, false, `none` or `never`.
    """
    key, wanted = _split(tag)
    if key != setting:
        return False
    return value not in (0, "none", "never") if wanted is None else wanted == written(setting, value)


def written(setting: str, value: object) -> str:
    """Return a setting's value as tags write it: `true`, `30`, `skip`; seats as `3-8`, other lists with commas.

    Points given by a table for each number of seats are written `by-place`.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "by-place"
    if isinstance(value, list | tuple):
        return ("-" if setting == "seats" else ",").join(map(str, value))
    return str(value)


def _split(tag: str) -> tuple[str, str | None]:
    key, equals, value = tag.partition("=")
    return key, value if equals else None


def _sentences(book: str) -> tuple[Sentence, ...]:
    return tuple(Sentence(book, **_listed(entry)) for entry in _toml("rulebooks", f"{book}.toml")["sentence"])


def _listed(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}


def _toml(*path: str) -> dict[str, Any]:
    return tomllib.loads(files("fairdeal").joinpath(*path).read_text("utf-8"))
