"""A few logs that are all at hand, held against each other as those of an archive are."""

from __future__ import annotations

from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from fairdeal.archive.across import across
from fairdeal.archive.facts import facts_of
from fairdeal.archive.place import Place
from fairdeal.archive.store import Key, Row, Store
from fairdeal.replay import Replayed
from fairdeal.report import AcrossFinding


class Few:
    """Takes logs one after the other; a context, since it keeps them in a temporary file."""

    def __init__(self) -> None:
        """Begin with none."""
        self._stack = ExitStack()
        folder = self._stack.enter_context(TemporaryDirectory(prefix="fairdeal-"))
        self._store = Store(Path(folder) / "few.sqlite", reports=False)
        self._stack.callback(self._store.close)

    def add(self, name: str, data: bytes, done: Replayed | None) -> None:
        """Take a log, re-executed as `done`, or None where not even its terms could be judged."""
        key = Key(sha256(data).hexdigest(), "", "")
        row = Row(Place(name), len(data), key, False, "", "", "", facts_of(data, done))
        self._store.keep([(row, data)])

    def findings(self) -> tuple[AcrossFinding, ...]:
        """Return what lies across all of them."""
        return tuple(across(self._store))

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Forget all of them."""
        self._stack.close()
