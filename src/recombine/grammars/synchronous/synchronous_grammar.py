"""A synchronous context-free grammar: each rule makes a source and a target at once, its symbols linked one to one.

Its rules are those of `grammar.py`, without interpretations, divided phrases or copies. Two things are added. *Limits*
say how often a symbol may occur on one way down from the root, and how long a target may be. *Varieties* let a symbol
have fewer or other rules in some places: `<ref-scene>` is a variety of `<ref>`. Rules with equal left sides and targets
but for varieties are one rule for whoever counts rules; it has the name of the first of them in the file. Derivations
name rules in this way, so that the rules of a published grammar, whose generator prunes what its file does not say, can
be found in them again (`rule_pairs.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from recombine.errors import DerivationError, OptionError, RecombineError, SizeError
from recombine.grammars.formalism import Derived
from recombine.grammars.rule_table import RuleTable
from recombine.grammars.synchronous.limits import variety_of
from recombine.grammars.synchronous.parse import SynchronousParser
from recombine.grammars.terms.rule import Ref
from recombine.records.derivation import Derivation
from recombine.records.example import Example

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from recombine.grammars.formalism import Drawn, Term
    from recombine.grammars.terms.grammar import Grammar
    from recombine.grammars.terms.rule import Rule, Side

MOST = 1_000_000
"""How many derivations are listed without a number being asked for."""
Content = tuple[str, tuple[str, ...]]
"""A left side and a target, varieties left out; words are in quotation marks, symbols are not."""


class Template(NamedTuple):
    """The texts of a rule with `%s` for its children; the target takes them in this order."""

    source: str
    target: str
    order: tuple[int, ...]


@dataclass(frozen=True)
class SynchronousGrammar:
    """Rules, limits on nesting, the symbols that only choose between words, and the greatest length of a target.

    >>> from recombine.grammars.synchronous.notation import parse_synchronous
    >>> grammar = parse_synchronous('''
    ... %start <S>
    ... %nest <N> 2
    ... some: <S> -> there is <N> => exists ( <N> )
    ... dog:  <N> -> dog => find ( dog )
    ... big:  <N> -> big <N> => filter ( big , <N> )
    ... ''')
    >>> term = grammar.parse("exists ( filter ( big , find ( dog ) ) )")
    >>> term, grammar.pair(term)[0]
    (('some', (('big', (('dog', ()),)),)), 'there is big dog')
    >>> grammar.parse("exists ( filter ( big , filter ( big , find ( dog ) ) ) )")
    Traceback (most recent call last):
    recombine.errors.DerivationError: ... only with <N> nested more than 2 times; ...
    """

    plain: Grammar
    limits: Mapping[str, int] = field(default_factory=dict)
    lexical: frozenset[str] = frozenset()
    longest: int | None = None

    @property
    def name(self) -> str:
        """The name of the file, without its suffix."""
        return self.plain.name

    @cached_property
    def parser(self) -> SynchronousParser:
        """Finds derivations of texts."""
        return SynchronousParser(self.plain, self.limits)

    @cached_property
    def refined(self) -> Grammar:
        """The plain grammar of what is made within the limits; what is before `/` in its names is in the file."""
        grammar = self.parser.refined
        if grammar is None:
            raise RecombineError(f"the limits of {self.name} leave no derivation", "raise them")
        return grammar

    @cached_property
    def canonical(self) -> dict[str, str]:
        """The name under which each rule counts: that of the first one that differs from it in varieties only."""
        names: dict[str, str] = {}
        first: dict[Content, str] = {}
        for rule in self.plain.rules.values():
            known = first.setdefault(rule_content(rule), rule.name)
            same = _elements(self.plain.rules[known]) == _elements(rule)  # not varieties: two ways to say one thing
            names[rule.name] = rule.name if same else known
        return names

    def rule_names(self) -> list[str]:
        """The rules as derivations name them, in file order."""
        return list(dict.fromkeys(self.canonical.values()))

    def rule_table(self) -> RuleTable:
        """The rules under their canonical names; those that differ in varieties only are one."""
        first = [rule for rule in self.plain.rules.values() if self.canonical[rule.name] == rule.name]
        return RuleTable(
            self.name,
            {rule.name: variety_of(rule.lhs) for rule in first},
            {rule.name: frozenset(map(variety_of, rule.children)) for rule in first},
            self.lexical,
        )

    @cached_property
    def templates(self) -> dict[str, Template]:
        """The texts of each rule."""
        return {rule.name: _template(rule) for rule in self.plain.rules.values()}

    @cached_property
    def lengths(self) -> dict[str, int]:
        """The words of its own that each rule adds to the length of a target; those of a lexical rule count as one."""
        counts = {}
        for rule in self.plain.rules.values():
            words = sum(isinstance(element, str) for element in (rule.target or ((),))[0])
            counts[rule.name] = min(words, 1) if variety_of(rule.lhs) in self.lexical else words
        return counts

    def length(self, term: Term) -> int:
        """The length of a term's target: its words, those of one lexical rule counted as one."""
        total, waiting = 0, [term]
        while waiting:
            name, children = waiting.pop()
            total += self.lengths[name]
            waiting.extend(children)
        return total

    # -- from a derivation ----------------------------------------------------------------------------------------

    def pair(self, term: Term) -> tuple[str, str]:
        """The source and the target that a term makes."""
        source, target = self._texts(term)
        return " ".join(source.split()), " ".join(target.split())

    def _texts(self, term: Term) -> tuple[str, str]:
        template = self.templates[term[0]]
        below = [self._texts(child) for child in term[1]]
        return (
            template.source % tuple(source for source, _ in below),
            template.target % tuple(below[place][1] for place in template.order),
        )

    def derivation(self, term: Term) -> Derivation:
        """The tree of the rules that a term uses, each under its canonical name."""
        return Derivation.of_tree(term, lambda node: self.canonical[node[0]], lambda node: node[1])

    def rule_set(self, term: Term) -> frozenset[str]:
        """The canonical names of the rules that a term uses."""
        return frozenset(self.derivation(term).rules)

    def derived(self, term: Term) -> Derived:
        """A term with both its texts."""
        return Derived(*self.pair(term), term)

    def example(self, term: Term) -> Example:
        """The example that a term makes."""
        return Example.of(*self.pair(term), self.derivation(term))

    # -- many derivations -----------------------------------------------------------------------------------------

    def sample(self, number: int, *, seed: int, max_depth: int | None = None) -> Iterator[Derived]:
        """So many derivations with different texts, drawn by the weights of the rules."""
        from recombine.grammars.synchronous.sample import iter_distinct

        _refuse_depth(max_depth)
        return iter_distinct(self, number, seed=seed)

    def sample_many(self, number: int, *, seed: int, max_depth: int | None = None) -> Iterator[Drawn]:
        """The pairs of `sample` with their derivations, by compiled code: quicker where there are many."""
        from recombine.grammars.synchronous.draw_many import iter_many

        _refuse_depth(max_depth)
        return iter_many(self, number, seed=seed)

    def enumerate(self, *, max_depth: int | None = None, most: int | None = MOST) -> Iterator[Derived]:
        """Every derivation, small ones first; more than `most` are refused, and so is a grammar without end.

        With `most` none, derivations of a grammar without end come without end.
        """
        from recombine.grammars.synchronous.enumerate import iter_terms

        _refuse_depth(max_depth)
        if most is not None and self.count() > most:
            raise SizeError(
                f"{self.name} has {self.count():.3g} derivations", "say how many distinct examples to make: -n 1000"
            )
        return map(self.derived, iter_terms(self))

    def count(self, *, max_depth: int | None = None) -> int:
        """How many derivations there are; a grammar that is recursive in spite of its limits is refused."""
        from recombine.grammars.synchronous.enumerate import count_terms

        _refuse_depth(max_depth)
        return count_terms(self)

    # -- to a derivation ------------------------------------------------------------------------------------------

    def parse(self, target: str, *, limited: bool = True) -> Term:
        """The canonical derivation of a program; without `limited`, limits do not count."""
        return self._short_enough(self.parser.parse(target, "target", limited=limited), limited)

    def parse_source(self, text: str) -> Iterator[Derived]:
        """The derivations of a source within the limits, the canonical one first."""
        return self._iter_parses(text, "source")

    def parse_target(self, text: str) -> Iterator[Derived]:
        """The derivations of a program within the limits, the canonical one first."""
        return self._iter_parses(text, "target")

    def _iter_parses(self, text: str, side: str) -> Iterator[Derived]:
        canonical = self._short_enough(self.parser.parse(text, side), limited=True)
        others = self.parser.iter_others(text, side, canonical)
        short = (term for term in others if self.longest is None or self.length(term) <= self.longest)
        return map(self.derived, chain((canonical,), short))

    def parse_pair(self, source: str, target: str) -> Term:
        """The canonical derivation of a program among those that make the source too."""
        return self._short_enough(self.parser.parse_pair(source, target, self.pair), limited=True)

    def _short_enough(self, term: Term, limited: bool) -> Term:
        if limited and self.longest is not None and self.length(term) > self.longest:
            raise DerivationError(
                f"the target has the length {self.length(term)}, and the longest that {self.name} makes has "
                f"{self.longest}",
                "raise %longest in the grammar file, or parse without limits",
            )
        return term


