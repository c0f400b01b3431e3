"""Rules of the published splits, found by what they say, and who holds them."""

from __future__ import annotations

import json
from pathlib import Path

import orjson
import pytest

from recombine.errors import DerivationError, OptionError, UnknownNameError
from recombine.files import read_text
from recombine.grammars.find_grammar import find_grammar
from recombine.grammars.rule_pairs import RulePairs, find_pairs, find_rules, parse_content
from recombine.grammars.rule_table import RuleTable
from recombine.grammars.synchronous.notation import packaged_synchronous
from recombine.grammars.synchronous.synchronous_grammar import SynchronousGrammar

CHOOSE = "query_or_count_answer -> 'choose' '(' query_or_count ',' attr_value_or_number ',' attr_value_or_number ')'"


@pytest.fixture(scope="module")
def covr() -> SynchronousGrammar:
    return packaged_synchronous("covr")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("boolean_single -> exists '(' some_ref ')'", ["existing"]),
        ("eq -> 'eq'", ["eq"]),
        ("ref_attr -> 'query_attr' '[' attr_name ']' '(' some_ref ')'", ["attribute"]),
        ("some_ref -> with_relation_ref", ["some-related"]),
        ("relation_name -> 'playing with'", ["playing-with"]),
        (CHOOSE, ["choose"]),
    ],
)
def test_rules_are_found_by_what_they_say(covr: SynchronousGrammar, text: str, names: list[str]) -> None:
    assert find_rules(covr, text) == names


@pytest.mark.parametrize("text", ["eq", "eq -> 'eq", "eq eq -> 'eq'", "-> 'eq'"])
def test_rules_that_cannot_be_read(text: str) -> None:
    with pytest.raises(DerivationError, match="cannot read the rule"):
        parse_content(text)


def test_a_rule_that_is_not_there(covr: SynchronousGrammar) -> None:
    with pytest.raises(DerivationError, match="covr has no rule \"eq -> 'ne'\""):
        find_rules(covr, "eq -> 'ne'")


def test_membership(covr: SynchronousGrammar) -> None:
    pairs = find_pairs(
        covr, [["eq -> 'eq'", "boolean_pair -> boolean_or"], ["eq -> 'eq'", "boolean_pair -> boolean_and"]]
    )
    assert str(pairs) == "eq+pair-or,eq+pair-and"
    # The train and test examples of the paper's Table 9.
    train = [
        "or ( exists ( filter ( black , find ( cat ) ) ) , all ( find ( mouse ) , "
        "with_relation ( scene ( ) , looking at , find ( animal ) ) ) )",
        "eq ( count ( filter ( black , find ( dog ) ) ) , count ( filter ( white , find ( cat ) ) ) )",
    ]
    test = (
        "or ( eq ( query_attr [ color ] ( with_relation ( find ( cat ) , playing with , find ( cat ) ) ) , black ) , "
        "exists ( find ( mouse ) ) )"
    )
    assert [pairs.holds(covr.rule_set(covr.parse(program))) for program in [*train, test]] == [False, False, True]


def test_pairs_print_and_parse() -> None:
    pairs = RulePairs((("a", "b"), ("a", "c-d")))
    assert RulePairs.parse(str(pairs)) == pairs
    for text in ("", "a", "a+", "a+b+c", "a+b,"):
        with pytest.raises(OptionError, match="cannot read the rule pairs"):
            RulePairs.parse(text)
    with pytest.raises(UnknownNameError, match="unknown rule of scan 'twise'; did you mean 'twice'"):
        RulePairs.parse("and+twise").check(find_grammar("scan").rule_table())


def test_meaningful_symbols(covr: SynchronousGrammar) -> None:
    # Figure 5 of the paper: number_objects and count have one rule each and one use.
    none: frozenset[str] = frozenset()
    symbol = {
        "objects": "number_objects",
        "count": "count",
        "and": "pair",
        "or": "pair",
        "exists": "single",
        "cmp": "single",
    }
    table = RuleTable("figure", symbol, dict.fromkeys(symbol, none) | {"objects": frozenset({"count"})})
    assert table.meaningful_symbols() == ["pair", "single"]
    assert "eq" in covr.rule_table().meaningful_symbols()  # one rule, but two rules ask for it
    assert "number" not in covr.rule_table().meaningful_symbols()  # lexical
    assert "count" not in covr.rule_table().meaningful_symbols()


@pytest.mark.shared_data
def test_every_published_pair_parses_and_is_where_it_was_published(covr: SynchronousGrammar, data_dir: Path) -> None:
    splits = json.loads(read_text(data_dir / "covr_text" / "grammar_splits.json"))  # it has NaN, which is not JSON
    held_out = {number: find_pairs(covr, split["combos"]) for number, split in splits.items()}
    lines = read_text(data_dir / "covr_text" / "examples.jsonl.gz").splitlines()
    assert (len(splits), len(lines)) == (83, 4991)
    memberships = 0
    for record in map(orjson.loads, lines):
        term = covr.parse(record["target"])
        assert covr.pair(term) == (record["source"], record["target"])
        rules = covr.rule_set(term)
        for place in record["seen_in"]:
            part, _, number = place.partition(":")
            assert held_out[number].holds(rules) == (part == "test"), (record["qid"], place)
            memberships += 1
    assert memberships == 5334


@pytest.mark.shared_data
def test_published_pairs_have_one_derivation_by_source_too(covr: SynchronousGrammar, data_dir: Path) -> None:
    lines = read_text(data_dir / "covr_text" / "examples.jsonl.gz").splitlines()
    for record in map(orjson.loads, lines[::5]):
        assert next(covr.parse_source(record["source"])).term == covr.parse(record["target"])
