"""The template split: no test template occurs in train (Finegan-Dollak et al., 2018; local_structures, §2.1, App. B.1).

A template is a program with the details of one example (names, numbers, strings) as placeholders; its language says
which those are. Templates are taken for testing in random order, each that still fits; train gets the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from recombine.errors import InfeasibleError, OptionError, SizeError
from recombine.options import option
from recombine.splits.simple.clusters import cluster_rows, fill
from recombine.splits.sizes import draw_parts, test_count
from recombine.splits.splitter import Splitter
from recombine.structures.programs.program_graphs import program_graphs
from recombine.structures.programs.templates import template_kind, templates

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from recombine.records.dataset import Dataset

TRIES = 100


@dataclass(frozen=True, kw_only=True)
class TemplateSplitter(Splitter):
    """Programs of one template stay together.

    `k_train` and `k_test` are the most examples of one template that a side keeps; further ones stay unused. With
    `solvable`, templates are divided anew until every symbol of test is in train.

    >>> from recombine.workbench import load
    >>> pairs = [(f"{t} {n}", f"answer ( {t} ( m{n} ) )") for t in ("city", "river", "lake") for n in range(4)]
    >>> TemplateSplitter(test=4, seed=1).split(load(pairs, language="funql")).sizes()
    {'train': 8, 'test': 4}
    """

    k_train: int | None = option(None, "the most train examples of one template")
    k_test: int | None = option(None, "the most test examples of one template")
    solvable: bool = option(False, "divide anew until every symbol of test is in train")

    by: ClassVar[str] = "template"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, most in (("k-train", self.k_train), ("k-test", self.k_test)):
            if most is not None and most < 1:
                raise OptionError(f"--{name} is {most}", "give a count of 1 or more")

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Divide the templates, cap them, then draw; again where the split must be solvable and is not."""
        kind = template_kind(dataset)
        clusters = cluster_rows(templates(dataset))
        if len(clusters) < 2:
            raise SizeError("all programs share one template", "split by another method")
        held = test_count(counts, len(dataset)) + (counts["dev"] or 0)
        symbols = [frozenset(graph.rules) for graph in program_graphs(dataset)] if self.solvable else []
        extra = {
            "templates": kind,
            "k_train": self.k_train,
            "k_test": self.k_test,
            "solvable": self.solvable or None,
        }
        tries = TRIES if self.solvable else 1
        unseen = 0
        parts: dict[str, list[int]] = {}
        for number in range(1, tries + 1):
            capped = [_drawn(rows, self.k_test, generator) for rows in clusters]
            taken = fill([len(rows) for rows in capped], held, generator)
            others = [
                _drawn(rows, self.k_train, generator)
                for rows, tested in zip(clusters, taken, strict=True)
                if not tested
            ]
            train = sorted(row for rows in others for row in rows)
            test = sorted(row for rows, tested in zip(capped, taken, strict=True) if tested for row in rows)
            why = f"{sum(taken)} of {len(taken)} templates for testing"
            parts = draw_parts(train, test, counts, generator, why)
            unseen = _unseen(symbols, parts) if self.solvable else 0
            if not unseen:
                return parts, {**extra, "tries": number if self.solvable else None}
        raise InfeasibleError(
            f"in each of {TRIES} divisions of the templates some test example holds a symbol unseen in train "
            f"({unseen} examples in the last)",
            "use another seed or a smaller test, or leave out --solvable",
            best=self.assemble(dataset, parts, {**extra, "problems": 1}),
        )


def _drawn(rows: list[int], most: int | None, generator: np.random.Generator) -> list[int]:
    """At most `most` of the rows, drawn at random."""
    if most is None or len(rows) <= most:
        return rows
    return [rows[int(place)] for place in generator.permutation(len(rows))[:most]]


def _unseen(symbols: Sequence[frozenset[str]], parts: dict[str, list[int]]) -> int:
    """How many examples outside train hold a symbol that train lacks."""
    seen = frozenset().union(*(symbols[row] for row in parts["train"]))
    return sum(not symbols[row] <= seen for part, rows in parts.items() if part != "train" for row in rows)
