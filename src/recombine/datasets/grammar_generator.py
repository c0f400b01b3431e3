"""Data from a grammar: the examples of its derivations."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from recombine.datasets.generator import Generated, Generator, within_reach
from recombine.grammars.find_grammar import find_grammar
from recombine.grammars.formalism import DrawsMany
from recombine.grammars.synchronous.sample import MANY
from recombine.options import option
from recombine.records.example import Example
from recombine.structures.definition import STRUCTURES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recombine.grammars.formalism import Derived, Formalism
    from recombine.languages.language import Language
    from recombine.records.dataset import Pattern

_NO_PATTERNS: Mapping[str, Pattern] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class GrammarGenerator(Generator):
    """Makes all examples of a grammar, or so many distinct ones.

    >>> made = GrammarGenerator(grammar="scan", max_depth=4).generate(2, seed=1)
    >>> [example.source for example in made], made.rules
    (['look twice after jump', 'jump twice after walk thrice'], 38)
    """

    grammar: str
    """The name of a packaged grammar, or a file."""
    max_depth: int | None = option(None, "The greatest depth of a derivation.")

    name: ClassVar[str] = "grammar"
    description: ClassVar[str] = "data with derivations from a grammar file"
    language: ClassVar[Language | None] = None
    structures: ClassVar[str] = STRUCTURES
    patterns: ClassVar[Mapping[str, Pattern]] = _NO_PATTERNS

    def generate(self, n: int | None, *, seed: int) -> Generated:
        """All examples in the order of the grammar, or `n` that are drawn; see `Formalism.sample`."""
        grammar, total = find_grammar(self.grammar), n
        with within_reach():
            if n is not None and n >= MANY and isinstance(grammar, DrawsMany):
                drawn = grammar.sample_many(n, seed=seed, max_depth=self.max_depth)
                examples = (Example.of(*each) for each in drawn)
            else:
                derived, total = self._derived(grammar, n, seed)
                examples = (Example.of(source, target, grammar.derivation(term)) for source, target, term in derived)
        return Generated(
            grammar.name,
            examples,
            total=total,
            rules=len(grammar.rule_names()),
            patterns=self.patterns,
            structures=self.structures,
            language=self.language,
        )

    def _derived(self, grammar: Formalism, n: int | None, seed: int) -> tuple[Iterator[Derived], int | None]:
        """The derivations, and how many there are."""
        if n is None:
            return grammar.enumerate(max_depth=self.max_depth), grammar.count(max_depth=self.max_depth)
        return grammar.sample(n, seed=seed, max_depth=self.max_depth), n
