"""Random well-typed S-expressions over a small ontology in Freebase's manner, and random facts that fit it.

`random_forms(seed, number)` gives trees of the language `sexpression`: a set of things of a class, with relations to
entities, to values, and to other sets, up to three relations deep, gone along or against, branches joined by AND (the
class first, in the middle, twice or not at all), some over joined pairs `(JOIN a b)` and doubly reversed ones. Every
relation fits the class of what it leads from, or of one above.

- By default about half have one function around them or at a value: COUNT, ARGMAX, ARGMIN (over a relation or joined
  pairs) or a comparison, written LT or lt: all that a graph query can say, and that has an S-expression.
- With `functions=0.0` none has.
- With `nested=True` functions stand anywhere: in an AND, at the end of a JOIN, in each other, several comparisons;
  entities stand in an AND. Most of these are no graph query.

`random_world(seed)` gives facts as keys of terms, types included, such that most forms have answers. `ontology()` gives
classes, sub-classes, domains, ranges, and reverse pairs (one of them given one way alone).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from recombine.kb.ontology.ontology import Ontology, Role, ontology_of
from recombine.kb.term import Term
from recombine.tree import Tree

XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = "type.object.type"
SUPERCLASSES = {
    "film.film": ("media.work",),
    "film.short_film": ("film.film",),
    "book.book": ("media.work",),
    "film.director": ("people.person",),
    "book.author": ("people.person",),
}
CLASSES = (*SUPERCLASSES, "media.work", "people.person", "place.city", "place.country")
RELATIONS = {
    "film.film.directed_by": ("film.film", "film.director"),
    "film.director.films": ("film.director", "film.film"),
    "film.film.based_on": ("film.film", "book.book"),
    "book.book.adaptations": ("book.book", "film.film"),
    "book.book.written_by": ("book.book", "book.author"),
    "media.work.set_in": ("media.work", "place.city"),
    "people.person.born_in": ("people.person", "place.city"),
    "people.person.spouse": ("people.person", "people.person"),
    "place.city.country": ("place.city", "place.country"),
    "place.country.capital": ("place.country", "place.city"),
}
REVERSES = {
    "film.film.directed_by": "film.director.films",
    "film.director.films": "film.film.directed_by",
    "film.film.based_on": "book.book.adaptations",
}
VALUES = {
    "film.film.minutes": ("film.film", "integer"),
    "film.film.budget": ("film.film", "float"),
    "book.book.published": ("book.book", "date"),
    "people.person.born_on": ("people.person", "date"),
    "place.city.people": ("place.city", "integer"),
}
PER_CLASS = 8


class World(NamedTuple):
    """Facts as keys of terms: subject, relation, target, sorted."""

    facts: list[tuple[str, str, str]]


def ontology() -> Ontology:
    """The small ontology."""
    name = Term.name
    roles = {name(text): Role((name(start),), (name(end),)) for text, (start, end) in RELATIONS.items()}
    roles |= {name(text): Role((name(start),), (Term.iri(XSD + end),)) for text, (start, end) in VALUES.items()}
    above = [(name(text), name(other)) for text, others in SUPERCLASSES.items() for other in others]
    return ontology_of(above, roles, {name(text): name(other) for text, other in REVERSES.items()})


def ancestors(class_: str) -> tuple[str, ...]:
    """A class and all above it."""
    return (class_, *(above for other in SUPERCLASSES.get(class_, ()) for above in ancestors(other)))


def entity(class_: str, number: int) -> str:
    """The name of an entity of a class."""
    return f"m.0{CLASSES.index(class_)}{number}"


def random_literal(datatype: str, chance: np.random.Generator) -> str:
    """A literal of a type, one of few, as S-expressions write it."""
    number = int(chance.integers(6))
    text = {"integer": f"{60 + number * 20}", "float": f"{number}.5", "date": f"19{60 + number}-07-0{1 + number}"}
    return f"{text[datatype]}^^{XSD}{datatype}"


def random_world(seed: int, *, facts_each: int = 30) -> World:
    """Facts of every relation between entities of the classes that it joins, and the types of all entities."""
    chance = np.random.default_rng(seed)
    made: set[tuple[str, str, str]] = set()
    for class_ in CLASSES:
        for number in range(PER_CLASS):
            for above in ancestors(class_):
                made.add((f"={entity(class_, number)}", f"={TYPE}", f"={above}"))
    below = {name: [each for each in CLASSES if name in ancestors(each)] for name in CLASSES}
    for relation, (start, end) in [*RELATIONS.items(), *VALUES.items()]:
        for _ in range(facts_each):
            subject = entity(_pick(below[start], chance), int(chance.integers(PER_CLASS)))
            if relation in RELATIONS:
                target = f"={entity(_pick(below[end], chance), int(chance.integers(PER_CLASS)))}"
            else:
                text, _, datatype = random_literal(end, chance).partition("^^")
                target = f'"{text}\0{datatype}'
            made.add((f"={subject}", f"={relation}", target))
    return World(sorted(made))


def random_forms(seed: int, number: int, *, functions: float = 0.5, nested: bool = False) -> list[Tree]:
    """So many S-expressions, the same ones for the same seed."""
    chance = np.random.default_rng(seed)
    return [_Maker(chance, nested=nested).form(functions) for _ in range(number)]


class _Maker:
    def __init__(self, chance: np.random.Generator, *, nested: bool) -> None:
        self._chance = chance
        self._nested = nested
        self._comparison = False
        """Whether a comparison may still be written."""

    def form(self, functions: float) -> Tree:
        class_ = _pick(CLASSES, self._chance)
        if self._chance.random() >= functions:
            return self._set(class_, 3)
        kind = _pick(("COUNT", "ARGMAX", "ARGMIN", "compare"), self._chance)
        if kind == "COUNT":
            return Tree("COUNT", (self._set(class_, 3),))
        if kind == "compare":
            self._comparison = True
            return self._set(class_, 3)
        pairs = self._value_pairs(class_)
        return self._set(class_, 3) if pairs is None else Tree(kind, (self._set(class_, 2), pairs))

    def _set(self, class_: str, depth: int) -> Tree:
        """A set of things of a class."""
        if self._nested and depth < 3 and self._chance.random() < 0.15:
            return self._function(class_, depth)
        parts = [self._clause(class_, depth) for _ in range(int(self._chance.integers(1, 3)))]
        if self._nested and self._chance.random() < 0.05:
            parts.append(Tree(entity(class_, int(self._chance.integers(PER_CLASS)))))
        roll = self._chance.random()
        if roll < 0.6:
            parts.insert(0, Tree(class_))
        elif roll < 0.7:
            parts.append(Tree(_pick(ancestors(class_), self._chance)))
        elif roll < 0.8:
            parts = [Tree(class_), *parts, Tree(_pick(ancestors(class_), self._chance))]
        elif roll < 0.85 and depth == 3:
            parts = [Tree(class_)]
        return self._all_of(parts)

    def _all_of(self, parts: list[Tree]) -> Tree:
        tree = parts[-1]
        for part in reversed(parts[:-1]):
            tree = Tree("AND", (part, tree) if self._chance.random() < 0.9 else (tree, part))
        return tree

    def _function(self, class_: str, depth: int) -> Tree:
        pairs = self._value_pairs(class_)
        if pairs is None or depth <= 0:
            return Tree(entity(class_, int(self._chance.integers(PER_CLASS))))
        return Tree(_pick(("ARGMAX", "ARGMIN"), self._chance), (self._set(class_, depth - 1), pairs))

    def _clause(self, class_: str, depth: int) -> Tree:
        """A set of things that a relation leads away from, or with R leads to."""
        values = [name for name, (start, _) in VALUES.items() if start in ancestors(class_)]
        if values and (self._comparison or self._chance.random() < 0.15):
            return self._value_clause(_pick(values, self._chance))
        along = [(name, end, False) for name, (start, end) in RELATIONS.items() if start in ancestors(class_)]
        against = [(name, start, True) for name, (start, end) in RELATIONS.items() if end in ancestors(class_)]
        choices = [*along, *against]
        name, other, inverse = choices[int(self._chance.integers(len(choices)))]
        pairs = self._pairs(name, inverse=inverse)
        if depth <= 1 or self._chance.random() < 0.45:
            return Tree("JOIN", (pairs, Tree(entity(other, int(self._chance.integers(PER_CLASS))))))
        return Tree("JOIN", (pairs, self._set(other, depth - 1)))

    def _value_clause(self, name: str) -> Tree:
        value = Tree(random_literal(VALUES[name][1], self._chance))
        if self._comparison or (self._nested and self._chance.random() < 0.5):
            self._comparison = False
            function = _pick(("LT", "LE", "GT", "GE", "lt", "le", "gt", "ge"), self._chance)
            return Tree(function, (Tree(name), value))
        return Tree("JOIN", (Tree(name), value))

    def _pairs(self, name: str, *, inverse: bool) -> Tree:
        pairs = Tree("R", (Tree(name),)) if inverse else Tree(name)
        return Tree("R", (Tree("R", (pairs,)),)) if self._chance.random() < 0.05 else pairs

    def _value_pairs(self, class_: str) -> Tree | None:
        """Pairs of things of a class and of values, of one relation or of two; none where there are none."""
        direct = [name for name, (start, _) in VALUES.items() if start in ancestors(class_)]
        joined = [
            (self._pairs(name, inverse=False), value)
            for name, (start, end) in RELATIONS.items()
            for value, (owner, _) in VALUES.items()
            if start in ancestors(class_) and owner in ancestors(end)
        ]
        if direct and (not joined or self._chance.random() < 0.6):
            return Tree(_pick(direct, self._chance))
        if not joined:
            return None
        pairs, value = joined[int(self._chance.integers(len(joined)))]
        if self._chance.random() < 0.3:
            return Tree("R", (Tree("JOIN", (Tree("R", (Tree(value),)), Tree("R", (pairs,)))),))
        return Tree("JOIN", (pairs, Tree(value)))


def _pick(texts: tuple[str, ...] | list[str], chance: np.random.Generator) -> str:
    return texts[int(chance.integers(len(texts)))]
