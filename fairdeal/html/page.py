"""The player's page: tickets and logs checked offline, in the browser, from one file (SPEC, "Verifying a ticket").

The protocol is in the parts `core-…`, the page in the parts `page-…`. From here the page gets nothing but words: what
the command line calls a finding, so that both say the same.
"""

from __future__ import annotations

from typing import Final

from fairdeal.explain import pages
from fairdeal.html.assemble import document, part
from fairdeal.html.lean import lean

TITLE: Final = "Check your cards - fairdeal"
STYLES: Final = ("base.css", "page.css")
CORE: Final = (
    "core-bytes.js",
    "core-hash.js",
    "core-deal.js",
    "core-pack.js",
    "core-ticket.js",
    "core-terms.js",
    "core-place.js",
    "core-log.js",
    "core-judge.js",
    "core-check.js",
    "core-evidence.js",
    "core-api.js",
)
OWN: Final = (
    "page-dom.js",
    "page-steps.js",
    "page-picker.js",
    "page-ticket.js",
    "page-match.js",
    "page-log.js",
    "page-start.js",
)


def page_html() -> str:
    """Return the player's page: one document that needs no other file and no network, the same one every time."""
    core = "".join(map(part, CORE))
    words = {"titles": {code: page.title for code, page in pages().items() if f"'{code}'" in core}}
    return lean(document(TITLE, "en", STYLES, (*CORE, *OWN), part("page.html"), words))
