"""The score of an anchored rule from encodings of the source (NQG-T5 paper, App. A.3, second equation).

    φ(r, i, j, x) = f_s([w_i, w_j]) + e_r · f_r([w_i, w_j])

Here w_i is the encoding of the first piece of the first token of the span and w_j that of the last piece of its last;
f_s and f_r are feed-forward networks with one hidden layer of d units, and e_r is the embedding of the rule, of size d.
Their hidden layers are linear in w_i and w_j before the non-linearity, so each half is computed once for each piece and
added for each span.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import relu

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recombine.models.nqg.forest.forest_kernels import Packed
    from recombine.models.nqg.scoring.encoders import PretrainedEncoder, Reading, SmallEncoder
    from recombine.models.nqg.scoring.neural_settings import NeuralSettings

    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Anchors:
    """The distinct spans and anchored rules of a source's forests."""

    spans: Ints  # (spans, 2): first token, and the one after the last
    span: Ints  # (anchored rules): the span of each
    rule: Ints  # (anchored rules)
    node: Ints  # (nodes): the anchored rule of each

    @classmethod
    def of(cls, forest: Packed, n_rules: int) -> Anchors:
        """Those of a forest, or of several forests of the same source in one."""
        spans = np.repeat(forest.span[:, :2].astype(np.int64), np.diff(forest.node_at), axis=0)
        width = int(spans.max(initial=0)) + 1
        keys, node = np.unique((spans[:, 0] * width + spans[:, 1]) * n_rules + forest.rule, return_inverse=True)
        places, span = np.unique(keys // n_rules, return_inverse=True)
        return cls(np.stack([places // width, places % width], axis=1), span, keys % n_rules, node)


TOGETHER = {"cpu": 64, "cuda": 512}
"""The most sources that are encoded at once, by the kind of device; a GPU is quicker with padding than with parts."""


class SpanScorer(nn.Module):
    """An encoder, f_s, f_r and the embeddings of rules; before training all scores are 0."""

    def __init__(self, settings: NeuralSettings, encoder: SmallEncoder | PretrainedEncoder, n_rules: int) -> None:
        super().__init__()
        self.encoder = encoder
        hidden = settings.hidden
        self.dropout = nn.Dropout(settings.dropout)
        self.left = nn.Linear(encoder.width, 2 * hidden)  # the hidden layers of f_s and f_r side by side
        self.right = nn.Linear(encoder.width, 2 * hidden, bias=False)
        self.span = nn.Linear(hidden, 1)
        self.rule = nn.Linear(hidden, hidden)
        self.embedding = nn.Embedding(n_rules, hidden)
        for last in (self.span, self.rule):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.span.weight.device

    def forward(self, readings: Sequence[Reading], anchors: Sequence[Anchors]) -> Tensor:
        """The scores of all anchored rules of a batch of sources, one source after another."""
        vectors = self.dropout(self._encode(readings))
        starts, ends, spans, pieces, before = [], [], [], 0, 0
        for reading, anchor in zip(readings, anchors, strict=True):
            starts.append(np.asarray(reading.first)[anchor.spans[:, 0]] + pieces)
            ends.append(np.asarray(reading.last)[anchor.spans[:, 1] - 1] + pieces)
            spans.append(anchor.span + before)
            pieces += len(reading.pieces)
            before += len(anchor.spans)
        left, right = self.left(vectors), self.right(vectors)
        hidden = relu(left.index_select(0, self._index(starts)) + right.index_select(0, self._index(ends)))
        for_span, for_rule = hidden.chunk(2, dim=1)
        span, rule = self._index(spans), self._index([anchor.rule for anchor in anchors])
        plain = self.span(for_span).squeeze(1).index_select(0, span)
        return plain + (self.rule(for_rule).index_select(0, span) * self.embedding(rule)).sum(dim=1)  # type: ignore[no-any-return]

    def _encode(self, readings: Sequence[Reading]) -> Tensor:
        """The encodings of the pieces of all sources, one source after another.

        Sources of like length are encoded together, so that little is computed for padding.
        """
        order = sorted(range(len(readings)), key=lambda k: len(readings[k].pieces))
        encodings: list[Tensor] = [torch.empty(0)] * len(readings)
        together = TOGETHER.get(self.device.type, TOGETHER["cpu"])
        for at in range(0, len(order), together):
            chosen = order[at : at + together]
            vectors = self.encoder([readings[k] for k in chosen])
            for k, row in zip(chosen, vectors.unbind(), strict=True):
                encodings[k] = row[: len(readings[k].pieces)]
        return torch.cat(encodings)

    def _index(self, parts: Sequence[Ints]) -> Tensor:
        return torch.from_numpy(np.concatenate(parts)).to(self.device)
