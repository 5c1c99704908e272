"""A process that plays matches on a live table and is killed for it: `python -m tests.table.player`.

Each line it reads is a folder, the number of a setting, a number that decides what is chosen, and how it dies: `-` if
somebody else sees to that, `timer MICROSECONDS`, or `write BYTES` after so many bytes of the next write to the log. It
plays in a process of its own, tells `pid` first, `ticket` for each ticket, then `done` with size and SHA-256 of the log
for each call that was answered, and `end` when that process is gone.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fairdeal.draws import Draws
from fairdeal.hashing import tagged_hash
from fairdeal.table import Phase
from fairdeal.ticket import encode_ticket
from tests.table.playing import EASY, HARD, HUMAN, MEDIUM, Live, Setting

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

SETTINGS = (
    Setting(),
    Setting(kinds=(HUMAN, EASY, HARD, MEDIUM), sealed=True, clock=True, changes={"turn_seconds": 2}),
    Setting(kinds=(HUMAN, HUMAN, HUMAN), operator=True, seat_keys=True, sealed=True, preset="wild-twos"),
    Setting(kinds=(EASY, EASY, EASY, EASY), preset="le-president"),
)


def tell(*words: object) -> None:
    """Write a line at once."""
    os.write(sys.stdout.fileno(), (" ".join(map(str, words)) + "\n").encode("ascii"))


def die_in_write(after: int) -> None:
    """Let the next write to a log get no further than so many bytes."""
    write = os.write

    def fatal(handle: int, data: Buffer) -> int:
        if handle == sys.stdout.fileno():
            return write(handle, data)
        write(handle, bytes(data)[:after])
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    os.write = fatal


def play(folder: Path, setting: Setting, choices: int, way: str, amount: int) -> None:
    """Play a match to its end, or until this process is killed."""
    tell("pid", os.getpid())
    if way == "timer":
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, amount / 1e6)
    live = Live(folder, setting, resume=(folder / "match.fdl").exists())
    live.draws = Draws(tagged_hash("choices", choices))
    if way == "write":
        die_in_write(amount)
    if live.table.phase in (Phase.EXCHANGE, Phase.PLAYING):  # dealt, but perhaps killed before its tickets were told
        for ticket in live.table.tickets():
            tell("ticket", encode_ticket(ticket))
    told = 0
    while True:
        step = live.step()
        for ticket in live.tickets[told:]:
            tell("ticket", encode_ticket(ticket))
        told = len(live.tickets)
        if not step:
            break
        receipt = live.table.receipt()
        tell("done", receipt.offset, receipt.digest.hex(), step)
        live.now += live.draws.below(900)


def main() -> None:
    """Play what is asked for, each in a process of its own."""
    for line in sys.stdin:
        folder, setting, choices, way, amount = line.split()
        child = os.fork()
        if not child:
            play(Path(folder), SETTINGS[int(setting)], int(choices), way, int(amount))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        tell("end", status)


if __name__ == "__main__":
    main()
