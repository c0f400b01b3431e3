"""Questions drawn at random from rules, in lots, each lot by itself (CFQ paper, Appendix K).

A level is drawn, then a tree of exactly that level from the top down, by the weights of rules. Its words are parsed:
what has more than one reading is dropped, and so is what a filter names. What is left is derived from the words
upwards, with inference, resolution and its rule application graph.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import orjson

from recombine.errors import DerivationError, OptionError, SizeError
from recombine.grammars.unification.data_item import item_tags
from recombine.grammars.unification.generation.beside_rules import beside_rules
from recombine.grammars.unification.generation.draw_tree import TreeDrawer
from recombine.grammars.unification.generation.filters import Filters
from recombine.grammars.unification.generation.frames import Frames
from recombine.grammars.unification.generation.level_table import LevelTable
from recombine.grammars.unification.generation.made_question import MadeQuestion
from recombine.grammars.unification.generation.only_reading import OnlyReading
from recombine.grammars.unification.generation.random_numbers import RandomNumbers
from recombine.grammars.unification.generation.ways import Ways
from recombine.grammars.unification.generation.weights import Weights, check_level, read_weights
from recombine.grammars.unification.parse_many import seldom_collecting
from recombine.grammars.unification.parsing.chart import PLACEHOLDER
from recombine.grammars.unification.parsing.question_text import POSSESSIVE, Words
from recombine.grammars.unification.question_parser import QuestionParser
from recombine.grammars.unification.rules.rule import Literal
from recombine.grammars.unification.rules.rule_set import read_rule_set
from recombine.seeds import check_seed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from recombine.grammars.unification.generation.draw_tree import Tree
    from recombine.grammars.unification.generation.level_table import Place

JOIN_LEVEL = 1
"""The join counts as a rule in the level of a question."""
AMBIGUOUS, NO_QUERY, SAME_PATTERN = "ambiguous", "no_query", "same_pattern"
FILTERED = "filtered:"
MOST_TRIES = 50
"""So many trees are drawn for each question of a lot, before the lot stays smaller than it should be."""


class Lot(NamedTuple):
    """Questions that were made, and how many drawn trees were dropped, by reason."""

    questions: list[MadeQuestion]
    rejected: dict[str, int]


class QuestionMaker:
    """Makes questions by the rules of a packaged set, a folder or a file.

    >>> maker = QuestionMaker("cfq", max_level=12)
    >>> [question.pattern for question in maker.lot(1, 0, 2).questions] == [
    ...     question.pattern for question in QuestionMaker("cfq", max_level=12).lot(1, 0, 2).questions
    ... ]
    True
    """

    def __init__(
        self,
        rules: str,
        *,
        weights: Path | str | None = None,
        max_level: int | None = None,
        filters: Path | str | None = None,
        unused: Collection[str] = (),
    ) -> None:
        """`weights` and `filters` are files; without, those beside the rules, or none.

        Grammar rules that are named in `unused` are left out.
        """
        import numpy as np

        self.parser = QuestionParser(read_rule_set(rules))
        grammar = self.parser.rules.grammar
        path = weights if weights is not None else beside_rules(rules, "weights.toml")
        self.weights = Weights() if path is None else read_weights(path, grammar)
        self.max_level = self.weights.max_level if max_level is None else check_level(max_level)
        self.frames = Frames(grammar, beside_rules(rules, "frames.toml"))
        path = filters if filters is not None else beside_rules(rules, "filters.toml")
        self.filters = Filters(grammar, path)
        self._only_reading = OnlyReading(self.parser.chart)
        self._words = [
            [part.text.split() if isinstance(part, Literal) else None for part in rule.right] for rule in grammar
        ]
        used = {
            number
            for number, rule in enumerate(grammar)
            if self.weights.rules.get(number, 1.0) > 0 and rule.name not in unused
        }
        ways = Ways(self.parser.chart, used)
        if not ways.starts:
            raise OptionError(f"the rules {rules} make no question", "give weight to some, or add what is missing")
        most = self.max_level - JOIN_LEVEL
        table = LevelTable(ways, self.weights.weight, most, frozenset(self.weights.parts))
        sums = table.starts()
        self.trees_by_level = self._counted(ways, most)
        self.levels = [level for level in self.trees_by_level if sums[level - JOIN_LEVEL] > 0]
        if not self.levels:
            raise OptionError(f"the rules {rules} make no question up to level {self.max_level}", self._smallest(ways))
        counts = [float(self.trees_by_level[level]) for level in self.levels]
        self._shares = list(accumulate(level_shares(counts, self.weights.most_of_a_level)))
        self._drawer = TreeDrawer(table, self.filters)
        # Loads the kernel, also for processes that are forked from this one.
        self._drawer.draw(self.levels[0] - JOIN_LEVEL, RandomNumbers(np.random.default_rng(0)))

    @property
    def trees(self) -> int:
        """How many trees there are up to the highest level: there are no more questions than that."""
        return sum(self.trees_by_level.values())

    def check_number(self, number: int) -> None:
        """Refuse a number of questions that the rules cannot give."""
        if number > self.trees:
            raise SizeError(
                f"the rules {self.parser.rules.name} make {self.trees:,} questions at most up to level "
                f"{self.max_level}, not {number:,}",
                "ask for fewer, or for a higher level",
            )

    def lot(self, seed: int, number: int, size: int) -> Lot:
        """The questions of a lot, all of different patterns; they depend on the arguments alone.

        Where rules have too few, there are fewer than `size`. Making many lots is quicker `with seldom_collecting()`.
        """
        import numpy as np

        check_seed(seed)
        numbers = RandomNumbers(np.random.default_rng((seed, number)))
        rejected: dict[str, int] = {}
        patterns: set[str] = set()
        questions: list[MadeQuestion] = []
        with seldom_collecting():
            for tree in self._iter_trees(numbers, MOST_TRIES * size):
                made = FILTERED + tree if isinstance(tree, str) else self._made(tree, patterns)
                if isinstance(made, str):
                    rejected[made] = rejected.get(made, 0) + 1
                else:
                    questions.append(made)
                if len(questions) == size or len(patterns) == self.trees:
                    break
        return Lot(questions, rejected)

    def _iter_trees(self, numbers: RandomNumbers, most: int) -> Iterator[Tree | str]:
        """Trees, or for each that a filter drops its name."""
        for _ in range(most):
            place = min(bisect_right(self._shares, numbers.next() * self._shares[-1]), len(self.levels) - 1)
            yield self._drawer.draw(self.levels[place] - JOIN_LEVEL, numbers)

    def _made(self, tree: Tree, patterns: set[str]) -> MadeQuestion | str:
        """A question of a tree, or why it is none."""
        words: list[str] = []
        self._add_words(tree, words)
        pattern = _pattern(words)
        if pattern in patterns:
            return SAME_PATTERN
        patterns.add(pattern)
        filtered = self.filters.of_text(pattern)
        if filtered is not None:
            return FILTERED + filtered
        entities = [f"M{place}" for place in range(words.count(PLACEHOLDER))]
        try:
            start = self._only_reading.start(words)
            if start is None:
                return AMBIGUOUS
            reading = self.parser.read_tree(Words(words, entities, entities), start, tree)
        except DerivationError:  # rules of resolution have no query for it, or it is too long
            return NO_QUERY
        filtered = self.filters.of_query(pattern, reading.query)
        if filtered is not None:
            return FILTERED + filtered
        rows = orjson.dumps(self.parser.graph_rows(reading)).decode()
        return MadeQuestion(
            pattern, reading.query, self.frames.frame(tree), rows, item_tags(self.parser.rules, reading)
        )

    def _add_words(self, tree: Tree, words: list[str]) -> None:
        number, parts = tree
        place = 0
        for some in self._words[number]:
            if some is None:
                self._add_words(parts[place], words)
                place += 1
            else:
                words += some

    def _counted(self, ways: Ways, most: int) -> dict[int, int]:
        """How many trees there are, by level."""
        weights = self.weights

        def one(place: Place, rule: int) -> float:
            return float(weights.weight(place, rule) > 0)

        table = LevelTable(ways, one, most, frozenset(weights.parts))

        return {size + JOIN_LEVEL: int(count) for size, count in enumerate(table.starts()) if count > 0}

    def _smallest(self, ways: Ways) -> str:
        most = 2 * max(self.max_level, 50)
        levels = self._counted(ways, most)
        return f"the smallest question has level {min(levels)}" if levels else f"nor up to level {most}"


def level_shares(trees: list[float], most: float) -> list[float]:
    """How often levels are drawn, given how many trees each has: all alike, and those with few trees less often."""
    return [min(1.0, count / most) if most else float(count > 0) for count in trees]


def _pattern(words: list[str]) -> str:
    """The text of a question in the spelling of the two-column files."""
    spelled: list[str] = []
    entities = 0
    for word in words:
        if word == PLACEHOLDER:
            spelled.append(f"M{entities}")
            entities += 1
        else:
            spelled.append("' s" if word == POSSESSIVE else word)
    text = " ".join(spelled)
    return text[:1].upper() + text[1:]
