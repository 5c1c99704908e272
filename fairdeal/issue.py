"""What an operator hands out of a running match: tickets before a round, the seed after it, and nothing too early."""

from __future__ import annotations

from fairdeal.codec import Log
from fairdeal.codes import INCOMPLETE
from fairdeal.errors import Misuse
from fairdeal.evidence import Ticket, ticket_of
from fairdeal.replay import Replayed, replay
from fairdeal.secretfile import MatchSecret


def next_ticket(log: Log, secret: MatchSecret, number: int, seat: int) -> Ticket:
    """Return the ticket of `seat` for round `number` of a running match.

    Raises `Misuse` where the secret is not this match's, the log does not hold up, the lock is not complete, or an
    earlier round has not ended: then the dealing order may still change.
    """
    done = _whole(log, secret)
    if set(log.terms.signing_keys()) - done.opening.lock_signers:
        raise Misuse("not every party with a key has signed the lock", "the log", "tickets follow the lock")
    if done.parts.close is not None:
        raise Misuse("the match has closed", "the log")
    if done.opening.transcript is None:
        raise Misuse("not every contribution is sealed and opened", "the log", "tickets follow the lock")
    ended = sum(part.end is not None for part in done.parts.rounds)
    if not 1 <= number <= ended + 1 or (number == ended + 1 and done.match.over()):
        raise Misuse(f"round {number} is not the next: {ended} have ended", "--round", "ask when its turn has come")
    dealt = number <= len(done.rounds)
    order = done.rounds[number - 1].dealing_order if dealt else done.match.dealing_order()
    if seat not in order:
        raise Misuse(f"there is no seat {seat}", "--seat", f"seats are 0 to {len(order) - 1}")
    opened = tuple(done.opening.opened.get(each, b"") for each in range(len(log.terms.seats)))
    return ticket_of(log.terms, secret.tree(), number, opened, order, seat)


def round_seed_to_reveal(log: Log, secret: MatchSecret, number: int) -> bytes:
    """Return the seed of round `number`; raises `Misuse` as long as two seats of it hold cards."""
    done = _whole(log, secret)
    if not 1 <= number <= len(done.rounds) or done.rounds[number - 1].finishing is None:
        raise Misuse(f"round {number} has not ended", "--round", "a seed is revealed when its round is over")
    return secret.tree().seeds[number - 1]


def checked(log: Log, secret: MatchSecret) -> Replayed:
    """Return the running match re-executed with its secret, as far as its log can be read.

    Raises `Misuse` where one does not belong to the other, or where what there is of the log does not hold up.
    """
    if (log.terms_hash, log.terms.rounds) != (secret.terms_hash, secret.rounds):
        raise Misuse("the secret belongs to another match", "--secret", "use the secret file of these terms")
    done = replay(log, secret=secret.secret)
    wrong = [finding for finding in done.judge.findings if finding.code not in INCOMPLETE]
    if wrong:
        raise Misuse(f"the log does not hold up: {wrong[0].code}", wrong[0].place, "run `fairdeal audit` on it")
    return done


def _whole(log: Log, secret: MatchSecret) -> Replayed:
    """Return the running match re-executed; raises also where its log cannot be read to the end."""
    done = checked(log, secret)
    if done.stopped is not None:
        raise done.stopped
    return done
