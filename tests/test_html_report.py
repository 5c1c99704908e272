"""The auditor's report as HTML: what it says, that every figure is the report's own, and that no text can act in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.anchor import read_folder
from fairdeal.cards import FACES, parse_cards
from fairdeal.codes import Code
from fairdeal.errors import Malformed
from fairdeal.evidence import Evidence
from fairdeal.explain import page as explained
from fairdeal.html.chart import _LINE_HEIGHT, _Scale, _spread, score_chart
from fairdeal.html.frames import LETTERS, letters
from fairdeal.html.markup import VOID, Html, element, isolated, joined, name_of, unsteered
from fairdeal.html.passages import MEANINGS, MOST_FINDINGS, card, place_words, spoken
from fairdeal.html.replay_data import told
from fairdeal.html.report import MOST_NOTES, Entry, Made, evidence_words, index_html, language_of, report_html
from fairdeal.report import STEP_NUMBERS, AcrossFinding, Finding, Report, Step, Summary, Tally, Verdict, not_audited
from fairdeal.ruleset import load_preset, preset_names
from fairdeal.simulate import Simulation, simulate
from tests.conftest import ROOT, all_signed, held_by_all, played, rebuilt, voided
from tests.reports import FAULTY, HOSTILE, LOGS, hostile_match, hostile_page, logged, page_of, page_of_sample, report_on
from tests.strategies import some
from tests.test_html_assemble import TEXTS, Elements

MADE = Made("fairdeal audit match.fdl -f html", "fairdeal", "none")
TYPICAL = 200_000  # bytes; a report of a usual match is smaller


def words_of(text: str) -> str:
    """Return what a reader reads: the texts of the body without scripts, styles and the space between elements."""
    body = text[text.index("<body>") :]
    body = re.sub(r"<(script|style)\b.*?</\1>", "", body, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", body)))


# --- markup


@some
@given(TEXTS, TEXTS)
def test_every_text_put_into_an_element_is_escaped(inner: str, attribute: str) -> None:
    """As a child and as an attribute; only what was built by `element` itself stays as it is."""
    made = element("p", inner, element("b", inner), title=attribute)
    plain = re.sub("[\r\0]", "", made)
    assert Elements(plain).names() == ["p", "b"]
    assert joined((inner,), "<") == element("p", inner)[3:-4]


def test_elements_without_an_end_are_written_without_one() -> None:
    """And attributes that are None not at all; `class_` and underscores are written as HTML has them."""
    assert element("br") == "<br/>"
    assert element("line", class_="a", stroke_width=None, aria_hidden="true") == '<line class="a" aria-hidden="true"/>'
    assert "path" in VOID
    assert isinstance(name_of("<"), Html)
    assert name_of("<") == "<bdi>&lt;</bdi>"


@some
@given(st.text(max_size=20), st.text("\u202a\u202e\u2066\u2069x", max_size=6))
def test_no_text_turns_the_direction_of_what_follows(text: str, steering: str) -> None:
    """Marks that do are shown as escapes; of their kind there are only the two around a name in a drawing."""
    marks = re.compile("[\u202a-\u202e\u2066-\u2069]")
    assert not marks.search(element("p", text, steering, title=steering))
    assert not marks.search(name_of(steering + text))
    assert marks.findall(isolated(text + steering)) == ["\u2068", "\u2069"]
    assert marks.sub("", text) == text or unsteered(text) != text


# --- texts


def test_cards_seats_and_literals_are_shown_as_such() -> None:
    """A seat has its name behind it, a card is a card, and what stands between backticks is a literal."""
    text = spoken("seat 1 plays Th X1, `order`, seat 7", ("Ann", "<Bob>"))
    assert text == (
        f"seat 1 <bdi>&lt;Bob&gt;</bdi> plays {card(*parse_cards('Th'))} {card(*parse_cards('X1'))}, "
        "<code>order</code>, seat 7"
    )
    assert "10♥" in card(*parse_cards("Th"))
    assert spoken("As a rule", (), cards=False) == "As a rule"


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("round[2].trick[3].play[4]", "round 2, trick 3, play 4"),
        ("round[2].exchange[1]", "round 2, gift 1"),
        ("round[10].event[2]", "round 10, seat event 2"),
        ("round[1].end", "round 1, end"),
        ("round[1].deal", "round 1, deal"),
        ("close.secret", "close.secret"),
    ],
)
def test_places_of_a_round_have_words(place: str, words: str) -> None:
    """All others stay as they are."""
    assert place_words(place) == words


def test_the_guarantees_mean_what_the_readme_says() -> None:
    """One sentence for each, the same in both."""
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+?) \|[^|]+\|$", readme, re.MULTILINE))
    assert {str(name): words for name, words in MEANINGS.items()}.items() <= rows.items()


@pytest.mark.parametrize("name", preset_names())
def test_a_ruleset_speaks_its_own_language(name: str) -> None:
    """Titles are marked with it."""
    assert language_of(name) == {"prezydent": "pl", "le-president": "fr"}.get(name, "en")


# --- chart


@some
@given(st.lists(st.floats(14, 284), min_size=1, max_size=8))
def test_no_label_of_the_chart_stands_over_another(wanted: list[float]) -> None:
    """They keep their order and their distance, within the drawing."""
    places = _spread(wanted)
    ordered = sorted(places)
    assert all(after - before > _LINE_HEIGHT - 1e-6 for before, after in pairwise(ordered))
    assert sorted(range(len(wanted)), key=lambda at: places[at]) == sorted(range(len(wanted)), key=wanted.__getitem__)


@some
@given(st.lists(st.lists(st.integers(-(10**7), 10**7), min_size=3, max_size=3), min_size=1, max_size=6))
def test_the_chart_holds_every_total(totals: list[list[int]]) -> None:
    """All places are inside the drawing, higher totals higher up."""
    scale = _Scale(totals)
    flat = sorted(total for row in totals for total in row)
    heights = [scale.y(total) for total in flat]
    assert all(14 <= y <= 284 for y in heights)
    assert heights == sorted(heights, reverse=True)
    assert 2 <= (scale.high - scale.low) / scale.step + 1 <= 13


def test_the_lines_of_the_chart_differ_without_colour() -> None:
    """Each seat has a dash and a shape of its own, and a label."""
    text = score_chart([f"name {seat}" for seat in range(8)], [[0] * 8, list(range(8))])
    dashes = [attrs.get("stroke-dasharray") for tag, attrs, _ in Elements(text).found if tag == "polyline"]
    assert len(set(dashes)) == 8
    shapes = {attrs["d"] for tag, attrs, _ in Elements(text).found if "marker" in (attrs.get("class") or "")}
    assert len(shapes) == 8
    assert all(f"name {seat}" in text for seat in range(8))


# --- what the replay is told


def test_every_card_has_a_letter_of_its_own() -> None:
    """One letter a face, none of which JSON or HTML writes in another way."""
    assert len(set(LETTERS)) == len(LETTERS) == FACES
    assert LETTERS.isalnum()
    assert letters(range(FACES)) == LETTERS


def steps(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield kind, cards and effects of the steps in a line of them."""
    for step in text:
        head, *effects = step.split(" ")
        yield head[0], head[3:] if head[0] == "g" else head[2:], effects


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_round_of_a_sound_log_is_told_to_its_end(path: Path) -> None:
    """Cards are dealt and played once each, one seat is left, the tricks close, and the totals are the report's."""
    data = path.read_bytes()
    match = told(data)
    summary = report_on(data).summary
    assert match.totals[-1] == summary.totals
    assert len(match.data["rounds"]) == summary.rounds
    for one in match.data["rounds"]:
        cards = "".join(one["hands"])
        assert one["known"] == len(one["steps"])
        gone = "".join(cards for kind, cards, _ in steps(one["steps"]) if kind == "a")
        left = sorted(cards)
        for letter in gone:
            left.remove(letter)
        assert left
        outs = [effect for _, _, effects in steps(one["steps"]) for effect in effects if effect[0] in "od"]
        assert len(outs) == len(match.terms.seats) - 1
        assert one["steps"][-1].split(" ")[1] == "n-" or one["steps"][-1][0] == "e"


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: path.stem)
def test_every_finding_in_a_round_has_its_place_in_the_replay(path: Path) -> None:
    """Its round and a frame of it; totals are what the report has also where rounds are at fault."""
    data = path.read_bytes()
    report = report_on(data)
    match = told(data)
    assert match.totals[-1] == report.summary.totals
    for finding in report.findings:
        spot = match.spot(finding.place)
        if finding.place.startswith("round["):
            assert spot is not None
            one = match.data["rounds"][spot.round]
            assert 0 <= spot.frame <= len(one["steps"]) + ("end" in one)
            assert f"round[{spot.round + 1}]" == finding.place.split(".")[0]
        else:
            assert spot is None


