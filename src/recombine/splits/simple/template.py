"""The template split: no test template occurs in train (Finegan-Dollak et al., 2018; local_structures, §2.1, App. B.1).

A template is a program with the details of one example (names, numbers, strings) as placeholders; its language says
which those are. Templates are taken for testing in random order, each that still fits, so that test has the size that
was asked for and large templates are rarer in it than small ones; train gets the others. With a share of templates
each has the same chance, as in the paper, and sizes come out as they do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from recombine.errors import InfeasibleError, OptionError, SizeError
from recombine.options import option
from recombine.splits.simple.clusters import cluster_numbers, cluster_rows, fill
from recombine.splits.sizes import draw_rows, test_count
from recombine.splits.splitter import Splitter
from recombine.structures.programs.program_graphs import program_graphs
from recombine.structures.programs.templates import template_kind, templates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.records.dataset import Dataset

TRIES = 100


@dataclass(frozen=True, kw_only=True)
class TemplateSplitter(Splitter):
    """Programs of one template stay together.

    `k_train` and `k_test` are the most examples of one template that a side keeps; further ones stay unused. With
    `solvable`, templates are divided anew until every symbol of test is in train. `test_templates` is the share of
    templates that is held out, drawn uniformly; dev and test are then drawn from all their examples, test being what
    dev leaves where it has no size.

    >>> from recombine.workbench import load
    >>> pairs = [(f"{t} {n}", f"answer ( {t} ( m{n} ) )") for t in ("city", "river", "lake") for n in range(4)]
    >>> TemplateSplitter(test=4, seed=1).split(load(pairs, language="funql")).sizes()
    {'train': 8, 'test': 4}
    >>> TemplateSplitter(test_templates=0.7, seed=1).split(load(pairs, language="funql")).sizes()
    {'train': 4, 'test': 8}
    """

    k_train: int | None = option(None, "the most train examples of one template")
    k_test: int | None = option(None, "the most test examples of one template")
    test_templates: float | None = option(
        None,
        "the share of templates to hold out, drawn uniformly; sizes of parts then come of it, or are drawn from it",
    )
    solvable: bool = option(False, "divide anew until every symbol of test is in train")

    by: ClassVar[str] = "template"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, most in (("k-train", self.k_train), ("k-test", self.k_test)):
            if most is not None and most < 1:
                raise OptionError(f"--{name} is {most}", "give a count of 1 or more")
        if self.test_templates is not None and not 0 < self.test_templates < 1:
            raise OptionError(f"--test-templates is {self.test_templates}", "give a share between 0 and 1")

    def choose(
        self, dataset: Dataset, counts: dict[str, int | None], generator: np.random.Generator
    ) -> tuple[dict[str, list[int]], dict[str, object]]:
        """Divide the templates, cap them, then draw; again where the split must be solvable and is not."""
        kind, numbers = template_kind(dataset), cluster_numbers(templates(dataset))
        symbols = [frozenset(graph.rules) for graph in program_graphs(dataset)] if self.solvable else []
        parts, extra, unseen = self.choose_rows(numbers, kind, counts, generator, symbols)
        listed = {name: rows.tolist() for name, rows in parts.items()}
        if not unseen:
            return listed, extra
        raise InfeasibleError(
            f"in each of {TRIES} divisions of the templates some test example holds a symbol unseen in train "
            f"({unseen} examples in the last)",
            "use another seed or a smaller test, or leave out --solvable",
            best=self.assemble(dataset, listed, {**extra, "problems": 1}),
        )

    def choose_rows(
        self,
        numbers: NDArray[np.int64],
        kind: str | None,
        counts: dict[str, int | None],
        generator: np.random.Generator,
        symbols: Sequence[frozenset[str]] = (),
    ) -> tuple[dict[str, NDArray[np.int64]], dict[str, object], int]:
        """The same of the number of each example's template, and for `solvable` of its symbols.

        The last value is how many test examples hold an unseen symbol in the last of all tries.
        """
        sizes = np.bincount(numbers)
        if len(sizes) < 2:
            raise SizeError("all programs share one template", "split by another method")
        held = 0 if self.test_templates is not None else test_count(counts, len(numbers)) + (counts["dev"] or 0)
        extra: dict[str, object] = {
            "templates": kind,
            "k_train": self.k_train,
            "k_test": self.k_test,
            "test_templates": self.test_templates,
            "solvable": self.solvable or None,
        }
        clusters = cluster_rows(numbers) if self.k_train is not None or self.k_test is not None else None
        tries = TRIES if self.solvable else 1
        unseen = 0
        parts: dict[str, NDArray[np.int64]] = {}
        for number in range(1, tries + 1):
            test_rows, test_sizes = _capped(clusters, self.k_test, sizes, generator)
            share = self.test_templates
            taken = fill(test_sizes, held, generator) if share is None else _drawn(len(sizes), share, generator)
            train_rows, _ = _capped(clusters, self.k_train, sizes, generator, ~taken)
            tested = taken[numbers]
            train = np.flatnonzero(~tested if train_rows is None else ~tested & train_rows)
            test = np.flatnonzero(tested if test_rows is None else tested & test_rows)
            why = f"{np.count_nonzero(taken)} of {len(taken)} templates for testing"
            parts = draw_rows(train, test, counts, generator, why)
            unseen = _unseen(symbols, parts) if self.solvable else 0
            if not unseen:
                return parts, {**extra, "tries": number if self.solvable else None}, 0
        return parts, extra, unseen


def _drawn(number: int, share: float, generator: np.random.Generator) -> NDArray[np.bool_]:
    """Which templates are held out: a share of them, each with the same chance."""
    held = int(share * number + 0.5)
    if not 0 < held < number:
        side = "test" if held == 0 else "train"
        raise SizeError(f"a share of {share} of {number} templates leaves none for {side}", "give another share")
    taken = np.zeros(number, np.bool_)
    taken[generator.permutation(number)[:held]] = True
    return taken


def _capped(
    clusters: Sequence[NDArray[np.int64]] | None,
    most: int | None,
    sizes: NDArray[np.int64],
    generator: np.random.Generator,
    wanted: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.bool_] | None, NDArray[np.int64]]:
    """Which rows stay where a cluster keeps so many, drawn at random, and the sizes then; none where all stay.

    `wanted` says which clusters are drawn from at all.
    """
    if most is None or clusters is None:
        return None, sizes
    stays = np.ones(int(sizes.sum()), np.bool_)
    for number in np.flatnonzero(sizes > most) if wanted is None else np.flatnonzero(wanted & (sizes > most)):
        rows = clusters[int(number)]
        stays[rows] = False
        stays[rows[generator.permutation(len(rows))[:most]]] = True
    return stays, np.minimum(sizes, most)


def _unseen(symbols: Sequence[frozenset[str]], parts: dict[str, NDArray[np.int64]]) -> int:
    """How many examples outside train hold a symbol that train lacks."""
    seen = frozenset().union(*(symbols[row] for row in parts["train"]))
    return sum(not symbols[row] <= seen for part, rows in parts.items() if part != "train" for row in rows)
