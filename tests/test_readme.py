"""The README keeps its word: every console block is run as it stands, and the Python and TOML examples work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from fairdeal.cli.app import app
from fairdeal.cli.exits import Exit

TOP = Path(__file__).parents[1]
README = (TOP / "README.md").read_text("utf-8")
SHIM = f'#!/bin/sh\nexec env PYTHONPATH="{TOP}" "{sys.executable}" -m fairdeal "$@"\n'


def blocks(language: str) -> list[str]:
    """Return the contents of all fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def commands(block: str) -> list[tuple[str, str]]:
    """Return command and expected output of a console block; a command goes on after a backslash at a line's end."""
    found: list[tuple[str, str]] = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        end = next(index for index, line in enumerate(lines) if not line.endswith("\\\n")) + 1
        found.append(("".join(lines[:end]), "".join(lines[end:])))
    return found


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that looks like a checkout to the examples, with `fairdeal` on the path beside it."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "vectors").symlink_to(TOP / "vectors")
    (folder / ".bin").mkdir()
    program = folder / ".bin" / "fairdeal"
    program.write_text(SHIM)
    program.chmod(0o755)
    return folder


def run(command: str, folder: Path) -> str:
    """Return what a command prints, standard output first."""
    environment = {**os.environ, "PATH": f"{folder / '.bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("block", blocks("console"))
def test_console_blocks_show_what_the_program_prints(block: str, checkout: Path) -> None:
    """A reader who types what stands after each `$` sees exactly what stands below it."""
    assert commands(block)
    for command, expected in commands(block):
        assert run(command, checkout) == expected, command


@pytest.mark.parametrize("example", blocks("python"), ids=["table", "audit"])
def test_python_examples_work(example: str, checkout: Path) -> None:
    """The library examples in the README run, their assertions included."""
    environment = {**os.environ, "PYTHONPATH": str(TOP)}
    subprocess.run([sys.executable, "-c", example], cwd=checkout, env=environment, check=True)


def test_operator_example_works(checkout: Path) -> None:
    """The terms in the README commit to a match; what may not be had yet is refused."""
    (terms,) = blocks("toml")
    assert tomllib.loads(terms)["sequence"] == 12
    (checkout / "terms.toml").write_text(terms, "utf-8")
    (example,) = [block for block in blocks("sh") if "commit" in block]
    commit, ticket, reveal = example.splitlines()
    assert re.match(r"12 [0-9a-f]{64}\n", run(commit, checkout))
    assert run(ticket, checkout).startswith("fd1.")
    assert "round 1 has not ended" in run(reveal, checkout)


def test_commands_and_exit_codes_are_documented() -> None:
    """No command of the program is missing from the README, and no exit code."""
    for command in app.registered_commands:
        name = command.name or getattr(command.callback, "__name__", "")
        assert f"`{name}" in README, name
    for code in Exit:
        assert f"| {int(code)} |" in README
