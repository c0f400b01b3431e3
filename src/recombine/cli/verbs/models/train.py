"""`recombine train`: a parser from the examples of a part of a split, kept in a folder."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result, print_signature
from recombine.cli.shared.declared_options import given_options, with_options
from recombine.cli.shared.exit_codes import INTERRUPTED
from recombine.cli.shared.options import Data, Json, Language, Quiet, Seed, Source, Target, World
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from recombine.options import Option


def _declared() -> Sequence[Option]:
    from recombine.workbench.train import declared

    return declared()


@with_options(_declared, after="set_")
def train(
    context: typer.Context,
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the parser; made where it is missing.")],
    split: Annotated[
        str | None, typer.Argument(metavar="SPLIT", help="Train on one part of this split; default: all the data.")
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            help="nqg, a preset such as cfq:transformer, pretrained:PATH, kbqa or hybrid; see docs/models.md.",
        ),
    ] = "nqg",
    part: Annotated[str, typer.Option(help="The part of the split to train on.")] = "train",
    on: Annotated[
        str, typer.Option(help="What it learns to give: target, or answer: the field answer, in words.")
    ] = "target",
    tell: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD", help="Told behind the source; count:FIELD for the length of a list. Repeatable."),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of the model; may be given several times."),
    ] = None,
    device: Annotated[str, typer.Option(help="Where torch trains; default: cpu for nqg, else a GPU if there.")] = "",
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    work: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Of kbqa: where checkpoints lie until it is done; default: OUT.training beside it."
        ),
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train a parser and keep it in a folder."""
    from recombine import workbench
    from recombine.models.model_file import check_model_folder

    began = time.perf_counter()
    check_model_folder(out)
    with terminal(quiet=quiet):
        trained = workbench.train(
            data,
            split,
            model=model,
            part=part,
            on=on,
            tell=tell or (),
            set=set_,
            device=device,
            source=source,
            target=target,
            language=language,
            world=world,
            work=work or _beside(out),
            seed=seed,
            **given_options(context),
        )
        trained.write(out)
        if work is None:
            shutil.rmtree(_beside(out), ignore_errors=True)
    value = {**trained.to_dict(), "seconds": round(time.perf_counter() - began, 3)}

    def show(console: Console) -> None:
        console.print(trained.description, soft_wrap=True)
        console.print(f"written to {out} in {value['seconds']:.1f} s", soft_wrap=True)
        print_signature(console, trained.signature)

    print_result(value, show, as_json=as_json)
    if trained.interrupted:
        note("the induction was interrupted; the scorer was trained for the best grammar until then", quiet=quiet)
        raise typer.Exit(INTERRUPTED)


def _beside(out: Path) -> Path:
    """Where a training that can go on after a kill keeps its checkpoints: beside the folder of the parser."""
    return out.absolute().with_name(f"{out.absolute().name}.training")
