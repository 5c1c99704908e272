"""For the implementer: making the test vectors, and testing this or any other implementation with them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated

import typer

from fairdeal.cli.exits import Exit
from fairdeal.cli.files import say
from fairdeal.cli.options import Loudness
from fairdeal.errors import Misuse

if TYPE_CHECKING:
    from fairdeal.vectors.check import Result

FolderArgument = Annotated[
    str | None, typer.Argument(metavar="[DIR]", help="Where they are; without it the shipped ones.")
]


def make(
    folder: Annotated[str, typer.Argument(metavar="[DIR]", help="Where to write them.")] = "vectors/v1",
) -> None:
    """Regenerate the test vectors; the same version gives the same bytes."""
    from fairdeal.vectors.make import make as write_vectors

    for path in write_vectors(Path(folder)):
        say(f"{path}\n")


def check(context: typer.Context, folder: FolderArgument = None) -> None:
    """Check every test vector against this implementation."""
    from fairdeal.vectors.check import check as check_folder

    with _folder(folder) as path:
        _report(check_folder(path), context.obj)


def run(
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(metavar="[DIR] -- CMD…", help="The command that starts the client, after a folder of vectors."),
    ],
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="How long the client may take for one answer.")
    ] = 60.0,
) -> None:
    """Test any implementation: its client is asked every vector and its answers are compared."""
    from fairdeal.vectors.check import holds_vectors
    from fairdeal.vectors.runner import run as run_client

    is_folder = holds_vectors(Path(words[0])) or (Path(words[0]).is_dir() and which(words[0]) is None)
    folder = words[0] if is_folder else None
    command = words if folder is None else words[1:]
    if not command:
        raise Misuse("the client's command is missing", "CMD", "give it after `--`")
    with _folder(folder) as path:
        _report(run_client(path, command, timeout), context.obj)


def answer() -> None:
    """Be the client of `vectors run`: requests come in on standard input, answers go out on standard output."""
    from fairdeal.vectors.client import answers

    if sys.stdin is None:
        raise Misuse("standard input is closed", hint="`fairdeal vectors run` asks its client there")
    for line in answers(sys.stdin.buffer):
        say(line)


@contextmanager
def _folder(named: str | None) -> Iterator[Path]:
    """Give the folder that was named, or the shipped vectors."""
    from fairdeal.vectors.check import shipped

    with shipped() as own:
        yield own if named is None else Path(named)


def _counts(result: Result) -> str:
    """Return how many tests passed, failed and were declined; a stage declined as a whole passed nothing."""
    if result.declined and not result.passed and not result.failures:
        return f"declined, {result.declined[0]}" if len(result.declined) == 1 else f"{len(result.declined)} declined"
    declined = f", {len(result.declined)} declined" if result.declined else ""
    return f"{result.passed} passed, {len(result.failures)} failed{declined}"


def _report(results: Iterable[Result], loudness: Loudness) -> None:
    """Print the outcome of every file, and end with the exit code for all of them."""
    failures = passed = 0
    for result in results:
        say(f"{result.file}: {_counts(result)}\n")
        for line in () if loudness.quiet else result.failures:
            say(f"  {line}\n")
        for line in result.declined if loudness.verbose else ():
            say(f"  declined: {line}\n")
        failures, passed = failures + len(result.failures), passed + result.passed
    raise typer.Exit(Exit.REFUTED if failures else Exit.OK if passed else Exit.INCOMPLETE)
