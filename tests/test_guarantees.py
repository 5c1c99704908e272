"""What is proven, on what evidence, and why not: every guarantee, on whole, false and running logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from fairdeal.audit import audit
from fairdeal.codec import encode_record
from fairdeal.codes import Code
from fairdeal.commit import round_blind, transcript
from fairdeal.evidence import Evidence
from fairdeal.records import (
    OPERATOR,
    Actions,
    Close,
    Commitment,
    Deal,
    Opened,
    Record,
    RoundEnd,
    Sealed,
    Signature,
    signer_of,
)
from fairdeal.report import Guarantee, GuaranteeName, Report, Verdict
from fairdeal.ruleset import load_preset
from fairdeal.settings import Contributions, SeatKind
from fairdeal.sign import public_key
from fairdeal.simulate import Simulated, Simulation, simulate
from tests.conftest import SAMPLES, UNSIGNED, all_signed, apart, held_by_all, played, rebuilt, voided, where

NAMES = tuple(GuaranteeName)


def stated(data: bytes, name: GuaranteeName, held: Evidence | None = None) -> tuple[bool, str]:
    """Return whether a guarantee is proven for a log, and the reason."""
    one = next(one for one in audit(data, held).guarantees if one.name is name)
    return one.proven, one.reason


def whole(done: Simulated) -> bytes:
    """Return the bytes of a match."""
    return bytes(done.data)


def cut(done: Simulated, kind: type[Record], number: int = 0) -> bytes:
    """Return a match up to a record, without it."""
    return rebuilt(apart(done.records)[: where(done, kind, number)], done.keys)


def changed(done: Simulated, kind: type[Record], number: int = 0, **values: Any) -> bytes:
    """Return a match with one record changed and everything else made good."""
    records = apart(done.records)
    at = where(done, kind, number)
    records[at] = replace(records[at], **values)
    return rebuilt(records, done.keys)


def keys(done: Simulated, *signers: int) -> Mapping[int, bytes]:
    """Return the public keys of some signers."""
    return {signer: public_key(done.keys[signer]) for signer in signers}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_report_states_all_five_in_order(name: str) -> None:
    """Each guarantee with a reason, proven or not, and what no log can show."""
    done = SAMPLES[name]()
    for data in (whole(done), cut(done, Deal), cut(done, RoundEnd, 1), rebuilt(done.records[:1])):
        report = audit(data)
        assert [one.name for one in report.guarantees] == list(GuaranteeName)
        assert all(one.reason for one in report.guarantees)
        assert len(report.statements) == 5
        assert all(isinstance(one, Guarantee) for one in report.guarantees)


def with_requirement(names: tuple[GuaranteeName, ...]) -> Report:
    """Return the report on a sound match without evidence, requiring these guarantees."""
    return audit(whole(all_signed()), None, names)


@pytest.mark.parametrize("names", [names for size in range(6) for names in combinations(NAMES, size)], ids="-".join)
def test_only_what_is_required_counts(names: tuple[GuaranteeName, ...]) -> None:
    """Each required guarantee that is not proven is one finding at its name; the others change no verdict."""
    report = with_requirement(names)
    missing = [one.name for one in report.guarantees if one.name in names and not one.proven]
    assert missing == [name for name in names if name in ("anchored", "recorded", "unchosen")]
    assert [(one.code, one.place, one.expected) for one in report.findings] == [
        (Code.NOT_PROVEN, f"guarantee.{name}", "proven") for name in missing
    ]
    assert [one.required for one in report.guarantees] == [name in names for name in NAMES]
    assert report.verdict is (Verdict.INCOMPLETE if missing else Verdict.VERIFIED)
    for one, finding in zip([one for one in report.guarantees if one.name in missing], report.findings, strict=True):
        assert one.reason == finding.found


# unchanged

NOT_COMMITTED = "a seed, a deal or a contribution is not what was committed to"


def test_unchanged_is_proven_by_a_secret_that_opens_the_commitment() -> None:
    """Every deal follows its seed, every seed follows M, and M opens C."""
    assert stated(whole(played(4, 3)), GuaranteeName.UNCHANGED) == (
        True,
        "3 deals follow the seeds that open the commitment",
    )


@pytest.mark.parametrize(
    "data",
    [
        lambda: changed(all_signed(), Close, secret=bytes(32)),
        lambda: changed(all_signed(), Commitment, commitment=bytes(32)),
        lambda: changed(all_signed(), RoundEnd, seed=bytes(32)),
        lambda: changed(all_signed(), Deal, 1, blind=bytes(16)),
        lambda: changed(all_signed(), Deal, 1, first=0),
        lambda: changed(all_signed(), Deal, 1, round=7),
        lambda: changed(all_signed(), Opened, 2, contribution=bytes(32)),
        lambda: changed(all_signed(), Sealed, 2, seal=bytes(32)),
        lambda: changed(all_signed(), Sealed, 2, seat=1),
    ],
)
def test_unchanged_falls_with_any_check_it_rests_on(data: Any) -> None:
    """Commitment, contributions, seeds and deals."""
    report = audit(data(), held_by_all(all_signed()))
    assert report.guarantees[0][1::2] == (False, NOT_COMMITTED)
    assert report.verdict is Verdict.REFUTED


def test_unchanged_waits_for_the_secret() -> None:
    """While a match runs M is hidden; the ended rounds whose tickets were given are named."""
    done = played(4, 3)
    running = cut(done, Close)
    assert stated(running, GuaranteeName.UNCHANGED) == (False, "the match secret is not revealed")
    tickets = tuple(done.tickets[number] for number in (9, 0, 1))
    assert stated(running, GuaranteeName.UNCHANGED, Evidence(tickets=tickets)) == (
        False,
        "the match secret is not revealed; tickets open the seeds of rounds 1, 3",
    )
    before = cut(done, RoundEnd, 2)
    assert stated(before, GuaranteeName.UNCHANGED, Evidence(tickets=tickets))[1].endswith("of rounds 1")


def test_unchanged_needs_a_deal() -> None:
    """Of a match in which nothing was dealt nothing can be unchanged."""
    assert stated(voided(played(), 2), GuaranteeName.UNCHANGED) == (False, "no round was dealt")


def test_unchanged_needs_every_deal_to_follow_the_commitment() -> None:
    """A round beyond the last has no seed in C: neither one that is revealed for it counts, nor that there is none."""
    done = played(4, 1)
    mixed = transcript(done.tree.terms, done.tree.commitment(), done.contributions)
    seed = bytes(32)
    head = apart(done.records)[:-1]
    deal = Deal(2, 1, round_blind(seed, mixed, 2))
    end = replace(head[-1], seed=seed) if isinstance(head[-1], RoundEnd) else head[-1]
    close = done.records[-1]
    for records in ([*head, deal, close], [*head, deal, end, close]):
        proven, reason = stated(rebuilt(records), GuaranteeName.UNCHANGED)
        assert not proven
        assert "deal" in reason


# anchored


def test_anchored_needs_something_from_before() -> None:
    """Without evidence a log only agrees with itself, and with an operator's key too: it says who, never when."""
    done = all_signed()
    nothing = (False, "nothing from before the deals that fits was given")
    assert stated(whole(done), GuaranteeName.ANCHORED) == nothing
    assert stated(whole(done), GuaranteeName.ANCHORED, Evidence(keys=keys(done, OPERATOR))) == nothing
    assert stated(whole(done), GuaranteeName.ANCHORED, Evidence(contributions={1: done.contributions[1]})) == nothing


