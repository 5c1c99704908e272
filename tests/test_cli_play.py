"""A match at the terminal: to its end, left and gone on with at every point, told without a hidden card, audited."""

from __future__ import annotations

import builtins
import io
import os
import pty
import re
import secrets
import select
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.anchor import CONTRIBUTIONS, PUBLISHED, RECEIPTS, TICKETS, parse_receipt, read_folder
from fairdeal.cards import CARD_NAMES, FACES, FIRST_JOKER, format_cards, parse_cards
from fairdeal.cli import main
from fairdeal.cli.playing import PERSON
from fairdeal.cli.seat import Answer, Held, Left, What, parse_answer, read_answer, show
from fairdeal.codec import Log
from fairdeal.deal import hands_of_round
from fairdeal.draws import Draws
from fairdeal.errors import Misuse
from fairdeal.records import Actions, Close, Commitment, Deal, Exchange, Opened, RoundEnd, Sealed
from fairdeal.replay import replay
from fairdeal.ruleset import load_preset, preset_names
from fairdeal.table import Table
from fairdeal.ticket import decode_ticket
from tests.conftest import Ran, environment, refused, run, shell
from tests.strategies import some

SHORT = ("--rounds", 2)
REQUIRE = ("--require", "unchanged,anchored,recorded,unchosen,rules")
PROMPT = re.compile(r"(?:play|lead|give (\d+) to .*)> \Z")


# --- somebody at the keyboard


def lawful(shown: str) -> list[str]:
    """Return the answers that a `?` has listed last."""
    listed = shown.rsplit("  lawful  ", 1)[1].split(";", maxsplit=1)[0]
    return [" ".join(one.split()) for one in listed.split(",")]


def own_cards(shown: str) -> list[str]:
    """Return the hand as it was shown last."""
    first, *more = shown.rsplit("\n  you     ", 1)[1].splitlines()
    return " ".join([first, *takewhile(lambda line: line.startswith(" " * 10), more)]).split()


def choice(shown: str, prompt: re.Match[str], *, largest: bool = False) -> str:
    """Return the first lawful play or the largest, a pass where there is no other; in an exchange the lowest cards."""
    if prompt[1]:
        return " ".join(own_cards(shown)[: int(prompt[1])])
    return min(lawful(shown), key=lambda answer: (answer == "p", -len(answer) * largest))


@dataclass
class Person:
    """Standard input that reads the output so far, asks `?` at each prompt and then makes its choice.

    `answers` come first, as they stand, and `gifts` where the first gift is due; behind `moves` choices the input ends.
    """

    screen: Callable[[], str]
    answers: list[str]
    gifts: list[str]
    moves: int
    largest: bool
    asked: bool = False

    def isatty(self) -> bool:
        """Return that this is no terminal."""
        return False

    def readline(self) -> str:
        """Return the next line."""
        if self.answers:
            return f"{self.answers.pop(0)}\n"
        if not self.moves:
            return ""
        shown = self.screen()
        prompt = PROMPT.search(shown)
        assert prompt, shown[-300:]
        if prompt[1] and self.gifts:
            return f"{self.gifts.pop(0)}\n"
        self.asked = not self.asked
        if self.asked:
            return "?\n"
        self.moves -= 1
        return f"{choice(shown, prompt, largest=self.largest)}\n"


def play(
    *options: object, answers: Sequence[str] = (), gifts: Sequence[str] = (), moves: int = -1, largest: bool = False
) -> Ran:
    """Run `fairdeal play` in this process with a person at the keyboard."""
    kept = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(buffer, encoding="utf-8") for buffer in (out, err)]
    sys.stdout, sys.stderr = streams
    person = Person(lambda: out.getvalue().decode("utf-8"), [*answers], [*gifts], moves, largest)
    sys.stdin = cast(TextIO, person)
    try:
        main(["play", *map(str, options)])
        code: object = 0
    except SystemExit as ended:
        code = ended.code or 0
    finally:
        for stream in streams:
            stream.flush()
        sys.stdin, sys.stdout, sys.stderr = kept
    assert isinstance(code, int)
    return Ran(code, out.getvalue(), err.getvalue().decode("utf-8"))


def audited(folder: Path) -> Ran:
    """Audit a finished match with what its person holds; everything has to be proven."""
    ran = run("audit", folder / "match.fdl", "--evidence", folder / "held", *REQUIRE)
    assert ran.code == 0, ran
    assert ran.text.startswith("verified  ")
    return ran


