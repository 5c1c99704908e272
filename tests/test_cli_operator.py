"""The operator's commands: a match committed to, its tickets and seeds never too early, and simulated matches."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from fairdeal.anchor import EVIDENCE_FILES, read_folder
from fairdeal.audit import audit
from fairdeal.cards import format_cards
from fairdeal.codec import Log, encode_record
from fairdeal.commit import round_blind, seal, transcript
from fairdeal.deal import hands_of_round
from fairdeal.draws import Draws
from fairdeal.evidence import Evidence
from fairdeal.exchange import Exchanging
from fairdeal.hands import count_hand
from fairdeal.hashing import file_digest
from fairdeal.limits import MAX_INT
from fairdeal.match import Match
from fairdeal.players import lowest, return_lowest, tribute_cards
from fairdeal.records import (
    OPERATOR,
    Actions,
    Close,
    CloseReason,
    Deal,
    Exchange,
    Opened,
    Record,
    RoundEnd,
    Sealed,
    Signature,
)
from fairdeal.report import Verdict
from fairdeal.secretfile import read_secret
from fairdeal.sign import public_key, sign, signed_message
from fairdeal.ticket import decode_ticket
from fairdeal.verify import hand_of
from tests.conftest import RNG, Ran, refused, run

PLAIN = """
sequence = 3
ruleset = "president"
settings = { end_at = 2 }
seats = [{ name = "Ann" }, { name = "Bo", kind = "bot" }, { name = "Cleo" }, { name = "Dan" }]
"""
PRIVATE = {signer: bytes([signer + 1]) * 32 for signer in (0, 1, 3)}
FULL = f"""
sequence = 4
ruleset = "president"
settings = {{ end_at = 2 }}
contributions = "sealed"
operator_key = "{public_key(PRIVATE[0]).hex()}"
[[seats]]
name = "Ann"
key = "{public_key(PRIVATE[1]).hex()}"
[[seats]]
name = "Bo"
kind = "hard"
[[seats]]
name = "Cleo"
key = "{public_key(PRIVATE[3]).hex()}"
"""
TERMS: Mapping[str, tuple[str, Mapping[int, bytes]]] = {"plain": (PLAIN, {}), "sealed and signed": (FULL, PRIVATE)}


def committed(folder: Path, text: str = PLAIN) -> Ran:
    """Commit to a match with these terms in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "terms.toml").write_text(text)
    return run("commit", "--terms", folder / "terms.toml", "-o", folder / "match")


