"""Arguments and options that several verbs share, with one help text each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA", help="A data set of the catalogue, a .jsonl, .tsv or .parquet file, or hub:OWNER/NAME."
    ),
]
SplitName = Annotated[
    str,
    typer.Argument(
        metavar="SPLIT", help="A split id such as scan/mcd1, or a split file (ours, the CFQ release's, NQG's)."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output and nothing else there.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No messages and no progress on standard error.")]
Seed = Annotated[int, typer.Option("--seed", help="The seed of every random choice; same seed, same bytes.")]
Source = Annotated[
    str | None,
    typer.Option("--source", help="The field that holds the source; default: as a split file says, or source."),
]
Target = Annotated[
    str | None,
    typer.Option("--target", help="The field that holds the target; default: as a split file says, or target."),
]
Language = Annotated[
    str | None,
    typer.Option("--language", help="The language of a file's targets, such as funql; default: as a split file says."),
]
Definition = Annotated[
    str | None,
    typer.Option(
        "--structures",
        metavar="DEF",
        help="What counts as atoms and compounds, such as dag:2-9,counts or cfq-table3; default: as the data set says.",
    ),
]
Out = Annotated[Path | None, typer.Option("--out", "-o", help="The file to write; written whole or not at all.")]
