"""What tells how hard a split is? Measures of the splits of panel.py beside a model's exact match; an estimate of it.

    python benchmarks/hardness/predict.py measure     measured values → results/predict.json, results/hints.json.gz
    python benchmarks/hardness/predict.py fit         of these: the tables, and the package's calibration.toml
    python benchmarks/hardness/predict.py table       prints what is in results/predict.json

`measure` needs the pools' data (RECOMBINE_DATA) and some four minutes of one core; `fit` some seconds. Real CFQ is the
sixth pool where RECOMBINE_DATA has cfq/hardness_trial.json.gz: splits of MCD1's train and dev, with SPARQL as targets.

The estimate is a logistic of a few hints about each test example, averaged over a split (`measures/expected`). It is
fitted with equal weight on each pool and on each split of a pool; published splits are estimated and never fitted. In
the figures of a left-out pool the weights and the interval are made of the other pools alone. The four hints of the
package (CHOSEN) were chosen on all pools; what it costs to choose them without the left-out pool is a figure too, for
two ways to choose: the best set with one hint of each kind, and one hint after the other.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import panel
from numpy.typing import NDArray
from scipy.stats import rankdata

import recombine
from recombine.data_directory import data_directory
from recombine.easiness.easiness import EasinessRule
from recombine.easiness.predict_difficulty import read_arrays
from recombine.files import read_bytes, write_whole
from recombine.measures.divergence import divergence
from recombine.measures.expected.calibration import FILE, logistic
from recombine.measures.expected.hints import NAMES, Texts, as_long, hints, unseen_columns
from recombine.measures.patterns import pattern_coverage
from recombine.structures.definition import local_definition
from recombine.structures.features import Features
from recombine.structures.local_structures import local_structures
from recombine.workbench.features import find_features

Array = NDArray[np.float64]
RESULTS = panel.RESULTS
POOLS = ("scan", "covr", "geoquery", "atis", "spider", "geography")
CFQ = "cfq/hardness_trial.json.gz"
PROGRAM_KINDS = (
    "tree:2-2,counts",
    "tree:2-4,weighted",
    "subtree:1-2,counts",
    "path:1-2,counts",
    "sequence:2-4,presence",
    "sequence:3-6,presence",
)
RULE_KINDS = ("dag:2-4,weighted", "line:2-6,weighted")
TEXT_KINDS = ("words:3-6,presence",)
RUNS = {"question": (1, 2, 3, 4, 6), "program": (1, 2, 3, 4, 5, 6, 8)}
MOST = 1000
"""How many test examples of a split the model is fitted on, evenly spaced."""
FEW = 150
"""How many of these the choice of hints looks at."""
RIDGE = 0.003
STEPS = 4
BETTER = 0.003
"""What a further hint has to take from the mean error of left-out pools to be taken."""
RESAMPLES = 1000


# -- the pools --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trained:
    """A split with what a model got right of its test part."""

    name: str
    role: str
    train: NDArray[np.int64]
    test: NDArray[np.int64]
    right: Array
    """For each test example the share of seeds that are right."""


def iter_pools() -> Iterator[tuple[str, recombine.Dataset, list[Trained]]]:
    """Each pool that has runs, with its splits."""
    for name in POOLS:
        place = RESULTS / f"{name}.json"
        if not place.exists():
            continue
        made = panel.stored(RESULTS / "splits", name)["splits"]
        splits = []
        for key, row in json.loads(place.read_text())["splits"].items():
            if "right" in row:
                rows = panel.rows_of(made[key]["sides"])
                splits.append(trained(key, row["role"], rows["train"], rows["test"], [row["right"]]))
        yield name, panel.read_pool(name).data, splits
    place = data_directory() / CFQ
    if place.exists():
        yield ("cfq", *read_cfq(place))


def trained(name: str, role: str, train: Sequence[int], test: Sequence[int], bits: Sequence[str]) -> Trained:
    """A split with right and wrong as texts of 1 and 0, one for each seed."""
    right = np.mean([[float(bit) for bit in each] for each in bits], axis=0)
    return Trained(name, role, np.array(train, np.int64), np.array(test, np.int64), right)


def read_cfq(place: Path) -> tuple[recombine.Dataset, list[Trained]]:
    """MCD1's train and dev as pairs, and the splits of them that were trained on, without the published one."""
    pairs: list[tuple[str, str]] = []
    for part in ("train", "dev"):
        for line in read_bytes(place.parent / f"mcd1_{part}.tsv.gz").decode().splitlines():
            source, target = line.split("\t")
            pairs.append((source, target))
    splits = []
    for name, row in json.loads(gzip.decompress(place.read_bytes()))["splits"].items():
        if name != "published":
            rest = np.setdiff1d(np.arange(len(pairs)), row["test"])
            splits.append(trained(name, "made", rest.tolist(), row["test"], row["right"]))
    return recombine.load(pairs, language="sparql"), splits


