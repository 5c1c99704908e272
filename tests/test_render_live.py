"""A running match in words: they follow the engine, fit the terminal, and steer nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.cards import FACES, format_cards, parse_cards
from fairdeal.draws import Draws
from fairdeal.evidence import Ticket
from fairdeal.law import Law
from fairdeal.legal import legal_shapes
from fairdeal.play import NOBODY, Closing
from fairdeal.records import Action, Seat, Terms, pass_action, set_action, straight_action
from fairdeal.render.live import WIDTH, Effects, Teller, effects_of, refusal, seed_checked, told, unclear
from fairdeal.ruleset import load_preset
from fairdeal.settings import Contributions, SeatKind
from fairdeal.texts import text_fault
from fairdeal.verify import hand_of, verify_hand
from tests.conftest import played
from tests.random_rules import played_at_random, random_round, random_rules
from tests.strategies import many, some

NAMES = st.one_of(
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=16),
    st.text("a -\N{RIGHT-TO-LEFT OVERRIDE}", min_size=1, max_size=64).filter(lambda text: text_fault(text) is None),
)


def terms_with(names: list[str], preset: str = "president") -> Terms:
    """Return terms of a table with these names, the first one a person's."""
    ruleset = load_preset(preset)
    kinds = [SeatKind.HUMAN, *[SeatKind.EASY] * (len(names) - 1)]
    seats = tuple(Seat(name, kind, b"") for name, kind in zip(names, kinds, strict=True))
    rules, rounds = ruleset.resolve(len(names)), ruleset.default_rounds()
    return Terms(bytes(16), 1, b"", rules, seats, rounds, Contributions.SEALED, "", 1)


def teller(names: int = 4, preset: str = "president") -> Teller:
    """Return what speaks to the first of so many."""
    return Teller(terms_with([f"Bot {seat}" for seat in range(names)], preset), 0)


# --- what an action did beyond itself


@many
@given(st.binary(min_size=32, max_size=32), st.integers(3, 6), st.integers(3, 8))
def test_effects_are_those_of_the_engine(rng: bytes, seats: int, size: int) -> None:
    """Under any rules what everybody can see tells why a trick closed and who missed a turn."""
    draws = Draws(rng)
    state, _ = random_round(draws, random_rules(draws, seats), seats, size)
    trick: list[Action] = []
    number = state.trick
    for before, action in played_at_random(state, draws):
        if trick and before.trick == number:
            check_effects(trick, before.law, before.sizes, before.turn, Effects(None, skip_of(trick, before.skipped)))
        elif trick:
            told_by_engine = Effects(before.closing, skip_of(trick, before.skipped))
            check_effects(trick, before.law, before.sizes, None, told_by_engine)
            trick = []
        number = before.trick
        trick.append(action)


def skip_of(trick: list[Action], skipped: int) -> int | None:
    """Return who the engine says was skipped by the last action, which a pass never does."""
    return None if skipped == NOBODY or not trick[-1].cards else skipped


def check_effects(trick: list[Action], law: Law, sizes: list[int], turn: int | None, expected: Effects) -> None:
    assert effects_of(trick, law, range(len(sizes)), sizes, turn) == expected


@pytest.mark.parametrize(
    ("preset", "plays", "closing"),
    [
        ("party", ["Kc", "2d"], Closing.TWOS),
        ("wild-joker", ["Kc Kd", "X1"], Closing.SWEEP),
        ("le-president", ["7c 7d", "7h 7s"], Closing.COMPLETED),
        ("president", ["Kc", ""], Closing.PASSES),
    ],
)
def test_every_closing_has_words_of_its_own(preset: str, plays: list[str], closing: Closing) -> None:
    """What clears the pile is named, and who leads next."""
    law = Law(load_preset(preset).resolve(4))
    trick = [set_action(seat, parse_cards(text)) if text else pass_action(seat) for seat, text in enumerate(plays)]
    effects = effects_of(trick, law, range(4), [5, 5, 5, 5], None)
    assert effects == Effects(closing, None)
    (line,) = teller(preset=preset).effects(effects, 0)
    assert line.endswith("; you lead next")


def test_a_burn_and_a_skip_are_told() -> None:
    """An equal play burns the pile or costs the next seat its turn, as the rules have it."""
    trick = [set_action(0, b"\x10"), set_action(1, b"\x11")]
    burning = Law(replace(load_preset("president", {"equal_rank": "burn"}).resolve(4)))
    skipping = Law(load_preset("party").resolve(4))
    assert effects_of(trick, burning, range(4), [5] * 4, None) == Effects(Closing.BURN, None)
    effects = effects_of(trick, skipping, range(4), [5] * 4, 3)
    assert teller().effects(effects, 3) == ["    Bot 2 misses its turn"]
    assert teller().effects(Effects(None, 0), 3) == ["    you miss your turn"]


