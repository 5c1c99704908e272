"""Which rules can be played: what clashes between the settings of one table.

The same question is asked of a ruleset when it is loaded and of the terms of every log (SPEC, "Terms").
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from fairdeal.cards import fresh_cards
from fairdeal.limits import MAX_ROUNDS
from fairdeal.settings import (
    CompletedRank,
    EqualRank,
    FirstLeader,
    Joker,
    LoneJoker,
    MatchEnd,
    Revolution,
    Rules,
    Ties,
    Twos,
)

Conflict = tuple[str, str]  # what is wrong, what to do


class _Clash(NamedTuple):
    """One way in which settings can contradict each other: which ones it looks at, and whether they do."""

    settings: tuple[str, ...]
    holds: bool
    what: str
    hint: str


def conflicts(rules: Rules, seats: int, rounds: int, unknown: Collection[str] = ()) -> list[Conflict]:
    """Return every reason why `rules` cannot be played by `seats` in at most `rounds` rounds, with a hint each.

    They stand in the order of SPEC, "Terms". What looks at a setting among `unknown` is left out, whatever value
    stands here for it; `seats` may be among them too.
    """
    clashes = (
        *_exchange(rules, seats),
        *_points(rules, seats),
        *_end(rules, rounds),
        *_packs(rules, seats),
        *_jokers(rules),
        *_straights_and_equal_ranks(rules),
        *_special_plays(rules),
    )
    return [(one.what, one.hint) for one in clashes if one.holds and not set(one.settings) & set(unknown)]


def _exchange(rules: Rules, seats: int) -> tuple[_Clash, ...]:
    smallest = len(fresh_cards(rules.packs, rules.jokers_per_pack)) // seats
    return (
        _Clash(
            ("exchange_vice", "exchange_top"),
            rules.exchange_vice > rules.exchange_top,
            "vices exchange more cards than the top",
            "lower `exchange_vice`",
        ),
        _Clash(
            ("exchange_vice", "seats"),
            rules.exchange_vice > 0 and seats < 4,
            "vices exchange among fewer than four seats",
            "raise `vices_from`",
        ),
        _Clash(
            ("exchange_top", "packs", "jokers_per_pack", "seats"),
            rules.exchange_top > smallest,
            "more cards are exchanged than the smallest hand has",
            "lower `exchange_top`",
        ),
    )


def _points(rules: Rules, seats: int) -> tuple[_Clash, ...]:
    scored = bool(rules.points)
    return (
        _Clash(
            ("points", "seats"),
            scored and len(rules.points) != seats,
            "`points` has not one figure per place",
            "mend the row",
        ),
        _Clash(
            ("points", "match_end"),
            not scored and rules.match_end in (MatchEnd.TARGET, MatchEnd.ZERO),
            "the match ends by points, but none are kept",
            "set `points`",
        ),
        _Clash(
            ("points", "start_points"),
            not scored and rules.start_points != 0,
            "there are starting points, but none are kept",
            "set `points`",
        ),
        _Clash(
            ("points", "ties"),
            scored == (rules.ties is Ties.NONE),
            "`ties` is none exactly where `points` is",
            "set `ties`",
        ),
    )


def _end(rules: Rules, rounds: int) -> tuple[_Clash, ...]:
    by_rounds = rules.match_end is MatchEnd.ROUNDS
    by_target = rules.match_end is MatchEnd.TARGET
    by_zero = rules.match_end is MatchEnd.ZERO
    over = "the match is over before it starts"
    endless = "no seat can ever reach the end of the match"
    end, start, row = rules.end_at, rules.start_points, rules.points
    return (
        _Clash(
            ("match_end", "end_at"),
            end != 0 and not (by_rounds or by_target),
            "`end_at` has no meaning for this match end",
            "set `end_at` to 0",
        ),
        _Clash(("match_end", "end_at"), by_rounds and end == 0, over, "raise `end_at`"),
        _Clash(("match_end", "end_at", "start_points"), by_target and start >= end, over, "raise `end_at`"),
        _Clash(("match_end", "start_points"), by_zero and start <= 0, over, "raise `start_points`"),
        _Clash(("match_end", "points"), by_target and max(row, default=1) <= 0, endless, "give a place points to win"),
        _Clash(("match_end", "points"), by_zero and min(row, default=-1) >= 0, endless, "give a place points to lose"),
        _Clash(
            ("match_end", "end_at"),
            by_rounds and end > rounds,
            "the match lasts longer than its maximum of rounds",
            "raise the maximum or lower `end_at`",
        ),
        _Clash(
            ("match_end", "end_at"),
            rounds > MAX_ROUNDS,
            f"more than {MAX_ROUNDS} rounds",
            "lower the maximum of rounds",
        ),
    )


def _packs(rules: Rules, seats: int) -> tuple[_Clash, ...]:
    return (
        _Clash(
            ("joker", "jokers_per_pack"),
            (rules.joker is Joker.NONE) != (rules.jokers_per_pack == 0),
            "`joker` is none exactly where the pack has no jokers",
            "set `joker`",
        ),
        _Clash(
            ("packs", "seats"),
            rules.packs == 2 and seats < 5,
            "a second pack for fewer than five seats deals hands no rulebook knows",
            "raise `second_pack_from`",
        ),
        _Clash(
            ("jokers_per_pack",),
            rules.jokers_per_pack == 1,
            "a pack has two jokers or none",
            "set `jokers_per_pack`",
        ),
    )


def _jokers(rules: Rules) -> tuple[_Clash, ...]:
    as_two = rules.lone_joker is LoneJoker.AS_TWO
    return (
        _Clash(
            ("lone_joker", "jokers_per_pack"),
            rules.lone_joker is not LoneJoker.ORDINARY and rules.jokers_per_pack == 0,
            "a lone joker has a rule of its own, but the pack has no jokers",
            "set `lone_joker` to ordinary",
        ),
        _Clash(
            ("lone_joker", "joker"),
            as_two and rules.joker is Joker.HIGH,
            "a lone joker counts as a 2, but jokers are above the 2s",
            "set `joker` to wild",
        ),
        _Clash(
            ("lone_joker", "twos"),
            as_two and rules.twos is not Twos.ORDINARY,
            "a lone joker counts as a 2, but 2s have powers of their own",
            "set `twos` to ordinary",
        ),
        _Clash(
            ("lone_joker", "revolution"),
            as_two and rules.revolution is not Revolution.NONE,
            "a lone joker counts as a 2, but a revolution moves the 2s",
            "set `revolution` to none",
        ),
    )


def _straights_and_equal_ranks(rules: Rules) -> tuple[_Clash, ...]:
    equal = rules.equal_rank is not EqualRank.FORBID
    wild_twos = rules.twos is Twos.WILD
    return (
        _Clash(
            ("straights", "lone_joker"),
            rules.straights and rules.lone_joker is not LoneJoker.ORDINARY,
            "straights are played, but a lone joker is not ordinary",
            "set `lone_joker` to ordinary",
        ),
        _Clash(
            ("straights", "twos"),
            rules.straights and wild_twos,
            "straights are played, but 2s are wild",
            "set `straights` to false",
        ),
        _Clash(
            ("equal_rank", "lone_joker"),
            equal and rules.lone_joker in (LoneJoker.SWEEP, LoneJoker.AS_TWO),
            "equal ranks are played, but a lone joker sweeps or counts as a 2",
            "set `equal_rank` to forbid",
        ),
        _Clash(
            ("equal_rank", "twos"),
            equal and wild_twos,
            "equal ranks are played, but 2s are wild",
            "set `equal_rank` to forbid",
        ),
    )


def _special_plays(rules: Rules) -> tuple[_Clash, ...]:
    return (
        _Clash(
            ("revolution", "twos"),
            rules.revolution is not Revolution.NONE and rules.twos is Twos.WILD,
            "a revolution is played, but 2s are wild",
            "set `revolution` to none",
        ),
        _Clash(
            ("completed_rank", "packs"),
            rules.completed_rank is CompletedRank.CLEAR_IF_SEVERAL_PLAYS and rules.packs == 2,
            "a rank completed by several plays clears, but two packs are played",
            "set `second_pack_from` to never",
        ),
        _Clash(
            ("first_play_3c", "first_leader"),
            rules.first_play_3c and rules.first_leader is not FirstLeader.THREE_OF_CLUBS,
            "the first play must hold the three of clubs, but its holder does not lead",
            "set `first_leader` to 3c",
        ),
    )
