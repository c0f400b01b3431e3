"""Facts as the stream that an index is built from, and indexes of a few facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from recombine.kb.embedded.build_index import build_index
from recombine.kb.embedded.embedded_store import EmbeddedStore
from recombine.kb.profiles.profile import Profile
from recombine.kb.term import Term

XSD = "http://www.w3.org/2001/XMLSchema#"
PLAIN = Profile("plain", "http://example.org/", {"xsd": XSD})
Fact = tuple[Term, Term, Term]


def batches(facts: Sequence[Fact], rows: int = 3) -> Iterator[pa.RecordBatch]:
    """The facts as batches of so many rows."""
    for first in range(0, len(facts), rows):
        own = facts[first : first + rows]
        columns = [pa.array([fact[place].key for fact in own], pa.large_string()) for place in range(3)]
        yield pa.RecordBatch.from_arrays(columns, ["subject", "relation", "target"])


def store_of(facts: Iterable[Fact], folder: Path, *, profile: Profile = PLAIN) -> EmbeddedStore:
    """The index of some facts, built and opened."""
    build_index(batches(list(facts)), folder, profile=profile)
    return EmbeddedStore.open(folder)


def number(text: str, kind: str = "integer") -> Term:
    """A literal of one of XML Schema's types."""
    return Term.literal(text, datatype=XSD + kind)


def names(text: str) -> list[Fact]:
    """Facts of names, one a line: `a p b`."""
    return [tuple(map(Term.name, line.split())) for line in text.strip().splitlines()]  # type: ignore[misc]
