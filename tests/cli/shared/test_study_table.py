"""The table of a study in terminals of several widths."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from rich.console import Console

from recombine.cli.shared.study_table import study_table
from recombine.studies.tables.summary import Mean, SummaryRow


def _shown(models: int, splits: int, width: int) -> list[str]:
    names = [f"model-with-a-name-{number}" for number in range(models)]
    study = SimpleNamespace(name="s", match="target", metric="", model=[SimpleNamespace(label=name) for name in names])
    mean = Mean(n=3, mean=51.2, interval=1.5, interval_kind="within")
    rows = [SummaryRow(f"split-{number}", (), 0.5, dict.fromkeys(names, mean)) for number in range(splits)]
    console = Console(width=width)
    with console.capture() as made:
        console.print(study_table(cast("Any", SimpleNamespace(study=study)), rows, width))
    return [line.strip() for line in made.get().splitlines()]


def test_models_stand_beside_each_other_where_they_fit() -> None:
    lines = _shown(3, 2, 100)
    assert any(line.startswith("split-1") and line.count("51.2") == 3 for line in lines)


def test_models_are_lines_where_they_do_not_fit() -> None:
    lines = _shown(20, 2, 100)
    assert [line.count("51.2") for line in lines if line.startswith("model-with-a-name-7 ")] == [2]
    assert any("split-0" in line and "split-1" in line for line in lines)
    assert max(map(len, lines)) < 100
