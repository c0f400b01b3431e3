"""Parts of programs as features, from flat trees: symbols, downward paths, and sub-trees cut at a depth.

Parts are found as numbers, each distinct program once; the name of a part is written once, however often it occurs.
Paths and sub-trees are written as compounds are: `select(1:.(2:name))`, a child with its argument position before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.structures.features import Features

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.structures.programs.distinct_programs import DistinctPrograms


def symbols(programs: DistinctPrograms, value: str) -> Features:
    """The symbols of each program, by `presence` or `counts`."""
    trees = programs.trees
    return counted_parts(trees.starts, programs.labels, programs.names, programs.which, value)


def symbols_with_arity(programs: DistinctPrograms, value: str) -> Features:
    """The symbols of each program with their numbers of arguments: `loc_2/1`."""
    trees = programs.trees
    width = int(trees.children.max(initial=0)) + 1
    pairs, parts = np.unique(programs.labels * width + trees.children, return_inverse=True)
    names = [f"{programs.names[label]}/{arity}" for label, arity in (divmod(pair, width) for pair in pairs.tolist())]
    return counted_parts(trees.starts, parts, names, programs.which, value)


def paths(programs: DistinctPrograms, low: int, high: int, value: str) -> Features:
    """The downward paths with low to high edges.

    >>> from recombine.structures.programs.flat_trees import FlatTrees
    >>> from recombine.structures.programs.distinct_programs import DistinctPrograms
    >>> from recombine.tree import Tree
    >>> trees = FlatTrees.of([Tree("largest", (Tree("city", (Tree("loc_2"),)),))])
    >>> paths(DistinctPrograms(trees, np.array([0])), 1, 2, "counts").names
    ('city(1:loc_2)', 'largest(1:city(1:loc_2))', 'largest(1:city)')
    """
    from recombine.structures.programs.local_structure_kernels import link_nodes
    from recombine.structures.programs.tree_part_kernels import argument_positions, list_paths

    trees, names = programs.trees, programs.names
    width = int(trees.children.max(initial=0)) + 1
    parents, lefts = link_nodes(trees.starts, trees.children)
    starts, parts, firsts, seconds = list_paths(
        trees.starts, programs.labels, parents, argument_positions(lefts), len(names), width, low, high
    )
    texts = list(names)  # by code: the symbols, then the cells, each after those it holds
    for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True):
        label, slot = divmod(first, width)
        texts.append(f"{names[label]}({slot}:{texts[second]})")
    return counted_parts(starts, parts, texts[len(names) :], programs.which, value)


def subtrees(programs: DistinctPrograms, low: int, high: int, value: str) -> Features:
    """Each node with everything below it down to a depth, for each depth from low to high that it reaches."""
    from recombine.structures.programs.tree_part_kernels import list_subtrees

    trees, names = programs.trees, programs.names
    starts, parts, firsts, seconds = list_subtrees(trees.starts, programs.labels, trees.children, len(names), low, high)
    whole = np.zeros(len(firsts), np.bool_)  # a cell that is only the beginning of others needs no text
    whole[parts] = True
    whole[seconds[seconds >= len(names)] - len(names)] = True
    texts = _chain_texts(firsts.tolist(), seconds.tolist(), names, whole)
    return counted_parts(starts, parts, texts, programs.which, value)


def _chain_texts(firsts: list[int], seconds: list[int], names: Sequence[str], whole: NDArray[np.bool_]) -> list[str]:
    """The texts of the cells that are whole sub-trees, and nothing for the others."""
    texts = [*names, *[""] * len(firsts)]
    for cell in np.flatnonzero(whole).tolist():
        code, inner = len(names) + cell, []
        while code >= len(names):
            inner.append(texts[seconds[code - len(names)]])
            code = firsts[code - len(names)]
        arguments = ", ".join(f"{slot}:{text}" for slot, text in enumerate(reversed(inner), start=1))
        texts[len(names) + cell] = f"{names[code]}({arguments})"
    return texts[len(names) :]


def counted_parts(
    starts: NDArray[np.int64], parts: NDArray[np.int64], texts: Sequence[str], which: NDArray[np.int64], value: str
) -> Features:
    """Features of examples from the parts of distinct programs: by number, with the text of each number.

    Columns are the texts that occur, in their order; which program each example has is `which`.
    """
    from recombine.structures.programs.local_structure_kernels import transpose
    from recombine.structures.programs.tree_part_kernels import count_parts

    occurs = np.zeros(len(texts), np.bool_)
    occurs[parts] = True
    used = np.flatnonzero(occurs).tolist()
    names = tuple(sorted({texts[part] for part in used}))
    place = {name: number for number, name in enumerate(names)}
    number = np.zeros(len(texts), np.int64)
    number[used] = [place[texts[part]] for part in used]
    indptr, indices, counts = count_parts(starts, number[parts], len(names))
    # Transposed twice, the columns of every row ascend.
    indptr, indices, counts = transpose(*transpose(indptr, indices, counts, len(names)), len(starts) - 1)
    data = counts.astype(np.float64) if value == "counts" else np.ones(len(counts))
    return Features(indptr, indices, data, names).taken(which)
