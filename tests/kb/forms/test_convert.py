"""Conversions between three notations on forms that the project makes, and what each loses."""

from __future__ import annotations

import pytest
from random_forms import ontology, random_forms, random_world
from slow_execute import SlowExecute

from recombine.errors import FormError, RecombineError, UnknownNameError
from recombine.kb.forms.convert import convert
from recombine.kb.forms.form import (
    GRAILQA,
    GRAPH,
    SETS,
    SEXPRESSION,
    SPARQL,
    Form,
    GraphEdge,
    GraphNode,
    GraphQuery,
    SExpression,
)
from recombine.kb.forms.read_form import read_form
from recombine.kb.forms.write_form import write_form
from recombine.kb.forms.write_sparql import write_sparql
from recombine.kb.matching.canonical_form import Canonical
from recombine.kb.profiles.find_profile import find_profile
from recombine.kb.profiles.profile import Profile
from recombine.kb.term import Term
from recombine.kb.written_term import written_term
from recombine.languages.sexpression import normalise_sexpression, render_sexpression

FREEBASE = find_profile("freebase")
XSD = "http://www.w3.org/2001/XMLSchema#"
NS = "http://rdf.freebase.com/ns/"


def form(text: str, notation: str = SEXPRESSION, profile: Profile = FREEBASE) -> Form:
    return read_form(text, notation, profile)


def sexpression(query: str, profile: Profile = FREEBASE, *, keep_classes: bool = False) -> tuple[str, list[str]]:
    """A query as an S-expression, and the kinds of losses."""
    done = convert(form(query, SPARQL, profile), SEXPRESSION, profile=profile, keep_classes=keep_classes)
    text = write_form(done.form, profile)
    assert isinstance(text, str)
    return text, [loss.kind for loss in done.losses]


@pytest.mark.slow
@pytest.mark.parametrize("nested", [False, True])
def test_every_s_expression_comes_back_from_sparql_and_from_graph(nested: bool) -> None:
    """Equal under `strict`, without an ontology too where classes in the middle are kept."""
    known = ontology()
    strict, by_syntax = Canonical(known, FREEBASE), Canonical(None, FREEBASE)
    graphs = 0
    for tree in random_forms(17, 1000, nested=nested):
        text = render_sexpression(tree)
        ways = [(SPARQL, SETS)]
        try:
            convert(SExpression(tree), GRAPH, profile=FREEBASE)
        except FormError:
            assert nested
        else:
            graphs += 1
            ways += [(GRAPH, SETS), (SPARQL, GRAILQA)]
        for notation, semantics in ways:
            there = convert(SExpression(tree), notation, profile=FREEBASE, semantics=semantics)
            assert not there.losses
            read = read_form(write_form(there.form, FREEBASE), notation, FREEBASE)
            assert read == there.form
            back = convert(read, SEXPRESSION, profile=FREEBASE, keep_classes=True)
            assert not back.losses
            assert back.semantics == (semantics if "!=" in str(write_form(read, FREEBASE)) else SETS)
            assert by_syntax.of_text(render_sexpression(back.form.tree)) == by_syntax.of_text(text)  # type: ignore[union-attr]
            short = convert(read, SEXPRESSION, profile=FREEBASE, implies=known.implies)
            same = strict.of_text(render_sexpression(short.form.tree)) == strict.of_text(text)  # type: ignore[union-attr]
            assert same or short.losses, "what is not the same is said"
    assert graphs == 1000 if not nested else 500 < graphs < 1000


