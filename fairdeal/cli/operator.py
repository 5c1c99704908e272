"""For the operator: commit to a match, hand out tickets, reveal seeds; and simulated matches for everybody."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from fairdeal.cli.files import read_bytes, refuse_existing, refuse_standard, say, write_new, write_output
from fairdeal.cli.options import Loudness, RulesetOption, SetOption, given_by, load_ruleset_named, overrides
from fairdeal.errors import Misuse
from fairdeal.limits import MAX_INT

SecretOption = Annotated[str, typer.Option("--secret", metavar="FILE", help="The secret file that `commit` wrote.")]
RoundOption = Annotated[int, typer.Option("--round", metavar="R", min=1, help="The round, from 1.")]


def simulate(
    output: Annotated[str, typer.Option("--output", "-o", metavar="LOG", help="Where to write the log.")],
    rng: Annotated[str, typer.Option(metavar="HEX64", help="32 bytes that decide everything, as 64 digits.")],
    ruleset: RulesetOption = "president",
    seats: Annotated[int, typer.Option(help="How many seats.")] = 4,
    changes: SetOption = None,
    sealed: Annotated[bool, typer.Option("--sealed", help="Every person seals and opens a contribution.")] = False,
    signed: Annotated[bool, typer.Option("--signed", help="The operator has a key and signs.")] = False,
    seat_keys: Annotated[bool, typer.Option("--seat-keys", help="Every seat has a key and signs the lock.")] = False,
    players: Annotated[
        str,
        typer.Option(
            metavar="WHO[,WHO…]",
            help="Who plays, one for all or one a seat: random, lowest, largest; easy, medium, hard.",
        ),
    ] = "random",
    clock: Annotated[
        bool, typer.Option("--clock", help="With clock marks, time-outs and lost connections; needs turn_seconds.")
    ] = False,
    sequence: Annotated[int, typer.Option(min=0, max=MAX_INT, help="The match's number at its operator.")] = 1,
    evidence: Annotated[
        str | None, typer.Option(metavar="DIR", help="A new folder for what the parties would hold.")
    ] = None,
) -> None:
    """Play a whole match, reproducible from --rng, and write its log."""
    from fairdeal.anchor import parse_hex
    from fairdeal.simulate import Simulation, evidence_files
    from fairdeal.simulate import simulate as play

    rules = load_ruleset_named(ruleset, overrides(changes))
    who = tuple(players.split(",")) if "," in players else players
    with given_by("--rng"):
        chance = parse_hex(rng)
    done = play(Simulation(rules, seats, chance, sealed, signed, seat_keys, who, sequence, clock=clock))
    if evidence is None:
        write_output(output, bytes(done.data))
        return
    files = evidence_files(done)
    folder = Path(evidence)
    folder.mkdir(parents=True, exist_ok=True)
    refuse_existing(*(folder / name for name in files))
    write_output(output, bytes(done.data))
    for name, text in files.items():
        write_new(folder / name, text.encode("ascii"))


def commit(
    context: typer.Context,
    terms: Annotated[str, typer.Option(metavar="FILE", help="The terms of the match, as TOML.")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="DIR", help="A folder for secret and log.")],
) -> None:
    """Draw the secret of a new match and write it, the log's first records, and the commitment to publish."""
    from fairdeal.anchor import read_text
    from fairdeal.limits import MATCH_ID_BYTES
    from fairdeal.table.folder import SECRET_FILE, new_match
    from fairdeal.termsfile import read_terms_file

    refuse_standard(terms, "--terms")
    refuse_standard(output, "--output")
    agreed = read_terms_file(read_text(Path(terms)), secrets.token_bytes(MATCH_ID_BYTES), load_ruleset_named)
    folder = Path(output)
    commitment = new_match(folder, agreed)
    say(f"{agreed.sequence} {commitment.hex()}\n")
    loudness: Loudness = context.obj
    loudness.advise(f"publish this line before the match; keep {folder / SECRET_FILE} to yourself until it has closed")


def ticket(
    log: Annotated[str, typer.Argument(help="The log of the running match.")],
    secret: SecretOption,
    number: RoundOption,
    seat: Annotated[int, typer.Option(metavar="S", min=0, help="The seat, from 0.")],
) -> None:
    """Print the ticket of a seat for a round that is about to be dealt."""
    from fairdeal.codec import Log
    from fairdeal.issue import next_ticket
    from fairdeal.secretfile import read_secret
    from fairdeal.ticket import encode_ticket

    refuse_standard(secret, "--secret")
    held = read_secret(Path(secret))
    say(encode_ticket(next_ticket(Log(read_bytes(log)), held, number, seat)) + "\n")


def reveal(
    context: typer.Context,
    secret: SecretOption,
    number: RoundOption,
    log: Annotated[
        str | None, typer.Option(metavar="LOG", help="The running log: refuse before the round ended.")
    ] = None,
) -> None:
    """Print the seed of a round, to be shown when that round has ended and never before."""
    from fairdeal.secretfile import read_secret

    refuse_standard(secret, "--secret")
    held = read_secret(Path(secret))
    if number > held.rounds:
        raise Misuse(f"the match has {held.rounds} rounds, not {number}", "--round")
    if log is None:
        loudness: Loudness = context.obj
        loudness.advise("with --log LOG a seed is refused until its round has ended")
        seed = held.tree().seeds[number - 1]
    else:
        from fairdeal.codec import Log
        from fairdeal.issue import round_seed_to_reveal

        seed = round_seed_to_reveal(Log(read_bytes(log)), held, number)
    say(seed.hex() + "\n")