def pinned(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Let the random bytes of all that follows be the ones of a number."""
    draws = Draws(bytes([number]) * 32)
    monkeypatch.setattr(secrets, "token_bytes", lambda size: bytes(draws.below(256) for _ in range(size)))


@cache
def giving() -> int:
    """Return the number of a match in which the person owes something in its exchange, as in half of all."""
    for number in range(100):
        with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
            pinned(patch, number)
            if re.search("^give .*> ", play("-o", folder, *SHORT).text, re.MULTILINE):
                return number
    raise AssertionError("nobody ever owes anything")


def finished(ran: Ran, folder: Path) -> Ran:
    """Return a run that has ended its match, which is verified, here and by the command it names."""
    assert ran.code == 0, ran
    *_, head, command, says, verdict = ran.text.splitlines()
    assert (head, says) == ("audit it yourself:", "which says now:")
    assert verdict == f"verified  {folder / 'match.fdl'}"
    program, *arguments = shlex.split(command)
    assert program == "fairdeal"
    assert run("-q", *arguments).text == f"{verdict}\n"
    audited(folder)
    return ran


# --- whole matches


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("many", [False, True], ids=["smallest table", "largest table"])
def test_every_preset_is_played_to_the_end_through_a_pipe(preset: str, many: bool, tmp_path: Path) -> None:
    """The match is verified with what the person holds, and told in lines that fit."""
    ruleset = load_preset(preset)
    seats = ruleset.max_seats if many else ruleset.min_seats
    folder = tmp_path / "m"
    levels = ",".join((["easy", "hard", "medium"] * 3)[: seats - 1])
    ran = finished(play("-o", folder, "--ruleset", preset, "--seats", seats, "--bots", levels, *SHORT), folder)
    assert ran.err == ""
    assert len(Log((folder / "match.fdl").read_bytes()).terms.seats) == seats
    for line in ran.text.splitlines():
        assert len(line) <= 79 or str(tmp_path) in line


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (["straights=true"], r"  you lead the straight "),
        (["equal_rank=skip", "reseat=true"], r"    (Bot \d \(easy\) misses its|you miss your) turn\n"),
        (["equal_rank=skip-if-unable", "pass=locks"], r"    nobody answers; "),
        (["equal_rank=burn", "revolution=trick"], r"    the equal play burns the pile; "),
        (["revolution=round", "joker=wild", "jokers_per_pack=2"], r"    the order of the ranks is turned over\n"),
        (["going_out=drops", "twos=clear"], r"    2s clear the pile; "),
    ],
)
def test_house_rules_are_played_and_told(
    changes: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Straights are typed with their letter; what a play does beyond itself is told in plain words."""
    options = [part for change in changes for part in ("--set", change)]
    for number in range(10):
        pinned(monkeypatch, number)
        folder = tmp_path / str(number)
        ran = finished(play("-o", folder, "--bots", "easy", *options, *SHORT, largest=True), folder)
        if re.search(words, ran.text):
            return
    pytest.fail("in no match this was told")


def test_what_is_shown_is_what_the_log_says(tmp_path: Path) -> None:
    """Commitment, seal, tickets, seeds, titles and points of the log stand in the output, each at its time."""
    folder = tmp_path / "m"
    text = finished(play("-o", folder, *SHORT), folder).text
    log = Log((folder / "match.fdl").read_bytes())
    records = [item.record for item in log.items]
    (sealed,) = (one for one in records if isinstance(one, Sealed))
    ends = [one for one in records if isinstance(one, RoundEnd)]
    places = [text.index(f"  your seal   {sealed.seal.hex()}\n"), text.index("\nround 1 of 2\n")]
    for number, (end, line) in enumerate(zip(ends, (folder / "held" / TICKETS).read_text().split(), strict=True), 1):
        assert decode_ticket(line).round == number
        places += [text.index(f"\n  ticket  {line[:12]}…{line[-8:]}"), text.index(f"\nround {number} is over\n")]
        places += [text.index(f"\n  seed    {end.seed.hex()}\n")]
        places += [text.index("  check   your 13 cards were fixed before the round: verified\n", places[-1])]
        standing = re.findall(r"^  (\d)\. +([+]\d)  (.*?)  +(.*)$", text[places[-3] : places[-1]], re.MULTILINE)
        names = ["you", *(who.name for who in log.terms.seats[1:])]
        titles = log.terms.rules.titles
        expected = [
            (str(end.places[at]), f"{end.points[at]:+d}", titles[end.titles[at]], names[at])
            for at in sorted(range(4), key=end.places.__getitem__)
        ]
        assert standing == expected
    assert places == sorted(places)
    (commitment,) = (one for one in records if isinstance(one, Commitment))
    assert text.index(f"  commitment  {commitment.commitment.hex()}\n") < places[0]


def test_what_the_person_holds(tmp_path: Path) -> None:
    """A ticket a round, the receipts of lock, rounds and close, the opened contribution, the commitment; no secret."""
    folder = tmp_path / "m"
    finished(play("-o", folder, *SHORT), folder)
    held = folder / "held"
    assert {path.name for path in held.iterdir()} == {TICKETS, RECEIPTS, CONTRIBUTIONS, PUBLISHED}
    log = Log((folder / "match.fdl").read_bytes())
    offsets = [parse_receipt(line).offset for line in (held / RECEIPTS).read_text().split()]
    ends = [item.end for item in log.items if isinstance(item.record, Sealed | RoundEnd | Close)]
    assert offsets == ends
    (opened,) = (item.record for item in log.items if isinstance(item.record, Opened))
    assert read_folder(held).contributions == {PERSON: opened.contribution}
    assert [ticket.round for ticket in read_folder(held).tickets] == [1, 2]
    assert (folder / "secret.json").stat().st_mode & 0o777 == 0o600


def test_contributions_and_matches_are_new_each_time(tmp_path: Path) -> None:
    """Nothing of one match is in the next."""
    values = []
    for name in "ab":
        play("-o", tmp_path / name, moves=0)
        values.append((tmp_path / name / "held" / CONTRIBUTIONS).read_text())
        values.append(Log((tmp_path / name / "match.fdl").read_bytes()).terms_hash.hex())
    assert len(set(values)) == 4


# --- nothing hidden is shown

_HAPPENING = re.compile(r"  (you are dealt|(you|Bot \d \(easy\)) (leads?|plays?|pass(es)?|gives?)\b)")
_SHOWN_CARD = re.compile(r"(?<!\S)(?:[2-9TJQKA][cdhs]|X[12])(?![^\s,;)>])")


@pytest.mark.parametrize("preset", ["president", "wild-joker", "prezydent"])
def test_no_card_of_another_hand_is_shown_before_it_is_played(preset: str, tmp_path: Path) -> None:
    """Every card in the output was dealt to the person, went through its hands in the exchange, or has been played."""
    folder = tmp_path / "m"
    text = finished(play("-o", folder, "--ruleset", preset, "--bots", "easy", *SHORT), folder).text
    log = Log((folder / "match.fdl").read_bytes())
    coming = happenings(log)
    known: set[str] = set()
    for line in text.replace("\n          ", " ").splitlines():
        cards = _SHOWN_CARD.findall(line)
        if line == "  7c 7d    a set; ranks alone take your lowest suits: 77":  # in the list of commands
            continue
        if _HAPPENING.match(line):
            what, seats, public = next(coming)
            if what == "deal":
                known = set(cards)
            assert cards == (public if what != "gift" or PERSON in seats else []), line
            known |= set(cards)
        assert set(cards) <= known, line
    assert next(coming, None) is None


def happenings(log: Log) -> Iterator[tuple[str, tuple[int, ...], list[str]]]:
    """Yield what can be told of a log in its order: the person's hand, gifts, and actions with their cards."""
    done = replay(log)
    assert done.opening.tree is not None
    assert done.opening.transcript is not None
    for item in log.items:
        match item.record:
            case Deal() as deal:
                order = done.rounds[deal.round - 1].dealing_order
                rules, seed = log.terms.rules, done.opening.tree.seeds[deal.round - 1]
                hands = hands_of_round(
                    seed, done.opening.transcript, deal.round, order, rules.packs, rules.jokers_per_pack
                )
                yield "deal", (PERSON,), format_cards(sorted(hands[PERSON])).split()
            case Exchange() as gift:
                yield "gift", (gift.giver, gift.receiver), format_cards(gift.cards).split()
            case Actions() as run_of:
                for action in run_of.actions:
                    yield "action", (action.seat,), format_cards(action.cards).split()


# --- leaving and going on


def test_a_match_is_left_and_gone_on_with_at_every_prompt(tmp_path: Path) -> None:
    """Each run makes one move and ends with its input; the match is the same and is verified at its end."""
    folder = tmp_path / "m"
    hint = f"hint: the match waits for you: `fairdeal play -o {folder}` goes on with it\n"
    runs = 0
    while (ran := play("-o", folder, *SHORT, moves=1)).err.endswith(hint):
        assert ran.code == 0
        runs += 1
    assert runs > 5
    finished(ran, folder)
    assert "going on in round 2\n" in ran.text


class Stop(BaseException):
    """What ends a process at once, without a word."""


STEPS = ("seal", "lock_receipt", "open", "tickets", "deal", "give", "play", "finish", "receipt")


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("error", [KeyboardInterrupt, Stop])
def test_a_match_survives_an_end_at_every_step(
    step: str, late: bool, error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever call of the table was the last one of a process, the next one goes on."""
    folder = tmp_path / "m"
    pinned(monkeypatch, giving())
    original = getattr(Table, step)

    def once(self: Table, *arguments: Any, **named: Any) -> Any:
        monkeypatch.setattr(Table, step, original)
        if late:
            original(self, *arguments, **named)
        raise error

    monkeypatch.setattr(Table, step, once)
    if error is Stop:
        with pytest.raises(Stop):
            play("-o", folder, *SHORT)
    else:
        ran = play("-o", folder, *SHORT)
        assert ran.code == 130
        assert ran.err.endswith("goes on with it\n")
    ran = play("-o", folder, *SHORT)
    if (step, late) == ("finish", True):
        refused(ran, 2, "the match in this folder is finished", "fairdeal audit ")
        assert run("audit", folder / "match.fdl", "--evidence", folder / "held").code == 0
    else:
        finished(ran, folder)


def test_evidence_is_kept_before_the_match_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seal's receipt is there when the contribution is opened, a ticket when its round is dealt, both in files.

    Until it is opened only the owner can read the contribution, and it is no evidence yet.
    """
    held = tmp_path / "m" / "held"
    seen: list[str] = []
    opening, dealing = Table.open, Table.deal

    def opened(table: Table, number: int, value: bytes) -> None:
        (kept,) = (path for path in held.iterdir() if path.name not in (RECEIPTS, PUBLISHED))
        assert kept.stat().st_mode & 0o777 == 0o600
        assert value.hex() in kept.read_text()
        (line,) = (held / RECEIPTS).read_text().split()
        assert parse_receipt(line) == table.lock_receipt()
        seen.append("open")
        opening(table, number, value)

    def dealt(table: Table, now: int | None = None) -> None:
        last = (held / TICKETS).read_text().split()[-1]
        assert decode_ticket(last) == table.tickets()[PERSON]
        seen.append("deal")
        dealing(table, now)

    monkeypatch.setattr(Table, "open", opened)
    monkeypatch.setattr(Table, "deal", dealt)
    finished(play("-o", tmp_path / "m", *SHORT), tmp_path / "m")
    assert seen == ["open", "deal", "deal"]


def test_a_torn_tail_is_cut_off_and_told(tmp_path: Path) -> None:
    """Half a record at the end of the log, which a lost disk may leave, is dropped."""
    folder = tmp_path / "m"
    play("-o", folder, *SHORT, moves=2)
    with (folder / "match.fdl").open("ab") as file:
        file.write(b"\x92")
    ran = play("-o", folder)
    assert "hint: 1 bytes of a write that was cut short were dropped\n" in ran.err
    finished(ran, folder)


def test_a_finished_match_is_not_touched(tmp_path: Path) -> None:
    """Nor what is held of it; the error names the command that audits it."""
    folder = tmp_path / "m"
    finished(play("-o", folder, "--rounds", 1), folder)
    files = [folder / "match.fdl", *sorted((folder / "held").iterdir())]
    before = [(path.read_bytes(), path.stat().st_mtime_ns) for path in files]
    error = refused(play("-o", folder), 2, "the match in this folder is finished", "play another with -o DIR")
    assert [(path.read_bytes(), path.stat().st_mtime_ns) for path in files] == before
    command = re.search("`(fairdeal audit .*?)`", error)
    assert command
    assert run(*shlex.split(command[1])[1:]).code == 0


def test_only_matches_of_this_command_are_gone_on_with(tmp_path: Path) -> None:
    """An operator's match, leftovers of another one, and a contribution that is gone are refused."""
    terms = tmp_path / "terms.toml"
    terms.write_text('sequence = 1\nruleset = "president"\n[[seats]]\nname = "a"\n' + '[[seats]]\nname = "b"\n' * 2)
    assert run("commit", "--terms", terms, "-o", tmp_path / "theirs").code == 0
    refused(play("-o", tmp_path / "theirs"), 2, "not one of `fairdeal play`")
    play("-o", tmp_path / "left", moves=0)
    for name in ("match.fdl", "secret.json"):
        (tmp_path / "left" / name).unlink()
    refused(play("-o", tmp_path / "left"), 2, "the file exists already", "held")
    play("-o", tmp_path / "robbed", moves=0)
    (tmp_path / "robbed" / "held" / CONTRIBUTIONS).unlink()
    ran = play("-o", tmp_path / "robbed")
    assert ran.code == 2
    assert "the contribution of this match is gone" in ran.err


def test_somebody_elses_match_cannot_be_played_twice_at_once(tmp_path: Path) -> None:
    """While one process plays, another is told so."""
    folder = tmp_path / "m"
    play("-o", folder, moves=0)
    with Table.resume(folder):
        refused(play("-o", folder), 2, "another writer has the log open")


# --- options


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--seats", "9"], "3 to 8 seats"),
        (["--seats", "-1"], "3 to 8 seats"),
        (["--bots", "clever"], "there is no bot `clever`"),
        (["--bots", "bot"], "there is no bot `bot`"),
        (["--bots", "easy,hard"], "2 bots for 3 seats"),
        (["--name", ""], "a text of 0 bytes"),
        (["--name", "a\tb"], "a control character"),
        (["--name", "x" * 65], "a text of 65 bytes"),
        (["--ruleset", "nothing"], "there is no ruleset `nothing`"),
        (["--set", "joker=wild"], "joker"),
        (["--set", "end_at=7", "--rounds", "3"], "the match lasts longer than its maximum"),
    ],
)
def test_bad_options_are_refused_before_there_is_a_match(options: list[str], words: str, tmp_path: Path) -> None:
    """Nothing is written, nothing is printed."""
    ran = play("-o", tmp_path / "m", *options)
    assert (ran.code, ran.out) == (2, b"")
    assert words in ran.err
    assert not (tmp_path / "m" / "match.fdl").exists()
    refused(play("-o", "-"), 2, "`-` is no file or folder")


