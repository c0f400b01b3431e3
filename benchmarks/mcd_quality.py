"""Time to quality: how high D_C is after so many seconds of user CPU, by our search and by the papers' procedures.

    python benchmarks/mcd_quality.py lines     measures the figures that are promised, prints each with its target
    python benchmarks/mcd_quality.py settings  final D_C and seconds by the numbers of starts and of basins improved
    python benchmarks/mcd_quality.py patience  final D_C and seconds by patience, on seeds that choose the default
    python benchmarks/mcd_quality.py short     final D_C and seconds of small budgets, by the least moves of a descent
    python benchmarks/mcd_quality.py curves    D_C against seconds: one seed on SCAN, three on GeoQuery
    python benchmarks/mcd_quality.py picture   draws the curves to docs/images/mcd_time.svg

Rows are kept in benchmarks/results/mcd_quality_*.json. Seconds are of user CPU of one process, from the features to the
split, with the kernels compiled and without measuring the result. The data is read from RECOMBINE_DATA.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
from pathlib import Path
from typing import Any

import orjson

import recombine
from recombine.errors import InfeasibleError
from recombine.files import write_whole
from recombine.splits.methods import make_splitter
from recombine.splits.search import exchange

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
PICTURE = ROOT / "docs" / "images" / "mcd_time.svg"
SCAN: dict[str, Any] = {"train": 8365, "test": 1045}
GEOQUERY: dict[str, Any] = {"train": 440, "test": 440}
CHOOSING = range(11, 21)
"""Seeds on which the settings and the patience were chosen."""
SETTINGS: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    "SCAN, compounds of 2–4 nodes": ("scan", "small", "mcd", SCAN),
    "SCAN, compounds of 2–9 nodes": ("scan", "dag:2-9,counts", "mcd", SCAN),
    "GeoQuery, programs": ("geoquery/funql", "tmcd:geoquery", "tmcd", GEOQUERY),
}
LINES: list[tuple[str, str, dict[str, Any], range, float, float]] = [
    ("until .432 under the cap .02", "SCAN, compounds of 2–4 nodes", {"until": 0.432}, range(1, 6), 0.432, 5.0),
    ("until .75", "SCAN, compounds of 2–9 nodes", {"until": 0.75}, range(1, 6), 0.75, 30.0),
    ("the default", "GeoQuery, programs", {}, range(1, 6), 0.40, 0.3),
]
FINAL = ("SCAN, compounds of 2–9 nodes", range(1, 6), 0.757)
PATIENCES = (0.2, 0.4, 1.0)
SEARCHES = ({"STARTS": 20, "BASINS": 3, "patience": 0.3}, {"STARTS": 28, "BASINS": 4, "patience": 0.4})
"""Constants of the search, and the patience with them: the last is the default."""

SMALL_EFFORTS = (0.02, 0.05)
LEAST_MOVES = (0.0, 1.0, 2.0)
"""Moves of a descent for each example: the last is the default."""


class Problem:
    """One data set with its features at hand."""

    def __init__(self, name: str) -> None:
        data, definition, self.by, self.sizes = SETTINGS[name]
        self.name, self.data = name, recombine.load(data)
        self.features = recombine.features(self.data, definition)
        for options in ({"effort": 0.001}, {"published": True}):  # compiles the kernels
            self.run(train=100, test=50, **options)

    def run(self, *, progress: Any = None, **options: Any) -> dict[str, Any]:
        """One split with the seconds that it took, by the clock of the CPU."""
        splitter = make_splitter(self.by, **{**self.sizes, **options}, features=self.features, progress=progress)
        start = os.times().user
        try:
            split = splitter.split(self.data)
        except InfeasibleError as error:
            split = error.best
            assert split is not None
        seconds = os.times().user - start
        found = recombine.measure(self.data, split, structures=self.features)
        values = {key: found[key] for key in ("compound_divergence", "atom_divergence", "unseen_atom_examples")}
        return {"problem": self.name, "seed": options.get("seed", 0), "seconds": round(seconds, 2), **values}

    def curve(self, **options: Any) -> dict[str, Any]:
        """A run with the best D_C so far at each of its seconds."""
        points: list[tuple[float, float]] = []
        start = os.times().user
        row = self.run(
            progress=lambda _, __, value: points.append((round(os.times().user - start, 2), value)), **options
        )
        if self.by == "mcd" and options.get("published"):
            points = []  # sets that still grow are no split of the sizes asked for
        points = [*points, (row["seconds"], row["compound_divergence"])]
        return {**row, "points": points[last_fall(points) :]}


def last_fall(points: list[tuple[float, float]]) -> int:
    """Where the best D_C last falls, or 0: a small test pool was grown to its full size there, and counts from then."""
    return max((place for place in range(1, len(points)) if points[place][1] < points[place - 1][1] - 1e-9), default=0)


def lines() -> list[dict[str, Any]]:
    """The promised figures."""
    rows: list[dict[str, Any]] = []
    for what, name, options, seeds, least, most in LINES:
        problem = Problem(name)
        runs = [problem.run(seed=seed, **options) for seed in seeds]
        rows += [{"line": what, **run} for run in runs]
        worst, slowest = min(run["compound_divergence"] for run in runs), max(run["seconds"] for run in runs)
        median = statistics.median(run["seconds"] for run in runs)
        atoms = max(run["atom_divergence"] for run in runs)
        print(
            f"{name}, {what}: D_C {worst:.4f} at least (target {least}), {slowest:.2f} s at most, "
            f"{median:.2f} s in the median (target {most} s), D_A {atoms:.4f} at most",
            flush=True,
        )
    name, seeds, least = FINAL
    problem = Problem(name)
    runs = [problem.run(seed=seed) for seed in seeds]
    rows += [{"line": "the default", **run} for run in runs]
    median = statistics.median(run["compound_divergence"] for run in runs)
    seconds = statistics.median(run["seconds"] for run in runs)
    print(f"{name}, the default: D_C {median:.4f} in the median (target {least}), {seconds:.1f} s in the median")
    return rows


def settings() -> list[dict[str, Any]]:
    """What more starts and more basins cost and bring, on the seeds that choose them."""
    rows = []
    kept = exchange.STARTS, exchange.BASINS
    for name in list(SETTINGS)[1:]:
        problem = Problem(name)
        for setting in SEARCHES:
            exchange.STARTS, exchange.BASINS = int(setting["STARTS"]), int(setting["BASINS"])
            runs = [{**setting, **problem.run(seed=seed, patience=setting["patience"])} for seed in CHOOSING]
            rows += runs
            print(f"{name}, {setting}: {in_the_median(runs)}", flush=True)
    exchange.STARTS, exchange.BASINS = kept
    return rows


def short() -> list[dict[str, Any]]:
    """What small budgets reach when a descent has so many moves for each example at least, on seeds that choose it."""
    rows = []
    kept = exchange.LEAST_PER_EXAMPLE
    problem = Problem("SCAN, compounds of 2–9 nodes")
    for effort in SMALL_EFFORTS:
        for least in LEAST_MOVES:
            exchange.LEAST_PER_EXAMPLE = least
            runs = [
                {"effort": effort, "least": least, **problem.run(seed=seed, effort=effort)} for seed in CHOOSING[:5]
            ]
            rows += runs
            print(f"effort {effort}, at least {least} moves for each example: {in_the_median(runs)}", flush=True)
    exchange.LEAST_PER_EXAMPLE = kept
    return rows


def in_the_median(runs: list[dict[str, Any]]) -> str:
    """The median D_C and seconds of some runs, in words."""
    median = {key: statistics.median(run[key] for run in runs) for key in ("compound_divergence", "seconds")}
    return f"D_C {median['compound_divergence']:.4f}, {median['seconds']:.2f} s"


def patience() -> list[dict[str, Any]]:
    """What patience costs and saves, on the seeds that choose its default."""
    rows = []
    for name in SETTINGS:
        problem = Problem(name)
        seeds = CHOOSING if problem.by == "tmcd" else CHOOSING[:4]
        for share in PATIENCES:
            runs = [{"patience": share, **problem.run(seed=seed, patience=share)} for seed in seeds]
            rows += runs
            print(f"{name}, patience {share}: {in_the_median(runs)}", flush=True)
    return rows


def curves() -> list[dict[str, Any]]:
    """D_C against seconds: our search as it is by default, and the papers' procedures."""
    rows = []
    for name in SETTINGS:
        problem = Problem(name)
        for seed in (1, 2, 3) if problem.by == "tmcd" else (1,):
            for procedure, options in (("search", {}), ("published", {"published": True})):
                rows.append({"procedure": procedure, "by": problem.by, **problem.curve(seed=seed, **options)})
                print({key: value for key, value in rows[-1].items() if key != "points"}, flush=True)
    return rows


