"""Simulated matches: the same plan gives the same bytes, every kind is sound, and logs stay as small as promised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal import anchor
from fairdeal.anchor import read_folder
from fairdeal.audit import audit
from fairdeal.bots import POLICY
from fairdeal.codec import Log, encode_log, encode_record
from fairdeal.errors import Misuse
from fairdeal.hashing import file_digest
from fairdeal.legal import legal_actions
from fairdeal.match import Match
from fairdeal.play import Round
from fairdeal.players import PLAYERS
from fairdeal.records import (
    OPERATOR,
    PASS,
    Action,
    Actions,
    Close,
    CloseReason,
    Deal,
    Exchange,
    Opened,
    Presence,
    RoundEnd,
    Sealed,
    SeatEvent,
    Signature,
)
from fairdeal.replay import replay
from fairdeal.report import GuaranteeName, Verdict
from fairdeal.ruleset import load_preset
from fairdeal.settings import Contributions, SeatKind
from fairdeal.sign import public_key
from fairdeal.simulate import NAMES, WHO_PLAYS, Simulated, Simulation, evidence_files, simulate
from fairdeal.ticket import decode_ticket
from fairdeal.vectors.mutators.draft import parted, split
from tests.conftest import SAMPLES, all_signed, evidence_folder, held_by_all, played

PRESIDENT = load_preset("president")
FIXED = {
    "match id": "923fddcdaf2d395e9f76c0f531d50eab",
    "random": "786a99ecc8b5f13fdc36950d85e15ce033b2e4834d8241a9f072aadf106570fe",
    "lowest, with seat keys": "c8b1bf280411191277c9a61621f71b20572a6ad498278133681d49e02b32a971",
}
plans = st.builds(
    Simulation,
    ruleset=st.sampled_from([load_preset("president", {"end_at": rounds}) for rounds in (1, 2)]),
    seats=st.integers(3, 8),
    rng=st.binary(min_size=32, max_size=32),
    sealed=st.booleans(),
    signed=st.booleans(),
    seat_keys=st.booleans(),
    players=st.sampled_from(["random", "lowest"]),
    sequence=st.integers(0, 2**53 - 1),
)


@given(plans)
@settings(max_examples=40, deadline=None)
def test_any_plan_gives_a_sound_match_and_the_same_bytes_again(plan: Simulation) -> None:
    """Verified with all guarantees its plan allows, decoded to the records that were played."""
    done = simulate(plan)
    assert simulate(plan).data == done.data
    report = audit(bytes(done.data), held_by_all(done), tuple(GuaranteeName))
    proven = {one.name for one in report.guarantees if one.proven}
    assert report.verdict is (Verdict.VERIFIED if plan.sealed else Verdict.INCOMPLETE)
    assert proven == set(GuaranteeName) - (set() if plan.sealed else {GuaranteeName.UNCHOSEN})
    log = Log(bytes(done.data))
    assert (log.terms, log.broken) == (done.terms, None)
    assert encode_log([log.terms, *(item.record for item in log.items)]) == done.data


def test_the_plan_decides_everything() -> None:
    """Each of its values changes the match, and nothing else does."""
    plan = Simulation(PRESIDENT, 4, bytes(32), players="lowest")
    same = bytes(simulate(plan).data)
    others = [
        replace(plan, rng=b"\1" * 32),
        replace(plan, seats=5),
        replace(plan, sealed=True),
        replace(plan, signed=True),
        replace(plan, seat_keys=True),
        replace(plan, players="random"),
        replace(plan, sequence=2),
        replace(plan, rounds=6),
        replace(plan, players="easy"),
        replace(plan, players=("lowest", "lowest", "lowest", "hard")),
        replace(plan, clock=True),
        replace(plan, ruleset=load_preset("president", {"reseat": True})),
    ]
    made = [bytes(simulate(one).data) for one in others]
    assert len({same, *made}) == len(others) + 1


def test_a_plan_gives_the_bytes_it_always_gave() -> None:
    """On every machine and version: a change here changes every sample and every benchmark."""
    plan = Simulation(load_preset("president", {"end_at": 1}), 3, bytes(range(32)), sealed=True, signed=True)
    first, second = simulate(plan), simulate(replace(plan, players="lowest", seat_keys=True))
    assert first.data[: len(encode_record(first.terms))] == encode_record(first.terms)
    assert first.terms.match_id.hex() == FIXED["match id"]
    assert file_digest(bytes(first.data)).hex() == FIXED["random"]
    assert file_digest(bytes(second.data)).hex() == FIXED["lowest, with seat keys"]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_records_are_those_of_a_match_by_rule(name: str) -> None:
    """Every round with its exchange, its actions as one record, and its end; the close by rule."""
    done = SAMPLES[name]()
    assert done.records[0] == done.terms
    assert bytes(done.data) == encode_log(done.records)
    deals = [one for one in done.records if isinstance(one, Deal)]
    ends = [one for one in done.records if isinstance(one, RoundEnd)]
    assert [one.round for one in deals] == list(range(1, len(ends) + 1))
    assert [one.seed for one in ends] == list(done.tree.seeds)
    assert sum(isinstance(one, Actions) for one in done.records) == len(ends)
    swaps = 2 if len(done.terms.seats) == 3 else 4
    assert sum(isinstance(one, Exchange) for one in done.records) == swaps * (len(ends) - 1)
    (close,) = [one for one in done.records if isinstance(one, Close)]
    assert (close.reason, close.seat, close.secret) == (CloseReason.BY_RULE, None, done.secret)
    assert [one.signer for one in done.records if isinstance(one, Signature)] == [
        *done.keys,
        *([OPERATOR] if OPERATOR in done.keys else []),
    ]


def test_terms_are_those_of_the_plan() -> None:
    """Names, kinds, keys, policy, number and rounds."""
    done = all_signed(5, 2)
    assert [seat.name for seat in done.terms.seats] == list(NAMES[:5])
    assert {seat.kind for seat in done.terms.seats} == {SeatKind.HUMAN}
    assert done.terms.signing_keys() == {signer: public_key(key) for signer, key in done.keys.items()}
    assert (done.terms.contributions, done.terms.sequence, done.terms.rounds) == (Contributions.SEALED, 7, 2)
    assert len(set(done.contributions)) == len(done.contributions) == 5
    assert len(set(done.keys.values())) == len(done.keys) == 6
    plain = played(4, 3)
    assert (plain.terms.contributions, plain.keys, plain.contributions) == (Contributions.NONE, {}, (b"",) * 4)
    assert plain.terms.operator_key == b""


@pytest.mark.parametrize("seats", [0, 2, 9, 20])
def test_a_table_of_another_size_is_refused(seats: int) -> None:
    """By the ruleset, in its words."""
    with pytest.raises(Misuse, match=f"for 3 to 8 seats, not {seats}"):
        simulate(Simulation(PRESIDENT, seats, bytes(32)))


def states(done: Simulated) -> Iterator[tuple[Round, Action]]:
    """Yield every state of a match with the action taken in it."""
    seen: list[tuple[bool, Action]] = []
    shown: list[tuple[Round, Action]] = []

    def observe(place: str, state: Round, action: Action) -> None:
        del place
        seen.append((len(legal_actions(state)) > 1 and bool(state.count), action))
        shown.append((state, action))

    replay(Log(bytes(done.data)), observe)
    yield from (pair for pair, (choice, _) in zip(shown, seen, strict=True) if choice)


def test_random_play_passes_when_it_could_play_and_plays_when_it_could_pass() -> None:
    """Both happen, so that voluntary passes are in every sample of random play."""
    done = played(4, 2, players="random")
    choices = [action.kind == PASS for _, action in states(done)]
    assert any(choices)
    assert not all(choices)


def test_lowest_play_never_passes_when_it_could_play() -> None:
    """It follows with the lowest that beats."""
    assert not [action for _, action in states(played(4, 2)) if action.kind == PASS]


def test_random_play_returns_any_card() -> None:
    """The free return of an exchange is sometimes not the lowest cards of the hand."""
    gifts = [one for one in played(4, 5, players="random").records if isinstance(one, Exchange)]
    lowest = [one for one in played(4, 5).records if isinstance(one, Exchange)]
    high = [gift for gift in gifts[2::4] if min(gift.cards) > 20]
    assert high
    assert all(max(gift.cards) < 30 for gift in lowest[2::4])


# bots, time and absences

MIXED = ("hard", "easy", "random", "medium")


def kinds(done: Simulated) -> list[SeatKind]:
    """Return who the terms say plays each seat."""
    return [seat.kind for seat in done.terms.seats]


def by_kind(done: Simulated) -> Counter[str]:
    """Return how often people and clock acted, and what happened to seats."""
    found: Counter[str] = Counter()
    for record in split(done.records):
        inner, timing = parted(record)
        if isinstance(inner, SeatEvent):
            found[inner.presence.name] += 1
        elif timing.acted_for is not None:
            found[f"{type(inner).__name__} by the clock"] += 1
        elif timing.tenths is not None:
            found[type(inner).__name__] += 1
    return found


@given(
    st.sampled_from([("president", {"end_at": 2}), ("party", {"end_at": 1}), ("le-president", {"turn_seconds": 1})]),
    st.lists(st.sampled_from(WHO_PLAYS), min_size=4, max_size=6),
    st.binary(min_size=32, max_size=32),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=30, deadline=None)
def test_any_table_of_people_and_bots_is_sound_with_and_without_a_clock(
    table: tuple[str, dict[str, int]], players: list[str], rng: bytes, clock: bool, sealed: bool
) -> None:
    """Nothing is found in it; the policy is named unless a bot has no level."""
    ruleset = load_preset(table[0], table[1])
    sealed = sealed and any(who in PLAYERS for who in players)
    clock = clock and ruleset.template.turn_seconds > 0
    plan = Simulation(ruleset, len(players), rng, sealed=sealed, players=tuple(players), clock=clock)
    done = simulate(plan)
    assert simulate(plan).data == done.data
    assert audit(bytes(done.data), held_by_all(done)).verdict is Verdict.VERIFIED
    assert kinds(done) == [SeatKind.HUMAN if who in PLAYERS else SeatKind(who) for who in players]
    bots = clock or any(who not in PLAYERS for who in players)
    assert done.terms.bot_policy == (POLICY if bots and "bot" not in players else 0)
    log = Log(bytes(done.data))
    assert encode_log([log.terms, *(item.record for item in log.items)]) == done.data


def test_one_name_is_for_all_seats() -> None:
    """As many times as there are seats gives the same bytes."""
    for who in ("largest", "medium"):
        plan = Simulation(PRESIDENT, 3, bytes(32), players=who)
        assert simulate(plan).data == simulate(replace(plan, players=(who,) * 3)).data


def test_only_people_seal_and_all_seats_have_keys() -> None:
    """A bot contributes nothing; its key is there, and signs the lock like any other."""
    done = simulate(Simulation(PRESIDENT, 4, bytes(32), sealed=True, seat_keys=True, players=MIXED))
    assert [bool(value) for value in done.contributions] == [False, False, True, False]
    assert all(seat.key for seat in done.terms.seats)
    assert [one.signer for one in done.records if isinstance(one, Signature)] == [1, 2, 3, 4]


def test_a_clock_brings_everything_that_time_and_absence_can() -> None:
    """Over a few matches there are time-outs in play and exchange, and seats that come, go and stay away."""
    found = Counter[str]()
    for number in range(6):
        found += by_kind(simulate(Simulation(PRESIDENT, 5, number.to_bytes(32, "big"), clock=True)))
    names = {"Actions", "Exchange", "Actions by the clock", "Exchange by the clock"}
    assert found.keys() == names | {one.name for one in Presence}
    assert found["Actions"] > 5 * found["Actions by the clock"] > 0


def test_without_bots_and_clock_no_record_says_anything_of_them() -> None:
    """No mark, no event, no policy: the bytes are those of earlier versions."""
    done = played(4, 2)
    assert by_kind(done) == {}
    assert done.terms.bot_policy == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"players": "perfect"}, "there are no players `perfect` at --players"),
        ({"players": ("random", "perfect", "easy", "hard")}, "there are no players `perfect`"),
        ({"players": ("random", "easy")}, "2 players at a table of 4"),
        ({"players": "easy", "sealed": True}, "only people seal contributions"),
        ({"ruleset": load_preset("prezydent"), "clock": True}, "the rules have no clock"),
    ],
)
def test_what_cannot_be_played_is_refused(change: dict[str, Any], words: str) -> None:
    """With the reason."""
    with pytest.raises(Misuse, match=words):
        simulate(replace(Simulation(PRESIDENT, 4, bytes(32)), **change))


# what the parties hold


@pytest.mark.parametrize("name", SAMPLES)
def test_what_the_parties_hold_is_written_and_read_again(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every ticket, two receipts, the published line, keys and contributions; no file without a line in it."""
    done = SAMPLES[name]()
    files = evidence_files(done)
    assert all(text.endswith("\n") for text in files.values())
    folder = evidence_folder(tmp_path_factory.mktemp("held"), done)
    held = read_folder(folder)
    expected = held_by_all(done)
    assert held == replace(expected, commitments=())
    assert [decode_ticket(line) for line in files[anchor.TICKETS].splitlines()] == done.tickets
    assert (anchor.CONTRIBUTIONS in files) == (done.terms.contributions is Contributions.SEALED)
    assert (anchor.OPERATOR_KEY in files) == (OPERATOR in done.keys)
    assert (anchor.SEAT_KEYS in files) == any(signer != OPERATOR for signer in done.keys)


