"""`python -m recombine` is the command line."""

import sys

if __name__ == "__main__":
    try:
        from recombine.cli.main import run

        run()
    except KeyboardInterrupt:  # while the first file of the command line is read, which sees to all later ones
        sys.stderr.write("error: interrupted\n")
        sys.exit(130)
