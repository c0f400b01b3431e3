"""Which words are details of one example: one table per data set, after `local_structures`, appendix A.

A table is the file `anonymous_NAME.toml`. `[words]` gives each placeholder its words; `[[patterns]]` are tried in order
on what is no listed word, against the whole word; `becomes` may use the pattern's groups.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from recombine.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Placeholders:
    """The table of one data set."""

    words: Mapping[str, str]
    patterns: tuple[tuple[re.Pattern[str], str], ...]

    def of(self, word: str) -> str:
        """The placeholder of a word, or the word itself."""
        listed = self.words.get(word)
        if listed is not None:
            return listed
        for pattern, becomes in self.patterns:
            match = pattern.fullmatch(word)
            if match is not None:
                return match.expand(becomes)
        return word

    def of_leaves(self, tree: Tree) -> Tree:
        """The tree with its leaves replaced."""
        return tree.mapped(lambda node: node if node.children else Tree(self.of(node.label)))


@cache
def placeholders(name: str) -> Placeholders:
    """The table of a data set.

    >>> placeholders("covr").of("dog"), placeholders("covr").of("find"), placeholders("atis").of("boston:_ci")
    ('ENTITY', 'find', 'value:_ci')
    """
    text = (files("recombine.languages") / f"anonymous_{name}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    words = {word: becomes for becomes, group in table.get("words", {}).items() for word in group}
    return Placeholders(words, tuple((re.compile(p["match"]), p["becomes"]) for p in table.get("patterns", ())))
