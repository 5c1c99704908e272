"""The auditor's report in a browser: the replay shows what the engine says, and nothing in a log can act in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from fairdeal.codec import Log
from fairdeal.hands import hand_cards
from fairdeal.html.markup import unsteered
from fairdeal.html.replay_data import told
from fairdeal.law import NATURAL
from fairdeal.play import NOBODY, Round
from fairdeal.records import Action
from fairdeal.replay import replay
from tests.browsing import PHONE, open_page
from tests.conftest import played, rebuilt
from tests.reports import HOSTILE, HOUSES, hostile_page, house, logged, page_of, page_of_sample, report_on

SAMPLES: Final = (
    "three-seats",
    "four-seats-signed",
    "president-8",
    "party-6",
    "prezydent-5",
    "le-president-7",
    "wild-joker-5",
    "wild-twos-4",
    "always-match-3",
    "clock-six-seats",
)
FAULTS: Final = ("play-too-low", "tribute-not-best", "exchange-missing", "return-not-held", "clock-leads-a-pair")
NARROW: Final = 360
STATE: Final = """({ round, frame }) => {
  const state = replay.stateAt(round, frame);
  return {
    hands: state.hands, turn: state.turn, trick: state.trick, turned: state.turned, closed: state.closed,
    pile: state.pile.map((step) => [step.seat, step.cards]), out: [...state.out.keys()], passed: [...state.passed],
    skipped: state.skipped, clock: state.clock, fault: state.fault, noted: state.noted, players: state.players.join(""),
  };
}"""


@contextmanager
def report(folder: Path, text: str, width: int = 1280, *, dark: bool = False) -> Iterator[Page]:
    """Open a report that has been written to a file."""
    path = folder / "report.html"
    path.write_text(text, encoding="utf-8")
    with open_page(path, width, dark=dark) as page:
        yield page


def state_at(page: Page, index: int, frame: int) -> dict[str, Any]:
    """Return what the replay knows at a frame."""
    state: dict[str, Any] = page.evaluate(STATE, {"round": index, "frame": frame})
    return state


def states(page: Page, spots: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """Return what the replay knows at many frames."""
    wanted = [{"round": index, "frame": frame} for index, frame in spots]
    # as one text: to take thousands of values apart one by one would take the browser's door a minute
    found: list[dict[str, Any]] = json.loads(page.evaluate(f"(spots) => JSON.stringify(spots.map({STATE}))", wanted))
    return found


def position(page: Page) -> int:
    """Return where in the match the replay stands."""
    return int(page.locator(".track input").input_value())


class Engine:
    """Notes the engine's state before every action, in the form in which the replay has it, by round."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.seen: dict[str, list[dict[str, Any]]] = {}

    def __call__(self, place: str, state: Round, action: Action) -> None:
        """Note a state."""
        del action
        self.seen.setdefault(place, []).append(
            {
                "hands": [list(hand_cards(hand)) for hand in state.hands],
                "turn": None if state.turn == NOBODY else state.turn,
                "turned": state.order is not NATURAL,
                "out": sorted([*state.finishing, *state.dropped]),
                "trick": state.trick,
                "lead": not state.count,
                "skipped": None if state.skipped == NOBODY or not state.count else state.skipped,
                "last": state.last,
            }
        )


@pytest.mark.parametrize("name", [*SAMPLES, *HOUSES])
def test_the_replay_shows_the_engines_states(name: str, tmp_path: Path) -> None:
    """Before every action of every round: hands, who is on turn, who is out, the trick, the pile, the order."""
    data = house(name) if name in HOUSES else logged(name).read_bytes()
    engine = Engine()
    replay(Log(data), engine)
    match = told(data)
    spots: list[tuple[int, int]] = []
    due: list[dict[str, Any]] = []
    for index, one in enumerate(match.data["rounds"]):
        frames = [at for at, step in enumerate(one["steps"]) if step[0] == "a"]
        spots += [(index, frame) for frame in frames]
        due += engine.seen[f"round[{index + 1}]"]
    with report(tmp_path, page_of(data)) as page:
        shown = states(page, spots)
    assert len(shown) == len(due)
    for state, wanted in zip(shown, due, strict=True):
        assert state["hands"] == wanted["hands"]
        assert (state["turn"], state["turned"]) == (wanted["turn"], wanted["turned"])
        assert sorted(state["out"]) == wanted["out"]
        assert state["trick"] + (state["closed"] is not None) == wanted["trick"]
        assert (not state["pile"] or state["closed"] is not None) == wanted["lead"]
        if not wanted["lead"]:
            assert state["pile"][-1][0] == wanted["last"]
            assert state["skipped"] == wanted["skipped"]


