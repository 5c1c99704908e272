"""The vectors are what this version makes, they pass, and a vector that says anything else fails."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fairdeal.codes import NO_VERDICT, Code
from fairdeal.errors import Misuse
from fairdeal.vectors import envelope
from fairdeal.vectors.check import STAGES, check, check_file, shipped
from fairdeal.vectors.make import make, vector_files

TOP = Path(__file__).parents[1]
VECTORS = TOP / "vectors" / "v1"
# what a log and evidence cannot show: these belong to `verify` and to files that cannot be read
ELSEWHERE = {Code.CARDS_OTHER, Code.NOT_COMPARED, Code.UNREADABLE}


@pytest.fixture(scope="module")
def made() -> Mapping[str, bytes]:
    """Return every vector file as made now."""
    return vector_files()


def document(stage: str) -> dict[str, Any]:
    """Return the vector file of a stage."""
    loaded: dict[str, Any] = json.loads((VECTORS / f"{stage}.json").read_text("ascii"))
    return loaded


def test_the_tree_is_what_this_version_makes(made: Mapping[str, bytes]) -> None:
    """Nobody has edited a vector by hand, and none is left over."""
    found = {str(path.relative_to(VECTORS)): path.read_bytes() for path in VECTORS.rglob("*") if path.is_file()}
    assert found.keys() == made.keys()
    assert [name for name in made if found[name] != made[name]] == []


def test_making_removes_what_is_no_longer_made(tmp_path: Path, made: Mapping[str, bytes]) -> None:
    """A vector that is not made any more does not stay behind."""
    (tmp_path / "match").mkdir()
    (tmp_path / "match" / "old.fdl").write_bytes(b"old")
    paths = make(tmp_path)
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == paths
    assert len(paths) == len(made)


def test_every_vector_passes() -> None:
    """This implementation agrees with every vector, those that ship with it."""
    with shipped() as folder:
        results = list(check(folder))
    assert [result.file for result in results] == [f"{name}.json" for name in STAGES]
    assert all(result.passed and not result.failures for result in results)


def test_every_code_has_a_vector() -> None:
    """Every finding an audit can make is the expectation of some vector."""
    codes = {Code(one["code"]) for test in envelope.tests_of(document("match")) for one in test["findings"]}
    for stage in ("codec", "play"):
        codes |= {Code(test["code"]) for test in envelope.tests_of(document(stage)) if "code" in test}
    assert set(Code) - codes == ELSEWHERE
    assert set(NO_VERDICT) - ELSEWHERE <= codes


@pytest.mark.parametrize("stage", sorted(STAGES))
def test_no_field_can_change_unnoticed(stage: str, tmp_path: Path) -> None:
    """Every value a vector states is compared: each changed alone makes exactly its own test fail.

    The inputs of an input that must be refused may change: the changed one is refused too.
    """
    loaded = document(stage)
    shutil.copytree(VECTORS / "match", tmp_path / "match")
    # inputs that no output need depend on, or words
    given = {"tcId", "comment", "seat", "listed", "shows", "first", "maximum", "claim"}
    first, last = keep_two_groups(loaded)
    for test in [first["tests"][0], last["tests"][-1]]:
        for key, value in list(test.items()):
            if key in given or (test["result"] == "invalid" and key not in ("result", "code", "place", "verdict")):
                continue
            test[key] = changed(value)
            assert failing(loaded, tmp_path / f"{stage}.json") == [str(test["tcId"])], key
            test[key] = value


@pytest.mark.parametrize("stage", sorted(STAGES))
def test_no_shared_field_can_be_missing(stage: str, tmp_path: Path) -> None:
    """What stands once for a group is needed by all its tests."""
    loaded = document(stage)
    group, _ = keep_two_groups(loaded)
    for key in group.keys() - {"type", "tests"}:
        value = group.pop(key)
        assert failing(loaded, tmp_path / f"{stage}.json") == [str(test["tcId"]) for test in group["tests"]]
        group[key] = value


def keep_two_groups(loaded: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Cut a vector file down to its first and its last group, which may be the same, and return both."""
    groups = loaded["testGroups"]
    loaded["testGroups"] = groups if len(groups) == 1 else [groups[0], groups[-1]]
    loaded["numberOfTests"] = sum(len(group["tests"]) for group in loaded["testGroups"])
    return groups[0], groups[-1]


def failing(loaded: Mapping[str, Any], path: Path) -> list[str]:
    """Return the numbers of the tests that fail in a vector file with this content."""
    path.write_text(json.dumps(loaded))
    return [line.split(" ")[1] for line in check_file(path).failures]


def changed(value: object) -> object:
    """Return something like `value` that differs."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}0"
        case list():
            return value[:-1] if value else ["0"]
        case dict():
            return dict(list(value.items())[:-1]) if value else {"0": 0}
        case _:
            raise TypeError(type(value).__name__)


def test_files_that_are_no_vectors_fail(tmp_path: Path) -> None:
    """A vector file that cannot be read, or holds no test, has not passed."""
    for text in ("", "[]", "{}", '{"testGroups": [], "numberOfTests": 0}', '{"testGroups": [{"tests": 5}]}'):
        (tmp_path / "seeds.json").write_text(text)
        (result,) = check(tmp_path)
        assert (result.passed, len(result.failures)) == (0, 1)


def test_a_folder_without_vectors_is_refused(tmp_path: Path) -> None:
    """No vectors is not all vectors passed."""
    with pytest.raises(Misuse):
        list(check(tmp_path))


def test_the_map_names_every_module() -> None:
    """A newcomer finds each module in the package's map."""
    text = (TOP / "fairdeal" / "__init__.py").read_text("utf-8").split('"""')[1]
    modules = {path.stem for path in (TOP / "fairdeal").glob("*.py")} - {"__init__", "__main__"}
    modules |= {path.parent.name for path in (TOP / "fairdeal").glob("*/__init__.py")}
    assert sorted(name for name in modules if f"`{name}`" not in text) == []
