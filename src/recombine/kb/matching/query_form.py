"""The canonical form of a SPARQL query that no S-expression can say: its tree, whatever its variables are called.

Order does not count where it says nothing: among the triples, filters, unions and sub-selects of a group (between its
OPTIONAL, BIND and MINUS, which take what is before them), in `&&`, `||`, `=`, `+` and the like, and among the rows of
VALUES; `a > b` is `b < a`. Answers are sets, so that DISTINCT and ORDER BY count only where a query is cut by LIMIT or
OFFSET, or is inside another. A relation and its reverse are one, as are the spellings of a literal. The text is the
certificate of the tree (see `certificate`), with entities and literals as in other canonical forms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.forms.queries.sparql_leaves import term_of_leaf
from recombine.kb.matching.certificate import certificate
from recombine.kb.matching.words import constant_text, name_text
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from recombine.kb.matching.schema_tables import SchemaTables
    from recombine.kb.profiles.profile import Profile

QUERY = "QUERY"
"""The label of the root."""
_SELECTS = ("select", "select_distinct", "select_reduced")
_GROUPS = ("where", "group", "optional", "minus", "exists", "not_exists")
_IN_ORDER = ("optional", "minus", "bind", "service", "service_silent")
_UNORDERED = ("||", "&&", "=", "!=", "+", "*", "union")
_NESTED = ("||", "&&", "+", "*")
_MIRRORED = {">": "<", ">=": "<="}


class QueryForms:
    """Canonical forms of SPARQL queries as they are written."""

    def __init__(self, tables: SchemaTables, profile: Profile) -> None:
        self._tables, self._profile = tables, profile

    def text(self, query: Tree) -> str:
        """The canonical form of a query; one that is too large to tell from others is a `FormError`."""
        return certificate(Tree(QUERY, (self._select(query, outermost=True),)))

    def _select(self, query: Tree, *, outermost: bool = False) -> Tree:
        parts = list(query.children)
        label = query.label
        if outermost and label in _SELECTS and not any(part.label in ("limit", "offset") for part in parts):
            label = "select"
            parts = [part for part in parts if part.label != "order_by"]
        return Tree(label, tuple(self._part(part) for part in parts))

    def _part(self, tree: Tree) -> Tree:
        """A part of a query in one form, whatever it is."""
        label, children = tree.label, tree.children
        if not children:
            return self._leaf(tree)
        if label in _SELECTS:
            return self._select(tree)
        if label in _GROUPS:
            return Tree(label, self._elements(children))
        if label in ("graph", "service", "service_silent"):
            return Tree(label, (self._named(children[0]), *self._elements(children[1:])))
        if label == "call":
            return Tree(label, (self._named(children[0]), *map(self._part, children[1:])))
        if label == "triple":
            return self._triple(*children)
        if label == "values":
            return Tree("values", (self._part(children[0]), Tree("~rows", tuple(map(self._part, children[1:])))))
        return self._expression(label, [self._part(child) for child in children])

    def _expression(self, label: str, parts: list[Tree]) -> Tree:
        if label in _MIRRORED:
            return Tree(_MIRRORED[label], tuple(reversed(parts)))
        if label in _NESTED and len(parts) > 1:
            parts = list(_flattened(f"~{label}", parts))
        if label in ("in", "not_in"):
            return Tree(label, (parts[0], Tree("~any", tuple(parts[1:]))))
        return Tree(f"~{label}" if label in _UNORDERED and len(parts) > 1 else label, tuple(parts))

    def _elements(self, elements: Sequence[Tree]) -> tuple[Tree, ...]:
        """The elements of a group: its filters, and what has no order between what has one."""
        filters = [self._part(element) for element in elements if element.label == "filter"]
        runs: list[Tree] = [Tree("~filters", tuple(filters))] if filters else []
        run: list[Tree] = []
        for element in _ungrouped(elements):
            if element.label in _IN_ORDER:
                runs += [Tree("~all", tuple(run))] if run else []
                runs.append(self._part(element))
                run = []
            elif element.label != "filter":
                run.append(self._part(element))
        return (*runs, Tree("~all", tuple(run))) if run else tuple(runs)

    def _triple(self, subject: Tree, path: Tree, target: Tree) -> Tree:
        ends = self._leaf(subject), self._leaf(target)
        while path.label == "^" and path.children:
            path, ends = path.children[0], (ends[1], ends[0])
        if path.children or path.label.startswith("?"):
            return Tree("triple", (ends[0], self._path(path), ends[1]))
        relation = self._name(path)
        step, back = (self._tables.step(relation, inverse=inverse).text for inverse in (False, True))
        if step in self._tables.type_steps and not target.label.startswith(("?", "_:")):
            ends = ends[0], self._class(target)
        if step == back:
            return Tree("triple", (Tree("~ends", ends), Tree(step)))
        if step.startswith("("):
            step, ends = back, (ends[1], ends[0])
        return Tree("triple", (ends[0], Tree(step), ends[1]))

    def _path(self, path: Tree) -> Tree:
        if path.children:
            label = "~|" if path.label == "|" else path.label
            return Tree(label, tuple(self._path(child) for child in path.children))
        return self._named(path)

    def _named(self, leaf: Tree) -> Tree:
        """A leaf that is a variable or names no entity: a relation, a function, a graph."""
        return self._leaf(leaf) if leaf.label.startswith(("?", "_:")) else Tree(self._name(leaf))

    def _class(self, leaf: Tree) -> Tree:
        name = self._name(leaf)
        return Tree(self._tables.one_class.get(name, name))

    def _name(self, leaf: Tree) -> str:
        term = term_of_leaf(leaf, self._profile)
        return leaf.label if term is None else name_text(term)

    def _leaf(self, leaf: Tree) -> Tree:
        """A leaf: a variable, an entity or literal, or a word of SPARQL."""
        if leaf.label.startswith("_:"):
            return Tree(f"?{leaf.label}")
        term = term_of_leaf(leaf, self._profile)
        return leaf if term is None else Tree(constant_text(term))


def _flattened(label: str, parts: Iterable[Tree]) -> Iterable[Tree]:
    """The parts, with those of a part of the same kind in its place."""
    for part in parts:
        if part.label == label:
            yield from part.children
        else:
            yield part


def _ungrouped(elements: Iterable[Tree]) -> Iterable[Tree]:
    """The elements, with those of a group that holds triples alone in its place."""
    for element in elements:
        if element.label == "group" and all(part.label == "triple" for part in element.children):
            yield from element.children
        else:
            yield element
