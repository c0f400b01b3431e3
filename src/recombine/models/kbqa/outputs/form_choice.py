"""One of several forms: the likeliest that has an answer, and the likeliest where none has.

A link of a form stands for all links of its words, entities of one name: they are tried in their order, the likeliest
link first.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING

from recombine.errors import RecombineError
from recombine.languages.sexpression import parse_sexpression, render_sexpression
from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

MOST_WAYS = 256
"""The most combinations of links that are tried for a form."""


class FormChoice:
    """Chooses, and counts how."""

    def __init__(self, has_answer: Callable[[str], bool | None], retyped: Callable[[str], str]) -> None:
        self._has_answer, self._retyped = has_answer, retyped
        self.counts: Counter[str] = Counter(moved=0, without_answer=0, not_executed=0)
        """Questions that are given another form than the likeliest, those of which no form has an answer, and forms
        that were not executed, or not tried since there are too many of them."""

    def __call__(self, beam: Sequence[str], alternatives: Mapping[str, tuple[str, ...]]) -> str:
        """The form of a beam, the likeliest first, that is chosen; empty where there is none."""
        tried: dict[str, bool | None] = {}
        for text in beam:
            for way in self._ways(text, alternatives):
                given = self._retyped(way)
                if given not in tried:
                    tried[given] = self._has_answer(given)
                    self.counts["not_executed"] += tried[given] is None
                if tried[given]:
                    self.counts["moved"] += len(tried) > 1
                    return given
        self.counts["without_answer"] += bool(beam)
        return next(iter(tried), "")

    def _ways(self, text: str, alternatives: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
        """A form with all combinations of links that have the words of its own, its own first."""
        yield text
        try:
            tree = parse_sexpression(text)
        except RecombineError:
            return
        leaves = dict.fromkeys(node.label for node in tree.iter_nodes() if not node.children)
        words = [word for word in leaves if word in alternatives]
        for way in islice(product(*(alternatives[word] for word in words)), 1, MOST_WAYS):
            yield render_sexpression(_with_words(tree, dict(zip(words, way, strict=True))))
        self.counts["not_executed"] += max(prod(len(alternatives[word]) for word in words) - MOST_WAYS, 0)


def _with_words(tree: Tree, words: Mapping[str, str]) -> Tree:
    """A form with other words in the place of some."""
    return tree.mapped(lambda node: node if node.children else Tree(words.get(node.label, node.label)))
