"""The ontology that the facts of a store state: those of RDFS and OWL, of Freebase's schema, or of Wikidata.

Which predicates say what comes from the profile. A class is what is below or above another, what a domain or range
names, and what is declared to be one; a relation is what has a domain, a range or a reverse, or is declared. Wikidata
says domains and ranges by constraints, which are statements with qualifiers, and names properties by entities: they
become the relations of the short way (`wdt:`). Classes that are nodes without a name (unions and restrictions of OWL)
are left out, and counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.kb.facts_of import facts_of
from recombine.kb.ontology.ontology import Ontology, Role, ontology_of
from recombine.kb.statements import direct_relation, statements_of
from recombine.kb.term import BLANK, LITERAL, Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.kb.store import Store

_OWL = "http://www.w3.org/2002/07/owl#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
CLASS_TYPES = tuple(Term.iri(iri) for iri in (f"{_RDFS}Class", f"{_OWL}Class"))
RELATION_TYPES = tuple(Term.iri(iri) for iri in (f"{_RDF}Property", f"{_OWL}ObjectProperty", f"{_OWL}DatatypeProperty"))


def ontology_of_facts(store: Store) -> Ontology:
    """The ontology that a store's own facts state; without such facts it is empty, and its notes say so."""
    facts = _Facts(store)
    below = list(facts.pairs("subclass"))
    domains, ranges = facts.sides("domain"), facts.sides("range")
    constrained = facts.constraints(domains, ranges)
    reverses: dict[Term, Term] = {}
    for name, other in facts.pairs("reverse"):
        reverses.setdefault(direct_relation(store.profile, name), direct_relation(store.profile, other))
    named = {*domains, *ranges, *facts.declared(RELATION_TYPES)}
    roles = {name: Role(_sorted(domains.get(name, ())), _sorted(ranges.get(name, ()))) for name in named}
    return ontology_of(
        below,
        roles,
        reverses,
        classes=facts.declared(CLASS_TYPES),
        alternatives=constrained,
        notes=facts.notes(below, roles),
        literal=store.profile.is_literal_class,
    )


class _Facts:
    """The facts of a store that say something of its classes and relations, and what was left out of them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.left_out = 0

    def pairs(self, role: str) -> Iterator[tuple[Term, Term]]:
        """The pairs that the predicates of a role say, of things that have a name."""
        for predicate in self.store.profile.predicates(role):
            for subject, target in facts_of(self.store, predicate):
                if BLANK in (subject.kind, target.kind) or target.kind == LITERAL:
                    self.left_out += 1
                else:
                    yield subject, target

    def sides(self, role: str) -> dict[Term, set[Term]]:
        """The classes that a role gives each relation."""
        sides: dict[Term, set[Term]] = {}
        for relation, name in self.pairs(role):
            sides.setdefault(direct_relation(self.store.profile, relation), set()).add(name)
        return sides

    def declared(self, types: tuple[Term, ...]) -> set[Term]:
        """What has one of some types and a name."""
        type_of = Term.iri(f"{_RDF}type")
        found = {name for each in types for name in self.store.neighbours(each, type_of, inverse=True)}
        return {name for name in found if name.kind != BLANK}

    def constraints(self, domains: dict[Term, set[Term]], ranges: dict[Term, set[Term]]) -> bool:
        """Add the classes that constraints say; whether the profile has any."""
        profile = self.store.profile
        said = profile.statements
        if "constraint" not in said or "claim" not in said:
            return False
        sides = {profile.term(said[part]): side for part, side in (("domain", domains), ("range", ranges))}
        leads = profile.shorten(profile.prefixes[said["claim"]] + said["constraint"])
        for name in sorted({subject for subject, _ in facts_of(self.store, leads)}, key=lambda term: term.key):
            for statement in statements_of(self.store, name, said["constraint"]):
                classes = statement.qualifiers.get(said["class"], ())
                for kind in statement.values:
                    if kind in sides and classes:
                        sides[kind].setdefault(direct_relation(profile, name), set()).update(classes)
        return True

    def notes(self, below: list[tuple[Term, Term]], roles: dict[Term, Role]) -> list[str]:
        """What is to be said of what was read."""
        notes = []
        if self.left_out:
            notes.append(f"{self.left_out:,} facts of the schema name a literal or a node without a name: left out")
        if not below and not roles:
            notes.append("no fact says what is below a class or where a relation leads: derive it from the data")
        return notes


def _sorted(names: set[Term] | tuple[()]) -> tuple[Term, ...]:
    return tuple(sorted(names, key=lambda term: term.key))
