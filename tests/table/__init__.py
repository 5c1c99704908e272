"""Tests of the live table, one module for each of its rooms; `playing` plays matches on it."""
