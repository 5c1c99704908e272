"""The vectors are what this version makes, they pass, and a vector that says anything else fails."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Mapping
from hashlib import sha512
from pathlib import Path
from typing import Any, Final

import msgpack
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.codes import ACROSS, NO_VERDICT, Code
from fairdeal.errors import Malformed, Misuse
from fairdeal.limits import MAX_INT, MIN_INT
from fairdeal.sign import public_key, signed_message
from fairdeal.values import canonical, value_at
from fairdeal.vectors import envelope
from fairdeal.vectors.answers import STAGES
from fairdeal.vectors.broken.spellings import longer_forms, pack
from fairdeal.vectors.check import check, check_file, shipped
from fairdeal.vectors.make import make, vector_files
from fairdeal.vectors.stages import accumulated as accumulated_stage
from fairdeal.vectors.stages import receipt as receipt_stage
from fairdeal.vectors.stages import signature as signature_stage
from fairdeal.vectors.stages.cases import Recompute
from fairdeal.vectors.stages.claims import claimed
from fairdeal.vectors.stages.curve import BASE, NEUTRAL, ORDER, add, encoded, point_with, small_order, times
from tests.strategies import hashes, some

TOP = Path(__file__).parents[1]
VECTORS = TOP / "vectors" / "v1"
# what a log and evidence cannot show: these belong to `verify`, to files that cannot be read and to several logs
ELSEWHERE = {Code.CARDS_OTHER, Code.NOT_COMPARED, Code.UNREADABLE} | ACROSS
# stages that answer by a function of their own, with the names of their inputs
OWN: Final[Mapping[str, tuple[Recompute, tuple[str, ...]]]] = {
    "signature": (signature_stage.recompute, signature_stage.INPUTS),
    "receipt": (receipt_stage.recompute, receipt_stage.INPUTS),
    "accumulated": (accumulated_stage.recompute, accumulated_stage.INPUTS),
}
BY_HAND: Final = (
    *("seeds", "contributions", "shuffle", "deal", "ticket"),
    *("codec", "signature", "receipt", "accumulated", "bots"),
)


@pytest.fixture(scope="module")
def made() -> Mapping[str, bytes]:
    """Return every vector file as made now."""
    return vector_files()


def too_long(test: Mapping[str, Any]) -> bool:
    """Return whether a test is one of those that this implementation declines."""
    return int(test.get("count", 0)) > accumulated_stage.PREFIX.get(test.get("what", ""), 0)


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


@pytest.mark.parametrize("stage", OWN)
def test_a_stage_recomputes_its_file_from_inputs_alone(stage: str) -> None:
    """Only what a stage calls its inputs is needed for all that its tests state."""
    recompute, inputs = OWN[stage]
    for test in envelope.tests_of(document(stage)):
        given = {name: test[name] for name in inputs if name in test}
        if too_long(test):
            with pytest.raises(envelope.Declined):
                recompute(given)
            continue
        answer = recompute(given)
        stated = {key: value for key, value in test.items() if key not in {"tcId", "comment", *inputs}}
        assert {"result": "valid", **answer} == stated, test["comment"]


def test_every_code_has_a_vector() -> None:
    """Every finding an audit can make is the expectation of some vector."""
    codes = {Code(one["code"]) for test in envelope.tests_of(document("match")) for one in test["findings"]}
    for stage in ("codec", "play", "ticket", "signature", "receipt"):
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
    for test in keep_some(loaded, declined=3 if stage == "accumulated" else 0):
        for key, value in list(test.items()):
            if key in given or (test["result"] == "invalid" and key not in ("result", "code", "place", "verdict")):
                continue
            test[key] = changed(value)
            assert failing(loaded, tmp_path / f"{stage}.json") == [str(test["tcId"])], key
            test[key] = value


@pytest.mark.parametrize("stage", BY_HAND)
def test_no_two_tests_are_the_same(stage: str) -> None:
    """Each test of the protocol's stages says something of its own, and asks something of its own."""
    names = OWN[stage][1] if stage in OWN else (*STAGES[stage].inputs, *STAGES[stage].other, "logParts")
    tests = envelope.tests_of(document(stage))
    inputs = Counter(json.dumps({name: test[name] for name in names if name in test}) for test in tests)
    comments = Counter(test["comment"] for test in tests)
    assert [one for one, times in (inputs + comments).items() if times > 1] == []


def test_the_files_stay_small() -> None:
    """Whoever copies the vectors into a repository of their own need not think about it."""
    assert max(path.stat().st_size for path in VECTORS.glob("*.json") if path.stem != "play") <= 450_000


@pytest.mark.parametrize("stage", sorted(STAGES))
def test_no_shared_field_can_be_missing(stage: str, tmp_path: Path) -> None:
    """What stands once for a group is needed by all its tests."""
    loaded = document(stage)
    keep_some(loaded)
    group = loaded["testGroups"][0]
    for key in group.keys() - {"type", "tests"}:
        value = group.pop(key)
        assert failing(loaded, tmp_path / f"{stage}.json") == [str(test["tcId"]) for test in group["tests"]]
        group[key] = value


def keep_some(loaded: dict[str, Any], declined: int = 0) -> tuple[dict[str, Any], dict[str, Any]]:
    """Cut a vector file down to the first two tests of its first group and the last two of its last one.

    Those `declined` at the end are left out. Returns the first test and the last.
    """
    groups = loaded["testGroups"]
    ends = groups if len(groups) == 1 else [groups[0], groups[-1]]
    first, last = ends[0]["tests"][:2], ends[-1]["tests"][: len(ends[-1]["tests"]) - declined][-2:]
    for group in ends:
        group["tests"] = [test for test in group["tests"] if test in first or test in last]
    loaded["testGroups"] = ends
    loaded["numberOfTests"] = sum(len(group["tests"]) for group in ends)
    return first[0], last[-1]


