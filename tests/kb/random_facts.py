"""Facts made up by chance, with names that are hard to write, and random ways through them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from recombine.kb.profiles.profile import Profile
from recombine.kb.store import Step, Store
from recombine.kb.term import LITERAL, Term
from recombine.kb.written_term import written_term

XSD = "http://www.w3.org/2001/XMLSchema#"
PROFILE = Profile("made-up", "http://example.org/", {"ns": "http://example.org/", "xsd": XSD})
HARD = (
    "quote \" and '",
    "brace {x} }",
    "new\nline",
    "back\\slash",
    "<tag>",
    "100 % [é]#",
    "a.b.c",
    "?x . ?y",
    "Ångström 雪",
)
Fact = tuple[str, str, str]


def random_facts(seed: int, *, facts: int = 300, nodes: int = 60, relations: int = 6) -> list[Fact]:
    """So many facts, sorted, each once, over resources, and literals among the targets."""
    chance = np.random.default_rng(seed)
    names = [f"={HARD[number]}" if number < len(HARD) else f"=n{number}" for number in range(nodes)]
    names += [f"<http://other.org/{number}" for number in range(5)]
    along = [f"=r{number}" if number else "=film.director.film" for number in range(relations)]
    values = [f'"{number}\0{XSD}integer' for number in range(5)] + [
        '"say \\"hi\\"\n\0',
        '"Rom\0@de',
        '"1990\0' + XSD + "gYear",
    ]
    targets = [*names, *names, *values]
    made = set()
    while len(made) < facts:
        pick = lambda texts: texts[int(chance.integers(len(texts)))]  # noqa: E731
        made.add((pick(names), pick(along), pick(targets)))
    return sorted(made)


def batches_of(facts: Sequence[Fact], rows: int = 100) -> Iterator[pa.RecordBatch]:
    """Facts as a stream of triples."""
    for first in range(0, len(facts), rows):
        columns = zip(*facts[first : first + rows], strict=True)
        arrays = [pa.array(column, pa.large_string()) for column in columns]
        yield pa.RecordBatch.from_arrays(arrays, ["subject", "relation", "target"])


def random_path(store: Store, start: Term, hops: int, chance: np.random.Generator) -> list[Step]:
    """A path that leads somewhere, found by walking at random; shorter where a walk ends."""
    path: list[Step] = []
    here = start
    for _ in range(hops):
        inverse = bool(chance.integers(2))
        relations = list(store.relations(here, inverse=inverse)) or list(store.relations(here, inverse=not inverse))
        inverse = inverse if store.relations(here, inverse=inverse) else not inverse
        if not relations:
            break
        step = Step(relations[int(chance.integers(len(relations)))], inverse)
        path.append(step)
        there = store.neighbours(here, step.relation, inverse=inverse)
        here = there[int(chance.integers(len(there)))]
    return path


def path_query(start: Term, path: Sequence[Step], base: str) -> str:
    """The query whose answers are the ends of a path."""
    return f"SELECT DISTINCT ?x {path_pattern(start, path, '?x', base)}"


def path_pattern(start: Term, path: Sequence[Step], end: str, base: str) -> str:
    """The pattern of a path from a term to an end, which is as a query writes it."""
    steps = "/".join(("^" if step.inverse else "") + written_term(step.relation, base) for step in path)
    if start.kind == LITERAL:  # no subject of a triple, but an object
        return f"{{ {end} ^({steps}) {written_term(start, base)} }}"
    return f"{{ {written_term(start, base)} {steps} {end} }}"
