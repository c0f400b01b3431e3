"""Makes the arrays of a verifier from scenes as they are annotated and as they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from recombine.errors import OptionError
from recombine.models.pictures.arrays.grounding_arrays import GroundingArrays
from recombine.models.pictures.arrays.words import Words, padded
from recombine.models.pictures.making.region_boxes import RegionSettings
from recombine.models.pictures.making.scene_match import SceneMatch, Widely
from recombine.models.pictures.making.scene_pictures import scene_pictures
from recombine.models.pictures.verifier.candidate_pairs import TYPES, CandidatePairs, simple_of
from recombine.models.pictures.verifier.simple_text import THING, simple_text, spelled_out
from recombine.models.pictures.verifier.verifier_arrays import JUDGED, LABELLED, LEARNED, Pairs, VerifierArrays
from recombine.progress import note, tracked
from recombine.scenes.related.related_images import RelatedImages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.pictures.arrays.picture_arrays import PictureArrays
    from recombine.models.pictures.making.scene_pictures import Look
    from recombine.models.pictures.verifier.candidate_pairs import Candidate
    from recombine.scenes.related.exclusion import Exclusion
    from recombine.scenes.related.verifier import BatchVerifier
    from recombine.scenes.scene import Scene, Scenes
    from recombine.scenes.subgraph import Subgraph

_TRIES = 400
"""So many candidates are looked at for one that is labelled, at most."""


@dataclass(frozen=True)
class PairSettings:
    """How pairs are drawn."""

    per_scene: int = 40
    """The most sub-graphs of a scene that pairs are learned from, each with a positive and a negative."""
    labelled: int = 441
    """How many pairs are labelled: a third for each type of changed node, half of them there if there are so many."""
    judged: int = 40_000
    """How many pairs are kept to judge the verifier by, drawn as they come."""
    regions: RegionSettings = field(default_factory=RegionSettings)


def make_verifier_arrays(
    annotated: Scenes,
    truth: Scenes,
    look: Look,
    *,
    exclusion: Exclusion,
    knows: BatchVerifier,
    seed: int,
    settings: PairSettings | None = None,
) -> VerifierArrays:
    """The arrays for scenes of the same ids; `knows` says of labelled and judged pairs whether they are there."""
    settings = settings or PairSettings()
    if [each.id for each in annotated] != [each.id for each in truth]:
        raise OptionError("the annotated scenes are not those of the truth", "give both of one world, in one order")
    seen = scene_pictures(truth, look, seed=seed, settings=settings.regions, labelled=True)
    maker = _Maker(annotated, truth, seen.region_of, exclusion)
    draws = np.random.default_rng([seed, 24])
    for place in tracked(range(len(annotated)), "pairing sub-graphs with pictures", total=len(annotated)):
        maker.learn(place, settings.per_scene, draws)
    maker.label(settings.labelled, knows, draws)
    maker.judge(settings.judged, knows, draws)
    return maker.arrays(seen.arrays.without_names(), seed)


class _AnyThing:
    """Names that do not exclude each other fit for nouns, equal ones for the rest; a thing is anything."""

    def __init__(self, exclusion: Exclusion) -> None:
        self._exclusion = exclusion

    def noun(self, asked: str, seen: str) -> bool:
        """Whether an object may be called so."""
        return asked in (seen, THING) or not self._exclusion.noun(asked, seen)

    def attribute(self, asked: str, seen: str) -> bool:
        """Whether the names are equal."""
        return asked == seen

    relation = attribute


class _Maker:
    """Collects pairs."""

    def __init__(
        self,
        annotated: Sequence[Scene],
        truth: Sequence[Scene],
        region_of: Sequence[NDArray[np.int64]],
        exclusion: Exclusion,
    ) -> None:
        self._annotated = annotated
        self._pairs = CandidatePairs(RelatedImages(annotated, exclusion))
        self._fits = Widely(_AnyThing(exclusion))
        self._regions = [_bits(*each) for each in zip(annotated, truth, region_of, strict=True)]
        self._matches: dict[int, SceneMatch] = {}
        self._graphs: list[Subgraph] = []
        self._rows: list[tuple[int, Subgraph, tuple[int, ...], int, int, int]] = []
        self.without = 0
        """Sub-graphs without a picture that distracts from them."""

    def learn(self, place: int, most: int, draws: np.random.Generator) -> None:
        """Add positives and negatives of sub-graphs of a scene."""
        graphs = self._pairs.of_scene(place)
        for at in np.sort(draws.permutation(len(graphs))[:most]).tolist():
            graph = graphs[at]
            self._graphs.append(graph)
            negative = self._pairs.negative(graph, draws)
            simple = simple_of(graph)
            if negative is None or simple is None:
                self.without += 1
                continue
            nouns = len(simple_text(simple).nouns)
            self._rows.append((place, simple, self._meant(place, simple), 1, LEARNED, -1))
            self._rows.append((negative.place, simple, (0,) * nouns, 0, LEARNED, TYPES.index(negative.type)))

    def label(self, number: int, knows: BatchVerifier, draws: np.random.Generator) -> None:
        """Add labelled pairs, by type and label as many as there can be."""
        quota = {(kind, there): number // 6 for kind in TYPES for there in (True, False)}
        known: set[tuple[int, Subgraph]] = set()
        for _ in range(_TRIES * number):
            if not any(quota.values()):
                break
            drawn = self._draw(draws)
            if drawn is None or (drawn.place, drawn.simple) in known:
                continue
            there = self._knows(drawn, knows)
            if quota[drawn.type, there]:
                known.add((drawn.place, drawn.simple))
                quota[drawn.type, there] -= 1
                self._add(drawn, there, LABELLED)
        if any(quota.values()):
            note(f"{sum(quota.values())} of {number} labelled pairs were not found")

    def judge(self, number: int, knows: BatchVerifier, draws: np.random.Generator) -> None:
        """Add pairs to judge by, each once; none is a labelled one."""
        known = {(row[0], row[1]) for row in self._rows if row[4] == LABELLED}
        for _ in range(number):
            drawn = self._draw(draws)
            if drawn is not None and (drawn.place, drawn.simple) not in known:
                known.add((drawn.place, drawn.simple))
                self._add(drawn, self._knows(drawn, knows), JUDGED)

    def arrays(self, pictures: PictureArrays, seed: int) -> VerifierArrays:
        """All pairs as arrays."""
        if not self._rows:
            raise OptionError("no sub-graph has a picture that distracts from it", "give more scenes")
        said = [simple_text(row[1]) for row in self._rows]
        words = Words.of(" ".join(each.words) for each in said)
        means = np.zeros((len(said), max(len(each.nouns) for each in said)), dtype=np.uint32)
        for at, row in enumerate(self._rows):
            means[at, : len(row[2])] = row[2]
        nouns = padded([each.nouns for each in said], fill=-1)
        texts = GroundingArrays(
            tokens=padded([words.numbers(" ".join(each.words)) for each in said]),
            picture=np.array([row[0] for row in self._rows], dtype=np.int32),
            nouns=nouns,
            means=means,
            sides=np.where(nouns < 0, -1, 0).astype(np.int8),
            present=np.array([row[3] for row in self._rows], dtype=np.int8),
        )
        part, kind = (np.array([row[at] for row in self._rows], dtype=np.int8) for at in (4, 5))
        return VerifierArrays(list(words.listed), pictures, texts, Pairs(part, kind), seed)

    def _draw(self, draws: np.random.Generator) -> Candidate | None:
        return self._pairs.negative(self._graphs[int(draws.integers(len(self._graphs)))], draws)

    def _knows(self, drawn: Candidate, knows: BatchVerifier) -> bool:
        return bool(knows.scores([self._annotated[drawn.place].id], drawn.simple)[0] > 0)

    def _add(self, drawn: Candidate, there: bool, part: int) -> None:
        nouns = len(simple_text(drawn.simple).nouns)
        self._rows.append((drawn.place, drawn.simple, (0,) * nouns, int(there), part, TYPES.index(drawn.type)))

    def _meant(self, place: int, simple: Subgraph) -> tuple[int, ...]:
        """The regions that each noun of a positive means."""
        if place not in self._matches:
            self._matches = {place: SceneMatch(self._annotated[place], self._fits)}
        bits = self._regions[place]
        masks = self._matches[place].meant(spelled_out(simple))
        return tuple(sum(bit for at, bit in enumerate(bits) if mask >> at & 1) for mask in masks)


def _bits(annotated: Scene, truth: Scene, region_of: NDArray[np.int64]) -> list[int]:
    """By the place of an annotated object, the bit of its region."""
    places = {each.id: place for place, each in enumerate(truth.objects)}
    regions = [int(region_of[places[each.id]]) if each.id in places else -1 for each in annotated.objects]
    return [1 << region if region >= 0 else 0 for region in regions]
