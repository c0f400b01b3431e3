"""How the programs of a data set are read for levels: a text becomes its schema items and its template."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from recombine.kb.matching.canonical_form import Canonical
    from recombine.kb.profiles.profile import Profile
    from recombine.languages.language import Language
    from recombine.measures.levels.items import Items
    from recombine.measures.levels.level_definition import LevelDefinition
    from recombine.records.dataset import Dataset

    Described = tuple[Items, str]
    """The schema items of a program, and its template."""


def program_reader(dataset: Dataset, definition: LevelDefinition) -> Callable[[str], Described]:
    """The function that reads a program of a data set, whose language is known."""
    language = dataset.language
    if language is None:
        raise AssertionError("a definition is made for data whose language is known")
    if definition.profile is None:
        return _other_reader(language)
    read = {"sexpression": _sexpression_reader, "sparql": _cfq_reader}.get(language.name, _sparql_reader)(definition)
    return _merging(read, definition) if definition.merge_reverses else read


def _merging(read: Callable[[str], Described], definition: LevelDefinition) -> Callable[[str], Described]:
    """A reader that gives a relation and its reverse one name."""
    from recombine.measures.levels.merged_reverses import merged_reverses

    if definition.ontology is None or definition.profile is None:
        raise AssertionError("reverses are merged by an ontology")
    merged = merged_reverses(definition.ontology, definition.profile)

    def merging(text: str) -> Described:
        items, template = read(text)
        return items._replace(names=frozenset(merged.get(name, name) for name in items.names)), template

    return merging


def _other_reader(language: Language) -> Callable[[str], Described]:
    from recombine.measures.levels.program_items import program_items

    return lambda text: program_items(language.parse(text), language)


def _cfq_reader(definition: LevelDefinition) -> Callable[[str], Described]:
    from recombine.languages.sparql.sparql import parse
    from recombine.measures.levels.cfq_items import cfq_items, cfq_template

    _, profile = _canonical(definition)

    def read(text: str) -> Described:
        tree = parse(text)
        return cfq_items(tree, profile, constructs=definition.constructs), cfq_template(tree)

    return read


def _sexpression_reader(definition: LevelDefinition) -> Callable[[str], Described]:
    from recombine.measures.levels.sexpression_items import SExpressionItems

    canonical, profile = _canonical(definition)
    items = SExpressionItems(profile)
    return lambda text: (items.of(text), canonical.template(canonical.of_text(text)))


def _sparql_reader(definition: LevelDefinition) -> Callable[[str], Described]:
    from recombine.errors import FormError
    from recombine.kb.forms.form import SparqlQuery
    from recombine.languages.known import find_language
    from recombine.measures.levels.sparql_items import sparql_items

    canonical, profile = _canonical(definition)
    language = find_language("sparql11")

    def read(text: str) -> Described:
        tree = language.parse(text)
        items = sparql_items(tree, profile, constructs=definition.constructs)
        try:
            return items, canonical.template(canonical.of_form(SparqlQuery(tree)))
        except FormError:  # what is no tree of relations: the query's own one form, masked after
            return items, language.render(language.anonymise(language.normalise(tree)))

    return read


def _canonical(definition: LevelDefinition) -> tuple[Canonical, Profile]:
    from recombine.kb.matching.canonical_form import Canonical

    if definition.profile is None:
        raise AssertionError("names are told by a profile")
    return Canonical(definition.ontology, definition.profile), definition.profile
