"""For whoever holds two logs of one match: where they part, and what an operator signed twice."""

from __future__ import annotations

from typing import Annotated

import typer

from fairdeal.cli.exits import Exit
from fairdeal.cli.files import STANDARD, read_bytes, say
from fairdeal.errors import FairdealError, Malformed, Misuse
from fairdeal.texts import printable


def compare(
    first: Annotated[str, typer.Argument(metavar="LOG", help="A match log, or EVIDENCE.json alone.")],
    second: Annotated[
        str | None, typer.Argument(metavar="LOG", help="Another log of the same match, `-` for standard input.")
    ] = None,
) -> None:
    """Name the first place where two logs part, or check a file of evidence that an operator signed two stories."""
    if second is None:
        _check_evidence(first)
        return
    if first == second == STANDARD:
        raise Misuse("standard input can be read once only", "LOG", "give `-` once")
    raise typer.Exit(_compare(first, second))


def _compare(first: str, second: str) -> Exit:
    from fairdeal.archive.compare import parting
    from fairdeal.limits import MAX_LOG_BYTES

    one, other = (_log_bytes(name, MAX_LOG_BYTES) for name in (first, second))
    parted = parting(one, other)
    if parted is None:
        say(f"equal: {len(one)} bytes\n")
        return Exit.OK
    if parted.first is None or parted.second is None:
        shorter, longer, goes_on = (
            (first, second, parted.second) if parted.first is None else (second, first, parted.first)
        )
        lines = [
            f"prefix: {printable(shorter)} is the beginning of {printable(longer)}",
            f"  it ends at byte {parted.offset}; then comes {parted.place}: {printable(str(goes_on))}",
        ]
        say("".join(f"{line}\n" for line in lines))
        return Exit.OK
    if parted.place == "terms":
        raise Misuse("these are logs of two different matches", second, "compare two logs of one match")
    lines = [
        f"they part at {parted.place}, byte {parted.offset}",
        f"  {printable(first)}",
        f"    {printable(parted.first)}",
        f"  {printable(second)}",
        f"    {printable(parted.second)}",
    ]
    say("".join(f"{line}\n" for line in lines))
    return Exit.REFUTED


def _log_bytes(name: str, limit: int) -> bytes:
    """Return the bytes of a log; raises `Malformed` or `Unsupported` where it does not even begin as one."""
    from fairdeal.codec import Log

    data = read_bytes(name, limit)
    try:
        Log(data)
    except Malformed as error:
        raise Malformed(error.what, error.offset, error.hint, f"{name}, {error.where}") from None
    except FairdealError as error:
        raise type(error)(error.what, f"{name}, {error.where}", error.hint) from None
    return data


def _check_evidence(name: str) -> None:
    from fairdeal.archive.equivocation import check_equivocation
    from fairdeal.limits import MAX_LOG_BYTES

    most = 5 * MAX_LOG_BYTES  # two logs in hexadecimal digits, and room for the rest
    data = read_bytes(name, most)
    if len(data) > most:
        raise Malformed(f"more than {most} bytes of evidence", most, where=name)
    try:
        text = data.decode("utf-8")
        proven = check_equivocation(text)
    except UnicodeDecodeError as error:
        hint = "give two logs, or one file that `audit --equivocations` wrote"
        raise Malformed("no text, so no evidence of equivocation", error.start, hint, name) from None
    except Malformed as error:
        where = f"{name}, {error.where}"
        raise Malformed(error.what, error.offset, error.hint or "give two logs to compare them", where) from None
    say(f"proven: {proven}\n")
