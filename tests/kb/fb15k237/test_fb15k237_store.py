"""FB15k-237 for CFQ's rules: relations both ways, nodes in the middle, classes from ends, names, and what it lacks."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from recombine.errors import InputWarning, KnowledgeBaseError, RecordError
from recombine.grammars.unification.rules.rule_set import read_rule_set
from recombine.kb.cfq_stores.open_cfq_store import open_cfq_store
from recombine.kb.cfq_stores.usable_rules import usable_rules
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.facts_of import facts_of
from recombine.kb.fb15k237.fb15k237_store import fb15k237_store
from recombine.kb.store import Step
from recombine.kb.term import Term

TYPE = Term.iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
TRIPLES = """\
/m/a\t/film/actor/film./film/performance/film\t/m/f\ttrain
/m/a\t/people/person/gender\t/m/05zppz\ttest
/m/a\t/people/person/spouse_s./people/marriage/spouse\t/m/b\ttrain
/m/f\t/film/film/written_by\t/m/b\ttrain
/m/f\t/film/film/prequel\t/m/g\tvalid
/m/f\t/film/film/production_companies\t/m/c\ttrain
/m/b\t/people/person/employment_history./business/employment_tenure/company\t/m/c\ttrain
/m/f\t/film/film/genre\t/m/x\ttrain
"""
NAMES = "/m/a\tAnn_Other\n/m/b\tBo_Else\n/m/f\tTwice\n/m/g\tTwice\n/m/c\tCity_Films\n/m/y\tBo_Else\n"


def folder_of(folder: Path, triples: str = TRIPLES, names: str = NAMES) -> Path:
    (folder / "triples.tsv").write_text(triples)
    (folder / "mid2name.tsv").write_text(names)
    return folder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedStore:
    with pytest.warns(InputWarning, match="2 of 5 entities share their name and are left without one"):
        return fb15k237_store(folder_of(tmp_path_factory.mktemp("part")))


def ends(store: EmbeddedStore, start: str, *path: str) -> list[str]:
    return [each.text for each in store.follow([Term.name(start)], [Step(Term.name(step)) for step in path])]


def classes(store: EmbeddedStore, name: str) -> list[str]:
    return [each.text for each in store.neighbours(Term.name(name), TYPE)]


def test_relations_are_there_both_ways_under_freebase_s_names(store: EmbeddedStore) -> None:
    assert ends(store, "m.a", "film.actor.film", "film.performance.film") == ["m.f"]
    assert ends(store, "m.f", "film.film.starring", "film.performance.actor") == ["m.a"]
    assert ends(store, "m.b", "film.writer.film") == ["m.f"] == ends(store, "m.g", "film.film.sequel")
    assert ends(store, "m.f", "film.film.written_by") == ["m.b"]
    assert ends(store, "m.f", "film.film.prequel") == ["m.g"]
    assert ends(store, "m.c", "film.production_company.films") == ["m.f"]
    assert ends(store, "m.c", "business.employer.employees", "business.employment_tenure.person") == ["m.b"]
    assert ends(store, "m.b", "people.person.employment_history", "business.employment_tenure.company") == ["m.c"]
    for one, other in (("m.a", "m.b"), ("m.b", "m.a")):  # a marriage leads to both, as Freebase's do
        assert other in ends(store, one, "people.person.spouse_s", "people.marriage.spouse")
    assert ends(store, "m.a", "people.person.gender") == ["m.05zppz"]
    assert store.count(relation=Term.name("film.film.genre")) == 0


def test_classes_come_from_the_ends_of_relations(store: EmbeddedStore) -> None:
    assert classes(store, "m.a") == ["film.actor", "people.person"]
    assert classes(store, "m.b") == ["film.writer", "people.person"]
    assert classes(store, "m.c") == ["business.employer", "film.production_company"]
    assert classes(store, "m.f") == classes(store, "m.g") == ["film.film"]
    assert classes(store, "m.x") == []


def test_a_name_of_two_entities_is_left_out(store: EmbeddedStore) -> None:
    # The name of /m/y, which is in no triple, is as good as not there.
    names = [(one.text, label.text) for one, label in facts_of(store, Term.name("type.object.name"))]
    assert names == [("m.a", "Ann Other"), ("m.b", "Bo Else"), ("m.c", "City Films")]


@pytest.mark.parametrize(
    ("triples", "names", "said"),
    [
        (TRIPLES, "/m/a\tAnn\n/m/b\n", "mid2name.tsv, line 2: has 1 column"),
        (TRIPLES, "/m/a\tAnn\tB\n", "mid2name.tsv, line 1: has 3 columns"),
        ("/m/a\t/film/director/film\n", NAMES, "triples.tsv, line 1: has 2 columns"),
    ],
)
def test_lines_that_cannot_be_read(tmp_path: Path, triples: str, names: str, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        fb15k237_store(folder_of(tmp_path, triples, names))


def test_a_folder_without_the_files(tmp_path: Path) -> None:
    (tmp_path / "triples.tsv").write_text(TRIPLES)
    with pytest.raises(KnowledgeBaseError, match=r"has no mid2name.tsv or mid2name.tsv.gz"):
        fb15k237_store(tmp_path)


@pytest.mark.shared_data
def test_what_the_published_files_have_and_lack(data_dir: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        store = open_cfq_store(data_dir / "kb" / "fb15k237")
    # Section 11 of CFQ_LANGUAGE.md.
    for relation, count in {
        "film.director.film": 886,
        "film.film.written_by": 823,
        "film.film.edited_by": 200,
        "film.film.prequel": 211,
        "film.film.sequel": 211,
        "people.person.nationality": 5_097,
        "people.person.gender": 4_530,
        "influence.influence_node.influenced_by": 2_321,
        "organization.organization_founder.organizations_founded": 157,
        "film.performance.film": 11_045,
        "film.film_film_distributor_relationship.film": 2_643,
    }.items():
        assert store.count(relation=Term.name(relation)) == count, relation
    lacks = usable_rules(store, read_rule_set("cfq"))
    assert sorted(lacks.properties) == [
        "film.actor.film/ns:film.performance.character",
        "organization.organization.acquired_by/ns:business.acquisition.acquiring_company",
        "organization.organization.companies_acquired/ns:business.acquisition.company_acquired",
    ]
    assert lacks.names == ("fictional_universe.fictional_character",)
    assert {"people.person.children", "people.person.parents"} < set(lacks.alternatives)
    assert {"VP=ACQUIRE", "VP=PLAYED", "ROLE_SIMPLE=ACTOR", "NP_SIMPLE=CHARACTER"} < set(lacks.unusable)
    assert not {"VP=DIRECTED", "ROLE_SIMPLE=CHILD", "NP_SIMPLE=FILM", "NPQ_INDIRECT=WHO"} & set(lacks.unusable)
