"""The page of a code as text."""

from __future__ import annotations

from textwrap import fill

from fairdeal.codes import INCOMPLETE, NO_VERDICT
from fairdeal.explain import Page
from fairdeal.render.lines import width
from fairdeal.render.text import WIDTH


def page_text(page: Page) -> str:
    """Return the page of one code: what it means, how it comes about, what to do."""
    effect = "refutes the log"
    if page.code in INCOMPLETE:
        effect = "leaves the audit incomplete"
    elif page.code in NO_VERDICT:
        effect = "there is no verdict"
    parts = [f"{page.code}: {page.title} ({effect})"]
    parts += [fill(text, width(WIDTH), break_on_hyphens=False) for text in (page.means, page.often, page.do)]
    return "\n\n".join(parts) + "\n"
