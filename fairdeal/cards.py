"""Cards as small integers: faces, ranks, the list before the shuffle, and their notation.

A *face* is 4 * rank + suit. Ranks 3, 4 … 10, J, Q, K, A, 2 are 0 … 12 and suits clubs, diamonds, hearts, spades are
0 … 3, so the three of clubs is 0; the two jokers are 52 and 53. Copies of a face in two packs share its number (SPEC,
"Cards").
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fairdeal.errors import Misuse

RANKS: Final = "3456789TJQKA2"
SUITS: Final = "cdhs"
ACE: Final = 11
TWO: Final = 12
JOKER_RANK: Final = 13
RANK_NAMES: Final = (*"3456789", "10", *"JQKA2", "joker")
FACES: Final = 54
FIRST_JOKER: Final = 52
THREE_OF_CLUBS: Final = 0
CARD_NAMES: Final = (*(rank + suit for rank in RANKS for suit in SUITS), "X1", "X2")
_FACE_OF: Final = {name.lower(): face for face, name in enumerate(CARD_NAMES)}
_FACE_OF.update({f"10{suit}": _FACE_OF[f"t{suit}"] for suit in SUITS})
NO_RANK: Final = -1


def rank_of(face: int) -> int:
    """Return the rank 0 … 13 of `face`; 13 is the joker."""
    return face >> 2


def common_rank(cards: bytes) -> int:
    """Return the rank all `cards` share, or `NO_RANK` when they are of several ranks or none."""
    rank = cards[0] >> 2 if cards else NO_RANK
    for face in cards:
        if face >> 2 != rank:
            return NO_RANK
    return rank


def fresh_cards(packs: int, jokers: int) -> bytes:
    """Return the list before the shuffle: the faces upwards, jokers last, the whole of it once per pack."""
    return bytes(range(FIRST_JOKER + jokers)) * packs


def parse_card(text: str) -> int:
    """Return the face that `text` names, such as `3c`, `Td`, `10d`, `X1`; raises `Misuse` for anything else."""
    face = _FACE_OF.get(text.lower()) if text.isascii() else None
    if face is None:
        raise Misuse(f"`{text}` is not a card", hint="write cards as `3c … 9s Tc Jd Qh Ks Ac 2d`, jokers as `X1` `X2`")
    return face


def parse_cards(text: str) -> bytes:
    """Return the faces of a list of cards separated by blanks or commas, in the order written."""
    return bytes(parse_card(word) for word in text.replace(",", " ").split())


def format_cards(cards: Iterable[int]) -> str:
    """Return the cards' names separated by one blank, in the order given."""
    return " ".join(CARD_NAMES[face] for face in cards)