def plays(*texts: str) -> list[Action]:
    """Return a trick of three seats in turn, beginning with seat 0; no cards are a pass."""
    return [set_action(at % 3, parse_cards(text)) if text else pass_action(at % 3) for at, text in enumerate(texts)]


def test_rare_effects() -> None:
    """What a random round hardly ever meets, case by case."""
    opened = Law(load_preset("president", {"equal_rank": "skip"}).resolve(3))
    locked = Law(load_preset("president", {"equal_rank": "skip", "pass": "locks"}).resolve(3))
    matched = plays("5c", "", "6c", "6d")
    assert effects_of(matched, opened, range(3), [3] * 3, 2) == Effects(None, 1)  # a pass is not for good
    assert effects_of(matched, locked, range(3), [3] * 3, 2) == Effects(None, None)
    assert effects_of(plays("5c", "", "6c", "6d"), locked, range(3), [3] * 3, None) == Effects(Closing.PASSES, 2)
    sweeping = Law(load_preset("wild-joker").resolve(3))
    assert effects_of(plays("5c", "X1"), sweeping, range(3), [3, 0, 3], None) == Effects(Closing.PASSES, None)
    several = Law(load_preset("le-president").resolve(4))
    assert effects_of(plays("4c 4d 4h 4s", "7c 7d 7h 7s"), several, range(3), [3] * 3, None).closing is Closing.PASSES
    assert effects_of(plays("7c 7d", "7h 7s"), several, range(3), [3] * 3, None).closing is Closing.COMPLETED


# --- what lines look like


@some
@given(st.lists(NAMES, min_size=3, max_size=8), st.data())
def test_every_line_fits_the_terminal_and_steers_nothing(names: list[str], data: st.DataObject) -> None:
    """Whatever names, titles and folders there are: no line is too long, and none has an unprintable character."""
    seats = len(names)
    terms = terms_with(names)
    terms = replace(terms, rules=replace(terms.rules, titles=tuple(data.draw(NAMES) for _ in range(5))))
    says = Teller(terms, data.draw(st.integers(0, seats - 1)))
    path = data.draw(NAMES)
    cards = data.draw(st.binary(max_size=40).map(lambda value: bytes(sorted(face % FACES for face in value))))
    some_cards = cards[:12] or b"\0"
    seat = st.integers(0, seats - 1)
    order = data.draw(st.permutations(range(1, seats + 1)))
    action = set_action(data.draw(seat), some_cards)
    figures = data.draw(st.lists(st.integers(-(10**6), 10**6), min_size=seats, max_size=seats))
    text = told(
        says.welcome(),
        says.opening(bytes(32), bytes(32), path),
        says.ticket(1, "fd1." + "x" * 300, path),
        says.hand("  you are dealt 18 cards  ", cards),
        says.gift(data.draw(seat), data.draw(seat), 2, some_cards, tribute=data.draw(st.booleans())),
        says.gift(data.draw(seat), data.draw(seat), 1, None, tribute=data.draw(st.booleans())),
        says.play([action]),
        says.play([action, pass_action(data.draw(seat))]),
        says.play([straight_action(data.draw(seat), some_cards)]),
        says.out(data.draw(seat), data.draw(st.none() | st.integers(1, 8))),
        says.turned(over=True),
        says.effects(Effects(data.draw(st.sampled_from(Closing)), data.draw(seat)), data.draw(seat)),
        says.turn(cards, action, [len(cards)] * seats, turned=True),
        says.choices([action, pass_action(0), straight_action(0, some_cards)]),
        says.owes(2, data.draw(seat)),
        says.round_over(1, order, [0] * seats, figures),
        says.totals(figures),
        says.match_over(figures, order),
        refusal("too-low", format_cards(some_cards), "a play does not beat the pile"),
        unclear(path, path),
    )
    for line in text.split("\n"):
        assert len(line) <= WIDTH, line
        assert line.isprintable()
        assert line == line.rstrip()


def test_hands_are_in_order_and_ranks_stand_apart() -> None:
    """Cards of a rank are side by side, wherever they stood."""
    says = teller()
    assert says.hand("  you  ", parse_cards("Td 3c X1 3h 3d")) == ["  you  3c 3d 3h  Td  X1"]
    assert says.hand("  you  ", b"") == ["  you  no card"]
    lines = says.hand("  you  ", bytes(range(54)))
    assert " ".join(" ".join(lines).split()[1:]) == format_cards(range(54))
    assert len(lines) > 1


