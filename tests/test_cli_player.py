"""The player's commands: was I dealt this hand, and every draw that led to it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.cards import CARD_NAMES, format_cards, fresh_cards, parse_cards
from fairdeal.evidence import Ticket
from fairdeal.simulate import Simulated
from fairdeal.ticket import encode_ticket
from fairdeal.verify import dealing_of, hand_of
from tests.conftest import SAMPLES, Ran, all_signed, played, refused, run
from tests.strategies import some

CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ .\n"


def own(done: Simulated, number: int = 1) -> tuple[Ticket, str, str, str]:
    """Return a ticket of a match, its text, the seed it is for, and the hand as a player writes it."""
    ticket = done.tickets[number]
    seed = done.tree.seeds[ticket.round - 1]
    return ticket, encode_ticket(ticket), seed.hex(), format_cards(hand_of(ticket, seed))


def codes(ran: Ran) -> list[str]:
    """Return the codes that a JSON report found."""
    return [one["code"] for one in ran.json["reports"][0]["findings"]]


@pytest.mark.parametrize("name", SAMPLES)
def test_every_hand_that_was_dealt_is_verified(name: str) -> None:
    """Each ticket of a match with its round's seed leads to the hand of that seat."""
    done = SAMPLES[name]()
    for ticket in done.tickets:
        seed = done.tree.seeds[ticket.round - 1]
        hand = format_cards(hand_of(ticket, seed))
        ran = run("verify", encode_ticket(ticket), "--seed", seed.hex(), "--cards", hand)
        assert (ran.code, ran.err) == (0, "")
        head = f"verified  round {ticket.round} of {ticket.rounds}, seat {ticket.seat}: {hand}\n"
        assert ran.text.startswith(head)
        assert done.tree.commitment().hex() in ran.text


def test_cards_may_be_written_in_any_order_and_spelling() -> None:
    """Blanks or commas, upper or lower case, `10` or `T`."""
    _, ticket, seed, hand = own(played())
    words = hand.split()
    for text in (" ".join(reversed(words)), ",".join(words), hand.upper(), hand.lower(), hand.replace("T", "10")):
        assert run("verify", ticket, "--seed", seed, "--cards", text).code == 0


def test_without_cards_the_hand_is_stated_and_never_verified() -> None:
    """Nothing was compared, so the verdict is incomplete; the hand is printed all the same."""
    _, ticket, seed, hand = own(played())
    ran = run("verify", ticket, "--seed", seed)
    assert ran.code == 11
    assert hand in ran.text
    assert "not-compared" in ran.text


def test_other_cards_refute() -> None:
    """One card more, less or other is found, and both hands are shown."""
    _, ticket, seed, hand = own(played())
    words = hand.split()
    other = next(name for name in CARD_NAMES if name not in words)
    for wrong in ([*words, other], words[1:], [*words[1:], other], [*words, words[0]]):
        ran = run("verify", ticket, "--seed", seed, "--cards", " ".join(wrong), "-f", "json")
        assert ran.code == 10
        (found,) = ran.json["reports"][0]["findings"]
        assert (found["code"], found["place"], found["expected"]) == ("cards-other", "cards", hand)
        assert found["found"] == format_cards(sorted(parse_cards(" ".join(wrong))))
    assert run("verify", ticket, "--seed", seed, "--cards", "").code == 2


def test_another_seed_refutes() -> None:
    """The seed of another round, or one bit off, is not the one the ticket fixed."""
    done = played(4, 3)
    _, ticket, seed, _ = own(done)
    for wrong in (done.tree.seeds[1].hex(), f"{int(seed, 16) ^ 1:064x}", "00" * 32):
        ran = run("verify", ticket, "--seed", wrong, "-f", "json")
        assert ran.code == 10
        assert codes(ran)[0] == "ticket-fingerprint"


