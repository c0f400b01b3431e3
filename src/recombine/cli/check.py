"""`recombine check`: whether a split is sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from recombine.cli.console import print_result, working
from recombine.cli.options import Data, Json, Language, Quiet, Seed, Source, SplitName, Target

if TYPE_CHECKING:
    from rich.console import Console


def check(
    data: Data,
    split: SplitName,
    train: Annotated[int | None, typer.Option(help="The number of entries train should have.")] = None,
    dev: Annotated[int | None, typer.Option(help="The number of entries dev should have.")] = None,
    test: Annotated[int | None, typer.Option(help="The number of entries test should have.")] = None,
    source: Source = "source",
    target: Target = "target",
    language: Language = None,
    as_json: Json = False,
    quiet: Quiet = False,
    seed: Seed = 0,  # noqa: ARG001  # every verb takes it; nothing here is random
) -> None:
    """Check a split; exit code 1 on problems."""
    from recombine import workbench

    sizes = {name: size for name, size in (("train", train), ("dev", dev), ("test", test)) if size is not None}
    with working(f"checking {split}", quiet=quiet):
        found = workbench.check(
            workbench.load(data, source=source, target=target, language=language), split, sizes=sizes
        )

    def show(console: Console) -> None:
        for problem in found["problems"]:
            console.print(f"problem: {problem}", style="red", soft_wrap=True)
        if not found["problems"]:
            console.print("no problems", style="green")
        sizes_text = ", ".join(f"{name} {size:,}" for name, size in found["sizes"].items())
        console.print(f"sizes: {sizes_text}; not used: {found['unused']:,}")
        for name, count in found["repeats"].items():
            if count:
                console.print(f"{name} repeats {count:,} entries")
        if found["empty"]:
            console.print(f"empty: {', '.join(found['empty'])}")

    print_result(found, show, as_json=as_json)
    if found["problems"]:
        raise typer.Exit(1)
