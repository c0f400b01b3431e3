"""The time and the memory of a million examples: `generate covr`, then load → split → measure → difficulty → select →
report on what it wrote, at one, two, four and eight times a size.

    python benchmarks/million.py                         # 125,000 to 1,000,000; takes some minutes
    python benchmarks/million.py --least 10000           # 10,000 to 80,000
    python benchmarks/million.py --write benchmarks/results/million.json

Every step is a command as a user runs it, in a process of its own without the cache of data: each loads the file anew.
The sizes are run in turns, `--rounds` times, every other round from the largest down, and the round with the least user
CPU counts for each step: a machine that is slower for some minutes would otherwise be taken for growth. Printed are
user CPU, the clock and the peak of memory, the exponent with which the user CPU of each step grows (a line through
logarithms, less what the command takes on a few examples), and whether the targets are met: a million made with
at most 1 GB and at least 15,000 in a second, the chain within 10 minutes by the clock and 4 GB, exponents of at most
1.1. Targets of a size are judged where that size was run. Exit code 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import orjson

TIMES = (1, 2, 4, 8)
FEW, MANY = 200, 40_000
CHAIN = {
    "split": ("split", "data.parquet", "--by", "random", "--test", "0.1", "--language", "covr", "-o", "split.json"),
    "measure": ("measure", "data.parquet", "split.json"),
    "difficulty": ("difficulty", "data.parquet", "split.json"),
    "select": ("select", "data.parquet", "-k", "100", "--language", "covr", "-o", "chosen.jsonl"),
    "report": ("report", "split.json", "--data", "data.parquet", "-o", "report.html"),
}
MOST_GENERATE, LEAST_A_SECOND = 1e9, 15_000
MOST_CHAIN, MOST_SECONDS = 4e9, 600
MOST_EXPONENT = 1.1


def run(arguments: tuple[str, ...], folder: str) -> dict[str, float]:
    """User CPU, clock and peak memory of one command."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "recombine", *arguments, "--json"],
        cwd=folder,
        env={**os.environ, "RECOMBINE_DATA_CACHE": "off", "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"recombine {' '.join(arguments)} ended with {process.returncode}")
    return {"user": used.ru_utime, "clock": time.perf_counter() - start, "bytes": used.ru_maxrss * 1024}


def chain(size: int, folder: str) -> dict[str, dict[str, float]]:
    """What each step takes at a size."""
    write = sys.stdout.write
    made = ("generate", "covr", "-n", str(size))
    steps = {"generate": made, "generate -o": (*made, "-o", "data.parquet"), **CHAIN}
    rows = {}
    for name, arguments in steps.items():
        rows[name] = row = run(arguments, folder)
        write(f"{size:>9,}  {name:<12}{row['user']:>9.1f} s{row['clock']:>9.1f} s{row['bytes'] / 1e6:>9,.0f} MB\n")
        sys.stdout.flush()
    return rows


def in_turns(sizes: list[int], rounds: int, folder: str) -> list[dict[str, dict[str, float]]]:
    """What each step takes at each size: the round with the least user CPU."""
    best: dict[int, dict[str, dict[str, float]]] = {}
    for number in range(rounds):
        for size in sizes if number % 2 == 0 else reversed(sizes):
            for name, row in chain(size, folder).items():
                kept = best.setdefault(size, {}).setdefault(name, row)
                if row["user"] < kept["user"]:
                    best[size][name] = row
    return [best[size] for size in sizes]


def exponents(sizes: list[int], rows: list[dict[str, dict[str, float]]], few: dict[str, dict[str, float]]) -> Any:
    """The exponent of the user CPU of each step, beyond what it takes on a few examples."""
    beyond = {name: [max(row[name]["user"] - few[name]["user"], 1e-3) for row in rows] for name in few}
    return {name: float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0]) for name, seconds in beyond.items()}


def verdicts(size: int, row: dict[str, dict[str, float]], grown: dict[str, float]) -> dict[str, tuple[float, bool]]:
    """Each target by name: what was measured, and whether it is met."""
    made = [row["generate"], row["generate -o"]]
    steps = [row[name] for name in CHAIN]
    judged = {f"exponent of {name}": (value, value <= MOST_EXPONENT) for name, value in grown.items()}
    if size == 1_000_000:
        memory, speed = max(each["bytes"] for each in made), size / max(each["user"] for each in made)
        judged["generate: bytes"] = (memory, memory <= MOST_GENERATE)
        judged["generate: examples a second"] = (speed, speed >= LEAST_A_SECOND)
        memory, seconds = max(each["bytes"] for each in steps), sum(each["clock"] for each in steps)
        judged["chain: bytes"] = (memory, memory <= MOST_CHAIN)
        judged["chain: seconds"] = (seconds, seconds <= MOST_SECONDS)
    return judged


def main() -> int:
    """Print a row for each step at each size, and the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--least", type=int, default=125_000, help="the least of the sizes")
    parser.add_argument("--rounds", type=int, default=2, help="how often every size is run")
    parser.add_argument("--write", type=Path, help="a file for all figures")
    options = parser.parse_args()
    write = sys.stdout.write
    write(f"{'examples':>9}  {'step':<12}{'user':>11}{'clock':>11}{'peak':>12}\n")
    sizes = [options.least * times for times in TIMES]
    with tempfile.TemporaryDirectory() as folder:
        chain(FEW, folder)  # compiles what is not compiled yet
        run(("generate", "covr", "-n", str(MANY)), folder)
        few = chain(FEW, folder)
        rows = in_turns(sizes, options.rounds, folder)
    grown = exponents(sizes, rows, few)
    judged = verdicts(sizes[-1], rows[-1], grown)
    for name, (value, met) in judged.items():
        write(f"{name:<32}{value:>16,.2f}  {'met' if met else 'MISSED'}\n")
    if options.write is not None:
        steps = {str(size): row for size, row in zip([FEW, *sizes], [few, *rows], strict=True)}
        record = {"load": os.getloadavg(), "rounds": options.rounds, "steps": steps, "exponents": grown}
        options.write.write_bytes(orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")
    return 0 if all(met for _, met in judged.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
