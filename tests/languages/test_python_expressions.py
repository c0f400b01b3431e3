from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_programs import drawing, fuzzed, read_or_refusal, some_python

from recombine.errors import NotReadError, ProgramError
from recombine.languages.python_expressions import PYTHON, parse_python, render_python
from recombine.tree import Tree


def labels(text: str) -> list[str]:
    return [node.label for node in parse_python(text).iter_nodes()]


def check_laws(seed: int) -> None:
    text = some_python(drawing(seed))
    tree = parse_python(text)
    assert parse_python(some_python(drawing(seed), order=drawing(seed + 1))) == tree, text
    assert parse_python(render_python(tree)) == tree, text
    assert parse_python(ast.unparse(ast.parse(text))) == tree, text
    assert PYTHON.normalise(PYTHON.normalise(tree)) == PYTHON.normalise(tree)
    template = PYTHON.anonymise(tree)
    assert parse_python(render_python(template)) == template, text


def test_a_thousand_made_expressions_read_back_in_any_order_of_arguments() -> None:
    for seed in range(1_000):
        check_laws(seed)


@settings(deadline=None, max_examples=100)
@given(st.integers(min_value=1_000))
def test_any_expression_reads_back(seed: int) -> None:
    check_laws(seed)


@pytest.mark.parametrize(
    "text",
    [
        "x[1:2, ::3]",
        "x[:]",
        "x[1:]",
        "x[(1,)]",
        "x[()]",
        "(5).real",
        "(...)[0]",
        "(-5) ** 2",
        "-(5 ** 2)",
        "-(-5)",
        "not (not x)",
        "a < b <= c",
        "lambda: 0",
        "(lambda x, *y, **z: x)(3)",
        "1 if x else (2 if y else 3)",
        "[x for (x, y) in z for w in y if x if w]",
        "{k: v for (k, v) in d.items()}",
        "{x for x in y}",
        "f((x for x in y))",
        "f(*a, c=1, **b)",
        "{**a, 'b': 1, 'a': 2}",
        "{1: 2, 1: 3}",
        "()",
        "(1,)",
        "{}",
        "b'x'",
        "'\\ud800'",
        "f()()",
    ],
)
def test_what_is_written_is_what_was_read(text: str) -> None:
    tree = parse_python(text)
    assert parse_python(render_python(tree)) == tree
    assert ast.dump(ast.parse(render_python(tree))) == ast.dump(ast.parse(text))


def test_chains_and_arguments_are_places_in_the_tree() -> None:
    assert labels("df.head(3).sum(axis=1, by='a')") == [".sum()", ".head()", "df", "3", "axis=", "1", "by=", "'a'"]
    assert labels("f(b=1, a=[x.y])") == ["f()", "a=", "[]", ".y", "x", "b=", "1"]
    assert labels("a < b <= -1") == ["<, <=", "a", "b", "-1"]


def test_forms_of_one_value_are_one() -> None:
    assert {parse_python(text) for text in ("16", "0x10", "1_6", " ( 16 ) \n")} == {Tree("16")}
    assert parse_python("'a' \"b\"") == parse_python('"ab"')
    assert parse_python("1") != parse_python("1.0")
    assert parse_python("f(1, 2)") != parse_python("f(2, 1)")
    assert parse_python("{'a': 1, 'b': 2}") == parse_python("{'b': 2, 'a': 1}")
    assert parse_python("{'a': 1, 'a': 2}") != parse_python("{'a': 2, 'a': 1}")


def test_a_program_is_never_run(tmp_path: Path) -> None:
    path = tmp_path / "made"
    tree = parse_python(f"__import__('pathlib').Path({str(path)!r}).touch()")
    PYTHON.anonymise(PYTHON.normalise(tree))
    assert [node.label for node in tree.iter_nodes()][:3] == [".touch()", ".Path()", "__import__()"]
    assert not path.exists()


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("x = 1", 1, "a statement"),
        ("  import os", 3, "a statement"),
        ("é; f'{x}'", 4, "a second statement"),
        ("g(é, f'{x}')", 6, "an f-string"),
        ("g(\n f'{x}')", 5, "an f-string"),
        ("(x := 1)", 2, "an assignment"),
        ("[(yield)]", 3, "yield"),
        ("lambda x=1: x", 1, "a lambda whose parameters have defaults"),
        ("[x async for x in y]", 14, "an asynchronous loop"),
    ],
)
def test_python_that_is_not_read_is_told_apart(text: str, column: int, problem: str) -> None:
    with pytest.raises(NotReadError, match=f"^Python program, column {column}: {problem}, which is not read"):
        parse_python(text)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("# nothing", 1),
        ("\ufefff()", 1),
        ("  f(", 4),
        ("f(a=1, a=2)", 8),
        ("é.f(é))", 7),
        ("f(\n 1,\n ]", 9),
        ("x\ud800", 2),
        ("9" * 5_000, 1),
    ],
)
def test_what_is_no_python_is_refused_with_its_column(text: str, column: int) -> None:
    with pytest.raises(ProgramError, match=f"^Python program, column {column}: ") as raised:
        parse_python(text)
    assert not isinstance(raised.value, NotReadError)


def test_large_numbers_read_back() -> None:
    tree = parse_python("0x" + "f" * 5_000)
    assert parse_python(render_python(tree)) == tree


@pytest.mark.parametrize(
    "text",
    [
        "-" * 100_000 + "1",
        "not " * 100_000 + "x",
        "a" + ".b" * 100_000,
        "1" + "+1" * 100_000,
        "[" * 100_000,
        "x" + "()" * 101,
    ],
    ids=["minus", "not", "attributes", "sums", "brackets", "calls"],
)
def test_every_way_to_nest_is_one_error(text: str) -> None:
    with pytest.raises(ProgramError, match="more than 100 levels"):
        parse_python(text)


def test_fuzzed_texts_are_read_or_refused() -> None:
    draw, trees = drawing(5), 0
    for _ in range(5_000):
        text = fuzzed(some_python(draw, 2), draw, "()[]{}:,.=*'\"\\ \n0-efx\ud800\x00é#;")
        trees += isinstance(read_or_refusal(PYTHON, text), Tree)
    assert 500 < trees < 4_500
