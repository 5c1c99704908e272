"""The vectors that fold a hundred thousand shuffles, and ten thousand matches, into one hash each.

What single vectors miss, a rare rejection or a round that ends unusually, shows here. Every check recomputes the first
ones; the large counts take most of a minute, so their hashes are constants here, which a test recomputes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from fairdeal.cards import TWO, fresh_cards
from fairdeal.codec import encode_action
from fairdeal.deal import hands_of_round
from fairdeal.exchange import Exchanging
from fairdeal.hands import count_hand, hand_cards
from fairdeal.limits import MAX_ROUNDS
from fairdeal.match import Match
from fairdeal.play import Round
from fairdeal.players import tribute_cards
from fairdeal.records import Action, Exchange, pass_action, set_action
from fairdeal.ruleset import load_preset
from fairdeal.shuffle import deck_order
from fairdeal.vectors.envelope import Declined, Stage, valid

INPUTS: Final = ("what", "count")
SHUFFLES: Final = "shuffles"
MATCHES: Final = "matches"
PREFIX: Final = {SHUFFLES: 1_000, MATCHES: 100}  # up to here every check recomputes the hash
DECKS: Final = ((1, 0), (1, 2), (2, 0), (2, 2))  # packs, jokers a pack: 52, 54, 104 and 108 cards
TABLES: Final = range(3, 9)
# hashes after so many; those beyond the prefix are recomputed by a test marked `full`
KNOWN: Final[Mapping[str, Mapping[int, str]]] = {
    SHUFFLES: {
        100: "f8ea2a91bc28f0cec7b63a2b76cc0811b186b8e518dec6333dcd87ae7b34d5ac",
        1_000: "0d8f0c4864767a4bb051157258c757f77eed2729d5eb1f083662dcaf15cbb91b",
        10_000: "6c2ae4cf34afe48ad6d2f1656cc31426db1a04126bcc6c4fe333e2cdb1203d2c",
        100_000: "7a2a3f9465854ec98ba664285d2e52aebd4adde9ff15fcee32d8206ad477f361",
    },
    MATCHES: {
        6: "0bd9ac3697d7902144ba2690a32f82c12e8c8a165caaf869487b0dbc7e057de1",
        100: "f0e163b16881b5b21a8f161fc2c5c370c64f1cc64c13cb220855f6af5d132867",
        1_000: "62428deab71bcdc4ae8eed180d9636cc47dffde93c03b5c274289ef258bb6be3",
        10_000: "6ed71478f727503fa1f19721a09ab8b24d69e0b643f712a48a9a108cf3ebd054",
    },
}


def accumulated_stage() -> Stage:
    """Return the tests of many shuffles and of many matches, with the recipe of both in the header."""
    header = [
        "`count` shuffles or matches folded into one `hash`: SHA-256 of all that they give, one after the other.",
        "Below, H(text) is SHA-256 of an ASCII text, in which i and r stand as decimal numbers without leading zeros.",
        "`shuffles`: for i = 0, 1, 2 and on the fresh list has 52, 54, 104 or 108 cards as i mod 4 is 0, 1, 2 or 3",
        "(one pack without jokers, one with two, two packs without, two packs with two each). It is shuffled by the",
        "deck stream of the seed H(`shuffle i seed`), the transcript H(`shuffle i transcript`) and the round number",
        "1 + i mod 1,000. It gives its order, a byte a card.",
        "`matches`: match i = 0, 1, 2 and on is of the preset `president`, so of five rounds, at a table of",
        "3 + i mod 6 seats. Its transcript is H(`match i transcript`), the seed of its round r, from 1 on,",
        "H(`match i seed r`). All play as low as they can: a leader plays all cards held of the lowest rank of which",
        "any is held; who has to beat a pile of m cards takes the lowest rank above it of which m cards or more are",
        "held, and of these the m lowest faces; who has none passes. Of equal ranks the lower suits are given as",
        "tribute, and the lowest faces held after both tributes are returned. A match gives, round by round, the bytes",
        "of all actions as they stand in a log and then the finishing places by seat, a byte each; of gifts only the",
        "plays tell.",
    ]
    for what, count in PREFIX.items():
        if dict(hashes(what, count)).items() - KNOWN[what].items():
            raise ValueError(f"{what} give other hashes than those known")
    tests = [
        valid(f"{count:,} {what}", what=what, count=count, hash=known)
        for what, after in KNOWN.items()
        for count, known in after.items()
    ]
    return Stage("accumulated", header, tests)


def recompute(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return the hash over the first `count` shuffles or matches; raises `Declined` where that takes too long."""
    what, count = test["what"], test["count"]
    if not 0 < count <= PREFIX[what]:
        raise Declined(f"{count:,} {what} take too long for every check")
    return {"hash": dict(hashes(what, count))[count]}


