"""The rules of play of one table, resolved once per match: what the cards of one play make, and what a play may do.

`Law` knows no state: which hands there are and what lies on the pile is `play.Round`'s. Where SPEC, "One play", speaks
of a set's rank, a straight's top or a lawful shape, it is these functions that say what they are.
"""

from __future__ import annotations

from typing import Final

from fairdeal.cards import ACE, FIRST_JOKER, JOKER_RANK, NO_RANK, TWO, common_rank
from fairdeal.codes import Code
from fairdeal.limits import MAX_HEAD_CARDS, MAX_SET
from fairdeal.records import BIG_SET, STRAIGHT, Action, ascending
from fairdeal.settings import (
    CompletedRank,
    EqualRank,
    GoingOut,
    Joker,
    LoneJoker,
    Passing,
    Revolution,
    Rules,
    Twos,
)

# What a play counts as: the rank of a set, 13 for jokers; a straight counts as 14 + its highest rank, so that no set is
# ever higher than a straight and one comparison tells them apart.
STRAIGHT_RANK: Final = JOKER_RANK + 1
Order = tuple[int, ...]  # the strength of everything a play can count as
NATURAL: Final[Order] = tuple(range(STRAIGHT_RANK + ACE + 1))
# after a revolution; jokers stay on top
TURNED: Final[Order] = (*range(TWO, -1, -1), JOKER_RANK, *range(STRAIGHT_RANK + ACE, JOKER_RANK, -1))
HIGHEST: Final = TWO  # the strength of the highest rank below the jokers
SHORTEST_STRAIGHT: Final = 3
NEVER: Final = MAX_SET + 1  # more cards of a rank than there are


class Law:
    """What the settings of `rules` mean for a single play, each asked once and not at every action.

    `eventful` says that a play can do more than beat the pile with a set: close it, skip a seat, turn the order over,
    or be a straight. `full` is how many natural cards of each rank on the pile complete it, in `several` plays only.
    """

    __slots__ = (
        "burns",
        "completes",
        "drops",
        "eventful",
        "first_play_3c",
        "full",
        "joker_as_two",
        "joker_sweeps",
        "joker_trumps",
        "locks",
        "matches",
        "one_two_beats",
        "revolts",
        "revolts_for_a_trick",
        "rules",
        "several",
        "skips_always",
        "straights",
        "top_matchable",
        "twos_clear",
        "wild",
        "wild_twos",
    )

    def __init__(self, rules: Rules) -> None:
        """Resolve `rules`."""
        self.rules = rules
        self.wild = rules.joker is Joker.WILD
        self.joker_as_two = rules.lone_joker is LoneJoker.AS_TWO
        self.joker_trumps = rules.lone_joker is LoneJoker.TRUMP
        self.joker_sweeps = rules.lone_joker is LoneJoker.SWEEP
        self.twos_clear = rules.twos in (Twos.CLEAR, Twos.CLEAR_AND_ONE_BEATS_ANY)
        self.one_two_beats = rules.twos is Twos.CLEAR_AND_ONE_BEATS_ANY
        self.wild_twos = rules.twos is Twos.WILD
        self.matches = rules.equal_rank is not EqualRank.FORBID
        self.burns = rules.equal_rank is EqualRank.BURN
        self.skips_always = rules.equal_rank is EqualRank.SKIP
        self.top_matchable = rules.top_rank_matchable
        self.locks = rules.passing is Passing.LOCKS
        self.completes = rules.completed_rank is not CompletedRank.IGNORE
        self.several = rules.completed_rank is CompletedRank.CLEAR_IF_SEVERAL_PLAYS
        self.full = _full(rules)
        self.revolts = rules.revolution is not Revolution.NONE
        self.revolts_for_a_trick = rules.revolution is Revolution.TRICK
        self.straights = rules.straights
        self.drops = rules.going_out is GoingOut.DROPS
        self.first_play_3c = rules.first_play_3c
        closes = self.twos_clear or self.joker_sweeps or self.completes
        self.eventful = closes or self.matches or self.revolts or self.straights

    def rank_of(self, action: Action) -> int:
        """Return the rank a play counts as; `NO_RANK` where its cards are no set, or no straight."""
        return self.straight_rank(action.cards) if action.kind == STRAIGHT else self.set_rank(action.cards)

    def set_rank(self, cards: bytes) -> int:
        """Return the rank of a set: that of its natural cards, or the jokers' own; `NO_RANK` for what is no set."""
        natural = bytes([face for face in cards if face < FIRST_JOKER])
        if len(natural) == len(cards):
            return common_rank(cards)
        if natural:
            return common_rank(natural) if self.wild else NO_RANK
        return TWO if self.joker_as_two and len(cards) == 1 else JOKER_RANK

    def straight_rank(self, cards: bytes) -> int:
        """Return `STRAIGHT_RANK` + the highest rank of a straight, whose cards stand from the lowest up; or `NO_RANK`.

        A wild joker is the rank of its place; at least one card is natural.
        """
        places = [place for place, face in enumerate(cards) if face < FIRST_JOKER]
        if len(cards) < SHORTEST_STRAIGHT or not places or (len(places) < len(cards) and not self.wild):
            return NO_RANK
        lowest = (cards[places[0]] >> 2) - places[0]
        top = lowest + len(cards) - 1
        in_line = all(cards[place] >> 2 == lowest + place for place in places)
        return STRAIGHT_RANK + top if in_line and lowest >= 0 and top <= ACE else NO_RANK

    def shape_fault(self, action: Action) -> Code | None:
        """Return what is wrong with the shape of a play, whatever the pile."""
        cards = action.cards
        if action.kind == STRAIGHT:
            if not self.straights:
                return Code.STRAIGHT
            if self.straight_rank(cards) == NO_RANK:
                return Code.NOT_A_STRAIGHT
            return None if ascending(bytes([face for face in cards if face >= FIRST_JOKER])) else Code.ENCODING
        if self.set_rank(cards) == NO_RANK:
            return Code.NOT_A_SET
        small = len(cards) <= MAX_HEAD_CARDS
        return Code.ENCODING if not ascending(cards) or (action.kind == BIG_SET) == small else None


def _full(rules: Rules) -> tuple[int, ...]:
    """Return how many cards complete each rank: four of it, or where several plays must, all there are in the deck."""
    if rules.completed_rank is CompletedRank.CLEAR_IF_SEVERAL_PLAYS:
        return (4 * rules.packs,) * JOKER_RANK + (rules.jokers_per_pack * rules.packs,)
    return (4,) * JOKER_RANK + (NEVER,)
