"""Which splits are hard? A panel of splits of small pools by many methods and definitions, and a model on each.

    python benchmarks/hardness/panel.py split SPLITS [POOL…]              what is missing of SPLITS/POOL.json.gz
    python benchmarks/hardness/panel.py export SPLITS FOLDER [POOL…]      FOLDER/POOL, to train from
    python -m recombine.models.seq2seq.run FOLDER/POOL --out OUT/POOL --work WORK/POOL
    python benchmarks/hardness/panel.py collect SPLITS FOLDER OUT         benchmarks/hardness/results/POOL.json
    python benchmarks/hardness/panel.py table                             prints what is in these

Pools and splits stand in panel.toml; data is read from RECOMBINE_DATA. All splits of a pool have one size. Each split
is kept as a text with one letter an example, in the order of the pool: `r` is train, `t` test, `.` unused. A split that
cannot be made is kept with the reason, as is one whose rows are those of another. The model is a Transformer from
random weights, `cfq:transformer` with the steps of the pool, seed 0; symbols that train lacks stay untrained. What is
right is decided by equal tokens. Training needs torch, and a GPU, or much time.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import recombine
from recombine.data_directory import data_file
from recombine.errors import RecombineError
from recombine.files import read_bytes, write_whole
from recombine.models.seq2seq.export import ExportedCell, make_study, read_study, unpacked, write_study
from recombine.models.seq2seq.presets import find_preset
from recombine.splits.hold_out.local_structure import LocalStructureSplitter

HERE = Path(__file__).parent
RESULTS = HERE / "results"
MODEL = "cfq:transformer"
LETTERS = {"train": "r", "test": "t"}
OWN_KEYS = ("name", "by", "structures", "seeds", "pools")
"""The keys of a split in panel.toml that are no options of its method."""
NEAR = 0.005
"""How far the sizes of a published split may be from those of its pool, as a share."""
KEPT = ("atom_divergence", "compound_divergence", "unseen_atom_examples", "length_ratio", "pattern_coverage")
"""The measured values that are kept with a split, by its own definition."""


@dataclass(frozen=True)
class Pool:
    """A data set and the sizes of all splits of it."""

    name: str
    data: recombine.Dataset
    train: int
    test: int
    effort: float
    steps: int
    published: dict[str, dict[str, list[int]]]
    """Positions by part, by the name of the split."""


@dataclass(frozen=True)
class Wanted:
    """A split that is to be made."""

    name: str
    by: str
    structures: str | None
    seed: int
    options: dict[str, Any] = field(default_factory=dict)


def read_table() -> dict[str, Any]:
    """What panel.toml says."""
    return tomllib.loads((HERE / "panel.toml").read_text())


def atis_anonymised() -> recombine.Dataset:
    """The questions of ATIS with the anonymised programs of the release."""
    pairs = [(example.source, str(example.tags["anonymized"])) for example in recombine.load("atis")]
    return recombine.load(pairs, language="lambda_calculus")


def geography() -> tuple[recombine.Dataset, dict[str, dict[str, list[int]]]]:
    """GeoQuery's questions with variables and the first SQL query of each, and its published query split."""
    queries = json.loads(read_bytes(data_file("text2sql/geography.json.gz", "text2sql/geography")))
    pairs, parts = [], []
    for query in queries:
        for sentence in query["sentences"]:
            pairs.append((sentence["text"], query["sql"][0].removesuffix(";").strip()))
            parts.append(query["query-split"])
    rows = {part: [row for row, name in enumerate(parts) if name == part] for part in ("train", "test")}
    return recombine.load(pairs, language="sql"), {"query-split": rows}


def read_pool(name: str) -> Pool:
    """A pool with its published splits."""
    table = read_table()["pool"][name]
    published: dict[str, dict[str, list[int]]] = {}
    if "generate" in table:
        data = recombine.generate(table["generate"], n=table["n"], seed=0).dataset
    elif table["data"] == "atis-anonymised":
        data = atis_anonymised()
    elif table["data"] == "text2sql/geography":
        data, published = geography()
    else:
        data = recombine.load(table["data"])
        for each in table.get("published", []):
            split = recombine.load_split(data, each)
            published[each] = {part: split.positions(data, part) for part in ("train", "test")}
    return Pool(name, data, table["train"], table["test"], table["effort"], table["steps"], published)


def wanted_splits(pool: str) -> Iterator[Wanted]:
    """The splits of a pool that panel.toml asks for."""
    for table in read_table()["split"]:
        if pool not in table["pools"]:
            continue
        options = {key: value for key, value in table.items() if key not in OWN_KEYS}
        lists = {key: value for key, value in options.items() if isinstance(value, list)}
        for values in itertools.product(*lists.values()):
            chosen = dict(zip(lists, values, strict=True))
            for seed in table["seeds"]:
                name = "-".join([table["name"], *map(str, chosen.values()), f"seed{seed}"])
                yield Wanted(name, table["by"], table.get("structures"), seed, {**options, **chosen})


