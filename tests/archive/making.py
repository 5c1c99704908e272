"""Logs by the thousand: one round at a table of three, single cards only, a millisecond or less for each.

Everything follows from the number of a match, and each value that may be used once can be given instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from fairdeal.codec import encode_record
from fairdeal.commit import round_blind, seal, seed_tree, terms_hash, transcript
from fairdeal.deal import hands_of_round
from fairdeal.hands import count_hand, hand_cards
from fairdeal.hashing import file_digest
from fairdeal.limits import MATCH_ID_BYTES
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
    Opened,
    RoundEnd,
    Sealed,
    Seat,
    Signature,
    Terms,
    pass_action,
    set_action,
    signer_of,
)
from fairdeal.ruleset import load_preset
from fairdeal.settings import Contributions, Rules, SeatKind
from fairdeal.sign import public_key, sign, signed_message

SEATS = 3
NAMES = ("North", "East", "South")
OPERATORS = tuple(sha256(b"operator %d" % number).digest() for number in range(3))
"""Private keys of operators."""
SEAT_KEYS = tuple(sha256(b"seat %d" % number).digest() for number in range(SEATS))


class Wanted(NamedTuple):
    """A match to write: what is not given follows from `number`.

    `key` is the operator's private key, empty for a match without one, `seat_keys` those of all seats or of none;
    `contributions` are those of the first seats, all sealed, and `opened` how many of them are opened. `leads` is the
    number of the card, from the lowest of the hand, that every trick is led with. `close` and `blamed` are how the
    match closes: where not by rule, before the first deal.
    """

    number: int
    sequence: int | None = None
    key: bytes = b""
    match_id: bytes | None = None
    secret: bytes | None = None
    commitment: bytes | None = None
    contributions: tuple[bytes, ...] | None = None
    seat_keys: tuple[bytes, ...] = ()
    leads: int = 0
    close: CloseReason = CloseReason.BY_RULE
    blamed: int | None = None
    opened: int = SEATS


def written(wanted: Wanted) -> bytes:
    """Return the log of a match; one that closes by rule is sound, unless its commitment is not its own."""
    terms = _terms(wanted)
    keys = {OPERATOR: wanted.key} if wanted.key else {}
    seats = {signer_of(seat): key for seat, key in enumerate(wanted.seat_keys)}
    writer = _Writer(terms)
    secret = wanted.secret or value("secret", wanted.number)
    tree = seed_tree(secret, writer.terms_hash, terms.rounds)
    commitment = wanted.commitment or tree.commitment()
    writer.add(Commitment(commitment))
    given = wanted.contributions or ()
    for seat, one in enumerate(given):
        writer.add(Sealed(seat, seal(writer.terms_hash, commitment, seat, one)))
    writer.sign(keys | seats)
    for seat, one in enumerate(given[: wanted.opened]):
        writer.add(Opened(seat, one))
    match = Match(terms.rules, SEATS, terms.rounds)
    if wanted.close is CloseReason.BY_RULE:
        mixed = transcript(writer.terms_hash, commitment, given or (b"",) * SEATS)
        _play(writer, match, tree.seeds[0], mixed, wanted.leads)
        final = match.final_places()
    else:
        final = ()
    digest = file_digest(bytes(writer.data))
    writer.add(Close(wanted.close, wanted.blamed, digest, tuple(match.totals), final, secret))
    writer.sign(keys)
    return bytes(writer.data)


def value(what: str, number: int) -> bytes:
    """Return 32 bytes that only this number has."""
    return sha256(f"{what} {number}".encode("ascii")).digest()


def fresh(number: int) -> tuple[bytes, ...]:
    """Return contributions of all seats that no other match has."""
    return tuple(value(f"contribution of seat {seat}", number) for seat in range(SEATS))


@cache
def _rules() -> Rules:
    return load_preset("president", {"end_at": 1}).resolve(SEATS)


@cache
def _public(key: bytes) -> bytes:
    return public_key(key) if key else b""


def _terms(wanted: Wanted) -> Terms:
    keys = [_public(key) for key in wanted.seat_keys or (b"",) * SEATS]
    return Terms(
        match_id=wanted.match_id or value("match", wanted.number)[:MATCH_ID_BYTES],
        sequence=wanted.number if wanted.sequence is None else wanted.sequence,
        operator_key=_public(wanted.key),
        rules=_rules(),
        seats=tuple(Seat(name, SeatKind.HUMAN, key) for name, key in zip(NAMES, keys, strict=True)),
        rounds=1,
        contributions=Contributions.NONE if wanted.contributions is None else Contributions.SEALED,
        beacon="",
        bot_policy=0,
    )


class _Writer:
    """A log as it grows."""

    def __init__(self, terms: Terms) -> None:
        self.data = bytearray(encode_record(terms))
        self.terms_hash = terms_hash(bytes(self.data))

    def add(self, *records: Commitment | Sealed | Opened | Deal | Actions | RoundEnd | Close) -> None:
        for record in records:
            self.data += encode_record(record)

    def sign(self, keys: Mapping[int, bytes]) -> None:
        """Let everybody with a key sign all bytes so far."""
        data = bytes(self.data)
        for signer, key in keys.items():
            message = signed_message(self.terms_hash, signer, len(data), file_digest(data))
            self.data += encode_record(Signature(signer, sign(key, message)))


def _play(writer: _Writer, match: Match, seed: bytes, mixed: bytes, leads: int) -> None:
    """Play the one round and write it."""
    order = match.dealing_order()
    dealt = hands_of_round(seed, mixed, 1, order, 1, 0)
    state = match.start_round([count_hand(cards) for cards in dealt], order)
    actions: list[Action] = []
    while not state.over:
        action = _single(state, leads)
        state.apply(action)
        actions.append(action)
    places = match.places(state.finishing)
    points = match.points(places)
    end = RoundEnd(places, match.titles(places), points, seed)
    writer.add(Deal(1, order[0], round_blind(seed, mixed, 1)), Actions(tuple(actions)), end)
    match.end_round(places, points)


def _single(state: Round, leads: int) -> Action:
    """Return the lowest single card that beats, the one numbered `leads` of the hand on a lead, or a pass."""
    hand = hand_cards(state.hands[state.turn])
    if not state.count:
        face = hand[min(leads, len(hand) - 1)]
        return set_action(state.turn, bytes([face]))
    better = next((face for face in hand if face >> 2 > state.rank), None)
    return pass_action(state.turn) if better is None else set_action(state.turn, bytes([better]))


def archive(count: int, key: bytes = b"", start: int = 1) -> Iterator[bytes]:
    """Yield the sound logs of an operator, numbered from `start`."""
    return (written(Wanted(number, key=key)) for number in range(start, start + count))


def name_of(number: int) -> str:
    """Return what the log of a match is called in a folder of logs."""
    return f"{number:07d}.fdl"


def written_to(folder: Path, logs: Iterable[bytes], start: int = 1) -> Path:
    """Write logs into a folder under their numbers, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(logs, start):
        (folder / name_of(number)).write_bytes(data)
    return folder
