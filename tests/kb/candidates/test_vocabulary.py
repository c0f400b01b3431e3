"""The pruned vocabulary against the candidates and a slow search, and the whole one where nothing is linked."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))
from random_facts import batches_of, random_facts
from slow_candidates import SlowCandidates
from small_store import turtle_store

from recombine.errors import KnowledgeBaseError
from recombine.kb.candidates.search_space import SearchSpace
from recombine.kb.candidates.vocabulary import BRACKETS, FUNCTIONS, pruned_vocabulary
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.ontology.ontology import Role, ontology_of
from recombine.kb.profiles.profile import Profile
from recombine.kb.term import LITERAL, Term

PROFILE = Profile("made-up", "http://example.org/", {"ns": "http://example.org/"}, type=("r5",), label=("r4",))


@pytest.mark.parametrize("hops", [1, 2])
def test_relations_are_those_of_candidates_and_classes_those_of_what_is_reached(tmp_path: Path, hops: int) -> None:
    keys = [fact for fact in random_facts(7, facts=60, nodes=40, relations=9) if fact[1] != "=r5" or fact[2][0] != '"']
    build_index(batches_of(keys), tmp_path / "index", profile=PROFILE)
    store = EmbeddedStore.open(tmp_path / "index")
    slow = SlowCandidates([tuple(map(Term.of_key, fact)) for fact in keys], PROFILE)  # type: ignore[misc]
    space = SearchSpace(store, hops=hops)
    pruned = 0
    for anchor in store.terms(space.entities):
        found = pruned_vocabulary(space, [anchor])
        paths = list(slow.iter_paths({anchor}, hops))
        relations = {step.relation for steps, _ in paths for step in steps}
        reached = {anchor, *(term for _, ends in paths for term in ends if term.kind != LITERAL)}
        assert found.relations == tuple(sorted(relations, key=lambda term: term.key))
        assert set(found.classes) == {name for one, name in slow.types if one in reached}
        pruned += len(found.relations) < len(space.steps.relations)
    assert pruned > 10
    both = store.terms(space.entities[:2])
    one, other = (pruned_vocabulary(space, [term]) for term in both)
    assert set(pruned_vocabulary(space, both).relations) == {*one.relations, *other.relations}


def test_words_links_ontology_and_nothing_linked(tmp_path: Path) -> None:
    store = turtle_store(tmp_path, "plain", ":a :p :b . :b :q 5 . :c :r :d . :d a :D . :b a :B .")
    space = SearchSpace(store)
    found = pruned_vocabulary(space, [Term.name("a"), Term.name("a")])
    assert found.words(store.profile) == [*BRACKETS, *FUNCTIONS, "a", "p", "q", "B"]
    assert (len(found), found.pruned) == (len(BRACKETS) + len(FUNCTIONS) + 4, True)
    role = Role((Term.name("A"),), (Term.name("B"),))
    number = Term.iri("http://www.w3.org/2001/XMLSchema#integer")
    roles = {Term.name("p"): role, Term.name("q"): Role((), (number,))}
    ontology = ontology_of([], roles, {}, literal=store.profile.is_literal_class)
    typed = pruned_vocabulary(space, [Term.name("a")], ontology=ontology)
    assert [term.text for term in typed.classes] == ["A", "B"]  # and not the class of numbers
    whole = pruned_vocabulary(space, [])
    assert ([term.text for term in whole.relations], [term.text for term in whole.classes], whole.pruned) == (
        ["p", "q", "r"],
        ["B", "D"],
        False,
    )
    with pytest.raises(KnowledgeBaseError, match="no fact has the entity z"):
        pruned_vocabulary(space, [Term.name("z")])
