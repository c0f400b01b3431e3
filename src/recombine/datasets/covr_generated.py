"""COVR in text, generated: pairs of the packaged grammar, each with its derivation (local-structures paper, App. A.1).

Needs no download. What the grammar prunes, and why, is in `covr.scfg`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from recombine.datasets.grammar_generator import GrammarGenerator
from recombine.languages.covr import COVR
from recombine.structures.definition import PROGRAM_STRUCTURES

if TYPE_CHECKING:
    from recombine.languages.language import Language
    from recombine.records.dataset import Dataset

NAME = "covr"


@dataclass(frozen=True, kw_only=True)
class CovrGenerator(GrammarGenerator):
    """Makes pairs of COVR, distinct ones in the order they were drawn."""

    grammar: str = NAME

    name: ClassVar[str] = NAME
    description: ClassVar[str] = "questions about animals and programs"
    language: ClassVar[Language | None] = COVR
    structures: ClassVar[str] = PROGRAM_STRUCTURES


def generate(n: int, *, seed: int) -> Dataset:
    """`n` distinct pairs, in the order they were drawn; asking for more with the same seed gives the same first.

    >>> data = generate(3, seed=2)
    >>> data[0].source
    'all of black mouse that is playing with mouse are triangle'
    >>> data[0].derivation.rules[:4]
    ('statement', 'single', 'quantified', 'all')
    """
    return CovrGenerator().generate(n, seed=seed).dataset()
