"""The SCAN rows of Table 3 of the CFQ paper under several definitions, beside the paper's values.

    python benchmarks/table3.py [--seeds 10] [-o docs/table3.md]

The published splits are read from RECOMBINE_DATA. Rows with a random choice are means over seeds 1, 2, …; nothing is
chosen on the results. Divergences are of train against test, coverage and ratios of train against dev, as the paper's
ratio columns turn out to be.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

import recombine
from recombine.cli.shared.console import tracked
from recombine.files import write_whole
from recombine.measures.divergence import divergence

SIZES: dict[str, Any] = {"train": 8365, "dev": 1046, "test": 1045}
ROWS: dict[str, dict[str, Any]] = {
    "random": {"by": "random"},
    "output length, N = 22": {"by": "length:target", "max_length": 22},
    "input length, N = 8": {"by": "length:source", "max_length": 8},
    "output pattern": {"by": "pattern:target"},
    "input pattern": {"by": "pattern:source"},
    "MCD1, published": {"split": "mcd1"},
    "MCD2, published": {"split": "mcd2"},
}
DEFINITIONS = (
    "dag:2-9,counts",
    "cfq-table3",
    "dag:2-9,weighted",
    "dag:2-6,counts",
    "dag:2-4,counts",
    "dag:2-4,weighted",
)
# D_A, D_C, output and input pattern coverage, output and input length ratio, as printed in the paper.
PAPER = {
    "random": (0.000, 0.047, 1.000, 1.000, 0.998, 0.994),
    "output length, N = 22": (0.034, 0.437, 0.000, 1.000, 0.367, 0.856),
    "input length, N = 8": (0.106, 0.380, 0.278, 0.000, 0.501, 0.771),
    "output pattern": (0.003, 0.221, 0.000, 0.967, 1.081, 0.989),
    "input pattern": (0.005, 0.240, 0.951, 0.000, 0.993, 0.967),
    "MCD1, published": (0.015, 0.736, 0.260, 0.357, 0.698, 0.926),
    "MCD2, published": (0.020, 0.734, 0.259, 0.010, 0.757, 0.837),
}


def main() -> None:
    """Measure, and write the page or print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("-o", "--out", type=Path)
    arguments = parser.parse_args()
    text = page(arguments.seeds)
    if arguments.out:
        write_whole(arguments.out, text.encode())
    else:
        sys.stdout.write(text)


def page(seeds: int) -> str:
    """The page as Markdown."""
    data = recombine.load("scan")
    splits = {name: make_splits(data, options, seeds) for name, options in ROWS.items()}
    definitions = [str(recombine.Structures.parse(text).compounds) for text in DEFINITIONS]
    atoms: dict[str, list[float]] = {}
    compounds: dict[str, dict[str, list[float]]] = {name: {} for name in ROWS}
    for text, shown in tracked(
        zip(DEFINITIONS, definitions, strict=True), "definitions", total=len(definitions), quiet=False
    ):
        found = recombine.features(data, text)
        for name, group in splits.items():
            rows = [split.indices(data) for split in group]
            compounds[name][shown] = [divergence(found.compounds, *pair, alpha=0.1) for pair in rows]
            atoms[name] = [divergence(found.atoms, *pair, alpha=0.5) for pair in rows]
    ratios = {name: [ratio_columns(data, split) for split in group] for name, group in splits.items()}
    signature = recombine.Signature.of(
        data=data, seeds=f"1-{seeds}", rules=found.rules, alpha="atoms=0.5,compounds=0.1"
    )
    return render(definitions, atoms, compounds, ratios, HEAD.format(seeds=seeds, signature=signature))


def make_splits(data: recombine.Dataset, options: dict[str, Any], seeds: int) -> list[recombine.Split]:
    """The splits of one row: one published, or one per seed."""
    from recombine.splits.methods import make_splitter

    if "split" in options:
        return [recombine.load_split(data, options["split"])]
    return [make_splitter(**options, **SIZES, seed=seed).split(data) for seed in range(1, seeds + 1)]


