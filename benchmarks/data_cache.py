"""User CPU of commands with the cache of data and without it, by turns in one run, one core.

    RECOMBINE_DATA=… python benchmarks/data_cache.py
    RECOMBINE_DATA=… python benchmarks/data_cache.py --repeats 7 --only scan

Each command runs with `--no-cache`, then from a cache of its own that the first run fills; the least of the repeats
counts. `start` is a command on a file of two records: what every command takes before it has data. Data sets that are
not in the data directory are left out, with a line that says so.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from recombine.datasets.catalogue import CATALOGUE

SHOWN = ("scan", "cfq/mcd1", "covr/text", "spider/ssp", "spider/xsp", "cogs", "atis", "overnight")
COMMANDS = {
    "start": ("show", "two.jsonl", "-n", "1"),
    **{f"show {name} -n 1": ("show", name, "-n", "1") for name in SHOWN},
    "split scan --by random": ("split", "scan", "--by", "random", "-o", "split.json"),
}


def user_seconds(arguments: tuple[str, ...], folder: str, cache: str) -> float:
    """The user CPU of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(
        [sys.executable, "-m", "recombine", *arguments],
        cwd=folder,
        env={**os.environ, "RECOMBINE_DATA_CACHE": cache, "OMP_NUM_THREADS": "1"},
        check=True,
        capture_output=True,
    )
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> None:
    """Print a row for each command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="", help="commands with this in them")
    options = parser.parse_args()
    write = sys.stdout.write
    write(f"{'command':<30}{'--no-cache':>12}{'first':>9}{'cached':>9}{'ratio':>8}\n")
    with tempfile.TemporaryDirectory() as folder:
        two = '{"source": "jump", "target": "I_JUMP"}\n{"source": "walk", "target": "I_WALK"}\n'
        Path(folder, "two.jsonl").write_text(two)
        for name, arguments in COMMANDS.items():
            if options.only not in name:
                continue
            if arguments[1] in CATALOGUE and (missing := CATALOGUE[arguments[1]].missing()):
                write(f"{name:<30}left out: there is no {missing[0]}\n")
                continue
            cache = str(Path(folder, "cache"))
            first = user_seconds(arguments, folder, cache)
            rows = [
                (user_seconds(arguments, folder, "off"), user_seconds(arguments, folder, cache))
                for _ in range(options.repeats)
            ]
            without, cached = (min(column) for column in zip(*rows, strict=True))
            write(f"{name:<30}{without:>10.2f} s{first:>7.2f} s{cached:>7.2f} s{without / cached:>6.1f} ×\n")


if __name__ == "__main__":
    main()
