"""The player's page as text: one small file that can ask nobody, whose parts fit together, and that hides nothing."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from typing import Final

import pytest

from fairdeal.codes import Code
from fairdeal.explain import pages
from fairdeal.html.assemble import DATA_ID, part
from fairdeal.html.page import CORE, OWN, STYLES, page_html

MAX_PAGE: Final = 120_000
PAGE: Final = page_html()
FORBIDDEN: Final = (
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "document.write",
    "eval(",
    "Function(",
    "localStorage",
    "sessionStorage",
    "indexedDB",
    "document.cookie",
    "fetch(",
    "XMLHttpRequest",
    "WebSocket",
    "EventSource",
    "sendBeacon",
    "import(",
    "serviceWorker",
)
FIELDS: Final = ("input", "textarea", "select")


class Tags(HTMLParser):
    """Collects the start tags of a document with their attributes, and what stands in its styles and scripts."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.held: dict[str, list[str]] = {"style": [], "script": []}
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self.inside = tag

    def handle_endtag(self, tag: str) -> None:
        self.inside = "" if tag == self.inside else self.inside

    def handle_data(self, data: str) -> None:
        if self.inside in self.held:
            self.held[self.inside].append(data)


@pytest.fixture(scope="module")
def tags() -> Tags:
    """Return what stands in the page."""
    parser = Tags()
    parser.feed(PAGE)
    return parser


def test_the_page_is_small_and_always_the_same() -> None:
    """It can be sent as a file or put on paper's digest: two makings give the same bytes."""
    assert len(PAGE.encode("utf-8")) < MAX_PAGE
    assert page_html() == PAGE


def test_the_policy_starts_from_nothing_and_names_style_and_script_by_hash(tags: Tags) -> None:
    """No source besides the two hashes is allowed, so nothing can be loaded, sent or run."""
    policy = next(one["content"] for name, one in tags.tags if name == "meta" and "http-equiv" in one)
    script = tags.held["script"][-1]
    [style] = tags.held["style"]
    hashes = [b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii") for text in (script, style)]
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_nothing_points_outside(tags: Tags) -> None:
    """Links lead within the page, no element loads anything, and no address of another place stands in it."""
    for name, attributes in tags.tags:
        assert name not in {"link", "img", "iframe", "object", "embed", "audio", "video", "base"}
        assert "src" not in attributes
        assert attributes.get("href", "#").startswith("#")
    assert re.findall(r"(?:https?|wss?|ftp):/", PAGE) == []
    assert "url(" not in tags.held["style"][0]
    assert "@import" not in tags.held["style"][0]


def test_no_element_has_code_or_style_of_its_own(tags: Tags) -> None:
    """The policy would block them, and the page would look or work differently than meant."""
    for _, attributes in tags.tags:
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)


def test_scripts_make_no_html_of_texts_and_keep_and_send_nothing() -> None:
    """Whatever a log says stays text, and what a player enters stays in the page."""
    for name in (*CORE, *OWN):
        for word in FORBIDDEN:
            assert word not in part(name), name


def test_ids_are_unique_and_what_refers_to_one_finds_it(tags: Tags) -> None:
    """Labels, descriptions and links within the page lead somewhere."""
    ids = [attributes["id"] for _, attributes in tags.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in tags.tags:
        named = [attributes.get("for", ""), attributes.get("aria-labelledby", "")]
        named += attributes.get("aria-describedby", "").split()
        named += [attributes["href"].removeprefix("#")] if "href" in attributes else []
        assert {one for one in named if one} <= set(ids)


def test_every_field_that_can_be_reached_has_a_label(tags: Tags) -> None:
    """A screen reader says what belongs there; the file field is reached by a button instead."""
    labelled = {attributes["for"] for name, attributes in tags.tags if name == "label"}
    for name, attributes in tags.tags:
        if name in FIELDS and attributes.get("tabindex") != "-1":
            assert attributes["id"] in labelled


def test_scripts_ask_only_for_elements_that_are_there(tags: Tags) -> None:
    """An id that a script names stands in the body of the page."""
    ids = {attributes["id"] for _, attributes in tags.tags if "id" in attributes}
    for name in OWN:
        asked = re.findall(r"(?:byId|getElementById)\(\s*[\"']([^\"']+)[\"']\s*\)", part(name))
        assert set(asked) <= ids, name


def test_findings_have_the_titles_of_the_command_line(tags: Tags) -> None:
    """The page calls every code that it can find what `fairdeal explain` calls it, and carries no other titles."""
    [at] = [index for index, (_, one) in enumerate(tags.tags) if one.get("id") == DATA_ID]
    scripts = [index for index, (name, _) in enumerate(tags.tags) if name == "script"]
    words = json.loads(tags.held["script"][scripts.index(at)])
    core = "".join(map(part, CORE))
    assert words["titles"] == {code: page.title for code, page in pages().items() if f"'{code}'" in core}
    assert {Code.SEED, Code.CARDS_OTHER, Code.SIGNATURE_BAD, Code.MALFORMED} <= set(words["titles"])


def test_every_part_of_page_and_core_is_in_the_page() -> None:
    """A part that nobody puts in would be a part that nobody tests."""
    folder = files("fairdeal.html").joinpath("parts")
    there = {one.name for one in folder.iterdir() if re.match(r"(?:core|page)[-.]", one.name)}
    assert there == {*CORE, *OWN, *STYLES, "page.html"} - {"base.css"}


@pytest.mark.parametrize("name", [*OWN, "page.css", "page.html"])
def test_parts_can_be_read(name: str) -> None:
    """No part is longer than a reader can take in, and none is squeezed."""
    lines = part(name).splitlines()
    assert len(lines) <= 300
    assert max(map(len, lines)) <= 120
