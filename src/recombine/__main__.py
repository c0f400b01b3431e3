"""`python -m recombine` is the command line."""

from recombine.cli.main import run

if __name__ == "__main__":
    run()
