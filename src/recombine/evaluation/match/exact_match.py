"""Exact match: whether a predicted program is the gold one.

It has two forms. `normalised` compares normalised trees, so programs that a language holds to be equal for trivial
reasons (the order of a set of clauses, the names of variables) match. `text` compares texts up to white space; it is
the form to set beside published numbers where the normaliser forgives what the authors did not, such as the variable
numbers of COGS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from recombine.languages.language import Language

FORMS = ("normalised", "text")


def exact_match(gold: str, predicted: str, language: Language | None, *, form: str | None = None) -> bool:
    """Whether two programs are the same; a malformed one is a `ProgramError`.

    >>> from recombine.languages.funql import FUNQL
    >>> one, other = "intersection ( city , major )", "intersection ( major , city )"
    >>> exact_match(one, other, FUNQL), exact_match(one, other, FUNQL, form="text")
    (True, False)
    """
    read = make_reader(language, form or default_form(language))
    return read(gold) == read(predicted)


def default_form(language: Language | None) -> str:
    """`normalised`, or `text` where the language is not known."""
    return "text" if language is None else "normalised"


def make_reader(language: Language | None, form: str) -> Callable[[str], Hashable]:
    """What is compared of a program; in both forms a malformed program is refused where the language is known."""
    if form not in FORMS:
        raise UnknownNameError("form of exact match", form, FORMS)
    if language is None:
        if form == "normalised":
            raise OptionError("the language of the targets is not known", "name it with --language, or match text")
        return _words
    parse, normalise = language.parse, language.normalise

    def read_words(program: str) -> Hashable:
        parse(program)
        return _words(program)

    def read_tree(program: str) -> Hashable:
        # Labels with numbers of children, parents first, are the tree, and compare without recursion.
        return tuple((node.label, len(node.children)) for node in normalise(parse(program)).iter_nodes())

    return read_tree if form == "normalised" else read_words


def _words(program: str) -> str:
    return " ".join(program.split())