def test_hands_before_an_exchange_are_those_that_were_dealt(tmp_path: Path) -> None:
    """And the gifts change them one by one."""
    with report(tmp_path, page_of_sample("president-4")) as page:
        dealt, first = state_at(page, 1, 0), state_at(page, 1, 1)
        assert [len(hand) for hand in dealt["hands"]] == [13] * 4
        assert dealt["turn"] is None
        assert sorted(len(hand) for hand in first["hands"]) == [11, 13, 13, 15]
        assert sorted(chain(*dealt["hands"])) == sorted(chain(*first["hands"]))


@pytest.mark.parametrize("name", FAULTS)
def test_show_in_replay_jumps_to_the_fault(name: str, tmp_path: Path) -> None:
    """The step is marked on the table and in the list, and the finding stands beside it with what was lawful."""
    with report(tmp_path, page_of_sample(name)) as page:
        button = page.locator("button.show").first
        expect(button).to_be_visible()
        number = button.get_attribute("data-finding")
        button.click()
        expect(page.locator("#stage")).to_be_focused()
        beside = page.locator(".at-fault .facts").first
        assert beside.inner_text() == page.locator(f"#finding-{number} .facts").inner_text()
        expect(page.locator(".steps [aria-current] .bad")).to_have_count(1)
        expect(page.locator(".middle .wrong, .attempt").first).to_be_visible()
        expect(page.locator("#stage")).to_be_in_viewport()


def test_behind_a_fault_the_log_is_told_without_hands(tmp_path: Path) -> None:
    """The table says so; the next round is known again."""
    with report(tmp_path, page_of_sample("play-too-low")) as page:
        page.locator("button.show").first.click()
        expect(page.locator(".felt .hand.quiet")).to_have_count(0)
        page.keyboard.press("ArrowRight")
        expect(page.locator(".felt .hand.quiet")).to_have_count(4)
        expect(page.locator(".at-fault")).to_contain_text("the hands are not known")
        page.keyboard.press("PageDown")
        expect(page.locator(".felt .hand.quiet")).to_have_count(0)


def test_a_fault_of_the_clock_leaves_the_hands_known(tmp_path: Path) -> None:
    """The action is marked and the round goes on."""
    with report(tmp_path, page_of_sample("clock-leads-a-pair")) as page:
        page.locator("button.show").first.click()
        expect(page.locator(".middle .top .wrong")).to_have_count(2)
        page.keyboard.press("ArrowRight")
        expect(page.locator(".felt .hand.quiet")).to_have_count(0)


def test_buttons_step_through_actions_tricks_and_rounds(tmp_path: Path) -> None:
    """Each does what its name says, and stops at the ends."""
    with report(tmp_path, page_of_sample("three-seats")) as page:
        last = int(page.locator(".track input").get_attribute("max") or "0")

        def press(name: str) -> int:
            page.get_by_role("button", name=name, exact=True).click()
            return position(page)

        assert position(page) == 0
        assert press("previous step") == 0
        assert press("next step") == 1
        assert press("previous step") == 0
        assert press("next trick") == 1
        second = press("next trick")
        expect(page.locator(".middle .badges")).to_contain_text("trick 2")
        assert press("previous trick") == 1
        start = press("next round")
        assert start > second
        expect(page.locator(".story")).to_have_text("Round 2 is dealt.")
        assert press("previous round") == 0
        assert press("last step") == last
        assert press("next step") == last
        assert press("next round") == last
        expect(page.locator(".middle")).to_contain_text("Round 5 ends")
        assert press("previous round") < last
        assert press("first step") == 0