def test_the_state_is_known_up_to_the_fault() -> None:
    """Behind it the log is told without effects."""
    match = told(logged("play-too-low").read_bytes())
    (finding,) = [one for one in report_on(logged("play-too-low").read_bytes()).findings if one.code is Code.TOO_LOW]
    spot = match.spot(finding.place)
    assert spot is not None
    one = match.data["rounds"][spot.round]
    assert one["known"] == spot.frame - 1
    effects = [bool(found) for _, _, found in steps(one["steps"])]
    assert effects == [True] * one["known"] + [False] * (len(effects) - one["known"])


@pytest.mark.parametrize(
    "place", ["terms", "close", "round[9]", "round[0].end", "round[1].trick[1]", "guarantee.rules"]
)
def test_other_places_have_none(place: str) -> None:
    """Or only that of their round."""
    spot = told(bytes(played().data)).spot(place)
    assert spot is None or (spot.round, spot.frame) == (0, 0)


def test_a_match_without_its_secret_is_told_without_hands() -> None:
    """The round in progress has no revealed seed; rounds that ended have the log's own."""
    done = played(4, 2)
    records = done.records[: [type(one).__name__ for one in done.records].index("RoundEnd") + 4]
    data = rebuilt(records)
    first, second = told(data).data["rounds"]
    assert "hands" in first
    assert "hands" not in second
    assert second["steps"]


