"""Tickets and seeds of a running match: what may be handed out at each of its records, and to whom."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal.audit import audit
from fairdeal.codec import Log, encode_log, encode_record
from fairdeal.commit import seed_tree, terms_hash
from fairdeal.errors import Malformed, Misuse, Unsupported
from fairdeal.issue import next_ticket, round_seed_to_reveal
from fairdeal.records import (
    OPERATOR,
    Actions,
    Close,
    Commitment,
    Deal,
    Opened,
    Presence,
    Record,
    RoundEnd,
    SeatEvent,
    Signature,
    Timing,
    pass_action,
    timed,
)
from fairdeal.report import Verdict
from fairdeal.secretfile import MatchSecret
from fairdeal.settings import SeatKind
from fairdeal.simulate import Simulated
from tests.conftest import SAMPLES, UNSIGNED, all_signed, apart, played, voided, where
from tests.strategies import some


def secret_of(done: Simulated) -> MatchSecret:
    """Return the secret of a match as its operator keeps it."""
    return MatchSecret(done.tree.terms, done.terms.rounds, done.secret)


def log_of(records: Sequence[Record]) -> Log:
    """Return a running log of these records."""
    return Log(encode_log(records))


def ticket_or_none(done: Simulated, records: Sequence[Record], number: int, seat: int = 0) -> object:
    """Return the ticket that is handed out at these records, None where it is refused."""
    with suppress(Misuse):
        return next_ticket(log_of(records), secret_of(done), number, seat)
    return None


def seed_or_none(done: Simulated, records: Sequence[Record], number: int) -> bytes | None:
    """Return the seed that is revealed at these records, None where it is refused."""
    with suppress(Misuse):
        return round_seed_to_reveal(log_of(records), secret_of(done), number)
    return None


@pytest.mark.parametrize("name", ["three seats", "random play", "operator's key", "sealed, all keys"])
def test_at_each_record_of_a_match_only_what_is_due_is_handed_out(name: str) -> None:
    """Tickets from the lock on and for the next round at most; a seed once one seat is left with cards."""
    done = SAMPLES[name]()
    records = apart(done.records)
    close = where(done, Close)
    first = where(done, Deal)
    rounds = len(done.tree.seeds)
    tickets = {(one.round, one.seat): one for one in done.tickets}
    seats = range(len(done.terms.seats))
    for size in [
        *range(1, first + 3),
        *range(first + 3, close + 1, 3),
        *(n + m for n in ends(records) for m in (-1, 0, 1)),
    ]:
        head = records[:size]
        ended = sum(isinstance(one, RoundEnd) for one in head)
        over = size in ends(records)  # the last action was made, its end not yet written
        for number in range(1, rounds + 1):
            due = size >= first and number <= ended + 1
            for seat in seats if size < first + 3 else (0,):
                expected = tickets[number, seat] if due else None
                assert ticket_or_none(done, head, number, seat) == expected, (size, number, seat)
            expected_seed = done.tree.seeds[number - 1] if number <= ended + over else None
            assert seed_or_none(done, head, number) == expected_seed, (size, number)


def ends(records: Sequence[Record]) -> list[int]:
    """Return the indexes of all round ends."""
    return [index for index, one in enumerate(records) if isinstance(one, RoundEnd)]


def test_the_lock_is_complete_before_a_ticket_is_given() -> None:
    """Every seal, every signature of the lock, every opening: one missing and there is no ticket."""
    done = all_signed(4, 1)
    records = apart(done.records)
    first = where(done, Deal)
    assert ticket_or_none(done, records[:first], 1) is not None
    for missing in range(2, first):
        head = [one for index, one in enumerate(records[:first]) if index != missing]
        assert ticket_or_none(done, head, 1) is None, missing
    signed = played(4, 1, signed=True)
    records = apart(signed.records)
    assert ticket_or_none(signed, records[:2], 1) is None
    assert ticket_or_none(signed, records[:3], 1) == signed.tickets[0]


def test_a_bad_lock_signature_gives_no_ticket() -> None:
    """A log with a fault in it is not carried on."""
    done = played(4, 1, signed=True)
    head = [*apart(done.records)[:2], Signature(OPERATOR, UNSIGNED)]
    with pytest.raises(Misuse, match="does not hold up: signature-bad") as caught:
        next_ticket(log_of(head), secret_of(done), 1, 0)
    assert caught.value.where == "lock.signature[operator]"


@given(st.data())
@some
def test_any_fault_stops_everything(data: st.DataObject) -> None:
    """A wrong play anywhere, and neither a ticket nor a seed of any round can be had."""
    done = played(4, 2)
    records = apart(done.records)
    plays = [index for index, one in enumerate(records) if isinstance(one, Actions)]
    at = data.draw(st.sampled_from(plays))
    seat = data.draw(st.integers(0, 3))
    wrong = [*records[:at], Actions((pass_action(seat),)), *records[at : data.draw(st.integers(at, len(records) - 1))]]
    if audit(encode_log(wrong)).verdict is Verdict.REFUTED:
        with pytest.raises(Misuse, match="does not hold up"):
            next_ticket(log_of(wrong), secret_of(done), 1, 0)
        for number in (1, 2):
            assert seed_or_none(done, wrong, number) is None


@pytest.mark.parametrize(
    "other",
    [
        MatchSecret(bytes(32), 2, played().secret),
        MatchSecret(played().tree.terms, 3, played().secret),
        MatchSecret(played(4, 2, number=1).tree.terms, 2, played(4, 2, number=1).secret),
    ],
    ids=["terms", "rounds", "match"],
)
def test_a_secret_of_other_terms_is_refused(other: MatchSecret) -> None:
    """A secret is for one match only."""
    log = log_of(apart(played().records)[: where(played(), RoundEnd) + 1])
    for ask in (lambda: next_ticket(log, other, 1, 0), lambda: round_seed_to_reveal(log, other, 1)):
        with pytest.raises(Misuse, match="the secret belongs to another match") as caught:
            ask()
        assert caught.value.where == "--secret"


def test_another_secret_for_the_same_terms_is_refused() -> None:
    """It does not open the commitment in the log."""
    done = played()
    wrong = replace_secret(done, bytes(32))
    log = log_of(apart(done.records)[: where(done, RoundEnd) + 1])
    for ask in (lambda: next_ticket(log, wrong, 1, 0), lambda: round_seed_to_reveal(log, wrong, 1)):
        with pytest.raises(Misuse, match="does not hold up: commitment"):
            ask()


def replace_secret(done: Simulated, secret: bytes) -> MatchSecret:
    """Return the secret of a match with other bytes."""
    return secret_of(done)._replace(secret=secret)


@pytest.mark.parametrize("policy", [2, 10**9])
def test_what_cannot_be_judged_gives_nothing_out(policy: int) -> None:
    """A bot policy that is not known: the running match cannot be re-executed."""
    done = played()
    terms = replace(done.terms, bot_policy=policy)
    tree = seed_tree(done.secret, terms_hash(encode_record(terms)), terms.rounds)
    log = log_of([terms, Commitment(tree.commitment()), *apart(done.records)[2 : where(done, RoundEnd) + 1]])
    secret = MatchSecret(tree.terms, terms.rounds, done.secret)
    for ask in (lambda: next_ticket(log, secret, 2, 0), lambda: round_seed_to_reveal(log, secret, 1)):
        with pytest.raises(Unsupported, match=f"bot policy {policy}"):
            ask()


def with_marks(done: Simulated) -> Sequence[Record]:
    """Return a match up to the end of its first round, with a mark before each action, and a seat that goes."""
    records: list[Record] = []
    for record in apart(done.records)[: where(done, RoundEnd) + 1]:
        records.append(timed(Timing(9, None), record) if isinstance(record, Actions) else record)
        if isinstance(record, RoundEnd):
            records.append(timed(Timing(9, None), SeatEvent(2, Presence.DISCONNECTED, SeatKind.EASY)))
    return records


def test_a_running_match_with_a_clock_goes_on() -> None:
    """Marks and a seat that is cut off keep nothing back, also while its seed is still hidden."""
    done = played()
    records = with_marks(done)
    for size in (len(records), len(records) - 1):
        assert ticket_or_none(done, records[:size], 2) in done.tickets
    for size in (len(records), len(records) - 1, len(records) - 2):
        assert seed_or_none(done, records[:size], 1) == done.tree.seeds[0]
    assert seed_or_none(done, records[: len(records) - 3], 1) is None


@pytest.mark.parametrize("at", [4, 40])
@pytest.mark.parametrize(
    ("timing", "code"),
    [
        (Timing(301, None), "clock-overrun"),
        (Timing(9, 1), "clock-not-due"),
        (Timing(299, 0), "clock-early"),
        (Timing(None, None), "clock-mark"),
    ],
)
def test_a_fault_of_the_clock_gives_nothing_out(at: int, timing: Timing, code: str) -> None:
    """Like any other fault, as soon as it is in the log; a marker is given so many seats from the one that acts."""
    done = played()
    records = [*with_marks(done)]
    one = apart(done.records)[at]
    assert isinstance(one, Actions)
    seat = one.actions[0].seat
    acted_for = None if timing.acted_for is None else (seat + timing.acted_for) % 4
    records[at] = timed(Timing(timing.tenths, acted_for), one)
    for ask in (
        lambda: next_ticket(log_of(records), secret_of(done), 2, 0),
        lambda: round_seed_to_reveal(log_of(records), secret_of(done), 1),
    ):
        with pytest.raises(Misuse, match=f"does not hold up: {code}"):
            ask()


def test_a_seat_that_is_not_away_cannot_return() -> None:
    """What follows would rest on it."""
    done = played()
    wrong = SeatEvent(1, Presence.RETURNED, SeatKind.HUMAN)
    log = log_of([*apart(done.records)[: where(done, RoundEnd) + 1], wrong])
    for ask in (lambda: next_ticket(log, secret_of(done), 2, 0), lambda: round_seed_to_reveal(log, secret_of(done), 1)):
        with pytest.raises(Misuse, match="does not hold up: seat-event") as caught:
            ask()
        assert caught.value.where == "round[1].event[1]"


def test_a_broken_log_gives_nothing_out() -> None:
    """A log cut inside a record is completed or repaired first."""
    done = played()
    data = encode_log(apart(done.records)[: where(done, RoundEnd) + 1])
    for ask in (
        lambda: next_ticket(Log(data[:-1]), secret_of(done), 1, 0),
        lambda: round_seed_to_reveal(Log(data + b"\0"), secret_of(done), 1),
    ):
        with pytest.raises(Malformed):
            ask()


@pytest.mark.parametrize("seat", [-1, 4, 7, 100])
def test_seats_that_are_not_at_the_table_get_no_ticket(seat: int) -> None:
    """The hint names those there are."""
    done = played()
    with pytest.raises(Misuse, match=f"there is no seat {seat}") as caught:
        next_ticket(log_of(done.records[:2]), secret_of(done), 1, seat)
    assert caught.value.hint == "seats are 0 to 3"


@pytest.mark.parametrize("number", [-5, -1, 0, 3, 1_000])
def test_rounds_that_are_not_in_the_match_give_nothing(number: int) -> None:
    """Whatever a caller asks for: a number below 1 must not count from the end and give away the last round."""
    done = played()
    for records in (done.records[:2], done.records[:-1]):
        assert seed_or_none(done, records, number) is None
        assert ticket_or_none(done, records, number) is None


def test_a_match_that_is_over_has_no_next_ticket() -> None:
    """By its rule, though its terms would allow more rounds."""
    done = played(4, 1, changes=(("match_end", "target"), ("end_at", 3)))
    records = apart(done.records)
    assert ticket_or_none(done, records[:-1], 1) == done.tickets[0]
    assert ticket_or_none(done, records[:-1], 2) is None
    assert ticket_or_none(done, records, 2) is None


def test_a_void_match_reveals_the_seeds_of_ended_rounds_and_gives_no_next_ticket() -> None:
    """After a close nothing is dealt any more."""
    done = played(4, 3)
    data = voided(done, where(done, Deal, 1))
    assert round_seed_to_reveal(Log(data), secret_of(done), 1) == done.tree.seeds[0]
    with pytest.raises(Misuse):
        next_ticket(Log(data), secret_of(done), 2, 0)


def test_the_terms_alone_are_not_committed_to() -> None:
    """A log without its commitment gives no ticket, nor does one with another."""
    done = played()
    assert ticket_or_none(done, done.records[:1], 1) is None
    other = replace(done.records[1], commitment=bytes(32)) if isinstance(done.records[1], Commitment) else None
    assert other is not None
    assert ticket_or_none(done, [done.records[0], other], 1) is None


def test_a_value_opened_that_does_not_fit_its_seal_gives_no_ticket() -> None:
    """The deal would rest on it."""
    done = all_signed(4, 1)
    records = apart(done.records)[: where(done, Deal)]
    at = where(done, Opened, 1)
    opened = records[at]
    assert isinstance(opened, Opened)
    wrong = replace(opened, contribution=bytes(32))
    assert ticket_or_none(done, [*records[:at], wrong, *records[at + 1 :]], 1) is None