def test_keys_do_what_the_buttons_do(tmp_path: Path) -> None:
    """Once the replay has the focus; a control's own keys stay its own."""
    with report(tmp_path, page_of_sample("play-too-low")) as page:
        page.locator("#stage").focus()
        for key, where in [("ArrowRight", 1), ("ArrowLeft", 0), ("ArrowDown", 1), ("Home", 0), ("n", None)]:
            page.keyboard.press(key)
            if where is not None:
                assert position(page) == where
        expect(page.locator(".at-fault .finding")).to_have_count(1)
        fault = position(page)
        page.keyboard.press("End")
        assert position(page) > fault
        page.keyboard.press("p")
        assert position(page) == fault
        page.keyboard.press("PageUp")
        assert position(page) == 0
        page.keyboard.press("Control+ArrowRight")
        assert position(page) == 0
        page.locator(".bar select").focus()
        page.keyboard.press("ArrowDown")
        assert page.locator(".bar select").input_value() == "1"
        expect(page.locator(".story")).to_have_text("Round 2 is dealt.")


def test_the_page_scrolls_by_keys_where_the_replay_is_not_meant(tmp_path: Path) -> None:
    """At the top of the report the arrows and the space bar are the reader's."""
    with report(tmp_path, page_of_sample("three-seats")) as page:
        page.keyboard.press("ArrowRight")
        page.keyboard.press(" ")
        assert position(page) == 0
        expect(page.locator("button.primary")).to_contain_text("Play")


def test_it_plays_by_itself_until_it_is_paused(tmp_path: Path) -> None:
    """The first step comes at once; a step by hand pauses, and at the end it stops."""
    with report(tmp_path, page_of_sample("three-seats")) as page:
        page.locator("#stage").focus()
        page.keyboard.press(" ")
        expect(page.locator(".track input")).not_to_have_value("0")
        expect(page.locator("button.primary")).to_contain_text("Pause")
        page.keyboard.press("ArrowRight")
        expect(page.locator("button.primary")).to_contain_text("Play")
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        before = position(page)
        page.locator("button.primary").click()
        expect(page.locator(".track input")).to_have_value(str(before + 1))
        expect(page.locator("button.primary")).to_contain_text("Play")


def test_slider_list_and_choice_of_round_go_anywhere(tmp_path: Path) -> None:
    """The list is that of the round shown, with the current step marked."""
    with report(tmp_path, page_of_sample("president-4")) as page:
        page.locator(".track input").fill("40")
        assert position(page) == 40
        page.locator(".bar select").select_option("2")
        expect(page.locator(".story")).to_have_text("Round 3 is dealt.")
        page.locator(".steps button").nth(3).click()
        expect(page.locator(".steps [aria-current=step]")).to_have_attribute("data-frame", "3")
        expect(page.locator(".middle")).to_contain_text("→")
        page.locator(".steps button").last.click()
        expect(page.locator(".middle")).to_contain_text("Round 3 ends")


def test_the_tab_key_stops_once_in_the_list(tmp_path: Path) -> None:
    """At the current step; the arrows move on from there and take the focus along."""
    with report(tmp_path, page_of_sample("three-seats")) as page:
        expect(page.locator(".steps button[tabindex='0']")).to_have_count(1)
        page.locator(".steps [aria-current]").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".steps button[data-frame='1']")).to_be_focused()
        expect(page.locator(".steps button[tabindex='0']")).to_have_count(1)


def test_titles_stand_at_the_seats_in_their_language(tmp_path: Path) -> None:
    """Those of the round before, marked as the ruleset's words."""
    with report(tmp_path, page_of_sample("prezydent-4")) as page:
        expect(page.locator(".felt .roles [lang]")).to_have_count(0)
        page.locator("#stage").focus()
        page.keyboard.press("PageDown")
        expect(page.locator(".felt .roles [lang=pl]")).to_have_count(4)
        expect(page.locator(".felt .roles [lang=pl]").filter(has_text="Prezydent")).to_have_count(1)


