"""Faces, ranks, the list before the shuffle, and the notation people write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.cards import (
    CARD_NAMES,
    FACES,
    JOKER_RANK,
    NO_RANK,
    RANK_NAMES,
    THREE_OF_CLUBS,
    common_rank,
    format_cards,
    fresh_cards,
    parse_card,
    parse_cards,
    rank_of,
)
from fairdeal.errors import Misuse
from tests.strategies import faces, many

hands = st.lists(faces, max_size=20).map(bytes)
SPELLINGS = {
    spelling
    for name in CARD_NAMES
    for written in (name, name.replace("T", "10"))
    for spelling in (written, written.upper(), written.lower(), written.swapcase())
}


def test_faces_run_by_rank_and_suit() -> None:
    """The three of clubs is 0, faces rise by rank and then by suit, the jokers are last."""
    assert CARD_NAMES[THREE_OF_CLUBS] == "3c"
    assert CARD_NAMES[:5] == ("3c", "3d", "3h", "3s", "4c")
    assert CARD_NAMES[28:32] == ("Tc", "Td", "Th", "Ts")
    assert CARD_NAMES[44:] == ("Ac", "Ad", "Ah", "As", "2c", "2d", "2h", "2s", "X1", "X2")
    assert len(set(CARD_NAMES)) == FACES


@pytest.mark.parametrize("face", range(FACES))
def test_a_face_has_one_name(face: int) -> None:
    """Each face is written in one way and read back from it."""
    assert parse_card(format_cards([face])) == face


def test_ranks_of_faces() -> None:
    """Four faces to a rank, two to the joker, and a name for each rank."""
    assert [rank_of(face) for face in range(FACES)] == [face // 4 for face in range(52)] + [JOKER_RANK] * 2
    assert len(RANK_NAMES) == JOKER_RANK + 1
    assert (RANK_NAMES[0], RANK_NAMES[7], RANK_NAMES[12], RANK_NAMES[13]) == ("3", "10", "2", "joker")


@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_the_list_before_the_shuffle(packs: int, jokers: int) -> None:
    """Faces upwards, jokers last, and with two packs the whole of it twice."""
    pack = [*range(52), 52, 53][: 52 + jokers]
    assert list(fresh_cards(packs, jokers)) == pack * packs


@given(hands.filter(bool))
@many
def test_common_rank_is_the_rank_of_all(cards: bytes) -> None:
    """A rank is common only when every card has it; jokers are a rank of their own."""
    ranks = {rank_of(face) for face in cards}
    assert common_rank(cards) == (ranks.pop() if len(ranks) == 1 else NO_RANK)


@given(hands)
@many
def test_cards_are_read_back_as_written(cards: bytes) -> None:
    """A list of cards survives being written, in order and with repeats."""
    assert parse_cards(format_cards(cards)) == cards


@given(
    st.lists(faces, max_size=6), st.lists(st.sampled_from([" ", ",", ", ", "  ", "\t", "\n"]), min_size=7, max_size=7)
)
@many
def test_blanks_and_commas_separate(cards: list[int], gaps: list[str]) -> None:
    """Any mix of blanks and commas stands between cards."""
    text = gaps[-1] + "".join(CARD_NAMES[face] + gap for face, gap in zip(cards, gaps, strict=False))
    assert list(parse_cards(text)) == cards


@pytest.mark.parametrize(("text", "name"), [("10c", "Tc"), ("10S", "Ts"), ("tC", "Tc"), ("x1", "X1"), ("KS", "Ks")])
def test_other_spellings_of_a_card(text: str, name: str) -> None:
    """Tens may be written out, and case does not matter."""
    assert CARD_NAMES[parse_card(text)] == name


@pytest.mark.parametrize(
    "text", ["", "c", "1c", "11c", "X0", "X3", "x10", "3", "c3", "3cc", "101c", "0c", "3♣", "10", "T", "1 0c", "-3c"]
)
def test_what_is_no_card(text: str) -> None:
    """Anything else is refused with the notation as a hint."""
    with pytest.raises(Misuse, match="is not a card") as caught:
        parse_card(text)
    assert "3c" in caught.value.hint


def test_look_alikes_are_no_cards() -> None:
    """Letters of other alphabets that turn into k, s or digits by case or form are refused."""
    for text in ("\u212as", "\u212ac", "3\u017f", "\uff13c", "\u0663c", "3\uff43"):
        with pytest.raises(Misuse, match="is not a card"):
            parse_card(text)


@given(st.text(max_size=4))
@many
def test_a_text_is_a_card_or_refused(text: str) -> None:
    """Only the documented spellings name a card; nothing else comes out of any text."""
    try:
        face = parse_card(text)
    except Misuse:
        assert text not in SPELLINGS
    else:
        assert text in SPELLINGS
        assert 0 <= face < FACES