def ratio_columns(data: recombine.Dataset, split: recombine.Split) -> tuple[float, ...]:
    """Coverage and length ratios of train against dev, output before input."""
    from recombine.measures.measure_split import measure_split

    found = measure_split(data, split, features=None, against="dev")
    return tuple(found[key][side] for key in ("pattern_coverage", "length_ratio") for side in ("target", "source"))


def render(
    definitions: list[str],
    atoms: dict[str, list[float]],
    compounds: dict[str, dict[str, list[float]]],
    ratios: dict[str, list[tuple[float, ...]]],
    head: str,
) -> str:
    """The three tables, and the largest differences."""
    lines = [head]
    lines += ["## Compound divergence", "", _row(["split", "paper", *(f"`{d}`" for d in definitions)])]
    lines.append(_row(["---"] + ["---:"] * (len(definitions) + 1)))
    for name in ROWS:
        lines.append(_row([name, f"{PAPER[name][1]:.3f}", *(_mean(compounds[name][d]) for d in definitions)]))
    worst = [max(abs(statistics.mean(compounds[n][d]) - PAPER[n][1]) for n in ROWS) for d in definitions]
    lines.append(_row(["largest difference", "", *(f"{value:.3f}" for value in worst)]))
    lines += ["", "## Atom divergence", "", _row(["split", "paper", "`rules,presence`", "difference"])]
    lines.append(_row(["---", "---:", "---:", "---:"]))
    for name in ROWS:
        gap = statistics.mean(atoms[name]) - PAPER[name][0]
        lines.append(_row([name, f"{PAPER[name][0]:.3f}", _mean(atoms[name]), f"{gap:+.3f}"]))
    lines += ["", "## Pattern coverage and length ratios, train against dev", ""]
    columns = ("output patterns", "input patterns", "output length", "input length")
    lines.append(_row(["split", *(f"{c}: paper | here" for c in columns)]))
    lines.append(_row(["---"] + ["---:"] * 8))
    for name in ROWS:
        cells = []
        for number in range(4):
            cells += [f"{PAPER[name][2 + number]:.3f}", _mean([row[number] for row in ratios[name]])]
        lines.append(_row([name, *cells]))
    return "\n".join(lines) + "\n" + TAIL


def _mean(values: list[float]) -> str:
    mean = f"{statistics.mean(values):.3f}"
    return mean if len(values) == 1 else f"{mean} ± {statistics.stdev(values):.3f}"


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


HEAD = """# Table 3 of the CFQ paper, SCAN rows

The rows of CFQ have [a page of their own](cfq_table3.md).

Made by `python benchmarks/table3.py -o docs/table3.md`; every value is recomputed there. Rows with a random choice are
the mean ± standard deviation over {seeds} seeds; the published splits are single values. All rows have 8,365 training,
1,046 validation and 1,045 test examples. Divergences compare train with test under
`atoms=rules,presence` (α = 0.5) and the compounds named in the column (α = 0.1).
`dag:2-9,counts` is the default for SCAN, `dag:2-10,counts,top=40000` the preset `cfq-table3`.

Signature: `{signature}`
"""
TAIL = """
## What remains different

- **No definition fits every row to three decimals.** The paper gives neither its compounds' sizes nor its cut-off.
  Large sub-graphs are needed: with at most six nodes a random split is near 0, where the paper has 0.047. The paper's
  own weights (`weighted`) fit a little worse than plain counts.
- **The input length row's atom divergence** is 0.019 below the paper's, the one atom value off by more than 0.001. Why
  is not known: the paper does not say how often a rule counts in an example. Presence fits best of what was tried.
- **The input pattern coverage of MCD2** is printed as 0.010 in the paper. On the published lists it is 0.883 under the
  collapsing rules that reproduce all seven other printed values of MCD1 and MCD2 exactly.
- **Pattern rows vary with the seed** by about ± 0.01, since few clusters are drawn.
- **MCD3** is not among the published lists at hand.
"""


if __name__ == "__main__":
    main()
