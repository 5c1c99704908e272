"""HTML that is safe by the way it is built: every text is escaped, unless it is HTML that was built here already."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from fairdeal.html.assemble import escape

_STEERING: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # marks that turn the direction of writing
VOID: Final = frozenset({"br", "hr", "line", "path", "polyline"})  # elements that are written without an end


class Html(str):
    """Text that is HTML already; any other text is escaped where it is put into an element."""

    __slots__ = ()


def element(name: str, *children: object, **attributes: object) -> Html:
    """Return an element. Attributes that are None are left out; `class_` is `class`, other underscores are hyphens."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID:
        return Html(f"<{name}{written}/>")
    return Html(f"<{name}{written}>{joined(children)}</{name}>")


def joined(children: Iterable[object], between: str = "") -> Html:
    """Return texts and elements one behind the other, with a text between them."""
    return Html(escape(between).join(child if isinstance(child, Html) else escape(str(child)) for child in children))


def name_of(text: str) -> Html:
    """Return a name that somebody chose, set apart so that its direction of writing changes nothing around it."""
    return element("bdi", text)


def rows(entries: Iterable[tuple[object, object]]) -> Html:
    """Return a list of terms, each with what it stands for."""
    pairs = (joined((element("dt", term), element("dd", told))) for term, told in entries)
    return element("dl", *pairs, class_="facts")


def table(heads: Iterable[object], lines: Iterable[Iterable[object]], numbers: Iterable[int] = ()) -> Html:
    """Return a table that can be scrolled sideways; `numbers` are the columns of figures, aligned to the right."""
    right = frozenset(numbers)

    def cells(name: str, line: Iterable[object]) -> Html:
        scope = "col" if name == "th" else None
        made = (
            element(name, one, class_="number" if at in right else None, scope=scope) for at, one in enumerate(line)
        )
        return element("tr", *made)

    head = element("thead", cells("th", heads))
    body = element("tbody", *(cells("td", line) for line in lines))
    return element("div", element("table", head, body), class_="scroll")


def attribute_text(text: str) -> str:
    """Return a name for an attribute, where no element can set it apart: between the marks that do, without its own."""
    return f"\u2068{_STEERING.sub('', text)}\u2069"