@pytest.mark.parametrize("name", SAMPLES)
def test_evidence_holds_nothing_private(name: str) -> None:
    """Neither M, nor a seed, nor a private key."""
    done = SAMPLES[name]()
    text = "".join(evidence_files(done).values())
    assert not [one for one in (done.secret, *done.tree.seeds, *done.keys.values()) if one.hex() in text]


def test_tickets_are_for_every_seat_of_every_round() -> None:
    """In dealing order, as they are handed out."""
    done = played(4, 3)
    assert [(one.round, one.position, one.seat) for one in done.tickets] == [
        (number, position, (number - 1 + position) % 4) for number in (1, 2, 3) for position in range(4)
    ]


def test_receipts_are_signed_where_there_is_a_key() -> None:
    """And name the terms, the offset and the digest of the bytes so far."""
    for done in (played(), all_signed()):
        receipt = done.receipt(done.lock)
        assert receipt[:3] == (done.tree.terms, done.lock, file_digest(bytes(done.data[: done.lock])))
        assert bool(receipt.signature) == bool(done.keys)


# sizes: four seats, five rounds, lowest cards first


@cache
def five_rounds(number: int, *, sealed: bool = False, signed: bool = False, seat_keys: bool = False) -> Simulated:
    """Return a typical match."""
    rng = number.to_bytes(32, "big")
    return simulate(Simulation(PRESIDENT, 4, rng, sealed, signed, seat_keys, players="lowest", sequence=12_345))


