"""Programs as flat arrays: the nodes of many trees, in program order, each tree under a root `<s>`.

Symbols are interned to integers in the order of their text. A node knows its parent and the sibling to its left, which
is all that local structures need. How labels become symbols is the tokenisation: `tree` takes the labels of the
language's tree as they are; `published` divides a label of several words, as the `local_structures` release does
(`functional.published_tree`), so that `playing with` is `playing` with the child `with`, and `scene()` is `scene`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import UnknownNameError
from recombine.languages.functional import published_tree
from recombine.structures.programs.distinct_programs import distinct_programs
from recombine.structures.programs.flat_trees import FlatTrees
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.structures.programs.distinct_programs import DistinctPrograms

ROOT = "<s>"
TOKENISATIONS = ("tree", "published")


@dataclass(frozen=True)
class ProgramArrays:
    """Nodes of all programs, one after another; the first node of each program is its root `<s>`.

    >>> arrays = program_arrays([Tree("count", (Tree("find", (Tree("dog"),)),))])
    >>> arrays.symbols, arrays.labels.tolist(), arrays.parents.tolist(), arrays.lefts.tolist()
    (('<s>', 'count', 'dog', 'find'), [0, 1, 3, 2], [-1, 0, 1, 2], [-1, -1, -1, -1])
    """

    starts: NDArray[np.int64]
    labels: NDArray[np.int32]
    parents: NDArray[np.int32]
    """The position of each node's parent in these arrays; -1 at a root."""
    lefts: NDArray[np.int32]
    """The position of the sibling to the left; -1 where there is none."""
    symbols: tuple[str, ...]
    tokenisation: str = "tree"

    def __len__(self) -> int:
        return len(self.starts) - 1

    def lengths(self) -> NDArray[np.int64]:
        """The number of symbols of each program, without the root."""
        return np.diff(self.starts) - 1

    def joined(self, other: ProgramArrays) -> ProgramArrays:
        """The programs of both, one after the other, under one list of symbols."""
        symbols = tuple(sorted({*self.symbols, *other.symbols}))
        number = {symbol: place for place, symbol in enumerate(symbols)}
        labels = [np.array([number[s] for s in arrays.symbols], np.int32)[arrays.labels] for arrays in (self, other)]
        nodes = len(self.labels)
        moved = [np.where(links < 0, -1, links + nodes).astype(np.int32) for links in (other.parents, other.lefts)]
        return ProgramArrays(
            np.concatenate((self.starts, other.starts[1:] + nodes)),
            np.concatenate(labels),
            np.concatenate((self.parents, moved[0])),
            np.concatenate((self.lefts, moved[1])),
            symbols,
            self.tokenisation,
        )

    def words(self, program: int) -> list[str]:
        """The symbols of one program in order, without the root."""
        part = self.labels[int(self.starts[program]) + 1 : int(self.starts[program + 1])]
        return [self.symbols[int(label)] for label in part]


def program_arrays(trees: Sequence[Tree], *, tokenisation: str = "tree") -> ProgramArrays:
    """The arrays of these trees, in their order."""
    return _arrays(FlatTrees.of(trees), tokenisation)


def _arrays(flat: FlatTrees, tokenisation: str) -> ProgramArrays:
    from recombine.structures.programs.local_structure_kernels import link_nodes

    if tokenisation not in TOKENISATIONS:
        raise UnknownNameError("tokenisation", tokenisation, TOKENISATIONS)
    flat = flat.rooted(ROOT)
    words = [_divided(text) if tokenisation == "published" else (text,) for text in flat.texts]
    if any(len(label_words) > 1 for label_words in words):
        flat = _expanded(flat, words)
    else:
        flat = replace(flat, texts=[label_words[0] for label_words in words])
    symbols = tuple(sorted({ROOT, *flat.texts}))
    number = {symbol: place for place, symbol in enumerate(symbols)}
    renumber = np.array([number[text] for text in flat.texts], np.int32)
    parents, lefts = link_nodes(flat.starts, flat.children)
    return ProgramArrays(flat.starts, renumber[flat.labels], parents, lefts, symbols, tokenisation)


def _divided(label: str) -> tuple[str, ...]:
    """The symbols of one label: the node's own, then those of the children that it becomes."""
    if label == ROOT or not label.strip():
        return (label,)
    tree = published_tree(Tree(label))
    return (tree.label, *(child.label for child in tree.children))


def _expanded(flat: FlatTrees, words: list[tuple[str, ...]]) -> FlatTrees:
    """The nodes with every further word of a label as a leaf, in front of the node's own children."""
    length = np.array([len(label_words) for label_words in words], np.int64)
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(length)[:-1]))
    copies = length[flat.labels]
    at = np.concatenate((np.zeros(1, np.int64), np.cumsum(copies)))
    offset = np.arange(at[-1]) - np.repeat(at[:-1], copies)
    children = np.where(offset == 0, np.repeat(flat.children + copies - 1, copies), 0)
    labels = np.repeat(first[flat.labels], copies) + offset
    return FlatTrees(at[flat.starts], labels, children, [word for label_words in words for word in label_words])


def read_arrays(
    examples: Sequence[Example], language: Language | None, *, data: str, tokenisation: str = "tree"
) -> ProgramArrays:
    """The arrays of the targets of examples; the same as parsing them, only quicker where the language allows it."""
    return arrays_of(distinct_programs(examples, language, data=data), tokenisation=tokenisation)


def arrays_of(programs: DistinctPrograms, *, tokenisation: str = "tree") -> ProgramArrays:
    """The arrays of the program of each example."""
    return _arrays(programs.trees.taken(programs.which), tokenisation)


def dataset_arrays(dataset: Dataset, *, tokenisation: str = "tree") -> ProgramArrays:
    """The arrays of all targets of a data set, in its order."""
    examples = dataset.part(range(len(dataset)))
    return read_arrays(examples, dataset.language, data=dataset.name, tokenisation=tokenisation)