def hashes(what: str, count: int) -> Iterator[tuple[int, str]]:
    """Yield the hashes after each known count up to `count`, and after `count` itself."""
    fold, made = hashlib.sha256(), _MAKERS[what]
    for index in range(count):
        fold.update(made(index))
        if index + 1 == count or index + 1 in KNOWN[what]:
            yield index + 1, fold.hexdigest()


def _h(text: str) -> bytes:
    return hashlib.sha256(text.encode("ascii")).digest()


def shuffled(index: int) -> bytes:
    """Return what one shuffle gives: the order of its cards."""
    packs, jokers = DECKS[index % len(DECKS)]
    number = 1 + index % MAX_ROUNDS
    seed, mixed = _h(f"shuffle {index} seed"), _h(f"shuffle {index} transcript")
    return bytes(deck_order(seed, mixed, number, fresh_cards(packs, jokers)))


def played(index: int) -> bytes:
    """Return what one match gives: the bytes of its actions, and after each round's the places."""
    seats = TABLES[index % len(TABLES)]
    rules = _PRESIDENT.resolve(seats)
    match, mixed = Match(rules, seats, _PRESIDENT.default_rounds()), _h(f"match {index} transcript")
    given = bytearray()
    while not match.over():
        number, order = match.ended + 1, match.dealing_order()
        seed = _h(f"match {index} seed {number}")
        dealt = hands_of_round(seed, mixed, number, order, rules.packs, rules.jokers_per_pack)
        exchange = Exchanging([count_hand(cards) for cards in dealt], match.swaps())
        _give_all(exchange)
        state = match.start_round(exchange.hands, order)
        while not state.over:
            action = _lowest(state)
            state.apply(action)
            given += encode_action(action)
        places = match.places(state.finishing)
        given += bytes(places)
        match.end_round(places, match.points(places))
    return bytes(given)


def _give_all(exchange: Exchanging) -> None:
    """Make every gift: the best cards as tribute, of equals the lower suits, and the lowest cards back."""
    while exchange.due:
        swap = exchange.due[0]
        hand = exchange.hands[swap.giver]
        cards = tribute_cards(hand, swap) if swap.tribute else hand_cards(hand)[: swap.size]
        exchange.apply(Exchange(swap.giver, swap.receiver, cards))


def _lowest(state: Round) -> Action:
    """Return the lowest play by the recipe, which knows no jokers, no matches and no straights."""
    seat, hand, count = state.turn, state.hands[state.turn], state.count
    for low in range(4 * (state.rank + 1), 4 * TWO + 4, 4):
        held = sum(hand[low : low + 4])
        if held and held >= count:
            cards = hand_cards(hand, low, low + 4)
            return set_action(seat, cards[:count] if count else cards)
    return pass_action(seat)


_PRESIDENT: Final = load_preset("president")
_MAKERS: Final[Mapping[str, Callable[[int], bytes]]] = {SHUFFLES: shuffled, MATCHES: played}