@pytest.mark.parametrize("nested", [False, True])
def test_sparql_in_the_semantics_of_sets_means_what_the_form_means(nested: bool) -> None:
    oxigraph = pytest.importorskip("pyoxigraph")
    store = oxigraph.Store()
    facts = [tuple(map(Term.of_key, fact)) for fact in random_world(5, facts_each=30).facts]
    lines = (" ".join(written_term(term, NS) for term in fact) + " ." for fact in facts)
    store.load("\n".join(lines).encode(), oxigraph.RdfFormat.N_TRIPLES)
    slow = SlowExecute(facts, FREEBASE)  # type: ignore[arg-type]
    with_answers = 0
    for tree in random_forms(11, 60, nested=nested):
        wanted = slow.sexpression(tree)
        expected = {str(wanted)} if isinstance(wanted, int) else {FREEBASE.expand(term) for term in wanted}
        with_answers += bool(wanted)
        query = write_sparql(SExpression(tree), FREEBASE)
        assert {row[0].value for row in store.query(query)} == expected, render_sexpression(tree)
        graph = _graph(SExpression(tree))
        if graph is not None:
            assert {row[0].value for row in store.query(write_sparql(graph, FREEBASE))} == expected
    assert with_answers > 30


def _graph(of: Form) -> Form | None:
    try:
        return convert(of, GRAPH, profile=FREEBASE).form
    except FormError:
        return None


def test_the_two_semantics() -> None:
    text = f"(AND film.film (JOIN film.film.released 1999-07-01^^{XSD}date))"
    assert write_sparql(form(text), FREEBASE) == (
        f"SELECT DISTINCT ?x0 WHERE {{ ?x0 <{NS}type.object.type> <{NS}film.film> . "
        f'?x0 <{NS}film.film.released> "1999-07-01"^^<{XSD}date> . }}'
    )
    assert write_sparql(form(text), FREEBASE, GRAILQA) == (
        f"SELECT (?x0 AS ?value) WHERE {{ {{ SELECT DISTINCT ?x0 WHERE {{ ?x0 <{NS}type.object.type> <{NS}film.film> . "
        f'VALUES ?x1 {{ "1999-07-01-08:00"^^<{XSD}date> }} ?x0 <{NS}film.film.released> ?x1 . '
        "FILTER (?x0 != ?x1) } } }"
    )
    back = convert(form(write_sparql(form(text), FREEBASE, GRAILQA), SPARQL), SEXPRESSION, profile=FREEBASE)
    assert (write_form(back.form, FREEBASE), back.semantics, back.losses) == (text, GRAILQA, ())
    with pytest.raises(UnknownNameError, match="unknown semantics 'bags'"):
        write_sparql(form(text), FREEBASE, "bags")


def test_a_superlative_in_the_published_way_repeats_the_graph() -> None:
    query = write_sparql(form("(ARGMIN (JOIN film.film.director m.0d) film.film.length)"), FREEBASE, GRAILQA)
    assert query == (
        "SELECT (?x0 AS ?value) WHERE { { SELECT DISTINCT ?x0 WHERE { "
        f"VALUES ?x1 {{ <{NS}m.0d> }} "
        f"{{ SELECT (MIN(?y2) AS ?x2) WHERE {{ VALUES ?y1 {{ <{NS}m.0d> }} "
        f"?y0 <{NS}film.film.director> ?y1 . ?y0 <{NS}film.film.length> ?y2 . "
        "FILTER (?y0 != ?y1 && ?y0 != ?y2 && ?y1 != ?y2) } } "
        f"?x0 <{NS}film.film.director> ?x1 . ?x0 <{NS}film.film.length> ?x2 . "
        "FILTER (?x0 != ?x1 && ?x0 != ?x2 && ?x1 != ?x2) } } }"
    )


def test_a_name_that_is_different_from_itself_is_lost() -> None:
    query = write_sparql(form("(AND (JOIN r m.0d) (JOIN q m.0d))"), FREEBASE, GRAILQA)
    assert "?x1 != ?x2" not in query
    assert sexpression(query) == ("(AND (JOIN r m.0d) (JOIN q m.0d))", [])
    text, losses = sexpression(query.replace("?x0 != ?x2", "?x0 != ?x2 && ?x1 != ?x2"))
    assert (text, losses) == ("(AND (JOIN r m.0d) (JOIN q m.0d))", ["nodes that are different"])


def test_rewriting_a_published_query_as_sets_loses_that_nodes_differ() -> None:
    query = form(write_sparql(form("(JOIN r m.0d)"), FREEBASE, GRAILQA), SPARQL)
    assert convert(query, SPARQL, profile=FREEBASE).form == query
    done = convert(query, SPARQL, profile=FREEBASE, semantics=SETS)
    assert done.losses == ("all nodes are different from each other",)


