from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from made_programs import drawing, fuzzed, read_or_refusal

from recombine.errors import ProgramError
from recombine.languages.nested_brackets import BRACKETS, parse_brackets, render_brackets
from recombine.tree import Tree

LABELS = st.sampled_from(["f", "g[]", "looking at", "()", "[]", "{}", "a:b", "größe{}"])
WORDS = ("a", "what's", "3", '"x, (y"', "'it'", "f()", "g[]", "two words", "()")
LEAVES = st.sampled_from([Tree(label) for label in WORDS])


def is_no_text(tree: Tree) -> bool:
    """Whether no text gives it: (two words) is two over words, and (at two(a), b) is refused."""
    unnamed = bool(tree.children) and tree.label in ("()", "[]", "{}")
    first = tree.children[0] if unnamed else Tree("")
    spaced = " " in first.label and first.label[0] not in "'\""
    return spaced and (bool(first.children) or len(tree.children) == 1)


def some_tree(draw: random.Random, depth: int = 4) -> Tree:
    if depth == 0 or draw.random() < 0.2:
        return Tree(draw.choice(["a", "b c", "-3.5", '"x (y"', r"'it\'s'", "f()", "[]", "h{}", "2026-01-31"]))
    children = tuple(some_tree(draw, depth - 1) for _ in range(draw.randrange(1, 4)))
    tree = Tree(draw.choice(["f", "g[]", "looking at", "()", "[]", "h{}"]), children)
    return Tree("f", children) if is_no_text(tree) else tree


def listed(tree: Tree) -> str:
    """The same tree as lists, (f a b), where it has no label of several words."""
    if not tree.children:
        return tree.label
    pair = tree.label[-2:] if tree.label[-2:] in ("()", "[]", "{}") else "()"
    name = tree.label.removesuffix(pair)
    return f"{pair[0]}{' '.join([name, *map(listed, tree.children)])}{pair[1]}"


def check_laws(tree: Tree) -> None:
    text = render_brackets(tree)
    assert parse_brackets(text) == tree
    assert parse_brackets(f" {text}\n") == tree
    template = BRACKETS.anonymise(tree)
    assert parse_brackets(render_brackets(template)) == template == BRACKETS.anonymise(template)
    assert BRACKETS.type_literals is not None
    assert BRACKETS.type_literals(tree).size() == tree.size()


def test_a_thousand_made_trees_read_back() -> None:
    draw = drawing(1)
    for _ in range(1_000):
        check_laws(some_tree(draw))


@settings(deadline=None, max_examples=100)
@given(st.recursive(LEAVES, lambda inner: st.builds(Tree, LABELS, st.lists(inner, min_size=1, max_size=3).map(tuple))))
def test_any_tree_reads_back(tree: Tree) -> None:
    assume(not any(map(is_no_text, tree.iter_nodes())))
    check_laws(tree)


def named_tree(draw: random.Random, depth: int = 4) -> Tree:
    if depth == 0 or draw.random() < 0.2:
        return Tree(draw.choice(["a", "b", "-3.5", '"x (y"', "f()", "[]"]))
    children = tuple(named_tree(draw, depth - 1) for _ in range(draw.randrange(1, 4)))
    return Tree(draw.choice(["f", "g[]", "h{}"]), children)


def test_calls_and_lists_are_one_tree() -> None:
    draw = drawing(3)
    for _ in range(300):
        tree = named_tree(draw)
        assert parse_brackets(listed(tree)) == parse_brackets(render_brackets(tree)) == tree


def labels(text: str) -> list[str]:
    return [node.label for node in parse_brackets(text).iter_nodes()]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("f(a, b)", ["f", "a", "b"]),
        ("f ( a , g ( b ) )", ["f", "a", "g", "b"]),
        ("(f a (g b))", ["f", "a", "g", "b"]),
        ("(f a g(b))", ["f", "a", "g", "b"]),
        ("(f a g (b))", ["f", "a", "g", "()", "b"]),
        ("[f a b]", ["f[]", "a", "b"]),
        ("f[a](b)", None),
        ("{a, b c}", ["{}", "a", "b c"]),
        ("{b c, a}", ["{}", "b c", "a"]),
        ("(a)", ["()", "a"]),
        ("('a' b)", ["()", "'a'", "b"]),
        ("((a) b)", ["()", "()", "a", "b"]),
        ("scene ( )", ["scene()"]),
        ("f(looking at, x)", ["f", "looking at", "x"]),
        ("what's(up)", ["what's", "up"]),
        (r"f('a, \'b')", ["f", r"'a, \'b'"]),
        ("[IN:GET in [SL:LOC Rome ] ]", ["IN:GET[]", "in", "SL:LOC[]", "Rome"]),
    ],
)
def test_brackets_mean_what_they_say(text: str, wanted: list[str] | None) -> None:
    if wanted is None:
        with pytest.raises(ProgramError):
            labels(text)
    else:
        assert labels(text) == wanted


def test_kinds_stand_in_the_place_of_values() -> None:
    assert BRACKETS.type_literals is not None
    typed = BRACKETS.type_literals(parse_brackets("f('a', 3, -1.5e3, 2026-01-31, true, m0)"))
    assert [child.label for child in typed.children] == [
        *("<string>", "<number>", "<number>", "<date>", "<boolean>", "m0")
    ]


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "an empty program"),
        ("f(a", 2, "a bracket that is not closed"),
        ("f(a))", 5, "a closing bracket too many"),
        ("f(a]", 4, "']' where ')' should be"),
        ("f(a,)", 5, "an argument is missing"),
        ("f(, a)", 3, "an argument is missing"),
        ("a, b", 2, "a comma outside of brackets"),
        ("f(a) b", 6, "'b' after a closing bracket"),
        ("f(a)(b)", 5, "a bracket after a closing bracket"),
        ("(a (b), c)", 7, "a comma after parts with blanks between them"),
        ('f("a)', 3, "a string that does not end"),
        ("f(a 'b')", 5, "\"'b'\" after a"),
        ("'a'(b)", 4, "a bracket after 'a'"),
    ],
)
def test_what_is_wrong_is_refused_with_its_column(text: str, column: int, problem: str) -> None:
    with pytest.raises(ProgramError) as raised:
        parse_brackets(text)
    assert str(raised.value).startswith(f"brackets program, column {column}: {problem}")


def test_fuzzed_texts_are_read_or_refused() -> None:
    draw, trees = drawing(2), 0
    for _ in range(5_000):
        tree = some_tree(draw)
        text = render_brackets(tree) if draw.randrange(2) else listed(tree)
        trees += isinstance(read_or_refusal(BRACKETS, fuzzed(text, draw, "()[]{},'\"\\ ab\n\ud800")), Tree)
    assert 500 < trees < 4_500
