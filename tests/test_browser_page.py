"""The player's page in a browser: what it says of tickets and logs, sound and not, and that it asks nobody.

Every page is opened by `browsing.open_page`, which fails on any request and any word on the console.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from fairdeal.cards import format_cards
from fairdeal.codec import Log
from fairdeal.html.page import page_html
from fairdeal.ruleset import load_preset
from fairdeal.simulate import Simulated, Simulation, simulate
from fairdeal.ticket import encode_ticket
from fairdeal.verify import dealing_of, hand_of, steps_of, verify_hand
from tests.browsing import DESKTOP, PHONE, browser, open_page
from tests.conftest import SAMPLES, all_signed, played

FIELDS: Final = ("ticket", "seed", "cards", "commitment", "contribution")
MATCHES: Final = Path(__file__).parents[1] / "vectors" / "v1" / "match"
TICKET: Final = (MATCHES / "three-seats" / "tickets.txt").read_text("ascii").splitlines()[0]
SEED: Final = "72fe91874d26c57eb8600751958b056217062854b4f3c6a44b39727a25ef1b02"
CARDS: Final = "3c 3d 4h 4s 5s 6h 7d 8c 8s 9h Th Jh Js Qc Kd Ah As 2c"
COMMITMENT: Final = "057be91ddc05a2411a0786ee9b56784a1044a1b21f4aaf5d7c55c6a458a55a5a"
SUITS: Final = dict(zip("cdhs", ("♣\ufe0e", "♦\ufe0e", "♥\ufe0e", "♠\ufe0e"), strict=True))
HOSTILE: Final = (
    "</script><script>document.title='taken'</script>",
    "\u202efdp.hsac\u202d \u2067right to left\u2069",
    "\U0001f0cf" * 16,
    "<img src=x onerror=alert(1)> &amp; \"'",
)
NARROW: Final = 360
LEAST_TEXT: Final = 14
LEAST_TARGET: Final = 40
LEAST_CONTRAST: Final = 4.5


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page as a file."""
    path = tmp_path_factory.mktemp("page") / "verify.html"
    path.write_text(page_html(), encoding="utf-8")
    return path


@pytest.fixture
def page(file: Path) -> Iterator[Page]:
    """Return the page, open in the browser."""
    with open_page(file) as opened:
        yield opened


def fill(page: Page, **values: str) -> None:
    """Enter values into the fields they are named after."""
    for name, value in values.items():
        box = page.locator(f"#{name}")
        if not box.is_visible():
            page.get_by_text("More to compare").click()
        box.fill(value)


def check(page: Page, **values: str) -> Locator:
    """Enter values, press the button, and return the verdict once it is there."""
    fill(page, **values)
    page.get_by_role("button", name="Check", exact=True).click()
    return verdict_of(page)


def verdict_of(page: Page, place: str = "#verdict") -> Locator:
    """Return the panel with a verdict, which then has the focus, so that it is read out."""
    word = page.locator(f"{place} .word")
    expect(word).to_be_focused()
    return page.locator(f"{place} .verdict")


def word(panel: Locator) -> str:
    """Return the verdict in a word, without its sign."""
    return panel.locator(".word strong").inner_text()


def cards_in(listed: Locator) -> str:
    """Return cards that are shown, in the command line's notation."""
    signs = [one.strip() for one in listed.locator(".card > [aria-hidden]").all_inner_texts()]
    return " ".join(map(plain, signs))


def plain(sign: str) -> str:
    """Return the notation of a card that is shown by sign."""
    if sign.startswith("Joker"):
        return f"X{sign[-1]}"
    suit = next(letter for letter, shown in SUITS.items() if sign.endswith(shown))
    return sign.removesuffix(SUITS[suit]).replace("10", "T") + suit


def drop(page: Page, data: bytes, name: str = "match.fdl") -> Locator:
    """Drop a file on the page and return the verdict on it."""
    script = """([text, name]) => {
        const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
        const moved = new DataTransfer();
        moved.items.add(new File([bytes], name));
        return moved;
    }"""
    moved = page.evaluate_handle(script, [b64encode(data).decode("ascii"), name])
    for event in ("dragenter", "dragover", "drop"):
        page.dispatch_event("body", event, {"dataTransfer": moved})
    return verdict_of(page, "#log-verdict")