def test_options_are_in_the_terms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names, levels, seats, settings and the number of rounds; without `-o` the folder is `fairdeal-match`."""
    monkeypatch.chdir(tmp_path)
    own = "Zoë \N{RIGHT-TO-LEFT OVERRIDE}"
    ran = play("--seats", 5, "--bots", "easy, hard,medium,easy", "--name", own, "--set", "twos=clear", moves=0)
    assert "you as Zoë \\u202e\n" in ran.text
    terms = Log((tmp_path / "fairdeal-match" / "match.fdl").read_bytes()).terms
    assert [who.name for who in terms.seats] == [own, "Bot 1 (easy)", "Bot 2 (hard)", "Bot 3 (medium)", "Bot 4 (easy)"]
    assert [who.kind for who in terms.seats] == ["human", "easy", "hard", "medium", "easy"]
    assert (terms.rules.twos, terms.rounds, terms.bot_policy) == ("clear", 5, 1)
    assert terms.contributors() == (PERSON,)


@pytest.mark.parametrize(
    ("options", "rounds"),
    [
        (["--ruleset", "president"], 5),
        (["--ruleset", "president", "--rounds", 3], 3),
        (["--ruleset", "president", "--set", "end_at=2", "--rounds", 3], 3),
        (["--ruleset", "prezydent"], 10),
        (["--ruleset", "prezydent", "--rounds", 1], 1),
        (["--ruleset", "wild-twos"], 5),
        (["--ruleset", "wild-twos", "--rounds", 2], 2),
    ],
)
def test_matches_are_as_long_as_their_rules_have_them(options: list[object], rounds: int, tmp_path: Path) -> None:
    """Five rounds where the rules set no end; `--rounds` sets any number."""
    play("-o", tmp_path, *options, moves=0)
    assert Log((tmp_path / "match.fdl").read_bytes()).terms.rounds == rounds


# --- answers


def test_answers_that_are_not_taken_say_why_and_ask_again(tmp_path: Path) -> None:
    """The auditor's code and words for what is not lawful; the match is none the worse."""
    folder = tmp_path / "m"
    hand = own_cards(play("-o", folder, "--rounds", 1, moves=0).text)
    missing = next(name for name in CARD_NAMES if name not in hand)
    other = next(name for name in hand if name[0] != hand[0][0])
    bad = ["nonsense", "7x7", "\x1b[2J", "é", missing, f"{hand[0]} {other}", f"s {hand[0]} {other}", "2" * 40, "c", "1"]
    ran = finished(play("-o", folder, answers=bad), folder)
    assert ran.text.count(" is neither cards nor a command; `?` lists what may be answered") == 5
    assert "\x1b" not in ran.text.replace("> \x1b[2J\n", "")
    for code in ("not-held", "not-a-set", "straight"):
        assert re.search(rf"\n  not lawful: .*\({code}: ", ran.text), code
    assert "these are not 1 to 12 cards" in ran.text


