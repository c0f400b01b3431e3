"""`recombine show`: examples with how they were made, or with the trees of their programs; and data as a file."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import note, print_result, working
from recombine.cli.shared.options import Data, Json, Language, Out, Quiet, Seed, Source, Target

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
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show examples with their derivations or programs; with -o, write all of the data to a file."""
    from recombine import workbench
    from recombine.datasets.files.tables import table_format, write_table
    from recombine.errors import OptionError
    from recombine.files import check_writable
    from recombine.seeds import make_generator

    generator = make_generator(seed)
    if number < 1:
        raise OptionError(f"cannot show {number} examples", "give a count of 1 or more")
    if schema_limit is not None and not append_schema:
        raise OptionError("a limit for schemas is given, but no schemas are wanted", "add --append-schema")
    if out is not None:
        table_format(out)
        check_writable(out)
    with working(f"loading {data}", quiet=quiet):
        dataset = workbench.load(data, source=source, target=target, language=language)
    schemas: dict[str, Any] | None = None
    if append_schema:
        dataset, schemas = _with_schemas(dataset, schema_limit, quiet=quiet)
    if columns:
        dataset = _with_columns(dataset, quiet=quiet)
    if example_id is not None:
        chosen = [dataset[example_id]]
    else:
        rows = generator.permutation(len(dataset))[:number]
        chosen = [dataset[int(row)] for row in sorted(rows)]
    if out is not None:
        write_table(dataset, out)

    def print_all(console: Console) -> None:
        for example in chosen:
            print_example(console, example, dataset)
        where = f" → {out}" if out is not None else ""
        console.print(f"{dataset}: {len(dataset):,} examples{where}", style="dim", soft_wrap=True)

    value = {
        "data": dataset.name,
        "hash": dataset.hash,
        "size": len(dataset),
        "examples": [_record(example, dataset) for example in chosen],
        "schemas": schemas,
        "file": None if out is None else str(out),
    }
    print_result(value, print_all, as_json=as_json)


def _with_schemas(dataset: Dataset, limit: int | None, *, quiet: bool) -> tuple[Dataset, dict[str, Any]]:
    from recombine.datasets.published.append_schema import LIMIT, append_schema

    dataset, report = append_schema(dataset, limit=LIMIT if limit is None else limit)
    note(str(report), quiet=quiet)
    return dataset, asdict(report)


def _with_columns(dataset: Dataset, *, quiet: bool) -> Dataset:
    from recombine.datasets.published.schema2qa import with_columns

    dataset, changed = with_columns(dataset)
    note(f"string values replaced by their columns in {changed:,} of {len(dataset):,} sources", quiet=quiet)
    return dataset


def _record(example: Example, dataset: Dataset) -> dict[str, Any]:
    rows = None if example.derivation is None else example.derivation.to_rows()
    tree, problem = _program(example, dataset)
    return {
        "id": example.id,
        "source": example.source,
        "target": example.target,
        "derivation": rows,
        "program": None if tree is None else _nested(tree),
        "program_error": problem,
        "tags": dict(example.tags),
    }


def _program(example: Example, dataset: Dataset) -> tuple[Tree | None, str | None]:
    """The tree of the target, or why it cannot be read; neither where the language is not known."""
    from recombine.errors import ProgramError

    if dataset.language is None:
        return None, None
    try:
        return dataset.language.parse(example.target), None
    except ProgramError as error:
        return None, str(error)


def _nested(tree: Tree) -> list[Any] | str:
    """A tree as JSON has it: a leaf is its label, another node a list of its label and its children."""
    return [tree.label, *map(_nested, tree.children)] if tree.children else tree.label


def print_example(console: Console, example: Example, dataset: Dataset) -> None:
    """One example with its rule applications, or else its program, as a tree."""
    import orjson
    from rich.table import Table

    console.print(example.id, style="bold")
    fields = Table.grid(padding=(0, 2, 0, 0))
    fields.add_column(no_wrap=True)
    fields.add_column(overflow="fold")
    fields.add_row("  source", example.source)
    fields.add_row("  target", example.target)
    for key, value in example.tags.items():
        if key != "line":
            fields.add_row(f"  {key}", value if isinstance(value, str) else orjson.dumps(value).decode(), style="dim")
    console.print(fields)
    if example.derivation is not None:
        _print_derivation(console, example.derivation)
    else:
        _print_program(console, example, dataset)
    console.print()


def _print_program(console: Console, example: Example, dataset: Dataset) -> None:
    from rich.padding import Padding

    tree, problem = _program(example, dataset)
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


def _print_derivation(console: Console, derivation: Derivation) -> None:
    """The grammar's rules as a tree, then the interpretation's; a node is drawn under its last parent of its kind."""
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
