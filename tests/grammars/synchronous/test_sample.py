from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from recombine.errors import DerivationError, OptionError, SizeError
from recombine.grammars.formalism import Term
from recombine.grammars.synchronous.enumerate import count_terms, iter_terms
from recombine.grammars.synchronous.notation import packaged_synchronous, parse_synchronous
from recombine.grammars.synchronous.sample import iter_samples, sample_distinct

ENDLESS = parse_synchronous("%start <S>\nmore @9: <S> -> x <S> => <S> y\nend: <S> -> z => z")
LIMITED = parse_synchronous("%start <S>\n%nest <S> 3\nmore @9: <S> -> x <S> => <S> y\nend: <S> -> z => z")


def depth(term: Term) -> int:
    return 1 + max((depth(child) for child in term[1]), default=0)


def test_weights_and_limits_count() -> None:
    # Of nine draws in ten `more`: depth 1 in a tenth, depth 2 in 0.09, else depth 3, where the limit leaves `end`.
    depths = Counter(depth(sample.term) for sample in islice(iter_samples(LIMITED, seed=1), 5000))
    assert sorted(depths) == [1, 2, 3]
    assert 0.08 < depths[1] / 5000 < 0.12
    assert 0.07 < depths[2] / 5000 < 0.11


def test_depth_is_kept_where_nothing_else_limits() -> None:
    samples = list(islice(iter_samples(ENDLESS, seed=1, max_depth=5), 500))
    assert max(depth(sample.term) for sample in samples) == 5
    assert all(ENDLESS.pair(sample.term) == sample[:2] for sample in samples)
    with pytest.raises(OptionError, match="depth of at least 1"):
        next(iter_samples(ENDLESS, seed=1, max_depth=0))


def test_samples_are_what_their_terms_make() -> None:
    covr = packaged_synchronous("covr")
    for sample in islice(iter_samples(covr, seed=4), 300):
        assert covr.pair(sample.term) == (sample.source, sample.target)
        assert covr.parse_pair(sample.source, sample.target) == sample.term


def test_the_seed_decides() -> None:
    covr = packaged_synchronous("covr")
    first = sample_distinct(covr, 50, seed=3)
    assert first == sample_distinct(covr, 60, seed=3)[:50]
    assert first != sample_distinct(covr, 50, seed=4)
    assert len({sample[:2] for sample in first}) == 50


def test_what_the_grammar_cannot_give() -> None:
    assert len(sample_distinct(LIMITED, 3, seed=0)) == 3
    with pytest.raises(SizeError, match="200 draws gave 3 distinct examples, not 4"):
        sample_distinct(LIMITED, 4, seed=0)
    with pytest.raises(OptionError, match="cannot make 0 examples"):
        sample_distinct(LIMITED, 0, seed=0)


def test_all_terms_come_once_small_ones_first() -> None:
    assert [LIMITED.pair(term)[0] for term in iter_terms(LIMITED)] == ["z", "x z", "x x z"]
    assert [depth(term) for term in islice(iter_terms(ENDLESS), 5)] == [1, 2, 3, 4, 5]
    tree = parse_synchronous("%start <T>\n%nest <T> 3\nb: <T> -> ( <T:1> <T:2> ) => <T:2> <T:1>\nl: <T> -> a => a")
    # Binary trees of depth at most 3: 1 leaf, 1 pair, 2 pairs of a pair and a leaf, 1 of two pairs.
    assert count_terms(tree) == 5
    terms = list(iter_terms(tree))
    leaf: Term = ("l", ())
    pair: Term = ("b", (leaf, leaf))
    assert terms == [leaf, pair, ("b", (leaf, pair)), ("b", (pair, leaf)), ("b", (pair, pair))]


def test_endless_grammars_cannot_be_counted() -> None:
    with pytest.raises(OptionError, match="<S> contains itself"):
        count_terms(ENDLESS)


def test_covr_has_as_many_programs_as_can_be_worked_out() -> None:
    # 4 nouns with 0 to 2 of 7 adjectives; 3 relations, at most two deep.
    noun = 4 * (1 + 7 + 49)
    once = noun + noun * 3 * noun
    some = noun + noun * 3 * once
    condition = 7 + 3 * once
    attribute = 2 * some
    single = some + 3 * some * (3 + some) + attribute * (7 + attribute) + 4 * some * condition
    question = some + attribute + some * 9 + attribute * 49
    covr = packaged_synchronous("covr")
    every = single + 2 * single**2 + question
    assert count_terms(replace(covr, longest=None)) == count_terms(replace(covr, longest=252)) == every
    # In the longest noun phrase, `with_relation ( N , R , with_relation ( N , R , N ) )`, a noun N has 14 words, R has
    # one: 54. With it `or` of two `eq ( query_attr [ color ] ( … ) , query_attr [ color ] ( … ) )` has 252.
    assert count_terms(replace(covr, longest=251)) < every


def test_no_target_is_too_long() -> None:
    text = (
        "%start <S>\n%nest <S> 6\n{}more @9: <S> -> x <S> <W> => <S> and <W>\n"
        "end: <S> -> z => z\ntwo: <W> -> w => two words"
    )
    plain = parse_synchronous(text.format("%longest 7\n"))
    # 1, 4, 7, 10, … words; with <W> lexical, 1, 3, 5, 7, 9, …
    assert [plain.length(term) for term in iter_terms(plain)] == [1, 4, 7]
    lexical = parse_synchronous(text.format("%longest 7\n%lexical <W>\n"))
    assert [lexical.length(term) for term in iter_terms(lexical)] == [1, 3, 5, 7]
    assert (count_terms(plain), count_terms(lexical)) == (3, 4)
    for grammar, lengths in ((plain, {1, 4, 7}), (lexical, {1, 3, 5, 7})):
        assert {grammar.length(sample.term) for sample in islice(iter_samples(grammar, seed=0), 300)} == lengths
        grammar.parse("z and two words and two words")
    with pytest.raises(DerivationError, match=r"the target has the length 10, and the longest that .* makes has 7"):
        plain.parse("z" + 3 * " and two words")
    assert plain.length(plain.parse("z" + 3 * " and two words", limited=False)) == 10
    endless = parse_synchronous("%start <S>\n%longest 1\na: <S> -> x => x y")
    with pytest.raises(SizeError, match="derivations in a row are longer than 1"):
        next(iter_samples(endless, seed=0))


def test_all_examples_of_a_small_grammar() -> None:
    made = list(LIMITED.enumerate())
    assert [(each.source, each.target) for each in made] == [("z", "z"), ("x z", "z y"), ("x x z", "z y y")]
    assert LIMITED.derivation(made[2].term).rules == ("more", "more", "end")
    with pytest.raises(SizeError, match=r"covr has 4.41e\+18 derivations; say how many"):
        packaged_synchronous("covr").enumerate()
    assert next(packaged_synchronous("covr").enumerate(most=None)).target == "exists ( find ( dog ) )"
    with pytest.raises(OptionError, match="<S> contains itself"):
        ENDLESS.enumerate()
    assert len(list(islice(ENDLESS.enumerate(most=None), 100))) == 100
