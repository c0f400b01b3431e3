"""Sub-sampling of generated questions: level sizes, entropy beside random draws, rare rules, time and memory.

    recombine generate cfq -n 200000 --no-grounding --seed 1 -o pool.parquet
    python benchmarks/cfq_sample.py pool.parquet -n 20000 [--first 200000]

Keeps what it found in benchmarks/results/cfq_sample.json. Random draws have the same level sizes. Seconds are user CPU
of one process; the data's reading and its features are told apart from the choice.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import orjson

import recombine
from recombine.files import write_whole
from recombine.selection.subsample import SAMPLE_STRUCTURES, grammar_levels
from recombine.selection.subsample_rows import entropy_of, subsample_rows
from recombine.structures.dataset_features import extract_features
from recombine.structures.definition import Structures

RESULTS = Path(__file__).parent / "results" / "cfq_sample.json"
DRAWS = 5


def cpu() -> float:
    """Seconds of user CPU so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def measure(path: str, number: int, first: int | None) -> dict[str, Any]:
    """Take a part of a pool and look at it."""
    began, start = cpu(), time.perf_counter()
    pool = recombine.load(path)
    if first is not None and first < len(pool):
        pool = pool.restricted(pool.ids[:first])
    read = cpu()
    levels = grammar_levels(pool)
    features = extract_features(pool, Structures.parse(SAMPLE_STRUCTURES))
    featured = cpu()
    compounds = features.compounds
    taken = subsample_rows(compounds, levels, number, seed=1)
    chosen = cpu()
    seconds = time.perf_counter() - start
    generator = np.random.default_rng(1)
    drawn = [
        np.concatenate(
            [
                generator.choice(np.flatnonzero(levels == level), size, replace=False)
                for level, size in taken.sizes.items()
            ]
        )
        for _ in range(DRAWS)
    ]
    before = features.atoms.held(np.arange(len(pool))) / len(pool)
    after = features.atoms.held(taken.rows) / number
    rare = np.argsort(before, kind="stable")[: max(1, round(len(before) / 10))]
    short = [size for level, size in taken.sizes.items() if size < taken.supply[level]]
    return {
        "pool": len(pool),
        "taken": number,
        "structures": SAMPLE_STRUCTURES,
        "compounds": len(compounds.names),
        "levels": {str(level): [supply, taken.sizes[level]] for level, supply in taken.supply.items()},
        "sizes of levels that have more": [min(short), max(short)] if short else [],
        "entropy": entropy_of(compounds, taken.rows),
        "entropy of the pool": entropy_of(compounds, np.arange(len(pool))),
        "entropy of random draws": [entropy_of(compounds, rows) for rows in drawn],
        "rules": len(before),
        "rarest tenth": {
            "rules": len(rare),
            "mean share before": float(before[rare].mean()),
            "mean share after": float(after[rare].mean()),
            "more frequent after": int((after[rare] > before[rare]).sum()),
            "mean share in a random draw": float((features.atoms.held(drawn[0]) / number)[rare].mean()),
        },
        "frames": _frames(pool, taken.rows),
        "looked at": taken.looked_at,
        "cpu": {
            "read": round(read - began, 1),
            "levels and features": round(featured - read, 1),
            "choice": round(chosen - featured, 1),
            "all": round(chosen - began, 1),
        },
        "seconds": round(seconds, 1),
        "gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
    }


def _frames(pool: recombine.Dataset, rows: tuple[int, ...]) -> dict[str, list[float]]:
    """The share of each frame in the pool and in what was taken, where examples have one."""
    frames = [tags.get("frame") for tags in pool.iter_mappings("tags")]
    before, after = Counter(frames), Counter(frames[row] for row in rows)
    return {
        str(name): [round(count / len(frames), 4), round(after[name] / len(rows), 4)]
        for name, count in sorted(before.items(), key=lambda pair: -pair[1])
        if name is not None
    }


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser()
    parser.add_argument("pool")
    parser.add_argument("-n", type=int, default=20000)
    parser.add_argument("--first", type=int)
    options = parser.parse_args()
    found = measure(options.pool, options.n, options.first)
    print(orjson.dumps(found, option=orjson.OPT_INDENT_2).decode())
    write_whole(RESULTS, orjson.dumps(found, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
