"""What a report says of its findings and guarantees, with cards shown as cards and seats with their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from fairdeal.cards import FIRST_JOKER, RANK_NAMES, parse_card
from fairdeal.codes import INCOMPLETE, NO_VERDICT, Code
from fairdeal.explain import Page, pages
from fairdeal.html.frames import Spot
from fairdeal.html.markup import Html, element, joined, name_of, rows
from fairdeal.report import Finding, Guarantee, GuaranteeName, Verdict

SIGNS: Final[Mapping[Verdict, tuple[str, str]]] = {
    Verdict.VERIFIED: ("✓", "verified"),
    Verdict.REFUTED: ("✗", "refuted"),
    Verdict.INCOMPLETE: ("○", "incomplete"),
    Verdict.NO_VERDICT: ("?", "no-verdict"),
}
MEANINGS: Final[Mapping[GuaranteeName, str]] = {
    GuaranteeName.UNCHANGED: (
        "every deal follows its seed, all seeds open the one commitment, the contributions are in"
    ),
    GuaranteeName.ANCHORED: "something held from before the deals fixes them",
    GuaranteeName.RECORDED: "the log's bytes up to a stated place are the ones that were written at the time",
    GuaranteeName.UNCHOSEN: "the operator did not choose the deals, unless it worked with the named seats",
    GuaranteeName.RULES: "every action, exchange, title and score was recomputed and is equal",
}
MOST_FINDINGS: Final = 200  # told in full; the others are counted
_SUITS: Final = ("♣", "♦", "♥", "♠")
_SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")
_RANK_WORDS: Final = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_PLAIN: Final = "\ufe0e"  # asks for the plain sign where a system would draw a small picture
_SPOKEN: Final = re.compile(r"\bseat (\d)\b|\b([3-9TJQKA2][cdhs]|X[12])\b|`([^`]+)`")
_PLACE_WORDS: Final = (
    (re.compile(r"round\[(\d+)\]"), r"round \1"),
    (re.compile(r"\.exchange\[(\d+)\]"), r", gift \1"),
    (re.compile(r"\.event\[(\d+)\]"), r", seat event \1"),
    (re.compile(r"\.trick\[(\d+)\]\.play\[(\d+)\]"), r", trick \1, play \2"),
    (re.compile(r"\.(deal|end)"), r", \1"),
)
_WITH_CARDS: Final = re.compile(r"round\[\d+\]\.(exchange|trick|event)")
Spots = Callable[[str], Spot | None]


_pages: Final = cache(pages)


def card(face: int) -> Html:
    """Return a card as it is shown in a text."""
    if face >= FIRST_JOKER:
        return element("span", "Joker", class_="card joker", title=f"joker {face - FIRST_JOKER + 1}")
    rank, suit = RANK_NAMES[face >> 2], face & 3
    red = " red" if suit in (1, 2) else ""
    title = f"{_RANK_WORDS.get(rank, rank)} of {_SUIT_WORDS[suit]}"
    return element("span", f"{rank}{_SUITS[suit]}{_PLAIN}", class_=f"card{red}", title=title)


def spoken(text: str, names: Sequence[str], *, cards: bool = True) -> Html:
    """Return a text of a report: seats with their names behind them, cards as cards, literals as such."""

    def shown(found: re.Match[str]) -> Html:
        if found[1] is not None:
            seat = int(found[1])
            return joined((found[0], " ", name_of(names[seat]))) if seat < len(names) else Html(found[0])
        if found[2] is not None:
            return card(parse_card(found[2])) if cards else Html(found[2])
        return element("code", found[3])

    parts: list[object] = []
    at = 0
    for found in _SPOKEN.finditer(text):
        parts += [text[at : found.start()], shown(found)]
        at = found.end()
    return joined((*parts, text[at:]))


def place_words(place: str) -> str:
    """Return a place of a report in words, unchanged where it has no better ones."""
    for pattern, words in _PLACE_WORDS:
        place = pattern.sub(words, place)
    return place


def findings_html(findings: Sequence[Finding], names: Sequence[str], spot: Spots) -> Html:
    """Return all findings one behind the other, the first of each code with the page that explains it."""
    known = _pages()
    first: dict[Code, int] = {}
    told = []
    for number, finding in enumerate(findings[:MOST_FINDINGS], 1):
        first.setdefault(finding.code, number)
        told.append(_finding(number, finding, names, known[finding.code], first[finding.code], spot(finding.place)))
    more = Counter(str(finding.code) for finding in findings[MOST_FINDINGS:])
    if more:
        counts = ", ".join(f"{count} × {code}" for code, count in more.most_common())
        told.append(
            element("p", f"And {more.total()} more: {counts}. ", element("code", "-f json"), " lists them all.")
        )
    return joined(told)


def _finding(number: int, finding: Finding, names: Sequence[str], page: Page, first: int, spot: Spot | None) -> Html:
    refutes = finding.code not in INCOMPLETE | NO_VERDICT
    sign = element("span", "✗" if refutes else "○", class_=f"sign {'bad' if refutes else 'open'}", aria_hidden="true")
    effect = "refutes the log" if refutes else "leaves the audit incomplete"
    if finding.code in NO_VERDICT:
        effect = "ends the reading"
    head = element("h3", sign, " ", page.title[:1].upper() + page.title[1:])
    where = element("p", element("code", finding.code), f" {effect}", class_="quiet")
    jump: object = ""
    if spot is not None:
        jump = element("button", "Show in replay", type="button", class_="show noprint", data_finding=number, hidden="")
    if first == number:
        paragraphs = (element("p", spoken(text, (), cards=False)) for text in (page.means, page.often, page.do))
        about = element(
            "details", element("summary", "What this means and what to do"), *paragraphs, class_="explained"
        )
    else:
        link = element("a", f"finding {first}", href=f"#finding-{first}")
        about = element("p", "What this means and what to do stands with ", link, ".", class_="quiet")
    facts = rows(_facts(finding, names))
    shade = "refutes" if refutes else "leaves"
    return element("article", head, where, facts, jump, about, class_=f"panel finding {shade}", id=f"finding-{number}")


def _facts(finding: Finding, names: Sequence[str]) -> Iterator[tuple[object, object]]:
    if finding.place:
        words = place_words(finding.place)
        raw: object = "" if words == finding.place else joined((" ", element("code", finding.place, class_="quiet")))
        yield "place", joined((words, raw))
    in_play = _WITH_CARDS.match(finding.place) is not None
    for label, value in (("expected", finding.expected), ("found", finding.found)):
        if value:
            yield label, spoken(value, names, cards=in_play)
    for reason in finding.reasons:
        label, _, value = reason.partition(": ")
        yield label, spoken(value, names, cards=label != "rule")


def guarantees_html(guarantees: Sequence[Guarantee], names: Sequence[str]) -> Html:
    """Return every guarantee: proven or not, what it means, and on what evidence or why not."""
    return element("ul", *(_guarantee(one, names) for one in guarantees), class_="guarantees")


def _guarantee(guarantee: Guarantee, names: Sequence[str]) -> Html:
    sign, tone, word = ("✓", "good", "proven") if guarantee.proven else ("○", "open", "not proven")
    head = [
        element("span", sign, class_=f"sign {tone}", aria_hidden="true"),
        element("strong", guarantee.name),
        element("span", word, class_=tone),
    ]
    if guarantee.required:
        head.append(element("span", "required", class_="badge"))
    means = element("p", MEANINGS[guarantee.name], class_="quiet")
    return element(
        "li", element("p", *_spaced(head)), means, element("p", spoken(guarantee.reason, names, cards=False))
    )


def _spaced(parts: Sequence[Html]) -> Iterator[object]:
    for part in parts:
        yield part
        yield " "
