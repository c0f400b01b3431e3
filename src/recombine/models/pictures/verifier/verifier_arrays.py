"""What the verifier learns from and is judged by, as arrays: pictures, pairs in words, labelled pairs, five folds.

Pictures are of scenes as they are; pairs come from scenes as they are annotated. A noun of a positive means the regions
of objects that its annotation names, or names in a way that does not exclude it. Labelled pairs, for which people look
at pictures (441 in the paper), come from the truth graphs here: they serve to stop training early and to choose
thresholds, never to train. Pairs that are judged in the end are others again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from recombine.errors import InputFileError
from recombine.files import make_folder, read_text, write_whole
from recombine.models.pictures.arrays.array_file import read_arrays, write_arrays
from recombine.models.pictures.arrays.grounding_arrays import GroundingArrays
from recombine.models.pictures.arrays.picture_arrays import PictureArrays

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

LEARNED, LABELLED, JUDGED = 0, 1, 2
"""What a pair is for."""
FOLDS = 5
PICTURES, PAIRS, WORDS = "pictures.npz", "pairs.npz", "words.json"
TYPE_NAMES = ("noun", "relation", "attribute")


def fold_of(scene: str, folds: int = FOLDS) -> int:
    """The fold of a scene, by its id alone.

    >>> fold_of("s000001") == fold_of("s000001"), 0 <= fold_of("x") < 5
    (True, True)
    """
    return int.from_bytes(hashlib.blake2b(scene.encode(), digest_size=8).digest()) % folds


class Pairs(NamedTuple):
    """Rows of pairs: what each is for, and the type of its changed node by its place in `TYPE_NAMES`, or -1."""

    part: NDArray[np.int8]
    type: NDArray[np.int8]


@dataclass
class VerifierArrays:
    """All that a verifier is trained from."""

    words: list[str]
    pictures: PictureArrays
    texts: GroundingArrays
    pairs: Pairs
    region_seed: int = 0
    """The seed of the regions of pictures."""

    @property
    def folds(self) -> NDArray[np.int64]:
        """The fold of each pair: that of its picture."""
        return np.array([fold_of(each) for each in self.pictures.ids], dtype=np.int64)[self.texts.picture]

    def rows(self, part: int, *, fold: int | None = None, other_folds: bool = False) -> NDArray[np.int64]:
        """The pairs that are for one thing, of a fold alone or of all others."""
        chosen = self.pairs.part == part
        if fold is not None:
            chosen &= (self.folds != fold) if other_folds else (self.folds == fold)
        return np.flatnonzero(chosen)

    def write(self, folder: Path | str) -> None:
        """Write a folder that `read_verifier_arrays` reads."""
        path = make_folder(folder)
        self.pictures.write(path / PICTURES)
        write_arrays(path / PAIRS, {**self.texts.packed(), "part": self.pairs.part, "type": self.pairs.type})
        write_whole(path / WORDS, json.dumps({"words": self.words, "region_seed": self.region_seed}).encode())


def read_verifier_arrays(folder: Path) -> VerifierArrays:
    """The arrays of such a folder."""
    pairs = read_arrays(folder / PAIRS)
    try:
        said = json.loads(read_text(folder / WORDS))
        made = VerifierArrays(
            said["words"],
            PictureArrays.read(folder / PICTURES),
            GroundingArrays.unpacked(pairs),
            Pairs(pairs["part"], pairs["type"]),
            said["region_seed"],
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InputFileError(f"{folder}: holds no arrays of a verifier ({error})", "make the arrays again") from None
    if made.texts.tokens.max(initial=0) >= len(made.words):
        raise InputFileError(f"{folder / WORDS}: has fewer words than the pairs", "make the arrays again")
    return made
