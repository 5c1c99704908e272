"""Archives: one log or millions, audited in chunks by several processes or machines, and held against each other.

- `streams`, `places`: logs one after the other in a stream; where logs are to be found: folders, zip, tar, streams
- `facts`, `work`: what the checks across matches need of a log; the audit of a chunk of places
- `store`: results and facts in SQLite, so that nothing is audited twice
- `runners`, `cluster`: processes here, or workers elsewhere, behind one interface
- `compare`, `equivocation`: where two logs part; what an operator signed twice, as a file that anyone can check
- `across`, `few`: what only shows when several matches lie side by side; the same of a few logs at hand
- `run`: one call from names to results
"""
