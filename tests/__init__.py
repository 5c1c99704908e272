"""The tests, one file per module."""
