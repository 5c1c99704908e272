"""Every limit of protocol 1 in one place, each with its reason (SPEC, "Limits")."""

from __future__ import annotations

from typing import Final

MIN_SEATS: Final = 3  # no rulebook plays with two
MAX_SEATS: Final = 8  # the largest table of any rulebook; also what three bits of an action's head can name
MAX_ROUNDS: Final = 1_000  # a ticket's audit path stays at ten hashes
MAX_ROUND_ACTIONS: Final = 4_096  # 108 cards and, between two of them, seven passes: 864; the rest is room
MAX_LISTS: Final = 64  # list records before the first deal, or from one deal to the next: a sound log has at most 26
MAX_SEAT_EVENTS: Final = 64  # seat events from one deal to the next: eight for each seat of the largest table
MAX_STRAYS: Final = 1_000  # records in the wrong place that are listed before the rest is not read any more
MAX_LOG_BYTES: Final = 16 * 1024 * 1024  # a thousand rounds of 4,096 plays of one card each, twice over
MAX_NESTING: Final = 1_024  # lists in lists, the outermost counted: terms have three, a decoder has to end somewhere
MAX_TEXT_BYTES: Final = 64  # a name or a title on one line
MAX_SET: Final = 12  # two packs: eight of a rank and four wild jokers
MAX_HEAD_CARDS: Final = 8  # more cards than a one-byte head can count
MAX_EXCHANGE: Final = 18  # nobody can give more than the smallest hand of three seats holds
MAX_POINTS: Final = 1_000_000  # a thousand rounds of it still fit every JSON number
MAX_TURN_SECONDS: Final = 86_400  # a day for one turn is a correspondence game
MIN_INT: Final = -(2**31)  # smallest integer a log may hold
MAX_INT: Final = 2**53 - 1  # largest: exact in every JSON reader and in JavaScript
MAX_TICKET_CHARS: Final = 1_000  # eight contributions and ten hashes take 935

HASH_BYTES: Final = 32  # SHA-256, seeds, secrets, contributions, Ed25519 keys
SIGNATURE_BYTES: Final = 64  # Ed25519
MATCH_ID_BYTES: Final = 16  # random, so 2**64 matches before two are likely to meet
BLIND_BYTES: Final = 16  # nobody can try 2**128 blinds against a published digest
STREAM_BYTES: Final = 1_024  # fourteen times what a shuffle of 54 cards is likely to use
STREAM_FIRST: Final = 192  # enough for nearly every deal; the rest is derived only when needed
BOT_BLOCK_BYTES: Final = 16  # what one decision of a bot may draw from
BOT_STREAM_BYTES: Final = 2_048  # 128 decisions: between two passes of a seat lies a play of another, 108 cards in all