def test_a_commitment_anchors_all_rounds() -> None:
    """Given by hand or in a published list, if it fits."""
    done = played()
    c = done.tree.commitment()
    given = Evidence(commitments=(c,))
    assert stated(whole(done), GuaranteeName.ANCHORED, given) == (True, "all rounds, by the commitment given")
    listed = Evidence(published=({6: bytes(32), 7: c},))
    assert stated(whole(done), GuaranteeName.ANCHORED, listed) == (True, "all rounds, by the published list")
    both = replace(listed, commitments=(c,))
    assert stated(whole(done), GuaranteeName.ANCHORED, both) == (
        True,
        "all rounds, by the commitment given, the published list",
    )
    for other in (
        Evidence(commitments=(bytes(32),)),
        Evidence(published=({6: c},)),
        Evidence(published=({7: bytes(32)},)),
    ):
        assert stated(whole(done), GuaranteeName.ANCHORED, other)[0] is False


def test_a_commitment_alone_anchors_no_sealed_contributions() -> None:
    """C fixes the seeds; whoever plays all seats could still choose what is mixed in. The lock or a ticket fixes it."""
    done = all_signed()
    c = done.tree.commitment()
    reason = "a commitment alone does not fix the sealed contributions, and nothing else fits"
    for held in (
        Evidence(commitments=(c,)),
        Evidence(published=({7: c},)),
        Evidence(commitments=(c,), keys=keys(done, 0)),
    ):
        assert stated(whole(done), GuaranteeName.ANCHORED, held) == (False, reason)
    for offset, proven in ((done.lock - 1, False), (done.lock, True)):
        receipt = Evidence(receipts=(done.receipt(offset),))
        assert stated(whole(done), GuaranteeName.ANCHORED, receipt)[0] is proven
    ticket = Evidence(commitments=(c,), tickets=(done.tickets[0],))
    assert stated(whole(done), GuaranteeName.ANCHORED, ticket) == (True, "all rounds, by a ticket of round 1")


