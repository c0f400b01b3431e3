"""Programs as graphs: the tree of each target, in the form that rule application graphs have.

The slot of a child is its argument position, counted from 1. A label that would make a compound's name ambiguous is
quoted as in JSON.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import orjson

from recombine.errors import DerivationError, ProgramError, RecordError
from recombine.languages.suggest_language import suggest_language
from recombine.records.derivation import Derivation
from recombine.structures.programs.unread_programs import unread_programs

if TYPE_CHECKING:
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.tree import Tree

_AMBIGUOUS = re.compile(r'[():,;{}"]|^\[\[|^$')


def program_graph(tree: Tree) -> Derivation:
    """The graph of a program.

    >>> from recombine.tree import Tree
    >>> program_graph(Tree("longest", (Tree("river"),)))
    Derivation(rules=('longest', 'river'), edges=((0, 1, 1),))
    """
    return Derivation.of_tree(tree, lambda node: unambiguous_label(node.label), lambda node: node.children)


def unambiguous_label(label: str) -> str:
    """A label that can be told apart in the name of a compound."""
    return orjson.dumps(label).decode() if _AMBIGUOUS.search(label) else label


def program_graphs(dataset: Dataset) -> list[Derivation]:
    """The graphs of all targets of a data set; each distinct program is parsed once."""
    if dataset.language is None:
        raise DerivationError(
            f"the language of {dataset.name}'s targets is not known", suggest_language(dataset.texts("target"))
        )
    known: dict[str, Derivation] = {}
    for example in dataset:
        if example.target not in known:
            try:
                known[example.target] = program_graph(dataset.language.parse(example.target))
            except ProgramError:
                raise unread_programs(dataset, dataset.language, dataset.name) from None
    return [known[example.target] for example in dataset]


def program_error(dataset: Dataset, example: Example, error: ProgramError) -> RecordError:
    """The error of a program that cannot be read, with the record it is in."""
    where = f"line {example.tags['line']}" if "line" in example.tags else f"example {example.id}"
    return RecordError(dataset.name, where, error.problem, error.remedy)
