"""`recombine show`: examples with how they were made, or with the trees of their programs; and data as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Data, DataFormat, Json, Language, Out, Quiet, Seed, Source, Target, World
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.records.dataset import Dataset
    from recombine.records.derivation import Derivation
    from recombine.records.example import Example
    from recombine.tree import Tree


def show(
    data: Data,
    number: Annotated[int, typer.Option("-n", help="How many examples, drawn at random by the seed.")] = 3,
    example_id: Annotated[str | None, typer.Option("--id", help="One example by its id.")] = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    append_schema: Annotated[
        bool, typer.Option("--append-schema", help="Append the schema of its database to each source (Spider).")
    ] = False,
    schema_limit: Annotated[
        int | None,
        typer.Option("--schema-limit", help="With --append-schema: cut sources to so many tokens; default: 512."),
    ] = None,
    columns: Annotated[
        bool, typer.Option("--columns", help="Replace string values in sources by their columns (Schema2QA).")
    ] = False,
    out: Out = None,
    form: DataFormat = "ours",
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show examples with their derivations or programs; with -o, write all of the data to a file."""
    from recombine import workbench

    if out is not None:
        from recombine.datasets.write_data import check_data_writable

        check_data_writable(out, form)
    with terminal(quiet=quiet):
        result = workbench.show(
            data,
            n=number,
            id=example_id,
            source=source,
            target=target,
            language=language,
            world=world,
            append_schema=append_schema,
            schema_limit=schema_limit,
            columns=columns,
            format=form,
            seed=seed,
        )
    if out is not None:
        result.write(out)

    def print_all(console: Console) -> None:
        for example in result.examples:
            print_example(console, example, result.dataset)
        where = f" → {out}" if out is not None else ""
        console.print(f"{result}{where}", style="dim", soft_wrap=True)

    value = {**result.to_dict(), "file": None if out is None else str(out)} if as_json else {}
    print_result(value, print_all, as_json=as_json)


def print_example(console: Console, example: Example, dataset: Dataset) -> None:
    """One example with its rule applications, or else its program, as a tree."""
    import orjson
    from rich.table import Table

    from recombine.workbench.show import besides_texts

    console.print(example.id, style="bold")
    fields = Table.grid(padding=(0, 2, 0, 0))
    fields.add_column(no_wrap=True)
    fields.add_column(overflow="fold")
    fields.add_row("  source", example.source)
    fields.add_row("  target", example.target)
    for key, value in besides_texts(example).items():
        fields.add_row(f"  {key}", value if isinstance(value, str) else orjson.dumps(value).decode(), style="dim")
    console.print(fields)
    if example.derivation is not None:
        print_derivation(console, example.derivation)
    else:
        _print_program(console, example, dataset)
    console.print()


def _print_program(console: Console, example: Example, dataset: Dataset) -> None:
    from rich.padding import Padding

    from recombine.workbench.show import read_program

    tree, problem = read_program(example, dataset)
    if problem is not None:
        console.print(f"  no program: {problem}", style="red", soft_wrap=True)
    if tree is not None:
        console.print("  program", style="dim")
        console.print(Padding(_drawn(tree), (0, 0, 0, 4), expand=False))


def _drawn(tree: Tree) -> Any:
    """The tree as lines: a node whose children are leaves is one line, `clause(?x0, a, people.person)`."""
    from rich.text import Text
    from rich.tree import Tree as Lines

    def label(node: Tree) -> Text:
        if node.children and not any(child.children for child in node.children):
            return Text(f"{node.label}({', '.join(child.label for child in node.children)})")
        return Text(node.label or "()")

    root = Lines(label(tree))
    waiting = [(tree, root)]
    while waiting:
        node, lines = waiting.pop()
        if any(child.children for child in node.children):
            waiting += [(child, lines.add(label(child))) for child in node.children]
    return root


def print_derivation(console: Console, derivation: Derivation) -> None:
    """The rules as trees, kind by kind; a node is drawn under its last parent of its kind."""
    from rich.padding import Padding
    from rich.text import Text
    from rich.tree import Tree

    from recombine.records.derivation import RULE_KINDS

    for kind in RULE_KINDS:
        graph = derivation.restricted(kind)
        parent = {child: above for above, child, _ in graph.edges}
        nodes: list[Tree] = []
        for number, rule in enumerate(graph.rules):
            label = Text(rule.removeprefix(f"{kind}:"))
            nodes.append(nodes[parent[number]].add(label) if number in parent else Tree(label))
        roots = [node for number, node in enumerate(nodes) if number not in parent]
        if roots:
            console.print(f"  {kind}", style="dim")
        for root in roots:
            console.print(Padding(root, (0, 0, 0, 4), expand=False))