def test_a_lock_signed_by_a_pinned_seat_anchors_all_rounds() -> None:
    """The seat signed before anything was dealt; its key must be known from elsewhere and its signature good."""
    done = all_signed()
    pinned = Evidence(keys=keys(done, 2, 4))
    proven, reason = stated(whole(done), GuaranteeName.ANCHORED, pinned)
    assert proven
    assert reason.startswith("all rounds, by the lock signed by the pinned key of seat 1")
    assert "the lock signed by the pinned key of seat 3" in reason
    for other in ({2: public_key(done.keys[3])}, {}):
        assert stated(whole(done), GuaranteeName.ANCHORED, Evidence(keys=other))[0] is False
    records = apart(done.records)
    at = where(done, Signature, 2)
    bad = [*records[:at], Signature(2, UNSIGNED), *records[at + 1 :]]
    others = {signer: key for signer, key in done.keys.items() if signer != 2}
    assert stated(rebuilt(bad, others), GuaranteeName.ANCHORED, Evidence(keys=keys(done, 2)))[0] is False


def test_a_lock_signed_by_a_bot_anchors_nothing() -> None:
    """A bot's key is the operator's own, whoever pinned it."""
    done = all_signed(4, 1)
    seats = tuple(replace(seat, kind=SeatKind.BOT) for seat in done.terms.seats)
    bots = replace(done.terms, seats=seats)
    records = [one for one in apart(done.records)[1:] if not isinstance(one, Sealed | Opened)]
    for terms, proven in ((bots, False), (replace(bots, seats=(done.terms.seats[0], *seats[1:])), True)):
        data = rebuilt([replace(terms, contributions=Contributions.NONE), *records], done.keys)
        assert stated(data, GuaranteeName.ANCHORED, Evidence(keys=keys(done, 1, 2)))[0] is proven


def test_a_ticket_anchors_from_its_round_on() -> None:
    """Proven from round 1 on; else the first anchored round is named."""
    done = played(4, 3)

    def by(*numbers: int) -> tuple[bool, str]:
        tickets = tuple(done.tickets[4 * (number - 1)] for number in numbers)
        return stated(whole(done), GuaranteeName.ANCHORED, Evidence(tickets=tickets))

    assert by(1) == (True, "all rounds, by a ticket of round 1")
    assert by(3, 1, 2) == (True, "all rounds, by a ticket of round 1")
    assert by(2) == (False, "only from round 2 on, by a ticket of round 2")
    assert by(3, 2) == (False, "only from round 2 on, by a ticket of round 2")
    assert by(3) == (False, "only from round 3 on, by a ticket of round 3")
    early = cut(done, Deal, 2)
    held = Evidence(tickets=(done.tickets[8],))
    assert stated(early, GuaranteeName.ANCHORED, held) == (False, "nothing from before the deals that fits was given")


def test_a_ticket_that_does_not_fit_anchors_nothing() -> None:
    """One wrong value in it, and it is no evidence for the log but against it."""
    done = played()
    wrong = replace(done.tickets[0], fingerprint=bytes(32))
    assert stated(whole(done), GuaranteeName.ANCHORED, Evidence(tickets=(wrong,)))[0] is False


