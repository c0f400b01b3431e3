"""Splits of CFQ by several definitions and searches, and how a Transformer does on them.

    python benchmarks/hardness/cfq_trials.py      prints what is in results/cfq_trials.json.gz

Each split is kept as a text with one letter an example, in the order of its pool (`r` is train, `t` test), with what
the search looked at, the bounds that it kept, and which test examples the model had right, a text of digits a seed. The
rows whose search is *smallest* were made while the search over several kinds took the least of their divergences, and
from single exchanges alone unless they were dealt out in batches; those of *the package* by the search as it is.
Besides `--length-ratio` the number of clauses was bounded alike, which the command line cannot ask for. MCD1's
published parts are neither among the splits nor among what was looked at.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results" / "cfq_trials.json.gz"
SHORT = ("grammar", "queries", "lines of 7-8")


def exact_match(split: dict[str, Any]) -> list[float]:
    """The percentage right of each seed."""
    return [100 * digits.count("1") / len(digits) for digits in split["right"]]


def main() -> None:
    """Print a line a split."""
    record = json.loads(gzip.decompress(RESULTS.read_bytes()))
    for pool, what in record["pools"].items():
        print(f"{pool}: {what}")
    print(f"model: {record['model']}")
    print(f"\n{'split':40} {'D_A':>6} {' / '.join(SHORT):>32} {'clauses':>8}  exact match")
    for name, split in record["splits"].items():
        found = " / ".join(f"{value:.3f}" for value in split["compound_divergences"].values())
        said = ", ".join(f"{value:.1f}" for value in exact_match(split))
        ratio = split["test_by_train_length"]["clauses"]
        print(f"{name:40} {split['atom_divergence']:6.4f} {found:>32} {ratio:8.3f}  {said}")


if __name__ == "__main__":
    main()