def test_a_commitment_is_compared_when_it_is_given_and_else_said_to_be_open() -> None:
    """The published commitment must be the one the ticket leads to; several may be given."""
    done = played()
    _, ticket, seed, hand = own(done)
    base = ("verify", ticket, "--seed", seed, "--cards", hand)
    right, wrong = done.tree.commitment().hex(), "ab" * 32
    assert "compare it yourself" in run(*base).text
    good = run(*base, "--commitment", right, "--commitment", right.upper())
    assert good.code == 0
    assert "compare it yourself" not in good.text
    for given_ones in ((wrong,), (right, wrong)):
        options = [part for one in given_ones for part in ("--commitment", one)]
        assert codes(run(*base, *options, "-f", "json")) == ["commitment-other"]


def test_the_own_contribution_must_be_in_the_ticket() -> None:
    """A seat sees that its own randomness was mixed in, and no other's in its place."""
    done = all_signed(4, 1)
    held, ticket, seed, hand = own(done)
    base = ("verify", ticket, "--seed", seed, "--cards", hand)
    assert run(*base, "--contribution", done.contributions[held.seat].hex()).code == 0
    other = done.contributions[(held.seat + 1) % 4].hex()
    ran = run(*base, "--contribution", other, "-f", "json")
    assert (ran.code, codes(ran)) == (10, ["contribution-other"])


def test_the_report_says_what_it_leaves_open() -> None:
    """Rules, position and the other contributors are the ticket's word."""
    held, ticket, seed, hand = own(played())
    text = run("verify", ticket, "--seed", seed, "--cards", hand).text
    assert "\nnot checked here\n" in text
    assert f"the dealing position {held.position} of seat {held.seat}" in text
    assert "the rules" in text
    assert "who else contributed" in text


def test_loudness() -> None:
    """Quiet is one line, verbose every numbered check."""
    _, ticket, seed, hand = own(played())
    arguments = ("verify", ticket, "--seed", seed, "--cards", hand)
    assert len(run("-q", *arguments).text.splitlines()) == 1
    assert len(re.findall(r"(?m)^  [ 1]\d [a-z]", run("-v", *arguments).text)) == 15


@pytest.mark.parametrize("command", ["verify", "deal"])
@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[:0],
        lambda text: text[:-1],
        lambda text: text + "=",
        lambda text: text + " ",
        lambda text: "fd2." + text[4:],
        lambda text: text[:40] + "*" + text[41:],
        lambda text: text + "A" * 1_000,
        lambda text: text[:40] + "ä" + text[41:],
    ],
)
def test_what_is_no_ticket_is_malformed(command: str, spoil: Callable[[str], str]) -> None:
    """A ticket off by one character is no verdict, exit code 3, and nothing is printed."""
    _, ticket, seed, _ = own(played())
    refused(run(command, "--seed", seed, "--", spoil(ticket)), 3, "ticket", "at byte ")


@given(st.data())
@some
def test_a_mistyped_ticket_is_never_read(data: st.DataObject) -> None:
    """Any one character exchanged, lost or added is found."""
    _, ticket, seed, _ = own(all_signed(4, 1))
    at = data.draw(st.integers(0, len(ticket) - 1))
    char = data.draw(st.sampled_from(CHARACTERS))
    kind = data.draw(st.sampled_from(("change", "drop", "add")))
    wrong = ticket[:at] + {"change": char + ticket[at + 1 :], "drop": ticket[at + 1 :], "add": char + ticket[at:]}[kind]
    if wrong != ticket:
        refused(run("verify", "--seed", seed, "--", wrong), 3)


@pytest.mark.parametrize("seed", ["", "0", "zz" * 32, "00" * 31, "00" * 33, "0x" + "0" * 62, " " + "00" * 32, "٠" * 64])
@pytest.mark.parametrize("command", ["verify", "deal"])
def test_a_seed_is_64_digits(command: str, seed: str) -> None:
    """No other length, no padding, no other digits."""
    _, ticket, _, _ = own(played())
    refused(run(command, ticket, "--seed", seed), 2, "is not 32 bytes in hexadecimal")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--cards", "3c 1d"), "`1d` is not a card"),
        (("--cards", "3c3d"), "is not a card"),
        (("--contribution", "00"), "is not 32 bytes in hexadecimal"),
        (("--commitment", "xx"), "is not 32 bytes in hexadecimal"),
        (("-f", "jsonl"), "there is no format `jsonl` at --format"),
        (("-f", "html"), "formats: text, json"),
    ],
)
def test_wrong_usage(options: tuple[str, ...], words: str) -> None:
    """Values that cannot be meant are exit code 2 and name what is wrong."""
    _, ticket, seed, _ = own(played())
    refused(run("verify", ticket, "--seed", seed, *options), 2, words)


