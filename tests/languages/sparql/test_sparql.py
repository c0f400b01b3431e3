"""SPARQL: exact trees, round trips, what is merged and what is not, and what is refused where."""

from __future__ import annotations

import gzip
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.errors import ProgramError
from recombine.languages.sparql.sparql import SPARQL, anonymise, normalise, parse, render
from recombine.tree import Tree

SIBLING = "people.person.sibling_s/ns:people.sibling_relationship.sibling"


def node(label: str, *children: Tree | str) -> Tree:
    return Tree(label, tuple(child if isinstance(child, Tree) else Tree(child) for child in children))


def counted(body: str) -> Tree:
    return parse(f"SELECT count ( * ) WHERE {{ {body} }}")


def normal(body: str) -> Tree:
    return normalise(counted(body))


def test_tree_of_the_tsv_form() -> None:
    text = "SELECT DISTINCT ?x0 WHERE { ?x0 a people.person . FILTER ( M2 != ?x0 ) . M2 ^ns:film.film.sequel ?x0 }"
    assert parse(text) == node(
        "select_distinct",
        "?x0",
        node(
            "where",
            node("clause", "?x0", "a", "people.person"),
            node("!=", "M2", "?x0"),
            node("clause", "M2", node("^", "ns:film.film.sequel"), "?x0"),
        ),
    )
    assert render(parse(text)) == text


def test_tree_of_the_json_form() -> None:
    # The first item of the release's sample.
    text = (
        "SELECT count(*) WHERE {\n?x0 ns:film.actor.film/ns:film.performance.character M1 .\n"
        "?x0 ns:film.producer.film|ns:film.production_company.films M0 .\n?x0 ns:people.person.gender ns:m.02zsn\n}"
    )
    path = node("/", "ns:film.actor.film", "ns:film.performance.character")
    ways = node("|", "ns:film.producer.film", "ns:film.production_company.films")
    assert parse(text) == node(
        "select_count",
        node(
            "where",
            node("clause", "?x0", path, "M1"),
            node("clause", "?x0", ways, "M0"),
            node("clause", "?x0", "ns:people.person.gender", "ns:m.02zsn"),
        ),
    )


def test_a_path_is_alternatives_of_sequences() -> None:
    clause = counted("M0 p.a/ns:p.b|ns:p.c|^ns:p.d/ns:p.e M1").children[0].children[0]
    assert clause.children[1] == node(
        "|", node("/", "p.a", "ns:p.b"), "ns:p.c", node("/", node("^", "ns:p.d"), "ns:p.e")
    )


def test_case_of_words_and_a_last_full_stop_leave_no_trace() -> None:
    assert parse("select Count(*) where {M0 a film.film. filter(M0!=M1).}") == counted(
        "M0 a film.film . FILTER ( M0 != M1 )"
    )


NAMES = st.from_regex(r"(ns:)?[a-z]{1,3}(\.[a-z_]{1,4}){0,2}", fullmatch=True).filter(
    lambda name: name.upper() not in {"SELECT", "COUNT", "DISTINCT", "WHERE", "FILTER"}
)
LEAVES = NAMES.map(Tree)
VARIABLES = st.integers(0, 3).map(lambda number: Tree(f"?x{number}"))
TERMS = st.one_of(VARIABLES, st.integers(0, 3).map(lambda number: Tree(f"M{number}")), LEAVES)
STEPS = st.one_of(LEAVES, LEAVES.map(lambda leaf: Tree("^", (leaf,))))
WAYS = st.one_of(STEPS, st.lists(STEPS, min_size=2, max_size=3).map(lambda steps: Tree("/", tuple(steps))))
PATHS = st.one_of(WAYS, st.lists(WAYS, min_size=2, max_size=3).map(lambda ways: Tree("|", tuple(ways))))
CLAUSES = st.one_of(
    st.tuples(TERMS, PATHS, TERMS).map(lambda parts: Tree("clause", parts)),
    st.tuples(TERMS, TERMS).map(lambda parts: Tree("!=", parts)),
)
WHERES = st.lists(CLAUSES, min_size=1, max_size=5).map(lambda clauses: Tree("where", tuple(clauses)))
QUERIES = st.one_of(
    WHERES.map(lambda where: Tree("select_count", (where,))),
    st.tuples(st.lists(VARIABLES, min_size=1, max_size=2), WHERES).map(
        lambda parts: Tree("select_distinct", (*parts[0], parts[1]))
    ),
)
# Few words, so that generated queries are often alike.
SMALL = st.lists(
    st.one_of(
        st.tuples(VARIABLES, st.sampled_from(["p", "q"]).map(Tree), VARIABLES).map(lambda c: Tree("clause", c)),
        st.tuples(VARIABLES, VARIABLES).map(lambda c: Tree("!=", c)),
    ),
    min_size=1,
    max_size=4,
).map(lambda clauses: Tree("select_count", (Tree("where", tuple(clauses)),)))


