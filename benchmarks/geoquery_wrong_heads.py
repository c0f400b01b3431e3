"""What the wrong outputs of NQG on the length split of GeoQuery are like, from cells of studies/geoquery_encoders.toml.

    python benchmarks/geoquery_wrong_heads.py [--split length_1] [--json]

A form of GeoQuery begins with `answer` and has it nowhere else. A scorer that sees one rule at a time can put a rule
that brings `answer` below another that does, or leave it to one that does not. No model is run and no data is read.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from recombine.studies.cells.read_record import read_record, read_rows
from recombine.studies.cells.stored_cells import iter_records

RESULTS = Path(__file__).parent.parent / "studies" / "results" / "geoquery_encoders"
HEAD = re.compile(r"\banswer \(")
KINDS = ("right", "no output", "wrong, answer missing or inside", "wrong otherwise")


def kind(prediction: str, correct: bool) -> str:
    """What an output is.

    >>> kind("population_1 ( m0 )", False), kind("answer ( answer ( m0 ) )", False), kind("answer ( m0 )", False)
    ('wrong, answer missing or inside', 'wrong, answer missing or inside', 'wrong otherwise')
    """
    if not prediction:
        return "no output"
    if correct:
        return "right"
    well_headed = prediction.startswith("answer (") and len(HEAD.findall(prediction)) == 1
    return "wrong otherwise" if well_headed else "wrong, answer missing or inside"


def iter_counts(split: str) -> Iterator[tuple[str, Counter[str]]]:
    """Each model with the kinds of its outputs on a split, over its seeds."""
    counts: dict[str, Counter[str]] = {}
    for path in sorted(iter_records(RESULTS)):
        record = read_record(path)
        if record["split"]["name"] == split and record["state"] == "done":
            rows = read_rows(path.with_suffix(".jsonl.gz"))
            counts.setdefault(record["model"]["name"], Counter()).update(
                kind(row["prediction"], row["correct"]) for row in rows
            )
    yield from sorted(counts.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", default="length_1")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    counts = dict(iter_counts(given.split))
    if given.json:
        print(json.dumps({model: {name: each[name] for name in KINDS} for model, each in counts.items()}, indent=2))
        return
    print(f"{'':22}" + "".join(f"{name:>34}" for name in KINDS))
    for model, each in counts.items():
        print(f"{model:22}" + "".join(f"{each[name]:>34}" for name in KINDS))


if __name__ == "__main__":
    main()
