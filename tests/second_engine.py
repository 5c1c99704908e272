"""A second engine for the play of one round, written from the rulebooks and the readings alone.

It shares no line with the product's engine, which is compared with it. It is as literal as it can be: what it needs
to know of a trick it reads anew from the trick's events, one by one, and the numbers in `apply` and `fault` are those
of the order of one play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fairdeal.cards import JOKER_RANK, THREE_OF_CLUBS
from fairdeal.settings import EqualRank, GoingOut, Joker, LoneJoker, Passing, Revolution, Rules, Twos
from tests.second_engine_shapes import (
    PASS,
    RANK_THREE,
    RANK_TWO,
    STRAIGHT,
    all_sets,
    all_straights,
    completes_rank,
    is_all_jokers,
    is_higher,
    is_lone_joker,
    is_two_or_joker_among,
    jokers,
    natural_count,
    naturals,
    set_rank,
    shape_fault,
    straight_top,
)


class Event(NamedTuple):
    """One pass or play of the trick on the table; `skips` is the seat whose turn it took away."""

    kind: str
    seat: int
    cards: tuple[int, ...]
    skips: int | None


class SecondRound:
    """A round from the first play to the last.

    `turn` is the seat to act, -1 once `over`. `finishing` lists the seats that are out by place, the clean ones before
    those that dropped, and once over every seat. `reversed` says whether the order is turned over. `closing` is what
    closed the trick by the last action, `skipped` the seat that action skipped. `trick` and `play` number the action to
    come.
    """

    def __init__(
        self, rules: Rules, seating: Sequence[int], hands: Sequence[Sequence[int]], leader: int, *, first_round: bool
    ) -> None:
        """Start with the hands by seat number as they are after the exchange; `seating` is clockwise."""
        if not all(hands):
            raise ValueError("every seat starts with a card")
        self.rules = rules
        self.seating = list(seating)
        self.hands = [list(hand) for hand in hands]
        self.first_round = first_round
        self.turn = leader
        self.over = False
        self.finishing: list[int] = []
        self.reversed = False
        self.closing: str | None = None
        self.skipped: int | None = None
        self.trick = 1
        self.play = 1
        self.events: list[Event] = []  # of this trick
        self._clean: list[int] = []
        self._dropped: list[int] = []

    # --- what the events of the trick say

    def plays(self) -> list[Event]:
        """Return the sets and straights on the pile, the first one first."""
        return [event for event in self.events if event.kind != PASS]

    def pile(self) -> Event | None:
        """Return the play to beat, None on the lead."""
        return self.plays()[-1] if self.plays() else None

    def locked(self) -> set[int]:
        """Return the seats that are out of the trick because they passed in it."""
        if self.rules.passing is Passing.OPEN:
            return set()
        return {event.seat for event in self.events if event.kind == PASS}

    def done_since_last_play(self) -> set[int]:
        """Return the seats that the last play skipped or that passed after it."""
        done: set[int] = set()
        for event in self.events:
            if event.kind == PASS:
                done.add(event.seat)
            else:
                done = set() if event.skips is None else {event.skips}
        return done

    def after(self, seat: int) -> list[int]:
        """Return the other seats clockwise from the one next to `seat`."""
        place = self.seating.index(seat)
        return self.seating[place + 1 :] + self.seating[:place]

    def holders(self) -> list[int]:
        """Return the seats that still hold a card, along the seating."""
        return [seat for seat in self.seating if self.hands[seat]]

    # --- is the action lawful

    def fault(self, kind: str, seat: int, cards: Sequence[int]) -> str | None:
        """Return the code of the first thing wrong with the action now, None for a lawful one; changes nothing."""
        # 0 the round is not over
        if self.over:
            return "round-over"
        # 1 the actor is on turn; a pass only off the lead
        if seat != self.turn:
            return "turn"
        pile = self.pile()
        if kind == PASS:
            return "pass-on-lead" if pile is None else None
        # 2 cards owned, distinct copies
        mine = list(cards)
        if any(mine.count(face) > self.hands[seat].count(face) for face in mine):
            return "not-held"
        # 3 a set or a straight in its one encoding
        wrong = shape_fault(self.rules, kind, mine)
        if wrong is not None:
            return wrong
        # 4 against the pile, under the order before the play; the 3 of clubs where it must be in the first play
        if pile is not None:
            return self._fault_on(pile, kind, mine)
        if self.rules.first_play_3c and self._is_first_play() and THREE_OF_CLUBS not in mine:
            return "first-play"
        return None

    def _is_first_play(self) -> bool:
        return self.first_round and self.trick == 1 and self.play == 1

    def _fault_on(self, pile: Event, kind: str, cards: list[int]) -> str | None:
        if (kind == STRAIGHT) != (pile.kind == STRAIGHT):
            return "kind"
        if kind != STRAIGHT:
            return self._fault_of_set_on(list(pile.cards), cards)
        if len(cards) != len(pile.cards):
            return "count"
        return None if is_higher(straight_top(cards), straight_top(pile.cards), turned=self.reversed) else "too-low"

    def _fault_of_set_on(self, pile: list[int], cards: list[int]) -> str | None:
        rules = self.rules
        rank, rank_to_beat = set_rank(rules, cards), set_rank(rules, pile)
        # one joker beats any set of any size: a trump all but another one, a sweeping joker also one left standing
        if is_lone_joker(cards) and rules.lone_joker is LoneJoker.TRUMP and not is_lone_joker(pile):
            return None
        if is_lone_joker(cards) and rules.lone_joker is LoneJoker.SWEEP:
            return None
        # one 2 beats any set that is not of jokers, whatever the order
        one_two = len(cards) == 1 and natural_count(cards, RANK_TWO) == 1
        if one_two and rules.twos is Twos.CLEAR_AND_ONE_BEATS_ANY and not is_all_jokers(pile):
            return None
        # twos against twos: the larger number; twos against m others: 1 to m of them
        if rank == RANK_TWO and rules.twos is Twos.WILD and not is_all_jokers(pile):
            if rank_to_beat == RANK_TWO:
                return None if len(cards) > len(pile) else "too-low"
            return None if len(cards) <= len(pile) else "count"
        if len(cards) != len(pile):
            return "count"
        if is_higher(rank, rank_to_beat, turned=self.reversed):
            return None
        if rank == rank_to_beat and self._may_be_matched(pile):
            return None
        return "too-low"

    def _may_be_matched(self, pile: list[int]) -> bool:
        """Return whether a set of the rank and size of the set `pile` may be laid on it, under the order now."""
        if self.rules.equal_rank is EqualRank.FORBID:
            return False
        if is_lone_joker(pile) and self.rules.lone_joker is LoneJoker.TRUMP:
            return False
        if self.rules.top_rank_matchable:
            return True
        top = RANK_THREE if self.reversed else RANK_TWO
        return set_rank(self.rules, pile) not in {top, JOKER_RANK}

    # --- what the action does

    def apply(self, kind: str, seat: int, cards: Sequence[int]) -> None:
        """Carry out a lawful action; raises ValueError for any other."""
        wrong = self.fault(kind, seat, cards)
        if wrong is not None:
            raise ValueError(wrong)
        self.closing = None
        self.skipped = None
        before = self.pile()
        self.play += 1
        self.events.append(Event(kind, seat, tuple(cards), None))
        if kind == PASS:
            self._next_actor(seat)
            return
        matched = self._is_match(before)
        # 5 remove the cards
        for face in cards:
            self.hands[seat].remove(face)
        # 6 finishing place
        if not self.hands[seat]:
            self._go_out(seat, cards)
        # 7 revolution
        if self._is_revolution(self.events[-1]):
            self.reversed = not self.reversed
        # 8 what closes the trick
        self.closing = self._what_closes(matched=matched)
        # 9 one holder left: the place that is left is the one between the clean and the dropped
        if len(self.holders()) == 1:
            self.finishing = self._clean + self.holders() + self._dropped
            self.over = True
            self.turn = -1
            return
        # 10 skip
        if self.closing is None and matched:
            self.skipped = self._seat_to_skip(seat)
            self.events[-1] = Event(kind, seat, tuple(cards), self.skipped)
        self._next_actor(seat)

    def _is_match(self, before: Event | None) -> bool:
        """Return whether the play just made has the rank and the size of the set `before` it."""
        now = self.events[-1]
        if before is None or STRAIGHT in {before.kind, now.kind}:
            return False
        same_rank = set_rank(self.rules, now.cards) == set_rank(self.rules, before.cards)
        return same_rank and len(now.cards) == len(before.cards)

    def _go_out(self, seat: int, cards: Sequence[int]) -> None:
        """Give the next place from the top, or from the bottom where the last play costs it."""
        if self.rules.going_out is GoingOut.DROPS and is_two_or_joker_among(cards):
            self._dropped.insert(0, seat)
        else:
            self._clean.append(seat)
        self.finishing = self._clean + self._dropped

    def _is_revolution(self, play: Event) -> bool:
        """Return whether the play turns the order over: a set of four or more with a natural card in it."""
        if self.rules.revolution is Revolution.NONE or play.kind == STRAIGHT:
            return False
        return len(play.cards) >= 4 and not is_all_jokers(play.cards)

    def _what_closes(self, *, matched: bool) -> str | None:
        """Return what closes the trick at once after the play just made, the first there is."""
        play, rules = self.events[-1], self.rules
        if rules.twos in {Twos.CLEAR, Twos.CLEAR_AND_ONE_BEATS_ANY} and natural_count(play.cards, RANK_TWO):
            return "twos"
        if matched and rules.equal_rank is EqualRank.BURN:
            return "burn"
        if play.kind != STRAIGHT and completes_rank(rules, [one.cards for one in self.plays() if one.kind != STRAIGHT]):
            return "completed"
        # as a last card a sweeping joker stands
        if rules.lone_joker is LoneJoker.SWEEP and is_lone_joker(play.cards) and self.hands[play.seat]:
            return "sweep"
        return None

    def _seat_to_skip(self, seat: int) -> int | None:
        """Return the next seat that would have played after the match by `seat`, if the match costs it its turn."""
        would_play = [other for other in self.after(seat) if self.hands[other] and other not in self.locked()]
        if not would_play or self.rules.equal_rank not in {EqualRank.SKIP, EqualRank.SKIP_IF_UNABLE}:
            return None
        if self.rules.equal_rank is EqualRank.SKIP_IF_UNABLE and self._has_match(would_play[0]):
            return None
        return would_play[0]

    def _has_match(self, seat: int) -> bool:
        """Return whether the seat could lay a lawful match on the play just made, under the order now."""
        pile = list(self.events[-1].cards)
        hand, rank = self.hands[seat], set_rank(self.rules, pile)
        if rank == JOKER_RANK:
            usable = jokers(hand)
        else:
            usable = [face for face in naturals(hand) if face // 4 == rank]
            if usable and self.rules.joker is Joker.WILD:
                usable += jokers(hand)
        return self._may_be_matched(pile) and len(usable) >= len(pile)

    def _next_actor(self, seat: int) -> None:
        """Pass the turn on from `seat`, or end the trick and give its winner the lead."""
        winner = self.plays()[-1].seat
        # 11 next actor or end of trick
        if self.closing is None:
            finished_with = self.locked() | self.done_since_last_play() | {winner}
            waiting = [other for other in self.after(seat) if self.hands[other] and other not in finished_with]
            if waiting:
                self.turn = waiting[0]
                return
            self.closing = "passes"
        # 12 leader of the next trick: the winner, else the first holder clockwise, even one who passed
        self.turn = next(other for other in [winner, *self.after(winner)] if self.hands[other])
        self.trick += 1
        self.play = 1
        self.events = []
        if self.rules.revolution is Revolution.TRICK:
            self.reversed = False

    # --- everything lawful

    def legal(self) -> set[tuple[str, tuple[int, ...]]]:
        """Return every lawful action of the seat on turn, found by trying all; for hands of at most 12 cards."""
        if self.over:
            return set()
        tried: list[tuple[str, tuple[int, ...]]] = [(PASS, ()), *all_sets(self.hands[self.turn])]
        if self.rules.straights:
            tried += all_straights(self.hands[self.turn])
        return {(kind, cards) for kind, cards in tried if self.fault(kind, self.turn, cards) is None}
