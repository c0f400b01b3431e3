"""The log-linear scorer: sums and gradients against trying everything, and what it learns."""

from __future__ import annotations

from collections import Counter
from math import exp, log
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recombine.models.nqg.forest.chart import ChartParser
from recombine.models.nqg.forest.forest_kernels import Scores, inside, link_starts, outside, viterbi
from recombine.models.nqg.forest.kbest import Derivation, KBest, best_derivation, target_of
from recombine.models.nqg.grammar import Qcfg
from recombine.models.nqg.nqg_options import FEATURES
from recombine.models.nqg.rule import QcfgRule, tokens
from recombine.models.nqg.scoring.loglinear import KINDS, join, surroundings, train


def random_scores(forest, seed: int) -> Scores:  # type: ignore[no-untyped-def]
    """Scores of rules, of rules below rules, and none for edges: what a slow sum can know too."""
    generator = np.random.default_rng(seed)
    table = generator.normal(size=(50, 50))
    starts = link_starts(forest)
    links = np.empty(starts[-1])
    for group in range(forest.node_at.size - 1):
        for port in range(forest.port_at[group], forest.port_at[group + 1]):
            below = forest.rule[forest.node_at[group] : forest.node_at[group + 1]]
            links[starts[port] : starts[port + 1]] = table[forest.key[port], below]
    return Scores(table[49, forest.rule], np.zeros(forest.edges.shape[0]), starts, links)


def as_tree(found: Derivation, rules: list[QcfgRule]):  # type: ignore[no-untyped-def]
    return (rules[found.rule], *(as_tree(child, rules) for child in found.children))


def slow_score(tree, rules: list[QcfgRule], key: int, table) -> float:  # type: ignore[no-untyped-def]
    number = rules.index(tree[0])
    below = sum(slow_score(child, rules, 2 * number + slot, table) for slot, child in enumerate(tree[1:]))
    return float(table[49, number] + table[key, number]) + below


@settings(deadline=None, max_examples=60)
@given(data=st.data(), seed=st.integers(0, 100))
def test_sums_and_best_scores_are_those_of_all_derivations(data, seed: int, grammars, derivations) -> None:  # type: ignore[no-untyped-def]
    rules, source = data.draw(grammars[0]), data.draw(grammars[1])
    trees = derivations(rules, source)
    if not 0 < len(trees) < 500:
        return
    forest = ChartParser(Qcfg(tuple(rules))).parse(source).packed  # type: ignore[union-attr]
    scores = random_scores(forest, seed)
    table = np.random.default_rng(seed).normal(size=(50, 50))
    slow = sorted((slow_score(tree, rules, 2 * len(rules), table) for tree in trees), reverse=True)
    assert inside(forest, scores)[2][0] == pytest.approx(log(sum(map(exp, slow))))
    assert [found.score for found in KBest(forest, scores)] == pytest.approx(slow)
    assert viterbi(forest, scores)[2][forest.root].max() == pytest.approx(slow[0])
    best = best_derivation(forest, scores)
    assert best.score == pytest.approx(slow[0])
    assert slow_score(as_tree(best, rules), rules, 2 * len(rules), table) == pytest.approx(slow[0])
    assert as_tree(best, rules) in trees


@settings(deadline=None, max_examples=30)
@given(data=st.data(), seed=st.integers(0, 100))
def test_uses_are_the_slope_of_the_sum(data, seed: int, grammars) -> None:  # type: ignore[no-untyped-def]
    rules = data.draw(grammars[0])
    parser = ChartParser(Qcfg(tuple(rules)))
    forests = [parser.parse(data.draw(grammars[1])) for _ in range(2)]
    packed = [forest.packed for forest in forests if forest is not None]
    if not packed:
        return
    forest = join(packed)
    scores = random_scores(forest, seed)
    weight = np.arange(1.0, len(packed) + 1)
    uses = outside(forest, scores, *inside(forest, scores), weight)
    for part, use in zip((scores.node, scores.edge, scores.link), uses, strict=True):
        at = seed % part.size
        part[at] += 1e-4
        above = weight @ inside(forest, scores)[2]
        part[at] -= 2e-4
        below = weight @ inside(forest, scores)[2]
        part[at] += 1e-4
        assert use[at] == pytest.approx((above - below) / 2e-4, abs=1e-5)


GRAMMAR = Qcfg.parse(
    "a ### A\nb ### B\nNT_1 twice ### NT_1 NT_1\nNT_1 and NT_2 ### NT_1 NT_2\nplease NT_1 ### NT_1\nNT_1 x ### ( NT_1 )"
)
PAIRS = [("a and b twice", "A B B"), ("b and a twice", "B A A"), ("a twice", "A A"), ("a and b", "A B")]


