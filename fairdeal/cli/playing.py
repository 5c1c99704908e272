"""A match at the terminal from where it stands to its end: both halves of it, the operator's and the person's.

The operator's half is the `Table`. The person's half draws and keeps its own contribution, keeps tickets and receipts
before it goes on, and checks its hand with them when the seed is shown.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

from fairdeal.anchor import PUBLISHED, RECEIPTS, TICKETS, format_receipt, read_folder
from fairdeal.audit import audit
from fairdeal.cards import format_cards
from fairdeal.cli.exits import OF_VERDICT, Exit
from fairdeal.cli.files import read_bytes, say
from fairdeal.cli.seat import FOLDER, Answer, Held, Left, What, parse_answer, read_answer, show, tolerate_any_input
from fairdeal.commit import seal
from fairdeal.errors import Misuse
from fairdeal.explain import pages
from fairdeal.law import Law
from fairdeal.records import PASS, Action
from fairdeal.render.live import Teller, effects_of, refusal, seed_checked, told, unclear
from fairdeal.render.text import report_text
from fairdeal.report import GuaranteeName
from fairdeal.table import Phase, Refused, Table, View
from fairdeal.table.folder import LOG_FILE
from fairdeal.ticket import encode_ticket
from fairdeal.verify import verify_hand

PERSON: Final = 0  # the seat of the person
REQUIRED: Final = (
    GuaranteeName.UNCHANGED,
    GuaranteeName.ANCHORED,
    GuaranteeName.UNCHOSEN,
    GuaranteeName.RULES,
)


def held_in(folder: Path) -> Held:
    """Return what the person holds of the match in `folder`."""
    return Held(folder / FOLDER, PERSON)


def audit_command(folder: Path) -> str:
    """Return the command line that audits the match in `folder` as its person can."""
    log, evidence = str(folder / LOG_FILE), str(folder / FOLDER)
    return shlex.join(["fairdeal", "audit", log, "--evidence", evidence, "--require", ",".join(REQUIRED)])


class Game:
    """One match, played to its end by `play`, or until its person has `Left`."""

    def __init__(self, table: Table, folder: Path) -> None:
        """Take up a match where its log leaves it."""
        self._table = table
        self._folder = folder
        self._held = held_in(folder)
        self._law = Law(table.terms.rules)
        self._teller = Teller(table.terms, PERSON)

    def play(self) -> Exit:
        """Play on to the end of the match and return what its audit says."""
        tolerate_any_input()
        if self._table.phase not in (Phase.SEALING, Phase.OPENING):
            self._held.opened()
        show(told(self._teller.welcome(), self._running_trick()))
        steps = {
            Phase.SEALING: self._seal,
            Phase.OPENING: self._open,
            Phase.BETWEEN: self._deal,
            Phase.EXCHANGE: self._step,
            Phase.PLAYING: self._step,
            Phase.OVER: self._finish,
        }
        while self._table.phase is not Phase.CLOSED:
            steps[self._table.phase]()
        return self._audited()

    def _view(self) -> View:
        return self._table.view(PERSON)

    def _step(self) -> None:
        """Let a bot do what is due, or ask the person."""
        before = self._view()
        if self._table.advance() is None:
            self._ask(before)
        self._tell(before)

    # --- before, between and after the rounds

    def _seal(self) -> None:
        """Keep the commitment, and give it the own contribution, sealed."""
        view = self._view()
        self._held.keep(PUBLISHED, f"{view.terms.sequence} {view.commitment.hex()}")
        self._table.seal(PERSON, self._sealed(self._held.draw()))

    def _sealed(self, contribution: bytes) -> bytes:
        return seal(self._table.receipt().terms_hash, self._table.commitment, PERSON, contribution)

    def _open(self) -> None:
        """Keep the receipt of the lock, and only then open the own contribution."""
        self._held.keep(RECEIPTS, format_receipt(self._table.lock_receipt()))
        own = self._held.contribution()
        self._table.open(PERSON, own)
        show(told(self._teller.opening(self._table.commitment, self._sealed(own), str(self._held.folder))))
        self._held.opened()

    def _deal(self) -> None:
        """Keep the own ticket, and only then let the round be dealt."""
        self._keep_receipt()
        ticket = self._table.tickets()[PERSON]
        text = encode_ticket(ticket)
        self._held.keep(TICKETS, text)
        show(told(self._teller.ticket(ticket.round, text, str(self._held.folder / TICKETS))))
        self._table.deal()
        view = self._view()
        show(told(self._teller.hand(f"  you are dealt {len(view.dealt or b'')} cards  ", view.dealt or b"")))
        self._tell_gifts(view, 0)

    def _keep_receipt(self) -> None:
        """Keep a receipt of the log as it is after a round."""
        if self._view().results:
            self._held.keep(RECEIPTS, format_receipt(self._table.receipt()))

    def _finish(self) -> None:
        self._keep_receipt()
        self._table.finish()
        self._keep_receipt()

    def _audited(self) -> Exit:
        """Say how the match ended, audit it as anybody would, and return what that comes to."""
        view = self._view()
        command = audit_command(self._folder)
        say(
            told(
                self._teller.match_over(view.totals, view.final_places),
                ["", "audit it yourself:", command, "which says now:"],
            )
        )
        log = str(self._folder / LOG_FILE)
        report = audit(read_bytes(log), read_folder(self._held.folder), REQUIRED)
        say(report_text(report, log, brief=True))
        return OF_VERDICT[report.verdict]

    # --- what has happened

    def _running_trick(self) -> list[str]:
        """Return where a match stands that is taken up again in the middle."""
        view = self._view()
        lines = [] if not view.results else self._teller.totals(view.totals)
        if self._table.phase in (Phase.EXCHANGE, Phase.PLAYING):
            lines += ["", f"going on in round {view.round}"]
            trick = view.acted[view.trick_start :]
            lines += [line for size in range(len(trick)) for line in self._teller.play(trick[: size + 1])]
        return lines

    def _tell(self, before: View) -> None:
        """Say what has happened since `before`, which is one gift or one action and what it led to."""
        after = self._view()
        self._tell_gifts(after, len(before.gifts))
        if len(after.acted) > len(before.acted):
            self._tell_action(before, after)
        if len(after.results) > len(before.results):
            self._tell_round(before, after)

    def _tell_gifts(self, view: View, told_already: int) -> None:
        lines: list[str] = []
        for number, gift in enumerate(view.gifts[told_already:], told_already):
            returned = any(one.giver == gift.receiver for one in view.gifts[:number])
            cards = gift.cards
            lines += self._teller.gift(gift.giver, gift.receiver, gift.size, cards, tribute=not returned)
        show(told(lines))

    def _tell_action(self, before: View, after: View) -> None:
        teller = self._teller
        trick = after.acted[before.trick_start :]
        seat, over = trick[-1].seat, len(after.results) > len(before.results)
        lines = teller.play(trick)
        if over:
            show(told(lines))
            return
        if before.sizes[seat] and not after.sizes[seat]:
            lines += teller.out(seat, after.finishing.index(seat) + 1 if seat in after.finishing else None)
        turn = after.waiting[0]
        goes_on = None if after.trick_start > before.trick_start else turn
        if before.turned != after.turned:
            lines += teller.turned(over=after.turned)
        lines += teller.effects(effects_of(trick, self._law, self._seating(after), after.sizes, goes_on), turn)
        show(told(lines))

    def _seating(self, view: View) -> tuple[int, ...]:
        """Return the seats clockwise in the running round."""
        seats = tuple(range(len(view.terms.seats)))
        if not view.terms.rules.reseat or not view.results:
            return seats
        return tuple(sorted(seats, key=view.results[-1].places.__getitem__))

    def _tell_round(self, before: View, after: View) -> None:
        """Say how a round ended, and check the own hand there and then."""
        result, dealt = after.results[-1], before.dealt or b""
        lines = self._teller.round_over(after.round, result.places, result.titles, result.points)
        lines += self._teller.totals(after.totals)
        ticket = self._held.ticket(after.round)
        report = None
        if ticket is not None:
            report = verify_hand(ticket, result.seed, dealt, self._held.contribution(), [after.commitment])
        show(told(lines, seed_checked(result.seed, len(dealt), report)))
        self._keep_receipt()

    # --- what the person does

    def _ask(self, view: View) -> None:
        """Ask until something lawful is answered, and do it; raises `Left`."""
        show(told(self._shown(view)))
        while True:
            try:
                answer = parse_answer(read_answer(self._prompt(view)), view.hand or b"")
                if self._do(answer, view):
                    return
            except Refused as error:
                typed = format_cards(answer.cards) or "to pass"
                show(told(refusal(error.code, typed, pages()[error.code].title)))
            except Misuse as error:
                show(told(unclear(error.what, error.hint)))

    def _prompt(self, view: View) -> str:
        if view.owed:
            return f"give {view.owed} to {self._teller.who(self._receiver(view))}> "
        return "play> " if view.acted[view.trick_start :] else "lead> "

    def _receiver(self, view: View) -> int:
        """Return who gets what the person owes in the exchange: whoever gave to it."""
        return next(gift.giver for gift in view.gifts if gift.receiver == PERSON)

    def _shown(self, view: View) -> list[str]:
        if view.owed:
            return ["", *self._teller.hand("  you     ", view.hand or b"")]
        plays = [one for one in view.acted[view.trick_start :] if one.kind != PASS]
        pile: Action | None = plays[-1] if plays else None
        return self._teller.turn(view.hand or b"", pile, view.sizes, turned=view.turned)

    def _do(self, answer: Answer, view: View) -> bool:
        """Do what was answered; return whether the match has gone on."""
        match answer.what:
            case What.QUIT:
                raise Left
            case What.HAND:
                show(told(self._shown(view)))
                return False
            case What.HELP:
                owed = view.owed
                show(told(self._teller.owes(owed, self._receiver(view)) if owed else self._teller.choices(view.legal)))
                return False
        if view.owed:
            if answer.what is not What.SET:
                raise Misuse(f"cards are due, {view.owed} of them")
            self._table.give(PERSON, answer.cards)
        elif answer.what is What.PASS:
            self._table.pass_turn(PERSON)
        else:
            self._table.play(PERSON, answer.cards, straight=answer.what is What.STRAIGHT)
        return True
