"""Log-sums over packed forests as a step of torch: the compiled inside sums forwards, the outside sums backwards.

The gradient of a log-sum by the score of a part is how often the part is used, expected over the derivations, and that
is what `outside` gives: exact, with no graph of small tensors. The sums run on the CPU in 64 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from recombine.models.nqg.forest.forest_kernels import Packed, Scores, inside, link_starts, outside
from recombine.models.nqg.scoring.loglinear import join

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Indexed:
    """Forests with the number of the score of each node, and of the features of each link and edge.

    Feature 0 is none; its weight must be 0. A link may have several.
    """

    forest: Packed
    node: Ints
    link: Ints  # (links, features of a link)
    edge: Ints
    scored: int
    """How many node scores there are; several nodes may share one."""

    def log_sums(self, nodes: Tensor, rules: Tensor, features: Tensor) -> Tensor:
        """The log-sum of each forest (forests), given scores of nodes, of rules and of features."""
        sums: Tensor = _LogSums.apply(nodes, rules, features, self)  # type: ignore[no-untyped-call]
        return sums


def batch(parts: Sequence[Indexed]) -> Indexed:
    """Several as one; their node scores are then those of the first, those of the second, and so on."""
    before = np.cumsum([0, *(part.scored for part in parts)])
    return Indexed(
        join([part.forest for part in parts]),
        np.concatenate([part.node + at for part, at in zip(parts, before, strict=False)]),
        np.concatenate([part.link for part in parts]),
        np.concatenate([part.edge for part in parts]),
        int(before[-1]),
    )


class _LogSums(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, nodes: Tensor, rules: Tensor, features: Tensor, indexed: Indexed) -> Tensor:
        forest = indexed.forest
        node, rule, feature = (part.detach().cpu().double().numpy() for part in (nodes, rules, features))
        scores = Scores(
            node[indexed.node] + rule[forest.rule],
            feature[indexed.edge],
            link_starts(forest),
            feature[indexed.link].sum(axis=1),
        )
        sums = inside(forest, scores)
        ctx.indexed, ctx.scores, ctx.sums, ctx.like = indexed, scores, sums, (nodes, rules, features)
        return torch.from_numpy(sums[2]).to(nodes.device)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, weight: Tensor) -> tuple[Tensor | None, ...]:
        indexed, like = ctx.indexed, ctx.like
        node_use, edge_use, link_use = outside(indexed.forest, ctx.scores, *ctx.sums, weight.double().cpu().numpy())
        uses = [_sum(indexed.node, node_use, like[0]), None, None]
        if ctx.needs_input_grad[1]:
            uses[1] = _sum(indexed.forest.rule, node_use, like[1])
        if ctx.needs_input_grad[2]:
            total = _sum(indexed.edge, edge_use, like[2])
            for column in indexed.link.T:
                total += _sum(column, link_use, like[2])
            total[0] = 0.0
            uses[2] = total
        return (*uses, None)


def _sum(places: Ints, amounts: Floats, like: Tensor) -> Tensor:
    """The amounts summed by place, as a tensor of the size and kind of another."""
    return torch.from_numpy(np.bincount(places, amounts, like.numel())).to(like)
