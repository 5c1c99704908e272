"""The match secret, its tree of round seeds, the commitment, and the players' contributions (SPEC, "Seeds").

Everything here is a pure function of its arguments. Random bytes come in from outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fairdeal.hashing import derive, enc, tagged_hash, whole
from fairdeal.limits import BLIND_BYTES, BOT_STREAM_BYTES
from fairdeal.merkle import audit_path, merkle_root, root_from_path


def terms_hash(terms_bytes: bytes) -> bytes:
    """Return the hash that ties everything to one match: of the exact bytes of the terms record."""
    return tagged_hash("terms", terms_bytes)


def round_seed(secret: bytes, terms: bytes, round_number: int) -> bytes:
    """Return s_r, the 32-byte seed of a round (counted from 1); raises `Misuse` for no secret of 32 bytes."""
    return derive(whole(secret, "a match secret"), terms, enc("round-seed", round_number))


def fingerprint(terms: bytes, round_number: int, seed: bytes) -> bytes:
    """Return F_r: what a player is shown of a seed before the round; raises `Misuse` for no seed of 32 bytes."""
    return tagged_hash("fingerprint", terms, round_number, whole(seed, "a round seed"))


def commitment_of_root(terms: bytes, rounds: int, root: bytes) -> bytes:
    """Return C for a tree of `rounds` fingerprints with this root."""
    return tagged_hash("commitment", terms, rounds, root)


def commitment_of_path(terms: bytes, rounds: int, round_number: int, mark: bytes, path: Sequence[bytes]) -> bytes:
    """Return the C that fingerprint `mark` of a round and its audit path lead to; raises `Misuse` on a wrong length."""
    return commitment_of_root(terms, rounds, root_from_path(mark, round_number - 1, rounds, path))


class SeedTree(NamedTuple):
    """All N seeds of a match with their fingerprints; `seeds[0]` is round 1. Holds secrets: never log one."""

    terms: bytes
    seeds: tuple[bytes, ...]
    fingerprints: tuple[bytes, ...]

    def __repr__(self) -> str:
        """Name the size only."""
        return f"<SeedTree of {len(self.seeds)} rounds>"

    def commitment(self) -> bytes:
        """Return C."""
        return commitment_of_root(self.terms, len(self.seeds), merkle_root(self.fingerprints))

    def path(self, round_number: int) -> tuple[bytes, ...]:
        """Return the audit path of a round's fingerprint."""
        return audit_path(self.fingerprints, round_number - 1)


def seed_tree(secret: bytes, terms: bytes, rounds: int) -> SeedTree:
    """Return the seeds and fingerprints of rounds 1 … `rounds`."""
    seeds = tuple(round_seed(secret, terms, number) for number in range(1, rounds + 1))
    return SeedTree(terms, seeds, tuple(fingerprint(terms, number, seed) for number, seed in enumerate(seeds, 1)))


def seal(terms: bytes, commitment: bytes, seat: int, contribution: bytes) -> bytes:
    """Return K, the sealed form of a seat's contribution; the seat number keeps a copied seal from ever opening."""
    return tagged_hash("contribution", terms, commitment, seat, contribution)


def transcript(terms: bytes, commitment: bytes, contributions: Sequence[bytes], beacon: bytes = b"") -> bytes:
    """Return T, what the operator could not choose; `contributions` has one entry per seat, empty where none is due."""
    return tagged_hash("transcript", terms, commitment, enc("contributions", *contributions), beacon)


def round_blind(seed: bytes, transcript_hash: bytes, round_number: int) -> bytes:
    """Return the blind that keeps digests of a running log from being searched for hidden cards."""
    return derive(seed, transcript_hash, enc("blind", round_number), BLIND_BYTES)


def bot_stream(seed: bytes, transcript_hash: bytes, round_number: int, seat: int) -> bytes:
    """Return what a seat's bot draws from in a round: a block of `limits.BOT_BLOCK_BYTES` for each decision there."""
    return derive(seed, transcript_hash, enc("bot", round_number, seat), BOT_STREAM_BYTES)
