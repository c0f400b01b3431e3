"""`recombine report`: one page on what splits hold out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result, print_signature, working
from recombine.cli.shared.options import Definition, Json, Language, Quiet, Seed, Source, Target
from recombine.cli.shared.render import print_not_measured
from recombine.cli.shared.split_argument import split_argument
from recombine.cli.shared.split_names import split_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console


def report(
    splits: Annotated[
        list[str],
        typer.Argument(metavar="SPLIT…", help="Split ids such as scan/mcd1, or split files, all of one data set."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The HTML file to write; written whole or not at all.")],
    data: Annotated[
        str | None, typer.Option("--data", metavar="DATA", help="The data, where the split does not name it.")
    ] = None,
    structures: Definition = None,
    against: Annotated[str, typer.Option(help="The part that train is compared with.")] = "test",
    examples: Annotated[int, typer.Option(help="How many examples of each part the page keeps for browsing.")] = 200,
    figures: Annotated[
        Path | None, typer.Option("--figures", metavar="DIR", help="A directory for figures (SVG) and tables (CSV).")
    ] = None,
    parser: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="A page on this NQG parser instead: rules and derivations.")
    ] = None,
    source: Source = None,
    target: Target = None,
    language: Language = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show what splits hold out, as one HTML page; or a parser."""
    from recombine import workbench
    from recombine.files import check_writable, write_whole
    from recombine.pages.splits.figure_files import figure_files
    from recombine.pages.splits.not_measured import not_measured
    from recombine.pages.splits.report_data import build_data, check_options
    from recombine.pages.splits.report_html import render_html
    from recombine.structures.definition import Structures

    check_options(against=against, examples=examples, seed=seed)
    if parser is not None:
        from recombine.cli.shared.parser_report import parser_report

        parser_report(
            parser,
            splits,
            data or _data_of(splits),
            out,
            part=against,
            examples=examples,
            seed=seed,
            named={"source": source, "target": target, "language": language},
            as_json=as_json,
            quiet=quiet,
        )
        return
    if structures is not None:
        Structures.parse(structures)
    check_writable(out)
    _check_directory(figures)
    names = split_names(splits)
    with working("loading the data", quiet=quiet):
        named = {"source": source, "target": target, "language": language}
        dataset = workbench.load_for(data or _data_of(splits), splits, **named)
        loaded = {name: split_argument(dataset, split, quiet=quiet) for name, split in zip(names, splits, strict=True)}
    with working("finding atoms and compounds (the first run compiles)", quiet=quiet):
        features = workbench.features(dataset, structures) if structures or dataset.structures else None
    with working("writing the report", quiet=quiet):
        built = build_data(dataset, loaded, features, against=against, examples=examples, seed=seed)
        page = render_html(built)
        written = [] if figures is None else _write_files(figures, figure_files(built))
        write_whole(out, page)
    value = {
        "file": str(out),
        "bytes": len(page),
        "splits": [{"split": split.name, **split.measured} for split in built.splits],
        "figures": written,
    }

    def show(console: Console) -> None:
        kept = f", {len(written)} files in {figures}" if written else ""
        console.print(f"written to {out} ({len(page) / 1e6:.1f} MB){kept}", soft_wrap=True)
        print_not_measured(console, not_measured(built.splits))
        for split in built.splits:
            print_signature(console, split.measured["signature"])

    print_result(value, show, as_json=as_json)


def _write_files(directory: Path, files: Mapping[str, bytes]) -> list[str]:
    """Write files into a directory, made where it is missing, and give their paths."""
    from recombine.files import write_whole

    directory.mkdir(exist_ok=True)
    for name, content in files.items():
        write_whole(directory / name, content)
    return [str(directory / name) for name in files]


def _check_directory(path: Path | None) -> None:
    """Refuse a directory, where one is named, that cannot be made or written to."""
    from recombine.errors import OutputFileError
    from recombine.files import check_writable

    if path is None:
        return
    if path.is_dir():
        check_writable(path / "table.csv")
    elif path.exists():
        raise OutputFileError(f"{path}: is a file", "give a directory for the figures")
    else:
        check_writable(path)


def _data_of(splits: Sequence[str]) -> str:
    """The data set that all splits name."""
    from recombine.errors import SplitError

    named = [_named_data(split) for split in splits]
    for split, name in zip(splits, named, strict=True):
        if name != named[0]:
            raise SplitError(
                f"{splits[0]} is a split of {named[0]}, {split} one of {name}", "report on one data set at a time"
            )
    return named[0]


def _named_data(split: str) -> str:
    """The data set that a split names: the front of its id, or what its file says."""
    from recombine.datasets.catalogue import CATALOGUE, data_of_split
    from recombine.errors import OptionError, SplitError, UnknownNameError
    from recombine.records.split import FORM, read_split_file

    front = split.rpartition("/")[0]
    if not Path(split).exists() and not Path(split).suffix:
        named = data_of_split(split)
        if named is not None:
            return named
        if front:
            raise UnknownNameError("data set", front, CATALOGUE)
        raise OptionError(
            f"{split} does not say which data it splits", f"write for example scan/{split}, or give --data"
        )
    record = read_split_file(split)
    if record.get("form") != FORM:
        raise OptionError(f"{split} does not say which data it splits", "name the data with --data")
    if "data" not in record:
        raise SplitError(f"{split}: the key 'data' is missing", "write the split again")
    name = str(record["data"])
    if name not in CATALOGUE:
        hint = f", such as --data {record['data_path']}" if record.get("data_path") else ""
        raise OptionError(
            f"{split} splits {name}, which is not in the catalogue", f"name the data file with --data{hint}"
        )
    return name
