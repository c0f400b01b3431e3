"""The key of generated data holds all that decides it; where that cannot be, there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recombine.datasets.covr_generated import CovrGenerator
from recombine.datasets.generators import register_generator
from recombine.languages.covr import COVR
from recombine.studies.cells import generated_key as module
from recombine.studies.cells.generated_key import generated_key
from recombine.studies.file.study_file import DataTable

COVR_TABLE: dict[str, Any] = {"generate": "covr", "n": 20, "seed": 1}
CFQ_TABLE: dict[str, Any] = {"generate": "cfq", "n": 20, "seed": 1, "grounding": False}
SCENES_TABLE: dict[str, Any] = {"generate": "scenes", "n": 20, "seed": 1, "pool": 60}


def key(folder: Path, table: dict[str, Any]) -> str | None:
    return generated_key(DataTable(**table), folder)


@pytest.mark.parametrize(
    ("table", "changes"),
    [
        (COVR_TABLE, [{"max_depth": 6}, {"structures": "local:2"}, {"generate": "scan"}, {"language": "funql"}]),
        (CFQ_TABLE, [{"max_level": 12}, {"spelling": "long"}]),
        (SCENES_TABLE, [{"pool": 70}, {"question_shares": "80,10,10"}, {"filter": "none"}]),
        ({"generate": "kbqa", "n": 20}, [{"world_size": 12000}, {"redundant": True}]),
    ],
)
def test_all_that_decides_the_data_is_in_it(
    table: dict[str, Any], changes: list[dict[str, Any]], tmp_path: Path
) -> None:
    changed = [{"n": 21}, {"seed": 2}, {"measure": False}, *changes]
    keys = [key(tmp_path, {**table, **each}) for each in ({}, *changed)]
    assert None not in keys
    assert len(set(keys)) == len(keys)
    assert key(tmp_path / "elsewhere", {**table, "name": "mine"}) == keys[0], "nor the folder, nor what it is called"


@pytest.mark.parametrize("table", [COVR_TABLE, CFQ_TABLE, SCENES_TABLE])
def test_what_makes_the_data_is_in_it(table: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code and tables of every room that data is made in, and numpy, whose numbers are drawn."""
    asked = []

    def digest(rooms: tuple[str, ...], *, tables: bool = False) -> bytes:
        asked.append((set(rooms), tables))
        return b"edited"

    before = key(tmp_path, table)
    with monkeypatch.context() as patch:
        patch.setattr(module, "code_digest", digest)
        assert key(tmp_path, table) != before
    rooms = {"seeds.py", "tree.py", "languages", "records", "grammars", "kb", "scenes", "datasets"}
    assert asked == [(rooms, True)]
    assert all((Path(module.__file__).parents[2] / room).exists() for room in rooms)
    with monkeypatch.context() as patch:
        patch.setattr(module, "version", lambda _: "0.0")
        assert key(tmp_path, table) != before
    assert key(tmp_path, table) == before


def test_what_names_a_file_or_an_address_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "kb").mkdir(parents=True)
    (tmp_path / "mine.toml").write_text("")
    (tmp_path / "here").write_text("")
    monkeypatch.chdir(tmp_path)
    for folder, table in (
        (tmp_path, {**SCENES_TABLE, "templates": "all,mine.toml"}),  # beside the study
        (tmp_path / "other", {**SCENES_TABLE, "exclusion": "here"}),  # where the command runs
        (tmp_path / "other", {"generate": "kbqa", "n": 20, "kb": "kb"}),  # in the data directory
        (tmp_path, {**CFQ_TABLE, "grounding": True, "kb": "http://localhost:1/sparql"}),
        (tmp_path, {"generate": "mine.toml", "n": 3}),
        (tmp_path, {"file": "mine.toml"}),
        (tmp_path, {"id": "scan"}),
        (tmp_path, {**COVR_TABLE, "world": "mine.toml"}),
        (tmp_path, {**COVR_TABLE, "append_schema": True}),
        (tmp_path, {**COVR_TABLE, "language": "mine.toml"}),
    ):
        assert key(folder, table) is None, table
    assert key(tmp_path / "other", {**SCENES_TABLE, "exclusion": "none"}) is not None


def test_what_a_plug_in_adds_has_none(tmp_path: Path) -> None:
    """Its version may stay while its code changes."""

    class Other(CovrGenerator):
        name = "other"

    register_generator(Other)
    assert key(tmp_path, {**COVR_TABLE, "generate": "other"}) is None

    from dataclasses import replace

    from recombine.languages.known import register_language

    register_language(replace(COVR, name="covr-of-mine"))
    assert key(tmp_path, {**COVR_TABLE, "language": "covr-of-mine"}) is None
    assert key(tmp_path, {**COVR_TABLE, "language": "covr"}) is not None
