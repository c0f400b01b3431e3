"""A synchronous grammar: rules by name, what they make of a derivation, and the parsers that find derivations again."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from recombine.grammars.terms.chart import ChartParser, Forest, Production
from recombine.grammars.terms.derive import build_derivation
from recombine.grammars.terms.interpret import Interpreter
from recombine.grammars.terms.rule import Interpretation, Ref, Rule
from recombine.records.example import Example

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recombine.grammars.terms.rule import Fragment, Side, Term
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
    >>> term = grammar.parse_source("jump twice").first(1)[0]
    >>> term, grammar.target(term)
    (('twice', (('jump', ()),)), 'I_JUMP I_JUMP')
    >>> grammar.parse_target("I_JUMP I_JUMP").count()
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

    def example(self, term: Term) -> Example:
        """The example that a term makes."""
        return Example.of(self.source(term), self.target(term), self.derivation(term))

    # -- to a derivation ------------------------------------------------------------------------------------------

    def parse_source(self, text: str) -> Forest:
        """All derivations of a source."""
        return self.source_parser.parse(text.split(), self.start)

    def parse_target(self, text: str) -> Forest:
        """All derivations of a target."""
        return self.target_parser.parse(text.split(), self.start)

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


def make_examples(grammar: Grammar, terms: Iterable[Term]) -> Iterator[Example]:
    """The examples of terms, one by one."""
    for term in terms:
        yield grammar.example(term)
