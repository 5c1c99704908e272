"""The match secret in a running process: no copy, no pickle, no attribute and no early line of the log holds it."""

from __future__ import annotations

import pickle
import stat
from collections.abc import Iterator
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import pytest

from fairdeal.secretfile import MatchSecret
from fairdeal.table import Phase, Table
from fairdeal.table.vault import Hidden, Vault
from tests.table.playing import EASY, HUMAN, Live, Setting

EVERYTHING = Setting(kinds=(HUMAN, EASY, HUMAN, HUMAN), sealed=True, operator=True, seat_keys=True, clock=True)


def reachable(value: object, seen: set[int]) -> Iterator[object]:
    """Yield a value and all that its public attributes and items lead to, methods called that need no argument."""
    if id(value) in seen or isinstance(value, type) or len(seen) > 50_000:
        return
    seen.add(id(value))
    yield value
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from reachable(one, seen)
    elif not isinstance(value, int | str | bytes | float | None):
        for name in dir(value):
            if not name.startswith("_"):
                yield from reachable(getattr(value, name), seen)


def shown(table: Table) -> str:
    """Return all that a table and what it hands out hold, as text: everything public, its `vars` and its state."""
    seats = range(len(table.terms.seats))
    handed = [table.spectator(), table.receipt(), table.lock_receipt(), *(table.view(seat) for seat in seats)]
    if table.phase in (Phase.BETWEEN, Phase.EXCHANGE, Phase.PLAYING):
        handed += table.tickets()
    found = [*reachable(table, set()), *reachable(handed, set()), table.__getstate__(), repr(table), f"{table}"]
    return "\n".join(f"{value!r} {value.hex() if isinstance(value, bytes) else ''}" for value in found)


def test_nothing_public_holds_what_is_hidden(tmp_path: Path) -> None:
    """At every moment of a match all public attributes and all that is handed out are free of hidden values."""
    live = Live(tmp_path / "m", EVERYTHING)
    phases = set()
    steps = 0
    while live.step():
        steps += 1
        if live.table.phase in phases and steps % 7:
            continue
        phases.add(live.table.phase)
        text, truth = shown(live.table), live.truth()
        for what, value in truth.hidden.items():
            assert value.hex() not in text, what
            assert repr(value) not in text, what
    assert phases == set(Phase)


def test_the_log_holds_no_seed_before_its_time(tmp_path: Path) -> None:
    """A seed is in the file once its round has ended, and the secret once the match has closed, not earlier."""
    live = Live(tmp_path / "m", EVERYTHING)
    secret = live.truth().secret
    ended = 0
    while live.table.phase is not Phase.CLOSED:
        data, hidden = live.data, live.truth().hidden
        for what, value in hidden.items():
            assert (value in data) == (what == "blind"), what
        assert hidden["secret"] == secret
        for number, result in enumerate(live.table.spectator().results, 1):
            assert data.count(result.seed) == 1
            assert live.table.seed(number) == result.seed
            ended = number
        live.step()
    assert ended == 2
    assert live.data.count(secret) == 1


def test_the_secret_has_a_file_of_its_own(tmp_path: Path) -> None:
    """Only its owner may read it, nor the log, in which gifts stand in clear."""
    live = Live(tmp_path / "m", EVERYTHING)
    assert sorted(path.name for path in live.folder.iterdir()) == ["match.fdl", "secret.json"]
    for path in live.folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    secret = live.truth().secret
    live.play_out()
    assert sorted(path.name for path in live.folder.iterdir()) == ["match.fdl", "secret.json"]
    assert (live.folder / "secret.json").read_text().count(secret.hex()) == 1


@pytest.mark.parametrize("way", [copy, deepcopy, pickle.dumps])
def test_nothing_that_holds_the_secret_is_copied(tmp_path: Path, way: Any) -> None:
    """Neither the table nor what is inside it can be copied, pickled or sent to another process."""
    live = Live(tmp_path / "m", EVERYTHING).until(Phase.PLAYING)
    desk = live.table._desk
    for one in (live.table, desk, desk.running, desk.running.vault):
        assert isinstance(one, Hidden)
        assert repr(one) == f"<{type(one).__name__}>"
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            way(one)
        assert not hasattr(one, "__dict__")


def test_a_vault_answers_by_the_protocol() -> None:
    """Commitment and seeds are those of the secret's tree."""
    secret = MatchSecret(bytes(32), 3, bytes(range(32)))
    vault, tree = Vault(secret), secret.tree()
    assert vault.commitment() == tree.commitment()
    assert tuple(vault.seed(number) for number in (1, 2, 3)) == tree.seeds
    assert vault.secret() == secret.secret