@settings(deadline=None)
@given(QUERIES)
def test_reading_gives_back_what_was_written(tree: Tree) -> None:
    assert parse(render(tree)) == tree
    assert parse(render(tree).replace(" ( ", "(").replace(" )", ")").replace(" . ", " .\n")) == tree


def renamed(tree: Tree, names: dict[str, str]) -> Tree:
    return tree.mapped(lambda inner: Tree(names.get(inner.label, inner.label), inner.children))


@settings(deadline=None)
@given(QUERIES, st.permutations(range(4)), st.randoms(use_true_random=False))
def test_order_and_names_are_merged(tree: Tree, numbers: list[int], random: object) -> None:
    *heads, where = renamed(tree, {f"?x{old}": f"?y{new}" for old, new in enumerate(numbers)}).children
    clauses = [
        Tree("!=", clause.children[::-1]) if clause.label == "!=" else clause
        for clause in (*where.children, where.children[0])
    ]
    random.shuffle(clauses)  # type: ignore[attr-defined]
    assert normalise(Tree(tree.label, (*heads, Tree("where", tuple(clauses))))) == normalise(tree)
    assert normalise(normalise(tree)) == normalise(tree)


def as_facts(tree: Tree) -> set[tuple[str, ...]]:
    return {
        (c.label, *sorted(t.label for t in c.children)) if c.label == "!=" else tuple(t.label for t in c.children)
        for c in tree.children[0].children
    }


@settings(deadline=None, max_examples=200)
@given(SMALL, SMALL)
def test_one_form_exactly_when_one_can_be_renamed_into_the_other(left: Tree, right: Tree) -> None:
    same = any(
        as_facts(renamed(left, {f"?x{old}": f"?x{new}" for old, new in enumerate(order)})) == as_facts(right)
        for order in itertools.permutations(range(4))
    )
    assert (normalise(left) == normalise(right)) == same


MERGED = [
    ("M0 a film.film . M1 a film.actor", "M1 a film.actor . M0 a film.film"),
    ("M0 a film.film . M0 a film.film", "M0 a film.film"),
    ("FILTER ( ?x0 != M1 ) . ?x0 a film.film", "FILTER ( M1 != ?x0 ) . ?x0 a film.film"),
    ("?x1 p ?x0 . ?x1 q M0", "?x0 p ?x1 . ?x0 q M0"),
    ("?x0 p.a|ns:p.b M0", "?x0 p.b|ns:p.a M0"),
    ("?x0 ns:people.person.gender ns:m.03_3d", "?x0 people.person.gender m_03_3d"),
    ("?x0 p ?x1 . ?x1 p ?x2 . ?x2 p ?x0", "?x2 p ?x1 . ?x0 p ?x2 . ?x1 p ?x0"),
]
APART = [
    ("M0 p M1", "M1 p M0"),
    ("M0 p M1", "M0 q M1"),
    ("?x0 p ?x1", "?x0 p ?x0"),
    ("?x0 p M0 . ?x1 q M0", "?x0 p M0 . ?x0 q M0"),
    ("?x0 p ?x1 . ?x1 p ?x0", "?x0 p ?x1 . ?x0 p ?x1"),
    ("M0 p.a/ns:p.b M1", "M0 p.b/ns:p.a M1"),
    ("M0 p.a|ns:p.b M1", "M0 p.a M1"),
    ("M0 ^ns:p M1", "M0 p M1"),
    ("FILTER ( M0 != M1 )", "FILTER ( M0 != M2 )"),
    ("?x0 p ?x1 . ?x1 p ?x2 . ?x2 p ?x0 . ?x3 p ?x3", "?x0 p ?x1 . ?x1 p ?x0 . ?x2 p ?x3 . ?x3 p ?x2"),
]


