"""Structures are found where they stand: by hand, and as often as the matrix of structures counts them."""

from __future__ import annotations

import pytest

from recombine.datasets.covr_generated import generate
from recombine.languages.covr import COVR
from recombine.pages.difficulty.program_structures import NEIGHBOUR, ProgramStructures
from recombine.pages.drawing.graph import Graph
from recombine.records.example import Example

TEXT = "or ( exists ( find ( dog ) ) , exists ( find ( cat ) ) )"


def test_by_hand() -> None:
    found = ProgramStructures.of([Example.of("", TEXT)], COVR, data="mine", structures="local:3")
    # <s> 0, or 1, exists 2, find 3, dog 4, exists 5, find 6, cat 7
    assert found.graph(0) == Graph(
        ("<s>", "or", "exists", "find", "dog", "exists", "find", "cat"),
        ((0, 1, 1), (1, 2, 1), (2, 3, 1), (3, 4, 1), (1, 5, 2), (5, 6, 1), (6, 7, 1)),
    )
    assert found.occurrences(0, "or > exists") == [(1, 2), (1, 5)]
    assert found.occurrences(0, "exists ~ exists") == [(2, 5)]
    assert found.occurrences(0, "or > (exists ~ exists)") == [(1, 2, 5)]
    assert found.occurrences(0, "exists > find > cat") == [(5, 6, 7)]
    structure = found.structure("or > (exists ~ exists)")
    assert structure.graph() == Graph(("or", "exists", "exists"), ((0, 1, 1), (0, 2, 2)))
    assert structure.pairs(NEIGHBOUR) == [(1, 2)]


def test_consecutive_symbols() -> None:
    found = ProgramStructures.of([Example.of("", TEXT)], COVR, data="mine", structures="ngram:3")
    assert found.occurrences(0, "dog exists") == [(4, 5)]
    assert found.occurrences(0, "exists find") == [(2, 3), (5, 6)]


def test_labels_of_several_words() -> None:
    text = "exists ( with_relation ( scene ( ) , playing with , find ( dog ) ) )"
    found = ProgramStructures.of([Example.of("", text)], COVR, data="mine", tokenisation="published")
    assert found.graph(0).rules == ("<s>", "exists", "with_relation", "scene", "playing", "with", "find", "dog")
    assert found.occurrences(0, "playing ~ find") == [(4, 6)]


@pytest.mark.parametrize(
    "definition", ["local:2", "local:4", "local:3,no-siblings", "local:4,no-parents", "connected:3", "ngram:4"]
)
def test_as_often_as_counted(definition: str) -> None:
    examples = generate(12, seed=4).examples
    found = ProgramStructures.of(examples, COVR, data="covr", structures=definition)
    matrix = found.structures
    for program in range(len(examples)):
        start, end = int(matrix.indptr[program]), int(matrix.indptr[program + 1])
        for column, count in zip(matrix.indices[start:end], matrix.counts[start:end], strict=True):
            assert len(found.occurrences(program, matrix.name(int(column)))) == count
