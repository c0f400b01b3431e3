"""Two ontologies as one: what the first says holds, and of what it does not say, what the second says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.ontology.ontology import Ontology, Role, ontology_of

if TYPE_CHECKING:
    from recombine.kb.term import Term


def joined_ontology(first: Ontology, second: Ontology) -> Ontology:
    """What one ontology says, and of what it does not say another.

    >>> from recombine.kb.term import Term
    >>> film, person, made = (Term.name(name) for name in ("film", "person", "made"))
    >>> stated = ontology_of((), {made: Role((person,))}, {})
    >>> both = joined_ontology(stated, ontology_of((), {made: Role((film,), (film,))}, {}))
    >>> [term.text for side in both.relations[made] for term in side]
    ['person', 'film']
    """
    roles = {}
    for relation in {*first.relations, *second.relations}:
        own, other = first.relations.get(relation, Role()), second.relations.get(relation, Role())
        roles[relation] = Role(own.domain or other.domain, own.range or other.range)
    taken = {*first.reverses, *first.reverses.values()}
    others = {name: other for name, other in second.reverses.items() if not {name, other} & taken}
    return ontology_of(
        [*below(first), *below(second)],
        roles,
        {**others, **first.reverses},
        classes=(*first.classes, *second.classes),
        alternatives=first.alternatives,
        literal=lambda name: first.literal(name) or second.literal(name),
    )


def below(ontology: Ontology) -> list[tuple[Term, Term]]:
    """The pairs of sub-class and class; classes that are one are below each other."""
    pairs = [(name, above) for name, all_ in ontology.superclasses.items() for above in all_]
    for group in ontology.merged:
        pairs += zip(group, (*group[1:], group[0]), strict=True)
    return pairs
