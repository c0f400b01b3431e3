"""Fits the weights of CFQ's rules to the derivations of real questions, and writes them as a file that people can read.

    python benchmarks/cfq_weights.py [--part train] [--rounds 250] [--max-level 40] [--out weights.toml]

The weight of a rule in a place (as the n-th part of another rule) is fitted so that questions drawn at the levels of
the real ones use every rule in every place as often as the real ones do: the likelihood of all derivations given their
levels is as high as it can be. What could stand in a place and never does in train gets a small part (`--unseen`) of
what its rule has elsewhere: the parts of MCD1 differ in just such combinations. A share of the weights of words
(`--even-words`) is divided evenly. Then the weights of the rules at the top are fitted again so that frames have their
real shares when levels are drawn as the generator draws them, all levels alike. It prints how far rules are from those
of the other part, `dev`, which it does not see.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import orjson
from scipy.optimize import minimize

import recombine
from recombine.grammars.unification.generation.beside_rules import beside_rules
from recombine.grammars.unification.generation.draw_tree import Tree
from recombine.grammars.unification.generation.frames import Frames
from recombine.grammars.unification.generation.level_table import LevelTable, Place
from recombine.grammars.unification.generation.question_maker import level_shares
from recombine.grammars.unification.generation.ways import Ways
from recombine.grammars.unification.parsing.chart import Node
from recombine.grammars.unification.parsing.question_text import read_question
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_rule_set

HOLD = 1e-5
"""How strongly weights are held to the shares that rules have in their places."""
LARGEST = 43
"""The most grammar rules in a real question."""
LEAST = 0.02
"""The least share of its category that a rule has where it never stood."""
STEP = 0.3
"""What share of its way a weight at the top goes in a round; three of them can be above one another."""
Key = tuple[Place, int]
HEAD = """\
# How likely rules are when questions are drawn, fitted to the train part of CFQ's MCD1 by benchmarks/cfq_weights.py:
# for each place of a rule, what its parts are made of.
"""


def trees(parser: QuestionParser, part: str) -> list[Tree]:
    """The preferred grammar trees of the questions of a part."""
    data = recombine.load("cfq/mcd1")
    made = []
    for row in range(len(data)):
        example = data[row]
        if example.tags["part"] == part:
            found = parser.chart.parse(read_question(example.source).words)
            node = min((each for _, each in found), key=parser._cost) if len(found) > 1 else found[0][1]
            made.append(tree_of(parser, node))
    return made


def tree_of(parser: QuestionParser, node: Node) -> Tree:
    """The preferred tree of a node."""
    number, parts = node.ways[0] if len(node.ways) == 1 else parser._best(node)
    return number, tuple([tree_of(parser, part) for part in parts])


def iter_uses(tree: Tree, place: Place = None) -> Iterator[Key]:
    """Each rule of a tree with its place."""
    yield place, tree[0]
    for number, part in enumerate(tree[1]):
        yield from iter_uses(part, (tree[0], number))


def expected_uses(table: LevelTable, shares: np.ndarray) -> tuple[np.ndarray, float]:
    """How often a drawn tree uses each rule in each place, its size being drawn by shares, and the mean logarithm
    of the weights of all trees of a size: sums are followed back to the weights they are made of."""
    ways = table.ways
    pairs = np.zeros_like(table.pairs)
    partial = [[np.zeros_like(sums) for sums in each] for each in table.partial]
    weights = np.zeros_like(table.weights)
    totals = table.starts()
    sizes = np.nonzero(shares)[0]
    for _, start in ways.starts:
        pairs[0, start, sizes] += shares[sizes] / totals[sizes]
    columns = [[[np.array(c, dtype=np.intp) for c in zip(*p, strict=True)] for p in rule.parts] for rule in ways.rules]
    made = np.array([[rule, state, pair] for pair, by in enumerate(ways.makers) for rule, state in by])
    of_rule = [np.nonzero(made[:, 0] == rule)[0] for rule in range(len(ways.rules))]
    for size in range(table.most, 0, -1):
        values = np.array([table.partial[rule][-1][state, size - 1] for rule, state, _ in made])
        back = np.zeros(len(made))
        for place in range(len(table.places)):
            above = pairs[place, made[:, 2], size]
            np.add.at(weights[place], made[:, 0], above * values)
            back += above * table.weights[place, made[:, 0]]
        for rule, ends in enumerate(of_rule):
            np.add.at(partial[rule][-1][:, size - 1], made[ends, 1], back[ends])
            for part in range(len(columns[rule]) - 1, -1, -1):
                before, pair, after = columns[rule][part]
                above = partial[rule][part + 1][after, size - 1][:, None]
                if not above.any():
                    continue
                place = table.place_of(ways.rules[rule].number, part)
                down, up = np.arange(size - 1)[None, :], np.arange(size - 1, 0, -1)[None, :]
                np.add.at(
                    partial[rule][part], (before[:, None], down), above * table.pairs[place][pair][:, size - 1 : 0 : -1]
                )
                np.add.at(pairs[place], (pair[:, None], up), above * table.partial[rule][part][before, : size - 1])
    return weights * table.weights, float(shares[sizes] @ np.log(totals[sizes]))


def _order(key: Key) -> tuple[bool, Key]:
    return key[0] is not None, key


class Fit:
    """The weights of rules in places, as logarithms, and what they are fitted to."""

    def __init__(self, parser: QuestionParser, real: list[Tree]) -> None:
        self.grammar, self.words = parser.rules.grammar, parser.rules.templates
        uses = Counter(use for tree in real for use in iter_uses(tree))
        self.keys = sorted(uses, key=_order)
        self.observed = np.array([uses[key] / len(real) for key in self.keys])
        sums: Counter[Place] = Counter()
        for (place, _), count in uses.items():
            sums[place] += count
        self.first = np.log([uses[key] / sums[key[0]] for key in self.keys])
        self.places = frozenset(place for place, _ in self.keys)
        self.ways = Ways(parser.chart, range(len(self.grammar)))
        self.numbers = {rule.number: number for number, rule in enumerate(self.ways.rules)}
        self.rounds = 0

    def with_unseen(self, values: np.ndarray, share: float) -> np.ndarray:
        """The weights with those of what never stood in its place: a share of what the rule has elsewhere."""
        uses: Counter[int] = Counter()
        totals: dict[Place, float] = defaultdict(float)
        for (place, rule), often, value in zip(self.keys, self.observed, values, strict=True):
            uses[rule] += often
            totals[place] += float(np.exp(value))
        of_category: Counter[str] = Counter()
        for rule, often in uses.items():
            of_category[self.grammar[rule].left.category] += often
        for rule in self.ways.rules:  # one that train does not have is as rare as a single use
            uses[rule.number] = uses[rule.number] or float(self.observed.min())
        new: dict[Key, float] = {}
        for place, rule in self._possible():
            if (place, rule) not in set(self.keys):
                rest = max(LEAST, uses[rule] / of_category[self.grammar[rule].left.category])
                new[place, rule] = float(np.log(rest * (share * totals[place] if place in totals else 1.0)))
        self.keys = [*self.keys, *new]
        self.observed = np.concatenate([self.observed, np.full(len(new), np.nan)])
        self.places = frozenset(place for place, _ in self.keys)
        return np.concatenate([values, list(new.values())])

    def with_even_words(self, values: np.ndarray, share: float) -> np.ndarray:
        """The weights with a share of those of words, place by place, divided evenly, so that rare ones meet too."""
        weights = np.exp(values)
        by_place: dict[Place, list[int]] = defaultdict(list)
        for number, (place, rule) in enumerate(self.keys):
            if self.grammar[rule].left.category in self.words:
                by_place[place].append(number)
        for some in by_place.values():
            weights[some] = (1 - share) * weights[some] + share * weights[some].mean()
        return np.log(weights)

    def _possible(self) -> list[Key]:
        """Every rule with every place in which its features fit."""
        found: dict[Key, None] = {}
        for rule in self.ways.rules:
            for part, steps in enumerate(rule.parts):
                for pair in dict.fromkeys(step.pair for step in steps):
                    for maker, _ in self.ways.makers[pair]:
                        found[(rule.number, part), self.ways.rules[maker].number] = None
        return sorted(found, key=_order)

    def table(self, values: np.ndarray, most: int) -> LevelTable:
        """Sums of weights up to a size."""
        weights = {key: float(np.exp(value)) for key, value in zip(self.keys, values, strict=True)}
        return LevelTable(self.ways, lambda place, rule: weights.get((place, rule), 0.0), most, self.places)

    def expected(self, values: np.ndarray, shares: np.ndarray) -> tuple[np.ndarray, float]:
        """How often each rule is used in its place, sizes having shares."""
        table = self.table(values, len(shares) - 1)
        uses, logarithm = expected_uses(table, shares)
        return np.array([uses[table.places[place], self.numbers[rule]] for place, rule in self.keys]), logarithm

    def fitted(self, shares: np.ndarray, rounds: int) -> np.ndarray:
        """Weights with which rules are used as often as they really are."""

        def loss(values: np.ndarray) -> tuple[float, np.ndarray]:
            expected, logarithm = self.expected(values, shares)
            away = values - self.first
            self.rounds += 1
            if self.rounds % 20 == 0:
                print(f"round {self.rounds}: {np.abs(expected - self.observed).sum():.4f} uses apart", flush=True)
            return (
                logarithm - float(self.observed @ values) + HOLD * float(away @ away),
                expected - self.observed + 2 * HOLD * away,
            )

        return minimize(loss, self.first, jac=True, method="L-BFGS-B", options={"maxiter": rounds, "maxcor": 30}).x

    def with_top(self, values: np.ndarray, shares: np.ndarray, top: np.ndarray) -> np.ndarray:
        """The weights with those of places at the top fitted to other shares of sizes."""
        for _ in range(12):
            expected, _ = self.expected(values, shares)
            values = values + STEP * np.where(top, np.log(self.observed / expected), 0.0)
        return values


def main() -> None:
    """Fit, write and judge."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--part", default="train")
    arguments.add_argument("--rounds", type=int, default=250)
    arguments.add_argument("--max-level", type=int, default=40)
    arguments.add_argument("--most-of-a-level", type=float, default=10_000.0)
    arguments.add_argument("--unseen", type=float, default=0.3)
    arguments.add_argument("--even-words", type=float, default=0.25)
    arguments.add_argument("--kept", type=Path, help="where fitted weights are kept, to go on from")
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--results", type=Path)
    given = arguments.parse_args()
    start = time.process_time()
    parser = QuestionParser(read_rule_set("cfq"))
    real = trees(parser, given.part)
    fit = Fit(parser, real)
    sizes = Counter(sum(1 for _ in iter_uses(tree)) for tree in real)
    shares = np.array([sizes[size] / len(real) for size in range(LARGEST + 1)])
    if given.kept is not None and given.kept.exists():
        values = np.array(orjson.loads(given.kept.read_bytes()))
    else:
        values = fit.fitted(shares, given.rounds)
        if given.kept is not None:
            given.kept.write_bytes(orjson.dumps(values.tolist()))
    names = [rule.name for rule in parser.rules.grammar]
    top = at_the_top(parser, fit)
    values = fit.with_even_words(fit.with_unseen(values, given.unseen), given.even_words)
    top = np.concatenate([top, np.zeros(len(fit.keys) - len(top), dtype=bool)])
    counts = fit.table(np.zeros_like(values), given.max_level - 1).starts()
    even = np.array(level_shares(counts.tolist(), given.most_of_a_level))
    values = fit.with_top(values, even / even.sum(), top)
    if given.out is not None:
        given.out.write_text(written(fit, values, names, given.max_level, given.most_of_a_level))
    judge(parser, fit, values, even / even.sum(), trees(parser, "dev"), given.results, time.process_time() - start)


