"""`recombine train`: a parser from the examples of a part of a split, kept in a folder."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result, print_signature
from recombine.cli.shared.exit_codes import INTERRUPTED
from recombine.cli.shared.induction_options import (
    Effort,
    NoBalance,
    NoRepeated,
    Preset,
    Restarts,
    Sample,
    SearchTerminalBits,
    TerminalBits,
)
from recombine.cli.shared.options import Data, Json, Language, Quiet, Seed, Source, Target, World
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from rich.console import Console


def train(
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the parser; made where it is missing.")],
    split: Annotated[
        str | None, typer.Argument(metavar="SPLIT", help="Train on one part of this split; default: all the data.")
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            "--model", help="nqg, a preset such as cfq:transformer, pretrained:PATH, or hybrid; see docs/models.md."
        ),
    ] = "nqg",
    part: Annotated[str, typer.Option(help="The part of the split to train on.")] = "train",
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of the model; may be given several times."),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(help="Steps of training, of nqg's scorer or of a whole model; default: by preset."),
    ] = None,
    grammar: Annotated[
        Path | None, typer.Option(help="nqg: a grammar that `induce` wrote, in place of an induction.")
    ] = None,
    preset: Preset = "default",
    restarts: Restarts = None,
    sample: Sample = None,
    terminal_bits: TerminalBits = None,
    search_terminal_bits: SearchTerminalBits = None,
    no_repeated_targets: NoRepeated = False,
    no_balance_parentheses: NoBalance = False,
    effort: Effort = None,
    members: Annotated[int | None, typer.Option(help="nqg: the starts whose rules are joined; default 2.")] = None,
    prior: Annotated[float | None, typer.Option(help="nqg: the precision of the prior on weights.")] = None,
    scorer: Annotated[
        str | None, typer.Option(help="nqg: what scores derivations, loglinear (the default) or neural.")
    ] = None,
    neural_preset: Annotated[
        str | None, typer.Option(help="nqg: settings of the neural scorer, default or nqg:paper.")
    ] = None,
    encoder: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="nqg: a pretrained encoder for the neural scorer.")
    ] = None,
    device: Annotated[str, typer.Option(help="Where torch trains; default: cpu for nqg, else a GPU if there.")] = "",
    target_grammar: Annotated[
        Path | None, typer.Option(help="nqg: a CFG of valid targets; default: what the language can parse.")
    ] = None,
    any_target: Annotated[bool, typer.Option("--any-target", help="nqg: every target is valid.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="nqg: abstain where the best derivation's target is not valid.")
    ] = False,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
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
            set=set_,
            steps=steps,
            grammar=grammar,
            preset=preset,
            restarts=restarts,
            sample=sample,
            terminal_bits=terminal_bits,
            search_terminal_bits=search_terminal_bits,
            no_repeated_targets=no_repeated_targets,
            no_balance_parentheses=no_balance_parentheses,
            effort=effort,
            members=members,
            prior=prior,
            scorer=scorer,
            neural_preset=neural_preset,
            encoder=encoder,
            device=device,
            target_grammar=target_grammar,
            any_target=any_target,
            strict=strict,
            source=source,
            target=target,
            language=language,
            world=world,
            seed=seed,
        )
        trained.write(out)
    value = {**trained.to_dict(), "seconds": round(time.perf_counter() - began, 3)}

    def show(console: Console) -> None:
        console.print(trained.description, soft_wrap=True)
        console.print(f"written to {out} in {value['seconds']:.1f} s", soft_wrap=True)
        print_signature(console, trained.signature)

    print_result(value, show, as_json=as_json)
    if trained.interrupted:
        note("the induction was interrupted; the scorer was trained for the best grammar until then", quiet=quiet)
        raise typer.Exit(INTERRUPTED)
