"""`recombine induce`: a grammar of sources and targets from examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result, print_signature
from recombine.cli.shared.declared_options import given_options, with_options
from recombine.cli.shared.exit_codes import INTERRUPTED
from recombine.cli.shared.options import Data, Json, Language, Out, Quiet, Seed, Source, Target, World
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from recombine.options import Option
    from recombine.workbench.induce import Induced

SHOWN = 10
"""The rules that are printed, the most used first."""


def _declared() -> Sequence[Option]:
    from recombine.workbench.induce import declared

    return declared()


@with_options(_declared, after="part")
def induce(
    context: typer.Context,
    data: Data,
    split: Annotated[
        str | None, typer.Argument(metavar="SPLIT", help="Learn from one part of this split; default: all the data.")
    ] = None,
    part: Annotated[str, typer.Option(help="The part of the split to learn from.")] = "train",
    out: Out = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    world: World = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Induce a grammar that derives every example."""
    from recombine import workbench
    from recombine.files import check_writable

    if out is not None:
        check_writable(out)
    with terminal(quiet=quiet):
        induced = workbench.induce(
            data,
            split,
            part=part,
            source=source,
            target=target,
            language=language,
            world=world,
            seed=seed,
            **given_options(context),
        )
    if out is not None:
        induced.write(out)

    def show(console: Console) -> None:
        _show(console, induced, f"{part} of {split}" if split else data)
        print_signature(console, induced.grammar.signature)

    print_result(induced.to_dict(), show, as_json=as_json)
    if out is None:
        note("nothing was written; give -o FILE to keep the grammar", quiet=quiet)
    if induced.interrupted:
        note(
            "interrupted: this is the best grammar until then; it derives all examples, but later starts are missing",
            quiet=quiet,
        )
        raise typer.Exit(INTERRUPTED)


def _show(console: Console, induced: Induced, title: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    value, grammar, settings = induced.to_dict(), induced.grammar, induced.settings
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(f"induced from {title}")
    table.add_column("", justify="right")
    for label, number in (
        ("rules", f"{value['rules']:,}"),
        ("of them whole examples that the search did not see", f"{value['leftover_rules']:,}"),
        ("examples / distinct / seen by the search", _counts(value, "examples", "distinct", "searched")),
        ("codelength L on the distinct examples, in bits", f"{value['codelength']:,.1f}"),
        (
            f"– of the rules: {settings.slot_bits:g} × {value['slots']:,} slots + "
            f"{settings.terminal_bits:g} × {value['terminals']:,} tokens",
            f"{value['grammar_bits']:,.1f}",
        ),
        ("– of the targets, given the rules", f"{value['data_bits']:,.1f}"),
        ("time", f"{value['seconds']:.1f} s"),
    ):
        table.add_row(label, number)
    console.print(table)
    ranked = sorted(grammar, key=lambda rule: -grammar.uses[rule])[:SHOWN]
    more = f", the {SHOWN} most used rules" if len(grammar) > SHOWN else ""
    console.print(f"uses{more}:")
    width = len(f"{grammar.uses[ranked[0]]:,}")
    for rule in ranked:
        console.print(f"{grammar.uses[rule]:>{width},}  {rule}", soft_wrap=True)
    if value["file"] is not None:
        console.print(f"written to {value['file']}", soft_wrap=True)


def _counts(value: Mapping[str, int], *names: str) -> str:
    return " / ".join(f"{value[name]:,}" for name in names)
