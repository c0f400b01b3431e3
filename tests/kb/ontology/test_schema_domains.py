"""Domains by names, and by classes where names say none."""

from __future__ import annotations

from pathlib import Path

import pytest
from strangers import write_strangers

from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.ontology.schema_domains import SchemaDomains
from recombine.kb.open_store import open_store
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term


def store_at(path: Path, profile: Path | str | None = None) -> EmbeddedStore:
    store = open_store(path, profile=profile)
    assert isinstance(store, EmbeddedStore)
    return store


def domains(store: EmbeddedStore, *names: str) -> list[str]:
    found = SchemaDomains(store)
    return [found.of(store.profile.term(name)) for name in names]


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("/food/food/nutrients./food/nutrition_fact/nutrient", "food"),
        ("/base/popstra/celebrity/dated", "base"),
        ("film.film", "film"),
        ("/m", ""),
        ("directed_by", ""),
        ("and/or", ""),
        ("Dr. No", ""),
    ],
)
def test_names_of_paths_say_their_domain(name: str, domain: str) -> None:
    assert find_profile("plain").domain_of(Term.name(name)) == domain


def test_names_come_first(tmp_path: Path) -> None:
    facts = tmp_path / "facts.tsv"
    facts.write_text("/m/1\t/film/film/genre\t/m/2\n/m/1\t/food/food/kind./food/fact/kind\t/m/3\n")
    store = store_at(facts)
    assert SchemaDomains(store).by_names
    assert domains(store, "/film/film/genre", "/food/food/kind./food/fact/kind", "other", "xsd:date") == [
        *("film", "food", "", "")
    ]


def test_a_relation_has_the_domain_of_what_it_is_said_of(tmp_path: Path) -> None:
    wiki, company, profile = write_strangers(tmp_path, 2)
    store = store_at(wiki, "wikidata")
    assert not SchemaDomains(store).by_names
    # A club is an organization; a statement has no class.
    names = ("wdt:P569", "wdt:P159", "Q9001", "wdt:P1082", "wdt:P57", "ps:P54", "xsd:integer")
    assert domains(store, *names) == ["human", "organization", "organization", "town", "film", "", ""]
    assert domains(store_at(company, profile), "hr/hired", "it/Machine", "travel/cost") == ["hr", "it", "travel"]


def test_what_all_is_below_is_no_domain(tmp_path: Path) -> None:
    lines = ["@prefix : <http://a.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."]
    for name in ("Book", "Town", "Person"):
        lines.append(f":{name} rdfs:subClassOf :Thing . :{name}1 a :{name} ; :of{name} :{name}2 . :{name}2 a :{name} .")
    lines.append(":Novel rdfs:subClassOf :Book . :Novel1 a :Novel ; :chapters :Book2 .")
    (tmp_path / "a.ttl").write_text("\n".join(lines))
    store = store_at(tmp_path / "a.ttl")
    names = [f"<http://a.example/{name}>" for name in ("ofTown", "ofPerson", "chapters", "Novel", "Thing")]
    assert domains(store, *names) == ["Town", "Person", "Book", "Book", "Thing"]


def test_classes_of_one_name_are_two_domains(tmp_path: Path) -> None:
    lines = ["@prefix a: <http://a.example/> . @prefix b: <http://b.example/> ."]
    lines += [f"{at}:1 a {at}:Thing ; {at}:of {at}:2 ." for at in ("a", "b")]
    (tmp_path / "a.ttl").write_text("\n".join(lines))
    found = domains(store_at(tmp_path / "a.ttl"), "<http://a.example/of>", "<http://b.example/of>")
    assert len(set(found)) == 2
    assert not any("," in name or not name for name in found)
