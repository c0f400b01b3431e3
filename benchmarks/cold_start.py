"""What a first command costs: seconds by the clock and of the processor, without compiled kernels and with them.

`python benchmarks/cold_start.py` prints a table. Each command runs in a process of its own, with an empty folder of
kernels and then with what the first run left there. The processor's seconds are of all processes of a command.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMANDS = (
    "warm-up",
    "induce scan",
    "split scan --by mcd --effort 0.01 -o split.json",
    "split scan --by random -o split.json",
    "list",
)


def seconds(command: str, folder: Path, kernels: Path) -> tuple[float, float]:
    """The seconds of a command, by the clock and of the processor."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "recombine", *command.split(), "--quiet"],
        cwd=folder,
        env={**os.environ, "RECOMBINE_KERNELS": str(kernels), "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    clock, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the table."""
    print("| command | first: clock s | processor s | next: clock s | processor s |")
    print("| --- | --- | --- | --- | --- |")
    for command in COMMANDS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            numbers = [*seconds(command, folder, folder / "kernels"), *seconds(command, folder, folder / "kernels")]
        print(f"| `{command}` | {' | '.join(f'{number:.1f}' for number in numbers)} |", flush=True)


if __name__ == "__main__":
    main()
