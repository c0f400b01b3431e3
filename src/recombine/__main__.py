"""`python -m recombine` is the command line."""

from recombine.cli.main import run

run()