def test_terms_that_are_not_supported_are_told_without_hands() -> None:
    """Nothing is judged then, but the log has its steps and names."""
    done = played(4, 1)
    terms = replace(done.terms, beacon="moon")
    data = rebuilt([terms, *done.records[1:]])
    match = told(data)
    assert all("hands" not in one and one["steps"] for one in match.data["rounds"])
    page = words_of(page_of(data))
    assert "no verdict" in page
    assert "North" in page


# --- the document


@pytest.mark.parametrize("name", ["four-seats-signed", "president-8", "le-president-7", "play-too-low", "void-stopped"])
def test_the_same_report_gives_the_same_small_document(name: str) -> None:
    """Nothing of the moment or the machine is in it, and a usual match fits into 200 kB."""
    page = page_of_sample(name)
    assert page == page_of_sample(name)
    assert len(page.encode("utf-8")) < TYPICAL


def test_a_long_match_stays_within_a_few_megabytes() -> None:
    """What a round at the largest table adds is so little that a thousand of them add less than five."""
    done = simulate(Simulation(load_preset("president", {"end_at": 16}), 8, bytes(32), rounds=16))
    assert len(page_of(bytes(done.data)).encode("utf-8")) < 16 * 5_000 + 80_000


@pytest.mark.parametrize(
    ("name", "verdict", "sign"),
    [
        ("four-seats-signed", Verdict.VERIFIED, "✓"),
        ("play-too-low", Verdict.REFUTED, "✗"),
        ("void-stopped", Verdict.INCOMPLETE, "○"),
    ],
)
def test_the_verdict_comes_first_in_words_and_sign(name: str, verdict: Verdict, sign: str) -> None:
    """With the name of the file."""
    page = page_of_sample(name)
    words = words_of(page)
    assert words.startswith(f" fairdeal · audit report {sign} {verdict} {name}.fdl ")
    assert Elements(page).texts("title")[0].startswith(f"{verdict}: {name}.fdl")