def at_the_top(parser: QuestionParser, fit: Fit) -> np.ndarray:
    """1 for the places that make the frame of a question, 0 for others."""
    frames = Frames(parser.rules.grammar, beside_rules("cfq", "frames.toml")).frames
    asked = {rule for frame in frames for rule in frame.rules}
    places: set[Place] = {(rule, part) for frame in frames for rule in frame.rules for part, _ in frame.parts}
    places |= {place for place, rule in fit.keys if rule in asked} | {None}
    return np.array([place in places for place, _ in fit.keys])


def written(fit: Fit, values: np.ndarray, names: list[str], max_level: int, most: float) -> str:
    """The file of weights."""
    lines = [HEAD, f"max_level = {max_level}", f"most_of_a_level = {most:g}", "", "[rules]"]
    by_place: dict[Place, list[tuple[float, str]]] = defaultdict(list)
    for (place, rule), value in zip(fit.keys, values, strict=True):
        by_place[place].append((float(np.exp(value)), names[rule]))
    lines += [f'"{name}" = {weight:.4g}' for weight, name in sorted(by_place.pop(None), reverse=True)]
    for place, some in by_place.items():
        assert place is not None
        lines += ["", f'[parts."{names[place[0]]}".{place[1] + 1}]']
        lines += [f'"{name}" = {weight:.4g}' for weight, name in sorted(some, reverse=True)]
    return "\n".join(lines) + "\n"


def judge(
    parser: QuestionParser,
    fit: Fit,
    values: np.ndarray,
    shares: np.ndarray,
    held_out: list[Tree],
    results: Path | None,
    seconds: float,
) -> None:
    """Say how far rules are from the real shares of a part that was not seen."""
    expected, _ = fit.expected(values, shares)
    frames = Frames(parser.rules.grammar, beside_rules("cfq", "frames.toml"))
    uses = Counter(use for tree in held_out for use in iter_uses(tree))
    known = dict(zip(fit.keys, expected, strict=True))
    unseen = sum(count for key, count in uses.items() if key not in known)
    total = sum(uses.values())
    apart = sum(abs(uses[key] / total - value / expected.sum()) for key, value in known.items()) / 2
    figures = {
        "held_out": len(held_out),
        "uses_never_seen_in_fitting": unseen / total,
        "uses_apart": float(apart),
        "rules_in_places": len(fit.keys),
        "cpu_seconds": round(seconds),
        "frames_held_out": dict(Counter(map(frames.frame, held_out)).most_common()),
    }
    print(orjson.dumps(figures, option=orjson.OPT_INDENT_2).decode())
    if results is not None:
        results.write_bytes(orjson.dumps(figures, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
