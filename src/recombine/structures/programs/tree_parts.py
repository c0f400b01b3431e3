"""Parts of programs as features, from flat trees: symbols, downward paths, and sub-trees cut at a depth.

Parts are found as numbers, each distinct program once; the name of a part is written once, however often it occurs.
Paths and sub-trees are written as compounds are: `select(1:.(2:name))`, a child with its argument position before it.
All of it is numpy: compiled kernels take longer to load than small data takes here, and gain little on large.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec

import numpy as np

from recombine.structures.features import Features

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from recombine.structures.programs.distinct_programs import DistinctPrograms

_LARGEST_KEY = 1 << 62
BLOCK = 1 << 16
"""The distinct programs whose parts are found together."""
Options = ParamSpec("Options")


def by_blocks(
    count: Callable[Concatenate[DistinctPrograms, Options], Features],
) -> Callable[Concatenate[DistinctPrograms, Options], Features]:
    """What counts parts of programs, made to take some programs at a time: its arrays are many times its result.

    The columns of what it gives are in the order of their names, and so are those of all blocks together.
    """

    @wraps(count)
    def counted(programs: DistinctPrograms, /, *options: Options.args, **named: Options.kwargs) -> Features:
        if len(programs.trees) <= BLOCK:
            return count(programs, *options, **named)
        starts = range(0, len(programs.trees), BLOCK)
        blocks = [count(programs.block(start, start + BLOCK), *options, **named) for start in starts]
        return joined_rows(blocks).taken(programs.which)

    return counted


@by_blocks
def symbols(programs: DistinctPrograms, value: str) -> Features:
    """The symbols of each program, by `presence` or `counts`."""
    return counted_parts(programs.trees.owners(), programs.labels, programs.names, programs.which, value)


@by_blocks
def symbols_with_arity(programs: DistinctPrograms, value: str) -> Features:
    """The symbols of each program with their numbers of arguments: `loc_2/1`."""
    trees = programs.trees
    width = int(trees.children.max(initial=0)) + 1
    parts, labels, arities = interned_pairs(programs.labels, trees.children, width)
    names = [f"{programs.names[label]}/{n}" for label, n in zip(labels.tolist(), arities.tolist(), strict=True)]
    return counted_parts(trees.owners(), parts, names, programs.which, value)


@by_blocks
def paths(programs: DistinctPrograms, low: int, high: int, value: str) -> Features:
    """The downward paths with low to high edges.

    >>> from recombine.structures.programs.flat_trees import FlatTrees
    >>> from recombine.structures.programs.distinct_programs import DistinctPrograms
    >>> from recombine.tree import Tree
    >>> trees = FlatTrees.of([Tree("largest", (Tree("city", (Tree("loc_2"),)),))])
    >>> paths(DistinctPrograms(trees, np.array([0])), 1, 2, "counts").names
    ('city(1:loc_2)', 'largest(1:city(1:loc_2))', 'largest(1:city)')
    """
    trees, names, labels = programs.trees, programs.names, programs.labels
    width = int(trees.children.max(initial=0)) + 1
    parents, places = trees.linked()
    # Of every path that goes on upwards: its program, its uppermost node, and its number among those of its length.
    owners, tops, codes = trees.owners(), np.arange(len(labels)), labels
    tails: Sequence[str] = names
    listed = _ListedParts()
    for edges in range(1, high + 1):
        longer = parents[tops] >= 0
        owners, tops = owners[longer], tops[longer]
        above = parents[tops]
        heads = labels[above] * width + places[tops]
        codes, firsts, seconds = interned_pairs(heads, codes[longer], max(len(tails), 1))
        tails = [
            f"{names[first // width]}({first % width}:{tails[second]})"
            for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True)
        ]
        if edges >= low:
            listed.add(owners, codes, tails)
        tops = above
    return listed.counted(programs.which, value)


@by_blocks
def subtrees(programs: DistinctPrograms, low: int, high: int, value: str) -> Features:
    """Each node with everything below it down to a depth, for each depth from low to high that it reaches.

    >>> from recombine.structures.programs.flat_trees import FlatTrees
    >>> from recombine.structures.programs.distinct_programs import DistinctPrograms
    >>> from recombine.tree import Tree
    >>> trees = FlatTrees.of([Tree("largest", (Tree("city", (Tree("loc_2"),)),))])
    >>> subtrees(DistinctPrograms(trees, np.array([0])), 1, 2, "counts").names
    ('city(1:loc_2)', 'largest(1:city(1:loc_2))', 'largest(1:city)')
    """
    trees = programs.trees
    owners, parents = trees.owners(), trees.linked()[0]
    children = _Children(programs)
    codes, texts = programs.labels, list(programs.names)  # what each node is when cut at the last depth
    reach = np.ones(len(codes), np.bool_)  # which nodes have something at that depth below them
    listed = _ListedParts()
    for depth in range(1, high + 1):
        above = parents[reach]
        reach = np.zeros(len(codes), np.bool_)
        reach[above[above >= 0]] = True
        inner = np.flatnonzero(reach)
        states = children.states(inner, codes, len(texts))
        _, firsts, numbers = np.unique(states, return_index=True, return_inverse=True)
        written = [children.text(node, codes, texts) for node in inner[firsts].tolist()]
        if depth >= low:
            listed.add(owners[inner], numbers, written)
        codes = codes.copy()
        codes[inner] = len(texts) + numbers
        texts += written
    return listed.counted(programs.which, value)


class _Children:
    """The children of every node, in order."""

    def __init__(self, programs: DistinctPrograms) -> None:
        trees = programs.trees
        parents, places = trees.linked()
        self.names, self.labels, self.counts = programs.names, programs.labels, trees.children
        self.begins = np.cumsum(trees.children) - trees.children
        below = np.flatnonzero(parents >= 0)
        self.nodes = np.empty(len(below), np.int64)
        self.nodes[self.begins[parents[below]] + places[below] - 1] = below

    def states(self, inner: NDArray[np.int64], codes: NDArray[np.int64], width: int) -> NDArray[np.int64]:
        """A number for each of these nodes, equal where the symbols and the codes of all children are."""
        states = self.labels[inner]
        used = len(self.names)
        for place in range(int(self.counts[inner].max(initial=0))):
            more = np.flatnonzero(self.counts[inner] > place)
            child = self.nodes[self.begins[inner[more]] + place]
            numbers, firsts, _ = interned_pairs(states[more], codes[child], width)
            states[more] = used + numbers
            used += len(firsts)
        return states

    def text(self, node: int, codes: NDArray[np.int64], texts: Sequence[str]) -> str:
        """A node with its children as their codes are written."""
        first = int(self.begins[node])
        below = codes[self.nodes[first : first + int(self.counts[node])]].tolist()
        inner = ", ".join(f"{place}:{texts[code]}" for place, code in enumerate(below, start=1))
        return f"{self.names[int(self.labels[node])]}({inner})"


class _ListedParts:
    """Occurrences of parts: the program and the number of each, and the texts by number."""

    def __init__(self) -> None:
        self.owners: list[NDArray[np.int64]] = []
        self.parts: list[NDArray[np.int64]] = []
        self.texts: list[str] = []

    def add(self, owners: NDArray[np.int64], parts: NDArray[np.int64], texts: Sequence[str]) -> None:
        """Further occurrences, of parts that have numbers of their own."""
        self.owners.append(owners)
        self.parts.append(parts + len(self.texts))
        self.texts.extend(texts)

    def counted(self, which: NDArray[np.int64], value: str) -> Features:
        """All of them as features."""
        return counted_parts(np.concatenate(self.owners), np.concatenate(self.parts), self.texts, which, value)


def joined_rows(blocks: Sequence[Features]) -> Features:
    """The rows of several features whose columns are in the order of their names, one after the other.

    >>> both = joined_rows([Features.from_rows([{"a": 1, "c": 2}]), Features.from_rows([{"b": 3, "c": 1}])])
    >>> both.names, both.row(1)
    (('a', 'b', 'c'), {'b': 3.0, 'c': 1.0})
    """
    names = tuple(sorted({name for block in blocks for name in block.names}))
    place = {name: number for number, name in enumerate(names)}
    lengths = np.concatenate([np.diff(block.indptr) for block in blocks])
    columns = [np.array([place[name] for name in block.names], np.int32)[block.indices] for block in blocks]
    indptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
    return Features(indptr, np.concatenate(columns), np.concatenate([block.data for block in blocks]), names)


def interned_pairs(
    firsts: NDArray[np.int64], seconds: NDArray[np.int64], width: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """A number for each pair, equal pairs alike, and both halves by number; no second is as large as the width.

    >>> [part.tolist() for part in interned_pairs(np.array([7, 2, 7]), np.array([1, 0, 1]), 2)]
    [[1, 0, 1], [2, 7], [0, 1]]
    """
    largest = int(firsts.max(initial=0))
    if largest >= _LARGEST_KEY // width:
        distinct, places = np.unique(firsts, return_inverse=True)
        numbers, ranks, others = interned_pairs(places, seconds, width)
        return numbers, distinct[ranks], others
    keys = firsts * width + seconds
    span = (largest + 1) * width
    if span <= 8 * len(keys):  # a table of all keys that could be is quicker than sorting those that are
        occurs = np.zeros(span, np.bool_)
        occurs[keys] = True
        used = np.flatnonzero(occurs)
        number = np.empty(span, np.int64)
        number[used] = np.arange(len(used))
        numbers = number[keys]
    else:
        used, numbers = np.unique(keys, return_inverse=True)
    return numbers, used // width, used % width


def counted_parts(
    owners: NDArray[np.int64], parts: NDArray[np.int64], texts: Sequence[str], which: NDArray[np.int64], value: str
) -> Features:
    """Features of examples from the parts of distinct programs: the program and the number of each occurrence.

    Columns are the texts that occur, in their order; which program each example has is `which`.
    """
    occurs = np.zeros(len(texts), np.bool_)
    occurs[parts] = True
    used = np.flatnonzero(occurs).tolist()
    names = tuple(sorted({texts[part] for part in used}))
    place = {name: number for number, name in enumerate(names)}
    number = np.zeros(len(texts), np.int64)
    number[used] = [place[texts[part]] for part in used]
    width = max(len(names), 1)
    keys = np.sort(owners * width + number[parts])
    firsts = np.flatnonzero(np.diff(keys, prepend=-1))
    data = np.diff(firsts, append=len(keys)).astype(np.float64) if value == "counts" else np.ones(len(firsts))
    rows, columns = np.divmod(keys[firsts], width)
    lengths = np.bincount(rows, minlength=int(which.max(initial=-1)) + 1)
    indptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
    return Features(indptr, columns.astype(np.int32), data, names).taken(which)
