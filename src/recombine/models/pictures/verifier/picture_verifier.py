"""A trained verifier at work: every picture is judged by the reader of the fold that did not see it (COVR, App. B).

A text is read once for all pictures that it is asked of, and what was asked before is remembered.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from recombine.errors import InputFileError
from recombine.models.pictures.arrays.words import Words
from recombine.models.pictures.making.scene_pictures import drawn, looking_in, scene_pictures
from recombine.models.pictures.nets.grounding_head import picture_vectors, presence_scores
from recombine.models.pictures.nets.picture_tables import PictureTables
from recombine.models.pictures.nets.region_reader import read_regions
from recombine.models.pictures.nets.text_encoder import read_text
from recombine.models.pictures.verifier.simple_text import simple_text
from recombine.models.pictures.verifier.verifier_arrays import fold_of
from recombine.models.pictures.verifier.verifier_folder import read_verifier_folder
from recombine.progress import working
from recombine.scenes.files.find_pictures import find_pictures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.pictures.arrays.picture_arrays import PictureArrays
    from recombine.models.pictures.verifier.verifier_folder import SavedVerifier
    from recombine.scenes.related.verifier import Thresholds
    from recombine.scenes.scene import Scene
    from recombine.scenes.subgraph import Subgraph

_BATCH = 64
"""So many pictures are judged at once."""


class PictureVerifier:
    """Judges simple sub-graphs of pictures, which it has features of."""

    def __init__(self, saved: SavedVerifier, pictures: PictureArrays, *, device: str = "cpu") -> None:
        self._saved, self._device = saved, device
        self._words = Words(tuple(saved.words))
        self._places = pictures.places
        self._folds = np.array([fold_of(each, len(saved.readers)) for each in pictures.ids], dtype=np.int64)
        dtype = torch.bfloat16 if device.startswith("cuda") else torch.float32
        self._readers = [{name: value.to(device, dtype) for name, value in each.items()} for each in saved.readers]
        self._tables = PictureTables(saved.detector.features(pictures, device=device), pictures, device=device)
        self._known: dict[Subgraph, NDArray[np.float64]] = {}

    @property
    def thresholds(self) -> Thresholds:
        """Those that were chosen on labelled pairs."""
        return self._saved.thresholds

    def score(self, scene_id: str, simple: Subgraph) -> float:
        """How sure it is that the picture holds the sub-graph."""
        return float(self.scores([scene_id], simple)[0])

    def scores(self, scene_ids: Sequence[str], simple: Subgraph) -> NDArray[np.float64]:
        """The same for many pictures."""
        try:
            places = np.array([self._places[each] for each in scene_ids], dtype=np.int64)
        except KeyError as missing:
            raise InputFileError(f"the verifier has no picture of scene {missing}", "give all pictures") from missing
        known = self._known.get(simple)
        if known is None:
            known = self._known[simple] = np.full(len(self._places), np.nan)
        new = np.unique(places[np.isnan(known[places])])
        for fold in np.unique(self._folds[new]).tolist():
            some = new[self._folds[new] == fold]
            for start in range(0, len(some), _BATCH):
                part = some[start : start + _BATCH]
                known[part] = self._judge(self._readers[fold], part, simple)
        return known[places]

    @torch.inference_mode()
    def _judge(self, w: dict[str, torch.Tensor], places: NDArray[np.int64], simple: Subgraph) -> NDArray[np.float64]:
        """The presence of one text in some pictures, by one reader."""
        settings = self._saved.settings
        numbers = self._words.numbers(" ".join(simple_text(simple).words))
        tokens = torch.tensor(numbers, device=self._device)[None, None]
        features, boxes, regions = self._tables.take(torch.from_numpy(places).to(self._device)[None, None])
        lengths = (tokens != 0).sum(2)
        text = read_text(settings, w, tokens)
        read = read_regions(settings, w, text, lengths, features, boxes, regions)
        vectors = picture_vectors(settings, w, text, lengths, read, regions)
        return np.asarray(presence_scores(w, vectors)[0, 0].sigmoid().double().cpu().numpy())


def open_verifier(folder: Path | str, scenes: Sequence[Scene], pictures: Path | str | None) -> PictureVerifier:
    """The verifier of a folder for scenes with their pictures; without pictures they are drawn from the scenes."""
    saved = read_verifier_folder(Path(folder))
    look = drawn(saved.side) if pictures is None else looking_in(find_pictures(scenes, pictures), saved.side)
    with working("looking at pictures"):
        seen = scene_pictures(scenes, look, seed=saved.region_seed, side=saved.side)
        return PictureVerifier(saved, seen.arrays)
