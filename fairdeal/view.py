"""What one seat may see of a round: its own hand and everything public, with the other hands taken out.

A bot is handed this and nothing else, so that it cannot peek; what it chooses is therefore the same whatever the hidden
cards are (SPEC, "Bots").
"""

from __future__ import annotations

from typing import NamedTuple

from fairdeal.cards import FACES
from fairdeal.play import Round

_NOTHING = bytes(FACES)


class Seen(NamedTuple):
    """A round as `seat` sees it.

    `state` is the round with all other hands empty; its `sizes` still tell how many cards each seat holds, and all else
    in it is public. `unseen` counts, by face, the cards of all other hands together: what is neither in the seat's own
    hand nor played, which anybody can count.
    """

    seat: int
    state: Round
    unseen: bytes


def seen_by(state: Round, seat: int) -> Seen:
    """Return what `seat` sees of `state`; nothing in it is shared with the round that goes on."""
    others = [hand for one, hand in enumerate(state.hands) if one != seat]
    unseen = bytes(map(sum, zip(*others, strict=True)))
    own = state.copy()
    own.hands = [hand if one == seat else bytearray(_NOTHING) for one, hand in enumerate(own.hands)]
    return Seen(seat, own, unseen)
