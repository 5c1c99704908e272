"""Texts that terms may hold, and texts as a terminal may show them."""

from __future__ import annotations

import re
from typing import Final

from fairdeal.limits import MAX_TEXT_BYTES

_HEX: Final = re.compile("(?:[0-9a-f]{2})*")
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f]")


def text_fault(text: str, least: int = 1) -> str | None:
    """Return why `text` cannot stand in a log, or None: `least` to 64 bytes of UTF-8 without control characters."""
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        return "a lone surrogate in a text"
    if not least <= size <= MAX_TEXT_BYTES:
        return f"a text of {size} bytes where {least} to {MAX_TEXT_BYTES} belong"
    return "a control character in a text" if _CONTROL.search(text) else None


def unhex(text: str) -> bytes:
    """Return the bytes of lower-case hexadecimal digits; raises `ValueError` for anything else, blanks among it."""
    if not _HEX.fullmatch(text):
        raise ValueError("not lower-case hexadecimal digits, two for each byte")
    return bytes.fromhex(text)


def printable(text: str) -> str:
    """Return `text` with every character that could steer or reorder a terminal written as an escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def quoted(value: object) -> str:
    """Return any value as a message quotes it: short, whatever somebody wrote into a file."""
    try:
        text = str(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, or tables a thousand deep
        text = "a value too large to show"
    return f"`{text[:200]}…`" if len(text) > 200 else f"`{text}`"
