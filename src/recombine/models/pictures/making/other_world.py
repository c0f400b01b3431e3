"""Other scenes, their pictures and descriptions, each made when it is asked for.

They are of the synthetic world, or of a file of one's own with its pictures beside it; none is a question's.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.errors import InputFileError
from recombine.models.pictures.making.make_descriptions import make_descriptions
from recombine.models.pictures.making.other_scenes import check_apart, other_scenes
from recombine.models.pictures.making.scene_pictures import drawn, looking_in, scene_pictures
from recombine.scenes.files.find_pictures import find_pictures
from recombine.scenes.files.write_scenes import scenes_bytes
from recombine.scenes.related.exclusion import DifferentNames, Exclusion, OntologyExclusion
from recombine.scenes.related.find_exclusion import not_in_ontology
from recombine.scenes.synthetic.ontology import find_ontology

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recombine.models.pictures.making.array_settings import ArraySettings
    from recombine.models.pictures.making.make_descriptions import Descriptions
    from recombine.models.pictures.making.scene_pictures import Look, ScenePictures
    from recombine.scenes.scene import Scene, Scenes


class OtherWorld:
    """What a detector and grounding learn from."""

    def __init__(self, settings: ArraySettings, *, than: Sequence[Scene], own: Scenes | None = None) -> None:
        """Take the scenes of questions, and other scenes of one's own in place of synthetic ones."""
        self.settings, self._than, self._own = settings, than, own
        if own is not None and own.pictures is None:
            remedy = "put them into NAME.pictures beside NAME.scenes.json"
            raise InputFileError("the other scenes have no pictures to look at", remedy)

    @cached_property
    def scenes(self) -> Sequence[Scene]:
        """The scenes; none is one that a question is about."""
        settings = self.settings
        own = self._own
        found = other_scenes(settings.other_scenes, seed=settings.other_seed, than=self._than) if own is None else own
        check_apart(found, self._than)
        return found

    @cached_property
    def digest(self) -> str:
        """A digest of scenes and pictures: those of the synthetic world are drawn from the scenes alone."""
        made = hashlib.blake2b(scenes_bytes(self.scenes, {}), digest_size=16)
        if self._own is not None and self._own.pictures is not None:
            for path in find_pictures(self.scenes, self._own.pictures).values():
                made.update(hashlib.blake2b(path.read_bytes()).digest())
        return made.hexdigest()

    @cached_property
    def pictures(self) -> ScenePictures:
        """Their pictures, with names and attributes."""
        settings = self.settings
        return scene_pictures(
            self.scenes,
            self._look(),
            seed=settings.other_seed,
            settings=settings.regions,
            labelled=True,
            side=settings.side,
        )

    @cached_property
    def descriptions(self) -> Descriptions:
        """Texts about them, with the regions that nouns mean."""
        settings = self.settings
        return make_descriptions(
            self.scenes,
            self.pictures.region_of,
            settings.descriptions,
            exclusion=self._exclusion(),
            seed=settings.other_seed,
            settings=settings.texts,
        )

    def _look(self) -> Look:
        if self._own is None or self._own.pictures is None:
            return drawn(self.settings.side)
        return looking_in(find_pictures(self.scenes, self._own.pictures), self.settings.side)

    def _exclusion(self) -> Exclusion:
        if self._own is None or not not_in_ontology(self._own):
            return OntologyExclusion(find_ontology())
        return DifferentNames(self._own.attribute_types)
