"""Laws of every language file: what is written reads back, the one form stays, any text ends in a tree or an error."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from made_notations import MADE, MAKERS, SIGNS, made_language
from made_programs import drawing, fuzzed, read_or_refusal

from recombine.errors import ProgramError
from recombine.tree import MAX_DEPTH, Tree


@pytest.mark.parametrize("name", MADE)
def test_a_thousand_made_programs_read_back(name: str, tmp_path: Path) -> None:
    language, draw = made_language(name, tmp_path), drawing(1)
    for _ in range(1_000):
        tree = MAKERS[name](draw)
        text = language.render(tree)
        assert language.parse(text) == tree, text
        normal = language.normalise(tree)
        assert language.normalise(normal) == normal, text
        assert language.normalise(language.parse(language.render(normal))) == normal, text
        template = language.anonymise(normal)
        assert language.anonymise(template) == template
        assert language.type_literals is not None
        typed = language.type_literals(tree)
        assert language.type_literals(typed) == typed
        assert typed.size() == tree.size()


@pytest.mark.parametrize("name", MADE)
def test_fuzzed_texts_are_read_or_refused(name: str, tmp_path: Path) -> None:
    language, draw, trees = made_language(name, tmp_path), drawing(2), 0
    texts = 5_000 if name == "pipes" else 1_500
    for _ in range(texts):
        text = fuzzed(language.render(MAKERS[name](draw)), draw, SIGNS[name])
        trees += isinstance(read_or_refusal(language, text), Tree)
    assert 0.1 * texts < trees < 0.98 * texts


DEEP = {
    "pipes": ("f(", "a", ")", 1),
    "lisp": ("(f ", "a", ")", 1),
    "assembly": ("[", "a", "]", 1),
    "prolog": ("f(", "a", ")", 1),
}


@pytest.mark.parametrize("name", MADE)
def test_deep_programs_are_refused_at_once(name: str, tmp_path: Path) -> None:
    language = made_language(name, tmp_path)
    before, inner, after, own = DEEP[name]
    text = before * (MAX_DEPTH - own) + inner + after * (MAX_DEPTH - own)
    tree = language.parse(text)
    assert tree.depth() == MAX_DEPTH
    assert language.parse(language.render(tree)) == language.normalise(tree) == tree
    for levels in (MAX_DEPTH, 100_000):
        for closed in (after, ""):
            with pytest.raises(ProgramError, match=f"more than {MAX_DEPTH} levels"):
                language.parse(before * levels + inner + closed * levels)


@pytest.mark.parametrize(
    "text", [f"{'- ' * 100_000}a", f"{'a ^ ' * 100_000}a", f"{'a and ' * 100_000}a", "(" * 100_000]
)
def test_other_ways_to_nest_are_refused_too(text: str, tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="levels"):
        made_language("pipes", tmp_path).parse(text)


def test_a_chain_that_the_one_form_would_nest_too_deep_is_refused(tmp_path: Path) -> None:
    """128 operands in a balanced tree of 8 levels are 127 operators inside each other when they are sorted."""
    texts = [f"x{number}" for number in range(128)]
    while len(texts) > 1:
        texts = [f"({one} and {other})" for one, other in zip(texts[::2], texts[1::2], strict=True)]
        if len(texts) == 2:
            half = texts[0]
    language = made_language("pipes", tmp_path)
    assert language.normalise(language.parse(half)).depth() == 64
    with pytest.raises(ProgramError, match="levels"):
        language.parse(texts[0])


def test_a_language_travels_to_other_processes(tmp_path: Path) -> None:
    language = made_language("pipes", tmp_path)
    other = pickle.loads(pickle.dumps(language))  # noqa: S301
    assert other.parse("a + -3 |> f(n: 1)") == language.parse("a + -3 |> f(n: 1)")
    assert other.name == language.name
