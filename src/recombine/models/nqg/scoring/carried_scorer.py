"""What a scorer learns from and is asked, as a file to be carried to another machine, and the scores that come back.

There, torch is enough: forests are summed level by level (see `level_sums`), and what comes back are the scores of the
anchored rules of each source that is asked. Where there is a grammar, they are joined to its forests again.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from recombine.errors import InputFileError
from recombine.files import read_bytes, write_whole
from recombine.models.nqg.scoring.level_sums import Levelled
from recombine.models.nqg.scoring.span_scorer import Anchors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from recombine.models.nqg.scoring.neural_settings import NeuralSettings
    from recombine.models.nqg.scoring.scorer_training import Kept, Material

_ANCHORS = ("spans", "span", "rule")
_TERMS = ("rules", "features", "weights", "centre")


@dataclass(frozen=True)
class CarriedScorer:
    """Sources to learn from, with forests and anchored rules, the weights to start from, and sources to be asked."""

    sources: Sequence[Sequence[str]]
    anchors: Sequence[Anchors]
    parts: Sequence[Levelled]
    terms: dict[str, NDArray[np.float64]]
    """What `Material` has: weights of rules and features at the start, of sources, and the centre of the prior."""
    prior: float
    asked: Sequence[Sequence[str]]
    asked_anchors: Sequence[Anchors]

    @classmethod
    def of(
        cls,
        material: Material,
        parts: Sequence[Levelled],
        asked: Sequence[Sequence[str]],
        asked_anchors: Sequence[Anchors],
    ) -> CarriedScorer:
        """One made of what a scorer learns from, whose forests are in levels, and of what it is asked."""
        terms = {name: getattr(material, name) for name in _TERMS}
        return cls(material.sources, material.anchors, parts, terms, material.prior, asked, asked_anchors)

    def write(self, path: Path) -> None:
        """Write it to a file."""
        arrays: dict[str, Any] = {name: values.astype(np.float64) for name, values in self.terms.items()}
        arrays["prior"] = np.array([self.prior])
        for name, texts in (("sources", self.sources), ("asked", self.asked)):
            arrays[name] = np.frombuffer("\n".join(" ".join(text) for text in texts).encode(), np.uint8)
            arrays[f"{name}/number"] = np.array([len(texts)])
        for name, anchors in (("anchors", self.anchors), ("asked_anchors", self.asked_anchors)):
            for field in _ANCHORS:
                arrays |= _packed(f"{name}/{field}", [getattr(each, field) for each in anchors])
        for field in Levelled._fields:
            arrays |= _packed(f"parts/{field}", [getattr(each, field) for each in self.parts])
        stream = io.BytesIO()
        np.savez_compressed(stream, **arrays)
        write_whole(path, stream.getvalue())

    @classmethod
    def read(cls, path: Path) -> CarriedScorer:
        """One from its file."""
        try:
            with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            parts = zip(*(_unpacked(arrays, f"parts/{field}") for field in Levelled._fields), strict=True)
            return cls(
                _texts(arrays, "sources"),
                _anchors(arrays, "anchors"),
                [Levelled(*each) for each in parts],
                {name: arrays[name] for name in _TERMS},
                float(arrays["prior"][0]),
                _texts(arrays, "asked"),
                _anchors(arrays, "asked_anchors"),
            )
        except (KeyError, ValueError, OSError, EOFError, BadZipFile) as error:
            raise InputFileError(f"{path}: not a carried scorer ({error})", "export again") from None

    def train(
        self, settings: NeuralSettings, *, seed: int, device: str, kept: Kept | None = None
    ) -> dict[str, NDArray[Any]]:
        """Train, ask, and give what is to be carried back: scores, and the weights of rules and features."""
        import torch

        from recombine.models.nqg.scoring.level_sums import LevelSums
        from recombine.models.nqg.scoring.scorer_training import Material, train_network

        batch = partial(LevelSums.of, device=device)
        material = Material(self.sources, self.anchors, self.parts, batch, prior=self.prior, **self.terms)
        training = train_network(material, settings, seed=seed, device=device, kept=kept)
        network = training.network
        with torch.inference_mode():
            rows = [
                network([network.encoder.read(source)], [anchors]).cpu().numpy()
                for source, anchors in zip(self.asked, self.asked_anchors, strict=True)
            ]
        terms = {name: getattr(training, name).detach().cpu().numpy() for name in ("rules", "features")}
        return {"scores": np.concatenate([np.empty(0, np.float32), *rows]).astype(np.float32), **terms}

    def scores(self, returned: NDArray[np.float32]) -> dict[tuple[str, ...], NDArray[np.float32]]:
        """The scores that came back, by source."""
        sizes = [anchors.rule.size for anchors in self.asked_anchors]
        if sum(sizes) != returned.size:
            raise InputFileError(
                f"{returned.size} scores came back, and {sum(sizes)} were asked for", "collect what this folder made"
            )
        ends = np.cumsum([0, *sizes])
        return {
            tuple(source): returned[low:high] for source, low, high in zip(self.asked, ends, ends[1:], strict=False)
        }


def _packed(name: str, rows: Sequence[NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Arrays of one number of columns as one, and where each begins."""
    whole = np.concatenate([np.asarray(row, np.int32) for row in rows]) if rows else np.empty(0, np.int32)
    return {name: whole, f"{name}/at": np.cumsum([0, *(len(row) for row in rows)], dtype=np.int64)}


def _unpacked(arrays: dict[str, NDArray[Any]], name: str) -> list[NDArray[np.int64]]:
    ends = arrays[f"{name}/at"]
    whole = arrays[name].astype(np.int64)
    return [whole[low:high] for low, high in pairwise(ends)]


def _texts(arrays: dict[str, NDArray[Any]], name: str) -> list[tuple[str, ...]]:
    lines = arrays[name].tobytes().decode().split("\n")
    return [tuple(line.split(" ")) for line in lines] if int(arrays[f"{name}/number"][0]) else []


def _anchors(arrays: dict[str, NDArray[Any]], name: str) -> list[Anchors]:
    """Anchored rules; which node each belongs to is known where the forests are."""
    rows = zip(*(_unpacked(arrays, f"{name}/{field}") for field in _ANCHORS), strict=True)
    return [Anchors(spans, span, rule, np.empty(0, np.int64)) for spans, span, rule in rows]
