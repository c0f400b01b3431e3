"""The folder of a study comes back as it was; cells that name what is not there are refused, as is a strange folder."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from few_questions import SCHEMA, few_questions

from recombine.errors import InputFileError, OptionError, OutputFileError
from recombine.models.kbqa.arrays.study_folder import KbqaCell, KbqaStudy, read_study, write_study

CELL = KbqaCell("a/1", 1, "train", "dev", "test", "gold", "linker", {"inference": "transduction"}, "b")
STUDY = KbqaStudy(
    SCHEMA,
    {"gold": few_questions(range(20)), "linker": few_questions(range(5, 12))},
    {name: np.array(at, np.int32) for name, at in {"train": [0, 3, 19], "dev": [], "test": [0, 6], "x/ü": [1]}.items()},
    (CELL, KbqaCell("b", 2, "", "", "test", "gold", "gold")),
    {"encoder": "scratch"},
    {"data": "few"},
)


def test_it_comes_back(tmp_path: Path) -> None:
    write_study(tmp_path / "study", STUDY)
    back = read_study(tmp_path / "study")
    assert (back.cells, dict(back.settings), dict(back.notes)) == (STUDY.cells, STUDY.settings, STUDY.notes)
    assert {name: rows.tolist() for name, rows in back.rows.items()} == {
        "train": [0, 3, 19],
        "dev": [],
        "test": [0, 6],
        "x/ü": [1],
    }
    assert list(back.questions) == ["gold", "linker"]
    assert back.questions["linker"].texts == STUDY.questions["linker"].texts
    assert back.schema.words == SCHEMA.words


def test_an_export_replaces_an_earlier_one_and_nothing_else(tmp_path: Path) -> None:
    write_study(tmp_path, STUDY)
    write_study(tmp_path, replace(STUDY, questions={"gold": STUDY.questions["gold"]}, cells=()))
    assert [path.name for path in (tmp_path / "questions").iterdir()] == ["0.npz"]
    other = tmp_path / "other"
    other.mkdir()
    (other / "rows.npz").write_text("mine")
    with pytest.raises(OutputFileError, match="would be overwritten"):
        write_study(other, STUDY)
    assert (other / "rows.npz").read_text() == "mine"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"train": "none"}, "no rows 'none'"),
        ({"test_questions": "none"}, "no questions 'none'"),
        ({"test": "train"}, "go beyond the 7 questions 'linker'"),
    ],
)
def test_a_cell_that_names_what_is_not_there_is_refused(change: dict[str, str], why: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=why):
        write_study(tmp_path, replace(STUDY, cells=(replace(CELL, **change),)))  # type: ignore[arg-type]
    assert not (tmp_path / "study.json").exists()


def test_rows_out_of_order_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="not in the order"):
        write_study(tmp_path, replace(STUDY, rows={**STUDY.rows, "y": np.array([2, 1], np.int32)}))


def test_a_folder_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    write_study(tmp_path, STUDY)
    record = json.loads((tmp_path / "study.json").read_text())
    for change, why in (
        ({"form": "recombine-kbqa/0"}, "not a folder of this form"),
        ({"cells": None}, "cells is missing"),
        ({"cells": [{"name": "a"}]}, "not cells of this form"),
        ({"rows": ["train"]}, "has not the rows"),
        ({"questions": ["gold", "linker", "third"]}, "no such file of arrays"),
        ({"questions": ["gold"]}, "no questions 'linker'"),
    ):
        (tmp_path / "study.json").write_text(json.dumps({**record, **change}))
        with pytest.raises(InputFileError, match=why):
            read_study(tmp_path)
    (tmp_path / "study.json").write_text("{")
    with pytest.raises(InputFileError, match="broken JSON"):
        read_study(tmp_path)
