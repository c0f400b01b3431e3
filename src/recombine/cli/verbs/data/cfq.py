"""`recombine cfq`: what a data set like CFQ is like, in numbers and on a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import (
    Data,
    Definition,
    Json,
    Language,
    Quiet,
    Seed,
    Source,
    Target,
    World,
    help_without_verb,
)
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.workbench.cfq_info import CfqInfo

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Say what data like CFQ is like, beside what the paper says of CFQ, and show it on a page.",
)
Split = Annotated[str | None, typer.Option("--split", help="A split of the data, whose train part is counted in.")]
Subqueries = Annotated[
    str | None,
    typer.Option(
        metavar="cfq|FILE",
        help="Subqueries to count (TOML); default: cfq, the paper's, where the data has rules of theirs.",
    ),
]
_ANSWERS = 10


@app.callback(invoke_without_command=True)
def _cfq(context: typer.Context) -> None:
    help_without_verb(context)


@app.command("info")
def info(
    data: Data,
    split: Split = None,
    subqueries: Subqueries = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what data is like: questions of each level, patterns, answers and subqueries, beside the paper's."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.cfq_info(
            data,
            split=split,
            subqueries=subqueries,
            source=source,
            target=target,
            language=language,
            world=world,
            seed=seed,
        )

    def show(console: Console) -> None:
        _show(console, result)

    print_result(result.to_dict(), show, as_json=as_json)


def _number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _show(console: Console, result: CfqInfo) -> None:
    tables = result.tables
    console.print(str(result), soft_wrap=True)
    console.print(f"\n{'Table 2 (a)':52}{'here':>12}{'paper':>12}")
    for row in tables.statistics:
        console.print(f"{row.label:52}{_number(row.value):>12}{_number(row.paper):>12}")
        if row.why:
            console.print(f"  {row.why}", soft_wrap=True)
    console.print(f"\n{'Table 2 (b): questions, queries, query patterns':52}{'here':>22}{'paper':>24}")
    for each in tables.datasets:
        texts = [" ".join(map(_number, numbers)) if numbers else "–" for numbers in (each.counted, each.paper)]
        console.print(f"{each.name:42}{texts[0]:>32}{texts[1]:>24}")
    if tables.samples:
        console.print("\nTable 1: a question of each level")
    for sample in tables.samples:
        answer = f" ↦ {sample.answer}" if sample.answer else ""
        console.print(f"{sample.level:>4}  {sample.question}{answer}", soft_wrap=True)
    if tables.answers:
        console.print(f"\nTable 5: the {min(_ANSWERS, len(tables.answers))} most frequent answers")
    for name, count in tables.answers[:_ANSWERS]:
        console.print(f"{count:>10,}  {name}", soft_wrap=True)
    for table in tables.subqueries:
        title = table.title if table.number is None else f"Table {table.number}"
        console.print(f"\n{f'{title}, in {tables.counted_in}':52}{'here':>12}{'paper':>12}", soft_wrap=True)
        for row in table.rows:
            console.print(f"{row.label:52}{_number(row.value):>12}{_number(row.paper):>12}")
    for key in ("levels", "answers", "subqueries"):
        if key in tables.missing:
            console.print(f"\nno {key}: {tables.missing[key]}", soft_wrap=True)


@app.command("page")
def page(
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", help="The HTML file to write; written whole or not at all.")],
    pool: Annotated[
        str | None, typer.Option(metavar="DATA", help="The pool that the data was taken of, for Figures 3 to 5.")
    ] = None,
    split: Split = None,
    against: Annotated[str, typer.Option(help="The part of the split that is compared with train.")] = "test",
    structures: Definition = None,
    subqueries: Subqueries = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show data on one HTML page: Figures 3 to 6 and Tables 1, 2, 5, 8 and 9 of the CFQ paper."""
    from recombine import workbench
    from recombine.files import check_writable

    check_writable(out)
    with terminal(quiet=quiet):
        result = workbench.cfq_page(
            data,
            pool=pool,
            split=split,
            against=against,
            structures=structures,
            subqueries=subqueries,
            source=source,
            target=target,
            language=language,
            world=world,
            seed=seed,
        )
    result.write(out)

    def show(console: Console) -> None:
        console.print(f"{result} → {out}", soft_wrap=True)

    print_result({**result.to_dict(), "file": str(out)}, show, as_json=as_json)
