"""Features from the cache are those that are made, and are found only for the data and the definition they are of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import recombine
from recombine import data_cache
from recombine.data_cache import content_key, stored_files
from recombine.errors import InputWarning
from recombine.extend import register_structures
from recombine.languages.known import find_language
from recombine.records.dataset import Dataset
from recombine.structures import cached_features as module
from recombine.structures.cached_features import FORM, cached_features, features_key
from recombine.structures.counted_kind import counted_kind
from recombine.structures.dataset_features import DatasetFeatures, extract_features
from recombine.structures.definition import Structures
from recombine.structures.features import Features

DEFINITIONS = ("dag:2-9,counts", "dag:2-4,weighted", "dag:2-3,presence")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv(data_cache.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def none_made(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From when it is called on, features cannot be made."""

    def refuse(*_: Any) -> Any:
        raise AssertionError("made again")

    return lambda: monkeypatch.setattr(module, "extract_features", refuse)


def same(read: DatasetFeatures, made: DatasetFeatures) -> None:
    """All that features are, equal in both."""
    assert (read.structures, read.rules) == (made.structures, made.rules)
    for one, other in ((read.atoms, made.atoms), (read.compounds, made.compounds)):
        for name in ("indptr", "indices", "data"):
            array, wanted = getattr(one, name), getattr(other, name)
            assert np.array_equal(array, wanted), name
            assert (array.dtype, array.flags.writeable) == (wanted.dtype, True), "kernels are compiled for such"
        assert list(one.names) == list(other.names)
        assert one.kinds == other.kinds


@pytest.mark.parametrize(
    "text", [DEFINITIONS[0], *(pytest.param(each, marks=pytest.mark.slow) for each in DEFINITIONS[1:])]
)
def test_features_of_scan(
    text: str, folder: Path, none_made: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, structures = recombine.load("scan"), Structures.parse(text)
    extracted: list[DatasetFeatures] = []
    with monkeypatch.context() as patch:
        patch.setattr(
            module, "extract_features", lambda *given: extracted.append(extract_features(*given)) or extracted[0]
        )
        made = cached_features(data, structures)
    same(made, extracted[0])
    none_made()
    same(cached_features(data, structures), made)
    same(cached_features(recombine.load("scan"), structures), made)
    if text == DEFINITIONS[0]:
        # Whoever changes features of the same examples raises FORM, and writes here the digest that this shows.
        arrays = [made.compounds.indptr, made.compounds.indices, made.compounds.data.astype(np.int64)]
        parts = [*(array.tobytes() for array in arrays), "\n".join(made.compounds.names).encode()]
        assert (FORM, content_key(parts)) == (2, "181ef7f3340a08929b89e0b41a749171")


@pytest.mark.shared_data
@pytest.mark.parametrize("name", ["covr/text", "atis", "spider/ssp"])
def test_features_of_programs(name: str, folder: Path, data_dir: Path, none_made: Callable[[], None]) -> None:
    data = recombine.load(name)
    structures = Structures.parse(data.structures)
    made = extract_features(data, structures)
    cached_features(data, structures)
    none_made()
    same(cached_features(recombine.load(name), structures), made)


def test_values_of_every_size() -> None:
    for values in ([], [0, 255], [1, 256], [0.5, 1], [-1, 3], [2**53 - 1]):
        half = Features(np.array([0, len(values)]), np.arange(len(values), dtype=np.int32), np.array(values, float), [])
        made = DatasetFeatures(Structures.parse("dag:2-2,counts"), "", half, half)
        assert module._features(module._table(made), "atoms").data.tolist() == values


def test_what_the_key_is_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    data = replace(recombine.load([("jump", "JUMP")]), made_from="abc")
    structures = Structures.parse("dag:2-3,counts")
    key = features_key(data, structures)
    assert key is not None
    assert features_key(replace(data, name="other", path="x"), structures) == key
    others = [
        features_key(replace(data, made_from="abd"), structures),
        features_key(replace(data, language=find_language("funql")), structures),
        features_key(data, Structures.parse("dag:2-4,counts")),
        features_key(data, Structures.parse("atoms=rules,counts;compounds=dag:2-3,counts")),
    ]
    changes = (("FORM", 99), ("code_digest", lambda _: b"other"), ("reader_version", lambda _: "another library 2.0"))
    for name, value in changes:
        with monkeypatch.context() as patch:
            patch.setattr(module, name, value)
            others.append(features_key(data, structures))
    assert None not in others
    assert len({key, *others}) == 1 + len(others)


def test_what_has_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    data = replace(recombine.load([("jump", "JUMP"), ("walk", "WALK")]), made_from="abc")
    structures = Structures.parse("dag:2-3,counts")
    assert features_key(data, structures) is not None
    for changed in (data.restricted([data[0].id]), data.with_examples(list(data)), recombine.load([("jump", "JUMP")])):
        assert features_key(changed, structures) is None, "other examples"
    funql = find_language("funql")
    assert features_key(replace(data, language=replace(funql)), structures) is None, "another language of the name"
    register_structures(counted_kind("asked", lambda example, _: dict.fromkeys(example.source.split(), 1)))
    assert features_key(data, Structures.parse("atoms=asked;compounds=dag:2-3,counts")) is None, "of a plug-in"
    assert features_key(data, Structures.parse("dag:2-3&words:2-3")) is not None
    assert features_key(data, Structures.parse("dag:2-3&asked")) is None, "a part is of a plug-in"
    monkeypatch.setenv(data_cache.VARIABLE, "off")
    assert features_key(data, structures) is None


def test_damaged_features_are_made_again(folder: Path) -> None:
    few = recombine.generate("scan", n=200, seed=1).dataset
    data, structures = replace(few, made_from="abc"), Structures.parse("dag:2-2,counts")
    before = {each.path for each in stored_files()}
    made = cached_features(data, structures)
    (path,) = {each.path for each in stored_files()} - before
    kept = path.read_bytes()
    path.write_bytes(kept[:-8])
    with pytest.warns(InputWarning, match="is damaged"):
        same(cached_features(data, structures), made)
    assert path.read_bytes() == kept


@pytest.mark.slow
def test_verbs_give_the_same_with_and_without(folder: Path) -> None:
    options: dict[str, Any] = {"by": "random", "test": 100, "seed": 3, "structures": "dag:2-3,counts"}
    plain = recombine.split("scan", **options, no_cache=True).to_dict()
    assert not folder.exists()
    assert recombine.split("scan", **options).to_dict() == plain
    assert len(stored_files()) == 3, "the data, its features, and the divergences of random splits"
    assert recombine.split("scan", **options).to_dict() == plain
    assert isinstance(recombine.load("scan"), Dataset)
