"""The live table: a match log written as the match is played, so that the safe way is the only way.

`Table` is what a game server uses: it takes contributions, deals, hands out tickets and views, refuses what an auditor
would refuse, and writes every accepted action to the log before it answers. SPEC, "Match log", says what is written.

- `vault`, `journal`: the match secret, which never shows; the log file, which never loses or half writes anything
- `running`, `lawful`: the match as far as its records go; what an auditor would find in the next one
- `folder`, `resume`, `torn`: the two files of a match; from them to a running match; what was cut in the middle
- `timekeeper`, `gate`, `desk`: the caller's clock; one call at a time; what every call goes through
- `arguments`, `quiet`: what comes in is checked; errors that go out show nothing
- `views`, `window`, `table`: what may be seen; the table itself
"""

from fairdeal.table.folder import new_match, new_terms
from fairdeal.table.journal import Sync
from fairdeal.table.running import Phase, Refused
from fairdeal.table.table import Table
from fairdeal.table.views import Gift, RoundResult, View

__all__ = ["Gift", "Phase", "Refused", "RoundResult", "Sync", "Table", "View", "new_match", "new_terms"]
