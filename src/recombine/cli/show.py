"""`recombine show`: examples with how they were made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.console import print_result, working
from recombine.cli.options import Data, Json, Language, Quiet, Seed, Source, Target

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.records.derivation import Derivation
    from recombine.records.example import Example


def show(
    data: Data,
    number: Annotated[int, typer.Option("-n", help="How many examples, drawn at random by the seed.")] = 3,
    example_id: Annotated[str | None, typer.Option("--id", help="One example by its id.")] = None,
    source: Source = "source",
    target: Target = "target",
    language: Language = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show examples with their derivations."""
    from recombine import workbench
    from recombine.errors import OptionError
    from recombine.seeds import make_generator

    generator = make_generator(seed)
    if number < 1:
        raise OptionError(f"cannot show {number} examples", "give a count of 1 or more")
    with working(f"loading {data}", quiet=quiet):
        dataset = workbench.load(data, source=source, target=target, language=language)
    if example_id is not None:
        chosen = [dataset[example_id]]
    else:
        rows = generator.permutation(len(dataset))[:number]
        chosen = [dataset[int(row)] for row in sorted(rows)]

    def print_all(console: Console) -> None:
        for example in chosen:
            print_example(console, example)
        console.print(f"{dataset}: {len(dataset):,} examples", style="dim")

    value = {"data": dataset.name, "hash": dataset.hash, "size": len(dataset), "examples": [_record(e) for e in chosen]}
    print_result(value, print_all, as_json=as_json)


def _record(example: Example) -> dict[str, Any]:
    rows = None if example.derivation is None else example.derivation.to_rows()
    tags = dict(example.tags)
    return {"id": example.id, "source": example.source, "target": example.target, "derivation": rows, "tags": tags}


def print_example(console: Console, example: Example) -> None:
    """One example with its rule applications as a tree."""
    console.print(example.id, style="bold")
    console.print(f"  source  {example.source}")
    console.print(f"  target  {example.target}")
    if example.derivation is not None:
        _print_derivation(console, example.derivation)
    console.print()


def _print_derivation(console: Console, derivation: Derivation) -> None:
    """The grammar's rules as a tree, then the interpretation's; a node stands under its last parent of its kind."""
    from rich.padding import Padding
    from rich.text import Text
    from rich.tree import Tree

    for kind in ("grammar", "interpretation"):
        graph = derivation.restricted(kind)
        parent = {child: above for above, child, _ in graph.edges}
        nodes: list[Tree] = []
        for number, rule in enumerate(graph.rules):
            label = Text(rule)
            nodes.append(nodes[parent[number]].add(label) if number in parent else Tree(label))
        roots = [node for number, node in enumerate(nodes) if number not in parent]
        if roots:
            console.print(f"  {kind}", style="dim")
        for root in roots:
            console.print(Padding(root, (0, 0, 0, 4), expand=False))
