"""Arguments and options that several verbs share, with one help text each."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated

import typer

from recombine.errors import InputWarning

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A data set of the catalogue, a .jsonl, .tsv, .csv, .parquet or .arrow file, a saved folder, or "
        "hub:OWNER/NAME.",
    ),
]
SplitName = Annotated[
    str,
    typer.Argument(
        metavar="SPLIT",
        help="A split id such as scan/mcd1, a split file (ours, the CFQ release's, NQG's), or all: all is test.",
    ),
]


def help_without_verb(context: typer.Context) -> None:
    """Print the help of a group where no verb of it was named."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit


def _hush(quiet: bool) -> bool:
    """Keep warnings about input from being printed."""
    if quiet:
        warnings.simplefilter("ignore", InputWarning)
    return quiet


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output and nothing else there.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", callback=_hush, help="No messages and no progress on standard error.")
]
Seed = Annotated[int, typer.Option("--seed", help="The seed of every random choice; same seed, same bytes.")]
Source = Annotated[
    str | None,
    typer.Option(
        "--source",
        help="The field of the source, within others such as turns.0.text, or its number where a TSV or CSV has no "
        "header; default: as the split says, or source.",
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        "--target",
        help="The field of the target, within others such as call.arguments, or its number where a TSV or CSV has no "
        "header; default: as the split says, or target.",
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        help="The language of a file's targets: a name such as funql, a language file FILE.toml, or MODULE:NAME; "
        "default: as a split file says.",
    ),
]
NearDuplicates = Annotated[
    float | None,
    typer.Option(
        "--near-duplicates",
        metavar="THRESHOLD",
        help="Count examples that are nearly in train: as large a share of the words of their sources, and of the "
        "tokens of their targets, is in both, such as 0.8.",
    ),
]
World = Annotated[
    str | None,
    typer.Option(
        "--world",
        "--kb",
        metavar="PATH|URL",
        help="The world that the data is about, such as a knowledge base or its endpoint; default: as the data's "
        "FILE.meta.json says.",
    ),
]
Definition = Annotated[
    str | None,
    typer.Option(
        "--structures",
        metavar="DEF",
        help="What counts as atoms and compounds, such as dag:2-9,counts or cfq-table3; default: as the data set says.",
    ),
]
Literals = Annotated[
    str | None,
    typer.Option(
        "--literals",
        metavar="keep|type|drop",
        help="How the literals of programs are counted: as they are, by their kinds, or not at all; default: type for "
        "data of one's own, keep for published data.",
    ),
]
Names = Annotated[
    str | None,
    typer.Option(
        "--names",
        metavar="keep|type",
        help="How names such as tables and columns are counted: as they are (the default), or by their kinds.",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="A dask scheduler such as tcp://host:8786, or local, local:2, local:2:4GB: DATA is then a folder of "
        "Parquet parts.",
    ),
]
DataFormat = Annotated[
    str,
    typer.Option(
        "--format", help="The form of the file: ours, as its name says; cfq or grailqa, those of the releases."
    ),
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="The file to write; written whole or not at all.")]
