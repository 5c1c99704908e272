"""How a line of a rulebook falls into sentences, so that anybody can number and hash them again.

The same rule stands in words in `fairdeal.sources` and at the top of every file in `fairdeal/rulebooks`.
"""

from __future__ import annotations

import re

ABBREVIATIONS = ("ex", "np")  # the only ones the four rulebooks write with a full stop

_LIST_NUMBER = re.compile(r"\s*[0-9]+\.\s+")
_END = re.compile(r"""(\w*)[.!?][)\]"'”’»]*\s+""")


def sentences(line: str) -> list[str]:
    """Return the sentences of one line in order, without the blanks, bullets and list number around them.

    A list number at the start is dropped; every bullet starts a new piece; and a piece ends after `.`, `!` or `?` (with
    the quotes and brackets that close there) where blanks and a capital letter or a digit follow, unless the word
    before it is one of `ABBREVIATIONS`.
    """
    number = _LIST_NUMBER.match(line)
    found: list[str] = []
    for part in line[number.end() if number else 0 :].split("•"):
        start = 0
        for end in _END.finditer(part):
            after = part[end.end() : end.end() + 1]
            if end[1] not in ABBREVIATIONS and (after.isupper() or after.isdecimal()):
                found.append(part[start : end.end()])
                start = end.end()
        found.append(part[start:])
    return [piece.strip() for piece in found if piece.strip()]
