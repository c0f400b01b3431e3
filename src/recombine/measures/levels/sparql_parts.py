"""What stands where in a SPARQL query: relations, classes, entities, literals and functions.

- A relation is an IRI in the place of a predicate, alone or in a path; one that a VALUES, `=` or IN gives to a variable
  in that place is one too.
- A class is what a predicate of types or sub-classes leads to. The predicate itself is then syntax; where it leads to a
  variable, it is a relation.
- An entity is any other IRI at an end of a triple, in VALUES or in a comparison; a literal is a value there. What LANG
  and DATATYPE are compared with is neither, nor is anything that a server is asked.
- `COUNT` is the aggregate, `LT` to `GE` are comparisons, read from the variable (`5 < ?x` is `GT`), `ARGMAX` and
  `ARGMIN` are `MAX` and `MIN`, or ORDER BY with LIMIT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.kb.profiles.profile import Profile
    from recombine.tree import Tree

RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
SUBCLASS = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
COMPARISONS = {"<": "LT", "<=": "LE", ">": "GT", ">=": "GE"}
SELECTS = ("select", "select_distinct", "select_reduced")
_FLIPPED = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE"}
_SUPERLATIVES = {"MAX": "ARGMAX", "MIN": "ARGMIN"}
_ORDERS = {"desc": "ARGMAX", "asc": "ARGMIN"}
_EQUAL = ("=", "!=", "in", "not_in")
_OF_LITERALS = ("LANG", "LANGMATCHES", "DATATYPE")
_SERVERS = ("service", "service_silent")


class SparqlParts(NamedTuple):
    """What a query has; IRIs and literals are as the tree writes them."""

    relations: frozenset[str]
    classes: frozenset[str]
    entities: frozenset[str]
    literals: frozenset[str]
    functions: frozenset[str]


def sparql_parts(tree: Tree, profile: Profile) -> SparqlParts:
    """What a query has that the language `sparql11` has read; `profile` says which predicates say types.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> from recombine.tree import Tree
    >>> triple = Tree("triple", (Tree("?x"), Tree(RDF_TYPE), Tree("<http://dbpedia.org/ontology/City>")))
    >>> sparql_parts(Tree("ask", (Tree("where", (triple,)),)), find_profile("dbpedia")).classes
    frozenset({'<http://dbpedia.org/ontology/City>'})
    """
    gathered = _Gathered(profile)
    for node in _iter_nodes(tree):
        gathered.add(node)
    return gathered.parts()


def _iter_nodes(tree: Tree) -> Iterator[Tree]:
    """All nodes but those that a server is asked."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if node.label not in _SERVERS or not node.children:
            waiting.extend(reversed(node.children))


class _Gathered:
    """What is gathered of one query."""

    def __init__(self, profile: Profile) -> None:
        types = (*profile.predicates("type"), *profile.predicates("subclass"))
        self._types = {RDF_TYPE, SUBCLASS, *(f"<{profile.expand(term)}>" for term in types)}
        self._relations: set[str] = set()
        self._classes: set[str] = set()
        self._others: set[str] = set()
        self._functions: set[str] = set()
        self._relation_variables: set[str] = set()
        self._class_variables: set[str] = set()
        self._given: list[tuple[str, str]] = []
        """Variables and the terms that they are given."""

    def add(self, node: Tree) -> None:
        """Gather what a node says."""
        label, children = node.label, node.children
        if not children:
            return
        if label == "triple":
            self._triple(*children)
        elif label == "values":
            self._values(node)
        elif label in _EQUAL:
            self._equal(node)
        elif label in COMPARISONS and len(children) == 2:
            self._comparison(node)
        elif label in SELECTS:
            self._order(node)
        elif label == "COUNT":
            self._functions.add("COUNT")
        elif label in _SUPERLATIVES:
            self._functions.add(_SUPERLATIVES[label])

    def parts(self) -> SparqlParts:
        """What was gathered; what a variable is given is of the kind that its place has."""
        for variable, term in self._given:
            if variable in self._relation_variables:
                self._relations.add(term)
            elif variable in self._class_variables:
                self._classes.add(term)
            else:
                self._others.add(term)
        return SparqlParts(
            frozenset(filter(is_iri, self._relations)),
            frozenset(filter(is_iri, self._classes)),
            frozenset(filter(is_iri, self._others)),
            frozenset(filter(_is_literal, self._others)),
            frozenset(self._functions),
        )

    def _triple(self, subject: Tree, path: Tree, target: Tree) -> None:
        says_class = any(leaf in self._types for leaf in _last_steps(path))
        self._others.add(subject.label)
        if says_class and is_iri(target.label):
            self._classes.add(target.label)
        elif says_class and target.label.startswith("?"):
            self._class_variables.add(target.label)
        else:
            self._others.add(target.label)
        for node in path.iter_nodes():
            if not node.children and node.label.startswith("?"):
                self._relation_variables.add(node.label)
            elif not node.children and not (says_class and is_iri(target.label) and node.label in self._types):
                self._relations.add(node.label)

    def _values(self, node: Tree) -> None:
        variables, *rows = node.children
        for row in rows:
            pairs = zip(variables.children, row.children, strict=False)
            self._given += [(variable.label, value.label) for variable, value in pairs]

    def _equal(self, node: Tree) -> None:
        if any(child.label in _OF_LITERALS for child in node.children):
            return
        leaves = [child.label for child in node.children if not child.children]
        variables = [label for label in leaves if label.startswith("?")] or [""]
        self._given += [(variable, label) for variable in variables for label in leaves]

    def _comparison(self, node: Tree) -> None:
        left, right = node.children
        name = COMPARISONS[node.label]
        self._functions.add(name if _varies(left) or not _varies(right) else _FLIPPED[name])
        self._others |= {child.label for child in node.children if not child.children}

    def _order(self, node: Tree) -> None:
        parts = {child.label: child for child in node.children}
        if "order_by" in parts and "limit" in parts:
            self._functions.add(_ORDERS.get(parts["order_by"].children[0].label, "ARGMIN"))


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


def is_iri(label: str) -> bool:
    """Whether a leaf is an IRI."""
    return label.startswith("<") and label.endswith(">")


def _is_literal(label: str) -> bool:
    return label[:1] in '"+-.0123456789' or label in ("true", "false")
