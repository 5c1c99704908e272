"""One document from parts: the policy names what is in it and nothing else, and no text can end what it stands in."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.html.assemble import DATA_ID, document, escape, part
from tests.strategies import some

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!--<script>",
    '"><b x="',
    "&amp;\u2028",
)
TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=30))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


class Elements(HTMLParser):
    """Collects the elements of a document, in the order in which they begin, with their attributes and texts."""

    def __init__(self, text: str) -> None:
        """Read a whole document."""
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), []))

    def handle_data(self, data: str) -> None:
        if self.found:
            self.found[-1][2].append(data)

    def texts(self, tag: str) -> list[str]:
        """Return the texts of all elements of a kind."""
        return ["".join(texts) for name, _, texts in self.found if name == tag]

    def names(self) -> list[str]:
        """Return the names of all elements."""
        return [name for name, _, _ in self.found]


def made(**changes: Any) -> str:
    """Return a small document with some of its texts changed."""
    settings = {"title": "A title", "language": "en", "body": "<p>A body.</p>", "data": None} | changes
    return document(
        settings["title"], settings["language"], ("base.css",), ("replay-state.js",), settings["body"], settings["data"]
    )


def policy_of(text: str) -> dict[str, str]:
    """Return the directives of a document's policy."""
    tags = [attrs for name, attrs, _ in Elements(text).found if name == "meta"]
    policy = next(one["content"] for one in tags if one.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    return dict(directive.split(" ", 1) for directive in policy.split("; "))


def hashed(content: str) -> str:
    """Return how a policy names a content."""
    return f"'sha256-{b64encode(sha256(content.encode('utf-8')).digest()).decode('ascii')}'"


def test_the_policy_starts_from_nothing_and_names_the_parts_by_their_hashes() -> None:
    """A browser runs what has these hashes; anything that came in with a text has another."""
    text = made()
    style = re.search("<style>(.*?)</style>", text, re.DOTALL)
    script = re.search("<script>(.*?)</script>", text, re.DOTALL)
    assert style is not None
    assert script is not None
    assert policy_of(text) == {
        "default-src": "'none'",
        "script-src": hashed(script[1]),
        "style-src": hashed(style[1]),
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_parts_stand_in_the_order_given() -> None:
    """Later parts may use what earlier ones define."""
    text = document("t", "en", ("base.css", "report.css"), ("replay-state.js", "replay.js"), "")
    first, second = part("replay-state.js"), part("replay.js")
    assert 0 < text.index(part("base.css")) < text.index(part("report.css")) < text.index(first) < text.index(second)


def test_without_data_there_is_no_element_for_it() -> None:
    """A document whose scripts need nothing is handed nothing."""
    assert f'id="{DATA_ID}"' not in made()
    assert f'id="{DATA_ID}"' in made(data={})


@some
@given(VALUES)
def test_data_comes_out_as_it_went_in_and_ends_no_element(data: object) -> None:
    """Whatever a log says, a reader of the document finds it in the data and nowhere else."""
    held = {"held": data}
    elements = Elements(made(data=held))
    assert json.loads(elements.texts("script")[0]) == held
    assert elements.names() == Elements(made(data={})).names()


@some
@given(TEXTS, TEXTS)
def test_title_and_language_are_texts(title: str, language: str) -> None:
    """They add no element and no attribute."""
    elements = Elements(made(title=title, language=language))
    assert elements.names() == Elements(made()).names()
    html = next(attrs for name, attrs, _ in elements.found if name == "html")
    assert list(html) == ["lang"]


@some
@given(TEXTS)
def test_an_escaped_text_is_read_as_it_was(text: str) -> None:
    """As an element's text and as an attribute's value."""
    plain = text.replace("\r", "").replace("\0", "")
    elements = Elements(f'<p title="{escape(plain)}">{escape(plain)}</p>')
    ((name, attributes, texts),) = elements.found
    assert (name, attributes, "".join(texts)) == ("p", {"title": plain}, plain)


@pytest.mark.parametrize("name", sorted(one.name for one in files("fairdeal.html").joinpath("parts").iterdir()))
def test_no_part_can_end_the_element_it_is_put_into(name: str) -> None:
    """A part that has an end tag in it would spill what is behind it into the page."""
    text = part(name).lower()
    if not name.endswith(".html"):
        assert "</script" not in text
        assert "</style" not in text
        assert "<!--" not in text


@pytest.mark.parametrize("name", ["replay-state.js", "replay-story.js", "replay-table.js", "replay.js", "report.css"])
def test_the_parts_of_the_report_name_no_address_and_build_no_html_from_texts(name: str) -> None:
    """Nothing is loaded or sent, and a text becomes a node and never markup."""
    text = part(name)
    for word in ("http:", "https:", "//cdn", "url(", "@import", "fetch(", "XMLHttpRequest", "sendBeacon", "WebSocket"):
        assert word not in text
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
        assert word not in text