@pytest.mark.parametrize("path", [*LOGS[::5], *FAULTY[::6]], ids=lambda path: path.stem)
def test_the_document_has_all_that_the_report_has(path: Path) -> None:
    """Findings with their pages, guarantees, checks, statements, standings."""
    data = path.read_bytes()
    folder = path.with_suffix("")
    evidence = read_folder(folder) if folder.is_dir() else Evidence()
    report = report_on(data, evidence)
    words = words_of(page_of(data, evidence)).replace("\ufe0e", "")
    for guarantee in report.guarantees:
        assert f"{guarantee.name} {'proven' if guarantee.proven else 'not proven'}" in words
        assert MEANINGS[guarantee.name] in words
    for finding in report.findings:
        assert f" {finding.code} " in words
        assert place_words(finding.place) in words
        title = explained(finding.code).title
        assert title[:1].upper() + title[1:] in words
        assert explained(finding.code).do.split("`")[0].strip() in words
    for step, tally in report.steps:
        assert f" {STEP_NUMBERS[step]} {step}" in words
        assert all(f"not checked: {reason}".split("seat")[0] in words for reason in tally.not_checked[:5])
    assert all(one in words for one in report.statements)
    assert report.summary.terms_hash in words
    assert all(name in words for name in report.summary.seats)
    assert evidence_words(evidence) in words


def test_the_standings_are_in_the_rulesets_own_words() -> None:
    """Titles with their language, best place first, totals beside them."""
    page = page_of_sample("prezydent-6")
    terms = told(logged("prezydent-6").read_bytes()).terms
    spans = [attrs for tag, attrs, _ in Elements(page).found if tag == "span" and attrs.get("lang") == "pl"]
    assert len(spans) == 1 + len(terms.seats)
    assert all(title in page for title in terms.rules.titles)


def test_a_ruleset_without_points_has_no_chart() -> None:
    """There is nothing to draw then."""
    done = simulate(Simulation(load_preset("le-president"), 4, bytes(32), rounds=2))
    page = page_of(bytes(done.data))
    points = bool(done.terms.rules.points)
    assert ("<polyline" in page) == points
    assert ("no points kept" in page) != points


def test_a_finding_of_a_code_explains_it_once() -> None:
    """Later ones point to the first; more than two hundred are counted only."""
    finding = Finding(Code.COUNT, "round[1].trick[1].play[1]", "1 card", "seat 0 plays 3c 3d")
    many = Report((finding,) * (MOST_FINDINGS + 7), (), (), (), Summary())
    page = report_html(many, "match.fdl", None, MADE)
    assert page.count(explained(Code.COUNT).often.split(".")[0].split("`")[0]) == 1
    assert page.count("<article") == MOST_FINDINGS
    assert "And 7 more: 7 × count" in words_of(page)


@pytest.mark.parametrize("data", [b"", b"\xc1", bytes(played().data)[:40], b"{}"])
def test_a_log_that_cannot_be_read_has_a_report_without_replay(data: bytes) -> None:
    """With the place where the reading ended, the log's digest, and no script at all."""
    page = page_of(data)
    words = words_of(page)
    assert "no verdict" in words
    assert "malformed" in words
    assert 'id="data"' not in page
    assert "Replay" not in words


