"""Which compounds make hard splits of CFQ? Splits of MCD1's train part by several definitions, and a model on each.

    recombine parse cfq --data cfq/mcd1 -o cfq.jsonl
    python benchmarks/mcd_definitions.py split cfq.jsonl FOLDER [NAME…]       the splits, measured, in FOLDER
    python benchmarks/mcd_definitions.py measure FOLDER                       each split under every definition
    python benchmarks/mcd_definitions.py export FOLDER                        FOLDER/cells, to train from
    python -m recombine.models.seq2seq.run FOLDER/cells --out RESULTS --work WORK
    python benchmarks/mcd_definitions.py score FOLDER [RESULTS]               keeps all, prints the table of docs/cfq.md

Neither the dev part of MCD1 nor generated questions are looked at, so that a definition can be chosen by this. Sizes
have the paper's shares, 40 % to train on and 5 % each for dev and test, so half of the pool stays unused. All searches
have the same effort and seed. What is known so far is in FOLDER/rows.json; without RESULTS, `score` keeps what was
measured. Training needs torch, and a GPU, or much time.
"""

from __future__ import annotations

import argparse
import json
import resource
from pathlib import Path
from typing import Any

import orjson

import recombine
from recombine.files import write_whole
from recombine.measures.divergence import divergence
from recombine.models.seq2seq.export import ExportedCell, make_study, read_study, unpacked, write_study
from recombine.models.seq2seq.presets import find_preset
from recombine.structures.definition import COMPOUND_ALPHA

RESULTS = Path(__file__).parent / "results" / "mcd_definitions.json"
SHARES = {"train": 0.4, "dev": 0.05, "test": 0.05}
DEFINITIONS = {
    "default": "line:7-8,presence,rules=resolution+knowledge,top=300",
    "not cut": "line:7-8,presence,rules=resolution+knowledge",
    "queries, weighted": "line:2-8,weighted,rules=resolution+knowledge",
    "grammar": "dag:2-5,weighted",
    "all rules": "line:2-6,weighted,rules=all",
}
EFFORT, SEED = 0.05, 1
MODEL, STEPS, SEEDS = "cfq:transformer", 15_000, (0, 1)


