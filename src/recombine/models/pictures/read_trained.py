"""A model that was trained elsewhere, from the folder that was exported and the folder that came back.

`run --keep TEXT` writes the weights of cells whose names hold a text, and the detector that they look with; with the
words and answers of the export these are a parser, which `save` keeps as `train` does and `predict` takes.
"""

from __future__ import annotations

import json
from pathlib import Path

from recombine.errors import InputFileError, UnknownNameError
from recombine.models.pictures.arrays.picture_arrays import PictureArrays
from recombine.models.pictures.arrays.words import Words
from recombine.models.pictures.parser import PictureParser
from recombine.models.pictures.picture_data import PictureData
from recombine.models.pictures.picture_settings import PictureSettings
from recombine.models.pictures.store import check_vocabulary
from recombine.models.pictures.study_folder import OTHER, read_record


def read_trained(
    export: Path | str, results: Path | str, cell: str, *, data: PictureData | None = None, device: str = ""
) -> PictureParser:
    """The parser of a cell; `data` says how arrays were made where that was not the usual way."""
    from recombine.models.pictures.nets.detector import Detector
    from recombine.models.pictures.training.stage_store import load_stage, stage_key

    export, results = Path(export), Path(results)
    record = read_record(export)
    cells = {each["name"]: each for each in record["cells"]}
    if cell not in cells:
        raise UnknownNameError("cell", cell, cells)
    path = results / f"{cell.replace('/', '-')}.safetensors"
    weights, said = load_stage(path)
    if said.get("cell") != cell:
        raise InputFileError(f"{path}: holds no weights of the cell {cell}", "give the folder that came back for it")
    settings = PictureSettings.from_dict(json.loads(said["settings"]))
    parser = PictureParser(settings, data or PictureData(), cells[cell]["seed"], device)
    parser.words, parser.answers, parser.weights = Words(tuple(record["words"])), list(record["answers"]), weights
    check_vocabulary(parser, results)
    if settings.looks:
        other = PictureArrays.read(export / OTHER)
        key = stage_key(other.digest(), settings.detector_part())
        state, _ = load_stage(results / f"detector-{key}.safetensors", key)
        parser.detector = Detector.from_state(settings, other.name_list, other.attribute_list, state)
    return parser
