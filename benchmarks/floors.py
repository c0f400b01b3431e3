"""What the floor beside a compound divergence takes: 20 random splits, at one, two, four and eight times a size.

    python benchmarks/floors.py                     # SCAN's compounds, 20,910 rows to 167,280
    python benchmarks/floors.py --rows 125000       # 125,000 to 1,000,000 rows
    python benchmarks/floors.py --structures dag:2-3,counts

Rows are those of SCAN, drawn with a seed as often as a size wants. A tenth is for testing. Each size runs in a process
of its own. Printed are the CPU seconds of the floor, of the key by which the next command finds it kept, and of the one
divergence that it stands beside; the peak of memory beside the matrix, which the number of seeds does not change; and
the exponent with which CPU time grows (a line through logarithms).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import tracemalloc

import numpy as np
import orjson

TIMES = (1, 2, 4, 8)


def measured(rows: int, structures: str) -> dict[str, float]:
    """CPU seconds and bytes of the floor of so many rows."""
    import recombine
    from recombine.measures.divergence import divergence
    from recombine.measures.floors.measured_floor import _key
    from recombine.measures.floors.random_divergences import random_divergences

    compounds = recombine.features("scan", structures).compounds
    drawn = np.random.default_rng(0).integers(0, compounds.shape[0], rows)
    features = compounds.taken(drawn)
    test = rows // 10
    start = time.process_time()
    found = random_divergences(features, rows - test, test, alpha=0.1)
    took = time.process_time() - start
    tracemalloc.start()
    random_divergences(features, rows - test, test, alpha=0.1, seeds=(0, 1))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    start = time.process_time()
    _key(features, rows - test, test, 0.1)
    key = time.process_time() - start
    start = time.process_time()
    divergence(features, range(test, rows), range(test), alpha=0.1)
    one = time.process_time() - start
    sizes = {"rows": rows, "entries": len(features.data), "columns": features.shape[1], "mean": float(found.mean())}
    return {**sizes, "floor": took, "key": key, "one": one, "mb": peak / 1e6}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_910)
    parser.add_argument("--structures", default="dag:2-9,counts")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one is not None:
        print(orjson.dumps(measured(given.one, given.structures)).decode())
        return
    print(f"{'rows':>10}{'entries':>12}{'floor':>10}{'key':>9}{'one D_C':>9}{'memory':>10}   mean")
    found = []
    for times in TIMES:
        words = [sys.executable, __file__, "--one", str(times * given.rows), "--structures", given.structures]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        row = orjson.loads(done.stdout)
        found.append(row)
        print(
            f"{row['rows']:>10,}{row['entries']:>12,}{row['floor']:>8.2f} s{row['key']:>7.2f} s{row['one']:>7.2f} s"
            f"{row['mb']:>7,.0f} MB   {row['mean']:.4f}",
            flush=True,
        )
    for name in ("floor", "key"):
        slope = np.polyfit(np.log([row["rows"] for row in found]), np.log([row[name] for row in found]), 1)[0]
        print(f"CPU of the {name} grows with the exponent {slope:.2f}")


if __name__ == "__main__":
    main()
