"""The Merkle tree against RFC 6962's known roots, and the collisions it must not have."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.errors import Misuse
from fairdeal.merkle import audit_path, leaf_hash, merkle_root, node_hash, path_length, root_from_path
from tests.strategies import hashes, known_answers, many

RFC: Any = known_answers("rfc6962_merkle")
INPUTS = [bytes.fromhex(leaf) for leaf in RFC["leaf_inputs_hex"]]
LARGEST = 130
BYTES = [bytes([number]) for number in range(LARGEST)]
leaves = st.lists(st.binary(max_size=3), max_size=9)


def tree_hash(data: Sequence[bytes]) -> bytes:
    """Return the root as RFC 6962 defines it, by recursion from the top."""
    if len(data) < 2:
        return hashlib.sha256(b"\0" + data[0] if data else b"").digest()
    half = 1
    while half * 2 < len(data):
        half *= 2
    return hashlib.sha256(b"\1" + tree_hash(data[:half]) + tree_hash(data[half:])).digest()


def repeating_root(data: Sequence[bytes]) -> bytes:
    """Return the root of the tree that must not be built: an odd level repeats its last node."""
    level = [leaf_hash(leaf) for leaf in data]
    while len(level) > 1:
        level += level[-1:] * (len(level) % 2)
        level = [node_hash(left, right) for left, right in zip(level[::2], level[1::2], strict=True)]
    return level[0]


@pytest.mark.parametrize("size", range(1, 9))
def test_roots_of_rfc_6962(size: int) -> None:
    """The roots of one to eight leaves are those of Certificate Transparency."""
    assert merkle_root(INPUTS[:size]).hex() == RFC["root_by_size_1_to_8"][size - 1]


def test_empty_root_and_single_hashes_of_rfc_6962() -> None:
    """The empty root, a leaf's hash and a node's hash are those of Certificate Transparency."""
    assert merkle_root([]).hex() == RFC["empty_root"]
    assert leaf_hash(b"L123456").hex() == RFC["leaf_hash_L123456"]
    assert node_hash(b"N123", b"N456").hex() == RFC["node_hash_N123_N456"]


def test_accumulated_hashes_of_all_trees_to_130_leaves() -> None:
    """Every root and every audit path of up to 130 leaves at once, by the two hashes that an IETF draft accumulates."""
    roots, paths = hashlib.sha256(), hashlib.sha256()
    for end in range(LARGEST + 1):
        for start in range(end + 1):
            if start % (1 << (end - start - 1).bit_length() if end > start else 1):
                continue
            tree = BYTES[start:end]
            roots.update(f"[{start}, {end}) {merkle_root(tree).hex()}\n".encode())
            for index in range(end - start):
                path = "".join(f" {one.hex()}" for one in audit_path(tree, index))
                paths.update(f"{start + index} [{start}, {end}){path}\n".encode())
    assert roots.hexdigest() == RFC["accumulated"]["subtree_hash_sha256"]
    assert paths.hexdigest() == RFC["accumulated"]["subtree_inclusion_sha256"]


def test_every_audit_path_leads_to_the_root() -> None:
    """For all sizes up to 130 each leaf's path leads to the root, and a path of another length is refused."""
    for size in range(1, LARGEST + 1):
        tree, root = BYTES[:size], tree_hash(BYTES[:size])
        assert merkle_root(tree) == root
        for index in range(size):
            path = audit_path(tree, index)
            assert len(path) == path_length(index, size)
            assert root_from_path(tree[index], index, size, path) == root
            for wrong in (path[:-1], (*path, root)):
                if wrong != path:
                    with pytest.raises(Misuse, match="does not fit"):
                        root_from_path(tree[index], index, size, wrong)


@given(st.lists(hashes, min_size=2, max_size=40), st.data())
@many
def test_a_changed_path_leads_elsewhere(tree: list[bytes], data: st.DataObject) -> None:
    """One flipped bit in the path or the leaf leads to another root."""
    index = data.draw(st.integers(0, len(tree) - 1))
    path = list(audit_path(tree, index))
    place = data.draw(st.integers(-1, len(path) - 1))
    bit = 1 << data.draw(st.integers(0, 255))
    leaf = tree[index]
    changed = (int.from_bytes(leaf if place < 0 else path[place], "big") ^ bit).to_bytes(32, "big")
    if place < 0:
        leaf = changed
    else:
        path[place] = changed
    assert root_from_path(leaf, index, len(tree), path) != merkle_root(tree)


@given(st.lists(hashes, min_size=2, max_size=40, unique=True), st.data())
@many
def test_a_path_fits_no_other_place(tree: list[bytes], data: st.DataObject) -> None:
    """The path of one leaf proves it at no other index, so a fingerprint cannot be shown for two rounds."""
    index, other = data.draw(st.lists(st.integers(0, len(tree) - 1), min_size=2, max_size=2, unique=True))
    path = audit_path(tree, index)
    if len(path) == path_length(other, len(tree)):
        assert root_from_path(tree[index], other, len(tree), path) != merkle_root(tree)


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0), (7, 3)])
def test_a_leaf_outside_the_tree_has_no_root(index: int, size: int) -> None:
    """An index that names no leaf is refused, whatever path comes with it."""
    with pytest.raises(Misuse, match="no leaf"):
        path_length(index, size)
    for length in range(4):
        with pytest.raises(Misuse, match="no leaf"):
            root_from_path(b"leaf", index, size, [bytes(32)] * length)


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (7, 3), (0, 0)])
def test_a_leaf_outside_the_tree_has_no_path(index: int, size: int) -> None:
    """Nobody gets an audit path for a round that the match does not have."""
    with pytest.raises(Misuse):
        audit_path(BYTES[:size], index)


def test_the_last_leaf_is_never_repeated() -> None:
    """The known pair of lists that share a root where an odd level repeats its last node has two roots here."""
    case = RFC["duplicate_last_node_collision"]
    first, second = ([leaf.encode() for leaf in case[name]] for name in ("leaves_1", "leaves_2"))
    assert repeating_root(first).hex() == repeating_root(second).hex() == case["dup_last_root"]
    assert merkle_root(first) != merkle_root(second)


@given(leaves, leaves)
@many
def test_different_leaves_have_different_roots(first: list[bytes], second: list[bytes]) -> None:
    """Two lists of leaves share a root only when they are one list, whatever their sizes."""
    assert (merkle_root(first) == merkle_root(second)) == (first == second)


@given(st.lists(st.binary(max_size=3), min_size=1, max_size=9), st.integers(1, 4))
@many
def test_a_list_with_its_end_repeated_has_another_root(tree: list[bytes], count: int) -> None:
    """Repeating the last leaves, in any number, never leaves the root as it was."""
    assert merkle_root(tree + tree[-count:]) != merkle_root(tree)


@given(st.binary(max_size=40), st.binary(max_size=40))
@many
def test_a_node_is_no_leaf(left: bytes, right: bytes) -> None:
    """The hashes of two leaves, taken as the data of one, do not make the same tree."""
    assert merkle_root([leaf_hash(left) + leaf_hash(right)]) != merkle_root([left, right])
