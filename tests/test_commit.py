"""Seeds, fingerprints, the commitment and the contributions: what each binds, and what it does not give away."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.commit import (
    commitment_of_path,
    commitment_of_root,
    fingerprint,
    round_blind,
    round_seed,
    seal,
    seed_tree,
    terms_hash,
    transcript,
)
from fairdeal.errors import Misuse
from fairdeal.hashing import enc, tagged_hash
from fairdeal.limits import MAX_ROUNDS
from fairdeal.merkle import merkle_root
from fairdeal.shuffle import deck_stream
from tests.strategies import hashes, keys, many, some
from tests.test_hashing import hkdf

SECRET, TERMS = bytes(range(32)), bytes(range(32, 64))
rounds = st.integers(1, MAX_ROUNDS)


def test_a_round_seed_is_hkdf_of_the_secret() -> None:
    """s_r is derived from the secret, salted with the terms, with the round in its info, by hmac alone."""
    extracted = hmac.digest(TERMS, SECRET, "sha256")
    assert round_seed(SECRET, TERMS, 7) == hmac.digest(extracted, enc("round-seed", 7) + b"\1", "sha256")


def test_seeds_and_fingerprints_of_a_match_all_differ() -> None:
    """No two rounds of the longest match share a seed or a fingerprint, and no seed is a fingerprint."""
    tree = seed_tree(SECRET, TERMS, MAX_ROUNDS)
    assert len({*tree.seeds, *tree.fingerprints}) == 2 * MAX_ROUNDS


@given(hashes, hashes, st.integers(1, 40))
@some
def test_every_round_leads_to_the_commitment(secret: bytes, terms: bytes, total: int) -> None:
    """Each round's fingerprint and audit path lead to C, and the seed of the round to its fingerprint."""
    tree = seed_tree(secret, terms, total)
    commitment = tree.commitment()
    assert commitment == commitment_of_root(terms, total, merkle_root(tree.fingerprints))
    for number, (seed, mark) in enumerate(zip(tree.seeds, tree.fingerprints, strict=True), 1):
        assert seed == round_seed(secret, terms, number)
        assert mark == fingerprint(terms, number, seed)
        assert commitment_of_path(terms, total, number, mark, tree.path(number)) == commitment


@given(st.integers(2, 40), st.data())
@some
def test_the_commitment_binds_the_number_of_rounds(total: int, data: st.DataObject) -> None:
    """A path for another number of rounds leads to another C or fits no tree: N cannot be chosen afterwards."""
    tree = seed_tree(SECRET, TERMS, total)
    number = data.draw(st.integers(1, total))
    other = data.draw(st.integers(1, 60).filter(lambda size: size != total))
    try:
        found = commitment_of_path(TERMS, other, number, tree.fingerprints[number - 1], tree.path(number))
    except Misuse:
        return
    assert found != tree.commitment()


@pytest.mark.parametrize("number", [0, 6, -1])
def test_no_path_leads_from_a_round_outside_the_match(number: int) -> None:
    """Round numbers outside 1 … N have no path and no commitment."""
    tree = seed_tree(SECRET, TERMS, 5)
    with pytest.raises(Misuse):
        commitment_of_path(TERMS, 5, number, tree.fingerprints[0], tree.path(1))


@given(hashes, hashes, st.integers(0, 7), hashes)
@many
def test_a_copied_seal_never_opens(terms: bytes, commitment: bytes, seat: int, contribution: bytes) -> None:
    """A seat that copies the seal of another cannot open it with the other's contribution."""
    seals = {seal(terms, commitment, other, contribution) for other in range(8)}
    assert len(seals) == 8
    assert seal(terms, commitment, seat, contribution) in seals


@given(st.lists(keys, min_size=3, max_size=8), st.lists(keys, min_size=3, max_size=8))
@many
def test_the_transcript_binds_every_contribution(first: list[bytes], second: list[bytes]) -> None:
    """T is the same only for the same contributions of the same seats, empty ones in their places."""
    assert (transcript(TERMS, SECRET, first) == transcript(TERMS, SECRET, second)) == (first == second)


def test_contributions_that_cancel_do_not() -> None:
    """Two equal contributions are not nothing: T is a hash of all of them and no sum."""
    same = bytes([9]) * 32
    values = [[b"", b"", b""], [same, same, b""], [same, b"", same], [b"", same, same], [same, b"", b""]]
    assert len({transcript(TERMS, SECRET, one) for one in values}) == len(values)