def trained(**options):  # type: ignore[no-untyped-def]
    parser = ChartParser(GRAMMAR)
    pairs = [(tokens(source), tokens(target)) for source, target in PAIRS]
    forests = [(parser.parse(source).packed, parser.parse(source, target).packed) for source, target in pairs]  # type: ignore[union-attr]
    return train(GRAMMAR.rules, forests, **options)


def first_target(scorer, source: str) -> str:  # type: ignore[no-untyped-def]
    parser = ChartParser(GRAMMAR)
    forest = parser.parse(tokens(source)).packed  # type: ignore[union-attr]

    def target(found) -> tuple[str, ...]:  # type: ignore[no-untyped-def]
        return GRAMMAR.rules[found.rule].apply(*map(target, found.children))

    return " ".join(target(next(iter(KBest(forest, scorer.scores(forest, tokens(source)))))))


@pytest.mark.parametrize("features", [("pairs",), ("pairs", "shapes", "borders")])
def test_training_learns_what_to_prefer(features: tuple[str, ...]) -> None:
    scorer = trained(features=features)
    assert first_target(scorer, "b and b and a twice") == "B B A A"
    assert {int(key) % 8 for key in scorer.keys} <= {"pairs": {0}}.get(features[-1], set(range(6)))


def test_rules_alone_cannot_tell_the_two_readings_apart() -> None:
    scorer = trained(features=())
    parser = ChartParser(GRAMMAR)
    forest = parser.parse(tokens("a and b twice")).packed  # type: ignore[union-attr]
    assert len({found.score for found in KBest(forest, scorer.scores(forest, ()))}) == 1


def test_training_is_exact_in_the_likelihood() -> None:
    # Two derivations, one of them right: as the prior goes to 0, the right one's probability goes to 1.
    scorer = trained(prior=1e-4, steps=500)
    forest = ChartParser(GRAMMAR).parse(tokens("a and b twice")).packed  # type: ignore[union-attr]
    right, wrong = (found.score for found in KBest(forest, scorer.scores(forest, ())))
    assert 1 / (1 + exp(wrong - right)) > 0.99


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        (("NT_1 Z", "NT_1 W"), ("A X", "A Y")),  # only the last token in the slot, and what follows, tell them apart
        (("Z NT_1", "W NT_1"), ("X A", "Y A")),  # only the first token, and what stands before
    ],
)
def test_borders_see_the_tokens_that_meet(outer: tuple[str, str], inner: tuple[str, str]) -> None:
    grammar = Qcfg.parse(
        "\n".join([f"f NT_1 ### {outer[0]}", f"g NT_1 ### {outer[1]}", *(f"a ### {w}" for w in inner)])
    )
    parser = ChartParser(grammar)
    pairs = [(word, above.replace("NT_1", below)) for word, above, below in zip("fg", outer, inner, strict=True)]
    forests = [
        (parser.parse([word, "a"]).packed, parser.parse([word, "a"], tokens(target)).packed)  # type: ignore[union-attr]
        for word, target in pairs
    ]
    scorer = train(grammar.rules, forests, features=["borders"])
    for (any_target, own), (word, _) in zip(forests, pairs, strict=True):
        totals = [inside(forest, scorer.scores(forest, [word, "a"]))[2][0] for forest in (any_target, own)]
        assert exp(totals[1] - totals[0]) > 0.6  # each rule below is right once: without the border it is one half


def test_a_weight_of_two_is_two_examples() -> None:
    single, double = trained(weights=[2, 1, 1, 1]), trained(weights=[1, 1, 1, 1])
    assert np.abs(single.weights - double.weights).max() > 1e-4


def test_no_examples_give_no_weights() -> None:
    scorer = train(GRAMMAR.rules, [])
    forest = ChartParser(GRAMMAR).parse(["a"]).packed  # type: ignore[union-attr]
    assert scorer.scores(forest, ["a"]).node.tolist() == [0.0]


def test_surroundings_of_slots() -> None:
    rules = [
        QcfgRule.parse(text) for text in ("a NT_1 ### f ( NT_1 )", "NT_1 NT_2 ### NT_2 , NT_1", "b NT_1 ### g ( NT_1 )")
    ]
    around = surroundings(rules)
    left, right = around.left.tolist(), around.right.tolist()
    assert left[0] != left[4]  # f ( and g (
    assert right[0] == right[4]  # )
    assert left[2] >= 0
    assert left[3] == -1  # NT_2 comes first in its target
    assert right[2] == -1
    assert around.between.tolist()[1][1] == 1  # the slots change places
    assert around.shape[0] == around.shape[2] != around.shape[1]
    assert Counter(around.between[:, 0].tolist())[-1] == 2


