"""Ctrl-C and SIGTERM: a run is interrupted once and then ends in order, and so do the processes that work for it.

A process that ended while it sends a result would leave behind half a message, for the rest of which its reader would
wait for ever. So a signal interrupts what a worker works on, and the worker itself only when it has had time to send.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import parent_process
from multiprocessing.connection import wait
from threading import Event, Thread, current_thread, main_thread
from time import monotonic, sleep
from types import FrameType
from typing import Final, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")
GRACE: Final = 1.0  # seconds that a worker has for the message it is sending
INSISTING: Final = 1.0  # seconds between two signals of somebody who means both
_Handler = Callable[[int, FrameType | None], object] | signal.Handlers
_DEFAULTS: Final[Mapping[int, _Handler]] = {
    signal.SIGINT: signal.default_int_handler,
    signal.SIGTERM: signal.SIG_DFL,
}
_WORKING, _ENDING = Event(), Event()  # of this process, if it is a worker


class Ended(BaseException):
    """Raised in the work of a worker that has to end; no `except Exception` may hold it up."""


class _Interruptions:
    """What has been heard in this process, and whether it is to wait."""

    def __init__(self) -> None:
        """Begin with nothing heard."""
        self.begin()

    def begin(self) -> None:
        """Begin again with nothing heard."""
        self.waiting = False  # one came while it was put off
        self.put_off = 0  # blocks that are not to be interrupted
        self.over = False  # it has been interrupted, or is ending
        self.last: float | None = None  # when the last one came, once it is over

    def heard(self, number: int, _frame: FrameType | None = None) -> None:
        """Raise `KeyboardInterrupt` the first time; end the process for whoever insists a while later."""
        if self.over:
            if self.last is None:
                self.last = monotonic()
            elif monotonic() - self.last > INSISTING:
                signal.signal(number, signal.SIG_DFL)
                signal.raise_signal(number)
        elif self.put_off and not self.waiting:
            self.waiting = True
        else:
            self.over, self.waiting, self.last = True, False, monotonic()
            raise KeyboardInterrupt


_HEARD = _Interruptions()


@contextmanager
def interrupted_once() -> Iterator[None]:
    """Raise `KeyboardInterrupt` at the first Ctrl-C or SIGTERM in a block, and heed no more: what ends must end well.

    Another one that comes more than a second later ends the process at once. Signals that are ignored or handled
    already stay so, and so do those of other threads than the main one.
    """
    if current_thread() is not main_thread():
        yield
        return
    mine = [number for number, default in _DEFAULTS.items() if signal.getsignal(number) is default]
    _HEARD.begin()
    for number in mine:
        signal.signal(number, _HEARD.heard)
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, _DEFAULTS[number])


def end_well() -> None:
    """Heed no interruption from now on to the end of `interrupted_once`, as if there had been one: it ends anyway."""
    _HEARD.over = True


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Put the first interruption off to the end of a block; a second one is heeded, since a block may never end."""
    _HEARD.put_off += 1
    try:
        yield
    finally:
        _HEARD.put_off -= 1
        if _HEARD.waiting and not _HEARD.put_off:
            _HEARD.heard(signal.SIGINT)


@contextmanager
def starting_workers() -> Iterator[None]:
    """Put signals off to the end of a block, also in processes that start in it, where the system can."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    before = mask(signal.SIG_BLOCK, set(_DEFAULTS))
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


def follow_the_parent() -> None:
    """Make this process a worker: leave Ctrl-C to the process that started it, and end when that ends, were it killed.

    SIGTERM ends its work, and after a while the process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is not None:
        mask(signal.SIG_UNBLOCK, set(_DEFAULTS))
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def endable(work: Callable[[Task], Result], task: Task) -> Result:
    """Return the result of a task in a worker; raises `Ended` as soon as it has to end."""
    _WORKING.set()
    try:
        if _ENDING.is_set():
            raise Ended
        return work(task)
    finally:
        _WORKING.clear()


def _end(_number: int, _frame: FrameType | None) -> None:
    if not _ENDING.is_set():
        _ENDING.set()
        Thread(target=_end_soon, daemon=True).start()
    if _WORKING.is_set():
        raise Ended


def _end_soon() -> None:
    sleep(GRACE)
    os._exit(1)


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
