"""For the implementer: rules, logs as JSON, test vectors, and what a code means."""

from __future__ import annotations

from typing import Annotated

import typer

from fairdeal.cli.files import STANDARD, opened_output, read_bytes, read_json, refuse_same, say, write_output
from fairdeal.cli.options import SetOption
from fairdeal.errors import Misuse

OutputOption = Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Where to write it.")]


def rules(
    name: Annotated[
        str | None, typer.Argument(help="A preset or a TOML file; without it the presets are listed.")
    ] = None,
    diff: Annotated[str | None, typer.Option(metavar="OTHER", help="Show only what OTHER plays differently.")] = None,
    changes: SetOption = None,
    why: Annotated[
        bool, typer.Option("--why", help="Add what the sentences cited say, and the reasons for readings.")
    ] = False,
    form: Annotated[
        str, typer.Option("--format", "-f", metavar="text|json|toml", help="Form of the rules; toml is a ruleset file.")
    ] = "text",
) -> None:
    """Print the rules of a table with their sources, or how two tables differ."""
    from fairdeal.cli.options import load_ruleset_named, overrides
    from fairdeal.cli.reports import check_form
    from fairdeal.render import rules as render
    from fairdeal.render.rules_file import ruleset_toml

    alone = name is not None and diff is None
    check_form(form, "text", "json", *(["toml"] if alone else []))
    if name is None:
        if diff is not None or changes:
            raise Misuse("a ruleset is missing", "NAME", "name a preset or a TOML file")
        say(render.presets_json() if form == "json" else render.presets_text())
        return
    ruleset = load_ruleset_named(name, overrides(changes))
    if diff is not None:
        other = load_ruleset_named(diff, {})
        as_text = render.difference_text(ruleset, other, why=why)
        say(render.difference_json(ruleset, other) if form == "json" else as_text)
    elif form == "toml":
        say(ruleset_toml(ruleset))
    else:
        say(render.ruleset_json(ruleset) if form == "json" else render.ruleset_text(ruleset, why=why))


def pack(
    document: Annotated[str, typer.Argument(metavar="JSON", help="A log as JSON, `-` for standard input.")],
    output: OutputOption = STANDARD,
) -> None:
    """Turn the JSON of a log into the log, byte for byte."""
    from fairdeal.jsonform import log_from_json

    refuse_same(output, document)
    write_output(output, log_from_json(read_json(document)))


def unpack(
    log: Annotated[str, typer.Argument(help="A match log, `-` for standard input.")],
    output: OutputOption = STANDARD,
) -> None:
    """Turn a log into JSON that `pack` turns back without loss."""
    from fairdeal.codec import Log
    from fairdeal.jsonform import log_to_json_text

    refuse_same(output, log)
    decoded = Log(read_bytes(log))
    if decoded.broken is not None:
        raise decoded.broken
    with opened_output(output) as write:
        for text in log_to_json_text(decoded):
            write(text)


def explain(
    code: Annotated[str | None, typer.Argument(help="A finding's code; without it the codes are listed.")] = None,
) -> None:
    """Say what a finding means and what to do about it."""
    from fairdeal.codes import Code
    from fairdeal.explain import pages
    from fairdeal.render.explained import page_text

    if code is None:
        say("".join(f"{page.code:<24}{page.title}\n" for page in pages().values()))
        return
    if code not in list(Code):
        raise Misuse(f"there is no code `{code}`", hint="`fairdeal explain` lists the codes")
    say(page_text(pages()[Code(code)]))