def _refuse_depth(max_depth: int | None) -> None:
    if max_depth is not None:
        raise OptionError("a synchronous grammar has no option --max-depth", "limit symbols with %nest in its file")


def rule_content(rule: Rule) -> Content:
    """What a rule says of programs: its left side and its target, varieties left out.

    >>> from recombine.grammars.terms.read_grammar import parse_grammar
    >>> g = parse_grammar("%start <S-big>\\na: <S-big> -> there is x => exists ( x )")
    >>> rule_content(g.rules["a"])
    ('S', ("'exists'", "'('", "'x'", "')'"))
    """
    lhs, elements = _elements(rule)
    return variety_of(lhs), tuple(e if e.startswith("'") else variety_of(e) for e in elements)


def _elements(rule: Rule) -> Content:
    (part,) = rule.target or ((),)
    return rule.lhs, tuple(rule.children[e.child] if isinstance(e, Ref) else f"'{e}'" for e in part)


def _template(rule: Rule) -> Template:
    assert rule.target is not None  # noqa: S101  # the reader refuses rules without one
    order = tuple(e.child for e in rule.target[0] if isinstance(e, Ref))
    return Template(_text(rule.source), _text(rule.target), order)


def _text(side: Side) -> str:
    return " ".join("%s" if isinstance(e, Ref) else e.replace("%", "%%") for e in side[0])
