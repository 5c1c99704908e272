"""`python -m fairdeal` is the command line."""

from fairdeal.cli import main

main()