@pytest.mark.parametrize(("one", "other"), MERGED)
def test_equal_queries_are_merged(one: str, other: str) -> None:
    assert normal(one) == normal(other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_other_queries_are_kept_apart(one: str, other: str) -> None:
    assert normal(one) != normal(other)


def test_what_is_asked_for_counts() -> None:
    first = normalise(parse("SELECT DISTINCT ?x1 WHERE { ?x1 p ?x0 }"))
    assert render(first) == "SELECT DISTINCT ?x0 WHERE { ?x0 p ?x1 }"
    assert normalise(parse("SELECT DISTINCT ?x0 WHERE { ?x1 p ?x0 }")) != first
    assert normalise(parse("SELECT count ( * ) WHERE { ?x1 p ?x0 }")) != first


def test_many_variables_that_look_alike_end_soon() -> None:
    tree = normal(" . ".join(f"?x{number} a film.film" for number in range(40)))
    assert len(tree.children[0].children) == 40


def test_anonymise() -> None:
    text = (
        f"SELECT DISTINCT ?x0 WHERE {{ FILTER ( ?x0 != M3 ) . ?x0 a film.actor . ?x0 {SIBLING} M3 . M0 p ns:m.02zsn }}"
    )
    assert render(anonymise(parse(text))) == (
        "SELECT DISTINCT ?x0 WHERE { FILTER ( ?x0 != ENTITY ) . ?x0 a film.actor . ?x0 PROPERTY ENTITY . "
        "ENTITY PROPERTY ENTITY }"
    )


MISTAKES = [
    ("", 1, "an empty program; leave the example out"),
    ("ASK { M0 p M1 }", 1, "'ASK' where `SELECT` is needed; write `SELECT` here"),
    ("SELECT ?x0 WHERE { ?x0 p M1 }", 8, "SELECT is followed by `count ( * )` or `DISTINCT`"),
    (
        "SELECT DISTINCT WHERE { M0 p M1 }",
        17,
        "'WHERE' where a variable is needed; name what is asked for, such as ?x0",
    ),
    ("SELECT count ( * WHERE { M0 p M1 }", 18, "'WHERE' where `)` is needed"),
    ("SELECT count ( * ) WHERE { }", 28, "'}' where a variable or a name is needed"),
    ("SELECT count ( * ) WHERE { M0 p }", 33, "'}' where a variable or a name is needed"),
    ("SELECT count ( * ) WHERE { M0 p/ M1 }", 31, "'p/' where a property or a path is needed"),
    ("SELECT count ( * ) WHERE { M0 p M1 M0 p M2 }", 36, "'M0' where `}` is needed; divide clauses by ` . `"),
    ("SELECT count ( * ) WHERE { M0 p M1", 35, "the program ends where `}` is needed"),
    ("SELECT count ( * ) WHERE { M0 p M1 } }", 38, "'}' after the end of the program; remove it"),
    ("SELECT count ( * ) WHERE { FILTER ( M0 = M1 ) }", 40, "'=' where `!=` is needed"),
    ("SELECT count ( * ) WHERE {\nM0 p M1 .\nM0 \x00 M2 }", 41, "where a property or a path is needed"),
]


@pytest.mark.parametrize(("text", "column", "message"), MISTAKES)
def test_malformed_programs_are_refused(text: str, column: int, message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(text)
    assert f"sparql program, column {column}: " in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def iter_bracket_mistakes(text: str) -> Iterator[str]:
    """The program with each bracket dropped, doubled and moved to every other place."""
    tokens = re.findall(r"[(){}]|[^\s(){}]+", text)
    for index, token in enumerate(tokens):
        if token in "(){}":
            rest = tokens[:index] + tokens[index + 1 :]
            moved = [[*rest[:place], token, *rest[place:]] for place in range(len(rest) + 1)]
            for changed in [rest, [*tokens[: index + 1], *tokens[index:]], *moved]:
                if changed != tokens:
                    yield " ".join(changed)


def assert_refused(text: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(text)
    assert 0 <= caught.value.position <= len(text)


@settings(deadline=None, max_examples=30)
@given(QUERIES)
def test_every_bracket_mistake_is_refused(tree: Tree) -> None:
    for text in iter_bracket_mistakes(render(tree)):
        assert_refused(text)


def queries(data_dir: Path, part: str) -> list[str]:
    with gzip.open(data_dir / "cfq" / f"mcd1_{part}.tsv.gz", "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t")[1] for line in lines]


@pytest.mark.shared_data
def test_every_query_of_cfq_reads_back(data_dir: Path) -> None:
    train, dev = queries(data_dir, "train"), queries(data_dir, "dev")
    assert (len(train), len(dev)) == (95_743, 11_968)
    distinct = sorted({*train, *dev})
    assert [text for text in distinct if SPARQL.render(SPARQL.parse(text)) != text] == []


@pytest.mark.shared_data
def test_the_release_form_reads_back_and_equals_the_other_form(data_dir: Path) -> None:
    items = json.loads((data_dir / "cfq" / "release_sample.json").read_text())
    texts = [item["sparqlPatternModEntities"] for item in items]
    assert len(texts) == 10
    for text in texts:
        assert "".join(render(parse(text)).split()) == "".join(text.split())
        # The preprocessing of the TSV files: the first `ns:` of each word goes, `m.` becomes `m_`.
        words = [re.sub(r"^(?:ns:)?m\.", "m_", word).removeprefix("ns:") for word in text.split()]
        assert normalise(parse(" ".join(words))) == normalise(parse(text))


@pytest.mark.shared_data
def test_every_bracket_mistake_in_real_queries_is_refused(data_dir: Path) -> None:
    for text in sorted(set(queries(data_dir, "dev")))[::50]:
        for changed in iter_bracket_mistakes(text):
            assert_refused(changed)
