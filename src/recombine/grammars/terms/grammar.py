"""A synchronous grammar: rules by name, what they make of a derivation, and the parsers that find derivations again."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.grammars.formalism import Derived, not_made
from recombine.grammars.rule_table import RuleTable
from recombine.grammars.terms.chart import ChartParser, Forest, Production
from recombine.grammars.terms.derive import build_derivation
from recombine.grammars.terms.interpret import Interpreter
from recombine.grammars.terms.rule import Interpretation, Ref, Rule
from recombine.records.example import Example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.grammars.formalism import Term
    from recombine.grammars.terms.rule import Fragment, Side
    from recombine.records.derivation import Derivation


@dataclass(frozen=True)
class Grammar:
    """Rules by name and the symbol they start from.

    >>> from recombine.grammars.terms.read_grammar import parse_grammar
    >>> grammar = parse_grammar('''
    ... %start <S>
    ... twice: <S> -> <U> twice => <U> <U>
    ... once:  <S> -> <U> => <U>
    ... jump:  <U> -> jump => I_JUMP
    ... ''')
    >>> next(grammar.parse_source("jump twice"))
    Derived(source='jump twice', target='I_JUMP I_JUMP', term=('twice', (('jump', ()),)))
    >>> grammar.parse_forest("I_JUMP I_JUMP", "target").count()
    1
    """

    name: str
    start: str
    rules: dict[str, Rule]
    interpretations: tuple[Interpretation, ...]
    parts: dict[str, int]
    _memo: dict[Fragment, tuple[str | int, ...]] = field(default_factory=dict, repr=False, compare=False)
    _phrases: dict[Term, tuple[tuple[str, ...], ...]] = field(default_factory=dict, repr=False, compare=False)

    def rule_names(self) -> list[str]:
        """All rules, of the grammar and of the interpretation, in file order."""
        return [*self.rules, *(rule.name for rule in self.interpretations)]

    def rule_table(self) -> RuleTable:
        """The rules of the grammar; those of the interpretation join no symbols."""
        rules = self.rules.values()
        asks = {rule.name: frozenset(rule.children) for rule in rules}
        return RuleTable(self.name, {rule.name: rule.lhs for rule in rules}, asks)

    @cached_property
    def interpreter(self) -> Interpreter:
        """Applies the interpretation rules."""
        return Interpreter(self.rules, self.interpretations)

    @cached_property
    def by_lhs(self) -> dict[str, list[Rule]]:
        """The rules of each symbol, in file order."""
        table: dict[str, list[Rule]] = {}
        for rule in self.rules.values():
            table.setdefault(rule.lhs, []).append(rule)
        return table

    # -- from a derivation ----------------------------------------------------------------------------------------

    def source(self, term: Term) -> str:
        """The words of the source."""
        return " ".join(word for part in self._parts(term, "source", self._phrases) for word in part)

    def target(self, term: Term) -> str:
        """The words of the target."""
        if self.interpretations:
            return " ".join(map(str, self.interpreter.words(term, self._memo)))
        return " ".join(word for part in self._parts(term, "target", {}) for word in part)

    def _parts(
        self, term: Term, side: str, memo: dict[Term, tuple[tuple[str, ...], ...]]
    ) -> tuple[tuple[str, ...], ...]:
        if term not in memo:
            rule = self.rules[term[0]]
            below = [self._parts(child, side, memo) for child in term[1]]
            shape: Side | None = rule.source if side == "source" else rule.target
            memo[term] = tuple(
                tuple(
                    word
                    for element in part
                    for word in ((element,) if isinstance(element, str) else below[element.child][element.part])
                )
                for part in shape or ()
            )
        return memo[term]

    def derivation(self, term: Term) -> Derivation:
        """The rule application graph of a term, interpretation rules included."""
        return build_derivation(term, self.interpreter if self.interpretations else None)

    def derived(self, term: Term) -> Derived:
        """A term with both its texts."""
        return Derived(self.source(term), self.target(term), term)

    def example(self, term: Term) -> Example:
        """The example that a term makes."""
        return Example.of(self.source(term), self.target(term), self.derivation(term))

    # -- many derivations -----------------------------------------------------------------------------------------

    def sample(self, number: int, *, seed: int, max_depth: int | None = None) -> Iterator[Derived]:
        """So many different derivations: each has the same chance where the grammar is finite or the depth is given.

        Otherwise they are drawn by the weights of the rules.
        """
        from recombine.grammars.terms.draw_terms import draw_terms

        return map(self.derived, draw_terms(self, number, seed=seed, max_depth=max_depth))

    def enumerate(self, *, max_depth: int | None = None) -> Iterator[Derived]:
        """Every derivation, in the order of the rules; a recursive grammar needs a greatest depth."""
        from recombine.grammars.terms.enumerate_terms import enumerate_terms

        return map(self.derived, enumerate_terms(self, max_depth=max_depth))

    def count(self, *, max_depth: int | None = None) -> int:
        """How many derivations there are; a recursive grammar needs a greatest depth."""
        from recombine.grammars.terms.enumerate_terms import count_terms

        return count_terms(self, max_depth=max_depth)

    # -- to a derivation ------------------------------------------------------------------------------------------

    def parse_source(self, text: str) -> Iterator[Derived]:
        """The derivations of a source, in the order of the rules."""
        return self._iter_parses(text, "source")

    def parse_target(self, text: str) -> Iterator[Derived]:
        """The derivations of a target, in the order of the rules."""
        return self._iter_parses(text, "target")

    def _iter_parses(self, text: str, side: str) -> Iterator[Derived]:
        forest = self.parse_forest(text, side)
        if not forest:
            raise not_made(self.name, side, text)
        return map(self.derived, forest.iter_terms())

    def parse_forest(self, text: str, side: str = "source") -> Forest:
        """All derivations of a source or a target as one shared forest, which is empty where there is none."""
        parser = self.source_parser if side == "source" else self.target_parser
        return parser.parse(text.split(), self.start)

    @cached_property
    def source_parser(self) -> ChartParser:
        """The chart parser of the source side."""
        return ChartParser([_production(rule, rule.source) for rule in self.rules.values()])

    @cached_property
    def target_parser(self) -> ChartParser:
        """The chart parser of the target side; an interpretation rule is read as one production."""
        if not self.interpretations:
            return ChartParser([_production(rule, rule.target or ((),)) for rule in self.rules.values()])
        rows = [
            Production(
                rule.lhs,
                rule.variables,
                (tuple(e if isinstance(e, str) else Ref(e, 0) for e in rule.output),),
                rule.pattern,
            )
            for rule in self.interpretations
        ]
        covered = {rule.pattern[0] for rule in self.interpretations}
        rows += [
            Production(rule.lhs, rule.children, ((Ref(0, 0),),), (rule.name, (0,)))
            for rule in self.rules.values()
            if rule.renames() and rule.name not in covered
        ]
        return ChartParser(rows)


def _production(rule: Rule, side: Side) -> Production:
    return Production(rule.lhs, rule.children, side, (rule.name, tuple(range(len(rule.children)))))
