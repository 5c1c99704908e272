"""Matches on a live table for the tests: terms of every kind, players with keys, and what an outsider makes of the log.

Nothing here asks the table what it knows inside: `Truth` is made of the two files of a match alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from fairdeal.audit import audit
from fairdeal.bots import POLICY
from fairdeal.codec import Log, encode_record
from fairdeal.commit import SeedTree, bot_stream, round_blind, seal, seed_tree, terms_hash
from fairdeal.deal import hands_of_round
from fairdeal.draws import Draws
from fairdeal.evidence import Evidence, Receipt, Ticket
from fairdeal.hashing import file_digest, tagged_hash
from fairdeal.records import (
    OPERATOR,
    PASS,
    STRAIGHT,
    Action,
    Actions,
    Clocked,
    Deal,
    Exchange,
    RoundEnd,
    Seat,
    SeatEvent,
    Terms,
    Timing,
    signer_of,
)
from fairdeal.replay import replay
from fairdeal.report import Report
from fairdeal.ruleset import load_preset
from fairdeal.settings import Contributions, MatchEnd, Rules, SeatKind
from fairdeal.sign import public_key, sign, signed_message
from fairdeal.table import Phase, Sync, Table, View
from tests.random_rules import random_ruleset

HUMAN, EASY, MEDIUM, HARD, BOT = SeatKind
PEOPLE = (HUMAN,) * 4
ANY_RULES = "any rules"


@dataclass(frozen=True)
class Setting:
    """A kind of match; two of the same setting are the same to the last byte, the match secret too.

    The preset `any rules` stands for rules that are all drawn.
    """

    preset: str = "president"
    kinds: tuple[SeatKind, ...] = PEOPLE
    sealed: bool = False
    operator: bool = False
    seat_keys: bool = False
    clock: bool = False
    changes: Mapping[str, Any] = field(default_factory=dict)
    rounds: int = 2
    policy: int = POLICY
    number: int = 0

    def rng(self, purpose: str) -> Draws:
        """Return choices that differ between settings of different numbers."""
        return Draws(tagged_hash(purpose, self.number))

    def rules(self) -> Rules:
        """Return the rules of the table."""
        seats = len(self.kinds)
        if self.preset == ANY_RULES:
            rules = random_ruleset(self.rng("rules"), seats).resolve(seats)
            return replace(rules, turn_seconds=self.changes.get("turn_seconds", 0))
        by_rounds = load_preset(self.preset).template.match_end is MatchEnd.ROUNDS
        return load_preset(self.preset, ({"end_at": self.rounds} if by_rounds else {}) | dict(self.changes)).resolve(
            seats
        )


class Players:
    """The people of a match: the operator's and the seats' keys and contributions."""

    def __init__(self, setting: Setting) -> None:
        """Draw the keys, the contributions and the terms."""
        draws, seats = setting.rng("players"), range(len(setting.kinds))
        signers = [OPERATOR] * setting.operator + [signer_of(seat) for seat in seats if setting.seat_keys]
        self.keys = {signer: draws.take(32) for signer in signers}
        public = {signer: public_key(key) for signer, key in self.keys.items()}
        rules = setting.rules()
        kinds = enumerate(setting.kinds)
        self.terms = Terms(
            match_id=draws.take(16),
            sequence=1,
            operator_key=public.get(OPERATOR, b""),
            rules=rules,
            seats=tuple(Seat(f"seat {seat}", kind, public.get(signer_of(seat), b"")) for seat, kind in kinds),
            rounds=max(setting.rounds, rules.end_at) if rules.match_end is MatchEnd.ROUNDS else setting.rounds,
            contributions=Contributions.SEALED if setting.sealed else Contributions.NONE,
            beacon="",
            bot_policy=setting.policy,
        )
        self.terms_hash = terms_hash(encode_record(self.terms))
        self.contributions = {seat: draws.take(32) for seat in self.terms.contributors()}

    def sign(self, message: bytes) -> bytes:
        """Sign as the operator."""
        return sign(self.keys[OPERATOR], message)

    def signature(self, seat: int, receipt: Receipt) -> bytes:
        """Return a seat's signature of what a receipt is of."""
        signer = signer_of(seat)
        return sign(self.keys[signer], signed_message(self.terms_hash, signer, receipt.offset, receipt.digest))

    def seal(self, seat: int, commitment: bytes) -> bytes:
        """Return a seat's sealed contribution."""
        return seal(self.terms_hash, commitment, seat, self.contributions[seat])