@dataclass
class Running:
    """A running match in its operator's hands: the log grows record by record."""

    folder: Path
    keys: Mapping[int, bytes]
    contributions: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Read what `commit` wrote."""
        self.log = self.folder / "match.fdl"
        self.terms = Log(self.log.read_bytes()).terms
        self.tree = read_secret(self.folder / "secret.json").tree()
        self.match = Match(self.terms.rules, len(self.terms.seats), self.terms.rounds)
        owners = self.terms.contributors()
        self.contributions = [bytes([seat + 65]) * 32 if seat in owners else b"" for seat in range(self.match.seats)]
        self.mixed = transcript(self.tree.terms, self.tree.commitment(), self.contributions)

    def add(self, *records: Record) -> None:
        """Append records to the log."""
        with self.log.open("ab") as file:
            for record in records:
                file.write(encode_record(record))

    def sign(self, *signers: int) -> None:
        """Append signatures of all bytes so far."""
        data = self.log.read_bytes()
        for signer in signers:
            message = signed_message(self.tree.terms, signer, len(data), file_digest(data))
            self.add(Signature(signer, sign(self.keys[signer], message)))

    def opening(self) -> Iterator[None]:
        """Go step by step to the first deal, stopping before each record that is still to come."""
        owners = self.terms.contributors()
        for seat in owners:
            yield
            self.add(Sealed(seat, seal(self.tree.terms, self.tree.commitment(), seat, self.contributions[seat])))
        if self.keys:
            yield
            self.sign(*self.keys)
        for seat in owners:
            yield
            self.add(Opened(seat, self.contributions[seat]))

    def round(self) -> Iterator[bool]:
        """Play a round, stopping before each record and saying whether its seed may be shown now."""
        number, order = self.match.ended + 1, self.match.dealing_order()
        seed = self.tree.seeds[number - 1]
        yield False
        self.add(Deal(number, order[0], round_blind(seed, self.mixed, number)))
        rules = self.terms.rules
        dealt = hands_of_round(seed, self.mixed, number, order, rules.packs, rules.jokers_per_pack)
        hands = [count_hand(cards) for cards in dealt]
        exchange = Exchanging(hands, self.match.swaps())
        draws = Draws(bytes(32))
        while exchange.due:
            swap = exchange.due[0]
            hand = hands[swap.giver]
            cards = tribute_cards(hand, swap) if swap.tribute else return_lowest(hand, swap, draws)
            gift = Exchange(swap.giver, swap.receiver, cards)
            yield False
            exchange.apply(gift)
            self.add(gift)
        state = self.match.start_round(hands, order)
        while not state.over:
            action = lowest(state, draws)
            yield False
            state.apply(action)
            self.add(Actions((action,)))
        places = self.match.places(state.finishing)
        points = self.match.points(places)
        yield True
        self.add(RoundEnd(places, self.match.titles(places), points, seed))
        self.match.end_round(places, points)

    def close(self) -> None:
        """Close the match by rule."""
        secret = read_secret(self.folder / "secret.json").secret
        digest = file_digest(self.log.read_bytes())
        totals, places = tuple(self.match.totals), self.match.final_places()
        self.add(Close(CloseReason.BY_RULE, None, digest, totals, places, secret))
        if OPERATOR in self.keys:
            self.sign(OPERATOR)

    def ticket(self, number: int, seat: int) -> Ran:
        """Ask for a ticket."""
        return run("ticket", self.log, "--secret", self.folder / "secret.json", "--round", number, "--seat", seat)

    def reveal(self, number: int) -> Ran:
        """Ask for a seed, with the log."""
        return run("reveal", "--secret", self.folder / "secret.json", "--round", number, "--log", self.log)


@pytest.fixture(params=TERMS)
def running(request: pytest.FixtureRequest, tmp_path: Path) -> Running:
    """Return a match just committed to."""
    text, keys = TERMS[request.param]
    assert committed(tmp_path, text).code == 0
    return Running(tmp_path / "match", keys)


@pytest.fixture
def plain(tmp_path: Path) -> Running:
    """Return a match without contributions and keys, just committed to."""
    assert committed(tmp_path).code == 0
    return Running(tmp_path / "match", {})


def all_of(steps: Iterator[object]) -> None:
    """Take all steps without looking."""
    for _ in steps:
        pass


def test_a_match_from_its_commitment_to_its_audit(running: Running) -> None:
    """Tickets before each round, seeds after it, and in the end every ticket, hand and the whole log hold."""
    for _ in running.opening():
        refused(running.ticket(1, 0), 2, "at the log", "tickets follow the lock")
    lines: list[str] = []
    while not running.match.over():
        number = running.match.ended + 1
        issued = [running.ticket(number, seat) for seat in range(running.match.seats)]
        assert [(one.code, one.err) for one in issued] == [(0, "")] * running.match.seats
        tickets = [one.text for one in issued]
        refused(running.ticket(number + 1, 0), 2, f"round {number + 1} is not the next")
        steps = list(running.round())
        assert steps[-1] is True
        assert [running.ticket(number, seat).text for seat in range(running.match.seats)] == tickets
        assert running.reveal(number).text == running.tree.seeds[number - 1].hex() + "\n"
        for text in tickets:
            held = decode_ticket(text.strip())
            seed = running.reveal(number).text.strip()
            cards = format_cards(hand_of(held, bytes.fromhex(seed)))
            assert run("verify", text.strip(), "--seed", seed, "--cards", cards).code == 0
        lines += tickets
    refused(running.ticket(running.match.ended + 1, 0), 2, "is not the next")
    running.close()
    evidence = running.folder / "evidence"
    evidence.mkdir()
    (evidence / "tickets.txt").write_text("".join(lines))
    ran = run("audit", running.log, "--evidence", evidence)
    assert ran.code == 0, ran.text


def test_a_seed_is_shown_only_when_its_round_is_over(running: Running) -> None:
    """At the records of a round before its last action the seed stays hidden, that of a later round always."""
    all_of(running.opening())
    for number in (1, 2):
        for step, over in enumerate(running.round()):
            if step > 4 and step % 16 and not over:
                continue
            for later in range(number + (over is True), 3):
                refused(running.reveal(later), 2, f"round {later} has not ended", "--round")
            for earlier in range(1, number + (over is True)):
                assert running.reveal(earlier).text == running.tree.seeds[earlier - 1].hex() + "\n"


def test_a_ticket_is_for_the_next_round_at_most(plain: Running) -> None:
    """While a round runs its own tickets can still be had, those of the next not: who is dealt first is not decided."""
    for step, _ in enumerate(plain.round()):
        if step % 16:
            continue
        assert plain.ticket(1, 2).code == 0
        refused(plain.ticket(2, 2), 2, "round 2 is not the next: 0 have ended")
    assert plain.ticket(2, 2).code == 0


def test_a_secret_of_another_match_is_refused(plain: Running, tmp_path: Path) -> None:
    """Neither tickets nor seeds can be had with a secret that these terms are not for."""
    committed(tmp_path / "other")
    other = tmp_path / "other" / "match" / "secret.json"
    all_of(plain.round())
    refused(run("ticket", plain.log, "--secret", other, "--round", 1, "--seat", 0), 2, "belongs to another match")
    refused(run("reveal", "--log", plain.log, "--secret", other, "--round", 1), 2, "belongs to another match")


def test_a_secret_that_does_not_open_the_commitment_is_refused(plain: Running) -> None:
    """A secret file changed by hand fits its terms, but not what was published."""
    path = plain.folder / "secret.json"
    hidden = read_secret(path).secret.hex()
    all_of(plain.round())
    path.write_text(path.read_text().replace(hidden, "00" * 32))
    for ran in (plain.ticket(1, 0), plain.reveal(1)):
        refused(ran, 2, "the log does not hold up: commitment", "at close.secret")


def test_a_log_that_does_not_hold_up_gives_nothing_out(plain: Running) -> None:
    """A running match with a fault in it is not carried on."""
    steps = plain.round()
    for _ in range(3):
        next(steps)
    plain.add(Log(plain.log.read_bytes()).items[-1].record)
    for ran in (plain.ticket(1, 0), plain.reveal(1)):
        refused(ran, 2, "the log does not hold up: ", "at round[1].trick[1].play[", "run `fairdeal audit` on it")


@pytest.mark.parametrize(
    ("tail", "words"),
    [(b"\0", "a card without a head"), (b"\xc0", "at byte "), (b"\xcc\x80", "cut after a clock mark")],
)
def test_a_log_that_cannot_be_judged_gives_nothing_out(plain: Running, tail: bytes, words: str) -> None:
    """Malformed from some byte on is exit code 3 here as elsewhere."""
    with plain.log.open("ab") as file:
        file.write(tail)
    refused(plain.ticket(1, 0), 3, words)
    refused(plain.reveal(1), 3, words)


@pytest.mark.parametrize("tail", [b"", b"\0", b"\xcc\x80\xff", b"\xcc\x80"])
def test_a_fault_comes_before_the_byte_that_cannot_be_read(plain: Running, tail: bytes) -> None:
    """A deal with a blind that is not its own is refused for that, whatever stands behind it."""
    with plain.log.open("ab") as file:
        file.write(encode_record(Deal(1, 0, bytes(16))) + tail)
    for ran in (plain.ticket(1, 0), plain.reveal(1)):
        refused(ran, 2, "the log does not hold up: blind", "at round[1].deal")


def test_seats_and_rounds_that_do_not_exist_are_wrong_usage(plain: Running) -> None:
    """Numbers beyond the match are refused with those there are."""
    refused(plain.ticket(1, 4), 2, "there is no seat 4", "at --seat", "seats are 0 to 3")
    refused(plain.reveal(3), 2, "the match has 2 rounds, not 3", "at --round")
    for option, value in (("--seat", "-1"), ("--round", "0")):
        arguments = {"--seat": "0", "--round": "1", option: value}
        ran = run("ticket", plain.log, "--secret", plain.folder / "secret.json", *sum(arguments.items(), ()))
        assert (ran.code, ran.out) == (2, b"")


def test_without_a_log_a_seed_comes_with_advice(plain: Running) -> None:
    """The operator may know better, and is told how to be safe."""
    arguments = ("reveal", "--secret", plain.folder / "secret.json", "--round", "2")
    ran = run(*arguments)
    assert (ran.code, ran.text) == (0, plain.tree.seeds[1].hex() + "\n")
    assert ran.err == "hint: with --log LOG a seed is refused until its round has ended\n"
    assert run("-q", *arguments).err == ""
    assert run(*arguments[:-1], "3").code == 2


def test_the_log_may_come_from_standard_input(plain: Running) -> None:
    """`-` is standard input for every log."""
    data = plain.log.read_bytes()
    ran = run("ticket", "-", "--secret", plain.folder / "secret.json", "--round", 1, "--seat", 1, stdin=data)
    assert ran == plain.ticket(1, 1)
    all_of(plain.round())
    ran = run(
        "reveal", "--log", "-", "--secret", plain.folder / "secret.json", "--round", 1, stdin=plain.log.read_bytes()
    )
    assert ran == plain.reveal(1)


@pytest.mark.parametrize("command", ["ticket", "reveal"])
def test_a_secret_that_others_may_read_is_refused(plain: Running, command: str) -> None:
    """The error says what to do, and nothing of the secret."""
    path = plain.folder / "secret.json"
    hidden = read_secret(path).secret.hex()
    arguments = ("ticket", plain.log, "--seat", 0) if command == "ticket" else ("reveal",)
    for mode in (0o640, 0o604, 0o660, 0o610, 0o601, 0o777):
        path.chmod(mode)
        err = refused(run(*arguments, "--secret", path, "--round", 1), 2, "others may read", f"chmod 600 {path}")
        assert hidden not in err
    path.chmod(0o400)
    assert run(*arguments, "--secret", path, "--round", 1).code == 0


@pytest.mark.parametrize("text", ["", "{}", "[]", "1", "nothing", '{"format": "fairdeal-secret/1"}'])
def test_what_is_no_secret_file_is_malformed(plain: Running, text: str) -> None:
    """The file that is named is not one that `commit` wrote."""
    path = plain.folder / "secret.json"
    path.write_text(text)
    refused(plain.ticket(1, 0), 3, f"no match secret file at {path}", "use the file that `fairdeal commit` wrote")
    refused(run("reveal", "--secret", plain.folder / "none", "--round", 1), 2, "no such file or directory")


# commit


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_commit_writes_a_secret_for_its_owner_alone_and_the_first_records(tmp_path: Path, umask: int) -> None:
    """Secret and running log are 0600 under every umask; the secret names its terms and opens what is printed."""
    before = os.umask(umask)
    try:
        ran = committed(tmp_path)
    finally:
        os.umask(before)
    folder = tmp_path / "match"
    assert sorted(path.name for path in folder.iterdir()) == ["match.fdl", "secret.json"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    secret = read_secret(folder / "secret.json")
    log = Log((folder / "match.fdl").read_bytes())
    assert (secret.terms_hash, secret.rounds) == (log.terms_hash, 2)
    assert ran.text == f"3 {secret.tree().commitment().hex()}\n"
    assert [type(item.record).__name__ for item in log.items] == ["Commitment"]
    assert "publish this line" in ran.err
    hidden = [secret.secret.hex(), *(seed.hex() for seed in secret.tree().seeds)]
    assert not [value for value in hidden if value in ran.text + ran.err]
    assert audit((folder / "match.fdl").read_bytes()).verdict is Verdict.INCOMPLETE


def test_two_matches_never_share_a_secret_or_a_name(tmp_path: Path) -> None:
    """Match id and secret are drawn anew each time."""
    matches = []
    for name in ("a", "b"):
        committed(tmp_path / name)
        folder = tmp_path / name / "match"
        matches.append((read_secret(folder / "secret.json").secret, Log((folder / "match.fdl").read_bytes()).terms))
    assert matches[0][0] != matches[1][0]
    assert matches[0][1].match_id != matches[1][1].match_id


def test_a_commitment_that_cannot_be_written_leaves_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed start can be repeated: nothing was published, so nothing may stand in its way."""

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device", "match.fdl")

    monkeypatch.setattr("fairdeal.table.folder._write_log", refuse)
    assert committed(tmp_path).code == 2
    assert list((tmp_path / "match").iterdir()) == []
    monkeypatch.undo()
    assert committed(tmp_path).code == 0


