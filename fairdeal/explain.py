"""What every finding means, when it is met and what to do next: the pages behind `fairdeal explain CODE`.

The texts stand in `explain.toml`, one table a code. Each comes out as one paragraph without line breaks, so that a
terminal, a web page or a report can lay it out in its own width.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files

from fairdeal.codes import Code


@dataclass(frozen=True, slots=True)
class Page:
    """All there is to say on one kind of finding.

    `title` is a phrase in lower case without a final period; `means` says what was found, where its place points and
    what it proves, `often` why it is met, innocently or not, and `do` what to do next. Backticks mark literals.
    """

    code: Code
    title: str
    means: str
    often: str
    do: str


def pages() -> dict[Code, Page]:
    """Return the page of every code, in the order of the packaged file, which is that of `Code`."""
    tables = tomllib.loads(files("fairdeal").joinpath("explain.toml").read_text("utf-8"))
    return {Code(name): Page(Code(name), **texts) for name, texts in tables.items()}


def page(code: Code) -> Page:
    """Return the page of `code`; there is one for every code."""
    return pages()[code]
