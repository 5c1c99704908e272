"""Logs at the limits of what may be read, on both sides of each: parts that repeat keep their vectors small.

Where just as much stands as may, something malformed follows, and its place shows that all before it was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairdeal.codes import Code
from fairdeal.limits import MAX_LISTS, MAX_NESTING, MAX_ROUND_ACTIONS, MAX_ROUNDS, MAX_SEAT_EVENTS, MAX_STRAYS
from fairdeal.values import WINDOW
from fairdeal.vectors.broken.clocked import EVENT, MARK, MARKER, STRAIGHT
from fairdeal.vectors.broken.records import SIGNATURE
from fairdeal.vectors.broken.small import DEAL, HASH, PASS, UNKNOWN, Broken, at_start, repeated
from fairdeal.vectors.broken.spellings import Loose, list_head, pack

FIRST: Final = pack(DEAL)
SECOND: Final = pack([5, 2, *DEAL[2:]])
GIFT: Final = pack([6, 0, 1, 0])
RUN: Final = pack(STRAIGHT)
PLAY: Final = bytes([64, 0])


def limit_logs() -> Iterator[Broken]:
    """Yield every case."""
    yield from _lists()
    yield from _actions()
    yield from _clocked()
    yield from _deals()
    yield from _misplaced()
    yield from _one_list()


def _lists() -> Iterator[Broken]:
    """Yield 64 lists of records before the first deal or from one deal to the next, and 65."""
    many, size = MAX_LISTS, len(GIFT)
    enough = many * size
    yield repeated(f"{many} lists before the first deal may be", ((GIFT, many), (UNKNOWN, 1)), enough)
    yield repeated(f"{many + 1} lists before the first deal may not", ((GIFT, many + 1),), enough)
    with_deal = len(FIRST) + enough - size
    yield repeated(f"a deal and {many - 1} lists may be", ((FIRST, 1), (GIFT, many - 1), (UNKNOWN, 1)), with_deal)
    yield repeated(f"a deal and {many} lists may not", ((FIRST, 1), (GIFT, many)), with_deal)
    yield repeated(
        f"{many} lists and a deal with {many - 1} more may be",
        ((GIFT, many), (FIRST, 1), (GIFT, many - 1), (UNKNOWN, 1)),
        enough + with_deal,
    )
    yield repeated(
        f"a misplaced deal starts a stretch of {many} lists as well",
        ((FIRST, 1), (GIFT, many - 1), (FIRST, 1), (GIFT, many - 1), (UNKNOWN, 1)),
        2 * with_deal,
    )
    yield repeated(
        "big sets and straights do not count as lists", ((GIFT, many), (RUN, 9), (UNKNOWN, 1)), enough + 9 * len(RUN)
    )
    yield repeated(
        f"{many + 1} lists with actions between them",
        ((GIFT, many), (PASS, 3), (RUN, 2), (GIFT, 1)),
        enough + 3 + 2 * len(RUN),
    )


def _actions() -> Iterator[Broken]:
    """Yield 4,096 actions before the first deal or from one deal to the next, and one more."""
    many, deal = MAX_ROUND_ACTIONS, len(FIRST)
    yield repeated(f"{many} passes before the first deal may be", ((PASS, many), (FIRST, 1), (UNKNOWN, 1)), many + deal)
    yield repeated(f"{many + 1} passes before the first deal may not", ((PASS, many + 1),), many)
    yield repeated(f"{many} plays of a round may be", ((FIRST, 1), (PLAY, many), (UNKNOWN, 1)), deal + 2 * many)
    yield repeated(f"{many + 1} plays of a round may not", ((FIRST, 1), (PLAY, many + 1)), deal + 2 * many)
    yield repeated(
        f"{many} actions in each of two rounds may be",
        ((FIRST, 1), (PASS, many), (SECOND, 1), (PASS, many), (UNKNOWN, 1)),
        2 * (deal + many),
    )
    yield repeated(
        f"{many} actions, one of them a straight, may be",
        ((FIRST, 1), (PASS, many - 1), (RUN, 1), (UNKNOWN, 1)),
        deal + many - 1 + len(RUN),
    )
    yield repeated(f"{many} actions and a straight may not", ((FIRST, 1), (PASS, many), (RUN, 1)), deal + many)
    yield repeated(
        f"{many} actions with a gift between them, and one more",
        ((FIRST, 1), (PASS, many - 1), (GIFT, 1), (PASS, 2)),
        deal + many + len(GIFT),
    )
    marked = ((FIRST, 1), (PASS, many), (MARK + PASS, 1))
    yield repeated(f"{many} actions and one with a clock mark", marked, deal + many)
    last = ((FIRST, 1), (PASS, many - 1), (MARK + PASS, 1), (UNKNOWN, 1))
    yield repeated(f"{many} actions, the last with a clock mark", last, deal + many - 1 + len(MARK + PASS))
    all_marked = ((FIRST, 1), (MARK + MARKER + PASS, many))
    at = deal + many * len(MARK + MARKER + PASS)
    yield repeated(f"{many} actions with clock marks may be", (*all_marked, (UNKNOWN, 1)), at)
    yield repeated(f"{many + 1} actions with clock marks may not", (*all_marked, (MARK + MARKER + PASS, 1)), at)


def _clocked() -> Iterator[Broken]:
    """Yield records with marks at the limits: a gift with one is a list, and seat events are counted by themselves."""
    event, gift = pack(EVENT), MARK + MARKER + GIFT
    enough = MAX_LISTS * len(gift)
    yield repeated(f"{MAX_LISTS} lists with clock marks may be", ((gift, MAX_LISTS), (UNKNOWN, 1)), enough)
    yield repeated(f"{MAX_LISTS + 1} lists with clock marks may not", ((gift, MAX_LISTS + 1),), enough)
    for words, record in (("seat events", event), ("seat events with clock marks", MARK + event)):
        many, size = MAX_SEAT_EVENTS, len(record)
        yield repeated(f"{many} {words} may be", ((record, many), (UNKNOWN, 1)), many * size)
        yield repeated(f"{many + 1} {words} may not", ((record, many + 1),), many * size)
        rounds = ((record, many), (FIRST, 1), (record, many))
        at = 2 * many * size + len(FIRST)
        yield repeated(f"{many} {words} before a deal and {many} behind it", (*rounds, (UNKNOWN, 1)), at)
        yield repeated(f"{many} {words} behind a deal and one more", (*rounds, (record, 1)), at)
    full = ((FIRST, 1), (GIFT, MAX_LISTS - 1), (PASS, MAX_ROUND_ACTIONS))
    at = sum(len(data) * times for data, times in full)
    parts = (*full, (event, MAX_SEAT_EVENTS), (UNKNOWN, 1))
    yield repeated("as many lists, actions and seat events as may be", parts, at + MAX_SEAT_EVENTS * len(event))


def _deals() -> Iterator[Broken]:
    """Yield 1,000 deals, and 1,001; of two numbers in turn, so that none of them is misplaced."""
    many, both = MAX_ROUNDS // 2, FIRST + SECOND
    enough = many * len(both)
    yield repeated(f"{MAX_ROUNDS} deals may be", ((both, many), (PASS, 1), (UNKNOWN, 1)), enough + 1)
    yield repeated(f"{MAX_ROUNDS + 1} deals may not", ((both, many), (FIRST, 1)), enough)


def _misplaced() -> Iterator[Broken]:
    """Yield 999 records in the wrong place and 1,000: straights before the first deal, and deals of one number."""
    many, size = MAX_STRAYS - 1, len(RUN)
    yield repeated(f"{many} misplaced records may be", ((RUN, many), (UNKNOWN, 1)), many * size)
    yield repeated(f"{many + 1} misplaced records may not", ((RUN, many + 1),), many * size)
    yield repeated(f"{many + 1} misplaced records, and more after them", ((RUN, many + 9),), many * size)
    one_run = ((PASS, 9), (RUN, many - 1), (FIRST, 1), (UNKNOWN, 1))
    yield repeated("misplaced passes behind each other are one record", one_run, 9 + (many - 1) * size + len(FIRST))
    both = ((PASS, 9), (RUN, many))
    yield repeated(f"passes and {many} straights are {many + 1} misplaced records", both, 9 + (many - 1) * size)
    marked = ((MARK + PASS, 9), (RUN, many - 1), (FIRST, 1), (UNKNOWN, 1))
    at = 9 * len(MARK + PASS) + (many - 1) * size + len(FIRST)
    yield repeated("misplaced passes with clock marks behind each other are one record", marked, at)
    apart = ((MARK + PASS, 9), (PASS, 9), (RUN, many - 1))
    at = 9 * len(MARK + PASS) + 9 + (many - 2) * size
    yield repeated("misplaced passes with clock marks and without are two records", apart, at)
    opened, first, second = pack([3, 0, HASH]), pack([4, 1, SIGNATURE]), pack([4, 2, SIGNATURE])
    waiting = ((opened, 1), (RUN, many - 1), (first, 1), (second, 1), (opened, 1))
    at = len(opened) + (many - 1) * size + len(first) + len(second)
    yield repeated(f"{many - 1} misplaced records, and two signatures that an opening makes so", waiting, at)
    deals = ((FIRST, MAX_ROUNDS), (UNKNOWN, 1))
    yield repeated(f"{many} misplaced deals of one number may be", deals, MAX_ROUNDS * len(FIRST))
    last = ((FIRST, MAX_ROUNDS), (GIFT, 1), (PASS, 1), (GIFT, 1))
    yield repeated(f"{many} misplaced deals and a gift behind a play", last, MAX_ROUNDS * len(FIRST) + len(GIFT) + 1)


def _one_list() -> Iterator[Broken]:
    """Yield lists of 4,096 bytes, 32 values or 1,024 lists in each other, and longer and deeper ones.

    They are of another protocol: no list of this one comes near.
    """
    filler = pack(bytes(64))
    head = list_head(5) + pack(0) + pack("fairdeal/v2")
    front = ((head, 1), (list_head(31), 1), (filler, 31), (list_head(30), 1), (filler, 30))
    left = WINDOW - sum(len(data) * times for data, times in front) - 2
    for more, words in ((0, "may be"), (1, "may not")):
        parts = (*front, (pack(bytes(left + more)), 1))
        place, code = ("byte 0", Code.MALFORMED) if more else ("terms", Code.UNSUPPORTED)
        yield Broken(f"another protocol in a list of {WINDOW + more} bytes {words}", parts, place, code)
    values: list[Loose] = [0, "fairdeal/v2", *[0] * 31]
    yield at_start("another protocol with 33 values", pack(values))
    yield at_start("another protocol with 33 values in a list inside", pack([*values[:2], [0] * 33]))
    yield at_start("another protocol with a text of 65 bytes", pack([*values[:2], "a" * 65]))
    yield at_start("another protocol with a byte string of 65 bytes", pack([*values[:2], bytes(65)]))
    head = list_head(3) + pack(0) + pack("fairdeal/v2")
    for depth, words in ((MAX_NESTING, "may be"), (MAX_NESTING + 1, "may not")):
        deep = ((head, 1), (list_head(1), depth - 1), (b"\x00", 1))
        place, code = ("terms", Code.UNSUPPORTED) if depth == MAX_NESTING else ("byte 0", Code.MALFORMED)
        yield Broken(f"another protocol with lists {depth} deep, the outermost one too, {words}", deep, place, code)
