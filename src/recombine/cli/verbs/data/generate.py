"""`recombine generate`: data with derivations, from a grammar or another generator."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.declared_options import given_options, with_options
from recombine.cli.shared.options import Cluster, DataFormat, Json, Out, Quiet, Seed
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from recombine.options import Option


def _declared() -> Sequence[Option]:
    from recombine.datasets.generators import declared_options

    return declared_options()


@with_options(_declared, after="number")
def generate(
    context: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            metavar="WHAT", help="scan, cfq, covr, kbqa, scenes, a grammar file (.grammar, .scfg), or a plug-in's name."
        ),
    ],
    number: Annotated[int | None, typer.Option("-n", help="How many distinct examples; default: all of them.")] = None,
    out: Out = None,
    cluster: Cluster = None,
    form: DataFormat = "ours",
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make data with derivations from a grammar."""
    from recombine import workbench
    from recombine.datasets.generators import generator_kind
    from recombine.datasets.kbqa_made.split_path import split_path
    from recombine.datasets.write_data import check_data_writable

    start = time.perf_counter()
    if cluster is not None:
        _check_folder(out)
    elif out is not None:
        check_data_writable(out, form)
        generator_kind(what).check_out(out, form)
    with terminal(quiet=quiet):
        result = workbench.generate(what, n=number, cluster=cluster, format=form, seed=seed, **given_options(context))
        if out is not None:
            result.write(out)
        value = result.to_dict()  # what is made when it is asked for is made here
    seconds = round(time.perf_counter() - start, 3)
    file = None if out is None else str(out)

    def show(console: Console) -> None:
        if cluster is not None:
            parts = f"{value['examples']:,} examples in {value['parts']} parts"
            console.print(f"{parts} in {seconds:.1f} s → {out}", soft_wrap=True)
            return
        where = f" → {out}" if out is not None else ""
        by = "" if result.rules is None else f" from {result.rules} rules"
        console.print(f"{result.size:,} examples{by} in {seconds:.1f} s{where}", soft_wrap=True)
        for line in result.lines():
            console.print(line, soft_wrap=True)
        if written:
            console.print(f"  → {written['split']}", soft_wrap=True)
        if out is None:
            for example in result.shown(3):
                console.print(f"  {example}")
            console.print(f"  … give -o FILE ({result.forms}) to keep them")
        console.print(result.data_name, style="dim")

    written = {"split": str(split_path(out))} if out is not None and value.get("levels") else {}
    print_result({**value, "seconds": seconds, "file": file, **written}, show, as_json=as_json)


def _check_folder(out: Path | None) -> None:
    """Refuse what a cluster cannot write to before the long work."""
    from recombine.cluster.generate_parts import check_folder_writable
    from recombine.errors import OptionError

    if out is None:
        raise OptionError("a cluster writes what it makes as parts", "name their folder with -o")
    check_folder_writable(out)
