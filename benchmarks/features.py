"""Speed and memory of the foundation on SCAN, one process, one core.

    python benchmarks/features.py

Prints a table: making SCAN, features under several definitions once the kernels are compiled, one measurement, import
and `--help`. Seconds are of this machine and noisy; the memory is the peak of the whole process so far.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import recombine
from recombine.workbench import warm_up


def timed(action: Callable[[], object], repeats: int = 3) -> str:
    """The median of a few runs."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - start)
    return f"{statistics.median(seconds):8.2f} s"


def memory() -> str:
    """The most memory this process has held."""
    return f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MiB"


def shell(*arguments: str) -> Callable[[], object]:
    """Run a Python command to its end."""
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def main() -> None:
    """Print the table."""

    def row(what: str, seconds: str, note: str = "") -> None:
        sys.stdout.write(f"{what:<44}{seconds}  {memory()}  {note}\n")

    row("import recombine", timed(shell("-c", "import recombine"), 7), "interpreter start included")
    row("recombine --help", timed(shell("-m", "recombine", "--help"), 7), "interpreter start included")
    row("make SCAN with derivations", timed(lambda: recombine.load("scan", no_cache=True)))  # type: ignore[call-arg]
    data = recombine.load("scan")
    start = time.perf_counter()
    warm_up()
    row("compile the kernels, or load them", f"{time.perf_counter() - start:8.2f} s", "once per machine")
    for definition in ("dag:2-4,counts", "dag:2-9,counts", "dag:2-9,weighted", "cfq-table3"):
        found = recombine.features(data, definition)
        rows, columns = found.compounds.shape
        note = f"{rows:,} × {columns:,}, {len(found.compounds.data):,} non-zeros"
        row(f"features {definition}", timed(lambda d=definition: recombine.features(data, d)), note)  # type: ignore[misc]
    found = recombine.features(data)
    split = recombine.split(data, train=8365, test=1045, seed=1, structures=found)
    row("measure one split, features at hand", timed(lambda: recombine.measure(data, split, structures=found)))


if __name__ == "__main__":
    main()
