"""`recombine train`: a parser from the examples of a part of a split, kept in a folder."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import note, print_result, print_signature, working
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
    pairs_to_learn,
)
from recombine.cli.shared.options import Data, Json, Language, Quiet, Seed, Source, Target
from recombine.cli.shared.split_argument import split_argument

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.cli.shared.trainer import Trainer


def train(
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for the parser; made where it is missing.")],
    split: Annotated[
        str | None, typer.Argument(metavar="SPLIT", help="Train on one part of this split; default: all the data.")
    ] = None,
    model: Annotated[
        str, typer.Option("--model", help="nqg, or a sequence-to-sequence preset such as cfq:transformer.")
    ] = "nqg",
    part: Annotated[str, typer.Option(help="The part of the split to train on.")] = "train",
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
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Train a parser and keep it in a folder."""
    from recombine import workbench
    from recombine.records.signature import Signature

    began = time.perf_counter()
    options: dict[str, Any] = {
        "grammar": grammar,
        "preset": None if preset == "default" else preset,
        "restarts": restarts,
        "sample": sample,
        "terminal_bits": terminal_bits,
        "search_terminal_bits": search_terminal_bits,
        "no_repeated_targets": no_repeated_targets or None,
        "no_balance_parentheses": no_balance_parentheses or None,
        "effort": effort,
        "members": members,
        "prior": prior,
        "scorer": scorer,
        "neural_preset": neural_preset,
        "encoder": encoder,
        "target_grammar": target_grammar,
        "any_target": any_target or None,
        "strict": strict or None,
    }
    trainer = _trainer(
        model, {name: value for name, value in options.items() if value is not None}, steps, device, seed
    )
    check_folder(out)
    with working(f"loading {data}", quiet=quiet):
        named = [] if split is None else [split]
        dataset = workbench.load_for(data, named, source=source, target=target, language=language)
        loaded = None if split is None else split_argument(dataset, split, quiet=quiet)
        pairs = pairs_to_learn(dataset, loaded, part)
    made = Signature.of(data=dataset, part="all") if loaded is None else loaded.signature.with_fields(part=part)
    value = trainer.train(dataset, pairs, made, out, quiet=quiet)
    value = {"model": model, "examples": len(pairs), **value, "folder": str(out)}
    value["seconds"] = round(time.perf_counter() - began, 3)

    def show(console: Console) -> None:
        console.print(trainer.describe(value), soft_wrap=True)
        console.print(f"written to {out} in {value['seconds']:.1f} s", soft_wrap=True)
        print_signature(console, value["signature"])

    print_result(value, show, as_json=as_json)
    if value.get("interrupted"):
        note("the induction was interrupted; the scorer was trained for the best grammar until then", quiet=quiet)
        raise typer.Exit(INTERRUPTED)


def _trainer(model: str, options: dict[str, Any], steps: int | None, device: str, seed: int) -> Trainer:
    """The trainer of a model; a wrong name or option is refused before anything is loaded."""
    from recombine.errors import OptionError, UnknownNameError
    from recombine.models.seq2seq.presets import PRESETS
    from recombine.seeds import check_seed

    check_seed(seed)
    if steps is not None and steps < 1:
        raise OptionError(f"the number of steps is {steps}", "give 1 or more")
    if model == "nqg":
        from recombine.cli.shared.train_nqg import NqgTrainer

        return NqgTrainer.of(options, steps, device, seed)
    if model not in PRESETS:
        raise UnknownNameError("model", model, ["nqg", *PRESETS])
    if options:
        name = next(iter(options)).replace("_", "-")
        raise OptionError(f"the model {model} has no option --{name}", "it is for --model nqg")
    from recombine.cli.shared.train_seq2seq import Seq2SeqTrainer

    return Seq2SeqTrainer.of(model, steps, device, seed)


def check_folder(path: Path) -> None:
    """Refuse a folder that cannot be made or written to, or that holds something other than a parser."""
    from recombine.errors import OutputFileError
    from recombine.files import check_writable

    if path.is_dir():
        check_writable(path / "model.json")
        if any(path.iterdir()) and not (path / "model.json").is_file():
            raise OutputFileError(f"{path}: has files, but no parser", "give a new folder, or one with a parser")
    elif path.exists():
        raise OutputFileError(f"{path}: is a file", "give a folder for the parser")
    else:
        check_writable(path)