def test_a_receipt_anchors_what_was_dealt_behind_it() -> None:
    """From the commitment on, up to the start of a deal; later ones anchor later rounds only."""
    done = played(4, 3)
    starts = [len(cut(done, Deal, number)) for number in range(3)]
    terms_end = len(encode_record(done.terms))

    def by(*receipts: int) -> tuple[bool, str]:
        return stated(whole(done), GuaranteeName.ANCHORED, Evidence(receipts=tuple(map(done.receipt, receipts))))

    nothing = (False, "nothing from before the deals that fits was given")
    assert by(done.lock) == (True, f"all rounds, by a receipt at byte {done.lock}")
    assert by(starts[0]) == (True, f"all rounds, by a receipt at byte {starts[0]}")
    assert by(done.lock - 1) == nothing
    assert by(terms_end) == nothing
    assert by(starts[0] + 1) == (False, f"only from round 2 on, by a receipt at byte {starts[0] + 1}")
    assert by(starts[1]) == (False, f"only from round 2 on, by a receipt at byte {starts[1]}")
    assert by(starts[1] + 1) == (False, f"only from round 3 on, by a receipt at byte {starts[1] + 1}")
    assert by(starts[2] + 1) == nothing
    assert by(starts[2], starts[1] + 1, starts[0]) == (True, f"all rounds, by a receipt at byte {starts[0]}")


def test_a_receipt_without_weight_anchors_nothing() -> None:
    """A signature that is not the operator's, another digest, a log that is shorter."""
    done = played(4, 2, signed=True)
    good = done.receipt(done.lock)
    for wrong in (good._replace(signature=bytes(64)), good._replace(digest=bytes(32), signature=b"")):
        assert stated(whole(done), GuaranteeName.ANCHORED, Evidence(receipts=(wrong,)))[0] is False
    beyond = Evidence(receipts=(done.receipt(len(done.data)),))
    assert stated(cut(done, Close), GuaranteeName.ANCHORED, beyond)[0] is False


def test_nothing_dealt_is_nothing_anchored() -> None:
    """Before the first deal there is nothing to anchor, whatever is held."""
    done = all_signed()
    assert stated(cut(done, Deal), GuaranteeName.ANCHORED, held_by_all(done)) == (False, "no round was dealt")


# recorded


def test_recorded_needs_a_receipt_or_a_pinned_signature() -> None:
    """A commitment or a ticket says nothing about what was played."""
    done = all_signed()
    nothing = (False, "no receipt and no signature under a pinned key")
    held = Evidence(tickets=tuple(done.tickets), commitments=(done.tree.commitment(),))
    assert stated(whole(done), GuaranteeName.RECORDED, held) == nothing
    assert stated(whole(done), GuaranteeName.RECORDED) == nothing


PLACES: list[tuple[type[Record], int, str]] = [
    (Commitment, 0, "the terms"),
    (Sealed, 0, "the commitment"),
    (Signature, 0, "the lock"),
    (Deal, 0, "the lock"),
    (Actions, 0, "the middle of round[1]"),
    (RoundEnd, 0, "the middle of round[1]"),
    (Deal, 1, "the end of round[1]"),
    (Actions, 100, "the middle of round[2]"),
    (RoundEnd, 1, "the middle of round[2]"),
    (Close, 0, "the end of round[2]"),
]


@pytest.mark.parametrize(("kind", "number", "place"), PLACES)
def test_a_receipt_records_up_to_its_byte(kind: type[Record], number: int, place: str) -> None:
    """The reason names the bytes and the place reached; proven from the end of the last round on."""
    done = all_signed()
    at = len(cut(done, kind, number))
    proven, reason = stated(whole(done), GuaranteeName.RECORDED, Evidence(receipts=(done.receipt(at),)))
    assert proven is (kind is Close)
    words = f"bytes 0 to {at}, up to {place}, by a receipt"
    assert reason == (words if proven else words + "; beyond it the actions rest on the operator's word")


def test_a_receipt_inside_a_record_reaches_the_one_before() -> None:
    """Any offset may be receipted; the place is the last record that ends there or before."""
    done = played(4, 2)
    end = len(cut(done, Deal, 1))
    for offset, place in (
        (end - 1, "the middle of round[1]"),
        (end, "the end of round[1]"),
        (end + 1, "the end of round[1]"),
    ):
        reason = stated(whole(done), GuaranteeName.RECORDED, Evidence(receipts=(done.receipt(offset),)))[1]
        assert f"up to {place}," in reason