def test_a_log_that_breaks_off_is_told_as_far_as_it_goes() -> None:
    """What stands before the first byte that does not parse is shown."""
    data = bytes(played().data)
    page = page_of(data[: len(data) // 2] + b"\xc1")
    words = words_of(page)
    assert "malformed" in words
    assert "Replay" in words
    assert json.loads(Elements(page).texts("script")[0])["rounds"]


def test_reasons_for_what_was_not_checked_are_counted_beyond_a_dozen() -> None:
    """A match in progress has one for every round."""
    tally = Tally(not_checked=[f"round[{number}]: its seed is not revealed" for number in range(1, MOST_NOTES + 4)])
    words = words_of(report_html(Report((), ((Step.SEEDS, tally),), (), (), Summary()), "match.fdl", None, MADE))
    assert f"round[{MOST_NOTES}]: its seed is not revealed and 3 more not checked" in words


def test_a_finding_without_a_place_has_none() -> None:
    """Nothing is said of where it is."""
    report = Report((Finding(Code.UNREADABLE, "", "a log", "none"),), (), (), (), Summary())
    assert Elements(report_html(report, "match.fdl", None, MADE)).texts("dt")[:2] == ["expected", "found"]


def test_a_log_whose_file_cannot_be_read_has_a_report_too() -> None:
    """It says so, and has no digest to state."""
    report = not_audited(Malformed("nothing there", 0))
    words = words_of(report_html(report, "away.fdl", None, MADE))
    assert "could not be read" in words
    assert "SHA-256" not in words


def test_a_void_match_says_so() -> None:
    """Beside its verdict, which is never verified."""
    done = played(4, 2)
    words = words_of(page_of(voided(done, 30), held_by_all(done)))
    assert "The match is void" in words
    assert "The log states no final places." in words


def test_evidence_is_counted_in_words() -> None:
    """One of a kind or several."""
    done = all_signed()
    assert evidence_words(Evidence()) == "none"
    assert evidence_words(held_by_all(done)) == (
        "8 tickets, 2 receipts, 1 commitment, 1 published list, 5 public keys, 4 contributions"
    )


# --- hostile texts


def test_no_name_title_or_ruleset_adds_an_element(monkeypatch: pytest.MonkeyPatch) -> None:
    """The document has the same elements as that of the same match with harmless names."""
    hostile = Elements(hostile_page(monkeypatch)).names()
    monkeypatch.setattr("tests.reports.HOSTILE", tuple(f"name {number}" for number in range(8)))
    assert hostile == Elements(hostile_page(monkeypatch)).names()


def test_every_hostile_name_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set apart in an element of its own, letter for letter but for marks that turn the direction of writing."""
    elements = Elements(hostile_page(monkeypatch))
    names = list(map(unsteered, HOSTILE))
    assert set(names) <= set(elements.texts("bdi"))
    data = json.loads(elements.texts("script")[0])
    assert data["seats"] == names
    assert data["titles"] == names[:5]


@settings(max_examples=20, deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_no_name_of_a_file_and_no_text_of_a_finding_adds_an_element(name: str, found: str, command: str) -> None:
    """Nor does the command the report was made with."""

    def names(*texts: str) -> list[str]:
        file, what, typed = texts
        finding = Finding(Code.TERMS, "terms", what, what, (f"rule: {what}", what))
        report = Report((finding,), (), (), (), Summary())
        return Elements(report_html(report, file, None, Made(typed, typed, typed))).names()

    def harmless(text: str) -> str:
        return re.sub(r"[<>&\"'\r\0]", "_", text)

    assert names(name, found, command) == names(*map(harmless, (name, found, command)))


def test_the_index_has_a_line_for_each_log() -> None:
    """Verdict, name with a link, match, codes; all of them texts."""
    report = report_on(bytes(played().data))
    entries = [
        Entry("<b>.fdl", "%3Cb%3E.html", report),
        Entry("away.fdl", "away.html", not_audited(Malformed("nothing there", 0))),
        Entry("other.fdl", "other.html", report),
    ]
    page = index_html(entries)
    words = words_of(page)
    assert "3 logs: 2 incomplete, 1 no verdict" in words
    links = [(attrs["href"], "".join(texts)) for tag, attrs, texts in Elements(page).found if tag == "a"]
    assert links == [("%3Cb%3E.html", "<b>.fdl"), ("away.html", "away.fdl"), ("other.html", "other.fdl")]
    assert "terms not read" in words
    assert "not-proven" in words


def test_the_index_tells_what_lies_across_the_matches() -> None:
    """In a table of its own, texts of logs as texts; without findings there is none."""
    entries = [Entry(name, f"{name}.html", report_on(bytes(played().data))) for name in ("a", "b")]
    found = AcrossFinding(Code.LOGS_DIFFER, "two logs part <b>here</b>", ("a", "<b>"))
    page = index_html(entries, [found])
    words = words_of(page)
    assert "Across the matches" in words
    assert "logs-differ" in words
    assert "two logs part <b>here</b>" in words
    assert "a, <b>" in words
    assert "Across the matches" not in words_of(index_html(entries))


def test_the_index_counts_void_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the text report does, and with hostile rulesets as texts."""
    done = hostile_match(monkeypatch)
    void = report_on(voided(done, 30))
    page = index_html([Entry("a", "a.html", void), Entry("b", "b.html", void)])
    assert "2 logs: 2 incomplete; 2 void" in words_of(page)
    assert Elements(page).names().count("script") == 1
