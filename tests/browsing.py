"""What the tests of the two pages share: one browser a process, and pages that may ask nobody and complain of nothing.

The browser is the system's Chromium where there is one, else the one that Playwright has installed for itself.
"""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final, Literal

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request, sync_playwright

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PHONE: Final = 390
DESKTOP: Final = 1280


@cache
def browser() -> Browser:
    """Return the browser of this process; it is started when it is first asked for, and closed at the end."""
    player = sync_playwright().start()
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    started = player.chromium.launch(executable_path=found, args=list(_ARGUMENTS))
    atexit.register(player.stop)
    atexit.register(started.close)
    return started


@contextmanager
def open_page(
    path: Path, width: int = DESKTOP, *, dark: bool = False, height: int = 900, motion: bool = False
) -> Iterator[Page]:
    """Open an HTML file and hand out its page; afterwards fail on what it complained of or asked for.

    That is every warning or error on its console, every exception, and every request other than the one for the
    document itself.
    """
    scheme: Literal["dark", "light"] = "dark" if dark else "light"
    context = browser().new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        reduced_motion="no-preference" if motion else "reduce",
    )
    wrong: list[str] = []
    address = path.resolve().as_uri()

    def asked(request: Request) -> None:
        if request.url.split("#")[0] != address:
            wrong.append(f"request: {request.url}")

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            wrong.append(f"console: {message.text}")

    def raised(error: Error) -> None:
        wrong.append(f"exception: {error}")

    try:
        page = context.new_page()
        page.on("request", asked)
        page.on("console", said)
        page.on("pageerror", raised)
        page.goto(address)
        yield page
    finally:
        context.close()
    assert not wrong, "\n".join(wrong)
