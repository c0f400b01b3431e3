"""`recombine split`: a split of a data set, measured."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import note, print_result, print_signature, search_progress, working
from recombine.cli.shared.exit_codes import INTERRUPTED
from recombine.cli.shared.options import Data, Definition, Json, Language, Out, Quiet, Seed, Source, Target
from recombine.cli.shared.render import measured_table, print_not_measured

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.records.dataset import Dataset
    from recombine.records.split import Split

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
    divergence: Annotated[
        float | None, typer.Option(help="mcd, tmcd: the wanted D_C, 0 for the lowest; default: the highest.")
    ] = None,
    max_atom_divergence: Annotated[
        float | None, typer.Option(help="mcd, tmcd: the cap on D_A; default 0.02 for mcd, none for tmcd.")
    ] = None,
    quota: Annotated[int | None, typer.Option(help="mcd, tmcd: the most test examples of one pattern.")] = None,
    quota_side: Annotated[
        str | None, typer.Option(help="mcd, tmcd: whose patterns; default source for mcd, target for tmcd.")
    ] = None,
    length_ratio: Annotated[
        str | None,
        typer.Option(
            metavar="LO:HI", help="mcd, tmcd: bounds on mean train length over mean test length, or source=LO:HI."
        ),
    ] = None,
    distinct: Annotated[
        int | None, typer.Option(help="mcd, tmcd: the fewest distinct patterns in test; of programs, for tmcd.")
    ] = None,
    min_atom_count: Annotated[
        int | None, typer.Option(help="mcd, tmcd: how often train must have every atom of test; default 1.")
    ] = None,
    published: Annotated[
        bool, typer.Option("--published", help="tmcd: the greedy procedure of the paper instead of the search.")
    ] = False,
    no_duplicates: Annotated[
        bool, typer.Option("--no-duplicates", help="random, mcd, tmcd: equal programs stay on one side.")
    ] = False,
    k_train: Annotated[int | None, typer.Option(help="template: the most train examples of one template.")] = None,
    k_test: Annotated[int | None, typer.Option(help="template: the most test examples of one template.")] = None,
    solvable: Annotated[
        bool, typer.Option("--solvable", help="template: divide anew until every symbol of test is in train.")
    ] = False,
    held_out: Annotated[
        str | None, typer.Option(help="grammar: the pairs of rules to hold out, rule+rule,…; default: drawn.")
    ] = None,
    grammar: Annotated[
        str | None, typer.Option(help="grammar: the grammar's name or file; default: that of the data's language.")
    ] = None,
    local: Annotated[
        str | None,
        typer.Option(help="local-structure: which structures, such as local:2,no-siblings; default local:2."),
    ] = None,
    similarity: Annotated[
        str | None, typer.Option(help="local-structure: how symbols are alike; contexts (default), relations or none.")
    ] = None,
    tokenisation: Annotated[
        str | None, typer.Option(help="local-structure: tree (default) or published, which parts labels of many words.")
    ] = None,
    max_templates: Annotated[
        float | None, typer.Option(help="local-structure: the largest share of templates in test; default 0.3.")
    ] = None,
    max_easiness: Annotated[
        float | None, typer.Option(help="local-structure: discard splits whose mean easiness is above this.")
    ] = None,
    half: Annotated[
        bool, typer.Option("--half", help="local-structure: hold out a random half of the similar structures only.")
    ] = False,
    number: Annotated[
        int | None, typer.Option(help="local-structure: which of the splits, the least easy being 0.")
    ] = None,
    effort: Annotated[
        float | None, typer.Option(help="mcd, tmcd: a factor on the search's budget of moves; default 1.")
    ] = None,
    best_effort: Annotated[
        bool,
        typer.Option(
            "--best-effort", help="mcd, tmcd: where constraints cannot be met, keep the best found all the same."
        ),
    ] = False,
    structures: Definition = None,
    out: Out = None,
    form: Annotated[str, typer.Option("--format", help="The form of the file: ours, cfq or nqg.")] = "ours",
    source: Source = None,
    target: Target = None,
    language: Language = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Split a data set and measure the split."""
    from recombine import workbench
    from recombine.datasets.catalogue import line_order
    from recombine.errors import InfeasibleError

    start = time.perf_counter()
    options: dict[str, Any] = {
        **_sizes(train=train, dev=dev, test=test),
        "seed": seed,
        "max_length": max_length,
        "name": name,
        "divergence": divergence,
        "max_atom_divergence": max_atom_divergence,
        "quota": quota,
        "quota_side": quota_side,
        "length_ratio": length_ratio,
        "distinct": distinct,
        "min_atom_count": min_atom_count,
        "published": published or None,
        "no_duplicates": no_duplicates or None,
        "k_train": k_train,
        "k_test": k_test,
        "solvable": solvable or None,
        "held_out": held_out,
        "grammar": grammar,
        "local": local,
        "similarity": similarity,
        "tokenisation": tokenisation,
        "max_templates": max_templates,
        "max_easiness": max_easiness,
        "half": half or None,
        "number": number,
        "effort": effort,
    }
    _check_options(by, options, structures, form, out)
    with working(f"loading {data}", quiet=quiet):
        dataset = workbench.load(data, source=source, target=target, language=language)
    order = line_order(dataset) if form != "ours" else []
    try:
        made = _split(dataset, by, options, structures, quiet=quiet)
    except InfeasibleError as error:
        if not best_effort or error.best is None:
            raise
        _finish(error.best, by, out, form, order, start, as_json=as_json, quiet=quiet, missed=error.problem)
        # Printed with --quiet too: without it, exit code 1 would have no reason.
        note(f"note: the best split found misses a constraint: {error.problem}", quiet=False)
        raise typer.Exit(error.exit_code) from None
    _finish(made, by, out, form, order, start, as_json=as_json, quiet=quiet)


