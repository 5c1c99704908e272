"""The table that leads from each sentence of the rulebooks to the vectors that show it, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from fairdeal.sources import COMMON, Reading, Sentence, readings, rulebooks
from fairdeal.vectors.envelope import LICENCE, Test, tests_of

NAME: Final = "rulebooks"
WHOLE_STAGES: Final = {"common fair-deal": ("seeds", "deal", "ticket")}
"""Tags that every test of some stages shows."""

HEADER: Final = (
    "Where each rule comes from. `sentences` has every sentence of the four rulebooks by rulebook, line and number in",
    "the line, with the SHA-256 of its UTF-8, a paraphrase, whether it is an option, and either why it is no rule or",
    "the settings, common rules and readings that stand for it. `common` says what each common rule is, `readings`",
    "what was decided where the rulebooks leave something open, why, for which settings and presets, and from which",
    "sentences. `shown` leads from tags, as the tests have them in `shows`, to the tests: for each stage the `tcId`",
    "of those that are valid and of those that are invalid. A setting without a value in a sentence or a reading is",
    "every value of it that is not off. How a rulebook falls into sentences: lines count from 1. A list number at the",
    "start of a line is dropped, every bullet starts a new piece, and a piece ends after a full stop, exclamation or",
    "question mark, along with the quotes and brackets that close there, where blanks and a capital letter or digit",
    "follow, unless the word before the full stop is `ex` or `np`. Pieces are stripped, empty ones dropped.",
)


def shown_by(documents: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, dict[str, list[int]]]]:
    """Return for each tag, sorted, the numbers of the tests that show it: by result, then by stage.

    `documents` are vector files by the name of their stage.
    """
    shown: dict[str, dict[str, dict[str, list[int]]]] = {}
    for stage, document in documents.items():
        for test in tests_of(document):
            for tag in _tags(stage, test):
                results = shown.setdefault(tag, {"valid": {}, "invalid": {}})
                results[test["result"]].setdefault(stage, []).append(test["tcId"])
    return dict(sorted(shown.items()))


def _tags(stage: str, test: Test) -> Iterable[str]:
    yield from test.get("shows", ())
    yield from (tag for tag, stages in WHOLE_STAGES.items() if stage in stages)


def rulebooks_json(documents: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the table as the text of its file; `documents` are the vector files it leads to, by stage."""
    table = {
        "algorithm": f"fairdeal/v1 {NAME}",
        "licence": LICENCE,
        "header": list(HEADER),
        "common": dict(COMMON),
        "sentences": [_sentence(one) for sentences in rulebooks().values() for one in sentences],
        "readings": [_reading(one) for one in readings().values()],
        "shown": shown_by(documents),
    }
    return json.dumps(table, ensure_ascii=True, indent=1) + "\n"


def _sentence(one: Sentence) -> dict[str, Any]:
    entry = {"book": one.book, "line": one.line, "number": one.number, "sha256": one.sha256, "says": one.says}
    if one.no_rule is not None:
        return {**entry, "noRule": one.no_rule}
    lists = {"settings": list(one.settings), "common": list(one.common), "readings": list(one.readings)}
    return {**entry, "option": one.option, **lists}


def _reading(one: Reading) -> dict[str, Any]:
    return {
        "name": one.name,
        "says": one.says,
        "why": one.why,
        "settings": list(one.settings),
        "presets": list(one.presets),
        "from": list(one.origins),
    }
