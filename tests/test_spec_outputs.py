"""The sample output in the specification is what the program prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
BLOCKS = re.findall(
    r"<!-- output: (.*?) -->\n+```\w*\n(.*?)\n```\n+<!-- /output -->",
    (TOP / "vectors" / "SPEC.md").read_text("utf-8"),
    re.DOTALL,
)


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command[:40] for command, _ in BLOCKS])
def test_output_is_as_shown(command: str, shown: str, tmp_path: Path) -> None:
    """The command, run from the top of the repository, prints just this."""
    program = tmp_path / "fairdeal"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fairdeal "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(TOP)}
    ran = subprocess.run(
        ["/bin/sh", "-c", command], cwd=TOP, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stdout.rstrip("\n") == shown


def test_there_are_samples() -> None:
    """A sample that is no longer marked is no longer looked at."""
    assert len(BLOCKS) == 2
