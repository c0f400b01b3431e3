"""From a program, or from a source and a program, back to the derivation.

Where a text has several derivations, the canonical one is the first within the limits: earlier rules of the file before
later ones, and shorter first children before longer ones. A text that only a derivation beyond the limits makes is
refused with that reason.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.errors import DerivationError
from recombine.grammars.formalism import not_made, shortened
from recombine.grammars.synchronous.limits import refine, variety_of, written_name
from recombine.grammars.synchronous.word_chart import WordChart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from recombine.grammars.formalism import Term
    from recombine.grammars.terms.grammar import Grammar

SIDES = ("source", "target")
MOST = 10_000
"""How many derivations of an ambiguous target are compared with a source before giving up."""


class SynchronousParser:
    """The parsers of one grammar, made when they are first needed."""

    def __init__(self, plain: Grammar, limits: Mapping[str, int]) -> None:
        self.plain, self.limits = plain, limits

    @cached_property
    def refined(self) -> Grammar | None:
        """The grammar with its limits compiled in."""
        return refine(self.plain, self.limits)

    @cached_property
    def _charts(self) -> dict[str, WordChart]:
        """The parsers within the limits, by side."""
        rules = [] if self.refined is None else self.refined.rules.values()
        written = [replace(rule, name=written_name(rule.name)) for rule in rules]
        return {side: WordChart(written, side) for side in SIDES}

    @cached_property
    def _plain_charts(self) -> dict[str, WordChart]:
        return {side: WordChart(self.plain.rules.values(), side) for side in SIDES}

    @property
    def _start(self) -> str:
        return "" if self.refined is None else self.refined.start

    def parse(self, text: str, side: str, *, limited: bool = True) -> Term:
        """The canonical derivation of a text of one side; without `limited`, limits do not count."""
        words = text.split()
        term = self._charts[side].first(words, self._start) if limited else None
        if term is not None:
            return term
        term = self._plain_charts[side].first(words, self.plain.start)
        if term is None:
            raise not_made(self.plain.name, side, text)
        if not limited:
            return term
        broken = self._broken_limit(term)
        raise DerivationError(
            f"the grammar {self.plain.name} makes the {side} {shortened(text)} only with <{broken}> nested more than "
            f"{self.limits[broken]} times",
            "raise the limit in the grammar file, or parse without limits",
        )

    def iter_others(self, text: str, side: str, canonical: Term) -> Iterator[Term]:
        """The derivations of a text within the limits but the canonical one, looked for when the first is asked for."""
        forest = self._charts[side].parse(text.split(), self._start)
        yield from (term for term in forest.iter_terms() if term != canonical)

    def parse_pair(self, source: str, target: str, pair: Callable[[Term], tuple[str, str]]) -> Term:
        """The canonical derivation of a target among those that make the source too."""
        wanted = " ".join(source.split()), " ".join(target.split())
        canonical = self.parse(target, "target")
        if pair(canonical) == wanted:
            return canonical
        forest = self._charts["target"].parse(target.split(), self._start)
        for number, term in enumerate(forest.iter_terms()):
            if number == MOST:
                raise DerivationError(
                    f"none of the first {MOST} derivations of the target {shortened(target)} makes the source",
                    "make the grammar less ambiguous",
                )
            if pair(term) == wanted:
                return term
        raise DerivationError(
            f"the grammar {self.plain.name} makes the target {shortened(target)}, but not with the source "
            f"{shortened(source)}"
        )

    def _broken_limit(self, term: Term) -> str:
        """The symbol that a term nests too often."""
        waiting: list[tuple[Term, dict[str, int]]] = [(term, {})]
        while waiting:
            node, above = waiting.pop()
            symbol = variety_of(self.plain.rules[node[0]].lhs)
            if symbol in self.limits:
                above = {**above, symbol: above.get(symbol, 0) + 1}
                if above[symbol] > self.limits[symbol]:
                    return symbol
            waiting.extend((child, above) for child in node[1])
        raise AssertionError  # a term within all limits has been found before