def unfold(summary: Locator) -> None:
    """Open what a summary stands over, and wait until it is there: it is made only then."""
    summary.click()
    expect(summary.locator("xpath=following-sibling::*").first).to_be_visible()


def states(panel: Locator) -> dict[str, str]:
    """Return the state of every check that a panel shows, by its name."""
    found: dict[str, str] = {}
    for row in panel.locator(".checks li").all():
        names, state = row.locator("div > span").all_text_contents()
        found |= dict.fromkeys(names.split(", ") if "clock" not in names else [names], state)
    return found


# ---- one hand


def test_a_good_ticket_is_verified(page: Page) -> None:
    """The hand is shown sorted, with what to compare and what is left open."""
    panel = check(page, ticket=TICKET, seed=SEED, cards=CARDS)
    assert word(panel) == "Verified"
    assert cards_in(panel.locator(".hand")) == CARDS
    expect(panel).to_contain_text(COMMITMENT)
    expect(panel).to_contain_text("round 1 of 5")
    expect(panel).to_contain_text("Not checked here")
    expect(panel).to_contain_text("rules")
    assert panel.locator(".findings").count() == 0


@pytest.mark.parametrize("name", SAMPLES)
def test_the_page_says_of_every_ticket_what_the_command_line_says(page: Page, name: str) -> None:
    """Verdict, hand and commitment are those of `verify_hand`, with contributions, jokers and two packs."""
    done = SAMPLES[name]()
    for ticket in done.tickets[:: max(1, len(done.tickets) // 4)]:
        seed = done.tree.seeds[ticket.round - 1]
        own = ticket.contributions[ticket.seat]
        hand, commitment = hand_of(ticket, seed), ticket.commitment()
        report = verify_hand(ticket, seed, hand, own or None, [commitment])
        values = {"seed": seed.hex(), "cards": format_cards(hand), "contribution": own.hex()}
        panel = check(page, ticket=encode_ticket(ticket), commitment=commitment.hex(), **values)
        assert word(panel).lower() == report.verdict
        assert cards_in(panel.locator(".hand")) == format_cards(hand)
        expect(panel).to_contain_text(commitment.hex())
        assert "not checked" not in states(panel).values()


def test_without_cards_the_hand_is_stated_and_nothing_is_verified(page: Page) -> None:
    """Nothing was compared, so the verdict is incomplete."""
    panel = check(page, ticket=TICKET, seed=SEED)
    assert word(panel) == "Incomplete"
    assert cards_in(panel.locator(".hand")) == CARDS
    assert states(panel)["the cards are those dealt"] == "not checked"


def test_before_the_round_a_ticket_is_read_and_shows_its_commitment(page: Page) -> None:
    """Without a seed there is no hand, but the commitment can be compared already."""
    panel = check(page, ticket=TICKET)
    assert word(panel) == "Incomplete"
    expect(panel).to_contain_text(COMMITMENT)
    assert panel.locator(".hand").count() == 0


def test_a_wrong_seed_is_refuted_and_shows_no_hand(page: Page) -> None:
    """The hand of another seed is nobody's."""
    panel = check(page, ticket=TICKET, seed="0" * 64, cards=CARDS)
    assert word(panel) == "Refuted"
    expect(panel).to_contain_text("ticket-fingerprint")
    assert panel.locator(".card").count() == 0


def test_a_swapped_card_is_named(page: Page) -> None:
    """What is missing and what is too much is shown apart from the two hands."""
    panel = check(page, ticket=TICKET, seed=SEED, cards=CARDS.replace("2c", "2d"))
    assert word(panel) == "Refuted"
    rows = panel.locator(".hand .facts .cards")
    assert [cards_in(row) for row in rows.all()] == ["2c", "2d"]
    expect(panel).to_contain_text("cards-other")


@pytest.mark.parametrize(
    ("field", "code"), [("commitment", "commitment-other"), ("contribution", "contribution-other")]
)
def test_another_commitment_or_contribution_is_refuted(page: Page, field: str, code: str) -> None:
    """Each value that the player knows is held against the ticket's."""
    panel = check(page, ticket=TICKET, seed=SEED, cards=CARDS, **{field: "ab" * 32})
    assert word(panel) == "Refuted"
    expect(panel).to_contain_text(code)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("ticket", "", "no ticket"),
        ("ticket", "fd2" + TICKET[3:], "begins with fd1."),
        ("ticket", TICKET[:100] + "!" + TICKET[101:], "character 101 is “!”"),
        ("ticket", TICKET[:-1], "copy the whole ticket"),
        ("ticket", TICKET[:50] + ("B" if TICKET[50] == "A" else "A") + TICKET[51:], "copy the whole ticket"),
        ("ticket", TICKET + "A" * 1000, "no ticket has more than 1000"),
        ("ticket", f"{TICKET}\n{TICKET}", "these are 2 tickets"),
        ("seed", SEED[:-1], "63 characters, where 64 belong"),
        ("seed", SEED[:9] + "g" + SEED[10:], "character 10 is “g”"),
        ("cards", "3c 1x", "1x"),
        ("commitment", "12", "2 characters, where 64 belong"),
        ("contribution", "0" * 65, "65 characters, where 64 belong"),
        ("seed", "\U0001f0cf", "character 1 is “\U0001f0cf”"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(page: Page, field: str, value: str, words: str) -> None:
    """There is no verdict; the field says what is wrong with it, and the verdict leads to the field."""
    panel = check(page, **{"ticket": TICKET, "seed": SEED, "cards": CARDS, field: value})
    assert word(panel) == "No verdict"
    expect(page.locator(f"#{field}-note")).to_contain_text(words)
    expect(page.locator(f"#{field}")).to_have_attribute("aria-invalid", "true")
    assert page.locator("[aria-invalid]").count() == 1
    expect(panel).to_contain_text(words)
    panel.get_by_role("button").click()
    expect(page.locator(f"#{field}")).to_be_focused()


def test_what_copying_adds_does_no_harm(page: Page) -> None:
    """Blanks, line ends, upper case, other notations of cards: a ticket broken by a mail is still that ticket."""
    torn = "\n".join(TICKET[at : at + 60] for at in range(0, len(TICKET), 60))
    cards = CARDS.upper().replace("TH", "10♥").replace(" ", ", ")
    panel = check(page, ticket=f"  {torn}\n", seed=f" {SEED.upper()}\n", cards=cards)
    assert word(panel) == "Verified"


def test_a_verdict_goes_when_what_it_was_given_on_changes(page: Page) -> None:
    """Nothing that is no longer true stands beside new values; clearing empties everything."""
    check(page, ticket=TICKET, seed=SEED, cards=CARDS)
    page.locator("#seed").fill("00")
    expect(page.locator("#verdict")).to_be_empty()
    expect(page.locator("#steps")).to_be_empty()
    check(page, seed=SEED)
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#verdict")).to_be_empty()
    expect(page.locator("#ticket")).to_have_value("")
    expect(page.locator("#ticket-note")).to_have_text("")


def test_cards_can_be_picked(page: Page) -> None:
    """A press adds a card and the next takes it away; the text field holds what is picked."""
    unfold(page.locator("#picker-box > summary"))
    for name in ("2 of spades", "10 of hearts", "joker 1", "3 of clubs", "joker 1"):
        page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator("#cards")).to_have_value("3c Th 2s")
    expect(page.get_by_role("button", name="3 of clubs")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="joker 1")).to_have_attribute("aria-pressed", "false")
    page.locator("#cards").fill("4d")
    expect(page.get_by_role("button", name="3 of clubs")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_role("button", name="4 of diamonds")).to_have_attribute("aria-pressed", "true")


def test_with_two_packs_a_card_can_be_picked_twice(page: Page) -> None:
    """A third press takes both away."""
    fill(page, ticket=encode_ticket(SAMPLES["eight seats"]().tickets[0]))
    expect(page.locator("#ticket-note")).to_contain_text("2 packs")
    unfold(page.locator("#picker-box > summary"))
    for expected in ("Ah", "Ah Ah", ""):
        page.get_by_role("button", name=re.compile("^ace of hearts")).click()
        expect(page.locator("#cards")).to_have_value(expected)


# ---- links


def test_a_link_carries_everything_and_is_checked_at_once(file: Path) -> None:
    """The fragment fills the fields; it never leaves the browser, so no request has it."""
    values = {"ticket": TICKET, "seed": SEED, "cards": CARDS, "commitment": COMMITMENT}
    with open_page(file) as page:
        page.goto(f"{file.as_uri()}#{urlencode(values)}")
        assert word(verdict_of(page)) == "Verified"
        assert {name: page.locator(f"#{name}").input_value() for name in values} == values
        page.evaluate("(fragment) => { location.hash = fragment; }", urlencode({**values, "seed": "0" * 64}))
        expect(page.locator("#verdict .word")).to_contain_text("Refuted")
        page.get_by_role("link", name="What these words mean").click()
        expect(page.locator("#seed")).to_have_value("0" * 64)


def test_a_link_can_be_pasted_where_the_ticket_goes(page: Page) -> None:
    """Its parts go into their fields."""
    fill(page, ticket=f"https://table.example/verify.html#{urlencode({'ticket': TICKET, 'seed': SEED})}")
    expect(page.locator("#seed")).to_have_value(SEED)
    expect(page.locator("#ticket")).to_have_value(TICKET)


def test_a_hostile_link_is_text(file: Path) -> None:
    """What a fragment carries stands in fields and messages, and nowhere as HTML."""
    with open_page(file) as page:
        page.goto(f"{file.as_uri()}#{urlencode({'ticket': HOSTILE[0], 'seed': HOSTILE[3], 'cards': HOSTILE[1]})}&%zz=%")
        assert word(verdict_of(page)) == "No verdict"
        assert page.title() == "Check your cards - fairdeal"
        assert page.locator("img").count() == 0


# ---- step by step


def test_every_step_can_be_followed(page: Page) -> None:
    """The draws are those of the reference, the stream and the order too, and the hands by position."""
    done = played(4, 3)
    ticket = done.tickets[5]
    seed = done.tree.seeds[ticket.round - 1]
    check(page, ticket=encode_ticket(ticket), seed=seed.hex())
    unfold(page.locator("#steps > details > summary"))
    unfold(page.locator("summary", has_text="Every draw"))
    rows = page.locator("#steps tbody").last.locator("tr").all_inner_texts()
    shown = [tuple(row.split("\t")) for row in rows]
    draws = steps_of(ticket, seed)
    assert [(int(i), int(byte, 16), int(j)) for i, byte, _, j, _ in shown] == [
        (one.i, one.byte, one.j) for one in draws
    ]
    assert [int(mask, 2) for _, _, mask, _, _ in shown] == [2 ** one.i.bit_length() - 1 for one in draws]
    assert ["swap" in what for *_, what in shown] == [one.accepted for one in draws]
    dealing = dealing_of(ticket, seed)
    hands = page.locator("#steps .hands > li").all()
    assert [cards_in(hand) for hand in hands] == [format_cards(sorted(hand)) for hand in dealing.hands]
    expect(hands[ticket.position]).to_contain_text("this ticket")
    for value in (ticket.fingerprint, dealing.commitment, dealing.transcript, *ticket.path):
        expect(page.locator("#steps")).to_contain_text(value.hex())


def test_the_steps_of_a_wrong_seed_show_the_two_fingerprints_and_no_shuffle(page: Page) -> None:
    """What was recomputed stands beside what the ticket holds."""
    check(page, ticket=TICKET, seed="0" * 64)
    unfold(page.locator("#steps > details > summary"))
    expect(page.locator("#steps")).to_contain_text("different")
    expect(page.locator("#steps")).not_to_contain_text("Deck stream")


# ---- a whole match


@pytest.mark.parametrize("name", ["three-seats", "four-seats-signed", "eight-seats-all-keys", "wild-joker-3"])
def test_a_sound_log_shows_no_fault_and_is_not_called_verified(page: Page, name: str) -> None:
    """Everything but the rules is checked; every hand of every round is the one that was dealt."""
    data = (MATCHES / f"{name}.fdl").read_bytes()
    panel = drop(page, data)
    assert word(panel) == "No fault found"
    expect(panel).to_contain_text("fairdeal audit")
    found = states(panel)
    assert [found[one] for one in ("commitment", "seeds", "deals")] == ["passed"] * 3
    assert "failed" not in found.values()
    assert "plays" in " ".join(one for one, state in found.items() if state == "not checked")
    log = Log(data)
    for seat in log.terms.seats:
        expect(page.locator("#log table").first).to_contain_text(seat.name)
    rounds = page.locator("#log details.round")
    unfold(rounds.nth(1).locator("> summary"))
    expect(rounds.nth(1).locator(".stepper")).to_be_visible()
    expect(rounds.nth(1).locator("table")).to_contain_text(log.terms.rules.titles[0])


def test_the_actions_of_a_round_can_be_stepped_through(page: Page) -> None:
    """Hands shrink by what is played, an exchange moves cards, and at the end the last play has been shown."""
    done = played(4, 3)
    drop(page, bytes(done.data))
    table = page.locator("#log details.round").nth(1)
    unfold(table.locator("> summary"))
    said, hands = table.locator(".said"), table.locator(".stepper .hands > li")
    before = [cards_in(hand).split() for hand in hands.all()]
    assert [len(hand) for hand in before] == [13] * 4
    step = table.get_by_role("button", name="Next")
    step.click()
    expect(said).to_contain_text("gives")
    given = cards_in(said).split()
    after = [cards_in(hand).split() for hand in hands.all()]
    assert sorted(len(hand) for hand in after) == [11, 13, 13, 15]
    taker = next(seat for seat, hand in enumerate(after) if len(hand) == 15)
    assert sorted([*before[taker], *given]) == sorted(after[taker])
    table.get_by_role("button", name="Last").click()
    expect(said).to_contain_text(re.compile(r"(\d+) of \1:"))
    assert sum(len(cards_in(hand).split()) for hand in hands.all()) < 14
    table.get_by_role("slider").press("Home")
    expect(said).to_contain_text("0 of")
    assert [cards_in(hand).split() for hand in hands.all()] == before


def test_clock_and_seat_events_are_told(page: Page) -> None:
    """Who lost the connection, who plays on, when the clock acted, and how long a turn took."""
    table = load_preset("president", {"end_at": 2, "turn_seconds": 20})
    drop(page, bytes(simulate(Simulation(table, 4, bytes(31) + b"\5", players="lowest", clock=True)).data))
    rounds = page.locator("#log details.round")
    for at in range(rounds.count()):
        unfold(rounds.nth(at).locator("> summary"))
        unfold(rounds.nth(at).locator("summary", has_text="Everything in one list"))
    told = " ".join(page.locator("#log .told").all_inner_texts())
    assert re.search(r"\(after \d+\.\d s\)", told)
    assert "the clock acted" in told
    assert re.search("loses the connection|leaves for good", told)


@pytest.mark.parametrize(
    ("name", "check_name", "code"),
    [
        ("seed-wrong", "seeds", "seed"),
        ("lock-signature-bad", "signatures", "signature-bad"),
        ("commitment-of-another-secret", "commitment", "commitment"),
        ("opening-of-another-value", "contributions", "contribution-opening"),
        ("blind-wrong", "deals", "blind"),
        ("digest-wrong", "close", "digest"),
    ],
)
def test_a_faulty_log_is_refuted(page: Page, name: str, check_name: str, code: str) -> None:
    """The check that failed is marked, and the finding has its code and title."""
    panel = drop(page, (MATCHES / "faulty" / f"{name}.fdl").read_bytes())
    assert word(panel) == "Refuted"
    assert states(panel)[check_name] == "failed"
    expect(panel.locator(".findings")).to_contain_text(f"({code})")


def test_faults_of_play_are_not_found_and_the_page_says_so(page: Page) -> None:
    """A log that breaks only the rules looks sound here, and is never called verified."""
    panel = drop(page, (MATCHES / "faulty" / "play-too-low.fdl").read_bytes())
    assert word(panel) == "No fault found"
    expect(panel).to_contain_text("the plays are not judged here")


def test_a_malformed_log_is_read_as_far_as_it_goes(page: Page) -> None:
    """What stands before the break is shown, and where it breaks."""
    data = bytes(played(4, 3).data)
    panel = drop(page, data[:-20], "broken.fdl")
    assert word(panel) == "No verdict"
    expect(panel).to_contain_text("Reading ended at byte")
    assert page.locator("#log details.round").count() == 3
    panel = drop(page, b"\xc1 no log at all")
    assert word(panel) == "No verdict"
    expect(panel).to_contain_text("cannot be read as a log")
    expect(page.locator("#log")).to_be_empty()
    assert word(drop(page, data)) == "No fault found"


def test_a_log_without_end_is_incomplete(page: Page) -> None:
    """A cut between two records leaves rounds that ended and one that did not."""
    done = played(4, 3)
    panel = drop(page, bytes(done.data[: Log(bytes(done.data)).items[-1].start]))
    assert word(panel) == "Incomplete"
    expect(panel).to_contain_text("(unfinished)")


def test_a_ticket_in_the_form_is_held_against_the_log(page: Page) -> None:
    """One of this match counts as evidence, one of another is left out."""
    done = all_signed(4, 2)
    own = {"ticket": encode_ticket(done.tickets[1]), "commitment": done.tree.commitment().hex()}
    fill(page, **own)
    panel = drop(page, bytes(done.data))
    expect(panel).to_contain_text("was held against this log: passed")
    fill(page, ticket=TICKET)
    panel = drop(page, bytes(done.data))
    expect(panel).to_contain_text("of another match and was left out")
    fill(page, ticket=own["ticket"], commitment="ab" * 32)
    assert word(drop(page, bytes(done.data))) == "Refuted"


def test_a_log_can_be_chosen_by_button(page: Page, tmp_path: Path) -> None:
    """The same file can be chosen again after it has changed."""
    path = tmp_path / "mine.fdl"
    path.write_bytes(bytes(played().data))
    for expected in ("No fault found", "No verdict"):
        with page.expect_file_chooser() as chosen:
            page.get_by_role("button", name="Open a log").click()
        chosen.value.set_files(path)
        expect(page.locator("#log-verdict .word strong")).to_have_text(expected)
        expect(page.locator("#log-verdict")).to_contain_text("mine.fdl")
        path.write_bytes(b"\xc1")


def test_a_text_that_is_dragged_is_left_to_the_field(page: Page) -> None:
    """Only files are taken from the browser; the page does not stand in the way of the rest."""
    script = """(kind) => {
        const moved = new DataTransfer();
        if (kind === 'file') moved.items.add(new File(['x'], 'x.fdl'));
        else moved.setData('text/plain', 'fd1.');
        return !document.getElementById('ticket')
            .dispatchEvent(new DragEvent('dragover', { dataTransfer: moved, bubbles: true, cancelable: true }));
    }"""
    assert [page.evaluate(script, kind) for kind in ("file", "text")] == [True, False]


def test_a_file_larger_than_any_log_is_not_read(page: Page) -> None:
    """Its size is enough to refuse it."""
    page.evaluate("page.openLog(new File([new Uint8Array(16 * 1024 * 1024 + 1)], 'large.fdl'))")
    panel = verdict_of(page, "#log-verdict")
    assert word(panel) == "No verdict"
    expect(panel).to_contain_text("larger than any log")


def test_a_failure_of_the_page_is_no_verdict(page: Page) -> None:
    """Whatever goes wrong in the page, nothing green stays and nothing red appears."""
    check(page, ticket=TICKET, seed=SEED, cards=CARDS)
    page.evaluate("() => { fairdeal.verifyTicket = fairdeal.checkLog = () => { throw new Error('out of order'); }; }")
    panel = check(page, ticket=TICKET)
    assert word(panel) == "No verdict"
    expect(panel).to_contain_text("out of order")
    assert word(drop(page, bytes(played().data))) == "No verdict"


@cache
def hostile() -> Simulated:
    """Return a sound match in which names, titles and the ruleset's name are as bad as a log may have them."""
    rules = {"end_at": 2, "name": HOSTILE[0], "titles": [*HOSTILE, "e\u0301" * 20]}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("fairdeal.simulate.NAMES", HOSTILE)
        return simulate(Simulation(load_preset("president", rules), 4, bytes(31) + b"\6", players="lowest"))


def test_hostile_names_are_shown_as_text(page: Page) -> None:
    """They stand in the page letter for letter, each in an element that keeps its direction to itself."""
    panel = drop(page, bytes(hostile().data), HOSTILE[0].replace("/", "\u2215"))
    assert word(panel) == "No fault found"
    unfold(page.locator("#log details.round > summary").first)
    names = page.locator("#log bdi.name").all_text_contents()
    assert set(names) == set(HOSTILE)
    assert set(HOSTILE) <= set(page.locator("#log td bdi").all_text_contents())
    assert page.title() == "Check your cards - fairdeal"
    assert page.locator("img").count() == 0
    isolated = "(all) => all.every((one) => getComputedStyle(one).unicodeBidi === 'isolate')"
    assert page.locator("#log bdi").evaluate_all(isolated)


# ---- where it comes from, and how it is used


@contextmanager
def served(file: Path) -> Iterator[tuple[str, list[str]]]:
    """Serve the folder of a file on this machine; hand out the file's address, and what is asked for."""
    asked: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(file.parent))

        def translate_path(self, path: str) -> str:
            asked.append(path)
            return super().translate_path(path)

        def log_message(self, *words: object) -> None:
            del words

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{file.name}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_from_a_server_nothing_but_the_page_is_asked_for_and_its_link_works(file: Path) -> None:
    """The link that is copied opens the same check; ticket, seed and cards reach no server."""
    with served(file) as (address, asked):
        context = browser().new_context(permissions=["clipboard-read", "clipboard-write"])
        try:
            page = context.new_page()
            requests: list[str] = []
            complaints: list[str] = []
            context.on("request", lambda one: requests.append(one.url))
            page.on("console", lambda one: complaints.append(one.text))
            page.goto(address)
            check(page, ticket=TICKET, seed=SEED, cards=CARDS)
            page.get_by_role("button", name="Copy a link").click()
            expect(page.get_by_role("button", name="Copied")).to_be_visible()
            link = page.evaluate("navigator.clipboard.readText()")
            other = context.new_page()
            other.goto(link)
            assert word(verdict_of(other)) == "Verified"
            drop(other, bytes(played().data))
            assert complaints == []
        finally:
            context.close()
    assert link.startswith(f"{address}#ticket=fd1.")
    assert {one.split("#")[0] for one in requests} == {address}
    assert set(asked) == {f"/{file.name}"}


