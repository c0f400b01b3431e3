from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from recombine.errors import ProgramError
from recombine.languages.lambda_calculus import LAMBDA_CALCULUS
from recombine.tree import Tree

parse, render = LAMBDA_CALCULUS.parse, LAMBDA_CALCULUS.render


def same(first: str, second: str) -> bool:
    return LAMBDA_CALCULUS.normalise(parse(first)) == LAMBDA_CALCULUS.normalise(parse(second))


def test_a_tree_by_hand() -> None:
    variable = Tree("$0")
    body = Tree("_and", (Tree("_flight", (variable,)), Tree("_to", (variable, Tree("mke:_ap")))))
    expected = Tree("_lambda", (variable, Tree("e"), body))
    assert parse("(_lambda $0 e(_and(_flight $0)(_to $0 mke:_ap)))") == expected
    assert parse("ewr:_ap") == Tree("ewr:_ap")


def test_predicates_of_other_notations_are_free() -> None:
    assert parse("( give $0 ( capital:c texas:s ) $1 )").size() == 5


def test_a_constant_in_three_words_is_one() -> None:
    assert parse("( from $0 new_york : ci )") == parse("( from $0 new_york:ci )")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("( _lambda $v0 e ( _flight $v0 ) )", "( _lambda $0 e ( _flight $0 ) )"),
        ("( _lambda $3 e ( _to $3 $1 ) )", "( _lambda $0 e ( _to $0 $2 ) )"),
        ("( _lambda x e ( _flight x ) )", "( _lambda $0 e ( _flight $0 ) )"),
        ("( _exists $1 ( _exists $0 ( _to $1 $0 ) ) )", "( _exists $0 ( _exists $1 ( _to $0 $1 ) ) )"),
    ],
)
def test_what_is_equal(first: str, second: str) -> None:
    assert same(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("( _exists $0 ( _exists $1 ( _to $0 $1 ) ) )", "( _exists $0 ( _exists $1 ( _to $1 $0 ) ) )"),
        ("( _exists $0 ( _to $0 $0 ) )", "( _exists $0 ( _to $0 $1 ) )"),
        ("( _lambda x e ( _flight x ) )", "( _lambda x i ( _flight x ) )"),
        ("( _lambda e e ( _flight e ) )", "( _lambda e i ( _flight e ) )"),
        ("( _to $0 boston:_ci )", "( _to $0 denver:_ci )"),
        ("( _and ( _a $0 ) ( _b $0 ) )", "( _or ( _a $0 ) ( _b $0 ) )"),
    ],
)
def test_what_is_not_equal(first: str, second: str) -> None:
    assert not same(first, second)


def test_a_type_keeps_its_name() -> None:
    assert (
        render(LAMBDA_CALCULUS.normalise(parse("( _lambda e e ( _flight e ) )"))) == "( _lambda $0 e ( _flight $0 ) )"
    )


def test_templates_by_hand() -> None:
    text = "( _lambda $0 e ( _and ( _< ( _fare $0 ) 300:_do ) ( _loc:_t $0 boston:_ci ) ( _stops $0 2 ) ) )"
    expected = "( _lambda $0 e ( _and ( _< ( _fare $0 ) value:_do ) ( _loc:_t $0 value:_ci ) ( _stops $0 NUM ) ) )"
    assert render(LAMBDA_CALCULUS.anonymise(parse(text))) == expected


@pytest.mark.shared_data
def test_the_published_templates_of_atis(data_dir: Path) -> None:
    with gzip.open(data_dir / "atis" / "atis.jsonl.gz", "rt", encoding="utf-8") as file:
        items = [json.loads(line) for line in file]
    for item in items:
        ours = render(LAMBDA_CALCULUS.anonymise(parse(item["target"])))
        # The release takes a typed predicate for a constant.
        assert re.sub(r"\( _\w+:", "( value:", ours).split() == item["anonymized"].replace("))", ") )").split()


@pytest.mark.parametrize(
    ("text", "position", "problem"),
    [
        ("( _and ( _flight $0 )", 0, "a bracket that is not closed"),
        ("( _flight $0 ) )", 15, "')' after the end of the program"),
        ("( _and ( _flight $0 ) )", 0, "'_and' has 1 argument where at least 2 belong"),
        ("( _not ( _and ( _a $0 ) $0 ) )", 7, "'_and' joins what is no formula"),
        ("( _lambda ( _a $0 ) e ( _b $0 ) )", 0, "'_lambda' binds no variable"),
        ("( a ( b $0 ( _and ( _c $0 ) ( _d $0 ) ) ) )", 4, "the predicate 'b' has a formula as its argument"),
        ("( _not ( _flight $0 ( _to $0 $1 ) ) )", 7, "the predicate '_flight' has a predicate as its argument"),
        ("( _not ( _to $0 $1 $2 ) )", 7, "the predicate '_to' has 3 arguments where 1 or 2 belong"),
        ("( _< ( _fare $0 ) ( _to $0 $1 ) )", 0, "'_<' compares '_to', which has no value"),
        ("( _< ( _fare $0 100:_do ) )", 0, "'_<' has 1 argument where 2 belong"),
        ("( _not ( $0 ) )", 7, "brackets that do not begin with the name of a predicate"),
    ],
)
def test_mistakes_are_placed(text: str, position: int, problem: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse(text)
    assert caught.value.position == position
    assert problem in str(caught.value)
