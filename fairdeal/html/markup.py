"""HTML that is safe by the way it is built: every text is escaped, unless it is HTML that was built here already."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from fairdeal.html.assemble import escape

_STEERING: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")  # marks that turn the direction of what follows them
VOID: Final = frozenset({"br", "hr", "line", "path", "polyline"})  # elements that are written without an end


class Html(str):
    """Text that is HTML already; any other text is escaped where it is put into an element."""

    __slots__ = ()


def element(name: str, *children: object, **attributes: object) -> Html:
    """Return an element. Attributes that are None are left out; `class_` is `class`, other underscores are hyphens."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(unsteered(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID:
        return Html(f"<{name}{written}/>")
    return Html(f"<{name}{written}>{joined(children)}</{name}>")


def joined(children: Iterable[object], between: str = "") -> Html:
    """Return texts and elements one behind the other, with a text between them."""
    return Html(
        escape(between).join(child if isinstance(child, Html) else escape(unsteered(str(child))) for child in children)
    )


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


def isolated(text: str) -> Html:
    """Return a name where no element can set it apart: between the marks that do."""
    return Html(f"\u2068{escape(unsteered(text))}\u2069")


def unsteered(text: str) -> str:
    """Return a text with its marks that turn the direction of writing as escapes; one left open reaches beyond it."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
