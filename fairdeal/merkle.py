"""The Merkle tree of RFC 6962: root, audit path, and the root an audit path leads to.

Leaves and nodes are hashed with different first bytes, and an odd node is carried up, never repeated: two different
lists of leaves cannot share a root.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from fairdeal.errors import Misuse


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of one leaf: SHA-256 of a zero byte and the leaf's data."""
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node: SHA-256 of a one byte and its two children."""
    return hashlib.sha256(b"\1" + left + right).digest()


def _refuse_outside(index: int, size: int) -> None:
    if not 0 <= index < size:
        raise Misuse(f"there is no leaf {index} in a tree of {size}")


def _split(size: int) -> int:
    """Return the largest power of two below `size`: how many leaves the left half holds."""
    return 1 << ((size - 1).bit_length() - 1)


def merkle_root(leaves: Sequence[bytes]) -> bytes:
    """Return the tree's root over the data of `leaves`; of no leaves it is the hash of nothing."""
    if not leaves:
        return hashlib.sha256().digest()
    level = [leaf_hash(leaf) for leaf in leaves]
    while len(level) > 1:
        above = [node_hash(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        if len(level) % 2:
            above.append(level[-1])
        level = above
    return level[0]


def audit_path(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """Return the siblings of leaf `index` from the bottom up (RFC 6962, section 2.1.1); raises `Misuse` outside."""
    _refuse_outside(index, len(leaves))
    if len(leaves) == 1:
        return ()
    half = _split(len(leaves))
    if index < half:
        return (*audit_path(leaves[:half], index), merkle_root(leaves[half:]))
    return (*audit_path(leaves[half:], index - half), merkle_root(leaves[:half]))


def path_length(index: int, size: int) -> int:
    """Return how many hashes the audit path of leaf `index` of `size` leaves has; raises `Misuse` outside."""
    _refuse_outside(index, size)
    length = 0
    while size > 1:
        half = _split(size)
        index, size = (index, half) if index < half else (index - half, size - half)
        length += 1
    return length


def root_from_path(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """Return the root that `path` leads to from the data of leaf `index` in a tree of `size` leaves.

    Raises `Misuse` where the path has not exactly the length that `index` and `size` ask for.
    """
    if len(path) != path_length(index, size):
        raise Misuse(f"an audit path of {len(path)} hashes does not fit leaf {index} of {size}")
    return _climb(leaf_hash(leaf), index, size, path)


def _climb(below: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    if size == 1:
        return below
    half = _split(size)
    if index < half:
        return node_hash(_climb(below, index, half, path[:-1]), path[-1])
    return node_hash(path[-1], _climb(below, index - half, size - half, path[:-1]))
