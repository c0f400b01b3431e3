"""The search space of a question where there are no facts: what an ontology says of the classes of what is linked.

From an entity of a class, every relation that leads from that class or to it is a path, along it or against it; with
two hops, so is every relation at the class that the first one leads to. A candidate says the class at the end of its
path, as GrailQA's forms do (section 3.1), so that one relation to several classes is several candidates. A relation and
its reverse are two candidates that say the same. Classes above and below the given ones are not looked at: where an
entity has several classes, all of them are given. Whether a candidate has an answer no ontology knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import OptionError
from recombine.kb.candidates.candidate import Candidate
from recombine.kb.candidates.search_space import MOST_HOPS
from recombine.kb.forms.form import COUNT, NONE
from recombine.kb.store import Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.term import Term


class ClassPath(NamedTuple):
    """Steps from a class, and the class at their end."""

    steps: tuple[Step, ...]
    class_: Term


class OntologySpace:
    """The candidates of an ontology.

    >>> from recombine.kb.ontology.ontology import Role, ontology_of
    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> from recombine.kb.term import Term
    >>> film, person, by = (Term.name(name) for name in ("film.film", "people.person", "film.film.directed_by"))
    >>> space = OntologySpace(ontology_of([], {by: Role((film,), (person,))}, {}))
    >>> [each.text(find_profile("freebase")) for each in space.of([(Term.name("m.0b"), [person])])]
    ['(AND film.film (JOIN film.film.directed_by m.0b))']
    """

    def __init__(self, ontology: Ontology, *, hops: int = 1, count: bool = False) -> None:
        if hops not in range(1, MOST_HOPS + 1):
            raise OptionError(f"{hops} hops", f"give 1 to {MOST_HOPS}: with more, candidates are too many to list")
        self.ontology, self.hops, self.count = ontology, hops, count
        self._next = _steps_at(ontology)

    @property
    def signature(self) -> str:
        """The options, as a text."""
        return f"candidates(ontology,hops={self.hops}{',count' * self.count})"

    def of(self, linked: Iterable[tuple[Term, Iterable[Term]]]) -> tuple[Candidate, ...]:
        """The candidates for a question in which entities of some classes are linked; a count comes after its path."""
        functions = (NONE, COUNT) if self.count else (NONE,)
        found: dict[Candidate, None] = {}
        for entity, classes in linked:
            for path in self.paths(classes):
                for function in functions:
                    found[Candidate(path.steps, entity, class_=path.class_, function=function)] = None
        return tuple(found)

    def paths(self, classes: Iterable[Term]) -> list[ClassPath]:
        """The paths from some classes, shorter ones first, then by the names of relations and classes; each once."""
        first = {ClassPath((step,), end) for name in classes for step, end in self._at(name)}
        ordered = sorted(first, key=_order)
        if self.hops == 1:
            return ordered
        second = {
            ClassPath((*steps, step), end)
            for steps, middle in ordered
            if not self.ontology.literal(middle)
            for step, end in self._at(middle)
        }
        return [*ordered, *sorted(second, key=_order)]

    def _at(self, name: Term) -> tuple[tuple[Step, Term], ...]:
        return self._next.get(self.ontology.one(name), ())


def _steps_at(ontology: Ontology) -> dict[Term, tuple[tuple[Step, Term], ...]]:
    """The steps at each class, with the class that each leads to."""
    found: dict[Term, list[tuple[Step, Term]]] = {}
    for relation in ontology.relations:
        domains, ranges = ontology.domain(relation), ontology.range(relation)
        for domain in domains:
            found.setdefault(domain, []).extend((Step(relation), end) for end in ranges)
        for end in ranges:
            found.setdefault(end, []).extend((Step(relation, inverse=True), domain) for domain in domains)
    return {name: tuple(steps) for name, steps in found.items()}


def _order(path: ClassPath) -> tuple[tuple[tuple[str, bool], ...], str]:
    return tuple((step.relation.key, step.inverse) for step in path.steps), path.class_.key
