"""The file of a match secret: for its owner's eyes, never replaced, read strictly, and silent about what it holds."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.commit import seed_tree
from fairdeal.errors import FairdealError, Malformed, Misuse
from fairdeal.limits import MAX_ROUNDS
from fairdeal.secretfile import MatchSecret, read_secret, write_secret
from tests.strategies import hashes, some

SECRET = MatchSecret(bytes(range(32)), 5, bytes(range(32, 64)))


def shown(*values: object) -> str:
    """Return everything that printing these values could show."""
    return " ".join(f"{value!r} {value!s}" for value in values)


@given(hashes, st.integers(1, MAX_ROUNDS), hashes)
@some
def test_a_secret_comes_back(
    tmp_path_factory: pytest.TempPathFactory, terms: bytes, rounds: int, secret: bytes
) -> None:
    """Terms hash, rounds and secret are read as they were written."""
    path = tmp_path_factory.mktemp("secret") / "secret.json"
    kept = MatchSecret(terms, rounds, secret)
    write_secret(path, kept)
    assert read_secret(path) == kept


def test_the_file_names_its_format_and_terms(tmp_path: Path) -> None:
    """Another tool, or its owner, can tell what it is for."""
    path = tmp_path / "secret.json"
    write_secret(path, SECRET)
    assert json.loads(path.read_text()) == {
        "format": "fairdeal-secret/1",
        "terms_hash": SECRET.terms_hash.hex(),
        "rounds": 5,
        "secret": SECRET.secret.hex(),
    }
    assert path.read_text().endswith("}\n")


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o022, 0o077, 0o177])
def test_only_the_owner_can_read_it_from_the_first_moment(tmp_path: Path, umask: int) -> None:
    """The mode is 0600 at most, whatever the umask, and set when the file is made and not afterwards."""
    path = tmp_path / "secret.json"
    before = os.umask(umask)
    try:
        write_secret(path, SECRET)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 & ~umask


@pytest.mark.parametrize("what", ["file", "link", "dangling link", "folder"])
def test_what_is_there_already_is_never_replaced(tmp_path: Path, what: str) -> None:
    """A secret overwritten is a match that can never be closed."""
    path, other = tmp_path / "secret.json", tmp_path / "other"
    if what == "file":
        path.write_text("kept")
    elif what == "folder":
        path.mkdir()
    else:
        path.symlink_to(other)
        if what == "link":
            other.write_text("kept")
    with pytest.raises(FileExistsError):
        write_secret(path, SECRET)
    assert not other.exists() or other.read_text() == "kept"
    assert what != "file" or path.read_text() == "kept"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o666, 0o777])
def test_a_file_that_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    """Any permission of group or others; the error says how to take it away and nothing of the content."""
    path = tmp_path / "secret.json"
    write_secret(path, SECRET)
    path.chmod(mode)
    with pytest.raises(Misuse, match="others may read") as caught:
        read_secret(path)
    assert caught.value.where == str(path)
    assert caught.value.hint == f"run `chmod 600 {path}`"
    path.chmod(0o600)
    assert read_secret(path) == SECRET


def test_no_text_shows_the_secret_or_a_seed() -> None:
    """Printing, formatting or raising with a secret or its tree in hand tells nothing."""
    tree = SECRET.tree()
    assert tree == seed_tree(SECRET.secret, SECRET.terms_hash, 5)
    text = shown(SECRET, tree, [SECRET], {"secret": SECRET}, (tree,), RuntimeError(SECRET), RuntimeError(tree))
    text += f"{SECRET} {tree} {SECRET!r:>99} %s" % (SECRET,)
    for hidden in (SECRET.secret, *tree.seeds):
        assert hidden.hex() not in text
        assert repr(hidden)[2:-1] not in text
    assert SECRET.terms_hash.hex() in text


def document(**changes: Any) -> str:
    """Return the text of a secret file with some values changed; None takes one away."""
    whole = {"format": "fairdeal-secret/1", "terms_hash": "00" * 32, "rounds": 5, "secret": "5e" * 32} | changes
    return json.dumps({key: value for key, value in whole.items() if value is not None})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "5",
        '"text"',
        "[]",
        '["format", "terms_hash", "rounds", "secret"]',
        "{}",
        "{",
        document() + "x",
        document(format=None),
        document(terms_hash=None),
        document(rounds=None),
        document(secret=None),
        document(more=1),
        document(format="fairdeal-secret/2"),
        document(format=1),
        document(rounds=0),
        document(rounds=-1),
        document(rounds=MAX_ROUNDS + 1),
        document(rounds=5.0),
        document(rounds=True),
        document(rounds="5"),
        document(rounds=[5]),
        document(terms_hash="00" * 31),
        document(terms_hash=5),
        document(secret="5e" * 33),
        document(secret="5e" * 31),
        document(secret="0x" + "5e" * 31),
        document(secret="zz" * 32),
        document(secret=["5e"] * 32),
        document(secret=""),
        "[" * 100_000,
        '{"a":' * 100_000,
        "1" * 10_000,
    ],
)
def test_anything_else_is_no_secret_file(tmp_path: Path, text: str) -> None:
    """Every value is checked, and the error shows none of them."""
    path = tmp_path / "secret.json"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(Malformed, match="no match secret file") as caught:
        read_secret(path)
    assert caught.value.where == str(path)
    assert caught.value.hint
    assert "5e" * 4 not in shown(caught.value, *caught.value.args, caught.value.what)


def test_bytes_that_are_no_text_are_malformed(tmp_path: Path) -> None:
    """And shown as little."""
    path = tmp_path / "secret.json"
    path.write_bytes(document().encode() + b"\xff")
    path.chmod(0o600)
    with pytest.raises(FairdealError, match="UTF-8") as caught:
        read_secret(path)
    assert "5e" * 4 not in shown(caught.value, *caught.value.args)


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    """Which the command line turns into exit code 2."""
    with pytest.raises(FileNotFoundError):
        read_secret(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        write_secret(tmp_path / "none" / "secret.json", SECRET)


def test_a_secret_half_written_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where writing fails there is no file, so that the next try is not refused for it."""

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_secret(tmp_path / "secret.json", SECRET)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_secret(tmp_path: Path) -> None:
    """Advice on its permissions would lock its owner out."""
    with pytest.raises(IsADirectoryError):
        read_secret(tmp_path)
