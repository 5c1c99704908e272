"""The typer application: the commands by name, the global options, and what an error looks like."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from shutil import get_terminal_size
from typing import Annotated, Final

import typer

from fairdeal.cli import auditor, compare, implementer, operator, page, play, player, vectors
from fairdeal.cli.errors import complain, unreadable
from fairdeal.cli.exits import Exit
from fairdeal.cli.files import hint
from fairdeal.cli.options import Loudness
from fairdeal.errors import FairdealError, Malformed, Unsupported
from fairdeal.render.lines import COLUMNS

app = typer.Typer(
    name="fairdeal",
    help="Check that a game of President was dealt as promised and scored by the rules.",
    epilog="Exit codes: 0 verified or done, 1 the tool failed, 2 usage or unreadable file, 3 malformed or unsupported "
    "input, 10 refuted, 11 incomplete, 130 interrupted.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
vectors_app = typer.Typer(
    help="Make the test vectors, check them, test any implementation with them.",
    rich_markup_mode=None,
    no_args_is_help=True,
)

for command in (
    player.verify,
    auditor.audit,
    auditor.show,
    compare.compare,
    player.deal,
    page.page,
    play.play,
    operator.simulate,
    operator.commit,
    operator.ticket,
    operator.reveal,
    implementer.rules,
    implementer.pack,
    implementer.unpack,
    implementer.explain,
):
    app.command()(command)
app.add_typer(vectors_app, name="vectors")
vectors_app.command()(vectors.make)
vectors_app.command()(vectors.check)
vectors_app.command()(vectors.run)
vectors_app.command()(vectors.answer)


_OF_ALL: Final = {"-q", "--quiet", "-v", "--verbose"}


def _version(asked: bool) -> None:
    if asked:
        from fairdeal.version import program

        typer.echo(program())
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the verdict line only, and no hints.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print every numbered check.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Keep the global options for the commands."""
    del version
    if quiet and verbose:
        raise typer.BadParameter("-q and -v exclude each other")
    context.obj = Loudness(quiet=quiet, verbose=verbose)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; every expected error becomes two lines and its documented exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.stdout is not None and sys.stdout.isatty():
        COLUMNS.set(get_terminal_size().columns)
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        app(args=words, prog_name="fairdeal")
    except SystemExit as ended:
        if ended.code == Exit.USAGE and not _OF_ALL.isdisjoint(words[1:]) and not words[0].startswith("-"):
            hint(f"hint: -q and -v stand before the command: fairdeal -q {words[0]} …")
        raise
    except (Malformed, Unsupported) as error:
        complain(error)
        sys.exit(Exit.NO_VERDICT)
    except FairdealError as error:
        complain(error)
        sys.exit(Exit.USAGE)
    except OSError as error:
        complain(unreadable(error))
        sys.exit(Exit.USAGE)
