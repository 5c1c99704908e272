"""The stages of the reference client that show single plays and gifts: `play` and `exchange`.

Written from the text of vectors/SPEC.md alone, "One play" and "Exchange". Headings in quotation marks are those of
SPEC.md.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from tests.clients.reference_base import Invalid, Json, faces, names
from tests.clients.reference_play import ACE, TWO, Action, Round, rank_of

# --- "One play"


def sets_and_straights(state: Round) -> Iterator[Action]:
    """Go through all there are in the hand on turn, in the order of "Rules of the game" of vectors/README.md."""
    seat, hand = state.turn, state.hands[state.turn]
    jokers = [face for face in hand if face >= 52]
    by_rank = {rank: [face for face in hand if rank_of(face) == rank] for rank in range(TWO + 1)}
    for natural in by_rank.values():
        for count in range(1, len(natural) + len(jokers) + 1 if natural else 1):
            sets = sorted(set(combinations(natural + jokers, count)))
            yield from (Action.of_set(seat, cards) for cards in sets if cards[0] < 52)
    for count in range(1, len(jokers) + 1):
        yield from (Action.of_set(seat, cards) for cards in sorted(set(combinations(jokers, count))))
    for lowest in range(ACE - 1):
        runs: list[tuple[int, ...]] = [()]
        for rank in range(lowest, ACE + 1):
            choices = sorted({*by_rank[rank], *jokers})
            runs = [(*run, face) for run in runs for face in choices if run.count(face) < hand.count(face)]
            yield from (Action(seat, "straight", run) for run in runs)


def lawful(state: Round) -> list[Action]:
    """List every lawful action, a pass first."""
    if state.over:
        return []
    actions = [Action(state.turn, "pass", ()), *sets_and_straights(state)]
    return [action for action in actions if not state.fault(action)]


def answer_play(given: Json) -> Json:
    """Carry out one action, and give the state after it ("Rules of the game" of vectors/README.md)."""
    state = Round(given)
    state.act(Action.read(given["action"]))
    return {
        "turn": state.turn,
        "trick": state.trick,
        "play": state.play,
        "count": state.last.count if state.last else 0,
        "order": "turned" if state.turned else "natural",
        "skipped": state.skipped,
        "closing": state.closing,
        "finishing": state.finishing(),
        "dropped": state.dropped,
        "over": state.over,
        "legal": [action.write() for action in lawful(state)],
    }


# --- "Exchange"


def gifts_due(rules: Json, before: list[int]) -> list[tuple[str, int, bool]]:
    """List the gifts of a round in the order due: its parties, its cards, whether it is a tribute ("Exchange")."""
    if not before:
        return []
    pairs = [(before[-1], before[0], rules["exchange_top"])]
    if len(before) > 3:
        pairs.append((before[-2], before[1], rules["exchange_vice"]))
    pairs = [pair for pair in pairs if pair[2]]
    tributes = [(f"{low}>{high}", count, True) for low, high, count in pairs]
    return tributes + [(f"{high}>{low}", count, False) for low, high, count in pairs]


class Exchange:
    """Hands by seat, and the gifts still due."""

    def __init__(self, given: Json) -> None:
        """Start with the hands as dealt, and make the gifts made."""
        self.hands = [sorted(faces(hand)) for hand in given["hands"]]
        self.due = gifts_due(given["rules"], given["before"])
        self.number = 1
        for gift in given["gifts"]:
            self.give(gift)

    @property
    def next(self) -> list[tuple[str, int, bool]]:
        """List the gifts that may come next: the first tribute, or all returns."""
        return self.due[:1] if self.due and self.due[0][2] else self.due

    def fault(self, parties: str, cards: list[int]) -> str:
        """Give the code of the first test that a gift fails, or nothing."""
        if not self.due:
            return "exchange-unexpected"
        due = next((gift for gift in self.next if gift[0] == parties), None)
        if due is None:
            return "exchange-parties"
        if len(cards) != due[1]:
            return "exchange-count"
        hand = self.hands[int(parties[0])]
        if Counter(cards) - Counter(hand):
            return "not-held"
        if cards != sorted(cards):
            return "encoding"
        best = sorted(map(rank_of, hand))[-len(cards) :]
        return "tribute" if due[2] and [rank_of(face) for face in cards] != best else ""

    def give(self, gift: str) -> None:
        """Make a gift; an empty one is the first play."""
        parties, cards = gift[:3], faces(gift[4:])
        code = self.fault(parties, cards) if gift else "exchange-missing" if self.due else ""
        if code:
            raise Invalid(code, f"exchange[{self.number}]")
        if gift:
            self.number += 1
            self.due = [one for one in self.due if one[0] != parties]
            giver, receiver = int(parties[0]), int(parties[2])
            for face in cards:
                self.hands[giver].remove(face)
            self.hands[receiver] = sorted(self.hands[receiver] + cards)


def answer_exchange(given: Json) -> Json:
    """Make one gift, and give the hands and what is due after it ("Rules of the game" of vectors/README.md)."""
    exchange = Exchange(given)
    exchange.give(given["gift"])
    due = [f"{parties} {count} {'best' if best else 'any'}" for parties, count, best in exchange.due]
    after = [" ".join(names(hand)) for hand in exchange.hands]
    return {"after": after, "due": due, "open": len(exchange.next)}