# -- measures ---------------------------------------------------------------------------------------------------------


def run_features(texts: Sequence[str], size: int) -> Features:
    """The distinct runs of so many words of each text; a text of fewer words is one run."""
    place: dict[tuple[str, ...], int] = {}
    rows = []
    for text in texts:
        words = text.split()
        found = {tuple(words[at : at + size]) for at in range(max(1, len(words) - size + 1))}
        rows.append(sorted(place.setdefault(run, len(place)) for run in found))
    indptr = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    flat = np.array([column for row in rows for column in row], np.int32)
    return Features(indptr, flat, np.ones(len(flat)), range(len(place)))  # type: ignore[arg-type]


class Pool:
    """What the measures of a pool's splits share."""

    def __init__(self, name: str, data: recombine.Dataset) -> None:
        self.data, self.large = data, len(data) > 50_000
        self.texts = {"question": data.texts("source"), "program": data.texts("target")}
        self.lengths = {side: np.array([len(t.split()) for t in texts]) for side, texts in self.texts.items()}
        found = find_features(data, None)
        assert found is not None
        self.default = found
        self.kinds = {"default": found.compounds}
        wanted = [(kind, kind) for kind in TEXT_KINDS]
        if data.language is not None:
            kinds = PROGRAM_KINDS[:1] if self.large else PROGRAM_KINDS
            wanted += [(kind, f"atoms=symbols,presence;compounds={kind}") for kind in kinds]
        if data[0].derivation is not None:
            wanted += [(kind, kind) for kind in RULE_KINDS]
        for kind, definition in wanted:
            made = find_features(data, definition)
            assert made is not None
            self.kinds[kind] = made.compounds
        self.pieces = {
            f"{side} {size}": run_features(texts, size)
            for side, texts in self.texts.items()
            for size in RUNS[side]
            if not self.large or size in (2, 3, 4, 6, 8)
        }
        self.rules = {}
        if data.language is not None:
            arrays = read_arrays(data.part(range(len(data))), data.language, data=name, tokenisation="tree")
            for order in (2,) if self.large else (2, 3, 4):
                self.rules[order] = EasinessRule(local_structures(arrays, local_definition(f"local:{order}")))

    def values(self, split: Trained) -> tuple[dict[str, float], dict[str, Array]]:
        """The measures of a split by name, and candidate hints about its test examples."""
        train, test = split.train, split.test
        values: dict[str, float] = {}
        about: dict[str, Array] = {}
        for kind, features in self.kinds.items():
            values[f"D_C {kind}"] = divergence(features, train.tolist(), test.tolist(), alpha=0.1)
        kinds = np.array([values[f"D_C {kind}"] for kind in self.kinds if kind != "default"])
        values["D_C minimum"], values["D_C product"] = float(kinds.min()), float(kinds.prod() ** (1 / len(kinds)))
        values["D_C soft minimum"] = float(np.mean(kinds**-2.0 if kinds.all() else [np.inf]) ** -0.5)
        for kind, features in (*self.kinds.items(), *self.pieces.items()):
            of_kind = counted_in_train(features, train, test)
            values |= {f"{key}: {kind}": value for key, value in of_kind[0].items()}
            if kind == "default" or kind in self.pieces:
                about |= {f"{key}: {kind}": column for key, column in of_kind[1].items()}
        for order, rule in self.rules.items():
            values[f"easiness {order}"] = float(rule.fit(train).predict(test).scores.mean())
        for side, which in (("question", "source"), ("program", "target")):
            collapse, texts = self.data.pattern(which).collapse, self.texts[side]
            parts = ([collapse(texts[row]) for row in rows] for rows in (train, test))
            values[f"patterns covered: {side}"] = pattern_coverage(*parts)
            shown, asked = np.sort(self.lengths[side][train]), self.lengths[side][test]
            most = float(np.quantile(shown, 0.95))
            values[f"length test/train: {side}"] = float(np.log(asked.mean() / shown.mean()))
            values[f"longer than 95 %: {side}"] = float((asked > most).mean())
            near = np.searchsorted(shown, asked + 2, "right") - np.searchsorted(shown, asked - 2, "left")
            longer = as_long([texts[row] for row in train], [texts[row] for row in test])
            lengths = {
                "train of like length": np.log2(1 + near),
                "train as long": np.log2(1 + longer),
                "over 95 %": (asked > most).astype(float),
                "length to mean": np.log(np.maximum(asked, 1) / shown.mean()),
            }
            about |= {f"{key}: {side}": column for key, column in lengths.items()}
            values |= {
                f"{key}: {side}": float(lengths[key].mean()) for key in ("train of like length", "train as long")
            }
        values["nearest in train"] = nearest(self.pieces["program 2"], train, test[:: max(1, len(test) // 200)])
        return values, about


def counted_in_train(features: Features, train: Array, test: Array) -> tuple[dict[str, float], dict[str, Array]]:  # type: ignore[type-arg]
    """What train lacks of the columns of test, and how often it shows them: of the split, and of each example."""
    held, rows = features.held(train), features.taken(test)
    counts = held[rows.indices]
    owners, sizes = np.repeat(np.arange(len(test)), np.diff(rows.indptr)), np.diff(rows.indptr)
    unseen = np.bincount(owners, weights=counts == 0, minlength=len(test))
    mean = np.bincount(owners, weights=np.log2(1 + counts), minlength=len(test)) / np.maximum(sizes, 1)
    rarest = np.full(len(test), np.log2(1 + len(train)))
    np.minimum.at(rarest, owners, np.log2(1 + counts))
    mass = rows.data.sum()
    values = {
        "examples with unseen": float((unseen > 0).mean()),
        "mass unseen": float(rows.data[counts == 0].sum() / mass) if mass else 0.0,
        "mean log count": float(mean.mean()),
        "rarest log count": float(rarest.mean()),
        "examples with rare": float((rarest < np.log2(6)).mean()),
    }
    about = {
        "unseen": np.log2(1 + unseen),
        "share unseen": unseen / np.maximum(sizes, 1),
        "any unseen": (unseen > 0).astype(float),
        "mean log count": mean,
        "rarest log count": rarest,
    }
    return values, about


def nearest(features: Features, train: Array, test: Array) -> float:  # type: ignore[type-arg]
    """The mean, over some test examples, of the greatest Jaccard similarity to a train example."""
    matrix = features.matrix()
    shown, asked = matrix[train], matrix[test]
    sizes, total = np.diff(shown.indptr), 0.0
    for row in range(len(test)):
        both = np.asarray((shown @ asked[row].T).todense()).ravel()
        total += float(np.max(both / (sizes + asked[row].nnz - both)))
    return total / len(test)


def measure() -> None:
    """Measure all splits, choose hints, and store both with the chosen hints of the test examples."""
    record: dict[str, Any] = {"pools": {}}
    kept: dict[str, Any] = {"names": list(NAMES), "pools": {}}
    candidates: dict[str, dict[str, Array]] = {}
    rights: dict[tuple[str, str], Array] = {}
    for name, data, splits in iter_pools():
        pool = Pool(name, data)
        record["pools"][name] = {"compounds": str(pool.default.structures.compounds), "splits": {}}
        kept["pools"][name] = {}
        for split in splits:
            values, about = pool.values(split)
            record["pools"][name]["splits"][split.name] = {
                "role": split.role,
                "train": len(split.train),
                "test": len(split.test),
                "accuracy": round(float(split.right.mean()), 5),
                "values": {key: round(value, 5) for key, value in values.items()},
            }
            some = spaced(len(split.test), MOST)
            parts = [
                Texts(*([pool.texts[side][row] for row in rows] for side in ("question", "program")))
                for rows in (split.train, split.test[some])
            ]
            compounds = unseen_columns(pool.default.compounds, split.train.tolist(), split.test[some].tolist())
            columns = hints(*parts, compounds).T
            kept["pools"][name][split.name] = {
                "right": np.round(split.right[some], 3).tolist(),
                "hints": [[round(each, 4) for each in column] for column in columns.tolist()],
            }
            if split.role == "made":
                few = some[spaced(len(some), FEW)]
                candidates[f"{name}/{split.name}"] = {key: column[few] for key, column in about.items()}
                rights[name, split.name] = split.right[few]
        print(f"{name}: {len(splits)} splits", flush=True)
    record["tried"] = choose(record, candidates, rights)
    write(RESULTS / "hints.json.gz", kept)
    write(RESULTS / "predict.json", record)


def spaced(size: int, most: int) -> NDArray[np.int64]:
    """Positions that are evenly spaced, all where there are no more than `most`."""
    return np.unique(np.linspace(0, size - 1, min(size, most)).astype(np.int64))


# -- the model --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """Hints about test examples, their answers, and which split and pool each is of."""

    columns: Array
    right: Array
    splits: NDArray[np.int64]
    pools: NDArray[np.str_]
    """Of each split."""
    accuracy: Array
    """Of each split, over all of its test examples."""

    def weights(self) -> Array:
        """Equal for each pool, and within a pool for each split."""
        sizes = np.bincount(self.splits)[self.splits]
        number = {pool: int((self.pools == pool).sum()) for pool in set(self.pools.tolist())}
        weights = 1 / sizes / np.array([number[pool] for pool in self.pools])[self.splits]
        return np.asarray(weights / weights.mean())

    def of(self, pools: set[str]) -> Table:
        """The same of some pools."""
        stays = np.isin(self.pools, sorted(pools))
        number = np.cumsum(stays) - 1
        rows = stays[self.splits]
        splits = number[self.splits[rows]]
        return Table(self.columns[rows], self.right[rows], splits, self.pools[stays], self.accuracy[stays])

    def taking(self, columns: Sequence[int]) -> Table:
        """The same with some of the columns."""
        return Table(self.columns[:, columns], self.right, self.splits, self.pools, self.accuracy)


def fitted(table: Table) -> Array:
    """The constant and the weights of a logistic model, by Newton's method, with a small ridge."""
    mean, spread = table.columns.mean(axis=0), table.columns.std(axis=0) + 1e-9
    x = np.column_stack((np.ones(len(table.right)), (table.columns - mean) / spread))
    weights, found = table.weights(), np.zeros(x.shape[1])
    ridge = np.diag([0.0, *[RIDGE * len(x)] * (x.shape[1] - 1)])
    for _ in range(30):
        p = logistic(x @ found)
        slope = x.T @ (weights * (table.right - p)) - ridge @ found
        curve = (x * (weights * np.maximum(p * (1 - p), 1e-4))[:, None]).T @ x + ridge
        step = np.clip(np.linalg.solve(curve, slope), -2, 2)
        found = found + step
        if np.abs(step).max() < 1e-6:
            break
    found[1:] /= spread
    found[0] -= found[1:] @ mean
    return found


def predicted(model: Array, table: Table) -> Array:
    """The expected accuracy of each split."""
    p = logistic(model[0] + table.columns @ model[1:])
    return np.asarray(np.bincount(table.splits, weights=p) / np.bincount(table.splits))


def left_out(table: Table) -> Array:
    """The expected accuracy of each split by a model of the other pools."""
    names = set(table.pools.tolist())
    found = np.zeros(len(table.pools))
    for pool in sorted(names):
        found[table.pools == pool] = predicted(fitted(table.of(names - {pool})), table.of({pool}))
    return found


def error(found: Array, table: Table) -> float:
    """The mean over pools of the mean absolute error over their splits."""
    names = sorted(set(table.pools.tolist()))
    return float(np.mean([np.abs(found - table.accuracy)[table.pools == pool].mean() for pool in names]))


def offsets(found: Array, table: Table) -> tuple[float, float]:
    """Between which ends 80 % of accuracy less its estimate lie, each pool with equal weight."""
    off = table.accuracy - found
    number = {pool: int((table.pools == pool).sum()) for pool in set(table.pools.tolist())}
    weights = np.array([1 / number[pool] for pool in table.pools])
    order = np.argsort(off, kind="stable")
    share = (np.cumsum(weights[order]) - weights[order] / 2) / weights.sum()
    low, high = np.interp([0.1, 0.9], share, off[order])
    return float(low), float(high)


def forward(table: Table, names: Sequence[str]) -> list[tuple[list[str], float]]:
    """Sets of hints, each with one more, of least error of left-out pools; the first is one of length."""
    chosen: list[int] = []
    log: list[tuple[list[str], float]] = []
    for step in range(STEPS):
        tried = [
            (error(left_out(table.taking([*chosen, at])), table), at)
            for at, name in enumerate(names)
            if at not in chosen and (step > 0 or name.split(":")[0] in LENGTHS)
        ]
        least, at = min(tried)
        if log and log[-1][1] - least < BETTER:
            break
        chosen.append(at)
        log.append(([names[each] for each in chosen], least))
    return log


def one_of_each(table: Table, names: Sequence[str]) -> list[str]:
    """The set of least error of left-out pools among all that have one hint of each kind."""
    sets = itertools.product(*KINDS_OF_HINTS)
    return list(min(sets, key=lambda s: (error(left_out(table.taking([names.index(each) for each in s])), table), s)))


KINDS_OF_HINTS = (
    [f"{what}: program" for what in ("train as long", "over 95 %", "length to mean")],
    [f"{what}: question {size}" for what in ("unseen", "share unseen") for size in (2, 3, 4)],
    [f"{what}: program {size}" for what in ("unseen", "share unseen") for size in (4, 6, 8)],
    ["unseen: default", "share unseen: default"],
)
LENGTHS = ("train of like length", "train as long", "over 95 %", "length to mean")


def choose(record: dict[str, Any], candidates: dict[str, dict[str, Array]], rights: Any) -> dict[str, Any]:
    """What the choice of hints comes to, from all pools and inside of each left-out pool."""
    keys = list(candidates)
    names = sorted(set.intersection(*(set(each) for each in candidates.values())))
    columns = np.concatenate([np.stack([candidates[key][name] for name in names], axis=1) for key in keys])
    right = np.concatenate([rights[tuple(key.split("/", 1))] for key in keys])
    splits = np.repeat(np.arange(len(keys)), [len(rights[tuple(key.split("/", 1))]) for key in keys])
    pools = np.array([key.split("/")[0] for key in keys])
    accuracy = np.array([record["pools"][p]["splits"][k]["accuracy"] for p, k in (key.split("/", 1) for key in keys)])
    table = Table(columns, right, splits, pools, accuracy)
    tried: dict[str, Any] = {"candidates": names, "all": [], "inside": {}, "sets": []}
    tried["all"] = [{"hints": found, "error": round(e, 4)} for found, e in forward(table, names)]
    tried["one of each kind"] = one_of_each(table, names)
    everything = set(pools.tolist())
    for pool in sorted(everything):
        others = table.of(everything - {pool})
        ways = {"one of each kind": one_of_each(others, names), "step by step": forward(others, names)[-1][0]}
        tried["inside"][pool] = {}
        for way, hints_of in ways.items():
            at = [names.index(name) for name in hints_of]
            here = table.taking(at).of({pool})
            found = predicted(fitted(others.taking(at)), here)
            tried["inside"][pool][way] = {
                "hints": hints_of,
                "error": round(float(np.abs(found - here.accuracy).mean()), 4),
                "r2": round(squared(found, here.accuracy), 3),
                "rho": round(ranked(found, here.accuracy), 3),
            }
        print(f"without {pool}: {tried['inside'][pool]}", flush=True)
    for hints_of in SETS:
        at = [names.index(name) for name in hints_of]
        found = left_out(table.taking(at))
        by_pool = sorted(everything)
        tried["sets"].append(
            {
                "hints": hints_of,
                "error": round(error(found, table), 4),
                "r2": round(median_of(squared, found, table), 3),
                "rho": round(median_of(ranked, found, table), 3),
                "pools": {p: round(float(np.abs(found - accuracy)[pools == p].mean()), 4) for p in by_pool},
            }
        )
    return tried


CHOSEN = ["train as long: program", "share unseen: question 3", "unseen: program 8", "unseen: default"]
"""The hints of the package, under the names that candidates have here."""
SETS = [
    CHOSEN,
    CHOSEN[:3],
    [*CHOSEN[:2], CHOSEN[3]],
    [CHOSEN[0], *CHOSEN[2:]],
    CHOSEN[1:],
    [*CHOSEN, "length to mean: question"],
    [*CHOSEN[:2], "unseen: program 6", CHOSEN[3]],
    ["over 95 %: program", *CHOSEN[1:]],
    [CHOSEN[0], "any unseen: question 3", "any unseen: program 8", "any unseen: default"],
    [CHOSEN[0], "rarest log count: question 3", "rarest log count: program 8", "rarest log count: default"],
]


# -- figures ----------------------------------------------------------------------------------------------------------


def squared(x: Array, y: Array) -> float:
    """R², the square of the correlation; 0 where one does not vary."""
    if np.ptp(x) < 1e-12 or np.ptp(y) < 1e-12:
        return 0.0
    return float(np.corrcoef(x, y)[0, 1] ** 2)


def ranked(x: Array, y: Array) -> float:
    """Spearman's rank correlation; 0 where one does not vary."""
    if np.ptp(x) < 1e-12 or np.ptp(y) < 1e-12:
        return 0.0
    return float(np.corrcoef(rankdata(x), rankdata(y))[0, 1])


def median_of(figure: Any, found: Array, table: Table) -> float:
    """The median over pools of a figure within each."""
    names = sorted(set(table.pools.tolist()))
    return float(np.median([figure(found[table.pools == p], table.accuracy[table.pools == p]) for p in names]))


def stored_table(record: dict[str, Any], kept: dict[str, Any], role: str) -> tuple[Table, list[tuple[str, str]]]:
    """The chosen hints of all splits of a role."""
    keys = [(p, k) for p in kept["pools"] for k in kept["pools"][p] if record["pools"][p]["splits"][k]["role"] == role]
    stored = [kept["pools"][pool][key] for pool, key in keys]
    columns = np.concatenate([np.array(each["hints"]).T for each in stored])
    right = np.concatenate([each["right"] for each in stored])
    splits = np.repeat(np.arange(len(keys)), [len(each["right"]) for each in stored])
    accuracy = np.array([record["pools"][pool]["splits"][key]["accuracy"] for pool, key in keys])
    return Table(columns, right, splits, np.array([pool for pool, _ in keys]), accuracy), keys


def of_splits(record: dict[str, Any], keys: Sequence[tuple[str, str]], names: Sequence[str], table: Table) -> Table:
    """A table with one row a split, of measured values."""
    rows = [[record["pools"][pool]["splits"][key]["values"][name] for name in names] for pool, key in keys]
    return Table(np.array(rows), table.accuracy, np.arange(len(keys)), table.pools, table.accuracy)


LENGTH_VALUES = [
    f"{what}: {side}" for what in ("length test/train", "longer than 95 %") for side in ("question", "program")
]


def calibration(record: dict[str, Any], kept: dict[str, Any]) -> dict[str, Any]:
    """What calibration.toml says, of all pools."""
    table, keys = stored_table(record, kept, "made")
    model, off = fitted(table), left_out(table)
    means = np.stack([np.bincount(table.splits, weights=column) for column in table.columns.T], axis=1)
    means /= np.bincount(table.splits)[:, None]
    trains = [record["pools"][pool]["splits"][key]["train"] for pool, key in keys]
    return {
        "constant": round(float(model[0]), 4),
        "weights": {name: round(float(weight), 4) for name, weight in zip(NAMES, model[1:], strict=True)},
        "interval": [round(end, 4) for end in offsets(off, table)],
        "compounds": sorted({record["pools"][pool]["compounds"] for pool, _ in keys}),
        "train": [min(trains), max(trains)],
        "ranges": {
            name: [round(float(column.min()), 4), round(float(column.max()), 4)]
            for name, column in zip(NAMES, means.T, strict=True)
        },
        "rests_on": {
            "pools": sorted(set(table.pools.tolist())),
            "splits": len(keys),
            "left_out_error": round(error(off, table), 3),
        },
    }


def toml_text(values: dict[str, Any]) -> str:
    """The file of a calibration."""
    lines = ["# Written by benchmarks/hardness/predict.py, of benchmarks/hardness/results."]
    lines += [f"{key} = {json.dumps(value)}" for key, value in values.items() if not isinstance(value, dict)]
    for key, inner in values.items():
        if isinstance(inner, dict):
            lines += ["", f"[{key}]", *(f"{name} = {json.dumps(value)}" for name, value in inner.items())]
    return "\n".join(lines) + "\n"


def bootstrapped(columns: dict[str, Array], table: Table) -> dict[str, Any]:
    """The model less each other measure: medians over pools, with 95 % intervals over resampled splits."""
    rng = np.random.default_rng(0)
    groups = [np.flatnonzero(table.pools == pool) for pool in sorted(set(table.pools.tolist()))]

    def medians(rows: Sequence[NDArray[np.int64]]) -> dict[str, tuple[float, float]]:
        return {
            name: (
                float(np.median([squared(found[at], table.accuracy[at]) for at in rows])),
                float(np.median([ranked(found[at], table.accuracy[at]) for at in rows])),
            )
            for name, found in columns.items()
        }

    drawn = [medians([rng.choice(at, len(at)) for at in groups]) for _ in range(RESAMPLES)]
    here, compared = medians(groups), {}
    for other in [name for name in columns if name != "model"]:
        for at, figure in enumerate(("r2", "rho")):
            differences = [each["model"][at] - each[other][at] for each in drawn]
            low, high = np.quantile(differences, [0.025, 0.975])
            difference = here["model"][at] - here[other][at]
            compared[f"{figure} less {other}"] = [round(float(each), 3) for each in (difference, low, high)]
    return compared


def fit() -> None:
    """The calibration, and every figure, of what is stored."""
    record = json.loads((RESULTS / "predict.json").read_text())
    kept = json.loads(read_bytes(RESULTS / "hints.json.gz"))
    values = calibration(record, kept)
    write_whole(FILE, toml_text(values).encode())
    table, keys = stored_table(record, kept, "made")
    pools = sorted(set(table.pools.tolist()))
    off = left_out(table)
    default = of_splits(record, keys, ["D_C default"], table)
    lengths = of_splits(record, keys, LENGTH_VALUES, table)
    others = np.array(
        [np.mean([table.accuracy[table.pools == q].mean() for q in pools if q != p]) for p in table.pools]
    )
    compared = {"model": off, "D_C default": 1 - default.columns[:, 0], "lengths alone": left_out(lengths)}
    guesses = {
        "model": off,
        "D_C default": left_out(default),
        "lengths alone": left_out(lengths),
        "other pools": others,
    }
    record["model"] = {
        **values,
        "pools": {p: figures_of(p, table, compared, guesses) for p in pools},
        "medians": {
            name: [round(median_of(squared, found, table), 3), round(median_of(ranked, found, table), 3)]
            for name, found in compared.items()
        },
        "errors": {name: round(error(found, table), 4) for name, found in guesses.items()},
        "differences": bootstrapped(compared, table),
    }
    for pool in pools:
        record["model"]["pools"][pool]["inside"] = round(covered(pool, table), 3)
    record["singles"] = singles(record, keys, table)
    for (pool, key), value in zip(keys, off, strict=True):
        record["pools"][pool]["splits"][key]["left_out"] = round(float(value), 4)
    published, published_keys = stored_table(record, kept, "published")
    for (pool, key), at in zip(published_keys, itertools.count()):
        model = fitted(table.of(set(pools) - {pool}))
        value = predicted(model, published)[at]
        record["pools"][pool]["splits"][key]["left_out"] = round(float(value), 4)
    write(RESULTS / "predict.json", record)
    print_table()


def figures_of(pool: str, table: Table, compared: dict[str, Array], guesses: dict[str, Array]) -> dict[str, Any]:
    """R² and rank correlation within a pool, and errors where it is left out."""
    at = table.pools == pool
    truth = table.accuracy[at]
    return {
        "splits": int(at.sum()),
        "r2": {name: round(squared(found[at], truth), 3) for name, found in compared.items()},
        "rho": {name: round(ranked(found[at], truth), 3) for name, found in compared.items()},
        "error": {name: round(float(np.abs(found[at] - truth).mean()), 4) for name, found in guesses.items()},
    }


def covered(pool: str, table: Table) -> float:
    """The share of a left-out pool's splits inside of intervals that the other pools give."""
    names = set(table.pools.tolist())
    others, here = table.of(names - {pool}), table.of({pool})
    low, high = offsets(left_out(others), others)
    off = here.accuracy - predicted(fitted(others), here)
    return float(((off >= low) & (off <= high)).mean())


def singles(record: dict[str, Any], keys: Sequence[tuple[str, str]], table: Table) -> dict[str, Any]:
    """R² and rank correlation with accuracy of every measure, within each pool that has it."""
    names: dict[str, None] = {}
    for pool, key in keys:
        names |= dict.fromkeys(record["pools"][pool]["splits"][key]["values"])
    found = {}
    for name in names:
        of_pool = {}
        for pool in sorted(set(table.pools.tolist())):
            pairs = [
                (record["pools"][p]["splits"][k]["values"].get(name), y)
                for (p, k), y in zip(keys, table.accuracy, strict=True)
                if p == pool
            ]
            if all(value is not None for value, _ in pairs):
                x, y = np.array(pairs).T
                of_pool[pool] = [round(squared(x, y), 3), round(ranked(x, y), 3)]
        if len(of_pool) >= 3:
            middle = np.median(np.array(list(of_pool.values())), axis=0).round(3).tolist()
            found[name] = {"median": middle, "pools": of_pool}
    return found


def write(place: Path, value: dict[str, Any]) -> None:
    """Write JSON, whole; packed where the name says so."""
    packed = place.suffix == ".gz"
    text = json.dumps(value, indent=None if packed else 1, ensure_ascii=False) + "\n"
    write_whole(place, text.encode())


def print_table() -> None:
    """Print the measures that tell most, and the model beside what it has to beat."""
    record = json.loads((RESULTS / "predict.json").read_text())
    model = record["model"]
    pools = list(model["pools"])
    ordered = sorted(record["singles"].items(), key=lambda each: (-each[1]["median"][0], each[0]))
    shown = [name for name, row in ordered if len(row["pools"]) == len(pools)][:8] + SHOWN
    print(f"{'R2 / rank correlation':35}", *(f"{pool:>11}" for pool in ["median", *pools]))
    for name in dict.fromkeys(shown):
        row = record["singles"][name]
        print(f"{name:35}", *(f"{cell(each):>11}" for each in [row["median"], *map(row["pools"].get, pools)]))
    for name in ("model", "lengths alone"):
        rows = [[model["pools"][pool][figure][name] for figure in ("r2", "rho")] for pool in pools]
        print(f"{name + ', pool left out':35}", *(f"{cell(each):>11}" for each in [model["medians"][name], *rows]))
    print(f"\n{'error in points, pool left out':35}", *(f"{pool:>11}" for pool in ["mean", *pools]))
    for name, mean in model["errors"].items():
        rows = [model["pools"][pool]["error"][name] for pool in pools]
        print(f"{name:35}", *(f"{100 * each:11.1f}" for each in [mean, *rows]))
    inside = [model["pools"][pool]["inside"] for pool in pools]
    print(f"{'inside of the 80 % interval, %':35}", *(f"{100 * each:11.0f}" for each in [np.mean(inside), *inside]))
    for way in ("one of each kind", "step by step"):
        rows = [record["tried"]["inside"][pool][way]["error"] for pool in pools]
        print(f"{'hints chosen too, ' + way:35}", *(f"{100 * each:11.1f}" for each in [np.mean(rows), *rows]))
    print("\nmodel less others, medians over pools, 95 % intervals over splits")
    for name, (difference, low, high) in model["differences"].items():
        print(f"  {name:28} {difference:+.2f} ({low:+.2f} to {high:+.2f})")


SHOWN = [
    "D_C default",
    "D_C minimum",
    "D_C product",
    "D_C soft minimum",
    "easiness 2",
    "examples with unseen: default",
    "mass unseen: question 3",
    "mass unseen: program 2",
    "nearest in train",
    "patterns covered: program",
    "train of like length: program",
    "length test/train: program",
    "longer than 95 %: program",
]


def cell(found: Sequence[float] | None) -> str:
    """R² and rank correlation in a table."""
    return "–" if found is None else f"{found[0]:.2f}/{found[1]:+.2f}"


def main() -> None:
    """Measure, fit, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("measure", "fit", "table"))
    {"measure": measure, "fit": fit, "table": print_table}[parser.parse_args().verb]()


if __name__ == "__main__":
    main()
