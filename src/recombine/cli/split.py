"""`recombine split`: a split of a data set, measured."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.console import note, print_result, print_signature, working
from recombine.cli.options import Data, Definition, Json, Out, Quiet, Seed, Source, Target

if TYPE_CHECKING:
    from rich.console import Console

_SIZE = "a count or a share; of train and test, the one not named takes what is left"


def split(
    data: Data,
    by: Annotated[
        str, typer.Option("--by", metavar="METHOD", help="How to split; `recombine list` names the methods.")
    ],
    train: Annotated[str | None, typer.Option(help=f"The size of train: {_SIZE}.")] = None,
    dev: Annotated[str | None, typer.Option(help="The size of dev: a count or a share; made only when named.")] = None,
    test: Annotated[str | None, typer.Option(help=f"The size of test: {_SIZE}.")] = None,
    max_length: Annotated[int | None, typer.Option(help="length:*: the greatest length in train, in words.")] = None,
    name: Annotated[str | None, typer.Option(help="predefined: the name of the published split, such as mcd1.")] = None,
    structures: Definition = None,
    out: Out = None,
    form: Annotated[str, typer.Option("--format", help="The form of the file: ours, cfq or nqg.")] = "ours",
    source: Source = "source",
    target: Target = "target",
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Split a data set and measure the split."""
    from recombine import workbench
    from recombine.cli.render import measured_table
    from recombine.datasets.catalogue import line_order
    from recombine.errors import UnknownNameError
    from recombine.files import check_writable
    from recombine.records.split import FORMATS
    from recombine.splits.methods import make_splitter
    from recombine.splits.sizes import parse_size
    from recombine.structures.definition import Structures

    start = time.perf_counter()
    sizes: dict[str, Any] = {
        name: parse_size(text) for name, text in (("train", train), ("dev", dev), ("test", test)) if text is not None
    }
    options: dict[str, Any] = {"seed": seed, "max_length": max_length, "name": name}
    make_splitter(by, **sizes, **options)  # bad options are said before anything is loaded
    if structures is not None:
        Structures.parse(structures)
    if form not in FORMATS:
        raise UnknownNameError("split format", form, FORMATS)
    if out is not None:
        check_writable(out)
    with working(f"loading {data}", quiet=quiet):
        dataset = workbench.load(data, source=source, target=target)
    order = line_order(dataset) if form != "ours" else []
    with working("splitting and measuring", quiet=quiet):
        made = workbench.split(dataset, by=by, structures=structures, **sizes, **options)
    if out is not None:
        made.write(out, form=form, order=order)
    value = {**made.measured, "file": None if out is None else str(out)}
    value["seconds"] = round(time.perf_counter() - start, 3)

    def show(console: Console) -> None:
        console.print(measured_table({by: made.measured}))
        if out is not None:
            console.print(f"written to {out}", soft_wrap=True)
        print_signature(console, made.measured["signature"])

    print_result(value, show, as_json=as_json)
    if out is None:
        note("nothing was written; give -o FILE to keep the split", quiet=quiet)
