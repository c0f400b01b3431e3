"""What the forms of a data set name, counted as table 1 of GrailQA has it (its appendix C).

Relations, entities and literals are those of the programs; a canonical form is a program in one form with entities and
literals masked. Classes are those that the programs name where every program names one, as in GrailQA; elsewhere they
are the classes that the relations lead from and to, as far as the ontology knows the relations. Domains are those of
relations and classes, where the profile tells a domain by a name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from recombine.errors import RecombineError
from recombine.kb.names.cfq_names import cfq_names
from recombine.kb.names.sexpression_names import is_value, tree_names
from recombine.kb.term import Term
from recombine.languages.known import find_language
from recombine.languages.sexpression import parse_sexpression
from recombine.measures.levels.sparql_parts import RDF_TYPE, sparql_parts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.profiles.profile import Profile
    from recombine.measures.levels.level_definition import LevelDefinition
    from recombine.measures.levels.level_features import LevelFeatures
    from recombine.records.dataset import Dataset

WRITTEN, OF_RELATIONS = "as written", "domains and ranges"


@dataclass
class _Counted:
    """The names of all programs that could be read."""

    relations: set[Term] = field(default_factory=set)
    classes: set[Term] = field(default_factory=set)
    entities: set[Term] = field(default_factory=set)
    literals: set[str] = field(default_factory=set)
    placeholders: bool = False
    without_class: int = 0
    """Programs that name no class."""


def kb_row(dataset: Dataset, definition: LevelDefinition, features: LevelFeatures) -> dict[str, Any]:
    """The row of a data set: counts, by which rule classes were counted, and what is to be said of them."""
    counted = _counted(dataset, definition)
    profile = definition.profile
    if profile is None:
        raise AssertionError("forms over a knowledge base are read with a profile")
    classes, rule, notes = _classes(counted, definition.ontology)
    domains = {profile.domain_of(term) for term in (*counted.relations, *classes)} - {""}
    if counted.placeholders:
        notes.append("placeholders such as M0 are no entities")
    if features.unreadable:
        notes.append(f"{len(features.unreadable):,} programs cannot be read")
    return {
        "data": dataset.name,
        "questions": len(dataset),
        "canonical_forms": len(features.template_texts),
        "domains": len(domains) if profile.schema_domain else None,
        "relations": len(counted.relations),
        "classes": len(classes),
        "classes_rule": rule,
        "classes_written": len(counted.classes),
        "entities": len(counted.entities),
        "literals": len(counted.literals),
        "profile": profile.name,
        "notes": notes,
    }


def _classes(counted: _Counted, ontology: Ontology | None) -> tuple[set[Term], str, list[str]]:
    if not counted.without_class:
        return counted.classes, WRITTEN, []
    if ontology is None:
        return counted.classes, WRITTEN, ["without an ontology, classes are those that programs name"]
    classes, unknown = set[Term](), 0
    for relation in counted.relations:
        try:
            classes |= {*ontology.domain(relation), *ontology.range(relation)}
        except RecombineError:
            unknown += 1
    notes = [f"{unknown:,} relations are not in the ontology"] if unknown else []
    return {name for name in classes if not ontology.literal(name)}, OF_RELATIONS, notes


def _counted(dataset: Dataset, definition: LevelDefinition) -> _Counted:
    counted, profile = _Counted(), definition.profile
    language = "" if dataset.language is None else dataset.language.name
    add = {"sexpression": _add_sexpression, "sparql": _add_cfq}.get(language, _add_sparql)
    for text in dict.fromkeys(dataset.texts("target")):
        try:
            if profile is not None:
                counted.without_class += not add(text, profile, counted)
        except RecombineError:
            continue  # counted among the programs that cannot be read
    return counted


def _add_sexpression(text: str, profile: Profile, counted: _Counted) -> bool:
    tree = parse_sexpression(text)
    named = tree_names(tree, profile)
    counted.relations |= named.relations
    counted.classes |= named.classes
    counted.entities |= named.entities
    counted.literals |= {
        node.label.replace('"', "") for node in tree.iter_nodes() if not node.children and is_value(node.label)
    }
    return bool(named.classes)


def _add_cfq(text: str, profile: Profile, counted: _Counted) -> bool:
    named = cfq_names(text, profile)
    counted.relations |= named.relations - {Term.iri(RDF_TYPE[1:-1])}
    counted.classes |= named.classes
    counted.entities |= named.entities
    counted.placeholders = counted.placeholders or bool(named.placeholders)
    return bool(named.classes)


def _add_sparql(text: str, profile: Profile, counted: _Counted) -> bool:
    parts = sparql_parts(find_language("sparql11").parse(text), profile)
    counted.relations |= _terms(parts.relations, profile)
    counted.classes |= _terms(parts.classes, profile)
    counted.entities |= _terms(parts.entities, profile)
    counted.literals |= parts.literals
    return bool(parts.classes)


def _terms(iris: Iterable[str], profile: Profile) -> set[Term]:
    return {profile.shorten(iri[1:-1]) for iri in iris}
