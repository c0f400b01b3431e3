"""What to annotate, at equal budget: a Transformer on COVR pairs chosen at random, by template, or by structure.

    python benchmarks/selection_study.py export FOLDER           chooses from a pool of 20,000 generated pairs
    python benchmarks/selection_study.py score FOLDER RESULTS    prints a table, keeps it in studies/results/

The folder is trained with `python -m recombine.models.seq2seq.run FOLDER --out DIR` (torch and numpy are enough there).
The test part is 1,000 generated pairs that are not in the pool; three seeds of choice and of training go together.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import recombine
from recombine.datasets.covr_generated import generate
from recombine.evaluation.statistics.replicates import over_replicates
from recombine.files import write_whole
from recombine.models.seq2seq.export import ExportedCell, make_study, read_study, unpacked, write_study
from recombine.models.seq2seq.presets import find_preset
from recombine.selection.select_examples import select_examples

POOL, TEST, STEPS = 20_000, 1_000, 8_000
BUDGETS = (300, 1000, 3000)
METHODS = ("random", "template", "local-structure")
SEEDS = (1, 2, 3)
MODEL = "cfq:transformer"
RESULTS = Path(__file__).parent.parent / "studies" / "results" / "covr_selection.json"


def export(folder: Path) -> None:
    """Choose, and write the folder to train from."""
    pool = generate(POOL, seed=1)
    known = {example.id for example in pool}
    test = [example for example in generate(POOL + 2 * TEST, seed=2) if example.id not in known][:TEST]
    examples = [*pool, *test]
    splits, cells, signatures = {}, [], {}
    for method in METHODS:
        for budget in BUDGETS:
            for seed in SEEDS:
                name = f"{method}-{budget}-{seed}"
                chosen = select_examples(pool, budget, by=method, seed=seed)
                signatures[name] = str(chosen.signature)
                splits[name] = {
                    "train": [pool.index[key] for key in chosen.ids],
                    "test": list(range(len(pool), len(examples))),
                }
                cells.append(ExportedCell(name, MODEL, name, seed))
    pairs = [(example.source, example.target) for example in examples]
    models = {MODEL: find_preset(MODEL, steps=STEPS)}
    study = make_study(pairs, splits, models, cells, {"data": str(pool), "selections": signatures})
    for cell in study.cells:
        study.check(cell)
    write_study(folder, study)
    print(f"{len(cells)} cells, {sum(f.stat().st_size for f in folder.iterdir()):,} bytes")


def score(folder: Path, results: Path) -> None:
    """Exact match of every cell, and means over seeds."""
    study = read_study(folder)
    record, arrays = json.loads(results.read_text()), unpacked(results.with_suffix(".npz"))
    cells = {}
    for cell in study.cells:
        gold = study.target[study.splits[cell.split]["test"]]
        right = (arrays[f"{cell.name}/test"][:, : gold.shape[1]] == gold).all(1)
        cells[cell.name] = {"exact_match": 100 * float(right.mean()), "n": len(right)}
    table: list[dict[str, Any]] = []
    for method in METHODS:
        for budget in BUDGETS:
            found = over_replicates([cells[f"{method}-{budget}-{seed}"]["exact_match"] for seed in SEEDS])
            table.append({"method": method, "budget": budget, "mean": found.mean, "interval": found.half_width})
            print(f"{method:16} {budget:5}  {found.mean:5.1f} ± {found.half_width:.1f}")
    kept = {
        "study": "covr_selection",
        "device": f"{record['device']}, torch {record['torch']}",
        "version": recombine.__version__,
        "notes": study.notes,
        "model": study.models[MODEL].to_dict(),
        "table": table,
        "cells": cells,
    }
    write_whole(RESULTS, json.dumps(kept, indent=1).encode() + b"\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["export", "score"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("results", type=Path, nargs="?")
    given = parser.parse_args()
    if given.what == "export":
        export(given.folder)
    else:
        score(given.folder, given.results)
