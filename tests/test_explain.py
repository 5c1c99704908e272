"""Every code has its page, and what the pages tell people to type exists."""

from __future__ import annotations

import re
from dataclasses import astuple, fields
from importlib.resources import files

import pytest

from fairdeal.codes import Code
from fairdeal.explain import Page, page, pages

EVIDENCE = {
    "--ticket",
    "--receipt",
    "--commitment",
    "--published",
    "--operator-key",
    "--seat-key",
    "--contribution",
    "--evidence",
}
OPTIONS = {
    "audit": EVIDENCE,
    "show": {"--round"},
    "verify": {"--seed", "--cards"},
    "unpack": set[str](),
    "compare": set[str](),
}
TEXTS = [field.name for field in fields(Page) if field.name != "code"]
LITERAL = re.compile("`([^`]*)`")
OPTION = re.compile(r"--[a-z][a-z-]*")
SENTENCE_END = re.compile(r"[.?!](?= |$)")


def sentences(text: str) -> int:
    return len(SENTENCE_END.findall(LITERAL.sub("literal", text)))


def test_every_code_has_a_page_and_every_page_a_code_in_the_same_order() -> None:
    assert list(pages()) == list(Code)


@pytest.mark.parametrize("code", Code)
def test_a_page_is_that_of_its_code(code: Code) -> None:
    assert page(code) == pages()[code]
    assert page(code).code is code


@pytest.mark.parametrize("code", Code)
def test_texts_are_single_paragraphs(code: Code) -> None:
    for text in astuple(page(code))[1:]:
        assert text
        assert text == " ".join(text.split())
        assert text.count("`") % 2 == 0


@pytest.mark.parametrize("code", Code)
def test_a_title_is_a_phrase_in_lower_case(code: Code) -> None:
    title = page(code).title
    assert title[0].islower()
    assert title[-1].isalnum()
    assert len(title) <= 72


@pytest.mark.parametrize("code", Code)
def test_texts_are_as_long_as_a_reader_has_patience(code: Code) -> None:
    texts = page(code)
    assert 2 <= sentences(texts.means) <= 4
    assert 1 <= sentences(texts.often) <= 2
    assert 1 <= sentences(texts.do) <= 3


@pytest.mark.parametrize("code", Code)
def test_commands_and_options_named_exist(code: Code) -> None:
    text = page(code).do
    assert set(OPTION.findall(text)) <= set().union(*OPTIONS.values())
    for literal in LITERAL.findall(text):
        if literal.startswith("fairdeal "):
            command = literal.split()[1]
            assert set(OPTION.findall(literal)) <= OPTIONS[command]
    assert not OPTION.search(LITERAL.sub("", text)), "an option outside backticks"


def test_titles_differ() -> None:
    titles = [one.title for one in pages().values()]
    assert len(set(titles)) == len(titles)


def test_tables_hold_the_fields_of_a_page_and_no_line_is_too_long() -> None:
    lines = files("fairdeal").joinpath("explain.toml").read_text("utf-8").splitlines()
    assert max(map(len, lines)) <= 120
    keys = [line.split(" = ")[0] for line in lines if re.match(r"[a-z]+ = \"", line)]
    assert keys == TEXTS * len(Code)
