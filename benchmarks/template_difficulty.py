"""How well easiness predicts what fails on template splits: Tables 2, 3 and 6 of the `local_structures` paper.

    python benchmarks/template_difficulty.py [atis_templates | covr_templates] [-o benchmarks/results/STUDY.json]

Reads RECOMBINE_DATA and the stored cells of `studies/STUDY.toml`; no model is run. It counts the templates of both
parts of each split, and the exit code is 1 where one is in both. Areas under the curve are over the test examples of
all splits together, with the numbers of right and wrong ones; intervals resample whole splits. A model some of whose
cells are not stored is left out, and said. How often a first wrong token completes an unobserved 2-LS is that of §5.1.
The paper's labels are the majority of four pretrained models (Transformers), and of an LSTM decoder over BERT, on
splits of its own, which on COVR are by grammar and not by template.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from decision_rules import RULES, Parts, rule_scores
from recombine.evaluation.difficulty.agreement import agreement, chance_agreement
from recombine.evaluation.errors.first_error import first_errors, unobserved_pairs_of
from recombine.evaluation.statistics.auc import area_under_curve
from recombine.files import write_whole
from recombine.records.dataset import Dataset
from recombine.structures.programs.program_arrays import dataset_arrays
from recombine.structures.programs.templates import templates
from recombine.studies.cells.plan import Plan, make_plan
from recombine.studies.cells.read_record import read_rows

STUDIES = Path(__file__).parents[1] / "studies"


def rows_by_model(plan: Plan, parts: Parts) -> dict[str, list[dict[str, Any]]]:
    """The outputs on all test examples, by model, split after split; models with all cells alone."""
    keys: dict[str, dict[str, str]] = defaultdict(dict)
    for cell in plan.cells:
        if (plan.results / f"{cell.key}.jsonl.gz").exists():
            keys[cell.model.name][cell.recipe.name] = cell.key
    return {
        model: [row for split in parts for row in read_rows(plan.results / f"{mine[split]}.jsonl.gz")]
        for model, mine in keys.items()
        if set(mine) == set(parts)
    }


def first_wrong_tokens(data: Dataset, parts: Parts, outputs: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """How often the first wrong token of a model is where an unobserved 2-LS would be completed (§5.1)."""
    pairs = [unobserved_pairs_of(data, train, test) for train, test in parts.values()]
    known = [each for split in pairs for each in split or ()]
    return {
        model: first_errors(
            (data[row["id"]].target, row["prediction"], row["correct"], missing)
            for row, missing in zip(rows, known, strict=True)
        ).to_record()
        for model, rows in outputs.items()
    }


def unseen_symbols(data: Dataset, parts: Parts) -> dict[str, int]:
    """How many test examples hold a word, and a symbol of the program, that train lacks."""
    counts = {}
    for side in ("source", "target"):
        texts = [frozenset(text.split()) for text in data.texts(side)]
        seen = {split: frozenset().union(*(texts[row] for row in train)) for split, (train, _) in parts.items()}
        counts[side] = sum(not texts[row] <= seen[split] for split, (_, test) in parts.items() for row in test)
    return counts


def split_table(data: Dataset, parts: Parts) -> dict[str, dict[str, int]]:
    """Examples and templates of both parts of each split, and the templates that are in both."""
    kinds = np.array(templates(data))
    return {
        name: {
            "train": len(train),
            "test": len(test),
            "train_templates": len(set(kinds[train])),
            "test_templates": len(set(kinds[test])),
            "templates_of_both": len(set(kinds[train]) & set(kinds[test])),
        }
        for name, (train, test) in parts.items()
    }


def measure(study: str) -> dict[str, Any]:
    """All numbers of the stored cells."""
    plan = make_plan(STUDIES / f"{study}.toml", make=False)
    ((name, data),) = plan.datasets.items()
    splits = {cell.recipe.name: cell.split for cell in plan.cells if cell.split is not None}
    parts = {split: (made.positions(data, "train"), made.positions(data, "test")) for split, made in splits.items()}
    value: dict[str, Any] = {"study": study, "splits": split_table(data, parts), "unseen": unseen_symbols(data, parts)}
    outputs = rows_by_model(plan, parts)
    right = {model: np.array([row["correct"] for row in rows]) for model, rows in outputs.items()}
    value["left_out"] = sorted({cell.model.name for cell in plan.cells} - set(right))
    if not right:
        return value
    scores = rule_scores(dataset_arrays(data), parts)
    names = [split for split, (_, test) in parts.items() for _ in test]
    table = np.array(list(right.values())).T
    value["exact_match"] = dict(zip(right, table.mean(0).tolist(), strict=True))
    value["agreement"] = agreement(table, table.shape[1])
    value["chance_agreement"] = chance_agreement(table.mean(0).tolist(), table.shape[1])
    value["first_errors"] = first_wrong_tokens(data, parts, outputs)
    value["auc"] = {
        model: {
            rule: {"paper": RULES[rule].paper(name, model), **area_under_curve([line], mine, names).to_record()}
            for rule, line in scores.items()
        }
        for model, mine in right.items()
    }
    return value


def show(value: dict[str, Any]) -> None:
    """Print the tables."""
    for name, row in value["splits"].items():
        sys.stdout.write(f"{name}: " + ", ".join(f"{key} {number}" for key, number in row.items()) + "\n")
    sys.stdout.write(f"test examples with what train lacks: {value['unseen']}\n")
    for model in value["left_out"]:
        sys.stdout.write(f"{model}: left out, some of its cells are not stored\n")
    if len(value.get("auc", ())) > 1:
        sys.stdout.write(f"all models alike: {value['agreement']:.3f}, by chance {value['chance_agreement']:.3f}\n")
    for model, table in value.get("auc", {}).items():
        first = table["2-LS"]
        sys.stdout.write(f"\n{model}: {first['positives']} right, {first['negatives']} wrong\n")
        wrong = value["first_errors"][model]
        sys.stdout.write(f"first wrong token completes an unobserved 2-LS: {_percent(wrong['share'])} % of ")
        sys.stdout.write(f"{wrong['asked']} wrong outputs whose program has one\n")
        sys.stdout.write(f"{'rule':<12}{'paper':>6}{'AUC':>7}  interval over splits\n")
        for rule, row in table.items():
            sys.stdout.write(f"{rule:<12}{_text(row['paper']):>6}{_percent(row['pooled']):>7}  ")
            sys.stdout.write(f"{_percent(row['low'])}–{_percent(row['high'])}\n")


def _text(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _percent(value: float | None) -> str:
    return _text(None if value is None else 100 * value)


def main() -> int:
    """Measure, print and write; 1 where a template of test is in train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", nargs="?", default="atis_templates")
    parser.add_argument("-o", "--out", type=Path)
    arguments = parser.parse_args()
    value = measure(arguments.study)
    if not value["splits"]:
        sys.stderr.write(f"error: the splits of {arguments.study} are not made here; run or collect the study first\n")
        return 1
    show(value)
    out = arguments.out or Path(__file__).parent / "results" / f"{arguments.study}.json"
    write_whole(out, orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY) + b"\n")
    both = sum(row["templates_of_both"] for row in value["splits"].values())
    if both:
        sys.stderr.write(f"error: {both} templates of test are in train\n")
    return 1 if both else 0


if __name__ == "__main__":
    sys.exit(main())