def test_a_signature_under_a_pinned_key_records_what_it_signs() -> None:
    """The operator's after the close covers everything, a seat's over the lock only that."""
    done = all_signed()
    close_end = len(done.data) - len(encode_record(Signature(OPERATOR, UNSIGNED)))
    by_operator = "a signature under the pinned key of operator"
    proven, reason = stated(whole(done), GuaranteeName.RECORDED, Evidence(keys=keys(done, OPERATOR)))
    assert proven
    assert reason.startswith(f"bytes 0 to {close_end}, up to the close, by {by_operator}")
    proven, reason = stated(whole(done), GuaranteeName.RECORDED, Evidence(keys=keys(done, 3)))
    assert not proven
    assert reason.startswith(f"bytes 0 to {done.lock}, up to the lock, by a signature under the pinned key of seat 2; ")
    end = Evidence(receipts=(done.receipt(len(done.data)),), keys=keys(done, OPERATOR, 3))
    assert stated(whole(done), GuaranteeName.RECORDED, end) == (
        True,
        f"bytes 0 to {len(done.data)}, up to the signature after the close, by a receipt",
    )


def test_seats_may_sign_before_the_close() -> None:
    """A seat that signs everything it played records it under its own key."""
    done = all_signed(4, 1)
    records = apart(done.records)
    close = where(done, Close)
    signed = [*records[:close], Signature(2, UNSIGNED), Signature(3, UNSIGNED), *records[close:]]
    data = rebuilt(signed, done.keys)
    at = len(cut(done, Close))
    assert audit(data, None, ()).verdict is Verdict.VERIFIED
    assert stated(data, GuaranteeName.RECORDED, Evidence(keys=keys(done, 2))) == (
        True,
        f"bytes 0 to {at}, up to the end of round[1], by a signature under the pinned key of seat 1",
    )


def test_a_running_log_is_never_wholly_recorded() -> None:
    """Something may follow what was receipted."""
    done = played(4, 2)
    running = cut(done, Close)
    held = Evidence(receipts=(done.receipt(len(running)),))
    proven, reason = stated(running, GuaranteeName.RECORDED, held)
    assert not proven
    assert reason.startswith(f"bytes 0 to {len(running)}, up to the end of round[2], by a receipt; ")


def test_a_void_match_is_recorded_up_to_its_last_ended_round() -> None:
    """Or up to the lock where no round has ended."""
    done = played(4, 2)
    for at, reach in ((where(done, Actions, 3), done.lock), (where(done, Actions, 100), len(cut(done, Deal, 1)))):
        data = voided(done, at)
        for offset, proven in ((reach - 1, False), (reach, True)):
            held = Evidence(receipts=(done.receipt(offset),))
            assert stated(data, GuaranteeName.RECORDED, held)[0] is proven


# unchosen


def test_unchosen_needs_contributions() -> None:
    """Where the operator alone chose the seeds no evidence helps."""
    done = played(4, 2, signed=True)
    assert stated(whole(done), GuaranteeName.UNCHOSEN, held_by_all(done)) == (
        False,
        "no contributions: the operator alone chose the seeds",
    )


NOBODY = "no contributing seat is vouched for: a pinned seat key, or a lock receipt and its contribution"


def test_unchosen_needs_somebody_who_is_vouched_for() -> None:
    """Seat names and keys in the terms are the operator's own words."""
    done = all_signed()
    for held in (
        Evidence(),
        Evidence(tickets=tuple(done.tickets), commitments=(done.tree.commitment(),)),
        Evidence(keys=keys(done, OPERATOR)),
        Evidence(receipts=(done.receipt(done.lock),)),
        Evidence(contributions={1: done.contributions[1]}),
    ):
        assert stated(whole(done), GuaranteeName.UNCHOSEN, held) == (False, NOBODY)


def test_a_pinned_seat_key_vouches_for_its_seat() -> None:
    """Each seat whose lock signature is good is named."""
    done = all_signed()
    held = Evidence(keys=keys(done, 3))
    assert stated(whole(done), GuaranteeName.UNCHOSEN, held) == (True, "unless seat 2 worked with the operator")
    held = Evidence(keys=keys(done, OPERATOR, 4, 1))
    assert stated(whole(done), GuaranteeName.UNCHOSEN, held) == (True, "unless seats 0, 3 all worked with the operator")


