from __future__ import annotations

import pytest

from recombine.errors import OptionError, SizeError
from recombine.grammars.terms.draw_terms import draw_terms
from recombine.grammars.terms.enumerate_terms import enumerate_terms
from recombine.grammars.terms.read_grammar import parse_grammar
from recombine.grammars.terms.sample_terms import sample_terms

NESTED = parse_grammar("%start <S>\nmore @9: <S> -> x <S> => x <S>\nend: <S> -> z => z")


def depth(term: tuple[str, tuple]) -> int:  # type: ignore[type-arg]
    return 1 + max((depth(child) for child in term[1]), default=0)


def test_weights_count() -> None:
    # With weights 9 and 1 the first rule is drawn in nine of ten cases, so a term has depth 1 in about a tenth.
    terms = sample_terms(NESTED, 2000, seed=1, max_depth=50)
    assert 150 < sum(depth(term) == 1 for term in terms) < 250


def test_depth_is_kept() -> None:
    assert max(map(depth, sample_terms(NESTED, 500, seed=1, max_depth=4))) == 4
    assert [depth(term) for term in enumerate_terms(NESTED, max_depth=3)] == [3, 2, 1]


def test_a_recursive_grammar_needs_a_depth() -> None:
    with pytest.raises(OptionError, match="<S> contains itself"):
        enumerate_terms(NESTED)


def test_what_the_grammar_cannot_give() -> None:
    finite = parse_grammar("%start <S>\na: <S> -> <U> => <U>\nb: <U> -> x => y")
    with pytest.raises(SizeError, match="makes 1"):
        draw_terms(finite, 2, seed=0)
    with pytest.raises(OptionError, match="depth of at least 2"):
        sample_terms(finite, 1, seed=0, max_depth=1)
    with pytest.raises(SizeError, match="distinct"):
        list(draw_terms(NESTED, 500, seed=0))  # 32 levels allow 32 terms
    assert len(set(draw_terms(NESTED, 5, seed=0))) == 5
