from __future__ import annotations

import pytest

from recombine.languages.anonymised import placeholders


@pytest.mark.parametrize(
    ("table", "word", "expected"),
    [
        ("covr", "triangle", "VALUE"),
        ("covr", "playing with", "RELATION"),
        ("covr", "with_relation", "with_relation"),
        ("covr", "12", "NUM"),
        ("atis", "9:_dn", "value:_dn"),
        ("atis", "_loc:_t", "_loc:_t"),
        ("atis", "$0", "$0"),
        ("overnight", "-1", "NUM"),
        ("overnight", "en.block.block1", "ENTITY"),
        ("overnight", "!type", "STR"),
        ("grailqa", "m.03_r3", "ENTITY"),
        ("grailqa", "music.album", "music.album"),
        ("grailqa", '"2010"^^xsd:gYear', "LITERAL"),
        ("schema2qa", "contains", "OPERATOR"),
    ],
)
def test_words_by_hand(table: str, word: str, expected: str) -> None:
    assert placeholders(table).of(word) == expected