def failing(loaded: Mapping[str, Any], path: Path) -> list[str]:
    """Return the numbers of the tests that fail in a vector file with this content, each once."""
    path.write_text(json.dumps(loaded))
    return list(dict.fromkeys(line.split(" ")[1] for line in check_file(path).failures))


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
    path = tmp_path / "seeds.json"
    for text in ("", "[]", "{}", '{"testGroups": [], "numberOfTests": 0}', '{"testGroups": [{"tests": 5}]}'):
        path.write_text(text)
        result = check_file(path)
        assert (result.passed, len(result.failures)) == (0, 1)


def test_a_file_that_is_missing_has_failed(tmp_path: Path) -> None:
    """Where only some stages have their vectors, the others have not passed."""
    shutil.copy(VECTORS / "seeds.json", tmp_path)
    failed = {result.file: len(result.failures) for result in check(tmp_path)}
    assert failed == {f"{stage}.json": int(stage != "seeds") for stage in STAGES}


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


# --- what the vectors are made with


def test_a_claim_that_the_product_does_not_share_is_no_test() -> None:
    """Neither code nor place nor their absence can be stated against what this implementation says."""

    def refusing(_: Mapping[str, Any]) -> dict[str, Any]:
        return {"result": "invalid", "code": "count", "place": "here"}

    assert claimed(refusing, "says", {"x": 1}, "count", "here")["result"] == "invalid"
    assert claimed(lambda _: {"y": 2}, "says", {"x": 1}) == {"comment": "says", "result": "valid", "x": 1, "y": 2}
    for code, place in (("count", "there"), ("kind", "here"), ("", "")):
        with pytest.raises(ValueError, match="says"):
            claimed(refusing, "says", {"x": 1}, code, place)
    with pytest.raises(ValueError, match="says"):
        claimed(lambda _: {"y": 2}, "says", {"x": 1}, "count", "here")


@given(st.one_of(st.integers(-(2**63), 2**64 - 1), st.integers(MIN_INT, MAX_INT), st.integers(-200, 200)))
@some
def test_longer_forms_hold_the_same_number(value: int) -> None:
    """Each is what MessagePack reads as that number and a strict reader refuses; none is the shortest."""
    for _, raw in longer_forms(value):
        assert msgpack.unpackb(raw.data) == value
        assert len(raw.data) >= len(canonical(value))
        with pytest.raises(Malformed):
            value_at(raw.data, 0)
    assert pack(value) == canonical(value)


@given(hashes, st.integers(0, ORDER - 1))
@some
def test_the_curve_is_that_of_the_signatures(private: bytes, scalar: int) -> None:
    """Multiples of the base point are what a library makes public keys of (RFC 8032, section 5.1.5)."""
    low = int.from_bytes(sha512(private).digest()[:32], "little") & (1 << 254) - 8 | 1 << 254
    assert encoded(times(low, BASE)) == public_key(private)
    point = times(scalar, BASE)
    assert times(scalar + 1, BASE) == add(point, BASE)
    again = point_with(point[1])
    assert again is not None
    assert again[0] in (point[0], 2**255 - 19 - point[0])


def test_points_of_small_order() -> None:
    """There are eight, a group of their own that the base point is not in."""
    points = small_order()
    assert len(set(points)) == 8
    assert points[0] == NEUTRAL == times(8, points[1]) == times(ORDER, BASE)
    assert all(times(8, point) == NEUTRAL for point in points)


def test_a_verifier_without_a_look_at_the_key_takes_weak_ones() -> None:
    """The signatures under keys of small order would fit: only the key speaks against them."""
    forged = 0
    for test in envelope.tests_of(document("signature")):
        if test.get("code") == Code.WEAK_KEY and bytes.fromhex(test["signature"])[32:] == bytes(32):
            values = {name: bytes.fromhex(test[name]) for name in ("key", "termsHash", "digest", "signature")}
            message = signed_message(values["termsHash"], test["signer"], test["offset"], values["digest"])
            Ed25519PublicKey.from_public_bytes(values["key"]).verify(values["signature"], message)
            forged += 1
    assert forged == 14  # spellings of the eight points


def test_each_limit_is_shown_from_both_sides() -> None:
    """Where a log just may be so long, there is one that may not."""
    comments = [test["comment"] for test in envelope.tests_of(document("codec")) if "logParts" in test]
    assert {comment.split(" may ")[-1] for comment in comments if " may " in comment} == {"be", "not"}
    for what in (
        "lists",
        "passes",
        "plays",
        "deals",
        "seat events",
        "clock marks",
        "misplaced records",
        "bytes",
        "deep",
    ):
        assert any(what in comment and "may be" in comment for comment in comments)
        assert any(what in comment and "may not" in comment for comment in comments)


def test_the_edges_of_every_deck_are_there() -> None:
    """Every number of seats has a deal with hands of two sizes, and one deck takes more than 192 bytes."""
    deals = envelope.tests_of(document("deal"))
    uneven = {test["seats"] for test in deals if len({len(hand) for hand in test["hands"]}) == 2}
    assert uneven == set(range(3, 9))
    assert {256, 1000} <= {test["round"] for test in deals}
    assert sum("takes 201 bytes" in test["comment"] for test in deals) == 1