@pytest.mark.parametrize("name", ["secret.json", "match.fdl"])
def test_commit_never_replaces_a_match(tmp_path: Path, name: str) -> None:
    """Where a secret or a log stands already both are left as they are, byte for byte."""
    committed(tmp_path)
    folder = tmp_path / "match"
    other = {"secret.json": "match.fdl", "match.fdl": "secret.json"}[name]
    (folder / other).unlink()
    before = (folder / name).read_bytes()
    refused(committed(tmp_path), 2, f"the file exists already at {folder / name}")
    assert [(path.name, path.read_bytes()) for path in folder.iterdir()] == [(name, before)]


def test_a_link_to_nowhere_is_not_followed(tmp_path: Path) -> None:
    """A secret is never written through a link that somebody laid out."""
    folder = tmp_path / "match"
    folder.mkdir()
    (folder / "secret.json").symlink_to(tmp_path / "elsewhere")
    ran = committed(tmp_path)
    assert (ran.code, ran.out) == (2, b"")
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("sequence = 3", "sequence = -1"), "`sequence`"),
        (("sequence = 3", ""), "`sequence` is missing at the terms"),
        (("end_at = 2", "end_at = 0"), "the match is over before it starts at ruleset `president`"),
        (("end_at = 2", "twos = 'loud'"), "`twos` cannot be `loud` at ruleset `president`"),
        (('"president"', '"bridge"'), "there is no ruleset `bridge`"),
        (('"president"', '"none.toml"'), "no such file or directory at none.toml"),
        (("[{", "[[{"), "no TOML: "),
        ((', { name = "Cleo" }, { name = "Dan" }', ""), "ruleset `president` is for 3 to 8 seats, not 2"),
        (('"bot"', '"robot"'), "`kind` cannot be `robot`"),
        (("settings = { end_at = 2 }", "settings = 5"), "`settings`"),
        (("settings = { end_at = 2 }", 'settings = "end_at"'), "`settings`"),
        (("settings = { end_at = 2 }", "settings = [1]"), "`settings`"),
    ],
)
def test_terms_that_cannot_be_meant_write_nothing(tmp_path: Path, change: tuple[str, str], words: str) -> None:
    """Every mistake in the terms is exit code 2 before a secret is drawn."""
    refused(committed(tmp_path, PLAIN.replace(*change)), 2, words)
    assert not (tmp_path / "match").exists()


