"""Rounds as the reference client plays them: what is at fault with an action, and the state after it.

Written from the text of vectors/SPEC.md alone, "One play" above all. Headings in quotation marks are those of SPEC.md.
"""

from collections import Counter
from dataclasses import dataclass

from tests.clients.reference_base import Invalid, Json, faces, names

JOKER, TWO, ACE = 13, 12, 11


def rank_of(face: int) -> int:
    return min(face, 52) // 4  # "Cards": both jokers have rank 13


def clockwise(seating: list[int], seat: int) -> list[int]:
    """List the other seats from the next one on ("One play")."""
    at = seating.index(seat)
    return seating[at + 1 :] + seating[:at]


@dataclass(frozen=True)
class Action:
    """A pass, a set by its head, a big set or a straight; written as in "Rules of the game" of vectors/README.md."""

    seat: int
    form: str
    cards: tuple[int, ...]

    @classmethod
    def of_set(cls, seat: int, cards: tuple[int, ...]) -> "Action":
        """Take the form that the size asks for: there is a head for up to 8 cards ("One play")."""
        return cls(seat, "set" if len(cards) <= 8 else "big", cards)

    @classmethod
    def read(cls, text: str) -> "Action":
        seat, first, *rest = text.split()
        if first == "-":
            return cls(int(seat), "pass", ())
        if first in ("set", "big", "straight"):
            return cls(int(seat), first, tuple(faces(" ".join(rest))))
        return cls.of_set(int(seat), tuple(faces(" ".join([first, *rest]))))

    def write(self) -> str:
        if self.form == "pass":
            return f"{self.seat} -"
        usual = self.form == Action.of_set(self.seat, self.cards).form
        return " ".join([str(self.seat), *([] if usual else [self.form]), *names(list(self.cards))])


@dataclass(frozen=True)
class Laid:
    """A play by what it is worth: kind, rank and count, and the seat that made it ("State" of "One play")."""

    straight: bool
    rank: int
    count: int
    seat: int

    def matches(self, last: "Laid | None") -> bool:
        """Say whether it has rank and count of the set on which it is laid ("Match" of "One play")."""
        if last is None or self.straight or last.straight:
            return False
        return (self.rank, self.count) == (last.rank, last.count)


