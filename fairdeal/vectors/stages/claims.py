"""Tests whose author says beforehand whether the input is refused, with which code and where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairdeal.vectors.envelope import Test, invalid, valid
from fairdeal.vectors.stages.cases import Recompute


def claimed(recompute: Recompute, comment: str, given: Mapping[str, Any], code: str = "", place: str = "") -> Test:
    """Return the test of an input, valid where no code is given; raises `ValueError` where `recompute` says otherwise.

    So no vector can be made in which this implementation and the author of a test differ.
    """
    found = dict(recompute(given))
    found.pop("result", None)
    refused = found.get("code", ""), found.get("place", "")
    if refused != (code, place):
        raise ValueError(f"`{comment}` gives {refused} instead of {(code, place)}")
    if code:
        return invalid(comment, code, place, **given)
    return valid(comment, **given, **found)
