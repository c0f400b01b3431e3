"""How well easiness predicts what fails on template splits of ATIS: Tables 2, 3 and 6 of the `local_structures` paper.

    python benchmarks/atis_difficulty.py [-o benchmarks/results/atis_difficulty.json]

Reads RECOMBINE_DATA and the stored cells of `studies/atis_templates.toml`; no model is run. Areas under the curve are
over the test examples of all splits together; intervals resample whole splits. The paper's labels are the majority of
four pretrained models (Transformers), and of an LSTM decoder over BERT, on splits of its own.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from recombine.easiness.baselines import length_easiness, random_easiness
from recombine.easiness.easiness import EasinessRule
from recombine.evaluation.statistics.auc import area_under_curve
from recombine.files import write_whole
from recombine.records.dataset import Dataset
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import dataset_arrays
from recombine.structures.programs.templates import templates
from recombine.studies.cells.cell import Cell
from recombine.studies.cells.plan import make_plan
from recombine.studies.cells.read_record import read_rows

STUDY = Path(__file__).parents[1] / "studies" / "atis_templates.toml"
# Structures, similarity, and the paper's AUC on ATIS: Transformers (Table 3), LSTM (Table 6).
RULES: dict[str, tuple[str, str, float | None, float | None]] = {
    "2-LS": ("local:2", "contexts", 75.8, 71.8),
    "3-LS": ("local:3", "contexts", 78.7, 76.9),
    "4-LS": ("local:4", "contexts", 81.4, 79.6),
    "2-LS-NoSib": ("local:2,no-siblings", "contexts", 67.7, None),
    "2-LS-NoPC": ("local:2,no-parents", "contexts", 64.1, None),
    "2-LS-NoSim": ("local:2", "none", 73.5, None),
    "2-bigram": ("ngram:2", "contexts", 69.9, None),
    "length": ("", "", 47.4, None),
    "random": ("", "", 49.2, None),
}
MODELS = {"cfq:transformer": 2, "cfq:lstm": 3}
"""Models of the study, and where the paper's value stands in a rule."""
Parts = dict[str, tuple[list[int], list[int]]]


def rule_scores(data: Dataset, parts: Parts) -> dict[str, NDArray[np.float64]]:
    """The easiness of every test example by rule, split after split."""
    arrays = dataset_arrays(data)
    lengths = arrays.lengths()
    found: dict[str, NDArray[np.float64]] = {}
    for name, (structures, similarity, _, _) in RULES.items():
        if structures:
            rule = EasinessRule(local_structures(arrays, structures), similarity)
            lines = [rule.fit(np.array(train)).predict(np.array(test)).scores for train, test in parts.values()]
        elif name == "length":
            lines = [length_easiness(lengths[train], lengths[test]) for train, test in parts.values()]
        else:
            lines = [random_easiness(len(test), seed=n) for n, (_, test) in enumerate(parts.values())]
        found[name] = np.concatenate(lines)
    return found


def right_by_model(cells: list[Cell], results: Path, parts: Parts) -> dict[str, NDArray[np.bool_]]:
    """Whether each test example is right, by model, split after split."""
    keys: dict[str, dict[str, str]] = defaultdict(dict)
    for cell in cells:
        keys[cell.model.name][cell.recipe.name] = cell.key
    return {
        model: np.array([row["correct"] for split in parts for row in read_rows(results / f"{mine[split]}.jsonl.gz")])
        for model, mine in keys.items()
    }


def unseen_symbols(data: Dataset, parts: Parts) -> dict[str, int]:
    """How many test examples hold a word, and a symbol of the program, that train lacks."""
    found = {}
    for side in ("source", "target"):
        texts = [frozenset(text.split()) for text in data.texts(side)]
        seen = {split: frozenset().union(*(texts[row] for row in train)) for split, (train, _) in parts.items()}
        found[side] = sum(not texts[row] <= seen[split] for split, (_, test) in parts.items() for row in test)
    return found


def measure() -> dict[str, Any]:
    """All numbers of the stored cells."""
    plan = make_plan(STUDY, make=False)
    data = plan.datasets["atis"]
    splits = {cell.recipe.name: cell.split for cell in plan.cells if cell.split is not None}
    parts = {name: (split.positions(data, "train"), split.positions(data, "test")) for name, split in splits.items()}
    kinds = np.array(list(templates(data)))
    scores, right = rule_scores(data, parts), right_by_model(list(plan.cells), plan.results, parts)
    names = [split for split, (_, test) in parts.items() for _ in test]
    areas = {
        model: {
            rule: {"paper": RULES[rule][place], **area_under_curve([line], right[model], names).to_record()}
            for rule, line in scores.items()
        }
        for model, place in MODELS.items()
    }
    both = np.array([right[model] for model in MODELS])
    shares = both.mean(1)
    return {
        "splits": {
            name: {
                "train": len(train),
                "test": len(test),
                "train_templates": len(set(kinds[train])),
                "test_templates": len(set(kinds[test])),
                "templates_of_both": len(set(kinds[train]) & set(kinds[test])),
            }
            for name, (train, test) in parts.items()
        },
        "unseen": unseen_symbols(data, parts),
        "exact_match": dict(zip(MODELS, shares.tolist(), strict=True)),
        "agreement": float((both[0] == both[1]).mean()),
        "chance_agreement": float(shares.prod() + (1 - shares).prod()),
        "auc": areas,
    }


def show(value: dict[str, Any]) -> None:
    """Print the tables."""
    for name, row in value["splits"].items():
        sys.stdout.write(f"{name}: " + ", ".join(f"{key} {number}" for key, number in row.items()) + "\n")
    sys.stdout.write(f"test examples with what train lacks: {value['unseen']}\n")
    sys.stdout.write(f"both models alike: {value['agreement']:.3f}, by chance {value['chance_agreement']:.3f}\n")
    for model, table in value["auc"].items():
        first = table["2-LS"]
        sys.stdout.write(f"\n{model}: {first['positives']} right, {first['negatives']} wrong\n")
        for rule, row in table.items():
            paper = "–" if row["paper"] is None else f"{row['paper']:.1f}"
            pooled, low, high = (100 * row[key] for key in ("pooled", "low", "high"))
            sys.stdout.write(f"{rule:<12}{paper:>6}{pooled:7.1f}  {low:.1f}–{high:.1f}\n")


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, default=Path(__file__).parent / "results" / "atis_difficulty.json")
    arguments = parser.parse_args()
    value = measure()
    show(value)
    write_whole(arguments.out, orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY) + b"\n")


if __name__ == "__main__":
    main()
