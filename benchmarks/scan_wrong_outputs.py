"""What wrong outputs on SCAN are like beside gold, from the stored cells of a study: length, direction, jumps.

    python benchmarks/scan_wrong_outputs.py scan_published_splits fewshot filler_num0
    python benchmarks/scan_wrong_outputs.py scan_primitives addprim_jump --each

Counts the wrong outputs of each model on the splits whose names begin with one of these words: shorter, as long or
longer than gold; of those that are as long, how many have a left turn in the place of a right one; and how many have
fewer, as many or more actions I_JUMP. `--each` says it of each cell. No model is run.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import recombine
from recombine.records.dataset import Dataset
from recombine.studies.cells.read_record import read_record, read_rows
from recombine.studies.cells.stored_cells import iter_records

RESULTS = Path(__file__).parent.parent / "studies" / "results"
LENGTHS = ("shorter", "as long", "longer")
JUMPS = ("fewer jumps", "as many jumps", "more jumps")
LEFT, RIGHT, JUMP = "I_TURN_LEFT", "I_TURN_RIGHT", "I_JUMP"


def kinds(gold: str, output: str) -> Iterator[str]:
    """What a wrong output is, beside gold.

    >>> list(kinds("I_TURN_RIGHT I_JUMP", "I_TURN_LEFT I_JUMP"))
    ['as long', 'left for right', 'as many jumps']
    """
    expected, given = gold.split(), output.split()
    yield LENGTHS[1 + (len(given) > len(expected)) - (len(given) < len(expected))]
    if len(given) == len(expected) and any(pair == (RIGHT, LEFT) for pair in zip(expected, given, strict=True)):
        yield "left for right"
    more = given.count(JUMP) - expected.count(JUMP)
    yield JUMPS[1 + (more > 0) - (more < 0)]


def iter_counts(study: str, splits: Sequence[str], data: Dataset, *, each: bool) -> Iterator[tuple[str, Counter[str]]]:
    """Each model, or cell, with the kinds of its wrong outputs on these splits."""
    counts: dict[str, Counter[str]] = {}
    for path in iter_records(RESULTS / study):
        record = read_record(path)
        name = record["split"]["name"]
        if record["state"] != "done" or not name.startswith(tuple(splits)):
            continue
        mine = counts.setdefault(record["name"] if each else record["model"]["name"], Counter())
        for row in read_rows(path.with_suffix(".jsonl.gz")):
            mine["right" if row["correct"] else "wrong"] += 1
            if not row["correct"]:
                mine.update(kinds(data[row["id"]].target, row["prediction"]))
    yield from sorted(counts.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study")
    parser.add_argument("splits", nargs="+")
    parser.add_argument("--each", action="store_true")
    given = parser.parse_args()
    data = recombine.load("scan")
    for name, counts in iter_counts(given.study, given.splits, data, each=given.each):
        print(f"{name}: {counts['right']:,} right, {counts['wrong']:,} wrong:")
        print("  " + ", ".join(f"{counts[kind]:,} {kind}" for kind in (*LENGTHS, "left for right", *JUMPS)))


if __name__ == "__main__":
    main()
