"""Whether words have one reading alone, for the many texts that are generated: the chart as tables for a kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.errors import DerivationError
from recombine.grammars.unification.generation.ways import closed_pairs
from recombine.grammars.unification.question_parser import MOST_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from recombine.grammars.unification.generation.ways import Pair
    from recombine.grammars.unification.parsing.chart import Chart
    from recombine.grammars.unification.rules.rule import StartRule

_MOST_NODES = 1 << 14
_MOST_WAITING = 1 << 12
"""What does not fit in so much room is left to the chart."""


class OnlyReading:
    """Looks for the only reading of words.

    >>> from recombine.grammars.unification.question_parser import QuestionParser
    >>> from recombine.grammars.unification.rules.rule_set import read_rule_set
    >>> only = OnlyReading(QuestionParser(read_rule_set("cfq")).chart)
    >>> only.start("did [entity] direct [entity]".split()).function
    'get_set_truth'
    >>> only.start("did direct [entity] [entity]".split()) is None
    True
    """

    def __init__(self, chart: Chart) -> None:
        import numpy as np

        from recombine.grammars.unification.generation.reading_kernels import SEVERAL, only_start

        self.chart = chart
        self._numbers = {word: number for number, word in enumerate(sorted(chart.vocabulary))}
        self._tables = _tables(chart, self._numbers)
        self._room = [
            np.empty((MOST_WORDS + 1, len(chart.categories)), np.int32),
            np.empty((_MOST_NODES, 3), np.int32),
            np.empty((_MOST_WAITING + len(chart.rules), 4), np.int32),
        ]
        self._kernel, self._several = only_start, SEVERAL
        self.start(())  # loads the kernel, also for processes that are forked from this one

    def start(self, words: Sequence[str]) -> StartRule | None:
        """What makes the only reading a text; none where there are several, or no reading."""
        import numpy as np

        numbers = self._numbers
        if len(words) > MOST_WORDS:
            raise DerivationError(f"a question of {len(words)} words", f"{MOST_WORDS} are read at most")
        given = np.array([numbers[word] for word in words], np.int32)
        number = self._kernel(given, *self._tables, *self._room)
        if number == self._several:
            found = self.chart.parse(words)
            return found[0][0] if len(found) == 1 and found[0][1].count_readings() == 1 else None
        return self.chart.starts[number] if number >= 0 else None


def _tables(chart: Chart, words: dict[str, int]) -> list[Any]:
    """The rules of a chart as the kernel wants them."""
    import numpy as np

    known = closed_pairs(chart, range(len(chart.rules)))
    by_category: list[list[Pair]] = [[] for _ in chart.categories]
    for pair in known.pairs:
        by_category[pair[0]].append(pair)
    pairs = {pair: number for number, pair in enumerate(pair for some in by_category for pair in some)}
    firsts = np.cumsum([0, *map(len, by_category)]).tolist()
    elements: list[tuple[int, int, int]] = []
    rules: list[tuple[int, int, int]] = []
    steps: list[int] = []
    done: list[int] = []
    for rule in chart.compiled:
        rules.append((len(elements), rule.category, len(done)))
        states = {0: 0}
        parts = iter(known.steps[rule.number])
        for element in rule.elements:
            if isinstance(element, tuple):
                elements += [(words[word], 0, 0) for word in element]
                continue
            width = len(by_category[element])
            elements.append((-1 - element, len(steps) - firsts[element], width))
            table = np.full((len(states), width), -1, np.int32)
            after: dict[int, int] = {}
            for (state, pair), new in next(parts).items():
                if new >= 0 and state in states:
                    table[states[state], pairs[pair] - firsts[element]] = after.setdefault(new, len(after))
            steps += table.ravel().tolist()
            states = after
        made = known.made[rule.number]
        done += [pairs[made[state]] for state in states]
    rules.append((len(elements), 0, 0))
    begun: list[list[int]] = [[] for _ in range(len(words) + len(chart.categories))]
    for rule in chart.compiled:
        first = rule.elements[0]
        begun[words[first[0]] if isinstance(first, tuple) else len(words) + first].append(rule.number)
    fits = [
        [
            pair[0] == chart.categories.get(start.constituent.category)
            and chart.tables.fits(start.constituent, pair[1])
            for pair in pairs
        ]
        for start in chart.starts
    ]
    edges = [
        [[category in table.get(word, ()) for category in range(len(chart.categories))] for word in (*words, "")]
        for table in (chart.before, chart.after)
    ]
    return [
        np.array(elements, np.int32).reshape(-1, 3),
        np.array(rules, np.int32),
        np.array(steps, np.int32),
        np.array(done, np.int32),
        np.cumsum([0, *map(len, begun)]).astype(np.int32),
        np.array([rule for some in begun for rule in some], np.int32),
        np.array([pair[0] for pair in pairs], np.int32),
        np.array(edges[0], np.bool_),
        np.array(edges[1], np.bool_),
        np.array(fits, np.bool_).reshape(len(chart.starts), -1),
    ]
