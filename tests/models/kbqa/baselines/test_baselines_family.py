"""Baselines as models: trained, kept, read again and asked, over a small graph of films."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

import recombine
from recombine.errors import InputFileError, OptionError, UnknownNameError
from recombine.models.kbqa.baselines.baselines_family import FAMILY, PRESETS
from recombine.models.load_parser import load_parser
from recombine.models.model_file import MODEL

pytestmark = pytest.mark.filterwarnings("ignore::recombine.errors.InputWarning")
FILMS = Path(__file__).parents[4] / "docs" / "examples" / "films.ttl"
ROWS = [
    ("who directed Tin Boat?", "(JOIN (R directed_by) Tin_Boat)"),
    ("which films did Bo Else direct?", "(JOIN directed_by Bo_Else)"),
    ("who directed Red Kite?", "(JOIN (R directed_by) Red_Kite)"),
    ("which films did Ann Other direct?", "(JOIN directed_by Ann_Other)"),
    ("when was Long Day released?", "(JOIN (R released) Long_Day)"),
    ("when was the sequel released?", "(JOIN (R released) Long_Day)"),
]
"""Two to learn from, three to ask, and one in which nothing is linked."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place: Path = tmp_path_factory.mktemp("films")
    rows = [{"source": source, "target": target} for source, target in ROWS]
    (place / "films.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    (place / "split.json").write_bytes(orjson.dumps({"train": [0, 1], "test": [2, 3, 4, 5]}))
    return place


def outputs(folder: Path, preset: str, *, links: str = "linker") -> list[str | None]:
    data = recombine.load(folder / "films.jsonl", language="sexpression", world=FILMS)
    made = recombine.train(data, folder / "split.json", model=preset, set={"links": links, "answer_class": False})
    made.write(folder / preset)
    given = recombine.predict(folder / preset, data, folder / "split.json")
    assert type(load_parser(folder / preset).baseline) is type(made.parser.baseline)
    return [given.outputs[example.id] or None for example in list(data)[2:]]


def test_all_are_trained_kept_and_asked(folder: Path) -> None:
    assert outputs(folder, "kbqa-nearest") == [
        "(JOIN (R directed_by) Red_Kite)",
        "(JOIN directed_by Ann_Other)",
        "(JOIN (R directed_by) Long_Day)",
        None,
    ]
    assert outputs(folder, "kbqa-template")[3] is None
    # By words: "releas" is in the name of a relation.
    assert outputs(folder, "kbqa-overlap")[2] == "(JOIN (R released) Long_Day)"
    drawn = outputs(folder, "kbqa-uniform")
    assert drawn[3] is None
    assert all(text and text.startswith("(") for text in drawn[:3])


def test_a_tagger_is_trained_and_kept(folder: Path) -> None:
    given = outputs(folder, "kbqa-nearest", links="tagger")
    assert given[:2] == ["(JOIN (R directed_by) Red_Kite)", "(JOIN directed_by Ann_Other)"]
    assert (folder / "kbqa-nearest" / "tagger.npz").is_file()


def test_names_and_settings() -> None:
    assert list(PRESETS) == ["kbqa-uniform", "kbqa-template", "kbqa-nearest", "kbqa-overlap"]
    assert FAMILY.settings("kbqa-nearest", {})["choice"] == "nearest"
    with pytest.raises(OptionError, match="name the model kbqa-overlap"):
        FAMILY.settings("kbqa-nearest", {"choice": "overlap"})
    with pytest.raises(OptionError, match="hops is 3"):
        FAMILY.settings("kbqa-nearest", {"hops": 3})
    with pytest.raises(UnknownNameError):
        FAMILY.settings("kbqa-nearest", {"beyond": "much"})


def test_a_damaged_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    outputs(folder, "kbqa-overlap")
    record = orjson.loads((folder / "kbqa-overlap" / MODEL).read_bytes())
    del record["learned"]["words"]
    (tmp_path / MODEL).write_bytes(orjson.dumps(record))
    with pytest.raises(InputFileError, match="is not whole"):
        load_parser(tmp_path)