@given(hashes, hashes, st.lists(keys, min_size=3, max_size=8), rounds, hashes)
@some
def test_values_follow_their_formulas(
    terms: bytes, other: bytes, contributions: list[bytes], number: int, beacon: bytes
) -> None:
    """Each value is the hash of its own tag and fields in the order written, computed here by SHA-256 alone."""

    def hashed(purpose: str, *values: bytes | int) -> bytes:
        return hashlib.sha256(enc(purpose, *values)).digest()

    mixed = enc("contributions", *contributions)
    assert terms_hash(terms) == hashed("terms", terms)
    assert fingerprint(terms, number, other) == hashed("fingerprint", terms, number, other)
    assert commitment_of_root(terms, number, other) == hashed("commitment", terms, number, other)
    assert seal(terms, other, number % 8, beacon) == hashed("contribution", terms, other, number % 8, beacon)
    assert transcript(terms, other, contributions) == hashed("transcript", terms, other, mixed, b"")
    assert transcript(terms, other, contributions, beacon) == hashed("transcript", terms, other, mixed, beacon)
    assert round_blind(other, terms, number) == hkdf(other, terms, enc("blind", number), 16)


def test_a_beacon_is_no_contribution() -> None:
    """The beacon's value has a field of its own in T."""
    beacon = bytes(32)
    found = {transcript(TERMS, SECRET, [b"", beacon]), transcript(TERMS, SECRET, [b"", b""], beacon)}
    assert len(found) == 2


VALUES: list[Callable[[list[bytes], int], bytes]] = [
    lambda v, n: round_seed(v[0], v[1], n),
    lambda v, n: fingerprint(v[0], n, v[1]),
    lambda v, n: commitment_of_root(v[0], n, v[1]),
    lambda v, n: seal(v[0], v[1], n, v[2]),
    lambda v, n: transcript(v[0], v[1], [v[2], bytes([n % 251])]),
    lambda v, n: round_blind(v[0], v[1], n),
]


@pytest.mark.parametrize("value", VALUES)
@given(st.lists(hashes, min_size=3, max_size=3), st.integers(1, 249), st.data())
@some
def test_every_argument_matters(
    value: Callable[[list[bytes], int], bytes], arguments: list[bytes], number: int, data: st.DataObject
) -> None:
    """One flipped bit of any argument, or the next number, changes the value, and each value is of full length."""
    before = value(arguments, number)
    assert len(before) in (16, 32)
    assert value(arguments, number + 1) != before
    used = 3 if value in (VALUES[3], VALUES[4]) else 2
    place = data.draw(st.integers(0, used - 1))
    changed = int.from_bytes(arguments[place], "big") ^ 1 << data.draw(st.integers(0, 255))
    arguments = [*arguments[:place], changed.to_bytes(32, "big"), *arguments[place + 1 :]]
    assert value(arguments, number) != before


@given(hashes, hashes, rounds)
@some
def test_values_of_one_seed_share_nothing(terms: bytes, seed: bytes, number: int) -> None:
    """Deck stream, blind, fingerprint and seed of a round have different beginnings: none gives away another."""
    values = [
        seed,
        fingerprint(terms, number, seed),
        round_blind(seed, terms, number),
        deck_stream(seed, terms, number),
    ]
    values += [round_seed(seed, terms, number), tagged_hash("bot", number), terms_hash(seed)]
    assert len({value[:16] for value in values}) == len(values)


@given(hashes, hashes, rounds)
@some
def test_what_is_shown_before_the_round_deals_other_cards(terms: bytes, secret: bytes, number: int) -> None:
    """Neither the fingerprint nor C, put in the place of the seed, gives the deck stream."""
    tree = seed_tree(secret, terms, 1)
    mixed = transcript(terms, tree.commitment(), [b""] * 4)
    true = deck_stream(tree.seeds[0], mixed, number, 64)
    for shown in (tree.fingerprints[0], tree.commitment(), mixed, terms):
        assert deck_stream(shown, mixed, number, 64) != true


def test_a_seed_tree_never_shows_a_seed() -> None:
    """However a tree is printed, no byte of its seeds is in the text."""
    tree = seed_tree(SECRET, TERMS, 3)
    for text in (repr(tree), str(tree), f"{tree}", f"{tree!r}", format(tree), repr([tree]), repr({"tree": tree})):
        assert "<SeedTree of 3 rounds>" in text
        for seed in (*tree.seeds, *tree.fingerprints):
            assert seed.hex()[:8] not in text
            assert repr(seed)[2:-1] not in text


@given(st.binary(max_size=100), st.binary(max_size=100))
@some
def test_the_terms_hash_is_of_the_exact_bytes(first: bytes, second: bytes) -> None:
    """Two terms records have one hash only when they are the same bytes."""
    assert (terms_hash(first) == terms_hash(second)) == (first == second)
