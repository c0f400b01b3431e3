"""The one limit of depth, in every language: what is as deep as permitted works, what is deeper is refused."""

from __future__ import annotations

import sys
import threading
import time

import orjson
import pytest
from deep_programs import DEEP, FLAT

from recombine.errors import ProgramError
from recombine.languages.known import LANGUAGES, find_language
from recombine.languages.room_to_recurse import room_to_recurse
from recombine.tree import MAX_DEPTH, Tree

SECONDS = 20
"""Of the processor: far above what any of these takes, far below a quadratic walk over 100,000 levels."""


def test_every_language_is_tried() -> None:
    assert set(DEEP) | set(FLAT) == set(LANGUAGES)


@pytest.mark.parametrize("name", DEEP)
def test_the_largest_depth_works_throughout(name: str) -> None:
    language = find_language(name)
    text = DEEP[name](MAX_DEPTH)
    tree = language.parse(text)
    assert tree.depth() == MAX_DEPTH
    assert language.parse(language.render(tree)) == tree
    normal = language.normalise(tree)
    template = language.anonymise(normal)
    for some in (normal, template):
        assert language.render(some)
        assert {some: 1}[some] == 1
        assert repr(some).startswith("Tree(")
    assert language.normalise(normal) == normal


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 1_500, 100_000])
def test_a_deeper_program_is_refused_at_once(name: str, levels: int) -> None:
    text = DEEP[name](levels)
    begin = time.process_time()
    with pytest.raises(ProgramError, match=f"more than {MAX_DEPTH} levels inside each other; shorten the program"):
        find_language(name).parse(text)
    assert time.process_time() - begin < SECONDS


@pytest.mark.parametrize("name", DEEP)
def test_a_program_that_never_closes_is_refused_at_once(name: str) -> None:
    text = DEEP[name](100_000)
    with pytest.raises(ProgramError):
        find_language(name).parse(text[: len(text) // 2])


@pytest.mark.parametrize("name", FLAT)
def test_flat_languages_read_long_programs(name: str) -> None:
    language = find_language(name)
    begin = time.process_time()
    tree = language.parse(FLAT[name](100_000))
    assert tree.depth() <= MAX_DEPTH
    template = language.render(language.anonymise(language.normalise(tree)))
    assert language.parse(template).depth() <= MAX_DEPTH
    assert time.process_time() - begin < SECONDS


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("thingtalk", "filter ( Person ) " + "! " * 1_500 + "( age == NUMBER_VAL )"),
        ("thingtalk", "filter ( Person ) " + "( " * 1_500 + "age == NUMBER_VAL" + " )" * 1_500),
        ("thingtalk", "(@org.Person) filter " + "( " * 1_500 + "param:age == 3" + " )" * 1_500),
        ("thingtalk", "fields ( a ) of ( " * 1_500 + "Person" + " )" * 1_500),
        ("lambda_dcs", "( " * 1_500 + "a" + " )" * 1_500),
        ("lambda_calculus", "( _and ( _a $0 ) " * 1_500 + "( _a $0 )" + " )" * 1_500),
        ("sql", "select a from (" * 1_500 + "select 1" + ")" * 1_500),
        ("sql", "select a from t where a in (" * 1_500 + "1" + ")" * 1_500),
        ("sql", "select a from t union " * 1_500 + "select a from t"),
        ("sql", "select " + "case when a then " * 1_500 + "1" + " end" * 1_500 + " from t"),
        ("sql", "select " + "- " * 1_500 + "a from t"),
    ],
)
def test_other_ways_to_nest_are_refused_too(name: str, text: str) -> None:
    with pytest.raises(ProgramError):
        find_language(name).parse(text)


def test_brackets_of_alternating_conditions_count_both_levels() -> None:
    """One pair of brackets holds an `or` over an `and`: two levels, and four for what is around the innermost."""
    one, two = "( a == b ) or ( c == d ) and ( ", " )"
    parse = find_language("thingtalk").parse
    for pairs in range(30, 60):
        text = f"filter ( Person ) {one * pairs}( a == b ) or ( e == f ){two * pairs}"
        if 2 * pairs + 4 <= MAX_DEPTH:
            assert parse(text).depth() == 2 * pairs + 4
        else:
            with pytest.raises(ProgramError, match="levels"):
                parse(text)


def test_sets_that_normalising_would_nest_too_deep_are_refused() -> None:
    """512 sets in a balanced tree of 10 levels become 511 intersections inside each other."""
    texts = [f"c.t{number}" for number in range(512)]
    while len(texts) > 1:
        texts = [f"(AND {one} {other})" for one, other in zip(texts[::2], texts[1::2], strict=True)]
        if len(texts) == 8:
            small = texts[0]
    language = find_language("sexpression")
    with pytest.raises(ProgramError, match="levels"):
        language.parse(texts[0])
    assert language.normalise(language.parse(small)).depth() == 64


def test_the_recursion_limit_is_as_before() -> None:
    before = sys.getrecursionlimit()
    find_language("sql").parse(DEEP["sql"](MAX_DEPTH))
    assert sys.getrecursionlimit() == before
    with pytest.raises(ProgramError):
        find_language("sql").parse("select " + "(" * 90 + "case" + ")" * 90)
    assert sys.getrecursionlimit() == before


def test_threads_read_deep_queries_side_by_side() -> None:
    language, faults = find_language("sql"), []

    def read() -> None:
        try:
            for _ in range(3):
                language.parse(DEEP["sql"](MAX_DEPTH))
        except Exception as error:  # whatever it is, the test must see it
            faults.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def test_there_is_room_below_a_deep_caller() -> None:
    """As many calls as Python permits by itself are left, also where most are used up."""

    def down(levels: int) -> int:
        return 0 if levels == 0 else 1 + down(levels - 1)

    def called_deep(levels: int) -> int:
        if levels:
            return called_deep(levels - 1)
        with room_to_recurse(2_000):
            return down(1_900)

    assert called_deep(600) == 1_900


def test_mapped_walks_without_recursion_and_in_order() -> None:
    tree = Tree("leaf")
    for _ in range(50_000):
        tree = Tree("f", (tree,))
    assert tree.mapped(lambda node: node) is tree
    assert tree.mapped(lambda node: Tree("g", node.children)).depth() == 50_001
    order: list[str] = []
    small = Tree("a", (Tree("b", (Tree("c"),)), Tree("d")))
    small.mapped(lambda node: order.append(node.label) or node)
    assert order == ["c", "b", "d", "a"]


@pytest.mark.parametrize("name", DEEP)
def test_the_largest_depth_can_be_written_as_json(name: str) -> None:
    def nested(tree: Tree) -> list[object]:
        return [tree.label, *map(nested, tree.children)]

    assert orjson.dumps(nested(find_language(name).parse(DEEP[name](MAX_DEPTH))))