def test_over_plain_http_the_page_says_that_it_cannot_compute() -> None:
    """Browsers withhold cryptography there: nothing can be pressed, and it says what to do."""
    context = browser().new_context()
    try:
        page = context.new_page()
        page.route("**/*", lambda route: route.fulfill(body=page_html(), content_type="text/html; charset=utf-8"))
        page.goto(f"http://table.example/verify.html#{urlencode({'ticket': TICKET})}")
        assert page.evaluate("crypto.subtle === undefined")
        expect(page.get_by_role("alert")).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text("Save the page")
        expect(page.get_by_role("button", name="Check", exact=True)).to_be_disabled()
        expect(page.get_by_role("button", name="Open a log")).to_be_disabled()
        expect(page.locator("#verdict")).to_be_empty()
    finally:
        context.close()


def test_where_it_can_compute_no_warning_is_shown(page: Page) -> None:
    """The alert is for plain http only."""
    expect(page.locator("#blocked")).to_be_hidden()


def test_everything_can_be_done_by_keyboard(page: Page) -> None:
    """From field to field with the tabulator, Enter on the button, and on through the verdict to the steps."""
    expect(page.locator("#check")).to_be_enabled()
    page.locator("#ticket").focus()
    for value in (TICKET, SEED, CARDS):
        page.keyboard.insert_text(value)
        page.keyboard.press("Tab")
    for name in ("Pick the cards", "More to compare", "Check"):
        expect(page.locator(":focus")).to_contain_text(name)
        if name != "Check":
            page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert word(verdict_of(page)) == "Verified"
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_contain_text("Copy a link")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Step by step")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Deck stream")).to_be_visible()


