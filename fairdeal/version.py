"""What this program calls itself in reports, in stores and to other machines."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def program() -> str:
    """Return the name and version of this program."""
    try:
        return f"fairdeal {version('fairdeal')}"
    except PackageNotFoundError:
        return "fairdeal from a checkout, not installed"
