"""What more effort buys: D_C and seconds of maximum compound divergence splits at efforts of 1, 4 and 16.

    python benchmarks/effort.py [NAME ...]   makes what is not stored yet, of all data sets or of those named
    python benchmarks/effort.py bound        says how high D_C can be on samples of GeoQuery, and stores it
    python benchmarks/effort.py table        prints the tables of docs/splits.md from what is stored

Every split is made on its own, so that no effort is below a smaller one is measured, and checked for each seed. Of data
sets of more than 2,000 examples a random sample is split, which is drawn by the seed 0. Seconds are of user CPU of one
process, from the features to the split, with the kernels compiled. Rows go to benchmarks/results/effort.json one by
one. The data is read from RECOMBINE_DATA.
"""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import orjson

import recombine
from recombine.errors import InfeasibleError
from recombine.files import write_whole
from recombine.splits.methods import make_splitter

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "effort.json"
EFFORTS = (1, 4, 16)
SEEDS = range(1, 11)
SAMPLES = (20, 30, 40, 60, 120, 880)
"""Examples of GeoQuery whose highest D_C is bounded."""


class Problem(NamedTuple):
    """How a data set is split."""

    data: str
    by: str
    structures: str | None
    examples: int
    train: int
    test: int


PROBLEMS = (
    Problem("geoquery/funql", "tmcd", "tmcd:geoquery", 880, 440, 440),
    Problem("spider/ssp", "tmcd", None, 2000, 1500, 500),
    Problem("atis", "tmcd", None, 2000, 1500, 500),
    Problem("overnight", "tmcd", None, 2000, 1500, 500),
    Problem("covr/text", "tmcd", None, 2000, 1500, 500),
    Problem("scan", "mcd", None, 2000, 800, 100),
)


def sampled(problem: Problem) -> recombine.Dataset:
    """The data set, or a random sample of it."""
    data = recombine.load(problem.data)
    if len(data) <= problem.examples:
        return data
    places = np.sort(np.random.default_rng(0).permutation(len(data))[: problem.examples])
    return data.restricted([data.ids[place] for place in places])


def stored() -> dict[str, list[dict[str, Any]]]:
    """The rows that were made, of efforts and of bounds."""
    kept: dict[str, list[dict[str, Any]]] = {"rows": [], "bounds": []}
    return kept | (orjson.loads(RESULTS.read_bytes()) if RESULTS.exists() else {})