HAS_TEXT: Final = "[...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')"
SIZES: Final = f"""() => [...document.querySelectorAll('body *')]
    .filter((one) => one.checkVisibility() && {HAS_TEXT})
    .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.outerHTML.slice(0, 80)])"""
TARGETS: Final = """() => [...document.querySelectorAll('button, summary, textarea, nav a, input:not(.unseen)')]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.getBoundingClientRect(), one.outerHTML.slice(0, 80)])
    .map(([box, what]) => [Math.min(box.width, box.height), what])"""
CONTRASTS: Final = f"""() => {{
    const canvas = document.createElement('canvas').getContext('2d', {{ willReadFrequently: true }});
    const over = (colours) => {{
        canvas.clearRect(0, 0, 1, 1);
        for (const colour of colours) {{ canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }}
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((one) => one / 255);
    }};
    const linear = (one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05;
    const grounds = (one) => (one ? [...grounds(one.parentElement), getComputedStyle(one).backgroundColor] : ['white']);
    const contrast = (one) => {{
        const behind = grounds(one);
        const ratio = light(over([...behind, getComputedStyle(one).color])) / light(over(behind));
        return Math.max(ratio, 1 / ratio);
    }};
    const shows = (one) => one.checkVisibility() && !one.closest('.unseen, :disabled') && {HAS_TEXT};
    return [...document.querySelectorAll('body *')].filter(shows)
        .map((one) => [contrast(one), one.outerHTML.slice(0, 80)]);
}}"""


