"""A whole match played by simulated players, reproducible from 32 bytes, with what each party would hold.

Unlike a real match, every secret here follows from the one seed: simulated logs are samples, never evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fairdeal.anchor import CONTRIBUTIONS, OPERATOR_KEY, PUBLISHED, RECEIPTS, SEAT_KEYS, TICKETS, format_receipt
from fairdeal.bots import LEVELS, POLICY
from fairdeal.codec import encode_record
from fairdeal.commit import SeedTree, round_blind, seal, seed_tree, terms_hash, transcript
from fairdeal.control import Control, Streams, clock_action, clock_return
from fairdeal.deal import hands_of_round
from fairdeal.draws import Draws
from fairdeal.errors import Misuse
from fairdeal.evidence import Receipt, Ticket, ticket_of
from fairdeal.exchange import Exchanging, Swap
from fairdeal.hands import count_hand
from fairdeal.hashing import file_digest, tagged_hash
from fairdeal.limits import HASH_BYTES, MATCH_ID_BYTES
from fairdeal.match import Match
from fairdeal.play import Round
from fairdeal.players import PLAYERS, tribute_cards
from fairdeal.records import (
    OPERATOR,
    UNTIMED,
    Action,
    Actions,
    Close,
    CloseReason,
    Commitment,
    Deal,
    Exchange,
    Opened,
    Record,
    RoundEnd,
    Sealed,
    Seat,
    Signature,
    Terms,
    Timing,
    signer_of,
    timed,
)
from fairdeal.ruleset import Ruleset
from fairdeal.settings import Contributions, SeatKind
from fairdeal.sign import public_key, sign, signed_message
from fairdeal.simulated_clock import SimulatedClock
from fairdeal.ticket import encode_ticket

UNSTATED = str(SeatKind.BOT)
"""Who plays a seat that is a bot of no stated level: at random, and its terms claim nothing of any bot."""
WHO_PLAYS = (*PLAYERS, *map(str, LEVELS), UNSTATED)
NAMES = ("North", "East", "South", "West", "Anna", "Bruno", "Chloe", "Dario")


@dataclass(frozen=True, slots=True)
class Simulation:
    """How to simulate: `rng` decides everything else; `signed` gives the operator a key, `seat_keys` every seat.

    `players` has one of `WHO_PLAYS` for each seat, or one for all: a person who plays like that, or a bot. With `clock`
    rounds have clock marks, people run out of time, lose the connection and return or leave.
    """

    ruleset: Ruleset
    seats: int
    rng: bytes
    sealed: bool = False
    signed: bool = False
    seat_keys: bool = False
    players: str | tuple[str, ...] = "random"
    sequence: int = 1
    rounds: int | None = None
    clock: bool = False

    def by_seat(self) -> tuple[str, ...]:
        """Return who plays each seat; raises `Misuse` for who is not there, or not one for each seat."""
        named = (self.players,) * self.seats if isinstance(self.players, str) else self.players
        unknown = [one for one in named if one not in WHO_PLAYS]
        if unknown:
            raise Misuse(f"there are no players `{unknown[0]}`", "--players", f"players: {', '.join(WHO_PLAYS)}")
        if len(named) != self.seats:
            raise Misuse(
                f"{len(named)} players at a table of {self.seats}", "--players", "name one for all, or one a seat"
            )
        return named


@dataclass(slots=True)
class Simulated:
    """A simulated match: its records, and what the operator and the players would hold afterwards.

    `keys` are private keys by signer number. `lock` is where the lock ends in the log.
    """

    terms: Terms
    secret: bytes
    tree: SeedTree
    keys: dict[int, bytes]
    contributions: tuple[bytes, ...]
    records: list[Record] = field(default_factory=list)
    data: bytearray = field(default_factory=bytearray)
    tickets: list[Ticket] = field(default_factory=list)
    lock: int = 0

    def __repr__(self) -> str:
        """Name the match only, as one does with secrets."""
        return f"<Simulated match {self.terms.match_id.hex()}>"

    def add(self, *records: Record) -> None:
        """Append records to the log."""
        for record in records:
            self.records.append(record)
            self.data += encode_record(record)

    def receipt(self, offset: int) -> Receipt:
        """Return the receipt of the first `offset` bytes, signed by the operator if it has a key."""
        digest = file_digest(bytes(self.data[:offset]))
        key = self.keys.get(OPERATOR)
        message = signed_message(self.tree.terms, OPERATOR, offset, digest)
        return Receipt(self.tree.terms, offset, digest, sign(key, message) if key else b"")

    def sign_prefix(self, *signers: int) -> None:
        """Append a signature of all bytes so far by each of `signers`."""
        offset = len(self.data)
        digest = file_digest(bytes(self.data))
        for signer in signers:
            message = signed_message(self.tree.terms, signer, offset, digest)
            self.add(Signature(signer, sign(self.keys[signer], message)))


def simulate(plan: Simulation) -> Simulated:
    """Play a whole match; the same plan gives the same bytes on every machine.

    Raises `Misuse` for a table, players or a clock that the rules do not have.
    """
    done = _opened_match(plan)
    terms = done.terms
    table = _Table(plan, done)
    while not table.match.over():
        table.play_round()
    digest = file_digest(bytes(done.data))
    match = table.match
    close = Close(CloseReason.BY_RULE, None, digest, tuple(match.totals), match.final_places(), done.secret)
    done.add(close)
    if terms.operator_key:
        done.sign_prefix(OPERATOR)
    return done


def _opened_match(plan: Simulation) -> Simulated:
    """Return a match up to the first deal: terms, commitment, contributions and lock."""
    rules = plan.ruleset.resolve(plan.seats)
    kinds = [SeatKind.HUMAN if who in PLAYERS else SeatKind(who) for who in plan.by_seat()]
    if plan.sealed and SeatKind.HUMAN not in kinds:
        raise Misuse(
            "only people seal contributions, and there are none", "--players", "name a person among the players"
        )
    draws = Draws(tagged_hash("simulate-terms", plan.rng))
    keys = {}
    if plan.signed:
        keys[OPERATOR] = draws.take(HASH_BYTES)
    if plan.seat_keys:
        keys |= {signer_of(seat): draws.take(HASH_BYTES) for seat in range(plan.seats)}
    policy = Contributions.SEALED if plan.sealed else Contributions.NONE
    public = {signer: public_key(key) for signer, key in keys.items()}
    seats = tuple(Seat(NAMES[s], kind, public.get(signer_of(s), b"")) for s, kind in enumerate(kinds))
    bots = plan.clock or any(kind is not SeatKind.HUMAN for kind in kinds)
    terms = Terms(
        match_id=draws.take(MATCH_ID_BYTES),
        sequence=plan.sequence,
        operator_key=public.get(OPERATOR, b""),
        rules=rules,
        seats=seats,
        rounds=plan.rounds or plan.ruleset.default_rounds(),
        contributions=policy,
        beacon="",
        bot_policy=POLICY if bots and SeatKind.BOT not in kinds else 0,
    )
    secret = draws.take(HASH_BYTES)
    tree = seed_tree(secret, terms_hash(encode_record(terms)), terms.rounds)
    owners = terms.contributors()
    contributions = tuple(draws.take(HASH_BYTES) if seat in owners else b"" for seat in range(plan.seats))
    done = Simulated(terms, secret, tree, keys, contributions)
    done.add(terms, Commitment(tree.commitment()))
    done.add(*(Sealed(s, seal(tree.terms, tree.commitment(), s, contributions[s])) for s in owners))
    done.lock = len(done.data)
    done.sign_prefix(*keys)
    done.add(*(Opened(seat, contributions[seat]) for seat in owners))
    return done


class _Table:
    """Plays the rounds of a simulated match and writes them into its log."""

    __slots__ = ("_choices", "_clock", "_control", "_done", "_draws", "_mixed", "match")

    def __init__(self, plan: Simulation, done: Simulated) -> None:
        terms = done.terms
        self.match = Match(terms.rules, plan.seats, terms.rounds)
        # who is no person by the terms and of no stated level plays at random
        self._choices = [PLAYERS.get(who, PLAYERS["random"]) for who in plan.by_seat()]
        self._control = Control(terms)
        self._clock: SimulatedClock | None = None
        if plan.clock:
            self._clock = SimulatedClock(self._control, Draws(tagged_hash("simulate-clock", plan.rng)))
        self._done = done
        self._draws = Draws(tagged_hash("simulate-play", plan.rng))
        self._mixed = transcript(done.tree.terms, done.tree.commitment(), done.contributions)

    def play_round(self) -> None:
        """Play the next round, from its deal to its end."""
        done, match, mixed = self._done, self.match, self._mixed
        number, order, rules = match.ended + 1, match.dealing_order(), done.terms.rules
        seed = done.tree.seeds[number - 1]
        done.tickets += [ticket_of(done.terms, done.tree, number, done.contributions, order, seat) for seat in order]
        done.add(Deal(number, order[0], round_blind(seed, mixed, number)))
        self._control.start_round(Streams(seed, mixed, number))
        dealt = hands_of_round(seed, mixed, number, order, rules.packs, rules.jokers_per_pack)
        hands = [count_hand(cards) for cards in dealt]
        exchange = Exchanging(hands, match.swaps())
        while exchange.due:
            swap = exchange.due[0] if exchange.due[0].tribute else self._draws.choose(exchange.due)
            self._give(exchange, swap)
        places = match.places(self._play(match.start_round(hands, order)))
        points = match.points(places)
        done.add(RoundEnd(places, match.titles(places), points, seed))
        match.end_round(places, points)
        if not match.over():
            self._happen()

    def _happen(self) -> None:
        """Let something happen to a seat, perhaps."""
        if self._clock is not None:
            self._done.add(*self._clock.happenings())

    def _by_bot(self, seat: int) -> bool:
        """Return whether a bot of a stated level plays a seat now."""
        return self._control.players[seat] in LEVELS

    def _give(self, exchange: Exchanging, swap: Swap) -> None:
        self._happen()
        control, giver = self._control, swap.giver
        hand = exchange.hands[giver]
        timing = UNTIMED if self._clock is None else self._clock.for_gift(swap)
        if timing.acted_for is not None:
            cards = clock_return(hand, swap.size)
        elif swap.tribute:
            cards = tribute_cards(hand, swap)
        elif self._by_bot(giver):
            cards = control.bot_gift(swap, hand)
        else:
            cards = self._choices[giver][1](hand, swap, self._draws)
        gift = Exchange(giver, swap.receiver, cards)
        exchange.apply(gift)
        control.decided(giver, timing)
        self._done.add(timed(timing, gift))

    def _play(self, state: Round) -> Sequence[int]:
        """Play until one seat is left with cards and return who finished when; without a clock all is one run."""
        run: list[Action] = []
        while not state.over:
            self._happen()
            action, timing = self._action(state)
            self._control.decided(state.turn, timing)
            state.apply(action)
            run.append(action)
            if timing != UNTIMED:
                self._done.add(timed(timing, Actions((run.pop(),))))
        if run:
            self._done.add(Actions(tuple(run)))
        return state.finishing

    def _action(self, state: Round) -> tuple[Action, Timing]:
        seat = state.turn
        timing = UNTIMED if self._clock is None else self._clock.for_action(seat)
        if timing.acted_for is not None:
            return clock_action(state), timing
        if self._by_bot(seat):
            return self._control.bot_action(state), timing
        return self._choices[seat][0](state, self._draws), timing


def evidence_files(done: Simulated) -> dict[str, str]:
    """Return what the parties of a simulated match would hold, as the text of each evidence file by its name.

    That is every ticket, the receipts of the lock and of the end, the published commitment, the public keys and the
    contributions.
    """
    public = {signer: public_key(key).hex() for signer, key in done.keys.items()}
    lines = {
        TICKETS: [encode_ticket(ticket) for ticket in done.tickets],
        RECEIPTS: [format_receipt(done.receipt(offset)) for offset in (done.lock, len(done.data))],
        PUBLISHED: [f"{done.terms.sequence} {done.tree.commitment().hex()}"],
        OPERATOR_KEY: [key for signer, key in public.items() if signer == OPERATOR],
        SEAT_KEYS: [f"{signer - 1}={key}" for signer, key in public.items() if signer != OPERATOR],
        CONTRIBUTIONS: [f"{seat}={value.hex()}" for seat, value in enumerate(done.contributions) if value],
    }
    return {name: "".join(f"{line}\n" for line in listed) for name, listed in lines.items() if listed}
