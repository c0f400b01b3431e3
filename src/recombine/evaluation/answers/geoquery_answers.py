"""The matcher by answers for GeoQuery: programs match when they have one denotation over its facts.

The entity of each placeholder comes from the original corpus, whose examples are in the order of the lines of
`geoquery/funql`; that each rewritten original is the example's own program is checked, so other data is refused.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from recombine.datasets.published.geoquery_corpus import load_geoquery_corpus
from recombine.errors import OptionError
from recombine.evaluation.match.matchers import Matcher
from recombine.kb.geoquery.denotation import denotation
from recombine.kb.geoquery.geobase import load_geobase
from recombine.kb.geoquery.geography import Geography
from recombine.languages.funql_rewrite import rewrite_funql

if TYPE_CHECKING:
    from collections.abc import Hashable

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example


def geoquery_answers(dataset: Dataset) -> Matcher:
    """The matcher, for a data set that is GeoQuery's, whole and in its order."""
    originals = [rewrite_funql(example.program) for example in load_geoquery_corpus()]
    if [str(original) for original in originals] != [example.target for example in dataset]:
        raise OptionError(
            f"answers are known for GeoQuery's programs only, and {dataset.name} has others", "leave out --answers"
        )
    entities = {
        example.id: tuple(original.entities.items()) for example, original in zip(dataset, originals, strict=True)
    }
    world = Geography.of(load_geobase())

    @cache
    def answer(program: str, named: tuple[tuple[str, str], ...]) -> Hashable:
        return denotation(program, world, dict(named))

    def read(program: str, example: Example) -> Hashable:
        return answer(program, entities[example.id])

    return Matcher("denotation", read)
