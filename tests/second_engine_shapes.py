"""What a list of cards is for the second engine: a set, a straight, or neither; and every list a hand can lay down.

Written from the rulebooks and the readings alone, without the product's own shapes, which it is compared with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Final

from fairdeal.cards import FIRST_JOKER, JOKER_RANK
from fairdeal.settings import CompletedRank, Joker, LoneJoker, Rules

PASS: Final = "pass"
SET: Final = "set"
BIG_SET: Final = "big-set"
STRAIGHT: Final = "straight"

RANK_THREE: Final = 0
RANK_ACE: Final = 11
RANK_TWO: Final = 12
LARGEST_SET: Final = 8  # more cards than this are written as a big set


def is_joker(face: int) -> bool:
    """Return whether `face` is a joker."""
    return face >= FIRST_JOKER


def naturals(cards: Sequence[int]) -> list[int]:
    """Return the cards that are no jokers, in their order."""
    return [face for face in cards if not is_joker(face)]


def jokers(cards: Sequence[int]) -> list[int]:
    """Return the jokers, in their order."""
    return [face for face in cards if is_joker(face)]


def is_lone_joker(cards: Sequence[int]) -> bool:
    """Return whether the cards are one joker and nothing else."""
    return len(cards) == 1 and is_joker(cards[0])


def is_all_jokers(cards: Sequence[int]) -> bool:
    """Return whether the cards are jokers alone."""
    return not naturals(cards)


def natural_count(cards: Sequence[int], rank: int) -> int:
    """Return how many of the cards are of `rank` themselves, stand-ins not counted."""
    return sum(face // 4 == rank for face in naturals(cards))


def is_two_or_joker_among(cards: Sequence[int]) -> bool:
    """Return whether a literal 2 or a joker is among the cards."""
    return any(is_joker(face) or face // 4 == RANK_TWO for face in cards)


def set_rank(rules: Rules, cards: Sequence[int]) -> int:
    """Return the rank of a set: that of its natural cards; of jokers alone the joker, or a 2 for one under as-two."""
    if naturals(cards):
        return naturals(cards)[0] // 4
    if is_lone_joker(cards) and rules.lone_joker is LoneJoker.AS_TWO:
        return RANK_TWO
    return JOKER_RANK


def is_higher(rank: int, other: int, *, turned: bool) -> bool:
    """Return whether `rank` beats `other`: the ranks of 3 to 2 may be turned over, jokers stay on top."""
    upwards = list(range(RANK_THREE, RANK_TWO + 1))
    if turned:
        upwards.reverse()
    upwards.append(JOKER_RANK)
    return upwards.index(rank) > upwards.index(other)


def completes_rank(rules: Rules, sets: Sequence[Sequence[int]]) -> bool:
    """Return whether the last of the `sets` on the pile, the first one first, completes its rank on it."""
    rank = set_rank(rules, sets[-1])
    if rules.completed_rank is CompletedRank.CLEAR:
        return sum(natural_count(cards, rank) for cards in sets) >= 4
    if rules.completed_rank is CompletedRank.CLEAR_IF_SEVERAL_PLAYS:
        in_a_row: list[Sequence[int]] = []
        for cards in reversed(sets):
            if set_rank(rules, cards) != rank:
                break
            in_a_row.append(cards)
        if rank == JOKER_RANK:
            laid = sum(len(cards) for cards in in_a_row)
            in_the_deck = rules.packs * rules.jokers_per_pack
        else:
            laid = sum(natural_count(cards, rank) for cards in in_a_row)
            in_the_deck = 4 * rules.packs
        return len(in_a_row) > 1 and laid == in_the_deck
    return False


def straight_base(cards: Sequence[int]) -> int:
    """Return the rank of the first position of a straight, told by its first natural card."""
    for position, face in enumerate(cards):
        if not is_joker(face):
            return face // 4 - position
    raise ValueError("jokers alone are no straight")


def straight_top(cards: Sequence[int]) -> int:
    """Return the rank of the last position of a straight."""
    return straight_base(cards) + len(cards) - 1


def shape_fault(rules: Rules, kind: str, cards: Sequence[int]) -> str | None:
    """Return why the cards are no set or straight in the one way to write it, or None."""
    return _straight_fault(rules, cards) if kind == STRAIGHT else _set_fault(rules, kind, cards)


def _set_fault(rules: Rules, kind: str, cards: Sequence[int]) -> str | None:
    if not cards:
        return "not-a-set"
    if len({face // 4 for face in naturals(cards)}) > 1:
        return "not-a-set"
    if naturals(cards) and jokers(cards) and rules.joker is not Joker.WILD:
        return "not-a-set"
    if list(cards) != sorted(cards):
        return "encoding"
    if kind != (BIG_SET if len(cards) > LARGEST_SET else SET):
        return "encoding"
    return None


def _straight_fault(rules: Rules, cards: Sequence[int]) -> str | None:
    if not rules.straights:
        return "straight"
    if len(cards) < 3 or not naturals(cards):
        return "not-a-straight"
    if jokers(cards) and rules.joker is not Joker.WILD:
        return "not-a-straight"
    base = straight_base(cards)
    for position, face in enumerate(cards):
        # the rank this place stands for, which a joker takes on and a natural card must have
        place = base + position
        if not RANK_THREE <= place <= RANK_ACE:
            return "not-a-straight"
        if not is_joker(face) and face // 4 != place:
            return "not-a-straight"
    if jokers(cards) != sorted(jokers(cards)):
        return "encoding"
    return None


def all_sets(hand: Sequence[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield every part of the hand, written as a set of its size is; most of them are no set."""
    for size in range(1, len(hand) + 1):
        for cards in sorted(set(combinations(sorted(hand), size))):
            yield (BIG_SET if size > LARGEST_SET else SET, cards)


def all_straights(hand: Sequence[int]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield parts of the hand as straights: the natural cards upwards, some jokers in every order at every place.

    Natural cards in any other order, or two of one rank, are no straight wherever the jokers stand.
    """
    mine = sorted(naturals(hand))
    wild = sorted(jokers(hand))
    for size in range(1, len(mine) + 1):
        for low_to_high in sorted(set(combinations(mine, size))):
            if len({face // 4 for face in low_to_high}) < size:
                continue
            for stand_ins in range(len(wild) + 1):
                for order in sorted(set(permutations(wild, stand_ins))):
                    for cards in _mixed(low_to_high, order):
                        yield (STRAIGHT, cards)


def _mixed(low_to_high: tuple[int, ...], order: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield both lists laid into one in every way that keeps the order of each."""
    length = len(low_to_high) + len(order)
    for places in combinations(range(length), len(order)):
        natural, wild = iter(low_to_high), iter(order)
        yield tuple(next(wild) if place in places else next(natural) for place in range(length))
