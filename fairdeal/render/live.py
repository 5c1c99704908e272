"""A running match in plain words, as the person at one of its seats reads it, in lines of at most `WIDTH` characters.

Nothing here knows a hidden card: every function is told what its reader may see, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from textwrap import wrap
from typing import Final, NamedTuple

from fairdeal.cards import FIRST_JOKER, JOKER_RANK, TWO, format_cards
from fairdeal.law import Law
from fairdeal.play import Closing
from fairdeal.records import PASS, STRAIGHT, Action, Terms
from fairdeal.report import Report, Verdict
from fairdeal.settings import MatchEnd
from fairdeal.texts import printable

WIDTH: Final = 79
_JOINED: Final = "\N{NO-BREAK SPACE}"  # stands for a blank at which no line may end
_RUN: Final = ("s 4 5 6", "a straight, the lowest card first")
_ANSWERS: Final = (
    ("7c 7d", "a set; ranks alone take your lowest suits: 77"),
    _RUN,
    ("p", "pass"),
    ("h", "your hand, the pile, and how many cards everybody holds"),
    ("?", "this"),
    ("q", "leave; the match waits for you (a queen alone is a capital Q)"),
)
_CLOSED: Final = {
    Closing.PASSES: "nobody answers",
    Closing.TWOS: "2s clear the pile",
    Closing.BURN: "the equal play burns the pile",
    Closing.COMPLETED: "the rank is complete and the pile is cleared",
    Closing.SWEEP: "the joker sweeps the pile away",
}


class Effects(NamedTuple):
    """What an action did beyond itself: why the trick closed with it, if it did, and who misses a turn, if anybody."""

    closing: Closing | None
    skipped: int | None


class Teller:
    """Speaks to the person at seat `me`, who is `you`; all others go by the names that the terms give them."""

    def __init__(self, terms: Terms, me: int) -> None:
        """Speak of the match with these terms."""
        self._terms = terms
        self._me = me

    def who(self, seat: int) -> str:
        """Return what a seat is called."""
        return "you" if seat == self._me else printable(self._terms.seats[seat].name)

    def does(self, seat: int, do: str, does: str) -> str:
        """Return a seat with its verb."""
        return f"{self.who(seat)} {do if seat == self._me else does}"

    # --- the match

    def welcome(self) -> list[str]:
        """Return what is played, for how long and by whom."""
        rules, seats = self._terms.rules, self._terms.seats
        name = f" as {printable(seats[self._me].name)}"
        noun = "round" if self._terms.rounds == 1 else "rounds"
        lines = _lines("", f"{printable(rules.name)}: {len(seats)} seats, {self._rounds()} {noun}")
        for seat in range(len(seats)):
            lines += _lines(f"  seat {seat}  ", self.who(seat) + (name if seat == self._me else ""))
        return lines

    def opening(self, commitment: bytes, sealed: bytes, folder: str) -> list[str]:
        """Return what was fixed before the first deal: the commitment, what the person sealed, and what that means."""
        means = (
            "The operator's half of this program has committed to the seeds of all rounds. Your half then drew 32 "
            f"random bytes, sealed them, kept a receipt of both in {printable(folder)}, and only after that opened "
            "them. They are mixed into every deal, so the operator could not choose one. Here both halves run in one "
            "process: that they kept apart is this program's word. All else the audit will prove."
        )
        values = [f"  commitment  {commitment.hex()}", f"  your seal   {sealed.hex()}"]
        return ["", "before the first deal", *values, *_lines("  ", means)]

    def ticket(self, number: int, ticket: str, path: str) -> list[str]:
        """Return the head of a round with its ticket, shortened, and where the whole of it is."""
        short = f"{ticket[:12]}…{ticket[-8:]}, whole in {printable(path)}"
        return ["", f"round {number} of {self._rounds()}", *_lines("  ticket  ", short)]

    def _rounds(self) -> str:
        most = "" if self._terms.rules.match_end is MatchEnd.ROUNDS else "at most "
        return f"{most}{self._terms.rounds}"

    # --- a round

    def hand(self, lead: str, cards: bytes) -> list[str]:
        """Return lines with cards in ascending order, ranks set apart, after `lead`."""
        groups = (format_cards(rank) for _, rank in groupby(sorted(cards), lambda face: face >> 2))
        return _lines(lead, "  ".join(group.replace(" ", _JOINED) for group in groups) or "no card")

    def gift(self, giver: int, receiver: int, size: int, cards: bytes | None, *, tribute: bool) -> list[str]:
        """Return a gift of the exchange, with its cards where they are known."""
        what = f"{size} card" + ("s" if size > 1 else "")
        if tribute:
            what = f"{'your' if giver == self._me else 'the'} best {what}"
        back = "" if tribute else "back "
        shown = "" if cards is None else f": {format_cards(cards)}"
        return _lines("  ", f"{self.does(giver, 'give', 'gives')} {self.who(receiver)} {back}{what}{shown}")

    def play(self, trick: Sequence[Action]) -> list[str]:
        """Return the last action of a trick, after an empty line where it is the lead."""
        action = trick[-1]
        if action.kind == PASS:
            return _lines("  ", self.does(action.seat, "pass", "passes"))
        verb = self.does(action.seat, "lead", "leads") if len(trick) == 1 else self.does(action.seat, "play", "plays")
        form = "the straight " if action.kind == STRAIGHT else ""
        return [*([""] if len(trick) == 1 else []), *_lines("  ", f"{verb} {form}{format_cards(action.cards)}")]

    def out(self, seat: int, place: int | None) -> list[str]:
        """Return that a seat has played its last card; `place` is None where that card cost it its place."""
        how = "on a card that costs the place" if place is None else f"in place {place}"
        return _lines("    ", f"{self.does(seat, 'are', 'is')} out {how}")

    def turned(self, *, over: bool) -> list[str]:
        """Return that the order of the ranks has changed."""
        return _lines("    ", "the order of the ranks is turned over" if over else "the ranks are in their order again")

    def effects(self, effects: Effects, leader: int) -> list[str]:
        """Return who misses a turn, and why the trick is over with who leads the next."""
        lines: list[str] = []
        if effects.skipped is not None:
            lines += _lines("    ", self.does(effects.skipped, "miss your turn", "misses its turn"))
        if effects.closing is not None:
            lines += _lines("    ", f"{_CLOSED[effects.closing]}; {self.does(leader, 'lead', 'leads')} next")
        return lines

    def turn(self, hand: bytes, pile: Action | None, sizes: Sequence[int], *, turned: bool) -> list[str]:
        """Return what a player looks at: the pile, how many cards the others hold, and the own hand."""
        on_top = "empty, you lead" if pile is None else f"{format_cards(pile.cards)} by {self.who(pile.seat)}"
        others = (seat for seat in range(len(sizes)) if seat != self._me)
        held = (f"{self.who(seat)} {sizes[seat] or 'out'}".replace(" ", _JOINED) for seat in others)
        return [
            "",
            *_lines("  pile    ", on_top + (" (the order is turned over)" if turned else "")),
            *_lines("  others  ", ", ".join(held)),
            *self.hand("  you     ", hand),
        ]

    def choices(self, legal: Sequence[Action]) -> list[str]:
        """Return what may be answered on turn: the lawful plays as they are typed, and the commands."""
        typed = (
            "p" if one.kind == PASS else ("s " if one.kind == STRAIGHT else "") + format_cards(one.cards)
            for one in legal
        )
        listed = ", ".join(text.replace(" ", _JOINED) for text in typed)
        return [*_lines("  lawful  ", f"{listed}; other suits of a rank do as well"), *self._answers()]

    def owes(self, size: int, receiver: int) -> list[str]:
        """Return what may be answered in the exchange."""
        return [*_lines("  lawful  ", f"any {size} of your cards, for {self.who(receiver)}"), *self._answers()]

    def _answers(self) -> list[str]:
        answers = (one for one in _ANSWERS if self._terms.rules.straights or one is not _RUN)
        return [line for typed, what in answers for line in _lines(f"  {typed:<9}", what)]

    # --- the end of a round and of the match

    def round_over(self, number: int, places: Sequence[int], titles: Sequence[int], points: Sequence[int]) -> list[str]:
        """Return places, titles in the words of the ruleset, and points of a round."""
        rules = self._terms.rules
        names = [printable(rules.titles[title]) for title in titles]
        lines = ["", f"round {number} is over"]
        for seat in sorted(range(len(places)), key=places.__getitem__):
            gained = f"{points[seat]:>+3d}  " if rules.points else ""
            title = names[seat].ljust(max(map(len, names)))
            lines += _lines(f"  {places[seat]}. ", f"{gained}{title}  {self.who(seat)}")
        return lines

    def totals(self, totals: Sequence[int], places: Sequence[int] = ()) -> list[str]:
        """Return the points so far, or with the final places those of the match; nothing where none are kept."""
        if not self._terms.rules.points:
            return []
        if not places:
            words = (f"{self.who(seat)} {total}".replace(" ", _JOINED) for seat, total in enumerate(totals))
            return _lines("  points  ", ", ".join(words))
        order = sorted(range(len(places)), key=places.__getitem__)
        figures = [str(total).rjust(max(len(str(one)) for one in totals)) for total in totals]
        return [line for seat in order for line in _lines(f"  {places[seat]}. ", f"{figures[seat]}  {self.who(seat)}")]

    def match_over(self, totals: Sequence[int], places: Sequence[int]) -> list[str]:
        """Return the final places, or that none are kept."""
        none = _lines("  ", "no points are kept, so nobody has won more than rounds")
        return ["", "the match is over", *(self.totals(totals, places) or none)]


def seed_checked(seed: bytes, cards: int, report: Report | None) -> list[str]:
    """Return the revealed seed of a round, and what came of checking the own hand with it; None for no ticket."""
    what = f"your {cards} cards cannot be checked: the ticket is gone"
    if report is not None and report.verdict is Verdict.VERIFIED:
        what = f"your {cards} cards were fixed before the round: {report.verdict}"
    elif report is not None:
        codes = ", ".join(sorted(report.codes()))
        what = f"your {cards} cards do not follow from ticket and seed: {report.verdict} ({codes})"
    return [f"  seed    {seed.hex()}", *_lines("  check   ", what)]


def refusal(code: str, typed: str, means: str) -> list[str]:
    """Return why an answer is not taken: what it was, the auditor's code, and what that means."""
    return _lines("  not lawful: ", f"{typed} ({code}: {means})")


