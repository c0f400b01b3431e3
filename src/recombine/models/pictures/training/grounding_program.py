"""The second stage: descriptions of a picture, and which of its regions each noun means.

The loss is that of one yes or no for each noun and region, and, where it is known, of one for whether the description
holds of the picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from recombine.models.pictures.nets.grounding_head import (
    grounding_parameters,
    picture_vectors,
    presence_scores,
    word_scores,
)
from recombine.models.pictures.nets.region_reader import read_regions, region_parameters
from recombine.models.pictures.nets.text_encoder import read_text, text_parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from recombine.models.pictures.arrays.grounding_arrays import GroundingArrays
    from recombine.models.pictures.nets.linear import Weights
    from recombine.models.pictures.nets.picture_tables import PictureTables
    from recombine.models.pictures.picture_settings import PictureSettings
    from recombine.models.seq2seq.architectures.parameters import Parameter

    Ints = NDArray[np.int64]
    Compute = Callable[[Weights, Tensor], Tensor]

BATCH = 1024
"""Descriptions judged at once, of all replicas together."""


class GroundingProgram:
    """Descriptions on the device, and what replicas compute of them."""

    def __init__(
        self, settings: PictureSettings, tables: PictureTables, grounding: GroundingArrays, words: int, device: str
    ) -> None:
        self.settings, self.tables, self.words, self.device = settings, tables, words, device
        kinds = (grounding.tokens, grounding.picture, grounding.nouns, grounding.means, grounding.present)
        self._tokens, self._picture, self._nouns, self._means, self._present = (
            torch.from_numpy(each.astype(np.int64)).to(device) for each in kinds
        )

    def pair_of(self, rows: Ints) -> Ints | None:
        """Descriptions have no twins."""
        del rows
        return None

    def parameters(self) -> list[Parameter]:
        """The weights of one replica."""
        s = self.settings
        return [*text_parameters(s, self.words), *region_parameters(s), *grounding_parameters(s)]

    def scores(self, w: Weights, rows: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of rows (K, B): scores of nouns and regions (K, B, P, R), which of them count, and of presence (K, B)."""
        s = self.settings
        tokens, nouns = self._tokens[rows], self._nouns[rows]
        lengths = (tokens != 0).sum(2)
        features, places, regions = self.tables.take(self._picture[rows][..., None])
        text = read_text(s, w, tokens)
        read = read_regions(s, w, text, lengths, features, places, regions)
        at = (nouns[..., None] == torch.arange(text.shape[2], device=rows.device)).to(text.dtype)  # (K, B, P, L)
        scores = word_scores(w, at @ text, read[:, :, :, 1:])[:, :, 0]
        there = torch.arange(scores.shape[3], device=rows.device) < regions
        counted = (nouns >= 0)[..., None] & there[:, :, None]
        pictures = picture_vectors(s, w, text, lengths, read, regions)
        return scores, counted, presence_scores(w, pictures)[..., 0]

    def gold(self, rows: Tensor, regions: int) -> Tensor:
        """Whether each noun means each region: (K, B, P, R)."""
        return (self._means[rows][..., None] >> torch.arange(regions, device=rows.device)) & 1

    def loss(self, weights: Weights, rows: Tensor) -> Tensor:
        """The loss of each replica (K,) on its rows (K, B)."""
        scores, counted, presence = self.scores(weights, rows)
        gold = self.gold(rows, scores.shape[3]).float()
        wrong = functional.binary_cross_entropy_with_logits(scores, gold, reduction="none") * counted
        nouns = wrong.flatten(1).sum(1) / counted.flatten(1).sum(1).clamp(min=1)
        present = self._present[rows]
        known = present >= 0
        held = functional.binary_cross_entropy_with_logits(presence, (present > 0).float(), reduction="none") * known
        # A noun has a dozen regions, of which few are meant: their mean alone would weigh less than the presence.
        return 5 * nouns + 0.5 * held.sum(1) / known.sum(1).clamp(min=1)

    @torch.no_grad()
    def measure(self, weights: Weights, rows: Sequence[Ints]) -> list[float]:
        """The share of each replica's descriptions of which every noun means just the right regions."""
        right = self._over(weights, rows, self._whole)
        return [float(each.mean()) if len(each) else 0.0 for each in right]

    def _whole(self, w: Weights, rows: Tensor) -> Tensor:
        """Whether each description is wholly right: (K, B)."""
        scores, counted, _ = self.scores(w, rows)
        wrong = ((scores > 0) != self.gold(rows, scores.shape[3]).bool()) & counted
        return ~wrong.flatten(2).any(2)

    def _first(self, w: Weights, rows: Tensor) -> Tensor:
        """Of each description: whether its first noun is wholly right, and whether it means any region: (K, B, 2)."""
        scores, counted, _ = self.scores(w, rows)
        gold = self.gold(rows, scores.shape[3]).bool()
        wrong = ((scores > 0) != gold) & counted
        return torch.stack([~wrong[:, :, 0].any(2), gold[:, :, 0].any(2)], 2)

    @torch.no_grad()
    def first_noun(self, weights: Weights, rows: Ints) -> dict[str, float]:
        """Of the first replica: how often the first noun is wholly right, where it means a region and where none."""
        if not len(rows):
            return {}
        every = self._over(weights, [rows] * len(next(iter(weights.values()))), self._first)[0]
        right, some = every[:, 0], every[:, 1].astype(bool)
        return {"with": float(right[some].mean()), "without": float(right[~some].mean())}

    @torch.no_grad()
    def judge(self, weights: Weights, rows: Sequence[Ints]) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """For each replica's rows: probabilities of nouns and regions (n, P, R), and of presence (n,)."""
        both = self._over(weights, rows, self._judged)
        shape = (self._nouns.shape[1], self.tables.features.shape[1])
        return [(each[:, 1:].reshape(-1, *shape), each[:, 0]) for each in both]

    def _judged(self, w: Weights, rows: Tensor) -> Tensor:
        scores, counted, presence = self.scores(w, rows)
        return torch.cat([presence.sigmoid()[..., None], (scores.sigmoid() * counted).flatten(2)], 2)

    def _over(self, w: Weights, rows: Sequence[Ints], compute: Compute) -> list[NDArray[np.float32]]:
        return over_batches(w, rows, compute, self.device, BATCH)


def over_batches(
    w: Weights, rows: Sequence[Ints], compute: Compute, device: str, batch: int
) -> list[NDArray[np.float32]]:
    """What `compute` gives for the rows of each replica, batch by batch; short ones are filled up and cut again."""
    size = max(1, batch // len(rows))
    most = max(len(each) for each in rows)
    parts: list[list[NDArray[np.float32]]] = [[] for _ in rows]
    for start in range(0, most, size):
        here = [each[start : start + size] for each in rows]
        at = np.zeros((len(rows), max(map(len, here))), dtype=np.int64)
        for replica, each in enumerate(here):
            at[replica, : len(each)] = each
        out = compute(w, torch.from_numpy(at).to(device)).float().cpu().numpy()
        for replica, each in enumerate(here):
            parts[replica].append(out[replica, : len(each)])
    empty = np.zeros(0, dtype=np.float32)
    return [np.concatenate(each) if each else empty for each in parts]
