"""Changes a file of weights so that what sub-sampling leaves of a pool of questions has the real shares of frames.

    python benchmarks/cfq_frame_weights.py WEIGHTS.toml [--rounds 3] [--pool 10000] [--every 8] [--results FILE]

The real questions are what sub-sampling left of a larger pool, and it does not leave all frames alike: those that can
be said in few ways are taken last. So pools are made, a fifth of each is taken, and in every place that frames are told
apart by (`frames.toml`) the weight of a rule is multiplied by its real share there over its share in what was taken.
Real shares are those of MCD1's train part, of which every n-th question is parsed; `dev` is not looked at. The line of
each round says how far the farthest frame is before its change. `--share 0.5` takes half of the whole change, so that
the frames of the pool itself do not go too far from the real ones. Lines of the file that do not change stay.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import orjson

import recombine
from cfq_weights import iter_uses, tree_of
from recombine.grammars.unification.generation.beside_rules import beside_rules
from recombine.grammars.unification.generation.draw_tree import Tree
from recombine.grammars.unification.generation.frames import Frames
from recombine.grammars.unification.generation.level_table import Place
from recombine.grammars.unification.parsing.question_text import read_question
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule_set import read_rule_set
from recombine.selection.subsample import subsample

TAKEN = 5
"""One in so many questions of a pool is taken."""
MOST = 2.5
"""The most by which a weight is multiplied or divided in a round."""
_TABLE = re.compile(r'\[parts\."(.+)"\.(\d+)\]|\[(rules)\]')
_LINE = re.compile(r'"(.+)" = (\S+)')


class TopUses:
    """How often rules are used in the places that frames are told apart by."""

    def __init__(self, parser: QuestionParser) -> None:
        self.parser = parser
        self.names = [rule.name for rule in parser.rules.grammar]
        self.frames = Frames(parser.rules.grammar, beside_rules("cfq", "frames.toml"))
        self.rules = {rule for frame in self.frames.frames for rule in frame.rules}
        self.parts: set[Place] = {
            (rule, part) for frame in self.frames.frames for rule in frame.rules for part, _ in frame.parts
        }

    def tree(self, question: str) -> Tree:
        """The preferred tree of a question."""
        found = self.parser.chart.parse(read_question(question).words)
        return tree_of(self.parser, min((node for _, node in found), key=self.parser._cost))

    def count(self, trees: list[Tree]) -> dict[Place, Counter[int]]:
        """By place, the uses of rules."""
        counts: dict[Place, Counter[int]] = defaultdict(Counter)
        for tree in trees:
            for place, rule in iter_uses(tree):
                if place is None or place in self.parts or rule in self.rules:
                    counts[place][rule] += 1
        return counts

    def shares(self, trees: list[Tree]) -> dict[str, float]:
        """The shares of frames, in percent."""
        counts = Counter(map(self.frames.frame, trees))
        return {name: 100 * count / len(trees) for name, count in counts.most_common()}


def changed(text: str, names: list[str], real: dict[Place, Counter[int]], taken: dict[Place, Counter[int]]) -> str:
    """The file with weights multiplied by real shares over those of what was taken."""
    numbers = {name: number for number, name in enumerate(names)}
    lines: list[str] = []
    known: Any = ()
    for line in text.splitlines():
        table, weight = _TABLE.fullmatch(line), _LINE.fullmatch(line)
        if table is not None:
            known = None if table[3] else (numbers[table[1]], int(table[2]) - 1)
        elif weight is not None and known in real and numbers[weight[1]] in real[known]:
            rule = numbers[weight[1]]
            share = real[known][rule] / real[known].total()
            now = (taken[known][rule] + 1) / (taken[known].total() + len(real[known]))
            line = f'"{weight[1]}" = {float(weight[2]) * min(MOST, max(1 / MOST, share / now)):.4g}'
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


def main() -> None:
    """Make pools and change the file after each."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("weights", type=Path)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--pool", type=int, default=10_000)
    arguments.add_argument("--every", type=int, default=8)
    arguments.add_argument("--share", type=float, default=0.5)
    arguments.add_argument("--results", type=Path)
    given = arguments.parse_args()
    start = time.process_time()
    top = TopUses(QuestionParser(read_rule_set("cfq")))
    data = recombine.load("cfq/mcd1")
    rows = [row for row, tags in enumerate(data.iter_mappings("tags")) if tags["part"] == "train"]
    trees = [top.tree(data[row].source) for row in rows[:: given.every]]
    real, shares = top.count(trees), top.shares(trees)
    first, rounds = given.weights.read_text(), []
    for number in range(1, given.rounds + 1):
        pool = recombine.generate(
            "cfq", n=given.pool, seed=1000 + number, grounding=False, weights=str(given.weights)
        ).dataset
        taken = [top.tree(pool[row].source) for row in subsample(pool, given.pool // TAKEN).rows]
        now = top.shares(taken)
        apart = {name: round(now.get(name, 0.0) - share, 2) for name, share in shares.items()}
        name = max(apart, key=lambda each: abs(apart[each]))
        print(f"round {number}, {time.process_time() - start:.0f} s: {name} is {apart[name]:+.2f} points away", apart)
        rounds.append({"farthest": name, "points": apart})
        given.weights.write_text(changed(given.weights.read_text(), top.names, real, top.count(taken)))
    given.weights.write_text(between(first, given.weights.read_text(), given.share))
    if given.results is not None:
        found = {"pool": given.pool, "taken": given.pool // TAKEN, "real": shares, "rounds": rounds}
        given.results.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2) + b"\n")


if __name__ == "__main__":
    main()
