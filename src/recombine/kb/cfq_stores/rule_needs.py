"""What rules need of a knowledge base: the properties, classes and entities that each grammar rule leads to.

A fact of the rules with a text for its second part maps what is before it to a name of the knowledge base: a pair of
roles to a property, a concept to a class or to an entity. A grammar rule leads to a mapping by the logical form that it
makes: a pair of roles or a concept that is mapped, or a predicate, whose roles make the pairs.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from recombine.grammars.unification.forms.logical_form import EXISTS, TEXT
from recombine.grammars.unification.rules.rule import Constituent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recombine.grammars.unification.forms.logical_form import Term
    from recombine.grammars.unification.rules.rule import GrammarRule
    from recombine.grammars.unification.rules.rule_set import RuleSet

PREFIX = "ns:"
"""What names of the knowledge base begin with where rules write them."""


class Mappings(NamedTuple):
    """What the facts of a rule set map to names of a knowledge base."""

    properties: dict[tuple[str, ...], str]
    """The property of a pair of roles."""
    names: dict[str, str]
    """The class or the entity of a concept."""
    predicates: dict[str, tuple[tuple[str, ...], ...]]
    """The pairs of roles of a predicate that have properties."""


class Need(NamedTuple):
    """What a grammar rule needs: one at least of each group."""

    rule: str
    groups: tuple[frozenset[str], ...]


def mappings_of(rules: RuleSet) -> Mappings:
    """What the facts of some rules map."""
    properties: dict[tuple[str, ...], str] = {}
    names: dict[str, str] = {}
    roles: dict[str, list[str]] = {}
    for rule in rules.knowledge:
        fact = rule.fact
        if len(fact.args) != 2:
            continue
        first, second = fact.args
        if second.op == TEXT and first.args:
            properties.setdefault(tuple(part.op for part in first.args), second.name)
        elif second.op == TEXT:
            names.setdefault(first.op, second.name)
        elif not first.args and not second.args:
            roles.setdefault(second.op, []).append(first.op)
    predicates = {
        predicate: tuple(pair for pair in product(own, repeat=2) if pair in properties)
        for predicate, own in roles.items()
    }
    return Mappings(properties, names, {name: pairs for name, pairs in predicates.items() if pairs})


def rule_needs(rules: RuleSet, mappings: Mappings | None = None) -> list[Need]:
    """What each grammar rule needs, in file order; rules that need nothing of their own are left out."""
    known = mappings_of(rules) if mappings is None else mappings
    needs = [Need(rule.name, tuple(dict.fromkeys(_groups(rule, known)))) for rule in rules.grammar]
    return [need for need in needs if need.groups]


def _groups(rule: GrammarRule, known: Mappings) -> Iterator[frozenset[str]]:
    yield from _of_form(rule.form, known)
    for part in rule.right:
        for spec in part.features if isinstance(part, Constituent) else ():
            # A rule for one verb alone names its predicate in a feature of its part.
            if len(spec.values) == 1 and not spec.negated and spec.values[0] in known.predicates:
                yield _of_pairs(known.predicates[spec.values[0]], known)


def _of_form(term: Term, known: Mappings) -> Iterator[frozenset[str]]:
    if not term.args:
        if term.op in known.predicates:
            yield _of_pairs(known.predicates[term.op], known)
        elif term.op in known.names:
            yield frozenset([known.names[term.op]])
        return
    pair = tuple(part.op for part in term.args)
    if pair in known.properties and not any(part.args for part in term.args):
        yield frozenset([known.properties[pair]])
        return
    if term.op == EXISTS:
        # Its role is a property, or joins what a predicate names anyway.
        role = tuple(part.op for part in term.args[0].args)
        if role in known.properties:
            yield frozenset([known.properties[role]])
    for part in term.args[1:] if term.op == EXISTS else term.args:
        yield from _of_form(part, known)


def _of_pairs(pairs: Sequence[tuple[str, ...]], known: Mappings) -> frozenset[str]:
    return frozenset(known.properties[pair] for pair in pairs)
