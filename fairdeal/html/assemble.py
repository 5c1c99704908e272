"""From parts to one HTML document that stands alone: styles, script and data inside, and a policy that allows no more.

The content security policy starts from nothing and names the one style sheet and the one script by their hashes, so
that no text from a log, however it is written, can run or load anything.
"""

from __future__ import annotations

import html
import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Final

DATA_ID: Final = "data"  # of the element that holds a document's data as JSON


def part(name: str) -> str:
    """Return a part that ships with the package."""
    return files("fairdeal.html").joinpath("parts", name).read_text("utf-8")


def document(
    title: str,
    language: str,
    styles: Sequence[str],
    scripts: Sequence[str],
    body: str,
    data: object = None,
) -> str:
    """Return a whole document. `styles` and `scripts` are names of parts, put one behind the other into one of each.

    `body` is HTML, in which every text from outside is escaped (`escape`); `data` is handed to the scripts as JSON in
    the element `#data`.
    """
    style = "\n" + "\n".join(map(part, styles))
    script = "\n" + "\n".join(map(part, scripts))
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_source(script)}",
            f"style-src {_source(style)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    held = "" if data is None else f'<script type="application/json" id="{DATA_ID}">{_json(data)}</script>\n'
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n"
        f"<body>\n{body}\n{held}<script>{script}</script>\n</body>\n</html>\n"
    )


def escape(text: str) -> str:
    """Return text for an element or a quoted attribute."""
    return html.escape(text, quote=True)


def _source(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode('utf-8')).digest()).decode('ascii')}'"


def _json(data: object) -> str:
    """Return JSON in which nothing can end the element it stands in, or begin a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