def first_step(page: Page, what: str) -> None:
    """Go to the first step of the match of which a condition of the script holds."""
    steps = "replay.rounds.flatMap((one, round) => one.steps.map((step, at) => ({ step, round, frame: at + 1 })))"
    found = page.evaluate(f"{steps}.find(({{ step }}) => {what})")
    page.locator(".bar select").select_option(str(found["round"]))
    page.locator(f".steps button[data-frame='{found['frame']}']").click()


def test_clock_and_seat_events_are_shown(tmp_path: Path) -> None:
    """Seconds since the deal, acts of the clock, who plays on for whom."""
    with report(tmp_path, page_of_sample("clock-six-seats")) as page:
        first_step(page, "step.kind === 'e'")
        expect(page.locator(".news")).to_contain_text("plays on")
        expect(page.locator(".felt .roles").filter(has_text="bot").first).to_be_visible()
        first_step(page, "'k' in step.effects")
        expect(page.locator(".middle")).to_contain_text("the clock acted")
        expect(page.locator(".middle")).to_contain_text("s since the deal")


@pytest.mark.parametrize(
    ("name", "what", "words"),
    [
        ("party-6", "'s' in step.effects", "misses a turn"),
        ("party-6", "step.closed === 't'", "twos end the trick"),
        ("wild-joker-5", "step.closed === 'w'", "the joker sweeps the pile away"),
        ("le-president-4", "step.closed === 'c'", "the rank is complete"),
        ("prezydent-4", "'r' in step.effects", "the order is turned over"),
        ("wild straights, burns, locks", "'x' in step.effects", "straight up to"),
        ("skips, drops, new seats", "'d' in step.effects", "behind all others"),
        ("skips, drops, new seats", "'u' in step.effects", "back to normal"),
        ("wild straights, burns, locks", "step.closed === 'b'", "ends the trick"),
        ("president-4", "'o' in step.effects", "is out, 1st"),
        ("prezydent-5", "step.closed === 'p'", "nobody else answers"),
    ],
)
def test_what_a_step_did_is_said(name: str, what: str, words: str, tmp_path: Path) -> None:
    """In the middle of the table, from what the data says and not from rules."""
    with report(tmp_path, page_of(house(name)) if name in HOUSES else page_of_sample(name)) as page:
        first_step(page, what)
        expect(page.locator(".middle")).to_contain_text(words)


@pytest.mark.parametrize("name", ["void-stopped", "log-cut-in-a-round", "log-without-close", "round-end-missing"])
def test_every_frame_of_an_odd_log_can_be_drawn(name: str, tmp_path: Path) -> None:
    """Void, unfinished and cut logs are stepped through to the end without an error."""
    with report(tmp_path, page_of_sample(name)) as page:
        page.evaluate(
            """() => {
              for (const round of replay.rounds)
                for (let frame = 0; frame < round.frames; frame += 1)
                  replay.table(round, frame, replay.stateAt(round.index, frame));
            }"""
        )
        page.locator("#stage").focus()
        page.keyboard.press("End")
        assert position(page) == int(page.locator(".track input").get_attribute("max") or "0")


def test_a_round_in_progress_is_told_without_hands(tmp_path: Path) -> None:
    """Its seed is not revealed; the log's own words are shown."""
    done = played(4, 2)
    data = rebuilt(done.records[: [type(one).__name__ for one in done.records].index("RoundEnd") + 4])
    with report(tmp_path, page_of(data)) as page:
        page.locator("#stage").focus()
        page.keyboard.press("PageDown")
        expect(page.locator(".middle")).to_contain_text("cannot be worked out")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".middle .cards")).to_be_visible()


@pytest.mark.parametrize("data", [b"", b"\xc1", bytes(played().data)[:-200] + b"\xc1"])
def test_a_malformed_log_has_a_report_that_stands_in_a_browser(data: bytes, tmp_path: Path) -> None:
    """With as much of a replay as could be read."""
    with report(tmp_path, page_of(data)) as page:
        expect(page.locator("h1")).to_contain_text("no verdict")
        assert page.locator("#stage").count() == bool(len(data) > 1)


