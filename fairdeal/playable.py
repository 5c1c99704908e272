"""Which rules can be played at all, and which of them this version plays and judges.

The same two questions are asked of a ruleset when it is loaded and of the terms of every log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fairdeal.cards import fresh_cards
from fairdeal.limits import MAX_ROUNDS
from fairdeal.settings import (
    CompletedRank,
    EqualRank,
    GoingOut,
    Joker,
    LoneJoker,
    MatchEnd,
    Passing,
    Revolution,
    Rules,
    Ties,
    Twos,
    file_key,
)

Conflict = tuple[str, str]  # what is wrong, what to do

# what the engine plays so far; every setting not listed here is played with all its values
BUILT: Final[Mapping[str, tuple[object, ...]]] = {
    "jokers_per_pack": (0,),
    "joker": (Joker.NONE,),
    "lone_joker": (LoneJoker.ORDINARY,),
    "twos": (Twos.ORDINARY,),
    "equal_rank": (EqualRank.FORBID,),
    "passing": (Passing.OPEN,),
    "completed_rank": (CompletedRank.IGNORE,),
    "revolution": (Revolution.NONE,),
    "straights": (False,),
    "going_out": (GoingOut.FREE,),
    "first_play_3c": (False,),
}


def conflicts(rules: Rules, seats: int, rounds: int) -> list[Conflict]:
    """Return every reason why `rules` cannot be played by `seats` in at most `rounds` rounds, with a hint each."""
    smallest = len(fresh_cards(rules.packs, rules.jokers_per_pack)) // seats
    highest, lowest = (max(rules.points), min(rules.points)) if rules.points else (0, 0)
    ends = {
        MatchEnd.ROUNDS: (not rules.end_at >= 1, False, rules.end_at > rounds),
        MatchEnd.TARGET: (rules.start_points >= rules.end_at, highest <= 0, False),
        MatchEnd.ZERO: (rules.start_points <= 0, lowest >= 0, False),
        MatchEnd.OPEN: (False, False, False),
    }
    ended, endless, too_many = ends[rules.match_end]
    numbered = rules.match_end in (MatchEnd.ROUNDS, MatchEnd.TARGET)
    pointless = rules.match_end in (MatchEnd.TARGET, MatchEnd.ZERO)
    checks = (
        (bool(rules.points) and len(rules.points) != seats, "`points` has not one figure per place", "mend the row"),
        (rules.exchange_vice > rules.exchange_top, "vices exchange more cards than the top", "lower `exchange_vice`"),
        (rules.exchange_vice > 0 and seats < 4, "vices exchange among fewer than four seats", "raise `vices_from`"),
        (rules.exchange_top > smallest, "more cards are exchanged than the smallest hand has", "lower `exchange_top`"),
        (not rules.points and pointless, "the match ends by points, but none are kept", "set `points`"),
        (not rules.points and rules.start_points != 0, "there are starting points, but none are kept", "set `points`"),
        (bool(rules.points) == (rules.ties is Ties.NONE), "`ties` is none exactly where `points` is", "set `ties`"),
        (not numbered and rules.end_at != 0, "`end_at` has no meaning for this match end", "set `end_at` to 0"),
        (ended, "the match is over before it starts", "set `end_at` and `start_points`"),
        (bool(rules.points) and endless, "no seat can ever reach the end of the match", "set `points` or `match_end`"),
        (too_many, "the match lasts longer than its maximum of rounds", "raise the maximum or lower `end_at`"),
        (
            (rules.joker is Joker.NONE) != (rules.jokers_per_pack == 0),
            "`joker` is none exactly where the pack has no jokers",
            "set `joker`",
        ),
        (
            rules.packs == 2 and seats < 5,
            "a second pack for fewer than five seats deals hands no rulebook knows",
            "raise `second_pack_from`",
        ),
        (rules.jokers_per_pack == 1, "a pack has two jokers or none", "set `jokers_per_pack`"),
        (rounds > MAX_ROUNDS, f"more than {MAX_ROUNDS} rounds", "lower the maximum of rounds"),
    )
    return [(what, hint) for wrong, what, hint in checks if wrong]


def unbuilt(rules: Rules) -> list[Conflict]:
    """Return every setting whose value this version cannot play or judge, with the values it can."""
    return [
        (
            f"`{file_key(key)}` = `{getattr(rules, key)}` is not built yet",
            "this version plays: " + ", ".join(str(value) for value in built),
        )
        for key, built in BUILT.items()
        if getattr(rules, key) not in built
    ]