@pytest.mark.parametrize(
    "name", ["quote \" and '", "brace {x} }", "new\nline", "back\\slash", "<tag>", "100 % [é]#", "? . ?y", "A_(film)"]
)
def test_hard_names_are_escaped(name: str) -> None:
    oxigraph = pytest.importorskip("pyoxigraph")
    plain = find_profile("plain")
    tree = convert(
        form(f"SELECT ?x {{ ?x <http://example.org/r> {written_term(Term.name(name), plain.base)} }}", SPARQL, plain),
        SEXPRESSION,
        profile=plain,
    ).form
    text = write_form(tree, plain)
    assert isinstance(text, str)
    query = write_sparql(form(text, profile=plain), plain)
    store = oxigraph.Store()
    iri = oxigraph.NamedNode(plain.expand(Term.name(name)))
    store.add(oxigraph.Quad(oxigraph.NamedNode("http://a/b"), oxigraph.NamedNode("http://example.org/r"), iri))
    assert [row[0].value for row in store.query(query)] == ["http://a/b"]


def test_an_iri_that_is_none_is_refused() -> None:
    nodes = (GraphNode("class", None), GraphNode("entity", Term.iri("http://a/ b")))
    with pytest.raises(FormError, match="is no IRI"):
        write_sparql(GraphQuery(nodes, (GraphEdge(0, 1, Term.name("r")),)), FREEBASE)


CLASSED = "SELECT DISTINCT ?x WHERE { ?x a ns:film.film ; ns:film.film.director ?d . ?d a ns:film.director ; "