def keep(kept: dict[str, list[dict[str, Any]]]) -> None:
    """Write all rows."""
    content = {**kept, "machine": f"{platform.machine()}, Python {platform.python_version()}"}
    write_whole(RESULTS, orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")


def make(problem: Problem, kept: dict[str, list[dict[str, Any]]]) -> None:
    """Make and store the rows of a data set that are not there."""
    rows = kept["rows"]
    made = {(row["data"], row["seed"], row["effort"]) for row in rows}
    left = [(seed, effort) for seed in SEEDS for effort in EFFORTS if (problem.data, seed, effort) not in made]
    if not left:
        return
    data = sampled(problem)
    features = recombine.features(data, problem.structures)
    given: dict[str, Any] = {"features": features, "structures": str(features.structures)}
    compiled = {**given, "train": 100, "test": 50, "effort": 0.001, "max_atom_divergence": 1.0}
    make_splitter(problem.by, **compiled).split(data)  # compiles the kernels
    for seed, effort in left:
        splitter = make_splitter(problem.by, train=problem.train, test=problem.test, seed=seed, effort=effort, **given)
        start = os.times().user
        split = splitter.split(data)
        seconds = os.times().user - start
        found = recombine.measure(data, split, structures=features)
        row = {
            "data": problem.data,
            "by": problem.by,
            "examples": len(data),
            "seed": seed,
            "effort": effort,
            "d_c": found["compound_divergence"],
            "d_a": found["atom_divergence"],
            "unseen": found["unseen_atom_examples"],
            "seconds": round(seconds, 2),
            "restarts": split.measured.get("restarts"),
            "signature": str(split.signature),
        }
        rows.append(row)
        keep(kept)
        print({name: row[name] for name in ("data", "seed", "effort", "d_c", "seconds")}, flush=True)


def check(rows: list[dict[str, Any]]) -> None:
    """Fail where an effort gave less than a smaller one."""
    found = {(row["data"], row["seed"], row["effort"]): row["d_c"] for row in rows}
    for (data, seed, effort), value in found.items():
        for smaller in EFFORTS[: EFFORTS.index(effort)]:
            if (data, seed, smaller) in found and value < found[data, seed, smaller]:
                raise AssertionError(f"{data}, seed {seed}: effort {effort} gave less than {smaller}")


def table(rows: list[dict[str, Any]]) -> str:
    """What each effort reaches on each data set, over the seeds."""
    lines = [
        "| data, examples | method | " + " | ".join(f"effort {effort}" for effort in EFFORTS) + " | gain | seconds |",
        "| --- | --- |" + " ---: |" * (len(EFFORTS) + 2),
    ]
    for problem in PROBLEMS:
        mine = [row for row in rows if row["data"] == problem.data]
        by_effort = {effort: [row for row in mine if row["effort"] == effort] for effort in EFFORTS}
        if not all(len(each) == len(SEEDS) for each in by_effort.values()):
            continue
        cells = [_over([row["d_c"] for row in each]) for each in by_effort.values()]
        ends = [{row["seed"]: row["d_c"] for row in by_effort[effort]} for effort in (EFFORTS[0], EFFORTS[-1])]
        gains = [ends[1][seed] - ends[0][seed] for seed in SEEDS]
        seconds = " / ".join(f"{median(row['seconds'] for row in each):.1f}" for each in by_effort.values())
        lines.append(
            f"| `{problem.data}`, {mine[0]['examples']:,} | `{problem.by}`, {problem.train:,} / {problem.test:,} | "
            f"{' | '.join(cells)} | {_over(gains)} | {seconds} |"
        )
    return "\n".join(lines)


def _over(values: list[float]) -> str:
    return f"{median(values):.4f} ({min(values):.4f} to {max(values):.4f})"


def bounds(kept: dict[str, list[dict[str, Any]]]) -> None:
    """Bound D_C on samples of GeoQuery, of an even train and test."""
    kept["bounds"] = []
    for examples in SAMPLES:
        problem = PROBLEMS[0]._replace(examples=examples)
        data = sampled(problem)
        features = recombine.features(data, problem.structures)
        test = examples // 2
        given: dict[str, Any] = {"features": features, "structures": str(features.structures), "seed": 1, "effort": 16}
        made = make_splitter(problem.by, train=examples - test, test=test, bound=True, **given)
        try:
            found = made.split(data)
        except InfeasibleError as error:
            print(examples, error)
            continue
        programs = len({example.target for example in data})
        row = {"examples": examples, "programs": programs, "bound": found.measured["bound"]}
        row |= {"d_c": found.measured["restarts"]["best"], "signature": str(found.signature)}
        kept["bounds"].append(row)
        print(kept["bounds"][-1], flush=True)
        keep(kept)


def bounds_table(kept: dict[str, list[dict[str, Any]]]) -> str:
    """What no split exceeds, beside what the search reached."""
    lines = ["| examples | different programs | D_C at effort 16 | no split exceeds |", "| ---: | ---: | ---: | ---: |"]
    for row in kept["bounds"]:
        bound = row["bound"]
        most = f"{bound['d_c']:.4f}" + (", exact" if bound["exact"] else "")
        lines.append(f"| {row['examples']} | {row['programs']} | {row['d_c']:.4f} | {most} |")
    return "\n".join(lines)


def main() -> None:
    """Make the rows, check them and print the table."""
    names = sys.argv[1:]
    known = [problem.data for problem in PROBLEMS]
    if any(name not in (*known, "bound", "table") for name in names):
        sys.exit(__doc__)
    kept = stored()
    for problem in PROBLEMS:
        if not names or problem.data in names:
            make(problem, kept)
    if "bound" in names:
        bounds(kept)
    check(kept["rows"])
    print(table(kept["rows"]), bounds_table(kept), sep="\n\n")


if __name__ == "__main__":
    main()
