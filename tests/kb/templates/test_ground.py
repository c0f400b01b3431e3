"""Groundings of templates: their answers, that there are some, and that no branch is idle, all by executing forms."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from facts_of import names, store_of
from shorter_forms import is_redundant
from small_store import turtle_store
from valued_facts import CLASSES, PROFILE, valued_facts

from recombine.errors import FormError, InputWarning, OptionError
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.embedded.form_sets import FormSets
from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery
from recombine.kb.ontology.default_ontology import default_ontology
from recombine.kb.open_store import open_store
from recombine.kb.templates.ground import Grounder, Grounding
from recombine.kb.templates.popularity import Popularity
from recombine.kb.templates.template import TEMPLATE_FUNCTIONS, Template
from recombine.kb.templates.template_space import TemplateSpace
from recombine.kb.term import LITERAL, Term


def with_classes(template: Template, rng: np.random.Generator) -> Template:
    """The template with a class, none, or one that nothing is of, at each node that may have one."""
    classes = [*map(Term.name, CLASSES), *[None] * 5, Term.name("c.nothing")]
    nodes = tuple(
        replace(node, value=classes[int(rng.integers(len(classes)))]) if node.kind == "class" else node
        for node in template.query.nodes
    )
    return Template(replace(template.query, nodes=nodes))


def check(store: EmbeddedStore, grounding: Grounding) -> None:
    """The form gives the answers, there are some, and none of its branches can go."""
    assert [grounding.form.nodes[place].value for place in grounding.template.leaves] == list(grounding.values)
    assert store.execute(grounding.form) == list(grounding.answers)
    if grounding.template.function == "count":
        assert int(grounding.answers[0].text) > 0
    assert grounding.answers
    assert not is_redundant(store, grounding.form)


@pytest.fixture(scope="module")
def random_store(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedStore:
    """Random facts with classes and values of many kinds."""
    return store_of(valued_facts(7, facts=520, nodes=24), tmp_path_factory.mktemp("kb") / "index", profile=PROFILE)


def test_every_form_is_executed(random_store: EmbeddedStore) -> None:
    space, rng = TemplateSpace(random_store, classes=False), np.random.default_rng(1)
    grounder = Grounder(random_store, table=space.table)
    met: Counter[tuple[int, str]] = Counter()
    for turn in range(240):
        relations, function = 1 + turn % 4, TEMPLATE_FUNCTIONS[turn // 4 % 4]
        template = space.draw(rng, relations, function)
        assert template is not None
        for grounding in grounder.ground(with_classes(template, rng), rng, 3):
            check(random_store, grounding)
            met[relations, function] += 1
    assert len(met) == 16, met  # each number of relations with each function
    assert grounder.refused["redundant"] > 0


def test_with_one_leaf_all_and_only_what_is_compatible_is_found(tmp_path: Path) -> None:
    random_store = store_of(valued_facts(7, facts=160, nodes=24), tmp_path / "index", profile=PROFILE)
    space, rng = TemplateSpace(random_store, classes=False), np.random.default_rng(2)
    grounder = Grounder(random_store, table=space.table)
    every = [random_store.term(number) for number in range(len(random_store.table))]
    entities = [term for term in every if term.kind != LITERAL]
    drawn = [space.draw(rng, 1 + turn % 3, "none") for turn in range(90)]
    chains = [with_classes(each, rng) for each in drawn if each and len(each.leaves) == 1]
    assert len(chains) > 20
    refused = 0
    for template in chains:
        node = template.query.nodes[template.leaves[0]]
        terms = _values(random_store, template) if node.kind == "literal" else entities
        forms = {term: _form(template, term) for term in terms}
        compatible = {term for term, form in forms.items() if random_store.execute(form)}
        candidates = set(random_store.terms(grounder.candidates(template)))
        assert candidates <= compatible
        assert _by_value(random_store, candidates) == _by_value(random_store, compatible)
        good = {term for term in compatible if not is_redundant(random_store, forms[term])}
        refused += len(compatible) - len(good)
        found = {each.values[0] for each in grounder.ground(template, rng, 200)}
        assert found <= good
        assert _by_value(random_store, found) == _by_value(random_store, good)
    assert refused > 0


def _by_value(store: EmbeddedStore, terms: set[Term]) -> set[tuple[int, ...]]:
    """Terms, where literals that are equal are one."""
    sets = FormSets(store)
    return {tuple(sets.equal(term).tolist()) if term.kind == LITERAL else (store.id(term),) for term in terms}


def _values(store: EmbeddedStore, template: Template) -> list[Term]:
    """The literals that the relation to the only leaf leads to."""
    ((step, _),) = template.steps(template.leaves[0])
    return store.terms(store.along(store.id(step.relation), inverse=True))


def _form(template: Template, *values: Term) -> GraphQuery:
    """The form with classes that nothing is of left out, which are no conditions."""
    form = template.filled(values)
    known = set(map(Term.name, CLASSES))
    nodes = (
        replace(node, value=None) if node.kind == "class" and node.value not in known else node for node in form.nodes
    )
    return replace(form, nodes=tuple(nodes))


def test_with_two_leaves_only_what_is_compatible_is_found_and_most_of_it(tmp_path: Path) -> None:
    store = store_of(valued_facts(3, facts=420, nodes=9), tmp_path / "index", profile=PROFILE)
    space, rng = TemplateSpace(store, classes=False), np.random.default_rng(2)
    grounder = Grounder(store, table=space.table)
    entities = [term for number in range(len(store.table)) if (term := store.term(number)).text.startswith("m.")]
    forks = [each for each in space.iter_two_relations() if len(each.leaves) == 2]
    forks = [each for each in forks if all(each.query.nodes[place].kind == "entity" for place in each.leaves)][::9]
    found = wanted = 0
    for template in forks:
        forms = {(one, other): template.filled((one, other)) for one in entities for other in entities}
        good = {values for values, form in forms.items() if store.execute(form) and not is_redundant(store, form)}
        given = {each.values for each in grounder.ground(template, rng, 40)}
        assert given <= good
        found, wanted = found + len(given), wanted + len(good)
    assert found > 0.6 * wanted > 100


def test_redundant_groundings_are_given_when_asked_for(random_store: EmbeddedStore) -> None:
    space = TemplateSpace(random_store, classes=False)
    strict, lenient = (Grounder(random_store, table=space.table, redundant=each) for each in (False, True))
    rng, idle = np.random.default_rng(3), 0
    for template in list(space.iter_two_relations())[::11]:
        for grounding in lenient.ground(template, rng, 4):
            assert store_answers(random_store, grounding)
            redundant = is_redundant(random_store, grounding.form)
            assert strict.is_redundant(template, grounding.values) == redundant
            idle += redundant
    assert idle > 5


def store_answers(store: EmbeddedStore, grounding: Grounding) -> bool:
    """Whether the form gives the answers."""
    return store.execute(grounding.form) == list(grounding.answers)


def test_by_hand(tmp_path: Path) -> None:
    store = turtle_store(
        tmp_path,
        "freebase",
        """
        :m.e1 a :geo.peak ; :geo.peak.height 4000 ; :geo.peak.in :m.it , :m.ch .
        :m.e2 a :geo.peak ; :geo.peak.height 4500 ; :geo.peak.in :m.ch .
        :m.e3 a :geo.peak ; :geo.peak.height 3000 ; :geo.peak.in :m.it .
        """,
    )
    peak, inside, height = map(Term.name, ("geo.peak", "geo.peak.in", "geo.peak.height"))
    rng, grounder = np.random.default_rng(0), Grounder(store)
    asked, country = GraphNode("class", peak), GraphNode("entity", None)

    def template(*nodes: GraphNode) -> Template:
        steps = (inside if node.kind == "entity" else height for node in nodes)
        edges = tuple(GraphEdge(0, place, step) for place, step in enumerate(steps, 1))
        return Template(GraphQuery((asked, *nodes), edges))

    def given(*nodes: GraphNode) -> dict[str, str]:
        found = grounder.ground(template(*nodes), rng, 20)
        return {
            " ".join(term.text for term in each.values): " ".join(term.text for term in each.answers) for each in found
        }

    assert given(country) == {"m.it": "m.e1 m.e3", "m.ch": "m.e1 m.e2"}
    highest, lowest = (GraphNode("literal", None, None, each) for each in ("argmax", "argmin"))
    assert given(highest) == {"": "m.e2"}
    assert given(country, highest) == {"m.it": "m.e1"}  # that of m.ch is the highest of all
    assert given(country, lowest) == {"m.ch": "m.e1"}
    below = GraphNode("literal", None, None, "<")
    assert given(below) == {"4000": "m.e3", "4500": "m.e1 m.e3"}
    assert given(country, below) == {"m.ch 4500": "m.e1"}  # below 4000 is one alone, wherever
    assert given(GraphNode("literal", None)) == {"4000": "m.e1", "4500": "m.e2", "3000": "m.e3"}
    assert grounder.refused["redundant"] > 0
    counted = Template(replace(template(country).query, nodes=(replace(asked, function="count"), country)))
    assert [each.answers[0].text for each in grounder.ground(counted, rng, 2)] == ["2", "2"]
    everywhere = turtle_store(_folder(tmp_path), "freebase", ":m.e1 a :geo.peak ; :geo.peak.in :m.it .")
    alone = Grounder(everywhere)
    assert alone.ground(template(country), rng) == []  # all peaks are there: without the branch they are the same
    assert alone.refused == {"redundant": 1}
    assert len(Grounder(everywhere, redundant=True).ground(template(country), rng)) == 1


def _folder(path: Path) -> Path:
    (path / "other").mkdir()
    return path / "other"


def test_groundings_are_drawn_over_the_whole_range_of_popularity(tmp_path: Path) -> None:
    """Of 2 popular things among 200, one in two draws is popular."""
    lines = [f"s{number} p t{number}" for number in range(200)]
    lines += [f"x{turn} p popular{number}" for number in range(2) for turn in range(50)]
    store = store_of(names("\n".join(lines)), tmp_path / "index")
    template = Template(
        GraphQuery((GraphNode("class", None), GraphNode("entity", None)), (GraphEdge(0, 1, Term.name("p")),))
    )
    grounder, rng = Grounder(store), np.random.default_rng(4)
    values = [each.values[0].text for _ in range(100) for each in grounder.ground(template, rng)]
    assert 35 <= sum(text.startswith("popular") for text in values) <= 65
    assert {each.values[0].text for each in grounder.ground(template, rng, 4)} >= {"popular0", "popular1"}
    mentions = Grounder(store, popularity=Popularity({Term.name("t7"): 1_000}))
    values = [each.values[0].text for _ in range(100) for each in mentions.ground(template, rng)]
    assert 35 <= values.count("t7") <= 65


def test_the_same_seed_gives_the_same(random_store: EmbeddedStore) -> None:
    def drawn() -> list[Grounding]:
        space, rng = TemplateSpace(random_store), np.random.default_rng(6)
        grounder = Grounder(random_store, table=space.table)
        templates = [space.draw(rng, 1 + turn % 3, "none") for turn in range(30)]
        return [each for template in templates if template for each in grounder.ground(template, rng, 3)]

    first = drawn()
    assert first == drawn()
    assert len(first) > 30


def test_things_without_names_are_not_named(tmp_path: Path) -> None:
    text = ':m.1 :r :m.2 , :m.3 . :m.2 :type.object.name "Two" . :m.4 :r _:blank .'
    store = turtle_store(tmp_path, "freebase", text)
    template = Template(
        GraphQuery((GraphNode("class", None), GraphNode("entity", None)), (GraphEdge(0, 1, Term.name("r")),))
    )
    found = Grounder(store).ground(template, np.random.default_rng(0), 9)
    assert [each.values[0].text for each in found] == ["m.2"]


def test_what_cannot_be_grounded(random_store: EmbeddedStore) -> None:
    rng, grounder = np.random.default_rng(0), Grounder(random_store)
    nodes = (GraphNode("class", None), GraphNode("entity", None))
    known = Template(GraphQuery(nodes, (GraphEdge(0, 1, Term.name("c.a.r0")),)))
    with pytest.raises(OptionError, match="0 groundings"):
        grounder.ground(known, rng, 0)
    with pytest.raises(FormError, match=r"no fact has the relation c\.x\.r9"):
        grounder.ground(Template(GraphQuery(nodes, (GraphEdge(0, 1, Term.name("c.x.r9")),))), rng)
    with pytest.raises(FormError, match="no tree"):
        grounder.ground(Template(GraphQuery(nodes, ())), rng)
    with pytest.raises(FormError, match="not all in facts"):
        grounder.of_values(known, [Term.name("m.999")])
    value = random_store.term(int(grounder.candidates(known)[0]))
    assert store_answers(random_store, grounder.of_values(known, [value]))


@pytest.mark.shared_data
def test_groundings_of_fb15k237(data_dir: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        store = open_store(data_dir / "kb" / "fb15k237" / "triples.tsv.gz")
    assert isinstance(store, EmbeddedStore)
    space, rng = TemplateSpace(store, default_ontology(data_dir / "grailqa" / "ontology")), np.random.default_rng(1)
    grounder, met = Grounder(store, table=space.table), Counter[int]()
    for turn in range(120):
        template = space.draw(rng, 1 + turn % 4, "count" if turn % 3 == 0 else "none")
        assert template is not None
        for grounding in grounder.ground(template, rng, 2):
            check(store, grounding)
            met[template.relations] += 1
    assert min(met[relations] for relations in (1, 2, 3)) > 15, met
    assert met[4] > 0
