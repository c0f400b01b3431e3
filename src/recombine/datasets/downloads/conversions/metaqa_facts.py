"""MetaQA's knowledge base from triples of numbers in three files and two files of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.datasets.downloads.originals import Originals

PARTS = ("train", "dev", "test")


def metaqa_facts(originals: Originals) -> bytes:
    """Lines `head|relation|tail`, each once and sorted; triples with a number that has no name are left out."""
    entities = dict(originals.rows("entity2text", 2))
    relations = {number: name.replace(" ", "_") for number, name in originals.rows("relation2text", 2)}
    facts = {
        (entities[head], relations[relation], entities[tail])
        for part in PARTS
        for head, relation, tail in originals.rows(part, 3)
        if head in entities and tail in entities and relation in relations
    }
    return "".join(f"{'|'.join(fact)}\n" for fact in sorted(facts)).encode()
