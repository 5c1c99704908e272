"""Bots of three levels: what each of them plays and gives back, exactly as SPEC, "Bots", says it (policy 1).

A choice follows from what the seat may see and, at level easy, from one block of its own stream; so an auditor can
make it again. How level hard weighs a play is in `tactics`.
"""

from __future__ import annotations

from typing import Final

from fairdeal.cards import FIRST_JOKER, JOKER_RANK
from fairdeal.errors import Misuse
from fairdeal.hands import hand_cards
from fairdeal.legal import legal_shapes
from fairdeal.limits import BOT_BLOCK_BYTES
from fairdeal.records import PASS, Action
from fairdeal.settings import SeatKind
from fairdeal.tactics import Tactics
from fairdeal.view import Seen

POLICY: Final = 1
LEVELS: Final = (SeatKind.EASY, SeatKind.MEDIUM, SeatKind.HARD)
_LOW_RANKS: Final = 8  # hard gives whole sets of 3 … 10 back; from the jack on cards win tricks


def choose_action(level: SeatKind, seen: Seen, block: bytes) -> Action:
    """Return what the bot on turn does (SPEC, "Bots"); raises `Misuse` for a level or a block that is none."""
    _check(level, block)
    shapes = legal_shapes(seen.state)
    if level is SeatKind.EASY:
        # the remainder of 128 bits makes no shape likelier than another by more than 2**-128, which nobody can notice
        return shapes[int.from_bytes(block, "big") % len(shapes)]
    if len(shapes) == 1:
        return shapes[0]
    if level is SeatKind.MEDIUM:
        return _lowest(seen, shapes)
    return min(shapes, key=Tactics(seen).penalty)


def choose_return(level: SeatKind, hand: bytes | bytearray, size: int, block: bytes) -> bytes:
    """Return the cards a bot gives back, ascending (SPEC, "Bots"); raises `Misuse` for a level or a block that is none.

    `hand` is counted and holds what the bot was given just before; it has `size` cards or more.
    """
    _check(level, block)
    if level is SeatKind.EASY:
        return _drawn(hand_cards(hand), size, int.from_bytes(block, "big"))
    return hand_cards(hand)[:size] if level is SeatKind.MEDIUM else _spared(hand, size)


def _check(level: SeatKind, block: bytes) -> None:
    if level not in LEVELS:
        raise Misuse(f"a bot of level `{level}` has no policy", hint=f"the levels are {', '.join(LEVELS)}")
    if len(block) != BOT_BLOCK_BYTES:
        raise Misuse(f"a decision draws from {BOT_BLOCK_BYTES} bytes, not {len(block)}", hint="give it its own block")


def _lowest(seen: Seen, shapes: list[Action]) -> Action:
    """Return the play with the fewest jokers, of these the lowest; of its sizes the largest on a lead."""
    state = seen.state

    def place(action: Action) -> tuple[int, int, int]:
        jokers = sum(face >= FIRST_JOKER for face in action.cards)
        size = len(action.cards)
        return jokers, state.order[state.law.rank_of(action)], size if state.count else -size

    return min((action for action in shapes if action.kind != PASS), key=place)


def _drawn(cards: bytes, size: int, number: int) -> bytes:
    """Return `size` of the cards, each drawn from those left by the digits of `number` in a base that shrinks."""
    held, drawn = list(cards), bytearray()
    for _ in range(size):
        number, at = divmod(number, len(held))
        drawn.append(held.pop(at))
    return bytes(sorted(drawn))


def _spared(hand: bytes | bytearray, size: int) -> bytes:
    """Return the cards that hurt a hand least: all of a low rank, those with the fewest cards first."""
    held = [hand_cards(hand, 4 * rank, 4 * rank + 4) for rank in range(JOKER_RANK + 1)]
    given = b""
    while len(given) < size:
        left = size - len(given)
        whole = [(len(cards), rank) for rank, cards in enumerate(held[:_LOW_RANKS]) if 0 < len(cards) <= left]
        rank = min(whole)[1] if whole else next(rank for rank, cards in enumerate(held) if cards)
        taken = len(held[rank]) if whole else 1
        given += held[rank][:taken]
        held[rank] = held[rank][taken:]
    return bytes(sorted(given))
