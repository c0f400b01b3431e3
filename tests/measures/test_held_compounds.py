"""How many compounds examples hold, and how many entries of a part hold none."""

from __future__ import annotations

from pathlib import Path

import pytest

import recombine
from recombine.cli.main import run
from recombine.measures.held_compounds import held_compounds, without_compounds
from recombine.pages.splits.measures_table import table
from recombine.structures.features import Features

PROGRAMS = [("one", "f ( a )"), ("two", "a"), ("three", "f ( g ( a ) )"), ("four", "a"), ("five", "g ( a )")]
"""Of pairs of symbols, two of them hold none."""


def test_different_compounds_are_counted() -> None:
    rows = Features.from_rows([{"a": 3.0, "b": 1.0}, {}, {"a": 0.5}])
    assert held_compounds(rows).tolist() == [2, 0, 1]
    weightless = Features(rows.indptr, rows.indices, rows.data * [1, 0, 0], rows.names)
    assert held_compounds(weightless).tolist() == [1, 0, 0]


def test_entries_that_repeat_count_each_time() -> None:
    rows = Features.from_rows([{"a": 1.0}, {}, {}])
    assert without_compounds(rows, {"train": [0, 1, 1], "test": [0, 0, 2]}) == {
        "without_compounds": {"train": 2, "test": 1}
    }
    assert without_compounds(rows, {"train": [0], "test": [0, 0]}) == {}


def written(folder: Path, pairs: list[tuple[str, str]], test: list[int]) -> list[str]:
    """What measures a split of these programs, on the command line."""
    data, split = folder / "data.tsv", folder / "split.json"
    data.write_text("source\ttarget\n" + "".join(f"{one}\t{other}\n" for one, other in pairs))
    loaded = recombine.load(data, language="funql")
    ids = loaded.ids
    parts = {
        "train": tuple(key for row, key in enumerate(ids) if row not in test),
        "test": tuple(ids[row] for row in test),
    }
    made = recombine.Split(parts, loaded.name, loaded.hash, recombine.Signature.of(by="hand"), reading=loaded.reading)
    made.write(split)
    return ["measure", str(data), str(split)]


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    with pytest.raises(SystemExit) as ended:
        run(words)
    assert ended.value.code == 0
    return capsys.readouterr().out.split("\n")


def test_measure_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = written(tmp_path, PROGRAMS, [1, 4])
    measured = recombine.measure(*words[1:]).to_dict()
    assert measured["without_compounds"] == {"train": 1, "test": 1}
    (row,) = [line for line in printed(words, capsys) if line.startswith(" examples without compounds")]
    assert row.split()[-5:] == ["1", "(33%)", "/", "1", "(50%)"]
    labels = {each.label: each.values for group in table([measured], "test") for each in group.rows}
    assert (labels["without compounds: train"], labels["without compounds: test"]) == ((1,), (1,))


def test_where_each_holds_one_there_is_neither_key_nor_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = written(tmp_path, [pair for pair in PROGRAMS if "(" in pair[1]], [2])
    measured = recombine.measure(*words[1:]).to_dict()
    assert "without_compounds" not in measured
    assert not any("without" in line for line in printed(words, capsys))
    assert not any("without" in each.label for group in table([measured], "test") for each in group.rows)
