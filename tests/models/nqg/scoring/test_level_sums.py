"""Sums level by level: the same numbers and gradients as the compiled ones, on forests of a real shape."""

from __future__ import annotations

import numpy as np
import pytest

from recombine.models.nqg.induction.induction_settings import InductionSettings
from recombine.models.nqg.model import Nqg
from recombine.models.nqg.scoring.neural_settings import NeuralSettings

torch = pytest.importorskip("torch")

from recombine.models.nqg.scoring.forest_torch import batch  # noqa: E402
from recombine.models.nqg.scoring.level_sums import Levelled, LevelSums, joined  # noqa: E402
from recombine.models.nqg.scoring.neural import Prepared  # noqa: E402

WORDS = {"jump": "J", "walk": "W", "look": "L"}
PAIRS = [
    *WORDS.items(),
    *((f"{word} twice", f"{sign} {sign}") for word, sign in WORDS.items()),
    *((f"{one} and {two}", f"{WORDS[one]} {WORDS[two]}") for one in WORDS for two in WORDS),
    ("jump and walk and look twice", "J W L L"),
    ("walk twice and jump and jump", "W W J J"),
]


@pytest.fixture(scope="module", params=[(), ("pairs", "borders")], ids=["alone", "features"])
def prepared(request: pytest.FixtureRequest) -> Prepared:
    """Examples with several derivations, some with features beside the rules."""
    settings = NeuralSettings(features=request.param, warm_start=False)
    parser = Nqg(InductionSettings(restarts=1, effort=0.0), scorer="neural", neural=settings, members=1)
    return parser.fit_grammar(PAIRS).prepare(PAIRS)


def both(prepared: Prepared, chosen: list[int]) -> list[list[torch.Tensor]]:
    """Sums and the gradients of a weighted sum of them, compiled and by level."""
    indexed = [prepared.indexed[k] for k in chosen]
    generator = torch.Generator().manual_seed(3)
    found = []
    for sums in (batch(indexed), LevelSums.of([Levelled.of(each) for each in indexed])):
        generator.manual_seed(3)
        sizes = (sum(each.scored for each in indexed), prepared.material.rules.size, prepared.material.features.size)
        parts = [torch.randn(size, dtype=torch.float64, generator=generator) for size in sizes]
        parts[2][0] = 0.0
        nodes, rules, features = (part.requires_grad_() for part in parts)
        made = sums.log_sums(nodes, rules, features)
        (made * torch.arange(1.0, made.numel() + 1)).sum().backward()
        gradients = [part.grad if part.grad is not None else torch.zeros_like(part) for part in parts]
        found.append([made.detach(), *gradients])
    return found


def test_sums_and_gradients_are_the_compiled_ones(prepared: Prepared) -> None:
    assert max(np.diff(each.forest.node_at).max() for each in prepared.indexed) > 1  # spans with a choice of rules
    assert max(Levelled.of(each).node_level.max() for each in prepared.indexed) > 2
    for chosen in (list(range(len(PAIRS))), [13, 2, 14]):
        for one, two in zip(*both(prepared, chosen), strict=True):
            assert torch.allclose(one, two, rtol=1e-10, atol=1e-10)
        assert both(prepared, chosen)[1][0].numel() == 2 * len(chosen)


def test_the_first_feature_is_none_and_is_not_trained(prepared: Prepared) -> None:
    assert both(prepared, [13, 14])[1][3][0] == 0.0
    parts = [Levelled.of(prepared.indexed[14])]
    material = prepared.material
    nodes = torch.zeros(int(parts[0].counts[0]))
    rules = torch.zeros(material.rules.size, dtype=torch.float64)
    features = torch.zeros(material.features.size, dtype=torch.float64)
    plain = LevelSums.of(parts).log_sums(nodes, rules, features)
    features[0] = 5.0
    assert torch.equal(LevelSums.of(parts).log_sums(nodes, rules, features), plain)


def test_joining_counts_on(prepared: Prepared) -> None:
    one, two = (Levelled.of(prepared.indexed[k]) for k in (13, 14))
    made = joined([one, two])
    assert made.counts.tolist() == [int(one.counts[0] + two.counts[0]), 4]
    assert made.edge_node[one.edge_node.size :].tolist() == (two.edge_node + one.rule.size).tolist()
    assert (made.edge_ports < 0).sum() == (one.edge_ports < 0).sum() + (two.edge_ports < 0).sum()
    assert made.scored[one.scored.size :].min() == one.counts[0]
