"""Clients that speak the runner protocol of the vectors and share no code with the package."""
