"""The names of the entities of a store, and stores that have none."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_store import as_oxigraph, turtle_store

from recombine.errors import KnowledgeBaseError
from recombine.kb.linking.store_forms import store_forms
from recombine.kb.linking.surface_forms import SurfaceForms

LABELLED = """
:kes a :Film ; rdfs:label "Kes"@en, "Falke"@de ; :directed_by :ken_loach .
:other_kes a :Film ; rdfs:label "Kes" .
:Film rdfs:label "Film"@en . :directed_by rdfs:label "directed by"@en . :Film rdfs:subClassOf :Work .
"""
FREEBASE = ':m.01 :type.object.type :film.film ; :type.object.name "Kes"@en . :film.film :type.object.name "Film"@en .'


def named(forms: SurfaceForms, name: str) -> list[tuple[str, int]]:
    form = forms.form(name.split())
    return [] if form < 0 else [(forms.term(number).text, times) for number, times in forms.owners(form)]


def test_labels_of_entities_in_the_language_or_in_none(tmp_path: Path) -> None:
    forms = store_forms(turtle_store(tmp_path, "plain", LABELLED))
    # Facts of kes: its class, two labels, its director; of the other: its class and its label.
    assert named(forms, "kes") == [("kes", 4), ("other_kes", 2)]
    assert named(forms, "falke") == []
    assert named(forms, "ken loach") == [("ken_loach", 1)], "one without a label is called by its name"
    assert named(forms, "film") == named(forms, "work") == named(forms, "directed by") == []
    assert (len(forms), forms.shared) == (2, 1)


def test_classes_that_look_like_entities_are_none(tmp_path: Path) -> None:
    text = (
        ':Q1 wdt:P31 :Q5 ; rdfs:label "Ann"@en . :Q5 rdfs:label "human"@en ; wdt:P279 :Q6 . :Q6 rdfs:label "being"@en .'
    )
    forms = store_forms(turtle_store(tmp_path, "wikidata", text))
    assert named(forms, "ann") == [("Q1", 2)]
    assert named(forms, "human") == named(forms, "being") == []


def test_another_language(tmp_path: Path) -> None:
    forms = store_forms(turtle_store(tmp_path, "plain", LABELLED), "de")
    assert named(forms, "falke") == [("kes", 4)]
    assert named(forms, "kes") == [("other_kes", 2)]


def test_ids_are_no_names(tmp_path: Path) -> None:
    forms = store_forms(turtle_store(tmp_path, "freebase", FREEBASE + " :m.02 :film.film.sequel :m.01 ."))
    assert named(forms, "kes") == [("m.01", 3)]
    assert len(forms) == 1


def test_a_store_without_names_is_refused(tmp_path: Path) -> None:
    store = turtle_store(tmp_path, "freebase", ":m.01 :film.film.sequel :m.02 .")
    with pytest.raises(KnowledgeBaseError) as caught:
        store_forms(store)
    assert str(caught.value).startswith("no entity has a name: no fact of type.object.name, rdfs:label")
    assert str(caught.value).endswith(
        "has a text in 'en' or in no language; give a file of surface forms, or a profile whose label predicates the "
        "facts have"
    )
    with pytest.raises(KnowledgeBaseError, match="names are gathered from an index alone"):
        store_forms(as_oxigraph(store))