def test_the_best_derivations_have_the_scores_of_their_edges() -> None:
    # "a a a" is a | a a or a a | a: two edges of one node, and nothing but edges has a score.
    parser = ChartParser(Qcfg.parse("a ### A\nNT_1 NT_2 ### NT_1 NT_2"))
    forest = parser.parse(["a"] * 3).packed  # type: ignore[union-attr]
    starts = link_starts(forest)
    edges = np.zeros(forest.edges.shape[0])
    edges[-2:] = 3.0, 10.0  # the root's node is the last, and a span of one or two words has one edge
    scores = Scores(np.zeros(forest.rule.size), edges, starts, np.zeros(starts[-1]))
    assert [found.score for found in KBest(forest, scores)] == [10.0, 3.0]
    assert best_derivation(forest, scores).score == 10.0
    assert inside(forest, scores)[2][0] == pytest.approx(log(exp(10.0) + exp(3.0)))


@settings(deadline=None, max_examples=40)
@given(data=st.data(), seed=st.integers(0, 100))
def test_sums_and_best_scores_agree_on_edges(data, seed: int, grammars, derivations) -> None:  # type: ignore[no-untyped-def]
    rules, source = data.draw(grammars[0]), data.draw(grammars[1])
    if not 0 < len(derivations(rules, source)) < 300:
        return
    forest = ChartParser(Qcfg(tuple(rules))).parse(source).packed  # type: ignore[union-attr]
    scores = random_scores(forest, seed)
    scores.edge[:] = np.random.default_rng(seed + 1).normal(size=scores.edge.size)
    listed = [found.score for found in KBest(forest, scores)]
    assert listed == sorted(listed, reverse=True)
    assert inside(forest, scores)[2][0] == pytest.approx(log(sum(map(exp, listed))))
    assert best_derivation(forest, scores).score == pytest.approx(listed[0])


# Words with two targets and several readings, so that every kind of feature tells right from wrong somewhere.
AMBIGUOUS = Qcfg.parse(
    "a ### A\na ### C\nb ### B\nNT_1 twice ### NT_1 NT_1\nNT_1 and NT_2 ### NT_1 NT_2\n"
    "NT_1 after NT_2 ### NT_2 , NT_1\nNT_1 x ### ( NT_1 )"
)
READINGS = [("a and b x", "A ( B )"), ("b after a twice", "C C , B"), ("b and a x", "( B A )"), ("a twice", "A A")]


@pytest.mark.parametrize("features", [(), ("pairs",), ("shapes",), ("borders",), FEATURES])
def test_the_objective_and_its_gradient(features: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """The objective is recomputed from listed derivations, its gradient from the objective a little to both sides."""
    rules, parser = AMBIGUOUS.rules, ChartParser(AMBIGUOUS)
    amount, prior, centre = [2.0, 1.0, 0.5, 3.0], 0.7, np.linspace(-1.0, 2.0, len(rules))
    given = {}

    def stop_at(loss, start, **_):  # type: ignore[no-untyped-def]
        theta = start + np.random.default_rng(3).normal(size=start.size)
        theta[len(rules)] = 0.0  # stands for no feature
        given.update(loss=loss, theta=theta)
        return SimpleNamespace(x=theta)

    monkeypatch.setattr("scipy.optimize.minimize", stop_at)
    pairs = [(tokens(source), tokens(target)) for source, target in READINGS]
    forests = [(parser.parse(source).packed, parser.parse(source, target).packed) for source, target in pairs]  # type: ignore[union-attr]
    scorer = train(rules, forests, features=features, weights=amount, prior=prior, centre=centre)
    theta, loss = given["theta"], given["loss"]
    assert theta.size == len(rules) + 1 + scorer.keys.size

    expected = 0.5 * prior * (((scorer.rules - centre) ** 2).sum() + (scorer.weights**2).sum())
    for weight, (forest, _), (source, target) in zip(amount, forests, pairs, strict=True):
        every = list(KBest(forest, scorer.scores(forest, source)))
        right = [found for found in every if target_of(found, rules) == tuple(target)]
        assert 0 < len(right) < len(every)
        sums = [sum(exp(found.score) for found in some) for some in (every, right)]
        expected += weight * (log(sums[0]) - log(sums[1]))
    assert loss(theta)[0] == pytest.approx(expected)

    gradient = loss(theta)[1]
    slopes = np.zeros(theta.size)
    for place in range(theta.size):
        step = np.zeros(theta.size)
        step[place] = 1e-5
        slopes[place] = (loss(theta + step)[0] - loss(theta - step)[0]) / 2e-5
    slopes[len(rules)] = 0.0
    assert gradient == pytest.approx(slopes, abs=1e-6)
    # Every kind of feature has a slope of the likelihood's own, or this test would not see it missing.
    own = slopes[len(rules) + 1 :] - prior * scorer.weights
    kinds = {int(key) % 8 for key, slope in zip(scorer.keys, own, strict=True) if abs(slope) > 1e-3}
    assert kinds == {kind for name in features for kind in KINDS[name]}
