"""Pairs of rules that no training example may hold together (local-structures paper, §2.1 and App. B.2).

An example belongs to the test side iff its derivation holds both rules of some pair. Which rules a grammar has, and
which symbols they join, is a `RuleTable`, so that any grammar with derivations can be split. Rules of other files are
found by what they say, not by name: `find_rules` reads `boolean_single -> exists '(' some_ref ')'`, a left side and a
target with its words in quotation marks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recombine.errors import DerivationError, OptionError, UnknownNameError
from recombine.grammars.synchronous.synchronous_grammar import rule_content

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from recombine.grammars.rule_table import RuleTable
    from recombine.grammars.synchronous.synchronous_grammar import Content, SynchronousGrammar

_ARROW = " -> "
_ELEMENT = re.compile(r"'[^']*'|[^\s']+")


@dataclass(frozen=True)
class RulePairs:
    """Pairs of rule names, in order; `holds` tells test from train.

    >>> pairs = RulePairs.parse("and+exists,or+exists")
    >>> pairs.holds({"or", "exists", "find"}), pairs.holds({"or", "and"})
    (True, False)
    >>> print(pairs)
    and+exists,or+exists
    """

    pairs: tuple[tuple[str, str], ...]

    @classmethod
    def parse(cls, text: str) -> RulePairs:
        """Read what `str` printed."""
        pairs = []
        for piece in text.split(","):
            left, plus, right = (part.strip() for part in piece.partition("+"))
            if not plus or not left or not right or "+" in right:
                raise OptionError(f"cannot read the rule pairs {text!r}", "write for example rule1+rule2,rule1+rule3")
            pairs.append((left, right))
        return cls(tuple(pairs))

    def check(self, table: RuleTable) -> None:
        """Refuse rules that the grammar does not have."""
        for rule in (rule for pair in self.pairs for rule in pair):
            if rule not in table.symbol:
                raise UnknownNameError(f"rule of {table.name}", rule, table.symbol)

    def holds(self, rules: Collection[str]) -> bool:
        """Whether a derivation with these rules holds both rules of some pair."""
        return any(left in rules and right in rules for left, right in self.pairs)

    def __str__(self) -> str:
        return ",".join(f"{left}+{right}" for left, right in self.pairs)


def parse_content(text: str) -> Content:
    """A rule written as `symbol -> symbol 'word' …`; several words in one pair of quotation marks are several.

    >>> parse_content("relation_name -> 'playing with'")
    ('relation_name', ("'playing'", "'with'"))
    """
    lhs, arrow, rest = text.partition(_ARROW)
    elements: list[str] = []
    for piece in _ELEMENT.findall(rest):
        elements += [f"'{word}'" for word in piece[1:-1].split()] if piece.startswith("'") else [piece]
    if not arrow or not re.fullmatch(r"[\w-]+", lhs) or _ELEMENT.sub("", rest).strip():
        raise DerivationError(f"cannot read the rule {text!r}", "write it as symbol -> symbol 'word' …")
    return lhs, tuple(elements)


def find_rules(grammar: SynchronousGrammar, text: str) -> list[str]:
    """The rules of a grammar that say what a rule of another file says of programs, by their canonical names.

    >>> from recombine.grammars.synchronous.notation import packaged_synchronous
    >>> find_rules(packaged_synchronous("covr"), "number_objects -> count '(' some_ref ')'")
    ['objects']
    """
    wanted = parse_content(text)
    names = [grammar.canonical[rule.name] for rule in grammar.plain.rules.values() if rule_content(rule) == wanted]
    if not names:
        raise DerivationError(f"the grammar {grammar.name} has no rule {text!r}", "write the rule as its file does")
    return list(dict.fromkeys(names))


def find_pairs(grammar: SynchronousGrammar, pairs: Iterable[Sequence[str]]) -> RulePairs:
    """The pairs of a grammar's rules that say what pairs of rules of another file say."""
    rule_pairs = []
    for left, right in pairs:
        rule_pairs += [(one, other) for one in find_rules(grammar, left) for other in find_rules(grammar, right)]
    return RulePairs(tuple(dict.fromkeys(rule_pairs)))
