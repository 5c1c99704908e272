"""For the player: was I dealt this hand? And for the curious: every draw of the shuffle."""

from __future__ import annotations

from typing import Annotated

import typer

from fairdeal.cli.exits import OF_VERDICT
from fairdeal.cli.files import say
from fairdeal.cli.options import Loudness, SeedOption, each, given_by
from fairdeal.errors import Misuse

TicketArgument = Annotated[str, typer.Argument(help="The ticket as it was shown before the round, `fd1.…`.")]


def verify(
    context: typer.Context,
    ticket: TicketArgument,
    seed: SeedOption,
    cards: Annotated[
        str | None, typer.Option(metavar="CARDS", help='The hand as dealt, before any exchange: "3c Td X1 …".')
    ] = None,
    contribution: Annotated[
        str | None, typer.Option(metavar="HEX", help="What your own seat contributed, 64 digits.")
    ] = None,
    commitment: Annotated[
        list[str] | None, typer.Option(metavar="HEX", help="The commitment as published before the match.")
    ] = None,
    form: Annotated[str, typer.Option("--format", "-f", metavar="text|json", help="Form of the report.")] = "text",
) -> None:
    """Check one dealt hand, offline: ticket, revealed seed, cards."""
    from fairdeal.anchor import parse_hex
    from fairdeal.cards import format_cards, parse_cards
    from fairdeal.cli.reports import advise, check_form, rendered
    from fairdeal.ticket import decode_ticket
    from fairdeal.verify import fits_ticket, hand_of, verify_hand

    check_form(form, "text", "json")
    held = decode_ticket(ticket)
    with given_by("--seed"):
        opened = parse_hex(seed)
    if cards is not None and not parse_cards(cards):
        raise Misuse("no cards are given", "--cards", "give the cards as dealt, or leave the option out")
    with given_by("--contribution"):
        own = None if contribution is None else parse_hex(contribution)
    compared = None if cards is None else parse_cards(cards)
    report = verify_hand(held, opened, compared, own, each("--commitment", parse_hex, commitment))
    loudness: Loudness = context.obj
    hand = format_cards(hand_of(held, opened)) if fits_ticket(held, opened) else "the seed is not the ticket's"
    name = f"round {held.round} of {held.rounds}, seat {held.seat}: {hand}"
    say(rendered([(name, report)], form, loudness))
    advise(loudness, [report])
    raise typer.Exit(OF_VERDICT[report.verdict])


def deal(
    context: typer.Context,
    ticket: TicketArgument,
    seed: SeedOption,
    steps: Annotated[bool, typer.Option("--steps", help="Print every draw and rejection of the shuffle.")] = False,
) -> None:
    """Print all hands that a ticket and a seed lead to; nothing is compared."""
    from fairdeal.anchor import parse_hex
    from fairdeal.cards import CARD_NAMES, format_cards
    from fairdeal.ticket import decode_ticket
    from fairdeal.verify import dealing_of, fits_ticket, steps_of

    held = decode_ticket(ticket)
    with given_by("--seed"):
        opened = parse_hex(seed)
    loudness: Loudness = context.obj
    if not fits_ticket(held, opened):
        loudness.advise("this is not the seed that the ticket fixed; the hands below are nobody's")
    dealing = dealing_of(held, opened)
    lines = [f"commitment  {dealing.commitment.hex()}", f"transcript  {dealing.transcript.hex()}"]
    if steps:
        lines.append("")
        for draw in steps_of(held, opened):
            what = f"swap {draw.i} and {draw.j}" if draw.accepted else "rejected"
            lines.append(f"index {draw.i:>3}  byte {draw.byte:02x}  value {draw.j:>3}  {what}")
        width = len(held.contributions)
        order = [CARD_NAMES[face] for row in zip(*_padded(dealing.hands), strict=True) for face in row if face >= 0]
        lines += ["", f"order of {len(order)} cards, dealt to {width} positions", "  " + " ".join(order)]
    lines.append("")
    for position, hand in enumerate(dealing.hands):
        mark = " (this ticket)" if position == held.position else ""
        lines.append(f"position {position}  {format_cards(sorted(hand))}{mark}")
    say("\n".join(lines) + "\n")


def _padded(hands: tuple[bytes, ...]) -> list[list[int]]:
    """Return the hands as lists of one length, -1 where a hand has no further card."""
    longest = max(map(len, hands))
    return [[*hand, *[-1] * (longest - len(hand))] for hand in hands]