@pytest.mark.parametrize(
    ("query", "text", "losses"),
    [
        ("SELECT ?x { ?x ns:r ns:m.0d }", "(JOIN r m.0d)", []),
        ("SELECT DISTINCT ?x { ns:m.0d ns:r ?x }", "(JOIN (R r) m.0d)", []),
        ("SELECT ?x { ?x ns:r/^ns:q ns:m.0d }", "(JOIN r (JOIN (R q) m.0d))", []),
        ("SELECT ?x { ?x ^(ns:r/ns:q) ns:m.0d }", "(JOIN (R q) (JOIN (R r) m.0d))", []),
        ("SELECT ?x { ?x a ns:c ; ns:r [ ns:q ns:m.0d ] }", "(AND c (JOIN r (JOIN q m.0d)))", []),
        ("SELECT ?x { ?x ns:r ?y . BIND(ns:m.0d AS ?y) }", "(JOIN r m.0d)", []),
        ("SELECT ?x { ?x ns:r ?y . FILTER(?y = ns:m.0d) }", "(JOIN r m.0d)", []),
        ("SELECT ?x { VALUES ?x { ns:m.0e } ?x ns:r ns:m.0d }", "(AND m.0e (JOIN r m.0d))", []),
        ("SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x ns:r ns:m.0d }", "(COUNT (JOIN r m.0d))", []),
        ("SELECT (COUNT(?x) AS ?n) { ?x ns:r ns:m.0d }", "(COUNT (JOIN r m.0d))", []),
        ("SELECT (COUNT(*) AS ?n) { ?x ns:r ns:m.0d }", "(COUNT (JOIN r m.0d))", []),
        (
            "SELECT (COUNT(?x) AS ?n) { ?x ns:r ?y . ?y ns:q ns:m.0d }",
            "(COUNT (JOIN r (JOIN q m.0d)))",
            ["repeats counted"],
        ),
        ("SELECT ?x { ?x ns:r ?v . FILTER(5 < ?v) }", f"(gt r 5^^{XSD}integer)", []),
        (
            "SELECT ?x { ?x ns:r ?v . FILTER(?v > 5 && ?v <= 9.5) }",
            f"(AND (gt r 5^^{XSD}integer) (le r 9.5^^{XSD}decimal))",
            ["one value for all comparisons"],
        ),
        ("SELECT ?x { ?x a ns:c ; ns:r ?v } ORDER BY DESC(?v) LIMIT 1", "(ARGMAX c r)", ["one answer of several"]),
        (
            "SELECT ?x { ?x a ns:c ; ns:r/ns:q ?v } ORDER BY ?v LIMIT 1",
            "(ARGMIN c (JOIN r q))",
            ["one answer of several"],
        ),
        ("SELECT ?x { ?x a ns:c ; ns:r ns:m.0d } ORDER BY ?x", "(AND c (JOIN r m.0d))", []),
        (
            "SELECT ?x { ?x a ns:c ; ns:r ?m { SELECT (MAX(?v) AS ?m) { ?y ns:r ?v . ?y a ns:c } } }",
            "(ARGMAX c r)",
            [],
        ),
        (
            "SELECT ?x { ?x ns:r ?y { SELECT ?y { ?y ns:q ns:m.0d } } }",
            "(JOIN r (JOIN q m.0d))",
            [],
        ),
        (
            "SELECT ?x { ?x ns:r ?y . ?y ns:q ns:m.0d . FILTER(?x != ?y) }",
            "(JOIN r (JOIN q m.0d))",
            ["nodes that are different"],
        ),
        (
            "SELECT ?x { ?x ns:r ns:m.0d FILTER (!isLiteral(?x) OR lang(?x) = '' OR langMatches(lang(?x), 'en')) }",
            "(JOIN r m.0d)",
            ["language of answers"],
        ),
        ("SELECT ?x { ?x ns:r ns:m.0d . ns:m.0d ns:q ns:m.0e }", "(JOIN r (AND m.0d (JOIN q m.0e)))", []),
        (
            "SELECT ?x { VALUES ?y { ns:m.0d } ?x ns:r ?y . ?x ns:q ?z . ?z ns:p ?y }",
            "(AND (JOIN r m.0d) (JOIN q (JOIN p m.0d)))",
            [],
        ),
    ],
)
def test_queries_as_people_write_them(query: str, text: str, losses: list[str]) -> None:
    assert sexpression(query) == (text, losses)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("ASK { ns:m.0d ns:r ns:m.0e }", "ASK has no other notation"),
        ("SELECT ?x ?y { ?x ns:r ?y }", "a query for 2 variables"),
        ("SELECT ?x { { ?x ns:r ns:m.0d } UNION { ?x ns:q ns:m.0d } }", "UNION"),
        ("SELECT ?x { ?x ns:r ns:m.0d OPTIONAL { ?x ns:q ?y } }", "OPTIONAL"),
        ("SELECT ?x { ?x ns:r ns:m.0d MINUS { ?x ns:q ns:m.0d } }", "MINUS"),
        ("SELECT ?x { ?x ns:r* ns:m.0d }", r"a path with \*"),
        ("SELECT ?x { ?x ns:r|ns:q ns:m.0d }", r"a path with \|"),
        ("SELECT ?x { ?x ?p ns:m.0d }", r"a relation that is the variable \?p"),
        ("SELECT ?x { ?x ns:r ns:m.0d FILTER EXISTS { ?x ns:q ?y } }", "FILTER with exists"),
        ("SELECT ?x { ?x ns:r ?y FILTER(REGEX(?y, 'a')) }", "FILTER with REGEX"),
        ("SELECT ?x { ?x ns:r ?y . VALUES ?y { ns:m.0d ns:m.0e } }", "VALUES with several"),
        ("SELECT ?x { ?x ns:r ns:m.0d } LIMIT 10", "LIMIT 10"),
        ("SELECT ?x { ?x ns:r ?v } ORDER BY ?v LIMIT 1 OFFSET 1", "OFFSET"),
        ("SELECT (MAX(?v) AS ?m) { ns:m.0d ns:r ?v }", "MAX"),
        ("SELECT ?x { ?x ns:r ?y } GROUP BY ?x", "GROUP BY"),
        ("SELECT ?x { ?x ns:r ?y . ?y ns:q ?x }", "it is cyclic"),
        ("SELECT ?x { ?x ns:r ?x ; a ns:c }", "it is cyclic"),
        ("SELECT ?x { ?x ns:r ns:m.0d . ?y ns:q ns:m.0e }", "a part of it is not connected"),
        ("SELECT ?z { ?x ns:r ns:m.0d }", r"\?z is asked for and nothing is said of it"),
        ("SELECT ?x { ?x ns:r ?y }", "nothing is said of the node 1"),
        (
            "SELECT ?x { ?x a ns:c ; ns:q ns:m.0d ; ns:r ?m { SELECT (MAX(?v) AS ?m) { ?y a ns:c ; ns:r ?v } } }",
            "MAX over another pattern",
        ),
    ],
)
def test_what_has_no_s_expression_stays_sparql(query: str, reason: str) -> None:
    with pytest.raises(FormError, match=reason):
        sexpression(query)


