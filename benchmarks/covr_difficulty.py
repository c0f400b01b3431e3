"""How well easiness predicts what fails on COVR: the tables of the `local_structures` paper, on what was published.

    python benchmarks/covr_difficulty.py [--samples 5] [--seed 0] [-o benchmarks/results/covr_difficulty.json]

Reads RECOMBINE_DATA. The labels are the majority of four published models on 2,075 published instances of 83 splits;
every number is the mean over several samples of training sets (see `covr_splits.py`), and nothing is chosen on the
results. Intervals resample whole splits. The paper's numbers are over 62,000 instances of 124 splits.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from covr_splits import MODELS, CovrSplits, load_covr
from decision_rules import RULES
from recombine.easiness.baselines import group_means, length_easiness, random_easiness
from recombine.easiness.easiness import EasinessRule
from recombine.evaluation.difficulty.agreement import agreement, chance_agreement
from recombine.evaluation.difficulty.best_threshold import best_threshold
from recombine.evaluation.errors.first_error import first_errors, unobserved_pairs
from recombine.evaluation.statistics.auc import area_under_curve, pearson
from recombine.files import write_whole
from recombine.measures.divergence import divergence
from recombine.structures.dataset_features import extract_features
from recombine.structures.definition import Structures
from recombine.structures.local_structures import local_structures
from recombine.structures.programs.program_arrays import ProgramArrays, program_arrays

STRUCTURE_RULES = {name: rule for name, rule in RULES.items() if rule.structures}
PAPER = {name: rule.covr for name, rule in RULES.items()}
PAPER_THRESHOLDS = {"2-LS": 0.58, "2-LS-NoSib": 0.3}
"""τ on COVR (App. B.4)."""
PAPER_PEARSON = {"2-LS": 0.79, "3-LS": 0.66, "4-LS": 0.62, "TMCD": -0.36}
OUTLIER = 0.05


def rule_scores(covr: CovrSplits, rule: EasinessRule, sample: int) -> tuple[NDArray[np.float64], list[float]]:
    """The easiness of every published instance, and of our own test programs by split."""
    scores = np.zeros(len(covr.published))
    means = []
    for split, rows in covr.instances.items():
        fitted = rule.fit(covr.train(split, sample))
        scores[rows - len(covr.pool)] = fitted.predict(rows).scores
        means.append(fitted.predict(covr.test(split, sample)).mean())
    return scores, means


def all_scores(
    covr: CovrSplits, samples: int
) -> tuple[dict[str, list[NDArray[np.float64]]], dict[str, NDArray[np.float64]]]:
    """The easiness of every published instance by rule and sample, and the means of our own test programs by split."""
    found: dict[str, list[NDArray[np.float64]]] = {}
    means: dict[str, NDArray[np.float64]] = {}
    for name, rule_of in STRUCTURE_RULES.items():
        rule = EasinessRule(local_structures(covr.arrays, rule_of.structures), rule_of.similarity)
        pairs = [rule_scores(covr, rule, sample) for sample in range(samples)]
        found[name] = [scores for scores, _ in pairs]
        means[name] = np.mean([mine for _, mine in pairs], axis=0)
    lengths = covr.arrays.lengths()
    found["length"] = []
    for sample in range(samples):
        scores = np.zeros(len(covr.published))
        for split, rows in covr.instances.items():
            scores[rows - len(covr.pool)] = length_easiness(lengths[covr.train(split, sample)], lengths[rows])
        found["length"].append(scores)
    found["random"] = [random_easiness(len(covr.published), seed=sample) for sample in range(samples)]
    found["split constant (2-LS)"] = [group_means(scores, covr.names) for scores in found["2-LS"]]
    return found, means


def auc_table(covr: CovrSplits, scores: dict[str, list[NDArray[np.float64]]]) -> dict[str, Any]:
    """Areas under the curve by rule, for the majority and for the other gold labels."""
    correct = covr.correctness()
    table: dict[str, Any] = {}
    for name, lines in scores.items():
        found = area_under_curve(lines, correct.gold(), covr.names)
        others = {
            gold: area_under_curve(lines, correct.gold(gold), covr.names, repeats=1).pooled
            for gold in ("all agree", *MODELS)
        }
        table[name] = {"paper": PAPER.get(name), **found.to_record(), "other_gold": others}
    return table


def threshold_table(covr: CovrSplits, scores: dict[str, list[NDArray[np.float64]]]) -> dict[str, Any]:
    """The easiness with the best F1 of right answers by rule and sample, beside the paper's, and that of wrong ones."""
    gold = covr.correctness().gold()
    turned = np.where(gold < 0, gold, 1 - gold)
    table = {}
    for name in STRUCTURE_RULES:
        best = [best_threshold(line, gold) for line in scores[name]]
        # That of wrong answers: the highest easiness that counts as hard.
        hard = [best_threshold(-line, turned) for line in scores[name]]
        table[name] = {
            "paper": PAPER_THRESHOLDS.get(name),
            "samples": [None if each is None else each.to_record() for each in best],
            "of_wrong_answers": [None if each is None else -each.easiness for each in hard],
        }
    return table


