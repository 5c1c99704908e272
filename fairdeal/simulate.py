"""A whole match played by simulated players, reproducible from 32 bytes, with what each party would hold.

Unlike a real match, every secret here follows from the one seed: simulated logs are samples, never evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fairdeal.anchor import CONTRIBUTIONS, OPERATOR_KEY, PUBLISHED, RECEIPTS, SEAT_KEYS, TICKETS, format_receipt
from fairdeal.bots import PLAYERS, Player, tribute_cards
from fairdeal.codec import encode_record
from fairdeal.commit import SeedTree, round_blind, seal, seed_tree, terms_hash, transcript
from fairdeal.deal import hands_of_round
from fairdeal.draws import Draws
from fairdeal.evidence import Receipt, Ticket, ticket_of
from fairdeal.exchange import Exchanging
from fairdeal.hands import count_hand
from fairdeal.hashing import file_digest, tagged_hash
from fairdeal.limits import HASH_BYTES, MATCH_ID_BYTES
from fairdeal.match import Match
from fairdeal.play import Round
from fairdeal.records import (
    OPERATOR,
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
    signer_of,
)
from fairdeal.ruleset import Ruleset
from fairdeal.settings import Contributions, SeatKind
from fairdeal.sign import public_key, sign, signed_message
from fairdeal.ticket import encode_ticket

NAMES = ("North", "East", "South", "West", "Anna", "Bruno", "Chloe", "Dario")


@dataclass(frozen=True, slots=True)
class Simulation:
    """How to simulate: `rng` decides everything else; `signed` gives the operator and every human seat a key."""

    ruleset: Ruleset
    seats: int
    rng: bytes
    sealed: bool = False
    signed: bool = False
    seat_keys: bool = False
    players: str = "random"
    sequence: int = 1
    rounds: int | None = None


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
    """Play a whole match; the same plan gives the same bytes on every machine."""
    done = _opened_match(plan)
    terms = done.terms
    commitment = done.tree.commitment()
    mixed = transcript(done.tree.terms, commitment, done.contributions)
    match = Match(terms.rules, plan.seats, terms.rounds)
    draws = Draws(tagged_hash("simulate-play", plan.rng))
    while not match.over():
        _play_round(plan, done, match, mixed, draws)
    digest = file_digest(bytes(done.data))
    close = Close(CloseReason.BY_RULE, None, digest, tuple(match.totals), match.final_places(), done.secret)
    done.add(close)
    if OPERATOR in done.keys:
        done.sign_prefix(OPERATOR)
    return done


def _opened_match(plan: Simulation) -> Simulated:
    """Return a match up to the first deal: terms, commitment, contributions and lock."""
    rules = plan.ruleset.resolve(plan.seats)
    draws = Draws(tagged_hash("simulate-terms", plan.rng))
    keys = {}
    if plan.signed:
        keys[OPERATOR] = draws.take(HASH_BYTES)
    if plan.seat_keys:
        keys |= {signer_of(seat): draws.take(HASH_BYTES) for seat in range(plan.seats)}
    policy = Contributions.SEALED if plan.sealed else Contributions.NONE
    public = {signer: public_key(key) for signer, key in keys.items()}
    seats = tuple(Seat(NAMES[s], SeatKind.HUMAN, public.get(signer_of(s), b"")) for s in range(plan.seats))
    terms = Terms(
        match_id=draws.take(MATCH_ID_BYTES),
        sequence=plan.sequence,
        operator_key=public.get(OPERATOR, b""),
        rules=rules,
        seats=seats,
        rounds=plan.rounds or plan.ruleset.default_rounds(),
        contributions=policy,
        beacon="",
        bot_policy=0,
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


def _play_round(plan: Simulation, done: Simulated, match: Match, mixed: bytes, draws: Draws) -> None:
    choose, choose_return = PLAYERS[plan.players]
    number, order, rules = match.ended + 1, match.dealing_order(), done.terms.rules
    seed = done.tree.seeds[number - 1]
    done.tickets += [ticket_of(done.terms, done.tree, number, done.contributions, order, seat) for seat in order]
    done.add(Deal(number, order[0], round_blind(seed, mixed, number)))
    dealt = hands_of_round(seed, mixed, number, order, rules.packs, rules.jokers_per_pack)
    hands = [count_hand(cards) for cards in dealt]
    exchange = Exchanging(hands, match.swaps())
    while exchange.due:
        swap = exchange.due[0] if exchange.due[0].tribute else draws.choose(exchange.due)
        hand = hands[swap.giver]
        cards = tribute_cards(hand, swap) if swap.tribute else choose_return(hand, swap, draws)
        gift = Exchange(swap.giver, swap.receiver, cards)
        exchange.apply(gift)
        done.add(gift)
    state = match.start_round(hands, order)
    done.add(Actions(tuple(_actions(state, choose, draws))))
    places = match.places(state.finishing)
    points = match.points(places)
    done.add(RoundEnd(places, match.titles(places), points, seed))
    match.end_round(places, points)


def _actions(state: Round, choose: Player, draws: Draws) -> Iterator[Action]:
    while not state.over:
        action = choose(state, draws)
        state.apply(action)
        yield action


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
