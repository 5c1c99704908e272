"""The vector files of the protocol's stages, from seeds to the codec, with every value in between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairdeal.cards import CARD_NAMES, fresh_cards
from fairdeal.codec import Log
from fairdeal.codes import Code
from fairdeal.commit import round_blind, seal, seed_tree, transcript
from fairdeal.deal import deal_hands
from fairdeal.draws import Draws
from fairdeal.hashing import enc
from fairdeal.jsonform import log_to_json
from fairdeal.limits import STREAM_FIRST
from fairdeal.merkle import leaf_hash, merkle_root
from fairdeal.shuffle import deck_stream, shuffle, shuffle_steps
from fairdeal.simulate import Simulated
from fairdeal.ticket import decode_ticket, encode_ticket
from fairdeal.vectors.broken import broken_logs, broken_tickets
from fairdeal.vectors.envelope import Stage, Test, draws_for, invalid, valid
from fairdeal.verify import dealing_of, hand_of

ROUNDS_TREES = (1, 2, 3, 4, 5, 7, 8, 9, 100)


def seeds_stage() -> Stage:
    """Return the tests of secret -> seeds -> fingerprints -> root -> commitment -> audit paths."""
    header = [
        "From the match secret M and the terms hash to the seed s_r and fingerprint F_r of every round, the",
        "Merkle root over F_1..F_N and the commitment C. `paths` lists the audit path of each fingerprint,",
        "siblings from the bottom up. The lists hold the values of the rounds in `listed`.",
    ]
    return Stage("seeds", header, list(_seed_tests()))


def _seed_tests() -> Iterator[Test]:
    for rounds in ROUNDS_TREES:
        draws = draws_for(f"seeds {rounds}")
        secret, terms = draws.take(32), draws.take(32)
        tree = seed_tree(secret, terms, rounds)
        which = list(range(1, rounds + 1)) if rounds <= 9 else [1, 2, rounds - 1, rounds]
        yield valid(
            f"{rounds} rounds",
            secret=secret.hex(),
            termsHash=terms.hex(),
            rounds=rounds,
            listed=which,
            seedInfo=[enc("round-seed", number).hex() for number in which],
            seeds=[tree.seeds[number - 1].hex() for number in which],
            fingerprints=[tree.fingerprints[number - 1].hex() for number in which],
            leaves=[leaf_hash(tree.fingerprints[number - 1]).hex() for number in which],
            paths=[[one.hex() for one in tree.path(number)] for number in which],
            root=merkle_root(tree.fingerprints).hex(),
            commitment=tree.commitment().hex(),
        )
    draws = draws_for("seeds other")
    secret, terms = draws.take(32), draws.take(32)
    opened = seed_tree(secret, terms, 5).commitment()
    given = {"termsHash": terms.hex(), "rounds": 5, "commitment": opened.hex()}
    flipped = bytes([secret[0] ^ 1]) + secret[1:]
    code, place = Code.COMMITMENT, "close.secret"
    yield invalid("a secret with one bit flipped", code, place, secret=flipped.hex(), **given)
    yield invalid("the right secret for six rounds", code, place, secret=secret.hex(), **given | {"rounds": 6})
    other = given | {"termsHash": "00" * 32}
    yield invalid("the right secret under other terms", code, place, secret=secret.hex(), **other)


def contributions_stage() -> Stage:
    """Return the tests of contributions -> seals -> transcript."""
    header = [
        "Each seat's sealed contribution K, and the transcript T over terms hash, commitment and all contributions.",
        "An empty string stands for a seat that contributes nothing; it has no seal.",
    ]
    return Stage("contributions", header, list(_contribution_tests()))


def _contribution_tests() -> Iterator[Test]:
    for seats, human in ((3, 0), (3, 3), (4, 2), (5, 5), (8, 8), (8, 1)):
        draws = draws_for(f"contributions {seats} {human}")
        terms, commitment = draws.take(32), draws.take(32)
        values = [draws.take(32) if seat < human else b"" for seat in range(seats)]
        yield valid(
            f"{seats} seats, {human} of them contribute",
            termsHash=terms.hex(),
            commitment=commitment.hex(),
            contributions=[value.hex() for value in values],
            seals=[seal(terms, commitment, seat, value).hex() if value else "" for seat, value in enumerate(values)],
            encodedContributions=enc("contributions", *values).hex(),
            transcript=transcript(terms, commitment, values).hex(),
        )
    draws = draws_for("contributions opened")
    terms, commitment, value = draws.take(32), draws.take(32), draws.take(32)
    given = {"termsHash": terms.hex(), "commitment": commitment.hex()}
    own = seal(terms, commitment, 1, value).hex()
    flipped = bytes([value[0] ^ 0x80]) + value[1:]
    code = Code.CONTRIBUTION_OPENING
    yield invalid("another seat's seal copied", code, "opened[2]", seat=2, seal=own, contribution=value.hex(), **given)
    yield invalid("one bit flipped", code, "opened[1]", seat=1, seal=own, contribution=flipped.hex(), **given)


def shuffle_stage() -> Stage:
    """Return the tests of stream -> draws -> order, from two cards to two packs with jokers."""
    header = [
        "Fisher-Yates driven by a given byte stream. Each draw is [index, byte, value, accepted].",
        "Cards are faces 0..53; a face that stands twice is a card of two packs.",
    ]
    return Stage("shuffle", header, list(_shuffle_tests()))


def _shuffle_tests() -> Iterator[Test]:
    by_hand = "three cards by hand: 3 is rejected, 1 swaps places 2 and 1, then 2 & 1 = 0 swaps 1 and 0"
    yield _shuffle_test(by_hand, bytes([3, 1, 2]), bytes([0, 1, 2]))
    yield _shuffle_test("one card needs no byte", b"", bytes([0]))
    for packs, jokers in ((1, 0), (1, 2), (2, 0), (2, 2)):
        cards = fresh_cards(packs, jokers)
        stream = draws_for(f"shuffle {packs} {jokers}").take(STREAM_FIRST)
        yield _shuffle_test(f"{len(cards)} cards", stream, cards)
    cards = fresh_cards(1, 0)
    yield _shuffle_test("a stream of zeros: every card moves on by one", bytes(51), cards)
    short = draws_for("shuffle 1 0").take(51)  # the start of the stream that was long enough above
    yield invalid("the stream ends early", "stream-exhausted", cards=list(cards), stream=short.hex())
    yield invalid("a stream of rejections never wraps", "stream-exhausted", cards=[0, 1, 2], stream="ff" * 1024)


def _shuffle_test(comment: str, stream: bytes, cards: bytes) -> Test:
    draws = [[draw.i, draw.byte, draw.j, draw.accepted] for draw in shuffle_steps(cards, stream)]
    order = list(shuffle(cards, stream))
    return valid(comment, cards=list(cards), stream=stream.hex(), draws=draws, order=order)


def deal_stage() -> Stage:
    """Return the tests of seed and transcript -> deck stream, order, hands and blind."""
    header = [
        "From a round's seed s_r and the transcript T to the deck stream (its first 192 bytes), the order, the",
        "hands by dealing position in the order dealt, and the round's blind.",
    ]
    tests = []
    for seats in range(3, 9):
        for packs, jokers in ((1, 0), (1, 2), (2, 0), (2, 2)):
            tests.append(_deal_test(seats, packs, jokers, draws_for(f"deal {seats} {packs} {jokers}")))
    return Stage("deal", header, tests)


def _deal_test(seats: int, packs: int, jokers: int, draws: Draws) -> Test:
    seed, mixed, number = draws.take(32), draws.take(32), 1 + draws.below(1000)
    stream = deck_stream(seed, mixed, number)
    order = shuffle(fresh_cards(packs, jokers), stream)
    return valid(
        f"{seats} seats, {packs} pack(s), {jokers} jokers a pack",
        seed=seed.hex(),
        transcript=mixed.hex(),
        round=number,
        seats=seats,
        packs=packs,
        jokers=jokers,
        streamInfo=enc("deck", number).hex(),
        stream=stream[:STREAM_FIRST].hex(),
        order=list(order),
        hands=[[CARD_NAMES[face] for face in hand] for hand in deal_hands(order, seats)],
        blind=round_blind(seed, mixed, number).hex(),
    )


def ticket_stage(samples: Sequence[Simulated]) -> Stage:
    """Return the tests of tickets: what they hold and lead to, and every spelling that must be refused."""
    header = [
        "A ticket as text, its fields, the commitment C and transcript T it leads to, and with the round's seed",
        "the hand. Invalid tickets are malformed, whatever they would lead to; their place is the ticket itself.",
    ]
    tests = [_ticket_test(sample, index) for sample in samples for index in (0, len(sample.tickets) - 1)]
    sample = samples[0]
    tests += [invalid(comment, Code.MALFORMED, ticket=text) for comment, text in broken_tickets(sample.tickets[0])]
    return Stage("ticket", header, tests)


def _ticket_test(sample: Simulated, index: int) -> Test:
    ticket = sample.tickets[index]
    text = encode_ticket(ticket)
    seed = sample.tree.seeds[ticket.round - 1]
    dealing = dealing_of(decode_ticket(text), seed)
    return valid(
        f"round {ticket.round} of {ticket.rounds}, seat {ticket.seat} of {len(ticket.contributions)}",
        ticket=text,
        termsHash=ticket.terms_hash.hex(),
        rounds=ticket.rounds,
        round=ticket.round,
        fingerprint=ticket.fingerprint.hex(),
        path=[one.hex() for one in ticket.path],
        contributions=[one.hex() for one in ticket.contributions],
        packs=ticket.packs,
        jokers=ticket.jokers,
        position=ticket.position,
        seat=ticket.seat,
        commitment=dealing.commitment.hex(),
        transcript=dealing.transcript.hex(),
        seed=seed.hex(),
        hand=[CARD_NAMES[face] for face in hand_of(ticket, seed)],
    )


def codec_stage(samples: Sequence[Simulated]) -> Stage:
    """Return the tests of the log's encoding: whole logs with their records, and bytes that are no log."""
    header = [
        "A log in hexadecimal and its records as `fairdeal unpack` writes them, or the byte offset at which it is",
        "malformed or unsupported. What stands before that offset is still judged.",
    ]
    tests = [
        valid(f"a whole match of {len(sample.terms.seats)} seats", log=sample.data.hex(), **_decoded(sample.data))
        for sample in samples
    ]
    for comment, data, place, code in broken_logs(samples[0]):
        tests.append(invalid(comment, code, place, log=data.hex()))
    return Stage("codec", header, tests)


def _decoded(data: bytes | bytearray) -> dict[str, object]:
    log = Log(bytes(data))
    return {"termsHash": log.terms_hash.hex(), "records": log_to_json(log)["records"]}
