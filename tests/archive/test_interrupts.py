"""Ctrl-C and SIGTERM: heeded once, and never in the middle of what a worker sends."""

from __future__ import annotations

import os
import signal
from threading import Event, Thread

import pytest

from fairdeal.archive import interrupts
from fairdeal.archive.interrupts import INSISTING, Ended, end_well, endable, interrupted_once, uninterrupted
from tests.conftest import python

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("again", SIGNALS)
def test_an_interruption_is_heeded_once(number: signal.Signals, again: signal.Signals) -> None:
    """What has to be done then is done to its end; afterwards everything is as it was."""
    before = [signal.getsignal(one) for one in SIGNALS]
    done = []
    with interrupted_once():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
        signal.raise_signal(again)
        done.append(again)
    assert done == [again]
    assert [signal.getsignal(one) for one in SIGNALS] == before


def test_what_is_ignored_stays_so() -> None:
    """A shell starts what runs in the background so."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupted_once():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_leave_signals_alone() -> None:
    """Python lets the main thread alone handle them."""
    seen = []

    def work() -> None:
        with interrupted_once():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]


def test_whoever_insists_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second signal a while after the first one does what it does without us."""
    times = iter((0.0, INSISTING, 2.5 * INSISTING))
    monkeypatch.setattr(interrupts, "monotonic", lambda: next(times))
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sent: list[int] = []
    with interrupted_once():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        monkeypatch.setattr(signal, "raise_signal", sent.append)
        os.kill(os.getpid(), signal.SIGTERM)
    assert sent == [signal.SIGTERM]
    signal.signal(signal.SIGTERM, before)


def test_what_ends_anyway_is_not_interrupted() -> None:
    with interrupted_once():
        end_well()
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_waits_for_the_end_of_a_block(number: signal.Signals) -> None:
    """Whichever thread the system gives it to."""
    done = []
    stopped = Event()
    other = Thread(target=stopped.wait)
    other.start()

    def block() -> None:
        with uninterrupted():
            os.kill(os.getpid(), number)
            done.append(number)

    try:
        with interrupted_once(), pytest.raises(KeyboardInterrupt):
            block()
    finally:
        stopped.set()
        other.join()
    assert done == [number]


def test_a_block_that_does_not_end_is_interrupted_the_second_time() -> None:
    """It may wait for a reader that takes nothing."""
    done = []

    def block() -> None:
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append(1)
            signal.raise_signal(signal.SIGINT)
            done.append(2)

    with interrupted_once(), pytest.raises(KeyboardInterrupt):
        block()
    assert done == [1]


def test_work_is_done_in_a_process_that_need_not_end() -> None:
    assert endable(abs, -2) == 2
    assert not issubclass(Ended, Exception)


def test_workers_that_end_while_they_send_do_not_keep_the_reader_waiting() -> None:
    """A hundred times, results larger than any pipe are under way when it is closed."""
    script = (
        "from fairdeal.archive.runners import Processes\n"
        "for number in range(100):\n"
        "    runner = Processes(2)\n"
        "    results = runner.run(bytes, [3_000_000] * 9, bytes)\n"
        "    for _ in range(number % 3 + 1):\n"
        "        next(results)\n"
        "    runner.close()\n"
        "print('ended')\n"
    )
    ended = python(script)
    assert (ended.stdout, ended.stderr) == (b"ended\n", b"")
