"""The items of a schema that forms may be written with: of a store, or of an ontology where there are no facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.kb.candidates.search_space import SearchSpace
from recombine.kb.candidates.vocabulary import pruned_vocabulary
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.forms.sexpression_words import is_entity_word, write_word
from recombine.kb.grounding.entity_names import LANGUAGE, is_of_language
from recombine.models.kbqa.arrays.schema_arrays import CLASS, RELATION, SchemaArrays
from recombine.models.kbqa.making.item_text import item_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.kb.ontology.ontology import Ontology
    from recombine.kb.store import Store
    from recombine.kb.term import Term
    from recombine.selection.prompts.kb_setting import KbSetting


def make_schema(setting: KbSetting) -> SchemaArrays:
    """Relations, then classes, each in the order of their keys.

    Of a store: the relations of its facts but those that say types, names and the schema, and the classes that facts or
    its ontology know; where no fact says a class, a form with one has no answer, and there are none. A class that looks
    like an entity, such as Wikidata's, is said with the predicate of types, which is then an item too. Classes of
    literals are none. Of an ontology: its relations, those that are only named as reverses too, and its classes.
    """
    if setting.store is not None:
        relations, classes = _of_store(setting.store, setting.ontology)
    elif setting.ontology is not None:
        relations, classes = _of_ontology(setting.ontology)
    else:
        raise OptionError(
            "no knowledge base and no ontology says what forms are written with", "name one with --kb or --ontology"
        )
    profile = setting.profile
    if types := profile.predicates("type")[:1]:
        looks = any(is_entity_word(name, profile, at_end=False) for name in classes)
        relations += [term for term in types if looks and term not in relations]
    terms = [*sorted(relations, key=_key), *sorted(classes, key=_key)]
    labels = _labels(setting.store, terms)
    kinds = np.array([RELATION] * len(relations) + [CLASS] * len(classes), np.uint8)
    texts = tuple(item_text(term, labels.get(term, "")) for term in terms)
    return SchemaArrays(tuple(write_word(term, profile) for term in terms), texts, kinds)


def _of_store(store: Store, ontology: Ontology | None) -> tuple[list[Term], list[Term]]:
    whole = pruned_vocabulary(SearchSpace(store), [])
    if not whole.classes or ontology is None:
        return list(whole.relations), list(whole.classes)
    known = (name for name in ontology.classes if not ontology.literal(name))
    return list(whole.relations), list(dict.fromkeys([*whole.classes, *known]))


def _of_ontology(ontology: Ontology) -> tuple[list[Term], list[Term]]:
    relations = {*ontology.relations, *ontology.reverses, *ontology.reverses.values()}
    return list(relations), [name for name in ontology.classes if not ontology.literal(name)]


def _labels(store: Store | None, terms: Sequence[Term]) -> dict[Term, str]:
    """The first label of each term that has one, in the language of questions or in none."""
    if not isinstance(store, EmbeddedStore):
        return {}
    labels: dict[Term, str] = {}
    known = [term for term in terms if store.id(term) >= 0]
    for predicate in map(store.id, store.profile.predicates("label")):
        if predicate < 0:
            continue
        begins, targets = store.follow_many(store.ids(known), np.array([predicate], np.int64))
        texts = store.terms(targets)
        for place, term in enumerate(known):
            own = [text.text for text in texts[begins[place] : begins[place + 1]] if is_of_language(text, LANGUAGE)]
            if own:
                labels.setdefault(term, min(own))
    return labels


def _key(term: Term) -> str:
    return term.key
