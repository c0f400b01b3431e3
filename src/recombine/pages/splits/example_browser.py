"""The examples of a report in a compact form, for the page's script to list and draw.

Rules are numbered once; an example is `[id, source, target, graphs]` with a graph for the rules of the grammar, one for
those of the interpretation, and where there is no derivation but a known language, one for the tree of its program:
`[rules, edges, centres, layers, width]`, edges flat as parent, child, slot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.pages.drawing.compact_graph import GEOMETRY, compact_graph
from recombine.pages.drawing.graph import Graph
from recombine.structures.programs.program_graphs import program_graph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.languages.language import Language
    from recombine.pages.splits.report_data import ReportData, SplitData
    from recombine.records.example import Example

KINDS = ("grammar", "interpretation")
TITLES = ("Rules of the grammar", "Rules of the interpretation", "Tree of the program")


def example_numbers(data: ReportData) -> dict[int, int]:
    """The number in the page of each example shown, by position in the data; in the order of the data."""
    shown = {row for split in data.splits for rows in split.samples.values() for row in rows}
    for split in data.splits:
        for held in split.held_out.chosen:
            shown |= {*held.test_examples, *held.known.examples}
    return {row: number for number, row in enumerate(sorted(shown))}


def browser_data(data: ReportData) -> dict[str, Any]:
    """All that the page's script needs."""
    numbers = example_numbers(data)
    rules: dict[str, int] = {}
    examples = [_example(data.dataset[row], data.dataset.language, rules) for row in numbers]
    splits = [
        {
            "name": split.name,
            "parts": [
                {"name": part, "size": split.measured[part], "examples": _rows(split, part, numbers)}
                for part in (data.against, "train")
            ],
        }
        for split in data.splits
    ]
    return {"rules": list(rules), "titles": TITLES, "geometry": GEOMETRY, "examples": examples, "splits": splits}


def _rows(split: SplitData, part: str, numbers: Mapping[int, int]) -> list[int]:
    """The sample of a part, then the examples that the held-out compounds cite."""
    cited = [
        row
        for held in split.held_out.chosen
        for row in (held.known.examples if part == "train" else held.test_examples)
    ]
    return [numbers[row] for row in dict.fromkeys([*split.samples[part], *cited])]


def _example(example: Example, language: Language | None, rules: dict[str, int]) -> list[Any]:
    graphs: list[Any] = []
    if example.derivation is None and language is not None:
        tree = program_graph(language.parse(example.target))
        graphs = [None, None, compact_graph(Graph(tree.rules, tree.edges), rules)]
    elif example.derivation is not None:
        for kind in KINDS:
            part = example.derivation.restricted(kind)
            graphs.append(compact_graph(Graph(part.rules, part.edges), rules) if part.rules else None)
    return [example.id, example.source, example.target, graphs]
