"""A second opinion on changed logs: an independent, plain judge of when a log is another legal history of its match.

It shares the dealing with the package, which no change here touches, and nothing of its decoder, rules or judgement.
Only matches under the plain `president` rules are refereed.

A changed log is another legal history of a match when nothing is changed that was fixed before the cards were played,
nothing that follows from the play, and the play itself is lawful and comes to the same finishing order. What is left to
differ is what seats were free to choose: which cards they played, gave back or gave among equals, the order of the two
returns, and the order in which values were sealed (while no seat's signature pins it) and opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

import msgpack

from fairdeal.commit import terms_hash, transcript
from fairdeal.deal import hands_of_round
from fairdeal.sign import sign, signed_message
from fairdeal.simulate import Simulated

SEALED, OPENED, SIGNATURE, DEAL, EXCHANGE, ROUND_END, CLOSE = 2, 3, 4, 5, 6, 10, 11

Move = tuple[int, bytes]  # a seat and the cards it plays; none for a pass
Gift = tuple[int, int, bytes]  # giver, receiver, cards


class History(NamedTuple):
    """A log taken apart: what nobody may change, and gifts and moves of each round; None where it is no log."""

    fixed: list[Any]
    gifts: list[list[Gift]]
    moves: list[list[Move]]


def pack(value: Any) -> bytes:
    """Return the bytes of one value."""
    return bytes(msgpack.packb(value))


def values_of(data: bytes) -> list[Any] | None:
    """Return the values of a log, or None where it is not written in the one canonical way."""
    unpacker = msgpack.Unpacker(raw=False)
    unpacker.feed(data)
    try:
        values = list(unpacker)
        return values if b"".join(map(pack, values)) == data else None
    except (ValueError, TypeError, OverflowError, msgpack.UnpackException):
        return None


def kind_of(value: Any) -> int:
    """Return the kind of a record that is a list, -1 for anything else."""
    return value[0] if isinstance(value, list) and value and isinstance(value[0], int) else -1


def made_good(sample: Simulated, data: bytes) -> bytes:
    """Return the log with the close's digest and the operator's signatures made to fit the bytes before them."""
    values = values_of(data)
    if values is None:
        return data
    out, group = b"", None
    for value in values:
        kind = kind_of(value)
        group = (len(out) if group is None else group) if kind == SIGNATURE else None
        if kind == CLOSE and len(value) == 7:
            value[3] = sha256(out).digest()
        elif kind == SIGNATURE and group is not None and value[1:2] == [0] and 0 in sample.keys:
            digest = sha256(out[:group]).digest()
            value[2:] = [sign(sample.keys[0], signed_message(terms_hash(pack(values[0])), 0, group, digest))]
        out += pack(value)
    return out


def history_of(data: bytes, *, sealing_is_free: bool) -> History | None:
    """Return a log taken apart; `fixed` leaves out what follows from the bytes before it, and free orders."""
    values = values_of(data)
    if values is None:
        return None
    history = History([], [], [])
    numbers: list[int] = []
    playing = False
    for value in values:
        kind = kind_of(value)
        if type(value) is int or kind == EXCHANGE:
            gift = gift_of(value) if kind == EXCHANGE and not numbers else None
            if not playing or (kind == EXCHANGE and gift is None):
                return None
            if gift is None:
                numbers.append(value)
            else:
                history.gifts[-1].append(gift)
            continue
        if kind == ROUND_END and playing:
            moves = moves_of(numbers)
            if moves is None:
                return None
            history.moves.append(moves)
            playing, numbers = False, []
        elif kind == DEAL and not playing:
            history.gifts.append([])
            playing = True
        history.fixed.append(_without_consequences(value, kind))
    for free in (OPENED, *([SEALED] if sealing_is_free else [])):
        _sort_block(history.fixed, free)
    return None if playing else history


@cache
def original_history(data: bytes, free: bool) -> History | None:
    """Return a sound log taken apart, once for all that is held against it."""
    return history_of(data, sealing_is_free=free)


def _without_consequences(value: Any, kind: int) -> Any:
    """Return a record without what is computed from the bytes before it."""
    if kind == CLOSE:
        return value[:3] + value[4:]
    return value[:2] if kind == SIGNATURE and value[1:2] == [0] else value


def _sort_block(fixed: list[Any], kind: int) -> None:
    """Put the records of a kind that stand side by side in one order."""
    found = [index for index, value in enumerate(fixed) if kind_of(value) == kind]
    if found and found == list(range(found[0], found[-1] + 1)):
        fixed[found[0] : found[-1] + 1] = sorted(fixed[found[0] : found[-1] + 1], key=repr)


def gift_of(value: list[Any]) -> Gift | None:
    """Return the gift a list holds, None where it holds none."""
    if len(value) < 4 or not all(type(one) is int and 0 <= one < 54 for one in value):
        return None
    return value[1], value[2], bytes(value[3:])


def moves_of(numbers: list[int]) -> list[Move] | None:
    """Return the moves that small integers stand for: -(seat + 1), or 64 + 8 * (count - 1) + seat and the cards."""
    moves: list[Move] = []
    rest = list(numbers)
    while rest:
        head = rest.pop(0)
        count = (head - 64) // 8 + 1 if head >= 64 else 0
        cards, rest = rest[:count], rest[count:]
        known = -8 <= head < 0 or 64 <= head < 128
        if not known or len(cards) != count or not all(0 <= card < 54 for card in cards):
            return None
        moves.append((head % 8 if count else -1 - head, bytes(cards)))
    return moves


def is_legal_history(sample: Simulated, data: bytes) -> bool:
    """Return whether `data` is another legal history of the match in `sample`."""
    free = not any(seat.key for seat in sample.terms.seats)
    history, original = history_of(data, sealing_is_free=free), original_history(bytes(sample.data), free)
    if original is None or history is None or history.fixed != original.fixed:
        return False
    before: list[int] = []
    for number, end in enumerate((value for value in original.fixed if kind_of(value) == ROUND_END), 1):
        seats = len(sample.terms.seats)
        hands = dealt(sample, number)
        if not exchange(hands, history.gifts[number - 1], before):
            return False
        leader = before[-1] if before else next(seat for seat in range(seats) if 0 in hands[seat])
        order = play(hands, history.moves[number - 1], leader)
        before = sorted(range(seats), key=end[1 : seats + 1].__getitem__)
        if order != before:
            return False
    return True


def dealt(sample: Simulated, number: int) -> list[Counter[int]]:
    """Return the hands of a round by seat; the first card goes one seat further each round."""
    seats = len(sample.terms.seats)
    order = [(number - 1 + step) % seats for step in range(seats)]
    mixed = transcript(sample.tree.terms, sample.tree.commitment(), sample.contributions)
    packs = sample.terms.rules.packs
    return [Counter(hand) for hand in hands_of_round(sample.tree.seeds[number - 1], mixed, number, order, packs, 0)]


def exchange(hands: list[Counter[int]], gifts: list[Gift], finished: Sequence[int]) -> bool:
    """Carry out the gifts; return whether they are those due after a round that finished in that order."""
    pairs = [(finished[0], finished[-1], 2)] if finished else []
    pairs += [(finished[1], finished[-2], 1)] if len(finished) > 3 else []
    if len(gifts) != 2 * len(pairs):
        return False
    for (giver, receiver, cards), (top, bottom, count) in zip(gifts, pairs, strict=False):
        best = sorted((card // 4 for card in hands[bottom].elements()), reverse=True)[:count]
        if (giver, receiver) != (bottom, top) or sorted((card // 4 for card in cards), reverse=True) != best:
            return False
        if not hand_over(hands, giver, receiver, cards):
            return False
    due = list(pairs)
    for giver, receiver, cards in gifts[len(pairs) :]:
        if (giver, receiver, len(cards)) not in due or not hand_over(hands, giver, receiver, cards):
            return False
        due.remove((giver, receiver, len(cards)))
    return True


def hand_over(hands: list[Counter[int]], giver: int, receiver: int, cards: bytes) -> bool:
    """Move cards from hand to hand; return whether they are held and written in ascending order."""
    if list(cards) != sorted(cards) or Counter(cards) - hands[giver]:
        return False
    hands[giver] -= Counter(cards)
    hands[receiver] += Counter(cards)
    return True


def play(hands: list[Counter[int]], moves: list[Move], leader: int) -> list[int] | None:
    """Return the finishing order of a round, None where a move is not lawful or the round is not over."""
    seats, order = len(hands), []
    turn, pile, owner, passed = leader, b"", leader, set[int]()
    for seat, cards in moves:
        holders = {one for one in range(seats) if hands[one]}
        if len(holders) < 2 or seat != turn:
            return None
        if cards:
            higher = not pile or (len(cards) == len(pile) and cards[0] // 4 > pile[0] // 4)
            one_rank = len({card // 4 for card in cards}) == 1 and list(cards) == sorted(cards)
            if not higher or not one_rank or Counter(cards) - hands[seat]:
                return None
            hands[seat] -= Counter(cards)
            pile, owner, passed = cards, seat, set()
            order += [] if hands[seat] else [seat]
        elif pile:
            passed.add(seat)
        else:
            return None
        holders = {one for one in range(seats) if hands[one]}
        if holders - {owner} <= passed:
            turn, pile = owner if hands[owner] else _next(owner, holders), b""
        else:
            turn = _next(seat, holders)
    left = [seat for seat in range(seats) if hands[seat]]
    return order + left if len(left) == 1 else None


def _next(seat: int, holders: set[int]) -> int:
    """Return the next seat clockwise that holds cards."""
    ahead = sorted(holders, key=lambda one: (one - seat - 1) % 8)
    return ahead[0]


def classes(sample: Simulated, data: bytes) -> Counter[str]:
    """Return in what ways a legal history differs from the original."""
    changed, original = history_of(data, sealing_is_free=True), original_history(bytes(sample.data), True)
    found: Counter[str] = Counter()
    if changed is None or original is None:
        return found
    for before, after in zip(original.gifts, changed.gifts, strict=True):
        found["order of the returns"] += before != after and sorted(before) == sorted(after)
        found["cards of a gift"] += sorted(before) != sorted(after)
    for played, replayed in zip(original.moves, changed.moves, strict=True):
        shapes = [[(seat, [card // 4 for card in cards]) for seat, cards in row] for row in (played, replayed)]
        found["suits of plays"] += played != replayed and shapes[0] == shapes[1]
        found["ranks of plays"] += shapes[0] != shapes[1]
    blocks = [[v for v in values_of(log) or [] if kind_of(v) in (SEALED, OPENED)] for log in (bytes(sample.data), data)]
    for kind, name in ((SEALED, "order of sealing"), (OPENED, "order of opening")):
        orders = [[value for value in block if value[0] == kind] for block in blocks]
        found[name] += orders[0] != orders[1]
    return +found
