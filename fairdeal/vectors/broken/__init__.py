"""Logs, terms and tickets that a reader must refuse, and small ones at the edge of what it must take."""
