"""Answers of GeoQuery's programs: a matcher by denotation over its facts, and what became of outputs that were run.

The facts are the data's world, and the context of an example gives the entity of each placeholder. GeoQuery itself has
both; other data in its language has them by its sidecar, or names its entities in its programs, as the original does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recombine.data_directory import data_file
from recombine.datasets.published import geoquery, geoquery_corpus
from recombine.errors import OptionError, RecordError
from recombine.evaluation.answers.denotation_accuracy import DenotationAccuracy, GeoPair, denotation_accuracy
from recombine.evaluation.match.matchers import Matcher
from recombine.kb.geoquery import geobase
from recombine.kb.geoquery.denotation import denotation
from recombine.kb.geoquery.geoquery_world import GeoqueryWorld
from recombine.records.world import WorldReference

if TYPE_CHECKING:
    from collections.abc import Hashable

    from recombine.kb.geoquery.geography import Geography
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
    """What is needed to answer: the facts from the data's world, the entities from its contexts."""
    _want_published(dataset)
    world = dataset.opened_world
    if not isinstance(world, GeoqueryWorld):
        has = "no world" if world is None else f"a world of the kind {world.kind!r}"
        raise OptionError(
            f"answers are known over GeoQuery's facts only, and {dataset.name} has {has}",
            "give its facts with --world geobase.pl, or leave out --answers",
        )
    return GeoQueryAnswers(world.geography, {example.id: _entities(dataset, example) for example in dataset})


def _want_published(dataset: Dataset) -> None:
    """Say which of its files GeoQuery lacks, where it is GeoQuery that is scored."""
    if dataset.name != geoquery.NAME or not dataset.world_is_implied:
        return
    if isinstance(dataset.world, WorldReference) and not Path(dataset.world.path).exists():
        data_file(geobase.FILE, "running GeoQuery's programs")
    if not any(example.context for example in dataset):
        data_file(geoquery_corpus.FILE, "answering GeoQuery's programs")


def _entities(dataset: Dataset, example: Example) -> Mapping[str, str]:
    """The entities of an example's placeholders; none where its programs name them."""
    entities = example.context.get(geoquery.ENTITIES, {})
    if not isinstance(entities, Mapping) or not all(isinstance(text, str) for text in entities.values()):
        raise RecordError(
            dataset.name,
            f"example {example.id}",
            f"the context {geoquery.ENTITIES!r} is not an entity for each placeholder",
            'write it as {"m0": "stateid(\'texas\')", …}',
        )
    return entities
