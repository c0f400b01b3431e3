"""The examples of a report in a compact form, for the page's script to list and draw.

Rules are numbered once; an example is `[id, source, target, graphs]` with a graph for the rules of the grammar, one for
those of the interpretation, and where there is no derivation but a known language, one for the tree of its program:
`[rules, edges, centres, layers, width]`, edges flat as parent, child, slot.

Where a derivation has rules of inference, resolution and knowledge, a fourth graph has all of them, with the kind of
each node after the width; and after the graphs stand the held-out compounds that the example has, each with its name
and the nodes of one occurrence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recombine.pages.drawing.compact_graph import GEOMETRY, compact_graph
from recombine.pages.drawing.graph import Graph
from recombine.pages.splits.marked_compounds import find_occurrence
from recombine.records.derivation import RULE_KINDS, has_logical_rules, rule_kind
from recombine.structures.programs.program_graphs import program_graph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.languages.language import Language
    from recombine.pages.splits.report_data import ReportData, SplitData
    from recombine.records.derivation import Derivation
    from recombine.records.example import Example

KINDS = ("grammar", "interpretation")
TITLES = ("Rules of the grammar", "Rules of the interpretation", "Tree of the program", "All rule applications")


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
    held = {item.name: item.graph for split in data.splits for item in split.held_out.chosen if item.graph is not None}
    examples = [_example(data.dataset[row], data.dataset.language, rules, held) for row in numbers]
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
    return {
        "rules": list(rules),
        "titles": TITLES,
        "kinds": RULE_KINDS,
        "geometry": GEOMETRY,
        "examples": examples,
        "splits": splits,
    }


def _rows(split: SplitData, part: str, numbers: Mapping[int, int]) -> list[int]:
    """The sample of a part, then the examples that the held-out compounds cite."""
    cited = [
        row
        for held in split.held_out.chosen
        for row in (held.known.examples if part == "train" else held.test_examples)
    ]
    return [numbers[row] for row in dict.fromkeys([*split.samples[part], *cited])]


def _example(
    example: Example, language: Language | None, rules: dict[str, int], held: Mapping[str, Graph]
) -> list[Any]:
    graphs: list[Any] = []
    marked: list[Any] = []
    if example.derivation is None and language is not None:
        tree = program_graph(language.parse(example.target))
        graphs = [None, None, compact_graph(Graph(tree.rules, tree.edges), rules)]
    elif example.derivation is not None:
        for kind in KINDS:
            part = example.derivation.restricted(kind)
            graphs.append(compact_graph(Graph(part.rules, part.edges), rules) if part.rules else None)
        if has_logical_rules(example.derivation):
            graphs += [None, _whole(example.derivation, rules)]
            found = {name: find_occurrence(example.derivation, graph) for name, graph in held.items()}
            marked = [[[name, nodes] for name, nodes in found.items() if nodes is not None]]
    return [example.id, example.source, example.target, graphs, *marked]


def _whole(derivation: Derivation, rules: dict[str, int]) -> list[Any]:
    """The graph of all rule applications, named without their kinds, and the kinds by their numbers."""
    kinds = [rule_kind(rule) for rule in derivation.rules]
    names = tuple(rule.removeprefix(f"{kind}:") for rule, kind in zip(derivation.rules, kinds, strict=True))
    return [*compact_graph(Graph(names, derivation.edges), rules), [RULE_KINDS.index(kind) for kind in kinds]]
