"""An ontology can be had for any store: a made-up world, strangers' graphs, FB15k-237."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from small_store import as_oxigraph, turtle_store
from strangers import write_strangers

import recombine
from recombine.errors import InputWarning
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.many_domains.many_domains import many_domains_store
from recombine.kb.ontology.ontology import Ontology
from recombine.kb.ontology.ontology_of_facts import ontology_of_facts
from recombine.kb.ontology.store_ontology import INDEX_ALONE, store_ontology
from recombine.kb.open_store import open_store
from recombine.kb.term import Term

XSD = "http://www.w3.org/2001/XMLSchema#"


def ends(store: EmbeddedStore, ontology: Ontology, relation: str) -> tuple[list[str], list[str]]:
    """The classes at the two ends of a relation, as people write them."""
    term, show = store.profile.term(relation), store.profile.show
    return [show(name) for name in ontology.domain(term)], [show(name) for name in ontology.range(term)]


def test_a_wikidata_like_graph(tmp_path: Path) -> None:
    wiki, _, _ = write_strangers(tmp_path)
    built = recombine.kb_build(wiki, tmp_path / "wiki.kb", profile="wikidata").built
    assert (built.repeats, built.unreadable_literals) == (0, 0)
    info = recombine.kb_info(tmp_path / "wiki.kb")
    assert (info.profile, info.values_of["moment"], info.counts["facts"]) == ("wikidata", 48, built.facts)
    store = EmbeddedStore.open(tmp_path / "wiki.kb")
    ontology = store_ontology(store)
    assert ends(store, ontology, "wdt:P54") == (["Q5"], ["Q9001"])
    assert ends(store, ontology, "p:P54") == (["Q5"], [])  # statements have no class
    assert ends(store, ontology, "ps:P54") == ([], ["Q9001"])
    assert ends(store, ontology, "pq:P580") == ([], ["xsd:dateTime"])
    assert ends(store, ontology, "wdt:P1082") == (["Q9002"], ["xsd:integer"])
    assert ontology.is_subclass(Term.name("Q9001"), Term.name("Q9000"))
    assert {name.text for name in ontology.literal_classes} == {f"{XSD}dateTime", f"{XSD}integer"}
    # What says classes and names is no relation.
    assert not store.profile.schema_predicates & {*ontology.relations}
    assert [store.profile.is_entity(Term.name(name)) for name in ("Q200", "statement/Q200-a", "P54")] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("own", [True, False])
def test_a_companys_graph_under_its_own_profile_or_none(tmp_path: Path, own: bool) -> None:
    _, company, profile = write_strangers(tmp_path)
    built = recombine.kb_build(company, tmp_path / "c.kb", profile=profile if own else "plain").built
    assert (built.repeats, built.unreadable_literals) == (0, 0)
    assert recombine.kb_info(tmp_path / "c.kb").values_of["number"] > 0
    store = EmbeddedStore.open(tmp_path / "c.kb")
    ontology = store_ontology(store)
    stem = "https://kb.acme.example/"

    def term(text: str) -> Term:
        return store.profile.shorten(stem + text)

    # The facts state its domain alone; where it leads is found in the data.
    assert ontology.domain(term("hr/worksIn")) == (term("hr/Employee"),)
    assert ontology.range(term("hr/worksIn")) == (term("hr/Department"),)
    assert ontology.range(term("hr/hired")) == (Term.iri(f"{XSD}date"),)
    assert ontology.reverse(term("hr/worksIn")) == term("hr/staff")
    assert ontology.range(term("hr/staff")) == (term("hr/Employee"),)
    assert ontology.range(term("hr/reportsTo")) == (term("hr/Manager"),)
    assert ontology.range(term("sales/rating")) == (Term.iri(f"{XSD}decimal"),)
    assert ontology.is_subclass(term("hr/Manager"), term("hr/Employee"))
    assert {name.text for name in ontology.literal_classes} == {XSD + kind for kind in ("date", "decimal", "integer")}
    assert store.profile.is_entity(term("id/e1"))
    assert store.profile.is_entity(term("hr/Employee")) != own  # without a profile the look tells nothing
    assert store.profile.domain_of(term("hr/worksIn")) == ("hr" if own else "")


def test_the_world_of_many_domains_states_all_of_it() -> None:
    store = many_domains_store(12_000, seed=1)
    ontology, stated = store_ontology(store), ontology_of_facts(store)
    assert (ontology.classes, ontology.relations, ontology.reverses) == (
        stated.classes,
        stated.relations,
        stated.reverses,
    )
    assert (ontology.superclasses, ontology.notes) == (stated.superclasses, ())


def commons(folder: Path) -> Path:
    """Files in the form of Freebase's commons."""
    (folder / "fb_roles").write_text("a.one a.one.to b.node\nb.node b.node.end a.two\nx.y x.y.z x.y\n")
    (folder / "fb_types").write_text("a.two meta.subclassOf a.top .\n")
    (folder / "reverse_properties").write_text("")
    return folder


def test_paths_are_known_by_the_commons_and_the_rest_by_the_data(tmp_path: Path) -> None:
    facts = tmp_path / "facts.tsv"
    facts.write_text("p\t/a/one/to./b/node/end\tq\nr\t/a/one/to./b/node/end\ts\nq\t/c/d/e\tp\ns\t/c/d/e\tnobody\n")
    store = open_store(facts)
    assert isinstance(store, EmbeddedStore)
    ontology = store_ontology(store, commons(tmp_path))
    path, other = Term.name("/a/one/to./b/node/end"), Term.name("/c/d/e")
    assert (ontology.domain(path), ontology.range(path)) == ((Term.name("a.one"),), (Term.name("a.two"),))
    assert (ontology.domain(other), ontology.range(other)) == ((Term.name("a.two"),), (Term.name("a.one"),))
    assert [name.text for name in ontology.classes] == ["a.one", "a.top", "a.two"]  # and not x.y
    assert {*ontology.relations} == {path, other}


def test_a_graph_of_names_alone(tmp_path: Path) -> None:
    facts = tmp_path / "facts.tsv"
    facts.write_text("Ann\tknows\tBob\n")
    ontology = store_ontology(open_store(facts))
    assert (ontology.classes, {name.text for name in ontology.relations}) == ((), {"knows"})
    assert ontology.notes == ("1 of 1 relations have an end of which no class is known",)


def test_of_other_stores_what_facts_state_is_known_and_it_is_said(tmp_path: Path) -> None:
    served = as_oxigraph(turtle_store(tmp_path, "plain", ":r rdfs:domain :A . :x :r :y ; :s :y ."))
    ontology = store_ontology(served)
    assert [name.text for name in ontology.relations] == ["r"]
    assert ontology.notes[-1] == INDEX_ALONE


@pytest.mark.shared_data
def test_fb15k_237(data_dir: Path) -> None:
    # Counted with cut, sort and awk on the files: both parts of 198 of 237 relations stand in fb_roles.
    # The fourth column, of which reading warns where no index is in the cache yet, is the part of a split.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        store = open_store(data_dir / "kb/fb15k237/triples.tsv.gz")
    ontology = store_ontology(store)
    assert len(ontology.relations) == 237
    assert ontology.notes[0] == "198 of 237 relations are known by their paths"
    assert sum(bool(role.domain and role.range) for role in ontology.relations.values()) == 233
    assert ontology.literal_classes == ()
