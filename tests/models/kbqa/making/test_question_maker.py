"""Questions as arrays: links, vocabularies, candidates and targets by hand, and against the recall of candidates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from recombine.errors import OptionError
from recombine.kb.candidates.candidate_recall import Asked, candidate_recall
from recombine.kb.candidates.search_space import SearchSpace
from recombine.kb.candidates.vocabulary import pruned_vocabulary
from recombine.kb.forms.form_of_text import form_of_text
from recombine.kb.forms.sexpression_words import write_word
from recombine.kb.ontology.ontology import Role, ontology_of
from recombine.kb.ontology.ontology_of_facts import ontology_of_facts
from recombine.kb.open_store import open_store
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.term import Term
from recombine.models.kbqa.arrays.question_arrays import ENTITY, LITERAL, QuestionArrays
from recombine.models.kbqa.arrays.schema_arrays import CLASS, RELATION, SchemaArrays
from recombine.models.kbqa.making.make_schema import make_schema
from recombine.models.kbqa.making.question_maker import MadeQuestions, QuestionMaker
from recombine.records.example import Example
from recombine.selection.prompts.kb_setting import KbSetting
from recombine.selection.prompts.linked import Linked

STORE = open_store("docs/examples/films.ttl")
SETTING = KbSetting("gold", STORE.profile, ontology_of_facts(STORE), STORE)
SCHEMA = make_schema(SETTING)
YEAR = Term.literal("2000", datatype="http://www.w3.org/2001/XMLSchema#integer")
FORMS = {
    "directed": "(AND Film (JOIN directed_by Ann_Other))",
    "plain": "(JOIN directed_by Ann_Other)",
    "count": "(COUNT (JOIN (R directed_by) Red_Kite))",
    "class": "(AND Person (JOIN directed_by Ann_Other))",
    "two": "(AND Film (AND (JOIN directed_by Ann_Other) (JOIN directed_by Bo_Else)))",
    "far": "(JOIN (R released) (JOIN directed_by Ann_Other))",
    "compared": "(AND Film (GT released 2000))",
    "largest": "(ARGMAX Film released)",
    "no fact": "(JOIN sequel_of Ann_Other)",
    "unknown": "(JOIN painted_by Ann_Other)",
    "broken": "(JOIN directed_by",
}
LINKS = {
    "count": [("Red_Kite", "red kite")],
    "two": [("Ann_Other", "Ann"), ("Bo_Else", "Bo Else")],
    "largest": [],
    "compared": [],
}


def examples() -> list[Example]:
    """The questions, whose text is their id."""
    return [Example(id=key, source=f"what is [{key}] ?", target=form) for key, form in FORMS.items()]


def links() -> dict[str, Linked]:
    """What is linked: mostly one entity."""
    linked = {
        key: Linked(tuple((Term.name(name), text) for name, text in LINKS.get(key, [("Ann_Other", "Ann")])))
        for key in FORMS
    }
    return {**linked, "compared": Linked(((YEAR, "2000"),))}


def made(options: dict[str, Any] | None = None, **how: Any) -> MadeQuestions:
    """The questions as arrays."""
    return QuestionMaker(SETTING, SCHEMA, **(options or {})).make(examples(), links(), **how)


def targets(questions: QuestionArrays, schema: SchemaArrays = SCHEMA) -> dict[str, str]:
    """The target of each question that has one, as a text."""
    return {
        key: questions.text(row, questions.targets[row], schema)
        for row, key in enumerate(questions.ids)
        if len(questions.targets[row])
    }


def candidates(questions: QuestionArrays, row: int, schema: SchemaArrays = SCHEMA) -> set[str]:
    """The candidates of a question, as texts."""
    tries = questions.candidates
    return {questions.text(row, tries.path(row, int(leaf)), schema) for leaf in tries.leaves(row)}


def test_the_schema() -> None:
    assert SCHEMA.words == ("born", "directed_by", "released", "sequel_of", "Film", "Person", "Work")
    assert SCHEMA.texts == ("born", "directed by", "released", "sequel of", "film", "person", "work")
    assert SCHEMA.kinds.tolist() == [RELATION] * 4 + [CLASS] * 3


def test_targets_are_candidates_where_they_match_one() -> None:
    questions, counts = made()
    year = "2000^^http://www.w3.org/2001/XMLSchema#integer"
    assert targets(questions) == {
        "directed": "(AND Film (JOIN directed_by Ann_Other))",
        "plain": "(AND Film (JOIN directed_by Ann_Other))",
        "count": "(COUNT (AND Person (JOIN (R directed_by) Red_Kite)))",
        "class": "(AND Person (JOIN directed_by Ann_Other))",
        "two": "(AND Film (AND (JOIN directed_by Ann_Other) (JOIN directed_by Bo_Else)))",
        "far": "(JOIN (R released) (JOIN directed_by Ann_Other))",
        "compared": f"(AND Film (gt released {year}))",
        "largest": "(ARGMAX Film released)",
        "no fact": "(JOIN sequel_of Ann_Other)",
    }
    assert counts.to_dict()["targets"] == {"no candidate": 5, "covered": 4, "unknown word": 1, "unreadable": 1}
    for row, key in enumerate(questions.ids):
        if key in ("directed", "plain", "count", "far"):
            assert questions.text(row, questions.targets[row], SCHEMA) in candidates(questions, row)


def test_without_the_class_of_answers_targets_say_none() -> None:
    questions, _ = made({"answer_class": False})
    assert targets(questions)["directed"] == targets(questions)["plain"] == "(JOIN directed_by Ann_Other)"
    assert candidates(questions, 0) == {
        each.text(STORE.profile) for each in SearchSpace(STORE).of([Term.name("Ann_Other")])
    }


@pytest.mark.parametrize("options", [{}, {"hops": 1}, {"beyond": ["superlatives", "comparatives", "classes"]}])
def test_as_many_are_covered_as_by_candidate_recall(options: dict[str, Any]) -> None:
    _, counts = made(options)
    asked = [
        Asked(key, form_of_text(form, STORE.profile), tuple(term for term, _ in links()[key].terms))
        for key, form in FORMS.items()
        if key != "broken"
    ]
    report = candidate_recall(SearchSpace(STORE, **options), asked, ontology=SETTING.ontology)
    assert {**report.counts, "unreadable": report.counts.get("unreadable", 0) + 1} == {
        "unreadable": 0,
        **counts.outcomes,
    }
    assert counts.targets["covered"] == report.covered
    assert counts.candidates <= sum(report.sizes) * 2


def test_links_vocabularies_and_what_is_not_there() -> None:
    questions, counts = made()
    row = questions.ids.index("two")
    assert questions.texts[row] == "what is two ?"
    assert questions.link_words[questions.links(row)] == ("Ann_Other", "Bo_Else")
    assert questions.link_texts[questions.links(row)] == ("Ann", "Bo Else")
    compared = questions.ids.index("compared")
    assert questions.link_kinds[questions.links(compared)].tolist() == [LITERAL]
    assert questions.link_kinds[questions.links(row)].tolist() == [ENTITY, ENTITY]
    whole = list(range(len(SCHEMA)))
    for each, key in enumerate(questions.ids):
        terms = [term for term, _ in links()[key].terms]
        if key in ("compared", "largest"):
            assert (questions.vocabulary[each].tolist(), bool(questions.pruned[each])) == (whole, False)
            continue
        near = pruned_vocabulary(SearchSpace(STORE), terms, ontology=SETTING.ontology)
        words = {write_word(term, STORE.profile) for term in (*near.relations, *near.classes)}
        assert {SCHEMA.words[item] for item in questions.vocabulary[each]} == words
        assert questions.pruned[each]
    assert (counts.without_link, counts.whole_vocabulary, counts.unknown_links) == (1, 2, 0)
    assert counts.without_candidates == 2  # nothing is linked, and no film is of the year 2000


def test_the_classes_at_the_ends_of_relations_are_near() -> None:
    """No fact is of the class of works, and by this ontology films are sequels of works."""
    film, work = Term.name("Film"), Term.name("Work")
    ontology = ontology_of([(film, work)], {Term.name("sequel_of"): Role((film,), (work,))}, {})
    linked = {"1": Linked(((Term.name("Red_Kite"), "red kite"),)), "2": Linked(((Term.name("Ann_Other"), "Ann"),))}
    maker = QuestionMaker(SETTING._replace(ontology=ontology), SCHEMA, hops=1)
    questions, _ = maker.make([Example(id=key, source="?", target="") for key in linked], linked, with_targets=False)
    near = [{SCHEMA.words[item] for item in questions.vocabulary[row]} for row in range(2)]
    assert near == [
        {"directed_by", "released", "sequel_of", "Film", "Person", "Work"},
        {"born", "directed_by", "Film", "Person"},
    ]


def test_links_to_what_no_fact_has_are_counted() -> None:
    linked = Linked(((Term.name("Nobody"), ""), (Term.name("Ann_Other"), "Ann"), (Term.name("Ann_Other"), "Other")))
    form = "(JOIN directed_by Nobody)"
    questions, counts = QuestionMaker(SETTING, SCHEMA).make([Example(id="1", source="?", target=form)], {"1": linked})
    assert (counts.unknown_links, counts.outcomes) == (1, {"not linked": 1})
    assert questions.link_words == ("Nobody", "Ann_Other")
    assert questions.link_texts == ("Nobody", "Ann")
    assert targets(questions) == {"1": form}  # it can be written, and is no candidate
    nobody = Linked(((Term.name("Nobody"), ""),))
    questions, counts = QuestionMaker(SETTING, SCHEMA).make([Example(id="1", source="?", target=form)], {"1": nobody})
    assert (counts.unknown_links, counts.without_candidates, counts.whole_vocabulary) == (1, 1, 1)


def test_a_form_that_names_what_is_not_linked_has_no_target() -> None:
    questions, counts = QuestionMaker(SETTING, SCHEMA).make(examples()[:2], {})
    assert (targets(questions), counts.targets, counts.without_link) == ({}, {"not linked": 2}, 2)


def test_one_value_in_two_spellings_is_linked() -> None:
    value = Term.literal("+02000", datatype=YEAR.datatype)
    example = Example(id="1", source="?", target=FORMS["compared"])
    questions, _ = QuestionMaker(SETTING, SCHEMA).make([example], {"1": Linked(((value, "2000"),))})
    assert targets(questions) == {"1": f"(AND Film (gt released +02000^^{YEAR.datatype}))"}


def test_candidates_of_some_questions_alone() -> None:
    whole, counts = made()
    some, fewer = made(candidates_of={"count"})
    row = some.ids.index("count")
    assert candidates(some, row) == candidates(whole, row)
    assert sum(some.candidates.codes.sizes) == len(some.candidates.codes[row])
    assert (fewer.targets, fewer.without_candidates) == (counts.targets, 0)
    assert targets(some) == targets(whole)


def test_the_order_of_questions_changes_nothing() -> None:
    questions, _ = made()
    order = np.random.default_rng(1).permutation(len(questions))
    other, _ = QuestionMaker(SETTING, SCHEMA).make([examples()[row] for row in order], links())
    same = questions.take(order)
    assert (other.ids, other.link_words) == (same.ids, same.link_words)
    assert other.candidates.codes.values.tolist() == same.candidates.codes.values.tolist()
    assert other.targets.values.tolist() == same.targets.values.tolist()
    assert other.vocabulary.values.tolist() == same.vocabulary.values.tolist()


def test_no_questions() -> None:
    questions, counts = QuestionMaker(SETTING, SCHEMA).make([], {})
    assert (len(questions), counts.questions, len(questions.candidates)) == (0, 0, 0)


def test_targets_in_sparql_are_read_too() -> None:
    text = "SELECT DISTINCT ?x WHERE { ?x <http://example.org/directed_by> <http://example.org/Ann_Other> . }"
    linked = {"1": Linked(((Term.name("Ann_Other"), "Ann"),))}
    maker = QuestionMaker(SETTING, SCHEMA, language="sparql")
    questions, counts = maker.make([Example(id="1", source="?", target=text)], linked)
    assert targets(questions) == {"1": "(AND Film (JOIN directed_by Ann_Other))"}
    assert counts.targets == {"covered": 1}


def test_a_relation_and_its_reverse_are_one_and_the_own_one_is_written() -> None:
    """By this ontology `sequel_of` is `directed_by` the other way round; of one film there are facts of both."""
    by, sequel = Term.name("directed_by"), Term.name("sequel_of")
    setting = SETTING._replace(ontology=ontology_of([], {by: Role(), sequel: Role()}, {by: sequel}))
    linked = {"1": Linked(((Term.name("Red_Kite"), "red kite"),)), "2": Linked(((Term.name("Ann_Other"), "Ann"),))}
    forms = {
        "(JOIN (R directed_by) Red_Kite)": "(JOIN (R directed_by) Red_Kite)",
        "(JOIN sequel_of Red_Kite)": "(JOIN sequel_of Red_Kite)",
        "(JOIN (R sequel_of) Ann_Other)": "(JOIN directed_by Ann_Other)",  # there are no facts of it
    }
    for form, target in forms.items():
        key = "2" if "Ann_Other" in form else "1"
        questions, counts = QuestionMaker(setting, SCHEMA).make([Example(id=key, source="?", target=form)], linked)
        assert (targets(questions), counts.outcomes) == ({key: target}, {"covered": 1})


# -- an ontology alone -------------------------------------------------------------------------------------------------

FREEBASE = find_profile("freebase")
FILM, PERSON, CITY = (Term.name(name) for name in ("film.film", "people.person", "location.city"))
BY, BORN, YEAR_OF = (Term.name(name) for name in ("film.film.directed_by", "people.person.born_in", "film.film.year"))
DIRECTED = Term.name("film.director.film")
ONTOLOGY = ontology_of(
    [],
    {
        BY: Role((FILM,), (PERSON,)),
        BORN: Role((PERSON,), (CITY,)),
        YEAR_OF: Role((FILM,), (Term.name("type.int"),)),
        DIRECTED: Role((PERSON,), (FILM,)),
    },
    {BY: DIRECTED},
    literal=FREEBASE.is_literal_class,
)
ALONE = KbSetting("gold", FREEBASE, ONTOLOGY, None)


def of_person(form: str, name: str = "m.02", class_: str = "people.person") -> Example:
    """A question about one entity, whose class the graph query says."""
    nodes = [{"nid": 0, "node_type": "entity", "id": name, "class": class_, "friendly_name": "Ann"}]
    return Example(id="1", source="?", target=form, tags={"graph_query": {"nodes": nodes}})


def of_ontology(example: Example, **options: Any) -> tuple[MadeQuestions, SchemaArrays]:
    """A question over the ontology, with its one entity linked."""
    schema = make_schema(ALONE)
    linked = {"1": Linked(((Term.name("m.02"), "Ann"),))}
    return QuestionMaker(ALONE, schema, **options).make([example], linked), schema


def test_candidates_of_an_ontology() -> None:
    form = "(AND film.film (JOIN film.film.directed_by m.02))"
    (questions, counts), schema = of_ontology(of_person(form), hops=1, count=False)
    assert candidates(questions, 0, schema) == {
        form,
        "(AND film.film (JOIN (R film.director.film) m.02))",
        "(AND location.city (JOIN (R people.person.born_in) m.02))",
    }
    assert targets(questions, schema) == {"1": form}
    assert (counts.outcomes, counts.unknown_links) == ({"covered": 1}, 0)
    near = {schema.words[item] for item in questions.vocabulary[0]}
    assert near == {
        "film.director.film",
        "film.film",
        "film.film.directed_by",
        "location.city",
        "people.person",
        "people.person.born_in",
    }
    assert questions.pruned.tolist() == [True]


def test_two_hops_and_counts_of_an_ontology() -> None:
    form = "(COUNT (AND people.person (JOIN (R film.film.directed_by) (JOIN film.film.directed_by m.02))))"
    (questions, counts), schema = of_ontology(of_person(form))
    assert targets(questions, schema) == {"1": form}
    assert form in candidates(questions, 0, schema)
    assert "(JOIN (R film.film.year) (JOIN film.film.directed_by m.02))" in candidates(questions, 0, schema)
    assert counts.outcomes == {"covered": 1}
    (_, one_hop), _ = of_ontology(of_person(form), hops=1)
    assert one_hop.outcomes == {"more relations": 1}
    (_, uncounted), _ = of_ontology(of_person(form), count=False)
    assert uncounted.outcomes == {"a function": 1}


def test_an_entity_without_a_class_has_no_candidates() -> None:
    form = "(AND film.film (JOIN film.film.directed_by m.02))"
    (questions, counts), schema = of_ontology(of_person(form, name="m.03"))
    assert (counts.unknown_links, counts.without_candidates, counts.outcomes) == (1, 1, {"not linked": 1})
    assert questions.vocabulary[0].tolist() == list(range(len(schema)))
    (_, other), _ = of_ontology(of_person(form, class_="people.nobody"))
    assert (other.outcomes, other.without_candidates) == ({"no such fact": 1}, 1)


def test_what_needs_facts_is_refused() -> None:
    with pytest.raises(OptionError, match="have no classes"):
        QuestionMaker(ALONE, SCHEMA, beyond=["classes"])
    with pytest.raises(OptionError, match="neither facts nor an ontology"):
        QuestionMaker(KbSetting("gold", FREEBASE), SCHEMA)
    with pytest.raises(OptionError, match="what forms are written with"):
        make_schema(KbSetting("gold", FREEBASE))


def test_strangers_facts() -> None:
    """Wikidata's classes look like entities, and are said by their predicate."""
    store = open_store("docs/examples/wiki.nt")
    setting = KbSetting("gold", store.profile, ontology_of_facts(store), store)
    schema = make_schema(setting)
    space = SearchSpace(store)
    term = store.term(int(space.entities[0]))
    example = Example(id="1", source="?", target=space.of([term])[0].text(store.profile))
    _, counts = QuestionMaker(setting, schema).make([example], {"1": Linked(((term, "x"),))})
    assert (counts.targets, counts.candidates) == ({"covered": 1}, len(space.of([term])))
    assert all(schema.texts)