def test_in_an_exchange_cards_are_due_and_the_right_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass, a straight or another number of cards is no gift; help and hand are there as in play."""
    gifts = ["p", "s 3 4 5", "3c 4c 5c", "?", "h", "2c" * 13]
    pinned(monkeypatch, giving())
    text = finished(play("-o", tmp_path, *SHORT, gifts=gifts), tmp_path).text
    assert len(re.findall(r"\n  cards are due, [12] of them\n", text)) == 2
    assert re.search(r"> 3c 4c 5c\n  not lawful: 3c 4c 5c \(exchange-count: ", text)
    assert re.search(r"> \?\n  lawful  any [12] of your cards, for Bot \d \(medium\)\n", text)
    assert re.search(r"> h\n\n  you     ", text)
    assert "\n  these are not 1 to 18 cards" in text or "\n  not lawful: 2c 2c" in text
    assert re.search(r"\n  you give Bot \d \(medium\) back [12] cards?: ", text)


@some
@given(st.data())
def test_cards_are_read_in_any_spelling_and_order(data: st.DataObject) -> None:
    """Case, separators and `10` do not matter; what is written is what is meant."""
    faces = data.draw(st.lists(st.integers(0, FACES - 1), min_size=1, max_size=12))
    words = format_cards(faces).split()
    spelled = [
        data.draw(st.sampled_from([word, word.upper(), word.lower(), word.replace("T", "10")])) for word in words
    ]
    text = data.draw(st.sampled_from([" ", ",", ", ", "  ", "\t", ""])).join(spelled)
    assert parse_answer(f" {text}\r\n", bytes(faces)) == Answer(What.SET, bytes(faces))
    straight = bytes(sorted(faces)) if max(faces) < FIRST_JOKER else bytes(faces)
    assert parse_answer(f"S {text}", b"") == Answer(What.STRAIGHT, straight)


@some
@given(st.lists(st.integers(0, FACES - 1), min_size=1, max_size=27).map(lambda faces: bytes(sorted(faces))), st.data())
def test_ranks_stand_for_the_lowest_cards_held(hand: bytes, data: st.DataObject) -> None:
    """However many of a rank are wanted, the lowest suits that are not named otherwise are taken."""
    rank = data.draw(st.sampled_from(sorted({face >> 2 for face in hand})))
    held = [face for face in hand if face >> 2 == rank]
    size = data.draw(st.integers(1, len(held)))
    letter = [*"3456789", "10", *"JqKa2x"][rank]
    assert parse_answer(letter * size if letter != "q" else "Q" * size, hand).cards == bytes(held[:size])
    named = data.draw(st.sampled_from(held))
    others = held.copy()
    others.remove(named)
    if others:
        assert parse_answer(f"{letter} {CARD_NAMES[named]}", hand).cards == bytes([others[0], named])
        assert parse_answer(f"{CARD_NAMES[named]}{letter}", hand).cards == bytes([named, others[0]])


def test_ranks_that_are_not_held_are_left_to_the_table() -> None:
    """It is the table that refuses them, in the auditor's words."""
    assert parse_answer("55", parse_cards("5h 6h")) == Answer(What.SET, parse_cards("5h 5c"))
    assert parse_answer("x", b"\0") == Answer(What.SET, parse_cards("X1"))
    assert parse_answer("XX", parse_cards("X2 X1")) == Answer(What.SET, parse_cards("X1 X2"))
    assert parse_answer("s x 5d 6", parse_cards("6h X2")) == Answer(What.STRAIGHT, parse_cards("X2 5d 6h"))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        *[(text, What.PASS) for text in ("p", "P", "pass", "Pass")],
        *[(text, What.HELP) for text in ("", "  ", "?", "help")],
        *[(text, What.HAND) for text in ("h", "H", "hand")],
        *[(text, What.QUIT) for text in ("q", " q ", "quit", "QUIT")],
    ],
)
def test_commands(text: str, what: What) -> None:
    """Words and their first letters."""
    assert parse_answer(text, b"") == Answer(what)


