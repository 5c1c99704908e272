"""A document as it is sent: without the indentation and the comments that its parts are written with.

A player's page is passed from hand to hand, so its size counts; who wants to read it finds the parts in the source.
Names and lines stay as they are. Only whole comments at the beginning of a line go, so that nothing has to be
understood but where they end.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

KEPT: Final = (
    "// The core ends here."  # where the protocol ends and the page begins, for whoever takes the script apart
)
_HELD: Final = re.compile(r"<(style|script)>(.*?)</\1>", re.DOTALL)


def lean(document: str) -> str:
    """Return `document` with lean styles and scripts, and a policy that names them by their new hashes.

    Data, in a script element that has a type, stays as it is.
    """
    hashes: list[tuple[str, str]] = []

    def shorter(found: re.Match[str]) -> str:
        content = "\n".join(("", *_lines(found[2]), ""))
        hashes.append((_hash(found[2]), _hash(content)))
        return f"<{found[1]}>{content}</{found[1]}>"

    made = _HELD.sub(shorter, document)
    for old, new in hashes:
        made = made.replace(old, new, 1)
    return made


def _lines(content: str) -> Iterator[str]:
    """Yield the lines that do something, from their first sign on."""
    inside = False
    for line in map(str.strip, content.split("\n")):
        rest = line
        if inside or line.startswith("/*"):
            _, end, rest = line.partition("*/")
            inside = not end
            rest = rest.strip() if end else ""
        if rest == KEPT or (rest and not rest.startswith("//")):
            yield rest


def _hash(content: str) -> str:
    return b64encode(sha256(content.encode("utf-8")).digest()).decode("ascii")
