"""Generated data with files beside it is kept in the cache, files and all, and made again when anything decides so."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest

from recombine.data_cache import VARIABLE, code_digest
from recombine.datasets.generator import Generated
from recombine.datasets.generators import find_generator
from recombine.datasets.kept_with_files import files_key, kept_with_files
from recombine.scenes.scene import Scenes

SMALL = {"number_of_scenes": 60, "templates": "COUNT", "pool": 60}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_questions_are_made_once_with_their_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = find_generator("scenes", **SMALL)
    first = kept_with_files(generator, 30, seed=1)
    assert first.name == "scenes"
    assert first.path is None
    world = first.opened_world
    assert isinstance(world, Scenes)
    assert world.pictures is not None
    assert len(list(world.pictures.glob("*.png"))) == 60
    monkeypatch.setattr(type(generator), "generate", lambda *_, **__: pytest.fail("made again"))
    again = kept_with_files(replace(generator, processes=2), 30, seed=1)
    assert (again.hash, again.ids, again.structures) == (first.hash, first.ids, first.structures)


def test_what_decides_the_questions_decides_the_key() -> None:
    generator = find_generator("scenes", **SMALL)
    keys = {
        files_key(generator, 30, seed=1),
        files_key(generator, 31, seed=1),
        files_key(generator, 30, seed=2),
        files_key(replace(generator, pool=70), 30, seed=1),
    }
    assert len(keys) == 4
    assert files_key(replace(generator, processes=2), 30, seed=1) in keys


def test_an_edited_table_of_the_package_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Templates and words of scenes are no code, and questions are made of them."""
    generator = find_generator("scenes", **SMALL)
    before = files_key(generator, 30, seed=1)
    module = importlib.import_module("recombine.datasets.kept_with_files")
    monkeypatch.setattr(
        module, "code_digest", lambda rooms, *, tables=False: b"edited" if tables else code_digest(rooms)
    )
    assert files_key(generator, 30, seed=1) != before


def test_an_edited_file_of_an_option_is_another(tmp_path: Path) -> None:
    own = tmp_path / "mine.json"
    own.write_text("[]")
    generator = find_generator("scenes", scenes=str(own))
    first = files_key(generator, 30, seed=1)
    own.write_text("[1]")
    assert files_key(generator, 30, seed=1) != first


def test_without_a_cache_it_is_made_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "off")
    made = kept_with_files(find_generator("scenes", **SMALL), 30, seed=1)
    assert len(made) == 30
    assert isinstance(made.opened_world, Scenes)


@dataclass(frozen=True, kw_only=True)
class _Broken(type(find_generator("scenes"))):  # type: ignore[misc]
    name: ClassVar[str] = "scenes"

    def generate(self, n: int | None, *, seed: int) -> Generated:
        del n, seed
        raise KeyboardInterrupt


def test_one_that_was_not_finished_is_not_kept(cache: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        kept_with_files(_Broken(), 30, seed=1)
    assert list(cache.glob("*")) == []