def test_a_queen_alone_is_a_capital() -> None:
    """A small one leaves, whatever is held."""
    assert parse_answer("Q", parse_cards("Qh")) == Answer(What.SET, parse_cards("Qh"))
    assert parse_answer("qq", parse_cards("Qh Qs")) == Answer(What.SET, parse_cards("Qh Qs"))


@some
@given(st.text(max_size=40) | st.text("sxX1027tTq \t,chd?", max_size=20), st.binary(max_size=5))
def test_any_text_is_an_answer_or_misuse(text: str, held: bytes) -> None:
    """Nothing else comes of what somebody types."""
    with suppress(Misuse):
        answer = parse_answer(text, bytes(sorted(face % FACES for face in held)))
        assert (answer.what in (What.SET, What.STRAIGHT)) == bool(answer.cards)


def test_input_that_ends_or_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No standard input, an empty one, and one that is no UTF-8."""
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", None)
        with pytest.raises(Left):
            read_answer("> ")
        patch.setattr(sys, "stdout", None)
        with pytest.raises(Left):
            show("nobody sees this")
    ran = run("play", "-o", tmp_path, stdin=b"\xff\xfe\nq\n")
    assert ran.code == 0
    assert "`\\xff\\xfe` is neither cards nor a command" in ran.text
    assert run("-q", "play", "-o", tmp_path, stdin=b"").err == ""


def test_a_hand_whose_ticket_is_gone_is_not_checked(tmp_path: Path) -> None:
    """It is said, and the match goes on; the audit has the receipt of the lock to go by."""
    play("-o", tmp_path, *SHORT, moves=1)
    (tmp_path / "held" / TICKETS).unlink()
    text = finished(play("-o", tmp_path), tmp_path).text
    assert "  check   your 13 cards cannot be checked: the ticket is gone\n" in text
    assert "  check   your 13 cards were fixed before the round: verified\n" in text


def test_a_terminal_is_read_with_readline_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else line by line, and what a terminal has shown already is not repeated."""

    class Terminal(io.StringIO):
        """Something that says that it is a terminal."""

        buffer = io.BytesIO()

        def isatty(self) -> bool:
            """Return that it is one."""
            return True

    def ending(prompt: str) -> str:
        raise EOFError(prompt)

    monkeypatch.setattr(sys, "stdin", Terminal("typed\n"))
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr(builtins, "input", lambda prompt: f"edited after {prompt}")
    assert read_answer("play> ") == "edited after play> "
    monkeypatch.setattr(builtins, "input", ending)
    with pytest.raises(Left):
        read_answer("play> ")
    monkeypatch.setitem(sys.modules, "readline", None)
    assert read_answer("lead> ") == "typed\n"
    assert Terminal.buffer.getvalue() == b"\nlead> "


