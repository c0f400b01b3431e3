"""What the `local_structures` paper has of Overnight, as far as programs tell: Table 10, and how easy splits are.

    python benchmarks/overnight_programs.py [-o benchmarks/results/overnight_programs.json]

Reads RECOMBINE_DATA; no model is run. The questions in the data are machine-translated German, not the paper's, so that
there is nothing to train on: Tables 2, 3, 5 and 6 and the accuracies of Table 7 want its own. Of each domain five
template splits hold out a fifth of the templates, at most ten examples of each (App. B.1); easiness is that of test
under each rule, and its programs lose their type declarations first (App. A.2).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

import recombine
from decision_rules import RULES, rule_scores
from recombine.files import write_whole
from recombine.languages.lambda_dcs import without_declarations
from recombine.records.dataset import Dataset
from recombine.splits.simple.template import TemplateSplitter
from recombine.structures.programs.program_arrays import program_arrays
from recombine.structures.programs.templates import templates

SHOWN = ("2-LS", "3-LS", "4-LS", "2-LS-NoSib")
SEEDS = range(5)
PAPER = {"train_templates": 43.9, "train": 1491.8, "test_templates": 10.8, "test": 215.0}
"""Means over the splits of ten domains (Table 10)."""


def domains(data: Dataset) -> dict[str, Dataset]:
    """The data by its domains."""
    names = sorted({str(example.tags["domain"]) for example in data})
    return {name: data.restricted([e.id for e in data if e.tags["domain"] == name]) for name in names}


def domain_row(data: Dataset) -> dict[str, Any]:
    """Means over the five splits of a domain: sizes, and easiness of test under each rule."""
    if data.language is None:
        raise ValueError(data.name)
    kinds = np.array(templates(data))
    parts = {}
    for seed in SEEDS:
        split = TemplateSplitter(test_templates=0.2, k_train=1000, k_test=10, seed=seed).split(data)
        parts[f"seed={seed}"] = (split.positions(data, "train"), split.positions(data, "test"))
    arrays = program_arrays([without_declarations(data.language.parse(text)) for text in data.texts("target")])
    scores = rule_scores(arrays, parts)
    return {
        "programs": len(data),
        "distinct_programs": len(set(data.texts("target"))),
        "templates": len(set(kinds)),
        "train": float(np.mean([len(train) for train, _ in parts.values()])),
        "test": float(np.mean([len(test) for _, test in parts.values()])),
        "train_templates": float(np.mean([len(set(kinds[train])) for train, _ in parts.values()])),
        "test_templates": float(np.mean([len(set(kinds[test])) for _, test in parts.values()])),
        "templates_of_both": sum(len(set(kinds[train]) & set(kinds[test])) for train, test in parts.values()),
        "easiness": {rule: float(line.mean()) for rule, line in scores.items() if RULES[rule].structures},
        "unobserved": {rule: float((scores[rule] < 1).mean()) for rule in scores if RULES[rule].structures},
    }


def means(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The means over domains."""
    plain = {
        key: float(np.mean([row[key] for row in rows])) for key in rows[0] if key not in ("easiness", "unobserved")
    }
    tables = {
        key: {rule: float(np.mean([row[key][rule] for row in rows])) for rule in rows[0][key]}
        for key in ("easiness", "unobserved")
    }
    return {**plain, **tables}


def show(rows: dict[str, Any]) -> None:
    """Print the table."""
    head = "".join(f"{rule:>12}" for rule in SHOWN)
    sys.stdout.write(f"{'':<15}{'templates':>10}{'train / test examples':>24}{'templates':>14}{head}\n")
    for name, row in rows.items():
        sizes = f"{row['train']:,.1f} / {row['test']:,.1f}"
        kinds = f"{row['train_templates']:.1f} / {row['test_templates']:.1f}"
        easy = "".join(f"{row['easiness'][rule]:>12.3f}" for rule in SHOWN)
        sys.stdout.write(f"{name:<15}{row['templates']:>10.1f}{sizes:>24}{kinds:>14}{easy}\n")
    paper = f"{PAPER['train']:,.1f} / {PAPER['test']:,.1f}", f"{PAPER['train_templates']} / {PAPER['test_templates']}"
    sys.stdout.write(f"{'paper':<15}{'':>10}{paper[0]:>24}{paper[1]:>14}\n")


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, default=Path(__file__).parent / "results" / "overnight_programs.json")
    arguments = parser.parse_args()
    rows = {name: domain_row(data) for name, data in domains(recombine.load("overnight")).items()}
    rows = {**rows, "mean": means(list(rows.values()))}
    sys.stdout.write("five template splits of each domain: sizes, and the mean easiness of test by rule\n")
    show(rows)
    write_whole(arguments.out, orjson.dumps({"domains": rows, "paper": PAPER}, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