def test_classes_in_the_middle() -> None:
    query = CLASSED + "ns:born ns:m.0c }"
    text = "(AND film.film (JOIN film.film.director (JOIN born m.0c)))"
    assert sexpression(query) == (text, ["class in the middle, perhaps implied"])
    full = "(AND film.film (JOIN film.film.director (AND film.director (JOIN born m.0c))))"
    assert sexpression(query, keep_classes=True) == (full, [])

    def implies(relation: Term, name: Term, *, inverse: bool = False) -> bool:
        return (relation.text, name.text, inverse) == ("film.film.director", "film.director", True)

    assert convert(form(query, SPARQL), SEXPRESSION, profile=FREEBASE, implies=implies).losses == ()
    narrower = form(query.replace("a ns:film.director", "a ns:film.star"), SPARQL)
    done = convert(narrower, SEXPRESSION, profile=FREEBASE, implies=implies)
    assert done.losses == ("the node 1 in the middle is of class film.star, which no relation there implies",)
    with pytest.raises(FormError, match="it would lose this: the node 1 in the middle"):
        convert(narrower, SEXPRESSION, profile=FREEBASE, implies=implies, lossless=True)


SHARED = (
    "SELECT ?x WHERE { ?y ns:r ?x ; ns:q ns:m.0d ; ns:v ?m . "
    "{ SELECT (MAX(?v) AS ?m) { ?b ns:r ?a ; ns:q ns:m.0d ; ns:v ?v } } }"
)