def busy(page: Page) -> None:
    """Bring the page into a state in which it shows all that it can show."""
    check(page, ticket=TICKET, seed=SEED, cards=CARDS.replace("2c", "2d"), commitment="ab" * 32)
    unfold(page.locator("#picker-box > summary"))
    unfold(page.locator("#steps > details > summary"))
    unfold(page.locator("summary", has_text="Every draw"))
    drop(page, bytes(hostile().data))
    unfold(page.locator("#log details.round > summary").last)
    unfold(page.locator("summary", has_text="Everything in one list"))


@pytest.mark.parametrize("width", [NARROW, PHONE, DESKTOP])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_fits_and_can_be_read_and_touched(file: Path, width: int, *, dark: bool) -> None:
    """Nothing sticks out at the side, no text is below 14 px, and what can be pressed has 40 px."""
    with open_page(file, width, dark=dark) as page:
        busy(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert [one for one in page.evaluate(SIZES) if one[0] < LEAST_TEXT] == []
        assert [one for one in page.evaluate(TARGETS) if one[0] < LEAST_TARGET] == []


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_from_its_ground(file: Path, *, dark: bool) -> None:
    """Every text that is shown has a contrast of 4.5 or more against the colour behind it (WCAG 2, level AA)."""
    with open_page(file, dark=dark) as page:
        busy(page)
        assert [one for one in page.evaluate(CONTRASTS) if one[0] < LEAST_CONTRAST] == []


def test_what_is_printed_is_the_verdict_with_what_it_was_given_on(page: Page) -> None:
    """On paper there are no fields and buttons, but ticket and seed stand there to be checked again."""
    panel = check(page, ticket=TICKET, seed=SEED, cards=CARDS)
    page.emulate_media(media="print")
    expect(page.locator("#form")).to_be_hidden()
    expect(panel.locator(".printonly")).to_be_visible()
    expect(panel.locator(".printonly")).to_contain_text(TICKET)
    expect(panel.locator(".printonly")).to_contain_text(SEED)
    expect(panel.get_by_text("Verified")).to_be_visible()
    expect(page.get_by_text("What these words mean")).to_have_count(2)
    expect(page.locator("#help")).to_be_hidden()


def test_a_screen_reader_hears_cards_in_words_and_verdicts_as_they_come(page: Page) -> None:
    """Signs are hidden from it, words are hidden from the eye, and the verdict stands in a live region."""
    panel = check(page, ticket=TICKET, seed=SEED, cards=CARDS)
    card = panel.locator(".hand .card").first
    expect(card.locator("[aria-hidden]")).to_have_text(f"3{SUITS['c']}")
    expect(card.locator(".unseen")).to_have_text("3 of clubs")
    assert page.locator("[aria-live] .word").count() == 1
