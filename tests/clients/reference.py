"""A second implementation of protocol `fairdeal/v1`, small and slow, made from the text of vectors/SPEC.md alone.

It answers the runner's requests on standard input for the stages in `STAGES` and shares no code with the package: where
the two agree, the text has said enough. Headings in quotation marks are those of SPEC.md.
"""

import base64
import hashlib
import hmac
import json
import sys
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from typing import Any, TypeAlias

Value: TypeAlias = "int | str | bytes | list[Value]"
Json: TypeAlias = dict[str, Any]


class Malformed(Exception):
    """Something is not in the format; the reader of records knows the byte."""


class Invalid(Exception):
    """A code and a place ("Codes") are the answer."""


# --- "Primitives", "Seeds", "Shuffle", "Deal"


def enc(purpose: str, *fields: bytes | int) -> bytes:
    """Encode the fields of a hash or of HKDF's info ("Primitives")."""
    tag = b"fairdeal/v1/" + purpose.encode()
    out = len(tag).to_bytes(2, "big") + tag + len(fields).to_bytes(2, "big")
    for field in fields:
        data = field.to_bytes(8, "big") if isinstance(field, int) else field
        out += len(data).to_bytes(4, "big") + data
    return out


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def tagged(purpose: str, *fields: bytes | int) -> bytes:
    return sha256(enc(purpose, *fields))  # Hash(purpose, …)


