"""Candidates as codes say what each candidate says as a text, over small stores of several kinds."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "kb"))
from random_facts import batches_of, random_facts
from small_store import turtle_store

from recombine.errors import FormError
from recombine.kb.candidates.search_space import BEYOND, SearchSpace
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.forms.sexpression_words import write_word
from recombine.kb.matching.canonical_form import Canonical
from recombine.kb.ontology.derive_ontology import derive_ontology
from recombine.kb.ontology.ontology import Ontology
from recombine.kb.ontology.ontology_of_facts import ontology_of_facts
from recombine.kb.open_store import open_store
from recombine.kb.profiles.profile import Profile
from recombine.kb.term import LITERAL, Term
from recombine.models.kbqa.arrays.codes import code_words, form_text
from recombine.models.kbqa.making.candidate_codes import CandidateCodes
from recombine.models.kbqa.making.make_schema import make_schema
from recombine.models.kbqa.making.schema_codes import SchemaCodes
from recombine.selection.prompts.kb_setting import KbSetting

MADE_UP = Profile("made-up", "http://example.org/", {"ns": "http://example.org/"}, type=("r5",), label=("r4",))
TELLING = """
:m.01 a :film.film ; :film.film.directed_by :m.02, :m.03 ; :film.film.year 1999 .
:m.02 a :people.person, :film.director ; :people.person.born_in :m.04 .
:m.03 a :people.person . :m.04 a :location.city ; :location.city.people 12 .
"""


def made_up(folder: Path) -> EmbeddedStore:
    """A store of made-up facts, with names that are hard to write, classes and values."""
    keys = [fact for fact in random_facts(4, facts=120, nodes=18, relations=6) if fact[1] != "=r5" or fact[2][0] != '"']
    keys += [(f"=n{n}", "=r5", f"=C{n % 2}") for n in range(9, 18)]
    build_index(batches_of(sorted(set(keys))), folder / "index", profile=MADE_UP)
    return EmbeddedStore.open(folder / "index")


def store_of(name: str, folder: Path) -> EmbeddedStore:
    """One of the stores of these tests."""
    if name == "made-up":
        return made_up(folder)
    if name == "telling":
        return turtle_store(folder, "freebase", TELLING)
    return open_store(name)  # type: ignore[return-value]


def ontology_of_store(store: EmbeddedStore) -> Ontology:
    """What facts and data show, without the files of Freebase's commons."""
    stated = ontology_of_facts(store)
    return stated if stated.relations else derive_ontology(store)


def texts(store: EmbeddedStore, space: SearchSpace, terms: Sequence[Term], *, answer_class: bool) -> list[list[str]]:
    """The candidates of each term, as their codes write them."""
    ontology = ontology_of_store(store)
    schema = make_schema(KbSetting("gold", store.profile, ontology, store))
    codes = SchemaCodes(schema, store.profile)
    made = CandidateCodes(space, codes, ontology, answer_class=answer_class)
    forms = [made.of(space.of([term]), {term: codes.first_link}) for term in terms]
    return [
        [form_text(code_words(row.tolist(), schema.words, [write_word(term, store.profile)])) for row in each]
        for term, each in zip(terms, forms, strict=True)
    ]


STORES = ("made-up", "telling", "docs/examples/films.ttl", "docs/examples/my.ttl", "docs/examples/wiki.nt")


@pytest.mark.parametrize("name", STORES)
def test_codes_write_what_candidates_write(name: str, tmp_path: Path) -> None:
    store = store_of(name, tmp_path)
    seen = 0
    for options in ({}, {"hops": 1, "count": False}, {"beyond": BEYOND}):
        space = SearchSpace(store, **options)  # type: ignore[arg-type]
        values = [store.term(number) for number in range(space.literals)]
        terms = [*map(store.term, space.entities.tolist()[-4:]), *values[:1], *values[-1:]]
        written = [[each.text(store.profile) for each in space.of([term])] for term in terms]
        assert texts(store, space, terms, answer_class=False) == written
        seen += sum(map(len, written))
    assert seen > 60


@pytest.mark.parametrize("name", ["telling", "docs/examples/films.ttl"])
def test_with_the_class_of_answers_a_candidate_says_the_same(name: str, tmp_path: Path) -> None:
    store = store_of(name, tmp_path)
    space, canonical = SearchSpace(store), Canonical(ontology_of_store(store), store.profile)
    terms = [store.term(number) for number in space.entities.tolist()]
    both = [texts(store, space, terms, answer_class=way) for way in (False, True)]
    plain, said = ([text for each in way for text in each] for way in both)
    assert [canonical.of_text(text) for text in plain] == [canonical.of_text(text) for text in said]
    assert sum(one != other for one, other in zip(plain, said, strict=True)) > 4


def test_the_class_of_answers_by_hand() -> None:
    store = store_of("docs/examples/films.ttl", Path())
    space = SearchSpace(store, hops=1, count=False)
    terms = [Term.name("Ann_Other"), Term.name("Tin_Boat")]
    assert texts(store, space, terms, answer_class=True) == [
        ["(JOIN (R born) Ann_Other)", "(AND Film (JOIN directed_by Ann_Other))"],  # a date has no class
        ["(AND Person (JOIN (R directed_by) Tin_Boat))", "(JOIN (R released) Tin_Boat)"],
    ]


def test_a_schema_of_another_store_is_refused() -> None:
    films, other = (open_store(f"docs/examples/{name}.ttl") for name in ("films", "my"))
    schema = make_schema(KbSetting("gold", other.profile, None, other))
    space = SearchSpace(films)
    codes = CandidateCodes(space, SchemaCodes(schema, films.profile))
    with pytest.raises(FormError, match="the schema has no item"):
        codes.of(space.of([Term.name("Ann_Other")]), {Term.name("Ann_Other"): 1000})


def test_a_literal_is_an_anchor_of_its_own_spelling() -> None:
    store = store_of("docs/examples/films.ttl", Path())
    year = Term.literal("1999", datatype="http://www.w3.org/2001/XMLSchema#integer")
    assert year.kind == LITERAL
    space = SearchSpace(store, hops=1, count=False)
    assert texts(store, space, [year], answer_class=False) == [
        ["(JOIN released 1999^^http://www.w3.org/2001/XMLSchema#integer)"]
    ]
