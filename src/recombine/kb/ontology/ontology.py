"""Classes with their sub-classes, and relations with domain, range and reverse (GrailQA, section 2.1).

An ontology is made of what was read, and nothing that was read is left out without a word: `notes` says what was odd.
Classes that are sub-classes of each other are one class, under the name that sorts first. A reverse that is given in
one direction alone is kept so, and works both ways.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import UnknownNameError
from recombine.kb.ontology.merge_cycles import merge_cycles
from recombine.kb.term import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_SHOWN = 3


class Role(NamedTuple):
    """What a relation leads from and to, in the order of their keys; a class of literals stands as any other."""

    domain: tuple[Term, ...] = ()
    range: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Ontology:
    """What is known of the classes and relations of a knowledge base.

    >>> film, work, year = (Term.name(name) for name in ("film", "work", "year"))
    >>> made = ontology_of([(film, work)], {year: Role((film,), (Term.name("int"),))}, {})
    >>> [term.text for term in made.implied(year)]
    ['film', 'work']
    """

    classes: tuple[Term, ...]
    """All classes, those that are one with others too, in the order of their keys."""
    superclasses: Mapping[Term, tuple[Term, ...]]
    """The classes right above each class that has some."""
    relations: Mapping[Term, Role]
    reverses: Mapping[Term, Term]
    """The reverse of a relation, as it was given."""
    merged: tuple[tuple[Term, ...], ...] = ()
    """Groups of classes that are one, each by the first."""
    alternatives: bool = False
    """Whether several classes of a domain or range are alternatives, as in Wikidata, or all hold, as in RDFS."""
    notes: tuple[str, ...] = ()
    """What was odd, a sentence each."""
    literal: Callable[[Term], bool] = field(default=lambda _: False, compare=False)
    """Whether a class is one of literals."""

    def one(self, name: Term) -> Term:
        """The class that stands for a class: the first of its group, or itself."""
        return self._standing.get(name, name)

    def ancestors(self, name: Term) -> tuple[Term, ...]:
        """The classes above a class, near or far, in the order of their keys."""
        return self._above(self.one(name))

    def is_subclass(self, name: Term, other: Term) -> bool:
        """Whether a class is another or below it."""
        return self.one(name) == self.one(other) or self.one(other) in self.ancestors(name)

    def domain(self, relation: Term, *, inverse: bool = False) -> tuple[Term, ...]:
        """What a relation leads from; against it, what it leads to. Its reverse is asked where it says nothing."""
        own, other = self._role(relation), self.reverse(relation)
        classes = own.range if inverse else own.domain
        if not classes and other is not None and other in self.relations:
            classes = self.relations[other].domain if inverse else self.relations[other].range
        return tuple(sorted({self.one(name) for name in classes}, key=_key))

    def range(self, relation: Term, *, inverse: bool = False) -> tuple[Term, ...]:
        """What a relation leads to; against it, what it leads from."""
        return self.domain(relation, inverse=not inverse)

    def implied(self, relation: Term, *, inverse: bool = False) -> tuple[Term, ...]:
        """The classes of everything that has a relation, or that it leads to: its domain and all above it.

        Where a domain has alternatives, those that all of them have in common.
        """
        sets = [{name, *self.ancestors(name)} for name in self.domain(relation, inverse=inverse)]
        if not sets:
            return ()
        common = set.intersection(*sets) if self.alternatives else set.union(*sets)
        return tuple(sorted(common, key=_key))

    def implies(self, relation: Term, name: Term, *, inverse: bool = False) -> bool:
        """Whether all that has a relation, or that it leads to, is of a class."""
        return self.one(name) in self.implied(relation, inverse=inverse)

    def reverse(self, relation: Term) -> Term | None:
        """The relation that says the same the other way round."""
        return self.reverses.get(relation) or self._named_by.get(relation)

    @cached_property
    def one_way(self) -> tuple[tuple[Term, Term], ...]:
        """The reverses that are given in one direction alone."""
        pairs = ((name, other) for name, other in self.reverses.items() if self.reverses.get(other) != name)
        return tuple(sorted(pairs, key=lambda pair: (pair[0].key, pair[1].key)))

    @cached_property
    def literal_classes(self) -> tuple[Term, ...]:
        """The classes of literals, in the order of their keys."""
        return tuple(name for name in self.classes if self.literal(name))

    @cached_property
    def _standing(self) -> dict[Term, Term]:
        return {name: group[0] for group in self.merged for name in group}

    @cached_property
    def _named_by(self) -> dict[Term, Term]:
        backwards = sorted(self.reverses.items(), key=lambda pair: pair[0].key, reverse=True)
        return {other: name for name, other in backwards}  # of several, the first one stays

    @cached_property
    def _known_above(self) -> dict[Term, tuple[Term, ...]]:
        return {}

    def _above(self, name: Term) -> tuple[Term, ...]:
        if name not in self._known_above:
            above, waiting = set[Term](), [name]
            while waiting:
                nearer = [each for each in self.superclasses.get(waiting.pop(), ()) if each not in above]
                above.update(nearer)
                waiting += nearer
            self._known_above[name] = tuple(sorted(above, key=_key))
        return self._known_above[name]

    def _role(self, relation: Term) -> Role:
        role = self.relations.get(relation)
        if role is None:
            if relation in self.reverses or relation in self._named_by:
                return Role()
            raise UnknownNameError("relation of the ontology", relation.text, (term.text for term in self.relations))
        return role


def ontology_of(
    below: Iterable[tuple[Term, Term]],
    relations: Mapping[Term, Role],
    reverses: Mapping[Term, Term],
    *,
    classes: Iterable[Term] = (),
    alternatives: bool = False,
    notes: Iterable[str] = (),
    literal: Callable[[Term], bool] = lambda _: False,
) -> Ontology:
    """An ontology of pairs of sub-class and class, roles, reverses, and of classes that are named besides."""
    pairs = [(name, other) for name, other in below if name != other]
    merged = merge_cycles(pairs)
    standing = {name: group[0] for group in merged for name in group}
    above: dict[Term, set[Term]] = {}
    for name, other in pairs:
        name, other = standing.get(name, name), standing.get(other, other)
        if name != other:
            above.setdefault(name, set()).add(other)
    known = {*classes, *(name for pair in pairs for name in pair)}
    known.update(name for role in relations.values() for side in role for name in side)
    ontology = Ontology(
        tuple(sorted(known, key=_key)),
        {name: tuple(sorted(above[name], key=_key)) for name in sorted(above, key=_key)},
        {name: relations[name] for name in sorted(relations, key=_key)},
        {name: reverses[name] for name in sorted(reverses, key=_key)},
        merged,
        alternatives,
        (*notes, *_cycle_notes(merged)),
        literal,
    )
    return _with_reverse_notes(ontology)


def _cycle_notes(merged: tuple[tuple[Term, ...], ...]) -> list[str]:
    return [
        f"{len(group):,} classes are sub-classes of each other and one class: {listed(name.text for name in group)}"
        for group in merged
    ]


def _with_reverse_notes(ontology: Ontology) -> Ontology:
    notes = list(ontology.notes)
    if one_way := ontology.one_way:
        shown = listed(f"{name.text} to {other.text}" for name, other in one_way)
        notes.append(f"{len(one_way):,} of {len(ontology.reverses):,} reverses are given one way: {shown}")
    named = {name for pair in ontology.reverses.items() for name in pair}
    if ontology.relations and (lost := sorted(named - set(ontology.relations), key=_key)):
        notes.append(f"{len(lost):,} relations have a reverse, and no domain or range: {listed(n.text for n in lost)}")
    return replace(ontology, notes=tuple(notes))


def listed(names: Iterable[str]) -> str:
    """A few names, and how many more there are.

    >>> listed(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    shown = list(names)
    more = len(shown) - _SHOWN
    return ", ".join(shown[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def _key(term: Term) -> str:
    return term.key
