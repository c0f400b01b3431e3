"""Literals of a form in the types that the relations beside them have in a knowledge base.

A linker reads a number or a date in every type that it can be of, and all of these have the same words, so that what
writes a form cannot tell them apart. The relation can: `(JOIN relation literal)`, and comparisons, compare the literal
with the values of the last relation of the path before it. The literal takes the most frequent type of these values in
which it can be written, first as it is, then respelled; where none can be, as a year beside dates, a type that compares
with them. It stays as it is where it stands at the other end of a relation, and where nothing says a type.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from recombine.errors import RecombineError
from recombine.kb.embedded.literal_columns import NONE, XSD
from recombine.kb.forms.form import COMPARISONS
from recombine.kb.forms.sexpression_words import is_literal_word, read_word, write_word
from recombine.kb.term import Term
from recombine.languages.sexpression import parse_sexpression, render_sexpression
from recombine.models.kbqa.outputs.in_type import converted, family_of, has_order, is_written_so, kind_family
from recombine.models.kbqa.outputs.relation_types import RelationTypes, ValueType
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.store import Store

COMPARING = frozenset(word for function in COMPARISONS.values() for word in (function, function.lower()))
"""The functions that compare with a literal."""
_USUAL = tuple(
    ValueType(XSD + name)
    for name in ("integer", "decimal", "double", "gYear", "gYearMonth", "date", "dateTime", "boolean")
)
"""Types to compare in, where a relation's own cannot write a literal; of two, the narrower first."""


class LiteralTypes:
    """The types of literals over one store."""

    def __init__(self, store: Store) -> None:
        self._profile, self._types = store.profile, RelationTypes(store)
        self._word = lru_cache(maxsize=1 << 14)(self._retyped_word)

    @classmethod
    def of(cls, store: Store) -> LiteralTypes:
        """The types that a store's relations have."""
        return cls(store)

    def retyped(self, text: str) -> str:
        """An S-expression with its literals in the types of their relations; what cannot be read stays as it is."""
        if not any(map(is_literal_word, text.replace("(", " ").replace(")", " ").split())):
            return text
        try:
            tree = parse_sexpression(text)
        except RecombineError:
            return text
        made = tree.mapped(self._node)
        return text if made is tree else render_sexpression(made)

    def _node(self, node: Tree) -> Tree:
        if not node.children or (node.label != "JOIN" and node.label not in COMPARING):
            return node
        pairs, value = node.children
        if value.children or not is_literal_word(value.label):
            return node
        relation = _last_relation(pairs)
        word = value.label if relation is None else self._word(relation, value.label, node.label != "JOIN")
        return node if word == value.label else Tree(node.label, (pairs, Tree(word)))

    def _retyped_word(self, relation: str, word: str, compared: bool) -> str:
        try:
            kinds = self._types.of(read_word(relation, self._profile))
            literal = read_word(word, self._profile)
        except RecombineError:
            return word
        made = in_types(literal, [kind for kind in kinds if has_order(kind)] if compared else kinds)
        return word if made == literal else write_word(made, self._profile)


def _last_relation(pairs: Tree) -> str | None:
    """The relation whose values stand at the end of a path; none where the path ends against a relation."""
    name, inverse = _end(pairs, first=False)
    return None if inverse else name


def _end(pairs: Tree, *, first: bool) -> tuple[str | None, bool]:
    """The first or the last relation of a path, and whether the path goes against it."""
    if not pairs.children:
        return pairs.label, False
    if pairs.label == "R":
        name, inverse = _end(pairs.children[0], first=not first)
        return name, not inverse
    if pairs.label == "JOIN":
        return _end(pairs.children[0 if first else 1], first=first)
    return None, False


def in_types(literal: Term, kinds: Sequence[ValueType]) -> Term:
    """A literal in the first of some types that it can be written in, else in one that compares with them.

    >>> year = Term.literal("1999", datatype=XSD + "integer")
    >>> in_types(year, [ValueType(XSD + "date"), ValueType(XSD + "gYear")]).datatype[-5:]
    'gYear'
    """
    text = literal.text
    for kind in kinds:
        if is_written_so(text, kind):
            return Term.literal(text, datatype=kind.datatype, language=kind.language)
    for kind in kinds:
        made = converted(text, kind)
        if made is not None:
            return Term.literal(made, datatype=kind.datatype, language=kind.language)
    families = {kind_family(kind) for kind in kinds} - {NONE}
    if family_of(text, ValueType.of(literal)) in families:
        return literal
    comparing = (kind for kind in _USUAL if family_of(text, kind) in families)
    return next((Term.literal(text, datatype=kind.datatype, language=kind.language) for kind in comparing), literal)
