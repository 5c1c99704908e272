"""The reference client's reader of match logs: terms, records, and what SPEC.md bounds or puts in its place.

Written from the text of vectors/SPEC.md alone. Headings in quotation marks are those of SPEC.md.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from tests.clients.reference_base import (
    HASH,
    KEY,
    NATURAL,
    POINTS,
    TEXT,
    Invalid,
    Json,
    Malformed,
    Sized,
    Value,
    check,
    names,
    read_value,
    tagged,
    take,
)

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
    """Read the first record; of another protocol only that it is a list, its kind and its name count ("Terms")."""
    if not isinstance(value, list) or len(value) < 2 or value[0] != 0:
        raise Malformed
    if check(value[1], TEXT) != "fairdeal/v1":
        raise Invalid("unsupported", "terms")
    seats = value[6] if len(value) == 11 else None
    terms: Json = check(value[2:], terms_shape(len(seats) if isinstance(seats, list) else 0))
    if terms["beacon"] or terms["bot_policy"] > 1:
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


@dataclass(frozen=True)
class Read:
    """A record: its name and value, where it ends, and what stands before it; `alone` is a mark of many bytes."""

    name: str
    body: Any
    end: int
    mark: int | None
    marker: int | None
    alone: bool

    @property
    def clocked(self) -> bool:
        """Say whether there is a mark or marker."""
        return self.mark is not None or self.marker is not None

    def as_json(self) -> Json:
        """Give the entry of "Records as JSON" of vectors/README.md."""
        plain = {self.name: self.body}
        if not self.clocked:
            return plain
        tenths = None if self.mark is None else self.mark - 128
        return {"clocked": {"tenths": tenths, "acted_for": self.marker, "record": plain}}


def read_record(log: bytes, start: int, seats: int) -> Read:
    """Read one record with what the clock says of it ("Actions")."""
    pos, allowed = start, [*ACTIONS, "exchange"]
    mark = marker = None
    if 0xCC <= log[pos] <= 0xCF:
        value, pos = read_value(log, pos)
        mark = check(value, range(128, 2**53))
        allowed.append("seat-event")
    alone = pos - start > 3
    if 0xF0 <= take(log, pos, 1)[0] <= 0xF7:
        marker = check(0xF7 - log[pos], range(seats))
        pos, allowed = pos + 1, [*ACTIONS, "exchange"]
    record, end = read_plain(log, pos, seats)
    name, body = next(iter(record.items()))
    if pos > start and name not in allowed:
        raise Malformed
    return Read(name, body, end, mark, marker, alone)


class Reading:
    """Counts what "Limits" bounds; for the misplaced records among that it follows "Placement"."""

    def __init__(self, contributing: int) -> None:
        """Start behind the terms."""
        self.contributing = contributing
        self.deals = self.lists = self.actions = self.events = 0
        self.misplaced = self.waiting = self.open_round = 0
        self.run, self.played = "", False
        self.stood: Counter[str] = Counter()
        self.last_signer = {"lock": -1, "close": 0, "final": -1}

    def count(self, name: str) -> None:
        """Refuse the first deal, list, action or seat event too many, misplaced or not ("Limits")."""
        if name == "deal":
            self.deals, self.lists, self.actions, self.events = self.deals + 1, 0, 0, 0
        if name in ACTIONS:
            self.actions += 1
        elif name == "seat-event":
            self.events += 1
        else:
            self.lists += 1
        if self.deals > 1000 or self.lists > 64 or self.actions > 4096 or self.events > 64:
            raise Malformed

    def place(self, record: Read) -> None:
        """Refuse the record that brings the misplaced ones to the limit."""
        name, body = record.name, record.body
        if not self.stood["close"] and self.ends_waiting(name, body):
            self.misplaced, self.waiting, self.last_signer["close"] = self.misplaced + self.waiting, 0, 0
        if self.has_room(name, body):
            self.note(name, body)
            self.run = ""
        else:
            run = "" if name not in ("set", "pass") or record.alone else "clocked" if record.clocked else "plain"
            self.misplaced += not run or run != self.run
            self.run = run
        if self.misplaced >= 1000:
            raise Malformed

    def ends_waiting(self, name: str, body: Any) -> bool:
        """Say whether signatures of seats in front of this record turn out to be misplaced."""
        if name == "deal":
            return bool(body["round"] != self.open_round)
        if self.stood["deal"]:
            return name in ("exchange", "round-end", "seat-event", *ACTIONS)
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
            case "seat-event":
                return stood["deal"] > 0
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
    """Read a whole log; what is malformed ends it at that record's first byte."""
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
            record = read_record(log, start, seats)
            pos = record.end
            reading.count(record.name)
            reading.place(record)
            records.append(record.as_json())
    except Malformed:
        raise Invalid("malformed", f"byte {start}") from None
    return {"termsHash": terms_hash, "records": records}
