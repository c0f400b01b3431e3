"""Literals and names by their kinds."""

from __future__ import annotations

import pytest
from dog_world import DOGS

from recombine.languages.known import find_language
from recombine.tree import Tree


def written(tree: Tree) -> str:
    return f"{tree.label}({','.join(map(written, tree.children))})" if tree.children else tree.label


LITERALS = [
    ("sql", "select a from b where c = 'pug' and d > -1.5 limit 3", ["<string>", "<number>", "<number>"]),
    ("sql", "select a from b where c = '2020-01-31' or d < \"2020-1-3 12:30\" or e = '12:30:00'", ["<date>"] * 3),
    ("sql", "select a from b where c = '2020' or d = '20-01-31'", ["<string>", "<string>"]),
    ("sql", "select a from b where c = true and d is null and e = `x`", ["<boolean>"]),
    (
        "sql:postgres",
        "select date '2020-01-31', interval '1 day', cast(a as char(9))",
        ["<date>", "<string>", "<number>"],
    ),
    ("sql:tsql", "select N'x'", ["<string>"]),
]


@pytest.mark.parametrize(("language", "text", "kinds"), LITERALS)
def test_literals(language: str, text: str, kinds: list[str]) -> None:
    found = find_language(language)
    assert found.type_literals is not None
    typed = found.type_literals(found.parse(text))
    assert [node.label for node in typed.iter_nodes() if node.label.startswith("<") and len(node.label) > 2] == kinds
    assert "null" not in kinds
    assert found.type_literals(typed) == typed


NAMES = [
    (
        "sql",
        "select t1.a as x , count(*) from dogs as t1 join `odd name` on t1.b = c where d = 'pug' group by t1.a",
        "query(select(as(.(<table>,<column>),<column>),count(*)),from(as(<table>,<table>)),join(<table>,=(.(<table>,<column>)"
        ",<column>)),where(=(<column>,'pug')),group(.(<table>,<column>)))",
    ),
    (
        "sql",
        "with c(x) as (select 1) select c.* , cast(x as real) from c",
        "query(select(.(<table>,*),cast(<column>,::DOUBLE)),from(<table>),with(cte(query(select(1)),table_alias(<table>,columns:(<column>)))))",
    ),
    ("sql", "select null , true , f(a) from db.t", "query(select(null,true,f(<column>)),from(.(<database>,<table>)))"),
    (
        "sql",
        "select row_number() over (order by a) from b",
        "query(select(window(row_number(),order(asc(<column>)))),from(<table>))",
    ),
    (
        "sql",
        "select a from (select b from c) as d",
        "query(select(<column>),from(as(query(select(<column>),from(<table>)),<table>)))",
    ),
]


@pytest.mark.parametrize(("language", "text", "tree"), NAMES)
def test_names(language: str, text: str, tree: str) -> None:
    found = find_language(language)
    assert found.type_names is not None
    typed = found.type_names(found.parse(text))
    assert written(typed) == tree
    assert found.type_names(typed) == typed


def test_kinds_of_names_leave_nothing_of_a_schema() -> None:
    found = find_language("sql")
    assert found.type_names is not None
    words = {name for table in DOGS.tables for name in (table.name, *(column.name for column in table.columns))}
    text = (
        "select d.name , o.city from dog as d left join owner as o on d.owner_id = o.id where d.age > 3 order by d.born"
    )
    assert not words & {node.label for node in found.type_names(found.parse(text)).iter_nodes()}