def unclear(what: str, advice: str = "") -> list[str]:
    """Return that an answer cannot be read."""
    return _lines("  ", f"{printable(what)}{'; ' if advice else ''}{printable(advice)}")


def told(*parts: Iterable[str]) -> str:
    """Return lines as one text."""
    return "".join(f"{line}\n" for lines in parts for line in lines)


def effects_of(
    trick: Sequence[Action], law: Law, seating: Sequence[int], sizes: Sequence[int], turn: int | None
) -> Effects:
    """Return what the last action of a trick did beyond itself, as everybody can see (SPEC, "One play", 8 to 11).

    `seating` lists the seats clockwise and `sizes` what they hold after the action; `turn` is the seat that acts next
    in the trick, None where it is over.
    """
    closing = None if turn is not None else _closing(trick, law, sizes[trick[-1].seat])
    plain = closing in (None, Closing.PASSES)
    return Effects(closing, _skipped(trick, law, seating, sizes, turn) if plain and _matches(trick, law) else None)


def _closing(trick: Sequence[Action], law: Law, left: int) -> Closing:
    last, rank = trick[-1], law.rank_of(trick[-1])
    if last.kind == PASS:
        return Closing.PASSES
    if rank == TWO and law.twos_clear:
        return Closing.TWOS
    if law.burns and _matches(trick, law):
        return Closing.BURN
    laid = [_natural(one, rank) for one in trick if one.kind != PASS and law.rank_of(one) == rank]
    if law.completes and rank <= JOKER_RANK and sum(laid) >= law.full[rank] and (any(laid[:-1]) or not law.several):
        return Closing.COMPLETED
    lone = rank == JOKER_RANK and len(last.cards) == 1
    return Closing.SWEEP if law.joker_sweeps and lone and left else Closing.PASSES


