"""The rules that a search begins with besides the examples themselves."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from recombine.models.nqg.rule import QcfgRule

if TYPE_CHECKING:
    from collections.abc import Sequence

    Pair = tuple[tuple[str, ...], tuple[str, ...]]


def identity_rules(pairs: Sequence[Pair]) -> list[QcfgRule]:
    """A rule `k ### k` for each string that stands in a source and its target: the longest first, without overlap.

    >>> [str(rule) for rule in identity_rules([(("cities", "in", "m0"), ("loc_2", "(", "m0", ")"))])]
    ['m0 ### m0']
    """
    strings: dict[tuple[str, ...], None] = {}
    for source, target in pairs:
        if not set(source).isdisjoint(target):
            strings.update(dict.fromkeys(_shared(source, target)))
    return [QcfgRule(string, string) for string in strings]


def _shared(source: tuple[str, ...], target: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The strings that two sequences share, the longest first, each place used once."""
    strings = []
    free = [True] * len(source)
    open_ = [True] * len(target)
    for size in range(min(len(source), len(target)), 0, -1):
        for i in range(len(source) - size + 1):
            for j in range(len(target) - size + 1):
                if (
                    source[i : i + size] == target[j : j + size]
                    and all(free[i : i + size])
                    and all(open_[j : j + size])
                ):
                    strings.append(source[i : i + size])
                    free[i : i + size] = open_[j : j + size] = [False] * size
    return strings


def aligned_rules(pairs: Sequence[Pair]) -> list[QcfgRule]:
    """A rule for each token of sources and token of targets that stand in exactly the same examples, two at least.

    A greedy search adds one half of a rule only where the other half follows already, so it cannot find two halves that
    each need the other; such tokens are halves that can be had without it.

    >>> pairs = [(("turn", "left"), ("LEFT",)), (("turn", "left", "twice"), ("LEFT", "LEFT")), (("turn",), ("X",))]
    >>> [str(rule) for rule in aligned_rules(pairs)]
    ['left ### LEFT']
    """
    sides: tuple[dict[str, list[int]], dict[str, list[int]]] = (defaultdict(list), defaultdict(list))
    for number, pair in enumerate(pairs):
        for side, symbols in zip(sides, pair, strict=True):
            for token in dict.fromkeys(symbols):
                side[token].append(number)
    by_examples: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for token, where in sides[1].items():
        by_examples[tuple(where)].append(token)
    return [
        QcfgRule((token,), (partner,))
        for token, where in sides[0].items()
        if len(where) > 1
        for partner in by_examples.get(tuple(where), ())
    ]
