"""Words that lead to nothing in a knowledge base, whichever it is: no fact of the rules says what it calls them.

A question that has such a word has no query, so each one that is drawn is dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recombine.grammars.unification.forms.logical_form import iter_terms
from recombine.kb.cfq_stores.rule_needs import mappings_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recombine.errors import GrammarError
    from recombine.grammars.unification.forms.logical_form import Term
    from recombine.grammars.unification.rules.rule_set import RuleSet
    from recombine.kb.cfq_stores.rule_needs import Mappings


def unmapped_words(rules: RuleSet) -> list[GrammarError]:
    """What grammar rules mean and no fact maps: a concept that no fact names, roles and verbs without a property."""
    known = mappings_of(rules)
    if not known.properties:  # their queries are not about a knowledge base
        return []
    said = {part.op for rule in rules.knowledge for part in iter_terms(rule.fact)}
    said |= {part.op for each in rules.inference for side in (each.left, each.right) for part in iter_terms(side)}
    roles: dict[str, set[str]] = {}
    for rule in rules.knowledge:
        if len(rule.fact.args) == 2 and not any(part.args or part.name for part in rule.fact.args):
            role, predicate = (part.op for part in rule.fact.args)
            roles.setdefault(predicate, set()).add(role)
    problems = []
    for each in rules.grammar:
        why = next(_unmapped(each.form, known, said, roles), None)
        if why is not None:
            remedy = "add a fact with its name in the knowledge base, or mend the word"
            problems.append(each.place.error(f"the rule {each.name} means {why}", remedy))
    return problems


def _unmapped(form: Term, known: Mappings, said: set[str], roles: dict[str, set[str]]) -> Iterator[str]:
    all_roles = {role for some in roles.values() for role in some}
    for term in iter_terms(form):
        pair = tuple(part.op for part in term.args)
        if term.op.isidentifier() and len(pair) == 2 and all_roles.issuperset(pair) and pair not in known.properties:
            yield f"the roles {pair[0]} and {pair[1]}, which have no property"
        if term.args or term.name or not term.op[:1].isupper():
            continue
        if term.op not in said:
            yield f"{term.op}, and no fact is about that"
        elif term.op in roles and term.op not in known.predicates:
            yield f"{term.op}, whose roles {' and '.join(sorted(roles[term.op]))} have no property"
