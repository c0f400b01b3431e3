"""Small programs for the tests of difficulty, splits and selection."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from recombine.languages.functional import parse_functional
from recombine.structures.local_structures import LocalStructures, local_structures
from recombine.structures.programs.program_arrays import program_arrays
from recombine.tree import Tree


def structures_of(texts: list[str], definition: str = "local:2") -> LocalStructures:
    """The structures of functional programs."""
    return local_structures(program_arrays([parse_functional(text) for text in texts]), definition)


def column(structures: LocalStructures, name: str) -> int:
    """The column of a structure, by its name."""
    return [structures.name(number) for number in range(structures.shape[1])].index(name)


def trees(labels: str = "abcd") -> st.SearchStrategy[Tree]:
    """Trees of a few nodes."""
    label = st.sampled_from(labels)
    return st.recursive(
        st.builds(Tree, label),
        lambda inner: st.builds(lambda name, below: Tree(name, tuple(below)), label, st.lists(inner, max_size=3)),
        max_leaves=6,
    )


def sample_programs(count: int, seed: int = 0) -> list[str]:
    """Distinct programs of a small grammar after COVR's, in the order they were drawn."""
    generator = np.random.default_rng(seed)

    def one_of(*words: str) -> str:
        return words[int(generator.integers(len(words)))]

    def noun() -> str:
        found = f"find ( {one_of('dog', 'cat', 'mouse')} )"
        return f"filter ( {one_of('black', 'white', 'round')} , {found} )" if generator.random() < 0.5 else found

    def statement() -> str:
        kind = one_of("exists", "some", "gt", "eq")
        if kind == "exists":
            return f"exists ( {noun()} )"
        if kind == "some":
            return f"{one_of('some', 'all')} ( {noun()} , filter ( {one_of('black', 'round')} , scene ( ) ) )"
        return f"{kind} ( count ( {noun()} ) , {one_of('2', '3')} )"

    found: dict[str, None] = {}
    while len(found) < count:
        joined = f"{one_of('and', 'or')} ( {statement()} , {statement()} )"
        found[one_of(joined, joined, statement(), f"count ( {noun()} )")] = None
    return list(found)
