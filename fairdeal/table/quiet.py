"""Errors of a table tell in one sentence what is wrong, and bring no values from inside it.

A traceback keeps the frames that an error came through, and many tools print the values of their locals: hands, gifts,
seeds and the match secret pass there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def quiet(call: Callable[P, R]) -> Callable[P, R]:
    """Return `call` with its errors raised anew, without the frames inside it and the arguments it was given."""

    @wraps(call)
    def quietly(*args: P.args, **kwargs: P.kwargs) -> R:
        outer = None
        try:
            outer = sys.exception()
            return call(*args, **kwargs)
        except BaseException as error:
            del args, kwargs  # a frame shows these too: the cards somebody wants to play are in them
            _forget(error, outer)
            raise

    return quietly


def _forget(error: BaseException, outer: BaseException | None) -> None:
    """Take the frames from an error and from what it came about from; what the caller was handling is left alone."""
    error.__traceback__ = None
    if error.__suppress_context__ and error.__cause__ is None:
        error.__context__ = outer
    inner = error.__context__
    while inner is not None and inner is not outer and inner is not error.__cause__:
        inner.__traceback__ = None
        inner = inner.__context__