def test_a_node_that_set_and_path_share_is_lost_in_an_s_expression_alone() -> None:
    text = "(ARGMAX (JOIN (R r) (JOIN q m.0d)) (JOIN (R r) v))"
    assert sexpression(SHARED) == (text, ["shared node"])
    graph = convert(form(SHARED, SPARQL), GRAPH, profile=FREEBASE)
    assert graph.losses == ()
    assert convert(graph.form, SEXPRESSION, profile=FREEBASE).losses == (
        "the node 1 is one for the set and for the path to the value of ARGMAX",
    )
    again = convert(form(write_sparql(graph.form, FREEBASE), SPARQL), GRAPH, profile=FREEBASE)
    assert again.form == graph.form
    apart = convert(form(text), GRAPH, profile=FREEBASE).form
    assert len(apart.nodes) == 1 + len(graph.form.nodes)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"(AND c (AND (LT r 5^^{XSD}int) (GT r 2^^{XSD}int)))", "it has two functions, < and >"),
        ("(COUNT (ARGMAX c r))", "it has two functions, COUNT and ARGMAX"),
        ("(JOIN q (ARGMAX c r))", "ARGMAX is of a set within the form"),
        ("(AND d (ARGMAX c r))", "ARGMAX is of a set within the form"),
        ("(ARGMAX (ARGMIN c r) q)", "it has two functions, ARGMIN and ARGMAX"),
        ("(COUNT (COUNT c))", "it has two functions, COUNT and COUNT"),
        (f"(AND 5^^{XSD}int (JOIN r m.0))", "a literal is asked for"),
        ("(AND m.0a (AND m.0b (JOIN r m.0)))", "one node is two things by their names"),
    ],
)
def test_what_no_graph_query_can_say(text: str, reason: str) -> None:
    with pytest.raises(FormError, match=reason):
        convert(form(text), GRAPH, profile=FREEBASE)
    query = convert(form(text), SPARQL, profile=FREEBASE)
    back = convert(form(write_sparql(query.form, FREEBASE), SPARQL), SEXPRESSION, profile=FREEBASE)
    small = form(text.replace("LT", "lt").replace("GT", "gt"))
    assert normalise_sexpression(back.form.tree) == normalise_sexpression(small.tree)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("(ARGMAX c (JOIN (R r) (JOIN q v)))", "(ARGMAX c (JOIN (R r) (JOIN q v)))"),
        ("(JOIN (JOIN r q) m.0)", "(JOIN r (JOIN q m.0))"),
        ("(JOIN (R (JOIN r (R q))) m.0)", "(JOIN q (JOIN (R r) m.0))"),
        ("(AND m.0a (JOIN r m.0))", "(AND m.0a (JOIN r m.0))"),
        ("(AND c (AND d (JOIN r m.0)))", "(AND c (AND d (JOIN r m.0)))"),
        ("(JOIN type.object.type film.film)", "film.film"),
        (f"(LE (JOIN r q) 5^^{XSD}int)", f"(JOIN r (le q 5^^{XSD}int))"),
        ("(JOIN (R r) common.topic)", "(JOIN (R r) common.topic)"),
    ],
)
def test_what_a_graph_query_can_say(text: str, same: str) -> None:
    graph = read_form(write_form(convert(form(text), GRAPH, profile=FREEBASE).form, FREEBASE), GRAPH, FREEBASE)
    done = convert(graph, SEXPRESSION, profile=FREEBASE)
    assert (write_form(done.form, FREEBASE), done.losses) == (same, ())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(AND (R r) c)", r"\(R r\) is pairs, where a set is wanted"),
        ("(JOIN (AND r q) c)", r"\(AND r q\) is a set, where pairs are wanted"),
        (f"(JOIN 5^^{XSD}int c)", "is a literal, where a relation is wanted"),
        ("(LT r m.0)", "m.0 is no literal, where one is compared with"),
        ("(TC (JOIN r m.0) q NOW)", "TC has no other notation"),
    ],
)
def test_what_is_ill_typed(text: str, reason: str) -> None:
    with pytest.raises(RecombineError, match=reason):
        convert(form(text), SPARQL, profile=FREEBASE)


def test_wikidata_and_dbpedia() -> None:
    wikidata, dbpedia = find_profile("wikidata"), find_profile("dbpedia")
    query = "SELECT ?x { ?x wdt:P31 wd:Q11424 ; wdt:P57 wd:Q8006 ; wdt:P840 [ wdt:P31 wd:Q515 ] }"
    text = "(AND Q11424 (AND (JOIN wdt:P57 Q8006) (JOIN wdt:P840 (JOIN wdt:P31 Q515))))"
    assert sexpression(query, wikidata) == (text, [])
    graph = convert(form(query, SPARQL, wikidata), GRAPH, profile=wikidata)
    written = write_form(graph.form, wikidata)
    assert isinstance(written, dict)
    assert [node["node_type"] for node in written["nodes"]] == ["class", "entity", "class"]
    back = convert(read_form(written, GRAPH, wikidata), SEXPRESSION, profile=wikidata)
    assert write_form(back.form, wikidata) == text
    query = "SELECT ?x { ?x a dbo:Film ; dbo:director <http://dbpedia.org/resource/A_(man)> }"
    assert sexpression(query, dbpedia) == (
        "(AND dbo:Film (JOIN dbo:director <http://dbpedia.org/resource/A_\\u0028man\\u0029>))",
        [],
    )
    with pytest.raises(FormError, match="Q5 is an entity, and a class to who reads the S-expression"):
        sexpression("SELECT ?x { ?x wdt:P50 wd:Q5 . wd:Q5 wdt:P22 wd:Q7 }", wikidata)


def test_an_unknown_notation() -> None:
    with pytest.raises(UnknownNameError, match="unknown notation 'lambda'"):
        convert(form("(JOIN r m.0)"), "lambda", profile=FREEBASE)