def sizes(done: Simulated) -> tuple[int, int, int]:
    """Return how many bytes are not actions, how many are, and how many actions there are."""
    runs = [one for one in done.records if isinstance(one, Actions)]
    size = sum(len(encode_record(one)) for one in runs)
    return len(done.data) - size, size, sum(len(one.actions) for one in runs)


def test_a_log_is_as_small_as_promised() -> None:
    """Everything but actions in 750 bytes, 1,220 sealed with an operator key; 1.75 bytes an action over all matches."""
    matches = [sizes(five_rounds(number)) for number in range(8)]
    assert max(fixed for fixed, _, _ in matches) <= 750
    assert sum(size for _, size, _ in matches) <= 1.75 * sum(actions for _, _, actions in matches)
    assert max(sizes(five_rounds(number, sealed=True, signed=True))[0] for number in range(8)) <= 1_220


@pytest.mark.parametrize("number", range(4))
def test_a_seat_key_adds_its_key_and_its_signature(number: int) -> None:
    """At most 103 bytes for each."""
    without = sizes(five_rounds(number, sealed=True, signed=True))[0]
    assert sizes(five_rounds(number, sealed=True, signed=True, seat_keys=True))[0] <= without + 4 * 103


def test_what_sealing_adds_is_in_the_opening() -> None:
    """A seal and an opening a seat, each with 32 bytes."""
    done = five_rounds(0, sealed=True)
    records = [one for one in done.records if isinstance(one, Sealed | Opened)]
    assert len(records) == 8
    assert sizes(done)[0] - sizes(five_rounds(0))[0] == sum(len(encode_record(one)) for one in records) <= 8 * 37


def test_the_totals_are_those_of_the_rounds() -> None:
    """The close sums up what the rounds gave."""
    done = five_rounds(0)
    match = Match(done.terms.rules, 4, done.terms.rounds)
    for one in done.records:
        if isinstance(one, RoundEnd):
            match.end_round(one.places, one.points)
    (close,) = [one for one in done.records if isinstance(one, Close)]
    assert (close.totals, close.places) == (tuple(match.totals), match.final_places())
    assert sum(close.totals) == 5 * (3 + 2 + 1 + 0)
