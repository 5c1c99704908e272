"""Evidence as text: receipts, published lists, keys and contributions, one per line, and folders of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, TypeVar

from fairdeal.errors import Malformed, Misuse
from fairdeal.evidence import Evidence, Receipt, operator_and_seats
from fairdeal.limits import HASH_BYTES, MAX_INT, MAX_LOG_BYTES, MAX_SEATS
from fairdeal.records import OPERATOR
from fairdeal.ticket import decode_ticket

TICKETS: Final = "tickets.txt"
RECEIPTS: Final = "receipts.txt"
PUBLISHED: Final = "published.txt"
OPERATOR_KEY: Final = "operator-key.txt"
SEAT_KEYS: Final = "seat-keys.txt"
CONTRIBUTIONS: Final = "contributions.txt"
EVIDENCE_FILES: Final = (TICKETS, RECEIPTS, PUBLISHED, OPERATOR_KEY, SEAT_KEYS, CONTRIBUTIONS)
_FILES: Final = f"evidence files are named {', '.join(EVIDENCE_FILES)}"

_NUMBER: Final = "(0|[1-9][0-9]{0,15})"
_RECEIPT: Final = re.compile(f"([0-9a-f]{{64}}):{_NUMBER}:([0-9a-f]{{64}})(?::([0-9a-f]{{128}}))?")
_LISTED: Final = re.compile(f"{_NUMBER} ([0-9a-f]{{64}})")
_OF_SEAT: Final = re.compile("([0-7])=([0-9a-f]{64})")
T = TypeVar("T")


def parse_hex(text: str, length: int = HASH_BYTES) -> bytes:
    """Return the `length` bytes that hexadecimal `text` holds; raises `Misuse` for any other length or character."""
    if re.fullmatch(f"[0-9a-fA-F]{{{2 * length}}}", text) is None:
        raise Misuse(
            f"{_short(text)} is not {length} bytes in hexadecimal", hint=f"give {2 * length} digits 0-9 and a-f"
        )
    return bytes.fromhex(text)


def parse_receipt(text: str) -> Receipt:
    """Return the receipt `TERMS_HASH:OFFSET:SHA256HEX`, perhaps with `:SIGNATURE`; raises `Malformed`."""
    found = _RECEIPT.fullmatch(text)
    if found is None or int(found[2]) > MAX_INT:
        raise Malformed(f"{_short(text)} is no receipt", 0, "a receipt is TERMS_HASH:OFFSET:SHA256HEX[:SIGNATURE]")
    terms, offset, digest, signature = found.groups(default="")
    return Receipt(bytes.fromhex(terms), int(offset), bytes.fromhex(digest), bytes.fromhex(signature))


def format_receipt(receipt: Receipt) -> str:
    """Return the one line of text that `receipt` is written as."""
    parts = [receipt.terms_hash.hex(), str(receipt.offset), receipt.digest.hex()]
    return ":".join(parts + ([receipt.signature.hex()] if receipt.signature else []))


def parse_published(text: str) -> Mapping[int, bytes]:
    """Return the C of each sequence number of a published list.

    Raises `Malformed`, with the byte offset of the line, for a line that is not `SEQUENCE C-hex`, and for numbers that
    do not rise by one: a number left out could hide a match that was dealt again.
    """
    listed: dict[int, bytes] = {}
    offset, last = 0, None
    for line in text.removesuffix("\n").split("\n") if text else ():
        found = _LISTED.fullmatch(line.removesuffix("\r"))
        if found is None:
            raise Malformed(f"{_short(line)} is no line of a published list", offset, "a line is SEQUENCE C-hex")
        number = int(found[1])
        if number > MAX_INT:
            raise Malformed(f"number {number} is no sequence number", offset, f"numbers are 0 to {MAX_INT}")
        if last is not None and number != last + 1:
            raise Malformed(f"number {number} after {last} in a published list", offset, "numbers rise by one")
        last = number
        listed[number] = bytes.fromhex(found[2])
        offset += len(line.encode("utf-8")) + 1
    return listed


def parse_of_seat(text: str) -> tuple[int, bytes]:
    """Return seat and value of `SEAT=HEX`; raises `Misuse` for anything else."""
    found = _OF_SEAT.fullmatch(text.lower())
    if found is None:
        raise Misuse(f"{_short(text)} is not SEAT=HEX", hint=f"a seat 0 to {MAX_SEATS - 1} and 64 hexadecimal digits")
    return int(found[1]), bytes.fromhex(found[2])


def by_seat(pairs: Iterable[tuple[int, bytes]]) -> dict[int, bytes]:
    """Return the values of several seats by seat; raises `Misuse` where a seat comes twice."""
    values: dict[int, bytes] = {}
    for seat, value in pairs:
        if seat in values:
            raise Misuse(f"seat {seat} is given twice", hint="give one value a seat")
        values[seat] = value
    return values


def merge(first: Evidence, second: Evidence) -> Evidence:
    """Return the evidence of both; of two keys or contributions for one seat the second one's."""
    return Evidence(
        first.tickets + second.tickets,
        first.receipts + second.receipts,
        first.commitments + second.commitments,
        first.published + second.published,
        {**first.keys, **second.keys},
        {**first.contributions, **second.contributions},
    )


