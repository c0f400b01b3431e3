"""Items of a data set: each example is shown as a task asks, and what becomes of it is known by the example's id.

A task's parts are taken by their names: `question` is the source, `target` the program, `tree` its tree, `graph_query`
the graph that the data has of it; parts of other names are tags and context of the example. An item keeps what workers
do not see: the `target`, the `example` and its `template`, the `data` and the `language`, which go into the examples
that are exported. Tags and context that no task of the flow shows are not taken along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.errors import OptionError, ProgramError
from recombine.records.example import thawed
from recombine.seeds import make_generator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recombine.annotation.tasks.flow import Flow
    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.tree import Tree

    Shows = Callable[[Example], dict[str, Any]]
AUTHOR = "data"
"""The author of what a data set says; no worker has this id."""


def items_of_data(
    dataset: Dataset, flow: Flow, name: str, *, n: int | None = None, seed: int = 0, shows: Shows | None = None
) -> list[dict[str, Any]]:
    """Items of so many examples, drawn from all and in their order; of all where no number is given.

    `shows` makes further parts of an example, which stand before those of the data.
    """
    task = flow.of(name)
    wanted = {part.name for each in flow.task for part in each.show}
    lines = []
    for example in _drawn(dataset, n, seed):
        tree = _tree(dataset, example)
        show = _shown(example, tree, wanted) | (shows(example) if shows is not None else {})
        kept = _kept(dataset, example, tree)
        missing = [part.name for part in task.show if not part.optional and part.name not in show]
        if missing:
            raise OptionError(
                f"{dataset.name} has no {missing[0]!r}, which the task {task.name} shows",
                "choose another --task, or give the items as a file with --items",
            )
        line = {"item": f"{example.id}/{task.name}", "task": task.name, "parent": None, "author": AUTHOR}
        lines.append({**line, "show": show, "keep": kept})
    return lines


def _drawn(dataset: Dataset, n: int | None, seed: int) -> Sequence[Example]:
    if n is None or n == len(dataset):
        return list(dataset)
    if not 1 <= n <= len(dataset):
        problem = f"cannot draw {n:,} of the {len(dataset):,} examples of {dataset.name}"
        raise OptionError(problem, "give 1 or more, and no more than there are")
    rows = make_generator(seed).choice(len(dataset), size=n, replace=False)
    return [dataset[int(row)] for row in sorted(rows)]


def _shown(example: Example, tree: Tree | None, wanted: set[str]) -> dict[str, Any]:
    """What an example can show, of which tasks of the flow show some."""
    parts = {**thawed(example.tags), **thawed(example.context)}
    parts |= {"question": example.source, "target": example.target, "tree": None if tree is None else node_of(tree)}
    return {name: value for name, value in parts.items() if name in wanted and value is not None}


def _kept(dataset: Dataset, example: Example, tree: Tree | None) -> dict[str, Any]:
    """What is known of an item by its example."""
    kept: dict[str, Any] = {"target": example.target, "example": example.id, "data": str(dataset)}
    language, template = dataset.language, example.tags.get("template")
    if language is not None:
        kept["language"] = language.remembered
        if template is None and tree is not None:
            template = language.render(language.anonymise(tree))
    return kept if template is None else {**kept, "template": template}


def _tree(dataset: Dataset, example: Example) -> Tree | None:
    """The program's tree, where the data has a language that reads it; a program that it does not read has none."""
    if dataset.language is None:
        return None
    try:
        return dataset.language.parse(example.target)
    except ProgramError:
        return None


def node_of(tree: Tree) -> dict[str, Any]:
    """A tree as it is shown.

    >>> from recombine.tree import Tree
    >>> node_of(Tree("find", (Tree("dog"),)))
    {'label': 'find', 'children': [{'label': 'dog'}]}
    """
    node: dict[str, Any] = {"label": tree.label}
    if tree.children:
        node["children"] = [node_of(child) for child in tree.children]
    return node