def test_a_line_without_an_end_is_an_answer(tmp_path: Path) -> None:
    """What is repeated ends its line all the same."""
    ran = run("play", "-o", tmp_path, stdin=b"zz")
    assert "> zz\n  `zz` is neither cards" in ran.text


def test_a_match_that_nobody_watches_any_more_waits(tmp_path: Path) -> None:
    """A reader that goes away, as `head` does, leaves it; the endless input is not read for ever."""
    script = 'yes "" | "$PYTHON" -m fairdeal play -o "$1" | head -n 1; echo "${PIPESTATUS[1]}"'
    done = shell(script, tmp_path)
    assert done.stdout == "president: 4 seats, 5 rounds\n0\n"
    assert done.stderr == f"hint: the match waits for you: `fairdeal play -o {tmp_path}` goes on with it\n"
    finished(play("-o", tmp_path), tmp_path)


def test_held_values_are_written_once(tmp_path: Path) -> None:
    """A line that is there is not added again; a ticket that is not there is none."""
    held = Held(tmp_path / "held", PERSON)
    assert held.ticket(1) is None
    held.keep(RECEIPTS, "a")
    held.keep(RECEIPTS, "b")
    held.keep(RECEIPTS, "a")
    assert (tmp_path / "held" / RECEIPTS).read_text() == "a\nb\n"
    drawn = held.draw()
    assert held.draw() == held.contribution() == drawn
    held.opened()
    held.opened()
    assert held.contribution() == drawn
    with pytest.raises(Misuse, match="the contribution of this match is gone"):
        Held(tmp_path / "held", 1).contribution()


