"""The options of an induction, which `induce` and `train` share."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recombine.cli.shared.console import make_console

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from recombine.models.nqg.induction.induce import Progress
    from recombine.models.nqg.induction.induction_settings import InductionSettings
    from recombine.records.dataset import Dataset
    from recombine.records.split import Split

Preset = Annotated[str, typer.Option(help="default, or the paper's settings: nqg:scan, nqg:geoquery, nqg:spider.")]
Restarts = Annotated[int | None, typer.Option(help="Starts of the search; the grammar of the lowest L is kept.")]
Sample = Annotated[int | None, typer.Option(help="The search sees this many of the shortest examples; 0: all.")]
TerminalBits = Annotated[float | None, typer.Option(help="Bits of a token in L (l_T), which decides between starts.")]
SearchTerminalBits = Annotated[float | None, typer.Option(help="Bits of a token while searching.")]
NoRepeated = Annotated[
    bool, typer.Option("--no-repeated-targets", help="A slot stands once on the target side of a rule.")
]
NoBalance = Annotated[
    bool, typer.Option("--no-balance-parentheses", help="Sides of rules may have unbalanced parentheses.")
]
Effort = Annotated[float | None, typer.Option(help="A factor on the rounds of refinement; 0 is the greedy search.")]


def make_settings(
    preset: str, *, no_repeated_targets: bool, no_balance_parentheses: bool, **given: int | float | None
) -> InductionSettings:
    """The settings of a preset, changed where options were given."""
    from recombine.models.nqg.induction.induction_settings import InductionSettings

    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if no_repeated_targets:
        changes["repeated_targets"] = False
    if no_balance_parentheses:
        changes["balance_parentheses"] = False
    return InductionSettings.of(preset, **changes)


def pairs_to_learn(dataset: Dataset, split: Split | None, part: str) -> list[tuple[str, str]]:
    """The pairs of a part, or of all the data where there is no split."""
    from recombine.errors import RecordError, SplitError

    rows = range(len(dataset)) if split is None else split.positions(dataset, part)
    if not rows:
        what = f"the {part} part" if split is not None else dataset.name
        raise SplitError(f"{what} is empty, so there is nothing to learn from", "choose another part or other data")
    for example in (dataset[row] for row in rows):
        for side, text in (("source", example.source), ("target", example.target)):
            if "\n" in text or not text.strip(" "):
                problem = f"the {side} {'has a line break' if text.strip(' ') else 'is empty'}"
                raise RecordError(dataset.name, f"example {example.id}", problem, "mend it or leave it out")
    return [(dataset[row].source, dataset[row].target) for row in rows]


@contextmanager
def induction_progress(*, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """A line on a terminal with the rules and the lowest codelength so far; none elsewhere."""
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    console = make_console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (TextColumn("inducing, {task.fields[state]}"), BarColumn(bar_width=20), TimeElapsedColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None, state="beginning")

        def update(now: Progress) -> None:
            length = f"{now.codelength:,.0f}" if now.codelength < float("inf") else "–"
            state = f"start {now.start} of {now.starts}: {now.rules:,} rules, lowest L {length}"
            bar.update(task, completed=now.start - 1, total=now.starts, state=state)

        yield update
