"""Facts made up by chance with classes and values of many types, and logical forms that mostly have answers there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recombine.kb.forms.form import GraphEdge, GraphNode, GraphQuery
from recombine.kb.profiles.profile import Profile
from recombine.kb.term import LITERAL, Term
from recombine.tree import Tree

XSD = "http://www.w3.org/2001/XMLSchema#"
TYPES = ("type.object.type", "rdf:type")
PREFIXES = {"ns": "http://example.org/", "xsd": XSD, "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#"}
PROFILE = Profile("made-up", "http://example.org/", PREFIXES, entity=r"m\.[0-9]+", type=TYPES)
CLASSES = tuple(f"c.{letter}" for letter in "abcd")
RELATIONS = tuple(f"c.{letter}.r{number}" for letter in "ab" for number in range(3))
NUMBERS, DATES, MIXED = "c.a.size", "c.b.born", "c.a.said"
VALUED = (NUMBERS, DATES, MIXED)
Fact = tuple[Term, Term, Term]


def value(text: str, kind: str) -> Term:
    """A literal of one of XML Schema's types."""
    return Term.literal(text, datatype=XSD + kind)


NUMBER_VALUES = (
    *(value(str(number), "integer") for number in (-3, 0, 5, 7, 12, 39)),
    *(value(text, "float") for text in ("5.0", "2.5", "1.2E2", "-0.5")),
    *(value(text, "double") for text in ("5.0E0", "7.25", "1.0E3")),
    *(value(text, "decimal") for text in ("5.0", "6.5", "12.75")),
    *(value(text, "int") for text in ("5", "40")),
)
DATE_VALUES = (
    *(value(text, "date") for text in ("1999-12-31", "2000-01-01", "2009-03-29", "2011-02-14")),
    *(value(text, "date") for text in ("2009-03-29-08:00", "2000-01-01+02:00", "2009-03-29Z")),
    *(value(text, "dateTime") for text in ("2009-03-29T00:00:00", "2009-03-29T08:00:00Z", "2009-03-28T23:30:00-08:00")),
    *(value(text, "gYear") for text in ("1999", "2000", "2009", "2012")),
    *(value(text, "gYearMonth") for text in ("2009-03", "1999-12")),
)
OTHER_VALUES = (
    Term.literal("Rom", language="de"),
    Term.literal("plain"),
    Term.literal("some text"),
    value("NaN", "double"),
    value("true", "boolean"),
    value("false", "boolean"),
)
# Virtuoso keeps of 0 and false, said of one thing, the first alone.
MIXED_VALUES = (*(each for each in NUMBER_VALUES if each.text != "0"), *DATE_VALUES[:6], *OTHER_VALUES)
_VALUES = {NUMBERS: NUMBER_VALUES, DATES: DATE_VALUES, MIXED: MIXED_VALUES}
COMPARED = ("lt", "LE", "gt", "GE", "LT", "le", "GT", "ge")


def valued_facts(seed: int, *, facts: int = 400, nodes: int = 60) -> list[Fact]:
    """So many facts, sorted, each once: a third say classes, a third lead to nodes, a third to values."""
    chance = np.random.default_rng(seed)
    names = [Term.name(f"m.{number}") for number in range(nodes)]
    types = [PROFILE.term(text) for text in TYPES]
    made: set[Fact] = set()
    while len(made) < facts:
        kind, subject = int(chance.integers(3)), names[int(chance.integers(nodes))]
        if kind == 0:
            made.add((subject, types[int(chance.random() < 0.2)], Term.name(_pick(chance, CLASSES))))
        elif kind == 1:
            made.add((subject, Term.name(_pick(chance, RELATIONS)), names[int(chance.integers(nodes))]))
        else:
            relation = _pick(chance, VALUED)
            values = _VALUES[relation]
            made.add((subject, Term.name(relation), values[int(chance.integers(len(values)))]))
    return sorted(made, key=lambda fact: [term.key for term in fact])