@pytest.mark.parametrize(
    "setting",
    [
        'name = "\\u001b[31m"',
        f'name = "{"x" * 65}"',
        'titles = ["", "", "", "", ""]',
        f'titles = ["{"ä" * 40}", "b", "c", "d", "e"]',
    ],
)
def test_commit_writes_only_terms_that_can_be_read_again(tmp_path: Path, setting: str) -> None:
    """A name or title that no log can hold is refused, and not committed to."""
    ran = committed(tmp_path, PLAIN.replace("end_at = 2", setting))
    assert ran.code == 2
    assert not (tmp_path / "match" / "match.fdl").exists()


def test_every_conflict_of_a_ruleset_is_named(tmp_path: Path) -> None:
    """An operator mends all of them at once."""
    text = PLAIN.replace("end_at = 2", "end_at = 0, exchange_vice = 3, ties = 'none'")
    ran = committed(tmp_path, text)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.count("error: ") == ran.err.count("\n\nhint: ") == 3


def test_terms_come_from_a_file(tmp_path: Path) -> None:
    """A missing file, a folder, or bytes that are no text."""
    refused(run("commit", "--terms", tmp_path / "none", "-o", tmp_path / "m"), 2, "no such file or directory")
    refused(run("commit", "--terms", tmp_path, "-o", tmp_path / "m"), 2, "is a directory")
    (tmp_path / "terms").write_bytes(b"\xff")
    refused(run("commit", "--terms", tmp_path / "terms", "-o", tmp_path / "m"), 3, "no UTF-8 text")
    (tmp_path / "terms").write_text(PLAIN)
    refused(run("commit", "--terms", tmp_path / "terms", "-o", tmp_path / "terms" / "m"), 2)
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("name", ["mine.toml", "x" * 80 + ".toml"], ids=["short", "long"])
def test_a_ruleset_file_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Terms may name a TOML file with all settings instead of a preset, however long its path."""
    monkeypatch.chdir(tmp_path)
    preset = run("rules", "president", "-f", "json").json["settings"]
    lines = [f"{key} = {toml(value)}" for key, value in (preset | {"name": "mine", "end_at": 4}).items()]
    Path(name).write_text("\n".join(lines))
    text = PLAIN.replace('"president"', f'"{name}"').replace("settings = { end_at = 2 }", "")
    assert committed(tmp_path, text).code == 0
    terms = Log((tmp_path / "match" / "match.fdl").read_bytes()).terms
    assert (terms.rules.name, terms.rounds) == ("mine", 4)


def toml(value: object) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


# simulate


def simulated(path: Path, *options: object) -> Ran:
    """Simulate a short match."""
    return run("simulate", "-o", path, "--rng", RNG, "--set", "end_at=2", *options)


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--seats", 3),
        ("--seats", 8, "--sealed"),
        ("--signed",),
        ("--sealed", "--signed", "--seat-keys", "--sequence", 12),
        ("--players", "lowest"),
        ("--set", "match_end=target", "--set", "end_at=5"),
        ("--set", "first_leader=first-dealt", "--set", "exchange_top=0", "--set", "exchange_vice=0"),
    ],
)
def test_a_simulation_is_a_sound_match_with_its_evidence(tmp_path: Path, options: tuple[object, ...]) -> None:
    """The same options give the same bytes, and what the parties hold verifies them."""
    ran = simulated(tmp_path / "a.fdl", *options, "--evidence", tmp_path / "held")
    assert ran == Ran(0, b"", "")
    assert simulated(Path("-"), *options).out == (tmp_path / "a.fdl").read_bytes()
    data = (tmp_path / "a.fdl").read_bytes()
    held = read_folder(tmp_path / "held")
    assert audit(data, held).verdict is Verdict.VERIFIED
    terms = Log(data).terms
    assert len(held.tickets) == len(terms.seats) * len([1 for item in Log(data).items if isinstance(item.record, Deal)])
    wanted = {"--seats": len(terms.seats), "--sequence": terms.sequence}
    for option, value in wanted.items():
        if option in options:
            assert options[options.index(option) + 1] == value
    assert bool(terms.operator_key) == ("--signed" in options)
    assert bool(terms.seats[0].key) == ("--seat-keys" in options)
    assert {path.name for path in (tmp_path / "held").iterdir()} <= set(EVIDENCE_FILES)


def test_another_seed_is_another_match() -> None:
    """Everything follows from --rng, also who is called what match."""
    first = simulated(Path("-")).out
    second = run("simulate", "-o", "-", "--rng", "5b" * 32, "--set", "end_at=2").out
    assert Log(first).terms.match_id != Log(second).terms.match_id
    assert audit(first, Evidence(), ()).verdict is Verdict.VERIFIED


def test_evidence_is_never_replaced(tmp_path: Path) -> None:
    """A second simulation into the same folder is refused, and the first one's log stays."""
    assert simulated(tmp_path / "a.fdl", "--evidence", tmp_path / "held").code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    refused(simulated(tmp_path / "a.fdl", "--seats", 5, "--evidence", tmp_path / "held"), 2, "exists already")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_evidence_is_not_left_without_its_log(tmp_path: Path) -> None:
    """Where the log cannot be written no evidence of it is left behind, which would block the next try."""
    ran = simulated(tmp_path / "none" / "a.fdl", "--evidence", tmp_path / "held")
    assert ran.code == 2
    assert not list(tmp_path.rglob("*.txt"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--players", "perfect"), "there are no players `perfect` at --players"),
        (("--ruleset", "bridge"), "there is no ruleset `bridge`"),
        (("--ruleset", "none.toml"), "no such file or directory at none.toml"),
        (("--seats", "2"), "ruleset `president` is for 3 to 8 seats, not 2"),
        (("--seats", "9"), "not 9"),
        (("--set", "end_at"), "`end_at` is not KEY=VALUE at --set"),
        (("--set", "=7"), "`=7` is not KEY=VALUE"),
        (("--set", "ends_at=7"), "`ends_at` is no setting"),
        (("--set", "end_at=seven"), "`end_at` cannot be `seven`"),
        (("--set", "end_at=0"), "the match is over before it starts"),
        (("--set", "revolution=often"), "`revolution` cannot be `often`"),
        (("--set", 'points={"²" = []}'), "`points`"),
        (("--rng", "00"), "is not 32 bytes in hexadecimal"),
        (("--rng", "5a" * 33), "is not 32 bytes in hexadecimal"),
        (("--sequence", str(MAX_INT + 1)), "sequence"),
        (("--sequence", str(2**64)), "sequence"),
        (("--set", f"name='{'x' * 65}'"), "`name`"),
        (("--set", 'titles=["a", "b", "c", "d", ""]'), "`titles`"),
    ],
)
def test_what_cannot_be_simulated_is_wrong_usage(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    """Nothing is written, and the value at fault is named."""
    ran = simulated(tmp_path / "a.fdl", *options)
    assert (ran.code, ran.out) == (2, b"")
    assert words in ran.err
    assert not list(tmp_path.iterdir())


def test_settings_are_taken_as_toml_or_as_text(tmp_path: Path) -> None:
    """Numbers, flags and lists are TOML; a bare word is the word; the last of two wins."""
    changes = ["reseat=true", "titles=['a','b','c','d','e']", "ties=shared", "end_at=9", "end_at=1", 'name="x=y"']
    ran = run("simulate", "-o", tmp_path / "a", "--rng", RNG, *(part for one in changes for part in ("--set", one)))
    assert ran.code == 0
    rules = Log((tmp_path / "a").read_bytes()).terms.rules
    assert (rules.reseat, rules.titles, str(rules.ties), rules.end_at) == (True, tuple("abcde"), "shared", 1)
    assert rules.name == "x=y"
