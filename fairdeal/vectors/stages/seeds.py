"""The vector files of what is fixed before the first deal: seeds, commitment, contributions and transcript."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairdeal.codes import Code
from fairdeal.commit import seal, seed_tree, transcript
from fairdeal.hashing import enc
from fairdeal.limits import MAX_ROUNDS
from fairdeal.merkle import leaf_hash, merkle_root
from fairdeal.vectors.envelope import Stage, Test, draws_for, invalid, valid

ROUNDS_TREES: Final = (1, 2, 3, 4, 5, 7, 8, 9, 100, MAX_ROUNDS)
# around the bytes of a round's number and the halves of the largest tree, whose paths have ten hashes
LISTED_OF_MOST: Final = (1, 2, 256, 257, 512, 999, 1000)


def seeds_stage() -> Stage:
    """Return the tests of secret -> seeds -> fingerprints -> root -> commitment -> audit paths."""
    header = [
        "From the match secret M and the terms hash to the seed s_r and fingerprint F_r of every round, the",
        "Merkle root over F_1..F_N and the commitment C. `paths` lists the audit path of each fingerprint,",
        "siblings from the bottom up. The lists hold the values of the rounds in `listed`.",
    ]
    return Stage("seeds", header, list(_seed_tests()))


def _listed(rounds: int) -> list[int]:
    if rounds == MAX_ROUNDS:
        return list(LISTED_OF_MOST)
    return list(range(1, rounds + 1)) if rounds <= 9 else [1, 2, rounds - 1, rounds]


def _seed_tests() -> Iterator[Test]:
    for rounds in ROUNDS_TREES:
        draws = draws_for(f"seeds {rounds}")
        secret, terms = draws.take(32), draws.take(32)
        tree = seed_tree(secret, terms, rounds)
        which = _listed(rounds)
        yield valid(
            f"{rounds} rounds",
            secret=secret.hex(),
            termsHash=terms.hex(),
            rounds=rounds,
            listed=which,
            seedInfo=[enc("round-seed", number).hex() for number in which],
            seeds=[tree.seeds[number - 1].hex() for number in which],
            fingerprints=[tree.fingerprints[number - 1].hex() for number in which],
            leaves=[leaf_hash(tree.fingerprints[number - 1]).hex() for number in which],
            paths=[[one.hex() for one in tree.path(number)] for number in which],
            root=merkle_root(tree.fingerprints).hex(),
            commitment=tree.commitment().hex(),
        )
    draws = draws_for("seeds other")
    secret, terms = draws.take(32), draws.take(32)
    opened = seed_tree(secret, terms, 5).commitment()
    given = {"termsHash": terms.hex(), "rounds": 5, "commitment": opened.hex()}
    flipped = bytes([secret[0] ^ 1]) + secret[1:]
    code, place = Code.COMMITMENT, "close.secret"
    yield invalid("a secret with one bit flipped", code, place, secret=flipped.hex(), **given)
    yield invalid("the right secret for six rounds", code, place, secret=secret.hex(), **given | {"rounds": 6})
    other = given | {"termsHash": "00" * 32}
    yield invalid("the right secret under other terms", code, place, secret=secret.hex(), **other)


def contributions_stage() -> Stage:
    """Return the tests of contributions -> seals -> transcript."""
    header = [
        "Each seat's sealed contribution K, and the transcript T over terms hash, commitment and all contributions.",
        "An empty string stands for a seat that contributes nothing; it has no seal.",
    ]
    return Stage("contributions", header, list(_contribution_tests()))


def _contribution_tests() -> Iterator[Test]:
    for seats, human in ((3, 0), (3, 3), (4, 2), (5, 5), (8, 8), (8, 1)):
        draws = draws_for(f"contributions {seats} {human}")
        terms, commitment = draws.take(32), draws.take(32)
        values = [draws.take(32) if seat < human else b"" for seat in range(seats)]
        yield valid(
            f"{seats} seats, {human} of them contribute",
            termsHash=terms.hex(),
            commitment=commitment.hex(),
            contributions=[value.hex() for value in values],
            seals=[seal(terms, commitment, seat, value).hex() if value else "" for seat, value in enumerate(values)],
            encodedContributions=enc("contributions", *values).hex(),
            transcript=transcript(terms, commitment, values).hex(),
        )
    draws = draws_for("contributions opened")
    terms, commitment, value = draws.take(32), draws.take(32), draws.take(32)
    given = {"termsHash": terms.hex(), "commitment": commitment.hex()}
    own = seal(terms, commitment, 1, value).hex()
    flipped = bytes([value[0] ^ 0x80]) + value[1:]
    code = Code.CONTRIBUTION_OPENING
    yield invalid("another seat's seal copied", code, "opened[2]", seat=2, seal=own, contribution=value.hex(), **given)
    yield invalid("one bit flipped", code, "opened[1]", seat=1, seal=own, contribution=flipped.hex(), **given)
