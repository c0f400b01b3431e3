"""`recombine download`: published data from the repositories that hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet
from recombine.cli.shared.terminal import terminal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console


def download(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Data sets, such as scan or spider; without any, what there is."),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Everything that has a pinned public address.")] = False,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="URL|DIR",
            help="A mirror with OWNER/REPOSITORY/COMMIT/PATH below it, or the folder of raw files of one's own.",
        ),
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds to wait for a server that sends nothing.")] = 30.0,
    retries: Annotated[int, typer.Option(help="How often a transfer that breaks off is tried again.")] = 3,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a file that is there with another content.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fetch published data into the data directory, checked and converted."""
    from recombine import workbench
    from recombine.workbench.download import DownloadList

    with terminal(quiet=quiet):
        result = workbench.download(
            names or (), all=all_, from_=from_, timeout=timeout, retries=retries, overwrite=overwrite
        )
    value = result.to_dict()

    def show(console: Console) -> None:
        if isinstance(result, DownloadList):
            _print_list(console, value)
        else:
            _print_outcomes(console, value["datasets"])
        console.print(str(result), soft_wrap=True)

    print_result(value, show, as_json=as_json)


def _grid(columns: Iterable[dict[str, Any]]) -> Any:
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for column in columns:
        table.add_column(**column)
    return table


def _print_list(console: Console, value: dict[str, Any]) -> None:
    whole: dict[str, Any] = {"no_wrap": True}
    table = _grid(({**whole, "style": "bold"}, {**whole, "justify": "right"}, whole, {"overflow": "fold"}))
    for row in value["datasets"]:
        number, missing = len(row["files"]), row["missing"]
        state = "here" if not missing else "missing" if missing == number else f"{missing} of {number} missing"
        table.add_row(row["data"], _size(row["bytes"]), state, "; ".join(row["licences"]))
    console.print(table)
    console.print("without a pinned public address", style="bold")
    own = _grid(({"no_wrap": True}, {"overflow": "fold"}))
    for row in value["unpinned"]:
        own.add_row(f"  {row['data']}", f"{row['reason']}; {row['remedy']}")
    console.print(own)


def _size(count: int) -> str:
    """A number of bytes; 0 is one that is not known."""
    if not count:
        return "?"
    return f"{count / 1e6:,.1f} MB" if count >= 1e5 else f"{count / 1e3:,.1f} kB"


def _print_outcomes(console: Console, rows: Iterable[dict[str, Any]]) -> None:
    for row in rows:
        if "records" in row:
            _print_own(console, row)
            continue
        console.print(row["data"], style="bold")
        table = _grid(({"no_wrap": True}, {"overflow": "fold"}))
        for file, state in row["files"].items():
            table.add_row(f"  {file}", state)
        console.print(table)
        console.print(f"  licence: {'; '.join(row['licences'])}", style="dim", soft_wrap=True)
        for file, note in row["notes"].items():
            console.print(f"  {file}: {note}", style="dim", soft_wrap=True)


def _print_own(console: Console, row: dict[str, Any]) -> None:
    console.print(row["data"], style="bold")
    console.print(f"  {row['file']}: {row['records']:,} records, to be read with --language {row['language']}")
    for reason, count in row["left_out"].items():
        first = row["first_left_out"][reason]
        console.print(f"  left out: {count:,} ({reason}; the first is {first})", soft_wrap=True)
