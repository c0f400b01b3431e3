"""`recombine induce`: a grammar of sources and targets from examples."""

from __future__ import annotations

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
    induction_progress,
    make_settings,
    pairs_to_learn,
)
from recombine.cli.shared.options import Data, Json, Language, Out, Quiet, Seed, Source, Target
from recombine.cli.shared.split_argument import split_argument

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.models.nqg.grammar import Qcfg
    from recombine.models.nqg.induction.codelength import Codelength
    from recombine.models.nqg.induction.induce import Induced
    from recombine.models.nqg.induction.induction_settings import InductionSettings

SHOWN = 10
"""The rules that are printed, the most used first."""


def induce(
    data: Data,
    split: Annotated[
        str | None, typer.Argument(metavar="SPLIT", help="Learn from one part of this split; default: all the data.")
    ] = None,
    part: Annotated[str, typer.Option(help="The part of the split to learn from.")] = "train",
    preset: Preset = "default",
    restarts: Restarts = None,
    sample: Sample = None,
    terminal_bits: TerminalBits = None,
    search_terminal_bits: SearchTerminalBits = None,
    no_repeated_targets: NoRepeated = False,
    no_balance_parentheses: NoBalance = False,
    effort: Effort = None,
    out: Out = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Induce a grammar that derives every example."""
    from dataclasses import replace

    from recombine import workbench
    from recombine.files import check_writable
    from recombine.models.nqg.induction.codelength import codelength
    from recombine.models.nqg.induction.induce import distinct_pairs
    from recombine.models.nqg.induction.induce import induce as induce_grammar
    from recombine.models.nqg.induction.uses import with_uses

    settings = make_settings(
        preset,
        restarts=restarts,
        sample=sample,
        terminal_bits=terminal_bits,
        search_terminal_bits=search_terminal_bits,
        no_repeated_targets=no_repeated_targets,
        no_balance_parentheses=no_balance_parentheses,
        effort=effort,
        seed=seed,
    )
    if out is not None:
        check_writable(out)
    with working(f"loading {data}", quiet=quiet):
        named = [] if split is None else [split]
        dataset = workbench.load_for(data, named, source=source, target=target, language=language)
        loaded = None if split is None else split_argument(dataset, split, quiet=quiet)
        pairs = pairs_to_learn(dataset, loaded, part)
    with induction_progress(quiet=quiet) as progress:
        induced = induce_grammar(pairs, settings, progress)
    with working("counting derivations", quiet=quiet):
        distinct = distinct_pairs(pairs)
        bits = {"terminal_bits": settings.terminal_bits, "slot_bits": settings.slot_bits}
        length = codelength(induced.grammar, distinct, **bits)
        grammar = replace(
            with_uses(induced.grammar, distinct), signature=_signature(induced, str(dataset), loaded, part)
        )
    if out is not None:
        grammar.write(out)
    value = _value(induced, grammar, length, len(pairs)) | {"file": None if out is None else str(out)}

    def show(console: Console) -> None:
        _show(console, value, grammar, settings, f"{part} of {split}" if split else data)
        print_signature(console, grammar.signature)

    print_result(value, show, as_json=as_json)
    if out is None:
        note("nothing was written; give -o FILE to keep the grammar", quiet=quiet)
    if induced.interrupted:
        note(
            "interrupted: this is the best grammar until then; it derives all examples, but later starts are missing",
            quiet=quiet,
        )
        raise typer.Exit(INTERRUPTED)


def _signature(induced: Induced, data: str, split: Any, part: str) -> str:
    """Where the examples come from, and then how the grammar was made."""
    from recombine.records.signature import Signature

    made = {key: value for key, value in Signature.parse(induced.grammar.signature).fields if key != "version"}
    front = Signature.of(data=data, part="all") if split is None else split.signature.with_fields(part=part)
    return str(front.with_fields(**made))


def _value(induced: Induced, grammar: Qcfg, length: Codelength, examples: int) -> dict[str, Any]:
    return {
        "rules": len(grammar),
        "codelength": length.total,
        "grammar_bits": length.grammar_bits,
        "data_bits": length.data_bits,
        "slots": length.slots,
        "terminals": length.terminals,
        "examples": examples,
        "distinct": length.examples,
        "searched": induced.searched,
        "searched_codelength": induced.codelength if induced.codelength < float("inf") else None,
        "leftover_rules": induced.added,
        "starts": [start.codelength for start in induced.starts],
        "interrupted": induced.interrupted,
        "seconds": round(induced.seconds, 3),
        "signature": grammar.signature,
    }


def _show(console: Console, value: dict[str, Any], grammar: Qcfg, settings: InductionSettings, title: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

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


def _counts(value: dict[str, Any], *names: str) -> str:
    return " / ".join(f"{value[name]:,}" for name in names)