def cpu() -> float:
    """Seconds of user CPU so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def pool(path: Path, folder: Path) -> recombine.Dataset:
    """The train part of MCD1, as a file of its own."""
    place = folder / "train.jsonl"
    if not place.exists():
        chosen = set(recombine.load_split("cfq/mcd1", "published").part("train"))
        lines = path.read_bytes().splitlines(keepends=True)
        write_whole(place, b"".join(line for line in lines if orjson.loads(line)["id"] in chosen))
    return recombine.load(place, language="sparql")


def make_splits(path: Path, folder: Path, names: list[str]) -> None:
    """Make splits, one after the other, and keep what is measured on each under its own definition."""
    folder.mkdir(parents=True, exist_ok=True)
    data = pool(path, folder)
    sizes: dict[str, Any] = {part: round(len(data) * share) for part, share in SHARES.items()}
    for name in names or ["random", *DEFINITIONS]:
        definition = DEFINITIONS.get(name, DEFINITIONS["default"])
        began = cpu()
        features = recombine.features(data, definition)
        found = cpu()
        by: dict[str, Any] = {"by": "random"} if name == "random" else {"by": "mcd", "effort": EFFORT}
        split = recombine.split(data, seed=SEED, structures=features, best_effort=True, **sizes, **by)
        split.write(folder / f"{name}.json")
        row = {
            "definition": "" if name == "random" else definition,
            "compounds": features.compounds.shape[1],
            "entries": len(features.compounds.indices),
            "features_cpu": round(found - began, 1),
            "split_cpu": round(cpu() - found, 1),
            **_measured(split.to_dict()),
        }
        print(name, json.dumps(row), flush=True)
        rows = _rows(folder)
        write_whole(folder / "rows.json", orjson.dumps({**rows, name: row}, option=orjson.OPT_INDENT_2) + b"\n")


def _measured(values: dict[str, Any]) -> dict[str, Any]:
    fields = values["item_fields"]
    return {
        "D_A": values["atom_divergence"],
        "D_C": values["compound_divergence"],
        "missed": values.get("missed"),
        "unseen": values["unseen_atom_examples"],
        "query patterns": fields["pattern_coverage"]["sparqlPattern"],
        "question patterns": fields["pattern_coverage"]["questionTemplate"],
        "query length": fields["length_ratio"]["sparqlNumConstraints"],
        "question length": fields["length_ratio"]["parseTreeLeafCount"],
    }


def _rows(folder: Path) -> dict[str, Any]:
    place = folder / "rows.json"
    return orjson.loads(place.read_bytes()) if place.exists() else {}


def measure_all(folder: Path) -> None:
    """D_C of every split under every definition."""
    data, rows = recombine.load(folder / "train.jsonl", language="sparql"), _rows(folder)
    splits = {name: recombine.load_split(data, folder / f"{name}.json") for name in rows}
    sides = {name: (s.positions(data, "train"), s.positions(data, "test")) for name, s in splits.items()}
    for name in rows:
        rows[name]["D_C under"] = {}
    for definition, text in DEFINITIONS.items():
        compounds = recombine.features(data, text).compounds
        for name, (train, test) in sides.items():
            value = divergence(compounds, train, test, alpha=COMPOUND_ALPHA)
            rows[name]["D_C under"][definition] = value
        print(definition, {name: round(rows[name]["D_C under"][definition], 3) for name in rows}, flush=True)
    write_whole(folder / "rows.json", orjson.dumps(rows, option=orjson.OPT_INDENT_2) + b"\n")


def export(folder: Path) -> None:
    """Write FOLDER/cells: a model of each seed on each split."""
    data, rows = recombine.load(folder / "train.jsonl", language="sparql"), _rows(folder)
    splits = {name: recombine.load_split(data, folder / f"{name}.json") for name in rows}
    study = make_study(
        list(zip(data.texts("source"), data.texts("target"), strict=True)),
        {name: {part: s.positions(data, part) for part in ("train", "test")} for name, s in splits.items()},
        {MODEL: find_preset(MODEL, steps=STEPS)},
        [ExportedCell(f"{name}/{seed}", MODEL, name, seed) for name in splits for seed in SEEDS],
        {"data": data.hash, "splits": {name: str(s.signature) for name, s in splits.items()}, "unseen": "keep"},
    )
    write_study(folder / "cells", study)
    print(f"{len(study.cells)} cells, {sum(f.stat().st_size for f in (folder / 'cells').iterdir()):,} bytes")


def score(folder: Path, results: Path | None = None) -> None:
    """Score what came back, keep it with what was measured, and print the table."""
    study, rows = read_study(folder / "cells"), _rows(folder)
    record: dict[str, Any] = {}
    arrays: dict[str, Any] = {}
    if results is not None:
        path = results / f"{MODEL.replace(':', '-')}.json"
        record, arrays = json.loads(path.read_text()), dict(unpacked(path.with_suffix(".npz")))
    words = study.vocabulary
    for name, row in rows.items():
        test = study.splits[name]["test"]
        row["exact_match"] = {}
        for seed in SEEDS:
            key = f"{name}/{seed}"
            if f"{key}/test" not in arrays:
                continue
            gold = [" ".join(words[s] for s in r if s > 1) for r in study.target[test].tolist()]
            given = [" ".join(words[s] for s in r if s > 1) for r in arrays[f"{key}/test"].tolist()]
            row["exact_match"][str(seed)] = 100 * sum(map(str.__eq__, gold, given)) / len(gold)
    kept = {
        "pool": study.notes["data"],
        "examples": len(study.source),
        "sizes": {part: len(rows) for part, rows in next(iter(study.splits.values())).items()},
        "effort": EFFORT,
        "seed": SEED,
        "model": MODEL,
        "steps": STEPS,
        "device": f"{record['device']}, torch {record['torch']}" if record else None,
        "rows": rows,
    }
    write_whole(RESULTS, orjson.dumps(kept, option=orjson.OPT_INDENT_2) + b"\n")
    print(table(rows))


def table(rows: dict[str, Any]) -> str:
    """The table of docs/cfq.md."""
    lines = [
        "| compounds | D_A | D_C | query / question patterns covered | query / question length ratio | Transformer |",
        "| --- |" + " ---: |" * 5,
    ]
    for name, row in rows.items():
        cells = [
            f"`{row['definition']}`" if row["definition"] else name,
            f"{row['D_A']:.3f}",
            f"{row['D_C']:.3f}" if row["definition"] else "–",
            f"{row['query patterns']:.3f} / {row['question patterns']:.3f}",
            f"{row['query length']:.2f} / {row['question length']:.2f}",
            ", ".join(f"{value:.1f}" for value in row["exact_match"].values()) or "not run",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Split, measure, export or score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("split", "measure", "export", "score"))
    parser.add_argument("paths", nargs="+")
    given = parser.parse_args()
    places = [Path(path) for path in given.paths[:2]]
    if given.verb == "split":
        make_splits(places[0], places[1], given.paths[2:])
    elif given.verb == "measure":
        measure_all(places[0])
    elif given.verb == "export":
        export(places[0])
    else:
        score(*places)


if __name__ == "__main__":
    main()