class Round:
    """The state of a round, and the steps of "One play" for each of its actions."""

    def __init__(self, given: Json) -> None:
        """Start after the exchange, and play the history."""
        self.rules: Json = given["rules"]
        self.seating: list[int] = given["seating"]
        self.hands = [sorted(faces(hand)) for hand in given["hands"]]
        self.turn: int = given["leader"]
        self.must_hold = bool(given["first"] and self.rules["first_play_3c"])
        self.trick = self.play = 1
        self.turned = False
        self.out, self.dropped = list[int](), list[int]()
        self.last: Laid | None = None
        self.answering, self.locked = set[int](), set[int]()
        self.lying = Counter[int]()
        self.skipped, self.closing = -1, ""
        for action in given["history"]:
            self.act(Action.read(action))

    @property
    def over(self) -> bool:
        """Say whether one seat is left with cards (step 9)."""
        return sum(map(bool, self.hands)) <= 1

    # --- worth of cards

    def place(self, rank: int, turned: bool) -> int:
        """Say where a rank stands in the order ("Higher" of "One play")."""
        return TWO - rank if turned and rank != JOKER else rank

    def set_rank(self, cards: tuple[int, ...]) -> int | None:
        """Give the rank of a set, None if it is no set ("Sets and straights" of "One play")."""
        ranks = {rank_of(face) for face in cards}
        if ranks == {JOKER}:
            return TWO if len(cards) == 1 and self.rules["lone_joker"] == "as-two" else JOKER
        if JOKER in ranks and self.rules["joker"] != "wild":
            return None
        natural = ranks - {JOKER}
        return natural.pop() if len(natural) == 1 else None

    def straight_rank(self, cards: tuple[int, ...]) -> int | None:
        """Give the rank of a straight, None if it is no straight ("Sets and straights" of "One play")."""
        starts = {rank_of(face) - at for at, face in enumerate(cards) if face < 52}
        if len(cards) < 3 or len(starts) != 1:
            return None
        if self.rules["joker"] != "wild" and max(cards) >= 52:
            return None
        lowest = starts.pop()
        highest = lowest + len(cards) - 1
        return highest if lowest >= 0 and highest <= ACE else None

    def worth(self, action: Action) -> Laid | None:
        straight = action.form == "straight"
        rank = self.straight_rank(action.cards) if straight else self.set_rank(action.cards)
        return None if rank is None else Laid(straight, rank, len(action.cards), action.seat)

    def may_match(self, rank: int, count: int) -> bool:
        """Say whether such a set may match ("Match" of "One play")."""
        rules = self.rules
        if rules["equal_rank"] == "forbid" or (rank, count, rules["lone_joker"]) == (JOKER, 1, "trump"):
            return False
        return bool(rules["top_rank_matchable"] or self.place(rank, self.turned) < TWO)

    # --- steps 0 to 4

    def fault(self, action: Action) -> str:
        """Give the code of the first step that fails, or nothing."""
        if self.over:
            return "round-over"
        if action.seat != self.turn:
            return "turn"
        if action.form == "pass":
            return "" if self.last else "pass-on-lead"
        if Counter(action.cards) - Counter(self.hands[action.seat]):
            return "not-held"
        return self.shape_fault(action) or self.pile_fault(action)

    def shape_fault(self, action: Action) -> str:
        """Take step 3."""
        straight, cards = action.form == "straight", list(action.cards)
        if straight and not self.rules["straights"]:
            return "straight"
        if self.worth(action) is None:
            return "not-a-straight" if straight else "not-a-set"
        one = [face for face in cards if face >= 52] if straight else cards
        usual = straight or action == Action.of_set(action.seat, action.cards)
        return "" if usual and one == sorted(one) else "encoding"

    def pile_fault(self, action: Action) -> str:
        """Take step 4."""
        laid, last = self.worth(action), self.last
        if last is None or laid is None:
            return "first-play" if self.must_hold and 0 not in action.cards else ""
        if laid.straight != last.straight:
            return "kind"
        special = None if laid.straight else self.special(laid, last)
        if special is not None:
            return special
        if laid.count != last.count:
            return "count"
        higher = self.place(laid.rank, self.turned) > self.place(last.rank, self.turned)
        match = laid.matches(last) and self.may_match(laid.rank, laid.count)
        return "" if higher or match else "too-low"

    def special(self, laid: Laid, last: Laid) -> str | None:
        """Answer for what jokers and 2s may do beyond count and rank (step 4), None where they have no say."""
        lone, twos = self.rules["lone_joker"], self.rules["twos"]
        if (laid.rank, laid.count) == (JOKER, 1):
            trumps = lone == "trump" and (last.rank, last.count) != (JOKER, 1)
            return "" if lone == "sweep" or trumps else None
        if laid.rank != TWO or last.rank == JOKER:
            return None
        if laid.count == 1 and twos == "clear-and-one-beats-any":
            return ""
        if twos == "wild" and last.rank != TWO:
            return "" if laid.count <= last.count else None
        if twos == "wild":
            return "" if laid.count > last.count else "too-low"
        return None

    # --- steps 5 to 12

    def act(self, action: Action) -> None:
        """Carry the action out."""
        code = self.fault(action)
        if code:
            raise Invalid(code, f"trick[{self.trick}].play[{self.play}]")
        self.skipped, self.closing, self.must_hold = -1, "", False
        self.play += 1
        laid = self.worth(action) if action.form != "pass" else None
        if laid:
            self.lay(action, laid)
        else:
            self.answering.discard(action.seat)
            if self.rules["passing"] == "locks":
                self.locked.add(action.seat)
        self.next_turn(action.seat)

    def lies_after(self, action: Action, laid: Laid) -> Counter[int]:
        """Count the cards of each rank on the pile with this play on it ("State" of "One play")."""
        if laid.straight:
            return self.lying
        ranks = [rank_of(face) for face in action.cards]
        return self.lying + Counter(rank for rank in ranks if rank < JOKER or laid.rank == JOKER)

    def turns(self, laid: Laid) -> bool:
        """Say whether the play turns the order over, or back (step 7)."""
        return self.rules["revolution"] != "none" and not laid.straight and laid.count >= 4 and laid.rank < JOKER

    def completes(self, action: Action, laid: Laid) -> bool:
        """Say whether the play, which does not lie yet, completes its rank (step 8)."""
        rules, rank = self.rules, laid.rank
        if laid.straight or rules["completed_rank"] == "ignore":
            return False
        lying = self.lies_after(action, laid)[rank]
        if rules["completed_rank"] == "clear":
            return rank < JOKER and lying >= 4
        full = (rules["jokers_per_pack"] if rank == JOKER else 4) * rules["packs"]
        return bool(lying >= full and self.lying[rank])

    def lay(self, action: Action, laid: Laid) -> None:
        """Take steps 5 to 10."""
        seat, last, rules = action.seat, self.last, self.rules
        for face in action.cards:
            self.hands[seat].remove(face)
        completes = self.completes(action, laid)
        self.last, self.lying = laid, self.lies_after(action, laid)
        self.answering = {s for s, hand in enumerate(self.hands) if hand and s != seat and s not in self.locked}
        if not self.hands[seat]:
            self.out.append(seat)
            if rules["going_out"] == "drops" and max(action.cards) >= 48:
                self.dropped.append(seat)
        self.turned ^= self.turns(laid)
        match = laid.matches(last)
        if not laid.straight and laid.rank == TWO and rules["twos"] in ("clear", "clear-and-one-beats-any"):
            self.closing = "twos"
        elif match and rules["equal_rank"] == "burn":
            self.closing = "burn"
        elif completes:
            self.closing = "completed rank"
        elif (laid.rank, laid.count, rules["lone_joker"]) == (JOKER, 1, "sweep") and self.hands[seat]:
            self.closing = "sweep"
        if self.closing:
            self.answering = set()
        elif match and rules["equal_rank"].startswith("skip") and not self.over:
            self.skip(laid)

    def skip(self, laid: Laid) -> None:
        """Take step 10."""
        after = [seat for seat in clockwise(self.seating, laid.seat) if seat in self.answering]
        if not after:
            return
        if self.rules["equal_rank"] == "skip-if-unable" and self.may_match(laid.rank, laid.count):
            held = Counter(map(rank_of, self.hands[after[0]]))
            wild = self.rules["joker"] == "wild" and laid.rank < JOKER and held[laid.rank]
            if held[laid.rank] + (held[JOKER] if wild else 0) >= laid.count:
                return
        self.skipped = after[0]
        self.answering.discard(self.skipped)

    def next_turn(self, actor: int) -> None:
        """Take steps 11 and 12."""
        if self.over:
            self.turn = -1
            return
        after = [seat for seat in clockwise(self.seating, actor) if seat in self.answering]
        if after:
            self.turn = after[0]
            return
        self.closing = self.closing or "passes"
        leader = self.last.seat if self.last else actor
        self.turn = next(seat for seat in [leader, *clockwise(self.seating, leader)] if self.hands[seat])
        self.last, self.locked, self.lying = None, set(), Counter()
        self.turned &= self.rules["revolution"] != "trick"
        self.trick, self.play = self.trick + 1, 1

    def finishing(self) -> list[int]:
        """Give the seats by place, as far as they have one (step 9)."""
        placed = [seat for seat in self.out if seat not in self.dropped]
        if not self.over:
            return placed
        return [*placed, *(seat for seat, hand in enumerate(self.hands) if hand), *reversed(self.dropped)]
