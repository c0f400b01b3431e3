"""The profile that levels are told by: that of the data's knowledge base, else by the look of names."""

from __future__ import annotations

from pathlib import Path

import pytest
from strangers import write_strangers

import recombine
from recombine.measures.levels.level_definition import level_definition
from recombine.measures.levels.level_features import level_features
from recombine.records.dataset import Dataset

GENRE, FOOD = "/film/film/genre", "/food/food/nutrients./food/nutrition_fact/nutrient"


def about(path: Path | None, *forms: str, profile: Path | str | None = None) -> Dataset:
    from recombine.kb.open_store import open_store

    world = None if path is None else open_store(path, profile=profile)
    return recombine.load([(form, form) for form in forms], language="sexpression", world=world)


def test_paths_are_names_of_relations_and_entities() -> None:
    forms = [
        f"(JOIN {GENRE} /m/01)",
        f"(JOIN {GENRE} /m/02)",
        f"(COUNT (AND (JOIN {FOOD} /m/03) (JOIN (R {FOOD}) /m/04)))",
    ]
    dataset = about(None, *forms)
    definition, _ = level_definition(dataset)
    features = level_features(dataset, definition)
    assert definition.profile is not None
    assert definition.profile.name == "plain"
    assert features.names == (GENRE, FOOD, "COUNT")
    assert features.domains == ("film", "food", "")
    assert len(features.template_texts) == 2


def test_dotted_names_are_freebase_s() -> None:
    definition, _ = level_definition(about(None, "(JOIN film.film.genre m.01)", f"(JOIN {GENRE} /m/02)"))
    assert definition.fields()["profile"] == "freebase"


@pytest.mark.parametrize("own", [True, False])
def test_the_knowledge_base_says_its_profile(tmp_path: Path, own: bool) -> None:
    _, company, profile = write_strangers(tmp_path)
    iri = "hr/worksIn" if own else "<https://kb.acme.example/hr/worksIn>"
    dataset = about(company, f"(JOIN {iri} {iri.replace('hr/worksIn', 'id/d1')})", profile=profile if own else None)
    definition, _ = level_definition(dataset)
    features = level_features(dataset, definition)
    assert definition.fields()["profile"] == ("acme" if own else "plain")
    assert definition.fields()["domains"] == (None if own else "classes")
    assert (features.names, features.domains) == ((iri,), ("hr" if own else "Employee",))


def test_prefixed_names_are_the_terms_of_the_facts(tmp_path: Path) -> None:
    wiki, _, _ = write_strangers(tmp_path)
    dataset = about(wiki, "(AND Q9001 (JOIN wdt:P159 Q300))", profile="wikidata")
    features = level_features(dataset, level_definition(dataset)[0])
    assert dict(zip(features.names, features.domains, strict=True)) == {
        "Q9001": "organization",
        "wdt:P159": "organization",
    }