def picture() -> None:
    """The curves as SVG."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "recombine", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot as plt

    kept = orjson.loads((RESULTS / "mcd_quality_curves.json").read_bytes())
    figure, axes = plt.subplots(1, len(SETTINGS), figsize=(10, 3.4), layout="constrained")
    for axis, name in zip(axes, SETTINGS, strict=True):
        mine = [row for row in kept["rows"] if row["problem"] == name]
        for procedure, colour in (("search", "#1f6f8b"), ("published", "#b5502b")):
            runs = [row for row in mine if row["procedure"] == procedure]
            theirs = "NQG's swaps" if runs[0]["by"] == "tmcd" else "the CFQ paper's greedy"
            label = "search" if procedure == "search" else theirs
            for number, row in enumerate(runs):
                seconds, values = zip(*row["points"], strict=True)
                axis.plot(seconds, values, color=colour, linewidth=1.2, label=label if number == 0 else None)
                axis.plot(seconds[-1], values[-1], "o", color=colour, markersize=3)
        axis.set(title=name, xlabel="seconds of user CPU", xscale="log", ylim=(0, None))
        axis.grid(color="#dddddd", linewidth=0.5)
        axis.legend(loc="lower right", frameon=False)
    axes[0].set_ylabel("D_C")
    PICTURE.parent.mkdir(exist_ok=True)
    figure.savefig(PICTURE, format="svg", metadata={"Date": None})


SECTIONS = {"lines": lines, "settings": settings, "patience": patience, "short": short, "curves": curves}


def main() -> None:
    """Run the sections named."""
    names = sys.argv[1:]
    if not names or any(name not in (*SECTIONS, "picture") for name in names):
        sys.exit(__doc__)
    for name in names:
        if name == "picture":
            picture()
            continue
        machine = f"{platform.machine()}, Python {platform.python_version()}"
        record = {"machine": machine, "load": round(os.getloadavg()[0], 1), "rows": SECTIONS[name]()}
        content = orjson.dumps(record, option=orjson.OPT_INDENT_2 if name != "curves" else None)
        write_whole(RESULTS / f"mcd_quality_{name}.json", content + b"\n")


if __name__ == "__main__":
    main()
