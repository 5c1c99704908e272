"""The command line: the only place that prints, reads the clock or chance, and decides an exit code.

`main` is the entry point. Commands live by whom they are for: `player` and `page`, `play` (with `playing` and `seat`),
`auditor` (with `many` and `archive`) and `compare`, `operator`, `implementer` and `vectors`; each imports what it needs
when it runs, so that `--help` stays fast.
"""

from fairdeal.cli.app import main

__all__ = ["main"]
