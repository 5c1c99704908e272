"""What bots of policy 1 draw, give and play, for the reference client.

Written from the text of vectors/SPEC.md alone, "Bots" above all. Headings in quotation marks are those of SPEC.md.
"""

from collections import Counter
from collections.abc import Iterator

from tests.clients.reference_base import Json, enc, faces, hkdf, names, sha256
from tests.clients.reference_play import ACE, JOKER, TWO, Action, Laid, Round, rank_of

# --- streams and gifts


def answer_stream(given: Json) -> Json:
    """Give a seat's stream of a round ("Bots")."""
    info = enc("bot", given["round"], given["seat"])
    stream = hkdf(given["seed"], given["transcript"], info, 2048)
    blocks = [stream[16 * k : 16 * k + 16] for k in given["listed"]]
    return {"streamInfo": info, "streamHash": sha256(stream), "blocks": blocks}


def easy_return(hand: list[int], size: int, number: int) -> list[int]:
    """Draw the cards one after the other ("Bots", "Easy")."""
    left, given = list(hand), list[int]()
    for _ in range(size):
        number, at = divmod(number, len(left))
        given.append(left.pop(at))
    return given


def hard_return(hand: list[int], size: int) -> list[int]:
    """Give away whole ranks of 3 … 10 as long as one fits, the smallest of them first, else the lowest card."""
    left, given = list(hand), list[int]()
    while len(given) < size:
        ranks = [[face for face in left if face // 4 == rank] for rank in range(8)]
        fitting = [cards for cards in ranks if 0 < len(cards) <= size - len(given)]
        cards = min(fitting, key=len) if fitting else left[:1]
        given += cards
        for face in cards:
            left.remove(face)
    return given


def answer_gift(given: Json) -> Json:
    """Give the tribute, and what each level returns ("Bots")."""
    hand, size = sorted(faces(given["hand"])), given["size"]
    chosen = {
        "tribute": sorted(hand, key=lambda face: (-rank_of(face), face))[:size],
        "easy": easy_return(hand, size, int.from_bytes(given["block"], "big")),
        "medium": hand[:size],
        "hard": hard_return(hand, size),
    }
    return {name: " ".join(names(sorted(cards))) for name, cards in chosen.items()}


# --- "Candidates"


def straight_of(hand: list[int], lowest: int, length: int, wild: bool) -> tuple[int, ...]:
    """Give the straight of that lowest rank and length, nothing where there is none ("Candidates" of "Bots")."""
    jokers = iter([face for face in hand if face >= 52] if wild else [])
    cards = []
    for rank in range(lowest, lowest + length):
        face = next((face for face in hand if rank_of(face) == rank), None)
        cards.append(next(jokers, -1) if face is None else face)
    return () if -1 in cards or min(cards) >= 52 else tuple(cards)


def every_candidate(state: Round) -> Iterator[Action]:
    """Go through the actions that may be candidates, in their order, lawful or not ("Candidates" of "Bots")."""
    seat, hand = state.turn, state.hands[state.turn]
    wild = state.rules["joker"] == "wild"
    jokers = tuple(face for face in hand if face >= 52)
    yield Action(seat, "pass", ())
    for rank in range(TWO + 1):
        natural = tuple(face for face in hand if rank_of(face) == rank)
        most = len(natural) + (len(jokers) if wild else 0) if natural else 0
        for count in range(1, most + 1):
            cards = natural[:count] + jokers[: max(count - len(natural), 0)]
            yield Action.of_set(seat, cards)
    for count in range(1, len(jokers) + 1):
        yield Action.of_set(seat, jokers[:count])
    for lowest in range(ACE - 1):
        for length in range(3, ACE - lowest + 2):
            cards = straight_of(hand, lowest, length, wild)
            if cards:
                yield Action(seat, "straight", cards)


def medium_choice(state: Round, candidates: list[Action]) -> Action:
    """Play the lowest with the fewest jokers ("Medium" of "Bots")."""

    def key(action: Action) -> tuple[int, ...]:
        laid = state.worth(action)
        if laid is None:
            return (0,)  # the pass, which is looked at only where there is nothing else
        jokers = sum(face >= 52 for face in action.cards)
        size = laid.count if state.last else -laid.count
        return jokers, state.place(laid.rank, state.turned), laid.straight, size

    return min([action for action in candidates if action.cards] or candidates, key=key)


# --- "Hard"


def chance(cards: int, needed: int) -> int:
    """Weigh how likely some hand has as many cards of a rank as needed ("Hard" of "Bots")."""
    if cards < needed:
        return 0
    return sorted([1, 4 * (cards - needed + 1) // needed, 4])[1]


class Weighing:
    """Weighs the candidates of one state for level hard ("Hard" of "Bots")."""

    def __init__(self, state: Round) -> None:
        """Count what the seat on turn cannot see."""
        self.state, self.rules = state, state.rules
        others = [hand for seat, hand in enumerate(state.hands) if hand and seat != state.turn]
        self.unseen = Counter(rank_of(face) for hand in others for face in hand)
        self.smallest, self.largest = min(map(len, others)), max(map(len, others))

    def threat(self, rank: int, count: int, turned: bool) -> int:
        """Weigh what may come on a set of so many cards of a rank."""
        rules = self.rules
        if (rank, count) == (JOKER, 1):
            if rules["lone_joker"] == "sweep":
                return 0
            if rules["lone_joker"] == "as-two":
                rank = TWO
        if rank == TWO and rules["twos"] in ("clear", "clear-and-one-beats-any"):
            return 0
        threat = self.special_threat(rank, count, turned)
        return threat + self.plain_threat(rank, count, turned) if count <= self.largest else threat

    def plain_threat(self, rank: int, count: int, turned: bool) -> int:
        """Weigh sets of the same count."""
        state, unseen = self.state, self.unseen
        wild = unseen[JOKER] if self.rules["joker"] == "wild" else 0
        place = state.place(rank, turned)
        higher = [p for p in range(JOKER) if state.place(p, turned) > place and unseen[p]]
        total = sum(chance(unseen[p] + wild, count) for p in higher)
        if state.may_match(rank, count):
            total += chance(unseen[rank], count)
        if rank != JOKER and not (count == 1 and self.rules["lone_joker"] == "as-two"):
            total += chance(unseen[JOKER], count)
        return total

    def special_threat(self, rank: int, count: int, turned: bool) -> int:
        """Weigh what 2s and jokers may do beyond that."""
        lone, twos, unseen = self.rules["lone_joker"], self.rules["twos"], self.unseen
        two_is_later = self.state.place(TWO, turned) > self.state.place(rank, turned)
        reasons = [
            count > 1 and rank < TWO and unseen[TWO] > 0 and twos in ("clear-and-one-beats-any", "wild"),
            rank == TWO and twos == "wild" and unseen[TWO] > count,
            count > 1 and unseen[JOKER] > 0 and lone in ("trump", "sweep"),
            count == 1 and unseen[JOKER] > 0 and lone == "as-two" and two_is_later,
        ]
        return 4 * reasons.count(True)

    def groups(self, left: list[int], turned: bool) -> tuple[int, int, int]:
        """Give L, how many groups are beaten, and how often groups are sure."""
        costs = beaten = sure = 0
        for rank, count in Counter(map(rank_of, left)).items():
            if self.threat(rank, 1, turned) == 0:
                sure, costs = sure + count, costs - 24 * count
            elif (threat := self.threat(rank, count, turned)) == 0:
                sure, costs = sure + 1, costs - 24
            else:
                beaten, costs = beaten + 1, costs + 40 + 2 * threat
        return costs, beaten, sure

    def threat_of(self, action: Action, laid: Laid, turned: bool) -> int:
        """Give t, the threat of a candidate."""
        state = self.state
        others = {seat for seat, hand in enumerate(state.hands) if hand and seat != action.seat}
        burns = laid.matches(state.last) and self.rules["equal_rank"] == "burn"
        if others <= state.locked or burns or state.completes(action, laid):
            return 0
        if not laid.straight:
            return self.threat(laid.rank, laid.count, turned)
        if laid.count > self.largest:
            return 0
        return 4 * (laid.rank - laid.count + 1 if turned else ACE - laid.rank)

    def penalty(self, action: Action) -> int:
        """Give the penalty of a candidate."""
        state, laid = self.state, self.state.worth(action) if action.cards else None
        turned = state.turned ^ (laid is not None and state.turns(laid))
        left = list((Counter(state.hands[state.turn]) - Counter(action.cards)).elements())
        later = turned and self.rules["revolution"] != "trick"
        costs, beaten, sure = self.groups(left, later)
        if laid is None:
            return costs
        drops = self.rules["going_out"] == "drops"
        if not left:
            return 50000 if drops and max(action.cards) >= 48 else -100000
        threat = self.threat_of(action, laid, turned)
        penalty = costs - 4 * self.gain(beaten - sure) // (4 + threat) - 4 * laid.count
        if threat == 0 and beaten <= 1:
            penalty -= 4000
        if laid.count == self.smallest <= 2:
            penalty += min(3 * threat, 60)
        return penalty + (self.burden(left) if drops else 0)

    def gain(self, deficit: int) -> int:
        """Give g, from D."""
        last, gain = self.state.last, 36 if deficit <= 1 else 16
        hurry = last is not None and self.smallest <= 2 and len(self.state.hands[last.seat]) <= 2
        return gain + 48 if hurry else gain

    def burden(self, left: list[int]) -> int:
        """Weigh that the last cards must not be 2s or jokers, with `going_out` drops."""
        low = {rank_of(face) for face in left} - {TWO, JOKER}
        if not low:
            return 10000
        return 120 * sum(face >= 48 for face in left) if len(low) == 1 else 0


# --- the stage


def answer_state(given: Json) -> Json:
    """Give what a bot of each level does in a state of play ("Bots")."""
    state = Round(given)
    candidates = [action for action in every_candidate(state) if not state.fault(action)]
    chosen = {
        "easy": candidates[int.from_bytes(given["block"], "big") % len(candidates)],
        "medium": medium_choice(state, candidates),
        "hard": min(candidates, key=Weighing(state).penalty),
    }
    return {name: action.write() for name, action in chosen.items()}


def answer_bots(given: Json) -> Json:
    """Answer tests of all three kinds ("Bots" of vectors/README.md)."""
    if "seed" in given:
        return answer_stream(given)
    return answer_gift(given) if "hand" in given else answer_state(given)
