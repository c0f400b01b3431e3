"""Programs whose literals and names count by their kinds, against programs that were written so."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from made_queries import made_queries

import recombine
from own_pairs import KINDS, own_pairs
from recombine.errors import DefinitionError, InputWarning, OptionError
from recombine.languages.functional import FUNCTIONAL
from recombine.languages.known import find_language
from recombine.languages.language import Language
from recombine.structures.definition import OWN_PROGRAM_STRUCTURES, PROGRAM_STRUCTURES, Structures
from recombine.structures.own_structures import say_kept
from recombine.structures.programs.distinct_programs import DistinctPrograms
from recombine.structures.programs.flat_trees import FlatTrees
from recombine.structures.programs.typed_programs import typed_programs
from recombine.structures.with_typing import with_typing
from recombine.tree import Tree

QUERIES = [
    ("a", "select name from singer where age > 162"),
    ("b", "select name from singer where name = 'aerosmith'"),
    ("c", "select name from band where age > 7 limit 3"),
]


def atoms(structures: str, pairs: list[tuple[str, str]] | None = None, language: str = "sql") -> list[set[str]]:
    found = recombine.features(recombine.load(pairs or QUERIES, language=language), structures).atoms
    return [set(found.row(row)) for row in range(found.shape[0])]


def test_atoms_by_hand() -> None:
    assert atoms("atoms=symbols,literals=type;compounds=tree:2-2")[0] == {
        *("query", "select", "name", "from", "singer", "where", ">", "age", "<number>"),
    }
    assert atoms("atoms=symbols,literals=drop;compounds=tree:2-2")[1] == {
        *("query", "select", "name", "from", "singer", "where", "="),
    }
    assert atoms("atoms=symbols,literals=type,names=type;compounds=tree:2-2")[2] == {
        *("query", "select", "<column>", "from", "<table>", "where", ">", "limit", "<number>"),
    }
    assert "162" in atoms("atoms=symbols;compounds=tree:2-2")[0]


@pytest.mark.parametrize("kind", ["tree:2-2", "tree:2-3", "path:1-2", "subtree:1-2"])
def test_compounds_are_those_of_programs_that_were_written_so(kind: str) -> None:
    texts = ["count ( keep ( 3 , dog ) )", 'count ( keep ( 17 , "a b" ) )', "keep ( 3 , cat )"]
    written = ["count ( keep ( <number> , dog ) )", "count ( keep ( <number> , <string> ) )", "keep ( <number> , cat )"]
    both = [recombine.load([(text, text) for text in each], language="functional") for each in (texts, written)]
    typed, plain = (
        recombine.features(data, f"atoms=symbols;compounds={kind},counts{option}").compounds
        for data, option in zip(both, (",literals=type", ""), strict=True)
    )
    assert typed.names == plain.names
    assert typed.matrix().toarray().tolist() == plain.matrix().toarray().tolist()


def test_leaf_by_leaf_is_tree_by_tree() -> None:
    draw = random.Random(1)  # noqa: S311

    def some(depth: int) -> Tree:
        if not depth or draw.random() < 0.3:
            return Tree(draw.choice(["dog", "3", "17", '"a"', "<number>", "2012-01-02"]))
        return Tree(draw.choice(["count", "3"]), tuple(some(depth - 1) for _ in range(draw.randint(1, 3))))

    programs = DistinctPrograms(FlatTrees.of([some(3) for _ in range(100)]), np.arange(100))
    quick = typed_programs(programs, FUNCTIONAL, literals="type").trees
    slow = typed_programs(programs, replace(FUNCTIONAL, name="another"), literals="type").trees
    assert [quick.texts[label] for label in quick.labels] == [slow.texts[label] for label in slow.labels]
    assert quick.children.tolist() == slow.children.tolist()
    assert set(quick.texts) == set(slow.texts)


def test_what_is_dropped_leaves_its_root_and_marks_of_the_program_itself() -> None:
    trees = FlatTrees.of([Tree("3"), Tree("f", (Tree("<string>"), Tree("'a'"), Tree("b")))])
    dropped = typed_programs(DistinctPrograms(trees, np.arange(2)), FUNCTIONAL, literals="drop").trees
    assert [dropped.texts[label] for label in dropped.labels] == ["<number>", "f", "<string>", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "atoms=symbols,presence,literals=type;compounds=tree:2-2,counts,literals=type",
        "atoms=symbols:arity,counts,literals=drop,names=type;compounds=path:1-2,counts,names=type,top=9,alpha=0.5",
        "atoms=symbols,presence;compounds=subtree:1-2,presence,literals=type",
    ],
)
def test_definitions_print_as_they_are_read(text: str) -> None:
    assert str(Structures.parse(text)) == text


def test_what_is_kept_is_not_written() -> None:
    assert str(Structures.parse("symbols,literals=keep,names=keep;tree:2-2,literals=keep")) == PROGRAM_STRUCTURES
    assert str(with_typing(Structures.parse(OWN_PROGRAM_STRUCTURES), literals="keep")) == PROGRAM_STRUCTURES


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("symbols,literals=kind", "structures have no option 'literals=kind'; write one literals=keep|type|drop"),
        ("symbols,names=drop", "structures have no option 'names=drop'; write one names=keep|type"),
        ("symbols,literals=type,literals=drop", "no option 'literals=drop'"),
        ("tokens,literals=type", "atoms have no option 'literals=type'"),
        ("dag:2-3,literals=type", "compounds have no option 'literals=type'"),
    ],
)
def test_definitions_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        Structures.parse(text)
    assert message in str(caught.value)


def test_flags_set_the_halves_that_are_of_programs() -> None:
    assert str(with_typing(Structures.parse("tmcd:spider"), literals="drop")) == (
        "atoms=tokens,presence;compounds=path:1-2,counts,literals=drop"
    )
    with pytest.raises(OptionError, match="are not of programs"):
        with_typing(Structures.parse("dag:2-3"), literals="type")
    with pytest.raises(OptionError, match="--literals is 'kind'; give keep, type or drop"):
        with_typing(Structures.parse("tmcd:geoquery"), literals="kind")


def test_own_data_counts_kinds_and_data_of_the_catalogue_does_not(scan: recombine.Dataset) -> None:
    assert recombine.load(QUERIES, language="sql").structures == OWN_PROGRAM_STRUCTURES
    assert scan.structures == str(Structures())


def test_a_file_counts_kinds(tmp_path: object) -> None:
    path = f"{tmp_path}/mine.tsv"
    with open(path, "w") as file:  # noqa: PTH123
        file.write("source\ttarget\n" + "".join(f"{a}\t{b}\n" for a, b in QUERIES))
    assert recombine.load(path, language="sql").structures == OWN_PROGRAM_STRUCTURES


def test_a_language_that_does_not_tell_keeps_them_and_says_so() -> None:
    say_kept.cache_clear()
    plain = Language("plainly", FUNCTIONAL.parse, FUNCTIONAL.render)
    from recombine.structures.own_structures import own_structures

    with pytest.warns(InputWarning, match="literals are kept: plainly does not tell them"):
        assert own_structures(plain) == PROGRAM_STRUCTURES
    data = replace(recombine.load([("a", "f ( 3 )"), ("b", "f ( 4 )")]), language=plain, structures=PROGRAM_STRUCTURES)
    split = recombine.split(data, by="random", test=1)
    say_kept.cache_clear()
    with pytest.warns(InputWarning, match="literals are kept: plainly does not tell them"):
        measured = recombine.measure(data, split, literals="type")
    assert f"structures:{PROGRAM_STRUCTURES}|" in measured["signature"]
    with pytest.raises(DefinitionError, match="plainly does not tell its literals"):
        recombine.measure(data, split, structures=OWN_PROGRAM_STRUCTURES)


@pytest.mark.parametrize("language", sorted(KINDS))
def test_a_search_reaches_three_times_the_floor_on_own_data(language: str) -> None:
    data = recombine.load(own_pairs(language, 1000), language=language)
    split = recombine.split(data, by="tmcd", test=0.2, effort=0.05)
    floor = split.measured["random_compound_divergence"]
    assert split.measured["compound_divergence"] >= 3 * floor["mean"]
    assert split.never_in_test == 0
    assert "literals=type" in split.measured["signature"]
    kept = recombine.features(data, "atoms=symbols;compounds=tree:2-2").atoms
    assert (np.asarray(kept.held(range(1000))) == 1).sum() > 900  # as literals, most are of one example


@pytest.mark.slow
def test_a_search_reaches_three_times_the_floor_on_queries() -> None:
    data = recombine.load([(text, text) for text in made_queries(1000, seed=1)], language="sql:sqlite")
    split = recombine.split(data, by="tmcd", test=0.2, effort=0.05)
    assert split.measured["compound_divergence"] >= 3 * split.measured["random_compound_divergence"]["mean"]


def test_all_languages_of_own_data_are_known() -> None:
    assert all(find_language(name) for name in KINDS)
