"""What a language does, by a notation: text to tree and back, the one form, templates, and kinds in place of values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.languages.notation.normal_form import normal_form
from recombine.languages.notation.reader import Reader
from recombine.languages.notation.writer import write_program
from recombine.tree import Tree

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from recombine.languages.notation.notation import Notation

STRING = "string"


@dataclass(frozen=True)
class NotationForms:
    """The functions of a language, which share its notation."""

    notation: Notation

    @property
    def has_literals(self) -> bool:
        """Whether it can tell a value from a name."""
        return bool(self.notation.literals or self.notation.strings)

    def parse(self, text: str) -> Tree:
        """The tree of a program."""
        return Reader(self.notation, text).read()

    def render(self, tree: Tree) -> str:
        """The text of a tree."""
        return write_program(self.notation, tree)

    def normalise(self, tree: Tree) -> Tree:
        """The one tree of programs that are equal for trivial reasons."""
        return normal_form(self.notation, tree)

    def anonymise(self, tree: Tree) -> Tree:
        """The template: the kind of each value and name in its place, in capitals."""
        return tree.mapped(lambda node: _with_kind(node, self._literal(node) or self._name(node), "{}", upper=True))

    def type_literals(self, tree: Tree) -> Tree:
        """The tree with the kinds of its values."""
        return tree.mapped(lambda node: _with_kind(node, self._literal(node), "<{}>"))

    def type_names(self, tree: Tree) -> Tree:
        """The tree with the kinds of the names that the data brings."""
        return tree.mapped(lambda node: _with_kind(node, self._name(node), "<{}>"))

    def _literal(self, node: Tree) -> str | None:
        if node.children:
            return None
        if any(pattern.fullmatch(node.label) for pattern in self.notation.strings):
            return STRING
        return _kind(node.label, self.notation.literals)

    def _name(self, node: Tree) -> str | None:
        return None if node.children else _kind(node.label, self.notation.names)


def _kind(label: str, kinds: Mapping[str, re.Pattern[str]]) -> str | None:
    return next((kind for kind, pattern in kinds.items() if pattern.fullmatch(label)), None)


def _with_kind(node: Tree, kind: str | None, form: str, *, upper: bool = False) -> Tree:
    return node if kind is None else Tree(form.format(kind.upper() if upper else kind))
