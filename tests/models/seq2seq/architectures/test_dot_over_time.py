"""Attention over time against the same in plain torch, whose gradients autograd makes step by step."""

import torch
from torch import Tensor

from recombine.models.seq2seq.architectures.dot_over_time import dot_over_time

K, B, S, H, G, STEPS = 2, 3, 4, 5, 6, 3
UNSEEN = torch.arange(S) >= torch.tensor([[4, 2, 1], [3, 4, 2]])[..., None]


def _plain(keys: Tensor, values: Tensor, query: Tensor) -> tuple[Tensor, Tensor]:
    scores = (keys * query[:, :, None]).sum(3)
    weights = scores.masked_fill(UNSEEN, float("-inf")).softmax(2)
    return weights, (weights[..., None] * values).sum(2)


def test_steps_and_all_their_gradients_are_those_of_plain_attention() -> None:
    """Each step's query comes of the mean before it, and the loss of weights and means of all steps."""
    noise = torch.Generator().manual_seed(3)

    def draw(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=noise, dtype=torch.float64).requires_grad_()

    keys, values, first, mix = draw(K, B, S, H), draw(K, B, S, G), draw(K, B, H), draw(K, G, H)
    shares, parts = draw(STEPS, K, B, S).detach(), draw(STEPS, K, B, G).detach()
    results = []
    for fused in (True, False):
        over_time = dot_over_time(keys, values, UNSEEN)
        query, loss, outputs = first, torch.zeros((), dtype=torch.float64), []
        for step in range(STEPS):
            weights, mean = over_time(query) if fused else _plain(keys, values, query)
            loss = loss + (weights * shares[step]).sum() + (mean * parts[step]).sum()
            query = torch.tanh(torch.bmm(mean, mix))
            outputs += [weights, mean]
        results.append([*outputs, *torch.autograd.grad(loss, [keys, values, first, mix])])
    for fused_tensor, plain_tensor in zip(*results, strict=True):
        torch.testing.assert_close(fused_tensor, plain_tensor)


def test_what_is_unseen_has_no_weight_and_no_gradient() -> None:
    keys, values = torch.ones(K, B, S, H, requires_grad=True), torch.ones(K, B, S, G, requires_grad=True)
    weights, mean = dot_over_time(keys, values, UNSEEN)(torch.ones(K, B, H))
    assert weights[UNSEEN].count_nonzero() == 0
    torch.testing.assert_close(weights.sum(2), torch.ones(K, B))
    (slope,) = torch.autograd.grad(mean.square().sum(), [values])
    assert slope[UNSEEN].count_nonzero() == 0
    assert slope[~UNSEEN].count_nonzero() == slope[~UNSEEN].numel()
