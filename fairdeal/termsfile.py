"""Terms as an operator writes them: a TOML text to `Terms`, every mistake in it named."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from typing import Any, Final

from fairdeal import limits
from fairdeal.bots import POLICY
from fairdeal.errors import Misuse
from fairdeal.fields import E, Fields, ShapeError
from fairdeal.playable import conflicts
from fairdeal.records import Seat, Terms
from fairdeal.ruleset import Ruleset
from fairdeal.settings import Contributions, SeatKind
from fairdeal.sign import weak_key
from fairdeal.texts import quoted, unhex

KEYS: Final = (
    *("sequence", "ruleset", "settings", "seats", "rounds"),
    *("contributions", "operator_key", "match_id", "bot_policy"),
)
SEAT_KEYS: Final = ("name", "kind", "key")


def read_terms_file(text: str, match_id: bytes, load: Callable[[str, Mapping[str, Any]], Ruleset]) -> Terms:
    """Return the terms of a TOML text; `match_id` is used unless the text names one.

    `load` gives the ruleset of a name and overrides. Keys: `sequence`, `ruleset`, `[[seats]]` with `name`, `kind`,
    `key`, and if wanted `settings` (overrides), `rounds`, `contributions`, `operator_key`, `match_id`, `bot_policy`
    (1 where the bots' choices are to be proven). Raises `Misuse`.
    """
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Misuse(f"no TOML: {str(error).lower()}", "the terms", "mend the file's syntax") from None
    _only(table, KEYS, "the terms")
    for key in ("sequence", "ruleset", "seats"):
        if key not in table:
            raise Misuse(f"`{key}` is missing", "the terms", "terms need sequence, ruleset and [[seats]]")
    if not isinstance(table["ruleset"], str) or not isinstance(table.get("settings", {}), dict):
        raise Misuse("`ruleset` is no text or `settings` no table", "the terms", "name a preset or a .toml file")
    ruleset = load(table["ruleset"], table.get("settings", {}))
    seats = table["seats"]
    if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
        raise Misuse("`seats` is no list of tables", "the terms", "write [[seats]] once per seat")
    terms = Terms(
        match_id=_hex(table, "match_id", "the terms", limits.MATCH_ID_BYTES) or match_id,
        sequence=_number(table, "sequence", 0, limits.MAX_INT),
        operator_key=_key(table, "operator_key", "the terms"),
        rules=ruleset.resolve(len(seats)),
        seats=tuple(_seat(seat, f"seat {number}") for number, seat in enumerate(seats)),
        rounds=_number(table, "rounds", 1, limits.MAX_ROUNDS, ruleset.default_rounds()),
        contributions=_choice(table, "contributions", Contributions, Contributions.NONE, "the terms"),
        beacon="",
        bot_policy=_number(table, "bot_policy", 0, POLICY, 0),
    )
    _refuse_conflicts(terms)
    return terms


def _refuse_conflicts(terms: Terms) -> None:
    wrong = conflicts(terms.rules, len(terms.seats), terms.rounds)
    if wrong:
        raise Misuse("; ".join(what for what, _ in wrong), "the terms", wrong[0][1])
    if terms.contributions is Contributions.SEALED and not terms.contributors():
        raise Misuse("sealed contributions without a human seat", "the terms", "seat a human, or set none")
    if terms.bot_policy and any(seat.kind is SeatKind.BOT for seat in terms.seats):
        raise Misuse("a bot policy, and a bot of no stated level", "the terms", "make it easy, medium or hard")
    keys = list(terms.signing_keys().values())
    if len(set(keys)) < len(keys):
        raise Misuse("a key is used twice", "the terms", "give every party a key of its own")


def _only(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            raise Misuse(f"`{key}` is unknown", where, f"keys: {', '.join(known)}")


def _seat(table: Mapping[str, Any], where: str) -> Seat:
    _only(table, SEAT_KEYS, where)
    name = _text(table, "name", where)
    return Seat(name, _choice(table, "kind", SeatKind, SeatKind.HUMAN, where), _key(table, "key", where))


def _text(table: Mapping[str, Any], key: str, where: str) -> str:
    try:
        return Fields([table.get(key)]).text()
    except ShapeError as error:
        raise Misuse(f"`{key}`: {error}", where) from None


def _number(table: Mapping[str, Any], key: str, low: int, high: int, default: int | None = None) -> int:
    try:
        return Fields([table.get(key, default)]).integer(low, high)
    except ShapeError as error:
        raise Misuse(f"`{key}`: {error}", "the terms") from None


def _choice(table: Mapping[str, Any], key: str, options: type[E], default: E, where: str) -> E:
    value = table.get(key, default)
    if value not in list(options):
        raise Misuse(f"`{key}` cannot be {quoted(value)}", where, f"values: {', '.join(options)}")
    return options(value)


def _hex(table: Mapping[str, Any], key: str, where: str, length: int) -> bytes:
    """Return the bytes of a hexadecimal text, nothing where the key is absent or empty."""
    text = table.get(key, "")
    try:
        value = unhex(text.lower())
    except (AttributeError, TypeError, ValueError):
        value = b"?"
    if len(value) not in (0, length):
        raise Misuse(f"`{key}` is not {length} bytes in hexadecimal", where)
    return value


def _key(table: Mapping[str, Any], key: str, where: str) -> bytes:
    value = _hex(table, key, where, limits.HASH_BYTES)
    if value and weak_key(value):
        raise Misuse(f"`{key}` is a weak Ed25519 key", where, "make a new key pair")
    return value
