"""The ontology that stands where none is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from recombine.errors import KnowledgeBaseError
from recombine.kb.ontology.default_ontology import FOLDER, default_ontology
from recombine.kb.term import Term


def make_commons(folder: Path) -> Path:
    """A folder of the three files, of one relation."""
    folder.mkdir(parents=True)
    (folder / "fb_roles").write_text("film.film film.film.year type.int\n")
    (folder / "fb_types").write_text("film.film meta.subclassOf common.topic .\n")
    (folder / "reverse_properties").write_text("")
    return folder


def test_a_named_folder_is_read(tmp_path: Path) -> None:
    ontology = default_ontology(make_commons(tmp_path / "mine"))
    assert ontology is not None
    assert [term.text for term in ontology.implied(Term.name("film.film.year"))] == ["common.topic", "film.film"]


def test_the_data_directory_is_asked_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOMBINE_DATA", str(tmp_path))
    assert default_ontology() is None
    make_commons(tmp_path / FOLDER)
    ontology = default_ontology()
    assert ontology is not None
    assert len(ontology.relations) == 1


def test_a_named_folder_without_files_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="has no file 'fb_types'"):
        default_ontology(tmp_path)
