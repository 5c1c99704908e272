"""One seat's half of a match: its own contribution, what it holds for an audit, and what its person types.

Everything it holds is in files at once, before the match goes on, so that a process that is killed leaves it behind.
"""

from __future__ import annotations

import re
import secrets
import sys
from contextlib import suppress
from enum import Enum, auto
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from fairdeal.anchor import CONTRIBUTIONS, EVIDENCE_FILES, TICKETS, by_seat, parse_of_seat, read_text
from fairdeal.cards import CARD_NAMES, FACES, FIRST_JOKER, JOKER_RANK, RANKS, parse_card
from fairdeal.cli.files import close_quietly, refuse_existing, write_new
from fairdeal.errors import Misuse
from fairdeal.evidence import Ticket
from fairdeal.hands import count_hand
from fairdeal.limits import HASH_BYTES
from fairdeal.secretfile import OWNER_ONLY
from fairdeal.ticket import decode_ticket

FOLDER: Final = "held"
_SEALED: Final = "contribution-sealed.txt"  # becomes `CONTRIBUTIONS` when it is opened
_CARD: Final = re.compile("(10|[2-9TJQKA])([cdhs]?)|x([12]?)", re.ASCII | re.IGNORECASE)
_CARDS: Final = re.compile("(?:(?:(?:10|[2-9TJQKA])[cdhs]?|x[12]?)[ ,\t]*)+", re.ASCII | re.IGNORECASE)
_NAMES: Final = frozenset(map(str.lower, CARD_NAMES))
_STRAIGHT: Final = re.compile("s[ \t]+(.*)", re.ASCII | re.IGNORECASE)


class Held:
    """The folder of what a seat holds, in the form that `audit --evidence` reads."""

    def __init__(self, folder: Path, seat: int) -> None:
        """Use this folder."""
        self.folder = folder
        self._seat = seat

    def refuse_other(self) -> None:
        """Raise `Misuse` where the folder holds something of another match."""
        refuse_existing(*(self.folder / name for name in (*EVIDENCE_FILES, _SEALED)))

    def keep(self, name: str, line: str) -> None:
        """Add a line to an evidence file, unless it is there."""
        path = self.folder / name
        before = read_text(path) if path.exists() else ""
        if line not in before.split("\n"):
            self._write(path, f"{before}{line}\n")

    def ticket(self, number: int) -> Ticket | None:
        """Return the ticket that was kept before round `number`, None where there is none."""
        path = self.folder / TICKETS
        lines = read_text(path).split() if path.exists() else []
        return next((ticket for ticket in map(decode_ticket, lines) if ticket.round == number), None)

    def _write(self, path: Path, text: str, mode: int | None = None) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write_new(path, text.encode("ascii"), mode)

    # --- the own contribution

    def draw(self) -> bytes:
        """Return a contribution of 32 random bytes, and keep it where only its owner can read it until it is opened."""
        if not (self.folder / _SEALED).exists():
            line = f"{self._seat}={secrets.token_bytes(HASH_BYTES).hex()}\n"
            self._write(self.folder / _SEALED, line, OWNER_ONLY)
        return self.contribution()

    def contribution(self) -> bytes:
        """Return the own contribution, opened or not; raises `Misuse` where it is gone."""
        for name in (_SEALED, CONTRIBUTIONS):
            path = self.folder / name
            if path.exists():
                values = by_seat(map(parse_of_seat, read_text(path).split()))
                if self._seat in values:
                    return values[self._seat]
        raise Misuse("the contribution of this match is gone", str(self.folder), "begin another match with -o DIR")

    def opened(self) -> None:
        """Let the own contribution be evidence, now that it is open."""
        if (self.folder / _SEALED).exists():
            (self.folder / _SEALED).replace(self.folder / CONTRIBUTIONS)


# --- what is shown and typed


class Left(Exception):
    """The person has gone; the match can be gone on with."""


class What(Enum):
    """What an answer asks for."""

    PASS = auto()
    SET = auto()
    STRAIGHT = auto()
    HELP = auto()
    HAND = auto()
    QUIT = auto()


class Answer(NamedTuple):
    """An answer that was understood, lawful or not."""

    what: What
    cards: bytes = b""


_WORDS: Final = {
    "": What.HELP,
    "p": What.PASS,
    "pass": What.PASS,
    "?": What.HELP,
    "help": What.HELP,
    "h": What.HAND,
    "hand": What.HAND,
    "quit": What.QUIT,
}


def tolerate_any_input() -> None:
    """Let what is no UTF-8 be read as an answer that means nothing; to be called before anything is read."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="backslashreplace")


def show(text: str) -> None:
    """Write text to standard output; raises `Left` where nobody reads it any more."""
    try:
        if sys.stdout is None:
            raise Left
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        close_quietly()
        raise Left from None


def read_answer(prompt: str) -> str:
    """Return the line that is typed after `prompt`; raises `Left` where there is none.

    At a terminal it can be edited. What comes from elsewhere is repeated, so that the output reads the same.
    """
    typed = sys.stdin is not None and sys.stdin.isatty()
    if typed and sys.stdout.isatty():
        with suppress(ImportError):  # Python may have been built without it
            import_module("readline")
            try:
                return input(prompt)
            except EOFError:
                return _left()
    show(prompt)
    line = "" if sys.stdin is None else sys.stdin.readline()
    if not line:
        return _left()
    if not typed:
        show(line if line.endswith("\n") else f"{line}\n")
    return line


def _left() -> NoReturn:
    show("\n")
    raise Left


def parse_answer(text: str, hand: bytes) -> Answer:
    """Return what an answer means; raises `Misuse` where it means nothing.

    Ranks without a suit stand for the lowest cards of that rank in `hand` that are not named otherwise. A `q` leaves; a
    capital one is a queen.
    """
    words = text.strip()
    if words == "q":
        return Answer(What.QUIT)
    if words.lower() in _WORDS:
        return Answer(_WORDS[words.lower()])
    straight = _STRAIGHT.fullmatch(words)
    cards = _cards(straight[1] if straight else words, hand)
    if straight is None:
        return Answer(What.SET, cards)
    if all(face < FIRST_JOKER for face in cards):  # a joker's place is where it stands
        cards = bytes(sorted(cards))
    return Answer(What.STRAIGHT, cards)


def _cards(text: str, hand: bytes) -> bytes:
    """Return the cards that a text names, in its order."""
    if not _CARDS.fullmatch(text):
        raise Misuse(f"`{text[:40]}` is neither cards nor a command", hint="`?` lists what may be answered")
    words = [match[0].lower().replace("10", "t") for match in _CARD.finditer(text)]
    left = count_hand(hand)
    named = [parse_card(word) if word in _NAMES else None for word in words]
    for face in named:
        if face is not None:
            left[face] -= left[face] > 0
    faces = bytearray()
    for word, face in zip(words, named, strict=True):
        if face is None:
            faces.append(_lowest(word, left))
            left[faces[-1]] -= left[faces[-1]] > 0
        else:
            faces.append(face)
    return bytes(faces)


def _lowest(word: str, left: bytearray) -> int:
    """Return the lowest card left of a rank; where none is, a card of it that is not held, for the table to refuse."""
    rank = JOKER_RANK if word == "x" else RANKS.index(word.upper())
    faces = range(4 * rank, min(4 * rank + 4, FACES))
    return next((face for face in faces if left[face]), faces[0])
