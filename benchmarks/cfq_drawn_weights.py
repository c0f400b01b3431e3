"""Changes a file of weights by what is really drawn with it, and by what sub-sampling leaves of a pool.

    python benchmarks/cfq_drawn_weights.py WEIGHTS.toml [--drawn 3] [--sampled 3] [--share 0.5] [--results FILE]

`cfq_weights.py` fits weights as if they alone decided what is drawn. Filters and sorts decide too. So trees are drawn,
and in the places of words, and of other categories that are named (`--also`), the weight of a rule is multiplied by its
real share there over its share in what was drawn; a part of the shares of words (`--even-words`) is divided evenly, so
that rare ones meet.

The real questions are what sub-sampling left of a larger pool, and it does not leave all frames alike: those that can
be said in few ways are taken last. So pools are made, a fifth of each is taken, and the weights are changed in the same
way in those places that frames are told apart by (`frames.toml`). `--share 0.5` takes half of this change, so that the
frames of the pool itself do not go too far from the real ones.

Real shares are those of MCD1's train part, of which every n-th question is parsed; `dev` is not looked at. Lines of the
file that do not change stay.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import orjson

import recombine
from cfq_weights import iter_uses, tree_of
from recombine.grammars.unification.generation.beside_rules import beside_rules
from recombine.grammars.unification.generation.draw_tree import Tree, iter_numbers
from recombine.grammars.unification.generation.frames import Frames
from recombine.grammars.unification.generation.level_table import Place
from recombine.grammars.unification.generation.question_maker import QuestionMaker
from recombine.grammars.unification.parsing.question_text import read_question
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_rule_set
from recombine.selection.subsample import subsample

TAKEN = 5
"""One in so many questions of a pool is taken."""
MOST = 2.5
"""The most by which a weight is multiplied or divided in a round."""
STEP = 0.7
"""What share of its way a weight goes after trees were drawn: one that is changed changes what is drawn elsewhere."""
FEWEST = 50
"""A place that has fewer real uses than this stays as it is."""
Uses = dict[Place, Counter[int]]
_TABLE = re.compile(r'\[parts\."(.+)"\.(\d+)\]|\[(rules)\]')
_LINE = re.compile(r'"(.+)" = (\S+)')


class RuleUses:
    """How often rules are used in their places, and in which places frames are told apart."""

    def __init__(self, parser: QuestionParser) -> None:
        self.parser = parser
        self.grammar = parser.rules.grammar
        self.names = [rule.name for rule in self.grammar]
        self.frames = Frames(self.grammar, beside_rules("cfq", "frames.toml"))
        self.rules = {rule for frame in self.frames.frames for rule in frame.rules}
        self.parts = {(rule, part) for frame in self.frames.frames for rule in frame.rules for part, _ in frame.parts}

    def tree(self, question: str) -> Tree:
        """The preferred tree of a question."""
        found = self.parser.chart.parse(read_question(question).words)
        return tree_of(self.parser, min((node for _, node in found), key=self.parser._cost))

    def count(self, trees: list[Tree], *, top: bool) -> Uses:
        """By place, the uses of rules: in places that frames are told apart by, or in all others."""
        counts: Uses = defaultdict(Counter)
        for tree in trees:
            for place, rule in iter_uses(tree):
                if top == (place is None or place in self.parts or rule in self.rules):
                    counts[place][rule] += 1
        return counts

    def shares(self, trees: list[Tree]) -> dict[str, float]:
        """The shares of frames, in percent."""
        counts = Counter(map(self.frames.frame, trees))
        return {name: 100 * count / len(trees) for name, count in counts.most_common()}

    def wanted(self, real: Uses, even_words: float) -> dict[Place, dict[int, float]]:
        """The shares that rules should have in their places."""
        shares: dict[Place, dict[int, float]] = {}
        for place, counts in real.items():
            if counts.total() >= FEWEST:
                even = even_words if self.category(counts) in self.parser.rules.templates else 0.0
                shares[place] = {
                    rule: (1 - even) * count / counts.total() + even / len(counts) for rule, count in counts.items()
                }
        return shares

    def category(self, counts: Counter[int]) -> str:
        """The category of the rules of a place."""
        return self.grammar[min(counts)].left.category


def changed(text: str, names: list[str], wanted: dict[Place, dict[int, float]], uses: Uses, step: float) -> str:
    """The file with weights multiplied by the shares that they should lead to over those that they lead to."""
    numbers = {name: number for number, name in enumerate(names)}
    lines: list[str] = []
    place: Any = ()
    for line in text.splitlines():
        table, weight = _TABLE.fullmatch(line), _LINE.fullmatch(line)
        if table is not None:
            place = None if table[3] else (numbers[table[1]], int(table[2]) - 1)
        elif weight is not None and numbers[weight[1]] in wanted.get(place, ()):
            rule, known = numbers[weight[1]], wanted[place]
            now = (uses[place][rule] + 1) / (sum(uses[place][each] for each in known) + len(known))
            line = f'"{weight[1]}" = {float(weight[2]) * min(MOST, max(1 / MOST, known[rule] / now)) ** step:.4g}'
        lines.append(line)
    return "\n".join(lines) + "\n"


def between(first: str, last: str, share: float) -> str:
    """The file with a share of the change of each weight, on the scale of logarithms."""
    lines = []
    for line, after in zip(first.splitlines(), last.splitlines(), strict=True):
        old, new = _LINE.fullmatch(line), _LINE.fullmatch(after)
        if old is not None and new is not None and old[2] != new[2]:
            line = f'"{old[1]}" = {float(old[2]) ** (1 - share) * float(new[2]) ** share:.4g}'
        lines.append(line)
    return "\n".join(lines) + "\n"


def drawn_trees(weights: Path, number: int, seed: int) -> list[Tree]:
    """Trees as they are drawn, before they are parsed."""
    maker = QuestionMaker("cfq", weights=weights)
    drawn = maker._iter_trees(iter_numbers(np.random.default_rng(seed)), number)
    return [tree for tree, filtered in drawn if filtered is None]


def apart(wanted: dict[Place, dict[int, float]], uses: Uses) -> float:
    """What share of uses is of other rules than it should be, over all places."""
    total, other = 0, 0.0
    for place, shares in wanted.items():
        count = sum(uses[place][rule] for rule in shares)
        total += count
        other += sum(abs(uses[place][rule] - share * count) for rule, share in shares.items()) / 2
    return other / total


def main() -> None:
    """Draw trees and make pools, and change the file after each."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("--drawn", type=int, default=3, help="how often trees are drawn")
    arguments.add_argument("--trees", type=int, default=8_000)
    arguments.add_argument("--also", nargs="*", default=["RELATIVE"])
    arguments.add_argument("--even-words", type=float, default=0.25)
    arguments.add_argument("--sampled", type=int, default=3, help="how often pools are made")
    arguments.add_argument("--pool", type=int, default=10_000)
    arguments.add_argument("--share", type=float, default=0.5)
    arguments.add_argument("--every", type=int, default=4)
    arguments.add_argument("--results", type=Path)
    given = arguments.parse_args()
    start = time.process_time()
    uses = RuleUses(QuestionParser(read_rule_set("cfq")))
    data = recombine.load("cfq/mcd1")
    rows = [row for row, tags in enumerate(data.iter_mappings("tags")) if tags["part"] == "train"]
    real = [uses.tree(data[row].source) for row in rows[:: given.every]]
    found: dict[str, Any] = {"real": len(real), "drawn": [], "sampled": []}
    inner = uses.count(real, top=False)
    categories = {*given.also, *uses.parser.rules.templates}
    inner = {place: counts for place, counts in inner.items() if uses.category(counts) in categories}
    wanted = uses.wanted(inner, given.even_words)
    for number in range(given.drawn):
        drawn = uses.count(drawn_trees(given.weights, given.trees, 2000 + number), top=False)
        found["drawn"].append(round(apart(wanted, drawn), 4))
        print(f"{time.process_time() - start:.0f} s: {found['drawn'][-1]:.4f} of the uses of rules apart", flush=True)
        given.weights.write_text(changed(given.weights.read_text(), uses.names, wanted, drawn, STEP))
    wanted, shares = uses.wanted(uses.count(real, top=True), 0.0), uses.shares(real)
    first = given.weights.read_text()
    for number in range(given.sampled):
        pool = recombine.generate("cfq", n=given.pool, seed=1001 + number, grounding=False, weights=str(given.weights))
        chosen = subsample(pool.dataset, given.pool // TAKEN).rows
        taken = [uses.tree(pool.dataset[row].source) for row in chosen]
        now = uses.shares(taken)
        points = {name: round(now.get(name, 0.0) - share, 2) for name, share in shares.items()}
        name = max(points, key=lambda each: abs(points[each]))
        print(f"{time.process_time() - start:.0f} s: {name} is {points[name]:+.2f} points away", points, flush=True)
        found["sampled"].append(points)
        given.weights.write_text(
            changed(given.weights.read_text(), uses.names, wanted, uses.count(taken, top=True), 1.0)
        )
    given.weights.write_text(between(first, given.weights.read_text(), given.share))
    if given.results is not None:
        given.results.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
