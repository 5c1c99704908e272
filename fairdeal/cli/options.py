"""Options that several commands share."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from fairdeal.cli.files import hint
from fairdeal.errors import Malformed, Misuse

if TYPE_CHECKING:
    from fairdeal.ruleset import Ruleset


Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Loudness:
    """How much to print: `quiet` the verdict line only, `verbose` every check."""

    quiet: bool = False
    verbose: bool = False

    def advise(self, text: str) -> None:
        """Write a hint to standard error, unless quiet."""
        if not self.quiet:
            hint(f"hint: {text}")


RulesetOption = Annotated[str, typer.Option("--ruleset", help="Name of a preset, or a TOML file with all settings.")]
SetOption = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Override one setting.")]
SeedOption = Annotated[str, typer.Option("--seed", metavar="HEX", help="The revealed seed of the round, 64 digits.")]


@contextmanager
def given_by(option: str) -> Iterator[None]:
    """Name the option or argument in what is wrong with its value."""
    try:
        yield
    except Misuse as error:
        raise Misuse(error.what, error.where or option, error.hint) from None
    except Malformed as error:
        raise Malformed(error.what, error.offset, error.hint, f"{option}, {error.where}") from None


def each(option: str, parse: Callable[[str], Value], texts: Sequence[str] | None) -> tuple[Value, ...]:
    """Return what every value of an option means; what is wrong with one names the option."""
    with given_by(option):
        return tuple(map(parse, texts or ()))


def load_ruleset_named(name: str, changed: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset of a preset name or a `.toml` file with some settings overridden; raises `Misuse`."""
    from fairdeal.anchor import read_text
    from fairdeal.ruleset import load_preset, load_ruleset

    if name.endswith(".toml"):
        return load_ruleset(read_text(Path(name)), changed)
    return load_preset(name, changed)


def overrides(texts: Sequence[str] | None) -> dict[str, Any]:
    """Return the settings that `KEY=VALUE` texts override; raises `Misuse` for any other text."""
    return dict(_override(text) for text in texts or ())


def _override(text: str) -> tuple[str, Any]:
    """Return key and value of `KEY=VALUE`; the value is TOML where it parses as such, else a text."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise Misuse(f"`{text}` is not KEY=VALUE", "--set", "for example --set end_at=7")
    try:
        table = tomllib.loads(f"value = {value}")
        return key, table["value"] if len(table) == 1 else value
    except (ValueError, RecursionError):
        return key, value
