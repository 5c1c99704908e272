"""Ctrl-C and SIGTERM: heeded once, and never in the middle of what a worker sends."""

from __future__ import annotations

import signal
import subprocess
import sys
from threading import Thread, get_ident

import pytest

from fairdeal.archive.interrupts import Ended, endable, interrupted_once, uninterrupted
from tests.conftest import environment

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


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_waits_for_the_end_of_a_block(number: signal.Signals) -> None:
    done = []

    def block() -> None:
        with uninterrupted():
            signal.pthread_kill(get_ident(), number)
            done.append(number)

    with interrupted_once(), pytest.raises(KeyboardInterrupt):
        block()
    assert done == [number]


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
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env=environment(), check=False, timeout=240
    )
    assert (ended.stdout, ended.stderr) == (b"ended\n", b"")