class Live:
    """A match being played on a table, with the evidence its players keep; `now` is the caller's clock."""

    def __init__(self, folder: Path, setting: Setting, *, sync: Sync = Sync.CALLER, resume: bool = False) -> None:
        """Create the match in a folder, or go on with the one that is there."""
        self.folder, self.setting, self.sync = folder, setting, sync
        self.players = Players(setting)
        self.now = 1_000
        self.draws = setting.rng("choices")
        self.tickets: list[Ticket] = []
        self.receipts: list[Receipt] = []
        self.base, self.passed = self.now, 0  # this round's marks count from here, so much had passed by then
        if resume:
            self.resume()
        else:
            with patch("secrets.token_bytes", setting.rng("secret").take):
                self.table = Table.create(folder, self.players.terms, sync=sync, sign=self.signer)

    @property
    def signer(self) -> Callable[[bytes], bytes] | None:
        """What signs for the operator, where the terms name a key."""
        return self.players.sign if self.setting.operator else None

    @property
    def time(self) -> int | None:
        """The time to give to a call."""
        return self.now if self.setting.clock else None

    @property
    def log(self) -> Path:
        """The file of the log."""
        return self.folder / "match.fdl"

    @property
    def data(self) -> bytes:
        """The bytes of the log."""
        return self.log.read_bytes()

    def resume(self) -> None:
        """Take the match up from its folder."""
        self.table = Table.resume(self.folder, sync=self.sync, sign=self.signer, now=self.time)
        self.base, self.passed = self.now, sum(_marks(Log(self.data)))

    def timing(self) -> Timing:
        """Return the mark that something accepted now would get."""
        log = Log(self.data)
        if not self.setting.clock or not any(isinstance(item.record, Deal) for item in log.items):
            return Timing(None, None)
        return Timing(self.passed + (self.now - self.base) // 100 - sum(_marks(log)), None)

    def step(self) -> str:
        """Make one lawful call and return what was done in a word or two; nothing where the match has closed."""
        table, players = self.table, self.players
        match table.phase:
            case Phase.SEALING:
                seat = self.draws.choose(table.spectator().waiting)
                table.seal(seat, players.seal(seat, table.commitment))
                return f"seal {seat}"
            case Phase.SIGNING:
                (seat,) = table.spectator().waiting
                self.receipts.append(table.lock_receipt())
                table.sign_lock(seat, players.signature(seat, self.receipts[-1]))
                return f"sign {seat}"
            case Phase.OPENING:
                seat = self.draws.choose(table.spectator().waiting)
                self.receipts.append(table.lock_receipt())
                table.open(seat, players.contributions[seat])
                return f"open {seat}"
            case Phase.BETWEEN:
                self.deal()
                return "deal"
            case Phase.EXCHANGE | Phase.PLAYING:
                return self.move()
            case Phase.OVER:
                table.finish()
                return "finish"
            case _:
                return ""

    def deal(self) -> None:
        """Hand out the tickets and deal."""
        self.tickets += self.table.tickets()
        self.table.deal(self.time)
        self.base, self.passed = self.now, 0

    def move(self) -> str:
        """Let a bot, the clock or a person act."""
        table = self.table
        done = table.advance(self.time)
        if done is not None:
            return spelled(done)
        seat = self.draws.choose(table.spectator().waiting)
        view = table.view(seat)
        if view.phase is Phase.EXCHANGE:
            cards = drawn(self.draws, view.hand or b"", view.owed)
            table.give(seat, cards, self.time)
            return f"give {seat} {cards.hex()}"
        plays = [action for action in view.legal if action.kind != PASS]
        action = self.draws.choose(plays if plays and self.draws.below(4) else view.legal)
        self.act(action)
        return spelled(action)

    def act(self, action: Action) -> None:
        """Make an action of a person."""
        if action.kind == PASS:
            self.table.pass_turn(action.seat, self.time)
        else:
            self.table.play(action.seat, action.cards, self.time, straight=action.kind == STRAIGHT)

    def until(self, *phases: Phase) -> Live:
        """Play until the match waits for one of these, with at least one call."""
        while self.step() and self.table.phase not in phases:
            self.now += self.draws.below(900)
        return self

    def play_out(self) -> Live:
        """Play to the end."""
        return self.until()

    def audit(self) -> Report:
        """Audit the log with all that the players kept."""
        lock = (self.table.lock_receipt(),)
        keys = {signer: public_key(key) for signer, key in self.players.keys.items()}
        evidence = Evidence(tickets=tuple(self.tickets), receipts=(*self.receipts, *lock), keys=keys)
        return audit(self.data, evidence)

    def truth(self) -> Truth:
        """Return what the files say."""
        return truth_of(self.folder)


def spelled(done: Action | Exchange) -> str:
    """Return an action or gift in a few words."""
    if isinstance(done, Exchange):
        return f"give {done.giver} {done.cards.hex()}"
    return f"pass {done.seat}" if done.kind == PASS else f"play {done.seat} {done.cards.hex()}"


def drawn(draws: Draws, cards: bytes, size: int) -> bytes:
    """Return some of these cards."""
    left = list(cards)
    return bytes(left.pop(draws.below(len(left))) for _ in range(min(size, len(left))))


# --- what the files of a match say


def moves(log: Log) -> Iterator[tuple[Timing, Action | Exchange | SeatEvent | Deal | RoundEnd]]:
    """Yield what happened in all rounds, with its timing."""
    for item in log.items:
        match item.record:
            case Actions():
                timing = item.record.timing or (Timing(None, None),) * len(item.record.actions)
                yield from zip(timing, item.record.actions, strict=True)
            case Clocked():
                yield item.record.timing, item.record.record
            case Exchange() | SeatEvent() | Deal() | RoundEnd():
                yield Timing(None, None), item.record


def _marks(log: Log) -> list[int]:
    """Return the clock marks since the last deal."""
    marks: list[int] = []
    for timing, what in moves(log):
        if isinstance(what, Deal):
            marks = []
        marks.append(timing.tenths or 0)
    return marks


class Truth(NamedTuple):
    """A match as its two files tell it: what nobody may see yet is in `hidden`, by what it is.

    `dealt` and `hands` are those of the running round by seat, empty between rounds, `gifts` and `acted` what happened
    in the last round.
    """

    log: Log
    secret: bytes
    tree: SeedTree
    dealt: tuple[bytes, ...]
    hands: tuple[bytes, ...]
    gifts: tuple[Exchange, ...]
    acted: tuple[Action, ...]
    hidden: dict[str, bytes]

    def findings(self, *more: bytes) -> set[str]:
        """Return the codes that an auditor who knows the secret finds in the log, with `more` behind it."""
        log = Log(b"".join((self.log_bytes(), *more)))
        done = replay(log, secret=self.secret)
        stopped = {"malformed"} if done.stopped is not None else set()
        return {str(one.code) for one in done.judge.findings} | stopped

    def log_bytes(self) -> bytes:
        """Return the log's bytes again."""
        return encode_record(self.log.terms) + b"".join(encode_record(item.record) for item in self.log.items)


def truth_of(folder: Path) -> Truth:
    """Return what the files of a folder say."""
    log = Log((folder / "match.fdl").read_bytes())
    assert log.broken is None
    secret = bytes.fromhex(json.loads((folder / "secret.json").read_text())["secret"])
    tree = seed_tree(secret, log.terms_hash, log.terms.rounds)
    done = replay(log, secret=secret)
    closed = done.parts.close is not None
    ended = sum(part.end is not None for part in done.parts.rounds)
    hidden = {} if closed else {"secret": secret}
    if not closed:
        hidden |= {f"seed {number}": seed for number, seed in enumerate(tree.seeds, 1) if number > ended}
    if not done.rounds:
        return Truth(log, secret, tree, (), (), (), (), hidden)
    part, order = done.parts.rounds[-1], done.rounds[-1].dealing_order
    running = part.end is None and not closed
    dealt: tuple[bytes, ...] = ()
    hands: tuple[bytes, ...] = ()
    if running:
        mixed, number, rules = done.opening.transcript, part.deal.round, log.terms.rules
        assert mixed is not None
        seed = tree.seeds[number - 1]
        cards = hands_of_round(seed, mixed, number, order, rules.packs, rules.jokers_per_pack)
        dealt = tuple(bytes(sorted(hand)) for hand in cards)
        hands = tuple(_held(hand, seat, part.gifts, part.actions) for seat, hand in enumerate(dealt))
        hidden |= {"blind": round_blind(seed, mixed, number)}
        hidden |= {f"stream {seat}": bot_stream(seed, mixed, number, seat)[:16] for seat in range(len(dealt))}
    return Truth(log, secret, tree, dealt, hands, tuple(part.gifts), tuple(part.actions), hidden)


def _held(dealt: bytes, seat: int, gifts: list[Exchange], acted: list[Action]) -> bytes:
    """Return what a seat holds of what it was dealt."""
    held = list(dealt)
    for gift in gifts:
        if gift.receiver == seat:
            held += gift.cards
        if gift.giver == seat:
            for face in gift.cards:
                held.remove(face)
    for action in acted:
        if action.seat == seat:
            for face in action.cards:
                held.remove(face)
    return bytes(sorted(held))


# --- what a view may show


def check_views(live: Live) -> Truth:
    """Check that every view shows what the files say, to each seat only its own cards, and nothing that is hidden."""
    truth = live.truth()
    views = [live.table.view(seat) for seat in range(len(live.setting.kinds))]
    for seat, view in enumerate(views):
        check_view(view, seat, truth, live.data)
    check_view(live.table.spectator(), None, truth, live.data)
    return truth


def check_view(view: View, seat: int | None, truth: Truth, data: bytes) -> None:
    """Check one view: every field that can hold cards, and that the others hold none of what is hidden."""
    assert view.seat == seat
    assert view.terms == truth.log.terms
    own = seat is not None and bool(truth.dealt)
    assert view.dealt == (truth.dealt[seat] if own and seat is not None else None)
    assert view.hand == (truth.hands[seat] if own and seat is not None else None)
    assert view.sizes == tuple(map(len, truth.hands))
    assert view.acted == truth.acted
    for seen, gift in zip(view.gifts, truth.gifts, strict=True):
        assert (seen.giver, seen.receiver, seen.size) == (gift.giver, gift.receiver, len(gift.cards))
        assert seen.cards == (gift.cards if seat in (gift.giver, gift.receiver) else None)
    assert all(action.seat == seat for action in view.legal)
    for action in view.legal:
        assert all((view.hand or b"").count(face) >= action.cards.count(face) for face in action.cards)
    ended = [what for _, what in moves(truth.log) if isinstance(what, RoundEnd)]
    assert [one.seed for one in view.results] == [one.seed for one in ended]
    assert (view.receipt.offset, view.receipt.digest) == (len(data), file_digest(data))
    shown = repr(view)
    for what, value in truth.hidden.items():
        assert value.hex() not in shown, what
        assert repr(value)[2:-1] not in shown, what