# -- splits -----------------------------------------------------------------------------------------------------------


def stored(folder: Path, pool: str) -> dict[str, Any]:
    """What was made of a pool so far."""
    place = folder / f"{pool}.json.gz"
    if not place.exists():
        return {"pool": pool, "splits": {}, "failed": {}}
    found: dict[str, Any] = json.loads(read_bytes(place))
    return found


def store(folder: Path, record: dict[str, Any]) -> None:
    """Write what was made of a pool, whole."""
    write_whole(folder / f"{record['pool']}.json.gz", json.dumps(record, ensure_ascii=False).encode())


def sides(size: int, parts: dict[str, list[int]]) -> str:
    """The side of every example, one letter each.

    >>> sides(4, {"train": [2, 0], "test": [3]})
    'r.rt'
    """
    letters = ["."] * size
    for part, rows in parts.items():
        for row in rows:
            letters[row] = LETTERS[part]
    return "".join(letters)


def rows_of(letters: str) -> dict[str, list[int]]:
    """The positions of each part, in the order of the pool.

    >>> rows_of("r.rt")
    {'train': [0, 2], 'test': [3]}
    """
    return {part: [row for row, each in enumerate(letters) if each == letter] for part, letter in LETTERS.items()}


def fitting_number(pool: Pool, place: float, options: dict[str, Any]) -> int:
    """The number of a split by local structures that leaves enough for both sides, so far on among all such."""
    if pool.train + pool.test == len(pool.data):
        raise RecombineError("not tried: train and test take all examples, and what is held out has a size of its own")
    held, discarded = LocalStructureSplitter(**options).held_out(pool.data)
    sizes = [int(each.test.sum()) for each in held]
    fit = [n for n, size in enumerate(sizes) if size >= pool.test and len(pool.data) - size >= pool.train]
    if not fit:
        most = f"the most is {max(sizes)} for test" if sizes else f"{len(discarded)} were discarded"
        raise RecombineError(f"none of {len(held)} splits by {options['local']} leaves enough for both sides: {most}")
    return fit[min(len(fit) - 1, int(place * len(fit)))]


def make_one(pool: Pool, wanted: Wanted) -> dict[str, Any]:
    """One split, measured by its own definition."""
    options = dict(wanted.options)
    if wanted.by in ("mcd", "tmcd"):
        options.setdefault("effort", pool.effort)
    began = time.monotonic()
    if "place" in options:
        options["number"] = fitting_number(pool, options.pop("place"), options)
    split = recombine.split(
        pool.data,
        by=wanted.by,
        train=pool.train,
        test=pool.test,
        seed=wanted.seed,
        structures=wanted.structures,
        **options,
    )
    values = split.to_dict()
    return {
        "role": "made",
        "by": wanted.by,
        "structures": wanted.structures,
        "seed": wanted.seed,
        "options": options,
        "signature": str(split.signature),
        "measured": {key: values[key] for key in KEPT if key in values},
        "missed": values.get("missed"),
        "seconds": round(time.monotonic() - began, 1),
        "sides": sides(len(pool.data), {part: split.positions(pool.data, part) for part in LETTERS}),
    }


def make_published(pool: Pool, name: str) -> dict[str, Any]:
    """A published split, refused where its sizes are not those of the pool."""
    parts = pool.published[name]
    for part, size in (("train", pool.train), ("test", pool.test)):
        if abs(len(parts[part]) - size) > NEAR * size:
            raise RecombineError(f"its {part} part has {len(parts[part])} examples, not {size}")
    return {"role": "published", "by": "predefined", "name": name, "sides": sides(len(pool.data), parts)}


