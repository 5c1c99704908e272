"""What an operator signed twice, as a small file that anyone can check: two stories of one match, one number twice."""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from fairdeal.archive.compare import first_difference
from fairdeal.codec import Log
from fairdeal.errors import FairdealError, Malformed
from fairdeal.hashing import file_digest
from fairdeal.opening import check_signatures
from fairdeal.records import OPERATOR
from fairdeal.report import Judgement
from fairdeal.sign import signed_message, verify
from fairdeal.structure import structure_of
from fairdeal.texts import unhex

FORMAT: Final = "fairdeal-equivocation/1"
FIELDS: Final = {"format", "operator_key", "signed"}
SIGNED_FIELDS: Final = {"prefix", "signature"}


class Signed(NamedTuple):
    """The first bytes of a log, as far as one signature of the operator reaches, and that signature."""

    prefix: bytes
    signature: bytes


def signed_prefixes(data: bytes) -> list[Signed]:
    """Return the prefixes of a log that its operator signed with good signatures, the shortest first."""
    try:
        log = Log(data)
    except FairdealError:
        return []
    parts = structure_of(log)
    final = [] if parts.final_signature is None else [parts.final_signature]
    found: list[Signed] = []
    for offset, group, name in ((parts.lock_signed, parts.lock_signatures, "lock"), (parts.close_end, final, "final")):
        by_operator = [one for one in group if one.signer == OPERATOR]
        if check_signatures(log, by_operator, offset, name, Judgement()):
            found += [Signed(data[:offset], one.signature) for one in by_operator]
    return found


def contradiction(first: bytes, second: bytes) -> str | None:
    """Return the evidence file that two logs of one operator make, None where it signed nothing that contradicts."""
    for one in signed_prefixes(first):
        for other in signed_prefixes(second):
            if _contradict(one.prefix, other.prefix):
                key = Log(first).terms.operator_key
                entries = [{"prefix": s.prefix.hex(), "signature": s.signature.hex()} for s in (one, other)]
                return json.dumps({"format": FORMAT, "operator_key": key.hex(), "signed": entries}, indent=2) + "\n"
    return None


def _contradict(first: bytes, second: bytes) -> bool:
    """Return whether no operator may sign both: neither is a prefix of the other, or two matches have one number."""
    one, other = Log(first), Log(second)
    if one.terms_hash != other.terms_hash:
        same_operator = one.terms.operator_key == other.terms.operator_key
        return same_operator and one.terms.sequence == other.terms.sequence
    offset = first_difference(first, second)
    return offset is not None and offset < min(len(first), len(second))


def check_equivocation(text: str) -> str:
    """Return in words what an evidence file proves; raises `Malformed` where it proves nothing."""
    try:
        key, signed = _parsed(text)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Malformed(f"no evidence of equivocation: {error}", 0) from None
    for number, one in enumerate(signed, 1):
        _check_signed(key, one, f"signed[{number}]")
    if not _contradict(signed[0].prefix, signed[1].prefix):
        raise Malformed("both could have been signed: nothing in them contradicts", 0, where="signed")
    first, second = (Log(one.prefix) for one in signed)
    if first.terms_hash != second.terms_hash:
        return (
            f"the operator {key.hex()} signed two matches under number {first.terms.sequence}: "
            f"{first.terms.match_id.hex()} and {second.terms.match_id.hex()}"
        )
    offset = first_difference(signed[0].prefix, signed[1].prefix)
    return (
        f"the operator {key.hex()} signed two histories of match {first.terms.match_id.hex()}, "
        f"which part at byte {offset}"
    )


def _parsed(text: str) -> tuple[bytes, tuple[Signed, Signed]]:
    """Return the operator's key and the two signed prefixes; raises what a wrong document makes of it."""
    document = json.loads(text)
    if not isinstance(document, dict) or set(document) != FIELDS or document["format"] != FORMAT:
        raise ValueError(f"no object with format `{FORMAT}`")
    listed = document["signed"]
    if not isinstance(listed, list) or len(listed) != 2 or any(set(part) != SIGNED_FIELDS for part in listed):
        raise ValueError("not two signed beginnings of logs")
    one, other = (Signed(unhex(part["prefix"]), unhex(part["signature"])) for part in listed)
    return unhex(document["operator_key"]), (one, other)


def _check_signed(key: bytes, one: Signed, place: str) -> None:
    """Raise `Malformed` unless the operator whose key this is signed a beginning of one of its own logs."""
    try:
        log = Log(one.prefix)
    except FairdealError as error:
        raise Malformed(f"no beginning of a log: {error.what}", 0, where=place) from None
    if log.terms.operator_key != key:
        raise Malformed("the terms name another operator", 0, where=place)
    message = signed_message(log.terms_hash, OPERATOR, len(one.prefix), file_digest(one.prefix))
    if not verify(key, one.signature, message):
        raise Malformed("the signature is not the operator's", 0, where=place)
