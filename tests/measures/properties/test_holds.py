"""Predicates hold of the examples that they should: by hand, and as a plain walk over every tree says."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import orjson
import pytest

from asked import asked, without
from recombine.errors import DerivationError, OptionError, RecordError, UnknownNameError
from recombine.measures.properties.holds import holds
from recombine.records.dataset import Dataset
from recombine.records.example import Example
from recombine.tree import Tree
from recombine.workbench import generate, load
from recombine.workbench.generate import GenerateResult


def numbers(text: str, data: Dataset | None = None) -> list[int]:
    """The questions that a predicate holds of."""
    data = asked() if data is None else data
    return [place for place, it in enumerate(holds(data, text).tolist()) if it]


# Worked out by hand from the questions of `asked.py`.
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("has:quant", [7, 8, 9, 10, 20, 22]),
        ("has:quant:all", [7, 8, 10, 20]),
        ("has:quant:comp", [9, 10, 20, 22]),
        ("has:quant:comp & has:quant:all", [10, 20]),
        ("has:compar", [5, 6]),
        ("has:compar:more", [5]),
        ("has:groupby", [16]),
        ("has:logic", [14, 15]),
        ("has:logic:and", [14]),
        ("has:num", [3, 4, 16]),
        ("has:num:3", [3, 4]),
        ("ans:3", [0, 16, 18, 23]),
        ("has:num:3 | ans:3", [0, 3, 4, 16, 18, 23]),
        ("ans:num", [0, 1, 2, 16, 17, 18, 19, 21, 23, 24]),
        ("ans:attr | ans:noun", [12, 13]),
        ("ans:true & has:logic", [14, 15]),
        ("ans:red", [12]),
        ("has:count & has:attr", [2, 17, 21]),
        ("has:sameattr", [10, 11]),
        ("has:sameattr:color", [10]),
        ("has:sameattr:size", [11]),
        ("rm/v", [3, 4, 5, 15, 22, 25]),
        # Right below each other: a V and a modifier, but also a chain, and an object asked for by two relations.
        ("rm/v/c", [3, 4, 5, 6, 11, 15, 22, 25]),
        ("tpl:VERIFYLOGIC", [14, 15]),
        ("lexical:rope", [5, 25]),
        ("lexical:with", [5, 25]),
        ("lexical:red & !has:count", [7, 8]),
        ("op:query_attr", [11, 12]),
        ("op:query_attr[color]", [12]),
        ("arg:rope", [5, 25]),
        ('arg:"scene()"', [7, 8, 9, 13, 20, 22]),
        ("under:and:on", [14]),
        ("under:count:count", []),
        ("child:count:filter", [2, 17, 21]),
        ("place:eq:1:count", [3, 4, 6]),
        ("place:*:2:#", [3, 4, 16]),
        ("tag:number=3,4 & !tag:part=test", [3, 4]),
        ("tag:images=e2", [24, 25]),
    ],
)
def test_questions_by_hand(text: str, wanted: list[int]) -> None:
    assert numbers(text) == wanted


def test_properties_are_those_of_the_templates(noisy_questions: GenerateResult) -> None:
    # COVR_FACTS, 6: these are said of templates there, and of programs here, so that other data has them too.
    data = noisy_questions.dataset
    for said, template in (
        ("has:compar", "tpl:COMPARECOUNT"),
        ("has:sameattr", "tpl:VERIFYQUANTATTR,VERIFYSAMEATTR"),
        ("has:quant", "tpl:VERIFYQUANT,VERIFYQUANTATTR"),
        ("has:count", "tpl:COMPARECOUNT,COUNT,VERIFYCOUNT,COUNTGROUPBY,VERIFYCOUNTGROUPBY"),
        ("has:groupby", "tpl:COUNTGROUPBY,VERIFYCOUNTGROUPBY"),
        ("has:logic", "tpl:VERIFYLOGIC"),
    ):
        assert holds(data, said).any()
        assert (holds(data, said) == holds(data, template)).all(), said


# -- the same by a plain walk -----------------------------------------------------------------------------------------


def _nodes(tree: Tree, above: tuple[Tree, ...] = ()) -> Iterator[tuple[Tree, tuple[Tree, ...]]]:
    """Each node with those above it, the nearest last."""
    yield tree, above
    for child in tree.children:
        yield from _nodes(child, (*above, tree))


def _relation_over(tree: Tree, places: tuple[int, ...], *but: str) -> bool:
    return tree.label == "with_relation" and any(tree.children[place].label not in but for place in places)


WALKS: list[tuple[str, Callable[[Tree, tuple[Tree, ...]], bool]]] = [
    ("op:count", lambda node, _: node.label == "count" and bool(node.children)),
    ("arg:dog", lambda node, _: node.label == "dog" and not node.children),
    ("arg:#", lambda node, _: node.label.isdigit() and not node.children),
    ("op:~find,filter,exists,or", lambda node, _: bool(node.children) and node.label not in "find filter exists or"),
    ("under:or:filter", lambda node, above: node.label == "filter" and any(x.label == "or" for x in above)),
    ("under:filter:filter", lambda node, above: node.label == "filter" and any(x.label == "filter" for x in above)),
    ("child:filter:filter", lambda node, above: node.label == "filter" and bool(above) and above[-1].label == "filter"),
    ("place:with_relation:3:~find", lambda node, _: _relation_over(node, (2,), "find")),
    ("place:with_relation:1,3:~find", lambda node, _: _relation_over(node, (0, 2), "find")),
]


@pytest.mark.parametrize(("text", "walk"), WALKS, ids=[text for text, _ in WALKS])
def test_arrays_say_what_a_walk_says(text: str, walk: Callable[[Tree, tuple[Tree, ...]], bool]) -> None:
    data = generate("covr", n=150, seed=3).dataset
    assert data.language is not None
    wanted = [any(walk(*each) for each in _nodes(data.language.parse(example.target))) for example in data]
    assert holds(data, text).tolist() == wanted
    assert 0 < sum(wanted) < 150


@pytest.mark.parametrize(
    ("language", "target", "there", "not_there"),
    [
        ("funql", "answer(longest(river(loc_2(stateid('texas')))))", "under:longest:loc_2 & arg:texas", "op:count"),
        ("sql", "SELECT count(DISTINCT a) FROM t WHERE b != 3", 'under:count:distinct & arg:3', "under:distinct:count"),
        ("sexpression", "(AND film.film (JOIN film.director m.01))", "under:AND:JOIN & arg:film.director", "op:R"),
        ("covr", "query_attr [ color ] ( find ( dog ) )", "op:query_attr & op:query_attr[color]", "op:color"),
    ],
)  # fmt: skip
def test_any_language(language: str, target: str, there: str, not_there: str) -> None:
    data = load([("a", target)], language=language)
    assert holds(data, there).tolist() == [True]
    assert holds(data, not_there).tolist() == [False]


def test_what_is_missing_is_named() -> None:
    data = load([("a", "count ( find ( dog ) )")], language="covr")
    with pytest.raises(OptionError, match=r"tpl:COUNT needs the field 'template', which the example \w+ of records"):
        holds(data, "tpl:COUNT")
    with pytest.raises(OptionError, match="lexical:dog needs the field 'subgraph'"):
        holds(data, "lexical:dog")
    with pytest.raises(OptionError, match="ans:3 needs the field 'answer', which the example q0 of asked"):
        holds(without("answer"), "has:num:3 | ans:3")
    with pytest.raises(UnknownNameError, match="unknown tag 'nummer'; did you mean 'number'"):
        holds(asked(), "tag:nummer=3")
    with pytest.raises(RecordError, match="asked, q2: its sub-graph is of another form"):
        holds(asked(subgraph={2: ["dog"]}), "rm/v")
    with pytest.raises(DerivationError, match="--language"):
        holds(load([("a", "count")]), "op:count")


def test_a_table_has_texts() -> None:
    # what Parquet keeps: answers and sub-graphs as texts
    data = asked()
    texts = {"True": "true", "False": "false"}

    def row(example: Example) -> Example:
        context = dict(example.context)
        context["answer"] = texts.get(str(context["answer"]), str(context["answer"]))
        context["subgraph"] = orjson.dumps(context["subgraph"]).decode()
        return Example(example.id, example.source, example.target, None, example.tags, context)

    table = data.with_examples(map(row, data))
    for text in ("ans:num", "ans:true", "rm/v", "lexical:rope"):
        assert numbers(text, table) == numbers(text, data)
