"""Correlation of divergence and accuracy over the splits of `studies/scan_figure2.toml`, with intervals over splits.

    python benchmarks/figure2_correlation.py [--repeats 2000] [--seed 0]

Reads the stored cells; no model is run. Intervals are the middle 95 % of so many draws of as many splits, with
repetition. Once over the splits made for a wanted divergence alone, and once with the other rows of Table 3.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from scipy.stats import pearsonr, spearmanr

from recombine.seeds import make_generator
from recombine.studies.cells.plan import make_plan
from recombine.studies.tables.summary import CellResult, read_results

STUDY = Path(__file__).parents[1] / "studies" / "scan_figure2.toml"


def row(results: list[CellResult], repeats: int, seed: int) -> str:
    """The number of splits, and both correlations with their intervals."""
    points = np.array([(result.divergence, result.accuracy) for result in results], dtype=np.float64)
    generator = make_generator(seed)
    draws = [points[generator.integers(0, len(points), len(points))] for _ in range(repeats)]
    shown = [f"{len(points):3} splits"]
    for name, correlation in (("Pearson", pearsonr), ("Spearman", spearmanr)):
        low, high = np.percentile([correlation(*draw.T).statistic for draw in draws], (2.5, 97.5))
        shown.append(f"{name} {correlation(*points.T).statistic:.2f} ({low:.2f} to {high:.2f})")
    return ", ".join(shown)


def main() -> None:
    """Read the cells and print a line for each model and set of splits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    plan = make_plan(STUDY, make=False)
    done = [result for result in read_results(plan) if result.accuracy is not None]
    for model in dict.fromkeys(result.cell.model.name for result in done):
        mine = [result for result in done if result.cell.model.name == model]
        wanted = [result for result in mine if result.cell.recipe.by == "mcd"]
        for name, chosen in (("wanted divergences", wanted), ("with the rows of Table 3", mine)):
            sys.stdout.write(f"{model:<26} {name:<25} {row(chosen, arguments.repeats, arguments.seed)}\n")


if __name__ == "__main__":
    main()
