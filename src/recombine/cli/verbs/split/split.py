"""`recombine split`: a split of a data set, measured."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result, print_signature
from recombine.cli.shared.declared_options import given_options, with_options
from recombine.cli.shared.exit_codes import INTERRUPTED
from recombine.cli.shared.options import (
    Cluster,
    Data,
    Definition,
    Json,
    Language,
    Literals,
    Names,
    Out,
    Quiet,
    Seed,
    Source,
    Target,
    World,
)
from recombine.cli.shared.render import measured_table, print_sentences, said
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from recombine.options import Option
    from recombine.workbench.split import SplitResult

_SIZE = "a count or a share; of train and test, the one not named takes what is left"


def _declared() -> Sequence[Option]:
    from recombine.workbench.split import declared

    return declared()


@with_options(_declared, after="test")
def split(
    context: typer.Context,
    data: Data,
    by: Annotated[
        str, typer.Option("--by", metavar="METHOD", help="How to split; `recombine list` names the methods.")
    ],
    train: Annotated[str | None, typer.Option(help=f"The size of train: {_SIZE}.")] = None,
    dev: Annotated[str | None, typer.Option(help="The size of dev: a count or a share; made only when named.")] = None,
    test: Annotated[str | None, typer.Option(help=f"The size of test: {_SIZE}.")] = None,
    best_effort: Annotated[
        bool,
        typer.Option("--best-effort", help="Where constraints cannot be met, keep the best found all the same."),
    ] = False,
    structures: Definition = None,
    literals: Literals = None,
    names: Names = None,
    out: Out = None,
    form: Annotated[str, typer.Option("--format", help="The form of the file: ours, cfq or nqg.")] = "ours",
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    cluster: Cluster = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Split a data set and measure the split."""
    from recombine import workbench

    start = time.perf_counter()
    if out is not None:
        _check_out(out, cluster)
    with terminal(quiet=quiet):
        made = workbench.split(
            data,
            by=by,
            train=train,
            dev=dev,
            test=test,
            best_effort=best_effort,
            structures=structures,
            literals=literals,
            names=names,
            format=form,
            source=source,
            target=target,
            language=language,
            world=world,
            cluster=cluster,
            seed=seed,
            **given_options(context),
        )
    if out is not None:
        made.write(out)
    _print(made, by, out, start, as_json=as_json)
    for text in made.notes:
        note(text, quiet=quiet)
    if out is None:
        note("nothing was written; give -o FILE to keep the split", quiet=quiet)
    if made.signature.get("interrupted"):
        note("the search was interrupted; this is the best it had found", quiet=quiet)
        raise typer.Exit(INTERRUPTED)
    if made.missed is not None:
        # Printed with --quiet too: without it, exit code 1 would have no reason.
        note(f"note: the best split found misses a constraint: {made.missed}", quiet=False)
        raise typer.Exit(1)


def _check_out(out: Path, cluster: str | None) -> None:
    """Refuse what cannot be written before the long work; a cluster may write a folder."""
    from recombine.files import check_writable
    from recombine.records.split_folder import check_split_folder_writable
    from recombine.workbench.on_cluster.split_result import is_folder

    if cluster is not None and is_folder(out):
        check_split_folder_writable(out)
    else:
        check_writable(out)


def _print(made: SplitResult, by: str, out: Path | None, start: float, *, as_json: bool) -> None:
    """Say what the split is like."""
    value = {
        **made.to_dict(),
        "file": None if out is None else str(out),
        "seconds": round(time.perf_counter() - start, 3),
    }

    def show(console: Console) -> None:
        console.print(measured_table({by: made.measured}))
        print_sentences(console, said(made.measured))
        if out is not None:
            console.print(f"written to {out}", soft_wrap=True)
        print_signature(console, made.measured["signature"])

    print_result(value, show, as_json=as_json)
