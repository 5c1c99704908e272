"""The match secret in a running process: it answers what a table needs, and shows itself to nobody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from fairdeal.commit import SeedTree, round_blind
from fairdeal.control import Streams
from fairdeal.deal import hands_of_round
from fairdeal.evidence import Ticket, ticket_of
from fairdeal.hands import count_hand
from fairdeal.records import Terms
from fairdeal.secretfile import MatchSecret


class Hidden:
    """Something that must not leave its process: no copy, no pickle, and a repr that tells only what it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Name the class only."""
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refuse to be copied or pickled."""
        raise TypeError(f"a {type(self).__name__.lower()} cannot be copied or pickled: it holds the match secret")


class Vault(Hidden):
    """The secret of one match, its seeds, and, once all contributions are open, the transcript."""

    __slots__ = ("_secret", "_transcript", "_tree")

    def __init__(self, secret: MatchSecret) -> None:
        """Take the secret of a file."""
        self._secret = secret.secret
        self._tree: SeedTree = secret.tree()
        self._transcript = b""

    def mix_in(self, transcript: bytes) -> None:
        """Take T, with which every deal is made from now on."""
        self._transcript = transcript

    def commitment(self) -> bytes:
        """Return C."""
        return self._tree.commitment()

    def ticket(self, terms: Terms, number: int, opened: tuple[bytes, ...], order: Sequence[int], seat: int) -> Ticket:
        """Return the ticket of `seat` for round `number`; it holds a fingerprint, no seed."""
        return ticket_of(terms, self._tree, number, opened, order, seat)

    def blind(self, number: int) -> bytes:
        """Return the blind of a round."""
        return round_blind(self._tree.seeds[number - 1], self._transcript, number)

    def streams(self, number: int) -> Streams:
        """Return what the bots of a round draw from."""
        return Streams(self._tree.seeds[number - 1], self._transcript, number)

    def hands(self, terms: Terms, number: int, order: Sequence[int]) -> list[bytearray]:
        """Return the dealt hands of a round by seat, counted."""
        rules = terms.rules
        seed = self._tree.seeds[number - 1]
        dealt = hands_of_round(seed, self._transcript, number, order, rules.packs, rules.jokers_per_pack)
        return [count_hand(cards) for cards in dealt]

    def seed(self, number: int) -> bytes:
        """Return the seed of a round, for the record that ends it."""
        return self._tree.seeds[number - 1]

    def secret(self) -> bytes:
        """Return the match secret, for the close."""
        return self._secret
