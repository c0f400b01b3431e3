"""Table 4 of the CFQ paper on SCAN: makes the folder to train from, and scores what comes back.

    python benchmarks/scan_table4.py export FOLDER           published splits are read from RECOMBINE_DATA
    python benchmarks/scan_table4.py score FOLDER RESULTS…   writes studies/results/scan_table4.json, prints a table

Splits, all of 8,365 / 1,046 / 1,045 examples: random with five seeds (one for each replicate), one maximum-divergence
split found here, and the published mcd1 and mcd2; five replicates of each architecture on each.
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

import recombine
from recombine.files import write_whole
from recombine.models.seq2seq.export import Cell, make_study, read_study, unpacked, write_study
from recombine.models.seq2seq.presets import find_preset

SIZES: dict[str, Any] = {"train": 8365, "dev": 1046, "test": 1045}
MODELS = ("cfq:transformer", "cfq:universal-transformer", "cfq:lstm")
REPLICATES = 5
RESULTS = Path(__file__).parent.parent / "studies" / "results"
# Table 4: mean and half-width of the interval, random and MCD.
PAPER = {
    "cfq:lstm": ((99.9, 2.7), (6.1, 2.2)),
    "cfq:transformer": ((100.0, 0.0), (1.1, 0.5)),
    "cfq:universal-transformer": ((99.9, 0.2), (1.2, 0.7)),
}


def export(folder: Path, steps: int) -> None:
    """Write the folder."""
    data = recombine.load("scan")
    splits = {f"random{seed}": recombine.split(data, by="random", seed=seed, **SIZES) for seed in range(REPLICATES)}
    splits["mcd-own"] = recombine.split(data, by="mcd", seed=0, **SIZES)
    splits.update({name: recombine.load_split(data, name) for name in ("mcd1", "mcd2")})
    cells = []
    for model in MODELS:
        for replicate in range(REPLICATES):
            for name in (f"random{replicate}", "mcd-own", "mcd1", "mcd2"):
                cells.append(Cell(f"{model}/{name}/{replicate}", model, name, replicate))
    study = make_study(
        [(example.source, example.target) for example in data],
        {name: {part: s.positions(data, part) for part in s.parts} for name, s in splits.items()},
        {model: find_preset(model, steps=steps) for model in MODELS},
        cells,
        {
            "data": str(data),
            "splits": {
                name: {
                    "signature": str(s.signature),
                    "compound_divergence": (s.measured or recombine.measure(data, s)).get("compound_divergence"),
                }
                for name, s in splits.items()
            },
        },
    )
    write_study(folder, study)
    for name, note in study.notes["splits"].items():
        print(name, {part: len(rows) for part, rows in study.splits[name].items()}, note["compound_divergence"])
    print(f"{len(cells)} cells, {sum(f.stat().st_size for f in folder.iterdir()):,} bytes")


def score(folder: Path, results: list[Path]) -> None:
    """Exact match of every cell, and means with 95 % intervals."""
    study = read_study(folder)
    cells: dict[str, Any] = {}
    devices = set()
    for path in results:
        record = json.loads(path.read_text())
        devices.add(f"{record['device']}, torch {record['torch']}")
        arrays = unpacked(path.with_suffix(".npz"))
        for cell in study.cells:
            if f"{cell.name}/test" in arrays:
                gold = study.target[study.splits[cell.split]["test"]]
                right = (arrays[f"{cell.name}/test"] == gold).all(1)
                kept = {key: value for key, value in record["cells"][cell.name].items() if key != "error"}
                cells[cell.name] = {
                    "model": cell.model,
                    "split": cell.split,
                    "seed": cell.seed,
                    "exact_match": 100 * float(right.mean()),
                    "n": len(right),
                    **kept,
                }
    table = summarise(cells)
    RESULTS.mkdir(parents=True, exist_ok=True)
    record = {
        "study": "scan_table4",
        "devices": sorted(devices),
        "notes": study.notes,
        "models": {name: settings.to_dict() for name, settings in study.models.items()},
        "table": table,
        "cells": cells,
    }
    write_whole(RESULTS / "scan_table4.json", json.dumps(record, indent=1).encode() + b"\n")
    for row in table:
        paper = f"paper {row['paper'][0]} ± {row['paper'][1]}" if row["paper"] else ""
        print(
            f"{row['model']:28} {row['splits']:10} {row['mean']:6.2f} ± {row['interval']:.2f}  n={row['n']:2} {paper}"
        )


def summarise(cells: dict[str, Any]) -> list[dict[str, Any]]:
    """Means over replicates for each split, and over splits and replicates for random and MCD."""
    rows = []
    for model in MODELS:
        groups = {"random": ("random",), "mcd-own": ("mcd-own",), "mcd1": ("mcd1",), "mcd2": ("mcd2",), "mcd": ("mcd",)}
        for name, starts in groups.items():
            found = [c["exact_match"] for c in cells.values() if c["model"] == model and c["split"].startswith(starts)]
            if found:
                paper = PAPER[model][name == "mcd"] if name in ("random", "mcd") else None
                rows.append(
                    {"model": model, "splits": name, "n": len(found), "mean": statistics.mean(found),
                     "interval": half_width(found), "paper": paper}
                )  # fmt: skip
    return rows


def half_width(values: list[float]) -> float:
    """Half of the 95 % interval of the mean, by Student's t."""
    if len(values) < 2:
        return float("nan")
    return float(stats.t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / len(values) ** 0.5)


def main() -> None:
    """Export or score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("export", "score"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("results", type=Path, nargs="*", help="the .json files that came back")
    parser.add_argument("--steps", type=int, default=35000)
    options = parser.parse_args()
    if options.verb == "export":
        export(options.folder, options.steps)
    else:
        score(options.folder, options.results)


if __name__ == "__main__":
    main()
