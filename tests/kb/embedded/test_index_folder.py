"""Folders that are no index, of another version, or damaged: one clear error, and never a wrong look."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from facts_of import Fact, names, number, store_of

from recombine.errors import KnowledgeBaseError
from recombine.kb.embedded import index_folder
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.embedded.hop_kernels import ANY
from recombine.kb.embedded.index_folder import DESCRIPTION, TYPES, is_index
from recombine.kb.term import Term


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An index with an entry in every file."""
    facts: list[Fact] = [*names("a p b\nb p c\nc q a"), (Term.name("a"), Term.name("v"), number("7"))]
    store_of(facts, tmp_path / "index")
    return tmp_path / "index"


def test_every_array_is_there_and_cannot_be_written(folder: Path) -> None:
    store = EmbeddedStore.open(folder)
    assert {path.name for path in folder.iterdir()} == {DESCRIPTION, *(f"{name}.bin" for name in TYPES)}
    for name in TYPES:
        array = store.folder.array(name)
        assert len(array) > 0
        assert not array.flags.writeable
        assert type(array) is np.ndarray
    assert is_index(folder)
    assert not is_index(folder.parent)


@pytest.mark.parametrize("name", sorted(TYPES))
@pytest.mark.parametrize("damage", ["changed", "cut", "longer", "missing"])
def test_a_damaged_file_is_refused(name: str, damage: str, folder: Path) -> None:
    file = folder / f"{name}.bin"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    damaged = {"changed": bytes(content), "cut": bytes(content[:-1]), "longer": bytes(content) + b"\0"}
    if damage == "missing":
        file.unlink()
    else:
        file.write_bytes(damaged[damage])
    with pytest.raises(KnowledgeBaseError) as caught:
        EmbeddedStore.open(folder)
    said = {"changed": "is not what was written", "missing": "is missing"}.get(damage, "bytes and should have")
    assert str(caught.value).startswith(f"{folder}: the index is damaged: {name}.bin ")
    assert said in str(caught.value)
    assert str(caught.value).endswith("; build it again with recombine kb build")


def test_a_large_index_is_checked_when_asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "forward_edges.bin"
    file.write_bytes(b"\xff" * file.stat().st_size)
    monkeypatch.setattr(index_folder, "CHECKED_AT_OPENING", 0)
    store = EmbeddedStore.open(folder)
    with pytest.raises(KnowledgeBaseError, match=r"forward_edges\.bin is not what was written"):
        store.folder.verify()


@pytest.mark.parametrize("value", [-1, 1 << 62, 0x7FFFFFFF, -(1 << 63)])
@pytest.mark.parametrize(
    "name", ["forward_starts", "forward_edges", "backward_starts", "backward_edges", "term_starts"]
)
def test_no_look_goes_beyond_an_array(name: str, value: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of a damaged file that was not checked lead nowhere; without the guards this ends the process."""
    file = folder / f"{name}.bin"
    np.full(file.stat().st_size // 8, value, np.int64).tofile(file)
    monkeypatch.setattr(index_folder, "CHECKED_AT_OPENING", 0)
    store = EmbeddedStore.open(folder)
    count = len(store.table)
    starts = np.arange(count, dtype=np.int32)
    for step in (ANY, ~ANY, *range(count), *(~n for n in range(count))):
        store.follow_many(starts, np.array([step, ANY, ~ANY], np.int64))
    for number_of_term in range(count):
        store.count_ids(number_of_term)
        store.count_ids(None, None, number_of_term)
        store.count_ids(number_of_term, 1, 2)
        store.count_ids(number_of_term, None, 2)
        store.along(number_of_term)
    store.ids([Term.name("a"), Term.name("zz")])


def test_an_index_of_another_version(folder: Path) -> None:
    said = json.loads((folder / DESCRIPTION).read_text())
    (folder / DESCRIPTION).write_text(json.dumps({**said, "form": 99}))
    with pytest.raises(KnowledgeBaseError) as caught:
        EmbeddedStore.open(folder)
    assert str(caught.value) == (
        f"{folder}: an index of form 99, and this version reads form 1; build it again with recombine kb build"
    )
    store_of(names("a p b"), folder)  # and that works
    assert len(EmbeddedStore.open(folder)) == 1


def test_files_of_another_index(folder: Path, tmp_path: Path) -> None:
    """Of as many facts, so that lengths fit."""
    store_of([*names("a p b\nb p c\nc q b"), (Term.name("a"), Term.name("v"), number("7"))], tmp_path / "other")
    shutil.copy(tmp_path / "other" / "forward_edges.bin", folder)
    with pytest.raises(KnowledgeBaseError, match=r"forward_edges\.bin is not what was written"):
        EmbeddedStore.open(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "kb.json: is damaged (Expecting"),
        ("[]", "is no index of a knowledge base (kb.json is of another kind); build an index with"),
        ('{"kind": "other"}', "is no index of a knowledge base (kb.json is of another kind); build an index with"),
        ("\xff", "kb.json: is damaged ("),
    ],
)
def test_a_damaged_description(text: str, message: str, folder: Path) -> None:
    (folder / DESCRIPTION).write_bytes(text.encode("latin-1"))
    with pytest.raises(KnowledgeBaseError) as caught:
        EmbeddedStore.open(folder)
    assert message in str(caught.value)


@pytest.mark.parametrize("key", ["digest", "facts", "profile", "files", "families"])
def test_a_changed_description(key: str, folder: Path) -> None:
    said = json.loads((folder / DESCRIPTION).read_text())
    said[key] = {"base": "http://other/"} if key == "profile" else 3 if key == "facts" else {}
    (folder / DESCRIPTION).write_text(json.dumps(said))
    with pytest.raises(KnowledgeBaseError, match=r"kb\.json: is damaged \(its check sum is another\)"):
        EmbeddedStore.open(folder)


def test_no_index(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="none: no such folder; build an index with recombine kb build"):
        EmbeddedStore.open(tmp_path / "none")
    with pytest.raises(KnowledgeBaseError, match=r"is no index of a knowledge base \(no kb.json\)"):
        EmbeddedStore.open(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(KnowledgeBaseError, match=r"is no index of a knowledge base \(no kb.json\)"):
        EmbeddedStore.open(tmp_path / "file")
