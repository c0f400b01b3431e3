"""Table 4 of the CFQ paper on SCAN: makes the folder to train from, and scores what comes back.

    python benchmarks/scan_table4.py export FOLDER           published splits are read from RECOMBINE_DATA
    python benchmarks/scan_table4.py score FOLDER RESULTS…   writes studies/results/scan_table4.json, prints a table
    python benchmarks/scan_table4.py table                   makes the table of that file anew from its cells

Splits, all of 8,365 / 1,046 / 1,045 examples: random with five seeds (one for each replicate), one maximum-divergence
split found here, and the published mcd1 and mcd2; five replicates of each architecture on each. Beside the paper stand
the published splits alone; its third is not in the data. Intervals are within splits, as the paper's are; those of
random splits, with one replicate each, are pooled.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import recombine
from recombine.evaluation.statistics.replicates import over_splits
from recombine.files import write_whole
from recombine.models.seq2seq.export import ExportedCell, make_study, read_study, unpacked, write_study
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
                cells.append(ExportedCell(f"{model}/{name}/{replicate}", model, name, replicate))
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
    RESULTS.mkdir(parents=True, exist_ok=True)
    record = {
        "study": "scan_table4",
        "devices": sorted(devices),
        "notes": study.notes,
        "models": {name: settings.to_dict() for name, settings in study.models.items()},
        "table": [],
        "cells": cells,
    }
    write_table(record)


def write_table(record: dict[str, Any]) -> None:
    """Write the record with the table of its cells, and print that."""
    record["table"] = summarise(record["cells"])
    write_whole(RESULTS / "scan_table4.json", json.dumps(record, indent=1).encode() + b"\n")
    for row in record["table"]:
        paper = f"paper {row['paper'][0]} ± {row['paper'][1]}" if row["paper"] else ""
        half = "–" if row["interval"] is None else f"{row['interval']:.2f} {row['interval_kind']}"
        print(f"{row['model']:28} {row['splits']:10} {row['mean']:6.2f} ± {half}  n={row['n']:2} {paper}")


def summarise(cells: dict[str, Any]) -> list[dict[str, Any]]:
    """Means over replicates for each split, and over splits and replicates for random and the published MCD splits."""
    rows = []
    groups = {"random": ("random",), "mcd-own": ("mcd-own",), "mcd1": ("mcd1",), "mcd2": ("mcd2",)}
    for model in MODELS:
        for name, starts in {**groups, "mcd1, mcd2": ("mcd1", "mcd2")}.items():
            values: dict[str, list[float]] = {}
            for cell in cells.values():
                if cell["model"] == model and cell["split"].startswith(starts):
                    values.setdefault(cell["split"], []).append(cell["exact_match"])
            if values:
                found = over_splits(values, interval="pooled" if name == "random" else "within")
                paper = {"random": PAPER[model][0], "mcd1, mcd2": PAPER[model][1]}.get(name)
                rows.append(
                    {"model": model, "splits": name, "n": found.n, "mean": found.mean, "interval": found.half_width,
                     "interval_kind": found.interval, "paper": paper}
                )  # fmt: skip
    return rows


def main() -> None:
    """Export, score, or make the table anew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("export", "score", "table"))
    parser.add_argument("folder", type=Path, nargs="?", default=Path())
    parser.add_argument("results", type=Path, nargs="*", help="the .json files that came back")
    parser.add_argument("--steps", type=int, default=35000)
    options = parser.parse_args()
    if options.verb == "export":
        export(options.folder, options.steps)
    elif options.verb == "score":
        score(options.folder, options.results)
    else:
        write_table(json.loads((RESULTS / "scan_table4.json").read_text()))


if __name__ == "__main__":
    main()
