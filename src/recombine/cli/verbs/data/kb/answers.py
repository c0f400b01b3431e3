"""`recombine kb answers`: what people answered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.data.kb.kb_app import app

if TYPE_CHECKING:
    from rich.console import Console


@app.command("answers")
def answers(
    sent: Annotated[Path, typer.Argument(metavar="SENT", help="The lines that kb tasks wrote.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Files of answers, earlier work first.")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the answers that were taken.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check what people answered; what is dropped is counted by its reason, and earlier work is kept."""
    from recombine import workbench
    from recombine.files import check_writable

    with terminal(quiet=quiet):
        if out is not None:
            check_writable(out)
        result = workbench.kb_answers(sent, files)
        if out is not None:
            result.write(out)

    def show(console: Console) -> None:
        console.print(str(result), soft_wrap=True)
        for reason, count in result.read.dropped.items():
            first = result.read.first_dropped[reason]
            console.print(f"{count:>12,}  {reason}, the first: {first}", soft_wrap=True, markup=False, highlight=False)

    print_result({**result.to_dict(), "file": None if out is None else str(out)}, show, as_json=as_json)