def hkdf(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Extract and expand as in RFC 5869 ("Primitives")."""
    secret = hmac.digest(salt, key, "sha256")
    out = block = b""
    while len(out) < length:
        block = hmac.digest(secret, block + info + bytes([len(out) // 32 + 1]), "sha256")
        out += block
    return out[:length]


def left_half(leaves: int) -> int:
    return 1 << (leaves - 1).bit_length() - 1  # the largest power of two smaller than that


def root_and_path(leaves: list[bytes], index: int) -> tuple[bytes, list[bytes]]:
    """Build the tree over leaf hashes; the path is that of one leaf, from the leaf upwards."""
    if len(leaves) == 1:
        return leaves[0], []
    half = left_half(len(leaves))
    left, left_path = root_and_path(leaves[:half], min(index, half - 1))
    right, right_path = root_and_path(leaves[half:], max(index - half, 0))
    return sha256(b"\1" + left + right), [*left_path, right] if index < half else [*right_path, left]


def sides(index: int, leaves: int) -> list[str]:
    """Say for each hash of a leaf's path, from the leaf upwards, on which side it goes."""
    if leaves == 1:
        return []
    half = left_half(leaves)
    return [*sides(index, half), "right"] if index < half else [*sides(index - half, leaves - half), "left"]


def make_transcript(terms_hash: bytes, commitment: bytes, contributions: list[bytes]) -> bytes:
    """Compute T ("Seeds")."""
    return tagged("transcript", terms_hash, commitment, enc("contributions", *contributions), b"")


def shuffle(cards: list[int], stream: bytes) -> Json:
    """List all draws, [i, byte, j, whether accepted], and the order of the deck ("Shuffle")."""
    deck, draws = list(cards), []
    unread = iter(stream)
    for i in range(len(deck) - 1, 0, -1):
        mask, j = 2 ** i.bit_length() - 1, i + 1
        while j > i:
            byte = next(unread, None)
            if byte is None:
                raise Invalid("stream-exhausted", "")
            j = byte & mask
            draws.append([i, byte, j, j <= i])
        deck[i], deck[j] = deck[j], deck[i]
    return {"draws": draws, "order": deck}


def deal(seed: bytes, transcript: bytes, number: int, packs: int, jokers: int) -> list[int]:
    fresh = list(range(52 + jokers)) * packs
    order: list[int] = shuffle(fresh, hkdf(seed, transcript, enc("deck", number), 1024))["order"]
    return order


def names(cards: list[int]) -> list[str]:
    faces = [rank + suit for rank in "3456789TJQKA2" for suit in "cdhs"] + ["X1", "X2"]
    return [faces[card] for card in cards]


# --- "Match log": canonical form

FORMS = {  # first byte: type, size of the number behind it, and the smallest and largest that has no shorter form
    0xC4: (bytes, 1, 0, 2**8 - 1),
    0xCC: (int, 1, 2**7, 2**8 - 1),
    0xCD: (int, 2, 2**8, 2**16 - 1),
    0xCE: (int, 4, 2**16, 2**32 - 1),
    0xCF: (int, 8, 2**32, 2**64 - 1),
    0xD0: (int, 1, -(2**7), -(2**5) - 1),
    0xD1: (int, 2, -(2**15), -(2**7) - 1),
    0xD2: (int, 4, -(2**31), -(2**15) - 1),
    0xD9: (str, 1, 2**5, 2**8 - 1),
    0xDC: (list, 2, 2**4, 2**16 - 1),
}


def take(data: bytes, pos: int, length: int) -> bytes:
    if pos + length > len(data):
        raise Malformed
    return data[pos : pos + length]


def read_head(data: bytes, pos: int) -> tuple[type, int, int]:
    """Read a type, the integer itself or else the length, and the position behind."""
    byte = take(data, pos, 1)[0]
    if byte <= 0x7F or byte >= 0xE0:
        return int, byte if byte <= 0x7F else byte - 256, pos + 1
    if 0x90 <= byte <= 0xBF:
        return (list, byte - 0x90, pos + 1) if byte <= 0x9F else (str, byte - 0xA0, pos + 1)
    if byte not in FORMS:
        raise Malformed
    kind, size, least, most = FORMS[byte]
    number = int.from_bytes(take(data, pos + 1, size), "big", signed=0xD0 <= byte <= 0xD2)
    if not least <= number <= most:
        raise Malformed
    return kind, number, pos + 1 + size


def read_text(data: bytes) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Malformed from None
    if any(char < " " or "\x7f" <= char <= "\x9f" for char in text):
        raise Malformed
    return text


def read_value(data: bytes, pos: int) -> tuple[Value, int]:
    """Read one value and the position behind it; lists may lie in each other as deep as they like."""
    root: list[Value] = []
    unfinished = [(root, 1)]
    while unfinished:
        values, length = unfinished[-1]
        if len(values) == length:
            unfinished.pop()
            continue
        kind, number, pos = read_head(data, pos)
        if kind is list:
            inner: list[Value] = []
            values.append(inner)
            unfinished.append((inner, number))
        elif kind is int:
            values.append(number)
        else:
            raw, pos = take(data, pos, number), pos + number
            values.append(raw if kind is bytes else read_text(raw))
    return root[0], pos


# --- shapes of values


@dataclass(frozen=True)
class Sized:
    """A text or byte string by its bytes, or a list by its values, all of one shape."""

    kind: type
    lengths: Container[int]
    each: Any = None


TEXT, HASH, KEY = Sized(str, range(1, 65)), Sized(bytes, (32,)), Sized(bytes, (0, 32))
POINTS, NATURAL = range(-1_000_000, 1_000_001), range(2**53)


def check(value: Value, shape: Any) -> Any:
    """Give the value as its shape has it: a range, a tuple of names by index, something sized or fields by name."""
    match value, shape:
        case int(), range() if value in shape:
            return value
        case int(), tuple() if 0 <= value < len(shape):
            return shape[value]
        case list(), dict() if len(value) == len(shape):
            return {name: check(entry, shape[name]) for name, entry in zip(shape, value, strict=True)}
        case list(), Sized(kind=kind) if kind is list and len(value) in shape.lengths:
            return [check(entry, shape.each) for entry in value]
        case str() | bytes(), Sized(kind=kind) if type(value) is kind:
            if len(value.encode() if isinstance(value, str) else value) in shape.lengths:
                return value
    raise Malformed


# --- "Terms", "Rules in the terms"

LEVELS, FLAG = ("human", "easy", "medium", "hard", "bot"), (False, True)


def terms_shape(seats: int) -> Json:
    rules: Json = {"name": TEXT, "packs": range(1, 3), "jokers_per_pack": range(3), "joker": ("none", "high", "wild")}
    rules |= {"lone_joker": ("ordinary", "trump", "sweep", "as-two")}
    rules |= {"twos": ("ordinary", "clear", "clear-and-one-beats-any", "wild")}
    rules |= {"equal_rank": ("forbid", "skip", "skip-if-unable", "burn"), "top_rank_matchable": FLAG}
    rules |= {"passing": ("open", "locks"), "completed_rank": ("ignore", "clear", "clear-if-several-plays")}
    rules |= {"revolution": ("none", "round", "trick"), "straights": FLAG, "going_out": ("free", "drops")}
    rules |= {"first_leader": ("3c", "first-dealt"), "first_play_3c": FLAG, "later_leader": ("last", "president", "3c")}
    rules |= {"first_card": ("first-place", "rotates", "left-of-last")}
    rules |= {"exchange_top": range(19), "exchange_vice": range(19), "reseat": FLAG}
    rules |= {"points": Sized(list, (0, seats), POINTS), "start_points": POINTS}
    rules |= {"match_end": ("rounds", "target", "zero", "open"), "end_at": range(1_000_001)}
    rules |= {"ties": ("presidencies", "shared", "none"), "turn_seconds": range(86_401)}
    rules |= {"titles": Sized(list, (5,), TEXT)}
    seat = {"name": TEXT, "kind": LEVELS, "key": KEY}
    terms = {"match_id": Sized(bytes, (16,)), "sequence": NATURAL, "operator_key": KEY, "rules": rules}
    terms |= {"seats": Sized(list, range(3, 9), seat), "rounds": range(1, 1001), "contributions": ("none", "sealed")}
    return terms | {"beacon": Sized(str, range(65)), "bot_policy": NATURAL}


def read_terms(value: Value) -> Json:
    """Read the first record; of another protocol only a whole list, kind and name are looked at ("Terms")."""
    if not isinstance(value, list) or len(value) < 2 or value[0] != 0:
        raise Malformed
    if check(value[1], TEXT) != "fairdeal/v1":
        raise Invalid("unsupported", "terms")
    seats = value[6] if len(value) == 11 else None
    terms: Json = check(value[2:], terms_shape(len(seats) if isinstance(seats, list) else 0))
    if terms["beacon"] or terms["bot_policy"]:
        raise Invalid("unsupported", "terms")
    return terms


# --- "Match log": records, named as in vectors/README.md, "Records as JSON"

ACTIONS = ("set", "pass", "big-set", "straight")
REASONS = ("by-rule", "not-sealed", "not-signed", "not-opened", "stopped")


def list_shapes(seats: int) -> dict[int, tuple[str, Json]]:
    gift, play = [Sized(list, range(1, most + 1), range(54)) for most in (18, 12)]
    seat, places = range(seats), Sized(list, (seats,), range(1, seats + 1))
    end = {"places": places, "titles": Sized(list, (seats,), range(5)), "points": Sized(list, (seats,), POINTS)}
    totals = Sized(list, (seats,), range(-(2**31), 2**53))
    close = {"reason": REASONS, "seat": range(-1, seats), "digest": HASH, "totals": totals}
    return {
        1: ("commitment", {"commitment": HASH}),
        2: ("sealed", {"seat": seat, "seal": HASH}),
        3: ("opened", {"seat": seat, "contribution": HASH}),
        4: ("signature", {"signer": range(seats + 1), "signature": Sized(bytes, (64,))}),
        5: ("deal", {"round": range(1, 1001), "first": seat, "blind": Sized(bytes, (16,))}),
        6: ("exchange", {"giver": seat, "receiver": seat, "cards": gift}),
        7: ("big-set", {"seat": seat, "cards": play}),
        8: ("straight", {"seat": seat, "cards": play}),
        9: ("seat-event", {"seat": seat, "presence": ("disconnected", "returned", "left"), "level": LEVELS}),
        10: ("round-end", {**end, "seed": HASH}),
        11: ("close", {**close, "places": Sized(list, (0, seats), range(1, seats + 1)), "secret": HASH}),
    }


def read_list(value: Value, seats: int) -> Json:
    """Read a record that is a list ("Lists")."""
    shapes = list_shapes(seats)
    if not isinstance(value, list) or not value:
        raise Malformed
    name, shape = shapes[check(value[0], range(1, 12))]
    rest = value[1:]  # flat; what the shape has as lists is gathered here
    if name == "round-end":
        rest = [rest[:seats], rest[seats : 2 * seats], rest[2 * seats : 3 * seats], *rest[3 * seats :]]
    if "cards" in shape:
        before = len(shape) - 1
        rest = [*rest[:before], rest[before:]]
    record = check(rest, shape)
    if "cards" in record:
        record["cards"] = " ".join(names(record["cards"]))
    if name == "close" and record["seat"] == -1:
        record["seat"] = None
    return {name: record}


def read_plain(log: bytes, pos: int, seats: int) -> tuple[Json, int]:
    """Read a record without mark and marker, and the position behind it ("Actions")."""
    byte = take(log, pos, 1)[0]
    if byte >= 0xF8:
        return {"pass": check(0xFF - byte, range(seats))}, pos + 1
    if 0x40 <= byte <= 0x7F:
        count = (byte - 64) // 8 + 1
        cards = check(list(take(log, pos + 1, count)), Sized(list, (count,), range(54)))
        return {"set": {"seat": check(byte % 8, range(seats)), "cards": " ".join(names(cards))}}, pos + 1 + count
    value, end = read_value(log, pos)
    return read_list(value, seats), end


def read_record(log: bytes, start: int, seats: int) -> tuple[str, Any, int, bool]:
    """Read name, value, end, and whether this version judges such a record."""
    pos, allowed = start, [*ACTIONS, "exchange"]
    if 0xCC <= log[pos] <= 0xCF:
        mark, pos = read_value(log, pos)
        check(mark, range(128, 2**53))
        allowed.append("seat-event")
    if 0xF0 <= take(log, pos, 1)[0] <= 0xF7:
        check(0xF7 - log[pos], range(seats))
        pos, allowed = pos + 1, [*ACTIONS, "exchange"]
    record, end = read_plain(log, pos, seats)
    name, body = next(iter(record.items()))
    if pos > start and name not in allowed:
        raise Malformed
    return name, body, end, pos == start and name != "seat-event"


class Reading:
    """Counts what "Limits" bounds; for the misplaced records among that it follows "Placement"."""

    def __init__(self, contributing: int) -> None:
        """Start behind the terms."""
        self.contributing = contributing
        self.deals = self.lists = self.actions = self.misplaced = self.waiting = self.open_round = 0
        self.in_run = self.played = False
        self.stood: Counter[str] = Counter()
        self.last_signer = {"lock": -1, "close": 0, "final": -1}

    def count(self, name: str) -> None:
        """Refuse the first deal, list or action too many, misplaced or not ("Limits")."""
        if name == "deal":
            self.deals, self.lists, self.actions = self.deals + 1, 0, 0
        self.actions += name in ACTIONS
        self.lists += name not in ACTIONS
        if self.deals > 1000 or self.lists > 64 or self.actions > 4096:
            raise Malformed

    def place(self, name: str, body: Any) -> None:
        """Refuse the record that brings the misplaced ones to the limit."""
        if not self.stood["close"] and self.ends_waiting(name, body):
            self.misplaced, self.waiting, self.last_signer["close"] = self.misplaced + self.waiting, 0, 0
        if self.has_room(name, body):
            self.note(name, body)
            self.in_run = False
        else:
            small = name in ("set", "pass")
            self.misplaced += not (small and self.in_run)
            self.in_run = small
        if self.misplaced >= 1000:
            raise Malformed

    def ends_waiting(self, name: str, body: Any) -> bool:
        """Say whether signatures of seats in front of this record turn out to be misplaced."""
        if name == "deal":
            return bool(body["round"] != self.open_round)
        if self.stood["deal"]:
            return name in ("exchange", "round-end", *ACTIONS)
        return name in ("commitment", "sealed", "opened")

    def group(self) -> str:
        if self.stood["close"]:
            return "final"
        return "close" if self.stood["opened"] or self.stood["deal"] else "lock"

    def has_room(self, name: str, body: Any) -> bool:
        """Say whether the record stands where it is ("Placement")."""
        stood = self.stood
        if name == "signature":
            group, signer = self.group(), body["signer"]
            return signer > self.last_signer[group] and not (group == "final" and signer > 0)
        if stood["close"]:
            return False
        later = stood["lock"] + stood["deal"]
        match name:
            case "commitment":
                return not (stood["commitment"] + stood["sealed"] + stood["opened"] + later)
            case "sealed":
                return not later and (not stood["opened"] or stood["sealed"] < self.contributing)
            case "opened":
                return not stood["deal"]
            case "deal":
                return bool(body["round"] != self.open_round)
            case "exchange":
                return self.open_round > 0 and not self.played
            case "close":
                return True
        return self.open_round > 0

    def note(self, name: str, body: Any) -> None:
        """Keep what later records depend on."""
        if name == "signature":
            name = self.group()
            self.last_signer[name] = body["signer"]
            self.waiting += name == "close"
            self.stood["lock"] += name == "lock"
            return
        self.stood[name] += 1
        if name == "deal":
            self.open_round, self.played = body["round"], False
        elif name == "round-end":
            self.open_round = 0
        self.played = self.played or name in ACTIONS


def read_log(log: bytes) -> Json:
    """Read a whole log; what is malformed or unsupported ends it at that record's first byte."""
    if len(log) > 2**24:
        raise Invalid("malformed", f"byte {2**24}")
    start = 0
    try:
        value, pos = read_value(log, 0)
        terms_hash, terms = tagged("terms", log[:pos]), read_terms(value)
        seats, records = len(terms["seats"]), [{"terms": terms}]
        sealed = terms["contributions"] == "sealed"
        reading = Reading(sum(sealed and seat["kind"] == "human" for seat in terms["seats"]))
        while pos < len(log):
            start = pos
            name, body, pos, judged = read_record(log, start, seats)
            reading.count(name)
            if not judged:
                raise Invalid("unsupported", f"byte {start}")
            reading.place(name, body)
            records.append({name: body})
    except Malformed:
        raise Invalid("malformed", f"byte {start}") from None
    return {"termsHash": terms_hash, "records": records}


# --- "Ticket"


def decode_ticket(line: str) -> Json:
    """Give the values by their names in vectors/README.md; ValueError is for what is no base64 at all."""
    data = base64.urlsafe_b64decode(line[4:] + "=" * (-len(line) % 4))
    again = "fd1." + base64.urlsafe_b64encode(data).decode().rstrip("=")
    value, end = read_value(data[:-4], 0)
    if len(line) > 1000 or line != again or end != len(data) - 4 or data[-4:] != tagged("ticket", data[:-4])[:4]:
        raise Malformed
    shape = {"version": range(1, 2), "termsHash": HASH, "rounds": range(1, 1001), "round": range(1, 1001)}
    shape |= {"fingerprint": HASH, "path": Sized(list, range(11), HASH), "contributions": Sized(list, range(3, 9), KEY)}
    shape |= {"packs": range(1, 3), "jokers": range(0, 3, 2), "position": range(8), "seat": range(8)}
    ticket: Json = check(value, shape)
    del ticket["version"]
    if ticket["round"] > ticket["rounds"] or max(ticket["position"], ticket["seat"]) >= len(ticket["contributions"]):
        raise Malformed
    if len(ticket["path"]) != len(sides(ticket["round"] - 1, ticket["rounds"])):
        raise Malformed
    return ticket


# --- stages: what comes out for the inputs of a test ("Envelope" of vectors/README.md)


def answer_seeds(given: Json) -> Json:
    secret, terms_hash, rounds = given["secret"], given["termsHash"], given["rounds"]
    infos = [enc("round-seed", r) for r in range(1, rounds + 1)]
    seeds = [hkdf(secret, terms_hash, info, 32) for info in infos]
    prints = [tagged("fingerprint", terms_hash, r, seed) for r, seed in enumerate(seeds, 1)]
    leaves = [sha256(b"\0" + fingerprint) for fingerprint in prints]
    root, _ = root_and_path(leaves, 0)
    commitment = tagged("commitment", terms_hash, rounds, root)
    if "listed" not in given:
        if commitment != given["commitment"]:
            raise Invalid("commitment", "close.secret")
        return {}
    paths = [root_and_path(leaves, r - 1)[1] for r in given["listed"]]
    columns = {"seedInfo": infos, "seeds": seeds, "fingerprints": prints, "leaves": leaves}
    listed = {name: [column[r - 1] for r in given["listed"]] for name, column in columns.items()}
    return {**listed, "paths": paths, "root": root, "commitment": commitment}


def answer_contributions(given: Json) -> Json:
    def seal(seat: int, contribution: bytes) -> bytes:
        return tagged("contribution", given["termsHash"], given["commitment"], seat, contribution)

    if "seal" in given:
        if seal(given["seat"], given["contribution"]) != given["seal"]:
            raise Invalid("contribution-opening", f"opened[{given['seat']}]")
        return {}
    values = given["contributions"]
    return {
        "seals": [seal(seat, value) if value else b"" for seat, value in enumerate(values)],
        "encodedContributions": enc("contributions", *values),
        "transcript": make_transcript(given["termsHash"], given["commitment"], values),
    }


def answer_deal(given: Json) -> Json:
    seed, transcript, number = given["seed"], given["transcript"], given["round"]
    order = deal(seed, transcript, number, given["packs"], given["jokers"])
    return {
        "streamInfo": enc("deck", number),
        "stream": hkdf(seed, transcript, enc("deck", number), 192),
        "order": order,
        "hands": [names(order[position :: given["seats"]]) for position in range(given["seats"])],
        "blind": hkdf(seed, transcript, enc("blind", number), 16),
    }


def answer_ticket(given: Json) -> Json:
    try:
        ticket = decode_ticket(given["ticket"])
    except (Malformed, ValueError):
        raise Invalid("malformed", "") from None
    terms_hash, rounds, number = ticket["termsHash"], ticket["rounds"], ticket["round"]
    root = sha256(b"\0" + ticket["fingerprint"])
    for other, side in zip(ticket["path"], sides(number - 1, rounds), strict=True):
        root = sha256(b"\1" + (root + other if side == "right" else other + root))
    ticket["commitment"] = tagged("commitment", terms_hash, rounds, root)
    ticket["transcript"] = make_transcript(terms_hash, ticket["commitment"], ticket["contributions"])
    if "seed" in given:
        if tagged("fingerprint", terms_hash, number, given["seed"]) != ticket["fingerprint"]:
            raise Invalid("ticket-fingerprint", "seed")
        order = deal(given["seed"], ticket["transcript"], number, ticket["packs"], ticket["jokers"])
        ticket["hand"] = names(sorted(order[ticket["position"] :: len(ticket["contributions"])]))
    return ticket


def answer_shuffle(given: Json) -> Json:
    return shuffle(given["cards"], given["stream"])


def answer_codec(given: Json) -> Json:
    return read_log(given["log"])


STAGES = {
    "seeds": answer_seeds,
    "contributions": answer_contributions,
    "shuffle": answer_shuffle,
    "deal": answer_deal,
    "ticket": answer_ticket,
    "codec": answer_codec,
}


def to_bytes(value: Any) -> Any:
    if isinstance(value, list):
        return [to_bytes(entry) for entry in value]
    return bytes.fromhex(value) if isinstance(value, str) else value


def answer(request: Json) -> Json:
    if "hello" in request:
        return {"name": "reference client", "stages": list(STAGES)}
    if request["stage"] not in STAGES:
        return {"declined": "not a stage of this client"}
    given = {name: value if name == "ticket" else to_bytes(value) for name, value in request["input"].items()}
    try:
        return {"output": STAGES[request["stage"]](given)}
    except Invalid as fault:
        return {"invalid": dict(zip(("code", "place"), fault.args, strict=True))}


def main() -> None:
    for line in sys.stdin.buffer:
        request = json.loads(line)
        sys.stdout.write(json.dumps({"id": request["id"], **answer(request)}, default=bytes.hex) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
