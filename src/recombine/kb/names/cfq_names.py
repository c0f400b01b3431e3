"""What a query in CFQ's SPARQL names: `ns:` is the base, and `M0`, `M1` stand for entities that are not said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recombine.kb.names.named import Named, Names
from recombine.kb.term import Term
from recombine.languages.sparql.sparql import parse

if TYPE_CHECKING:
    from recombine.kb.profiles.profile import Profile
    from recombine.tree import Tree

_PLACEHOLDER = re.compile(r"M\d+")
_RDF_TYPE = Term.iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


def cfq_names(text: str, profile: Profile) -> Named:
    """The names of a query.

    >>> from recombine.kb.profiles.find_profile import find_profile
    >>> named = cfq_names("SELECT count(*) WHERE { M0 a film.actor . M0 film.actor.film m_02 }", find_profile("plain"))
    >>> sorted(term.text for term in named.entities | named.classes), named.placeholders
    (['film.actor', 'm.02'], 1)
    """
    types = {_RDF_TYPE, *profile.predicates("type")}
    names, placeholders = Names(), set[str]()
    for clause in parse(text).children[-1].children:
        relations = set[Term]()
        if clause.label == "clause":
            relations = {_term(step.label) for step in _leaves(clause.children[1])}
            names.relations |= relations
        ends = (clause.children[0], clause.children[-1])
        for place, end in enumerate(ends):
            if _PLACEHOLDER.fullmatch(end.label):
                placeholders.add(end.label)
            elif not end.label.startswith("?"):
                is_class = place == 1 and bool(relations & types)
                (names.classes if is_class else names.entities).add(_term(end.label))
    names.placeholders = len(placeholders)
    return names.named()


def _leaves(tree: Tree) -> list[Tree]:
    if not tree.children:
        return [tree]
    return [leaf for child in tree.children for leaf in _leaves(child)]


def _term(word: str) -> Term:
    if word == "a":
        return _RDF_TYPE
    name = word.removeprefix("ns:")
    return Term.name(f"m.{name[2:]}" if name.startswith("m_") else name)
