"""The settings of a table and the frozen `Rules` a log carries: what may vary, and nothing else.

Every value has an index, its place in the list here, which is what the log stores (SPEC, "Rules in the terms"). The
meaning of each value is in SPEC, "Settings"; which of them go together is said by `playable.conflicts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from fairdeal.limits import MAX_EXCHANGE, MAX_POINTS, MAX_TURN_SECONDS


class Joker(StrEnum):
    """What a joker is."""

    NONE = "none"
    HIGH = "high"
    WILD = "wild"


class LoneJoker(StrEnum):
    """What one joker on its own does."""

    ORDINARY = "ordinary"
    TRUMP = "trump"
    SWEEP = "sweep"
    AS_TWO = "as-two"


class Twos(StrEnum):
    """What twos do beyond being the highest ordinary rank."""

    ORDINARY = "ordinary"
    CLEAR = "clear"
    CLEAR_AND_ONE_BEATS_ANY = "clear-and-one-beats-any"
    WILD = "wild"


class EqualRank(StrEnum):
    """What playing the rank of the pile does."""

    FORBID = "forbid"
    SKIP = "skip"
    SKIP_IF_UNABLE = "skip-if-unable"
    BURN = "burn"


class Passing(StrEnum):
    """Whether a pass is final for the trick."""

    OPEN = "open"
    LOCKS = "locks"


class CompletedRank(StrEnum):
    """What all cards of one rank on the pile do."""

    IGNORE = "ignore"
    CLEAR = "clear"
    CLEAR_IF_SEVERAL_PLAYS = "clear-if-several-plays"


class Revolution(StrEnum):
    """Whether four of a rank turn the order over, and until when."""

    NONE = "none"
    ROUND = "round"
    TRICK = "trick"


class GoingOut(StrEnum):
    """Whether some last plays cost the finishing place."""

    FREE = "free"
    DROPS = "drops"


class FirstLeader(StrEnum):
    """Who leads the first round."""

    THREE_OF_CLUBS = "3c"
    FIRST_DEALT = "first-dealt"


class LaterLeader(StrEnum):
    """Who leads every later round."""

    LAST = "last"
    PRESIDENT = "president"
    THREE_OF_CLUBS = "3c"


class FirstCard(StrEnum):
    """Who is dealt the first card."""

    FIRST_PLACE = "first-place"
    ROTATES = "rotates"
    LEFT_OF_LAST = "left-of-last"


class MatchEnd(StrEnum):
    """When the match is over."""

    ROUNDS = "rounds"
    TARGET = "target"
    ZERO = "zero"
    OPEN = "open"


class Ties(StrEnum):
    """How equal totals are parted."""

    PRESIDENCIES = "presidencies"
    SHARED = "shared"
    NONE = "none"


class SeatKind(StrEnum):
    """Who the terms say sits there; `BOT` is a bot of no stated level."""

    HUMAN = "human"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    BOT = "bot"


class Contributions(StrEnum):
    """Whether the human seats mix their own randomness into the deal."""

    NONE = "none"
    SEALED = "sealed"


# how each setting in `Rules` takes its values, apart from `name`, `points` and `titles`
ENUM_SETTINGS: Final[Mapping[str, type[StrEnum]]] = {
    "joker": Joker,
    "lone_joker": LoneJoker,
    "twos": Twos,
    "equal_rank": EqualRank,
    "passing": Passing,
    "completed_rank": CompletedRank,
    "revolution": Revolution,
    "going_out": GoingOut,
    "first_leader": FirstLeader,
    "later_leader": LaterLeader,
    "first_card": FirstCard,
    "match_end": MatchEnd,
    "ties": Ties,
}
FLAG_SETTINGS: Final = ("top_rank_matchable", "straights", "first_play_3c", "reseat")
NUMBER_SETTINGS: Final[Mapping[str, tuple[int, int]]] = {
    "packs": (1, 2),
    "jokers_per_pack": (0, 2),
    "exchange_top": (0, MAX_EXCHANGE),
    "exchange_vice": (0, MAX_EXCHANGE),
    "start_points": (-MAX_POINTS, MAX_POINTS),
    "end_at": (0, MAX_POINTS),
    "turn_seconds": (0, MAX_TURN_SECONDS),
}
TITLE_CLASSES: Final = ("first", "second", "middle", "last but one", "last")


@dataclass(frozen=True, slots=True)
class Rules:
    """A ruleset resolved for one number of seats, in the order the log stores it.

    `points` holds one figure per finishing place, best first, or nothing where no points are kept; `titles` the five
    names of `TITLE_CLASSES`; `end_at` the number of rounds or the target, 0 where the match end needs no number.
    """

    name: str
    packs: int
    jokers_per_pack: int
    joker: Joker
    lone_joker: LoneJoker
    twos: Twos
    equal_rank: EqualRank
    top_rank_matchable: bool
    passing: Passing
    completed_rank: CompletedRank
    revolution: Revolution
    straights: bool
    going_out: GoingOut
    first_leader: FirstLeader
    first_play_3c: bool
    later_leader: LaterLeader
    first_card: FirstCard
    exchange_top: int
    exchange_vice: int
    reseat: bool
    points: tuple[int, ...]
    start_points: int
    match_end: MatchEnd
    end_at: int
    ties: Ties
    turn_seconds: int
    titles: tuple[str, ...]


def title_class(place: int, seats: int) -> int:
    """Return the index in `TITLE_CLASSES` of finishing `place` (0 is first) among `seats`.

    With three seats there are no vices: the middle seat has the middle title.
    """
    if place == 0:
        return 0
    if place == seats - 1:
        return 4
    if seats > 3 and place == 1:
        return 1
    if seats > 3 and place == seats - 2:
        return 3
    return 2


def file_key(name: str) -> str:
    """Return how a file names the setting `name` of `Rules`: `pass` for `passing`, which no Python name can be."""
    return "pass" if name == "passing" else name
