"""The schema items of a SPARQL query: its relations, classes and functions, as written.

- A relation is an IRI in the place of a predicate, alone or in a path; one that a VALUES, `=` or IN gives to a variable
  in that place is one too.
- A class is what a predicate of types or sub-classes leads to. The predicate itself is then syntax; where it leads to a
  variable, it is a relation.
- `COUNT` is the aggregate, `LT` to `GE` are comparisons, read from the variable (`5 < ?x` is `GT`), `ARGMAX` and
  `ARGMIN` are `MAX` and `MIN`, or ORDER BY with LIMIT.

With `constructs`, everything else that the language has words or signs for is an item too: ASK, UNION, FILTER, a path's
`/`, the functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.measures.levels.items import Items

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.kb.profiles.profile import Profile
    from recombine.tree import Tree

RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
SUBCLASS = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
_COMPARISONS = {"<": "LT", "<=": "LE", ">": "GT", ">=": "GE"}
_FLIPPED = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE"}
_SUPERLATIVES = {"MAX": "ARGMAX", "MIN": "ARGMIN"}
_ORDERS = {"desc": "ARGMAX", "asc": "ARGMIN"}
_SELECTS = ("select", "select_distinct", "select_reduced")
_PLAIN = frozenset({"project", "where", "triple", "group", "variables", "row", "as", "asc", "desc", "separator"})
"""Nodes of the tree that are no construct of the language by themselves."""


def sparql_items(tree: Tree, profile: Profile, *, constructs: bool = False) -> Items:
    """The schema items of a query that the language `sparql11` has read.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> from recombine.tree import Tree
    >>> triple = Tree("triple", (Tree("?x"), Tree(RDF_TYPE), Tree("<http://dbpedia.org/ontology/City>")))
    >>> query = Tree("ask", (Tree("where", (triple,)),))
    >>> sparql_items(query, find_profile("dbpedia"), constructs=True)
    Items(names=frozenset({'dbo:City'}), functions=frozenset({'ASK'}))
    """
    items = _Gathered(profile)
    items.read(tree)
    names = {profile.show(profile.shorten(iri[1:-1])) for iri in items.iris}
    return Items(frozenset(names), frozenset({*items.functions, *(_constructs(tree) if constructs else ())}))


class _Gathered:
    """What is gathered of one query."""

    def __init__(self, profile: Profile) -> None:
        types = (*profile.predicates("type"), *profile.predicates("subclass"))
        self._types = {RDF_TYPE, SUBCLASS, *(f"<{profile.expand(term)}>" for term in types)}
        self.iris: set[str] = set()
        self.functions: set[str] = set()
        self._schema_variables: set[str] = set()
        self._values: list[tuple[str, str]] = []
        """Variables and the IRIs that they are given."""

    def read(self, tree: Tree) -> None:
        """Gather what a query has."""
        for node in tree.iter_nodes():
            if node.label == "triple" and len(node.children) == 3:
                self._triple(*node.children)
            elif node.label == "values" and node.children:
                self._given(node)
            elif node.label in ("=", "in") and node.children:
                self._equal(node)
            elif node.label in _COMPARISONS and len(node.children) == 2:
                self._comparison(node)
            elif node.label in _SELECTS:
                self._order(node)
            elif node.children and node.label == "COUNT":
                self.functions.add("COUNT")
            elif node.children and node.label in _SUPERLATIVES:
                self.functions.add(_SUPERLATIVES[node.label])
        self.iris |= {iri for variable, iri in self._values if variable in self._schema_variables}

    def _triple(self, _: Tree, path: Tree, target: Tree) -> None:
        is_class = _is_iri(target.label) or target.label.startswith("?")
        types = {leaf for leaf in _last_steps(path) if leaf in self._types} if is_class else set()
        if types and _is_iri(target.label):
            self.iris.add(target.label)
        for leaf in _leaves(path):
            if leaf.startswith("?"):
                self._schema_variables.add(leaf)
            elif _is_iri(leaf) and not (types and _is_iri(target.label) and leaf in self._types):
                self.iris.add(leaf)
        if types and target.label.startswith("?"):
            self._schema_variables.add(target.label)

    def _given(self, node: Tree) -> None:
        variables, *rows = node.children
        for row in rows:
            self._values += [
                (variable.label, value.label)
                for variable, value in zip(variables.children, row.children, strict=False)
                if _is_iri(value.label)
            ]

    def _equal(self, node: Tree) -> None:
        sides = [child.label for child in node.children if not child.children]
        variables = [label for label in sides if label.startswith("?")]
        self._values += [(variable, label) for variable in variables for label in sides if _is_iri(label)]

    def _comparison(self, node: Tree) -> None:
        left, right = node.children
        name = _COMPARISONS[node.label]
        self.functions.add(name if _varies(left) or not _varies(right) else _FLIPPED[name])

    def _order(self, node: Tree) -> None:
        parts = {child.label: child for child in node.children}
        if "order_by" in parts and "limit" in parts:
            self.functions.add(_ORDERS.get(parts["order_by"].children[0].label, "ARGMIN"))


def _constructs(tree: Tree) -> Iterator[str]:
    """The words and signs of the language that a query uses."""
    yield tree.label.replace("_", " ").upper()
    waiting = list(tree.children)
    while waiting:
        node = waiting.pop()
        if node.label == "triple" and len(node.children) == 3:
            yield from (f"path {inner.label}" for inner in node.children[1].iter_nodes() if inner.children)
            continue
        if node.label in _SELECTS and node.children:
            yield "sub-SELECT"
        elif node.children and node.label not in _PLAIN and node.label not in _COMPARISONS:
            yield node.label.replace("_", " ").upper()
        waiting += node.children


def _leaves(path: Tree) -> Iterator[str]:
    return (node.label for node in path.iter_nodes() if not node.children)


def _last_steps(path: Tree) -> list[str]:
    """The predicates by which a path may end, gone along and not against."""
    if not path.children:
        return [path.label]
    if path.label == "/":
        last = path.children[-1]
        steps = _last_steps(last)
        # `P31/P279*` may end before its last step.
        return [*steps, *_last_steps(path.children[-2])] if last.label in ("*", "?") and last.children else steps
    return [] if path.label in ("^", "!") else [step for child in path.children for step in _last_steps(child)]


def _varies(tree: Tree) -> bool:
    return any(node.label.startswith("?") for node in tree.iter_nodes() if not node.children)


def _is_iri(label: str) -> bool:
    return label.startswith("<") and label.endswith(">")
