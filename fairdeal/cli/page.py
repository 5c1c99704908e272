"""The player's page as a file: a check of tickets and logs that needs a browser and nothing else."""

from __future__ import annotations

from typing import Annotated

import typer

from fairdeal.cli.files import write_output


def page(
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to write it, `-` for standard output.")
    ],
) -> None:
    """Write the page on which players check tickets and logs in their browser, offline."""
    from fairdeal.html.page import page_html

    write_output(output, page_html().encode("utf-8"))
