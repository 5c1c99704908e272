"""For anybody: a match against bots at the terminal, which leaves everything an audit needs."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from fairdeal.cli.exits import Exit
from fairdeal.cli.files import read_bytes, refuse_standard, say
from fairdeal.cli.options import Loudness, RulesetOption, SetOption, load_ruleset_named, overrides
from fairdeal.errors import Misuse
from fairdeal.limits import MAX_ROUNDS

if TYPE_CHECKING:
    from fairdeal.records import Terms
    from fairdeal.ruleset import Ruleset
    from fairdeal.settings import SeatKind
    from fairdeal.table import Table

FOLDER: Final = "fairdeal-match"
OPEN_ROUNDS: Final = 5  # where the rules set no end: their own maximum of a hundred is more than an evening


def play(
    context: typer.Context,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="A folder for the match, or one to go on with.")
    ] = FOLDER,
    ruleset: RulesetOption = "president",
    changes: SetOption = None,
    seats: Annotated[int, typer.Option(help="How many seats; yours is 0.")] = 4,
    bots: Annotated[
        str, typer.Option(metavar="LEVEL[,LEVEL…]", help="easy, medium or hard: one for all bots, or one for each.")
    ] = "medium",
    name: Annotated[str, typer.Option(help="Your name in the log.")] = "Player",
    rounds: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=MAX_ROUNDS, help="How many rounds at most; else as the rules have it."),
    ] = None,
) -> None:
    """Play a match against bots here and now, and have it audited."""
    from fairdeal.cli.playing import Game
    from fairdeal.cli.seat import Left
    from fairdeal.table.folder import LOG_FILE

    refuse_standard(output, "--output")
    loudness: Loudness = context.obj
    folder = Path(output)
    if (folder / LOG_FILE).exists():
        table = _gone_on_with(folder, loudness)
    else:
        changed = _without_clock(overrides(changes))
        table = _begun(folder, _terms(load_ruleset_named, ruleset, changed, seats, bots, name, rounds))
    code = Exit.OK
    try:
        with table:
            code = Game(table, folder).play()
    except (Left, KeyboardInterrupt) as ended:
        if not isinstance(ended, Left):
            code = Exit.INTERRUPTED
            say("\n")
        again = shlex.join(["fairdeal", "play", "-o", output])
        loudness.advise(f"the match waits for you: `{again}` goes on with it")
    raise typer.Exit(code)


def _without_clock(changed: dict[str, Any]) -> dict[str, Any]:
    """Return overrides of a ruleset under which nobody runs out of time; raises `Misuse` where one asks for a clock."""
    if changed.get("turn_seconds", 0) != 0:
        raise Misuse("nobody runs out of time here", "--set turn_seconds", "leave it out: a game server has a clock")
    return changed | {"turn_seconds": 0}


def _begun(folder: Path, terms: Terms) -> Table:
    """Return a new match in `folder`."""
    from fairdeal.cli.playing import held_in
    from fairdeal.table import Table

    held_in(folder).refuse_other()
    return Table.create(folder, terms)


def _gone_on_with(folder: Path, loudness: Loudness) -> Table:
    """Return the unfinished match in `folder`; raises `Misuse` where it is finished or none of this command."""
    from fairdeal.cli.playing import PERSON, audit_command
    from fairdeal.codec import Log
    from fairdeal.records import Close
    from fairdeal.settings import Contributions, SeatKind
    from fairdeal.table import Table
    from fairdeal.table.folder import LOG_FILE

    log = Log(read_bytes(str(folder / LOG_FILE)))
    if any(isinstance(item.record, Close) for item in log.items):
        advice = f"audit it with `{audit_command(folder)}`, or play another with -o DIR"
        raise Misuse("the match in this folder is finished", str(folder), advice)
    terms = log.terms
    people = [seat for seat, who in enumerate(terms.seats) if who.kind is SeatKind.HUMAN]
    sealed = terms.contributions is Contributions.SEALED
    if people != [PERSON] or not sealed or not terms.bot_policy or terms.signing_keys():
        raise Misuse(
            "the match in this folder is not one of `fairdeal play`", str(folder), "choose another with -o DIR"
        )
    table = Table.resume(folder)
    loudness.advise(f"this goes on with the match in {folder}, whose terms stand")
    if table.cut:
        loudness.advise(f"{table.cut} bytes of a write that was cut short were dropped")
    return table


def _terms(
    load: Callable[[str, Mapping[str, Any]], Ruleset],
    ruleset: str,
    changes: Mapping[str, Any],
    seats: int,
    bots: str,
    name: str,
    rounds: int | None,
) -> Terms:
    """Return the terms of a new match: the person at seat 0, who contributes, and bots by policy."""
    from fairdeal.bots import POLICY
    from fairdeal.limits import MATCH_ID_BYTES
    from fairdeal.records import Seat, Terms
    from fairdeal.settings import Contributions, MatchEnd, SeatKind
    from fairdeal.texts import text_fault

    chosen = load(ruleset, changes)
    if rounds is not None and chosen.template.match_end is MatchEnd.ROUNDS:
        chosen = load(ruleset, {"end_at": rounds, **changes})
    rules = chosen.resolve(seats)
    if (fault := text_fault(name)) is not None:
        raise Misuse(fault, "--name", "choose another name")
    others = (Seat(f"Bot {seat} ({level})", level, b"") for seat, level in enumerate(_levels(bots, seats), 1))
    usual = OPEN_ROUNDS if rules.match_end is MatchEnd.OPEN else chosen.default_rounds()
    return Terms(
        match_id=secrets.token_bytes(MATCH_ID_BYTES),
        sequence=1,
        operator_key=b"",
        rules=rules,
        seats=(Seat(name, SeatKind.HUMAN, b""), *others),
        rounds=usual if rounds is None else rounds,
        contributions=Contributions.SEALED,
        beacon="",
        bot_policy=POLICY,
    )


def _levels(text: str, seats: int) -> Sequence[SeatKind]:
    """Return the level of each bot."""
    from fairdeal.bots import LEVELS
    from fairdeal.settings import SeatKind

    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in LEVELS:
            raise Misuse(f"there is no bot `{word}`", "--bots", f"levels: {', '.join(LEVELS)}")
    if len(words) not in (1, seats - 1):
        raise Misuse(f"{len(words)} bots for {seats - 1} seats", "--bots", "name one level for all, or one for each")
    return [SeatKind(word) for word in (words if len(words) > 1 else words * (seats - 1))]
