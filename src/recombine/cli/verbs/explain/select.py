"""`recombine select`: examples to train on, or to show in a prompt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import note, print_result, print_signature, working
from recombine.cli.shared.options import Data, Json, Language, Out, Quiet, Seed, Source, Target
from recombine.cli.shared.split_argument import split_argument

if TYPE_CHECKING:
    from rich.console import Console

    from recombine.records.dataset import Dataset
    from recombine.selection.select_examples import Prompts


def select(
    data: Data,
    number: Annotated[int, typer.Option("-k", help="How many examples; with programs to cover, how many for each.")],
    by: Annotated[
        str, typer.Option("--by", help="How: local-structure, coverage, random or template.")
    ] = "local-structure",
    split: Annotated[str | None, typer.Option(help="Select from one part of this split only.")] = None,
    part: Annotated[str, typer.Option(help="The part of the split to select from.")] = "train",
    program: Annotated[str | None, typer.Option(help="coverage: the program whose structures to cover.")] = None,
    predictions: Annotated[
        Path | None, typer.Option(help='coverage: JSON lines with "id" and "prediction", the programs to cover.')
    ] = None,
    structures: Annotated[
        str | None, typer.Option(metavar="DEF", help="Which structures; default local:2, for coverage local:4.")
    ] = None,
    similarity: Annotated[str, typer.Option(help="local-structure: contexts or relations.")] = "contexts",
    tokenisation: Annotated[str, typer.Option(help="How labels become symbols: tree or published.")] = "tree",
    out: Out = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Select examples to train on, or to show in a prompt."""
    from recombine import workbench
    from recombine.datasets.files.tables import table_format, write_table
    from recombine.files import check_writable
    from recombine.selection.select_examples import part_of, select_examples, select_prompts

    _check(by, program, predictions)
    if out is not None:
        table_format(out)
        check_writable(out)
    with working(f"loading {data}", quiet=quiet):
        named = [] if split is None else [split]
        dataset = workbench.load_for(data, named, source=source, target=target, language=language)
        pool = dataset
        if split is not None:
            pool = part_of(dataset, split_argument(dataset, split, quiet=quiet).part(part))
    options: dict[str, Any] = {"structures": structures, "tokenisation": tokenisation, "seed": seed}
    with working("selecting", quiet=quiet):
        if by == "coverage":
            programs = {"": program} if program is not None else _programs(predictions, dataset)
            value = _record(select_prompts(pool, programs, number, **options), single=program is not None)
        else:
            value = select_examples(pool, number, by=by, similarity=similarity, **options).to_record()
    if out is not None:
        write_table(pool.restricted(value["ids"]), out)

    def show(console: Console) -> None:
        _show(console, pool, value)

    print_result({**value, "file": None if out is None else str(out)}, show, as_json=as_json)
    if value.get("unparsable"):
        note(f"{len(value['unparsable']):,} programs cannot be read, so nothing was selected for them", quiet=quiet)


def _check(by: str, program: str | None, predictions: Path | None) -> None:
    from recombine.errors import OptionError, UnknownNameError
    from recombine.selection.select_examples import METHODS

    if by not in METHODS:
        raise UnknownNameError("way to select", by, METHODS)
    given = sum(value is not None for value in (program, predictions))
    if by == "coverage" and given != 1:
        raise OptionError("it is not clear what to cover", "give --program TEXT or --predictions FILE")
    if by != "coverage" and given:
        raise OptionError(f"--by {by} covers no program", "leave out --program and --predictions, or use --by coverage")


def _programs(path: Path | None, dataset: Dataset) -> dict[str, str]:
    """The predicted programs by id; an id that the data does not have is an error, as everywhere."""
    from recombine.errors import RecordError
    from recombine.evaluation.predictions import read_predictions

    programs: dict[str, str] = {}
    for row in read_predictions(str(path)).rows:
        if row.key not in dataset:
            raise RecordError(str(path), row.where, f"the id {row.key!r} is not in {dataset.name}", "give its data")
        if row.key in programs:
            raise RecordError(str(path), row.where, f"the id {row.key!r} stands there twice", "give one for each id")
        programs[row.key] = row.output
    return programs


def _record(prompts: Prompts, *, single: bool) -> dict[str, Any]:
    from recombine.errors import OptionError

    records = {key: selection.to_record() for key, selection in prompts.selections.items()}
    if single:
        if prompts.unparsable:
            raise OptionError(f"the program cannot be read: {prompts.unparsable['']}", "mend it")
        return records[""]
    ids = list(dict.fromkeys(key for record in records.values() for key in record["ids"]))
    signature = next((record["signature"] for record in records.values()), "")
    prompts_only = {key: {"ids": record["ids"], "note": record["note"]} for key, record in records.items()}
    return {"ids": ids, "prompts": prompts_only, "unparsable": dict(prompts.unparsable), "signature": signature}


def _show(console: Console, pool: Dataset, value: dict[str, Any]) -> None:
    if "prompts" in value:
        for key, record in value["prompts"].items():
            console.print(f"{key}  {' '.join(record['ids'])}", soft_wrap=True)
    else:
        for key, reason in zip(value["ids"], value["reasons"], strict=True):
            console.print(f"{key}  {pool[key].target}", soft_wrap=True)
            if reason:
                console.print(f"    for {reason}", soft_wrap=True)
        if value["note"]:
            console.print(value["note"], soft_wrap=True)
    if value["signature"]:
        print_signature(console, value["signature"])