def make_splits(folder: Path, names: list[str]) -> None:
    """Make what is missing of the splits of some pools, and keep each as soon as it is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        pool, record = read_pool(name), stored(folder, name)
        if record.setdefault("hash", pool.data.hash) != pool.data.hash:
            raise SystemExit(f"{folder / name}.json.gz is of other data")
        record |= {"data": str(pool.data), "examples": len(pool.data), "train": pool.train, "test": pool.test}
        tasks: list[tuple[str, Any]] = [(f"published-{each}", each) for each in pool.published]
        tasks += [(wanted.name, wanted) for wanted in wanted_splits(name)]
        keys = [key for key, _ in tasks]
        for kind in ("splits", "failed"):
            record[kind] = {key: record[kind][key] for key in keys if key in record[kind]}
        for key, task in tasks:
            if key in record["splits"] or key in record["failed"]:
                continue
            try:
                made = make_one(pool, task) if isinstance(task, Wanted) else make_published(pool, task)
            except RecombineError as error:
                record["failed"][key] = str(error)
                print(f"{name} {key}: {error}", flush=True)
            else:
                equal = [other for other, each in record["splits"].items() if each["sides"] == made["sides"]]
                if equal:
                    record["failed"][key] = f"has the rows of {equal[0]}"
                else:
                    record["splits"][key] = made
                shown = made.get("measured", {}).get("compound_divergence")
                print(f"{name} {key}: D_C {shown} {made.get('seconds')} s {made.get('missed')} {equal}", flush=True)
            store(folder, record)
        store(folder, record)
        print(f"{name}: {len(record['splits'])} splits, {len(record['failed'])} not made", flush=True)


# -- training ---------------------------------------------------------------------------------------------------------


def export(splits: Path, folder: Path, names: list[str]) -> None:
    """Write the folder of each pool."""
    for name in names:
        pool, record = read_pool(name), stored(splits, name)
        rows = {key: rows_of(each["sides"]) for key, each in record["splits"].items()}
        study = make_study(
            list(zip(pool.data.texts("source"), pool.data.texts("target"), strict=True)),
            rows,
            {MODEL: find_preset(MODEL, steps=pool.steps)},
            [ExportedCell(key, MODEL, key, 0) for key in rows],
            {"data": str(pool.data), "unseen": "keep"},
        )
        write_study(folder / name, study)
        size = sum(path.stat().st_size for path in (folder / name).iterdir())
        shapes = f"{study.source.shape} and {study.target.shape}, {len(study.vocabulary):,} symbols"
        print(f"{name}: {len(rows)} cells of {pool.steps:,} steps, {shapes}, {size:,} bytes")


def collect(splits: Path, folder: Path, out: Path) -> None:
    """Write what came back: per split its exact match and which of its test examples are right."""
    for path in sorted(out.glob(f"*/{MODEL.replace(':', '-')}.json")):
        name = path.parent.name
        study, record, made = read_study(folder / name), json.loads(path.read_text()), stored(splits, name)
        arrays = unpacked(path.with_suffix(".npz"))
        rows = {}
        for cell in study.cells:
            test = study.splits[cell.split]["test"]
            kept = {key: value for key, value in made["splits"][cell.split].items() if key not in ("sides", "seconds")}
            ran = record["cells"].get(cell.name, {"state": "not run"})
            row = {**kept, "state": ran["state"], "n": len(test)}
            if f"{cell.name}/test" in arrays:
                right = (arrays[f"{cell.name}/test"] == study.target[test]).all(1)
                loss = ran["curve"][-1][1] if ran.get("curve") else None
                row |= {
                    "exact_match": round(float(right.mean()), 5),
                    "loss": loss,
                    "steps": ran["steps"],
                    "seconds": round(ran["seconds"], 2),
                    "right": "".join(map(str, right.astype(np.int64))),
                }
            rows[cell.split] = row | ({"error": ran["error"]} if "error" in ran else {})
        kept = {key: made[key] for key in ("pool", "data", "hash", "examples", "train", "test", "failed")}
        settings = study.models[MODEL].to_dict()
        about = {"device": f"{record['device']}, torch {record['torch']}", "model": MODEL, "settings": settings}
        text = json.dumps({**kept, **about, "splits": rows}, indent=1, ensure_ascii=False)
        (RESULTS / "splits").mkdir(parents=True, exist_ok=True)
        write_whole(RESULTS / f"{name}.json", text.encode() + b"\n")
        store(RESULTS / "splits", made)
    print_table()


def print_table() -> None:
    """Print the exact match of every split with its divergence."""
    for path in sorted(RESULTS / f"{name}.json" for name in read_table()["pool"]):
        if not path.exists():
            continue
        record = json.loads(path.read_text())
        for name, row in record["splits"].items():
            divergence = row.get("measured", {}).get("compound_divergence")
            shown = "–" if divergence is None else f"{divergence:.3f}"
            print(f"{record['pool']:10} {name:28} {shown:>6} {100 * row.get('exact_match', float('nan')):6.1f}")


def main() -> None:
    """Split, export, collect, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("split", "export", "collect", "table"))
    parser.add_argument("splits", type=Path, nargs="?", default=Path(), help="the folder of the splits")
    parser.add_argument("rest", nargs="*", help="FOLDER and OUT, as the verb takes them, and the pools")
    options = parser.parse_args()
    everything = list(read_table()["pool"])
    if options.verb == "split":
        make_splits(options.splits, options.rest or everything)
    elif options.verb == "export":
        export(options.splits, Path(options.rest[0]), options.rest[1:] or everything)
    elif options.verb == "collect":
        collect(options.splits, Path(options.rest[0]), Path(options.rest[1]))
    else:
        print_table()


if __name__ == "__main__":
    main()