def test_a_lock_receipt_and_the_own_contribution_vouch_for_a_seat() -> None:
    """Any receipt from the lock's end to the first opening will do, with the contribution that was opened."""
    done = all_signed()
    opened = len(cut(done, Opened))
    own = {1: done.contributions[1]}
    for offset, proven in (
        (done.lock - 1, False),
        (done.lock, True),
        (opened, True),
        (opened + 1, False),
        (len(done.data), False),
    ):
        held = Evidence(receipts=(done.receipt(offset),), contributions=own)
        assert stated(whole(done), GuaranteeName.UNCHOSEN, held)[0] is proven, offset
    other = Evidence(receipts=(done.receipt(done.lock),), contributions={1: done.contributions[2]})
    assert stated(whole(done), GuaranteeName.UNCHOSEN, other) == (False, NOBODY)
    both = Evidence(receipts=(done.receipt(done.lock),), contributions=own, keys=keys(done, 2, 1))
    assert stated(whole(done), GuaranteeName.UNCHOSEN, both) == (True, "unless seats 0, 1 all worked with the operator")


def test_unchosen_falls_with_a_fault_among_the_contributions() -> None:
    """One seat's false opening leaves it open what the others' were mixed with."""
    done = all_signed()
    reason = "not every contribution was sealed and opened as it should be"
    for data in (
        changed(done, Opened, 2, contribution=bytes(32)),
        changed(done, Sealed, 0, seal=bytes(32)),
        rebuilt([one for one in apart(done.records) if one != done.records[where(done, Opened, 1)]], done.keys),
        cut(done, Opened, 3),
    ):
        assert stated(data, GuaranteeName.UNCHOSEN, held_by_all(done)) == (False, reason)


def test_a_bot_vouches_for_nothing() -> None:
    """Only a seat that contributes can have chosen anything, whatever key it has."""
    done = all_signed(4, 1)
    seats = tuple(replace(seat, kind=SeatKind.EASY) for seat in done.terms.seats[:1]) + done.terms.seats[1:]
    terms = replace(done.terms, seats=seats)
    report = audit(rebuilt([terms, *apart(done.records)[1:]], done.keys), Evidence(keys=keys(done, signer_of(0))))
    assert report.guarantees[3].proven is False


# rules


def test_rules_are_proven_by_a_match_played_to_its_end() -> None:
    """The reason counts what was re-executed."""
    done = played(4, 3)
    count = sum(isinstance(one, Actions) for one in apart(done.records))
    reason = f"{count} actions in 3 rounds; no times on record in 3 rounds"
    assert stated(whole(done), GuaranteeName.RULES) == (True, reason)


def test_a_match_that_ran_into_its_maximum_says_so() -> None:
    """A target nobody reached by the last possible round is no ordinary end; an open match ends when it likes."""

    def ended(**settings: object) -> tuple[bool, str]:
        table = load_preset("president", settings)
        return stated(whole(simulate(Simulation(table, 4, bytes(32), players="lowest", rounds=2))), GuaranteeName.RULES)

    proven, reason = ended(match_end="target", end_at=50)
    assert proven
    assert reason.endswith(" actions in 2 rounds, ended at its maximum of 2 rounds; no times on record in 2 rounds")
    for settings in ({"match_end": "open", "end_at": 0}, {"match_end": "target", "end_at": 4}, {"end_at": 2}):
        proven, reason = ended(**settings)
        assert proven
        assert reason.endswith(" actions in 2 rounds; no times on record in 2 rounds")


@pytest.mark.parametrize(
    "data",
    [
        lambda: changed(played(), RoundEnd, titles=(0, 0, 0, 0)),
        lambda: changed(played(), Close, totals=(0, 0, 0, 0)),
        lambda: changed(played(), Deal, 1, blind=bytes(16)),
        lambda: changed(all_signed(), Opened, contribution=bytes(32)),
    ],
)
def test_rules_fall_with_any_fault_of_the_log(data: Any) -> None:
    """Whatever check it is that found one."""
    assert stated(data(), GuaranteeName.RULES) == (False, "the log itself is at fault")


def test_evidence_against_a_log_is_no_fault_in_its_play() -> None:
    """Another commitment refutes the log, but its plays were by the rules."""
    report = audit(whole(played()), Evidence(commitments=(bytes(32),)))
    assert report.verdict is Verdict.REFUTED
    assert report.guarantees[4].proven


def test_rules_need_the_end_of_the_match() -> None:
    """Running or void, the match did not end by rule."""
    done = played()
    for data in (cut(done, Close), cut(done, Deal), voided(done, where(done, Deal, 1)), voided(done, 2)):
        assert stated(data, GuaranteeName.RULES) == (False, "the match did not end by rule")
