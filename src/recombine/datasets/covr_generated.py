"""COVR in text, generated: pairs of the packaged grammar, each with its derivation (local-structures paper, App. A.1).

Needs no download. What the grammar prunes, and why, is in `covr.scfg`.
"""

from __future__ import annotations

from recombine.grammars.synchronous.generate_synchronous import generate_synchronous
from recombine.grammars.synchronous.notation import packaged_synchronous
from recombine.languages.covr import COVR
from recombine.records.dataset import Dataset
from recombine.structures.definition import PROGRAM_STRUCTURES

NAME = "covr"


def generate(n: int, *, seed: int) -> Dataset:
    """`n` distinct pairs, in the order they were drawn; asking for more with the same seed gives the same first.

    >>> data = generate(3, seed=2)
    >>> data[0].source
    'all of black mouse that is playing with mouse are triangle'
    >>> data[0].derivation.rules[:4]
    ('statement', 'single', 'quantified', 'all')
    """
    examples, _ = generate_synchronous(packaged_synchronous("covr"), n, seed=seed)
    return Dataset.of(NAME, examples, structures=PROGRAM_STRUCTURES, language=COVR)
