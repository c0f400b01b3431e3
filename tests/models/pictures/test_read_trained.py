"""A model that was trained elsewhere answers at home as it did there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("PIL")

from recombine.errors import InputFileError, UnknownNameError
from recombine.models.pictures.making.study_arrays import make_arrays
from recombine.models.pictures.picture_data import PictureData
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pictures.read_trained import read_trained
from recombine.models.pictures.run import main
from recombine.models.pictures.store import load, save
from recombine.models.pictures.study_folder import PictureCell, PictureStudy, write_study
from recombine.workbench import load as load_data


def test_there_and_back(asked: Path, tiny: Mapping[str, Any], tmp_path: Path) -> None:
    data, given = load_data(asked), PictureData.of(tiny)
    arrays = make_arrays(list(data), data.opened_world, settings=given.arrays, train=range(48))
    rows = {"train": np.arange(48, dtype=np.int32), "test": np.arange(48, 60, dtype=np.int32)}
    cells = (
        PictureCell("regions/iid/0", "regions", 0, "train", "", "test"),
        PictureCell("text/iid/0", "text", 0, "train", "", "test"),
    )
    known = {each.name for each in fields(PictureSettings)}
    settings = {name: value for name, value in tiny.items() if name in known}
    study = PictureStudy(
        arrays.words.listed,
        tuple(arrays.answers),
        arrays.pictures,
        arrays.other,
        arrays.grounding,
        arrays.questions,
        rows,
        cells,
        settings,
    )
    export, out = tmp_path / "export", tmp_path / "out"
    write_study(export, study)
    options = [
        "--out",
        str(out),
        "--work",
        str(tmp_path / "work"),
        "--minutes",
        "5",
        "--device",
        "cpu",
        "--keep",
        "iid",
    ]
    assert main([str(export), *options]) == 0
    with np.load(out / "predictions.npz") as predicted:
        for cell in cells:
            wanted = [arrays.answers[number] for number in predicted[cell.name].tolist()]
            parser = read_trained(export, out, cell.name, data=given, device="cpu")
            queries = [each.query for each in list(data)[48:]]
            assert parser.predict(queries, data.opened_world) == wanted
            save(parser, tmp_path / "kept", "")
            assert load(tmp_path / "kept").predict(queries, data.opened_world) == wanted
    with pytest.raises(UnknownNameError, match="unknown cell 'regions/iid/1'"):
        read_trained(export, out, "regions/iid/1")
    (out / "text-iid-0.safetensors").rename(out / "regions-iid-0.safetensors")
    with pytest.raises(InputFileError, match="holds no weights of the cell regions/iid/0"):
        read_trained(export, out, "regions/iid/0")
