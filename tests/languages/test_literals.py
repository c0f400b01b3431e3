"""Literals and names by their kinds, worked out by hand for every language."""

from __future__ import annotations

import pytest

from recombine.languages.known import LANGUAGES, find_language
from recombine.languages.literals import identifier_kind, is_kind, literal_kind
from recombine.tree import Tree

# A language, a program, and the labels of its leaves with literals by their kinds.
LITERALS = [
    ("actions", "I_WALK I_RUN", "I_WALK I_RUN"),
    ("brackets", "f ( a , 'b' , 3 , true , 2012-01-02 )", "a <string> <number> <boolean> <date>"),
    ("cogs", "eat . agent ( x _ 1 , Emma )", "x_1 Emma"),
    ("covr", "eq ( count ( find ( dog ) ) , 2 )", "dog <number>"),
    ("functional", 'count ( find ( "a b" , 3 , x ) )', "<string> <number> x"),
    ("funql", "answer ( size ( stateid ( 'texas' ) , 3 ) )", "<string> <number>"),
    ("lambda_calculus", "( < ( _time $0 ) 900:_ti )", "$0 <number>"),
    ("lambda_dcs", "( call f ( number 3 en.inch ) ( date 2015 1 -1 ) )", "f <number> en.inch <date>"),
    ("scenes", "eq ( count ( find ( dog ) ) , 2 )", "dog <number>"),
    ("sexpression", "(JOIN film.film.year 2010^^xsd:gYear)", "film.film.year <date>"),
    ("sexpression", "(lt a.b.c 3.0^^http://www.w3.org/2001/XMLSchema#float)", "a.b.c <number>"),
    ("sexpression", '(JOIN a.b.c "blue"@en)', "a.b.c <string>"),
    ("sexpression", "(JOIN a.b.c m.0gkybzv)", "a.b.c <entity>"),
    ("sparql", "SELECT count ( * ) WHERE { ?x0 a.b.c m_05zppz }", "?x0 a.b.c <entity>"),
    (
        "sparql11",
        'ASK { ?x <http://x/p> "abc"@en ; <http://x/q> 3.5 ; <http://x/r> true ; <http://x/s> <http://x/Q42> }',
        "?x <http://x/p> <string> ?x <http://x/q> <number> ?x <http://x/r> <boolean> ?x <http://x/s> <entity>",
    ),
    ("sql", "select a from t where b = 'x' and c > 3 and d = '2012-01-02'", "a t b <string> c <number> d <date>"),
    ("text", "wake me on 2012-01-02 at 7", "wake me on <date> at <number>"),
    ("thingtalk", 'filter ( Person ) ( jobTitle == " chef " )', "Person jobTitle STR_VAL"),
    ("top", "[IN:GET_TIME what time in [SL:LOCATION New York ] please ]", "<string> <string> <string>"),
    (
        "json",
        '{"name": "f", "arguments": {"a": "x", "b": -1.5e3, "c": "2024-05-01", "d": true, "e": null, "g": []}}',
        "<string> <number> <date> <boolean> null []",
    ),
    ("python", "f(x, 'a', b'b', 2j, -3, 0x1F, ok=False, n=None)", "x <string> <string> <number> <number> <number>"),
]
NAMES = [
    ("cogs", "eat . agent ( x _ 1 , Emma )", "x_1 <entity>"),
    ("covr", "count ( find ( dog ) )", "<entity>"),
    ("funql", "answer ( loc_2 ( m0 ) )", "<entity>"),
    ("lambda_calculus", "( _from $0 boston:_ci )", "$0 <entity>"),
    ("lambda_dcs", "( call f en.food.lunch en.food )", "f <entity> en.food"),
    ("python", "f(x, 'a', True)", "<name> 'a' True"),
    ("scenes", "exists ( filter ( red , find ( dog ) ) )", "<attribute> <object>"),
    ("sexpression", "(AND a.b (JOIN a.b.c m.0g))", "<class> <relation> m.0g"),
    ("sparql", "SELECT count ( * ) WHERE { ?x0 a a.b . ?x0 a.b.c M0 }", "?x0 a <class> ?x0 <relation> M0"),
    ("sparql11", "ASK { ?x <http://x/p> <http://x/Q42> }", "?x <iri> <http://x/Q42>"),
    ("sql", "select t1.a from t as t1 where b = 'x'", "<table> <column> <table> <table> <column> 'x'"),
]


def leaves(tree: Tree) -> str:
    return " ".join(node.label for node in tree.iter_nodes() if not node.children)


@pytest.mark.parametrize(("language", "program", "expected"), LITERALS)
def test_literals_become_their_kinds(language: str, program: str, expected: str) -> None:
    known = find_language(language)
    assert known.type_literals is not None
    typed = known.type_literals(known.parse(program))
    assert leaves(typed).startswith(expected)
    assert known.type_literals(typed) == typed


@pytest.mark.parametrize(("language", "program", "expected"), NAMES)
def test_names_become_their_kinds(language: str, program: str, expected: str) -> None:
    known = find_language(language)
    assert known.type_names is not None
    assert leaves(known.type_names(known.parse(program))) == expected


def test_every_packaged_language_tells_its_literals() -> None:
    told = {language for language, _, _ in LITERALS}
    assert told == {name for name in LANGUAGES if find_language(name).type_literals is not None}


def test_kinds_by_hand() -> None:
    assert [literal_kind(text) for text in ("1_000", "1.", ".5", "1e9", "2012-01", "2012-01-02T10:30:00Z")] == [
        *["<number>"] * 4,
        *["<date>"] * 2,
    ]
    assert [literal_kind(text) for text in ("singer", "t1", "*", "'", "2012-1", "1.2.3", "")] == [
        *[None] * 7,
    ]
    assert [literal_kind(text) for text in ("''", '"a\nb"', "'2012-01-02'", "'it''s'")] == [
        "<string>",
        "<string>",
        "<date>",
        "<string>",
    ]
    assert [identifier_kind(text) for text in ("m.01", "g.11b", "Q7", "m0", "Quito", "q7")] == [
        *["<entity>"] * 3,
        *[None] * 3,
    ]
    assert [is_kind(tree) for tree in (Tree("<date>"), Tree("<="), Tree("<a>", (Tree("b"),)))] == [True, False, False]
