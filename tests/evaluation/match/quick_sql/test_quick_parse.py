"""The quick reader: what it reads, the language's own reader reads to the same tree; of the rest it gives up."""

from __future__ import annotations

import gzip
import json
import random
import re
from pathlib import Path

import pytest

from recombine.errors import ProgramError
from recombine.evaluation.match.quick_sql.quick_parse import quick_parse, reserved_words
from recombine.languages.sql.parse import parse
from recombine.tree import Tree

READ = [
    "select name from dogs",
    "SELECT DISTINCT Name , count(*) FROM Dogs AS T1 WHERE T1.age >= 3;",
    "select t1.* , t2.name from dogs as t1 join owners t2 on t1.owner = t2.id and t1.a != t2.b",
    "select a from t inner join u on t.x = u.y join v where a <> 'it' or b like \"it's\" and c > -1.5",
    "select a from t , u where t.x = u.x",
    "select a + b * c - d / 2 as e from t group by a , b having count(distinct c) > 1 order by a desc , b asc , c",
    "select a from t where (a = 1 or b = 2) and (c = 3 and d = 4) or (e = 5 or f = 6)",
    "select a from t where a not in (1 , 'x') and b in (select c from u where d between 1 and 2)",
    "select a from t where b not like 'x' and c not between 1 and 2",
    "select a from (select b from t) as x where a > (select max(b) from u)",
    "select a from t order by b limit 1 union select a from u where c = 1",
    "select a from t except select a from u order by a limit 2",
    "select max(a) , min(a) , sum(a) , avg(a) , count(a) from t where a = (b)",
    "select a\tfrom\nt",
]
GIVEN_UP = [
    "select cast(a as real) from t",
    "select case when a then b end from t",
    "select date from t",
    "select t.date from t",
    "select a from t left join u on t.x = u.x",
    "select a b from t",
    "select a from t where b is null",
    "select a from t where not b = 1",
    "select a from t where a = 1 = 2",
    "select a from t where 'it''s' = a",
    "select a from t where b = 'a\\b'",
    "select a from t -- all",
    "select a from t order by a --1",
    "select a /* all */ from t",
    "select `a` from t",
    "select [a] from t",
    "select a from t union all select a from u",
    "select a from t union select a from u except select a from v",
    "select distinct (a) from t",
    "select count(distinct (a)) from t",
    "select abs(a) from t",
    "select a from t limit 1 offset 2",
    "select a from t limit 1e5",
    "select 1. from t",
    "select 5a from t",
    "select a || b from t",
    "select ä from t",
    "select a from s.t",
    "with x as (select 1) select a from x",
]
MALFORMED = ["", ";", "select", "select a from", "select a , from t", "select a from t where", "select (a from t", "a"]
WORDS = """
    select distinct from where and or not in like between group by having order asc desc limit as union all except join
    inner left on , ( ) . * + - / ; = != <> < > <= >= 'a' "b" 1 2.5 -1 null is count sum max abs case t1 t1.a date 1.
    .5 'it''s' `x` [y] -- /* 1e5 == || 5a true offset
""".split()  # noqa: SIM905


@pytest.mark.parametrize("text", READ)
def test_what_is_read(text: str) -> None:
    assert quick_parse(text) == parse(text)


@pytest.mark.parametrize("text", [*GIVEN_UP, *MALFORMED])
def test_what_is_given_up(text: str) -> None:
    assert quick_parse(text) is None


def test_deep_and_long_texts_are_given_up() -> None:
    assert quick_parse("select " + "(" * 200 + "a" + ")" * 200 + " from t") is None
    assert quick_parse("select a" + " + 1" * 200 + " from t") is None
    assert quick_parse("select a" + " , a" * 2000 + " from t") is None
    assert quick_parse("select " + "(" * 10**5) is None


def test_every_word_that_sqlglot_reserves_is_known() -> None:
    from sqlglot.dialects.sqlite import SQLite

    parser = SQLite.Parser
    words = {word.lower() for keyword in SQLite.Tokenizer.KEYWORDS for word in re.findall(r"[A-Za-z_]\w*", keyword)}
    words |= {name.lower() for name in parser.NO_PAREN_FUNCTION_PARSERS}
    words |= {kind.name.lower() for kind in parser.NO_PAREN_FUNCTIONS}
    assert words - reserved_words() == set()


def as_parsed(text: str) -> Tree | None:
    try:
        return parse(text)
    except ProgramError:
        return None


def changed(text: str, draw: random.Random) -> str:
    """A text with up to three tokens taken away, put in, put in the place of others, or with blanks gone."""
    found = re.findall(r"\w+\.\w+|\w+|'[^']*'|\"[^\"]*\"|\S", text)
    for _ in range(draw.randrange(4)):
        place = draw.randrange(len(found))
        match draw.randrange(4):
            case 0 if len(found) > 1:
                found.pop(place)
            case 1:
                found.insert(place, draw.choice(WORDS))
            case 2:
                found[place] = draw.choice(WORDS)
            case _:
                found[place] = draw.choice(found)
    return "".join(token + draw.choice((" ", " ", " ", " ", " ", " ", "\n", "")) for token in found)


def count_same(texts: list[str], draw: random.Random, number: int) -> int:
    """How many of the changed texts are read; each to the tree of the language's own reader."""
    read = 0
    for _ in range(number):
        text = changed(draw.choice(texts), draw)
        tree = quick_parse(text)
        if tree is not None:
            read += 1
            assert tree == as_parsed(text), text
    return read


def test_changed_texts_are_read_alike() -> None:
    assert count_same(READ, random.Random(0), 6000) > 300  # noqa: S311


def spider(data_dir: Path) -> list[str]:
    """The distinct queries of Spider, as published and as in SSP, and the outputs of a system."""
    found: set[str] = set()
    for part in ("train_spider", "dev"):
        with gzip.open(data_dir / "spider" / f"{part}.json.gz", "rt", encoding="utf-8") as file:
            found.update(item["query"] for item in json.load(file))
    with gzip.open(data_dir / "spider" / "spider_ssp.tsv.gz", "rt", encoding="utf-8") as lines:
        found.update(line.rstrip("\n").split("\t")[1] for line in lines)
    with gzip.open(data_dir / "spider" / "official_set_match.jsonl.gz", "rt", encoding="utf-8") as lines:
        found.update(json.loads(line)["prediction"] for line in lines)
    return sorted(found)


STRIDES = [pytest.param(8, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)]


@pytest.mark.shared_data
@pytest.mark.parametrize("stride", STRIDES)
def test_spiders_queries_are_read_alike(stride: int, data_dir: Path) -> None:
    texts = spider(data_dir)[::stride]
    trees = [quick_parse(text) for text in texts]
    assert [text for text, tree in zip(texts, trees, strict=True) if tree is not None and tree != parse(text)] == []
    assert sum(tree is not None for tree in trees) > 0.95 * len(texts)


@pytest.mark.shared_data
@pytest.mark.slow
def test_changed_queries_of_spider_are_read_alike(data_dir: Path) -> None:
    assert count_same(spider(data_dir), random.Random(1), 200_000) > 10_000  # noqa: S311