def test_a_person_is_you() -> None:
    """Everybody else goes by the name in the terms, with the verbs that belong to it."""
    says = teller()
    lead = set_action(0, parse_cards("3c"))
    assert says.play([lead]) == ["", "  you lead 3c"]
    assert says.play([lead, set_action(1, parse_cards("4c"))]) == ["  Bot 1 plays 4c"]
    assert says.play([lead, pass_action(2)]) == ["  Bot 2 passes"]
    assert says.play([straight_action(1, parse_cards("3c 4d 5h"))]) == ["", "  Bot 1 leads the straight 3c 4d 5h"]
    assert says.gift(0, 1, 2, parse_cards("Kd 2s"), tribute=True) == ["  you give Bot 1 your best 2 cards: Kd 2s"]
    assert says.gift(1, 0, 1, parse_cards("3c"), tribute=False) == ["  Bot 1 gives you back 1 card: 3c"]
    assert says.gift(1, 2, 1, None, tribute=True) == ["  Bot 1 gives Bot 2 the best 1 card"]
    assert says.out(0, 1) == ["    you are out in place 1"]
    assert says.out(3, None) == ["    Bot 3 is out on a card that costs the place"]


def test_titles_are_the_rulesets_own_and_points_are_left_out_where_none_are_kept() -> None:
    """A round's end reads as the table's rules have it."""
    french = teller(preset="le-president").round_over(2, [2, 1, 3, 4], [1, 0, 3, 4], [0, 5, -10, -15])
    assert french[1:4] == ["round 2 is over", "  1.  +5  Président         Bot 1", "  2.  +0  Premier-Ministre  you"]
    card = teller(preset="wild-twos")
    assert card.round_over(1, [2, 1, 3, 4], [1, 0, 3, 4], [0] * 4)[2] == "  1. President       Bot 1"
    assert card.totals([0] * 4) == []
    assert "no points are kept" in card.match_over([0] * 4, ())[2]
    assert teller().match_over([3, 10, 3, 2], (2, 1, 2, 4))[2:4] == ["  1. 10  Bot 1", "  2.  3  you"]


def test_choices_are_written_as_they_are_typed() -> None:
    """Straights with their letter, passes as a `p`; straights are explained only where they are played."""
    legal = [pass_action(0), set_action(0, parse_cards("7c 7d")), straight_action(0, parse_cards("4c 5d 6h"))]
    lines = teller().choices(legal)
    assert lines[0] == "  lawful  p, 7c 7d, s 4c 5d 6h; other suits of a rank do as well"
    assert not any(line.startswith("  s ") for line in lines)
    ruleset = load_preset("president", {"straights": True})
    straights = Teller(replace(terms_with(["a", "b", "c"]), rules=ruleset.resolve(3)), 0)
    assert any(line.startswith("  s 4 5 6") for line in straights.choices(legal))


def test_a_pile_is_shown_with_who_played_it_and_what_the_others_hold() -> None:
    """A lead, a pile, an order turned over; who is out holds nothing."""
    says = teller()
    hand = parse_cards("3c")
    assert says.turn(hand, None, [1, 2, 0, 3], turned=False) == [
        "",
        "  pile    empty, you lead",
        "  others  Bot 1 2, Bot 2 out, Bot 3 3",
        "  you     3c",
    ]
    pile = says.turn(hand, set_action(1, parse_cards("4c 4d")), [1, 2, 0, 3], turned=True)[1]
    assert pile == "  pile    4c 4d by Bot 1 (the order is turned over)"


# --- the check of a hand


def test_a_hand_that_was_not_fixed_is_never_called_so() -> None:
    """The verdict stands in the line; a wrong hand or seed is told with the codes of what was found."""
    done = played()
    ticket: Ticket = done.tickets[0]
    seed = done.tree.seeds[0]
    good = seed_checked(seed, 13, verify_hand(ticket, seed, hand_of(ticket, seed)))
    assert good == [f"  seed    {seed.hex()}", "  check   your 13 cards were fixed before the round: verified"]
    other = seed_checked(seed, 13, verify_hand(ticket, seed, bytes(range(13))))
    assert other[1] == "  check   your 13 cards do not follow from ticket and seed: refuted"
    assert other[2].endswith("(cards-other)")
    assert seed_checked(seed, 13, None)[1] == "  check   your 13 cards cannot be checked: the ticket is gone"


def test_every_lawful_shape_is_offered() -> None:
    """What `?` lists is what the table offers, in its order."""
    state, _ = random_round(Draws(bytes(32)), load_preset("president").resolve(4), 4)
    listed = told(teller().choices(legal_shapes(state))).split("lawful")[1].split(";")[0]
    shapes = [" ".join(one.split()) for one in listed.split(",")]
    assert shapes == [format_cards(one.cards) for one in legal_shapes(state)]
