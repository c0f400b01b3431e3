"""The words that items are read by, from names of several ways of writing, and from labels."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "kb"))
from small_store import turtle_store

from recombine.kb.term import Term
from recombine.models.kbqa.making.item_text import item_text
from recombine.models.kbqa.making.make_schema import make_schema
from recombine.selection.prompts.kb_setting import KbSetting


@pytest.mark.parametrize(
    ("name", "label", "text"),
    [
        ("film.film.directed_by", "", "film film directed by"),
        ("/film/actor/film./film/performance/film", "", "film actor film film performance film"),
        ("http://example.org/ns#worksFor", "", "works for"),
        ("https://town.example/transport/Route", "", "route"),
        ("http://www.wikidata.org/prop/direct/P57", "director", "p57 director"),
        ("birthPlace", "birth place", "birth place"),
        ("gdp_real", "GDP (real)", "gdp real"),
        ("1999", "", "1999"),
        ("?", "", "?"),
        ("雪", "", "雪"),
    ],
)
def test_by_hand(name: str, label: str, text: str) -> None:
    assert item_text(Term.name(name), label) == text


def test_labels_of_a_store_stand_beside_names(tmp_path: Path) -> None:
    """Of several labels the first in English or in no language is taken; facts of labels are no relations."""
    facts = """
    :a :p1 :b . :b a :c1 .
    :p1 rdfs:label "wrote"@en, "schrieb"@de, "wrote it"@en . :c1 rdfs:label "Buch"@de .
    """
    store = turtle_store(tmp_path, "plain", facts)
    schema = make_schema(KbSetting("gold", store.profile, None, store))
    assert dict(zip(schema.words, schema.texts, strict=True)) == {"p1": "p 1 wrote", "c1": "c 1"}
