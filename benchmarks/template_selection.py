"""Choosing by local structure or at random, on held-out templates: Figure 4 of the `local_structures` paper.

    python benchmarks/template_selection.py [-o benchmarks/results/template_selection.json]

Reads RECOMBINE_DATA and the stored cells of `studies/template_selection.toml`; no model is run. Cells of one split and
one seed differ in the choice alone, so differences are taken of pairs of them. Intervals resample whole splits. What
is not stored is counted.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from recombine.files import write_whole
from recombine.seeds import make_generator
from recombine.studies.cells.plan import make_plan
from recombine.studies.tables.summary import CellResult, read_results

STUDY = Path(__file__).parents[1] / "studies" / "template_selection.toml"
RANDOM, CHOSEN = "random", "local-structure"
DRAWS = 2000


def pairs(results: list[CellResult]) -> dict[tuple[str, int], dict[int, list[tuple[float, float]]]]:
    """Accuracies at random and by structure of one seed, by data and budget, and by split; pairs that are whole."""
    known: dict[tuple[str, int, int, int], dict[str, float]] = {}
    for result in results:
        recipe = result.cell.recipe
        if result.accuracy is not None and recipe.train_size is not None:
            place = (result.cell.data, recipe.train_size, recipe.seed, result.cell.seed)
            known.setdefault(place, {})[recipe.train_by or RANDOM] = result.accuracy
    paired: dict[tuple[str, int], dict[int, list[tuple[float, float]]]] = {}
    for (data, size, split, _), ways in sorted(known.items()):
        if {RANDOM, CHOSEN} <= ways.keys():
            paired.setdefault((data, size), {}).setdefault(split, []).append((ways[RANDOM], ways[CHOSEN]))
    return paired


def interval(splits: list[NDArray[np.float64]], seed: int = 0) -> tuple[float, float]:
    """The middle 95 % of means when whole splits are drawn again and again."""
    generator = make_generator(seed)
    draws = generator.integers(0, len(splits), (DRAWS, len(splits)))
    means = [np.concatenate([splits[place] for place in draw]).mean() for draw in draws]
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def table(results: list[CellResult]) -> list[dict[str, Any]]:
    """A row for each data set and budget."""
    rows = []
    for (data, size), splits in pairs(results).items():
        values = np.array([pair for mine in splits.values() for pair in mine])
        gains = [np.array([chosen - random for random, chosen in mine]) for mine in splits.values()]
        low, high = interval(gains)
        rows.append(
            {
                "data": data,
                "budget": size,
                "splits": len(splits),
                "pairs": len(values),
                RANDOM: float(values[:, 0].mean()),
                CHOSEN: float(values[:, 1].mean()),
                "difference": float(np.concatenate(gains).mean()),
                "low": low,
                "high": high,
                "splits_ahead": sum(float(gain.mean()) > 0 for gain in gains),
            }
        )
    return rows


def main() -> None:
    """Read, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, default=Path(__file__).parent / "results" / "template_selection.json")
    arguments = parser.parse_args()
    results = read_results(make_plan(STUDY, make=False))
    rows = table(results)
    missing = sum(result.accuracy is None for result in results)
    for row in rows:
        sys.stdout.write(
            f"{row['data']:<6}{row['budget']:>6}  random {row[RANDOM]:5.1f}  by structure {row[CHOSEN]:5.1f}  "
            f"difference {row['difference']:+5.1f} ({row['low']:+.1f} to {row['high']:+.1f}), ahead on "
            f"{row['splits_ahead']} of {row['splits']} splits, {row['pairs']} pairs\n"
        )
    sys.stdout.write(f"{missing} of {len(results)} cells are not stored\n")
    value = {"study": STUDY.stem, "missing": missing, "cells": len(results), "table": rows}
    write_whole(arguments.out, orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
