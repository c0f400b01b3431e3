"""The tables of `recombine kbqa info` fit a terminal of 100 columns."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_kbqa_set import write_set

import recombine
from recombine.cli.main import run


def test_tables_are_100_columns_wide_at_most(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_set(tmp_path / "films.jsonl")
    split = recombine.split(recombine.load(path, language="sexpression"), by="random", train=3, test=3, seed=1)
    split.write(tmp_path / "films.split.json")
    with pytest.raises(SystemExit) as ended:
        run(["kbqa", "info", str(path), "--quiet"])
    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line) for line in lines if not line.startswith(("not told", "note"))) <= 100
    (head,) = (line for line in lines if line.startswith("levels: films.split.json"))
    assert head.split()[2:] == ["i.i.d.", "compositional", "zero-shot", "all"]
    assert [line.split()[1:] for line in lines if line.startswith("count ")] == [
        ["1", "16.7", "%", "3,463", "5.4", "%"]
    ]
