"""The words of a gold form as codes, just as it is written.

A word in the place of a relation is a relation of the schema; any other is what is linked, else a class. A literal that
is not linked as it is written is the first link of the same value. Comparisons are small letters in codes, whichever
way they are written. Nothing else is changed: the order of `AND`, reverses and classes stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import OptionError, RecombineError
from recombine.kb.forms.form import COMPARISONS, SExpression
from recombine.kb.forms.patterns.pattern_of import pattern_of
from recombine.kb.forms.patterns.sexpression_of_pattern import sexpression_of_pattern
from recombine.kb.forms.sexpression_words import read_word
from recombine.kb.matching.literal_value import literal_value
from recombine.kb.term import LITERAL
from recombine.models.kbqa.arrays.codes import CLOSE, OPEN, SYMBOLS
from recombine.models.kbqa.making.schema_codes import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recombine.kb.forms.form import Form
    from recombine.kb.term import Term
    from recombine.models.kbqa.making.schema_codes import SchemaCodes
    from recombine.tree import Tree

NOT_LINKED, UNKNOWN_WORD, OTHER_FUNCTION, UNREADABLE = "not linked", "unknown word", "another function", "unreadable"
"""Why a form has no codes."""
_FUNCTIONS = {word: code for code, word in enumerate(SYMBOLS) if word.isalpha()}
_FUNCTIONS |= {name: _FUNCTIONS[name.lower()] for name in COMPARISONS.values()}
_PAIRS_FIRST = frozenset({"JOIN", "R", *COMPARISONS.values(), *(name.lower() for name in COMPARISONS.values())})
_PAIRS_SECOND = frozenset({"ARGMAX", "ARGMIN"})


class _NoCode(Exception):  # noqa: N818
    """A word without a code, by why."""


def gold_codes(form: Form, codes: SchemaCodes, links: Mapping[Term, int]) -> list[int] | str:
    """The codes of a form without `END`; or why it has none."""
    try:
        return _coded(_tree(form, codes), codes, links, pairs=False)
    except _NoCode as why:
        return str(why)


def _tree(form: Form, codes: SchemaCodes) -> Tree:
    """The tree of an S-expression, into which a form in another notation is rewritten."""
    if isinstance(form, SExpression):
        return form.tree
    try:
        tree, _ = sexpression_of_pattern(pattern_of(form, codes.profile).pattern, codes.profile, keep_classes=True)
    except RecombineError:
        raise _NoCode(UNREADABLE) from None
    return tree


def _coded(tree: Tree, codes: SchemaCodes, links: Mapping[Term, int], *, pairs: bool) -> list[int]:
    if not tree.children:
        return [_word(tree.label, codes, links, pairs=pairs)]
    if tree.label not in _FUNCTIONS:
        raise _NoCode(OTHER_FUNCTION)
    coded = [OPEN, _FUNCTIONS[tree.label]]
    for place, child in enumerate(tree.children):
        first, second = tree.label in _PAIRS_FIRST and place == 0, tree.label in _PAIRS_SECOND and place == 1
        coded += _coded(child, codes, links, pairs=pairs or first or second)
    return [*coded, CLOSE]


def _word(word: str, codes: SchemaCodes, links: Mapping[Term, int], *, pairs: bool) -> int:
    try:
        term = read_word(word, codes.profile)
    except (RecombineError, OptionError):
        raise _NoCode(UNREADABLE) from None
    if pairs:
        code = codes.relation(term)
    else:
        code = _link(term, links)
        code = codes.class_(term) if code == UNKNOWN and term.kind != LITERAL else code
    if code == UNKNOWN:
        looks = not pairs and (term.kind == LITERAL or codes.profile.is_entity(term))
        raise _NoCode(NOT_LINKED if looks else UNKNOWN_WORD)
    return code


def _link(term: Term, links: Mapping[Term, int]) -> int:
    if term in links or term.kind != LITERAL:
        return links.get(term, UNKNOWN)
    value = literal_value(term)
    return next((code for other, code in links.items() if other.kind == LITERAL and literal_value(other) == value), -1)
