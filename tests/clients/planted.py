"""This implementation as a client with one fault planted in it: `python -m tests.clients.planted FAULT STAGE…`.

`faults-*.toml` list the faults by name: the stages whose vectors must notice it, and the edits that make it, each a
module of the package, a text that stands once in its source, and what stands there instead. The client says that it has
the stages named, or all of them where none is.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

HERE = Path(__file__).parent


class Edit(NamedTuple):
    """What stands instead of which text in the source of a module of the package."""

    module: str
    old: str
    new: str

    def made_in(self, source: str) -> str:
        """Return the source with the edit made; raises `ValueError` where the text does not stand there once."""
        if source.count(self.old) != 1:
            raise ValueError(f"`{self.old}` stands {source.count(self.old)} times in {self.module}")
        return source.replace(self.old, self.new)


class Fault(NamedTuple):
    """A fault: the stages whose vectors must notice it, and the edits that make it."""

    stages: tuple[str, ...]
    edits: tuple[Edit, ...]


@cache
def faults() -> dict[str, Fault]:
    """Return all faults by name."""
    found: dict[str, Fault] = {}
    for path in sorted(HERE.glob("faults-*.toml")):
        for name, entry in tomllib.loads(path.read_text("utf-8")).items():
            edits = entry["edits"] if "edits" in entry else [[entry["module"], entry["old"], entry["new"]]]
            found[name] = Fault(tuple(entry["stages"]), tuple(Edit(*edit) for edit in edits))
    return found


class _Edited(SourceFileLoader):
    """Loads a module with edits in its source."""

    def __init__(self, name: str, path: str, edits: Sequence[Edit]) -> None:
        super().__init__(name, path)
        self.edits = edits

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the edited source, which is never kept on disk."""
        del fullname
        source = self.get_data(self.path).decode("utf-8")
        for edit in self.edits:
            source = edit.made_in(source)
        code: CodeType = self.source_to_code(source.encode("utf-8"), self.path)
        return code


class Planted(MetaPathFinder):
    """Finds the modules that a fault is in, with it."""

    def __init__(self, fault: Fault) -> None:
        """Plant `fault`."""
        self.fault = fault

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module with edits is and how it is loaded, None for any other."""
        edits = [edit for edit in self.fault.edits if f"fairdeal.{edit.module}" == fullname]
        spec = PathFinder.find_spec(fullname, path, target) if edits else None
        if spec is not None and spec.origin is not None:
            spec.loader = _Edited(fullname, spec.origin, edits)
        return spec


def answers(lines: Iterable[str], stages: Sequence[str]) -> Iterator[str]:
    """Yield the answers of the package, which says that it has only these stages, or all where there are none."""
    for line in import_module("fairdeal.vectors.client").answers(lines):
        answer = json.loads(line)
        said = {"stages": [*stages]} if stages and "stages" in answer else {}
        yield json.dumps({**answer, **said}) + "\n"


def main(name: str, *stages: str) -> None:
    """Answer requests with the fault of this name planted, with none where the name is empty."""
    if name:
        sys.meta_path.insert(0, Planted(faults()[name]))
    for line in answers(sys.stdin, stages):
        sys.stdout.write(line)
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
