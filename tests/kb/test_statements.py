"""Wikidata's statements with their qualifiers."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_store import as_oxigraph, turtle_store

from recombine.errors import KnowledgeBaseError
from recombine.kb.statements import direct_relation, statements_of
from recombine.kb.term import Term

# Made up after https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format: a post held twice, once with an end.
FACTS = """
wd:Q1 wdt:P39 wd:Q7 ; p:P39 wds:b , wds:a ; p:P40 wds:c ; p:P39 wds:none .
wds:a ps:P39 wd:Q7 ; psv:P39 wd:Q70 ; pq:P580 "1999"^^xsd:gYear , "1998"^^xsd:gYear ; pq:P582 "2003"^^xsd:gYear .
wds:b ps:P39 wd:Q8 ; pqv:P580 wd:Q71 ; wikibase:rank wikibase:NormalRank .
wds:c ps:P40 wd:Q2 .
wds:none a wdno:P39 .
"""


@pytest.mark.parametrize("kind", ["embedded", "oxigraph"])
def test_an_entity_has_its_statements_with_qualifiers(tmp_path: Path, kind: str) -> None:
    embedded = turtle_store(tmp_path, "wikidata", FACTS)
    store = embedded if kind == "embedded" else as_oxigraph(embedded)
    profile = store.profile
    statements = statements_of(store, profile.term("wd:Q1"))
    shown = [
        (
            profile.show(statement.node),
            statement.property,
            [profile.show(value) for value in statement.values],
            {name: [value.text for value in values] for name, values in statement.qualifiers.items()},
        )
        for statement in statements
    ]
    assert shown == [
        ("statement/a", "P39", ["Q7"], {"P580": ["1998", "1999"], "P582": ["2003"]}),
        ("statement/b", "P39", ["Q8"], {}),
        ("statement/none", "P39", [], {}),
        ("statement/c", "P40", ["Q2"], {}),
    ]
    assert statements_of(store, profile.term("wd:Q1"), "P40") == statements[3:]
    assert statements_of(store, profile.term("wd:Q2")) == []
    assert direct_relation(profile, Term.name("P39")) == profile.term("wdt:P39")


def test_a_profile_without_statements_says_so(tmp_path: Path) -> None:
    store = turtle_store(tmp_path, "plain", ":a :b :c .")
    with pytest.raises(KnowledgeBaseError, match="'plain' does not say how statements are kept"):
        statements_of(store, Term.name("a"))