def variants_table(covr: CovrSplits, samples: int) -> dict[str, dict[str, float | None]]:
    """The pooled areas of 2-LS and 3-LS under other choices, all of them, so that none is picked."""
    plain = program_arrays(covr.trees)
    variants: dict[str, tuple[ProgramArrays, str, int]] = {
        "as above": (covr.arrays, "contexts", 3_000),
        "means by relation, as in the published code": (covr.arrays, "relations", 3_000),
        "labels not divided into words": (plain, "contexts", 3_000),
        "training sets of 1,000": (covr.arrays, "contexts", 1_000),
        "training sets of 10,000": (covr.arrays, "contexts", 10_000),
    }
    gold = covr.correctness().gold()
    table: dict[str, dict[str, float | None]] = {}
    for name, (arrays, similarity, number) in variants.items():
        table[name] = {}
        for structures in ("local:2", "local:3"):
            rule = EasinessRule(local_structures(arrays, structures), similarity)
            lines = []
            for sample in range(samples):
                scores = np.zeros(len(covr.published))
                for split, rows in covr.instances.items():
                    scores[rows - len(covr.pool)] = rule.fit(covr.train(split, sample, number)).predict(rows).scores
                lines.append(scores)
            table[name][structures] = area_under_curve(lines, gold, covr.names, repeats=1).pooled
    return table


def split_table(
    covr: CovrSplits, scores: dict[str, list[NDArray[np.float64]]], means: dict[str, Any], samples: int
) -> dict[str, Any]:
    """Easiness of splits beside the published values, and correlations with the published mean accuracy."""
    names = np.array(covr.names)
    accuracy = covr.accuracies()
    here = {
        name: np.array([np.mean([line[names == split].mean() for line in lines]) for split in covr.splits])
        for name, lines in scores.items()
    }
    published = np.array([row["predicted_easiness"] for row in covr.splits.values()])
    outliers = [
        {"split": split, "published": theirs, "published_instances": one, "own_instances": two}
        for split, theirs, one, two in zip(covr.splits, published, here["2-LS"], means["2-LS"], strict=True)
        if max(abs(one - theirs), abs(two - theirs)) > OUTLIER
    ]
    features = extract_features(covr.dataset(), Structures.parse("tmcd:uls")).compounds
    diverging = [
        np.mean([divergence(features, covr.train(s, n), covr.test(s, n), alpha=0.5) for n in range(samples)])
        for s in covr.splits
    ]
    correlations = {name: pearson(means[name].tolist(), accuracy) for name in means}
    return {
        "mean_absolute_difference": {
            "published_instances": float(np.abs(here["2-LS"] - published).mean()),
            "own_instances": float(np.abs(means["2-LS"] - published).mean()),
        },
        "outliers": outliers,
        "pearson": {
            **correlations,
            "TMCD": pearson(diverging, accuracy),
            "published easiness": pearson(published.tolist(), accuracy),
        },
        "pearson_paper": PAPER_PEARSON,
        "train_templates": float(np.mean([len(np.unique(covr.templates[covr.train(s, 0)])) for s in covr.splits])),
        "test_templates": float(np.mean([len(np.unique(covr.templates[covr.test(s, 0)])) for s in covr.splits])),
    }


def token_table(covr: CovrSplits, samples: int) -> dict[str, Any]:
    """First wrong tokens of all four models (§5.1), by sample."""
    rule = EasinessRule(local_structures(covr.arrays, "local:2"))
    records = []
    for sample in range(samples):
        outputs = []
        for split, rows in covr.instances.items():
            fitted = rule.fit(covr.train(split, sample))
            for row in rows:
                instance, pairs = covr.published[int(row) - len(covr.pool)], unobserved_pairs(fitted, int(row))
                outputs += [(instance["target"], p["output"], p["correct"], pairs) for p in instance["pred"].values()]
        records.append(first_errors(outputs).to_record())
    return {key: float(np.mean([record[key] for record in records])) for key in records[0]}


def agreement_table(covr: CovrSplits) -> dict[str, Any]:
    """Agreement of the four models (Table 2)."""
    correct = covr.correctness()
    accuracies = correct.accuracies()
    return {
        "3+/4": agreement(correct.correct, 3),
        "4/4": agreement(correct.correct, 4),
        "chance 4/4": chance_agreement(list(accuracies.values()), 4),
        "accuracies": accuracies,
        "paper": {"3+/4": 94.5, "4/4": 82.5, "chance 4/4": 57.1},
    }


def line(text: str = "") -> None:
    """Print one line."""
    sys.stdout.write(text + "\n")