@pytest.mark.parametrize("arguments", [("verify",), ("verify", "fd1.x"), ("deal", "fd1.x"), ("verify", "--seed", "0")])
def test_a_missing_argument_is_wrong_usage(arguments: tuple[str, ...]) -> None:
    """The command line itself is refused on standard error."""
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, b"")
    assert "Missing" in ran.err


@pytest.mark.parametrize("name", SAMPLES)
def test_the_hands_of_a_deal_are_the_whole_deck_and_each_that_of_its_ticket(name: str) -> None:
    """`deal` prints every position's hand and marks the ticket's own."""
    done = SAMPLES[name]()
    ticket, text, seed, hand = own(done)
    ran = run("deal", text, "--seed", seed)
    assert (ran.code, ran.err) == (0, "")
    hands = dict(re.findall(r"(?m)^position (\d)  ([^(\n]*?)(?: \(this ticket\))?$", ran.text))
    assert list(hands) == [str(position) for position in range(len(done.terms.seats))]
    assert hands[str(ticket.position)] == hand
    assert re.findall(r"position (\d).*\(this ticket\)", ran.text) == [str(ticket.position)]
    dealt = parse_cards(" ".join(hands.values()))
    assert sorted(dealt) == sorted(fresh_cards(ticket.packs, ticket.jokers))
    others = [one for one in done.tickets if one.round == ticket.round]
    assert {hands[str(one.position)] for one in others} == {
        format_cards(hand_of(one, bytes.fromhex(seed))) for one in others
    }


@pytest.mark.parametrize("name", SAMPLES)
def test_the_steps_of_a_deal_make_its_order(name: str) -> None:
    """Carrying out the printed swaps by hand gives the printed order, which gives the hands; rejections change none."""
    done = SAMPLES[name]()
    ticket, text, seed, _ = own(done)
    ran = run("deal", text, "--seed", seed, "--steps")
    deck = bytearray(fresh_cards(ticket.packs, ticket.jokers))
    rejected = 0
    index = len(deck)
    for i, byte, j, swap in re.findall(r"(?m)^index +(\d+)  byte (..)  value +(\d+)  (.*)$", ran.text):
        mask = (1 << int(i).bit_length()) - 1
        assert int(byte, 16) & mask == int(j)
        if swap == "rejected":
            assert int(j) > int(i)
            assert int(i) == index - 1
            rejected += 1
        else:
            assert swap == f"swap {i} and {j}"
            index -= 1
            assert int(i) == index
            deck[int(i)], deck[int(j)] = deck[int(j)], deck[int(i)]
    assert index == 1
    assert rejected
    order = re.search(r"order of (\d+) cards, dealt to (\d) positions\n  (.*)\n", ran.text)
    assert order is not None
    assert order.groups() == (str(len(deck)), str(len(done.terms.seats)), format_cards(deck))
    hands = dealing_of(ticket, bytes.fromhex(seed)).hands
    assert [bytes(deck[position :: len(hands)]) for position in range(len(hands))] == list(hands)


def test_a_deal_compares_nothing() -> None:
    """Any seed gives a deal; the page shows commitment and transcript to compare by oneself."""
    done = played()
    ticket, text, _, _ = own(done)
    ran = run("deal", text, "--seed", "00" * 32)
    assert ran.code == 0
    lines = ran.text.splitlines()
    assert lines[0] == f"commitment  {done.tree.commitment().hex()}"
    assert lines[1] == f"transcript  {dealing_of(ticket, bytes(32)).transcript.hex()}"
