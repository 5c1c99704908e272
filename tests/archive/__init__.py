"""Tests of archives, one module for each of their rooms; `making` writes logs quickly."""
