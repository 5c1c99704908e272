"""A provably-fair shuffle and replay auditor for the card game President.

The house, in reading order; each room imports only those above it in this list:

- `errors`, `limits`: errors with their place; every limit with its reason
- `texts`, `cards`, `settings`, `codes`, `records`: lawful texts; faces; what a table may set; findings; a log's records
- `explain`, `sources`: what each code means, for people; the sentences of the rulebooks, and how they are read
- `hashing`, `merkle`, `commit`, `sign`: encoding and hashes; the tree; secret, seeds, contributions; Ed25519
- `shuffle`, `deal`: from a seed to the order of the cards, from the order to hands
- `playable`, `ruleset`: which rules can be played; rulesets as people write them
- `hands`, `law`, `play`, `legal`: counted hands; what cards make; one round; every lawful action in it
- `exchange`, `match`: gifts; standings and scores
- `draws`, `players`: reproducible choices, and who makes them in a simulation
- `view`, `tactics`, `bots`, `control`: what one seat may see; weighing a hand; bots by a policy; who acts for a seat
- `report`, `wording`: findings, guarantees, verdicts; faults in words, with the rule that says so
- `structure`, `opening`, `watch`, `rounds`, `replay`: the order of records; who acted; re-executing a match
- `evidence`, `guarantees`, `verify`: what was held from outside; what is proven; a player's check of one hand
- `values`, `fields`, `rulewire`, `wire`, `codec`, `ticket`, `anchor`: bytes and texts to records and evidence, and back
- `secretfile`, `termsfile`, `issue`: an operator's files; tickets and seeds, never too early
- `version`: what this program calls itself
- `audit`, `simulate`, `simulated_clock`, `jsonform`: the auditor's front door; simulated matches, and time in them; a
  log as JSON
- `render`, `table`, `html`: reports for people and programs; live matches; the player's page, reports in a browser
- `archive`, `vectors`, `cli`: many logs at once; test vectors; the command line
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairdeal.codec import Log, encode_log
    from fairdeal.errors import FairdealError, Malformed, Misuse, Unsupported
    from fairdeal.evidence import Evidence, Receipt, Ticket
    from fairdeal.report import GuaranteeName, Report, Verdict
    from fairdeal.ticket import decode_ticket, encode_ticket
    from fairdeal.verify import verify_hand

# The public names beside `fairdeal.audit.audit`, by the module that defines them: fetched at first use, so that the
# command line starts without the cryptography it may not need.
_HOMES = {
    "Evidence": "evidence",
    "FairdealError": "errors",
    "GuaranteeName": "report",
    "Log": "codec",
    "Malformed": "errors",
    "Misuse": "errors",
    "Receipt": "evidence",
    "Report": "report",
    "Ticket": "evidence",
    "Unsupported": "errors",
    "Verdict": "report",
    "decode_ticket": "ticket",
    "encode_log": "codec",
    "encode_ticket": "ticket",
    "verify_hand": "verify",
}

__all__ = [
    "Evidence",
    "FairdealError",
    "GuaranteeName",
    "Log",
    "Malformed",
    "Misuse",
    "Receipt",
    "Report",
    "Ticket",
    "Unsupported",
    "Verdict",
    "decode_ticket",
    "encode_log",
    "encode_ticket",
    "verify_hand",
]


def __getattr__(name: str) -> object:
    """Fetch a public name from the module that defines it."""
    if name not in _HOMES:
        raise AttributeError(f"module `fairdeal` has no attribute `{name}`")
    return getattr(import_module(f"fairdeal.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """Name what can be fetched."""
    return __all__