def _sizes(**given: str | None) -> dict[str, int | float]:
    from recombine.splits.sizes import parse_size

    return {name: parse_size(text) for name, text in given.items() if text is not None}


def _check_options(by: str, options: dict[str, Any], structures: str | None, form: str, out: Path | None) -> None:
    """Say what is wrong with the options before anything is loaded or searched."""
    from recombine.errors import UnknownNameError
    from recombine.files import check_writable
    from recombine.records.split import FORMATS
    from recombine.splits.methods import make_splitter
    from recombine.structures.definition import Structures

    make_splitter(by, **options)
    if structures is not None:
        Structures.parse(structures)
    if form not in FORMATS:
        raise UnknownNameError("split format", form, FORMATS)
    if out is not None:
        check_writable(out)


def _split(dataset: Dataset, by: str, options: dict[str, Any], structures: str | None, *, quiet: bool) -> Split:
    from recombine import workbench
    from recombine.splits.methods import SPLITTERS

    if not SPLITTERS[by].needs_features:
        with working("splitting and measuring", quiet=quiet):
            return workbench.split(dataset, by=by, structures=structures, **options)
    with working("finding atoms and compounds", quiet=quiet):
        features = workbench.features(dataset, structures)
    with search_progress("searching", quiet=quiet) as progress:
        return workbench.split(dataset, by=by, structures=features, progress=progress, **options)


def _finish(
    made: Split,
    by: str,
    out: Path | None,
    form: str,
    order: list[str],
    start: float,
    *,
    as_json: bool,
    quiet: bool,
    missed: str | None = None,
) -> None:
    """Write the split and say what it is like; `missed` is what was asked and is not met."""
    from recombine.structures.programs.templates import TEXTS, TEXTS_NOTE

    if out is not None:
        made.write(out, form=form, order=order)
    notes = [TEXTS_NOTE] if made.signature.get("templates") == TEXTS else []
    value = {**made.measured, "notes": notes, "file": None if out is None else str(out)}
    if missed is not None:
        value["missed"] = missed
    value["seconds"] = round(time.perf_counter() - start, 3)

    def show(console: Console) -> None:
        console.print(measured_table({by: made.measured}))
        print_not_measured(console, made.measured["not_measured"])
        if out is not None:
            console.print(f"written to {out}", soft_wrap=True)
        print_signature(console, made.measured["signature"])

    print_result(value, show, as_json=as_json)
    for text in notes:
        note(text, quiet=quiet)
    if out is None:
        note("nothing was written; give -o FILE to keep the split", quiet=quiet)
    if made.signature.get("interrupted"):
        note("the search was interrupted; this is the best it had found", quiet=quiet)
        raise typer.Exit(INTERRUPTED)