class FormMaker:
    """Forms by chance over some facts: entities are picked where they lead somewhere, so that many have answers."""

    def __init__(self, facts: Sequence[Fact], seed: int) -> None:
        self.chance = np.random.default_rng(seed)
        relations: dict[str, list[tuple[Term, Term]]] = {name: [] for name in (*RELATIONS, *VALUED)}
        for subject, relation, target in facts:
            if relation.text in relations:
                relations[relation.text].append((subject, target))
        self._pairs = {name: pairs for name, pairs in relations.items() if pairs}

    def sexpression(self) -> Tree:
        """An S-expression: a set, or its count, or a superlative."""
        turn = self.chance.random()
        if turn < 0.15:
            return Tree("COUNT", (self._set(2),))
        if turn < 0.4:
            word = _pick(self.chance, ("ARGMAX", "ARGMIN"))
            return Tree(word, (self._set(2), self._valued_binary()))
        return self._set(3)

    def _set(self, depth: int) -> Tree:
        turn = self.chance.random()
        if depth == 0 or turn < 0.15:
            return Tree(_pick(self.chance, CLASSES))
        if turn < 0.4:
            return Tree("AND", (self._set(depth - 1), self._set(depth - 1)))
        if turn < 0.6:
            word = _pick(self.chance, COMPARED)
            name = _pick(self.chance, VALUED)
            return Tree(word, (self._before(Tree(name)), Tree(written(self._bound(name)))))
        if turn < 0.7:
            name = _pick(self.chance, VALUED)
            return Tree("JOIN", (self._before(Tree(name)), Tree(written(self._some_value(name)))))
        if turn < 0.85:
            return self._entity_join()
        return Tree("JOIN", (self._binary(1), self._set(depth - 1)))

    def _entity_join(self) -> Tree:
        name = _pick(self.chance, [name for name in RELATIONS if name in self._pairs])
        one, other = self._pairs[name][int(self.chance.integers(len(self._pairs[name])))]
        if self.chance.random() < 0.5:
            return Tree("JOIN", (Tree(name), Tree(other.text)))
        return Tree("JOIN", (Tree("R", (Tree(name),)), Tree(one.text)))

    def _binary(self, depth: int) -> Tree:
        turn = self.chance.random()
        if depth and turn < 0.25:
            return Tree("JOIN", (self._binary(depth - 1), self._binary(depth - 1)))
        if depth and turn < 0.35:
            return Tree("R", (self._binary(depth - 1),))
        name = Tree(_pick(self.chance, RELATIONS))
        return Tree("R", (name,)) if turn > 0.7 else name

    def _valued_binary(self) -> Tree:
        return self._before(Tree(_pick(self.chance, VALUED)))

    def _before(self, binary: Tree) -> Tree:
        """The binary, or one that leads to it over another."""
        return Tree("JOIN", (self._binary(1), binary)) if self.chance.random() < 0.25 else binary

    def _some_value(self, name: str) -> Term:
        values = _VALUES[name]
        return values[int(self.chance.integers(len(values)))]

    def _bound(self, name: str) -> Term:
        while (found := self._some_value(name)).language or found.text == "NaN":
            pass
        return found

    def graph(self) -> GraphQuery:
        """A graph query without circles: the node asked for first, leaves grounded, at most one function."""
        size = int(self.chance.integers(1, 4))
        nodes = [self._class_node() for _ in range(size)]
        edges = [self._edge(int(self.chance.integers(place)), place) for place in range(1, size)]
        inner = {edge.start for edge in edges}
        for place in range(size):
            if place not in inner or self.chance.random() < 0.3:
                self._ground(nodes, edges, place)
        if self.chance.random() < 0.25:
            place = int(self.chance.integers(size))
            edges.append(GraphEdge(place, len(nodes), Term.name(_pick(self.chance, VALUED))))
            nodes.append(GraphNode("literal", None, function=_pick(self.chance, ("argmax", "argmin"))))
        elif self.chance.random() < 0.2:
            first = nodes[0]
            nodes[0] = GraphNode(first.kind, first.value, function="count")
        return GraphQuery(tuple(nodes), tuple(edges))

    def _class_node(self) -> GraphNode:
        return GraphNode("class", Term.name(_pick(self.chance, CLASSES)) if self.chance.random() < 0.7 else None)

    def _edge(self, one: int, other: int) -> GraphEdge:
        relation = Term.name(_pick(self.chance, RELATIONS))
        return GraphEdge(one, other, relation) if self.chance.random() < 0.5 else GraphEdge(other, one, relation)

    def _ground(self, nodes: list[GraphNode], edges: list[GraphEdge], place: int) -> None:
        name = _pick(self.chance, sorted(self._pairs))
        one, other = self._pairs[name][int(self.chance.integers(len(self._pairs[name])))]
        relation, new = Term.name(name), len(nodes)
        if other.kind != LITERAL:
            if self.chance.random() < 0.5:
                edges.append(GraphEdge(place, new, relation))
                nodes.append(GraphNode("entity", other))
            else:
                edges.append(GraphEdge(new, place, relation))
                nodes.append(GraphNode("entity", one))
            return
        edges.append(GraphEdge(place, new, relation))
        function = _pick(self.chance, ("none", "<", "<=", ">", ">="))
        nodes.append(GraphNode("literal", other if function == "none" else self._bound(name), function=function))


def written(term: Term) -> str:
    """A literal as an S-expression writes it."""
    if term.language:
        return f'"{term.text}"@{term.language}'
    return f"{term.text}^^{term.datatype}" if term.datatype else f'"{term.text}"'


def _pick(chance: np.random.Generator, texts: Sequence[str]) -> str:
    return texts[int(chance.integers(len(texts)))]
