"""Programs whose literals and names are counted by their kinds, or whose literals are not counted at all.

What is a literal or a name the language tells; one that cannot is refused here, so that no number claims what was not
done. A literal that is dropped leaves no node; those after it move up.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from recombine.errors import DefinitionError
from recombine.languages.literals import is_kind
from recombine.structures.programs.distinct_programs import DistinctPrograms, dataset_programs
from recombine.structures.programs.flat_trees import FlatTrees
from recombine.structures.programs.quick_programs import LANGUAGES
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset
    from recombine.structures.read_once import ReadOnce

_MARK = "\ufdd1"
"""A character that no text holds."""


def programs_as_counted(read: ReadOnce, definition: Any) -> DistinctPrograms:
    """The programs of a data set with literals and names as a definition counts them; made once for each way."""
    return read.made(_reader(getattr(definition, "literals", "keep"), getattr(definition, "names", "keep")))


@cache
def _reader(literals: str, names: str) -> Callable[[Dataset], DistinctPrograms]:
    """What reads programs: one function for each way, by which what it made is found again."""
    if (literals, names) == ("keep", "keep"):
        return dataset_programs
    return lambda dataset: typed_programs(dataset_programs(dataset), dataset.language, literals=literals, names=names)


def typed_programs(
    programs: DistinctPrograms, language: Language | None, *, literals: str = "keep", names: str = "keep"
) -> DistinctPrograms:
    """The programs with kinds in the places of literals (`type`) or without them (`drop`), and of names (`type`).

    >>> from recombine.languages.functional import FUNCTIONAL
    >>> programs = DistinctPrograms(FlatTrees.of([Tree("keep", (Tree("3"), Tree("dog")))]), np.array([0]))
    >>> typed_programs(programs, FUNCTIONAL, literals="type").names
    ('<number>', 'dog', 'keep')
    >>> typed_programs(programs, FUNCTIONAL, literals="drop").names
    ('dog', 'keep')
    """
    if language is None:
        return programs
    change = tree_change(language, literals, names)
    if language.name in LANGUAGES and literals != "drop" and names == "keep":
        return DistinctPrograms(_leaf_by_leaf(programs.trees, change), programs.which)
    return DistinctPrograms(FlatTrees.of(list(map(change, _iter_trees(programs.trees)))), programs.which)


def tree_change(language: Language, literals: str, names: str) -> Callable[[Tree], Tree]:
    """What a tree becomes under a definition."""
    for option, value, told in (("literals", literals, language.type_literals), ("names", names, language.type_names)):
        if value != "keep" and told is None:
            raise DefinitionError(
                f"{option}={value} cannot be had: {language.name} does not tell its {option}", f"write {option}=keep"
            )

    def change(tree: Tree) -> Tree:
        if language.type_literals is not None and literals == "type":
            tree = language.type_literals(tree)
        elif language.type_literals is not None and literals == "drop":
            tree = _unmarked(_without_kinds(language.type_literals(_marked(tree))))
        return tree if names == "keep" or language.type_names is None else language.type_names(tree)

    return change


def _marked(tree: Tree) -> Tree:
    """The tree with a mark before what looks like a kind and is the program's own, which is not to be dropped."""
    return tree.mapped(lambda node: Tree(f"{_MARK}{node.label}") if is_kind(node) else node)


def _unmarked(tree: Tree) -> Tree:
    return tree.mapped(lambda node: Tree(node.label[1:]) if node.label.startswith(_MARK) else node)


def _without_kinds(tree: Tree) -> Tree:
    """The tree without the kinds of literals; a root stays."""

    def change(node: Tree) -> Tree:
        kept = tuple(child for child in node.children if not is_kind(child))
        return node if len(kept) == len(node.children) else Tree(node.label, kept)

    return tree.mapped(change)


def _leaf_by_leaf(trees: FlatTrees, change: Callable[[Tree], Tree]) -> FlatTrees:
    """The trees of a language that tells leaf by leaf: each distinct label is asked for once."""
    texts = list(trees.texts)
    place = {text: number for number, text in enumerate(texts)}
    became = np.arange(len(texts))
    leaves = trees.children == 0
    for number in np.unique(trees.labels[leaves]).tolist():
        text = change(Tree(trees.texts[number])).label
        if text not in place:
            place[text] = len(texts)
            texts.append(text)
        became[number] = place[text]
    labels = np.where(leaves, became[trees.labels], trees.labels)
    used, labels = np.unique(labels, return_inverse=True)
    return FlatTrees(trees.starts, labels.astype(np.int64), trees.children, [texts[number] for number in used.tolist()])


def _iter_trees(trees: FlatTrees) -> Iterator[Tree]:
    """The trees as values, one after the other."""
    labels, counts, starts = trees.labels.tolist(), trees.children.tolist(), trees.starts.tolist()
    for first, last in pairwise(starts):
        done: list[Tree] = []  # nodes to the right of the next one, the nearest last
        for node in range(last - 1, first - 1, -1):
            children = tuple(done.pop() for _ in range(counts[node]))
            done.append(Tree(trees.texts[labels[node]], children))
        yield done[0]
