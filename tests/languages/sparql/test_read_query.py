"""SPARQL 1.1 read as trees: exact trees, what is let pass, what is refused where."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import pyoxigraph
import pytest
from sparql_queries import QUERIES
from sparql_trees import node
from sparql_worlds import is_answered_alone

from recombine.errors import ProgramError
from recombine.languages.sparql.leniencies import LENIENCIES
from recombine.languages.sparql.read_query import MAX_LENGTH, Query, read_query
from recombine.languages.sparql.write_query import write_query
from recombine.tree import Tree

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
P, Q = "<http://a.example/p>", "<http://a.example/q>"
HEAD = "PREFIX : <http://a.example/> "


def where(body: str) -> tuple[Tree, ...]:
    """The elements of an ASK."""
    (part,) = read_query(f"{HEAD}ASK {{ {body} }}").tree.children
    assert part.label == "where"
    return part.children


def condition(text: str) -> Tree:
    (element,) = where(f"FILTER ({text})")
    assert element.label == "filter"
    return element.children[0]


def triple(subject: str, path: Tree | str, value: str) -> Tree:
    return node("triple", subject, path, value)


def test_a_whole_query() -> None:
    text = (
        "PREFIX : <http://a.example/> SELECT DISTINCT ?x (COUNT(DISTINCT $y) AS ?n) WHERE { ?x :p ?y } GROUP BY ?x "
        "HAVING (COUNT(*) > 1) ORDER BY DESC(?n) ?x OFFSET 3 LIMIT 10 VALUES ?x { :q UNDEF }"
    )
    assert read_query(text) == Query(
        node(
            "select_distinct",
            node("project", "?x", node("as", node("COUNT", node("distinct", "?y")), "?n")),
            node("where", triple("?x", P, "?y")),
            node("group_by", "?x"),
            node("having", node(">", node("COUNT", "*"), "1")),
            node("order_by", node("desc", "?n"), node("asc", "?x")),
            node("limit", "10"),
            node("offset", "3"),
            node("values", node("variables", "?x"), node("row", Q), node("row", "UNDEF")),
        )
    )


def test_from_comes_last() -> None:
    tree = read_query("SELECT * FROM <g:a> FROM NAMED <g:b> {} LIMIT 1").tree
    assert tree == node(
        "select",
        node("project", "*"),
        Tree("where"),
        node("limit", "1"),
        node("from", "<g:a>"),
        node("from_named", "<g:b>"),
    )


@pytest.mark.parametrize(
    ("body", "elements"),
    [
        ("", []),
        ("?x :p 1 . ?x a :q .", [triple("?x", P, "1"), triple("?x", f"<{RDF}type>", Q)]),
        ("?x :p 1 , 2 ; :q 3 ;", [triple("?x", P, "1"), triple("?x", P, "2"), triple("?x", Q, "3")]),
        ("?x ?p [ :q 1 ] .", [triple("?x", "?p", "_:b0"), triple("_:b0", Q, "1")]),
        ("[ :q 1 ] :p 2", [triple("_:b0", Q, "1"), triple("_:b0", P, "2")]),
        ("_:who :p [] . [ :q _:who ]", [triple("_:b0", P, "_:b1"), triple("_:b2", Q, "_:b0")]),
        (
            "?x :p ( 1 () )",
            [
                triple("?x", P, "_:b0"),
                triple("_:b0", f"<{RDF}first>", "1"),
                triple("_:b0", f"<{RDF}rest>", "_:b1"),
                triple("_:b1", f"<{RDF}first>", f"<{RDF}nil>"),
                triple("_:b1", f"<{RDF}rest>", f"<{RDF}nil>"),
            ],
        ),
        ("{ ?x :p 1 }", [node("group", triple("?x", P, "1"))]),
        ("{ } UNION { ?x :p 1 }", [node("union", Tree("group"), node("group", triple("?x", P, "1")))]),
        ("OPTIONAL { ?x :p 1 } . MINUS { }", [node("optional", triple("?x", P, "1")), Tree("minus")]),
        ("GRAPH ?g { ?x :p 1 }", [node("graph", "?g", triple("?x", P, "1"))]),
        ("SERVICE SILENT :q { } SERVICE :q { }", [node("service_silent", Q), node("service", Q)]),
        ("BIND (1 + 2 AS ?x)", [node("bind", node("+", "1", "2"), "?x")]),
        ("VALUES () { () }", [node("values", Tree("variables"), Tree("row"))]),
        (
            "VALUES (?x ?y) { (1 :q) (UNDEF 'a'@en) }",
            [node("values", node("variables", "?x", "?y"), node("row", "1", Q), node("row", "UNDEF", '"a"@en'))],
        ),
        ("{ SELECT ?x { } }", [node("select", node("project", "?x"), Tree("where"))]),
        ("SELECT ?x { }", [node("select", node("project", "?x"), Tree("where"))]),
        ("{ { SELECT ?x { } } }", [node("group", node("select", node("project", "?x"), Tree("where")))]),
        ("FILTER NOT EXISTS { ?x :p 1 }", [node("filter", node("not_exists", triple("?x", P, "1")))]),
    ],
)
def test_elements(body: str, elements: list[Tree]) -> None:
    assert list(where(body)) == elements


@pytest.mark.parametrize(
    ("path", "tree"),
    [
        (":p/:q", node("/", P, Q)),
        (":p|:q/:p|^:q", node("|", P, node("/", Q, P), node("^", Q))),
        ("^:p*/(:p/:q)+", node("/", node("^", node("*", P)), node("+", node("/", P, Q)))),
        ("(^:p)?", node("?", node("^", P))),
        ("!:p/!(:q|^a)", node("/", node("!", P), node("!", Q, node("^", f"<{RDF}type>")))),
        ("!()", Tree("!")),
    ],
)
def test_paths(path: str, tree: Tree) -> None:
    assert where(f"?x {path} ?y") == (triple("?x", tree, "?y"),)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1 + 2 - 3", node("-", node("+", "1", "2"), "3")),
        ("?x -3", node("-", "?x", "3")),
        ("?x+3*2", node("+", "?x", node("*", "3", "2"))),
        ("?x * -3 -2 / ?y", node("-", node("*", "?x", "-3"), node("/", "2", "?y"))),
        ("- ?x = +?y", node("=", node("negative", "?x"), "?y")),
        ("?a || ?b && ?c", node("||", "?a", node("&&", "?b", "?c"))),
        ("?a || ?b || ?c", node("||", "?a", "?b", "?c")),
        ("(?a || ?b) || ?c", node("||", node("||", "?a", "?b"), "?c")),
        ("!(?a < ?b)", node("!", node("<", "?a", "?b"))),
        ("?a<?b && ?c>?d", node("&&", node("<", "?a", "?b"), node(">", "?c", "?d"))),
        ("?a<?b&&?c>?d", node("&&", node("<", "?a", "?b"), node(">", "?c", "?d"))),
        ("?a<=5&&?c>=:p", node("&&", node("<=", "?a", "5"), node(">=", "?c", P))),
        ("?a = <k:b>", node("=", "?a", "<k:b>")),
        ("?a NOT IN (1, 2)", node("not_in", "?a", "1", "2")),
        ("?a in ()", node("in", "?a")),
        ("regex(str(?a), 'x', \"i\")", node("REGEX", node("STR", "?a"), '"x"', '"i"')),
        ("<k:f>(?a, 1)", node("call", "<k:f>", "?a", "1")),
        (":p(DISTINCT ?a)", node("call", P, node("distinct", "?a"))),
        ("now() > 1", node(">", Tree("NOW"), "1")),
        ("EXISTS {} && TRUE", node("&&", Tree("exists"), "true")),
        ("GROUP_CONCAT(?a ; separator = ', ')", node("GROUP_CONCAT", "?a", node("separator", '", "'))),
    ],
)
def test_expressions(text: str, tree: Tree) -> None:
    assert condition(text) == tree


@pytest.mark.parametrize(
    ("written", "leaf"),
    [
        ("'a'", '"a"'),
        ('"""a "b"\nc"""', r'"a \"b\"\nc"'),
        (r"'it\'s \t\\ \u00e9\U0001F600'", '"it\'s \t\\\\ é😀"'),
        ("''", '""'),
        ("'''''' ", '""'),
        ("'a'@en-GB", '"a"@en-GB'),
        ("'5'^^<k:t>", '"5"^^<k:t>'),
        ("'5'^^:p", f'"5"^^{P}'),
        ("5.", "5"),
        ("-5.0e3", "-5.0e3"),
        (".5", ".5"),
        ("False", "false"),
        (r":it\'s\.it", "<http://a.example/it's.it>"),
        (":a.b.c.", "<http://a.example/a.b.c>"),
        (":a%20b:c-d", "<http://a.example/a%20b:c-d>"),
        (":", "<http://a.example/>"),
        (r"<http://a.example/\u00e9>", "<http://a.example/é>"),
        ("<k:a#b>", "<k:a#b>"),
    ],
)
def test_leaves(written: str, leaf: str) -> None:
    assert where(f"?x :p {written}") == (triple("?x", P, leaf),)


def test_comments_and_base() -> None:
    text = "BASE <http://a.example/x/> # <k:a>\nPREFIX z: <../> ASK { # ?y\n<?a> z:p <p#q> . } # end"
    assert read_query(text).tree.children[0].children == (
        triple("<http://a.example/x/?a>", "<http://a.example/p>", "<http://a.example/x/p#q>"),
    )


@pytest.mark.parametrize("name", QUERIES)
def test_queries_of_many_kinds(name: str) -> None:
    text, leniencies = QUERIES[name]
    query = read_query(text)
    assert set(query.leniencies) == leniencies
    written = write_query(query.tree)
    again = read_query(written)
    assert again.tree == query.tree
    assert set(again.leniencies) <= {"is_literal"}
    if is_answered_alone(query.tree):
        pyoxigraph.Store().query(written)
    if not leniencies:
        pyoxigraph.Store().query(text)


def test_every_leniency_is_shown() -> None:
    shown = set().union(*(leniencies for _, leniencies in QUERIES.values()))
    assert shown | {"placeholder"} == set(LENIENCIES)


def test_the_documentation_lists_every_leniency() -> None:
    page = (Path(__file__).parents[3] / "docs" / "languages.md").read_text()
    rows = re.findall(
        r"^\| `([a-z_]+)` \| (.*) \|$", page.partition("| leniency |")[2].partition("\n## ")[0], re.MULTILINE
    )
    assert {name: text.replace("\\|", "|") for name, text in rows} == LENIENCIES


def test_a_made_up_name_is_new() -> None:
    tree = read_query("SELECT COUNT(?value0) (?value1 + 1) { ?value0 <k:p> ?value1 }").tree
    assert [item.children[1].label for item in tree.children[0].children] == ["?value2", "?value3"]


def test_the_group_that_is_meant_is_by_the_plain_variables() -> None:
    tree = read_query("SELECT ?x ?y (COUNT(?z) AS ?n) { ?x ?y ?z }").tree
    assert tree.children[2] == node("group_by", "?x", "?y")
    inner = "{ SELECT (COUNT(?z) AS ?n) { ?x ?y ?z } }"
    assert read_query(f"SELECT ?n {{ {inner} }}") == Query(
        node(
            "select",
            node("project", "?n"),
            node(
                "where",
                node(
                    "select",
                    node("project", node("as", node("COUNT", "?z"), "?n")),
                    node("where", triple("?x", "?y", "?z")),
                ),
            ),
        )
    )


def test_prefixes_of_the_caller_come_before_those_well_known() -> None:
    query = read_query("ASK { my:a wdt:b 1 }", prefixes={"my": "m:", "wdt": "w:"})
    assert query == Query(node("ask", node("where", triple("<m:a>", "<w:b>", "1"))), ("undeclared_prefix",))
    own = read_query("PREFIX wdt: <o:> ASK { ?x wdt:b 1 }", prefixes={"wdt": "w:"})
    assert own == Query(node("ask", node("where", triple("?x", "<o:b>", "1"))))


@pytest.mark.parametrize(
    ("text", "leniencies"),
    [
        ("```sparql\nASK {}\n```", {"fence"}),
        ("```\nASK {}\n```", {"fence"}),
        ("```SPARQL ASK {}```", {"fence"}),
        ("```sparql\nASK {}", {"fence"}),
        ("Sure! The query:\n\n```rq\nASK {}\n```\n", {"fence", "prose"}),
        ("```sparql\nASK {}\n```\nIt asks nothing.", {"fence", "prose"}),
    ],
)
def test_fences(text: str, leniencies: set[str]) -> None:
    assert read_query(text) == Query(node("ask", Tree("where")), tuple(sorted(leniencies)))


def test_what_looks_like_a_fence_in_a_string_is_none() -> None:
    assert read_query("ASK { ?x <k:p> '```' }").leniencies == ()


TERM = "a variable, an IRI or prefixed name, a blank node, a string, a number, `true` or `false`, `(` or `["


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "an empty program; leave the example out"),
        (" # only a word\n", 15, "the query ends too early; here could stand `ASK`, `BASE`, `PREFIX` or `SELECT`"),
        ("SELECT ?x WHERE { ?x ?y", 24, f"the query ends too early; here could stand {TERM}"),
        ("SELECT ?x WHERE { ?x ?y }", 25, f"'}}' cannot stand here; here could stand {TERM}"),
        ("SELECT ?x {} LIMIT ?y", 20, "'?y' cannot stand here; here could stand a number"),
        ("SELECT ?x {} GROUP ?y", 20, "'?y' cannot stand here; here could stand `BY`"),
        (
            "ASK { ?x foo:bar ?y }",
            10,
            "the prefix 'foo:' is not declared and not well known; declare it: PREFIX foo: <",
        ),
        ("ASK { ?x <a> ?y }", 10, "the IRI <a> is relative and there is no BASE; write it in full"),
        ("ASK { ?x <k:a b> ?y }", 10, "an IRI that does not end, or with a character that no IRI has"),
        (r"ASK { ?x <k:\u0020> ?y }", 10, "an escape in an IRI stands for a character that no IRI has"),
        (r"ASK { ?x ?y '\q' }", 13, "a string with an escape that SPARQL does not have"),
        (r"ASK { ?x ?y '\uD800' }", 13, "a string with an escape that SPARQL does not have"),
        (r"ASK { ?x ?y '\UFFFFFFFF' }", 13, "a string with an escape that SPARQL does not have"),
        ("ASK { ?x ?y 'a }", 13, "a string that does not end; close it with '"),
        ("ASK { ?x ?y ~ }", 13, "'~' begins nothing that SPARQL has; remove it"),
        ("ASK { person ?y 1 }", 7, "'person' is no word of SPARQL; write a variable as ?name"),
        ("ASK { FILTER (sqrt(?x) > 1) }", 15, "'sqrt' is no function of SPARQL; write one of another kind as <iri>"),
        ("ASK { FILTER (REGEX(?x)) }", 15, "REGEX has 1 argument; it takes 2 or 3"),
        ("ASK { FILTER (BOUND(1)) }", 15, "BOUND of what is no variable"),
        ("ASK { VALUES (?x ?y) { (1) } }", 7, "a row of 1 values for 2 variables after VALUES; give each variable"),
        ("CONSTRUCT { } WHERE { }", 1, "CONSTRUCT is not read; queries are SELECT or ASK"),
        ("PREFIX a:b <k:> ASK {}", 12, "PREFIX is followed by 'a:b'; end the prefix with its colon: a:"),
        ("```\nASK {}\n```\n```\nASK {}\n```", 16, "a second fence where one query is needed"),
        (f"ASK {{ ?x ?y ?z ?{'long' * 20} ?y }}", 16, "?longlonglonglonglonglonglonglonglonglo…' cannot stand here"),
    ],
)
def test_what_is_refused_and_where(text: str, column: int, message: str) -> None:
    with pytest.raises(ProgramError) as refused:
        read_query(text)
    assert f"SPARQL program, column {column}: " in str(refused.value)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_brackets_may_be_as_deep_as_trees() -> None:
    assert read_query("ASK { FILTER " + "(" * 99 + "?x" + ")" * 99 + " }").tree.depth() == 4
    with pytest.raises(ProgramError, match="column 113: more than 100 levels inside each other"):
        read_query("ASK { FILTER " + "(" * 100 + "?x" + ")" * 100 + " }")


def test_loose_names() -> None:
    text = "ASK { dbr:Avatar_(2009_film) dbo:p dbr:Diana,_Princess , dbr:Schindler's_List,dbr:A,_:x,dbr:B\\,_c }"
    where = read_query(text).tree.children[0]
    ends = [
        Tree(f"<http://dbpedia.org/resource/{name}>") for name in ("Diana,_Princess", "Schindler's_List", "A", "B,_c")
    ]
    assert where.children[0].children[0] == Tree("<http://dbpedia.org/resource/Avatar_(2009_film)>")
    assert [triple.children[2] for triple in where.children] == [*ends[:3], Tree("_:b0"), ends[3]]


@pytest.mark.parametrize(
    "text",
    [
        "ASK { FILTER " + "(" * 10_000,
        "ASK " + "{ " * 10_000,
        "ASK { ?x ?y " + "[ <k:p> " * 10_000,
        "ASK { FILTER (" + "!" * 10_000 + "?x) }",
        "ASK { FILTER (" + "- " * 10_000 + "?x) }",
        "ASK { FILTER (?x" + " + 1" * 10_000 + ") }",
        "ASK { FILTER (?x -1" + " * 1" * 10_000 + ") }",
        "ASK { ?x " + "^(" * 10_000 + "<k:p>" + ")" * 10_000 + " ?y }",
    ],
)
def test_what_is_too_deep_is_refused(text: str) -> None:
    with pytest.raises(ProgramError, match="more than 100 levels inside each other"):
        read_query(text)


def test_what_is_too_long_is_refused_at_once() -> None:
    begin = time.process_time()
    with pytest.raises(ProgramError, match="column 1000001: more than 1,000,000 characters; shorten the query"):
        read_query("ASK { " + "?x <k:p> ?y . " * 1_500_000)
    assert time.process_time() - begin < 2
    assert read_query("ASK { }" + " " * (MAX_LENGTH - 7)).leniencies == ()


def test_threads_read_side_by_side() -> None:
    faults: list[str] = []

    def read(number: int) -> None:
        for _ in range(50):
            query = read_query(f"SELECT COUNT(?v{number}) {{ [] <k:{number}> ?v{number} }}")
            if query.leniencies != ("bare_count",) or f"?v{number}" not in write_query(query.tree):
                faults.append(str(number))

    threads = [threading.Thread(target=read, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
