"""Answers of GeoQuery's programs: a matcher by denotation over its facts, and what became of outputs that were run.

The entity of each placeholder comes from the original corpus, whose examples are in the order of the lines of
`geoquery/funql`; that each rewritten original is the example's own program is checked, so other data is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.datasets.published.geoquery_corpus import load_geoquery_corpus
from recombine.errors import OptionError
from recombine.evaluation.answers.denotation_accuracy import DenotationAccuracy, GeoPair, denotation_accuracy
from recombine.evaluation.match.matchers import Matcher
from recombine.kb.geoquery.denotation import denotation
from recombine.kb.geoquery.geobase import load_geobase
from recombine.kb.geoquery.geography import Geography
from recombine.languages.funql_rewrite import rewrite_funql

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from recombine.records.dataset import Dataset
    from recombine.records.example import Example
    from recombine.records.world import World


@dataclass(frozen=True)
class GeoQueryAnswers:
    """GeoQuery's facts, and the entities of each example's placeholders."""

    world: Geography
    entities: Mapping[str, Mapping[str, str]]

    def matcher(self) -> Matcher:
        """Programs match when they have one denotation; each is run once for the same entities."""

        def answer(program: str, example: Example, world: World | None) -> Hashable:
            del world  # these answers hold the facts themselves
            return denotation(program, self.world, self.entities[example.id])

        def named(example: Example) -> Hashable:
            return tuple(self.entities[example.id].items())

        return Matcher.by_key("denotation", answer, depends_on=named)

    def accuracy(self, dataset: Dataset, outputs: Mapping[str, str]) -> DenotationAccuracy | None:
        """What became of the outputs, by id, that were run; empty ones are left out, and none may be left."""
        given = {key: output for key, output in outputs.items() if output.strip()}
        pairs = [GeoPair(dataset[key].target, output, self.entities[key]) for key, output in given.items()]
        return denotation_accuracy(pairs, self.world) if pairs else None


def geoquery_answers(dataset: Dataset) -> GeoQueryAnswers:
    """What is needed to answer, for a data set that is GeoQuery's, whole and in its order."""
    originals = [rewrite_funql(example.program) for example in load_geoquery_corpus()]
    if [str(original) for original in originals] != [example.target for example in dataset]:
        raise OptionError(
            f"answers are known for GeoQuery's programs only, and {dataset.name} has others", "leave out --answers"
        )
    entities = {example.id: original.entities for example, original in zip(dataset, originals, strict=True)}
    return GeoQueryAnswers(Geography.of(load_geobase()), entities)
