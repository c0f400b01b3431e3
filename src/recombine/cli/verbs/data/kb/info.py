"""`recombine kb info`: what an index holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.shared.console import print_result
from recombine.cli.shared.options import Json, Quiet
from recombine.cli.shared.terminal import terminal
from recombine.cli.verbs.data.kb.kb_app import app

if TYPE_CHECKING:
    from rich.console import Console


@app.command("info")
def info(
    place: Annotated[str, typer.Argument(metavar="PLACE", help="The folder of an index that kb build made.")],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what an index holds; every file of it is compared with its check sum."""
    from recombine import workbench

    with terminal(quiet=quiet):
        result = workbench.kb_info(place)

    def show(console: Console) -> None:
        console.print(str(result), soft_wrap=True)
        console.print(f"profile {result.profile}, names under {result.base}", soft_wrap=True)
        values = ", ".join(f"{count:,} of {name}" for name, count in result.values_of.items() if count)
        console.print(f"{result.counts['literals']:,} literals" + (f", with values {values}" if values else ""))
        if unread := result.counts["unreadable_literals"]:
            console.print(f"{unread:,} literals are not written as their type wants, and have no value")
        for relation, count in result.most_frequent.items():
            console.print(f"{count:>12,}  {relation}", soft_wrap=True)
        if (more := result.counts["relations"] - len(result.most_frequent)) > 0:
            console.print(f"              and {more:,} relations more")
        console.print(f"{result.bytes / 1e6:,.1f} MB, digest {result.digest}", style="dim", soft_wrap=True)

    print_result(result.to_dict(), show, as_json=as_json)