def read_folder(folder: Path) -> Evidence:
    """Return the evidence that a folder holds in files of the names `EVIDENCE_FILES`.

    Raises `Misuse` where there is none, `OSError` for a file that cannot be read, and `Malformed` naming the file.
    """
    present = _present(folder)
    if not present:
        raise Misuse("no evidence", str(folder), _FILES)
    for name in present:
        if not (folder / name).is_file():
            raise Misuse("no plain file with evidence", str(folder / name), "it must not be left out in silence")
    return evidence_of({name: read_text(folder / name) for name in present}, folder)


def refuse_without_evidence(folder: Path) -> None:
    """Raise `Misuse` for a folder that holds no evidence for all of several logs, nor a folder with some for one."""
    if not _present(folder) and not any(_present(one) for one in folder.iterdir() if one.is_dir()):
        raise Misuse("no evidence", str(folder), f"{_FILES}, those of a log in a folder of its name")


def read_shared(folder: Path) -> Evidence:
    """Return what a folder holds that speaks of all matches of an operator: published lists, and its key.

    That may be nothing. Raises what `read_folder` raises for files that it cannot read.
    """
    if not _present(folder):
        return Evidence()
    held = read_folder(folder)
    keys = {signer: key for signer, key in held.keys.items() if signer == OPERATOR}
    return Evidence(published=held.published, keys=keys)


def evidence_of(texts: Mapping[str, str], folder: Path = Path()) -> Evidence:
    """Return the evidence that the texts of evidence files hold, by file name; errors name the file below `folder`."""
    keys = _parsed(texts, OPERATOR_KEY, folder, _lines(parse_hex)) or []
    if len(keys) > 1:
        raise Malformed("more than one operator key", 0, "keep the one you trust", str(folder / OPERATOR_KEY))
    published = _parsed(texts, PUBLISHED, folder, parse_published)
    seat_keys = _parsed(texts, SEAT_KEYS, folder, _of_seats) or {}
    return Evidence(
        tickets=tuple(_parsed(texts, TICKETS, folder, _lines(decode_ticket)) or ()),
        receipts=tuple(_parsed(texts, RECEIPTS, folder, _lines(parse_receipt)) or ()),
        published=() if published is None else (published,),
        keys=operator_and_seats(keys[0] if keys else None, seat_keys),
        contributions=_parsed(texts, CONTRIBUTIONS, folder, _of_seats) or {},
    )


def _present(folder: Path) -> list[str]:
    return [name for name in EVIDENCE_FILES if (folder / name).exists() or (folder / name).is_symlink()]


def read_text(path: Path) -> str:
    """Return the text of a file; raises `Malformed` where it is not UTF-8 or longer than any log."""
    with path.open("rb") as file:
        data = file.read(MAX_LOG_BYTES + 1)
    if len(data) > MAX_LOG_BYTES:
        raise Malformed(f"a text of more than {MAX_LOG_BYTES} bytes", MAX_LOG_BYTES)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed("no UTF-8 text", error.start, where=f"{path}, byte {error.start}") from None


def _parsed(texts: Mapping[str, str], name: str, folder: Path, parse: Callable[[str], T]) -> T | None:
    """Return what the file `name` holds, None where there is none; an error names it."""
    if name not in texts:
        return None
    try:
        return parse(texts[name])
    except Malformed as error:
        raise Malformed(error.what, error.offset, error.hint, f"{folder / name}, byte {error.offset}") from None
    except Misuse as error:
        raise Malformed(error.what, 0, error.hint, str(folder / name)) from None


def _of_seats(text: str) -> dict[int, bytes]:
    """Return the values of `SEAT=HEX` lines by seat."""
    return by_seat(_lines(parse_of_seat)(text))


def _lines(parse: Callable[[str], T]) -> Callable[[str], list[T]]:
    """Return a parser of texts of one value to a line; its `Malformed` names the byte at which a line begins."""

    def parse_all(text: str) -> list[T]:
        parsed: list[T] = []
        offset = 0
        for line in text.split("\n"):
            try:
                parsed += [parse(line.removesuffix("\r"))] if line.strip() else []
            except Malformed as error:
                raise Malformed(error.what, offset + error.offset, error.hint) from None
            offset += len(line.encode("utf-8")) + 1
        return parsed

    return parse_all


def _short(text: str) -> str:
    """Return a text as an error quotes it."""
    return f"`{text.strip()[:24]}…`" if len(text.strip()) > 24 else f"`{text.strip()}`"