# --- a real terminal

_STEERING = re.compile(r"\x1b\[\?2004[hl]\r?|\x1b\[K|\r(?!\n)")
_TERMINAL = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"


class Screen:
    """A terminal with `fairdeal play` in its foreground, and what it has shown."""

    def __init__(self, folder: Path, *arguments: object) -> None:
        """Start it."""
        self.main, inner = pty.openpty()
        program = [sys.executable, "-m", "fairdeal", "play", "-o", str(folder), *map(str, arguments)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", _TERMINAL, *program],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env={**environment(), "TERM": "xterm", "LC_ALL": "C.UTF-8"},
            start_new_session=True,
        )
        os.close(inner)
        self.raw = b""

    @property
    def text(self) -> str:
        """What a person would read."""
        return _STEERING.sub("", self.raw.decode("utf-8", "replace")).replace("\r\n", "\n")

    def read(self) -> bool:
        """Read on; return False where nobody writes any more."""
        more = b""
        with suppress(OSError):  # how Linux says that a terminal has nobody left
            more = os.read(self.main, 65536)
        self.raw += more
        return bool(more)

    def prompted(self) -> re.Match[str] | None:
        """Read up to the next prompt; return None where the program has ended."""
        while self.read():
            if found := PROMPT.search(self.text):
                return found
        return None

    def type(self, text: str) -> None:
        """Type something."""
        os.write(self.main, text.encode("utf-8"))

    def plays(self, moves: int = -1) -> None:
        """Make so many moves, or play to the end."""
        while moves and self.prompted():
            self.type("?\n")
            found = self.prompted()
            assert found
            self.type(f"{choice(self.text, found)}\n")
            moves -= 1

    def ended(self, again: str = "") -> int:
        """Read to the end and return the exit code; `again` is typed whenever nothing comes for a while.

        A Ctrl-C between the prompt and the wait for an answer is noticed only with the next key.
        """
        while True:
            if again and not select.select([self.main], [], [], 5)[0]:
                self.type(again)
            elif not self.read():
                return self.process.wait()


