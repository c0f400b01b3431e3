"""Makes and checks all splits by property of COVR's set-ups on questions about scenes, in CPU time.

    recombine generate scenes -n 50000 -o q.jsonl
    python benchmarks/property_splits.py q.jsonl                each set-up: filtered share, the paper's, sizes, CPU s
    python benchmarks/property_splits.py q.jsonl --copies 5     the same of five times as many questions, 250,000
    python benchmarks/property_splits.py q.jsonl --check        with what `check` finds wrong

A copy asks about scenes and things of other names, so that its programs are other programs. Reading the file and
measuring divergences are not part of the time, nor is the first split, which loads compiled code.
"""

from __future__ import annotations

import argparse
import re
import time

import orjson
import pyarrow as pa

from recombine.errors import RecombineError
from recombine.measures.check_split import check_split
from recombine.measures.properties.holds import holds
from recombine.measures.properties.property_table import property_table
from recombine.records.columns import ABOUT
from recombine.records.dataset import Dataset
from recombine.splits.hold_out.property import PropertySplitter
from recombine.structures.dataset_features import extract_atoms
from recombine.structures.definition import Structures
from recombine.workbench import load

_FIND = re.compile(r"find \( ([^()]+) \)")


def copied(dataset: Dataset, copies: int) -> Dataset:
    """So many times the questions, each copy about other scenes and nouns."""
    if copies == 1:
        return dataset

    table = dataset.columns()
    if table is None:
        raise SystemExit(f"{dataset.name} is too small for copies")
    pieces = []
    for copy in range(copies):
        values = {name: table[name].to_pylist() for name in table.column_names}
        values["id"] = [f"{key}-{copy}" for key in values["id"]]
        values["target"] = [_FIND.sub(rf"find ( \1 {copy} )", target) for target in values["target"]]
        values["context"] = [_other_scenes(context, copy, copies) for context in values["context"]]
        pieces.append(pa.table(values, schema=table.schema))
    whole = pa.concat_tables(pieces)
    about = {key: value for key, value in orjson.loads(table.schema.metadata[ABOUT]).items() if key != "hash"}
    return Dataset.of_columns(dataset.name, whole.replace_schema_metadata({ABOUT: orjson.dumps(about)}))


def _other_scenes(context: bytes, copy: int, copies: int) -> bytes:
    values = orjson.loads(context)
    values["images"] = [f"{image} {copy}" for image in values["images"]]
    if values["pair"] is not None:
        values["pair"] = values["pair"] * copies + copy
    return orjson.dumps(values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", default="", help="set-ups whose name holds this")
    given = parser.parse_args()
    dataset = copied(load(given.file, language="scenes"), given.copies)
    PropertySplitter(held_out="has:count").split(dataset)
    atoms = extract_atoms(dataset, Structures.parse(dataset.structures).atoms) if given.check else None
    print(f"{len(dataset):,} questions")
    print(
        f"{'set-up':45} {'here':>6} {'paper':>6} {'M':>4} {'train':>7} {'dev':>6} {'held':>6} {'test':>6} {'CPU s':>6}"
    )
    for name, preset in property_table().presets.items():
        if given.only not in name:
            continue
        start = time.process_time()
        try:
            split = PropertySplitter(held_out=name).split(dataset)
        except RecombineError as error:
            print(f"{name:45} {error}")
            continue
        seconds = time.process_time() - start
        filtered, of = map(int, split.signature.get("filtered").split("/"))
        few, sizes = split.signature.get("few_shot") or "0", split.sizes()
        counts = " ".join(
            f"{sizes.get(part, 0):{width}}"
            for part, width in zip(("train", "dev", "dev_held", "test"), (7, 6, 6, 6), strict=True)
        )
        print(f"{name:45} {filtered / of:6.1%} {preset.paper or 0:6.1%} {few:>4} {counts} {seconds:6.2f}", flush=True)
        if given.check:
            report = check_split(dataset, split, atoms=atoms)
            print(f"    check: {'; '.join(report['problems']) or 'no problems'}")
    start = time.process_time()
    mask = holds(dataset, "has:num:3 | ans:3")
    print(f"has:num:3 | ans:3 holds of {mask.sum():,}, asked in {time.process_time() - start:.2f} s of CPU")


if __name__ == "__main__":
    main()
