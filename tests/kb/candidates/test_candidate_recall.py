"""Recall against a search through the list of all candidates, each outcome by hand, and GrailQA's 600 forms."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from random_facts import batches_of, random_facts
from small_store import turtle_store

from recombine.errors import FormError
from recombine.kb.candidates.candidate_recall import Asked, candidate_recall
from recombine.kb.candidates.search_space import BEYOND, SearchSpace
from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.forms.form_of_text import form_of_text
from recombine.kb.forms.read_form import read_form
from recombine.kb.forms.witness_world import witness_world
from recombine.kb.matching.canonical_form import Canonical
from recombine.kb.ontology.default_ontology import default_ontology
from recombine.kb.ontology.ontology import Role, ontology_of
from recombine.kb.ontology.ontology_of_facts import ontology_of_facts
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.profiles.profile import Profile
from recombine.kb.term import NAME, Term

PROFILE = Profile("made-up", "http://example.org/", {"ns": "http://example.org/"}, type=("r5",), label=("r4",))


def test_a_form_is_covered_where_a_list_of_all_candidates_has_its_match(tmp_path: Path) -> None:
    """r1 is the reverse of r2, and what r1 leads to is of a class: forms match that are written otherwise."""
    keys = [fact for fact in random_facts(4, facts=80, nodes=16, relations=6) if fact[1] != "=r5" or fact[2][0] != '"']
    keys += [(f"=n{n}", "=r5", f"=C{n % 2}") for n in range(9, 16)]
    build_index(batches_of(sorted(set(keys))), tmp_path / "index", profile=PROFILE)
    store = EmbeddedStore.open(tmp_path / "index")
    r1, r2, some, name = Term.name("r1"), Term.name("r2"), Term.name("C0"), Term.name("n12")
    ontology = ontology_of([], {r1: Role((), (some,)), r2: Role()}, {r1: r2})
    canonical = Canonical(ontology, PROFILE)
    whole = SearchSpace(store, beyond=BEYOND)
    golds = {canonical.of_form(each.graph()): each.graph() for each in whole.of([name])}
    golds |= {  # written by the reverse, which may be in no fact
        canonical.of_text(text): form_of_text(text, PROFILE)
        for text in ("(JOIN r2 n12)", "(JOIN (R r1) n12)", "(AND C0 (JOIN r2 n12))", "(AND C1 (JOIN (R r1) n12))")
    }
    asked = [Asked(key, form, (name,)) for key, form in golds.items()]
    for options in ({}, {"hops": 1}, {"count": False}, {"beyond": ["classes"]}, {"beyond": BEYOND}):
        space = SearchSpace(store, **options)  # type: ignore[arg-type]
        listed = {canonical.of_form(each.graph()) for each in space.of([name])}
        report = candidate_recall(space, asked, ontology=ontology)
        assert {key for key, outcome in report.outcomes.items() if outcome == "covered"} == listed & set(golds)
        assert 0 < report.covered <= report.questions == len(golds)
        assert set(report.sizes) == {len(space.of([name]))}


FILMS = """
:Boat a :Film, :Short ; :directed_by :Ann ; :year 1999 .
:Kite a :Film ; :directed_by :Ann, :Bo ; :year 2004 .
:Ann a :Person ; :born_in :Oslo . :Bo a :Person . :Oslo :in :Norway .
:directed_by rdfs:domain :Film ; rdfs:range :Person .
"""
OUTCOMES = {
    "(AND Film (JOIN directed_by Ann))": "covered",
    "(COUNT (JOIN directed_by (JOIN born_in Oslo)))": "covered",
    "(JOIN year 1999)": "covered",
    "(AND Short (JOIN directed_by Ann))": "a class",
    "(AND Short (JOIN directed_by (JOIN born_in Oslo)))": "a class",
    "(AND Film (JOIN (R directed_by) Kite))": "a class",
    "(JOIN directed_by (JOIN born_in (JOIN in Norway)))": "more relations",
    "(AND (JOIN directed_by Ann) (JOIN directed_by Bo))": "several branches",
    "(AND Film (JOIN directed_by Bo))": "not linked",
    "(JOIN directed_by Oslo)": "no such fact",
    "(JOIN directed_by Cy)": "not linked",
    "(ARGMAX Film year)": "a function",
    "(AND Film (lt year 2000))": "a function",
    "(COUNT (AND Film (lt year 2000)))": "several functions",
    "(COUNT Film)": "no entity or literal at its end",
    "(JOIN directed_by (JOIN (R directed_by) Film))": "no such fact",  # by its place Film is an entity there
    "SELECT ?x { { ?x <http://example.org/in> ?y } UNION { ?y <http://example.org/in> ?x } }": "unreadable",
}


def test_each_reason_by_hand(tmp_path: Path) -> None:
    store = turtle_store(tmp_path, "plain", FILMS)
    ontology = ontology_of_facts(store)
    linked = {"(AND Film (JOIN directed_by Bo))": (Term.name("Ann"),), "(JOIN directed_by Oslo)": (Term.name("Oslo"),)}
    asked = [Asked(text, form_of_text(text, store.profile), linked.get(text)) for text in OUTCOMES]
    report = candidate_recall(SearchSpace(store), asked, ontology=ontology)
    assert report.outcomes == OUTCOMES
    said = report.to_dict()
    assert (said["questions"], said["covered"], said["unknown_links"]) == (17, 3, 1)
    assert said["recall"] == 3 / 17
    # Of the films of Ann one is short, as is one of those whose director is from Oslo; no director of Kite is a film.
    assert said["recall_by_answers"] == 3 / 17
    assert said["most_candidates"] == max(report.sizes)
    wide = candidate_recall(SearchSpace(store, beyond=BEYOND), asked, ontology=ontology)
    more = {key for key in OUTCOMES if wide.outcomes[key] == "covered"} - {
        k for k, v in OUTCOMES.items() if v == "covered"
    }
    assert more == {
        "(AND Short (JOIN directed_by Ann))",
        "(AND Short (JOIN directed_by (JOIN born_in Oslo)))",
        "(ARGMAX Film year)",
        "(AND Film (lt year 2000))",
    }
    with pytest.raises(FormError, match="two questions have the id"):
        candidate_recall(SearchSpace(store), [asked[0], asked[0]])
    none = candidate_recall(SearchSpace(store), []).to_dict()
    assert (none["questions"], none["recall"], none["median_candidates"]) == (0, None, None)


def test_a_class_that_changes_no_answer_is_covered_by_answers(tmp_path: Path) -> None:
    store = turtle_store(tmp_path, "plain", FILMS)
    form = form_of_text("(AND Person (JOIN born_in Oslo))", store.profile)
    report = candidate_recall(SearchSpace(store), [Asked("one", form)])
    assert (report.outcomes, report.by_answers, report.to_dict()["recall_by_answers"]) == ({"one": "a class"}, 1, 1.0)
    assert str(report) == "0 of 1 forms are among the candidates (0.0%)"


@pytest.mark.shared_data
def test_grailqas_forms_over_their_witness_worlds(data_dir: Path, tmp_path: Path) -> None:
    """Freebase is not to be had: each form has the fewest facts under which it has its answers, all in one store.

    What is covered is then what the shape of a form allows. By hand of the 600: 5 chains of three relations, 58 forms
    of several branches, 3 superlatives or comparatives, and 14 with a class that no relation implies.
    """
    profile = find_profile("freebase")
    facts: set[tuple[str, str, str]] = set()
    asked = []
    with gzip.open(data_dir / "grailqa" / "items.jsonl.gz", "rt") as lines:
        for number, item in enumerate(map(json.loads, lines)):
            answers = [_answer(each) for each in item["answer"]]
            query = read_form(item["graph_query"], "graph", profile)
            for fact in witness_world(query, answers, profile):  # type: ignore[arg-type]
                facts.add(tuple(_own(term, number).key for term in fact))  # type: ignore[arg-type]
            asked.append(Asked(str(item["qid"]), form_of_text(item["s_expression"], profile)))
    build_index(batches_of(sorted(facts), 5000), tmp_path / "index", profile=profile)
    store, ontology = EmbeddedStore.open(tmp_path / "index"), default_ontology(data_dir / "grailqa" / "ontology")
    report = candidate_recall(SearchSpace(store), asked, ontology=ontology)
    assert report.counts == {
        "covered": 520,
        "several branches": 58,
        "a class": 14,
        "more relations": 5,
        "a function": 3,
    }
    assert (report.unknown_links, report.nothing_linked) == (0, 2)
    assert candidate_recall(SearchSpace(store, beyond=["classes"]), asked, ontology=ontology).covered == 534
    assert candidate_recall(SearchSpace(store, beyond=BEYOND), asked, ontology=ontology).covered == 537


def _answer(answer: dict[str, str]) -> Term:
    if answer["answer_type"] == "Entity":
        return Term.name(answer["answer_argument"])
    return Term.literal(answer["answer_argument"], datatype="http://www.w3.org/2001/XMLSchema#integer")


def _own(term: Term, number: int) -> Term:
    """A made-up node under a name of its own in each world."""
    return Term.name(f"{term.text}_{number}") if term.kind == NAME and term.text.startswith("m.w") else term
