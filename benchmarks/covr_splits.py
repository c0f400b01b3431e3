"""COVR's published grammar splits with training sets of our own, for the benchmarks on difficulty.

The training sets of the paper were never published. Here they are drawn from one pool of distinct programs that the
grammar makes: for each split, 3,000 that hold none of its held-out pairs of rules. The pool is what 60,000 draws leave
when repeats are dropped, a number that gives training sets about as many templates as the paper's (1,469 on average,
with seed 0; 1,510 in its Table 10). The test instances are the published ones, 25 of each split, and 500 drawn from the
pool's held-out side.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from recombine.data_directory import data_file
from recombine.evaluation.difficulty.correctness import Correctness
from recombine.grammars.rule_pairs import find_pairs
from recombine.grammars.synchronous.notation import packaged_synchronous
from recombine.grammars.synchronous.sample import iter_samples
from recombine.languages.covr import COVR, parse_covr
from recombine.languages.functional import anonymise_functional
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.seeds import make_generator
from recombine.structures.programs.program_arrays import ProgramArrays, program_arrays

DRAWS = 60_000
TRAIN, TEST = 3_000, 500
MODELS = {"BART": "bart", "BART-L": "bart_large", "T5": "t5", "T5-L": "t5_large"}
"""The names of the models in the predictions, and in the table of splits."""


def _lines(relative: str) -> list[Any]:
    return [
        orjson.loads(line) for line in gzip.decompress(data_file(relative, "this benchmark").read_bytes()).splitlines()
    ]


@dataclass(frozen=True)
class CovrSplits:
    """Programs (the pool, then the published instances), and what each split holds out."""

    pool: list[str]
    published: list[dict[str, Any]]
    splits: dict[str, dict[str, Any]]
    held: dict[str, NDArray[np.bool_]]
    """Which programs of the pool each split holds out."""

    @cached_property
    def trees(self) -> list[Any]:
        """The trees of all programs."""
        return [parse_covr(text) for text in (*self.pool, *(row["target"] for row in self.published))]

    @cached_property
    def arrays(self) -> ProgramArrays:
        """The programs in the published tokenisation."""
        return program_arrays(self.trees, tokenisation="published")

    @cached_property
    def templates(self) -> NDArray[np.int64]:
        """A number for the template of each program."""
        number: dict[Any, int] = {}
        return np.array([number.setdefault(anonymise_functional(tree), len(number)) for tree in self.trees], np.int64)

    @cached_property
    def names(self) -> list[str]:
        """The split of each published instance."""
        return [str(row["split"]) for row in self.published]

    @cached_property
    def instances(self) -> dict[str, NDArray[np.int64]]:
        """The rows of the published instances of each split."""
        names = np.array(self.names)
        return {split: len(self.pool) + np.flatnonzero(names == split) for split in self.splits}

    def train(self, split: str, seed: int, number: int = TRAIN) -> NDArray[np.int64]:
        """A training set of one split."""
        return _drawn(np.flatnonzero(~self.held[split]), number, seed, int(split))

    def test(self, split: str, seed: int) -> NDArray[np.int64]:
        """Test programs of one split from the pool."""
        return _drawn(np.flatnonzero(self.held[split]), TEST, seed, 1000 + int(split))

    def correctness(self) -> Correctness:
        """What the four models got right."""
        table = np.array([[row["pred"][name]["correct"] for name in MODELS] for row in self.published])
        return Correctness(tuple(map(str, range(len(table)))), tuple(MODELS), table)

    def accuracies(self) -> list[float]:
        """The published mean accuracy of the four models on each split."""
        return [float(np.mean([row[name] for name in MODELS.values()])) for row in self.splits.values()]

    def dataset(self) -> Dataset:
        """All programs as a data set, for measures."""
        texts = (*self.pool, *(row["target"] for row in self.published))
        examples = tuple(Example(str(number), "", text) for number, text in enumerate(texts))
        return Dataset("covr pool", examples, language=COVR)


def _drawn(rows: NDArray[np.int64], number: int, seed: int, stream: int) -> NDArray[np.int64]:
    generator = make_generator(100_000 * seed + stream)
    return np.sort(generator.choice(rows, min(number, len(rows)), replace=False))


def load_covr(*, seed: int = 0, draws: int = DRAWS) -> CovrSplits:
    """The published splits with a pool of this seed."""
    grammar = packaged_synchronous("covr")
    rules: dict[str, frozenset[str]] = {}
    for sample in islice(iter_samples(grammar, seed=seed), draws):
        if sample.target not in rules:
            rules[sample.target] = frozenset(grammar.derivation(sample.term).rules)
    published = _lines("covr_text/predictions.jsonl.gz")
    splits = json.loads(data_file("covr_text/grammar_splits.json", "this benchmark").read_text())  # it holds a NaN
    held = {}
    for name, row in splits.items():
        pairs = find_pairs(grammar, row["combos"])
        held[name] = np.array([pairs.holds(some) for some in rules.values()])
        for instance in published:
            if str(instance["split"]) == name and not pairs.holds(
                grammar.derivation(grammar.parse(instance["target"])).rules
            ):
                raise ValueError(f"a published instance of split {name} is not held out: {instance['target']}")
    return CovrSplits(list(rules), published, splits, held)