@pytest.mark.parametrize("name", ["president-8", "play-too-low", "clock-six-seats"])
@pytest.mark.parametrize("width", [NARROW, PHONE, 700, 1280])
def test_nothing_sticks_out_of_a_window(name: str, width: int, tmp_path: Path) -> None:
    """At no width does the page scroll sideways, neither at the beginning nor in the replay."""
    with report(tmp_path, page_of_sample(name), width, dark=width == PHONE) as page:
        for key in (None, "PageDown", "ArrowDown", "ArrowRight", "End"):
            if key is not None:
                page.locator("#stage").press(key)
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_print_has_the_report_and_not_the_replay(tmp_path: Path) -> None:
    """Verdict, guarantees, findings with their explanations, standings and chart; no buttons."""
    with report(tmp_path, page_of_sample("play-too-low"), dark=True) as page:
        page.emulate_media(media="print")
        for shown in ("h1", "#guarantees", "#finding-1", "#finding-1 .explained p", "#standings table", ".chart"):
            expect(page.locator(shown).first).to_be_visible()
        for hidden in ("#replay", "nav", "button.show"):
            expect(page.locator(hidden).first).to_be_hidden()


def test_every_control_has_a_name(tmp_path: Path) -> None:
    """Whoever listens knows what each button does, and what the step is."""
    with report(tmp_path, page_of_sample("play-too-low")) as page:
        for control in page.locator("#replay button, #replay input, #replay select").all():
            assert (control.get_attribute("aria-label") or control.inner_text()).strip()
        page.locator("button.show").first.click()
        expect(page.get_by_role("status")).to_have_text(
            "Round 1, trick 9: \u2068East\u2069 plays 4 of spades; this is at fault."
        )


def test_no_text_of_a_log_can_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names, titles and ruleset are shown as texts; nothing runs and nothing is asked for."""
    with report(tmp_path, hostile_page(monkeypatch, "<script>window.ran = 6</script>.fdl")) as page:
        page.locator("#stage").focus()
        for key in ("PageDown", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight", "End"):
            page.keyboard.press(key)
            assert page.evaluate("window.ran") is None
        names = page.locator(".felt .who bdi").all_text_contents()
        assert sorted(names) == sorted(map(unsteered, HOSTILE))
        assert set(page.locator(".felt .roles [lang=en]").all_text_contents()) == set(map(unsteered, HOSTILE[:5]))
        assert page.locator("img, iframe, object, embed, link, form").count() == 0
        assert page.evaluate("document.scripts.length") == 2
        policy = page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content") or ""
        assert policy.startswith("default-src 'none'; script-src 'sha256-")
        for width in (NARROW, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width


SMUGGLE: Final = """() => {
  const script = document.createElement("script");
  script.textContent = "window.ran = 1";
  document.body.append(script);
  const image = document.createElement("div");
  image.innerHTML = "<img src='x' onerror='window.ran = 2'>";
  document.body.append(image);
  return window.ran === undefined;
}"""


def smuggle(path: Path) -> None:
    """Open a report and put a script and a handler into it."""
    with open_page(path) as page:
        assert page.evaluate(SMUGGLE)


def test_the_policy_stops_what_the_page_itself_would_never_do(tmp_path: Path) -> None:
    """A script that came in does not run, a handler neither, and no address is asked."""
    path = tmp_path / "report.html"
    path.write_text(page_of_sample("three-seats"), encoding="utf-8")
    with pytest.raises(AssertionError, match="Content Security Policy"):
        smuggle(path)


def test_the_replay_has_every_finding_that_it_can_show(tmp_path: Path) -> None:
    """As many buttons as findings with a place in a round."""
    data = logged("play-too-low").read_bytes()
    match = told(data)
    shown = [one for one in report_on(data).findings if match.spot(one.place) is not None]
    with report(tmp_path, page_of(data)) as page:
        expect(page.locator("button.show")).to_have_count(len(shown))
        expect(page.locator(".tick")).to_have_count(len(shown))
