"""Correlation of divergence and accuracy over the splits of `studies/scan_figure2.toml`, with intervals over splits.

    python benchmarks/figure2_correlation.py [--draws 10000] [--seed 0]

Reads the stored cells; no model is run. Intervals are the middle 95 % of so many draws of as many splits, with
repetition. Once over the splits made for a wanted divergence alone, and once with the other rows of Table 3, as
`recombine study status` has them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from recombine.evaluation.statistics.correlation_intervals import correlation_intervals
from recombine.evaluation.statistics.explained import explained
from recombine.studies.cells.plan import make_plan
from recombine.studies.tables.summary import CellResult, read_results

STUDY = Path(__file__).parents[1] / "studies" / "scan_figure2.toml"


def row(results: list[CellResult], draws: int, seed: int) -> str:
    """The number of splits, and both correlations with their intervals."""
    divergences = [result.divergence or 0.0 for result in results]
    accuracies = [result.accuracy or 0.0 for result in results]
    values = explained(accuracies, {"divergence": divergences})["divergence"]
    intervals = correlation_intervals(divergences, accuracies, seed=seed, draws=draws)
    shown = [f"{len(results):3} splits"]
    for name, value, interval in (
        ("Pearson", values.pearson, intervals.pearson),
        ("Spearman", values.spearman, intervals.spearman),
    ):
        low, high = interval or (float("nan"), float("nan"))
        shown.append(f"{name} {value or 0.0:.2f} ({low:.2f} to {high:.2f})")
    return ", ".join(shown)


def main() -> None:
    """Read the cells and print a line for each model and set of splits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    plan = make_plan(STUDY, make=False)
    done = [result for result in read_results(plan) if result.accuracy is not None]
    for model in dict.fromkeys(result.cell.model.name for result in done):
        mine = [result for result in done if result.cell.model.name == model]
        wanted = [result for result in mine if result.cell.recipe.by == "mcd"]
        for name, chosen in (("wanted divergences", wanted), ("with the rows of Table 3", mine)):
            sys.stdout.write(f"{model:<26} {name:<25} {row(chosen, arguments.draws, arguments.seed)}\n")


if __name__ == "__main__":
    main()
