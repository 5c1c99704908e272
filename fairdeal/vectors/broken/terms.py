"""Terms that cannot be read, or not by this version: one value out of range, of another type or in another spelling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fairdeal.codes import Code
from fairdeal.limits import MAX_INT, MAX_POINTS, MAX_ROUNDS, MAX_TURN_SECONDS
from fairdeal.settings import ENUM_SETTINGS, FLAG_SETTINGS
from fairdeal.vectors.broken.small import SMALL_TERMS, Broken, at_start, rules, seats, terms
from fairdeal.vectors.broken.spellings import FOREIGN, Loose, Raw, integer_as, longer_forms, pack, with_length

# what may not stand in a text, and the byte strings that are no UTF-8
CONTROLS: Final = "\x00\x09\x0a\x1f\x7f\x80\x85\x9f"
NO_UTF_8: Final = {
    "a byte that never stands in UTF-8": b"a\xff",
    "a byte that only goes on": b"a\x80",
    "a sequence cut short": b"a\xc3",
    "an overlong slash": b"\xc0\xaf",
    "an overlong character 0": b"\xc0\x80",
    "half of a surrogate pair": b"\xed\xa0\x80",
    "both halves of a surrogate pair": b"\xed\xa0\xbd\xed\xb8\x80",
    "a character above U+10FFFF": b"\xf4\x90\x80\x80",
    "a sequence of five bytes": b"\xf8\x88\x80\x80\x80",
}
_BEYOND: Final[Mapping[str, tuple[int, ...]]] = {
    "packs": (0, 3),
    "jokers_per_pack": (-1, 3),
    "exchange_top": (-1, 19),
    "exchange_vice": (-1, 19),
    "start_points": (-MAX_POINTS - 1, MAX_POINTS + 1),
    "end_at": (-1, MAX_POINTS + 1),
    "turn_seconds": (-1, MAX_TURN_SECONDS + 1),
}


def broken_terms() -> Iterator[Broken]:
    """Yield every case."""
    yield at_start("no byte at all", b"")
    yield at_start("no terms in front", pack([1, bytes(32)]))
    yield from _shapes()
    yield from _ranges_of_terms()
    yield from _ranges_of_rules()
    yield from _texts()
    yield from _other_types()
    yield from _longer_forms()
    yield from unsupported_terms()


def _with(comment: str, changes: Mapping[str, Loose]) -> Broken:
    return at_start(comment, pack(terms(changes=changes)))


def _with_rules(comment: str, changes: Mapping[str, Loose]) -> Broken:
    return _with(comment, {"rules": rules(changes)})


def _shapes() -> Iterator[Broken]:
    """Yield lists with too many values or too few, in the terms and in what stands in them."""
    plain, of_rules = terms(), rules()
    yield at_start("terms with a value too many", pack([*plain, 0]))
    yield at_start("terms with a value missing", pack(plain[:-1]))
    yield at_start("terms cut inside their last value", pack(plain)[:-1])
    yield at_start("terms of kind 1", pack([1, *plain[1:]]))
    yield _with("rules with a value too many", {"rules": [*of_rules, 0]})
    yield _with("rules with a value missing", {"rules": of_rules[:-1]})
    for count in (2, 9):
        yield at_start(f"{count} seats", pack(terms(count)))
    yield _with("a seat with a value too many", {"seats": seats(3, {1: ["B", 0, b"", 0]})})
    yield _with("a seat with a value missing", {"seats": seats(3, {1: ["B", 0]})})
    row: list[Loose] = [2, 1, 0, 0]
    yield _with_rules("points for a place more than there are seats", {"points": row})
    yield _with_rules("points for a place less than there are seats", {"points": row[:2]})
    titles: list[Loose] = ["a", "b", "c", "d", "e", "f"]
    yield _with_rules("six titles", {"titles": titles})
    yield _with_rules("four titles", {"titles": titles[:4]})


def _ranges_of_terms() -> Iterator[Broken]:
    """Yield each value of the terms outside its range."""
    for length in (15, 17):
        yield _with(f"a match id of {length} bytes", {"match_id": bytes(length)})
    for length in (1, 31, 33):
        yield _with(f"an operator key of {length} bytes", {"operator_key": bytes(length)})
        yield _with(f"a seat's key of {length} bytes", {"seats": seats(3, {0: ["A", 0, bytes(length)]})})
    for number in (-1, MAX_INT + 1, 2**64 - 1):
        yield _with(f"sequence number {number}", {"sequence": number})
    yield _with("N is 0", {"rounds": 0})
    yield _with(f"N is {MAX_ROUNDS + 1}", {"rounds": MAX_ROUNDS + 1})
    yield _with("contribution policy 2", {"contributions": 2})
    yield _with("contribution policy -1", {"contributions": -1})
    for kind in (-1, 5):
        yield _with(f"a seat of kind {kind}", {"seats": seats(3, {2: ["C", kind, b""]})})
    yield _with("a beacon policy of 65 bytes", {"beacon": "b" * 65})
    for number in (-1, MAX_INT + 1):
        yield _with(f"bot policy {number}", {"bot_policy": number})
    yield _with("malformed and a bot policy at once", {"bot_policy": 2, "rounds": 0})


def _ranges_of_rules() -> Iterator[Broken]:
    """Yield each value of the rules outside its range."""
    for name, values in _BEYOND.items():
        for value in values:
            yield _with_rules(f"{name} is {value}", {name: value})
    for name, kind in ENUM_SETTINGS.items():
        for value in (-1, len(kind)):
            yield _with_rules(f"{name} is {value}", {name: value})
    for name in FLAG_SETTINGS:
        for value in (-1, 2):
            yield _with_rules(f"{name} is {value}", {name: value})
        yield _with_rules(f"{name} is true and not 1", {name: Raw(FOREIGN["true"])})
    for figure in (-MAX_POINTS - 1, MAX_POINTS + 1):
        yield _with_rules(f"{figure} points for a place", {"points": [figure, 0, 0]})


def _texts() -> Iterator[Broken]:
    """Yield names and titles that are no texts of a log."""
    texts: list[tuple[str, Loose]] = [("an empty name", ""), ("a name of 65 bytes", "n" * 65)]
    texts += [("a name of 22 letters and 66 bytes", "\u1e9e" * 22)]
    texts += [(f"U+{ord(control):04X} in a name", f"a{control}b") for control in CONTROLS]
    texts += [(f"{words} in a name", Raw(bytes([0xA0 + len(data)]) + data)) for words, data in NO_UTF_8.items()]
    for comment, text in texts:
        yield _with(comment, {"seats": seats(3, {0: [text, 0, b""]})})
    for text in ("", "t" * 65, "\x9f"):
        words = "an empty text" if not text else f"a text of {len(text)}" if len(text) > 1 else "U+009F"
        yield _with_rules(f"{words} as a title", {"titles": ["a", "b", text, "d", "e"]})
        yield _with_rules(f"{words} as the name of the rules", {"name": text})


def _other_types() -> Iterator[Broken]:
    """Yield values of other types than those that belong at their places."""
    for words, data in FOREIGN.items():
        yield _with(f"{words} where the sequence number belongs", {"sequence": Raw(data)})
        yield at_start(f"{words} where the terms belong", data)
    others: Sequence[tuple[str, Mapping[str, Loose]]] = (
        ("a text where the sequence number belongs", {"sequence": "0"}),
        ("a byte string where the sequence number belongs", {"sequence": b"\x00"}),
        ("a list where the sequence number belongs", {"sequence": [0]}),
        ("a byte string where the protocol id belongs", {"protocol": b"fairdeal/v1"}),
        ("a number where the protocol id belongs", {"protocol": 1}),
        ("a text where the match id belongs", {"match_id": "a" * 16}),
        ("a text where the operator key belongs", {"operator_key": ""}),
        ("nil where the operator key belongs", {"operator_key": None}),
        ("a byte string where the beacon policy belongs", {"beacon": b""}),
        ("nil where the beacon policy belongs", {"beacon": None}),
        ("a number where the rules belong", {"rules": 0}),
        ("a byte string where the seats belong", {"seats": b"abc"}),
        ("a number where a seat belongs", {"seats": seats(3, {1: 0})}),
        ("a byte string where a name belongs", {"seats": seats(3, {1: [b"B", 0, b""]})}),
    )
    for comment, changes in others:
        yield _with(comment, changes)
    yield _with_rules("a number where the points belong", {"points": 0})
    yield _with_rules("nil for no points", {"points": None})
    yield _with_rules("a float among the points", {"points": [Raw(FOREIGN["a float of 64 bits"]), 0, 0]})


def _longer_forms() -> Iterator[Broken]:
    """Yield values in other forms than their shortest."""
    for value in (5, 200, 300, 70_000, 2**32):
        for form, raw in longer_forms(value):
            yield _with(f"sequence number {value} in {form}", {"sequence": raw})
    for value in (-1, -33, -129, -32_769):
        for form, raw in longer_forms(value):
            yield _with_rules(f"{value} points at the start in {form}", {"start_points": raw})
    yield _with("sequence number -1 in int 64", {"sequence": integer_as("int 64", -1)})
    for text in (b"Ann", b"n" * 32):
        for form in ("str 8", "str 16", "str 32"):
            if len(text) < 32 or form != "str 8":
                raw = with_length(form, text)
                yield _with(f"a name of {len(text)} bytes in {form}", {"seats": seats(3, {0: [raw, 0, b""]})})
    for form in ("bin 16", "bin 32"):
        yield _with(f"the match id in {form}", {"match_id": with_length(form, bytes(16))})
        yield _with(f"no operator key in {form}", {"operator_key": with_length(form, b"")})
    for form in ("array 16", "array 32"):
        table, row = seats(3), rules()
        whole = b"".join(map(pack, table))
        yield _with(f"the seats in {form}", {"seats": with_length(form, whole, 3)})
        yield _with_rules(f"no points in {form}", {"points": with_length(form, b"", 0)})
        yield at_start(f"the terms in {form}", with_length(form, b"".join(map(pack, terms())), len(SMALL_TERMS)).data)
    yield _with("the rules in array 32", {"rules": with_length("array 32", b"".join(map(pack, row)), len(row))})


def unsupported_terms() -> Iterator[Broken]:
    """Yield terms that ask for what this version does not judge, and other protocols, broken ones among them."""
    for comment, changes in (
        ("a beacon policy", {"beacon": "drand"}),
        ("a beacon policy of 64 bytes", {"beacon": "b" * 64}),
        ("bot policy 2", {"bot_policy": 2}),
        (f"bot policy {MAX_INT}", {"bot_policy": MAX_INT}),
        ("another protocol", {"protocol": "fairdeal/v2"}),
        ("another protocol, of a tenth version", {"protocol": "fairdeal/v10"}),
        ("another protocol, in upper case", {"protocol": "FAIRDEAL/V1"}),
        ("another protocol, with a blank", {"protocol": "fairdeal/v1 "}),
        ("another protocol, of 64 bytes", {"protocol": "p" * 64}),
        ("another protocol of one byte", {"protocol": "p"}),
    ):
        yield _unsupported(comment, pack(terms(changes=changes)))
    other: list[Loose] = [0, "fairdeal/v2"]
    deep: Loose = 0
    for _ in range(100):
        deep = [deep]
    yield _unsupported("another protocol and nothing else", pack(other))
    yield _unsupported("another protocol with 32 values", pack([*other, *[0] * 30]))
    yield _unsupported("another protocol with other types", pack([*other, -1, "", b"", [[], [1, "a"]]]))
    yield _unsupported("another protocol with a hundred lists in each other", pack([*other, deep]))
    long: list[Loose] = ["a" * 64, bytes(64)]
    yield _unsupported("another protocol with a text and a byte string of 64 bytes", pack([*other, *long]))
    numbers: list[Loose] = [MAX_INT + 1, 2**64 - 1, -(2**63)]
    yield _unsupported("another protocol with numbers that this one does not have", pack([*other, *numbers]))
    yield _unsupported("another protocol with control characters in a text", pack([*other, CONTROLS]))
    yield _unsupported("another protocol and bytes that are no record", pack(other) + b"\xc1")
    yield _unsupported("another protocol and what would be terms", pack(other) + pack(terms()))
    yield from _broken_protocols(other)


def _unsupported(comment: str, data: bytes) -> Broken:
    return Broken(comment, ((data, 1),), "terms", Code.UNSUPPORTED)


def _broken_protocols(other: list[Loose]) -> Iterator[Broken]:
    """Yield what is not even another protocol: its id, its kind or its form is wrong."""
    for comment, protocol in (
        ("an empty protocol id", ""),
        ("a protocol id of 65 bytes", "p" * 65),
        ("a control character in the protocol id", "fairdeal/v2\n"),
    ):
        yield at_start(comment, pack([0, protocol]))
    yield at_start("another protocol of kind 1", pack([1, *other[1:]]))
    yield at_start("a kind and no protocol", pack([0]))
    yield at_start("another protocol, cut inside its list", pack([*other, 0])[:-1])
    yield at_start("another protocol with a number in a longer form", pack([*other, integer_as("uint 8", 5)]))
    yield at_start("another protocol with a text in a longer form", pack([*other, with_length("str 8", b"a")]))
    yield at_start("another protocol with bytes in a longer form", pack([*other, with_length("bin 16", b"a")]))
    inner: Loose = [1, [2, with_length("array 16", b"", 0)]]
    yield at_start("another protocol with a list inside in a longer form", pack([*other, inner]))
    yield at_start("another protocol with a text that is no UTF-8", pack([*other, Raw(b"\xa1\xff")]))
    for words, data in FOREIGN.items():
        yield at_start(f"another protocol with {words}", pack([*other, Raw(data)]))
    hidden: Loose = [0, [1, [Raw(FOREIGN["true"])]]]
    yield at_start("another protocol with true in a list in a list", pack([*other, hidden]))
    head = with_length("array 16", b"".join(map(pack, other)), len(other))
    yield at_start("another protocol, its list in a longer form", head.data)
