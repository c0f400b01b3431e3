"""FB15k-237: triples of numbers in three files, with two files of names, as one table of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recombine.datasets.downloads.originals import Originals

PARTS = ("train", "valid", "test")


def fb15k237_triples(originals: Originals) -> bytes:
    """A line `head`, `relation`, `tail`, `part` for each triple; the originals have the tail before the relation."""
    entities = {number: name for name, number in originals.rows("entity2id", 2, header=True)}
    relations = {number: name for name, number in originals.rows("relation2id", 2, header=True)}
    lines = []
    for part in PARTS:
        rows = originals.rows(f"{part}2id", 3, header=True)
        for line, (head, tail, relation) in enumerate(rows, start=2):
            if head not in entities or tail not in entities or relation not in relations:
                raise originals.fault(f"{part}2id", line, "has a number without a name")
            lines.append(f"{entities[head]}\t{relations[relation]}\t{entities[tail]}\t{part}\n")
    return "".join(lines).encode()
