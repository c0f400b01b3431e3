"""What an ontology says of the names in a form, as tables of texts: which relations are one, and what they imply.

A relation and its reverse are one relation, under the name that sorts first, along it or against it. Reverses may be
given one way, and form chains; a relation that is its own reverse, even by a chain, has no direction. What a relation
implies of its start and its end is what any of the relations that are one with it implies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recombine.kb.matching.words import name_text

if TYPE_CHECKING:
    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile
    from recombine.kb.term import Term

    Member = tuple[Term, bool]
    """A relation that is one with others, and whether it is the first of them against."""

NOTHING: frozenset[str] = frozenset()


class Step(NamedTuple):
    """A relation as it is gone along or against, by the one name that it has."""

    text: str
    """`film.film.director`, or `(R film.film.director)` where it is gone against."""
    here: frozenset[str] = NOTHING
    """The classes of everything that it leads from."""
    there: frozenset[str] = NOTHING
    """The classes of everything that it leads to."""


class SchemaTables:
    """The relations and classes of an ontology by the texts that name them; without one, every name is itself."""

    def __init__(self, ontology: Ontology | None, profile: Profile) -> None:
        self._steps: dict[tuple[str, bool], Step] = {}
        self.one_class: dict[str, str] = {}
        """The classes that have another name."""
        self.above: dict[str, frozenset[str]] = {}
        """The classes above each class that has some."""
        self.relations: frozenset[str] = NOTHING
        self.classes: frozenset[str] = NOTHING
        if ontology is not None:
            self._read(ontology)
        self.type_steps = frozenset(
            self.step(name_text(predicate), inverse=False).text for predicate in profile.predicates("type")
        )
        """The steps that lead from a thing to its class."""

    def step(self, relation: str, *, inverse: bool) -> Step:
        """The step along a relation, or against it; one that is not known is itself and implies nothing."""
        known = self._steps.get((relation, inverse))
        return Step(f"(R {relation})" if inverse else relation) if known is None else known

    def _read(self, ontology: Ontology) -> None:
        for name in ontology.classes:
            text, one = name_text(name), name_text(ontology.one(name))
            if one != text:
                self.one_class[text] = one
            if above := frozenset(map(name_text, ontology.ancestors(name))):
                self.above[text] = above
        self.classes = frozenset(map(name_text, ontology.classes))
        groups = _groups(ontology)
        self.relations = frozenset(name_text(name) for members in groups for name, _ in members)
        for members in groups:
            self._add_group(ontology, members)

    def _add_group(self, ontology: Ontology, members: list[Member]) -> None:
        first = name_text(members[0][0])
        sides: tuple[set[str], set[str]] = (set(), set())
        for name, against in members:
            for inverse in (False, True):
                sides[inverse is not against].update(map(name_text, ontology.implied(name, inverse=inverse)))
        directed = len({name for name, _ in members}) == len(members)
        if not directed:
            sides = (sides[0] | sides[1], sides[0] | sides[1])
        start, end = frozenset(sides[0]), frozenset(sides[1])
        along, back = Step(first, start, end), Step(f"(R {first})" if directed else first, end, start)
        for name, against in members:
            text = name_text(name)
            self._steps[text, False] = back if against else along
            self._steps[text, True] = along if against else back


def _groups(ontology: Ontology) -> list[list[Member]]:
    """The relations that are one, the one that sorts first before the others.

    One that is its own reverse is there along and against, and so are all that are one with it.
    """
    beside: dict[Term, list[Term]] = {name: [] for name in ontology.relations}
    for name, other in ontology.reverses.items():
        beside.setdefault(name, []).append(other)
        beside.setdefault(other, []).append(name)
    groups: list[list[Member]] = []
    seen: set[Term] = set()
    for first in sorted(beside, key=name_text):
        if first in seen:
            continue
        members, waiting = {(first, False)}, [(first, False)]
        while waiting:
            name, against = waiting.pop()
            nearer = {(other, not against) for other in beside[name]} - members
            members |= nearer
            waiting += nearer
        groups.append(sorted(members, key=lambda member: (name_text(member[0]), member[1])))
        seen.update(name for name, _ in members)
    return groups
