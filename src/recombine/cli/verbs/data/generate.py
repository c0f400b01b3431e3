"""`recombine generate`: data with derivations, from a grammar."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import note, print_result, tracked
from recombine.cli.shared.options import Json, Out, Quiet, Seed

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.grammars.synchronous.synchronous_grammar import SynchronousGrammar
    from recombine.grammars.terms.grammar import Grammar
    from recombine.records.example import Example


def generate(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="scan, covr, or a grammar file (.grammar, .scfg).")],
    number: Annotated[int | None, typer.Option("-n", help="How many distinct examples; default: all of them.")] = None,
    max_depth: Annotated[int | None, typer.Option(help="The greatest depth of a derivation.")] = None,
    out: Out = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make data with derivations from a grammar."""
    from recombine.datasets.files.tables import table_format, write_table
    from recombine.files import check_writable
    from recombine.grammars.find_grammar import find_grammar
    from recombine.records.dataset import Dataset
    from recombine.seeds import check_seed

    start = time.perf_counter()
    check_seed(seed)
    grammar = find_grammar(what)
    if out is not None:
        table_format(out)
        check_writable(out)
    examples, dropped = _examples_within_reach(grammar, number, seed=seed, max_depth=max_depth, quiet=quiet)
    rules = len(grammar.rule_names())
    dataset = Dataset.of(grammar.name, examples)
    if out is not None:
        write_table(examples, out)
    seconds = round(time.perf_counter() - start, 3)
    if dropped:
        note(f"{dropped} derivations make pairs that others make too; each pair is kept once", quiet=quiet)
    value = {
        "examples": len(examples),
        "same_pair_dropped": dropped,
        "seconds": seconds,
        "rules": rules,
        "hash": dataset.hash,
        "file": None if out is None else str(out),
    }

    def show(console: Console) -> None:
        where = f" → {out}" if out is not None else ""
        console.print(f"{len(examples):,} examples from {rules} rules in {seconds:.1f} s{where}", soft_wrap=True)
        if out is None:
            for example in examples[:3]:
                console.print(f"  {example.source}  →  {example.target}")
            console.print("  … give -o FILE (.jsonl, .tsv or .parquet) to keep them")
        console.print(str(dataset), style="dim")

    print_result(value, show, as_json=as_json)


def _examples_within_reach(
    grammar: Grammar | SynchronousGrammar, number: int | None, *, seed: int, max_depth: int | None, quiet: bool
) -> tuple[list[Example], int]:
    """What `_examples` gives; rules of a grammar call each other, and Python ends that at some depth."""
    from recombine.errors import SizeError

    try:
        return _examples(grammar, number, seed=seed, max_depth=max_depth, quiet=quiet)
    except RecursionError:
        raise SizeError(
            "derivations are too deep: their rules stand in too many others",
            "give a lower --max-depth, or shorten the grammar's chains of rules",
        ) from None


def _examples(
    grammar: Grammar | SynchronousGrammar, number: int | None, *, seed: int, max_depth: int | None, quiet: bool
) -> tuple[list[Example], int]:
    """The examples, and how many derivations were dropped because others make the same pair."""
    from recombine.errors import OptionError
    from recombine.grammars.synchronous.generate_synchronous import generate_synchronous
    from recombine.grammars.synchronous.synchronous_grammar import SynchronousGrammar
    from recombine.grammars.terms.generate_terms import generate_terms

    if isinstance(grammar, SynchronousGrammar):
        if max_depth is not None:
            raise OptionError("a synchronous grammar has no option --max-depth", "limit symbols with %nest in its file")
        return generate_synchronous(grammar, number, seed=seed)
    terms = generate_terms(grammar, number, seed=seed, max_depth=max_depth)
    steps = tracked(terms, "deriving", total=len(terms), quiet=quiet)
    examples = list({example.id: example for example in map(grammar.example, steps)}.values())
    return examples, len(terms) - len(examples)
