"""Records after the terms that cannot be read, or not by this version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fairdeal.codes import Code
from fairdeal.limits import MAX_INT, MAX_POINTS, MAX_ROUNDS, MIN_INT
from fairdeal.vectors.broken.small import BLIND, COMMITMENT, DEAL, HASH, HEAD, PASS, UNKNOWN, Broken, behind
from fairdeal.vectors.broken.spellings import FOREIGN, Loose, Raw, list_head, longer_forms, pack, with_length

SIGNATURE: Final = bytes(64)
ROUND_END: Final[list[Loose]] = [10, 1, 2, 3, 0, 2, 4, 0, 0, 0, HASH]
CLOSE: Final[list[Loose]] = [11, 0, -1, HASH, [0, 0, 0], [], HASH]
# where a value stands in the lists above, the kind being 0
PLACES, CLASSES, POINTS, SEED = 1, 4, 7, 10
REASON, NAMED, DIGEST, TOTALS, FINAL_PLACES, SECRET = range(1, 7)


def broken_records() -> Iterator[Broken]:
    """Yield every case; most are one list out of shape right behind the terms of three seats."""
    for comment, value in (*_opening_lists(), *_round_lists(), *_card_lists(), *_closes()):
        yield behind(comment, pack(value))
    yield from _no_lists()
    yield from _other_forms()
    yield from _cut()
    yield from _later()


def _with(values: Sequence[Loose], index: int, value: Loose) -> list[Loose]:
    return [*values[:index], value, *values[index + 1 :]]


def _opening_lists() -> Iterator[tuple[str, Loose]]:
    """Yield lists of unknown kinds, and those of the opening with values out of range."""
    yield "an unknown kind", [12]
    yield "kind 255", [255, HASH]
    yield "kind -1", [-1]
    yield "a list without a kind", []
    yield "a kind that is a text", ["1", HASH]
    yield "a kind that is nil", [None, HASH]
    yield "terms a second time as a record", [0]
    yield "a commitment without its value", [1]
    yield "a commitment with a value too many", [1, HASH, 0]
    for length in (0, 31, 33, 64):
        yield f"a commitment of {length} bytes", [1, bytes(length)]
    for kind, words in ((2, "a seal"), (3, "an opening")):
        yield f"{words} of seat 3 at a table of three", [kind, 3, HASH]
        yield f"{words} of seat -1", [kind, -1, HASH]
        yield f"{words} of 31 bytes", [kind, 0, bytes(31)]
        yield f"{words} of no bytes", [kind, 0, b""]
        yield f"{words} with a value too many", [kind, 0, HASH, 0]
    yield "a signature of signer 4 at a table of three", [4, 4, SIGNATURE]
    yield "a signature of signer -1", [4, -1, SIGNATURE]
    for length in (0, 32, 63):
        yield f"a signature of {length} bytes", [4, 0, bytes(length)]
    yield "a signature of 65 bytes", [4, 0, bytes(65)]


def _round_lists() -> Iterator[tuple[str, Loose]]:
    """Yield deals, seat events and ends of rounds with values out of range."""
    for number in (-1, 0, MAX_ROUNDS + 1):
        yield f"a deal of round {number}", _with(DEAL, 1, number)
    for seat in (-1, 3):
        yield f"a deal with seat {seat} first", _with(DEAL, 2, seat)
    for length in (0, 15, 17, 32):
        yield f"a blind of {length} bytes", _with(DEAL, 3, bytes(length))
    yield "a deal with a value too many", [*DEAL, 0]
    yield "a deal without its blind", DEAL[:-1]
    for values in ([3, 0, 0], [-1, 0, 0], [0, 3, 0], [0, -1, 0], [0, 0, 5], [0, 0, -1], [0, 0], [0, 0, 0, 0]):
        yield f"a seat event of {', '.join(map(str, values))}", [9, *values]
    for index, words, values in (
        (PLACES, "a place", [0, 4, -1]),
        (CLASSES, "a title class", [-1, 5]),
        (POINTS, "points", [-MAX_POINTS - 1, MAX_POINTS + 1]),
    ):
        for value in values:
            yield f"{words} of {value} at an end of round", _with(ROUND_END, index + 1, value)
    for length in (0, 31, 33):
        yield f"a seed of {length} bytes", _with(ROUND_END, SEED, bytes(length))
    yield "an end of round with a value too many", [*ROUND_END, 0]
    yield "an end of round for two seats", [10, 1, 2, 0, 4, 0, 0, HASH]
    yield "an end of round for four seats", [10, 1, 2, 3, 4, 0, 1, 3, 4, 0, 0, 0, 0, HASH]
    yield "an end of round in lists", [10, [1, 2, 3], [0, 2, 4], [0, 0, 0], HASH]
    yield "a float among the points of a round", _with(ROUND_END, POINTS, Raw(FOREIGN["a float of 64 bits"]))
    yield "true for place 1", _with(ROUND_END, PLACES, Raw(FOREIGN["true"]))


def _card_lists() -> Iterator[tuple[str, Loose]]:
    """Yield gifts, big sets and straights with values out of range."""
    for giver, receiver in ((3, 0), (0, 3), (-1, 0), (0, -1)):
        yield f"a gift of seat {giver} to seat {receiver}", [6, giver, receiver, 0]
    yield "a gift of no cards", [6, 0, 1]
    yield "a gift of 19 cards", [6, 0, 1, *[0] * 19]
    for face in (54, -1, 255):
        yield f"a gift of card {face}", [6, 0, 1, 0, face]
        yield f"a big set with card {face}", [7, 0, *[0] * 8, face]
        yield f"a straight with card {face}", [8, 0, 0, face, 8]
    yield "a gift of a list of cards", [6, 0, 1, [0, 1]]
    yield "a gift of a byte string of cards", [6, 0, 1, b"\x00\x01"]
    for kind, words in ((7, "a big set"), (8, "a straight")):
        yield f"{words} of no cards", [kind, 0]
        yield f"{words} of 13 cards", [kind, 0, *[0] * 13]
        yield f"{words} of seat 3 at a table of three", [kind, 3, *[0] * 9]
        yield f"{words} of seat -1", [kind, -1, *[0] * 9]
        yield f"{words} with the name of a card", [kind, 0, *[0] * 8, "3c"]


def _closes() -> Iterator[tuple[str, Loose]]:
    """Yield closes with values out of range."""
    for reason in (-1, 5):
        yield f"a close for reason {reason}", _with(CLOSE, REASON, reason)
    for seat in (-2, 3):
        yield f"a close that names seat {seat}", _with(CLOSE, NAMED, seat)
    yield "a close with nil for the seat", _with(CLOSE, NAMED, None)
    for index, words in ((DIGEST, "digest"), (SECRET, "secret")):
        for length in (0, 31, 33):
            yield f"a close with a {words} of {length} bytes", _with(CLOSE, index, bytes(length))
    for total in (MIN_INT - 1, MAX_INT + 1, 2**64 - 1):
        yield f"a total of {total}", _with(CLOSE, TOTALS, [0, total, 0])
    figures: list[Loose] = [0, 0, 0, 0]
    for count in (0, 2, 4):
        yield f"{count} totals at a table of three", _with(CLOSE, TOTALS, figures[:count])
    for place in (0, 4, -1):
        yield f"a final place of {place}", _with(CLOSE, FINAL_PLACES, [1, place, 2])
    ones: list[Loose] = [1, 1, 1, 1]
    for count in (1, 2, 4):
        yield f"{count} final places at a table of three", _with(CLOSE, FINAL_PLACES, ones[:count])
    yield "totals that are not in a list", [*CLOSE[:TOTALS], 0, 0, 0, [], HASH]
    yield "nil for no final places", _with(CLOSE, FINAL_PLACES, None)
    yield "a close with a value too many", [*CLOSE, 0]
    yield "a close without its secret", CLOSE[:-1]


def _no_lists() -> Iterator[Broken]:
    """Yield what is neither a list nor an action, and actions of cards or seats that are not there."""
    for comment, tail in (
        ("a card without a head", bytes([5])),
        ("the highest card without a head", bytes([53])),
        ("54, which is no card and no head", bytes([54])),
        ("63, the last number before the heads", bytes([63])),
        ("a head without its card", bytes([64])),
        ("a head with a card that does not exist", bytes([64, 54])),
        ("a head with another head for a card", bytes([64, 64, 0])),
        ("a head with a card in a longer form", bytes([64, 0xCC, 5])),
        ("a head of two with one card", bytes([72, 5])),
        ("a head of two, its second card missing before a list", bytes([72, 5]) + pack(COMMITMENT)),
        ("a head of eight with seven cards", bytes([120, *range(7)])),
        ("a head of seat 3 at a table of three", bytes([67, 0])),
        ("a head of eight of seat 7 at a table of three", bytes([127, *range(8)])),
        ("a pass of seat 3 at a table of three", b"\xfc"),
        ("a pass of seat 7 at a table of three", b"\xf8"),
        ("-17, below the markers", b"\xef"),
        ("-32, the lowest number of one byte", b"\xe0"),
        ("a pass in int 8", b"\xd0\xff"),
        ("a pass in int 16", b"\xd1\xff\xff"),
        ("a pass in int 32", b"\xd2\xff\xff\xff\xff"),
        ("a pass in int 64", b"\xd3" + b"\xff" * 8),
        ("a head in uint 8", b"\xcc\x40\x05"),
        ("-33", b"\xd0\xdf"),
        ("a text", b"\xa1a"),
        ("an empty text", b"\xa0"),
        ("a byte string", b"\xc4\x01\x00"),
        ("a float", b"\xca" + bytes(4)),
        ("a long float", b"\xcb" + bytes(8)),
        ("a map with one entry", b"\x81\x01\x02"),
        ("a map of more than fifteen entries", b"\xde\x00\x10" + bytes(32)),
        ("a time stamp of 64 bits", b"\xd7\xff" + bytes(8)),
        ("a list that claims four thousand million values", b"\xdd\xff\xff\xff\xff"),
        ("a list that claims 65,535 values", b"\xdc\xff\xff"),
        ("a byte string that claims four thousand million bytes", b"\x92\x01\xc6\xff\xff\xff\xff"),
        ("a text that claims four thousand million bytes", b"\x92\x01\xdb\xff\xff\xff\xff"),
        ("lists within lists", b"\x91" * 600),
        ("a line feed", b"\n"),
    ):
        yield behind(comment, tail)
    for words, data in FOREIGN.items():
        yield behind(f"{words} where a record belongs", data)
        yield behind(f"{words} for a seat", pack([2, Raw(data), HASH]))


def _other_forms() -> Iterator[Broken]:
    """Yield records in other forms than their shortest."""
    for form, raw in longer_forms(1):
        yield behind(f"a kind in {form}", pack([raw, HASH]))
    for form, raw in longer_forms(-1):
        yield behind(f"a close that names nobody, in {form}", pack(_with(CLOSE, NAMED, raw)))
    for value in (200, 1000):
        for form, raw in longer_forms(value):
            yield behind(f"round {value} in {form}", pack(_with(DEAL, 1, raw)))
    yield behind("a text where bytes belong", pack([1, "a" * 32]))
    for form in ("bin 16", "bin 32", "str 16"):
        yield behind(f"a commitment in {form}", pack([1, with_length(form, HASH)]))
        yield behind(f"a blind in {form}", pack(_with(DEAL, 3, with_length(form, BLIND))))
    for form in ("array 16", "array 32"):
        whole = b"".join(map(pack, COMMITMENT))
        yield behind(f"a commitment's list in {form}", with_length(form, whole, 2).data)
        yield behind(f"no final places in {form}", pack(_with(CLOSE, FINAL_PLACES, with_length(form, b"", 0))))
    gift = with_length("array 32", bytes([6, 0, 1, *[0] * 13]), 16)
    yield behind("a list of 16 values in array 32", gift.data)


def _cut() -> Iterator[Broken]:
    """Yield a log that ends inside a record: at each kind of value, and behind sound ones."""
    commitment, deal, close = pack(COMMITMENT), pack(DEAL), pack(CLOSE)
    yield behind("the log is cut inside its second record", commitment[:-1])
    yield behind("the log is cut behind the first byte of its second record", commitment[:1])
    yield behind("the log is cut inside the length of a byte string", commitment[:3])
    yield behind("the log is cut behind a commitment, inside a deal", deal[:-1], commitment)
    yield behind("the log is cut inside a play", bytes([72, 0]), commitment, deal)
    yield behind("the log is cut behind a head", bytes([64]), commitment, deal, bytes([64, 1]), PASS)
    yield behind("the log is cut inside the close", close[:40], commitment)
    yield behind("the log is cut behind a list's long head", list_head(17), commitment)


def _later() -> Iterator[Broken]:
    """Yield what is broken behind sound actions, at a table of three."""
    commitment, deal = pack(COMMITMENT), pack(DEAL)
    yield behind("an unknown kind behind a deal", UNKNOWN, commitment, deal)
    yield behind("an unknown kind between two actions", UNKNOWN + PASS, commitment, deal, bytes([64, 0]))
    yield behind("a card too many behind a play", bytes([1]), commitment, deal, bytes([64, 0]))
    yield behind("a pass of seat 3 behind one of seat 2", b"\xfc", commitment, deal, b"\xff\xfe\xfd")
    yield behind("an action that is none behind a close", bytes([54]), commitment, pack(CLOSE))
    yield behind("a zero byte at the end", b"\x00", commitment, pack(CLOSE))
    yield behind("a line feed at the end", b"\n", commitment, pack(CLOSE))
    yield Broken("a line feed in front of the terms", ((b"\n" + HEAD, 1),), "byte 0")
    yield Broken("a byte order mark in front of the terms", ((b"\xef\xbb\xbf" + HEAD, 1),), "byte 0", Code.MALFORMED)