def _natural(action: Action, rank: int) -> int:
    return sum(face < FIRST_JOKER or rank == JOKER_RANK for face in action.cards)


def _matches(trick: Sequence[Action], law: Law) -> bool:
    """Return whether the last action of a trick equals the play before it in rank and count."""
    plays = [one for one in trick if one.kind != PASS]
    if not law.matches or trick[-1].kind == PASS or len(plays) < 2:
        return False
    before, last = plays[-2:]
    return law.rank_of(before) == law.rank_of(last) and len(before.cards) == len(last.cards)


def _skipped(
    trick: Sequence[Action], law: Law, seating: Sequence[int], sizes: Sequence[int], turn: int | None
) -> int | None:
    """Return who would have been next after a match and is not."""
    locked = {one.seat for one in trick if one.kind == PASS and law.locks}
    at = seating.index(trick[-1].seat)
    following = [seat for seat in (*seating[at + 1 :], *seating[:at]) if sizes[seat] and seat not in locked]
    return following[0] if following and following[0] != turn else None


def _lines(lead: str, text: str) -> list[str]:
    """Return `text` wrapped after `lead`, later lines indented as far as the first."""
    wrapped = wrap(text, WIDTH, initial_indent=lead, subsequent_indent=" " * len(lead), break_on_hyphens=False)
    return [line.replace(_JOINED, " ").rstrip() for line in wrapped] or [lead.rstrip()]