def show_areas(value: dict[str, Any]) -> None:
    """Print the areas under the curve."""
    table = value["auc"]
    first = table["2-LS"]
    line(
        f"{first['positives']} right, {first['negatives']} wrong, {first['dropped']} ties dropped; "
        f"{first['splits']} splits, {first['mixed_splits']} with both right and wrong; "
        f"{value['samples']} samples of training sets"
    )
    line(
        f"{'AUC, majority label':<24}{'paper':>6}{'pooled':>8}  {'interval':<14}{'within':>7}  {'interval':<14}"
        f"{'all agree':>9}" + "".join(f"{name:>8}" for name in MODELS)
    )
    for name, row in table.items():
        paper = "–" if row["paper"] is None else f"{row['paper']:.1f}"
        spans = [
            f"{100 * row[low]:.1f}–{100 * row[high]:.1f}"
            for low, high in (("low", "high"), ("within_low", "within_high"))
        ]
        others = "".join(f"{100 * row['other_gold'][m]:8.1f}" for m in MODELS)
        line(
            f"{name:<24}{paper:>6}{100 * row['pooled']:8.1f}  {spans[0]:<14}{100 * row['within']:7.1f}  {spans[1]:<14}"
            f"{100 * row['other_gold']['all agree']:9.1f}{others}"
        )
    line()
    for name, row in value["thresholds"].items():
        first = row["samples"][0]
        paper = "" if row["paper"] is None else f" (paper {row['paper']})"
        values = ", ".join(f"{each['easiness']:.3f}" for each in row["samples"])
        line(
            f"τ of the best F1, {name}: {values}{paper}; the first: F1 {first['f1']:.3f}, precision "
            f"{first['precision']:.3f}, recall {first['recall']:.3f}; hard by wrong answers: up to "
            + ", ".join(f"{each:.3f}" for each in row["of_wrong_answers"])
        )
    line()
    for name, row in value["variants"].items():
        line(f"{name:<46}" + ", ".join(f"{key} {100 * number:.1f}" for key, number in row.items()))
    line()


def show_rest(value: dict[str, Any]) -> None:
    """Print splits, agreement and first wrong tokens."""
    line("the paper's order, LS ≥ NoSib > bigram > NoSim > NoPC > length ≈ random: " + value["order"])
    line()
    splits = value["splits"]
    line(
        "easiness of splits, 2-LS, mean absolute difference to the published values: "
        + ", ".join(
            f"{key.replace('_', ' ')} {number:.4f}" for key, number in splits["mean_absolute_difference"].items()
        )
    )
    for row in splits["outliers"]:
        line(
            f"  split {row['split']:>3}: published {row['published']:.2f}, "
            f"published instances {row['published_instances']:.3f}, own instances {row['own_instances']:.3f}"
        )
    line(
        f"templates in a training set {splits['train_templates']:,.0f} (paper 1,510), "
        f"in a test set {splits['test_templates']:,.0f} (paper 372.5)"
    )
    line(
        "Pearson with the models' published mean accuracy (paper in brackets): "
        + ", ".join(
            f"{name} {number:.2f}" + (f" ({PAPER_PEARSON[name]:.2f})" if name in PAPER_PEARSON else "")
            for name, number in splits["pearson"].items()
        )
    )
    agree = value["agreement"]
    line(
        "agreement (paper in brackets): "
        + ", ".join(f"{key} {100 * agree[key]:.1f} ({number})" for key, number in agree["paper"].items())
    )
    tokens = value["first_error"]
    line(
        f"first wrong token completes an unobserved 2-LS: {100 * tokens['share']:.1f} % of {tokens['asked']:.0f} "
        f"wrong outputs with one (paper 76.5 %); {tokens['wrong']:.0f} wrong of {tokens['outputs']:.0f}"
    )
    line(f"{value['seconds']:.0f} s")


def order_of(table: dict[str, Any]) -> str:
    """Whether the paper's order of rules holds, and where it does not."""
    ranks = [
        ["2-LS", "3-LS", "4-LS"],
        ["2-LS-NoSib"],
        ["2-bigram"],
        ["2-LS-NoSim"],
        ["2-LS-NoPC"],
        ["length", "random"],
    ]
    wrong = [
        f"{low} ({100 * table[low]['pooled']:.1f}) is above {high} ({100 * table[high]['pooled']:.1f})"
        for place, above in enumerate(ranks)
        for below in ranks[place + 1 :]
        for high in above
        for low in below
        if table[low]["pooled"] > table[high]["pooled"]
    ]
    return "; ".join(wrong) or "it holds"


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--out", type=Path, default=Path(__file__).parent / "results" / "covr_difficulty.json")
    arguments = parser.parse_args()
    start = time.perf_counter()
    covr = load_covr(seed=arguments.seed)
    scores, means = all_scores(covr, arguments.samples)
    table = auc_table(covr, scores)
    value = {
        "samples": arguments.samples,
        "seed": arguments.seed,
        "pool": len(covr.pool),
        "auc": table,
        "order": order_of(table),
        "thresholds": threshold_table(covr, scores),
        "variants": variants_table(covr, arguments.samples),
        "splits": split_table(covr, scores, means, arguments.samples),
        "agreement": agreement_table(covr),
        "first_error": token_table(covr, arguments.samples),
    }
    value["seconds"] = round(time.perf_counter() - start, 1)
    show_areas(value)
    show_rest(value)
    write_whole(arguments.out, orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY) + b"\n")


if __name__ == "__main__":
    main()
