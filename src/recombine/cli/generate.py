"""`recombine generate`: data with derivations, from a grammar."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.console import note, print_result, tracked
from recombine.cli.options import Json, Out, Quiet, Seed

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.grammars.grammar import Grammar
    from recombine.grammars.rule import Term

GENERATORS = ("scan",)


def generate(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="scan, or a grammar file (.grammar).")],
    number: Annotated[int | None, typer.Option("-n", help="How many distinct examples; default: all of them.")] = None,
    max_depth: Annotated[int | None, typer.Option(help="The greatest depth of a derivation.")] = None,
    out: Out = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make data with derivations from a grammar."""
    from recombine.datasets.tables import table_format, write_table
    from recombine.files import check_writable
    from recombine.grammars.generate_terms import generate_terms
    from recombine.records.dataset import Dataset
    from recombine.seeds import check_seed

    start = time.perf_counter()
    check_seed(seed)
    grammar = _grammar(what)
    if out is not None:
        table_format(out)
        check_writable(out)
    terms: list[Term] = generate_terms(grammar, number, seed=seed, max_depth=max_depth)
    steps = tracked(terms, "deriving", total=len(terms), quiet=quiet)
    examples = list({example.id: example for example in map(grammar.example, steps)}.values())
    dropped = len(terms) - len(examples)
    dataset = Dataset(grammar.name, tuple(examples))
    if out is not None:
        write_table(examples, out)
    seconds = round(time.perf_counter() - start, 3)
    if dropped:
        note(f"{dropped} derivations make pairs that others make too; each pair is kept once", quiet=quiet)
    value = {
        "examples": len(examples),
        "same_pair_dropped": dropped,
        "seconds": seconds,
        "rules": len(grammar.rule_names()),
        "hash": dataset.hash,
        "file": None if out is None else str(out),
    }

    def show(console: Console) -> None:
        where = f" → {out}" if out is not None else ""
        console.print(f"{len(examples):,} examples from {len(grammar.rule_names())} rules in {seconds:.1f} s{where}")
        if out is None:
            for example in examples[:3]:
                console.print(f"  {example.source}  →  {example.target}")
            console.print("  … give -o FILE (.jsonl, .tsv or .parquet) to keep them")
        console.print(str(dataset), style="dim")

    print_result(value, show, as_json=as_json)


def _grammar(what: str) -> Grammar:
    from recombine.errors import UnknownNameError
    from recombine.grammars.read_grammar import packaged_grammar, read_grammar

    if what in GENERATORS:
        return packaged_grammar(what)
    if Path(what).exists() or "." in Path(what).name:
        return read_grammar(what)
    raise UnknownNameError("generator", what, GENERATORS)
