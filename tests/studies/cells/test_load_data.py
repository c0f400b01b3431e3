"""The data of a study: its path is kept as the study says it, so that splits have the same bytes wherever it is run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import recombine
from recombine.records.reading import Reading
from recombine.studies.cells.load_data import LazyFeatures, load_data
from recombine.studies.cells.make_split import SplitMaker
from recombine.studies.file.recipe import Recipe
from recombine.studies.file.study_file import DataTable

RECIPE = Recipe("random", "random", by="random", options={"test": 2})
TABLE = DataTable(file="mine.jsonl", source="question", target="query", language="funql")


def folder_with_data(folder: Path) -> Path:
    folder.mkdir()
    lines = (f'{{"question": "q {n}", "query": "answer ( m{n} )"}}\n' for n in range(6))
    (folder / "mine.jsonl").write_text("".join(lines))
    return folder


def test_the_folder_of_a_study_is_not_in_its_splits(tmp_path: Path) -> None:
    written = []
    for name in ("one", "two"):
        folder = folder_with_data(tmp_path / name)
        data = load_data(TABLE, folder)
        assert data.reading == Reading("funql", "question", "query", "mine.jsonl")
        SplitMaker(data, LazyFeatures(data), folder / "splits", folder).make(RECIPE)
        [path] = (folder / "splits").iterdir()
        written.append((path.name, path.read_bytes()))
    assert written[0] == written[1]


def test_how_data_was_read_is_in_no_key(tmp_path: Path) -> None:
    data = load_data(TABLE, folder_with_data(tmp_path / "here"))
    other = replace(data, path="elsewhere.jsonl", fields=("a", "b"))
    keys = {SplitMaker(one, LazyFeatures(one), tmp_path, tmp_path).key(RECIPE) for one in (data, other)}
    assert len(keys) == 1


def test_data_of_any_generator(tmp_path: Path) -> None:
    (tmp_path / "mine.grammar").write_text("%start <S>\nl: <S> -> a <S> => f ( <S> )\ne: <S> -> a => b\n")
    data = load_data(DataTable(generate="mine.grammar", n=3, max_depth=3, language="funql"), tmp_path)  # type: ignore[call-arg]
    assert [example.target for example in data] == ["f ( f ( b ) )", "f ( b )", "b"]
    assert (data.name, data.language and data.language.name) == ("mine", "funql")
    scan = load_data(DataTable(generate="scan", n=5, seed=3), tmp_path)
    assert scan == recombine.generate("scan", n=5, seed=3).dataset
    assert scan.patterns