@contextmanager
def terminal(folder: Path, *arguments: object) -> Iterator[Screen]:
    screen = Screen(folder, *arguments)
    try:
        yield screen
    finally:
        screen.process.kill()
        screen.process.wait()
        os.close(screen.main)


def test_a_whole_match_at_a_terminal(tmp_path: Path) -> None:
    """From the first prompt to the verdict, and the audit agrees."""
    with terminal(tmp_path / "m", *SHORT) as screen:
        screen.plays()
        assert screen.ended() == 0
        assert screen.text.endswith(f"which says now:\nverified  {tmp_path / 'm' / 'match.fdl'}\n")
    audited(tmp_path / "m")


def test_interrupted_killed_left_and_gone_on_with_at_a_terminal(tmp_path: Path) -> None:
    """Ctrl-C ends with 130 and says how to go on, Ctrl-D and `q` with 0; after `kill -9` it goes on as well."""
    folder = tmp_path / "m"
    again = f"hint: the match waits for you: `fairdeal play -o {folder}` goes on with it\n"
    for keys, code in (("\x03", 130), ("\x04", 0), ("q\n", 0)):
        with terminal(folder, *SHORT) as screen:
            screen.plays(2)
            assert screen.prompted()
            screen.type(keys)
            assert screen.ended(again="\x03" if code == 130 else "") == code
            assert screen.text.endswith(again)
    with terminal(folder, *SHORT) as screen:
        screen.plays(1)
        assert screen.prompted()
        screen.process.kill()
        assert screen.process.wait() == -9
    with terminal(folder) as screen:
        screen.plays()
        assert screen.ended() == 0
    audited(folder)
